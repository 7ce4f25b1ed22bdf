// SPDX-License-Identifier: MIT
/*
 * Midgard: the texture unit's operands as text, after Mesa's disassemble.c, as far as midgard.c does not
 * declare them. T720 and T820 share registers between units, and Mesa, which knows the GPU, names them so: R
 * for AT, AL for TA. The words do not tell.
 */
#include <math.h>
#include <stdlib.h>

#include "isa/midgard_text.h"

static const char *const outmods[4] = { "", ".clamp_0_inf", ".clamp_m1_1", ".clamp_0_1" };

static bool read_input(struct isa_cursor *c, unsigned int *reg)
{
	return (isa_literal(c, "AT") || isa_literal(c, "R")) && md_uint(c, 1, reg) ? true : isa_expect(c, "expected AT0 or AT1");
}

static bool read_size(struct isa_cursor *c, bool *full)
{
	*full = isa_literal(c, ".32");
	return *full || isa_literal(c, ".16") || isa_expect(c, "expected .32 or .16");
}

/* A component of an input register, as texture and sampler numbers and levels are given. */
static void write_select(struct isa_text *text, unsigned int v)
{
	isa_printf(text, "AT%u.%c.%d", v >> 1 & 1, md_components[(v >> 3 & 3) + (v >> 2 & 1) * 4], v & 1 ? 32 : 16);
}

static bool read_select(struct isa_cursor *c, unsigned int *v)
{
	unsigned int reg, comp;
	bool full;

	if (!read_input(c, &reg) || !md_read_component(c, 8, &comp) || !read_size(c, &full))
		return false;
	*v = full | reg << 1 | (comp > 3) << 2 | (comp & 3) << 3;
	return true;
}

/* Four letters, those of the upper half when upper. */
static void write_four(struct isa_text *text, unsigned int swizzle, bool upper)
{
	if (swizzle == 0xe4 && !upper)
		return;
	isa_putc(text, '.');
	for (int i = 0; i < 4; i++)
		isa_putc(text, md_components[(swizzle >> 2 * i & 3) + upper * 4]);
}

static void read_four(struct isa_cursor *c, unsigned int *swizzle, bool *upper)
{
	unsigned int v = 0;

	*swizzle = 0xe4;
	*upper = c->end - c->at > 1 && md_component(c->at[1]) >= 4;
	for (unsigned int i = 0; i < 4; i++) {
		int n = c->end - c->at > 1 + (int)i && *c->at == '.' ? md_component(c->at[1 + i]) - 4 * *upper : -1;

		if (n < 0 || n > 3) {
			*upper = false;
			return;
		}
		v |= (unsigned int)n << 2 * i;
	}
	c->at += 5;
	*swizzle = v;
}

void md_write_swizzle(const struct isa_operand *o, const struct isa_insn *in, struct isa_text *text)
{
	write_four(text, md_at(o, in->bits, 0), false);
}

bool md_read_swizzle(const struct isa_operand *o, struct isa_insn *in, struct isa_cursor *c)
{
	unsigned int swizzle;
	bool upper;

	read_four(c, &swizzle, &upper);
	md_put_at(o, in->bits, 0, swizzle);
	return true;
}

/* A full mask has no letters, in the upper half an apostrophe. */
void md_write_result(const struct isa_operand *o, const struct isa_insn *in, struct isa_text *text)
{
	unsigned int mask = md_get(in->bits, tex_mask), upper = md_get(in->bits, tex_out_upper);
	bool real = md_get(in->bits, tex_sampler_type) == 1;

	isa_printf(text, "TA%u%s", md_get(in->bits, tex_out_select), mask < 15 ? "." : upper ? "'" : "");
	for (unsigned int i = 0; mask < 15 && i < 4; i++)
		if (mask >> i & 1)
			isa_putc(text, md_components[i + upper * 4]);
	isa_printf(text, ".%c%d%s", real ? 'f' : 'i', md_get(in->bits, tex_out_full) ? 32 : 16,
		   real ? outmods[md_get(in->bits, tex_outmod)] : "");
}

