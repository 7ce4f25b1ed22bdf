// SPDX-License-Identifier: MIT
/* The GP simulator against plain C: every op, latencies, branches, the example shaders. */
#include <math.h>

#include "isa/utgard_gp.h"
#include "sim/utgard_gp.h"
#include "tests/sim/shader.h"
#include "tests/sim/tested.h"

static struct gpsim_state state __attribute__((aligned(32)));
static float uniforms[16][4];

/* Rows with one text are told apart by the words. */
static void note_rows(const uint32_t *words, size_t count)
{
	for (size_t i = 0; i < count; i += 4) {
		struct isa_bits b = { { words[i], words[i + 1], words[i + 2], words[i + 3] } };

		for (unsigned int unit = 0; unit < GP_UNITS; unit++)
			if (gp_unit_op(&b, unit))
				tested_row(&isa_utgard_gp, isa_match_op(&isa_utgard_gp, unit, &b));
	}
}

static void run(const char *text)
{
	size_t count;
	uint32_t *words = assemble("utgard-gp", text, &count);
	struct gpsim_program *prog = gpsim_decode(words, count / 4);

	note_rows(words, count);
	assert_non_null(prog);
	state.uniforms = (const float (*)[4])uniforms;
	state.uniform_count = 16;
	gpsim_begin(&state, prog, 0xff);
	assert_int_equal(gpsim_run(&state, 100000), SIM_DONE);
	gpsim_free(prog);
	free(words);
}

static void near(float got, float want, float ulps)
{
	float room = fabsf(want) * ulps * 0x1p-23f + 1e-37f;

	if (isnan(want) ? !isnan(got) : !(fabsf(got - want) <= room) && got != want)
		fail_msg("got %.9g, want %.9g", got, want);
}

/* Inputs that differ by lane, with the values where functions change their mind. */
static const float values[8] = { 0.0f, 1.0f, -1.0f, 2.5f, -2.5f, 0.3f, 100.75f, -0.0625f };
static const float others[8] = { 1.0f, 1.0f, 2.0f, -2.5f, -2.5f, 0.7f, -3.0f, 0.0f };

static void set_inputs(void)
{
	for (int i = 0; i < 8; i++) {
		state.attributes[0][0][i] = values[i];
		state.attributes[0][1][i] = others[i];
		state.attributes[0][2][i] = i;
		state.attributes[0][3][i] = 1 + i;
		state.attributes[1][0][i] = 10 + i;
	}
}

static float f_add(float a, float b) { return a + b; }
static float f_sub(float a, float b) { return a - b; }
static float f_mul(float a, float b) { return a * b; }
static float f_nmul(float a, float b) { return -(a * b); }
static float f_mov(float a, float b) { return a; }
static float f_neg(float a, float b) { return -a; }
static float f_floor(float a, float b) { return floorf(a); }
static float f_sign(float a, float b) { return (a > 0) - (a < 0); }
static float f_ge(float a, float b) { return a >= b; }
static float f_lt(float a, float b) { return a < b; }
static float f_min(float a, float b) { return a < b ? a : b; }
static float f_max(float a, float b) { return a > b ? a : b; }
static float f_abs(float a, float b) { return fabsf(a); }

