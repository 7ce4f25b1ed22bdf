// SPDX-License-Identifier: MIT
/*
 * Midgard: the arithmetic units' operands as text, after Mesa's disassemble.c
 * and midgard_print_constant.c. What that text leaves open (components that are
 * not written, which of two equal constants) is read back as Mesa's compiler
 * would have it; the disassembler adds "set" for the rest.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/half.h"
#include "isa/midgard_text.h"

#define CONSTANTS	26
#define ISHLADD		0x41
#define ISHLSUB		0x47

static const char *const int_outmods[4] = { "ssat", "usat", "keeplo", "keephi" };
static const char *const int_mods[4] = { "sext", "zext", "replicate", "lshift" };

/* --- Registers ------------------------------------------------------------------ */

static void write_reg(struct md_place_in *in, struct isa_text *text, unsigned int reg, bool dest)
{
	static const char *const read[8] = { "TMP0", "TMP1", "AL0", "AL1", "TA0", "TA1", "R30", "PC_SP" };
	static const char *const written[8] = { "TMP0", "TMP1", "AL0", "AL1", "AT0", "AT1", "R30", "R31" };

	if (dest && reg < 16)
		in->written |= 1 << reg;
	if (reg >= 24)
		isa_puts(text, (dest ? written : read)[reg - 24]);
	else if (reg >= 16 || (reg >= 8 && !(in->written >> reg & 1)))
		isa_printf(text, "U%u", 23 - reg);
	else
		isa_printf(text, "R%u", reg);
}

static bool read_reg(struct isa_cursor *c, unsigned int *reg)
{
	static const struct { const char *name; uint8_t reg; } names[] = {
		{ "TMP0", 24 }, { "TMP1", 25 }, { "AL0", 26 }, { "AL1", 27 }, { "TA0", 28 }, { "TA1", 29 },
		{ "AT0", 28 }, { "AT1", 29 }, { "PC_SP", 31 },
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (isa_literal(c, names[i].name)) {
			*reg = names[i].reg;
			return true;
		}
	}
	if (isa_literal(c, "U")) {
		if (!md_uint(c, 15, reg))
			return false;
		*reg = 23 - *reg;
		return true;
	}
	if (isa_literal(c, "R"))
		return md_uint(c, 31, reg);
	return isa_expect(c, "expected a register");
}

/* --- Modifiers ------------------------------------------------------------------- */

static void write_mods(struct isa_text *text, unsigned int mod, bool integer, bool expands)
{
	if (integer && expands)
		isa_printf(text, ".%s", int_mods[mod]);
	else if (!integer)
		isa_printf(text, "%s%s%s", mod & 1 ? ".abs" : "", mod & 2 ? ".neg" : "", expands ? ".widen" : "");
}

/* *expands: the source is half as wide as the lanes. */
static unsigned int read_mods(struct isa_cursor *c, bool integer, bool *expands)
{
	static const char *const abs[1] = { "abs" }, *const neg[1] = { "neg" }, *const widen[1] = { "widen" };
	unsigned int v;

	if (integer) {
		v = md_suffix(c, int_mods, 4);
		*expands = v < 4;
		return v & 3;
	}
	v = md_suffix(c, abs, 1) == 0 ? 1 : 0;
	v |= md_suffix(c, neg, 1) == 0 ? 2 : 0;
	*expands = md_suffix(c, widen, 1) == 0;
	return v;
}

static void write_outmod(struct isa_text *text, unsigned int outmod, bool integer, bool half)
{
	if (!integer && half)
		isa_puts(text, ".shrink");
	if (integer ? half || outmod != 2 : outmod)
		isa_printf(text, ".%s", (integer ? int_outmods : md_float_outmods)[outmod]);
}

