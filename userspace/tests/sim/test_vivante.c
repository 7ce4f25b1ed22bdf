// SPDX-License-Identifier: MIT
/* The Vivante simulator against plain C. */
#include <math.h>

#include "sim/vivante.h"
#include "isa/table.h"
#include "isa/half.h"
#include "isa/vivante.h"
#include "tests/isa/halves.h"
#include "tests/sim/shader.h"
#include "tests/sim/tested.h"

static struct vivsim_state state __attribute__((aligned(32)));
static struct vivsim_env env __attribute__((aligned(32)));
static uint32_t uniforms[160][4], memory[256];

static uint32_t u(float f)
{
	uint32_t v;

	memcpy(&v, &f, 4);
	return v;
}

static float f(uint32_t v)
{
	float x;

	memcpy(&x, &v, 4);
	return x;
}

static bool load(void *ctx, uint32_t address, uint32_t *value)
{
	if (address % 4 || address / 4 >= 256)
		return false;
	*value = memory[address / 4];
	return true;
}

static bool store(void *ctx, uint32_t address, uint32_t value)
{
	if (address % 4 || address / 4 >= 256)
		return false;
	memory[address / 4] = value;
	return true;
}

static struct vivsim_sample seen;

static void sample(void *ctx, const struct vivsim_sample *s, v8f rgba[4])
{
	seen = *s;
	for (int c = 0; c < 4; c++)
		rgba[c] = s->coord[0] + (float)c + 10.0f * (float)s->sampler;
}

static enum sim_status start_over(struct vivsim_state *to, const struct vivsim_state *from, const struct vivsim_op *ops,
				  size_t count, uint8_t mask)
{
	static uint32_t before[256];
	struct vivsim_sample last = seen;
	enum sim_status status;

	memcpy(before, memory, sizeof(memory));
	memcpy(to->temps, from->temps, sizeof(to->temps));
	vivsim_begin(to, ops, count, &env, mask);
	status = vivsim_run(to, 10000);
	memcpy(memory, before, sizeof(memory));
	seen = last;
	return status;
}

/* With operands looked up before, all lanes and some of them do what they do without. */
static void compare_bound(const struct vivsim_state *start, const struct vivsim_op *ops, size_t count)
{
	static struct vivsim_state expected, bound;
	static v8u constants[64 * 3][4];
	static const uint8_t masks[] = { 0xff, 0x0f, 0xa5 };
	struct vivsim_op with[64];

	memcpy(with, ops, count * sizeof(*with));
	assert_true(vivsim_bind(&bound, with, count, &env, NULL) <= count * 3);
	vivsim_bind(&bound, with, count, &env, constants);
	for (unsigned int m = 0; m < 3; m++) {
		enum sim_status status = start_over(&expected, start, ops, count, masks[m]);

		assert_int_equal(start_over(&bound, start, with, count, masks[m]), status);
		assert_memory_equal(bound.temps, expected.temps, sizeof(bound.temps));
		assert_memory_equal(bound.written, expected.written, sizeof(bound.written));
		assert_memory_equal(bound.address, expected.address, sizeof(bound.address));
		assert_int_equal(bound.discarded, expected.discarded);
		assert_int_equal(bound.instructions, expected.instructions);
		assert_int_equal(bound.events, expected.events);
	}
}

static enum sim_status try_words(const uint32_t *words, size_t count)
{
	static struct vivsim_op ops[64];
	static struct vivsim_state start;
	enum sim_status status;

	assert_true(count <= 64);
	env.uniforms = (const uint32_t (*)[4])uniforms;
	env.uniform_count = 160;
	env.load = load;
	env.store = store;
	env.sample = sample;
	vivsim_decode(words, count, ops);
	start = state;
	vivsim_begin(&state, ops, count, &env, 0xff);
	status = vivsim_run(&state, 10000);
	compare_bound(&start, ops, count);
	return status;
}

static void run_words(const uint32_t *words, size_t count)
{
	assert_int_equal(try_words(words, count), SIM_DONE);
}

static void run(const char *text)
{
	size_t count;
	uint32_t *words = assemble("vivante", text, &count);

	run_words(words, count / 4);
	free(words);
}

static const float values[8] = { 0, 1, -1, 2.5f, -2.5f, 0.3f, 100.75f, -0.0625f };
static const float others[8] = { 1, 1, 2, -2.5f, -2.5f, 0.7f, -3, 0.5f };
static const uint32_t ints[8] = { 0, 1, 0xffffffff, 12345, 0x80000000, 0x7fffffff, 77, 0xfffffff0 };
static const uint32_t more[8] = { 3, 1, 2, 7, 5, 0x10001, 31, 4 };

/* t0 = values, t1 = others, t2 = ints, t3 = more, in every component, times component + 1 for t4. */
static void set_inputs(void)
{
	memset(state.temps, 0, sizeof(state.temps));
	for (int i = 0; i < 8; i++)
		for (int c = 0; c < 4; c++) {
			state.temps[0][c][i] = u(values[i]);
			state.temps[1][c][i] = u(others[i]);
			state.temps[2][c][i] = ints[i];
			state.temps[3][c][i] = more[i];
			state.temps[4][c][i] = u(values[i] * (c + 1));
			state.temps[5][c][i] = u(others[i] + c);
		}
}

static float f_add(float a, float b) { return a + b; }
static float f_mul(float a, float b) { return a * b; }
static float f_mad(float a, float b) { return a * b + a; }
static float f_min(float a, float b) { return b > a ? a : b; }
static float f_max(float a, float b) { return b < a ? a : b; }
static float f_ge(float a, float b) { return a >= b; }
static float f_mov(float a, float b) { return a; }
static float f_nabs(float a, float b) { return -fabsf(a); }
static float f_sat(float a, float b) { return fminf(fmaxf(a, 0), 1); }
static float f_rcp(float a, float b) { return 1 / a; }
static float f_frc(float a, float b) { return a - floorf(a); }
static float f_floor(float a, float b) { return floorf(a); }
static float f_ceil(float a, float b) { return ceilf(a); }
static float f_sign(float a, float b) { return (a > 0) - (a < 0); }
static float f_div(float a, float b) { return a / b; }
static float f_exp(float a, float b) { return exp2f(a); }
static float f_sin(float a, float b) { return sinf(a * 1.5707963267948966); }
static float f_cos(float a, float b) { return cosf(a * 1.5707963267948966); }
static float f_csel(float a, float b) { return a != 0 ? b : a; }
static float f_half(float a, float b) { return a + 0.5f; }
static float f_sqrt(float a, float b) { return sqrtf(fabsf(a)); }
static float f_rsq(float a, float b) { return 1 / sqrtf(fabsf(a)); }
static float f_clamp(float a, float b) { return a > 0 ? a < b ? a : b : 0; }
static float f_next(float a, float b) { return nextafterf(a, b); }
static float f_even(float a, float b) { return rintf(a); }

