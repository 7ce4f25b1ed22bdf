// SPDX-License-Identifier: MIT
/*
 * Midgard: text to words and back, as Mesa's disassembler writes it. A line is
 * an instruction; an empty line ends a bundle.
 *
 *	L1:
 *	vmul.FMUL.f32 R0, R1, #0.5
 *	sadd.FADD.f32 R1.x, R2.x, #2
 *	br.cond.true L1 -> alu/8
 *	uconstants 0x40000000, 0x0, 0x0, 0x0
 *
 *	LD_VARY.f32 R0.xyzw, 0.x, AL0.x + 0x1
 *
 * Also: "writeout" marks the tag of an ALU bundle, "break" says that the program
 * may end behind this one (the next tag is 1), "ctrl" is one without
 * instructions, ".word N..." is what has no shape, and ", set FORM.FIELD N"
 * behind any line says what its text cannot. The next bundle's tag is filled
 * in; "ctrl, set ctrl.next N" says another.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "isa/line.h"
#include "isa/memo.h"
#include "isa/midgard_text.h"

struct bundle {
	struct md_bundle b;
	struct isa_words raw;
	bool writeout, next_set, stop;
	unsigned int line;
	uint32_t constants[4];
	bool has_constants;	/* though the line that says so may come later */
	struct target {
		const char *name;	/* the label that a branch names, or NULL */
		size_t length;
		unsigned int line, column, form;
		bool bare;	/* without "-> TAG" */
	} target[2];	/* of the compact and the extended branch */
};

struct md_asm {
	const struct isa *isa;
	struct isa_messages *messages;
	struct bundle *bundles;
	size_t count, room;
	bool open, no_memory;
	const char *line_start, *end;
	unsigned int line;
	struct isa_labels labels;	/* of bundles */
};

static bool report(struct md_asm *as, const struct isa_cursor *c)
{
	struct isa_message at = { .severity = ISA_ERROR, .line = as->line,
				  .column = (c->fail ? c->fail : c->at) - as->line_start + 1 };

	if (!isa_message(as->messages, &at, "%s", c->error))
		as->no_memory = true;
	return false;
}

static bool read_four(struct isa_cursor *c, uint32_t w[4])
{
	for (int i = 0; i < 4; i++) {
		int64_t v;

		isa_blanks(c);
		if (!isa_number(c, INT32_MIN, UINT32_MAX, &v))
			return false;
		w[i] = v;
		if (i < 3 && !isa_literal(c, ","))
			return isa_expect(c, "expected four constants");
	}
	return true;
}

/* The bundle's constants: its instructions show their values, and stand before them. */
static void look_ahead(struct md_asm *as, struct bundle *bu)
{
	const char *p = as->line_start;

	while (p < as->end) {
		const char *nl = memchr(p, '\n', as->end - p);
		struct isa_cursor c = { .at = p, .end = nl ? nl : as->end };

		isa_blanks(&c);
		if (c.at == c.end)
			return;
		if (isa_literal(&c, "uconstants")) {
			bu->has_constants = read_four(&c, bu->constants);
			return;
		}
		p = nl ? nl + 1 : as->end;
	}
}

static struct bundle *open_bundle(struct md_asm *as)
{
	if (as->open)
		return &as->bundles[as->count - 1];
	if (as->count == as->room) {
		size_t room = as->room * 2 + 64;
		struct bundle *p = realloc(as->bundles, room * sizeof(*p));

		if (!p) {
			as->no_memory = true;
			return NULL;
		}
		as->bundles = p;
		as->room = room;
	}
	memset(&as->bundles[as->count], 0, sizeof(*as->bundles));
	as->bundles[as->count].line = as->line;
	look_ahead(as, &as->bundles[as->count]);
	as->open = true;
	return &as->bundles[as->count++];
}

