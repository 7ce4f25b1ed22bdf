// SPDX-License-Identifier: MIT
/* The polygon list builder on small lists made by hand, through the host carrier; no vertex shader. */
#include "tests/model/gp_dump.h"
#include "tests/model/gp_scene.h"

#define TILES_W		4
#define TILES_H		3
#define BLOCKS		(TILES_W * TILES_H)
#define RSW		0x00abc000u

#define LIST		0x0000
#define INDICES		0x8000
#define POSITIONS	0x10000
#define SIZES		0x18000
#define ARRAY		0x1c000
#define BLOCK0		0x1d000
#define BO_SIZE		0x120000

static void start(struct env *e, bool strict, uint32_t heap_size)
{
	gp_open(e, strict, 100000, BO_SIZE, heap_size);
}

/* The head of a list, for w x h blocks of 1 << shift tiles each way. */
static void head_of(struct env *e, uint32_t w, uint32_t h, uint32_t shift)
{
	uint32_t *array = (uint32_t *)(e->map + ARRAY);

	gp_lists(e, 0, LIST);
	for (uint32_t i = 0; i < w * h; i++)
		array[i] = e->va + BLOCK0 + i * PLB_BLOCK_BYTES;
	memset(e->map + BLOCK0, 0xee, w * h * PLB_BLOCK_BYTES);
	reg(e, PLBU_REG_PRIMITIVE, 0x200);
	reg(e, PLBU_REG_BLOCK_STEP, shift << 16 | shift);
	reg(e, PLBU_REG_TILES, ((w << shift) - 1) << 24 | ((h << shift) - 1) << 8);
	plbu(e, w, PLBU_W1_BLOCK_STRIDE);
	plbu(e, e->va + ARRAY, PLBU_W1_ARRAY(w * h));
	regf(e, PLBU_REG_VIEWPORT_LEFT, 0);
	regf(e, PLBU_REG_VIEWPORT_RIGHT, w * (16 << shift));
	regf(e, PLBU_REG_VIEWPORT_BOTTOM, 0);
	regf(e, PLBU_REG_VIEWPORT_TOP, h * (16 << shift));
	regf(e, PLBU_REG_DEPTH_NEAR, 0);
	regf(e, PLBU_REG_DEPTH_FAR, 1);
	reg(e, PLBU_REG_INDICES, e->va + INDICES);
	reg(e, PLBU_REG_POSITIONS, e->va + POSITIONS);
	plbu(e, RSW, PLBU_W1_RSW(e->va + POSITIONS));
}

/* One block per tile. */
static void head(struct env *e)
{
	head_of(e, TILES_W, TILES_H, 0);
}

static void vertex(struct env *e, uint32_t i, float x, float y, float z, float rw)
{
	float v[4] = { x, y, z, rw };

	memcpy(e->map + POSITIONS + 16 * i, v, sizeof(v));
}

/* The first three, of a triangle. */
static void corners(struct env *e, float ax, float ay, float bx, float by, float cx, float cy)
{
	vertex(e, 0, ax, ay, 0.5, 1);
	vertex(e, 1, bx, by, 0.5, 1);
	vertex(e, 2, cx, cy, 0.5, 1);
}

static void draw(struct env *e, uint32_t mode, uint32_t start, uint32_t count)
{
	plbu(e, PLBU_W0_DRAW(start, count), PLBU_W1_DRAW_ELEMENTS(mode, count));
}

static enum host_status end_and_run(struct env *e)
{
	plbu(e, 0, PLBU_W1_END);
	return run(e);
}

/* The command before the one that ends the list. */
#define LAST	(LIST + 4 * e.plbu_words - 16)

#define MOVED	64	/* from POSITIONS to those of another draw */

/* What is in the list of a block: primitives, in order. */
struct list {
	unsigned int prims, states, sizes, jumps, moved;
	uint32_t op[4], words[4][2];	/* the first four primitives */
};

