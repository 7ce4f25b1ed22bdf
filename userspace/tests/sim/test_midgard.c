// SPDX-License-Identifier: MIT
/* The Midgard simulator: ops against plain C, widths, modifiers, stages, branches, memory. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "isa/half.h"
#include "isa/midgard.h"
#include "sim/midgard.h"
#include "tests/sim/midgard_rows.h"
#include "tests/sim/tested.h"

static struct md_test s;

static enum sim_status run(const char *text, unsigned int limit)
{
	struct isa_messages m;
	uint32_t *words;
	enum sim_status status;
	size_t count;

	if (limn_isa_asm(&isa_midgard, text, strlen(text), &words, &count, &m))
		fail_msg("%s: %s", text, m.list[0].text);
	s.events = 0;
	s.discarded = 0;
	s.written = 0;
	status = md_test_run(&s, words, count, 0xff, limit);
	free(words);
	return status;
}

static void go(const char *text)
{
	assert_int_equal(run(text, 1000), SIM_DONE);
	assert_int_equal(s.events, 0);
}

/* What the table calls unknown and what the simulator does not know is the same: for every row of every unit. */
static void table_and_simulator_agree(void **state)
{
	for (unsigned int i = 0; i < isa_midgard.op_count; i++) {
		const struct isa_op *op = &isa_midgard.ops[i];
		uint32_t words[16];
		size_t count = md_bundle_of(op, NULL, words);

		s.events = 0;
		md_test_run(&s, words, count, 1, 10);
		if (!(s.events & MDSIM_UNKNOWN_OP) == !isa_has_semantics(op))
			fail_msg("%s: %s", op->pattern, op->why ? op->why : "executed");
	}
}

static float sat(float x)
{
	return x > 0 ? x < 1 ? x : 1 : 0;
}

static void float_ops(void **state)
{
	static const float a[] = { 0, 1, -1, 2.5f, -2.5f, 3.25f, -0.75f, 1e10f, 1e-10f, 0.5f, -1.5f };
	struct { const char *op; float want; } rows[24];

	for (size_t i = 0; i < sizeof(a) / sizeof(a[0]); i++) {
		for (size_t k = 0; k < sizeof(a) / sizeof(a[0]); k++) {
			float x = a[i], y = a[k];
			size_t n = 0;

			rows[n].op = "FADD.f32 R0, R1, R2", rows[n++].want = x + y;
			rows[n].op = "FMUL.f32 R0, R1, R2", rows[n++].want = x * y;
			rows[n].op = "FMIN.f32 R0, R1, R2", rows[n++].want = fminf(x, y);
			rows[n].op = "FMAX.f32 R0, R1, R2", rows[n++].want = fmaxf(x, y);
			rows[n].op = "FABSMIN.f32 R0, R1, R2", rows[n++].want = fminf(fabsf(x), fabsf(y));
			rows[n].op = "FMOV.f32 R0, R1, R2", rows[n++].want = y;
			rows[n].op = "FFLOOR.f32 R0, R1, R2", rows[n++].want = floorf(x);
			rows[n].op = "FCEIL.f32 R0, R1, R2", rows[n++].want = ceilf(x);
			rows[n].op = "FTRUNC.f32 R0, R1, R2", rows[n++].want = truncf(x);
			rows[n].op = "FROUNDEVEN.f32 R0, R1, R2", rows[n++].want = rintf(x);
			rows[n].op = "FROUNDAWAY.f32 R0, R1, R2", rows[n++].want = roundf(x);
			rows[n].op = "FRCP.f32 R0, R1, R2", rows[n++].want = 1 / x;
			rows[n].op = "FSQRT.f32 R0, R1, R2", rows[n++].want = sqrtf(x);
			rows[n].op = "FRSQRT.f32 R0, R1, R2", rows[n++].want = 1 / sqrt((double)x);
			rows[n].op = "FEXP2.f32 R0, R1, R2", rows[n++].want = exp2(x);
			rows[n].op = "FLOG2.f32 R0, R1, R2", rows[n++].want = log2(x);
			for (size_t r = 0; r < n; r++) {
				char text[64];

				snprintf(text, sizeof(text), "lut.%s\n", rows[r].op);
				for (int c = 0; c < 4; c++) {
					s.r[5][1].f32[c] = x;
					s.r[5][2].f32[c] = y;
				}
				go(text);
				for (int c = 0; c < 4; c++) {
					float got = s.r[5][0].f32[c];

					if (got != rows[r].want && !(isnan(got) && isnan(rows[r].want)))
						fail_msg("%s(%g, %g) = %g, not %g", rows[r].op, x, y, got, rows[r].want);
				}
			}
		}
	}
}