/* ", set FORM.FIELD N" as often as there are; form MD_FORMS: none is allowed. */
static bool read_sets(struct md_asm *as, struct bundle *bu, struct isa_bits *block, unsigned int form,
		      struct isa_cursor *c)
{
	for (isa_blanks(c); c->at < c->end && *c->at == ','; isa_blanks(c)) {
		const struct isa_field *f;
		unsigned int found;
		size_t n;
		int64_t v;

		c->at++;
		isa_blanks(c);
		if (!isa_literal(c, "set "))
			return isa_expect(c, "too many operands: expected 'set FORM.FIELD N'");
		isa_blanks(c);
		n = isa_word_length(c);
		f = isa_find_field(as->isa, c->at, n, &found);
		if (!f || found != form)
			return isa_expect(c, "there is no field '%.*s' in this line", (int)n, c->at);
		c->at += n;
		isa_blanks(c);
		if (!isa_number(c, 0, (1ll << f->width) - 1, &v))
			return false;
		isa_put(block, f->lo, f->width, v);
		bu->next_set |= form == MD_F_CTRL && f->lo == MD_ctrl_next;
		bu->next_set |= form == MD_F_TEX && f->lo == MD_tex_next;
	}
	return isa_at_end(c) || isa_expect(c, "junk at the end of the line");
}

/* Rows of a unit at the cursor; which: the block that gets it. */
static bool read_rows(struct md_asm *as, struct bundle *bu, unsigned int unit, struct isa_bits *block,
		      unsigned int *form, struct isa_cursor *c)
{
	const char *start = c->at;
	const struct isa_op *op;
	struct isa_choice choice;

	isa_choose(as->isa, c, &choice);
	while (c->at = start, (op = isa_next_choice(&choice, c))) {
		struct md_place_in in = { .constants = bu->has_constants ? bu->constants : NULL };

		if (op->unit != unit)
			continue;
		isa_reset(as->isa, op->form, block);
		if (isa_read_op(as->isa, &in, block, op, c)) {
			*form = op->form;
			c->fail = NULL;
			if (in.target)
				bu->target[op->form == MD_F_BRX] = (struct target){
					in.target, in.target_length, as->line, in.target - as->line_start + 1, op->form, in.bare };
			return true;
		}
	}
	return c->fail ? false : isa_unknown(c, start);
}

/* May a bundle have this block beside what it has? */
static bool fits(const struct bundle *bu, unsigned int which, struct isa_cursor *c)
{
	const uint16_t alu = (1 << (MD_B_CONST + 1)) - (1 << MD_B_VMUL), ldst = 1 << MD_B_LDST0 | 1 << MD_B_LDST1;
	uint16_t have = bu->b.present & ~(1 << MD_B_CTRL), kind;

	kind = which <= MD_B_CONST ? alu : which <= MD_B_LDST1 ? ldst : 1 << MD_B_TEX;
	if (bu->raw.count || have & ~kind)
		return isa_expect(c, "this belongs into a bundle of its own: an empty line ends one");
	if (have >> which & 1)
		return isa_expect(c, "the bundle has something for '%s' already", md_block_names[which]);
	return true;
}

static bool read_words(struct bundle *bu, struct isa_cursor *c)
{
	int64_t v;

	if (bu->b.present)
		return isa_expect(c, ".word stands in a bundle of its own");
	for (isa_blanks(c); !isa_at_end(c); isa_blanks(c)) {
		uint32_t w;

		if (!isa_number(c, INT32_MIN, UINT32_MAX, &v))
			return false;
		w = v;
		if (!isa_words_add(&bu->raw, &w, 1))
			return isa_expect(c, "out of memory");
	}
	return true;
}

static bool read_constants(struct bundle *bu, struct isa_cursor *c)
{
	if (!fits(bu, MD_B_CONST, c))
		return false;
	if (!read_four(c, bu->b.block[MD_B_CONST].w))
		return false;
	bu->b.present |= 1 << MD_B_CONST;
	isa_blanks(c);
	return isa_at_end(c) || isa_expect(c, "more than four constants");
}

