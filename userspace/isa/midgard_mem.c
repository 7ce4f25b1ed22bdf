// SPDX-License-Identifier: MIT
/*
 * Midgard: the load/store unit's operands as text, after Mesa's
 * disassemble.c. The 18-bit offset, the two small registers and the index
 * format mean different things by op; each letter shows one meaning.
 */
#include <string.h>

#include "isa/midgard_text.h"

/* --- Load/store ------------------------------------------------------------------- */

static const char *const ldst_regs[8] = {
	"AL0", "AL1", "PC_SP", "LOCAL_STORAGE_PTR", "LOCAL_THREAD_ID", "GROUP_ID", "GLOBAL_THREAD_ID", "0",
};

#define ZERO_REG	7

static bool is_image(unsigned int op)
{
	return op == 0x0d || (op >= 0xb4 && op <= 0xb7) || (op >= 0xd8 && op <= 0xdb);
}

static bool is_store(unsigned int op)
{
	return op >= 0xc0 && op <= 0xdb;
}

bool md_ldst_writes(unsigned int op)
{
	return !is_store(op);
}

/* What is not swizzled on its way to the register (but for the mask). */
static bool plain_result(unsigned int op)
{
	return (op >= 0x04 && op <= 0x13 && op != 0x0c && op != 0x0d) || (op >= 0x40 && op <= 0x67);
}

static bool ends_name(const struct isa_cursor *c, size_t n)
{
	char ch = c->at + n < c->end ? c->at[n] : ' ';

	return !(ch == '_' || (ch >= 'A' && ch <= 'Z') || (ch >= '0' && ch <= '9') || ch == 'x');
}

static bool read_ldst_reg(struct isa_cursor *c, unsigned int *reg)
{
	for (*reg = 0; *reg < 8; ++*reg) {
		size_t n = strlen(ldst_regs[*reg]);

		if ((size_t)(c->end - c->at) >= n && !memcmp(c->at, ldst_regs[*reg], n) && ends_name(c, n)) {
			c->at += n;
			return true;
		}
	}
	return isa_expect(c, "expected a register of the load/store unit (AL0, PC_SP, ...) or 0");
}

static bool read_part(struct isa_cursor *c, unsigned int *comp)
{
	int n = c->end - c->at >= 2 && *c->at == '.' ? md_component(c->at[1]) : -1;

	if (n < 0 || n > 3)
		return isa_expect(c, "expected a component: .x, .y, .z or .w");
	c->at += 2;
	*comp = n;
	return true;
}

static void write_offset(struct isa_text *text, int n)
{
	if (n)
		isa_printf(text, " %c 0x%X", n < 0 ? '-' : '+', n < 0 ? -(unsigned int)n : (unsigned int)n);
}

/* " + 0x10", or nothing. Into bits [lo, lo + width) of the offset field. */
static bool read_offset(struct isa_bits *b, unsigned int lo, unsigned int width, struct isa_cursor *c)
{
	const char *at = c->at;
	uint32_t offset = md_get(b, ld_offset), mask = ((1u << width) - 1) << lo;
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
	if (!isa_number(c, 0, (1ll << (width - 1)) - !minus, &n))
		return false;
	md_put(b, ld_offset, (offset & ~mask) | ((uint32_t)(minus ? -n : n) << lo & mask));
	return true;
}

static bool read_shift(struct isa_bits *b, struct isa_cursor *c)
{
	const char *at = c->at;
	unsigned int v = 0;

	isa_blanks(c);
	if (!isa_literal(c, "<<")) {
		c->at = at;
		return true;
	}
	isa_blanks(c);
	if (!md_uint(c, 15, &v))
		return false;
	md_put(b, ld_index_shift, v);
	return true;
}

static void write_shift(const struct isa_bits *b, struct isa_text *text)
{
	if (md_get(b, ld_index_shift))
		isa_printf(text, " << %u", md_get(b, ld_index_shift));
}

/* The register that is written; '~' stands for components that are not. */
static void write_dest(const struct isa_bits *b, struct isa_text *text)
{
	static const char *const names[6] = { "AL0", "AL1", "AT0", "AT1", "R30", "PC_SP" };
	unsigned int reg = md_get(b, ld_reg), swizzle = plain_result(md_get(b, ld_op)) ? 0xe4 : md_get(b, ld_swizzle);

	if (reg >= 26)
		isa_printf(text, "%s.", names[reg - 26]);
	else
		isa_printf(text, "R%u.", reg);
	for (int i = 0; i < 4; i++)
		isa_putc(text, md_get(b, ld_mask) >> i & 1 ? md_components[swizzle >> 2 * i & 3] : '~');
}

