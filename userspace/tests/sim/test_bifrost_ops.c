// SPDX-License-Identifier: MIT
/*
 * Every Bifrost row by its text, through assembler and simulator: results
 * against numbers worked out by hand or by plain C; tuples; what leaves by callbacks.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "sim/bifrost_program.h"
#include "tests/sim/shader.h"
#include "tests/sim/tested.h"

static uint32_t of(float f)
{
	uint32_t x;

	memcpy(&x, &f, 4);
	return x;
}

#define NAN_PAYLOAD	0x7fc12345u
#define SIGNALLING	0xff812345u
#define INF		0x7f800000u
#define NEG		0x80000000u

/* Sources are port0 to port2 and fau_lo. */
struct row {
	const char *text;
	uint32_t src[4], want;
};

/* One word; what its slot has then. */
static uint32_t run(const char *text, const uint32_t src[4])
{
	struct bifsim_state s __attribute__((aligned(32))) = { .events = 0 };
	uint32_t *words, result;
	size_t count;

	words = assemble("bifrost", text, &count);
	assert_int_equal(count, 1);
	for (int i = 0; i < 3; i++)
		s.ports[i] += src[i];
	s.fau[0] += src[3];
	bifsim_step(&s, words[0], 0xff);
	if (s.events)
		fail_msg("%s: not executed", text);
	result = words[0] >> 31 ? s.add[5] : s.fma[5];
	free(words);
	return result;
}

static void check(const struct row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		uint32_t got = run(rows[i].text, rows[i].src);

		if (got != rows[i].want)
			fail_msg("%s of 0x%08x 0x%08x 0x%08x 0x%08x: 0x%08x, not 0x%08x", rows[i].text, rows[i].src[0],
				 rows[i].src[1], rows[i].src[2], rows[i].src[3], got, rows[i].want);
	}
}

#define CHECK(rows) check(rows, sizeof(rows) / sizeof((rows)[0]))

static void test_moves(void **state)
{
	static const struct row rows[] = {
		{ "*NOP", { 7 }, 0 }, { "+NOP", { 7 }, 0 },
		{ "*MOV.i32 port0", { SIGNALLING }, SIGNALLING },
		{ "+MOV.i32 fau_lo", { 1, 2, 3, SIGNALLING }, SIGNALLING },
		{ "+SWZ.v2i16.h10 port0", { 0x11112222 }, 0x22221111 },
		{ "+SWZ.v2i16.h00 port0", { 0x11112222 }, 0x22222222 },
		{ "+SWZ.v2i16.h11 port0", { 0x11112222 }, 0x11111111 },
		{ "+SWZ.v2i16.h01 port0", { 0x11112222 }, 0x11112222 },
		{ "*MKVEC.v2i16.h0.h1 port0, port1", { 0x11112222, 0x33334444 }, 0x33332222 },
		{ "+MKVEC.v2i16.h1.h0 port0, port1", { 0x11112222, 0x33334444 }, 0x44441111 },
		{ "*MKVEC.v4i8.b0.b2.b2.b0 port0, port1, port2, fau_lo",
		  { 0x01020304, 0x11121314, 0x21222324, 0x31323334 }, 0x34221204 },
		{ "*LSHIFT_OR.i32.b1 port0, port1, port2", { 0xff, 1, 0x1000 }, 0xff0001 },
		{ "*LSHIFT_OR.i32.not1.b0 port0, port1, port2", { 1, 0xfffffff0, 1 }, 0xf },
		{ "*LSHIFT_OR.i32.not.b3 port0, port1, port2", { 3, 0, 0x1f000000 }, 0x7fffffff },
		{ "*LSHIFT_OR.i32.not.not1.b2 port0, port1, port2", { 0, 0x1234, 0 }, 0x1234 },
		{ "+MUX.i32.bit port0, port1, port2", { 0x0f0f0f0f, 0x33333333, 0xff00ff00 }, 0x0f330f33 },
		{ "+MUX.i32.neg port0, port1, port2", { 1, 2, NEG }, 1 },
		{ "+MUX.i32.neg port0, port1, port2", { 1, 2, 0x7fffffff }, 2 },
		{ "+MUX.i32.int_zero port0, port1, port2", { 1, 2, 0 }, 1 },
		{ "+MUX.i32.int_zero port0, port1, port2", { 1, 2, NEG }, 2 },
		{ "+MUX.i32.fp_zero port0, port1, port2", { 1, 2, NEG }, 1 },
		{ "+MUX.i32.fp_zero port0, port1, port2", { 1, 2, 1 }, 2 },
		{ "*F16_TO_F32.h0 port0", { 0x3c004000 }, 0x40000000 },
		{ "*F16_TO_F32.h1 port0", { 0x3c004000 }, 0x3f800000 },
		{ "+F16_TO_F32.h0 port0", { 0xfe01 }, 0xffc02000 },
		{ "+F16_TO_F32.h1 port0", { 0x00010000 }, 0x33800000 },
	};

	CHECK(rows);
}

