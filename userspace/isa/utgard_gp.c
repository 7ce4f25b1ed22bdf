// SPDX-License-Identifier: MIT
/*
 * Utgard GP: the table. Facts: mali-isa-docs Utgard-GP.md ("doc"), Mesa
 * src/gallium/drivers/lima/ir/gp ("Mesa"). The text is the dialect of Mesa's
 * disassembler.
 */
#include "isa/utgard_gp.h"

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

#define OP(name, unit_, match_, text, props_, why_, note_) \
	{ .unit = GP_##unit_, .match = match_, .pattern = text, .note = note_, .why = why_, .id = GP_OP_##name, .props = props_ },
#define ROW OP
static const struct isa_op ops[] = {
#include "isa/utgard_gp_ops.inc"
};

#define PLACE(name) { GP_##name, GP_##name##_width }
/* A source; neg: its negation, or the multiplier's, which is written before the second source. */
#define SOURCE(letter, unit, is, ...) \
	{ letter, .units = 1 << GP_##unit, .at = { __VA_ARGS__ }, .arg = is, .read = gp_read_source, .write = gp_write_source }
/* What the source code GP_SRC_IDENT is. */
#define ZERO '0'
#define ONE '1'
#define COMPLEX 0

static const struct isa_operand operands[] = {
	{ 'D', .read = gp_read_destination, .write = gp_write_destination },
	SOURCE('A', A0, COMPLEX, PLACE(acc0_src0), PLACE(acc0_src0_neg)),
	SOURCE('B', A0, ZERO, PLACE(acc0_src1), PLACE(acc0_src1_neg)),
	SOURCE('A', A1, COMPLEX, PLACE(acc1_src0), PLACE(acc1_src0_neg)),
	SOURCE('B', A1, ZERO, PLACE(acc1_src1), PLACE(acc1_src1_neg)),
	SOURCE('A', M0, COMPLEX, PLACE(mul0_src0)),
	SOURCE('B', M0, ONE, PLACE(mul0_src1), PLACE(mul0_neg)),
	SOURCE('A', M1, COMPLEX, PLACE(mul1_src0)),
	SOURCE('B', M1, ONE, PLACE(mul1_src1), PLACE(mul1_neg)),
	SOURCE('A', M01, COMPLEX, PLACE(mul0_src0)),
	SOURCE('B', M01, ONE, PLACE(mul0_src1)),
	SOURCE('C', M01, COMPLEX, PLACE(mul1_src0)),
	SOURCE('E', M01, ONE, PLACE(mul1_src1)),
	SOURCE('A', P, COMPLEX, PLACE(pass_src)),
	SOURCE('A', C, COMPLEX, PLACE(complex_src)),
	/* clamp's limits; they have no bits of their own. */
	{ 'X', .arg = GP_SRC_LOAD, .read = gp_read_limit, .write = gp_write_limit },
	{ 'Y', .arg = GP_SRC_LOAD + 1, .read = gp_read_limit, .write = gp_write_limit },
	{ 'P', .read = gp_read_condition, .write = gp_write_condition },
	{ 'T', ISA_TARGET, .arg = 1 << GP_branch_target_width, .at = { PLACE(branch_target), PLACE(branch_target_lo) },},
};

/* GP_A0 is 0: a result of that unit an instruction ago is 0 - GP_RESULTS. */
static const int8_t results[32] = {
	[GP_SRC_P1_ACC0] = GP_A0 - GP_RESULTS, [GP_SRC_P1_ACC1] = GP_A1 - GP_RESULTS,
	[GP_SRC_P1_MUL0] = GP_M0 - GP_RESULTS, [GP_SRC_P1_MUL1] = GP_M1 - GP_RESULTS,
	[GP_SRC_P1_PASS] = GP_P - GP_RESULTS, [GP_SRC_P1_COMPLEX] = GP_C - GP_RESULTS,
	[GP_SRC_P2_PASS] = GP_P - 2 * GP_RESULTS, [GP_SRC_P2_ACC0] = GP_A0 - 2 * GP_RESULTS,
	[GP_SRC_P2_ACC1] = GP_A1 - 2 * GP_RESULTS, [GP_SRC_P2_MUL0] = GP_M0 - 2 * GP_RESULTS,
	[GP_SRC_P2_MUL1] = GP_M1 - 2 * GP_RESULTS,
};

bool gp_result(unsigned int source, unsigned int *unit, unsigned int *ago)
{
	if (source >= GP_SRC_ZERO || !results[source])
		return false;
	*ago = results[source] < -GP_RESULTS ? 2 : 1;
	*unit = results[source] + (int)*ago * GP_RESULTS;
	return true;
}

const struct isa_op *gp_unit_op(const struct isa_bits *b, enum gp_unit unit)
{
	/* A unit is idle when one of these is not used; all sources have as many bits. */
	static const uint8_t needed[GP_RESULTS][2] = {
		[GP_A0] = { GP_acc0_src0, GP_acc0_src0 }, [GP_A1] = { GP_acc1_src0, GP_acc1_src0 },
		[GP_M0] = { GP_mul0_src0, GP_mul0_src1 }, [GP_M1] = { GP_mul1_src0, GP_mul1_src1 },
		[GP_P] = { GP_pass_src, GP_pass_src }, [GP_C] = { GP_complex_src, GP_complex_src },
	};

	for (unsigned int i = 0; i < 2 && unit < GP_RESULTS; i++)
		if (isa_get(b, needed[unit][i], GP_pass_src_width) == GP_SRC_UNUSED)
			return NULL;
	return isa_match_op(&isa_utgard_gp, unit, b);
}

unsigned int gp_source(const struct isa_bits *b, const struct isa_op *op, char letter, bool *negated)
{
	const struct isa_operand *o = isa_operand_of(&isa_utgard_gp, op, letter);
	unsigned int src;

	*negated = false;
	if (!o || !strstr(op->pattern, (char[]){ '%', letter, 0 }))
		return GP_SRC_UNUSED;
	if (!o->at[0].width)
		return o->arg;
	src = isa_get_at(o, b, 0);
	*negated = isa_get_at(o, b, 1);
	return src == GP_SRC_IDENT && o->arg ? o->arg == ZERO ? GP_SRC_ZERO : GP_SRC_ONE : src;
}

/* In the order of Mesa's disassembler. */
static const struct isa_op *op_at(const struct isa_packet *packet, unsigned int n, bool *end)
{
	static const uint8_t order[] = { GP_A0, GP_A1, GP_M0, GP_M1, GP_M01, GP_C, GP_P, GP_BR };

	*end = n >= sizeof(order);
	return *end ? NULL : gp_unit_op(&packet->block[0], order[n]);
}

const struct isa isa_utgard_gp = {
	.number = ISA_UTGARD_GP,
	.name = "utgard-gp",
	.forms = forms,
	.form_count = 1,
	.ops = ops,
	.op_count = sizeof(ops) / sizeof(ops[0]),
	.operands = operands,
	.operand_count = sizeof(operands) / sizeof(operands[0]),
	.units = units,
	.source = "mali-isa-docs Utgard-GP.md, Mesa lima ir/gp/codegen.h",
	.style = ISA_GAPS,
	.line_words = 4,
	.op_at = op_at,
	.admit = gp_admit,
	.own_size = &gp_own_size,
	.check = gp_check,
};
