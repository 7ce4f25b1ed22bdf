// SPDX-License-Identifier: MIT
/* Midgard: the vector and scalar units. What ops do is midgard_sem.inc; here operands come and results go. */
#include <fenv.h>
#include <math.h>

#include "isa/half.h"
#include "sim/midgard_code.h"

/* --- What bodies need for one lane ------------------------------------------------------------ */

#define PI 3.14159265358979323846

/* What brings the largest exponent of these down to 0. */
static double reduction(double x, double y, double z, double w)
{
	const double v[4] = { x, y, z, w };
	int largest = 0, e;
	bool any = false;

	for (unsigned int i = 0; i < 4; i++) {
		if (v[i] == 0 || !isfinite(v[i]))
			continue;
		frexp(v[i], &e);
		largest = any && largest > e ? largest : e;
		any = true;
	}
	return ldexp(1, -largest);
}

/* GUESS(md-atan-step): the first step of atan2(a, b). x: an angle to start from; z times w: what is left for the second. */
static double atan_step(double a, double b, unsigned int component)
{
	bool steep = fabs(a) > fabs(b);

	switch (component) {
	case 0:
		if (steep)
			return copysign(PI / 2, a);
		return b < 0 || (b == 0 && signbit(b)) ? copysign(PI, a) : 0;
	case 2:
		return steep ? -b : a;
	case 3:
		return a == 0 && b == 0 ? 0 : 1 / (steep ? a : b);
	}
	return 0;
}

/* --- Bodies: once for lanes of up to 32 bits, once for 64 ----------------------------------------- */

#define EACH(type, e) ({ type each_; for (int n = 0; n < SIM_LANES; n++) each_[n] = (e); each_; })
#define PICK(type, condition, yes, no) ((type)(((IV)(yes) & (IV)(condition)) | ((IV)(no) & ~(IV)(condition))))
#define X(i) (args->x[i].FIELD(f, d))
#define Y(i) (args->y[i].FIELD(f, d))
#define XI(i) (args->x[i].FIELD(u, ul))
#define YI(i) (args->y[i].FIELD(u, ul))
#define BODY(id, field, ...) \
	static __attribute__((unused)) void NAMED(id)(union md_value *result, const struct md_args *args) \
	{ \
		const unsigned int bits = args->bits, c = args->c; \
		const IV z = args->z.FIELD(i, l); \
		__VA_ARGS__ \
		(void)bits, (void)c, (void)z; \
	}
#define FLOATS(id, e) BODY(id, f, const FV a = X(0), b = Y(0); result->FIELD(f, d) = (e); (void)a, (void)b;)
#define TRUTHS(id, e) BODY(id, f, const FV a = X(0), b = Y(0); result->FIELD(i, l) = (e); (void)b;)
#define OPERANDS \
	const unsigned int cut = BITS - bits; \
	const UV ua = XI(0) << cut >> cut, ub = YI(0) << cut >> cut; \
	const IV a = (IV)(XI(0) << cut) >> cut, b = (IV)(YI(0) << cut) >> cut; \
	(void)a, (void)b, (void)ua, (void)ub;
#define CONVERTS(id, e) BODY(id, f, OPERANDS result->FIELD(f, d) = (e);)
#define INTS(id, e) BODY(id, f, OPERANDS result->FIELD(u, ul) = (UV)(e);)

#define BITS 32
#define FV v8f
#define IV v8i
#define UV v8u
#define flt float
#define FIELD(narrow, wide) narrow
#define NAMED(id) id##_32
#include "sim/midgard_sem.inc"
#undef BITS
#undef FV
#undef IV
#undef UV
#undef flt
#undef FIELD
#undef NAMED
#define BITS 64
#define FV v8d
#define IV v8l
#define UV v8ul
#define flt double
#define FIELD(narrow, wide) wide
#define NAMED(id) id##_64
#include "sim/midgard_sem.inc"

/* By op: an op whose body is missing does not compile. */
#define NONE_32 NULL
#define NONE_64 NULL
static md_body *const bodies[MD_OPS][2] = {
#define ALU(id, code, name, sem, props, why, note) [MD_OP_##id] = { sem##_32, sem##_64 },
#include "isa/midgard_ops.inc"
};