static bool read_dest(struct isa_bits *b, struct isa_cursor *c)
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
	md_put(b, ld_reg, reg);
	md_put(b, ld_mask, mask);
	if (!plain_result(md_get(b, ld_op)))
		md_put(b, ld_swizzle, swizzle);
	return true;
}

/* A register of the unit with a swizzle over the components in a vector mask field. */
static void write_swizzled(const struct isa_bits *b, unsigned int reg, unsigned int mask, struct isa_text *text)
{
	if (reg < 8)
		isa_puts(text, ldst_regs[reg]);
	else
		isa_printf(text, "R%u", reg);
	if (md_get(b, ld_swizzle) == 0xe4)
		return;
	isa_putc(text, '.');
	md_write_letters(text, 2, 0, md_get(b, ld_swizzle), mask);
}

static bool read_swizzled(struct isa_bits *b, unsigned int *reg, bool masked, struct isa_cursor *c)
{
	unsigned int n = 0, mask, swizzle = 0xe4;

	if (isa_literal(c, "R")) {
		if (!md_uint(c, 31, reg))
			return false;
	} else if (!read_ldst_reg(c, reg)) {
		return false;
	}
	if (!isa_literal(c, "."))
		return true;
	while (c->at + n < c->end && n < 4 && md_component(c->at[n]) >= 0 && md_component(c->at[n]) < 4)
		n++;
	/* GUESS of what is meant: as many components as there are letters, from x on. */
	mask = n < 4 ? (1u << n) - 1 : 15;
	if (!md_read_letters(c->at, n, 2, 0, mask & 1 ? 0xff >> (8 - 2 * n) : 0, &swizzle) || (!masked && n < 4))
		return isa_expect(c, "expected a swizzle of x, y, z, w");
	c->at += n;
	md_put(b, ld_swizzle, swizzle);
	if (masked)
		md_put(b, ld_mask, mask);
	return true;
}

/* The mask of a store, as the mask field of a vector instruction. */
static unsigned int store_mask(const struct isa_bits *b)
{
	unsigned int mask = md_get(b, ld_mask), v = 0;

	for (unsigned int i = 0; i < 4; i++)
		v |= mask >> i & 1 ? 3u << 2 * i : 0;
	return v;
}

static const char *const formats[4] = { "", ".u64", ".u32", ".s32" };

/* An address: base, index and offset. Compare-and-exchange has no index. */
static void write_address(const struct isa_bits *b, struct isa_text *text)
{
	unsigned int op = md_get(b, ld_op), index = md_get(b, ld_index_reg);

	isa_printf(text, "%s.u%d.%c", ldst_regs[md_get(b, ld_arg_reg)], md_get(b, ld_wide) ? 64 : 32,
		   md_components[md_get(b, ld_arg_comp)]);
	if (!(op >= 0x64 && op <= 0x67) && index != ZERO_REG) {
		isa_printf(text, " + %s%s.%c", ldst_regs[index], formats[md_get(b, ld_index_format)],
			   md_components[md_get(b, ld_index_comp)]);
		write_shift(b, text);
	}
	write_offset(text, md_sign_extend(md_get(b, ld_offset), 18));
}

static bool read_base(struct isa_bits *b, struct isa_cursor *c)
{
	static const char *const sizes[2] = { "u32", "u64" };
	unsigned int reg, comp, v;

	if (!read_ldst_reg(c, &reg))
		return false;
	v = md_suffix(c, sizes, 2);
	if (v > 1)
		return isa_expect(c, "expected .u32 or .u64");
	if (!read_part(c, &comp))
		return false;
	md_put(b, ld_arg_reg, reg);
	md_put(b, ld_wide, v);
	md_put(b, ld_arg_comp, comp);
	return true;
}

