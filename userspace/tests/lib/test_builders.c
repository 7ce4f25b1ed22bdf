// SPDX-License-Identifier: MIT
/*
 * The builders' words against words that Mesa 25.0.7's lima emitted for the
 * same draws (userspace/tests/mesa: triangle, cube, textured, blended), and the
 * rules that tile lists and layouts must follow.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/utgard/utgard.h"

static void assert_words(const uint32_t *words, uint32_t count, const uint32_t *expected,
			 uint32_t n)
{
	for (uint32_t i = 0; i < count && i < n; i++)
		if (words[i] != expected[i])
			fail_msg("word %u is 0x%08x, not 0x%08x", i, words[i], expected[i]);
	assert_int_equal(count, n);
}

/* Mesa's triangle: two attributes, three outputs, 9 instructions, a 256x256 target. */
static void triangle(struct utgard_draw *d, struct utgard_places *at)
{
	static const struct utgard_output outputs[] = {
		{ UTGARD_POSITION, 4, false },
		{ UTGARD_POINT_SIZE, 1, false },
		{ UTGARD_VARYING, 4, false },
	};
	static const uint32_t fs[] = { 0x000000a3, 0xf0003c60, 0 };

	memset(d, 0, sizeof(*d));
	memset(at, 0, sizeof(*at));
	limn_utgard_state_init(&d->state, 256, 256);
	d->state.dither = true;
	d->mode = GP_MODE_TRIANGLES;
	d->count = 3;
	d->num_attributes = 2;
	memcpy(d->outputs, outputs, sizeof(outputs));
	d->num_outputs = 3;
	d->vs_bytes = 144;
	d->vs_prefetch = 7;
	d->num_vs_uniforms = 3;
	d->fs = fs;
	d->fs_bytes = sizeof(fs);
	at->vs_uniforms_va = 0xfddfe0c0;
	at->vs_va = 0xfddfc000;
	at->fs_va = 0xfddfd000;
	at->attributes_va = 0xfddfe080;
	at->outputs_va = 0xfddfe100;
	at->rsw_va = 0xfddfe140;
	at->positions_va = 0xfddfb000;
	at->varyings_va = 0xfddfb040;
	at->varying_stride = 16;
	at->has_point_size = true;
}

static void vs_list_of_triangle(void **state)
{
	static const uint32_t expected[] = {
		0x00028000, 0x50000000, 0x00000001, 0x50000000, 0xfddfe0c0, 0x30030000,
		0xfddfc000, 0x40090000, 0x00702000, 0x10000040, 0x01000200, 0x10000042,
		0x00000003, 0x10000041, 0xfddfe080, 0x20040000, 0xfddfe100, 0x20060008,
		0x03000000, 0x00000000, 0x00000000, 0x60000000, 0x00000000, 0x50000000,
	};
	struct utgard_words list = { 0 };
	struct utgard_places at;
	struct utgard_draw d;

	triangle(&d, &at);
	limn_utgard_vs_list(&list, &d, &at);
	assert_words(list.w, list.count, expected, 24);
	limn_utgard_words_free(&list);
}

static void plbu_list_of_triangle(void **state)
{
	static const uint32_t expected[] = {
		0x00000000, 0x10000107, 0x43800000, 0x10000108, 0x00000000, 0x10000105,
		0x43800000, 0x10000106, 0x00010002, 0x60000000, 0x00002200, 0x1000010b,
		0xfddfe140, 0x8fddfb00, 0x007f8000, 0x701fe000, 0x00000000, 0x1000010a,
		0x00000000, 0x1000010e, 0x3f800000, 0x1000010f, 0x03000000, 0x00040000,
		0x00010001, 0x60000000,
	};
	struct utgard_words list = { 0 };
	struct utgard_places at;
	struct utgard_draw d;

	triangle(&d, &at);
	limn_utgard_plbu_list(&list, &d, &at);
	assert_words(list.w, list.count, expected, 26);
	limn_utgard_words_free(&list);
}