/* *half: the text says that the result is halved. */
static unsigned int read_outmod(struct isa_cursor *c, bool integer, bool *half)
{
	static const char *const shrink[1] = { "shrink" };
	unsigned int v;

	*half = !integer && md_suffix(c, shrink, 1) == 0;
	v = md_suffix(c, integer ? int_outmods : md_float_outmods, 4);
	*half |= integer && v < 4;
	return v < 4 ? v : integer ? 2 : 0;
}

/* Ops that read more components than they write (Mesa's OP_CHANNEL_COUNT). */
static unsigned int channels(unsigned int op)
{
	if (op == 0x3c || op == 0x3d)
		return 3;
	return op == 0x3e || (op >= 0x88 && op <= 0x93) || (op >= 0xa8 && op <= 0xb5) ? 4 : 0;
}

/* Which components of the sources count, as a mask field. */
static unsigned int source_mask(const struct isa_bits *b)
{
	unsigned int n = channels(md_get(b, vec_op)), slots = 1u << md_get(b, vec_mode) >> 1, v = 0;

	for (unsigned int i = 0; i < n; i++)
		v |= ((1u << slots) - 1) << i * slots;
	return n ? v & 0xff : md_get(b, vec_mask);
}

/* --- Constants ------------------------------------------------------------------- */

static bool is_unsigned(unsigned int op)
{
	switch (op) {
	case 0x49: case 0x4f: case 0x5a: case 0x61: case 0x63: case 0x65: case 0x67: case 0x6d: case 0x7d:
	case 0xa2: case 0xa3: case 0xaa: case 0xab: case 0xb2: case 0xb3: case 0xbc ... 0xbf:
		return true;
	}
	return false;
}

static void format_float(char out[ISA_EMIT_SLACK], double v, unsigned int mod)
{
	v = mod & 1 ? fabs(v) : v;
	*isa_emit_g(out, mod & 2 ? -v : v) = 0;
}

/* As printf's 0x%X, %u or %d. */
static void format_integer(char out[ISA_EMIT_SLACK], uint64_t v, bool hex, bool plain)
{
	if (hex && v <= UINT32_MAX) {
		*isa_emit_hex(out, v, 1) = 0;
		for (char *p = out + 2; *p; p++)
			*p = *p >= 'a' ? *p - 'a' + 'A' : *p;
	} else if (!hex && plain && v <= UINT32_MAX) {
		*isa_emit_uint(out, v) = 0;
	} else if (!hex && !plain && (int64_t)v == (int32_t)v) {
		*isa_emit_int(out, v) = 0;
	} else {
		snprintf(out, 32, hex ? "0x%" PRIX64 : plain ? "%" PRIu64 : "%" PRId64, v);
	}
}

/* Component c of the constants, of 1 << size bytes, as an op shows it; half: it is widened. */
static void format_constant(char out[ISA_EMIT_SLACK], const uint32_t w[4], unsigned int c, unsigned int size, bool half,
			    unsigned int mod, unsigned int op)
{
	bool hex = op >= 0x70 && op <= 0x7a, plain = is_unsigned(op) || hex;
	const char *bytes = (const char *)w;
	unsigned int bits = 8u << size;
	uint64_t v = 0;
	double d;
	float f;

	memcpy(&v, bytes + ((c << size) & 15), 1u << size);
	if (!size) {
		format_integer(out, v, true, true);
		return;
	}
	if (!md_is_int(op)) {
		memcpy(&f, &v, 4);
		memcpy(&d, &v, 8);
		format_float(out, size == 1 ? half_to_float(v) : size == 2 ? f : d, mod);
		return;
	}
	if (half && mod == 3)
		v <<= bits;
	else if (!plain && !(half && mod == 1) && size < 3)
		v = (uint64_t)((int64_t)(v << (64 - bits)) >> (64 - bits));
	/* Mesa holds shifted 16-bit values in 32 bits and shows those as signed. */
	if (!plain && half && mod == 3 && size == 1)
		v = (uint64_t)(int64_t)(int32_t)v;
	format_integer(out, v, hex, plain);
}

