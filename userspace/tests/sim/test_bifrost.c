// SPDX-License-Identifier: MIT
/* Bifrost ops against the sentences of Mesa's Notes.txt in double precision, and the reductions' bounds. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "isa/float_bits.h"
#include "sim/bifrost.h"
#include "tests/sim/tested.h"

static float flt(uint32_t x)
{
	float f;

	memcpy(&f, &x, 4);
	return f;
}

static uint64_t seed;

static uint32_t rnd(void)
{
	seed = seed * 6364136223846793005ull + 1442695040888963407ull;
	return seed >> 32;
}

static int setup(void **state)
{
	const char *s = getenv("LIMN_TEST_SEED");

	seed = s ? strtoull(s, NULL, 0) : 1;
	printf("seed %llu\n", (unsigned long long)seed);
	return 0;
}

/* Every exponent with many fractions, both signs, denormals among them. */
#define FOR_ALL(x) \
	for (uint32_t e_ = 0; e_ < 256; e_++) \
		for (uint32_t n_ = 0, x = e_ << 23; n_ < 2000; n_++, \
		     x = e_ << 23 | (n_ < 4 ? 0x3fffff + n_ : n_ == 4 ? 0x7fffff : rnd() & 0x7fffff) | \
			 rnd() << 31)

static bool is_special(uint32_t x)
{
	return flt(x) == 0 || !isfinite(flt(x));
}

static void test_mantissas(void **state)
{
	FOR_ALL(x) {
		double v = flt(x), m;
		int e;

		if (is_special(x)) {
			assert_int_equal(bifrost_frcp_frexpm(x), x);
			assert_int_equal(bifrost_fsqrt_frexpm(x), x);
			assert_int_equal(bifrost_log_frexpm(x), x);
			continue;
		}
		m = frexp(v, &e) * 2;		/* m * 2^e, |m| in [1, 2) */
		e--;
		assert_true(flt(bifrost_frcp_frexpm(x)) == m / 2);
		assert_true(flt(bifrost_fsqrt_frexpm(x)) == (e % 2 ? m / 2 : m / 4));
		assert_true(flt(bifrost_log_frexpm(x)) == (fabs(m) >= 1.5 ? m / 2 : m));
		assert_true(flt(bifrost_log_frexpm(x)) * exp2(bifrost_flog_frexpe(x)) == v);
	}
}

static void test_exponents(void **state)
{
	FOR_ALL(x) {
		int e;

		if (is_special(x)) {
			assert_int_equal(bifrost_frcp_frexpe(x), 0);
			assert_int_equal(bifrost_fsqrt_frexpe(x), 0);
			assert_int_equal(bifrost_frsq_frexpe(x), 0);
			assert_int_equal(bifrost_flog_frexpe(x), 0);
			continue;
		}
		frexp(flt(x), &e);
		e--;
		assert_int_equal(bifrost_frcp_frexpe(x), -e - 1);
		assert_int_equal(bifrost_fsqrt_frexpe(x), (int)floor(e / 2.0) + 1);
		assert_int_equal(bifrost_frsq_frexpe(x), -(int)floor(e / 2.0) - 1);
	}
}

static void test_tables(void **state)
{
	FOR_ALL(x) {
		double m, r;
		int e;

		if (is_special(x)) {
			assert_int_equal(bifrost_frcp_approx(x), as_bits(1));
			continue;
		}
		m = fabs(frexp(flt(x), &e)) * 2;
		r = fabs(flt(bifrost_frcp_table(x)));
		assert_true(signbit(flt(bifrost_frcp_table(x))) == signbit(flt(x)));
		assert_true(fabs(r * m / 2 - 1) < 0x1p-16);
		r = flt(bifrost_frcp_approx(x));
		assert_int_equal(as_bits(r) & 0x7ffff, 0);		/* five significant bits */
		assert_true(fabs(r * fabs(flt(bifrost_log_frexpm(x))) - 1) < 1 / 11.0);
		if (flt(x) > 0)
			assert_true(fabs(flt(bifrost_frsq_table(x)) *
					 sqrt(flt(bifrost_fsqrt_frexpm(x))) - 1) < 0x1p-16);
	}
	assert_int_equal(bifrost_frcp_table(as_bits(0)), as_bits(INFINITY));
	assert_int_equal(bifrost_frcp_table(as_bits(-0.0f)), as_bits(-INFINITY));
	assert_int_equal(bifrost_frcp_table(as_bits(-INFINITY)), as_bits(-0.0f));
	assert_true(isnan(flt(bifrost_frcp_table(0x7fc12345))));
	assert_true(isnan(flt(bifrost_frsq_table(as_bits(-1)))));
	assert_int_equal(bifrost_frsq_table(as_bits(INFINITY)), 0);
}

