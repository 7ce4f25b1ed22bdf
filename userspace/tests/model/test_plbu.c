// SPDX-License-Identifier: MIT
/* The polygon list builder on small lists made by hand, through the host carrier; no vertex shader. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <limn/utgard/gp_stream.h>
#include <limn/utgard/pp_stream.h>

#include "model/carriers/host/host.h"

#define TILES_W		4
#define TILES_H		3
#define BLOCKS		(TILES_W * TILES_H)
#define RSW		0x00abc000u

struct env {
	struct host *host;
	unsigned int reports;
	char last[256];
	/* One BO: command list, index buffer, positions, array, PLB blocks. */
	uint32_t va, heap, handle, heap_handle;
	uint8_t *map;
	uint32_t words;
};

#define LIST		0x0000
#define INDICES		0x8000
#define POSITIONS	0x10000
#define SIZES		0x18000
#define ARRAY		0x1c000
#define BLOCK0		0x1d000
#define BO_SIZE		0x20000

static void on_report(void *ctx, const char *unit, const char *text)
{
	struct env *e = ctx;

	e->reports++;
	snprintf(e->last, sizeof(e->last), "%s: %s", unit, text);
}

static void cmd(struct env *e, uint32_t w0, uint32_t w1)
{
	uint32_t *list = (uint32_t *)(e->map + LIST);

	list[e->words++] = w0;
	list[e->words++] = w1;
}

static void reg(struct env *e, uint32_t n, uint32_t val)
{
	cmd(e, val, 0x10000000 | n);
}

static void regf(struct env *e, uint32_t n, float f)
{
	uint32_t val;

	memcpy(&val, &f, sizeof(val));
	reg(e, n, val);
}

static void start(struct env *e, bool strict, uint32_t heap_size)
{
	struct host_config config = { .gpu = "mali-400-mp1", .strict = strict, .seed = 11, .ctx = e,
				      .report = on_report, .timeout = 100000 };
	uint32_t backed;
	void *map;

	memset(e, 0, sizeof(*e));
	assert_int_equal(host_create(&config, &e->host), 0);
	assert_int_equal(host_bo_create(e->host, BO_SIZE, 0, &e->handle), 0);
	assert_int_equal(host_bo_info(e->host, e->handle, &e->va, &map, &backed), 0);
	e->map = map;
	assert_int_equal(host_bo_create(e->host, heap_size, HOST_BO_HEAP, &e->heap_handle), 0);
	assert_int_equal(host_bo_info(e->host, e->heap_handle, &e->heap, &map, &backed), 0);
}

static void stop(struct env *e)
{
	host_destroy(e->host);
}

/* The head of a list: one block per tile. */
static void head(struct env *e)
{
	uint32_t *array = (uint32_t *)(e->map + ARRAY);

	e->words = 0;
	for (uint32_t i = 0; i < BLOCKS; i++)
		array[i] = e->va + BLOCK0 + i * PLB_BLOCK_BYTES;
	memset(e->map + BLOCK0, 0xee, BLOCKS * PLB_BLOCK_BYTES);
	reg(e, PLBU_REG_PRIMITIVE, 0x200);
	reg(e, PLBU_REG_BLOCK_STEP, 0);
	reg(e, PLBU_REG_TILES, (TILES_W - 1) << 24 | (TILES_H - 1) << 8);
	cmd(e, TILES_W, PLBU_W1_BLOCK_STRIDE);
	cmd(e, e->va + ARRAY, PLBU_W1_ARRAY(BLOCKS));
	regf(e, PLBU_REG_VIEWPORT_LEFT, 0);
	regf(e, PLBU_REG_VIEWPORT_RIGHT, TILES_W * 16);
	regf(e, PLBU_REG_VIEWPORT_BOTTOM, 0);
	regf(e, PLBU_REG_VIEWPORT_TOP, TILES_H * 16);
	regf(e, PLBU_REG_DEPTH_NEAR, 0);
	regf(e, PLBU_REG_DEPTH_FAR, 1);
	reg(e, PLBU_REG_INDICES, e->va + INDICES);
	reg(e, PLBU_REG_POSITIONS, e->va + POSITIONS);
	cmd(e, RSW, PLBU_W1_RSW(e->va + POSITIONS));
}

