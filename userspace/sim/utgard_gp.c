// SPDX-License-Identifier: MIT
/*
 * Execution of Utgard GP shaders.
 *
 * Facts: mali-isa-docs Utgard-GP.md (sources, ops, latencies); Mesa
 * src/gallium/drivers/lima/ir/gp (which result a source names, select, branches).
 */
#include <stdlib.h>
#include <string.h>

#include "isa/table.h"
#include "isa/utgard_gp.h"
#include "sim/utgard_gp.h"
#include "sim/vector.h"

#define MAX_NOTES 64

struct instruction {
	uint8_t mul0_src[2], mul1_src[2], acc0_src[2], acc1_src[2], complex_src, pass_src;
	bool mul0_neg, mul1_neg, acc0_neg[2], acc1_neg[2];
	uint8_t acc_op, mul_op, complex_op, pass_op;
	uint16_t load_addr;
	uint8_t load_offset;
	bool loads;			/* some unit names what is loaded */
	uint8_t register0_addr, register1_addr;
	bool register0_attribute;
	uint8_t store_src[4], store_addr[2];
	bool store_temporary[2], store_varying[2];
	bool branch;
	uint16_t target;
	bool unknown;
};

struct gpsim_program {
	unsigned int count, notes;
	struct {
		const char *text;
		unsigned int at;
	} note[MAX_NOTES];
	struct instruction code[];
};

/* Stores that are on their way; a latency of n is seen by the n-th instruction after. */
enum { KIND_NONE, KIND_REGISTER, KIND_TEMPORARY };

static void add_note(struct gpsim_program *prog, unsigned int at, const char *text)
{
	prog->code[at].unknown = true;
	if (prog->notes < MAX_NOTES) {
		prog->note[prog->notes].text = text;
		prog->note[prog->notes++].at = at;
	}
}

static bool used(uint8_t src)
{
	return src != GP_SRC_UNUSED;
}

static void note_unknown(struct gpsim_program *prog, unsigned int at)
{
	const struct instruction *in = &prog->code[at];
	const uint8_t src[] = {
		in->mul0_src[0], in->mul0_src[1], in->mul1_src[0], in->mul1_src[1],
		in->acc0_src[0], in->acc0_src[1], in->acc1_src[0], in->acc1_src[1],
		in->complex_src, in->pass_src };

	if (in->acc_op == 3 && (used(in->acc0_src[0]) || used(in->acc1_src[0])))
		add_note(prog, at, "accumulator op 3 is unknown");
	if (in->mul_op == 2 || in->mul_op > GP_MUL_SELECT)
		add_note(prog, at, "multiplier op is unknown");
	if (used(in->pass_src) && (in->pass_op < 2 || in->pass_op == 3 || in->pass_op == 7))
		add_note(prog, at, "pass op is unknown");
	if (used(in->complex_src) && (in->complex_op == 1 || in->complex_op == 11 ||
				      (in->complex_op >= 6 && in->complex_op <= 8)))
		add_note(prog, at, "complex op is unknown");
	for (unsigned int i = 0; i < sizeof(src); i++) {
		/* 8 is what an instruction that does nothing has in a hardware workaround (doc). */
		if (src[i] > GP_SRC_UNKNOWN && src[i] < GP_SRC_LOAD)
			add_note(prog, at, "source 9-11 is unknown");
	}
	for (int i = 0; i < 4; i++) {
		if (in->store_src[i] == 5)
			add_note(prog, at, "store source 5 is unknown");
	}
	if (in->loads && (in->load_offset == 0 || (in->load_offset > 3 && in->load_offset < 7)))
		add_note(prog, at, "load offset 0 or 4-6 is unknown");
}

static bool is_load(uint8_t src)
{
	return src >= GP_SRC_LOAD && src < GP_SRC_LOAD + 4;
}

static unsigned int bits(const uint32_t *words, unsigned int lo, unsigned int width)
{
	uint64_t two = words[lo / 32] | (uint64_t)(lo / 32 < 3 ? words[lo / 32 + 1] : 0) << 32;

	return two >> lo % 32 & ((1u << width) - 1);
}

#define get(name) bits(words, GP_##name, GP_##name##_width)

