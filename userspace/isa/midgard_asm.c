// SPDX-License-Identifier: MIT
/*
 * Midgard: text to words and back. A line is an instruction; an empty line
 * ends a bundle.
 *
 *	vmul.fmul.f32 R0, R1, #0.5
 *	sadd.fadd.f32 R1.x, R2.x, const.y
 *	uconstants 0x3f800000, 0x40000000, 0x0, 0x0
 *
 *	ld_vary_32 R0, AL0.x, zero, 512
 *
 * Also: "writeout" marks the tag of an ALU bundle, "ctrl" is one without
 * instructions, ".word N..." is what has no shape, and ", set FORM.FIELD N"
 * behind any line says what its text cannot. The next bundle's tag is filled
 * in; "ctrl, set ctrl.next N" says another.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "isa/midgard.h"

struct bundle {
	struct md_bundle b;
	struct isa_words raw;
	bool writeout, next_set;
	unsigned int line;
};

struct md_asm {
	const struct isa *isa;
	struct isa_messages *messages;
	struct bundle *bundles;
	size_t count, room;
	bool open, no_memory;
	const char *line_start;
	unsigned int line;
};

static bool report(struct md_asm *as, const struct isa_cursor *c)
{
	struct isa_message at = { .severity = ISA_ERROR, .line = as->line,
				  .column = (c->fail ? c->fail : c->at) - as->line_start + 1 };

	if (!isa_message(as->messages, &at, "%s", c->error))
		as->no_memory = true;
	return false;
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
static bool read_rows(struct md_asm *as, unsigned int unit, struct isa_bits *block, unsigned int *form,
		      struct isa_cursor *c)
{
	const char *start = c->at;

	for (unsigned int i = 0; i < as->isa->op_count; i++) {
		const struct isa_op *op = &as->isa->ops[i];

		if (op->unit != unit)
			continue;
		c->at = start;
		isa_reset(as->isa, op->form, block);
		if (isa_read_op(as->isa, NULL, block, op, c)) {
			*form = op->form;
			c->fail = NULL;
			return true;
		}
	}
	c->at = start;
	return false;
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
	for (int i = 0; i < 4; i++) {
		int64_t v;

		isa_blanks(c);
		if (!isa_number(c, INT32_MIN, UINT32_MAX, &v))
			return false;
		bu->b.block[MD_B_CONST].w[i] = v;
		if (i < 3 && !isa_literal(c, ","))
			return isa_expect(c, "expected four constants");
	}
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
		if (!read_rows(as, alu[i].unit, &block, &form, c) || !fits(bu, alu[i].block, c))
			return false;
		bu->b.present |= 1 << alu[i].block;
		bu->b.block[alu[i].block] = block;
		return read_sets(as, bu, &bu->b.block[alu[i].block], form, c);
	}
	if (read_rows(as, MD_U_TEX, &block, &form, c))
		which = MD_B_TEX;
	else if (read_rows(as, MD_U_LDST, &block, &form, c))
		which = bu->b.present >> MD_B_LDST0 & 1 ? MD_B_LDST1 : MD_B_LDST0;
	else
		return false;
	if (!fits(bu, which, c))
		return false;
	bu->b.present |= 1 << which;
	bu->b.block[which] = block;
	return read_sets(as, bu, &bu->b.block[which], form, c);
}

static bool read_line(struct md_asm *as, struct isa_cursor *c)
{
	struct bundle *bu;

	isa_blanks(c);
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
	if (isa_literal(c, "writeout")) {
		bu->writeout = true;
		isa_blanks(c);
		return isa_at_end(c) || isa_expect(c, "junk at the end of the line");
	}
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

/* Seed 003: 1 in the last bundle, and in the one before an ALU bundle that is the last. */
static uint32_t next_tag(const uint32_t *words, size_t follower, size_t count, bool follower_last)
{
	uint32_t tag = follower < count ? words[follower] & 15 : MD_BREAK;

	return follower_last && tag >= MD_ALU ? MD_BREAK : tag;
}

static int emit(struct md_asm *as, struct isa_words *words)
{
	size_t *starts = calloc(as->count + 1, sizeof(*starts));
	int err = 0;

	if (!starts)
		return -ENOMEM;
	for (size_t i = 0; i < as->count && !err; i++) {
		const struct bundle *bu = &as->bundles[i];
		uint32_t out[16];
		unsigned int n = bu->raw.count ? 0 : finish(bu, out);

		starts[i] = words->count;
		if (!bu->raw.count && !n) {
			struct isa_message at = { .severity = ISA_ERROR, .line = bu->line, .column = 1 };

			isa_message(as->messages, &at, "the bundle has more than 16 words");
			err = -EINVAL;
		} else if (!isa_words_add(words, bu->raw.count ? bu->raw.list : out, bu->raw.count ? bu->raw.count : n)) {
			err = -ENOMEM;
		}
	}
	starts[as->count] = words->count;
	for (size_t i = 0; i < as->count && !err; i++) {
		uint32_t *word = words->list + starts[i];

		if (!as->bundles[i].raw.count && !as->bundles[i].next_set)
			*word = (*word & ~0xf0u) | next_tag(words->list, starts[i + 1], words->count,
							    i + 2 >= as->count) << 4;
	}
	free(starts);
	return err;
}

