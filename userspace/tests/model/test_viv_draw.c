// SPDX-License-Identifier: MIT
/*
 * Draws on the virtual Vivante chips against first principles: edge functions,
 * barycentric colours, hyperbolic interpolation, primitive types, vertex formats.
 */
#include "tests/model/viv_scene.h"

static struct scene s;

enum { POINTS = 1, LINES, LINE_STRIP, TRIANGLES, TRIANGLE_STRIP, TRIANGLE_FAN, LINE_LOOP, QUADS };

static double edge(const double a[2], const double b[2], double x, double y)
{
	return (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]);
}

static void window(const float pos[4], double out[2])
{
	out[0] = pos[0] / pos[3] * (SIZE / 2) + SIZE / 2;
	out[1] = pos[1] / pos[3] * (-SIZE / 2) + SIZE / 2;
}

static int channel(uint32_t argb, unsigned int c)
{
	static const uint8_t shift[4] = { 16, 8, 0, 24 };

	return argb >> shift[c] & 0xff;
}

/* Random triangles, with perspective or not: who is inside, and the colour there. */
static void random_triangles(const char *gpu, bool perspective, uint64_t seed)
{
	uint64_t state = seed;

	for (unsigned int n = 0; n < 12; n++) {
		struct vert v[3];
		double p[3][2], area;

		scene_open(&s, gpu);
		s.super = n & 1;
		for (unsigned int i = 0; i < 3; i++) {
			float w = perspective ? rnd_in(&state, 0.5, 4) : 1;

			v[i] = (struct vert){ { rnd_in(&state, -1.2, 1.2) * w, rnd_in(&state, -1.2, 1.2) * w, 0, w },
					      { rnd_in(&state, 0, 1), rnd_in(&state, 0, 1), rnd_in(&state, 0, 1), 1 } };
			window(v[i].pos, p[i]);
		}
		area = edge(p[0], p[1], p[2][0], p[2][1]);
		scene_clear(&s, 0, 0);
		scene_vertices(&s, v, 3);
		scene_states(&s);
		assert_int_equal(scene_draw(&s, TRIANGLES, 1), HOST_OK);
		for (uint32_t y = 0; y < SIZE; y++)
			for (uint32_t x = 0; x < SIZE; x++) {
				double b[3], w = 0, least = 1;
				uint32_t got = color_at(&s, x, y);

				for (unsigned int i = 0; i < 3; i++) {
					b[i] = edge(p[(i + 1) % 3], p[(i + 2) % 3], x + 0.5, y + 0.5) / area;
					least = b[i] < least ? b[i] : least;
				}
				/* Rounding to 1/256 pixel may move an edge that far. */
				if (fabs(least * area) < 0.5)
					continue;
				if (least < 0) {
					assert_int_equal(got, 0);
					continue;
				}
				for (unsigned int i = 0; i < 3; i++)
					w += b[i] / v[i].pos[3];
				for (unsigned int c = 0; c < 4; c++) {
					double want = 0;

					for (unsigned int i = 0; i < 3; i++)
						want += b[i] / v[i].pos[3] / w * v[i].attr[c];
					assert_true(fabs(want * 255 - channel(got, c)) < 0.51);
				}
			}
		scene_close(&s);
	}
}

static void test_triangles(void **unused)
{
	print_message("seed %llu (LIMN_TEST_SEED)\n", (unsigned long long)test_seed());
	for (unsigned int i = 0; i < CHIPS; i++) {
		random_triangles(chips[i], false, test_seed() + i);
		random_triangles(chips[i], true, test_seed() + i);
	}
}

