/* SPDX-License-Identifier: MIT */
/* Inside the Bifrost simulator: a program taken apart, and what its slots share while it runs. */
#ifndef LIMN_SIM_BIFROST_CODE_H
#define LIMN_SIM_BIFROST_CODE_H

#include "isa/bifrost.h"
#include "sim/bifrost.h"
#include "sim/vector.h"

/* ".v2f16": two elements of 16 bits, floats. */
struct bf_type {
	uint8_t count, bits;
	char kind;		/* 'f', 's', 'u', 'i' */
};

/* One element of one lane: as a float, as that's bits, as an integer extended by its type; and all of the source. */
struct bf_element {
	double f;
	int64_t i;
	uint32_t bits, w;
};

/* What FMA hands to ADD beside its result. */
struct bf_carry {
	bool shadd, wide;
	uint32_t low, high, overflow, shift, face;
	uint8_t atomic;		/* enum bf_word; 0: none */
};

struct bf_insn;
struct bf_run;
struct bf_lane;
typedef void bf_body(const struct bf_lane *q, struct bf_element *r);
typedef void bf_lane_body(struct bf_lane *l);

struct bf_insn {
	const struct isa_op *op;
	bf_body *body;			/* of each element, or NULL; and behind that */
	bf_lane_body *lane;		/* of a lane, or NULL; both: it has no semantics */
	struct bf_type from, to;
	enum { BF_MAKES_WORD, BF_MAKES_FLOAT, BF_MAKES_BITS, BF_MAKES_INT, BF_MAKES_TRUTH } makes;
	uint8_t sources;
	struct bf_value source[BF_SOURCES];
	uint8_t words[BF_KIND_COUNT][BF_NAME + 1];	/* by kind and place; BFW_none */
	uint32_t number[2];
};

struct bf_tuple_code {
	struct bf_insn slot[2];
	struct bf_dest dest[2];
};

struct bf_clause_code {
	unsigned int length, count;	/* 128-bit words, 0: no clause begins here; tuples */
	uint64_t header;
	struct bf_tuple_code tuples[BIFROST_TUPLES];
};

#define BF_END		UINT32_MAX	/* of where a lane goes: it has ended */
#define BF_NOWHERE	(UINT32_MAX - 1)

/* The lanes that run together. */
struct bf_run {
	struct bfsim_state *s;
	const struct bf_clause_code *code;
	unsigned int lanes;
	unsigned int at;
	v8u next;			/* of each lane: where it goes behind the clause */
	v8u sources[BF_SOURCES];	/* of the slot */
	struct bf_carry carry[SIM_LANES];
};

/* An op in one of them. */
struct bf_lane {
	struct bf_run *t;
	const struct bf_insn *k;
	const struct mdsim_io *io;
	unsigned int lane;
	struct bf_carry *carry;
	struct bf_element s[BF_SOURCES];	/* of messages w alone */
	union mdsim_reg data;		/* of messages: the first four data registers */
	unsigned int out;		/* how many of them are written */
	uint32_t result;		/* of the op's arithmetic, or 0; and of the op */
};

#define bf_mod(k, kind) ((k)->words[BFK_##kind][BF_NAME])

/* Names an op that is not executed, all of it or what it is to do here, and its clause. */
void bf_not_executed(struct bf_run *t, const struct isa_op *op);

/* bifrost_alu.c */
/* How a float is split: mantissa in [0.5, 1), exponent e + 1; .sqrt: [0.25, 1), floor(e / 2) + 1; .log: [0.75, 1.5) */
enum bf_split { BF_SPLIT, BF_SPLIT_SQRT, BF_SPLIT_LOG };

uint32_t bifrost_frexpm(uint32_t x, enum bf_split how);
int32_t bifrost_frexpe(uint32_t x, enum bf_split how);	/* of the notes' FRCP and FRSQ .neg changes the sign */

/*
 * Approximations. GUESS(bf-approximations): the tables' contents; here the quotient and the root
 * of the part that they look at, rounded to nearest.
 */
uint32_t bifrost_frcp_table(uint32_t x);	/* (FRCP_APPROX) 2/m of m's top 17 bits, x's sign */
uint32_t bifrost_frsq_table(uint32_t x);	/* (FRSQ_APPROX) of FREXPM.sqrt, top 17 bits */
uint32_t bifrost_frcp_approx(uint32_t x);	/* (FLOG_TABLE.red) 5 bits of 1 / LOG_FREXPM */

/* a * b + c, whose last place says whether it is inexact: rounded once more it is rounded right. */
double bifrost_fma_odd(double a, double b, double c);

void bf_decode_insn(struct bf_insn *k, const struct bf_slot *slot);
void bf_run_alu(struct bf_lane *l);

/* bifrost_mem.c */
extern bf_lane_body *const bf_lane_bodies[BF_OPS];
void bf_run_message(struct bf_lane *l);

#endif