static void test_float(void **unused)
{
	static const struct {
		const char *text;
		float (*f)(float a, float b);
		float room;
	} ops[] = {
		{ "add t9, t0, void, t1", f_add, 0 }, { "mul t9, t0, t1, void", f_mul, 0 },
		{ "mad t9, t0, t1, t0", f_mad, 0 }, { "select.gt t9, t0, t1, t0", f_min, 0 },
		{ "select.lt t9, t0, t1, t0", f_max, 0 }, { "set.ge t9, t0, t1, void", f_ge, 0 },
		{ "mov t9, void, void, t0", f_mov, 0 }, { "mov t9, void, void, -|t0|", f_nabs, 0 },
		{ "mov.sat t9, void, void, t0", f_sat, 0 }, { "rcp t9, void, void, t0", f_rcp, 0 },
		{ "frc t9, void, void, t0", f_frc, 0 }, { "floor t9, void, void, t0", f_floor, 0 },
		{ "ceil t9, void, void, t0", f_ceil, 0 }, { "sign t9, void, void, t0", f_sign, 0 },
		{ "div t9, void, t0, t1", f_div, 0 }, { "exp t9, void, void, t0", f_exp, 1e-6f },
		{ "sin t9, void, void, t0", f_sin, 1e-5f }, { "cos t9, void, void, t0", f_cos, 1e-5f },
		{ "sqrt t9, void, void, |t0|", f_sqrt, 0 }, { "rsq t9, void, void, |t0|", f_rsq, 1e-6f },
		{ "clamp0_max t9, t0, t1, void", f_clamp, 0 }, { "nextafter t9, t0, t1, void", f_next, 0 },
		{ "roundeven t9, void, void, t0", f_even, 0 },
		{ "select.nz t9, t0, t1, t0", f_csel, 0 }, { "add t9, t0, void, 0.500000", f_half, 0 },
	};

	set_inputs();
	for (size_t n = 0; n < sizeof(ops) / sizeof(ops[0]); n++) {
		run(ops[n].text);
		for (int i = 0; i < 8; i++) {
			float want = ops[n].f(values[i], others[i]), got = f(state.temps[9][2][i]);

			if (got != want && !(fabsf(got - want) <= fabsf(want) * ops[n].room + ops[n].room))
				fail_msg("%s: %g, %g: got %g, want %g", ops[n].text, values[i], others[i], got, want);
		}
	}
	assert_int_equal(state.events, 0);
}

static uint32_t i_add(uint32_t a, uint32_t b) { return a + b; }
static uint32_t i_add16(uint32_t a, uint32_t b) { return (uint32_t)(int16_t)(a + b); }
static uint32_t i_addu8(uint32_t a, uint32_t b) { return (uint8_t)(a + b); }
static uint32_t i_sub(uint32_t a, uint32_t b) { return a - b; }
static uint32_t i_addsat(uint32_t a, uint32_t b)
{
	int64_t v = (int64_t)(int32_t)a + (int32_t)b;

	return v > INT32_MAX ? INT32_MAX : v < INT32_MIN ? (uint32_t)INT32_MIN : (uint32_t)v;
}
static uint32_t i_mul(uint32_t a, uint32_t b) { return a * b; }
static uint32_t i_mulhi(uint32_t a, uint32_t b) { return ((int64_t)(int32_t)a * (int32_t)b) >> 32; }
static uint32_t u_mulhi(uint32_t a, uint32_t b) { return ((uint64_t)a * b) >> 32; }
static uint32_t i_div(uint32_t a, uint32_t b) { return (uint32_t)((int64_t)(int32_t)a / (int32_t)b); }
static uint32_t u_mod(uint32_t a, uint32_t b) { return a % b; }
static uint32_t i_min(uint32_t a, uint32_t b) { return (int32_t)b > (int32_t)a ? a : b; }
static uint32_t u_min(uint32_t a, uint32_t b) { return b > a ? a : b; }
static uint32_t i_cmp(uint32_t a, uint32_t b) { return (int32_t)a < (int32_t)b ? ~0u : 0; }
static uint32_t u_cmp(uint32_t a, uint32_t b) { return a < b ? ~0u : 0; }
static uint32_t i_abs(uint32_t a, uint32_t b) { return (int32_t)a < 0 ? -a : a; }
static uint32_t i_and(uint32_t a, uint32_t b) { return a & b; }
static uint32_t i_or(uint32_t a, uint32_t b) { return a | b; }
static uint32_t i_xor(uint32_t a, uint32_t b) { return a ^ b; }
static uint32_t i_not(uint32_t a, uint32_t b) { return ~a; }
static uint32_t i_shl(uint32_t a, uint32_t b) { return a << (b & 31); }
static uint32_t i_shr(uint32_t a, uint32_t b) { return (uint32_t)((int32_t)a >> (b & 31)); }
static uint32_t u_shr(uint32_t a, uint32_t b) { return a >> (b & 31); }
static uint32_t i_rot(uint32_t a, uint32_t b) { return b & 31 ? a << (b & 31) | a >> (32 - (b & 31)) : a; }
static uint32_t i_clz(uint32_t a, uint32_t b) { return a ? __builtin_clz(a) : 32; }
static uint32_t i_pop(uint32_t a, uint32_t b) { return __builtin_popcount(a); }
static uint32_t i_lsb(uint32_t a, uint32_t b) { return a ? (uint32_t)__builtin_ctz(a) : ~0u; }
static uint32_t u_msb(uint32_t a, uint32_t b) { return a ? 31u - (uint32_t)__builtin_clz(a) : ~0u; }
static uint32_t i_f(uint32_t a, uint32_t b) { return u((float)(int32_t)a); }
static uint32_t u_f(uint32_t a, uint32_t b) { return u((float)a); }
static uint32_t i_rev(uint32_t a, uint32_t b)
{
	uint32_t r = 0;

	for (int i = 0; i < 32; i++)
		r = r << 1 | (a >> i & 1);
	return r;
}

static uint32_t clamp_s(int64_t v)
{
	return v > INT32_MAX ? INT32_MAX : v < INT32_MIN ? (uint32_t)INT32_MIN : (uint32_t)v;
}

