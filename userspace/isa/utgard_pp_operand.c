// SPDX-License-Identifier: MIT
/* Utgard PP: the operands of an instruction's fields, each read and written. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/half.h"
#include "isa/utgard_pp.h"

/* --- Components ---------------------------------------------------------------- */

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

bool pp_read_mask(const struct isa_operand *o, struct isa_insn *in, struct isa_cursor *c)
{
	unsigned int comp[4], n = 0, mask = 15;
	const char *at = c->at;

	if (isa_literal(c, ".")) {
		mask = 0;
		read_letters(c, comp, &n);
	}
	for (unsigned int i = 0; i < n; i++) {
		if (i && comp[i] <= comp[i - 1]) {
			c->at = at + 1;
			return isa_expect(c, "a destination's components come in the order x, y, z, w, each once");
		}
		mask |= 1u << comp[i];
	}
	isa_put_at(o, in->bits, 0, mask);
	return true;
}

void pp_write_mask(const struct isa_operand *o, const struct isa_insn *in, struct isa_text *text)
{
	unsigned int mask = isa_get_at(o, in->bits, 0);

	for (int i = mask == 15 ? 4 : -1; i < 4; i++)
		if (i < 0 || mask >> i & 1)
			isa_putc(text, i < 0 ? '.' : "xyzw"[i]);
}

/* --- Products -------------------------------------------------------------------- */

bool pp_read_shift(const struct isa_operand *o, struct isa_insn *in, struct isa_cursor *c)
{
	int64_t n = 0;

	if (isa_literal(c, "<<") && !isa_number(c, -3, 7, &n))
		return false;
	isa_put_at(o, in->bits, 0, n & 7);
	return true;
}

void pp_write_shift(const struct isa_operand *o, const struct isa_insn *in, struct isa_text *text)
{
	if (isa_get_at(o, in->bits, 0))
		isa_printf(text, "<<%u", isa_get_at(o, in->bits, 0));
}

/* --- Memory ------------------------------------------------------------------------ */

/*
 * 3, 3.xy, 3.z: index in units of four, two or one components, which is an alignment that varyings (unsigned) and
 * memory (signed) encode in their own ways.
 */
bool pp_read_index(const struct isa_operand *o, struct isa_insn *in, struct isa_cursor *c)
{
	bool memory = o->arg;
	int64_t lo = memory ? -32768 : 0, hi = memory ? 32767 : 63, v;
	unsigned int comp[4], n = 4;
	const char *at = c->at;

	if (!isa_number(c, lo, hi, &v))
		return false;
	if (isa_literal(c, ".")) {
		read_letters(c, comp, &n);
		if (n == 1 || (n == 2 && comp[0] % 2 == 0 && comp[1] == comp[0] + 1))
			v = v * 4 / (int)n + comp[0] / n;
		else if (n != 4)
			return isa_expect(c, "expected one component, .xy or .zw, or nothing for all four");
	}
	if (v < lo || v > hi) {
		c->at = at;
		return isa_expect(c, "this index does not fit its field");
	}
	isa_put_at(o, in->bits, 0, v);
	isa_put_at(o, in->bits, 1, memory && n == 4 ? 2 : n - 1);
	return true;
}

void pp_write_index(const struct isa_operand *o, const struct isa_insn *in, struct isa_text *text)
{
	unsigned int unit = o->arg ? pp_memory_unit(isa_get_at(o, in->bits, 1)) : pp_varying_unit(isa_get_at(o, in->bits, 1));
	int index = o->arg ? (int16_t)isa_get_at(o, in->bits, 0) : (int)isa_get_at(o, in->bits, 0);

	isa_printf(text, "%d", unit == 4 ? index : unit == 2 ? index >> 1 : index >> 2);
	if (unit == 2)
		isa_puts(text, index & 1 ? ".zw" : ".xy");
	else if (unit == 1)
		isa_printf(text, ".%c", "xyzw"[index & 3]);
}

/* What is stored: the alignment that the index gave decides between $0 and $0.x. Its parts are in list. */
static bool stores_vector(const struct isa_operand *o, const struct isa_insn *in)
{
	return pp_memory_unit(isa_get_at(o, in->bits, 1)) > 1;
}

bool pp_read_stored(const struct isa_operand *o, struct isa_insn *in, struct isa_cursor *c)
{
	isa_put_at(o, in->bits, 0, 0);
	return isa_operand_read(&o->list[0], in, c) && (stores_vector(o, in) || isa_operand_read(&o->list[1], in, c));
}

void pp_write_stored(const struct isa_operand *o, const struct isa_insn *in, struct isa_text *text)
{
	isa_operand_write(&o->list[0], in, text);
	if (!stores_vector(o, in))
		isa_operand_write(&o->list[1], in, text);
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
		isa_put_at(o, in->bits, i, h);
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
		isa_printf(text, "0x%04x", h);
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
		write_half(isa_get_at(o, in->bits, i), text);
	}
}
