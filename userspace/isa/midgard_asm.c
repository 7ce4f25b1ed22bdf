// SPDX-License-Identifier: MIT
/*
 * Midgard: text to words and back, as Mesa's disassembler writes it. A line is an
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
#include <stdio.h>
#include <stdlib.h>

#include "isa/midgard.h"

#define LDST_NOP 3	/* a load/store instruction that is nothing, and goes without saying as the second one */

/* A bundle in the program. */
struct bundle {
	struct md_bundle b;
	size_t start;		/* in words */
	unsigned int line;
	bool raw;		/* it is .word, which is put out at once */
	bool writeout, stop, keep_next;	/* its next tag stands */
	struct isa_target target[2];	/* of the compact and the extended branch */
	bool bare[2];		/* without "-> TAG" */
};

/* What program.c keeps of a text that is read: own. */
struct md_asm {
	struct bundle bundle;		/* when open */
	bool open;
	uint32_t constants[4];		/* of the bundle, though the line that says so comes later */
	bool has_constants;
	struct bundle *bundles;
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
static void look_ahead(const struct isa_program *p, struct md_asm *as)
{
	as->has_constants = false;
	for (const char *at = p->start, *nl; at < p->end; at = nl + 1) {
		struct isa_cursor c = { .at = at };

		nl = memchr(at, '\n', p->end - at);
		c.end = nl = nl ? nl : p->end;
		isa_blanks(&c);
		if (c.at == c.end)
			return;
		if (isa_literal(&c, "uconstants")) {
			as->has_constants = read_four(&c, as->constants);
			return;
		}
	}
}

static struct bundle *open_bundle(const struct isa_program *p)
{
	struct md_asm *as = p->own;

