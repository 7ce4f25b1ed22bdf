/* SPDX-License-Identifier: MIT */
/* Utgard GP: places and codes of the 128-bit instruction (mali-isa-docs Utgard-GP.md, Mesa lima ir/gp/codegen.h). */
#ifndef LIMN_ISA_UTGARD_GP_H
#define LIMN_ISA_UTGARD_GP_H

#include "isa/program.h"

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
	/* gp_source(): what GP_SRC_IDENT is as the second operand of an accumulator, of a multiplier. */
	GP_SRC_ZERO = 32, GP_SRC_ONE, GP_SOURCES,
};

#define GP_MUL_COMPLEX2 3	/* multiplier 1 multiplies beside it too */

/* Units whose result a store or a later instruction names, by their store code; 5 is unknown. */
#define GP_STORE_NONE 7
#define GP_STORE_CODE(unit)	((unit) + ((unit) == GP_C))
#define GP_STORE_UNIT(code)	((code) == 5 ? GP_RESULTS : (code) - ((code) == 6))
/* Where the store code of component n is, and the fields of store unit n (1: z and w) that both have. */
#define GP_STORED(n)	(GP_store0_src_x + (n) * GP_store0_src_x_width)
#define gp_store_get(bits, n, name)	((n) ? gp_get(bits, store1_##name) : gp_get(bits, store0_##name))
#define GP_UNKNOWN_1_STORE 12
#define GP_UNKNOWN_1_BRANCH 13

enum gp_prop {
	GP_SETS_ADDRESS = 4,	/* times 1 to 4: the complex unit's result goes to address register 0 to 3 */
	GP_SETS_ADDRESS01 = 32,	/* the pass unit's result goes to address registers 0 and 1 */
	GP_LATE = 64,		/* the result is there two instructions later, not one */
};

#define GP_ADDRESS(props)	((props) / GP_SETS_ADDRESS % 8)	/* 0: none, n: register n - 1 */

/* One for each OP of utgard_gp_ops.inc. */
#define OP(id, ...) GP_OP_##id,
#define ROW(...)
enum gp_op {
#include "isa/utgard_gp_ops.inc"
	GP_OPS
};
#undef OP
#undef ROW

/* The row that this unit executes; NULL: it does nothing. */
const struct isa_op *gp_unit_op(const struct isa_bits *bits, enum gp_unit unit);

/*
 * Where the operand of that letter (A, B, C, E, X, Y) comes from: enum gp_source; GP_SRC_UNUSED where the
 * op's pattern has no such operand. negated: it is, or for the second one of a multiplier the product is.
 */
unsigned int gp_source(const struct isa_bits *bits, const struct isa_op *op, char letter, bool *negated);

/* Is it a result? Then of which unit, and how many instructions ago. */
bool gp_result(unsigned int source, unsigned int *unit, unsigned int *ago);

static inline unsigned int gp_stored(const struct isa_bits *bits, unsigned int component)
{
	return isa_get(bits, GP_STORED(component), GP_store0_src_x_width);
}

static inline unsigned int gp_branch_to(const struct isa_bits *bits)
{
	return gp_get(bits, branch_target) + (gp_get(bits, branch_target_lo) ? 0 : 256);
}

/* For the table. */
void gp_check(struct isa_checker *c);

#endif
