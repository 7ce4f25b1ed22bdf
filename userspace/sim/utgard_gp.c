// SPDX-License-Identifier: MIT
/*
 * Execution of Utgard GP shaders.
 *
 * Facts: mali-isa-docs Utgard-GP.md (sources, ops, latencies); Mesa
 * src/gallium/drivers/lima/ir/gp (which result a source names, select, branches).
 */
#include <stdlib.h>
#include <string.h>

#include "sim/utgard_gp.h"
#include "sim/utgard_gp_sem.h"

#define LETTERS "ABCE"

/* A unit's op, from the row that its bits match. */
struct operation {
	gp_function *run;
	uint8_t src[4];		/* enum gp_source: the semantics' a, b, c, d */
	bool neg[2];		/* of the first two */
	bool neg_result;
	uint8_t result;		/* which of the results it makes */
	uint8_t props;
};

struct instruction {
	struct isa_bits bits;
	struct operation op[GP_RESULTS];
	unsigned int ops;
	bool loads, reads1;		/* some unit names what is loaded, what register unit 1 reads */
	struct operation *sets_address;	/* NULL: none */
	uint8_t stored[4];		/* unit, by component; GP_RESULTS: nobody knows which, GP_UNITS: none */
	gp_function *branch;		/* NULL: none */
	bool unknown;
};

struct gpsim_program {
	unsigned int count;
	struct isa_messages notes;
	bool no_memory;
	struct instruction code[];
};

/* Stores that are on their way; a latency of n is seen by the n-th instruction after. */
enum { KIND_NONE, KIND_REGISTER, KIND_TEMPORARY };

#define add_note(prog, index, ...) \
	((prog)->code[index].unknown = true, \
	 (prog)->no_memory |= !isa_message(&(prog)->notes, &(struct isa_message){ .at = index }, __VA_ARGS__))

static void decode_source(struct gpsim_program *prog, unsigned int at, unsigned int src)
{
	struct instruction *in = &prog->code[at];

	in->loads |= src >= GP_SRC_LOAD && src < GP_SRC_LOAD + 4;
	in->reads1 |= src >= GP_SRC_REG1 && src < GP_SRC_REG1 + 4;
	/* 8 is what an instruction that does nothing has in a hardware workaround (doc). */
	if (src > GP_SRC_UNKNOWN && src < GP_SRC_LOAD)
		add_note(prog, at, "source %u is unknown", src);
}

static void decode_unit(struct gpsim_program *prog, unsigned int at, const struct isa_bits *b, const struct isa_op *row)
{
	struct instruction *in = &prog->code[at];
	struct operation *op = &in->op[in->ops];
	unsigned int unit = row->unit == GP_M01 ? GP_M0 : row->unit;
	bool multiplier = unit == GP_M0 || unit == GP_M1;

	if (!isa_has_semantics(row))
		add_note(prog, at, "%.*s: %s", (int)strcspn(row->pattern, " "), row->pattern, isa_no_semantics(row));
	if (row->unit == GP_BR) {
		in->branch = gp_functions[row->id];
		return;
	}
	op->run = gp_functions[row->id];
	op->props = row->props;
	op->result = unit;
	for (unsigned int i = 0; i < 4; i++) {
		bool clamp = i && strstr(row->pattern, "%X"), negated;

		op->src[i] = gp_source(b, row, clamp ? "-XY-"[i] : LETTERS[i], &negated);
		decode_source(prog, at, op->src[i]);
		if (i < 2)
			op->neg[i] = negated && !multiplier;
	}
	if (multiplier && !(row->props & GP_LATE))
		op->neg_result = unit == GP_M0 ? gp_get(b, mul0_neg) : gp_get(b, mul1_neg);
	if (row->props & ~GP_LATE)
		in->sets_address = op;
	in->ops++;
}

