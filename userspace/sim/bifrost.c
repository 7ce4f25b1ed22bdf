/* SPDX-License-Identifier: MIT */
/*
 * Bifrost ops (bifrost.h). Sources: Mesa's Notes.txt, Mesa src/panfrost/compiler
 * bifrost_compile.c (which op feeds which), ARM's patent
 * US20160364209A1 for the reduction of logarithms.
 */
#include <math.h>
#include <string.h>

#include "isa/float_bits.h"
#include "isa/half.h"
#include "sim/bifrost.h"

#define SIGN		0x80000000u
#define INF		0x7f800000u
#define ONE		0x3f800000u
#define FRACTION	0x007fffffu

/* Zero, infinity, NaN. */
static bool special(uint32_t x)
{
	return !(x & ~SIGN) || (x & INF) == INF;
}

/* e, and the 23 bits of m's fraction. */
static int split(uint32_t x, uint32_t *fraction)
{
	uint32_t f = x & FRACTION;
	int e = (int)(x >> 23 & 255) - 127;

	if (e == -127) {
		int shift = __builtin_clz(f) - 8;

		f = f << shift & FRACTION;
		e = -126 - shift;
	}
	*fraction = f;
	return e;
}

/* sign, m * 2^e */
static uint32_t join(uint32_t x, int e, uint32_t fraction)
{
	return (x & SIGN) | (uint32_t)(e + 127) << 23 | fraction;
}

static int half_floor(int e)
{
	return (e - (e & 1)) / 2;
}

/* m of [1.5, 2) is halved, so that 1 lies within the range. */
static bool upper(uint32_t fraction)
{
	return fraction >= 0x400000;
}

uint32_t bifrost_log_frexpm(uint32_t x)
{
	uint32_t f;

	if (special(x))
		return x;
	split(x, &f);
	return join(x, upper(f) ? -1 : 0, f);
}

uint32_t bifrost_frcp_frexpm(uint32_t x)
{
	uint32_t f;

	if (special(x))
		return x;
	split(x, &f);
	return join(x, -1, f);
}

uint32_t bifrost_fsqrt_frexpm(uint32_t x)
{
	uint32_t f;
	int e;

	if (special(x))
		return x;
	e = split(x, &f);
	return join(x, e & 1 ? -1 : -2, f);
}

int32_t bifrost_frcp_frexpe(uint32_t x)
{
	uint32_t f;

	return special(x) ? 0 : -split(x, &f) - 1;
}

int32_t bifrost_fsqrt_frexpe(uint32_t x)
{
	uint32_t f;

	return special(x) ? 0 : half_floor(split(x, &f)) + 1;
}

int32_t bifrost_frsq_frexpe(uint32_t x)
{
	uint32_t f;

	return special(x) ? 0 : -half_floor(split(x, &f)) - 1;
}

int32_t bifrost_flog_frexpe(uint32_t x)
{
	uint32_t f;
	int e;

	if (special(x))
		return 0;
	e = split(x, &f);
	return e + upper(f);
}

/* Of m's 23 fraction bits the top 17. */
#define TOP17	0x7fffc0u

uint32_t bifrost_frcp_table(uint32_t x)
{
	uint32_t f;

	if (!(x & ~SIGN))
		return x | INF;
	if ((x & ~SIGN) == INF)
		return x & SIGN;
	if (special(x))
		return x;
	split(x, &f);
	return (x & SIGN) | as_bits(2 / as_float(join(0, 0, f & TOP17)));
}

uint32_t bifrost_frsq_table(uint32_t x)
{
	uint32_t f;
	int e;

	if (!(x & ~SIGN))
		return x | INF;
	if (x == INF)
		return 0;
	if ((x & ~SIGN) > INF)
		return x;
	if (x & SIGN)
		return 0x7fc00000;
	e = split(x, &f);
	return as_bits((float)(1 / sqrt(as_float(join(0, e & 1 ? -1 : -2, f & TOP17)))));
}