static void int_ops(void **state)
{
	static const uint32_t a[] = { 0, 1, 2, 31, 0x7fffffff, 0x80000000, 0xffffffff, 0x12345678, 0xdeadbeef };
	struct { const char *op; uint32_t want; } rows[32];

	for (size_t i = 0; i < sizeof(a) / sizeof(a[0]); i++) {
		for (size_t k = 0; k < sizeof(a) / sizeof(a[0]); k++) {
			uint32_t x = a[i], y = a[k];
			int32_t p = x, q = y;
			int64_t sum = (int64_t)p + q;
			size_t n = 0;

			rows[n].op = "ADD.i32 R0, R1, R2", rows[n++].want = x + y;
			rows[n].op = "SUB.i32 R0, R1, R2", rows[n++].want = x - y;
			rows[n].op = "MUL.i32 R0, R1, R2", rows[n++].want = x * y;
			rows[n].op = "WMUL.s.i32 R0, R1, R2", rows[n++].want = (uint32_t)((int16_t)x * (int16_t)y);
			rows[n].op = "WMUL.u.u32 R0, R1, R2", rows[n++].want = (x & 0xffff) * (y & 0xffff);
			rows[n].op = "WMUL.su.i32 R0, R1, R2", rows[n++].want = (uint32_t)(int16_t)x * (y & 0xffff);
			rows[n].op = "CHOOSE.i32 R0, R1, R2", rows[n++].want = x;
			rows[n].op = "ADD.i32 R0, R1.x2, R2", rows[n++].want = 2 * x + y;
			rows[n].op = "ADDSAT.i32 R0, R1, R2", rows[n++].want = sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum;
			rows[n].op = "ADDSAT.u32 R0, R1, R2", rows[n++].want = (uint64_t)x + y > UINT32_MAX ? UINT32_MAX : x + y;
			rows[n].op = "SUBSAT.u32 R0, R1, R2", rows[n++].want = x > y ? x - y : 0;
			rows[n].op = "MIN.i32 R0, R1, R2", rows[n++].want = p < q ? p : q;
			rows[n].op = "MAX.u32 R0, R1, R2", rows[n++].want = x > y ? x : y;
			rows[n].op = "AVG.rtz.u32 R0, R1, R2", rows[n++].want = ((uint64_t)x + y) >> 1;
			rows[n].op = "ASR.i32 R0, R1, R2", rows[n++].want = p >> (y & 31);
			rows[n].op = "LSR.i32 R0, R1, R2", rows[n++].want = x >> (y & 31);
			rows[n].op = "SHL.i32 R0, R1, R2", rows[n++].want = x << (y & 31);
			rows[n].op = "AND.i32 R0, R1, R2", rows[n++].want = x & y;
			rows[n].op = "ORNOT.i32 R0, R1, R2", rows[n++].want = x | ~y;
			rows[n].op = "NOR.i32 R0, R1, R2", rows[n++].want = ~(x | y);
			rows[n].op = "NXOR.i32 R0, R1, R2", rows[n++].want = ~(x ^ y);
			rows[n].op = "CLZ.i32 R0, R1, R2", rows[n++].want = x ? __builtin_clz(x) : 32;
			rows[n].op = "POPCNT.i32 R0, R1, R2", rows[n++].want = __builtin_popcount(x);
			rows[n].op = "MOV.i32 R0, R1, R2", rows[n++].want = y;
			rows[n].op = "CMP.eq.i32 R0, R1, R2", rows[n++].want = -(x == y);
			rows[n].op = "CMP.lt.u32 R0, R1, R2", rows[n++].want = -(x < y);
			rows[n].op = "CMP.le.i32 R0, R1, R2", rows[n++].want = -(p <= q);
			rows[n].op = "ABSDIFF.u32 R0, R1, R2", rows[n++].want = x > y ? x - y : y - x;
			for (size_t r = 0; r < n; r++) {
				char text[64];

				snprintf(text, sizeof(text), "vadd.%s\n", rows[r].op);
				for (int c = 0; c < 4; c++) {
					s.r[0][1].u32[c] = x;
					s.r[0][2].u32[c] = y;
				}
				go(text);
				if (s.r[0][0].u32[2] != rows[r].want)
					fail_msg("%s(%x, %x) = %x, not %x", rows[r].op, x, y, s.r[0][0].u32[2],
						 rows[r].want);
			}
		}
	}
}

static void conversions(void **state)
{
	static const float f[] = { 0, 1.5f, 2.5f, -1.5f, -0.25f, 1e20f, -1e20f, 100.75f };

	for (size_t i = 0; i < sizeof(f) / sizeof(f[0]); i++) {
		double x = f[i], lo = INT32_MIN, hi = INT32_MAX;

		s.r[0][1].f32[0] = f[i];
		go("vadd.F2I.rtz.i32 R0.x, R1, R2\n\nvadd.F2I.rtn.i32 R3.x, R1, R2\n\nvadd.F2U.i32 R4.x, R1, R2\n\n"
		   "vadd.I2F.f32 R5.x, R0, R2\n");
		assert_int_equal((int32_t)s.r[0][0].u32[0], (int32_t)fmin(fmax(trunc(x), lo), hi));
		assert_int_equal((int32_t)s.r[0][3].u32[0], (int32_t)fmin(fmax(floor(x), lo), hi));
		assert_int_equal(s.r[0][4].u32[0], (uint32_t)fmin(fmax(rint(x), 0), UINT32_MAX));
		assert_true(s.r[0][5].f32[0] == (float)(int32_t)s.r[0][0].u32[0]);
	}
	/* Rounding modes show where a sum does not fit. */
	s.r[0][1].f32[0] = 1;
	s.r[0][2].f32[0] = 0x1p-25f;
	go("vadd.FADD.rtp.f32 R0.x, R1, R2\n\nvadd.FADD.rtn.f32 R3.x, R1, R2\n\nvadd.FADD.f32 R4.x, R1, R2\n");
	assert_true(s.r[0][0].f32[0] == 1 + 0x1p-23f && s.r[0][3].f32[0] == 1 && s.r[0][4].f32[0] == 1);
}