/* A fan around a point off the pixel grid: every pixel belongs to exactly one triangle. */
static void test_fill_rule(void **unused)
{
	uint64_t state = test_seed();

	for (unsigned int n = 0; n < 6; n++) {
		struct vert v[18];
		float cx = rnd_in(&state, -0.5, 0.5), cy = n < 2 ? 1 / 64.0f : rnd_in(&state, -0.5, 0.5);

		scene_open(&s, chips[n % CHIPS]);
		v[0] = (struct vert){ { n < 2 ? 1 / 64.0f : cx, cy, 0, 1 }, { 0, 0, 1 / 255.0f, 0 } };
		for (unsigned int i = 0; i < 17; i++) {
			double a = i * 2 * M_PI / 16;

			/* Eight of the rays pass through pixel centres when the centre is one. */
			v[1 + i] = v[0];
			v[1 + i].pos[0] += (float)(4 * (i % 16 == 4 || i % 16 == 12 ? 0 : cos(a)));
			v[1 + i].pos[1] += (float)(4 * (i % 8 ? sin(a) : 0));
		}
		s.color_format &= ~VIVS_PE_COLOR_FORMAT_OVERWRITE;
		scene_clear(&s, 0, 0);
		scene_vertices(&s, v, 18);
		scene_states(&s);
		set(&s.e, VIVS_PE_ALPHA_CONFIG, VIVS_PE_ALPHA_CONFIG_BLEND_ENABLE_COLOR |
		    VIV_SET(VIVS_PE_ALPHA_CONFIG_SRC_FUNC_COLOR, BLEND_FUNC_ONE) |
		    VIV_SET(VIVS_PE_ALPHA_CONFIG_DST_FUNC_COLOR, BLEND_FUNC_ONE));
		assert_int_equal(scene_draw(&s, TRIANGLE_FAN, 16), HOST_OK);
		for (uint32_t y = 0; y < SIZE; y++)
			for (uint32_t x = 0; x < SIZE; x++)
				assert_int_equal(color_at(&s, x, y), 1);
		scene_close(&s);
	}
}

/* Clockwise and counter-clockwise to the eye. */
static void test_culling(void **unused)
{
	static const struct vert v[6] = {
		{ { -0.9f, -0.5f, 0, 1 }, { 1, 1, 1, 1 } }, { { -0.5f, 0.5f, 0, 1 }, { 1, 1, 1, 1 } },
		{ { -0.1f, -0.5f, 0, 1 }, { 1, 1, 1, 1 } },	/* clockwise */
		{ { 0.1f, -0.5f, 0, 1 }, { 1, 1, 1, 1 } }, { { 0.9f, -0.5f, 0, 1 }, { 1, 1, 1, 1 } },
		{ { 0.5f, 0.5f, 0, 1 }, { 1, 1, 1, 1 } },
	};

	for (unsigned int mode = 0; mode < 3; mode++)
		for (unsigned int i = 0; i < CHIPS; i++) {
			scene_open(&s, chips[i]);
			s.pa_config |= VIV_SET(VIVS_PA_CONFIG_CULL_FACE_MODE, mode);
			scene_clear(&s, 0, 0);
			scene_vertices(&s, v, 6);
			scene_states(&s);
			assert_int_equal(scene_draw(&s, TRIANGLES, 2), HOST_OK);
			assert_int_equal(color_at(&s, 16, 36), mode == VIVS_PA_CONFIG_CULL_FACE_MODE_CW ? 0 : 0xffffffff);
			assert_int_equal(color_at(&s, 48, 36), mode == VIVS_PA_CONFIG_CULL_FACE_MODE_CCW ? 0 : 0xffffffff);
			scene_close(&s);
		}
}

/* What reaches behind the eye is clipped, not turned around. */
static void test_near_clip(void **unused)
{
	static const struct vert v[3] = {
		{ { -1, -1, 0, 1 }, { 0, 0, 0, 1 } }, { { 1, -1, 0, 1 }, { 0, 0, 0, 1 } }, { { 0, -1, -2, -1 }, { 0, 0, 0, 1 } },
	};

	for (unsigned int i = 0; i < CHIPS; i++) {
		scene_open(&s, chips[i]);
		scene_clear(&s, 0x12345678, 0);
		scene_vertices(&s, v, 3);
		scene_states(&s);
		assert_int_equal(scene_draw(&s, TRIANGLES, 1), HOST_OK);
		/* All three lie on y = -w: nothing but a line's worth is left. */
		for (uint32_t y = 0; y < SIZE - 1; y++)
			for (uint32_t x = 0; x < SIZE; x++)
				assert_int_equal(color_at(&s, x, y), 0x12345678);
		scene_close(&s);
	}
}

