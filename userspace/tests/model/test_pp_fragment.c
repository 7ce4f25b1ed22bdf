// SPDX-License-Identifier: MIT
/*
 * Depth, stencil, blending and 16-bit floats of the PP, one operation at a
 * time, against straightforward formulas.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <cmocka.h>

#include "pp_fake.h"

/* --- Depth and stencil ---------------------------------------------------- */

static bool ref_compare(unsigned int func, uint32_t a, uint32_t b)
{
	switch (func) {
	case RSW_NEVER:
		return false;
	case RSW_LESS:
		return a < b;
	case RSW_EQUAL:
		return a == b;
	case RSW_LEQUAL:
		return a <= b;
	case RSW_GREATER:
		return a > b;
	case RSW_NOTEQUAL:
		return a != b;
	case RSW_GEQUAL:
		return a >= b;
	}
	return true;
}

/* Counts what the written bits hold, between 0 and all of them set. */
static unsigned int ref_stencil(unsigned int op, unsigned int old, unsigned int ref, unsigned int write)
{
	unsigned int n = old & write;

	switch (op) {
	case RSW_STENCIL_REPLACE:
		return ref;
	case RSW_STENCIL_ZERO:
		return 0;
	case RSW_STENCIL_INVERT:
		return 255 - old;
	case RSW_STENCIL_INCR:
		return n == write ? n : n + 1;
	case RSW_STENCIL_DECR:
		return n == 0 ? 0 : n - 1;
	case RSW_STENCIL_INCR_WRAP:
		return n + 1;
	case RSW_STENCIL_DECR_WRAP:
		return n == 0 ? 255 : n - 1;
	}
	return old;
}

static uint32_t pick_depth(uint64_t *seed)
{
	static const uint32_t d[] = { 0, 1, 0x7fffff, 0x800000, 0xfffffe, 0xffffff };

	return rnd(seed) & 1 ? d[rnd(seed) % 6] : rnd(seed) & 0xffffff;
}

static unsigned int pick_stencil(uint64_t *seed)
{
	static const uint8_t s[] = { 0, 1, 127, 128, 254, 255 };

	return rnd(seed) & 1 ? s[rnd(seed) % 6] : rnd(seed) & 255;
}

/* One block with a random state; every lane against the reference. */
static void depth_stencil_case(struct fake *f, uint64_t *seed, unsigned int func,
			       unsigned int sfunc, unsigned int ops)
{
	struct pp_draw d = { .depth_func = func, .depth_write = rnd(seed) & 1 };
	bool front = rnd(seed) & 1, own_ref = rnd(seed) % 4 == 0;
	uint8_t lanes = rnd(seed), pass;
	v8u zs, z, old, ref;
	unsigned int i;

	for (i = 0; i < 2; i++) {
		struct pp_stencil *s = &d.stencil[i];

		/* The other side has everything else, so that a mix-up shows. */
		s->func = i == !front ? sfunc : (sfunc + 3) & 7;
		s->fail = i == !front ? ops & 7 : ~ops & 7;
		s->zfail = i == !front ? ops >> 3 & 7 : ~(ops >> 3) & 7;
		s->zpass = i == !front ? ops >> 6 & 7 : ~(ops >> 6) & 7;
		s->ref = pick_stencil(seed);
		s->mask = rnd(seed) & 1 ? 255 : rnd(seed);
		s->write = rnd(seed) & 1 ? 255 : rnd(seed);
	}
	d.stencil_test = true;
	for (i = 0; i < 8; i++) {
		old[i] = pick_depth(seed) | pick_stencil(seed) << 24;
		z[i] = rnd(seed) & 1 ? old[i] & 0xffffff : pick_depth(seed);
		ref[i] = pick_stencil(seed);
	}
	zs = old;
	pass = pp_depth_stencil(f->pp, &d, front, &zs, &z, own_ref ? &ref : NULL, lanes);
	for (i = 0; i < 8; i++) {
		const struct pp_stencil *s = &d.stencil[!front];
		unsigned int r = own_ref ? ref[i] : s->ref, stencil = old[i] >> 24, op, want;
		uint32_t depth = old[i] & 0xffffff;
		bool p = false;

		if (lanes >> i & 1) {
			if (!ref_compare(s->func, r & s->mask, stencil & s->mask)) {
				op = s->fail;
			} else if (!ref_compare(func, z[i], depth)) {
				op = s->zfail;
			} else {
				op = s->zpass;
				p = true;
			}
			want = ref_stencil(op, stencil, r, s->write);
			stencil = (want & s->write) | (stencil & ~s->write);
			if (p && d.depth_write)
				depth = z[i];
		}
		if (zs[i] != (depth | stencil << 24) || (pass >> i & 1) != p)
			fail_msg("depth %u stencil %u ops %03o lane %u: 0x%08x -> 0x%08x %u, not 0x%08x %u",
				 func, sfunc, ops, i, old[i], zs[i], pass >> i & 1,
				 depth | stencil << 24, p);
	}
}