/* Which constant component i of a source takes when its selector there is sel. */
static unsigned int constant_index(unsigned int bits, bool expands, unsigned int expand, unsigned int i,
				   unsigned int sel)
{
	unsigned int upper = bits == 16 ? i >= 4 : i >= 8, half = bits == 16 ? 4 : 8;

	if (expands || bits > 16)
		return sel;
	sel = bits == 8 ? 2 * sel + (i & 1) : sel;
	switch (expand) {
	case 1: return sel;
	case 2: return sel + half;
	case 3: return sel + !upper * half;
	default: return sel + upper * half;
	}
}

/* The selector, of four, that component i of a source uses; 4: always 0 (as Mesa shows it). */
static unsigned int constant_slot(unsigned int bits, unsigned int i)
{
	return bits == 8 ? i >> 1 & 3 : i < 4 ? i : 4;
}

/* The components of a constant source that are shown, as a bit mask over up to 16 of them. */
static unsigned int constant_mask(const struct isa_bits *b, unsigned int bits)
{
	unsigned int n = channels(md_get(b, vec_op)), mask = md_get(b, vec_mask), v = 0, step = bits / 16;

	if (n)
		return (1u << n) - 1;
	if (bits == 8) {
		for (unsigned int i = 0; i < 8; i++)
			v |= mask >> i & 1 ? 3u << 2 * i : 0;
		return v;
	}
	for (unsigned int i = 0; i < 128 / bits; i++)
		v |= (mask >> i * step & 1) << i;
	return v;
}

struct list {
	char item[16][ISA_EMIT_SLACK];
	unsigned int mask, bits;
	bool expands;
};

static void format_list(const struct isa_bits *b, const uint32_t *constants, unsigned int expand,
			unsigned int mod, const uint8_t sel[5], struct list *l)
{
	unsigned int mode = md_get(b, vec_mode), op = md_get(b, vec_op);

	l->expands = expand >= 4;
	l->bits = mode || !l->expands ? (8u << mode) >> l->expands : 8;
	l->mask = constant_mask(b, l->bits);
	for (unsigned int i = 0; i < 128 / l->bits; i++) {
		unsigned int s = sel[constant_slot(l->bits, i)];

		format_constant(l->item[i], constants, constant_index(l->bits, l->expands, expand, i, s),
				(unsigned int)__builtin_ctz(l->bits / 8), l->expands, mod, op);
	}
}

static void write_list(const struct isa_bits *b, const uint32_t *constants, unsigned int expand, unsigned int mod,
		       unsigned int swizzle, struct isa_text *text)
{
	uint8_t sel[5] = { swizzle & 3, swizzle >> 2 & 3, swizzle >> 4 & 3, swizzle >> 6, 0 };
	const char *before;
	bool many;
	struct list l;

	format_list(b, constants, expand, mod, sel, &l);
	many = __builtin_popcount(l.mask) > 1;
	before = many ? "<" : "#";
	for (unsigned int i = 0; i < 128 / l.bits; i++) {
		if (!(l.mask >> i & 1))
			continue;
		isa_printf(text, "%s%s", before, l.item[i]);
		before = ", ";
	}
	isa_printf(text, many ? ">" : *before == '#' ? "#" : "");
}

struct source {
	unsigned int expand, mod, swizzle;
};

/* Do selectors exist that show these items? Puts them into s->swizzle. */
static bool fit_list(const struct isa_bits *b, const uint32_t *constants, char items[16][ISA_EMIT_SLACK], unsigned int n,
		     struct source *s)
{
	uint8_t sel[5] = { 0, 1, 2, 3, 0 };
	unsigned int seen = 0;
	struct list l;

