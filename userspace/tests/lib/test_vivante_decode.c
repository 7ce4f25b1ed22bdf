// SPDX-License-Identifier: MIT
/* The state tables, and each rule of the stream checker on a stream that breaks it and on one that does not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/vivante/decode.h"

#define LOAD(state, n) (VIV_FE_COMMAND(LOAD_STATE) | VIV_SET(VIV_FE_LOAD_STATE_HEADER_COUNT, n) | (state) / 4)
#define ONE(state, value) LOAD(state, 1), (value)
#define NOP VIV_FE_COMMAND(NOP), 0
#define DRAW VIV_FE_COMMAND(DRAW_PRIMITIVES), PRIMITIVE_TYPE_TRIANGLES, 0, 1
#define TOKEN(from, to) (VIV_SET(VIVS_GL_SEMAPHORE_TOKEN_FROM, from) | VIV_SET(VIVS_GL_SEMAPHORE_TOKEN_TO, to))
#define RA_PE TOKEN(SYNC_RECIPIENT_RA, SYNC_RECIPIENT_PE)
#define BOTH (VIVS_GL_FLUSH_CACHE_COLOR | VIVS_GL_FLUSH_CACHE_DEPTH)
#define SIZE(w, h) ((h) << 16 | (w))

static char rules[400];

static void collect(void *ctx, const struct viv_finding *f)
{
	static const char letters[] = "EWN";
	size_t n = strlen(rules);

	snprintf(rules + n, sizeof(rules) - n, "%c:%s@%zu ", letters[f->severity], f->rule, f->at);
}

static struct viv_decode_stats check(const uint32_t *words, size_t n, uint32_t flags)
{
	const struct viv_sink sink = { NULL, NULL, collect, NULL, NULL };
	struct viv_decode_stats stats;

	rules[0] = 0;
	limn_viv_decode(words, n, flags, &sink, &stats);
	return stats;
}

#define EXPECT(findings, flags, ...) do { \
	const uint32_t stream[] = { __VA_ARGS__ }; \
	check(stream, sizeof(stream) / 4, flags); \
	assert_string_equal(rules, findings); \
} while (0)
#define USER(findings, ...) EXPECT(findings, VIV_DECODE_USER, __VA_ARGS__)

static void test_structure(void **state)
{
	USER("", NOP);
	USER("E:opcode@0 ", 0, 0);
	USER("E:opcode@2 ", NOP, 14u << 27, 0, NOP);
	USER("E:length@0 ", LOAD(VIVS_PA_VIEWPORT_SCALE_X, 3), 1, 2);
	USER("E:length@0 ", VIV_FE_COMMAND(DRAW_PRIMITIVES), 4, 0);
	USER("E:length@0 ", VIV_FE_COMMAND(DRAW_2D) | 2 << 8, 0, 0, 0);
	/* A count of 0 is 1024 words. */
	USER("E:length@0 ", LOAD(VIVS_VS_UNIFORMS, 0), 1);
	USER("E:state-space@0 ", LOAD(VIVS_DUMMY_DUMMY, 2), 0, 0, 0);
	USER("E:state@1 ", ONE(0x0f00, 0));
	USER("E:host-register@1 ", ONE(VIVS_HI_CLOCK_CONTROL, 0));
	USER("E:kernel-state@1 ", ONE(VIVS_MMUv2_CONFIGURATION, 0));
	EXPECT("N:kernel-state@1 N:prefetch@1 ", 0, ONE(VIVS_MMUv2_CONFIGURATION, 0));
	/* In the middle of a run, and converted from fixed point. */
	USER("E:kernel-state@1 E:kernel-state@2 ", LOAD(VIVS_GL_PIPE_SELECT, 4), 0, 0, 0, 0, 0);
	USER("W:fixed-address@1 ", LOAD(VIVS_PE_COLOR_ADDR, 1) | VIV_FE_LOAD_STATE_HEADER_FIXP, 0x10000);
}

static void test_jumps(void **state)
{
	EXPECT("", 0, VIV_FE_COMMAND(LINK) | 4, 0x1000);
	EXPECT("E:prefetch@0 ", 0, VIV_FE_COMMAND(LINK), 0x1000);
	EXPECT("E:alignment@1 ", 0, VIV_FE_COMMAND(LINK) | 4, 0x1004);
	EXPECT("N:prefetch@1 ", 0, NOP);
	EXPECT("W:unreachable@2 N:prefetch@3 ", 0, VIV_FE_COMMAND(END), 0, NOP);
	USER("E:jump@0 ", VIV_FE_COMMAND(LINK) | 4, 0x1000);
	USER("E:jump@0 ", VIV_FE_COMMAND(END), 0);
	USER("E:jump@0 E:alignment@0 ", VIV_FE_COMMAND(CALL) | 4, 0x1000, 0, 0x1000);
}

