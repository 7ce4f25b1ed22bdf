/* SPDX-License-Identifier: MIT */
/* Midgard: what the parts of the text share. */
#ifndef LIMN_ISA_MIDGARD_TEXT_H
#define LIMN_ISA_MIDGARD_TEXT_H

#include "isa/midgard.h"
#include "isa/program.h"

/* Where an instruction stands, for those of its operands that need to know. */
struct md_place_in {
	const uint32_t *constants;	/* of the bundle; NULL: it has none */
	/* Writing: */
	uint16_t written;	/* registers 0-15 that were written before: these are no uniforms */
	const uint32_t *labels;	/* by 128-bit word, 0: none; NULL: no labels */
	size_t words;		/* of the program */
	size_t next;		/* word offset behind the bundle */
	/* Reading: a label that was named as a branch's target, and whether without the kind of bundle there. */
	struct isa_target target;
	bool bare;
};

extern const char md_components[17];	/* letters of elements; behind them 0 */

/* The element that the letter at the place names, of the first count; count: none. */
unsigned int md_component(const char *at, const char *end, unsigned int count);

/* Custom operands: midgard.c declares their places. */
#define MD_CUSTOM(name) \
	bool md_read_##name(const struct isa_operand *o, struct isa_insn *in, struct isa_cursor *c); \
	void md_write_##name(const struct isa_operand *o, const struct isa_insn *in, struct isa_text *text)

MD_CUSTOM(source);
MD_CUSTOM(vector_dest);
MD_CUSTOM(scalar_dest);
MD_CUSTOM(immediate);

#endif
