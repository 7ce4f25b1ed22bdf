/* SPDX-License-Identifier: MIT */
/*
 * Bifrost operations of Mesa's Notes.txt, one function per
 * op, on 32-bit values as bits; and the reductions that compilers build from
 * them. Names are the notes'; today's are in parentheses.
 *
 * A float is m * 2^e with m in [1, 2). GUESS, where the notes are silent:
 * denormals are normalised first, as frexp() does; a mantissa op gives zero,
 * infinity and NaN back as they are; an exponent op gives 0 for them (the seed
 * says so of FRCP_FREXPE alone). GUESS: an op that computes gives the first NaN
 * among its sources, made quiet, and 0x7fc00000 where it makes one.
 */
#ifndef LIMN_SIM_BIFROST_H
#define LIMN_SIM_BIFROST_H

#include <stdbool.h>
#include <stdint.h>

/* Mantissas. */
uint32_t bifrost_log_frexpm(uint32_t x);	/* (FREXPM.log) in [0.75, 1.5) */
uint32_t bifrost_frcp_frexpm(uint32_t x);	/* (FREXPM) in [0.5, 1) */
uint32_t bifrost_fsqrt_frexpm(uint32_t x);	/* (FREXPM.sqrt) in [0.25, 1) */

/* Exponents, as integers. */
int32_t bifrost_frcp_frexpe(uint32_t x);	/* (FREXPE.neg) -e - 1 */
int32_t bifrost_fsqrt_frexpe(uint32_t x);	/* (FREXPE.sqrt) floor(e / 2) + 1 */
int32_t bifrost_frsq_frexpe(uint32_t x);	/* (FREXPE.neg.sqrt) -floor(e / 2) - 1 */
int32_t bifrost_flog_frexpe(uint32_t x);	/* (FREXPE.log) of bifrost_log_frexpm() */

/*
 * Approximations. GUESS: the tables' contents; here the quotient and the root
 * of the part that they look at, rounded to nearest.
 */
uint32_t bifrost_frcp_table(uint32_t x);	/* (FRCP_APPROX) 2/m of m's top 17 bits, x's sign */
uint32_t bifrost_frsq_table(uint32_t x);	/* (FRSQ_APPROX) of FREXPM.sqrt, top 17 bits */
uint32_t bifrost_frcp_approx(uint32_t x);	/* (FLOG_TABLE.red) 5 bits of 1 / LOG_FREXPM */
uint32_t bifrost_frcp_fast(uint32_t x);		/* (FRCP.f32) 1/x, correctly rounded */
uint16_t bifrost_frcp_fast_f16(uint16_t x);	/* (FRCP.f16) the same */

/*
 * 64-bit addition with a small shift: LOW in the FMA slot, HIGH in the ADD
 * slot of the same instruction; carry goes between them and is no register.
 */
enum bifrost_extend { BIFROST_I64, BIFROST_U32, BIFROST_I32 };

struct bifrost_carry {
	bool handed;		/* the FMA slot of this tuple has LSHIFT_ADD_LOW32 */
	uint32_t low;		/* its result */
	enum bifrost_extend extend;
	unsigned int shift;	/* 0 to 7 */
	uint32_t high;		/* what src2 leaves in the high word, without its own high word */
	uint32_t overflow;	/* 0 or 1 */
};

uint32_t bifrost_lshift_add_low32(enum bifrost_extend extend, uint32_t src1, uint32_t src2,
				  unsigned int shift, struct bifrost_carry *carry);
/* src2 counts for BIFROST_I64 only. GUESS: with nothing handed over the two are added. */
uint32_t bifrost_lshift_add_high32(uint32_t src1, uint32_t src2, const struct bifrost_carry *carry);
/*
 * What loads and stores do with their first two sources, an address of 64 bits,
 * behind LSHIFT_ADD_LOW32: .i64: the high words of pointer and offset, the low
 * word comes from it; .u32, .i32: its result and the pointer's high word. Plain
 * sources without it.
 */
