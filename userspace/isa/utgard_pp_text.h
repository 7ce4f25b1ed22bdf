/* SPDX-License-Identifier: MIT */
/* Utgard PP: reading and writing operands and programs; private to its files. */
#ifndef LIMN_ISA_UTGARD_PP_TEXT_H
#define LIMN_ISA_UTGARD_PP_TEXT_H

#include "isa/table.h"

/* What a branch needs to know of its place; also what reading one leaves behind. */
struct pp_place {
	int offset;		/* words from the start */
	const char *target;	/* read: the text of the target */
	size_t target_length;
};

bool pp_read(void *ctx, struct isa_bits *block, const struct isa_op *op, char letter,
	     struct isa_cursor *cursor);
void pp_write(void *ctx, const struct isa_bits *block, const struct isa_op *op, char letter,
	      struct isa_text *text);
int pp_assemble(const struct isa *isa, const char *text, size_t length, uint32_t **words,
		size_t *count, struct isa_messages *messages);
char *pp_disassemble(const struct isa *isa, const uint32_t *words, size_t count);

#endif
