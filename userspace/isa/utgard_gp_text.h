/* SPDX-License-Identifier: MIT */
/* Utgard GP: reading and writing operands and programs; private to its files. */
#ifndef LIMN_ISA_UTGARD_GP_TEXT_H
#define LIMN_ISA_UTGARD_GP_TEXT_H

#include "isa/table.h"
#include "isa/utgard_gp.h"

bool gp_read(void *ctx, struct isa_bits *block, const struct isa_op *op, char letter,
	     struct isa_cursor *cursor);
void gp_tells(const struct isa_op *op, char letter, struct isa_bits *told);
int gp_assemble(const struct isa *isa, const char *text, size_t length, uint32_t **words,
		size_t *count, struct isa_messages *messages);
void gp_disassemble(const struct isa *isa, const uint32_t *words, size_t count, struct isa_text *text);
/* Where unit's operand A, B, C, E is; *neg is its negation bit or 0. */
static inline unsigned int gp_operand_place(unsigned int unit, char letter, unsigned int *neg)
{
	static const struct {
		uint8_t src[4], neg[2];
	} place[GP_UNITS] = {
		[GP_A0] = { { GP_acc0_src0, GP_acc0_src1 }, { GP_acc0_src0_neg, GP_acc0_src1_neg } },
		[GP_A1] = { { GP_acc1_src0, GP_acc1_src1 }, { GP_acc1_src0_neg, GP_acc1_src1_neg } },
		[GP_M0] = { { GP_mul0_src0, GP_mul0_src1 }, { 0, GP_mul0_neg } },
		[GP_M1] = { { GP_mul1_src0, GP_mul1_src1 }, { 0, GP_mul1_neg } },
		[GP_P] = { { GP_pass_src }, { 0 } },
		[GP_C] = { { GP_complex_src }, { 0 } },
		[GP_M01] = { { GP_mul0_src0, GP_mul0_src1, GP_mul1_src0, GP_mul1_src1 }, { 0 } },
	};
	unsigned int i = letter == 'E' ? 3 : letter - 'A';

	*neg = i < 2 ? place[unit].neg[i] : 0;
	return place[unit].src[i];
}

/* Source 22 is 0 or 1 as the second operand of an ALU, else the complex result. */
static inline bool gp_source_is_ident(unsigned int unit, char letter)
{
	switch (unit) {
	case GP_A0: case GP_A1: case GP_M0: case GP_M1:
		return letter == 'B';
	case GP_M01:
		return letter == 'B' || letter == 'E';
	default:
		return false;
	}
}

#endif
