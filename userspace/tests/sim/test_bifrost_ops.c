// SPDX-License-Identifier: MIT
/*
 * Every Bifrost op by its text, through assembler and simulator: results against numbers worked out by hand or by plain
 * C; messages, branches, tuples, and what lanes do with each other.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "isa/half.h"
#include "sim/bifrost.h"
#include "tests/isa/halves.h"
#include "tests/sim/shader.h"
#include "tests/sim/tested.h"

#define NAN_PAYLOAD	0x7fc12345u
#define SIGNALLING	0xff812345u
#define INF		0x7f800000u
#define NEG		0x80000000u
#define LANE		5	/* that is looked at */

static struct bfsim_state s __attribute__((aligned(64)));

/* A program of these lines in one clause; its registers are the state's. */
static void run_clause(const char *header, const char *lines)
{
	struct bfsim_program *p;
	char text[2048];
	uint32_t *words;
	size_t count;

	snprintf(text, sizeof(text), "%s\n{\n%s\n}\n", header, lines);
	words = assemble("bifrost", text, &count);
	p = bfsim_decode(words, count);
	assert_non_null(p);
	s.events = 0;
	assert_int_equal(bfsim_run(&s, p, 0xff, 1000), SIM_DONE);
	if (s.events)
		fail_msg("%s: events %u", lines, s.events);
	bfsim_free(p);
	free(words);
}

static void put(unsigned int reg, uint32_t v)
{
	s.r[reg] = (v8u){ 0 } + v;
}

/* Sources are r0 to r2 and u0.w0; the result goes to r5. */
struct row {
	const char *text;
	uint32_t src[4], want;
};

