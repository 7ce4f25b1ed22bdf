/* SPDX-License-Identifier: MIT */
/* A binary32 as the word that holds it, and back; NaN payloads stay. */
#ifndef LIMN_ISA_FLOAT_BITS_H
#define LIMN_ISA_FLOAT_BITS_H

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

#endif
