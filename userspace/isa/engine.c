// SPDX-License-Identifier: MIT
/* The walk over the tables: matching, patterns, fields. */
#include <errno.h>
#include <string.h>

#include "isa/program.h"
#include "isa/table.h"

static const struct isa *const all[] = {
	[ISA_UTGARD_GP] = &isa_utgard_gp, [ISA_UTGARD_PP] = &isa_utgard_pp, [ISA_VIVANTE] = &isa_vivante,
	[ISA_MIDGARD] = &isa_midgard, [ISA_BIFROST] = &isa_bifrost,
};

const struct isa *limn_isa_at(unsigned int index)
{
	return index < sizeof(all) / sizeof(all[0]) ? all[index] : NULL;
}

const struct isa *limn_isa_find(const char *name)
{
	const struct isa *isa;

	for (unsigned int i = 0; (isa = limn_isa_at(i)); i++)
		if (!strcmp(isa->name, name))
			return isa;
	return NULL;
}

const char *limn_isa_name(const struct isa *isa)
{
	return isa->name;
}

static const uint32_t none[ISA_BLOCK_WORDS];

char *limn_isa_disasm(const struct isa *isa, const uint32_t *words, size_t count)
{
	struct isa_text text = { 0 };

	if (isa->disassemble)
		isa->disassemble(isa, count ? words : none, count, &text);
	else
		isa_program_disassemble(isa, count ? words : none, count, &text);
	return isa_text_finish(&text);
}

int limn_isa_check_declared(const struct isa *isa, const uint32_t *words, size_t count,
			    const struct isa_declared *declared, struct isa_messages *messages)
{
	struct isa_checker c = { isa, count ? words : none, count, declared, messages, false };
	unsigned int each = isa->line_words ? isa->line_words : 1;
	size_t at = count - count % each;

	memset(messages, 0, sizeof(*messages));
	if (count % each)
		isa_finding(&c, ISA_ERROR, "length", at, at, "%zu words are no whole number of instructions (%u words each)", count, each);
	if (!count)
		isa_finding(&c, ISA_ERROR, "length", 0, 0, "there is no instruction");
	isa->check(&c);
	return c.no_memory ? -ENOMEM : 0;
}

int limn_isa_check(const struct isa *isa, const uint32_t *words, size_t count, struct isa_messages *messages)
{
	return limn_isa_check_declared(isa, words, count, &(struct isa_declared)ISA_NOTHING_DECLARED,
				       messages);
}

/* --- operands ---------------------------------------------------------------- */

static bool of_row(const struct isa_operand *o, const struct isa_op *op)
{
	return (!o->forms || o->forms >> op->form & 1) && (!o->units || o->units >> op->unit & 1);
}

const struct isa_operand *isa_operand_of(const struct isa *isa, const struct isa_op *op, char letter)
{
	for (unsigned int i = 0; i < isa->operand_count; i++)
		if (isa->operands[i].letter == letter && of_row(&isa->operands[i], op))
			return &isa->operands[i];
	return NULL;
}

uint32_t isa_operand_get(const struct isa_operand *o, const struct isa_bits *bits)
{
	uint32_t v = 0;

	for (unsigned int i = 0, shift = 0; i < ISA_PLACES && o->at[i].width; shift += o->at[i++].width)
		v |= isa_get_at(o, bits, i) << shift;
	return v;
}

void isa_operand_put_words(const struct isa_operand *o, uint32_t *words, unsigned int bit, uint32_t value)
{
	for (unsigned int i = 0; i < ISA_PLACES && o->at[i].width; value >>= o->at[i++].width)
		isa_put_words(words, bit + o->at[i].lo, o->at[i].width, value);
}

void isa_operand_put(const struct isa_operand *o, struct isa_bits *bits, uint32_t value)
{
	isa_operand_put_words(o, bits->w, 0, value);
}

unsigned int isa_operand_width(const struct isa_operand *o)
{
	unsigned int width = 0;

	for (unsigned int i = 0; i < ISA_PLACES; i++)
		width += o->at[i].width;
	return width;
}

const char *const isa_component[4] = { ".x", ".y", ".z", ".w" };

