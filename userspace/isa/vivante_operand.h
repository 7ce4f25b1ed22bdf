/* SPDX-License-Identifier: MIT */
#ifndef LIMN_ISA_VIVANTE_OPERAND_H
#define LIMN_ISA_VIVANTE_OPERAND_H

#include "isa/table.h"

bool viv_read(void *ctx, struct isa_bits *b, const struct isa_op *op, char letter, struct isa_cursor *c);
void viv_write(void *ctx, const struct isa_bits *b, const struct isa_op *op, char letter,
	       struct isa_text *text);

#endif
