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
	const struct vivsim_op *o;
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

static enum vivsim_source_kind source_kind(const struct vivsim_source *s)
{
	if (!s->use)
		return VIVSIM_SRC_ZERO;
	/* What looks like modes is part of an immediate's bits. */
	if (s->group == VIV_IMMEDIATE)
		return VIVSIM_SRC_IMMEDIATE;
	if (s->amode >= 1 && s->amode <= 4)
		return VIVSIM_SRC_OTHER;
	if (s->group == VIV_TEMP)
		return VIVSIM_SRC_TEMP;
	return s->group == VIV_UNIFORM0 || s->group == VIV_UNIFORM1 ? VIVSIM_SRC_UNIFORM : VIVSIM_SRC_OTHER;
}

/* The ops that plain() below knows. */
static bool is_plain(const struct vivsim_op *o)
{
	if (o->type != VIV_F32 || !o->dst_use || (o->dst_amode >= 1 && o->dst_amode <= 4) || !o->comps)
		return false;
	switch (o->op) {
	case 0x01: case 0x02: case 0x03: case 0x05: case 0x06: case 0x09: case 0x0c: case 0x73:
		return true;
	case 0x0f: case 0x10:
		return o->cond >= VIV_GT && o->cond <= VIV_NE && o->src[1].use;
	default:
		return false;
	}
}

static void decode(const uint32_t *words, struct vivsim_op *o)
{
	struct isa_bits b;

	memcpy(b.w, words, sizeof(b.w));
	o->op = viv_opcode(&b);
	o->type = viv_type(&b);
	o->cond = isa_get(&b, VIV_COND, 5);
	o->rounding = isa_get(&b, VIV_RMODE, 2);
	o->dst_use = isa_get(&b, VIV_DST_USE, 1);
	o->dst_reg = isa_get(&b, VIV_DST_REG, 7);
	o->dst_amode = isa_get(&b, VIV_DST_AMODE, 3);
	o->comps = isa_get(&b, VIV_DST_COMPS, 4);
	o->saturate = isa_get(&b, VIV_SAT, 1) && !integer_type(o->type);
	o->tex_id = isa_get(&b, VIV_TEX_ID, 5);
	o->tex_amode = isa_get(&b, VIV_TEX_AMODE, 3);
	o->tex_swizzle = isa_get(&b, VIV_TEX_SWIZ, 8);
	o->left_shift = isa_get(&b, VIV_LEFT_SHIFT, 3);
	o->target = isa_get(&b, VIV_TARGET, 15);
	for (unsigned int i = 0; i < 3; i++) {
		const struct viv_source *p = &viv_source[i];
		struct vivsim_source *s = &o->src[i];

		s->use = isa_get(&b, p->use, 1);
		s->reg = isa_get(&b, p->reg, 9);
		s->group = isa_get(&b, p->rgroup, 3);
		s->amode = isa_get(&b, p->amode, 3);
		s->swizzle = isa_get(&b, p->swiz, 8);
		s->abs = isa_get(&b, p->abs, 1);
		s->neg = isa_get(&b, p->neg, 1);
		s->immediate = immediate(&b, i);
		for (unsigned int c = 0; c < 4; c++)
			s->component[c] = s->swizzle >> 2 * c & 3;
		s->kind = source_kind(s);
	}
	o->flow = (o->op >= 0x14 && o->op <= 0x17) || (o->op >= 0x1d && o->op <= 0x20) || o->op == 0x24;
	o->plain = is_plain(o);
}

void vivsim_decode(const uint32_t *words, size_t count, struct vivsim_op *ops)
{
	for (size_t i = 0; i < count; i++)
		decode(words + i * 4, &ops[i]);
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

/* Every running lane has the first one's value. */
static bool same(const struct step *s, v8u v)
{
	v8i other = (v8i)(v != v[__builtin_ctz(s->mask)]) & s->lanes;

	return !(other[0] | other[1] | other[2] | other[3] | other[4] | other[5] | other[6] | other[7]);
}

/*
 * load: words from src0.x + (src1.x << shift) on, one for each component that is
 * written, without gaps (Mesa's register allocator keeps them together, and in
 * whichever components it likes).
 */
static void load(struct step *s, v8u out[4])
{
	const struct vivsim_env *env = s->st->env;
	v8u address = s->src[0][0] + (s->src[1][0] << s->o->left_shift);
	bool once = same(s, address);

	for (int c = 0; c < 4; c++) {
		if (!(s->o->comps >> c & 1))
			continue;
		for (int lane = 0; lane < SIM_LANES; lane++) {
			uint32_t v = 0;

			if (!(s->mask >> lane & 1))
				continue;
			if (!env->load || !env->load(env->ctx, address[lane], &v))
				event(s, VIVSIM_MEMORY);
			if (once) {
				out[c] = splat(v);
				break;
			}
			out[c][lane] = v;
		}
		address += 4;
	}
}

/* store, atomics: word c at src0.x + (src1.x << shift) + 4 c. GUESS: by the component's number, unlike load. */
static void memory(struct step *s, v8u out[4])
{
	const struct vivsim_env *env = s->st->env;
	unsigned int comps = s->o->comps, shift = s->o->left_shift;
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
			else if (ok)
				ok = env->store && env->store(env->ctx, address[lane], atomic(s->op, is_signed, old,
					s->src[2][s->op == 0x67 ? 0 : c][lane], s->src[2][1][lane]));
			if (!ok)
				event(s, VIVSIM_MEMORY);
		}
	}
}

