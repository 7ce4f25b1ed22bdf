// SPDX-License-Identifier: MIT
/*
 * Midgard: text to words, as Mesa's disassembler writes it. A line is an
 * instruction; an empty line ends a bundle.
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

#include "isa/midgard_text.h"

/* A bundle in the program. */
struct place {
	uint32_t start;		/* in words */
	bool keep_next;		/* its next tag stands */
	bool stop;
	struct md_target target[2];
};

struct md_asm {
	const struct isa *isa;
	struct isa_messages *messages;
	struct md_text bundle;		/* when open */
	bool open, no_memory;
	uint32_t constants[4];		/* of the bundle, though the line that says so comes later */
	bool has_constants;
	const char *line_start, *end;
	unsigned int line;
	struct isa_labels labels;	/* of places */
	struct isa_words out;
	struct place *places;
	size_t count;
};

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
static void look_ahead(struct md_asm *as)
{
	as->has_constants = false;
	for (const char *p = as->line_start, *nl; p < as->end; p = nl + 1) {
		struct isa_cursor c;

		nl = memchr(p, '\n', as->end - p);
		nl = nl ? nl : as->end;
		isa_cursor_begin(&c, p, nl);
		isa_blanks(&c);
		if (c.at == c.end)
			return;
		if (isa_literal(&c, "uconstants")) {
			as->has_constants = read_four(&c, as->constants);
			return;
		}
	}
}

static struct md_text *open_bundle(struct md_asm *as)
{
	if (!as->open) {
		memset(&as->bundle, 0, sizeof(as->bundle));
		as->bundle.line = as->line;
		look_ahead(as);
		as->open = true;
	}
	return &as->bundle;
}

unsigned int md_finish(const struct md_text *bu, uint32_t out[16])
{
	struct md_bundle b = bu->b;

	if (b.present >> MD_B_LDST0 & 1) {
		md_put(&b.block[MD_B_CTRL], ctrl_tag, MD_LDST);
		if (!(b.present >> MD_B_LDST1 & 1))
			b.block[MD_B_LDST1].w[0] = MD_LDST_NOP;
	} else if (!(b.present >> MD_B_TEX & 1)) {
		md_put(&b.block[MD_B_CTRL], ctrl_tag, MD_ALU | (bu->writeout ? 4 : 0));
	}
	return md_join(&b, out);
}

static void close_bundle(struct md_asm *as)
{
	struct md_text *bu = &as->bundle;
	uint32_t out[16], *words = bu->raw.count ? bu->raw.list : out;
	size_t n = bu->raw.count ? bu->raw.count : as->open ? md_finish(bu, out) : 0;
	struct place *p;

	if (!as->open)
		return;
	as->open = false;
	/* Room in powers of two, so that the count says how much there is. */
	if (!(as->count & (as->count - 1))) {
		p = realloc(as->places, (as->count ? 2 * as->count : 1) * sizeof(*p));
		as->no_memory |= !p;
		as->places = p ? p : as->places;
	}
	if (!as->no_memory) {
		as->places[as->count++] = (struct place){ as->out.count, bu->raw.count || bu->next_set, bu->stop,
							  { bu->target[0], bu->target[1] } };
		as->no_memory |= !isa_words_add(&as->out, words, n) || !isa_lines_add(as->messages, bu->line, n);
	}
	free(bu->raw.list);
}

/* ", set FORM.FIELD N" as often as there are. */
static bool read_sets(struct md_asm *as, struct isa_bits *block, unsigned int form, struct isa_cursor *c)
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
			return isa_expect(c, "there is no field '%.*s' in this line", n < 60 ? (int)n : 60, c->at);
		c->at += n;
		isa_blanks(c);
		if (!isa_number(c, 0, (1ll << f->width) - 1, &v))
			return false;
		isa_put(block, f->lo, f->width, v);
		as->bundle.next_set |= (form == MD_F_CTRL && f->lo == MD_ctrl_next) || (form == MD_F_TEX && f->lo == MD_tex_next);
	}
	return isa_at_end(c) || isa_expect(c, "junk at the end of the line");
}

/* The rows of units, a bit each, that the text at the cursor may be; block and *op: what it is. */
static bool read_rows(struct md_asm *as, unsigned int units, struct isa_bits *block, const struct isa_op **op,
		      struct isa_cursor *c)
{
	const char *start = c->at;
	struct isa_choice choice;