static void widths(void **state)
{
	for (int i = 0; i < 16; i++) {
		s.r[0][1].u8[i] = 0xf0 + i;
		s.r[0][2].u8[i] = 0x0f;
	}
	go("vadd.ADD.i8 R0, R1, R2\n\nvadd.ADD.i16 R3, R1, R2\n\nvadd.ADD.i64 R4, R1, R2\n");
	for (int i = 0; i < 16; i++)
		assert_int_equal(s.r[0][0].u8[i], (uint8_t)(0xff + i));
	for (int i = 0; i < 8; i++)
		assert_int_equal(s.r[0][3].u16[i], (uint16_t)(s.r[0][1].u16[i] + 0x0f0f));
	for (int i = 0; i < 2; i++)
		assert_int_equal(s.r[0][4].u64[i], s.r[0][1].u64[i] + 0x0f0f0f0f0f0f0f0full);
	for (int i = 0; i < 8; i++) {
		s.r[0][1].u16[i] = half_from_float(i + 0.5f);
		s.r[0][2].u16[i] = half_from_float(3);
	}
	go("vmul.FMUL.f16 R0, R1, R2\n");
	for (int i = 0; i < 8; i++)
		assert_true(half_to_float(s.r[0][0].u16[i]) == 3 * (i + 0.5f));
	s.r[0][1].f64[0] = 1;
	s.r[0][1].f64[1] = -2;
	s.r[0][2].f64[0] = 0x1p-50;
	s.r[0][2].f64[1] = 3;
	go("vadd.FADD.f64 R0, R1, R2\n");
	assert_true(s.r[0][0].f64[0] == 1 + 0x1p-50 && s.r[0][0].f64[1] == 1);
}

static void set4(unsigned int reg, float x, float y, float z, float w)
{
	for (int lane = 0; lane < 8; lane++) {
		s.r[lane][reg].f32[0] = x;
		s.r[lane][reg].f32[1] = y;
		s.r[lane][reg].f32[2] = z;
		s.r[lane][reg].f32[3] = w;
	}
}

static void is4(unsigned int reg, float x, float y, float z, float w)
{
	const float *r = s.r[7][reg].f32;

	if (r[0] != x || r[1] != y || r[2] != z || r[3] != w)
		fail_msg("r%u is %g %g %g %g, not %g %g %g %g", reg, r[0], r[1], r[2], r[3], x, y, z, w);
}

static void modifiers(void **state)
{
	set4(1, 1, -2, 3, -4);
	set4(2, 10, 20, 30, 40);
	set4(0, 9, 9, 9, 9);
	go("vmul.FMUL.f32 R0.xz, R1.wy.abs, R2.neg\n");
	is4(0, -40, 9, -60, 9);
	go("vadd.FADD.f32 R0, R1.abs.neg, R2.xxxx\n");
	is4(0, 9, 8, 7, 6);
	go("vadd.FADD.f32 R0, R1, #0.5\n");
	is4(0, 1.5f, -1.5f, 3.5f, -3.5f);
	go("vadd.FADD.f32 R0.clamp_0_1, R1, <0.5, 0, -3, 4>\nuconstants 0x3f000000, 0, 0xc0400000, 0x40800000\n");
	is4(0, sat(1.5f), 0, 0, 0);
	go("vadd.FADD.f32 R0.clamp_m1_1, R1, #0\n");
	is4(0, 1, -1, 1, -1);
	go("vadd.FADD.f32 R0.clamp_0_inf, R1, #0\n");
	is4(0, 1, 0, 3, 0);
	/* Across components. */
	go("vmul.FDOT3.f32 R0.x, R1, R2\n\nvmul.FDOT4.f32 R0.y, R1, R2\n");
	is4(0, 10 - 40 + 90, 60 - 160, 3, 0);
	go("vadd.FCMP.all.lt.i32 R0.x, R1, R2\n\nvadd.FCMP.any.eq.i32 R0.y, R1, R2\n");
	assert_int_equal(s.r[0][0].u32[0], 0xffffffff);
	assert_int_equal(s.r[0][0].u32[1], 0);
	/* Normalisation of what would overflow, in the two steps it is made for. */
	set4(4, 3e30f, 0, 4e30f, 0);
	go("vmul.FREDUCE.f32 R5, R4, R4\n\nvmul.FDOT3R.f32 R6.x, R4, R4\n\nlut.FRSQRT.f32 R6.x, R6, R6\n\n"
	   "vmul.FMUL.f32 R7, R5, R6.xxxx\n");
	assert_true(fabsf(s.r[7][7].f32[0] - 0.6f) < 1e-6f && fabsf(s.r[7][7].f32[2] - 0.8f) < 1e-6f);
	/* Halves: widened sources, and a result that shrinks. */
	for (int i = 0; i < 8; i++)
		s.r[7][3].u16[i] = half_from_float(i);
	go("vadd.FADD.f32 R0, R3.efgh.widen, #0\n");
	is4(0, 4, 5, 6, 7);
	go("vadd.FADD.f32 R0, R3.wzyx.neg.widen, #0\n");
	is4(0, -3, -2, -1, 0);
	memset(&s.r[7][0], 0, 16);
	go("vadd.FADD.f32 R0.efgh.shrink, R1, #0\n");
	assert_int_equal(s.r[7][0].u16[4], half_from_float(1));
	assert_int_equal(s.r[7][0].u16[7], half_from_float(-4));
	assert_int_equal(s.r[7][0].u16[0], 0);
	s.r[7][3].u16[0] = 0x8001;
	go("vadd.ADD.i32 R0.x, R3.x.sext, #0\n\nvadd.ADD.i32 R0.y, R3.x.zext, #0\n");
	assert_int_equal(s.r[7][0].u32[0], 0xffff8001);
	assert_int_equal(s.r[7][0].u32[1], 0x8001);
	s.r[7][3].u32[0] = 100000;
	s.r[7][3].u32[1] = -100000;
	go("vadd.ADD.i32 R0.xyzw.ssat, R3, #0\n");
	assert_int_equal((int16_t)s.r[7][0].u16[0], 32767);
	assert_int_equal((int16_t)s.r[7][0].u16[1], -32768);
}