/* An instruction: by its prefix for the ALU, else load/store or texture. */
static bool read_instruction(struct md_asm *as, struct bundle *bu, struct isa_cursor *c)
{
	static const struct { const char *prefix; uint8_t block, unit; bool keep; } alu[] = {
		{ "vmul.", MD_B_VMUL, MD_U_VECTOR, false }, { "sadd.", MD_B_SADD, MD_U_SCALAR, false },
		{ "vadd.", MD_B_VADD, MD_U_VECTOR, false }, { "smul.", MD_B_SMUL, MD_U_SCALAR, false },
		{ "lut.", MD_B_LUT, MD_U_VECTOR, false }, { "brx", MD_B_BRANCHX, MD_U_BRANCHX, true },
		{ "br.", MD_B_BRANCH, MD_U_BRANCH, true },
	};
	unsigned int form, which;
	struct isa_bits block;

	for (size_t i = 0; i < sizeof(alu) / sizeof(alu[0]); i++) {
		const char *start = c->at;

		if (!isa_literal(c, alu[i].prefix))
			continue;
		c->at = alu[i].keep ? start : c->at;
		if (!read_rows(as, bu, alu[i].unit, &block, &form, c) || !fits(bu, alu[i].block, c))
			return false;
		bu->b.present |= 1 << alu[i].block;
		bu->b.block[alu[i].block] = block;
		return read_sets(as, bu, &bu->b.block[alu[i].block], form, c);
	}
	if (read_rows(as, bu, MD_U_TEX, &block, &form, c))
		which = MD_B_TEX;
	else if (read_rows(as, bu, MD_U_LDST, &block, &form, c))
		which = bu->b.present >> MD_B_LDST0 & 1 ? MD_B_LDST1 : MD_B_LDST0;
	else
		return false;
	if (!fits(bu, which, c))
		return false;
	bu->b.present |= 1 << which;
	bu->b.block[which] = block;
	return read_sets(as, bu, &bu->b.block[which], form, c);
}

/* "name:" before a bundle. */
static bool read_label(struct md_asm *as, struct isa_cursor *c)
{
	size_t n = isa_word_length(c);
	int err = 0;

	if (!n || c->end - c->at <= (ptrdiff_t)n || c->at[n] != ':')
		return false;
	if (as->open)
		isa_expect(c, "a label stands before a bundle: an empty line ends one");
	else
		err = isa_label_add(&as->labels, &(struct isa_label){ c->at, n, as->count });
	if (err == -EEXIST)
		isa_expect(c, "this label is there already");
	as->no_memory |= err == -ENOMEM;
	c->at += n + 1;
	isa_blanks(c);
	return true;
}

/* A line that is just this word. */
static bool word_alone(struct isa_cursor *c, const char *word)
{
	const char *at = c->at;

	if (isa_literal(c, word)) {
		isa_blanks(c);
		if (isa_at_end(c) && (c->at == c->end || *c->at != ','))
			return true;
	}
	c->at = at;
	return false;
}

static bool read_line(struct md_asm *as, struct isa_cursor *c)
{
	struct bundle *bu;

	isa_blanks(c);
	if (read_label(as, c) && (c->fail || c->at == c->end))
		return !c->fail;
	if (isa_at_end(c) && (c->at == c->end || *c->at != ',')) {
		as->open &= c->at < c->end;	/* a comment does not end a bundle */
		return true;
	}
	bu = open_bundle(as);
	if (!bu)
		return false;
	if (isa_literal(c, ".word"))
		return read_words(bu, c);
	if (isa_literal(c, "uconstants"))
		return read_constants(bu, c);
	if (word_alone(c, "writeout"))
		return bu->writeout = true;
	if (word_alone(c, "break"))
		return bu->stop = true;
	if (isa_literal(c, "ctrl")) {
		bu->b.present |= 1 << MD_B_CTRL;
		return read_sets(as, bu, &bu->b.block[MD_B_CTRL], MD_F_CTRL, c);
	}
	return read_instruction(as, bu, c);
}

