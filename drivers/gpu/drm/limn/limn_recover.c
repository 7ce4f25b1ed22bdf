// SPDX-License-Identifier: GPL-2.0-only
/*
 * What happens when a job does not simply finish.
 */

/**
 * DOC: recovery
 *
 * All of it runs on one ordered workqueue per device: faults that interrupt
 * handlers saw, heaps to grow, and timeouts, of all pipes. So no two recoveries
 * ever meet; nothing starts on a pipe that has a job (FAILED) or is held.
 *
 * - A fault or an error interrupt resets the pipe that the job had and puts
 *   the error on its fence, at once. Nothing else of the context is touched:
 *   other jobs run as if the job had finished; only a job that was queued
 *   behind it to use its results is cancelled.
 * - A timeout does the same, after looking whether the job finished after all,
 *   or at least gets on (&limn_backend.job_progress).
 * - When a pipe cannot be reset, the whole GPU is: the other pipe's job is
 *   innocent and starts again. Where pipes have power of their own, and when
 *   that does not help either, the pipe is wild until it is started anew, and
 *   the memory of the job is not given back before.
 *
 * The fence signals after the reset, so the next job finds a clean pipe.
 */
#include "limn_ctx.h"
#include "limn_dump.h"
#include "limn_gem.h"
#include "limn_sched.h"
#include "limn_trace.h"
#include "limn_vm.h"

/**
 * limn_pipe_set_wild - the pipe was reset, or could not be
 * @pipe: the pipe
 * @wild: what it has of the jobs that it had is not gone
 */
void limn_pipe_set_wild(struct limn_pipe *pipe, bool wild)
{
	struct limn_device *ldev = pipe->ldev;

	spin_lock_irq(&pipe->lock);
	pipe->wild = wild;
	spin_unlock_irq(&pipe->lock);
	if (!wild && !llist_empty(&ldev->kept))
		mod_delayed_work(ldev->sched_wq, &ldev->retire_work, 0);
}

/* Is any pipe? Who has seen a fence signalled sees what was said of its pipe before. */
bool limn_sched_is_wild(struct limn_device *ldev)
{
	bool wild = false;
	unsigned int i;

	for (i = 0; i < ldev->num_pipes; i++) {
		struct limn_pipe *pipe = ldev->pipe[i];

		spin_lock_irq(&pipe->lock);
		wild |= pipe->wild;
		spin_unlock_irq(&pipe->lock);
	}
	return wild;
}

/* Power, reset line and all blocks; then the innocent go on. */
static int limn_gpu_reset(struct limn_device *ldev, struct limn_pipe *guilty)
{
	bool again[LIMN_MAX_PIPES] = {};
	unsigned int i;
	int ret;

	lockdep_assert_held(&ldev->hw_lock);

	dev_warn(ldev->dev, "pipe %s does not reset, resetting the GPU\n", guilty->name);
	for (i = 0; i < ldev->num_pipes; i++) {
		if (ldev->pipe[i] != guilty)
			again[i] = limn_pipe_hold(ldev->pipe[i]);
	}

	ldev->be->suspend(ldev);
	limn_device_power_off(ldev);
	ret = limn_device_power_on(ldev);
	if (!ret)
		ret = ldev->be->resume(ldev);
	if (ret)
		dev_err(ldev->dev, "the GPU does not come back: %d\n", ret);

	for (i = 0; i < ldev->num_pipes; i++) {
		if (ldev->pipe[i] == guilty)
			continue;
		limn_pipe_set_wild(ldev->pipe[i], ret);
		limn_pipe_unhold(ldev->pipe[i], again[i], ret ? -EIO : 0);
	}
	return ret;
}

/**
 * limn_pipe_fail - end the job that a pipe has, if any
 * @pipe: the pipe
 * @error: for the job's fence
 */
void limn_pipe_fail(struct limn_pipe *pipe, int error)
{
	struct limn_device *ldev = pipe->ldev;
	bool busy;
	int ret;

	lockdep_assert_held(&ldev->hw_lock);

	spin_lock_irq(&pipe->lock);
	busy = pipe->job;
	if (busy && pipe->state != LIMN_PIPE_FAILED)
		limn_pipe_give_up(pipe);
	spin_unlock_irq(&pipe->lock);
	if (!busy)
		return;

	atomic64_inc(&ldev->resets);
	if (error != -ENODEV)
		limn_ctx_blame(pipe->job, error, pipe->fault_addr);
	/* A heap that ended is nobody's riddle, nor is a device that went. */
	if (error != -ENODEV && error != -ENOMEM && error != -ENOSPC)
		limn_dump_job(pipe, error, pipe->fault_addr);
	ret = ldev->be->pipe_reset(pipe);
	if (ret && !ldev->be->separate_power)
		ret = limn_gpu_reset(ldev, pipe);
	limn_pipe_set_wild(pipe, ret);

	spin_lock_irq(&pipe->lock);
	limn_pipe_complete(pipe, error);
	spin_unlock_irq(&pipe->lock);
}

