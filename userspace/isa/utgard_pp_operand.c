// SPDX-License-Identifier: MIT
/* Utgard PP: operands, words to text and back. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/half.h"
#include "isa/table.h"
#include "isa/utgard_pp.h"
#include "isa/utgard_pp_text.h"

#define NONE 0xff

/* Where an operand's parts are; NONE: there is no such part. */
struct place {
	uint8_t source, swizzle, absolute, negate, pipe;
};

static struct place place_of(const struct isa_op *op, char letter)
{
	switch (op->form) {
	case PP_F_VMUL:
		return letter == 'A' ? (struct place){ 0, 4, 12, 13, NONE } : (struct place){ 14, 18, 26, 27, NONE };
	case PP_F_VADD:
		return letter == 'A' ? (struct place){ 0, 4, 12, 13, 43 } : (struct place){ 14, 18, 26, 27, NONE };
	case PP_F_SMUL:
		return letter == 'A' ? (struct place){ 0, NONE, 6, 7, NONE } : (struct place){ 8, NONE, 14, 15, NONE };
	case PP_F_SADD:
		return letter == 'A' ? (struct place){ 0, NONE, 6, 7, 30 } : (struct place){ 8, NONE, 14, 15, NONE };
	case PP_F_VARYING_REG:
		return (struct place){ 10, 16, 15, 14, NONE };
	case PP_F_BRANCH:
		return (struct place){ letter == 'A' ? 10 : 4, NONE, NONE, NONE, NONE };
	case PP_F_SAMPLER:
		return (struct place){ letter == 'l' ? 0 : 6, NONE, NONE, NONE, NONE };
	default:
		if (letter == 'W')
			return (struct place){ 10, 2, NONE, NONE, NONE };
		return letter == 'A' ? (struct place){ 16, NONE, 14, 15, NONE } : (struct place){ 8, NONE, 6, 7, NONE };
	}
}

static unsigned int dest_place(const struct isa_op *op, unsigned int *mask)
{
	switch (op->form) {
	case PP_F_VARYING: case PP_F_VARYING_REG:
		*mask = 28;
		return 24;
	case PP_F_VMUL: case PP_F_VADD:
		*mask = 32;
		return 28;
	case PP_F_COMBINE_WIDE: case PP_F_COMBINE_MUL:
		*mask = 22;
		return 26;
	case PP_F_COMBINE: case PP_F_COMBINE_PT2:
		return 24;
	default:
		return 16;
	}
}

static unsigned int outmod_place(const struct isa_op *op)
{
	switch (op->form) {
	case PP_F_VMUL: case PP_F_VADD:
		return 36;
	case PP_F_SMUL: case PP_F_SADD:
		return 23;
	default:
		return 22;
	}
}

/* Opcode: place, and width in *width. */
static unsigned int code_place(const struct isa_op *op, unsigned int *width)
{
	*width = op->unit == PP_COMBINE ? 4 : 5;
	return op->unit == PP_COMBINE ? 2 : op->form == PP_F_VMUL || op->form == PP_F_VADD ? 38 : 25;
}

static const char *const special[16] = {
	[PP_REG_CONST0] = "^const0", [PP_REG_CONST1] = "^const1", [PP_REG_TEXTURE] = "^texture",
	[PP_REG_UNIFORM] = "^uniform",
};

static void write_register(unsigned int reg, struct isa_text *text)
{
	if (special[reg]) {
		isa_puts(text, special[reg]);
	} else {
		isa_putc(text, '$');
		isa_put_uint(text, reg);
	}
}

static void write_component(unsigned int comp, struct isa_text *text)
{
	isa_putc(text, '.');
	isa_putc(text, "xyzw"[comp & 3]);
}

static void write_scalar_register(unsigned int reg, struct isa_text *text)
{
	write_register(reg >> 2, text);
	write_component(reg, text);
}

static void write_source(const struct isa_bits *b, struct place p, struct isa_text *text)
{
	bool absolute = p.absolute != NONE && isa_get(b, p.absolute, 1);
	bool pipe = p.pipe != NONE && isa_get(b, p.pipe, 1);

	if (p.negate != NONE && isa_get(b, p.negate, 1))
		isa_putc(text, '-');
	if (absolute)
		isa_puts(text, "abs(");
	if (p.swizzle != NONE) {
		unsigned int swizzle = isa_get(b, p.swizzle, 8);

		if (pipe)
			isa_puts(text, "^v0");
		else
			write_register(isa_get(b, p.source, 4), text);
		if (swizzle != 0xe4) {
			isa_putc(text, '.');
			for (int i = 0; i < 8; i += 2)
				isa_putc(text, "xyzw"[swizzle >> i & 3]);
		}
	} else if (pipe) {
		isa_puts(text, "^s0");
	} else {
		write_scalar_register(isa_get(b, p.source, 6), text);
	}
	if (absolute)
		isa_putc(text, ')');
}

