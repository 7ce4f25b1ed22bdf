// SPDX-License-Identifier: MIT
/*
 * Runs decoded PP programs by the calls of their instructions (utgard_pp_calls.c): a state of
 * eight fragments those of one instruction under a mask of lanes, a batch those of all, one after the other.
 *
 * Lanes that have parted at a branch go on by the lowest address, so that they meet again
 * where the paths join.
 */
#include <string.h>

#include "sim/utgard_pp_decode.h"
#include "sim/vector.h"

static bool jump(struct ppsim_state *st, unsigned int lanes, unsigned int to, int at)
{
	if (lanes && to == ~0u) {
		st->fault = (struct sim_fault){ (unsigned int)at, "runs past an instruction that nothing follows" };
		return false;
	}
	st->pc = v8_choose(v8_lanes(lanes), v8_word(to), st->pc);
	return true;
}

/* The lanes that stand at the lowest address, and their instruction. */
static const struct pp_instr *lowest(const struct ppsim_state *st, unsigned int *mask)
{
	unsigned int pc = st->pc[__builtin_ctz(st->live)];
	const struct pp_instr *in, *first = &st->program->instr[pc];

	*mask = st->live & v8_mask(st->pc == pc);
	if (*mask == st->live)
		return first;
	EACH_LANE(st->live) {
		in = &st->program->instr[st->pc[lane]];
		if (in->at < first->at) {
			first = in;
			*mask = 0;
		}
		if (in == first)
			*mask |= 1u << lane;
	}
	return first;
}

/* Behind an instruction that branches or stops, or whose lanes are not all that there are. */
static bool part(struct ppsim_state *st, const struct pp_instr *in, const struct pp_machine *m)
{
	unsigned int taken = in->has >> PP_BRANCH & 1 ? m->taken : 0, stay = m->mask & ~taken;

	if (taken && in->unit[PP_BRANCH].id == PP_OP_discard) {
		st->discarded |= taken;
		st->live &= ~taken;
	} else if (!jump(st, taken, in->target, in->at)) {
		return false;
	}
	if (!in->stop)
		return jump(st, stay, in->next, in->at);
	st->live &= ~stay;
	return true;
}

/* The lanes that stand at the lowest address go on: until they part, when they are all. */
static bool run_some(struct ppsim_state *st, unsigned int *limit)
{
	struct pp_machine m = { .file = st->registers[0], .n = 1, .stride = 1, .env = st->env, .state = st };
	const struct pp_instr *in = lowest(st, &m.mask);

	for (;; in = &st->program->instr[in->next]) {
		if (in->fault) {
			jump(st, m.mask, (unsigned int)(in - st->program->instr), in->at);
			st->fault = (struct sim_fault){ (unsigned int)in->at, in->fault };
			return false;
		}
		m.at = in->at;
		st->instructions++;
		st->written |= in->writes;
		if (in->unknown)
			sim_event(&st->events, st->event_at, PPSIM_UNKNOWN_OP, (unsigned int)in->at);
		pp_execute(&m, in);
		--*limit;
		if (in->has >> PP_BRANCH & 1 || in->stop || in->next == ~0u || m.mask != st->live || !*limit)
			return part(st, in, &m);
	}
}

void ppsim_begin(struct ppsim_state *state, const struct ppsim_program *program,
		 const struct ppsim_env *env, uint8_t mask)
{
	unsigned int temporaries = env->temporaries < PPSIM_TEMPORARIES ? env->temporaries : PPSIM_TEMPORARIES;

	/* What no run has written is 0 still. */
	for (unsigned int r = 0; r < 16; r++)
		if (state->written >> 4 * r & 15)
			memset(state->registers[r], 0, sizeof(state->registers[r]));
	memset(state->temporaries, 0, sizeof(state->temporaries[0]) * temporaries);
	state->pc = v8_word(0);
	state->written = 0;
	state->discarded = 0;
	state->instructions = 0;
	state->fault = (struct sim_fault){ 0 };
	state->events = 0;
	state->program = program;
	state->env = env;
	state->live = mask;
}

bool ppsim_reads_place(const struct ppsim_program *program)
{
	return program->reads_place;
}

int ppsim_next(const struct ppsim_state *state, unsigned int *lanes)
{
	*lanes = 0;
	return state->live ? lowest(state, lanes)->at : 0;
}

enum sim_status ppsim_run(struct ppsim_state *state, unsigned int limit)
{
	if (state->fault.reason)
		return SIM_FAULT;
	while (state->live) {
		if (!limit)
			return SIM_LIMIT;
		if (!run_some(state, &limit))
			return SIM_FAULT;
	}
	return SIM_DONE;
}

unsigned int ppsim_straight(const struct ppsim_program *program)
{
	return program->length;
}

bool ppsim_batch_run(const struct ppsim_program *program, struct ppsim_batch *b, unsigned int wanted)
{
	struct pp_machine m = { .file = b->file[0][0], .n = b->n, .stride = PPSIM_BATCH, .env = b->env, .mask = 0xff };
	uint64_t zero = program->reads;

	for (unsigned int reg = 0; reg < 16; reg++)
		if (wanted >> reg & 1)
			zero |= 15ull << PP_PLACE(reg, 0) & ~program->writes;
	for (; zero; zero &= zero - 1)
		memset(pp_column(&m, (unsigned int)__builtin_ctzll(zero)), 0, b->n * sizeof(v8f));
	for (const struct pp_instr *in = program->instr;; in = &program->instr[in->next]) {
		if (!pp_execute(&m, in))
			return false;
		if (in->stop)
			return true;
	}
}
