/* SPDX-License-Identifier: MIT */
/*
 * Midgard (Mali T6xx and later): bundles of 128-bit words. Sources: Mesa src/panfrost/midgard, first of all
 * midgard.h; the T6xx notes. They agree, but for the notes' "output modifier 2", which is the clamp to [-1, 1], and
 * 0xac, 0xb0, which load from uniform buffers.
 *
 * A unit's block is its register word (bits 15:0) with its body above.
 */
#ifndef LIMN_ISA_MIDGARD_H
#define LIMN_ISA_MIDGARD_H

#include "isa/program.h"

enum md_tag {
	MD_BREAK = 1, MD_TEX_VERTEX = 2, MD_TEX = 3, MD_TEX_BARRIER = 4, MD_LDST = 5,
	MD_ALU = 8,		/* + words - 1, + 4 with writeout */
};

enum md_unit { MD_U_VECTOR, MD_U_SCALAR, MD_U_BRANCH, MD_U_BRANCHX, MD_U_LDST, MD_U_TEX, MD_UNITS };

enum md_block {
	MD_B_CTRL, MD_B_VMUL, MD_B_SADD, MD_B_VADD, MD_B_SMUL, MD_B_LUT, MD_B_BRANCH, MD_B_BRANCHX, MD_B_CONST,
	MD_B_LDST0, MD_B_LDST1, MD_B_TEX, MD_BLOCKS
};

/* X(form prefix, name, lo, width, reset, note) */
#define MD_CTRL_FIELDS(X) \
	X(ctrl, tag, 0, 4, 8, "type and length of this bundle") \
	X(ctrl, next, 4, 4, 1, "tag of the next bundle; 1: none, or an ALU bundle that is the last") \
	X(ctrl, unknown_8_9, 8, 9, 0, "") \
	X(ctrl, vmul, 17, 1, 0, "the vector multiplier has an instruction") \
	X(ctrl, unknown_18, 18, 1, 0, "") \
	X(ctrl, sadd, 19, 1, 0, "the scalar adder") \
	X(ctrl, unknown_20, 20, 1, 0, "") \
	X(ctrl, vadd, 21, 1, 0, "the vector adder") \
	X(ctrl, unknown_22, 22, 1, 0, "") \
	X(ctrl, smul, 23, 1, 0, "the scalar multiplier") \
	X(ctrl, unknown_24, 24, 1, 0, "") \
	X(ctrl, lut, 25, 1, 0, "the look-up unit, a third vector unit") \
	X(ctrl, branch, 26, 1, 0, "a compact branch or writeout") \
	X(ctrl, branchx, 27, 1, 0, "an extended branch") \
	X(ctrl, unknown_28_4, 28, 4, 0, "")
#define MD_VEC_FIELDS(X) \
	X(vec, src1, 0, 5, 0, "register; 26: the bundle's constants") \
	X(vec, src2, 5, 5, 0, "register, or bits 15:11 of the inline constant") \
	X(vec, dest, 10, 5, 0, "register") \
	X(vec, imm, 15, 1, 0, "the second source is an inline constant") \
	X(vec, op, 16, 8, 0, "") \
	X(vec, mode, 24, 2, 2, "lanes of 8 << mode bits") \
	X(vec, src1_mod, 26, 2, 0, "float: 1 abs, 2 neg; integer: how an expanded source widens") \
	X(vec, src1_expand, 28, 3, 0, "which half, and whether it is widened") \
	X(vec, src1_swizzle, 31, 8, 0xe4, "") \
	X(vec, src2_mod, 39, 2, 0, "") \
	X(vec, src2_expand, 41, 3, 0, "or bits 10:8 of the inline constant") \
	X(vec, src2_swizzle, 44, 8, 0xe4, "or bits 7:0 of the inline constant") \
	X(vec, shrink, 52, 2, 2, "the result goes halved to the low (0) or high (1) half; 2: whole") \
	X(vec, outmod, 54, 2, 0, "float: clamps; integer: saturate or which half to keep") \
	X(vec, mask, 56, 8, 0xff, "a bit for 16 bits of the destination")