static void write_mask(unsigned int mask, struct isa_text *text)
{
	if (mask == 15)
		return;
	isa_putc(text, '.');
	for (int i = 0; i < 4; i++)
		if (mask >> i & 1)
			isa_putc(text, "xyzw"[i]);
}

/* Index in units of one, two or four components. */
static void write_index(int index, unsigned int components, struct isa_text *text)
{
	isa_put_int(text, components == 4 ? index : components == 2 ? index >> 1 : index >> 2);
	if (components == 2)
		isa_puts(text, index & 1 ? ".zw" : ".xy");
	else if (components == 1)
		write_component(index, text);
}

/* The fewest digits that make the same half. */
static void write_half(uint16_t h, struct isa_text *text)
{
	float f = half_to_float(h);
	char buf[32];

	if ((h & 0x7c00) == 0x7c00) {
		isa_put_hex(text, h, 4);
		return;
	}
	if (f == (int)f && f > -2048 && f < 2048 && (f != 0 || !h)) {
		isa_put_int(text, f);
		isa_puts(text, ".0");
		return;
	}
	for (int digits = 1; digits < 6; digits++) {
		snprintf(buf, sizeof(buf), "%.*g", digits, f);
		if (half_from_float(strtof(buf, NULL)) == h)
			break;
	}
	isa_puts(text, buf);
	isa_puts(text, strpbrk(buf, ".e") ? "" : ".0");
}

static void write_memory(const struct isa_bits *b, struct isa_text *text)
{
	unsigned int align = isa_get(b, 10, 2);

	write_index((int16_t)isa_get(b, 25, 16), align == 2 ? 4 : align == 1 ? 2 : 1, text);
	if (isa_get(b, 24, 1)) {
		isa_putc(text, '+');
		write_scalar_register(isa_get(b, 18, 6), text);
	}
}

static void write_varying_index(const struct isa_bits *b, struct isa_text *text)
{
	unsigned int alignment = isa_get(b, 5, 2);

	write_index(isa_get(b, 18, 6), alignment == 0 ? 1 : alignment == 1 ? 2 : 4, text);
	if (isa_get(b, 10, 4) != 15) {
		isa_putc(text, '+');
		write_scalar_register(isa_get(b, 10, 4) << 2 | isa_get(b, 16, 2), text);
	}
}

static void write_numbered(const char *name, unsigned int n, struct isa_text *text)
{
	isa_puts(text, name);
	isa_put_uint(text, n);
}

void pp_write(void *ctx, const struct isa_bits *b, const struct isa_op *op, char letter,
	      struct isa_text *text)
{
	static const char *const outmod[4] = { "", ".sat", ".pos", ".int" };
	const struct pp_place *where = ctx;
	unsigned int mask = 0, at, v;

	switch (letter) {
	case 'A': case 'B': case 'R': case 'W': case 'l':
		write_source(b, place_of(op, letter), text);
		break;
	case 'D':
		at = dest_place(op, &mask);
		v = isa_get(b, at, 4);
		if (op->unit == PP_VARYING && v == PP_REG_DISCARD)
			isa_puts(text, "^discard");
		else
			write_numbered("$", v, text);
		write_mask(isa_get(b, mask, 4), text);
		break;
	case 'd':
		v = isa_get(b, dest_place(op, &mask), 6);
		write_numbered("$", v >> 2, text);
		write_component(v, text);
		break;
	case 'F':
		write_numbered("$", isa_get(b, 6, 4), text);
		break;
	case 'o':
		isa_puts(text, outmod[isa_get(b, outmod_place(op), 2)]);
		break;
	case 's':
		v = isa_get(b, op->form == PP_F_VMUL ? 38 : 25, 3);
		if (v)
			write_numbered("<<", v, text);
		break;
	case 'n':
		at = code_place(op, &v);
		isa_put_uint(text, isa_get(b, at, v));
		break;
	case 't':
		v = isa_get(b, 24, 5);
		if (v == 31)
			isa_puts(text, ".cube");
		else if (v)
			write_numbered("_t", v, text);
		break;
	case 'i':
		isa_put_uint(text, isa_get(b, 30, 12));
		if (isa_get(b, 29, 1)) {
			isa_putc(text, '+');
			write_scalar_register(isa_get(b, 6, 6), text);
		}
		break;
	case 'I':
		write_varying_index(b, text);
		break;
	case 'J':
		write_memory(b, text);
		break;
	case 'K':
		v = isa_get(b, 4, 6);
		if (isa_get(b, 10, 2) == 1 || isa_get(b, 10, 2) == 2)
			write_register(v >> 2, text);
		else
			write_scalar_register(v, text);
		break;
	case 'H':
		for (int i = 0; i < 4; i++) {
			isa_puts(text, i ? " " : "");
			write_half(isa_get(b, i * 16, 16), text);
		}
		break;
	case 'T':
		isa_draft_number(where->draft, text, where->offset, pp_target(b));
		break;
	}
}

