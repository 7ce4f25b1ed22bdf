/* SPDX-License-Identifier: MIT */
/*
 * Programs as text, both ways: labels, .word, set, ops of the table. An instruction is some blocks, and an op
 * is of one of them. What sets differ in they say in struct isa: style, size, and the functions below it.
 */
#ifndef LIMN_ISA_PROGRAM_H
#define LIMN_ISA_PROGRAM_H

#include "isa/table.h"

struct isa_words {
	uint32_t *list;
	size_t count;
};

/* Its name points into the text. */
struct isa_label {
	const char *name;
	uint32_t length, index;		/* of the instruction behind it */
};

/* Where a text names a label or a number. */
struct isa_target {
	const char *name;		/* NULL: it does not */
	size_t length;
	unsigned int line, column;
	const struct isa_op *op;
};

/* An instruction in parts. */
struct isa_packet {
	struct isa_bits block[ISA_MAX_BLOCKS];
	struct isa_bits kept[ISA_MAX_BLOCKS];	/* bits that the text sets itself */
	uint32_t units;				/* that it has, by their bits */
	uint32_t padding;			/* bits behind the last block */
	struct isa_target target;
};

struct isa_fixup {
	struct isa_target target;
	size_t at;			/* of the instruction */
	unsigned int bit;		/* of the block in it */
	bool keep, keep_length;		/* the text sets the target, or its length, itself */
};

/* A program being read or written: ctx of operands. */
struct isa_program {
	const struct isa *isa;
	struct isa_messages *messages;
	struct isa_words out;		/* what is read; behind them is where the open instruction will be */
	struct isa_words starts;	/* where instructions begin; writing: all of them */
	struct isa_words tail;		/* .word that is no whole instruction */
	size_t index;			/* number of the instruction that is read or written */
	struct isa_packet packet;	/* the open instruction */
	bool open, content, no_memory;
	bool goes_on;			/* the line before ended in a comma */
	unsigned int first_line;	/* of the open instruction */
	size_t last_at;			/* the last instruction in out, and bits of its first word that the text sets */
	uint32_t last_kept;
	/* Bits of the set's own, by which operands know what others of the instruction, and of the last, have named. */
	uint32_t claims, last_claims;
	struct isa_target target;	/* of the statement being read */
	void *labels;			/* struct isa_label, of tsearch() */
	struct isa_fixup *fixups;
	size_t fixup_count;
	const char *start, *end;	/* of the line being read; of the text */
	unsigned int line;
	void *own;			/* of isa->own_size; NULL where text is read that was just written */
	bool again;			/* the second time */
	/* Writing: */
	const uint32_t *words;
	size_t count;
};

/* ISA_TARGET and ISA_DISTANCE. */
bool isa_target_read(const struct isa_operand *o, struct isa_insn *in, struct isa_cursor *c);
void isa_target_write(const struct isa_operand *o, const struct isa_insn *in, struct isa_text *text);

/* For read_line and finish of struct isa: an error; "NAME:" if it is there; numbers behind ".word". */
void isa_program_report(struct isa_program *p, unsigned int line, unsigned int column, const char *text);
bool isa_program_label(struct isa_program *p, struct isa_cursor *c);
/* The index of a label; -1: there is none. */
int64_t isa_program_find(const struct isa_program *p, const char *name, size_t length);
bool isa_program_words(struct isa_program *p, struct isa_cursor *c);
/* Words of an instruction that begins in that line; kept: bits of the first one that the text sets itself. */
void isa_program_put(struct isa_program *p, const uint32_t *words, unsigned int n, uint32_t kept, unsigned int line);

void isa_program_disassemble(const struct isa *isa, const uint32_t *words, size_t count, struct isa_text *text);

#endif
