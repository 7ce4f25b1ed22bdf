// SPDX-License-Identifier: GPL-2.0-only
/*
 * The blocks of an Utgard GPU: one table, and all that walks it.
 *
 * Offsets, which blocks exist on which GPU and the order in which they come
 * up: Linux drivers/gpu/drm/lima/lima_device.c; interrupt names: the
 * arm,mali-utgard device tree binding.
 */
#include <linux/dma-mapping.h>
#include <linux/platform_device.h>

#include "limn_drv.h"
#include "limn_dump.h"
#include "utgard.h"

#define NOWHERE	(~0u)

struct utgard_block_desc {
	const char *name;
	const char *irq;		/* NULL: none */
	u32 m400, m450;			/* offset of its registers, or NOWHERE */
	bool must400, must450;		/* a GPU without it is none */
	const struct utgard_block_ops *ops;
};

#define PP(n, m400, must)									\
	[UTGARD_PP0 + (n)] = { "pp" #n, "pp" #n, m400, UTGARD_PP_OFFSET(n), must, must,		\
			       &utgard_pp_ops }
#define PPMMU(n, m400, must)									\
	[UTGARD_PPMMU0 + (n)] = { "ppmmu" #n, "ppmmu" #n, m400, UTGARD_PPMMU_OFFSET(n), must,	\
				  must, &utgard_mmu_ops }

/* In the order in which they start; they stop in the reverse order. */
static const struct utgard_block_desc utgard_blocks[UTGARD_NUM_BLOCKS] = {
	[UTGARD_PMU] = { "pmu", "pmu", UTGARD_PMU_OFFSET, UTGARD_PMU_OFFSET, false, false,
			 &utgard_pmu_ops },
	[UTGARD_L2_0] = { "l2_cache0", NULL, UTGARD_M400_L2_OFFSET, UTGARD_M450_L2_GP_OFFSET,
			  true, true, &utgard_l2_ops },
	[UTGARD_L2_1] = { "l2_cache1", NULL, NOWHERE, UTGARD_M450_L2_PP03_OFFSET, false, true,
			  &utgard_l2_ops },
	[UTGARD_L2_2] = { "l2_cache2", NULL, NOWHERE, UTGARD_M450_L2_PP47_OFFSET, false, false,
			  &utgard_l2_ops },
	[UTGARD_GP] = { "gp", "gp", UTGARD_GP_OFFSET, UTGARD_GP_OFFSET, true, true,
			&utgard_gp_ops },
	PP(0, UTGARD_PP_OFFSET(0), true),
	PP(1, UTGARD_PP_OFFSET(1), false),
	PP(2, UTGARD_PP_OFFSET(2), false),
	PP(3, UTGARD_PP_OFFSET(3), false),
	PP(4, NOWHERE, false),
	PP(5, NOWHERE, false),
	PP(6, NOWHERE, false),
	PP(7, NOWHERE, false),
	[UTGARD_GPMMU] = { "gpmmu", "gpmmu", UTGARD_GPMMU_OFFSET, UTGARD_GPMMU_OFFSET, true, true,
			   &utgard_mmu_ops },
	PPMMU(0, UTGARD_PPMMU_OFFSET(0), true),
	PPMMU(1, UTGARD_PPMMU_OFFSET(1), false),
	PPMMU(2, UTGARD_PPMMU_OFFSET(2), false),
	PPMMU(3, UTGARD_PPMMU_OFFSET(3), false),
	PPMMU(4, NOWHERE, false),
	PPMMU(5, NOWHERE, false),
	PPMMU(6, NOWHERE, false),
	PPMMU(7, NOWHERE, false),
	[UTGARD_DLBU] = { "dlbu", NULL, NOWHERE, UTGARD_DLBU_OFFSET, false, true,
			  &utgard_dlbu_ops },
	[UTGARD_BCAST] = { "bcast", NULL, NOWHERE, UTGARD_BCAST_OFFSET, false, true,
			   &utgard_bcast_ops },
	[UTGARD_PP_BCAST] = { "pp_bcast", "pp", NOWHERE, UTGARD_PP_BCAST_OFFSET, false, true,
			      &utgard_pp_bcast_ops },
	[UTGARD_PPMMU_BCAST] = { "ppmmu_bcast", NULL, NOWHERE, UTGARD_PPMMU_BCAST_OFFSET, false,
				 true, &utgard_mmu_bcast_ops },
};

