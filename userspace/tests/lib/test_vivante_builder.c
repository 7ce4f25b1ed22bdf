// SPDX-License-Identifier: MIT
/*
 * The stream builder against a decoder of what it wrote; tilings against the
 * model's own description of where a pixel lives, written by somebody else.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/vivante/decode.h"
#include "lib/vivante/stream.h"
#include "lib/vivante/tiling.h"
#include "model/vivante/tiling.h"

static uint64_t seed = 1;

/* splitmix64 */
static uint32_t below(uint32_t n)
{
	uint64_t z = (seed += 0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return (z ^ z >> 31) % n;
}

/* --- Streams --------------------------------------------------------------------- */

static struct viv_stream s;

static void expect_words(const uint32_t *words, uint32_t n)
{
	assert_true(limn_viv_stream_end(&s));
	assert_int_equal(s.num_words, n);
	assert_memory_equal(s.words, words, n * 4);
	limn_viv_stream_reset(&s);
}

#define EXPECT(...) do { \
	const uint32_t expected[] = { __VA_ARGS__ }; \
	expect_words(expected, sizeof(expected) / 4); \
} while (0)

static void test_merge(void **state)
{
	/* Neighbours in one load, padded to 64 bits; a gap begins another. */
	limn_viv_set(&s, 0x0a00, 1);
	limn_viv_set(&s, 0x0a04, 2);
	limn_viv_set(&s, 0x0a0c, 3);
	EXPECT(0x08020280, 1, 2, 0, 0x08010283, 3);
	/* Fixed point does not join plain words. */
	limn_viv_set_fixed(&s, 0x0a00, 1.5f);
	limn_viv_set(&s, 0x0a04, 2);
	limn_viv_set_fixed(&s, 0x0a08, -0.5f);
	EXPECT(0x0c010280, 0x00018000, 0x08010281, 2, 0x0c010282, 0xffff8000);
	/* A command between loads ends the first. */
	limn_viv_set(&s, 0x0a00, 1);
	limn_viv_draw_primitives(&s, PRIMITIVE_TYPE_TRIANGLES, 3, 2);
	limn_viv_set(&s, 0x0a04, 1);
	EXPECT(0x08010280, 1, 0x28000000, 4, 3, 2, 0x08010281, 1);
}

static void test_skip(void **state)
{
	limn_viv_set(&s, 0x0a00, 1);
	limn_viv_set(&s, 0x0a00, 1);
	limn_viv_set_float(&s, 0x0a04, 2.0f);
	limn_viv_set_fixed(&s, 0x0a04, 2.0f);
	limn_viv_set(&s, 0x0a00, 2);
	assert_int_equal(s.skipped, 2);
	EXPECT(0x08020280, 1, 0x40000000, 0, 0x08010280, 2);
	/* After a reset nothing is known. */
	limn_viv_set(&s, 0x0a00, 2);
	EXPECT(0x08010280, 2);
	/* States that act are never skipped. */
	limn_viv_set(&s, VIVS_GL_FLUSH_CACHE, 3);
	limn_viv_set(&s, VIVS_GL_FLUSH_CACHE, 3);
	EXPECT(0x08010e03, 3, 0x08010e03, 3);
	/* What the sample configuration clobbers. */
	limn_viv_set(&s, VIVS_PS_INPUT_COUNT, 5);
	limn_viv_set(&s, VIVS_GL_MULTI_SAMPLE_CONFIG, 2);
	limn_viv_set(&s, VIVS_PS_INPUT_COUNT, 5);
	EXPECT(0x08010402, 5, 0x08010e06, 2, 0x08010402, 5);
}

