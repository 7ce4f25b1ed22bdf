// SPDX-License-Identifier: MIT
/*
 * Utgard PP: text to words and back. A line is an instruction, its fields
 * separated by commas; a comma at the end goes on in the next line.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "isa/utgard_pp.h"
#include "isa/utgard_pp_text.h"

/* The instruction being read. */
struct pp_insn {
	struct isa_bits block[PP_BLOCKS];
	uint16_t present;		/* bit per block */
	uint32_t set_mask, padding;	/* bits of the control word that the text sets itself */
	bool content;
	bool next_set;			/* the text sets the branch's next_count itself */
	unsigned int line;
	struct pp_context place;
	unsigned int target_line, target_column;
};

/* A branch whose target is looked up at the end. */
struct fixup {
	struct pp_context place;
	unsigned int line, column;
	size_t offset;			/* of the instruction */
	unsigned int bit;		/* of the branch in it */
	bool next_set;
};

#define RAW	0x80000000u		/* a .word */

struct pp_asm {
	const struct isa *isa;
	struct isa_messages *messages;
	struct isa_words out;
	struct isa_words starts;	/* offsets of the instructions, RAW */
	struct pp_insn insn;		/* when open */
	bool open;
	uint32_t last_set_mask;		/* of the last one in out */
	struct fixup *fixups;
	size_t fixup_count, fixup_room;
	struct isa_labels labels;	/* their index is the offset */
	const char *line_start;
	unsigned int line;
	bool no_memory;
};

static void open_insn(struct pp_asm *as)
{
	if (as->open)
		return;
	memset(&as->insn, 0, sizeof(as->insn));
	as->insn.line = as->line;
	as->open = true;
}

static void report(struct pp_asm *as, unsigned int line, unsigned int column, const char *text)
{
	struct isa_message at = { .severity = ISA_ERROR, .line = line, .column = column };

	as->no_memory |= !isa_message(as->messages, &at, "%s", text);
}

static unsigned int column(const struct pp_asm *as, const char *at)
{
	return at - as->line_start + 1;
}

static void put_bits(uint32_t *words, unsigned int at, uint32_t value, unsigned int n)
{
	words[at / 32] |= value << at % 32;
	if (at % 32 + n > 32)
		words[at / 32 + 1] |= value >> (32 - at % 32);
}

/* Its words, of which there are size; *branch: bit of the branch. */
static void compose(const struct pp_insn *in, unsigned int size, uint32_t *words, unsigned int *branch)
{
	uint32_t ctrl = in->block[PP_CTRL].w[0], made;
	unsigned int at = 32;

	memset(words, 0, size * sizeof(*words));
	made = size | (uint32_t)(in->present >> 1) << PP_ctrl_fields | (ctrl & (1u << PP_ctrl_stop | 1u << PP_ctrl_sync));
	words[0] = (made & ~in->set_mask) | (ctrl & in->set_mask);
	for (unsigned int b = 1; b < PP_BLOCKS; b++) {
		if (!(in->present >> b & 1))
			continue;
		*branch = b == PP_BRANCH ? at : *branch;
		for (unsigned int i = 0; i < pp_bits[b]; i += 32)
			put_bits(words, at + i, in->block[b].w[i / 32], pp_bits[b] - i < 32 ? pp_bits[b] - i : 32);
		at += pp_bits[b];
	}
	if (at % 32)
		words[at / 32] |= in->padding << at % 32;
}

/* What the control word before an instruction of that length says of it; zero words are none. */
static uint32_t followed_by(unsigned int length)
{
	return length ? PP_FOLLOWED_BY(length) : 0;
}

/* Words behind those there are; the control word before them learns of their stated length. */
static void put_out(struct pp_asm *as, const uint32_t *words, unsigned int size, uint32_t raw, uint32_t set_mask,
		    unsigned int line)
{
	uint32_t start = as->out.count | raw, last = as->starts.count ? as->starts.list[as->starts.count - 1] : RAW;

	if (!(last & RAW))
		as->out.list[last] |= followed_by(raw ? PP_COUNT(words[0]) : size) & ~as->last_set_mask;
	as->last_set_mask = set_mask;
	as->no_memory |= !isa_words_add(&as->out, words, size) || !isa_words_add(&as->starts, &start, 1) ||
			 !isa_lines_add(as->messages, line, size);
}

static void add_fixup(struct pp_asm *as, unsigned int bit)
{
	const struct pp_insn *in = &as->insn;

	if (as->fixup_count == as->fixup_room) {
		size_t room = as->fixup_room * 2 + 64;
		struct fixup *f = realloc(as->fixups, room * sizeof(*f));

		if (!f) {
			as->no_memory = true;
			return;
		}
		as->fixups = f;
		as->fixup_room = room;
	}
	as->fixups[as->fixup_count++] = (struct fixup){ in->place, in->target_line, in->target_column, as->out.count, bit,
							in->next_set };
}

