// SPDX-License-Identifier: MIT
#include <errno.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "isa/program.h"

/* --- Text to words ------------------------------------------------------------ */

/* The next words are that line's. False: out of memory. */
static bool add_lines(struct isa_messages *messages, unsigned int line, size_t words)
{
	if (!isa_room(&messages->lines, messages->line_count, words, sizeof(line)))
		return false;
	while (words--)
		messages->lines[messages->line_count++] = line;
	return true;
}

/* False: out of memory. */
static bool add_words(struct isa_words *words, const uint32_t *list, size_t count)
{
	if (!isa_room(&words->list, words->count, count, sizeof(*list)))
		return false;
	if (count)
		memcpy(words->list + words->count, list, count * sizeof(*list));
	words->count += count;
	return true;
}

static int compare_labels(const void *one, const void *other)
{
	const struct isa_label *a = one, *b = other;

	return a->length != b->length ? (a->length < b->length ? -1 : 1) : memcmp(a->name, b->name, a->length);
}

int64_t isa_program_find(const struct isa_program *p, const char *name, size_t length)
{
	struct isa_label *const *found = tfind(&(struct isa_label){ name, length }, &p->labels, compare_labels);

	return found ? (int64_t)(*found)->index : -1;
}

/* 0, -EEXIST, -ENOMEM. */
static int add_label(struct isa_program *p, const struct isa_label *label)
{
	struct isa_label *copy = malloc(sizeof(*copy)), **found;

	if (!copy)
		return -ENOMEM;
	*copy = *label;
	found = tsearch(copy, &p->labels, compare_labels);
	if (found && *found == copy)
		return 0;
	free(copy);
	return found ? -EEXIST : -ENOMEM;
}

void isa_program_report(struct isa_program *p, unsigned int line, unsigned int column, const char *text)
{
	struct isa_message at = { .severity = ISA_ERROR, .line = line, .column = column };

	p->no_memory |= !isa_message(p->messages, &at, "%s", text);
}

static unsigned int block_of(const struct isa *isa, const struct isa_op *op)
{
	return isa->forms[op->form].block;
}

static unsigned int granule(const struct isa *isa)
{
	return isa->line_words ? isa->line_words : 1;
}

static void split(const struct isa *isa, const uint32_t *words, struct isa_packet *packet)
{
	memset(packet, 0, sizeof(*packet));
	if (isa->split)
		isa->split(words, packet);
	else
		memcpy(packet->block[0].w, words, isa->line_words * sizeof(*words));
}

/* Where a block begins in the instruction, in bits. */
static unsigned int place_of(const struct isa *isa, const struct isa_packet *packet, unsigned int block)
{
	unsigned int at = 0;

	for (unsigned int b = 0; b < block; b++)
		at += !b || packet->units >> b & 1 ? isa->block_bits[b] : 0;
	return at;
}

/* The instruction's words, of which it returns how many they are. */
static unsigned int join(const struct isa *isa, const struct isa_packet *packet, uint32_t words[ISA_MAX_WORDS])
{
	unsigned int at = 0;

	memset(words, 0, ISA_MAX_WORDS * sizeof(*words));
	for (unsigned int b = 0; b < ISA_MAX_BLOCKS && isa->block_bits[b]; b++) {
		unsigned int n = !b || packet->units >> b & 1 ? isa->block_bits[b] : 0;

		isa_copy_words(words, at, packet->block[b].w, 0, n);
		at += n;
	}
	if (at % 32)
		words[at / 32] |= packet->padding << at % 32;
	return (at + 31) / 32;
}

void isa_program_put(struct isa_program *p, const uint32_t *words, unsigned int n, uint32_t kept, unsigned int line)
{
	uint32_t at = p->out.count;

	/* The one before says what follows. */
	if (p->isa->followed_by && at)
		p->out.list[p->last_at] |= p->isa->followed_by(words[0]) & ~p->last_kept;
	p->no_memory |= !add_words(&p->out, words, n) || !add_lines(p->messages, line, n) ||
			(!p->words && !add_words(&p->starts, &at, 1));
	p->last_at = at;
	p->last_kept = kept;
	p->last_claims = p->claims;
	p->claims = 0;
	p->index++;
}

static void open_packet(struct isa_program *p)
{
	if (p->open)
		return;
	memset(&p->packet, 0, sizeof(p->packet));
	isa_reset(p->isa, 0, &p->packet.block[0]);
	p->first_line = p->line;
	p->open = true;
	p->content = false;
}