/* Of each mantissa and exponent op: ordinary, subnormal, and zero, infinity and NaN of both signs. */
static void test_frexp(void **state)
{
	static const struct {
		const char *text;
		uint32_t twelve, minus_twelve, third, least;	/* 12, -12, 1/3, 2^-149 */
		bool mantissa;
	} ops[] = {
		{ "FREXPM.f32", 0x3f400000, 0xbf400000, 0x3f2aaaab, 0x3f000000, true },
		{ "FREXPM.f32.sqrt", 0x3f400000, 0xbf400000, 0x3eaaaaab, 0x3f000000, true },
		{ "FREXPM.f32.log", 0x3f400000, 0xbf400000, 0x3faaaaab, 0x3f800000, true },
		{ "FREXPE.f32", 4, 4, -1u, -148u, false },
		{ "FREXPE.f32.neg", -4u, -4u, 1, 148, false },
		{ "FREXPE.f32.sqrt", 2, 2, 0, -74u, false },
		{ "FREXPE.f32.sqrt.neg", -2u, -2u, 0, 74, false },
		{ "FREXPE.f32.log", 4, 4, -2u, -149u, false },
	};
	static const uint32_t special[] = { 0, NEG, INF, NEG | INF, NAN_PAYLOAD, SIGNALLING };

	for (size_t i = 0; i < sizeof(ops) / sizeof(ops[0]); i++) {
		for (int slot = 0; slot < 2; slot++) {
			char text[64];

			snprintf(text, sizeof(text), "%c%s port0", "*+"[slot], ops[i].text);
			struct row rows[] = {
				{ text, { 0x41400000 }, ops[i].twelve }, { text, { 0xc1400000 }, ops[i].minus_twelve },
				{ text, { 0x3eaaaaab }, ops[i].third }, { text, { 1 }, ops[i].least },
			};

			CHECK(rows);
			for (size_t k = 0; k < sizeof(special) / sizeof(special[0]); k++) {
				struct row one = { text, { special[k] }, ops[i].mantissa ? special[k] : 0 };

				check(&one, 1);
			}
		}
	}
	static const struct row modified[] = {
		{ "*FREXPM.f32.abs port0", { 0xc1400000 }, 0x3f400000 },
		{ "+FREXPM.f32.log.neg port0", { 0xc1400000 }, 0x3f400000 },
		{ "*FREXPE.f32.h0 port0", { 0x3c004000 }, 2 },
		{ "+FREXPE.f32.log.h1 port0", { 0x3c004000 }, 0 },
	};

	CHECK(modified);
}

