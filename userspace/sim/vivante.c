// SPDX-License-Identifier: MIT
/*
 * Vivante shaders: operands, vector ops, texture, memory, flow. Lanes that have
 * parted go on by the lowest address. Sources as in vivante_ops.c.
 */
#include <math.h>
#include <string.h>

#include "isa/table.h"
#include "isa/vivante.h"
#include "sim/vivante_internal.h"

struct step {
	struct vivsim_state *st;
	struct isa_bits b;
	unsigned int at, op, type;
	uint8_t mask;
	v8i lanes;
	v8u src[3][4];
};

static v8u splat(uint32_t v)
{
	return (v8u){ v, v, v, v, v, v, v, v };
}

static v8u choose(v8i mask, v8u yes, v8u no)
{
	return (yes & (v8u)mask) | (no & ~(v8u)mask);
}

static void event(struct step *s, enum vivsim_event e)
{
	if (!(s->st->events & e))
		s->st->event_at[e >> 1] = s->at;
	s->st->events |= e;
}

static bool integer_type(unsigned int type)
{
	return type != VIV_F32 && type != VIV_F16;
}

/* GUESS: a half immediate is its 16 bits, not converted to a float. */
static uint32_t immediate(const struct isa_bits *b, unsigned int source)
{
	unsigned int v = viv_immediate_bits(b, source), kind = isa_get(b, viv_source[source].amode, 3) >> 1;

	switch (kind) {
	case VIV_IMM_FLOAT: return v << 12;
	case VIV_IMM_INT: return (uint32_t)((int32_t)(v << 12) >> 12);
	case VIV_IMM_UINT: return v;
	default: return v & 0xffff;
	}
}

static uint32_t fetch_one(struct step *s, unsigned int group, unsigned int reg, unsigned int comp, int lane)
{
	const struct vivsim_env *env = s->st->env;

	switch (group) {
	case VIV_TEMP: case VIV_TEMP_HALF:
		return s->st->temps[reg % VIVSIM_TEMPS][comp][lane];
	case VIV_INTERNAL:
		return reg || comp ? 0 : ((v8u)env->frontfacing)[lane];
	case VIV_UNIFORM1:
		reg += 128;
		/* fallthrough */
	case VIV_UNIFORM0:
		if (reg < env->uniform_count)
			return env->uniforms[reg][comp];
		event(s, VIVSIM_UNIFORM_RANGE);
		return 0;
	default:
		event(s, VIVSIM_UNKNOWN_OP);
		return 0;
	}
}

static void fetch(struct step *s, unsigned int source)
{
	const struct viv_source *p = &viv_source[source];
	unsigned int group = isa_get(&s->b, p->rgroup, 3), reg = isa_get(&s->b, p->reg, 9);
	unsigned int amode = isa_get(&s->b, p->amode, 3), swizzle = isa_get(&s->b, p->swiz, 8);

	for (int c = 0; c < 4; c++) {
		unsigned int comp = swizzle >> 2 * c & 3;
		v8u v = splat(0);

		if (!isa_get(&s->b, p->use, 1)) {
			s->src[source][c] = v;
			continue;
		}
		if (group == VIV_IMMEDIATE) {
			s->src[source][c] = splat(immediate(&s->b, source));
			continue;
		}
		for (int lane = 0; lane < SIM_LANES; lane++) {
			int r = (int)reg;

			if (amode >= 1 && amode <= 4)
				r += s->st->address[amode - 1][lane];
			v[lane] = r < 0 ? 0 : fetch_one(s, group, (unsigned int)r & 511, comp, lane);
		}
		if (isa_get(&s->b, p->abs, 1))
			v = integer_type(s->type) ? choose((v8i)v < 0, -v, v) : v & 0x7fffffff;
		if (isa_get(&s->b, p->neg, 1))
			v = integer_type(s->type) ? -v : v ^ 0x80000000;
		s->src[source][c] = v;
	}
}

static void write_component(struct step *s, unsigned int reg, int c, v8u v)
{
	v8u *to = &s->st->temps[reg % VIVSIM_TEMPS][c];

	*to = choose(s->lanes, v, *to);
}

