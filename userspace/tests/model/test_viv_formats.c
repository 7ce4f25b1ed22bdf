// SPDX-License-Identifier: MIT
/*
 * Texel formats that came with HALTI on the virtual Vivante chips: a row per
 * format with values worked out by hand; random blocks of ETC2 and EAC against a
 * second decoder, written from the Khronos Data Format Specification mode by mode;
 * shadow samplers against the comparison itself.
 */
#include "tests/model/viv_sampler.h"

static uint32_t channel(uint32_t pixel, unsigned int c)
{
	return pixel >> (c == 3 ? 24 : 16 - 8 * c) & 255;
}

static void draw_with(const struct tex *t, const char *ps)
{
	scene_clear(&s, 0, 0);
	scene_states(&s);
	program(&s, false, ps);
	put_sampler(t, 0);
	assert_int_equal(scene_draw(&s, TRIANGLES, 1), HOST_OK);
}

/* --- One texel ---------------------------------------------------------------- */

#define EXT(name)	TEXTURE_FORMAT_NONE, TEXTURE_FORMAT_EXT_##name

static void test_plain(void **unused)
{
	static const struct {
		uint8_t format, ext, bytes, raw[8];
		float want[4];
	} f[] = {
		{ EXT(R8), 1, { 102 }, { 0.4f, 0, 0, 1 } },
		{ EXT(G8R8), 2, { 51, 102 }, { 0.2f, 0.4f, 0, 1 } },
		/* 1023, 341, 682, 2 from the lowest bit on */
		{ EXT(A2B10G10R10), 4, { 0xff, 0x57, 0xa5, 0xaa }, { 1, 341 / 1023.0f, 682 / 1023.0f, 2 / 3.0f } },
		{ EXT(R8_SNORM), 1, { 127 }, { 1, 0, 0, 1 } },
		{ EXT(G8R8_SNORM), 2, { 0x80, 64 }, { 0, 64 / 127.0f, 0, 1 } },
		{ EXT(X8B8G8R8_SNORM), 4, { 64, 127, 0xff, 0 }, { 64 / 127.0f, 1, 0, 1 } },
		{ EXT(A8B8G8R8_SNORM), 4, { 64, 127, 0, 32 }, { 64 / 127.0f, 1, 0, 32 / 127.0f } },
		{ EXT(R16F), 2, { 0x00, 0x38 }, { 0.5f, 0, 0, 1 } },
		{ EXT(G16R16F), 4, { 0x00, 0x38, 0x00, 0x34 }, { 0.5f, 0.25f, 0, 1 } },
		{ EXT(A16B16G16R16F), 8, { 0, 0x38, 0, 0x34, 0, 0x3c, 0, 0x3a }, { 0.5f, 0.25f, 1, 0.75f } },
		{ EXT(R32F), 4, { 0, 0, 0x40, 0x3f }, { 0.75f, 0, 0, 1 } },
		{ EXT(G32R32F), 8, { 0, 0, 0x40, 0x3f, 0, 0, 0x80, 0x3e }, { 0.75f, 0.25f, 0, 1 } },
		/* 11, 11 and 10 bits: exponents of 14, 13 and 15; the second with a half in its fraction */
		{ EXT(B10G11R11F), 4, { 0x80, 0x03, 0x1b, 0x78 }, { 0.5f, 0.375f, 1, 1 } },
		/* 9 bits each, and an exponent of 15: 256, 128, 64 of 512 */
		{ TEXTURE_FORMAT_E5B9G9R9, 0, 4, { 0x00, 0x01, 0x01, 0x79 }, { 0.5f, 0.25f, 0.125f, 1 } },
		{ EXT(D24S8), 4, { 0x77, 0, 0, 0x80 }, { 0.5f, 0.5f, 0.5f, 1 } },
	};

	for (unsigned int i = 0; i < sizeof(f) / sizeof(f[0]); i++) {
		for (unsigned int n = 2; n < CHIPS; n++) {
			struct tex t;

			scene_open(&s, chips[n]);
			t = plain(f[i].format, 4, 4);
			t.ext = f[i].ext;
			for (unsigned int k = 0; k < 16; k++)
				memcpy(s.e.map[1] + TEXTURE_AT + k * f[i].bytes, f[i].raw, f[i].bytes);
			cover(0.3f, 0.3f, 0.3f, 0.3f, 0);
			draw_with(&t, ps_texture);
			for (unsigned int c = 0; c < 4; c++) {
				unsigned int got = channel(color_at(&s, 5, 5), c);

				if (fabs(f[i].want[c] * 255.0 - got) > 0.52)
					fail_msg("%s, case %u: component %u is %u, not %f", chips[n], i, c, got,
						 (double)f[i].want[c] * 255);
			}
			scene_close(&s);
		}
	}
}

