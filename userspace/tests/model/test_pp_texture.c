// SPDX-License-Identifier: MIT
/*
 * PP textures against straightforward references in double precision: every
 * format, layout, wrap mode, filter, mip level choice, cube faces and 3D.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <cmocka.h>

#include "pp_fake.h"

#define MAX_DIM 64

/* Channel c of a format: bits [shift, shift + width); width 0: `constant`. */
struct channel {
	unsigned int shift, width;
	double constant;
};

struct format {
	const char *name;
	unsigned int code, bytes;
	bool half;
	struct channel c[4];
};

#define K(v)	{ 0, 0, v }
#define LUM(w)	{ { 0, w, 0 }, { 0, w, 0 }, { 0, w, 0 }, K(1) }
#define ALP(w)	{ K(0), K(0), K(0), { 0, w, 0 } }
#define INT(w)	{ { 0, w, 0 }, { 0, w, 0 }, { 0, w, 0 }, { 0, w, 0 } }
#define LA(w)	{ { 0, w, 0 }, { 0, w, 0 }, { 0, w, 0 }, { w, w, 0 } }

static const struct format formats[] = {
	{ "L8", 0x09, 1, false, LUM(8) },
	{ "A8", 0x0a, 1, false, ALP(8) },
	{ "I8", 0x0b, 1, false, INT(8) },
	{ "B5G6R5", 0x0e, 2, false, { { 11, 5, 0 }, { 5, 6, 0 }, { 0, 5, 0 }, K(1) } },
	{ "B5G5R5A1", 0x0f, 2, false, { { 10, 5, 0 }, { 5, 5, 0 }, { 0, 5, 0 }, { 15, 1, 0 } } },
	{ "B4G4R4A4", 0x10, 2, false, { { 8, 4, 0 }, { 4, 4, 0 }, { 0, 4, 0 }, { 12, 4, 0 } } },
	{ "L8A8", 0x11, 2, false, LA(8) },
	{ "L16", 0x12, 2, false, LUM(16) },
	{ "A16", 0x13, 2, false, ALP(16) },
	{ "I16", 0x14, 2, false, INT(16) },
	{ "B8G8R8", 0x15, 3, false, { { 16, 8, 0 }, { 8, 8, 0 }, { 0, 8, 0 }, K(1) } },
	{ "B8G8R8A8", 0x16, 4, false, { { 16, 8, 0 }, { 8, 8, 0 }, { 0, 8, 0 }, { 24, 8, 0 } } },
	{ "B8G8R8X8", 0x17, 4, false, { { 16, 8, 0 }, { 8, 8, 0 }, { 0, 8, 0 }, K(1) } },
	{ "L16F", 0x22, 2, true, LUM(16) },
	{ "A16F", 0x23, 2, true, ALP(16) },
	{ "I16F", 0x24, 2, true, INT(16) },
	{ "L16A16F", 0x25, 4, true, LA(16) },
	{ "B16G16R16A16F", 0x26, 8, true,
	  { { 32, 16, 0 }, { 16, 16, 0 }, { 0, 16, 0 }, { 48, 16, 0 } } },
	{ "Z24X8", 0x2c, 4, false, LUM(24) },
	{ "B16G16R16F", 0x2f, 6, true, { { 32, 16, 0 }, { 16, 16, 0 }, { 0, 16, 0 }, K(1) } },
	{ "Z24S8 reload", 0x32, 4, false, { { 0, 8, 0 }, { 8, 8, 0 }, { 16, 8, 0 }, { 24, 8, 0 } } },
};

/* The value of IEEE half bits. */
static double half_value(unsigned int h)
{
	int e = h >> 10 & 31;
	double m = h & 1023, v = e ? ldexp(1024 + m, e - 25) : ldexp(m, -24);

	return h & 0x8000 ? -v : v;
}