static uint32_t run(const char *text, const uint32_t src[4])
{
	size_t n = strcspn(text, " ");
	char lines[512];

	memset(&s, 0, sizeof(s));
	for (unsigned int i = 0; i < 3; i++)
		put(i, src[i]);
	s.uniforms[0][0] = src[3];
	snprintf(lines, sizeof(lines), "%.*s r5:%s%s%s\n*NOP t0\n+NOP t1", (int)n, text, *text == '*' ? "t0" : "t1",
		 text[n] ? ", " : "", text[n] ? text + n + 1 : "");
	run_clause("ds(0) eos", lines);
	return s.r[5][LANE];
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
#define F(x)	as_bits(x)

static void test_moves(void **state)
{
	static const struct row rows[] = {
		{ "*NOP", { 7 }, 0 }, { "+NOP", { 7 }, 0 },
		{ "*MOV.i32 r0", { SIGNALLING }, SIGNALLING },
		{ "+MOV.i32 u0.w0", { 1, 2, 3, SIGNALLING }, SIGNALLING },
		{ "+SWZ.v2i16 r0.h10", { 0x11112222 }, 0x22221111 },
		{ "+SWZ.v2i16 r0.h00", { 0x11112222 }, 0x22222222 },
		{ "+SWZ.v2i16 r0.h11", { 0x11112222 }, 0x11111111 },
		{ "+SWZ.v4i8 r0.b1032", { 0x44332211 }, 0x33441122 },
		{ "+SWZ.v4i8 r0.b3333", { 0x44332211 }, 0x44444444 },
		{ "*MKVEC.v2i16 r0, r1.h1", { 0x11112222, 0x33334444 }, 0x33332222 },
		{ "+MKVEC.v2i16 r0.h1, r1", { 0x11112222, 0x33334444 }, 0x44441111 },
		{ "*MKVEC.v4i8 r0, r1.b2, r2.b2, u0.w0", { 0x01020304, 0x11121314, 0x21222324, 0x31323334 }, 0x34221204 },
		{ "+MUX.i32.bit r0, r1, r2", { 0x0f0f0f0f, 0x33333333, 0xff00ff00 }, 0x0f330f33 },
		{ "+MUX.i32.neg r0, r1, r2", { 1, 2, NEG }, 1 }, { "+MUX.i32.neg r0, r1, r2", { 1, 2, 0x7fffffff }, 2 },
		{ "+MUX.i32 r0, r1, r2", { 1, 2, 0 }, 1 }, { "+MUX.i32 r0, r1, r2", { 1, 2, NEG }, 2 },
		{ "+MUX.i32.fp_zero r0, r1, r2", { 1, 2, NEG }, 1 }, { "+MUX.i32.fp_zero r0, r1, r2", { 1, 2, 1 }, 2 },
		{ "+MUX.v2i16 r0, r1.h10, r2", { 0x11112222, 0x33334444, 0x00010000 }, 0x44442222 },
		{ "+MUX.v2i16.neg r0, r1, r2.h10", { 0x11112222, 0x33334444, 0x00018000 }, 0x11114444 },
		{ "+MUX.v4i8 r0, r1, r2", { 0x11223344, 0x55667788, 0x00010001 }, 0x11663388 },
		{ "+MUX.v4i8.neg r0, r1, r2", { 0x11223344, 0x55667788, 0x80007f00 }, 0x11667788 },
		{ "*F16_TO_F32 r0", { 0x3c004000 }, 0x40000000 }, { "*F16_TO_F32 r0.h1", { 0x3c004000 }, 0x3f800000 },
		{ "+F16_TO_F32 r0", { 0xfe01 }, 0xffc02000 }, { "+F16_TO_F32 r0.h1", { 0x00010000 }, 0x33800000 },
		{ "*DTSEL_IMM.attribute_1 r0", { 7 }, 7 },
		{ "*QUIET.f32 r0", { SIGNALLING }, 0xffc12345 }, { "+QUIET.f32 r0", { 0x40490fdb }, 0x40490fdb },
		{ "*QUIET.v2f16 r0.h10", { 0x3c004000 }, 0x40003c00 }, { "+QUIET.v2f16 r0", { 0x3c007c01 }, 0x3c007e01 },
	};

	CHECK(rows);
}

static void test_floats(void **state)
{
	const struct row rows[] = {
		{ "*FADD.f32 r0, r1", { F(1.5f), F(2) }, F(3.5f) }, { "+FADD.f32 r0.abs, r1.neg", { F(-1.5f), F(2) }, F(-0.5f) },
		{ "*FADD.f32 r0.h1, r1", { 0x3c000000, F(2) }, F(3) }, { "+FADD.f32 r0, r1.h0", { F(2), 0x4200 }, F(5) },
		{ "*FADD.f32.clamp_0_1 r0, r1", { F(1.5f), F(2) }, F(1) }, { "+FADD.f32.clamp_m1_1 r0, r1", { F(-1.5f), F(-2) }, F(-1) },
		{ "+FADD.f32.clamp_0_inf r0, r1", { F(-1), F(-2) }, 0 },
		/* 1 + 2^-30 lies between 1 and the float above it. */
		{ "*FADD.f32 r0, r1", { F(1), F(0x1p-30f) }, 0x3f800000 }, { "*FADD.f32.rtp r0, r1", { F(1), F(0x1p-30f) }, 0x3f800001 },
		{ "+FADD.f32.rtn r0, r1", { F(-1), F(-0x1p-30f) }, 0xbf800001 }, { "+FADD.f32.rtz r0, r1", { F(1), F(-0x1p-30f) }, 0x3f7fffff },
		{ "+FADD.f32.rto r0, r1", { F(1), F(0x1p-30f) }, 0x3f800001 }, { "+FADD.f32.rto r0, r1", { F(1), F(-0x1p-30f) }, 0x3f7fffff },
		{ "*FADD.v2f16 r0, r1.h10", { 0x3c004000, 0x40003c00 }, 0x40004400 },
		{ "+FADD.v2f16.rtz r0.neg, r1", { 0x3c004000, 0x00014400 }, 0xbbff4000 },
		{ "*FMA.f32 r0, r1, r2", { F(3), F(5), F(1) }, F(16) }, { "*FMA.f32.rtz r0, r1.neg, r2.abs", { F(3), F(5), F(-1) }, F(-14) },
		{ "*FMA.v2f16 r0, r1, r2.h00", { 0x3c004000, 0x42004200, 0x00003c00 }, 0x44004700 },
		{ "*FMA_RSCALE.f32 r0, r1, r2, u0.w0", { F(3), F(5), F(1), 4 }, F(256) },
		{ "*FMA_RSCALE.f32 r0, r1.neg, r2, u0.w0", { F(-12), F(3), F(5), 0 }, F(41) },
		{ "*FMA_RSCALE.f32.clamp_0_1 r0, r1, r2, u0.w0", { F(-12), F(3), F(5), 0 }, 0 },
		{ "*FMA_RSCALE.f32.clamp_m1_1 r0, r1, r2.neg, u0.w0", { F(1), F(3), F(5), 0 }, F(-1) },
		{ "*FMA_RSCALE.f32 r0, r1, r2, u0.w0", { F(1), NAN_PAYLOAD, SIGNALLING, 0 }, NAN_PAYLOAD },
		{ "*FMA_RSCALE.f32 r0, r1, r2, u0.w0", { INF, F(1), NEG | INF, 0 }, 0x7fc00000 },
		{ "*FMA_RSCALE.f32 r0, r1, r2, u0.w0", { 0, INF, F(5), 0 }, 0x7fc00000 },
		{ "*FMA_RSCALE.f32.n r0, r1, r2, u0.w0", { 0, INF, F(5), 0 }, F(5) },
		{ "*FMA_RSCALE.f32.n r0, r1, r2, u0.w0", { NAN_PAYLOAD, NEG, F(5), 1 }, F(10) },
		{ "*FMA_RSCALE.f32.n r0, r1.neg, r2, u0.w0", { 0, F(3), NEG, 0 }, NEG },
		{ "*FMA_RSCALE.f32.n r0, r1, r2, u0.w0", { INF, F(3), F(5), 0 }, INF },
		{ "*FMA_RSCALE.f32.left r0, r1, r2, u0.w0", { 0, INF, F(5), 0 }, F(5) },
		{ "*FMA_RSCALE.f32.left r0, r1, r2, u0.w0", { F(3), 0, F(5), 1 }, F(16) },
		{ "*FMA_RSCALE.f32.left r0, r1, r2, u0.w0", { INF, 0, F(5), 0 }, INF },
		{ "*FMA_RSCALE.f32.left r0, r1, r2, u0.w0", { F(3), F(4), F(5), 0 }, F(17) },
		{ "*FMA_RSCALE.f32.scale16 r0, r1, r2, u0.w0", { F(3), F(5), F(1), 0x1ffff }, F(8) },
		{ "*FMA_RSCALE.f32.scale16 r0, r1, r2, u0.w0", { 0, INF, F(5), 0 }, 0x7fc00000 },
		{ "*FMA_RSCALE.v2f16 r0, r1, r2, u0.w0", { 0x40004000, 0x42004200, 0x3c003c00, 1 }, 0x4b004b00 },
		{ "+FADD_RSCALE.f32 r0, r1.neg, r2", { F(5), F(2), 3 }, F(24) }, { "+FADD_RSCALE.f32.clamp_0_1 r0, r1, r2", { F(5), F(2), 0 }, F(1) },
		{ "+FMAX.f32 r0, r1", { F(1), F(2) }, F(2) }, { "+FMAX.f32 r0, r1", { NAN_PAYLOAD, F(2) }, F(2) },
		{ "+FMAX.f32.nan_propagate r0, r1", { F(1), NAN_PAYLOAD }, NAN_PAYLOAD }, { "+FMAX.f32.c r0, r1", { NAN_PAYLOAD, F(2) }, F(2) },
		{ "+FMAX.f32.inverse_c r0, r1", { NAN_PAYLOAD, F(2) }, NAN_PAYLOAD }, { "+FMIN.f32 r0.neg, r1", { F(3), F(2) }, F(-3) },
		{ "+FMAX.f32.c r0, r1", { 0, NEG }, NEG }, { "+FMAX.f32.inverse_c r1, r0", { 0, NEG }, NEG },
		{ "+FMIN.f32.inverse_c r0, r1", { 0, NEG }, 0 }, { "+FMIN.f32.inverse_c r0, r1", { F(1), F(2) }, F(1) },
		{ "+FMIN.f32.inverse_c r0, r1", { F(2), F(1) }, F(1) }, { "+FMAX.f32.inverse_c r0, r1", { F(1), NAN_PAYLOAD }, F(1) },
		{ "+FMAX.v2f16 r0, r1", { 0x3c004000, 0x42003800 }, 0x42004000 }, { "+FMIN.v2f16 r0, r1", { 0x3c004000, 0x42003800 }, 0x3c003800 },
		{ "*FROUND.f32 r0", { F(2.5f) }, F(2) }, { "*FROUND.f32.rtna r0", { F(2.5f) }, F(3) }, { "+FROUND.f32.rtn r0", { F(-2.5f) }, F(-3) },
		{ "+FROUND.f32.rtp r0.h1", { 0xc1000000 }, F(-2) }, { "+FROUND.f32.rtz r0.abs", { F(-2.5f) }, F(2) },
		{ "*FROUND.v2f16.rtp r0", { 0x3e00c100 }, 0x4000c000 }, { "+FROUND.v2f16 r0", { 0x3e00c100 }, 0x4000c000 },
		{ "+LDEXP.f32 r0, r1", { F(3), 4 }, F(48) }, { "+LDEXP.v2f16 r0, r1", { 0x3c004000, 2 }, 0x3c004800 },
		{ "+LDEXP.v2f16 r0, r1", { 0x3c004000, 0xffff0001 }, 0x38004400 },
		/* Half of the least number there is, and the place behind the last one. */
		{ "+LDEXP.f32 r0, r1", { F(1), -150u }, 0 }, { "+LDEXP.f32.rtna r0, r1", { F(1), -150u }, 1 },
		{ "+LDEXP.f32.rtna r0, r1", { F(-1), -150u }, NEG | 1 }, { "+LDEXP.f32.rtna r0, r1", { F(1), -151u }, 0 },
		{ "+FADD_RSCALE.f32.n.rtna r0, r1, r2", { F(1), F(0x1p-24f), 0 }, 0x3f800001 },
		{ "+LOGB.f32 r0", { F(48) }, F(5) }, { "+LOGB.v2f16 r0", { 0x3c004800 }, 0x00004200 },
		{ "+ILOGB.f32 r0", { F(0.75f) }, -1u }, { "+ILOGB.v2f16 r0", { 0x3c004800 }, 3 },
		{ "*FCMP.f32.lt r0, r1", { F(1), F(2) }, 1 }, { "+FCMP.f32.ge.f1 r0, r1", { F(2), F(2) }, F(1) },
		{ "*FCMP.f32.ne.m1 r0, r1", { NAN_PAYLOAD, F(2) }, ~0u }, { "+FCMP.f32.gtlt r0, r1", { NAN_PAYLOAD, F(2) }, 0 },
		{ "*FCMP.f32.total r0, r1", { F(1), F(2) }, 1 }, { "+FCMP.f32.total r0, r1", { F(1), NAN_PAYLOAD }, 0 },
		{ "*FCMP.v2f16.gt.m1 r0, r1", { 0x3c004000, 0x40003c00 }, 0x0000ffff },
		{ "+FCMP.v2f16.le.f1 r0, r1", { 0x3c004000, 0x40003c00 }, 0x3c000000 },
		{ "*CSEL.f32.gt r0, r1, r2, u0.w0", { F(2), F(1), 8, 9 }, 8 }, { "*CSEL.f32.eq r0, r1, r2, u0.w0", { 0, NEG, 8, 9 }, 8 },
		{ "*CSEL.i32.eq r0, r1, r2, u0.w0", { 0, NEG, 8, 9 }, 9 }, { "*CSEL.s32.ge r0, r1, r2, u0.w0", { NEG, 1, 8, 9 }, 9 },
		{ "*CSEL.u32.gt r0, r1, r2, u0.w0", { NEG, 1, 8, 9 }, 8 },
		{ "*CSEL.v2s16.gt r0, r1, r2, u0.w0", { 0x80000001, 0, 0x00080008, 0x00090009 }, 0x00090008 },
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
		{ "FREXPM.f32 r0", 0x3f400000, 0xbf400000, 0x3f2aaaab, 0x3f000000, true },
		{ "FREXPM.f32.sqrt r0", 0x3f400000, 0xbf400000, 0x3eaaaaab, 0x3f000000, true },
		{ "FREXPM.f32.log r0", 0x3f400000, 0xbf400000, 0x3faaaaab, 0x3f800000, true },
		{ "FREXPE.f32 r0", 4, 4, -1u, -148u, false },
		{ "FREXPE.f32 r0.neg", -4u, -4u, 1, 148, false },
		{ "FREXPE.f32.sqrt r0", 2, 2, 0, -74u, false },
		{ "FREXPE.f32.sqrt r0.neg", -2u, -2u, 0, 74, false },
		{ "FREXPE.f32.log r0", 4, 4, -2u, -149u, false },
	};
	static const uint32_t special[] = { 0, NEG, INF, NEG | INF, NAN_PAYLOAD, SIGNALLING };

	for (size_t i = 0; i < sizeof(ops) / sizeof(ops[0]); i++) {
		for (int slot = 0; slot < 2; slot++) {
			char text[64];

			snprintf(text, sizeof(text), "%c%s", "*+"[slot], ops[i].text);
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
		{ "*FREXPM.f32 r0.abs", { 0xc1400000 }, 0x3f400000 }, { "+FREXPM.f32.log r0.neg", { 0xc1400000 }, 0x3f400000 },
		{ "*FREXPE.f32 r0.h0", { 0x3c004000 }, 2 }, { "+FREXPE.f32.log r0.h1", { 0x3c004000 }, 0 },
		/* 1.5 and 2 of halves */
		{ "*FREXPM.v2f16 r0", { 0x3e004000 }, 0x3a003800 }, { "+FREXPM.v2f16.sqrt r0", { 0x3e004000 }, 0x36003800 },
		{ "*FREXPE.v2f16 r0", { 0x3e004000 }, 0x00010002 }, { "+FREXPE.v2f16 r0.neg", { 0x3e004000 }, 0xfffffffe },
	};

	CHECK(modified);
}

static void test_approximations(void **state)
{
	const struct row rows[] = {
		/* 2/m of 1.5 * 2^n; half of it is 1/1.5 */
		{ "+FRCP_APPROX.f32 r0", { 0x41400000 }, 0x3faaaaab }, { "+FRCP_APPROX.f32 r0.neg", { 0x41400000 }, 0xbfaaaaab },
		{ "+FRCP_APPROX.f32 r0.h1", { 0x40000000 }, 0x40000000 },
		{ "+FRCP_APPROX.f32 r0", { 0 }, INF }, { "+FRCP_APPROX.f32 r0", { NEG }, NEG | INF },
		{ "+FRCP_APPROX.f32 r0", { NEG | INF }, NEG }, { "+FRCP_APPROX.f32 r0", { NAN_PAYLOAD }, NAN_PAYLOAD },
		{ "+FRSQ_APPROX.f32 r0", { 0x40800000 }, 0x40000000 },	/* 4 is 0.25 * 4^2 */
		{ "+FRSQ_APPROX.f32 r0.abs", { 0xc0800000 }, 0x40000000 }, { "+FRSQ_APPROX.f32 r0.h0", { 0x4400 }, 0x40000000 },
		{ "+FRSQ_APPROX.f32 r0", { 0 }, INF }, { "+FRSQ_APPROX.f32 r0", { INF }, 0 },
		{ "+FRSQ_APPROX.f32 r0", { NAN_PAYLOAD }, NAN_PAYLOAD },
		{ "+FLOG_TABLE.f32.red r0", { 0x3f800000 }, 0x3f800000 }, { "+FLOG_TABLE.f32.red r0.h1", { 0x3c000000 }, 0x3f800000 },
		{ "+FLOG_TABLE.f32.red r0", { 0 }, 0x3f800000 }, { "+FLOG_TABLE.f32.red r0", { INF }, 0x3f800000 },
		{ "+FLOG_TABLE.f32.red r0", { NAN_PAYLOAD }, 0x3f800000 },
		/* 1.34375 lies in the middle of its sixteenth: 24/32 approximates its reciprocal. */
		{ "+FLOG_TABLE.f32.red r0", { 0x3fac0000 }, 0x3f400000 },
		{ "+FLOG_TABLE.f32.base2 r0", { 0x3fac0000 }, F(-log2(0.75)) }, { "+FLOG_TABLE.f32.natural r0", { 0x3fac0000 }, F(-log(0.75)) },
		{ "+FLOG_TABLE.f32.base2 r0.h0", { 0x3d60 }, F(-log2(0.75)) }, { "+FLOG_TABLE.f32.natural r0.h0", { 0x3d60 }, F(-log(0.75)) },
		{ "+FRCP.f32 r0", { 0x40400000 }, 0x3eaaaaab }, { "+FRCP.f32 r0.neg.abs", { 0xc0400000 }, 0xbeaaaaab },
		{ "+FRCP.f32 r0", { NEG }, NEG | INF }, { "+FRCP.f32 r0", { SIGNALLING }, 0xffc12345 },
		{ "+FRCP.f16 r0", { 0x4000 }, 0x3800 }, { "+FRCP.f16 r0.neg.h1", { 0x40000000 }, 0xb800 }, { "+FRCP.f16 r0", { 0x7d01 }, 0x7f01 },
		{ "+FRSQ.f32 r0", { F(16) }, F(0.25f) }, { "+FRSQ.f16 r0.h1", { 0x4c000000 }, 0x3400 },
		{ "+FEXP_TABLE.u4 r0", { 0xf8 }, F(sqrtf(2)) }, { "+FEXP.f32 r0, r1", { 5u << 24, F(5) }, F(32) },
		{ "+FEXP.f32 r0, r1", { 5, INF }, INF }, { "+FEXP.f32 r0, r1", { 5, NEG | INF }, 0 }, { "+FEXP.f32 r0, r1", { 5, NAN_PAYLOAD }, NAN_PAYLOAD },
		{ "+FSIN_TABLE.u6 r0", { 0x50 }, F(1) }, { "+FSIN_TABLE.u6 r0", { 48 }, F(-1) }, { "+FSIN_TABLE.u6.offset r0", { 0 }, F(1) },
		{ "+FCOS_TABLE.u6 r0", { 0x40 }, F(1) }, { "+FCOS_TABLE.u6 r0", { 32 }, F(-1) }, { "+FCOS_TABLE.u6.offset r0", { 16 }, F(-1) },
		/* log2(12) is 4 + log2(0.75): FLOGD times FADD_LSCALE, and the exponent. */
		{ "+FLOGD.f32 r0", { F(12) }, F(log2(0.75) / -0.25) }, { "*FADD_LSCALE.f32 r0, r1", { F(-1), F(12) }, F(-0.25f) },
	};
	float h, l;

	CHECK(rows);
	/* The two parts are the whole. */
	for (int base = 0; base < 2; base++) {
		static const char *const parts[2][2] = {
			{ "+FLOG_TABLE.f32.base2.high r0", "+FLOG_TABLE.f32.base2.low r0" },
			{ "+FLOG_TABLE.f32.natural.high r0", "+FLOG_TABLE.f32.natural.low r0" },
		};
		double want = base ? -log(0.75) : -log2(0.75);

		h = as_float(run(parts[base][0], (uint32_t[4]){ 0x3fac0000 }));
		l = as_float(run(parts[base][1], (uint32_t[4]){ 0x3fac0000 }));
		assert_true(fabs((double)h + l - want) < 1e-9 && fabsf(l) < 1 / 4096.0f);
	}
}

static void test_conversions(void **state)
{
	const struct row rows[] = {
		{ "+F16_TO_S32 r0.h1", { 0xc1000000 }, -2u }, { "+F16_TO_U32.rtp r0", { 0x4100 }, 3 }, { "+F16_TO_S32.rtna r0", { 0xc100 }, -3u },
		{ "+F32_TO_S32.rtz r0", { F(-2.75f) }, -2u }, { "+F32_TO_S32 r0", { F(3e9f) }, 0x7fffffff }, { "+F32_TO_S32.rtna r0", { F(2.5f) }, 3 },
		{ "+F32_TO_U32.rtn r0", { F(2.75f) }, 2 }, { "+F32_TO_U32 r0", { F(-3) }, 0 }, { "+F32_TO_U32 r0", { NAN_PAYLOAD }, 0 },
		{ "+V2F16_TO_V2S16.rtz r0.h10", { 0x4100c100 }, 0xfffe0002 }, { "+V2F16_TO_V2U16 r0", { 0x42004400 }, 0x00030004 },
		{ "+S32_TO_F32 r0", { -3u }, F(-3) }, { "+S32_TO_F32.rtz r0", { 0x7fffffff }, 0x4effffff }, { "+U32_TO_F32 r0", { ~0u }, F(0x1p32f) },
		{ "+S16_TO_F32 r0.h1", { 0xfffe0000 }, F(-2) }, { "+U16_TO_F32 r0", { 0xfffe }, F(65534) },
		{ "+S8_TO_F32 r0.b3", { 0xfe000000 }, F(-2) }, { "+U8_TO_F32 r0.b1", { 0xfe00 }, F(254) },
		{ "+V2S16_TO_V2F16 r0.h10", { 0x0002fffe }, 0xc0004000 }, { "+V2U16_TO_V2F16 r0", { 0x00020003 }, 0x40004200 },
		{ "+V2S8_TO_V2F16 r0.b30", { 0xfe000002 }, 0x4000c000 }, { "+V2U8_TO_V2F16 r0", { 0x0203 }, 0x40004200 },
		{ "*S16_TO_S32 r0.h1", { 0xfffe0000 }, -2u }, { "+S16_TO_S32 r0", { 0xfffe }, -2u }, { "*U16_TO_U32 r0.h1", { 0xfffe0000 }, 0xfffe },
		{ "+U16_TO_U32 r0", { 0x1fffe }, 0xfffe }, { "*S8_TO_S32 r0.b2", { 0xfe0000 }, -2u }, { "+S8_TO_S32 r0", { 0x7e }, 0x7e },
		{ "*U8_TO_U32 r0.b3", { 0xfe000000 }, 0xfe }, { "+U8_TO_U32 r0.b1", { 0xfe00 }, 0xfe },
		{ "+V2S8_TO_V2S16 r0.b13", { 0x0200fe00 }, 0x0002fffe }, { "+V2U8_TO_V2U16 r0.b13", { 0x0200fe00 }, 0x000200fe },
		{ "*V2F32_TO_V2F16 r0, r1", { F(1), F(2) }, 0x40003c00 }, { "+V2F32_TO_V2F16.clamp_0_1 r0.neg, r1.neg", { F(1), F(-2) }, 0x3c000000 },
		/* Ties to even, and away from 0: only they differ. */
		{ "+S32_TO_F32 r0", { 16777217 }, 0x4b800000 }, { "+S32_TO_F32.rtna r0", { 16777217 }, 0x4b800001 },
		{ "+S32_TO_F32.rtna r0", { -16777217u }, 0xcb800001 }, { "+U32_TO_F32.rtna r0", { ~0u - 127 }, F(0x1p32f) },
		{ "+S32_TO_F32.rtna r0", { 33554433 }, 0x4c000000 }, { "+S32_TO_F32.rtna r0", { 0 }, 0 },
		{ "*V2F32_TO_V2F16.rtna r0, r1", { F(1 + 0x1p-11f), F(-1 - 0x1p-11f) }, 0xbc013c01 },
		{ "+V2F32_TO_V2F16.rtna r0, r1", { INF, F(65504) }, 0x7bff7c00 },
		{ "+V2S16_TO_V2F16.rtna r0", { 2049 }, 0x6801 }, { "+V2U16_TO_V2F16.rtna r0", { 2047 << 16 | 4097 }, 0x67ff6c00 },
		/* 2049 lies between the halves 2048 and 2050. */
		{ "*V2F32_TO_V2F16.rtp r0, r1", { F(2049), F(-2049) }, 0xe8006801 }, { "+V2F32_TO_V2F16 r0, r1", { F(2049), F(65520) }, 0x7c006800 },
	};

	CHECK(rows);
}

static void test_halves(void **state)
{
	for (unsigned int n = 0; n < 2 * NUM_HALVES; n++) {
		uint32_t f = halves[n / 2].f | n << 31, h = halves[n / 2].h | (n & 1) << 15;

		assert_int_equal(run("*V2F32_TO_V2F16 r0, r1", (uint32_t[4]){ f, f ^ NEG }), (h ^ 0x8000) << 16 | h);
		assert_int_equal(run("+V2F32_TO_V2F16 r0, r1", (uint32_t[4]){ f, f ^ NEG }), (h ^ 0x8000) << 16 | h);
		assert_int_equal(run("*F16_TO_F32 r0.h1", (uint32_t[4]){ h << 16 }), as_bits(half_to_float(h)));
	}
}

static void test_integers(void **state)
{
	const struct row rows[] = {
		{ "+IADD.s32 r0, r1", { 5, -7u }, -2u }, { "+IADD.s32.sat r0, r1", { 0x7fffffff, 1 }, 0x7fffffff },
		{ "+IADD.s32 r0, r1.h1", { 5, 0xffff0000 }, 4 }, { "+IADD.u32 r0, r1.h1", { 5, 0xffff0000 }, 0x10004 },
		{ "+IADD.u32.sat r0, r1", { ~0u, 1 }, ~0u }, { "+IADD.s32 r0, r1.b3", { 5, 0xfe000000 }, 3 }, { "+IADD.u32 r0, r1.b1", { 5, 0xfe00 }, 0x103 },
		{ "+IADD.v2s16.sat r0, r1.h10", { 0x7fff0001, 0x00010001 }, 0x7fff0002 }, { "+IADD.v2u16 r0, r1.b01", { 0x00010001, 0xfe02 }, 0x00ff0003 },
		{ "+IADD.v2s16 r0, r1.b01", { 0x00010001, 0xfe02 }, 0xffff0003 }, { "+IADD.v4s8 r0, r1", { 0x7f0102ff, 0x01010101 }, 0x80020300 },
		{ "+IADD.v4u8.sat r0, r1.b0000", { 0x7f0102ff, 2 }, 0x810304ff },
		{ "+ISUB.s32.sat r0, r1", { NEG, 1 }, NEG }, { "+ISUB.u32.sat r0, r1", { 1, 2 }, 0 }, { "+ISUB.v2s16 r0, r1.h00", { 0x00050003, 4 }, 0x0001ffff },
		{ "+ISUB.v2u16.sat r0, r1", { 0x00050003, 0x00040004 }, 0x00010000 }, { "+ISUB.v4s8 r0, r1", { 0x01020304, 0x02020202 }, 0xff000102 },
		{ "+ISUB.v4u8.sat r0, r1", { 0x01020304, 0x02020202 }, 0x00000102 },
		{ "*IADDC.i32 r0, r1, r2", { ~0u, 1, 1 }, 1 }, { "*ISUBB.i32 r0, r1, r2", { 5, 3, 1 }, 1 },
		{ "*IMUL.i32 r0, r1", { 0x10001, 0x10001 }, 0x20001 }, { "*IMUL.i32.sext r0, r1.h1", { 3, 0xfffe0000 }, -6u },
		{ "*IMUL.i32.zext r0, r1.b3", { 3, 0xfe000000 }, 762 }, { "*IMUL.v2i16 r0.h10, r1", { 0x00020003, 0x00050007 }, 0x000f000e },
		{ "*IMUL.v4i8 r0, r1.b1111", { 0x01020304, 0x300 }, 0x0306090c }, { "*IMUL.v4i8 r0, r1", { 0x01020304, 0x02020380 }, 0x02040900 },
		{ "*IDP.v4i8 r0.zext, r1.sext", { 0xff010203, 0xff010101 }, -249u }, { "*IDP.v4i8 r0.sext, r1.sext", { 0xff010203, 0xff010101 }, 7 },
		{ "+IABS.s32 r0", { -5u }, 5 }, { "+IABS.v2s16 r0.h10", { 0xfffe0003 }, 0x00030002 }, { "+IABS.v4s8 r0", { 0xfe03ff80 }, 0x02030180 },
		{ "+HADD.s32 r0, r1", { -3u, 0 }, -2u }, { "+HADD.s32.rtp r0, r1", { -3u, 0 }, -1u }, { "+HADD.u32 r0, r1", { ~0u, 1 }, NEG },
		{ "+HADD.v2s16 r0, r1", { 0xfffd0003, 0x00000001 }, 0xfffe0002 }, { "+HADD.v2u16.rtp r0, r1.h10", { 0xffff0003, 0x00020001 }, 0x80000003 },
		{ "+HADD.v4s8 r0, r1", { 0xfd030405, 0 }, 0xfe010202 }, { "+HADD.v4u8 r0, r1", { 0xff030405, 0x01010101 }, 0x80020203 },
		{ "*ARSHIFT.i32 r0, #0, r2.b1", { NEG, 0, 0x400 }, 0xf8000000 }, { "*ARSHIFT.v2i16 r0, #0, r2", { 0x80000100, 0, 0x00040004 }, 0xf8000010 },
		{ "*ARSHIFT.v4i8 r0, #0, r2", { 0x80402010, 0, 0x01010202 }, 0xc0200804 }, { "*ARSHIFT.v4i8 r0, #0, r2.b1111", { 0x80402010, 0, 0x400 }, 0xf8040201 },
		{ "*LSHIFT_OR.i32 r0, r1, r2.b1", { 0xff, 1, 0x1000 }, 0xff0001 }, { "*LSHIFT_OR.i32 r0, r1.not, r2", { 1, 0xfffffff0, 1 }, 0xf },
		{ "*LSHIFT_OR.i32.not r0, r1, r2.b3", { 3, 0, 0x1f000000 }, 0x7fffffff }, { "*LSHIFT_OR.i32.not r0, r1.not, r2.b2", { 0, 0x1234, 0 }, 0x1234 },
		{ "*LSHIFT_OR.v2i16 r0, r1, r2", { 0x00010001, 0x80000000, 0x00040002 }, 0x80100004 },
		{ "*LSHIFT_OR.v4i8 r0, r1, r2", { 0x01010101, 0x80000000, 0x04030201 }, 0x90080402 },
		{ "*LSHIFT_AND.i32 r0, r1, r2", { 0xff, 0x0ff0, 4 }, 0xff0 }, { "*LSHIFT_AND.i32.not r0, r1.not, r2", { 0xff, 0xf, 0 }, 0xffffff0f },
		{ "*LSHIFT_AND.v2i16 r0, r1, r2.b00", { 0x00ff00ff, 0x0ff00f00, 4 }, 0x0ff00f00 }, { "*LSHIFT_AND.v4i8 r0, r1, r2.b0000", { 0x01020304, 0xffffff08, 1 }, 0x02040608 },
		{ "*LSHIFT_XOR.i32 r0, r1, r2", { 1, 0x11, 4 }, 1 }, { "*LSHIFT_XOR.v2i16 r0, r1, r2.b01", { 0x00010001, 0x11, 0x0804 }, 0x01000001 },
		{ "*LSHIFT_XOR.v4i8.not r0, r1, r2", { 0x01010101, 0, 0x03020100 }, 0xf7fbfdfe },
		{ "*RSHIFT_OR.i32 r0, r1, r2", { NEG, 1, 4 }, 0x08000001 }, { "*RSHIFT_OR.v2i16 r0, r1, r2", { 0x80008000, 1, 0x00040004 }, 0x08000801 },
		{ "*RSHIFT_OR.v4i8 r0, r1, r2.b3333", { 0x80808080, 0, 0x04000000 }, 0x08080808 }, { "*RSHIFT_AND.i32 r0, r1, r2.b2", { NEG, 0x0f000000, 0x40000 }, 0x08000000 },
		{ "*RSHIFT_AND.v2i16 r0, r1, r2.b23", { 0x80008000, ~0u, 0x01040000 }, 0x40000800 }, { "*RSHIFT_AND.v4i8 r0, r1, r2", { 0x80808080, 0xff00ffff, 0x01020304 }, 0x40001008 },
		{ "*RSHIFT_XOR.i32 r0, r1, r2", { 0x10, 3, 4 }, 2 }, { "*RSHIFT_XOR.v2i16 r0, r1, r2", { 0x00100020, 1, 0x00040004 }, 0x00010003 },
		{ "*RSHIFT_XOR.v4i8 r0, r1, r2", { 0x10101010, 1, 0x04040404 }, 0x01010100 },
		{ "*LSHIFT_DOUBLE.i32.w1 r0, r1, r2", { NEG, 1, 1 }, 3 }, { "*LSHIFT_DOUBLE.i32 r0, r1, r2", { 3, 1, 33 }, 0 },
		{ "*RSHIFT_DOUBLE.i32 r0, r1, r2.b2", { 2, 1, 0x10000 }, 0x80000001 }, { "*ARSHIFT_DOUBLE.i32.w1 r0, r1, r2", { 2, NEG, 1 }, 0xc0000000 },
		{ "*CLZ.u32 r0", { 0x00ffffff }, 8 }, { "*CLZ.v2u16 r0.h10", { 0x00010100 }, 0x0007000f }, { "*CLZ.v4u8 r0", { 0x01020480 }, 0x07060500 },
		{ "*CLZ.u32.mask r0", { 0x00400000 }, 0x007fffff },
		{ "*POPCOUNT.i32 r0", { 0xf00f }, 8 }, { "*BITREV.i32 r0", { 0x80000003 }, 0xc0000001 },
		{ "+ICMP.i32.ne r0, r1", { 1, 2 }, 1 }, { "+ICMP.s32.gt.m1 r0, r1", { 1, -1u }, ~0u }, { "+ICMP.u32.ge r0, r1", { 1, -1u }, 0 },
		{ "+ICMP.v2i16.eq.m1 r0, r1.h10", { 0x00010002, 0x00020003 }, 0x0000ffff }, { "+ICMP.v2i16.eq r0, r1.h10", { 0x00010002, 0x00020001 }, 0x00010001 },
		{ "+ICMP.v2s16.gt r0, r1", { 0xffff0001, 0x00000000 }, 1 }, { "+ICMP.v2u16.gt.m1 r0, r1", { 0xffff0000, 0x00000000 }, 0xffff0000 },
		{ "+ICMP.v4i8.eq r0, r1", { 0x01020304, 0x01000304 }, 0x01000101 }, { "+ICMP.v4s8.ge.m1 r0, r1", { 0xff010080, 0 }, 0x00ffff00 },
		{ "+ICMP.v4u8.gt r0, r1", { 0xff010080, 0 }, 0x01010001 },
		{ "+ICMPI.i32.eq r0, r1", { 2, 2 }, 1 }, { "+ICMPI.s32.gt r0, r1", { 1, -1u }, 1 }, { "+ICMPI.u32.ge.m1 r0, r1", { 1, -1u }, 0 },
	};

	CHECK(rows);
}

/* What goes from FMA to ADD of a tuple: the three scenarios of Mesa's Notes.txt, against 64-bit arithmetic. */
static void test_lshift_add(void **state)
{
	static const struct {
		const char *text;
		uint64_t a, b, want;
	} rows[] = {
		{ "i64 r5:t0, r0, r1, shift:3", 0x00000001fffffff0, 0xffffffff80000004, 0xfffffffe00000010 },
		{ "i64 r5:t0, r0, r1, shift:0", 0xffffffffffffffff, 1, 0 },
		{ "i64 r5:t0, r0, r1, shift:7", 0, 0x0300000001000000, 0x8000000080000000 },
		{ "u32 r5:t0, r0, r1, shift:4", 0x00000001fffffff0, 0xdeadbeef80000001, 0x0000000a00000000 },
		{ "u32 r5:t0, r0, r1, shift:0", 0x00000000ffffffff, 0xffffffff, 0x00000001fffffffe },
		{ "s32 r5:t0, r0, r1, shift:2", 0x0000000100000000, 0x0000000080000000, 0xffffffff00000000 },
		{ "s32 r5:t0, r0, r1, shift:7", 0x0000000100000000, 0x00000000ffffffff, 0x00000000ffffff80 },
		{ "u32 r5:t0, r0, r1.h1, shift:1", 0x10, 0x8000ffff, 0x10010 },
		{ "s32 r5:t0, r0, r1.h1, shift:1", 0x10, 0x8000ffff, 0xffffffffffff0010 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		bool wide = rows[i].text[0] == 'i';
		char text[256];

		memset(&s, 0, sizeof(s));
		put(0, rows[i].a);
		put(1, rows[i].b);
		put(2, rows[i].a >> 32);
		/* What the notes call ignored is anything. */
		s.uniforms[0][0] = wide ? rows[i].b >> 32 : 0x5a5a5a5a;
		snprintf(text, sizeof(text), "*SHADDXL.%s\n+SHADDXH.i32 r6:t1, r2, u0.w0\n*NOP t0\n+NOP t1", rows[i].text);
		run_clause("ds(0) eos", text);
		if (s.r[5][LANE] != (uint32_t)rows[i].want || s.r[6][LANE] != rows[i].want >> 32)
			fail_msg("%s: 0x%08x%08x, not 0x%016llx", rows[i].text, s.r[6][LANE], s.r[5][LANE],
				 (unsigned long long)rows[i].want);
	}
	/* A tuple between loses it. */
	run_clause("ds(0) eos", "*SHADDXL.i64 t0, r0, r1, shift:3\n+NOP t1\n*NOP t0\n+SHADDXH.i32 r6:t1, r2, u0.w0\n*NOP t0\n+NOP t1");
	assert_int_equal(s.r[6][LANE], s.r[2][LANE]);
}

/* A direction's face, and the place on it. */
static void test_cube(void **state)
{
	static const struct { float x, y, z; uint32_t face; float max, sc, tc; } rows[] = {
		{ 2, 0.5f, 1, 0, 2, -1, -0.5f }, { -2, 0.5f, 1, 1, 2, 1, -0.5f }, { 1, 2, 0.5f, 2, 2, 1, 0.5f },
		{ 1, -2, 0.5f, 3, 2, 1, -0.5f }, { 1, 0.5f, 2, 4, 2, 1, -0.5f }, { 1, 0.5f, -2, 5, 2, -1, -0.5f },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		memset(&s, 0, sizeof(s));
		put(0, F(rows[i].x));
		put(1, F(rows[i].y));
		put(2, F(rows[i].z));
		run_clause("ds(0) eos", "*CUBEFACE1 r5:t0, r0, r1, r2\n+CUBEFACE2 r6:t1, t\n*NOP t0\n+CUBE_SSEL r7:t1, r2, r0, t1\n"
			   "*NOP t0\n+CUBE_TSEL r8:t1, r1, r2, r6\n*NOP t0\n+NOP t1");
		assert_int_equal(s.r[5][LANE], F(rows[i].max));
		assert_int_equal(s.r[6][LANE], rows[i].face << 29);
		assert_int_equal(s.r[7][LANE], F(rows[i].sc));
		assert_int_equal(s.r[8][LANE], F(rows[i].tc));
	}
}

/* --- Messages --------------------------------------------------------------------------- */

static unsigned char memory[0x1000];
static struct {
	uint32_t index, data[4];
	unsigned int mask, calls;
	enum mdsim_kind kind;
	struct mdsim_sample sample;
} seen;

/* Components 10 * index + their number, of uniforms by words. */
static void io_load(void *ctx, unsigned int lane, enum mdsim_kind kind, uint32_t index, uint32_t offset, bool half, union mdsim_reg *out)
{
	seen.kind = kind;
	seen.index = index;
	for (uint32_t i = 0; i < 4; i++) {
		if (half)
			out->u16[i] = 10 * index + i;
		else
			out->u32[i] = kind == MDSIM_UNIFORM ? 100 * index + offset / 4 + i : 10 * index + i;
	}
}

static void io_store(void *ctx, unsigned int lane, enum mdsim_kind kind, uint32_t index, unsigned int mask, bool half, const union mdsim_reg *in)
{
	seen.kind = kind;
	seen.index = index;
	seen.mask = mask;
	seen.calls++;
	memcpy(seen.data, in->u32, sizeof(seen.data));
}

static void io_texture(void *ctx, unsigned int lane, const struct mdsim_sample *sample, float out[4])
{
	seen.sample = *sample;
	for (unsigned int i = 0; i < 4; i++)
		out[i] = 1 + i;
}

static bool io_memory(void *ctx, unsigned int lane, uint64_t address, void *data, unsigned int size, bool write)
{
	if (address > sizeof(memory) - size)
		return false;
	if (lane == LANE)
		memcpy(write ? memory + address : data, write ? data : memory + address, size);
	return true;
}

static void io_image(void *ctx, unsigned int lane, const struct mdsim_texel *texel, bool store, union mdsim_reg *data)
{
	for (uint32_t i = 0; i < 4; i++)
		data->u32[i] = 1000 * texel->image + 100 * texel->coords[2] + 10 * texel->coords[1] + texel->coords[0] + i;
}

static uint64_t io_image_address(void *ctx, unsigned int lane, const struct mdsim_texel *texel)
{
	return 0x100000000ull * (texel->image + 1) + 10 * texel->coords[1] + texel->coords[0];
}

static const struct mdsim_io io = { NULL, io_load, io_store, io_texture, io_memory, io_image, io_image_address };

/* Of one ADD op whose data register is r8; registers stay as they are. */
static void message(const char *text)
{
	char lines[512];

	s.io = &io;
	memset(&seen, 0, sizeof(seen));
	snprintf(lines, sizeof(lines), "*NOP t0\n%s\n*NOP t0\n+NOP t1", text);
	run_clause("ds(0) eos", lines);
}

static void begin(uint32_t a, uint32_t b, uint32_t c)
{
	memset(&s, 0, sizeof(s));
	put(0, a);
	put(1, b);
	put(2, c);
	for (unsigned int i = 0; i < 4; i++)
		put(8 + i, 0xa0a0a0a0 + i);
}

static void test_loads(void **state)
{
	static const struct { const char *text; uint32_t want[4]; } rows[] = {
		{ "i8 t1, r0, r1, @r8", { 0xa0a0a0f0 } }, { "i8.b2 t1, r0, r1, @r8", { 0xa0f0a0a0 } }, { "i8.h1.sext t1, r0, r1, @r8", { 0xfff0a0a0 } },
		{ "i8.w0.zext t1, r0, r1, @r8", { 0xf0 } }, { "i8.d0.sext t1, r0, r1, @r8", { -16u, -1u } },
		{ "i16 t1, r0, r1, @r8", { 0xa0a0f1f0 } }, { "i16.h1 t1, r0, r1, @r8", { 0xf1f0a0a0 } }, { "i16.w0.sext t1, r0, r1, @r8", { 0xfffff1f0 } },
		{ "i16.d0.zext t1, r0, r1, @r8", { 0xf1f0, 0 } }, { "i24 t1, r0, r1, @r8", { 0xf2f1f0 } }, { "i32 t1, r0, r1, @r8", { 0xf3f2f1f0 } },
		{ "i32.d0.zext t1, r0, r1, @r8", { 0xf3f2f1f0, 0 } }, { "i48 t1, r0, r1, @r8", { 0xf3f2f1f0, 0xf5f4 } },
		{ "i64 t1, r0, r1, @r8", { 0xf3f2f1f0, 0xf7f6f5f4 } }, { "i96 t1, r0, r1, @r8", { 0xf3f2f1f0, 0xf7f6f5f4, 0xfbfaf9f8 } },
		{ "i128 t1, r0, r1, @r8", { 0xf3f2f1f0, 0xf7f6f5f4, 0xfbfaf9f8, 0xfffefdfc } },
	};
	char text[128];

	for (unsigned int i = 0; i < 16; i++)
		memory[0x100 + i] = 0xf0 + i;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		begin(0x100, 0, 0);
		snprintf(text, sizeof(text), "+LOAD.%s", rows[i].text);
		message(text);
		for (unsigned int k = 0; k < 4; k++)
			if (rows[i].want[k] && s.r[8 + k][LANE] != rows[i].want[k])
				fail_msg("%s: word %u is 0x%08x", text, k, s.r[8 + k][LANE]);
	}
	/* Of buffers, of what threads share, of what each has. */
	begin(40, 3, 0);
	message("+LOAD.i128.ubo t1, r0, r1, @r8");
	assert_int_equal(s.r[11][LANE], 313);
	/* Where there are no buffers 0, not what memory has at the offset (sim/midgard.h, struct mdsim_io). */
	begin(0x100, 0, 0);
	s.io = &(struct mdsim_io){ .memory = io_memory };
	run_clause("ds(0) eos", "*NOP t0\n+LOAD.i32.ubo t1, r0, r1, @r8");
	assert_int_equal(s.r[8][LANE], 0);
	begin(0x10, 0, 0);
	s.shared = 0xf0;
	message("+LOAD.i32.wls t1, r0, r1, @r8");
	assert_int_equal(s.r[8][LANE], 0xf3f2f1f0);
	s.local[LANE] = 0xf4;
	message("+LOAD.i32.tl t1, r0, r1, @r8");
	assert_int_equal(s.r[8][LANE], 0xf7f6f5f4);
	/* What is not there reads 0, and says so. */
	begin(0x100, 1, 0);
	s.io = &io;
	{
		size_t count;
		uint32_t *words = assemble("bifrost", "ds(0) eos\n{\n+LOAD.i32 t1, r0, r1, @r8\n}\n", &count);
		struct bfsim_program *p = bfsim_decode(words, count);

		bfsim_run(&s, p, 0xff, 10);
		assert_int_equal(s.events, BFSIM_MEMORY);
		assert_int_equal(s.r[8][LANE], 0);
		bfsim_free(p);
		free(words);
	}
}

static void test_stores(void **state)
{
	static const struct { const char *text; unsigned int bytes; } rows[] = {
		{ "i8", 1 }, { "i16", 2 }, { "i24", 3 }, { "i32", 4 }, { "i48", 6 }, { "i64", 8 }, { "i96", 12 }, { "i128", 16 },
	};
	uint32_t data[4] = { 0xa0a0a0a0, 0xa0a0a0a1, 0xa0a0a0a2, 0xa0a0a0a3 };
	char text[128];

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		memset(memory, 0, sizeof(memory));
		begin(0x200, 0, 0);
		snprintf(text, sizeof(text), "+STORE.%s t1, r0, r1, @r8", rows[i].text);
		message(text);
		assert_memory_equal(memory + 0x200, data, rows[i].bytes);
		assert_int_equal(memory[0x200 + rows[i].bytes], 0);
	}
	begin(0x210, 0, 0);
	message("+ST_CVT.v2 t1, r0, r1, r2, @r8");
	assert_memory_equal(memory + 0x210, data, 8);
	message("+LD_CVT.v2 t1, r0, r1, r2, @r12");
	assert_int_equal(s.r[13][LANE], 0xa0a0a0a1);
	/* SHADDXL hands its sum to what follows in the tuple. */
	begin(0x100, 0x10, 0);
	s.io = &io;
	run_clause("ds(0) eos", "*SHADDXL.u32 t0, r0, r1, shift:4\n+STORE.i32 t1, t, r2, @r8\n*NOP t0\n+NOP t1");
	assert_memory_equal(memory + 0x200, data, 4);
	run_clause("ds(0) eos", "*SHADDXL.i64 t0, r0, r1, shift:5\n+STORE.i32 t1, r2, r2, @r8\n*NOP t0\n+NOP t1");
	assert_memory_equal(memory + 0x300, data, 4);
}

static void test_segments(void **state)
{
	static const char *const slots[] = { "*SEG_ADD.wls r5:t0, r0\n+NOP t1", "*SEG_SUB.tl r5:t0, r0\n+NOP t1",
					     "*NOP t0\n+SEG_ADD.wls r5:t1, r0", "*NOP t0\n+SEG_SUB.tl r5:t1, r0" };
	static const uint32_t want[] = { 0x140, 0x20, 0x40, 0x40 };
	char text[128];

	for (unsigned int i = 0; i < 4; i++) {
		begin(0x40, 0, 0);
		s.shared = 0x100;
		s.local[LANE] = 0x20;
		snprintf(text, sizeof(text), "%s\n*NOP t0\n+NOP t1", slots[i]);
		run_clause("ds(0) eos", text);
		assert_int_equal(s.r[5][LANE], want[i]);
	}
}

static void test_atomics(void **state)
{
	static const struct { const char *op; bool one; uint32_t want; } rows[] = {
		{ "aadd", false, 12 }, { "asmin", false, -5u }, { "asmax", false, 17 }, { "aumin", false, 17 }, { "aumax", false, -5u },
		{ "aand", false, 17 & -5u }, { "aor", false, 17 | -5u }, { "axor", false, 17 ^ -5u },
		{ "ainc", true, 18 }, { "adec", true, 16 }, { "aumax1", true, 17 }, { "asmax1", true, 17 }, { "aor1", true, 17 },
	};
	char text[512];

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		for (unsigned int kind = 0; kind < 4; kind++) {
			bool wide = kind & 1;

			memset(memory, 0, sizeof(memory));
			memory[0x80] = 17;
			begin(0x80, 0, 0);
			put(8, -5u);
			put(9, wide ? -1u : 0);
			s.io = &io;
			snprintf(text, sizeof(text), "*ATOM_C%s%s.i%d.%s t0, t0, t1%s\n+ATOM_CX t1, r0, r1, r8, @r8\n*NOP t0\n+NOP t1",
				 rows[i].one ? "1" : "", kind & 2 ? "_RETURN" : "", wide ? 64 : 32, rows[i].op, rows[i].one ? "" : ", r8");
			/* The instruction must be in the last tuple of a clause; the checker says so, not the assembler. */
			run_clause("ds(0) eos", text);
			assert_memory_equal(memory + 0x80, &rows[i].want, 4);
			assert_int_equal(s.r[8][LANE], 17);
			snprintf(text, sizeof(text), "*ATOM_POST.i%d.%s r5:t0, r8, r9\n+NOP t1\n*NOP t0\n+NOP t1", wide ? 64 : 32, "aadd");
			run_clause("ds(0) eos", text);
			assert_int_equal(s.r[5][LANE], 17);
		}
	}
	/* The last word there is. */
	memory[0xffc] = 17;
	begin(0xffc, 0, 0);
	s.io = &io;
	run_clause("ds(0) eos", "*ATOM_C1_RETURN.i32.ainc t0, t0, t1\n+ATOM_CX t1, r0, r1, r8, @r8\n*NOP t0\n+NOP t1");
	assert_true(memory[0xffc] == 18 && s.r[8][LANE] == 17);
	static const struct { const char *text; uint32_t data[4], memory, out; } swaps[] = {
		{ "+AXCHG.i32 t1, r0, r1, @r8", { 5 }, 5, 17 }, { "+AXCHG.i64 t1, r0, r1, @r8", { 5, 6 }, 5, 17 },
		{ "+ACMPXCHG.i32 t1, r0, r1, @r8", { 5, 17 }, 5, 17 }, { "+ACMPXCHG.i32 t1, r0, r1, @r8", { 5, 18 }, 17, 17 },
		{ "+ACMPXCHG.i64 t1, r0, r1, @r8", { 5, 6, 17, 0 }, 5, 17 }, { "+ACMPSTORE.i32 t1, r0, r1, @r8", { 5, 17 }, 5, 5 },
		{ "+ACMPSTORE.i64 t1, r0, r1, @r8", { 5, 6, 17, 1 }, 17, 5 },
	};
	for (size_t i = 0; i < sizeof(swaps) / sizeof(swaps[0]); i++) {
		memset(memory, 0, sizeof(memory));
		memory[0x80] = 17;
		begin(0x80, 0, 0);
		for (unsigned int k = 0; k < 4; k++)
			put(8 + k, swaps[i].data[k]);
		message(swaps[i].text);
		assert_memory_equal(memory + 0x80, &swaps[i].memory, 4);
		assert_int_equal(s.r[8][LANE], swaps[i].out);
	}
}

