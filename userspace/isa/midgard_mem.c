// SPDX-License-Identifier: MIT
/*
 * Midgard: the load/store unit's operands as text, after Mesa's disassemble.c, as far as midgard.c does not
 * declare them. The 18-bit offset, the two small registers and the index format mean different things by op.
 */
#include "isa/midgard_text.h"

#define ZERO_REG	7	/* of the unit's own registers */

/* " + 0x10", " - 0x10" or nothing, in two's complement. */
void md_write_offset(const struct isa_operand *o, const struct isa_insn *in, struct isa_text *text)
{
	unsigned int unused = 32 - o->at[0].width;
	int32_t n = (int32_t)(md_at(o, in->bits, 0) << unused) >> unused;

	if (n)
		isa_printf(text, " %c 0x%X", n < 0 ? '-' : '+', n < 0 ? -(uint32_t)n : (uint32_t)n);
}

bool md_read_offset(const struct isa_operand *o, struct isa_insn *in, struct isa_cursor *c)
{
	const char *at = c->at;
	bool minus;
	int64_t n;

	isa_blanks(c);
	minus = c->at < c->end && *c->at == '-';
	if (!minus && !(c->at < c->end && *c->at == '+')) {
		c->at = at;
		return true;
	}
	c->at++;
	isa_blanks(c);
	if (!isa_number(c, 0, (1ll << (o->at[0].width - 1)) - !minus, &n))
		return false;
	md_put_at(o, in->bits, 0, (uint32_t)(minus ? -n : n));
	return true;
}

/* The vertex or sample: with an offset if a bit says so. */
void md_write_vertex(const struct isa_operand *o, const struct isa_insn *in, struct isa_text *text)
{
	if (md_get(in->bits, ld_wide))
		md_write_offset(o, in, text);
}

bool md_read_vertex(const struct isa_operand *o, struct isa_insn *in, struct isa_cursor *c)
{
	const char *at = c->at;

	if (!md_read_offset(o, in, c))
		return false;
	md_put(in->bits, ld_wide, c->at != at);
	return true;
}

static bool part(const char *letters, struct isa_insn *in, struct isa_cursor *c)
{
	for (; *letters; letters++)
		if (!isa_operand_read(isa_operand_of(in->isa, in->op, *letters), in, c))
			return false;
	return true;
}

static void put_part(const char *letters, const struct isa_insn *in, struct isa_text *text)
{
	for (; *letters; letters++)
		isa_operand_write(isa_operand_of(in->isa, in->op, *letters), in, text);
}

static const char *const index_formats[4] = { "", ".u64", ".u32", ".s32" };

/* An address's index: " + register, format, component and shift", or nothing. */
void md_write_index(const struct isa_operand *o, const struct isa_insn *in, struct isa_text *text)
{
	if (md_get(in->bits, ld_index_reg) == ZERO_REG)
		return;
	isa_puts(text, " + ");
	put_part("i", in, text);
	isa_puts(text, index_formats[md_get(in->bits, ld_index_format)]);
	put_part("js", in, text);
}

bool md_read_index(const struct isa_operand *o, struct isa_insn *in, struct isa_cursor *c)
{
	const char *at = c->at;
	unsigned int format = 3;

	isa_blanks(c);
	if (!isa_literal(c, "+") || (isa_blanks(c), c->at >= c->end) || *c->at < 'A' || *c->at > 'Z') {
		c->at = at;
		return true;
	}
	if (!part("i", in, c))
		return false;
	while (format && !isa_literal(c, index_formats[format]))
		format--;
	md_put(in->bits, ld_index_format, format);
	return part("js", in, c);
}

/* The register that is written; '~' stands for components that are not. */
void md_write_loaded(const struct isa_operand *o, const struct isa_insn *in, struct isa_text *text)
{
	static const char *const names[6] = { "AL0", "AL1", "AT0", "AT1", "R30", "PC_SP" };
	unsigned int reg = md_get(in->bits, ld_reg), swizzle = in->op->props & MD_P_PLAIN ? 0xe4 : md_get(in->bits, ld_swizzle);

	if (reg >= 26)
		isa_printf(text, "%s.", names[reg - 26]);
	else
		isa_printf(text, "R%u.", reg);
	for (int i = 0; i < 4; i++)
		isa_putc(text, md_get(in->bits, ld_mask) >> i & 1 ? md_components[swizzle >> 2 * i & 3] : '~');
}

