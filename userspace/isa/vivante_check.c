// SPDX-License-Identifier: MIT
/*
 * Vivante: rules. One uniform per instruction: rnndb ("as if the uniform in the
 * last source is broadcast to all"); sine's source: Mesa's compiler for GC2000. What
 * must be declared: etna_viv's hardware.md, "Ways I've already made it crash".
 */
#include <string.h>

#include "isa/table.h"
#include "isa/vivante.h"

#define finding(c, severity, rule, i, ...) isa_finding(c, severity, rule, (i) * 4, (i) * 4, __VA_ARGS__)

/* Sources that are registers or immediates: a branch's target is neither. */
static unsigned int source_count(const struct isa_op *op)
{
	return op->form == VIV_F_JUMP || op->form == VIV_F_JUMP_IMM ? 2 : 3;
}

static bool is_uniform(const struct viv_source *s)
{
	return s->use && (s->rgroup == VIV_UNIFORM0 || s->rgroup == VIV_UNIFORM1);
}

static void check_sources(struct isa_checker *c, unsigned int i, const struct isa_bits *b, const struct isa_op *op)
{
	for (unsigned int n = 0; n < source_count(op); n++) {
		struct viv_source s = viv_source(b, n);

		if (s.use && !(op->props & VIV_TAKES0 << n))
			finding(c, ISA_WARNING, "operand", i, "this op takes no source %u", n);
		if (s.use && s.rgroup != VIV_IMMEDIATE && s.amode > 4)
			finding(c, ISA_WARNING, "unknown-code", i, "addressing mode %u of source %u is unknown", s.amode, n);
	}
}

/* All chips but those with SH_NO_ONECONST_LIMIT read one. */
static void check_uniforms(struct isa_checker *c, unsigned int i, const struct isa_bits *b, const struct isa_op *op)
{
	enum isa_uniforms uniforms = c->declared->uniforms;
	struct viv_source last = { 0 };
	unsigned int last_at = 0;

	for (unsigned int n = 0; n < source_count(op) && uniforms != ISA_MANY_UNIFORMS; n++) {
		struct viv_source s = viv_source(b, n);

		if (!is_uniform(&s))
			continue;
		if (is_uniform(&last) && (s.reg != last.reg || s.rgroup != last.rgroup || s.amode != last.amode))
			finding(c, uniforms == ISA_ONE_UNIFORM ? ISA_ERROR : ISA_WARNING, "one-uniform", i,
				"an instruction reads one uniform%s; source %u's is taken for source %u's too",
				uniforms == ISA_ONE_UNIFORM ? "" : " on most chips", n, last_at);
		last = s;
		last_at = n;
	}
}

static void check_unknown(struct isa_checker *c, unsigned int i, const struct isa_bits *b, const struct isa_op *op)
{
	const char *form = c->isa->forms[op->form].name;
	unsigned int cond = viv_get(b, cond), k = 0;
	const struct isa_field *f;

	if (!isa_is_named(op))
		finding(c, ISA_WARNING, "unknown-code", i, "opcode 0x%02x has no known meaning",
			viv_get(b, opcode) | viv_get(b, opcode_bit6) << 6);
	else if (!isa_has_semantics(op))
		finding(c, ISA_WARNING, "unknown-code", i, "%.*s has no known meaning: %s", (int)strcspn(op->pattern, "%"),
			op->pattern, op->why);
	if (cond > VIV_LZ && cond != VIV_SELMSB)
		finding(c, ISA_WARNING, "unknown-code", i, "condition %u is unknown", cond);
	while ((f = isa_odd_field(c->isa, op, b, &k)))
		finding(c, ISA_WARNING, "unknown-field", i, "%s%s%s is 0x%x", form, *form ? "." : "", f->name,
			isa_get(b, f->lo, f->width));
}

static void check_instruction(struct isa_checker *c, unsigned int i, const struct isa_bits *b, const struct isa_op *op)
{
	struct viv_source s = viv_source(b, 2);

	check_unknown(c, i, b, op);
	check_sources(c, i, b, op);
	if (viv_target(op, b) > c->count / 4)
		finding(c, ISA_ERROR, "branch-target", i, "the target %u is past the last instruction %zu",
			viv_target(op, b), c->count / 4 - 1);
	/* .rtz tells the newer sine, which GC2000 does not have. */
	if ((op->id == VIV_OP_sin || op->id == VIV_OP_cos) && viv_get(b, rmode) != 1 && viv_get(b, dst_use) && s.use &&
	    s.rgroup == VIV_TEMP && s.reg == viv_get(b, dst_reg))
		/* rnndb has the rule, Mesa's compiler breaks it on GC2000: a note, not an alarm. */
		finding(c, ISA_NOTE, "sine-in-place", i, "source and destination are one register; on GC2000 that was seen to go wrong");
}

/* A temporary that an instruction names and the states do not give the shader. */
#define check_temporary(c, i, reg, declared, what) do { \
	if ((reg) >= (declared)) \
		finding(c, ISA_ERROR, "temporaries", i, what " t%u, but NUM_TEMPS declares %u: hangs", reg, declared); \
} while (0)

static void check_temporaries(struct isa_checker *c, unsigned int i, const struct isa_bits *b, const struct isa_op *op)
{
	unsigned int temps = c->declared->temporaries;

	if (source_count(op) == 3 && viv_get(b, dst_use))
		check_temporary(c, i, viv_get(b, dst_reg), temps, "writes");
	for (unsigned int n = 0; n < source_count(op); n++) {
		struct viv_source s = viv_source(b, n);

		if (s.use && (s.rgroup == VIV_TEMP || s.rgroup == VIV_TEMP_HALF))
			check_temporary(c, i, s.reg, temps, "reads");
	}
}

void viv_check(struct isa_checker *c)
{
	const struct isa_bits *code = (const void *)c->words;
	unsigned int inputs = c->declared->inputs, elements = c->declared->elements, count = c->count / 4;

	for (unsigned int i = 0; i < count; i++)
		check_instruction(c, i, &code[i], isa_match_op(c->isa, 0, &code[i]));
	if (inputs != ISA_UNDECLARED && elements != ISA_UNDECLARED && inputs != elements)
		finding(c, ISA_ERROR, "vs-inputs", 0, "VS_INPUT_COUNT declares %u inputs, but there are %u vertex elements: hangs",
			inputs, elements);
	if (inputs != ISA_UNDECLARED && inputs > c->declared->temporaries)
		finding(c, ISA_ERROR, "temporaries", 0, "%u inputs come in temporaries, but NUM_TEMPS declares %u: hangs",
			inputs, c->declared->temporaries);
	for (unsigned int i = 0; i < count; i++) {
		const struct isa_op *op = isa_match_op(c->isa, 0, &code[i]);

		check_uniforms(c, i, &code[i], op);
		check_temporaries(c, i, &code[i], op);
	}
}
