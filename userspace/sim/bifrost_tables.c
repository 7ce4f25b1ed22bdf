/* SPDX-License-Identifier: MIT */
/*
 * Bifrost: mantissas, exponents and tables of the reductions (bifrost_tables.h). Sources: Mesa's Notes.txt, Mesa
 * src/panfrost/compiler bifrost_compile.c (which op feeds which), ARM's patent US20160364209A1 for the reduction of
 * logarithms.
 */
#include <math.h>
#include <string.h>

#include "isa/float_bits.h"
#include "isa/half.h"
#include "sim/bifrost_tables.h"

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

/*
 * A double holds the product of two floats exactly, and the sum well enough
 * for one rounding: where it is not exact, it is odd in its last place.
 */
double bifrost_fma_odd(double a, double b, double c)
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
