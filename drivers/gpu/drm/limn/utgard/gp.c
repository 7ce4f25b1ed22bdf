// SPDX-License-Identifier: GPL-2.0-only
/*
 * GP: vertex shader and polygon list builder, each with its command list.
 *
 * Order rules: after a soft reset was seen to be done, the interrupts are cleared and enabled; then
 * frame registers, heap, start. A soft reset is started when a job ends and waited for when the
 * next one starts. Facts: Linux lima_gp.c, ARM's GPL kernel driver (mali_gp.c).
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

static const struct utgard_hard_reset gp_hard_reset = {
	.mask = GP_INT_MASK,
	.command = GP_CMD, .stop_bus = GP_CMD_STOP_BUS, .reset = GP_CMD_RESET,
	.status = GP_STATUS, .bus_stopped = GP_STATUS_BUS_STOPPED,
	.scratch = GP_PERF_CNT_0_LIMIT,
};

/* The heap that grows when the job runs out of memory, or NULL. */
static struct limn_mapping *utgard_gp_heap(const struct limn_job *job)
{
	return job->priv;
}

/* An imported one may be getting its address now: no job uses it before its tables are there. */
static bool utgard_heap_is_at(struct limn_mapping *mapping, u32 start)
{
	guard(mutex)(&mapping->vm->lock);
	return mapping->fixed && mapping->node.start == start;
}

/*
 * &limn_backend.job_bind: which of the BOs is the heap that the frame names?
 * 0, or -ENOMEM: it needs more than it has.
 */