static void decode_one(struct instruction *in, const uint32_t *words)
{
	in->mul0_src[0] = get(mul0_src0);
	in->mul0_src[1] = get(mul0_src1);
	in->mul1_src[0] = get(mul1_src0);
	in->mul1_src[1] = get(mul1_src1);
	in->mul0_neg = get(mul0_neg);
	in->mul1_neg = get(mul1_neg);
	in->acc0_src[0] = get(acc0_src0);
	in->acc0_src[1] = get(acc0_src1);
	in->acc1_src[0] = get(acc1_src0);
	in->acc1_src[1] = get(acc1_src1);
	in->acc0_neg[0] = get(acc0_src0_neg);
	in->acc0_neg[1] = get(acc0_src1_neg);
	in->acc1_neg[0] = get(acc1_src0_neg);
	in->acc1_neg[1] = get(acc1_src1_neg);
	in->load_addr = get(load_addr);
	in->load_offset = get(load_offset);
	in->register0_addr = get(register0_addr);
	in->register0_attribute = get(register0_attribute);
	in->register1_addr = get(register1_addr);
	in->store_temporary[0] = get(store0_temporary);
	in->store_temporary[1] = get(store1_temporary);
	in->store_src[0] = get(store0_src_x);
	in->store_src[1] = get(store0_src_y);
	in->store_src[2] = get(store1_src_z);
	in->store_src[3] = get(store1_src_w);
	in->store_addr[0] = get(store0_addr);
	in->store_addr[1] = get(store1_addr);
	in->store_varying[0] = get(store0_varying);
	in->store_varying[1] = get(store1_varying);
	in->acc_op = get(acc_op);
	in->mul_op = get(mul_op);
	in->complex_op = get(complex_op);
	in->pass_op = get(pass_op);
	in->complex_src = get(complex_src);
	in->pass_src = get(pass_src);
	in->branch = get(branch) && get(unknown_1) == GP_UNKNOWN_1_BRANCH;
	in->target = get(branch_target) + (get(branch_target_lo) ? 0 : 256);
	for (int i = 0; i < 2; i++)
		in->loads |= is_load(in->mul0_src[i]) || is_load(in->mul1_src[i]) ||
			     is_load(in->acc0_src[i]) || is_load(in->acc1_src[i]);
	in->loads |= is_load(in->complex_src) || is_load(in->pass_src) ||
		     (used(in->pass_src) && in->pass_op == GP_PASS_CLAMP);
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
		decode_one(&prog->code[i], words + i * 4);
		note_unknown(prog, i);
	}
	return prog;
}

void gpsim_free(struct gpsim_program *program)
{
	free(program);
}

const char *gpsim_note(const struct gpsim_program *program, unsigned int n, unsigned int *at)
{
	if (n >= program->notes)
		return NULL;
	*at = program->note[n].at;
	return program->note[n].text;
}

void gpsim_begin(struct gpsim_state *state, const struct gpsim_program *program, uint8_t mask)
{
	state->program = program;
	state->instructions = 0;
	state->events = 0;
	memset(&state->fault, 0, sizeof(state->fault));
	memset(state->written, 0, sizeof(state->written));
	memset(state->varyings, 0, sizeof(state->varyings));
	/* GUESS: registers are undefined in the hardware; 0 keeps the model deterministic. */
	memset(state->registers, 0, sizeof(state->registers));
	memset(state->address_register, 0, sizeof(state->address_register));
	memset(state->temporary_valid, 0, sizeof(state->temporary_valid));
	memset(&state->threads[0], 0, sizeof(state->threads[0]));
	state->threads[0].mask = mask;
	state->thread_count = mask ? 1 : 0;
}

static void event(struct gpsim_state *state, enum gpsim_event what, unsigned int at)
{
	unsigned int n = what == GPSIM_LOAD_RANGE ? 0 : what == GPSIM_STORE_RANGE ? 1 : 2;

	if (!(state->events & what))
		state->event_at[n] = at;
	state->events |= what;
}

static void store_masked(v8f *to, v8f value, uint8_t mask)
{
	*to = mask == 0xff ? value : v8_select(v8_lanes(mask), value, *to);
}

#define MAP(x, expr) ({ \
	v8f in_ = (x), out_; \
	for (int i_ = 0; i_ < SIM_LANES; i_++) { \
		float a = in_[i_]; \
		out_[i_] = (expr); \
	} \
	out_; })

