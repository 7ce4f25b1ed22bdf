// SPDX-License-Identifier: MIT
/*
 * Midgard: operands, as text. After Mesa's disassembler, with everything
 * written out that it leaves to the reader: unit, swizzles, register halves.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "isa/half.h"
#include "isa/midgard.h"

static const char components[] = "xyzwefgh";

/* --- Small things ------------------------------------------------------------- */

/* ".name" of a list; count: none of them. */
static unsigned int read_suffix(struct isa_cursor *c, const char *const *names, unsigned int count)
{
	for (unsigned int i = 0; i < count; i++) {
		size_t n = names[i] ? strlen(names[i]) : 0;

		if (!n || c->end - c->at <= (ptrdiff_t)n || *c->at != '.' || memcmp(c->at + 1, names[i], n))
			continue;
		/* All of the word, not its beginning. */
		if (c->at + 1 + n < c->end && ((c->at[1 + n] >= 'a' && c->at[1 + n] <= 'z') || c->at[1 + n] == '_' ||
					       (c->at[1 + n] >= '0' && c->at[1 + n] <= '9')))
			continue;
		c->at += n + 1;
		return i;
	}
	return count;
}

static bool read_uint(struct isa_cursor *c, unsigned int max, unsigned int *v)
{
	int64_t n;

	if (!isa_number(c, 0, max, &n))
		return false;
	*v = n;
	return true;
}

static int component(char ch)
{
	const char *p = ch ? strchr(components, ch) : NULL;

	return p ? p - components : -1;
}

/* Registers of the ALU: special ones by what they are for that side. */
static void write_reg(struct isa_text *text, unsigned int reg, bool dest)
{
	static const char *const read[16] = { [8] = "TMP0", "TMP1", "const", "AL1", "TA0", "TA1", "R30", "PC_SP" };
	static const char *const written[16] = { [8] = "TMP0", "TMP1", "AL0", "AL1", "AT0", "AT1", "R30", "R31" };
	const char *name = reg >= 16 ? (dest ? written : read)[reg - 16] : NULL;

	if (name)
		isa_printf(text, "%s", name);
	else if (reg >= 16)
		isa_printf(text, "U%u", 23 - reg);
	else
		isa_printf(text, "R%u", reg);
}

static bool read_reg(struct isa_cursor *c, unsigned int *reg)
{
	static const struct { const char *name; uint8_t reg; } names[] = {
		{ "TMP0", 24 }, { "TMP1", 25 }, { "const", 26 }, { "AL0", 26 }, { "AL1", 27 }, { "TA0", 28 },
		{ "TA1", 29 }, { "AT0", 28 }, { "AT1", 29 }, { "PC_SP", 31 },
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (isa_literal(c, names[i].name)) {
			*reg = names[i].reg;
			return true;
		}
	}
	if (isa_literal(c, "U")) {
		if (!read_uint(c, 7, reg))
			return false;
		*reg = 23 - *reg;
		return true;
	}
	if (isa_literal(c, "R"))
		return read_uint(c, 31, reg);
	return isa_expect(c, "expected a register");
}

static void write_swizzle(struct isa_text *text, char mark, unsigned int swizzle)
{
	if (swizzle == 0xe4)
		return;
	isa_printf(text, "%c", mark);
	for (int i = 0; i < 4; i++)
		isa_printf(text, "%c", components[swizzle >> 2 * i & 3]);
}

/* Four letters of xyzw after the mark. */
static bool read_swizzle(struct isa_cursor *c, char mark, unsigned int *swizzle)
{
	unsigned int v = 0;

	if (c->end - c->at < 5 || *c->at != mark)
		return false;
	for (int i = 0; i < 4; i++) {
		int n = component(c->at[1 + i]);

		if (n < 0 || n > 3)
			return false;
		v |= n << 2 * i;
	}
	if (c->end - c->at > 5 && component(c->at[5]) >= 0)
		return false;
	c->at += 5;
	*swizzle = v;
	return true;
}

/* Letters for a mask of n components; false: the mask has no such form. */
static void write_mask(struct isa_text *text, char mark, unsigned int mask, unsigned int n)
{
	if (mask == (1u << n) - 1)
		return;
	isa_printf(text, mask ? "%c" : "%cnone", mark);
	for (unsigned int i = 0; i < n; i++) {
		if (mask >> i & 1)
			isa_printf(text, "%c", components[i]);
	}
}