/* The open instruction is whole. */
static void close_insn(struct pp_asm *as)
{
	const struct pp_insn *in = &as->insn;
	uint32_t words[PP_MAX_WORDS + 1];
	unsigned int size = pp_size((uint32_t)(in->present >> 1) << PP_ctrl_fields), branch = 0;

	if (!as->open)
		return;
	as->open = false;
	if (size > PP_MAX_WORDS) {
		report(as, in->line, 1, "this instruction is longer than its length field can say");
		return;
	}
	compose(in, size, words, &branch);
	if (in->place.target)
		add_fixup(as, branch);
	put_out(as, words, size, 0, in->set_mask, in->line);
}

static bool read_word(struct pp_asm *as, struct isa_cursor *c)
{
	int64_t v;

	isa_blanks(c);
	if (isa_at_end(c))
		return isa_expect(c, "expected a word");
	for (; !isa_at_end(c); isa_blanks(c)) {
		uint32_t word;

		if (!isa_number(c, INT32_MIN, UINT32_MAX, &v))
			return false;
		if (as->open && as->insn.content)
			close_insn(as);
		as->open = false;
		word = v;
		put_out(as, &word, 1, RAW, 0, as->line);
	}
	return true;
}

static bool read_padding(struct pp_asm *as, struct isa_cursor *c)
{
	int64_t v;

	isa_blanks(c);
	if (!isa_number(c, 0, INT32_MAX, &v))
		return false;
	as->insn.padding = v;
	isa_blanks(c);
	return isa_at_end(c) || isa_expect(c, "junk after the value");
}

static bool read_set(struct pp_asm *as, struct isa_cursor *c)
{
	const char *at = c->at;
	size_t n = isa_word_length(c);
	struct isa_bits bits = { { 0 } };
	const struct isa_field *f;
	unsigned int form, block;

	open_insn(as);
	as->insn.content = true;
	if (n == 7 && isa_literal(c, "padding"))
		return read_padding(as, c);
	f = isa_find_field(as->isa, at, n, &form);
	block = f ? as->isa->forms[form].block : PP_CTRL;
	if (block != PP_CTRL && !(as->insn.present >> block & 1))
		return isa_expect(c, "'%.*s' belongs to a field that this instruction does not have so far", (int)n, at);
	bits = as->insn.block[block];
	if (!isa_read_set(as->isa, c, &bits, &form))
		return false;
	as->insn.block[block] = bits;
	if (form == PP_F_BRANCH && f->lo == PP_br_next_count)
		as->insn.next_set = true;
	if (block == PP_CTRL)
		as->insn.set_mask |= ((1u << f->width) - 1) << f->lo;
	return true;
}

/* One field's op; bits: the control word so far on the way in, the field's on the way out. NULL: the cursor has the error. */
static const struct isa_op *read_field(const struct isa *isa, struct isa_cursor *c, struct pp_context *place,
				       struct isa_bits *bits)
{
	const struct isa_bits ctrl = *bits;
	const char *at = c->at;
	const struct isa_op *op;
	struct isa_choice choice;

	isa_choose(isa, c, &choice);
	while (c->at = at, (op = isa_next_choice(&choice, c))) {
		*bits = ctrl;
		if (op->unit != PP_CTRL)
			isa_reset(isa, op->form, bits);
		place->target = NULL;
		if (isa_read_op(isa, place, bits, op, c))
			return op;
	}
	if (!c->fail)
		isa_unknown(c, at);
	return NULL;
}

static bool read_op(struct pp_asm *as, struct isa_cursor *c)
{
	const char *at = c->at;
	const struct isa_op *op;
	struct pp_insn *in = &as->insn;
	struct pp_context place;
	struct isa_bits bits;

	open_insn(as);
	bits = in->block[PP_CTRL];
	op = read_field(as->isa, c, &place, &bits);
	if (!op)
		return false;
	in->content = true;
	if (op->unit != PP_CTRL && in->present >> op->unit & 1) {
		c->at = at;
		c->fail = NULL;
		return isa_expect(c, "this instruction has a %s already", as->isa->units[op->unit]);
	}
	in->block[op->unit] = bits;
	in->present |= 1u << op->unit;
	if (place.target) {
		in->place = place;
		in->target_line = as->line;
		in->target_column = column(as, place.target);
	}
	return true;
}

