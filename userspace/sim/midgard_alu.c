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

/* --- Bodies: once for components of up to 32 bits, once for 64 ------------------------------------- */

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
#define FV float
#define IV int32_t
#define UV uint32_t
#define FIELD(narrow, wide) narrow
#define NAMED(id) id##_32
#include "sim/midgard_sem.inc"
#undef BITS
#undef FV
#undef IV
#undef UV
#undef FIELD
#undef NAMED
#define BITS 64
#define FV double
#define IV int64_t
#define UV uint64_t
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

/* --- Operands ------------------------------------------------------------------------------------------ */

/* Of two components of a register. */
static uint64_t pair(const v8u r[4], unsigned int low, unsigned int high, unsigned int lane)
{
	return r[low][lane] | (uint64_t)r[high][lane] << 32;
}

/* An integer of have bits as one of twice as many. */
static uint64_t widened(uint64_t v, unsigned int have, unsigned int mod)
{
	switch (mod) {
	case 0:
		return (uint64_t)isa_signed(v, have);
	case 2:
		return v | v << have;
	case 3:
		return v << have;
	}
	return v;
}

static union md_value fetch(const struct md_run *t, const struct md_alu *k, const struct md_source *s, unsigned int i, unsigned int lane)
{
	const v8u *r = s->reg == MD_CONSTANTS ? t->code->constants : t->from[s->reg];
	bool integer = k->op->props & MD_P_IN_INT;
	unsigned int e = s->element[i];
	union md_value out;

	if (s->immediate)
		return k->immediate;
	out.ul = s->bits == 64 ? pair(r, e & 3, e >> 2, lane) : md_get_element(r, e, s->bits, lane);
	if (integer)
		out.ul = s->bits < k->bits ? widened(out.ul, s->bits, s->mod) : out.ul;
	else if (k->bits < 64 && s->bits < 32)
		out.f = half_to_float(out.u);
	else if (k->bits == 64 && s->bits < 64)
		out.d = out.f;
	if (!integer && k->bits < 64)
		out.u = (out.u & ~(s->mod & 1u ? 0x80000000u : 0)) ^ (s->mod & 2u) << 30;
	else if (!integer)
		out.ul = (out.ul & ~((uint64_t)(s->mod & 1) << 63)) ^ (uint64_t)(s->mod >> 1 & 1) << 63;
	return out;
}

/* --- Results ---------------------------------------------------------------------------------------------- */

double md_clamp(double v, unsigned int outmod)
{
	double low = outmod == 2 ? -1 : 0;

	v = outmod && !(v > low) ? low : v;
	return outmod > 1 && !(v < 1) ? 1 : v;
}

/* mode: 0 to nearest even, 1 towards 0, 2 down, 3 up. */
static uint16_t round_half(float f, unsigned int mode)
{
	uint16_t h = half_from_float(f);
	float have = half_to_float(h);

	/* One step is 1 in sign and magnitude; beyond zero lies the least number of the other sign. */
	if (have > f && (mode == 2 || (mode == 1 && f > 0)))
		return h & 0x8000 ? h + 1 : h ? h - 1 : 0x8001;
	if (have < f && (mode == 3 || (mode == 1 && f < 0)))
		return h == 0x8000 ? 1 : h & 0x8000 ? h - 1 : h + 1;
	return h;
}

/* An integer of bits that is stored with half of them. */
static uint64_t shrunk(uint64_t v, unsigned int bits, unsigned int outmod)
{
	int64_t top = (1ll << (bits / 2 - 1)) - 1, low = outmod ? 0 : -top - 1, high = outmod ? 2 * top + 1 : top;
	int64_t s = isa_signed(v, bits);

	if (outmod > 1)
		return isa_low(v, bits) >> (outmod == 3 ? bits / 2 : 0);
	/* GUESS(md-unsigned-sat): unsigned saturation is of a signed value; below 0 becomes 0. */
	return (uint64_t)(s < low ? low : s > high ? high : s);
}

