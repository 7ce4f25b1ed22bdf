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

/* Through the address register, each lane may mean another register. */
static v8u fetch_indirect(struct step *s, const struct vivsim_source *p, unsigned int comp)
{
	v8i address = s->st->address[p->amode - 1], other = address != address[__builtin_ctz(s->mask)];
	v8u v = splat(0);
	int first = p->reg + address[__builtin_ctz(s->mask)];

	/* As a rule they all mean the same. */
	other &= s->lanes;
	if (first >= 0 && p->group != VIV_TEMP && p->group != VIV_TEMP_HALF &&
	    !(other[0] | other[1] | other[2] | other[3] | other[4] | other[5] | other[6] | other[7]))
		return splat(fetch_one(s, p->group, (unsigned int)first & 511, comp, __builtin_ctz(s->mask)));
	for (int lane = 0; lane < SIM_LANES; lane++) {
		int r = p->reg + s->st->address[p->amode - 1][lane];

		v[lane] = r < 0 ? 0 : fetch_one(s, p->group, (unsigned int)r & 511, comp, lane);
	}
	return v;
}

static v8u fetch_component(struct step *s, const struct vivsim_source *p, unsigned int comp)
{
	if (p->amode >= 1 && p->amode <= 4)
		return fetch_indirect(s, p, comp);
	switch (p->group) {
	case VIV_TEMP: case VIV_TEMP_HALF:
		return s->st->temps[p->reg % VIVSIM_TEMPS][comp];
	case VIV_INTERNAL:
		return p->reg || comp ? splat(0) : (v8u)s->st->env->frontfacing;
	default:
		return splat(fetch_one(s, p->group, p->reg, comp, 0));
	}
}

