// SPDX-License-Identifier: MIT
/*
 * Utgard PP: rules. Lengths and prefetch: mali-isa-docs Utgard-PP.md ("it will
 * crash if you set a value too low"); pipeline registers: the order of units in
 * an instruction, the same document.
 */
#include <stdlib.h>
#include <string.h>

#include "isa/table.h"
#include "isa/utgard_pp.h"

#define ALL 15	/* components */
#define KNOWN_REGISTERS 6	/* $0-$5: what compilers use (doc) */

struct checker {
	struct isa_checker *all;
	const struct isa *isa;
	const uint32_t *words;
	size_t count;		/* without padding */
	uint8_t *start;		/* by word: an instruction begins here */
	struct isa_bits block[PP_BLOCKS];
	unsigned int at;
	unsigned int high;	/* highest register seen and reported */
	uint8_t written[PP_REG_CONST0];	/* by register: components, of the instructions so far */
	uint8_t writing[PP_REG_CONST0];	/* the same of the unit at hand */
	struct {
		unsigned int at;
		uint8_t components;	/* 0: there is none */
	} early[PP_REG_CONST0];	/* by register: the first read of what was not written before */
	bool loops;		/* a branch leads back: what follows may have been before */
};

#define finding(c, severity, rule, ...) isa_finding((c)->all, severity, rule, (c)->at, (c)->at, __VA_ARGS__)

/* A unit reads these components of a register. Any of them may do: a mask does not tell which a sum needs. */
static void note_read(struct checker *c, unsigned int reg, unsigned int components)
{
	if (reg >= PP_REG_CONST0 || c->written[reg] & components || c->early[reg].components)
		return;
	c->early[reg].at = c->at;
	c->early[reg].components = components;
}

/* What an instruction reads that none before it, or in a loop none at all, has written. */
static void check_early(struct checker *c)
{
	for (unsigned int reg = 0; reg < PP_REG_CONST0; reg++) {
		unsigned int components = c->early[reg].components;
		bool one = components && !(components & (components - 1));

		if (components && !(c->loops && c->written[reg] & components))
			isa_finding(c->all, ISA_WARNING, "register-unwritten", c->early[reg].at, c->early[reg].at,
				    one ? "reads $%u.%c before anything has written it" : "reads $%u before anything has written it",
				    reg, "xyzw"[__builtin_ctz(components)]);
	}
}

/* A unit reads components of vec4 register reg. Which comes from a unit of this instruction? */
static void check_read(struct checker *c, unsigned int unit, unsigned int reg, unsigned int components)
{
	static const struct {
		uint8_t from;
		const char *name;
	} pipe[] = { { PP_CONST0, "^const0" }, { PP_CONST1, "^const1" }, { PP_SAMPLER, "^texture" },
		     { PP_UNIFORM, "^uniform" } };
	unsigned int from;

	note_read(c, reg, components);
	if (reg < PP_REG_CONST0) {
		if (reg >= KNOWN_REGISTERS && reg > c->high) {
			c->high = reg;
			finding(c, ISA_NOTE, "register", "$%u: no compiler is known to use more than $0-$5", reg);
		}
		return;
	}
	from = pipe[reg - PP_REG_CONST0].from;
	if (!PP_HAS(c->words[c->at], from))
		finding(c, ISA_ERROR, "pipeline-register", "%s is read, but this instruction has no %s",
			pipe[reg - PP_REG_CONST0].name, c->isa->units[from]);
	else if (from < PP_CONST0 && unit <= from)
		finding(c, ISA_ERROR, "pipeline-order", "%s is read by the %s, which comes before the %s",
			pipe[reg - PP_REG_CONST0].name, c->isa->units[unit], c->isa->units[from]);
}

static void check_written(struct checker *c, unsigned int reg, unsigned int components)
{
	if (reg < PP_REG_CONST0)
		c->writing[reg] |= components;
	if (reg >= PP_REG_CONST0)
		finding(c, ISA_ERROR, "register", "register %u is written; 12 to 15 are the pipeline's own", reg);
}

