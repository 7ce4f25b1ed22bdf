/* SPDX-License-Identifier: MIT */
/*
 * What the PP decoder hands to the executor: instructions, each as a list of calls that do what its
 * units do. A call works on a machine, which is a batch of blocks or a state, of one block.
 */
#ifndef LIMN_SIM_UTGARD_PP_DECODE_H
#define LIMN_SIM_UTGARD_PP_DECODE_H

#include "isa/utgard_pp.h"
#include "sim/utgard_pp.h"

/* A component of a register: its column. As bits of 64 they are those of the registers 0-15. */
#define PP_PLACE(reg, c)	((uint8_t)((reg) * 4 + (c)))

struct pp_machine {
	v8f *file;			/* a column for each place, stride blocks long */
	unsigned int n, stride;		/* blocks; 1 and 1 of a state */
	const struct ppsim_env *env;
	unsigned int mask;		/* lanes that write to registers; a batch's all do */
	struct ppsim_state *state;	/* NULL: a batch */
	int at;				/* of the instruction, of a state's */
	unsigned int taken;		/* out: lanes that branch or end */
};

/* A column for each component, and what is done to its bits. */
struct pp_operand {
	uint8_t at[4];
	uint32_t keep, flip;
};

/* False: a batch's environment has refused. */
struct pp_call;
typedef bool pp_call_function(struct pp_machine *m, const struct pp_call *call);

struct pp_call {
	pp_call_function *run;
	const struct pp_unit *unit;
	struct pp_operand a, b;
	bool modified;			/* a or b is */
	uint8_t s0;			/* place of the scalar multiplier's result */
	uint8_t comps;			/* to be computed */
	uint8_t out;			/* register of the result, as it is */
	uint8_t dest, mask;		/* of a write to a register that the shader sees */
	const float *constant;
};

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
	/* Of utgard_pp_calls.c. */
	struct pp_call *call;
	unsigned int calls;
	uint64_t reads, writes;		/* places: read before this writes to them; written */
	bool alone;			/* no batch can do it */
	bool place;			/* reads fragcoord, pointcoord or frontfacing */
};

struct ppsim_program {
	struct pp_instr *instr;
	unsigned int count;
	void *places;		/* of tsearch(), by at */
	struct isa_messages notes;
	bool no_memory;
	struct pp_call *call;	/* of all instructions */
	bool reads_place;
	/* Of a straight program; else 0. */
	unsigned int length;
	uint64_t reads, writes;
};

/* The calls of all instructions; false: out of memory. */
bool pp_add_calls(struct ppsim_program *program);

static inline v8f *pp_column(const struct pp_machine *m, unsigned int place)
{
	return m->file + place * m->stride;
}

static inline bool pp_execute(struct pp_machine *m, const struct pp_instr *in)
{
	for (unsigned int i = 0; i < in->calls; i++)
		if (!in->call[i].run(m, &in->call[i]))
			return false;
	return true;
}

#endif
