/* SPDX-License-Identifier: MIT */
/* Utgard GP: reading and writing operands and programs; private to its files. */
#ifndef LIMN_ISA_UTGARD_GP_TEXT_H
#define LIMN_ISA_UTGARD_GP_TEXT_H

#include "isa/table.h"

bool gp_read(void *ctx, struct isa_bits *block, const struct isa_op *op, char letter,
	     struct isa_cursor *cursor);
void gp_write(void *ctx, const struct isa_bits *block, const struct isa_op *op, char letter,
	      struct isa_text *text);
int gp_assemble(const struct isa *isa, const char *text, size_t length, uint32_t **words,
		size_t *count, struct isa_messages *messages);
void gp_disassemble(const struct isa *isa, const uint32_t *words, size_t count, struct isa_text *text);
/*
 * What these lines of instruction number index alone assemble to; loads: they
 * say what register unit 0 loads. False: they do not assemble.
 */
bool gp_read_back(const struct isa *isa, const char *text, size_t length, size_t index, struct isa_bits *bits,
		  bool *loads);

unsigned int gp_operand_place(unsigned int unit, char letter, unsigned int *neg);
bool gp_source_is_ident(unsigned int unit, char letter);

#endif
