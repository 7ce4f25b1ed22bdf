/* SPDX-License-Identifier: MIT */
/* What the PP decoder hands to the executor. Operand names follow Mesa: arg0 is the lower one. */
#ifndef LIMN_SIM_UTGARD_PP_DECODE_H
#define LIMN_SIM_UTGARD_PP_DECODE_H

#include "sim/utgard_pp.h"

enum pp_field {
	PP_VARYING, PP_SAMPLER, PP_UNIFORM, PP_VEC4_MUL, PP_FLOAT_MUL, PP_VEC4_ACC,
	PP_FLOAT_ACC, PP_COMBINE, PP_TEMP_WRITE, PP_BRANCH, PP_CONST0, PP_CONST1, PP_FIELDS
};

/* A source: a vec4 with its swizzle, or one scalar register (component = swizzle[0]). */
struct pp_src {
	uint8_t reg, swizzle[4];
	bool absolute, negate;
};

struct pp_alu {
	uint8_t op, dest, mask, outmod;	/* dest: vec4 register; scalar units: mask has one bit or none */
	bool mul_in;
	struct pp_src arg[2];
};

enum pp_varying_kind {
	PP_LOAD_VARYING, PP_LOAD_REGISTER, PP_LOAD_CUBE_VARYING, PP_LOAD_CUBE_REGISTER,
	PP_LOAD_NORMALIZE, PP_LOAD_FRAGCOORD, PP_LOAD_POINTCOORD, PP_LOAD_FRONTFACING,
};

enum pp_combine_kind { PP_COMBINE_SCALAR, PP_COMBINE_ATAN_PT1, PP_COMBINE_ATAN_PT2, PP_COMBINE_VECTOR };

/* Loads and stores of memory: index counts groups of (1 << align) scalars. */
struct pp_memory {
	uint8_t source, align, reg;
	bool offset_enable;
	uint8_t offset;			/* scalar register */
	int index;
};

struct pp_instr {
	int at;				/* words from the shader's start */
	unsigned int next;		/* index of what follows; ~0u: not decoded */
	unsigned int target;		/* index of the branch's target */
	uint16_t fields;
	bool stop;
	const char *fault;		/* cannot run */
	bool unknown;			/* an op nobody has named */

	struct {
		uint8_t kind, divide, components, dest, mask, index, offset;
		bool offset_enable;
		struct pp_src src;
	} varying;
	struct {
		uint16_t index;
		uint8_t type, lod_reg, offset;
		bool offset_enable, lod_enable, explicit_lod;
	} sampler;
	struct pp_memory uniform;
	struct pp_alu vmul, fmul, vacc, facc;
	struct {
		uint8_t kind, op, dest, mask, outmod;
		struct pp_src arg[2];
	} combine;
	struct pp_memory store;
	struct { bool is_read, color; uint8_t dest; } fb;
	struct {
		bool discard, gt, eq, lt;
		struct pp_src arg[2];
	} branch;
	float constant[2][4];
};

struct pp_note {
	const char *text;
	int at;
};

struct ppsim_program {
	struct pp_instr *instr;
	unsigned int count, room;
	unsigned int *slots;	/* two for each of room: hashed by at, an index and one; 0: free */
	struct pp_note *notes;
	unsigned int note_count;
	bool no_memory;
};

#endif