static void check_source(struct checker *c, const struct isa_op *op, const struct pp_src *s)
{
	unsigned int from = s->vector ? PP_VMUL : PP_SMUL, components = op->id == PP_OP_store ? ALL : 0;

	for (unsigned int i = 0; i < (s->vector ? 4 : 1); i++)
		components |= 1 << s->swizzle[i];
	if (!s->pipe)
		check_read(c, op->unit, s->reg, components);
	else if (!PP_HAS(c->words[c->at], from))
		finding(c, ISA_ERROR, "pipeline-register", "%s is read, but this instruction has no %s",
			s->vector ? "^v0" : "^s0", c->isa->units[from]);
}

/* Registers that the unit reads and writes. */
static void check_operands(struct checker *c, const struct isa_op *op)
{
	struct pp_unit u = pp_unit(op, &c->block[op->unit]);

	if (op->unit != PP_VARYING || u.dest < PP_REG_CONST0)
		check_written(c, u.dest, u.mask);
	if (u.offset != PP_NONE)
		check_read(c, op->unit, u.offset >> 2, ALL);
	if (u.one)
		check_source(c, op, &u.src[0]);
	if (u.two)
		check_source(c, op, &u.src[1]);
}

/* Fields called unknown_* away from what everybody writes. */
static void check_unknown(struct checker *c, const struct isa_op *op)
{
	const struct isa_field *f;
	unsigned int i = 0;

	if (!isa_has_semantics(op))
		finding(c, ISA_WARNING, "unknown-code", "%s: %.*s: %s", c->isa->units[op->unit],
			(int)strcspn(op->pattern, " "), op->pattern, isa_no_semantics(op));
	while ((f = isa_odd_field(c->isa, op, &c->block[op->unit], &i)))
		finding(c, ISA_WARNING, "unknown-field", "%s.%s is 0x%x, not 0x%x as known",
			c->isa->forms[op->form].name, f->name, isa_get(&c->block[op->unit], f->lo, f->width), f->reset);
}

static void check_branch(struct checker *c, const struct isa_op *op)
{
	const struct isa_bits *b = &c->block[PP_BRANCH];
	int target = pp_target(b);
	int64_t to = (int64_t)c->at + target;

	if (op->id == PP_OP_discard)
		return;
	c->loops |= target <= 0;
	if (to < 0 || to >= (int64_t)c->count || !c->start[to]) {
		finding(c, ISA_ERROR, "branch-target", "there is no instruction at the target %lld", (long long)to);
		return;
	}
	if (pp_get(b, br_next_count) < PP_COUNT(c->words[to]))
		isa_finding(c->all, ISA_ERROR, "branch-length", c->at, to,
			"the branch says that its target has %u words; it has %u", pp_get(b, br_next_count),
			PP_COUNT(c->words[to]));
}

static void check_units(struct checker *c)
{
	uint32_t ctrl = c->words[c->at];
	bool quad = PP_HAS(ctrl, PP_SAMPLER);

	pp_split(c->words + c->at, c->block);
	for (unsigned int u = 1; u < PP_BLOCKS; u++) {
		const struct isa_op *op;

		if (!PP_HAS(ctrl, u))
			continue;
		op = isa_match_op(c->isa, u, &c->block[u]);
		check_operands(c, op);
		for (unsigned int reg = 0; reg < PP_REG_CONST0; reg++)
			c->written[reg] |= c->writing[reg];
		memset(c->writing, 0, sizeof(c->writing));
		check_unknown(c, op);
		quad |= !!(op->props & PP_QUAD);
		if (op->props & PP_SELECT && !PP_HAS(ctrl, PP_SMUL))
			finding(c, ISA_ERROR, "pipeline-register",
				"sel chooses by ^s0, but this instruction has no scalar multiply");
		if (u == PP_BRANCH)
			check_branch(c, op);
	}
	if (PP_HAS(ctrl, PP_SAMPLER) && !PP_HAS(ctrl, PP_VARYING))
		finding(c, ISA_ERROR, "texture-coordinates",
			"a texture lookup takes its coordinates from the varying load, and there is none");
	if (quad && !PP_SYNC(ctrl))
		finding(c, ISA_WARNING, "sync", "texture lookups and derivatives are not known without the sync bit");
	if (PP_CTRL_GET(ctrl, unknown))
		finding(c, ISA_WARNING, "unknown-field", "ctrl.unknown is 0x%x, not 0", PP_CTRL_GET(ctrl, unknown));
}