static void stages_and_csel(void **state)
{
	set4(1, 1, 2, 3, 4);
	set4(2, 5, 6, 7, 8);
	/* The condition is written in the bundle that uses it. */
	go("sadd.FCMP.lt.i32 R31.w, R1.x, R2.x\nvadd.FCSEL.scalar.f32 R0, R1, R2\n");
	is4(0, 1, 2, 3, 4);
	go("sadd.FCMP.lt.i32 R31.w, R2.x, R1.x\nvadd.FCSEL.scalar.f32 R0, R1, R2\n");
	is4(0, 5, 6, 7, 8);
	go("vmul.FMUL.f32 TMP0, R1, R2\nvadd.FADD.f32 R0, TMP0, R1\n");
	is4(0, 6, 14, 24, 36);
	/* Mesa's scheduler pairs a first stage's result with its reader in any register. */
	go("vmul.FMUL.f32 R1, R1, R2\nvadd.FADD.f32 R2, R1, R1\n");
	is4(1, 5, 12, 21, 32);
	is4(2, 10, 24, 42, 64);
	/* Units of one stage read what was there before it. */
	go("vadd.FADD.f32 R1, R1, R2\nsmul.FMUL.f32 R3.x, R1.x, R2.x\nlut.FMOV.f32 R4, R0, R1\n");
	is4(1, 15, 36, 63, 96);
	assert_true(s.r[7][3].f32[0] == 50);
	is4(4, 5, 12, 21, 32);
}

/* What Mesa's compiler means: midgard_emit.c mir_pack_swizzle_64(), midgard_compile.c embedded_to_inline_constant(). */
static void compilers_operands(void **state)
{
	for (int lane = 0; lane < 8; lane++) {
		s.r[lane][1] = (union mdsim_reg){ .u32 = { 0x80000001, 2, 0xfffffffd, 4 } };
		s.r[lane][2] = (union mdsim_reg){ .u32 = { 3, 5, 7, 9 } };
	}
	/* 64-bit products of 32-bit components: pairs 01 and 23 of selectors stand for the first and the second. */
	go("vmul.MUL.i64 R0, R1.xy.zext, R2.yx.zext, set vec.src1_swizzle 0xe4, set vec.src2_swizzle 0x4e\n");
	assert_int_equal(s.r[3][0].u64[0], 0x80000001ull * 5);
	assert_int_equal(s.r[3][0].u64[1], 2 * 3);
	go("vmul.MUL.i64 R0, R1.xy.sext, R2.xy.sext, set vec.src1_swizzle 0xe4, set vec.src2_swizzle 0xee, "
	   "set vec.src1_expand 5, set vec.src2_expand 5\n");
	assert_int_equal(s.r[3][0].u64[0], (uint64_t)(-3 * 9));
	assert_int_equal(s.r[3][0].u64[1], 4 * 9);
	/* imul_high: computed in 64 bits, the high half kept. */
	go("vmul.MUL.i64 R0.x.keephi, R1.x.sext, R2.x.sext\n");
	assert_int_equal(s.r[3][0].u32[0], (uint32_t)-2);
	/* Inline integers have a sign, of vectors and of scalars. */
	go("vadd.ADD.i32 R0, R2, #65535\n\nsadd.ADD.i32 R3.x, R2.x, #65534\n\nvadd.ADD.i16 R4, R2, #65535\n");
	assert_int_equal(s.r[3][0].u32[0], 2);
	assert_int_equal(s.r[3][3].u32[0], 1);
	assert_int_equal(s.r[3][4].u16[0], 2);
}