/* The operand that says where an op branches; NULL: it does not. */
static const struct isa_operand *target_of(const struct isa *isa, const struct isa_op *op)
{
	return op && strstr(op->pattern, "%T") ? isa_operand_of(isa, op, 'T') : NULL;
}

static void add_fixup(struct isa_program *p)
{
	const struct isa_target *t = &p->packet.target;
	const struct isa_operand *o = target_of(p->isa, t->op);
	unsigned int block = block_of(p->isa, t->op);
	struct isa_fixup f = { *t, p->out.count, place_of(p->isa, &p->packet, block) };

	f.keep = isa_operand_get(o, &p->packet.kept[block]);
	f.keep_length = o->list && isa_operand_get(o->list, &p->packet.kept[block]);
	p->no_memory |= !isa_room(&p->fixups, p->fixup_count, 1, sizeof(f));
	if (!p->no_memory)
		p->fixups[p->fixup_count++] = f;
}

/* Ends the open instruction if there is anything in it. */
static void close_packet(struct isa_program *p)
{
	uint32_t words[ISA_MAX_WORDS];
	unsigned int n;

	if (!p->open || !p->content)
		return;
	p->open = p->content = false;
	if (p->isa->complete)
		p->isa->complete(&p->packet);
	n = join(p->isa, &p->packet, words);
	if (p->packet.target.name)
		add_fixup(p);
	isa_program_put(p, words, n, p->packet.kept[0].w[0], p->first_line);
}

bool isa_program_words(struct isa_program *p, struct isa_cursor *c)
{
	uint32_t w[ISA_BLOCK_WORDS] = { 0 };
	unsigned int n = 0, size = granule(p->isa);
	int64_t v;

	close_packet(p);
	for (isa_blanks(c); !isa_at_end(c); isa_blanks(c)) {
		if (n == size && p->isa->line_words)
			return isa_expect(c, "these are more words than an instruction has, which are at most four");
		if (!isa_number(c, INT32_MIN, UINT32_MAX, &v))
			return false;
		if (!p->isa->line_words)
			isa_program_put(p, &(uint32_t){ v }, 1, ~0u, p->line);
		w[n] = v;
		n = p->isa->line_words ? n + 1 : 1;
	}
	if (!n || (p->isa->style == ISA_LINES && c->at < c->end && *c->at == ','))
		return isa_expect(c, n ? "words have blanks between them" : "expected a word");
	p->open = false;
	if (n < size)
		p->no_memory |= !add_words(&p->tail, w, n);
	else if (p->isa->line_words)
		isa_program_put(p, w, n, 0, p->line);
	return true;
}

static bool read_set(struct isa_program *p, struct isa_cursor *c)
{
	const struct isa_field *f;
	unsigned int form, block;
	const char *at;
	int64_t v;

	open_packet(p);
	p->content = true;
	isa_blanks(c);
	at = c->at;
	if (p->isa->split && isa_literal_word(c, "padding")) {
		isa_blanks(c);
		if (!isa_number(c, 0, INT32_MAX, &v))
			return false;
		p->packet.padding = v;
		isa_blanks(c);
		return isa_at_end(c) || isa_expect(c, "junk after the value");
	}
	f = isa_read_field(p->isa, c, &form);
	block = f ? p->isa->forms[form].block : 0;
	if (block && !(p->packet.units >> block & 1))
		return isa_expect_at(c, at, "'%.*s' belongs to a field that this instruction does not have so far",
				     (int)isa_word_length(c), at);
	if (!f || !isa_read_set(c, f, &p->packet.block[block]))
		return false;
	isa_put(&p->packet.kept[block], f->lo, f->width, ~0u);
	return true;
}

/* May it stand beside what the instruction has? */
static bool admit(struct isa_program *p, const struct isa_op *op, struct isa_bits *bits, struct isa_cursor *c)
{
	if (p->isa->admit)
		return p->isa->admit(p, op, bits, c);
	return !op->unit || !(p->packet.units >> op->unit & 1) ||
	       isa_expect(c, "this instruction has a %s already", p->isa->units[op->unit]);
}

