// SPDX-License-Identifier: MIT
/*
 * Utgard GP: the table and its operands. Facts: mali-isa-docs Utgard-GP.md
 * ("doc" below), Mesa src/gallium/drivers/lima/ir/gp ("Mesa"). The text is
 * the dialect of Mesa's disassembler.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/table.h"
#include "isa/utgard_gp.h"
#include "isa/utgard_gp_text.h"

#define X(name, lo, width, reset, note) { #name, lo, width, reset, note },
static const struct isa_field fields[] = { GP_FIELDS(X) };
#undef X

static const struct isa_form forms[] = {
	{ "", 0, fields, sizeof(fields) / sizeof(fields[0]) },
};

static const char *const units[] = {
	"accumulator 0", "accumulator 1", "multiplier 0", "multiplier 1", "pass", "complex",
	"both multipliers", "branch",
};

#define ACC(op) { GP_acc_op, 3, op }
#define MUL(op) { GP_mul_op, 3, op }
#define PASS(op) { GP_pass_op, 3, op }
#define COMPLEX(op) { GP_complex_op, 4, op }

/* Both accumulators have the same rows. */
#define ACC_ROWS(U, u, src1, neg1) \
	{ U, 0, { ACC(GP_ACC_ADD), { src1, 5, GP_SRC_IDENT }, { neg1, 1, 1 } }, "mov." u " %D %A", \
	  "a + -0 (doc: add(a, -ident) is pass)" }, \
	{ U, 0, { ACC(GP_ACC_ADD) }, "add." u " %D %A %B", "a + b" }, \
	{ U, 0, { ACC(GP_ACC_FLOOR) }, "floor." u " %D %A", "floor(a)" }, \
	{ U, 0, { ACC(GP_ACC_SIGN) }, "sign." u " %D %A", "-1, 0 or 1" }, \
	{ U, 0, { ACC(GP_ACC_GE) }, "ge." u " %D %A %B", "a >= b ? 1 : 0" }, \
	{ U, 0, { ACC(GP_ACC_LT) }, "lt." u " %D %A %B", "a < b ? 1 : 0" }, \
	{ U, 0, { ACC(GP_ACC_MIN) }, "min." u " %D %A %B", "the smaller of a and b; also logical and" }, \
	{ U, 0, { ACC(GP_ACC_MAX) }, "max." u " %D %A %B", "the larger of a and b; also logical or; abs is max(a, -a)" }, \
	{ U, 0, { ACC(3) }, "op3." u " %D %A %B", "unknown" }