static bool read_mask(struct isa_cursor *c, char mark, unsigned int n, unsigned int *mask)
{
	const char *p = c->at + 1;

	*mask = (1u << n) - 1;
	if (c->at >= c->end || *c->at != mark)
		return true;
	*mask = 0;
	if (c->end - p >= 4 && !memcmp(p, "none", 4)) {
		c->at = p + 4;
		return true;
	}
	for (; p < c->end && component(*p) >= 0; p++) {
		if (component(*p) >= (int)n)
			return isa_expect(c, "a component that this width does not have");
		*mask |= 1u << component(*p);
	}
	if (!*mask || (p < c->end && ((*p >= 'a' && *p <= 'z') || *p == '_')))
		return isa_expect(c, "unknown modifier");
	c->at = p;
	return true;
}

/* --- ALU ---------------------------------------------------------------------- */

static const char *const float_outmods[4] = { NULL, "clamp_0_inf", "clamp_m1_1", "clamp_0_1" };
static const char *const int_outmods[4] = { "ssat", "usat", NULL, "keephi" };
static const char *const expands[8] = {
	NULL, "rep_low", "rep_high", "swap", "expand_low", "expand_high", "expand_low_swap", "expand_high_swap",
};
static const char *const float_mods[2] = { "abs", "neg" };
static const char *const int_mods[4] = { NULL, "zext", "replicate", "lshift" };
static const char *const shrinks[2] = { "shrink_lo", "shrink_hi" };

/* Of the 8-bit mask, bits for one component; components of the destination. */
static unsigned int mask_step(unsigned int mode)
{
	return mode == 3 ? 4 : mode == 2 ? 2 : 1;
}

static unsigned int narrow_mask(unsigned int mask, unsigned int step)
{
	unsigned int v = 0;

	for (unsigned int i = 0; i < 8 / step; i++)
		v |= (mask >> i * step & 1) << i;
	return v;
}

static unsigned int widen_mask(unsigned int mask, unsigned int step)
{
	unsigned int v = 0;

	for (unsigned int i = 0; i < 8 / step; i++)
		v |= mask >> i & 1 ? ((1u << step) - 1) << i * step : 0;
	return v;
}

static void write_outmod(struct isa_text *text, unsigned int outmod, bool integer)
{
	const char *name = (integer ? int_outmods : float_outmods)[outmod];

	if (name)
		isa_printf(text, ".%s", name);
}

static unsigned int read_outmod(struct isa_cursor *c, bool integer)
{
	unsigned int v = read_suffix(c, integer ? int_outmods : float_outmods, 4);

	return v < 4 ? v : integer ? 2 : 0;
}

static void write_mods(struct isa_text *text, unsigned int mod, bool integer)
{
	if (integer && int_mods[mod])
		isa_printf(text, ".%s", int_mods[mod]);
	else if (!integer)
		isa_printf(text, "%s%s", mod & 1 ? ".abs" : "", mod & 2 ? ".neg" : "");
}

static unsigned int read_mods(struct isa_cursor *c, bool integer)
{
	unsigned int v;

	if (integer) {
		v = read_suffix(c, int_mods, 4);
		return v < 4 ? v : 0;
	}
	v = read_suffix(c, float_mods, 1) == 0 ? 1 : 0;
	return v | (read_suffix(c, float_mods + 1, 1) == 0 ? 2 : 0);
}

static void write_immediate(struct isa_text *text, uint16_t v, bool integer)
{
	float f = half_to_float(v);

	if (integer)
		isa_printf(text, "#%u", v);
	else if (isfinite(f) && half_from_float(f) == v && !(f == 0 && v))
		isa_printf(text, "#%.9g", f);
	else
		isa_printf(text, "#h0x%04x", v);
}

static bool read_immediate(struct isa_cursor *c, bool integer, unsigned int *v)
{
	char number[32], *end;
	size_t n = 0;

	if (isa_literal(c, "h"))
		return read_uint(c, 0xffff, v);
	if (integer)
		return read_uint(c, 0xffff, v);
	while (c->at + n < c->end && n < sizeof(number) - 1 && strchr("0123456789+-.e", c->at[n]))
		n++;
	memcpy(number, c->at, n);
	number[n] = 0;
	*v = half_from_float(strtof(number, &end));
	if (!n || *end)
		return isa_expect(c, "expected a number");
	c->at += n;
	return true;
}

