// SPDX-License-Identifier: MIT
/*
 * Utgard PP: text to words. A line is an instruction, its fields separated by
 * commas; a comma at the end goes on in the next line.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "isa/table.h"
#include "isa/utgard_pp.h"
#include "isa/utgard_pp_text.h"

struct pp_insn {
	struct isa_bits block[PP_BLOCKS];
	uint16_t present;		/* bit per block */
	uint32_t set_mask, padding;	/* bits of the control word that the text sets itself */
	bool raw;			/* .word: block[0] is the word */
	bool content;
	bool next_set;			/* the text sets the branch's next_count itself */
	size_t offset;
	unsigned int line;
	struct pp_target target;
	unsigned int target_line, target_column;
};

struct pp_asm {
	const struct isa *isa;
	struct isa_messages *messages;
	struct pp_insn *insns;
	size_t count, room;
	bool open;
	struct isa_labels labels;
	const char *line_start;
	unsigned int line;
	bool no_memory;
};

static struct pp_insn *current(struct pp_asm *as)
{
	return &as->insns[as->count - 1];
}

static bool open_insn(struct pp_asm *as)
{
	if (as->open)
		return true;
	if (as->count == as->room) {
		size_t room = as->room * 2 + 64;
		struct pp_insn *p = realloc(as->insns, room * sizeof(*p));

		if (!p)
			return as->no_memory = true, false;
		as->insns = p;
		as->room = room;
	}
	memset(&as->insns[as->count], 0, sizeof(*as->insns));
	as->insns[as->count++].line = as->line;
	as->open = true;
	return true;
}

static bool report(struct pp_asm *as, unsigned int line, unsigned int column, const char *text)
{
	struct isa_message at = { .severity = ISA_ERROR, .line = line, .column = column };

	if (!isa_message(as->messages, &at, "%s", text))
		as->no_memory = true;
	return false;
}

static unsigned int column(const struct pp_asm *as, const char *at)
{
	return at - as->line_start + 1;
}

static bool read_word(struct pp_asm *as, struct isa_cursor *c)
{
	int64_t v;

	for (; !isa_at_end(c); isa_blanks(c)) {
		if (!isa_number(c, INT32_MIN, UINT32_MAX, &v))
			return false;
		if (as->open && current(as)->content)
			as->open = false;
		if (!open_insn(as))
			return false;
		current(as)->raw = true;
		current(as)->block[0].w[0] = v;
		as->open = false;
	}
	return true;
}

static bool read_set(struct pp_asm *as, struct isa_cursor *c)
{
	size_t n = isa_word_length(c);
	unsigned int form, block, width;
	const struct isa_field *f;
	const char *at = c->at;
	bool padding = n == 7 && !memcmp(c->at, "padding", 7);
	int64_t v;

	f = padding ? NULL : isa_find_field(as->isa, c->at, n, &form);
	if (!f && !padding)
		return isa_expect(c, "there is no field '%.*s'", (int)n, c->at);
	if (!open_insn(as))
		return false;
	block = f ? as->isa->forms[form].block : PP_CTRL;
	if (block != PP_CTRL && !(current(as)->present >> block & 1))
		return isa_expect(c, "'%.*s' belongs to a field that this instruction does not have so far",
				  (int)n, at);
	c->at += n;
	isa_blanks(c);
	width = f ? f->width : 31;
	if (!isa_number(c, 0, (1ll << width) - 1, &v))
		return false;
	current(as)->content = true;
	if (padding)
		current(as)->padding = v;
	else
		isa_put(&current(as)->block[block], f->lo, f->width, v);
	if (f && form == PP_F_BRANCH && f->lo == 68)
		current(as)->next_set = true;
	if (f && block == PP_CTRL)
		current(as)->set_mask |= ((1u << f->width) - 1) << f->lo;
	isa_blanks(c);
	return isa_at_end(c) || isa_expect(c, "junk after the value");
}

