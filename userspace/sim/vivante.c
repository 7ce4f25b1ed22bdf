// SPDX-License-Identifier: MIT
/*
 * Vivante shaders: instructions decoded by their rows, operands, results. Lanes that have parted go on by the lowest
 * address. What ops compute is in vivante_sem.inc.
 */
#include <string.h>

#include "sim/vivante_internal.h"

/* --- decoding ---------------------------------------------------------------------- */

/* How a source is had. REGISTER: without modifiers, in place. */
enum source_kind { ZERO, REGISTER, TEMP, IMMEDIATE, UNIFORM, OTHER };

static enum source_kind source_kind(const struct viv_source *s, bool taken)
{
	if (!s->use || !taken)
		return ZERO;
	/* What looks like modes is part of an immediate's bits. */
	if (s->rgroup == VIV_IMMEDIATE)
		return IMMEDIATE;
	if (s->amode >= 1 && s->amode <= 4)
		return OTHER;
	if (s->rgroup == VIV_TEMP || s->rgroup == VIV_TEMP_HALF)
		return s->neg || s->abs ? TEMP : REGISTER;
	return s->rgroup == VIV_UNIFORM0 || s->rgroup == VIV_UNIFORM1 ? UNIFORM : OTHER;
}

static struct vivsim_source decode_source(const struct isa_bits *b, unsigned int n, bool taken)
{
	struct viv_source s = viv_source(b, n);
	struct vivsim_source to = {
		.use = s.use, .group = s.rgroup, .kind = source_kind(&s, taken), .amode = s.amode, .abs = s.abs, .neg = s.neg,
		.reg = s.reg + (s.rgroup == VIV_UNIFORM1 ? 128 : 0), .immediate = viv_immediate(&s),
	};

	for (unsigned int c = 0; c < 4; c++) {
		to.component[c] = s.swiz >> 2 * c & 3;
		to.temp[c] = (uint16_t)(to.reg % VIVSIM_TEMPS * 4 + to.component[c]);
	}
	/* GUESS(sh-half-immediate): a half immediate is its 16 bits, not converted to a float. */
	if (s.amode >> 1 == VIV_IMM_FLOAT)
		to.immediate <<= 12;
	else if (s.amode >> 1 == VIV_IMM_INT)
		to.immediate = (uint32_t)((int32_t)(to.immediate << 12) >> 12);
	else if (s.amode >> 1 == VIV_IMM_HALF)
		to.immediate &= 0xffff;
	return to;
}

static bool is_uniform(const struct vivsim_source *s)
{
	return s->kind == UNIFORM || (s->kind == OTHER && (s->group == VIV_UNIFORM0 || s->group == VIV_UNIFORM1));
}

/*
 * Uniforms have one port: an instruction that names several reads the last source's for all (rnndb isa.xml; Mesa's
 * compiler copies one into a temporary). Swizzles and modifiers are each source's own. False: they are the same one.
 */
static bool share_uniform(struct vivsim_op *o)
{
	const struct vivsim_source *last = NULL;
	bool differ = false;

	for (int i = 2; i >= 0; i--) {
		struct vivsim_source *s = &o->src[i];

		if (!is_uniform(s))
			continue;
		last = last ? last : s;
		differ |= s->reg != last->reg || s->amode != last->amode;
		s->reg = last->reg;
		s->amode = last->amode;
		s->group = last->group;
		s->kind = last->kind;
	}
	return differ;
}

static void unknown(struct vivsim_step *s)
{
	memset(s->out, 0, sizeof(s->made));
	event(s, VIVSIM_UNKNOWN_OP);
}

static void decode_type(struct vivsim_op *o, unsigned int props)
{
	static const uint8_t narrow[8] = { [VIV_S8] = 24, [VIV_U8] = 24, [VIV_S16] = 16, [VIV_U16] = 16 };
	const struct vivsim_body *body = &vivsim_bodies[o->id];

	o->narrow = narrow[o->type];
	/* What f2i takes are floats, whatever the type (Mesa folds fneg and fabs into them). */
	o->sign = integer_type(o->type) && o->id != VIV_OP_f2i && o->id != VIV_OP_f2irnd ? 0 :
		  o->id == VIV_OP_conv && o->src[1].kind == IMMEDIATE && o->src[1].immediate ? 1u << 15 : 1u << 31;
	o->is_signed = o->type == VIV_S32 || o->type == VIV_S16 || o->type == VIV_S8;
	o->run = !integer_type(o->type) ? body->f : o->is_signed ? body->s : body->u;
	o->run = o->run ? o->run : unknown;
	o->saturate &= !integer_type(o->type);
	/*
	 * The newer log, sin, cos, div, told by their rounding mode: a pair of factors whose product is the
	 * result; sin and cos then count in half turns (Mesa etnaviv_nir.c). GUESS(sh-pair-factors): which factors; here
	 * the second is 1.
	 */
	o->pair = props & VIV_PAIR && o->rounding == 1 && o->type == VIV_F32;
	o->one = props & VIV_ONE && !o->pair;
	o->old_one = props & VIV_OLD_ONE && integer_type(o->type);
	o->plain = !o->pair && !o->saturate && (o->dst_amode < 1 || o->dst_amode > 4);
	o->each = o->plain && o->writes && o->run != unknown && !o->one && !o->old_one && !(props & VIV_WHOLE);
	o->need = props & VIV_WHOLE || !(props & VIV_WRITES) ? 15 : o->one || o->pair ? 1 : o->comps;
}

