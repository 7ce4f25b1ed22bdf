/* SPDX-License-Identifier: MIT */
/*
 * Text at a bare pointer: what the disassemblers write an instruction with.
 * Who calls has seen to the room: isa_text_room() for the longest instruction.
 * Every piece may scribble up to ISA_EMIT_SLACK bytes behind its end.
 *
 * What an instruction's text tells is kept as a mask of its bits; the others
 * come out as said, their reset value unless told otherwise. Bits that differ
 * and are not told need a "set". Round trips test that told and said are what
 * the assembler makes of the text.
 */
#ifndef LIMN_ISA_EMIT_H
#define LIMN_ISA_EMIT_H

#include "isa/table.h"

#define ISA_EMIT_SLACK	48
#define ISA_LITERAL	16
#define ISA_PIECES	12
#define ISA_RUNS	4
#define ISA_NO_ROW	0xffff

/* A row's pattern taken apart: literal text, then an operand. */
struct isa_piece {
	char literal[ISA_LITERAL];
	uint8_t length;
	char letter;		/* 0: no operand behind it */
};

struct isa_plan {
	struct isa_bits told;	/* by the name, and by operands whatever they are */
	unsigned int count;
	struct isa_piece pieces[ISA_PIECES];
};

/* By the row's number. NULL when out of memory; they live as long as the process. */
const struct isa_plan *isa_plans(const struct isa *isa);

/* Some bits of a block: (word >> shift & mask) << out. */
struct isa_run {
	uint8_t word, shift, out;
	uint32_t mask;
};

/* How a unit's row is found from its bits. */
struct isa_unit_rows {
	struct isa_run runs[ISA_RUNS];
	unsigned int run_count;
	unsigned int count;	/* of list, one row by the runs' value; 0: too many for that */
	/* Then: rows of a key at lo are list[first[key]] and on, in the table's order. */
	unsigned int lo;
	uint16_t *first, *list;
};

/* The row's number or ISA_NO_ROW. Only where u->count. */
static inline unsigned int isa_direct_row(const struct isa_unit_rows *u, const struct isa_bits *block)
{
	unsigned int key = 0;

	for (unsigned int i = 0; i < u->run_count; i++)
		key |= (block->w[u->runs[i].word] >> u->runs[i].shift & u->runs[i].mask) << u->runs[i].out;
	return u->list[key];
}

struct isa_tell {
	struct isa_bits told, said;
};

/* Appends to text "set" for each field of form that differs, as isa_write_sets(). */
char *isa_emit_sets(const struct isa *isa, unsigned int form, const struct isa_bits *want,
		    const struct isa_tell *tell, const char *prefix, const char *suffix, char *to);

static inline bool isa_all_told(const struct isa_bits *want, const struct isa_tell *tell)
{
	uint32_t differ = 0;

	for (int i = 0; i < ISA_BLOCK_WORDS; i++)
		differ |= (want->w[i] ^ tell->said.w[i]) & ~tell->told.w[i];
	return !differ;
}

static inline void isa_tell(struct isa_bits *told, const struct isa_bits *more)
{
	for (int i = 0; i < ISA_BLOCK_WORDS; i++)
		told->w[i] |= more->w[i];
}

/* "00" to "99". */
extern const char isa_pairs[201];

static inline char *isa_emit(char *to, const char *s)
{
	size_t n = strlen(s);

	memcpy(to, s, n);
	return to + n;
}

static inline char *isa_emit_char(char *to, char c)
{
	*to = c;
	return to + 1;
}

char *isa_emit_long(char *to, uint32_t v);
char *isa_emit_hex(char *to, uint32_t v, unsigned int digits);
char *isa_emit_g(char *to, double v);	/* as printf's %g */

static inline char *isa_emit_uint(char *to, uint32_t v)
{
	if (v < 10)
		return isa_emit_char(to, '0' + v);
	if (v >= 100)
		return isa_emit_long(to, v);
	memcpy(to, isa_pairs + 2 * v, 2);
	return to + 2;
}

static inline char *isa_emit_int(char *to, int32_t v)
{
	if (v >= 0)
		return isa_emit_uint(to, v);
	*to = '-';
	return isa_emit_uint(to + 1, -(uint32_t)v);
}

/* A number that ascends: what is before its last two digits is kept as text, also that of a hundred less. */
struct isa_counter {
	uint32_t hundreds, rest;
	struct isa_prefix {
		unsigned int length;
		char text[8];
	} prefix, before;
};

void isa_counter_next(struct isa_counter *c, uint32_t hundreds);

static inline void isa_counter_set(struct isa_counter *c, uint32_t v)
{
	uint32_t hundreds = v / 100;

	c->rest = v - hundreds * 100;
	if (hundreds != c->hundreds)
		isa_counter_next(c, hundreds);
}

/* The counter plus delta. */
static inline char *isa_emit_counter(char *to, const struct isa_counter *c, int delta)
{
	int rest = c->rest + delta;
	const struct isa_prefix *p = rest < 0 ? &c->before : &c->prefix;

	if (c->hundreds < 2 || rest < -100 || rest >= 100)
		return isa_emit_int(to, c->hundreds * 100 + rest);
	rest = rest < 0 ? rest + 100 : rest;
	memcpy(to, p->text, sizeof(p->text));
	to += p->length;
	memcpy(to, isa_pairs + 2 * rest, 2);
	return to + 2;
}

/* The counter in so many columns at least, with fill before it. */
static inline char *isa_emit_column(char *to, const struct isa_counter *c, unsigned int width, char fill)
{
	char *end = isa_emit_counter(to, c, 0);
	unsigned int n = end - to;

	if (n >= width)
		return end;
	memmove(to + width - n, to, n);
	memset(to, fill, width - n);
	return to + width;
}

/* A name that is copied at a fixed size. */
struct isa_name {
	uint8_t length;
	char text[15];
};

#define ISA_NAME_OF(s)	{ sizeof(s) - 1, s }

static inline char *isa_emit_name(char *to, const struct isa_name *name)
{
	memcpy(to, name->text, sizeof(name->text));
	return to + name->length;
}

/* Literals of a plan: a fixed size is copied faster than its length. */
static inline char *isa_emit_literal(char *to, const struct isa_piece *p)
{
	memcpy(to, p->literal, sizeof(p->literal));
	return to + p->length;
}

#endif
