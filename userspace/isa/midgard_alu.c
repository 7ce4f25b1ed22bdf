// SPDX-License-Identifier: MIT
/*
 * Midgard: the arithmetic units' operands, and as text, after Mesa's disassemble.c
 * and midgard_print_constant.c. What that text leaves open (components that are
 * not written, which of two equal constants) is read back as Mesa's compiler
 * would have it; the disassembler adds "set" for the rest.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "isa/half.h"
#include "isa/midgard.h"

/* Modifiers of floats and of integers: of a source, and whether it is of full size; of a result, the same. */
static const char *const mods[2][8] = {
	{ ".widen", ".abs.widen", ".neg.widen", ".abs.neg.widen", "", ".abs", ".neg", ".abs.neg" },
	{ ".sext", ".zext", ".replicate", ".lshift", "", "", "", "" },
};
static const char *const outmods[2][8] = {
	{ ".shrink", ".shrink.clamp_0_inf", ".shrink.clamp_m1_1", ".shrink.clamp_0_1", "", ".clamp_0_inf", ".clamp_m1_1", ".clamp_0_1" },
	{ ".ssat", ".usat", ".keeplo", ".keephi", ".ssat", ".usat", "", ".keephi" },
};

#define FULL 4	/* of the modifiers' numbers */

/* --- Sources as encoded --------------------------------------------------------------- */

/*
 * Element numbers, in quarters of a register, at which the two halves of a swizzle begin, by expand mode
 * (Mesa print_vec_swizzle()). A quarter is of elements of a lane's size, or of half of it when they are widened.
 */
static const uint8_t half_starts[2][8] = { { 0, 0, 2, 2, 0, 2, 1, 3 }, { 2, 0, 2, 0, 1, 3, 0, 2 } };

static void set_elements(unsigned int mode, unsigned int expand, unsigned int swizzle, struct md_source *s)
{
	bool widens = expand >= 4 && mode;
	unsigned int quarter;

	s->bits = (8u << mode) >> widens;
	quarter = 32 / s->bits;
	for (unsigned int i = 0; i < 16u >> mode; i++) {
		unsigned int slot = mode ? i & 3 : i / 2 & 3, start = half_starts[mode < 2 && i >= 8u >> mode][expand] * quarter;
		unsigned int sel = swizzle >> 2 * slot & 3;

		if (mode < 3)
			s->element[i] = (start + (mode ? sel : 2 * sel + i % 2)) & 15;
		else if (!widens)
			s->element[i] = swizzle >> 4 * i & 15;
		else	/* A pair of selectors for each lane, 0 and 1 or 2 and 3 (Mesa mir_pack_swizzle_64()). */
			s->element[i] = (expand & 1 ? 2 : 0) + (swizzle >> (4 * i + 1) & 1);
	}
}

/* Places of a source: register, modifier, and expand mode and swizzle, or whether it is full and component. */
void md_source_of(const struct isa_bits *block, const struct isa_op *op, bool second, struct md_source *s)
{
	const struct isa_operand *o = isa_operand_of(&isa_midgard, op, second ? 'B' : 'A');
	bool full = isa_get_at(o, block, 2);

	s->reg = isa_get_at(o, block, 0);
	s->mod = isa_get_at(o, block, 1);
	s->immediate = second && md_get(block, vec_imm);
	s->value = isa_operand_get(isa_operand_of(&isa_midgard, op, '#'), block);
	s->bits = full ? 32 : 16;
	s->element[0] = isa_get_at(o, block, 3) >> full;
	if (op->unit == MD_U_VECTOR)
		set_elements(md_get(block, vec_mode), isa_get_at(o, block, 2), isa_get_at(o, block, 3), s);
}