/* Does it read, for one component, what it has written as another? */
static bool overwrites(const struct vivsim_op *o)
{
	bool does = false;

	for (unsigned int i = 0; i < 3; i++)
		for (unsigned int c = 0; c < 4; c++)
			does |= o->src[i].kind == REGISTER && o->src[i].temp[c] / 4 == o->dst_reg && o->need >> c & 1 &&
				o->src[i].component[c] < c && o->need >> o->src[i].component[c] & 1;
	return does;
}

static void decode(const uint32_t *words, struct vivsim_op *o)
{
	const struct isa_op *row;
	struct isa_bits b;

	memcpy(b.w, words, sizeof(b.w));
	row = isa_match_op(&isa_vivante, 0, &b);
	o->id = row->id;
	o->type = viv_type(&b);
	o->cond = viv_get(&b, cond);
	o->rounding = viv_get(&b, rmode);
	o->dst_use = viv_get(&b, dst_use);
	o->writes = o->dst_use && row->props & VIV_WRITES;
	o->dst_reg = viv_get(&b, dst_reg) % VIVSIM_TEMPS;
	o->dst_amode = viv_get(&b, dst_amode);
	o->comps = viv_get(&b, dst_comps);
	o->saturate = viv_get(&b, sat);
	o->tex_id = viv_get(&b, tex_id);
	o->tex_amode = viv_get(&b, tex_amode);
	o->tex_swizzle = viv_get(&b, tex_swiz);
	o->left_shift = viv_get(&b, left_shift);
	o->local = viv_get(&b, local);
	o->target = viv_target(row, &b);
	o->deed = row->form == VIV_F_TEX ? VIVSIM_SAMPLES : VIVSIM_COMPUTES;
	if (o->id != VIV_OP_nop && (!(row->props & VIV_WRITES) || row->props & VIV_MEMORY))
		o->deed = VIVSIM_OTHER;
	for (unsigned int i = 0; i < 3; i++)
		o->src[i] = decode_source(&b, i, row->props & VIV_TAKES0 << i);
	decode_type(o, row->props);
	o->in_place = o->each && !overwrites(o);
	o->bound = 0;
	o->quick = false;
	o->two_uniforms = share_uniform(&(struct vivsim_op){ .src = { o->src[0], o->src[1], o->src[2] } });
}

void vivsim_decode(const uint32_t *words, size_t count, struct vivsim_op *ops)
{
	for (size_t i = 0; i < count; i++)
		decode(words + i * 4, &ops[i]);
}

/* --- operands ---------------------------------------------------------------------- */

static uint32_t fetch_lane(struct vivsim_step *s, unsigned int group, int reg, unsigned int comp, int lane)
{
	const struct vivsim_env *env = s->st->env;

	if (reg < 0)
		return 0;
	switch (group) {
	case VIV_TEMP: case VIV_TEMP_HALF:
		return s->st->temps[reg % VIVSIM_TEMPS][comp][lane];
	case VIV_INTERNAL:
		return reg || comp ? 0 : ((v8u)env->frontfacing)[lane];
	case VIV_UNIFORM0: case VIV_UNIFORM1:
		if ((reg & 1023) < (int)env->uniform_count)
			return env->uniforms[reg & 1023][comp];
		event(s, VIVSIM_UNIFORM_RANGE);
		return 0;
	default:
		event(s, VIVSIM_UNKNOWN_OP);
		return 0;
	}
}