/* What the device tree does not name is not there. */
static int utgard_get_irqs(struct utgard *ug)
{
	struct platform_device *pdev = to_platform_device(ug->base.dev);
	unsigned int id;

	for (id = 0; id < UTGARD_NUM_BLOCKS; id++) {
		const struct utgard_block_desc *desc = &utgard_blocks[id];
		bool must = ug->m450 ? desc->must450 : desc->must400;
		struct utgard_block *b = &ug->block[id];

		if (!desc->irq || (ug->m450 ? desc->m450 : desc->m400) == NOWHERE)
			continue;
		b->irq = must ? platform_get_irq_byname(pdev, desc->irq) :
				platform_get_irq_byname_optional(pdev, desc->irq);
		if (must && b->irq < 0)
			return b->irq;
	}
	return 0;
}

static int utgard_block_init(struct utgard *ug, void __iomem *regs, enum utgard_block_id id)
{
	const struct utgard_block_desc *desc = &utgard_blocks[id];
	u32 offset = ug->m450 ? desc->m450 : desc->m400;
	bool must = ug->m450 ? desc->must450 : desc->must400;
	struct utgard_block *b = &ug->block[id];
	int ret;

	if (offset == NOWHERE)
		return 0;
	b->ug = ug;
	b->ops = desc->ops;
	b->id = id;
	b->name = desc->name;
	b->regs = regs + offset;
	if (b->irq < 0)
		return 0;
	ret = b->ops->init ? b->ops->init(b) : 0;
	ret = ret ?: b->ops->resume ? b->ops->resume(b) : 0;
	/* Without power, nothing else answers. */
	if (ret)
		return must || id == UTGARD_PMU ? ret : 0;
	/* Ready, and quiet: nothing interrupts before the first job. */
	if (b->ops->irq) {
		ret = devm_request_irq(ug->base.dev, b->irq, b->ops->irq, IRQF_SHARED, b->name, b);
		if (ret)
			return dev_err_probe(ug->base.dev, ret, "%s: no interrupt\n", b->name);
	}
	b->present = true;
	return 0;
}

static void utgard_blocks_fini(struct utgard *ug)
{
	int id;

	for (id = UTGARD_NUM_BLOCKS - 1; id >= 0; id--) {
		struct utgard_block *b = &ug->block[id];

		if (!b->present)
			continue;
		if (b->ops->irq)
			devm_free_irq(ug->base.dev, b->irq, b);
		if (b->ops->suspend && ug->base.powered)
			b->ops->suspend(b);
		b->present = false;
	}
}

/* The cores that jobs can use are those with an MMU and, on Mali-450, an L2. */
static void utgard_collect_pps(struct utgard *ug)
{
	unsigned int i;

	for (i = 0; i < UTGARD_MAX_PP; i++) {
		struct utgard_block *pp = &ug->block[UTGARD_PP0 + i];
		struct utgard_block *mmu = &ug->block[UTGARD_PPMMU0 + i];
		struct utgard_block *l2 = &ug->block[ug->m450 ? UTGARD_L2_1 + i / 4 : UTGARD_L2_0];

		if (!pp->present || !mmu->present || !l2->present)
			continue;
		pp->index = ug->num_pp;
		ug->pp[ug->num_pp] = pp;
		ug->ppmmu[ug->num_pp] = mmu;
		ug->num_pp++;
	}
}

static int utgard_alloc_pages(struct utgard *ug)
{
	struct device *dev = ug->base.dev;

	ug->zeros_cpu = dma_alloc_wc(dev, SZ_4K, &ug->zeros, GFP_KERNEL | __GFP_ZERO);
	if (!ug->zeros_cpu)
		return -ENOMEM;
	if (!ug->m450)
		return 0;
	ug->dlbu_cpu = dma_alloc_wc(dev, SZ_4K, &ug->dlbu, GFP_KERNEL | __GFP_ZERO);
	return ug->dlbu_cpu ? 0 : -ENOMEM;
}

static void utgard_free_pages(struct utgard *ug)
{
	struct device *dev = ug->base.dev;

	if (ug->dlbu_cpu)
		dma_free_wc(dev, SZ_4K, ug->dlbu_cpu, ug->dlbu);
	if (ug->zeros_cpu)
		dma_free_wc(dev, SZ_4K, ug->zeros_cpu, ug->zeros);
	ug->dlbu_cpu = NULL;
	ug->zeros_cpu = NULL;
}

static void utgard_fini(struct limn_device *ldev)
{
	struct utgard *ug = to_utgard(ldev);

	utgard_blocks_fini(ug);
	utgard_free_pages(ug);
}

