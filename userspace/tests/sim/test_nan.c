// SPDX-License-Identifier: MIT
/*
 * What becomes of numbers that are none: the sentences of Documentation/isa/index.rst,
 * "Numbers that are none", one by one. (Bifrost's are in test_bifrost_ops.c.)
 */
#include <math.h>

#include "isa/half.h"
#include "sim/utgard_gp.h"
#include "sim/utgard_pp.h"
#include "sim/vivante.h"
#include "tests/sim/midgard_rows.h"
#include "tests/sim/shader.h"

#define PAYLOAD	0x7fc12345u
#define SIGNALLING 0xff812345u

static float flt(uint32_t u)
{
	float f;

	memcpy(&f, &u, 4);
	return f;
}

/* What a text is to give: a number, or NAN for any that is none. */
struct row {
	const char *text;
	float want;
};

static void expect(const struct row *row, float got)
{
	if (isnan(row->want) ? !isnan(got) : got != row->want)
		fail_msg("%s: %g, not %g", row->text, got, row->want);
}

static void test_gp(void **unused)
{
	/* a0.x is NaN, a0.y 3, a0.z -7 */
	static const struct row rows[] = {
		{ "add.a0 ^r/v1.x a0.x a0.y", NAN }, { "mul.m0 ^r/v1.x a0.y a0.x", NAN }, { "floor.a0 ^r/v1.x a0.x", NAN },
		{ "sign.a0 ^r/v1.x a0.x", 0 }, { "ge.a0 ^r/v1.x a0.x a0.y", 0 }, { "lt.a0 ^r/v1.x a0.x a0.y", 0 },
		{ "min.a0 ^r/v1.x a0.x a0.y", 3 }, { "max.a0 ^r/v1.x a0.x a0.y", 3 },
		{ "min.a0 ^r/v1.x a0.y a0.x", NAN }, { "max.a0 ^r/v1.x a0.y a0.x", NAN },
		{ "sel.m01 ^r/v1.x a0.x a0.y a0.z", -7 }, { "mov.p ^r/v1.x a0.x", NAN },
	};
	static struct gpsim_state s __attribute__((aligned(32)));
	static const float uniforms[16][4];

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		size_t count;
		uint32_t *words = assemble("utgard-gp", rows[i].text, &count);
		struct gpsim_program *prog = gpsim_decode(words, count / 4);

		s.uniforms = uniforms;
		s.uniform_count = 16;
		s.attributes[0][0] = (v8f){ 0 } + NAN;
		s.attributes[0][1] = (v8f){ 0 } + 3;
		s.attributes[0][2] = (v8f){ 0 } - 7;
		gpsim_begin(&s, prog, 0xff);
		assert_int_equal(gpsim_run(&s, 1000), SIM_DONE);
		expect(&rows[i], s.varyings[1][0][4]);
		gpsim_free(prog);
		free(words);
	}
}

static bool pp_varying(void *ctx, unsigned int address, unsigned int count, v8f *out)
{
	static const float v[4] = { NAN, 3, -7, 0 };

	for (unsigned int i = 0; i < count; i++)
		out[i] = (v8f){ 0 } + v[(address + i) % 4];
	return true;
}

static void test_pp(void **unused)
{
	static const struct row rows[] = {
		{ "mov.v1 $1 $0.x", NAN }, { "add.v1 $1 $0.x $0.y", NAN }, { "mul.v0 $1 $0.y $0.x", NAN },
		{ "ne.v1 $1 $0.x $0.x", 1 }, { "eq.v1 $1 $0.x $0.x", 0 }, { "gt.v1 $1 $0.x $0.y", 0 },
		{ "ge.v1 $1 $0.x $0.y", 0 }, { "not.v0 $1 $0.x", 0 }, { "and.v0 $1 $0.x $0.y", 1 },
		{ "min.v1 $1 $0.x $0.y", 3 }, { "max.v1 $1 $0.x $0.y", 3 }, { "min.v1 $1 $0.y $0.x", NAN },
		{ "max.v1 $1 $0.y $0.x", NAN }, { "mov.sat.v1 $1 $0.x", 0 }, { "mov.pos.v1 $1 $0.x", 0 },
	};
	static struct ppsim_state s __attribute__((aligned(32)));
	static struct ppsim_env env __attribute__((aligned(32)));

	env.varying = pp_varying;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct ppsim_program *prog;
		uint32_t *words;
		char text[96];
		size_t count;

		snprintf(text, sizeof(text), "load.v $0 0\n%s, stop", rows[i].text);
		words = assemble("utgard-pp", text, &count);
		prog = ppsim_decode_words(words, count);
		ppsim_begin(&s, prog, &env, 0xff);
		assert_int_equal(ppsim_run(&s, 1000), SIM_DONE);
		expect(&rows[i], s.registers[1][0][2]);
		ppsim_free(prog);
		free(words);
	}
}

