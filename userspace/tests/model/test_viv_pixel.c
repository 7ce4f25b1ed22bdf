// SPDX-License-Identifier: MIT
/*
 * PE of the virtual Vivante chips: depth, stencil, blending, masks, logic ops,
 * formats, samples; each against the rule written down here once more.
 */
#include "tests/model/viv_scene.h"

static struct scene s;

#define TRIANGLES 4

/* A triangle over everything, at clip depth z, one colour. */
static void cover(float z, float r, float g, float b, float a)
{
	const struct vert v[3] = {
		{ { -1, -1, z, 1 }, { r, g, b, a } }, { { 3, -1, z, 1 }, { r, g, b, a } }, { { -1, 3, z, 1 }, { r, g, b, a } },
	};

	scene_vertices(&s, v, 3);
}

static bool compare(unsigned int func, uint32_t a, uint32_t b)
{
	switch (func) {
	case 0: return false;
	case 1: return a < b;
	case 2: return a == b;
	case 3: return a <= b;
	case 4: return a > b;
	case 5: return a != b;
	case 6: return a >= b;
	default: return true;
	}
}

/* Depth 0.25, 0.5 and 0.75 against a buffer of 0.5, by PE and, where RA can, by RA. */
static void test_depth(void **unused)
{
	static const float z[3] = { -0.5f, 0, 0.5f };

	for (unsigned int n = 0; n < 8 * 3 * CHIPS; n++) {
		unsigned int func = n % 8, which = n / 8 % 3;
		uint32_t half = (uint32_t)(0.5 * 16777215 + 0.5), mine = (uint32_t)((z[which] + 1) / 2 * 16777215 + 0.5);
		bool write = (n * 7 / 24) & 1, early = n % 5 == 0;

		scene_open(&s, chips[n / 24]);
		early = early && s.halti >= 5;
		scene_clear(&s, 0, half << 8 | 0x5a);
		cover(z[which], 1, 1, 1, 1);
		s.depth_config = VIV_SET(VIVS_PE_DEPTH_CONFIG_DEPTH_MODE, VIVS_PE_DEPTH_CONFIG_DEPTH_MODE_Z) |
				 VIV_SET(VIVS_PE_DEPTH_CONFIG_DEPTH_FUNC, func) | (write ? VIVS_PE_DEPTH_CONFIG_WRITE_ENABLE : 0) |
				 (early ? VIVS_PE_DEPTH_CONFIG_DISABLE_ZS : 0);
		scene_states(&s);
		if (early)
			set(&s.e, VIVS_RA_EARLY_DEPTH, 0x30 | VIVS_RA_EARLY_DEPTH_TEST_ENABLE);
		assert_int_equal(scene_draw(&s, TRIANGLES, 1), HOST_OK);
		for (uint32_t i = 0; i < SIZE; i += 9) {
			bool pass = compare(func, mine, half);

			assert_int_equal(color_at(&s, i, SIZE - 1 - i), pass ? 0xffffffff : 0);
			assert_int_equal(depth_at(&s, i, i), (pass && write ? mine : half) << 8 | 0x5a);
		}
		scene_close(&s);
	}
}

static uint8_t stencil_op(unsigned int op, uint8_t v, uint8_t ref)
{
	switch (op) {
	case STENCIL_OP_ZERO: return 0;
	case STENCIL_OP_REPLACE: return ref;
	case STENCIL_OP_INCR: return v < 255 ? v + 1 : 255;
	case STENCIL_OP_DECR: return v > 0 ? v - 1 : 0;
	case STENCIL_OP_INVERT: return 255 - v;
	case STENCIL_OP_INCR_WRAP: return v + 1;
	case STENCIL_OP_DECR_WRAP: return v - 1;
	default: return v;
	}
}

