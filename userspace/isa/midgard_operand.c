// SPDX-License-Identifier: MIT
/*
 * Midgard: what operands that midgard.c declares as CUSTOM have as text, after Mesa's disassembler, but for those
 * of the ALU (midgard_alu.c). Branches that meet a bundle name it by a label.
 */
#include <math.h>
#include <stdlib.h>

#include "isa/midgard_text.h"

const char md_components[17] = "xyzwefghijklmnop";

static const char *const tags[16] = {
	"invalid", "break", "tex/vt", "tex", "tex/bar", "ldst", "unk1", "unk2",
	"alu/4", "alu/8", "alu/12", "alu/16", "aluw/4", "aluw/8", "aluw/12", "aluw/16",
};

unsigned int md_component(const char *at, const char *end, unsigned int count)
{
	const char *p = at < end ? memchr(md_components, *at, count) : NULL;

	return p ? (unsigned int)(p - md_components) : count;
}

/* Hexadecimal digits; arg: at most so many of them; 0: a signed number. */
void md_write_hex(const struct isa_operand *o, const struct isa_insn *in, struct isa_text *text)
{
	unsigned int unused = o->arg ? 0 : 32 - isa_operand_width(o);

	isa_printf(text, "%0*X", o->arg == 2 ? 2 : 1, (uint32_t)((int32_t)(isa_operand_get(o, in->bits) << unused) >> unused));
}

bool md_read_hex(const struct isa_operand *o, struct isa_insn *in, struct isa_cursor *c)
{
	char digits[9] = "", *end;
	uint32_t v;

	memcpy(digits, c->at, c->end - c->at < 8 ? c->end - c->at : 8);
	digits[o->arg ? o->arg : 8] = 0;
	v = strtoul(digits, &end, 16);
	if (!isa_is(*digits, ISA_WORD) || end == digits || (o->arg && v >> isa_operand_width(o)))
		return isa_expect(c, "expected hexadecimal digits");
	c->at += end - digits;
	isa_operand_put(o, in->bits, v);
	return true;
}

/* +N, -N or a label; then "-> TAG", which a label can do without. */
void md_write_target(const struct isa_operand *o, const struct isa_insn *in, struct isa_text *text)
{
	const struct md_place_in *at = in->ctx;
	int distance = md_distance(in->bits, in->op->form);
	int64_t to = (int64_t)at->next + 4ll * distance;

	if (at->labels && to >= 0 && to < (int64_t)at->words && !(to % 4) && at->labels[to / 4])
		isa_printf(text, "L%u", at->labels[to / 4]);
	else
		isa_printf(text, "%+d", distance);
	isa_printf(text, " -> %s", tags[isa_get_at(o, in->bits, 1)]);
}

bool md_read_target(const struct isa_operand *o, struct isa_insn *in, struct isa_cursor *c)
{
	const struct isa_operand tag = { 0, ISA_NAMES, .at = { o->at[1] }, .names = tags,
					 .what = "the kind of bundle that is jumped to: alu/4, ldst, tex, break, ..." };
	struct md_place_in *at = in->ctx;
	int64_t n, reach = 1ll << (o->at[0].width - 1);

	if (c->at < c->end && *c->at != '+' && *c->at != '-' && !isa_is(*c->at, ISA_DIGIT)) {
		at->target = (struct isa_target){ .name = c->at, .length = isa_word_length(c), .op = in->op };
		c->at += at->target.length;
		if (!at->target.length)
			return isa_expect(c, "expected a label, or a distance such as +2");
	} else {
		isa_literal(c, "+");
		if (!isa_number(c, -reach, reach - 1, &n))
			return false;
		isa_put_at(o, in->bits, 0, (uint32_t)n);
	}
	isa_blanks(c);
	if (!isa_literal(c, "->")) {
		at->bare = true;
		return at->target.name || isa_expect(c, "expected '->' and the kind of bundle there");
	}
	isa_blanks(c);
	return isa_operand_read(&tag, in, c);
}

/* --- Load/store --------------------------------------------------------------- */

/* " + 0x10", " - 0x10" or nothing, in two's complement. */
void md_write_offset(const struct isa_operand *o, const struct isa_insn *in, struct isa_text *text)
{
	unsigned int unused = 32 - o->at[0].width;
	int32_t n = (int32_t)(isa_get_at(o, in->bits, 0) << unused) >> unused;

	if (n)
		isa_printf(text, " %c 0x%X", n < 0 ? '-' : '+', n < 0 ? -(uint32_t)n : (uint32_t)n);
}

