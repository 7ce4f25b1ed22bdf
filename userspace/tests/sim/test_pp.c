// SPDX-License-Identifier: MIT
/* The PP simulator against plain C: every op, modifiers, precision, quads, branches. */
#include <math.h>

#include "isa/half.h"
#include "sim/utgard_pp.h"
#include "tests/isa/random.h"
#include "tests/sim/shader.h"
#include "tests/sim/tested.h"

static struct ppsim_state state __attribute__((aligned(32)));
static struct ppsim_env env __attribute__((aligned(32)));
static v8f varyings[64], texel[4];
static uint16_t uniforms[64];
static struct ppsim_sample seen[16];
static v8f seen_coord[16][4], seen_lod[16];
static unsigned int seen_count;

static bool get_uniform(void *ctx, int address, unsigned int count, uint16_t *halves)
{
	if (address < 0 || address + count > 64)
		return false;
	memcpy(halves, uniforms + address, count * 2);
	return true;
}

static bool get_varying(void *ctx, unsigned int address, unsigned int count, v8f *out)
{
	for (unsigned int i = 0; i < count; i++)
		out[i] = varyings[(address + i) % 64];
	return true;
}

static bool get_sample(void *ctx, const struct ppsim_sample *sample, v8f *rgba)
{
	unsigned int n = seen_count++ % 16;

	seen[n] = *sample;
	seen[n].coord = memcpy(seen_coord[n], sample->coord, sizeof(seen_coord[n]));
	seen_lod[n] = *sample->lod;
	memcpy(rgba, texel, sizeof(texel));
	for (int lane = 0; lane < 8; lane++)
		rgba[3][lane] = sample->sampler;
	return true;
}

static void get_framebuffer(void *ctx, bool depth, v8f out[4])
{
	for (int c = 0; c < 4; c++)
		out[c] = (v8f){ 0 } + (depth ? 0.75f : 0.125f * (c + 1));
}

static void setup(void)
{
	memset(&env, 0, sizeof(env));
	env.uniform = get_uniform;
	env.varying = get_varying;
	env.sample = get_sample;
	env.framebuffer = get_framebuffer;
	env.temporaries = 4;
	seen_count = 0;
}

static enum sim_status run_words(const uint32_t *words, size_t count, uint8_t mask)
{
	struct ppsim_program *prog = ppsim_decode_words(words, count);
	enum sim_status status;

	assert_non_null(prog);
	ppsim_begin(&state, prog, &env, mask);
	status = ppsim_run(&state, 100000);
	ppsim_free(prog);
	return status;
}

static void run(const char *text)
{
	size_t count;
	uint32_t *words = assemble("utgard-pp", text, &count);

	assert_int_equal(run_words(words, count, 0xff), SIM_DONE);
	free(words);
}

static float half(float x)
{
	return half_to_float(half_from_float(x));
}

static bool same(float a, float b)
{
	return a == b || (isnan(a) && isnan(b));
}

/* Exact in fp16, and where ops change their mind. */
static const float values[8] = { 0, 1, -1, 2.5f, -2.5f, 0.3125f, 100.75f, -0.0625f };
static const float others[8] = { 1, 1, 2, -2.5f, -2.5f, 0.75f, -3, 0 };

static void set_inputs(void)
{
	for (int i = 0; i < 8; i++) {
		varyings[0][i] = values[i];
		varyings[1][i] = others[i];
		varyings[2][i] = i;
		varyings[3][i] = values[(i + 3) % 8];
		for (int c = 4; c < 64; c++)
			varyings[c][i] = c + i / 8.0f;
	}
}

static float f_mul(float a, float b) { return a * b; }
static float f_mul8(float a, float b) { return a * b * 8; }
static float f_mulq(float a, float b) { return a * b / 4; }
static float f_not(float a, float b) { return !a; }
static float f_and(float a, float b) { return a && b; }
static float f_or(float a, float b) { return a || b; }
static float f_xor(float a, float b) { return !a != !b; }
static float f_ne(float a, float b) { return a != b; }
static float f_gt(float a, float b) { return a > b; }
static float f_ge(float a, float b) { return a >= b; }
static float f_eq(float a, float b) { return a == b; }
static float f_min(float a, float b) { return a < b ? a : b; }
static float f_max(float a, float b) { return a > b ? a : b; }
static float f_mov(float a, float b) { return a; }
static float f_add(float a, float b) { return a + b; }
static float f_fract(float a, float b) { return a - floorf(a); }
static float f_floor(float a, float b) { return floorf(a); }
static float f_ceil(float a, float b) { return ceilf(a); }
static float f_sat(float a, float b) { return fminf(fmaxf(a, 0), 1); }
static float f_pos(float a, float b) { return fmaxf(a, 0); }
static float f_int(float a, float b) { return truncf(a); }
static float f_neg(float a, float b) { return -a; }
static float f_abs(float a, float b) { return fabsf(a); }
static float f_nabs(float a, float b) { return -fabsf(a); }

