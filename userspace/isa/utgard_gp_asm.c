// SPDX-License-Identifier: MIT
/*
 * Utgard GP: text to words and back. One instruction is a run of lines, one per
 * unit; a label or an empty line starts the next.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "isa/line.h"
#include "isa/utgard_gp.h"
#include "isa/utgard_gp_text.h"

/* Its bits are final. */
static void put_out(struct gp_text *t, size_t number)
{
	const struct gp_insn *in = gp_insn(t, number);

	t->no_memory |= !isa_words_add(&t->out, in->bits.w, 4) || !isa_lines_add(t->messages, in->line, 4);
}

static bool open_insn(struct gp_text *t)
{
	if (t->open)
		return true;
	/* The next one may still name what register unit 0 of this one loads. */
	if (t->count >= 2)
		put_out(t, t->count - 2);
	t->count++;
	*gp_current(t) = (struct gp_insn){ .bits = t->reset, .line = t->line };
	t->open = true;
	return !t->no_memory;
}

/* Ends the open instruction if there is anything in it. */
static void close_insn(struct gp_text *t)
{
	t->open &= t->count && !gp_current(t)->content;
}

static void report(struct gp_text *t, unsigned int line, unsigned int column, const char *text)
{
	struct isa_message at = { .severity = ISA_ERROR, .line = line, .column = column };

	t->no_memory |= !isa_message(t->messages, &at, "%s", text);
}

/* Two units in one opcode field, or a unit used twice? */
static const char *conflict(const struct gp_insn *before, struct gp_insn *in, unsigned int unit)
{
	static const uint16_t uses[] = { [GP_A0] = 1, [GP_A1] = 2, [GP_M0] = 4, [GP_M1] = 8, [GP_P] = 16,
					 [GP_C] = 32, [GP_M01] = 12, [GP_BR] = 64 };

	if (in->units & uses[unit])
		return "this unit is used already; a label or an empty line starts the next instruction";
	in->units |= uses[unit];
	if (unit == GP_A0 || unit == GP_A1) {
		if (in->acc_op && gp_get(&before->bits, acc_op) != gp_get(&in->bits, acc_op))
			return "both accumulators share one opcode, and the other one has a different one";
		in->acc_op = true;
	}
	/* Multiplier 1 has the same text beside complex2. */
	if (unit == GP_M1 && in->mul_op)
		gp_put(&in->bits, mul_op, gp_get(&before->bits, mul_op));
	else if (unit == GP_M0)
		in->mul_op = true;
	return NULL;
}

static bool add_fixup(struct gp_text *t)
{
	if (t->fixup_count == t->fixup_room) {
		size_t room = t->fixup_room * 2 + 64;
		struct gp_fixup *f = realloc(t->fixups, room * sizeof(*f));

		if (!f)
			return t->no_memory = true, false;
		t->fixups = f;
		t->fixup_room = room;
	}
	t->fixups[t->fixup_count++] = (struct gp_fixup){ t->target, t->count - 1, t->line, t->target.at - t->start + 1 };
	return true;
}

/* One unit's op. */
static bool read_op(struct gp_text *t, struct isa_cursor *c)
{
	const char *at = c->at, *wrong;
	struct isa_choice choice;
	const struct isa_op *op;
	struct gp_insn before;

	if (!open_insn(t))
		return false;
	gp_current(t)->content = true;
	before = *gp_current(t);
	isa_choose(t->isa, c, &choice);
	while (c->at = at, (op = isa_next_choice(&choice, c))) {
		t->target.length = 0;
		if (!isa_read_op(t->isa, t, &gp_current(t)->bits, op, c)) {
			*gp_current(t) = before;
			continue;
		}
		wrong = conflict(&before, gp_current(t), op->unit);
		if (!wrong)
			return !t->target.length || add_fixup(t);
		c->at = at;
		c->fail = NULL;
		return isa_expect(c, "%s", wrong);
	}
	return c->fail ? false : isa_unknown(c, at);
}