static int64_t product(uint32_t a, uint32_t b) { return (int64_t)(int32_t)a * (int32_t)b; }
static uint32_t i_byte(uint32_t a, uint32_t b) { return (uint32_t)(int8_t)a; }
static uint32_t i_mulsat(uint32_t a, uint32_t b) { return clamp_s(product(a, b)); }
static uint32_t i_mad(uint32_t a, uint32_t b) { return a * b + a; }
static uint32_t i_madsat(uint32_t a, uint32_t b) { return clamp_s(product(a, b) + (int32_t)a); }
static uint32_t i_madhi(uint32_t a, uint32_t b) { return (uint32_t)(product(a, b) >> 32) + a; }
static uint32_t i_madhisat(uint32_t a, uint32_t b) { return clamp_s((product(a, b) >> 32) + (int32_t)a); }
static uint32_t i_hadd(uint32_t a, uint32_t b) { return (uint32_t)(((int64_t)(int32_t)a + (int32_t)b) >> 1); }
static uint32_t u_extract(uint32_t a, uint32_t b) { return b < 32 ? a >> b & 31 : 0; }
static uint32_t i_clamp(uint32_t a, uint32_t b)
{
	return (int32_t)a < 0 ? 0 : (int32_t)a < (int32_t)b ? a : b;
}

static void test_integer(void **unused)
{
	static const struct {
		const char *text;
		uint32_t (*f)(uint32_t a, uint32_t b);
	} ops[] = {
		{ "add.s32 t9, t2, void, t3", i_add }, { "add.s16 t9, t2, void, t3", i_add16 },
		{ "add.u8 t9, t2, void, t3", i_addu8 }, { "add.s32 t9, t2, void, -t3", i_sub },
		{ "iaddsat.s32 t9, t2, void, t3", i_addsat }, { "imullo0.s32 t9, t2, t3, void", i_mul },
		{ "imulhi0.s32 t9, t2, t3, void", i_mulhi }, { "imulhi0.u32 t9, t2, t3, void", u_mulhi },
		{ "idiv0.s32 t9, t2, t3, void", i_div }, { "imod.u32 t9, t2, t3, void", u_mod },
		{ "select.gt.s32 t9, t2, t3, t2", i_min }, { "select.gt.u32 t9, t2, t3, t2", u_min },
		{ "cmp.lt.s32 t9, t2, t3, -1", i_cmp }, { "cmp.lt.u32 t9, t2, t3, -1", u_cmp },
		{ "iabs.s32 t9, void, void, t2", i_abs }, { "and.s32 t9, t2, void, t3", i_and },
		{ "or.s32 t9, t2, void, t3", i_or }, { "xor.s32 t9, t2, void, t3", i_xor },
		{ "not.s32 t9, void, void, t2", i_not }, { "lshift.s32 t9, t2, void, t3", i_shl },
		{ "rshift.s32 t9, t2, void, t3", i_shr }, { "rshift.u32 t9, t2, void, t3", u_shr },
		{ "rotate.s32 t9, t2, void, t3", i_rot }, { "leadzero.s32 t9, void, void, t2", i_clz },
		{ "popcount t9, void, void, t2", i_pop }, { "bit_findlsb.u32 t9, t2, void, void", i_lsb },
		{ "bit_findmsb.u32 t9, t2, void, void", u_msb }, { "bit_rev.s32 t9, t2, void, void", i_rev },
		{ "i2f.s32 t9, t2, void, void", i_f }, { "i2f.u32 t9, t2, void, void", u_f },
		{ "i2i.s8 t9, t2, t3, void", i_byte }, { "imullosat0.s32 t9, t2, t3, void", i_mulsat },
		{ "imadlo0.s32 t9, t2, t3, t2", i_mad }, { "imadlosat0.s32 t9, t2, t3, t2", i_madsat },
		{ "imadhi0.s32 t9, t2, t3, t2", i_madhi }, { "imadhisat0.s32 t9, t2, t3, t2", i_madhisat },
		{ "halfadd.s32 t9, t2, void, t3", i_hadd }, { "bit_extract.u32 t9, t2, t3, 5", u_extract },
		{ "clamp0_max.s32 t9, t2, t3, void", i_clamp },
	};

	set_inputs();
	for (size_t n = 0; n < sizeof(ops) / sizeof(ops[0]); n++) {
		run(ops[n].text);
		for (int i = 0; i < 8; i++)
			if (state.temps[9][1][i] != ops[n].f(ints[i], more[i]))
				fail_msg("%s: %08x, %08x: got %08x, want %08x", ops[n].text, ints[i], more[i],
					 state.temps[9][1][i], ops[n].f(ints[i], more[i]));
	}
	run("f2i.s32 t9, t0, void, void\nf2irnd.s32.rtne t8, t0, void, void\nf2i.u8 t7, t0, void, void");
	for (int i = 0; i < 8; i++) {
		assert_int_equal((int32_t)state.temps[9][0][i], (int)truncf(values[i]));
		assert_int_equal((int32_t)state.temps[8][0][i], (int)rintf(values[i]));
		assert_int_equal(state.temps[7][0][i], values[i] < 0 ? 0 : (int)values[i]);
	}
	/* Modifiers of a float's source are of a float, whatever the type. */
	run("f2i.s32 t9, -t0, void, void\nf2irnd.s32.rtne t8, -|t0|, void, void\nf2i.u32 t7, |t0|, void, void\n"
	    "conv.f16 t6, -t0, 0, void\nconv t10, -t6, 1, void\nconv t11, |t6|, 1, void");
	for (int i = 0; i < 8; i++) {
		assert_int_equal((int32_t)state.temps[9][0][i], (int)-values[i]);
		assert_int_equal((int32_t)state.temps[8][0][i], -(int)rintf(fabsf(values[i])));
		assert_int_equal(state.temps[7][0][i], (int)fabsf(values[i]));
		assert_int_equal(state.temps[6][0][i], half_from_float(-values[i]));
		assert_int_equal(state.temps[10][0][i], u(half_to_float(half_from_float(values[i]))));
		assert_int_equal(state.temps[11][0][i], u(half_to_float(half_from_float(fabsf(values[i])))));
	}
	assert_int_equal(state.events, 0);
}

