// SPDX-License-Identifier: GPL-2.0-only
/*
 * PP: pixel processors, which share a job by tiles.
 *
 * A job uses the first num_pp cores. Mali-400's are set up one by one,
 * Mali-450's at once, by broadcast. Each tells when its tiles are done; the
 * job is done with the last, and failed with the first error.
 *
 * Order rules: a soft reset is started when a core is done, and waited for before the next job. It
 * leaves a register file of known values, so only what differs is written. Its end shows as "not
 * rendering" and exactly the one raw interrupt. Facts: Linux lima_pp.c; ARM's GPL kernel driver
 * (mali_pp.c), which sets all raw interrupts before that reset: so the reset itself clears them,
 * and there is no need to do it first.
 */
#include <drm/lima_drm.h>

#include "limn_trace.h"
#include "utgard.h"

#define PP_IRQ_ERRORS	(PP_IRQ_FORCE_HANG | PP_IRQ_BUS_ERROR | PP_IRQ_WRITE_BOUND |		\
			 PP_IRQ_INVALID_PLIST_CMD | PP_IRQ_CALL_STACK_UNDERFLOW |		\
			 PP_IRQ_CALL_STACK_OVERFLOW)
#define PP_IRQ_USED	(PP_IRQ_END_OF_FRAME | PP_IRQ_ERRORS)
#define PP_IRQ_ALL	0x1fff

static void utgard_pp_soft_reset(struct utgard_block *pp)
{
	utgard_write(pp, PP_INT_MASK, 0);
	if (limn_conservative)
		utgard_write(pp, PP_INT_RAWSTAT, PP_IRQ_ALL);
	utgard_write(pp, PP_CTRL, PP_CTRL_SOFT_RESET);
	pp->resetting = true;
}

static int utgard_pp_wait_reset(struct utgard_block *pp, ktime_t until)
{
	int ret;

	if (!pp->resetting)
		return 0;
	ret = utgard_wait(pp, PP_INT_RAWSTAT, ~0u, PP_IRQ_RESET_DONE, until);
	ret = ret ?: utgard_wait(pp, PP_STATUS, PP_STATUS_RENDERING, 0, until);
	pp->resetting = ret;
	return ret;
}

static const struct utgard_hard_reset pp_hard_reset = {
	.mask = PP_INT_MASK,
	.command = PP_CTRL, .stop_bus = PP_CTRL_STOP_BUS, .reset = PP_CTRL_FORCE_RESET,
	.status = PP_STATUS, .bus_stopped = PP_STATUS_BUS_STOPPED,
	.scratch = PP_PERF_CNT_0_LIMIT,
};

/* Whatever the core is doing. */
static int utgard_pp_hard_reset(struct utgard_block *pp)
{
	/* A core in soft reset takes no other command before that reset is over. */
	if (pp->resetting &&
	    !utgard_pp_wait_reset(pp, ktime_add_us(ktime_get(), UTGARD_RESUME_US)))
		return 0;
	return utgard_hard_reset(pp, &pp_hard_reset);
}

static void utgard_pp_write(struct utgard_block *pp, const struct utgard_reg_write *plan,
			    unsigned int n)
{
	unsigned int i;

	utgard_write(pp, PP_INT_CLEAR, PP_IRQ_ALL);
	utgard_write(pp, PP_INT_MASK, PP_IRQ_USED);
	for (i = 0; i < n; i++)
		utgard_write(pp, plan[i].reg, plan[i].value);
}

