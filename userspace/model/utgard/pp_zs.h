/* SPDX-License-Identifier: MIT */
/*
 * Depth and stencil test of one sample plane of a block. The tile buffer
 * holds depth in bits 23:0 and stencil in 31:24, whatever is written back.
 */
#ifndef LIMN_MODEL_UTGARD_PP_ZS_H
#define LIMN_MODEL_UTGARD_PP_ZS_H

#include "model/utgard/pp.h"

/* The bits of a compare function are: less 1, equal 2, greater 4. */
static inline v8u compare(unsigned int func, v8u a, v8u b)
{
	v8i r = { 0 }, x = (v8i)a, y = (v8i)b;	/* 24 bits; signed comparisons are what AVX2 has */

	if (func == RSW_ALWAYS)
		return ~(v8u)r;
	if (func & RSW_LESS)
		r |= x < y;
	if (func & RSW_EQUAL)
		r |= x == y;
	if (func & RSW_GREATER)
		r |= x > y;
	return (v8u)r;
}

/*
 * Counting goes on within the written bits alone: of 3 under the mask 0xfe it sees 2, and the
 * next is 3 & 0xfe. OpenGL has it count the whole value. Read off which of dEQP's
 * depth_stencil.stencil_ops and write_mask a Mali-450 fails (Mesa's lima-fails.txt).
 * GUESS(pp-stencil-mask-wrap): the upper end, too, is that of the written bits; write_mask.both, passed there, needs
 * 0xff to stay under the mask 0xf.
 */
static inline v8u stencil_op(unsigned int op, v8u old, v8u ref, uint8_t write)
{
	v8u bits = old & write;

	switch (op) {
	case RSW_STENCIL_REPLACE:
		return ref;
	case RSW_STENCIL_ZERO:
		return v8_word(0);
	case RSW_STENCIL_INVERT:
		return ~old & 0xff;
	case RSW_STENCIL_INCR_WRAP:
		return bits + 1;
	case RSW_STENCIL_DECR_WRAP:
		return bits - 1;
	case RSW_STENCIL_INCR:
		return bits + ((v8u)(bits < write) & 1);
	case RSW_STENCIL_DECR:
		return bits - ((v8u)(bits > 0) & 1);
	}
	return old;
}

/* Of the lanes, those that pass; updates *zs. */
static inline uint8_t pp_depth_stencil(const struct pp_draw *draw, bool front, v8u *zs, const v8u *new_z,
				       const v8u *stencil_ref, uint8_t lanes)
{
	const struct pp_stencil *s = &draw->stencil[!front];
	v8u old = *zs, mask = pp_lanes(lanes), old_z = old & PP_CLEAR_DEPTH_MASK;
	v8u old_s = old >> 24, new_s = old_s, pass_s = mask, pass, z = *new_z;

	if (draw->stencil_test) {
		v8u ref = stencil_ref ? *stencil_ref : v8_word(s->ref), zpass;

		pass_s = mask & compare(s->func, ref & s->mask, old_s & s->mask);
		zpass = compare(draw->depth_func, z, old_z);
		pass = pass_s & zpass;
		new_s = (stencil_op(s->fail, old_s, ref, s->write) & mask & ~pass_s) |
			(stencil_op(s->zfail, old_s, ref, s->write) & pass_s & ~zpass) |
			(stencil_op(s->zpass, old_s, ref, s->write) & pass) | (old_s & ~mask);
		new_s = (new_s & s->write) | (old_s & (uint8_t)~s->write);
	} else {
		pass = pass_s & compare(draw->depth_func, z, old_z);
	}
	if (draw->depth_write)
		old_z = (z & pass) | (old_z & ~pass);
	*zs = old_z | new_s << 24;
	return pp_lane_mask(pass);
}

#endif