static void vertex(struct env *e, uint32_t i, float x, float y, float z, float rw)
{
	float v[4] = { x, y, z, rw };

	memcpy(e->map + POSITIONS + 16 * i, v, sizeof(v));
}

static enum host_status run(struct env *e)
{
	uint32_t frame[6] = { 0, 0, e->va + LIST, e->va + LIST + 4 * e->words, e->heap, e->heap + 0x1000 };
	enum host_status status = 99;

	assert_int_equal(host_submit(e->host, HOST_PIPE_GP, frame, sizeof(frame), &status), 0);
	return status;
}

static void draw(struct env *e, uint32_t mode, uint32_t start, uint32_t count)
{
	cmd(e, PLBU_W0_DRAW(start, count), PLBU_W1_DRAW_ELEMENTS(mode, count));
}

/* What is in the list of a block: primitives, in order. */
struct list {
	unsigned int prims, states, sizes, jumps;
	uint32_t op[4], lo[4], hi[4];	/* the first four primitives */
};

static struct list decode(struct env *e, uint32_t block)
{
	struct list l = { 0 };
	uint32_t va = e->va + BLOCK0 + block * PLB_BLOCK_BYTES;
	uint32_t heap_va, backed;
	void *heap;

	assert_int_equal(host_bo_info(e->host, e->heap_handle, &heap_va, &heap, &backed), 0);
	for (;;) {
		uint32_t w[2];

		if (va - e->va < BO_SIZE) {
			memcpy(w, e->map + (va - e->va), sizeof(w));
		} else {
			assert_in_range(va, heap_va, heap_va + backed - 8);
			memcpy(w, (uint8_t *)heap + (va - heap_va), sizeof(w));
		}
		va += 8;
		switch (w[1] >> 28) {
		case PLB_OP_RETURN:
			return l;
		case PLB_OP_JUMP:
			l.jumps++;
			va = PPS_TARGET(w[0]);
			break;
		case PLB_OP_RSW:
			assert_int_equal(w[0], RSW);
			assert_int_equal(PLB_RSW_GL_POS(w[1]), e->va + POSITIONS);
			l.states++;
			break;
		case PLB_OP_SCISSOR:
			l.states++;
			break;
		case PLB_OP_SIZE:
			l.sizes++;
			break;
		case PLB_OP_TRIANGLE:
		case PLB_OP_LINE:
		case PLB_OP_POINT:
		case PLB_OP_RECT:
			assert_true(l.states > 0);
			if (l.prims < 4) {
				l.op[l.prims] = w[1] >> 28;
				l.lo[l.prims] = w[0];
				l.hi[l.prims] = w[1];
			}
			l.prims++;
			break;
		default:
			fail_msg("word %08x %08x in the list of block %u", w[0], w[1], block);
		}
	}
}

static unsigned int blocks_with_prims(struct env *e)
{
	unsigned int n = 0;

	for (uint32_t i = 0; i < BLOCKS; i++)
		n += decode(e, i).prims > 0;
	return n;
}

static void indices8(struct env *e, unsigned int n)
{
	for (unsigned int i = 0; i < n; i++)
		e->map[INDICES + i] = i;
}

static void one_triangle(struct env *e, uint32_t setup)
{
	head(e);
	indices8(e, 3);
	reg(e, PLBU_REG_PRIMITIVE, setup);
	cmd(e, PLBU_W0_SCISSOR(0, TILES_H * 16, 0), PLBU_W1_SCISSOR(0, TILES_W * 16));
	draw(e, GP_MODE_TRIANGLES, 0, 3);
	cmd(e, 0, PLBU_W1_END);
}