/* The three scenarios of the notes, against 64-bit arithmetic. */
static void test_lshift_add(void **state)
{
	unsigned int n;

	for (n = 0; n < 200000; n++) {
		uint64_t a = (uint64_t)rnd() << 32 | rnd(), b = (uint64_t)rnd() << 32 | rnd(), want;
		unsigned int shift = n & 7, lo, hi, mode;
		struct bifrost_carry carry;

		if (n & 8)
			a |= 0xffffffff;
		for (mode = 0; mode < 3; mode++) {
			uint64_t wide = mode == BIFROST_I64 ? b : mode == BIFROST_U32 ? (uint32_t)b :
					(uint64_t)(int64_t)(int32_t)b;

			want = a + (wide << shift);
			lo = bifrost_lshift_add_low32(mode, a, b, shift, &carry);
			/* The second source means something with .i64 only. */
			hi = bifrost_lshift_add_high32(a >> 32, mode ? rnd() : b >> 32, &carry);
			assert_int_equal(lo, (uint32_t)want);
			assert_int_equal(hi, want >> 32);
		}
	}
}

static void test_the_rest(void **state)
{
	uint32_t h, i;

	for (h = 0; h < 0x10000; h++) {
		uint32_t f = bifrost_f16_to_f32_x(h | rnd() << 16);
		int e = h >> 10 & 31;

		if (e < 31) {
			double v = e ? ldexp(1024 + (h & 1023), e - 25) : ldexp(h & 1023, -24);
			double r = 1 / (h & 0x8000 ? -v : v);
			uint16_t q = bifrost_frcp_fast_f16(h);

			assert_true(flt(f) == (h & 0x8000 ? -v : v));
			/* No other half is nearer to the quotient. */
			if (fabs(r) < 65520)
				for (i = q - 1; i != q + 3u; i += 2) {
					double other = flt(bifrost_f16_to_f32_x(i & 0xffff));

					if ((q & 0x7fff) && isfinite(other))
						assert_true(fabs(flt(bifrost_f16_to_f32_x(q)) - r) <=
							    fabs(other - r));
				}
			else
				assert_int_equal(q & 0x7fff, 0x7c00);
		} else {
			assert_int_equal(f, (h & 0x8000) << 16 | 0x7f800000 | (h & 1023) << 13);
		}
		assert_int_equal(f, bifrost_f16_to_f32_y(h << 16 | (rnd() & 0xffff)));
	}
	for (i = 0; i < 10000; i++) {
		uint32_t a = rnd(), b = rnd(), c = rnd(), want = 0, k;

		for (k = 0; k < 32; k++)
			want |= (c >> k & 1 ? a >> k & 1 : b >> k & 1) << k;
		assert_int_equal(bifrost_mux(a, b, c), want);
		assert_int_equal(bifrost_mov(a), a);
	}
	assert_int_equal(bifrost_frcp_fast(as_bits(3)), as_bits(1 / 3.0f));
	assert_int_equal(bifrost_frcp_fast(as_bits(-0.0f)), as_bits(-INFINITY));
}

static uint32_t stored_at[3];

static void varying_address(void *ctx, unsigned int format, const uint32_t src[3], uint32_t out[3])
{
	out[0] = 0x1000 + 16 * src[0] + src[2];
	out[1] = src[1];
	out[2] = format;
}

