// SPDX-License-Identifier: MIT
/* Utgard PP: the operands of an instruction's fields, each read and written. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/half.h"
#include "isa/utgard_pp.h"
#include "isa/utgard_pp_text.h"

static uint32_t get(const struct isa_insn *in, const struct isa_operand *o, unsigned int i)
{
	return isa_get(in->bits, o->at[i].lo, o->at[i].width);
}

static void put(struct isa_insn *in, const struct isa_operand *o, unsigned int i, uint32_t value)
{
	isa_put(in->bits, o->at[i].lo, o->at[i].width, value);
}

/* --- Registers and components ------------------------------------------------ */

static const char *const special[16] = {
	[PP_REG_CONST0] = "^const0", [PP_REG_CONST1] = "^const1", [PP_REG_TEXTURE] = "^texture",
	[PP_REG_UNIFORM] = "^uniform",
};

static bool read_letters(struct isa_cursor *c, unsigned int *comp, unsigned int *count)
{
	for (*count = 0; *count < 4 && c->at < c->end; ++*count) {
		const char *p = memchr("xyzw", *c->at, 4);

		if (!p)
			break;
		comp[*count] = strchr("xyzw", *p) - "xyzw";
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

static void write_register(unsigned int reg, struct isa_text *text)
{
	if (special[reg])
		isa_puts(text, special[reg]);
	else
		isa_printf(text, "$%u", reg);
}

static bool read_component(struct isa_cursor *c, unsigned int *comp)
{
	unsigned int list[4], n;

	if (!isa_literal(c, "."))
		return isa_expect(c, "expected '.' and one component");
	if (!read_letters(c, list, &n) || n != 1)
		return isa_expect(c, "expected one component: x, y, z or w");
	*comp = list[0];
	return true;
}

static void write_component(unsigned int comp, struct isa_text *text)
{
	isa_putc(text, '.');
	isa_putc(text, "xyzw"[comp & 3]);
}

static bool read_scalar_register(struct isa_cursor *c, unsigned int *reg)
{
	unsigned int comp;

	if (!read_register(c, reg) || !read_component(c, &comp))
		return false;
	*reg = *reg << 2 | comp;
	return true;
}

static void write_scalar_register(unsigned int reg, struct isa_text *text)
{
	write_register(reg >> 2, text);
	write_component(reg, text);
}

/* --- Sources ------------------------------------------------------------------ */

enum { SOURCE, SWIZZLE, ABSOLUTE, NEGATE, PIPE };

static bool read_swizzle(struct isa_cursor *c, unsigned int *swizzle)
{
	unsigned int comp[4], n;
	const char *at = c->at;

	*swizzle = 0xe4;
	if (!isa_literal(c, "."))
		return true;
	read_letters(c, comp, &n);
	if (n == 1)
		comp[1] = comp[2] = comp[3] = comp[0];
	else if (n != 4) {
		c->at = at + 1;
		return isa_expect(c, "a swizzle has one or four of x, y, z, w");
	}
	*swizzle = comp[0] | comp[1] << 2 | comp[2] << 4 | comp[3] << 6;
	return true;
}

/* A modifier that the operand may not have. */
static bool read_modifier(const struct isa_operand *o, struct isa_insn *in, struct isa_cursor *c, unsigned int which,
			  const char *word, const char *message, bool *there)
{
	const char *at = c->at;

	*there = isa_literal(c, word);
	if (!*there)
		return true;
	if (!o->at[which].width) {
		c->at = at;
		return isa_expect(c, "%s", message);
	}
	put(in, o, which, 1);
	return true;
}

bool pp_read_source(const struct isa_operand *o, struct isa_insn *in, struct isa_cursor *c)
{
	bool vector = o->at[SWIZZLE].width, negate, absolute, pipe;
	unsigned int v;

	if (!read_modifier(o, in, c, NEGATE, "-", "this operand cannot be negated", &negate) ||
	    !read_modifier(o, in, c, ABSOLUTE, "abs(", "this operand has no absolute value", &absolute))
		return false;
	if (!read_modifier(o, in, c, PIPE, vector ? "^v0" : "^s0",
			   "only the first operand of an adder can be its multiplier's result", &pipe) ||
	    (!pipe && !read_modifier(o, in, c, PIPE, vector ? "^vmul" : "^fmul",
				     "only the first operand of an adder can be its multiplier's result", &pipe)))
		return false;
	if (!pipe) {
		if (!(vector ? read_register(c, &v) : read_scalar_register(c, &v)))
			return false;
		put(in, o, SOURCE, v);
	}
	if (vector) {
		if (!read_swizzle(c, &v))
			return false;
		put(in, o, SWIZZLE, v);
	}
	return !absolute || isa_literal(c, ")") || isa_expect(c, "expected ')'");
}

void pp_write_source(const struct isa_operand *o, const struct isa_insn *in, struct isa_text *text)
{
	bool vector = o->at[SWIZZLE].width, absolute = get(in, o, ABSOLUTE), pipe = get(in, o, PIPE);
	unsigned int swizzle = get(in, o, SWIZZLE);

	if (get(in, o, NEGATE))
		isa_putc(text, '-');
	if (absolute)
		isa_puts(text, "abs(");
	if (pipe)	/* the register's bits mean nothing */
		isa_puts(text, vector ? "^v0" : "^s0");
	else if (vector)
		write_register(get(in, o, SOURCE), text);
	else
		write_scalar_register(get(in, o, SOURCE), text);
	if (vector && swizzle != 0xe4) {
		isa_putc(text, '.');
		for (int i = 0; i < 4; i++)
			isa_putc(text, "xyzw"[swizzle >> 2 * i & 3]);
	}
	if (absolute)
		isa_putc(text, ')');
}

/* --- Destinations --------------------------------------------------------------- */

static bool read_mask(struct isa_cursor *c, unsigned int *mask)
{
	unsigned int comp[4], n;
	const char *at = c->at;

	*mask = 15;
	if (!isa_literal(c, "."))
		return true;
	*mask = 0;
	read_letters(c, comp, &n);
	for (unsigned int i = 0; i < n; i++) {
		if (i && comp[i] <= comp[i - 1]) {
			c->at = at + 1;
			return isa_expect(c, "a destination's components come in the order x, y, z, w, each once");
		}
		*mask |= 1u << comp[i];
	}
	return true;
}

bool pp_read_destination(const struct isa_operand *o, struct isa_insn *in, struct isa_cursor *c)
{
	int64_t n = PP_REG_DISCARD;
	unsigned int mask;

	if (isa_at_end(c))
		return isa_expect(c, "the destination is missing");
	if (in->op->unit != PP_VARYING || !isa_literal(c, "^discard")) {
		/* 12-15 cannot be written as far as anyone knows, but have their codes. */
		if (!isa_literal(c, "$"))
			return isa_expect(c, "expected a register to write: $0 to $11");
		if (!isa_number(c, 0, 15, &n))
			return false;
	}
	if (!read_mask(c, &mask))
		return false;
	put(in, o, 0, n);
	put(in, o, 1, mask);
	return true;
}

void pp_write_destination(const struct isa_operand *o, const struct isa_insn *in, struct isa_text *text)
{
	unsigned int reg = get(in, o, 0), mask = get(in, o, 1);

	if (in->op->unit == PP_VARYING && reg == PP_REG_DISCARD)
		isa_puts(text, "^discard");
	else
		isa_printf(text, "$%u", reg);
	if (mask == 15)
		return;
	isa_putc(text, '.');
	for (int i = 0; i < 4; i++)
		if (mask >> i & 1)
			isa_putc(text, "xyzw"[i]);
}

bool pp_read_component(const struct isa_operand *o, struct isa_insn *in, struct isa_cursor *c)
{
	unsigned int comp;
	int64_t n;

	if (!isa_literal(c, "$"))
		return isa_expect(c, "expected a register to write: $0.x to $11.w");
	if (!isa_number(c, 0, 15, &n) || !read_component(c, &comp))
		return false;
	put(in, o, 0, n << 2 | comp);
	return true;
}

void pp_write_component(const struct isa_operand *o, const struct isa_insn *in, struct isa_text *text)
{
	isa_printf(text, "$%u", get(in, o, 0) >> 2);
	write_component(get(in, o, 0), text);
}

bool pp_read_shift(const struct isa_operand *o, struct isa_insn *in, struct isa_cursor *c)
{
	int64_t n = 0;

	if (isa_literal(c, "<<") && !isa_number(c, -3, 7, &n))
		return false;
	put(in, o, 0, n & 7);
	return true;
}

void pp_write_shift(const struct isa_operand *o, const struct isa_insn *in, struct isa_text *text)
{
	if (get(in, o, 0))
		isa_printf(text, "<<%u", get(in, o, 0));
}

/* --- Memory ------------------------------------------------------------------------ */

enum { INDEX, ALIGNMENT, OFFSET, OFFSET_ON };

/* 3, 3.xy, 3.z: index in units of four, two or one components; how many they are. */
static bool read_index(struct isa_cursor *c, int lo, int hi, int *index, unsigned int *components)
{
	unsigned int comp[4], n;
	const char *at = c->at;
	int64_t v;

	if (!isa_number(c, lo, hi, &v))
		return false;
	*components = 4;
	if (isa_literal(c, ".")) {
		read_letters(c, comp, &n);
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

static void write_index(int index, unsigned int components, struct isa_text *text)
{
	isa_put_int(text, components == 4 ? index : components == 2 ? index >> 1 : index >> 2);
	if (components == 2)
		isa_puts(text, index & 1 ? ".zw" : ".xy");
	else if (components == 1)
		write_component(index, text);
}

bool pp_read_index(const struct isa_operand *o, struct isa_insn *in, struct isa_cursor *c)
{
	unsigned int components, reg;
	int64_t n;
	int index;

	if (o->at[ALIGNMENT].width) {
		if (!read_index(c, -32768, 32767, &index, &components))
			return false;
		put(in, o, ALIGNMENT, components == 4 ? 2 : components - 1);
		n = index;
	} else if (!isa_number(c, 0, 4095, &n)) {
		return false;
	}
	put(in, o, INDEX, n);
	if (isa_literal(c, "+")) {
		if (!read_scalar_register(c, &reg))
			return false;
		put(in, o, OFFSET_ON, 1);
		put(in, o, OFFSET, reg);
	}
	return true;
}

void pp_write_index(const struct isa_operand *o, const struct isa_insn *in, struct isa_text *text)
{
	if (o->at[ALIGNMENT].width)
		write_index((int16_t)get(in, o, INDEX), pp_memory_unit(get(in, o, ALIGNMENT)), text);
	else
		isa_put_uint(text, get(in, o, INDEX));
	if (get(in, o, OFFSET_ON)) {
		isa_putc(text, '+');
		write_scalar_register(get(in, o, OFFSET), text);
	}
}

bool pp_read_varying(const struct isa_operand *o, struct isa_insn *in, struct isa_cursor *c)
{
	unsigned int components, reg;
	const char *at;
	int index;

	if (!read_index(c, 0, 63, &index, &components))
		return false;
	put(in, o, INDEX, index);
	put(in, o, ALIGNMENT, components - 1);
	at = c->at;
	if (isa_literal(c, "+")) {
		if (!read_scalar_register(c, &reg))
			return false;
		if (reg >> 2 == PP_NO_OFFSET) {
			c->at = at + 1;
			return isa_expect(c, "this register cannot be an offset (that code means none)");
		}
		put(in, o, OFFSET_ON, reg >> 2);
		put(in, o, OFFSET, reg & 3);
	}
	return true;
}

void pp_write_varying(const struct isa_operand *o, const struct isa_insn *in, struct isa_text *text)
{
	write_index(get(in, o, INDEX), pp_varying_unit(get(in, o, ALIGNMENT)), text);
	if (get(in, o, OFFSET_ON) != PP_NO_OFFSET) {
		isa_putc(text, '+');
		write_scalar_register(get(in, o, OFFSET_ON) << 2 | get(in, o, OFFSET), text);
	}
}

/* What is stored: the alignment that the index gave decides between $0 and $0.x. */
static bool stores_vector(const struct isa_operand *o, const struct isa_insn *in)
{
	return pp_memory_unit(get(in, o, ALIGNMENT)) > 1;
}

bool pp_read_stored(const struct isa_operand *o, struct isa_insn *in, struct isa_cursor *c)
{
	unsigned int reg;

	if (!(stores_vector(o, in) ? read_register(c, &reg) : read_scalar_register(c, &reg)))
		return false;
	put(in, o, 0, stores_vector(o, in) ? reg << 2 : reg);
	return true;
}

void pp_write_stored(const struct isa_operand *o, const struct isa_insn *in, struct isa_text *text)
{
	if (stores_vector(o, in))
		write_register(get(in, o, 0) >> 2, text);
	else
		write_scalar_register(get(in, o, 0), text);
}

/* --- Constants --------------------------------------------------------------------- */

bool pp_read_halves(const struct isa_operand *o, struct isa_insn *in, struct isa_cursor *c)
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
		put(in, o, i, h);
		c->at += n;
	}
	return true;
}

/* The fewest digits that make the same half, with a point or an exponent. */
static void write_half(uint16_t h, struct isa_text *text)
{
	float f = half_to_float(h);
	char buf[32];

	if ((h & 0x7c00) == 0x7c00) {
		isa_put_hex(text, h, 4);
		return;
	}
	if (f == rintf(f) && fabsf(f) < 2048) {
		isa_printf(text, "%.1f", f);
		return;
	}
	for (int precision = 1; precision <= 5; precision++) {
		snprintf(buf, sizeof(buf), "%.*g", precision, f);
		if (half_from_float(strtof(buf, NULL)) == h)
			break;
	}
	isa_puts(text, buf);
	if (!strpbrk(buf, ".e"))
		isa_puts(text, ".0");
}

void pp_write_halves(const struct isa_operand *o, const struct isa_insn *in, struct isa_text *text)
{
	for (int i = 0; i < 4; i++) {
		if (i)
			isa_putc(text, ' ');
		write_half(get(in, o, i), text);
	}
}

/* --- Branches ------------------------------------------------------------------------ */

bool pp_read_target(const struct isa_operand *o, struct isa_insn *in, struct isa_cursor *c)
{
	struct pp_context *place = in->ctx;
	struct isa_cursor word = *c;
	size_t sign = c->at < c->end && *c->at == '-';

	word.at += sign;
	place->target = c->at;
	place->target_length = isa_word_length(&word) + sign;
	if (place->target_length == sign)
		return isa_expect(c, "expected a label or an offset in words");
	c->at += place->target_length;
	return true;
}

void pp_write_target(const struct isa_operand *o, const struct isa_insn *in, struct isa_text *text)
{
	const struct pp_context *place = in->ctx;

	isa_printf(text, "%lld", (long long)(place->at + pp_target(in->bits)));
}