/* A texture in guest memory, and as its values. */
struct texture {
	uint32_t desc[TEX_DESC_WORDS_FOR(TEX_MAX_LEVELS)];
	unsigned int w, h, d, levels;
	double (*texel)[4];		/* [level][z][y][x] */
	unsigned int first[TEX_MAX_LEVELS];
};

static unsigned int minify(unsigned int v, unsigned int level)
{
	return v >> level ? v >> level : 1;
}

static double *texel_of(const struct texture *t, unsigned int level, int x, int y, int z)
{
	return t->texel[t->first[level] + (z * minify(t->h, level) + y) * minify(t->w, level) + x];
}

static void descriptor(struct texture *t, const struct format *f, bool tiled, bool swap)
{
	memset(t->desc, 0, sizeof(t->desc));
	utgard_set(t->desc, TEX_FORMAT, f->code);
	utgard_set(t->desc, TEX_SWAP_RB, swap);
	utgard_set(t->desc, TEX_DIM, TEX_DIM_2D);
	utgard_set(t->desc, TEX_WIDTH, t->w);
	utgard_set(t->desc, TEX_HEIGHT, t->h);
	utgard_set(t->desc, TEX_DEPTH, t->d);
	utgard_set(t->desc, TEX_LAYOUT, tiled ? TEX_LAYOUT_TILED : TEX_LAYOUT_LINEAR);
	utgard_set(t->desc, TEX_MIN_NEAREST, 1);
	utgard_set(t->desc, TEX_MAG_NEAREST, 1);
}

/* Random texels for all levels; slices may also be cube faces (same size in all levels). */
static void fill(struct fake *f, struct texture *t, const struct format *fmt, bool tiled, bool swap,
		 bool faces, uint64_t *seed)
{
	uint32_t va = FAKE_VA;
	unsigned int l, x, y, z, c, total = 0;

	t->texel = calloc(6 * 2 * MAX_DIM * MAX_DIM, sizeof(*t->texel));
	descriptor(t, fmt, tiled, swap);
	for (l = 0; l < t->levels; l++) {
		unsigned int w = minify(t->w, l), h = minify(t->h, l);
		unsigned int d = faces ? 6 : minify(t->d, l);
		unsigned int aw = (w + 15) & ~15u, ah = (h + 15) & ~15u;

		t->first[l] = total;
		total += w * h * d;
		for (z = 0; z < d; z++)
			for (y = 0; y < h; y++)
				for (x = 0; x < w; x++) {
					uint64_t raw = rnd(seed) | (uint64_t)rnd(seed) << 32;
					double *v = texel_of(t, l, x, y, z), s;
					uint32_t at = (z * ah + y) * aw + x;

					if (fmt->half)	/* finite */
						raw &= 0xbbffbbffbbffbbffull;
					if (tiled)
						at = z * aw * ah + (y / 16 * (aw / 16) + x / 16) * 256 +
						     utgard_tile_index(x % 16, y % 16);
					memcpy(f->mem + (va - FAKE_VA) + at * fmt->bytes, &raw, fmt->bytes);
					for (c = 0; c < 4; c++) {
						const struct channel *ch = &fmt->c[c];
						uint64_t bits = ch->width ? raw >> ch->shift &
								((1ull << ch->width) - 1) : 0;

						v[c] = !ch->width ? ch->constant : fmt->half ?
						       half_value(bits) :
						       bits / ((double)(1ull << ch->width) - 1);
					}
					if (swap) {
						s = v[0];
						v[0] = v[2];
						v[2] = s;
					}
				}
		utgard_tex_set_level(t->desc, l, va >> TEX_LEVEL_SHIFT);
		va += (aw * ah * d * fmt->bytes + 63) & ~63u;
	}
	if (!tiled) {
		utgard_set(t->desc, TEX_HAS_STRIDE, 1);
		utgard_set(t->desc, TEX_STRIDE, ((t->w + 15) & ~15u) * fmt->bytes);
	}
	assert_true(va - FAKE_VA < FAKE_SIZE);
}