	isa_choose(as->isa, c, &choice);
	while (c->at = start, (*op = isa_next_choice(&choice, c))) {
		struct md_place_in in = { .constants = as->has_constants ? as->constants : NULL };

		if (!(units >> (*op)->unit & 1))
			continue;
		isa_reset(as->isa, (*op)->form, block);
		if (isa_read_op(as->isa, &in, block, *op, c)) {
			c->fail = NULL;
			if (in.target)
				as->bundle.target[(*op)->form == MD_F_BRX] = (struct md_target){
					in.target, in.target_length, as->line, in.target - as->line_start + 1, (*op)->form, in.bare };
			return true;
		}
	}
	return c->fail ? false : isa_unknown(c, start);
}

/* May a bundle have this block beside what it has? */
static bool fits(const struct md_text *bu, unsigned int which, struct isa_cursor *c)
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

static bool read_words(struct md_text *bu, struct isa_cursor *c)
{
	int64_t v;

	if (bu->b.present)
		return isa_expect(c, ".word stands in a bundle of its own");
	for (isa_blanks(c); !isa_at_end(c); isa_blanks(c)) {
		if (!isa_number(c, INT32_MIN, UINT32_MAX, &v))
			return false;
		if (!isa_words_add(&bu->raw, &(uint32_t){ v }, 1))
			return isa_expect(c, "out of memory");
	}
	if (c->at < c->end && *c->at == ',')
		return isa_expect(c, "words have blanks between them");
	return bu->raw.count || isa_expect(c, "expected a word");
}

static bool read_constants(struct md_text *bu, struct isa_cursor *c)
{
	if (!fits(bu, MD_B_CONST, c) || !read_four(c, bu->b.block[MD_B_CONST].w))
		return false;
	bu->b.present |= 1 << MD_B_CONST;
	isa_blanks(c);
	return isa_at_end(c) || isa_expect(c, "more than four constants");
}

/* An instruction: by its prefix for the ALU, else load/store or texture. */
static bool read_instruction(struct md_asm *as, struct md_text *bu, struct isa_cursor *c)
{
	static const struct { const char *prefix; uint8_t block, unit; } alu[] = {
		{ "vmul.", MD_B_VMUL, MD_U_VECTOR }, { "sadd.", MD_B_SADD, MD_U_SCALAR }, { "vadd.", MD_B_VADD, MD_U_VECTOR },
		{ "smul.", MD_B_SMUL, MD_U_SCALAR }, { "lut.", MD_B_LUT, MD_U_VECTOR }, { "brx", MD_B_BRANCHX, MD_U_BRANCHX },
		{ "br.", MD_B_BRANCH, MD_U_BRANCH },
	};
	unsigned int units = 1 << MD_U_TEX | 1 << MD_U_LDST, which = MD_BLOCKS;
	const struct isa_op *op;
	struct isa_bits block;

	for (size_t i = 0; i < sizeof(alu) / sizeof(alu[0]) && which == MD_BLOCKS; i++) {
		const char *start = c->at;

		if (!isa_literal(c, alu[i].prefix))
			continue;
		which = alu[i].block;
		units = 1 << alu[i].unit;
		c->at = which >= MD_B_BRANCH ? start : c->at;	/* the pattern has all of it */
	}
	if (!read_rows(as, units, &block, &op, c))
		return false;
	if (which == MD_BLOCKS)
		which = op->unit == MD_U_TEX ? MD_B_TEX : bu->b.present >> MD_B_LDST0 & 1 ? MD_B_LDST1 : MD_B_LDST0;
	if (!fits(bu, which, c))
		return false;
	bu->b.present |= 1 << which;
	bu->b.block[which] = block;
	return read_sets(as, &bu->b.block[which], op->form, c);
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
	struct md_text *bu;

	if (c->at < c->end && c->end[-1] == '\r')
		c->end--;
	isa_blanks(c);
	if (read_label(as, c) && (c->fail || c->at == c->end))
		return !c->fail;
	if (isa_at_end(c) && (c->at == c->end || *c->at != ',')) {
		if (c->at == c->end)	/* a comment does not end a bundle */
			close_bundle(as);
		return true;
	}
	bu = open_bundle(as);
	if (isa_literal_word(c, ".word"))
		return read_words(bu, c);
	if (isa_literal(c, "uconstants"))
		return read_constants(bu, c);
	if (word_alone(c, "writeout"))
		return bu->writeout = true;
	if (word_alone(c, "break"))
		return bu->stop = true;
	if (isa_literal(c, "ctrl")) {
		bu->b.present |= 1 << MD_B_CTRL;
		return read_sets(as, &bu->b.block[MD_B_CTRL], MD_F_CTRL, c);
	}
	return read_instruction(as, bu, c);
}

