/* SPDX-License-Identifier: MIT */
/*
 * Utgard PP: the control word, the twelve optional fields behind it, and the
 * places in them. Operands are numbered as Mesa does: arg0 in the low bits
 * (mali-isa-docs calls that one arg1). Sources: mali-isa-docs Utgard-PP.md ("doc"),
 * Mesa lima ir/pp/codegen.h.
 */
#ifndef LIMN_ISA_UTGARD_PP_H
#define LIMN_ISA_UTGARD_PP_H

#include "isa/program.h"

/* Blocks, in the order of their bits in the control word. */
enum pp_block {
	PP_CTRL, PP_VARYING, PP_SAMPLER, PP_UNIFORM, PP_VMUL, PP_SMUL, PP_VADD, PP_SADD,
	PP_COMBINE, PP_TEMP, PP_BRANCH, PP_CONST0, PP_CONST1, PP_BLOCKS
};

/* X(group, name, lo, width, reset, note): every bit of a form, once. Places are PP_group_name. */
#define PP_CTRL_FIELDS(X) \
	X(ctrl, count, 0, 5, 0, "length in words, this one included") \
	X(ctrl, stop, 5, 1, 0, "the shader ends after this instruction") \
	X(ctrl, sync, 6, 1, 0, "with texture lookups and derivatives: the quad goes together (GUESS(pp-sync-bit) of the notes)") \
	X(ctrl, fields, 7, 12, 0, "which fields follow") \
	X(ctrl, next_count, 19, 6, 0, "length of the next instruction") \
	X(ctrl, prefetch, 25, 1, 0, "the next instruction can be reached from here") \
	X(ctrl, unknown, 26, 6, 0, "0")

#define PP_VARYING_HEAD(X) \
	X(var, perspective, 0, 2, 0, "0 none, 2 divide by z, 3 divide by w") \
	X(var, source_type, 2, 2, 0, "")
#define PP_VARYING_DEST(X) \
	X(var, dest, 24, 4, 0, "15: nowhere, only for the texture unit") \
	X(var, mask, 28, 4, 0, "")

#define PP_VARYING_INDEX(X) \
	X(var, unknown_0, 4, 1, 0, "") \
	X(var, alignment, 5, 2, 0, "0: float, 1: vec2, 3: vec4; the unit of index") \
	X(var, unknown_1, 7, 3, 0, "") \
	X(var, offset_vector, 10, 4, 15, "register added to the index; 15: none") \
	X(var, unknown_2, 14, 2, 0, "") \
	X(var, offset_scalar, 16, 2, 0, "component of the offset register") \
	X(var, index, 18, 6, 0, "")
#define PP_VARYING_END(X) X(var, unknown_3, 32, 2, 0, "")
#define PP_VARYING_FIELDS(X) PP_VARYING_HEAD(X) PP_VARYING_INDEX(X) PP_VARYING_DEST(X) PP_VARYING_END(X)

#define PP_VARYING_SOURCE(X) \
	X(reg, unknown_0, 4, 2, 0, "") \
	X(reg, normalize, 6, 1, 0, "Mesa's name; never seen set") \
	X(reg, unknown_1, 7, 3, 0, "doc has 1 for normalize") \
	X(reg, source, 10, 4, 0, "") \
	X(reg, negate, 14, 1, 0, "") \
	X(reg, absolute, 15, 1, 0, "") \
	X(reg, swizzle, 16, 8, 0, "")
#define PP_VARYING_REG_END(X) X(reg, unknown_2, 32, 2, 0, "")
#define PP_VARYING_REG_FIELDS(X) PP_VARYING_HEAD(X) PP_VARYING_SOURCE(X) PP_VARYING_DEST(X) PP_VARYING_REG_END(X)

#define PP_SAMPLER_FIELDS(X) \
	X(tex, lod_bias, 0, 6, 0, "register with the bias or level") \
	X(tex, index_offset, 6, 6, 0, "register added to the index") \
	X(tex, unknown_0, 12, 5, 0, "") \
	X(tex, explicit_lod, 17, 1, 0, "the register is the level itself") \
	X(tex, lod_bias_en, 18, 1, 0, "") \
	X(tex, unknown_1, 19, 5, 0, "") \
	X(tex, type, 24, 5, 0, "0: 2D and others, 31: cube") \
	X(tex, offset_en, 29, 1, 0, "") \
	X(tex, index, 30, 12, 0, "") \
	X(tex, unknown_2, 42, 20, 0x39001, "")

/* Where both kinds of memory accesses have their address. */
#define PP_MEMORY(X) \
	X(mem, alignment, 10, 2, 0, "0: float, 1: vec2, 2: vec4; the unit of index") \
	X(mem, unknown_1, 12, 6, 0, "") \
	X(mem, offset_reg, 18, 6, 0, "") \
	X(mem, offset_en, 24, 1, 0, "") \
	X(mem, index, 25, 16, 0, "signed")

