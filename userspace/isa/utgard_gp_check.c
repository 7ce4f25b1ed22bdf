// SPDX-License-Identifier: MIT
/*
 * Utgard GP: rules. Latencies: mali-isa-docs Utgard-GP.md, Mesa ir/gp (min and
 * max distances of nodes). Only what follows from instructions in their order
 * is flagged; whether hazards carry over a taken branch is not known.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "isa/table.h"
#include "isa/utgard_gp.h"
#include "isa/utgard_gp_text.h"

#define REGISTER_LATENCY 3
#define TEMPORARY_LATENCY 4
#define ADDRESS_LATENCY 4
#define MAX_INSTRUCTIONS 512

struct checker {
	const struct isa *isa;
	const struct isa_bits *code;
	unsigned int count;
	uint8_t *target;	/* by instruction: a branch goes here */
	struct isa_messages *messages;
	bool no_memory;
};

static const char *const unit_name[] = { "a0", "a1", "m0", "m1", "p", "c", "m01", "branch" };

#define finding(c, sev, rule_name, i, j, ...) do { \
	struct isa_message m_ = { .severity = sev, .rule = rule_name, .at = (i) * 4, .other = (j) * 4 }; \
	(c)->no_memory |= !isa_message((c)->messages, &m_, __VA_ARGS__); \
} while (0)

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

/* Does an earlier instruction within reach store to this register's component? */
static void check_register(struct checker *c, unsigned int i, unsigned int reg, unsigned int comp)
{
	for (unsigned int ago = 1; ago < REGISTER_LATENCY && ago <= i && !c->target[i - ago + 1]; ago++) {
		const struct isa_bits *b = &c->code[i - ago];
		unsigned int src = isa_get(b, GP_store0_src_x + comp % 2 * 3 + comp / 2 * 6, 3);
		bool second = comp / 2;

		if (src == GP_STORE_NONE || (second ? gp_get(b, store1_varying) || gp_get(b, store1_temporary) :
					     gp_get(b, store0_varying) || gp_get(b, store0_temporary)))
			continue;
		if ((second ? gp_get(b, store1_addr) : gp_get(b, store0_addr)) == reg)
			finding(c, ISA_WARNING, "register-latency", i, i - ago,
				"reads $%u.%c %u instruction%s after its store; the new value is there after %d",
				reg, "xyzw"[comp], ago, ago > 1 ? "s" : "", REGISTER_LATENCY);
	}
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
	static const uint8_t p1[] = { GP_A0, GP_A1, GP_M0, GP_M1, GP_P };
	static const uint8_t p2[] = { GP_P, GP_A0, GP_A1, GP_M0, GP_M1 };
	const struct isa_bits *b = &c->code[i];
	bool negated;
	unsigned int src = gp_source(b, op, letter, &negated);

	if (src >= GP_SRC_ZERO || src == GP_SRC_UNUSED)
		return false;
	if (src >= GP_SRC_P1_REG0) {
		if (!i)
			check_age(c, i, GP_A0, 1);
	} else if (src >= GP_SRC_P2_PASS) {
		check_age(c, i, p2[src - GP_SRC_P2_PASS], 2);
	} else if (src == GP_SRC_P1_COMPLEX) {
		check_age(c, i, GP_C, 1);
	} else if (src >= GP_SRC_P1_ACC0) {
		check_age(c, i, p1[src - GP_SRC_P1_ACC0], 1);
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
	static const uint8_t unit_of[] = { GP_A0, GP_A1, GP_M0, GP_M1, GP_P, 0, GP_C };
	const struct isa_bits *b = &c->code[i];

	for (unsigned int comp = 0; comp < 4; comp++) {
		unsigned int src = isa_get(b, GP_store0_src_x + comp % 2 * 3 + comp / 2 * 6, 3);
		const struct isa_op *op = src < GP_STORE_NONE ? result_op(b, unit_of[src]) : NULL;

		if (src == GP_STORE_NONE)
			continue;
		if (src == 5)
			finding(c, ISA_WARNING, "unknown-code", i, i, "store source 5 is unknown");
		else if (!op)
			finding(c, ISA_ERROR, "store-of-idle-unit", i, i,
				"component %c is stored from unit %s, which does nothing in this instruction",
				"xyzw"[comp], unit_name[unit_of[src]]);
		else if (op->props & GP_LATE)
			finding(c, ISA_ERROR, "complex1-latency", i, i,
				"stores the result of complex1 at once; it is there after 2 instructions");
	}
	if ((gp_get(b, store0_temporary) && gp_get(b, store0_varying)) ||
	    (gp_get(b, store1_temporary) && gp_get(b, store1_varying)))
		finding(c, ISA_WARNING, "store-kind", i, i, "a store to a varying and to a temporary at once");
}

static void check_branch(struct checker *c, unsigned int i)
{
	const struct isa_bits *b = &c->code[i];
	unsigned int target = gp_branch_to(b);

	if (gp_get(b, branch) && gp_get(b, unknown_1) != GP_UNKNOWN_1_BRANCH)
		finding(c, ISA_NOTE, "half-branch", i, i,
			"bit 69 without 13 in field unknown_1: seen in straight-line code, taken as no branch");
	if (!gp_unit_used(b, GP_BR))
		return;
	if (!gp_unit_used(b, GP_P))
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

int gp_check(const struct isa *isa, const uint32_t *words, size_t count, struct isa_messages *messages)
{
	struct checker c = { .isa = isa, .code = (const void *)words, .count = count / 4, .messages = messages };

	if (count % 4)
		finding(&c, ISA_ERROR, "length", c.count, c.count,
			"%zu words are no whole number of instructions (4 words each)", count);
	if (!count)
		finding(&c, ISA_ERROR, "length", 0, 0, "there is no instruction");
	if (c.count > MAX_INSTRUCTIONS)
		finding(&c, ISA_ERROR, "length", MAX_INSTRUCTIONS, MAX_INSTRUCTIONS,
			"%u instructions; %d are the most that a branch can reach and the hardware takes",
			c.count, MAX_INSTRUCTIONS);
	c.target = calloc(c.count + 512, 1);
	if (!c.target)
		return -ENOMEM;
	for (unsigned int i = 0; i < c.count; i++)
		if (gp_unit_used(&c.code[i], GP_BR))
			c.target[gp_branch_to(&c.code[i])] = 1;
	for (unsigned int i = 0; i < c.count; i++)
		check_instruction(&c, i);
	free(c.target);
	return c.no_memory ? -ENOMEM : 0;
}