/* Internal registers, and through the address register, where each lane may mean another register. */
static v8u fetch_other(struct vivsim_step *s, const struct vivsim_source *p, unsigned int comp)
{
	bool indexed = p->amode >= 1 && p->amode <= 4;
	v8i at = (v8i)(p->reg + (indexed ? (v8u)s->st->address[p->amode - 1] : (v8u){ 0 }));
	int first = __builtin_ctz(s->mask);
	v8u v = v8_word(0);

	/* As a rule they all mean the same. */
	if (is_uniform(p) && same(s, at))
		return v8_word(fetch_lane(s, p->group, at[first], comp, first));
	EACH_LANE(s->mask)
		v[lane] = fetch_lane(s, p->group, at[lane], comp, lane);
	return v;
}

static inline v8u modified(const struct vivsim_op *o, const struct vivsim_source *p, v8u v)
{
	if (p->abs)
		v = o->sign ? v & ~o->sign : v8_choose((v8i)v < 0, -v, v);
	if (p->neg)
		v = o->sign ? v ^ o->sign : -v;
	return v;
}

static const v8u zero;

static void fetch(struct vivsim_step *s, unsigned int source)
{
	const struct vivsim_source *p = &s->o->src[source];
	const struct vivsim_env *env = s->st->env;
	const v8u **to = s->found[source], *temps = s->st->temps[0];
	v8u *held = s->held[source];
	bool there = p->reg < env->uniform_count;

	s->src[source] = to;
	if (p->kind == REGISTER) {
		for (int c = 0; c < 4; c++)
			to[c] = temps + p->temp[c];
		return;
	}
	if (p->kind == ZERO) {
		to[0] = to[1] = to[2] = to[3] = &zero;
		return;
	}
	if (p->kind == IMMEDIATE) {
		held[0] = v8_word(p->immediate);
		to[0] = to[1] = to[2] = to[3] = held;
		return;
	}
	if (p->kind == UNIFORM && !there)
		event(s, VIVSIM_UNIFORM_RANGE);
	for (int c = 0; c < 4; c++) {
		unsigned int comp = p->component[c];

		to[c] = &held[c];
		if (!(s->need >> c & 1))
			continue;
		if (p->kind == TEMP)
			held[c] = modified(s->o, p, temps[p->temp[c]]);
		else if (p->kind == UNIFORM)
			held[c] = modified(s->o, p, v8_word(there ? env->uniforms[p->reg][comp] : 0));
		else
			held[c] = modified(s->o, p, fetch_other(s, p, comp));
	}
}

size_t vivsim_bind(struct vivsim_state *state, struct vivsim_op *ops, size_t count, const struct vivsim_env *env,
		   v8u (*constants)[4])
{
	struct vivsim_step s = { .st = state, .need = 15 };
	size_t n = 0;

	state->env = env;
	for (size_t i = 0; i < count * 3; i++) {
		struct vivsim_op *o = &ops[i / 3];
		const struct vivsim_source *p = &o->src[i % 3];
		bool constant = p->kind == IMMEDIATE || (p->kind == UNIFORM && p->reg < env->uniform_count);

		/* Out of range, and of several uniforms, each run tells. */
		if ((!constant && p->kind != ZERO && p->kind != REGISTER) || (o->two_uniforms && !env->many_uniforms))
			continue;
		s.o = o;
		fetch(&s, i % 3);
		for (int c = 0; constants && c < 4; c++) {
			if (constant)
				constants[n][c] = *s.src[i % 3][c];
			o->bound_to[i % 3][c] = constant ? &constants[n][c] : s.src[i % 3][c];
		}
		n += constant;
		o->bound |= constants ? 1 << i % 3 : 0;
		o->quick = o->bound == 7 && o->in_place;
	}
	return n;
}

static void write_result(struct vivsim_step *s)
{
	const struct vivsim_op *o = s->o;
	int each = o->one || (o->old_one && s->st->env->before_gc3000) ? 0 : 3;
	v8u *to = s->st->temps[o->dst_reg];

	if (o->plain) {
		for (int c = 0; c < 4; c++)
			if (o->comps >> c & 1)
				to[c] = s->mask == 0xff ? s->out[c & each] : v8_choose(s->lanes, s->out[c & each], to[c]);
		s->st->written[o->dst_reg] |= o->comps;
		return;
	}
	if (o->pair) {
		s->out[2] = s->out[0];
		s->out[1] = s->out[3] = (v8u)v8_splat(1.0f);
	}
	for (int c = 0; c < 4; c++) {
		v8u v = s->out[c & each];

		if (!(o->comps >> c & 1))
			continue;
		if (o->saturate) {
			v = v8_choose((v8f)v > 0.0f, v, v8_word(0));
			v = v8_choose((v8f)v < 1.0f, v, (v8u)v8_splat(1.0f));
		}
		if (o->dst_amode < 1 || o->dst_amode > 4) {
			to[c] = s->mask == 0xff ? v : v8_choose(s->lanes, v, to[c]);
			s->st->written[o->dst_reg] |= 1 << c;
			continue;
		}
		EACH_LANE(s->mask) {
			unsigned int reg = (o->dst_reg + (unsigned int)s->st->address[o->dst_amode - 1][lane]) % VIVSIM_TEMPS;

			s->st->temps[reg][c][lane] = v[lane];
			s->st->written[reg] |= 1 << c;
		}
	}
}