/* "@ 12:" or "NAME:" at the cursor. */
static bool read_label(struct pp_asm *as, struct isa_cursor *c)
{
	const char *at = c->at;
	size_t n;
	int err;

	if (isa_literal(c, "@"))
		isa_blanks(c);
	n = isa_word_length(c);
	if (!n || c->end - c->at <= (ptrdiff_t)n || c->at[n] != ':') {
		c->at = at;
		return false;
	}
	if (as->open && as->insn.content)
		close_insn(as);
	err = isa_label_add(&as->labels, &(struct isa_label){ c->at, n, as->out.count });
	if (err == -EEXIST)
		report(as, as->line, column(as, c->at), "this label is there already");
	as->no_memory |= err == -ENOMEM;
	c->at += n + 1;
	isa_blanks(c);
	return true;
}

/* What is between commas. */
static bool read_statement(struct pp_asm *as, struct isa_cursor *c)
{
	c->fail = NULL;
	if (isa_literal_word(c, ".word"))
		return read_word(as, c);
	if (isa_literal(c, "set ")) {
		isa_blanks(c);
		return read_set(as, c);
	}
	if (!isa_literal_word(c, "nop"))
		return read_op(as, c);
	isa_blanks(c);
	open_insn(as);
	return as->insn.content = true;
}

/* The fields at the cursor, up to the end of the line; true when it ends in a comma and the instruction goes on. */
static bool read_fields(struct pp_asm *as, struct isa_cursor *c)
{
	for (;;) {
		if (!read_statement(as, c)) {
			report(as, as->line, column(as, c->fail ? c->fail : c->at), c->error);
			/* The other fields of the line may have errors of their own. */
			while (c->at < c->end && *c->at != ',')
				c->at++;
			as->insn.content = true;
		}
		if (c->at >= c->end || *c->at != ',')
			return false;
		c->at++;
		isa_blanks(c);
		if (isa_at_end(c))
			return true;
	}
}

static void read_text(struct pp_asm *as, const char *p, const char *end)
{
	bool goes_on = false;

	for (; p < end && !as->no_memory; as->line++) {
		const char *nl = memchr(p, '\n', end - p);
		struct isa_cursor c;

		as->line_start = p;
		isa_cursor_begin(&c, p, nl ? nl : end);
		isa_blanks(&c);
		while (!goes_on && read_label(as, &c))
			;
		if (!isa_at_end(&c)) {
			goes_on = read_fields(as, &c);
			if (!goes_on)
				close_insn(as);
		}
		p = nl ? nl + 1 : end;
	}
	close_insn(as);
}

/* Which of the instructions begins at that offset; their count: none. */
static size_t insn_at_offset(const struct pp_asm *as, int64_t offset)
{
	size_t from = 0, to = as->starts.count;

	while (from < to) {
		size_t mid = (from + to) / 2;
		int64_t at = as->starts.list[mid] & ~RAW;

		if (at == offset)
			return mid;
		if (at < offset)
			from = mid + 1;
		else
			to = mid;
	}
	return as->starts.count;
}

/* What the length field of the word at that instruction's place says; 0 behind the last. */
static unsigned int stated_size(const struct pp_asm *as, size_t index)
{
	uint32_t end, start;

	if (index >= as->starts.count)
		return 0;
	start = as->starts.list[index];
	end = index + 1 < as->starts.count ? as->starts.list[index + 1] & ~RAW : as->out.count;
	return start & RAW ? PP_COUNT(as->out.list[start & ~RAW]) : end - start;
}

static void resolve(struct pp_asm *as, const struct fixup *f)
{
	struct isa_cursor number = { .at = f->place.target, .end = f->place.target + f->place.target_length };
	int64_t label = isa_label_find(&as->labels, f->place.target, f->place.target_length), v = label;
	uint32_t *words = as->out.list + f->offset;

	if (label >= 0 && (size_t)label >= as->out.count) {
		report(as, f->line, f->column, "there is no instruction behind this label");
		return;
	}
	if (label < 0 && (!isa_number(&number, -(1 << 28), 1 << 28, &v) || number.at != number.end)) {
		report(as, f->line, f->column, "there is no such label");
		return;
	}
	if (!f->next_set)
		put_bits(words, f->bit + PP_br_next_count, stated_size(as, insn_at_offset(as, v)), PP_br_next_count_width);
	v -= f->offset;
	if (v < -(1 << 26) || v >= 1 << 26)
		report(as, f->line, f->column, "the target is too far away");
	put_bits(words, f->bit + PP_br_target, v & ((1u << PP_br_target_width) - 1), PP_br_target_width);
}

int pp_assemble(const struct isa *isa, const char *text, size_t length, uint32_t **words,
		size_t *count, struct isa_messages *messages)
{
	struct pp_asm as = { .isa = isa, .messages = messages, .line = 1 };
	int err;

	read_text(&as, text, text + length);
	for (size_t i = 0; i < as.fixup_count && !as.no_memory; i++)
		resolve(&as, &as.fixups[i]);
	err = as.no_memory ? -ENOMEM : messages->errors ? -EINVAL : 0;
	free(as.fixups);
	free(as.starts.list);
	isa_labels_free(&as.labels);
	if (err) {
		free(as.out.list);
		return err;
	}
	*words = as.out.list;
	*count = as.out.count;
	return 0;
}

