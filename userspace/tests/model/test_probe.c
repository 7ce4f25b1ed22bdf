// SPDX-License-Identifier: MIT
/* The register sequence of a driver's probe and recovery (Linux lima): PMU, L2, MMU, GP, PP. */
#include "tests/model/regs_env.h"

static void power_up(struct env *e)
{
	uint32_t off = rd(e, UTGARD_PMU_OFFSET + PMU_STATUS);

	wr(e, UTGARD_PMU_OFFSET + PMU_INT_MASK, 0);
	wr(e, UTGARD_PMU_OFFSET + PMU_SW_DELAY, 0xffff);
	wr(e, UTGARD_PMU_OFFSET + PMU_POWER_UP, off);
	poll(e, UTGARD_PMU_OFFSET + PMU_INT_RAWSTAT, 1, 1);
	wr(e, UTGARD_PMU_OFFSET + PMU_INT_CLEAR, 1);
	assert_int_equal(rd(e, UTGARD_PMU_OFFSET + PMU_STATUS), 0);
	assert_int_equal(rd(e, UTGARD_PMU_OFFSET + PMU_INT_RAWSTAT), 0);
}

static void mmu_init(struct env *e, uint32_t mmu, uint32_t dte)
{
	wr(e, mmu + MMU_DTE_ADDR, 0xcafebabe);
	assert_int_equal(rd(e, mmu + MMU_DTE_ADDR), 0xcafeb000);
	wr(e, mmu + MMU_COMMAND, MMU_COMMAND_HARD_RESET);
	poll(e, mmu + MMU_DTE_ADDR, ~0u, 0);
	wr(e, mmu + MMU_INT_MASK, MMU_INT_PAGE_FAULT | MMU_INT_READ_BUS_ERROR);
	wr(e, mmu + MMU_DTE_ADDR, dte);
	wr(e, mmu + MMU_COMMAND, MMU_COMMAND_ENABLE_PAGING);
	poll(e, mmu + MMU_STATUS, 1, 1);
}

static void probe(struct env *e, unsigned int pps)
{
	power_up(e);
	assert_int_equal(rd(e, UTGARD_M400_L2_OFFSET + L2_SIZE) >> 16 & 0xff, 16);
	wr(e, UTGARD_M400_L2_OFFSET + L2_COMMAND, L2_COMMAND_CLEAR_ALL);
	poll(e, UTGARD_M400_L2_OFFSET + L2_STATUS, 1, 0);
	wr(e, UTGARD_M400_L2_OFFSET + L2_ENABLE, L2_ENABLE_ACCESS | L2_ENABLE_READ_ALLOCATE);
	wr(e, UTGARD_M400_L2_OFFSET + L2_MAX_READS, 0x1c);

	assert_int_equal(rd(e, GP_VERSION) >> 16, GP_VERSION_M400);
	wr(e, GP_INT_MASK, 0);
	wr(e, GP_INT_CLEAR, GP_IRQ_RESET_DONE);
	wr(e, GP_CMD, GP_CMD_SOFT_RESET);
	poll(e, GP_INT_RAWSTAT, GP_IRQ_RESET_DONE, GP_IRQ_RESET_DONE);
	wr(e, GP_INT_CLEAR, ~0u);
	mmu_init(e, UTGARD_GPMMU_OFFSET, DMA);
	for (unsigned int i = 0; i < pps; i++) {
		uint32_t pp = UTGARD_PP_OFFSET(i);

		assert_int_equal(rd(e, pp + PP_VERSION) >> 16, PP_VERSION_M400);
		wr(e, pp + PP_INT_MASK, 0);
		wr(e, pp + PP_INT_RAWSTAT, 0x1fff);
		wr(e, pp + PP_CTRL, PP_CTRL_SOFT_RESET);
		poll(e, pp + PP_INT_RAWSTAT, ~0u, PP_IRQ_RESET_DONE);
		assert_int_equal(rd(e, pp + PP_STATUS) & PP_STATUS_RENDERING, 0);
		wr(e, pp + PP_INT_CLEAR, 0x1fff);
		mmu_init(e, UTGARD_PPMMU_OFFSET(i), DMA);
	}
}

