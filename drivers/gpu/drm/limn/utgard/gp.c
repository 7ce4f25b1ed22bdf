// SPDX-License-Identifier: GPL-2.0-only
/*
 * GP: vertex shader and polygon list builder, each with its command list.
 *
 * Order rules: after a soft reset was seen to be done, the interrupts are
 * cleared and enabled; then frame registers, heap, start. A soft reset is
 * started when a job ends and waited for when the next one starts. Facts:
 * Linux lima_gp.c, ARM's GPL kernel driver (mali_gp.c).
 */
#include <drm/lima_drm.h>

#include "limn_bo_list.h"
#include "limn_gem.h"
#include "limn_submit.h"
#include "limn_trace.h"
#include "utgard.h"

#define GP_IRQ_ENDS	(GP_IRQ_VS_END | GP_IRQ_PLBU_END)
#define GP_IRQ_ERRORS	(GP_IRQ_FORCE_HANG | GP_IRQ_WRITE_BOUND | GP_IRQ_SYNC_ERROR |		\
			 GP_IRQ_BUS_ERROR | GP_IRQ_VS_INVALID_CMD | GP_IRQ_PLBU_INVALID_CMD |	\
			 GP_IRQ_SEM_UNDERFLOW | GP_IRQ_SEM_OVERFLOW | GP_IRQ_PTR_ARRAY_BOUND)
#define GP_IRQ_ALL	(~0u)

/* Written to see the end of a hard reset: until it sticks. */
#define GP_PATTERN_BUSY	0xc0ffe000
#define GP_PATTERN_DONE	0xc01a0000

static void utgard_gp_soft_reset(struct utgard_block *gp)
{
	utgard_write(gp, GP_INT_MASK, 0);
	utgard_write(gp, GP_CMD, GP_CMD_SOFT_RESET);
	gp->resetting = true;
}

static int utgard_gp_wait_reset(struct utgard_block *gp, ktime_t until)
{
	if (gp->resetting && utgard_wait(gp, GP_INT_RAWSTAT, GP_IRQ_RESET_DONE, GP_IRQ_RESET_DONE,
					 until))
		return -EAGAIN;
	gp->resetting = false;
	return 0;
}

/* Whatever the GP is doing. */
int utgard_gp_hard_reset(struct utgard_block *gp)
{
	struct device *dev = gp->ug->base.dev;
	u32 status, value;
	int ret;

	utgard_write(gp, GP_PERF_CNT_0_LIMIT, GP_PATTERN_BUSY);
	utgard_write(gp, GP_INT_MASK, 0);
	utgard_write(gp, GP_CMD, GP_CMD_STOP_BUS);
	ret = readl_poll_timeout_atomic(gp->regs + GP_STATUS, status,
					status & GP_STATUS_BUS_STOPPED, 10, UTGARD_POLL_US);
	if (ret) {
		dev_err(dev, "gp: the bus does not stop\n");
		return ret;
	}
	utgard_write(gp, GP_CMD, GP_CMD_RESET);
	ret = read_poll_timeout_atomic(utgard_write_back, value, value == GP_PATTERN_DONE, 10,
				       UTGARD_POLL_US, false, gp, GP_PERF_CNT_0_LIMIT,
				       GP_PATTERN_DONE);
	if (ret) {
		dev_err(dev, "gp: hard reset timed out\n");
		return ret;
	}
	utgard_write(gp, GP_PERF_CNT_0_LIMIT, 0);
	gp->resetting = false;
	return 0;
}

/* Which of the BOs is the heap that the frame names? 0, or -ENOMEM: it needs more than it has. */
int utgard_gp_bind(struct limn_job *job)
{
	u32 start = job->frame[GP_PLBU_ALLOC_START / 4];
	unsigned int i;

	for (i = 0; job->list->has_heap && i < job->num_bos; i++) {
		struct limn_mapping *mapping = job->mappings[i];

		if (mapping->bo->heap && mapping->node.start == start) {
			job->heap = mapping;
			return limn_heap_feed(mapping);
		}
	}
	return 0;
}