static void test_depth_stencil(void **state)
{
	uint64_t seed = test_seed();
	unsigned int func, sfunc, ops;
	struct fake f;

	printf("seed %llu\n", (unsigned long long)seed);
	fake_init(&f);
	for (func = 0; func < 8; func++)
		for (sfunc = 0; sfunc < 8; sfunc++)
			for (ops = 0; ops < 512; ops++)
				depth_stencil_case(&f, &seed, func, sfunc, ops);
	fake_free(&f);
}

/* Without stencil, depth alone. */
static void test_depth_only(void **state)
{
	uint64_t seed = test_seed();
	unsigned int n, i;
	struct fake f;

	fake_init(&f);
	for (n = 0; n < 2000; n++) {
		struct pp_draw d = { .depth_func = n & 7, .depth_write = n >> 3 & 1 };
		uint8_t lanes = rnd(&seed), pass;
		v8u zs, z, old;

		for (i = 0; i < 8; i++) {
			old[i] = pick_depth(&seed) | pick_stencil(&seed) << 24;
			z[i] = rnd(&seed) & 1 ? old[i] & 0xffffff : pick_depth(&seed);
		}
		zs = old;
		pass = pp_depth_stencil(f.pp, &d, true, &zs, &z, NULL, lanes);
		for (i = 0; i < 8; i++) {
			bool p = (lanes >> i & 1) && ref_compare(n & 7, z[i], old[i] & 0xffffff);

			assert_int_equal(pass >> i & 1, p);
			assert_int_equal(zs[i], p && d.depth_write ?
					 (old[i] & 0xff000000) | z[i] : old[i]);
		}
	}
	fake_free(&f);
}

/* --- Blending --------------------------------------------------------------- */

static double clamp01(double v)
{
	return v < 0 ? 0 : v > 1 ? 1 : v;
}

/* GL's name of a factor's value, independent of the encoding's bit fields. */
static double ref_factor(unsigned int code, unsigned int c, const double s[4], const double s1[4],
			 const double d[4], const double k[4])
{
	switch (code) {
	case 0:		/* SRC_COLOR */
		return s[c];
	case 1:		/* DST_COLOR */
		return d[c];
	case 2:		/* CONST_COLOR */
		return k[c];
	case 3:		/* ZERO */
		return 0;
	case 4:		/* SRC_ALPHA_SATURATE */
		return c == 3 ? 1 : fmin(s[3], 1 - d[3]);
	case 5:		/* SRC1_COLOR */
		return s1[c];
	case 8:		/* INV_SRC_COLOR and so on */
		return 1 - s[c];
	case 9:
		return 1 - d[c];
	case 10:
		return 1 - k[c];
	case 11:	/* ONE */
		return 1;
	case 13:
		return 1 - s1[c];
	case 16:	/* SRC_ALPHA and so on */
		return s[3];
	case 17:
		return d[3];
	case 18:
		return k[3];
	case 21:
		return s1[3];
	case 24:
		return 1 - s[3];
	case 25:
		return 1 - d[3];
	case 26:
		return 1 - k[3];
	}
	return 1 - s1[3];	/* 29 */
}

static double ref_equation(unsigned int func, double s, double sf, double d, double df)
{
	switch (func) {
	case RSW_BLEND_SUBTRACT:
		return s * sf - d * df;
	case RSW_BLEND_REVERSE_SUBTRACT:
		return d * df - s * sf;
	case RSW_BLEND_ADD:
		return s * sf + d * df;
	case RSW_BLEND_MIN:
		return fmin(s * sf + d * df, d);
	}
	return fmax(s * sf + d * df, d);
}

static const uint8_t rgb_factors[] = { 0, 1, 2, 3, 4, 5, 8, 9, 10, 11, 13,
				       16, 17, 18, 21, 24, 25, 26, 29 };
