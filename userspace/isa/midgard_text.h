/* SPDX-License-Identifier: MIT */
/* Midgard: what the parts of the text share. */
#ifndef LIMN_ISA_MIDGARD_TEXT_H
#define LIMN_ISA_MIDGARD_TEXT_H

#include "isa/midgard.h"

#define MD_LDST_NOP 3	/* a load/store instruction that is nothing, and goes without saying as the second one */

/* Where an instruction stands, for those of its operands that need to know. */
struct md_place_in {
	const uint32_t *constants;	/* of the bundle; NULL: it has none */
	/* Writing: */
	uint16_t written;	/* registers 0-15 that were written before: these are no uniforms */
	const uint32_t *labels;	/* by 128-bit word, 0: none; NULL: no labels */
	size_t words;		/* of the program */
	size_t next;		/* word offset behind the bundle */
	/* Reading: a label that was named as a branch's target. */
	const char *target;
	size_t target_length;
	bool bare;		/* without the kind of bundle there */
};

extern const char md_components[17];	/* letters of elements; behind them 0 */
extern const char *const md_tags[16];

/* The element that a letter names, -1: none. */
int md_component(char ch);
/* A letter of the first count components. */
bool md_read_component(struct isa_cursor *c, unsigned int count, unsigned int *comp);
bool md_uint(struct isa_cursor *c, unsigned int max, unsigned int *v);
/* Bits of operand o's place i. */
uint32_t md_at(const struct isa_operand *o, const struct isa_bits *bits, unsigned int i);
void md_put_at(const struct isa_operand *o, struct isa_bits *bits, unsigned int i, uint32_t v);

/*
 * Letters of selectors behind a '.', of components 0 to 15 whose bits are set: those of a source as
 * encoded. Reading: the swizzle that gives the elements allowed[component], false when there is none.
 */
void md_write_letters(struct isa_text *text, unsigned int mode, const struct md_source *s, unsigned int components);
bool md_read_letters(struct isa_cursor *c, unsigned int mode, unsigned int expand, unsigned int components,
		     unsigned int *swizzle);

/* Custom operands: midgard.c declares their places. */
#define MD_CUSTOM(name) \
	bool md_read_##name(const struct isa_operand *o, struct isa_insn *in, struct isa_cursor *c); \
	void md_write_##name(const struct isa_operand *o, const struct isa_insn *in, struct isa_text *text)

MD_CUSTOM(code);
MD_CUSTOM(width);
MD_CUSTOM(source);
MD_CUSTOM(vector_dest);
MD_CUSTOM(scalar_dest);
MD_CUSTOM(immediate);
MD_CUSTOM(lut);
MD_CUSTOM(target);
MD_CUSTOM(loaded);
MD_CUSTOM(stored);
MD_CUSTOM(swizzled);
MD_CUSTOM(index);
MD_CUSTOM(offset);
MD_CUSTOM(vertex);
MD_CUSTOM(ubo);
MD_CUSTOM(number);
MD_CUSTOM(result);
MD_CUSTOM(handle);
MD_CUSTOM(swizzle);
MD_CUSTOM(coordinate);
MD_CUSTOM(level);
MD_CUSTOM(barrier);

/* midgard_asm.c: the text of a bundle. */
struct md_text {
	struct md_bundle b;
	struct isa_words raw;	/* .word */
	bool writeout, next_set, stop;
	unsigned int line;
	struct md_target {
		const char *name;	/* the label that a branch names, or NULL */
		size_t length;
		unsigned int line, column, form;
		bool bare;	/* without "-> TAG" */
	} target[2];	/* of the compact and the extended branch */
};

/* One bundle alone, of lines; .word is none. False: it is wrong. Targets point into the text. */
bool md_read_text(const struct isa *isa, const char *text, size_t length, struct md_text *bundle);
/* The words of a bundle but for its next tag; 0: it does not fit. */
unsigned int md_finish(const struct md_text *bundle, uint32_t out[16]);

#endif
