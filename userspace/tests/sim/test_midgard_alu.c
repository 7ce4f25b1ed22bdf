// SPDX-License-Identifier: MIT
/*
 * Every ALU row of Midgard, on the vector and on the scalar units, on 32 bits,
 * against plain C: by the op's code, as the T6xx notes and Mesa's midgard.h explain it.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "isa/half.h"
#include "isa/midgard.h"
#include "sim/midgard.h"
#include "tests/isa/halves.h"
#include "tests/isa/random.h"
#include "tests/sim/midgard_rows.h"
#include "tests/sim/tested.h"

static struct md_test s;

/* An exact value to a float: 0 nearest even, 1 towards zero, 2 down, 3 up. */
static uint32_t directed(double exact, unsigned int mode)
{
	float f = (float)exact;	/* nearest */

	if ((mode == 2 || (mode == 1 && exact > 0)) && f > exact)
		f = nextafterf(f, -INFINITY);
	if ((mode == 3 || (mode == 1 && exact < 0)) && f < exact)
		f = nextafterf(f, INFINITY);
	return as_bits(f);
}

static double integral(double v, unsigned int mode)
{
	return mode == 0 ? nearbyint(v) : mode == 1 ? trunc(v) : mode == 2 ? floor(v) : ceil(v);
}

static uint32_t clamp(int64_t v, int64_t lo, int64_t hi)
{
	return (uint32_t)(v < lo ? lo : v > hi ? hi : v);
}

static uint32_t clamp_s(int64_t v)
{
	return clamp(v, INT32_MIN, INT32_MAX);
}

static uint32_t clamp_u(int64_t v)
{
	return clamp(v, 0, UINT32_MAX);
}

static uint32_t to_int(double v, bool is_signed)
{
	return isnan(v) ? 0 : v > 1e12 ? clamp(INT64_MAX, 0, is_signed ? INT32_MAX : UINT32_MAX) :
	       v < -1e12 ? clamp(INT64_MIN, is_signed ? INT32_MIN : 0, 0) :
	       is_signed ? clamp_s((int64_t)v) : clamp_u((int64_t)v);
}

static bool compare(unsigned int kind, double a, double b)
{
	return kind == 0 ? a == b : kind == 1 ? a != b : kind == 2 ? a < b : a <= b;
}

static float number_or_nan(float a, float b, bool larger, bool nan)
{
	if (isnan(a) || isnan(b))
		return nan ? NAN : isnan(a) ? b : a;
	return larger ? fmaxf(a, b) : fminf(a, b);
}

/* Float ops that take components one by one. */
static bool float_reference(unsigned int op, float a, float b, uint32_t *out)
{
	switch (op) {
	case 0x10 ... 0x13: *out = directed((double)a + b, op & 3); break;
	case 0x14 ... 0x17: *out = directed((double)a * b, op & 3); break;
	case 0x28 ... 0x29: *out = as_bits(number_or_nan(a, b, false, op & 1)); break;
	case 0x2a ... 0x2b: *out = as_bits(number_or_nan(fabsf(a), fabsf(b), false, op & 1)); break;
	case 0x2c ... 0x2d: *out = as_bits(number_or_nan(a, b, true, op & 1)); break;
	case 0x2e ... 0x2f: *out = as_bits(number_or_nan(fabsf(a), fabsf(b), true, op & 1)); break;
	case 0x30 ... 0x33: *out = as_bits(b); break;
	case 0x34 ... 0x37: *out = as_bits((float)integral(a, op & 3)); break;
	case 0x80 ... 0x83: *out = -(uint32_t)compare(op & 3, a, b); break;
	case 0x98 ... 0x9b: *out = to_int(integral(a, op & 3), true); break;
	case 0x9c ... 0x9f: *out = to_int(integral(a, op & 3), false); break;
	case 0xc6: *out = as_bits(roundf(a)); break;
	case 0xe8: *out = as_bits((float)(a + atan(b))); break;
	case 0xf0: *out = as_bits((float)(1 / (double)a)); break;
	case 0xf2: *out = as_bits((float)(1 / sqrt(a))); break;
	case 0xf3: *out = as_bits((float)sqrt(a)); break;
	case 0xf4: *out = as_bits((float)exp2(a)); break;
	case 0xf5: *out = as_bits((float)log2(a)); break;
	case 0xf6: *out = as_bits((float)sin(M_PI * fmod(a, 2))); break;
	case 0xf7: *out = as_bits((float)cos(M_PI * fmod(a, 2))); break;
	default: return false;
	}
	return true;
}

