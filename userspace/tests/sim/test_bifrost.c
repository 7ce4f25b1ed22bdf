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

#include "isa/half.h"
#include "sim/bifrost_code.h"

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
			assert_int_equal(bifrost_frexpm(x, BF_SPLIT), x);
			assert_int_equal(bifrost_frexpm(x, BF_SPLIT_SQRT), x);
			assert_int_equal(bifrost_frexpm(x, BF_SPLIT_LOG), x);
			continue;
		}
		m = frexp(v, &e) * 2;		/* m * 2^e, |m| in [1, 2) */
		e--;
		assert_true(flt(bifrost_frexpm(x, BF_SPLIT)) == m / 2);
		assert_true(flt(bifrost_frexpm(x, BF_SPLIT_SQRT)) == (e % 2 ? m / 2 : m / 4));
		assert_true(flt(bifrost_frexpm(x, BF_SPLIT_LOG)) == (fabs(m) >= 1.5 ? m / 2 : m));
		assert_true(flt(bifrost_frexpm(x, BF_SPLIT_LOG)) * exp2(bifrost_frexpe(x, BF_SPLIT_LOG)) == v);
	}
}

static void test_exponents(void **state)
{
	FOR_ALL(x) {
		int e;

		if (is_special(x)) {
			assert_int_equal(-bifrost_frexpe(x, BF_SPLIT), 0);
			assert_int_equal(bifrost_frexpe(x, BF_SPLIT_SQRT), 0);
			assert_int_equal(-bifrost_frexpe(x, BF_SPLIT_SQRT), 0);
			assert_int_equal(bifrost_frexpe(x, BF_SPLIT_LOG), 0);
			continue;
		}
		frexp(flt(x), &e);
		e--;
		assert_int_equal(-bifrost_frexpe(x, BF_SPLIT), -e - 1);
		assert_int_equal(bifrost_frexpe(x, BF_SPLIT_SQRT), (int)floor(e / 2.0) + 1);
		assert_int_equal(-bifrost_frexpe(x, BF_SPLIT_SQRT), -(int)floor(e / 2.0) - 1);
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
		assert_true(fabs(r * fabs(flt(bifrost_frexpm(x, BF_SPLIT_LOG))) - 1) < 1 / 11.0);
		if (flt(x) > 0)
			assert_true(fabs(flt(bifrost_frsq_table(x)) *
					 sqrt(flt(bifrost_frexpm(x, BF_SPLIT_SQRT))) - 1) < 0x1p-16);
	}
	assert_int_equal(bifrost_frcp_table(as_bits(0)), as_bits(INFINITY));
	assert_int_equal(bifrost_frcp_table(as_bits(-0.0f)), as_bits(-INFINITY));
	assert_int_equal(bifrost_frcp_table(as_bits(-INFINITY)), as_bits(-0.0f));
	assert_true(isnan(flt(bifrost_frcp_table(0x7fc12345))));
	assert_true(isnan(flt(bifrost_frsq_table(as_bits(-1)))));
	assert_int_equal(bifrost_frsq_table(as_bits(INFINITY)), 0);
}

/*
 * Reductions, in the order of Mesa's bi_lower_*, of the tables and FMA_RSCALE. Error of any input, subnormal ones and
 * results included, in units of the last place of the float next to the exact value.
 */
#define BIFROST_RCP_ULP		0.51
#define BIFROST_RSQ_ULP		0.86
#define BIFROST_SQRT_ULP	0.51
#define BIFROST_LOG2_ULP	1.09
#define BIFROST_EXP2_ULP	0.98

#define SIGN	0x80000000u
#define INF	0x7f800000u
#define ONE	0x3f800000u

static uint32_t fma_rscale(uint32_t a, uint32_t b, uint32_t c, int32_t scale)
{
	return as_bits((float)ldexp(bifrost_fma_odd(flt(a), flt(b), flt(c)), scale));
}

static uint32_t fma32(uint32_t a, float b, float c)
{
	return fma_rscale(a, as_bits(b), as_bits(c), 0);
}

/* One step of Newton from the table: x1 + x1 * (1 - m * x1), with the exponent put back. */
static uint32_t rcp_of(uint32_t x)
{
	uint32_t x1 = bifrost_frcp_table(x), m = bifrost_frexpm(x, BF_SPLIT), t;

	if (is_special(x1))
		return x1;
	t = fma_rscale(m, x1 ^ SIGN, ONE, 0);
	return fma_rscale(t, x1, x1, -bifrost_frexpe(x, BF_SPLIT));
}

static uint32_t rsq_of(uint32_t x)
{
	uint32_t x1 = bifrost_frsq_table(x), m = bifrost_frexpm(x, BF_SPLIT_SQRT), t;

	if (is_special(x1))
		return x1;
	t = fma_rscale(x1, x1, 0, 0);
	t = fma_rscale(m, t ^ SIGN, ONE, -1);
	return fma_rscale(t, x1, x1, -bifrost_frexpe(x, BF_SPLIT_SQRT));
}

/* m * rsq(m), and a step of Newton for the root: s + (m - s * s) * rsq / 2 */
static uint32_t sqrt_of(uint32_t x)
{
	uint32_t x1 = bifrost_frsq_table(x), m = bifrost_frexpm(x, BF_SPLIT_SQRT), s, t;

	if (!(x & ~SIGN) || x == INF)
		return x;
	if (is_special(x1))
		return x1;
	s = fma_rscale(m, x1, 0, 0);
	t = fma_rscale(s, s ^ SIGN, m, -1);
	return fma_rscale(t, x1, s, bifrost_frexpe(x, BF_SPLIT_SQRT));
}

