// SPDX-License-Identifier: MIT
/* The tables as text: a page for Documentation, and what is covered. */
#include <stdlib.h>
#include <string.h>

#include "isa/table.h"

static void rule(struct isa_text *text, const unsigned int *width, unsigned int columns)
{
	for (unsigned int c = 0; c < columns; c++) {
		for (unsigned int i = 0; i < width[c]; i++)
			isa_printf(text, "=");
		isa_printf(text, c + 1 < columns ? " " : "\n");
	}
}

/* Operand letters are the table's own; in the page they are dots. */
static void pattern(const struct isa_op *op, char *to, size_t room)
{
	size_t n = 0;

	for (const char *p = op->pattern; *p && n + 2 < room; p++) {
		if (*p == '%') {
			p++;
			/* Suffixes of the name: nothing by default. */
			if (!strchr("ost", *p))
				to[n++] = *p == 'n' ? 'N' : *p;
		} else {
			to[n++] = *p;
		}
	}
	to[n] = 0;
}

static void describe_ops(const struct isa *isa, struct isa_text *text)
{
	static const unsigned int width[] = { 34, 44, 88 };

	isa_printf(text, "Ops\n---\n\nCapital letters stand for operands. *unknown*: nobody has said what it does.\n\n");
	rule(text, width, 3);
	isa_printf(text, "%-*s %-*s %s\n", width[0], "Unit", width[1], "Text", "Meaning");
	rule(text, width, 3);
	for (unsigned int i = 0; i < isa->op_count; i++) {
		const struct isa_op *op = &isa->ops[i];
		char buf[64];

		pattern(op, buf, sizeof(buf) - 4);
		isa_printf(text, "%-*s ``%s``%*s %s\n", width[0], isa->units[op->unit], buf,
			   (int)(width[1] - strlen(buf) - 4), "", *op->note ? op->note : "as it says");
	}
	rule(text, width, 3);
}

static void describe_form(const struct isa_form *form, struct isa_text *text)
{
	static const unsigned int width[] = { 24, 8, 8, 72 };

	if (form->name[0]) {
		isa_printf(text, "\n%s\n", form->name);
		for (size_t i = 0; i < strlen(form->name); i++)
			isa_printf(text, "~");
		isa_printf(text, "\n");
	}
	isa_printf(text, "\n");
	rule(text, width, 4);
	isa_printf(text, "%-24s %-8s %-8s %s\n", "Field", "Bits", "Reset", "Meaning");
	rule(text, width, 4);
	for (unsigned int i = 0; i < form->count; i++) {
		const struct isa_field *f = &form->fields[i];
		struct isa_text bits = { 0 };
		char *b;

		if (f->width == 1)
			isa_printf(&bits, "%u", f->lo);
		else
			isa_printf(&bits, "%u-%u", f->lo, f->lo + f->width - 1);
		b = isa_text_finish(&bits);
		isa_printf(text, f->reset > 9999 ? "%-24s %-8s 0x%-6x%s%s\n" : "%-24s %-8s %-8u%s%s\n", f->name,
			   b ? b : "", f->reset, *f->note ? " " : "", f->note);
		if (!b)
			text->failed = true;
		free(b);
	}
	rule(text, width, 4);
}

char *isa_describe(const struct isa *isa)
{
	struct isa_text text = { 0 };

	isa_printf(&text, ".. Generated from the tables of userspace/isa by limn isa -i %s\n\n%s: ops and fields\n",
		   isa->name, isa->name);
	for (size_t i = 0; i < strlen(isa->name) + strlen(": ops and fields"); i++)
		isa_printf(&text, "=");
	isa_printf(&text, "\n\n");
	describe_ops(isa, &text);
	isa_printf(&text, "\nFields\n------\n");
	for (unsigned int f = 0; f < isa->form_count; f++)
		describe_form(&isa->forms[f], &text);
	return isa_text_finish(&text);
}

void isa_coverage(const struct isa *isa, struct isa_coverage *c)
{
	memset(c, 0, sizeof(*c));
	for (unsigned int i = 0; i < isa->op_count; i++) {
		c->rows++;
		c->unknown += !strcmp(isa->ops[i].note, "unknown");
	}
	for (unsigned int f = 0; f < isa->form_count; f++) {
		for (unsigned int i = 0; i < isa->forms[f].count; i++) {
			c->fields++;
			c->unknown_fields += !strncmp(isa->forms[f].fields[i].name, "unknown", 7);
		}
	}
}