static void test_vector(void **unused)
{
	set_inputs();
	run("dp2 t9.x___, t4, t5, void\ndp3 t9._y__, t4, t5, void\ndp4 t9.__z_, t4, t5, void\ndst t8, t4, t5, void\n"
	    "norm_dp3 t7, t5, void, void\nmov t6.x_zw, void, void, t4.wzyx\ndsx t10, t1, void, t1\ndsy t11, t1, void, t1");
	for (int i = 0; i < 8; i++) {
		float a = values[i], b = others[i], d2 = a * b + 2 * a * (b + 1), d3 = d2 + 3 * a * (b + 2);
		int q = i & 4;

		assert_float_equal(f(state.temps[9][0][i]), d2, 1e-3);
		assert_float_equal(f(state.temps[9][1][i]), d3, 1e-3);
		assert_float_equal(f(state.temps[9][2][i]), d3 + 4 * a * (b + 3), 1e-3);
		assert_int_equal(state.temps[9][3][i], 0);
		assert_true(f(state.temps[8][0][i]) == 1 && f(state.temps[8][1][i]) == 2 * a * (b + 1));
		assert_true(f(state.temps[8][2][i]) == 3 * a && f(state.temps[8][3][i]) == b + 3);
		assert_float_equal(f(state.temps[7][3][i]), b * b + (b + 1) * (b + 1) + (b + 2) * (b + 2), 1e-5);
		assert_true(f(state.temps[6][0][i]) == 4 * a && state.temps[6][1][i] == 0);
		assert_true(f(state.temps[10][0][i]) == others[q | (i & 2) | 1] - others[q | (i & 2)]);
		assert_true(f(state.temps[11][0][i]) == others[q | 2 | (i & 1)] - others[q | (i & 1)]);
	}
	/* Two and four components; halves; what does nothing. */
	run("norm_dp2 t6, t5, void, void\nnorm_dp4 t7, t5, void, void\nconv.f16 t8, t1, 0, void\nconv t9, t8, 1, void\n"
	    "barrier void, void, void, void\nnop7c void, void, void, void\nnop7d void, void, void, void\n"
	    "nop7e void, void, void, void");
	for (int i = 0; i < 8; i++) {
		float b = others[i], d2 = b * b + (b + 1) * (b + 1), d4 = d2 + (b + 2) * (b + 2) + (b + 3) * (b + 3);

		assert_float_equal(f(state.temps[6][1][i]), d2, 1e-5);
		assert_float_equal(f(state.temps[7][2][i]), d4, 1e-5);
		assert_int_equal(state.temps[8][0][i], half_from_float(b));
		assert_true(f(state.temps[9][3][i]) == half_to_float(half_from_float(b)));
	}
}

/* conv, and what a store and a load of a half do. */
static void test_halves(void **unused)
{
	for (unsigned int n = 0; n < 2 * NUM_HALVES; n++) {
		uint32_t want = halves[n / 2].h | (n & 1) << 15;

		for (int i = 0; i < 8; i++)
			state.temps[0][0][i] = halves[n / 2].f | n << 31;
		run("conv.f16 t1.x___, t0.xxxx, 0, void\nconv t2.x___, t1.xxxx, 1, void");
		assert_int_equal(state.temps[1][0][3], want);
		assert_int_equal(state.temps[2][0][3], u(half_to_float(want)));
	}
}

static void test_operands(void **unused)
{
	set_inputs();
	for (int i = 0; i < 160; i++)
		for (int c = 0; c < 4; c++)
			uniforms[i][c] = u(i * 4 + c);
	for (int i = 0; i < 8; i++)
		state.temps[2][0][i] = i;
	/* Address registers, by lane, on uniforms, temporaries and destinations. */
	run("movai.u32 void, void, void, t2.xxxx, set dst_comps 1\nmov t9, void, void, u3[a.x].wzyx\n"
	    "mov t20[a.x].x___, void, void, 7.000000\nmov t10, void, void, t20[a.x].xxxx\n"
	    "mov t11, void, void, u5.yyyy, set src2_rgroup 3\nmov.s32 t12, void, void, -3");
	for (int i = 0; i < 8; i++) {
		assert_true(f(state.temps[9][0][i]) == (3 + i) * 4 + 3);
		assert_true(f(state.temps[20 + i][0][i]) == 7 && state.temps[20 + i][0][(i + 1) % 8] == 0);
		assert_true(f(state.temps[10][2][i]) == 7);
		assert_true(f(state.temps[11][0][i]) == 133 * 4 + 1);
		assert_int_equal((int32_t)state.temps[12][0][i], -3);
	}
	/* From floats: the same registers again. */
	for (int op = 0; op < 2; op++) {
		for (int i = 0; i < 8; i++)
			state.temps[2][0][i] = u(i + 0.75f);
		run(op ? "movaf void, void, void, t2.xxxx, set dst_comps 1\nmov t9, void, void, u3[a.x]" :
			 "movar void, void, void, t2.xxxx, set dst_comps 1\nmov t9, void, void, u3[a.x]");
		for (int i = 0; i < 8; i++)
			assert_true(f(state.temps[9][1][i]) == (3 + i) * 4 + 1);
	}
	assert_int_equal(state.events, 0);
	run("mov t9, void, void, u200.xxxx");
	assert_int_equal(state.events, VIVSIM_UNIFORM_RANGE);
}

/* Of several uniforms the last source's is read for all, each with its own swizzle (rnndb isa.xml). */
static void test_one_uniform(void **unused)
{
	for (int i = 0; i < 8; i++)
		for (int c = 0; c < 4; c++)
			uniforms[i][c] = u(10 * i + c);
	for (int i = 0; i < 8; i++)
		state.temps[2][0][i] = i % 2;
	for (int many = 0; many < 2; many++) {
		env.many_uniforms = many;
		run("mad t5, u5.yyyy, u5.wwww, -u5.zzzz");	/* one, three times */
		assert_int_equal(state.events, 0);
		assert_true(f(state.temps[5][0][0]) == 51 * 53 - 52);
		run("mov t6, void, void, t6\nmad t5, -u1.yyyy, u2.zzzz, u3.wwww\nadd t6, u1.yyyy, void, t6\n"
		    "movai.u32 void, void, void, t2.xxxx, set dst_comps 1\nadd t7, u1.yyyy, void, u4[a.x].xxxx");
		assert_true(f(state.temps[5][0][3]) == (many ? -11 * 22 + 33 : -31 * 32 + 33));
		for (int i = 0; i < 8; i++) {
			float x = 40 + 10 * (i % 2);

			assert_true(f(state.temps[7][1][i]) == (many ? 11 + x : x + 1 + x));
		}
		assert_int_equal(state.events, many ? 0 : VIVSIM_TWO_UNIFORMS);
		assert_true(many || state.event_at[3] == 1);
	}
	env.many_uniforms = false;
}