static bool integer_reference(unsigned int op, uint32_t u, uint32_t v, uint32_t *out)
{
	int64_t a = (int32_t)u, b = (int32_t)v, x = u, y = v;
	unsigned int n = v & 31;

	switch (op) {
	case 0x40: *out = u + v; break;
	case 0x41: *out = (u << 1) + v; break;
	case 0x46: *out = u - v; break;
	case 0x47: *out = (u << 1) - v; break;
	case 0x48: *out = clamp_s(a + b); break;
	case 0x49: *out = clamp_u(x + y); break;
	case 0x4e: *out = clamp_s(a - b); break;
	case 0x4f: *out = clamp_u(x - y); break;
	case 0x58: *out = u * v; break;
	case 0x59: *out = (uint32_t)((int16_t)u * (int16_t)v); break;
	case 0x5a: *out = (u & 0xffff) * (v & 0xffff); break;
	case 0x5b: *out = (uint32_t)((int64_t)(int16_t)u * (int64_t)(v & 0xffff)); break;
	case 0x60: *out = a < b ? u : v; break;
	case 0x61: *out = u < v ? u : v; break;
	case 0x62: *out = a > b ? u : v; break;
	case 0x63: *out = u > v ? u : v; break;
	case 0x64: *out = (uint32_t)((a + b) >> 1); break;
	case 0x65: *out = (uint32_t)((x + y) >> 1); break;
	case 0x66: *out = (uint32_t)((a + b + 1) >> 1); break;
	case 0x67: *out = (uint32_t)((x + y + 1) >> 1); break;
	case 0x68: *out = (uint32_t)(a >> n); break;
	case 0x69: *out = u >> n; break;
	case 0x6c: *out = clamp_s(a * (1ll << n)); break;
	case 0x6d: *out = x << n > UINT32_MAX ? UINT32_MAX : u << n; break;
	case 0x6e: *out = u << n; break;
	case 0x70: *out = u & v; break;
	case 0x71: *out = u | v; break;
	case 0x72: *out = ~(u & v); break;
	case 0x73: *out = ~(u | v); break;
	case 0x74: *out = u & ~v; break;
	case 0x75: *out = u | ~v; break;
	case 0x76: *out = u ^ v; break;
	case 0x77: *out = ~(u ^ v); break;
	case 0x78: *out = u ? (uint32_t)__builtin_clz(u) : 32; break;
	case 0x7a: *out = (uint32_t)__builtin_popcount(u); break;
	case 0x7b: *out = v; break;
	case 0x7c: *out = (uint32_t)(a > b ? a - b : b - a); break;
	case 0x7d: *out = (uint32_t)(x > y ? x - y : y - x); break;
	case 0xa0 ... 0xa1: *out = -(uint32_t)compare(op & 1, a, b); break;
	case 0xa2 ... 0xa3: *out = -(uint32_t)compare(op & 3, x, y); break;
	case 0xa4 ... 0xa5: *out = -(uint32_t)compare(2 + (op & 1), a, b); break;
	case 0xb8 ... 0xbb: *out = directed((double)a, op & 3); break;
	case 0xbc ... 0xbf: *out = directed((double)x, op & 3); break;
	default: return false;
	}
	return true;
}

/* The largest component's exponent: what a is divided by in freduce, fdot3r. */
static double scale(const uint32_t *v, int n)
{
	int largest = -1000, e;

	for (int i = 0; i < n; i++) {
		if (as_float(v[i]) != 0) {
			frexp(as_float(v[i]), &e);
			largest = e > largest ? e : largest;
		}
	}
	return largest == -1000 ? 1 : ldexp(1, -largest);
}

