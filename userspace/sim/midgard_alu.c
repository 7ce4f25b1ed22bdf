// SPDX-License-Identifier: MIT
/* Midgard: what the ALU's ops do to one component. */
#include <fenv.h>
#include <math.h>
#include <string.h>

#include "isa/half.h"
#include "sim/midgard_alu.h"

static double pi(void)
{
	return 3.14159265358979323846;
}

/* --- Floats: by rounding mode; 32 bits and less in float, 64 in double ----------- */

static const int rounding[4] = { FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD };

static double rounded(unsigned int op, unsigned int kind, double a, double b, double c, unsigned int bits)
{
	volatile float x = a, y = b, z = c, f;
	volatile double p = a, q = b, r = c, d;
	int old = fegetround();

	fesetround(rounding[op & 3]);
	switch (kind) {
	case 0:
		f = x + y;
		d = p + q;
		break;
	case 1:
		f = x * y;
		d = p * q;
		break;
	case 2:
		f = x;
		d = p;
		break;
	default:
		f = fmaf(x, y, z);
		d = fma(p, q, r);
	}
	fesetround(old);
	return bits == 64 ? d : f;
}

static double float_min(double a, double b, bool propagate)
{
	if (isnan(a) || isnan(b))
		return propagate ? NAN : isnan(a) ? b : a;
	return a < b ? a : b;
}

static double float_max(double a, double b, bool propagate)
{
	if (isnan(a) || isnan(b))
		return propagate ? NAN : isnan(a) ? b : a;
	return a > b ? a : b;
}

static double to_integral(double a, unsigned int mode)
{
	switch (mode) {
	case 0:
		return nearbyint(a);	/* to even: the rounding mode is the default one here */
	case 1:
		return trunc(a);
	case 2:
		return floor(a);
	default:
		return ceil(a);
	}
}

/* GUESS: the two steps of atan2(a, b). x: an angle to start from; z times w: what is left for pt2. */
static double atan_pt1(double a, double b, unsigned int component)
{
	bool steep = fabs(a) > fabs(b);

	switch (component) {
	case 0:
		if (steep)
			return copysign(pi() / 2, a);
		return b < 0 || (b == 0 && signbit(b)) ? copysign(pi(), a) : 0;
	case 2:
		return steep ? -b : a;
	case 3:
		if (a == 0 && b == 0)
			return 0;
		return 1 / (steep ? a : b);
	}
	return 0;
}

static double lut(unsigned int op, double a, bool *known)
{
	switch (op) {
	case 0xf0:
		return 1 / a;
	case 0xf2:
		return 1 / sqrt(a);
	case 0xf3:
		return sqrt(a);
	case 0xf4:
		return exp2(a);
	case 0xf5:
		return log2(a);
	case 0xf6:
		return sin(pi() * (a - 2 * floor(a / 2)));
	case 0xf7:
		return cos(pi() * (a - 2 * floor(a / 2)));
	}
	*known = false;
	return 0;
}

static double float_op(unsigned int op, double a, double b, unsigned int component, unsigned int bits, bool *known)
{
	switch (op) {
	case 0x10: case 0x11: case 0x12: case 0x13:
		return rounded(op, 0, a, b, 0, bits);
	case 0x14: case 0x15: case 0x16: case 0x17:
		return rounded(op, 1, a, b, 0, bits);
	case 0x28: case 0x29:
		return float_min(a, b, op & 1);
	case 0x2a: case 0x2b:
		return float_min(fabs(a), fabs(b), op & 1);
	case 0x2c: case 0x2d:
		return float_max(a, b, op & 1);
	case 0x2e: case 0x2f:
		return float_max(fabs(a), fabs(b), op & 1);
	case 0x30: case 0x31: case 0x32: case 0x33:
		return b;	/* Mesa: a move's value is its second source */
	case 0x34: case 0x35: case 0x36: case 0x37:
		return to_integral(a, op & 3);
	case 0xc6:
		return round(a);
	case 0xe8:
		return a + atan(b);
	case 0xf9:
		return atan_pt1(a, b, component);
	}
	return lut(op, a, known);
}

/* --- Integers: a and b sign-extended to 64 bits; ua, ub zero-extended --------------- */

static int64_t sext(uint64_t v, unsigned int bits)
{
	return bits == 64 ? (int64_t)v : (int64_t)(v << (64 - bits)) >> (64 - bits);
}

static uint64_t zext(uint64_t v, unsigned int bits)
{
	return bits == 64 ? v : v & ((1ull << bits) - 1);
}

/* Saturation without integers of twice the size, which 32-bit machines do not have. */
static uint64_t clamp_signed(int64_t v, unsigned int bits)
{
	int64_t max = (int64_t)(~0ull >> (65 - bits));

	return v > max ? max : v < -max - 1 ? -max - 1 : v;
}

static uint64_t clamp_unsigned(uint64_t v, unsigned int bits)
{
	uint64_t max = zext(~0ull, bits);

	return v > max ? max : v;
}

