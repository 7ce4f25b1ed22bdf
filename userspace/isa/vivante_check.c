// SPDX-License-Identifier: MIT
/*
 * Vivante: rules. One uniform per instruction: rnndb ("as if the uniform in the
 * last source is broadcast to all"); sine's source: Mesa's compiler for GC2000.
 */
#include <errno.h>
#include <stdint.h>
#include <string.h>

#include "isa/table.h"
#include "isa/vivante.h"

struct checker {
	const struct isa *isa;
	const uint32_t *words;
	size_t count;
	struct isa_messages *messages;
	bool no_memory;
};

#define finding(c, sev, rule_name, i, ...) do { \
	struct isa_message m_ = { .severity = sev, .rule = rule_name, .at = (i) * 4, .other = (i) * 4 }; \
	(c)->no_memory |= !isa_message((c)->messages, &m_, __VA_ARGS__); \
} while (0)

static bool is_uniform(const struct isa_bits *b, unsigned int source)
{
	unsigned int group = isa_get(b, viv_source[source].rgroup, 3);

	return isa_get(b, viv_source[source].use, 1) && (group == VIV_UNIFORM0 || group == VIV_UNIFORM1);
}

static void check_sources(struct checker *c, unsigned int i, const struct isa_bits *b, const struct isa_op *op)
{
	int last = -1;

	for (int s = 0; s < (op->form == VIV_F_CF ? 2 : 3); s++) {
		const struct viv_source *p = &viv_source[s];
		bool used = isa_get(b, p->use, 1);

		if (used && strstr(op->pattern, (char[]){ '%', (char)('a' + s), 0 }))
			finding(c, ISA_WARNING, "operand", i, "this op takes no source %d", s);
		if (is_uniform(b, s) && last >= 0 &&
		    (isa_get(b, p->reg, 9) != isa_get(b, viv_source[last].reg, 9) ||
		     isa_get(b, p->rgroup, 3) != isa_get(b, viv_source[last].rgroup, 3) ||
		     isa_get(b, p->amode, 3) != isa_get(b, viv_source[last].amode, 3)))
			finding(c, ISA_ERROR, "one-uniform", i,
				"an instruction reads one uniform; source %d's is taken for source %d's too", s, last);
		if (is_uniform(b, s))
			last = s;
		if (used && isa_get(b, p->rgroup, 3) != VIV_IMMEDIATE && isa_get(b, p->amode, 3) > 4)
			finding(c, ISA_WARNING, "unknown-code", i, "addressing mode %u of source %d is unknown",
				isa_get(b, p->amode, 3), s);
	}
}

static void check_instruction(struct checker *c, unsigned int i)
{
	struct isa_bits b;
	const struct isa_op *op;
	unsigned int code;

	memcpy(b.w, c->words + i * 4, sizeof(b.w));
	op = isa_match_op(c->isa, 0, &b);
	code = viv_opcode(&b);
	if (!isa_has_semantics(op))
		finding(c, ISA_WARNING, "unknown-code", i, "opcode 0x%02x has no known meaning", code);
	check_sources(c, i, &b, op);
	if (op->form == VIV_F_CF && isa_get(&b, VIV_TARGET, 15) > c->count)
		finding(c, ISA_ERROR, "branch-target", i, "the target %u is past the last instruction %zu",
			isa_get(&b, VIV_TARGET, 15), c->count - 1);
	/* .rtz tells the newer sine, which GC2000 does not have. */
	if ((code == 0x22 || code == 0x23) && isa_get(&b, VIV_RMODE, 2) != 1 && isa_get(&b, VIV_DST_USE, 1) && isa_get(&b, viv_source[2].use, 1) &&
	    isa_get(&b, viv_source[2].rgroup, 3) == VIV_TEMP &&
	    isa_get(&b, viv_source[2].reg, 9) == isa_get(&b, VIV_DST_REG, 7))
		/* rnndb has the rule, Mesa's compiler breaks it on GC2000: a note, not an alarm. */
		finding(c, ISA_NOTE, "sine-in-place", i, "source and destination are one register; on GC2000 that was seen to go wrong");
	if (isa_get(&b, VIV_COND, 5) > VIV_LZ && isa_get(&b, VIV_COND, 5) != VIV_SELMSB)
		finding(c, ISA_WARNING, "unknown-code", i, "condition %u is unknown", isa_get(&b, VIV_COND, 5));
}

int viv_check(const struct isa *isa, const uint32_t *words, size_t count, struct isa_messages *messages)
{
	struct checker c = { .isa = isa, .words = words, .count = count / 4, .messages = messages };

	if (count % 4)
		finding(&c, ISA_ERROR, "length", c.count, "%zu words are no whole number of instructions (4 words each)", count);
	if (!count)
		finding(&c, ISA_ERROR, "length", 0, "there is no instruction");
	for (unsigned int i = 0; i < c.count; i++)
		check_instruction(&c, i);
	return c.no_memory ? -ENOMEM : 0;
}
