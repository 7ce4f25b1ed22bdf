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
 * GUESS: registers hold binary16, and every write to one rounds; what goes
 * from unit to unit without a register (mul into acc, coordinates into the
 * sampler) keeps full precision.
 */
#include <math.h>

#include "sim/half.h"
#include "sim/utgard_pp_decode.h"
#include "sim/vector.h"

#define UNIFORM_MAX 4

static v8f vmin(v8f a, v8f b)
{
	return v8_select(a < b, a, b);
}

static v8f vmax(v8f a, v8f b)
{
	return v8_select(a > b, a, b);
}

#define EACH_LANE(out, expression) do { \
	for (int lane = 0; lane < SIM_LANES; lane++) \
		(out)[lane] = (expression); \
} while (0)

static v8f vfloor(v8f a)
{
	v8f out;

	EACH_LANE(out, floorf(a[lane]));
	return out;
}

/* GUESS: an index register counts towards zero; what no index can be is 0. */
static int index_of(float x)
{
	return x > -65536.0f && x < 65536.0f ? (int)x : 0;
}

static v8f modify_in(v8f v, const struct pp_src *s)
{
	if (s->absolute)
		v = (v8f)((v8i)v & 0x7fffffff);
	if (s->negate)
		v = (v8f)((v8i)v ^ (int)0x80000000);
	return v;
}

