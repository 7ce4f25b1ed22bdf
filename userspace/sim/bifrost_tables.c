// SPDX-License-Identifier: MIT
/*
 * Bifrost: what the ops of the reductions know of floats, as bits: mantissas, exponents and tables. Names are those of
 * Mesa's Notes.txt; today's are in parentheses in bifrost_code.h. Sources: Notes.txt, Mesa src/panfrost/compiler
 * bifrost_compile.c (which op feeds which), ARM's patent US20160364209A1 for the reduction of logarithms.
 *
 * A float is m * 2^e with m in [1, 2). GUESS(bf-denormals), where the notes are silent: denormals are normalised first, as frexp()
 * does; a mantissa op gives zero, infinity and NaN back as they are; an exponent op gives 0 for them (the notes say so
 * of FRCP_FREXPE alone).
 */
#include <math.h>
#include <string.h>

#include "isa/half.h"
#include "sim/bifrost_code.h"

#define SIGN	0x80000000u
#define INF	0x7f800000u
#define LOW6	63u	/* of 23 bits of a fraction the tables look at 17 */

/* Zero, infinity, NaN. */
static bool special(uint32_t x)
{
	return !(x & ~SIGN) || (x & INF) == INF;
}

/* A mantissa in [1, 2), of x's sign. */
static float split(uint32_t x, int *e)
{
	float m = 2 * frexpf(as_float(x), e);

	--*e;
	return m;
}

#define OF_PARTS(type, name, of_special, value) \
	type bifrost_##name(uint32_t x) \
	{ \
		int e; \
		float m = split(x, &e); \
		(void)m; \
		return special(x) ? (type)(of_special) : (type)(value); \
	}

/* m of [1.5, 2) is halved, so that 1 lies within the range. */
OF_PARTS(uint32_t, log_frexpm, x, as_bits(fabsf(m) < 1.5f ? m : m / 2))
OF_PARTS(uint32_t, frcp_frexpm, x, as_bits(m / 2))
OF_PARTS(uint32_t, fsqrt_frexpm, x, as_bits(e & 1 ? m / 2 : m / 4))
OF_PARTS(int32_t, frcp_frexpe, 0, -e - 1)
OF_PARTS(int32_t, fsqrt_frexpe, 0, (e >> 1) + 1)
OF_PARTS(int32_t, frsq_frexpe, 0, -(e >> 1) - 1)
OF_PARTS(int32_t, flog_frexpe, 0, e + (fabsf(m) >= 1.5f))

uint32_t bifrost_frcp_table(uint32_t x)
{
	float m = as_float(special(x) ? x : bifrost_frcp_frexpm(x) & ~LOW6);

	return isnan(m) ? x : as_bits(1 / m);
}

uint32_t bifrost_frsq_table(uint32_t x)
{
	float m = as_float(special(x) ? x : bifrost_fsqrt_frexpm(x) & ~LOW6);

	return isnan(m) ? x : m < 0 ? 0x7fc00000 : as_bits((float)(1 / sqrt(m)));
}

/* The middle of the sixteenth of [1, 2) that m lies in decides. Near 1 it is 1. */
uint32_t bifrost_frcp_approx(uint32_t x)
{
	int e, i = 16 * (fabsf(split(special(x) ? 0 : x, &e)) - 1);
	double r = (i >= 8 ? 2 : 1) / (1 + (i + 0.5) / 16);

	if (i <= 0 || i == 15)
		r = 1;
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