static bool read_set(struct gp_text *t, struct isa_cursor *c)
{
	struct isa_bits bits;
	unsigned int form;

	if (!open_insn(t))
		return false;
	bits = gp_current(t)->bits;
	if (!isa_read_set(t->isa, c, &bits, &form))
		return false;
	gp_current(t)->bits = bits;
	return gp_current(t)->content = true;
}

static bool read_word(struct gp_text *t, struct isa_cursor *c)
{
	uint32_t w[4];
	size_t n = 0;
	int64_t v;

	for (isa_blanks(c); !isa_at_end(c); isa_blanks(c)) {
		if (n == 4)
			return isa_expect(c, ".word takes at most four words, one instruction");
		if (!isa_number(c, INT32_MIN, UINT32_MAX, &v))
			return false;
		w[n++] = v;
	}
	if (!n)
		return isa_expect(c, "expected a word");
	close_insn(t);
	if (n < 4) {
		t->no_memory |= !isa_words_add(&t->tail, w, n);
		return true;
	}
	if (!open_insn(t))
		return false;
	memcpy(gp_current(t)->bits.w, w, sizeof(w));
	t->open = false;
	return true;
}

/* "NAME:" at the cursor. */
static bool read_label(struct gp_text *t, struct isa_cursor *c)
{
	const char *at = c->at;
	struct gp_name name = gp_read_name(c);
	int err;

	if (!name.length || !isa_literal(c, ":")) {
		c->at = at;
		return false;
	}
	close_insn(t);
	err = isa_label_add(&t->labels, &(struct isa_label){ name.at, name.length, t->count - t->open });
	if (err == -EEXIST)
		report(t, t->line, name.at - t->start + 1, "this label is there already");
	t->no_memory |= err == -ENOMEM;
	isa_blanks(c);
	return true;
}

/* What is between commas. */
static bool read_statement(struct gp_text *t, struct isa_cursor *c)
{
	if (t->tail.count)
		return isa_expect(c, "a .word with less than four words can only be the last");
	if (isa_literal_word(c, ".word"))
		return read_word(t, c);
	if (isa_literal(c, "set ") || (c->end - c->at > 10 && !memcmp(c->at, "unknown_1 ", 10)))
		return read_set(t, c);
	if (!isa_literal_word(c, "nop"))
		return read_op(t, c);
	isa_blanks(c);
	return open_insn(t) && (gp_current(t)->content = true);
}

static void read_line(struct gp_text *t, struct isa_cursor *c)
{
	bool label = false;

	isa_blanks(c);
	while (read_label(t, c))
		label = true;
	if (isa_at_end(c)) {
		/* A line with nothing but a comment is no empty line. */
		if (label)
			open_insn(t);
		else if (c->at >= c->end)
			close_insn(t);
		return;
	}
	for (;;) {
		c->fail = NULL;
		if (!read_statement(t, c)) {
			report(t, t->line, (c->fail ? c->fail : c->at) - t->start + 1, c->error);
			return;
		}
		if (c->at >= c->end || *c->at != ',')
			return;
		c->at++;
		isa_blanks(c);
	}
}

static void read_text(struct gp_text *t, const char *p, const char *end)
{
	for (; p < end && !t->no_memory; t->line++) {
		const char *nl = memchr(p, '\n', end - p);
		struct isa_cursor c;

		t->start = p;
		isa_cursor_begin(&c, p, nl ? nl : end);
		read_line(t, &c);
		p = nl ? nl + 1 : end;
	}
}

static void resolve(struct gp_text *t, const struct gp_fixup *f, struct isa_bits *b)
{
	struct isa_cursor number = { .at = f->name.at, .end = f->name.at + f->name.length };
	int64_t target = isa_label_find(&t->labels, f->name.at, f->name.length);

	if (target < 0 && (!isa_number(&number, 0, 511, &target) || number.at != number.end))
		report(t, f->line, f->column, "there is no such label");
	else if (target > 511)
		report(t, f->line, f->column, "the target is past instruction 511");
	gp_put(b, branch_target, target & 0xff);
	gp_put(b, branch_target_lo, target < 256);
}