static struct list decode(struct env *e, uint32_t block)
{
	struct list l = { 0 };
	bool moved;
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
		case PLB_RETURN_HI >> 28:
			assert_int_equal(w[1], PLB_RETURN_HI);
			if (w[0] == PLB_RETURN_LO)
				return l;
			assert_int_equal(PPS_TARGET_TYPE(w[0]), PPS_TARGET_JUMP);
			l.jumps++;
			va = PPS_TARGET(w[0]);
			break;
		case PLB_RSW__OP:
			assert_int_equal(w[0], PLB_RSW_LO(RSW));
			moved = w[1] == PLB_RSW_HI(e->va + POSITIONS + MOVED);
			assert_true(moved || w[1] == PLB_RSW_HI(e->va + POSITIONS));
			l.states++;
			l.moved += moved;
			break;
		case PLB_SCISSOR__OP:
			l.states++;
			break;
		case PLB_SIZE__OP:
			l.sizes++;
			break;
		case 0:
		case 1:	/* the mask's last bit */
		case PLB_OP_LINE:
		case PLB_OP_POINT:
		case PLB_OP_RECT:
		case PLB_OP_WIDE:
			assert_true(l.states > 0);
			if (l.prims < 4) {
				l.op[l.prims] = w[1] >> 28 > 1 ? w[1] >> 28 : PLB_OP_TRIANGLE;
				memcpy(l.words[l.prims], w, sizeof(w));
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
	plbu(e, PLBU_W0_SCISSOR(0, TILES_H * 16, 0), PLBU_W1_SCISSOR(0, TILES_W * 16));
	draw(e, GP_MODE_TRIANGLES, 0, 3);
	plbu(e, 0, PLBU_W1_END);
}

static void triangle_in_its_tiles(void **state)
{
	for (int strict = 0; strict <= 1; strict++) {
		struct list l;

		start(&e, strict, 1 << 20);
		one_triangle(&e, PLBU_PRIM(1));
		/* Lower left half of the tiles 1..2, 0..1: clockwise on a screen whose y grows down. */
		corners(&e, 18, 2, 46, 30, 18, 30);
		assert_int_equal(run(&e), HOST_OK);
		/* Those of its box, not only those that it covers. */
		assert_int_equal(decode(&e, 1).prims, 1);
		assert_int_equal(decode(&e, 2).prims, 1);
		assert_int_equal(decode(&e, TILES_W + 1).prims, 1);
		assert_int_equal(decode(&e, TILES_W + 2).prims, 1);
		assert_int_equal(blocks_with_prims(&e), 4);
		l = decode(&e, 1);
		assert_int_equal(l.states, 2);
		assert_int_equal(l.op[0], PLB_OP_TRIANGLE);
		/* As a Mali-400 writes it: vertices b, a; tiles of the block, vertex c. */
		assert_int_equal(l.words[0][0], 1 << 16 | 0);
		assert_int_equal(l.words[0][1], 1 << 25 | 2);
		assert_int_equal(e.reports, 0);
	}
}

/*
 * A Mali-400 entered a triangle that covers 76 blocks of 2x2 tiles in the 121 of its bounding box. That
 * triangle's vertices are not known; this one has the same numbers of blocks.
 */
static void triangle_in_its_box(void **state)
{
	const uint32_t near = 20, far = 333, side = 12, first = 1, last = 20;	/* pixels, blocks, tiles */
	unsigned int covered = 0, entered = 0;

	start(&e, true, 1 << 20);
	head_of(&e, side, side, 1);
	indices8(&e, 3);
	corners(&e, near, near, far, near, near, far);
	reg(&e, PLBU_REG_PRIMITIVE, PLBU_PRIM(1));
	draw(&e, GP_MODE_TRIANGLES, 0, 3);
	assert_int_equal(end_and_run(&e), HOST_OK);
	for (uint32_t n = 0; n < side * side; n++) {
		uint32_t x = n % side, y = n / side, left = x ? 32 * x : near, top = y ? 32 * y : near, mask = 0;
		struct list l = decode(&e, n);

		covered += left < far && top < far && left + top < near + far;
		for (uint32_t i = 0; i < 4; i++) {
			uint32_t tx = 2 * x + (i & 1), ty = 2 * y + (i >> 1);

			mask |= (tx >= first && tx <= last && ty >= first && ty <= last) << i;
		}
		entered += l.prims;
		assert_int_equal(l.prims, mask != 0);
		assert_int_equal(l.prims ? utgard_get(l.words[0], PLB_TRIANGLE_MASK) : 0, mask);
	}
	assert_int_equal(covered, 76);
	assert_int_equal(entered, 121);
	assert_int_equal(e.reports, 0);
}

/* A vertex beyond 16 bits does not fit a triangle's command. */
static void wide_triangle(void **state)
{
	for (uint32_t far = PLB_TRIANGLE_MAX; far <= PLB_TRIANGLE_MAX + 1; far++) {
		uint32_t indices[3] = { 0, 1, far };
		struct list l;

		start(&e, true, 1 << 20);
		head(&e);
		memcpy(e.map + INDICES, indices, sizeof(indices));
		vertex(&e, 0, 2, 2, 0.5, 1);
		vertex(&e, 1, 14, 2, 0.5, 1);
		vertex(&e, far, 2, 14, 0.5, 1);
		reg(&e, PLBU_REG_PRIMITIVE, PLBU_PRIM(4));
		draw(&e, GP_MODE_TRIANGLES, 0, 3);
		assert_int_equal(end_and_run(&e), HOST_OK);
		l = decode(&e, 0);
		assert_int_equal(l.prims, 1);
		if (far > PLB_TRIANGLE_MAX) {
			assert_int_equal(l.op[0], PLB_OP_WIDE);
			assert_int_equal(utgard_get(l.words[0], PLB_WIDE_V2), far);
		} else {
			assert_int_equal(l.op[0], PLB_OP_TRIANGLE);
			assert_int_equal(utgard_get(l.words[0], PLB_TRIANGLE_V2), far);
		}
		assert_int_equal(e.reports, 0);
	}
}

/* A block's list says where positions are when they change, also under the same RSW, and then alone. */
static void positions_change(void **state)
{
	struct list l;

	start(&e, false, 1 << 20);
	head(&e);
	for (uint32_t i = 0; i < 7; i++)
		vertex(&e, i, i % 4 == 1 ? 14 : 2, i % 4 == 2 ? 14 : 2, 0.5, 1);
	indices8(&e, 3);
	reg(&e, PLBU_REG_PRIMITIVE, PLBU_PRIM(1));
	draw(&e, GP_MODE_TRIANGLES, 0, 3);
	draw(&e, GP_MODE_TRIANGLES, 0, 3);
	reg(&e, PLBU_REG_POSITIONS, e.va + POSITIONS + MOVED);
	plbu(&e, RSW, PLBU_W1_RSW(e.va + POSITIONS + MOVED));
	draw(&e, GP_MODE_TRIANGLES, 0, 3);
	assert_int_equal(end_and_run(&e), HOST_OK);
	l = decode(&e, 0);
	assert_int_equal(l.prims, 3);
	assert_int_equal(l.states, 2);
	assert_int_equal(l.moved, 1);
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

	start(&e, false, 1 << 20);
	for (size_t i = 0; i < COUNT(rows); i++) {
		one_triangle(&e, PLBU_PRIM(1));
		for (int v = 0; v < 3; v++)
			vertex(&e, v, rows[i].v[v][0], rows[i].v[v][1], rows[i].v[v][2], rows[i].v[v][3]);
		assert_int_equal(run(&e), HOST_OK);
		assert_int_equal(decode(&e, 0).prims, rows[i].kept);
	}
}

static void scissor_limits_tiles(void **state)
{
	start(&e, false, 1 << 20);
	head(&e);
	indices8(&e, 3);
	reg(&e, PLBU_REG_PRIMITIVE, PLBU_PRIM(1));
	plbu(&e, PLBU_W0_SCISSOR(18, 40, 17), PLBU_W1_SCISSOR(18, 30));
	draw(&e, GP_MODE_TRIANGLES, 0, 3);
	plbu(&e, 0, PLBU_W1_END);
	corners(&e, -1000, -1000, 3000, -1000, -1000, 3000);
	assert_int_equal(run(&e), HOST_OK);
	assert_int_equal(blocks_with_prims(&e), 2);
	assert_int_equal(decode(&e, TILES_W + 1).prims, 1);
	assert_int_equal(decode(&e, 2 * TILES_W + 1).prims, 1);
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

	start(&e, false, 1 << 20);
	for (size_t i = 0; i < COUNT(rows); i++) {
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
			assert_int_equal(end_and_run(&e), HOST_OK);
			l = decode(&e, 0);
			assert_int_equal(l.prims, rows[i].prims);
			assert_int_equal(l.op[0], rows[i].op);
			assert_int_equal(l.sizes, rows[i].op == PLB_OP_POINT || rows[i].op == PLB_OP_LINE);
			if (l.prims > 1) {
				bool triangle = rows[i].op == PLB_OP_TRIANGLE;
				const uint32_t *w = l.words[1], *second = rows[i].second;

				assert_int_equal(triangle ? utgard_get(w, PLB_TRIANGLE_V0) : utgard_get(w, PLB_WIDE_V0), second[0]);
				assert_int_equal(triangle ? utgard_get(w, PLB_TRIANGLE_V1) : utgard_get(w, PLB_WIDE_V1), second[1]);
				assert_int_equal(triangle ? utgard_get(w, PLB_TRIANGLE_V2) : utgard_get(w, PLB_WIDE_V2), second[2]);
			}
		}
	}
	assert_int_equal(e.reports, 0);
}