/* Random stencil states on both sides; the triangle is counter-clockwise to the eye: PE's back. */
static void test_stencil(void **unused)
{
	uint64_t state = test_seed();

	print_message("seed %llu (LIMN_TEST_SEED)\n", (unsigned long long)test_seed());
	for (unsigned int n = 0; n < 160; n++) {
		uint32_t op = rnd(&state), front = rnd(&state), back = rnd(&state), far = rnd(&state) & 1;
		bool two = rnd(&state) & 1;
		uint8_t old = (uint8_t)(rnd(&state) % 3 ? rnd(&state) : 255 * (rnd(&state) & 1)), want;
		unsigned int shift = two ? 16 : 0, func = op >> shift & 7;
		/* Chips before HALTI1 have the front's masks on both sides. */
		bool own = two && strcmp(chips[n % CHIPS], "gc880") && strcmp(chips[n % CHIPS], "gc2000");
		uint8_t ref = two ? back : front, mask = own ? back >> 8 : front >> 8, wmask = own ? back >> 16 : front >> 16;
		bool pass = compare(func, ref & mask, old & mask), zpass = !far;
		uint32_t half = 0x800000;

		/* Without the words' mask bits, which the front end would take for "leave this". */
		op &= 0x77777777;
		func = op >> shift & 7;
		pass = compare(func, ref & mask, old & mask);
		scene_open(&s, chips[n % CHIPS]);
		scene_clear(&s, 0, half << 8 | old);
		cover(far ? 0.5f : -0.5f, 1, 1, 1, 1);
		s.depth_config = VIV_SET(VIVS_PE_DEPTH_CONFIG_DEPTH_MODE, VIVS_PE_DEPTH_CONFIG_DEPTH_MODE_Z) |
				 VIV_SET(VIVS_PE_DEPTH_CONFIG_DEPTH_FUNC, 1);
		scene_states(&s);
		set(&s.e, VIVS_PE_STENCIL_OP, op);
		set(&s.e, VIVS_PE_STENCIL_CONFIG, VIV_SET(VIVS_PE_STENCIL_CONFIG_MODE, two ? 2 : 1) | (front & 0xff) << 8 |
		    (front >> 8 & 0xff) << 16 | (front >> 16 & 0xff) << 24);
		set(&s.e, VIVS_PE_STENCIL_CONFIG_EXT, back & 0xff);
		set(&s.e, VIVS_PE_STENCIL_CONFIG_EXT2, back >> 8 & 0xffff);
		assert_int_equal(scene_draw(&s, TRIANGLES, 1), HOST_OK);
		want = stencil_op(op >> (shift + (!pass ? 8 : !zpass ? 12 : 4)) & 7, old, ref);
		want = (old & ~wmask) | (want & wmask);
		assert_int_equal(depth_at(&s, 11, 13), half << 8 | want);
		assert_int_equal(color_at(&s, 11, 13), pass && zpass ? 0xffffffff : 0);
		scene_close(&s);
	}
}

static double factor(unsigned int f, unsigned int c, const double *src, const double *dst, const double *k)
{
	switch (f) {
	case BLEND_FUNC_ZERO: return 0;
	case BLEND_FUNC_ONE: return 1;
	case BLEND_FUNC_SRC_COLOR: return src[c];
	case BLEND_FUNC_ONE_MINUS_SRC_COLOR: return 1 - src[c];
	case BLEND_FUNC_SRC_ALPHA: return src[3];
	case BLEND_FUNC_ONE_MINUS_SRC_ALPHA: return 1 - src[3];
	case BLEND_FUNC_DST_ALPHA: return dst[3];
	case BLEND_FUNC_ONE_MINUS_DST_ALPHA: return 1 - dst[3];
	case BLEND_FUNC_DST_COLOR: return dst[c];
	case BLEND_FUNC_ONE_MINUS_DST_COLOR: return 1 - dst[c];
	case BLEND_FUNC_SRC_ALPHA_SATURATE: return c == 3 ? 1 : fmin(src[3], 1 - dst[3]);
	case BLEND_FUNC_CONSTANT_ALPHA: return k[3];
	case BLEND_FUNC_ONE_MINUS_CONSTANT_ALPHA: return 1 - k[3];
	case BLEND_FUNC_CONSTANT_COLOR: return k[c];
	default: return 1 - k[c];
	}
}

static double blended(unsigned int eq, double s, double d, double sf, double df)
{
	double v = eq == BLEND_EQ_ADD ? s * sf + d * df : eq == BLEND_EQ_SUBTRACT ? s * sf - d * df :
		   eq == BLEND_EQ_REVERSE_SUBTRACT ? d * df - s * sf : eq == BLEND_EQ_MIN ? fmin(s, d) : fmax(s, d);

	return v < 0 ? 0 : v > 1 ? 1 : v;
}

