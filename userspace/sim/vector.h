/* SPDX-License-Identifier: MIT */
/* What the simulators do with vectors all the time. For sim's own files, which are built for AVX. */
#ifndef LIMN_SIM_VECTOR_H
#define LIMN_SIM_VECTOR_H

#include <string.h>

#include "sim/simd.h"

/* No vector goes by value between files: they may be built for different machines. */
#pragma GCC diagnostic ignored "-Wpsabi"

static inline v8f v8_splat(float x)
{
	return (v8f){ x, x, x, x, x, x, x, x };
}

static inline v8u v8_word(uint32_t v)
{
	return (v8u){ v, v, v, v, v, v, v, v };
}

static inline v8u v8_choose(v8i mask, v8u yes, v8u no)
{
	return (yes & (v8u)mask) | (no & ~(v8u)mask);
}

/* Which lanes of live go on together: those at the lowest place. *others: the next place where there are some. */
static inline unsigned int v8_lowest(const v8u at, unsigned int live, unsigned int *place, unsigned int *others)
{
	unsigned int lanes = 0;

	*place = *others = ~0u;
	for (int lane = 0; lane < SIM_LANES; lane++) {
		if (!(live >> lane & 1))
			continue;
		if (at[lane] < *place) {
			*others = *place;
			*place = at[lane];
			lanes = 0;
		} else if (at[lane] > *place && at[lane] < *others) {
			*others = at[lane];
		}
		lanes |= (at[lane] == *place) << lane;
	}
	return lanes;
}

/* A statement for each lane of a byte mask. */
#define EACH_LANE(mask)	for (unsigned int lane = 0; lane < SIM_LANES; lane++) if ((mask) >> lane & 1)

/* A run has met an event, a bit: at says, by bit, where each was first. */
static inline void sim_event(unsigned int *events, unsigned int *at, unsigned int event, unsigned int where)
{
	if (!(*events & event))
		at[__builtin_ctz(event)] = where;
	*events |= event;
}

/* All ones in the lanes of a byte mask. */
static inline v8i v8_lanes(unsigned int mask)
{
	const v8i bit = { 1, 2, 4, 8, 16, 32, 64, 128 };

	return (((v8i){ 0 } + (int)mask) & bit) != 0;
}

typedef int8_t v8b __attribute__((vector_size(8)));

/* The byte mask of lanes in which all ones stand, not zeroes: each byte keeps its lane's bit, the product adds them up. */
static inline unsigned int v8_mask_of_bytes(v8b truth)
{
	uint64_t bits;

	memcpy(&bits, &truth, sizeof(bits));
	return (unsigned int)((bits & 0x8040201008040201ull) * 0x0101010101010101ull >> 56);
}

/* The lanes in which a comparison is true. */
static inline unsigned int v8_mask(v8i truth)
{
#ifdef __AVX__
	/* One instruction, for which the compiler takes thirty where there is no AVX512. */
	return (unsigned int)__builtin_ia32_movmskps256((v8f)truth);
#else
	return v8_mask_of_bytes(__builtin_convertvector(truth, v8b));
#endif
}

static inline v8f v8_select(v8i condition, v8f yes, v8f no)
{
	return (v8f)(((v8i)yes & condition) | ((v8i)no & ~condition));
}

/* Clamped to 0..1; what is not a number is 0. */
static inline v8f v8_unit(v8f v)
{
	v8f zero = v8_splat(0.0f), one = v8_splat(1.0f);

#ifdef __AVX__
	return __builtin_ia32_minps256(__builtin_ia32_maxps256(v, zero), one);
#else
	v = v8_select(v > zero, v, zero);
	return v8_select(v < one, v, one);
#endif
}

/* 1.0 where the condition holds, 0.0 elsewhere. */
static inline v8f v8_truth(v8i condition)
{
	return v8_select(condition, v8_splat(1.0f), v8_splat(0.0f));
}

/*
 * A function that has no vector form, lane by lane: V8_EACH(sqrtf(a[lane])). The compiler does not always see that
 * each lane is set; a zero instead would cost instructions.
 */
#define V8_EACH(expression) ({ \
	v8f out_ = out_; \
	for (int lane = 0; lane < SIM_LANES; lane++) \
		out_[lane] = (expression); \
	out_; })

static inline uint32_t sim_reverse_bits(uint32_t v)
{
	uint32_t r = 0;

	for (int i = 0; i < 32; i++)
		r |= (v >> i & 1) << (31 - i);
	return r;
}

/* The integer of that many bits at v or, out of range, nearest to it; not a number is 0. */
static inline int64_t sim_saturate(double v, unsigned int bits, bool is_signed)
{
	double top = (double)(1ull << (bits - 1)) * (is_signed ? 1 : 2), bottom = is_signed ? -top : 0;
	uint64_t most = ~0ull >> (64 - bits + is_signed);

	return v != v ? 0 : v >= top ? (int64_t)most : v <= bottom ? (is_signed ? ~(int64_t)most : 0) :
	       is_signed ? (int64_t)v : (int64_t)(uint64_t)v;
}

#endif
