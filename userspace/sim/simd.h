/* SPDX-License-Identifier: MIT */
/*
 * Eight invocations at a time, structure of arrays: one vector per component,
 * one lane per invocation. Masks are a byte, bit n for lane n.
 */
#ifndef LIMN_SIM_SIMD_H
#define LIMN_SIM_SIMD_H

#include <stdbool.h>
#include <stdint.h>

#define SIM_LANES 8

typedef float v8f __attribute__((vector_size(32)));
typedef int32_t v8i __attribute__((vector_size(32)));
typedef uint32_t v8u __attribute__((vector_size(32)));

enum sim_status {
	SIM_DONE,	/* all lanes have ended */
	SIM_LIMIT,	/* the step limit was reached: run again to go on */
	SIM_FAULT,	/* cannot go on; see the fault */
};

/* Why a run cannot go on. */
struct sim_fault {
	unsigned int at;	/* GP: instruction index; PP: words from the shader's start (signed) */
	const char *reason;	/* static text, NULL while there is no fault */
};

#endif