static bool read_op(struct isa_program *p, struct isa_cursor *c)
{
	const struct isa_op *op = NULL;
	const char *at = c->at, *end;
	uint32_t claims;

	open_packet(p);
	claims = p->claims;
	while (c->at = at, (op = isa_next_choice(p->isa, op, c))) {
		unsigned int block = block_of(p->isa, op);
		struct isa_bits bits = p->packet.block[block];

		/* Form 0 is block 0's, which is there already. */
		if (op->form)
			isa_reset(p->isa, op->form, &bits);
		p->target.name = NULL;
		p->claims = claims;
		if (!isa_read_op(p->isa, p, &bits, op, c))
			continue;
		p->content = true;
		end = c->at;
		c->at = at;
		c->fail = NULL;
		if (!admit(p, op, &bits, c))
			return false;
		c->at = end;
		p->packet.block[block] = bits;
		p->packet.units |= 1u << op->unit;
		if (p->target.name)
			p->packet.target = p->target;
		return true;
	}
	p->claims = claims;
	return c->fail ? false : isa_unknown(c, at);
}

/* What is between commas. */
static bool read_statement(struct isa_program *p, struct isa_cursor *c)
{
	bool lines = p->isa->style == ISA_LINES;

	c->fail = NULL;
	if (p->tail.count)
		return isa_expect(c, "a .word with fewer words than an instruction can only be the last");
	if ((!lines || p->content) && isa_literal(c, "set "))
		return read_set(p, c);
	/* As Mesa's disassembler of the GP has it. */
	if (p->isa->style == ISA_GAPS && c->end - c->at > 10 && !memcmp(c->at, "unknown_1 ", 10))
		return read_set(p, c);
	if (lines && p->content)
		return isa_expect(c, "too many operands");
	if (isa_literal_word(c, ".word"))
		return isa_program_words(p, c);
	if (lines || !isa_literal_word(c, "nop"))
		return read_op(p, c);
	isa_blanks(c);
	open_packet(p);
	return p->content = true;
}

/* "NAME:" or "@ NAME:" at the cursor. */
bool isa_program_label(struct isa_program *p, struct isa_cursor *c)
{
	const char *at = c->at;
	size_t n;
	int err = 0;

	if (isa_literal(c, "@"))
		isa_blanks(c);
	n = isa_span(c, ISA_NAME | ISA_WORD);
	if (!n || c->end - c->at <= (ptrdiff_t)n || c->at[n] != ':') {
		c->at = at;
		return false;
	}
	close_packet(p);
	if (!p->again)
		err = add_label(p, &(struct isa_label){ c->at, n, p->out.count / granule(p->isa) });
	if (err == -EEXIST)
		isa_program_report(p, p->line, c->at - p->start + 1, "this label is there already");
	p->no_memory |= err == -ENOMEM;
	c->at += n + 1;
	isa_blanks(c);
	return true;
}

static void read_line(struct isa_program *p, struct isa_cursor *c)
{
	bool fields = p->isa->style == ISA_FIELDS, gaps = p->isa->style == ISA_GAPS, label = false;
	/* etna_viv and Mesa have comments after ';'. */
	const char *comment = p->isa->style == ISA_LINES ? memchr(c->at, ';', c->end - c->at) : NULL;

	c->end = comment ? comment : c->end;
	isa_blanks(c);
	while (!p->goes_on && isa_program_label(p, c))
		label = true;
	if (isa_at_end(c) && (c->at >= c->end || *c->at != ',')) {
		/* A line with nothing but a comment is no empty line. */
		if (gaps && !label && c->at >= c->end)
			close_packet(p);
		return;
	}
	for (p->goes_on = false;;) {
		if (!read_statement(p, c)) {
			isa_program_report(p, p->line, (c->fail ? c->fail : c->at) - p->start + 1, c->error);
			open_packet(p);
			p->content = true;
			if (!fields)
				break;
			/* The other fields of the line may have errors of their own. */
			while (c->at < c->end && *c->at != ',')
				c->at++;
		}
		if (c->at >= c->end || *c->at != ',')
			break;
		c->at++;
		isa_blanks(c);
		p->goes_on = fields && isa_at_end(c);
		if (p->goes_on)
			return;
	}
	if (!gaps)
		close_packet(p);
}

static void read_text(struct isa_program *p, const char *at)
{
	p->line = 1;
	p->out.count = p->starts.count = p->messages->line_count = 0;
	for (; at < p->end && !p->no_memory; p->line++) {
		const char *nl = memchr(at, '\n', p->end - at);
		struct isa_cursor c = { .at = at, .end = nl ? nl : p->end };

		p->start = at;
		if (!p->isa->read_line)
			read_line(p, &c);
		else if (!p->isa->read_line(p, &c))
			isa_program_report(p, p->line, (c.fail ? c.fail : c.at) - at + 1, c.error);
		at = nl ? nl + 1 : p->end;
	}
	close_packet(p);
	if (p->isa->finish)
		p->isa->finish(p);
}