static void test_approximations(void **state)
{
	const struct row rows[] = {
		/* 2/m of 1.5 * 2^n; half of it is 1/1.5 */
		{ "+FRCP_APPROX.f32 port0", { 0x41400000 }, 0x3faaaaab },
		{ "+FRCP_APPROX.f32.neg port0", { 0x41400000 }, 0xbfaaaaab },
		{ "+FRCP_APPROX.f32.h1 port0", { 0x40000000 }, 0x40000000 },
		{ "+FRCP_APPROX.f32 port0", { 0 }, INF }, { "+FRCP_APPROX.f32 port0", { NEG }, NEG | INF },
		{ "+FRCP_APPROX.f32 port0", { NEG | INF }, NEG }, { "+FRCP_APPROX.f32 port0", { NAN_PAYLOAD }, NAN_PAYLOAD },
		{ "+FRSQ_APPROX.f32 port0", { 0x40800000 }, 0x40000000 },	/* 4 is 0.25 * 4^2 */
		{ "+FRSQ_APPROX.f32.abs port0", { 0xc0800000 }, 0x40000000 },
		{ "+FRSQ_APPROX.f32.h0 port0", { 0x4400 }, 0x40000000 },
		{ "+FRSQ_APPROX.f32 port0", { 0 }, INF }, { "+FRSQ_APPROX.f32 port0", { INF }, 0 },
		{ "+FRSQ_APPROX.f32 port0", { NAN_PAYLOAD }, NAN_PAYLOAD },
		{ "+FLOG_TABLE.f32.red port0", { 0x3f800000 }, 0x3f800000 },
		{ "+FLOG_TABLE.f32.red.h1 port0", { 0x3c000000 }, 0x3f800000 },
		{ "+FLOG_TABLE.f32.red port0", { 0 }, 0x3f800000 }, { "+FLOG_TABLE.f32.red port0", { INF }, 0x3f800000 },
		{ "+FLOG_TABLE.f32.red port0", { NAN_PAYLOAD }, 0x3f800000 },
		/* 1.34375 lies in the middle of its sixteenth: 24/32 approximates its reciprocal. */
		{ "+FLOG_TABLE.f32.red port0", { 0x3fac0000 }, 0x3f400000 },
		{ "+FLOG_TABLE.f32.base2 port0", { 0x3fac0000 }, of(-log2(0.75)) },
		{ "+FLOG_TABLE.f32.natural port0", { 0x3fac0000 }, of(-log(0.75)) },
		{ "+FLOG_TABLE.f32.base2.h0 port0", { 0x3d60 }, of(-log2(0.75)) },
		{ "+FLOG_TABLE.f32.natural.h0 port0", { 0x3d60 }, of(-log(0.75)) },
		{ "+FRCP.f32 port0", { 0x40400000 }, 0x3eaaaaab }, { "+FRCP.f32.neg.abs port0", { 0xc0400000 }, 0xbeaaaaab },
		{ "+FRCP.f32 port0", { NEG }, NEG | INF }, { "+FRCP.f32 port0", { SIGNALLING }, 0xffc12345 },
		{ "+FRCP.f16.h0 port0", { 0x4000 }, 0x3800 }, { "+FRCP.f16.neg.h1 port0", { 0x40000000 }, 0xb800 },
		{ "+FRCP.f16.h0 port0", { 0x7d01 }, 0x7f01 },
		{ "*FMA_RSCALE.f32 port0, port1, port2, fau_lo", { of(3), of(5), of(1), 4 }, of(256) },
		{ "*FMA_RSCALE.f32.neg port0, port1, port2, fau_lo", { of(-12), of(3), of(5), 0 }, of(41) },
		{ "*FMA_RSCALE.f32.clamp_0_1 port0, port1, port2, fau_lo", { of(-12), of(3), of(5), 0 }, 0 },
		{ "*FMA_RSCALE.f32.clamp_m1_1.neg2 port0, port1, port2, fau_lo", { of(1), of(3), of(5), 0 }, of(-1) },
		{ "*FMA_RSCALE.f32 port0, port1, port2, fau_lo", { of(1), NAN_PAYLOAD, SIGNALLING, 0 }, NAN_PAYLOAD },
		{ "*FMA_RSCALE.f32 port0, port1, port2, fau_lo", { INF, of(1), NEG | INF, 0 }, 0x7fc00000 },
	};
	uint32_t high, low;

	CHECK(rows);
	/* The two parts are the whole. */
	for (int base = 0; base < 2; base++) {
		static const char *const parts[2][2] = {
			{ "+FLOG_TABLE.f32.base2.high port0", "+FLOG_TABLE.f32.base2.low port0" },
			{ "+FLOG_TABLE.f32.natural.high port0", "+FLOG_TABLE.f32.natural.low port0" },
		};
		double want = base ? -log(0.75) : -log2(0.75);
		float h, l;

		high = run(parts[base][0], (uint32_t[4]){ 0x3fac0000 });
		low = run(parts[base][1], (uint32_t[4]){ 0x3fac0000 });
		memcpy(&h, &high, 4);
		memcpy(&l, &low, 4);
		assert_true(fabs((double)h + l - want) < 1e-9 && fabsf(l) < 1 / 4096.0f);
	}
}

