// SPDX-License-Identifier: MIT
/* Midgard: rules. Tags: the T6xx notes and Mesa disassemble.c; registers: the T6xx notes; units: Mesa midgard_ops.c. */
#include <stdlib.h>

#include "isa/midgard.h"

static void check_alu(struct isa_checker *c, const struct md_bundle *b, size_t at)
{
	static const uint32_t units[] = {
		[MD_B_VMUL] = MD_P_VMUL, [MD_B_SADD] = MD_P_SADD, [MD_B_VADD] = MD_P_VADD, [MD_B_SMUL] = MD_P_SMUL, [MD_B_LUT] = MD_P_LUT,
	};
	bool constants = b->present >> MD_B_CONST & 1, used = false;

	for (unsigned int i = MD_B_VMUL; i <= MD_B_LUT; i++) {
		const struct isa_bits *k = &b->block[i];
		const struct isa_op *op;
		unsigned int dest;

		if (!(b->present >> i & 1))
			continue;
		op = md_row(k, i);
		/* Register words are alike in both forms. */
		dest = md_get(k, vec_dest);
		used |= md_get(k, vec_src1) == MD_CONSTANTS || (!md_get(k, vec_imm) && md_get(k, vec_src2) == MD_CONSTANTS);
		if (dest >= 16 && dest <= 23)
			isa_finding(c, ISA_WARNING, "uniform-write", at, at, "register %u is written, which is a uniform", dest);
		if (op->unit == MD_U_VECTOR && md_get(k, vec_shrink) == 3)
			isa_finding(c, ISA_WARNING, "shrink", at, at, "shrink mode 3 is not known");
		if (op->unit == MD_U_SCALAR && md_get(k, sca_out_full) && md_get(k, sca_out_comp) & 1)
			isa_finding(c, ISA_WARNING, "component", at, at, "odd component %u of a 32-bit result",
				md_get(k, sca_out_comp));
		if (isa_is_named(op) && !(op->props & units[i]))
			isa_finding(c, ISA_NOTE, "unit", at, at, "Mesa has op 0x%x on other units than this", op->match[0].value);
	}
	if (used && !constants)
		isa_finding(c, ISA_ERROR, "constants", at, at, "register 26 is read, but the bundle has no constants");
	if (!used && constants)
		isa_finding(c, ISA_NOTE, "constants", at, at, "the bundle's constants are not read");
}

/* What "next" must be for a bundle that is followed by one with that tag. */
static void check_next(struct isa_checker *c, size_t at, unsigned int next, size_t follower, bool follower_last)
{
	unsigned int tag = c->words[follower] & 15;

	if (next == tag || (next == MD_BREAK && follower_last && tag >= MD_ALU))
		return;
	if (next == MD_BREAK)
		return;		/* the program may well end here: what follows is reached by a branch */
	isa_finding(c, ISA_ERROR, "next-tag", at, follower, "the next bundle is said to have tag %u; it has %u", next, tag);
}

static void check_branch(struct isa_checker *c, const struct md_bundle *b, size_t at, const uint8_t *starts)
{
	unsigned int which = b->present >> MD_B_BRANCHX & 1 ? MD_B_BRANCHX : MD_B_BRANCH, tag;
	const struct isa_bits *block = &b->block[which];
	const struct isa_op *op = md_row(block, which);
	int64_t target = (int64_t)at + b->words + 4ll * md_distance(block, op);

	if (!isa_is_named(op))
		isa_finding(c, ISA_WARNING, "branch-kind", at, at, "a branch of unknown kind %u: where it goes is not known",
			md_get(block, br_op));
	/* What ends the thread has no target: Mesa leaves its tag at 0. */
	if (op->id == MD_OP_BR_DISCARD || target == (int64_t)c->count)
		return;
	tag = md_target_tag(block, op);
	if (target < 0 || target > (int64_t)c->count || !(starts[target / 8] >> target % 8 & 1)) {
		if (tag != MD_BREAK)
			isa_finding(c, ISA_ERROR, "branch-target", at, at, "the branch does not meet the start of a bundle");
		return;
	}
	if (tag != (c->words[target] & 15))
		isa_finding(c, ISA_ERROR, "branch-tag", at, target, "the branch's target is said to have tag %u; it has %u", tag,
			c->words[target] & 15);
}

static void check_control(struct isa_checker *c, const struct isa_bits *ctrl, size_t at)
{
	const struct isa_op none = { .form = MD_F_CTRL };
	const struct isa_field *f;
	unsigned int i = 0;

	while ((f = isa_odd_field(c->isa, &none, ctrl, &i)))
		isa_finding(c, ISA_NOTE, "control", at, at,
			    "bit %u of the control word, or one of %u from there on, is not known", f->lo, f->width);
}

void md_check(struct isa_checker *c)
{
	const uint32_t *words = c->words;
	size_t count = c->count;
	uint8_t *starts = calloc(count / 8 + 1, 1);
	struct md_bundle b;

	c->no_memory |= !starts;
	if (!starts)
		return;
	for (size_t i = 0; i < count; i += b.words ? b.words : 4) {
		md_split(words + i, count - i, &b);
		starts[i / 8] |= b.words ? 1 << i % 8 : 0;
	}
	for (size_t i = 0; i < count; i += b.words ? b.words : 4) {
		size_t next;
		struct md_bundle f;

		md_split(words + i, count - i, &b);
		if (!b.words && i && !isa_without_zeros(words + i, count - i))
			break;		/* what is fetched ahead behind the end (Mesa midgard_compile.c) */
		if (!b.words) {
			isa_finding(c, ISA_ERROR, "tag", i, i, "no bundle begins with tag %u and this length", words[i] & 15);
			continue;
		}
		if ((words[i] & 15) >= MD_ALU) {
			check_control(c, &b.block[MD_B_CTRL], i);
			check_alu(c, &b, i);
		}
		if (b.present & (1 << MD_B_BRANCH | 1 << MD_B_BRANCHX))
			check_branch(c, &b, i, starts);
		next = i + b.words;
		if (next >= count)
			continue;
		md_split(words + next, count - next, &f);
		check_next(c, i, words[i] >> 4 & 15, next, f.words && next + f.words >= count);
	}
	free(starts);
}