static void decode_one(struct gpsim_program *prog, unsigned int at)
{
	struct instruction *in = &prog->code[at];
	const struct isa_bits *b = &in->bits;
	unsigned int offset = gp_get(b, load_offset);

	for (unsigned int unit = 0; unit < GP_UNITS; unit++) {
		const struct isa_op *row = gp_unit_op(b, unit);

		if (row)
			decode_unit(prog, at, b, row);
	}
	for (unsigned int i = 0; i < 4; i++) {
		in->stored[i] = gp_stored(b, i) == GP_STORE_NONE ? GP_UNITS : GP_STORE_UNIT(gp_stored(b, i));
		if (in->stored[i] == GP_RESULTS)
			add_note(prog, at, "store source 5 is unknown");
	}
	if (in->loads && (offset == 0 || (offset > 3 && offset < 7)))
		add_note(prog, at, "load offset %u is unknown", offset);
}

struct gpsim_program *gpsim_decode(const uint32_t *words, unsigned int count)
{
	struct gpsim_program *prog;

	if (!count || count > GPSIM_MAX_INSTRUCTIONS)
		return NULL;
	prog = calloc(1, sizeof(*prog) + count * sizeof(prog->code[0]));
	if (!prog)
		return NULL;
	prog->count = count;
	for (unsigned int i = 0; i < count; i++) {
		memcpy(prog->code[i].bits.w, words + i * 4, sizeof(prog->code[i].bits.w));
		decode_one(prog, i);
	}
	if (!prog->no_memory)
		return prog;
	gpsim_free(prog);
	return NULL;
}

void gpsim_free(struct gpsim_program *program)
{
	if (program)
		limn_isa_messages_free(&program->notes);
	free(program);
}

const struct isa_messages *gpsim_notes(const struct gpsim_program *program)
{
	return &program->notes;
}

void gpsim_begin(struct gpsim_state *state, const struct gpsim_program *program, uint8_t mask)
{
	state->program = program;
	state->instructions = 0;
	state->events = 0;
	memset(&state->fault, 0, sizeof(state->fault));
	memset(state->written, 0, sizeof(state->written));
	memset(state->registers_written, 0, sizeof(state->registers_written));
	memset(state->varyings, 0, sizeof(state->varyings));
	/* GUESS(gp-registers-start): registers are undefined in the hardware; 0 keeps the model deterministic. */
	memset(state->registers, 0, sizeof(state->registers));
	memset(state->address_register, 0, sizeof(state->address_register));
	memset(state->temporary_valid, 0, sizeof(state->temporary_valid));
	memset(&state->threads[0], 0, sizeof(state->threads[0]));
	state->threads[0].source[GP_SRC_ONE] = v8_splat(1);
	state->threads[0].mask = mask;
	state->thread_count = mask ? 1 : 0;
}

/* Those components, from the first on, in those lanes. */
static void store_masked(v8f *to, const v8f *value, unsigned int components, uint8_t mask)
{
	for (int c = 0; components >> c; c++)
		if (components >> c & 1)
			to[c] = mask == 0xff ? value[c] : v8_select(v8_lanes(mask), value[c], to[c]);
}

/* One vec4 for one lane. Temporaries hide the uniform of the same address. */
static void load_lane(struct gpsim_state *state, int address, int lane, v8f out[4], unsigned int at)
{
	if (address >= 0 && address < GPSIM_MEMORY &&
	    state->temporary_valid[address / 64] >> (address % 64) & 1) {
		for (int c = 0; c < 4; c++)
			out[c][lane] = state->temporaries[address][c][lane];
	} else if (address >= 0 && (unsigned int)address < state->uniform_count) {
		for (int c = 0; c < 4; c++)
			out[c][lane] = state->uniforms[address][c];
	} else {
		sim_event(&state->events, state->event_at, GPSIM_LOAD_RANGE, at);
	}
}

static void load(struct gpsim_state *state, const struct instruction *in, const struct gpsim_thread *t,
		 v8f out[4])
{
	unsigned int address = gp_get(&in->bits, load_addr), from = gp_get(&in->bits, load_offset);

	bool relative = from >= 1 && from <= 3;
	/* GUESS(gp-address-fraction): the address register is a float and its fraction is dropped. */
	v8f offset = relative ? state->address_register[from] : v8_splat(0);
	bool uniform = !relative && address < state->uniform_count && !(state->temporary_valid[address / 64] >> (address % 64) & 1);

	for (int c = 0; c < 4; c++)
		out[c] = v8_splat(uniform ? state->uniforms[address][c] : 0);
	EACH_LANE(uniform ? 0 : t->mask) {
		float o = offset[lane];

		load_lane(state, o > -1e6f && o < 1e6f ? (int)address + (int)o : -1, lane, out, t->pc);
	}
}