static void lists_of_an_indexed_draw(void **state)
{
	static const uint32_t vs[] = {
		0xfddfe480, 0x300c0000, 0xfddfc000, 0x401d0000, 0x01807000, 0x10000040,
		0x02000100, 0x10000042, 0x00000003, 0x10000041, 0xfddfe440, 0x20060000,
		0xfddfe540, 0x20040008, 0x18000001, 0x00000000, 0x00000000, 0x60000000,
		0x00018000, 0x50000000,
	};
	static const uint32_t plbu[] = {
		0x00000000, 0x10000107, 0x43800000, 0x10000108, 0x00000000, 0x10000105,
		0x43800000, 0x10000106, 0x00002600, 0x1000010b, 0xfddfe580, 0x8fddfb00,
		0x007f8000, 0x701fe000, 0x00000000, 0x1000010a, 0x00000000, 0x1000010e,
		0x3f800000, 0x1000010f, 0xfddfb000, 0x10000100, 0xfddfe3c0, 0x10000101,
		0x00010001, 0x60000000, 0x24000000, 0x00240000,
	};
	struct utgard_words list = { 0 };
	struct utgard_places at;
	struct utgard_draw d;

	triangle(&d, &at);
	at.has_point_size = false;
	d.outputs[1] = d.outputs[2];
	d.num_outputs = 2;
	d.num_attributes = 3;
	d.index_bytes = 2;
	d.max_index = 23;
	d.count = 36;
	d.vs_bytes = 464;
	d.vs_prefetch = 24;
	d.num_vs_uniforms = 12;
	at.vs_uniforms_va = 0xfddfe480;
	at.attributes_va = 0xfddfe440;
	at.outputs_va = 0xfddfe540;
	at.rsw_va = 0xfddfe580;
	at.indices_va = 0xfddfe3c0;
	limn_utgard_vs_list(&list, &d, &at);
	assert_words(list.w, list.count, vs, 20);
	list.count = 0;
	limn_utgard_plbu_list(&list, &d, &at);
	assert_words(list.w, list.count, plbu, 28);
	limn_utgard_words_free(&list);
}

/* What lists of experiments lack or have more, all of it words that are at their places in plain ones. */
static void lists_for_experiments(void **state)
{
	static const struct {
		enum utgard_lists lists;
		uint32_t vs_words, plbu_words;
	} rows[] = {
		{ UTGARD_LISTS_PLAIN, 24, 26 }, { UTGARD_LISTS_NO_SEMAPHORES, 18, 22 }, { UTGARD_LISTS_NO_VS_FLUSH, 22, 26 },
		{ UTGARD_LISTS_PLBU_FLUSH, 24, 28 },
	};

	for (unsigned int i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct utgard_words vs = { 0 }, plbu = { 0 };
		struct utgard_places at;
		struct utgard_draw d;
		unsigned int semaphores = 0, flushes = 0;

		triangle(&d, &at);
		d.lists = rows[i].lists;
		limn_utgard_vs_list(&vs, &d, &at);
		limn_utgard_plbu_list(&plbu, &d, &at);
		assert_int_equal(vs.count, rows[i].vs_words);
		assert_int_equal(plbu.count, rows[i].plbu_words);
		for (uint32_t k = 1; k < vs.count; k += 2) {
			semaphores += vs.w[k] == 0x50000000;
			flushes += vs.w[k] == 0x60000000;
		}
		assert_int_equal(semaphores, rows[i].lists == UTGARD_LISTS_NO_SEMAPHORES ? 0 : 3);
		assert_int_equal(flushes, rows[i].lists != UTGARD_LISTS_NO_VS_FLUSH);
		assert_int_equal(plbu.w[plbu.count - 1] == 0xd0000000, rows[i].lists == UTGARD_LISTS_PLBU_FLUSH);
		limn_utgard_words_free(&vs);
		limn_utgard_words_free(&plbu);
	}
}

static void plbu_head(void **state)
{
	static const uint32_t expected[] = {
		0x00000200, 0x1000010b, 0x00000000, 0x1000010c, 0x0f000f00, 0x10000109,
		0x00000010, 0x30000000, 0xfdf7e000, 0x280000ff,
	};
	struct utgard_tiles tiles = limn_utgard_tiles_of(256, 256);
	struct utgard_words list = { 0 };

	limn_utgard_plbu_head(&list, &tiles, 0xfdf7e000);
	assert_words(list.w, list.count, expected, 10);
	limn_utgard_words_free(&list);
}

