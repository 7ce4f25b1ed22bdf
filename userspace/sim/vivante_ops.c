// SPDX-License-Identifier: MIT
/*
 * What Vivante's per-component ops do. Sources: rnndb isa.xml (docs of ops),
 * Mesa's etnaviv compiler (which NIR op each is used for).
 *
 * GUESS: integers narrower than 32 bits are computed in 32 and then wrapped to
 * their size, sign or zero extended.
 */
#include <math.h>
#include <string.h>

#include "isa/float_bits.h"
#include "isa/half.h"
#include "isa/vivante.h"
#include "sim/vivante_internal.h"

static bool is_float(unsigned int type)
{
	return type == VIV_F32 || type == VIV_F16;
}

static bool is_signed(unsigned int type)
{
	return type == VIV_S32 || type == VIV_S8 || type == VIV_S16;
}

static unsigned int bits_of(unsigned int type)
{
	return type == VIV_S8 || type == VIV_U8 ? 8 : type == VIV_S16 || type == VIV_U16 ? 16 : 32;
}

static uint32_t wrap(uint32_t v, unsigned int type)
{
	unsigned int drop = 32 - bits_of(type);

	return is_signed(type) ? (uint32_t)((int32_t)(v << drop) >> drop) : v << drop >> drop;
}

static uint32_t saturate(int64_t v, unsigned int type)
{
	unsigned int n = bits_of(type);
	int64_t hi = is_signed(type) ? (1ll << (n - 1)) - 1 : (1ll << n) - 1;
	int64_t lo = is_signed(type) ? -(1ll << (n - 1)) : 0;

	return (uint32_t)(v < lo ? lo : v > hi ? hi : v);
}

static uint32_t saturate_sum(uint64_t a, uint32_t b, unsigned int type)
{
	uint64_t hi = (1ull << bits_of(type)) - 1;

	return (uint32_t)(a > hi - (b < hi ? b : hi) ? hi : a + b);
}

static int64_t wide(uint32_t v, unsigned int type)
{
	return is_signed(type) ? (int32_t)v : (int64_t)v;
}

unsigned int vivsim_bytes(unsigned int type)
{
	return type == VIV_F16 ? 2 : bits_of(type) / 8;
}

uint32_t vivsim_unpack(unsigned int type, uint32_t word, unsigned int byte)
{
	uint32_t v = word >> byte * 8;

	return type == VIV_F16 ? as_bits(half_to_float(v & 0xffff)) : wrap(v, type);
}

uint32_t vivsim_pack(unsigned int type, uint32_t word, unsigned int byte, uint32_t v)
{
	unsigned int n = vivsim_bytes(type);
	uint32_t mask = n == 4 ? ~0u : ((1u << 8 * n) - 1) << byte * 8;

	v = type == VIV_F16 ? half_from_float(as_float(v)) : v;
	return (word & ~mask) | (v << byte * 8 & mask);
}

static bool condition(unsigned int cond, unsigned int type, uint32_t a, uint32_t b)
{
	bool f = is_float(type);
	double x = f ? as_float(a) : (double)wide(a, type), y = f ? as_float(b) : (double)wide(b, type);

	switch (cond) {
	case VIV_TRUE: return true;
	case VIV_GT: return x > y;
	case VIV_LT: return x < y;
	case VIV_GE: return x >= y;
	case VIV_LE: return x <= y;
	case VIV_EQ: return x == y;
	case VIV_NE: return x != y;
	/* GUESS: logic on what is not 0; xor and not on all bits together. */
	case VIV_AND: return a && b;
	case VIV_OR: return a || b;
	case VIV_XOR: return !a != !b;
	case VIV_NOT: return !a;
	case VIV_NZ: return f ? x != 0 : a != 0;
	case VIV_GEZ: return x >= 0;
	case VIV_GZ: return x > 0;
	case VIV_LEZ: return x <= 0;
	case VIV_LZ: return x < 0;
	case VIV_SELMSB: return a >> 31;	/* GUESS by its name */
	default: return false;
	}
}

