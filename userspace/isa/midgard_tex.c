// SPDX-License-Identifier: MIT
/* Midgard: the texture unit's operands as text, after Mesa's disassemble.c. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "isa/midgard_text.h"

static const char *const tex_formats[4] = { "cube", "1d", "2d", "3d" };
static const char *const tex_exec[4] = { "reserved", "skip", "kill", NULL };
static const char *const tex_modes[16] = {
	[5] = "shadow", [6] = "gather.shadow", [8] = "gatherX", "gatherY", "gatherZ", "gatherW",
};
static const char *const derivatives[2] = { "x", "y" };
static const char *const vertex[1] = { "vtx" };

#define OP_TEX		1
#define OP_FETCH	4
#define OP_BARRIER	11
#define OP_DERIVATIVE	13
#define MODE_NORMAL	1

/*
 * The unit's input. T720 and T820 share registers between units, and Mesa, which
 * knows the GPU, names them so: R for AT, AL for TA. The words do not tell.
 */
static bool is_input(struct isa_cursor *c)
{
	return isa_literal(c, "AT") || isa_literal(c, "R");
}

/* A component of an input register, as texture and sampler numbers and levels are given. */
static void write_select(struct isa_text *text, unsigned int v)
{
	isa_printf(text, "AT%u.%c.%d", v >> 1 & 1, md_components[(v >> 3 & 3) + (v >> 2 & 1) * 4], v & 1 ? 32 : 16);
}

static bool read_size(struct isa_cursor *c, bool *full)
{
	*full = isa_literal(c, ".32");
	return *full || isa_literal(c, ".16") || isa_expect(c, "expected .32 or .16");
}

static bool read_select(struct isa_cursor *c, unsigned int *v)
{
	unsigned int reg;
	bool full;
	int n;

	if (!is_input(c) || !md_uint(c, 1, &reg))
		return isa_expect(c, "expected AT0 or AT1");
	n = c->end - c->at >= 2 && *c->at == '.' ? md_component(c->at[1]) : -1;
	if (n < 0 || n > 7)
		return isa_expect(c, "expected a component");
	c->at += 2;
	if (!read_size(c, &full))
		return false;
	*v = full | reg << 1 | (n > 3) << 2 | ((unsigned int)n & 3) << 3;
	return true;
}

static void write_modes(const struct isa_bits *b, struct isa_text *text)
{
	unsigned int mode = md_get(b, tex_mode), exec = md_get(b, tex_exec);

	isa_puts(text, md_get(b, tex_tag) == MD_TEX_VERTEX ? ".vtx" : "");
	if (md_get(b, tex_op) == OP_DERIVATIVE)
		isa_printf(text, mode < 2 ? ".%s" : "", mode < 2 ? derivatives[mode] : "");
	else if (tex_modes[mode])
		isa_printf(text, ".%s", tex_modes[mode]);
	isa_printf(text, ".%s", tex_formats[md_get(b, tex_format)]);
	if (tex_exec[exec])
		isa_printf(text, ".%s", tex_exec[exec]);
	if (md_get(b, tex_out_of_order))
		isa_printf(text, ".ooo%u", md_get(b, tex_out_of_order));
}

static bool read_modes(struct isa_bits *b, struct isa_cursor *c)
{
	unsigned int v;

	if (md_suffix(c, vertex, 1) == 0)
		md_put(b, tex_tag, MD_TEX_VERTEX);
	v = md_get(b, tex_op) == OP_DERIVATIVE ? md_suffix(c, derivatives, 2) : 16;
	if (v < 2)
		md_put(b, tex_mode, v);
	for (unsigned int i = 5; md_get(b, tex_op) != OP_DERIVATIVE && i < 12; i++) {
		size_t n = tex_modes[i] ? strlen(tex_modes[i]) : 0;

		if (n && (size_t)(c->end - c->at) > n && *c->at == '.' && !memcmp(c->at + 1, tex_modes[i], n)) {
			md_put(b, tex_mode, i);
			c->at += n + 1;
			break;
		}
	}
	v = md_suffix(c, tex_formats, 4);
	if (v == 4)
		return isa_expect(c, "expected .cube, .1d, .2d or .3d");
	md_put(b, tex_format, v);
	v = md_suffix(c, tex_exec, 4);
	md_put(b, tex_exec, v < 4 ? v : 3);
	if (!isa_literal(c, ".ooo"))
		return true;
	if (!md_uint(c, 15, &v))
		return false;
	md_put(b, tex_out_of_order, v);
	return true;
}

static void write_swizzle(struct isa_text *text, unsigned int swizzle, bool upper)
{
	if (swizzle == 0xe4 && !upper)
		return;
	isa_putc(text, '.');
	for (int i = 0; i < 4; i++)
		isa_putc(text, md_components[(swizzle >> 2 * i & 3) + upper * 4]);
}

