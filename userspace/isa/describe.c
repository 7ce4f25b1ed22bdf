// SPDX-License-Identifier: MIT
/* The tables as text: a page for Documentation, and what is covered. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/table.h"

struct column {
	const char *head;
	size_t width;
};

static void rule(struct isa_text *text, const struct column *columns, unsigned int count)
{
	for (unsigned int c = 0; c < count; c++) {
		for (size_t i = 0; i < columns[c].width; i++)
			isa_putc(text, '=');
		isa_putc(text, c + 1 < count ? ' ' : '\n');
	}
}

static void cell(struct isa_text *text, const char *s, size_t width)
{
	size_t n = strlen(s);

	isa_puts(text, s);
	for (; n < width; n++)
		isa_putc(text, ' ');
}

static void heads(struct isa_text *text, const struct column *columns, unsigned int count)
{
	rule(text, columns, count);
	for (unsigned int c = 0; c < count; c++) {
		cell(text, columns[c].head, c + 1 < count ? columns[c].width : 0);
		isa_putc(text, c + 1 < count ? ' ' : '\n');
	}
	rule(text, columns, count);
}

static size_t larger(size_t a, size_t b)
{
	return a > b ? a : b;
}

/* Does a number follow that is part of the name, as in op12? */
static bool numbered(const char *from, size_t n)
{
	return n >= 2 && (strchr("pP_", from[n - 1]) || (n >= 3 && !memcmp(from + n - 3, "unk", 3)));
}

/*
 * As literal text. Operand letters are the table's own; in the page they are
 * capitals. What hangs on the name or on an operand, a modifier, is left out.
 */
static void pattern(const struct isa_op *op, char *to, size_t room)
{
	bool name = true;
	size_t n = 0;

	to[n++] = '`';
	to[n++] = '`';
	for (const char *p = op->pattern; *p && n + 4 < room; p++) {
		bool operand = *p == '%';

		p += operand;
		if (operand && *p == '_')
			to[n++] = ' ';
		else if (operand && *p == 'n' && numbered(to, n))
			to[n++] = 'N';
		else if (!operand || to[n - 1] == ' ' || (!name && !strchr("ostmwk", *p)))
			to[n++] = *p;
		name &= to[n - 1] != ' ';
	}
	while (to[n - 1] == ' ')
		n--;
	to[n++] = '`';
	to[n++] = '`';
	to[n] = 0;
}

/* A note as reStructuredText: what would be markup is escaped. */
static void plain(const char *note, size_t length, char *to, size_t room)
{
	size_t n = 0;

	for (size_t i = 0; i < length && note[i] && n + 3 < room; i++) {
		if (strchr("*`|_\\", note[i]))
			to[n++] = '\\';
		to[n++] = note[i];
	}
	to[n] = 0;
}

enum { UNIT, TEXT, ENCODING, MEANING, SOURCE, COVERAGE, COLUMNS };

/* Bits of the unit's block and what they must be. */
static void encoding(const struct isa_op *op, char *to, size_t room)
{
	size_t n = 0;

	for (unsigned int i = 0; i < 3 && op->match[i].width; i++) {
		const struct isa_match *m = &op->match[i];
		char bits[16];

		snprintf(bits, sizeof(bits), m->width == 1 ? "%u" : "%u-%u", m->lo, m->lo + m->width - 1u);
		n += (size_t)snprintf(to + n, room - n, "%s%s: 0x%x", n ? ", " : "", bits, m->value);
	}
	if (!n)
		snprintf(to, room, "what no other row has");
}

static void meaning(const struct isa_op *op, char *to, size_t room)
{
	const char *end = strstr(op->note, " // ");

	if (!isa_has_semantics(op))
		snprintf(to, room, "not known");
	else
		plain(op->note, end ? (size_t)(end - op->note) : strlen(op->note), to, room);
}

static void coverage(const struct isa_op *op, bool measured, bool tested, char *to, size_t room)
{
	char why[256];

	if (!isa_is_named(op)) {
		snprintf(to, room, "text alone: the code has no name");
	} else if (!isa_has_semantics(op)) {
		plain(isa_why(op), sizeof(why), why, sizeof(why));
		snprintf(to, room, "text alone: %s", why);
	} else {
		snprintf(to, room, "executed%s", !measured ? "" : tested ? ", tested" : ", not tested");
	}
}

static void op_cells(const struct isa *isa, unsigned int i, const bool *tested, char cells[COLUMNS][512])
{
	const struct isa_op *op = &isa->ops[i];
	const char *source = strstr(op->note, " // ");

	snprintf(cells[UNIT], 512, "%s", isa->units[op->unit]);
	pattern(op, cells[TEXT], 512);
	encoding(op, cells[ENCODING], 512);
	meaning(op, cells[MEANING], 512);
	source = source ? source + strlen(" // ") : isa->source;
	plain(source, strlen(source), cells[SOURCE], 512);
	coverage(op, tested, tested && tested[i], cells[COVERAGE], 512);
}