void vivsim_condition(unsigned int cond, unsigned int type, const v8u *a, const v8u *b, v8i *out)
{
	for (int i = 0; i < SIM_LANES; i++)
		(*out)[i] = -(int)condition(cond, type, (*a)[i], (*b)[i]);
}

static uint32_t to_integer(float x, unsigned int type, unsigned int rounding, bool round)
{
	/* GUESS: out of range saturates, NaN is 0. */
	if (x != x)
		return 0;
	x = round && rounding != 1 ? rintf(x) : truncf(x);
	return saturate(x > 4e18f ? INT64_MAX : x < -4e18f ? INT64_MIN : (int64_t)x, type);
}

static uint32_t float_op(unsigned int op, float a, float b, float c, bool *known)
{
	switch (op) {
	case 0x01: return as_bits(a + c);
	case 0x02: return as_bits(a * b + c);	/* GUESS: two roundings */
	case 0x03: return as_bits(a * b);
	case 0x09: return as_bits(c);
	case 0x0c: return as_bits(1 / c);
	case 0x0d: return as_bits(1 / sqrtf(c));
	case 0x11: return as_bits(exp2f(c));
	case 0x12: return as_bits(log2f(c));
	case 0x13: return as_bits(c - floorf(c));
	case 0x21: return as_bits(sqrtf(c));
	case 0x22: return as_bits(sinf(fmodf(c, 4) * 1.57079633f));
	case 0x23: return as_bits(cosf(fmodf(c, 4) * 1.57079633f));
	case 0x25: return as_bits(floorf(c));
	case 0x26: return as_bits(ceilf(c));
	/* GUESS: 0 gives 0, as Mesa uses it (fsign); rnndb says 1. */
	case 0x27: return as_bits((c > 0) - (c < 0));
	case 0x36: return as_bits(a > 0 ? (a < b ? a : b) : 0);
	/* GUESS by the names, which are OpenCL's functions. */
	case 0x38: return as_bits(nextafterf(a, b));
	case 0x39: return as_bits(rintf(c));
	case 0x3a: return as_bits(roundf(c));
	case 0x64: return as_bits(b / c);
	}
	*known = false;
	return 0;
}

static uint32_t reverse(uint32_t v)
{
	uint32_t r = 0;

	for (int i = 0; i < 32; i++)
		r |= (v >> i & 1) << (31 - i);
	return r;
}

/* Counts are taken modulo 32 (rnndb). */
static uint32_t shift_op(unsigned int op, uint32_t a, uint32_t c, unsigned int type)
{
	unsigned int n = c & 31;

	switch (op) {
	case 0x59: return a << n;
	case 0x5a: return is_signed(type) || is_float(type) ? (uint32_t)((int32_t)a >> n) : a >> n;
	default: return n ? a << n | a >> (32 - n) : a;
	}
}

static uint32_t extract(uint32_t a, uint32_t first, uint32_t count, unsigned int type)
{
	uint32_t v = first < 32 ? a >> first : 0;

	if (!count || count >= 32)
		return count ? v : 0;
	v &= (1u << count) - 1;
	return is_signed(type) && v >> (count - 1) ? v | ~0u << count : v;
}

uint32_t vivsim_find_bit(bool lowest, unsigned int type, uint32_t a)
{
	if (!lowest && is_signed(type) && (int32_t)a < 0)
		a = ~a;
	if (!a)
		return ~0u;
	return lowest ? (uint32_t)__builtin_ctz(a) : 31u - (uint32_t)__builtin_clz(a);
}

static uint32_t bit_op(unsigned int op, uint32_t a, uint32_t b, uint32_t c, unsigned int type, bool *known)
{
	switch (op) {
	case 0x58: return c ? __builtin_clz(c) : 32;
	case 0x59: case 0x5a: case 0x5b: return shift_op(op, a, c, type);
	case 0x5c: return a | c;
	case 0x5d: return a & c;
	case 0x5e: return a ^ c;
	case 0x5f: return ~c;
	case 0x60: return extract(a, b, c, type);
	case 0x61: return __builtin_popcount(c);
	}
	*known = false;
	return 0;
}

