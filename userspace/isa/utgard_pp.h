/* SPDX-License-Identifier: MIT */
/*
 * Utgard PP: the control word, the twelve optional fields behind it, and the
 * places in them. Operands are numbered as Mesa does: arg0 in the low bits
 * (mali-isa-docs calls that one arg1). Sources: Utgard-PP.md, Mesa ir/pp/codegen.h.
 */
#ifndef LIMN_ISA_UTGARD_PP_H
#define LIMN_ISA_UTGARD_PP_H

#include "isa/table.h"

/* Blocks, in the order of their bits in the control word. */
enum pp_block {
	PP_CTRL, PP_VARYING, PP_SAMPLER, PP_UNIFORM, PP_VMUL, PP_SMUL, PP_VADD, PP_SADD,
	PP_COMBINE, PP_TEMP, PP_BRANCH, PP_CONST0, PP_CONST1, PP_BLOCKS
};

enum pp_form {
	PP_F_CTRL, PP_F_VARYING, PP_F_VARYING_REG, PP_F_SAMPLER, PP_F_UNIFORM, PP_F_VMUL, PP_F_SMUL,
	PP_F_VADD, PP_F_SADD, PP_F_COMBINE, PP_F_COMBINE_WIDE, PP_F_COMBINE_MUL, PP_F_COMBINE_PT2,
	PP_F_TEMP, PP_F_FB, PP_F_BRANCH, PP_F_DISCARD, PP_F_CONST0, PP_F_CONST1, PP_FORMS
};

#define PP_MAX_WORDS 31		/* what the length field can say */

/* Bits of each block. */
extern const uint8_t pp_bits[PP_BLOCKS];

/* Control word. */
#define PP_COUNT(w)		((w) & 31)
#define PP_STOP(w)		((w) >> 5 & 1)
#define PP_SYNC(w)		((w) >> 6 & 1)
#define PP_HAS(w, block)	((w) >> (6 + (block)) & 1)
#define PP_NEXT_COUNT(w)	((w) >> 19 & 63)
#define PP_PREFETCH(w)		((w) >> 25 & 1)
#define PP_UNKNOWN(w)		((w) >> 26)

/* What the control word says of the instruction behind it, of that length. */
#define PP_FOLLOWED_BY(n)	((uint32_t)(n) << 19 | 1u << 25)

#define PP_REG_CONST0 12
#define PP_REG_CONST1 13
#define PP_REG_TEXTURE 14
#define PP_REG_UNIFORM 15
#define PP_REG_DISCARD 15	/* as destination of a varying load */

/* Words of an instruction with this control word, as its fields say. */
unsigned int pp_size(uint32_t ctrl);

/*
 * Takes an instruction apart. block[0] is the control word, the others are
 * 0 where absent. Returns the bits behind the last field (padding, 0 usually).
 */
uint32_t pp_split(const uint32_t *words, struct isa_bits *block);

/* Where a branch goes, in words from its own place. */
static inline int pp_target(const struct isa_bits *branch)
{
	return (int)(isa_get(branch, 41, 27) << 5) >> 5;
}

/* The same, from an instruction's words; it has a branch, or a discard. */
int pp_branch_target(const uint32_t *words);

struct isa_messages;
int pp_check(const struct isa *isa, const uint32_t *words, size_t count, struct isa_messages *messages);

#endif
