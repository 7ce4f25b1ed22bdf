// SPDX-License-Identifier: MIT
/* The PP's registers: reset values, both resets, interrupts, bus stop, counters, write boundary. */
#include "pp_scene.h"

static struct scene s;

static int end(void **state)
{
	scene_free(&s);
	return 0;
}

#define PP UTGARD_PP_OFFSET(0)

static uint32_t rd(struct scene *s, uint32_t off)
{
	return model_read32(host_model(s->host), PP + off);
}

static void wr(struct scene *s, uint32_t off, uint32_t val)
{
	model_write32(host_model(s->host), PP + off, val);
}

/* As a driver polls: a few looks, no time in between but what the looks take. */
static bool poll(struct scene *s, uint32_t off, uint32_t mask, uint32_t want)
{
	for (unsigned int i = 0; i < 4; i++)
		if ((rd(s, off) & mask) == want)
			return true;
	return false;
}

static void soft_reset(struct scene *s)
{
	wr(s, PP_INT_MASK, 0);
	wr(s, PP_INT_RAWSTAT, 0x1fff);
	wr(s, PP_CTRL, PP_CTRL_SOFT_RESET);
	assert_true(poll(s, PP_STATUS, PP_STATUS_RENDERING, 0));
	assert_true(poll(s, PP_INT_RAWSTAT, ~0u, PP_IRQ_RESET_DONE));
	wr(s, PP_INT_CLEAR, 0x1fff);
}

static void start(struct scene *s)
{
	scene_init(s, 64, 64);
	s->expect_reports = true;
}

static void expect_reset_values(struct scene *s)
{
	for (uint32_t i = 0; i < PP_FRAME_WORDS; i++)
		assert_int_equal(rd(s, 4 * i), i == 3 ? 0x2 : i == 18 ? 0x75 : 0);
	for (uint32_t k = 0; k < PP_WB_UNITS; k++)
		for (uint32_t i = 0; i < PP_WB_WORDS; i++)
			assert_int_equal(rd(s, PP_WB(k) + 4 * i), 0);
}

static void test_soft_reset(void **state)
{
	start(&s);
	for (uint32_t i = 0; i < PP_FRAME_WORDS; i++)
		wr(&s, 4 * i, 0x1000 + i);
	for (uint32_t i = 0; i < PP_FRAME_WORDS; i++)
		assert_int_equal(rd(&s, 4 * i), 0x1000 + i);
	soft_reset(&s);
	expect_reset_values(&s);
	assert_int_equal(s.reports, 0);
}

/* A driver writes a counter limit until it sticks. */
static void test_hard_reset(void **state)
{
	unsigned int i;

	start(&s);
	wr(&s, PP_PERF_CNT_0_LIMIT, 0xc0ffe000);
	wr(&s, PP_WB(1), 2);
	wr(&s, PP_CTRL, PP_CTRL_STOP_BUS);
	assert_true(poll(&s, PP_STATUS, PP_STATUS_BUS_STOPPED, PP_STATUS_BUS_STOPPED));
	assert_true(rd(&s, PP_INT_RAWSTAT) & PP_IRQ_BUS_STOP);
	wr(&s, PP_CTRL, PP_CTRL_FORCE_RESET);
	/* It does not end by itself, and a driver that does not see its end loses what it writes. */
	while (model_step(host_model(s.host)))
		;
	wr(&s, PP_PERF_CNT_0_LIMIT, 0xc01a0000);
	assert_int_not_equal(rd(&s, PP_PERF_CNT_0_LIMIT), 0xc01a0000);
	for (i = 0; i < 4; i++) {
		wr(&s, PP_PERF_CNT_0_LIMIT, 0xc01a0000);
		if (rd(&s, PP_PERF_CNT_0_LIMIT) == 0xc01a0000)
			break;
	}
	assert_true(i < 4);
	wr(&s, PP_PERF_CNT_0_LIMIT, 0);
	wr(&s, PP_INT_CLEAR, 0x1fff);
	assert_int_equal(rd(&s, PP_STATUS), 0);
	assert_int_equal(rd(&s, PP_INT_RAWSTAT), 0);
	expect_reset_values(&s);
	assert_int_equal(s.reports, 0);
}

static void test_interrupt_registers(void **state)
{
	start(&s);
	soft_reset(&s);
	wr(&s, PP_INT_RAWSTAT, PP_IRQ_HANG | PP_IRQ_END_OF_TILE);
	assert_int_equal(rd(&s, PP_INT_RAWSTAT), PP_IRQ_HANG | PP_IRQ_END_OF_TILE);
	assert_int_equal(rd(&s, PP_INT_STATUS), 0);
	wr(&s, PP_INT_MASK, PP_IRQ_HANG);
	assert_int_equal(rd(&s, PP_INT_STATUS), PP_IRQ_HANG);
	wr(&s, PP_INT_CLEAR, PP_IRQ_HANG);
	assert_int_equal(rd(&s, PP_INT_STATUS), 0);
	assert_int_equal(rd(&s, PP_INT_RAWSTAT), PP_IRQ_END_OF_TILE);
}

static void test_unknown_registers(void **state)
{
	static const uint32_t writes[][2] = { { 0x1030, 1 }, { PP_CTRL, 1 << 12 }, { PP_VERSION, 1 } };

	start(&s);
	rd(&s, 0x1010);
	assert_int_equal(s.reports, 1);
	for (unsigned int i = 0; i < COUNT(writes); i++) {
		wr(&s, writes[i][0], writes[i][1]);
		rd(&s, PP_STATUS);
		assert_int_equal(s.reports, 2 + i);
	}
}

