/* SPDX-License-Identifier: MIT */
/* What the PP decoder hands to the executor. */
#ifndef LIMN_SIM_UTGARD_PP_DECODE_H
#define LIMN_SIM_UTGARD_PP_DECODE_H

#include "isa/utgard_pp.h"
#include "sim/utgard_pp.h"

/* A source: a vec4 with its swizzle, or a scalar register (component = swizzle[0]). */
struct pp_src {
	uint8_t reg, swizzle[4];
	bool absolute, negate;
	bool pipe;		/* of an adder: the multiplier's result instead of the register */
};

/* A field of an instruction: its op and operands, from the row that its bits match. */
struct pp_unit {
	uint16_t id;			/* enum pp_op */
	bool vector;			/* a result of four components is computed */
	bool two, vector_in;		/* the second source is there, and is a vec4 of combine */
	uint8_t props;			/* enum pp_prop */
	struct pp_src src[2];
	uint8_t dest, mask, outmod;	/* outputs: vec4 register and its components */
	float scale;
	/* Memory, varyings, textures: index counts groups of so many scalars. */
	uint8_t components, offset;	/* offset: a scalar register that is added to index; PP_NONE: none */
	int index;
	uint8_t code;			/* a texture's type, a branch's condition */
};

#define PP_NONE 0xff

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
};

#endif