static uint64_t add_saturate(int64_t a, int64_t b, bool subtract, unsigned int bits)
{
	int64_t v;

	if (subtract ? __builtin_sub_overflow(a, b, &v) : __builtin_add_overflow(a, b, &v))
		v = a < 0 ? INT64_MIN : INT64_MAX;
	return clamp_signed(v, bits);
}

static uint64_t shift_saturate(int64_t a, unsigned int shift, unsigned int bits)
{
	int64_t v = (int64_t)((uint64_t)a << shift);

	if (v >> shift != a)
		v = a < 0 ? INT64_MIN : INT64_MAX;
	return clamp_signed(v, bits);
}

static uint64_t arithmetic(unsigned int op, uint64_t ua, uint64_t ub, unsigned int bits, bool *known)
{
	int64_t a = sext(ua, bits), b = sext(ub, bits);

	switch (op) {
	case 0x40:
		return ua + ub;
	case 0x41:
		return 2 * ua + ub;
	case 0x46:
		return ua - ub;
	case 0x47:
		return 2 * ua - ub;
	case 0x48:
		return add_saturate(a, b, false, bits);
	case 0x49:
		return clamp_unsigned(ua + ub < ua ? UINT64_MAX : ua + ub, bits);
	case 0x4e:
		return add_saturate(a, b, true, bits);
	case 0x4f:
		return ua < ub ? 0 : ua - ub;
	case 0x58:
		return ua * ub;
	/* GUESS by Mesa's names and comments: products of the low halves, as wide as the lane. */
	case 0x59:
		return (uint64_t)(sext(ua, bits / 2) * sext(ub, bits / 2));
	case 0x5a:
		return zext(ua, bits / 2) * zext(ub, bits / 2);
	case 0x5b:
		return (uint64_t)sext(ua, bits / 2) * zext(ub, bits / 2);
	case 0x60:
		return a < b ? a : b;
	case 0x61:
		return ua < ub ? ua : ub;
	case 0x62:
		return a > b ? a : b;
	case 0x63:
		return ua > ub ? ua : ub;
	case 0x64:
		return (uint64_t)((a & b) + ((a ^ b) >> 1));
	case 0x65:
		return (ua & ub) + ((ua ^ ub) >> 1);
	case 0x66:
		return (uint64_t)((a | b) - ((a ^ b) >> 1));
	case 0x67:
		return (ua | ub) - ((ua ^ ub) >> 1);
	case 0x7c:
		return a > b ? (uint64_t)a - b : (uint64_t)b - a;
	case 0x7d:
		return ua > ub ? ua - ub : ub - ua;
	}
	*known = false;
	return 0;
}

static uint64_t int_op(unsigned int op, uint64_t ua, uint64_t ub, unsigned int bits, bool *known)
{
	int64_t a = sext(ua, bits), b = sext(ub, bits);
	unsigned int shift = ub & (bits - 1);

	switch (op) {
	case 0x68:
		return a >> shift;
	case 0x69:
		return ua >> shift;
	case 0x6c:
		return shift_saturate(a, shift, bits);
	case 0x6d:
		return ua << shift >> shift == ua ? clamp_unsigned(ua << shift, bits) : clamp_unsigned(UINT64_MAX, bits);
	case 0x6e:
		return ua << shift;
	case 0x70:
		return ua & ub;
	case 0x71:
		return ua | ub;
	case 0x72:
		return ~(ua & ub);
	case 0x73:
		return ~(ua | ub);
	case 0x74:
		return ua & ~ub;
	case 0x75:
		return ua | ~ub;
	case 0x76:
		return ua ^ ub;
	case 0x77:
		return ~(ua ^ ub);
	case 0x78:
		return ua ? (unsigned int)__builtin_clzll(ua) - (64 - bits) : bits;
	case 0x7a:
		return __builtin_popcountll(ua);
	case 0x7b:
		return ub;	/* Mesa: as fmov */
	case 0xa0:
		return -(uint64_t)(ua == ub);
	case 0xa1:
		return -(uint64_t)(ua != ub);
	case 0xa2:
		return -(uint64_t)(ua < ub);
	case 0xa3:
		return -(uint64_t)(ua <= ub);
	case 0xa4:
		return -(uint64_t)(a < b);
	case 0xa5:
		return -(uint64_t)(a <= b);
	}
	return arithmetic(op, ua, ub, bits, known);
}

/* --- Between the two ------------------------------------------------------------------ */

static uint64_t float_to_int(unsigned int op, double a, unsigned int bits)
{
	bool is_signed = op < 0x9c;
	double lo = is_signed ? -ldexp(1, bits - 1) : 0, hi = ldexp(1, bits - is_signed);

	/* GUESS: out of range saturates, not a number is 0. */
	if (isnan(a))
		return 0;
	a = to_integral(a, op & 3);
	if (a < lo)
		return is_signed ? 1ull << (bits - 1) : 0;
	if (a >= hi)
		return is_signed ? ~0ull >> (65 - bits) : zext(~0ull, bits);
	return is_signed ? (uint64_t)(int64_t)a : (uint64_t)a;
}