int utgard_gp_bind(struct limn_job *job, const struct limn_submit_bo *bos)
{
	u32 start = job->frame[GP_PLBU_ALLOC_START / 4];
	unsigned int i;

	if (job->pipe->id != UTGARD_PIPE_GP || !job->list->has_backing)
		return 0;
	for (i = 0; i < job->list->num; i++) {
		struct limn_mapping *mapping = job->list->mappings[i];

		if (utgard_is_heap(mapping->bo) && utgard_heap_is_at(mapping, start)) {
			job->priv = mapping;
			return utgard_heap_feed(mapping);
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

static int utgard_gp_prepare(struct limn_pipe *pipe, struct limn_job *job)
{
	ktime_t until = ktime_add_us(ktime_get(), UTGARD_START_US);
	struct utgard *ug = to_utgard(pipe->ldev);
	struct utgard_block *gp = &ug->block[UTGARD_GP];
	const u32 *frame = job->frame;
	u32 mask = GP_IRQ_ERRORS | GP_IRQ_PLBU_OOM;
	const struct limn_mapping *heap = utgard_gp_has_plbu(job) ? utgard_gp_heap(job) : NULL;
	/* Less than the BO's size; what the heap gets behind the L2's clear is not for this job. */
	u32 backed = heap ? smp_load_acquire(&heap->backed) : 0;
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

		ug->gp_heap_end = heap ? start + backed : frame[GP_PLBU_ALLOC_END / 4];
		utgard_write(gp, GP_PLBUCL_START, frame[GP_PLBUCL_START / 4]);
		utgard_write(gp, GP_PLBUCL_END, frame[GP_PLBUCL_END / 4]);
		utgard_write(gp, GP_PLBU_ALLOC_START, start);
		utgard_write(gp, GP_PLBU_ALLOC_END, ug->gp_heap_end);
		utgard_write(gp, GP_CMD, GP_CMD_UPDATE_PLBU_ALLOC);
	}
	return 0;
}

static void utgard_gp_start(struct limn_pipe *pipe, struct limn_job *job)
{
	struct utgard *ug = to_utgard(pipe->ldev);
	u32 cmd = 0;

	lockdep_assert_held(&pipe->lock);

	utgard_devfreq_busy(pipe);
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

/* The heap gets new pages: forget what was cached of them, and go on. */
static int utgard_gp_service(struct limn_pipe *pipe, struct limn_job *job)
{
	struct utgard *ug = to_utgard(pipe->ldev);
	struct utgard_block *gp = &ug->block[UTGARD_GP];
	u32 start = job->frame[GP_PLBU_ALLOC_START / 4], end;
	struct limn_mapping *heap = utgard_gp_heap(job);
	size_t had = ug->gp_heap_end - start;
	int ret;

	lockdep_assert_held(&pipe->ldev->hw_lock);

	ret = utgard_heap_grow(heap, had);
	if (ret)
		return ret;
	trace_limn_heap_grow(job, had, heap->backed);
	end = start + heap->backed;
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

/* All that can interrupt on behalf of the pipe's job. */
static void utgard_gp_mask(struct limn_pipe *pipe)
{
	struct utgard *ug = to_utgard(pipe->ldev);

	utgard_perf_pipe_done(pipe, false);
	utgard_write(&ug->block[UTGARD_GP], GP_INT_MASK, 0);
	utgard_mmu_mask(&ug->block[UTGARD_GPMMU]);
}

/* False when the GP has nothing to say. */
static bool utgard_gp_handle(struct utgard_block *gp, struct limn_pipe *pipe)
{
	struct utgard *ug = gp->ug;
	u32 raw;

	lockdep_assert_held(&pipe->lock);

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
		limn_pipe_complete(pipe, 0);
	} else if (raw & GP_IRQ_PLBU_OOM) {
		utgard_write(gp, GP_INT_MASK, 0);
		if (utgard_gp_heap(pipe->job))
			limn_pipe_service(pipe);
		else
			limn_pipe_fault(pipe, -ENOSPC, 0);
	} else {
		/* Half of it: wait for the other half. */
		utgard_write(gp, GP_INT_MASK, GP_IRQ_ERRORS | GP_IRQ_PLBU_OOM |
			     (ug->gp_pending & ~raw));
	}
	return true;
}

/* Masked and reset: nothing to acknowledge. */
static void utgard_gp_completed(struct limn_pipe *pipe)
{
	utgard_gp_soft_reset(&to_utgard(pipe->ldev)->block[UTGARD_GP]);
}

static void utgard_gp_poll(struct limn_pipe *pipe)
{
	utgard_gp_handle(&to_utgard(pipe->ldev)->block[UTGARD_GP], pipe);
}

static void utgard_gp_sync_irq(struct limn_pipe *pipe)
{
	synchronize_irq(to_utgard(pipe->ldev)->block[UTGARD_GP].irq);
}

/* Whatever the GP is doing. */
int utgard_gp_stop(struct utgard *ug)
{
	return utgard_hard_reset(&ug->block[UTGARD_GP], &gp_hard_reset);
}

/* The unit first: an MMU that loses its tables under a running unit faults. */
static int utgard_gp_reset(struct limn_pipe *pipe)
{
	struct utgard *ug = to_utgard(pipe->ldev);
	/* The other pipe's reset may have left the GPU without clocks. */
	int ret = ug->powered ? utgard_gp_stop(ug) : -EIO;

	ret = ret ?: utgard_mmu_reset(&ug->block[UTGARD_GPMMU]);
	return ret ? utgard_gpu_reset(pipe) : 0;
}

const struct limn_pipe_ops utgard_gp_pipe_ops = {
	.prepare = utgard_gp_prepare,
	.start = utgard_gp_start,
	.completed = utgard_gp_completed,
	.idle = utgard_devfreq_idle,
	.service = utgard_gp_service,
	.poll = utgard_gp_poll,
	.mask = utgard_gp_mask,
	.sync_irq = utgard_gp_sync_irq,
	.reset = utgard_gp_reset,
	.dump = utgard_dump,
	.perf_start = utgard_perf_start,
};

/* From unknown state: whatever reset may have been under way is not ours. */
static int utgard_gp_resume(struct utgard_block *gp)
{
	utgard_write(gp, GP_INT_CLEAR, GP_IRQ_RESET_DONE);
	utgard_gp_soft_reset(gp);
	if (!utgard_gp_wait_reset(gp, ktime_add_us(ktime_get(), UTGARD_RESUME_US)))
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
	.handle = utgard_gp_handle,
};