static void test_vivante(void **unused)
{
	/* t0 is NaN, t1 3, t2 -7 */
	static const struct row rows[] = {
		{ "add t9, t0, void, t1", NAN }, { "mul t9, t1, t0, void", NAN }, { "frc t9, void, void, t0", NAN },
		{ "set.ne t9, t0, t0, void", 1 }, { "set.eq t9, t0, t0, void", 0 }, { "set.ge t9, t0, t1, void", 0 },
		{ "select.gt t9, t0, t1, t2", -7 }, { "sign t9, void, void, t0", 0 }, { "mov.sat t9, void, void, t0", 0 },
		{ "f2i.s32 t9, t0, void, void", 0 }, { "f2i.u32 t9, t0, void, void", 0 },
	};
	static struct vivsim_state s __attribute__((aligned(32)));
	static const struct vivsim_env env;

	for (size_t i = 0; i <= sizeof(rows) / sizeof(rows[0]); i++) {
		const char *text = i ? rows[i - 1].text : "mov t9, void, void, t0";
		size_t count;
		uint32_t *words = assemble("vivante", text, &count);
		struct vivsim_op op;

		for (int c = 0; c < 4; c++) {
			s.temps[0][c] = (v8u){ 0 } + (i ? PAYLOAD : SIGNALLING);
			s.temps[1][c] = (v8u){ 0 } + as_bits(3);
			s.temps[2][c] = (v8u){ 0 } + as_bits(-7);
		}
		vivsim_decode(words, 1, &op);
		vivsim_begin(&s, &op, 1, &env, 0xff);
		assert_int_equal(vivsim_run(&s, 1000), SIM_DONE);
		if (i)
			expect(&rows[i - 1], flt(s.temps[9][1][3]));
		else
			assert_int_equal(s.temps[9][1][3], SIGNALLING);
		free(words);
	}
}

static void test_midgard(void **unused)
{
	/* R1 is NaN, R2 3, R5 -7 */
	static const struct row rows[] = {
		{ "vadd.FADD.f32 R0, R1, R2", NAN }, { "vmul.FMUL.f32 R0, R2, R1", NAN }, { "vadd.FFLOOR.f32 R0, R1, R2", NAN },
		{ "vadd.FMIN.f32 R0, R1, R2", 3 }, { "vadd.FMAX.f32 R0, R2, R1", 3 }, { "vadd.FMIN.nan.f32 R0, R1, R2", NAN },
		{ "vadd.FMAX.nan.f32 R0, R2, R1", NAN }, { "vadd.F2I.rtz.i32 R0, R1, R2", 0 },
		{ "vadd.F2U.rtz.i32 R0, R1, R2", 0 }, { "vadd.FCMP.eq.i32 R0, R1, R1", 0 },
		{ "vadd.FCMP.le.i32 R0, R1, R2", 0 }, { "vadd.FMOV.f32 R0.xyzw.clamp_0_1, R2, R1", 0 },
		{ "vadd.FMOV.f32 R0.xyzw.clamp_0_inf, R2, R1", 0 }, { "vadd.FMOV.f32 R0.xyzw.clamp_m1_1, R2, R1", -1 },
	};
	static struct md_test s;

	for (size_t i = 0; i <= sizeof(rows) / sizeof(rows[0]); i++) {
		size_t count;
		uint32_t *words = assemble("midgard", i ? rows[i - 1].text : "vadd.MOV.i32 R0, R2, R1", &count);

		for (int c = 0; c < 4; c++) {
			s.r[0][1].u32[c] = i ? PAYLOAD : SIGNALLING;
			s.r[0][2].f32[c] = 3;
			s.r[0][5].f32[c] = -7;
		}
		assert_int_equal(md_test_run(&s, words, count, 1, 10), SIM_DONE);
		assert_int_equal(s.events, 0);
		if (i)
			expect(&rows[i - 1], s.r[0][0].f32[2]);
		else
			assert_int_equal(s.r[0][0].u32[2], SIGNALLING);
		free(words);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_gp),
		cmocka_unit_test(test_pp),
		cmocka_unit_test(test_vivante),
		cmocka_unit_test(test_midgard),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