static float dot(const uint32_t *a, const uint32_t *b, double ra, double rb, int n)
{
	float sum = (float)(ra * as_float(a[0])) * (float)(rb * as_float(b[0]));

	for (int i = 1; i < n; i++)
		sum += (float)(ra * as_float(a[i])) * (float)(rb * as_float(b[i]));
	return sum;
}

/* Comparisons of all four components, all or any of them. */
static uint32_t over_all(unsigned int op, const uint32_t *a, const uint32_t *b)
{
	bool all = (op & 0x18) == 0x08;
	unsigned int held = 0;

	for (int i = 0; i < 4; i++) {
		uint32_t one = 0;

		if (op < 0xa0)
			one = compare(op & 3, as_float(a[i]), as_float(b[i]));
		else
			integer_reference(0xa0 | (op & 7), a[i], b[i], &one);
		held += one != 0;
	}
	return -(uint32_t)(all ? held == 4 : held > 0);
}

/* Ops over components, of a vector unit. */
static bool across_reference(unsigned int op, const uint32_t *a, const uint32_t *b, int i, uint32_t *out)
{
	switch (op) {
	case 0x38 ... 0x3b:
		*out = directed((double)as_float(a[0]) * as_float(a[1]) + as_float(b[i]), op & 3);
		break;
	case 0x3c: *out = as_bits(dot(a, b, 1, 1, 3)); break;
	case 0x3d: *out = as_bits(dot(a, b, scale(a, 3), scale(b, 3), 3)); break;
	case 0x3e: *out = as_bits(dot(a, b, 1, 1, 4)); break;
	case 0x3f: *out = as_bits((float)(as_float(a[i]) * scale(a, 4))); break;
	case 0x7e: *out = a[b[i] & 3]; break;
	case 0x88 ... 0x8b: case 0x90 ... 0x93: case 0xa8 ... 0xad: case 0xb0 ... 0xb5:
		*out = over_all(op, a, b);
		break;
	case 0xf9:
		/* The second component is not written (the T6xx notes); the rest fits together in tests of atan. */
		return false;
	default: return false;
	}
	return true;
}

static uint32_t one_input(bool integer)
{
	static const uint32_t integers[] = { 0, 1, 2, 31, 32, 0x7fff, 0x8000, 0xffff, INT32_MAX, 0x80000000, UINT32_MAX };
	static const float floats[] = { 0, -0.0f, 0.5f, -0.5f, 1, -1, 1.5f, 2.5f, -2.5f, 3e9f, -3e9f, 5e9f, 0.25f, 1e-3f };
	uint32_t r = random_word();

	if (integer)
		return r & 1 ? integers[r / 2 % 11] : random_word();
	if (r & 1)
		return as_bits(floats[r / 2 % 14]);
	/* Exact as sums and products in a double: exponents of -8 to 8. */
	return (random_word() & 0x807fffff) | (119 + r / 2 % 17) << 23;
}

static bool csel(unsigned int op)
{
	return op == 0xc0 || op == 0xc1 || op == 0xc4 || op == 0xc5;
}

static void operands(const struct isa_op *op, struct isa_bits *k)
{
	if (op->unit == MD_U_VECTOR) {
		md_put(k, vec_src1, 1);
		md_put(k, vec_src2, 2);
		md_put(k, vec_dest, 3);
		md_put(k, vec_outmod, op->props & MD_P_OUT_INT ? 2 : 0);
	} else {
		md_put(k, sca_src1, 1);
		md_put(k, sca_src2, 2);
		md_put(k, sca_dest, 3);
		md_put(k, sca_src1_comp, 2);	/* y */
		md_put(k, sca_src2_comp, 2);
		md_put(k, sca_out_comp, 2);
		md_put(k, sca_outmod, op->props & MD_P_OUT_INT ? 2 : 0);
	}
}

