// SPDX-License-Identifier: MIT
/*
 * A straight program as a list of calls: for each op of utgard_pp_sem.h there is a function over
 * all blocks of a batch. Lanes that do not run are computed as well; nobody looks at them.
 */
#include <stdlib.h>
#include <string.h>

#include "isa/half.h"
#include "sim/utgard_pp_batch.h"
#include "sim/utgard_pp_decode.h"
#include "sim/utgard_pp_sem.h"

#define INLINE	static inline __attribute__((always_inline))

/* Behind the registers: results before they are rounded. */
enum { AT_VMUL = 16, AT_SMUL, AT_VECTOR, AT_SCALAR, AT_COORD, AT_ZERO };

#define PLACE(reg, c)	((uint8_t)((reg) * 4 + (c)))

struct call;
typedef bool call_function(struct ppsim_batch *b, const struct call *call);

/* A column for each component, and what is done to its bits; step 0: all blocks have the first's. */
struct operand {
	uint8_t at[4], step;
	uint32_t keep, flip;
};

struct call {
	call_function *run;
	const struct pp_unit *unit;
	struct operand a, b, s0;
	bool modified;			/* a or b is */
	uint8_t comps;			/* to be computed */
	uint8_t out;			/* place of the result */
	uint8_t dest, mask;		/* of a rounding */
	const float *constant;
};

struct ppsim_straight {
	struct call *call;
	unsigned int count, instructions;
	uint64_t written, zero;		/* components of registers, by PLACE: written; read before that */
};

INLINE v8f *column(struct ppsim_batch *b, unsigned int place)
{
	return b->file[place / 4][place % 4];
}

/* --- Ops that are functions of their operands --------------------------------- */

INLINE v8f operand_at(struct ppsim_batch *b, const struct operand *o, unsigned int c, unsigned int i, bool modified)
{
	v8f v = column(b, o->at[c])[i * o->step];

	return modified ? (v8f)(((v8u)v & o->keep) ^ o->flip) : v;
}

typedef v8f value_function(PP_OPERANDS);

/* vector: the four components of the first operand or, of a scalar op, of the second. */
INLINE void compute(value_function *f, struct ppsim_batch *b, const struct call *call, unsigned int c, bool modified)
{
	const struct operand *from = call->unit->vector ? &call->a : &call->b;
	v8f *out = b->file[call->out][c];
	float scale = call->unit->scale;
	unsigned int n = b->n;

	for (unsigned int i = 0; i < n; i++) {
		v8f a = operand_at(b, &call->a, c, i, modified), other = operand_at(b, &call->b, c, i, modified);
		v8f v[4] = { operand_at(b, from, 0, i, modified), operand_at(b, from, 1, i, modified),
			     operand_at(b, from, 2, i, modified), operand_at(b, from, 3, i, modified) };
		const v8f *const vs[4] = { &v[0], &v[1], &v[2], &v[3] };

		out[i] = f(a, other, vs, operand_at(b, &call->s0, 0, i, false), scale, c);
	}
}

