// SPDX-License-Identifier: MIT
/* Vivante GCxxx: the table, and operands as Mesa's etnaviv assembler writes them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/half.h"
#include "isa/program.h"
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
#define DST_MEMORY (DST_WHOLE | VIV_MEMORY)
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
static const char *const amode[8] = { NULL, "a.x", "a.y", "a.z", "a.w", "5", "6", "7" };

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

/* The 20 bits of an immediate; above them, two of its kind. */
static bool read_immediate(const struct isa_operand *o, struct isa_insn *in, struct isa_cursor *c)
{
	char buf[64] = "", *end;
	size_t n = 0;

	if (isa_at_end(c))
		return isa_expect(c, "an operand is missing; one that is not used is void");
	for (; c->at + n < c->end && n < sizeof(buf) - 1 && !strchr(", \t\r", c->at[n]); n++)
		buf[n] = c->at[n];
	if (strchr(buf, '.') || strstr(buf, "nan") || strstr(buf, "inf")) {
		float f = strtof(buf, &end);
		uint32_t u = as_bits(f);

		if (isfinite(f) && u << 1 < 0xfefff000u)
			u += 0x800;	/* to the nearest of those with 20 bits */
		if (end == buf || (*end && strcmp(end, "f")))
			return isa_expect(c, "expected a number");
		isa_operand_put(o, in->bits, u >> 12 | VIV_IMM_FLOAT << 20);
	} else {
		long long v = strtoll(buf, &end, 0);
		bool is_unsigned = *end == 'u' || v > 0x7ffff;

		if (end == buf || (*end && strcmp(end, "u")))
			return isa_expect(c, "expected a source: t0.xyzw, u0.xyzw, a number or void");
		if (v < -0x80000 || v > 0xfffff)
			return isa_expect(c, "%lld does not fit the 20 bits of an immediate", v);
		isa_operand_put(o, in->bits, (v & 0xfffff) | (is_unsigned ? VIV_IMM_UINT : VIV_IMM_INT) << 20);
	}
	c->at += n;
	return true;
}

static void write_immediate(const struct isa_operand *o, const struct isa_insn *in, struct isa_text *text)
{
	uint32_t v = isa_operand_get(o, in->bits);
	float f = as_float(v << 12), size = fabsf(f);

	switch (v >> 20) {
	case VIV_IMM_FLOAT:
		isa_printf(text, f && isfinite(f) && (size < 1e-3f || size > 1e9f) ? "%.9ef" : "%f", f);
		break;
	case VIV_IMM_INT:
		isa_printf(text, "%d", (int32_t)(v << 12) >> 12);
		break;
	case VIV_IMM_UINT:
		isa_printf(text, "%u", v & 0xfffff);
		break;
	default:
		/* Mesa prints six digits; what they lose comes back as set. */
		isa_printf(text, "%f", half_to_float(v & 0xffff));
	}
}

static bool read_column(const struct isa_operand *o, struct isa_insn *in, struct isa_cursor *c)
{
	size_t name = strcspn(in->op->pattern, "%");

	if (c->at < c->end && *c->at == '.')
		return isa_unknown_modifier(c, c->at, isa_word_length(c), &(struct isa_choices){ "" });
	if (c->at < c->end && !isa_is(*c->at, ISA_BLANK))
		return memcmp(c->at - name, in->op->pattern, name) ? isa_expect(c, "unknown instruction or modifier") :
		       isa_unknown(c, c->at - name);
	isa_blanks(c);
	return true;
}

static void write_column(const struct isa_operand *o, const struct isa_insn *in, struct isa_text *text)
{
	do
		isa_putc(text, ' ');
	while (!text->failed && text->length < COLUMN);
}

#define CUSTOM(letter, name, ...) { letter, ISA_CUSTOM, .read = read_##name, .write = write_##name, __VA_ARGS__ }
#define IS(name, value) { VIV_##name, VIV_##name##_width, value }
#define NAMES(letter, field, list) { letter, ISA_NAMES, .at = { AT(field) }, .names = list, .arg = 1 }
#define NUMBER(letter, field) { letter, ISA_UINT, .at = { AT(field) } }