/* Integers reach the program as they are: it makes floats of them, 255ths. What a format lacks is 0, alpha 1. */
static void test_integers(void **unused)
{
	static const char ps[] = "texld t1, tex0, t1.xyzz, void, void\ni2f.s32 t1, t1, void, void\nmul t1, t1, u0, void\n";
	static const struct {
		uint8_t ext, bytes, raw[8];
		uint32_t config2;
		int32_t want[4];
	} f[] = {
		{ TEXTURE_FORMAT_EXT_R8I, 1, { 200 }, 0, { 200, 0, 0, 1 } },
		{ TEXTURE_FORMAT_EXT_R8I, 1, { 0x9c }, TE_SAMPLER_CONFIG2_SIGNED_INT8, { -100, 0, 0, 1 } },
		{ TEXTURE_FORMAT_EXT_G8R8I, 2, { 7, 250 }, 0, { 7, 250, 0, 1 } },
		{ TEXTURE_FORMAT_EXT_A8B8G8R8I, 4, { 1, 2, 3, 4 }, 0, { 1, 2, 3, 4 } },
		{ TEXTURE_FORMAT_EXT_A8B8G8R8I, 4, { 0xff, 2, 0x80, 4 }, TE_SAMPLER_CONFIG2_SIGNED_INT8, { -1, 2, -128, 4 } },
		{ TEXTURE_FORMAT_EXT_R16I, 2, { 0xfa, 0 }, 0, { 250, 0, 0, 1 } },
		{ TEXTURE_FORMAT_EXT_R16I, 2, { 0xfe, 0xff }, TE_SAMPLER_CONFIG2_SIGNED_INT16, { -2, 0, 0, 1 } },
		{ TEXTURE_FORMAT_EXT_G16R16I, 4, { 5, 0, 6, 0 }, 0, { 5, 6, 0, 1 } },
		{ TEXTURE_FORMAT_EXT_A16B16G16R16I, 8, { 9, 0, 8, 0, 7, 0, 6, 0 }, 0, { 9, 8, 7, 6 } },
		{ TEXTURE_FORMAT_EXT_R32I, 4, { 123, 0, 0, 0 }, 0, { 123, 0, 0, 1 } },
		{ TEXTURE_FORMAT_EXT_G32R32I, 8, { 21, 0, 0, 0, 0xff, 0xff, 0xff, 0xff }, 0, { 21, -1, 0, 1 } },
		/* 200, 100, 50, 3 in 10, 10, 10 and 2 bits */
		{ TEXTURE_FORMAT_EXT_A2B10G10R10UI, 4, { 0xc8, 0x90, 0x21, 0xc3 }, 0, { 200, 100, 50, 3 } },
	};

	for (unsigned int i = 0; i < sizeof(f) / sizeof(f[0]); i++) {
		for (unsigned int negate = 0; negate < 2; negate++) {
			const float by = (negate ? -1 : 1) / 255.0f;
			struct tex t;

			scene_open(&s, "gc7000l");
			t = plain(TEXTURE_FORMAT_NONE, 4, 4);
			t.ext = f[i].ext;
			t.config2 = f[i].config2;
			for (unsigned int k = 0; k < 16; k++)
				memcpy(s.e.map[1] + TEXTURE_AT + k * f[i].bytes, f[i].raw, f[i].bytes);
			cover(0.3f, 0.3f, 0.3f, 0.3f, 0);
			uniform(&s, false, 0, (const float[4]){ by, by, by, by });
			draw_with(&t, ps);
			for (unsigned int c = 0; c < 4; c++) {
				int32_t want = negate ? -f[i].want[c] : f[i].want[c];
				int32_t got = (int32_t)channel(color_at(&s, 5, 5), c);

				/* The target holds 0 to 1. */
				if (got != (want < 0 ? 0 : want))
					fail_msg("case %u: component %u is %d, not %d", i, c, got, want);
			}
			scene_close(&s);
		}
	}
}

