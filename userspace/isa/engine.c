// SPDX-License-Identifier: MIT
/* The walk over the tables: matching, patterns, fields. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/line.h"
#include "isa/table.h"

static const struct isa *const all[] = {
	[ISA_UTGARD_GP] = &isa_utgard_gp, [ISA_UTGARD_PP] = &isa_utgard_pp, [ISA_VIVANTE] = &isa_vivante,
	[ISA_MIDGARD] = &isa_midgard, [ISA_BIFROST] = &isa_bifrost,
};

const struct isa *isa_at(unsigned int index)
{
	return index < sizeof(all) / sizeof(all[0]) ? all[index] : NULL;
}

const struct isa *isa_find(const char *name)
{
	const struct isa *isa;

	for (unsigned int i = 0; (isa = isa_at(i)); i++)
		if (!strcmp(isa->name, name))
			return isa;
	return NULL;
}

const char *isa_name(const struct isa *isa)
{
	return isa->name;
}

static int assemble(const struct isa *isa, const char *text, size_t length,
		    uint32_t **words, size_t *count, struct isa_messages *messages, bool keep_lines)
{
	*words = NULL;
	*count = 0;
	memset(messages, 0, sizeof(*messages));
	messages->keep_lines = keep_lines;
	return isa->assemble(isa, text, length, words, count, messages);
}

int isa_asm(const struct isa *isa, const char *text, size_t length,
	    uint32_t **words, size_t *count, struct isa_messages *messages)
{
	return assemble(isa, text, length, words, count, messages, false);
}

int isa_asm_lines(const struct isa *isa, const char *text, size_t length,
		  uint32_t **words, size_t *count, struct isa_messages *messages)
{
	return assemble(isa, text, length, words, count, messages, true);
}

static const uint32_t none[ISA_BLOCK_WORDS];

char *isa_disasm(const struct isa *isa, const uint32_t *words, size_t count)
{
	struct isa_text text = { 0 };

	isa->disassemble(isa, count ? words : none, count, &text);
	return isa_text_finish(&text);
}

int isa_disasm_to(const struct isa *isa, const uint32_t *words, size_t count,
		  int (*sink)(void *ctx, const char *text, size_t length), void *ctx)
{
	struct isa_text text = { .sink = sink, .sink_ctx = ctx };

	isa->disassemble(isa, count ? words : none, count, &text);
	return isa_text_drain(&text);
}

int isa_check(const struct isa *isa, const uint32_t *words, size_t count,
	      struct isa_messages *messages)
{
	memset(messages, 0, sizeof(*messages));
	return isa->check(isa, count ? words : none, count, messages);
}

int isa_check_declared(const struct isa *isa, const uint32_t *words, size_t count,
		       const struct isa_declared *declared, struct isa_messages *messages)
{
	int err = isa_check(isa, words, count, messages);

	if (err || !isa->check_declared)
		return err;
	return isa->check_declared(count ? words : none, count, declared, messages);
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
		v |= isa_get(bits, o->at[i].lo, o->at[i].width) << shift;
	return v;
}

void isa_operand_put(const struct isa_operand *o, struct isa_bits *bits, uint32_t value)
{
	for (unsigned int i = 0, shift = 0; i < ISA_PLACES && o->at[i].width; shift += o->at[i++].width)
		isa_put(bits, o->at[i].lo, o->at[i].width, value >> shift);
}

unsigned int isa_operand_width(const struct isa_operand *o)
{
	unsigned int width = 0;

	for (unsigned int i = 0; i < ISA_PLACES; i++)
		width += o->at[i].width;
	return width;
}

static bool in_word(char c)
{
	return isa_is(c, ISA_WORD) && c != '.';
}

static bool read_names(const struct isa_operand *o, struct isa_insn *in, struct isa_cursor *c)
{
	unsigned int width = isa_operand_width(o);
	int64_t best = -1;
	size_t length = 0;

	for (uint32_t i = 0; i < 1u << width; i++) {
		const char *name = o->names[i];
		size_t n = name ? strlen(name) : 0;

		if (!name || (best >= 0 && n <= length) || (size_t)(c->end - c->at) < n || memcmp(c->at, name, n) ||
		    (n && in_word(name[n - 1]) && c->at + n < c->end && in_word(c->at[n])))
			continue;
		best = i;
		length = n;
	}
	if (!length && o->prefix && isa_literal(c, o->prefix)) {
		if (!isa_number(c, 0, (1ll << width) - 1, &best))
			return false;
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
	int64_t v = 0, lo = o->kind == ISA_INT ? -(1ll << (width - 1)) : 0;

	if (o->prefix && !isa_literal(c, o->prefix)) {
		if (!o->optional)
			return isa_expect(c, "expected %s", o->what ? o->what : o->prefix);
	} else if (!isa_number(c, lo, (1ll << (width - (lo < 0))) - 1, &v)) {
		return false;
	}
	isa_operand_put(o, in->bits, v);
	return true;
}

static bool read_any_order(const struct isa_operand *o, struct isa_insn *in, struct isa_cursor *c)
{
	const char *start = c->at;
	uint64_t seen = 0;
	bool more = true;

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
			more = isa_operand_read(&o->list[i], in, &probe) && probe.at > c->at;
			if (more) {
				seen |= 1ull << i;
				c->at = probe.at;
			}
		}
	}
	/* Say what is wrong with what no part takes. */
	if (c->at < c->end && *c->at == '.')
		return isa_expect(c, "unknown modifier '%.*s'", (int)isa_word_length(c), c->at);
	return c->at >= start;
}

