/* SPDX-License-Identifier: MIT */
/*
 * binary16 as PP's registers hold it, eight at a time.
 *
 * There are no subnormal results: what is smaller than 2^-14 is 0. Of piglit's
 * fs-op-{add,sub,mult} tests of floats and vectors, whose tolerances are
 * smaller than that, Mesa's CI has all 30 pass on a Mali-450
 * (src/gallium/drivers/lima/ci); with subnormals 8 would. GUESS(pp-half-round): to the
 * nearest, ties to even (they do not tell); operands may be subnormal.
 */
#ifndef LIMN_SIM_HALF_H
#define LIMN_SIM_HALF_H

#include "isa/half.h"
#include "sim/simd.h"

/* Every lane to the nearest value; still held as floats. */
static inline v8f sim_round_half(v8f x)
{
	v8u bits = (v8u)x, sign = bits & 0x80000000u, mag = bits ^ sign;
	v8u out = (mag + 0xfff + (mag >> 13 & 1)) & ~0x1fffu;
	/* Signed comparisons are what AVX2 has; what NaN overflows to is not looked at. */
	v8u there = (v8u)((v8i)mag >= 0x38800000), inf = (v8u)((v8i)out > 0x477fe000), nan = (v8u)((v8i)mag > 0x7f800000);

	/* Below 2^-14: 0. 65520 and up is infinity; NaN stays what it was. */
	out = (0x7f800000u & inf) | (out & there & ~inf);
	out = (mag & nan) | (out & ~nan);
	return (v8f)(out | sign);
}

#endif