/* Components that count, a bit each. */
static unsigned int source_components(const struct isa_bits *b, const struct isa_op *op)
{
	unsigned int n = MD_CHANNELS_OF(op->props), mode = md_get(b, vec_mode), v = 0;

	for (unsigned int i = 0; i < 16u >> mode; i++)
		v |= (n ? i < n : md_get(b, vec_mask) >> (i << mode) / 2 & 1) << i;
	return v;
}

/*
 * The swizzle, of that expand mode, with which each component takes an element of those allowed (a bit each).
 * Selectors that no component uses are like the one before, or the first one, as Mesa's compiler leaves them.
 */
static bool find_swizzle(unsigned int mode, unsigned int expand, const uint16_t allowed[16], unsigned int components,
			 unsigned int *swizzle)
{
	unsigned int step = mode == 3 ? 4 : 2, mask = (1u << step) - 1, v = 0, last = 0, pick = 0;
	bool seen = false;
	struct md_source s;

	for (unsigned int slot = 0; slot < 8 / step; slot++) {
		bool used = false, good = false;

		/* The two pairs that Mesa's compiler has come first, then all. */
		for (unsigned int sel = 0; sel < mask + 3 && !good; sel++) {
			pick = step == 2 ? sel & 3 : sel < 2 ? (sel ? 14 : 4) : sel - 2;
			v = (v & ~(mask << step * slot)) | pick << step * slot;
			set_elements(mode, expand, v, &s);
			good = true;
			for (unsigned int i = 0; i < 16u >> mode; i++) {
				if (!(components >> i & 1) || (mode ? i & 3 : i / 2 & 3) != slot)
					continue;
				used = true;
				good &= allowed[i] >> s.element[i] & 1;
			}
		}
		if (!good)
			return false;
		last = used ? pick : last;
		for (unsigned int k = used && !seen ? 0 : slot; k <= slot; k++)
			v = (v & ~(mask << step * k)) | last << step * k;
		seen |= used;
	}
	*swizzle = seen ? v : 0xe4;
	return true;
}

/* --- Letters ---------------------------------------------------------------------------- */

/* Two of 32 bits as one of 64: a capital letter, or both in brackets. */
#define PAIR_X 4
#define PAIR_Y 14

static void write_letters(struct isa_text *text, unsigned int mode, const struct md_source *s, unsigned int components)
{
	for (unsigned int i = 0; i < 16u >> mode; i++) {
		unsigned int e = s->element[i];

		if (!(components >> i & 1))
			continue;
		if (s->bits < 64)
			isa_putc(text, md_components[e]);
		else if (e == PAIR_X || e == PAIR_Y)
			isa_putc(text, e == PAIR_X ? 'X' : 'Y');
		else
			isa_printf(text, "[%c%c]", md_components[e & 3], md_components[e >> 2]);
	}
}

/* One element's letters; 16 and more: none. */
static unsigned int read_element(struct isa_cursor *c, bool pair)
{
	unsigned int low, high;

	if (!pair)
		return isa_letter(c, md_components, 16, &low) ? low : 16;
	if (isa_literal(c, "X"))
		return PAIR_X;
	if (isa_literal(c, "Y"))
		return PAIR_Y;
	return isa_literal(c, "[") && isa_letter(c, md_components, 4, &low) && isa_letter(c, md_components, 4, &high) &&
	       isa_literal(c, "]") ? low | high << 2 : 16;
}

/* How many characters of letters follow the '.'; -1: there is none, or it is a modifier's. */
static int letters_at(const struct isa_cursor *c)
{
	int n = 0, left = c->end - c->at;

	if (!left || *c->at != '.')
		return -1;
	while (1 + n < left && ((c->at[1 + n] >= 'a' && c->at[1 + n] <= 'z') || strchr("[]XY", c->at[1 + n]))) {
		if (!strchr("xyzwefghijklmnopXY[]", c->at[1 + n]))
			return -1;
		n++;
	}
	return (n == 1 && c->at[1] == 'x' && left > 2 && c->at[2] == '2') || (n == 3 && !memcmp(c->at + 1, "neg", 3)) ||
	       (n == 6 && !memcmp(c->at + 1, "keep", 4)) ? -1 : n;
}