static void vec_source(const struct isa_bits *b, bool second, struct isa_text *text)
{
	bool integer = md_is_int(md_get(b, vec_op));
	unsigned int expand = second ? md_get(b, vec_src2_expand) : md_get(b, vec_src1_expand);
	unsigned int swizzle = second ? md_get(b, vec_src2_swizzle) : md_get(b, vec_src1_swizzle);

	if (second && md_get(b, vec_imm)) {
		write_immediate(text, md_get(b, vec_src2) << 11 | expand << 8 | swizzle, integer);
		return;
	}
	write_reg(text, second ? md_get(b, vec_src2) : md_get(b, vec_src1), false);
	write_swizzle(text, '.', swizzle);
	if (expands[expand])
		isa_printf(text, ".%s", expands[expand]);
	write_mods(text, second ? md_get(b, vec_src2_mod) : md_get(b, vec_src1_mod), integer);
}

static bool read_vec_source(struct isa_bits *b, bool second, struct isa_cursor *c)
{
	bool integer = md_is_int(md_get(b, vec_op));
	unsigned int v, reg, expand, swizzle = 0xe4, mod;

	if (second && isa_literal(c, "#")) {
		if (!read_immediate(c, integer, &v))
			return false;
		md_put(b, vec_imm, 1);
		md_put(b, vec_src2, v >> 11);
		md_put(b, vec_src2_expand, v >> 8);
		md_put(b, vec_src2_swizzle, v);
		return true;
	}
	if (!read_reg(c, &reg))
		return false;
	read_swizzle(c, '.', &swizzle);
	expand = read_suffix(c, expands, 8);
	expand = expand < 8 ? expand : 0;
	mod = read_mods(c, integer);
	if (second) {
		md_put(b, vec_src2, reg);
		md_put(b, vec_src2_expand, expand);
		md_put(b, vec_src2_swizzle, swizzle);
		md_put(b, vec_src2_mod, mod);
	} else {
		md_put(b, vec_src1, reg);
		md_put(b, vec_src1_expand, expand);
		md_put(b, vec_src1_swizzle, swizzle);
		md_put(b, vec_src1_mod, mod);
	}
	return true;
}

static void vec_dest(const struct isa_bits *b, struct isa_text *text)
{
	unsigned int step = mask_step(md_get(b, vec_mode)), mask = md_get(b, vec_mask);

	write_reg(text, md_get(b, vec_dest), true);
	write_mask(text, '.', narrow_mask(mask, step), 8 / step);
	if (md_get(b, vec_shrink) < 2)
		isa_printf(text, ".%s", shrinks[md_get(b, vec_shrink)]);
	write_outmod(text, md_get(b, vec_outmod), md_is_int_out(md_get(b, vec_op)));
}

/* Does a mask, rather than another modifier, begin here? */
static bool mask_begins(const struct isa_cursor *c)
{
	const char *p = c->at + 1;

	if (c->at >= c->end || *c->at != '.')
		return false;
	if (c->end - p >= 4 && !memcmp(p, "none", 4))
		return true;
	while (p < c->end && component(*p) >= 0)
		p++;
	return p > c->at + 1 && (p == c->end || !((*p >= 'a' && *p <= 'z') || *p == '_'));
}

static bool read_vec_dest(struct isa_bits *b, struct isa_cursor *c)
{
	unsigned int step = mask_step(md_get(b, vec_mode)), mask = (1u << 8 / step) - 1, reg, shrink;

	if (!read_reg(c, &reg) || (mask_begins(c) && !read_mask(c, '.', 8 / step, &mask)))
		return false;
	md_put(b, vec_dest, reg);
	md_put(b, vec_mask, widen_mask(mask, step));
	shrink = read_suffix(c, shrinks, 2);
	md_put(b, vec_shrink, shrink);
	md_put(b, vec_outmod, read_outmod(c, md_is_int_out(md_get(b, vec_op))));
	return true;
}

static void scalar_part(struct isa_text *text, unsigned int comp, bool full)
{
	isa_printf(text, ".%c%s", components[full ? comp >> 1 : comp], full ? "" : ".half");
}