static void test_texture_and_memory(void **unused)
{
	set_inputs();
	run("texld t9, tex2.wzyx, t4, void, void\ntexldl t10, tex1.xyzw, t4, void, void");
	for (int i = 0; i < 8; i++) {
		assert_true(f(state.temps[9][0][i]) == values[i] + 3 + 20);
		assert_true(f(state.temps[10][3][i]) == values[i] + 3 + 10);
	}
	assert_int_equal(seen.lod_mode, VIVSIM_LOD_EXPLICIT);
	for (int i = 0; i < 8; i++) {
		state.temps[2][0][i] = i * 16;
		memory[i * 4 + 1] = 1000 + i;
	}
	run("load.u32 t9.xy__, t2.xxxx, 0, void\nadd.u32 t9._y__, t9.yyyy, void, 5\nstore.u32 mem._y__, t2.xxxx, 0, t9.xyzw\n"
	    "atomic_add.u32 t10.x___, 64, 4, 1");
	for (int i = 0; i < 8; i++) {
		assert_int_equal(memory[i * 4 + 1], i == 4 ? 1005 + 4 + 8 : 1005 + i);
		assert_int_equal(state.temps[10][0][i], 1009 + i);	/* lane after lane */
	}
	assert_int_equal(state.events, 0);
	run("load.u32 t9.x___, -4, 0, void");
	assert_int_equal(state.events, VIVSIM_MEMORY);
}

/* Bias, derivatives, comparison with a reference: what the sampler is told. */
static void test_samples(void **unused)
{
	static const struct { const char *text; enum vivsim_lod mode; bool compares; } rows[] = {
		{ "texldb t9, tex1.xyzw, t4, void, void", VIVSIM_LOD_BIAS, false },
		{ "texldd t9, tex1.xyzw, t4, t5, t1", VIVSIM_LOD_GRADIENT, false },
		{ "texldpcf t9, tex1.xyzw, t4, void, t1", VIVSIM_LOD_IMPLICIT, true },
		{ "texldlpcf t9, tex1.xyzw, t4, t5, t1", VIVSIM_LOD_EXPLICIT, true },
	};

	for (size_t n = 0; n < sizeof(rows) / sizeof(rows[0]); n++) {
		set_inputs();
		memset(&seen, 0, sizeof(seen));
		run(rows[n].text);
		assert_int_equal(seen.lod_mode, rows[n].mode);
		for (int i = 0; i < 8; i++) {
			assert_true(seen.coord[1][i] == 2 * values[i]);
			if (rows[n].compares)
				assert_true(seen.reference[i] == others[i]);
			if (rows[n].mode == VIVSIM_LOD_GRADIENT)
				assert_true(seen.ddx[1][i] == others[i] + 1 - seen.coord[1][i] &&
					    seen.ddy[0][i] == others[i] - seen.coord[0][i] &&
					    seen.reference[i] == 4 * values[i]);
			if (rows[n].mode == VIVSIM_LOD_EXPLICIT)
				assert_true(seen.coord[3][i] == others[i]);
			if (rows[n].mode == VIVSIM_LOD_BIAS)
				assert_true(seen.coord[3][i] == 4 * values[i]);
		}
	}
}

static uint32_t changed(unsigned int op, uint32_t old, uint32_t v)
{
	switch (op) {
	case 0: return v;
	case 1: return old == v ? v + 5 : old;
	case 2: return (int32_t)v < (int32_t)old ? v : old;
	case 3: return (int32_t)v > (int32_t)old ? v : old;
	case 4: return old | v;
	case 5: return old & v;
	default: return old ^ v;
	}
}

/* One word, lane after lane; compare-and-exchange writes src2.y where it finds src2.x. */
static void test_atomics(void **unused)
{
	static const char *const ops[] = { "xchg", "cmp_xchg", "min", "max", "or", "and", "xor" };

	for (unsigned int op = 0; op < 7; op++) {
		for (uint32_t first = 0; first < 8; first++) {
			uint32_t word = ints[first];
			char text[64];

			set_inputs();
			for (int i = 0; i < 8; i++)
				state.temps[2][1][i] = ints[i] + 5;
			memory[17] = word;
			snprintf(text, sizeof(text), "atomic_%s.s32 t9.x___, 64, 4, t2", ops[op]);
			run(text);
			for (int i = 0; i < 8; i++) {
				assert_int_equal(state.temps[9][0][i], word);
				word = changed(op, word, ints[i]);
			}
			if (memory[17] != word)
				fail_msg("%s: 0x%08x, not 0x%08x", ops[op], memory[17], word);
		}
	}
	assert_int_equal(state.events, 0);
}

/* Slices of 2 by 2 texels follow each other. */
static void test_slices(void **unused)
{
	set_inputs();
	for (int i = 0; i < 8; i++) {
		state.temps[0][0][i] = 128;
		state.temps[0][1][i] = 8;
		state.temps[0][2][i] = 2 << 16 | 2;
		state.temps[1][0][i] = i & 1;
		state.temps[1][1][i] = i >> 1 & 1;
		state.temps[1][2][i] = i >> 2;
		state.temps[2][0][i] = 70 + i;
	}
	run("img_store_3d.u32 mem.x___, t0, t1, t2\nimg_load_3d.u32 t9.x___, t0, t1, void");
	for (int i = 0; i < 8; i++) {
		assert_int_equal(memory[32 + i], 70 + i);
		assert_int_equal(state.temps[9][0][i], 70 + i);
	}
}

static void test_flow(void **unused)
{
	set_inputs();
	for (int i = 0; i < 8; i++)
		state.temps[0][0][i] = u(i);
	run("mov t1, void, void, 0.000000\n"
	    "again: add t1.x___, t1.xxxx, void, 1.000000\ncall void, void, void, twice\nbranch.lt void, t1.xxxx, t0.xxxx, again\n"
	    "texkill.gt void, t0.xxxx, 5.500000, void\nbranch void, void, void, end\n"
	    "twice: add t1._y__, t1.yyyy, void, 2.000000\nret void, void, void, void\nend: nop void, void, void, void");
	for (int i = 0; i < 8; i++) {
		float n = i > 1 ? i : 1;

		assert_true(f(state.temps[1][0][i]) == n);
		assert_true(f(state.temps[1][1][i]) == 2 * n);
	}
	assert_int_equal(state.discarded, 0xc0);
	/* In any component: the last one decides here. */
	set_inputs();
	for (int i = 0; i < 8; i++)
		state.temps[0][3][i] = u(i & 1 ? 100 : -100);
	run("mov t9, void, void, 1.000000\nbranch_any.gt void, t0, 50.000000, over\nmov t9, void, void, 2.000000\n"
	    "over: nop void, void, void, void");
	for (int i = 0; i < 8; i++)
		assert_true(f(state.temps[9][0][i]) == (i & 1 || values[i] > 50 ? 1 : 2));
}

