// SPDX-License-Identifier: MIT
/* The bodies of vivante_sem.inc as functions over eight lanes, and what they call. */
#include <math.h>
#include <string.h>

#include "isa/half.h"
#include "sim/vivante_internal.h"

/* --- what bodies call ------------------------------------------------------------ */

static v8u narrow(const struct vivsim_step *s, v8u v)
{
	unsigned int n = s->o->narrow;

	return s->o->is_signed ? (v8u)((v8i)(v << n) >> n) : v << n >> n;
}

/* Conditions of one operand look at a alone. */
#define CONDITION(T, suffix) \
static inline v8i holds_##suffix(unsigned int cond, T a, T b) \
{ \
	switch (cond) { \
	case VIV_TRUE: return (v8i){ 0 } - 1; \
	case VIV_GT: return a > b; \
	case VIV_LT: return a < b; \
	case VIV_GE: return a >= b; \
	case VIV_LE: return a <= b; \
	case VIV_EQ: return a == b; \
	case VIV_NE: return a != b; \
	/* GUESS(sh-condition-logic): logic on what is not 0; xor and not on all bits together. */ \
	case VIV_AND: return ((v8u)a != 0) & ((v8u)b != 0); \
	case VIV_OR: return ((v8u)a | (v8u)b) != 0; \
	case VIV_XOR: return ((v8u)a != 0) ^ ((v8u)b != 0); \
	case VIV_NOT: return (v8u)a == 0; \
	case VIV_NZ: return a != 0; \
	case VIV_GEZ: return a >= 0; \
	case VIV_GZ: return a > 0; \
	case VIV_LEZ: return a <= 0; \
	case VIV_LZ: return a < 0; \
	case VIV_SELMSB: return (v8i)a < 0;	/* GUESS(sh-selmsb): by its name */ \
	default: return (v8i){ 0 }; \
	} \
}

CONDITION(v8f, f)
CONDITION(v8i, s)
CONDITION(v8u, u)

static v8i condition(const struct vivsim_step *s, unsigned int component)
{
	v8u a = *s->src[0][component], b = *s->src[1][component];

	if (!integer_type(s->o->type))
		return holds_f(s->o->cond, (v8f)a, (v8f)b);
	return s->o->is_signed ? holds_s(s->o->cond, (v8i)a, (v8i)b) : holds_u(s->o->cond, a, b);
}

static int64_t saturated(const struct vivsim_step *s, int64_t v, bool is_signed)
{
	unsigned int n = 32 - s->o->narrow;
	int64_t hi = (1ll << (n - is_signed)) - 1, lo = is_signed ? ~hi : 0;

	/* Unsigned products need all 64 bits. */
	if (!is_signed)
		return (uint64_t)v > (uint64_t)hi ? hi : v;
	return v < lo ? lo : v > hi ? hi : v;
}

static int64_t high(const struct vivsim_step *s, int64_t a, int64_t b, bool is_signed)
{
	unsigned int n = 32 - s->o->narrow;

	return is_signed ? (int32_t)(a * b >> n) : (int64_t)(uint32_t)((uint64_t)a * (uint64_t)b >> n);
}

static uint32_t extract(uint32_t a, uint32_t first, uint32_t count, bool is_signed)
{
	uint32_t v = first < 32 ? a >> first : 0;

	if (!count || count >= 32)
		return count ? v : 0;
	v &= (1u << count) - 1;
	return is_signed && v >> (count - 1) ? v | ~0u << count : v;
}

/*
 * Out of range saturates. NaN: 0 on GC3000; before, the largest number of its sign (etnaviv_gpu_tests
 * etnaviv_verifyops.c, f2i_s32_gc2000, f2i_u32_gc2000).
 */
static uint32_t to_integer(const struct vivsim_step *s, float x, bool round)
{
	double y = round && s->o->rounding != 1 ? rintf(x) : truncf(x);

	if (x != x)
		y = !s->st->env->before_gc3000 ? 0 : signbit(x) ? -1e10 : 1e10;
	return (uint32_t)saturated(s, s->o->is_signed || y > 0 ? (int64_t)fmax(fmin(y, 1e10), -1e10) : 0, s->o->is_signed);
}

