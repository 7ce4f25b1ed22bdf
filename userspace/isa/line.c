// SPDX-License-Identifier: MIT
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "isa/line.h"
#include "isa/emit.h"

struct insn {
	const struct isa_op *op;
	struct isa_bits bits;
	struct isa_line place;
	unsigned int line, column;	/* of the target */
};

/* An instruction that names a label. */
struct fixup {
	size_t index;
	struct insn insn;
};

struct line_asm {
	const struct isa *isa;
	struct isa_messages *messages;
	struct isa_words out;
	size_t count;			/* of instructions */
	struct fixup *fixups;
	size_t fixup_count, fixup_room;
	struct isa_labels labels;
	struct isa_words tail;
	const char *start;
	unsigned int line;
	bool no_memory;
};

static void report(struct line_asm *as, unsigned int line, unsigned int column, const char *text)
{
	struct isa_message at = { .severity = ISA_ERROR, .line = line, .column = column };

	as->no_memory |= !isa_message(as->messages, &at, "%s", text);
}

static void add_fixup(struct line_asm *as, const struct insn *in)
{
	if (as->fixup_count == as->fixup_room) {
		size_t room = as->fixup_room * 2 + 64;
		struct fixup *p = realloc(as->fixups, room * sizeof(*p));

		if (!p) {
			as->no_memory = true;
			return;
		}
		as->fixups = p;
		as->fixup_room = room;
	}
	as->fixups[as->fixup_count++] = (struct fixup){ as->count, *in };
}

static void add(struct line_asm *as, const uint32_t *words)
{
	unsigned int n = as->isa->line_words;

	as->no_memory |= !isa_words_add(&as->out, words, n) || !isa_lines_add(as->messages, as->line, n);
	as->count++;
}

static bool read_label(struct line_asm *as, struct isa_cursor *c)
{
	size_t n = isa_word_length(c);
	int err;

	if (!n || c->end - c->at <= (ptrdiff_t)n || c->at[n] != ':')
		return false;
	err = isa_label_add(&as->labels, &(struct isa_label){ c->at, n, as->count });
	if (err == -EEXIST)
		report(as, as->line, c->at - as->start + 1, "this label is there already");
	as->no_memory |= err == -ENOMEM;
	c->at += n + 1;
	isa_blanks(c);
	return true;
}

static bool read_word(struct line_asm *as, struct isa_cursor *c)
{
	uint32_t w[ISA_BLOCK_WORDS] = { 0 };
	unsigned int n = 0;
	int64_t v;

	for (isa_blanks(c); !isa_at_end(c); isa_blanks(c)) {
		if (n == as->isa->line_words)
			return isa_expect(c, "these are more words than an instruction has");
		if (!isa_number(c, INT32_MIN, UINT32_MAX, &v))
			return false;
		w[n++] = v;
	}
	if (!n || (c->at < c->end && *c->at == ','))
		return isa_expect(c, n ? "words have blanks between them" : "expected a word");
	if (n < as->isa->line_words) {
		as->no_memory |= !isa_words_add(&as->tail, w, n);
		return true;
	}
	add(as, w);
	return true;
}

/* One instruction with what follows it, not added to the program yet. */
static bool read_op(struct line_asm *as, struct isa_cursor *c, struct insn *in)
{
	const char *at = c->at;
	const struct isa_op *op;
	struct isa_choice choice;
	unsigned int form;

	isa_choose(as->isa, c, &choice);
	while (c->at = at, (op = isa_next_choice(&choice, c))) {
		memset(in, 0, sizeof(*in));
		in->place.index = as->count;
		isa_reset(as->isa, op->form, &in->bits);
		if (!isa_read_op(as->isa, &in->place, &in->bits, op, c))
			continue;
		in->op = op;
		in->line = as->line;
		in->column = in->place.target ? in->place.target - as->start + 1 : 0;
		while (c->at < c->end && *c->at == ',') {
			c->at++;
			c->fail = NULL;
			isa_blanks(c);
			if (!isa_literal(c, "set "))
				return isa_expect(c, "too many operands");
			if (!isa_read_set(as->isa, c, &in->bits, &form))
				return false;
		}
		return true;
	}
	return c->fail ? false : isa_unknown(c, at);
}

static bool add_op(struct line_asm *as, struct isa_cursor *c)
{
	struct insn in;

	if (!read_op(as, c, &in))
		return false;
	if (in.place.target)
		add_fixup(as, &in);
	add(as, in.bits.w);
	return true;
}