/* By register group, as text begins with it; UNIFORM1 is not told from UNIFORM0, nor an immediate from both. */
static const char *const groups[8] = { "t", "i", "u", "u", "th", "g5_", "g6_", NULL };
static const char *const minus[2] = { "", "-" };

/* What is added to a register's number. */
#define INDEX(field) \
	{ 'a', ISA_ROWS, ISA_PARTS({ 'm', ISA_NAMES, .at = { AT(field) }, .names = amode, .what = "[a.x], [a.y], [a.z] or [a.w]" }), \
	  ISA_ONE_OF({ { IS(field, 0) }, "" }, { { { 0 } }, "[%m]" }) }
#define REGISTER "%g%r%a%s"
#define SOURCE(letter, n) \
	{ letter, ISA_ROWS, .what = "a source: t0.xyzw, u0.xyzw, a number or void", \
	  ISA_PARTS({ 'i', ISA_CUSTOM, .read = read_immediate, .write = write_immediate, .at = VIV_IMMEDIATE_PLACES(n) }, \
		NAMES('n', src##n##_neg, minus), NAMES('g', src##n##_rgroup, groups), NUMBER('r', src##n##_reg), \
		INDEX(src##n##_amode), { 's', ISA_SWIZZLE, .at = { AT(src##n##_swiz) }, .prefix = "xyzw" }), \
	  ISA_ONE_OF({ { IS(src##n##_use, 0) }, "void" }, { { IS(src##n##_use, 1), IS(src##n##_rgroup, VIV_IMMEDIATE) }, "%i" }, \
	       { { IS(src##n##_use, 1), IS(src##n##_abs, 1) }, "%n|" REGISTER "|" }, { { IS(src##n##_use, 1) }, "%n" REGISTER }) }

static const struct isa_operand operands[] = {
	{ 'm', ISA_ANY_ORDER, .list = modifiers },
	{ 'n', ISA_UINT, .at = { AT(opcode), AT(opcode_bit6) } },
	CUSTOM('_', column),
	{ 'D', ISA_ROWS, .what = "a destination: t0.xyz_ or void",
	  ISA_PARTS(NUMBER('r', dst_reg), INDEX(dst_amode)),
	  ISA_ONE_OF({ { IS(dst_use, 0) }, "void" }, { { IS(dst_use, 1) }, "t%r%a%W" }) },
	CUSTOM('W', comps),
	{ 'X', ISA_ROWS, .what = "a sampler: tex0.xyzw",
	  ISA_PARTS(NUMBER('r', tex_id), INDEX(tex_amode), { 's', ISA_SWIZZLE, .at = { AT(tex_swiz) }, .prefix = "xyzw" }),
	  ISA_ONE_OF({ { { 0 } }, "tex%r%a%s" }) },
	SOURCE('A', 0), SOURCE('a', 0),
	SOURCE('B', 1), SOURCE('b', 1),
	SOURCE('C', 2), SOURCE('c', 2),
	/* The source of bit_findlsb, bit_findmsb that holds the op, as the vendor's driver fills it. */
	{ 'x', ISA_ROWS, .what = "void",
	  ISA_ONE_OF({ { IS(src2_amode, VIV_IMM_UINT << 1), IS(src2_rgroup, VIV_IMMEDIATE) }, "void" }, { { { 0 } }, "void" }) },
	{ 'T', ISA_TARGET, .forms = 1 << VIV_F_JUMP, .at = { AT(target) } },
	{ 'T', ISA_TARGET, .forms = 1 << VIV_F_JUMP_IMM, .at = { AT(imm_0), AT(imm_9), AT(imm_17), AT(imm_19) } },
};

static const char *const units[] = { "instruction" };

uint32_t viv_target(const struct isa_op *op, const struct isa_bits *b)
{
	const struct isa_operand *o = isa_operand_of(&isa_vivante, op, 'T');

	return o ? isa_operand_get(o, b) : 0;
}

const struct isa isa_vivante = {
	.number = ISA_VIVANTE,
	.name = "vivante",
	ISA_LISTS,
	.source = "rnndb isa.xml, Mesa etnaviv.xml",
	.line_words = 4,
	.block_bits = (const uint8_t[]){ 128, 0 },
	.check = viv_check,
};