	format_list(b, constants, s->expand, s->mod, sel, &l);
	if ((unsigned int)__builtin_popcount(l.mask) != n)
		return false;
	for (unsigned int slot = 0; slot < 5; slot++) {
		bool used = false, good = false;

		for (unsigned int v = 0; v < (slot < 4 ? 4 : 1) && !good; v++) {
			unsigned int k = 0;

			sel[slot] = v;
			format_list(b, constants, s->expand, s->mod, sel, &l);
			good = true;
			for (unsigned int i = 0; i < 128 / l.bits; i++) {
				if (!(l.mask >> i & 1))
					continue;
				if (constant_slot(l.bits, i) == slot) {
					used = true;
					good &= !strcmp(l.item[i], items[k]);
				}
				k++;
			}
		}
		if (!good)
			return false;
		seen |= (unsigned int)used << slot;
	}
	s->swizzle = md_fill_swizzle(sel[0] | sel[1] << 2 | sel[2] << 4 | sel[3] << 6, seen & 15);
	return true;
}

/* One constant, or a list: the way to read the bundle's constants that gives it. */
static bool read_constants(struct md_place_in *in, struct isa_bits *b, struct isa_cursor *c, struct source *s)
{
	static const uint8_t order[4][8] = {
		{ 0, 1, 2, 3, 4, 5, 6, 7 }, { 1, 2, 0, 3, 4, 5, 6, 7 }, { 0, 4, 5, 1, 2, 3, 6, 7 }, { 0, 4, 5, 1, 2, 3, 6, 7 },
	};
	char items[16][ISA_EMIT_SLACK], close = *c->at == '<' ? '>' : 0;
	const char *start = c->at;
	unsigned int n = 0;

	for (c->at++; n < 16; ) {
		size_t k = 0;

		while (c->at < c->end && k < 31 && !strchr(close ? ",> \t" : ", \t#", *c->at))
			items[n][k++] = *c->at++;
		items[n++][k] = 0;
		isa_blanks(c);
		if (!close || c->at >= c->end || *c->at != ',')
			break;
		c->at++;
		isa_blanks(c);
	}
	if (close && !isa_literal(c, ">"))
		return isa_expect(c, "expected '>' after the constants");
	if (n == 1 && !items[0][0])
		n = 0;
	for (unsigned int i = 0; in->constants && i < 8; i++) {
		s->expand = order[md_get(b, vec_mode)][i];
		for (s->mod = 0; s->mod < 4; s->mod++) {
			if (fit_list(b, in->constants, items, n, s))
				return true;
		}
	}
	c->at = start;
	return isa_expect(c, in->constants ? "the bundle's uconstants have no such values" :
			  "the bundle has no 'uconstants' to take values from");
}

/* --- Inline constants -------------------------------------------------------------- */

static void write_immediate(struct isa_text *text, uint16_t v, bool integer)
{
	if (integer)
		isa_printf(text, "#%u", v);
	else
		isa_printf(text, "#%g", half_to_float(v));
}

/* False, with the cursor where it was: not a number that fits 16 bits. */
static bool read_immediate(struct isa_cursor *c, bool integer, unsigned int *v)
{
	char number[32], *end;
	size_t n = 0;

	while (c->at + 1 + n < c->end && n < sizeof(number) - 1 && !strchr(", \t#", c->at[1 + n]))
		n++;
	memcpy(number, c->at + 1, n);
	number[n] = 0;
	if (integer) {
		unsigned long u = strtoul(number, &end, 0);

		*v = u;
		if (!n || *end || number[0] == '-' || u > 0xffff)
			return false;
	} else {
		float f = isa_strtof(number, &end);
		char shown[ISA_EMIT_SLACK];

		*v = half_from_float(f);
		if (!n || *end)
			return false;
		if (f == f && half_to_float(*v) != f) {
			/* Mesa shows six digits: what they round to will do. */
			*isa_emit_g(shown, half_to_float(*v)) = 0;
			if (strcmp(shown, number))
				return false;
		}
	}
	c->at += 1 + n;
	return true;
}

/* --- Vector ---------------------------------------------------------------------- */