static bool equal(const struct isa_op *op, uint32_t got, uint32_t want)
{
	unsigned int code = op->match[0].value;
	bool floats = !(op->props & MD_P_OUT_INT);

	if (got == want)
		return true;
	/* sin(pi x) and cos(pi x): what is left of pi's last digits. */
	if ((code == 0xf6 || code == 0xf7) && fabsf(as_float(got) - as_float(want)) < 1e-15f)
		return true;
	return floats && ((isnan(as_float(got)) && isnan(as_float(want))) ||
			  /* Which zero a minimum or maximum of both gives is not said. */
			  (as_float(got) == 0 && as_float(want) == 0));
}

static void check_row(const struct isa_op *op)
{
	unsigned int code = op->match[0].value, first = op->unit == MD_U_VECTOR ? 0 : 1, last = first ? 1 : 3;
	bool checked = false;
	uint32_t words[16];
	size_t count = md_bundle_of(op, operands, words);

	for (int n = 0; n < 300; n++) {
		uint32_t a[4], b[4], c[4], want;

		for (int i = 0; i < 4; i++) {
			a[i] = s.r[5][1].u32[i] = one_input(op->props & MD_P_IN_INT);
			b[i] = s.r[5][2].u32[i] = one_input(op->props & MD_P_IN_INT);
			c[i] = s.r[5][31].u32[i] = random_word() & 1 ? ~0u : 0;
		}
		assert_int_equal(md_test_run(&s, words, count, 1 << 5, 10), SIM_DONE);
		assert_int_equal(s.events, 0);
		for (unsigned int i = first; i <= last; i++) {
			if (csel(code))
				want = c[code & 1 ? 3 : i] ? a[i] : b[i];
			else if (!float_reference(code, as_float(a[i]), as_float(b[i]), &want) &&
				 !integer_reference(code, a[i], b[i], &want) &&
				 !across_reference(code, a, b, i, &want))
				continue;
			checked = true;
			if (!equal(op, s.r[5][3].u32[i], want))
				fail_msg("%s 0x%02x of 0x%08x and 0x%08x: 0x%08x, not 0x%08x", first ? "scalar" : "vector", code,
					 a[i], b[i], s.r[5][3].u32[i], want);
		}
	}
	if (checked)
		tested_row(&isa_midgard, op);
	else if (code != 0xf9)
		fail_msg("code 0x%02x has no reference here", code);
}

static void test_rows(void **state)
{
	random_seed();
	for (unsigned int i = 0; i < isa_midgard.op_count; i++) {
		const struct isa_op *op = &isa_midgard.ops[i];

		if ((op->unit == MD_U_VECTOR || op->unit == MD_U_SCALAR) && isa_has_semantics(op))
			check_row(op);
	}
}

/* --- Other widths ------------------------------------------------------------------------- */

static unsigned int width;	/* of a lane */

static void lanes(const struct isa_op *op, struct isa_bits *k)
{
	operands(op, k);
	md_put(k, vec_mode, width == 8 ? 0 : width == 16 ? 1 : 3);
	/* The swizzle of 64-bit lanes counts 32-bit halves: xy and zw. */
	md_put(k, vec_src1_swizzle, 0xe4);
	md_put(k, vec_src2_swizzle, 0xe4);
}

static int64_t wide(uint64_t v, bool is_signed)
{
	return is_signed ? (int64_t)(v << (64 - width)) >> (64 - width) : (int64_t)v;
}