/* The middle of the sixteenth of [1, 2) that m lies in decides. Near 1 it is 1. */
uint32_t bifrost_frcp_approx(uint32_t x)
{
	uint32_t f, i;
	double middle, r;

	if (special(x))
		return ONE;
	split(x, &f);
	i = f >> 19;
	if (i == 0 || i == 15)
		return ONE;
	middle = 1 + (i + 0.5) / 16;
	r = (upper(f) ? 2 : 1) / middle;
	/* Five significant bits: steps of 1/32 below 1, of 1/16 above. */
	return as_bits((float)(r < 1 ? rint(r * 32) / 32 : rint(r * 16) / 16));
}

/* A NaN that comes in goes out, made quiet. */
static uint32_t quiet(uint32_t x)
{
	return x | 0x00400000;
}

static bool is_nan(uint32_t x)
{
	return (x & ~SIGN) > INF;
}

uint32_t bifrost_frcp_fast(uint32_t x)
{
	if (is_nan(x))
		return quiet(x);
	return as_bits(1 / as_float(x));
}

uint16_t bifrost_frcp_fast_f16(uint16_t x)
{
	if ((x & 0x7fff) > 0x7c00)
		return x | 0x0200;
	return half_from_float(1 / half_to_float(x));
}

uint32_t bifrost_lshift_add_low32(enum bifrost_extend extend, uint32_t src1, uint32_t src2,
				  unsigned int shift, struct bifrost_carry *carry)
{
	uint64_t wide = extend == BIFROST_I32 ? (uint64_t)(int64_t)(int32_t)src2 : src2;
	uint64_t sum;

	shift &= 7;
	wide <<= shift;
	sum = (uint64_t)src1 + (uint32_t)wide;
	*carry = (struct bifrost_carry){ true, (uint32_t)sum, extend, shift, wide >> 32, sum >> 32 };
	return sum;
}

uint32_t bifrost_lshift_add_high32(uint32_t src1, uint32_t src2, const struct bifrost_carry *carry)
{
	uint32_t high = carry->high;

	if (carry->extend == BIFROST_I64)
		high |= src2 << carry->shift;
	return src1 + high + carry->overflow;
}

void bifrost_shifted_address(const uint32_t src[2], const struct bifrost_carry *carry, uint32_t address[2])
{
	address[0] = src[0];
	address[1] = src[1];
	if (!carry->handed)
		return;
	if (carry->extend == BIFROST_I64) {
		address[0] = carry->low;
		address[1] = bifrost_lshift_add_high32(src[0], src[1], carry);
	} else {
		address[1] = bifrost_lshift_add_high32(src[1], 0, carry);
	}
}

uint32_t bifrost_f16_to_f32_x(uint32_t x)
{
	return as_bits(half_to_float(x & 0xffff));
}

uint32_t bifrost_f16_to_f32_y(uint32_t x)
{
	return bifrost_f16_to_f32_x(x >> 16);
}

uint32_t bifrost_mov(uint32_t x)
{
	return x;
}

uint32_t bifrost_mux(uint32_t src0, uint32_t src1, uint32_t src2)
{
	return (src2 & src0) | (~src2 & src1);
}

uint32_t bifrost_lshift_or(uint32_t src0, uint32_t src1, uint32_t shift)
{
	return src0 << (shift & 31) | src1;
}

/* --- Reductions ------------------------------------------------------------- */

/*
 * A double holds the product of two floats exactly, and the sum well enough
 * for one rounding: where it is not exact, it is odd in its last place.
 */
static double fma_odd(double a, double b, double c)
{
	double p = a * b, s = p + c, t, rest;
	uint64_t u;

	if (!isfinite(s))
		return s;
	t = s - p;
	rest = (p - (s - t)) + (c - t);
	memcpy(&u, &s, 8);
	if (rest != 0 && !(u & 1)) {
		u += (rest > 0) == (s > 0) ? 1 : -1;
		memcpy(&s, &u, 8);
	}
	return s;
}

uint32_t bifrost_fma_rscale(uint32_t a, uint32_t b, uint32_t c, int32_t scale)
{
	double x = as_float(a), y = as_float(b), z = as_float(c), sum;

	if (is_nan(a) || is_nan(b) || is_nan(c))
		return quiet(is_nan(a) ? a : is_nan(b) ? b : c);
	if ((x == 0 && isinf(y)) || (y == 0 && isinf(x)))
		return as_bits((float)ldexp(z, scale));
	sum = fma_odd(x, y, z);
	return isnan(sum) ? 0x7fc00000 : as_bits((float)ldexp(sum, scale));
}