/* Random blend states, colour masks, formats of 32 and 16 bits. */
static void test_blend(void **unused)
{
	static const uint8_t shift32[4] = { 16, 8, 0, 24 }, shift565[4] = { 11, 5, 0, 0 };
	static const uint8_t bits32[4] = { 8, 8, 8, 8 }, bits565[4] = { 5, 6, 5, 0 };
	uint64_t state = test_seed();

	for (unsigned int n = 0; n < 300; n++) {
		bool small = n % 4 == 3, separate = n & 8;
		const uint8_t *shift = small ? shift565 : shift32, *bits = small ? bits565 : bits32;
		unsigned int func[4] = { rnd(&state) % 15, rnd(&state) % 15, rnd(&state) % 15, rnd(&state) % 15 };
		unsigned int eq[2] = { rnd(&state) % 5, rnd(&state) % 5 }, mask = n < 32 ? 15 : rnd(&state) & 15;
		uint32_t old = rnd(&state), k = rnd(&state), got;
		double src[4], dst[4], constant[4];

		scene_open(&s, chips[n / 4 % CHIPS]);
		s.bytes = small ? 2 : 4;
		old &= small ? 0xffff : 0xffffffff;
		for (unsigned int c = 0; c < 4; c++) {
			unsigned int max = (1u << bits[c]) - 1;

			src[c] = (rnd(&state) & 255) / 255.0;
			dst[c] = max ? (old >> shift[c] & max) / (double)max : 1;
			constant[c] = (k >> shift32[c] & 255) / 255.0;
		}
		scene_clear(&s, old, 0);
		cover(0, (float)src[0], (float)src[1], (float)src[2], (float)src[3]);
		s.color_format = VIV_SET(VIVS_PE_COLOR_FORMAT_FORMAT, small ? PE_FORMAT_R5G6B5 : PE_FORMAT_A8R8G8B8) |
				 VIV_SET(VIVS_PE_COLOR_FORMAT_COMPONENTS, mask);
		scene_states(&s);
		set(&s.e, VIVS_PE_ALPHA_BLEND_COLOR, k);
		set(&s.e, VIVS_PE_ALPHA_CONFIG, VIVS_PE_ALPHA_CONFIG_BLEND_ENABLE_COLOR |
		    (separate ? VIVS_PE_ALPHA_CONFIG_BLEND_SEPARATE_ALPHA : 0) |
		    VIV_SET(VIVS_PE_ALPHA_CONFIG_SRC_FUNC_COLOR, func[0]) | VIV_SET(VIVS_PE_ALPHA_CONFIG_DST_FUNC_COLOR, func[1]) |
		    VIV_SET(VIVS_PE_ALPHA_CONFIG_EQ_COLOR, eq[0]) | VIV_SET(VIVS_PE_ALPHA_CONFIG_SRC_FUNC_ALPHA, func[2]) |
		    VIV_SET(VIVS_PE_ALPHA_CONFIG_DST_FUNC_ALPHA, func[3]) | VIV_SET(VIVS_PE_ALPHA_CONFIG_EQ_ALPHA, eq[1]));
		assert_int_equal(scene_draw(&s, TRIANGLES, 1), HOST_OK);
		got = color_at(&s, 30, 31);
		for (unsigned int c = 0; c < 4; c++) {
			unsigned int max = (1u << bits[c]) - 1, a = c == 3 && separate ? 2 : 0;
			double want = blended(eq[a / 2], src[c], dst[c], factor(func[a], c, src, dst, constant),
					      factor(func[a + 1], c, src, dst, constant));

			if (!max)
				continue;
			if (!(mask >> c & 1))
				assert_int_equal(got >> shift[c] & max, old >> shift[c] & max);
			else
				assert_true(fabs(want * max - (got >> shift[c] & max)) < 0.501);
		}
		scene_close(&s);
	}
}

static void test_logic(void **unused)
{
	for (unsigned int op = 0; op < 16; op++) {
		uint32_t src = 0xffcc3300, dst = 0x55f00fff, want = 0;

		/* The code's bits: what becomes of (source, destination) = (1,1), (1,0), (0,1), (0,0). */
		for (unsigned int b = 0; b < 32; b++)
			want |= (op >> ((src >> b & 1) * 2 + (dst >> b & 1)) & 1) << b;
		scene_open(&s, chips[op % CHIPS]);
		scene_clear(&s, dst, 0);
		cover(0, 0xcc / 255.0f, 0x33 / 255.0f, 0, 1);
		s.color_format &= ~VIVS_PE_COLOR_FORMAT_OVERWRITE;
		s.logic_op = op;
		scene_states(&s);
		assert_int_equal(scene_draw(&s, TRIANGLES, 1), HOST_OK);
		assert_int_equal(color_at(&s, 63, 0), want);
		scene_close(&s);
	}
}