static size_t start_of(const struct md_asm *as, size_t place)
{
	return place < as->count ? as->places[place].start : as->out.count;
}

/* Puts the distance to the label, and the tag there, into a branch of the bundle before next. */
static void resolve(struct md_asm *as, const struct md_target *t, struct isa_bits *block, size_t next)
{
	int64_t label = isa_label_find(&as->labels, t->name, t->length), distance;
	struct isa_message at = { .severity = ISA_ERROR, .line = t->line, .column = t->column };
	const struct isa_operand *o = isa_operand_of(as->isa, &(struct isa_op){ .form = t->form }, 'o');
	int64_t reach = 1ll << (o->at[0].width - 1);

	if (label < 0) {
		as->no_memory |= !isa_message(as->messages, &at, "there is no such label");
		return;
	}
	distance = ((int64_t)start_of(as, label) - (int64_t)next) / 4;
	if (distance < -reach || distance >= reach)
		as->no_memory |= !isa_message(as->messages, &at, "the label is %lld bundle words away; this branch reaches %lld",
					      (long long)distance, (long long)reach - 1);
	md_put_at(o, block, 0, (uint32_t)distance);
	if (t->bare)
		md_put_at(o, block, 1, (size_t)label < as->count ? as->out.list[start_of(as, label)] & 15 : MD_BREAK);
}

/* Labels and next tags: what a bundle says of the one behind it; 1 when that is none, or no bundle. */
static void link_bundles(struct md_asm *as)
{
	for (size_t i = 0; i < as->count; i++) {
		const struct place *p = &as->places[i];
		size_t next = start_of(as, i + 1), left = as->out.count - next;
		uint32_t *words = as->out.list + p->start, tag = MD_BREAK, out[16];
		struct md_bundle b;

		if (p->target[0].name || p->target[1].name) {
			md_split(words, next - p->start, &b);
			for (int k = 0; k < 2; k++)
				if (p->target[k].name)
					resolve(as, &p->target[k], &b.block[MD_B_BRANCH + k], next);
			memcpy(words, out, 4 * md_join(&b, out));
		}
		if (p->keep_next)
			continue;
		if (!p->stop && left)
			md_split(as->out.list + next, left, &b);
		if (!p->stop && left && b.words)
			tag = as->out.list[next] & 15;
		*words = (*words & ~0xf0u) | tag << 4;
	}
}

/* From text to as->end. Errors are messages. */
static void read_text(struct md_asm *as, const char *text)
{
	for (const char *p = text, *nl; p < as->end && !as->no_memory; p = nl + 1) {
		struct isa_message at = { .severity = ISA_ERROR, .line = ++as->line };
		struct isa_cursor c;

		nl = memchr(p, '\n', as->end - p);
		nl = nl ? nl : as->end;
		isa_cursor_begin(&c, p, nl);
		as->line_start = p;
		if (read_line(as, &c))
			continue;
		at.column = (c.fail ? c.fail : c.at) - p + 1;
		as->no_memory |= !isa_message(as->messages, &at, "%s", c.error);
	}
}

static void free_asm(struct md_asm *as)
{
	if (as->open)
		free(as->bundle.raw.list);
	free(as->places);
	isa_labels_free(&as->labels);
}

int md_assemble(const struct isa *isa, const char *text, size_t length, uint32_t **words, size_t *count,
		struct isa_messages *messages)
{
	struct md_asm as = { .isa = isa, .messages = messages, .end = text + length };
	int err;

	read_text(&as, text);
	close_bundle(&as);
	if (!as.no_memory && !messages->errors)
		link_bundles(&as);
	err = as.no_memory ? -ENOMEM : messages->errors ? -EINVAL : 0;
	free_asm(&as);
	if (err) {
		free(as.out.list);
		return err;
	}
	*words = as.out.list;
	*count = as.out.count;
	return 0;
}

bool md_read_text(const struct isa *isa, const char *text, size_t length, struct md_text *bundle)
{
	struct isa_messages messages = { 0 };
	/* The last empty line would end the bundle. */
	struct md_asm as = { .isa = isa, .messages = &messages, .end = text + length - 1 };
	bool ok;

	read_text(&as, text);
	ok = as.open && !as.count && !as.no_memory && !messages.errors && !as.bundle.raw.count;
	*bundle = as.bundle;
	bundle->raw = (struct isa_words){ 0 };
	free_asm(&as);
	isa_messages_free(&messages);
	return ok;
}