static void test_commands(void **state)
{
	const struct viv_rect rects[2] = { { 1, 2, 3, 4 }, { 5, 6, 7, 8 } };

	limn_viv_stall(&s, SYNC_RECIPIENT_FE, SYNC_RECIPIENT_PE);
	EXPECT(0x08010e02, 0x701, 0x48000000, 0x701);
	limn_viv_stall(&s, SYNC_RECIPIENT_RA, SYNC_RECIPIENT_PE);
	EXPECT(0x08010e02, 0x705, 0x08010f00, 0x705);
	limn_viv_draw_indexed(&s, PRIMITIVE_TYPE_LINES, 6, 2, -1);
	EXPECT(0x30000000, 2, 6, 2, 0xffffffff, 0);
	limn_viv_draw_instanced(&s, PRIMITIVE_TYPE_TRIANGLES, true, 36, 0x10002, 7);
	EXPECT(0x60140002, 0x01000024, 7, 0);
	limn_viv_draw_2d(&s, rects, 2);
	EXPECT(0x20000200, 0xdeadbeef, 0x00020001, 0x00040003, 0x00060005, 0x00080007);
}

static void test_relocs(void **state)
{
	const struct limn_bo a = { .va = 0x10000 }, b = { .va = 0 };

	limn_viv_set_bo(&s, VIVS_PE_COLOR_ADDR, &a, 0x40, LIMN_WRITE);
	limn_viv_set(&s, VIVS_PE_COLOR_STRIDE, 64);
	limn_viv_set_bo(&s, VIVS_PE_DEPTH_ADDR, &b, 0x80, LIMN_READ);
	limn_viv_set_bo(&s, VIVS_PE_DEPTH_ADDR, &b, 0x80, LIMN_WRITE);
	assert_int_equal(s.num_relocs, 3);
	assert_int_equal(s.num_uses, 2);
	assert_int_equal(s.uses[1].flags, LIMN_READ | LIMN_WRITE);
	for (int i = 0; i < 3; i++)
		assert_int_equal(s.words[s.relocs[i].word], s.relocs[i].bo->va + s.relocs[i].offset);
	/* Where the kernel knows the address alone, a load is never skipped. */
	EXPECT(0x0802050c, 0x10040, 64, 0, 0x08010504, 0x80, 0x08010504, 0x80);
}

static uint32_t seen[VIV_STATE_SPACE / 4];

static void latch(void *ctx, const struct viv_word *w)
{
	if (w->type == VIV_WORD_STATE)
		seen[w->address / 4] = w->loaded;
	assert_int_not_equal(w->type, VIV_WORD_UNKNOWN);
}

/* Any order of sets leaves the states as the last ones said, and a stream that is whole. */
static void test_any_order(void **state)
{
	static uint32_t want[VIV_STATE_SPACE / 4], block[3000];
	const struct viv_sink sink = { NULL, latch, NULL, NULL, NULL };
	struct viv_decode_stats stats;

	for (int round = 0; round < 60; round++) {
		memset(seen, 0, sizeof(seen));
		memset(want, 0, sizeof(want));
		for (int i = 0; i < 200; i++) {
			uint32_t at = VIVS_VS_UNIFORMS + 4 * below(40), value = below(3), n;

			switch (below(4)) {
			case 0:
				limn_viv_set_fixed(&s, at, value - 1.0f);
				memcpy(&want[at / 4], &(float){ value - 1.0f }, 4);
				break;
			case 1:
				n = below(8) ? 1 + below(6) : 1 + below(3000);
				at = n > 6 ? VIVS_SH_UNK20000 + 4 * below(100) : at;
				for (uint32_t k = 0; k < n; k++)
					want[at / 4 + k] = block[k] = below(3);
				limn_viv_set_many(&s, at, n, block);
				break;
			case 2:
				limn_viv_draw_primitives(&s, 4, 0, 1);
				break;
			default:
				limn_viv_set(&s, at, value);
				want[at / 4] = value;
			}
		}
		assert_true(limn_viv_stream_end(&s));
		limn_viv_decode(s.words, s.num_words, VIV_DECODE_USER, &sink, &stats);
		assert_int_equal(stats.unknown_commands, 0);
		assert_int_equal(s.num_words % 2, 0);
		assert_memory_equal(seen, want, sizeof(seen));
		limn_viv_stream_reset(&s);
	}
}

/* --- Tilings ------------------------------------------------------------------------ */

