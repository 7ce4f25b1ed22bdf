/* SPDX-License-Identifier: MIT */
/* What the PP decoder hands to the executor. */
#ifndef LIMN_SIM_UTGARD_PP_DECODE_H
#define LIMN_SIM_UTGARD_PP_DECODE_H

#include "isa/utgard_pp.h"
#include "sim/utgard_pp_batch.h"

struct pp_instr {
	int at;				/* words from the shader's start */
	unsigned int next;		/* index of what follows; ~0u: not decoded */
	unsigned int target;		/* index of the branch's target */
	uint16_t has;			/* fields; bit by enum pp_block */
	bool stop;
	const char *fault;		/* cannot run */
	bool unknown;			/* an op without semantics: its field does nothing, or gives 0 */
	struct pp_unit unit[PP_CONST0];
	float constant[2][4];
};

struct ppsim_program {
	struct pp_instr *instr;
	unsigned int count;
	void *places;		/* of tsearch(), by at */
	struct pp_note {
		char text[120];
		int at;
	} *notes;
	unsigned int note_count;
	bool no_memory;
	/* Of utgard_pp_batch.c, when somebody has asked for it and there is one. */
	struct ppsim_straight *straight;
	bool asked;
};

void ppsim_straight_free(struct ppsim_straight *s);

#endif