/* What the sources of one instruction can name. */
struct sources {
	const struct gpsim_thread *thread;
	v8f reg0[4], reg1[4], load[4];
};

static v8f source(const struct sources *s, uint8_t src, float ident, bool second)
{
	const struct gpsim_results *p1 = &s->thread->last, *p2 = &s->thread->last2;

	switch (src) {
	case 0 ... 3: return s->reg0[src];
	case 4 ... 7: return s->reg1[src - 4];
	case 12 ... 15: return s->load[src - 12];
	case GP_SRC_P1_ACC0: return p1->acc[0];
	case GP_SRC_P1_ACC1: return p1->acc[1];
	case GP_SRC_P1_MUL0: return p1->mul[0];
	case GP_SRC_P1_MUL1: return p1->mul[1];
	case GP_SRC_P1_PASS: return p1->pass;
	case GP_SRC_IDENT: return second ? v8_splat(ident) : p1->complex;
	case GP_SRC_P2_PASS: return p2->pass;
	case GP_SRC_P2_ACC0: return p2->acc[0];
	case GP_SRC_P2_ACC1: return p2->acc[1];
	case GP_SRC_P2_MUL0: return p2->mul[0];
	case GP_SRC_P2_MUL1: return p2->mul[1];
	case 28 ... 31: return s->thread->reg0[src - 28];
	default: return v8_splat(0);	/* unused, or unknown and noted */
	}
}

/*
 * GUESS: which of two operands max and min give when one is not a number; here the second, as
 * "a < b ? a : b" does.
 */
static v8f accumulate(unsigned int op, v8f a, v8f b)
{
	v8f one = v8_splat(1), zero = v8_splat(0);

	switch (op) {
	case GP_ACC_ADD: return a + b;
	case GP_ACC_FLOOR: return MAP(a, __builtin_floorf(a));
	case GP_ACC_SIGN: return v8_select(a > zero, one, v8_select(a < zero, -one, zero));
	case GP_ACC_GE: return v8_select(a >= b, one, zero);
	case GP_ACC_LT: return v8_select(a < b, one, zero);
	case GP_ACC_MIN: return v8_select(a < b, a, b);
	case GP_ACC_MAX: return v8_select(a > b, a, b);
	default: return zero;
	}
}

/*
 * The complex functions take three steps: f(x) of the complex unit, complex2(x, x), and complex1
 * of both and x; exp2 and log2 have one more in the pass unit.
 * GUESS: the first step gives the function rounded to single precision and the other steps hand
 * it on. What the hardware's partial results look like is not known; only the last is ever used.
 */
static v8f complex_function(unsigned int op, v8f x)
{
	switch (op) {
	case GP_COMPLEX_EXP2: return MAP(x, __builtin_exp2f(a));
	case GP_COMPLEX_LOG2: return MAP(x, __builtin_log2f(a));
	case GP_COMPLEX_RSQRT: return MAP(x, 1.0f / __builtin_sqrtf(a));
	case GP_COMPLEX_RCP: return v8_splat(1) / x;
	case GP_COMPLEX_PASS:
	case GP_COMPLEX_ADDR01 ... GP_COMPLEX_ADDR3: return x;
	default: return v8_splat(0);
	}
}

static v8f pass(const struct sources *s, unsigned int op, v8f x)
{
	switch (op) {
	case GP_PASS_PASS:
	case GP_PASS_PREEXP2:
	case GP_PASS_POSTLOG2:
		return x;
	case GP_PASS_CLAMP:
		return accumulate(GP_ACC_MAX, accumulate(GP_ACC_MIN, x, s->load[0]), s->load[1]);
	default:
		return v8_splat(0);
	}
}