static bool read_address(struct isa_bits *b, struct isa_cursor *c)
{
	static const char *const names[4] = { NULL, "u64", "u32", "s32" };
	unsigned int reg, comp, v;
	const char *at;

	if (!read_base(b, c))
		return false;
	at = c->at;
	isa_blanks(c);
	if (isa_literal(c, "+")) {
		isa_blanks(c);
		if (c->at < c->end && *c->at >= 'A' && *c->at <= 'Z') {
			if (!read_ldst_reg(c, &reg))
				return false;
			v = md_suffix(c, names, 4);
			if (!read_part(c, &comp))
				return false;
			md_put(b, ld_index_reg, reg);
			md_put(b, ld_index_format, v & 3);
			md_put(b, ld_index_comp, comp);
			return read_shift(b, c) && read_offset(b, 0, 18, c);
		}
	}
	c->at = at;
	return read_offset(b, 0, 18, c);
}

/* A uniform buffer: its number, or the register that has it. */
static void write_ubo(const struct isa_bits *b, struct isa_text *text)
{
	if (md_get(b, ld_offset) & 1)
		isa_put_uint(text, md_get(b, ld_arg_comp) | md_get(b, ld_arg_reg) << 2 |
			   md_get(b, ld_wide) << 5 | md_get(b, ld_index_format) << 6);
	else
		isa_printf(text, "%s.%c", ldst_regs[md_get(b, ld_arg_reg)], md_components[md_get(b, ld_arg_comp)]);
}

static bool read_ubo(struct isa_bits *b, struct isa_cursor *c)
{
	unsigned int reg, comp, v;

	if (c->at < c->end && *c->at >= '0' && *c->at <= '9' && !(c->end - c->at > 1 && c->at[1] == '.')) {
		if (!md_uint(c, 255, &v))
			return false;
		md_put(b, ld_arg_comp, v);
		md_put(b, ld_arg_reg, v >> 2);
		md_put(b, ld_wide, v >> 5);
		md_put(b, ld_index_format, v >> 6);
		md_put(b, ld_offset, md_get(b, ld_offset) | 1);
		return true;
	}
	if (!read_ldst_reg(c, &reg) || !read_part(c, &comp))
		return false;
	md_put(b, ld_arg_reg, reg);
	md_put(b, ld_arg_comp, comp);
	return true;
}

static const char *const auto32[1] = { "a32" }, *const tables[2] = { "primary", "secondary" };
static const char *const sizes_f[2] = { "f16", "f32" };

/* 0, 1: the table that this op takes by itself; 2: it has none. */
static unsigned int default_table(unsigned int op)
{
	return op >= 0x94 && op <= 0x97 ? 0 : (op >= 0x98 && op <= 0x9b) || (op >= 0xd4 && op <= 0xd7) ? 1 : 2;
}

static void write_modifiers(const struct isa_bits *b, struct isa_text *text)
{
	unsigned int op = md_get(b, ld_op), table = md_get(b, ld_index_format) >> 1;

	if (op == 0x0e || (op >= 0x11 && op <= 0x13)) {
		isa_printf(text, ".%s", sizes_f[md_get(b, ld_wide)]);
		return;
	}
	isa_puts(text, md_get(b, ld_index_format) & 1 ? ".a32" : "");
	if (default_table(op) < 2 && table != default_table(op))
		isa_printf(text, ".%s", tables[table]);
}

static bool read_modifiers(struct isa_bits *b, struct isa_cursor *c)
{
	unsigned int op = md_get(b, ld_op), v;

	if (op == 0x0e || (op >= 0x11 && op <= 0x13)) {
		v = md_suffix(c, sizes_f, 2);
		md_put(b, ld_wide, v);
		return v < 2 || isa_expect(c, "expected .f16 or .f32");
	}
	v = md_suffix(c, auto32, 1) == 0;
	if (default_table(op) < 2) {
		unsigned int table = md_suffix(c, tables, 2);

		v |= (table < 2 ? table : default_table(op)) << 1;
	}
	md_put(b, ld_index_format, v);
	return true;
}

/* %G: the register of a vertex, a pixel or an image's coordinates. */
static void write_where(const struct isa_bits *b, struct isa_text *text)
{
	bool image = is_image(md_get(b, ld_op));

	isa_puts(text, ldst_regs[md_get(b, ld_arg_reg)]);
	if (image)
		isa_printf(text, ".u%d", md_get(b, ld_wide) ? 64 : 32);
	isa_printf(text, ".%c", md_components[md_get(b, ld_arg_comp)]);
	if (!image && md_get(b, ld_wide))
		write_offset(text, md_sign_extend(md_get(b, ld_offset) & 0x1ff, 9));
}

