/* SPDX-License-Identifier: MIT */
/* Floats as the words that hold them: binary32 as it is, NaN payloads stay, and binary16 by rounding to nearest even. */
#ifndef LIMN_ISA_HALF_H
#define LIMN_ISA_HALF_H

#include <stdint.h>
#include <string.h>

static inline float as_float(uint32_t u)
{
	float f;

	memcpy(&f, &u, 4);
	return f;
}

static inline uint32_t as_bits(float f)
{
	uint32_t u;

	memcpy(&u, &f, 4);
	return u;
}

static inline float half_to_float(uint16_t h)
{
	uint32_t sign = (uint32_t)(h & 0x8000) << 16, e = h >> 10 & 31, m = h & 0x3ff;

	if (!e)
		return sign ? -(m * 0x1p-24f) : m * 0x1p-24f;
	return as_float(sign | (e == 31 ? 0x7f800000 : (e + 112) << 23) | m << 13);
}

static inline uint16_t half_from_float(float f)
{
	uint32_t u = as_bits(f), sign = u >> 16 & 0x8000, a = u & 0x7fffffff;

	if (a > 0x7f800000)
		return sign | 0x7c00 | (a >> 13 & 0x3ff) | !(a >> 13 & 0x3ff);
	if (a >= 0x477ff000)	/* 65520 and more */
		return sign | 0x7c00;
	if (a < 0x38800000)	/* below 2^-14: count of 2^-24 */
		return sign | (as_bits(as_float(a) + 0.5f) - 0x3f000000);
	return sign | (a + 0xfff + (a >> 13 & 1) - 0x38000000) >> 13;
}

#endif