/* The swizzle that these letters, to the cursor's end, are with that expand mode. */
static bool read_letters(struct isa_cursor c, unsigned int mode, unsigned int expand, unsigned int components,
			 unsigned int *swizzle)
{
	uint16_t allowed[16] = { 0 };

	for (unsigned int i = 0; i < 16u >> mode; i++) {
		unsigned int e = components >> i & 1 ? read_element(&c, mode == 3 && expand < 4) : 0;

		if (e > 15)
			return false;
		allowed[i] = 1u << e;
	}
	return c.at == c.end && find_swizzle(mode, expand, allowed, components, swizzle);
}

static bool read_component(struct isa_cursor *c, unsigned int *comp)
{
	const char *at = c->at;

	return (isa_literal(c, ".") && isa_letter(c, md_components, 8, comp)) ||
	       isa_expect_at(c, at, "expected a component: .x to .h");
}

/* --- Registers and modifiers ---------------------------------------------------------------- */

static void write_reg(struct md_place_in *at, struct isa_text *text, unsigned int reg, bool dest)
{
	static const char *const names[8] = { "TMP0", "TMP1", "AL0", "AL1", "TA0", "TA1", "R30", "PC_SP" };
	static const char *const written[4] = { "AT0", "AT1", "R30", "R31" };

	if (dest && reg < 16)
		at->written |= 1 << reg;
	if (reg >= 24)
		isa_puts(text, dest && reg >= 28 ? written[reg - 28] : names[reg - 24]);
	else if (reg >= 16 || (reg >= 8 && !(at->written >> reg & 1)))
		isa_printf(text, "U%u", 23 - reg);
	else
		isa_printf(text, "R%u", reg);
}

static bool read_reg(const struct isa_operand *o, struct isa_bits *bits, struct isa_cursor *c)
{
	static const struct { const char *name; uint8_t reg, more; } names[] = {
		{ "TMP", 24, 1 }, { "AL", 26, 1 }, { "TA", 28, 1 }, { "AT", 28, 1 }, { "R", 0, 31 }, { "U", 23, 15 },
	};
	bool there = isa_literal(c, "PC_SP");
	int64_t n = 31;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]) && !there; i++) {
		there = isa_literal(c, names[i].name);
		if (there && !isa_number(c, 0, names[i].more, &n))
			return false;
		n = names[i].more == 15 ? 23 - n : names[i].reg + n;
	}
	isa_put_at(o, bits, 0, (uint32_t)n);
	return there || isa_expect(c, "expected a register");
}

static bool in_int(const struct isa_insn *in)
{
	return in->op->props & MD_P_IN_INT;
}

static bool out_int(const struct isa_insn *in)
{
	return in->op->props & MD_P_OUT_INT;
}

/* The number of the longest of eight names, one of which is empty, that is at the cursor; of those alike the first. */
static unsigned int read_modifier(struct isa_cursor *c, const char *const names[8])
{
	unsigned int best = 8;

	for (unsigned int i = 0; i < 8; i++) {
		size_t n = strlen(names[i]);

		if ((size_t)(c->end - c->at) >= n && !memcmp(c->at, names[i], n) && (best == 8 || n > strlen(names[best])))
			best = i;
	}
	c->at += strlen(names[best]);
	return best;
}

/* --- Constants -------------------------------------------------------------------------------- */