#define PP_UNIFORM_HEAD(X) \
	X(uni, source, 0, 2, 0, "0: uniform, 3: temporary") \
	X(uni, unknown_0, 2, 8, 0, "")
#define PP_UNIFORM_FIELDS(X) PP_UNIFORM_HEAD(X) PP_MEMORY(X)

#define PP_VECTOR(X) \
	X(vec, arg0_source, 0, 4, 0, "") \
	X(vec, arg0_swizzle, 4, 8, 0, "") \
	X(vec, arg0_absolute, 12, 1, 0, "") \
	X(vec, arg0_negate, 13, 1, 0, "") \
	X(vec, arg1_source, 14, 4, 0, "") \
	X(vec, arg1_swizzle, 18, 8, 0, "") \
	X(vec, arg1_absolute, 26, 1, 0, "") \
	X(vec, arg1_negate, 27, 1, 0, "") \
	X(vec, dest, 28, 4, 0, "") \
	X(vec, mask, 32, 4, 0, "0: result only for the adder") \
	X(vec, dest_modifier, 36, 2, 0, "1: clamp to 0..1, 2: not below 0, 3: round") \
	X(vec, op, 38, 5, 0, "")
#define PP_VADD_MUL(X) X(vec, mul_in, 43, 1, 0, "arg0 is ^v0")
#define PP_VADD_FIELDS(X) PP_VECTOR(X) PP_VADD_MUL(X)

#define PP_SCALAR(X) \
	X(sca, arg0_source, 0, 6, 0, "") \
	X(sca, arg0_absolute, 6, 1, 0, "") \
	X(sca, arg0_negate, 7, 1, 0, "") \
	X(sca, arg1_source, 8, 6, 0, "") \
	X(sca, arg1_absolute, 14, 1, 0, "") \
	X(sca, arg1_negate, 15, 1, 0, "") \
	X(sca, dest, 16, 6, 0, "") \
	X(sca, output_en, 22, 1, 0, "0: result only for the adder") \
	X(sca, dest_modifier, 23, 2, 0, "1: clamp to 0..1, 2: not below 0, 3: round") \
	X(sca, op, 25, 5, 0, "")
#define PP_SADD_MUL(X) X(sca, mul_in, 30, 1, 0, "arg0 is ^s0")
#define PP_SADD_FIELDS(X) PP_SCALAR(X) PP_SADD_MUL(X)

/* A scalar or a vector comes out, and a scalar or a vector goes in as arg1. */
#define PP_COMBINE_HEAD(X) \
	X(com, dest_vec, 0, 1, 0, "") \
	X(com, arg1_en, 1, 1, 0, "")
#define PP_COMBINE_SCALAR_ARG1(X) \
	X(com, op, 2, 4, 0, "") \
	X(com, arg1_absolute, 6, 1, 0, "") \
	X(com, arg1_negate, 7, 1, 0, "") \
	X(com, arg1_src, 8, 6, 0, "")
#define PP_COMBINE_VECTOR_ARG1(X) \
	X(com, arg1_swizzle, 2, 8, 0, "") \
	X(com, arg1_source, 10, 4, 0, "")
#define PP_COMBINE_ARG0(X) \
	X(com, arg0_absolute, 14, 1, 0, "") \
	X(com, arg0_negate, 15, 1, 0, "") \
	X(com, arg0_src, 16, 6, 0, "")
#define PP_COMBINE_SCALAR_DEST(X) \
	X(com, dest_modifier, 22, 2, 0, "") \
	X(com, dest, 24, 6, 0, "")
#define PP_COMBINE_VECTOR_DEST(X) \
	X(comv, mask, 22, 4, 0, "") \
	X(comv, dest, 26, 4, 0, "")
#define PP_COMBINE_FIELDS(X) \
	PP_COMBINE_HEAD(X) PP_COMBINE_SCALAR_ARG1(X) PP_COMBINE_ARG0(X) PP_COMBINE_SCALAR_DEST(X)
#define PP_COMBINE_WIDE_FIELDS(X) \
	PP_COMBINE_HEAD(X) PP_COMBINE_SCALAR_ARG1(X) PP_COMBINE_ARG0(X) PP_COMBINE_VECTOR_DEST(X)
#define PP_COMBINE_MUL_FIELDS(X) \
	PP_COMBINE_HEAD(X) PP_COMBINE_VECTOR_ARG1(X) PP_COMBINE_ARG0(X) PP_COMBINE_VECTOR_DEST(X)
