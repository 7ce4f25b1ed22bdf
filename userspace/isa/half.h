/* SPDX-License-Identifier: MIT */
/* IEEE 754 binary16 to and from binary32, round to nearest even. */
#ifndef LIMN_ISA_HALF_H
#define LIMN_ISA_HALF_H

#include <stdint.h>
#include <string.h>

static inline float half_to_float(uint16_t h)
{
	uint32_t sign = (uint32_t)(h & 0x8000) << 16, e = h >> 10 & 31, m = h & 0x3ff, u;
	float f;

	if (e == 31) {
		u = sign | 0x7f800000 | m << 13;
	} else if (e) {
		u = sign | (e + 112) << 23 | m << 13;
	} else {
		f = m * 0x1p-24f;
		return sign ? -f : f;
	}
	memcpy(&f, &u, 4);
	return f;
}

static inline uint16_t half_from_float(float f)
{
	uint32_t u, sign, a;

	memcpy(&u, &f, 4);
	sign = u >> 16 & 0x8000;
	a = u & 0x7fffffff;
	if (a > 0x7f800000)
		return sign | 0x7c00 | (a >> 13 & 0x3ff) | !(a >> 13 & 0x3ff);
	if (a >= 0x477ff000)	/* 65520 and more */
		return sign | 0x7c00;
	if (a < 0x38800000) {	/* below 2^-14: count of 2^-24 */
		memcpy(&f, &a, 4);
		f += 0.5f;
		memcpy(&a, &f, 4);
		return sign | (a - 0x3f000000);
	}
	return sign | (a + 0xfff + (a >> 13 & 1) - 0x38000000) >> 13;
}

#endif
