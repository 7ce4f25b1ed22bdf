// SPDX-License-Identifier: MIT
/*
 * Vivante: rules. One uniform per instruction: rnndb ("as if the uniform in the
 * last source is broadcast to all"); sine's source: Mesa's compiler for GC2000. What
 * must be declared: etna_viv's hardware.md, "Ways I've already made it crash" (seed 002).
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

/* A temporary that an instruction names and the states do not give the shader. */
static void check_temporary(struct checker *c, unsigned int i, unsigned int reg, unsigned int declared, const char *what)
{
	if (reg >= declared)
		finding(c, ISA_ERROR, "temporaries", i, "%s t%u, but NUM_TEMPS declares %u: hangs", what, reg, declared);
}

int viv_check_declared(const uint32_t *words, size_t count, const struct isa_declared *declared,
		       struct isa_messages *messages)
{
	struct checker c = { .isa = &isa_vivante, .words = words, .count = count / 4, .messages = messages };
	unsigned int temps = declared->temporaries, inputs = declared->inputs;

	if (inputs != ISA_UNDECLARED && declared->elements != ISA_UNDECLARED && inputs != declared->elements)
		finding(&c, ISA_ERROR, "vs-inputs", 0, "VS_INPUT_COUNT declares %u inputs, but there are %u vertex elements: hangs",
			inputs, declared->elements);
	if (inputs != ISA_UNDECLARED && inputs > temps)
		finding(&c, ISA_ERROR, "temporaries", 0, "%u inputs come in temporaries, but NUM_TEMPS declares %u: hangs",
			inputs, temps);
	for (unsigned int i = 0; i < c.count; i++) {
		const struct isa_op *op;
		struct isa_bits b;

		memcpy(b.w, words + i * 4, sizeof(b.w));
		op = isa_match_op(c.isa, 0, &b);
		if (op->form != VIV_F_CF && isa_get(&b, VIV_DST_USE, 1))
			check_temporary(&c, i, isa_get(&b, VIV_DST_REG, 7), temps, "writes");
		for (unsigned int s = 0; s < (op->form == VIV_F_CF ? 2 : 3); s++) {
			unsigned int group = isa_get(&b, viv_source[s].rgroup, 3);

			if (isa_get(&b, viv_source[s].use, 1) && (group == VIV_TEMP || group == VIV_TEMP_HALF))
				check_temporary(&c, i, isa_get(&b, viv_source[s].reg, 9), temps, "reads");
		}
	}
	return c.no_memory ? -ENOMEM : 0;
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