static void set_address(struct vivsim_step *s, bool is_float)
{
	for (int c = 0; c < 4; c++) {
		v8i v = (v8i)*s->src[2][c];

		if (!(s->o->comps >> c & 1))
			continue;
		for (int lane = 0; is_float && lane < SIM_LANES; lane++) {
			float f = floorf(((v8f)*s->src[2][c])[lane]);

			v[lane] = f > -1e6f && f < 1e6f ? (int)f : 0;
		}
		s->st->address[c] = (v8i)v8_choose(s->lanes, (v8u)v, (v8u)s->st->address[c]);
	}
}

static void texture(struct vivsim_step *s, enum vivsim_lod mode)
{
	const struct vivsim_env *env = s->st->env;
	unsigned int amode = s->o->tex_amode, left = s->mask;
	bool indexed = amode >= 1 && amode <= 4;
	struct vivsim_sample sample;
	v8f rgba[4] = { 0 };

	sample.lod_mode = mode;
	for (int c = 0; c < 4; c++) {
		sample.coord[c] = (v8f)*s->src[0][c];
		/*
		 * GUESS(sh-texldd-source): the coordinates beside, as the newest Mesa has it (etnaviv_nir_lower_texture.c).
		 * 25.0 gives the derivatives, with which a GC2000 fails piglit's gradients (etnaviv-gc2000-fails.txt).
		 */
		if (mode == VIVSIM_LOD_GRADIENT) {
			sample.ddx[c] = (v8f)*s->src[1][c] - sample.coord[c];
			sample.ddy[c] = (v8f)*s->src[2][c] - sample.coord[c];
		}
		/* Texels are counted in integers, their level is a float (the same file). */
		if (mode == VIVSIM_LOD_TEXEL && c < 3)
			sample.coord[c] = __builtin_convertvector((v8i)sample.coord[c], v8f);
	}
	/* In src0.w where src2 is a coordinate (the same file). */
	sample.reference = mode == VIVSIM_LOD_GRADIENT ? sample.coord[3] : (v8f)*s->src[2][0];
	/* GUESS(sh-lod-source): newer parts give bias and level in src1, older in src0.w (Mesa, by model). */
	if (s->o->src[1].use && mode != VIVSIM_LOD_GRADIENT)
		sample.coord[3] = (v8f)*s->src[1][0];
	sample.sampler = s->o->tex_id;
	sample.mask = s->mask;
	if (!indexed && env->sample)
		env->sample(env->ctx, &sample, rgba);
	while (indexed && left && env->sample) {
		v8i offset = s->st->address[amode - 1];
		int first = __builtin_ctz(left);
		v8f got[4] = { 0 };

		sample.mask = (uint8_t)(left & v8_mask(offset == offset[first]));
		sample.sampler = s->o->tex_id + (unsigned int)offset[first];
		env->sample(env->ctx, &sample, got);
		for (int c = 0; c < 4; c++)
			rgba[c] = v8_select(v8_lanes(sample.mask), got[c], rgba[c]);
		left &= ~sample.mask;
	}
	for (int c = 0; c < 4; c++)
		s->out[c] = (v8u)rgba[s->o->tex_swizzle >> 2 * c & 3];
}

/* --- memory ------------------------------------------------------------------------ */

/* One word: in memory, or .local, in that of the work group. */
static bool access_word(const struct vivsim_step *s, uint32_t address, uint32_t *v, bool write)
{
	const struct vivsim_env *env = s->st->env;

	if (!s->o->local && write)
		return env->store && env->store(env->ctx, address, *v);
	if (!s->o->local)
		return env->load && env->load(env->ctx, address, v);
	if (!env->local || address >= env->local_bytes)
		return false;
	*(write ? &env->local[address / 4] : v) = write ? *v : env->local[address / 4];
	return true;
}

static unsigned int bytes_of(const struct vivsim_op *o)
{
	return o->type == VIV_F16 ? 2 : 4 - o->narrow / 8;
}

/* A number of the op's type in memory. GUESS(sh-load-half): a half is one there and a float in the register. */
static bool read_value(const struct vivsim_step *s, uint32_t address, uint32_t *v)
{
	unsigned int n = bytes_of(s->o), byte = address & (4 - n);
	bool there = access_word(s, n == 4 ? address : address & ~3u, v, false);

	*v = there ? *v >> byte * 8 : 0;
	*v = s->o->type == VIV_F16 ? as_bits(half_to_float(*v & 0xffff)) :
	     s->o->is_signed ? (uint32_t)((int32_t)(*v << s->o->narrow) >> s->o->narrow) : *v << s->o->narrow >> s->o->narrow;
	return there;
}