/* --- ETC2 ----------------------------------------------------------------------- */

static int clamp8(int v)
{
	return v < 0 ? 0 : v > 255 ? 255 : v;
}

static int wide4(int v)
{
	return v * 17;
}

static int wide5(int v)
{
	return v << 3 | v >> 2;
}

static void planar(const uint8_t *b, int x, int y, int out[3])
{
	int o[3] = { b[0] >> 1 & 63, (b[0] & 1) << 6 | (b[1] >> 1 & 63), (b[1] & 1) << 5 | (b[2] >> 3 & 3) << 3 | (b[2] & 3) << 1 | b[3] >> 7 };
	int h[3] = { (b[3] >> 2 & 31) << 1 | (b[3] & 1), b[4] >> 1, (b[4] & 1) << 5 | b[5] >> 3 };
	int v[3] = { (b[5] & 7) << 3 | b[6] >> 5, (b[6] & 31) << 2 | b[7] >> 6, b[7] & 63 };

	for (int c = 0; c < 3; c++) {
		int up = c == 1 ? 1 : 2, down = c == 1 ? 6 : 4;
		int from = o[c] << up | o[c] >> down, right = h[c] << up | h[c] >> down, below = v[c] << up | v[c] >> down;

		out[c] = clamp8((x * (right - from) + y * (below - from) + 4 * from + 2) >> 2);
	}
}

/* T (two bits of distance 3 and 2) and H blocks: four paints. */
static void paints(const uint8_t *b, bool h, int paint[4][3])
{
	static const int distance[8] = { 3, 6, 11, 16, 23, 32, 41, 64 };
	int one[3], two[3], d;

	if (!h) {
		one[0] = (b[0] >> 3 & 3) << 2 | (b[0] & 3);
		one[1] = b[1] >> 4;
		one[2] = b[1] & 15;
		two[0] = b[2] >> 4;
		two[1] = b[2] & 15;
		two[2] = b[3] >> 4;
		d = distance[(b[3] >> 2 & 3) << 1 | (b[3] & 1)];
	} else {
		one[0] = b[0] >> 3 & 15;
		one[1] = (b[0] & 7) << 1 | (b[1] >> 4 & 1);
		one[2] = (b[1] & 8) | (b[1] & 3) << 1 | b[2] >> 7;
		two[0] = b[2] >> 3 & 15;
		two[1] = (b[2] & 7) << 1 | b[3] >> 7;
		two[2] = b[3] >> 3 & 15;
		d = distance[(b[3] & 4) | (b[3] & 1) << 1 |
			     ((one[0] << 8 | one[1] << 4 | one[2]) >= (two[0] << 8 | two[1] << 4 | two[2]))];
	}
	for (int c = 0; c < 3; c++) {
		int p = wide4(one[c]), q = wide4(two[c]);

		paint[0][c] = h ? clamp8(p + d) : p;
		paint[1][c] = clamp8(h ? p - d : q + d);
		paint[2][c] = h ? clamp8(q + d) : q;
		paint[3][c] = clamp8(q - d);
	}
}

/* The colour of texel (x, y) of an RGB8 block, punch: of one with punch-through alpha; false: transparent. */
static bool etc2(const uint8_t *b, int x, int y, bool punch, int out[3])
{
	static const int table[8][2] = { { 2, 8 }, { 5, 17 }, { 9, 29 }, { 13, 42 }, { 18, 60 }, { 24, 80 }, { 33, 106 }, { 47, 183 } };
	uint32_t low = (uint32_t)b[4] << 24 | b[5] << 16 | b[6] << 8 | b[7];
	int n = x * 4 + y, sel = (int)(low >> (n + 16) & 1) << 1 | (int)(low >> n & 1), paint[4][3];
	bool bit33 = b[3] & 2, see_through = punch && !bit33, second = b[3] & 1 ? y > 1 : x > 1;
	const int *step = table[second ? b[3] >> 2 & 7 : b[3] >> 5];
	int delta;

	if (see_through && sel == 2)
		return false;
	for (int c = 0; (punch || bit33) && c < 3; c++) {
		int sum = (b[c] >> 3) + ((b[c] & 7) ^ 4) - 4;

		if (sum >= 0 && sum <= 31)
			continue;
		if (c == 2) {
			planar(b, x, y, out);
			return true;
		}
		paints(b, c == 1, paint);
		memcpy(out, paint[sel], sizeof(paint[0]));
		return true;
	}
	delta = step[sel & 1] * (sel & 2 ? -1 : 1);
	if (see_through && !(sel & 1))
		delta = 0;
	for (int c = 0; c < 3; c++) {
		int base = punch || bit33 ? wide5((b[c] >> 3) + (second ? ((b[c] & 7) ^ 4) - 4 : 0)) :
			   wide4(second ? b[c] & 15 : b[c] >> 4);

		out[c] = clamp8(base + delta);
	}
	return true;
}