static void sample(struct fake *f, const struct texture *t, const double coord[3],
		   enum pp_lod_mode mode, double lod, float out[4])
{
	struct pp_texture tex;
	v8f c[3], rgba[4], l = { 0 };
	unsigned int i;

	pp_texture_decode(f->pp, 0x1000, t->desc, &tex);
	for (i = 0; i < 3; i++)
		c[i] = (v8f){ 0 } + (float)coord[i];
	l += (float)lod;
	pp_texture_sample(f->pp, &tex, c, mode, &l, 1, rgba);
	assert_false(f->pp->fault);
	for (i = 0; i < 4; i++)
		out[i] = rgba[i][0];
}

static void check(const char *what, const float got[4], const double want[4], double eps)
{
	unsigned int c;

	for (c = 0; c < 4; c++)
		if (!(fabs(got[c] - want[c]) <= eps * (1 + fabs(want[c]))))
			fail_msg("%s: channel %u is %.9g, not %.9g", what, c, got[c], want[c]);
}

/* Every texel of every format in both layouts, with red and blue swapped or not. */
static void test_formats(void **state)
{
	struct fake f;
	uint64_t seed = test_seed();
	unsigned int i, variant;

	printf("seed %llu\n", (unsigned long long)seed);
	fake_init(&f);
	for (i = 0; i < sizeof(formats) / sizeof(*formats); i++)
		for (variant = 0; variant < 4; variant++) {
			struct texture t = { .w = 35, .h = 21, .d = 1, .levels = 1 };
			unsigned int x, y;
			char what[80];
			float got[4];

			fill(&f, &t, &formats[i], variant & 1, variant & 2, false, &seed);
			for (y = 0; y < t.h; y++)
				for (x = 0; x < t.w; x++) {
					double c[3] = { (x + 0.5) / t.w, (y + 0.5) / t.h, 0 };

					sample(&f, &t, c, PP_LOD_AUTO, 0, got);
					snprintf(what, sizeof(what), "%s variant %u texel %u %u",
						 formats[i].name, variant, x, y);
					check(what, got, texel_of(&t, 0, x, y, 0), 1e-6);
				}
			free(t.texel);
		}
	fake_free(&f);
}

/* 16x16 blocks: each place once, and x within a quad of 2x2 stays within 4 places. */
static void test_tile_index(void **state)
{
	bool seen[256] = { false };
	unsigned int x, y;

	for (y = 0; y < 16; y++)
		for (x = 0; x < 16; x++) {
			unsigned int i = utgard_tile_index(x, y);

			assert_in_range(i, 0, 255);
			assert_false(seen[i]);
			seen[i] = true;
			assert_int_equal(i / 4, utgard_tile_index(x & ~1u, y & ~1u) / 4);
			assert_int_equal(i / 64, utgard_tile_index(x & ~7u, y & ~7u) / 64);
		}
	/* Known from images that hardware and Mesa agree on: the first places' order. */
	assert_int_equal(utgard_tile_index(0, 0), 0);
	assert_int_equal(utgard_tile_index(1, 0), 1);
	assert_int_equal(utgard_tile_index(1, 1), 2);
	assert_int_equal(utgard_tile_index(0, 1), 3);
	assert_int_equal(utgard_tile_index(0, 15), 0xff);
}

/* --- Wrapping and filtering ----------------------------------------------- */

/* Index of texel i on an axis, -1: border. Straight from the specifications' formulas. */
static int ref_wrap(unsigned int mode, int i, int n)
{
	int m;

	switch (mode) {
	case TEX_WRAP_REPEAT:
		return ((i % n) + n) % n;
	case TEX_WRAP_MIRROR_REPEAT:
		m = ((i % (2 * n)) + 2 * n) % (2 * n);
		return m < n ? m : 2 * n - 1 - m;
	case TEX_WRAP_CLAMP_TO_EDGE:
		return i < 0 ? 0 : i >= n ? n - 1 : i;
	case TEX_WRAP_MIRROR_CLAMP_TO_EDGE:
		i = i < 0 ? -1 - i : i;
		return i >= n ? n - 1 : i;
	case TEX_WRAP_CLAMP_TO_BORDER:
		return i < 0 || i >= n ? -1 : i;
	case TEX_WRAP_MIRROR_CLAMP_TO_BORDER:
		i = i < 0 ? -1 - i : i;
		return i >= n ? -1 : i;
	}
	return -2;
}