#define PP_COMBINE_NO_ARG0(X) X(com, unknown_0, 14, 8, 0, "")
#define PP_COMBINE_PT2_FIELDS(X) \
	PP_COMBINE_HEAD(X) PP_COMBINE_VECTOR_ARG1(X) PP_COMBINE_NO_ARG0(X) PP_COMBINE_SCALAR_DEST(X)

#define PP_TEMP_HEAD(X) \
	X(temp, dest, 0, 2, 3, "3: temporary") \
	X(temp, unknown_0, 2, 2, 0, "") \
	X(temp, source, 4, 6, 0, "")
#define PP_TEMP_FIELDS(X) PP_TEMP_HEAD(X) PP_MEMORY(X)

#define PP_FB_FIELDS(X) \
	X(fb, source, 0, 1, 0, "0: depth, 1: colour") \
	X(fb, unknown_0, 1, 5, 7, "") \
	X(fb, dest, 6, 4, 0, "") \
	X(fb, unknown_1, 10, 31, 2, "")

#define PP_BRANCH_FIELDS(X) \
	X(br, unknown_0, 0, 4, 0, "") \
	X(br, arg1_source, 4, 6, 0, "") \
	X(br, arg0_source, 10, 6, 0, "") \
	X(br, cond, 16, 3, 0, "1: arg0 > arg1, 2: equal, 4: less") \
	X(br, unknown_1, 19, 22, 0, "") \
	X(br, target, 41, 27, 0, "signed, words from this instruction") \
	X(br, next_count, 68, 5, 0, "length of the target instruction")

#define PP_DISCARD_FIELDS(X) \
	X(discard, word0, 0, 32, 0x007f0003, "") \
	X(discard, word1, 32, 32, 0, "") \
	X(discard, word2, 64, 9, 0, "")

#define PP_CONST_FIELDS(X) \
	X(const, x, 0, 16, 0, "fp16") \
	X(const, y, 16, 16, 0, "fp16") \
	X(const, z, 32, 16, 0, "fp16") \
	X(const, w, 48, 16, 0, "fp16")

/* F(form, block, its name in text, its fields): the ways to cut blocks into fields. */
#define PP_EACH_FORM(F) \
	F(CTRL, CTRL, "ctrl", PP_CTRL_FIELDS) \
	F(VARYING, VARYING, "varying", PP_VARYING_FIELDS) \
	F(VARYING_REG, VARYING, "varying_reg", PP_VARYING_REG_FIELDS) \
	F(SAMPLER, SAMPLER, "sampler", PP_SAMPLER_FIELDS) \
	F(UNIFORM, UNIFORM, "uniform", PP_UNIFORM_FIELDS) \
	F(VMUL, VMUL, "vec4_mul", PP_VECTOR) \
	F(SMUL, SMUL, "float_mul", PP_SCALAR) \
	F(VADD, VADD, "vec4_acc", PP_VADD_FIELDS) \
	F(SADD, SADD, "float_acc", PP_SADD_FIELDS) \
	F(COMBINE, COMBINE, "combine", PP_COMBINE_FIELDS) \
	F(COMBINE_WIDE, COMBINE, "combine_wide", PP_COMBINE_WIDE_FIELDS) \
	F(COMBINE_MUL, COMBINE, "combine_mul", PP_COMBINE_MUL_FIELDS) \
	F(COMBINE_PT2, COMBINE, "combine_pt2", PP_COMBINE_PT2_FIELDS) \
	F(TEMP, TEMP, "temp_write", PP_TEMP_FIELDS) \
	F(FB, TEMP, "fb_read", PP_FB_FIELDS) \
	F(BRANCH, BRANCH, "branch", PP_BRANCH_FIELDS) \
	F(DISCARD, BRANCH, "discard", PP_DISCARD_FIELDS) \
	F(CONST0, CONST0, "const0", PP_CONST_FIELDS) \
	F(CONST1, CONST1, "const1", PP_CONST_FIELDS)

#define F(form, ...) PP_F_##form,
enum pp_form { PP_EACH_FORM(F) PP_FORMS };
#undef F

#define X(group, name, lo, width, reset, note) PP_##group##_##name = (lo), PP_##group##_##name##_width = (width),
enum pp_place {
	PP_CTRL_FIELDS(X)
	PP_VARYING_HEAD(X) PP_VARYING_INDEX(X) PP_VARYING_SOURCE(X) PP_VARYING_DEST(X) PP_VARYING_END(X) PP_VARYING_REG_END(X)
	PP_SAMPLER_FIELDS(X) PP_UNIFORM_HEAD(X) PP_TEMP_HEAD(X) PP_MEMORY(X) PP_FB_FIELDS(X)
	PP_VECTOR(X) PP_VADD_MUL(X) PP_SCALAR(X) PP_SADD_MUL(X)
	PP_COMBINE_HEAD(X) PP_COMBINE_SCALAR_ARG1(X) PP_COMBINE_VECTOR_ARG1(X) PP_COMBINE_ARG0(X) PP_COMBINE_NO_ARG0(X)
	PP_COMBINE_SCALAR_DEST(X) PP_COMBINE_VECTOR_DEST(X)
	PP_BRANCH_FIELDS(X) PP_DISCARD_FIELDS(X) PP_CONST_FIELDS(X)
};
#undef X

