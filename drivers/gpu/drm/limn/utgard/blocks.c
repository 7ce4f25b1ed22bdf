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
#include <drm/drm_print.h>

#include "limn_drv.h"
#include "limn_dump.h"
#include "utgard.h"

#define NOWHERE	(~0u)

/* Written to see the end of a hard reset: until it sticks. */
#define RESET_PATTERN_BUSY	0xc0ffe000
#define RESET_PATTERN_DONE	0xc01a0000

struct utgard_block_desc {
	const char *name;
	const char *irq;		/* NULL: none */
	u32 m400, m450;			/* offset of its registers, or NOWHERE */
	bool must400, must450;		/* a GPU without it is none */
	const struct utgard_block_ops *ops;
};

#define M400(n, offset)	((n) < 4 ? (offset) : NOWHERE)

#define PP(n)											\
	[UTGARD_PP0 + (n)] = { "pp" #n, "pp" #n, M400(n, UTGARD_PP_OFFSET(n)),			\
			       UTGARD_PP_OFFSET(n), !(n), !(n), &utgard_pp_ops }
#define PPMMU(n)										\
	[UTGARD_PPMMU0 + (n)] = { "ppmmu" #n, "ppmmu" #n, M400(n, UTGARD_PPMMU_OFFSET(n)),	\
				  UTGARD_PPMMU_OFFSET(n), !(n), !(n), &utgard_mmu_ops }

/*
 * In the order in which they start, MMUs before what is behind them: a soft reset does not end
 * while an MMU holds an access. They stop in the reverse order.
 */