/* GL_CLAMP and its mirror move the coordinate into [0, 1] first. */
static double ref_coord(unsigned int *mode, double s, bool linear)
{
	if (*mode == TEX_WRAP_CLAMP) {
		*mode = linear ? TEX_WRAP_CLAMP_TO_BORDER : TEX_WRAP_CLAMP_TO_EDGE;
		return s < 0 ? 0 : s > 1 ? 1 : s;
	}
	if (*mode == TEX_WRAP_MIRROR_CLAMP) {
		*mode = linear ? TEX_WRAP_MIRROR_CLAMP_TO_BORDER : TEX_WRAP_MIRROR_CLAMP_TO_EDGE;
		s = fabs(s);
		return s > 1 ? 1 : s;
	}
	return s;
}

static const double border[4] = { 0.25, 0.5, 0.75, 1.0 };

static void ref_sample(const struct texture *t, unsigned int level, const unsigned int wrap[3],
		       const double coord[3], bool linear, unsigned int axes, int face,
		       double out[4])
{
	int size[3] = { minify(t->w, level), minify(t->h, level), minify(t->d, level) };
	int i[3][2] = { { 0, 0 }, { 0, 0 }, { face, face } };
	double weight[3] = { 0, 0, 0 };
	unsigned int a, k, c;

	for (a = 0; a < axes; a++) {
		unsigned int mode = wrap[a];
		double u = ref_coord(&mode, coord[a], linear) * size[a] - (linear ? 0.5 : 0);
		int f = (int)floor(u);

		weight[a] = linear ? u - f : 0;
		i[a][0] = ref_wrap(mode, f, size[a]);
		i[a][1] = ref_wrap(mode, f + 1, size[a]);
	}
	memset(out, 0, 4 * sizeof(*out));
	for (k = 0; k < 8; k++) {
		int x = i[0][k & 1], y = i[1][k >> 1 & 1], z = i[2][k >> 2];
		double w = (k & 1 ? weight[0] : 1 - weight[0]) *
			   (k & 2 ? weight[1] : 1 - weight[1]) * (k & 4 ? weight[2] : 1 - weight[2]);
		const double *v = x < 0 || y < 0 || z < 0 ? border : texel_of(t, level, x, y, z);

		for (c = 0; c < 4; c++)
			out[c] += w ? w * v[c] : 0;
	}
}

static void set_border(struct texture *t)
{
	utgard_set(t->desc, TEX_BORDER_RED, lround(border[0] * 65535));
	utgard_set(t->desc, TEX_BORDER_GREEN, lround(border[1] * 65535));
	utgard_set(t->desc, TEX_BORDER_BLUE, lround(border[2] * 65535));
	utgard_set(t->desc, TEX_BORDER_ALPHA, lround(border[3] * 65535));
}

/* Random coordinates far beyond the edges, not too near to where nearest changes its mind. */
static void random_coord(uint64_t *seed, const struct texture *t, double c[3])
{
	unsigned int size[3] = { t->w, t->h, t->d }, a;
	double u;

	for (a = 0; a < 3; a++)
		do {
			c[a] = (float)rnd_in(seed, -2.7, 3.7);
			u = c[a] * size[a];
		} while (fabs(u - round(u)) < 1e-3 || fabs(u - floor(u) - 0.5) < 1e-3);
}

