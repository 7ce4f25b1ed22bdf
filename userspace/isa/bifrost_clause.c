// SPDX-License-Identifier: MIT
/*
 * Bifrost clauses. A 128-bit word has a tag of 8 bits and 120 bits of content,
 * which in units of 15 bits belong to tuples, the header or the constant that
 * is packed with the tuples. A tuple has 78 bits: 75 are content somewhere, the
 * upper three often stand in a tag. Facts: Mesa src/panfrost/compiler/bifrost.h
 * (formats), bifrost/bi_pack.c (their order), bifrost/disassemble.c.
 */
#include <string.h>

#include "isa/bifrost.h"

#define HEADER_BITS	45
#define CONSTANT_BITS	60
#define MODIFIER_BITS	15

enum what { END, LITERAL, MORE, TUPLE, HEADER, CONSTANT, MODIFIER };

/* width bits of a word from lo on: those of what (a tuple: index) from bit from on, or a number. */
struct piece {
	uint8_t what, lo, width, index, from;
};

/* Tag: bits 0-2, 3-5, 6-7. The last word of the tuples has "constants follow" inverted in bit 6. */
#define LIT(lo, width, value)	{ LITERAL, lo, width, value, 0 }
#define LAST			{ MORE, 6, 1, 0, 0 }, LIT(7, 1, 0)
#define UPPER(n, lo)		{ TUPLE, lo, 3, n, 75 }
#define LOW(n)			{ TUPLE, 8, 75, n, 0 }
#define HALF(n)			{ TUPLE, 83, 45, n, 0 }
#define MIDDLE(n)		{ TUPLE, 83, 30, n, 45 }
#define EMBEDDED		{ CONSTANT, 8, 60, 0, 0 }, { MODIFIER, 68, 15, 0, 0 }

static const struct piece formats[][10] = {
	/* 0 */ { UPPER(0, 0), LIT(3, 3, 5), LIT(6, 2, 0), LOW(0), { HEADER, 83, 45, 0, 0 } },
	/* 1 */ { UPPER(0, 0), LIT(3, 3, 1), LAST, LOW(0), { HEADER, 83, 45, 0, 0 } },
	/* 2 */ { LIT(0, 3, 3), LIT(3, 3, 0), LAST, LOW(1), LIT(83, 30, 0), LIT(113, 12, 0), UPPER(1, 125) },
	/* 3 */ { UPPER(1, 0), LIT(3, 3, 4), LIT(6, 2, 0), LOW(1), HALF(2) },
	/* 4 */ { LIT(0, 3, 4), LIT(3, 3, 0), LAST, EMBEDDED, MIDDLE(2), LIT(113, 12, 0), UPPER(2, 125) },
	/* 5 */ { LIT(0, 3, 1), LIT(3, 3, 0), LIT(6, 2, 0), LOW(3), MIDDLE(2), LIT(113, 9, 0), UPPER(3, 122), UPPER(2, 125) },
	/* 6 */ { LIT(0, 3, 5), LIT(3, 3, 0), LAST, LOW(3), MIDDLE(2), LIT(113, 9, 0), UPPER(3, 122), UPPER(2, 125) },
	/* 7 */ { UPPER(2, 0), UPPER(3, 3), LIT(6, 2, 2), LOW(3), MIDDLE(2), { CONSTANT, 113, 15, 0, 0 } },
	/* 8 */ { UPPER(4, 0), LIT(3, 3, 2), LAST, LOW(4), { CONSTANT, 83, 45, 0, 15 } },
	/* 9 */ { UPPER(4, 0), LIT(3, 3, 4), LIT(6, 2, 1), LOW(4), HALF(5) },
	/* 10 */ { LIT(0, 3, 6), LIT(3, 3, 0), LAST, EMBEDDED, MIDDLE(5), LIT(113, 12, 0), UPPER(5, 125) },
	/* 11 */ { LIT(0, 3, 7), LIT(3, 3, 0), LAST, LOW(6), MIDDLE(5), LIT(113, 9, 0), UPPER(6, 122), UPPER(5, 125) },
	/* 12 */ { UPPER(5, 0), UPPER(6, 3), LIT(6, 2, 3), LOW(6), MIDDLE(5), { CONSTANT, 113, 15, 0, 0 } },
	/* 13 */ { UPPER(7, 0), LIT(3, 3, 3), LAST, LOW(7), { CONSTANT, 83, 45, 0, 15 } },
};