bool md_read_loaded(const struct isa_operand *o, struct isa_insn *in, struct isa_cursor *c)
{
	static const struct { const char *name; uint8_t reg; } names[] = {
		{ "AL0", 26 }, { "AL1", 27 }, { "AT0", 28 }, { "AT1", 29 }, { "PC_SP", 31 },
	};
	unsigned int reg = 32, mask = 0, swizzle = 0xe4;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]) && reg == 32; i++)
		reg = isa_literal(c, names[i].name) ? names[i].reg : 32;
	if (reg == 32 && !(isa_literal(c, "R") ? md_uint(c, 31, &reg) : isa_expect(c, "expected a register")))
		return false;
	if (!isa_literal(c, "."))
		return isa_expect(c, "expected four of x, y, z, w and ~");
	for (unsigned int i = 0; i < 4; i++, c->at++) {
		int n = c->at < c->end ? md_component(*c->at) : -1;

		if (c->at < c->end && *c->at == '~')
			continue;
		if (n < 0 || n > 3)
			return isa_expect(c, "expected four of x, y, z, w and ~");
		mask |= 1u << i;
		swizzle = (swizzle & ~(3u << 2 * i)) | (unsigned int)n << 2 * i;
	}
	md_put(in->bits, ld_reg, reg);
	md_put(in->bits, ld_mask, mask);
	if (!(in->op->props & MD_P_PLAIN))
		md_put(in->bits, ld_swizzle, swizzle);
	return true;
}

/* A register of the unit, or any one, with its swizzle over the components in a store's mask or over all. */
void md_write_swizzled(const struct isa_operand *o, const struct isa_insn *in, struct isa_text *text)
{
	static const char *const *regs;
	unsigned int reg = md_at(o, in->bits, 0), swizzle = md_get(in->bits, ld_swizzle), mask = o->arg ? md_get(in->bits, ld_mask) : 15;

	if (!regs)
		regs = isa_operand_of(in->isa, in->op, 'r')->names;
	if (reg < 8)
		isa_puts(text, regs[reg]);
	else
		isa_printf(text, "R%u", reg);
	isa_puts(text, swizzle == 0xe4 ? "" : ".");
	for (unsigned int i = 0; i < 4 && swizzle != 0xe4; i++)
		if (mask >> i & 1)
			isa_putc(text, md_components[swizzle >> 2 * i & 3]);
}

bool md_read_swizzled(const struct isa_operand *o, struct isa_insn *in, struct isa_cursor *c)
{
	unsigned int reg = 0, n = 0, swizzle = 0, last = 0;
	struct isa_bits bits = *in->bits;
	struct isa_insn copy = { in->isa, in->op, &bits, in->ctx };

	if (isa_literal(c, "R")) {
		if (!md_uint(c, 31, &reg))
			return false;
	} else if (part("r", &copy, c)) {
		reg = md_get(&bits, ld_arg_reg);
	} else {
		return false;
	}
	md_put_at(o, in->bits, 0, reg);
	if (!isa_literal(c, "."))
		return true;
	/* GUESS of what is meant: as many components as there are letters, from x on. */
	for (; n < 4 && c->at < c->end && md_component(*c->at) >= 0 && md_component(*c->at) < 4; n++, c->at++)
		swizzle |= (last = (unsigned int)md_component(*c->at)) << 2 * n;
	if (!o->arg && n < 4)
		return isa_expect(c, "expected a swizzle of x, y, z, w");
	for (unsigned int i = n; i < 4; i++)
		swizzle |= last << 2 * i;
	md_put(in->bits, ld_swizzle, n ? swizzle : 0xe4);
	if (o->arg)
		md_put(in->bits, ld_mask, (1u << n) - 1);
	return true;
}

/* A uniform buffer: its number, or the register that Mesa's disassembler reads there when bit 0 of the offset is clear. */
void md_write_ubo(const struct isa_operand *o, const struct isa_insn *in, struct isa_text *text)
{
	if (md_get(in->bits, ld_offset) & 1)
		isa_put_uint(text, isa_operand_get(o, in->bits));
	else
		put_part("rc", in, text);
}

bool md_read_ubo(const struct isa_operand *o, struct isa_insn *in, struct isa_cursor *c)
{
	unsigned int v;

	if (c->at >= c->end || !isa_is(*c->at, ISA_DIGIT) || (c->end - c->at > 1 && c->at[1] == '.'))
		return part("rc", in, c);
	if (!md_uint(c, 255, &v))
		return false;
	isa_operand_put(o, in->bits, v);
	md_put(in->bits, ld_offset, md_get(in->bits, ld_offset) | 1);
	return true;
}

/* A number in hexadecimal, sign-extended. */
void md_write_number(const struct isa_operand *o, const struct isa_insn *in, struct isa_text *text)
{
	unsigned int unused = 32 - o->at[0].width - o->at[1].width;

	isa_printf(text, "0x%X", (uint32_t)((int32_t)(isa_operand_get(o, in->bits) << unused) >> unused));
}

bool md_read_number(const struct isa_operand *o, struct isa_insn *in, struct isa_cursor *c)
{
	int64_t n;

	if (!isa_number(c, INT32_MIN, UINT32_MAX, &n))
		return false;
	isa_operand_put(o, in->bits, (uint32_t)n);
	return true;
}