bool md_read_result(const struct isa_operand *o, struct isa_insn *in, struct isa_cursor *c)
{
	unsigned int v, mask = 0, outmod = 0;
	bool upper = false, real;

	if (!(isa_literal(c, "TA") || isa_literal(c, "AL")) || !md_uint(c, 1, &v))
		return isa_expect(c, "expected TA0 or TA1");
	md_put(in->bits, tex_out_select, v);
	if (isa_literal(c, "'")) {
		upper = true;
		mask = 15;
	} else if (c->end - c->at > 2 && *c->at == '.' && !(strchr("fi", c->at[1]) && isa_is(c->at[2], ISA_DIGIT))) {
		for (c->at++; c->at < c->end && *c->at != '.' && md_component(*c->at) >= 0; c->at++) {
			upper |= md_component(*c->at) > 3;
			mask |= 1u << (md_component(*c->at) & 3);
		}
	} else {
		mask = 15;
	}
	md_put(in->bits, tex_mask, mask);
	md_put(in->bits, tex_out_upper, upper);
	real = isa_literal(c, ".f");
	if (!real && !isa_literal(c, ".i"))
		return isa_expect(c, "expected .f32, .f16, .i32 or .i16");
	if (!md_uint(c, 32, &v) || (v != 32 && v != 16))
		return isa_expect(c, "expected 32 or 16");
	md_put(in->bits, tex_out_full, v == 32);
	for (unsigned int i = 1; real && i < 4; i++)
		if (!outmod && isa_literal(c, outmods[i]))
			outmod = i;
	md_put(in->bits, tex_outmod, outmod);
	return true;
}

/* A name, and a number or [AT0.x.32]. Places: whether it is a register, number or register, which name. */
void md_write_handle(const struct isa_operand *o, const struct isa_insn *in, struct isa_text *text)
{
	unsigned int v = md_at(o, in->bits, 1);

	isa_puts(text, o->names[o->at[2].width ? md_at(o, in->bits, 2) : 0]);
	if (!md_at(o, in->bits, 0)) {
		isa_put_uint(text, v);
		return;
	}
	isa_putc(text, '[');
	write_select(text, v);
	isa_putc(text, ']');
}

bool md_read_handle(const struct isa_operand *o, struct isa_insn *in, struct isa_cursor *c)
{
	unsigned int names = 1u << o->at[2].width, i = 0, v;
	bool reg;

	while (i < names && !isa_literal(c, o->names[i]))
		i++;
	reg = isa_literal(c, "[");
	if (i == names || !(reg ? read_select(c, &v) : md_uint(c, 0xffff, &v)) || (reg && !isa_literal(c, "]")))
		return isa_expect(c, "expected %s and its number or register", names > 1 ? "fsampler, usampler or isampler" : "'texture'");
	if (names > 1)
		md_put_at(o, in->bits, 2, i);
	md_put_at(o, in->bits, 0, reg);
	md_put_at(o, in->bits, 1, v);
	return true;
}

void md_write_coordinate(const struct isa_operand *o, const struct isa_insn *in, struct isa_text *text)
{
	unsigned int offset = md_get(in->bits, tex_offset);

	isa_printf(text, "AT%u", md_get(in->bits, tex_in_select));
	write_four(text, md_get(in->bits, tex_in_swizzle), md_get(in->bits, tex_in_upper));
	isa_printf(text, ".%d", md_get(in->bits, tex_in_full) ? 32 : 16);
	if (md_get(in->bits, tex_offset_reg)) {
		isa_printf(text, " + AT%u", offset >> 1 & 1);
		write_four(text, offset >> 3 & 0xff, offset >> 2 & 1);
		isa_printf(text, ".%d", offset & 1 ? 32 : 16);
	} else if (offset) {
		isa_printf(text, " + <%u, %u, %u>", offset & 15, offset >> 4 & 15, offset >> 8);
	}
}