static void write_result(struct step *s, const v8u out[4])
{
	unsigned int comps = isa_get(&s->b, VIV_DST_COMPS, 4), amode = isa_get(&s->b, VIV_DST_AMODE, 3);
	unsigned int reg = isa_get(&s->b, VIV_DST_REG, 7);
	bool saturate = isa_get(&s->b, VIV_SAT, 1) && !integer_type(s->type);

	if (!isa_get(&s->b, VIV_DST_USE, 1))
		return;
	for (int c = 0; c < 4; c++) {
		v8f f = (v8f)out[c];
		v8u v = out[c];

		if (!(comps >> c & 1))
			continue;
		if (saturate) {
			v = choose(f > 0.0f, v, splat(0));
			v = choose((v8f)v < 1.0f, v, splat(0x3f800000));
		}
		if (amode < 1 || amode > 4) {
			write_component(s, reg, c, v);
			continue;
		}
		for (int lane = 0; lane < SIM_LANES; lane++)
			if (s->mask >> lane & 1)
				s->st->temps[(reg + (unsigned int)s->st->address[amode - 1][lane]) % VIVSIM_TEMPS][c][lane] = v[lane];
	}
}

static v8f dot(struct step *s, int n)
{
	v8f sum = (v8f)s->src[0][0] * (v8f)s->src[1][0];

	for (int c = 1; c < n; c++)
		sum += (v8f)s->src[0][c] * (v8f)s->src[1][c];
	return sum;
}

static void all(v8u out[4], v8u v)
{
	out[0] = out[1] = out[2] = out[3] = v;
}

static v8f derivative(v8f v, bool y)
{
	return y ? __builtin_shufflevector(v, v, 2, 3, 2, 3, 6, 7, 6, 7) - __builtin_shufflevector(v, v, 0, 1, 0, 1, 4, 5, 4, 5) :
		   __builtin_shufflevector(v, v, 1, 1, 3, 3, 5, 5, 7, 7) - __builtin_shufflevector(v, v, 0, 0, 2, 2, 4, 4, 6, 6);
}

static v8f inverse_length(struct step *s, int n)
{
	v8f sum = (v8f)s->src[0][0] * (v8f)s->src[0][0], out;

	for (int c = 1; c < n; c++)
		sum += (v8f)s->src[0][c] * (v8f)s->src[0][c];
	for (int lane = 0; lane < SIM_LANES; lane++)
		out[lane] = 1 / sqrtf(sum[lane]);
	return out;
}

/* Ops that mix components. False: not one of them. */
static bool vector_op(struct step *s, v8u out[4])
{
	v8u one = splat(0x3f800000);

	switch (s->op) {
	case 0x04:
		out[0] = one;
		out[1] = (v8u)((v8f)s->src[0][1] * (v8f)s->src[1][1]);
		out[2] = s->src[0][2];
		out[3] = s->src[1][3];
		return true;
	case 0x05: all(out, (v8u)dot(s, 3)); return true;
	case 0x06: all(out, (v8u)dot(s, 4)); return true;
	case 0x73: all(out, (v8u)dot(s, 2)); return true;
	case 0x07: case 0x08:
		for (int c = 0; c < 4; c++)
			out[c] = (v8u)derivative((v8f)s->src[0][c], s->op == 8);
		return true;
	/* exp, log of x alone (rnndb). */
	case 0x11: case 0x12:
		vivsim_component(s->op, VIV_F32, 0, 0, false, &s->src[0][0], &s->src[1][0], &s->src[2][0], &out[0]);
		all(out, out[0]);
		return true;
	case 0x74: case 0x75: case 0x76:
		all(out, (v8u)inverse_length(s, (int)s->op - 0x72));
		return true;
	}
	return false;
}

static void set_address(struct step *s)
{
	unsigned int comps = isa_get(&s->b, VIV_DST_COMPS, 4);

	for (int c = 0; c < 4; c++) {
		v8i v = (v8i)s->src[2][c];

		if (!(comps >> c & 1))
			continue;
		/* movai is integer. GUESS: the others round down. */
		for (int lane = 0; s->op != 0x56 && lane < SIM_LANES; lane++) {
			float f = floorf(((v8f)s->src[2][c])[lane]);

			v[lane] = f > -1e6f && f < 1e6f ? (int)f : 0;
		}
		s->st->address[c] = (v8i)choose(s->lanes, (v8u)v, (v8u)s->st->address[c]);
	}
}