/* The words of a bundle but for its next tag. */
static unsigned int finish(const struct bundle *bu, uint32_t *out)
{
	struct md_bundle b = bu->b;
	uint32_t *ctrl = &b.block[MD_B_CTRL].w[0];

	if (b.present >> MD_B_LDST0 & 1) {
		*ctrl = (*ctrl & ~15u) | MD_LDST;
		if (!(b.present >> MD_B_LDST1 & 1))
			b.block[MD_B_LDST1].w[0] = 3;	/* noop */
	} else if (!(b.present >> MD_B_TEX & 1)) {
		*ctrl = (*ctrl & ~15u) | MD_ALU | (bu->writeout ? 4 : 0);
	}
	return md_join(&b, out);
}

/* What a bundle says of the one behind it; 1 when that is none, or no bundle. */
static uint32_t next_tag(const uint32_t *words, size_t follower, size_t count)
{
	if (follower >= count || !md_length(words + follower, count - follower))
		return MD_BREAK;
	return words[follower] & 15;
}

/* Puts the distance to the label, and the tag there, into a branch. */
static void resolve(struct md_asm *as, const struct target *t, struct isa_bits *block, const size_t *starts,
		    size_t next, const struct isa_words *out)
{
	const struct isa_label *label = isa_label_find(&as->labels, t->name, t->length);
	struct isa_message at = { .severity = ISA_ERROR, .line = t->line, .column = t->column };
	unsigned int lo, width, tag;
	int64_t distance;

	if (!label) {
		as->no_memory |= !isa_message(as->messages, &at, "there is no such label");
		return;
	}
	md_branch_places(t->form, &lo, &width, &tag);
	distance = ((int64_t)starts[label->index] - (int64_t)next) / 4;
	if (distance < -(1ll << (width - 1)) || distance >= 1ll << (width - 1))
		as->no_memory |= !isa_message(as->messages, &at, "the label is %lld bundle words away; this branch reaches %lld",
					      (long long)distance, (1ll << (width - 1)) - 1);
	isa_put(block, lo, width, (uint32_t)distance);
	if (t->bare)
		isa_put(block, tag, 4, label->index < as->count ? out->list[starts[label->index]] & 15 : MD_BREAK);
}

/* All bundles, one behind the other. */
static int lay_out(struct md_asm *as, struct isa_words *words, size_t *starts)
{
	for (size_t i = 0; i < as->count; i++) {
		const struct bundle *bu = &as->bundles[i];
		uint32_t out[16];
		unsigned int n = bu->raw.count ? 0 : finish(bu, out);

		starts[i] = words->count;
		if (!bu->raw.count && !n) {
			struct isa_message at = { .severity = ISA_ERROR, .line = bu->line, .column = 1 };

			isa_message(as->messages, &at, "the bundle has more than 16 words");
			return -EINVAL;
		}
		if (!isa_words_add(words, bu->raw.count ? bu->raw.list : out, bu->raw.count ? bu->raw.count : n) ||
		    !isa_lines_add(as->messages, bu->line, bu->raw.count ? bu->raw.count : n))
			return -ENOMEM;
	}
	starts[as->count] = words->count;
	return 0;
}

static int emit(struct md_asm *as, struct isa_words *words)
{
	size_t *starts = calloc(as->count + 1, sizeof(*starts));
	int err = starts ? lay_out(as, words, starts) : -ENOMEM;

	for (size_t i = 0; i < as->count && !err; i++) {
		struct bundle *bu = &as->bundles[i];
		uint32_t *word = words->list + starts[i], out[16];

		for (int k = 0; k < 2; k++) {
			if (bu->target[k].name)
				resolve(as, &bu->target[k], &bu->b.block[MD_B_BRANCH + k], starts, starts[i + 1], words);
		}
		if (bu->target[0].name || bu->target[1].name)
			memcpy(word, out, 4 * finish(bu, out));
		if (!bu->raw.count && !bu->next_set)
			*word = (*word & ~0xf0u) | (bu->stop ? MD_BREAK : next_tag(words->list, starts[i + 1], words->count)) << 4;
	}
	free(starts);
	return err;
}