/* --- running ----------------------------------------------------------------------- */

static void step(struct vivsim_step *s)
{
	struct vivsim_state *st = s->st;
	struct vivsim_op shared;

	s->o = &st->ops[s->at];
	if (s->o->two_uniforms && !st->env->many_uniforms) {
		event(s, VIVSIM_TWO_UNIFORMS);
		shared = *s->o;	/* not bound */
		share_uniform(&shared);
		s->o = &shared;
	}
	s->need = s->o->old_one && st->env->before_gc3000 ? 1 : s->o->need;
	st->instructions++;
	for (unsigned int i = 0; i < 3; i++) {
		s->src[i] = s->o->bound_to[i];
		if (!(s->o->bound >> i & 1))
			fetch(s, i);
	}
	if (s->o->in_place && s->mask == 0xff) {
		s->out = st->temps[s->o->dst_reg];
		s->o->run(s);
		st->written[s->o->dst_reg] |= s->o->comps;
		return;
	}
	s->out = s->made;
	s->o->run(s);
	if (s->o->writes)
		write_result(s);
}

/*
 * The same of an op whose sources are all bound and whose result goes to its place, in all lanes.
 */
static inline void quick_step(struct vivsim_step *s, const struct vivsim_op *o)
{
	s->o = o;
	s->need = o->need;
	s->st->instructions++;
	for (unsigned int i = 0; i < 3; i++)
		s->src[i] = o->bound_to[i];
	s->out = s->st->temps[o->dst_reg];
	o->run(s);
	s->st->written[o->dst_reg] |= o->comps;
}

/* The lanes at the lowest address go on until they jump or meet others. */
static bool run_some(struct vivsim_state *st, unsigned int *limit)
{
	struct vivsim_step s;
	unsigned int meet;

	s.st = st;
	s.at = st->pc[__builtin_ctz(st->live)];
	s.mask = st->live;
	meet = ~0u;
	/* As a rule they are all at one place. */
	if (v8_mask(st->pc != s.at) & st->live)
		s.mask = v8_lowest(st->pc, st->live, &s.at, &meet);
	s.jumped = false;
	s.lanes = v8_lanes(s.mask);
	for (; s.at < meet; s.at++) {
		if (s.at >= st->count) {
			/* The end of the code is the end of the shader; past it there is nothing. */
			if (s.at > st->count) {
				go_to(&s, s.at);
				st->fault = (struct sim_fault){ s.at, "jump past the end of the shader" };
				return false;
			}
			st->live &= ~s.mask;
			return true;
		}
		if (!*limit)
			break;
		--*limit;
		if (s.mask == 0xff && st->ops[s.at].quick) {
			quick_step(&s, &st->ops[s.at]);
			continue;
		}
		step(&s);
		if (s.jumped)
			return !st->fault.reason;
	}
	go_to(&s, s.at);
	return true;
}

void vivsim_begin(struct vivsim_state *state, const struct vivsim_op *ops, size_t count,
		  const struct vivsim_env *env, uint8_t mask)
{
	memset(state->address, 0, sizeof(state->address));
	state->pc = (v8u){ 0 };
	memset(state->written, 0, sizeof(state->written));
	memset(state->depth, 0, sizeof(state->depth));
	memset(state->loop_depth, 0, sizeof(state->loop_depth));
	state->discarded = state->waiting = 0;
	state->instructions = 0;
	state->events = 0;
	state->fault = (struct sim_fault){ 0 };
	state->ops = ops;
	state->count = count;
	state->env = env;
	state->live = mask;
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

enum vivsim_deed vivsim_deed(const struct vivsim_op *ops, size_t count)
{
	enum vivsim_deed deed = VIVSIM_COMPUTES;

	for (size_t i = 0; i < count; i++)
		deed = ops[i].deed < deed ? ops[i].deed : deed;
	return deed;
}

void vivsim_run_straight(struct vivsim_state *state, unsigned int start, uint8_t mask)
{
	struct vivsim_step s;

	s.st = state;
	s.mask = mask;
	s.lanes = v8_lanes(mask);
	for (s.at = start; s.at < state->count; s.at++) {
		if (state->ops[s.at].quick)
			quick_step(&s, &state->ops[s.at]);
		else
			step(&s);
	}
}