/* The newer transcendental ops give two factors. */
static void test_pairs(void **unused)
{
	static const struct {
		const char *text;
		double want;
	} ops[] = {
		{ "log t9.xy__, void, void, t0.xxxx", -1.6438562 }, { "sin t9.xy__, void, void, t0.xxxx", 0.9510565 },
		{ "cos t9.xy__, void, void, t0.xxxx", 0.3090170 }, { "log t9.__zw, void, void, t0.xxxx", -1.6438562 },
	};

	for (size_t i = 0; i < sizeof(ops) / sizeof(ops[0]); i++) {
		int first = strstr(ops[i].text, "zw") ? 2 : 0;
		size_t count;
		uint32_t *words = assemble("vivante", ops[i].text, &count);

		memset(state.temps, 0, sizeof(state.temps));
		for (int lane = 0; lane < 8; lane++)
			state.temps[0][0][lane] = u(i == 0 || i == 3 ? 0.32f : 0.4f);
		words[1] |= 1;
		run_words(words, 1);
		for (int lane = 0; lane < 8; lane++)
			assert_float_equal(f(state.temps[9][first][lane]) * f(state.temps[9][first + 1][lane]), ops[i].want, 1e-5);
		free(words);
	}
}

static void test_loops(void **unused)
{
	for (int i = 0; i < 8; i++)
		state.temps[0][0][i] = u(i);
	uniforms[0][0] = 2;
	uniforms[0][1] = 5;
	uniforms[0][2] = 3;
	/* i times, and in it twice with a.x 5 and 8: t6.x is where t1[a.x] shows both. */
	run("mov t1, void, void, 0.000000\nmov t6, void, void, 0.000000\nmov t9, void, void, 0.000000\n"
	    "rep void, t0.xxxx, void, void\nadd t1.x___, t1.xxxx, void, 1.000000\n"
	    "loop.s32 void, u0.xyzz, void, void\nadd t1._y__, t1.yyyy, void, 1.000000\n"
	    "mov t1[a.x].x___, void, void, t1.yyyy\nendloop void, void, void, void\n"
	    "endrep void, void, void, void\nadd t1.__z_, t1.xxxx, void, 1.000000");
	for (int i = 0; i < 8; i++) {
		assert_true(f(state.temps[1][0][i]) == i && f(state.temps[1][1][i]) == 2 * i);
		assert_true(f(state.temps[1][2][i]) == i + 1);
		assert_true(f(state.temps[6][0][i]) == (i ? 2 * i - 1 : 0) && f(state.temps[9][0][i]) == 2 * i);
	}
}

static void test_lighting_and_images(void **unused)
{
	for (int i = 0; i < 8; i++) {
		state.temps[0][1][i] = u(i - 3.0f);
		state.temps[0][2][i] = u(3.5f - i);
		state.temps[1][1][i] = u(0.25f);
		state.temps[1][2][i] = u(i == 7 ? 0 : 1);
		state.temps[2][0][i] = u(3);
		state.temps[3][0][i] = 64;
		state.temps[3][1][i] = 32;
		state.temps[3][2][i] = 4 << 16 | 3;
		state.temps[4][0][i] = i % 4;
		state.temps[4][1][i] = i / 4;
		state.temps[5][0][i] = 100 + i;
		state.temps[5][1][i] = 200 + i;
	}
	memset(memory, 0, sizeof(memory));
	run("litp t6, t0, t1, t2\nimg_store.u8 mem.xy__, t3, t4, t5\nimg_load.u8 t7.xy__, t3, t4, void");
	for (int i = 0; i < 8; i++) {
		bool lit = i < 7, inside = i % 4 < 3;

		assert_true(f(state.temps[6][0][i]) == 1 && f(state.temps[6][3][i]) == 1);
		assert_true(f(state.temps[6][1][i]) == (lit && i > 3 ? 0.25f : 0));
		assert_true(f(state.temps[6][2][i]) == (lit && i <= 3 ? 8 : 0));
		assert_int_equal(state.temps[7][0][i], inside ? 100 + i : 0);
		assert_int_equal(state.temps[7][1][i], inside ? 200 + i : 0);
	}
	assert_int_equal(memory[24], 204 << 8 | 104 | 105 << 16 | 205u << 24);
	for (int i = 0; i < 8; i++) {
		state.temps[0][0][i] = (uint32_t)i - 2;
		state.temps[1][0][i] = u(1.5f);
	}
	run("texelfetch t2, tex3.xyzw, t0.xxxx, t1, void\nbyte_rev t3, t0.xxxx, void, void\n"
	    "halfaddinc.s32 t4, t0.xxxx, void, t0.xxxx\nroundaway t5, void, void, t1.xxxx");
	assert_int_equal(seen.lod_mode, VIVSIM_LOD_TEXEL);
	assert_int_equal(seen.sampler, 3);
	assert_true(seen.coord[1][0] == -2 && seen.coord[3][5] == 1.5f);
	state.temps[0][3][5] = u(2);
	run("texelfetch t2, tex3.xyzw, t0, void, void");
	assert_true(seen.coord[0][5] == 3 && seen.coord[3][5] == 2);
	assert_int_equal(state.temps[3][0][0], 0xfeffffff);
	assert_int_equal((int32_t)state.temps[4][0][0], -2);
	assert_true(f(state.temps[5][0][0]) == 2);
}

/* etnaviv_gpu_tests src/cube_gc7000.c: the end of the vendor's vertex shader for a GC7000, which normalizes t0. */
static void test_normalize(void **unused)
{
	static const uint32_t words[] = {
		0x04001035, 0x29000804, 0x00010000, 0x00000000, 0x0400100d, 0x00000004, 0x00000000, 0x003fc008,
		0x0b801037, 0x29000804, 0x01ff0040, 0x00000000, 0x00801005, 0x29001804, 0x01480040, 0x00000000,
	};
	static const char text[] = "norm_dp3 t0.___w, t0.xyzz, void, void\nrsq t0.___w, void, void, t0.wwww\n"
		"norm_mul t0.xyz_, t0.xyzz, t0.wwww, void, set tex_id 1\ndp3 t0.x___, t1.xyzz, t0.xyzz, void";
	size_t count;
	uint32_t *again = assemble("vivante", text, &count);

	assert_true(count == 16);
	assert_memory_equal(again, words, sizeof(words));
	free(again);
	for (int i = 0; i < 8; i++)
		for (int c = 0; c < 4; c++) {
			state.temps[0][c][i] = u(i - 3.0f + c);
			state.temps[1][c][i] = u(c + 1.0f);
		}
	run(text);
	assert_int_equal(state.events, 0);
	for (int i = 0; i < 8; i++) {
		float x = i - 3, y = i - 2, z = i - 1, length = sqrtf(x * x + y * y + z * z);

		assert_float_equal(f(state.temps[0][0][i]), (x + 2 * y + 3 * z) / length, 1e-5);
		assert_float_equal(f(state.temps[0][1][i]), y / length, 1e-6);
	}
}