static void probe_all(void **state)
{
	for (unsigned int pps = 1; pps <= 4; pps++) {
		for (int strict = 0; strict <= 1; strict++) {
			char name[] = "mali-400-mp0";

			name[11] = '0' + pps;
			env_open(&e, name, strict, 7 + pps);
			probe(&e, pps);
			assert_int_equal(e.reports, 0);
			assert_int_equal(rd(&e, UTGARD_M450_WINDOW_SIZE - 4), 0);
			assert_int_equal(e.reports, 1);
		}
	}
}

static void hard_reset(void **state)
{
	env_open(&e, "mali-400-mp2", true, 3);
	probe(&e, 2);
	wr(&e, GP_PERF_CNT_0_LIMIT, 0xc0ffe000);
	assert_int_equal(rd(&e, GP_PERF_CNT_0_LIMIT), 0xc0ffe000);
	wr(&e, GP_CMD, GP_CMD_STOP_BUS);
	poll(&e, GP_STATUS, GP_STATUS_BUS_STOPPED, GP_STATUS_BUS_STOPPED);
	wr(&e, GP_CMD, GP_CMD_RESET);
	for (int n = 0;; n++) {
		assert_in_range(n, 0, 9);
		wr(&e, GP_PERF_CNT_0_LIMIT, 0xc01a0000);
		if (rd(&e, GP_PERF_CNT_0_LIMIT) == 0xc01a0000)
			break;
	}
	assert_int_equal(rd(&e, GP_STATUS), 0);
}

static void off_is_garbage(void **state)
{
	env_open(&e, "mali-400-mp2", true, 3);
	assert_int_not_equal(rd(&e, GP_VERSION) >> 16, GP_VERSION_M400);
	assert_int_equal(e.reports, 1);
	probe(&e, 2);
	wr(&e, UTGARD_PMU_OFFSET + PMU_POWER_DOWN, PMU_M400_PP(1));
	poll(&e, UTGARD_PMU_OFFSET + PMU_INT_RAWSTAT, 1, 1);
	rd(&e, UTGARD_PP_OFFSET(0) + PP_VERSION);
	assert_int_equal(e.reports, 1);
	rd(&e, UTGARD_PP_OFFSET(1) + PP_VERSION);
	assert_int_equal(e.reports, 2);
	model_set_clocks(e.model, false, true);
	rd(&e, UTGARD_PP_OFFSET(0) + PP_VERSION);
	assert_int_equal(e.reports, 3);
}

/* A driver that powers down and stops the clocks at once, and comes back: as lima's runtime suspend. */
static void suspends(void **state)
{
	env_open(&e, "mali-400-mp2", true, 3);
	probe(&e, 2);
	for (int i = 0; i < 20; i++) {
		wr(&e, UTGARD_PMU_OFFSET + PMU_POWER_DOWN, ~rd(&e, UTGARD_PMU_OFFSET + PMU_STATUS) & 0xf);
		wr(&e, UTGARD_PMU_OFFSET + PMU_INT_CLEAR, 1);
		if (i & 1)
			model_step(e.model);
		model_set_clocks(e.model, false, false);
		for (int n = 0; n < i; n++)
			model_step(e.model);
		model_set_clocks(e.model, true, true);
		assert_int_equal(rd(&e, UTGARD_PMU_OFFSET + PMU_STATUS), 0xf);
		probe(&e, 2);
	}
	assert_int_equal(e.reports, 0);
}

static void bad_configs(void **state)
{
	uint8_t page[4096];
	struct model_config config = { .gpu = "mali-9000", .ram = { page, 0, 4096 } };
	struct model *m;

	assert_int_equal(model_create(&config, &m), -19);
	config.gpu = "mali-400-mp1";
	config.ram.size = 100;
	assert_int_equal(model_create(&config, &m), -22);
	config.ram.size = 4096;
	assert_int_equal(model_create(&config, &m), 0);
	model_destroy(m);
}

#define TESTS(T) T(probe_all) T(hard_reset) T(off_is_garbage) T(suspends) T(bad_configs)

UNIT_MAIN(TESTS, end)