static void culling_by_winding(void **state)
{
	/* Face to cull and winding of the front, to the bits of the primitive word. */
	static const struct {
		bool front, back, ccw;
		uint32_t bits;
	} rows[] = {
		{ false, false, true, 0 },
		{ true, false, true, 0x40000 },
		{ true, false, false, 0x20000 },
		{ false, true, true, 0x20000 },
		{ false, true, false, 0x40000 },
		{ true, true, true, 0x60000 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct utgard_words list = { 0 };
		struct utgard_places at;
		struct utgard_draw d;

		triangle(&d, &at);
		d.state.cull_front = rows[i].front;
		d.state.cull_back = rows[i].back;
		d.state.front_ccw = rows[i].ccw;
		limn_utgard_plbu_list(&list, &d, &at);
		assert_int_equal(list.w[10], 0x2200 | rows[i].bits);
		limn_utgard_words_free(&list);
	}
}

static void check_rsw(struct utgard_draw *d, struct utgard_places *at, const uint32_t *expected)
{
	uint32_t rsw[RSW_WORDS];

	limn_utgard_rsw(rsw, d, at, 1);
	assert_words(rsw, RSW_WORDS, expected, RSW_WORDS);
}

static void rsw_of_triangle(void **state)
{
	static const uint32_t expected[] = {
		0x00000000, 0x00000000, 0xfc3b1ad2, 0x0000003e, 0xffff0000, 0xff000007,
		0xff000007, 0x0000ffff, 0x0000f807, 0xfddfd003, 0x00000000, 0x00000000,
		0x00000000, 0x00001302, 0x00003000, 0xfddfb040,
	};
	struct utgard_places at;
	struct utgard_draw d;

	triangle(&d, &at);
	check_rsw(&d, &at, expected);
}

static void rsw_of_cube(void **state)
{
	static const uint32_t expected[] = {
		0x00000000, 0x00000000, 0xfc3b1ad2, 0x00000033, 0xffff0000, 0xff000007,
		0xff000007, 0x0000ffff, 0x1111f807, 0xfddfd004, 0x00000000, 0x00000000,
		0x00000000, 0x00001302, 0x00003000, 0xfddfb180,
	};
	static const uint32_t fs[] = { 0x02201084 };
	struct utgard_places at;
	struct utgard_draw d;

	triangle(&d, &at);
	d.fs = fs;
	d.fs_color_reg = 1;
	d.state.depth_test = true;
	d.state.depth_write = true;
	d.state.depth_func = RSW_LESS;
	at.varyings_va = 0xfddfb180;
	check_rsw(&d, &at, expected);
}

static void rsw_of_blended(void **state)
{
	static const uint32_t expected[] = {
		0x00000000, 0x00000000, 0xfc80c412, 0x0000003e, 0xffff0000, 0xff000007,
		0xff000007, 0x0000ffff, 0x0000f807, 0xfddfd004, 0x00000000, 0xfddfe143,
		0x00000000, 0x00000380, 0x00013000, 0x00000000,
	};
	static const uint32_t fs[] = { 0x00001224 };
	struct utgard_places at;
	struct utgard_draw d;

	triangle(&d, &at);
	d.fs = fs;
	d.num_outputs = 1;
	d.num_fs_uniforms = 32;
	d.state.blend = true;
	d.state.blend_src_rgb = RSW_FACTOR_SRC | RSW_FACTOR_ALPHA;
	d.state.blend_dst_rgb = RSW_FACTOR_SRC | RSW_FACTOR_ALPHA | RSW_FACTOR_INVERT;
	d.state.blend_src_alpha = RSW_FACTOR_SRC | RSW_FACTOR_ALPHA;
	d.state.blend_dst_alpha = RSW_FACTOR_SRC | RSW_FACTOR_ALPHA | RSW_FACTOR_INVERT;
	at.fs_uniforms_va = 0xfddfe140;
	at.varying_stride = 0;
	check_rsw(&d, &at, expected);
}

static void rsw_of_textured(void **state)
{
	static const uint32_t expected[] = {
		0x00000000, 0x00000000, 0xfc3b1ad2, 0x0000003e, 0xffff0000, 0xff000007,
		0xff000007, 0x0000ffff, 0x0000f807, 0xfddf9006, 0x00000001, 0x00000000,
		0xfddfa140, 0x00005322, 0x00003000, 0xfddf7040,
	};
	static const uint32_t fs[] = { 0x000011e6 };
	struct utgard_places at;
	struct utgard_draw d;

	triangle(&d, &at);
	d.fs = fs;
	d.outputs[2].components = 2;
	d.num_textures = 1;
	at.fs_va = 0xfddf9000;
	at.textures_va = 0xfddfa140;
	at.varyings_va = 0xfddf7040;
	check_rsw(&d, &at, expected);
}

static void texture_descriptor(void **state)
{
	static const uint32_t expected[] = {
		0x00000096, 0x80000400, 0x10013800, 0x00010200, 0x00000000, 0x00000000,
		0x00006000, 0x00fdefa0, 0, 0, 0, 0, 0, 0, 0, 0,
	};
	struct utgard_image image = {
		.texel = limn_utgard_texel_find("rgba8888"),
		.width = 64, .height = 64, .levels = 1, .tiled = true,
	};
	struct utgard_sampler sampler = {
		.wrap_s = TEX_WRAP_CLAMP_TO_EDGE, .wrap_t = TEX_WRAP_CLAMP_TO_EDGE, .max_lod = 15,
	};
	uint32_t desc[TEX_DESC_WORDS];

	assert_int_equal(limn_utgard_image_layout(&image, NULL), 0);
	limn_utgard_texture_desc(desc, &image, 0xfdefa000, &sampler);
	assert_words(desc, TEX_DESC_WORDS, expected, 16);
}

static void frame_registers(void **state)
{
	static const uint32_t frame_expected[] = {
		0x00000000, 0xfffff000, 0x00000000, 0x00000002, 0x00ffffff, 0x00000000,
		0xff1a1a1a, 0xff1a1a1a, 0xff1a1a1a, 0xff1a1a1a, 0x000000ff, 0x000000ff,
		0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000001, 0x000001ff,
		0x00000077, 0x00000001, 0x00000000, 0x00000e0c, 0x00008888,
	};
	/* Mesa's target was tiled (layout 2, pitch 16, no swap); ours is rows of 1024 bytes. */
	static const uint32_t wb_expected[] = {
		0x00000002, 0xfdf3e000, 0x00000003, 0x00000000, 0x00000000, 0x00000080,
		0x00000004, 0, 0, 0, 0, 0,
	};
	struct utgard_target t = {
		.width = 256, .height = 256, .pixel = limn_utgard_pixel_find("rgba8888"), .samples = 1,
		.clear_color = { 0x1a, 0x1a, 0x1a, 0xff }, .clear_depth = 0xffffff,
	};
	uint32_t frame[LIMA_PP_FRAME_REG_NUM], wb[3 * LIMA_PP_WB_REG_NUM];

	limn_utgard_pp_frame(frame, wb, &t, 0xfffff000, 0xfdf3e000, 0);
	assert_words(frame, LIMA_PP_FRAME_REG_NUM, frame_expected, 23);
	assert_words(wb, LIMA_PP_WB_REG_NUM, wb_expected, 12);
	for (int i = LIMA_PP_WB_REG_NUM; i < 3 * LIMA_PP_WB_REG_NUM; i++)
		assert_int_equal(wb[i], 0);
}

static void hilbert_visits_all_once(void **state)
{
	for (uint32_t n = 1; n <= 64; n *= 2) {
		uint8_t *seen = calloc(n, n);
		uint32_t px = 0, py = 0;

		for (uint32_t d = 0; d < n * n; d++) {
			uint32_t x, y;

			limn_utgard_hilbert(n, d, &x, &y);
			assert_true(x < n && y < n);
			assert_false(seen[y * n + x]);
			seen[y * n + x] = 1;
			/* Neighbours on the curve are neighbours in the plane. */
			if (d)
				assert_int_equal(abs((int)x - (int)px) + abs((int)y - (int)py), 1);
			px = x;
			py = y;
		}
		free(seen);
	}
}

/* Every tile is in exactly one core's list, calls its block's list, and lists are even. */
static void check_tile_lists(uint32_t width, uint32_t height, uint32_t num_pp)
{
	struct utgard_tiles t = limn_utgard_tiles_of(width, height);
	uint32_t offset[UTGARD_MAX_PP], bytes = limn_utgard_tile_lists(&t, num_pp, 0, NULL, offset);
	uint32_t *out = calloc(1, bytes), plb = 0x00400000, least = UINT32_MAX, most = 0;
	uint8_t *seen = calloc(t.w, t.h);

	assert_int_equal(limn_utgard_tile_lists(&t, num_pp, plb, out, offset), bytes);
	for (uint32_t i = 0; i < num_pp; i++) {
		const uint32_t *w = out + offset[i] / 4;
		uint32_t n = 0, end = (i + 1 < num_pp ? offset[i + 1] : bytes) / 4;

		assert_int_equal(offset[i] % 32, 0);
		for (; w[1] != PPS_END; w += 4, n++) {
			uint32_t x = utgard_get(w, TILE_BEGIN_X), y = utgard_get(w, TILE_BEGIN_Y);
			uint32_t list = (y >> t.shift_h) * t.block_w + (x >> t.shift_w);

			assert_int_equal(w[0], 0);
			assert_int_equal(PPS_OPCODE(w[1]), 0xb);
			assert_true(x < t.w && y < t.h);
			assert_false(seen[y * t.w + x]);
			seen[y * t.w + x] = 1;
			assert_true(list < t.block_w * t.block_h);
			assert_int_equal(PPS_TARGET(w[2]), plb + list * PLB_BLOCK_BYTES);
			assert_int_equal(PPS_TARGET_TYPE(w[2]), PPS_TARGET_CALL);
			assert_int_equal(w[3], PPS_CALL);
		}
		assert_true(w - out + 4 <= end);
		least = n < least ? n : least;
		most = n > most ? n : most;
	}
	for (uint32_t i = 0; i < t.w * t.h; i++)
		assert_true(seen[i]);
	assert_true(most - least <= 1);
	free(seen);
	free(out);
}

static void tile_lists(void **state)
{
	static const uint32_t sizes[][2] = {
		{ 1, 1 }, { 16, 16 }, { 17, 16 }, { 256, 256 }, { 250, 130 }, { 1920, 1080 },
		{ 4096, 16 }, { 16, 4096 }, { 4096, 4096 },
	};

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		for (uint32_t num_pp = 1; num_pp <= 8; num_pp++)
			check_tile_lists(sizes[i][0], sizes[i][1], num_pp);
}

static void dlbu_registers(void **state)
{
	/* 1920x1080: 120x68 tiles, shared by 4x4; lima_job.c's formulas by hand. */
	static const uint32_t expected[] = { 0x00400000, 67 << 16 | 119, 0x20020002, 67 << 24 | 119 << 16 };
	struct utgard_tiles t = limn_utgard_tiles_of(1920, 1080);
	uint32_t regs[4];

	assert_int_equal(t.block_w, 30);
	assert_int_equal(t.block_h, 17);
	limn_utgard_dlbu(&t, 0x00400000, regs);
	assert_words(regs, 4, expected, 4);
}

static void polygon_lists_fit(void **state)
{
	for (uint32_t w = 1; w <= UTGARD_MAX_SIZE; w += 61) {
		for (uint32_t h = 1; h <= UTGARD_MAX_SIZE; h += 67) {
			struct utgard_tiles t = limn_utgard_tiles_of(w, h);

			assert_true(t.block_w * t.block_h <= UTGARD_PLB_MAX_BLOCKS);
			assert_true(t.block_w << t.shift_w >= t.w);
			assert_true(t.block_h << t.shift_h >= t.h);
		}
	}
}

static void varyings_in_16_and_8_bytes(void **state)
{
	static const struct utgard_output outputs[] = {
		{ UTGARD_VARYING, 2, true }, { UTGARD_POSITION, 4, false },
		{ UTGARD_VARYING, 4, false }, { UTGARD_VARYING, 3, true },
		{ UTGARD_VARYING, 2, false },
	};
	uint32_t offset[5] = { 0 };

	assert_int_equal(limn_utgard_varyings_layout(outputs, 5, offset), 64);
	assert_int_equal(offset[0], 0);
	assert_int_equal(offset[2], 16);
	assert_int_equal(offset[3], 32);
	assert_int_equal(offset[4], 48);
	assert_int_equal(limn_utgard_varyings_layout(&outputs[1], 1, offset), 0);
}

/* Within a block the order is that of a Z curve on x ^ y and y: spelt out for 4x4. */
static void texture_blocks(void **state)
{
	static const uint8_t corner[4][4] = {
		{ 0, 1, 4, 5 }, { 3, 2, 7, 6 }, { 12, 13, 8, 9 }, { 15, 14, 11, 10 },
	};
	struct utgard_image image = {
		.texel = limn_utgard_texel_find("l8"), .width = 40, .height = 20, .levels = 2,
		.tiled = true,
	};
	uint8_t *map, seen[256] = { 0 };
	float *rgba;

	for (uint32_t y = 0; y < 4; y++)
		for (uint32_t x = 0; x < 4; x++)
			assert_int_equal(utgard_tile_index(x, y), corner[y][x]);
	for (uint32_t i = 0; i < 256; i++)
		seen[utgard_tile_index(i % 16, i / 16)]++;
	for (uint32_t i = 0; i < 256; i++)
		assert_int_equal(seen[i], 1);

	assert_int_equal(limn_utgard_image_layout(&image, NULL), 0);
	assert_int_equal(image.stride[0], 48);
	assert_int_equal(image.offset[1], 48 * 32);
	assert_int_equal(image.stride[1], 32);
	map = calloc(1, image.bytes);
	rgba = calloc(40 * 20, 16);
	rgba[4 * (17 * 40 + 18)] = 1;	/* texel (18, 17): block (1, 1), element (2, 1) */
	limn_utgard_image_store(&image, 0, rgba, map);
	assert_int_equal(map[16 * 48 + 256 + corner[1][2]], 255);
	free(rgba);
	free(map);
}

static void image_sizes_refused(void **state)
{
	static const struct {
		uint32_t w, h, levels;
	} rows[] = {
		{ 0, 1, 1 }, { 1, 0, 1 }, { 4097, 1, 1 }, { 1, 4097, 1 }, { 8, 8, 0 }, { 8, 8, 5 },
	};
	struct limn_error err;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct utgard_image image = {
			.texel = limn_utgard_texel_find("rgba8888"),
			.width = rows[i].w, .height = rows[i].h, .levels = rows[i].levels,
		};

		err.text[0] = 0;
		assert_true(limn_utgard_image_layout(&image, &err) < 0);
		assert_true(err.text[0]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(vs_list_of_triangle),
		cmocka_unit_test(plbu_list_of_triangle),
		cmocka_unit_test(lists_of_an_indexed_draw),
		cmocka_unit_test(lists_for_experiments),
		cmocka_unit_test(plbu_head),
		cmocka_unit_test(culling_by_winding),
		cmocka_unit_test(rsw_of_triangle),
		cmocka_unit_test(rsw_of_cube),
		cmocka_unit_test(rsw_of_blended),
		cmocka_unit_test(rsw_of_textured),
		cmocka_unit_test(texture_descriptor),
		cmocka_unit_test(frame_registers),
		cmocka_unit_test(hilbert_visits_all_once),
		cmocka_unit_test(tile_lists),
		cmocka_unit_test(dlbu_registers),
		cmocka_unit_test(polygon_lists_fit),
		cmocka_unit_test(varyings_in_16_and_8_bytes),
		cmocka_unit_test(texture_blocks),
		cmocka_unit_test(image_sizes_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