static void texture(struct step *s, v8u out[4])
{
	struct vivsim_sample sample = {
		.lod_mode = s->op == 0x19 ? VIVSIM_LOD_BIAS : s->op == 0x1b || s->op == 0x6f ? VIVSIM_LOD_EXPLICIT :
			    s->op == 0x1a ? VIVSIM_LOD_GRADIENT : VIVSIM_LOD_IMPLICIT,
	};
	unsigned int amode = isa_get(&s->b, VIV_TEX_AMODE, 3), swizzle = isa_get(&s->b, VIV_TEX_SWIZ, 8), left = s->mask;
	v8f rgba[4] = { 0 }, got[4];

	memcpy(sample.coord, s->src[0], sizeof(sample.coord));
	memcpy(sample.ddx, s->src[1], sizeof(sample.ddx));
	memcpy(sample.ddy, s->src[2], sizeof(sample.ddy));
	/* GUESS: newer parts give bias and level in src1, older in src0.w (Mesa, by model). */
	if (isa_get(&s->b, viv_source[1].use, 1) && s->op != 0x1a)
		sample.coord[3] = (v8f)s->src[1][0];
	while (left && s->st->env->sample) {
		int first = __builtin_ctz(left);
		v8i offset = amode >= 1 && amode <= 4 ? s->st->address[amode - 1] : (v8i){ 0 };

		sample.mask = 0;
		for (int lane = first; lane < SIM_LANES; lane++)
			if (left >> lane & 1 && offset[lane] == offset[first])
				sample.mask |= 1 << lane;
		sample.sampler = isa_get(&s->b, VIV_TEX_ID, 5) + (unsigned int)offset[first];
		memset(got, 0, sizeof(got));
		s->st->env->sample(s->st->env->ctx, &sample, got);
		for (int c = 0; c < 4; c++)
			for (int lane = 0; lane < SIM_LANES; lane++)
				if (sample.mask >> lane & 1)
					rgba[c][lane] = got[c][lane];
		left &= ~sample.mask;
	}
	for (int c = 0; c < 4; c++)
		out[c] = (v8u)rgba[swizzle >> 2 * c & 3];
}

static uint32_t atomic(unsigned int op, bool is_signed, uint32_t old, uint32_t v, uint32_t next)
{
	bool less = is_signed ? (int32_t)v < (int32_t)old : v < old;

	switch (op) {
	case 0x65: return old + v;
	case 0x66: return v;
	case 0x67: return old == v ? next : old;
	case 0x68: return less ? v : old;
	case 0x69: return less ? old : v;
	case 0x6a: return old | v;
	case 0x6b: return old & v;
	default: return old ^ v;
	}
}

/* load, store, atomics: word c at src0.x + (src1.x << shift) + 4 c. */
static void memory(struct step *s, v8u out[4])
{
	const struct vivsim_env *env = s->st->env;
	unsigned int comps = isa_get(&s->b, VIV_DST_COMPS, 4), shift = isa_get(&s->b, VIV_LEFT_SHIFT, 3);
	bool is_signed = s->type == VIV_S32, ok;

	for (int c = 0; c < 4; c++) {
		v8u address = s->src[0][0] + (s->src[1][0] << shift) + 4 * (unsigned int)c;

		out[c] = splat(0);
		for (int lane = 0; lane < SIM_LANES && comps >> c & 1; lane++) {
			uint32_t old = 0;

			if (!(s->mask >> lane & 1))
				continue;
			ok = s->op == 0x33 || (env->load && env->load(env->ctx, address[lane], &old));
			out[c][lane] = old;
			if (s->op == 0x33)
				ok = env->store && env->store(env->ctx, address[lane], s->src[2][c][lane]);
			else if (ok && s->op != 0x32)
				ok = env->store && env->store(env->ctx, address[lane], atomic(s->op, is_signed, old,
					s->src[2][s->op == 0x67 ? 0 : c][lane], s->src[2][1][lane]));
			if (!ok)
				event(s, VIVSIM_MEMORY);
		}
	}
}

/* Lanes for which src0 COND src1 holds, in component x or, for branch_any, in any. */
static uint8_t holds(struct step *s)
{
	unsigned int cond = isa_get(&s->b, VIV_COND, 5);
	uint8_t taken = 0;
	v8i yes;

	for (int c = 0; c < (s->op == 0x24 ? 4 : 1); c++) {
		vivsim_condition(cond, s->type, &s->src[0][c], &s->src[1][c], &yes);
		for (int lane = 0; lane < SIM_LANES; lane++)
			taken |= (yes[lane] != 0) << lane;
	}
	return taken & s->mask;
}