/* --- reading ---------------------------------------------------------- */

static bool letters(struct isa_cursor *c, unsigned int *comp, unsigned int *count)
{
	for (*count = 0; *count < 4 && c->at < c->end; ++*count) {
		const char *p = memchr("xyzw", *c->at, 4);

		if (!p)
			break;
		comp[*count] = (unsigned int)(strchr("xyzw", *p) - "xyzw");
		c->at++;
	}
	return *count;
}

/* A register as a source: $0-$11 or one of the four special ones. */
static bool read_register(struct isa_cursor *c, unsigned int *reg)
{
	int64_t n;

	if (isa_at_end(c))
		return isa_expect(c, "an operand is missing");
	for (unsigned int r = 0; r < 16; r++) {
		if (special[r] && isa_literal(c, special[r])) {
			*reg = r;
			return true;
		}
	}
	if (*c->at == '^')
		return isa_expect(c, "expected ^const0, ^const1, ^texture or ^uniform");
	if (!isa_literal(c, "$"))
		return isa_expect(c, "expected a register");
	if (!isa_number(c, 0, 11, &n))
		return false;
	*reg = n;
	return true;
}

static bool read_scalar_register(struct isa_cursor *c, unsigned int *reg)
{
	unsigned int comp[4], n;

	if (!read_register(c, reg))
		return false;
	if (!isa_literal(c, "."))
		return isa_expect(c, "expected '.' and one component");
	if (!letters(c, comp, &n) || n != 1)
		return isa_expect(c, "expected one component: x, y, z or w");
	*reg = *reg << 2 | comp[0];
	return true;
}

static bool read_swizzle(struct isa_cursor *c, unsigned int *swizzle)
{
	unsigned int comp[4], n;
	const char *at = c->at;

	*swizzle = 0xe4;
	if (!isa_literal(c, "."))
		return true;
	letters(c, comp, &n);
	if (n == 1)
		comp[1] = comp[2] = comp[3] = comp[0];
	else if (n != 4) {
		c->at = at + 1;
		return isa_expect(c, "a swizzle has one or four of x, y, z, w");
	}
	*swizzle = comp[0] | comp[1] << 2 | comp[2] << 4 | comp[3] << 6;
	return true;
}

static bool read_source(struct isa_bits *b, struct isa_cursor *c, struct place p)
{
	const char *at = c->at;
	bool absolute, pipe;
	unsigned int v;

	if (isa_literal(c, "-")) {
		if (p.negate == NONE) {
			c->at = at;
			return isa_expect(c, "this operand cannot be negated");
		}
		isa_put(b, p.negate, 1, 1);
	}
	at = c->at;
	absolute = isa_literal(c, "abs(");
	if (absolute) {
		if (p.absolute == NONE) {
			c->at = at;
			return isa_expect(c, "this operand has no absolute value");
		}
		isa_put(b, p.absolute, 1, 1);
	}
	at = c->at;
	pipe = isa_literal(c, p.swizzle != NONE ? "^v0" : "^s0") ||
	       isa_literal(c, p.swizzle != NONE ? "^vmul" : "^fmul");
	if (pipe) {
		if (p.pipe == NONE) {
			c->at = at;
			return isa_expect(c, "only the first operand of an adder can be its multiplier's result");
		}
		isa_put(b, p.pipe, 1, 1);
	}
	if (p.swizzle != NONE) {
		if (!pipe) {
			if (!read_register(c, &v))
				return false;
			isa_put(b, p.source, 4, v);
		}
		if (!read_swizzle(c, &v))
			return false;
		isa_put(b, p.swizzle, 8, v);
	} else if (!pipe) {
		if (!read_scalar_register(c, &v))
			return false;
		isa_put(b, p.source, 6, v);
	}
	return !absolute || isa_literal(c, ")") || isa_expect(c, "expected ')'");
}