static void read_line(struct line_asm *as, struct isa_cursor *c)
{
	/* etna_viv and Mesa have comments after ';'. */
	const char *comment = memchr(c->at, ';', c->end - c->at);
	bool ok;

	c->end = comment ? comment : c->end;
	isa_blanks(c);
	while (read_label(as, c))
		;
	if (isa_at_end(c) && (c->at >= c->end || *c->at != ','))
		return;
	if (as->tail.count) {
		report(as, as->line, c->at - as->start + 1, "a .word with fewer words than an instruction can only be the last");
		return;
	}
	ok = isa_literal_word(c, ".word") ? read_word(as, c) : add_op(as, c);
	if (!ok)
		report(as, as->line, (c->fail ? c->fail : c->at) - as->start + 1, c->error);
}

/* The operand of a row that branches; NULL: it does not. */
static const struct isa_operand *target_of(const struct isa *isa, const struct isa_op *op)
{
	const struct isa_operand *o = op ? isa_operand_of(isa, op, 'T') : NULL;

	return o && o->kind == ISA_TARGET ? o : NULL;
}

static void resolve(struct line_asm *as, struct insn *in)
{
	const struct isa_operand *o = target_of(as->isa, in->op);
	struct isa_line *p = &in->place;
	struct isa_cursor number = { .at = p->target, .end = p->target + p->target_length };
	unsigned int width = isa_operand_width(o);
	int64_t v = isa_label_find(&as->labels, p->target, p->target_length);

	if (v < 0 && (!isa_number(&number, 0, (1ll << width) - 1, &v) || number.at != number.end))
		report(as, in->line, in->column, "there is no such label");
	else if (v >> width)
		report(as, in->line, in->column, "the target is too far away");
	else
		isa_operand_put(o, &in->bits, v);
}

static void read_text(struct line_asm *as, const char *p, const char *end)
{
	for (; p < end && !as->no_memory; as->line++) {
		const char *nl = memchr(p, '\n', end - p);
		struct isa_cursor c;

		isa_cursor_begin(&c, p, nl ? nl : end);
		as->start = p;
		read_line(as, &c);
		p = nl ? nl + 1 : end;
	}
}

int isa_line_assemble(const struct isa *isa, const char *text, size_t length, uint32_t **words,
		      size_t *count, struct isa_messages *messages)
{
	struct line_asm as = { .isa = isa, .messages = messages, .line = 1 };
	int err = 0;

	read_text(&as, text, text + length);
	for (size_t i = 0; i < as.fixup_count && !as.no_memory; i++) {
		struct fixup *f = &as.fixups[i];

		resolve(&as, &f->insn);
		memcpy(as.out.list + f->index * isa->line_words, f->insn.bits.w, isa->line_words * sizeof(*as.out.list));
	}
	as.no_memory |= !isa_words_add(&as.out, as.tail.list, as.tail.count);
	if (as.no_memory)
		err = -ENOMEM;
	else if (messages->errors)
		err = -EINVAL;
	free(as.fixups);
	isa_labels_free(&as.labels);
	free(as.tail.list);
	if (err) {
		free(as.out.list);
		return err;
	}
	*words = as.out.list;
	*count = as.out.count;
	return 0;
}

/* --- words to text -------------------------------------------------------- */

void isa_line_words(const uint32_t *words, size_t count, struct isa_text *text)
{
	isa_puts(text, ".word");
	for (size_t i = 0; i < count; i++) {
		isa_putc(text, ' ');
		isa_put_hex(text, words[i], 8);
	}
}

/* What the text of one instruction, from start on, assembles to. */
static bool read_back(const struct isa *isa, const struct isa_text *text, size_t start, size_t index,
		      struct isa_bits *bits)
{
	struct isa_messages messages = { 0 };
	struct line_asm as = { .isa = isa, .messages = &messages, .count = index };
	struct isa_cursor c = { .at = text->data + start, .end = text->data + text->length };
	struct insn in;
	bool ok;

	as.start = c.at;
	ok = !text->failed && read_op(&as, &c, &in) && c.at == c.end;
	if (ok && in.place.target) {
		/* Labels are there for all that are below the end. */
		in.place.target += *in.place.target == 'l';
		in.place.target_length = isa_word_length(&(struct isa_cursor){ .at = in.place.target, .end = c.end });
		resolve(&as, &in);
	}
	ok &= !messages.count;
	isa_messages_free(&messages);
	*bits = in.bits;
	return ok;
}

bool isa_line_read_target(struct isa_line *line, struct isa_cursor *c)
{
	line->target = c->at;
	line->target_length = isa_word_length(c);
	c->at += line->target_length;
	return line->target_length || isa_expect(c, "expected a label or an instruction's number");
}