static void test_attributes(void **state)
{
	static const struct { const char *text; enum mdsim_kind kind; uint32_t index, words[2]; } rows[] = {
		{ "+LD_ATTR.f32.v2 t1, r0, r1, r2, @r8", MDSIM_ATTRIBUTE, 7, { 70, 71 } },
		{ "+LD_ATTR.auto.v2 t1, r0, r1, r2, @r8", MDSIM_ATTRIBUTE, 7, { 70, 71 } },
		{ "+LD_ATTR_IMM.u16.v4 t1, r0, r1, attribute_index:3, @r8", MDSIM_ATTRIBUTE, 3, { 31 << 16 | 30, 33 << 16 | 32 } },
		{ "+LD_VAR.v2.store.f32.center t1, r0, r1, @r8", MDSIM_VARYING, 6, { 60, 61 } },
		{ "+LD_VAR_IMM.v2.retrieve.f16 t1, r0, index:4, @r8", MDSIM_VARYING, 4, { 41 << 16 | 40 } },
		{ "+LD_VAR_FLAT.v2.u32 t1, r1, @r8", MDSIM_VARYING, 6, { 60, 61 } },
		{ "+LD_VAR_FLAT_IMM.v2.s32 t1, index:5, @r8", MDSIM_VARYING, 5, { 50, 51 } },
		{ "+LD_VAR_SPECIAL.point.v2.clobber.f32.center t1, r0, @r8", MDSIM_SPECIAL, BFSIM_POINT, { 10 * BFSIM_POINT, 10 * BFSIM_POINT + 1 } },
		{ "+LD_VAR_SPECIAL.frag_w.clobber.f32.center t1, r0, @r8", MDSIM_SPECIAL, BFSIM_FRAG_W, { 10 * BFSIM_FRAG_W } },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		begin(5, 6, 7);
		message(rows[i].text);
		assert_int_equal(seen.kind, rows[i].kind);
		assert_int_equal(seen.index, rows[i].index);
		assert_int_equal(s.r[8][LANE], rows[i].words[0]);
		if (rows[i].words[1])
			assert_int_equal(s.r[9][LANE], rows[i].words[1]);
	}
	/* A varying's address, and what is stored there. */
	begin(5, 6, 7);
	message("+LEA_ATTR.f32 t1, r0, r1, r2, @r12");
	message("+ST_CVT.v3 t1, r12, r13, r14, @r8");
	assert_true(seen.kind == MDSIM_VARYING && seen.index == 7 && seen.mask == 7 && seen.data[2] == 0xa0a0a0a2);
	message("+LEA_ATTR_IMM.auto t1, r0, r1, attribute_index:2, @r12");
	message("+ST_CVT.v4 t1, r12, r13, r14, @r8");
	assert_true(seen.index == 2 && seen.mask == 15);
	/* Images: texel (3, 2, 1) of number 7. */
	begin(2 << 16 | 3, 1, 7);
	message("+LD_ATTR_TEX.u32.v2 t1, r0, r1, r2, @r8");
	assert_true(s.r[8][LANE] == 7123 && s.r[9][LANE] == 7124);
	static const char *const addresses[] = {
		"+LEA_ATTR_TEX.f32 t1, r0, r1, r2, @r8", "+LEA_TEX.u32 t1, r0, r1, r2, @r8", "+LEA_TEX_IMM.u16 t1, r0, r1, texture_index:7, @r8",
	};
	for (unsigned int i = 0; i < 3; i++) {
		begin(2 << 16 | 3, 1, 7);
		message(addresses[i]);
		assert_true(s.r[8][LANE] == 23 && s.r[9][LANE] == 8);
	}
}

