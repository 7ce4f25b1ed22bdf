// SPDX-License-Identifier: MIT
/*
 * Textures on the virtual Vivante chips: addressing, wrapping, filter weights,
 * mipmaps, cube faces, formats, swizzles, vertex textures; from states (TE, NTE)
 * and from descriptors (HALTI5).
 */
#include "tests/model/viv_sampler.h"

static uint32_t tiled_offset(uint32_t x, uint32_t y, uint32_t w, uint32_t bytes)
{
	uint32_t row = (w + 3) / 4;

	return ((y / 4 * row + x / 4) * 16 + (y % 4) * 4 + x % 4) * bytes;
}

static float texel8(uint32_t x, uint32_t y, unsigned int c)
{
	return (float)((x * 37 + y * 59 + c * 101) & 255);
}

/* A picture whose texels all differ. */
static void fill(uint32_t w, uint32_t h, uint32_t at, bool tiled, uint32_t stride)
{
	for (uint32_t y = 0; y < h; y++)
		for (uint32_t x = 0; x < w; x++) {
			uint8_t *p = s.e.map[1] + at + (tiled ? tiled_offset(x, y, w, 4) : y * stride + x * 4);

			/* A8R8G8B8: blue first. */
			p[2] = (uint8_t)texel8(x, y, 0);
			p[1] = (uint8_t)texel8(x, y, 1);
			p[0] = (uint8_t)texel8(x, y, 2);
			p[3] = (uint8_t)texel8(x, y, 3);
		}
}

static int wrapped(unsigned int mode, int i, int n)
{
	if (mode == TEXTURE_WRAPMODE_REPEAT)
		return ((i % n) + n) % n;
	if (mode == TEXTURE_WRAPMODE_MIRRORED_REPEAT) {
		i = ((i % (2 * n)) + 2 * n) % (2 * n);
		return i < n ? i : 2 * n - 1 - i;
	}
	return i < 0 ? 0 : i >= n ? n - 1 : i;
}

static double reference(double u, double v, unsigned int w, unsigned int h, unsigned int mode, bool linear, unsigned int c)
{
	double x = u * w, y = v * h, fx, fy, sum = 0;

	if (!linear)
		return texel8((uint32_t)wrapped(mode, (int)floor(x), (int)w), (uint32_t)wrapped(mode, (int)floor(y), (int)h), c);
	x -= 0.5;
	y -= 0.5;
	fx = x - floor(x);
	fy = y - floor(y);
	for (int j = 0; j < 2; j++)
		for (int i = 0; i < 2; i++)
			sum += (i ? fx : 1 - fx) * (j ? fy : 1 - fy) *
			       texel8((uint32_t)wrapped(mode, (int)floor(x) + i, (int)w), (uint32_t)wrapped(mode, (int)floor(y) + j, (int)h), c);
	return sum;
}

/* Nearest and linear, each wrap mode, tiled and linear memory, sizes that are no powers of two. */
static void test_filters(void **unused)
{
	static const unsigned int size[3][2] = { { 16, 8 }, { 13, 10 }, { 4, 4 } };

	for (unsigned int n = 0; n < 3 * 2 * 2 * 3 * 2; n++) {
		unsigned int mode = n % 3, w = size[n / 12 % 3][0], h = size[n / 12 % 3][1];
		bool linear = n / 3 & 1, tiled = n / 6 & 1;
		double s0 = -0.7, s1 = 1.9, t0 = -1.3, t1 = 1.2;
		struct tex t;

		scene_open(&s, chips[n % 4]);
		t = plain(TEXTURE_FORMAT_A8R8G8B8, w, h);
		t.stride = tiled ? 0 : w * 4 + 64;
		t.wrap = mode;
		t.min = t.mag = linear ? TEXTURE_FILTER_LINEAR : TEXTURE_FILTER_NEAREST;
		fill(w, h, TEXTURE_AT, tiled, t.stride);
		scene_clear(&s, 0, 0);
		cover((float)s0, (float)t0, (float)s1, (float)t1, 0);
		scene_states(&s);
		program(&s, false, ps_texture);
		put_sampler(&t, 0);
		assert_int_equal(scene_draw(&s, TRIANGLES, 1), HOST_OK);
		for (uint32_t y = 0; y < SIZE; y++)
			for (uint32_t x = 0; x < SIZE; x++) {
				double u = s0 + (x + 0.5) / SIZE * (s1 - s0), v = t0 + (y + 0.5) / SIZE * (t1 - t0);
				uint32_t got = color_at(&s, x, y);

				/* Where rounding chooses the texel, any is right. */
				if (!linear && (fabs(u * w - round(u * w)) < 1e-4 || fabs(v * h - round(v * h)) < 1e-4))
					continue;
				for (unsigned int c = 0; c < 3; c++)
					if (fabs(reference(u, v, w, h, mode, linear, c) - (got >> (16 - 8 * c) & 255)) > 0.52)
						fail_msg("%s, case %u, pixel %u %u: component %u is %u, not %f", chips[n % 4], n, x, y,
							 c, got >> (16 - 8 * c) & 255, reference(u, v, w, h, mode, linear, c));
			}
		scene_close(&s);
	}
}