/* An element of the bundle's constants as the op shows it. False: it cannot be shown. */
static bool constant_text(const struct isa_op *op, const uint32_t w[4], const struct md_source *s, unsigned int e,
			  bool widens, char to[32])
{
	bool hex = op->props & MD_P_HEX, plain = hex || op->props & MD_P_UNSIGNED;
	unsigned int bits = s->bits, bytes = bits / 8;
	uint64_t v = 0;
	double d;
	float f;

	if (bits == 64 && e != PAIR_X && e != PAIR_Y)
		return false;
	memcpy(&v, (const char *)w + (bits == 64 ? (e == PAIR_Y) * 8 : e * bytes % 16), bytes);
	memcpy(&f, &v, 4);
	memcpy(&d, &v, 8);
	if (bits == 8) {
		snprintf(to, 32, "0x%" PRIX64, v);
	} else if (!(op->props & MD_P_IN_INT)) {
		d = bits == 16 ? half_to_float(v) : bits == 32 ? f : d;
		d = s->mod & 1 ? fabs(d) : d;
		snprintf(to, 32, "%g", s->mod & 2 ? -d : d);
	} else {
		if (widens && s->mod == 3)
			v <<= bits;
		else if (!plain && !(widens && s->mod == 1) && bits < 64)
			v = (uint64_t)isa_signed(v, bits);
		/* Mesa holds shifted 16-bit values in 32 bits and shows those as signed. */
		if (!plain && widens && s->mod == 3 && bits == 16)
			v = (uint64_t)(int64_t)(int32_t)v;
		snprintf(to, 32, hex ? "0x%" PRIX64 : plain ? "%" PRIu64 : "%" PRId64, v);
	}
	return true;
}

/* Does a mask say the same for all 16-bit parts of a component? */
static bool plain_mask(const struct isa_bits *b)
{
	unsigned int mode = md_get(b, vec_mode), step = mode ? 1u << (mode - 1) : 1, mask = md_get(b, vec_mask);

	for (unsigned int i = 0; i < 8; i++)
		if ((mask >> i & 1) != (mask >> i / step * step & 1))
			return false;
	return true;
}

static bool is_vector(const struct isa_insn *in)
{
	return in->op->unit == MD_U_VECTOR;
}

static unsigned int components_of(const struct isa_insn *in)
{
	return is_vector(in) ? source_components(in->bits, in->op) : 1;
}

/* "#value" or "<value, ...>". False: these are shown as a register, because values would not say all. */
static bool write_constants(const struct isa_insn *in, const struct md_source *s, bool widens, struct isa_text *text)
{
	unsigned int components = components_of(in);
	const uint32_t *w = ((struct md_place_in *)in->ctx)->constants;
	const char *before = components & (components - 1) ? "<" : "#";
	char item[16][32];

	if (!components || !w || (is_vector(in) && !plain_mask(in->bits)))
		return false;
	for (unsigned int i = 0; i < 16; i++)
		if (components >> i & 1 && !constant_text(in->op, w, s, s->element[i], widens, item[i]))
			return false;
	for (unsigned int i = 0; i < 16; i++) {
		if (!(components >> i & 1))
			continue;
		isa_printf(text, "%s%s", before, item[i]);
		before = ", ";
	}
	isa_puts(text, components & (components - 1) ? ">" : "");
	return true;
}

/* Can the source, of its size and modifier, show the constants at the cursor? Puts how into its places. */
static bool fit_constants(const struct isa_operand *o, struct isa_insn *in, const struct md_source *s, unsigned int expand,
			  struct isa_cursor *cursor)
{
	const uint32_t *w = ((struct md_place_in *)in->ctx)->constants;
	unsigned int components = components_of(in), mode = is_vector(in) ? md_get(in->bits, vec_mode) : 2, swizzle = 0;
	struct isa_cursor c = *cursor;
	bool list = *c.at == '<';
	uint16_t allowed[16] = { 0 };
	char have[32];

