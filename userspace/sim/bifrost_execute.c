/* SPDX-License-Identifier: MIT */
/*
 * One Bifrost slot instruction: which op of bifrost.c it is, and its modifiers.
 * Encodings as in isa/bifrost.c (Mesa's ISA.xml).
 */
#include <math.h>
#include <string.h>

#include "isa/float_bits.h"
#include "sim/bifrost.h"

#define SIGN	0x80000000u
#define UBO	4u	/* a segment */

static unsigned int bits(uint32_t w, unsigned int lo, unsigned int n)
{
	return w >> lo & ((1u << n) - 1);
}

/* Widen codes of two bits: 1 as it is, 2 the low half, 3 the high one. */
static uint32_t widen(uint32_t x, unsigned int code)
{
	return code == 2 ? bifrost_f16_to_f32_x(x) : code == 3 ? bifrost_f16_to_f32_y(x) : x;
}

static uint32_t modify(uint32_t x, bool abs, bool neg)
{
	if (abs)
		x &= ~SIGN;
	return neg ? x ^ SIGN : x;
}

/* FREXPE: sqrt and neg choose one of four; without either it is frexp()'s exponent. */
static bool frexpe(uint32_t w, struct bifrost_lane *l)
{
	uint32_t x = widen(l->src[0], bits(w, 3, 2));
	bool neg = bits(w, 6, 1), sqrt = bits(w, 8, 1);

	if (!bits(w, 3, 2))
		return false;
	if (bits(w, 9, 1))
		l->result = bifrost_flog_frexpe(x);
	else if (sqrt)
		l->result = neg ? bifrost_frsq_frexpe(x) : bifrost_fsqrt_frexpe(x);
	else
		l->result = neg ? bifrost_frcp_frexpe(x) : -bifrost_frcp_frexpe(x);
	return true;
}

static bool frexpm(uint32_t w, struct bifrost_lane *l)
{
	uint32_t x = widen(l->src[0], bits(w, 3, 2));
	bool log = !bits(w, 8, 1);

	if (!bits(w, 3, 2))
		return false;
	x = modify(x, bits(w, 6, 1), log && bits(w, 7, 1));
	if (log)
		l->result = bifrost_log_frexpm(x);
	else
		l->result = bits(w, 7, 1) ? bifrost_fsqrt_frexpm(x) : bifrost_frcp_frexpm(x);
	return true;
}

/* SHADDXL: lane 0 and 1 take half of src1, as signed or unsigned as the rest; 2 all. */
static bool shaddxl(uint32_t w, enum bifrost_extend extend, struct bifrost_lane *l)
{
	unsigned int lane = extend == BIFROST_I64 ? 2 : bits(w, 9, 2);
	uint32_t b = l->src[1];

	if (lane == 3)
		return false;
	if (lane < 2) {
		b = b >> (16 * lane) & 0xffff;
		if (extend == BIFROST_I32)
			b = (uint32_t)(int32_t)(int16_t)b;
	}
	l->result = bifrost_lshift_add_low32(extend, l->src[0], b, bits(w, 6, 3), &l->carry);
	return true;
}

static bool fma_rscale(uint32_t w, struct bifrost_lane *l)
{
	unsigned int mode = bits(w, 12, 3);
	uint32_t a = modify(l->src[0], bits(w, 15, 1), bits(w, 16, 1));
	uint32_t c = modify(l->src[2], false, bits(w, 17, 1));
	float r;

	/* .n.rtz, .scale16 and .left: what they do exactly is not known. */
	if (mode > 4)
		return false;
	l->result = bifrost_fma_rscale(a, l->src[1], c, (int32_t)l->src[3]);
	r = as_float(l->result);
	if ((mode == 1 || mode == 3) && !(r > 0))
		l->result = 0;
	if (mode == 2 && r < -1)
		l->result = as_bits(-1);
	if ((mode == 2 || mode == 3) && r > 1)
		l->result = as_bits(1);
	return true;
}

static uint32_t half_of(uint32_t x, unsigned int high)
{
	return x >> 16 * high & 0xffff;
}

/* MKVEC.v2i16: bits 6 and 7 choose halves of src0 and src1. */
static uint32_t mkvec_v2i16(uint32_t w, const struct bifrost_lane *l)
{
	return half_of(l->src[0], bits(w, 6, 1)) | half_of(l->src[1], bits(w, 7, 1)) << 16;
}

/* MKVEC.v4i8: bits 12 to 15 choose byte 0 or 2 of each source. */
static uint32_t mkvec_v4i8(uint32_t w, const struct bifrost_lane *l)
{
	uint32_t v = 0;

	for (unsigned int i = 0; i < 4; i++)
		v |= (half_of(l->src[i], bits(w, 12 + i, 1)) & 0xff) << 8 * i;
	return v;
}

