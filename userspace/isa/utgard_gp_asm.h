/* SPDX-License-Identifier: MIT */
/*
 * Utgard GP: an assembly being read.
 *
 *	utgard_gp_asm.c		lines, labels, what came before
 *	utgard_gp_operand.c	sources, destinations, names of results
 */
#ifndef LIMN_ISA_UTGARD_GP_ASM_H
#define LIMN_ISA_UTGARD_GP_ASM_H

#include <string.h>

#include "isa/emit.h"
#include "isa/recall.h"
#include "isa/table.h"
#include "isa/utgard_gp.h"

/* How far back a name is looked for, to say how old it is. A power of two. */
#define NAME_REACH 64

struct name {
	const char *at;
	size_t length;
	uint64_t key;		/* its last eight characters */
};

/* Resources of an instruction that several operands may claim. */
struct claims {
	bool load, reg0, reg1, store[2], acc_op, mul_op;
	uint16_t units;
};

struct insn {
	struct isa_bits bits;
	struct claims claims;
	unsigned int line;
	bool content, named;		/* named: results are there */
	struct name results[GP_RESULTS];
};

struct fixup {
	struct name name;
	size_t index;
	unsigned int line, column;
};

struct gp_asm {
	const struct isa *isa;
	struct isa_messages *messages;
	struct insn insns[NAME_REACH];	/* the last ones, by their number's low bits */
	size_t count;			/* the last one is open when open is set */
	bool open;
	struct isa_bits reset;
	struct isa_words out;		/* all but the last two */
	struct isa_labels labels;
	const char *start;		/* of the line being read */
	unsigned int line;
	struct fixup *fixups;
	size_t fixup_count, fixup_room;
	struct isa_words tail;		/* .word that is no whole instruction */
	struct name target;		/* branch target of the statement being read */
	struct isa_recall recall;
	struct isa_counter results;	/* the last one of the instruction being read, by Mesa's numbers */
	size_t odd;			/* instructions up to the last one with results not numbered as Mesa does */
	struct run {			/* of lines, being read: what it will be known by */
		const char *end;	/* NULL: of none */
		char key[ISA_RECALL_TEXT + 8];
		size_t length;
		size_t count, fixups, labels, messages;	/* as they were before it */
		unsigned int line;
	} run;
	bool no_memory;
};

static inline bool gp_same(struct name a, struct name b)
{
	return a.key == b.key && a.length == b.length && a.length && (a.length <= 8 || !memcmp(a.at, b.at, a.length));
}

static inline struct insn *gp_insn(struct gp_asm *as, size_t number)
{
	return &as->insns[number % NAME_REACH];
}

static inline struct insn *gp_current(struct gp_asm *as)
{
	return gp_insn(as, as->count - 1);
}

struct name gp_read_name(struct isa_cursor *c);

#endif