/* A descriptor of TEXC: what it does, how the level comes, dimensions, format. */
#define TEXC(op, lod, dimensions, format) (0xf0000000u | (op) << 12 | (lod) << 20 | (dimensions) << 18 | (format) << 24 | 1 << 11 | 2 << 4 | 5)

static void test_textures(void **state)
{
	begin(F(0.5f), F(0.25f), 0);
	message("+TEXS_2D.f32.computed_lod t1, r0, r1, texture_index:3, sampler_index:2, @r8");
	assert_true(seen.sample.texture == 3 && seen.sample.sampler == 2 && seen.sample.op == 1 && seen.sample.coords[1] == 0.25f);
	assert_int_equal(s.r[11][LANE], F(4));
	message("+TEXS_2D.f16 t1, r0, r1, texture_index:3, sampler_index:2, @r8");
	assert_true(seen.sample.op == 2 && s.r[9][LANE] == 0x44004200);
	/* The face -y (3), in its middle. */
	begin(F(0.5f), F(0.5f), 3u << 29);
	message("+TEXS_CUBE.f32 t1, r0, r1, r2, sampler_index:1, texture_index:2, @r8");
	assert_true(seen.sample.texture == 2 && !seen.sample.dimensions && seen.sample.coords[1] == -1 && seen.sample.coords[0] == 0);
	message("+TEXS_CUBE.f16 t1, r0, r1, r2, sampler_index:1, texture_index:2, @r8");
	assert_int_equal(s.r[8][LANE], 0x40003c00);
	message("+VAR_TEX.f32.store.center t1, varying_index:4, texture_index:1, @r8");
	assert_true(seen.sample.texture == 1 && seen.index == 4 && as_bits(seen.sample.coords[1]) == 41);
	message("+VAR_TEX.f16.retrieve.computed_lod t1, varying_index:4, texture_index:1, @r8");
	assert_int_equal(s.r[9][LANE], 0x44004200);
	/* A level of 1.5; a bias of three dimensions; gather of the second component; a shadow map's reference; an offset. */
	begin(F(0.5f), F(0.25f), TEXC(7, 4, 2, 4));
	put(8, 384);
	message("+TEXC t1, r0, r1, r2, @r8");
	assert_true(seen.sample.op == 2 && seen.sample.lod == 1.5f && seen.sample.texture == 2 && seen.sample.sampler == 5);
	begin(F(0.5f), F(0.25f), TEXC(7, 5, 3, 0));
	put(8, F(0.125f));
	put(9, 0xff80);
	message("+TEXC t1, r0, r1, r2, @r8");
	assert_true(seen.sample.op == 1 && seen.sample.lod == -0.5f && seen.sample.coords[2] == 0.125f && s.r[8][LANE] == 0x40003c00);
	begin(3, 4, TEXC(6, 1, 2, 14));
	put(8, 0x100);
	message("+TEXC t1, r0, r1, r2, @r8");
	assert_true(seen.sample.op == 4 && seen.sample.lod == 1 && seen.sample.coords[1] == 4);
	begin(F(0.5f), F(0.25f), TEXC(6, 5, 2, 4));
	put(8, 0);
	message("+TEXC t1, r0, r1, r2, @r8");
	assert_int_equal(seen.sample.mode, 9);
	begin(F(0.5f), F(0.25f), TEXC(7, 7, 2, 4) | 1 << 16 | 1 << 15);
	put(8, F(0.75f));
	put(9, 0x0000fe03);
	message("+TEXC t1, r0, r1, r2, @r8");
	assert_true(seen.sample.mode == 5 && seen.sample.reference == 0.75f && seen.sample.offset[0] == 3 && seen.sample.offset[1] == -2);
	/* Two textures: 1 to r8, 3 to r20, halves. */
	begin(F(0.5f), F(0.25f), 2 | 1 << 2 | 1 << 4 | 1 << 6 | 3 << 8 | 20 << 12 | 15 << 21 | 4u << 25 | 15u << 28);
	message("+TEXC t1, r0, r1, r2, @r8");
	assert_true(s.r[11][LANE] == F(4) && s.r[20][LANE] == 0x40003c00 && seen.sample.texture == 3);
	begin(F(0.5f), F(0.25f), TEXC(4, 0, 2, 4));
	message("+TEXC t1, r0, r1, r2, @r8");
	assert_int_equal(s.r[8][LANE], 0);
}