/* What 8 and 16 bits have of an op that 32 do the same way: of values extended to 32, its low bits. */
static bool narrow_reference(unsigned int op, uint32_t u, uint32_t v, uint32_t *out)
{
	bool is_signed = op == 0x48 || op == 0x4e || op == 0x60 || op == 0x62 || op == 0x64 || op == 0x66 || op == 0x68 ||
			 op == 0x6c || op == 0x7c || op == 0xa4 || op == 0xa5;
	int64_t hi = (1ll << (width - is_signed)) - 1, lo = is_signed ? -hi - 1 : 0, a = wide(u, is_signed), b = wide(v, is_signed);
	uint32_t n = v & (width - 1);

	switch (op) {
	case 0x48: case 0x49: *out = clamp(a + b, lo, hi); return true;
	case 0x4e: case 0x4f: *out = clamp(a - b, lo, hi); return true;
	case 0x6c: case 0x6d: *out = clamp(a * (1ll << n), lo, hi); return true;
	case 0x68: case 0x69: *out = (uint32_t)(a >> n); return true;
	case 0x6e: *out = u << n; return true;
	case 0x78: *out = u ? (uint32_t)__builtin_clz(u) - (32 - width) : width; return true;
	/* Widening products take half a lane; conversions are floats'. */
	case 0x59 ... 0x5b: case 0x7e: case 0xa8 ... 0xbf: return false;
	}
	return integer_reference(op, (uint32_t)a, (uint32_t)b, out);
}

static void check_narrow(const struct isa_op *op)
{
	unsigned int code = op->match[0].value, bytes = width / 8;
	uint32_t words[16], mask = (1u << width) - 1, want;
	size_t count = md_bundle_of(op, lanes, words);

	for (int n = 0; n < 100; n++) {
		for (int i = 0; i < 16; i++) {
			s.r[5][1].u8[i] = random_word() & 1 ? random_word() : random_word() & 1 ? 0x80 : 0xff;
			s.r[5][2].u8[i] = random_word() & 1 ? random_word() : random_word() & 1 ? 0 : 0x7f;
		}
		assert_int_equal(md_test_run(&s, words, count, 1 << 5, 10), SIM_DONE);
		for (unsigned int i = 0; i < 16 / bytes; i++) {
			uint32_t a = 0, b = 0, got = 0;

			memcpy(&a, s.r[5][1].u8 + i * bytes, bytes);
			memcpy(&b, s.r[5][2].u8 + i * bytes, bytes);
			memcpy(&got, s.r[5][3].u8 + i * bytes, bytes);
			if (narrow_reference(code, a, b, &want) && got != (want & mask))
				fail_msg("0x%02x of 0x%x and 0x%x in %u bits: 0x%x, not 0x%x", code, a, b, width, got, want & mask);
		}
	}
}

/* 32-bit machines have no 128 bits to know better with. */
#ifdef __SIZEOF_INT128__
static uint64_t clamp_wide(__int128 v, bool is_signed)
{
	__int128 hi = is_signed ? INT64_MAX : UINT64_MAX, lo = is_signed ? INT64_MIN : 0;

	return (uint64_t)(v < lo ? lo : v > hi ? hi : v);
}

static bool wide_reference(unsigned int op, uint64_t u, uint64_t v, uint64_t *out)
{
	int64_t a = (int64_t)u, b = (int64_t)v;
	__int128 x = a, y = b, p = u, q = v;
	unsigned int n = v & 63;

	switch (op) {
	case 0x40: *out = u + v; return true;
	case 0x46: *out = u - v; return true;
	case 0x48: *out = clamp_wide(x + y, true); return true;
	case 0x49: *out = clamp_wide(p + q, false); return true;
	case 0x4e: *out = clamp_wide(x - y, true); return true;
	case 0x4f: *out = clamp_wide(p - q, false); return true;
	case 0x58: *out = u * v; return true;
	case 0x60: *out = a < b ? u : v; return true;
	case 0x61: *out = u < v ? u : v; return true;
	case 0x62: *out = a > b ? u : v; return true;
	case 0x63: *out = u > v ? u : v; return true;
	case 0x64: *out = (uint64_t)((x + y) >> 1); return true;
	case 0x65: *out = (uint64_t)((p + q) >> 1); return true;
	case 0x66: *out = (uint64_t)((x + y + 1) >> 1); return true;
	case 0x67: *out = (uint64_t)((p + q + 1) >> 1); return true;
	case 0x68: *out = (uint64_t)(a >> n); return true;
	case 0x69: *out = u >> n; return true;
	case 0x6c: *out = clamp_wide(x * ((__int128)1 << n), true); return true;
	case 0x6d: *out = p << n > UINT64_MAX ? UINT64_MAX : u << n; return true;
	case 0x6e: *out = u << n; return true;
	case 0x70: *out = u & v; return true;
	case 0x71: *out = u | v; return true;
	case 0x76: *out = u ^ v; return true;
	case 0x7b: *out = v; return true;
	case 0x7c: *out = (uint64_t)(x > y ? x - y : y - x); return true;
	case 0x7d: *out = u > v ? u - v : v - u; return true;
	case 0xa0: *out = -(uint64_t)(u == v); return true;
	case 0xa2: *out = -(uint64_t)(u < v); return true;
	case 0xa5: *out = -(uint64_t)(a <= b); return true;
	}
	return false;
}
#else
static bool wide_reference(unsigned int op, uint64_t u, uint64_t v, uint64_t *out)
{
	return false;
}
#endif