void bifrost_shifted_address(const uint32_t src[2], const struct bifrost_carry *carry, uint32_t address[2]);

/* The rest. */
uint32_t bifrost_f16_to_f32_x(uint32_t x);	/* the low half */
uint32_t bifrost_f16_to_f32_y(uint32_t x);	/* the high half */
uint32_t bifrost_mov(uint32_t x);
uint32_t bifrost_mux(uint32_t src0, uint32_t src1, uint32_t src2);	/* (MUX.bit) */
/* (src0 << shift | src1), the shift modulo 32: GUESS */
uint32_t bifrost_lshift_or(uint32_t src0, uint32_t src1, uint32_t shift);

/*
 * (FMA_RSCALE.f32) (a * b + c) * 2^scale, rounded once. Saturates as ldexp()
 * does. Zero times infinity counts as zero: what the reductions need to let
 * the tables' special cases through (GUESS for Mesa's special modes).
 */
uint32_t bifrost_fma_rscale(uint32_t a, uint32_t b, uint32_t c, int32_t scale);

/*
 * Reductions, in the order of Mesa's bi_lower_*. Error of any input, subnormal
 * ones and results included, in units of the last place of the float next to the
 * exact value (Documentation/isa/bifrost.rst says what is tried). What is too large
 * is infinity. Of minus zero, infinity, NaN and negative numbers: as C's
 * functions, and NaN as NaN with its payload.
 */
#define BIFROST_RCP_ULP		0.51
#define BIFROST_RSQ_ULP		0.86
#define BIFROST_SQRT_ULP	0.51
#define BIFROST_LOG2_ULP	1.09
#define BIFROST_EXP2_ULP	0.98
uint32_t bifrost_rcp(uint32_t x);
uint32_t bifrost_rsq(uint32_t x);
uint32_t bifrost_sqrt(uint32_t x);
uint32_t bifrost_log2(uint32_t x);
uint32_t bifrost_exp2(uint32_t x);

/*
 * One slot instruction as isa/bifrost.c has them, with its sources' values.
 * What leaves the arithmetic units goes to callbacks; NULL: nothing, reads 0.
 */
struct bifrost_env {
	void *ctx;
	/* LOAD.i128 (LD_UBO.v4i32): segment as encoded, 4 is a UBO; offset and binding. */
	void (*load)(void *ctx, unsigned int segment, const uint32_t src[2], uint32_t out[4]);
	/* LEA_ATTR (LD_VAR_ADDR): vertex, instance and number; the register format, 8: the descriptor's. */
	void (*address)(void *ctx, unsigned int format, const uint32_t src[3], uint32_t out[3]);
	/* ST_CVT (ST_VAR): address and type as LD_VAR_ADDR gave them; components. */
	void (*store)(void *ctx, const uint32_t src[3], unsigned int count, const uint32_t data[4]);
	/* BLEND: coverage and the descriptor's words, colour. */
	void (*blend)(void *ctx, const uint32_t src[3], const uint32_t color[4]);
	/*
	 * ATEST: sample mask in, alpha; the mask that is left. Without a callback
	 * bifrost_coverage() of both.
	 */
	uint32_t (*atest)(void *ctx, uint32_t mask, float alpha);
};

struct bifrost_lane {
	uint32_t src[4];		/* in: values of the sources that the instruction names */
	uint32_t result;		/* out, of ops that have one */
	uint32_t staging[4];		/* the data register of memory ops and BLEND, both ways */
	struct bifrost_carry carry;	/* from FMA to ADD within a tuple */
	bool discard;			/* out of DISCARD: the fragment is gone */
};

/*
 * Alpha to coverage of four samples: the first of them up to alpha's quarter.
 * GUESS: which samples, and how alpha is rounded (to nearest; NaN is none).
 */
uint32_t bifrost_coverage(uint32_t mask, float alpha);

/* False: nobody has named this instruction (or this mode of it); nothing happened. */
bool bifrost_execute(uint32_t word, struct bifrost_lane *lane, const struct bifrost_env *env);

#endif