static const struct utgard_block_desc utgard_blocks[UTGARD_NUM_BLOCKS] = {
	[UTGARD_PMU] = { "pmu", "pmu", UTGARD_PMU_OFFSET, UTGARD_PMU_OFFSET, false, false,
			 &utgard_pmu_ops },
	[UTGARD_L2_0] = { "l2_cache0", NULL, UTGARD_M400_L2_OFFSET, UTGARD_M450_L2_GP_OFFSET,
			  true, true, &utgard_l2_ops },
	[UTGARD_L2_1] = { "l2_cache1", NULL, NOWHERE, UTGARD_M450_L2_PP03_OFFSET, false, true,
			  &utgard_l2_ops },
	[UTGARD_L2_2] = { "l2_cache2", NULL, NOWHERE, UTGARD_M450_L2_PP47_OFFSET, false, false,
			  &utgard_l2_ops },
	[UTGARD_GPMMU] = { "gpmmu", "gpmmu", UTGARD_GPMMU_OFFSET, UTGARD_GPMMU_OFFSET, true, true,
			   &utgard_mmu_ops },
	PPMMU(0), PPMMU(1), PPMMU(2), PPMMU(3), PPMMU(4), PPMMU(5), PPMMU(6), PPMMU(7),
	[UTGARD_GP] = { "gp", "gp", UTGARD_GP_OFFSET, UTGARD_GP_OFFSET, true, true,
			&utgard_gp_ops },
	PP(0), PP(1), PP(2), PP(3), PP(4), PP(5), PP(6), PP(7),
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

static irqreturn_t utgard_irq(int irq, void *data)
{
	struct utgard_block *b = data;
	bool gp = b->id == UTGARD_GP || b->id == UTGARD_GPMMU;
	struct limn_pipe *pipe = utgard_pipe(b, gp ? UTGARD_PIPE_GP : UTGARD_PIPE_PP);
	unsigned long flags;
	bool handled;

	spin_lock_irqsave(&pipe->lock, flags);
	handled = limn_pipe_listens(pipe) && b->ops->handle(b, pipe);
	spin_unlock_irqrestore(&pipe->lock, flags);
	return IRQ_RETVAL(handled);
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
	if (b->ops->handle) {
		ret = devm_request_irq(ug->base.dev, b->irq, utgard_irq, IRQF_SHARED, b->name, b);
		if (ret)
			return dev_err_probe(ug->base.dev, ret, "%s: no interrupt\n", b->name);
	}
	b->present = true;
	return 0;
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

static void *utgard_alloc_page(struct utgard *ug, dma_addr_t *dma)
{
	return dmam_alloc_attrs(ug->base.dev, SZ_4K, dma, GFP_KERNEL | __GFP_ZERO,
				DMA_ATTR_WRITE_COMBINE);
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
	/* The device tree may name a PMU that is not there: do not write to it. */
	ug->block[UTGARD_PMU].present = false;
	return dev_err_probe(ug->base.dev, -ENODEV, "no Mali-%u answers: GP version %08x\n",
			     utgard_model(ug), version);
}

/* The GPU has power and pipes. utgard_blocks_suspend() undoes this, an error included. */
int utgard_blocks_init(struct utgard *ug)
{
	struct device *dev = ug->base.dev;
	void __iomem *regs;
	unsigned int id;
	int ret;

	regs = limn_device_map(to_platform_device(dev),
			       ug->m450 ? UTGARD_M450_WINDOW_SIZE : UTGARD_M400_WINDOW_SIZE);
	if (IS_ERR(regs))
		return PTR_ERR(regs);
	ret = utgard_get_irqs(ug);
	if (ret)
		return ret;
	if (!utgard_alloc_page(ug, &ug->zeros) || (ug->m450 && !utgard_alloc_page(ug, &ug->dlbu)))
		return -ENOMEM;
	/* Power, then see what it is, then the rest. */
	ret = utgard_block_init(ug, regs, UTGARD_PMU);
	ret = ret ?: utgard_identify(ug, regs);
	for (id = UTGARD_PMU + 1; !ret && id < UTGARD_NUM_BLOCKS; id++)
		ret = utgard_block_init(ug, regs, id);
	if (ret)
		return ret;
	utgard_collect_pps(ug);
	dev_info(dev, "Mali-%u MP%u, GP %08x, PP %08x\n", utgard_model(ug), ug->num_pp,
		 ug->gp_version, ug->pp_version);
	return 0;
}

/* Stop the blocks that are present, before their power goes. */
void utgard_blocks_suspend(struct utgard *ug)
{
	int id;

	for (id = UTGARD_NUM_BLOCKS - 1; id >= 0; id--) {
		struct utgard_block *b = &ug->block[id];

		if (b->present && b->ops->suspend)
			b->ops->suspend(b);
	}
}

int utgard_blocks_resume(struct utgard *ug)
{
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

/* For readl_poll: written until it sticks, which is when a hard reset is over. */
static u32 utgard_write_back(struct utgard_block *b, u32 reg, u32 value)
{
	utgard_write(b, reg, value);
	return utgard_read(b, reg);
}

/*
 * Whatever the GP or PP is doing. Its bus may not stop while its MMU holds an access that it has
 * refused; ARM's driver has the MMU answer that one first. The unit is reset all the same: only
 * when that fails does the whole GPU lose its power.
 */
int utgard_hard_reset(struct utgard_block *b, const struct utgard_hard_reset *r)
{
	struct device *dev = b->ug->base.dev;
	u32 value;
	int ret;

	utgard_write(b, r->scratch, RESET_PATTERN_BUSY);
	utgard_write(b, r->mask, 0);
	utgard_write(b, r->command, r->stop_bus);
	ret = readl_poll_timeout_atomic(b->regs + r->status, value, value & r->bus_stopped, 10,
					UTGARD_POLL_US);
	if (ret)
		dev_warn_ratelimited(dev, "%s: the bus does not stop\n", b->name);
	utgard_write(b, r->command, r->reset);
	ret = read_poll_timeout_atomic(utgard_write_back, value, value == RESET_PATTERN_DONE, 10,
				       UTGARD_POLL_US, false, b, r->scratch, RESET_PATTERN_DONE);
	if (ret) {
		dev_err_ratelimited(dev, "%s: hard reset timed out\n", b->name);
		return ret;
	}
	utgard_write(b, r->scratch, 0);
	b->resetting = false;
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

	/* The bound with interrupts off. Debug kernels only: the check costs a division. */
	drm_WARN_ON_ONCE(&b->ug->base.drm, IS_ENABLED(CONFIG_DEBUG_ATOMIC_SLEEP) &&
			 irqs_disabled() &&
			 ktime_us_delta(until, ktime_get()) > UTGARD_START_US);
	for (;;) {
		if ((utgard_read(b, reg) & mask) == value)
			return 0;
		if (late)
			return -EAGAIN;
		late = ktime_after(ktime_get(), until);
		cpu_relax();
	}
}

const struct limn_backend utgard_backend = {
	.driver = &utgard_drm_driver,
	.device_size = sizeof(struct utgard),
	.vm_size = sizeof(struct utgard_vm),
	.timeout_ms = 10000,
	.hang_periods = 1,
	.job_create = utgard_cmd_create,
	.heap_init = utgard_heap_init,
	.job_bind = utgard_gp_bind,
	.dump_family = LIMN_DUMP_UTGARD,
	.perf_domain = utgard_perf_domain,
};