static void test_fragments(void **state)
{
	/* Alpha to coverage: the first samples of the mask, a quarter each. */
	static const struct { float alpha; uint32_t mask; } alphas[] = {
		{ 0, 0 }, { -1, 0 }, { NAN, 0 }, { 0.25f, 1 }, { 0.5f, 3 }, { 0.75f, 7 }, { 1, 15 }, { 7, 15 },
	};

	for (size_t i = 0; i < sizeof(alphas) / sizeof(alphas[0]); i++) {
		begin(15, F(alphas[i].alpha), 0);
		s.special[BFSIM_ATEST][0] += 1;
		message("+ATEST r5:t1, r0, r1, @r8");
		assert_true(s.r[5][LANE] == alphas[i].mask && s.r[8][LANE] == alphas[i].mask);
	}
	begin(15, 0x38000000, 0);
	message("+ATEST r5:t1, r0, r1.h1, @r8");
	assert_int_equal(s.r[5][LANE], 15);
	begin(1, 2, 3);
	message("+BLEND t1, r0, r1, r2, @r8");
	assert_true(seen.kind == MDSIM_TARGET && seen.index == 2 && seen.data[3] == 0xa0a0a0a3 && seen.calls == 8);
	begin(0, 2, 3);
	message("+BLEND t1, r0, r1, r2, @r8");
	assert_int_equal(seen.calls, 0);
	begin(F(0.5f), 9, 3);
	message("+ZS_EMIT.stencil.z r5:t1, r0, r1, r2, @r8");
	assert_true(seen.index == 255 && seen.mask == 3 && seen.data[0] == F(0.5f) && seen.data[1] == 9 && s.r[5][LANE] == 3);
	message("+BARRIER t1");
}