/* --- words to text ------------------------------------------------------------ */

struct program {
	const struct isa *isa;
	const uint32_t *words;
	size_t count;
	uint8_t *starts;		/* bit by word, made for the first branch */
	struct isa_text *text;
	bool no_memory;
};

/* Words of what begins here: an instruction that has the length its fields need, or a word alone. */
static size_t length_at(const struct program *p, size_t at, bool *whole)
{
	uint32_t ctrl = p->words[at];

	*whole = PP_COUNT(ctrl) == pp_size(ctrl) && PP_COUNT(ctrl) <= p->count - at;
	return *whole ? PP_COUNT(ctrl) : 1;
}

/* Stated length of what begins at that offset, 0: nothing does. */
static unsigned int size_at(struct program *p, int64_t offset)
{
	bool whole;

	if (offset < 0 || offset >= (int64_t)p->count)
		return 0;
	if (!p->starts) {
		p->starts = calloc(p->count / 8 + 1, 1);
		if (!p->starts) {
			p->no_memory = true;
			return 0;
		}
		for (size_t i = 0; i < p->count; i += length_at(p, i, &whole))
			p->starts[i / 8] |= 1 << i % 8;
	}
	return p->starts[offset / 8] >> offset % 8 & 1 ? PP_COUNT(p->words[offset]) : 0;
}

/* A field's text, and "set" for what it does not tell. */
static void write_block(struct program *p, unsigned int unit, const struct isa_bits *block, size_t at)
{
	const struct isa_op *op = isa_match_op(p->isa, unit, block);
	struct pp_context place = { .at = at };
	size_t start = p->text->length;
	struct isa_bits came_out = { { 0 } };
	struct isa_cursor c;

	isa_write_op(p->isa, &place, block, op, p->text);
	if (p->text->failed)
		return;
	isa_cursor_begin(&c, p->text->data + start, p->text->data + p->text->length);
	read_field(p->isa, &c, &place, &came_out);
	if (place.target) {
		pp_put(&came_out, br_target, pp_get(block, br_target));
		pp_put(&came_out, br_next_count, size_at(p, (int64_t)at + pp_target(block)));
	}
	isa_write_sets(p->isa, op->form, block, &came_out, ", ", "", p->text);
}

static void write_instruction(struct program *p, size_t at)
{
	const uint32_t *words = p->words + at;
	size_t behind = at + PP_COUNT(words[0]), start;
	struct isa_bits block[PP_BLOCKS], made = { { words[0] & ((1u << PP_ctrl_next_count) - 1) } };
	uint32_t padding = pp_split(words, block);
	struct isa_text *text = p->text;

	if (behind < p->count)
		made.w[0] |= followed_by(PP_COUNT(p->words[behind]));
	isa_printf(text, "@%6zu: ", at);
	start = text->length;
	for (unsigned int b = 1; b < PP_BLOCKS; b++) {
		if (!PP_HAS(words[0], b))
			continue;
		isa_puts(text, text->length > start ? ", " : "");
		write_block(p, b, &block[b], at);
	}
	if (PP_SYNC(words[0]))
		isa_puts(text, text->length > start ? ", sync" : "sync");
	if (PP_STOP(words[0]))
		isa_puts(text, text->length > start ? ", stop" : "stop");
	if (text->length == start)
		isa_puts(text, "nop");
	isa_write_sets(p->isa, PP_F_CTRL, &block[PP_CTRL], &made, ", ", "", text);
	if (padding)
		isa_printf(text, ", set padding 0x%x", padding);
	isa_putc(text, '\n');
}

void pp_disassemble(const struct isa *isa, const uint32_t *words, size_t count, struct isa_text *text)
{
	struct program p = { .isa = isa, .words = words, .count = count, .text = text };
	size_t end = pp_end(words, count), i = 0;
	bool whole;

	for (; i < end && !text->failed; i += length_at(&p, i, &whole)) {
		length_at(&p, i, &whole);
		if (whole)
			write_instruction(&p, i);
		else
			isa_printf(text, ".word 0x%08x\n", words[i]);
		isa_text_pause(text);
	}
	/* Padding, eight words to a line. */
	for (size_t k = 0; i + k < count && !text->failed; k++) {
		isa_printf(text, k % 8 ? " 0" : ".word 0");
		if (k % 8 == 7 || i + k + 1 == count)
			isa_putc(text, '\n');
		isa_text_pause(text);
	}
	text->failed |= p.no_memory;
	free(p.starts);
}