static uint32_t fma32(uint32_t a, float b, float c)
{
	return bifrost_fma_rscale(a, as_bits(b), as_bits(c), 0);
}

/* One step of Newton from the table: x1 + x1 * (1 - m * x1), with the exponent put back. */
uint32_t bifrost_rcp(uint32_t x)
{
	uint32_t x1 = bifrost_frcp_table(x), m = bifrost_frcp_frexpm(x), t;

	if (special(x1))
		return x1;
	t = bifrost_fma_rscale(m, x1 ^ SIGN, ONE, 0);
	return bifrost_fma_rscale(t, x1, x1, bifrost_frcp_frexpe(x));
}

uint32_t bifrost_rsq(uint32_t x)
{
	uint32_t x1 = bifrost_frsq_table(x), m = bifrost_fsqrt_frexpm(x), t;

	if (special(x1))
		return x1;
	t = bifrost_fma_rscale(x1, x1, 0, 0);
	t = bifrost_fma_rscale(m, t ^ SIGN, ONE, -1);
	return bifrost_fma_rscale(t, x1, x1, bifrost_frsq_frexpe(x));
}

/* m * rsq(m), and a step of Newton for the root: s + (m - s * s) * rsq / 2 */
uint32_t bifrost_sqrt(uint32_t x)
{
	uint32_t x1 = bifrost_frsq_table(x), m = bifrost_fsqrt_frexpm(x), s, t;

	if (!(x & ~SIGN) || x == INF)
		return x;
	if (special(x1))
		return x1;
	s = bifrost_fma_rscale(m, x1, 0, 0);
	t = bifrost_fma_rscale(s, s ^ SIGN, m, -1);
	return bifrost_fma_rscale(t, x1, s, bifrost_fsqrt_frexpe(x));
}

/*
 * log2(a1 * 2^e) = e - log2(r1) + log2(1 + y), y = a1 * r1 - 1, r1 about 1 / a1
 * in few bits: y is exact, and small. |y| < 1/11: nine terms of the series.
 */
uint32_t bifrost_log2(uint32_t x)
{
	static const float series[9] = {
		1.44269504f, -0.72134752f, 0.48089835f, -0.36067376f, 0.28853901f,
		-0.24044917f, 0.20609929f, -0.18033688f, 0.16029945f,
	};
	/* 1/ln 2 less its 24 bits above */
	const float rest = (float)(1.4426950408889634 - (double)1.44269504f);
	uint32_t a1 = bifrost_log_frexpm(x), r1 = bifrost_frcp_approx(x), p, y, sum;
	int i;

	if (!(x & ~SIGN))
		return INF | SIGN;
	if (x & SIGN)
		return (x & ~SIGN) > INF ? x : 0x7fc00000;
	if (special(x))
		return x;
	y = bifrost_fma_rscale(a1, r1, as_bits(-1), 0);
	p = as_bits(series[8]);
	for (i = 7; i > 0; i--)
		p = bifrost_fma_rscale(p, y, as_bits(series[i]), 0);
	/* y * (rest + y * p) + y * series[0]: the small part first */
	p = bifrost_fma_rscale(p, y, as_bits(rest), 0);
	p = bifrost_fma_rscale(p, y, 0, 0);
	/* (FLOG_TABLE.base2) what the coarse reciprocal stands for, and the exponent. */
	sum = as_bits((float)(bifrost_flog_frexpe(x) - log2(as_float(r1))));
	if (r1 == ONE && !bifrost_flog_frexpe(x))
		return bifrost_fma_rscale(y, as_bits(series[0]), p, 0);
	p = bifrost_fma_rscale(y, as_bits(series[0]), p, 0);
	return bifrost_fma_rscale(ONE, p, sum, 0);
}

/*
 * 2^x = 2^i * 2^(k/16) * 2^a, |a| <= 1/32: i and k from adding 1.5 * 2^19,
 * whose last place is 1/16; 2^(k/16) from a table (FEXP_TABLE.u4).
 */
uint32_t bifrost_exp2(uint32_t x)
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
	p = bifrost_fma_rscale(p, as_bits(a), 0, 0);
	return bifrost_fma_rscale(p, table, table, (n - (n & 15)) / 16);
}