/* NAME and operands; %s stands for the unit, v or s, with its registers. */
static const struct {
	const char *vector, *scalar;
	float (*f)(float a, float b);
} alu_ops[] = {
	{ "mul.v0 $1 $0.x $0.y", "mul.s0 $1.x $0.x $0.y", f_mul },
	{ "mul.v0 $1 $0.x<<3 $0.y", "mul.s0 $1.x $0.x<<3 $0.y", f_mul8 },
	{ "mul.v0 $1 $0.x<<6 $0.y", "mul.s0 $1.x $0.x<<-2 $0.y", f_mulq },
	{ "not.v0 $1 $0.x", "not.s0 $1.x $0.x", f_not },
	{ "and.v0 $1 $0.x $0.y", "and.s0 $1.x $0.x $0.y", f_and },
	{ "or.v0 $1 $0.x $0.y", "or.s0 $1.x $0.x $0.y", f_or },
	{ "xor.v0 $1 $0.x $0.y", "xor.s0 $1.x $0.x $0.y", f_xor },
	{ "ne.v0 $1 $0.x $0.y", "ne.s0 $1.x $0.x $0.y", f_ne },
	{ "gt.v0 $1 $0.x $0.y", "gt.s0 $1.x $0.x $0.y", f_gt },
	{ "ge.v0 $1 $0.x $0.y", "ge.s0 $1.x $0.x $0.y", f_ge },
	{ "eq.v0 $1 $0.x $0.y", "eq.s0 $1.x $0.x $0.y", f_eq },
	{ "min.v0 $1 $0.x $0.y", "min.s0 $1.x $0.x $0.y", f_min },
	{ "max.v0 $1 $0.x $0.y", "max.s0 $1.x $0.x $0.y", f_max },
	{ "mov.v0 $1 $0.x", "mov.s0 $1.x $0.x", f_mov },
	{ "add.v1 $1 $0.x $0.y", "add.s1 $1.x $0.x $0.y", f_add },
	{ "fract.v1 $1 $0.x", "fract.s1 $1.x $0.x", f_fract },
	{ "ne.v1 $1 $0.x $0.y", "ne.s1 $1.x $0.x $0.y", f_ne },
	{ "gt.v1 $1 $0.x $0.y", "gt.s1 $1.x $0.x $0.y", f_gt },
	{ "ge.v1 $1 $0.x $0.y", "ge.s1 $1.x $0.x $0.y", f_ge },
	{ "eq.v1 $1 $0.x $0.y", "eq.s1 $1.x $0.x $0.y", f_eq },
	{ "floor.v1 $1 $0.x", "floor.s1 $1.x $0.x", f_floor },
	{ "ceil.v1 $1 $0.x", "ceil.s1 $1.x $0.x", f_ceil },
	{ "min.v1 $1 $0.x $0.y", "min.s1 $1.x $0.x $0.y", f_min },
	{ "max.v1 $1 $0.x $0.y", "max.s1 $1.x $0.x $0.y", f_max },
	{ "mov.v1 $1 $0.x", "mov.s1 $1.x $0.x", f_mov },
	{ "mov.sat.v1 $1 $0.x", "mov.sat.s1 $1.x $0.x", f_sat },
	{ "mov.pos.v0 $1 $0.x", "mov.pos.s0 $1.x $0.x", f_pos },
	{ "mov.int.v1 $1 $0.x", "mov.int.s1 $1.x $0.x", f_int },
	{ "mov.v1 $1 -$0.x", "mov.s1 $1.x -$0.x", f_neg },
	{ "mov.v1 $1 abs($0.x)", "mov.s1 $1.x abs($0.x)", f_abs },
	{ "mov.v0 $1 -abs($0.x)", "mov.s0 $1.x -abs($0.x)", f_nabs },
	{ "mul.v0 $0.x $0.y, add.v1 $1 ^v0 $0.z", "mul.s0 $0.x $0.y, add.s1 $1.x ^s0 $0.z", NULL },
};