int md_assemble(const struct isa *isa, const char *text, size_t length, uint32_t **words, size_t *count,
		struct isa_messages *messages)
{
	struct md_asm as = { .isa = isa, .messages = messages };
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
	if (err) {
		free(out.list);
		return err;
	}
	*words = out.list;
	*count = out.count;
	return 0;
}

/* --- Words to text ----------------------------------------------------------------- */

static const char *prefix(unsigned int which)
{
	static const char *const names[] = { "", "vmul.", "sadd.", "vadd.", "smul.", "lut." };

	return which <= MD_B_LUT ? names[which] : "";
}

static void write_bundle(const struct isa *isa, const struct md_bundle *b, const struct md_bundle *came,
			 struct isa_text *text)
{
	bool ctrl = !(b->present & ~(1 << MD_B_CTRL));
	const uint32_t *w = b->block[MD_B_CONST].w;

	if (came && b->present >> MD_B_CTRL & 1)
		ctrl |= b->block[MD_B_CTRL].w[0] != came->block[MD_B_CTRL].w[0];
	if (ctrl) {
		isa_printf(text, "ctrl");
		if (came)
			isa_write_sets(isa, MD_F_CTRL, &b->block[MD_B_CTRL], &came->block[MD_B_CTRL], ", ", "", text);
		isa_printf(text, "\n");
	}
	for (unsigned int i = MD_B_VMUL; i < MD_BLOCKS; i++) {
		const struct isa_op *op;

		if (!(b->present >> i & 1) || i == MD_B_CONST)
			continue;
		if (i == MD_B_LDST1 && b->block[i].w[0] == 3 && !b->block[i].w[1])
			continue;
		op = md_row(&b->block[i], i);
		isa_printf(text, "%s", prefix(i));
		isa_write_op(isa, NULL, &b->block[i], op, text);
		if (came)
			isa_write_sets(isa, op->form, &b->block[i], &came->block[i], ", ", "", text);
		isa_printf(text, "\n");
	}
	if (b->present >> MD_B_CONST & 1)
		isa_printf(text, "uconstants 0x%x, 0x%x, 0x%x, 0x%x\n", w[0], w[1], w[2], w[3]);
	if (b->present >> MD_B_CTRL & 1 && (b->block[MD_B_CTRL].w[0] & 15) >= MD_ALU + 4)
		isa_printf(text, "writeout\n");
	isa_printf(text, "\n");
}

static char *write_all(const struct isa *isa, const uint32_t *words, size_t count, const uint32_t *came_out)
{
	struct isa_text text = { 0 };

	for (size_t i = 0; i < count;) {
		struct md_bundle b, came;
		size_t n = count - i < 4 ? count - i : 4;

		md_split(words + i, count - i, &b);
		if (b.words) {
			if (came_out)
				md_split(came_out + i, count - i, &came);
			write_bundle(isa, &b, came_out && came.words == b.words ? &came : NULL, &text);
			i += b.words;
			continue;
		}
		isa_printf(&text, ".word");
		for (; n; n--)
			isa_printf(&text, " 0x%08x", words[i++]);
		isa_printf(&text, "\n\n");
	}
	return isa_text_finish(&text);
}

/* How many words the bundle, or .word line, at i has. */
static size_t stride(const uint32_t *words, size_t i, size_t count)
{
	struct md_bundle b;

	md_split(words + i, count - i, &b);
	return b.words ? b.words : count - i < 4 ? count - i : 4;
}

/* What the text will mean for next tags when all else is right. */
static void fill_next(const uint32_t *words, size_t count, uint32_t *came_out)
{
	for (size_t i = 0; i < count;) {
		size_t follower = i + stride(words, i, count);
		bool last = follower >= count || follower + stride(words, follower, count) >= count;

		came_out[i] = (came_out[i] & ~0xf0u) | next_tag(words, follower, count, last) << 4;
		i = follower;
	}
}

static char *to_text(const struct isa *isa, const uint32_t *words, size_t count)
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
	if (err || came_count != count) {
		free(came_out);
		return NULL;
	}
	fill_next(words, count, came_out);
	text = write_all(isa, words, count, came_out);
	free(came_out);
	return text;
}

void md_disassemble(const struct isa *isa, const uint32_t *words, size_t count, struct isa_text *text)
{
	char *all = to_text(isa, words, count);

	if (all)
		isa_puts(text, all);
	else
		text->failed = true;
	free(all);
}