/* --- EAC ------------------------------------------------------------------------- */

/* The upper half of each row of modifiers; the lower one is its complement. */
static const int eac_up[16][4] = {
	{ 2, 5, 8, 14 }, { 2, 6, 9, 12 }, { 1, 4, 7, 12 }, { 1, 3, 5, 12 }, { 2, 5, 7, 11 }, { 2, 6, 8, 10 }, { 3, 6, 7, 10 },
	{ 2, 4, 7, 10 }, { 1, 5, 7, 9 }, { 1, 4, 7, 9 }, { 1, 3, 7, 9 }, { 1, 4, 6, 9 }, { 2, 3, 6, 9 }, { 0, 1, 2, 9 },
	{ 3, 5, 7, 8 }, { 2, 4, 6, 8 },
};

static int eac_modifier(const uint8_t *b, int x, int y)
{
	uint64_t bits = 0;
	int i;

	for (int k = 2; k < 8; k++)
		bits = bits << 8 | b[k];
	i = (int)(bits >> (45 - 3 * (x * 4 + y)) & 7);
	return i & 4 ? eac_up[b[1] & 15][i & 3] : -1 - eac_up[b[1] & 15][i & 3];
}

static double eac8(const uint8_t *b, int x, int y)
{
	return clamp8(b[0] + eac_modifier(b, x, y) * (b[1] >> 4)) / 255.0;
}

static double eac11(const uint8_t *b, int x, int y, bool is_signed)
{
	int factor = b[1] >> 4 ? (b[1] >> 4) * 8 : 1, base = b[0] * 8 + 4, top = 2047, bottom = 0;

	if (is_signed) {
		base = ((int8_t)b[0] == -128 ? -127 : (int8_t)b[0]) * 8;
		top = 1023;
		bottom = -1023;
	}
	base += eac_modifier(b, x, y) * factor;
	return (double)(base < bottom ? bottom : base > top ? top : base) / top;
}

/* --- A texture of random blocks, one texel to a pixel ----------------------------- */

static void expected(unsigned int ext, const uint8_t *b, int x, int y, double want[4])
{
	const uint8_t *rgb = ext == TEXTURE_FORMAT_EXT_RGBA8_ETC2_EAC ? b + 8 : b;
	int c[3] = { 0 };

	want[0] = want[1] = want[2] = 0;
	want[3] = 1;
	switch (ext) {
	case TEXTURE_FORMAT_EXT_R11_EAC:
	case TEXTURE_FORMAT_EXT_SIGNED_R11_EAC:
		want[0] = eac11(b, x, y, ext == TEXTURE_FORMAT_EXT_SIGNED_R11_EAC);
		return;
	case TEXTURE_FORMAT_EXT_RG11_EAC:
	case TEXTURE_FORMAT_EXT_SIGNED_RG11_EAC:
		want[0] = eac11(b, x, y, ext == TEXTURE_FORMAT_EXT_SIGNED_RG11_EAC);
		want[1] = eac11(b + 8, x, y, ext == TEXTURE_FORMAT_EXT_SIGNED_RG11_EAC);
		return;
	}
	if (!etc2(rgb, x, y, ext == TEXTURE_FORMAT_EXT_RGB8_PUNCHTHROUGH_ALPHA1_ETC2, c))
		want[3] = 0;
	if (ext == TEXTURE_FORMAT_EXT_RGBA8_ETC2_EAC)
		want[3] = eac8(b, x, y);
	for (int i = 0; i < 3; i++)
		want[i] = c[i] / 255.0;
}