static unsigned int x2(unsigned int op, bool second)
{
	return !second && (op == ISHLADD || op == ISHLSUB);
}

/* Does a mask say the same for all 16-bit parts of a component? */
static bool plain_mask(const struct isa_bits *b)
{
	unsigned int mode = md_get(b, vec_mode), step = mode ? 1u << (mode - 1) : 1, mask = md_get(b, vec_mask);

	for (unsigned int i = 0; i < 8; i++) {
		if ((mask >> i & 1) != (mask >> i / step * step & 1))
			return false;
	}
	return true;
}

static void vec_source(struct md_place_in *in, const struct isa_bits *b, bool second, struct isa_text *text)
{
	unsigned int op = md_get(b, vec_op), mode = md_get(b, vec_mode);
	unsigned int expand = second ? md_get(b, vec_src2_expand) : md_get(b, vec_src1_expand);
	unsigned int swizzle = second ? md_get(b, vec_src2_swizzle) : md_get(b, vec_src1_swizzle);
	unsigned int reg = second ? md_get(b, vec_src2) : md_get(b, vec_src1);
	unsigned int mod = second ? md_get(b, vec_src2_mod) : md_get(b, vec_src1_mod);

	if (second && md_get(b, vec_imm)) {
		write_immediate(text, reg << 11 | expand << 8 | swizzle, md_is_int(op));
	} else if (reg == CONSTANTS && in->constants && plain_mask(b)) {
		write_list(b, in->constants, expand, mod, swizzle, text);
	} else {
		write_reg(in, text, reg, false);
		if (expand || swizzle != 0xe4) {
			isa_putc(text, '.');
			md_write_letters(text, mode, expand, swizzle, source_mask(b));
		}
		isa_puts(text, x2(op, second) ? ".x2" : "");
		write_mods(text, mod, md_is_int(op), expand >= 4);
	}
}

static size_t word_end(const struct isa_cursor *c)
{
	const char *p = c->at + 1;

	while (p < c->end && ((*p >= 'a' && *p <= 'z') || *p == '[' || *p == ']' || *p == 'X' || *p == 'Y'))
		p++;
	return p - c->at - 1;
}

/* Do only letters of components follow the '.', and are they no modifier? */
static bool letters_follow(const struct isa_cursor *c, size_t *n)
{
	if (c->at >= c->end || *c->at != '.')
		return false;
	*n = word_end(c);
	for (size_t i = 0; i < *n; i++) {
		if (!strchr("xyzwefghijklmnopXY[]", c->at[1 + i]))
			return false;
	}
	if (*n == 1 && c->at[1] == 'x' && c->at + 2 < c->end && c->at[2] == '2')
		return false;
	return !(*n == 3 && !memcmp(c->at + 1, "neg", 3)) && !(*n == 6 && !memcmp(c->at + 1, "keep", 4));
}

static bool fit_letters(const struct isa_bits *b, const char *letters, size_t n, bool expands, struct source *s)
{
	/* What Mesa's compiler uses comes first; passthrough with its own letters would not show them. */
	static const uint8_t plain[4] = { 0, 1, 2, 3 }, narrow[4] = { 1, 2, 0, 3 }, wide[4] = { 4, 5, 6, 7 };
	const uint8_t *order = expands ? wide : md_get(b, vec_mode) < 2 ? narrow : plain;

	for (unsigned int i = 0; i < 4; i++) {
		s->expand = order[i];
		if (md_read_letters(letters, n, md_get(b, vec_mode), s->expand, source_mask(b), &s->swizzle))
			return true;
	}
	return false;
}