static bool read_mask(struct isa_cursor *c, unsigned int *mask)
{
	unsigned int comp[4], n;
	const char *at = c->at;

	*mask = 15;
	if (!isa_literal(c, "."))
		return true;
	*mask = 0;
	letters(c, comp, &n);
	for (unsigned int i = 0; i < n; i++) {
		if (i && comp[i] <= comp[i - 1]) {
			c->at = at + 1;
			return isa_expect(c, "a destination's components come in the order x, y, z, w, each once");
		}
		*mask |= 1u << comp[i];
	}
	return true;
}

static bool read_destination(struct isa_bits *b, const struct isa_op *op, struct isa_cursor *c)
{
	unsigned int mask_at = 0, at = dest_place(op, &mask_at), mask;
	int64_t n = PP_REG_DISCARD;

	if (isa_at_end(c))
		return isa_expect(c, "the destination is missing");
	if (op->unit != PP_VARYING || !isa_literal(c, "^discard")) {
		/* 12-15 cannot be written as far as anyone knows, but have their codes. */
		if (!isa_literal(c, "$"))
			return isa_expect(c, "expected a register to write: $0 to $11");
		if (!isa_number(c, 0, 15, &n))
			return false;
	}
	if (!read_mask(c, &mask))
		return false;
	isa_put(b, at, 4, n);
	isa_put(b, mask_at, 4, mask);
	return true;
}

static bool read_scalar_destination(struct isa_bits *b, const struct isa_op *op, struct isa_cursor *c)
{
	unsigned int comp[4], count, mask;
	int64_t n;

	if (!isa_literal(c, "$"))
		return isa_expect(c, "expected a register to write: $0.x to $11.w");
	if (!isa_number(c, 0, 15, &n))
		return false;
	if (!isa_literal(c, ".") || !letters(c, comp, &count) || count != 1)
		return isa_expect(c, "expected one component: x, y, z or w");
	isa_put(b, dest_place(op, &mask), 6, n << 2 | comp[0]);
	return true;
}

/* 3, 3.xy, 3.z: index in its own unit, and the number of components. */
static bool read_index(struct isa_cursor *c, int lo, int hi, int *index, unsigned int *components)
{
	unsigned int comp[4], n;
	const char *at = c->at;
	int64_t v;

	if (!isa_number(c, lo, hi, &v))
		return false;
	*components = 4;
	if (isa_literal(c, ".")) {
		letters(c, comp, &n);
		if (n == 1 || (n == 2 && comp[0] % 2 == 0 && comp[1] == comp[0] + 1)) {
			*components = n;
			v = v * 4 / (int)n + comp[0] / n;
		} else if (n != 4) {
			return isa_expect(c, "expected one component, .xy or .zw, or nothing for all four");
		}
	}
	if (v < lo || v > hi) {
		c->at = at;
		return isa_expect(c, "this index does not fit its field");
	}
	*index = v;
	return true;
}

static bool read_memory(struct isa_bits *b, struct isa_cursor *c)
{
	unsigned int components, reg;
	int index;

	if (!read_index(c, -32768, 32767, &index, &components))
		return false;
	isa_put(b, 25, 16, index);
	isa_put(b, 10, 2, components == 4 ? 2 : components - 1);
	if (isa_literal(c, "+")) {
		if (!read_scalar_register(c, &reg))
			return false;
		isa_put(b, 24, 1, 1);
		isa_put(b, 18, 6, reg);
	}
	return true;
}

static bool read_varying(struct isa_bits *b, struct isa_cursor *c)
{
	unsigned int components, reg;
	const char *at;
	int index;

	if (!read_index(c, 0, 63, &index, &components))
		return false;
	isa_put(b, 18, 6, index);
	isa_put(b, 5, 2, components - 1);
	at = c->at;
	if (isa_literal(c, "+")) {
		if (!read_scalar_register(c, &reg))
			return false;
		if (reg >> 2 == 15) {
			c->at = at + 1;
			return isa_expect(c, "this register cannot be an offset (that code means none)");
		}
		isa_put(b, 10, 4, reg >> 2);
		isa_put(b, 16, 2, reg & 3);
	}
	return true;
}