static void check_wide(const struct isa_op *op)
{
	uint32_t words[16];
	size_t count = md_bundle_of(op, lanes, words);

	for (int n = 0; n < 200; n++) {
		for (int i = 0; i < 4; i++) {
			s.r[5][1].u32[i] = one_input(true);
			s.r[5][2].u32[i] = one_input(true);
		}
		assert_int_equal(md_test_run(&s, words, count, 1 << 5, 10), SIM_DONE);
		for (int i = 0; i < 2; i++) {
			uint64_t a = s.r[5][1].u64[i], b = s.r[5][2].u64[i], want;

			if (wide_reference(op->match[0].value, a, b, &want) && s.r[5][3].u64[i] != want)
				fail_msg("0x%02x of 0x%llx and 0x%llx: 0x%llx, not 0x%llx", op->match[0].value, (long long)a,
					 (long long)b, (long long)s.r[5][3].u64[i], (long long)want);
		}
	}
}

static void test_widths(void **state)
{
	random_seed();
	for (unsigned int i = 0; i < isa_midgard.op_count; i++) {
		const struct isa_op *op = &isa_midgard.ops[i];

		if (op->unit != MD_U_VECTOR || !op->match[0].width || !isa_has_semantics(op) || (op->props & MD_P_I) != MD_P_I)
			continue;
		for (width = 8; width <= 16; width += 8)
			check_narrow(op);
		width = 64;
		check_wide(op);
	}
}

/* --- Directed rounding to halves: the nearest half on that side ---------------------------------- */

static uint16_t directed_half(double exact, unsigned int mode)
{
	uint16_t best = 0;
	bool found = false;
	double least = 0;

	for (uint32_t h = 0; h < 0x10000; h++) {
		double v = half_to_float(h), d = fabs(v - exact);

		if (isnan(v) || (isinf(v) && mode == 1) || (mode == 1 && fabs(v) > fabs(exact)) || (mode == 2 && v > exact) ||
		    (mode == 3 && v < exact))
			continue;
		if (!found || d < least || (d == least && v != 0 && !(h & 1))) {
			best = h;
			least = d;
			found = true;
		}
	}
	return best;
}

static void to_half(const struct isa_op *op, struct isa_bits *k)
{
	operands(op, k);
	md_put(k, vec_shrink, 0);
	md_put(k, vec_mask, 0xff);
}

static void in_halves(const struct isa_op *op, struct isa_bits *k)
{
	operands(op, k);
	md_put(k, vec_mode, 1);
}