/* What etnaviv_gpu_tests src/etnaviv_verifyops.c found out: words as there, of t2 and t3 into t4, and what came out. */
static uint32_t w_add(uint32_t a, uint32_t b) { return a + b; }
static uint32_t w_mul(uint32_t a, uint32_t b) { return a * b; }
static uint32_t w_high(uint32_t a, uint32_t b) { return (uint64_t)a * b >> 32; }
static uint32_t w_mad(uint32_t a, uint32_t b) { return a * b + 0x12345678; }
static uint32_t w_shl(uint32_t a, uint32_t b) { return a << (b & 31); }
static uint32_t w_shr(uint32_t a, uint32_t b) { return a >> (b & 31); }
static uint32_t w_rot(uint32_t a, uint32_t b) { return a << (b & 31) | a >> ((32 - b) & 31); }
static uint32_t w_or(uint32_t a, uint32_t b) { return a | b; }
static uint32_t w_and(uint32_t a, uint32_t b) { return a & b; }
static uint32_t w_xor(uint32_t a, uint32_t b) { return a ^ b; }
static uint32_t w_not(uint32_t a, uint32_t b) { return ~a; }
static uint32_t w_clz(uint32_t a, uint32_t b) { return a ? __builtin_clz(a) : 32; }
static uint32_t w_s2f(uint32_t a, uint32_t b) { return u((float)(int32_t)a); }
static uint32_t w_u2f(uint32_t a, uint32_t b) { return u((float)a); }
/* As an ARM converts: to the nearest number that there is, and NaN to 0. */
static uint32_t w_f2s(uint32_t a, uint32_t b)
{
	return isnan(f(a)) ? 0 : f(a) >= 0x1p31f ? 0x7fffffff : f(a) <= -0x1p31f ? 0x80000000 : (uint32_t)(int32_t)f(a);
}
static uint32_t w_f2u(uint32_t a, uint32_t b)
{
	return isnan(f(a)) || f(a) <= 0 ? 0 : f(a) >= 0x1p32f ? ~0u : (uint32_t)f(a);
}
static uint32_t w_f2s_gc2000(uint32_t a, uint32_t b)
{
	return !isnan(f(a)) ? w_f2s(a, b) : a >> 31 ? 0x80000000 : 0x7fffffff;
}
static uint32_t w_f2u_gc2000(uint32_t a, uint32_t b)
{
	return !isnan(f(a)) ? w_f2u(a, b) : a >> 31 ? 0 : ~0u;
}

static void test_chips(void **unused)
{
	enum { OLD = 1, NEW = 2, X_ON_NEW = 4 };
	static const struct {
		uint32_t words[4];
		unsigned int chips;
		uint32_t (*f)(uint32_t a, uint32_t b);
	} ops[] = {
		{ { 0x07841001, 0x39202800, 0x80000000, 0x00390038 }, OLD | NEW, w_add },
		{ { 0x0784103c, 0x39202800, 0x81c801c0, 0x00000000 }, OLD | NEW | X_ON_NEW, w_mul },
		{ { 0x07841000, 0x39202800, 0x81c901c0, 0x00000000 }, OLD | NEW | X_ON_NEW, w_high },
		{ { 0x0784100c, 0x39202800, 0x81c901c0, 0x20390038 }, OLD | NEW | X_ON_NEW, w_mad },
		{ { 0x07841019, 0x39202800, 0x80010000, 0x00390038 }, OLD | NEW, w_shl },
		{ { 0x0784101a, 0x39202800, 0x80010000, 0x00390038 }, OLD | NEW, w_shr },
		{ { 0x0784101b, 0x39202800, 0x80010000, 0x00390038 }, OLD | NEW, w_rot },
		{ { 0x0784101c, 0x39202800, 0x80010000, 0x00390038 }, OLD | NEW, w_or },
		{ { 0x0784101d, 0x39202800, 0x80010000, 0x00390038 }, OLD | NEW, w_and },
		{ { 0x0784101e, 0x39202800, 0x80010000, 0x00390038 }, OLD | NEW, w_xor },
		{ { 0x0784101f, 0x00200000, 0x80010000, 0x00390028 }, OLD | NEW, w_not },
		{ { 0x07841018, 0x00200000, 0x80010000, 0x00390028 }, OLD | NEW, w_clz },
		{ { 0x0784102d, 0x39002800, 0x40000000, 0x00000000 }, OLD | NEW, w_s2f },
		{ { 0x0784102d, 0x39202800, 0x80000000, 0x00000000 }, OLD | NEW, w_u2f },
		{ { 0x0784102e, 0x39002800, 0x40000000, 0x00000000 }, OLD, w_f2s_gc2000 },
		{ { 0x0784102e, 0x39202800, 0x80000000, 0x00000000 }, OLD, w_f2u_gc2000 },
		{ { 0x0784102e, 0x39002800, 0x40000000, 0x00000000 }, NEW, w_f2s },
		{ { 0x0784102e, 0x39202800, 0x80000000, 0x00000000 }, NEW, w_f2u },
	};
	static const uint32_t special[8] = { 0, 0x3f800000, 0xbf900000, 0x7fc12345, 0xffc00001, 0x4f800001, 0xcf000001, 0x7fffffff };

	for (unsigned int n = 0; n < 2 * sizeof(ops) / sizeof(ops[0]); n++) {
		unsigned int k = n / 2, chip = n % 2 ? NEW : OLD;
		bool x = chip == OLD || ops[k].chips & X_ON_NEW;

		if (!(ops[k].chips & chip))
			continue;
		for (int i = 0; i < 8; i++)
			for (int c = 0; c < 4; c++) {
				state.temps[2][c][i] = special[i] + 0x10101 * c;
				state.temps[3][c][i] = more[i] + 77 * c;
			}
		uniforms[3][0] = 0x12345678;
		env.before_gc3000 = chip == OLD;
		run_words(ops[k].words, 1);
		env.before_gc3000 = false;
		assert_int_equal(state.events, 0);
		for (int i = 0; i < 32; i++) {
			uint32_t a = state.temps[2][x ? 0 : i / 8][i % 8], b = state.temps[3][x ? 0 : i / 8][i % 8];

			if (state.temps[4][i / 8][i % 8] != ops[k].f(a, b))
				fail_msg("op %u, chip %u, %c, %08x, %08x: got %08x, want %08x", k, chip, "xyzw"[i / 8], a, b,
					 state.temps[4][i / 8][i % 8], ops[k].f(a, b));
		}
	}
}

/*
 * etnaviv_gpu_tests src/etnaviv_cl_bench.c, write_bench_code_gc3000: a thousand times 128 KiB, 64 bytes in a round.
 * Its branches have immediates as second source and as target.
 */
