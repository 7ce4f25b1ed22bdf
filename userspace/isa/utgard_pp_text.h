/* SPDX-License-Identifier: MIT */
/*
 * Utgard PP: programs as text; private to its files.
 *
 *	utgard_pp_asm.c		lines, labels, fields put together; words to text
 *	utgard_pp_operand.c	operands: each read and written
 */
#ifndef LIMN_ISA_UTGARD_PP_TEXT_H
#define LIMN_ISA_UTGARD_PP_TEXT_H

#include "isa/table.h"
#include "isa/utgard_pp.h"

/* What operands are read and written in. */
struct pp_context {
	const char *target;		/* reading: text of the branch's target; NULL: none */
	size_t target_length;
	int64_t at;			/* writing: where the instruction is, in words */
};

/* For operands[]. */
#define PP_OPERAND(what) \
	bool pp_read_##what(const struct isa_operand *o, struct isa_insn *in, struct isa_cursor *c); \
	void pp_write_##what(const struct isa_operand *o, const struct isa_insn *in, struct isa_text *text)

PP_OPERAND(source);
PP_OPERAND(destination);
PP_OPERAND(component);
PP_OPERAND(shift);
PP_OPERAND(index);
PP_OPERAND(varying);
PP_OPERAND(stored);
PP_OPERAND(halves);
PP_OPERAND(target);

int pp_assemble(const struct isa *isa, const char *text, size_t length, uint32_t **words,
		size_t *count, struct isa_messages *messages);
void pp_disassemble(const struct isa *isa, const uint32_t *words, size_t count, struct isa_text *text);

#endif