#define MD_SCALAR_FIELDS(X) \
	X(sca, src1, 0, 5, 0, "") \
	X(sca, src2, 5, 5, 0, "register, or bits 15:11 of the inline constant") \
	X(sca, dest, 10, 5, 0, "") \
	X(sca, imm, 15, 1, 0, "the second source is an inline constant") \
	X(sca, op, 16, 8, 0, "") \
	X(sca, src1_mod, 24, 2, 0, "") \
	X(sca, src1_full, 26, 1, 1, "32 bits; else 16") \
	X(sca, src1_comp, 27, 3, 0, "in units of 16 bits") \
	X(sca, src2_mod, 30, 2, 0, "or bits 10:9 of the inline constant") \
	X(sca, src2_full, 32, 1, 1, "or bit 8") \
	X(sca, src2_comp, 33, 3, 0, "or bits 7:5") \
	X(sca, src2_low, 36, 5, 0, "bits 4:0 of the inline constant") \
	X(sca, unknown_41, 41, 1, 0, "") \
	X(sca, outmod, 42, 2, 0, "") \
	X(sca, out_full, 44, 1, 1, "") \
	X(sca, out_comp, 45, 3, 0, "in units of 16 bits")
#define MD_BR_FIELDS(X) \
	X(br, op, 0, 3, 2, "") \
	X(br, tag, 3, 4, 1, "of the target") \
	X(br, offset, 7, 7, 0, "signed, in 128-bit words from the next bundle") \
	X(br, cond, 14, 2, 3, "")
#define MD_BRU_FIELDS(X) \
	X(bru, op, 0, 3, 1, "") \
	X(bru, tag, 3, 4, 1, "of the target") \
	X(bru, call, 7, 2, 1, "1 jump, 2 call, 3 return") \
	X(bru, offset, 9, 7, 0, "signed, in 128-bit words from the next bundle")
#define MD_BRX_FIELDS(X) \
	X(brx, op, 0, 3, 2, "") \
	X(brx, tag, 3, 4, 1, "of the target") \
	X(brx, call, 7, 2, 1, "") \
	X(brx, offset, 9, 23, 0, "signed, in 128-bit words from the next bundle") \
	X(brx, cond, 32, 16, 0xffff, "look-up table over four conditions; 2 bits repeated for one")
#define MD_LDST_FIELDS(X) \
	X(ld, op, 0, 8, 3, "") \
	X(ld, reg, 8, 5, 0, "destination, or what is stored") \
	X(ld, mask, 13, 4, 15, "") \
	X(ld, swizzle, 17, 8, 0xe4, "") \
	X(ld, arg_comp, 25, 2, 0, "") \
	X(ld, arg_reg, 27, 3, 7, "") \
	X(ld, wide, 30, 1, 0, "64-bit address, and other things by op") \
	X(ld, index_format, 31, 2, 0, "") \
	X(ld, index_comp, 33, 2, 0, "") \
	X(ld, index_reg, 35, 3, 7, "") \
	X(ld, index_shift, 38, 4, 0, "") \
	X(ld, offset, 42, 18, 0, "signed; a number is in its high 9 bits")
#define MD_TEX_FIELDS(X) \
	X(tex, tag, 0, 4, 3, "") \
	X(tex, next, 4, 4, 1, "") \
	X(tex, op, 8, 4, 1, "") \
	X(tex, mode, 12, 4, 1, "1 plain, 5 shadow, 6 and 8-11 gather; derivative: 0 x, 1 y") \
	X(tex, exec, 16, 2, 3, "helper threads: 1 skip, 2 kill, 3 go on") \
	X(tex, format, 18, 2, 2, "0 cube, 1 1d, 2 2d, 3 3d") \
	X(tex, sampler_reg, 20, 1, 0, "") \
	X(tex, texture_reg, 21, 1, 0, "") \
	X(tex, lod_reg, 22, 1, 0, "") \
	X(tex, offset_reg, 23, 1, 0, "") \
	X(tex, in_full, 24, 1, 1, "") \
	X(tex, in_select, 25, 1, 0, "") \
	X(tex, in_upper, 26, 1, 0, "") \
	X(tex, in_swizzle, 27, 8, 0xe4, "") \
	X(tex, unknown_35_2, 35, 2, 0, "") \
	X(tex, out_full, 37, 1, 1, "") \
	X(tex, sampler_type, 38, 2, 1, "1 float, 2 unsigned, 3 signed") \
	X(tex, out_select, 40, 1, 0, "") \
	X(tex, out_upper, 41, 1, 0, "") \
	X(tex, mask, 42, 4, 15, "") \
	X(tex, outmod, 46, 2, 0, "") \
	X(tex, swizzle, 48, 8, 0xe4, "") \
	X(tex, out_of_order, 56, 4, 0, "bundles that may run beside this") \
	X(tex, unknown_60_8, 60, 8, 0, "") \
	X(tex, offset, 68, 12, 0, "") \
	X(tex, bias, 80, 8, 0, "fraction of bias or level") \
	X(tex, bias_int, 88, 8, 0, "") \
	X(tex, sampler, 96, 16, 0, "") \
	X(tex, texture, 112, 16, 0, "")