/* Does what answers there agree with the device tree? Not even the L2 is touched before. */
static int utgard_identify(struct utgard *ug, void __iomem *regs)
{
	u32 version = readl(regs + UTGARD_GP_OFFSET + GP_VERSION);

	switch (version >> 16) {
	case GP_VERSION_M200:
	case GP_VERSION_M300:
	case GP_VERSION_M400:
		if (!ug->m450)
			return 0;
		break;
	case GP_VERSION_M450:
		if (ug->m450)
			return 0;
		break;
	}
	/* So it has no PMU that could be told to switch anything off. */
	ug->block[UTGARD_PMU].present = false;
	return dev_err_probe(ug->base.dev, -ENODEV, "no Mali-%lu answers: GP version %08x\n",
			     ug->base.model, version);
}

static int utgard_init(struct limn_device *ldev)
{
	struct utgard *ug = to_utgard(ldev);
	void __iomem *regs;
	unsigned int id;
	int ret;

	ug->m450 = ldev->model == 450;
	/* The last page stays free: the end of a heap there would be address 0. */
	ldev->va_end = ug->m450 ? UTGARD_DLBU_VA : SZ_4G - SZ_4K;

	regs = limn_device_map(to_platform_device(ldev->dev),
			       ug->m450 ? UTGARD_M450_WINDOW_SIZE : UTGARD_M400_WINDOW_SIZE);
	if (IS_ERR(regs))
		return PTR_ERR(regs);
	ret = utgard_get_irqs(ug);
	if (ret)
		return ret;
	ret = utgard_alloc_pages(ug);
	/* Power, then see what it is, then the rest. */
	ret = ret ?: utgard_block_init(ug, regs, UTGARD_PMU);
	ret = ret ?: utgard_identify(ug, regs);
	for (id = UTGARD_PMU + 1; !ret && id < UTGARD_NUM_BLOCKS; id++)
		ret = utgard_block_init(ug, regs, id);
	if (ret) {
		utgard_fini(ldev);
		return ret;
	}
	utgard_collect_pps(ug);
	dev_info(ldev->dev, "Mali-%lu MP%u, GP %08x, PP %08x\n", ldev->model, ug->num_pp,
		 ug->gp_version, ug->pp_version);
	return 0;
}

static void utgard_suspend(struct limn_device *ldev)
{
	struct utgard *ug = to_utgard(ldev);
	int id;

	for (id = UTGARD_NUM_BLOCKS - 1; id >= 0; id--) {
		struct utgard_block *b = &ug->block[id];

		if (b->present && b->ops->suspend)
			b->ops->suspend(b);
	}
}

static int utgard_resume(struct limn_device *ldev)
{
	struct utgard *ug = to_utgard(ldev);
	unsigned int id;
	int ret;

	for (id = 0; id < UTGARD_NUM_BLOCKS; id++) {
		struct utgard_block *b = &ug->block[id];

		if (!b->present || !b->ops->resume)
			continue;
		ret = b->ops->resume(b);
		if (ret)
			return ret;
	}
	return 0;
}

/* The caches that this pipe's MMUs read page tables through. */
bool utgard_pipe_uses_l2(struct limn_pipe *pipe, enum utgard_block_id id)
{
	if (!to_utgard(pipe->ldev)->m450)
		return id == UTGARD_L2_0;
	return (pipe->id == UTGARD_PIPE_GP) == (id == UTGARD_L2_0);
}

/* 0 when the bits of @mask have that value, -EAGAIN when they do not even after @until. */
int utgard_wait(struct utgard_block *b, u32 reg, u32 mask, u32 value, ktime_t until)
{
	bool late = false;

	for (;;) {
		if ((utgard_read(b, reg) & mask) == value)
			return 0;
		if (late)
			return -EAGAIN;
		late = ktime_after(ktime_get(), until);
		cpu_relax();
	}
}

static int utgard_job_bind(struct limn_job *job)
{
	return job->pipe->id == UTGARD_PIPE_GP ? utgard_gp_bind(job) : 0;
}

static int utgard_job_prepare(struct limn_pipe *pipe, struct limn_job *job)
{
	ktime_t until = ktime_add_us(ktime_get(), UTGARD_START_US);

	return pipe->id == UTGARD_PIPE_GP ? utgard_gp_prepare(pipe, job, until) :
					    utgard_pp_prepare(pipe, job, until);
}