static int utgard_pp_prepare_m400(struct utgard *ug, struct limn_job *job, ktime_t until)
{
	const struct drm_lima_m400_pp_frame *frame = (const void *)job->frame;
	struct utgard_reg_write plan[UTGARD_MAX_PP_WRITES];
	u32 dte = to_utgard_vm(job->vm)->pd_dma;
	unsigned int i, n;
	int ret;

	n = utgard_plan_pp_frame(frame->frame, frame->wb, plan);
	for (i = 0; i < frame->num_pp; i++) {
		ret = utgard_mmu_switch(ug->ppmmu[i], dte, until);
		ret = ret ?: utgard_pp_wait_reset(ug->pp[i], until);
		if (ret)
			return ret;
		utgard_pp_write(ug->pp[i], plan, n);
		utgard_write(ug->pp[i], PP_FRAME, frame->plbu_array_address[i]);
		if (frame->fragment_stack_address[i])
			utgard_write(ug->pp[i], PP_STACK, frame->fragment_stack_address[i]);
	}
	return 0;
}

static int utgard_pp_wait_reset_m450(struct utgard *ug, unsigned int num_pp, ktime_t until)
{
	unsigned int i;
	int ret;

	for (i = 0; i < num_pp; i++) {
		ret = utgard_pp_wait_reset(ug->pp[i], until);
		if (ret)
			return ret;
	}
	return 0;
}

static int utgard_pp_prepare_m450(struct utgard *ug, struct limn_job *job, ktime_t until)
{
	const struct drm_lima_m450_pp_frame *frame = (const void *)job->frame;
	struct utgard_block *all = &ug->block[UTGARD_PP_BCAST];
	struct utgard_reg_write plan[UTGARD_MAX_PP_WRITES];
	u32 cores = 0;
	unsigned int i, n;
	int ret;

	for (i = 0; i < frame->num_pp; i++)
		cores |= BIT(utgard_core(ug->pp[i]));
	n = utgard_plan_pp_frame(frame->frame, frame->wb, plan);

	utgard_bcast_select(&ug->block[UTGARD_BCAST], cores);
	ret = utgard_mmu_switch(&ug->block[UTGARD_PPMMU_BCAST], to_utgard_vm(job->vm)->pd_dma,
				until);
	ret = ret ?: utgard_pp_wait_reset_m450(ug, frame->num_pp, until);
	if (ret)
		return ret;

	utgard_dlbu_setup(&ug->block[UTGARD_DLBU], frame->use_dlbu ? cores : 0, frame->dlbu_regs);
	utgard_pp_write(all, plan, n);
	if (frame->use_dlbu)
		utgard_write(all, PP_FRAME, UTGARD_DLBU_VA);
	for (i = 0; i < frame->num_pp; i++) {
		if (!frame->use_dlbu)
			utgard_write(ug->pp[i], PP_FRAME, frame->plbu_array_address[i]);
		if (frame->fragment_stack_address[i])
			utgard_write(ug->pp[i], PP_STACK, frame->fragment_stack_address[i]);
	}
	return 0;
}

static int utgard_pp_prepare(struct limn_pipe *pipe, struct limn_job *job)
{
	ktime_t until = ktime_add_us(ktime_get(), UTGARD_START_US);
	struct utgard *ug = to_utgard(pipe->ldev);
	const struct drm_lima_m400_pp_frame *frame = (const void *)job->frame;
	int ret;

	ug->pp_used = BIT(frame->num_pp) - 1;
	if (!ug->m450)
		return utgard_l2_prepare(&ug->block[UTGARD_L2_0], job, until) ?:
		       utgard_pp_prepare_m400(ug, job, until);
	ret = utgard_l2_prepare(&ug->block[UTGARD_L2_1], job, until);
	ret = ret ?: utgard_l2_prepare(&ug->block[UTGARD_L2_2], job, until);
	return ret ?: utgard_pp_prepare_m450(ug, job, until);
}

static void utgard_pp_start(struct limn_pipe *pipe, struct limn_job *job)
{
	struct utgard *ug = to_utgard(pipe->ldev);
	unsigned int i;

	lockdep_assert_held(&pipe->lock);

	utgard_devfreq_busy(pipe);
	ug->pp_pending = ug->pp_used;
	if (ug->m450) {
		utgard_write(&ug->block[UTGARD_PP_BCAST], PP_CTRL, PP_CTRL_START);
		return;
	}
	for (i = 0; i < ug->num_pp; i++) {
		if (ug->pp_used & BIT(i))
			utgard_write(ug->pp[i], PP_CTRL, PP_CTRL_START);
	}
}