static void test_alu(void **unused)
{
	setup();
	set_inputs();
	for (size_t i = 0; i < sizeof(alu_ops) / sizeof(alu_ops[0]); i++) {
		for (int scalar = 0; scalar < 2; scalar++) {
			const char *op = scalar ? alu_ops[i].scalar : alu_ops[i].vector;
			char text[128];

			snprintf(text, sizeof(text), "load.v $0 0\n%s, stop", op);
			run(text);
			for (int lane = 0; lane < 8; lane++) {
				float a = values[lane], b = others[lane];
				float want = half(alu_ops[i].f ? alu_ops[i].f(a, b) : a * b + lane);

				for (int c = 0; c < (scalar ? 1 : 4); c++)
					if (!same(state.registers[1][c][lane], want))
						fail_msg("%s, lane %d: got %g, want %g", op, lane,
							 state.registers[1][c][lane], want);
			}
		}
	}
}

/* Multipliers whose result only the adder behind takes; adders whose result nobody takes. */
static void test_without_destination(void **unused)
{
	static const struct {
		const char *name;
		float (*f)(float a, float b);
		int operands;
	} muls[] = {
		{ "not", f_not, 1 }, { "and", f_and, 2 }, { "or", f_or, 2 }, { "xor", f_xor, 2 }, { "ne", f_ne, 2 },
		{ "gt", f_gt, 2 }, { "ge", f_ge, 2 }, { "eq", f_eq, 2 }, { "min", f_min, 2 }, { "max", f_max, 2 },
		{ "mov", f_mov, 1 },
	};
	static const char *const adds[] = {
		"add.s1 _ $0.x $0.y", "fract.s1 _ $0.x", "ne.s1 _ $0.x $0.y", "gt.s1 _ $0.x $0.y", "ge.s1 _ $0.x $0.y",
		"eq.s1 _ $0.x $0.y", "floor.s1 _ $0.x", "ceil.s1 _ $0.x", "min.s1 _ $0.x $0.y", "max.s1 _ $0.x $0.y",
		"dFdx.s1 _ $0.x $0.y", "dFdy.s1 _ $0.x $0.y", "sel.s1 _ $0.x $0.y", "mov.s1 _ $0.x",
	};
	char text[128];

	setup();
	set_inputs();
	for (size_t i = 0; i < sizeof(muls) / sizeof(muls[0]); i++) {
		for (int scalar = 0; scalar < 2; scalar++) {
			const char *second = muls[i].operands == 2 ? " $0.y" : "";

			snprintf(text, sizeof(text), scalar ? "load.v $0 0\n%s.s0 $0.x%s, add.s1 $1.x ^s0 $0.z, stop" :
				 "load.v $0 0\n%s.v0 $0.x%s, add.v1 $1 ^v0 $0.z, stop", muls[i].name, second);
			run(text);
			for (int lane = 0; lane < 8; lane++) {
				float want = half(muls[i].f(values[lane], others[lane]) + lane);

				if (!same(state.registers[1][0][lane], want))
					fail_msg("%s, lane %d: got %g, want %g", text, lane, state.registers[1][0][lane], want);
			}
		}
	}
	for (size_t i = 0; i < sizeof(adds) / sizeof(adds[0]); i++) {
		snprintf(text, sizeof(text), "load.v $0 0\n%s, stop", adds[i]);
		run(text);
		for (int r = 1; r < 6; r++)
			for (int c = 0; c < 4; c++)
				for (int lane = 0; lane < 8; lane++)
					assert_true(state.registers[r][c][lane] == 0);
		for (int lane = 0; lane < 8; lane++)
			assert_true(state.registers[0][0][lane] == values[lane]);
	}
}

