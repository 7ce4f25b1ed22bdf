// SPDX-License-Identifier: MIT
/*
 * Utgard GP: rules. Latencies: mali-isa-docs Utgard-GP.md, Mesa ir/gp (min and
 * max distances of nodes). Only what follows from instructions in their order
 * is flagged; whether hazards carry over a taken branch is not known.
 */
#include <stdlib.h>
#include <string.h>

#include "isa/table.h"
#include "isa/utgard_gp.h"

#define REGISTER_LATENCY 3
#define TEMPORARY_LATENCY 4
#define ADDRESS_LATENCY 4
#define MAX_INSTRUCTIONS 512
#define REGISTERS 16	/* as many as their addresses say */

struct checker {
	struct isa_checker *all;
	const struct isa_bits *code;
	unsigned int count;
	uint8_t *target;	/* by instruction: a branch goes here */
	uint8_t written[REGISTERS + 1];	/* by register: components, of the instructions so far; in a loop, of all */
	uint8_t early[REGISTERS];	/* components that were read before: said once */
};

static const char *const unit_name[] = { "a0", "a1", "m0", "m1", "p", "c", "m01", "branch" };

#define finding(c, severity, rule, i, j, ...) isa_finding((c)->all, severity, rule, (i) * 4, (j) * 4, __VA_ARGS__)

/* What makes the instruction's result of that unit, NULL: nothing does. Wide ops give theirs in m0. */
static const struct isa_op *result_op(const struct isa_bits *b, unsigned int unit)
{
	const struct isa_op *wide = unit == GP_M0 ? gp_unit_op(b, GP_M01) : NULL;

	return wide ? wide : gp_unit_op(b, unit);
}

static void check_age(struct checker *c, unsigned int i, unsigned int unit, unsigned int ago)
{
	const struct isa_op *op;

	if (i < ago) {
		finding(c, ISA_ERROR, "result-before-start", i, i,
			"reads a result of %u instruction%s ago, before the first", ago, ago > 1 ? "s" : "");
		return;
	}
	/* Who comes from elsewhere brings other results along. */
	for (unsigned int k = 0; k < ago; k++)
		if (c->target[i - k])
			return;
	op = result_op(&c->code[i - ago], unit);
	if (!op)
		finding(c, ISA_ERROR, "result-of-idle-unit", i, i - ago,
			"reads the result of unit %s of instruction %u, which does nothing there",
			unit_name[unit], i - ago);
	else if (ago == 1 && op->props & GP_LATE)
		finding(c, ISA_ERROR, "complex1-latency", i, i - ago,
			"reads the result of complex1 1 instruction later; it is there after 2");
}

/* The register that an instruction stores this component to; REGISTERS: none. */
static unsigned int stored_to(const struct isa_bits *b, unsigned int comp)
{
	bool second = comp / 2, elsewhere = gp_store_get(b, second, varying) || gp_store_get(b, second, temporary);

	return gp_stored(b, comp) == GP_STORE_NONE || elsewhere ? REGISTERS : gp_store_get(b, second, addr);
}

/* Does an earlier instruction store to this register's component, and within reach of the read? */
static void check_register(struct checker *c, unsigned int i, unsigned int reg, unsigned int comp)
{
	if (!(c->written[reg] >> comp & 1) && !(c->early[reg] >> comp & 1)) {
		c->early[reg] |= 1 << comp;
		finding(c, ISA_WARNING, "register-unwritten", i, i, "reads $%u.%c before anything has written it", reg, "xyzw"[comp]);
	}
	for (unsigned int ago = 1; ago < REGISTER_LATENCY && ago <= i && !c->target[i - ago + 1]; ago++)
		if (stored_to(&c->code[i - ago], comp) == reg)
			finding(c, ISA_WARNING, "register-latency", i, i - ago,
				"reads $%u.%c %u instruction%s after its store; the new value is there after %d",
				reg, "xyzw"[comp], ago, ago > 1 ? "s" : "", REGISTER_LATENCY);
}

static void check_load(struct checker *c, unsigned int i)
{
	unsigned int offset = gp_get(&c->code[i], load_offset);

	for (unsigned int ago = 1; ago < ADDRESS_LATENCY && ago <= i && !c->target[i - ago + 1]; ago++) {
		const struct isa_bits *b = &c->code[i - ago];
		const struct isa_op *op = gp_unit_op(b, GP_C);

		if (op && ((offset && GP_ADDRESS(op->props) == offset + 1) || (offset == 1 && op->props & GP_SETS_ADDRESS01)))
			finding(c, ISA_ERROR, "address-latency", i, i - ago,
				"loads through address register %u %u instruction%s after it was set; it is there after %d",
				offset, ago, ago > 1 ? "s" : "", ADDRESS_LATENCY);
		if (ago < TEMPORARY_LATENCY && (gp_get(b, store0_temporary) || gp_get(b, store1_temporary)))
			finding(c, ISA_WARNING, "temporary-latency", i, i - ago,
				"loads %u instruction%s after a temporary is stored; if it is that one, its new value is there after %d",
				ago, ago > 1 ? "s" : "", TEMPORARY_LATENCY);
	}
	if (offset == 0 || (offset > 3 && offset < 7))
		finding(c, ISA_WARNING, "unknown-code", i, i, "load offset %u is unknown", offset);
}

