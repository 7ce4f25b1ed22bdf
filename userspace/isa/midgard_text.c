// SPDX-License-Identifier: MIT
/*
 * Midgard: operands as text, as Mesa's disassembler writes them: what all units
 * share, and branches. Branches that meet a bundle name it by a label.
 */
#include "isa/midgard_text.h"

const char md_components[17] = "xyzwefghijklmnop";

const char *const md_tags[16] = {
	"invalid", "break", "tex/vt", "tex", "tex/bar", "ldst", "unk1", "unk2",
	"alu/4", "alu/8", "alu/12", "alu/16", "aluw/4", "aluw/8", "aluw/12", "aluw/16",
};

int md_component(char ch)
{
	const char *p = ch ? strchr(md_components, ch) : NULL;

	return p ? p - md_components : -1;
}

bool md_read_component(struct isa_cursor *c, unsigned int count, unsigned int *comp)
{
	*comp = c->end - c->at >= 2 && *c->at == '.' ? (unsigned int)md_component(c->at[1]) : count;
	if (*comp >= count)
		return isa_expect(c, "expected a component: .x to .%c", md_components[count - 1]);
	c->at += 2;
	return true;
}

bool md_uint(struct isa_cursor *c, unsigned int max, unsigned int *v)
{
	int64_t n;

	if (!isa_number(c, 0, max, &n))
		return false;
	*v = n;
	return true;
}

uint32_t md_at(const struct isa_operand *o, const struct isa_bits *bits, unsigned int i)
{
	return isa_get(bits, o->at[i].lo, o->at[i].width);
}

void md_put_at(const struct isa_operand *o, struct isa_bits *bits, unsigned int i, uint32_t v)
{
	isa_put(bits, o->at[i].lo, o->at[i].width, v);
}

/* The code of an op without a name. */
void md_write_code(const struct isa_operand *o, const struct isa_insn *in, struct isa_text *text)
{
	isa_printf(text, "%02X", md_at(o, in->bits, 0));
}

/* Up to count digits. */
static bool read_hex(struct isa_cursor *c, unsigned int count, unsigned int *v)
{
	static const char digits[] = "0123456789ABCDEF";
	const char *p, *end = c->end - c->at > (int)count ? c->at + count : c->end, *start = c->at;

	for (*v = 0; c->at < end && *c->at && (p = strchr(digits, *c->at)); c->at++)
		*v = *v << 4 | (unsigned int)(p - digits);
	return c->at > start;
}

bool md_read_code(const struct isa_operand *o, struct isa_insn *in, struct isa_cursor *c)
{
	unsigned int v;

	if (!read_hex(c, 2, &v) || v >> o->at[0].width)
		return isa_expect(c, "expected the op's code, two hexadecimal digits");
	md_put_at(o, in->bits, 0, v);
	return true;
}

/* The condition of an extended branch: a look-up table, or two bits of it that are repeated. */
void md_write_lut(const struct isa_operand *o, const struct isa_insn *in, struct isa_text *text)
{
	unsigned int lut = md_at(o, in->bits, 0);

	if (lut == (lut & 3) * 0x5555)
		isa_puts(text, o->names[lut & 3]);
	else
		isa_printf(text, "lut%X", lut);
}

bool md_read_lut(const struct isa_operand *o, struct isa_insn *in, struct isa_cursor *c)
{
	unsigned int lut = 0;

	if (isa_literal(c, "lut")) {
		if (!read_hex(c, 4, &lut))
			return isa_expect(c, "expected a look-up table of four hexadecimal digits");
		md_put_at(o, in->bits, 0, lut);
		return true;
	}
	while (lut < 4 && !isa_literal(c, o->names[lut]))
		lut++;
	md_put_at(o, in->bits, 0, lut * 0x5555);
	return lut < 4 || isa_expect(c, "expected write0, false, true, always or a look-up table");
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
	isa_printf(text, " -> %s", md_tags[md_at(o, in->bits, 1)]);
}

static bool read_tag(struct isa_cursor *c, unsigned int *tag)
{
	/* Longer names come first where one begins like another. */
	for (*tag = 16; (*tag)--; ) {
		size_t n = strlen(md_tags[*tag]);

		if ((size_t)(c->end - c->at) < n || memcmp(c->at, md_tags[*tag], n))
			continue;
		if (c->at + n < c->end && (c->at[n] == '/' || isa_is(c->at[n], ISA_DIGIT)))
			continue;
		c->at += n;
		return true;
	}
	return isa_expect(c, "expected the kind of bundle that is jumped to: alu/4, ldst, tex, break, ...");
}

bool md_read_target(const struct isa_operand *o, struct isa_insn *in, struct isa_cursor *c)
{
	struct md_place_in *at = in->ctx;
	int64_t n, reach = 1ll << (o->at[0].width - 1);
	unsigned int tag;

	if (c->at < c->end && *c->at != '+' && *c->at != '-' && !isa_is(*c->at, ISA_DIGIT)) {
		at->target = c->at;
		at->target_length = isa_word_length(c);
		c->at += at->target_length;
		if (!at->target_length)
			return isa_expect(c, "expected a label, or a distance such as +2");
	} else {
		isa_literal(c, "+");
		if (!isa_number(c, -reach, reach - 1, &n))
			return false;
		md_put_at(o, in->bits, 0, (uint32_t)n);
	}
	isa_blanks(c);
	if (!isa_literal(c, "->")) {
		at->bare = true;
		return at->target || isa_expect(c, "expected '->' and the kind of bundle there");
	}
	isa_blanks(c);
	if (!read_tag(c, &tag))
		return false;
	md_put_at(o, in->bits, 1, tag);
	return true;
}
