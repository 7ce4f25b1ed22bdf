// SPDX-License-Identifier: GPL-2.0-only
/*
 * A job's states, its hardware fence, and what it holds.
 */

/**
 * DOC: jobs
 *
 * A job is in one of these states, and limn_job_set_state() checks each change::
 *
 *	  NEW       limn_submit() builds it; an error ends it here
 *	   |  queue: drm_sched_entity_push_job()
 *	   v
 *	 QUEUED     drm_sched chooses among contexts and waits for dependencies
 *	   |  schedule: run_job()           \  killed with its queue: free_job()
 *	   v                                 \  is all that comes
 *	 STAGED     in &limn_pipe.staged      |
 *	   |  start: limn_pipe_start() \      |
 *	   v                            |     |
 *	 RUNNING    &limn_pipe.job      | refused at its start
 *	   |  complete:                 |     |
 *	   v  limn_pipe_complete()      v     |
 *	  DONE      the fence has signalled   |
 *	   |  retire: free_job()  \           |
 *	   v                       v          |
 *	 RETIRED <--------------- KEPT        |
 *	   ^                                  |
 *	   +----------------------------------+
 *
 * The retire workqueue enters the last two states, and gives back what a RETIRED job holds.
 *
 * Through the files: limn_submit.c builds and queues a job; limn_sched.c stages, starts and
 * completes it, with the family's struct limn_pipe_ops; limn_job_end() here signals its fence;
 * limn_retire.c has the rest. Only a job that does not simply finish comes to limn_recover.c.
 *
 * KEPT is a job that was on a pipe which could not be reset: the hardware may have
 * stopped in the middle for want of a clock, and go on later. Its memory stays until the
 * pipe is started anew, or the device goes.
 */

/**
 * DOC: fences
 *
 * A job has the two fences that drm_sched gives each job: the hardware fence, which run_job()
 * returns, and the finished fence, which BOs, syncobjs and sync files get and which follows
 * it. The hardware fence is part of the job: nothing is allocated after the submit ioctl has
 * said yes. It takes the pipe and the module along, because its name and its release
 * function live there; the job's memory goes when the last reference to the fence does.
 *
 * The finished fence is named after its scheduler, which is in struct limn_pipe. Normally it
 * holds the pipe by way of the hardware fence. That of a job which drm_sched killed in its
 * queue has none, and drm_sched has no callback for its release: such a job leaves a reference to
 * its pipe behind, for good (limn_sched_free_job()). It happens only when the device
 * goes while jobs are queued.
 *
 * A job that the GPU did not finish never signals success: its fence carries
 * -EFAULT (the MMU refused an address), -EIO (the hardware reported an error
 * or did not start), -ENOSPC (its heap ended), -ENOMEM (the kernel had none for it), -ETIMEDOUT,
 * -ECANCELED (its context is banned, or a job that had to end well did not), -ENODEV, or
 * -ESRCH (it was still queued when its process was killed, a while after its file was
 * closed, or when the device went).
 */
#include <kunit/visibility.h>
#include <linux/math64.h>
#include <linux/module.h>
#include <linux/pm_runtime.h>
#include <linux/slab.h>
#include <linux/wait_bit.h>
#include <drm/drm_drv.h>
#include <drm/drm_print.h>

#include "limn_bo_list.h"
#include "limn_ctx.h"
#include "limn_drv.h"
#include "limn_perfmon.h"
#include "limn_retire.h"
#include "limn_sched.h"
#include "limn_stats.h"
#include "limn_trace.h"
#include "limn_vm.h"

/* Fraction bits of &limn_pipe.cycles_per_ns: up to 256 GHz. */
#define LIMN_CYCLES_SHIFT	24

static struct limn_job *fence_to_job(struct dma_fence *fence)
{
	return container_of(fence, struct limn_job, fence);
}

static const char *limn_fence_get_driver_name(struct dma_fence *fence)
{
	return "limn";
}