/* One component of a texel, of one lane. address: of the texel. */
static bool texel(struct step *s, uint32_t address, int c, bool store, uint32_t v, uint32_t *out)
{
	const struct vivsim_env *env = s->st->env;
	unsigned int at = (unsigned int)c * vivsim_bytes(s->type);
	uint32_t word = 0;

	address += at;
	if (!env->load || !env->load(env->ctx, address & ~3u, &word))
		return false;
	if (!store)
		*out = vivsim_unpack(s->type, word, address & 3);
	return !store || (env->store && env->store(env->ctx, address & ~3u, vivsim_pack(s->type, word, address & 3, v)));
}

/*
 * img_load, img_store: an image as src0 describes it (rnndb). GUESS: a texel is
 * the components written, each of the type; slices follow each other; outside
 * reads 0 and is not written.
 */
static void image(struct step *s, v8u out[4])
{
	bool store = s->op == 0x7a || s->op == 0x35, slices = s->op == 0x34 || s->op == 0x35;
	unsigned int n = s->o->comps ? 32 - (unsigned int)__builtin_clz(s->o->comps) : 0;

	for (int lane = 0; lane < SIM_LANES; lane++) {
		uint32_t size = s->src[0][2][lane], width = size & 0xffff, height = size >> 16;
		uint32_t x = s->src[1][0][lane], y = s->src[1][1][lane], z = slices ? s->src[1][2][lane] : 0;
		uint32_t at = s->src[0][0][lane] + (z * height + y) * s->src[0][1][lane] + x * n * vivsim_bytes(s->type);

		if (!(s->mask >> lane & 1) || x >= width || y >= height)
			continue;
		for (int c = 0; c < 4; c++) {
			uint32_t v = 0;

			if (!(s->o->comps >> c & 1))
				continue;
			if (!texel(s, at, c, store, s->src[2][c][lane], &v))
				event(s, VIVSIM_MEMORY);
			out[c][lane] = v;
		}
	}
}

/* Lanes for which src0 COND src1 holds, in component x or, for branch_any, in any. */
static uint8_t holds(struct step *s)
{
	unsigned int cond = s->o->cond;
	uint8_t taken = 0;
	v8i yes;

	for (int c = 0; c < (s->op == 0x24 ? 4 : 1); c++) {
		if ((s->type == VIV_S32 || s->type == VIV_U32) && (cond == VIV_NOT || cond == VIV_NZ))
			yes = (v8i)(s->src[0][c] != 0) ^ -(cond == VIV_NOT);
		else
			vivsim_condition(cond, s->type, &s->src[0][c], &s->src[1][c], &yes);
		for (int lane = 0; lane < SIM_LANES; lane++)
			taken |= (yes[lane] != 0) << lane;
	}
	return taken & s->mask;
}

static unsigned int opcode_at(const struct vivsim_state *st, unsigned int i)
{
	struct vivsim_op o;

	if (st->ops)
		return st->ops[i].op;
	decode(st->words + i * 4, &o);
	return o.op;
}

/* Behind the endrep or endloop of the rep or loop at s->at. */
static unsigned int behind_loop(const struct step *s)
{
	unsigned int depth = 1, i = s->at + 1;

	for (; i < s->st->count && depth; i++) {
		unsigned int op = opcode_at(s->st, i);

		depth += op == 0x1d || op == 0x1f;
		depth -= op == 0x1e || op == 0x20;
	}
	return i;
}

/*
 * rep, loop and their ends. GUESS: as in DirectX's shader assembly, which the
 * set is made after (rnndb): counts are integers, of a float type rounded down.
 */
static bool loops(struct step *s)
{
	struct vivsim_state *st = s->st;

	for (int lane = 0; lane < SIM_LANES; lane++) {
		struct vivsim_loop *l = &st->loops[lane][st->loop_depth[lane] - 1];
		int v[3];

		if (!(s->mask >> lane & 1))
			continue;
		if (s->op == 0x1e || s->op == 0x20) {
			if (!st->loop_depth[lane])
				continue;
			st->address[0][lane] += l->indexed ? l->step : 0;
			if (--l->left > 0)
				st->pc[lane] = l->start;
			else
				st->loop_depth[lane]--;
			continue;
		}
		for (int c = 0; c < 3; c++) {
			float f = floorf(((v8f)s->src[0][c])[lane]);

			v[c] = integer_type(s->type) ? (int)s->src[0][c][lane] : f > -1e6f && f < 1e6f ? (int)f : 0;
		}
		if (v[0] <= 0) {
			st->pc[lane] = behind_loop(s);
			continue;
		}
		if (st->loop_depth[lane] == VIVSIM_CALLS) {
			st->fault = (struct sim_fault){ s->at, "loops nest too deeply" };
			return false;
		}
		st->loops[lane][st->loop_depth[lane]++] = (struct vivsim_loop){ s->at + 1, v[0], v[2], s->op == 0x1f };
		if (s->op == 0x1f)
			st->address[0][lane] = v[1];
	}
	return true;
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
		st->pc[lane] = s->o->target;
	}
	return true;
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
		return loops(s);
	case 0x0a: case 0x0b: case 0x56:
		set_address(s);
		return true;
	case 0x14: case 0x15: case 0x16: case 0x24:
		*jumped = true;
		return flow(s);
	case 0x17:
		*jumped = true;
		s->st->discarded |= holds(s);
		s->st->live &= ~holds(s);
		return true;
	case 0x18 ... 0x1c: case 0x49: case 0x6f:
		texture(s, out);
		break;
	case 0x32:
		load(s, out);
		break;
	case 0x33: case 0x65 ... 0x6c:
		memory(s, out);
		break;
	case 0x34: case 0x35: case 0x79: case 0x7a:
		image(s, out);
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
		decode(st->words + s->at * 4, &decoded);
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