/* Levels of one colour each, and how many texels a pixel spans. */
static void test_mipmaps(void **unused)
{
	static const float span[6] = { 0.5f, 1, 1.5f, 2, 3, 8 };

	for (unsigned int n = 0; n < 6 * 3 * CHIPS; n++) {
		unsigned int mip = n / 6 % 3;
		float texels = span[n % 6];
		double lod = log2(texels), want;
		struct tex t;

		scene_open(&s, chips[n / 18]);
		t = plain(TEXTURE_FORMAT_A8R8G8B8, 64, 64);
		t.mip = mip;
		t.max_lod = mip ? 6 : 0;
		for (unsigned int l = 0; l < 7; l++) {
			t.addr[l] = s.e.va[1] + TEXTURE_AT + l * 0x4000;
			memset(s.e.map[1] + TEXTURE_AT + l * 0x4000, (int)l * 30, 0x4000);
		}
		scene_clear(&s, 0, 0);
		cover(0, 0, texels * SIZE / 64, texels * SIZE / 64, 0);
		scene_states(&s);
		program(&s, false, ps_texture);
		put_sampler(&t, 0);
		assert_int_equal(scene_draw(&s, TRIANGLES, 1), HOST_OK);
		lod = mip == TEXTURE_FILTER_NONE || lod < 0 ? 0 : lod;
		/* log2(1.5) = 0.585: the nearest level is 1. */
		want = mip == TEXTURE_FILTER_LINEAR ? lod * 30 : (ceil(lod + 0.5) - 1) * 30;
		assert_true(fabs(want - (color_at(&s, 9, 21) & 255)) < 1.01);
		scene_close(&s);
	}
}

/* Without mipmaps: the level of the smallest LOD, whatever a pixel spans (TE and NTE; descriptors have a base level). */
static void test_base_level(void **unused)
{
	static const float span[3] = { 0.5f, 1, 8 };

	for (unsigned int n = 0; n < 3 * 3 * CHIPS; n++) {
		unsigned int level = n / 3 % 3;
		struct tex t;

		if (!strcmp(chips[n / 9], "gc7000l"))
			continue;
		scene_open(&s, chips[n / 9]);
		t = plain(TEXTURE_FORMAT_A8R8G8B8, 64, 64);
		t.mip = TEXTURE_FILTER_NONE;
		t.min_lod = level;
		t.max_lod = level;
		for (unsigned int l = 0; l < 7; l++) {
			t.addr[l] = s.e.va[1] + TEXTURE_AT + l * 0x4000;
			memset(s.e.map[1] + TEXTURE_AT + l * 0x4000, (int)l * 30 + 7, 0x4000);
		}
		scene_clear(&s, 0, 0);
		cover(0, 0, span[n % 3] * SIZE / 64, span[n % 3] * SIZE / 64, 0);
		scene_states(&s);
		program(&s, false, ps_texture);
		put_sampler(&t, 0);
		assert_int_equal(scene_draw(&s, TRIANGLES, 1), HOST_OK);
		assert_int_equal(color_at(&s, 9, 21) & 255, level * 30 + 7);
		scene_close(&s);
	}
}

