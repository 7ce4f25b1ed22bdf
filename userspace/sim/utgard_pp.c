// SPDX-License-Identifier: MIT
/*
 * Executes decoded PP instructions, eight fragments at a time.
 *
 * The units of an instruction work in the order of its fields, each on the
 * registers that the ones before it have written; the vec4 and the scalar
 * unit of a pair work at once (mali-isa-docs Utgard-PP.md). Lanes that have
 * parted at a branch go on by the lowest address, so that they meet again
 * where the paths join.
 *
 * GUESS(pp-register-half): registers hold binary16, and every write to one rounds; what goes
 * from unit to unit without a register (mul into acc, coordinates into the
 * sampler) keeps full precision.
 */
#include <math.h>
#include <string.h>

#include "isa/half.h"
#include "sim/utgard_pp_decode.h"
#include "sim/utgard_pp_sem.h"

#define UNIFORM_MAX 4

/* Each function of operands over a vector's four components, and of scalars. */
struct pp_function {
	void (*vector)(v8f out[4], const v8f *const a[4], const v8f *const b[4], v8f s0, float scale);
	v8f (*scalar)(v8f a, const v8f *const b[4], float scale, v8f s0);
};

#define VALUE_FUNCTIONS(id) \
	static void vector_##id(v8f out[4], const v8f *const a[4], const v8f *const b[4], v8f s0, float scale) \
	{ \
		for (unsigned int c = 0; c < 4; c++) \
			out[c] = pp_##id(*a[c], *b[c], a, s0, scale, c); \
	} \
	static v8f scalar_##id(v8f a, const v8f *const b[4], float scale, v8f s0) \
	{ \
		return pp_##id(a, *b[0], b, s0, scale, 0); \
	}
#define STEP_FUNCTIONS(id)
#define VALUE_ENTRY(id) [PP_OP_##id] = { vector_##id, scalar_##id },
#define STEP_ENTRY(id)
#define ROW(...)

#define OP(id, kind, ...) kind##_FUNCTIONS(id)
#include "isa/utgard_pp_ops.inc"
#undef OP

/* By the row's id. */
#define OP(id, kind, ...) kind##_ENTRY(id)
static const struct pp_function functions[PP_OPS] = {
#include "isa/utgard_pp_ops.inc"
};
#undef OP
#undef ROW

/* GUESS(pp-index-round): an index register counts towards zero; what no index can be is 0. */
static int index_of(float x)
{
	return x > -65536.0f && x < 65536.0f ? (int)x : 0;
}

/* What the units of one instruction share. */
struct step {
	struct ppsim_state *st;
	const struct pp_instr *in;
	unsigned int mask;
	v8i lanes;
	v8f coord[4];		/* from the varying unit to the sampler */
	v8f vmul[4], fmul;	/* from the mul units to the acc units */
};

static inline v8f read_component(const struct step *s, const struct pp_src *src, unsigned int c)
{
	return pp_modify_in(s->st->registers[src->reg][src->swizzle[c]], src);
}

static v8f read_scalar(const struct ppsim_state *st, unsigned int reg)
{
	return st->registers[reg >> 2][reg & 3];
}

/* Registers 12-15 cannot be written by a field's destination. */
static void write_vec4(struct step *s, unsigned int reg, unsigned int mask, const v8f value[4])
{
	v8f *r;

	if (reg >= PPSIM_REGISTERS)
		return;
	r = s->st->registers[reg];
	s->st->written[reg] |= mask & 15;
	/* As a rule all, and none is looked at. */
	if (mask == 15) {
		for (unsigned int c = 0; c < 4; c++)
			r[c] = v8_select(s->lanes, sim_round_half(value[c]), r[c]);
		return;
	}
	for (unsigned int c = 0; c < 4; c++)
		if (mask >> c & 1)
			r[c] = v8_select(s->lanes, sim_round_half(value[c]), r[c]);
}

/* --- Varyings ------------------------------------------------------------ */