/* 0 when the job runs again. */
static int limn_pipe_grow(struct limn_pipe *pipe, struct limn_job *job)
{
	struct limn_bo *bo = job->heap->bo;
	size_t old = bo->heap->size;
	int ret;

	ret = limn_heap_grow(bo);
	if (ret)
		return ret;
	limn_heap_map(job->heap);
	trace_limn_heap_grow(job, old, bo->heap->size);

	spin_lock_irq(&pipe->lock);
	if (pipe->state == LIMN_PIPE_GROWING)
		limn_pipe_set_state(pipe, LIMN_PIPE_RUNNING);
	else
		ret = pipe->error;	/* it failed meanwhile */
	spin_unlock_irq(&pipe->lock);
	return ret ?: pipe->ldev->be->job_grown(pipe, job);
}

/* 0 when the job goes on, or is done. */
static int limn_pipe_serve(struct limn_pipe *pipe, struct limn_job *job)
{
	int ret = 0;

	spin_lock_irq(&pipe->lock);
	if (pipe->state == LIMN_PIPE_SERVICE)
		limn_pipe_set_state(pipe, LIMN_PIPE_RUNNING);
	else
		ret = pipe->error;	/* it failed meanwhile */
	spin_unlock_irq(&pipe->lock);
	return ret ?: pipe->ldev->be->job_service(pipe, job);
}

void limn_pipe_event_work(struct work_struct *work)
{
	struct limn_pipe *pipe = container_of(work, struct limn_pipe, event_work);
	struct limn_device *ldev = pipe->ldev;
	bool cookie = dma_fence_begin_signalling();
	enum limn_pipe_state state;
	struct limn_job *job;
	int error;

	mutex_lock(&ldev->hw_lock);
	spin_lock_irq(&pipe->lock);
	state = pipe->state;
	job = pipe->job;
	error = pipe->error;
	spin_unlock_irq(&pipe->lock);

	/* Nobody else takes the job from a pipe in one of these states. */
	if (state == LIMN_PIPE_GROWING || state == LIMN_PIPE_SERVICE) {
		error = state == LIMN_PIPE_GROWING ? limn_pipe_grow(pipe, job) :
						     limn_pipe_serve(pipe, job);
		if (error)
			limn_pipe_fail(pipe, error);
	} else if (state == LIMN_PIPE_FAILED) {
		limn_pipe_fail(pipe, error);
	}
	mutex_unlock(&ldev->hw_lock);
	dma_fence_end_signalling(cookie);
}

/*
 * Is the time of the job over? True when it is to fail: then the pipe has
 * given it up already, so that no interrupt ends it any more. Else *@ask says
 * whether the backend may still plead for it.
 */
static bool limn_pipe_is_late(struct limn_pipe *pipe, struct limn_job **ask)
{
	const struct limn_backend *be = pipe->ldev->be;
	struct limn_job *job = pipe->job;

	lockdep_assert_held(&pipe->lock);

	if (!job)
		return false;
	if (time_after_eq(jiffies, pipe->deadline)) {
		if (pipe->state == LIMN_PIPE_RUNNING)
			be->job_poll(pipe);
		if (pipe->job == job && pipe->state == LIMN_PIPE_FAILED)
			return true;
		if (pipe->job == job && be->job_progress && !*ask) {
			*ask = job;
			return false;
		}
		if (pipe->job == job) {
			limn_pipe_give_up(pipe);
			return true;
		}
	}
	/* There is time left, perhaps for the job after it. */
	if (pipe->job)
		limn_pipe_set_deadline(pipe, max_t(long, pipe->deadline - jiffies, 1));
	return false;
}

void limn_pipe_timeout_work(struct work_struct *work)
{
	struct limn_pipe *pipe = container_of(work, struct limn_pipe, timeout_work.work);
	struct limn_device *ldev = pipe->ldev;
	bool cookie = dma_fence_begin_signalling();
	struct limn_job *ask = NULL;
	bool late, better = false;

	ldev->be->irq_sync(pipe);
	mutex_lock(&ldev->hw_lock);
	spin_lock_irq(&pipe->lock);
	late = limn_pipe_is_late(pipe, &ask);
	spin_unlock_irq(&pipe->lock);

	if (ask) {
		better = ldev->be->job_progress(pipe, ask);
		spin_lock_irq(&pipe->lock);
		if (better && pipe->job == ask) {
			trace_limn_job_slow(ask);
			limn_pipe_set_deadline(pipe, ask->timeout);
		} else {
			late = limn_pipe_is_late(pipe, &ask);
		}
		spin_unlock_irq(&pipe->lock);
	}
	if (late) {
		dev_dbg(ldev->dev, "pipe %s: job timed out\n", pipe->name);
		limn_pipe_fail(pipe, pipe->error ?: -ETIMEDOUT);
	}
	mutex_unlock(&ldev->hw_lock);
	dma_fence_end_signalling(cookie);
}