static const uint32_t write_bench[][4] = {
	{ 0x00801009, 0x00000000, 0x00000000, 0x74000008 }, { 0x000000d6, 0x00000800, 0x5002f440, 0x780000ef },
	{ 0x01001009, 0x00000000, 0x00000000, 0x20000008 }, { 0x02001009, 0x00000000, 0x00000000, 0x74000008 },
	{ 0x000000d6, 0x2a800800, 0x50400040, 0x780000cf }, { 0x07810033, 0x15600c00, 0x80aa0040, 0x78000aaa },
	{ 0x07810033, 0x15600c00, 0x90000840, 0x78000aaf }, { 0x07810033, 0x15600c00, 0x90001040, 0x78000aaf },
	{ 0x07810033, 0x15600c00, 0x90001840, 0x78000aaf }, { 0x01001001, 0x15600800, 0x80000000, 0x74000408 },
	{ 0x02001001, 0x2a800800, 0x40000000, 0x74000048 }, { 0x00000096, 0x2a800800, 0x50200040, 0x7800005f },
	{ 0x00801001, 0x00000800, 0x40000000, 0x74000018 }, { 0x00000096, 0x00000800, 0x5002f440, 0x7800002f },
	{ 0x00000000, 0x00000000, 0x00000000, 0x00000000 },
};

static unsigned int stored;

static bool count_store(void *ctx, uint32_t address, uint32_t value)
{
	assert_int_equal(value, 170);
	assert_int_equal(address, 0x10000 + 4 * (stored / 32 * 4 + stored / 8 % 4));
	stored++;
	return true;
}

static void test_branch_immediate(void **unused)
{
	static struct vivsim_op ops[15];
	char *text = limn_isa_disasm(&isa_vivante, write_bench[0], 60);
	struct isa_messages m;

	assert_non_null(strstr(text, "\nbranch.imm.ge.s32 void, t0.xxxx, 1000, l14\n"));
	assert_non_null(strstr(text, "\nbranch.imm.lt.s32 void, t0.zzzz, 8192, l5\n"));
	assert_null(strstr(text, ", set cf_imm"));
	free(text);
	assert_int_equal(limn_isa_check(&isa_vivante, write_bench[0], 60, &m), 0);
	assert_int_equal(m.count, 0);
	limn_isa_messages_free(&m);
	assert_int_equal(limn_isa_check(&isa_vivante, write_bench[1], 40, &m), 0);
	assert_true(m.errors == 2 && !strcmp(m.list[0].rule, "branch-target"));
	limn_isa_messages_free(&m);

	uniforms[0][0] = 0x10000;
	uniforms[0][1] = 0;
	env.store = count_store;
	vivsim_decode(write_bench[0], 15, ops);
	vivsim_begin(&state, ops, 15, &env, 0xff);
	assert_int_equal(vivsim_run(&state, 5 + 2048 * 7 + 1), SIM_LIMIT);
	env.store = store;
	assert_int_equal(state.events, 0);
	assert_int_equal(stored, 2048 * 16 * 8);
	for (int i = 0; i < 8; i++) {
		assert_int_equal(state.pc[i], 13);
		assert_int_equal(state.temps[0][0][i], 1);
		assert_int_equal(state.temps[0][1][i], 0x10000 + 128 * 1024);
		assert_int_equal(state.temps[0][2][i], 8192);
	}
	/* As many times as the lane's number; the targets are labels. */
	for (int i = 0; i < 8; i++)
		state.temps[0][0][i] = i;
	run("mov.s32 t1, void, void, 0\nagain: branch.imm.ge.s32 void, t1.xxxx, 5, end\nadd.s32 t1.x___, t1.xxxx, void, 1\n"
	    "branch.imm.lt.s32 void, t1.xxxx, t0.xxxx, again\nend: nop void, void, void, void");
	for (int i = 0; i < 8; i++)
		assert_int_equal(state.temps[1][0][i], i < 1 ? 1 : i < 5 ? i : 5);
	run("mov t1, void, void, 0.000000\nbranch_any.imm.gt.s32 void, t0.xxxx, 2, over\ncall.imm void, void, void, sub\n"
	    "over: branch void, void, void, end\nsub: mov t1, void, void, 1.000000\nret void, void, void, void\n"
	    "end: nop void, void, void, void");
	for (int i = 0; i < 8; i++)
		assert_true(f(state.temps[1][0][i]) == (i > 2 ? 0 : 1));
}

/* What the table does not call unknown, the simulator does; what it does, not. */
static void test_semantics(void **unused)
{
	for (unsigned int i = 0; i < isa_vivante.op_count; i++) {
		const struct isa_op *op = &isa_vivante.ops[i];
		struct isa_bits b = { { 0 } };
		bool known;

		for (int k = 0; k < 3 && op->match[k].width; k++)
			isa_put(&b, op->match[k].lo, op->match[k].width, op->match[k].value);
		if (op->id == VIV_OP_unknown) {
			viv_put(&b, opcode, 0x3f);
			viv_put(&b, opcode_bit6, 1);
		}
		if (op->form == VIV_F_JUMP)
			viv_put(&b, target, 1);
		if (op->form == VIV_F_JUMP_IMM)
			viv_put(&b, imm_0, 1);
		assert_int_not_equal(try_words(b.w, 1), SIM_FAULT);
		known = !(state.events & VIVSIM_UNKNOWN_OP);
		if (known == !isa_has_semantics(op))
			fail_msg("\"%s\": table says %sknown, simulator does not agree", op->pattern, known ? "un" : "");
	}
	/* Of a type that the op has nothing for: 0, not what an instruction before it gave. */
	set_inputs();
	run("add t6, t0, void, t1\nfloor.s32 t7, void, void, t0");
	assert_true(state.events & VIVSIM_UNKNOWN_OP);
	for (int c = 0; c < 4; c++)
		for (int i = 0; i < 8; i++)
			assert_int_equal(state.temps[7][c][i], 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_float),
		cmocka_unit_test(test_integer),
		cmocka_unit_test(test_vector),
		cmocka_unit_test(test_halves),
		cmocka_unit_test(test_operands), cmocka_unit_test(test_one_uniform),
		cmocka_unit_test(test_texture_and_memory),
		cmocka_unit_test(test_samples),
		cmocka_unit_test(test_atomics),
		cmocka_unit_test(test_slices),
		cmocka_unit_test(test_flow),
		cmocka_unit_test(test_pairs),
		cmocka_unit_test(test_loops),
		cmocka_unit_test(test_lighting_and_images),
		cmocka_unit_test(test_normalize),
		cmocka_unit_test(test_chips),
		cmocka_unit_test(test_branch_immediate),
		cmocka_unit_test(test_semantics),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
