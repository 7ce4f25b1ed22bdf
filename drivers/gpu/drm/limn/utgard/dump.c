// SPDX-License-Identifier: GPL-2.0-only
/*
 * What Utgard's units show of a job that failed: registers and page tables.
 */
#include <drm/lima_drm.h>

#include "limn_dump.h"
#include "utgard.h"

static const u32 gp_regs[] = {
	GP_VSCL_START, GP_VSCL_END, GP_PLBUCL_START, GP_PLBUCL_END, GP_PLBU_ALLOC_START,
	GP_PLBU_ALLOC_END, GP_INT_RAWSTAT, GP_INT_MASK, GP_INT_STAT, GP_WRITE_BOUND_LOW,
	GP_WRITE_BOUND_HIGH, GP_STATUS, GP_VERSION, GP_VSCL_START_READ, GP_PLBUCL_START_READ,
	GP_BUS_ERROR_STAT,
};

static const u32 pp_regs[] = {
	PP_VERSION, PP_CURRENT_REND_LIST, PP_STATUS, PP_INT_RAWSTAT, PP_INT_MASK, PP_INT_STATUS,
	PP_WRITE_BOUND_ENABLE, PP_WRITE_BOUND_LOW, PP_WRITE_BOUND_HIGH, PP_BUS_ERROR_STATUS,
};

static const u32 mmu_regs[] = {
	MMU_DTE_ADDR, MMU_STATUS, MMU_PAGE_FAULT_ADDR, MMU_INT_RAWSTAT, MMU_INT_MASK,
	MMU_INT_STATUS,
};

static const u32 l2_regs[] = { L2_SIZE, L2_STATUS, L2_MAX_READS, L2_ENABLE };

static const u32 dlbu_regs[] = {
	DLBU_MASTER_TLLIST_PHYS, DLBU_MASTER_TLLIST_VADDR, DLBU_TLLIST_VBASEADDR, DLBU_FB_DIM,
	DLBU_TLLIST_CONF, DLBU_START_TILE_POS, DLBU_PP_ENABLE_MASK,
};

static const u32 bcast_regs[] = { BCAST_BROADCAST_MASK, BCAST_INTERRUPT_MASK };

static u32 utgard_dump_read(void *unit, u32 offset)
{
	return utgard_read(unit, offset);
}

static void utgard_dump_regs(struct limn_dump *d, struct utgard_block *b, const u32 *regs,
			     unsigned int n)
{
	/* A unit in reset, or without clocks, answers nothing; it has done its part anyway. */
	if (b->present && b->ug->powered && !b->resetting)
		limn_dump_regs(d, b->name, regs, n, utgard_dump_read, b);
}

/* Frame and write-back registers, then the rest. */
static void utgard_dump_pp(struct limn_dump *d, struct utgard_block *pp)
{
	u32 regs[PP_FRAME_WORDS + PP_WB_UNITS * PP_WB_WORDS + ARRAY_SIZE(pp_regs)];
	unsigned int i, wb, n = 0;

	for (i = 0; i < PP_FRAME_WORDS; i++)
		regs[n++] = PP_FRAME + 4 * i;
	for (wb = 0; wb < PP_WB_UNITS; wb++) {
		for (i = 0; i < PP_WB_WORDS; i++)
			regs[n++] = PP_WB(wb) + 4 * i;
	}
	memcpy(regs + n, pp_regs, sizeof(pp_regs));
	utgard_dump_regs(d, pp, regs, n + ARRAY_SIZE(pp_regs));
}

static void utgard_dump_gpu(struct limn_dump *d, struct utgard *ug)
{
	char text[96];
	int n;

	n = scnprintf(text, sizeof(text), "gpu: Mali-%u MP%u\ngp_version: 0x%x\npp_version: 0x%x\n",
		      utgard_model(ug), ug->num_pp, ug->gp_version, ug->pp_version);
	limn_dump_section(d, LIMN_DUMP_INFO, NULL, 0, 0, 0, text, n);
}

/* &limn_pipe_ops.dump */
void utgard_dump(struct limn_pipe *pipe, struct limn_job *job, struct limn_dump *d)
{
	struct utgard *ug = to_utgard(pipe->ldev);
	enum utgard_block_id id;
	unsigned int i;

	lockdep_assert_held(&pipe->ldev->hw_lock);

	utgard_dump_gpu(d, ug);
	if (pipe->id == UTGARD_PIPE_GP) {
		utgard_dump_regs(d, &ug->block[UTGARD_GP], gp_regs, ARRAY_SIZE(gp_regs));
		utgard_dump_regs(d, &ug->block[UTGARD_GPMMU], mmu_regs, ARRAY_SIZE(mmu_regs));
	}
	for (i = 0; pipe->id == UTGARD_PIPE_PP && i < ug->num_pp; i++) {
		if (!(ug->pp_used & BIT(i)))
			continue;
		utgard_dump_pp(d, ug->pp[i]);
		utgard_dump_regs(d, ug->ppmmu[i], mmu_regs, ARRAY_SIZE(mmu_regs));
	}
	for (id = UTGARD_L2_0; id <= UTGARD_L2_2; id++)
		utgard_dump_regs(d, &ug->block[id], l2_regs, ARRAY_SIZE(l2_regs));
	utgard_dump_regs(d, &ug->block[UTGARD_DLBU], dlbu_regs, ARRAY_SIZE(dlbu_regs));
	utgard_dump_regs(d, &ug->block[UTGARD_BCAST], bcast_regs, ARRAY_SIZE(bcast_regs));
	utgard_pt_dump(job->vm, d);
	limn_dump_section(d, LIMN_DUMP_JOB, pipe->name, 0, pipe->id, 0, job->frame,
			  job->frame_size * sizeof(*job->frame));
}