static void test_sum_and_select(void **unused)
{
	setup();
	set_inputs();
	run("load.v $0 0\nsum3.v1 $1 $0\nsum4.v1 $2.yw -$0\n"
	    "mov.s0 $0.x, sel.v1 $3 $0.wzyx $0\nmov.s0 $0.x, sel.s1 $4.x $0.y $0.z, stop");
	for (int i = 0; i < 8; i++) {
		float three = values[i] + others[i] + i, four = three + values[(i + 3) % 8];

		for (int c = 0; c < 4; c++) {
			assert_true(same(state.registers[1][c][i], half(three)));
			assert_true(same(state.registers[2][c][i], c & 1 ? half(-four) : 0));
		}
		assert_true(state.registers[3][1][i] == (values[i] != 0 ? (float)i : others[i]));
		assert_true(state.registers[4][0][i] == (values[i] != 0 ? others[i] : (float)i));
	}
}

static float turns_sin(float x) { return sin(6.283185307179586 * x); }
static float turns_cos(float x) { return cos(6.283185307179586 * x); }
static float recip(float x) { return 1 / x; }
static float rsqrt(float x) { return 1 / sqrt(x); }
static float itself(float x) { return x; }

static void test_combine(void **unused)
{
	static const struct {
		const char *name;
		float (*f)(float);
		float lo, hi;
	} ops[] = {
		{ "rcp", recip, -7, 9 }, { "sqrt", sqrtf, 0.0625f, 90 }, { "rsqrt", rsqrt, 0.0625f, 90 },
		{ "exp2", exp2f, -12, 12 }, { "log2", log2f, 0.0625f, 1000 }, { "sin", turns_sin, -2, 2 },
		{ "cos", turns_cos, -2, 2 }, { "mov", itself, -100, 100 },
	};

	setup();
	for (size_t n = 0; n < sizeof(ops) / sizeof(ops[0]); n++) {
		char text[64];

		snprintf(text, sizeof(text), "load.v $0 0\n%s.s2 $1.y $0.x, stop", ops[n].name);
		for (int step = 0; step < 32; step++) {
			for (int i = 0; i < 8; i++)
				varyings[0][i] = half(ops[n].lo + (ops[n].hi - ops[n].lo) * (step * 8 + i) / 255);
			run(text);
			for (int i = 0; i < 8; i++) {
				float x = varyings[0][i], got = state.registers[1][1][i], want = ops[n].f(x);

				/* Within the last bit of fp16. */
				if (fabsf(got - want) > fabsf(want) * 0x1p-10f + 0x1p-22f && got != half(want))
					fail_msg("%s %g: got %g, want %g", ops[n].name, x, got, want);
			}
		}
	}
	set_inputs();
	run("load.v $0 0\nmul.s2 $1.xz -$0.z $0.wzyx, stop");
	for (int i = 0; i < 8; i++) {
		assert_true(state.registers[1][0][i] == half(-i * values[(i + 3) % 8]));
		assert_true(state.registers[1][1][i] == 0);
		assert_true(state.registers[1][2][i] == half(-i * others[i]));
	}
}

/* atan(y / x) as the documented sequence of two parts and a multiplication between. */
static void test_arc_tangent(void **unused)
{
	setup();
	for (int step = 0; step < 64; step++) {
		for (int i = 0; i < 8; i++) {
			float angle = (step * 8 + i) * 0.012271846f - 3.13f;

			varyings[0][i] = half(sinf(angle) * 3);
			varyings[1][i] = half(cosf(angle) * 3);
		}
		run("load.v $0.xy 0.xy\natan2.s2 $1.xyz $0.x $0.y\nmul.s0 $1.x $1.x $1.y\n"
		    "atan_pt2.s2 $2.x $1\natan.s2 $1.xyz $0.x\natan_pt2.s2 $2.y $1, stop");
		for (int i = 0; i < 8; i++) {
			float y = varyings[0][i], x = varyings[1][i];

			assert_float_equal(state.registers[2][0][i], atan2f(y, x), 4e-3);
			assert_float_equal(state.registers[2][1][i], atanf(y), 2e-3);
		}
	}
}

/* A register over its length (xyz). */
static void test_normalize(void **unused)
{
	setup();
	run("load.v $0 0\nload.v $1.xyz normalize($0), stop");
	for (int i = 0; i < 8; i++) {
		float x = state.registers[0][0][i], y = state.registers[0][1][i], z = state.registers[0][2][i];
		float length = sqrtf(x * x + y * y + z * z);

		assert_true(fabsf(state.registers[1][0][i] - x / length) < 0x1p-10f);
		assert_true(fabsf(state.registers[1][1][i] - y / length) < 0x1p-10f);
		assert_true(fabsf(state.registers[1][2][i] - z / length) < 0x1p-10f);
	}
}