static bool write_value(const struct vivsim_step *s, uint32_t address, uint32_t v)
{
	unsigned int n = bytes_of(s->o), shift = 8 * (address & (4 - n));
	uint32_t mask, word;

	if (n == 4)
		return access_word(s, address, &v, true);
	mask = ((1u << 8 * n) - 1) << shift;
	v = s->o->type == VIV_F16 ? half_from_float(as_float(v)) : v;
	if (!access_word(s, address & ~3u, &word, false))
		return false;
	word = (word & ~mask) | (v << shift & mask);
	return access_word(s, address & ~3u, &word, true);
}

/* src0.x + (src1.x << shift). */
static v8u address_of(const struct vivsim_step *s)
{
	return *s->src[0][0] + (*s->src[1][0] << s->o->left_shift);
}

/*
 * load: one number of the type for each component that is written, without gaps (Mesa's register allocator keeps
 * them together, and in whichever components it likes).
 */
static void load_words(struct vivsim_step *s)
{
	v8u address = address_of(s);
	bool once = same(s, (v8i)address);

	for (int c = 0; c < 4; c++) {
		s->out[c] = v8_word(0);
		if (!(s->o->comps >> c & 1))
			continue;
		EACH_LANE(s->mask) {
			uint32_t v = 0;

			if (!read_value(s, address[lane], &v))
				event(s, VIVSIM_MEMORY);
			if (once) {
				s->out[c] = v8_word(v);
				break;
			}
			s->out[c][lane] = v;
		}
		address += bytes_of(s->o);
	}
}

/*
 * An atomic op: what becomes of old; v: this component of source 2, x and next: its x and y. NULL: it is v, and old is
 * not read.
 */
typedef uint32_t vivsim_atomic(uint32_t old, uint32_t v, uint32_t x, uint32_t next, bool less);

/* store and atomics, lane after lane. GUESS(sh-store-place): component c in the place c, unlike load. */
static void exchange(struct vivsim_step *s, vivsim_atomic *change)
{
	v8u x = *s->src[2][0], next = *s->src[2][1];

	for (unsigned int c = 0; c < 4; c++) {
		v8u address = address_of(s) + bytes_of(s->o) * c, v = *s->src[2][c];

		s->out[c] = v8_word(0);
		if (!(s->o->comps >> c & 1))
			continue;
		EACH_LANE(s->mask) {
			uint32_t old = 0, new = v[lane];
			bool there = !change || read_value(s, address[lane], &old);
			bool less = s->o->is_signed ? (int32_t)v[lane] < (int32_t)old : v[lane] < old;

			if (change)
				new = change(old, v[lane], x[lane], next[lane], less);
			s->out[c][lane] = old;
			if (!there || !write_value(s, address[lane], new))
				event(s, VIVSIM_MEMORY);
		}
	}
}

/*
 * img_load, img_store: an image as src0 describes it (rnndb). GUESS(sh-image-layout): a texel is
 * the components written, each of the type; slices follow each other; outside
 * reads 0 and is not written.
 */
static void access_image(struct vivsim_step *s, bool store, bool slices)
{
	const struct vivsim_op *o = s->o;
	unsigned int n = o->comps ? 32 - (unsigned int)__builtin_clz(o->comps) : 0;

	for (int c = 0; c < 4; c++)
		s->out[c] = v8_word(0);
	EACH_LANE(s->mask) {
		uint32_t size = (*s->src[0][2])[lane], width = size & 0xffff, height = size >> 16;
		uint32_t x = (*s->src[1][0])[lane], y = (*s->src[1][1])[lane], z = slices ? (*s->src[1][2])[lane] : 0;
		uint32_t at = (*s->src[0][0])[lane] + (z * height + y) * (*s->src[0][1])[lane] + x * n * bytes_of(o);

		if (x >= width || y >= height)
			continue;
		for (unsigned int c = 0; c < 4; c++, at += bytes_of(o)) {
			uint32_t v = 0;

			if (!(o->comps >> c & 1))
				continue;
			if (store ? !write_value(s, at, (*s->src[2][c])[lane]) : !read_value(s, at, &v))
				event(s, VIVSIM_MEMORY);
			s->out[c][lane] = v;
		}
	}
}

/* --- branches, calls, loops -------------------------------------------------------- */

static void go_on(struct vivsim_step *s)
{
	s->jumped = true;
	go_to(s, s->at + 1);
}

