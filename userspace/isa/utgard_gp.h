/* SPDX-License-Identifier: MIT */
/* Utgard GP: places and codes of the 128-bit instruction. Seed: mali-isa-docs Utgard-GP.md; Mesa ir/gp/codegen.h. */
#ifndef LIMN_ISA_UTGARD_GP_H
#define LIMN_ISA_UTGARD_GP_H

#include "isa/table.h"

enum gp_unit { GP_A0, GP_A1, GP_M0, GP_M1, GP_P, GP_C, GP_RESULTS, GP_M01 = GP_RESULTS, GP_BR, GP_UNITS };

/* X(name, lo, width, reset, note) for every bit, once. */
#define GP_FIELDS(X) \
	X(mul0_src0, 0, 5, 21, "multiplier 0, first source") \
	X(mul0_src1, 5, 5, 21, "multiplier 0, second source") \
	X(mul1_src0, 10, 5, 21, "multiplier 1, first source; third of a wide op") \
	X(mul1_src1, 15, 5, 21, "multiplier 1, second source; fourth of a wide op") \
	X(mul0_neg, 20, 1, 0, "multiplier 0 negates its result") \
	X(mul1_neg, 21, 1, 0, "multiplier 1 negates its result") \
	X(acc0_src0, 22, 5, 21, "accumulator 0, first source") \
	X(acc0_src1, 27, 5, 21, "accumulator 0, second source") \
	X(acc1_src0, 32, 5, 21, "accumulator 1, first source") \
	X(acc1_src1, 37, 5, 21, "accumulator 1, second source") \
	X(acc0_src0_neg, 42, 1, 0, "") \
	X(acc0_src1_neg, 43, 1, 0, "") \
	X(acc1_src0_neg, 44, 1, 0, "") \
	X(acc1_src1_neg, 45, 1, 0, "") \
	X(load_addr, 46, 9, 0, "uniform or temporary to load, in vec4s") \
	X(load_offset, 55, 3, 7, "1-3: plus that address register; 7: no offset; 0, 4-6 unknown") \
	X(register0_addr, 58, 4, 0, "what register unit 0 loads") \
	X(register0_attribute, 62, 1, 0, "unit 0 loads an attribute instead of a register") \
	X(register1_addr, 63, 4, 0, "what register unit 1 loads") \
	X(store0_temporary, 67, 1, 0, "x, y go to the temporary at address register 0") \
	X(store1_temporary, 68, 1, 0, "z, w go to the temporary at address register 0") \
	X(branch, 69, 1, 0, "with unknown_1 = 13: branch when the pass result is not 0") \
	X(branch_target_lo, 70, 1, 0, "target is below 256") \
	X(store0_src_x, 71, 3, 7, "unit whose result is stored; 5 unknown, 7 none") \
	X(store0_src_y, 74, 3, 7, "") \
	X(store1_src_z, 77, 3, 7, "") \
	X(store1_src_w, 80, 3, 7, "") \
	X(acc_op, 83, 3, 0, "shared by both accumulators") \
	X(complex_op, 86, 4, 0, "") \
	X(store0_addr, 90, 4, 0, "varying or register for x, y") \
	X(store0_varying, 94, 1, 0, "") \
	X(store1_addr, 95, 4, 0, "varying or register for z, w") \
	X(store1_varying, 99, 1, 0, "") \
	X(mul_op, 100, 3, 0, "shared by both multipliers") \
	X(pass_op, 103, 3, 2, "") \
	X(complex_src, 106, 5, 21, "") \
	X(pass_src, 111, 5, 21, "") \
	X(unknown_1, 116, 4, 0, "12 with temporary stores, 13 with branches") \
	X(branch_target, 120, 8, 0, "low 8 bits of the target instruction")

#define X(name, lo, width, reset, note) GP_##name = (lo), GP_##name##_width = (width),
enum gp_place { GP_FIELDS(X) };
#undef X

#define gp_get(bits, name) isa_get(bits, GP_##name, GP_##name##_width)
#define gp_put(bits, name, value) isa_put(bits, GP_##name, GP_##name##_width, value)

enum gp_source {
	GP_SRC_REG0 = 0, GP_SRC_REG1 = 4, GP_SRC_UNKNOWN = 8, GP_SRC_LOAD = 12,
	GP_SRC_P1_ACC0 = 16, GP_SRC_P1_ACC1, GP_SRC_P1_MUL0, GP_SRC_P1_MUL1, GP_SRC_P1_PASS,
	GP_SRC_UNUSED, GP_SRC_IDENT, GP_SRC_P1_COMPLEX = GP_SRC_IDENT,
	GP_SRC_P2_PASS, GP_SRC_P2_ACC0, GP_SRC_P2_ACC1, GP_SRC_P2_MUL0, GP_SRC_P2_MUL1,
	GP_SRC_P1_REG0 = 28,
};

enum gp_acc_op { GP_ACC_ADD, GP_ACC_FLOOR, GP_ACC_SIGN, GP_ACC_GE = 4, GP_ACC_LT, GP_ACC_MIN, GP_ACC_MAX };
enum gp_mul_op { GP_MUL_MUL, GP_MUL_COMPLEX1, GP_MUL_COMPLEX2 = 3, GP_MUL_SELECT };
enum gp_pass_op { GP_PASS_PASS = 2, GP_PASS_PREEXP2 = 4, GP_PASS_POSTLOG2, GP_PASS_CLAMP };
enum gp_complex_op {
	GP_COMPLEX_NOP, GP_COMPLEX_EXP2 = 2, GP_COMPLEX_LOG2, GP_COMPLEX_RSQRT, GP_COMPLEX_RCP,
	GP_COMPLEX_PASS = 9, GP_COMPLEX_ADDR01, GP_COMPLEX_ADDR0 = 12, GP_COMPLEX_ADDR1,
	GP_COMPLEX_ADDR2, GP_COMPLEX_ADDR3,
};

#define GP_STORE_PASS 4
#define GP_STORE_COMPLEX 6
#define GP_STORE_NONE 7
#define GP_UNKNOWN_1_STORE 12
#define GP_UNKNOWN_1_BRANCH 13

/* Does this unit do anything the disassembler would print? */
static inline bool gp_unit_used(const struct isa_bits *bits, enum gp_unit unit)
{
	unsigned int mul = gp_get(bits, mul_op);
	bool wide = mul != GP_MUL_MUL && mul != GP_MUL_COMPLEX2;

	switch (unit) {
	case GP_A0:
		return gp_get(bits, acc0_src0) != GP_SRC_UNUSED;
	case GP_A1:
		return gp_get(bits, acc1_src0) != GP_SRC_UNUSED;
	case GP_M0:
		return !wide && gp_get(bits, mul0_src0) != GP_SRC_UNUSED &&
		       gp_get(bits, mul0_src1) != GP_SRC_UNUSED;
	case GP_M1:
		return !wide && gp_get(bits, mul1_src0) != GP_SRC_UNUSED &&
		       gp_get(bits, mul1_src1) != GP_SRC_UNUSED;
	case GP_M01:
		return wide;
	case GP_P:
		return gp_get(bits, pass_src) != GP_SRC_UNUSED;
	case GP_C:
		return gp_get(bits, complex_src) != GP_SRC_UNUSED && gp_get(bits, complex_op);
	case GP_BR:
		return gp_get(bits, branch) && gp_get(bits, unknown_1) == GP_UNKNOWN_1_BRANCH;
	default:
		return false;
	}
}

struct isa_messages;
int gp_check(const struct isa *isa, const uint32_t *words, size_t count, struct isa_messages *messages);

#endif