/* branch, call, ret. False: a fault. */
static bool flow(struct step *s)
{
	struct vivsim_state *st = s->st;
	uint8_t taken = s->op == 0x15 ? s->mask : holds(s);

	for (int lane = 0; lane < SIM_LANES; lane++) {
		if (!(taken >> lane & 1))
			continue;
		if (s->op == 0x15) {
			/* GUESS: a return from the outermost level ends the shader. */
			if (!st->depth[lane])
				st->live &= ~(1u << lane);
			else
				st->pc[lane] = st->calls[lane][--st->depth[lane]];
			continue;
		}
		if (s->op == 0x14) {
			if (st->depth[lane] == VIVSIM_CALLS) {
				st->fault = (struct sim_fault){ s->at, "calls nest too deeply" };
				return false;
			}
			st->calls[lane][st->depth[lane]++] = s->at + 1;
		}
		st->pc[lane] = isa_get(&s->b, VIV_TARGET, 15);
	}
	return true;
}

static bool execute(struct step *s)
{
	unsigned int cond = isa_get(&s->b, VIV_COND, 5);
	bool unary = !isa_get(&s->b, viv_source[1].use, 1) || cond >= VIV_NOT;
	v8u out[4] = { splat(0), splat(0), splat(0), splat(0) };
	unsigned int reg;

	switch (s->op) {
	case 0x00: case 0x2a:
		return true;
	case 0x0a: case 0x0b: case 0x56:
		set_address(s);
		return true;
	case 0x14: case 0x15: case 0x16: case 0x24:
		return flow(s);
	case 0x17:
		s->st->discarded |= holds(s);
		s->st->live &= ~holds(s);
		return true;
	case 0x18 ... 0x1b: case 0x6f:
		texture(s, out);
		break;
	case 0x32: case 0x33: case 0x65 ... 0x6c:
		memory(s, out);
		break;
	case 0x7f:
		/* bit_findlsb, bit_findmsb: the op is in src2's register number. */
		reg = isa_get(&s->b, viv_source[2].reg, 9);
		if (reg != 11 && reg != 12)
			event(s, VIVSIM_UNKNOWN_OP);
		for (int c = 0; c < 4; c++)
			for (int lane = 0; lane < SIM_LANES; lane++)
				out[c][lane] = vivsim_find_bit(reg == 11, s->type, s->src[0][c][lane]);
		break;
	default:
		if (vector_op(s, out))
			break;
		for (int c = 0; c < 4; c++)
			if (!vivsim_component(s->op, s->type, cond, isa_get(&s->b, VIV_RMODE, 2), unary, &s->src[0][c],
					      &s->src[1][c], &s->src[2][c], &out[c]))
				event(s, VIVSIM_UNKNOWN_OP);
	}
	if (s->op != 0x33)
		write_result(s, out);
	return true;
}

static bool run_one(struct vivsim_state *st)
{
	struct step s = { .st = st, .at = ~0u };

	for (int lane = 0; lane < SIM_LANES; lane++) {
		if (!(st->live >> lane & 1) || st->pc[lane] > s.at)
			continue;
		if (st->pc[lane] < s.at)
			s.mask = 0;
		s.at = st->pc[lane];
		s.mask |= 1 << lane;
	}
	if (s.at >= st->count) {
		/* The end of the code is the end of the shader; past it there is nothing. */
		if (s.at > st->count) {
			st->fault = (struct sim_fault){ s.at, "jump past the end of the shader" };
			return false;
		}
		st->live &= ~s.mask;
		return true;
	}
	for (int lane = 0; lane < SIM_LANES; lane++) {
		s.lanes[lane] = -(s.mask >> lane & 1);
		if (s.mask >> lane & 1)
			st->pc[lane] = s.at + 1;
	}
	memcpy(s.b.w, st->words + s.at * 4, sizeof(s.b.w));
	s.op = viv_opcode(&s.b);
	s.type = viv_type(&s.b);
	st->instructions++;
	for (unsigned int i = 0; i < 3; i++)
		if (i < 2 || (s.op != 0x14 && s.op != 0x16 && s.op != 0x24))
			fetch(&s, i);
	return execute(&s);
}

void vivsim_begin(struct vivsim_state *state, const uint32_t *words, size_t count,
		  const struct vivsim_env *env, uint8_t mask)
{
	memset(state->address, 0, sizeof(state->address));
	memset(state->pc, 0, sizeof(state->pc));
	memset(state->depth, 0, sizeof(state->depth));
	state->discarded = 0;
	state->instructions = 0;
	state->events = 0;
	state->fault = (struct sim_fault){ 0 };
	state->words = words;
	state->count = count;
	state->env = env;
	state->live = mask;
}

enum sim_status vivsim_run(struct vivsim_state *state, unsigned int limit)
{
	if (state->fault.reason)
		return SIM_FAULT;
	while (state->live) {
		if (!limit--)
			return SIM_LIMIT;
		if (!run_one(state))
			return SIM_FAULT;
	}
	return SIM_DONE;
}