/* Registers hold fp16; from multiplier to adder and to the sampler nothing is rounded. */
static void test_precision(void **unused)
{
	setup();
	for (int i = 0; i < 8; i++)
		varyings[0][i] = varyings[1][i] = 1 + 0x1p-12f + i * 0x1p-14f;
	run("load.v $0.xy 0.xy\nload.v ^discard.xy 0.xy, texld 0, sync, stop");
	for (int i = 0; i < 8; i++) {
		assert_true(state.registers[0][0][i] == half(varyings[0][i]));
		assert_true(seen[0].coord[0][i] == varyings[0][i]);
	}
	for (int i = 0; i < 8; i++) {
		varyings[0][i] = 1 + i / 1024.0f;
		varyings[1][i] = -1;
	}
	run("load.v $0.xy 0.xy\nmul.v0 $0.x $0.x, add.v1 $1 ^v0 $0.y\nmul.v0 $2 $0.x $0.x\nadd.v1 $2 $2 $0.y, stop");
	for (int i = 0; i < 8; i++) {
		float x = varyings[0][i];

		assert_true(state.registers[1][0][i] == half(x * x - 1));
		assert_true(state.registers[2][0][i] == half(half(x * x) - 1));
	}
}

/* fp16 rounding of every kind of number, against the conversion of half.h; no subnormals. */
static void test_rounding(void **unused)
{
	random_seed();
	setup();
	for (int n = 0; n < 4000; n++) {
		for (int i = 0; i < 8; i++) {
			uint32_t u = random_word();

			/* Half of them within and around fp16's range. */
			if (n & 1)
				u = (u & 0x807fffff) | (100 + (u >> 23 & 63)) << 23;
			memcpy(&((float *)&varyings[0])[i], &u, 4);
		}
		run("load.v $0.x 0.x, stop");
		for (int i = 0; i < 8; i++) {
			float x = varyings[0][i], want = fabsf(x) < 0x1p-14f ? copysignf(0, x) : half(x);

			if (!same(state.registers[0][0][i], want))
				fail_msg("%a: got %a, want %a", varyings[0][i], state.registers[0][0][i], want);
		}
	}
}

static void test_derivatives(void **unused)
{
	setup();
	for (int i = 0; i < 8; i++)
		varyings[0][i] = (i & 1) * 3 + (i >> 1 & 1) * 10 + (i >> 2) * 100 + (i & 1) * (i >> 1 & 1);
	run("load.v $0.x 0.x\ndFdx.v1 $1 $0.x -$0.x, sync\ndFdy.s1 $2.x $0.x -$0.x, sync, stop");
	for (int i = 0; i < 8; i++)
		varyings[1][i] = varyings[0][i];
	run("load.v $0.x 0.x\ndFdy.v1 $1 $0.x -$0.x, sync\ndFdx.s1 $2.x $0.x -$0.x, sync, stop");
	for (int i = 0; i < 8; i++) {
		assert_true(state.registers[1][0][i] == (i & 1 ? -11 : -10));
		assert_true(state.registers[2][0][i] == (i & 2 ? 4 : 3));
	}
	run("load.v $0.x 0.x\ndFdx.v1 $1 $0.x -$0.x, sync\ndFdy.s1 $2.x $0.x -$0.x, sync, stop");
	for (int i = 0; i < 8; i++) {
		assert_true(state.registers[1][0][i] == (i & 2 ? 4 : 3));
		/* y counts from the bottom of the frame: the upper less the lower one. */
		assert_true(state.registers[2][0][i] == (i & 1 ? -11 : -10));
	}
	/* From the top, when the frame says so; the operands' modifiers stay with them. */
	env.down = true;
	run("load.v $0.x 0.x\ndFdy.v1 $1 $0.x -$0.x, sync\ndFdy.s1 $2.x -$0.x $0.x, sync, stop");
	env.down = false;
	for (int i = 0; i < 8; i++) {
		assert_true(state.registers[1][0][i] == (i & 1 ? 11 : 10));
		assert_true(state.registers[2][0][i] == (i & 1 ? -11 : -10));
	}
}

