// SPDX-License-Identifier: MIT
/* Midgard: the table, its operands, and bundles taken apart and put together. Sources: see midgard.h and midgard_ops.inc. */
#include <math.h>
#include <stdlib.h>

#include "isa/midgard.h"

const uint8_t md_bits[MD_BLOCKS] = { 32, 64, 48, 64, 48, 64, 16, 48, 128, 60, 60, 128 };
const char *const md_block_names[MD_BLOCKS] = {
	"ctrl", "vmul", "sadd", "vadd", "smul", "lut", "br", "brx", "uconstants", "ld", "ld", "tex",
};

#define X(form, name, lo, width, reset, note) { #name, lo, width, reset, note },
#define F(form, ...) static const struct isa_field fields_##form[] = { MD_##form##_FIELDS(X) };
MD_EACH_FORM(F)
#undef F
#undef X

#define F(form, name, block) { name, MD_B_##block, fields_##form, sizeof(fields_##form) / sizeof(fields_##form[0]) },
static const struct isa_form forms[MD_FORMS] = { MD_EACH_FORM(F) };
#undef F

#define UNNAMED "", ISA_UNNAMED, MD_OP_NONE
#define OPERANDS " %D, %A, %B"
/* An op's name goes on with the type of its result. Mesa shows an unsigned minimum, comparison, ... as the signed one. */
#define ALU_TEXT(name, props) \
	!((props) & MD_P_OUT_INT) ? name "%f" OPERANDS : ((props) & MD_P_U) == MD_P_U ? name "%u" OPERANDS : name "%i" OPERANDS
#define NOT_SCALAR "it goes over components; Mesa runs it on vector units, what a scalar unit gives nobody says"