static void utgard_job_start(struct limn_pipe *pipe, struct limn_job *job)
{
	if (pipe->id == UTGARD_PIPE_GP)
		utgard_gp_start(pipe, job);
	else
		utgard_pp_start(pipe, job);
}

static void utgard_job_done(struct limn_pipe *pipe)
{
	if (pipe->id == UTGARD_PIPE_GP)
		utgard_gp_done(pipe);
	else
		utgard_pp_done(pipe);
}

static void utgard_job_poll(struct limn_pipe *pipe)
{
	if (pipe->id == UTGARD_PIPE_GP)
		utgard_gp_poll(pipe);
	else
		utgard_pp_poll(pipe);
}

/* All that can interrupt on behalf of the pipe's job. */
static void utgard_pipe_mask(struct limn_pipe *pipe)
{
	struct utgard *ug = to_utgard(pipe->ldev);
	unsigned int i;

	lockdep_assert_held(&pipe->lock);

	utgard_perf_pipe_done(pipe, false);
	if (pipe->id == UTGARD_PIPE_GP) {
		utgard_gp_mask(pipe);
		utgard_mmu_mask(&ug->block[UTGARD_GPMMU]);
		return;
	}
	utgard_pp_mask(pipe);
	for (i = 0; i < ug->num_pp; i++) {
		if (ug->pp_used & BIT(i))
			utgard_mmu_mask(ug->ppmmu[i]);
	}
}

static void utgard_irq_sync(struct limn_pipe *pipe)
{
	struct utgard *ug = to_utgard(pipe->ldev);
	unsigned int i;

	if (pipe->id == UTGARD_PIPE_GP) {
		synchronize_irq(ug->block[UTGARD_GP].irq);
		return;
	}
	for (i = 0; i < ug->num_pp; i++)
		synchronize_irq(ug->pp[i]->irq);
	if (ug->block[UTGARD_PP_BCAST].present)
		synchronize_irq(ug->block[UTGARD_PP_BCAST].irq);
}

/* Units first: an MMU that loses its tables under a running unit faults. */
static int utgard_pipe_reset(struct limn_pipe *pipe)
{
	struct utgard *ug = to_utgard(pipe->ldev);
	unsigned int i;
	int ret = 0;

	lockdep_assert_held(&pipe->ldev->hw_lock);

	if (pipe->id == UTGARD_PIPE_GP) {
		ret = utgard_gp_hard_reset(&ug->block[UTGARD_GP]);
		return ret ?: utgard_mmu_reset(&ug->block[UTGARD_GPMMU]);
	}
	for (i = 0; i < ug->num_pp && !ret; i++)
		ret = utgard_pp_hard_reset(ug->pp[i]);
	for (i = 0; i < ug->num_pp && !ret; i++)
		ret = utgard_mmu_reset(ug->ppmmu[i]);
	if (!ret && ug->m450) {
		/* What the broadcast unit believes of the MMUs is history. */
		ug->block[UTGARD_PPMMU_BCAST].dte = 0;
		ug->block[UTGARD_PP_BCAST].resetting = false;
		ret = utgard_bcast_ops.resume(&ug->block[UTGARD_BCAST]);
	}
	return ret;
}

const struct limn_backend utgard_backend = {
	.driver = &utgard_drm_driver,
	.device_size = sizeof(struct utgard),
	.vm_size = sizeof(struct utgard_vm),
	.num_pipes = 2,
	.pipe_names = { [UTGARD_PIPE_GP] = "gp", [UTGARD_PIPE_PP] = "pp" },
	.timeout_ms = 10000,
	.va_start = SZ_4K,
	.init = utgard_init,
	.fini = utgard_fini,
	.resume = utgard_resume,
	.suspend = utgard_suspend,
	.pt_init = utgard_pt_init,
	.pt_fini = utgard_pt_fini,
	.pt_reserve = utgard_pt_reserve,
	.pt_map = utgard_pt_map,
	.pt_unmap = utgard_pt_unmap,
	.job_create = utgard_cmd_create,
	.job_bind = utgard_job_bind,
	.job_prepare = utgard_job_prepare,
	.job_start = utgard_job_start,
	.job_done = utgard_job_done,
	.job_grown = utgard_gp_grown,
	.job_poll = utgard_job_poll,
	.pipe_mask = utgard_pipe_mask,
	.irq_sync = utgard_irq_sync,
	.pipe_reset = utgard_pipe_reset,
	.dump_family = LIMN_DUMP_UTGARD,
	.dump = utgard_dump,
	.perf = &utgard_perf_ops,
};
