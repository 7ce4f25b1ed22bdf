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

	/* Below 2^-14. */
	out &= (v8u)(mag >= 0x38800000u);
	/* 65520 and up is infinity; NaN stays what it was. */
	v8u inf = (v8u)(out > 0x477fe000u);
	out = (0x7f800000u & inf) | (out & ~inf);
	v8u nan = (v8u)(mag > 0x7f800000u);
	out = (mag & nan) | (out & ~nan);
	return (v8f)(out | sign);
}

#endif