static const struct isa_op ops[] = {
#define ALU(id, code, name, sem, props, why, note) \
	{ MD_U_VECTOR, MD_F_VEC, { { MD_vec_op, 8, code } }, ALU_TEXT(name, props), note, why, MD_OP_##id, props },
#include "isa/midgard_ops.inc"
	/* Codes from 0x40 on are integers' (Mesa midgard_is_integer_op()). */
	{ MD_U_VECTOR, MD_F_VEC, { { MD_vec_op + 6, 2, 1 } }, "alu_op_%n%i" OPERANDS, UNNAMED, MD_P_I },
	{ MD_U_VECTOR, MD_F_VEC, { { 0 } }, "alu_op_%n%f" OPERANDS, UNNAMED },
#define ALU(id, code, name, sem, props, why, note) \
	{ MD_U_SCALAR, MD_F_SCALAR, { { MD_sca_op, 8, code } }, ALU_TEXT(name, props), note, \
	  (props) & (MD_P_ACROSS | MD_P_CHANNELS(7)) ? NOT_SCALAR : why, MD_OP_##id, props },
#include "isa/midgard_ops.inc"
	{ MD_U_SCALAR, MD_F_SCALAR, { { MD_sca_op + 6, 2, 1 } }, "alu_op_%n%i" OPERANDS, UNNAMED, MD_P_I },
	{ MD_U_SCALAR, MD_F_SCALAR, { { 0 } }, "alu_op_%n%f" OPERANDS, UNNAMED },
#define BRANCH(id, code, name, note) \
	{ MD_U_BRANCH, (code) == 1 ? MD_F_BRU : MD_F_BR, { { MD_br_op, 3, code } }, \
	  (code) == 1 ? "br." name "%k %o" : "br." name ".%c %o", note, NULL, MD_OP_##id },
#include "isa/midgard_ops.inc"
	{ MD_U_BRANCH, MD_F_BR, { { 0 } }, "br.unk%n.%c %o", UNNAMED },
#define BRANCH(id, code, name, note) \
	{ MD_U_BRANCHX, MD_F_BRX, { { MD_brx_op, 3, code } }, "brx%k." name ".%c %o", note, NULL, MD_OP_##id },
#include "isa/midgard_ops.inc"
	{ MD_U_BRANCHX, MD_F_BRX, { { 0 } }, "brx%k.unk%n.%c %o", UNNAMED },
#define LDST(id, code, pattern, sem, props, why, note) \
	{ MD_U_LDST, MD_F_LDST, { { MD_ld_op, 8, code } }, pattern, note, why, MD_OP_##id, props },
#include "isa/midgard_ops.inc"
	{ MD_U_LDST, MD_F_LDST, { { 0 } }, "ldst_op_%n %R", UNNAMED },
#define TEX(id, code, pattern, why, note) \
	{ MD_U_TEX, MD_F_TEX, { { MD_tex_op, 4, code } }, pattern, note, why, MD_OP_##id },
#include "isa/midgard_ops.inc"
	{ MD_U_TEX, MD_F_TEX, { { 0 } }, "tex_op_%n%v%m%f%e%o %T, %U, %P%S, %I%l", UNNAMED },
};

/* --- What no kind of the engine fits, after Mesa's disassembler; of arithmetic: midgard_alu.c --------------- */

const char md_components[17] = "xyzwefghijklmnop";

static const char *const tags[16] = {
	"invalid", "break", "tex/vt", "tex", "tex/bar", "ldst", "unk1", "unk2",
	"alu/4", "alu/8", "alu/12", "alu/16", "aluw/4", "aluw/8", "aluw/12", "aluw/16",
};

/* Hexadecimal digits; arg: at most so many of them; 0: a signed number. */
static void write_hex(const struct isa_operand *o, const struct isa_insn *in, struct isa_text *text)
{
	uint32_t v = isa_operand_get(o, in->bits);

	isa_printf(text, "%0*X", o->arg == 2 ? 2 : 1, o->arg ? v : (uint32_t)isa_signed(v, isa_operand_width(o)));
}

static bool read_hex(const struct isa_operand *o, struct isa_insn *in, struct isa_cursor *c)
{
	char digits[9] = "", *end;
	uint32_t v;

	memcpy(digits, c->at, c->end - c->at < 8 ? c->end - c->at : 8);
	digits[o->arg ? o->arg : 8] = 0;
	v = strtoul(digits, &end, 16);
	if (!isa_is(*digits, ISA_WORD) || end == digits || (o->arg && v >> isa_operand_width(o)))
		return isa_expect(c, "expected hexadecimal digits");
	c->at += end - digits;
	isa_operand_put(o, in->bits, v);
	return true;
}

/* +N, -N or a label; then "-> TAG", which a label can do without. */
static void write_target(const struct isa_operand *o, const struct isa_insn *in, struct isa_text *text)
{
	const struct md_place_in *at = in->ctx;
	int distance = md_distance(in->bits, in->op);
	int64_t to = (int64_t)at->next + 4ll * distance;

	if (at->labels && to >= 0 && to < (int64_t)at->words && !(to % 4) && at->labels[to / 4])
		isa_printf(text, "L%u", at->labels[to / 4]);
	else
		isa_printf(text, "%+d", distance);
	isa_printf(text, " -> %s", tags[isa_get_at(o, in->bits, 1)]);
}

static bool read_target(const struct isa_operand *o, struct isa_insn *in, struct isa_cursor *c)
{
	const struct isa_operand tag = { 0, ISA_NAMES, .at = { o->at[1] }, .names = tags,
					 .what = "the kind of bundle that is jumped to: alu/4, ldst, tex, break, ..." };
	struct md_place_in *at = in->ctx;
	int64_t n, reach = 1ll << (o->at[0].width - 1);

	if (c->at < c->end && *c->at != '+' && *c->at != '-' && !isa_is(*c->at, ISA_DIGIT)) {
		at->target = (struct isa_target){ .name = c->at, .length = isa_word_length(c), .op = in->op };
		c->at += at->target.length;
		if (!at->target.length)
			return isa_expect(c, "expected a label, or a distance such as +2");
	} else {
		isa_literal(c, "+");
		if (!isa_number(c, -reach, reach - 1, &n))
			return false;
		isa_put_at(o, in->bits, 0, (uint32_t)n);
	}
	isa_blanks(c);
	if (!isa_literal(c, "->")) {
		at->bare = true;
		return at->target.name || isa_expect(c, "expected '->' and the kind of bundle there");
	}
	isa_blanks(c);
	return isa_operand_read(&tag, in, c);
}

/* --- Load/store --------------------------------------------------------------- */

/* " + 0x10", " - 0x10" or nothing, in two's complement. */
static void write_offset(const struct isa_operand *o, const struct isa_insn *in, struct isa_text *text)
{
	int32_t n = isa_signed(isa_get_at(o, in->bits, 0), o->at[0].width);

	if (n)
		isa_printf(text, " %c 0x%X", n < 0 ? '-' : '+', n < 0 ? -(uint32_t)n : (uint32_t)n);
}

static bool read_offset(const struct isa_operand *o, struct isa_insn *in, struct isa_cursor *c)
{
	const char *at = c->at;
	bool minus;
	int64_t n;

	isa_blanks(c);
	minus = isa_literal(c, "-");
	if (!minus && !isa_literal(c, "+")) {
		c->at = at;
		return true;
	}
	isa_blanks(c);
	if (!isa_number(c, 0, (1ll << (o->at[0].width - 1)) - !minus, &n))
		return false;
	isa_put_at(o, in->bits, 0, (uint32_t)(minus ? -n : n));
	return true;
}

/* Components that are loaded; '~' stands for those that are not written. */
static void write_loaded(const struct isa_operand *o, const struct isa_insn *in, struct isa_text *text)
{
	unsigned int swizzle = in->op->props & MD_P_PLAIN ? 0xe4 : md_get(in->bits, ld_swizzle);

	for (int i = 0; i < 4; i++)
		isa_putc(text, md_get(in->bits, ld_mask) >> i & 1 ? md_components[swizzle >> 2 * i & 3] : '~');
}

static bool read_loaded(const struct isa_operand *o, struct isa_insn *in, struct isa_cursor *c)
{
	unsigned int mask = 0, swizzle = 0xe4, n;

	for (unsigned int i = 0; i < 4; i++) {
		if (isa_literal(c, "~"))
			continue;
		if (!isa_letter(c, md_components, 4, &n))
			return isa_expect(c, "expected four of x, y, z, w and ~");
		mask |= 1u << i;
		swizzle = (swizzle & ~(3u << 2 * i)) | n << 2 * i;
	}
	md_put(in->bits, ld_mask, mask);
	if (!(in->op->props & MD_P_PLAIN))
		md_put(in->bits, ld_swizzle, swizzle);
	return true;
}

/* The swizzle over the components in a store's mask. */
static void write_stored(const struct isa_operand *o, const struct isa_insn *in, struct isa_text *text)
{
	unsigned int swizzle = md_get(in->bits, ld_swizzle);

	isa_puts(text, swizzle == 0xe4 ? "" : ".");
	for (unsigned int i = 0; i < 4 && swizzle != 0xe4; i++)
		if (md_get(in->bits, ld_mask) >> i & 1)
			isa_putc(text, md_components[swizzle >> 2 * i & 3]);
}

static bool read_stored(const struct isa_operand *o, struct isa_insn *in, struct isa_cursor *c)
{
	unsigned int n = 0, swizzle = 0, last = 0;

	if (!isa_literal(c, "."))
		return true;
	/* GUESS(md-text-count): as many components as there are letters, from x on. */
	for (; n < 4 && isa_letter(c, md_components, 4, &last); n++)
		swizzle |= last << 2 * n;
	for (unsigned int i = n; i < 4; i++)
		swizzle |= last << 2 * i;
	md_put(in->bits, ld_swizzle, n ? swizzle : 0xe4);
	md_put(in->bits, ld_mask, (1u << n) - 1);
	return true;
}

/* --- Textures -------------------------------------------------------------------- */

/* A level or bias without its sign, which the text before it has said: 8 bits and as many of a fraction. */
static void write_fixed(const struct isa_operand *o, const struct isa_insn *in, struct isa_text *text)
{
	isa_printf(text, "%f", fabs((int16_t)isa_operand_get(o, in->bits) / 256.0));
}

static bool read_fixed(const struct isa_operand *o, struct isa_insn *in, struct isa_cursor *c)
{
	bool minus = isa_operand_get(o, in->bits) >> 15;
	char number[24] = "", *end;
	size_t n = 0;
	long v;

	for (; c->at + n < c->end && n < sizeof(number) - 1 && (isa_is(c->at[n], ISA_DIGIT) || c->at[n] == '.'); n++)
		number[n] = c->at[n];
	v = lrint(fmin(strtod(number, &end), 255) * 256);
	if (!n || *end)
		return isa_expect(c, "expected a number or a register");
	c->at += n;
	isa_operand_put(o, in->bits, (uint32_t)(minus ? -v : v));
	return true;
}

/* A barrier's word is all 0 but for its kind and the two bits of exec. */
static void write_barrier(const struct isa_operand *o, const struct isa_insn *in, struct isa_text *text)
{
}

static bool read_barrier(const struct isa_operand *o, struct isa_insn *in, struct isa_cursor *c)
{
	*in->bits = (struct isa_bits){ { 0 } };
	md_put(in->bits, tex_tag, MD_TEX_BARRIER);
	md_put(in->bits, tex_op, in->op->match[0].value);
	md_put(in->bits, tex_exec, 3);
	return true;
}

/* --- Operands --------------------------------------------------------------- */

#define LIST(...) (const char *const[]){ __VA_ARGS__ }
#define WIDTHS(kind) LIST(kind "8", kind "16", kind "32", kind "64")
#define AT(name) { MD_##name, MD_##name##_width }
#define CUSTOM(name) .read = read_##name, .write = write_##name
#define ALU_CUSTOM(name) .read = md_read_##name, .write = md_write_##name
#define NAMES(letter, forms, place, list, what) { letter, ISA_NAMES, false, forms, 0, { AT(place) }, NULL, list, what }
#define NUMBER(letter, lo, width) { letter, ISA_UINT, .at = { { lo, width } } }
#define ROWS(letter, forms, what, ...) { letter, ISA_ROWS, false, forms, 0, { { 0 } }, NULL, NULL, what, __VA_ARGS__ }
#define ROW(pattern, ...) { { __VA_ARGS__ }, pattern }
#define IS(place, value) { MD_##place, MD_##place##_width, value }
#define ELSE { 0 }

enum {
	VEC = 1 << MD_F_VEC, SCA = 1 << MD_F_SCALAR, BR = 1 << MD_F_BR, BRU = 1 << MD_F_BRU, BRX = 1 << MD_F_BRX,
	LD = 1 << MD_F_LDST, TEXTURE = 1 << MD_F_TEX,
};

static const char *const conditions[4] = { "write0", "false", "true", "always" };
static const char *const calls[4] = { ".reserved", "", ".call", ".return" };
static const char *const ldst_regs[64] = {
	"AL0", "AL1", "PC_SP", "LOCAL_STORAGE_PTR", "LOCAL_THREAD_ID", "GROUP_ID", "GLOBAL_THREAD_ID", "0",
};
static const char *const loaded_regs[32] = { [26] = "AL0", "AL1", "AT0", "AT1", "R30", "PC_SP" };
static const char *const halves[2] = { ".f16", ".f32" }, *const address_bits[2] = { "32", "64" };
static const char *const index_formats[4] = { "", ".u64", ".u32", ".s32" };
/* Bit 0: the type is the data's; bit 1: which of two tables. What an op has by itself is not said. */
static const char *const auto32[4] = { "", ".a32", "", ".a32" };
static const char *const attribute_table[4] = { "", ".a32", ".secondary", ".a32.secondary" };
static const char *const varying_table[4] = { ".primary", ".a32.primary", "", ".a32" };
static const char *const tex_tags[16] = { [MD_TEX_VERTEX] = ".vtx", [MD_TEX] = "" };
static const char *const tex_modes[16] = {
	[1] = "", [5] = ".shadow", [6] = ".gather.shadow", [8] = ".gatherX", ".gatherY", ".gatherZ", ".gatherW",
};
static const char *const directions[16] = { [0] = ".x", ".y", "" };
static const char *const tex_formats[4] = { ".cube", ".1d", ".2d", ".3d" };
static const char *const sampler_types[4] = { "?", "f", "u", "i" };
static const char *const tex_exec[4] = { ".reserved", ".skip", ".kill", "" };
static const char *const sizes[2] = { "16", "32" };
static const char *const clamps[4] = { "", ".clamp_0_inf", ".clamp_m1_1", ".clamp_0_1" };
/* Mask and upper half. A full mask has no letters, in the upper half an apostrophe. */
static const char *const tex_masks[32] = {
	"..", ".x.", ".y.", ".xy.", ".z.", ".xz.", ".yz.", ".xyz.", ".w.", ".xw.", ".yw.", ".xyw.", ".zw.", ".xzw.", ".yzw.", ".",
	"..", ".e.", ".f.", ".ef.", ".g.", ".eg.", ".fg.", ".efg.", ".h.", ".eh.", ".fh.", ".efh.", ".gh.", ".egh.", ".fgh.", "'.",
};
/*
 * A component of an input register, as texture and sampler numbers and levels are given. T720 and T820 share
 * registers between units, and Mesa, which knows the GPU, names them so: R for AT, AL for TA. The words do not tell.
 */
#define COMPONENT(reg, c) reg "0." c ".16", reg "0." c ".32", reg "1." c ".16", reg "1." c ".32"
#define INPUTS(reg) \
	LIST(COMPONENT(reg, "x"), COMPONENT(reg, "e"), COMPONENT(reg, "y"), COMPONENT(reg, "f"), \
	     COMPONENT(reg, "z"), COMPONENT(reg, "g"), COMPONENT(reg, "w"), COMPONENT(reg, "h"))
#define INPUT(place) \
	{ 's', ISA_NAMES, .at = { { MD_tex_##place, 5 } }, .names = INPUTS("AT"), .what = "a component of AT0 or AT1 and its size" }, \
	{ 'r', ISA_NAMES, .at = { { MD_tex_##place, 5 } }, .names = INPUTS("R") }
#define HANDLE(letter, text, place, what) \
	ROWS(letter, TEXTURE, what, \
	     ISA_PARTS(INPUT(place), NUMBER('n', MD_tex_##place, MD_tex_##place##_width), \
		   { 'k', ISA_NAMES, .at = { AT(tex_sampler_type) }, .names = sampler_types, .arg = 1 }), \
	     ISA_ONE_OF(ROW(text "[%s]", IS(tex_##place##_reg, 1)), ROW(text "[%r]", IS(tex_##place##_reg, 1)), ROW(text "%n", ELSE)))
#define RESULT(reg) ROW(reg "%n%mf%w%c", IS(tex_sampler_type, 1)), ROW(reg "%n%mi%w", ELSE)
#define LEVEL(letter, is, ...) \
	ROWS(letter, TEXTURE, "'lod'", ISA_PARTS(INPUT(bias), { 'f', .at = { { MD_tex_bias, 16 } }, CUSTOM(fixed) }), \
	     ISA_ONE_OF(ROW(", lod " is " %s", IS(tex_lod_reg, 1)), ROW(", lod " is " %r", IS(tex_lod_reg, 1)), \
		ROW("", { MD_tex_bias, 16, 0 }), __VA_ARGS__))

static const struct isa_operand operands[] = {
	{ 'n', .forms = VEC, .at = { AT(vec_op) }, CUSTOM(hex), .arg = 2 },
	{ 'n', .forms = SCA, .at = { AT(sca_op) }, CUSTOM(hex), .arg = 2 },
	{ 'n', .forms = LD, .at = { AT(ld_op) }, CUSTOM(hex), .arg = 2 },
	{ 'n', .forms = TEXTURE, .at = { AT(tex_op) }, CUSTOM(hex), .arg = 2 },
	{ 'n', ISA_UINT, .forms = BR | BRX, .at = { AT(br_op) } },
	/* Arithmetic. */
	NAMES('f', VEC, vec_mode, WIDTHS(".f"), ".f8, .f16, .f32 or .f64"),
	NAMES('i', VEC, vec_mode, WIDTHS(".i"), ".i8, .i16, .i32 or .i64"),
	NAMES('u', VEC, vec_mode, WIDTHS(".u"), ".u8, .u16, .u32 or .u64"),
	{ 'f', ISA_NAMES, .forms = SCA, .names = LIST(".f32"), .what = ".f32" },
	{ 'i', ISA_NAMES, .forms = SCA, .names = LIST(".i32"), .what = ".i32" },
	{ 'u', ISA_NAMES, .forms = SCA, .names = LIST(".u32"), .what = ".u32" },
	{ 'D', .forms = VEC, .at = { AT(vec_dest), AT(vec_outmod) }, ALU_CUSTOM(vector_dest) },
	{ 'D', .forms = SCA, .at = { AT(sca_dest), AT(sca_outmod) }, ALU_CUSTOM(scalar_dest) },
	{ 'A', .forms = VEC, .at = { AT(vec_src1), AT(vec_src1_mod), AT(vec_src1_expand), AT(vec_src1_swizzle) }, ALU_CUSTOM(source) },
	{ 'A', .forms = SCA, .at = { AT(sca_src1), AT(sca_src1_mod), AT(sca_src1_full), AT(sca_src1_comp) }, ALU_CUSTOM(source) },
	{ 'B', .forms = VEC, .at = { AT(vec_src2), AT(vec_src2_mod), AT(vec_src2_expand), AT(vec_src2_swizzle) }, ALU_CUSTOM(source) },
	{ 'B', .forms = SCA, .at = { AT(sca_src2), AT(sca_src2_mod), AT(sca_src2_full), AT(sca_src2_comp) }, ALU_CUSTOM(source) },
	{ '#', .forms = VEC, .at = { AT(vec_src2_swizzle), AT(vec_src2_expand), AT(vec_src2) }, ALU_CUSTOM(immediate) },
	{ '#', .forms = SCA, .at = { AT(sca_src2_low), AT(sca_src2_comp), AT(sca_src2_full), AT(sca_src2_mod), AT(sca_src2) },
	  ALU_CUSTOM(immediate) },
	/* Branches. An extended one's condition is a look-up table, or two bits of it that are repeated. */
	NAMES('c', BR, br_cond, conditions, "write0, false, true or always"),
	ROWS('c', BRX, "write0, false, true, always or a look-up table",
	     ISA_PARTS({ 'x', .at = { AT(brx_cond) }, CUSTOM(hex), .arg = 4 }),
	     ISA_ONE_OF(ROW("write0", IS(brx_cond, 0)), ROW("false", IS(brx_cond, 0x5555)), ROW("true", IS(brx_cond, 0xaaaa)),
		ROW("always", IS(brx_cond, 0xffff)), ROW("lut%x", ELSE))),
	NAMES('k', BRU, bru_call, calls, "call mode"),
	NAMES('k', BRX, brx_call, calls, "call mode"),
	{ 'o', .forms = BR, .at = { AT(br_offset), AT(br_tag) }, CUSTOM(target) },
	{ 'o', .forms = BRU, .at = { AT(bru_offset), AT(bru_tag) }, CUSTOM(target) },
	{ 'o', .forms = BRX, .at = { AT(brx_offset), AT(brx_tag) }, CUSTOM(target) },
	/* Load/store. The 18-bit offset, the two small registers and the index format mean different things by op. */
	ROWS('R', LD, "a register", ISA_PARTS({ 'r', ISA_NAMES, .at = { AT(ld_reg) }, .prefix = "R", .names = loaded_regs },
					  { 'c', CUSTOM(loaded) }), ISA_ONE_OF(ROW("%r.%c", ELSE))),
	ROWS('S', LD, "a register", ISA_PARTS({ 'r', ISA_NAMES, .at = { AT(ld_reg) }, .prefix = "R", .names = ldst_regs },
					  { 'c', CUSTOM(stored) }), ISA_ONE_OF(ROW("%r%c", ELSE))),
	ROWS('X', LD, "a register", ISA_PARTS({ 'c', ISA_SWIZZLE, true, .at = { AT(ld_swizzle) }, .prefix = "xyzw" }),
	     ISA_ONE_OF(ROW("%r%c", ELSE))),
	NAMES('r', LD, ld_arg_reg, ldst_regs, "a register of the load/store unit (AL0, PC_SP, ...) or 0"),
	NAMES('c', LD, ld_arg_comp, isa_component, "a component: .x, .y, .z or .w"),
	NAMES('i', LD, ld_index_reg, ldst_regs, "a register of the load/store unit (AL0, PC_SP, ...) or 0"),
	NAMES('j', LD, ld_index_comp, isa_component, "a component: .x, .y, .z or .w"),
	{ 's', ISA_UINT, true, LD, 0, { AT(ld_index_shift) }, " << " },
	/* What atomic ops take stands where others have a swizzle. */
	{ 'V', ISA_NAMES, .forms = LD, .at = { { MD_ld_swizzle + 2, 6 } }, .prefix = "REG", .names = ldst_regs,
	  .what = "a register of the load/store unit" },
	{ 'W', ISA_NAMES, .forms = LD, .at = { { MD_ld_swizzle, 2 } }, .names = isa_component, .what = "a component: .x, .y, .z or .w" },
	NAMES('w', LD, ld_wide, address_bits, ".u32 or .u64"),
	NAMES('f', LD, ld_wide, halves, ".f16 or .f32"),
	NAMES('m', LD, ld_index_format, auto32, NULL),
	NAMES('p', LD, ld_index_format, attribute_table, NULL),
	NAMES('q', LD, ld_index_format, varying_table, NULL),
	NAMES('t', LD, ld_index_format, index_formats, NULL),
	ROWS('x', LD, "an index", ISA_ONE_OF(ROW("", IS(ld_index_reg, 7)), ROW(" + %i%t%j%s", ELSE))),
	{ 'o', .forms = LD, .at = { AT(ld_offset) }, CUSTOM(offset) },
	{ 'u', .forms = LD, .at = { { MD_ld_offset + 2, 16 } }, CUSTOM(offset) },
	{ 'a', .forms = LD, .at = { { MD_ld_offset + 9, 9 } }, CUSTOM(offset) },
	/* The vertex or sample: with an offset if a bit says so. */
	ROWS('v', LD, "an offset", ISA_PARTS({ 'o', .at = { { MD_ld_offset, 9 } }, CUSTOM(offset) }),
	     ISA_ONE_OF(ROW("", IS(ld_wide, 0)), ROW("%o", IS(ld_wide, 1)))),
	/* A uniform buffer: its number, or the register that Mesa's disassembler reads there when bit 0 of the offset is clear. */
	ROWS('U', LD, "a uniform buffer's number or register", ISA_ONE_OF(ROW("%N", { MD_ld_offset, 1, 1 }), ROW("%r%c", ELSE))),
	{ 'N', ISA_UINT, .forms = LD, .at = { AT(ld_ubo) } },
	ROWS('O', LD, "0x and a number", ISA_PARTS({ 'n', .at = { AT(ld_offset) }, CUSTOM(hex) }), ISA_ONE_OF(ROW("0x%n", ELSE))),
	ROWS('F', LD, "0x and a number", ISA_PARTS({ 'n', .at = { AT(ld_index_shift), AT(ld_offset) }, CUSTOM(hex) }),
	     ISA_ONE_OF(ROW("0x%n", ELSE))),
	/* Textures. */
	NAMES('v', TEXTURE, tex_tag, tex_tags, NULL),
	NAMES('m', TEXTURE, tex_mode, tex_modes, NULL),
	NAMES('d', TEXTURE, tex_mode, directions, NULL),
	NAMES('f', TEXTURE, tex_format, tex_formats, ".cube, .1d, .2d or .3d"),
	NAMES('e', TEXTURE, tex_exec, tex_exec, NULL),
	{ 'o', ISA_UINT, true, TEXTURE, 0, { AT(tex_out_of_order) }, ".ooo" },
	ROWS('T', TEXTURE, "TA0 or TA1",
	     ISA_PARTS(NUMBER('n', MD_tex_out_select, 1), NAMES('w', 0, tex_out_full, sizes, "32 or 16"), NAMES('c', 0, tex_outmod, clamps, NULL),
		   { 'm', ISA_NAMES, .at = { AT(tex_mask), AT(tex_out_upper) }, .names = tex_masks, .arg = 1, .what = "a mask or a type" }),
	     ISA_ONE_OF(RESULT("TA"), RESULT("AL"))),
	HANDLE('U', "texture", texture, "'texture' and its number or register"),
	HANDLE('P', "%ksampler", sampler, "fsampler, usampler or isampler and its number or register"),
	{ 'S', ISA_SWIZZLE, true, TEXTURE, 0, { AT(tex_swizzle) }, "xyzw" },
	ROWS('I', TEXTURE, "AT0 or AT1",
	     ISA_PARTS(NUMBER('n', MD_tex_in_select, 1), NAMES('w', 0, tex_in_full, sizes, "32 or 16"),
		   { 's', ISA_SWIZZLE, true, .at = { AT(tex_in_swizzle), AT(tex_in_upper) }, .prefix = "xyzwefgh" },
		   ROWS('o', 0, "AT0, AT1 or <x, y, z>",
			ISA_PARTS(NUMBER('n', MD_tex_offset + 1, 1), { 'w', ISA_NAMES, .at = { { MD_tex_offset, 1 } }, .names = sizes },
			      { 's', ISA_SWIZZLE, true, .at = { { MD_tex_offset + 3, 8 }, { MD_tex_offset + 2, 1 } }, .prefix = "xyzwefgh" },
			      NUMBER('x', MD_tex_offset, 4), NUMBER('y', MD_tex_offset + 4, 4), NUMBER('z', MD_tex_offset + 8, 4)),
			ISA_ONE_OF(ROW(" + AT%n%s.%w", IS(tex_offset_reg, 1)), ROW(" + R%n%s.%w", IS(tex_offset_reg, 1)),
			   ROW("", IS(tex_offset, 0)), ROW(" + <%x, %y, %z>", ELSE)))),
	     ISA_ONE_OF(ROW("AT%n%s.%w%o", ELSE), ROW("R%n%s.%w%o", ELSE))),
	/* Bias (+) or level (=): a register, a whole number for a fetch, a fixed-point one. */
	LEVEL('L', "+", ROW(", lod - %f", { MD_tex_bias_int + 7, 1, 1 }), ROW(", lod + %f", ELSE)),
	LEVEL('l', "=", ROW(", lod = %f", ELSE)),
	ROWS('q', TEXTURE, "'lod'", ISA_PARTS(INPUT(bias), NUMBER('n', MD_tex_bias, 8)),
	     ISA_ONE_OF(ROW(", lod = %s", IS(tex_lod_reg, 1)), ROW(", lod = %r", IS(tex_lod_reg, 1)), ROW(", lod = %n", ELSE))),
	{ 'b', .forms = TEXTURE, CUSTOM(barrier) },
};

static const char *const units[] = { "vector", "scalar", "branch", "extended branch", "load/store", "texture" };

const struct isa isa_midgard = {
	.number = ISA_MIDGARD,
	.name = "midgard",
	ISA_LISTS,
	.source = "Mesa src/panfrost/midgard",
	.own_size = &md_own_size,
	.read_line = md_read_line,
	.finish = md_finish,
	.disassemble = md_disassemble,
	.check = md_check,
};

/* --- Bundles ---------------------------------------------------------------- */

const uint8_t md_block_unit[MD_BLOCKS] = {
	[MD_B_VMUL] = MD_U_VECTOR, [MD_B_SADD] = MD_U_SCALAR, [MD_B_VADD] = MD_U_VECTOR, [MD_B_SMUL] = MD_U_SCALAR,
	[MD_B_LUT] = MD_U_VECTOR, [MD_B_BRANCH] = MD_U_BRANCH, [MD_B_BRANCHX] = MD_U_BRANCHX,
	[MD_B_LDST0] = MD_U_LDST, [MD_B_LDST1] = MD_U_LDST, [MD_B_TEX] = MD_U_TEX,
};

const struct isa_op *md_row(const struct isa_bits *block, unsigned int which)
{
	return isa_match_op(&isa_midgard, md_block_unit[which], block);
}

/* Of the branch's operand: distance and tag. */
int md_distance(const struct isa_bits *b, const struct isa_op *op)
{
	const struct isa_operand *o = isa_operand_of(&isa_midgard, op, 'o');

	return (int)isa_signed(isa_get_at(o, b, 0), o->at[0].width);
}

unsigned int md_target_tag(const struct isa_bits *b, const struct isa_op *op)
{
	return isa_get_at(isa_operand_of(&isa_midgard, op, 'o'), b, 1);
}

/* The control bit of an ALU block. */
static const uint8_t control_bit[MD_B_BRANCHX + 1] = {
	[MD_B_VMUL] = MD_ctrl_vmul, [MD_B_SADD] = MD_ctrl_sadd, [MD_B_VADD] = MD_ctrl_vadd, [MD_B_SMUL] = MD_ctrl_smul,
	[MD_B_LUT] = MD_ctrl_lut, [MD_B_BRANCH] = MD_ctrl_branch, [MD_B_BRANCHX] = MD_ctrl_branchx,
};

#define WORDS 16	/* of a bundle, at most */

/*
 * Between the half-words of an ALU bundle and its blocks that are present: behind the control word all
 * register words, then all bodies. Returns how many half-words that takes.
 */
static unsigned int move_alu(struct md_bundle *b, uint32_t words[WORDS], bool join)
{
	unsigned int reg = 2, body = reg;

	for (unsigned int i = MD_B_VMUL; i <= MD_B_LUT; i++)
		body += b->present >> i & 1;
	for (unsigned int i = MD_B_VMUL; i <= MD_B_BRANCHX; i++) {
		for (unsigned int lo = 0; b->present >> i & 1 && lo < md_bits[i]; lo += 16) {
			unsigned int at = 16 * (i <= MD_B_LUT && !lo ? reg++ : body++);

			if (join)
				isa_put_words(words, at, 16, isa_get(&b->block[i], lo, 16));
			else
				isa_put(&b->block[i], lo, 16, isa_get_words(words, at, 16));
		}
	}
	return body;
}

static void split_alu(const uint32_t *words, size_t left, struct md_bundle *b)
{
	unsigned int quads = (words[0] & 3) + 1, used;
	uint32_t all[WORDS] = { 0 };

	b->block[MD_B_CTRL].w[0] = words[0];
	b->present = 1 << MD_B_CTRL;
	for (unsigned int i = MD_B_VMUL; i <= MD_B_BRANCHX; i++)
		b->present |= (words[0] >> control_bit[i] & 1) << i;
	memcpy(all, words, 4 * (left < 4 * quads ? left : 4 * quads));
	used = move_alu(b, all, false);
	if (4 * quads > left || quads < (used + 7) / 8 || quads > (used + 7) / 8 + 1)
		return;
	for (unsigned int i = used; i % 8; i++)
		if (isa_get_words(all, 16 * i, 16))
			return;
	if (quads > (used + 7) / 8) {
		memcpy(b->block[MD_B_CONST].w, words + 4 * (quads - 1), 16);
		b->present |= 1 << MD_B_CONST;
	}
	b->words = 4 * quads;
}

void md_split(const uint32_t *words, size_t left, struct md_bundle *b)
{
	unsigned int tag = words[0] & 15;

	memset(b, 0, sizeof(*b));
	if (tag >= MD_ALU) {
		split_alu(words, left, b);
	} else if (left >= 4 && tag == MD_LDST) {
		b->words = 4;
		b->present = 1 << MD_B_CTRL | 1 << MD_B_LDST0 | 1 << MD_B_LDST1;
		b->block[MD_B_CTRL].w[0] = words[0] & 0xff;
		for (unsigned int i = 0; i < 2; i++)
			isa_copy_words(b->block[MD_B_LDST0 + i].w, 0, words, 8 + 60 * i, 60);
	} else if (left >= 4 && tag >= MD_TEX_VERTEX && tag < MD_LDST) {
		b->words = 4;
		b->present = 1 << MD_B_TEX;
		memcpy(b->block[MD_B_TEX].w, words, 16);
	}
}

static unsigned int join_alu(const struct md_bundle *b, uint32_t *out)
{
	struct md_bundle copy = *b;
	unsigned int quads = (move_alu(&copy, out, true) + 7) / 8 + (b->present >> MD_B_CONST & 1);

	out[0] = (b->block[MD_B_CTRL].w[0] & ~3u) | (quads - 1);
	for (unsigned int i = MD_B_VMUL; i <= MD_B_BRANCHX; i++)
		out[0] |= (uint32_t)(b->present >> i & 1) << control_bit[i];
	if (b->present >> MD_B_CONST & 1)
		memcpy(out + 4 * (quads - 1), b->block[MD_B_CONST].w, 16);
	return 4 * quads;
}

unsigned int md_join(const struct md_bundle *b, uint32_t *out)
{
	memset(out, 0, 64);
	if (b->present >> MD_B_TEX & 1) {
		memcpy(out, b->block[MD_B_TEX].w, 16);
	} else if (b->present >> MD_B_LDST0 & 1) {
		out[0] = b->block[MD_B_CTRL].w[0] & 0xff;
		for (unsigned int i = 0; i < 2; i++)
			isa_copy_words(out, 8 + 60 * i, b->block[MD_B_LDST0 + i].w, 0, 60);
	} else {
		return join_alu(b, out);
	}
	return 4;
}
