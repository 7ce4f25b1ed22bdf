/* SPDX-License-Identifier: MIT */
/* Programs of instructions of one size, one to a line: labels, .word, set; private to the sets. */
#ifndef LIMN_ISA_LINE_H
#define LIMN_ISA_LINE_H

#include "isa/table.h"

#define ISA_LINE_FORMS	4	/* of a set with emit, at most */

/* What an operand's reader and writer get as ctx. */
struct isa_line {
	size_t start;			/* writing: where the line begins in the text */
	unsigned int index;		/* of the instruction */
	size_t count;			/* writing: instructions; each target below has a label */
	/* Reading: the text of a branch's target. */
	const char *target;
	size_t target_length;
};

/* ISA_TARGET: the text of a label or number, looked up when all labels are known. */
bool isa_line_read_target(struct isa_line *line, struct isa_cursor *cursor);

/* A branch's target: "l" and its number, which is its label, or the number alone if there is no such instruction. */
void isa_line_target(const struct isa_line *line, uint32_t target, struct isa_text *text);

/* ".word" and the words, for what has no text of its own. */
void isa_line_words(const uint32_t *words, size_t count, struct isa_text *text);

/*
 * For sets with emit: an instruction without the end of its line, and "set" for what its text does
 * not tell. Room for ISA_LINE_TEXT is there.
 */
#define ISA_LINE_TEXT	1024

/* One instruction without the end of its line, and "set" for what its text does not tell; for sets with operands. */
void isa_line_write(const struct isa *isa, const struct isa_bits *bits, size_t index, size_t count,
		    struct isa_text *text);

struct isa_line_emit {
	const struct isa *isa;
	const struct isa_plan *plans;	/* NULL: out of memory */
	struct isa_bits resets[ISA_LINE_FORMS];
};

void isa_line_emit_begin(struct isa_line_emit *e, const struct isa *isa);
char *isa_line_emit(const struct isa_line_emit *e, const struct isa_bits *b, char *to);

/* For struct isa: every instruction is isa->line_words words, one block, and rows of unit 0. */
int isa_line_assemble(const struct isa *isa, const char *text, size_t length, uint32_t **words,
		      size_t *count, struct isa_messages *messages);
void isa_line_disassemble(const struct isa *isa, const uint32_t *words, size_t count, struct isa_text *text);

#endif