	for (unsigned int i = 0, more = components; i < 16; i++) {
		size_t n = 0;

		if (!(components >> i & 1))
			continue;
		c.at++;		/* '#', '<' or ',' */
		isa_blanks(&c);
		while (c.at + n < c.end && !strchr(list ? ",> \t" : ", \t#", c.at[n]))
			n++;
		for (unsigned int e = 0; e < (s->bits == 64 ? 16 : 128u / s->bits); e++)
			if (constant_text(in->op, w, s, e, is_vector(in) && expand >= 4, have) && strlen(have) == n && !memcmp(have, c.at, n))
				allowed[i] |= 1u << e;
		c.at += n;
		isa_blanks(&c);
		more &= more - 1;
		if (!allowed[i] || (list && (c.at >= c.end || *c.at != (more ? ',' : '>'))) || (!list && more))
			return false;
	}
	if (!is_vector(in)) {
		expand = s->bits == 32;
		swizzle = (unsigned int)__builtin_ctz(allowed[0]) << expand;
	} else if (!find_swizzle(mode, expand, allowed, components, &swizzle)) {
		return false;
	}
	isa_put_at(o, in->bits, 1, s->mod);
	isa_put_at(o, in->bits, 2, expand);
	isa_put_at(o, in->bits, 3, swizzle);
	cursor->at = c.at + list;
	return components;
}

static bool read_constants(const struct isa_operand *o, struct isa_insn *in, struct isa_cursor *c)
{
	/* What Mesa's compiler uses comes first. */
	static const uint8_t order[4][8] = {
		{ 0, 1, 2, 3, 4, 5, 6, 7 }, { 1, 2, 0, 3, 4, 5, 6, 7 }, { 0, 4, 5, 1, 2, 3, 6, 7 }, { 0, 4, 5, 1, 2, 3, 6, 7 },
	};
	unsigned int mode = is_vector(in) ? md_get(in->bits, vec_mode) : 0;
	bool have = ((struct md_place_in *)in->ctx)->constants;
	struct md_source s = { 0 };

	isa_put_at(o, in->bits, 0, MD_CONSTANTS);
	for (unsigned int i = 0; have && i < (is_vector(in) ? 8 : 2); i++) {
		s.bits = i ? 16 : 32;
		if (is_vector(in))
			set_elements(mode, order[mode][i], 0, &s);
		for (s.mod = 0; s.mod < 4; s.mod++)
			if (fit_constants(o, in, &s, is_vector(in) ? order[mode][i] : 0, c))
				return true;
	}
	return isa_expect(c, have ? "the bundle's uconstants have no such value" :
				    "the bundle has no 'uconstants' to take values from");
}

/* An inline constant, of 16 bits. */
void md_write_immediate(const struct isa_operand *o, const struct isa_insn *in, struct isa_text *text)
{
	uint16_t v = isa_operand_get(o, in->bits);

	if (in_int(in))
		isa_printf(text, "#%u", v);
	else
		isa_printf(text, "#%g", half_to_float(v));
}

/* False, with the cursor where it was and no message: not a number that fits 16 bits. */
bool md_read_immediate(const struct isa_operand *o, struct isa_insn *in, struct isa_cursor *c)
{
	char number[32] = "", shown[32], *end;
	size_t n = 0;
	uint16_t v;

	for (; c->at + 1 + n < c->end && n < sizeof(number) - 1 && !strchr(", \t#", c->at[1 + n]); n++)
		number[n] = c->at[1 + n];
	if (in_int(in)) {
		long l = strtol(number, &end, 0);

		v = l;
		if (l < INT16_MIN || l > UINT16_MAX)
			return false;
	} else {
		float f = strtof(number, &end);

		v = half_from_float(f);
		/* Mesa shows six digits: what they round to will do. */
		snprintf(shown, sizeof(shown), "%g", half_to_float(v));
		if (f == f && half_to_float(v) != f && strcmp(shown, number))
			return false;
	}
	if (!n || *end)
		return false;
	isa_operand_put(o, in->bits, v);
	md_put(in->bits, vec_imm, 1);
	c->at += 1 + n;
	return true;
}

/* --- Sources ------------------------------------------------------------------------------------ */