/* Multipliers. complex1's result comes two instructions later; the others' one later. */
static void multiply(const struct instruction *in, const struct sources *s, struct gpsim_results *r,
		     v8f *complex1)
{
	v8f a = source(s, in->mul0_src[0], 1, false), b = source(s, in->mul0_src[1], 1, true);
	v8f c = source(s, in->mul1_src[0], 1, false), d = source(s, in->mul1_src[1], 1, true);

	r->mul[0] = r->mul[1] = v8_splat(0);
	switch (in->mul_op) {
	case GP_MUL_MUL:
	case GP_MUL_COMPLEX2:
		if (used(in->mul0_src[0]) && used(in->mul0_src[1]))
			r->mul[0] = in->mul_op == GP_MUL_MUL ? a * b : a;
		if (used(in->mul1_src[0]) && used(in->mul1_src[1]))
			r->mul[1] = c * d;
		break;
	case GP_MUL_COMPLEX1:
		*complex1 = a;
		return;
	case GP_MUL_SELECT:
		/* Mesa's order: the doc has the two values the other way round. */
		r->mul[0] = v8_select(b != v8_splat(0), c, a);
		break;
	}
	if (in->mul0_neg)
		r->mul[0] = -r->mul[0];
	if (in->mul1_neg)
		r->mul[1] = -r->mul[1];
}

static v8f accumulator(const struct sources *s, unsigned int op, const uint8_t src[2],
		       const bool neg[2])
{
	v8f a, b;

	if (!used(src[0]))
		return v8_splat(0);
	a = source(s, src[0], 0, false);
	b = source(s, src[1], 0, true);
	return accumulate(op, neg[0] ? -a : a, neg[1] ? -b : b);
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
		event(state, GPSIM_LOAD_RANGE, at);
	}
}

static void load(struct gpsim_state *state, const struct instruction *in, const struct gpsim_thread *t,
		 v8f out[4])
{
	unsigned int address = in->load_addr;

	for (int c = 0; c < 4; c++)
		out[c] = v8_splat(0);
	if (!in->loads)
		return;
	if (in->load_offset >= 1 && in->load_offset <= 3) {
		/* GUESS: the address register is a float and its fraction is dropped. */
		v8f offset = state->address_register[in->load_offset];

		for (int lane = 0; lane < SIM_LANES; lane++) {
			float o = offset[lane];

			if (t->mask >> lane & 1)
				load_lane(state, o > -1e6f && o < 1e6f ? (int)address + (int)o : -1,
					  lane, out, t->pc);
		}
	} else if (address < state->uniform_count &&
		   !(state->temporary_valid[address / 64] >> (address % 64) & 1)) {
		for (int c = 0; c < 4; c++)
			out[c] = v8_splat(state->uniforms[address][c]);
	} else {
		for (int lane = 0; lane < SIM_LANES; lane++)
			load_lane(state, address, lane, out, t->pc);
	}
}

static void commit_temporary(struct gpsim_state *state, const struct gpsim_store *st, uint8_t mask,
			     unsigned int at)
{
	for (int lane = 0; lane < SIM_LANES; lane++) {
		int a = st->address[lane];

		if (!(mask >> lane & 1))
			continue;
		if (a < 0 || a >= GPSIM_MEMORY) {
			event(state, GPSIM_STORE_RANGE, at);
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
			for (int c = 0; c < 4; c++) {
				if (three[i].components >> c & 1)
					store_masked(&state->registers[three[i].reg][c],
						     three[i].value[c], t->mask);
			}
			three[i].kind = KIND_NONE;
		}
		if (four[i].kind == KIND_TEMPORARY)
			commit_temporary(state, &four[i], t->mask, t->pc);
		four[i].kind = KIND_NONE;
	}
	if (t->address[t->slot].which)
		store_masked(&state->address_register[t->address[t->slot].which],
			     t->address[t->slot].value, t->mask);
	t->address[t->slot].which = 0;
}

static v8f store_value(const struct gpsim_results *r, uint8_t src)
{
	switch (src) {
	case 0: return r->acc[0];
	case 1: return r->acc[1];
	case 2: return r->mul[0];
	case 3: return r->mul[1];
	case GP_STORE_PASS: return r->pass;
	case GP_STORE_COMPLEX: return r->complex;
	default: return v8_splat(0);
	}
}