/* Running lanes in which src0 COND src1 holds, in component x or in any. They all go on behind the instruction at first. */
static v8i holds(struct vivsim_step *s, bool any)
{
	v8i yes = condition(s, 0);

	for (unsigned int c = 1; any && c < 4; c++)
		yes |= condition(s, c);
	go_on(s);
	return yes & s->lanes;
}

static void jump(struct vivsim_step *s, bool any, bool call)
{
	struct vivsim_state *st = s->st;
	v8i taken = holds(s, any);

	EACH_LANE(s->mask) {
		if (!call || !taken[lane])
			continue;
		if (st->depth[lane] == VIV_SHADER_NEST) {
			st->fault = (struct sim_fault){ s->at, "calls nest too deeply" };
			return;
		}
		st->calls[lane][st->depth[lane]++] = s->at + 1;
	}
	st->pc = v8_choose(taken, v8_word(s->o->target), st->pc);
}

/* GUESS(sh-return-outermost): a return from the outermost level ends the shader. */
static void return_from_call(struct vivsim_step *s)
{
	struct vivsim_state *st = s->st;

	go_on(s);
	EACH_LANE(s->mask) {
		if (!st->depth[lane])
			st->live &= ~(1u << lane);
		else
			st->pc[lane] = st->calls[lane][--st->depth[lane]];
	}
}

static void wait_for_group(struct vivsim_step *s)
{
	if (!s->st->env->local)
		return;
	go_on(s);
	s->st->waiting |= s->mask;
	s->st->live &= ~s->mask;
}

static void kill_lanes(struct vivsim_step *s)
{
	s->st->discarded |= v8_mask(holds(s, false));
	s->st->live &= ~s->st->discarded;
}

/* Behind the endrep or endloop of the rep or loop at s->at. */
static unsigned int behind_loop(const struct vivsim_step *s)
{
	unsigned int depth = 1, i = s->at + 1;

	for (; i < s->st->count && depth; i++) {
		unsigned int id = s->st->ops[i].id;

		depth += id == VIV_OP_rep || id == VIV_OP_loop;
		depth -= id == VIV_OP_endrep || id == VIV_OP_endloop;
	}
	return i;
}

/*
 * rep, loop and their ends. GUESS(sh-loop-counts): as in DirectX's shader assembly, which the
 * set is made after (rnndb): counts are integers, of a float type rounded down.
 */
static void repeat(struct vivsim_step *s, bool indexed)
{
	struct vivsim_state *st = s->st;

	go_on(s);
	EACH_LANE(s->mask) {
		int v[3];

		for (int c = 0; c < 3; c++) {
			float f = floorf(((v8f)*s->src[0][c])[lane]);

			v[c] = integer_type(s->o->type) ? (int)(*s->src[0][c])[lane] : f > -1e6f && f < 1e6f ? (int)f : 0;
		}
		if (v[0] <= 0) {
			st->pc[lane] = behind_loop(s);
			continue;
		}
		if (st->loop_depth[lane] == VIV_SHADER_NEST) {
			st->fault = (struct sim_fault){ s->at, "loops nest too deeply" };
			return;
		}
		st->loops[lane][st->loop_depth[lane]++] = (struct vivsim_loop){ s->at + 1, v[0], v[2], indexed };
		if (indexed)
			st->address[0][lane] = v[1];
	}
}

static void repeat_end(struct vivsim_step *s)
{
	struct vivsim_state *st = s->st;

	go_on(s);
	EACH_LANE(s->mask) {
		struct vivsim_loop *l;

		if (!st->loop_depth[lane])
			continue;
		l = &st->loops[lane][st->loop_depth[lane] - 1];
		st->address[0][lane] = (int)((unsigned int)st->address[0][lane] + (l->indexed ? (unsigned int)l->step : 0));
		if (--l->left > 0)
			st->pc[lane] = l->start;
		else
			st->loop_depth[lane]--;
	}
}

/* --- bodies as functions ------------------------------------------------------------ */

#define COMPONENTS for (unsigned int i = 0; i < 4; i++) if (s->need >> i & 1)
#define OPERAND(T, n) __attribute__((unused)) T n
#define VECTORS(T) OPERAND(T, a) = (T)*s->src[0][i]; OPERAND(T, b) = (T)*s->src[1][i]; OPERAND(T, c) = (T)*s->src[2][i]
#define LANE(T, X) OPERAND(T, a) = X(0, i, lane); OPERAND(T, b) = X(1, i, lane); OPERAND(T, c) = X(2, i, lane)
#define WORD(n, i, lane) (*s->src[n][i])[lane]
#define FLOAT(n, i, lane) ((v8f)*s->src[n][i])[lane]
#define SIGNED(n, i, lane) (int32_t)(*s->src[n][i])[lane]
#define ALL_LANES for (int lane = 0; lane < SIM_LANES; lane++)
#define NARROWED(i) (s->out[i] = s->o->narrow ? narrow(s, s->out[i]) : s->out[i])

