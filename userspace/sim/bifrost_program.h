/* SPDX-License-Identifier: MIT */
/*
 * Runs slot instructions as isa/bifrost.c has them, one after the other, eight
 * lanes at a time. There are no register blocks at this level: ports and FAU
 * are the caller's, the same for all tuples.
 */
#ifndef LIMN_SIM_BIFROST_PROGRAM_H
#define LIMN_SIM_BIFROST_PROGRAM_H

#include <stddef.h>

#include "sim/bifrost.h"
#include "sim/simd.h"

enum bifsim_source { BIFSIM_PORT0, BIFSIM_PORT1, BIFSIM_PORT2, BIFSIM_STAGE, BIFSIM_FAU_LO, BIFSIM_FAU_HI,
		     BIFSIM_PASS_FMA, BIFSIM_PASS_ADD };

enum bifsim_event { BIFSIM_UNKNOWN_OP = 1 };

struct bifsim_state {
	v8u ports[3], fau[2];
	v8u fma, add;			/* results of the slots, of the tuple that ran last */
	v8u pass_fma, pass_add;		/* of the tuple before */
	v8u staging[4];			/* data register of memory ops and BLEND */
	struct bifrost_carry carry[SIM_LANES];
	const struct bifrost_env *env;	/* may be NULL */
	uint8_t discarded;
	bool in_tuple;			/* an FMA word has run, and no ADD word behind it yet */
	unsigned int events;
};

/* Runs one word in the lanes of mask that are not discarded. Aligned state. */
void bifsim_step(struct bifsim_state *state, uint32_t word, uint8_t mask);

#endif
