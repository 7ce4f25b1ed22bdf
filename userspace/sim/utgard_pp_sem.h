/* SPDX-License-Identifier: MIT */
/*
 * What each op of the Utgard PP that is a function of its operands computes,
 * once: SEM(id, value), for component c of the result, of
 *
 *	a, b	the component of the operands (A, B of the pattern; W is b)
 *	v	where all four components of the first vector operand are
 *	s0	the scalar multiplier's result
 *	scale	what a product's shift multiplies with
 *
 * One for each OP of kind VALUE of isa/utgard_pp_ops.inc.
 */
#ifndef LIMN_SIM_UTGARD_PP_SEM_H
#define LIMN_SIM_UTGARD_PP_SEM_H

#include <math.h>

#include "isa/utgard_pp.h"
#include "sim/vector.h"

#define PP_OPERANDS v8f a, v8f b, const v8f *const *v, v8f s0, float scale, unsigned int c
#define SEM(id, value) static inline v8f pp_##id(PP_OPERANDS) { return value; }

/*
 * x: arg0 of the right and arg1 of the left fragment of the quad's row; y: arg0 of the upper and
 * arg1 of the lower one of its column, since y counts from the bottom of the frame as gl_FragCoord
 * does. A plain derivative is dFdx(a, -a); Mesa's dFdy is (-a, a), its transform of the window's y
 * undoing that where the surface is upside down (ppir lower.c, nir_lower_wpos_ytransform.c).
 */
#define PICK(x, ...) __builtin_shufflevector(x, x, __VA_ARGS__)

SEM(dFdx, PICK(a, 1, 1, 3, 3, 5, 5, 7, 7) + PICK(b, 0, 0, 2, 2, 4, 4, 6, 6))
SEM(dFdy, PICK(a, 0, 1, 0, 1, 4, 5, 4, 5) + PICK(b, 2, 3, 2, 3, 6, 7, 6, 7))

SEM(mov, a)
SEM(add, a + b)
SEM(mul, a * b * scale)
SEM(not, v8_truth(a == 0.0f))
SEM(and, v8_truth((a != 0.0f) & (b != 0.0f)))
SEM(or, v8_truth((a != 0.0f) | (b != 0.0f)))
SEM(xor, v8_truth((a != 0.0f) ^ (b != 0.0f)))
SEM(ne, v8_truth(a != b))
SEM(gt, v8_truth(a > b))
SEM(ge, v8_truth(a >= b))
SEM(eq, v8_truth(a == b))
SEM(min, v8_select(a < b, a, b))
SEM(max, v8_select(a > b, a, b))
SEM(floor, V8_EACH(floorf(a[lane])))
SEM(ceil, V8_EACH(ceilf(a[lane])))
SEM(fract, a - V8_EACH(floorf(a[lane])))
SEM(sel, v8_select(s0 != 0.0f, a, b))
SEM(sum3, *v[0] + *v[1] + *v[2])
SEM(sum4, *v[0] + *v[1] + *v[2] + *v[3])
/* Nobody has named it. */
SEM(unknown, v8_splat(0.0f))

SEM(rcp, 1.0f / a)
SEM(sqrt, V8_EACH(sqrtf(a[lane])))
SEM(rsqrt, V8_EACH(1.0f / sqrtf(a[lane])))
SEM(exp2, V8_EACH(exp2f(a[lane])))
SEM(log2, V8_EACH(log2f(a[lane])))

/*
 * sin(2 pi x) (doc: the argument counts turns). GUESS(pp-sine-exact): exact where it is 0 or 1, as a table of a
 * quarter would be.
 */
static inline float pp_sine_of_turns(float x)
{
	float r = x - rintf(x);

	if (fabsf(r) > 0.25f)
		r = copysignf(0.5f, r) - r;
	return sinf(r * 6.2831853f);
}

SEM(sin, V8_EACH(pp_sine_of_turns(a[lane])))
SEM(cos, V8_EACH(pp_sine_of_turns(a[lane] - floorf(a[lane]) + 0.25f)))

