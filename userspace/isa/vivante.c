// SPDX-License-Identifier: MIT
/* Vivante GCxxx: the table, and operands as Mesa's etnaviv assembler writes them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/float_bits.h"
#include "isa/half.h"
#include "isa/line.h"
#include "isa/vivante.h"

#define COLUMN 18	/* where operands begin */

/* --- fields ------------------------------------------------------------------- */

#define X(name, lo, width, reset, note) { #name, lo, width, reset, note },
#define FIELDS(form, name, head, pmode, modes, sources, rest) \
	static const struct isa_field fields_##form[] = { head(X) pmode(X) modes(X) sources(X) rest(X) };
VIV_FORMS(FIELDS)
#undef X

static const struct isa_form forms[VIV_FORM_COUNT] = {
#define FORM(form, name, ...) [VIV_F_##form] = { name, 0, fields_##form, sizeof(fields_##form) / sizeof(fields_##form[0]) },
	VIV_FORMS(FORM)
};

/* --- rows --------------------------------------------------------------------- */

#define CODE(code) { VIV_opcode, 6, (code) & 63 }, { VIV_opcode_bit6, 1, (code) >> 6 }
#define TAKE_A VIV_TAKES0
#define TAKE_B VIV_TAKES1
#define TAKE_C VIV_TAKES2
#define TAKE_a 0
#define TAKE_b 0
#define TAKE_c 0
#define TAKE_x VIV_TAKES2
#define TAKE_T 0

#define SHAPE_ALU(name, code) VIV_F_ALU, { CODE(code) }, name "%m%_%D, "
#define SHAPE_BARE(name, code) VIV_F_ALU, { CODE(code) }, name "%_%D, "
#define SHAPE_MEM(name, code) VIV_F_ALU, { CODE(code) }, name "%m%_mem%W, "
#define SHAPE_TEX(name, code) VIV_F_TEX, { CODE(code) }, name "%_%D, %X, "
#define SHAPE_JUMP(name, code) VIV_F_JUMP, { CODE(code) }, name "%m%_%D, "
#define SHAPE_JUMP_IMM(name, code) \
	VIV_F_JUMP_IMM, { CODE(code), { VIV_imm_kind, 5, VIV_IMM_UINT | VIV_IMMEDIATE << 2 } }, name ".imm%m%_%D, "
/* The op 0x7f that source 2's register number names. */
#define SHAPE_FIND(name, code) VIV_F_ALU, { CODE(0x7f), { VIV_src2_use, 10, 1 | (code) << 1 } }, name "%m%_%D, "
#define SHAPE_OTHER(name, code) VIV_F_ALU, { { 0 } }, "op%n%m%_%D, "

#define DST_NONE 0
#define DST_EACH VIV_WRITES
#define DST_X (VIV_WRITES | VIV_ONE)
#define DST_OLD_X (VIV_WRITES | VIV_OLD_ONE)
#define DST_WHOLE (VIV_WRITES | VIV_WHOLE)
#define DST_DOT (VIV_WRITES | VIV_ONE | VIV_WHOLE)
#define DST_PAIR (VIV_WRITES | VIV_PAIR)
#define DST_X_PAIR (VIV_WRITES | VIV_ONE | VIV_PAIR)

