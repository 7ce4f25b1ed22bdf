// SPDX-License-Identifier: MIT
/*
 * What the units of a PP instruction do, each as a few calls over all blocks of a machine: those
 * of a batch, or the one of a state. The places of operands are looked up when the program is decoded.
 *
 * The units of an instruction work in the order of its fields, each on the registers that the ones
 * before it have written; the vec4 and the scalar unit of a pair work at once (mali-isa-docs
 * Utgard-PP.md). Lanes that do not run are computed as well; in a state they keep what they have
 * where something is written to a register.
 *
 * GUESS(pp-register-half): registers hold binary16, and every write to one rounds; what goes
 * from unit to unit without a register (mul into acc, coordinates into the
 * sampler) keeps full precision.
 */
#include <stdlib.h>
#include <string.h>

#include "isa/half.h"
#include "sim/utgard_pp_decode.h"
#include "sim/utgard_pp_sem.h"

#define INLINE	static inline __attribute__((always_inline))

/* A statement for each component of a mask. */
#define EACH_COMPONENT(mask)	for (unsigned int c = 0; c < 4; c++) if ((mask) >> c & 1)

/* Behind the registers: results before they are rounded. */
enum { AT_VMUL = 16, AT_SMUL, AT_VECTOR, AT_SCALAR, AT_COORD, AT_ZERO };

/* The same, when the compiler is to know which of the two kinds of machine it is. */
INLINE struct pp_machine known(const struct pp_machine *m, bool state)
{
	return (struct pp_machine){ .file = m->file, .n = state ? 1 : m->n, .stride = state ? 1 : PPSIM_BATCH };
}

/* --- Ops that are functions of their operands --------------------------------- */

INLINE v8f operand(const v8f *column, const struct pp_operand *o, unsigned int i, bool modified)
{
	return modified ? (v8f)(((v8u)column[i] & o->keep) ^ o->flip) : column[i];
}

typedef v8f value_function(PP_OPERANDS);

/* vector: the four components of the first operand or, of a scalar op, of the second. */
INLINE void compute(value_function *f, const struct pp_machine m, const struct pp_call *call, bool modified)
{
	const struct pp_operand *from = call->unit->vector ? &call->a : &call->b;
	const v8f *const v[4] = { pp_column(&m, from->at[0]), pp_column(&m, from->at[1]), pp_column(&m, from->at[2]),
				  pp_column(&m, from->at[3]) };
	const v8f *s0 = pp_column(&m, call->s0);
	float scale = call->unit->scale;

	EACH_COMPONENT(call->comps) {
		const v8f *a = pp_column(&m, call->a.at[c]), *b = pp_column(&m, call->b.at[c]);
		v8f *out = pp_column(&m, PP_PLACE(call->out, c));

		for (unsigned int i = 0; i < m.n; i++) {
			v8f all[4] = { operand(v[0], from, i, modified), operand(v[1], from, i, modified),
				       operand(v[2], from, i, modified), operand(v[3], from, i, modified) };
			const v8f *const each[4] = { &all[0], &all[1], &all[2], &all[3] };

			out[i] = f(operand(a, &call->a, i, modified), operand(b, &call->b, i, modified), each,
				   s0[i], scale, c);
		}
	}
}