static void triangle_in_its_tiles(void **state)
{
	for (int strict = 0; strict <= 1; strict++) {
		struct env e;
		struct list l;

		start(&e, strict, 1 << 20);
		one_triangle(&e, PLBU_PRIM(1));
		/* Lower left half of the tiles 1..2, 0..1: clockwise on a screen whose y grows down. */
		vertex(&e, 0, 18, 2, 0.5, 1);
		vertex(&e, 1, 46, 30, 0.5, 1);
		vertex(&e, 2, 18, 30, 0.5, 1);
		assert_int_equal(run(&e), HOST_OK);
		assert_int_equal(decode(&e, 1).prims, 1);
		assert_int_equal(decode(&e, TILES_W + 1).prims, 1);
		assert_int_equal(decode(&e, TILES_W + 2).prims, 1);
		assert_in_range(blocks_with_prims(&e), 3, 4);
		assert_int_equal(decode(&e, 0).prims, 0);
		assert_int_equal(decode(&e, 3).prims, 0);
		l = decode(&e, 1);
		assert_int_equal(l.states, 2);
		assert_int_equal(l.op[0], PLB_OP_TRIANGLE);
		assert_int_equal(PLB_PRIM_I0(l.lo[0], l.hi[0]), 0);
		assert_int_equal(PLB_PRIM_I1(l.lo[0], l.hi[0]), 1);
		assert_int_equal(PLB_PRIM_I2(l.lo[0], l.hi[0]), 2);
		assert_int_equal(e.reports, 0);
		stop(&e);
	}
}

static void culling(void **state)
{
	static const struct { uint32_t cull; bool turned; unsigned int prims; } rows[] = {
		{ 0, false, 1 }, { 0, true, 1 },
		{ UTGARD_MASK(PLBU_REG_CULL_CW), false, 0 }, { UTGARD_MASK(PLBU_REG_CULL_CW), true, 1 },
		{ UTGARD_MASK(PLBU_REG_CULL_CCW), false, 1 }, { UTGARD_MASK(PLBU_REG_CULL_CCW), true, 0 },
		{ UTGARD_MASK(PLBU_REG_CULL_CW) | UTGARD_MASK(PLBU_REG_CULL_CCW), false, 0 },
	};
	struct env e;

	start(&e, false, 1 << 20);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		one_triangle(&e, PLBU_PRIM(1) | rows[i].cull);
		vertex(&e, 0, 2, 2, 0.5, 1);
		vertex(&e, rows[i].turned ? 2 : 1, 14, 2, 0.5, 1);
		vertex(&e, rows[i].turned ? 1 : 2, 2, 14, 0.5, 1);
		assert_int_equal(run(&e), HOST_OK);
		assert_int_equal(decode(&e, 0).prims, rows[i].prims);
	}
	stop(&e);
}

static void rejects(void **state)
{
	static const struct { float v[3][4]; bool kept; } rows[] = {
		{ { { 2, 2, 0, 1 }, { 9, 2, 0, 1 }, { 2, 9, 0, 1 } }, true },
		{ { { -9, 2, 0, 1 }, { -2, 2, 0, 1 }, { -2, 9, 0, 1 } }, false },	/* left of the viewport */
		{ { { 2, 50, 0, 1 }, { 9, 50, 0, 1 }, { 2, 59, 0, 1 } }, false },	/* below it */
		{ { { 2, 2, -1, 1 }, { 9, 2, -1, 1 }, { 2, 9, -1, 1 } }, false },	/* before the near plane */
		{ { { 2, 2, 2, 1 }, { 9, 2, 2, 1 }, { 2, 9, 2, 1 } }, false },
		{ { { 2, 2, -1, 1 }, { 9, 2, 0.5, 1 }, { 2, 9, 0, 1 } }, true },	/* across it */
		{ { { 2, 2, 0, -1 }, { 9, 2, 0, -1 }, { 2, 9, 0, -1 } }, false },	/* behind the eye */
		{ { { 2, 2, 0, -1 }, { 9, 2, 0, 1 }, { 2, 9, 0, 1 } }, true },		/* partly */
		{ { { 2, 2, 0, 1 }, { 9, 9, 0, 1 }, { 16, 16, 0, 1 } }, false },	/* no area */
		{ { { 0.0f / 0.0f, 2, 0, 1 }, { 9, 2, 0, 1 }, { 2, 9, 0, 1 } }, false },
	};
	struct env e;

	start(&e, false, 1 << 20);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		one_triangle(&e, PLBU_PRIM(1));
		for (int v = 0; v < 3; v++)
			vertex(&e, v, rows[i].v[v][0], rows[i].v[v][1], rows[i].v[v][2], rows[i].v[v][3]);
		assert_int_equal(run(&e), HOST_OK);
		assert_int_equal(decode(&e, 0).prims, rows[i].kept);
	}
	stop(&e);
}