static void commit_temporary(struct gpsim_state *state, const struct gpsim_store *st, uint8_t mask,
			     unsigned int at)
{
	EACH_LANE(mask) {
		int a = st->address[lane];

		if (a < 0 || a >= GPSIM_MEMORY) {
			sim_event(&state->events, state->event_at, GPSIM_STORE_RANGE, at);
			continue;
		}
		if (!(state->temporary_valid[a / 64] >> (a % 64) & 1)) {
			memset(state->temporaries[a], 0, sizeof(state->temporaries[a]));
			state->temporary_valid[a / 64] |= 1ull << (a % 64);
		}
		for (int c = 0; c < 4; c++) {
			if (st->components >> c & 1)
				state->temporaries[a][c][lane] = st->value[c][lane];
		}
	}
}

/* Latencies: registers 3, temporaries and address registers 4 instructions (doc, Mesa). */
static void commit(struct gpsim_state *state, struct gpsim_thread *t)
{
	struct gpsim_store *three = t->pending[(t->slot + 1) % 4], *four = t->pending[t->slot];

	for (int i = 0; i < 2; i++) {
		if (three[i].kind == KIND_REGISTER) {
			store_masked(state->registers[three[i].reg], three[i].value, three[i].components, t->mask);
			state->registers_written[three[i].reg] |= three[i].components;
			three[i].kind = KIND_NONE;
		}
		if (four[i].kind == KIND_TEMPORARY)
			commit_temporary(state, &four[i], t->mask, t->pc);
		four[i].kind = KIND_NONE;
	}
	if (t->address[t->slot].which)
		store_masked(&state->address_register[t->address[t->slot].which], &t->address[t->slot].value, 1, t->mask);
	t->address[t->slot].which = 0;
}

/* Store unit n: components 2n and 2n + 1. r: this instruction's results, by unit. */
static void store(struct gpsim_state *state, const struct instruction *in, struct gpsim_thread *t,
		  const v8f r[GP_RESULTS], int n)
{
	struct gpsim_store *st = &t->pending[t->slot][n];
	unsigned int to;

	st->components = 0;
	for (int c = n * 2; c < n * 2 + 2; c++) {
		if (in->stored[c] == GP_UNITS)
			continue;
		st->components |= 1 << c;
		st->value[c] = in->stored[c] == GP_RESULTS ? v8_splat(0) : r[in->stored[c]];
	}
	if (!st->components)
		return;
	to = gp_store_get(&in->bits, n, addr);
	if (gp_store_get(&in->bits, n, temporary)) {
		/* Address register 0 has no latency: it may be set in this very instruction (doc). */
		v8f a = state->address_register[0];

		for (int lane = 0; lane < SIM_LANES; lane++)
			st->address[lane] = a[lane] > -1e6f && a[lane] < 1e6f ? (int)a[lane] : -1;
		st->kind = KIND_TEMPORARY;
	} else if (gp_store_get(&in->bits, n, varying)) {
		store_masked(state->varyings[to], st->value, st->components, t->mask);
		state->written[to] |= st->components;
	} else {
		st->reg = to;
		st->kind = KIND_REGISTER;
	}
}

static void set_address(struct gpsim_state *state, const struct operation *op, struct gpsim_thread *t, const v8f r[GP_RESULTS])
{
	v8f value = op->props & GP_SETS_ADDRESS01 ? r[GP_P] : r[GP_C];
	unsigned int which = op->props & GP_SETS_ADDRESS01 ? 1 : GP_ADDRESS(op->props) - 1;

	if (!which || op->props & GP_SETS_ADDRESS01)
		store_masked(&state->address_register[0], &value, 1, t->mask);
	if (which) {
		t->address[t->slot].value = value;
		t->address[t->slot].which = which;
	}
}