/* Each face of a cube has a colour of its own. */
static void test_cube(void **unused)
{
	static const float dir[6][3] = { { 1, 0, 0 }, { -1, 0, 0 }, { 0, 1, 0 }, { 0, -1, 0 }, { 0, 0, 1 }, { 0, 0, -1 } };

	for (unsigned int n = 0; n < 6 * CHIPS; n++) {
		struct tex t;

		scene_open(&s, chips[n / 6]);
		t = plain(TEXTURE_FORMAT_A8R8G8B8, 4, 4);
		t.type = TEXTURE_TYPE_CUBE_MAP;
		for (int f = 0; f < 6; f++)
			memset(s.e.map[1] + TEXTURE_AT + f * 64, 40 * f + 10, 64);
		scene_clear(&s, 0, 0);
		cover(dir[n % 6][0], dir[n % 6][1], dir[n % 6][0], dir[n % 6][1], dir[n % 6][2]);
		scene_states(&s);
		program(&s, false, ps_texture);
		put_sampler(&t, 0);
		assert_int_equal(scene_draw(&s, TRIANGLES, 1), HOST_OK);
		assert_int_equal(color_at(&s, 33, 44), (n % 6 * 40 + 10) * 0x01010101u);
		scene_close(&s);
	}
}

/* One texel of each format. */
static void test_formats(void **unused)
{
	static const struct {
		uint8_t format, ext, raw[16];
		float want[4];
	} f[] = {
		{ TEXTURE_FORMAT_A8, 0, { 102 }, { 0, 0, 0, 0.4f } },
		{ TEXTURE_FORMAT_L8, 0, { 102 }, { 0.4f, 0.4f, 0.4f, 1 } },
		{ TEXTURE_FORMAT_I8, 0, { 102 }, { 0.4f, 0.4f, 0.4f, 0.4f } },
		{ TEXTURE_FORMAT_A8L8, 0, { 102, 51 }, { 0.4f, 0.4f, 0.4f, 0.2f } },
		{ TEXTURE_FORMAT_A4R4G4B4, 0, { 0x3a, 0x5c }, { 12 / 15.0f, 3 / 15.0f, 10 / 15.0f, 5 / 15.0f } },
		{ TEXTURE_FORMAT_X4R4G4B4, 0, { 0x3a, 0x5c }, { 12 / 15.0f, 3 / 15.0f, 10 / 15.0f, 1 } },
		{ TEXTURE_FORMAT_A8B8G8R8, 0, { 51, 102, 153, 204 }, { 0.2f, 0.4f, 0.6f, 0.8f } },
		{ TEXTURE_FORMAT_X8R8G8B8, 0, { 51, 102, 153, 204 }, { 0.6f, 0.4f, 0.2f, 1 } },
		{ TEXTURE_FORMAT_R5G6B5, 0, { 0x1f, 0x04 }, { 0, 32 / 63.0f, 1, 1 } },
		{ TEXTURE_FORMAT_A1R5G5B5, 0, { 0x00, 0xfc }, { 1, 0, 0, 1 } },
		{ TEXTURE_FORMAT_D16, 0, { 0xff, 0x7f }, { 32767 / 65535.0f, 32767 / 65535.0f, 32767 / 65535.0f, 1 } },
		{ TEXTURE_FORMAT_D24X8, 0, { 0x12, 0, 0, 0x80 }, { 0.5f, 0.5f, 0.5f, 1 } },
		/* Colours 0xf800 and 0x001f, all texels the first's third towards the second. */
		{ TEXTURE_FORMAT_DXT1, 0, { 0, 0xf8, 0x1f, 0, 0xaa, 0xaa, 0xaa, 0xaa }, { 170 / 255.0f, 0, 85 / 255.0f, 1 } },
		/* The other order: half way, and transparent black. */
		{ TEXTURE_FORMAT_DXT1, 0, { 0x1f, 0, 0, 0xf8, 0xff, 0xff, 0xff, 0xff }, { 0, 0, 0, 0 } },
		{ TEXTURE_FORMAT_DXT2_DXT3, 0, { 0x55, 0x55, 0x55, 0x55, 0x55, 0x55, 0x55, 0x55, 0, 0xf8, 0x1f, 0, 0, 0, 0, 0 },
		  { 1, 0, 0, 1 / 3.0f } },
		{ TEXTURE_FORMAT_DXT4_DXT5, 0, { 204, 51, 0x49, 0x92, 0x24, 0x49, 0x92, 0x24, 0, 0xf8, 0x1f, 0, 0, 0, 0, 0 },
		  { 1, 0, 0, 0.2f } },
		/* Individual mode, base 8 8 8 (136), table 0, all selectors +2. */
		{ TEXTURE_FORMAT_ETC1, 0, { 0x88, 0x88, 0x88, 0, 0, 0, 0, 0 }, { 138 / 255.0f, 138 / 255.0f, 138 / 255.0f, 1 } },
	};

	for (unsigned int n = 0; n < sizeof(f) / sizeof(f[0]) * 2; n++) {
		unsigned int i = n / 2;
		struct tex t;

		scene_open(&s, chips[n % CHIPS]);
		t = plain(f[i].format, 4, 4);
		for (unsigned int k = 0; k < 16; k++)
			memcpy(s.e.map[1] + TEXTURE_AT + k * (f[i].format == TEXTURE_FORMAT_A8 || f[i].format == TEXTURE_FORMAT_L8 ||
			       f[i].format == TEXTURE_FORMAT_I8 ? 1 : f[i].format < 7 || (f[i].format >= 11 && f[i].format <= 16) ? 2 :
			       f[i].format <= 17 ? 4 : 16), f[i].raw, 16);
		scene_clear(&s, 0, 0);
		cover(0.3f, 0.3f, 0.3f, 0.3f, 0);
		scene_states(&s);
		program(&s, false, ps_texture);
		put_sampler(&t, 0);
		assert_int_equal(scene_draw(&s, TRIANGLES, 1), HOST_OK);
		for (unsigned int c = 0; c < 4; c++) {
			unsigned int got = color_at(&s, 5, 5) >> (c == 3 ? 24 : 16 - 8 * c) & 255;

			if (fabs(f[i].want[c] * 255.0 - got) > 0.52)
				fail_msg("%s, case %u: component %u is %u, not %f", chips[n % CHIPS], i, c, got, (double)f[i].want[c] * 255);
		}
		scene_close(&s);
	}
}