/* SWZ.v2i16; the code between is MOV's. */
static uint32_t swz_v2i16(uint32_t w, uint32_t x)
{
	static const uint8_t low[4] = { 0, 1, 0, 1 }, high[4] = { 0, 0, 1, 1 };
	unsigned int code = bits(w, 4, 2);

	return half_of(x, low[code]) | half_of(x, high[code]) << 16;
}

static uint32_t lshift_or(uint32_t w, const struct bifrost_lane *l)
{
	uint32_t src1 = bits(w, 14, 1) ? l->src[1] : ~l->src[1];
	uint32_t v = bifrost_lshift_or(l->src[0], src1, l->src[2] >> 8 * bits(w, 9, 2) & 0xff);

	return bits(w, 15, 1) ? ~v : v;
}

static bool execute_fma(uint32_t w, struct bifrost_lane *l)
{
	if (w == 0x701963)
		return true;
	if (w >> 3 == 0x701968 >> 3) {
		l->result = bifrost_mov(l->src[0]);
	} else if (w >> 4 == 0x700d10 >> 4) {
		l->result = bits(w, 3, 1) ? bifrost_f16_to_f32_y(l->src[0]) :
					    bifrost_f16_to_f32_x(l->src[0]);
	} else if (w >> 5 == 0x701e20 >> 5 ||
		   (w >> 9 == 0x701c20 >> 9 && bits(w, 5, 1) && !bits(w, 7, 1))) {
		return frexpe(w, l);
	} else if ((w >> 8 == 0x701a20 >> 8 || w >> 8 == 0x701b20 >> 8) && bits(w, 5, 1)) {
		return frexpm(w, l);
	} else if (w >> 9 == 0x70e600 >> 9) {
		return shaddxl(w, BIFROST_I64, l);
	} else if (w >> 11 == 0x70e000 >> 11) {
		return shaddxl(w, BIFROST_U32, l);
	} else if (w >> 11 == 0x70e800 >> 11) {
		return shaddxl(w, BIFROST_I32, l);
	} else if (w >> 18 == 0x280000 >> 18) {
		return fma_rscale(w, l);
	} else if (w >> 8 == 0x70f000 >> 8) {
		l->result = mkvec_v2i16(w, l);
	} else if (w >> 16 == 0x710000 >> 16) {
		l->result = mkvec_v4i8(w, l);
	} else if (w >> 16 == 0x313000 >> 16 && bits(w, 11, 3) == 6) {
		l->result = lshift_or(w, l);
	} else {
		return false;
	}
	return true;
}

/*
 * FLOG_TABLE other than .red: minus the logarithm of the coarse reciprocal, of
 * base 2 or e. GUESS: .high is it in 12 bits, .low the rest.
 */
static uint32_t log_table(uint32_t x, bool natural, unsigned int part)
{
	double v = -log2(as_float(bifrost_frcp_approx(x))) * (natural ? log(2) : 1);
	double high = rint(v * 4096) / 4096;

	return as_bits((float)(part == 1 ? high : part == 2 ? v - high : v));
}

/* The tables at 0x67000: op in bits 8 and up, modifiers below. */
static bool table(uint32_t w, struct bifrost_lane *l)
{
	uint32_t x = l->src[0];
	unsigned int op = w >> 8;

	if (w >> 5 == 0x67ae0 >> 5) {
		l->result = log_table(x, !bits(w, 3, 1), bits(w, 4, 1) ? 2 : 1);
		return true;
	}
	if (w >> 9 == 0x67080 >> 9 && bits(w, 6, 2) == 2) {
		x = modify(bits(w, 8, 1) ? x >> 16 : x & 0xffff, false, false);
		x = bits(w, 4, 1) ? x & 0x7fff : x;
		x = bits(w, 3, 1) ? x ^ 0x8000 : x;
		l->result = bifrost_frcp_fast_f16(x);
		return true;
	}
	if (bits(w, 6, 1))
		x = bits(w, 7, 1) ? bifrost_f16_to_f32_y(x) : bifrost_f16_to_f32_x(x);
	else if (bits(w, 7, 1))
		return false;
	x = modify(x, bits(w, 4, 1), bits(w, 3, 1));
	switch (op) {
	case 0x670:
		l->result = bifrost_frcp_table(x);
		return true;
	case 0x671:
		l->result = bifrost_frsq_table(x);
		return true;
	case 0x673:
		l->result = bifrost_frcp_approx(x);
		return true;
	case 0x67b:
		l->result = log_table(x, bits(w, 5, 1), 0);
		return true;
	}
	return false;
}

/* MUX: src0 where src2 is negative, zero (integer or float), or bit by bit one (valhall/ISA.xml). */
static void mux(uint32_t w, struct bifrost_lane *l)
{
	const uint32_t *s = l->src;

	switch (bits(w, 9, 2)) {
	case 0:
		l->result = s[2] & SIGN ? s[0] : s[1];
		break;
	case 1:
		l->result = s[2] ? s[1] : s[0];
		break;
	case 2:
		l->result = s[2] & ~SIGN ? s[1] : s[0];
		break;
	default:
		l->result = bifrost_mux(s[0], s[1], s[2]);
	}
}