static void load_varying(struct step *s, const struct pp_unit *u, v8f out[4])
{
	const struct ppsim_env *env = s->st->env;
	unsigned int n = u->components, done = 0;
	v8f group[4];

	if (!env->varying)
		return;
	if (u->offset == PP_NONE) {
		env->varying(env->ctx, u->index * n, n, out);
	} else {
		/* GUESS(pp-varying-offset): the offset counts groups, as the index does. */
		v8f offset = read_scalar(s->st, u->offset);

		for (int lane = 0; lane < SIM_LANES; lane++) {
			float wanted = offset[lane];

			if (done >> lane & 1)
				continue;
			env->varying(env->ctx, (unsigned int)(u->index + index_of(wanted)) * n, n, group);
			for (int l = lane; l < SIM_LANES; l++) {
				if (offset[l] != wanted && l != lane)
					continue;
				done |= 1u << l;
				for (unsigned int c = 0; c < n; c++)
					out[c][l] = group[c][l];
			}
		}
	}
	/* GUESS(pp-uniform-repeat): a group of one or two floats is repeated in all four components. */
	for (unsigned int c = n; c < 4; c++)
		out[c] = out[c & (n - 1)];
}

static void run_varying(struct step *s, const struct pp_unit *u)
{
	const struct ppsim_env *env = s->st->env;
	v8f out[4] = { v8_splat(0), v8_splat(0), v8_splat(0), v8_splat(0) }, length;
	unsigned int divide = u->props & PP_DIVIDE;

	switch (u->id) {
	case PP_OP_load_varying:
		load_varying(s, u, out);
		break;
	case PP_OP_load_register:
	case PP_OP_load_normalize:
		for (int c = 0; c < 4; c++)
			out[c] = read_component(s, &u->src[0], c);
		break;
	case PP_OP_load_fragcoord:
		memcpy(out, env->fragcoord, sizeof(out));
		break;
	case PP_OP_load_pointcoord:
		for (int c = 0; c < 4; c++)
			out[c] = env->pointcoord[c & 1];
		break;
	case PP_OP_load_frontfacing:
		for (int c = 0; c < 4; c++)
			out[c] = env->frontfacing;
		break;
	}
	if (u->id == PP_OP_load_normalize) {
		length = out[0] * out[0] + out[1] * out[1] + out[2] * out[2];
		length = V8_EACH(1.0f / sqrtf(length[lane]));
		for (int c = 0; c < 3; c++)
			out[c] *= length;
	}
	for (unsigned int c = 0; c < divide; c++)
		out[c] /= out[divide];
	memcpy(s->coord, out, sizeof(out));
	write_vec4(s, u->dest, u->mask, out);
}

static void run_sampler(struct step *s, const struct pp_unit *u)
{
	const struct ppsim_env *env = s->st->env;
	v8f rgba[4] = { v8_splat(0), v8_splat(0), v8_splat(0), v8_splat(0) };
	struct ppsim_sample sample = {
		.type = u->code,
		.lod_mode = u->props & PP_LEVEL ? PPSIM_LOD_EXPLICIT : u->props & PP_BIAS ? PPSIM_LOD_BIAS : PPSIM_LOD_IMPLICIT,
	};
	unsigned int left = s->mask;

	if (!env->sample)
		return;
	if (sample.lod_mode != PPSIM_LOD_IMPLICIT)
		sample.lod = read_component(s, &u->src[0], 0);
	memcpy(sample.coord, s->coord, sizeof(sample.coord));
	while (left) {
		int first = __builtin_ctz(left);

		sample.sampler = u->index;
		sample.mask = left;
		if (u->offset != PP_NONE) {
			v8f offset = read_scalar(s->st, u->offset);

			sample.sampler += index_of(offset[first]);
			for (int lane = first; lane < SIM_LANES; lane++)
				if (index_of(offset[lane]) != index_of(offset[first]))
					sample.mask &= ~(1u << lane);
		}
		env->sample(env->ctx, &sample, rgba);
		for (int c = 0; c < 4; c++)
			s->st->registers[14][c] = v8_select(v8_lanes(sample.mask), sim_round_half(rgba[c]),
							 s->st->registers[14][c]);
		left &= ~sample.mask;
	}
}

/* --- Uniforms and temporaries -------------------------------------------- */

static int address_of(const struct step *s, const struct pp_unit *u, int lane)
{
	int index = u->index;

	/* GUESS(pp-temp-offset): the offset register counts groups, as the index does. */
	if (u->offset != PP_NONE)
		index += index_of(read_scalar(s->st, u->offset)[lane]);
	return (int)((unsigned int)index * u->components);
}