/* The same job again, started by hand: its page tables and lists are still there. */
static void again(struct scene *s)
{
	for (unsigned int i = 0; i < PP_FRAME_WORDS; i++)
		wr(s, 4 * i, s->job.frame[i]);
	for (unsigned int i = 0; i < PP_WB_UNITS * PP_WB_WORDS; i++)
		wr(s, PP_WB(i / PP_WB_WORDS) + 4 * (i % PP_WB_WORDS), s->job.wb[i]);
	wr(s, PP_CTRL, PP_CTRL_START);
	assert_true(rd(s, PP_STATUS) & PP_STATUS_RENDERING);
	for (unsigned int n = 0; n < 100000 && rd(s, PP_STATUS) & PP_STATUS_RENDERING; n++)
		model_step(host_model(s->host));
	assert_false(rd(s, PP_STATUS) & PP_STATUS_RENDERING);
}

/* A rectangle of 40 x 24 pixels, and two triangles that make 16 x 16. */
static void draw(struct scene *s)
{
	static const float pos[7][4] = {
		{ 42, 2, 0, 1 }, { 2, 2, 0, 1 }, { 2, 26, 0, 1 },
		{ 16, 32, 0, 1 }, { 32, 32, 0, 1 }, { 16, 48, 0, 1 }, { 32, 48, 0, 1 },
	};
	uint32_t rsw[RSW_WORDS];

	scene_rsw(s, rsw, scene_alloc(s, sizeof(pos), NULL));
	scene_state(s, rsw, scene_data(s, pos, sizeof(pos)));
	scene_prim(s, PLB_OP_RECT, 0, 1, 2);
	scene_prim(s, PLB_OP_TRIANGLE, 3, 4, 5);
	scene_prim(s, PLB_OP_TRIANGLE, 4, 5, 6);
	scene_render(s);
}

static void test_counters(void **state)
{
	start(&s);
	draw(&s);
	soft_reset(&s);
	wr(&s, PP_PERF_CNT_0_SRC, 0x1f);	/* fragments rasterised */
	wr(&s, PP_PERF_CNT_0_ENABLE, 1);
	wr(&s, PP_PERF_CNT_1_SRC, 0x18);	/* polygons, in each of 16 tiles */
	wr(&s, PP_PERF_CNT_1_ENABLE, 1);
	wr(&s, PP_PERF_CNT_1_LIMIT, 3);
	again(&s);
	assert_int_equal(rd(&s, PP_PERF_CNT_0_VALUE), 40 * 24 + 16 * 16);
	assert_int_equal(rd(&s, PP_PERF_CNT_1_VALUE), 2 * 16);
	assert_int_equal(rd(&s, PP_INT_RAWSTAT), PP_IRQ_END_OF_FRAME | PP_IRQ_END_OF_TILE |
			 PP_IRQ_CNT_1_LIMIT);
	/* Words that 16 tiles of 1 KiB make; and a source that nobody counts. */
	soft_reset(&s);
	wr(&s, PP_PERF_CNT_0_SRC, 0x09);
	wr(&s, PP_PERF_CNT_0_ENABLE, 1);
	again(&s);
	assert_int_equal(rd(&s, PP_PERF_CNT_0_VALUE), 16 * 1024 / 8);
	s.reports = 0;
	wr(&s, PP_PERF_CNT_0_SRC, 0x35);
	rd(&s, PP_STATUS);
	assert_int_equal(s.reports, 1);
}

static void test_write_boundary(void **state)
{
	start(&s);
	draw(&s);
	/* All 64 rows, and 40 of them. */
	for (unsigned int rows = 64; rows >= 40; rows -= 24) {
		soft_reset(&s);
		wr(&s, PP_WRITE_BOUND_LOW, s.va + SCENE_TARGET);
		wr(&s, PP_WRITE_BOUND_HIGH, s.va + SCENE_TARGET + 64 * rows * 4);
		wr(&s, PP_WRITE_BOUND_ENABLE, 1);
		again(&s);
		assert_int_equal(!(rd(&s, PP_INT_RAWSTAT) & PP_IRQ_WRITE_BOUND), rows == 64);
		assert_int_equal(!!(rd(&s, PP_INT_RAWSTAT) & PP_IRQ_END_OF_FRAME), rows == 64);
	}
}

/* A stopped bus stops the job between tiles; a reset gets the core out of it. */
static void test_bus_stop(void **state)
{
	start(&s);
	draw(&s);
	soft_reset(&s);
	wr(&s, PP_FRAME, s.job.frame[0]);
	wr(&s, PP_CTRL, PP_CTRL_START);
	wr(&s, PP_CTRL, PP_CTRL_STOP_BUS);
	assert_true(poll(&s, PP_STATUS, PP_STATUS_BUS_STOPPED, PP_STATUS_BUS_STOPPED));
	for (unsigned int n = 0; n < 1000; n++)
		model_step(host_model(s.host));
	assert_true(rd(&s, PP_STATUS) & PP_STATUS_RENDERING);
	assert_false(rd(&s, PP_INT_RAWSTAT) & PP_IRQ_END_OF_FRAME);
	soft_reset(&s);
	assert_int_equal(rd(&s, PP_STATUS), 0);
}

#define TESTS(T) \
	T(test_soft_reset) T(test_hard_reset) T(test_interrupt_registers) T(test_unknown_registers) \
	T(test_counters) T(test_write_boundary) T(test_bus_stop)

UNIT_MAIN(TESTS, end)