static const char *limn_fence_get_timeline_name(struct dma_fence *fence)
{
	return fence_to_job(fence)->pipe->name;
}

/* The last reference is gone. limn_module_exit() waits until this function has returned. */
static void limn_fence_release(struct dma_fence *fence)
{
	struct limn_job *job = fence_to_job(fence);

	limn_pipe_put(job->pipe);
	kfree_rcu(job, fence.rcu);	/* as any fence: lookups under RCU may still see it */
	module_put(THIS_MODULE);
}

static const struct dma_fence_ops limn_fence_ops = {
	.get_driver_name = limn_fence_get_driver_name,
	.get_timeline_name = limn_fence_get_timeline_name,
	.release = limn_fence_release,
};

/* A job for @pipe with room for a frame of @frame_size bytes. */
struct limn_job *limn_job_create(struct limn_pipe *pipe, size_t frame_size)
{
	struct limn_job *job;

	/* Distributions' kernels zero what is allocated, so it would be done twice. */
	job = kzalloc(struct_size(job, frame, frame_size / sizeof(u32)), GFP_KERNEL);
	if (!job)
		return NULL;
	__module_get(THIS_MODULE);	/* the caller runs in it: it cannot be going */
	drm_dev_get(&pipe->ldev->drm);
	job->pipe = limn_pipe_get(pipe);
	job->needs = &job->one_need;
	job->frame_size = frame_size / sizeof(u32);
	INIT_WORK(&job->retire_work, limn_retire_work);
	return job;
}

/* &limn_pipe.lock is held, unless nobody else knows the job yet. */
void limn_job_set_state(struct limn_job *job, enum limn_job_state state)
{
	static const u8 from[] = {	/* the states before it */
		[LIMN_JOB_QUEUED] = BIT(LIMN_JOB_NEW),
		[LIMN_JOB_STAGED] = BIT(LIMN_JOB_QUEUED),
		/* Again, when the GPU was reset for another job's sake. */
		[LIMN_JOB_RUNNING] = BIT(LIMN_JOB_STAGED) | BIT(LIMN_JOB_RUNNING),
		[LIMN_JOB_DONE] = BIT(LIMN_JOB_STAGED) | BIT(LIMN_JOB_RUNNING),
		[LIMN_JOB_KEPT] = BIT(LIMN_JOB_DONE),
		[LIMN_JOB_RETIRED] = BIT(LIMN_JOB_QUEUED) | BIT(LIMN_JOB_DONE) |
				     BIT(LIMN_JOB_KEPT),
	};

	if (job->state != LIMN_JOB_NEW)
		lockdep_assert_held(&job->pipe->lock);
	drm_WARN_ON(&job->pipe->ldev->drm, !(from[state] & BIT(job->state)));
	job->state = state;
}

/* The hardware fence, with a reference for the caller; the job has its own. */
struct dma_fence *limn_job_init_fence(struct limn_job *job)
{
	struct limn_pipe *pipe = job->pipe;

	lockdep_assert_held(&pipe->lock);

	dma_fence_init(&job->fence, &limn_fence_ops, &pipe->lock, pipe->fence_context,
		       ++pipe->fence_seqno);
	return dma_fence_get(&job->fence);
}

/* Has a job that has to end well ended otherwise? */
bool limn_job_needs_failed(const struct limn_job *job)
{
	unsigned int i;

	for (i = 0; i < job->num_needs; i++) {
		const struct dma_fence *need = job->needs[i];

		if (need && test_bit(DMA_FENCE_FLAG_SIGNALED_BIT, &need->flags) && need->error)
			return true;
	}
	return false;
}
EXPORT_SYMBOL_IF_KUNIT(limn_job_needs_failed);