/*
 * The three scenarios of Mesa's Notes.txt: low half in FMA, high in the ADD slot of the
 * same tuple. A tuple that comes between loses what was handed over: then it adds
 * its two sources.
 */
static void test_lshift_add(void **state)
{
	static const struct {
		const char *text;
		uint64_t a, b;
		uint64_t want;
	} rows[] = {
		{ "*SHADDXL.i64 port0, port1, 3\n", 0x00000001fffffff0, 0xffffffff80000004, 0xfffffffe00000010 },
		{ "*SHADDXL.i64 port0, port1, 0\n", 0xffffffffffffffff, 1, 0 },
		{ "*SHADDXL.i64 port0, port1, 7\n", 0, 0x0300000001000000, 0x8000000080000000 },
		{ "*SHADDXL.u32 port0, port1, 4\n", 0x00000001fffffff0, 0xdeadbeef80000001, 0x0000000a00000000 },
		{ "*SHADDXL.u32 port0, port1, 0\n", 0x00000000ffffffff, 0xffffffff, 0x00000001fffffffe },
		{ "*SHADDXL.s32 port0, port1, 2\n", 0x0000000100000000, 0x0000000080000000, 0xffffffff00000000 },
		{ "*SHADDXL.s32 port0, port1, 7\n", 0x0000000100000000, 0x00000000ffffffff, 0x00000000ffffff80 },
		{ "*SHADDXL.u32 port0, port1.h1, 1\n", 0x10, 0x8000ffff, 0x10010 },
		{ "*SHADDXL.s32 port0, port1.h1, 1\n", 0x10, 0x8000ffff, 0xffffffffffff0010 },
	};
	/* What the seed has as "ignored" is anything. */
	static const uint32_t ignored = 0x5a5a5a5a;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct bifsim_state s __attribute__((aligned(32))) = { .events = 0 };
		bool wide = strstr(rows[i].text, ".i64");
		char text[96];
		uint32_t *words;
		size_t count;

		snprintf(text, sizeof(text), "%s+SHADDXH.i32 port2, fau_lo\n", rows[i].text);
		words = assemble("bifrost", text, &count);
		s.ports[0] += (uint32_t)rows[i].a;
		s.ports[1] += (uint32_t)rows[i].b;
		s.ports[2] += (uint32_t)(rows[i].a >> 32);
		s.fau[0] += wide ? (uint32_t)(rows[i].b >> 32) : ignored;
		for (size_t n = 0; n < count; n++)
			bifsim_step(&s, words[n], 0xff);
		free(words);
		assert_int_equal(s.events, 0);
		if (s.fma[3] != (uint32_t)rows[i].want || s.add[3] != rows[i].want >> 32)
			fail_msg("%s: 0x%08x%08x, not 0x%016llx", rows[i].text, s.add[3], s.fma[3],
				 (unsigned long long)rows[i].want);
		snprintf(text, sizeof(text), "%s+NOP\n*NOP\n+SHADDXH.i32 port2, fau_lo\n", rows[i].text);
		words = assemble("bifrost", text, &count);
		for (size_t n = 0; n < count; n++)
			bifsim_step(&s, words[n], 0xff);
		free(words);
		assert_int_equal(s.add[3], s.ports[2][3] + s.fau[0][3]);
	}
}

/* --- What leaves the arithmetic units --------------------------------------------------- */

static struct {
	uint32_t src[3], data[4];
	unsigned int count, calls;
} seen;

static void load(void *ctx, unsigned int segment, const uint32_t src[2], uint32_t out[4])
{
	assert_int_equal(segment, 4);
	for (uint32_t i = 0; i < 4; i++)
		out[i] = src[0] * 100 + src[1] * 10 + i;
}