/*
 * Where count scalars of temporary memory start. Mesa counts its spill slots
 * down from -1 (ir/pp/regalloc.c), so the stack's end is address 0; GUESS(pp-stack-down): it
 * does not grow up. NULL when they are not all there.
 */
static v8f *temporary(struct step *s, int address, unsigned int count)
{
	unsigned int size = s->st->env->temporaries;
	int at;

	if (size > PPSIM_TEMPORARIES)
		size = PPSIM_TEMPORARIES;
	at = address + 4 * (int)size;
	if (at < 0 || address + (int)count > 0) {
		sim_event(&s->st->events, s->st->event_at, PPSIM_TEMPORARY_RANGE, s->in->at);
		return NULL;
	}
	return &s->st->temporaries[0][0] + at;
}

static void load_temporary(struct step *s, int lane, int address, unsigned int n, v8f out[4])
{
	v8f *from = temporary(s, address, n);

	for (unsigned int c = 0; from && c < n; c++)
		out[c][lane] = from[c][lane];
}

static void load_uniform(struct step *s, int address, unsigned int n, float values[UNIFORM_MAX])
{
	const struct ppsim_env *env = s->st->env;
	uint16_t halves[UNIFORM_MAX] = { 0 };

	if (!env->uniform || !env->uniform(env->ctx, address, n, halves)) {
		sim_event(&s->st->events, s->st->event_at, PPSIM_UNIFORM_RANGE, s->in->at);
		memset(halves, 0, sizeof(halves));
	}
	for (unsigned int c = 0; c < n; c++)
		values[c] = half_to_float(halves[c]);
}

static void run_uniform(struct step *s, const struct pp_unit *u)
{
	unsigned int n = u->components;
	v8f out[4] = { v8_splat(0), v8_splat(0), v8_splat(0), v8_splat(0) };
	float values[UNIFORM_MAX];

	if (u->id == PP_OP_unknown)
		return;
	if (u->id == PP_OP_load_temporary) {
		EACH_LANE(s->mask)
			load_temporary(s, lane, address_of(s, u, lane), n, out);
	} else if (u->offset == PP_NONE) {
		load_uniform(s, address_of(s, u, 0), n, values);
		for (unsigned int c = 0; c < n; c++)
			out[c] = v8_splat(values[c]);
	} else {
		EACH_LANE(s->mask) {
			load_uniform(s, address_of(s, u, lane), n, values);
			for (unsigned int c = 0; c < n; c++)
				out[c][lane] = values[c];
		}
	}
	for (unsigned int c = 0; c < 4; c++) {
		v8f *r = &s->st->registers[PP_REG_UNIFORM][c];

		*r = v8_select(s->lanes, out[c & (n - 1)], *r);
	}
}

static void run_framebuffer(struct step *s, const struct pp_unit *u)
{
	const struct ppsim_env *env = s->st->env;
	v8f out[4] = { v8_splat(0), v8_splat(0), v8_splat(0), v8_splat(0) };
	bool depth = u->id == PP_OP_fb_depth;

	if (env->framebuffer)
		env->framebuffer(env->ctx, depth, out);
	write_vec4(s, u->dest, depth ? 1 : 15, out);
}

static void run_store(struct step *s, const struct pp_unit *u)
{
	unsigned int n = u->components, from = u->src[0].reg << 2 | (n == 4 ? 0 : u->src[0].swizzle[0]);

	EACH_LANE(s->mask) {
		v8f *to = temporary(s, address_of(s, u, lane), n);

		for (unsigned int c = 0; to && c < n; c++)
			to[c][lane] = read_scalar(s->st, (from + c) & 63)[lane];
	}
}

static void run_temp(struct step *s, const struct pp_unit *u)
{
	if (u->id == PP_OP_store)
		run_store(s, u);
	else if (u->id != PP_OP_unknown)
		run_framebuffer(s, u);
}

/* --- Arithmetic ---------------------------------------------------------- */

/* A vec4 where it is or, when modified, held. */
static inline void read_vector(const struct step *s, const struct pp_src *src, const v8f *out[4], v8f held[4])
{
	const v8f *from = src->pipe ? s->vmul : s->st->registers[src->reg];

	for (int c = 0; c < 4; c++)
		out[c] = &from[src->swizzle[c]];
	if (src->absolute || src->negate)
		for (int c = 0; c < 4; c++) {
			held[c] = pp_modify_in(*out[c], src);
			out[c] = &held[c];
		}
}