/* Returns true when the source is the load unit. */
static bool check_source(struct checker *c, unsigned int i, const struct isa_op *op, char letter)
{
	const struct isa_bits *b = &c->code[i];
	bool negated;
	unsigned int src = gp_source(b, op, letter, &negated), unit, ago;

	if (src >= GP_SRC_ZERO || src == GP_SRC_UNUSED)
		return false;
	if (src >= GP_SRC_P1_REG0) {
		if (!i)
			check_age(c, i, GP_A0, 1);
	} else if (gp_result(src, &unit, &ago)) {
		check_age(c, i, unit, ago);
	} else if (src >= GP_SRC_LOAD) {
		return true;
	} else if (src >= GP_SRC_UNKNOWN) {
		finding(c, ISA_WARNING, "unknown-code", i, i, "source %u of unit %s is unknown", src, unit_name[op->unit]);
	} else if (src >= GP_SRC_REG1) {
		check_register(c, i, gp_get(b, register1_addr), src & 3);
	} else if (!gp_get(b, register0_attribute)) {
		check_register(c, i, gp_get(b, register0_addr), src & 3);
	}
	return false;
}

static void check_stores(struct checker *c, unsigned int i)
{
	const struct isa_bits *b = &c->code[i];

	for (unsigned int comp = 0; comp < 4; comp++) {
		unsigned int src = gp_stored(b, comp), unit = GP_STORE_UNIT(src);
		const struct isa_op *op = src < GP_STORE_NONE ? result_op(b, unit) : NULL;

		if (src == GP_STORE_NONE)
			continue;
		if (unit == GP_RESULTS)
			finding(c, ISA_WARNING, "unknown-code", i, i, "store source 5 is unknown");
		else if (!op)
			finding(c, ISA_ERROR, "store-of-idle-unit", i, i,
				"component %c is stored from unit %s, which does nothing in this instruction",
				"xyzw"[comp], unit_name[unit]);
		else if (op->props & GP_LATE)
			finding(c, ISA_ERROR, "complex1-latency", i, i,
				"stores the result of complex1 at once; it is there after 2 instructions");
	}
	if ((gp_store_get(b, 0, temporary) && gp_store_get(b, 0, varying)) ||
	    (gp_store_get(b, 1, temporary) && gp_store_get(b, 1, varying)))
		finding(c, ISA_WARNING, "store-kind", i, i, "a store to a varying and to a temporary at once");
}

/* Marks what the instruction stores to registers. */
static void note_stores(struct checker *c, unsigned int i)
{
	for (unsigned int comp = 0; comp < 4; comp++)
		c->written[stored_to(&c->code[i], comp)] |= 1 << comp;
}

static void check_branch(struct checker *c, unsigned int i)
{
	const struct isa_bits *b = &c->code[i];
	unsigned int target = gp_branch_to(b);

	if (gp_get(b, branch) && gp_get(b, unknown_1) != GP_UNKNOWN_1_BRANCH)
		finding(c, ISA_NOTE, "half-branch", i, i,
			"bit 69 without 13 in field unknown_1: seen in straight-line code, taken as no branch");
	if (!gp_unit_op(b, GP_BR))
		return;
	if (!gp_unit_op(b, GP_P))
		finding(c, ISA_ERROR, "branch-condition", i, i, "a branch, but unit p makes no condition");
	if (target > c->count)
		finding(c, ISA_ERROR, "branch-target", i, i, "the target %u is past the last instruction %u",
			target, c->count - 1);
	if (gp_get(b, store0_temporary) || gp_get(b, store1_temporary))
		finding(c, ISA_ERROR, "branch-and-temporary", i, i,
			"a branch and a temporary store need different values of field unknown_1");
}

static void check_instruction(struct checker *c, unsigned int i)
{
	const struct isa_bits *b = &c->code[i];
	bool loads = false;

	for (unsigned int u = 0; u <= GP_M01; u++) {
		const struct isa_op *op = gp_unit_op(b, u);

		if (op && !isa_has_semantics(op))
			finding(c, ISA_WARNING, "unknown-code", i, i, "unit %s has an op that nobody has named: %.*s",
				unit_name[u], (int)strcspn(op->pattern, " "), op->pattern);
		for (const char *letter = "ABCEXY"; op && *letter; letter++)
			loads |= check_source(c, i, op, *letter);
	}
	if (loads)
		check_load(c, i);
	check_stores(c, i);
	check_branch(c, i);
}

void gp_check(struct isa_checker *all)
{
	struct checker c = { .all = all, .code = (const void *)all->words, .count = all->count / 4 };

	if (c.count > MAX_INSTRUCTIONS)
		finding(&c, ISA_ERROR, "length", MAX_INSTRUCTIONS, MAX_INSTRUCTIONS,
			"%u instructions; %d are the most that a branch can reach and the hardware takes",
			c.count, MAX_INSTRUCTIONS);
	c.target = calloc(c.count + 512, 1);
	all->no_memory |= !c.target;
	if (!c.target)
		return;
	for (unsigned int i = 0; i < c.count; i++)
		if (gp_unit_op(&c.code[i], GP_BR))
			c.target[gp_branch_to(&c.code[i])] = 1;
	for (unsigned int i = 0; i < c.count; i++) {
		/* What is behind a loop's end may have been before its start. */
		for (unsigned int k = i; c.target[i] && k < c.count && k < MAX_INSTRUCTIONS; k++)
			if (gp_unit_op(&c.code[k], GP_BR) && gp_branch_to(&c.code[k]) == i)
				for (unsigned int j = i; j <= k; j++)
					note_stores(&c, j);
		check_instruction(&c, i);
		note_stores(&c, i);
	}
	free(c.target);
}