/* By number of tuples: the formats of a clause's words, in their order; 0 behind the first ends. */
static const uint8_t orders[BIFROST_TUPLES + 1][7] = {
	{ 0 }, { 1 }, { 0, 2 }, { 0, 3, 4 }, { 0, 3, 6 }, { 0, 3, 7, 8 }, { 0, 3, 5, 9, 10 }, { 0, 3, 5, 9, 11 },
	{ 0, 3, 5, 9, 12, 13 },
};

/* By number of tuples: do they have a constant among them; what numbers the words of constants behind them have. */
static const bool embedded[BIFROST_TUPLES + 1] = { [3] = true, [5] = true, [6] = true, [8] = true };
static const uint8_t places[BIFROST_TUPLES + 1][3] = {
	{ 0 }, { 0, 15, 15 }, { 1, 15, 15 }, { 3, 15, 15 }, { 2, 5, 15 }, { 4, 8, 15 }, { 7, 11, 14 }, { 6, 10, 13 },
	{ 9, 12, 15 },
};

#define MORE_CONSTANTS	3
#define LAST_CONSTANTS	7

/* A clause as bits: what pieces are copied from and to. */
struct parts {
	struct isa_bits tuples[BIFROST_TUPLES], header, constant, modifier;
};

static struct isa_bits *part(struct parts *p, const struct piece *piece)
{
	return piece->what == TUPLE ? &p->tuples[piece->index] : piece->what == HEADER ? &p->header :
	       piece->what == CONSTANT ? &p->constant : &p->modifier;
}

/* Of 33 to 64 bits. */
static uint64_t get64(const uint32_t *words, unsigned int lo, unsigned int width)
{
	return isa_get_words(words, lo, 32) | (uint64_t)isa_get_words(words, lo + 32, width - 32) << 32;
}

static void put64(uint32_t *words, unsigned int lo, unsigned int width, uint64_t v)
{
	isa_put_words(words, lo, 32, (uint32_t)v);
	isa_put_words(words, lo + 32, width - 32, v >> 32);
}

/* Are the bits there that the format fixes? */
static bool fits(const struct piece *piece, const uint32_t *words)
{
	for (; piece->what != END; piece++)
		if (piece->what == LITERAL && isa_get_words(words, piece->lo, piece->width) != piece->index)
			return false;
	return true;
}

/* Reads one word as the format has it, which fits. more: constants follow. */
static void read_word(const uint32_t *words, const struct piece *piece, struct parts *p, bool *more)
{
	for (; piece->what != END; piece++) {
		if (piece->what == MORE)
			*more = !isa_get_words(words, piece->lo, 1);
		else if (piece->what != LITERAL)
			isa_copy_words(part(p, piece)->w, piece->from, words, piece->lo, piece->width);
	}
}

static void write_word(uint32_t *words, const struct piece *piece, struct parts *p, bool more)
{
	memset(words, 0, 16);
	for (; piece->what != END; piece++) {
		if (piece->what == LITERAL)
			isa_put_words(words, piece->lo, piece->width, piece->index);
		else if (piece->what == MORE)
			isa_put_words(words, piece->lo, 1, !more);
		else
			isa_copy_words(words, piece->lo, part(p, piece)->w, piece->from, piece->width);
	}
}

/* The words of the tuples, taken for so many. 0: they are not. */
static size_t tuples_length(const uint32_t *words, size_t left, unsigned int tuples)
{
	size_t n = 0;

	for (; !n || orders[tuples][n]; n++)
		if (left < 4 * (n + 1) || !fits(formats[orders[tuples][n]], words + 4 * n))
			return 0;
	return 4 * n;
}

/* The words of the tuples, and how many these are. 0: they are none. */
static size_t find_tuples(const uint32_t *words, size_t left, unsigned int *tuples)
{
	size_t n = 0;

	/* Longer orders first have what shorter ones have fixed otherwise: only one fits. */
	for (*tuples = 0; !n && *tuples < BIFROST_TUPLES;)
		n = tuples_length(words, left, ++*tuples);
	return n;
}

/* How many constants a clause of so many tuples may have. */
unsigned int bf_most_constants(unsigned int tuples)
{
	unsigned int n = 0;

	while (n < 3 && places[tuples][n] != 15)
		n++;
	return 2 * n + embedded[tuples];
}

