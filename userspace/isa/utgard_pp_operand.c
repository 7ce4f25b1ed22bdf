// SPDX-License-Identifier: MIT
/* Utgard PP: operands, words to text and back. */
#include <math.h>
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

static unsigned int shift_place(const struct isa_op *op)
{
	return op->form == PP_F_VMUL ? 38 : 25;
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

static char *write_register(unsigned int reg, char *to)
{
	return special[reg] ? isa_emit(to, special[reg]) : isa_emit_uint(isa_emit_char(to, '$'), reg);
}

static char *write_component(unsigned int comp, char *to)
{
	*to = '.';
	to[1] = "xyzw"[comp & 3];
	return to + 2;
}

static char *write_scalar_register(unsigned int reg, char *to)
{
	return write_component(reg, write_register(reg >> 2, to));
}

static char *write_source(struct pp_writer *w, const struct isa_bits *b, struct place p, char *to)
{
	bool absolute = p.absolute != NONE && isa_get(b, p.absolute, 1);
	bool pipe = p.pipe != NONE && isa_get(b, p.pipe, 1);

	if (p.negate != NONE && isa_get(b, p.negate, 1))
		to = isa_emit_char(to, '-');
	if (absolute)
		to = isa_emit(to, "abs(");
	if (pipe)	/* the register's bits mean nothing */
		isa_put(&w->tell.told, p.source, p.swizzle != NONE ? 4 : 6, 0);
	if (p.swizzle != NONE) {
		unsigned int swizzle = isa_get(b, p.swizzle, 8);

		to = pipe ? isa_emit(to, "^v0") : write_register(isa_get(b, p.source, 4), to);
		if (swizzle != 0xe4) {
			*to = '.';
			for (int i = 0; i < 4; i++)
				to[1 + i] = "xyzw"[swizzle >> 2 * i & 3];
			to += 5;
		}
	} else {
		to = pipe ? isa_emit(to, "^s0") : write_scalar_register(isa_get(b, p.source, 6), to);
	}
	return absolute ? isa_emit_char(to, ')') : to;
}

static char *write_mask(unsigned int mask, char *to)
{
	if (mask == 15)
		return to;
	to = isa_emit_char(to, '.');
	for (int i = 0; i < 4; i++)
		if (mask >> i & 1)
			to = isa_emit_char(to, "xyzw"[i]);
	return to;
}

/* Index in units of one, two or four components. */
static char *write_index(int index, unsigned int components, char *to)
{
	to = isa_emit_int(to, components == 4 ? index : components == 2 ? index >> 1 : index >> 2);
	if (components == 2)
		return index & 1 ? isa_emit(to, ".zw") : isa_emit(to, ".xy");
	return components == 1 ? write_component(index, to) : to;
}

/* d.ddd * 10^exponent as printf's %g writes it, with ".0" where that has neither point nor exponent. */
static char *write_decimal(unsigned int digits, int exponent, int precision, char *to)
{
	char text[12];
	int n = isa_emit_uint(text, digits) - text;

	while (n > 1 && text[n - 1] == '0')
		n--;
	if (exponent < -4 || exponent >= precision) {
		to = isa_emit_char(to, text[0]);
		if (n > 1) {
			to = isa_emit_char(to, '.');
			memcpy(to, text + 1, n - 1);
			to += n - 1;
		}
		to = isa_emit_char(isa_emit_char(to, 'e'), exponent < 0 ? '-' : '+');
		return isa_emit_uint(isa_emit_char(to, '0'), exponent < 0 ? -exponent : exponent);
	}
	if (exponent < 0) {
		to = isa_emit(to, "0.");
		for (int i = -1; i > exponent; i--)
			to = isa_emit_char(to, '0');
	}
	for (int i = 0; i < n || i <= exponent; i++) {
		to = isa_emit_char(to, i < n ? text[i] : '0');
		if (i == exponent && i + 1 < n)
			to = isa_emit_char(to, '.');
	}
	return exponent >= 0 && n <= exponent + 1 ? isa_emit(to, ".0") : to;
}

/* The fewest digits that make the same half. */
static char *write_half(uint16_t h, char *to)
{
	static const double power[] = { 1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12 };
	double f = half_to_float(h & 0x7fff), digits = 0;
	int exponent = -8, precision = 0;

	if ((h & 0x7c00) == 0x7c00)
		return isa_emit_hex(to, h, 4);
	to = h >> 15 ? isa_emit_char(to, '-') : to;
	if (f < 2048 && f == (int)f)
		return isa_emit(isa_emit_uint(to, f), ".0");
	/* Products of a half and these powers are exact, so all of this rounds as printf and strtof do. */
	while (exponent < 4 && (exponent < -1 ? f * power[-1 - exponent] >= 1 : f >= power[exponent + 1]))
		exponent++;
	while (precision++ < 5) {
		int shift = precision - 1 - exponent;
		double back;

		digits = rint(shift >= 0 ? f * power[shift] : f / power[-shift]);
		back = shift >= 0 ? digits / power[shift] : digits * power[-shift];
		if (half_from_float(back) == (h & 0x7fff) || precision == 5)
			break;
	}
	if (digits >= power[precision]) {
		digits /= 10;
		exponent++;
	}
	return write_decimal(digits, exponent, precision, to);
}

static char *write_memory(struct pp_writer *w, const struct isa_bits *b, char *to)
{
	unsigned int align = isa_get(b, 10, 2);

	to = write_index((int16_t)isa_get(b, 25, 16), align == 2 ? 4 : align == 1 ? 2 : 1, to);
	if (align == 3)		/* is written, and read, as 0 */
		isa_put(&w->tell.told, 10, 2, 0);
	if (isa_get(b, 24, 1))
		return write_scalar_register(isa_get(b, 18, 6), isa_emit_char(to, '+'));
	isa_put(&w->tell.told, 18, 6, 0);
	return to;
}

static char *write_varying_index(struct pp_writer *w, const struct isa_bits *b, char *to)
{
	unsigned int alignment = isa_get(b, 5, 2);

	to = write_index(isa_get(b, 18, 6), alignment == 0 ? 1 : alignment == 1 ? 2 : 4, to);
	if (alignment == 2) {	/* is written, and read, as 3 */
		isa_put(&w->tell.told, 5, 2, 0);
		isa_put(&w->tell.said, 5, 2, 3);
	}
	if (isa_get(b, 10, 4) != 15)
		return write_scalar_register(isa_get(b, 10, 4) << 2 | isa_get(b, 16, 2), isa_emit_char(to, '+'));
	isa_put(&w->tell.told, 16, 2, 0);
	return to;
}

static char *write_stored(struct pp_writer *w, const struct isa_bits *b, char *to)
{
	unsigned int align = isa_get(b, 10, 2), reg = isa_get(b, 4, 6);

	if (align == 0 || align == 3)
		return write_scalar_register(reg, to);
	isa_put(&w->tell.told, 4, 2, 0);
	return write_register(reg >> 2, to);
}

static char *write_sampler_index(struct pp_writer *w, const struct isa_bits *b, char *to)
{
	to = isa_emit_uint(to, isa_get(b, 30, 12));
	if (isa_get(b, 29, 1))
		return write_scalar_register(isa_get(b, 6, 6), isa_emit_char(to, '+'));
	isa_put(&w->tell.told, 6, 6, 0);
	return to;
}

/* A vector of one component has the text of a scalar, which is what the assembler takes it for. */
static void tell_one_component(struct pp_writer *w, unsigned int mask)
{
	if (!mask || mask & (mask - 1))
		return;
	isa_put(&w->tell.told, 0, 1, 0);	/* dest_vec */
	isa_put(&w->tell.said, 0, 1, 0);
	isa_put(&w->tell.told, 22, 4, 0);	/* mask; where a scalar has its component and modifier */
	isa_put(&w->tell.said, 22, 4, (unsigned int)__builtin_ctz(mask) << 2);
}

char *pp_write(struct pp_writer *w, const struct isa_bits *b, const struct isa_op *op, char letter, char *to)
{
	static const char *const outmod[4] = { "", ".sat", ".pos", ".int" };
	unsigned int mask = 0, at, v;

	switch (letter) {
	case 'A': case 'B': case 'R': case 'W': case 'l':
		return write_source(w, b, place_of(op, letter), to);
	case 'D':
		at = dest_place(op, &mask);
		v = isa_get(b, at, 4);
		to = op->unit == PP_VARYING && v == PP_REG_DISCARD ? isa_emit(to, "^discard") :
		     isa_emit_uint(isa_emit_char(to, '$'), v);
		if (op->form == PP_F_COMBINE_WIDE)
			tell_one_component(w, isa_get(b, mask, 4));
		return write_mask(isa_get(b, mask, 4), to);
	case 'd':
		v = isa_get(b, dest_place(op, &mask), 6);
		return write_component(v, isa_emit_uint(isa_emit_char(to, '$'), v >> 2));
	case 'F':
		return isa_emit_uint(isa_emit_char(to, '$'), isa_get(b, 6, 4));
	case 'o':
		return isa_emit(to, outmod[isa_get(b, outmod_place(op), 2)]);
	case 's':
		v = isa_get(b, shift_place(op), 3);
		return v ? isa_emit_uint(isa_emit(to, "<<"), v) : to;
	case 'n':
		at = code_place(op, &v);
		return isa_emit_uint(to, isa_get(b, at, v));
	case 't':
		v = isa_get(b, 24, 5);
		return v == 31 ? isa_emit(to, ".cube") : v ? isa_emit_uint(isa_emit(to, "_t"), v) : to;
	case 'i':
		return write_sampler_index(w, b, to);
	case 'I':
		return write_varying_index(w, b, to);
	case 'J':
		return write_memory(w, b, to);
	case 'K':
		return write_stored(w, b, to);
	case 'H':
		for (int i = 0; i < 4; i++) {
			to = i ? isa_emit_char(to, ' ') : to;
			to = write_half(isa_get(b, i * 16, 16), to);
		}
		return to;
	case 'T':
		return isa_draft_number(w->draft, w->text, to, &w->offset, pp_target(b));
	}
	return to;
}

static void tell_place(struct isa_bits *told, unsigned int at, unsigned int width)
{
	if (at != NONE)
		isa_put(told, at, width, ~0u);
}

/* What depends on other bits pp_write() takes away again. */
void pp_tells(const struct isa_op *op, char letter, struct isa_bits *told)
{
	static const struct {
		char letter;
		uint8_t at, width;
	} fixed[] = {
		{ 'F', 6, 4 }, { 't', 24, 5 }, { 'i', 30, 12 }, { 'i', 29, 1 }, { 'i', 6, 6 }, { 'I', 18, 6 },
		{ 'I', 5, 2 }, { 'I', 10, 4 }, { 'I', 16, 2 }, { 'J', 25, 16 }, { 'J', 10, 2 }, { 'J', 24, 1 },
		{ 'J', 18, 6 }, { 'K', 4, 6 }, { 'H', 0, 32 }, { 'H', 32, 32 }, { 'T', 41, 27 },
	};
	unsigned int mask = 0, width;
	struct place p;

	for (unsigned int i = 0; i < sizeof(fixed) / sizeof(fixed[0]); i++)
		if (fixed[i].letter == letter)
			isa_put(told, fixed[i].at, fixed[i].width, ~0u);
	switch (letter) {
	case 'A': case 'B': case 'R': case 'W': case 'l':
		p = place_of(op, letter);
		tell_place(told, p.source, p.swizzle != NONE ? 4 : 6);
		tell_place(told, p.swizzle, 8);
		tell_place(told, p.absolute, 1);
		tell_place(told, p.negate, 1);
		tell_place(told, p.pipe, 1);
		break;
	case 'D':
		tell_place(told, dest_place(op, &mask), 4);
		tell_place(told, mask, 4);
		break;
	case 'd':
		tell_place(told, dest_place(op, &mask), 6);
		break;
	case 'o':
		tell_place(told, outmod_place(op), 2);
		break;
	case 's':
		tell_place(told, shift_place(op), 3);
		break;
	case 'n':
		mask = code_place(op, &width);
		tell_place(told, mask, width);
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
			float f = isa_strtof(buf, &end);

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
	isa_put(b, shift_place(op), 3, n & 7);
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
	struct pp_target *target = ctx;
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
		target->at = c->at;
		target->length = isa_word_length(c);
		if (!target->length && c->at < c->end && *c->at == '-') {
			c->at++;
			target->length = isa_word_length(c) + 1;
			c->at--;
		}
		c->at += target->length;
		return target->length || isa_expect(c, "expected a label or an offset in words");
	}
	return false;
}
