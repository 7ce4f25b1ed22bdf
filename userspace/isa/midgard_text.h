/* SPDX-License-Identifier: MIT */
/* Midgard: what the parts of the text share. */
#ifndef LIMN_ISA_MIDGARD_TEXT_H
#define LIMN_ISA_MIDGARD_TEXT_H

#include "isa/memo.h"
#include "isa/midgard.h"

/* Where an instruction stands, for those of its operands that need to know. */
struct md_place_in {
	const uint32_t *constants;	/* of the bundle; NULL: it has none */
	/* Writing: */
	uint16_t written;	/* registers 0-15 that were written before: these are no uniforms */
	const uint32_t *labels;	/* by 128-bit word, 0: none; NULL: no labels */
	const struct isa_counter *label_base;	/* the last label before; what their numbers count from in draft */
	struct isa_draft *draft;	/* or NULL */
	size_t words;		/* of the program */
	size_t next;		/* word offset behind the bundle */
	/* Reading: a label that was named as a branch's target. */
	const char *target;
	size_t target_length;
	bool bare;		/* without the kind of bundle there */
};

/* midgard_text.c */
unsigned int md_suffix(struct isa_cursor *c, const char *const *names, unsigned int count);
bool md_uint(struct isa_cursor *c, unsigned int max, unsigned int *v);
int md_component(char ch);
bool md_signed(struct isa_cursor *c, unsigned int bits, uint32_t *v);
int md_sign_extend(uint32_t v, unsigned int bits);
extern const char md_components[17];
extern const char *const md_float_outmods[4];

/*
 * Letters of a swizzle behind its '.', for the components in mask (the mask
 * field of a vector instruction). n: written; read: false when they fit none.
 */
void md_write_letters(struct isa_text *text, unsigned int mode, unsigned int expand, unsigned int swizzle,
		      unsigned int mask);
bool md_read_letters(const char *letters, size_t n, unsigned int mode, unsigned int expand, unsigned int mask,
		     unsigned int *swizzle);

unsigned int md_fill_swizzle(unsigned int swizzle, unsigned int seen);

/* Where a branch's distance (signed, in 128-bit words from the next bundle) and tag are, by its form. */
void md_branch_places(unsigned int form, unsigned int *offset, unsigned int *width, unsigned int *tag);

/* midgard_alu.c */
bool md_read_alu(struct md_place_in *in, struct isa_bits *b, bool vector, char letter, struct isa_cursor *c);
void md_write_alu(struct md_place_in *in, const struct isa_bits *b, bool vector, char letter,
		  struct isa_text *text);

/* midgard_mem.c */
bool md_read_ldst(struct isa_bits *b, char letter, struct isa_cursor *c);
void md_write_ldst(const struct isa_bits *b, char letter, struct isa_text *text);
/* Does this load/store op write its register? */
bool md_ldst_writes(unsigned int op);

/* midgard_tex.c */
bool md_read_tex(struct isa_bits *b, char letter, struct isa_cursor *c);
void md_write_tex(const struct isa_bits *b, char letter, struct isa_text *text);

extern const char *const md_tags[16];

/* midgard_asm.c: the text of a bundle. */
struct md_read_bundle {
	struct md_bundle b;
	struct isa_words raw;	/* .word */
	bool writeout, next_set, stop;
	unsigned int line;
	uint32_t constants[4];
	bool has_constants;	/* though the line that says so may come later */
	struct md_read_target {
		const char *name;	/* the label that a branch names, or NULL */
		size_t length;
		unsigned int line, column, form;
		bool bare;	/* without "-> TAG" */
	} target[2];	/* of the compact and the extended branch */
};

/* One bundle alone, of lines; .word is none. False: it is wrong. Targets point into the text. */
bool md_read_text(const struct isa *isa, const char *text, size_t length, struct md_read_bundle *bundle);
/* The words of a bundle but for its next tag. */
unsigned int md_finish(const struct md_read_bundle *bundle, uint32_t out[16]);

#endif