bool isa_operand_read(const struct isa_operand *o, struct isa_insn *in, struct isa_cursor *c)
{
	switch (o->kind) {
	case ISA_NAMES:
		return read_names(o, in, c);
	case ISA_UINT: case ISA_INT: case ISA_HEX:
		return read_number(o, in, c);
	case ISA_TARGET:
		return isa_line_read_target(in->ctx, c);
	case ISA_ANY_ORDER:
		return read_any_order(o, in, c);
	default:
		return o->read(o, in, c);
	}
}

static void write_names(const struct isa_operand *o, uint32_t v, struct isa_text *text)
{
	if (o->names[v]) {
		isa_puts(text, o->names[v]);
	} else if (o->prefix) {
		isa_puts(text, o->prefix);
		isa_put_uint(text, v);
	}
}

void isa_operand_write(const struct isa_operand *o, const struct isa_insn *in, struct isa_text *text)
{
	unsigned int unused;
	uint32_t v;

	if (o->kind == ISA_CUSTOM) {
		o->write(o, in, text);
		return;
	}
	if (o->kind == ISA_ANY_ORDER) {
		for (const struct isa_operand *part = o->list; part->letter; part++)
			if (of_row(part, in->op))
				isa_operand_write(part, in, text);
		return;
	}
	v = isa_operand_get(o, in->bits);
	if (o->kind == ISA_NAMES) {
		write_names(o, v, text);
		return;
	}
	if (o->kind == ISA_TARGET) {
		isa_line_target(in->ctx, v, text);
		return;
	}
	if (o->optional && !v)
		return;
	if (o->prefix)
		isa_puts(text, o->prefix);
	unused = 32 - isa_operand_width(o);
	if (o->kind == ISA_INT)
		isa_put_int(text, (int32_t)(v << unused) >> unused);
	else if (o->kind == ISA_HEX)
		isa_put_hex(text, v, 1);
	else
		isa_put_uint(text, v);
}

/* --- rows -------------------------------------------------------------------- */

static void write_letter(const struct isa *isa, void *ctx, const struct isa_bits *block,
			 const struct isa_op *op, char letter, struct isa_text *text)
{
	const struct isa_operand *o = isa_operand_of(isa, op, letter);
	struct isa_insn in = { isa, op, (struct isa_bits *)block, ctx };

	if (o)
		isa_operand_write(o, &in, text);
	else if (isa->write)
		isa->write(ctx, block, op, letter, text);
}

static bool read_letter(const struct isa *isa, void *ctx, struct isa_bits *block,
			const struct isa_op *op, char letter, struct isa_cursor *cursor)
{
	const struct isa_operand *o = isa_operand_of(isa, op, letter);
	struct isa_insn in = { isa, op, block, ctx };

	if (o)
		return isa_operand_read(o, &in, cursor);
	return isa->read && isa->read(ctx, block, op, letter, cursor);
}

void isa_write_op(const struct isa *isa, void *ctx, const struct isa_bits *block,
		  const struct isa_op *op, struct isa_text *text)
{
	for (const char *p = op->pattern; *p;) {
		size_t n = 0;

		while (p[n] && p[n] != '%')
			n++;
		isa_append(text, p, n);
		p += n;
		if (*p) {
			write_letter(isa, ctx, block, op, p[1], text);
			p += 2;
		}
	}
}

#define LETTER	(ISA_NAME | ISA_WORD)

const uint8_t isa_classes[256] = {
	['a' ... 'z'] = LETTER, ['A' ... 'Z'] = LETTER, ['0' ... '9'] = LETTER | ISA_DIGIT, ['_'] = LETTER,
	['-'] = ISA_NAME, ['.'] = ISA_WORD, [' '] = ISA_BLANK | ISA_STOP, ['\t'] = ISA_BLANK | ISA_STOP,
	['\r'] = ISA_BLANK | ISA_STOP, ['\n'] = ISA_STOP, [','] = ISA_STOP, ['#'] = ISA_STOP,
};

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

	if (cursor->quiet) {
		cursor->at = word;
		return false;
	}
	cursor->at = word;
	while (!blank_or_end(cursor))
		cursor->at++;
	n = cursor->at - word;
	cursor->at = word;
	return isa_expect(cursor, "unknown instruction '%.*s'", n < 60 ? n : 60, word);
}

