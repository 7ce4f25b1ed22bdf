// SPDX-License-Identifier: MIT
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "isa/line.h"

struct insn {
	struct isa_bits bits;
	struct isa_line place;
	unsigned int line, column;	/* of the target */
};

struct line_asm {
	const struct isa *isa;
	struct isa_messages *messages;
	struct insn *insns;
	size_t count, room;
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

static struct insn *add(struct line_asm *as)
{
	if (as->count == as->room) {
		size_t room = as->room * 2 + 64;
		struct insn *p = realloc(as->insns, room * sizeof(*p));

		if (!p) {
			as->no_memory = true;
			return NULL;
		}
		as->insns = p;
		as->room = room;
	}
	memset(&as->insns[as->count], 0, sizeof(*as->insns));
	return &as->insns[as->count++];
}

static bool read_label(struct line_asm *as, struct isa_cursor *c)
{
	size_t n = isa_word_length(c);

	if (!n || c->end - c->at <= (ptrdiff_t)n || c->at[n] != ':')
		return false;
	if (isa_label_find(&as->labels, c->at, n))
		report(as, as->line, c->at - as->start + 1, "this label is there already");
	else if (!isa_label_add(&as->labels, &(struct isa_label){ c->at, n, as->count }))
		as->no_memory = true;
	c->at += n + 1;
	isa_blanks(c);
	return true;
}

static bool read_word(struct line_asm *as, struct isa_cursor *c)
{
	uint32_t w[ISA_BLOCK_WORDS] = { 0 };
	unsigned int n = 0;
	struct insn *in;
	int64_t v;

	for (isa_blanks(c); !isa_at_end(c); isa_blanks(c)) {
		if (n == as->isa->line_words)
			return isa_expect(c, "these are more words than an instruction has");
		if (!isa_number(c, INT32_MIN, UINT32_MAX, &v))
			return false;
		w[n++] = v;
	}
	if (n < as->isa->line_words) {
		as->no_memory |= !isa_words_add(&as->tail, w, n);
		return true;
	}
	in = add(as);
	if (in)
		memcpy(in->bits.w, w, sizeof(w));
	return true;
}

static bool read_set(struct line_asm *as, struct isa_cursor *c, struct isa_bits *bits)
{
	const struct isa_field *f;
	unsigned int form;
	int64_t v;
	size_t n;

	isa_blanks(c);
	if (!isa_literal(c, "set "))
		return isa_expect(c, "too many operands");
	isa_blanks(c);
	n = isa_word_length(c);
	f = isa_find_field(as->isa, c->at, n, &form);
	if (!f)
		return isa_expect(c, "there is no field '%.*s'", (int)n, c->at);
	c->at += n;
	isa_blanks(c);
	if (!isa_number(c, 0, (1ll << f->width) - 1, &v))
		return false;
	isa_put(bits, f->lo, f->width, v);
	isa_blanks(c);
	return isa_at_end(c) || isa_expect(c, "junk after the value");
}

static bool read_op(struct line_asm *as, struct isa_cursor *c)
{
	const char *at = c->at;
	struct insn in;

	for (unsigned int i = 0; i < as->isa->op_count; i++) {
		const struct isa_op *op = &as->isa->ops[i];
		struct insn *to;

		c->at = at;
		if (!isa_may_be(op, c))
			continue;
		memset(&in, 0, sizeof(in));
		in.place.index = as->count;
		c->at = at;
		isa_reset(as->isa, op->form, &in.bits);
		if (!isa_read_op(as->isa, &in.place, &in.bits, op, c))
			continue;
		in.line = as->line;
		in.column = in.place.target ? in.place.target - as->start + 1 : 0;
		while (c->at < c->end && *c->at == ',') {
			c->at++;
			c->fail = NULL;
			if (!read_set(as, c, &in.bits))
				return false;
		}
		to = add(as);
		if (to)
			*to = in;
		return true;
	}
	return c->fail ? false : isa_unknown(c, at);
}

static void read_line(struct line_asm *as, struct isa_cursor *c)
{
	bool ok;

	/* etna_viv and Mesa have comments after ';'. */
	for (const char *p = c->at; p < c->end; p++)
		if (*p == ';')
			c->end = p;
	isa_blanks(c);
	while (read_label(as, c))
		;
	if (isa_at_end(c) && (c->at >= c->end || *c->at != ','))
		return;
	if (as->tail.count) {
		report(as, as->line, c->at - as->start + 1, "a .word with fewer words than an instruction can only be the last");
		return;
	}
	ok = isa_literal(c, ".word") ? read_word(as, c) : read_op(as, c);
	if (!ok)
		report(as, as->line, (c->fail ? c->fail : c->at) - as->start + 1, c->error);
}

static void resolve(struct line_asm *as, struct insn *in)
{
	struct isa_line *p = &in->place;
	struct isa_cursor number = { p->target, p->target + p->target_length, NULL, false, "" };
	const struct isa_label *label = isa_label_find(&as->labels, p->target, p->target_length);
	int64_t v = label ? (int64_t)label->index : -1;

	if (v < 0 && (!isa_number(&number, 0, (1ll << p->target_width) - 1, &v) || number.at != number.end))
		report(as, in->line, in->column, "there is no such label");
	else
		isa_put(&in->bits, p->target_lo, p->target_width, v);
}

int isa_line_assemble(const struct isa *isa, const char *text, size_t length, uint32_t **words,
		      size_t *count, struct isa_messages *messages)
{
	struct line_asm as = { .isa = isa, .messages = messages, .line = 1 };
	struct isa_words out = { 0 };
	int err = 0;

	for (const char *p = text; p < text + length && !as.no_memory; as.line++) {
		const char *nl = memchr(p, '\n', text + length - p);
		struct isa_cursor c = { p, nl ? nl : text + length, NULL, false, "" };

		as.start = p;
		read_line(&as, &c);
		p = nl ? nl + 1 : text + length;
	}
	for (size_t i = 0; i < as.count; i++) {
		if (as.insns[i].place.target)
			resolve(&as, &as.insns[i]);
		as.no_memory |= !isa_words_add(&out, as.insns[i].bits.w, isa->line_words);
	}
	as.no_memory |= !isa_words_add(&out, as.tail.list, as.tail.count);
	if (as.no_memory)
		err = -ENOMEM;
	else if (messages->errors)
		err = -EINVAL;
	free(as.insns);
	free(as.labels.list);
	free(as.tail.list);
	if (err) {
		free(out.list);
		return err;
	}
	*words = out.list;
	*count = out.count;
	return 0;
}

static struct isa_bits load(const struct isa *isa, const uint32_t *words)
{
	struct isa_bits b = { { 0 } };