bool md_read_offset(const struct isa_operand *o, struct isa_insn *in, struct isa_cursor *c)
{
	const char *at = c->at;
	bool minus;
	int64_t n;

	isa_blanks(c);
	minus = isa_literal(c, "-");
	if (!minus && !isa_literal(c, "+")) {
		c->at = at;
		return true;
	}
	isa_blanks(c);
	if (!isa_number(c, 0, (1ll << (o->at[0].width - 1)) - !minus, &n))
		return false;
	isa_put_at(o, in->bits, 0, (uint32_t)(minus ? -n : n));
	return true;
}

/* Components that are loaded; '~' stands for those that are not written. */
void md_write_loaded(const struct isa_operand *o, const struct isa_insn *in, struct isa_text *text)
{
	unsigned int swizzle = in->op->props & MD_P_PLAIN ? 0xe4 : md_get(in->bits, ld_swizzle);

	for (int i = 0; i < 4; i++)
		isa_putc(text, md_get(in->bits, ld_mask) >> i & 1 ? md_components[swizzle >> 2 * i & 3] : '~');
}

bool md_read_loaded(const struct isa_operand *o, struct isa_insn *in, struct isa_cursor *c)
{
	unsigned int mask = 0, swizzle = 0xe4;

	for (unsigned int i = 0; i < 4; i++, c->at++) {
		unsigned int n = md_component(c->at, c->end, 4);

		if (c->at < c->end && *c->at == '~')
			continue;
		if (n == 4)
			return isa_expect(c, "expected four of x, y, z, w and ~");
		mask |= 1u << i;
		swizzle = (swizzle & ~(3u << 2 * i)) | n << 2 * i;
	}
	md_put(in->bits, ld_mask, mask);
	if (!(in->op->props & MD_P_PLAIN))
		md_put(in->bits, ld_swizzle, swizzle);
	return true;
}

/* The swizzle over the components in a store's mask. */
void md_write_stored(const struct isa_operand *o, const struct isa_insn *in, struct isa_text *text)
{
	unsigned int swizzle = md_get(in->bits, ld_swizzle);

	isa_puts(text, swizzle == 0xe4 ? "" : ".");
	for (unsigned int i = 0; i < 4 && swizzle != 0xe4; i++)
		if (md_get(in->bits, ld_mask) >> i & 1)
			isa_putc(text, md_components[swizzle >> 2 * i & 3]);
}

bool md_read_stored(const struct isa_operand *o, struct isa_insn *in, struct isa_cursor *c)
{
	unsigned int n = 0, swizzle = 0, last = 0;

	if (!isa_literal(c, "."))
		return true;
	/* GUESS(md-text-count): as many components as there are letters, from x on. */
	for (; n < 4 && md_component(c->at, c->end, 4) < 4; n++, c->at++)
		swizzle |= (last = md_component(c->at, c->end, 4)) << 2 * n;
	for (unsigned int i = n; i < 4; i++)
		swizzle |= last << 2 * i;
	md_put(in->bits, ld_swizzle, n ? swizzle : 0xe4);
	md_put(in->bits, ld_mask, (1u << n) - 1);
	return true;
}

/* --- Textures -------------------------------------------------------------------- */

/* A level or bias without its sign, which the text before it has said: 8 bits and as many of a fraction. */
void md_write_fixed(const struct isa_operand *o, const struct isa_insn *in, struct isa_text *text)
{
	isa_printf(text, "%f", fabs((int16_t)isa_operand_get(o, in->bits) / 256.0));
}

bool md_read_fixed(const struct isa_operand *o, struct isa_insn *in, struct isa_cursor *c)
{
	bool minus = isa_operand_get(o, in->bits) >> 15;
	char number[24] = "", *end;
	size_t n = 0;
	long v;

	for (; c->at + n < c->end && n < sizeof(number) - 1 && (isa_is(c->at[n], ISA_DIGIT) || c->at[n] == '.'); n++)
		number[n] = c->at[n];
	v = lrint(fmin(strtod(number, &end), 255) * 256);
	if (!n || *end)
		return isa_expect(c, "expected a number or a register");
	c->at += n;
	isa_operand_put(o, in->bits, (uint32_t)(minus ? -v : v));
	return true;
}

/* A barrier's word is all 0 but for its kind and the two bits of exec. */
void md_write_barrier(const struct isa_operand *o, const struct isa_insn *in, struct isa_text *text)
{
}

bool md_read_barrier(const struct isa_operand *o, struct isa_insn *in, struct isa_cursor *c)
{
	*in->bits = (struct isa_bits){ { 0 } };
	md_put(in->bits, tex_tag, MD_TEX_BARRIER);
	md_put(in->bits, tex_op, in->op->match[0].value);
	md_put(in->bits, tex_exec, 3);
	return true;
}