/* A stream at address 0x1000, whose jumps may lead into itself. */
static const uint32_t *placed;
static size_t placed_words;

static const uint32_t *at_1000(void *ctx, uint32_t va, size_t *words)
{
	size_t word = (uint32_t)(va - 0x1000) / 4;

	if (word >= placed_words)
		return NULL;
	*words = placed_words - word;
	return placed + word;
}

#define PLACED(findings, ...) do { \
	const uint32_t stream[] = { __VA_ARGS__ }; \
	const struct viv_sink sink = { NULL, NULL, collect, at_1000, NULL }; \
	placed = stream; \
	placed_words = sizeof(stream) / 4; \
	rules[0] = 0; \
	limn_viv_decode(stream, placed_words, 0, &sink, NULL); \
	assert_string_equal(rules, findings); \
} while (0)

/* What FE has fetched when it gets there has to lead on. */
static void test_prefetch(void **state)
{
#define LINK(words, to) VIV_FE_COMMAND(LINK) | (words), (to)
#define WAIT VIV_FE_COMMAND(WAIT) | 200, 0
	/* The idle loop; with a LINK that fetches the WAIT alone, FE waits once. */
	PLACED("", WAIT, LINK(2, 0x1000));
	PLACED("E:prefetch@2 ", WAIT, LINK(1, 0x1000));
	PLACED("W:prefetch@2 ", WAIT, LINK(3, 0x1000));
	/* Into another stream, of which nothing is known. */
	PLACED("", NOP, LINK(1, 0x8000));
	/* Each count from too few to enough; the LOAD_STATE of three words counts as two. */
#define BLOCK ONE(VIVS_PA_VIEWPORT_SCALE_X, 0), LOAD(VIVS_PA_VIEWPORT_SCALE_X, 3), 0, 0, 0, VIV_FE_COMMAND(END), 0
	PLACED("E:prefetch@0 W:unreachable@2 ", LINK(1, 0x1008), BLOCK);
	PLACED("E:prefetch@0 W:unreachable@2 ", LINK(2, 0x1008), BLOCK);
	PLACED("E:prefetch@0 W:unreachable@2 ", LINK(3, 0x1008), BLOCK);
	PLACED("W:unreachable@2 ", LINK(4, 0x1008), BLOCK);
	PLACED("W:prefetch@0 W:unreachable@2 ", LINK(5, 0x1008), BLOCK);
	/* A subroutine, and what is fetched on the way back. */
	PLACED("W:unreachable@8 ", VIV_FE_COMMAND(CALL) | 2, 0x1020, 2, 0x1010, NOP, VIV_FE_COMMAND(END), 0,
	       NOP, VIV_FE_COMMAND(RETURN), 0);
	PLACED("E:prefetch@0 W:unreachable@8 ", VIV_FE_COMMAND(CALL) | 1, 0x1020, 2, 0x1010, NOP,
	       VIV_FE_COMMAND(END), 0, NOP, VIV_FE_COMMAND(RETURN), 0);
	PLACED("E:prefetch@0 W:unreachable@8 ", VIV_FE_COMMAND(CALL) | 2, 0x1020, 1, 0x1010, NOP,
	       VIV_FE_COMMAND(END), 0, NOP, VIV_FE_COMMAND(RETURN), 0);
}

static void test_semaphores(void **state)
{
	USER("", ONE(VIVS_GL_SEMAPHORE_TOKEN, RA_PE), ONE(VIVS_GL_STALL_TOKEN, RA_PE));
	USER("W:semaphore@1 ", ONE(VIVS_GL_STALL_TOKEN, RA_PE));
	USER("W:semaphore@2 ", ONE(VIVS_GL_SEMAPHORE_TOKEN, RA_PE), VIV_FE_COMMAND(STALL),
	     TOKEN(SYNC_RECIPIENT_FE, SYNC_RECIPIENT_PE));
}

static void test_flushes(void **state)
{
	USER("", ONE(VIVS_TS_FLUSH_CACHE, 1));
	USER("W:ts-flush@5 ", DRAW, ONE(VIVS_TS_FLUSH_CACHE, 1));
	USER("W:ts-flush@7 ", DRAW, ONE(VIVS_GL_FLUSH_CACHE, BOTH), ONE(VIVS_TS_FLUSH_CACHE, 1));
	USER("", DRAW, ONE(VIVS_GL_FLUSH_CACHE, BOTH), ONE(VIVS_GL_SEMAPHORE_TOKEN, RA_PE),
	     ONE(VIVS_GL_STALL_TOKEN, RA_PE), ONE(VIVS_TS_FLUSH_CACHE, 1));
	USER("W:texturevs@2 ", ONE(VIVS_GL_FLUSH_CACHE, VIVS_GL_FLUSH_CACHE_TEXTUREVS), DRAW);
	EXPECT("N:kernel-state@1 N:kernel-state@3 W:pipe-switch@3 E:pipe@4 N:prefetch@7 ", 0,
	       ONE(VIVS_GL_PIPE_SELECT, 0), ONE(VIVS_GL_PIPE_SELECT, 1), DRAW);
}