static v8f modify_out(v8f v, unsigned int outmod)
{
	switch (outmod) {
	case 1:
		return vmin(vmax(v, v8_splat(0.0f)), v8_splat(1.0f));
	case 2:
		return vmax(v, v8_splat(0.0f));
	case 3:
		/*
		 * The doc says "round to integer". Mesa compiles int(x) to this, and dEQP's
		 * conversions of 36.8125 and -8.25 pass on hardware: towards zero.
		 */
		EACH_LANE(v, truncf(v[lane]));
		return v;
	}
	return v;
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

static v8f read_component(const struct step *s, const struct pp_src *src, unsigned int c)
{
	return modify_in(s->st->registers[src->reg][src->swizzle[c]], src);
}

static v8f read_scalar(const struct ppsim_state *st, unsigned int reg)
{
	return st->registers[reg >> 2][reg & 3];
}

static void write_component(struct step *s, unsigned int reg, unsigned int c, v8f value)
{
	v8f *r = &s->st->registers[reg][c];

	*r = v8_select(s->lanes, sim_round_half(value), *r);
}

/* Registers 12-15 cannot be written by a field's destination. */
static void write_vec4(struct step *s, unsigned int reg, unsigned int mask, const v8f value[4])
{
	if (reg >= PPSIM_REGISTERS)
		return;
	for (unsigned int c = 0; c < 4; c++)
		if (mask >> c & 1)
			write_component(s, reg, c, value[c]);
}

static void event(struct step *s, enum ppsim_event e)
{
	if (!(s->st->events & e)) {
		s->st->events |= e;
		s->st->event_at[e == 1 ? 0 : e == 2 ? 1 : 2] = s->in->at;
	}
}

/* --- Varyings ------------------------------------------------------------ */

static void load_varying(struct step *s, v8f out[4])
{
	const struct ppsim_env *env = s->st->env;
	unsigned int n = s->in->varying.components, done = 0;
	v8f group[4];

	if (!env->varying)
		return;
	if (!s->in->varying.offset_enable) {
		env->varying(env->ctx, s->in->varying.index * n, n, out);
	} else {
		/* GUESS: the offset counts groups, as the index does. */
		v8f offset = read_scalar(s->st, s->in->varying.offset);

		for (int lane = 0; lane < SIM_LANES; lane++) {
			float wanted = offset[lane];

			if (done >> lane & 1)
				continue;
			env->varying(env->ctx, (unsigned int)(s->in->varying.index + index_of(wanted)) * n, n, group);
			for (int l = lane; l < SIM_LANES; l++) {
				if (offset[l] != wanted && l != lane)
					continue;
				done |= 1u << l;
				for (unsigned int c = 0; c < n; c++)
					out[c][l] = group[c][l];
			}
		}
	}
	/* GUESS: a group of one or two floats is repeated in all four components. */
	for (unsigned int c = n; c < 4; c++)
		out[c] = out[c & (n - 1)];
}

static void run_varying(struct step *s)
{
	const struct ppsim_env *env = s->st->env;
	const struct pp_src *src = &s->in->varying.src;
	v8f out[4] = { v8_splat(0), v8_splat(0), v8_splat(0), v8_splat(0) };

	switch (s->in->varying.kind) {
	case PP_LOAD_VARYING:
	case PP_LOAD_CUBE_VARYING:
		load_varying(s, out);
		break;
	case PP_LOAD_REGISTER:
	case PP_LOAD_CUBE_REGISTER:
	case PP_LOAD_NORMALIZE:
		for (int c = 0; c < 4; c++)
			out[c] = read_component(s, src, c);
		break;
	case PP_LOAD_FRAGCOORD:
		for (int c = 0; c < 4; c++)
			out[c] = env->fragcoord[c];
		break;
	case PP_LOAD_POINTCOORD:
		for (int c = 0; c < 4; c++)
			out[c] = env->pointcoord[c & 1];
		break;
	case PP_LOAD_FRONTFACING:
		for (int c = 0; c < 4; c++)
			out[c] = env->frontfacing;
		break;
	}
	if (s->in->varying.kind == PP_LOAD_NORMALIZE) {
		v8f length;

		EACH_LANE(length, 1.0f / sqrtf(out[0][lane] * out[0][lane] + out[1][lane] * out[1][lane] +
					       out[2][lane] * out[2][lane]));
		for (int c = 0; c < 3; c++)
			out[c] *= length;
	}
	if (s->in->varying.divide >= 2) {
		v8f by = out[s->in->varying.divide];

		for (int c = 0; c < s->in->varying.divide; c++)
			out[c] /= by;
	}
	memcpy(s->coord, out, sizeof(out));
	write_vec4(s, s->in->varying.dest, s->in->varying.mask, out);
}

static void run_sampler(struct step *s)
{
	const struct ppsim_env *env = s->st->env;
	v8f rgba[4] = { v8_splat(0), v8_splat(0), v8_splat(0), v8_splat(0) };
	struct ppsim_sample sample = {
		.type = s->in->sampler.type,
		.lod_mode = !s->in->sampler.lod_enable ? PPSIM_LOD_IMPLICIT :
			    s->in->sampler.explicit_lod ? PPSIM_LOD_EXPLICIT : PPSIM_LOD_BIAS,
	};
	unsigned int left = s->mask;

	if (!env->sample)
		return;
	if (s->in->sampler.lod_enable)
		sample.lod = read_scalar(s->st, s->in->sampler.lod_reg);
	memcpy(sample.coord, s->coord, sizeof(sample.coord));
	while (left) {
		int first = __builtin_ctz(left);

		sample.sampler = s->in->sampler.index;
		sample.mask = left;
		if (s->in->sampler.offset_enable) {
			v8f offset = read_scalar(s->st, s->in->sampler.offset);

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

static int address_of(const struct step *s, const struct pp_memory *m, int lane)
{
	int index = m->index;

	/* GUESS: the offset register counts groups, as the index does. */
	if (m->offset_enable)
		index += index_of(read_scalar(s->st, m->offset)[lane]);
	return (int)((unsigned int)index << (m->align == 3 ? 2 : m->align));
}

static unsigned int group_size(const struct pp_memory *m)
{
	return m->align == 0 ? 1 : m->align == 1 ? 2 : 4;
}

/*
 * Where count scalars of temporary memory start. Mesa counts its spill slots
 * down from -1 (ir/pp/regalloc.c), so the stack's end is address 0; GUESS: it
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
		event(s, PPSIM_TEMPORARY_RANGE);
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
		event(s, PPSIM_UNIFORM_RANGE);
		memset(halves, 0, sizeof(halves));
	}
	for (unsigned int c = 0; c < n; c++)
		values[c] = half_to_float(halves[c]);
}

static void run_uniform(struct step *s)
{
	const struct pp_memory *m = &s->in->uniform;
	unsigned int n = group_size(m);
	v8f out[4] = { v8_splat(0), v8_splat(0), v8_splat(0), v8_splat(0) };
	float values[UNIFORM_MAX];

	if (m->source == 3) {
		for (int lane = 0; lane < SIM_LANES; lane++)
			if (s->mask >> lane & 1)
				load_temporary(s, lane, address_of(s, m, lane), n, out);
	} else if (!m->offset_enable) {
		load_uniform(s, address_of(s, m, 0), n, values);
		for (unsigned int c = 0; c < n; c++)
			out[c] = v8_splat(values[c]);
	} else {
		for (int lane = 0; lane < SIM_LANES; lane++) {
			if (!(s->mask >> lane & 1))
				continue;
			load_uniform(s, address_of(s, m, lane), n, values);
			for (unsigned int c = 0; c < n; c++)
				out[c][lane] = values[c];
		}
	}
	for (unsigned int c = 0; c < 4; c++) {
		v8f *r = &s->st->registers[15][c];

		*r = v8_select(s->lanes, out[c & (n - 1)], *r);
	}
}

static void run_temp_write(struct step *s)
{
	const struct pp_memory *m = &s->in->store;
	unsigned int n = group_size(m);
	struct ppsim_state *st = s->st;

	if (s->in->fb.is_read) {
		v8f out[4] = { v8_splat(0), v8_splat(0), v8_splat(0), v8_splat(0) };

		if (st->env->framebuffer)
			st->env->framebuffer(st->env->ctx, !s->in->fb.color, out);
		write_vec4(s, s->in->fb.dest, s->in->fb.color ? 15 : 1, out);
		return;
	}
	for (int lane = 0; lane < SIM_LANES; lane++) {
		unsigned int from = n == 4 ? m->source & ~3u : m->source;
		v8f *to;

		if (!(s->mask >> lane & 1))
			continue;
		to = temporary(s, address_of(s, m, lane), n);
		for (unsigned int c = 0; to && c < n; c++)
			to[c][lane] = read_scalar(st, (from + c) & 63)[lane];
	}
}

/* --- Arithmetic ---------------------------------------------------------- */

static v8f mul_op(unsigned int op, v8f a, v8f b)
{
	static const float scale[8] = { 1.0f, 2.0f, 4.0f, 8.0f, 0.0625f, 0.125f, 0.25f, 0.5f };

	switch (op) {
	case 0x08:
		return v8_truth(a == 0.0f);
	case 0x09:
		return v8_truth((a != 0.0f) & (b != 0.0f));
	case 0x0a:
		return v8_truth((a != 0.0f) | (b != 0.0f));
	case 0x0b:
		return v8_truth((a != 0.0f) ^ (b != 0.0f));
	case 0x0c:
		return v8_truth(a != b);
	case 0x0d:
		return v8_truth(a > b);
	case 0x0e:
		return v8_truth(a >= b);
	case 0x0f:
		return v8_truth(a == b);
	case 0x10:
		return vmin(a, b);
	case 0x11:
		return vmax(a, b);
	case 0x1f:
		return a;
	}
	return op < 8 ? a * b * scale[op] : v8_splat(0.0f);
}

/*
 * x: arg0 of the right and arg1 of the left fragment of the quad's row; y: arg0 of the upper and
 * arg1 of the lower one of its column, since y counts from the bottom of the frame as gl_FragCoord
 * does. A plain derivative is dFdx(a, -a); Mesa's dFdy is (-a, a), its transform of the window's y
 * undoing that where the surface is upside down (ppir lower.c, nir_lower_wpos_ytransform.c).
 */
static v8f derivative(v8f a, v8f b, bool y)
{
	v8f far, near;

	if (y) {
		far = __builtin_shufflevector(a, a, 0, 1, 0, 1, 4, 5, 4, 5);
		near = __builtin_shufflevector(b, b, 2, 3, 2, 3, 6, 7, 6, 7);
	} else {
		far = __builtin_shufflevector(a, a, 1, 1, 3, 3, 5, 5, 7, 7);
		near = __builtin_shufflevector(b, b, 0, 0, 2, 2, 4, 4, 6, 6);
	}
	return far + near;
}

static v8f acc_op(unsigned int op, v8f a, v8f b, v8f fmul)
{
	v8f out;

	switch (op) {
	case 0x00:
		return a + b;
	case 0x04:
		return a - vfloor(a);
	case 0x08:
		return v8_truth(a != b);
	case 0x09:
		return v8_truth(a > b);
	case 0x0a:
		return v8_truth(a >= b);
	case 0x0b:
		return v8_truth(a == b);
	case 0x0c:
		return vfloor(a);
	case 0x0d:
		EACH_LANE(out, ceilf(a[lane]));
		return out;
	case 0x0e:
		return vmin(a, b);
	case 0x0f:
		return vmax(a, b);
	case 0x14:
	case 0x15:
		return derivative(a, b, op & 1);
	case 0x17:
		return v8_select(fmul != 0.0f, a, b);
	case 0x1f:
		return a;
	}
	return v8_splat(0.0f);
}

static void run_mul(struct step *s)
{
	const struct pp_alu *v = &s->in->vmul, *f = &s->in->fmul;
	bool vec = s->in->fields >> PP_VEC4_MUL & 1, flt = s->in->fields >> PP_FLOAT_MUL & 1;

	/* Both read before either writes. */
	if (vec)
		for (int c = 0; c < 4; c++)
			s->vmul[c] = modify_out(mul_op(v->op, read_component(s, &v->arg[0], c),
						       read_component(s, &v->arg[1], c)), v->outmod);
	if (flt)
		s->fmul = modify_out(mul_op(f->op, read_component(s, &f->arg[0], 0),
					    read_component(s, &f->arg[1], 0)), f->outmod);
	if (vec)
		write_vec4(s, v->dest, v->mask, s->vmul);
	if (flt && f->mask)
		write_vec4(s, f->dest, f->mask, (v8f[4]){ s->fmul, s->fmul, s->fmul, s->fmul });
}

static void vec4_acc(struct step *s, v8f out[4])
{
	const struct pp_alu *v = &s->in->vacc;
	v8f a[4], b[4];

	for (int c = 0; c < 4; c++) {
		a[c] = v->mul_in ? modify_in(s->vmul[v->arg[0].swizzle[c]], &v->arg[0]) :
		       read_component(s, &v->arg[0], c);
		b[c] = read_component(s, &v->arg[1], c);
	}
	if (v->op == 0x10 || v->op == 0x11) {
		v8f sum = a[0] + a[1] + a[2];

		if (v->op == 0x11)
			sum += a[3];
		for (int c = 0; c < 4; c++)
			out[c] = sum;
	} else {
		for (int c = 0; c < 4; c++)
			out[c] = acc_op(v->op, a[c], b[c], s->fmul);
	}
	for (int c = 0; c < 4; c++)
		out[c] = modify_out(out[c], v->outmod);
}

static void run_acc(struct step *s)
{
	const struct pp_alu *v = &s->in->vacc, *f = &s->in->facc;
	bool vec = s->in->fields >> PP_VEC4_ACC & 1, flt = s->in->fields >> PP_FLOAT_ACC & 1;
	v8f out[4], scalar = v8_splat(0);

	if (vec)
		vec4_acc(s, out);
	if (flt) {
		v8f a = f->mul_in ? modify_in(s->fmul, &f->arg[0]) : read_component(s, &f->arg[0], 0);

		scalar = modify_out(acc_op(f->op, a, read_component(s, &f->arg[1], 0), s->fmul), f->outmod);
	}
	if (vec)
		write_vec4(s, v->dest, v->mask, out);
	if (flt)
		write_vec4(s, f->dest, f->mask, (v8f[4]){ scalar, scalar, scalar, scalar });
}

/*
 * sin(2 pi x) (doc: the argument counts turns). GUESS: exact where it is 0 or 1, as a table of a
 * quarter would be.
 */
static float sine_of_turns(float x)
{
	float r = x - rintf(x);

	if (fabsf(r) > 0.25f)
		r = copysignf(0.5f, r) - r;
	return sinf(r * 6.2831853f);
}

static v8f combine_scalar(unsigned int op, v8f a)
{
	v8f out = v8_splat(0.0f);

	switch (op) {
	case 0:
		return 1.0f / a;
	case 1:
		return a;
	case 2:
		EACH_LANE(out, sqrtf(a[lane]));
		break;
	case 3:
		EACH_LANE(out, 1.0f / sqrtf(a[lane]));
		break;
	case 4:
		EACH_LANE(out, exp2f(a[lane]));
		break;
	case 5:
		EACH_LANE(out, log2f(a[lane]));
		break;
	case 6:
		EACH_LANE(out, sine_of_turns(a[lane]));
		break;
	case 7:
		EACH_LANE(out, sine_of_turns(a[lane] - floorf(a[lane]) + 0.25f));
		break;
	}
	return out;
}

/*
 * The arc tangent in two parts. GUESS on what goes from one to the other (the
 * documented use is part 1, x *= y for two arguments, part 2): x the smaller
 * magnitude, y the reciprocal of the larger, z what part 2 has to undo: 1 the
 * two were exchanged, 2 the result is taken from pi, 4 it is negative.
 */
static void atan_pt1(v8f y, v8f x, bool two, v8f out[4])
{
	for (int lane = 0; lane < SIM_LANES; lane++) {
		float b = two ? x[lane] : 1.0f, n = fabsf(y[lane]), d = fabsf(b);
		int code = (n > d ? 1 : 0) | (signbit(b) ? 2 : 0) | (signbit(y[lane]) ? 4 : 0);
		float large = n > d ? n : d, small = n > d ? d : n;

		if (two) {
			out[0][lane] = small;
			out[1][lane] = large != 0.0f ? 1.0f / large : 1.0f;
		} else {
			out[0][lane] = small / large;
			out[1][lane] = 1.0f;
		}
		out[2][lane] = code;
		out[3][lane] = 0.0f;
	}
}

static float atan_pt2(float ratio, float code)
{
	int undo = (int)code;
	float angle = atanf(ratio);

	if (undo & 1)
		angle = 1.57079633f - angle;
	if (undo & 2)
		angle = 3.14159265f - angle;
	return undo & 4 ? -angle : angle;
}

static void run_combine(struct step *s)
{
	const struct pp_src *a0 = &s->in->combine.arg[0], *a1 = &s->in->combine.arg[1];
	v8f out[4], a = read_component(s, a0, 0), code;

	switch (s->in->combine.kind) {
	case PP_COMBINE_VECTOR:
		for (int c = 0; c < 4; c++)
			out[c] = a * read_component(s, a1, c);
		break;
	case PP_COMBINE_ATAN_PT1:
		atan_pt1(a, read_component(s, a1, 0), s->in->combine.op == 9, out);
		break;
	case PP_COMBINE_ATAN_PT2:
		a = read_component(s, a1, 0);
		code = read_component(s, a1, 2);
		EACH_LANE(out[0], atan_pt2(a[lane], code[lane]));
		break;
	default:
		out[0] = combine_scalar(s->in->combine.op, a);
	}
	if (s->in->combine.kind == PP_COMBINE_SCALAR || s->in->combine.kind == PP_COMBINE_ATAN_PT2) {
		out[0] = modify_out(out[0], s->in->combine.outmod);
		out[1] = out[2] = out[3] = out[0];
	}
	write_vec4(s, s->in->combine.dest, s->in->combine.mask, out);
}

/* Lanes for which the branch's condition holds. */
static unsigned int branch_taken(struct step *s)
{
	v8f a = read_component(s, &s->in->branch.arg[0], 0), b = read_component(s, &s->in->branch.arg[1], 0);
	unsigned int taken = 0;

	/* All three together is the unconditional branch, whatever the operands. */
	if (s->in->branch.gt && s->in->branch.eq && s->in->branch.lt)
		return s->mask;
	for (int lane = 0; lane < SIM_LANES; lane++)
		if ((s->in->branch.gt && a[lane] > b[lane]) || (s->in->branch.eq && a[lane] == b[lane]) ||
		    (s->in->branch.lt && a[lane] < b[lane]))
			taken |= 1u << lane;
	return taken & s->mask;
}

static void run_units(struct step *s)
{
	unsigned int f = s->in->fields;

	for (int k = 0; k < 2; k++)
		if (f >> (PP_CONST0 + k) & 1)
			for (int c = 0; c < 4; c++)
				s->st->registers[12 + k][c] = v8_select(s->lanes, v8_splat(s->in->constant[k][c]),
								     s->st->registers[12 + k][c]);
	if (f >> PP_VARYING & 1)
		run_varying(s);
	if (f >> PP_SAMPLER & 1)
		run_sampler(s);
	if (f >> PP_UNIFORM & 1)
		run_uniform(s);
	if (f >> PP_VEC4_MUL & 3)
		run_mul(s);
	if (f >> PP_VEC4_ACC & 3)
		run_acc(s);
	if (f >> PP_COMBINE & 1)
		run_combine(s);
	if (f >> PP_TEMP_WRITE & 1)
		run_temp_write(s);
}

static bool jump(struct ppsim_state *st, unsigned int lanes, unsigned int to, int at)
{
	if (lanes && to == ~0u) {
		st->fault = (struct sim_fault){ (unsigned int)at, "runs past an instruction that nothing follows" };
		return false;
	}
	for (int lane = 0; lane < SIM_LANES; lane++)
		if (lanes >> lane & 1)
			st->pc[lane] = to;
	return true;
}

/* One instruction for the lanes that stand at the lowest address. */
static bool run_one(struct ppsim_state *st)
{
	struct step s = { .st = st };
	int lowest = INT32_MAX;
	unsigned int taken = 0, stay;

	for (int lane = 0; lane < SIM_LANES; lane++) {
		int at = st->program->instr[st->pc[lane]].at;

		if (!(st->live >> lane & 1) || at > lowest)
			continue;
		if (at < lowest)
			s.mask = 0;
		lowest = at;
		s.mask |= 1u << lane;
		s.in = &st->program->instr[st->pc[lane]];
	}
	if (s.in->fault) {
		st->fault = (struct sim_fault){ (unsigned int)s.in->at, s.in->fault };
		return false;
	}
	s.lanes = v8_lanes(s.mask);
	st->instructions++;
	if (s.in->unknown)
		event(&s, PPSIM_UNKNOWN_OP);
	run_units(&s);

	if (s.in->fields >> PP_BRANCH & 1) {
		taken = branch_taken(&s);
		if (s.in->branch.discard) {
			st->discarded |= taken;
			st->live &= ~taken;
		} else if (!jump(st, taken, s.in->target, s.in->at)) {
			return false;
		}
	}
	stay = s.mask & ~taken;
	if (s.in->stop)
		st->live &= ~stay;
	else
		return jump(st, stay, s.in->next, s.in->at);
	return true;
}

void ppsim_begin(struct ppsim_state *state, const struct ppsim_program *program,
		 const struct ppsim_env *env, uint8_t mask)
{
	memset(state->registers, 0, sizeof(state->registers));
	memset(state->temporaries, 0, sizeof(state->temporaries[0]) *
	       (env->temporaries < PPSIM_TEMPORARIES ? env->temporaries : PPSIM_TEMPORARIES));
	memset(state->pc, 0, sizeof(state->pc));
	state->discarded = 0;
	state->instructions = 0;
	state->fault = (struct sim_fault){ 0 };
	state->events = 0;
	state->program = program;
	state->env = env;
	state->live = mask;
}

int ppsim_next(const struct ppsim_state *state)
{
	int lowest = INT32_MAX;

	for (int lane = 0; lane < SIM_LANES; lane++)
		if (state->live >> lane & 1 && state->program->instr[state->pc[lane]].at < lowest)
			lowest = state->program->instr[state->pc[lane]].at;
	return state->live ? lowest : 0;
}

enum sim_status ppsim_run(struct ppsim_state *state, unsigned int limit)
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