/*
 * log2(a1 * 2^e) = e - log2(r1) + log2(1 + y), y = a1 * r1 - 1, r1 about 1 / a1
 * in few bits: y is exact, and small. |y| < 1/11: nine terms of the series.
 */
static uint32_t log2_of(uint32_t x)
{
	static const float series[9] = {
		1.44269504f, -0.72134752f, 0.48089835f, -0.36067376f, 0.28853901f,
		-0.24044917f, 0.20609929f, -0.18033688f, 0.16029945f,
	};
	/* 1/ln 2 less its 24 bits above */
	const float rest = (float)(1.4426950408889634 - (double)1.44269504f);
	uint32_t a1 = bifrost_frexpm(x, BF_SPLIT_LOG), r1 = bifrost_frcp_approx(x), p, y, sum;
	int i;

	if (!(x & ~SIGN))
		return INF | SIGN;
	if (x & SIGN)
		return (x & ~SIGN) > INF ? x : 0x7fc00000;
	if (is_special(x))
		return x;
	y = fma_rscale(a1, r1, as_bits(-1), 0);
	p = as_bits(series[8]);
	for (i = 7; i > 0; i--)
		p = fma_rscale(p, y, as_bits(series[i]), 0);
	/* y * (rest + y * p) + y * series[0]: the small part first */
	p = fma_rscale(p, y, as_bits(rest), 0);
	p = fma_rscale(p, y, 0, 0);
	/* (FLOG_TABLE.base2) what the coarse reciprocal stands for, and the exponent. */
	sum = as_bits((float)(bifrost_frexpe(x, BF_SPLIT_LOG) - log2(as_float(r1))));
	if (r1 == ONE && !bifrost_frexpe(x, BF_SPLIT_LOG))
		return fma_rscale(y, as_bits(series[0]), p, 0);
	p = fma_rscale(y, as_bits(series[0]), p, 0);
	return fma_rscale(ONE, p, sum, 0);
}

/*
 * 2^x = 2^i * 2^(k/16) * 2^a, |a| <= 1/32: i and k from adding 1.5 * 2^19,
 * whose last place is 1/16; 2^(k/16) from a table (FEXP_TABLE.u4).
 */
static uint32_t exp2_of(uint32_t x)
{
	const float magic = 0x1.8p19f;
	uint32_t t, table, p;
	float a;
	int32_t n;

	if ((x & ~SIGN) > INF)
		return x;
	if (as_float(x) > 192)
		return INF;
	if (as_float(x) < -192)
		return 0;
	t = as_bits(as_float(x) + magic);
	a = as_float(x) - (as_float(t) - magic);
	n = (int32_t)(t - as_bits(magic));
	table = as_bits((float)exp2((n & 15) / 16.0));
	p = fma32(as_bits(0.00961813f), a, 0.05550411f);
	p = fma32(p, a, 0.24022651f);
	p = fma32(p, a, 0.69314718f);
	p = fma_rscale(p, as_bits(a), 0, 0);
	return fma_rscale(p, table, table, (n - (n & 15)) / 16);
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
		got = fma_rscale(a, b, c, 0);
		if (isnan(want) || isnan(flt(got)))
			continue;
		/* Below the smallest normal a double is rounded twice. */
		if (fabsf(want) < 0x1p-126f)
			continue;
		if (got != as_bits(want))
			fail_msg("%a * %a + %a = %a, not %a", flt(a), flt(b), flt(c), flt(got), want);
	}
	assert_int_equal(fma_rscale(as_bits(3), as_bits(5), as_bits(1), 4), as_bits(256));
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
	{ "rcp", rcp_of, exact_rcp, BIFROST_RCP_ULP, true, 0x3f800000, 1u << 23, 1 },
	{ "rsq", rsq_of, exact_rsq, BIFROST_RSQ_ULP, false, 0x3f800000, 1u << 24, 1 },
	{ "sqrt", sqrt_of, sqrt, BIFROST_SQRT_ULP, false, 0x3f800000, 1u << 24, 1 },
	{ "log2", log2_of, log2, BIFROST_LOG2_ULP, false, 0x3f000000, 1u << 24, 3 },
	{ "exp2", exp2_of, exp2, BIFROST_EXP2_ULP, true, 0x3f800000, 1u << 23, 1 },
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
			assert_true(isnan(flt(rcp_of(as_bits(x)))));
			assert_true(isnan(flt(rsq_of(as_bits(x)))));
			assert_true(isnan(flt(sqrt_of(as_bits(x)))));
			assert_true(isnan(flt(log2_of(as_bits(x)))));
			assert_true(isnan(flt(exp2_of(as_bits(x)))));
			continue;
		}
		assert_int_equal(rcp_of(as_bits(x)), as_bits(1 / x));
		assert_int_equal(exp2_of(as_bits(x)), as_bits(exp2f(x)));
		if (!signbit(x) || x == 0) {
			assert_int_equal(sqrt_of(as_bits(x)), as_bits(sqrtf(x)));
			assert_int_equal(log2_of(as_bits(x)), as_bits(log2f(x)));
		} else {
			assert_true(isnan(flt(sqrt_of(as_bits(x)))));
			assert_true(isnan(flt(log2_of(as_bits(x)))));
			assert_true(isnan(flt(rsq_of(as_bits(x)))));
		}
	}
	assert_int_equal(rsq_of(as_bits(0)), as_bits(INFINITY));
	assert_int_equal(rsq_of(as_bits(INFINITY)), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_mantissas),
		cmocka_unit_test(test_exponents),
		cmocka_unit_test(test_tables),
		cmocka_unit_test(test_fma_rscale),
		cmocka_unit_test(test_reductions),
		cmocka_unit_test(test_reductions_special),
	};

	return cmocka_run_group_tests(tests, setup, NULL);
}