static void branches(void **state)
{
	/* R0.x counts down; R1.x sums up. A backward branch: the loop is three words long. */
	static const char text[] =
		"L1:\nvadd.FADD.f32 R1.x, R1, R0\n\n"
		"vadd.FADD.f32 R0.x, R0, #-1\nsadd.FCMP.lt.i32 R31.w, R2.x, R0.x\n\n"
		"br.cond.true L1 -> alu/8\n\n";

	for (int lane = 0; lane < 8; lane++) {
		memset(s.r[lane], 0, sizeof(s.r[lane]));
		s.r[lane][0].f32[0] = lane + 1;
	}
	assert_int_equal(run(text, 1000), SIM_DONE);
	for (int lane = 0; lane < 8; lane++)
		assert_true(s.r[lane][1].f32[0] == (lane + 1) * (lane + 2) / 2);
	assert_int_equal(run("br.uncond -1 -> alu/4\n", 50), SIM_LIMIT);
	assert_int_equal(run("br.uncond +5 -> alu/4\n", 50), SIM_DONE);
	assert_int_equal(s.events, MDSIM_BAD_TARGET);
	/* A target whose tag is "break" is the end, whatever lies there (Mesa midgard_get_first_tag_from_block()). */
	assert_int_equal(run("br.uncond +1 -> break\n\n.word 0 0 0 0\n\n.word 0 0 0 0\n", 50), SIM_DONE);
	assert_int_equal(s.events, 0);
	s.r[3][31].u32[3] = 1;
	for (int lane = 0; lane < 8; lane++)
		s.r[lane][31].u32[3] = lane == 3;
	assert_int_equal(run("br.discard.true +0 -> break\n\nbr.write.always -1 -> alu/4\n", 50), SIM_DONE);
	assert_int_equal(s.discarded, 1 << 3);
	assert_int_equal(s.written, 0xff & ~(1 << 3));
	assert_int_equal(run("brx.discard.true +0 -> break\n", 50), SIM_DONE);
	assert_int_equal(s.events, 0);
	assert_int_equal(s.discarded, 1 << 3);
	/* What more conditions than one say is not known. */
	assert_int_equal(run("brx.discard.lutAAAB +0 -> break\n", 50), SIM_DONE);
	assert_int_equal(s.events, MDSIM_UNKNOWN_OP);
	assert_int_equal(s.discarded, 0);
	run(".word 0x1 0 0 0\n", 50);
	assert_int_equal(s.events, MDSIM_BAD_BUNDLE);
}

static float stored[8][4];

static void load(void *ctx, unsigned int lane, enum mdsim_kind kind, uint32_t index, uint32_t offset, bool half,
		 union mdsim_reg *out)
{
	for (int i = 0; i < 4; i++) {
		float v = 1000 * kind + 100 * index + offset + i + lane / 8.0f;

		if (half)
			out->u16[i] = half_from_float(v);
		else
			out->f32[i] = v;
	}
}

static enum mdsim_kind stored_kind;

static void store(void *ctx, unsigned int lane, enum mdsim_kind kind, uint32_t index, unsigned int mask, bool half,
		  const union mdsim_reg *in)
{
	assert_int_equal(index, kind == MDSIM_TILEBUFFER ? 0 : 5);
	stored_kind = kind;
	for (int i = 0; i < 4; i++)
		stored[lane][i] = !(mask >> i & 1) ? -1 : half ? half_to_float(in->u16[i]) : in->f32[i];
}

static struct mdsim_sample seen;

static void texture(void *ctx, unsigned int lane, const struct mdsim_sample *sample, float out[4])
{
	seen = *sample;
	out[0] = sample->coords[0];
	out[1] = sample->coords[1];
	out[2] = sample->texture + 10 * sample->sampler;
	out[3] = sample->lod;
}

