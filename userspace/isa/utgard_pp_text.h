/* SPDX-License-Identifier: MIT */
/* Utgard PP: reading and writing operands and programs; private to its files. */
#ifndef LIMN_ISA_UTGARD_PP_TEXT_H
#define LIMN_ISA_UTGARD_PP_TEXT_H

#include "isa/memo.h"
#include "isa/table.h"

/* Reading: the text of a branch's target. */
struct pp_target {
	const char *at;
	size_t length;
};

struct pp_writer {
	struct isa_tell tell;		/* of the block being written */
	struct isa_counter offset;	/* words from the start */
	struct isa_draft *draft;	/* NULL: nothing is kept */
	const char *text;		/* that the draft's offsets count in */
};

bool pp_read(void *ctx, struct isa_bits *block, const struct isa_op *op, char letter,
	     struct isa_cursor *cursor);
/* An operand, told as the row's plan says but for what it takes away from w->tell. */
char *pp_write(struct pp_writer *w, const struct isa_bits *block, const struct isa_op *op, char letter, char *to);
void pp_tells(const struct isa_op *op, char letter, struct isa_bits *told);
int pp_assemble(const struct isa *isa, const char *text, size_t length, uint32_t **words,
		size_t *count, struct isa_messages *messages);
void pp_disassemble(const struct isa *isa, const uint32_t *words, size_t count, struct isa_text *text);

#endif