static void test_discard(void **state)
{
	static const struct { const char *text; float a, b; bool gone; } rows[] = {
		{ "+DISCARD.f32.lt t1, r0, r1", 1, 2, true }, { "+DISCARD.f32.lt t1, r0, r1", 2, 2, false },
		{ "+DISCARD.f32.le t1, r0, r1", 2, 2, true }, { "+DISCARD.f32.eq t1, r0, r1", 1, 2, false },
		{ "+DISCARD.f32.ne t1, r0, r1", 1, 2, true }, { "+DISCARD.f32.ne t1, r0, r1", NAN, NAN, true },
		{ "+DISCARD.f32.eq t1, r0, r1", NAN, NAN, false }, { "+DISCARD.f32.le t1, r0, r1", NAN, 1, false },
		{ "+DISCARD.f32.eq t1, r0, r1", 0.0f, -0.0f, true },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		begin(F(rows[i].a), F(rows[i].b), 0);
		message(rows[i].text);
		if (s.discarded != (rows[i].gone ? 0xff : 0))
			fail_msg("%s of %g and %g", rows[i].text, rows[i].a, rows[i].b);
	}
	/* What is gone has no colour, and with "td" does nothing more at all. */
	begin(0x3c00, 0x4000, 1);
	message("+DISCARD.f32.lt t1, r0.h0, r1.h0\n*NOP t0\n+BLEND t1, r2, r1, r2, @r8");
	assert_true(s.discarded == 0xff && !seen.calls);
}