static void test_varyings(void **unused)
{
	setup();
	set_inputs();
	env.fragcoord[0] = varyings[10];
	env.fragcoord[3] = varyings[13];
	env.pointcoord[1] = varyings[5];
	env.frontfacing = varyings[1];
	run("load.v $1 1\nload.v $2.x 2.z\nload.v $3.xy 2.zw\nload.v $4 gl_FragCoord\nload.v $5.xy gl_PointCoord\n"
	    "load.v $6.x gl_FrontFacing\nload.v $0 2\nload.perspective.w.v $7 2\nload.perspective.z.v $8.xy 2\n"
	    "load.v $9.xyz normalize($0), stop");
	for (int i = 0; i < 8; i++) {
		float x = varyings[8][i], y = varyings[9][i], z = varyings[10][i], w = varyings[11][i];
		float l = sqrtf(half(x) * half(x) + half(y) * half(y) + half(z) * half(z));

		for (int c = 0; c < 4; c++)
			assert_true(state.registers[1][c][i] == half(varyings[4 + c][i]));
		assert_true(state.registers[2][0][i] == half(z));
		assert_true(state.registers[3][0][i] == half(z) && state.registers[3][1][i] == half(w));
		assert_true(state.registers[4][0][i] == half(varyings[10][i]));
		assert_true(state.registers[4][3][i] == half(varyings[13][i]));
		assert_true(state.registers[5][1][i] == half(varyings[5][i]));
		assert_true(state.registers[6][0][i] == others[i]);
		assert_true(state.registers[7][1][i] == half(y / w));
		assert_true(state.registers[8][0][i] == half(x / z));
		assert_float_equal(state.registers[9][2][i], half(z) / l, 1e-3);
	}
}

/* What the varying unit does to a register: a copy, divided, and as a cube map's direction; both constants. */
static void test_registers_through_the_varying_unit(void **unused)
{
	setup();
	set_inputs();
	run("load.v $0 2\nload.v $1 $0.wzyx\nload.perspective.z.v $2.xy $0\nload.perspective.w.v $3.xyz $0\n"
	    "load.v ^discard.xyz cube($0), texld.cube 2, sync\n"
	    "mov.v0 $4 ^const1.wzyx, mov.s1 $5.x ^const0.y, const0 1 2 3 4, const1 5 6 7 8, stop");
	for (int i = 0; i < 8; i++) {
		float v[4];

		for (int c = 0; c < 4; c++) {
			v[c] = half(varyings[8 + c][i]);
			assert_true(state.registers[1][3 - c][i] == v[c]);
			assert_true(state.registers[4][c][i] == 8 - c);
		}
		assert_true(state.registers[2][1][i] == half(v[1] / v[2]));
		assert_true(state.registers[3][2][i] == half(v[2] / v[3]));
		assert_true(seen[0].coord[0][i] == v[0] && seen[0].coord[2][i] == v[2] && seen[0].type == 31);
		assert_true(state.registers[5][0][i] == 2);
	}
}

static void test_texture(void **unused)
{
	setup();
	set_inputs();
	for (int c = 0; c < 4; c++)
		texel[c] = varyings[c + 8];
	run("load.v $1.x 0.z\nload.perspective.w.v ^discard.xy 1, texld.b 3 $1.x, mov.v1 $2 ^texture, sync\n"
	    "load.v ^discard.xyz cube(1), texld.l.cube 4 $1.x, mov.v1 $3 ^texture, sync\n"
	    "load.v ^discard.xy 0.xy, texld 7, mov.v1 $0 ^texture, sync, stop");
	assert_int_equal(seen_count, 3);
	assert_int_equal(seen[0].sampler, 3);
	assert_int_equal(seen[0].lod_mode, PPSIM_LOD_BIAS);
	assert_int_equal(seen[1].lod_mode, PPSIM_LOD_EXPLICIT);
	assert_int_equal(seen[1].type, 31);
	assert_int_equal(seen[2].lod_mode, PPSIM_LOD_IMPLICIT);
	assert_int_equal(seen[2].mask, 0xff);
	for (int i = 0; i < 8; i++) {
		assert_true(seen[0].coord[0][i] == varyings[4][i] / varyings[7][i]);
		assert_true(seen_lod[0][i] == i);
		assert_true(seen[1].coord[2][i] == varyings[6][i]);
		assert_true(state.registers[2][1][i] == half(varyings[9][i]));
		assert_true(state.registers[3][3][i] == 4 && state.registers[0][3][i] == 7);
	}
	/* A sampler index by lane: one lookup for each that differs, together for every lane. */
	seen_count = 0;
	for (int i = 0; i < 8; i++)
		varyings[0][i] = i % 3;
	run("load.v $1.x 0.x\nload.v ^discard.xy 0.xy, texld 5+$1.x, mov.v1 $0 ^texture, sync, stop");
	assert_int_equal(seen_count, 3);
	assert_int_equal(seen[0].mask | seen[1].mask | seen[2].mask, 0xff);
	for (int i = 0; i < 8; i++)
		assert_true(state.registers[0][3][i] == 5 + i % 3);
}