static bool read_scalar_part(struct isa_cursor *c, unsigned int *comp, bool *full)
{
	static const char *const half[1] = { "half" };
	int n = c->end - c->at >= 2 && *c->at == '.' ? component(c->at[1]) : -1;

	if (n < 0)
		return isa_expect(c, "expected a component: .x to .h");
	c->at += 2;
	*full = read_suffix(c, half, 1) == 1;
	if (*full && n > 3)
		return isa_expect(c, "a 32-bit register has no component %c", components[n]);
	*comp = *full ? 2 * n : n;
	return true;
}

static void scalar_source(const struct isa_bits *b, bool second, struct isa_text *text)
{
	bool integer = md_is_int(md_get(b, sca_op));

	if (second && md_get(b, sca_imm)) {
		write_immediate(text, md_get(b, sca_src2) << 11 | md_get(b, sca_src2_mod) << 9 |
				md_get(b, sca_src2_full) << 8 | md_get(b, sca_src2_comp) << 5 |
				md_get(b, sca_src2_low), integer);
		return;
	}
	write_reg(text, second ? md_get(b, sca_src2) : md_get(b, sca_src1), false);
	scalar_part(text, second ? md_get(b, sca_src2_comp) : md_get(b, sca_src1_comp),
		    second ? md_get(b, sca_src2_full) : md_get(b, sca_src1_full));
	write_mods(text, second ? md_get(b, sca_src2_mod) : md_get(b, sca_src1_mod), integer);
}

static bool read_scalar_source(struct isa_bits *b, bool second, struct isa_cursor *c)
{
	bool integer = md_is_int(md_get(b, sca_op)), full;
	unsigned int v, reg, comp;

	if (second && isa_literal(c, "#")) {
		if (!read_immediate(c, integer, &v))
			return false;
		md_put(b, sca_imm, 1);
		md_put(b, sca_src2, v >> 11);
		md_put(b, sca_src2_mod, v >> 9);
		md_put(b, sca_src2_full, v >> 8);
		md_put(b, sca_src2_comp, v >> 5);
		md_put(b, sca_src2_low, v);
		return true;
	}
	if (!read_reg(c, &reg) || !read_scalar_part(c, &comp, &full))
		return false;
	if (second) {
		md_put(b, sca_src2, reg);
		md_put(b, sca_src2_comp, comp);
		md_put(b, sca_src2_full, full);
		md_put(b, sca_src2_mod, read_mods(c, integer));
	} else {
		md_put(b, sca_src1, reg);
		md_put(b, sca_src1_comp, comp);
		md_put(b, sca_src1_full, full);
		md_put(b, sca_src1_mod, read_mods(c, integer));
	}
	return true;
}

static bool read_scalar_dest(struct isa_bits *b, struct isa_cursor *c)
{
	unsigned int reg, comp;
	bool full;

	if (!read_reg(c, &reg) || !read_scalar_part(c, &comp, &full))
		return false;
	md_put(b, sca_dest, reg);
	md_put(b, sca_out_comp, comp);
	md_put(b, sca_out_full, full);
	md_put(b, sca_outmod, read_outmod(c, md_is_int_out(md_get(b, sca_op))));
	return true;
}

static bool read_width(struct isa_bits *b, bool vector, struct isa_cursor *c)
{
	unsigned int op = vector ? md_get(b, vec_op) : md_get(b, sca_op), bits, mode = 0;
	const char *letter = md_is_int_out(op) ? ".i" : ".f";

	if (!isa_literal(c, letter))
		return isa_expect(c, "expected '%s8', '%s16', '%s32' or '%s64'", letter, letter, letter, letter);
	if (!read_uint(c, 64, &bits))
		return false;
	while (mode < 3 && 8u << mode != bits)
		mode++;
	if (8u << mode != bits || (!vector && bits != 32))	/* the place is behind the number */
		return isa_expect(c, "lanes of %u bits there are not", bits);
	if (vector)
		md_put(b, vec_mode, mode);
	return true;
}

/* --- Branches ------------------------------------------------------------------- */

static const char *const conditions[4] = { "write0", "false", "true", "always" };
static const char *const calls[4] = { "reserved", NULL, "call", "return" };

static void write_condition(struct isa_text *text, unsigned int cond, bool wide)
{
	if (wide && cond != (cond & 3) * 0x5555)
		isa_printf(text, "lut0x%x", cond);
	else
		isa_printf(text, "%s", conditions[cond & 3]);
}