/* --- Control flow ------------------------------------------------------------------------- */

/* Does the branch go, of r0 and r1? By lanes: what r5 has become. */
static uint32_t branches(const char *text, uint32_t a, uint32_t b)
{
	char program[1024];
	struct bfsim_program *p;
	uint32_t *words, taken = 0;
	size_t count;

	snprintf(program, sizeof(program), "ds(0) nbb\n{\n*NOP t0\n%s, clause_9\n}\nds(0) eos\n{\n*MOV.i32 r5:t0, #0\n+NOP t1\n*NOP t0\n+NOP t1\n}\n"
		 "clause_9:\nds(0) eos\n{\n*NOP t0\n+MOV.i32 r5:t1, 0x00000001\n*NOP t0\n+NOP t1\n}\n", text);
	words = assemble("bifrost", program, &count);
	p = bfsim_decode(words, count);
	memset(s.r, 0, 5 * sizeof(s.r[0]));
	s.r[0] += a;
	s.r[1] += b;
	s.r[2][2] = 1;
	s.events = 0;
	assert_int_equal(bfsim_run(&s, p, 0xff, 10), SIM_DONE);
	assert_int_equal(s.events, 0);
	for (unsigned int lane = 0; lane < SIM_LANES; lane++)
		taken |= s.r[5][lane] << lane;
	bfsim_free(p);
	free(words);
	return taken;
}