/* A result of four components. */
static void compute_vector(const struct step *s, const struct pp_unit *u, v8f out[4])
{
	v8f held[2][4];
	const v8f *a[4], *b[4];

	read_vector(s, &u->src[0], a, held[0]);
	if (u->two)
		read_vector(s, &u->src[1], b, held[1]);
	functions[u->id].vector(out, a, u->two ? b : a, s->fmul, u->scale);
	if (u->outmod)
		for (int c = 0; c < 4; c++)
			out[c] = pp_modify_out(out[c], u->outmod);
}

static v8f compute_scalar(const struct step *s, const struct pp_unit *u)
{
	v8f a, held[4];
	const v8f *b[4] = { held, held, held, held };

	a = u->src[0].pipe ? pp_modify_in(s->fmul, &u->src[0]) : read_component(s, &u->src[0], 0);
	if (u->two && u->src[1].vector)
		read_vector(s, &u->src[1], b, held);
	else
		held[0] = u->two ? read_component(s, &u->src[1], 0) : a;
	return pp_modify_out(functions[u->id].scalar(a, b, u->scale, s->fmul), u->outmod);
}

static void write_scalar(struct step *s, const struct pp_unit *u, v8f value)
{
	if (u->mask)
		write_vec4(s, u->dest, u->mask, (v8f[4]){ value, value, value, value });
}

/* A vec4 and a scalar unit that work at once: both read before either writes. */
static void run_pair(struct step *s, unsigned int vector, v8f vec[4], v8f *scalar)
{
	const struct pp_unit *v = &s->in->unit[vector], *f = v + 1;
	bool vec_on = s->in->has >> vector & 1, flt_on = s->in->has >> (vector + 1) & 1;
	v8f result;

	if (vec_on)
		compute_vector(s, v, vec);
	if (flt_on) {
		result = compute_scalar(s, f);
		*scalar = result;
	}
	if (vec_on)
		write_vec4(s, v->dest, v->mask, vec);
	if (flt_on)
		write_scalar(s, f, result);
}

static void run_combine(struct step *s, const struct pp_unit *u)
{
	v8f a, held[4], out[4];
	const v8f *b[4] = { &a, &a, &a, &a };

	if (!u->vector) {
		write_scalar(s, u, compute_scalar(s, u));
		return;
	}
	/* The first operand is a scalar. */
	a = read_component(s, &u->src[0], 0);
	if (u->two)
		read_vector(s, &u->src[1], b, held);
	functions[u->id].vector(out, (const v8f *[4]){ &a, &a, &a, &a }, b, s->fmul, u->scale);
	write_vec4(s, u->dest, u->mask, out);
}

/* Lanes for which the branch's condition holds. */
static unsigned int branch_taken(struct step *s)
{
	const struct pp_unit *u = &s->in->unit[PP_BRANCH];

	if (u->id == PP_OP_discard)
		return s->mask;
	return v8_mask(pp_condition(u->code, read_component(s, &u->src[0], 0), read_component(s, &u->src[1], 0))) & s->mask;
}

static void run_units(struct step *s)
{
	const struct pp_unit *u = s->in->unit;
	unsigned int has = s->in->has;
	v8f vec[4], scalar;

	for (int k = 0; k < 2; k++)
		if (has >> (PP_CONST0 + k) & 1)
			for (int c = 0; c < 4; c++)
				s->st->registers[PP_REG_CONST0 + k][c] =
					v8_select(s->lanes, v8_splat(s->in->constant[k][c]), s->st->registers[PP_REG_CONST0 + k][c]);
	if (has >> PP_VARYING & 1)
		run_varying(s, &u[PP_VARYING]);
	if (has >> PP_SAMPLER & 1)
		run_sampler(s, &u[PP_SAMPLER]);
	if (has >> PP_UNIFORM & 1)
		run_uniform(s, &u[PP_UNIFORM]);
	if (has >> PP_VMUL & 3)
		run_pair(s, PP_VMUL, s->vmul, &s->fmul);
	if (has >> PP_VADD & 3)
		run_pair(s, PP_VADD, vec, &scalar);
	if (has >> PP_COMBINE & 1)
		run_combine(s, &u[PP_COMBINE]);
	if (has >> PP_TEMP & 1)
		run_temp(s, &u[PP_TEMP]);
}

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

	*mask = st->live;
	if (!(st->live & ~v8_mask(st->pc == pc)))
		return first;
	*mask = 0;
	for (int lane = 0; lane < SIM_LANES; lane++) {
		if (!(st->live >> lane & 1))
			continue;
		in = &st->program->instr[st->pc[lane]];
		if (in != first && in->at > first->at)
			continue;
		if (in != first)
			*mask = 0;
		first = in;
		*mask |= 1u << lane;
	}
	return first;
}