static void scissor_limits_tiles(void **state)
{
	struct env e;

	start(&e, false, 1 << 20);
	head(&e);
	indices8(&e, 3);
	reg(&e, PLBU_REG_PRIMITIVE, PLBU_PRIM(1));
	cmd(&e, PLBU_W0_SCISSOR(18, 40, 17), PLBU_W1_SCISSOR(18, 30));
	draw(&e, GP_MODE_TRIANGLES, 0, 3);
	cmd(&e, 0, PLBU_W1_END);
	vertex(&e, 0, -1000, -1000, 0, 1);
	vertex(&e, 1, 3000, -1000, 0, 1);
	vertex(&e, 2, -1000, 3000, 0, 1);
	assert_int_equal(run(&e), HOST_OK);
	assert_int_equal(blocks_with_prims(&e), 2);
	assert_int_equal(decode(&e, TILES_W + 1).prims, 1);
	assert_int_equal(decode(&e, 2 * TILES_W + 1).prims, 1);
	stop(&e);
}

/* Every mode, each index size: the primitives and their vertices. */
static void assembly(void **state)
{
	static const struct { uint32_t mode, count, prims, op, second[3]; } rows[] = {
		{ GP_MODE_POINTS, 5, 5, PLB_OP_POINT, { 1, 1, 1 } },
		{ GP_MODE_LINES, 6, 3, PLB_OP_LINE, { 2, 3, 3 } },
		{ GP_MODE_LINE_STRIP, 5, 4, PLB_OP_LINE, { 1, 2, 2 } },
		{ GP_MODE_LINE_LOOP, 5, 5, PLB_OP_LINE, { 1, 2, 2 } },
		{ GP_MODE_TRIANGLES, 6, 2, PLB_OP_TRIANGLE, { 3, 4, 5 } },
		{ GP_MODE_TRIANGLE_STRIP, 6, 4, PLB_OP_TRIANGLE, { 2, 1, 3 } },
		{ GP_MODE_TRIANGLE_FAN, 6, 4, PLB_OP_TRIANGLE, { 0, 2, 3 } },
		{ GP_MODE_QUADS, 8, 4, PLB_OP_TRIANGLE, { 1, 2, 3 } },
		{ GP_MODE_QUAD_STRIP, 8, 6, PLB_OP_TRIANGLE, { 2, 0, 3 } },
		{ GP_MODE_POLYGON, 6, 4, PLB_OP_TRIANGLE, { 0, 2, 3 } },
		{ GP_MODE_RECT, 3, 1, PLB_OP_RECT, { 0 } },
	};
	struct env e;

	start(&e, false, 1 << 20);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		for (int size = 1; size <= 4; size *= 2) {
			/* The smallest index of a draw is vertex 0. */
			const uint32_t first = size == 1 ? 7 : 1000;
			struct list l;

			head(&e);
			memset(e.map + INDICES, 0, 64);
			for (uint32_t n = 0; n < rows[i].count; n++) {
				uint32_t index = first + n;

				memcpy(e.map + INDICES + n * size, &index, size);
				vertex(&e, n, n & 1 ? 3 : 11, 1 + 2 * n, 0, 1);
			}
			reg(&e, PLBU_REG_PRIMITIVE, PLBU_PRIM(size) | UTGARD_MASK(PLBU_REG_FORCE_SIZE));
			regf(&e, PLBU_REG_LOW_PRIM_SIZE, 1);
			draw(&e, rows[i].mode, first, rows[i].count);
			cmd(&e, 0, PLBU_W1_END);
			assert_int_equal(run(&e), HOST_OK);
			l = decode(&e, 0);
			assert_int_equal(l.prims, rows[i].prims);
			assert_int_equal(l.op[0], rows[i].op);
			assert_int_equal(l.sizes, rows[i].op == PLB_OP_POINT || rows[i].op == PLB_OP_LINE);
			if (l.prims > 1) {
				assert_int_equal(PLB_PRIM_I0(l.lo[1], l.hi[1]), rows[i].second[0]);
				assert_int_equal(PLB_PRIM_I1(l.lo[1], l.hi[1]), rows[i].second[1]);
				assert_int_equal(PLB_PRIM_I2(l.lo[1], l.hi[1]), rows[i].second[2]);
			}
		}
	}
	assert_int_equal(e.reports, 0);
	stop(&e);
}