/* 64 x 16 items, and 64 x 32, by the older states and by the newer. */
static void test_work_groups(void **state)
{
#define KICK(state_x, y) ONE(VIVS_CL_CONFIG, 2), ONE(state_x, 63), ONE(state_x + 4, y), ONE(VIVS_CL_KICKER, 1)
	USER("", KICK(VIVS_CL_WORKGROUP_X, 15));
	USER("W:work-group@7 ", KICK(VIVS_CL_WORKGROUP_X, 31));
	USER("", KICK(VIVS_CL_WORKGROUP_SIZE_X, 15));
	USER("W:work-group@7 ", KICK(VIVS_CL_WORKGROUP_SIZE_X, 31));
}

static void test_resolve(void **state)
{
#define RS(config, size) ONE(VIVS_RS_CONFIG, config), ONE(VIVS_RS_CLEAR_CONTROL, 0), \
			 ONE(VIVS_RS_WINDOW_SIZE, size), ONE(VIVS_RS_KICKER, 1)
	USER("", RS(VIVS_RS_CONFIG_SOURCE_TILED, SIZE(13, 1)));
	USER("E:resolve-size@7 ", RS(VIVS_RS_CONFIG_SOURCE_TILED, SIZE(12, 4)));
	USER("", RS(VIVS_RS_CONFIG_SOURCE_TILED | VIVS_RS_CONFIG_DEST_TILED, SIZE(32, 8)));
	USER("E:resolve-size@7 ", RS(VIVS_RS_CONFIG_DEST_TILED, SIZE(24, 4)));
	USER("", RS(0, SIZE(17, 4)));
	USER("E:resolve-size@7 ", RS(0, SIZE(16, 4)));
	USER("E:resolve-size@7 ", RS(0, SIZE(32, 6)));
	USER("E:resolve-size@7 ", RS(0, SIZE(32, 0)));
}

static void test_draws(void **state)
{
	USER("", LOAD(VIVS_FE_VERTEX_ELEMENT_CONFIG, 2), 0, 0, 0, ONE(VIVS_VS_INPUT_COUNT, 2), DRAW);
	USER("E:vs-inputs@6 ", LOAD(VIVS_FE_VERTEX_ELEMENT_CONFIG, 2), 0, 0, 0, ONE(VIVS_VS_INPUT_COUNT, 3), DRAW);
	USER("E:temporaries@4 ", ONE(VIVS_PS_INPUT_COUNT, 3), ONE(VIVS_PS_TEMP_REGISTER_CONTROL, 2), DRAW);
	/* mov t5 with two temporaries; sampling from a unit that is off; a shader half loaded. */
	USER("E:temporaries@10 ", LOAD(VIVS_PS_INST_MEM, 4), 0x07851009, 0, 0, 0x39, 0, ONE(VIVS_PS_END_PC, 1),
	     ONE(VIVS_PS_TEMP_REGISTER_CONTROL, 2), DRAW);
	USER("E:texture@10 ", LOAD(VIVS_PS_INST_MEM, 4), 0x0f801018, 0x39000800, 0x10, 0, 0,
	     ONE(VIVS_PS_END_PC, 1), ONE(VIV_AT(VIVS_TE_SAMPLER_CONFIG0, 1), 0), DRAW);
	USER("E:shader-length@8 ", LOAD(VIVS_VS_INST_MEM, 4), 0, 0, 0, 0, 0, ONE(VIVS_VS_END_PC, 2), DRAW);
}

/* --- Tables ------------------------------------------------------------------- */

/* One user state a word, of the 2D and 3D pipes; every name is found where its row is. */
static void test_no_overlap(void **state)
{
	static const char *owner[VIV_STATE_SPACE / 4];
	const struct viv_row *r;
	uint32_t index[2];

	for (size_t i = 0; (r = limn_viv_row(i)); i++) {
		if (r->type != VIV_ROW_STATE)
			continue;
		assert_ptr_equal(limn_viv_state_named(r->name), r);
		if (!strcmp(r->unit, "VG"))
			continue;
		for (uint32_t a = 0; a < r->count; a++) {
			for (uint32_t b = 0; b < r->count2; b++) {
				uint32_t at = r->at + a * r->stride + b * r->stride2;

				assert_true(at < VIV_STATE_SPACE && !(at & 3));
				if (owner[at / 4])
					fail_msg("0x%05x is %s and %s", at, owner[at / 4], r->name);
				owner[at / 4] = r->name;
				assert_ptr_equal(limn_viv_state_at(at, index), r);
				assert_int_equal(index[0], a);
				assert_int_equal(index[1], b);
			}
		}
	}
}