/* F(form, its name in text, the first block that it describes). */
#define MD_EACH_FORM(F) \
	F(CTRL, "ctrl", CTRL) F(VEC, "vec", VMUL) F(SCALAR, "sca", SADD) F(BR, "br", BRANCH) F(BRU, "bru", BRANCH) \
	F(BRX, "brx", BRANCHX) F(LDST, "ld", LDST0) F(TEX, "tex", TEX)

#define F(form, ...) MD_F_##form,
enum md_form { MD_EACH_FORM(F) MD_FORMS };
#undef F

#define X(form, name, lo, width, reset, note) MD_##form##_##name = (lo), MD_##form##_##name##_width = (width),
#define F(form, ...) MD_##form##_FIELDS(X)
enum md_place { MD_EACH_FORM(F) };
#undef F
#undef X

/* A uniform buffer's number, over the places of the argument and the format of the index. */
enum { MD_ld_ubo = MD_ld_arg_comp, MD_ld_ubo_width = 8 };

#define md_get(bits, name) isa_get(bits, MD_##name, MD_##name##_width)
#define md_put(bits, name, value) isa_put(bits, MD_##name, MD_##name##_width, value)

/* Columns of midgard_ops.inc: struct isa_op's props. */
enum md_prop {
	/* ALU: operands and result are floats unless said; UNSIGNED is of the integers among them. */
	MD_P_IN_INT = 1 << 0, MD_P_OUT_INT = 1 << 1, MD_P_UNSIGNED = 1 << 2,
	MD_P_F = 0, MD_P_I = MD_P_IN_INT | MD_P_OUT_INT, MD_P_U = MD_P_I | MD_P_UNSIGNED,
	MD_P_F2I = MD_P_OUT_INT, MD_P_I2F = MD_P_IN_INT,
	MD_P_COMMUTES = 1 << 3,
	MD_P_X2 = 1 << 4,		/* the first source counts twice, and says so in text */
	MD_P_HEX = 1 << 5,		/* constants are shown in hexadecimal */
	MD_P_ACROSS = 1 << 6,		/* a component of the result is made of several of the sources */
	MD_P_ALL = 1 << 7,		/* of CHANNELS comparisons: all hold, else any */
	MD_P_SELECT = 1 << 8, MD_P_SELECT_VECTOR = 1 << 9,	/* a third source: r31.w, r31 */
	/* Units that Mesa's compiler runs it on. */
	MD_P_VMUL = 1 << 16, MD_P_SADD = 1 << 17, MD_P_VADD = 1 << 18, MD_P_SMUL = 1 << 19, MD_P_LUT = 1 << 20,
	MD_P_MUL = MD_P_VMUL | MD_P_SMUL, MD_P_ADD = MD_P_VADD | MD_P_SADD, MD_P_MOST = MD_P_MUL | MD_P_ADD,
	MD_P_ALL_UNITS = MD_P_MOST | MD_P_LUT, MD_P_VECTOR = MD_P_VMUL | MD_P_VADD,
	/* Load/store. */
	MD_P_STORES = 1 << 0,		/* its register is read */
	MD_P_PLAIN = 1 << 1,		/* what is loaded is not swizzled */
	MD_P_SIGNED = 1 << 2,
	MD_P_COMPARES = 1 << 3,		/* the index is no part of the address */
	MD_P_BY_WIDE = 1 << 4,		/* the bit wide says whether components have 32 bits or 16 */
};

/* 0 to nearest even, 1 towards 0, 2 down, 3 up. */
#define MD_P_ROUND(mode)	((mode) << 10)
#define MD_ROUND_OF(props)	((props) >> 10 & 3)
/* How many components of the sources count; 0: as many as are written. */
#define MD_P_CHANNELS(n)	((n) << 12)
#define MD_CHANNELS_OF(props)	((props) >> 12 & 7)
/* Load/store: components are f32, f16, u32, s32; of a division, the divisor. */
#define MD_P_TYPE(type)		((type) << 10)
#define MD_TYPE_OF(props)	((props) >> 10 & 3)
/* Logarithms of bytes, and of how many of them are turned round together. */
#define MD_P_SIZE(size, swap)	((size) << 16 | (swap) << 20)
#define MD_BYTES_OF(props)	(1u << ((props) >> 16 & 7))
#define MD_SWAP_OF(props)	(1u << ((props) >> 20 & 7))