static uint32_t count_drawn(void)
{
	uint32_t n = 0;

	for (uint32_t y = 0; y < SIZE; y++)
		for (uint32_t x = 0; x < SIZE; x++)
			n += color_at(&s, x, y) != 0;
	return n;
}

/* Every type of primitive from the same ring of vertices; pixels are counted. */
static void test_types(void **unused)
{
	/* A square of 32 pixels around the middle: its corners in order, for quads and fans. */
	static const float ring[4][2] = { { -0.5f, 0.5f }, { 0.5f, 0.5f }, { 0.5f, -0.5f }, { -0.5f, -0.5f } };
	static const struct {
		uint32_t type, primitives;
		uint8_t order[8];
		uint32_t drawn;
	} cases[] = {
		{ POINTS, 4, { 0, 1, 2, 3 }, 4 },
		{ LINES, 2, { 0, 1, 2, 3 }, 2 * 32 },
		{ LINE_STRIP, 3, { 0, 1, 2, 3 }, 3 * 32 },
		{ LINE_LOOP, 4, { 0, 1, 2, 3 }, 4 * 32 },
		{ TRIANGLES, 2, { 0, 1, 2, 0, 2, 3 }, 1024 },
		{ TRIANGLE_STRIP, 2, { 0, 1, 3, 2 }, 1024 },
		{ TRIANGLE_FAN, 2, { 0, 1, 2, 3 }, 1024 },
		{ QUADS, 1, { 0, 1, 2, 3 }, 1024 },
	};

	for (unsigned int n = 0; n < sizeof(cases) / sizeof(cases[0]); n++)
		for (unsigned int k = 0; k < 4; k++) {
			struct vert v[8];

			scene_open(&s, chips[(n + k) % CHIPS]);
			for (unsigned int i = 0; i < 8; i++) {
				unsigned int r = cases[n].order[i];

				v[i] = (struct vert){ { ring[r][0], ring[r][1], 0, 1 }, { 1, 1, 1, 1 } };
				/* Points and lines lie on pixel centres. */
				if (cases[n].type < TRIANGLES || cases[n].type == LINE_LOOP) {
					v[i].pos[0] += 1 / 64.0f;
					v[i].pos[1] -= 1 / 64.0f;
				}
			}
			scene_clear(&s, 0, 0);
			scene_vertices(&s, v, 8);
			/* k = 1, 2, 3: the same through indices of 1, 2, 4 bytes, backwards in memory. */
			s.indexed = k;
			for (unsigned int i = 0; k && i < 8; i++) {
				uint32_t index = i;

				memcpy(s.e.map[1] + INDEX_AT + i * (1u << (k - 1)), &index, 1u << (k - 1));
			}
			scene_states(&s);
			setf(&s.e, VIVS_PA_POINT_SIZE, 0.5f);
			setf(&s.e, VIVS_PA_LINE_WIDTH, 0.5f);
			set(&s.e, VIVS_FE_INDEX_STREAM_BASE_ADDR, s.e.va[1] + INDEX_AT);
			set(&s.e, VIVS_FE_INDEX_STREAM_CONTROL, k ? k - 1 : 0);
			assert_int_equal(scene_draw(&s, cases[n].type, cases[n].primitives), HOST_OK);
			assert_int_equal(count_drawn(), cases[n].drawn);
			scene_close(&s);
		}
}

/* The restart index parts strips; vertices of one half do not join the other's. */
static void test_restart(void **unused)
{
	static const uint16_t index[9] = { 0, 1, 2, 3, 0xffff, 4, 5, 6, 7 };

	for (unsigned int i = 0; i < CHIPS; i++) {
		struct vert v[8];

		scene_open(&s, chips[i]);
		for (unsigned int k = 0; k < 8; k++)
			v[k] = (struct vert){ { (k & 4 ? 0.5f : -0.75f) + (k & 1 ? 0.25f : 0), k & 2 ? -0.5f : 0.5f, 0, 1 }, { 1, 1, 1, 1 } };
		scene_clear(&s, 0, 0);
		scene_vertices(&s, v, 8);
		memcpy(s.e.map[1] + INDEX_AT, index, sizeof(index));
		s.indexed = true;
		scene_states(&s);
		set(&s.e, VIVS_FE_INDEX_STREAM_BASE_ADDR, s.e.va[1] + INDEX_AT);
		set(&s.e, VIVS_FE_INDEX_STREAM_CONTROL, 1 | VIVS_FE_INDEX_STREAM_CONTROL_PRIMITIVE_RESTART);
		set(&s.e, VIVS_FE_PRIMITIVE_RESTART_INDEX, 0xffff);
		assert_int_equal(scene_draw(&s, TRIANGLE_STRIP, 7), HOST_OK);
		assert_int_equal(count_drawn(), 2 * 8 * 32);
		scene_close(&s);
	}
}