static bool read_op(struct pp_asm *as, struct isa_cursor *c)
{
	const char *at = c->at;
	const struct isa_op *op;
	unsigned int row = 0;

	if (!open_insn(as))
		return false;
	while (c->at = at, (op = isa_next_row(as->isa, c, &row))) {
		struct pp_insn *in = current(as);
		struct pp_target target = { 0 };
		struct isa_bits bits;

		if (op->unit == PP_CTRL)
			bits = in->block[0];
		else
			isa_reset(as->isa, op->form, &bits);
		if (!isa_read_op(as->isa, &target, &bits, op, c))
			continue;
		in->content = true;
		if (op->unit != PP_CTRL && in->present >> op->unit & 1) {
			c->at = at;
			c->fail = NULL;
			return isa_expect(c, "this instruction has a %s already", as->isa->units[op->unit]);
		}
		in->block[op->unit] = bits;
		in->present |= 1u << op->unit;
		if (target.at) {
			in->target = target;
			in->target_line = as->line;
			in->target_column = column(as, target.at);
		}
		return true;
	}
	if (!c->fail)
		isa_unknown(c, at);
	return false;
}

/* "@ 12:" or "NAME:" at the cursor. */
static bool read_label(struct pp_asm *as, struct isa_cursor *c)
{
	const char *at = c->at;
	size_t n;

	if (isa_literal(c, "@"))
		isa_blanks(c);
	n = isa_word_length(c);
	if (!n || c->end - c->at <= (ptrdiff_t)n || c->at[n] != ':') {
		c->at = at;
		return false;
	}
	if (as->open && current(as)->content)
		as->open = false;
	if (isa_label_find(&as->labels, c->at, n))
		report(as, as->line, column(as, c->at), "this label is there already");
	else if (!isa_label_add(&as->labels, &(struct isa_label){ c->at, n, as->count - as->open }))
		as->no_memory = true;
	c->at += n + 1;
	isa_blanks(c);
	return true;
}

/* One line; true when it ends in a comma and the instruction goes on. */
static bool read_line(struct pp_asm *as, struct isa_cursor *c, bool goes_on)
{
	isa_blanks(c);
	while (!goes_on && read_label(as, c))
		;
	if (isa_at_end(c))
		return goes_on;
	for (;;) {
		bool ok;

		c->fail = NULL;
		if (isa_literal(c, ".word"))
			isa_blanks(c), ok = read_word(as, c);
		else if (isa_literal(c, "set "))
			isa_blanks(c), ok = read_set(as, c);
		else if (c->end - c->at >= 3 && !memcmp(c->at, "nop", 3) &&
			 (c->end - c->at == 3 || strchr(" \t\r,#/", c->at[3]))) {
			c->at += 3;
			isa_blanks(c);
			ok = open_insn(as);
			if (ok)
				current(as)->content = true;
		} else {
			ok = read_op(as, c);
		}
		if (!ok) {
			report(as, as->line, column(as, c->fail ? c->fail : c->at), c->error);
			/* The other fields of the line may have errors of their own. */
			while (c->at < c->end && *c->at != ',')
				c->at++;
			if (as->open)
				current(as)->content = true;
		}
		if (c->at >= c->end || *c->at != ',')
			break;
		c->at++;
		isa_blanks(c);
		if (isa_at_end(c))
			return true;
	}
	as->open = false;
	return false;
}

static unsigned int size_of(const struct pp_insn *in)
{
	unsigned int bits = 0;

	if (in->raw)
		return 1;
	for (unsigned int b = 1; b < PP_BLOCKS; b++)
		bits += in->present >> b & 1 ? pp_bits[b] : 0;
	return 1 + (bits + 31) / 32;
}

/* What the length field of the word at this instruction's place says. */
static unsigned int stated_size(const struct pp_insn *in)
{
	return in->raw ? PP_COUNT(in->block[0].w[0]) : size_of(in);
}

static void layout(struct pp_asm *as)
{
	size_t offset = 0;

	for (size_t i = 0; i < as->count; i++) {
		struct pp_insn *in = &as->insns[i];

		in->offset = offset;
		offset += size_of(in);
		if (size_of(in) > PP_MAX_WORDS)
			report(as, in->line, 1, "this instruction is longer than its length field can say");
	}
}

