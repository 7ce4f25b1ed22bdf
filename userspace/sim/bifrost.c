// SPDX-License-Identifier: MIT
/* Bifrost: clauses, tuples and lanes. */
#include <stdlib.h>

#include "sim/bifrost_code.h"

struct bfsim_program {
	size_t count;			/* 128-bit words */
	struct bf_clause_code code[];	/* by the word that a clause begins with */
};

static void decode_clause(const struct bifrost_clause *c, size_t at, struct bf_clause_code *code)
{
	struct bf_slot slots[2 * BIFROST_TUPLES];

	code->count = c->tuple_count;
	code->header = c->header;
	bf_get_slots(c, at, slots);
	for (unsigned int i = 0; i < 2 * c->tuple_count; i++) {
		code->tuples[i / 2].dest[i & 1] = slots[i].dest;
		bf_decode_insn(&code->tuples[i / 2].slot[i & 1], &slots[i]);
	}
}

struct bfsim_program *bfsim_decode(const uint32_t *words, size_t count)
{
	struct bfsim_program *p = calloc(1, sizeof(*p) + (count / 4 + 1) * sizeof(p->code[0]));

	if (!p)
		return NULL;
	p->count = count / 4;
	for (size_t i = 0, n; i < p->count; i += n ? n : 1) {
		struct bifrost_clause c;

		n = limn_isa_bifrost_clause_read(words + 4 * i, count - 4 * i, &c) / 4;
		if (n)
			decode_clause(&c, i, &p->code[i]);
		p->code[i].length = n;
	}
	return p;
}

void bfsim_free(struct bfsim_program *program)
{
	free(program);
}

/* passed: results of FMA and ADD of the tuple before; stage: 0, or to ADD the result of FMA. */
static v8u source(const struct bf_run *t, const struct bf_value *v, const v8u passed[2], v8u stage)
{
	switch (v->kind) {
	case BF_REGISTER:
		return t->s->r[v->value];
	case BF_PASSED:
		return v->value == BF_STAGE ? stage : passed[v->value - BF_PASS_FMA];
	case BF_FAU:
		if (v->value >= BFSIM_UNIFORMS)
			return (v8u){ 0 } + t->s->uniforms[v->value - BFSIM_UNIFORMS][v->high];
		return v->value < BFSIM_SPECIAL ? t->s->special[v->value][v->high] : (v8u){ 0 };
	default:
		return (v8u){ 0 } + v->value;
	}
}

static void write_register(struct bf_run *t, const struct bf_dest *dest, v8u v)
{
	t->s->written |= 1ull << dest->reg;
	EACH_LANE(t->lanes) {
		uint32_t old = t->s->r[dest->reg][lane];

		t->s->r[dest->reg][lane] = dest->mode == BF_WRITE ? v[lane] : dest->mode == BF_WRITE_LO ?
					   (old & 0xffff0000) | (v[lane] & 0xffff) : (old & 0xffff) | v[lane] << 16;
	}
}

void bf_not_executed(struct bf_run *t, const struct isa_op *op)
{
	if (!(t->s->events & BFSIM_UNKNOWN_OP)) {
		t->s->unknown = op;
		t->s->unknown_at = 4 * (size_t)t->at;
	}
	t->s->events |= BFSIM_UNKNOWN_OP;
}

static v8u run_slot(struct bf_run *t, const struct bf_insn *k)
{
	static const struct mdsim_io nothing;
	v8u result = { 0 };

	if (!k->body && !k->lane)
		bf_not_executed(t, k->op);
	EACH_LANE(t->lanes) {
		struct bf_lane l = { .t = t, .k = k, .lane = lane, .carry = &t->carry[lane] };

		l.io = t->s->io ? t->s->io : &nothing;
		for (unsigned int i = 0; i < BF_SOURCES; i++)
			l.s[i].w = t->sources[i][lane];
		if (k->body)
			bf_run_alu(&l);
		if (k->lane)
			bf_run_message(&l);
		result[lane] = l.result;
	}
	return result;
}

static void run_clause(struct bf_run *t)
{
	v8u passed[2] = { { 0 } };

	for (unsigned int i = 0; i < t->code->count; i++) {
		const struct bf_tuple_code *tuple = &t->code->tuples[i];
		v8u results[2] = { { 0 } };

		memset(t->carry, 0, sizeof(t->carry));
		for (unsigned int k = 0; k < 2; k++) {
			for (unsigned int n = 0; n < tuple->slot[k].sources; n++)
				t->sources[n] = source(t, &tuple->slot[k].source[n], passed, results[0]);
			results[k] = run_slot(t, &tuple->slot[k]);
		}
		/* Both have read before one writes. */
		for (unsigned int k = 0; k < 2; k++)
			if (tuple->dest[k].mode)
				write_register(t, &tuple->dest[k], results[k]);
		memcpy(passed, results, sizeof(passed));
	}
}

enum sim_status bfsim_run(struct bfsim_state *s, const struct bfsim_program *program, uint8_t mask, unsigned int limit)
{
	unsigned int running = mask, steps[SIM_LANES] = { 0 }, others;
	v8u at = { 0 }, before[BFSIM_REGISTERS];

	while (running) {
		struct bf_run t = { .s = s };

		t.lanes = v8_lowest(at, running, &t.at, &others);
		t.code = t.at < program->count && program->code[t.at].length ? &program->code[t.at] : NULL;
		if (!t.code) {
			s->events |= BFSIM_BAD_CLAUSE;
			running &= ~t.lanes;
			continue;
		}
		EACH_LANE(t.lanes)
			if (steps[lane]++ >= limit)
				return SIM_LIMIT;
		if (s->enter && !s->enter(s->trace_ctx, t.lanes, (size_t)t.at * 4))
			break;
		t.next = v8_word(t.at + t.code->length);
		if (s->trace)
			memcpy(before, s->r, sizeof(before));
		run_clause(&t);
		s->clauses += __builtin_popcount(t.lanes);
		if (s->trace)
			s->trace(s->trace_ctx, t.lanes, (size_t)t.at * 4, before);
		EACH_LANE(t.lanes) {
			/* The shader's last clause may still branch. */
			bool ends = !bf_get(t.code->header, flow) && t.next[lane] == t.at + t.code->length;

			if (t.next[lane] == BF_END || ends)
				running &= ~(1u << lane);
		}
		at = v8_choose(v8_lanes(t.lanes), t.next, at);
		if (bf_get(t.code->header, terminate_discarded))
			running &= ~s->discarded;
	}
	return SIM_DONE;
}