static void describe_ops(const struct isa *isa, const bool *tested, struct isa_text *text)
{
	struct column columns[COLUMNS] = {
		[UNIT] = { "Unit", 4 }, [TEXT] = { "Text", 4 }, [ENCODING] = { "Encoding", 8 },
		[MEANING] = { "Meaning", 7 }, [SOURCE] = { "Source", 6 }, [COVERAGE] = { "Coverage", 8 },
	};
	char cells[COLUMNS][512];

	isa_puts(text, "Ops\n---\n\nCapital letters stand for operands. Encoding: bits of the unit's block (below), and what they\n"
		 "are. Coverage: what the simulator does, and whether a unit test runs it.\n\n");
	for (unsigned int i = 0; i < isa->op_count; i++) {
		op_cells(isa, i, tested, cells);
		for (unsigned int c = 0; c < COLUMNS; c++)
			columns[c].width = larger(columns[c].width, strlen(cells[c]));
	}
	heads(text, columns, COLUMNS);
	for (unsigned int i = 0; i < isa->op_count; i++) {
		op_cells(isa, i, tested, cells);
		for (unsigned int c = 0; c < COLUMNS; c++) {
			cell(text, cells[c], c + 1 < COLUMNS ? columns[c].width : 0);
			isa_putc(text, c + 1 < COLUMNS ? ' ' : '\n');
		}
	}
	rule(text, columns, COLUMNS);
}

static void describe_field(const struct isa_field *f, const struct column *columns, struct isa_text *text)
{
	char bits[24], reset[24], note[512];

	snprintf(bits, sizeof(bits), f->width == 1 ? "%u" : "%u-%u", f->lo, f->lo + f->width - 1);
	snprintf(reset, sizeof(reset), f->reset > 9 ? "0x%x" : "%u", f->reset);
	cell(text, f->name, columns[0].width);
	isa_putc(text, ' ');
	cell(text, bits, columns[1].width);
	isa_putc(text, ' ');
	cell(text, reset, columns[2].width);
	isa_putc(text, ' ');
	plain(f->note, strlen(f->note), note, sizeof(note));
	isa_puts(text, *note ? note : "\\");
	isa_putc(text, '\n');
}

static void describe_form(const struct isa_form *form, struct isa_text *text)
{
	struct column columns[] = { { "Field", 5 }, { "Bits", 8 }, { "Reset", 10 }, { "Meaning", 7 } };

	if (form->name[0]) {
		isa_printf(text, "\n%s\n", form->name);
		for (size_t i = 0; i < strlen(form->name); i++)
			isa_putc(text, '~');
		isa_putc(text, '\n');
	}
	isa_putc(text, '\n');
	for (unsigned int i = 0; i < form->count; i++) {
		columns[0].width = larger(columns[0].width, strlen(form->fields[i].name));
		columns[3].width = larger(columns[3].width, 2 * strlen(form->fields[i].note));
	}
	heads(text, columns, 4);
	for (unsigned int i = 0; i < form->count; i++)
		describe_field(&form->fields[i], columns, text);
	rule(text, columns, 4);
}

char *isa_describe(const struct isa *isa, const bool *tested)
{
	struct isa_text text = { 0 };

	isa_printf(&text, ".. Generated from the tables of userspace/isa by limn isa -i %s\n\n%s: ops and fields\n",
		   isa->name, isa->name);
	for (size_t i = 0; i < strlen(isa->name) + strlen(": ops and fields"); i++)
		isa_putc(&text, '=');
	isa_puts(&text, "\n\n");
	describe_ops(isa, tested, &text);
	isa_puts(&text, "\nFields\n------\n");
	for (unsigned int f = 0; f < isa->form_count; f++)
		describe_form(&isa->forms[f], &text);
	return isa_text_finish(&text);
}

bool isa_row_at(const struct isa *isa, unsigned int index, struct isa_row *row)
{
	const struct isa_op *op = &isa->ops[index];

	if (index >= isa->op_count)
		return false;
	*row = (struct isa_row) {
		.name = op->pattern,
		.length = strcspn(op->pattern, "% "),
		.unit = isa->units[op->unit],
		.named = isa_is_named(op),
		.executed = isa_has_semantics(op),
	};
	if (row->named && !row->executed)
		row->why = isa_why(op);
	return true;
}

void isa_coverage(const struct isa *isa, struct isa_coverage *c)
{
	memset(c, 0, sizeof(*c));
	for (unsigned int i = 0; i < isa->op_count; i++) {
		c->ops += isa_is_named(&isa->ops[i]);
		c->codes += !isa_is_named(&isa->ops[i]);
		c->executed += isa_has_semantics(&isa->ops[i]);
	}
	for (unsigned int f = 0; f < isa->form_count; f++) {
		for (unsigned int i = 0; i < isa->forms[f].count; i++) {
			c->fields++;
			c->unknown_fields += !strncmp(isa->forms[f].fields[i].name, "unknown", 7);
		}
	}
}