/*
 * The arc tangent in two parts. GUESS(pp-atan-parts): what goes from one to the other (the
 * documented use is part 1, x *= y for two arguments, part 2): x the smaller
 * magnitude, y the reciprocal of the larger, z what part 2 has to undo: 1 the
 * two were exchanged, 2 the result is taken from pi, 4 it is negative.
 */
static inline float pp_atan_pt1(float y, float x, bool two, unsigned int c)
{
	float n = fabsf(y), d = fabsf(x), large = n > d ? n : d, small = n > d ? d : n;

	switch (c) {
	case 0:
		return two ? small : small / large;
	case 1:
		return two && large != 0.0f ? 1.0f / large : 1.0f;
	case 2:
		return (n > d ? 1 : 0) | (signbit(x) ? 2 : 0) | (signbit(y) ? 4 : 0);
	}
	return 0.0f;
}

static inline float pp_undo_atan(float ratio, float code)
{
	int undo = code > -65536.0f && code < 65536.0f ? (int)code : 0;	/* NaN: none */
	float angle = atanf(ratio);

	if (undo & 1)
		angle = 1.57079633f - angle;
	if (undo & 2)
		angle = 3.14159265f - angle;
	return undo & 4 ? -angle : angle;
}

SEM(atan, V8_EACH(pp_atan_pt1(a[lane], 1.0f, false, c)))
SEM(atan2, V8_EACH(pp_atan_pt1(a[lane], b[lane], true, c)))
SEM(atan_pt2, V8_EACH(pp_undo_atan((*v[0])[lane], (*v[2])[lane])))

#undef SEM

/* Lanes in which the branch's condition holds: bits of br.cond, all three together whatever the operands are. */
static inline v8i pp_condition(unsigned int cond, v8f a, v8f b)
{
	v8i none = { 0 };

	return cond == 7 ? ~none : ((cond & 1 ? a > b : none) | (cond & 2 ? a == b : none) | (cond & 4 ? a < b : none));
}

/*
 * Every lane to the nearest value of binary16; still held as floats.
 *
 * There are no subnormal results: what is smaller than 2^-14 is 0. Of piglit's
 * fs-op-{add,sub,mult} tests of floats and vectors, whose tolerances are
 * smaller than that, Mesa's CI has all 30 pass on a Mali-450
 * (src/gallium/drivers/lima/ci); with subnormals 8 would. GUESS(pp-half-round): to the
 * nearest, ties to even (they do not tell); operands may be subnormal.
 */
static inline v8f sim_round_half(v8f x)
{
	v8u bits = (v8u)x, sign = bits & 0x80000000u, mag = bits ^ sign;
#ifdef __F16C__
	v8u out = (v8u)__builtin_ia32_vcvtph2ps256(__builtin_ia32_vcvtps2ph256(x, 0));

	return v8_select(x == x, (v8f)((out & (v8u)((v8i)mag >= 0x38800000)) | sign), x);
#else
	v8u out = (mag + 0xfff + (mag >> 13 & 1)) & ~0x1fffu;
	/* Signed comparisons are what AVX2 has; what NaN overflows to is not looked at. */
	v8u there = (v8u)((v8i)mag >= 0x38800000), inf = (v8u)((v8i)out > 0x477fe000), nan = (v8u)((v8i)mag > 0x7f800000);

	/* Below 2^-14: 0. 65520 and up is infinity; NaN stays what it was. */
	out = (0x7f800000u & inf) | (out & there & ~inf);
	out = (mag & nan) | (out & ~nan);
	return (v8f)(out | sign);
#endif
}

static inline v8f pp_modify_out(v8f v, unsigned int outmod)
{
	v8f zero = v8_splat(0.0f);

	switch (outmod) {
	case 1:
		return v8_unit(v);
	case 2:
		return v8_select(v > zero, v, zero);
	case 3:
		/*
		 * The doc says "round to integer". Mesa compiles int(x) to this, and dEQP's
		 * conversions of 36.8125 and -8.25 pass on hardware: towards zero.
		 */
		return V8_EACH(truncf(v[lane]));
	}
	return v;
}

#endif
