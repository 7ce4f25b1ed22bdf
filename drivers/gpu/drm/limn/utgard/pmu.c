// SPDX-License-Identifier: GPL-2.0-only
/*
 * Power management unit: switches the power domains on and off.
 *
 * Not every SoC has one. A status bit means that its domain is off, or about to be; the raw
 * interrupt status tells that a command is done, except that a Mali-400 says
 * nothing when its last domain goes off (Linux lima_pmu.c).
 */
#include "utgard.h"

/* Cycles between domains; less makes GPUs with a fast clock unstable. */
#define PMU_DELAY	0xffff

static u32 utgard_pmu_domains(struct utgard *ug)
{
	u32 domains = PMU_M400_GP;	/* the same bit on Mali-450 */
	unsigned int i;

	if (!ug->m450)
		domains |= PMU_M400_L2;
	for (i = 0; i < UTGARD_MAX_PP; i++) {
		if (!ug->block[UTGARD_PP0 + i].present)
			continue;
		if (!ug->m450)
			domains |= PMU_M400_PP(i);
		else if (i == 0)
			domains |= PMU_M450_PP0;
		else
			domains |= i < 4 ? PMU_M450_PP13 : PMU_M450_PP47;
	}
	return domains;
}

static int utgard_pmu_wait_done(struct utgard_block *pmu)
{
	u32 raw;

	return readl_poll_timeout(pmu->regs + PMU_INT_RAWSTAT, raw, raw & PMU_INT_CMD_DONE, 100,
				  100000);
}

static int utgard_pmu_up(struct utgard_block *pmu)
{
	u32 off;
	int ret;

	utgard_write(pmu, PMU_INT_MASK, 0);
	utgard_write(pmu, PMU_SW_DELAY, PMU_DELAY);
	off = utgard_read(pmu, PMU_STATUS);
	if (!off)
		return 0;
	utgard_write(pmu, PMU_INT_CLEAR, PMU_INT_CMD_DONE);
	utgard_write(pmu, PMU_POWER_UP, off);
	ret = utgard_pmu_wait_done(pmu);
	if (ret && utgard_read(pmu, PMU_STATUS) & off) {
		dev_err(pmu->ug->base.dev, "power up of %x timed out\n", off);
		return ret;
	}
	/* The domains are on all the same: lima and ARM's driver go on, too. */
	if (ret)
		dev_warn(pmu->ug->base.dev, "power up of %x was not reported\n", off);
	utgard_write(pmu, PMU_INT_CLEAR, PMU_INT_CMD_DONE);
	return 0;
}

static void utgard_pmu_down(struct utgard_block *pmu)
{
	u32 domains = utgard_pmu_domains(pmu->ug);
	u32 on = ~utgard_read(pmu, PMU_STATUS) & domains;
	u32 status;
	int ret;

	if (!on)
		return;
	utgard_write(pmu, PMU_INT_CLEAR, PMU_INT_CMD_DONE);
	utgard_write(pmu, PMU_POWER_DOWN, on);
	/* On a Mali-400 the interrupt may never come: see above. */
	ret = pmu->ug->m450 ? utgard_pmu_wait_done(pmu) :
	      readl_poll_timeout(pmu->regs + PMU_STATUS, status, (status & on) == on, 100, 100000);
	if (ret)
		dev_warn(pmu->ug->base.dev, "power down of %x timed out\n", on);
	utgard_write(pmu, PMU_INT_CLEAR, PMU_INT_CMD_DONE);
	/* Clocks may go next: the write must have arrived. */
	utgard_read(pmu, PMU_STATUS);
}

const struct utgard_block_ops utgard_pmu_ops = {
	.resume = utgard_pmu_up,
	.suspend = utgard_pmu_down,
};
