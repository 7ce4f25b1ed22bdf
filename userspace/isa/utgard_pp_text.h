/* SPDX-License-Identifier: MIT */
/* Utgard PP: reading and writing operands and programs; private to its files. */
#ifndef LIMN_ISA_UTGARD_PP_TEXT_H
#define LIMN_ISA_UTGARD_PP_TEXT_H

#include "isa/memo.h"
#include "isa/table.h"

/* What a branch needs to know of its place; also what reading one leaves behind. */
struct pp_place {
	int offset;		/* words from the start */
	struct isa_draft *draft;	/* write: where the target is noted as a number that goes with the place */
	const char *target;	/* read: the text of the target */
	size_t target_length;
};

bool pp_read(void *ctx, struct isa_bits *block, const struct isa_op *op, char letter,
	     struct isa_cursor *cursor);
void pp_write(void *ctx, const struct isa_bits *block, const struct isa_op *op, char letter,
	      struct isa_text *text);
int pp_assemble(const struct isa *isa, const char *text, size_t length, uint32_t **words,
		size_t *count, struct isa_messages *messages);
void pp_disassemble(const struct isa *isa, const uint32_t *words, size_t count, struct isa_text *text);

/* What one instruction's text means depends on these. */
struct pp_surroundings {
	int64_t offset;
	uint32_t next;		/* bits of the control word: PP_FOLLOWED_BY(length), or 0 at the end */
	/* Stated length of what begins at that offset, 0: nothing does. */
	unsigned int (*size_at)(const struct pp_surroundings *around, int64_t offset);
};

/* What the text of one instruction, without its label, assembles to. False: it does not. */
bool pp_read_back(const struct isa *isa, const char *text, size_t length, const struct pp_surroundings *around,
		  uint32_t words[32]);

#endif