bool isa_target_read(const struct isa_operand *o, struct isa_insn *in, struct isa_cursor *c)
{
	struct isa_program *p = in->ctx;
	size_t n = isa_span(c, ISA_NAME | ISA_WORD);

	if (!n)
		return isa_expect(c, p->isa->line_words ? "expected a label or an instruction's number" :
				  "expected a label or an offset in words");
	p->target = (struct isa_target){ c->at, n, p->line, c->at - p->start + 1, in->op };
	c->at += n;
	return true;
}

static int compare_starts(const void *key, const void *start)
{
	uint32_t a = *(const uint32_t *)key, b = *(const uint32_t *)start;

	return a < b ? -1 : a > b;
}

/* The first word of the instruction that begins there; 0: none does. */
static uint32_t first_word(const struct isa_program *p, int64_t at)
{
	uint32_t key = at;

	if (at < 0 || !p->starts.count || !bsearch(&key, p->starts.list, p->starts.count, 4, compare_starts))
		return 0;
	return p->words ? p->words[at] : p->out.list[at];
}

static void resolve(struct isa_program *p, const struct isa_fixup *f)
{
	const struct isa_target *t = &f->target;
	const struct isa_operand *o = target_of(p->isa, t->op);
	bool relative = o->kind == ISA_DISTANCE;
	struct isa_cursor number = { .at = t->name, .end = t->name + t->length, .quiet = true };
	int64_t most = (1ll << isa_operand_width(o)) - 1, v = isa_program_find(p, t->name, t->length);
	unsigned int length;

	if (relative && v >= 0 && (size_t)v >= p->out.count) {
		isa_program_report(p, t->line, t->column, "there is no instruction behind this label");
		return;
	}
	if (v < 0 && (!isa_number(&number, relative ? -2 * most : 0, relative ? 2 * most : most, &v) || number.at != number.end)) {
		isa_program_report(p, t->line, t->column, "there is no such label");
		return;
	}
	length = o->list ? p->isa->length_of(first_word(p, v)) : 0;
	v -= relative ? f->at : 0;
	if (relative ? v < -(most >> 1) - 1 || v > most >> 1 : v > most) {
		isa_program_report(p, t->line, t->column, "the target is too far away");
		return;
	}
	if (!f->keep)
		isa_operand_put_words(o, p->out.list + f->at, f->bit, (uint32_t)v ^ o->arg);
	if (o->list && !f->keep_length)
		isa_operand_put_words(o->list, p->out.list + f->at, f->bit, length);
}

static void free_program(struct isa_program *p)
{
	free(p->fixups);
	free(p->starts.list);
	free(p->tail.list);
	free(p->own);
	tdestroy(p->labels, free);
}

int limn_isa_asm(const struct isa *isa, const char *text, size_t length, uint32_t **words, size_t *count,
		 struct isa_messages *messages)
{
	struct isa_program p = { .isa = isa, .messages = messages, .end = text + length, .own = calloc(1, isa->own_size ? *isa->own_size : 1) };
	int err;

	memset(messages, 0, sizeof(*messages));
	p.no_memory = !p.own;
	for (unsigned int i = 0; i <= isa->twice && !messages->errors && !p.no_memory; i++) {
		p.again = i;
		read_text(&p, text);
	}
	for (size_t i = 0; i < p.fixup_count && !p.no_memory; i++)
		resolve(&p, &p.fixups[i]);
	p.no_memory |= !add_words(&p.out, p.tail.list, p.tail.count);
	err = p.no_memory ? -ENOMEM : messages->errors ? -EINVAL : 0;
	free_program(&p);
	if (err)
		free(p.out.list);
	*words = err ? NULL : p.out.list;
	*count = err ? 0 : p.out.count;
	return err;
}

/* --- Words to text -------------------------------------------------------------- */

static const struct style {
	const char *head;	/* of every instruction; NULL: "l" and the number of those that a branch goes to */
	const char *first, *between, *behind, *end;	/* before the first op, the others; behind each, all */
} styles[] = {
	[ISA_LINES] = { NULL, "", ", ", "", "\n" },
	[ISA_FIELDS] = { "@%6zu: ", "", ", ", "", "\n" },
	[ISA_GAPS] = { "%03zu:", "\t", "\t", "\n", "" },
};