static void test_memory(void **unused)
{
	setup();
	set_inputs();
	for (int i = 0; i < 64; i++)
		uniforms[i] = half_from_float(i * 1.5f);
	run("load.v $1 0\nload.u 3, mov.v1 $2 ^uniform\nload.u 3.y, mov.s1 $3.x ^uniform.x\n"
	    "load.u 1.zw, mov.v1 $4.xy ^uniform\nload.u 2+$1.z, mov.v1 $5 ^uniform\n"
	    "store.t -2 $1\nload.t -2, mov.v1 $6 ^uniform\nfb_color $7\nfb_depth $8, stop");
	for (int i = 0; i < 8; i++) {
		for (int c = 0; c < 4; c++) {
			assert_true(state.registers[2][c][i] == (12 + c) * 1.5f);
			assert_true(state.registers[5][c][i] == ((2 + i) * 4 + c) * 1.5f);
			assert_true(state.registers[6][c][i] == state.registers[1][c][i]);
			assert_true(state.registers[7][c][i] == 0.125f * (c + 1));
		}
		assert_true(state.registers[3][0][i] == 13 * 1.5f);
		assert_true(state.registers[4][1][i] == 7 * 1.5f);
		assert_true(state.registers[8][0][i] == 0.75f && state.registers[8][1][i] == 0);
	}
	assert_int_equal(state.events, 0);
	run("load.u 100, mov.v1 $0 ^uniform\nload.t -5, mov.v1 $1 ^uniform, stop");
	assert_int_equal(state.events, PPSIM_UNIFORM_RANGE | PPSIM_TEMPORARY_RANGE);
	assert_true(state.registers[0][0][0] == 0);
}

/* Each condition, each lane for itself. */
static void test_branches(void **unused)
{
	static const struct {
		const char *name;
		bool lt, eq, gt;
	} conditions[] = {
		{ "nv", 0, 0, 0 }, { "lt", 1, 0, 0 }, { "eq", 0, 1, 0 }, { "le", 1, 1, 0 },
		{ "gt", 0, 0, 1 }, { "ne", 1, 0, 1 }, { "ge", 0, 1, 1 },
	};

	setup();
	set_inputs();
	for (size_t n = 0; n < sizeof(conditions) / sizeof(conditions[0]); n++) {
		char text[256];

		snprintf(text, sizeof(text), "load.v $0 0\nbranch.%s $0.x $0.y there\nmov.s1 $1.x ^const0.x, const0 5 0 0 0\n"
			 "branch end\nthere: mov.s1 $1.x ^const0.x, const0 7 0 0 0\nend: add.s1 $1.y $1.x $1.x, stop",
			 conditions[n].name);
		run(text);
		for (int i = 0; i < 8; i++) {
			bool taken = values[i] < others[i] ? conditions[n].lt :
				     values[i] > others[i] ? conditions[n].gt : conditions[n].eq;

			assert_true(state.registers[1][0][i] == (taken ? 7 : 5));
			assert_true(state.registers[1][1][i] == (taken ? 14 : 10));
		}
	}
}

static const char loop[] =
	"load.v $0 0\n"
	"again: add.s1 $1.x $1.x ^const0.x, const0 1 0.5 0 0\n"
	"mul.s0 $1.y ^const0.y, add.s1 $1.y ^s0 $0.x, const0 1 0.5 0 0\n"
	"branch.lt $1.x $0.z again\n"
	"branch.ne $0.z ^const0.x end, const0 6 0 0 0\n"
	"discard\n"
	"end: stop, mov.v1 $0 $1";

static void test_loop_and_discard(void **unused)
{
	setup();
	set_inputs();
	run(loop);
	for (int i = 0; i < 8; i++) {
		float n = i > 1 ? i : 1, y = 0;

		for (int k = 0; k < n; k++)
			y = half(y * 0.5f + values[i]);
		if (i == 6)
			continue;
		assert_true(state.registers[0][0][i] == n);
		assert_true(state.registers[0][1][i] == y);
	}
	assert_int_equal(state.discarded, 1 << 6);
}