static bool doubled(const struct isa_operand *o, const struct isa_insn *in)
{
	return o->letter == 'A' && in->op->props & MD_P_X2;
}

void md_write_source(const struct isa_operand *o, const struct isa_insn *in, struct isa_text *text)
{
	struct md_source s;
	bool widens;

	md_source_of(in->bits, in->op, o->letter == 'B', &s);
	if (s.immediate) {
		isa_operand_write(isa_operand_of(in->isa, in->op, '#'), in, text);
		return;
	}
	widens = is_vector(in) ? isa_get_at(o, in->bits, 2) >= 4 : s.bits == 16;
	if (s.reg == MD_CONSTANTS && write_constants(in, &s, widens && is_vector(in), text))
		return;
	write_reg(in->ctx, text, s.reg, false);
	if (!is_vector(in)) {
		isa_printf(text, ".%c", md_components[s.element[0]]);
	} else if (isa_get_at(o, in->bits, 2) || isa_get_at(o, in->bits, 3) != 0xe4) {
		isa_putc(text, '.');
		write_letters(text, md_get(in->bits, vec_mode), &s, components_of(in));
	}
	isa_printf(text, "%s%s", doubled(o, in) ? ".x2" : "", mods[in_int(in)][s.mod | (widens ? 0 : FULL)]);
}

/* How a vector's letters, or none, are had: expand mode and swizzle. */
static bool fit_letters(const struct isa_insn *in, const struct isa_cursor *letters, bool widens, unsigned int *expand,
			unsigned int *swizzle)
{
	/* What Mesa's compiler uses comes first; passthrough with its own letters would not show them. */
	static const uint8_t order[3][4] = { { 0, 1, 2, 3 }, { 1, 2, 0, 3 }, { 4, 5, 6, 7 } };
	unsigned int mode = md_get(in->bits, vec_mode);

	*expand = widens ? 4 : 0;
	*swizzle = 0xe4;
	if (!letters->at)
		return true;
	for (unsigned int i = 0; i < 4; i++) {
		*expand = order[widens ? 2 : mode < 2][i];
		if (read_letters(*letters, mode, *expand, components_of(in), swizzle))
			return true;
	}
	return false;
}

/* What follows the register. */
static bool read_part(const struct isa_operand *o, struct isa_insn *in, struct isa_cursor *c)
{
	unsigned int comp = 0, expand = 0, swizzle = 0, mod;
	struct isa_cursor letters = { 0 };
	int n;

	if (!is_vector(in)) {
		if (!read_component(c, &comp))
			return false;
	} else if ((n = letters_at(c)) >= 0) {
		letters = (struct isa_cursor){ .at = c->at + 1, .end = c->at + 1 + n, .quiet = true };
		c->at = letters.end;
	}
	if (doubled(o, in) && !isa_literal(c, ".x2"))
		return isa_expect(c, "expected '.x2'");
	mod = read_modifier(c, mods[in_int(in)]);
	if (is_vector(in) && !fit_letters(in, &letters, mod < FULL, &expand, &swizzle))
		return isa_expect_at(c, letters.at, "these components do not go with the width and the write mask");
	if (!is_vector(in) && mod >= FULL && comp > 3)
		return isa_expect(c, "a 32-bit register has four components");
	isa_put_at(o, in->bits, 1, mod);
	isa_put_at(o, in->bits, 2, is_vector(in) ? expand : mod / FULL);
	isa_put_at(o, in->bits, 3, is_vector(in) ? swizzle : comp << mod / FULL);
	return true;
}