/* Zero, one, and components in another order. */
static void test_swizzle(void **unused)
{
	for (unsigned int n = 0; n < CHIPS; n++) {
		struct tex t;

		scene_open(&s, chips[n]);
		t = plain(TEXTURE_FORMAT_A8B8G8R8, 4, 4);
		t.swizzle = TEXTURE_SWIZZLE_ALPHA << 8 | TEXTURE_SWIZZLE_ONE << 12 | TEXTURE_SWIZZLE_RED << 16 | TEXTURE_SWIZZLE_ZERO << 20;
		memcpy(s.e.map[1] + TEXTURE_AT, "\x11\x22\x33\x44", 4);
		scene_clear(&s, 0, 0);
		cover(0, 0, 0, 0, 0);
		scene_states(&s);
		program(&s, false, ps_texture);
		put_sampler(&t, 0);
		assert_int_equal(scene_draw(&s, TRIANGLES, 1), HOST_OK);
		assert_int_equal(color_at(&s, 5, 5), 0x0044ff11);
		scene_close(&s);
	}
}

/* A vertex program moves the triangle by what it reads. */
static void test_vertex(void **unused)
{
	for (unsigned int n = 0; n < CHIPS; n++) {
		static const struct vert v[3] = {
			{ { -1, 1, 0, 1 }, { 0, 0, 0, 0 } }, { { -1, -1, 0, 1 }, { 0, 0, 0, 0 } }, { { 0, -1, 0, 1 }, { 0, 0, 0, 0 } },
		};
		unsigned int unit = n < 2 ? 8 : 16;
		struct tex t;
		char text[128];

		scene_open(&s, chips[n]);
		t = plain(TEXTURE_FORMAT_A8R8G8B8, 4, 4);
		/* Red is 1: everything goes right by 1. */
		for (unsigned int i = 0; i < 16; i++)
			memcpy(s.e.map[1] + TEXTURE_AT + i * 4, "\x00\x00\xff\xff", 4);
		scene_clear(&s, 0, 0);
		scene_vertices(&s, v, 3);
		scene_states(&s);
		snprintf(text, sizeof(text), "texld t2, tex%u, t1.xyyy, void, void\nmov t4, void, void, t0\n"
			 "add t4.x___, t0.xxxx, void, t2.xxxx\nmov t5, void, void, t2\n", unit);
		program(&s, true, text);
		put_sampler(&t, unit);
		assert_int_equal(scene_draw(&s, TRIANGLES, 1), HOST_OK);
		assert_int_equal(color_at(&s, 5, 60), 0);
		assert_int_equal(color_at(&s, 40, 60), 0xffff0000);
		scene_close(&s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_filters),
		cmocka_unit_test(test_mipmaps), cmocka_unit_test(test_base_level),
		cmocka_unit_test(test_cube),
		cmocka_unit_test(test_formats),
		cmocka_unit_test(test_swizzle),
		cmocka_unit_test(test_vertex),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