static bool read_names(const struct isa_operand *o, struct isa_insn *in, struct isa_cursor *c)
{
	unsigned int width = isa_operand_width(o);
	int64_t best = -1;
	size_t length = 0;
	uint32_t most;

	for (uint32_t i = 0; i < 1u << width; i++) {
		const char *name = o->names[i];
		size_t n;

		if (!name || (*name && (c->at >= c->end || *name != *c->at)))
			continue;
		n = strlen(name);
		if ((best >= 0 && n <= length) || (size_t)(c->end - c->at) < n || memcmp(c->at, name, n) ||
		    (n && !o->arg && isa_in_name(name[n - 1]) && c->at + n < c->end && isa_in_name(c->at[n])))
			continue;
		best = i;
		length = n;
	}
	if (!length && o->prefix && isa_literal(c, o->prefix)) {
		/* Those behind have names. */
		for (most = (1u << width) - 1; most && o->names[most];)
			most--;
		if (!isa_number(c, 0, most, &best))
			return false;
	} else if (best < 0 && isa_at_end(c) && (o->prefix || !o->what)) {
		return isa_expect(c, "an operand is missing");
	} else if (best < 0) {
		return isa_expect(c, "expected %s", o->what ? o->what : "a name");
	}
	c->at += length;
	isa_operand_put(o, in->bits, best);
	return true;
}

static bool read_number(const struct isa_operand *o, struct isa_insn *in, struct isa_cursor *c)
{
	unsigned int width = isa_operand_width(o);
	int64_t v = 0;

	if (o->prefix && !isa_literal(c, o->prefix)) {
		if (!o->optional)
			return isa_expect(c, "expected %s", o->what ? o->what : o->prefix);
	} else if (!isa_number(c, 0, (1ll << width) - 1, &v)) {
		return false;
	}
	isa_operand_put(o, in->bits, v);
	return true;
}

/* Names alone: of numbers what is before them. */
static void list_parts(const struct isa_operand *list, const struct isa_op *op, struct isa_choices *to)
{
	for (const struct isa_operand *o = list; o->letter; o++) {
		if (!of_row(o, op))
			continue;
		for (uint32_t i = 0; o->kind == ISA_NAMES && i < 1u << isa_operand_width(o); i++)
			isa_choice(to, "", o->names[i] ? o->names[i] : "");
		if (o->kind == ISA_UINT && o->prefix)
			isa_choice(to, o->prefix, "N");
	}
}

static bool read_any_order(const struct isa_operand *o, struct isa_insn *in, struct isa_cursor *c)
{
	const char *start = c->at;
	uint64_t seen = 0;
	bool more = o->prefix || (c->at < c->end && !isa_is(*c->at, ISA_BLANK));

	for (const struct isa_operand *part = o->list; part->letter; part++) {
		struct isa_cursor empty = { .at = c->at, .end = c->at };

		if (of_row(part, in->op))
			isa_operand_read(part, in, &empty);
	}
	while (more) {
		more = false;
		for (unsigned int i = 0; o->list[i].letter && !more; i++) {
			struct isa_cursor probe = { .at = c->at, .end = c->end, .quiet = true };

			if (seen >> i & 1 || !of_row(&o->list[i], in->op))
				continue;
			if (o->prefix)
				isa_blanks(&probe);
			more = isa_operand_read(&o->list[i], in, &probe) && probe.at > c->at;
			if (more) {
				seen |= 1ull << i;
				c->at = probe.at;
			}
		}
	}
	/* Say what is wrong with what no part takes. */
	if (c->at < c->end && *c->at == '.') {
		struct isa_choices list = { "" };

		list_parts(o->list, in->op, &list);
		return isa_unknown_modifier(c, c->at, isa_word_length(c), &list);
	}
	return c->at >= start;
}

/* Of an ISA_ROWS's pattern, or, o: NULL, of the op's. */
static const struct isa_operand *part_of(const struct isa_operand *o, const struct isa_insn *in, char letter)
{
	for (const struct isa_operand *part = o ? o->list : NULL; part && part->letter; part++)
		if (part->letter == letter && of_row(part, in->op))
			return part;
	return isa_operand_of(in->isa, in->op, letter);
}

static bool blank_or_end(const struct isa_cursor *cursor)
{
	return isa_at_end(cursor) || isa_is(*cursor->at, ISA_BLANK);
}

/* No blank since the start of the statement? */
static bool in_name(const struct isa_cursor *cursor, const char *word)
{
	for (const char *p = word; p < cursor->at; p++)
		if (*p == ' ' || *p == '\t')
			return false;
	return true;
}