/* --- Halves ------------------------------------------------------------------------------------------ */

v8f md_half_to_float(v8u h)
{
	v8u magnitude = h & 0x7fff, special = (v8u)(magnitude >= 0x7c00) & 0x7f800000;

	return (v8f)((v8u)((v8f)(magnitude << 13) * 0x1p112f) | special | (h & 0x8000) << 16);
}

v8u md_float_to_half(v8f f, unsigned int mode)
{
	v8u bits = (v8u)f, a = bits & 0x7fffffff, sign = bits >> 16 & 0x8000, out, up, down, nan;
	v8f have;

	out = (a + 0xfff + (a >> 13 & 1) - 0x38000000) >> 13;
	/* Below 2^-14 a count of 2^-24, which the sum rounds; 65520 and more is infinity. */
	out = v8_choose(a < 0x38800000, (v8u)((v8f)a + 0.5f) - 0x3f000000, out);
	out = v8_choose(a >= 0x477ff000, v8_word(0x7c00), out);
	nan = 0x7c00 | (a >> 13 & 0x3ff);
	nan |= (v8u)(nan == 0x7c00) & 1;
	out = v8_choose(a > 0x7f800000, nan, out) | sign;
	if (!mode)
		return out;
	/* One step is 1 in sign and magnitude; beyond zero lies the least number of the other sign. */
	have = md_half_to_float(out);
	down = (v8u)(have > f) & (mode == 2 ? ~0u : mode == 1 ? ~0u : 0);
	up = (v8u)(have < f) & (mode == 3 ? ~0u : mode == 1 ? ~0u : 0);
	if (mode == 1) {
		down &= (v8u)(f > 0);
		up &= (v8u)(f < 0);
	}
	out = v8_choose((v8i)down, v8_choose((out & 0x8000) != 0, out + 1, v8_choose(out == 0, v8_word(0x8001), out - 1)), out);
	return v8_choose((v8i)up, v8_choose(out == 0x8000, v8_word(1), v8_choose((out & 0x8000) != 0, out - 1, out + 1)), out);
}

/* --- Operands ------------------------------------------------------------------------------------------ */

static v8u raw32(const v8u r[4], unsigned int element, unsigned int bits)
{
	unsigned int each = 32 / bits, shift = element % each * bits;

	return bits == 32 ? r[element & 3] : r[element / each & 3] >> shift & ((1u << bits) - 1);
}

/* An integer of have bits as one of twice as many. */
static v8ul widened(v8ul v, unsigned int have, unsigned int mod)
{
	switch (mod) {
	case 0:
		return (v8ul)((v8l)(v << (64 - have)) >> (64 - have));
	case 2:
		return v | v << have;
	case 3:
		return v << have;
	}
	return v;
}

static void fetch(const struct md_run *t, const struct md_alu *k, const struct md_source *s, unsigned int i,
		  union md_value *out)
{
	const v8u *r = s->reg == MD_CONSTANTS ? t->code->constants : t->s->r[s->reg];
	unsigned int e = s->element[i];
	bool integer = k->op->props & MD_P_IN_INT;

	if (s->immediate) {
		*out = k->immediate;
		return;
	}
	if (k->bits < 64) {
		out->u = raw32(r, e, s->bits);
		if (integer && s->bits < k->bits)
			out->u = __builtin_convertvector(widened(__builtin_convertvector(out->u, v8ul), s->bits, s->mod), v8u);
		if (integer)
			return;
		if (s->bits < 32)
			out->f = md_half_to_float(out->u);
		out->u &= s->mod & 1 ? 0x7fffffffu : ~0u;
		out->u ^= s->mod & 2 ? 0x80000000u : 0;
		return;
	}
	if (s->bits == 64)
		out->ul = __builtin_convertvector(r[e & 3], v8ul) | __builtin_convertvector(r[e >> 2], v8ul) << 32;
	else if (integer)
		out->ul = widened(__builtin_convertvector(r[e & 3], v8ul), 32, s->mod);
	else
		out->d = __builtin_convertvector((v8f)r[e & 3], v8d);
	if (!integer) {
		out->ul &= s->mod & 1 ? UINT64_MAX >> 1 : UINT64_MAX;
		out->ul ^= (uint64_t)(s->mod >> 1 & 1) << 63;
	}
}