static void wrap_case(struct fake *f, struct texture *t, const unsigned int wrap[3], bool linear,
		      unsigned int axes, bool unnorm, uint64_t *seed)
{
	unsigned int n;
	char what[80];

	utgard_set(t->desc, TEX_WRAP_S, wrap[0]);
	utgard_set(t->desc, TEX_WRAP_T, wrap[1]);
	utgard_set(t->desc, TEX_WRAP_R, wrap[2]);
	utgard_set(t->desc, TEX_MIN_NEAREST, !linear);
	utgard_set(t->desc, TEX_MAG_NEAREST, !linear);
	utgard_set(t->desc, TEX_UNNORM_COORDS, unnorm);
	for (n = 0; n < 60; n++) {
		double c[3], scaled[3], want[4];
		float got[4];

		random_coord(seed, t, c);
		ref_sample(t, 0, wrap, c, linear, axes, 0, want);
		scaled[0] = c[0] * (unnorm ? t->w : 1);
		scaled[1] = c[1] * (unnorm ? t->h : 1);
		scaled[2] = c[2] * (unnorm ? t->d : 1);
		sample(f, t, scaled, PP_LOD_AUTO, 0, got);
		snprintf(what, sizeof(what), "wrap %u %u %u %s at %.6f %.6f %.6f", wrap[0], wrap[1],
			 wrap[2], linear ? "linear" : "nearest", c[0], c[1], c[2]);
		check(what, got, want, 1e-4);
	}
}

static void test_wrap_2d(void **state)
{
	struct texture t = { .w = 20, .h = 9, .d = 1, .levels = 1 };
	struct fake f;
	uint64_t seed = test_seed();
	unsigned int s, r;

	fake_init(&f);
	fill(&f, &t, &formats[11], true, false, false, &seed);
	set_border(&t);
	for (s = 0; s < 8; s++)
		for (r = 0; r < 8; r++) {
			unsigned int wrap[3] = { s, r, 0 };

			wrap_case(&f, &t, wrap, false, 2, false, &seed);
			wrap_case(&f, &t, wrap, true, 2, false, &seed);
			wrap_case(&f, &t, wrap, false, 2, true, &seed);
			wrap_case(&f, &t, wrap, true, 2, true, &seed);
		}
	free(t.texel);
	fake_free(&f);
}

static void test_wrap_3d_1d(void **state)
{
	struct texture t = { .w = 8, .h = 6, .d = 5, .levels = 1 };
	struct texture line = { .w = 33, .h = 1, .d = 1, .levels = 1 };
	struct fake f;
	uint64_t seed = test_seed();
	unsigned int s;

	fake_init(&f);
	fill(&f, &t, &formats[11], true, false, false, &seed);
	set_border(&t);
	utgard_set(t.desc, TEX_DIM, TEX_DIM_3D);
	for (s = 0; s < 8; s++) {
		unsigned int wrap[3] = { 7 - s, (s + 3) % 8, s };

		wrap_case(&f, &t, wrap, false, 3, false, &seed);
		wrap_case(&f, &t, wrap, true, 3, false, &seed);
	}
	free(t.texel);
	fill(&f, &line, &formats[4], false, false, false, &seed);
	set_border(&line);
	utgard_set(line.desc, TEX_DIM, TEX_DIM_1D);
	for (s = 0; s < 8; s++) {
		unsigned int wrap[3] = { s, 0, 0 };

		wrap_case(&f, &line, wrap, false, 1, false, &seed);
		wrap_case(&f, &line, wrap, true, 1, false, &seed);
	}
	free(line.texel);
	fake_free(&f);
}

/* --- Levels of detail ------------------------------------------------------- */

/* What Mesa's lima_update_tex_desc() writes for a GL filter. */
static void gl_filter(struct texture *t, bool min_linear, bool mag_linear, bool mip, bool mip_linear)
{
	double max = mip ? t->levels - 1 : 0;
	int bias = 0;

	if (!min_linear)
		bias = !mag_linear && !mip_linear && max > 0 ? -1 : 8;
	utgard_set(t->desc, TEX_MIN_NEAREST, !min_linear);
	utgard_set(t->desc, TEX_MAG_NEAREST, !mag_linear);
	utgard_set(t->desc, TEX_MIPFILTER, mip_linear ? TEX_MIPFILTER_LINEAR : 0);
	utgard_set(t->desc, TEX_MIN_LOD, 0);
	utgard_set(t->desc, TEX_MAX_LOD, max * 16);
	utgard_set(t->desc, TEX_LOD_BIAS, bias);
}