bool md_read_source(const struct isa_operand *o, struct isa_insn *in, struct isa_cursor *c)
{
	bool constant = c->at < c->end && (*c->at == '#' || (*c->at == '<' && is_vector(in)));
	struct isa_cursor probe = *c;

	/* Bit masks are shown in hexadecimal where they are constants of the bundle, in decimal inline. */
	probe.quiet = true;
	if (constant && in->op->props & MD_P_HEX && isa_literal(&probe, "#0x") && (probe.at = c->at, read_constants(o, in, &probe))) {
		c->at = probe.at;
		return true;
	}
	if (constant && *c->at == '#' && o->letter == 'B' && isa_operand_read(isa_operand_of(in->isa, in->op, '#'), in, c))
		return true;
	return constant ? read_constants(o, in, c) : read_reg(o, in->bits, c) && read_part(o, in, c);
}

/* --- Results --------------------------------------------------------------------------------------- */

/* 16 bits of the mask for each letter; two letters for them when lanes are of 8. A result in the upper half has letters from there on. */
void md_write_vector_dest(const struct isa_operand *o, const struct isa_insn *in, struct isa_text *text)
{
	unsigned int mode = md_get(in->bits, vec_mode), mask = md_get(in->bits, vec_mask), shrink = md_get(in->bits, vec_shrink);
	unsigned int first = shrink == 1 && mode ? 16u >> mode : 0;

	write_reg(in->ctx, text, isa_get_at(o, in->bits, 0), true);
	isa_puts(text, shrink < 2 || mask != 0xff ? "." : "");
	for (unsigned int i = 0; i < 16u >> mode && (shrink < 2 || mask != 0xff); i++)
		if (mask >> (i << mode) / 2 & 1)
			isa_putc(text, md_components[first + i]);
	isa_puts(text, outmods[out_int(in)][isa_get_at(o, in->bits, 1) | (shrink == 2 ? FULL : 0)]);
}

bool md_read_vector_dest(const struct isa_operand *o, struct isa_insn *in, struct isa_cursor *c)
{
	unsigned int mode = md_get(in->bits, vec_mode), count = 16u >> mode, step = mode ? 1u << (mode - 1) : 1;
	unsigned int mask = 0, outmod, k = 0;
	const char *at;
	bool upper = false;
	int n;

	if (!read_reg(o, in->bits, c))
		return false;
	n = letters_at(c);
	at = c->at;
	c->at += n >= 0;
	for (int i = 1; i <= n; i++) {
		if (!isa_letter(c, md_components, 16, &k))
			return isa_expect_at(c, at, "a component that this width does not have");
		/* All letters are of one half: of the lower, or of what a shrunk result may go to. */
		upper |= mode && i == 1 && k >= count;
		k -= upper ? count : 0;
		if (k >= count)
			return isa_expect_at(c, at, "a component that this width does not have");
		mask |= ((1u << step) - 1) << (k << mode) / 2;
	}
	outmod = read_modifier(c, outmods[out_int(in)]);
	md_put(in->bits, vec_mask, n < 0 ? 0xff : mask);
	isa_put_at(o, in->bits, 1, outmod);
	md_put(in->bits, vec_shrink, upper ? 1 : outmod < FULL ? 0 : 2);
	return true;
}

void md_write_scalar_dest(const struct isa_operand *o, const struct isa_insn *in, struct isa_text *text)
{
	unsigned int full = md_get(in->bits, sca_out_full);

	write_reg(in->ctx, text, isa_get_at(o, in->bits, 0), true);
	isa_printf(text, ".%c%s", md_components[md_get(in->bits, sca_out_comp) >> full],
		   outmods[out_int(in)][isa_get_at(o, in->bits, 1) | full * FULL]);
}

bool md_read_scalar_dest(const struct isa_operand *o, struct isa_insn *in, struct isa_cursor *c)
{
	unsigned int comp, outmod;
	bool full;

	if (!read_reg(o, in->bits, c) || !read_component(c, &comp))
		return false;
	outmod = read_modifier(c, outmods[out_int(in)]);
	full = outmod >= FULL && comp < 4;
	isa_put_at(o, in->bits, 1, outmod);
	md_put(in->bits, sca_out_full, full);
	md_put(in->bits, sca_out_comp, comp << full);
	return true;
}