/* --- Results ---------------------------------------------------------------------------------------------- */

v8f md_clamp(v8f v, unsigned int outmod)
{
	v8f low = v8_splat(outmod == 2 ? -1 : 0), high = v8_splat(1);

	v = outmod ? v8_select(v > low, v, low) : v;
	return outmod > 1 ? v8_select(v < high, v, high) : v;
}

static v8d clamp_wide(v8d v, unsigned int outmod)
{
	v8d low = (v8d){ 0 } + (outmod == 2 ? -1 : 0), high = (v8d){ 0 } + 1;

	v = outmod ? (v8d)(((v8l)v & (v > low)) | ((v8l)low & ~(v > low))) : v;
	return outmod > 1 ? (v8d)(((v8l)v & (v < high)) | ((v8l)high & ~(v < high))) : v;
}

/* An integer of bits that is stored with half of them. */
static v8ul shrunk(v8ul v, unsigned int bits, unsigned int outmod)
{
	int64_t top = (1ll << (bits / 2 - 1)) - 1;
	v8ul u = v << (64 - bits) >> (64 - bits);
	v8l s = (v8l)(v << (64 - bits)) >> (64 - bits), low = (v8l){ 0 } + (outmod ? 0 : -top - 1), high;

	if (outmod == 2)
		return u;
	if (outmod == 3)
		return u >> bits / 2;
	/* GUESS(md-unsigned-sat): unsigned saturation is of a signed value; below 0 becomes 0. */
	high = (v8l){ 0 } + (outmod ? 2 * top + 1 : top);
	s = (s & (s > low)) | (low & ~(s > low));
	return (v8ul)((s & (s < high)) | (high & ~(s < high)));
}

static void put(struct md_write *w, unsigned int element, unsigned int bits, v8u v)
{
	unsigned int each = 32 / bits, shift = element % each * bits;
	uint32_t mask = bits == 32 ? ~0u : ((1u << bits) - 1) << shift;

	element = element / each & 3;
	w->value[element] = (w->value[element] & ~mask) | (v << shift & mask);
	w->bits[element] |= mask;
}

/* Modifies, rounds and stores one component. */
static void finish(const struct md_alu *k, unsigned int element, union md_value v, struct md_write *w)
{
	unsigned int mode = MD_ROUND_OF(k->op->props);
	bool shrinks = k->dest_bits < k->bits;

	if (k->op->props & MD_P_OUT_INT) {
		if (k->bits < 64 && shrinks)
			v.u = __builtin_convertvector(shrunk(__builtin_convertvector(v.u, v8ul), k->bits, k->outmod), v8u);
		else if (shrinks)
			v.u = __builtin_convertvector(shrunk(v.ul, 64, k->outmod), v8u);
	} else if (k->bits == 64) {
		v.d = clamp_wide(v.d, k->outmod);
		if (shrinks)
			v.f = __builtin_convertvector(v.d, v8f);
	} else {
		v.f = md_clamp(v.f, k->outmod);
		if (k->dest_bits < 32)
			v.u = md_float_to_half(v.f, mode);
	}
	if (k->dest_bits < 64) {
		put(w, element, k->dest_bits, v.u);
		return;
	}
	put(w, 2 * element, 32, __builtin_convertvector(v.ul, v8u));
	put(w, 2 * element + 1, 32, __builtin_convertvector(v.ul >> 32, v8u));
}

/* --- Instructions -------------------------------------------------------------------------------------------- */