static bool utgard_gp_has_vs(const struct limn_job *job)
{
	return job->frame[GP_VSCL_START / 4] != job->frame[GP_VSCL_END / 4];
}

static bool utgard_gp_has_plbu(const struct limn_job *job)
{
	return job->frame[GP_PLBUCL_START / 4] != job->frame[GP_PLBUCL_END / 4];
}

int utgard_gp_prepare(struct limn_pipe *pipe, struct limn_job *job, ktime_t until)
{
	struct utgard *ug = to_utgard(pipe->ldev);
	struct utgard_block *gp = &ug->block[UTGARD_GP];
	const u32 *frame = job->frame;
	u32 mask = GP_IRQ_ERRORS | GP_IRQ_PLBU_OOM;
	int ret;

	ret = utgard_l2_prepare(&ug->block[UTGARD_L2_0], job, until);
	ret = ret ?: utgard_mmu_switch(&ug->block[UTGARD_GPMMU], to_utgard_vm(job->vm)->pd_dma,
				       until);
	ret = ret ?: utgard_gp_wait_reset(gp, until);
	if (ret)
		return ret;

	/* The PLBU follows the VS: one interrupt, when the last of them ends. */
	mask |= utgard_gp_has_plbu(job) ? GP_IRQ_PLBU_END : GP_IRQ_VS_END;
	utgard_write(gp, GP_INT_CLEAR, GP_IRQ_ALL);
	utgard_write(gp, GP_INT_MASK, mask);

	if (utgard_gp_has_vs(job)) {
		utgard_write(gp, GP_VSCL_START, frame[GP_VSCL_START / 4]);
		utgard_write(gp, GP_VSCL_END, frame[GP_VSCL_END / 4]);
	}
	if (utgard_gp_has_plbu(job)) {
		u32 start = frame[GP_PLBU_ALLOC_START / 4];

		/* A heap BO has less memory behind it than its size tells. */
		ug->gp_heap_end = job->heap ? start + job->heap->heap_mapped :
					      frame[GP_PLBU_ALLOC_END / 4];
		utgard_write(gp, GP_PLBUCL_START, frame[GP_PLBUCL_START / 4]);
		utgard_write(gp, GP_PLBUCL_END, frame[GP_PLBUCL_END / 4]);
		utgard_write(gp, GP_PLBU_ALLOC_START, start);
		utgard_write(gp, GP_PLBU_ALLOC_END, ug->gp_heap_end);
		utgard_write(gp, GP_CMD, GP_CMD_UPDATE_PLBU_ALLOC);
	}
	return 0;
}

void utgard_gp_start(struct limn_pipe *pipe, struct limn_job *job)
{
	struct utgard *ug = to_utgard(pipe->ldev);
	u32 cmd = 0;

	lockdep_assert_held(&pipe->lock);

	ug->gp_pending = 0;
	if (utgard_gp_has_vs(job)) {
		cmd |= GP_CMD_START_VS;
		ug->gp_pending |= GP_IRQ_VS_END;
	}
	if (utgard_gp_has_plbu(job)) {
		cmd |= GP_CMD_START_PLBU;
		ug->gp_pending |= GP_IRQ_PLBU_END;
	}
	utgard_write(&ug->block[UTGARD_GP], GP_CMD, cmd);
}

/* New pages are entered: forget what was cached of them, and go on. */
int utgard_gp_grown(struct limn_pipe *pipe, struct limn_job *job)
{
	struct utgard *ug = to_utgard(pipe->ldev);
	struct utgard_block *gp = &ug->block[UTGARD_GP];
	u32 end = job->frame[GP_PLBU_ALLOC_START / 4] + job->heap->heap_mapped;
	int ret;

	lockdep_assert_held(&pipe->ldev->hw_lock);

	ret = utgard_l2_clear(&ug->block[UTGARD_L2_0], job->order);
	if (ret)
		return ret;
	spin_lock_irq(&pipe->lock);
	ret = limn_pipe_continue(pipe);
	if (!ret) {
		utgard_mmu_zap(&ug->block[UTGARD_GPMMU]);
		utgard_write(gp, GP_INT_CLEAR, GP_IRQ_PLBU_OOM);
		utgard_write(gp, GP_INT_MASK, GP_IRQ_ERRORS | GP_IRQ_PLBU_OOM | GP_IRQ_PLBU_END);
		utgard_write(gp, GP_PLBU_ALLOC_START, ug->gp_heap_end);
		utgard_write(gp, GP_PLBU_ALLOC_END, end);
		ug->gp_heap_end = end;
		utgard_write(gp, GP_CMD, GP_CMD_UPDATE_PLBU_ALLOC);
	}
	spin_unlock_irq(&pipe->lock);
	return ret;
}