static const uint8_t alpha_factors[] = { 0, 1, 2, 3, 4, 5, 8, 9, 10, 11, 13 };
static const uint8_t functions[] = { 0, 1, 2, 4, 5 };

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

static void blend_case(struct fake *f, uint64_t *seed, struct pp_draw *d, bool fp16)
{
	v8f src[4], src1[4];
	uint8_t lanes[PP_SAMPLES] = { rnd(seed), rnd(seed), rnd(seed), rnd(seed) };
	double range = fp16 ? 3 : 1.3, low = fp16 ? -2 : -0.2;
	struct pp_tile *t = f->pp->tile;
	v8u old[PP_SAMPLES];
	v8f fold[4];
	unsigned int i, c, s, b = rnd(seed) % PP_BLOCKS;
	double k[4];

	t->samples = fp16 || rnd(seed) & 1 ? 1 : 4;
	f->pp->frame[PP_FEATURES / 4] = fp16 ? 3 : 2;
	for (c = 0; c < 4; c++) {
		k[c] = rnd(seed) % 256 / 255.0;
		d->constant[c] = k[c];
		for (i = 0; i < 8; i++) {
			src[c][i] = rnd_in(seed, low, range);
			src1[c][i] = rnd_in(seed, low, range);
			fold[c][i] = half_to_float(half_from_float(rnd_in(seed, low, range)));
		}
		t->fcolor[b][c] = fold[c];
	}
	for (s = 0; s < PP_SAMPLES; s++) {
		for (i = 0; i < 8; i++)
			old[s][i] = rnd(seed);
		t->color[s][b] = old[s];
	}
	pp_blend(f->pp, d, b, src, src1, lanes);
	for (s = 0; s < t->samples; s++)
		for (i = 0; i < 8; i++) {
			double vs[4], vs1[4], vd[4];

			for (c = 0; c < 4; c++) {
				vs[c] = fp16 ? src[c][i] : clamp01(src[c][i]);
				vs1[c] = fp16 ? src1[c][i] : clamp01(src1[c][i]);
				vd[c] = fp16 ? fold[c][i] : (old[s][i] >> (8 * c) & 255) / 255.0;
			}
			for (c = 0; c < 4; c++) {
				bool alpha = c == 3, on = lanes[s] >> i & d->color_mask >> c & 1;
				double sf = ref_factor(alpha ? d->src_alpha : d->src_rgb, c, vs, vs1,
						       vd, k);
				double df = ref_factor(alpha ? d->dst_alpha : d->dst_rgb, c, vs, vs1,
						       vd, k);
				double want = ref_equation(alpha ? d->func_alpha : d->func_rgb,
							   vs[c], sf, vd[c], df), got;

				if (!on)
					want = vd[c];
				if (fp16) {
					got = t->fcolor[b][c][i];
					if (fabs(got - want) > (on ? 1e-3 : 0) * (1 + fabs(want)))
						fail_msg("fp16 channel %u: %g, not %g", c, got, want);
					continue;
				}
				got = t->color[s][b][i] >> (8 * c) & 255;
				want = clamp01(want) * 255;
				if (fabs(got - want) > (on ? 0.5001 : 1e-9))
					fail_msg("functions %u %u factors %u %u %u %u channel %u: %g, not %g",
						 d->func_rgb, d->func_alpha, d->src_rgb, d->dst_rgb,
						 d->src_alpha, d->dst_alpha, c, got, want);
			}
		}
}

static void test_blend(void **state)
{
	uint64_t seed = test_seed();
	unsigned int fn, sf, df, fp16;
	struct fake f;

	fake_init(&f);
	for (fp16 = 0; fp16 < 2; fp16++)
		for (fn = 0; fn < COUNT(functions); fn++)
			for (sf = 0; sf < COUNT(rgb_factors); sf++)
				for (df = 0; df < COUNT(rgb_factors); df++) {
					struct pp_draw d = {
						.blend = true,
						.func_rgb = functions[fn],
						.func_alpha = functions[rnd(&seed) % 5],
						.src_rgb = rgb_factors[sf],
						.dst_rgb = rgb_factors[df],
						.src_alpha = alpha_factors[sf % 11],
						.dst_alpha = alpha_factors[df % 11],
						.color_mask = rnd(&seed) & 1 ? 15 : rnd(&seed) & 15,
					};

					blend_case(&f, &seed, &d, fp16);
				}
	fake_free(&f);
}