	memcpy(b.w, words, isa->line_words * sizeof(*words));
	return b;
}

static char *write_all(const struct isa *isa, const uint32_t *words, size_t count, const uint32_t *came_out)
{
	struct isa_text text = { 0 };
	size_t n = count / isa->line_words;

	for (size_t i = 0; i < n; i++) {
		struct isa_bits b = load(isa, words + i * isa->line_words);
		const struct isa_op *op = isa_match_op(isa, 0, &b);
		struct isa_line place = { .start = text.length, .index = i };

		isa_write_op(isa, &place, &b, op, &text);
		if (came_out) {
			struct isa_bits other = load(isa, came_out + i * isa->line_words);

			isa_write_sets(isa, op->form, &b, &other, ", ", "", &text);
		}
		isa_printf(&text, "\n");
	}
	if (count % isa->line_words && came_out) {
		isa_printf(&text, ".word");
		for (size_t i = n * isa->line_words; i < count; i++)
			isa_printf(&text, " 0x%08x", words[i]);
		isa_printf(&text, "\n");
	}
	return isa_text_finish(&text);
}

char *isa_line_disassemble(const struct isa *isa, const uint32_t *words, size_t count)
{
	struct isa_messages messages;
	uint32_t *came_out;
	size_t came_count;
	char *text;
	int err;

	/* First without "set": what that assembles to says which are needed. */
	text = write_all(isa, words, count, NULL);
	if (!text)
		return NULL;
	err = isa_asm(isa, text, strlen(text), &came_out, &came_count, &messages);
	isa_messages_free(&messages);
	free(text);
	if (err || came_count != count / isa->line_words * isa->line_words) {
		free(came_out);
		return NULL;
	}
	text = write_all(isa, words, count, came_count ? came_out : words);
	free(came_out);
	return text;
}