/* All that can interrupt on behalf of the pipe's job. */
static void utgard_pp_mask(struct limn_pipe *pipe)
{
	struct utgard *ug = to_utgard(pipe->ldev);
	unsigned int i;

	utgard_perf_pipe_done(pipe, false);
	for (i = 0; i < ug->num_pp; i++) {
		/* Cores that are done were masked and are being reset. */
		if (ug->pp_pending & BIT(i))
			utgard_write(ug->pp[i], PP_INT_MASK, 0);
		if (ug->pp_used & BIT(i))
			utgard_mmu_mask(ug->ppmmu[i]);
	}
}

/*
 * Mali-450: once one core of the job has ended, another one that is idle has, too, as for lima and
 * ARM's driver. The status first: what it had to say before it became idle is in the second read.
 */
static u32 utgard_pp_end(struct utgard_block *pp)
{
	struct utgard *ug = pp->ug;

	if (!ug->m450 || ug->pp_pending == ug->pp_used ||
	    utgard_read(pp, PP_STATUS) & PP_STATUS_RENDERING)
		return 0;
	return utgard_read(pp, PP_INT_RAWSTAT) | PP_IRQ_END_OF_FRAME;
}

/* False when core @i has nothing to say. */
static bool utgard_pp_handle(struct limn_pipe *pipe, unsigned int i)
{
	struct utgard *ug = to_utgard(pipe->ldev);
	struct utgard_block *pp = ug->pp[i];
	u32 raw;

	lockdep_assert_held(&pipe->lock);

	if (!(ug->pp_pending & BIT(i)))
		return false;
	raw = utgard_read(pp, PP_INT_RAWSTAT);
	if (!(raw & PP_IRQ_USED))
		raw = utgard_pp_end(pp);
	if (!raw)
		return false;

	if (raw & PP_IRQ_ERRORS) {
		u32 status = utgard_read(pp, PP_STATUS);

		trace_limn_unit_error(pipe->job, pp->name, raw, status);
		dev_dbg(ug->base.dev, "%s: error, interrupts %x, status %x\n", pp->name, raw,
			status);
		/* The other cores stop, too: their part of the job is lost. */
		limn_pipe_fault(pipe, -EIO, 0);
		return true;
	}
	if (pipe->job->perf)
		utgard_perf_unit_done(pipe, pp);
	ug->pp_pending &= ~BIT(i);
	if (ug->pp_pending) {
		/* Masked and reset, now or with the others: nothing to acknowledge. */
		if (ug->m450)
			utgard_write(pp, PP_INT_MASK, 0);
		else
			utgard_pp_soft_reset(pp);
		return true;
	}
	if (pipe->job->perf)
		utgard_perf_pipe_done(pipe, true);
	ug->pp_last = pp;
	limn_pipe_complete(pipe, 0);
	return true;
}

/*
 * Reset the core that finished last; the others were reset when they finished. All of a Mali-450's
 * at once, as lima and ARM's driver do: the DLBU and the broadcast unit serve the job until then.
 */
static void utgard_pp_completed(struct limn_pipe *pipe)
{
	struct utgard *ug = to_utgard(pipe->ldev);
	unsigned int i;

	if (!ug->m450) {
		utgard_pp_soft_reset(ug->pp_last);
		return;
	}
	utgard_pp_soft_reset(&ug->block[UTGARD_PP_BCAST]);
	for (i = 0; i < ug->num_pp; i++) {
		if (ug->pp_used & BIT(i))
			ug->pp[i]->resetting = true;
	}
}

static bool utgard_pp_handle_one(struct utgard_block *pp, struct limn_pipe *pipe)
{
	return pp->ug->pp[pp->index] == pp && utgard_pp_handle(pipe, pp->index);
}