/* Lanes that go together get what each gets alone. */
static void test_lanes_are_independent(void **unused)
{
	size_t count;
	uint32_t *words = assemble("utgard-pp", loop, &count);
	v8f together[4];

	setup();
	set_inputs();
	assert_int_equal(run_words(words, count, 0xff), SIM_DONE);
	memcpy(together, state.registers[0], sizeof(together));
	for (int i = 0; i < 8; i++) {
		assert_int_equal(run_words(words, count, 1 << i), SIM_DONE);
		assert_int_equal(state.discarded, i == 6 ? 1 << 6 : 0);
		for (int c = 0; c < 4 && i != 6; c++)
			assert_true(state.registers[0][c][i] == together[c][i]);
		for (int other = 0; other < 8; other++)
			assert_true(other == i || state.registers[1][0][other] == 0);
	}
	free(words);
}

static void test_endless_loop_is_sliced(void **unused)
{
	size_t count;
	uint32_t *words = assemble("utgard-pp", "again: branch again", &count);
	struct ppsim_program *prog = ppsim_decode_words(words, count);

	setup();
	ppsim_begin(&state, prog, &env, 0xff);
	for (int i = 0; i < 10; i++)
		assert_int_equal(ppsim_run(&state, 100), SIM_LIMIT);
	assert_int_equal(state.instructions, 1000);
	ppsim_free(prog);
	free(words);
}

static void test_faults(void **unused)
{
	static const uint32_t zero = 0, empty = 33, short_one = 2 | 1u << 10;
	size_t count;
	uint32_t *words;

	setup();
	assert_int_equal(run_words(&zero, 1, 0xff), SIM_FAULT);
	assert_non_null(state.fault.reason);
	assert_int_equal(run_words(&empty, 1, 0xff), SIM_DONE);
	assert_int_equal(run_words(&short_one, 1, 0xff), SIM_FAULT);
	words = assemble("utgard-pp", "mov.v1 $0 $1", &count);
	assert_int_equal(run_words(words, count, 0xff), SIM_FAULT);	/* runs off its end */
	free(words);
	words = assemble("utgard-pp", "branch -400", &count);
	assert_int_equal(run_words(words, count, 0xff), SIM_FAULT);
	free(words);
}

static void test_examples(void **unused)
{
	static const char *const names[] = { "colour", "texture", "modulate" };

	setup();
	set_inputs();
	for (int i = 0; i < 8; i++) {
		for (int c = 0; c < 4; c++) {
			varyings[4 + c][i] = (c + 1) * 0.25f;
			texel[c][i] = 0.5f;
		}
		uniforms[i] = half_from_float(0.25f * i);
	}
	for (int n = 0; n < 3; n++) {
		char path[64], *text;

		snprintf(path, sizeof(path), "userspace/tests/isa/%s.pp", names[n]);
		text = read_text(path);
		run(text);
		free(text);
		for (int i = 0; i < 8; i++)
			for (int c = 0; c < 3; c++)
				assert_true(state.registers[0][c][i] ==
					    (n == 0 ? varyings[c][i] : n == 1 ? 0.5f * 0.25f * c : 0.125f * (c + 1)));
		assert_int_equal(state.discarded, n == 2 ? 0xff : 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_alu),
		cmocka_unit_test(test_without_destination),
		cmocka_unit_test(test_sum_and_select),
		cmocka_unit_test(test_combine),
		cmocka_unit_test(test_arc_tangent),
		cmocka_unit_test(test_normalize), cmocka_unit_test(test_precision),
		cmocka_unit_test(test_rounding),
		cmocka_unit_test(test_derivatives),
		cmocka_unit_test(test_varyings),
		cmocka_unit_test(test_registers_through_the_varying_unit),
		cmocka_unit_test(test_texture),
		cmocka_unit_test(test_memory),
		cmocka_unit_test(test_branches),
		cmocka_unit_test(test_loop_and_discard),
		cmocka_unit_test(test_lanes_are_independent),
		cmocka_unit_test(test_endless_loop_is_sliced),
		cmocka_unit_test(test_faults),
		cmocka_unit_test(test_examples),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