static void memory(void **state)
{
	static const struct mdsim_io io = { .load = load, .store = store, .texture = texture };

	s.io = &io;
	set4(0, 9, 9, 9, 9);
	go("LD_ATTR.f32 R0.wz~x, 0.x + 0x3, 0.x\n");
	is4(0, 303 + 7 / 8.0f, 302 + 7 / 8.0f, 9, 300 + 7 / 8.0f);
	go("LD_VARY.f16 R0.xyzw, 0.x + 0x1, 0.x\n");
	assert_int_equal(s.r[0][0].u16[2], half_from_float(1102));
	/* Mask and swizzle are of words: two halves each. */
	set4(0, 9, 9, 9, 9);
	go("LD_VARY.f16 R0.~xy~, 0.x + 0x1, 0.x\n");
	assert_int_equal(s.r[0][0].u16[2], half_from_float(1100));
	assert_int_equal(s.r[0][0].u16[5], half_from_float(1103));
	assert_true(s.r[0][0].f32[0] == 9 && s.r[0][0].f32[3] == 9);
	s.r[7][26].u32[1] = 2;
	/* Buffer 3 from the instruction; bytes: index 2 << 5 plus 16. */
	go("LD_UBO.128 R0.xyzw, 3, AL0.y << 5 + 0x10\n");
	is4(0, 2000 + 300 + 80 + 7 / 8.0f, 2381 + 7 / 8.0f, 2382 + 7 / 8.0f, 2383 + 7 / 8.0f);
	/* As Mesa's compiler has it, without bit 0 of the offset: the fields of a register hold the number. */
	go("LD_UBO.128 R0.xyzw, AL0.w, AL0.y << 5 + 0x10\n");
	is4(0, 2000 + 300 + 80 + 7 / 8.0f, 2381 + 7 / 8.0f, 2382 + 7 / 8.0f, 2383 + 7 / 8.0f);
	set4(26, 1, 2, 3, 4);
	go("ST_VARY.f32 AL0.yxz, 0.x + 0x5, 0.x\n");
	/* All of it: a varying's mask says nothing. */
	assert_true(stored[4][0] == 2 && stored[4][1] == 1 && stored[4][2] == 3 && stored[4][3] == 3);
	set4(28, 0.25f, 0.5f, 0.75f, 1);
	go("ST_SPECIAL.f32 AL0.xyzw, 0.x + 0x5\n");
	assert_true(stored_kind == MDSIM_SPECIAL && stored[4][1] == 2 && stored[4][3] == 4);
	for (int lane = 0; lane < 8; lane++)
		s.r[lane][27].u16[2] = 0x4200;
	go("ST_TILEBUFFER.f16 AL1.~y~~\n");
	assert_true(stored_kind == MDSIM_TILEBUFFER && stored[4][2] == 3 && stored[4][0] == -1);
	/* A varying divided by its z as it is loaded: 1100 + i + lane / 8. */
	go("LD_VARY.f32 R0.xyzw, 0.x + 0x1, 0.x, set ld.offset 0x202\n");
	assert_true(s.r[0][0].f32[0] == 1100 / 1102.0f && s.r[0][0].f32[2] == 1);
	go("TEX.2d TA1.xyz.f32, texture3, fsampler2, AT0.yxzw.32, lod + 1.5\n");
	assert_true(s.r[2][29].f32[0] == 0.5f && s.r[2][29].f32[1] == 0.25f && s.r[2][29].f32[2] == 23);
	run("UNPACK.f32 R0.xyzw, AL0, 0x0\n", 10);
	assert_int_equal(s.events, MDSIM_UNKNOWN_OP);
	s.io = NULL;
}

/* A direction through CUBEMAP and TEX comes out the same but for its length. */
static void cube_maps(void **state)
{
	static const struct mdsim_io io = { .texture = texture };

	s.io = &io;
	srand(1);
	for (int n = 0; n < 2000; n++) {
		float v[3], length = 0;

		for (int i = 0; i < 3; i++) {
			v[i] = (float)rand() / (float)RAND_MAX * 20 - 10;
			length = fmaxf(length, fabsf(v[i]));
		}
		set4(27, v[0], v[1], v[2], 0);
		go("CUBEMAP.f32 AT0.xy~~, AL1\n\nTEX.cube TA0.x.f32, texture1, fsampler0, AT0.xyzw.32\n");
		assert_int_equal(seen.dimensions, 0);
		for (int i = 0; i < 3; i++)
			assert_true(fabsf(seen.coords[i] - v[i] / length) < 3e-7f);
	}
	/* The six axes: the face's number, and its middle. */
	for (uint32_t face = 0; face < 6; face++) {
		float v[3] = { 0 };

		v[face / 2] = face & 1 ? -3 : 3;
		set4(27, v[0], v[1], v[2], 0);
		go("CUBEMAP.f32 R0.xy~~, AL1\n");
		assert_int_equal(s.r[0][0].u32[0], face << 29 | (0x3f000000 & 0x1fffffff));
		assert_int_equal(s.r[0][0].u32[1], 0x3f000000);
	}
	s.io = NULL;
}

static struct {
	unsigned int calls;
	struct {
		uint32_t index;
		unsigned int mask;
		float x;
	} call[2];
} targets;

static void target(void *ctx, unsigned int lane, enum mdsim_kind kind, uint32_t index, unsigned int mask, bool half,
		   const union mdsim_reg *in)
{
	if (lane != 4)
		return;
	assert_true(targets.calls < 2 && kind == MDSIM_TARGET);
	targets.call[targets.calls].index = index;
	targets.call[targets.calls].mask = mask;
	targets.call[targets.calls++].x = in->f32[0];
}

/* Mesa emit_fragment_store(): depth and stencil go with a colour, or with 0xff for a target alone. */
static void writeouts(void **state)
{
	static const struct mdsim_io io = { .store = target };
	static const struct {
		const char *text;
		unsigned int calls;
		uint32_t index[2];
		float x[2];
	} rows[] = {
		{ "vmul.FMUL.f32 R1.x, R2, R2\nbr.write.always -1 -> alu/4\n", 2, { 0, 255 }, { 1, 0.0625f } },
		/* What another bundle has left in r1 is no depth. */
		{ "vmul.FMUL.f32 R1.x, R2, R2\n\nbr.write.always -1 -> alu/4\n", 1, { 0 }, { 1 } },
		{ "vmul.MOV.i32 R1.z, R2, #512\nbr.write.always -1 -> alu/4\n", 1, { 2 }, { 1 } },
		{ "vmul.MOV.i32 R1.z, R2, #255\nsmul.FMUL.f32 R1.x, R2.x, R2.x\nbr.write.always -1 -> alu/4\n", 1, { 255 }, { 0.0625f } },
	};

	s.io = &io;
	for (unsigned int n = 0; n < sizeof(rows) / sizeof(rows[0]); n++) {
		memset(&targets, 0, sizeof(targets));
		set4(0, 1, 2, 3, 4);
		set4(2, 0.25f, 7, 8, 9);
		assert_int_equal(run(rows[n].text, 50), SIM_DONE);
		assert_int_equal(targets.calls, rows[n].calls);
		for (unsigned int i = 0; i < targets.calls; i++) {
			assert_int_equal(targets.call[i].index, rows[n].index[i]);
			assert_int_equal(targets.call[i].mask, rows[n].index[i] == 255 ? 1 : 15);
			assert_true(targets.call[i].x == rows[n].x[i]);
		}
	}
	s.io = NULL;
}