static void test_directed_halves(void **state)
{
	static const float values[] = {
		1.0009f, -1.0009f, 3.14159f, -0.33333f, 1e-7f, -1e-7f, 65503, 65519, -65519, 70000, 0.1f, 5.9e-8f, 6e-5f, 2048.5f,
	};

	for (unsigned int mode = 0; mode < 4; mode++) {
		uint32_t move[16], add[16];
		size_t n_move = 0, n_add = 0;
		unsigned int rows[2] = { 0x30 + mode, 0x10 + mode };

		for (unsigned int i = 0; i < isa_midgard.op_count; i++) {
			const struct isa_op *op = &isa_midgard.ops[i];

			if (op->unit == MD_U_VECTOR && op->match[0].width && op->match[0].value == rows[0])
				n_move = md_bundle_of(op, to_half, move);
			if (op->unit == MD_U_VECTOR && op->match[0].width && op->match[0].value == rows[1])
				n_add = md_bundle_of(op, in_halves, add);
		}
		for (unsigned int n = 0; n < 2 * NUM_HALVES && !mode; n++) {
			s.r[5][2].u32[0] = halves[n / 2].f | n << 31;
			md_test_run(&s, move, n_move, 1 << 5, 10);
			assert_int_equal(s.r[5][3].u16[0], halves[n / 2].h | (n & 1) << 15);
		}
		for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
			uint16_t a = half_from_float(values[i]), b = half_from_float(values[(i + 5) % 14] / 64), want;
			double sum = (double)half_to_float(a) + half_to_float(b);

			s.r[5][2].f32[0] = values[i];
			md_test_run(&s, move, n_move, 1 << 5, 10);
			/* To nearest what is beyond the largest half is infinity, or that half. */
			want = mode ? directed_half(values[i], mode) : half_from_float(values[i]);
			if (s.r[5][3].u16[0] != want && half_to_float(want) != half_to_float(s.r[5][3].u16[0]))
				fail_msg("%g, mode %u: 0x%04x, not 0x%04x", values[i], mode, s.r[5][3].u16[0], want);
			s.r[5][1].u16[0] = a;
			s.r[5][2].u16[0] = b;
			md_test_run(&s, add, n_add, 1 << 5, 10);
			want = mode ? directed_half(sum, mode) : half_from_float((float)sum);
			if (isfinite(sum) && half_to_float(s.r[5][3].u16[0]) != half_to_float(want))
				fail_msg("%g, mode %u: 0x%04x, not 0x%04x", sum, mode, s.r[5][3].u16[0], want);
		}
	}
}

/* atan2, atan, asin and acos as the T6xx notes builds them; the first step on a scalar unit is its x. */
static void test_arcs(void **state)
{
	for (int n = -100; n <= 100; n++) {
		float v = n / 100.0f, tangent = n / 7.0f, root = sqrtf(1 - v * v);
		const struct { float y, x; double want; } rows[] = {
			{ v, root, asin(v) }, { root, v, acos(v) }, { tangent, 1, atan(tangent) },
			{ tangent, -3, atan2(tangent, -3) }, { -2, v, atan2(-2, v) },
		};

		for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
			static const char text[] =
				"sadd.FATAN2_PT1.f32 R5.x, R1.x, R2.x\nlut.FATAN2_PT1.f32 R3.xzw, R1.xxx, R2.xxx\n\n"
				"smul.FMUL.f32 R4.x, R3.z, R3.w\n\nlut.FATAN2_PT2.f32 R0.x, R3, R4\n";
			struct isa_messages m;
			uint32_t *words;
			size_t count;

			if (limn_isa_asm(&isa_midgard, text, strlen(text), &words, &count, &m))
				fail_msg("%s", m.list[0].text);
			limn_isa_messages_free(&m);
			s.r[0][1].f32[0] = rows[i].y;
			s.r[0][2].f32[0] = rows[i].x;
			assert_int_equal(md_test_run(&s, words, count, 1, 10), SIM_DONE);
			free(words);
			assert_int_equal(s.events, 0);
			if (fabs(s.r[0][0].f32[0] - rows[i].want) > 1e-6)
				fail_msg("arc of %g, %g: %g, not %g", rows[i].y, rows[i].x, s.r[0][0].f32[0], rows[i].want);
			assert_true(s.r[0][5].f32[0] == s.r[0][3].f32[0]);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_widths),
		cmocka_unit_test(test_directed_halves),
		cmocka_unit_test(test_arcs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