static void points_reach_by_their_size(void **state)
{
	float sizes[3] = { 2, 20, 10 };
	struct env e;

	start(&e, false, 1 << 20);
	head(&e);
	indices8(&e, 3);
	vertex(&e, 0, 8, 8, 0, 1);
	vertex(&e, 1, 40, 24, 0, 1);
	/* Its centre is outside, some of it is not. */
	vertex(&e, 2, -4, 40, 0, 1);
	memcpy(e.map + SIZES, sizes, sizeof(sizes));
	reg(&e, PLBU_REG_PRIMITIVE, PLBU_PRIM(1));
	reg(&e, PLBU_REG_POINT_SIZES, e.va + SIZES);
	draw(&e, GP_MODE_POINTS, 0, 3);
	cmd(&e, 0, PLBU_W1_END);
	assert_int_equal(run(&e), HOST_OK);
	assert_int_equal(decode(&e, 0).prims, 1);
	assert_int_equal(blocks_with_prims(&e), 1 + 9 + 1);
	assert_int_equal(decode(&e, TILES_W + 2).prims, 1);
	assert_int_equal(decode(&e, TILES_W + 1).prims, 1);
	assert_int_equal(decode(&e, 2 * TILES_W).prims, 1);
	stop(&e);
}

/* More primitives than a heap's first 32 KiB hold: out of memory, growth, resume. */
static void heap_grows(void **state)
{
	for (int strict = 0; strict <= 1; strict++) {
		struct env e;
		struct list l;

		start(&e, strict, 4 << 20);
		head(&e);
		indices8(&e, 3);
		vertex(&e, 0, 2, 2, 0.5, 1);
		vertex(&e, 1, 14, 2, 0.5, 1);
		vertex(&e, 2, 2, 14, 0.5, 1);
		reg(&e, PLBU_REG_PRIMITIVE, PLBU_PRIM(1));
		for (int i = 0; i < 2000; i++) {
			for (int n = 0; n < 3; n++)
				e.map[INDICES + 3 * i + n] = n;
		}
		for (int i = 0; i < 15; i++)
			draw(&e, GP_MODE_TRIANGLES, 0, 3 * 2000);
		cmd(&e, 0, PLBU_W1_END);
		assert_int_equal(run(&e), HOST_OK);
		l = decode(&e, 0);
		assert_int_equal(l.prims, 30000);
		/* 63 commands and a link to a block. */
		assert_int_equal(l.jumps, 30001 / 63);
		assert_int_equal(e.reports, 0);
		stop(&e);
	}
}