static uint32_t image[4][8][4];	/* [y][x] */

static void image_access(void *ctx, unsigned int lane, const struct mdsim_texel *t, bool write, union mdsim_reg *data)
{
	assert_int_equal(t->image, 6);
	assert_true(t->coords[0] < 8 && t->coords[1] < 4);
	for (int i = 0; i < 4; i++) {
		uint32_t *at = &image[t->coords[1]][t->coords[0]][i];

		if (t->type == MDSIM_F16 && write)
			*at = data->u16[i];
		else if (t->type == MDSIM_F16)
			data->u16[i] = *at;
		else if (write)
			*at = data->u32[i];
		else
			data->u32[i] = *at;
	}
}

static uint64_t image_address(void *ctx, unsigned int lane, const struct mdsim_texel *t)
{
	assert_true(t->image == 6 && !t->coords[2]);
	return 0x100000000 + 16 * (8 * t->coords[1] + t->coords[0]);
}

static void images(void **state)
{
	static const struct mdsim_io io = { .image = image_access, .image_address = image_address };

	s.io = &io;
	memset(image, 0, sizeof(image));
	for (int lane = 0; lane < 8; lane++) {
		s.r[lane][26] = (union mdsim_reg){ .u32 = { 2u << 16 | lane, 0, 0, 4 } };
		s.r[lane][27] = (union mdsim_reg){ .u32 = { 100 + lane, 7, 8, 9 } };
	}
	/* Texel (lane, 2) of image 4 + 2. */
	go("ST_IMAGE.u32 AL1.yxz, AL0.w + 0x2, AL0.u32.x\n");
	assert_true(image[2][5][0] == 7 && image[2][5][1] == 105 && image[2][5][2] == 8 && image[2][5][3] == 8);
	assert_true(!image[1][5][0] && !image[3][5][0]);
	go("LD_IMAGE.u32 R3.yx~~, AL0.w + 0x2, AL0.u32.x\nLEA_IMAGE R4.xy~~, AL0, AL0.w + 0x2, AL0.u32.x\n");
	assert_true(s.r[5][3].u32[0] == 105 && s.r[5][3].u32[1] == 7);
	assert_int_equal(s.r[5][4].u64[0], 0x100000000 + 16 * 21);
	for (int lane = 0; lane < 8; lane++)
		memcpy(s.r[lane][27].u16, (uint16_t[]){ 0x3c00, 0x4000, 0x4200, 0x4400 }, 8);
	go("ST_IMAGE.f16 AL1, AL0.w + 0x2, AL0.u32.x\n\nLD_IMAGE.f16 R5.yx~~, AL0.w + 0x2, AL0.u32.x\n");
	assert_memory_equal(s.r[7][5].u16, ((uint16_t[]){ 0x4200, 0x4400, 0x3c00, 0x4000 }), 8);
	s.io = NULL;
}

static uint8_t heap[256];

static bool access_heap(void *ctx, unsigned int lane, uint64_t address, void *data, unsigned int size, bool write)
{
	if (address < 0x100000000 || address - 0x100000000 > sizeof(heap) - size)
		return false;
	if (write)
		memcpy(heap + (address - 0x100000000), data, size);
	else
		memcpy(data, heap + (address - 0x100000000), size);
	return true;
}

