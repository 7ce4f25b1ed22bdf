/* SPDX-License-Identifier: MIT */
/*
 * Straight programs, of many blocks of eight fragments at once: each op is looked up once for all
 * of them. utgard_pp.h has the executor that runs everything; what it does with a block, this does.
 */
#ifndef LIMN_SIM_UTGARD_PP_BATCH_H
#define LIMN_SIM_UTGARD_PP_BATCH_H

#include "sim/utgard_pp.h"

#define PPSIM_BATCH	32	/* blocks */
#define PPSIM_PLACES	22	/* 16 registers, and what goes from unit to unit */

/* A component of all blocks; of what is one value in all of them only the first is there. */
typedef v8f ppsim_column[PPSIM_BATCH];

struct ppsim_batch;

/* Each says false where it would have an effect beside its result; the run has not happened then. */
struct ppsim_batch_env {
	void *ctx;
	bool (*uniform)(void *ctx, int address, unsigned int count, uint16_t *halves);
	bool (*varying)(void *ctx, const struct ppsim_batch *b, unsigned int address, unsigned int count, ppsim_column *out);
	/* sample: without lod, coord and mask, which are those of the block i of the columns and of lanes. */
	bool (*sample)(void *ctx, const struct ppsim_batch *b, const struct ppsim_sample *sample, const ppsim_column *coord,
		       const v8f *lod, ppsim_column *out);
};

/* As many columns as registers have components; align to 64 bytes. */
struct ppsim_batch {
	unsigned int n;
	unsigned int instructions;	/* out: of each block's run */
	uint8_t lanes[PPSIM_BATCH];	/* whole quads that run */
	const struct ppsim_batch_env *env;
	ppsim_column file[PPSIM_PLACES][4];
};

struct ppsim_straight;

/* NULL: it branches, has temporaries or reads what a batch has not got. It goes with the program. */
const struct ppsim_straight *ppsim_straight(struct ppsim_program *program);

/* Runs it for the first n blocks. wanted: bit for each register that is looked at behind it. */
bool ppsim_batch_run(const struct ppsim_straight *s, struct ppsim_batch *b, unsigned int wanted);

#endif