static bool read_register_source(struct isa_bits *b, bool second, struct isa_cursor *c, struct source *s,
				 unsigned int *reg)
{
	const char *letters;
	size_t n = 0;
	bool given, expands;

	if (!read_reg(c, reg))
		return false;
	letters = c->at + 1;
	given = letters_follow(c, &n);
	if (given)
		c->at += 1 + n;
	if (x2(md_get(b, vec_op), second) && !isa_literal(c, ".x2"))
		return isa_expect(c, "expected '.x2'");
	s->mod = read_mods(c, md_is_int(md_get(b, vec_op)), &expands);
	s->swizzle = 0xe4;
	s->expand = expands ? 4 : 0;
	if (given && !fit_letters(b, letters, n, expands, s)) {
		c->at = letters;
		return isa_expect(c, "these components do not go with the width and the write mask");
	}
	return true;
}

static bool read_vec_source(struct md_place_in *in, struct isa_bits *b, bool second, struct isa_cursor *c)
{
	struct source s = { 0 };
	unsigned int reg = CONSTANTS, v;

	if (second && c->at < c->end && *c->at == '#' && read_immediate(c, md_is_int(md_get(b, vec_op)), &v)) {
		md_put(b, vec_imm, 1);
		md_put(b, vec_src2, v >> 11);
		md_put(b, vec_src2_expand, v >> 8);
		md_put(b, vec_src2_swizzle, v);
		return true;
	}
	if (c->at < c->end && (*c->at == '#' || *c->at == '<')) {
		if (!read_constants(in, b, c, &s))
			return false;
	} else if (!read_register_source(b, second, c, &s, &reg)) {
		return false;
	}
	if (second) {
		md_put(b, vec_src2, reg);
		md_put(b, vec_src2_expand, s.expand);
		md_put(b, vec_src2_swizzle, s.swizzle);
		md_put(b, vec_src2_mod, s.mod);
	} else {
		md_put(b, vec_src1, reg);
		md_put(b, vec_src1_expand, s.expand);
		md_put(b, vec_src1_swizzle, s.swizzle);
		md_put(b, vec_src1_mod, s.mod);
	}
	return true;
}

static void vec_dest(struct md_place_in *in, const struct isa_bits *b, struct isa_text *text)
{
	unsigned int mode = md_get(b, vec_mode), mask = md_get(b, vec_mask), shrink = md_get(b, vec_shrink);
	unsigned int step = mode ? 1u << (mode - 1) : 1, first = shrink == 1 && mode ? 16 >> mode : 0;

	write_reg(in, text, md_get(b, vec_dest), true);
	if (shrink < 2 || mask != 0xff) {
		isa_putc(text, '.');
		for (unsigned int i = 0; i < 8; i += step) {
			if (!(mask >> i & 1))
				continue;
			isa_putc(text, md_components[first + (mode ? i / step : 2 * i)]);
			if (!mode)
				isa_putc(text, md_components[2 * i + 1]);
		}
	}
	write_outmod(text, md_get(b, vec_outmod), md_is_int_out(md_get(b, vec_op)), shrink != 2);
}

static bool read_mask(struct isa_bits *b, struct isa_cursor *c, size_t n, bool *upper)
{
	unsigned int mode = md_get(b, vec_mode), step = mode ? 1u << (mode - 1) : 1, count = 16 >> mode, mask = 0;

	*upper = false;
	for (size_t i = 1; i <= n; i++) {
		const char *p = strchr(md_components, c->at[i]);
		unsigned int k = p ? p - md_components : 16;

		/* All letters are of one half: of the lower, or of what a shrunk result may go to. */
		*upper |= mode && i == 1 && k >= count;
		k -= *upper ? count : 0;
		if (k >= count)
			return isa_expect(c, "a component that this width does not have");
		mask |= mode ? ((1u << step) - 1) << k * step : 1u << k / 2;
	}
	md_put(b, vec_mask, mask);
	c->at += 1 + n;
	return true;
}