#define F1 v8_splat(1.0f)
#define ONE(x) _Generic((x), v8f: F1, v8i: (v8i){ 0 } + 1, v8u: (v8u){ 0 } + 1)
#define NARROW(x) _Generic((x), v8f: (x), v8i: (v8i)narrow(s, (v8u)(x)), v8u: narrow(s, (v8u)(x)))
#define HOLDS(x, y) _Generic((x), v8f: holds_f, v8i: holds_s, v8u: holds_u)(s->o->cond, x, y)
#define LANES(v, ...) __builtin_shufflevector(v, v, __VA_ARGS__)
#define QUARTERS(x) (s->o->pair ? fmodf(x, 2) * 3.14159265f : fmodf(x, 4) * 1.57079633f)
#define a(i) ((v8f)*s->src[0][i])
#define b(i) ((v8f)*s->src[1][i])
#define c(i) ((v8f)*s->src[2][i])
#define SATURATED(v) saturated(s, v, is_signed)
#define HIGH(x, y) high(s, x, y, is_signed)
#define PRODUCT(x, y) (int64_t)((uint64_t)(x) * (uint64_t)(y))

#define RUN(name) static void name(struct vivsim_step *s)
#define F(id, body) RUN(f_##id) { COMPONENTS { VECTORS(v8f); s->out[i] = (v8u)(body); } }
#define MAP(id, body) RUN(f_##id) { COMPONENTS { v8f v; ALL_LANES { LANE(float, FLOAT); v[lane] = (body); } s->out[i] = (v8u)v; } }
#define I(id, body) RUN(u_##id) { COMPONENTS { VECTORS(v8u); s->out[i] = (body); NARROWED(i); } }
#define FI(id, body) F(id, body) I(id, body)
#define SU(id, body) \
	RUN(s_##id) { COMPONENTS { VECTORS(v8i); s->out[i] = (v8u)(body); NARROWED(i); } } I(id, body)
#define WIDE(name, X, sign, body) RUN(name) { \
	OPERAND(bool, is_signed) = sign; \
	COMPONENTS { v8u v; ALL_LANES { LANE(int64_t, X); v[lane] = (uint32_t)(body); } s->out[i] = v; NARROWED(i); } }
#define L(id, body) WIDE(s_##id, SIGNED, true, body) WIDE(u_##id, WORD, false, body)
#define B(id, body) RUN(any_##id) { COMPONENTS { v8u v; ALL_LANES { LANE(uint32_t, WORD); v[lane] = (body); } s->out[i] = v; } }
#define BITS(name, T, body) RUN(name) { COMPONENTS { VECTORS(T); s->out[i] = (body); } }
#define FSU(id, body) BITS(f_##id, v8f, body) BITS(s_##id, v8i, body) BITS(u_##id, v8u, body)
#define VEC(id, body) RUN(any_##id) { v8f *out = (v8f *)s->out; (void)(body); }
#define ATOMIC(id, body) \
	static uint32_t change_##id(uint32_t old, uint32_t v, uint32_t x, uint32_t next, bool less) { return body; } \
	RUN(any_##id) { exchange(s, change_##id); }
#define DO(id, body) RUN(any_##id) { body; }
#define TEX(id, mode) DO(id, texture(s, mode))

#include "sim/vivante_sem.inc"

/* By types: for floats, signed and unsigned integers. Integer ops without a type are on 32 bits (Mesa's vectors). */
#define BODY_F(id) { f_##id }
#define BODY_FI(id) { f_##id, u_##id, u_##id }
#define BODY_FSU(id) { f_##id, s_##id, u_##id }
#define BODY_I(id) { u_##id, u_##id, u_##id }
#define BODY_SU(id) { s_##id, s_##id, u_##id }
#define BODY_ANY(id) { any_##id, any_##id, any_##id }
#define OP(id, code, shape, s0, s1, s2, dst, types, note) [VIV_OP_##id] = BODY_##types(id),
#define ROW(id, ...)
#define WHY(id, ...)
const struct vivsim_body vivsim_bodies[VIV_OPS] = {
#include "isa/vivante_ops.inc"
};