/* Store unit n: components 2n and 2n + 1. */
static void store(struct gpsim_state *state, const struct instruction *in, struct gpsim_thread *t,
		  const struct gpsim_results *r, int n)
{
	struct gpsim_store *st = &t->pending[t->slot][n];

	st->components = 0;
	for (int c = n * 2; c < n * 2 + 2; c++) {
		if (in->store_src[c] == GP_STORE_NONE)
			continue;
		st->components |= 1 << c;
		st->value[c] = store_value(r, in->store_src[c]);
	}
	if (!st->components)
		return;
	if (in->store_temporary[n]) {
		/* Address register 0 has no latency: it may be set in this very instruction (doc). */
		v8f a = state->address_register[0];

		for (int lane = 0; lane < SIM_LANES; lane++)
			st->address[lane] = a[lane] > -1e6f && a[lane] < 1e6f ? (int)a[lane] : -1;
		st->kind = KIND_TEMPORARY;
	} else if (in->store_varying[n]) {
		for (int c = 0; c < 4; c++) {
			if (st->components >> c & 1)
				store_masked(&state->varyings[in->store_addr[n]][c], st->value[c],
					     t->mask);
		}
		state->written[in->store_addr[n]] |= st->components;
	} else {
		st->reg = in->store_addr[n];
		st->kind = KIND_REGISTER;
	}
}

static void set_address(struct gpsim_state *state, const struct instruction *in,
			struct gpsim_thread *t, const struct gpsim_results *r)
{
	if (!used(in->complex_src))
		return;
	switch (in->complex_op) {
	case GP_COMPLEX_ADDR01:
		store_masked(&state->address_register[0], r->pass, t->mask);
		t->address[t->slot].value = r->pass;
		t->address[t->slot].which = 1;
		break;
	case GP_COMPLEX_ADDR0:
		store_masked(&state->address_register[0], r->complex, t->mask);
		break;
	case GP_COMPLEX_ADDR1 ... GP_COMPLEX_ADDR3:
		t->address[t->slot].value = r->complex;
		t->address[t->slot].which = in->complex_op - GP_COMPLEX_ADDR0;
		break;
	}
}

/* Lanes whose pass result is not 0 go to the target; the thread is split when not all agree. */
static void branch(struct gpsim_state *state, const struct instruction *in, struct gpsim_thread *t,
		   v8f condition)
{
	uint8_t taken = 0;

	for (int lane = 0; lane < SIM_LANES; lane++)
		taken |= (condition[lane] != 0) << lane;
	taken &= t->mask;
	if (taken == t->mask) {
		t->pc = in->target;
	} else if (taken) {
		struct gpsim_thread *other = &state->threads[state->thread_count++];

		*other = *t;
		other->mask = taken;
		other->pc = in->target;
		t->mask &= ~taken;
	}
}

static void step(struct gpsim_state *state, struct gpsim_thread *t)
{
	const struct instruction *in = &state->program->code[t->pc];
	struct sources s = { .thread = t };
	struct gpsim_results r;
	v8f complex1 = v8_splat(0);
	bool late = t->slot & 4;	/* complex1 of the last instruction arrives now */

	t->slot &= 3;
	if (in->unknown)
		event(state, GPSIM_UNKNOWN_OP, t->pc);
	commit(state, t);
	memcpy(s.reg0, in->register0_attribute ? state->attributes[in->register0_addr] :
	       state->registers[in->register0_addr], sizeof(s.reg0));
	memcpy(s.reg1, state->registers[in->register1_addr], sizeof(s.reg1));
	load(state, in, t, s.load);

	r.acc[0] = accumulator(&s, in->acc_op, in->acc0_src, in->acc0_neg);
	r.acc[1] = accumulator(&s, in->acc_op, in->acc1_src, in->acc1_neg);
	multiply(in, &s, &r, &complex1);
	r.pass = used(in->pass_src) ? pass(&s, in->pass_op, source(&s, in->pass_src, 0, false)) :
	         v8_splat(0);
	r.complex = used(in->complex_src) ?
		    complex_function(in->complex_op, source(&s, in->complex_src, 0, false)) : v8_splat(0);

	set_address(state, in, t, &r);
	store(state, in, t, &r, 0);
	store(state, in, t, &r, 1);

	/* As "two instructions ago", multiplier 0's result is complex1's when that is what it did. */
	t->last2 = t->last;
	if (late)
		t->last2.mul[0] = t->complex1;
	t->last = r;
	memcpy(t->reg0, s.reg0, sizeof(t->reg0));
	t->complex1 = complex1;
	t->slot = (t->slot + 1) % 4 | (in->mul_op == GP_MUL_COMPLEX1 ? 4 : 0);
	t->pc++;
	if (in->branch)
		branch(state, in, t, r.pass);
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