int md_assemble(const struct isa *isa, const char *text, size_t length, uint32_t **words, size_t *count,
		struct isa_messages *messages)
{
	struct md_asm as = { .isa = isa, .messages = messages, .end = text + length };
	const char *p = text, *end = text + length;
	struct isa_words out = { 0 };
	int err = 0;

	while (p < end && !as.no_memory) {
		const char *nl = memchr(p, '\n', end - p);
		struct isa_cursor c = { .at = p, .end = nl ? nl : end };

		as.line++;
		as.line_start = p;
		if (!read_line(&as, &c))
			report(&as, &c);
		p = nl ? nl + 1 : end;
	}
	if (!as.no_memory && !messages->errors)
		err = emit(&as, &out);
	if (as.no_memory)
		err = -ENOMEM;
	else if (messages->errors)
		err = -EINVAL;
	for (size_t i = 0; i < as.count; i++)
		free(as.bundles[i].raw.list);
	free(as.bundles);
	isa_labels_free(&as.labels);
	if (!err && messages->errors)
		err = -EINVAL;
	if (err) {
		free(out.list);
		return err;
	}
	*words = out.list;
	*count = out.count;
	return 0;
}

/* --- Words to text ----------------------------------------------------------------- */

struct md_disasm {
	const struct isa *isa;
	const uint32_t *words;
	size_t count;
	struct md_place_in in;
	struct isa_text *text;
};

static const char *prefix(unsigned int which)
{
	static const char *const names[] = { "", "vmul.", "sadd.", "vadd.", "smul.", "lut." };

	return which <= MD_B_LUT ? names[which] : "";
}

static bool is_nop(const struct isa_bits *b)
{
	return b->w[0] == 3 && !b->w[1];
}

static void write_block(struct md_disasm *d, const struct md_bundle *b, const struct md_bundle *came, unsigned int i)
{
	const struct isa_op *op = md_row(&b->block[i], i);

	isa_puts(d->text, prefix(i));
	isa_write_op(d->isa, &d->in, &b->block[i], op, d->text);
	if (came)
		isa_write_sets(d->isa, op->form, &b->block[i], &came->block[i], ", ", "", d->text);
	isa_putc(d->text, '\n');
	if (op->form == MD_F_LDST && md_get(&b->block[i], ld_reg) < 16 && md_ldst_writes(md_get(&b->block[i], ld_op)))
		d->in.written |= 1 << md_get(&b->block[i], ld_reg);
}

/* came: what the text alone gives; NULL at first. */
static void write_bundle(struct md_disasm *d, const struct md_bundle *b, const struct md_bundle *came, bool stop)
{
	bool ctrl = !(b->present & ~(1 << MD_B_CTRL));
	const uint32_t *w = b->block[MD_B_CONST].w;

	if (came && b->present >> MD_B_CTRL & 1)
		ctrl |= b->block[MD_B_CTRL].w[0] != came->block[MD_B_CTRL].w[0];
	if (ctrl) {
		isa_puts(d->text, "ctrl");
		if (came)
			isa_write_sets(d->isa, MD_F_CTRL, &b->block[MD_B_CTRL], &came->block[MD_B_CTRL], ", ", "", d->text);
		isa_putc(d->text, '\n');
	}
	d->in.constants = b->present >> MD_B_CONST & 1 ? w : NULL;
	for (unsigned int i = MD_B_VMUL; i < MD_BLOCKS; i++) {
		if (!(b->present >> i & 1) || i == MD_B_CONST || (i == MD_B_LDST1 && is_nop(&b->block[i])))
			continue;
		write_block(d, b, came, i);
	}
	if (b->present >> MD_B_CONST & 1)
		isa_printf(d->text, "uconstants 0x%X, 0x%X, 0x%X, 0x%X\n", w[0], w[1], w[2], w[3]);
	if (b->present >> MD_B_CTRL & 1 && (b->block[MD_B_CTRL].w[0] & 15) >= MD_ALU + 4)
		isa_puts(d->text, "writeout\n");
	isa_puts(d->text, stop ? "break\n\n" : "\n");
}