static void points_reach_by_their_size(void **state)
{
	float sizes[3] = { 2, 20, 10 };

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
	assert_int_equal(end_and_run(&e), HOST_OK);
	assert_int_equal(decode(&e, 0).prims, 1);
	assert_int_equal(blocks_with_prims(&e), 1 + 9 + 1);
	assert_int_equal(decode(&e, TILES_W + 2).prims, 1);
	assert_int_equal(decode(&e, TILES_W + 1).prims, 1);
	assert_int_equal(decode(&e, 2 * TILES_W).prims, 1);
}

/* More primitives than a heap's first 32 KiB hold: out of memory, growth, resume. */
static void heap_grows(void **state)
{
	for (int strict = 0; strict <= 1; strict++) {
		struct list l;

		start(&e, strict, 4 << 20);
		head(&e);
		indices8(&e, 3);
		corners(&e, 2, 2, 14, 2, 2, 14);
		reg(&e, PLBU_REG_PRIMITIVE, PLBU_PRIM(1));
		for (int i = 0; i < 3 * 2000; i++)
			e.map[INDICES + i] = i % 3;
		for (int i = 0; i < 15; i++)
			draw(&e, GP_MODE_TRIANGLES, 0, 3 * 2000);
		assert_int_equal(end_and_run(&e), HOST_OK);
		l = decode(&e, 0);
		assert_int_equal(l.prims, 30000);
		/* 63 commands and a link to a block. */
		assert_int_equal(l.jumps, 30001 / 63);
		assert_int_equal(e.reports, 0);
	}
}