#define VALUE_FUNCTIONS(id) \
	static bool call_##id(struct pp_machine *m, const struct pp_call *call) \
	{ \
		if (m->state && call->modified) \
			compute(pp_##id, known(m, true), call, true); \
		else if (m->state) \
			compute(pp_##id, known(m, true), call, false); \
		else if (call->modified) \
			compute(pp_##id, known(m, false), call, true); \
		else \
			compute(pp_##id, known(m, false), call, false); \
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
static pp_call_function *const functions[PP_OPS] = {
#include "isa/utgard_pp_ops.inc"
};
#undef OP
#undef ROW

/* Where y counts the other way the operands change places. */
static bool call_turned_dFdy(struct pp_machine *m, const struct pp_call *call)
{
	struct pp_call turned = *call;

	if (m->env->down) {
		turned.a = call->b;
		turned.b = call->a;
	}
	return call_dFdy(m, &turned);
}

static bool call_outmod(struct pp_machine *m, const struct pp_call *call)
{
	EACH_COMPONENT(call->comps) {
		v8f *out = pp_column(m, PP_PLACE(call->out, c));

		for (unsigned int i = 0; i < m->n; i++)
			out[i] = pp_modify_out(out[i], call->unit->outmod);
	}
	return true;
}

/* --- Registers ------------------------------------------------------------------ */

/* In the lanes of a mask. */
INLINE void put(v8f *to, v8f value, unsigned int lanes)
{
	*to = lanes == 0xff ? value : v8_select(v8_lanes(lanes), value, *to);
}

/* A function that writes to registers in some lanes, which are all of a batch. */
#define WRITE(function, m, lanes, ...) ((m)->state ? \
	((lanes) == 0xff ? function(known(m, true), 0xff, __VA_ARGS__) : function(known(m, true), lanes, __VA_ARGS__)) : \
	function(known(m, false), 0xff, __VA_ARGS__))

/* The components of mask, from those of comps or, when that is 1, from the first. */
INLINE void round_columns(const struct pp_machine m, unsigned int lanes, const struct pp_call *call)
{
	EACH_COMPONENT(call->mask) {
		const v8f *from = pp_column(&m, PP_PLACE(call->out, call->comps == 1 ? 0 : c));
		v8f *to = pp_column(&m, PP_PLACE(call->dest, c));

		for (unsigned int i = 0; i < m.n; i++)
			put(&to[i], sim_round_half(from[i]), lanes);
	}
}

static bool call_round(struct pp_machine *m, const struct pp_call *call)
{
	WRITE(round_columns, m, m->mask, call);
	return true;
}

/* The operand as it is. */
static bool call_copy(struct pp_machine *m, const struct pp_call *call)
{
	EACH_COMPONENT(call->mask) {
		const v8f *from = pp_column(m, call->a.at[c]);
		v8f *to = pp_column(m, PP_PLACE(call->dest, c));

		for (unsigned int i = 0; i < m->n; i++)
			put(&to[i], operand(from, &call->a, i, true), m->mask);
	}
	return true;
}

static bool call_zero(struct pp_machine *m, const struct pp_call *call)
{
	for (unsigned int c = 0; c < 4; c++)
		memset(pp_column(m, PP_PLACE(call->out, c)), 0, m->n * sizeof(v8f));
	return true;
}

INLINE void fill(const struct pp_machine m, unsigned int lanes, unsigned int reg, const float value[4], unsigned int n)
{
	for (unsigned int c = 0; c < 4; c++)
		for (unsigned int i = 0; i < m.n; i++)
			put(&pp_column(&m, PP_PLACE(reg, c))[i], v8_splat(value[c & (n - 1)]), lanes);
}

static bool call_constant(struct pp_machine *m, const struct pp_call *call)
{
	WRITE(fill, m, m->mask, call->dest, call->constant, 4);
	return true;
}

/* GUESS(pp-index-round): an index register counts towards zero; what no index can be is 0. */
static int index_of(float x)
{
	return x > -65536.0f && x < 65536.0f ? (int)x : 0;
}

static int address_of(const struct pp_machine *m, const struct pp_unit *u, unsigned int lane)
{
	int index = u->index;

	/* GUESS(pp-temp-offset): the offset register counts groups, as the index does. */
	if (u->offset != PP_NONE)
		index += index_of((*pp_column(m, u->offset))[lane]);
	return (int)((unsigned int)index * u->components);
}

/* --- Varyings and textures --------------------------------------------------------- */

static bool call_varying(struct pp_machine *m, const struct pp_call *call)
{
	v8f *out = pp_column(m, PP_PLACE(AT_COORD, 0)), all[4];
	const struct pp_unit *u = call->unit;
	unsigned int n = u->components;

	if (!m->env->varying)
		return call_zero(m, call);
	if (u->offset != PP_NONE) {
		/* GUESS(pp-varying-offset): the offset counts groups, as the index does. */
		EACH_LANE(0xff) {
			m->env->varying(m->env->ctx, (unsigned int)address_of(m, u, lane), n, all);
			for (unsigned int c = 0; c < n; c++)
				out[c][lane] = all[c][lane];
		}
	} else if (!m->env->varying(m->env->ctx, (unsigned int)u->index * n, n, out)) {
		return false;
	}
	/* GUESS(pp-uniform-repeat): a group of one or two floats is repeated in all four components. */
	for (unsigned int c = n; c < 4; c++)
		memcpy(out + c * m->stride, out + (c & (n - 1)) * m->stride, m->n * sizeof(v8f));
	return true;
}

static bool call_place(struct pp_machine *m, const struct pp_call *call)
{
	const struct ppsim_env *env = m->env;

	for (unsigned int c = 0; c < 4; c++)
		*pp_column(m, PP_PLACE(AT_COORD, c)) = call->unit->id == PP_OP_load_fragcoord ? env->fragcoord[c] :
						       call->unit->id == PP_OP_load_pointcoord ? env->pointcoord[c & 1] :
						       env->frontfacing;
	return true;
}

static bool call_normalize(struct pp_machine *m, const struct pp_call *call)
{
	v8f *x = pp_column(m, PP_PLACE(AT_COORD, 0)), *y = x + m->stride, *z = y + m->stride;

	for (unsigned int i = 0; i < m->n; i++) {
		v8f square = x[i] * x[i] + y[i] * y[i] + z[i] * z[i], by = pp_rsqrt(square, square, NULL, square, 1.0f, 0);

		x[i] *= by;
		y[i] *= by;
		z[i] *= by;
	}
	return true;
}

static bool call_divide(struct pp_machine *m, const struct pp_call *call)
{
	unsigned int divide = call->unit->props & PP_DIVIDE;
	const v8f *by = pp_column(m, PP_PLACE(AT_COORD, divide));

	for (unsigned int c = 0; c < divide; c++) {
		v8f *out = pp_column(m, PP_PLACE(AT_COORD, c));

		for (unsigned int i = 0; i < m->n; i++)
			out[i] /= by[i];
	}
	return true;
}

/* One lookup for all lanes with the same sampler. */
static bool call_sample(struct pp_machine *m, const struct pp_call *call)
{
	const struct pp_unit *u = call->unit;
	struct ppsim_sample sample = {
		.type = u->code,
		.lod_mode = u->props & PP_LEVEL ? PPSIM_LOD_EXPLICIT : u->props & PP_BIAS ? PPSIM_LOD_BIAS : PPSIM_LOD_IMPLICIT,
		.lod = pp_column(m, PP_PLACE(AT_SCALAR, 0)),
		.coord = pp_column(m, PP_PLACE(AT_COORD, 0)),
	};

	if (!m->env->sample)
		return true;
	if (m->state)
		call_zero(m, call);
	for (unsigned int left = m->mask; left; left &= ~sample.mask) {
		sample.sampler = (unsigned int)u->index;
		sample.mask = (uint8_t)left;
		if (u->offset != PP_NONE) {
			v8f offset = *pp_column(m, u->offset);
			int first = index_of(offset[__builtin_ctz(left)]);

			sample.sampler += (unsigned int)first;
			EACH_LANE(left)
				if (index_of(offset[lane]) != first)
					sample.mask &= ~(1u << lane);
		}
		if (!m->env->sample(m->env->ctx, &sample, pp_column(m, PP_PLACE(call->out, 0))))
			return false;
		WRITE(round_columns, m, sample.mask, call);
	}
	return true;
}

/* --- Uniforms, temporaries, the tile ---------------------------------------------- */

/* False: a batch, which has no events, and refuses. */
static bool event(struct pp_machine *m, enum ppsim_event event)
{
	if (m->state)
		sim_event(&m->state->events, m->state->event_at, event, (unsigned int)m->at);
	return m->state;
}

/*
 * Where count scalars of temporary memory start. Mesa counts its spill slots
 * down from -1 (ir/pp/regalloc.c), so the stack's end is address 0; GUESS(pp-stack-down): it
 * does not grow up. NULL when they are not all there.
 */
static v8f *temporary(struct pp_machine *m, int address, unsigned int count)
{
	unsigned int size = m->env->temporaries < PPSIM_TEMPORARIES ? m->env->temporaries : PPSIM_TEMPORARIES;
	int at = address + 4 * (int)size;

	if (at < 0 || address + (int)count > 0) {
		event(m, PPSIM_TEMPORARY_RANGE);
		return NULL;
	}
	return &m->state->temporaries[0][0] + at;
}

static bool read_uniform(struct pp_machine *m, int address, unsigned int n, float values[4])
{
	uint16_t halves[4] = { 0 };

	if (!m->env->uniform || !m->env->uniform(m->env->ctx, address, n, halves)) {
		if (!event(m, PPSIM_UNIFORM_RANGE))
			return false;
		memset(halves, 0, sizeof(halves));
	}
	for (unsigned int c = 0; c < n; c++)
		values[c] = half_to_float(halves[c]);
	return true;
}

static bool call_uniform(struct pp_machine *m, const struct pp_call *call)
{
	unsigned int n = call->unit->components;
	float values[4];

	if (!read_uniform(m, address_of(m, call->unit, 0), n, values))
		return false;
	WRITE(fill, m, m->mask, PP_REG_UNIFORM, values, n);
	return true;
}

/* What each lane has its own address for. */
static bool call_load(struct pp_machine *m, const struct pp_call *call)
{
	const struct pp_unit *u = call->unit;
	unsigned int n = u->components;
	v8f out[4] = { { 0 } };

	EACH_LANE(m->mask) {
		int address = address_of(m, u, lane);
		float values[4] = { 0 };
		const v8f *from;

		if (u->id == PP_OP_load_uniform)
			read_uniform(m, address, n, values);
		else if ((from = temporary(m, address, n)))
			for (unsigned int c = 0; c < n; c++)
				values[c] = from[c][lane];
		for (unsigned int c = 0; c < n; c++)
			out[c][lane] = values[c];
	}
	for (unsigned int c = 0; c < 4; c++)
		put(pp_column(m, PP_PLACE(PP_REG_UNIFORM, c)), out[c & (n - 1)], m->mask);
	return true;
}

static bool call_store(struct pp_machine *m, const struct pp_call *call)
{
	const struct pp_unit *u = call->unit;
	unsigned int n = u->components, from = PP_PLACE(u->src[0].reg, n == 4 ? 0 : u->src[0].swizzle[0]);

	EACH_LANE(m->mask) {
		v8f *to = temporary(m, address_of(m, u, lane), n);

		for (unsigned int c = 0; to && c < n; c++)
			to[c][lane] = (*pp_column(m, (from + c) & 63))[lane];
	}
	return true;
}

static bool call_framebuffer(struct pp_machine *m, const struct pp_call *call)
{
	call_zero(m, call);
	if (m->env->framebuffer)
		m->env->framebuffer(m->env->ctx, call->unit->id == PP_OP_fb_depth, pp_column(m, PP_PLACE(call->out, 0)));
	return true;
}

static bool call_branch(struct pp_machine *m, const struct pp_call *call)
{
	v8f a = operand(pp_column(m, call->a.at[0]), &call->a, 0, true);
	v8f b = operand(pp_column(m, call->b.at[0]), &call->b, 0, true);

	m->taken = m->mask;
	if (call->unit->id == PP_OP_branch)
		m->taken &= v8_mask(pp_condition(call->unit->code, a, b));
	return true;
}

/* --- From a program -------------------------------------------------------------- */

static struct pp_call *add(struct pp_instr *in, pp_call_function *run, const struct pp_unit *u, unsigned int out)
{
	struct pp_call *call = &in->call[in->calls++];

	*call = (struct pp_call){ .run = run, .unit = u, .s0 = PP_PLACE(AT_ZERO, 0), .comps = 15, .out = (uint8_t)out };
	return call;
}

/* pipe: register of the multiplier's result, AT_ZERO when there is none. */
static void set_operand(struct pp_instr *in, struct pp_operand *o, const struct pp_src *src, bool vector, unsigned int pipe)
{
	unsigned int reg = src->pipe ? pipe : src->reg;

	for (unsigned int c = 0; c < 4; c++) {
		o->at[c] = PP_PLACE(reg, src->swizzle[vector ? c : 0]);
		if (reg < 16)
			in->reads |= 1ull << o->at[c] & ~in->writes;
	}
	o->keep = src->absolute ? 0x7fffffff : ~0u;
	o->flip = src->negate ? 0x80000000 : 0;
}

/* Where a call writes what the shader sees. */
static void set_dest(struct pp_instr *in, struct pp_call *call, unsigned int dest, unsigned int mask)
{
	call->dest = (uint8_t)dest;
	call->mask = (uint8_t)mask;
	in->writes |= (uint64_t)mask << PP_PLACE(dest, 0);
}

/* Registers 12-15 cannot be written by a field's destination. */
static void add_round(struct pp_instr *in, const struct pp_call *of, unsigned int dest, unsigned int mask)
{
	struct pp_call *call;

	if (dest >= PPSIM_REGISTERS || !mask)
		return;
	call = add(in, call_round, of->unit, of->out);
	call->comps = of->comps;
	set_dest(in, call, dest, mask);
}

/* The operand where something else looks for it, in full precision and in all lanes. */
static void add_operand(struct pp_instr *in, const struct pp_unit *u, unsigned int out, bool vector)
{
	struct pp_call *call = add(in, functions[PP_OP_mov], u, out);

	set_operand(in, &call->a, &u->src[0], vector, AT_ZERO);
	call->modified = true;
	call->comps = vector ? 15 : 1;
}

/* An arithmetic unit; its index is taken, for a pair is written together. */
static struct pp_call *add_value(struct pp_instr *in, unsigned int block, unsigned int out)
{
	const struct pp_unit *u = &in->unit[block];
	unsigned int pipe = in->has >> PP_VMUL & 1 ? AT_VMUL : AT_ZERO;
	struct pp_call *call = add(in, u->id == PP_OP_dFdy ? call_turned_dFdy : functions[u->id], u, out);
	bool wide = block == PP_COMBINE && u->vector;

	if (!u->vector)
		pipe = in->has >> PP_SMUL & 1 ? AT_SMUL : AT_ZERO;
	set_operand(in, &call->a, &u->src[0], u->vector && !wide, pipe);
	if (u->two)
		set_operand(in, &call->b, &u->src[1], u->vector || u->src[1].vector, pipe);
	else
		call->b = call->a;
	if (block != PP_VMUL && block != PP_SMUL && in->has >> PP_SMUL & 1)
		call->s0 = PP_PLACE(AT_SMUL, 0);
	call->modified = ~(call->a.keep & call->b.keep) | call->a.flip | call->b.flip;
	call->comps = u->vector ? u->mask : 1;
	/* What only the adder behind a multiplier sees. */
	for (unsigned int c = 0; block == PP_VMUL && in->has >> PP_VADD & 1 && c < 4; c++)
		if (in->unit[PP_VADD].src[0].pipe)
			call->comps |= 1 << in->unit[PP_VADD].src[0].swizzle[c];
	if (u->outmod && !wide)
		add(in, call_outmod, u, out)->comps = call->comps;
	return call;
}

/*
 * A move from one register to another, of a unit that works alone: what a register holds is rounded
 * already, but for the pipeline's constants and uniforms.
 */
static bool add_move(struct pp_instr *in, const struct pp_unit *u)
{
	unsigned int from = u->src[0].reg;
	struct pp_call *call;

	if (u->id != PP_OP_mov || u->outmod || u->src[0].pipe || u->dest == from || u->dest >= PPSIM_REGISTERS ||
	    from == PP_REG_CONST0 || from == PP_REG_CONST1 || from == PP_REG_UNIFORM)
		return false;
	call = add(in, call_copy, u, 0);
	set_operand(in, &call->a, &u->src[0], u->vector, AT_ZERO);
	set_dest(in, call, u->dest, u->mask);
	return true;
}

/* A vec4 and a scalar unit that work at once. */
static void add_pair(struct pp_instr *in, unsigned int vector, unsigned int out)
{
	unsigned int one = in->has >> vector & 1 ? vector : vector + 1;
	const struct pp_call *call[2];

	if ((in->has >> vector & 3) != 3 && in->has >> vector & 3 && !(vector == PP_VMUL && in->has >> PP_VADD & 3) &&
	    add_move(in, &in->unit[one]))
		return;
	for (unsigned int k = 0; k < 2; k++)
		if (in->has >> (vector + k) & 1)
			call[k] = add_value(in, vector + k, out + k);
	for (unsigned int k = 0; k < 2; k++)
		if (in->has >> (vector + k) & 1)
			add_round(in, call[k], in->unit[vector + k].dest, in->unit[vector + k].mask);
}

static void add_varying(struct pp_instr *in, const struct pp_unit *u)
{
	in->place = u->id == PP_OP_load_fragcoord || u->id == PP_OP_load_pointcoord || u->id == PP_OP_load_frontfacing;
	in->alone |= in->place || u->offset != PP_NONE;
	if (u->id == PP_OP_load_register || u->id == PP_OP_load_normalize)
		add_operand(in, u, AT_COORD, true);
	else
		add(in, in->place ? call_place : u->id == PP_OP_unknown ? call_zero : call_varying, u, AT_COORD);
	if (u->id == PP_OP_load_normalize)
		add(in, call_normalize, u, AT_COORD);
	if (u->props & PP_DIVIDE)
		add(in, call_divide, u, AT_COORD);
	add_round(in, &(struct pp_call){ .unit = u, .out = AT_COORD, .comps = 15 }, u->dest, u->mask);
}

static void add_sample(struct pp_instr *in, const struct pp_unit *u)
{
	in->alone |= u->offset != PP_NONE;
	if (!(in->has >> PP_VARYING & 1))
		add(in, call_zero, u, AT_COORD);
	if (u->props & (PP_LEVEL | PP_BIAS))
		add_operand(in, u, AT_SCALAR, false);
	set_dest(in, add(in, call_sample, u, AT_VECTOR), PP_REG_TEXTURE, 15);
}

static void add_temp(struct pp_instr *in, const struct pp_unit *u)
{
	in->alone = true;
	if (u->id == PP_OP_store)
		add(in, call_store, u, 0);
	else if (u->id != PP_OP_unknown)
		add_round(in, add(in, call_framebuffer, u, AT_VECTOR), u->dest, u->id == PP_OP_fb_depth ? 1 : 15);
}

static void add_branch(struct pp_instr *in, const struct pp_unit *u)
{
	struct pp_call *call = add(in, call_branch, u, 0);

	in->alone = true;
	set_operand(in, &call->a, &u->src[0], false, AT_ZERO);
	set_operand(in, &call->b, &u->src[1], false, AT_ZERO);
}

static void add_instruction(struct pp_instr *in)
{
	const struct pp_unit *u = in->unit;
	struct pp_call *call;

	in->alone = in->fault || in->unknown;
	for (unsigned int k = 0; k < 2; k++)
		if (in->has >> (PP_CONST0 + k) & 1) {
			call = add(in, call_constant, NULL, 0);
			call->constant = in->constant[k];
			set_dest(in, call, PP_REG_CONST0 + k, 15);
		}
	if (in->has >> PP_VARYING & 1)
		add_varying(in, &u[PP_VARYING]);
	if (in->has >> PP_SAMPLER & 1)
		add_sample(in, &u[PP_SAMPLER]);
	if (in->has >> PP_UNIFORM & 1 && u[PP_UNIFORM].id != PP_OP_unknown) {
		bool each = u[PP_UNIFORM].id == PP_OP_load_temporary || u[PP_UNIFORM].offset != PP_NONE;

		in->alone |= each;
		set_dest(in, add(in, each ? call_load : call_uniform, &u[PP_UNIFORM], 0), PP_REG_UNIFORM, 15);
	}
	add_pair(in, PP_VMUL, AT_VMUL);
	add_pair(in, PP_VADD, AT_VECTOR);
	if (in->has >> PP_COMBINE & 1) {
		call = add_value(in, PP_COMBINE, u[PP_COMBINE].vector ? AT_VECTOR : AT_SCALAR);
		add_round(in, call, u[PP_COMBINE].dest, u[PP_COMBINE].mask);
	}
	if (in->has >> PP_TEMP & 1)
		add_temp(in, &u[PP_TEMP]);
	if (in->has >> PP_BRANCH & 1)
		add_branch(in, &u[PP_BRANCH]);
}

/* Is there a way from the start to the end that all lanes of all blocks take together? */
static void find_straight(struct ppsim_program *program)
{
	const struct pp_instr *in = program->instr;
	unsigned int length = 1;

	/* No instruction comes twice where none branches. */
	for (; !in->alone; length++) {
		program->reads |= in->reads & ~program->writes;
		program->writes |= in->writes;
		if (in->stop)
			program->length = length;
		if (in->stop || in->next == ~0u)
			return;
		in = &program->instr[in->next];
	}
}

/* Constants 2, varying 4, texture 2, load 1, five units 3 each, store 2, branch 1. */
#define MOST_CALLS	27

bool pp_add_calls(struct ppsim_program *program)
{
	struct pp_call *next = program->call = malloc(program->count * MOST_CALLS * sizeof(*next));

	for (unsigned int i = 0; next && i < program->count; i++) {
		struct pp_instr *in = &program->instr[i];

		in->call = next;
		add_instruction(in);
		next += in->calls;
		program->reads_place |= in->place;
	}
	if (next)
		find_straight(program);
	return next;
}
