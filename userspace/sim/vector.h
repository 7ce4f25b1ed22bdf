/* SPDX-License-Identifier: MIT */
/* What the simulators do with vectors all the time. For sim's own files, which are built for AVX. */
#ifndef LIMN_SIM_VECTOR_H
#define LIMN_SIM_VECTOR_H

#include "sim/simd.h"

static inline v8f v8_splat(float x)
{
	return (v8f){ x, x, x, x, x, x, x, x };
}

/* All ones in the lanes of a byte mask. */
static inline v8i v8_lanes(unsigned int mask)
{
	const v8i bit = { 1, 2, 4, 8, 16, 32, 64, 128 };

	return (((v8i){ 0 } + (int)mask) & bit) != 0;
}

static inline v8f v8_select(v8i condition, v8f yes, v8f no)
{
	return (v8f)(((v8i)yes & condition) | ((v8i)no & ~condition));
}

/* 1.0 where the condition holds, 0.0 elsewhere. */
static inline v8f v8_truth(v8i condition)
{
	return v8_select(condition, v8_splat(1.0f), v8_splat(0.0f));
}

/* A function that has no vector form, lane by lane: V8_EACH(sqrtf(a[lane])). */
#define V8_EACH(expression) ({ \
	v8f out_; \
	for (int lane = 0; lane < SIM_LANES; lane++) \
		out_[lane] = (expression); \
	out_; })

#endif