static bool read_condition(struct isa_cursor *c, bool wide, unsigned int *cond)
{
	if (wide && isa_literal(c, "lut"))
		return read_uint(c, 0xffff, cond);
	for (unsigned int i = 0; i < 4; i++) {
		if (isa_literal(c, conditions[i])) {
			*cond = wide ? i * 0x5555 : i;
			return true;
		}
	}
	return isa_expect(c, "expected write0, false, true or always");
}

static int sign_extend(uint32_t v, unsigned int bits)
{
	return (int32_t)(v << (32 - bits)) >> (32 - bits);
}

static bool read_signed(struct isa_cursor *c, unsigned int bits, uint32_t *v)
{
	int64_t n;

	isa_literal(c, "+");
	if (!isa_number(c, -(1ll << (bits - 1)), (1ll << (bits - 1)) - 1, &n))
		return false;
	*v = n;
	return true;
}

/* Where a branch's fields are, by its form. */
static void branch_places(unsigned int form, unsigned int *offset, unsigned int *width, unsigned int *tag)
{
	*offset = form == MD_F_BR ? MD_br_offset : form == MD_F_BRU ? MD_bru_offset : MD_brx_offset;
	*width = form == MD_F_BRX ? MD_brx_offset_width : MD_br_offset_width;
	*tag = form == MD_F_BR ? MD_br_tag : form == MD_F_BRU ? MD_bru_tag : MD_brx_tag;
}

static bool read_branch(struct isa_bits *b, unsigned int form, char letter, struct isa_cursor *c)
{
	unsigned int offset, width, tag, v = 0;
	uint32_t n;

	branch_places(form, &offset, &width, &tag);
	switch (letter) {
	case 'o':
		if (!read_signed(c, width, &n))
			return false;
		isa_put(b, offset, width, n);
		return true;
	case 't':
		if (!read_uint(c, 15, &v))
			return false;
		isa_put(b, tag, 4, v);
		return true;
	case 'c':
		if (!read_condition(c, form == MD_F_BRX, &v))
			return false;
		if (form == MD_F_BRX)
			md_put(b, brx_cond, v);
		else
			md_put(b, br_cond, v);
		return true;
	case 'k':
		v = read_suffix(c, calls, 4);
		v = v < 4 ? v : 1;
		if (form == MD_F_BRX)
			md_put(b, brx_call, v);
		else
			md_put(b, bru_call, v);
		return true;
	}
	return false;
}

static void write_branch(const struct isa_bits *b, unsigned int form, char letter, struct isa_text *text)
{
	unsigned int offset, width, tag, call;

	branch_places(form, &offset, &width, &tag);
	switch (letter) {
	case 'o':
		isa_printf(text, "%+d", sign_extend(isa_get(b, offset, width), width));
		break;
	case 't':
		isa_printf(text, "%u", isa_get(b, tag, 4));
		break;
	case 'c':
		write_condition(text, form == MD_F_BRX ? md_get(b, brx_cond) : md_get(b, br_cond), form == MD_F_BRX);
		break;
	case 'k':
		call = form == MD_F_BRX ? md_get(b, brx_call) : md_get(b, bru_call);
		if (calls[call])
			isa_printf(text, ".%s", calls[call]);
	}
}

/* --- Load/store ------------------------------------------------------------------- */

static const char *const ldst_regs[8] = {
	"AL0", "AL1", "PC_SP", "LOCAL_STORAGE_PTR", "LOCAL_THREAD_ID", "GROUP_ID", "GLOBAL_THREAD_ID", "zero",
};
static const char *const index_formats[4] = { NULL, "u64", "u32", "s32" };
static const char *const wide[1] = { "wide" };

static bool read_ldst_reg(struct isa_cursor *c, unsigned int *reg, unsigned int *comp)
{
	for (*reg = 0; *reg < 8; ++*reg) {
		if (isa_literal(c, ldst_regs[*reg]))
			break;
	}
	if (*reg == 8)
		return isa_expect(c, "expected a register of the load/store unit, or 'zero'");
	*comp = 0;
	if (c->end - c->at >= 2 && *c->at == '.' && component(c->at[1]) >= 0 && component(c->at[1]) < 4 &&
	    (c->end - c->at == 2 || c->at[2] < 'a' || c->at[2] > 'z')) {
		*comp = component(c->at[1]);
		c->at += 2;
	}
	return true;
}

