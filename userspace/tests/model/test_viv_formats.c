// SPDX-License-Identifier: MIT
/*
 * Random blocks of ETC2 and EAC on the virtual Vivante chips against a second decoder, written
 * from the Khronos Data Format Specification mode by mode. Eight texels at a time, and what is
 * between four of each lane, against one texel after the other, for every value of each channel.
 * All other texels: scenes/vivante/texture.limn.
 */
#include <math.h>

#include "model/vivante/viv3d.h"
#include "model/texture.h"
#include "tests/isa/random.h"
#include "tests/tool/jobs.h"

#define SIZE	64

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

enum format { RGB8, RGB8A1, RGBA8, R11, RG11, R11_SIGNED, RG11_SIGNED };

static void expected(enum format ext, const uint8_t *b, int x, int y, double want[4])
{
	const uint8_t *rgb = ext == RGBA8 ? b + 8 : b;
	int c[3] = { 0 };

	want[0] = want[1] = want[2] = 0;
	want[3] = 1;
	if (ext >= R11) {
		want[0] = eac11(b, x, y, ext >= R11_SIGNED);
		want[1] = ext == RG11 || ext == RG11_SIGNED ? eac11(b + 8, x, y, ext >= R11_SIGNED) : 0;
		return;
	}
	if (!etc2(rgb, x, y, ext == RGB8A1, c))
		want[3] = 0;
	if (ext == RGBA8)
		want[3] = eac8(b, x, y);
	for (int i = 0; i < 3; i++)
		want[i] = c[i] / 255.0;
}

static void draw_blocks(const char *chip, enum format format)
{
	static const struct {
		const char *name;
		unsigned int bytes;
	} formats[] = {
		[RGB8] = { "etc2-rgb8", 8 }, [RGB8A1] = { "etc2-rgb8a1", 8 }, [RGBA8] = { "etc2-rgba8", 16 },
		[R11] = { "eac-r11", 8 }, [RG11] = { "eac-rg11", 16 }, [R11_SIGNED] = { "eac-r11-signed", 8 },
		[RG11_SIGNED] = { "eac-rg11-signed", 16 },
	};
	uint8_t blocks[SIZE / 4 * SIZE / 4 * 16], *rgba;
	unsigned int bytes = formats[format].bytes;
	char *text = NULL;
	size_t length;
	FILE *f = open_memstream(&text, &length);

	fprintf(f, "vivante\ntarget %u %u\nattribute 0 float2 { -1 1  3 1  -1 -3 }\n"
		"attribute 1 float2 { 0 0  2 0  0 2 }\noutputs position t0 float2 t1\n"
		"vertex-shader {\nmov t0, void, void, t0\nmov t1, void, void, t1\n}\n"
		"fragment-shader {\ntexld t1, tex0, t1, void, void\n}\n"
		"texture 0 %s %u %u bytes {", SIZE, SIZE, formats[format].name, SIZE, SIZE);
	for (unsigned int k = 0; k < SIZE / 4 * SIZE / 4 * bytes; k++)
		fprintf(f, " %u", blocks[k] = (uint8_t)(random_word() >> 24));
	fprintf(f, " }\ndraw triangles 0 3\n");
	fclose(f);
	rgba = job_draw(job_of(text), chip, 1);
	for (unsigned int p = 0; p < SIZE * SIZE; p++) {
		int x = p % SIZE, y = p / SIZE;
		const uint8_t *b = blocks + (y / 4 * (SIZE / 4) + x / 4) * bytes;
		double want[4];

		expected(format, b, x % 4, y % 4, want);
		for (unsigned int c = 0; c < 4; c++)
			if (fabs((want[c] < 0 ? 0 : want[c]) * 255 - rgba[4 * p + c]) > 0.52)
				fail_msg("%s, %s: (%d, %d): component %u is %u, not %f", chip, formats[format].name, x, y, c,
					 rgba[4 * p + c], want[c] * 255);
	}
	free(rgba);
	free(text);
}

static void test_blocks(void **unused)
{
	static const char *const chips[] = { "gc2000", "gc3000", "gc7000l" };

	random_seed();
	for (unsigned int c = 0; c < 3; c++)
		for (int i = RGB8; i <= RG11_SIGNED; i++)
			draw_blocks(chips[c], i);
}

/* --- Unorm texels by vectors ------------------------------------------------------- */

static struct v3d_sampler sampler;
static v8u four[4];

static void one_by_one(const v8u *words, v8f out[4])
{
	for (unsigned int lane = 0; lane < V3D_LANES; lane++) {
		uint32_t word = (*words)[lane];
		float rgba[4];

		v3d_texel(&sampler, (const uint8_t *)&word, 0, 0, rgba);
		for (unsigned int c = 0; c < 4; c++)
			out[c][lane] = rgba[c];
	}
}

/* Numbers instead of coordinates: which of the four. */
static void fetch_one(void *ctx, const v8i *x, const v8i *y, const v8i *z, unsigned int lanes, v8f out[4])
{
	one_by_one(&four[(*x)[0] + 2 * (*y)[0]], out);
}

static void compare_format(unsigned int format)
{
	struct texture_axis axis[3] = { [0].i[1] = (v8i){ 0 } + 1, [1].i[1] = (v8i){ 0 } + 1 };
	v8f got[4], want[4];

	sampler.format = (uint8_t)format;
	for (uint32_t v = 0; v < 0x10000; v += V3D_LANES) {
		const v8u low = v + (v8u){ 0, 1, 2, 3, 4, 5, 6, 7 };

		for (unsigned int k = 0; k < 4; k++)
			four[k] = low << 16 | (low ^ (k * 0x5a5a));
		for (unsigned int a = 0; a < 2; a++)
			for (unsigned int lane = 0; lane < V3D_LANES; lane++)
				axis[a].weight[lane] = random_word() & 3 ? (float)random_in(0, 1) : 0;
		v3d_texels_unorm(&sampler, &four[0], got);
		one_by_one(&four[0], want);
		assert_memory_equal(got, want, sizeof(want));
		v3d_texels_linear(&sampler, four, &axis[0].weight, &axis[1].weight, got);
		texture_slice(fetch_one, NULL, axis, 0, 0xff, want);
		assert_memory_equal(got, want, sizeof(want));
	}
}

static void test_unorm(void **unused)
{
	unsigned int formats_tried = 0, bytes, block;

	random_seed();
	for (unsigned int format = 0; format < 128; format++) {
		sampler.format = (uint8_t)format;
		if (!v3d_texel_format(format, &bytes, &block) || !v3d_texel_is_unorm(&sampler))
			continue;
		compare_format(format);
		formats_tried++;
	}
	assert_true(formats_tried > 10);
}

#define TESTS(T) T(test_blocks) T(test_unorm)

UNIT_MAIN(TESTS, NULL)