static const struct isa_op ops[] = {
	ACC_ROWS(GP_A0, "a0", GP_acc0_src1, GP_acc0_src1_neg),
	ACC_ROWS(GP_A1, "a1", GP_acc1_src1, GP_acc1_src1_neg),
	{ GP_M0, 0, { MUL(GP_MUL_MUL), { GP_mul0_src1, 5, GP_SRC_IDENT }, { GP_mul0_neg, 1, 0 } },
	  "mov.m0 %D %A", "a * 1" },
	{ GP_M0, 0, { MUL(GP_MUL_MUL) }, "mul.m0 %D %A %B", "a * b" },
	{ GP_M0, 0, { MUL(GP_MUL_COMPLEX2) }, "complex2.m0 %D %A %B",
	  "second step of exp2, log2, rcp, rsqrt: takes the input twice (doc: mul.op3)" },
	{ GP_M1, 0, { MUL(GP_MUL_MUL), { GP_mul1_src1, 5, GP_SRC_IDENT }, { GP_mul1_neg, 1, 0 } },
	  "mov.m1 %D %A", "a * 1" },
	{ GP_M1, 0, { MUL(GP_MUL_MUL) }, "mul.m1 %D %A %B", "a * b" },
	{ GP_M1, 0, { MUL(GP_MUL_COMPLEX2), { GP_mul1_src1, 5, GP_SRC_IDENT }, { GP_mul1_neg, 1, 0 } },
	  "mov.m1 %D %A", "a * 1; beside complex2" },
	{ GP_M1, 0, { MUL(GP_MUL_COMPLEX2) }, "mul.m1 %D %A %B", "a * b; beside complex2" },
	{ GP_M01, 0, { MUL(GP_MUL_COMPLEX1) }, "complex1.m01 %D %A %B %C %E",
	  "last step of exp2, log2, rcp, rsqrt; result two instructions later (doc: mul.op1)" },
	{ GP_M01, 0, { MUL(GP_MUL_SELECT) }, "sel.m01 %D %B %A %C",
	  "first != 0 ? third : second (Mesa codegen.c; doc has it the other way round)" },
	{ GP_M01, 0, { MUL(2) }, "unknown2.m01 %D %A %B %C %E", "unknown" },
	{ GP_M01, 0, { MUL(5) }, "unknown5.m01 %D %A %B %C %E", "unknown" },
	{ GP_M01, 0, { MUL(6) }, "unknown6.m01 %D %A %B %C %E", "unknown" },
	{ GP_M01, 0, { MUL(7) }, "unknown7.m01 %D %A %B %C %E", "unknown" },
	{ GP_C, 0, { COMPLEX(GP_COMPLEX_EXP2) }, "exp2.c %D %A", "first step of exp2" },
	{ GP_C, 0, { COMPLEX(GP_COMPLEX_LOG2) }, "log2.c %D %A", "first step of log2" },
	{ GP_C, 0, { COMPLEX(GP_COMPLEX_RSQRT) }, "rsqrt.c %D %A", "first step of 1 / sqrt(a)" },
	{ GP_C, 0, { COMPLEX(GP_COMPLEX_RCP) }, "rcp.c %D %A", "first step of 1 / a" },
	{ GP_C, 0, { COMPLEX(GP_COMPLEX_PASS) }, "mov.c %D %A", "a" },
	{ GP_C, 0, { COMPLEX(GP_COMPLEX_ADDR01) }, "addr01.c %D %A",
	  "sets address registers 0 and 1 from the pass result // seed 000 alone" },
	{ GP_C, 0, { COMPLEX(GP_COMPLEX_ADDR0) }, "mov.c %D %A", "sets address register 0: temporary stores" },
	{ GP_C, 0, { COMPLEX(GP_COMPLEX_ADDR1) }, "mov.c %D %A", "sets address register 1: loads" },
	{ GP_C, 0, { COMPLEX(GP_COMPLEX_ADDR2) }, "mov.c %D %A", "sets address register 2: loads" },
	{ GP_C, 0, { COMPLEX(GP_COMPLEX_ADDR3) }, "mov.c %D %A", "sets address register 3: loads" },
	{ GP_C, 0, { COMPLEX(1) }, "unk1.c %D %A", "unknown" },
	{ GP_C, 0, { COMPLEX(6) }, "unk6.c %D %A", "unknown" },
	{ GP_C, 0, { COMPLEX(7) }, "unk7.c %D %A", "unknown" },
	{ GP_C, 0, { COMPLEX(8) }, "unk8.c %D %A", "unknown" },
	{ GP_C, 0, { COMPLEX(11) }, "unk11.c %D %A", "unknown" },
	{ GP_P, 0, { PASS(GP_PASS_PASS) }, "mov.p %D %A", "a" },
	{ GP_P, 0, { PASS(GP_PASS_PREEXP2) }, "preexp2.p %D %A", "before exp2 (Mesa; doc: op 4)" },
	{ GP_P, 0, { PASS(GP_PASS_POSTLOG2) }, "postlog2.p %D %A", "after log2 (Mesa; doc: op 5)" },
	{ GP_P, 0, { PASS(GP_PASS_CLAMP) }, "clamp.p %D %A %X %Y", "max(min(a, load.x), load.y) (doc)" },
	{ GP_P, 0, { PASS(0) }, "unk0.p %D %A", "unknown" },
	{ GP_P, 0, { PASS(1) }, "unk1.p %D %A", "unknown" },
	{ GP_P, 0, { PASS(3) }, "unk3.p %D %A", "unknown" },
	{ GP_P, 0, { PASS(7) }, "unk7.p %D %A", "unknown" },
	{ GP_BR, 0, { { GP_branch, 1, 1 }, { GP_unknown_1, 4, GP_UNKNOWN_1_BRANCH } },
	  "branch %P %T", "when this instruction's pass result is not 0 // Mesa lima ir/gp/codegen.h" },
};

const struct isa isa_utgard_gp = {
	.number = ISA_UTGARD_GP,
	.name = "utgard-gp",
	.forms = forms,
	.form_count = 1,
	.ops = ops,
	.op_count = sizeof(ops) / sizeof(ops[0]),
	.units = units,
	.source = "seed 000 (mali-isa-docs Utgard-GP.md), Mesa lima ir/gp/codegen.h",
	.read = gp_read,
	.tells = gp_tells,
	.assemble = gp_assemble,
	.disassemble = gp_disassemble,
	.check = gp_check,
};