/* Why a job that comes to its start must not run, or 0. */
int limn_job_refusal(const struct limn_job *job)
{
	int halted = READ_ONCE(job->pipe->ldev->halted);

	if (halted)
		return halted;
	if (limn_client_is_gone(job->client))
		return -ESRCH;
	if (READ_ONCE(job->ctx->banned) || limn_job_needs_failed(job))
		return -ECANCELED;
	return 0;
}

static void limn_job_power_put(struct limn_job *job)
{
	struct device *dev = job->pipe->dev;

	if (!job->powered)
		return;
	job->powered = false;
	/* Only another power-up brings it back: the suspend before that is not put off. */
	if (READ_ONCE(job->pipe->ldev->halted)) {
		pm_runtime_put(dev);
		return;
	}
	pm_runtime_mark_last_busy(dev);
	pm_runtime_put_autosuspend(dev);
}

/* The clock of @pipe runs at @rate from now on. The quotient: an interrupt must not divide. */
void limn_pipe_set_rate(struct limn_pipe *pipe, unsigned long rate)
{
	WRITE_ONCE(pipe->cycles_per_ns, div_u64((u64)rate << LIMN_CYCLES_SHIFT, NSEC_PER_SEC));
}

/* The hardware had the job for @ns. */
static void limn_job_account(struct limn_job *job, u64 ns)
{
	struct limn_pipe *pipe = job->pipe;

	lockdep_assert_held(&pipe->lock);

	atomic64_add(ns, &job->client->busy_ns[pipe->id]);
	atomic64_add(mul_u64_u32_shr(ns, READ_ONCE(pipe->cycles_per_ns), LIMN_CYCLES_SHIFT),
		     &job->client->busy_cycles[pipe->id]);
}

/*
 * The job, staged or running, ended at @now: statistics, counters and the context are updated,
 * then its fence signals, with @error or 0. &limn_pipe.lock is held: nobody frees the job before
 * it is released.
 */
void limn_job_end(struct limn_job *job, int error, ktime_t now)
{
	u64 ns = job->started ? ktime_to_ns(ktime_sub(now, job->started)) : 0;

	lockdep_assert_held(&job->pipe->lock);

	limn_job_set_state(job, LIMN_JOB_DONE);
	limn_job_account(job, ns);
	limn_perfmon_ended(job, error);
	limn_ctx_job_ended(job, error);
	limn_stats_update(job, now, error);
	trace_limn_job_done(job, ns, error);
	if (error)
		dma_fence_set_error(&job->fence, error);
	dma_fence_signal_timestamp_locked(&job->fence, now);
	limn_job_power_put(job);
	atomic_dec(&job->client->busy);
}

/* Give back all that a job holds, as far as it got; not the job itself. May sleep. */
void limn_job_release(struct limn_job *job)
{
	unsigned int i;

	if (job->vm)
		limn_vm_job_gone(job->vm, job);
	for (i = 0; i < job->num_needs; i++)
		dma_fence_put(job->needs[i]);
	if (job->needs != &job->one_need)
		kfree(job->needs);
	if (job->pinned)
		limn_bo_list_unpin(job->list);
	limn_bo_list_put(job->list);
	limn_perfmon_release(job);
	if (job->pipe->ldev->be->job_free)
		job->pipe->ldev->be->job_free(job);
	limn_job_power_put(job);
	if (job->client && atomic_dec_and_test(&job->client->jobs))
		wake_up_var(&job->client->jobs);
	limn_ctx_put(job->ctx);
	drm_dev_put(&job->pipe->ldev->drm);
}

/* The job's memory goes: now, or when its hardware fence does. Sequence numbers start at 1. */
void limn_job_put(struct limn_job *job)
{
	if (job->fence.seqno)
		dma_fence_put(&job->fence);
	else
		limn_fence_release(&job->fence);
}

/* A job that was not queued goes, with all that it holds so far. */
void limn_job_drop(struct limn_job *job)
{
	drm_WARN_ON(&job->pipe->ldev->drm, job->state != LIMN_JOB_NEW);
	limn_job_release(job);
	limn_job_put(job);
}