/* Of the instruction that is written: the number of an instruction, or of a word. */
static long long target_at(const struct isa_program *p, const struct isa_operand *o, const struct isa_bits *bits)
{
	uint32_t v = isa_operand_get(o, bits) ^ o->arg;

	return o->kind == ISA_DISTANCE ? (long long)p->out.count + isa_signed(v, isa_operand_width(o)) : v;
}

void isa_target_write(const struct isa_operand *o, const struct isa_insn *in, struct isa_text *text)
{
	const struct isa_program *p = in->ctx;
	long long to = target_at(p, o, in->bits);
	bool label = p->isa->style == ISA_LINES && to < (long long)p->starts.count;

	isa_printf(text, label ? "l%lld" : p->isa->style == ISA_GAPS ? "%03lld" : "%lld", to);
}

/* The text of a target means it; in the packet being read it is still to be found. */
static void copy_target(struct isa_program *p, const struct isa_op *op, const struct isa_bits *bits)
{
	const struct isa_operand *o = target_of(p->isa, op), *to = target_of(p->isa, p->packet.target.op);
	struct isa_bits *said = &p->packet.block[block_of(p->isa, op)];

	p->packet.target.name = NULL;
	isa_operand_put(to, said, isa_operand_get(o, bits));
	if (to->list)
		isa_operand_put(to->list, said, p->isa->length_of(first_word(p, target_at(p, o, bits))));
}

/* Words of the whole instruction there; 0: none is. */
static size_t whole(const struct isa_program *p, size_t at)
{
	return p->isa->line_words ? p->isa->line_words : p->isa->length(p->words + at, p->count - at);
}

/* The n-th op of an instruction. NULL: it is none; *end: nor are those behind. */
static const struct isa_op *op_at(const struct isa *isa, const struct isa_packet *packet, unsigned int n, bool *end)
{
	if (isa->op_at)
		return isa->op_at(packet, n, end);
	*end = n;
	return n ? NULL : isa_match_op(isa, 0, &packet->block[0]);
}

/* The text of an instruction's ops without "set", and where each ends; raw: of its words. */
struct written {
	struct isa_text text;
	size_t end[ISA_MAX_BLOCKS + 1];
	bool raw;
};

/* False: the text does not mean these ops. */
static bool write_ops(struct isa_program *p, const struct isa_packet *packet, struct written *w)
{
	const struct style *style = &styles[p->isa->style];
	bool end = false;
	unsigned int ops = 0;

	for (unsigned int k = 0; !end; k++) {
		const struct isa_op *op = op_at(p->isa, packet, k, &end);
		struct isa_cursor c;
		size_t start;

		if (!op)
			continue;
		isa_puts(&w->text, ops ? style->between : style->first);
		start = w->text.length;
		isa_write_op(p->isa, p, &packet->block[block_of(p->isa, op)], op, &w->text);
		if (w->text.failed)
			return false;
		c = (struct isa_cursor){ .at = w->text.data + start, .end = w->text.data + w->text.length };
		p->start = c.at;
		if (!read_op(p, &c) || c.at != c.end)
			return false;
		if (p->packet.target.name)
			copy_target(p, op, &packet->block[block_of(p->isa, op)]);
		isa_puts(&w->text, style->behind);
		w->end[ops++] = w->text.length;
	}
	return ops || p->isa->style != ISA_LINES;
}

/* The next instruction, of n words, 0: of one that is none; what its text means goes to p->out. */
static void write_next(struct isa_program *p, size_t n, struct written *w)
{
	const uint32_t *words = p->words + p->out.count;
	struct isa_packet packet;

	w->text.length = 0;
	p->open = false;
	open_packet(p);
	if (n)
		split(p->isa, words, &packet);
	w->raw = !n || !write_ops(p, &packet, w);
	if (w->raw) {
		w->text.length = 0;
		isa_line_words(words, n ? n : 1, &w->text);
		isa_program_put(p, words, n ? n : 1, ~0u, 0);
		return;
	}
	p->content = true;
	close_packet(p);
}