static bool read_texel_offset(struct isa_bits *b, struct isa_cursor *c)
{
	unsigned int v, swizzle, offset = 0;
	bool upper, full;

	if (isa_literal(c, "<")) {
		for (unsigned int i = 0; i < 3; i++) {
			isa_blanks(c);
			if (!md_uint(c, 15, &v))
				return false;
			offset |= v << 4 * i;
			if (!isa_literal(c, i < 2 ? "," : ">"))
				return isa_expect(c, "expected an offset of three numbers: <x, y, z>");
		}
		md_put(b, tex_offset, offset);
		return true;
	}
	if (!read_input(c, &v))
		return isa_expect(c, "expected AT0, AT1 or <x, y, z>");
	read_four(c, &swizzle, &upper);
	if (!read_size(c, &full))
		return false;
	md_put(b, tex_offset_reg, 1);
	md_put(b, tex_offset, full | v << 1 | upper << 2 | swizzle << 3);
	return true;
}

bool md_read_coordinate(const struct isa_operand *o, struct isa_insn *in, struct isa_cursor *c)
{
	unsigned int v, swizzle;
	bool upper, full;

	if (!read_input(c, &v))
		return false;
	read_four(c, &swizzle, &upper);
	md_put(in->bits, tex_in_select, v);
	md_put(in->bits, tex_in_swizzle, swizzle);
	md_put(in->bits, tex_in_upper, upper);
	if (!read_size(c, &full))
		return false;
	md_put(in->bits, tex_in_full, full);
	isa_blanks(c);
	if (!isa_literal(c, "+"))
		return true;
	isa_blanks(c);
	return read_texel_offset(in->bits, c);
}

/* Bias (+) or level (=): a register, a whole number for a fetch, a fixed-point one. */
void md_write_level(const struct isa_operand *o, const struct isa_insn *in, struct isa_text *text)
{
	unsigned int op = in->op->id, fraction = md_get(in->bits, tex_bias);
	int whole = (int8_t)md_get(in->bits, tex_bias_int);
	double v = whole + fraction / 256.0;

	if (md_get(in->bits, tex_lod_reg)) {
		isa_printf(text, ", lod %c ", op == MD_OP_TEX ? '+' : '=');
		write_select(text, fraction);
	} else if (op == MD_OP_TEX_FETCH) {
		isa_printf(text, ", lod = %u", fraction);
	} else if (fraction || whole) {
		isa_printf(text, ", lod %c %f", op != MD_OP_TEX ? '=' : v < 0 ? '-' : '+', fabs(v));
	}
}

bool md_read_level(const struct isa_operand *o, struct isa_insn *in, struct isa_cursor *c)
{
	char number[24], *end;
	const char *at = c->at;
	unsigned int v;
	bool minus;
	size_t n = 0;
	int fixed;

	isa_blanks(c);
	if (isa_literal(c, ","))
		isa_blanks(c);
	if (!isa_literal(c, "lod")) {
		c->at = at;
		return true;
	}
	isa_blanks(c);
	minus = c->at < c->end && *c->at == '-';
	if (c->at >= c->end || !strchr("+-=", *c->at))
		return isa_expect(c, "expected '+', '-' or '='");
	c->at++;
	isa_blanks(c);
	if (c->at < c->end && (*c->at == 'A' || *c->at == 'R')) {
		if (!read_select(c, &v))
			return false;
		md_put(in->bits, tex_lod_reg, 1);
		md_put(in->bits, tex_bias, v);
		return true;
	}
	while (c->at + n < c->end && n < sizeof(number) - 1 && strchr("0123456789.", c->at[n]))
		n++;
	memcpy(number, c->at, n);
	number[n] = 0;
	fixed = (int)lrint(fmin(strtod(number, &end), 255) * 256) * (minus ? -1 : 1);
	if (!n || *end)
		return isa_expect(c, "expected a number or a register");
	c->at += n;
	md_put(in->bits, tex_bias, (uint32_t)(in->op->id == MD_OP_TEX_FETCH ? fixed >> 8 : fixed));
	md_put(in->bits, tex_bias_int, in->op->id == MD_OP_TEX_FETCH ? 0 : (uint32_t)(fixed >> 8));
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