static void test_ops(void **unused)
{
	static const struct {
		const char *text;
		float (*f)(float a, float b);
	} ops[] = {
		{ "add.a0 ^r/v1.x a0.x a0.y", f_add }, { "add.a1 ^r/v1.x a0.x a0.y", f_add },
		{ "add.a0 ^r/v1.x a0.x -a0.y", f_sub }, { "add.a1 ^r/v1.x a0.x -a0.y", f_sub },
		{ "mov.a0 ^r/v1.x a0.x", f_mov }, { "mov.a1 ^r/v1.x a0.x", f_mov },
		{ "add.a0 ^r/v1.x -a0.x 0", f_neg },
		{ "floor.a0 ^r/v1.x a0.x", f_floor }, { "sign.a1 ^r/v1.x a0.x", f_sign },
		{ "ge.a0 ^r/v1.x a0.x a0.y", f_ge }, { "lt.a1 ^r/v1.x a0.x a0.y", f_lt },
		{ "min.a0 ^r/v1.x a0.x a0.y", f_min }, { "max.a1 ^r/v1.x a0.x a0.y", f_max },
		{ "max.a0 ^r/v1.x a0.x -a0.x", f_abs },
		{ "mul.m0 ^r/v1.x a0.x a0.y", f_mul }, { "mul.m1 ^r/v1.x a0.x a0.y", f_mul },
		{ "mul.m0 ^r/v1.x a0.x -a0.y", f_nmul }, { "mul.m1 ^r/v1.x a0.x -a0.y", f_nmul },
		{ "mov.m0 ^r/v1.x a0.x", f_mov }, { "mov.m1 ^r/v1.x a0.x", f_mov },
		{ "mov.p ^r/v1.x a0.x", f_mov }, { "mov.c ^r/v1.x a0.x", f_mov },
		{ "sign.a0 ^r/v1.x a0.x", f_sign }, { "floor.a1 ^r/v1.x a0.x", f_floor },
		{ "ge.a1 ^r/v1.x a0.x a0.y", f_ge }, { "min.a1 ^r/v1.x a0.x a0.y", f_min },
		/* The second multiplier beside the second step of a complex function. */
		{ "complex2.m0 ^s a0.z a0.z, mul.m1 ^r/v1.x a0.x a0.y", f_mul },
		{ "complex2.m0 ^s a0.z a0.z, mov.m1 ^r/v1.x a0.x", f_mov },
	};

	set_inputs();
	for (size_t i = 0; i < sizeof(ops) / sizeof(ops[0]); i++) {
		run(ops[i].text);
		for (int lane = 0; lane < 8; lane++) {
			float want = ops[i].f(values[lane], others[lane]);

			if (state.varyings[1][0][lane] != want)
				fail_msg("%s, lane %d: got %g, want %g", ops[i].text, lane,
					 state.varyings[1][0][lane], want);
		}
		assert_int_equal(state.written[1], 1);
	}
}

/* What is shifted out of the smaller operand, beyond a bit, is lost; the first came out of a Mali-400. */
static void test_sums(void **unused)
{
	static const float a[8] = { 0.5f, 1, 1, 1, 3e38f, INFINITY, 0x1p-149f, -0.5f };
	static const float b[8] = { -0.05f, 0x1.8p-24f, 0x1.2p-24f, -0x1.8p-25f, 3e38f, -INFINITY, 0x1p-149f, 0.05f };
	static const uint32_t want[8] = {
		0x3ee66667, 0x3f800000, 0x3f800000, 0x3f800000, 0x7f800000, 0x7fc00000, 2, 0xbee66667,
	};

	for (int i = 0; i < 8; i++) {
		state.attributes[0][0][i] = a[i];
		state.attributes[0][1][i] = b[i];
	}
	for (int swap = 0; swap < 2; swap++) {
		run(swap ? "add.a0 ^r/v1.x a0.y a0.x" : "add.a1 ^r/v1.x a0.x a0.y");
		for (int i = 0; i < 8; i++) {
			uint32_t bits;

			memcpy(&bits, (float[]){ state.varyings[1][0][i] }, 4);
			assert_int_equal(bits & ((want[i] & 0x7fffffff) > 0x7f800000 ? 0x7fffffff : ~0u), want[i]);
		}
	}
}

static void test_select_and_clamp(void **unused)
{
	set_inputs();
	/* Operands as Mesa prints them: condition, value when 0, value otherwise. */
	run("sel.m01 ^r/v1.x a0.x a0.y a0.z");
	for (int i = 0; i < 8; i++)
		assert_true(state.varyings[1][0][i] == (values[i] != 0 ? i : others[i]));
	uniforms[3][0] = -0.5f;
	uniforms[3][1] = 1;
	run("clamp.p ^r/v1.x a0.x t[3].x t[3].y");
	for (int i = 0; i < 8; i++)
		assert_true(state.varyings[1][0][i] == fminf(fmaxf(values[i], -0.5f), 1));
	/* What ARM's compiler passes where a value is to stay: mali-isa-docs' order would make -1e10 of all. */
	uniforms[3][0] = -1e10f;
	uniforms[3][1] = 1e10f;
	run("clamp.p ^r/v1.x a0.x t[3].x t[3].y");
	for (int i = 0; i < 8; i++)
		assert_true(state.varyings[1][0][i] == values[i]);
}