/* With "set" for what the ops do not tell: behind the op, if its block is not the first. */
static void write_sets(struct isa_program *p, size_t at, const struct written *w, struct isa_text *text)
{
	const struct style *style = &styles[p->isa->style];
	unsigned int ops = 0, form = 0;
	struct isa_packet want, have;
	size_t from = 0;
	bool end = false;

	split(p->isa, p->words + at, &want);
	split(p->isa, p->out.list + at, &have);
	for (unsigned int k = 0; !end; k++) {
		const struct isa_op *op = op_at(p->isa, &want, k, &end);
		unsigned int block = op ? block_of(p->isa, op) : 0;

		if (!op)
			continue;
		isa_append(text, w->text.data + from, w->end[ops] - from);
		from = w->end[ops++];
		if (block)
			isa_write_sets(p->isa, op->form, &want.block[block], &have.block[block], style->between,
				       style->behind, text);
		else
			form = op->form;
	}
	if (!ops && p->isa->style == ISA_FIELDS)
		isa_puts(text, "nop");
	isa_write_sets(p->isa, form, &want.block[0], &have.block[0], style->between, style->behind, text);
	if (want.padding != have.padding)
		isa_printf(text, "%sset padding 0x%x%s", style->between, want.padding, style->behind);
}

static void write_whole(struct isa_program *p, size_t index, const struct written *w, const uint8_t *targets,
			struct isa_text *text)
{
	const struct style *style = &styles[p->isa->style];
	size_t at = p->starts.list[index], start;

	if (targets && targets[index / 8] >> index % 8 & 1)
		isa_printf(text, "l%zu:\n", index);
	if (w->raw) {
		isa_append(text, w->text.data, w->text.length);
		isa_putc(text, '\n');
	} else {
		if (style->head)
			isa_printf(text, style->head, p->isa->line_words ? index : at);
		start = text->length;
		write_sets(p, at, w, text);
		isa_puts(text, text->length == start ? "\tnop\n" : style->end);
	}
}

/* Bit by instruction: branches go there. NULL: no branches, or out of memory. */
static uint8_t *find_targets(struct isa_program *p)
{
	size_t n = p->starts.count;
	uint8_t *targets = NULL;

	for (size_t i = 0; i < n && p->isa->style == ISA_LINES && !p->no_memory; i++) {
		const struct isa_operand *o;
		struct isa_packet packet;
		uint32_t to;

		split(p->isa, p->words + p->starts.list[i], &packet);
		o = target_of(p->isa, isa_match_op(p->isa, 0, &packet.block[0]));
		to = o ? isa_operand_get(o, &packet.block[0]) : n;
		if (to >= n)
			continue;
		targets = targets ? targets : calloc(n / 8 + 1, 1);
		if (targets)
			targets[to / 8] |= 1 << to % 8;
		p->no_memory |= !targets;
	}
	return targets;
}

/* Words that are no instruction: part of one, or padding, which is eight to a line. */
static void write_rest(const struct isa *isa, const uint32_t *words, size_t count, struct isa_text *text)
{
	for (size_t k = 0; k < count && !isa->line_words; k++)
		isa_printf(text, "%s%s", k % 8 ? " 0" : ".word 0", k % 8 == 7 || k + 1 == count ? "\n" : "");
	if (!count || !isa->line_words)
		return;
	isa_line_words(words, count, text);
	isa_putc(text, '\n');
}

void isa_program_disassemble(const struct isa *isa, const uint32_t *words, size_t count, struct isa_text *text)
{
	struct isa_messages messages = { 0 };
	struct isa_program p = { .isa = isa, .messages = &messages, .words = words, .count = count };
	size_t at = 0, end = isa->line_words ? count - count % isa->line_words : isa_without_zeros(words, count), i;
	struct written last[2] = { 0 };
	uint8_t *targets;

	for (; at < end && !p.no_memory; at += whole(&p, at) ? whole(&p, at) : 1)
		p.no_memory |= !add_words(&p.starts, &(uint32_t){ at }, 1);
	targets = find_targets(&p);
	for (i = 0; i < p.starts.count && !p.no_memory && !text->failed; i++) {
		write_next(&p, whole(&p, p.starts.list[i]), &last[i % 2]);
		text->failed |= last[i % 2].text.failed;
		/* What follows may tell of this one. */
		if (i)
			write_whole(&p, i - 1, &last[(i - 1) % 2], targets, text);
	}
	if (i && !p.no_memory && !text->failed)
		write_whole(&p, i - 1, &last[(i - 1) % 2], targets, text);
	write_rest(isa, words + at, count - at, text);
	text->failed |= p.no_memory;
	free(targets);
	free(last[0].text.data);
	free(last[1].text.data);
	free(p.out.list);
	free_program(&p);
	limn_isa_messages_free(&messages);
}