static bool read_halves(struct isa_bits *b, struct isa_cursor *c)
{
	for (int i = 0; i < 4; i++) {
		char buf[64], *end;
		size_t n = 0;
		uint16_t h;

		isa_blanks(c);
		while (c->at + n < c->end && n < sizeof(buf) - 1 && !strchr(" \t\r\n,#", c->at[n]))
			n++;
		if (!n)
			return isa_expect(c, "a constant has four values; number %d is missing", i + 1);
		memcpy(buf, c->at, n);
		buf[n] = 0;
		if (buf[0] == '0' && (buf[1] | 32) == 'x') {
			unsigned long v = strtoul(buf, &end, 16);

			h = v;
			if (v > 0xffff)
				return isa_expect(c, "%s does not fit fp16's 16 bits", buf);
		} else {
			float f = strtof(buf, &end);

			h = half_from_float(f);
			if (end != buf && !*end && (h & 0x7fff) == 0x7c00 && f - f == 0)
				return isa_expect(c, "%s does not fit fp16: 65504 is the largest", buf);
		}
		if (end == buf || *end)
			return isa_expect(c, "expected a number, found '%s'", buf);
		isa_put(b, i * 16, 16, h);
		c->at += n;
	}
	return true;
}

static bool read_type(struct isa_bits *b, struct isa_cursor *c)
{
	int64_t n = 0;

	if (isa_literal(c, ".cube"))
		n = 31;
	else if (isa_literal(c, "_t") && !isa_number(c, 0, 31, &n))
		return false;
	isa_put(b, 24, 5, n);
	return true;
}

static bool read_sampler(struct isa_bits *b, struct isa_cursor *c)
{
	unsigned int reg;
	int64_t n;

	if (!isa_number(c, 0, 4095, &n))
		return false;
	isa_put(b, 30, 12, n);
	if (isa_literal(c, "+")) {
		if (!read_scalar_register(c, &reg))
			return false;
		isa_put(b, 29, 1, 1);
		isa_put(b, 6, 6, reg);
	}
	return true;
}

static bool read_outmod(struct isa_bits *b, const struct isa_op *op, struct isa_cursor *c)
{
	unsigned int mod = isa_literal(c, ".sat") ? 1 : isa_literal(c, ".pos") ? 2 : isa_literal(c, ".int") ? 3 : 0;

	isa_put(b, outmod_place(op), 2, mod);
	return true;
}

static bool read_shift(struct isa_bits *b, const struct isa_op *op, struct isa_cursor *c)
{
	int64_t n;

	if (!isa_literal(c, "<<"))
		return true;
	if (!isa_number(c, -3, 7, &n))
		return false;
	isa_put(b, op->form == PP_F_VMUL ? 38 : 25, 3, n & 7);
	return true;
}

/* What is stored: the alignment that the index gave decides between $0 and $0.x. */
static bool read_stored(struct isa_bits *b, struct isa_cursor *c)
{
	unsigned int reg;

	if (isa_get(b, 10, 2)) {
		if (!read_register(c, &reg))
			return false;
		reg <<= 2;
	} else if (!read_scalar_register(c, &reg)) {
		return false;
	}
	isa_put(b, 4, 6, reg);
	return true;
}

bool pp_read(void *ctx, struct isa_bits *b, const struct isa_op *op, char letter, struct isa_cursor *c)
{
	struct pp_place *where = ctx;
	unsigned int at, width;
	int64_t n;

	switch (letter) {
	case 'A': case 'B': case 'R': case 'W': case 'l':
		return read_source(b, c, place_of(op, letter));
	case 'D':
		return read_destination(b, op, c);
	case 'd':
		return read_scalar_destination(b, op, c);
	case 'F':
		if (!isa_literal(c, "$"))
			return isa_expect(c, "expected a register to write: $0 to $11");
		if (!isa_number(c, 0, 15, &n))
			return false;
		isa_put(b, 6, 4, n);
		return true;
	case 'o':
		return read_outmod(b, op, c);
	case 's':
		return read_shift(b, op, c);
	case 'n':
		at = code_place(op, &width);
		if (!isa_number(c, 0, (1 << width) - 1, &n))
			return false;
		isa_put(b, at, width, n);
		return true;
	case 't':
		return read_type(b, c);
	case 'i':
		return read_sampler(b, c);
	case 'I':
		return read_varying(b, c);
	case 'J':
		return read_memory(b, c);
	case 'K':
		return read_stored(b, c);
	case 'H':
		return read_halves(b, c);
	case 'T':
		where->target = c->at;
		where->target_length = isa_word_length(c);
		if (!where->target_length && c->at < c->end && *c->at == '-') {
			c->at++;
			where->target_length = isa_word_length(c) + 1;
			c->at--;
		}
		c->at += where->target_length;
		return where->target_length || isa_expect(c, "expected a label or an offset in words");
	}
	return false;
}