bool isa_unknown(struct isa_cursor *cursor, const char *word)
{
	int n;

	cursor->at = word;
	while (!blank_or_end(cursor))
		cursor->at++;
	n = cursor->at - word;
	return isa_expect_at(cursor, word, "unknown instruction '%.*s'", n < 60 ? n : 60, word);
}

/* A row's match goes to in->bits. */
static bool read_pattern(const struct isa_operand *o, const struct isa_match match[3], const char *pattern,
			 struct isa_insn *in, struct isa_cursor *c)
{
	const char *start = c->at, *p;
	bool weak;

	for (int i = 0; i < 3 && match[i].width; i++)
		isa_put(in->bits, match[i].lo, match[i].width, match[i].value);
	for (p = pattern; *p; p++) {
		if (*p == '%') {
			if (!isa_operand_read(part_of(o, in, *++p), in, c))
				return false;
		} else if (*p == ' ') {
			if (!o && !blank_or_end(c))
				return in_name(c, start) ? isa_unknown(c, start) : isa_expect(c, "junk after the operand");
			isa_blanks(c);
		} else if (c->at < c->end && *c->at == *p) {
			c->at++;
		} else if (!o) {
			return in_name(c, start) ? isa_unknown(c, start) : isa_expect(c, "expected '%c'", *p);
		} else {
			/* Of a word that begins like it, all is wrong. */
			if (!memchr(pattern, '%', p - pattern))
				c->at = start;
			weak = !c->fail || c->at > c->fail;	/* another row may say what is wrong */
			if (c->at > start || !o->what)
				isa_expect(c, "expected '%.*s'", c->at > start ? 1 : (int)strcspn(pattern, "% "), c->at > start ? p : pattern);
			else
				isa_expect(c, "expected %s", o->what);
			c->weak |= weak;
			return false;
		}
	}
	return true;
}

static bool read_rows(const struct isa_operand *o, struct isa_insn *in, struct isa_cursor *c)
{
	const char *start = c->at, *end = NULL;
	struct isa_bits before = *in->bits, taken = before;

	for (const struct isa_operand_row *row = o->rows; row->pattern; row++) {
		c->at = start;
		*in->bits = before;
		if (!read_pattern(o, row->match, row->pattern, in, c) || (end && c->at <= end))
			continue;
		end = c->at;
		taken = *in->bits;
	}
	c->at = end ? end : start;
	*in->bits = taken;
	return end;
}

static bool matches(const struct isa_match match[3], const struct isa_bits *bits)
{
	for (int i = 0; i < 3 && match[i].width; i++)
		if (isa_get(bits, match[i].lo, match[i].width) != match[i].value)
			return false;
	return true;
}

static void write_pattern(const struct isa_operand *o, const char *pattern, const struct isa_insn *in, struct isa_text *text)
{
	for (const char *p = pattern; *p; p++) {
		if (*p == '%')
			isa_operand_write(part_of(o, in, *++p), in, text);
		else
			isa_putc(text, *p);
	}
}

static void write_rows(const struct isa_operand *o, const struct isa_insn *in, struct isa_text *text)
{
	const struct isa_operand_row *row = o->rows;

	while (row->pattern && !matches(row->match, in->bits))
		row++;
	if (row->pattern)
		write_pattern(o, row->pattern, in, text);
}

static bool read_swizzle(const struct isa_operand *o, struct isa_insn *in, struct isa_cursor *c)
{
	unsigned int v = 0xe4, upper = 0;
	const char *p;

	if (c->end - c->at >= 2 && *c->at == '.' && (p = memchr(o->prefix, c->at[1], strlen(o->prefix)))) {
		upper = p - o->prefix >= 4;
		v = 0;
		c->at++;
		for (unsigned int i = 0; i < 4; i++, c->at++) {
			p = c->at < c->end ? memchr(o->prefix + 4 * upper, *c->at, 4) : NULL;
			if (!p && i == 1 && (c->at == c->end || !isa_in_name(*c->at))) {
				v *= 0x55;
				break;
			}
			if (!p) {
				c->at -= i;
				return isa_expect(c, "a swizzle has one or four of x, y, z, w");
			}
			v |= (unsigned int)(p - o->prefix - 4 * upper) << 2 * i;
		}
	}
	isa_operand_put(o, in->bits, v | upper << 8);
	return true;
}

static void write_names(const struct isa_operand *o, const struct isa_insn *in, struct isa_text *text)
{
	uint32_t v = isa_operand_get(o, in->bits);

	if (o->names[v])
		isa_puts(text, o->names[v]);
	else if (o->prefix)
		isa_printf(text, "%s%u", o->prefix, v);
}