/* A result that no register and no adder takes: most often an operand was forgotten. */
static void check_idle(struct checker *c)
{
	uint32_t ctrl = c->words[c->at];
	const struct isa_op *vadd = PP_HAS(ctrl, PP_VADD) ? isa_match_op(c->isa, PP_VADD, &c->block[PP_VADD]) : NULL;
	const struct isa_op *sadd = PP_HAS(ctrl, PP_SADD) ? isa_match_op(c->isa, PP_SADD, &c->block[PP_SADD]) : NULL;
	bool sel = (vadd && vadd->props & PP_SELECT) || (sadd && sadd->props & PP_SELECT);

	if (PP_HAS(ctrl, PP_VMUL) && !pp_get(&c->block[PP_VMUL], vec_mask) &&
	    !(vadd && pp_get(&c->block[PP_VADD], vec_mul_in)))
		finding(c, ISA_WARNING, "result-unused", "the vector multiply has no destination, and ^v0 is not read");
	if (PP_HAS(ctrl, PP_SMUL) && !pp_get(&c->block[PP_SMUL], sca_output_en) && !sel &&
	    !(sadd && pp_get(&c->block[PP_SADD], sca_mul_in)))
		finding(c, ISA_WARNING, "result-unused", "the scalar multiply has no destination, and ^s0 is not read");
}

/* Is what follows reached, and does this instruction say so rightly? */
static void check_next(struct checker *c)
{
	uint32_t ctrl = c->words[c->at];
	unsigned int next = c->at + PP_COUNT(ctrl);

	if (PP_STOP(ctrl) || (PP_HAS(ctrl, PP_BRANCH) &&
			      isa_match_op(c->isa, PP_BRANCH, &c->block[PP_BRANCH])->props & PP_JUMP))
		return;
	if (next >= c->count) {
		finding(c, ISA_ERROR, "no-end", "the last instruction neither stops nor jumps");
		return;
	}
	if (!PP_PREFETCH(ctrl))
		isa_finding(c->all, ISA_ERROR, "prefetch", c->at, next, "the prefetch bit is clear, but the next instruction is reached");
	if (PP_NEXT_COUNT(ctrl) < PP_COUNT(c->words[next]))
		isa_finding(c->all, ISA_ERROR, "next-length", c->at, next,
			"the next instruction is said to have %u words; it has %u (too low crashes the hardware)",
			PP_NEXT_COUNT(ctrl), PP_COUNT(c->words[next]));
}

/* Marks where instructions begin, and leaves padding out; false when the words do not divide into them. */
static bool find_starts(struct checker *c)
{
	size_t end = isa_without_zeros(c->words, c->count), i;

	for (i = 0; i < end; i += PP_COUNT(c->words[i])) {
		unsigned int n = PP_COUNT(c->words[i]), need = pp_size(c->words[i]);

		if (n < need) {
			isa_finding(c->all, ISA_ERROR, "length", i, i, "the length says %u words; its fields need %u", n, need);
			return false;
		}
		if (i + n > c->count) {
			isa_finding(c->all, ISA_ERROR, "length", i, i, "the instruction has %u words, but only %zu are there",
				n, c->count - i);
			return false;
		}
		if (n > need)
			isa_finding(c->all, ISA_WARNING, "length", i, i, "the length says %u words; its fields need only %u", n, need);
		c->start[i] = 1;
	}
	c->count = i;
	return true;
}

void pp_check(struct isa_checker *all)
{
	struct checker c = { .all = all, .isa = all->isa, .words = all->words, .count = all->count };

	if (c.count && !isa_without_zeros(c.words, c.count))
		isa_finding(all, ISA_ERROR, "length", 0, 0, "there is no instruction");
	c.start = calloc(c.count + 1, 1);
	all->no_memory |= !c.start;
	if (c.start && find_starts(&c)) {
		for (c.at = 0; c.at < c.count; c.at += PP_COUNT(c.words[c.at])) {
			check_units(&c);
			check_idle(&c);
			check_next(&c);
		}
		check_early(&c);
	}
	free(c.start);
}