/* Fields of a state do not overlap, and each has a kind that can be read. */
static void test_fields(void **state)
{
	const struct viv_row *r, *f;

	for (size_t i = 0; (r = limn_viv_row(i)); i++) {
		uint32_t used = 0;

		if (r->type != VIV_ROW_STATE && r->type != VIV_ROW_BITSET)
			continue;
		for (f = limn_viv_field_first(r); f; f = limn_viv_field_next(f)) {
			uint32_t mask = (0xffffffffu >> (31 - f->hi + f->lo)) << f->lo;

			assert_true(f->hi < 32 && f->lo <= f->hi);
			if (used & mask)
				fail_msg("%s: %s overlaps", r->name, f->name);
			used |= mask;
			if (f->kind > VIV_KIND_BOOL)
				assert_non_null(limn_viv_kind_row(f->kind));
		}
	}
}

static void test_names(void **state)
{
	char text[200];
	uint32_t index[2];
	const struct viv_row *r = limn_viv_state_at(0x248c, index);

	assert_string_equal(limn_viv_state_text(r, index, text, sizeof(text)), "TE.SAMPLER_LOD_ADDR[3][2]");
	assert_ptr_equal(limn_viv_state_named("PE.COLOR_FORMAT"), limn_viv_state_at(0x142c, index));
	assert_string_equal(limn_viv_value_text(limn_viv_state_named("PE.COLOR_FORMAT"), 0x00110f06, text, sizeof(text)),
			    "FORMAT=A8R8G8B8 COMPONENTS=(R G B A) OVERWRITE SUPER_TILED FORMAT_EXT=X4R4G4B4");
	assert_string_equal(limn_viv_value_text(limn_viv_state_named("PA.VIEWPORT_SCALE_X"), 0x43480000, text, sizeof(text)),
			    "200");
	assert_string_equal(limn_viv_value_text(limn_viv_state_named("GL.EVENT"), 0x80000047, text, sizeof(text)),
			    "EVENT_ID=7 FROM_PE unknown=0x80000000");
	assert_string_equal(limn_viv_value_text(limn_viv_state_named("DE.SRC_CONFIG"), 0x06000000, text, sizeof(text)),
			    "PE10_SOURCE_FORMAT=X4R4G4B4 SRC_RELATIVE=ABSOLUTE LOCATION=MEMORY PACK=PACKED8 "
			    "MONO_TRANSPARENCY=BACKGROUND SWIZZLE=ARGB SOURCE_FORMAT=A8R8G8B8 ENDIAN_CONTROL=NO_SWAP");
	assert_string_equal(limn_viv_value_text(limn_viv_state_named("TE.SAMPLER_LOD_CONFIG"), 0x7ff << 1, text, sizeof(text)),
			    "MAX=-0.03125 MIN=0.03125");
	assert_null(limn_viv_state_named("PE.COLOR_FORMA"));
	assert_null(limn_viv_state_at(0x1420 + 1, index));
}

static uint32_t next(uint64_t *s)
{
	*s = *s * 6364136223846793005u + 1442695040888963407u;
	return *s >> 33;
}

static void count_words(void *ctx, const struct viv_word *w)
{
	assert_int_equal(w->at, (*(size_t *)ctx)++);
}

/* Any words: each told once, in order. */
static void test_noise(void **state)
{
	uint64_t seed = 1;
	uint32_t words[64];
	size_t seen;
	const struct viv_sink sink = { &seen, count_words, NULL, NULL, NULL };

	for (int i = 0; i < 20000; i++) {
		size_t n = next(&seed) % 65;

		for (size_t k = 0; k < n; k++)
			words[k] = (next(&seed) & 1 ? next(&seed) << 1 : (next(&seed) % 20) << 27 | next(&seed) % 0x10fff);
		seen = 0;
		limn_viv_decode(words, n, next(&seed) & 1, &sink, NULL);
		assert_int_equal(seen, n);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_structure), cmocka_unit_test(test_jumps), cmocka_unit_test(test_prefetch),
		cmocka_unit_test(test_semaphores), cmocka_unit_test(test_work_groups),
		cmocka_unit_test(test_flushes), cmocka_unit_test(test_resolve), cmocka_unit_test(test_draws),
		cmocka_unit_test(test_no_overlap), cmocka_unit_test(test_fields), cmocka_unit_test(test_names),
		cmocka_unit_test(test_noise),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