/* The documented sequences (mali-isa-docs), with 1 ulp for the last rounding. */
static void complex_function(const char *text, float (*f)(float), float lo, float hi, float ulps)
{
	for (int step = 0; step < 64; step++) {
		for (int i = 0; i < 8; i++)
			state.attributes[0][0][i] = lo + (hi - lo) * (step * 8 + i) / 512.0f;
		run(text);
		for (int i = 0; i < 8; i++)
			near(state.varyings[1][0][i], f(state.attributes[0][0][i]), ulps);
	}
}

static float f_rcp(float x) { return 1 / x; }
static float f_rsqrt(float x) { return (float)(1 / sqrt(x)); }

static void test_complex(void **unused)
{
	complex_function("rcp.c ^c a0.x, complex2.m0 ^m a0.x a0.x, mov.p ^x a0.x\n\n"
			 "complex1.m01 ^r ^c ^m ^c ^x\n\nnop\n\nmov.a0 ^o/v1.x ^r", f_rcp, -9.7f, 11.3f, 1);
	complex_function("rsqrt.c ^c a0.x, complex2.m0 ^m a0.x a0.x, mov.p ^x a0.x\n\n"
			 "complex1.m01 ^r ^c ^m ^c ^x\n\nnop\n\nmov.a0 ^o/v1.x ^r", f_rsqrt, 1e-3f, 50, 1);
	complex_function("log2.c ^c a0.x, complex2.m0 ^m a0.x a0.x, mov.p ^x a0.x\n\n"
			 "complex1.m01 ^r ^c ^m ^c ^x\n\nnop\n\npostlog2.p ^o/v1.x ^r", log2f, 1e-3f, 90, 2);
	complex_function("preexp2.p ^p a0.x\n\nexp2.c ^c ^p, complex2.m0 ^m ^p ^p, mov.p ^q ^p\n\n"
			 "complex1.m01 ^r ^c ^m ^c ^q\n\nnop\n\nmov.a0 ^o/v1.x ^r", exp2f, -20, 20, 2);
	complex_function("preexp2.p ^p a0.x\n\nexp2.c ^c ^p, complex2.m0 ^m ^p ^p, mov.p ^q ^p\n\n"
			 "complex1.m01 ^r ^c ^m ^c ^q\n\nnop\n\nmov.a0 ^o/v1.x ^r", exp2f, -140, 120, 2);
}

static void test_complex_specials(void **unused)
{
	static const char rcp[] = "rcp.c ^c a0.x, complex2.m0 ^m a0.x a0.x, mov.p ^x a0.x\n\n"
				  "complex1.m01 ^r ^c ^m ^c ^x\n\nnop\n\nmov.a0 ^o/v1.x ^r";
	static const float in[8] = { 0.0f, -0.0f, INFINITY, -INFINITY, NAN, 1e30f, 1, -4 };

	for (int i = 0; i < 8; i++)
		state.attributes[0][0][i] = in[i];
	run(rcp);
	for (int i = 0; i < 8; i++)
		near(state.varyings[1][0][i], 1 / in[i], 1);
}

/* A result is there for two instructions, complex1's only for the second. */
static void test_result_age(void **unused)
{
	set_inputs();
	run("mov.m0 ^a a0.z\n\nmov.m1 ^b/v1.x ^a\n\nmov.p ^c/v1.y ^a");
	for (int i = 0; i < 8; i++) {
		assert_true(state.varyings[1][0][i] == i);
		assert_true(state.varyings[1][1][i] == i);
	}
	run("mov.c ^a a0.z\n\nmov.p ^b/v1.x ^a");
	assert_true(state.varyings[1][0][5] == 5);
	/* What register unit 0 loaded an instruction ago. */
	run("mov.a0 ^_ a0.z\n\nmov.a0 ^_/v1.x ^a0.w, mov.a1 ^_/v1.y a1.x");
	assert_true(state.varyings[1][0][5] == 6);
	assert_true(state.varyings[1][1][5] == 15);
}

