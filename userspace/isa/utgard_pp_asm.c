// SPDX-License-Identifier: MIT
/*
 * Utgard PP: text to words. A line is an instruction, its fields separated by
 * commas; a comma at the end goes on in the next line.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "isa/recall.h"
#include "isa/table.h"
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
	struct pp_target target;
	unsigned int target_line, target_column;
};

/* A finished instruction's words. What the next one makes of its control word is not in them. */
struct composed {
	uint32_t set_mask;
	unsigned int size;
	bool branch, next_set;		/* branch: to a target that is put in at the end */
	unsigned int bit;		/* of the branch */
	uint32_t words[PP_MAX_WORDS];
};

/* A branch whose target is looked up at the end. */
struct fixup {
	struct pp_target target;
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
	struct isa_recall recall;
	const char *line_start;
	unsigned int line;
	bool no_memory;
};

static struct pp_insn *current(struct pp_asm *as)
{
	return &as->insn;
}

static bool open_insn(struct pp_asm *as)
{
	if (!as->open) {
		memset(&as->insn, 0, sizeof(as->insn));
		as->insn.line = as->line;
		as->open = true;
	}
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

static unsigned int size_of(const struct pp_insn *in)
{
	unsigned int bits = 0;

	for (unsigned int b = 1; b < PP_BLOCKS; b++)
		bits += in->present >> b & 1 ? pp_bits[b] : 0;
	return 1 + (bits + 31) / 32;
}

static void put_bits(uint32_t *words, unsigned int at, uint32_t value, unsigned int n)
{
	words[at / 32] |= value << at % 32;
	if (at % 32 + n > 32)
		words[at / 32 + 1] |= value >> (32 - at % 32);
}

/* Its size is at most PP_MAX_WORDS. *branch: bit of the branch. */
static void compose(const struct pp_insn *in, struct composed *c, unsigned int *branch)
{
	uint32_t ctrl = in->block[0].w[0], made;
	unsigned int at = 32;

	c->size = size_of(in);
	c->set_mask = in->set_mask;
	memset(c->words, 0, c->size * 4);
	made = c->size | (uint32_t)(in->present >> 1) << 7 | (ctrl & 0x60);
	c->words[0] = (made & ~in->set_mask) | (ctrl & in->set_mask);
	for (unsigned int b = 1; b < PP_BLOCKS; b++) {
		if (!(in->present >> b & 1))
			continue;
		*branch = b == PP_BRANCH ? at : *branch;
		for (unsigned int i = 0; i < pp_bits[b]; i += 32)
			put_bits(c->words, at + i, in->block[b].w[i / 32], pp_bits[b] - i < 32 ? pp_bits[b] - i : 32);
		at += pp_bits[b];
	}
	if (at % 32)
		c->words[at / 32] |= in->padding << at % 32;
}

/* Words behind those there are; the control word before them learns of their length. */
static void put_out(struct pp_asm *as, const struct composed *c, unsigned int stated, uint32_t raw, unsigned int line)
{
	uint32_t start = as->out.count | raw;

	if (as->starts.count) {
		uint32_t last = as->starts.list[as->starts.count - 1];

		if (!(last & RAW))
			as->out.list[last] |= PP_FOLLOWED_BY(stated) & ~as->last_set_mask;
	}
	as->last_set_mask = c->set_mask;
	as->no_memory |= !isa_words_add(&as->out, c->words, c->size) || !isa_words_add(&as->starts, &start, 1) ||
			 !isa_lines_add(as->messages, line, c->size);
}

static void add_fixup(struct pp_asm *as, const struct fixup *fixup)
{
	struct fixup *f = as->fixups;

	if (as->fixup_count == as->fixup_room) {
		f = realloc(f, (as->fixup_room * 2 + 64) * sizeof(*f));
		if (!f) {
			as->no_memory = true;
			return;
		}
		as->fixups = f;
		as->fixup_room = as->fixup_room * 2 + 64;
	}
	f[as->fixup_count++] = *fixup;
}

/* The open instruction is whole: its words to c too. */
static void close_insn(struct pp_asm *as, struct composed *c)
{
	const struct pp_insn *in = current(as);

	as->open = false;
	if (size_of(current(as)) > PP_MAX_WORDS) {
		report(as, current(as)->line, 1, "this instruction is longer than its length field can say");
		return;
	}
	c->bit = 0;
	c->branch = in->target.at;
	c->next_set = in->next_set;
	compose(in, c, &c->bit);
	if (c->branch)
		add_fixup(as, &(struct fixup){ in->target, in->target_line, in->target_column, as->out.count, c->bit,
					       in->next_set });
	put_out(as, c, c->size, 0, current(as)->line);
}

/* Text that came before; target: of its branch, which may be another than then. */
static void put_known(struct pp_asm *as, const struct isa_known *known, const struct pp_target *target)
{
	const struct composed *c = isa_known_value(known);

	if (c->branch)
		add_fixup(as, &(struct fixup){ *target, as->line, column(as, target->at), as->out.count, c->bit,
					       c->next_set });
	put_out(as, c, c->size, 0, as->line);
}

static bool read_word(struct pp_asm *as, struct isa_cursor *c)
{
	struct composed one;
	int64_t v;

	if (isa_at_end(c))
		return isa_expect(c, "expected a word");
	for (; !isa_at_end(c); isa_blanks(c)) {
		if (!isa_number(c, INT32_MIN, UINT32_MAX, &v))
			return false;
		if (as->open && current(as)->content)
			close_insn(as, &one);
		as->open = false;
		one.words[0] = v;
		one.size = 1;
		one.set_mask = 0;
		put_out(as, &one, PP_COUNT(one.words[0]), RAW, as->line);
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
		return isa_expect(c, "there is no field '%.*s'", n < 60 ? (int)n : 60, c->at);
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
	struct isa_choice choice;

	if (!open_insn(as))
		return false;
	isa_choose(as->isa, c, &choice);
	while (c->at = at, (op = isa_next_choice(&choice, c))) {
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
	int err;

	if (isa_literal(c, "@"))
		isa_blanks(c);
	n = isa_word_length(c);
	if (!n || c->end - c->at <= (ptrdiff_t)n || c->at[n] != ':') {
		c->at = at;
		return false;
	}
	if (as->open && current(as)->content)
		close_insn(as, &(struct composed){ 0 });
	err = isa_label_add(&as->labels, &(struct isa_label){ c->at, n, as->out.count });
	if (err == -EEXIST)
		report(as, as->line, column(as, c->at), "this label is there already");
	as->no_memory |= err == -ENOMEM;
	c->at += n + 1;
	isa_blanks(c);
	return true;
}

/* The fields at the cursor, up to the end of the line; true when it ends in a comma and the instruction goes on. */
static bool read_fields(struct pp_asm *as, struct isa_cursor *c)
{
	for (;;) {
		bool ok;

		c->fail = NULL;
		if (isa_literal_word(c, ".word"))
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
			return false;
		c->at++;
		isa_blanks(c);
		if (isa_at_end(c))
			return true;
	}
}

/* A line by what it is known by. */
struct key {
	const char *text;
	size_t length;
	struct pp_target target;	/* of the branch that the text is without; at NULL: it is the whole line */
	char without[ISA_RECALL_TEXT];
};

/* Branches' targets are numbers that hardly come twice: such lines are known without them. */
static void make_key(const struct isa_cursor *c, struct key *key)
{
	const char *branch = memmem(c->at, c->end - c->at, "branch", 6), *stop, *p;

	key->text = c->at;
	key->length = c->end - c->at;
	key->target.at = NULL;
	if (!branch || key->length > sizeof(key->without))
		return;
	stop = memchr(branch, ',', c->end - branch);
	stop = stop ? stop : c->end;
	for (p = stop; isa_is(p[-1], ISA_DIGIT); p--)
		;
	if (p == stop || p[-1] != ' ')
		return;
	key->target = (struct pp_target){ .at = p, .length = stop - p };
	memcpy(key->without, c->at, p - c->at);
	memcpy(key->without + (p - c->at), stop, c->end - stop);
	key->text = key->without;
	key->length -= stop - p;
}

/* Is it the line as it stands? A line that lacks its target looks as one that is known without. */
static bool is_whole(const struct isa_known *known)
{
	const struct composed *c = isa_known_value(known);

	return !c->branch;
}

/* What the line read with c makes: kept if it is an instruction, alone and anywhere. */
static void keep(struct pp_asm *as, const struct key *key, const struct composed *one)
{
	const struct fixup *f = one->branch ? &as->fixups[as->fixup_count - 1] : NULL;

	/* A line is not known by what is left of it but where that is what it branches with. */
	if (as->no_memory || !f != !key->target.at ||
	    (f && (f->target.at != key->target.at || f->target.length != key->target.length)))
		return;
	isa_recall_keep(&as->recall, key->text, key->length, one, offsetof(struct composed, words) + 4 * one->size);
}

/* One line; true when it ends in a comma and the instruction goes on. */
static bool read_line(struct pp_asm *as, struct isa_cursor *c, bool goes_on)
{
	size_t starts = as->starts.count, errors = as->messages->count;
	const struct isa_known *known = NULL;
	struct composed one;
	struct key key;
	bool alone;

	isa_blanks(c);
	while (!goes_on && read_label(as, c))
		;
	if (isa_at_end(c))
		return goes_on;
	alone = !as->open;
	if (alone) {
		make_key(c, &key);
		known = isa_recall_find(&as->recall, key.text, key.length);
	}
	if (known && is_whole(known) == !key.target.at) {
		put_known(as, known, &key.target);
		return false;
	}
	if (read_fields(as, c))
		return true;
	if (!as->open)
		return false;
	close_insn(as, &one);
	if (alone && as->starts.count == starts + 1 && as->messages->count == errors)
		keep(as, &key, &one);
	return false;
}

/* The line at p, if it is a number as label or none, and what is expected. What is behind it; NULL. */
static const char *read_expected(struct pp_asm *as, const char *p, const char *end)
{
	const struct composed *known;
	const char *name = NULL;
	uint64_t value = 0;
	size_t length = 0;

	if (p < end && *p == '@') {
		for (p++; p < end && isa_is(*p, ISA_BLANK); p++)
			;
		for (name = p; p < end && isa_is(*p, ISA_DIGIT); p++)
			value = value * 10 + (*p - '0');
		length = p - name;
		if (!length || p == end || *p++ != ':')
			return NULL;
	}
	while (p < end && isa_is(*p, ISA_BLANK))
		p++;
	/* A line without its target is found by read_line() alone. */
	known = isa_known_value(as->recall.next);
	if (known->branch)
		return NULL;
	if (!isa_recall_expected(&as->recall, &p, end))
		return NULL;
	if (name) {
		int err = isa_label_add_number(&as->labels, &(struct isa_label){ name, length, as->out.count }, value);

		if (err == -EEXIST)
			report(as, as->line, column(as, name), "this label is there already");
		as->no_memory |= err == -ENOMEM;
	}
	put_out(as, known, known->size, 0, as->line);
	return p + 1;
}

static void read_text(struct pp_asm *as, const char *p, const char *end)
{
	bool goes_on = false;

	for (; p < end && !as->no_memory; as->line++) {
		const char *nl, *next;
		struct isa_cursor c;

		as->line_start = p;
		next = as->recall.next && !as->open && !goes_on ? read_expected(as, p, end) : NULL;
		if (next) {
			p = next;
			continue;
		}
		nl = memchr(p, '\n', end - p);
		isa_cursor_begin(&c, p, nl ? nl : end);
		goes_on = read_line(as, &c, goes_on);
		p = nl ? nl + 1 : end;
	}
	if (as->open)
		close_insn(as, &(struct composed){ 0 });
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
	struct isa_cursor number = { .at = f->target.at, .end = f->target.at + f->target.length };
	int64_t label = isa_label_find(&as->labels, f->target.at, f->target.length), v = label;
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
		put_bits(words, f->bit + 68, stated_size(as, insn_at_offset(as, v)), 5);
	v -= f->offset;
	if (v < -(1 << 26) || v >= 1 << 26)
		report(as, f->line, f->column, "the target is too far away");
	put_bits(words, f->bit + 41, v & 0x7ffffff, 27);
}

int pp_assemble(const struct isa *isa, const char *text, size_t length, uint32_t **words,
		size_t *count, struct isa_messages *messages)
{
	struct pp_asm as = { .isa = isa, .messages = messages, .line = 1 };
	int err = 0;

	isa_recall_begin(&as.recall, length);
	read_text(&as, text, text + length);
	for (size_t i = 0; i < as.fixup_count && !as.no_memory; i++)
		resolve(&as, &as.fixups[i]);
	if (as.no_memory)
		err = -ENOMEM;
	else if (messages->errors)
		err = -EINVAL;
	free(as.fixups);
	free(as.starts.list);
	isa_recall_end(&as.recall);
	isa_labels_free(&as.labels);
	if (err) {
		free(as.out.list);
		return err;
	}
	*words = as.out.list;
	*count = as.out.count;
	return 0;
}
