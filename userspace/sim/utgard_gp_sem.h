/* SPDX-License-Identifier: MIT */
/*
 * What each op of the Utgard GP computes, once: SEM(id, value) of the operands
 * a, b, c, d, which are the letters A, B, C, E of its pattern (clamp: A, X, Y).
 * One for each OP of isa/utgard_gp_ops.inc.
 *
 * The complex functions take three steps: f(a) of the complex unit, complex2(a, a), and complex1
 * of both and a; exp2 and log2 have one more in the pass unit.
 * GUESS(gp-complex-steps): the first step gives the function rounded to single precision and the other steps hand
 * it on. What the hardware's partial results look like is not known; only the last is ever used.
 *
 * GUESS(gp-nan-minmax): which of two operands max and min give when one is not a number; here the second, as
 * "a < b ? a : b" does.
 *
 * GUESS(gp-add-round): an adder that keeps one bit of what it shifts out of the smaller operand. A depth of -0.1,
 * scaled and offset by 0.5, came out of a Mali-400 as 0x3ee66667, where the nearest float is 0x3ee66666. No order of
 * scale, offset and 1 / 1 gives that; this adder does, and so would a reciprocal of 1 that is two units too small.
 */
#ifndef LIMN_SIM_UTGARD_GP_SEM_H
#define LIMN_SIM_UTGARD_GP_SEM_H

#include <math.h>

#include "isa/utgard_gp.h"
#include "sim/vector.h"

typedef v8f gp_function(v8f a, v8f b, v8f c, v8f d);

#define SEM(id, value) static inline v8f gp_##id(v8f a, v8f b, v8f c, v8f d) { return value; }

/* The smaller operand cut off to half of the larger one's last bit, then the nearest float. */
static inline v8f gp_sum(v8f a, v8f b)
{
	v8i swap = ((v8i)a & 0x7fffffff) < ((v8i)b & 0x7fffffff);
	v8f large = v8_select(swap, b, a);
	v8i exponent = (v8i)large & 0x7f800000, normal = (exponent > 24 << 23) & (exponent != 0x7f800000);
	v8f unit = v8_select(normal, (v8f)(exponent - (24 << 23)), v8_splat(1));
	v8f units = v8_select(normal, v8_select(swap, a, b) / unit, v8_splat(0));

	units = __builtin_convertvector(__builtin_convertvector(units, v8i), v8f);
	return v8_select(normal, large + units * unit, a + b);
}

SEM(mov, a)
SEM(add, gp_sum(a, b))
SEM(mul, a * b)
SEM(floor, V8_EACH(floorf(a[lane])))
SEM(sign, v8_select(a > 0.0f, v8_splat(1), v8_select(a < 0.0f, v8_splat(-1), v8_splat(0))))
SEM(ge, v8_truth(a >= b))
SEM(lt, v8_truth(a < b))
SEM(min, v8_select(a < b, a, b))
SEM(max, v8_select(a > b, a, b))
SEM(clamp, gp_min(gp_max(a, b, c, d), c, c, d))
/* Mesa's order: the doc has the two values the other way round. */
SEM(sel, v8_select(b != 0.0f, c, a))
SEM(exp2, V8_EACH(exp2f(a[lane])))
SEM(log2, V8_EACH(log2f(a[lane])))
SEM(rsqrt, V8_EACH(1.0f / sqrtf(a[lane])))
SEM(rcp, 1.0f / a)
SEM(complex2, a)
SEM(complex1, a)
SEM(preexp2, a)
SEM(postlog2, a)
SEM(addr01, a)
/* Lanes that go to the target, by the pass unit's result. */
SEM(branch, (v8f)(a != 0.0f))
/* Nobody has named it. */
SEM(unknown, v8_splat(0))

#undef SEM

/* By the row's id. */
#define OP(id, ...) [GP_OP_##id] = gp_##id,
#define ROW(...)
static gp_function *const gp_functions[GP_OPS] = {
#include "isa/utgard_gp_ops.inc"
};
#undef OP
#undef ROW

#endif
