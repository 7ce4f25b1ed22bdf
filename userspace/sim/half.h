/* SPDX-License-Identifier: MIT */
/* IEEE 754 binary16, as PP's registers, uniforms and constants hold it: isa/half.h, eight at a time. */
#ifndef LIMN_SIM_HALF_H
#define LIMN_SIM_HALF_H

#include "isa/half.h"
#include "sim/simd.h"

/* Every lane to the nearest binary16 value, ties to even; still held as floats. */
static inline v8f sim_round_half(v8f x)
{
	v8u bits = (v8u)x, sign = bits & 0x80000000u, mag = bits ^ sign;
	/* Normal numbers: drop 13 bits of fraction. */
	v8u normal = (mag + 0xfff + (mag >> 13 & 1)) & ~0x1fffu;
	/* Below 2^-14: multiples of 2^-24, by the adder's own rounding. */
	v8u small = (v8u)(((v8f)mag + 0.75f) - 0.75f);
	v8u out = (v8u)(mag < 0x38800000u);

	out = (small & out) | (normal & ~out);
	/* 65520 and up is infinity; NaN stays what it was. */
	v8u inf = (v8u)(out > 0x477fe000u);
	out = (0x7f800000u & inf) | (out & ~inf);
	v8u nan = (v8u)(mag > 0x7f800000u);
	out = (mag & nan) | (out & ~nan);
	return (v8f)(out | sign);
}

#endif