/*
 * The literal text of a pattern's first word, before and behind its operands:
 * what does not begin and end so cannot be this row. %_ stands for a blank.
 */
bool isa_may_be(const struct isa_op *op, const struct isa_cursor *cursor)
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

void (*isa_row_hook)(const struct isa *isa, const struct isa_op *op);

bool isa_read_op(const struct isa *isa, void *ctx, struct isa_bits *block,
		 const struct isa_op *op, struct isa_cursor *cursor)
{
	const char *word = cursor->at;

	for (int i = 0; i < 3 && op->match[i].width; i++)
		isa_put(block, op->match[i].lo, op->match[i].width, op->match[i].value);
	for (const char *p = op->pattern; *p; p++) {
		if (*p == '%') {
			if (!read_letter(isa, ctx, block, op, *++p, cursor))
				return false;
		} else if (*p == ' ') {
			if (!blank_or_end(cursor))
				return in_name(cursor, word) ? isa_unknown(cursor, word) :
				       isa_expect(cursor, "junk after the operand");
			isa_blanks(cursor);
		} else if (cursor->at >= cursor->end || *cursor->at != *p) {
			return in_name(cursor, word) ? isa_unknown(cursor, word) :
			       isa_expect(cursor, "expected '%c'", *p);
		} else {
			cursor->at++;
		}
	}
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

bool isa_read_set(const struct isa *isa, struct isa_cursor *c, struct isa_bits *bits, unsigned int *form)
{
	const struct isa_field *f;
	int64_t v;
	size_t n;

	isa_blanks(c);
	n = isa_word_length(c);
	f = isa_find_field(isa, c->at, n, form);
	if (!f)
		return isa_expect(c, "there is no field '%.*s'", n < 60 ? (int)n : 60, c->at);
	c->at += n;
	isa_blanks(c);
	if (!isa_number(c, 0, (1ll << f->width) - 1, &v))
		return false;
	isa_put(bits, f->lo, f->width, v);
	isa_blanks(c);
	return isa_at_end(c) || isa_expect(c, "junk after the value");
}

void isa_write_sets(const struct isa *isa, unsigned int form, const struct isa_bits *want,
		    const struct isa_bits *have, const char *prefix, const char *suffix,
		    struct isa_text *text)
{
	const struct isa_form *fm = &isa->forms[form];
	uint32_t differ = 0;

	for (int i = 0; i < ISA_BLOCK_WORDS; i++)
		differ |= want->w[i] ^ have->w[i];
	for (unsigned int i = 0; differ && i < fm->count; i++) {
		const struct isa_field *f = &fm->fields[i];
		uint32_t v = isa_get(want, f->lo, f->width);

		if (v == isa_get(have, f->lo, f->width))
			continue;
		isa_puts(text, prefix);
		isa_puts(text, "set ");
		isa_puts(text, fm->name);
		isa_puts(text, fm->name[0] ? "." : "");
		isa_puts(text, f->name);
		isa_putc(text, ' ');
		if (v < 10)
			isa_put_uint(text, v);
		else
			isa_put_hex(text, v, 1);
		isa_puts(text, suffix);
	}
}

bool isa_any_number(struct isa_cursor *cursor, int64_t lo, int64_t hi, int64_t *value)
{
	const char *p = cursor->at;
	bool negative = p < cursor->end && *p == '-';
	bool hex;
	int64_t v = 0;
	const char *first;

	p += negative;
	hex = cursor->end - p > 2 && p[0] == '0' && (p[1] == 'x' || p[1] == 'X');
	p += hex ? 2 : 0;
	for (first = p; p < cursor->end; p++) {
		int d;

		if (*p >= '0' && *p <= '9')
			d = *p - '0';
		else if (hex && (*p | 32) >= 'a' && (*p | 32) <= 'f')
			d = (*p | 32) - 'a' + 10;
		else
			break;
		if (v < 1ll << 40)
			v = v * (hex ? 16 : 10) + d;
	}
	if (p == first)
		return isa_expect(cursor, "expected a number");
	v = negative ? -v : v;
	if (v < lo || v > hi || (negative && lo >= 0))
		return isa_expect(cursor, "%s%lld is out of range: %lld to %lld", negative && !v ? "-" : "", (long long)v,
				  (long long)lo, (long long)hi);
	cursor->at = p;
	*value = v;
	return true;
}

float isa_strtof(const char *s, char **end)
{
	static const double power[] = { 1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15 };
	const char *p = s + (*s == '-'), *first = p, *point = NULL;
	uint64_t digits = 0, bits;
	double d;

	for (; isa_is(*p, ISA_DIGIT) || (*p == '.' && !point); p++) {
		if (*p == '.')
			point = p;
		else
			digits = digits * 10 + (*p - '0');
		if (p - first > 15)
			return strtof(s, end);
	}
	if (*p || p - first == (point ? 1 : 0))
		return strtof(s, end);
	/* Both are exact, so d is rounded once; half way between two floats it may have come from either side. */
	d = digits / power[point ? p - point - 1 : 0];
	memcpy(&bits, &d, sizeof(bits));
	if ((bits & 0x1fffffff) == 0x10000000)
		return strtof(s, end);
	*end = (char *)p;
	return *s == '-' ? -(float)d : (float)d;
}

size_t isa_word_length(const struct isa_cursor *cursor)
{
	const char *p = cursor->at;

	while (p < cursor->end && isa_is(*p, ISA_WORD))
		p++;
	return p - cursor->at;
}

bool isa_expect(struct isa_cursor *cursor, const char *format, ...)
{
	va_list ap;

	if (cursor->quiet)
		return false;
	/* The row that got farthest is the one that was meant. */
	if (cursor->fail && cursor->at <= cursor->fail && !(cursor->weak && cursor->at == cursor->fail))
		return false;
	cursor->fail = cursor->at;
	cursor->weak = false;
	va_start(ap, format);
	vsnprintf(cursor->error, sizeof(cursor->error), format, ap);
	va_end(ap);
	return false;
}

bool isa_message(struct isa_messages *messages, const struct isa_message *place, const char *format, ...)
{
	size_t count = messages->count;
	struct isa_message *list = messages->list;
	va_list ap;
	int n;

	/* Room in powers of two, so that the count says how much there is. */
	if (!(count & (count - 1))) {
		list = realloc(list, (count ? 2 * count : 1) * sizeof(*list));
		if (!list)
			return false;
		messages->list = list;
	}
	list[count] = *place;
	va_start(ap, format);
	n = vasprintf(&list[count].text, format, ap);
	va_end(ap);
	if (n < 0)
		return false;
	messages->errors += place->severity == ISA_ERROR;
	messages->count++;
	return true;
}

void isa_messages_free(struct isa_messages *messages)
{
	for (size_t i = 0; i < messages->count; i++)
		free(messages->list[i].text);
	free(messages->list);
	free(messages->lines);
	memset(messages, 0, sizeof(*messages));
}

bool isa_lines_grow(struct isa_messages *messages, size_t want)
{
	size_t room = 64;
	unsigned int *p;

	while (room <= want)
		room *= 2;
	p = realloc(messages->lines, room * sizeof(*p));
	if (!p)
		return false;
	messages->lines = p;
	return true;
}

bool isa_words_grow(struct isa_words *words, size_t more)
{
	size_t room = (words->room + more) * 2 + 16;
	uint32_t *p = realloc(words->list, room * sizeof(*p));

	if (!p)
		return false;
	words->list = p;
	words->room = room;
	return true;
}

/* Where the label of that name is, or would be. FNV-1a. */
static struct isa_label *label_slot(const struct isa_labels *labels, const char *name, size_t length)
{
	uint32_t h = 2166136261u;

	for (size_t i = 0; i < length; i++)
		h = (h ^ (unsigned char)name[i]) * 16777619u;
	for (size_t k = h & (labels->room - 1);; k = (k + 1) & (labels->room - 1)) {
		struct isa_label *l = &labels->list[k];

		if (!l->name || (l->length == length && !memcmp(l->name, name, length)))
			return l;
	}
}

int64_t isa_label_find(const struct isa_labels *labels, const char *name, size_t length)
{
	const struct isa_label *l = labels->room ? label_slot(labels, name, length) : NULL;

	return l && l->name ? (int64_t)l->index : -1;
}

int isa_label_add(struct isa_labels *labels, const struct isa_label *label)
{
	struct isa_labels more = { .count = labels->count, .room = labels->room ? labels->room * 2 : 64 };
	struct isa_label *l;

	if (labels->count * 2 >= labels->room) {
		more.list = calloc(more.room, sizeof(*more.list));
		if (!more.list)
			return -ENOMEM;
		for (size_t i = 0; i < labels->room; i++)
			if (labels->list[i].name)
				*label_slot(&more, labels->list[i].name, labels->list[i].length) = labels->list[i];
		free(labels->list);
		*labels = more;
	}
	l = label_slot(labels, label->name, label->length);
	if (l->name)
		return -EEXIST;
	*l = *label;
	labels->count++;
	return 0;
}

void isa_labels_free(struct isa_labels *labels)
{
	free(labels->list);
	memset(labels, 0, sizeof(*labels));
}