/* Blending off must be the same as 1 * source + 0 * destination. */
static void test_opaque(void **state)
{
	uint64_t seed = test_seed();
	unsigned int mask, fp16;
	struct fake f;

	fake_init(&f);
	for (fp16 = 0; fp16 < 2; fp16++)
		for (mask = 0; mask < 16; mask++) {
			struct pp_draw d = {
				.func_rgb = 2, .func_alpha = 2, .src_rgb = 11, .dst_rgb = 3,
				.src_alpha = 11, .dst_alpha = 3, .color_mask = mask,
			};

			blend_case(&f, &seed, &d, fp16);
		}
	fake_free(&f);
}

/* What the state decoder makes of the word that Mesa writes for a blend. */
static void test_blend_decode(void **state)
{
	struct fake f;
	struct pp_draw *d;
	uint32_t rsw[RSW_WORDS] = {
		[RSW_BLEND_COLOR_BG] = 0x00800040, [RSW_BLEND_COLOR_RA] = 0x00ff0020,
		[RSW_ALPHA_BLEND] = RSW_BLEND_ADD | RSW_BLEND_REVERSE_SUBTRACT << 3 | 16 << 6 |
			24 << 11 | 11 << 16 | 8 << 20 | 0xcu << 24 | 0x7u << 28,
		[RSW_DEPTH_TEST] = 0xfe03u << 16 | 1 | 1 << 1 | 5 << 6,
		[RSW_SHADER_ADDRESS] = 0x1003,
	};

	fake_init(&f);
	memcpy(f.mem + 0x40, rsw, sizeof(rsw));
	d = pp_draw_get(f.pp, FAKE_VA + 0x40);
	assert_non_null(d);
	assert_int_equal(d->func_rgb, 2);
	assert_int_equal(d->func_alpha, 1);
	assert_int_equal(d->src_rgb, 16);
	assert_int_equal(d->dst_rgb, 24);
	assert_int_equal(d->src_alpha, 11);
	assert_int_equal(d->dst_alpha, 8);
	assert_int_equal(d->color_mask, 7);
	assert_true(d->blend);
	assert_true(fabsf(d->constant[0] - 32 / 255.0f) < 1e-6f);
	assert_true(fabsf(d->constant[1] - 128 / 255.0f) < 1e-6f);
	assert_true(fabsf(d->constant[2] - 64 / 255.0f) < 1e-6f);
	assert_true(d->constant[3] == 1);
	assert_true(d->depth_write);
	assert_int_equal(d->depth_func, RSW_LESS);
	assert_int_equal(d->depth_reg, 5);
	assert_true(d->offset_scale == 0.75 && d->offset_units == -1.0);
	fake_free(&f);
}

/* --- 16-bit floats -------------------------------------------------------------- */

static void test_half(void **state)
{
	uint64_t seed = test_seed();
	uint32_t h, n;

	for (h = 0; h < 0x10000; h++) {
		int e = h >> 10 & 31;
		double m = h & 1023, want = e ? ldexp(1024 + m, e - 25) : ldexp(m, -24);
		float got = half_to_float(h);

		if (e == 31)
			continue;
		assert_true(got == (h & 0x8000 ? -want : want));
		assert_int_equal(half_from_float(got), h);
	}
	/* The nearest, and of two equally near the even one. */
	for (n = 0; n < 200000; n++) {
		float v = ldexp(rnd_in(&seed, 0.5, 1), (int)(rnd(&seed) % 40) - 26);
		uint16_t got = half_from_float(v);
		double d = fabs(half_to_float(got) - (double)v);

		if (v >= 65520) {
			assert_int_equal(got, 0x7c00);
			continue;
		}
		assert_true(got == 0 || d <= fabs(half_to_float(got - 1) - (double)v));
		assert_true(got >= 0x7bff || d <= fabs(half_to_float(got + 1) - (double)v));
	}
	assert_int_equal(half_from_float(1 + 0x1p-11f), 0x3c00);
	assert_int_equal(half_from_float(1 + 3 * 0x1p-11f), 0x3c02);
	assert_int_equal(half_from_float(-65519), 0xfbff);
	assert_int_equal(half_from_float(INFINITY), 0x7c00);
	assert_true(isnan(half_to_float(half_from_float(NAN))));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_depth_stencil),
		cmocka_unit_test(test_depth_only),
		cmocka_unit_test(test_blend),
		cmocka_unit_test(test_opaque),
		cmocka_unit_test(test_blend_decode),
		cmocka_unit_test(test_half),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