static bool read_swizzle(struct isa_cursor *c, unsigned int *swizzle, bool *upper)
{
	unsigned int v = 0;

	*upper = c->end - c->at > 1 && md_component(c->at[1]) >= 4;
	for (unsigned int i = 0; i < 4; i++) {
		int n = c->end - c->at > 1 + (int)i ? md_component(c->at[1 + i]) - 4 * *upper : -1;

		if (*c->at != '.' || n < 0 || n > 3)
			return false;
		v |= (unsigned int)n << 2 * i;
	}
	c->at += 5;
	*swizzle = v;
	return true;
}

/* A full mask has no letters, in the upper half an apostrophe. */
static void write_result(const struct isa_bits *b, struct isa_text *text)
{
	unsigned int mask = md_get(b, tex_mask), upper = md_get(b, tex_out_upper);

	isa_printf(text, "TA%u", md_get(b, tex_out_select));
	if (mask == 15)
		isa_puts(text, upper ? "'" : "");
	else
		isa_putc(text, '.');
	for (unsigned int i = 0; mask < 15 && i < 4; i++)
		if (mask >> i & 1)
			isa_putc(text, md_components[i + upper * 4]);
	isa_printf(text, ".%c%d", md_get(b, tex_sampler_type) == 1 ? 'f' : 'i', md_get(b, tex_out_full) ? 32 : 16);
	if (md_get(b, tex_sampler_type) == 1 && md_get(b, tex_outmod))
		isa_printf(text, ".%s", md_float_outmods[md_get(b, tex_outmod)]);
}

static bool read_result(struct isa_bits *b, struct isa_cursor *c)
{
	unsigned int v, mask = 0;
	bool upper = false, real;

	if (!(isa_literal(c, "TA") || isa_literal(c, "AL")) || !md_uint(c, 1, &v))
		return isa_expect(c, "expected TA0 or TA1");
	md_put(b, tex_out_select, v);
	if (isa_literal(c, "'")) {
		upper = true;
		mask = 15;
	} else if (c->end - c->at > 2 && *c->at == '.' && !(strchr("fi", c->at[1]) && c->at[2] >= '0' && c->at[2] <= '9')) {
		for (c->at++; c->at < c->end && *c->at != '.' && md_component(*c->at) >= 0; c->at++) {
			upper |= md_component(*c->at) > 3;
			mask |= 1u << (md_component(*c->at) & 3);
		}
	} else {
		mask = 15;
	}
	md_put(b, tex_mask, mask);
	md_put(b, tex_out_upper, upper);
	real = isa_literal(c, ".f");
	if (!real && !isa_literal(c, ".i"))
		return isa_expect(c, "expected .f32, .f16, .i32 or .i16");
	if (!md_uint(c, 32, &v) || (v != 32 && v != 16))
		return isa_expect(c, "expected 32 or 16");
	md_put(b, tex_out_full, v == 32);
	v = real ? md_suffix(c, md_float_outmods, 4) : 0;
	md_put(b, tex_outmod, v & 3);
	return true;
}

/* textureN or texture[AT0.x.32] */
static bool read_handle(struct isa_cursor *c, bool *reg, unsigned int *v)
{
	*reg = isa_literal(c, "[");
	if (!*reg)
		return md_uint(c, 0xffff, v);
	return read_select(c, v) && (isa_literal(c, "]") || isa_expect(c, "expected ']'"));
}

static void write_handle(struct isa_text *text, bool reg, unsigned int v)
{
	if (reg) {
		isa_putc(text, '[');
		write_select(text, v);
		isa_putc(text, ']');
	} else {
		isa_put_uint(text, v);
	}
}

static void write_coordinate(const struct isa_bits *b, struct isa_text *text)
{
	unsigned int offset = md_get(b, tex_offset);

	isa_printf(text, "AT%u", md_get(b, tex_in_select));
	write_swizzle(text, md_get(b, tex_in_swizzle), md_get(b, tex_in_upper));
	isa_printf(text, ".%d", md_get(b, tex_in_full) ? 32 : 16);
	if (md_get(b, tex_offset_reg)) {
		isa_printf(text, " + AT%u", offset >> 1 & 1);
		write_swizzle(text, offset >> 3 & 0xff, offset >> 2 & 1);
		isa_printf(text, ".%d", offset & 1 ? 32 : 16);
	} else if (offset) {
		isa_printf(text, " + <%u, %u, %u>", offset & 15, offset >> 4 & 15, offset >> 8);
	}
}

static bool read_texel_offset(struct isa_bits *b, struct isa_cursor *c)
{
	unsigned int v, swizzle = 0xe4, offset = 0;
	bool upper = false, full;

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
	if (!is_input(c) || !md_uint(c, 1, &v))
		return isa_expect(c, "expected AT0, AT1 or <x, y, z>");
	if (c->at < c->end)
		read_swizzle(c, &swizzle, &upper);
	if (!read_size(c, &full))
		return false;
	md_put(b, tex_offset_reg, 1);
	md_put(b, tex_offset, full | v << 1 | upper << 2 | swizzle << 3);
	return true;
}