/* OpenGL ES 2.0, 3.7.7 and 3.7.8 */
static void gl_sample(const struct texture *t, double lambda, bool min_linear, bool mag_linear,
		      bool mip, bool mip_linear, const double c[3], double out[4])
{
	unsigned int wrap[3] = { 0, 0, 0 }, d, k, q = t->levels - 1;
	double threshold = mag_linear && !min_linear && mip ? 0.5 : 0, other[4], f;

	if (lambda <= threshold || !mip) {
		ref_sample(t, 0, wrap, c, lambda <= threshold ? mag_linear : min_linear, 2, 0, out);
		return;
	}
	if (!mip_linear) {
		d = lambda <= 0.5 ? 0 : lambda > q + 0.5 ? q : (unsigned int)ceil(lambda + 0.5) - 1;
		ref_sample(t, d, wrap, c, min_linear, 2, 0, out);
		return;
	}
	d = lambda >= q ? q : floor(lambda);
	f = lambda >= q ? 0 : lambda - d;
	ref_sample(t, d, wrap, c, min_linear, 2, 0, out);
	ref_sample(t, d < q ? d + 1 : d, wrap, c, min_linear, 2, 0, other);
	for (k = 0; k < 4; k++)
		out[k] += f * (other[k] - out[k]);
}

static bool near_step(const struct texture *t, const double c[3], double lambda)
{
	unsigned int l;

	for (l = 0; l < t->levels; l++) {
		double u = c[0] * minify(t->w, l), v = c[1] * minify(t->h, l);

		if (fabs(u - round(u)) < 1e-2 || fabs(v - round(v)) < 1e-2)
			return true;
	}
	/* The choice between levels, and between filters. */
	return fabs(lambda * 2 - round(lambda * 2)) < 1e-2;
}

static void test_mipmaps(void **state)
{
	struct texture t = { .w = 64, .h = 32, .d = 1, .levels = 7 };
	struct fake f;
	uint64_t seed = test_seed();
	unsigned int mode, n;
	char what[80];

	fake_init(&f);
	fill(&f, &t, &formats[11], true, false, false, &seed);
	for (mode = 0; mode < 12; mode++) {
		bool min_linear = mode & 1, mag_linear = mode & 2, mip = mode >= 4;
		bool mip_linear = mode >= 8;

		gl_filter(&t, min_linear, mag_linear, mip, mip_linear);
		for (n = 0; n < 400; n++) {
			double c[3] = { rnd_in(&seed, 0, 1), rnd_in(&seed, 0, 1), 0 }, want[4];
			double lambda = rnd_in(&seed, -2, 8);
			float got[4];

			if (near_step(&t, c, lambda))
				continue;
			c[0] = (float)c[0];
			c[1] = (float)c[1];
			gl_sample(&t, lambda, min_linear, mag_linear, mip, mip_linear, c, want);
			sample(&f, &t, c, PP_LOD_EXPLICIT, lambda, got);
			snprintf(what, sizeof(what), "mode %u lambda %.4f at %.5f %.5f", mode, lambda,
				 c[0], c[1]);
			check(what, got, want, 2e-4);
		}
	}
	free(t.texel);
	fake_free(&f);
}