/* A label leads where it was made for; the tag there goes without saying, or is in the text. */
static void resolve_back(const struct md_disasm *d, const struct bundle *bu, const struct md_bundle *b,
			 struct md_bundle *out)
{
	for (int k = 0; k < 2; k++) {
		const struct target *t = &bu->target[k];
		unsigned int lo, width, tag;
		int64_t to;

		if (!t->name)
			continue;
		md_branch_places(t->form, &lo, &width, &tag);
		isa_put(&out->block[MD_B_BRANCH + k], lo, width, isa_get(&b->block[MD_B_BRANCH + k], lo, width));
		to = (int64_t)d->in.next + 4ll * md_sign_extend(isa_get(&b->block[MD_B_BRANCH + k], lo, width), width);
		if (t->bare)
			isa_put(&out->block[MD_B_BRANCH + k], tag, 4, d->words[to] & 15);
	}
}

/* What the text of one bundle, from start on, assembles to. */
static bool read_back(const struct md_disasm *d, size_t start, const struct md_bundle *b, struct md_bundle *came)
{
	struct isa_messages messages = { 0 };
	struct md_asm as = { .isa = d->isa, .messages = &messages, .end = d->text->data + d->text->length };
	struct bundle *bu;
	uint32_t out[16];
	bool ok;

	for (const char *p = d->text->data + start; p < as.end && !messages.count; ) {
		const char *nl = memchr(p, '\n', as.end - p);
		struct isa_cursor c = { .at = p, .end = nl };

		as.line++;
		as.line_start = p;
		if (!read_line(&as, &c))
			report(&as, &c);
		p = nl + 1;
	}
	bu = as.bundles;
	ok = !messages.count && !as.no_memory && as.count == 1 && !bu->raw.count;
	if (ok) {
		struct md_bundle whole = bu->b;

		resolve_back(d, bu, b, &whole);
		bu->b = whole;
		ok = finish(bu, out) == b->words;
	}
	if (ok) {
		out[0] = (out[0] & ~0xf0u) | (bu->stop ? MD_BREAK : next_tag(d->words, d->in.next, d->count)) << 4;
		md_split(out, b->words, came);
		ok = came->words == b->words && came->present == b->present;
	}
	for (size_t i = 0; i < as.count; i++)
		free(as.bundles[i].raw.list);
	free(as.bundles);
	isa_labels_free(&as.labels);
	isa_messages_free(&messages);
	return ok;
}

static void write_words(const uint32_t *words, size_t n, struct isa_text *text)
{
	isa_line_words(words, n, text);
	isa_puts(text, "\n\n");
}

/* False: it has no text of its own, and must not be kept. */
static bool write_one(struct md_disasm *d, const uint32_t *words, bool stop)
{
	size_t start = d->text->length;
	uint16_t written = d->in.written;
	struct md_bundle b, came;

	md_split(words, d->count - (words - d->words), &b);
	write_bundle(d, &b, NULL, stop);
	/* What the text alone means says which "set" are needed. */
	if (d->text->failed || !read_back(d, start, &b, &came)) {
		d->text->length = start;
		write_words(words, b.words, d->text);
		return false;
	}
	d->text->length = start;
	d->in.written = written;
	write_bundle(d, &b, &came, stop);
	return true;
}

/* How many words the bundle, or .word line, at i has. */
static size_t stride(const uint32_t *words, size_t i, size_t count)
{
	unsigned int n = md_length(words + i, count - i);

	return n ? n : count - i < 4 ? count - i : 4;
}