static void heap_full(void **state)
{
	struct env e;

	start(&e, false, 32 << 10);
	head(&e);
	vertex(&e, 0, 2, 2, 0.5, 1);
	vertex(&e, 1, 14, 2, 0.5, 1);
	vertex(&e, 2, 2, 14, 0.5, 1);
	reg(&e, PLBU_REG_PRIMITIVE, PLBU_PRIM(1));
	for (int i = 0; i < 3 * 6000; i++)
		e.map[INDICES + i] = i % 3;
	draw(&e, GP_MODE_TRIANGLES, 0, 3 * 6000);
	cmd(&e, 0, PLBU_W1_END);
	assert_int_equal(run(&e), HOST_FAULT);
	assert_non_null(strstr(host_error(e.host), "heap"));
	/* And the next job is as good as new. */
	one_triangle(&e, PLBU_PRIM(1));
	assert_int_equal(run(&e), HOST_OK);
	assert_int_equal(decode(&e, 0).prims, 1);
	stop(&e);
}

static void bad_lists(void **state)
{
	struct env e;

	start(&e, true, 1 << 20);
	/* An invalid command. */
	head(&e);
	cmd(&e, 0x12345678, 0x90000000);
	assert_int_equal(run(&e), HOST_FAULT);
	assert_int_equal(e.reports, 1);
	assert_non_null(strstr(e.last, "12345678"));
	/* A list where nothing is mapped. */
	head(&e);
	cmd(&e, 0x70000000, 0xf0000000);
	assert_int_equal(run(&e), HOST_FAULT);
	assert_non_null(strstr(host_error(e.host), "page fault at 70000000, read"));
	/* An endless one. */
	head(&e);
	cmd(&e, e.va + LIST, 0xf0000000);
	assert_int_equal(run(&e), HOST_TIMEOUT);
	/* A block of tiles that the array does not have. */
	e.reports = 0;
	head(&e);
	reg(&e, PLBU_REG_TILES, 9u << 24 | 9 << 8);
	regf(&e, PLBU_REG_VIEWPORT_TOP, 160);
	reg(&e, PLBU_REG_PRIMITIVE, PLBU_PRIM(1));
	indices8(&e, 3);
	vertex(&e, 0, 2, 2, 0, 1);
	vertex(&e, 1, 9, 2, 0, 1);
	vertex(&e, 2, 2, 150, 0, 1);
	draw(&e, GP_MODE_TRIANGLES, 0, 3);
	cmd(&e, 0, PLBU_W1_END);
	assert_int_equal(run(&e), HOST_FAULT);
	assert_int_equal(e.reports, 1);
	/* A count that does not fit its mode. */
	head(&e);
	draw(&e, GP_MODE_TRIANGLES, 0, 4);
	cmd(&e, 0, PLBU_W1_END);
	assert_int_equal(run(&e), HOST_TIMEOUT);
	/* A semaphore that nobody raises. */
	head(&e);
	cmd(&e, PLBU_SEM_END, 0x60000000);
	cmd(&e, 0, PLBU_W1_END);
	assert_int_equal(run(&e), HOST_TIMEOUT);
	/* An unknown register is told, and does no harm. */
	e.reports = 0;
	head(&e);
	reg(&e, 0x1ff, 1);
	cmd(&e, 0, PLBU_W1_END);
	assert_int_equal(run(&e), HOST_OK);
	assert_int_equal(e.reports, 1);
	assert_non_null(strstr(e.last, "1ff"));
	stop(&e);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(triangle_in_its_tiles),
		cmocka_unit_test(culling),
		cmocka_unit_test(rejects),
		cmocka_unit_test(scissor_limits_tiles),
		cmocka_unit_test(assembly),
		cmocka_unit_test(points_reach_by_their_size),
		cmocka_unit_test(heap_grows),
		cmocka_unit_test(heap_full),
		cmocka_unit_test(bad_lists),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