static void heap_full(void **state)
{
	start(&e, false, 32 << 10);
	head(&e);
	corners(&e, 2, 2, 14, 2, 2, 14);
	reg(&e, PLBU_REG_PRIMITIVE, PLBU_PRIM(1));
	for (int i = 0; i < 3 * 6000; i++)
		e.map[INDICES + i] = i % 3;
	draw(&e, GP_MODE_TRIANGLES, 0, 3 * 6000);
	assert_int_equal(end_and_run(&e), HOST_FAULT);
	assert_non_null(strstr(host_error(e.host), "heap"));
	gp_says(&e, "gp had done 1 draws of its PLBU list: the tile heap at ");
	/* And the next job is as good as new. */
	one_triangle(&e, PLBU_PRIM(1));
	assert_int_equal(run(&e), HOST_OK);
	assert_int_equal(decode(&e, 0).prims, 1);
}

#define AT_LIST	1	/* the address of the list, which no word here is */

static void bad_lists(void **state)
{
	static const struct {
		uint32_t words[4];
		enum host_status status;
		const char *report;	/* what the only one says; NULL: there is none */
		const char *why;	/* it stopped at the last command of these */
	} rows[] = {
		{ { 0x12345678, 0x90000000 }, HOST_FAULT, "12345678", "there is no such command" },
		{ { AT_LIST, 0xf0000000 }, HOST_TIMEOUT, NULL, "the list comes back to where it has been" },
		{ { PLBU_W0_DRAW(0, 4), PLBU_W1_DRAW_ELEMENTS(GP_MODE_TRIANGLES, 4) }, HOST_TIMEOUT, "hardware hangs",
		  "4 vertices do not fit the mode of this draw: hangs" },
		{ { PLBU_SEM_END, PLBU_W1_SEMAPHORE }, HOST_TIMEOUT, NULL,
		  "it waits for a semaphore of the VS, whose list raises it 0 times" },
		/* A draw without indices waits behind the first semaphore command, too. */
		{ { PLBU_SEM_BEGIN, PLBU_W1_SEMAPHORE, PLBU_W0_DRAW(0, 3), PLBU_W1_DRAW_ARRAYS(GP_MODE_TRIANGLES, 3) },
		  HOST_TIMEOUT, NULL, "this draw waits for a semaphore of the VS" },
	};

	start(&e, true, 1 << 20);
	for (size_t i = 0; i < COUNT(rows); i++) {
		const uint32_t *words = rows[i].words;

		e.reports = 0;
		head(&e);
		for (unsigned int k = 0; k < 4 && words[k + 1]; k += 2)
			plbu(&e, words[k] == AT_LIST ? e.va + LIST : words[k], words[k + 1]);
		assert_int_equal(end_and_run(&e), rows[i].status);
		assert_int_equal(e.reports, !!rows[i].report);
		assert_true(!rows[i].report || strstr(e.last, rows[i].report));
		gp_stopped(&e, "PLBU", LAST, rows[i].why);
	}
	/* A list where nothing is mapped. */
	head(&e);
	plbu(&e, 0x70000000, 0xf0000000);
	assert_int_equal(run(&e), HOST_FAULT);
	assert_non_null(strstr(host_error(e.host), "page fault at 70000000, read"));
	gp_stopped(&e, "PLBU", 0x70000000 - e.va, "the list goes on where there is no memory");
	/* A block of tiles that the array does not have. */
	e.reports = 0;
	head(&e);
	reg(&e, PLBU_REG_TILES, 9u << 24 | 9 << 8);
	regf(&e, PLBU_REG_VIEWPORT_TOP, 160);
	reg(&e, PLBU_REG_PRIMITIVE, PLBU_PRIM(1));
	indices8(&e, 3);
	corners(&e, 2, 2, 9, 2, 2, 150);
	draw(&e, GP_MODE_TRIANGLES, 0, 3);
	assert_int_equal(end_and_run(&e), HOST_FAULT);
	assert_int_equal(e.reports, 1);
	gp_says(&e, "gp had done 1 draws of its PLBU list: a primitive is in a block of tiles that the array");
	/* An unknown register is told, and does no harm. */
	e.reports = 0;
	head(&e);
	reg(&e, 0x1ff, 1);
	assert_int_equal(end_and_run(&e), HOST_OK);
	assert_int_equal(e.reports, 1);
	assert_non_null(strstr(e.last, "1ff"));
}