static const unsigned int layouts[] = {
	VIV_LAYOUT_LINEAR, VIV_LAYOUT_TILED, VIV_LAYOUT_TILED | VIV_LAYOUT_SUPER,
	VIV_LAYOUT_TILED | VIV_LAYOUT_MULTI, VIV_LAYOUT_TILED | VIV_LAYOUT_SUPER | VIV_LAYOUT_MULTI,
};
static const uint32_t bits[] = {
	0, VIV_TILE, VIV_TILE | VIV_SUPER, VIV_TILE | VIV_MULTI, VIV_TILE | VIV_SUPER | VIV_MULTI,
};

#define WIDTH 192u
#define HEIGHT 256u

static uint32_t model_offset(int layout, int mode, uint32_t x, uint32_t y, uint32_t cpp)
{
	unsigned int pipe = 0;
	uint32_t offset = viv_tile_offset(layouts[layout], mode, x, y, WIDTH * cpp, cpp, &pipe);

	return offset + pipe * WIDTH * cpp * (HEIGHT / 2);
}

static void each_tiling(void (*check)(const struct viv_tiling *t, int layout, int mode))
{
	for (int layout = 0; layout < 5; layout++) {
		for (int mode = 0; mode < 3; mode++) {
			for (uint32_t cpp = 1; cpp <= 16; cpp *= 2) {
				const struct viv_tiling t = { bits[layout], mode, cpp, WIDTH * cpp, HEIGHT };

				check(&t, layout, mode);
			}
		}
	}
}

static void check_offsets(const struct viv_tiling *t, int layout, int mode)
{
	for (uint32_t y = 0; y < HEIGHT; y++)
		for (uint32_t x = 0; x < WIDTH; x++)
			if (limn_viv_tiling_offset(t, x, y) != model_offset(layout, mode, x, y, t->cpp))
				fail_msg("layout %d, mode %d, cpp %u: (%u, %u)", layout, mode, t->cpp, x, y);
}

static void test_offsets(void **state)
{
	each_tiling(check_offsets);
}

static uint8_t surface[WIDTH * HEIGHT * 16], before[WIDTH * HEIGHT * 16], rows[WIDTH * HEIGHT * 16], back[WIDTH * HEIGHT * 16];

/* Random rectangles: each pixel where it belongs, and not a byte else; and the way back. */
static void check_rects(const struct viv_tiling *t, int layout, int mode)
{
	for (int i = 0; i < 4; i++) {
		uint32_t x = below(WIDTH), y = below(HEIGHT), w = 1 + below(WIDTH - x), h = 1 + below(HEIGHT - y);
		uint32_t stride = (w + below(5)) * t->cpp;

		for (uint32_t k = 0; k < stride * h; k++)
			rows[k] = (k * 2654435761u + i) >> 24;
		for (uint32_t k = 0; k < sizeof(surface); k += 997)
			surface[k] = below(256);
		memcpy(before, surface, sizeof(surface));
		limn_viv_tiling_store(t, surface, rows, stride, x, y, w, h);
		for (uint32_t j = 0; j < h; j++)
			for (uint32_t k = 0; k < w; k++)
				memcpy(before + model_offset(layout, mode, x + k, y + j, t->cpp),
				       rows + j * stride + k * t->cpp, t->cpp);
		if (memcmp(before, surface, sizeof(surface)))
			fail_msg("layout %d, mode %d, cpp %u: store of %ux%u at (%u, %u)", layout, mode, t->cpp, w, h, x, y);
		memcpy(back, rows, stride * h);
		for (uint32_t j = 0; j < h; j++)
			memset(back + j * stride, 0, w * t->cpp);
		limn_viv_tiling_load(t, surface, back, stride, x, y, w, h);
		assert_memory_equal(back, rows, stride * h);
	}
}

static void test_rects(void **state)
{
	print_message("seed %llu\n", (unsigned long long)seed);
	each_tiling(check_rects);
}

static int setup(void **state)
{
	const char *given = getenv("LIMN_SEED");

	seed = given ? strtoull(given, NULL, 0) : 1;
	return limn_viv_stream_init(&s, NULL);
}

static int teardown(void **state)
{
	limn_viv_stream_free(&s);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_merge), cmocka_unit_test(test_skip), cmocka_unit_test(test_commands),
		cmocka_unit_test(test_relocs), cmocka_unit_test(test_any_order), cmocka_unit_test(test_offsets),
		cmocka_unit_test(test_rects),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