static void write_ldst_reg(struct isa_text *text, unsigned int reg, unsigned int comp)
{
	isa_printf(text, "%s", ldst_regs[reg]);
	if (reg != 7 || comp)
		isa_printf(text, ".%c", components[comp]);
}

static bool read_ldst(struct isa_bits *b, char letter, struct isa_cursor *c)
{
	unsigned int v, comp;
	uint32_t n;

	switch (letter) {
	case 'R':
		if (!read_reg(c, &v))
			return false;
		md_put(b, ld_reg, v);
		if (!read_mask(c, '.', 4, &v))
			return false;
		md_put(b, ld_mask, v);
		v = 0xe4;
		read_swizzle(c, ':', &v);
		md_put(b, ld_swizzle, v);
		return true;
	case 'X':
		if (!read_ldst_reg(c, &v, &comp))
			return false;
		md_put(b, ld_arg_reg, v);
		md_put(b, ld_arg_comp, comp);
		md_put(b, ld_wide, read_suffix(c, wide, 1) == 0);
		return true;
	case 'Y':
		if (!read_ldst_reg(c, &v, &comp))
			return false;
		md_put(b, ld_index_reg, v);
		md_put(b, ld_index_comp, comp);
		v = read_suffix(c, index_formats, 4);
		md_put(b, ld_index_format, v < 4 ? v : 0);
		v = 0;
		if (isa_literal(c, "<<") && !read_uint(c, 15, &v))
			return false;
		md_put(b, ld_index_shift, v);
		return true;
	case 'O':
		if (!read_signed(c, 18, &n))
			return false;
		md_put(b, ld_offset, n);
		return true;
	}
	return false;
}

static void write_ldst(const struct isa_bits *b, char letter, struct isa_text *text)
{
	switch (letter) {
	case 'R':
		write_reg(text, md_get(b, ld_reg), true);
		write_mask(text, '.', md_get(b, ld_mask), 4);
		write_swizzle(text, ':', md_get(b, ld_swizzle));
		break;
	case 'X':
		write_ldst_reg(text, md_get(b, ld_arg_reg), md_get(b, ld_arg_comp));
		isa_printf(text, md_get(b, ld_wide) ? ".wide" : "");
		break;
	case 'Y':
		write_ldst_reg(text, md_get(b, ld_index_reg), md_get(b, ld_index_comp));
		if (md_get(b, ld_index_format))
			isa_printf(text, ".%s", index_formats[md_get(b, ld_index_format)]);
		if (md_get(b, ld_index_shift))
			isa_printf(text, "<<%u", md_get(b, ld_index_shift));
		break;
	case 'O':
		isa_printf(text, "%d", sign_extend(md_get(b, ld_offset), 18));
	}
}

/* --- Texture: the common part; the rest is "set tex.FIELD" ---------------------------- */

static const char *const tex_formats[4] = { "cube", "1d", "2d", "3d" };

static bool read_tex(struct isa_bits *b, char letter, struct isa_cursor *c)
{
	unsigned int v;

	switch (letter) {
	case 'm':
		v = read_suffix(c, tex_formats, 4);
		if (v == 4)
			return isa_expect(c, "expected .cube, .1d, .2d or .3d");
		md_put(b, tex_format, v);
		return true;
	case 'T':
		if (!isa_literal(c, "TA"))
			return isa_expect(c, "expected TA0 or TA1");
		if (!read_uint(c, 1, &v))
			return false;
		md_put(b, tex_out_select, v);
		if (!read_mask(c, '.', 4, &v))
			return false;
		md_put(b, tex_mask, v);
		return true;
	case 'U':
	case 'P':
		if (!isa_literal(c, letter == 'U' ? "texture" : "sampler"))
			return isa_expect(c, "expected '%s' and its number", letter == 'U' ? "texture" : "sampler");
		if (!read_uint(c, 0xffff, &v))
			return false;
		if (letter == 'U')
			md_put(b, tex_texture, v);
		else
			md_put(b, tex_sampler, v);
		return true;
	case 'I':
		if (!isa_literal(c, "AT"))
			return isa_expect(c, "expected AT0 or AT1");
		if (!read_uint(c, 1, &v))
			return false;
		md_put(b, tex_in_select, v);
		v = 0xe4;
		read_swizzle(c, '.', &v);
		md_put(b, tex_in_swizzle, v);
		return true;
	}
	return false;
}