static void write_any_order(const struct isa_operand *o, const struct isa_insn *in, struct isa_text *text)
{
	size_t first = text->length, start, behind;

	for (const struct isa_operand *part = o->list; part->letter; part++) {
		if (!of_row(part, in->op))
			continue;
		start = text->length;
		if (o->prefix && start > first)
			isa_puts(text, o->prefix);
		behind = text->length;
		isa_operand_write(part, in, text);
		if (text->length == behind)
			text->length = start;
	}
}

static void write_swizzle(const struct isa_operand *o, const struct isa_insn *in, struct isa_text *text)
{
	uint32_t v = isa_operand_get(o, in->bits);

	for (int i = o->optional && v == 0xe4 ? 4 : -1; i < 4; i++)
		isa_putc(text, i < 0 ? '.' : o->prefix[(v >> 2 * i & 3) + (v >> 8) * 4]);
}

static void write_number(const struct isa_operand *o, const struct isa_insn *in, struct isa_text *text)
{
	uint32_t v = isa_operand_get(o, in->bits);

	if (v || !o->optional)
		isa_printf(text, "%s%u", o->prefix ? o->prefix : "", v);
}

static const struct {
	bool (*read)(const struct isa_operand *o, struct isa_insn *in, struct isa_cursor *c);
	void (*write)(const struct isa_operand *o, const struct isa_insn *in, struct isa_text *text);
} kinds[] = {
	[ISA_NAMES] = { read_names, write_names }, [ISA_UINT] = { read_number, write_number },
	[ISA_TARGET] = { isa_target_read, isa_target_write }, [ISA_DISTANCE] = { isa_target_read, isa_target_write },
	[ISA_ANY_ORDER] = { read_any_order, write_any_order }, [ISA_ROWS] = { read_rows, write_rows },
	[ISA_SWIZZLE] = { read_swizzle, write_swizzle },
};

bool isa_operand_read(const struct isa_operand *o, struct isa_insn *in, struct isa_cursor *c)
{
	return (o->kind == ISA_CUSTOM ? o->read : kinds[o->kind].read)(o, in, c);
}

void isa_operand_write(const struct isa_operand *o, const struct isa_insn *in, struct isa_text *text)
{
	(o->kind == ISA_CUSTOM ? o->write : kinds[o->kind].write)(o, in, text);
}

/* --- rows -------------------------------------------------------------------- */

const struct isa_op *isa_match_op(const struct isa *isa, unsigned int unit, const struct isa_bits *block)
{
	if (isa->match)
		return isa->match(isa, unit, block);
	for (const struct isa_op *op = isa->ops; op < isa->ops + isa->op_count; op++)
		if (op->unit == unit && matches(op->match, block))
			return op;
	return NULL;
}

void isa_reset(const struct isa *isa, unsigned int form, struct isa_bits *bits)
{
	const struct isa_form *f = &isa->forms[form];

	memset(bits, 0, sizeof(*bits));
	for (unsigned int i = 0; i < f->count; i++)
		isa_put(bits, f->fields[i].lo, f->fields[i].width, f->fields[i].reset);
}

void isa_write_op(const struct isa *isa, void *ctx, const struct isa_bits *block,
		  const struct isa_op *op, struct isa_text *text)
{
	write_pattern(NULL, op->pattern, &(struct isa_insn){ isa, op, (struct isa_bits *)block, ctx }, text);
}

/*
 * The literal text of a pattern's first word, before and behind its operands:
 * what does not begin and end so cannot be this row. %_ stands for a blank.
 */
static bool may_be(const struct isa_op *op, const struct isa_cursor *cursor)
{
	const char *p = op->pattern, *tail;
	size_t head, word = 0, n;

	if (*p != '%' && (cursor->at >= cursor->end || *cursor->at != *p))
		return false;
	for (head = 0; p[head] && p[head] != '%' && p[head] != ' '; head++)
		;
	if ((size_t)(cursor->end - cursor->at) < head || memcmp(cursor->at, p, head))
		return false;
	for (p += head, tail = p; *p && *p != ' ' && (*p != '%' || p[1] != '_'); p++)
		if (*p == '%')
			tail = ++p + 1;
	n = p - tail;
	if (p == op->pattern + head || !n)
		return true;
	while (cursor->at + word < cursor->end && cursor->at[word] && !isa_is(cursor->at[word], ISA_STOP))
		word++;
	return word >= head + n && !memcmp(cursor->at + word - n, tail, n);
}