static void begin_step(struct step *s)
{
	/* What units that are not there would have handed on. */
	s->fmul = v8_splat(0.0f);
	if (s->in->has >> PP_SAMPLER & 1)
		memset(s->coord, 0, sizeof(s->coord));
	if (!(s->in->has >> PP_VMUL & 1) && s->in->has & (2 << PP_VMUL | 3 << PP_VADD | 1 << PP_COMBINE))
		memset(s->vmul, 0, sizeof(s->vmul));
	s->st->instructions++;
	if (s->in->unknown)
		sim_event(&s->st->events, s->st->event_at, PPSIM_UNKNOWN_OP, s->in->at);
}

/* Behind an instruction that branches or stops, or whose lanes are not all that there are. */
static bool part(struct step *s)
{
	struct ppsim_state *st = s->st;
	unsigned int taken = 0, stay;

	if (s->in->has >> PP_BRANCH & 1) {
		taken = branch_taken(s);
		if (s->in->unit[PP_BRANCH].id == PP_OP_discard) {
			st->discarded |= taken;
			st->live &= ~taken;
		} else if (!jump(st, taken, s->in->target, s->in->at)) {
			return false;
		}
	}
	stay = s->mask & ~taken;
	if (s->in->stop)
		st->live &= ~stay;
	else
		return jump(st, stay, s->in->next, s->in->at);
	return true;
}

/* The lanes that stand at the lowest address go on: until they part, when they are all. */
static bool run_some(struct ppsim_state *st, unsigned int *limit)
{
	struct step s;

	s.st = st;
	s.in = lowest(st, &s.mask);
	s.lanes = v8_lanes(s.mask);
	for (;;) {
		if (s.in->fault) {
			jump(st, s.mask, (unsigned int)(s.in - st->program->instr), s.in->at);
			st->fault = (struct sim_fault){ (unsigned int)s.in->at, s.in->fault };
			return false;
		}
		begin_step(&s);
		run_units(&s);
		--*limit;
		if (s.in->has >> PP_BRANCH & 1 || s.in->stop || s.in->next == ~0u || s.mask != st->live || !*limit)
			return part(&s);
		s.in = &st->program->instr[s.in->next];
	}
}

void ppsim_begin(struct ppsim_state *state, const struct ppsim_program *program,
		 const struct ppsim_env *env, uint8_t mask)
{
	unsigned int temporaries = env->temporaries < PPSIM_TEMPORARIES ? env->temporaries : PPSIM_TEMPORARIES;

	/* What no run has written is 0 still; the pipeline's are not told of. */
	for (unsigned int r = 0; r < PPSIM_REGISTERS; r++)
		if (state->written[r])
			memset(state->registers[r], 0, sizeof(state->registers[r]));
	memset(state->registers[PPSIM_REGISTERS], 0, (16 - PPSIM_REGISTERS) * sizeof(state->registers[0]));
	if (temporaries)
		memset(state->temporaries, 0, sizeof(state->temporaries[0]) * temporaries);
	state->pc = v8_word(0);
	memset(state->written, 0, sizeof(state->written));
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
	for (unsigned int i = 0; i < program->count; i++) {
		const struct pp_instr *in = &program->instr[i];
		unsigned int id = in->unit[PP_VARYING].id;

		if (in->has >> PP_VARYING & 1 &&
		    (id == PP_OP_load_fragcoord || id == PP_OP_load_pointcoord || id == PP_OP_load_frontfacing))
			return true;
	}
	return false;
}

int ppsim_next(const struct ppsim_state *state)
{
	unsigned int mask;

	return state->live ? lowest(state, &mask)->at : 0;
}

unsigned int ppsim_next_lanes(const struct ppsim_state *state)
{
	unsigned int mask = 0;

	if (state->live)
		lowest(state, &mask);
	return mask;
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