	if (!as->open) {
		as->bundle = (struct bundle){ .line = p->line, .start = p->out.count };
		look_ahead(p, as);
		as->open = true;
	}
	return &as->bundle;
}

/* What goes without saying. */
static void complete(struct bundle *bu)
{
	struct md_bundle *b = &bu->b;

	if (b->present >> MD_B_LDST0 & 1) {
		md_put(&b->block[MD_B_CTRL], ctrl_tag, MD_LDST);
		if (!(b->present >> MD_B_LDST1 & 1))
			b->block[MD_B_LDST1].w[0] = LDST_NOP;
	} else if (!(b->present >> MD_B_TEX & 1)) {
		md_put(&b->block[MD_B_CTRL], ctrl_tag, MD_ALU | (bu->writeout ? 4 : 0));
	}
}

static void close_bundle(struct isa_program *p)
{
	struct md_asm *as = p->own;
	struct bundle *bu = &as->bundle;
	uint32_t words[16];

	if (!as->open)
		return;
	as->open = false;
	complete(bu);
	if (bu->raw)
		bu->keep_next = true;
	else
		isa_program_put(p, words, md_join(&bu->b, words), 0, bu->line);
	p->no_memory |= !isa_room(&as->bundles, as->count, 1, sizeof(*bu));
	if (!p->no_memory)
		as->bundles[as->count++] = *bu;
}

/* ", set FORM.FIELD N" as often as there are. */
static bool read_sets(struct bundle *bu, struct isa_bits *block, unsigned int form, struct isa_cursor *c)
{
	for (isa_blanks(c); c->at < c->end && *c->at == ','; isa_blanks(c)) {
		const struct isa_field *f;
		const char *name;
		unsigned int found;

		c->at++;
		isa_blanks(c);
		if (!isa_literal(c, "set "))
			return isa_expect(c, "too many operands: expected 'set FORM.FIELD N'");
		isa_blanks(c);
		name = c->at;
		f = isa_read_field(&isa_midgard, c, &found);
		if (f && found != form)
			return isa_expect_at(c, name, "there is no field '%.*s' in this line",
					     (int)isa_word_length(c), name);
		if (!f || !isa_read_set(c, f, block))
			return false;
		bu->keep_next |= (form == MD_F_CTRL && f->lo == MD_ctrl_next) || (form == MD_F_TEX && f->lo == MD_tex_next);
	}
	return isa_at_end(c) || isa_expect(c, "junk at the end of the line");
}

/* The row of units, a bit each, that the text at the cursor is, and its bits; NULL: none. */
static const struct isa_op *read_row(unsigned int units, struct md_place_in *in, struct isa_bits *block, struct isa_cursor *c)
{
	const struct md_place_in before = *in;
	const char *start = c->at;
	const struct isa_op *op = NULL;

	while (c->at = start, (op = isa_next_choice(&isa_midgard, op, c))) {
		if (!(units >> op->unit & 1))
			continue;
		*in = before;
		isa_reset(&isa_midgard, op->form, block);
		if (isa_read_op(&isa_midgard, in, block, op, c)) {
			c->fail = NULL;
			return op;
		}
	}
	if (!c->fail)
		isa_unknown(c, start);
	return NULL;
}

/* May a bundle have this block beside what it has? */
static bool fits(const struct bundle *bu, unsigned int which, struct isa_cursor *c)
{
	const uint16_t alu = (1 << (MD_B_CONST + 1)) - (1 << MD_B_VMUL), ldst = 1 << MD_B_LDST0 | 1 << MD_B_LDST1;
	uint16_t have = bu->b.present & ~(1 << MD_B_CTRL), kind;

	kind = which <= MD_B_CONST ? alu : which <= MD_B_LDST1 ? ldst : 1 << MD_B_TEX;
	if (bu->raw || have & ~kind)
		return isa_expect(c, "this belongs into a bundle of its own: an empty line ends one");
	if (have >> which & 1)
		return isa_expect(c, "the bundle has something for '%s' already", md_block_names[which]);
	return true;
}

static bool read_words(struct isa_program *p, struct bundle *bu, struct isa_cursor *c)
{
	if (bu->b.present)
		return isa_expect(c, ".word stands in a bundle of its own");
	bu->raw = true;
	return isa_program_words(p, c);
}

static bool read_constants(struct bundle *bu, struct isa_cursor *c)
{
	if (!fits(bu, MD_B_CONST, c) || !read_four(c, bu->b.block[MD_B_CONST].w))
		return false;
	bu->b.present |= 1 << MD_B_CONST;
	isa_blanks(c);
	return isa_at_end(c) || isa_expect(c, "more than four constants");
}

/* Is this the name of an op of the arithmetic units? */
static bool is_alu(struct isa_cursor *c)
{
	const struct isa_op *op = NULL;

	while ((op = isa_next_choice(&isa_midgard, op, c)))
		if (op->unit <= MD_U_SCALAR && *op->pattern != 'a')	/* alu_op_ */
			return true;
	return false;
}

/* "vmull.FMUL.f32": an op of the arithmetic units behind what is none of them. */
static void say_no_unit(struct isa_cursor *c)
{
	const char *dot = memchr(c->at, '.', isa_word_length(c));
	struct isa_choices list = { "" };

	if (!dot || !is_alu(&(struct isa_cursor){ .at = dot + 1, .end = c->end }))
		return;
	for (unsigned int i = MD_B_VMUL; i <= MD_B_LUT; i++)
		isa_choice(&list, "", md_block_names[i]);
	c->fail = NULL;
	isa_expect(c, "unknown unit '%.*s'; there are:%s", (int)(dot - c->at), c->at, list.text);
}

/* An instruction: by its prefix for the ALU, else load/store or texture. */
static bool read_instruction(struct isa_program *p, struct bundle *bu, struct isa_cursor *c)
{
	const struct md_asm *as = p->own;
	struct md_place_in in = { .constants = as->has_constants ? as->constants : NULL };
	unsigned int units = 1 << MD_U_TEX | 1 << MD_U_LDST, which = MD_BLOCKS;
	const struct isa_op *op;
	struct isa_bits block;
	const char *at;

	for (unsigned int i = MD_B_VMUL; i <= MD_B_LUT && which == MD_BLOCKS; i++)
		if (isa_literal(c, md_block_names[i]))
			which = isa_literal(c, ".") ? i : which;
	if (which == MD_BLOCKS && isa_literal(&(struct isa_cursor){ .at = c->at, .end = c->end }, "br"))
		which = c->end - c->at > 2 && c->at[2] == 'x' ? MD_B_BRANCHX : MD_B_BRANCH;
	if (which < MD_BLOCKS)
		units = 1 << md_block_unit[which];
	at = c->at;
	op = read_row(units, &in, &block, c);
	if (!op && which == MD_BLOCKS && is_alu(&(struct isa_cursor){ .at = at, .end = c->end }))
		return c->fail = NULL, c->at = at,
		       isa_expect(c, "arithmetic has its unit in front, vmul. to lut.: MIDGARD_MESA_DEBUG=verbose prints it");
	if (!op && which == MD_BLOCKS) {
		c->at = at;
		say_no_unit(c);
	}
	if (!op)
		return false;
	if (which == MD_BLOCKS)
		which = op->unit == MD_U_TEX ? MD_B_TEX : bu->b.present >> MD_B_LDST0 & 1 ? MD_B_LDST1 : MD_B_LDST0;
	if (in.target.name) {
		in.target.line = p->line;
		in.target.column = in.target.name - p->start + 1;
		bu->target[which == MD_B_BRANCHX] = in.target;
		bu->bare[which == MD_B_BRANCHX] = in.bare;
	}
	if (!fits(bu, which, c))
		return false;
	bu->b.present |= 1 << which;
	bu->b.block[which] = block;
	return read_sets(bu, &bu->b.block[which], op->form, c);
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

bool md_read_line(struct isa_program *p, struct isa_cursor *c)
{
	const struct md_asm *as = p->own;
	const char *start;
	struct bundle *bu;

	if (c->at < c->end && c->end[-1] == '\r')
		c->end--;
	isa_blanks(c);
	start = c->at;
	if (isa_program_label(p, c) && as->open)
		return isa_expect_at(c, start, "a label stands before a bundle: an empty line ends one");
	if (c->at > start && c->at == c->end)
		return true;
	if (isa_at_end(c) && (c->at == c->end || *c->at != ',')) {
		if (c->at == c->end)	/* a comment does not end a bundle */
			close_bundle(p);
		return true;
	}
	bu = open_bundle(p);
	if (isa_literal_word(c, ".word"))
		return read_words(p, bu, c);
	if (isa_literal(c, "uconstants"))
		return read_constants(bu, c);
	if (word_alone(c, "writeout"))
		return bu->writeout = true;
	if (word_alone(c, "break"))
		return bu->stop = true;
	if (isa_literal(c, "ctrl")) {
		bu->b.present |= 1 << MD_B_CTRL;
		return read_sets(bu, &bu->b.block[MD_B_CTRL], MD_F_CTRL, c);
	}
	return read_instruction(p, bu, c);
}

/* Puts the distance to the label, and the tag there, into a branch of the bundle before next. */
static void resolve(struct isa_program *p, const struct isa_target *t, bool bare, struct isa_bits *block, size_t next)
{
	int64_t label = isa_program_find(p, t->name, t->length), distance;
	const struct isa_operand *o = isa_operand_of(&isa_midgard, t->op, 'o');
	int64_t reach = 1ll << (o->at[0].width - 1);

	if (label < 0) {
		isa_program_report(p, t->line, t->column, "there is no such label");
		return;
	}
	distance = (label - (int64_t)next) / 4;
	if (distance < -reach || distance >= reach) {
		char text[100];

		snprintf(text, sizeof(text), "the label is %lld bundle words away; this branch reaches %lld", (long long)distance,
			 (long long)reach - 1);
		isa_program_report(p, t->line, t->column, text);
	}
	isa_put_at(o, block, 0, (uint32_t)distance);
	if (bare)
		isa_put_at(o, block, 1, (size_t)label < p->out.count ? p->out.list[label] & 15 : MD_BREAK);
}

/* The tag of the bundle there; MD_BREAK: there is none. */
static uint32_t tag_at(const uint32_t *words, size_t count, size_t at)
{
	struct md_bundle b = { .words = 0 };

	if (at < count)
		md_split(words + at, count - at, &b);
	return b.words ? words[at] & 15 : MD_BREAK;
}

/* Labels and next tags: what a bundle says of the one behind it. */
static void link_bundles(struct isa_program *p)
{
	const struct md_asm *as = p->own;

	for (size_t i = 0; i < as->count; i++) {
		struct bundle *bu = &as->bundles[i];
		size_t next = i + 1 < as->count ? bu[1].start : p->out.count;
		uint32_t *words = p->out.list + bu->start, out[16];

		if (bu->target[0].name || bu->target[1].name) {
			for (int k = 0; k < 2; k++)
				if (bu->target[k].name)
					resolve(p, &bu->target[k], bu->bare[k], &bu->b.block[MD_B_BRANCH + k], next);
			memcpy(words, out, 4 * md_join(&bu->b, out));
		}
		if (!bu->keep_next)
			*words = (*words & ~0xf0u) | (bu->stop ? MD_BREAK : tag_at(p->out.list, p->out.count, next)) << 4;
	}
}

void md_finish(struct isa_program *p)
{
	struct md_asm *as = p->own;

	close_bundle(p);
	if (!p->no_memory && !p->messages->errors)
		link_bundles(p);
	free(as->bundles);
}

const size_t md_own_size = sizeof(struct md_asm);

/* --- Words to text --------------------------------------------------------- */

/* False: no text says what it is. */
static bool write_block(struct md_place_in *at, const struct isa_bits *block, unsigned int which, struct isa_text *text)
{
	const struct isa_op *op = md_row(block, which), *again;
	struct md_place_in in = { .constants = at->constants };
	struct isa_cursor c;
	struct isa_bits came;
	size_t start;

	if (which <= MD_B_LUT)
		isa_printf(text, "%s.", md_block_names[which]);
	start = text->length;
	isa_write_op(&isa_midgard, at, block, op, text);
	if (text->failed)
		return true;
	/* What the text alone means says which "set" are needed. */
	c = (struct isa_cursor){ .at = text->data + start, .end = text->data + text->length };
	again = read_row(1 << op->unit, &in, &came, &c);
	if (!again || again->form != op->form || c.at != c.end)
		return false;
	/* A label leads where it was made for. */
	if (in.target.name)
		isa_put_at(isa_operand_of(&isa_midgard, op, 'o'), &came, 0, (uint32_t)md_distance(block, op));
	if (which == MD_B_TEX)
		md_put(&came, tex_next, at->next_tag);
	isa_write_sets(&isa_midgard, op->form, block, &came, ", ", "", text);
	isa_putc(text, '\n');
	if (op->form == MD_F_LDST && md_get(block, ld_reg) < 16 && !(op->props & MD_P_STORES))
		at->written |= 1 << md_get(block, ld_reg);
	return true;
}

static bool write_bundle(struct md_place_in *at, const struct md_bundle *b, bool stop, struct isa_text *text)
{
	struct isa_bits ctrl = b->block[MD_B_CTRL];

	/* Of the control word, the lines say which units there are and what follows. */
	ctrl.w[0] = (ctrl.w[0] & (MD_CTRL_UNITS | 15)) | (b->present >> MD_B_CTRL & 1 ? at->next_tag << 4 : 0);
	if (b->present == 1 << MD_B_CTRL || ctrl.w[0] != b->block[MD_B_CTRL].w[0]) {
		isa_puts(text, "ctrl");
		isa_write_sets(&isa_midgard, MD_F_CTRL, &b->block[MD_B_CTRL], &ctrl, ", ", "", text);
		isa_putc(text, '\n');
	}
	at->constants = b->present >> MD_B_CONST & 1 ? b->block[MD_B_CONST].w : NULL;
	for (unsigned int i = MD_B_VMUL; i < MD_BLOCKS; i++)
		if (b->present >> i & 1 && i != MD_B_CONST &&
		    (i != MD_B_LDST1 || b->block[i].w[0] != LDST_NOP || b->block[i].w[1]) &&
		    !write_block(at, &b->block[i], i, text))
			return false;
	if (at->constants)
		isa_printf(text, "uconstants 0x%X, 0x%X, 0x%X, 0x%X\n", at->constants[0], at->constants[1],
			   at->constants[2], at->constants[3]);
	if (md_get(&b->block[MD_B_CTRL], ctrl_tag) >= MD_ALU + 4)
		isa_puts(text, "writeout\n");
	isa_puts(text, stop ? "break\n\n" : "\n");
	return true;
}

/* How many words the bundle, or .word line, at i has. */
static size_t stride(const struct md_bundle *b, size_t left)
{
	return b->words ? b->words : left < 4 ? left : 4;
}

#define IS_TARGET	1
#define IS_START	2

/* Numbers, in their order, the bundles that branches go to. NULL: out of memory. */
static uint32_t *find_labels(const uint32_t *words, size_t count)
{
	uint32_t *labels = calloc(count / 4 + 2, sizeof(*labels)), n = 0;
	struct md_bundle b;

	for (size_t i = 0; labels && i < count; i += stride(&b, count - i)) {
		unsigned int which;
		int64_t to;

		md_split(words + i, count - i, &b);
		labels[i / 4] |= IS_START;
		which = b.present >> MD_B_BRANCHX & 1 ? MD_B_BRANCHX : MD_B_BRANCH;
		if (!b.words || !(b.present >> which & 1))
			continue;
		to = (int64_t)i + b.words + 4ll * md_distance(&b.block[which], md_row(&b.block[which], which));
		if (to >= 0 && to < (int64_t)count)
			labels[to / 4] |= IS_TARGET;
	}
	/* Only what is a bundle's, or a .word line's, beginning can have one. */
	for (size_t k = 0; labels && k < count / 4 + 1; k++)
		labels[k] = labels[k] == (IS_START | IS_TARGET) ? ++n : 0;
	return labels;
}

void md_disassemble(const struct isa *isa, const uint32_t *words, size_t count, struct isa_text *text)
{
	uint32_t *labels = find_labels(words, count);
	struct md_place_in at = { .words = count, .labels = labels };
	struct md_bundle b;

	text->failed |= !labels;
	for (size_t i = 0, n; i < count && !text->failed; i += n) {
		uint32_t next = words[i] >> 4 & 15, tag;
		size_t start;

		md_split(words + i, count - i, &b);
		n = stride(&b, count - i);
		if (labels[i / 4])
			isa_printf(text, "L%u:\n", labels[i / 4]);
		start = text->length;
		at.next = i + n;
		tag = tag_at(words, count, i + n);
		at.next_tag = next == MD_BREAK ? next : tag;
		if (!b.words || !write_bundle(&at, &b, next == MD_BREAK && tag != MD_BREAK, text)) {
			text->length = start;
			isa_line_words(words + i, n, text);
			isa_puts(text, "\n\n");
		}
	}
	free(labels);
}