static bool read_where(struct isa_bits *b, struct isa_cursor *c)
{
	unsigned int reg, comp;
	const char *at;

	if (is_image(md_get(b, ld_op)))
		return read_base(b, c);
	if (!read_ldst_reg(c, &reg) || !read_part(c, &comp))
		return false;
	md_put(b, ld_arg_reg, reg);
	md_put(b, ld_arg_comp, comp);
	at = c->at;
	if (!read_offset(b, 0, 9, c))
		return false;
	md_put(b, ld_wide, c->at != at);
	return true;
}

/* %I: index register with its shift; the letter behind it says which part of the offset follows. */
static void write_index(const struct isa_bits *b, struct isa_text *text)
{
	isa_printf(text, "%s.%c", ldst_regs[md_get(b, ld_index_reg)], md_components[md_get(b, ld_index_comp)]);
	write_shift(b, text);
}

static bool read_index(struct isa_bits *b, struct isa_cursor *c)
{
	unsigned int reg, comp;

	if (!read_ldst_reg(c, &reg) || !read_part(c, &comp))
		return false;
	md_put(b, ld_index_reg, reg);
	md_put(b, ld_index_comp, comp);
	return read_shift(b, c);
}

/* %V: what an atomic op takes stands where others have a swizzle. */
static bool read_value(struct isa_bits *b, struct isa_cursor *c)
{
	unsigned int reg, comp;

	if (!read_ldst_reg(c, &reg) || !read_part(c, &comp))
		return false;
	md_put(b, ld_swizzle, reg << 2 | comp);
	return true;
}

bool md_read_ldst(struct isa_bits *b, char letter, struct isa_cursor *c)
{
	unsigned int v;
	int64_t n;

	switch (letter) {
	case 'R':
		return read_dest(b, c);
	case 'S':
		if (!read_swizzled(b, &v, true, c))
			return false;
		md_put(b, ld_reg, v);
		return true;
	case 'X':
		if (!read_swizzled(b, &v, false, c))
			return false;
		md_put(b, ld_arg_reg, v & 7);
		return true;
	case 'E':
		return read_address(b, c);
	case 'U':
		return read_ubo(b, c);
	case 'u':
		return read_offset(b, 2, 16, c);
	case 'a':
		return read_offset(b, 9, 9, c);
	case 'I': case 'C':
		return read_index(b, c);
	case 'G':
		return read_where(b, c);
	case 'V':
		return read_value(b, c);
	case 'm':
		return read_modifiers(b, c);
	case 'O': case 'F':
		if (!isa_number(c, INT32_MIN, UINT32_MAX, &n))
			return false;
		if (letter == 'F')
			md_put(b, ld_index_shift, (uint32_t)n & 15);
		md_put(b, ld_offset, (uint32_t)n >> (letter == 'F' ? 4 : 0));
		return true;
	}
	return false;
}

void md_write_ldst(const struct isa_bits *b, char letter, struct isa_text *text)
{
	int offset = md_sign_extend(md_get(b, ld_offset), 18);

	switch (letter) {
	case 'R':
		write_dest(b, text);
		break;
	case 'S':
		write_swizzled(b, md_get(b, ld_reg), store_mask(b), text);
		break;
	case 'X':
		write_swizzled(b, md_get(b, ld_arg_reg), 0xff, text);
		break;
	case 'E':
		write_address(b, text);
		break;
	case 'U':
		write_ubo(b, text);
		break;
	case 'u':
		write_offset(text, offset >> 2);
		break;
	case 'a':
		write_offset(text, offset >> 9);
		break;
	case 'I': case 'C':
		write_index(b, text);
		break;
	case 'G':
		write_where(b, text);
		break;
	case 'V':
		isa_printf(text, "%s.%c", ldst_regs[md_get(b, ld_swizzle) >> 2 & 7],
			   md_components[md_get(b, ld_swizzle) & 3]);
		break;
	case 'm':
		write_modifiers(b, text);
		break;
	case 'O':
		isa_printf(text, "0x%X", (unsigned int)offset);
		break;
	case 'F':
		isa_printf(text, "0x%X", (unsigned int)offset << 4 | md_get(b, ld_index_shift));
	}
}