#define STORE_HEAP_START	(UTGARD_W1(UTGARD_COMMAND(PLBU_STORE)) | PLBU_REG_HEAP_START)

/* What a draw reads, and a command writes, where it may not. */
static void bad_memory(void **state)
{
	static const struct {
		uint32_t reg, primitive;
		const char *says;
	} rows[] = {
		{ PLBU_REG_INDICES, 0, "this draw reads its indices at 0x70000000, where nothing is mapped for that" },
		{ PLBU_REG_POSITIONS, 0, "this draw reads the position of vertex 0 at 0x70000000, where nothing is mapped for that" },
		{ PLBU_REG_POSITIONS, UTGARD_MASK(PLBU_REG_INDEX_SIZE), "this draw reads the position of vertex 0 at 0x70000000" },
	};
	char why[160];

	for (unsigned int i = 0; i < COUNT(rows); i++) {
		start(&e, true, 1 << 20);
		head(&e);
		reg(&e, PLBU_REG_PRIMITIVE, PLBU_PRIM(1) | rows[i].primitive);
		indices8(&e, 3);
		reg(&e, rows[i].reg, 0x70000000);
		draw(&e, GP_MODE_TRIANGLES, 0, 3);
		assert_int_equal(end_and_run(&e), HOST_FAULT);
		gp_stopped(&e, "PLBU", LAST, rows[i].says);
	}
	/* Outside of the bounds that a driver has set. */
	start(&e, true, 1 << 20);
	head(&e);
	plbu(&e, e.va + 0x100, STORE_HEAP_START);
	model_write32(host_model(e.host), GP_WRITE_BOUND_LOW, e.va + POSITIONS);
	assert_int_equal(end_and_run(&e), HOST_FAULT);
	snprintf(why, sizeof(why), "it stores a register at 0x%08x, but the write bounds are 0x%08x and 0xffffffff", e.va + 0x100,
		 e.va + POSITIONS);
	gp_stopped(&e, "PLBU", LAST, why);
	/* And where the bus has nothing. */
	start(&e, true, 1 << 20);
	head(&e);
	gp_unplug(&e, e.va + POSITIONS);
	plbu(&e, e.va + POSITIONS, STORE_HEAP_START);
	assert_int_equal(end_and_run(&e), HOST_FAULT);
	snprintf(why, sizeof(why), "it uses 0x%08x, where the bus answers with an error", e.va + POSITIONS);
	gp_stopped(&e, "PLBU", LAST, why);
}

#define TESTS(T) \
	T(triangle_in_its_tiles) T(triangle_in_its_box) T(wide_triangle) T(positions_change) T(rejects) \
	T(scissor_limits_tiles) T(assembly) T(points_reach_by_their_size) T(heap_grows) T(heap_full) T(bad_lists) T(bad_memory)

UNIT_MAIN(TESTS, end)
