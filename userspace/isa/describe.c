// SPDX-License-Identifier: MIT
/* The tables as text: a page for Documentation, and what is covered. */
#include <string.h>

#include "isa/table.h"

/*
 * A row's text. Operand letters are the table's own; in the page they are capitals. What hangs on
 * the name or on an operand, a modifier, is left out.
 */
void isa_write_form(const struct isa *isa, const struct isa_op *op, struct isa_text *text)
{
	size_t start = text->length;
	bool name = true;

	if (isa->write_form) {
		isa->write_form(op, text);
		return;
	}
	for (const char *p = op->pattern; *p && !text->failed; p++) {
		bool operand = *p == '%', first = text->length == start;
		char last = first ? '`' : text->data[text->length - 1];

		p += operand;
		if (operand && *p == '_')
			isa_putc(text, ' ');
		else if (operand && *p == 'n')	/* a number that is part of the name, as in op12 */
			isa_putc(text, 'N');
		else if (!operand || last == ' ' || (!name && !strchr("ostmwk", *p)))
			isa_putc(text, *p);
		name &= text->failed || text->data[text->length - 1] != ' ';
	}
	while (text->length > start && text->data[text->length - 1] == ' ')
		text->length--;
}

/* Of a note, as reStructuredText in a quoted cell: what would be markup is escaped. */
static void plain(const char *note, size_t length, struct isa_text *text)
{
	for (size_t i = 0; i < length; i++) {
		if (strchr("*`|_\\", note[i]))
			isa_putc(text, '\\');
		if (note[i] == '"')
			isa_putc(text, '"');
		isa_putc(text, note[i]);
	}
}

static void bits(unsigned int lo, unsigned int width, struct isa_text *text)
{
	isa_printf(text, width == 1 ? "%u" : "%u-%u", lo, lo + width - 1);
}

static void describe_op(const struct isa *isa, const struct isa_op *op, const bool *tested, struct isa_text *text)
{
	const char *source = strstr(op->note, " // ");

	isa_printf(text, "   \"%s\", \"``", isa->units[op->unit]);
	isa_write_form(isa, op, text);
	isa_puts(text, op->match[0].width ? "``\", \"" : "``\", \"what no other row has");
	for (unsigned int i = 0; i < 3 && op->match[i].width; i++) {
		isa_puts(text, i ? ", " : "");
		bits(op->match[i].lo, op->match[i].width, text);
		isa_printf(text, ": 0x%x", op->match[i].value);
	}
	isa_puts(text, isa_has_semantics(op) ? "\", \"" : "\", \"not known");
	if (isa_has_semantics(op))
		plain(op->note, source ? (size_t)(source - op->note) : strlen(op->note), text);
	source = source ? source + strlen(" // ") : isa->source;
	isa_puts(text, "\", \"");
	plain(source, strlen(source), text);
	isa_puts(text, !isa_is_named(op) ? "\", \"text alone: the code has no name" : op->why ? "\", \"text alone: " :
		 "\", \"executed");
	if (op->why)
		plain(op->why, strlen(op->why), text);
	else if (tested)
		isa_puts(text, tested[op - isa->ops] ? ", tested" : ", not tested");
	isa_puts(text, "\"\n");
}

static void underline(size_t length, char c, struct isa_text *text)
{
	while (length--)
		isa_putc(text, c);
}

static void describe_form(const struct isa_form *form, struct isa_text *text)
{
	isa_printf(text, form->name[0] ? "\n%s\n" : "%s", form->name);
	underline(strlen(form->name), '~', text);
	isa_puts(text, "\n.. csv-table::\n   :header: Field, Bits, Reset, Meaning\n\n");
	for (unsigned int i = 0; i < form->count; i++) {
		const struct isa_field *f = &form->fields[i];

		isa_printf(text, "   %s, ", f->name);
		bits(f->lo, f->width, text);
		isa_printf(text, f->reset > 9 ? ", 0x%x, \"" : ", %u, \"", f->reset);
		plain(f->note, strlen(f->note), text);
		isa_puts(text, "\"\n");
	}
}

char *limn_isa_describe(const struct isa *isa, const bool *tested)
{
	struct isa_text text = { 0 };

	isa_printf(&text, ".. Generated from the tables of userspace/isa by limn isa -i %s\n\n%s: ops and fields\n",
		   isa->name, isa->name);
	underline(strlen(isa->name) + strlen(": ops and fields"), '=', &text);
	isa_puts(&text, "\n\nOps\n---\n\nCapital letters stand for operands. Encoding: bits of the unit's block (below), and what"
		 " they\nare. Coverage: what the simulator does, and whether a unit test runs it.\n\n"
		 ".. csv-table::\n   :header: Unit, Text, Encoding, Meaning, Source, Coverage\n\n");
	for (unsigned int i = 0; i < isa->op_count; i++)
		describe_op(isa, &isa->ops[i], tested, &text);
	isa_puts(&text, "\nFields\n------\n");
	for (unsigned int f = 0; f < isa->form_count; f++)
		describe_form(&isa->forms[f], &text);
	return isa_text_finish(&text);
}

bool limn_isa_row_at(const struct isa *isa, unsigned int index, struct isa_row *row)
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
		row->why = op->why;
	return true;
}

void limn_isa_coverage(const struct isa *isa, struct isa_coverage *c)
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