/* LOD from a quad: the sampled level follows the texels that a pixel steps over. */
static void test_derivatives(void **state)
{
	struct texture t = { .w = 64, .h = 64, .d = 1, .levels = 7 };
	struct pp_texture tex;
	struct fake f;
	uint64_t seed = test_seed();
	unsigned int step, axis, i, c;

	fake_init(&f);
	fill(&f, &t, &formats[11], true, false, false, &seed);
	gl_filter(&t, false, false, true, false);
	pp_texture_decode(f.pp, 0x1000, t.desc, &tex);
	for (step = 0; step < 7; step++)
		for (axis = 0; axis < 4; axis++) {
			/* Texture axis, and screen axis along which it runs. */
			double delta = (1 << step) / 64.0, base = 0.4 / 64;
			v8f coord[3] = { (v8f){ 0 } + 0.3f / 64, (v8f){ 0 } + 0.3f / 64, { 0 } };
			v8f rgba[4];

			for (i = 0; i < 8; i++) {
				unsigned int px = (i & 1) | (i >> 2) << 1, py = i >> 1 & 1;

				coord[axis & 1][i] = base + delta * (axis & 2 ? px : py);
			}
			pp_texture_sample(f.pp, &tex, coord, PP_LOD_AUTO, &(v8f){ 0 }, 0xff, rgba);
			for (i = 0; i < 8; i++) {
				double at[3] = { coord[0][i], coord[1][i], 0 }, want[4];
				unsigned int wrap[3] = { 0, 0, 0 };
				float got[4];

				for (c = 0; c < 4; c++)
					got[c] = rgba[c][i];
				ref_sample(&t, step, wrap, at, false, 2, 0, want);
				check("derivative", got, want, 1e-5);
			}
		}
	free(t.texel);
	fake_free(&f);
}

/* --- Cube maps ---------------------------------------------------------------- */

static void test_cube(void **state)
{
	struct texture t = { .w = 16, .h = 16, .d = 1, .levels = 1 };
	struct fake f;
	uint64_t seed = test_seed();
	unsigned int n;
	char what[80];

	fake_init(&f);
	fill(&f, &t, &formats[11], true, false, true, &seed);
	utgard_set(t.desc, TEX_CUBE_MAP, 1);
	utgard_set(t.desc, TEX_DIM, TEX_DIM_3D);
	utgard_set(t.desc, TEX_WRAP_S, TEX_WRAP_CLAMP_TO_EDGE);
	utgard_set(t.desc, TEX_WRAP_T, TEX_WRAP_CLAMP_TO_EDGE);
	for (n = 0; n < 3000; n++) {
		/* OpenGL ES 2.0, table 3.10: major axis, sc, tc as (sign, component) */
		static const int table[6][2][2] = {
			{ { -1, 2 }, { -1, 1 } }, { { 1, 2 }, { -1, 1 } }, { { 1, 0 }, { 1, 2 } },
			{ { 1, 0 }, { -1, 2 } }, { { 1, 0 }, { -1, 1 } }, { { -1, 0 }, { -1, 1 } },
		};
		unsigned int wrap[3] = { 1, 1, 1 }, a, m = 0, face;
		double dir[3], st[3] = { 0, 0, 0 }, want[4], u;
		bool bad = false;
		float got[4];

		for (a = 0; a < 3; a++)
			dir[a] = (float)rnd_in(&seed, -3, 3);
		for (a = 1; a < 3; a++)
			if (fabs(dir[a]) > fabs(dir[m]))
				m = a;
		face = 2 * m + (dir[m] < 0);
		for (a = 0; a < 2; a++) {
			st[a] = (table[face][a][0] * dir[table[face][a][1]] / fabs(dir[m]) + 1) / 2;
			u = st[a] * 16;
			bad |= fabs(u - round(u)) < 1e-3;
		}
		if (bad)
			continue;
		ref_sample(&t, 0, wrap, st, false, 2, face, want);
		sample(&f, &t, dir, PP_LOD_AUTO, 0, got);
		snprintf(what, sizeof(what), "face %u at %.5f %.5f", face, st[0], st[1]);
		check(what, got, want, 1e-5);
	}
	free(t.texel);
	fake_free(&f);
}

/* --- ETC1 ----------------------------------------------------------------------- */