void isa_line_target(const struct isa_line *line, uint32_t target, struct isa_text *text)
{
	if (target < line->count)
		isa_putc(text, 'l');
	isa_put_uint(text, target);
}

void isa_line_emit_begin(struct isa_line_emit *e, const struct isa *isa)
{
	e->isa = isa;
	e->plans = isa_plans(isa);
	for (unsigned int i = 0; i < isa->form_count; i++)
		isa_reset(isa, i, &e->resets[i]);
}

char *isa_line_emit(const struct isa_line_emit *e, const struct isa_bits *b, char *to)
{
	const struct isa_op *op = isa_match_op(e->isa, 0, b);
	const struct isa_plan *plan = &e->plans[op - e->isa->ops];
	struct isa_tell tell = { plan->told, e->resets[op->form] };

	for (unsigned int i = 0; i < plan->count; i++) {
		to = isa_emit_literal(to, &plan->pieces[i]);
		if (plan->pieces[i].letter)
			to = e->isa->emit(b, plan->pieces[i].letter, to);
	}
	if (!isa_all_told(b, &tell))
		to = isa_emit_sets(e->isa, op->form, b, &tell, ", ", "", to);
	return to;
}

static void emit_one(const struct isa_line_emit *e, const uint32_t *words, struct isa_text *text)
{
	struct isa_bits b = { { 0 } };
	char *to = text->data + text->length;

	memcpy(b.w, words, e->isa->line_words * sizeof(*words));
	text->length = isa_emit_char(isa_line_emit(e, &b, to), '\n') - text->data;
}

void isa_line_write(const struct isa *isa, const struct isa_bits *b, size_t index, size_t count, struct isa_text *text)
{
	struct isa_line place = { .start = text->length, .index = index, .count = count };
	const struct isa_op *op = isa_match_op(isa, 0, b);
	struct isa_bits came_out;

	if (op)
		isa_write_op(isa, &place, b, op, text);
	/* What the text alone means says which "set" are needed. */
	if (op && read_back(isa, text, place.start, index, &came_out)) {
		isa_write_sets(isa, op->form, b, &came_out, ", ", "", text);
	} else {
		text->length = place.start;
		isa_line_words(b->w, isa->line_words, text);
	}
}

static void write_one(const struct isa *isa, const uint32_t *words, size_t index, size_t count, struct isa_text *text)
{
	struct isa_bits b = { { 0 } };

	memcpy(b.w, words, isa->line_words * sizeof(*words));
	isa_line_write(isa, &b, index, count, text);
	isa_putc(text, '\n');
}

/* Bit by instruction: branches go there. NULL: no branches, or out of memory. */
static uint8_t *find_targets(const struct isa *isa, const uint32_t *words, size_t n, struct isa_text *text)
{
	uint8_t *targets = NULL;

	for (size_t i = 0; i < n && !text->failed; i++) {
		struct isa_bits b = { { 0 } };
		const struct isa_operand *o;
		uint32_t to;

		memcpy(b.w, words + i * isa->line_words, isa->line_words * sizeof(*words));
		o = isa->operands ? target_of(isa, isa_match_op(isa, 0, &b)) : NULL;
		to = o ? isa_operand_get(o, &b) : n;
		if (to >= n)
			continue;
		targets = targets ? targets : calloc(n / 8 + 1, 1);
		if (targets)
			targets[to / 8] |= 1 << to % 8;
		text->failed |= !targets;
	}
	return targets;
}

void isa_line_disassemble(const struct isa *isa, const uint32_t *words, size_t count, struct isa_text *text)
{
	size_t n = count / isa->line_words, rest = count % isa->line_words;
	uint8_t *targets = find_targets(isa, words, n, text);
	struct isa_line_emit e;

	if (isa->emit)
		isa_line_emit_begin(&e, isa);
	text->failed |= isa->emit && !e.plans;
	for (size_t i = 0; i < n && isa_text_room(text, ISA_LINE_TEXT); i++, words += isa->line_words) {
		if (targets && targets[i / 8] >> i % 8 & 1) {
			isa_putc(text, 'l');
			isa_put_uint(text, i);
			isa_puts(text, ":\n");
		}
		if (isa->emit)
			emit_one(&e, words, text);
		else
			write_one(isa, words, i, n, text);
		isa_text_pause(text);
	}
	if (rest) {
		isa_line_words(words, rest, text);
		isa_putc(text, '\n');
	}
	free(targets);
}