const struct isa_op *isa_next_choice(const struct isa *isa, const struct isa_op *op, struct isa_cursor *cursor)
{
	const struct isa_op *end = isa->ops + isa->op_count;

	cursor->quiet = op ? cursor->quiet : true;
	for (op = op ? op + 1 : isa->ops;; op = isa->ops, cursor->quiet = false) {
		for (; op < end; op++)
			if (may_be(op, cursor))
				return op;
		if (!cursor->quiet)
			return NULL;
	}
}

void (*isa_row_hook)(const struct isa *isa, const struct isa_op *op);

bool isa_read_op(const struct isa *isa, void *ctx, struct isa_bits *block,
		 const struct isa_op *op, struct isa_cursor *cursor)
{
	struct isa_insn in = { isa, op, block, ctx };

	if (!read_pattern(NULL, op->match, op->pattern, &in, cursor))
		return false;
	isa_blanks(cursor);
	if (isa_at_end(cursor)) {
		if (isa_row_hook)
			isa_row_hook(isa, op);
		cursor->quiet = false;
		return true;
	}
	if (cursor->quiet)
		return false;
	if (!cursor->fail || cursor->at > cursor->fail) {
		isa_expect(cursor, "too many operands, or junk after the instruction");
		cursor->weak = true;	/* a row with more operands has more to say */
	}
	return false;
}

static bool demands(const struct isa_op *op, const struct isa_field *f)
{
	for (int i = 0; i < 3; i++)
		if (op->match[i].lo < f->lo + f->width && f->lo < op->match[i].lo + op->match[i].width)
			return true;
	return false;
}

const struct isa_field *isa_odd_field(const struct isa *isa, const struct isa_op *op, const struct isa_bits *bits,
				      unsigned int *i)
{
	const struct isa_form *form = &isa->forms[op->form];

	while (*i < form->count) {
		const struct isa_field *f = &form->fields[(*i)++];

		if (!strncmp(f->name, "unknown", 7) && isa_get(bits, f->lo, f->width) != f->reset && !demands(op, f))
			return f;
	}
	return NULL;
}

const struct isa_field *isa_read_field(const struct isa *isa, struct isa_cursor *c, unsigned int *form)
{
	const char *name;
	size_t length;

	isa_blanks(c);
	name = c->at;
	length = isa_word_length(c);
	for (*form = 0; *form < isa->form_count; ++*form) {
		const struct isa_form *f = &isa->forms[*form];
		size_t skip = f->name[0] ? strlen(f->name) + 1 : 0;

		if (length <= skip || (skip && (memcmp(name, f->name, skip - 1) || name[skip - 1] != '.')))
			continue;
		for (unsigned int i = 0; i < f->count; i++) {
			const char *field = f->fields[i].name;

			if (strlen(field) != length - skip || memcmp(field, name + skip, length - skip))
				continue;
			c->at += length;
			return &f->fields[i];
		}
	}
	isa_expect(c, "there is no field '%.*s'", length < 60 ? (int)length : 60, name);
	return NULL;
}

bool isa_read_set(struct isa_cursor *c, const struct isa_field *f, struct isa_bits *bits)
{
	int64_t v;

	isa_blanks(c);
	if (!isa_number(c, 0, (1ll << f->width) - 1, &v))
		return false;
	isa_blanks(c);
	if (!isa_at_end(c))
		return isa_expect(c, "junk after the value");
	isa_put(bits, f->lo, f->width, v);
	return true;
}

void isa_write_sets(const struct isa *isa, unsigned int form, const struct isa_bits *want,
		    const struct isa_bits *have, const char *prefix, const char *suffix,
		    struct isa_text *text)
{
	const struct isa_form *fm = &isa->forms[form];

	for (unsigned int i = 0; memcmp(want, have, sizeof(*want)) && i < fm->count; i++) {
		const struct isa_field *f = &fm->fields[i];
		uint32_t v = isa_get(want, f->lo, f->width);

		if (v == isa_get(have, f->lo, f->width))
			continue;
		isa_printf(text, "%sset %s%s%s ", prefix, fm->name, fm->name[0] ? "." : "", f->name);
		isa_printf(text, v < 10 ? "%u%s" : "0x%x%s", v, suffix);
	}
}