/* More vertices than one slice takes, in a strip: nothing is lost between slices. */
static void test_long_strip(void **unused)
{
	struct vert v[258];

	for (unsigned int n = 0; n < CHIPS; n++) {
		scene_open(&s, chips[n]);
		for (unsigned int i = 0; i < 258; i++)
			v[i] = (struct vert){ { -1 + (float)(i / 2) / 64, i & 1 ? -1 : 1, 0, 1 }, { 1, 1, 1, 1 } };
		scene_clear(&s, 0, 0);
		scene_vertices(&s, v, 258);
		scene_states(&s);
		assert_int_equal(scene_draw(&s, TRIANGLE_STRIP, 256), HOST_OK);
		assert_int_equal(count_drawn(), SIZE * SIZE);
		scene_close(&s);
	}
}

/* Each vertex format as the attribute of a triangle that covers everything. */
static void test_formats(void **unused)
{
	static const struct {
		uint8_t type, num, normalize, raw[16];
		float want[4];
	} f[] = {
		{ FE_DATA_TYPE_UNSIGNED_BYTE, 0, 2, { 51, 102, 255, 0 }, { 0.2f, 0.4f, 1, 0 } },
		{ FE_DATA_TYPE_UNSIGNED_BYTE, 3, 2, { 51, 102, 255, 0 }, { 0.2f, 0.4f, 1, 1 } },
		{ FE_DATA_TYPE_BYTE, 0, 2, { 127, 64, 0x80, 0x81 }, { 1, 64 / 127.0f, 0, 0 } },
		{ FE_DATA_TYPE_UNSIGNED_BYTE, 0, 0, { 1, 0, 1, 0 }, { 1, 0, 1, 0 } },
		{ FE_DATA_TYPE_UNSIGNED_SHORT, 2, 2, { 0x00, 0x80, 0xff, 0xff }, { 32768 / 65535.0f, 1, 0, 1 } },
		{ FE_DATA_TYPE_SHORT, 0, 2, { 0xff, 0x7f, 0, 0x40, 0, 0x80, 0, 0 }, { 1, 16384 / 32767.0f, 0, 0 } },
		{ FE_DATA_TYPE_HALF_FLOAT, 0, 0, { 0, 0x38, 0, 0x34, 0, 0x3c, 0, 0x30 }, { 0.5f, 0.25f, 1, 0.125f } },
		{ FE_DATA_TYPE_FIXED, 2, 0, { 0, 0x80, 0, 0, 0, 0, 1, 0 }, { 0.5f, 1, 0, 1 } },
		{ FE_DATA_TYPE_FLOAT, 1, 0, { 0, 0, 0x40, 0x3f }, { 0.75f, 0, 0, 1 } },
		/* Red in the lowest ten bits. */
		{ FE_DATA_TYPE_UNSIGNED_INT_2_10_10_10_REV, 0, 2, { 0xff, 0x03, 0, 0x40 }, { 1, 0, 0, 1 / 3.0f } },
	};

	for (unsigned int n = 0; n < sizeof(f) / sizeof(f[0]) * 2; n++) {
		struct vert v[3] = { { { -1, -1, 0, 1 }, { 0 } }, { { 3, -1, 0, 1 }, { 0 } }, { { -1, 3, 0, 1 }, { 0 } } };
		uint32_t got;

		scene_open(&s, chips[n % CHIPS]);
		for (unsigned int i = 0; i < 3; i++)
			memcpy(v[i].attr, f[n / 2].raw, 16);
		s.elements[1] = f[n / 2].type | (uint32_t)f[n / 2].num << 12 | (uint32_t)f[n / 2].normalize << 14 | 16 << 16;
		scene_clear(&s, 0, 0);
		scene_vertices(&s, v, 3);
		scene_states(&s);
		assert_int_equal(scene_draw(&s, TRIANGLES, 1), HOST_OK);
		got = color_at(&s, 20, 20);
		for (unsigned int c = 0; c < 4; c++)
			if (fabs(f[n / 2].want[c] * 255.0 - channel(got, c)) > 0.51)
				fail_msg("%s, case %u: component %u is %d, not %f", chips[n % CHIPS], n / 2, c, channel(got, c),
					 (double)f[n / 2].want[c] * 255);
		scene_close(&s);
	}
}