static bool discard(uint32_t w, struct bifrost_lane *l)
{
	unsigned int code = bits(w, 8, 3);
	uint32_t a = l->src[0], b = l->src[1];
	float x, y;

	if (code > 4)
		return false;
	if (code < 4) {
		a = widen(a, code & 1 ? 3 : 2);
		b = widen(b, code & 2 ? 3 : 2);
	}
	x = as_float(a);
	y = as_float(b);
	switch (bits(w, 6, 2)) {
	case 0:
		l->discard = x == y;
		break;
	case 1:
		l->discard = x != y;
		break;
	case 2:
		l->discard = x < y;
		break;
	default:
		l->discard = x <= y;
	}
	return true;
}

uint32_t bifrost_coverage(uint32_t mask, float alpha)
{
	unsigned int samples = alpha >= 1 ? 4 : alpha > 0 ? (unsigned int)(alpha * 4 + 0.5f) : 0;

	return mask & ((1u << samples) - 1);
}

static bool message(uint32_t w, struct bifrost_lane *l, const struct bifrost_env *env)
{
	unsigned int code;

	if (w >> 8 == 0xc8f00 >> 8) {
		code = bits(w, 6, 2);
		if (!code)
			return false;
		l->result = env && env->atest ?
			    env->atest(env->ctx, l->src[0], as_float(widen(l->src[1], code))) :
			    bifrost_coverage(l->src[0], as_float(widen(l->src[1], code)));
	} else if (w >> 11 == 0xc8800 >> 11) {
		return discard(w, l);
	} else if (w >> 9 == 0xca800 >> 9) {
		if (env && env->blend)
			env->blend(env->ctx, l->src, l->staging);
	} else if (w >> 9 == 0x61000 >> 9) {
		uint32_t at[2] = { l->src[0], l->src[1] };

		/* A uniform buffer has an offset and a binding, no address. */
		if (bits(w, 6, 3) != UBO)
			bifrost_shifted_address(l->src, &l->carry, at);
		memset(l->staging, 0, sizeof(l->staging));
		if (env && env->load)
			env->load(env->ctx, bits(w, 6, 3), at, l->staging);
	} else if (w >> 9 == 0xc8400 >> 9 || (w >> 14 == 0xc0400 >> 14 && bits(w, 9, 2) == 2)) {
		memset(l->staging, 0, sizeof(l->staging));
		if (env && env->address)
			env->address(env->ctx, w >> 14 == 0xc0400 >> 14 ? bits(w, 11, 3) : 8, l->src, l->staging);
	} else if (w >> 11 == 0xc9800 >> 11) {
		uint32_t at[3] = { 0, 0, l->src[2] };

		bifrost_shifted_address(l->src, &l->carry, at);
		if (env && env->store)
			env->store(env->ctx, at, bits(w, 9, 2) + 1, l->staging);
	} else {
		return false;
	}
	return true;
}

static bool execute_add(uint32_t w, struct bifrost_lane *l, const struct bifrost_env *env)
{
	if (w == 0x3d964)
		return true;
	if (w >> 3 == 0x3d968 >> 3)
		l->result = bifrost_mov(l->src[0]);
	else if (w >> 6 == 0x3d948 >> 6 && bits(w, 3, 1))
		l->result = swz_v2i16(w, l->src[0]);
	else if (w >> 8 == 0x75300 >> 8)
		l->result = mkvec_v2i16(w, l);
	else if (w >> 4 == 0x3cd10 >> 4)
		l->result = bits(w, 3, 1) ? bifrost_f16_to_f32_y(l->src[0]) :
					    bifrost_f16_to_f32_x(l->src[0]);
	else if (w >> 5 == 0x3de20 >> 5 ||
		 (w >> 9 == 0x3dc20 >> 9 && bits(w, 5, 1) && !bits(w, 7, 1)))
		return frexpe(w, l);
	else if ((w >> 8 == 0x3da20 >> 8 || w >> 8 == 0x3db20 >> 8) && bits(w, 5, 1))
		return frexpm(w, l);
	else if (w >> 12 == 0x67)
		return table(w, l);
	else if (w >> 7 == 0x66000 >> 7 && !bits(w, 5, 2))
		l->result = bifrost_frcp_fast(modify(l->src[0], bits(w, 4, 1), bits(w, 3, 1)));
	else if (w >> 6 == 0x3f8c0 >> 6)
		l->result = bifrost_lshift_add_high32(l->src[0], l->src[1], &l->carry);
	else if (w >> 11 == 0x74000 >> 11)
		mux(w, l);
	else
		return message(w, l, env);
	return true;
}

bool bifrost_execute(uint32_t word, struct bifrost_lane *lane, const struct bifrost_env *env)
{
	lane->discard = false;
	if (word & SIGN)
		return word & 0x7ff00000 ? false : execute_add(word & 0xfffff, lane, env);
	return word & 0x7f800000 ? false : execute_fma(word, lane);
}