static bool read_vec_dest(struct isa_bits *b, struct isa_cursor *c)
{
	bool upper = false, half;
	unsigned int reg;
	size_t n;

	if (!read_reg(c, &reg) || (letters_follow(c, &n) && !read_mask(b, c, n, &upper)))
		return false;
	md_put(b, vec_dest, reg);
	md_put(b, vec_outmod, read_outmod(c, md_is_int_out(md_get(b, vec_op)), &half));
	md_put(b, vec_shrink, upper ? 1 : half ? 0 : 2);
	return true;
}

/* --- Scalar ------------------------------------------------------------------------ */

static void scalar_source(struct md_place_in *in, const struct isa_bits *b, bool second, struct isa_text *text)
{
	unsigned int op = md_get(b, sca_op), reg = second ? md_get(b, sca_src2) : md_get(b, sca_src1);
	unsigned int comp = second ? md_get(b, sca_src2_comp) : md_get(b, sca_src1_comp);
	unsigned int mod = second ? md_get(b, sca_src2_mod) : md_get(b, sca_src1_mod);
	bool full = second ? md_get(b, sca_src2_full) : md_get(b, sca_src1_full);
	char value[ISA_EMIT_SLACK];

	if (second && md_get(b, sca_imm)) {
		write_immediate(text, reg << 11 | mod << 9 | full << 8 | comp << 5 | md_get(b, sca_src2_low),
				md_is_int(op));
	} else if (reg == CONSTANTS && in->constants) {
		format_constant(value, in->constants, full ? comp >> 1 : comp, full ? 2 : 1, false, mod, op);
		isa_printf(text, "#%s", value);
	} else {
		write_reg(in, text, reg, false);
		isa_printf(text, ".%c", md_components[full ? comp >> 1 : comp]);
		write_mods(text, mod, md_is_int(op), !full);
	}
}

static bool read_scalar_constant(struct md_place_in *in, const struct isa_bits *b, struct isa_cursor *c,
				 unsigned int *comp, unsigned int *mod, bool *full)
{
	size_t n = 1;
	char value[ISA_EMIT_SLACK];

	while (c->at + n < c->end && !strchr(", \t#", c->at[n]))
		n++;
	for (int i = 0; in->constants && i < 2; i++) {
		*full = !i;
		for (*mod = 0; *mod < 4; ++*mod) {
			for (unsigned int k = 0; k < (*full ? 4 : 8); k++) {
				format_constant(value, in->constants, k, *full ? 2 : 1, false, *mod, md_get(b, sca_op));
				*comp = *full ? 2 * k : k;
				if (strlen(value) == n - 1 && !memcmp(value, c->at + 1, n - 1)) {
					c->at += n;
					return true;
				}
			}
		}
	}
	return isa_expect(c, in->constants ? "the bundle's uconstants have no such value" :
			  "the bundle has no 'uconstants' to take values from");
}

static bool read_scalar_component(struct isa_cursor *c, unsigned int *comp)
{
	int n = c->end - c->at >= 2 && *c->at == '.' ? md_component(c->at[1]) : -1;

	if (n < 0 || n > 7)
		return isa_expect(c, "expected a component: .x to .h");
	c->at += 2;
	*comp = n;
	return true;
}

static bool read_scalar_source(struct md_place_in *in, struct isa_bits *b, bool second, struct isa_cursor *c)
{
	bool integer = md_is_int(md_get(b, sca_op)), full = false, half;
	unsigned int v, reg = CONSTANTS, comp = 0, mod = 0;

	if (second && c->at < c->end && *c->at == '#' && read_immediate(c, integer, &v)) {
		md_put(b, sca_imm, 1);
		md_put(b, sca_src2, v >> 11);
		md_put(b, sca_src2_mod, v >> 9);
		md_put(b, sca_src2_full, v >> 8);
		md_put(b, sca_src2_comp, v >> 5);
		md_put(b, sca_src2_low, v);
		return true;
	}
	if (c->at < c->end && *c->at == '#') {
		if (!read_scalar_constant(in, b, c, &comp, &mod, &full))
			return false;
	} else {
		if (!read_reg(c, &reg) || !read_scalar_component(c, &comp))
			return false;
		mod = read_mods(c, integer, &half);
		full = !half;
		if (full && comp > 3)
			return isa_expect(c, "a 32-bit register has four components");
		comp <<= full;
	}
	if (second) {
		md_put(b, sca_src2, reg);
		md_put(b, sca_src2_comp, comp);
		md_put(b, sca_src2_full, full);
		md_put(b, sca_src2_mod, mod);
	} else {
		md_put(b, sca_src1, reg);
		md_put(b, sca_src1_comp, comp);
		md_put(b, sca_src1_full, full);
		md_put(b, sca_src1_mod, mod);
	}
	return true;
}