static void varying_store(void *ctx, const uint32_t src[3], unsigned int count, const uint32_t data[4])
{
	memcpy(stored_at, src, sizeof(stored_at));
	assert_int_equal(count, 3);
	assert_int_equal(data[2], 77);
}

/* LD_VAR_ADDR hands ST_VAR its three arguments. */
static void test_varying_address(void **state)
{
	const struct bifrost_env env = { .address = varying_address, .store = varying_store };
	struct bifrost_lane l = { .src = { 5, 6, 7 } };

	assert_true(bifrost_execute(0x80000000 | 0xc0400 | 1 << 11, &l, &env));
	memcpy(l.src, l.staging, 12);
	memcpy(l.staging, (uint32_t[]){ 75, 76, 77, 78 }, 16);
	assert_true(bifrost_execute(0x80000000 | 0xc9800 | 2 << 9, &l, &env));
	assert_int_equal(stored_at[0], 0x1057);
	assert_int_equal(stored_at[1], 6);
	assert_int_equal(stored_at[2], 1);
	assert_true(bifrost_execute(0x80000000 | 0xc8400, &l, &env));
	assert_int_equal(l.staging[2], 8);
}

/* (a * b + c) rounded once: C's fmaf is the reference where the scale is 0. */
static void test_fma_rscale(void **state)
{
	unsigned int n;

	for (n = 0; n < 2000000; n++) {
		uint32_t a = rnd(), b = rnd(), c = rnd(), got;
		float want;

		if (n & 1) {	/* near to cancelling */
			a = 0x3f800000 | (a & 0x807fffff);
			b = 0x3f800000 | (b & 0x807fffff);
			c = as_bits(-flt(a) * flt(b)) + (int)(c % 5) - 2;
		}
		want = fmaf(flt(a), flt(b), flt(c));
		got = bifrost_fma_rscale(a, b, c, 0);
		if (isnan(want) || isnan(flt(got)))
			continue;
		/* Below the smallest normal a double is rounded twice. */
		if (fabsf(want) < 0x1p-126f)
			continue;
		if (got != as_bits(want))
			fail_msg("%a * %a + %a = %a, not %a", flt(a), flt(b), flt(c), flt(got), want);
	}
	assert_int_equal(bifrost_fma_rscale(as_bits(3), as_bits(5), as_bits(1), 4), as_bits(256));
}

/*
 * Distance from the exact value in units of the last place of the float next to
 * it, subnormal ones included. What is too large for a float must be infinity.
 */
static double ulps(uint32_t got, double want)
{
	int e;

	if (fabs(want) >= 0x1.ffffffp127)
		return flt(got) == (want > 0 ? INFINITY : -INFINITY) ? 0 : INFINITY;
	if (!isfinite(flt(got)))
		return fabs(want) > 0x1.fffffep127 ? 0 : INFINITY;
	if (want == 0)
		return flt(got) == 0 ? 0 : INFINITY;
	frexp(want, &e);
	return fabs(flt(got) - want) / ldexp(1, (e < -125 ? -125 : e) - 24);
}

static double exact_rcp(double x)
{
	return 1 / x;
}

static double exact_rsq(double x)
{
	return 1 / sqrt(x);
}

/*
 * What make check runs of each: every float from first on, count of them. The
 * roots and the reciprocal do with a fraction what they do with it of any other
 * exponent (of the same parity), but for results that are subnormal; a
 * logarithm is worst where its result is small; 2^x depends on x modulo 1,
 * which has its finest steps of one size in [1, 2).
 */