/* need: the components that the op looks at. */
static void fetch(struct step *s, unsigned int source, unsigned int need)
{
	const struct vivsim_source *p = &s->o->src[source];

	for (int c = 0; c < 4; c++) {
		v8u v;

		if (!(need >> c & 1) || !p->use) {
			s->src[source][c] = splat(0);
			continue;
		}
		/* What looks like modes is part of an immediate's bits. */
		if (p->group == VIV_IMMEDIATE) {
			s->src[source][c] = splat(p->immediate);
			continue;
		}
		v = fetch_component(s, p, p->swizzle >> 2 * c & 3);
		if (p->abs)
			v = integer_type(s->type) ? choose((v8i)v < 0, -v, v) : v & 0x7fffffff;
		if (p->neg)
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
	unsigned int comps = s->o->comps, amode = s->o->dst_amode, reg = s->o->dst_reg;
	bool saturate = s->o->saturate;

	if (!s->o->dst_use)
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
	v8f sum = (v8f)s->src[0][0] * (v8f)s->src[0][0], out = { 0 };

	for (int c = 1; c < n; c++)
		sum += (v8f)s->src[0][c] * (v8f)s->src[0][c];
	for (int lane = 0; lane < SIM_LANES; lane++)
		out[lane] = 1 / sqrtf(sum[lane]);
	return out;
}

/* litp: a source 0 that is not there counts as above 0 (rnndb). */
static void partial_lighting(struct step *s, v8u out[4])
{
	v8i lit = (v8f)s->src[1][2] > 0.0f, none = s->o->src[0].use ? (v8i){ 0 } : ~(v8i){ 0 };
	v8i y = lit & (none | ((v8f)s->src[0][1] > 0.0f)), z = lit & (none | ((v8f)s->src[0][2] > 0.0f));
	v8u power;

	vivsim_component(0x11, VIV_F32, 0, 0, false, &s->src[0][0], &s->src[1][0], &s->src[2][0], &power);
	out[0] = out[3] = splat(0x3f800000);
	out[1] = choose(y, s->src[1][1], splat(0));
	out[2] = choose(z, power, splat(0));
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
	case 0x0e:
		partial_lighting(s, out);
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
	unsigned int comps = s->o->comps;

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
		.lod_mode = s->op == 0x49 ? VIVSIM_LOD_TEXEL : s->op == 0x19 ? VIVSIM_LOD_BIAS : s->op == 0x1b || s->op == 0x6f ? VIVSIM_LOD_EXPLICIT :
			    s->op == 0x1a ? VIVSIM_LOD_GRADIENT : VIVSIM_LOD_IMPLICIT,
	};
	unsigned int amode = s->o->tex_amode, swizzle = s->o->tex_swizzle, left = s->mask;
	v8f rgba[4] = { 0 }, got[4];

	memcpy(sample.coord, s->src[0], sizeof(sample.coord));
	memcpy(sample.ddx, s->src[1], sizeof(sample.ddx));
	memcpy(sample.ddy, s->src[2], sizeof(sample.ddy));
	sample.reference = (v8f)s->src[2][0];
	/* GUESS: newer parts give bias and level in src1, older in src0.w (Mesa, by model). */
	if (s->o->src[1].use && s->op != 0x1a)
		sample.coord[3] = (v8f)s->src[1][0];
	for (int c = 0; s->op == 0x49 && c < 3; c++)
		sample.coord[c] = __builtin_convertvector((v8i)s->src[0][c], v8f);
	while (left && s->st->env->sample) {
		int first = __builtin_ctz(left);
		v8i offset = amode >= 1 && amode <= 4 ? s->st->address[amode - 1] : (v8i){ 0 };

		sample.mask = 0;
		for (int lane = first; lane < SIM_LANES; lane++)
			if (left >> lane & 1 && offset[lane] == offset[first])
				sample.mask |= 1 << lane;
		sample.sampler = s->o->tex_id + (unsigned int)offset[first];
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

/* Ops of the float type that vectors do as a whole, component c. False: not one of them. */
static bool float_vector(struct step *s, int c, bool unary, v8u *out)
{
	v8f a = (v8f)s->src[0][c], b = (v8f)s->src[1][c], d = (v8f)s->src[2][c], second = unary ? (v8f){ 0 } : b;
	v8i yes;

	switch (s->op) {
	case 0x01: *out = (v8u)(a + d); return true;
	case 0x02: *out = (v8u)(a * b + d); return true;
	case 0x03: *out = (v8u)(a * b); return true;
	case 0x09: *out = (v8u)d; return true;
	case 0x0c: *out = (v8u)(1.0f / d); return true;
	case 0x0f: case 0x10: case 0x31:
		break;
	default:
		return false;
	}
	/* select, set, cmp. Only select takes unary conditions as such. */
	if (s->op != 0x0f)
		second = b;
	switch (s->o->cond) {
	case VIV_TRUE: yes = (v8i){ 0 } - 1; break;
	case VIV_GT: yes = a > second; break;
	case VIV_LT: yes = a < second; break;
	case VIV_GE: yes = a >= second; break;
	case VIV_LE: yes = a <= second; break;
	case VIV_EQ: yes = a == second; break;
	case VIV_NE: yes = a != second; break;
	case VIV_NZ: yes = a != 0.0f; break;
	case VIV_GZ: yes = a > 0.0f; break;
	case VIV_GEZ: yes = a >= 0.0f; break;
	case VIV_LZ: yes = a < 0.0f; break;
	case VIV_LEZ: yes = a <= 0.0f; break;
	default: return false;
	}
	*out = s->op == 0x0f ? choose(yes, (v8u)b, (v8u)d) :
	       s->op == 0x10 ? choose(yes, splat(0x3f800000), splat(0)) : choose(yes, (v8u)d, splat(0));
	return true;
}

/* The same for whole integers of 32 bits. */
static bool integer_vector(struct step *s, int c, bool unary, v8u *out)
{
	v8u a = s->src[0][c], b = s->src[1][c], d = s->src[2][c], second = unary && s->op == 0x0f ? splat(0) : b;
	bool is_signed = s->type == VIV_S32;
	v8i yes;

	switch (s->op) {
	case 0x01: *out = a + d; return true;
	case 0x09: *out = d; return true;
	case 0x2d:
		*out = is_signed ? (v8u)__builtin_convertvector((v8i)a, v8f) : (v8u)__builtin_convertvector(a, v8f);
		return true;
	case 0x3c: *out = a * b; return true;
	case 0x59: *out = a << (d & 31); return true;
	case 0x5a: *out = is_signed ? (v8u)((v8i)a >> (v8i)(d & 31)) : a >> (d & 31); return true;
	case 0x5c: *out = a | d; return true;
	case 0x5d: *out = a & d; return true;
	case 0x5e: *out = a ^ d; return true;
	case 0x5f: *out = ~d; return true;
	case 0x0f: case 0x10: case 0x31:
		break;
	default:
		return false;
	}
	switch (s->o->cond) {
	case VIV_GT: yes = is_signed ? (v8i)a > (v8i)second : (v8i)(a > second); break;
	case VIV_LT: yes = is_signed ? (v8i)a < (v8i)second : (v8i)(a < second); break;
	case VIV_GE: yes = is_signed ? (v8i)a >= (v8i)second : (v8i)(a >= second); break;
	case VIV_LE: yes = is_signed ? (v8i)a <= (v8i)second : (v8i)(a <= second); break;
	case VIV_EQ: yes = (v8i)(a == second); break;
	case VIV_NE: yes = (v8i)(a != second); break;
	case VIV_NZ: yes = (v8i)(a != 0); break;
	default: return false;
	}
	*out = s->op == 0x0f ? choose(yes, b, d) : s->op == 0x10 ? choose(yes, splat(0x3f800000), splat(0)) :
	       choose(yes, d, splat(0));
	return true;
}

/*
 * The newer log, sin, cos, div, told by their rounding mode: a pair of factors
 * whose product is the result; sin and cos then count in half turns (Mesa
 * etnaviv_nir.c). GUESS: which factors; here the second is 1.
 */
static bool factor_pair(struct step *s, v8u out[4])
{
	v8u one = splat(0x3f800000), v = { 0 };

	if (s->o->rounding != 1 || s->type != VIV_F32)
		return false;
	for (int lane = 0; lane < SIM_LANES; lane++) {
		float x = ((v8f)s->src[2][0])[lane], a = ((v8f)s->src[0][0])[lane], b = ((v8f)s->src[1][0])[lane], f;
		uint32_t bits;

		switch (s->op) {
		case 0x12: f = log2f(x); break;
		case 0x22: f = sinf(fmodf(x, 2) * 3.14159265f); break;
		case 0x23: f = cosf(fmodf(x, 2) * 3.14159265f); break;
		case 0x64: f = s->o->src[2].use ? b / x : a / b; break;
		default: return false;
		}
		memcpy(&bits, &f, 4);
		v[lane] = bits;
	}
	out[0] = out[2] = v;
	out[1] = out[3] = one;
	return true;
}

/* Components that an op's sources must have: those written, unless it mixes them. */
static unsigned int needed(const struct step *s)
{
	switch (s->op) {
	case 0x01: case 0x02: case 0x03: case 0x09: case 0x0c: case 0x0d: case 0x0f: case 0x10: case 0x13:
	case 0x25 ... 0x27: case 0x2d ... 0x2f: case 0x31: case 0x3b ... 0x40: case 0x57 ... 0x61:
		return s->o->comps ? s->o->comps : 1;
	case 0x16: case 0x17: case 0x32:
		return 1;
	default:
		return 15;
	}
}

static void components(struct step *s, v8u out[4])
{
	unsigned int cond = s->o->cond;
	bool unary = !s->o->src[1].use || cond >= VIV_NOT;

	for (int c = 0; c < 4; c++) {
		/* Even an instruction that writes nothing has to be known. */
		if (!((s->o->comps ? s->o->comps : 1) >> c & 1))
			continue;
		if (s->type == VIV_F32 && float_vector(s, c, unary, &out[c]))
			continue;
		if ((s->type == VIV_S32 || s->type == VIV_U32) && integer_vector(s, c, unary, &out[c]))
			continue;
		if (!vivsim_component(s->op, s->type, cond, s->o->rounding, unary, &s->src[0][c], &s->src[1][c],
				      &s->src[2][c], &out[c]))
			event(s, VIVSIM_UNKNOWN_OP);
	}
}

/* False: a fault. *jumped: the lanes' program counters, or who is alive, changed. */
static bool execute(struct step *s, bool *jumped)
{
	v8u out[4] = { splat(0), splat(0), splat(0), splat(0) };
	unsigned int reg;

	switch (s->op) {
	case 0x00: case 0x2a: case 0x7c ... 0x7e:
		return true;
	case 0x1d ... 0x20:
		*jumped = true;
		return vivsim_loops(s);
	case 0x0a: case 0x0b: case 0x56:
		set_address(s);
		return true;
	case 0x14: case 0x15: case 0x16: case 0x24:
		*jumped = true;
		return vivsim_flow(s);
	case 0x17:
		*jumped = true;
		s->st->discarded |= vivsim_holds(s);
		s->st->live &= ~vivsim_holds(s);
		return true;
	case 0x18 ... 0x1c: case 0x49: case 0x6f:
		texture(s, out);
		break;
	case 0x32:
		vivsim_load(s, out);
		break;
	case 0x33: case 0x65 ... 0x6c:
		vivsim_memory(s, out);
		break;
	case 0x34: case 0x35: case 0x79: case 0x7a:
		vivsim_image(s, out);
		break;
	case 0x7f:
		/* bit_findlsb, bit_findmsb: the op is in src2's register number. */
		reg = s->o->src[2].reg;
		if (reg != 11 && reg != 12)
			event(s, VIVSIM_UNKNOWN_OP);
		for (int c = 0; c < 4; c++)
			for (int lane = 0; lane < SIM_LANES; lane++)
				out[c][lane] = vivsim_find_bit(reg == 11, s->type, s->src[0][c][lane]);
		break;
	default:
		if (!factor_pair(s, out) && !vector_op(s, out))
			components(s, out);
	}
	if (s->op != 0x33 && s->op != 0x35 && s->op != 0x7a)
		write_result(s, out);
	return true;
}

/* --- The ops that programs are made of, without a detour -------------------------------- */

static inline v8f source(struct step *s, unsigned int i, unsigned int c)
{
	const struct vivsim_source *p = &s->o->src[i];
	v8u v;

	switch (p->kind) {
	case VIVSIM_SRC_ZERO:
		return (v8f){ 0 };
	case VIVSIM_SRC_IMMEDIATE:
		return (v8f)splat(p->immediate);
	case VIVSIM_SRC_TEMP:
		v = s->st->temps[p->reg % VIVSIM_TEMPS][p->component[c]];
		break;
	default:
		v = fetch_component(s, p, p->component[c]);
	}
	if (p->abs)
		v &= 0x7fffffff;
	if (p->neg)
		v ^= 0x80000000;
	return (v8f)v;
}

static v8i ordered(unsigned int cond, v8f a, v8f b)
{
	switch (cond) {
	case VIV_GT: return a > b;
	case VIV_LT: return a < b;
	case VIV_GE: return a >= b;
	case VIV_LE: return a <= b;
	case VIV_EQ: return a == b;
	default: return a != b;
	}
}

static void plain_result(struct step *s, const v8f out[4])
{
	v8u *to = s->st->temps[s->o->dst_reg % VIVSIM_TEMPS];

	for (unsigned int c = 0; c < 4; c++) {
		v8u v = (v8u)out[c];

		if (!(s->o->comps >> c & 1))
			continue;
		if (s->o->saturate) {
			v = choose((v8f)v > 0.0f, v, splat(0));
			v = choose((v8f)v < 1.0f, v, splat(0x3f800000));
		}
		to[c] = s->mask == 0xff ? v : choose(s->lanes, v, to[c]);
	}
}

static void plain(struct step *s)
{
	unsigned int n = s->op == 0x73 ? 2 : s->op == 0x05 ? 3 : 4;
	v8f out[4];

	if (s->op == 0x05 || s->op == 0x06 || s->op == 0x73) {
		out[0] = source(s, 0, 0) * source(s, 1, 0);
		for (unsigned int c = 1; c < n; c++)
			out[0] += source(s, 0, c) * source(s, 1, c);
		out[1] = out[2] = out[3] = out[0];
		plain_result(s, out);
		return;
	}
	for (unsigned int c = 0; c < 4; c++) {
		if (!(s->o->comps >> c & 1))
			continue;
		switch (s->op) {
		case 0x01: out[c] = source(s, 0, c) + source(s, 2, c); break;
		case 0x02: out[c] = source(s, 0, c) * source(s, 1, c) + source(s, 2, c); break;
		case 0x03: out[c] = source(s, 0, c) * source(s, 1, c); break;
		case 0x09: out[c] = source(s, 2, c); break;
		case 0x0c: out[c] = 1.0f / source(s, 2, c); break;
		case 0x0f:
			out[c] = (v8f)choose(ordered(s->o->cond, source(s, 0, c), source(s, 1, c)), (v8u)source(s, 1, c),
					     (v8u)source(s, 2, c));
			break;
		default:
			out[c] = (v8f)choose(ordered(s->o->cond, source(s, 0, c), source(s, 1, c)), splat(0x3f800000), splat(0));
		}
	}
	plain_result(s, out);
}

static void set_pcs(struct vivsim_state *st, uint8_t mask, unsigned int pc)
{
	for (int lane = 0; lane < SIM_LANES; lane++)
		if (mask >> lane & 1)
			st->pc[lane] = pc;
}

static bool step(struct step *s, bool *jumped)
{
	struct vivsim_state *st = s->st;
	struct vivsim_op decoded;
	unsigned int need;

	if (st->ops) {
		s->o = &st->ops[s->at];
	} else {
		vivsim_decode(st->words + s->at * 4, 1, &decoded);
		s->o = &decoded;
	}
	s->op = s->o->op;
	s->type = s->o->type;
	st->instructions++;
	if (s->o->plain) {
		plain(s);
		return true;
	}
	if (s->o->flow)
		set_pcs(st, s->mask, s->at + 1);
	need = needed(s);
	for (unsigned int i = 0; i < 3; i++)
		if (i < 2 || (s->op != 0x14 && s->op != 0x16 && s->op != 0x24))
			fetch(s, i, need);
	return execute(s, jumped);
}

/* The lanes at the lowest address go on until they jump or meet others. */
static bool run_some(struct vivsim_state *st, unsigned int *limit)
{
	struct step s = { .st = st, .at = ~0u };
	unsigned int meet = ~0u;
	bool jumped = false;

	for (int lane = 0; lane < SIM_LANES; lane++) {
		if (!(st->live >> lane & 1))
			continue;
		if (st->pc[lane] < s.at) {
			meet = s.at;
			s.at = st->pc[lane];
			s.mask = 0;
		} else if (st->pc[lane] > s.at && st->pc[lane] < meet) {
			meet = st->pc[lane];
		}
		if (st->pc[lane] == s.at)
			s.mask |= 1 << lane;
	}
	for (int lane = 0; lane < SIM_LANES; lane++)
		s.lanes[lane] = -(s.mask >> lane & 1);
	for (; s.at < meet; s.at++) {
		if (s.at >= st->count) {
			/* The end of the code is the end of the shader; past it there is nothing. */
			if (s.at > st->count) {
				set_pcs(st, s.mask, s.at);
				st->fault = (struct sim_fault){ s.at, "jump past the end of the shader" };
				return false;
			}
			st->live &= ~s.mask;
			return true;
		}
		if (!*limit)
			break;
		--*limit;
		if (!step(&s, &jumped))
			return false;
		if (jumped)
			return true;
	}
	set_pcs(st, s.mask, s.at);
	return true;
}

void vivsim_begin(struct vivsim_state *state, const uint32_t *words, size_t count,
		  const struct vivsim_env *env, uint8_t mask)
{
	memset(state->address, 0, sizeof(state->address));
	memset(state->pc, 0, sizeof(state->pc));
	memset(state->depth, 0, sizeof(state->depth));
	memset(state->loop_depth, 0, sizeof(state->loop_depth));
	state->discarded = 0;
	state->instructions = 0;
	state->events = 0;
	state->fault = (struct sim_fault){ 0 };
	state->words = words;
	state->ops = NULL;
	state->count = count;
	state->env = env;
	state->live = mask;
}

void vivsim_begin_decoded(struct vivsim_state *state, const struct vivsim_op *ops, size_t count,
			  const struct vivsim_env *env, uint8_t mask)
{
	vivsim_begin(state, NULL, count, env, mask);
	state->ops = ops;
}

enum sim_status vivsim_run(struct vivsim_state *state, unsigned int limit)
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