static bool read_scalar_dest(struct isa_bits *b, struct isa_cursor *c)
{
	unsigned int reg, comp;
	bool half;

	if (!read_reg(c, &reg) || !read_scalar_component(c, &comp))
		return false;
	md_put(b, sca_dest, reg);
	md_put(b, sca_outmod, read_outmod(c, md_is_int_out(md_get(b, sca_op)), &half));
	half |= comp > 3;
	md_put(b, sca_out_full, !half);
	md_put(b, sca_out_comp, half ? comp : 2 * comp);
	return true;
}

/* --- Both --------------------------------------------------------------------------- */

/*
 * 'u' is ours: Mesa shows an unsigned minimum, comparison, ... as it shows the
 * signed one.
 */
static char kind(unsigned int op)
{
	return !md_is_int_out(op) ? 'f' : md_is_int(op) && is_unsigned(op) ? 'u' : 'i';
}

static bool read_width(struct isa_bits *b, bool vector, struct isa_cursor *c)
{
	unsigned int bits, mode = 0;
	char letter = kind(vector ? md_get(b, vec_op) : md_get(b, sca_op));

	if (c->end - c->at < 3 || c->at[0] != '.' || c->at[1] != letter || c->at[2] < '0' || c->at[2] > '9')
		return isa_expect(c, "expected '.%c8', '.%c16', '.%c32' or '.%c64'", letter, letter, letter, letter);
	c->at += 2;
	if (!md_uint(c, 64, &bits))
		return false;
	while (mode < 3 && 8u << mode != bits)
		mode++;
	if (8u << mode != bits || (!vector && bits != 32))	/* the place is behind the number */
		return isa_expect(c, "lanes of %u bits there are not", bits);
	if (vector)
		md_put(b, vec_mode, mode);
	return true;
}

bool md_read_alu(struct md_place_in *in, struct isa_bits *b, bool vector, char letter, struct isa_cursor *c)
{
	switch (letter) {
	case 'w':
		return read_width(b, vector, c);
	case 'D':
		return vector ? read_vec_dest(b, c) : read_scalar_dest(b, c);
	}
	return vector ? read_vec_source(in, b, letter == 'B', c) : read_scalar_source(in, b, letter == 'B', c);
}

void md_write_alu(struct md_place_in *in, const struct isa_bits *b, bool vector, char letter,
		  struct isa_text *text)
{
	bool full;

	switch (letter) {
	case 'w':
		isa_printf(text, ".%c%u", kind(vector ? md_get(b, vec_op) : md_get(b, sca_op)),
			   vector ? 8u << md_get(b, vec_mode) : 32);
		return;
	case 'D':
		if (vector) {
			vec_dest(in, b, text);
			return;
		}
		full = md_get(b, sca_out_full);
		write_reg(in, text, md_get(b, sca_dest), true);
		isa_printf(text, ".%c", md_components[full ? md_get(b, sca_out_comp) >> 1 : md_get(b, sca_out_comp)]);
		write_outmod(text, md_get(b, sca_outmod), md_is_int_out(md_get(b, sca_op)), !full);
		return;
	}
	if (vector)
		vec_source(in, b, letter == 'B', text);
	else
		scalar_source(in, b, letter == 'B', text);
}