#define ALU(id, ...) MD_OP_##id,
#define LDST(id, ...) MD_OP_##id,
#define TEX(id, ...) MD_OP_##id,
#define BRANCH(id, ...) MD_OP_##id,
enum md_op {
	MD_OP_NONE,		/* nobody has named it */
#include "isa/midgard_ops.inc"
	MD_OPS
};

/* Of the control word: which units have an instruction. */
#define MD_CTRL_UNITS \
	(1u << MD_ctrl_vmul | 1u << MD_ctrl_sadd | 1u << MD_ctrl_vadd | 1u << MD_ctrl_smul | 1u << MD_ctrl_lut | \
	 1u << MD_ctrl_branch | 1u << MD_ctrl_branchx)
#define MD_CONSTANTS 26		/* as a source: the bundle's constants */

extern const uint8_t md_bits[MD_BLOCKS];	/* of each block */
extern const uint8_t md_block_unit[MD_BLOCKS];	/* but of CTRL and CONST */
extern const char *const md_block_names[MD_BLOCKS];

/* A bundle taken apart. */
struct md_bundle {
	struct isa_bits block[MD_BLOCKS];
	uint16_t present;		/* bit per block */
	unsigned int words;		/* of 32 bits; 0: has no shape that a bundle can have */
};

void md_split(const uint32_t *words, size_t left, struct md_bundle *b);
/* Into out[16]: the number of words. With all that it can have it fits. */
unsigned int md_join(const struct md_bundle *b, uint32_t *out);
/* Row and form of a block that is present (not of CTRL and CONST). */
const struct isa_op *md_row(const struct isa_bits *block, unsigned int which);
/* The branch in that block: where it goes, in 128-bit words from the next bundle, and the tag that is there. */
int md_distance(const struct isa_bits *block, const struct isa_op *op);
unsigned int md_target_tag(const struct isa_bits *block, const struct isa_op *op);

/* A source of an ALU instruction, as encoded. */
struct md_source {
	uint8_t reg, mod;
	uint8_t bits;			/* of an element */
	bool immediate;			/* the second one: value below instead */
	uint16_t value;
	/* By component, elements of the register; of 64-bit ones the low half in bits 1:0, the high one in 3:2. */
	uint8_t element[16];
};

/* Of a row of a vector or scalar unit; a scalar one has one component. */
void md_source_of(const struct isa_bits *block, const struct isa_op *op, bool second, struct md_source *source);

/* --- What the parts of the text share --- */

/* Where an instruction stands, for those of its operands that need to know. */
struct md_place_in {
	const uint32_t *constants;	/* of the bundle; NULL: it has none */
	/* Writing: */
	uint16_t written;	/* registers 0-15 that were written before: these are no uniforms */
	const uint32_t *labels;	/* by 128-bit word, 0: none; NULL: no labels */
	size_t words;		/* of the program */
	size_t next;		/* word offset behind the bundle */
	uint32_t next_tag;	/* what the text says of the bundle there */
	/* Reading: a label that was named as a branch's target, and whether without the kind of bundle there. */
	struct isa_target target;
	bool bare;
};

extern const char md_components[17];	/* letters of elements; behind them 0 */

/* Custom operands: midgard.c declares their places. */
#define MD_CUSTOM(name) \
	bool md_read_##name(const struct isa_operand *o, struct isa_insn *in, struct isa_cursor *c); \
	void md_write_##name(const struct isa_operand *o, const struct isa_insn *in, struct isa_text *text)

MD_CUSTOM(source);
MD_CUSTOM(vector_dest);
MD_CUSTOM(scalar_dest);
MD_CUSTOM(immediate);

/* For the table. */
bool md_read_line(struct isa_program *p, struct isa_cursor *c);
void md_finish(struct isa_program *p);
extern const size_t md_own_size;
void md_disassemble(const struct isa *isa, const uint32_t *words, size_t count, struct isa_text *text);
void md_check(struct isa_checker *c);

#endif