static int finish(struct gp_text *t)
{
	if (t->count >= 2)
		put_out(t, t->count - 2);
	/* A label at the very end names the place behind the last instruction. */
	close_insn(t);
	if (t->count && !t->open)
		put_out(t, t->count - 1);
	for (size_t i = 0; i < t->fixup_count && !t->no_memory; i++)
		resolve(t, &t->fixups[i], (struct isa_bits *)(t->out.list + t->fixups[i].index * 4));
	t->no_memory |= !isa_words_add(&t->out, t->tail.list, t->tail.count);
	isa_labels_free(&t->labels);
	free(t->fixups);
	free(t->tail.list);
	return t->no_memory ? -ENOMEM : t->messages->errors ? -EINVAL : 0;
}

int gp_assemble(const struct isa *isa, const char *text, size_t length, uint32_t **words,
		size_t *count, struct isa_messages *messages)
{
	struct gp_text t = { .isa = isa, .messages = messages, .line = 1 };
	int err;

	isa_reset(isa, 0, &t.reset);
	read_text(&t, text, text + length);
	err = finish(&t);
	if (err) {
		free(t.out.list);
		return err;
	}
	*words = t.out.list;
	*count = t.out.count;
	return 0;
}

/* --- words to text ------------------------------------------------------------ */

static void write_units(struct gp_text *t, const struct isa_bits *b, struct isa_text *text)
{
	static const uint8_t order[] = { GP_A0, GP_A1, GP_M0, GP_M1, GP_M01, GP_C, GP_P, GP_BR };

	for (unsigned int i = 0; i < sizeof(order); i++) {
		const struct isa_op *op = gp_unit_op(b, order[i]);

		if (!op)
			continue;
		isa_putc(text, '\t');
		isa_write_op(t->isa, t, b, op, text);
		isa_putc(text, '\n');
	}
}

/* Reads the text of the next instruction back. */
static void read_back(struct gp_text *t, const struct isa_text *text)
{
	static const char nop[] = "nop";
	struct isa_messages messages = { 0 };

	t->messages = &messages;
	t->open = false;
	t->out.count = t->fixup_count = 0;
	if (text->length && !text->failed)
		read_text(t, text->data, text->data + text->length);
	else
		read_text(t, nop, nop + 3);
	if (t->fixup_count)
		resolve(t, &t->fixups[0], &gp_current(t)->bits);
	isa_messages_free(&messages);
}

/* Text that is read back, and "set" for what it does not tell. */
static void write_whole(struct gp_text *t, size_t number, const struct isa_bits *b, const struct isa_text *units,
			struct isa_text *text)
{
	size_t start;

	isa_printf(text, "%03zu:", number);
	start = text->length;
	isa_append(text, units->data, units->length);
	isa_write_sets(t->isa, 0, b, &gp_insn(t, number)->bits, "\t", "\n", text);
	if (text->length == start)
		isa_puts(text, "\tnop\n");
	isa_text_pause(text);
}

void gp_disassemble(const struct isa *isa, const uint32_t *words, size_t count, struct isa_text *text)
{
	const struct isa_bits *all = (const void *)words;
	struct gp_text t = { .isa = isa };
	/* Names of results are looked for in the texts of the last three. */
	struct isa_text units[4] = { { 0 } };
	size_t n = count / 4;

	isa_reset(isa, 0, &t.reset);
	for (size_t i = 0; i < n && !text->failed && !t.no_memory; i++) {
		t.number = i;
		t.previous = i ? &all[i - 1] : NULL;
		units[i % 4].length = 0;
		write_units(&t, &all[i], &units[i % 4]);
		read_back(&t, &units[i % 4]);
		text->failed |= units[i % 4].failed;
		/* What register unit 0 loads may be told by the instruction behind. */
		if (i)
			write_whole(&t, i - 1, &all[i - 1], &units[(i - 1) % 4], text);
	}
	if (n)
		write_whole(&t, n - 1, &all[n - 1], &units[(n - 1) % 4], text);
	if (count % 4) {
		isa_line_words(words + n * 4, count % 4, text);
		isa_putc(text, '\n');
	}
	text->failed |= t.no_memory;
	for (unsigned int i = 0; i < 4; i++)
		free(units[i].data);
	free(t.out.list);
	free(t.fixups);
}