static double int_to_float(unsigned int op, uint64_t v, unsigned int bits)
{
	int old = fegetround();
	volatile float f;
	volatile double d;

	fesetround(rounding[op & 3]);
	if (op < 0xbc) {
		f = sext(v, bits);
		d = sext(v, bits);
	} else {
		f = v;
		d = v;
	}
	fesetround(old);
	return bits == 64 ? d : f;
}

static uint64_t float_compare(unsigned int op, double a, double b)
{
	switch (op & 3) {
	case 0:
		return -(uint64_t)(a == b);
	case 1:
		return -(uint64_t)(a != b);
	case 2:
		return -(uint64_t)(a < b);
	default:
		return -(uint64_t)(a <= b);
	}
}

union mdsim_value mdsim_op(unsigned int op, union mdsim_value a, union mdsim_value b, unsigned int component,
			   unsigned int bits, bool *known)
{
	union mdsim_value v = { 0 };

	if (op >= 0x80 && op <= 0x83) {
		v.u = float_compare(op, a.f, b.f);
	} else if (op >= 0x98 && op <= 0x9f) {
		v.u = float_to_int(op, a.f, bits);
	} else if (op >= 0xb8 && op <= 0xbf) {
		v.f = int_to_float(op, zext(a.u, bits), bits);
	} else if ((op >= 0x40 && op <= 0x7e) || (op >= 0xa0 && op <= 0xa5)) {
		v.u = int_op(op, zext(a.u, bits), zext(b.u, bits), bits, known);
	} else {
		v.f = float_op(op, a.f, b.f, component, bits, known);
	}
	return v;
}

/* --- Across components ------------------------------------------------------------------ */

static bool compare_one(unsigned int op, union mdsim_value a, union mdsim_value b, unsigned int bits)
{
	/* all: 88-8b floats, a8-ad integers; any: 90-93, b0-b5. */
	static const uint8_t ints[6] = { 0xa0, 0xa1, 0xa2, 0xa3, 0xa4, 0xa5 };
	bool known = true;

	if (op < 0xa0)
		return float_compare(op, a.f, b.f);
	return int_op(ints[op & 7], zext(a.u, bits), zext(b.u, bits), bits, &known);
}

/*
 * GUESS, after the titles of the patents that seed 003 lists ("floating-point
 * vector normalisation", "vector floating point argument reduction"): freduce
 * takes the largest component's exponent out of all, so that a dot product
 * cannot overflow; fdot3r is fdot3 of vectors so reduced.
 */
static double reduction(const union mdsim_value *v, unsigned int n)
{
	int largest = 0;
	bool any = false;

	for (unsigned int i = 0; i < n; i++) {
		int e;

		if (v[i].f == 0 || !isfinite(v[i].f))
			continue;
		frexp(v[i].f, &e);
		largest = any && largest > e ? largest : e;
		any = true;
	}
	return ldexp(1, -largest);
}

bool mdsim_across(unsigned int op)
{
	return (op >= 0x38 && op <= 0x3f) || op == 0x7e || (op >= 0x88 && op <= 0x93 && (op & 4) == 0) ||
	       (op >= 0xa8 && op <= 0xad) || (op >= 0xb0 && op <= 0xb5);
}

union mdsim_value mdsim_reduce(unsigned int op, const union mdsim_value *a, const union mdsim_value *b,
			       unsigned int component, unsigned int bits)
{
	double ra = 1, rb = 1;
	bool all = (op & 0x18) == 0x08, one;
	union mdsim_value v = { 0 };

	if (op == 0x7e) {
		/* GUESS by Mesa's comment, "component number - dupe for shuffle()" */
		v.u = a[b[component].u & (128 / bits - 1)].u;
		return v;
	}
	if (op < 0x3c) {
		/* x times y of the first source, plus the second (Mesa midgard_ops.c). */
		v.f = rounded(op, 3, a[0].f, a[1].f, b[component].f, bits);
		return v;
	}
	if (op == 0x3f) {
		v.f = a[component].f * reduction(a, bits == 64 ? 2 : 4);
		return v;
	}
	if (op == 0x3d) {
		ra = reduction(a, 3);
		rb = reduction(b, 3);
	}
	if (op >= 0x3c && op <= 0x3e) {
		v.f = rounded(0, 1, ra * a[0].f, rb * b[0].f, 0, bits);
		for (int i = 1; i < (op == 0x3e ? 4 : 3); i++)
			v.f = rounded(0, 0, v.f, rounded(0, 1, ra * a[i].f, rb * b[i].f, 0, bits), 0, bits);
		return v;
	}
	one = all;
	for (int i = 0; i < 4; i++)
		one = all ? one && compare_one(op, a[i], b[i], bits) : one || compare_one(op, a[i], b[i], bits);
	v.u = -(uint64_t)one;
	return v;
}

bool mdsim_knows(unsigned int op)
{
	union mdsim_value zero = { 0 };
	bool known = true;

	if (mdsim_across(op) || (op >= 0xc0 && op <= 0xc1) || (op >= 0xc4 && op <= 0xc5))
		return true;
	mdsim_op(op, zero, zero, 0, 32, &known);
	return known;
}