void md_decode_alu(const struct isa_op *op, const struct isa_bits *b, struct md_alu *k)
{
	unsigned int mode = md_get(b, vec_mode), shrink = md_get(b, vec_shrink), full = md_get(b, sca_out_full);
	v8f half;

	memset(k, 0, sizeof(*k));
	k->op = op;
	k->dest = md_written(md_get(b, vec_dest));
	md_source_of(b, op, false, &k->source[0]);
	md_source_of(b, op, true, &k->source[1]);
	if (op->unit == MD_U_SCALAR) {
		k->bits = 32;
		k->dest_bits = full ? 32 : 16;
		k->outmod = md_get(b, sca_outmod);
		k->element[k->count++] = md_get(b, sca_out_comp) >> full;
	} else {
		k->bits = 8u << mode;
		k->dest_bits = shrink < 2 && mode ? k->bits / 2 : k->bits;
		k->outmod = md_get(b, vec_outmod);
		for (unsigned int i = 0; i < 16u >> mode; i++) {
			if (!(md_get(b, vec_mask) >> (i << mode) / 2 & 1))
				continue;
			k->component[k->count] = i;
			k->element[k->count++] = i + (shrink == 1 ? 16u >> mode : 0);
		}
	}
	k->body = isa_has_semantics(op) ? bodies[op->id][k->bits == 64] : NULL;
	half = md_half_to_float((v8u){ 0 } + k->source[1].value);
	/* Integers are signed: Mesa embedded_to_inline_constant() takes those that 16 bits hold with their sign. */
	if (k->bits == 64 && op->props & MD_P_IN_INT)
		k->immediate.l = (v8l){ 0 } + (int16_t)k->source[1].value;
	else if (k->bits == 64)
		k->immediate.d = __builtin_convertvector(half, v8d);
	else if (op->props & MD_P_IN_INT)
		k->immediate.i = (v8i){ 0 } + (int16_t)k->source[1].value;
	else
		k->immediate.f = half;
}

/* Over components: do all of the comparisons hold, or any? */
static void compare_components(const struct md_alu *k, struct md_args *args, union md_value *out)
{
	bool all = k->op->props & MD_P_ALL;
	union md_value one = { .ul = { 0 } };

	memset(out, all ? 0xff : 0, sizeof(*out));
	for (unsigned int i = 0; i < MD_CHANNELS_OF(k->op->props); i++) {
		k->body(&one, args);
		/* As many bits of it count as the lanes have. */
		out->ul = all ? out->ul & one.ul : out->ul | one.ul;
		args->x++;
		args->y++;
	}
}

/* The selector of component n: all of r31.w, or what r31 has there. */
static void select_by(const struct md_run *t, const struct md_alu *k, unsigned int n, union md_value *z)
{
	const v8u *r = t->s->r[MD_CONDITION];
	unsigned int i = k->op->unit == MD_U_SCALAR ? k->element[n] : k->component[n];

	if (k->op->props & MD_P_SELECT)
		z->u = r[3];
	else if (k->op->props & MD_P_SELECT_VECTOR && k->bits < 64)
		z->u = raw32(r, i, k->bits);
	if (k->bits == 64)
		z->l = __builtin_convertvector(z->i, v8l);
	if (k->bits == 64 && k->op->props & MD_P_SELECT_VECTOR)
		z->ul = __builtin_convertvector(r[2 * i], v8ul) | __builtin_convertvector(r[2 * i + 1], v8ul) << 32;
}

void md_run_alu(struct md_run *t, const struct md_alu *k, struct md_write *w)
{
	static const int modes[4] = { FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD };
	unsigned int props = k->op->props, channels = MD_CHANNELS_OF(props), mode = MD_ROUND_OF(props), count = 1;
	struct md_args args = { .bits = k->bits, .z.ul = { 0 } };
	union md_value x[16], y[16], result;
	int rounding = mode ? fegetround() : 0;

	w->reg = k->dest;
	if (props & MD_P_ACROSS || channels)
		count = channels ? channels : 128u / k->bits;
	if (mode)
		fesetround(modes[mode]);
	for (unsigned int n = 0; n < k->count; n++) {
		unsigned int i = k->component[n];

		for (unsigned int j = 0; j < count && (count == 1 || !n); j++) {
			fetch(t, k, &k->source[0], count == 1 ? i : j, &x[j]);
			fetch(t, k, &k->source[1], count == 1 ? i : j, &y[j]);
		}
		args.x = x;
		args.y = y;
		args.c = i;
		select_by(t, k, n, &args.z);
		if (channels && !(props & MD_P_ACROSS))
			compare_components(k, &args, &result);
		else
			k->body(&result, &args);
		finish(k, k->element[n], result, w);
	}
	if (mode)
		fesetround(rounding);
}