/* Modifies, rounds and stores one component. */
static void finish(struct md_run *t, const struct md_alu *k, unsigned int element, unsigned int lane, union md_value v)
{
	bool shrinks = k->dest_bits < k->bits;

	if (k->op->props & MD_P_OUT_INT) {
		v.ul = shrinks ? shrunk(k->bits < 64 ? v.u : v.ul, k->bits, k->outmod) : v.ul;
	} else if (k->bits == 64) {
		v.d = md_clamp(v.d, k->outmod);
		if (shrinks)
			v.f = v.d;
	} else {
		v.f = k->outmod ? md_clamp(v.f, k->outmod) : v.f;
		if (k->dest_bits < 32)
			v.u = round_half(v.f, MD_ROUND_OF(k->op->props));
	}
	if (k->dest_bits < 64) {
		md_put_element(t, k->dest, element, k->dest_bits, lane, v.u);
		return;
	}
	md_put_element(t, k->dest, 2 * element, 32, lane, v.ul);
	md_put_element(t, k->dest, 2 * element + 1, 32, lane, v.ul >> 32);
}

/* --- Instructions -------------------------------------------------------------------------------------------- */

void md_decode_alu(const struct isa_op *op, const struct isa_bits *b, struct md_alu *k)
{
	unsigned int mode = md_get(b, vec_mode), shrink = md_get(b, vec_shrink), full = md_get(b, sca_out_full);
	int16_t value;

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
	value = k->source[1].value;
	/* Integers are signed: Mesa embedded_to_inline_constant() takes those that 16 bits hold with their sign. */
	if (op->props & MD_P_IN_INT)
		k->immediate.l = value;
	else if (k->bits == 64)
		k->immediate.d = half_to_float(value);
	else
		k->immediate.f = half_to_float(value);
}

/* Over components: do all of the comparisons hold, or any? */
static void compare_components(const struct md_alu *k, struct md_args *args, union md_value *out)
{
	bool all = k->op->props & MD_P_ALL;
	union md_value one = { .ul = 0 };

	out->ul = all ? ~0ull : 0;
	for (unsigned int i = 0; i < MD_CHANNELS_OF(k->op->props); i++) {
		k->body(&one, args);
		/* As many bits of it count as the components have. */
		out->ul = all ? out->ul & one.ul : out->ul | one.ul;
		args->x++;
		args->y++;
	}
}

/* The selector of component n: all of r31.w, or what r31 has there. */
static union md_value selector(const struct md_run *t, const struct md_alu *k, unsigned int n, unsigned int lane)
{
	const v8u *r = t->from[MD_CONDITION];
	unsigned int i = k->op->unit == MD_U_SCALAR ? k->element[n] : k->component[n];

	if (k->op->props & MD_P_SELECT)
		return (union md_value){ .l = (int32_t)r[3][lane] };
	if (k->op->props & MD_P_SELECT_VECTOR)
		return (union md_value){ .ul = k->bits < 64 ? md_get_element(r, i, k->bits, lane) :
					       pair(r, 2 * i, 2 * i + 1, lane) };
	return (union md_value){ .ul = 0 };
}

static void run_lane(struct md_run *t, const struct md_alu *k, unsigned int count, unsigned int lane)
{
	unsigned int channels = MD_CHANNELS_OF(k->op->props);
	union md_value x[16], y[16], result = { .ul = 0 };

	for (unsigned int n = 0; n < k->count; n++) {
		unsigned int i = k->component[n];
		struct md_args args = { x, y, selector(t, k, n, lane), k->bits, i };

		for (unsigned int j = 0; j < count && (count == 1 || !n); j++) {
			x[j] = fetch(t, k, &k->source[0], count == 1 ? i : j, lane);
			y[j] = fetch(t, k, &k->source[1], count == 1 ? i : j, lane);
		}
		if (channels && !(k->op->props & MD_P_ACROSS))
			compare_components(k, &args, &result);
		else
			k->body(&result, &args);
		finish(t, k, k->element[n], lane, result);
	}
}

void md_run_alu(struct md_run *t, const struct md_alu *k)
{
	static const int modes[4] = { FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD };
	unsigned int channels = MD_CHANNELS_OF(k->op->props), mode = MD_ROUND_OF(k->op->props);
	unsigned int count = channels ? channels : k->op->props & MD_P_ACROSS ? 128u / k->bits : 1;
	int rounding = mode ? fegetround() : 0;

	if (mode)
		fesetround(modes[mode]);
	EACH_LANE(t->lanes)
		run_lane(t, k, count, lane);
	if (mode)
		fesetround(rounding);
}
