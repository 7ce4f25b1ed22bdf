/* SPDX-License-Identifier: MIT */
/*
 * Vivante GCxxx: places and codes of the 128-bit instruction. Sources:
 * etna_viv rnndb/isa.xml ("rnndb"), Mesa src/etnaviv/isa/etnaviv.xml ("Mesa").
 */
#ifndef LIMN_ISA_VIVANTE_H
#define LIMN_ISA_VIVANTE_H

#include <stddef.h>
#include <stdint.h>

enum viv_form { VIV_F_ALU, VIV_F_TEX, VIV_F_CF, VIV_FORMS };

/* Places that all forms share. */
enum viv_place {
	VIV_OPCODE = 0, VIV_COND = 6, VIV_SAT = 11, VIV_DST_USE = 12, VIV_DST_AMODE = 13,
	VIV_DST_REG = 16, VIV_DST_COMPS = 23, VIV_TEX_ID = 27, VIV_TEX_AMODE = 32, VIV_TEX_SWIZ = 35,
	VIV_RMODE = 32, VIV_PMODE = 34, VIV_LEFT_SHIFT = 35, VIV_SKPHP = 39, VIV_LOCAL = 40, VIV_DENORM = 42,
	VIV_TYPE2 = 53, VIV_OPCODE6 = 80, VIV_TYPE01 = 94, VIV_TARGET = 103, VIV_LOW_HALF = 109,
	VIV_HIGH_HALF = 120, VIV_DST_FULL = 127,
};

/* Where a source's parts are. */
struct viv_source {
	unsigned char use, reg, swiz, neg, abs, amode, rgroup;
};

extern const struct viv_source viv_source[3];

enum viv_rgroup { VIV_TEMP, VIV_INTERNAL, VIV_UNIFORM0, VIV_UNIFORM1, VIV_TEMP_HALF, VIV_IMMEDIATE = 7 };

enum viv_cond {
	VIV_TRUE, VIV_GT, VIV_LT, VIV_GE, VIV_LE, VIV_EQ, VIV_NE, VIV_AND, VIV_OR, VIV_XOR, VIV_NOT,
	VIV_NZ, VIV_GEZ, VIV_GZ, VIV_LEZ, VIV_LZ, VIV_SELMSB = 22,
};

enum viv_type { VIV_F32, VIV_S32, VIV_S8, VIV_U16, VIV_F16, VIV_S16, VIV_U32, VIV_U8 };

#define viv_opcode(b) (isa_get(b, VIV_OPCODE, 6) | isa_get(b, VIV_OPCODE6, 1) << 6)
#define viv_type(b) (isa_get(b, VIV_TYPE01, 2) | isa_get(b, VIV_TYPE2, 1) << 2)

/* Immediate sources: 20 bits over reg, swizzle, negate, absolute, lowest amode bit; kind in the rest. */
enum viv_immediate { VIV_IMM_FLOAT, VIV_IMM_INT, VIV_IMM_UINT, VIV_IMM_HALF };

struct isa_bits;
unsigned int viv_immediate_bits(const struct isa_bits *b, unsigned int source);

struct isa;
struct isa_messages;
struct isa_declared;
int viv_check_declared(const uint32_t *words, size_t count, const struct isa_declared *declared,
		       struct isa_messages *messages);
int viv_check(const struct isa *isa, const uint32_t *words, size_t count, struct isa_messages *messages);

#endif