/* Blocks of one colour and of known modifiers, in both modes and orientations. */
static void test_etc1(void **state)
{
	/* Individual: 4-bit colours 0x8 and 0xf of red, 0 green, 0x4 blue; tables 0 and 7; not flipped. */
	static const uint8_t individual[8] = { 0x8f, 0x00, 0x44, 0x1c, 0xff, 0x00, 0xff, 0x00 };
	/* Differential, flipped: red 16 + -4, green 8 + 3, blue 31 + 0; tables 2 and 2. */
	static const uint8_t differential[8] = { 0x84, 0x43, 0xf8, 0x4b, 0x00, 0x00, 0xff, 0xff };
	float out[4];
	unsigned int x, y;

	for (y = 0; y < 4; y++)
		for (x = 0; x < 4; x++) {
			/* Selector bits: column by column; high half 0xff00: columns 2, 3 negative. */
			int delta = x < 2 ? 2 : -183;

			/* msb word 0xff00: bits 8-15 set = columns 2, 3; lsb the same. */
			pp_texel_decode(TEX_FORMAT_ETC1, false, individual, x, y, out);
			delta = x < 2 ? 2 : -183;
			assert_int_equal(lround(out[0] * 255), (x < 2 ? 0x88 : 0xff) + delta < 0 ? 0 :
					 (x < 2 ? 0x88 : 0xff) + delta);
			assert_int_equal(lround(out[1] * 255), delta < 0 ? 0 : delta);
			assert_int_equal(lround(out[2] * 255), 0x44 + delta < 0 ? 0 : 0x44 + delta);
			assert_true(out[3] == 1);

			/* lsb all set, msb clear: +29 everywhere. */
			pp_texel_decode(TEX_FORMAT_ETC1, false, differential, x, y, out);
			assert_int_equal(lround(out[0] * 255), (y < 2 ? 132 : 99) + 29);
			assert_int_equal(lround(out[1] * 255), (y < 2 ? 66 : 90) + 29);
			assert_int_equal(lround(out[2] * 255), 255);
		}
}

/* ETC1 in memory: 4x4 blocks, tiled 4x4 of them at a time. */
static void test_etc1_layout(void **state)
{
	struct fake f;
	struct texture t = { .w = 40, .h = 24, .d = 1, .levels = 1 };
	const struct format etc1 = { "ETC1", TEX_FORMAT_ETC1, 8, false, LUM(8) };
	unsigned int tiled, bx, by;

	fake_init(&f);
	for (tiled = 0; tiled < 2; tiled++) {
		descriptor(&t, &etc1, tiled, false);
		utgard_tex_set_level(t.desc, 0, FAKE_VA >> TEX_LEVEL_SHIFT);
		memset(f.mem, 0, 4096);
		for (by = 0; by < 6; by++)
			for (bx = 0; bx < 10; bx++) {
				/* 48 texels wide in memory: 12 blocks a row */
				unsigned int at = tiled ? (by / 4 * 3 + bx / 4) * 16 +
						  utgard_tile_index(bx % 4, by % 4) : by * 12 + bx;
				uint8_t block[8] = { bx << 4 | bx, by << 4 | by, 0, 0, 0, 0, 0, 0 };

				memcpy(f.mem + at * 8, block, 8);
			}
		for (by = 0; by < 6; by++)
			for (bx = 0; bx < 10; bx++) {
				double c[3] = { (bx * 4 + 2.5) / 40, (by * 4 + 1.5) / 24, 0 };
				float got[4];

				sample(&f, &t, c, PP_LOD_AUTO, 0, got);
				/* Table 0, selector 0: +2 */
				assert_int_equal(lround(got[0] * 255), bx * 17 + 2);
				assert_int_equal(lround(got[1] * 255), by * 17 + 2);
			}
	}
	fake_free(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_formats),
		cmocka_unit_test(test_tile_index),
		cmocka_unit_test(test_wrap_2d),
		cmocka_unit_test(test_wrap_3d_1d),
		cmocka_unit_test(test_mipmaps),
		cmocka_unit_test(test_derivatives),
		cmocka_unit_test(test_cube),
		cmocka_unit_test(test_etc1),
		cmocka_unit_test(test_etc1_layout),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