static void test_blocks(void **unused)
{
	static const struct {
		unsigned int ext, bytes;
	} f[] = {
		{ TEXTURE_FORMAT_EXT_NONE, 8 }, { TEXTURE_FORMAT_EXT_RGB8_PUNCHTHROUGH_ALPHA1_ETC2, 8 },
		{ TEXTURE_FORMAT_EXT_RGBA8_ETC2_EAC, 16 }, { TEXTURE_FORMAT_EXT_R11_EAC, 8 }, { TEXTURE_FORMAT_EXT_RG11_EAC, 16 },
		{ TEXTURE_FORMAT_EXT_SIGNED_R11_EAC, 8 }, { TEXTURE_FORMAT_EXT_SIGNED_RG11_EAC, 16 },
	};
	uint64_t seed = test_seed();

	for (unsigned int i = 0; i < sizeof(f) / sizeof(f[0]); i++) {
		for (unsigned int n = 0; n < CHIPS; n++) {
			struct tex t;

			scene_open(&s, chips[n]);
			t = plain(TEXTURE_FORMAT_NONE, SIZE, SIZE);
			t.ext = f[i].ext;
			for (unsigned int k = 0; k < SIZE / 4 * SIZE / 4 * f[i].bytes; k++)
				s.e.map[1][TEXTURE_AT + k] = (uint8_t)(rnd(&seed) >> 24);
			cover(0, 0, 1, 1, 0);
			draw_with(&t, ps_texture);
			for (unsigned int p = 0; p < SIZE * SIZE; p++) {
				int x = p % SIZE, y = p / SIZE;
				const uint8_t *b = s.e.map[1] + TEXTURE_AT + (y / 4 * (SIZE / 4) + x / 4) * f[i].bytes;
				double want[4];

				expected(f[i].ext, b, x % 4, y % 4, want);
				for (unsigned int c = 0; c < 4; c++) {
					unsigned int got = channel(color_at(&s, x, y), c);

					if (fabs((want[c] < 0 ? 0 : want[c]) * 255 - got) > 0.52)
						fail_msg("%s, format %u, seed %llu: (%d, %d): component %u is %u, not %f", chips[n],
							 f[i].ext, (unsigned long long)test_seed(), x, y, c, got, want[c] * 255);
				}
			}
			scene_close(&s);
		}
	}
}

/* --- Shadow samplers ------------------------------------------------------------- */

/* Texels of rising depth against one reference: each is drawn as what the comparison says. */
static void test_shadow(void **unused)
{
	static const char ps[] = "mov t2, void, void, u0\ntexld t1, tex0, t1.xyzz, void, t2.xxxx\n";

	for (unsigned int func = 0; func < 8; func++) {
		for (unsigned int n = 4; n < 2 * CHIPS; n++) {
			bool d16 = n & 1;
			struct tex t;

			scene_open(&s, chips[n / 2]);
			t = plain(d16 ? TEXTURE_FORMAT_D16 : TEXTURE_FORMAT_D24X8, 4, 4);
			t.compare = func + 1;
			for (unsigned int k = 0; k < 16; k++) {
				uint16_t half = (uint16_t)(k * 0x1111);
				uint32_t word = k * 0x111111u << 8 | 0x5a;

				if (d16)
					memcpy(s.e.map[1] + TEXTURE_AT + k * 2, &half, 2);
				else
					memcpy(s.e.map[1] + TEXTURE_AT + k * 4, &word, 4);
			}
			cover(0, 0, 1, 1, 0);
			/* The depth of texel 6, to the bit. */
			uniform(&s, false, 0, (const float[4]){ d16 ? (float)(6 * 0x1111) / 65535.0f :
							       (float)((double)(6 * 0x111111) / 16777215.0) });
			draw_with(&t, ps);
			for (unsigned int k = 0; k < 16; k++) {
				uint32_t got = color_at(&s, k % 4 * 16 + 8, k / 4 * 16 + 8);
				bool pass[8] = { 6 <= k, 6 >= k, 6 < k, 6 > k, 6 == k, 6 != k, true, false };

				if (got != (pass[func] ? 0xffffffff : 0xff000000))
					fail_msg("%s, function %u, texel %u: %08x", chips[n / 2], func, k, got);
			}
			scene_close(&s);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plain), cmocka_unit_test(test_integers), cmocka_unit_test(test_blocks),
		cmocka_unit_test(test_shadow),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