static void global_memory(void **state)
{
	static const struct mdsim_io io = { .memory = access_heap };

	s.io = &io;
	memset(heap, 0, sizeof(heap));
	memcpy(heap + 16, "\xfe\x01\x02\x03\x04\x05\x06\x07", 8);
	for (int lane = 0; lane < 8; lane++) {
		memset(s.r[lane], 0, sizeof(s.r[lane]));
		s.r[lane][26].u32[1] = 1;	/* the high half of the address */
		s.r[lane][26].u32[2] = lane;
		s.r[lane][27].u32[0] = 0xffffffff;
	}
	go("LD.u16 R0.x~~~, AL0.u64.x + 0x10\nLD.s8 R1.x~~~, AL0.u64.x + 0x10\n\n"
	   "LD.64.bswap4 R2.xy~~, AL0.u64.x + 0x10\nLEA R3.xy~~, AL0.u64.x + AL0.u32.z << 3 - 0x8, AL0\n");
	assert_int_equal(s.r[0][0].u32[0], 0x01fe);
	assert_int_equal((int32_t)s.r[0][1].u32[0], -2);
	assert_int_equal(s.r[0][2].u32[0], 0xfe010203);
	assert_int_equal(s.r[0][2].u32[1], 0x04050607);
	assert_int_equal(s.r[5][3].u64[0], 0x100000000 + 5 * 8 - 8);
	/* Eight threads count a word up, by their number, and write their own. */
	go("AADD.32 R0.x~~~, AL0.u64.x + 0x40, AL0.z\n\n"
	   "ST.32 AL0.zzzz, AL0.u64.x + AL0.u32.z << 2 + 0x80\n\n"
	   "AMAX.s32 R1.x~~~, AL0.u64.x + 0x44, AL1.x\nXCHG.64 R2.xy~~, AL0.u64.x + 0x48, AL0.x\n\n"
	   "CMPXCHG.32 R3.x~~~, AL0.u64.x + 0x50, AL1.x, AL1.y\n");
	assert_int_equal(heap[0x40], 28);
	assert_int_equal(s.r[7][0].u32[0], 21);
	assert_int_equal(heap[0x80 + 4 * 6], 6);
	assert_int_equal(heap[0x44], 0);
	assert_int_equal(s.r[7][2].u64[0], 0x100000000);
	assert_true(s.r[0][3].u32[0] == 0 && s.r[7][3].u32[0] == 0xffffffff);
	assert_int_equal(run("LD.32 R0.x~~~, 0.u32.x\n", 10), SIM_DONE);
	assert_int_equal(s.events, MDSIM_MEMORY);
	s.io = NULL;
}

static void derivatives_and_fma(void **state)
{
	for (int lane = 0; lane < 8; lane++) {
		s.r[lane][28].f32[0] = lane * lane;
		s.r[lane][28].f32[1] = 1;
		s.r[lane][28].f32[2] = 100 - lane;
	}
	go("DERIVATIVE.x.2d TA1.xz.f32, texture0, fsampler0, AT0.32\n");
	assert_true(s.r[0][29].f32[0] == 1 && s.r[1][29].f32[0] == 1 && s.r[7][29].f32[0] == 13 && s.r[4][29].f32[2] == -1);
	go("DERIVATIVE.y.2d TA0.x.f32, texture0, fsampler0, AT0.32\n");
	assert_true(s.r[0][28].f32[0] == 4 && s.r[2][28].f32[0] == 4 && s.r[5][28].f32[0] == 24);
	set4(1, 3, 5, 0, 0);
	set4(2, 100, 200, 0, 0);
	go("lut.FMA.f32 R0.y, R1.y, R2.y, set vec.src1_swizzle 0xe4, set vec.src2_swizzle 0xe4\n");
	assert_true(s.r[0][0].f32[1] == 215);
}

/* The sequences of the T6xx notes: atan2 in two steps, asin of that. */
static void arc_functions(void **state)
{
	for (int i = 0; i < 360; i++) {
		double angle = (i - 180) * 0.01745329252, x = 3 * cos(angle), y = 3 * sin(angle), v = y / 3;

		set4(1, y, 0, 0, 0);
		set4(2, x, 0, 0, 0);
		go("lut.FATAN2_PT1.f32 R3.xzw, R1.xxx, R2.xxx\n\nsmul.FMUL.f32 R4.x, R3.z, R3.w\n\n"
		   "lut.FATAN2_PT2.f32 R0.x, R3, R4\n");
		assert_true(fabs(s.r[0][0].f32[0] - atan2((float)y, (float)x)) < 1e-6);
		set4(1, v, 0, 0, 0);
		set4(2, sqrt(1 - v * v), 0, 0, 0);
		go("lut.FATAN2_PT1.f32 R3.xzw, R1.xxx, R2.xxx\n\nsmul.FMUL.f32 R4.x, R3.z, R3.w\n\n"
		   "lut.FATAN2_PT2.f32 R0.x, R3, R4\n");
		assert_true(fabs(s.r[0][0].f32[0] - asin(v)) < 1e-6);
		set4(1, angle, 0, 0, 0);
		go("lut.FSINPI.f32 R0.x, R1, R1\n\nlut.FCOSPI.f32 R3.x, R1, R1\n");
		assert_true(fabs(s.r[0][0].f32[0] - sin(3.14159265358979 * (float)angle)) < 1e-6);
		assert_true(fabs(s.r[0][3].f32[0] - cos(3.14159265358979 * (float)angle)) < 1e-6);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(table_and_simulator_agree),
		cmocka_unit_test(float_ops),
		cmocka_unit_test(int_ops),
		cmocka_unit_test(conversions),
		cmocka_unit_test(widths),
		cmocka_unit_test(modifiers),
		cmocka_unit_test(stages_and_csel),
		cmocka_unit_test(compilers_operands),
		cmocka_unit_test(branches),
		cmocka_unit_test(memory),
		cmocka_unit_test(cube_maps),
		cmocka_unit_test(writeouts),
		cmocka_unit_test(images),
		cmocka_unit_test(global_memory),
		cmocka_unit_test(derivatives_and_fma),
		cmocka_unit_test(arc_functions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