static const struct reduction {
	const char *name;
	uint32_t (*run)(uint32_t x);
	double (*exact)(double x);
	double bound;
	bool negative;		/* takes negative ones */
	uint32_t first, count, step;
} reductions[] = {
	{ "rcp", bifrost_rcp, exact_rcp, BIFROST_RCP_ULP, true, 0x3f800000, 1u << 23, 1 },
	{ "rsq", bifrost_rsq, exact_rsq, BIFROST_RSQ_ULP, false, 0x3f800000, 1u << 24, 1 },
	{ "sqrt", bifrost_sqrt, sqrt, BIFROST_SQRT_ULP, false, 0x3f800000, 1u << 24, 1 },
	{ "log2", bifrost_log2, log2, BIFROST_LOG2_ULP, false, 0x3f000000, 1u << 24, 3 },
	{ "exp2", bifrost_exp2, exp2, BIFROST_EXP2_ULP, true, 0x3f800000, 1u << 23, 1 },
};

static double worst;
static uint32_t worst_at;

static void measure(const struct reduction *r, uint32_t x)
{
	double d;

	if (is_special(x) || (!r->negative && x >> 31))
		return;
	d = ulps(r->run(x), r->exact(flt(x)));
	if (d > worst) {
		worst = d;
		worst_at = x;
	}
}

/* LIMN_EXHAUSTIVE=1: every float there is, of each: a quarter of an hour. */
static void test_reductions(void **state)
{
	bool all = getenv("LIMN_EXHAUSTIVE");

	for (unsigned int i = 0; i < sizeof(reductions) / sizeof(*reductions); i++) {
		const struct reduction *r = &reductions[i];

		worst = 0;
		worst_at = 0;
		for (uint64_t x = 0; all && x < (r->negative ? 1ull << 32 : 1ull << 31); x++)
			measure(r, x);
		for (uint32_t n = 0; !all && n < r->count; n += r->step)
			measure(r, r->first + n);
		if (!all)
			FOR_ALL(x)
				measure(r, r->negative ? x : x & 0x7fffffff);
		for (uint32_t near = as_bits(1) - 100000; near < as_bits(1) + 100000; near++)
			measure(r, near);
		printf("%s: at most %.4f ULP, at %a (0x%08x)\n", r->name, worst, flt(worst_at), worst_at);
		fflush(stdout);
		if (worst > r->bound)
			fail_msg("%s: %.4f ULP at %a", r->name, worst, flt(worst_at));
	}
}

static void test_reductions_special(void **state)
{
	static const float in[] = { 0, -0.0f, INFINITY, -INFINITY, NAN };
	unsigned int i;

	for (i = 0; i < 5; i++) {
		float x = in[i];

		if (isnan(x)) {
			assert_true(isnan(flt(bifrost_rcp(as_bits(x)))));
			assert_true(isnan(flt(bifrost_rsq(as_bits(x)))));
			assert_true(isnan(flt(bifrost_sqrt(as_bits(x)))));
			assert_true(isnan(flt(bifrost_log2(as_bits(x)))));
			assert_true(isnan(flt(bifrost_exp2(as_bits(x)))));
			continue;
		}
		assert_int_equal(bifrost_rcp(as_bits(x)), as_bits(1 / x));
		assert_int_equal(bifrost_exp2(as_bits(x)), as_bits(exp2f(x)));
		if (!signbit(x) || x == 0) {
			assert_int_equal(bifrost_sqrt(as_bits(x)), as_bits(sqrtf(x)));
			assert_int_equal(bifrost_log2(as_bits(x)), as_bits(log2f(x)));
		} else {
			assert_true(isnan(flt(bifrost_sqrt(as_bits(x)))));
			assert_true(isnan(flt(bifrost_log2(as_bits(x)))));
			assert_true(isnan(flt(bifrost_rsq(as_bits(x)))));
		}
	}
	assert_int_equal(bifrost_rsq(as_bits(0)), as_bits(INFINITY));
	assert_int_equal(bifrost_rsq(as_bits(INFINITY)), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_mantissas),
		cmocka_unit_test(test_exponents),
		cmocka_unit_test(test_tables),
		cmocka_unit_test(test_lshift_add),
		cmocka_unit_test(test_varying_address),
		cmocka_unit_test(test_the_rest),
		cmocka_unit_test(test_fma_rscale),
		cmocka_unit_test(test_reductions),
		cmocka_unit_test(test_reductions_special),
	};

	return cmocka_run_group_tests(tests, setup, NULL);
}