static void address(void *ctx, unsigned int format, const uint32_t src[3], uint32_t out[3])
{
	out[0] = 0x1000 + src[0];
	out[1] = src[1];
	out[2] = format << 8 | src[2];
}

static void store(void *ctx, const uint32_t src[3], unsigned int count, const uint32_t data[4])
{
	memcpy(seen.src, src, sizeof(seen.src));
	memcpy(seen.data, data, sizeof(seen.data));
	seen.count = count;
}

static void blend(void *ctx, const uint32_t src[3], const uint32_t color[4])
{
	memcpy(seen.src, src, sizeof(seen.src));
	memcpy(seen.data, color, sizeof(seen.data));
	seen.calls++;
}

static const struct bifrost_env env = { .load = load, .address = address, .store = store, .blend = blend };
static struct bifsim_state s __attribute__((aligned(32)));

static void step(const char *text, uint32_t port0, uint32_t port1, uint32_t port2)
{
	size_t count;
	uint32_t *words = assemble("bifrost", text, &count);

	s.env = &env;
	s.ports[0] = (v8u){ 0 } + port0;
	s.ports[1] = (v8u){ 0 } + port1;
	s.ports[2] = (v8u){ 0 } + port2;
	for (size_t i = 0; i < count; i++)
		bifsim_step(&s, words[i], 0xff);
	free(words);
	assert_int_equal(s.events, 0);
}