/* Where a branch of the bundle goes; -1: no branch, or not to a bundle's place. */
static int64_t target_of(const struct md_bundle *b, size_t next, size_t count)
{
	unsigned int which = b->present >> MD_B_BRANCHX & 1 ? MD_B_BRANCHX : MD_B_BRANCH, offset, width, tag;
	int64_t to;

	if (!b->words || !(b->present >> which & 1))
		return -1;
	md_branch_places(md_row(&b->block[which], which)->form, &offset, &width, &tag);
	to = (int64_t)next + 4ll * md_sign_extend(isa_get(&b->block[which], offset, width), width);
	return to >= 0 && to < (int64_t)count ? to : -1;
}

static bool has_branch(const uint32_t *words)
{
	return (words[0] & 15) >= MD_ALU && words[0] >> 26 & 3;
}

/* Numbers, in their order, the bundles that branches go to. NULL: out of memory. */
static uint32_t *find_labels(const uint32_t *words, size_t count)
{
	uint32_t *labels = calloc(count / 4 + 2, sizeof(*labels)), n = 0;
	struct md_bundle b;
	bool any = false;

	for (size_t i = 0; labels && i < count; i += stride(words, i, count)) {
		int64_t to;

		if (!has_branch(words + i))
			continue;
		md_split(words + i, count - i, &b);
		to = target_of(&b, i + b.words, count);
		if (to >= 0)
			labels[to / 4] = any = true;
	}
	/* Only what is a bundle's, or a .word line's, beginning can have one. */
	for (size_t i = 0, k = 0; any && k < count / 4 + 1; k++) {
		while (i < 4 * k && i < count)
			i += stride(words, i, count);
		labels[k] = labels[k] && i == 4 * k && i < count ? ++n : 0;
	}
	return labels;
}

/* What the text of a bundle depends on. Its length; 0: on more than that. */
static unsigned int make_key(uint32_t key[17], const struct md_disasm *d, const uint32_t *words, unsigned int n,
			     bool stop)
{
	if (has_branch(words))
		return 0;
	key[0] = d->in.written | stop << 16 | next_tag(d->words, d->in.next, d->count) << 17;
	memcpy(key + 1, words, n * 4);
	return n + 1;
}

void md_disassemble(const struct isa *isa, const uint32_t *words, size_t count, struct isa_text *text)
{
	struct md_disasm d = { .isa = isa, .words = words, .count = count, .text = text };
	struct isa_memo *memo = count > 4 * ISA_MEMO_FEW ? isa_memo_new() : NULL;
	uint32_t *labels = find_labels(words, count), key[17];
	struct isa_draft draft;

	text->failed |= !labels;
	d.in.labels = labels;
	d.in.words = count;
	for (size_t i = 0, n; i < count && !text->failed; i += n) {
		unsigned int size = 0;
		bool stop;

		n = md_length(words + i, count - i);
		if (labels[i / 4]) {
			isa_putc(text, 'L');
			isa_put_uint(text, labels[i / 4]);
			isa_puts(text, ":\n");
		}
		d.in.next = i + n;
		if (!n) {
			n = stride(words, i, count);
			write_words(words + i, n, text);
			isa_text_pause(text);
			continue;
		}
		stop = (words[i] >> 4 & 15) == MD_BREAK && next_tag(words, d.in.next, count) != MD_BREAK;
		if (memo)
			size = make_key(key, &d, words + i, n, stop);
		if (size && isa_memo_write(memo, key, size, NULL, text)) {
			d.in.written = isa_memo_state(memo);
		} else {
			isa_draft_begin(&draft, text);
			draft.whole = write_one(&d, words + i, stop);
			draft.state = d.in.written;
			if (size)
				isa_memo_keep(memo, key, size, &draft, text);
		}
		isa_text_pause(text);
	}
	free(labels);
	isa_memo_free(memo);
}