#define VALUE_FUNCTIONS(id) \
	static bool call_##id(struct ppsim_batch *b, const struct call *call) \
	{ \
		for (unsigned int c = 0; c < 4; c++) { \
			if (!(call->comps >> c & 1)) \
				continue; \
			if (call->modified) \
				compute(pp_##id, b, call, c, true); \
			else \
				compute(pp_##id, b, call, c, false); \
		} \
		return true; \
	}
#define STEP_FUNCTIONS(id)
#define VALUE_ENTRY(id) [PP_OP_##id] = call_##id,
#define STEP_ENTRY(id)
#define ROW(...)

#define OP(id, kind, ...) kind##_FUNCTIONS(id)
#include "isa/utgard_pp_ops.inc"
#undef OP

#define OP(id, kind, ...) kind##_ENTRY(id)
static call_function *const functions[PP_OPS] = {
#include "isa/utgard_pp_ops.inc"
};
#undef OP
#undef ROW

static bool call_outmod(struct ppsim_batch *b, const struct call *call)
{
	for (unsigned int c = 0; c < 4; c++)
		for (unsigned int i = 0; i < b->n && call->comps >> c & 1; i++)
			b->file[call->out][c][i] = pp_modify_out(b->file[call->out][c][i], call->unit->outmod);
	return true;
}

/* The components of mask, from those of comps or, when that is 1, from the first. */
static bool call_round(struct ppsim_batch *b, const struct call *call)
{
	for (unsigned int c = 0; c < 4; c++) {
		const v8f *from = b->file[call->out][call->comps == 1 ? 0 : c];

		for (unsigned int i = 0; i < b->n && call->mask >> c & 1; i++)
			b->file[call->dest][c][i] = sim_round_half(from[i]);
	}
	return true;
}

/* The operand as it is. */
static bool call_copy(struct ppsim_batch *b, const struct call *call)
{
	for (unsigned int c = 0; c < 4; c++)
		for (unsigned int i = 0; i < b->n && call->mask >> c & 1; i++)
			b->file[call->dest][c][i] = operand_at(b, &call->a, c, i, true);
	return true;
}

/* --- What is read from elsewhere ----------------------------------------------- */

static bool call_constant(struct ppsim_batch *b, const struct call *call)
{
	for (unsigned int c = 0; c < 4; c++)
		b->file[call->dest][c][0] = v8_splat(call->constant[c]);
	return true;
}

static bool call_uniform(struct ppsim_batch *b, const struct call *call)
{
	unsigned int n = call->unit->components;
	uint16_t halves[4];

	if (!b->env->uniform || !b->env->uniform(b->env->ctx, (int)((unsigned int)call->unit->index * n), n, halves))
		return false;
	for (unsigned int c = 0; c < 4; c++)
		b->file[PP_REG_UNIFORM][c][0] = v8_splat(half_to_float(halves[c & (n - 1)]));
	return true;
}

static bool call_varying(struct ppsim_batch *b, const struct call *call)
{
	const struct pp_unit *u = call->unit;
	ppsim_column *out = b->file[call->out];
	unsigned int n = u->components;

	if (!b->env->varying || !b->env->varying(b->env->ctx, b, (unsigned int)u->index * n, n, out))
		return false;
	for (unsigned int c = n; c < 4; c++)
		memcpy(out[c], out[c & (n - 1)], b->n * sizeof(out[c][0]));
	return true;
}

static bool call_divide(struct ppsim_batch *b, const struct call *call)
{
	ppsim_column *out = b->file[call->out];
	unsigned int divide = call->unit->props & PP_DIVIDE;

	for (unsigned int c = 0; c < divide; c++)
		for (unsigned int i = 0; i < b->n; i++)
			out[c][i] /= out[divide][i];
	return true;
}

static bool call_sample(struct ppsim_batch *b, const struct call *call)
{
	const struct pp_unit *u = call->unit;
	ppsim_column lod;
	struct ppsim_sample sample = {
		.type = u->code, .sampler = (unsigned int)u->index,
		.lod_mode = u->props & PP_LEVEL ? PPSIM_LOD_EXPLICIT : u->props & PP_BIAS ? PPSIM_LOD_BIAS : PPSIM_LOD_IMPLICIT,
	};

	for (unsigned int i = 0; i < b->n && sample.lod_mode != PPSIM_LOD_IMPLICIT; i++)
		lod[i] = operand_at(b, &call->a, 0, i, true);
	return b->env->sample && b->env->sample(b->env->ctx, b, &sample, b->file[AT_COORD], lod, b->file[call->out]);
}

/* --- From a program -------------------------------------------------------------- */

static struct call *add(struct ppsim_straight *s, call_function *run, const struct pp_unit *u, unsigned int out)
{
	struct call *call = &s->call[s->count++];

	*call = (struct call){ .run = run, .unit = u, .out = (uint8_t)out, .comps = 15 };
	for (unsigned int c = 0; c < 4; c++)
		call->a.at[c] = call->b.at[c] = call->s0.at[c] = PLACE(AT_ZERO, 0);
	call->a.keep = call->b.keep = ~0u;
	return call;
}

/* pipe: place of the multiplier's result, AT_ZERO when there is none. */
static void set_operand(struct ppsim_straight *s, struct operand *o, const struct pp_src *src, bool vector, unsigned int pipe)
{
	unsigned int reg = src->pipe ? pipe : src->reg;

	for (unsigned int c = 0; c < 4; c++) {
		o->at[c] = PLACE(reg, src->swizzle[vector ? c : 0]);
		if (reg == AT_ZERO)
			o->at[c] = PLACE(AT_ZERO, 0);
		if (reg < 16 && !(s->written >> o->at[c] & 1))
			s->zero |= 1ull << o->at[c];
	}
	o->step = reg != AT_ZERO && reg != PP_REG_CONST0 && reg != PP_REG_CONST1 && reg != PP_REG_UNIFORM;
	o->keep = src->absolute ? 0x7fffffff : ~0u;
	o->flip = src->negate ? 0x80000000 : 0;
}

static void add_round(struct ppsim_straight *s, const struct call *of, unsigned int dest, unsigned int mask)
{
	struct call *call;

	if (dest >= PPSIM_REGISTERS || !mask)
		return;
	call = add(s, call_round, of->unit, of->out);
	call->comps = of->comps;
	call->dest = (uint8_t)dest;
	call->mask = (uint8_t)mask;
	s->written |= (uint64_t)mask << PLACE(dest, 0);
}

/* An arithmetic unit; its index is taken, for a pair is written together. */
static unsigned int add_value(struct ppsim_straight *s, const struct pp_instr *in, unsigned int block, unsigned int out)
{
	const struct pp_unit *u = &in->unit[block];
	unsigned int pipe = in->has >> PP_VMUL & 1 ? AT_VMUL : AT_ZERO, at = s->count;
	struct call *call = add(s, functions[u->id], u, out);
	bool wide = block == PP_COMBINE && u->vector;

	if (!u->vector)
		pipe = in->has >> PP_SMUL & 1 ? AT_SMUL : AT_ZERO;
	set_operand(s, &call->a, &u->src[0], u->vector && !wide, pipe);
	if (u->two)
		set_operand(s, &call->b, &u->src[1], u->vector || u->src[1].vector, pipe);
	else
		call->b = call->a;
	if (block != PP_VMUL && block != PP_SMUL && in->has >> PP_SMUL & 1) {
		call->s0.at[0] = PLACE(AT_SMUL, 0);
		call->s0.step = 1;
	}
	call->modified = ~(call->a.keep & call->b.keep) | call->a.flip | call->b.flip;
	call->comps = u->vector ? u->mask : 1;
	/* What only the adder behind a multiplier sees. */
	for (unsigned int c = 0; block == PP_VMUL && in->has >> PP_VADD & 1 && c < 4; c++)
		if (in->unit[PP_VADD].src[0].pipe)
			call->comps |= 1 << in->unit[PP_VADD].src[0].swizzle[c];
	if (u->outmod && !wide) {
		uint8_t comps = call->comps;

		call = add(s, call_outmod, u, out);
		call->comps = comps;
	}
	return at;
}

/*
 * A move from one register to another, of a unit that works alone: what a register holds is rounded
 * already, but for the pipeline's constants and uniforms.
 */
static bool add_move(struct ppsim_straight *s, const struct pp_unit *u)
{
	unsigned int from = u->src[0].reg;
	struct call *call;

	if (u->id != PP_OP_mov || u->outmod || u->src[0].pipe || u->dest == from || u->dest >= PPSIM_REGISTERS ||
	    from == PP_REG_CONST0 || from == PP_REG_CONST1 || from == PP_REG_UNIFORM)
		return false;
	call = add(s, call_copy, u, 0);
	set_operand(s, &call->a, &u->src[0], u->vector, AT_ZERO);
	call->dest = u->dest;
	call->mask = u->mask;
	s->written |= (uint64_t)u->mask << PLACE(u->dest, 0);
	return true;
}

/* A vec4 and a scalar unit that work at once. */
static void add_pair(struct ppsim_straight *s, const struct pp_instr *in, unsigned int vector, unsigned int out)
{
	unsigned int at[2], one = in->has >> vector & 1 ? vector : vector + 1;

	if ((in->has >> vector & 3) != 3 && in->has >> vector & 3 && !(vector == PP_VMUL && in->has >> PP_VADD & 3) &&
	    add_move(s, &in->unit[one]))
		return;
	for (unsigned int k = 0; k < 2; k++)
		if (in->has >> (vector + k) & 1)
			at[k] = add_value(s, in, vector + k, out + k);
	for (unsigned int k = 0; k < 2; k++)
		if (in->has >> (vector + k) & 1)
			add_round(s, &s->call[at[k]], in->unit[vector + k].dest, in->unit[vector + k].mask);
}

static bool add_varying(struct ppsim_straight *s, const struct pp_unit *u)
{
	struct call *call = add(s, u->id == PP_OP_load_register ? call_copy : call_varying, u, AT_COORD);

	if (u->id != PP_OP_load_register && (u->id != PP_OP_load_varying || u->offset != PP_NONE))
		return false;
	if (u->id == PP_OP_load_register) {
		set_operand(s, &call->a, &u->src[0], true, AT_ZERO);
		call->dest = AT_COORD;
		call->mask = 15;
	}
	if (u->props & PP_DIVIDE)
		add(s, call_divide, u, AT_COORD);
	add_round(s, call, u->dest, u->mask);
	return true;
}

static void add_sample(struct ppsim_straight *s, const struct pp_unit *u)
{
	struct call *call = add(s, call_sample, u, AT_VECTOR);

	if (u->props & (PP_LEVEL | PP_BIAS))
		set_operand(s, &call->a, &u->src[0], false, AT_ZERO);
	call = add(s, call_round, u, AT_VECTOR);
	call->dest = PP_REG_TEXTURE;
	call->mask = 15;
	s->written |= 15ull << PLACE(PP_REG_TEXTURE, 0);
}

/* False: it is not straight. */
static bool add_instruction(struct ppsim_straight *s, const struct pp_instr *in)
{
	const struct pp_unit *u = in->unit;
	struct call *call;

	if (in->has & (1 << PP_BRANCH | 1 << PP_TEMP) || in->fault || in->unknown)
		return false;
	for (unsigned int k = 0; k < 2; k++)
		if (in->has >> (PP_CONST0 + k) & 1) {
			call = add(s, call_constant, NULL, 0);
			call->constant = in->constant[k];
			call->dest = (uint8_t)(PP_REG_CONST0 + k);
			s->written |= 15ull << PLACE(call->dest, 0);
		}
	if (in->has >> PP_VARYING & 1 && !add_varying(s, &u[PP_VARYING]))
		return false;
	if (in->has >> PP_SAMPLER & 1) {
		if (u[PP_SAMPLER].offset != PP_NONE || !(in->has >> PP_VARYING & 1))
			return false;
		add_sample(s, &u[PP_SAMPLER]);
	}
	if (in->has >> PP_UNIFORM & 1) {
		if (u[PP_UNIFORM].id != PP_OP_load_uniform || u[PP_UNIFORM].offset != PP_NONE)
			return false;
		add(s, call_uniform, &u[PP_UNIFORM], 0);
		s->written |= 15ull << PLACE(PP_REG_UNIFORM, 0);
	}
	add_pair(s, in, PP_VMUL, AT_VMUL);
	add_pair(s, in, PP_VADD, AT_VECTOR);
	if (in->has >> PP_COMBINE & 1) {
		unsigned int at = add_value(s, in, PP_COMBINE, u[PP_COMBINE].vector ? AT_VECTOR : AT_SCALAR);

		add_round(s, &s->call[at], u[PP_COMBINE].dest, u[PP_COMBINE].mask);
	}
	return in->stop || in->next != ~0u;
}

/* Of one instruction: two constants, four and three for what is read, three for each of five units. */
#define MOST_CALLS	24

const struct ppsim_straight *ppsim_straight(struct ppsim_program *program)
{
	struct ppsim_straight *s = program->straight;
	const struct pp_instr *in = program->instr;

	if (program->asked)
		return s;
	program->asked = true;
	s = calloc(1, sizeof(*s));
	if (s)
		s->call = malloc(program->count * MOST_CALLS * sizeof(*s->call));
	/* No instruction comes twice where none branches. */
	while (s && s->call && add_instruction(s, in)) {
		s->instructions++;
		if (in->stop) {
			program->straight = s;
			return s;
		}
		in = &program->instr[in->next];
	}
	ppsim_straight_free(s);
	return NULL;
}

void ppsim_straight_free(struct ppsim_straight *s)
{
	if (s)
		free(s->call);
	free(s);
}

bool ppsim_batch_run(const struct ppsim_straight *s, struct ppsim_batch *b, unsigned int wanted)
{
	uint64_t zero = s->zero;

	b->instructions = s->instructions;
	/* These have no columns. */
	if (wanted & (1 << PP_REG_CONST0 | 1 << PP_REG_CONST1 | 1 << PP_REG_UNIFORM))
		return false;
	for (unsigned int reg = 0; reg < 16; reg++)
		if (wanted >> reg & 1)
			zero |= 15ull << PLACE(reg, 0) & ~s->written;
	for (; zero; zero &= zero - 1)
		memset(column(b, (unsigned int)__builtin_ctzll(zero)), 0, b->n * sizeof(v8f));
	b->file[AT_ZERO][0][0] = v8_splat(0.0f);
	for (unsigned int i = 0; i < s->count; i++)
		if (!s->call[i].run(b, &s->call[i]))
			return false;
	return true;
}