static void write_tex(const struct isa_bits *b, char letter, struct isa_text *text)
{
	switch (letter) {
	case 'm':
		isa_printf(text, ".%s", tex_formats[md_get(b, tex_format)]);
		break;
	case 'T':
		isa_printf(text, "TA%u", md_get(b, tex_out_select));
		write_mask(text, '.', md_get(b, tex_mask), 4);
		break;
	case 'U':
		isa_printf(text, "texture%u", md_get(b, tex_texture));
		break;
	case 'P':
		isa_printf(text, "sampler%u", md_get(b, tex_sampler));
		break;
	case 'I':
		isa_printf(text, "AT%u", md_get(b, tex_in_select));
		write_swizzle(text, '.', md_get(b, tex_in_swizzle));
	}
}

/* --- All of them ------------------------------------------------------------------------ */

static void op_place(const struct isa_op *op, unsigned int *lo, unsigned int *width)
{
	static const uint8_t places[MD_FORMS][2] = {
		[MD_F_VEC] = { MD_vec_op, 8 }, [MD_F_SCALAR] = { MD_sca_op, 8 }, [MD_F_BR] = { MD_br_op, 3 },
		[MD_F_BRU] = { MD_bru_op, 3 }, [MD_F_BRX] = { MD_brx_op, 3 }, [MD_F_LDST] = { MD_ld_op, 8 },
		[MD_F_TEX] = { MD_tex_op, 4 },
	};

	*lo = places[op->form][0];
	*width = places[op->form][1];
}

bool md_read(void *ctx, struct isa_bits *block, const struct isa_op *op, char letter, struct isa_cursor *cursor)
{
	unsigned int lo, width, v;

	if (letter == 'n') {
		op_place(op, &lo, &width);
		if (!read_uint(cursor, (1u << width) - 1, &v))
			return false;
		isa_put(block, lo, width, v);
		return true;
	}
	switch (op->form) {
	case MD_F_VEC:
		if (letter == 'w')
			return read_width(block, true, cursor);
		return letter == 'D' ? read_vec_dest(block, cursor) : read_vec_source(block, letter == 'B', cursor);
	case MD_F_SCALAR:
		if (letter == 'w')
			return read_width(block, false, cursor);
		return letter == 'D' ? read_scalar_dest(block, cursor) :
		       read_scalar_source(block, letter == 'B', cursor);
	case MD_F_LDST:
		return read_ldst(block, letter, cursor);
	case MD_F_TEX:
		return read_tex(block, letter, cursor);
	}
	return read_branch(block, op->form, letter, cursor);
}

void md_write(void *ctx, const struct isa_bits *block, const struct isa_op *op, char letter,
	      struct isa_text *text)
{
	unsigned int lo, width;

	if (letter == 'n') {
		op_place(op, &lo, &width);
		isa_printf(text, "%u", isa_get(block, lo, width));
		return;
	}
	switch (op->form) {
	case MD_F_VEC:
		if (letter == 'w')
			isa_printf(text, ".%c%u", md_is_int_out(md_get(block, vec_op)) ? 'i' : 'f',
				   8u << md_get(block, vec_mode));
		else if (letter == 'D')
			vec_dest(block, text);
		else
			vec_source(block, letter == 'B', text);
		return;
	case MD_F_SCALAR:
		if (letter == 'w') {
			isa_printf(text, ".%c32", md_is_int_out(md_get(block, sca_op)) ? 'i' : 'f');
		} else if (letter == 'D') {
			write_reg(text, md_get(block, sca_dest), true);
			scalar_part(text, md_get(block, sca_out_comp), md_get(block, sca_out_full));
			write_outmod(text, md_get(block, sca_outmod), md_is_int_out(md_get(block, sca_op)));
		} else {
			scalar_source(block, letter == 'B', text);
		}
		return;
	case MD_F_LDST:
		write_ldst(block, letter, text);
		return;
	case MD_F_TEX:
		write_tex(block, letter, text);
		return;
	}
	write_branch(block, op->form, letter, text);
}