/* Two or four samples: each is inside or outside by itself. */
static void test_samples(void **unused)
{
	static const double at4[4][2] = { { 6, 2 }, { 14, 6 }, { 2, 10 }, { 10, 14 } }, at2[2][2] = { { 2, 2 }, { 10, 10 } };
	static const struct vert v[3] = {
		{ { -0.83f, -0.71f, 0, 1 }, { 1, 1, 1, 1 } }, { { 0.93f, -0.37f, 0, 1 }, { 1, 1, 1, 1 } },
		{ { 0.11f, 0.97f, 0, 1 }, { 1, 1, 1, 1 } },
	};

	for (unsigned int n = 0; n < 2 * CHIPS; n++) {
		unsigned int samples = n & 1 ? 2 : 4;
		double p[3][2];

		scene_open(&s, chips[n / 2]);
		s.samples = samples;
		s.super = false;
		scene_clear(&s, 0, 0);
		scene_vertices(&s, v, 3);
		scene_states(&s);
		set(&s.e, VIVS_PS_INPUT_COUNT, 0x1f03);
		assert_int_equal(scene_draw(&s, TRIANGLES, 1), HOST_OK);
		for (unsigned int i = 0; i < 3; i++) {
			p[i][0] = v[i].pos[0] * SIZE / 2 + SIZE / 2;
			p[i][1] = -v[i].pos[1] * SIZE / 2 + SIZE / 2;
		}
		for (uint32_t y = 0; y < SIZE; y++)
			for (uint32_t x = 0; x < SIZE; x++)
				for (unsigned int i = 0; i < samples; i++) {
					const double *at = samples == 4 ? at4[i] : at2[i];
					double px = x + at[0] / 16, py = y + at[1] / 16, least = 1e9;
					uint32_t got = color_at(&s, x * 2 + (i & 1), samples == 4 ? y * 2 + (i >> 1) : y);

					for (unsigned int k = 0; k < 3; k++) {
						const double *a = p[k], *b = p[(k + 1) % 3];
						/* Counter-clockwise with y down: inside is negative. */
						double e = -((b[0] - a[0]) * (py - a[1]) - (b[1] - a[1]) * (px - a[0]));

						least = e < least ? e : least;
					}
					if (fabs(least) > 0.5)
						assert_int_equal(got, least > 0 ? 0xffffffff : 0);
				}
		scene_close(&s);
	}
}

/* texkill keeps a fragment from colour and depth. */
static void test_kill(void **unused)
{
	for (unsigned int n = 0; n < CHIPS; n++) {
		const struct vert v[3] = {
			{ { -1, -1, 0, 1 }, { 0, 0, 0, 0 } }, { { 3, -1, 0, 1 }, { 2, 0, 0, 0 } }, { { -1, 3, 0, 1 }, { 0, 0, 0, 0 } },
		};

		scene_open(&s, chips[n]);
		scene_clear(&s, 0x11223344, 0xffffff00);
		scene_vertices(&s, v, 3);
		s.depth_config = VIV_SET(VIVS_PE_DEPTH_CONFIG_DEPTH_MODE, VIVS_PE_DEPTH_CONFIG_DEPTH_MODE_Z) |
				 VIV_SET(VIVS_PE_DEPTH_CONFIG_DEPTH_FUNC, 1) | VIVS_PE_DEPTH_CONFIG_WRITE_ENABLE;
		scene_states(&s);
		program(&s, false, "mov t2, void, void, u0\ntexkill.gt void, t1.xxxx, t2.xxxx, void\nmov t1, void, void, t1\n");
		uniform(&s, false, 0, (const float[4]){ 0.5f });
		assert_int_equal(scene_draw(&s, TRIANGLES, 1), HOST_OK);
		for (uint32_t x = 0; x < SIZE; x++) {
			assert_int_equal(color_at(&s, x, 7) == 0x11223344, x >= SIZE / 2);
			assert_int_equal(depth_at(&s, x, 7) == 0xffffff00, x >= SIZE / 2);
		}
		scene_close(&s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_depth),
		cmocka_unit_test(test_stencil),
		cmocka_unit_test(test_blend),
		cmocka_unit_test(test_logic),
		cmocka_unit_test(test_samples),
		cmocka_unit_test(test_kill),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
