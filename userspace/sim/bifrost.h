/* SPDX-License-Identifier: MIT */
/*
 * Runs Bifrost programs, eight lanes at a time: lanes that are at the same clause run together, those that are
 * farthest behind first. Sources: isa/bifrost.h.
 *
 * GUESS(bf-registers): a tuple's results are in their registers when the next tuple reads them; a message has written its data
 * registers when the next clause begins.
 */
#ifndef LIMN_SIM_BIFROST_H
#define LIMN_SIM_BIFROST_H

#include "sim/midgard.h"

enum bfsim_event {
	BFSIM_UNKNOWN_OP = 1,
	BFSIM_BAD_CLAUSE = 2,	/* a thread met words that are no clause, and ended */
	BFSIM_MEMORY = 4,	/* memory that is not there: reads give 0 */
};

#define BFSIM_REGISTERS	64
#define BFSIM_UNIFORMS	128
#define BFSIM_SPECIAL	16	/* of the FAU: isa/bifrost.h */

enum { BFSIM_LANE_ID = 1, BFSIM_ATEST = 5, BFSIM_BLEND = 8 };
/* What loads of MDSIM_SPECIAL are of. */
enum { BFSIM_POINT = 0x100, BFSIM_FRAG_W, BFSIM_FRAG_Z };

struct bfsim_state {
	v8u r[BFSIM_REGISTERS];
	uint32_t uniforms[BFSIM_UNIFORMS][2];	/* of the FAU: u0 to u127 */
	v8u special[BFSIM_SPECIAL][2];		/* #0, lane_id, ... blend_descriptor_7 */
	/*
	 * Of Midgard: the same things are outside. Attributes and varyings are loaded as whole vectors of 32-bit
	 * components. BLEND stores its data registers as they are, index: the descriptor's first word; ZS_EMIT
	 * depth and stencil as index 255. A varying's address from LEA_ATTR is BFSIM_VARYING and its number.
	 */
	const struct mdsim_io *io;
	uint32_t shared, local[SIM_LANES];	/* addresses of what .wls and .tl are relative to */
	uint64_t written;			/* registers, a bit each */
	uint8_t discarded;			/* lanes */
	unsigned int events;
	const struct isa_op *unknown;		/* the first op without semantics that was met, and its clause's word */
	size_t unknown_at;
	uint64_t clauses;			/* executed, of all lanes */
	/* Behind every clause, unless NULL: its lanes, where it was, and the registers before it. */
	void (*trace)(void *ctx, unsigned int lanes, size_t at, const v8u *before);
	/* Before each clause; false ends the run. May be NULL. */
	bool (*enter)(void *ctx, unsigned int lanes, size_t at);
	void *trace_ctx;
};

#define BFSIM_VARYING	0x80000000u	/* high word of an address */

/* Takes the words apart once; they stay the caller's and unchanged. NULL: out of memory. */
struct bfsim_program *bfsim_decode(const uint32_t *words, size_t count);
void bfsim_free(struct bfsim_program *program);

/* Runs the lanes of mask from the first clause on. limit: clauses of one lane; SIM_LIMIT when a lane needed more. */
enum sim_status bfsim_run(struct bfsim_state *state, const struct bfsim_program *program, uint8_t mask, unsigned int limit);

#endif