/* Words of constants behind the tuples. 0: they are none. */
static size_t constants_length(const uint32_t *words, size_t left, unsigned int tuples)
{
	for (unsigned int n = 0; n < bf_most_constants(tuples) / 2 && left >= 4 * (n + 1); n++) {
		unsigned int kind = words[4 * n] >> 4 & 15;

		if ((words[4 * n] & 15) != places[tuples][n] || (kind != MORE_CONSTANTS && kind != LAST_CONSTANTS))
			return 0;
		if (kind == LAST_CONSTANTS)
			return 4 * (n + 1);
	}
	return 0;
}

static void read_constants(const uint32_t *words, size_t count, struct bifrost_clause *c)
{
	for (size_t n = 0; n < count; n += 4) {
		c->constants[c->constant_count++] = get64(words + n, 8, CONSTANT_BITS);
		c->constants[c->constant_count++] = get64(words + n, 68, CONSTANT_BITS);
	}
}

unsigned int bf_embedded(unsigned int tuples)
{
	return embedded[tuples];
}

size_t limn_isa_bifrost_clause_read(const uint32_t *words, size_t left, struct bifrost_clause *c)
{
	size_t body, constants = 0;
	struct parts p = { 0 };
	bool more = false;

	memset(c, 0, sizeof(*c));
	body = find_tuples(words, left, &c->tuple_count);
	for (size_t i = 0; i < body / 4; i++)
		read_word(words + 4 * i, formats[orders[c->tuple_count][i]], &p, &more);
	if (more)
		constants = constants_length(words + body, left - body, c->tuple_count);
	if (!body || (more && !constants)) {
		memset(c, 0, sizeof(*c));
		return 0;
	}
	for (unsigned int i = 0; i < c->tuple_count; i++) {
		c->tuples[i].registers = get64(p.tuples[i].w, 0, 35);
		c->tuples[i].fma = isa_get(&p.tuples[i], 35, 23);
		c->tuples[i].add = isa_get(&p.tuples[i], 58, 20);
	}
	c->header = get64(p.header.w, 0, HEADER_BITS);
	c->modifier = isa_get(&p.modifier, 0, MODIFIER_BITS);
	if (embedded[c->tuple_count])
		c->constants[c->constant_count++] = get64(p.constant.w, 0, CONSTANT_BITS);
	read_constants(words + body, constants, c);
	return body + constants;
}

static size_t write_constants(const struct bifrost_clause *c, uint32_t *words)
{
	size_t n = 0;

	for (unsigned int at = embedded[c->tuple_count]; at < c->constant_count; at += 2, n += 4) {
		words[n] = places[c->tuple_count][n / 4] | (at + 2 < c->constant_count ? MORE_CONSTANTS : LAST_CONSTANTS) << 4;
		put64(words + n, 8, CONSTANT_BITS, c->constants[at]);
		put64(words + n, 68, CONSTANT_BITS, at + 1 < c->constant_count ? c->constants[at + 1] : 0);
	}
	return n;
}

size_t limn_isa_bifrost_clause_write(const struct bifrost_clause *c, uint32_t words[BIFROST_CLAUSE_WORDS])
{
	struct parts p = { 0 };
	size_t n = 0;
	bool more;

	if (!c->tuple_count || c->tuple_count > BIFROST_TUPLES || c->constant_count > bf_most_constants(c->tuple_count) ||
	    c->constant_count < embedded[c->tuple_count])
		return 0;
	for (unsigned int i = 0; i < c->tuple_count; i++) {
		put64(p.tuples[i].w, 0, 35, c->tuples[i].registers);
		isa_put(&p.tuples[i], 35, 23, c->tuples[i].fma);
		isa_put(&p.tuples[i], 58, 20, c->tuples[i].add);
	}
	put64(p.header.w, 0, HEADER_BITS, c->header);
	put64(p.constant.w, 0, CONSTANT_BITS, embedded[c->tuple_count] ? c->constants[0] : 0);
	isa_put(&p.modifier, 0, MODIFIER_BITS, c->modifier);
	more = c->constant_count > embedded[c->tuple_count];
	for (; !n || orders[c->tuple_count][n]; n++)
		write_word(words + 4 * n, formats[orders[c->tuple_count][n]], &p, more);
	return 4 * n + write_constants(c, words + 4 * n);
}