/* Loads and stores with an offset: the notes' three cases, of pointer 0x1fffffff0. */
static void test_shifted_addresses(void **state)
{
	static const struct {
		const char *text;
		uint32_t port0, port1, port2, fau;
		uint64_t want;
	} rows[] = {
		/* ptr.x, offset.x; ptr.y, offset.y */
		{ "*SHADDXL.i64 port0, port1, 3\n+ST_CVT port2, fau_lo, port0\n", 0xfffffff0, 0x80000004, 1, 0xffffffff,
		  0x1fffffff0 + (0xffffffff80000004ull << 3) },
		/* ptr.x, offset; the sum, ptr.y */
		{ "*SHADDXL.u32 port0, port1, 4\n+ST_CVT stage, port2, port0\n", 0xfffffff0, 0x80000001, 1, 0,
		  0x1fffffff0 + (0x80000001ull << 4) },
		{ "*SHADDXL.s32 port0, port1, 2\n+ST_CVT stage, port2, port0\n", 0xfffffff0, 0x80000001, 1, 0,
		  0x1fffffff0 - (0x7fffffffull << 2) },
		/* Without an offset, and with one of the tuple before. */
		{ "*NOP\n+ST_CVT port0, port2, port1\n", 0xfffffff0, 9, 1, 0, 0x1fffffff0 },
		{ "*SHADDXL.i64 port0, port1, 3\n+NOP\n*NOP\n+ST_CVT port0, port2, port1\n", 0xfffffff0, 9, 1, 0, 0x1fffffff0 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		memset(&s, 0, sizeof(s));
		s.fau[0] += rows[i].fau;
		step(rows[i].text, rows[i].port0, rows[i].port1, rows[i].port2);
		if ((seen.src[0] | (uint64_t)seen.src[1] << 32) != rows[i].want)
			fail_msg("%s: 0x%08x%08x", rows[i].text, seen.src[1], seen.src[0]);
	}
}

static void test_messages(void **state)
{
	memset(&s, 0, sizeof(s));
	step("+LOAD.i128.ubo port0, port1", 5, 3, 0);
	for (int i = 0; i < 4; i++)
		assert_int_equal(s.staging[i][6], 530 + i);
	step("+LEA_ATTR.f32 port0, port1, port2", 4, 7, 9);
	assert_true(s.staging[0][0] == 0x1004 && s.staging[1][0] == 7 && s.staging[2][0] == (1 << 8 | 9));
	step("+LEA_ATTR port0, port1, port2", 4, 7, 9);
	assert_int_equal(s.staging[2][0], 8 << 8 | 9);
	for (int i = 0; i < 4; i++)
		s.staging[i] = (v8u){ 0 } + (uint32_t)(70 + i);
	step("+ST_CVT.v3 port0, port1, port2", 0x1004, 7, 0x109);
	assert_true(seen.count == 3 && seen.src[0] == 0x1004 && seen.src[2] == 0x109 && seen.data[2] == 72);
	step("+BLEND port0, port1, port2", 15, 8, 9);
	assert_true(seen.calls == 8 && seen.src[0] == 15 && seen.data[3] == 73);
	/* Alpha to coverage: the first samples of the mask, a quarter each. */
	static const struct { float alpha; uint32_t mask; } alphas[] = {
		{ 0, 0 }, { -1, 0 }, { NAN, 0 }, { 0.25f, 1 }, { 0.5f, 3 }, { 0.75f, 7 }, { 1, 15 }, { 7, 15 },
	};
	for (size_t i = 0; i < sizeof(alphas) / sizeof(alphas[0]); i++) {
		step("+ATEST port0, port1", 15, of(alphas[i].alpha), 0);
		assert_int_equal(s.add[2], alphas[i].mask);
		step("+ATEST port0, port1", 6, of(alphas[i].alpha), 0);
		assert_int_equal(s.add[2], alphas[i].mask & 6);
	}
	step("+ATEST port0, port1.h1", 15, 0x38000000, 0);
	assert_int_equal(s.add[2], 3);
}

static void test_discard(void **state)
{
	static const struct { const char *text; float a, b; bool gone; } rows[] = {
		{ "+DISCARD.f32.lt port0, port1", 1, 2, true }, { "+DISCARD.f32.lt port0, port1", 2, 2, false },
		{ "+DISCARD.f32.le port0, port1", 2, 2, true }, { "+DISCARD.f32.eq port0, port1", 1, 2, false },
		{ "+DISCARD.f32.ne port0, port1", 1, 2, true }, { "+DISCARD.f32.ne port0, port1", NAN, NAN, true },
		{ "+DISCARD.f32.eq port0, port1", NAN, NAN, false }, { "+DISCARD.f32.le port0, port1", NAN, 1, false },
		{ "+DISCARD.f32.eq port0, port1", 0.0f, -0.0f, true },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		memset(&s, 0, sizeof(s));
		step(rows[i].text, of(rows[i].a), of(rows[i].b), 0);
		if (s.discarded != (rows[i].gone ? 0xff : 0))
			fail_msg("%s of %g and %g", rows[i].text, rows[i].a, rows[i].b);
	}
	/* Lanes that are gone do nothing more. */
	memset(&s, 0, sizeof(s));
	seen.calls = 0;
	step("*NOP\n+DISCARD.f32.lt.h0.h0 port0, port1\n*NOP\n+BLEND port0, port1, port2", 0x3c00, 0x4000, 0);
	assert_true(s.discarded == 0xff && !seen.calls);
}

/* Reciprocal of three by the sequence of tuples that Mesa's lowering makes. */
static void test_sequence(void **state)
{
	memset(&s, 0, sizeof(s));
	s.fau[1] = (v8u){ 0 } + of(3);
	step("*FREXPM.f32 fau_hi\n+FRCP_APPROX.f32 fau_hi", 0, 0, 0);
	assert_true(s.fma[0] == of(0.75f) && s.add[0] == of(4 / 3.0f));
	/* 1 - m * x1, and what to scale by; then x1 + x1 * the first, scaled. */
	s.fau[0] = (v8u){ 0 };
	step("*FMA_RSCALE.f32.neg pass_fma, pass_add, port0, fau_lo\n+FREXPE.f32.neg fau_hi", of(1), 0, 0);
	assert_int_equal(s.add[0], (uint32_t)-2);
	step("*FMA_RSCALE.f32 pass_fma, port0, port0, pass_add\n+NOP", of(4 / 3.0f), 0, 0);
	assert_int_equal(s.fma[0], of(1 / 3.0f));
	assert_int_equal(s.fma[0], bifrost_rcp(of(3)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_moves),
		cmocka_unit_test(test_frexp),
		cmocka_unit_test(test_approximations),
		cmocka_unit_test(test_lshift_add),
		cmocka_unit_test(test_shifted_addresses),
		cmocka_unit_test(test_messages),
		cmocka_unit_test(test_discard),
		cmocka_unit_test(test_sequence),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
