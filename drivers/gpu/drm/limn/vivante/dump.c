// SPDX-License-Identifier: GPL-2.0-only
/*
 * What of a core is worth keeping when its job has failed: see "DOC: dumps".
 */
#include "limn_dump.h"
#include "vivante.h"

/* Which register: Linux drivers/gpu/drm/etnaviv/etnaviv_dump.c, and what the hang check reads. */
static const u32 hi_regs[] = {
	VIVS_HI_CLOCK_CONTROL, VIVS_HI_IDLE_STATE, VIVS_HI_AXI_CONFIG, VIVS_HI_AXI_STATUS,
	VIVS_HI_INTR_ENBL, VIVS_HI_CHIP_IDENTITY, VIVS_HI_CHIP_FEATURE, VIVS_HI_CHIP_MODEL,
	VIVS_HI_CHIP_REV, VIVS_HI_CHIP_DATE, VIVS_HI_CHIP_TIME, VIVS_HI_CHIP_MINOR_FEATURE_0,
	VIVS_HI_CACHE_CONTROL, VIVS_HI_AXI_CONTROL,
};

static const u32 pm_regs[] = {
	VIVS_PM_POWER_CONTROLS, VIVS_PM_MODULE_CONTROLS, VIVS_PM_MODULE_STATUS,
	VIVS_PM_PULSE_EATER,
};

static const u32 fe_regs[] = {
	VIVS_FE_DMA_STATUS, VIVS_FE_DMA_DEBUG_STATE, VIVS_FE_DMA_ADDRESS, VIVS_FE_DMA_LOW,
	VIVS_FE_DMA_HIGH,
};

static const u32 mmu_v1_regs[] = {
	VIVS_MC_MMU_FE_PAGE_TABLE, VIVS_MC_MMU_TX_PAGE_TABLE, VIVS_MC_MMU_PE_PAGE_TABLE,
	VIVS_MC_MMU_PEZ_PAGE_TABLE, VIVS_MC_MMU_RA_PAGE_TABLE, VIVS_MC_DEBUG_MEMORY,
	VIVS_MC_MEMORY_BASE_ADDR_RA, VIVS_MC_MEMORY_BASE_ADDR_FE, VIVS_MC_MEMORY_BASE_ADDR_TX,
	VIVS_MC_MEMORY_BASE_ADDR_PEZ, VIVS_MC_MEMORY_BASE_ADDR_PE, VIVS_MC_BUS_CONFIG,
};

static const u32 mmu_v2_regs[] = {
	VIVS_MMUv2_STATUS, VIVS_MMUv2_CONTROL, VIV_AT(VIVS_MMUv2_EXCEPTION_ADDR, 0),
	VIV_AT(VIVS_MMUv2_EXCEPTION_ADDR, 1), VIV_AT(VIVS_MMUv2_EXCEPTION_ADDR, 2),
	VIV_AT(VIVS_MMUv2_EXCEPTION_ADDR, 3),
};

static const u32 mmu_secure_regs[] = {
	VIVS_MMUv2_SEC_STATUS, VIVS_MMUv2_SEC_CONTROL, VIVS_MMUv2_SEC_EXCEPTION_ADDR,
};

static u32 vivante_dump_read(void *unit, u32 offset)
{
	return vivante_read(unit, offset);
}

#define DUMP_REGS(d, unit, regs, core)								\
	limn_dump_regs(d, unit, regs, ARRAY_SIZE(regs), vivante_dump_read, core)

static void vivante_dump_mmu(struct limn_dump *d, struct vivante_core *core)
{
	if (core->viv->mmu->shared)
		DUMP_REGS(d, "mc", mmu_v1_regs, core);
	else if (core->secure)
		DUMP_REGS(d, "mmu", mmu_secure_regs, core);
	else
		DUMP_REGS(d, "mmu", mmu_v2_regs, core);
}

static void vivante_dump_core(struct limn_dump *d, const struct vivante_core *core)
{
	char text[128];
	int n;

	n = scnprintf(text, sizeof(text), "gpu: GC%x\nrevision: 0x%x\nmmu: %s\nmemory_base: 0x%x\n",
		      core->id.model, core->id.revision, core->viv->mmu->name,
		      core->viv->memory_base);
	limn_dump_section(d, LIMN_DUMP_INFO, NULL, 0, 0, 0, text, n);
}

/* &limn_pipe_ops.dump: interrupts are masked, nothing has been reset yet. */
void vivante_dump(struct limn_pipe *pipe, struct limn_job *job, struct limn_dump *d)
{
	struct vivante_core *core = vivante_core(pipe);
	const struct vivante_job *vj = job->priv;

	if (core->power == VIVANTE_OFF)
		return;
	vivante_dump_core(d, core);
	DUMP_REGS(d, "hi", hi_regs, core);
	if (core->id.model != chipModel_GC300 || core->id.revision >= 0x2000)
		DUMP_REGS(d, "pm", pm_regs, core);
	DUMP_REGS(d, "fe", fe_regs, core);
	vivante_dump_mmu(d, core);
	core->viv->mmu->dump(job->vm, d);
	limn_dump_section(d, LIMN_DUMP_STREAM, "ring", core->ring.va, 0, 0, core->ring.cpu,
			  VIVANTE_RING_SIZE);
	limn_dump_section(d, LIMN_DUMP_STREAM, "stream", vj->cmd.va, 0, 0, vj->cmd.cpu,
			  vj->cmd.size);
}