static void test_branches(void **state)
{
	static const struct { const char *text; uint32_t a, b; bool taken; } rows[] = {
		{ "+BRANCH.s32.lt t1, r0, r1", -1u, 1, true }, { "+BRANCH.s32.gt t1, r0, r1", -1u, 1, false }, { "+BRANCH.i32.eq t1, r0, r1", 7, 7, true },
		{ "+BRANCH.f32.lt t1, r0, r1", 0xbf800000, 0x3f800000, true }, { "+BRANCH.s16.ge t1, r0.h0, r1.h0", 5, 0x10005, true },
		{ "+BRANCH.f32.gt t1, r0, r1.h1", 0x40000000, 0x3c000000, true }, { "+BRANCH.i16.ne t1, r0.h1, r1.h0", 0x50000, 5, false },
		{ "+BRANCHZ.i32.eq t1, r0", 0, 0, true }, { "+BRANCHZ.f32.eq t1, r0", NEG, 0, true }, { "+BRANCHZ.s32.lt t1, r0", NEG, 0, true },
		{ "+BRANCHZ.u32.gt t1, r0", NEG, 0, true }, { "+BRANCHZ.i16.eq t1, r0.h0", 0x10000, 0, true }, { "+BRANCHZ.f16.gt t1, r0.h1", 0x3c00, 0, false },
		{ "+JUMP t1", 0, 0, true },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (branches(rows[i].text, rows[i].a, rows[i].b) != (rows[i].taken ? 0xff : 0))
			fail_msg("%s of 0x%x and 0x%x", rows[i].text, rows[i].a, rows[i].b);
	/* One lane alone, and what all or any of them say. */
	assert_int_equal(branches("+BRANCHZ.i32.ne t1, r2", 0, 0), 1 << 2);
	assert_int_equal(branches("+BRANCHC.i32.any t1, r2", 0, 0), 0xff);
	assert_int_equal(branches("+BRANCHC.i32.all t1, r2", 0, 0), 0);
	assert_int_equal(branches("+BRANCHC.i16.all t1, r0.h1", 0x10000, 0), 0xff);
}

/* Lanes ask each other; of one that does not run there is a value of its own. */
static void test_lanes(void **state)
{
	static const struct { const char *text; unsigned int from[8]; } rows[] = {
		{ "+CLPER.i32.subgroup4.zero r5:t1, r0, r1", { 1, 1, 1, 1, 5, 5, 5, 5 } },
		{ "+CLPER.i32.xor.subgroup8.zero r5:t1, r0, r1", { 1, 0, 3, 2, 5, 4, 7, 6 } },
		{ "+CLPER.i32.accumulate.subgroup2.zero r5:t1, r0, r1", { 1, 0, 3, 2, 5, 4, 7, 6 } },
		{ "+CLPER.i32.shift.subgroup4.zero r5:t1, r0, r1", { 3, 0, 1, 2, 7, 4, 5, 6 } },
		{ "+CLPER_OLD.i32 r5:t1, r0, r1", { 1, 1, 1, 1, 5, 5, 5, 5 } },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		begin(0, 1, 0);
		for (unsigned int lane = 0; lane < SIM_LANES; lane++)
			s.r[0][lane] = 100 + lane;
		message(rows[i].text);
		for (unsigned int lane = 0; lane < SIM_LANES; lane++)
			assert_int_equal(s.r[5][lane], 100 + rows[i].from[lane]);
	}
	/* Lanes 1, 2, 5 and 7 have something; lane 1 has gone. */
	static const struct { const char *text; uint32_t want[8]; } masks[] = {
		{ "+WMASK.subgroup2 r5:t1, r0, fill:0", { 0, 0, 1, 1, 2, 2, 2, 2 } },
		{ "+WMASK.subgroup4 r5:t1, r0, fill:0", { 4, 0, 4, 4, 10, 10, 10, 10 } },
		{ "+WMASK.subgroup8 r5:t1, r0, fill:0", { 0xa4, 0, 0xa4, 0xa4, 0xa4, 0xa4, 0xa4, 0xa4 } },
	};
	for (size_t i = 0; i < sizeof(masks) / sizeof(masks[0]); i++) {
		char lines[256];

		begin(0, 0, 0);
		for (unsigned int lane = 0; lane < SIM_LANES; lane++)
			s.r[0][lane] = 0xa6 >> lane & 1 ? 100 + lane : 0;
		s.discarded = 2;
		snprintf(lines, sizeof(lines), "*NOP t0\n+NOP t1\n}\nds(0) eos\n{\n*NOP t0\n%s\n*NOP t0\n+NOP t1", masks[i].text);
		run_clause("ds(0) nbb td", lines);
		for (unsigned int lane = 0; lane < SIM_LANES; lane++)
			assert_int_equal(s.r[5][lane], masks[i].want[lane]);
	}
	begin(0, 1, 0);
	s.discarded = 2;
	s.io = &io;
	run_clause("ds(0) nbb td", "*NOP t0\n+NOP t1\n}\nds(0) eos\n{\n*NOP t0\n+CLPER.i32.subgroup4.umax r5:t1, r0, r1\n*NOP t0\n+NOP t1");
	assert_true(s.r[5][0] == ~0u && s.r[5][4] == 0);
}

/* Ports read before anything is written; results are passed on, to the next tuple and through registers. */
static void test_tuples(void **state)
{
	begin(1, 2, 3);
	run_clause("ds(0) eos", "*MOV.i32 r0:t0, r1\n+MOV.i32 r1:t1, r0\n*MOV.i32 t0, t1\n+MOV.i32 r6:t1, t0\n"
		   "*NOP t0\n+MKVEC.v2i16 r7:t1, t0, t1\n*NOP t0\n+NOP t1");
	assert_true(s.r[0][LANE] == 2 && s.r[1][LANE] == 1);
	assert_true(s.r[6][LANE] == 2 && s.r[7][LANE] == (2 << 16 | 1));
	/* Halves of a register, and constants of both words. */
	begin(0, 0, 0);
	put(6, 0x11112222);
	run_clause("ds(0) eos", "*MOV.i32 r6:t0.h1, 0x0000aaaa\n+MOV.i32 r7:t1, 0xbbbbcccc\n*NOP t0\n+NOP t1");
	assert_true(s.r[6][LANE] == 0xaaaa2222 && s.r[7][LANE] == 0xbbbbcccc);
}

/* What is not executed, of ops too that are: named with its place. Words that are no clause end a thread. */
static void test_unknown(void **state)
{
	static const char *const rows[][2] = {
		{ "+WMASK.subgroup4", " t1, r0, fill:1" }, { "+LDEXP.f32.inf", " t1, r0, r1" }, { "+LDEXP.v2f16.inf0", " t1, r0, r1" },
		{ "+FEXP_TABLE.u4.small", " t1, r0" }, { "+FEXP_TABLE.u4.low", " t1, r0" }, { "+FRCP_APPROX.f32.divzero", " t1, r0" },
		{ "+FRSQ_APPROX.f32.divzero", " t1, r0" }, { "+FLOG_TABLE.f32.red.divzero", " t1, r0" }, { "+FRCP.f16.divzero", " t1, r0" },
		{ "+SEG_ADD.wls.preserve_null", " t1, r0" }, { "+STORE.i32.pos", " t1, r0, r1, @r8" },
		{ "+FPCLASS.f32", " t1, r0" },
		/* Descriptors without a whole write mask: of one texture, of two the first and the second. */
		{ "+TEXC", " t1, r0, r1, 0x74487825, @r8" }, { "+TEXC", " t1, r0, r1, 0x01e00006, @r8" },
		{ "+TEXC", " t1, r0, r1, 0xf0000006, @r8" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct bfsim_program *p;
		uint32_t *words;
		char text[256];
		size_t count;

		snprintf(text, sizeof(text), "ds(0) nbb\n{\n*NOP t0\n+NOP t1\n}\nds(0) eos\n{\n*NOP t0\n%s%s\n*NOP t0\n+NOP t1\n}\n",
			 rows[i][0], rows[i][1]);
		words = assemble("bifrost", text, &count);
		p = bfsim_decode(words, count);
		memset(&s, 0, sizeof(s));
		s.io = &io;
		assert_int_equal(bfsim_run(&s, p, 0xff, 10), SIM_DONE);
		if (s.events != BFSIM_UNKNOWN_OP || strncmp(rows[i][0], s.unknown->pattern, strcspn(rows[i][0], ".")) || s.unknown_at != 4)
			fail_msg("%s: events %u", text, s.events);
		bfsim_free(p);
		p = bfsim_decode(words, 4);
		s.events = 0;
		bfsim_run(&s, p, 0xff, 10);
		assert_int_equal(s.events, BFSIM_BAD_CLAUSE);
		bfsim_free(p);
		free(words);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_moves),
		cmocka_unit_test(test_floats),
		cmocka_unit_test(test_frexp),
		cmocka_unit_test(test_approximations),
		cmocka_unit_test(test_conversions),
		cmocka_unit_test(test_halves),
		cmocka_unit_test(test_integers),
		cmocka_unit_test(test_lshift_add),
		cmocka_unit_test(test_cube),
		cmocka_unit_test(test_loads),
		cmocka_unit_test(test_stores),
		cmocka_unit_test(test_segments),
		cmocka_unit_test(test_atomics),
		cmocka_unit_test(test_attributes),
		cmocka_unit_test(test_textures),
		cmocka_unit_test(test_fragments),
		cmocka_unit_test(test_discard),
		cmocka_unit_test(test_branches),
		cmocka_unit_test(test_lanes),
		cmocka_unit_test(test_tuples),
		cmocka_unit_test(test_unknown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