/*
 * All cores share an interrupt line: look at each that is not done, and twice, for one may be idle
 * that comes before the first that says so.
 */
static bool utgard_pp_handle_all(struct utgard_block *all, struct limn_pipe *pipe)
{
	unsigned int num = all->ug->num_pp, i;
	bool handled = false;

	for (i = 0; i < 2 * num && limn_pipe_listens(pipe); i++)
		handled |= utgard_pp_handle(pipe, i % num);
	return handled;
}

static void utgard_pp_poll(struct limn_pipe *pipe)
{
	utgard_pp_handle_all(&to_utgard(pipe->ldev)->block[UTGARD_PP0], pipe);
}

static void utgard_pp_sync_irq(struct limn_pipe *pipe)
{
	struct utgard *ug = to_utgard(pipe->ldev);
	unsigned int i;

	for (i = 0; i < ug->num_pp; i++)
		synchronize_irq(ug->pp[i]->irq);
	if (ug->block[UTGARD_PP_BCAST].present)
		synchronize_irq(ug->block[UTGARD_PP_BCAST].irq);
}

/* Whatever the cores are doing: all of them, the first error. Nothing is broadcast meanwhile. */
int utgard_pp_stop(struct utgard *ug)
{
	unsigned int i;
	int ret = 0;

	if (ug->m450)
		utgard_bcast_off(&ug->block[UTGARD_BCAST]);
	for (i = 0; i < ug->num_pp; i++) {
		int err = utgard_pp_hard_reset(ug->pp[i]);

		ret = ret ?: err;
	}
	return ret;
}

/* Units first: an MMU that loses its tables under a running unit faults. */
static int utgard_pp_reset(struct limn_pipe *pipe)
{
	struct utgard *ug = to_utgard(pipe->ldev);
	/* The other pipe's reset may have left the GPU without clocks. */
	int ret = ug->powered ? utgard_pp_stop(ug) : -EIO;
	unsigned int i;

	for (i = 0; i < ug->num_pp && !ret; i++)
		ret = utgard_mmu_reset(ug->ppmmu[i]);
	if (!ret && ug->m450) {
		/* The MMUs lost their directories: the next job sets them by broadcast again. */
		ug->block[UTGARD_PPMMU_BCAST].dte = 0;
		ret = utgard_bcast_ops.resume(&ug->block[UTGARD_BCAST]);
	}
	return ret ? utgard_gpu_reset(pipe) : 0;
}

const struct limn_pipe_ops utgard_pp_pipe_ops = {
	.prepare = utgard_pp_prepare,
	.start = utgard_pp_start,
	.completed = utgard_pp_completed,
	.idle = utgard_devfreq_idle,
	.poll = utgard_pp_poll,
	.mask = utgard_pp_mask,
	.sync_irq = utgard_pp_sync_irq,
	.reset = utgard_pp_reset,
	.dump = utgard_dump,
	.perf_start = utgard_perf_start,
};

static int utgard_pp_resume(struct utgard_block *pp)
{
	utgard_write(pp, PP_INT_CLEAR, PP_IRQ_ALL);
	utgard_pp_soft_reset(pp);
	if (!utgard_pp_wait_reset(pp, ktime_add_us(ktime_get(), UTGARD_RESUME_US)))
		return 0;
	dev_err(pp->ug->base.dev, "%s: soft reset timed out\n", pp->name);
	return -ETIMEDOUT;
}

static int utgard_pp_init(struct utgard_block *pp)
{
	pp->ug->pp_version = utgard_read(pp, PP_VERSION);
	return 0;
}

const struct utgard_block_ops utgard_pp_ops = {
	.init = utgard_pp_init,
	.resume = utgard_pp_resume,
	.handle = utgard_pp_handle_one,
};

const struct utgard_block_ops utgard_pp_bcast_ops = {
	.handle = utgard_pp_handle_all,
};