/* Points of a size: PA_POINT_SIZE's half, or what VS writes; gl_PointCoord. */
static void test_points(void **unused)
{
	static const struct vert v = { { 0, 0, 0, 1 }, { 1, 0, 0, 1 } };
	/* One reaches far beyond the target. */
	static const float size[2][4] = { { 10, 0, 0, 0 }, { 8000, 0, 0, 0 } };

	for (unsigned int n = 0; n < 3 * CHIPS; n++) {
		bool per_vertex = n >= CHIPS, big = n >= 2 * CHIPS;

		scene_open(&s, chips[n % CHIPS]);
		s.pa_config |= VIVS_PA_CONFIG_POINT_SPRITE_ENABLE | (per_vertex ? VIVS_PA_CONFIG_POINT_SIZE_ENABLE : 0);
		s.components = 2;
		scene_clear(&s, 0, 0);
		scene_vertices(&s, &v, 1);
		scene_states(&s);
		program(&s, true, "mov t4, void, void, t0\nmov t5, void, void, t1\nmov t6, void, void, u0\n");
		uniform(&s, true, 0, size[big]);
		setf(&s.e, VIVS_PA_POINT_SIZE, 4);
		set(&s.e, VIVS_GL_VARYING_COMPONENT_USE, VARYING_COMPONENT_USE_POINTCOORD_X | VARYING_COMPONENT_USE_POINTCOORD_Y << 2);
		if (s.halti >= 5)
			set(&s.e, VIVS_GL_HALTI5_SH_SPECIALS, 0x7f7f0000);
		assert_int_equal(scene_draw(&s, POINTS, 1), HOST_OK);
		for (uint32_t y = 0; y < SIZE; y++)
			for (uint32_t x = 0; x < SIZE; x++) {
				double r = big ? 4000 : per_vertex ? 5 : 4, dx = x + 0.5 - SIZE / 2, dy = y + 0.5 - SIZE / 2;
				uint32_t got = color_at(&s, x, y);

				if (fabs(dx) > r || fabs(dy) > r) {
					assert_int_equal(got, 0);
					continue;
				}
				assert_true(fabs((dx + r) / (2 * r) * 255 - channel(got, 0)) < 0.51);
				assert_true(fabs((dy + r) / (2 * r) * 255 - channel(got, 1)) < 0.51);
			}
		scene_close(&s);
	}
}

/* Scissor: what lies outside stays. */
static void test_scissor(void **unused)
{
	static const struct vert v[3] = {
		{ { -1, -1, 0, 1 }, { 1, 1, 1, 1 } }, { { 3, -1, 0, 1 }, { 1, 1, 1, 1 } }, { { -1, 3, 0, 1 }, { 1, 1, 1, 1 } },
	};

	for (unsigned int n = 0; n < CHIPS; n++) {
		scene_open(&s, chips[n]);
		scene_clear(&s, 0, 0);
		scene_vertices(&s, v, 3);
		scene_states(&s);
		setf(&s.e, VIVS_SE_SCISSOR_LEFT, 5);
		setf(&s.e, VIVS_SE_SCISSOR_TOP, 10);
		setf(&s.e, VIVS_SE_SCISSOR_RIGHT, 20.06f);
		setf(&s.e, VIVS_SE_SCISSOR_BOTTOM, 41.06f);
		assert_int_equal(scene_draw(&s, TRIANGLES, 1), HOST_OK);
		for (uint32_t y = 0; y < SIZE; y++)
			for (uint32_t x = 0; x < SIZE; x++)
				assert_int_equal(color_at(&s, x, y), x >= 5 && x < 20 && y >= 10 && y < 41 ? 0xffffffff : 0);
		scene_close(&s);
	}
}

