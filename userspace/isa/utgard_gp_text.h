/* SPDX-License-Identifier: MIT */
/*
 * Utgard GP: programs as text; private to its files.
 *
 *	utgard_gp_asm.c		lines, labels, what came before; words to text
 *	utgard_gp_operand.c	sources, destinations, names of results: each read and written
 */
#ifndef LIMN_ISA_UTGARD_GP_TEXT_H
#define LIMN_ISA_UTGARD_GP_TEXT_H

#include "isa/table.h"
#include "isa/utgard_gp.h"

/* How far back a name is looked for, to say how old it is. A power of two. */
#define NAME_REACH 64

struct gp_name {
	const char *at;
	size_t length;
};

/* An instruction being read. */
struct gp_insn {
	struct isa_bits bits;
	unsigned int line;
	bool content;
	/* What several operands may claim is claimed. */
	bool load, reg0, reg1, store[2], acc_op, mul_op;
	uint16_t units;			/* used, two bits for those that use both multipliers */
	struct gp_name results[GP_RESULTS];
};

struct gp_fixup {
	struct gp_name name;
	size_t index;			/* of the instruction */
	unsigned int line, column;
};

/* What operands are read and written in. */
struct gp_text {
	const struct isa *isa;
	struct isa_messages *messages;
	struct gp_insn insns[NAME_REACH];	/* the last ones, by their number's low bits */
	size_t count;			/* the last one is open when open is set */
	bool open;
	struct isa_bits reset;
	struct isa_words out;		/* all but the last two */
	struct isa_labels labels;
	const char *start;		/* of the line being read */
	unsigned int line;
	struct gp_fixup *fixups;
	size_t fixup_count, fixup_room;
	struct isa_words tail;		/* .word that is no whole instruction */
	struct gp_name target;		/* branch target of the statement being read */
	bool no_memory;
	/* Words to text: the instruction being written, and the one before it, or NULL. */
	size_t number;
	const struct isa_bits *previous;
};

static inline struct gp_insn *gp_insn(struct gp_text *t, size_t number)
{
	return &t->insns[number % NAME_REACH];
}

static inline struct gp_insn *gp_current(struct gp_text *t)
{
	return gp_insn(t, t->count - 1);
}

struct gp_name gp_read_name(struct isa_cursor *c);

/* For operands[]. */
#define GP_OPERAND(what) \
	bool gp_read_##what(const struct isa_operand *o, struct isa_insn *in, struct isa_cursor *c); \
	void gp_write_##what(const struct isa_operand *o, const struct isa_insn *in, struct isa_text *text)

GP_OPERAND(destination);
GP_OPERAND(source);
GP_OPERAND(limit);
GP_OPERAND(condition);
GP_OPERAND(target);

int gp_assemble(const struct isa *isa, const char *text, size_t length, uint32_t **words,
		size_t *count, struct isa_messages *messages);
void gp_disassemble(const struct isa *isa, const uint32_t *words, size_t count, struct isa_text *text);

#endif