static bool read_coordinate(struct isa_bits *b, struct isa_cursor *c)
{
	unsigned int v, swizzle = 0xe4;
	bool upper = false, full;

	if (!is_input(c) || !md_uint(c, 1, &v))
		return isa_expect(c, "expected AT0 or AT1");
	md_put(b, tex_in_select, v);
	if (c->at < c->end)
		read_swizzle(c, &swizzle, &upper);
	md_put(b, tex_in_swizzle, swizzle);
	md_put(b, tex_in_upper, upper);
	if (!read_size(c, &full))
		return false;
	md_put(b, tex_in_full, full);
	isa_blanks(c);
	if (!isa_literal(c, "+"))
		return true;
	isa_blanks(c);
	return read_texel_offset(b, c);
}

/* Bias (+) or level (=): a register, a whole number for a fetch, a fixed-point one. */
static void write_level(const struct isa_bits *b, struct isa_text *text)
{
	unsigned int op = md_get(b, tex_op), fraction = md_get(b, tex_bias);
	int whole = md_sign_extend(md_get(b, tex_bias_int), 8);
	double v = whole + fraction / 256.0;

	if (md_get(b, tex_lod_reg)) {
		isa_printf(text, ", lod %c ", op == OP_TEX ? '+' : '=');
		write_select(text, fraction);
	} else if (op == OP_FETCH) {
		isa_printf(text, ", lod = %u", fraction);
	} else if (fraction || whole) {
		isa_printf(text, ", lod %c %f", op != OP_TEX ? '=' : v < 0 ? '-' : '+', fabs(v));
	}
}

static bool read_level(struct isa_bits *b, struct isa_cursor *c)
{
	const char *at = c->at;
	char number[24], *end;
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
		md_put(b, tex_lod_reg, 1);
		if (!read_select(c, &v))
			return false;
		md_put(b, tex_bias, v);
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
	if (md_get(b, tex_op) == OP_FETCH)
		fixed = (fixed >> 8 & 0xff);
	md_put(b, tex_bias, (uint32_t)fixed & 0xff);
	md_put(b, tex_bias_int, (uint32_t)(fixed >> 8) & 0xff);
	return true;
}

bool md_read_tex(struct isa_bits *b, char letter, struct isa_cursor *c)
{
	static const char types[] = "?fui";
	unsigned int v = 0, swizzle = 0xe4;
	const char *p;
	bool reg;

	switch (letter) {
	case 'm':
		return read_modes(b, c);
	case 'T':
		return read_result(b, c);
	case 'U':
		if (!isa_literal(c, "texture") || !read_handle(c, &reg, &v))
			return isa_expect(c, "expected 'texture' and its number or register");
		md_put(b, tex_texture_reg, reg);
		md_put(b, tex_texture, v);
		return true;
	case 'P':
		p = c->at < c->end && *c->at ? strchr(types, *c->at) : NULL;
		if (!p)
			return isa_expect(c, "expected fsampler, usampler or isampler and its number");
		md_put(b, tex_sampler_type, p - types);
		c->at++;
		if (!isa_literal(c, "sampler") || !read_handle(c, &reg, &v))
			return isa_expect(c, "expected 'sampler' and its number or register");
		md_put(b, tex_sampler_reg, reg);
		md_put(b, tex_sampler, v);
		if (c->at < c->end)
			read_swizzle(c, &swizzle, &reg);
		md_put(b, tex_swizzle, swizzle);
		return true;
	case 'I':
		return read_coordinate(b, c) && read_level(b, c);
	case 'b':
		/* A barrier's word is all 0 but for its kind and the two bits of exec. */
		memset(b, 0, sizeof(*b));
		md_put(b, tex_tag, MD_TEX_BARRIER);
		md_put(b, tex_op, OP_BARRIER);
		md_put(b, tex_exec, 3);
		if (isa_literal(c, ".ooo") && !md_uint(c, 15, &v))
			return false;
		md_put(b, tex_out_of_order, v);
		return true;
	}
	return false;
}

void md_write_tex(const struct isa_bits *b, char letter, struct isa_text *text)
{
	switch (letter) {
	case 'm':
		write_modes(b, text);
		break;
	case 'T':
		write_result(b, text);
		break;
	case 'U':
		isa_puts(text, "texture");
		write_handle(text, md_get(b, tex_texture_reg), md_get(b, tex_texture));
		break;
	case 'P':
		isa_printf(text, "%csampler", "?fui"[md_get(b, tex_sampler_type)]);
		write_handle(text, md_get(b, tex_sampler_reg), md_get(b, tex_sampler));
		write_swizzle(text, md_get(b, tex_swizzle), false);
		break;
	case 'I':
		write_coordinate(b, text);
		write_level(b, text);
		break;
	case 'b':
		if (md_get(b, tex_out_of_order))
			isa_printf(text, ".ooo%u", md_get(b, tex_out_of_order));
	}
}
