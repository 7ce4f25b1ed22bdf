/* SPDX-License-Identifier: MIT */
/* Inside the Midgard simulator: a program taken apart, and what its units share while it runs. */
#ifndef LIMN_SIM_MIDGARD_CODE_H
#define LIMN_SIM_MIDGARD_CODE_H

#include "isa/midgard.h"
#include "sim/midgard.h"
#include "sim/vector.h"

#define MD_CONDITION	31

/* A component of a lane: of up to 32 bits, or of 64. */
union md_value {
	float f;
	int32_t i;
	uint32_t u;
	double d;
	int64_t l;
	uint64_t ul;
};

/* Operands of a body of midgard_sem.inc. */
struct md_args {
	const union md_value *x, *y;	/* the component, or, of ops across components, all of them */
	union md_value z;		/* selector */
	unsigned int bits, c;
};

typedef void md_body(union md_value *result, const struct md_args *args);

/* One instruction of a vector or scalar unit. */
struct md_alu {
	const struct isa_op *op;
	md_body *body;			/* NULL: it has no semantics */
	struct md_source source[2];
	union md_value immediate;
	uint8_t dest, bits, dest_bits, outmod;
	uint8_t count;			/* of components that are written */
	uint8_t component[16], element[16];	/* which ones, and where in dest */
};

struct md_lane;
typedef void md_lane_body(struct md_lane *l);

/* One instruction of the load/store or texture unit. */
struct md_mem {
	const struct isa_op *op;
	md_lane_body *body;		/* of the load/store unit */
	struct isa_bits bits;
};

struct md_code {
	uint8_t words;			/* 0: no bundle begins here */
	uint8_t stage[2];		/* ALU instructions in each */
	uint8_t memory;			/* load/store and texture instructions */
	bool stops, last_alu;		/* the next tag says that none follows; the next bundle is an ALU one */
	uint8_t writes_r1;		/* components; 32 bits of them */
	struct md_alu alu[5];
	struct md_mem mem[2];
	v8u constants[4];
	struct md_branch {
		const struct isa_op *op;	/* NULL: there is none */
		uint32_t condition;
		int distance;
		bool ends;		/* the tag says that nothing is there */
	} branch[2];
};

/* The lanes that run together. */
struct md_run {
	struct mdsim_state *s;
	const struct md_code *code;
	unsigned int lanes, live;	/* as masks: those, and all that have not ended */
	unsigned int at;
	v8u pc;				/* where each of live goes on; the lanes that run, once they part */
	v8u from[MDSIM_REGISTERS][4];	/* registers as the stage found them, which its units read; they write to s->r */
};

/* A callback of a lane's io, if it is there; of Bifrost's too. */
#define md_call(l, name, ...) ((l)->io->name ? (l)->io->name((l)->io->ctx, (l)->lane, __VA_ARGS__) : (void)0)

/* Where the ALU and load/store units write a register. */
static inline unsigned int md_written(unsigned int reg)
{
	return reg == 28 || reg == 29 ? reg - 28 + MDSIM_AT0 : reg;
}

/* An element of up to 32 bits of a register in one lane. */
static inline uint32_t md_get_element(const v8u r[4], unsigned int element, unsigned int bits, unsigned int lane)
{
	unsigned int each = 32 / bits;

	return (uint32_t)isa_low(r[element / each & 3][lane] >> element % each * bits, bits);
}

static inline void md_put_element(struct md_run *t, unsigned int reg, unsigned int element, unsigned int bits,
				  unsigned int lane, uint32_t v)
{
	unsigned int each = 32 / bits, shift = element % each * bits;
	uint32_t mask = (uint32_t)isa_low(~0u, bits) << shift;

	element = element / each & 3;
	t->s->r[reg][element][lane] = (t->s->r[reg][element][lane] & ~mask) | (v << shift & mask);
	t->s->registers_written[reg] |= 1 << element;
}

/* midgard_alu.c */
void md_decode_alu(const struct isa_op *op, const struct isa_bits *block, struct md_alu *k);
void md_run_alu(struct md_run *t, const struct md_alu *k);
double md_clamp(double v, unsigned int outmod);

/* midgard_mem.c */
extern md_lane_body *const md_lane_bodies[MD_OPS];
void md_run_ldst(struct md_run *t, const struct md_mem *k);
void md_run_texture(struct md_run *t, const struct md_mem *k);

/* An atomic op's new value; a, b: old and v as signed numbers of their size. Bifrost's do the same. */
typedef uint64_t md_update(uint64_t old, uint64_t v, uint64_t compare, int64_t a, int64_t b);
md_update md_update_AADD, md_update_AAND, md_update_AOR, md_update_AXOR, md_update_XCHG, md_update_CMPXCHG;
md_update md_update_ASMIN, md_update_ASMAX, md_update_AUMIN, md_update_AUMAX;

/* What a cube map's descriptor says, as a direction whose longest axis is 1; Bifrost has the same. */
void md_cube_direction(uint64_t descriptor, float direction[3]);

#endif