/* What a driver looks at to tell a long draw from a hang: bytes that are read and written move with it. */
static void test_traffic(void **unused)
{
	static const struct vert v[3] = { { { -1, -1, 0, 1 }, { 0 } }, { { 3, -1, 0, 1 }, { 0 } }, { { -1, 3, 0, 1 }, { 0 } } };

	for (unsigned int n = 0; n < CHIPS; n++) {
		uint32_t read[2], written[2];

		scene_open(&s, chips[n]);
		scene_clear(&s, 0, 0);
		scene_vertices(&s, v, 3);
		scene_states(&s);
		for (unsigned int i = 0; i < 2; i++) {
			read[i] = model_read32(host_model(s.e.host), VIVS_HI_PROFILE_READ_BYTES8);
			written[i] = model_read32(host_model(s.e.host), VIVS_HI_PROFILE_WRITE_BYTES8);
			if (!i)
				assert_int_equal(scene_draw(&s, TRIANGLES, 1), HOST_OK);
		}
		/* At least three vertices of 32 bytes, and 4 bytes a pixel, in units of 8. */
		assert_true(read[1] - read[0] >= 3 * 32 / 8);
		assert_true(written[1] - written[0] >= SIZE * SIZE * 4 / 8);
		scene_close(&s);
	}
}

/* Strict mode tells of guesses that a draw depends on, and of none that it does not. */
static void test_guesses(void **unused)
{
	static const struct vert v[3] = { { { -1, -1, 0, 1 }, { 0 } }, { { 3, -1, 0, 1 }, { 0 } }, { { -1, 3, 0, 1 }, { 0 } } };
	static const char *const why[] = { "clockwise", "no depth offset", "half a pixel", "64 temporaries" };

	for (unsigned int n = 0; n < 4 * CHIPS; n++) {
		for (unsigned int thin = 0; thin < 2; thin++) {
			unsigned int guess = n / CHIPS;
			bool told;

			scene_open(&s, chips[n % CHIPS]);
			s.e.expect_reports = true;
			scene_clear(&s, 0, 0);
			scene_vertices(&s, v, 3);
			scene_states(&s);
			setf(&s.e, VIVS_PA_POINT_SIZE, 1);
			if (guess == 0) {
				set(&s.e, VIVS_PE_STENCIL_CONFIG, VIVS_PE_STENCIL_CONFIG_MODE_TWO_SIDED);
				set(&s.e, VIVS_PE_STENCIL_OP, 0x00070006);
			} else if (guess == 1) {
				setf(&s.e, VIVS_SE_DEPTH_BIAS, 0.5f);
			} else if (guess == 2) {
				set(&s.e, VIVS_PA_SYSTEM_MODE, VIVS_PA_SYSTEM_MODE_PROVOKING_VERTEX_LAST);
			} else {
				set(&s.e, VIVS_PS_TEMP_REGISTER_CONTROL, 0);
			}
			assert_int_equal(scene_draw(&s, thin ? POINTS : TRIANGLES, 1), HOST_OK);
			told = strstr(s.e.last, "guessed: ") && strstr(s.e.last, why[guess]);
			if (told != (thin || guess >= 2) || (!told && s.e.reports))
				fail_msg("%s, guess %u, %s: report '%s'", chips[n % CHIPS], guess, thin ? "points" : "triangles",
					 s.e.last);
			scene_close(&s);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_triangles),
		cmocka_unit_test(test_fill_rule),
		cmocka_unit_test(test_culling),
		cmocka_unit_test(test_near_clip),
		cmocka_unit_test(test_types),
		cmocka_unit_test(test_restart),
		cmocka_unit_test(test_long_strip),
		cmocka_unit_test(test_formats),
		cmocka_unit_test(test_points),
		cmocka_unit_test(test_scissor),
		cmocka_unit_test(test_traffic),
		cmocka_unit_test(test_guesses),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