static uint32_t high_product(uint32_t a, uint32_t b, unsigned int type)
{
	return is_signed(type) ? (uint32_t)((wide(a, type) * wide(b, type)) >> bits_of(type)) :
				 (uint32_t)((uint64_t)a * b >> bits_of(type));
}

static uint32_t integer_op(unsigned int op, uint32_t a, uint32_t b, uint32_t c, unsigned int type, bool *known)
{
	int64_t x = wide(a, type), y = wide(b, type), z = wide(c, type);

	switch (op) {
	case 0x01: return a + c;
	case 0x02: return a * b + c;
	case 0x03: return a * b;
	case 0x09: return c;
	case 0x27: return (z > 0) - (z < 0);
	case 0x2c: return a;
	case 0x36: return x < 0 ? 0 : x < y ? a : b;
	case 0x3b: return saturate(x + z, type);
	case 0x3c: return a * b;
	case 0x3e: return is_signed(type) ? saturate(x * y, type) : saturate_sum((uint64_t)a * b, 0, type);
	case 0x40: return high_product(a, b, type);
	/* GUESS: division by 0 gives all ones, remainder the dividend. */
	case 0x44: return y ? (uint32_t)(x / y) : ~0u;
	case 0x48: return y ? (uint32_t)(x % y) : a;
	case 0x4c: return a * b + c;
	case 0x4e:
		/* Unsigned products need all 64 bits. */
		return is_signed(type) ? saturate(x * y + z, type) : saturate_sum((uint64_t)a * b, c, type);
	/* GUESS by the names: OpenCL's mad_hi, hadd and rhadd. */
	case 0x50:
		return high_product(a, b, type) + c;
	case 0x52:
		return is_signed(type) ? saturate(wide(high_product(a, b, type), type) + z, type) :
					 saturate_sum(high_product(a, b, type), c, type);
	case 0x54: return (uint32_t)((x + z) >> 1);
	case 0x55: return (uint32_t)((x + z + 1) >> 1);
	case 0x57: return z < 0 ? -c : c;
	}
	*known = false;
	return 0;
}

static uint32_t one(unsigned int op, unsigned int type, unsigned int cond, unsigned int rounding, bool unary,
		    uint32_t a, uint32_t b, uint32_t c, bool *known)
{
	switch (op) {
	case 0x0f:
		/*
		 * One rule for both of rnndb's: MIN is select.gt a, b, a either way.
		 * GUESS where src2 is not src0.
		 */
		return condition(cond, type, a, unary ? 0 : b) ? b : c;
	case 0x10:
		return condition(cond, type, a, b) ? 0x3f800000 : 0;
	case 0x31:
		return condition(cond, type, a, b) ? c : 0;
	case 0x2d:
		return as_bits((float)wide(wrap(a, type), type));
	case 0x2e: case 0x2f:
		return to_integer(as_float(a), type, rounding, op == 0x2f);
	case 0x72:
		return b ? half_from_float(as_float(a)) : as_bits(half_to_float(a & 0xffff));
	}
	if (op >= 0x58 && op <= 0x61)
		return wrap(bit_op(op, a, b, c, type, known), is_float(type) ? VIV_U32 : type);
	if (op == 0x6d)
		return reverse(a);
	if (op == 0x6e)
		return __builtin_bswap32(a);
	if (is_float(type)) {
		uint32_t v = float_op(op, as_float(a), as_float(b), as_float(c), known);

		/* Integer ops with no type are on 32 bits (Mesa's and vectors: popcount, imul without one). */
		if (*known || op < 0x2c)
			return v;
		*known = true;
		return integer_op(op, a, b, c, VIV_S32, known);
	}
	return wrap(integer_op(op, a, b, c, type, known), type);
}

bool vivsim_component(unsigned int op, unsigned int type, unsigned int cond, unsigned int rounding,
		      bool unary, const v8u *a, const v8u *b, const v8u *c, v8u *out)
{
	bool known = true;

	for (int i = 0; i < SIM_LANES; i++)
		(*out)[i] = one(op, type, cond, rounding, unary, (*a)[i], (*b)[i], (*c)[i], &known);
	return known;
}