/* Lanes whose pass result is not 0 go to the target; the thread is split when not all agree. */
static void branch(struct gpsim_state *state, const struct instruction *in, struct gpsim_thread *t,
		   v8f pass)
{
	uint8_t taken = v8_mask((v8i)in->branch(pass, pass, pass, pass)) & t->mask;

	if (taken == t->mask) {
		t->pc = gp_branch_to(&in->bits);
	} else if (taken) {
		struct gpsim_thread *other = &state->threads[state->thread_count++];

		*other = *t;
		other->mask = taken;
		other->pc = gp_branch_to(&in->bits);
		t->mask &= ~taken;
	}
}

static void step(struct gpsim_state *state, struct gpsim_thread *t)
{
	const struct instruction *in = &state->program->code[t->pc];
	unsigned int reg0 = gp_get(&in->bits, register0_addr);
	v8f r[GP_RESULTS] = { 0 }, complex1 = v8_splat(0);
	bool late = false;

	if (in->unknown)
		sim_event(&state->events, state->event_at, GPSIM_UNKNOWN_OP, t->pc);
	commit(state, t);
	memcpy(&t->source[GP_SRC_REG0], gp_get(&in->bits, register0_attribute) ? state->attributes[reg0] : state->registers[reg0],
	       4 * sizeof(v8f));
	if (in->reads1)
		memcpy(&t->source[GP_SRC_REG1], state->registers[gp_get(&in->bits, register1_addr)], 4 * sizeof(v8f));
	if (in->loads)
		load(state, in, t, &t->source[GP_SRC_LOAD]);

	for (unsigned int i = 0; i < in->ops; i++) {
		const struct operation *op = &in->op[i];
		v8f a = t->source[op->src[0]], b = t->source[op->src[1]], value;

		value = op->run(op->neg[0] ? -a : a, op->neg[1] ? -b : b, t->source[op->src[2]], t->source[op->src[3]]);
		value = op->neg_result ? -value : value;
		if (op->props & GP_LATE)
			complex1 = value, late = true;
		else
			r[op->result] = value;
	}
	if (in->sets_address)
		set_address(state, in->sets_address, t, r);
	store(state, in, t, r, 0);
	store(state, in, t, r, 1);

	/* As "two instructions ago", multiplier 0's result is complex1's when that is what it did. */
	t->source[GP_SRC_P2_ACC0] = t->source[GP_SRC_P1_ACC0];
	t->source[GP_SRC_P2_ACC1] = t->source[GP_SRC_P1_ACC1];
	t->source[GP_SRC_P2_MUL0] = t->late ? t->complex1 : t->source[GP_SRC_P1_MUL0];
	t->source[GP_SRC_P2_MUL1] = t->source[GP_SRC_P1_MUL1];
	t->source[GP_SRC_P2_PASS] = t->source[GP_SRC_P1_PASS];
	memcpy(&t->source[GP_SRC_P1_ACC0], r, 5 * sizeof(v8f));
	t->source[GP_SRC_P1_COMPLEX] = r[GP_C];
	memcpy(&t->source[GP_SRC_P1_REG0], &t->source[GP_SRC_REG0], 4 * sizeof(v8f));
	t->complex1 = complex1;
	t->late = late;
	t->slot = (t->slot + 1) % 4;
	t->pc++;
	if (in->branch)
		branch(state, in, t, r[GP_P]);
}

enum sim_status gpsim_run(struct gpsim_state *state, unsigned int limit)
{
	while (state->thread_count) {
		struct gpsim_thread *t = &state->threads[state->thread_count - 1];

		if (t->pc >= state->program->count) {
			/* The program ends after its last instruction; a branch past it cannot go on. */
			if (t->pc > state->program->count) {
				state->fault.at = t->pc;
				state->fault.reason = "branch past the end of the program";
				return SIM_FAULT;
			}
			state->thread_count--;
			continue;
		}
		if (!limit--)
			return SIM_LIMIT;
		state->instructions++;
		step(state, t);
	}
	return SIM_DONE;
}
