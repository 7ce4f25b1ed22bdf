/* SPDX-License-Identifier: MIT */
/*
 * Vivante GCxxx: places and codes of the 128-bit instruction. Sources:
 * etna_viv rnndb/isa.xml ("rnndb"), Mesa src/etnaviv/isa/etnaviv.xml ("Mesa").
 */
#ifndef LIMN_ISA_VIVANTE_H
#define LIMN_ISA_VIVANTE_H

#include "isa/table.h"

/* X(name, lo, width, reset, note): every bit, once in each form. */
#define VIV_HEAD(X) \
	X(opcode, 0, 6, 0, "low bits; opcode_bit6 is the seventh") \
	X(cond, 6, 5, 0, "condition") \
	X(sat, 11, 1, 0, "clamp the result to 0..1") \
	X(dst_use, 12, 1, 0, "") \
	X(dst_amode, 13, 3, 0, "1-4: plus a.x .. a.w") \
	X(dst_reg, 16, 7, 0, "") \
	X(dst_comps, 23, 4, 0, "write mask") \
	X(tex_id, 27, 5, 0, "sampler")

#define VIV_SOURCE(X, n, use, reg, swiz, neg, abs, amode, rgroup) \
	X(src##n##_use, use, 1, 0, "") \
	X(src##n##_reg, reg, 9, 0, "") \
	X(src##n##_swiz, swiz, 8, 0, "") \
	X(src##n##_neg, neg, 1, 0, "") \
	X(src##n##_abs, abs, 1, 0, "") \
	X(src##n##_amode, amode, 3, 0, "") \
	X(src##n##_rgroup, rgroup, 3, 0, "")

#define VIV_SOURCES01(X) \
	VIV_SOURCE(X, 0, 43, 44, 54, 62, 63, 64, 67) \
	X(type_bit2, 53, 1, 0, "") \
	VIV_SOURCE(X, 1, 70, 71, 81, 89, 90, 91, 96) \
	X(opcode_bit6, 80, 1, 0, "GC2000 and later") \
	X(type, 94, 2, 0, "low bits of the operand type")

#define VIV_SOURCE2(X) \
	VIV_SOURCE(X, 2, 99, 100, 110, 118, 119, 121, 124) \
	X(low_half, 109, 1, 0, "dual-16: thread 0") \
	X(high_half, 120, 1, 0, "dual-16: thread 1") \
	X(dst_full, 127, 1, 0, "text: .hp")

#define VIV_PMODE(X) \
	X(pmode, 34, 1, 0, "text: .pack when 0, but for branches, where the vendor's driver sets it too (Mesa's vectors)")

#define VIV_MODES(X) \
	X(rmode, 32, 2, 0, "1: towards zero, 2: to nearest even") \
	X(left_shift, 35, 3, 0, "loads and stores: of the offset") \
	X(unknown_38_1, 38, 1, 0, "") \
	X(skphp, 39, 1, 0, "skip in helper pixels") \
	X(local, 40, 1, 0, "local memory") \
	X(unknown_41_1, 41, 1, 0, "") \
	X(denorm, 42, 1, 0, "")

#define VIV_NO_PMODE(X)

#define VIV_TEXTURE(X) \
	X(tex_amode, 32, 3, 0, "1-4: sampler plus a.x .. a.w") \
	X(tex_swiz, 35, 8, 0, "of what is fetched")

#define VIV_JUMP(X) \
	X(unknown_32_2, 32, 2, 0, "") \
	X(unknown_35_8, 35, 8, 0, "")

#define VIV_TARGET(X) \
	X(unknown_99_4, 99, 4, 0, "") \
	X(target, 103, 15, 0, "instruction") \
	X(unknown_118_10, 118, 10, 0, "")

/* The target as an immediate in the place of source 2. */
#define VIV_TARGET_IMM(X) \
	X(imm_use, 99, 1, 1, "") \
	X(imm_0, 100, 9, 0, "bits 0-8 of the target") \
	X(unknown_109_1, 109, 1, 0, "") \
	X(imm_9, 110, 8, 0, "bits 9-16") \
	X(imm_17, 118, 2, 0, "bits 17, 18") \
	X(unknown_120_1, 120, 1, 0, "") \
	X(imm_19, 121, 1, 0, "") \
	X(imm_kind, 122, 2, 2, "2: unsigned") \
	X(imm_rgroup, 124, 3, 7, "7: an immediate") \
	X(unknown_127_1, 127, 1, 0, "")

/* X(form, name in text, the lists of its fields). */
#define VIV_FORMS(X) \
	X(ALU, "", VIV_HEAD, VIV_PMODE, VIV_MODES, VIV_SOURCES01, VIV_SOURCE2) \
	X(TEX, "tex", VIV_HEAD, VIV_NO_PMODE, VIV_TEXTURE, VIV_SOURCES01, VIV_SOURCE2) \
	X(JUMP, "cf", VIV_HEAD, VIV_PMODE, VIV_JUMP, VIV_SOURCES01, VIV_TARGET) \
	X(JUMP_IMM, "cf_imm", VIV_HEAD, VIV_PMODE, VIV_JUMP, VIV_SOURCES01, VIV_TARGET_IMM)

#define X(form, ...) VIV_F_##form,
enum viv_form { VIV_FORMS(X) VIV_FORM_COUNT };
#undef X

#define X(name, lo, width, reset, note) VIV_##name = (lo), VIV_##name##_width = (width),
enum viv_place {
	VIV_HEAD(X) VIV_SOURCES01(X) VIV_SOURCE2(X) VIV_PMODE(X) VIV_MODES(X) VIV_TEXTURE(X) VIV_JUMP(X)
	VIV_TARGET(X) VIV_TARGET_IMM(X)
};
#undef X

#define viv_get(bits, name) isa_get(bits, VIV_##name, VIV_##name##_width)
#define viv_put(bits, name, value) isa_put(bits, VIV_##name, VIV_##name##_width, value)

enum viv_rgroup { VIV_TEMP, VIV_INTERNAL, VIV_UNIFORM0, VIV_UNIFORM1, VIV_TEMP_HALF, VIV_IMMEDIATE = 7 };

enum viv_cond {
	VIV_TRUE, VIV_GT, VIV_LT, VIV_GE, VIV_LE, VIV_EQ, VIV_NE, VIV_AND, VIV_OR, VIV_XOR, VIV_NOT,
	VIV_NZ, VIV_GEZ, VIV_GZ, VIV_LEZ, VIV_LZ, VIV_SELMSB = 22,
};

enum viv_type { VIV_F32, VIV_S32, VIV_S8, VIV_U16, VIV_F16, VIV_S16, VIV_U32, VIV_U8 };

static inline unsigned int viv_type(const struct isa_bits *b)
{
	return viv_get(b, type) | viv_get(b, type_bit2) << 2;
}

/* A source's fields. */
struct viv_source {
	uint16_t reg;
	uint8_t use, swiz, neg, abs, amode, rgroup;
};

#define VIV_PARTS(X, n) X(n, use) X(n, reg) X(n, swiz) X(n, neg) X(n, abs) X(n, amode) X(n, rgroup)
#define VIV_PART(n, part) .part = viv_get(b, src##n##_##part),

static inline struct viv_source viv_source(const struct isa_bits *b, unsigned int n)
{
	struct viv_source s[] = { { VIV_PARTS(VIV_PART, 0) }, { VIV_PARTS(VIV_PART, 1) }, { VIV_PARTS(VIV_PART, 2) } };

	return s[n];
}

/* An immediate source: 20 bits over most fields, and their kind. */
enum viv_immediate { VIV_IMM_FLOAT, VIV_IMM_INT, VIV_IMM_UINT, VIV_IMM_HALF };

#define VIV_IMMEDIATE_PLACES(n) \
	{ { VIV_src##n##_reg, 9 }, { VIV_src##n##_swiz, 8 }, { VIV_src##n##_neg, 2 }, { VIV_src##n##_amode, 3 } }

static inline uint32_t viv_immediate(const struct viv_source *s)
{
	return s->reg | s->swiz << 9 | s->neg << 17 | s->abs << 18 | (s->amode & 1) << 19;
}

/* Columns of the rows: which sources an op takes, and what becomes of its result. */
enum viv_prop {
	VIV_TAKES0 = 1, VIV_TAKES1 = 2, VIV_TAKES2 = 4,
	VIV_WRITES = 8,
	VIV_ONE = 16,		/* of component x alone, to all that are written */
	VIV_OLD_ONE = 32,	/* the same of integers before GC3000 */
	VIV_WHOLE = 64,		/* looks at all components of its sources */
	VIV_PAIR = 128,		/* with .rtz: two factors of the result */
	VIV_MEMORY = 256,	/* reaches for memory */
};

#define OP(id, ...) VIV_OP_##id,
#define WHY OP
#define ROW(id, ...)
enum viv_op {
#include "isa/vivante_ops.inc"
	VIV_OPS
};
#undef OP
#undef WHY
#undef ROW

/* Where a branch or call goes; the row says in which form it is. */
uint32_t viv_target(const struct isa_op *op, const struct isa_bits *b);

void viv_check(struct isa_checker *c);

#endif