#define HEAD(id, code, shape, s0, s1, s2) 0, SHAPE_##shape(#id, code) "%" #s0 ", %" #s1 ", %" #s2
#define TAKES(s0, s1, s2) (TAKE_##s0 | TAKE_##s1 | TAKE_##s2)
#define OP(id, code, shape, s0, s1, s2, dst, types, note) \
	{ HEAD(id, code, shape, s0, s1, s2), note, NULL, VIV_OP_##id, TAKES(s0, s1, s2) | DST_##dst },
#define ROW OP
#define WHY(id, code, shape, s0, s1, s2, why) \
	{ HEAD(id, code, shape, s0, s1, s2), "", why, VIV_OP_##id, TAKES(s0, s1, s2) },
static const struct isa_op ops[] = {
#include "isa/vivante_ops.inc"
};

/* --- operands ----------------------------------------------------------------- */

#define AT(name) { VIV_##name, VIV_##name##_width }

static const char *const cond[32] = {
	"", ".gt", ".lt", ".ge", ".le", ".eq", ".ne", ".and", ".or", ".xor", ".not", ".nz", ".gez", ".gz", ".lez",
	".lz", [VIV_SELMSB] = ".selmsb",
};
static const char *const type[8] = { "", ".s32", ".s8", ".u16", ".f16", ".s16", ".u32", ".u8" };
static const char *const thread[4] = { "", ".t0", ".t1", ".t01" };
static const char *const rmode[4] = { "", ".rtz", ".rtne", ".rm3" };
/* Mesa's names of write masks; 5 and 6 are odd there. */
static const char *const comps[16] = {
	".____", ".x___", "._y__", ".xy__", ".__z_", ".zx", ".zy", ".xyz_", ".___w", ".x__w", "._y_w", ".xy_w",
	".__zw", ".x_zw", "._yzw", "",
};
static const char *const amode[8] = { "", "[a.x]", "[a.y]", "[a.z]", "[a.w]", "[5]", "[6]", "[7]" };

#define FLAG(name, field) { 'f', ISA_NAMES, .forms = 1 << VIV_F_ALU, .at = { AT(field) }, .names = (const char *const[]){ "", name } }
static const struct isa_operand modifiers[] = {
	FLAG(".hp", dst_full),
	{ 's', ISA_NAMES, .at = { AT(sat) }, .names = (const char *const[]){ "", ".sat" } },
	{ 'c', ISA_NAMES, .at = { AT(cond) }, .names = cond, .prefix = ".cond" },
	FLAG(".skpHp", skphp), FLAG(".denorm", denorm), FLAG(".local", local),
	{ 't', ISA_NAMES, .at = { AT(type), AT(type_bit2) }, .names = type },
	{ 'l', ISA_UINT, .optional = true, .forms = 1 << VIV_F_ALU, .at = { AT(left_shift) }, .prefix = ".ls" },
	{ 'p', ISA_NAMES, .forms = 1 << VIV_F_ALU, .at = { AT(pmode) }, .names = (const char *const[]){ ".pack", "" } },
	{ 'h', ISA_NAMES, .forms = 1 << VIV_F_ALU, .at = { AT(low_half), AT(high_half) }, .names = thread },
	{ 'r', ISA_NAMES, .forms = 1 << VIV_F_ALU, .at = { AT(rmode) }, .names = rmode },
	{ 0 },
};

static bool read_amode(struct isa_cursor *c, uint8_t *mode)
{
	for (*mode = 7; *mode && !isa_literal(c, amode[*mode]);)
		--*mode;
	return *mode || !isa_literal(c, "[") || isa_expect(c, "expected [a.x], [a.y], [a.z] or [a.w]");
}

static bool read_swizzle(struct isa_cursor *c, uint8_t *swizzle)
{
	unsigned int v = 0;

	*swizzle = 0xe4;
	if (!isa_literal(c, "."))
		return true;
	for (int i = 0; i < 4; i++) {
		const char *p = c->at < c->end ? memchr("xyzw", *c->at, 4) : NULL;

		if (!p)
			return isa_expect(c, "a swizzle has four of x, y, z, w");
		v |= (unsigned int)(strchr("xyzw", *p) - "xyzw") << i * 2;
		c->at++;
	}
	*swizzle = v;
	return true;
}

static void write_swizzle(unsigned int s, struct isa_text *text)
{
	char name[5] = { '.', "xyzw"[s & 3], "xyzw"[s >> 2 & 3], "xyzw"[s >> 4 & 3], "xyzw"[s >> 6] };

	isa_append(text, name, sizeof(name));
}

static bool read_comps(const struct isa_operand *o, struct isa_insn *in, struct isa_cursor *c)
{
	const char *at = c->at;
	unsigned int v = 0;

	if (c->at >= c->end || *c->at != '.')
		return viv_put(in->bits, dst_comps, 15), true;
	for (unsigned int i = 0; i < 15 && !v; i++)
		if (isa_literal(c, comps[i]))
			return viv_put(in->bits, dst_comps, i), true;
	/* Also the plain way: each component or '_' at its place, or left out. */
	c->at++;
	for (int i = 0; i < 4 && c->at < c->end; i++) {
		if (*c->at == "xyzw"[i])
			v |= 1u << i, c->at++;
		else if (*c->at == '_')
			c->at++;
	}
	viv_put(in->bits, dst_comps, v);
	c->at = v ? c->at : at;
	return v || isa_expect(c, "expected a write mask such as .xy__");
}

static void write_comps(const struct isa_operand *o, const struct isa_insn *in, struct isa_text *text)
{
	isa_puts(text, comps[viv_get(in->bits, dst_comps)]);
}

static bool read_destination(const struct isa_operand *o, struct isa_insn *in, struct isa_cursor *c)
{
	uint8_t mode;
	int64_t n;

	if (isa_literal(c, "void"))
		return true;
	if (!isa_literal(c, "t"))
		return isa_expect(c, "expected a destination: t0.xyz_ or void");
	if (!isa_number(c, 0, 127, &n) || !read_amode(c, &mode))
		return false;
	viv_put(in->bits, dst_use, 1);
	viv_put(in->bits, dst_reg, n);
	viv_put(in->bits, dst_amode, mode);
	return read_comps(o, in, c);
}

static void write_destination(const struct isa_operand *o, const struct isa_insn *in, struct isa_text *text)
{
	if (!viv_get(in->bits, dst_use)) {
		isa_puts(text, "void");
		return;
	}
	isa_putc(text, 't');
	isa_put_uint(text, viv_get(in->bits, dst_reg));
	isa_puts(text, amode[viv_get(in->bits, dst_amode)]);
	write_comps(o, in, text);
}

static bool read_sampler(const struct isa_operand *o, struct isa_insn *in, struct isa_cursor *c)
{
	uint8_t mode, swizzle;
	int64_t n;

	if (!isa_literal(c, "tex"))
		return isa_expect(c, "expected a sampler: tex0.xyzw");
	if (!isa_number(c, 0, 31, &n) || !read_amode(c, &mode) || !read_swizzle(c, &swizzle))
		return false;
	viv_put(in->bits, tex_id, n);
	viv_put(in->bits, tex_amode, mode);
	viv_put(in->bits, tex_swiz, swizzle);
	return true;
}

static void write_sampler(const struct isa_operand *o, const struct isa_insn *in, struct isa_text *text)
{
	isa_puts(text, "tex");
	isa_put_uint(text, viv_get(in->bits, tex_id));
	isa_puts(text, amode[viv_get(in->bits, tex_amode)]);
	write_swizzle(viv_get(in->bits, tex_swiz), text);
}

static void put_immediate(struct viv_source *s, enum viv_immediate kind, uint32_t v)
{
	*s = (struct viv_source){ v & 0x1ff, 1, v >> 9, v >> 17 & 1, v >> 18 & 1, (v >> 19 & 1) | kind << 1, VIV_IMMEDIATE };
}

static bool read_immediate(struct viv_source *s, struct isa_cursor *c)
{
	char buf[64], *end;
	size_t n = 0;

	while (c->at + n < c->end && n < sizeof(buf) - 1 && !strchr(", \t\r", c->at[n]))
		n++;
	memcpy(buf, c->at, n);
	buf[n] = 0;
	if (strchr(buf, '.') || strstr(buf, "nan") || strstr(buf, "inf")) {
		float f = strtof(buf, &end);
		uint32_t u = as_bits(f);

		if (isfinite(f) && u << 1 < 0xfefff000u)
			u += 0x800;	/* to the nearest of those with 20 bits */
		if (end == buf || (*end && strcmp(end, "f")))
			return isa_expect(c, "expected a number");
		put_immediate(s, VIV_IMM_FLOAT, u >> 12);
	} else {
		long long v = strtoll(buf, &end, 0);
		bool is_unsigned = *end == 'u' || v > 0x7ffff;

		if (end == buf || (*end && strcmp(end, "u")))
			return isa_expect(c, "expected a source: t0.xyzw, u0.xyzw, a number or void");
		if (v < -0x80000 || v > 0xfffff)
			return isa_expect(c, "%lld does not fit the 20 bits of an immediate", v);
		put_immediate(s, is_unsigned ? VIV_IMM_UINT : VIV_IMM_INT, v & 0xfffff);
	}
	c->at += n;
	return true;
}

static void write_immediate(const struct viv_source *s, struct isa_text *text)
{
	uint32_t v = viv_immediate(s);
	float f = as_float(v << 12), size = fabsf(f);

	switch (s->amode >> 1) {
	case VIV_IMM_FLOAT:
		isa_printf(text, f && isfinite(f) && (size < 1e-3f || size > 1e9f) ? "%.9ef" : "%f", f);
		break;
	case VIV_IMM_INT:
		isa_put_int(text, (int32_t)(v << 12) >> 12);
		break;
	case VIV_IMM_UINT:
		isa_put_uint(text, v);
		break;
	default:
		/* Mesa prints six digits; what they lose comes back as set. */
		isa_printf(text, "%f", half_to_float(v & 0xffff));
	}
}

/* By register group; the longer name is tried before the one that it begins with. */
static const char *const groups[8] = { "t", "i", "u", "u", "th", "g5_", "g6_", "" };

#define PUT_PART(n, part) viv_put(in->bits, src##n##_##part, s.part);

static bool put_source(const struct isa_operand *o, struct isa_insn *in, struct viv_source s)
{
	if (o->arg == 0) {
		VIV_PARTS(PUT_PART, 0)
	} else if (o->arg == 1) {
		VIV_PARTS(PUT_PART, 1)
	} else {
		VIV_PARTS(PUT_PART, 2)
	}
	return true;
}

static bool read_source(const struct isa_operand *o, struct isa_insn *in, struct isa_cursor *c)
{
	static const uint8_t order[] = { VIV_TEMP_HALF, VIV_TEMP, VIV_INTERNAL, VIV_UNIFORM0, 5, 6 };
	struct viv_source s = { .use = 1 };
	const char *at = c->at;
	int64_t n;

	if (isa_literal(c, "void"))
		return true;
	s.neg = isa_literal(c, "-");
	s.abs = isa_literal(c, "|");
	for (unsigned int i = 0; i < sizeof(order); i++) {
		if (!isa_literal(c, groups[order[i]]))
			continue;
		if (c->at < c->end && !isa_is(*c->at, ISA_DIGIT))
			break;
		s.rgroup = order[i];
		if (!isa_number(c, 0, 511, &n))
			return false;
		s.reg = n;
		if (!read_amode(c, &s.amode) || !read_swizzle(c, &s.swiz))
			return false;
		if (s.abs && !isa_literal(c, "|"))
			return isa_expect(c, "expected '|'");
		return put_source(o, in, s);
	}
	c->at = at;
	if (isa_at_end(c))
		return isa_expect(c, "an operand is missing; one that is not used is void");
	return read_immediate(&s, c) && put_source(o, in, s);
}

static void write_source(const struct isa_operand *o, const struct isa_insn *in, struct isa_text *text)
{
	struct viv_source s = viv_source(in->bits, o->arg);

	if (!s.use) {
		isa_puts(text, "void");
	} else if (s.rgroup == VIV_IMMEDIATE) {
		write_immediate(&s, text);
	} else {
		isa_puts(text, s.neg ? s.abs ? "-|" : "-" : s.abs ? "|" : "");
		isa_puts(text, groups[s.rgroup]);
		isa_put_uint(text, s.reg);
		isa_puts(text, amode[s.amode]);
		write_swizzle(s.swiz, text);
		isa_puts(text, s.abs ? "|" : "");
	}
}

/* The source of bit_findlsb, bit_findmsb that holds the op, as the vendor's driver fills it. */
static bool read_find(const struct isa_operand *o, struct isa_insn *in, struct isa_cursor *c)
{
	viv_put(in->bits, src2_amode, VIV_IMM_UINT << 1);
	viv_put(in->bits, src2_rgroup, VIV_IMMEDIATE);
	return isa_literal(c, "void") || isa_expect(c, "expected void");
}

static void write_find(const struct isa_operand *o, const struct isa_insn *in, struct isa_text *text)
{
	isa_puts(text, "void");
}

static bool read_column(const struct isa_operand *o, struct isa_insn *in, struct isa_cursor *c)
{
	if (c->at < c->end && !isa_is(*c->at, ISA_BLANK))
		return isa_expect(c, "unknown instruction or modifier");
	isa_blanks(c);
	return true;
}

static void write_column(const struct isa_operand *o, const struct isa_insn *in, struct isa_text *text)
{
	const struct isa_line *line = in->ctx;

	do
		isa_putc(text, ' ');
	while (!text->failed && text->length - line->start < COLUMN);
}

#define CUSTOM(letter, name, ...) { letter, ISA_CUSTOM, .read = read_##name, .write = write_##name, __VA_ARGS__ }
static const struct isa_operand operands[] = {
	{ 'm', ISA_ANY_ORDER, .list = modifiers },
	{ 'n', ISA_UINT, .at = { AT(opcode), AT(opcode_bit6) } },
	CUSTOM('_', column),
	CUSTOM('D', destination),
	CUSTOM('W', comps),
	CUSTOM('X', sampler),
	CUSTOM('A', source, .arg = 0), CUSTOM('a', source, .arg = 0),
	CUSTOM('B', source, .arg = 1), CUSTOM('b', source, .arg = 1),
	CUSTOM('C', source, .arg = 2), CUSTOM('c', source, .arg = 2),
	CUSTOM('x', find),
	{ 'T', ISA_TARGET, .forms = 1 << VIV_F_JUMP, .at = { AT(target) } },
	{ 'T', ISA_TARGET, .forms = 1 << VIV_F_JUMP_IMM, .at = { AT(imm_0), AT(imm_9), AT(imm_17), AT(imm_19) } },
};

uint32_t viv_target(const struct isa_op *op, const struct isa_bits *b)
{
	const struct isa_operand *o = isa_operand_of(&isa_vivante, op, 'T');

	return o ? isa_operand_get(o, b) : 0;
}

const struct isa isa_vivante = {
	.number = ISA_VIVANTE,
	.name = "vivante",
	.forms = forms,
	.form_count = VIV_FORM_COUNT,
	.ops = ops,
	.op_count = sizeof(ops) / sizeof(ops[0]),
	.operands = operands,
	.operand_count = sizeof(operands) / sizeof(operands[0]),
	.units = (const char *const[]){ "instruction" },
	.source = "rnndb isa.xml, Mesa etnaviv.xml",
	.line_words = 4,
	.assemble = isa_line_assemble,
	.disassemble = isa_line_disassemble,
	.check = viv_check,
	.check_declared = viv_check_declared,
};