#define pp_get(bits, field) isa_get(bits, PP_##field, PP_##field##_width)

#define PP_MAX_WORDS 31		/* what the length field can say */

/* Bits of each block, and 0. */
extern const uint8_t pp_bits[PP_BLOCKS + 1];

/* Control word. */
#define PP_CTRL_GET(w, field)	((w) >> PP_ctrl_##field & ((1u << PP_ctrl_##field##_width) - 1))
#define PP_COUNT(w)		PP_CTRL_GET(w, count)
#define PP_STOP(w)		PP_CTRL_GET(w, stop)
#define PP_SYNC(w)		PP_CTRL_GET(w, sync)
#define PP_HAS(w, block)	((w) >> (PP_ctrl_fields - 1 + (block)) & 1)
#define PP_NEXT_COUNT(w)	PP_CTRL_GET(w, next_count)
#define PP_PREFETCH(w)		PP_CTRL_GET(w, prefetch)

/* What the control word says of the instruction behind it, of that length. */
#define PP_FOLLOWED_BY(n)	((uint32_t)(n) << PP_ctrl_next_count | 1u << PP_ctrl_prefetch)

#define PP_REG_CONST0 12
#define PP_REG_CONST1 13
#define PP_REG_TEXTURE 14
#define PP_REG_UNIFORM 15
#define PP_REG_DISCARD 15	/* as destination of a varying load */
#define PP_NO_OFFSET 15		/* as a varying load's offset register */

/* Columns. */
enum pp_prop {
	PP_DIVIDE = 3,		/* varying loads: 2, 3: by that component; 0: not */
	PP_BIAS = 4,		/* texture lookups: a register is added to the level */
	PP_LEVEL = 8,		/* the register is the level */
	PP_QUAD = 16,		/* reads its neighbours in the quad */
	PP_SELECT = 32,		/* reads ^s0 */
	PP_JUMP = 64,		/* no fragment goes on behind it */
};

/* One for each OP of utgard_pp_ops.inc. */
#define OP(id, ...) PP_OP_##id,
#define ROW(...)
enum pp_op {
#include "isa/utgard_pp_ops.inc"
	PP_OPS
};
#undef OP
#undef ROW

/* Words of an instruction with this control word, as its fields say. */
unsigned int pp_size(uint32_t ctrl);

/*
 * Takes an instruction apart. block[0] is the control word, the others are
 * 0 where absent. Returns the bits behind the last field (padding, 0 usually).
 */
uint32_t pp_split(const uint32_t *words, struct isa_bits *block);

/* What the index of a varying counts, and that of a memory access, by their alignment; memory's 3 is unknown. */
static inline unsigned int pp_varying_unit(unsigned int alignment)
{
	return alignment < 2 ? 1 + alignment : 4;
}

static inline unsigned int pp_memory_unit(unsigned int alignment)
{
	return alignment == 3 ? 1 : pp_varying_unit(alignment);
}

/* A source: a vec4 with its swizzle, or a scalar register (component = swizzle[0]). */
struct pp_src {
	uint8_t reg, swizzle[4];
	bool vector, absolute, negate;
	bool pipe;		/* of an adder: the multiplier's result instead of the register */
};

/* A field of an instruction: its op and operands, from the row that its bits match. */
struct pp_unit {
	uint16_t id;			/* enum pp_op */
	bool vector;			/* a result of four components is computed */
	bool one, two;			/* the sources are there */
	uint8_t props;			/* enum pp_prop */
	struct pp_src src[2];
	uint8_t dest, mask, outmod;	/* outputs: vec4 register and its components */
	float scale;
	/* Memory, varyings, textures: index counts groups of so many scalars. */
	uint8_t components, offset;	/* offset: a scalar register that is added to index; PP_NONE: none */
	int index;
	uint8_t code;			/* a texture's type, a branch's condition */
};

#define PP_NONE 0xff

/* Of that row in these bits. */
struct pp_unit pp_unit(const struct isa_op *op, const struct isa_bits *b);

/* Where a branch goes, in words from its own place. */
static inline int pp_target(const struct isa_bits *branch)
{
	return (int)isa_signed(pp_get(branch, br_target), PP_br_target_width);
}

/* For the table. */
void pp_check(struct isa_checker *c);

#endif