/* A register's old value for two instructions more, its new one from the third on. */
static void test_register_latency(void **unused)
{
	set_inputs();
	uniforms[0][0] = 7;
	uniforms[1][0] = 3;
	run("mov.a0 ^_/$4.x t[1].x\n\nnop\n\nnop\n\n"
	    "mov.a0 ^_/$4.x t[0].x\n\n"
	    "mov.a0 ^_/v1.x $4.x\n\nmov.a0 ^_/v1.y $4.x\n\nmov.a0 ^_/v2.x $4.x\n\nmov.a0 ^_/v2.y $4.x:0");
	assert_true(state.varyings[1][0][0] == 3);
	assert_true(state.varyings[1][1][0] == 3);
	assert_true(state.varyings[2][0][0] == 7);
	assert_true(state.varyings[2][1][0] == 7);
}

/* Temporaries by lane, through address registers; latency 4 for both. */
static void test_temporaries(void **unused)
{
	set_inputs();
	for (int i = 0; i < 16; i++)
		uniforms[i][0] = 100 + i;
	/* t[4] = z in every lane, then read t[z] : lane 4 reads its own 4, others the uniforms. */
	uniforms[15][3] = 4;
	run("mov.a0 ^z/t[addr0].x a0.z, mov.c ^_/addr0 t[15].w\n\nmov.c ^_/addr1 a0.z\n\n"
	    "nop\n\nnop\n\nnop\n\nmov.a0 ^_/v1.x t[0+addr1].x");
	for (int i = 0; i < 8; i++)
		assert_true(state.varyings[1][0][i] == (i == 4 ? 4 : 100 + i));
	/* One instruction earlier the address register is still 0. */
	run("mov.c ^_/addr1 a0.z\n\nnop\n\nnop\n\nmov.a0 ^_/v1.x t[0+addr1].x\n\nmov.a0 ^_/v1.y t[0+addr1].x");
	for (int i = 0; i < 8; i++) {
		assert_true(state.varyings[1][0][i] == 100);
		assert_true(state.varyings[1][1][i] == 100 + i);
	}
	assert_int_equal(state.events, 0);
	/* Address registers 2 and 3; 0 and 1 at once, of the pass unit: lane i stores and loads t[i]. */
	run("mov.c ^_/addr2 a0.z\n\nmov.c ^_/addr3 a0.w\n\nnop\n\nnop\n\nnop\n\nmov.a0 ^_/v1.x t[0+addr2].x\n\n"
	    "mov.a0 ^_/v1.y t[0+addr3].x");
	for (int i = 0; i < 8; i++)
		assert_true(state.varyings[1][0][i] == 100 + i && state.varyings[1][1][i] == 101 + i);
	run("mov.a0 ^z/t[addr0].x a0.w, mov.p ^p a0.z, addr01.c ^_ a0.x\n\nnop\n\nnop\n\nnop\n\n"
	    "mov.a0 ^_/v1.x t[0+addr1].x");
	for (int i = 0; i < 8; i++)
		assert_true(state.varyings[1][0][i] == 1 + i);
	assert_int_equal(state.events, 0);
	run("mov.a0 ^_/v1.x t[200].x");
	assert_int_equal(state.events, GPSIM_LOAD_RANGE);
	assert_true(state.varyings[1][0][0] == 0);
}

/* Lanes that leave a loop at different times; results as if each ran alone. */
static void test_divergence(void **unused)
{
	set_inputs();
	uniforms[0][0] = 1;
	uniforms[0][1] = 0;
	run("mov.a0 ^_/$0.x t[0].y\n\nnop\n\nnop\n\n"
	    "again:\n\tadd.a0 ^n/$0.x $0.x t[0].x\n\nlt.a0 ^more ^n a0.z\n\nmov.p ^c ^more, branch ^c again\n\n"
	    "mov.a0 ^_/v1.x $0.x");
	for (int i = 0; i < 8; i++)
		assert_true(state.varyings[1][0][i] == (i > 1 ? i : 1));
}

