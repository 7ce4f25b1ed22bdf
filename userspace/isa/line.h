/* SPDX-License-Identifier: MIT */
/* Programs of instructions of one size, one to a line: labels, .word, set; private to the sets. */
#ifndef LIMN_ISA_LINE_H
#define LIMN_ISA_LINE_H

#include "isa/table.h"

/* What an operand's reader and writer get as ctx. */
struct isa_line {
	size_t start;			/* writing: where the line begins in the text */
	unsigned int index;		/* of the instruction */
	/* Reading a branch target: its text, and where the index goes. */
	const char *target;
	size_t target_length;
	unsigned int target_lo, target_width;
};

/* For struct isa: every instruction is isa->line_words words, one block, and rows of unit 0. */
int isa_line_assemble(const struct isa *isa, const char *text, size_t length, uint32_t **words,
		      size_t *count, struct isa_messages *messages);
void isa_line_disassemble(const struct isa *isa, const uint32_t *words, size_t count, struct isa_text *text);

#endif
