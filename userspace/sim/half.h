/* SPDX-License-Identifier: MIT */
/* IEEE 754 binary16, as PP's registers, uniforms and constants hold it. */
#ifndef LIMN_SIM_HALF_H
#define LIMN_SIM_HALF_H

#include <string.h>

#include "sim/simd.h"

static inline float sim_half_to_float(uint16_t h)
{
	uint32_t sign = (uint32_t)(h & 0x8000) << 16, exp = h >> 10 & 31, frac = h & 0x3ff, bits;
	float f;

	if (exp == 0) {
		f = (float)frac * 0x1p-24f;
		return sign ? -f : f;
	}
	bits = sign | (exp == 31 ? 0x7f800000u : (exp + 112) << 23) | frac << 13;
	memcpy(&f, &bits, 4);
	return f;
}

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
