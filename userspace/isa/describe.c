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

/* As literal text. Operand letters are the table's own; in the page they are capitals, suffixes of the name are left out. */
static void pattern(const struct isa_op *op, char *to, size_t room)
{
	size_t n = 0;

	to[n++] = '`';
	to[n++] = '`';
	for (const char *p = op->pattern; *p && n + 4 < room; p++) {
		if (*p == '%') {
			p++;
			if (*p == '_')
				to[n++] = ' ';
			else if (!strchr("ostmwk", *p))
				to[n++] = *p == 'n' ? 'N' : *p;
		} else {
			to[n++] = *p;
		}
	}
	while (to[n - 1] == ' ')
		n--;
	to[n++] = '`';
	to[n++] = '`';
	to[n] = 0;
}

/* A note as reStructuredText: what would be markup is escaped. */
static void plain(const char *note, char *to, size_t room)
{
	size_t n = 0;

	for (; *note && n + 3 < room; note++) {
		if (strchr("*`|_\\", *note))
			to[n++] = '\\';
		to[n++] = *note;
	}
	to[n] = 0;
}

static void meaning(const struct isa_op *op, char *to, size_t room)
{
	plain(*op->note ? op->note : "as it says", to, room);
}

static void describe_ops(const struct isa *isa, struct isa_text *text)
{
	struct column columns[] = { { "Unit", 4 }, { "Text", 4 }, { "Meaning", 7 } };
	char buf[96], note[512];

	isa_puts(text, "Ops\n---\n\nCapital letters stand for operands. *unknown*: nobody has said what it does.\n\n");
	for (unsigned int i = 0; i < isa->op_count; i++) {
		pattern(&isa->ops[i], buf, sizeof(buf));
		columns[0].width = larger(columns[0].width, strlen(isa->units[isa->ops[i].unit]));
		columns[1].width = larger(columns[1].width, strlen(buf));
		meaning(&isa->ops[i], note, sizeof(note));
		columns[2].width = larger(columns[2].width, strlen(note));
	}
	heads(text, columns, 3);
	for (unsigned int i = 0; i < isa->op_count; i++) {
		pattern(&isa->ops[i], buf, sizeof(buf));
		cell(text, isa->units[isa->ops[i].unit], columns[0].width);
		isa_putc(text, ' ');
		cell(text, buf, columns[1].width);
		isa_putc(text, ' ');
		meaning(&isa->ops[i], note, sizeof(note));
		isa_puts(text, note);
		isa_putc(text, '\n');
	}
	rule(text, columns, 3);
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
	plain(f->note, note, sizeof(note));
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

char *isa_describe(const struct isa *isa)
{
	struct isa_text text = { 0 };

	isa_printf(&text, ".. Generated from the tables of userspace/isa by limn isa -i %s\n\n%s: ops and fields\n",
		   isa->name, isa->name);
	for (size_t i = 0; i < strlen(isa->name) + strlen(": ops and fields"); i++)
		isa_putc(&text, '=');
	isa_puts(&text, "\n\n");
	describe_ops(isa, &text);
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
		row->why = op->note + strlen("unknown: ");
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
