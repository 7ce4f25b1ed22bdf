// SPDX-License-Identifier: MIT
/* Midgard: rules. Tags: seed 003 and Mesa disassemble.c; registers: seed 003. */
#include <errno.h>
#include <stdlib.h>

#include "isa/midgard.h"

#define CONSTANTS	26
#define DISCARD		4	/* ends the thread: Mesa leaves its target at 0 */

struct checker {
	struct isa_messages *messages;
	const uint32_t *words;
	size_t count;
	bool no_memory;
};

static void finding(struct checker *c, enum isa_severity severity, const char *rule, size_t at, size_t other,
		    const char *format, unsigned int a, unsigned int b)
{
	struct isa_message m = { .severity = severity, .rule = rule, .at = at, .other = other };

	if (!isa_message(c->messages, &m, format, a, b))
		c->no_memory = true;
}

static bool is_vector(unsigned int which)
{
	return which == MD_B_VMUL || which == MD_B_VADD || which == MD_B_LUT;
}

static void check_alu(struct checker *c, const struct md_bundle *b, size_t at)
{
	bool constants = b->present >> MD_B_CONST & 1, used = false;

	for (unsigned int i = MD_B_VMUL; i <= MD_B_LUT; i++) {
		const struct isa_bits *k = &b->block[i];
		unsigned int dest;

		if (!(b->present >> i & 1))
			continue;
		/* Register words are alike in both forms. */
		dest = md_get(k, vec_dest);
		used |= md_get(k, vec_src1) == CONSTANTS || (!md_get(k, vec_imm) && md_get(k, vec_src2) == CONSTANTS);
		if (dest >= 16 && dest <= 23)
			finding(c, ISA_WARNING, "uniform-write", at, at, "register %u is written, which is a uniform", dest, 0);
		if (is_vector(i) && md_get(k, vec_shrink) == 3)
			finding(c, ISA_WARNING, "shrink", at, at, "shrink mode 3 is not known", 0, 0);
		if (!is_vector(i) && md_get(k, sca_out_full) && md_get(k, sca_out_comp) & 1)
			finding(c, ISA_WARNING, "component", at, at, "odd component %u of a 32-bit result",
				md_get(k, sca_out_comp), 0);
	}
	if (used && !constants)
		finding(c, ISA_ERROR, "constants", at, at, "register 26 is read, but the bundle has no constants", 0, 0);
	if (!used && constants)
		finding(c, ISA_NOTE, "constants", at, at, "the bundle's constants are not read", 0, 0);
}

/* What "next" must be for a bundle that is followed by one with that tag. */
static void check_next(struct checker *c, size_t at, unsigned int next, size_t follower, bool follower_last)
{
	unsigned int tag = c->words[follower] & 15;

	if (next == tag || (next == MD_BREAK && follower_last && tag >= MD_ALU))
		return;
	if (next == MD_BREAK)
		return;		/* the program may well end here: what follows is reached by a branch */
	finding(c, ISA_ERROR, "next-tag", at, follower, "the next bundle is said to have tag %u; it has %u", next, tag);
}

static void check_branch(struct checker *c, const struct md_bundle *b, size_t at, const uint8_t *starts)
{
	int32_t offset;
	int64_t target;
	unsigned int tag;

	if (b->present >> MD_B_BRANCHX & 1) {
		offset = (int32_t)(md_get(&b->block[MD_B_BRANCHX], brx_offset) << 9) >> 9;
		tag = md_get(&b->block[MD_B_BRANCHX], brx_tag);
		if (md_get(&b->block[MD_B_BRANCHX], brx_op) == DISCARD)
			return;
	} else if (md_get(&b->block[MD_B_BRANCH], br_op) == 1) {
		offset = (int32_t)(md_get(&b->block[MD_B_BRANCH], bru_offset) << 25) >> 25;
		tag = md_get(&b->block[MD_B_BRANCH], bru_tag);
	} else {
		offset = (int32_t)(md_get(&b->block[MD_B_BRANCH], br_offset) << 25) >> 25;
		tag = md_get(&b->block[MD_B_BRANCH], br_tag);
		if (md_get(&b->block[MD_B_BRANCH], br_op) == DISCARD)
			return;
	}
	target = (int64_t)at + b->words + 4ll * offset;
	if (target == (int64_t)c->count)
		return;
	if (target < 0 || target > (int64_t)c->count || !(starts[target / 8] >> target % 8 & 1)) {
		if (tag != MD_BREAK)
			finding(c, ISA_ERROR, "branch-target", at, at, "the branch does not meet the start of a bundle", 0, 0);
		return;
	}
	if (tag != (c->words[target] & 15))
		finding(c, ISA_ERROR, "branch-tag", at, target, "the branch's target is said to have tag %u; it has %u", tag,
			c->words[target] & 15);
}

static bool only_zeros(const uint32_t *words, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (words[i])
			return false;
	}
	return true;
}

int md_check(const struct isa *isa, const uint32_t *words, size_t count, struct isa_messages *messages)
{
	struct checker c = { messages, words, count, false };
	uint8_t *starts = calloc(count / 8 + 1, 1);
	struct md_bundle b;

	if (!starts)
		return -ENOMEM;
	if (!count)
		finding(&c, ISA_ERROR, "length", 0, 0, "there is no instruction", 0, 0);
	for (size_t i = 0; i < count; i += b.words ? b.words : 4) {
		md_split(words + i, count - i, &b);
		starts[i / 8] |= b.words ? 1 << i % 8 : 0;
	}
	for (size_t i = 0; i < count; i += b.words ? b.words : 4) {
		size_t next;
		struct md_bundle f;

		md_split(words + i, count - i, &b);
		if (!b.words && i && only_zeros(words + i, count - i))
			break;		/* what is fetched ahead behind the end (Mesa midgard_compile.c) */
		if (!b.words) {
			finding(&c, ISA_ERROR, "tag", i, i, "no bundle begins with tag %u and this length", words[i] & 15, 0);
			continue;
		}
		if ((words[i] & 15) >= MD_ALU)
			check_alu(&c, &b, i);
		if (b.present & (1 << MD_B_BRANCH | 1 << MD_B_BRANCHX))
			check_branch(&c, &b, i, starts);
		next = i + b.words;
		if (next >= count)
			continue;
		md_split(words + next, count - next, &f);
		check_next(&c, i, words[i] >> 4 & 15, next, f.words && next + f.words >= count);
	}
	free(starts);
	return c.no_memory ? -ENOMEM : 0;
}