static void resolve(struct pp_asm *as, struct pp_insn *in)
{
	struct isa_cursor number = { in->target.at, in->target.at + in->target.length, NULL, false, "" };
	const struct isa_label *label = isa_label_find(&as->labels, in->target.at, in->target.length);
	const struct pp_insn *to = NULL;
	int64_t v = 0;

	if (label && label->index < as->count) {
		to = &as->insns[label->index];
		v = to->offset;
	} else if (label) {
		report(as, in->target_line, in->target_column, "there is no instruction behind this label");
		return;
	} else if (!isa_number(&number, -(1 << 28), 1 << 28, &v) || number.at != number.end) {
		report(as, in->target_line, in->target_column, "there is no such label");
		return;
	}
	for (size_t i = 0; i < as->count && !label && !to; i++)
		if ((int64_t)as->insns[i].offset == v)
			to = &as->insns[i];
	v -= in->offset;
	if (v < -(1 << 26) || v >= 1 << 26)
		report(as, in->target_line, in->target_column, "the target is too far away");
	isa_put(&in->block[PP_BRANCH], 41, 27, v);
	if (!in->next_set)
		isa_put(&in->block[PP_BRANCH], 68, 5, to ? stated_size(to) : 0);
}

static void put_bits(uint32_t *words, unsigned int *at, uint32_t value, unsigned int n)
{
	words[*at / 32] |= value << *at % 32;
	if (*at % 32 + n > 32)
		words[*at / 32 + 1] |= value >> (32 - *at % 32);
	*at += n;
}

/* Returns the number of words. next: length of the next instruction, 0 when there is none. */
static unsigned int compose(const struct pp_insn *in, unsigned int next, uint32_t words[32])
{
	uint32_t ctrl = in->block[0].w[0];
	unsigned int size = size_of(in), at = 32;
	uint32_t made;

	memset(words, 0, 32 * sizeof(*words));
	words[0] = ctrl;
	if (in->raw || size > PP_MAX_WORDS)
		return in->raw ? 1 : 0;
	made = size | (uint32_t)(in->present >> 1) << 7 | (ctrl & 0x60) | next;
	words[0] = (made & ~in->set_mask) | (ctrl & in->set_mask);
	for (unsigned int b = 1; b < PP_BLOCKS; b++) {
		if (!(in->present >> b & 1))
			continue;
		for (unsigned int i = 0; i < pp_bits[b]; i += 32)
			put_bits(words, &at, in->block[b].w[i / 32], pp_bits[b] - i < 32 ? pp_bits[b] - i : 32);
	}
	if (at % 32)
		words[at / 32] |= in->padding << at % 32;
	return size;
}

static bool emit(struct pp_asm *as, size_t index, struct isa_words *out)
{
	uint32_t words[32], next = 0;
	unsigned int n;

	if (index + 1 < as->count)
		next = PP_FOLLOWED_BY(stated_size(&as->insns[index + 1]));
	n = compose(&as->insns[index], next, words);
	return isa_words_add(out, words, n) && isa_lines_add(as->messages, as->insns[index].line, n);
}

int pp_assemble(const struct isa *isa, const char *text, size_t length, uint32_t **words,
		size_t *count, struct isa_messages *messages)
{
	struct pp_asm as = { .isa = isa, .messages = messages, .line = 1 };
	struct isa_words out = { 0 };
	bool goes_on = false;
	int err = 0;

	for (const char *p = text; p < text + length && !as.no_memory; as.line++) {
		const char *nl = memchr(p, '\n', text + length - p);
		struct isa_cursor c = { p, nl ? nl : text + length, NULL, false, "" };

		as.line_start = p;
		goes_on = read_line(&as, &c, goes_on);
		p = nl ? nl + 1 : text + length;
	}
	layout(&as);
	for (size_t i = 0; i < as.count; i++)
		if (as.insns[i].target.at)
			resolve(&as, &as.insns[i]);
	for (size_t i = 0; i < as.count && !messages->errors; i++)
		as.no_memory |= !emit(&as, i, &out);
	if (as.no_memory)
		err = -ENOMEM;
	else if (messages->errors)
		err = -EINVAL;
	free(as.insns);
	free(as.labels.list);
	if (err) {
		free(out.list);
		return err;
	}
	*words = out.list;
	*count = out.count;
	return 0;
}