void utgard_gp_mask(struct limn_pipe *pipe)
{
	utgard_write(&to_utgard(pipe->ldev)->block[UTGARD_GP], GP_INT_MASK, 0);
}

/* False when the GP has nothing to say. */
static bool utgard_gp_handle(struct limn_pipe *pipe)
{
	struct utgard *ug = to_utgard(pipe->ldev);
	struct utgard_block *gp = &ug->block[UTGARD_GP];
	u32 raw;

	lockdep_assert_held(&pipe->lock);

	if (!limn_pipe_listens(pipe))
		return false;
	/* Raw, because the mask hides the end that comes first. */
	raw = utgard_read(gp, GP_INT_RAWSTAT);
	if (!(raw & (GP_IRQ_ENDS | GP_IRQ_ERRORS | GP_IRQ_PLBU_OOM)))
		return false;

	if (raw & GP_IRQ_ERRORS) {
		u32 status = utgard_read(gp, GP_STATUS);

		trace_limn_unit_error(pipe->job, gp->name, raw, status);
		dev_dbg(ug->base.dev, "gp: error, interrupts %x, status %x\n", raw, status);
		limn_pipe_fault(pipe, -EIO, 0);
	} else if ((raw & ug->gp_pending) == ug->gp_pending) {
		if (pipe->job->perf) {
			utgard_perf_unit_done(pipe, gp);
			utgard_perf_pipe_done(pipe, true);
		}
		limn_pipe_done(pipe);
	} else if (raw & GP_IRQ_PLBU_OOM) {
		utgard_gp_mask(pipe);
		limn_pipe_out_of_memory(pipe);
	} else {
		/* Half of it: wait for the other half. */
		utgard_write(gp, GP_INT_MASK, GP_IRQ_ERRORS | GP_IRQ_PLBU_OOM |
			     (ug->gp_pending & ~raw));
	}
	return true;
}

/* Masked and reset: nothing to acknowledge. */
void utgard_gp_done(struct limn_pipe *pipe)
{
	utgard_gp_soft_reset(&to_utgard(pipe->ldev)->block[UTGARD_GP]);
}

void utgard_gp_poll(struct limn_pipe *pipe)
{
	utgard_gp_handle(pipe);
}

static irqreturn_t utgard_gp_irq(int irq, void *data)
{
	struct limn_pipe *pipe = utgard_pipe(data, UTGARD_PIPE_GP);
	unsigned long flags;
	bool handled;

	spin_lock_irqsave(&pipe->lock, flags);
	handled = utgard_gp_handle(pipe);
	spin_unlock_irqrestore(&pipe->lock, flags);
	return IRQ_RETVAL(handled);
}

/* From unknown state: whatever reset may have been under way is not ours. */
static int utgard_gp_resume(struct utgard_block *gp)
{
	utgard_write(gp, GP_INT_CLEAR, GP_IRQ_RESET_DONE);
	utgard_gp_soft_reset(gp);
	if (!utgard_gp_wait_reset(gp, ktime_add_us(ktime_get(), UTGARD_POLL_US)))
		return 0;
	dev_err(gp->ug->base.dev, "gp: soft reset timed out\n");
	return -ETIMEDOUT;
}

static int utgard_gp_init(struct utgard_block *gp)
{
	gp->ug->gp_version = utgard_read(gp, GP_VERSION);
	return 0;
}

const struct utgard_block_ops utgard_gp_ops = {
	.init = utgard_gp_init,
	.resume = utgard_gp_resume,
	.irq = utgard_gp_irq,
};