static void test_endless_loop_is_sliced(void **unused)
{
	size_t count;
	uint32_t *words = assemble("utgard-gp", "again: mov.p ^c t[0].x, branch ^c again", &count);
	struct gpsim_program *prog = gpsim_decode(words, count / 4);

	uniforms[0][0] = 1;
	gpsim_begin(&state, prog, 0xff);
	for (int i = 0; i < 10; i++)
		assert_int_equal(gpsim_run(&state, 100), SIM_LIMIT);
	assert_int_equal(state.instructions, 1000);
	uniforms[0][0] = 0;
	assert_int_equal(gpsim_run(&state, 100), SIM_DONE);
	gpsim_free(prog);
	free(words);
}

static void test_mask(void **unused)
{
	size_t count;
	uint32_t *words = assemble("utgard-gp", "mov.a0 ^_/v1.x a0.w", &count);
	struct gpsim_program *prog = gpsim_decode(words, count / 4);

	set_inputs();
	gpsim_begin(&state, prog, 0x81);
	assert_int_equal(gpsim_run(&state, 100), SIM_DONE);
	for (int i = 0; i < 8; i++)
		assert_true(state.varyings[1][0][i] == (i == 0 || i == 7 ? 1 + i : 0));
	gpsim_free(prog);
	free(words);
}

static void set_vertices(void)
{
	uint32_t seed = 12345;

	for (int a = 0; a < 2; a++)
		for (int c = 0; c < 4; c++)
			for (int i = 0; i < 8; i++) {
				seed = seed * 1664525 + 1013904223;
				state.attributes[a][c][i] = (seed >> 8) / 8388608.0f - 1 + (c == 3 ? 2 : 0);
			}
}

/* Position and colour of a vertex that the example shaders should give. */
static void check_vertices(float (*clip)(int lane, int c), int viewport)
{
	for (int i = 0; i < 8; i++) {
		float w = 1 / clip(i, 3);

		near(state.varyings[0][3][i], w, 4);
		for (int c = 0; c < 3; c++)
			assert_float_equal(state.varyings[0][c][i], clip(i, c) * w * uniforms[viewport][c] +
					   uniforms[viewport + 1][c], 1e-2);
		for (int c = 0; c < 4; c++)
			assert_true(state.varyings[1][c][i] == state.attributes[1][c][i]);
	}
	assert_int_equal(state.written[0], 15);
	assert_int_equal(state.written[1], 15);
}

static float clip_plain(int lane, int c)
{
	return state.attributes[0][c][lane];
}

static float clip_matrix(int lane, int c)
{
	float sum = 0;

	for (int k = 0; k < 4; k++)
		sum += uniforms[k][c] * state.attributes[0][k][lane];
	return sum;
}

static void test_examples(void **unused)
{
	static const float viewport[2][4] = { { 320, -240, 0.5f, 0 }, { 320, 240, 0.5f, 0 } };
	static const float matrix[4][4] = { { 1, 0.5f, 0, 0.25f }, { -0.5f, 2, 0.1f, 0 },
					    { 0, 0.125f, -1, 0.5f }, { 3, -1, 0.5f, 4 } };
	char *text = read_text("userspace/tests/isa/triangle.gp");

	set_vertices();
	memcpy(uniforms[0], viewport, sizeof(viewport));
	run(text);
	check_vertices(clip_plain, 0);
	free(text);
	text = read_text("userspace/tests/isa/matrix.gp");
	memcpy(uniforms[0], matrix, sizeof(matrix));
	memcpy(uniforms[4], viewport, sizeof(viewport));
	run(text);
	check_vertices(clip_matrix, 4);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ops),
		cmocka_unit_test(test_sums),
		cmocka_unit_test(test_select_and_clamp),
		cmocka_unit_test(test_complex),
		cmocka_unit_test(test_complex_specials),
		cmocka_unit_test(test_result_age),
		cmocka_unit_test(test_register_latency),
		cmocka_unit_test(test_temporaries),
		cmocka_unit_test(test_divergence),
		cmocka_unit_test(test_endless_loop_is_sliced),
		cmocka_unit_test(test_mask),
		cmocka_unit_test(test_examples),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
