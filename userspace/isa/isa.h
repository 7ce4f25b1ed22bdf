/* SPDX-License-Identifier: MIT */
/*
 * Instruction sets: assemble, disassemble, check. One table per set is its
 * only description; see table.h. Nothing here prints or exits.
 */
#ifndef LIMN_ISA_ISA_H
#define LIMN_ISA_ISA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct isa;

/* "utgard-gp", "utgard-pp". NULL when there is none; limn_isa_at() walks all, NULL ends. */
const struct isa *limn_isa_find(const char *name);
const struct isa *limn_isa_at(unsigned int index);
const char *limn_isa_name(const struct isa *isa);

enum isa_severity {
	ISA_ERROR,	/* asm: no words come out. check: the hardware will do something else */
	ISA_WARNING,
	ISA_NOTE,
};

struct isa_message {
	enum isa_severity severity;
	const char *rule;	/* check: short static name of the rule; asm: NULL */
	unsigned int line, column;	/* asm: from 1 */
	unsigned int at, other;	/* check: word offsets of the instruction and, if any, its partner */
	char *text;
};

struct isa_messages {
	struct isa_message *list;
	size_t count;
	size_t errors;		/* those of severity ISA_ERROR */
	unsigned int *lines;	/* asm: the line of the text, from 1, that each word came from */
	size_t line_count;
};

void limn_isa_messages_free(struct isa_messages *messages);

/*
 * Text to words. All errors of the text are reported, in order. On success
 * *words (free() it) holds *count words. 0; -EINVAL with messages; -ENOMEM.
 * limn_isa_messages_free() is due after success too.
 */
int limn_isa_asm(const struct isa *isa, const char *text, size_t length,
		 uint32_t **words, size_t *count, struct isa_messages *messages);

/*
 * Words to text: any words, also truncated or meaningless ones;
 * limn_isa_asm(limn_isa_disasm(x)) is x. free() the text. NULL when out of memory.
 */
char *limn_isa_disasm(const struct isa *isa, const uint32_t *words, size_t count);

/* The rules of the table applied to words. 0 (with 0 or more messages), -ENOMEM. */
int limn_isa_check(const struct isa *isa, const uint32_t *words, size_t count,
		   struct isa_messages *messages);

/* What the states around a shader declare. ISA_UNDECLARED: they are not there to be asked. */
#define ISA_UNDECLARED	(~0u)

/* How many uniforms an instruction can read: it depends on the chip (SH_NO_ONECONST_LIMIT). */
enum isa_uniforms { ISA_UNIFORMS_UNKNOWN, ISA_ONE_UNIFORM, ISA_MANY_UNIFORMS };

struct isa_declared {
	unsigned int temporaries;	/* Vivante: NUM_TEMPS */
	unsigned int inputs, elements;	/* Vivante VS: VS_INPUT_COUNT, and the vertex elements that are set */
	enum isa_uniforms uniforms;	/* Vivante */
};

#define ISA_NOTHING_DECLARED { ISA_UNDECLARED, ISA_UNDECLARED, ISA_UNDECLARED, ISA_UNIFORMS_UNKNOWN }

/* limn_isa_check(), and the rules that need what is declared; only Vivante has any. */
int limn_isa_check_declared(const struct isa *isa, const uint32_t *words, size_t count,
			    const struct isa_declared *declared, struct isa_messages *messages);

enum isa_use_kind {
	ISA_ATTRIBUTE,	/* GP: attribute register */
	ISA_OUTPUT,	/* GP: varying register that is stored to */
	ISA_UNIFORM,	/* vector of four; not listed where an address register is added */
	ISA_VARYING,	/* PP: vector of four */
	ISA_TEXTURE,	/* PP: sampler */
	ISA_DISCARD,	/* PP: fragments may be dropped; index 0 */
};

struct isa_use {
	enum isa_use_kind kind;
	unsigned int index;
	size_t at;	/* word offset of the instruction */
	unsigned int components;	/* ISA_OUTPUT: a bit each */
};

/*
 * What instructions name from outside the shader, in their order. The loads of
 * a GP shader that also stores temporaries are not listed as uniforms: both
 * lie in one memory. free() *list. 0, -ENOMEM, -EINVAL: not a set that is known.
 */
int limn_isa_uses(const struct isa *isa, const uint32_t *words, size_t count, struct isa_use **list,
		  size_t *n);

/*
 * The table as reStructuredText: every op and field. tested: by row, whether a
 * test runs it, or NULL. free() it. NULL when out of memory.
 */
char *limn_isa_describe(const struct isa *isa, const bool *tested);

/*
 * How much of a table is known. Codes that nobody has named keep their bits, as
 * all words do; they count as codes, not as ops.
 */
struct isa_coverage {
	unsigned int ops, executed;	/* with a name; of these, with semantics in the simulator */
	unsigned int codes;		/* rows for what has no name */
	unsigned int fields, unknown_fields;
};

void limn_isa_coverage(const struct isa *isa, struct isa_coverage *coverage);

/* A row of the table, as tools list them. */
struct isa_row {
	const char *name;	/* its text's beginning; length of it */
	size_t length;
	const char *unit;
	bool named, executed;
	const char *why;	/* it is named and not executed */
};

/* False: there is no row of that number. */
bool limn_isa_row_at(const struct isa *isa, unsigned int index, struct isa_row *row);

#endif
