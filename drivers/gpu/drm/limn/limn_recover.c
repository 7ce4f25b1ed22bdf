// SPDX-License-Identifier: GPL-2.0-only
/*
 * What happens when a job does not simply finish.
 */

/**
 * DOC: recovery
 *
 * All of it runs on one ordered workqueue per device, &limn_device.recover_wq: faults that
 * interrupt handlers saw, heaps to grow, and drm_sched's time-outs, of all pipes. So no two
 * recoveries ever meet; nothing starts on a pipe that has a job (FAILED) or is held.
 *
 * - A fault or an error interrupt resets the pipe that the job had and puts
 *   the error on its fence. Nothing else of the context is touched: other jobs run as if
 *   the job had finished; only a job that needs it to have ended well is cancelled.
 *   drm_sched is not told by drm_sched_fault(): freeing an earlier job
 *   would take its time-out work back, and the fault would be lost.
 * - A timeout does the same, after looking whether the job finished after all,
 *   or at least gets on (&limn_backend.job_progress).
 * - When a pipe cannot be reset, the whole GPU is: the other pipe's job is
 *   innocent and starts again. Where pipes have power of their own, and when
 *   that does not help either, the pipe is wild until it is started anew, and
 *   the memory of the job is not given back before.
 *
 * The fence signals after the reset, so the next job finds a clean pipe. A hang, a fault and a
 * hardware error leave a line in the kernel's log, a rate-limited one, for clients cause them; a
 * pipe that is wild sends a wedged event.
 *
 * Contexts are blamed for jobs that failed by their own fault (limn_recover_is_guilty()).
 *
 * Recovery is on the way to fences, but of it only heap growth and the backend's services are
 * marked with dma_fence_begin_signalling(). A reset switches clocks, regulators and
 * reset lines, whose frameworks have locks that are held over allocations; lima, etnaviv and
 * v3d reset in the same place. It cannot end in a circle, because this driver's shrinker never
 * waits for a fence. Whoever comes here through a marked section must not take
 * &limn_device.hw_lock, which a reset holds.
 */
#include <kunit/visibility.h>
#include <linux/delay.h>
#include <drm/drm_drv.h>
#include <drm/drm_print.h>

#include "limn_compat.h"
#include "limn_ctx.h"
#include "limn_drv.h"
#include "limn_dump.h"
#include "limn_gem.h"
#include "limn_recover.h"
#include "limn_retire.h"
#include "limn_sched.h"
#include "limn_trace.h"
#include "limn_vm.h"

/* How long a job may take to start, once the hardware is its own. */
#define LIMN_START_MS	100

/* From here on the job's interrupts mean nothing: they are masked. */
void limn_pipe_give_up(struct limn_pipe *pipe)
{
	limn_pipe_set_state(pipe, LIMN_PIPE_FAILED);
	pipe->ldev->be->pipe_mask(pipe);
}

/**
 * limn_pipe_fault - the hardware will not finish the job
 * @pipe: the pipe; its interrupts are masked on return
 * @error: what its fence is to say
 * @addr: that the MMU refused, when @error is -EFAULT
 */
void limn_pipe_fault(struct limn_pipe *pipe, int error, u64 addr)
{
	lockdep_assert_held(&pipe->lock);

	if (pipe->state == LIMN_PIPE_FAILED)
		return;
	limn_pipe_give_up(pipe);
	pipe->error = error;
	pipe->fault_addr = addr;
	queue_work(pipe->ldev->recover_wq, &pipe->event_work);
}

/**
 * limn_pipe_out_of_memory - the job waits for heap
 * @pipe: the pipe, which no longer interrupts
 */
void limn_pipe_out_of_memory(struct limn_pipe *pipe)
{
	lockdep_assert_held(&pipe->lock);

	if (!pipe->job->heap) {
		limn_pipe_fault(pipe, -ENOSPC, 0);
	} else if (pipe->state == LIMN_PIPE_RUNNING) {
		limn_pipe_set_state(pipe, LIMN_PIPE_GROWING);
		queue_work(pipe->ldev->recover_wq, &pipe->event_work);
	}
}

/**
 * limn_pipe_service - the job waits for &limn_backend.job_service
 * @pipe: the pipe, which no longer interrupts
 */
void limn_pipe_service(struct limn_pipe *pipe)
{
	lockdep_assert_held(&pipe->lock);

	if (pipe->state != LIMN_PIPE_RUNNING)
		return;
	limn_pipe_set_state(pipe, LIMN_PIPE_SERVICE);
	queue_work(pipe->ldev->recover_wq, &pipe->event_work);
}

/**
 * limn_pipe_continue - the job that waited for the driver is about to go on
 * @pipe: the pipe; what makes the job go on is written before &limn_pipe.lock is
 *	released, for a fault that comes in between gives the job up and masks the pipe
 *
 * Return: 0; or why the job failed meanwhile: then nothing may be written.
 */
int limn_pipe_continue(struct limn_pipe *pipe)
{
	lockdep_assert_held(&pipe->lock);

	if (pipe->state != LIMN_PIPE_GROWING && pipe->state != LIMN_PIPE_SERVICE)
		return pipe->error ?: -EIO;
	limn_pipe_set_state(pipe, LIMN_PIPE_RUNNING);
	return 0;
}

/**
 * limn_recover_set_wild - the pipe was reset, or could not be
 * @pipe: the pipe
 * @wild: it may still be at the memory of the jobs that it had
 */
void limn_recover_set_wild(struct limn_pipe *pipe, bool wild)
{
	spin_lock_irq(&pipe->lock);
	pipe->wild = wild;
	if (!wild)
		limn_retire_kept(pipe);
	spin_unlock_irq(&pipe->lock);
}

/* Is any pipe? The pipe of a job whose fence has signalled is, if the job made it so. */
bool limn_recover_is_wild(struct limn_device *ldev)
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

	drm_warn(&ldev->drm, "pipe %s does not reset, resetting the GPU\n", guilty->name);
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
		drm_err(&ldev->drm, "the GPU does not come back: %d\n", ret);

	for (i = 0; i < ldev->num_pipes; i++) {
		if (ldev->pipe[i] == guilty)
			continue;
		limn_recover_set_wild(ldev->pipe[i], ret);
		limn_pipe_unhold(ldev->pipe[i], again[i], ret ? -EIO : 0);
	}
	return ret;
}

/**
 * limn_recover_is_guilty - is a job to blame for its own failure?
 * @job: the job
 * @error: that its fence will have
 *
 * Return: false when the hardware did not even start it, when the kernel had no memory for
 * its heap, and when the device went.
 */
bool limn_recover_is_guilty(const struct limn_job *job, int error)
{
	return job->started && error != -ENOMEM && error != -ENODEV;
}
EXPORT_SYMBOL_IF_KUNIT(limn_recover_is_guilty);

/* Whoever wants to know why the pipe's job fails is told; the pipe is not reset yet. */
static void limn_recover_report(struct limn_pipe *pipe, int error)
{
	struct limn_job *job = pipe->job;
	struct limn_device *ldev = pipe->ldev;

	if (error == -ENODEV)
		return;
	if (limn_recover_is_guilty(job, error))
		limn_ctx_blame(job, error, pipe->fault_addr);
	else
		limn_ctx_victim(job);
	/* A heap that ended is no riddle. */
	if (error == -ENOMEM || error == -ENOSPC)
		return;
	drm_err_ratelimited(&ldev->drm, "%s: %s, address %#llx, job %llu of %s[%d]\n", pipe->name,
			    error == -ETIMEDOUT ? "hang" : error == -EFAULT ? "MMU fault" :
			    job->started ? "hardware error" : "does not start", pipe->fault_addr,
			    job->id, job->client->comm, job->client->pid);
	limn_dump_take(pipe, error, pipe->fault_addr);
}

/**
 * limn_recover_fail - end the job that a pipe has, if any
 * @pipe: the pipe
 * @error: for the job's fence
 */
void limn_recover_fail(struct limn_pipe *pipe, int error)
{
	struct limn_device *ldev = pipe->ldev;
	bool busy, was_wild;
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
	limn_recover_report(pipe, error);
	was_wild = pipe->wild;
	ret = ldev->be->pipe_reset(pipe);
	if (ret && !ldev->be->separate_power)
		ret = limn_gpu_reset(ldev, pipe);
	limn_recover_set_wild(pipe, ret);

	spin_lock_irq(&pipe->lock);
	limn_pipe_complete(pipe, error);
	spin_unlock_irq(&pipe->lock);
	/* It may allocate, and the fence has signalled. */
	if (ret && !was_wild)
		drm_dev_wedged_event(&ldev->drm, DRM_WEDGE_RECOVERY_REBIND, NULL);
}

/* 0 when the job runs again. */
static int limn_recover_grow(struct limn_pipe *pipe, struct limn_job *job)
{
	struct limn_bo *bo = job->heap->bo;
	size_t old = bo->heap->size;
	int ret;

	ret = limn_heap_grow(bo);
	if (ret)
		return ret;
	limn_heap_map(job->heap);
	trace_limn_heap_grow(job, old, bo->heap->size);

	return pipe->ldev->be->job_grown(pipe, job);
}

/* Units may take longer to be ready than an interrupt handler may wait. 0 when the job runs. */
static int limn_recover_start(struct limn_pipe *pipe)
{
	ktime_t until = ktime_add_ms(ktime_get(), LIMN_START_MS);
	bool late;
	int ret;

	for (;;) {
		late = ktime_after(ktime_get(), until);
		spin_lock_irq(&pipe->lock);
		ret = limn_pipe_try_start(pipe);
		spin_unlock_irq(&pipe->lock);
		if (ret != -EAGAIN || late)
			return ret ? -EIO : 0;
		usleep_range(20, 50);
	}
}

/* 0 when the job goes on, or is done. */
static int limn_recover_serve(struct limn_pipe *pipe, struct limn_job *job)
{
	int ret;

	spin_lock_irq(&pipe->lock);
	ret = limn_pipe_continue(pipe);
	spin_unlock_irq(&pipe->lock);
	return ret ?: pipe->ldev->be->job_service(pipe, job);
}

/* What the job waits for, or why it failed. */
static int limn_recover_help(struct limn_pipe *pipe, enum limn_pipe_state state,
			     struct limn_job *job)
{
	bool cookie = dma_fence_begin_signalling();
	int ret;

	if (state == LIMN_PIPE_STARTING)
		ret = limn_recover_start(pipe);
	else
		ret = state == LIMN_PIPE_GROWING ? limn_recover_grow(pipe, job) :
						   limn_recover_serve(pipe, job);
	dma_fence_end_signalling(cookie);
	return ret;
}

/* &limn_pipe.event_work */
void limn_recover_event_work(struct work_struct *work)
{
	struct limn_pipe *pipe = container_of(work, struct limn_pipe, event_work);
	struct limn_device *ldev = pipe->ldev;
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
	if (state == LIMN_PIPE_STARTING || state == LIMN_PIPE_GROWING ||
	    state == LIMN_PIPE_SERVICE)
		error = limn_recover_help(pipe, state, job);
	else if (state != LIMN_PIPE_FAILED)
		error = 0;
	if (error)
		limn_recover_fail(pipe, error);
	mutex_unlock(&ldev->hw_lock);
}

/*
 * Is the time of the job over? True when it is to fail: then the pipe has
 * given it up already, so that no interrupt ends it any more. Else *@ask says
 * whether the backend may still plead for it.
 */
static bool limn_recover_is_late(struct limn_pipe *pipe, struct limn_job **ask)
{
	const struct limn_backend *be = pipe->ldev->be;
	struct limn_job *job = pipe->job;

	lockdep_assert_held(&pipe->lock);

	if (!job || time_before(jiffies, pipe->deadline))
		return false;
	if (pipe->state == LIMN_PIPE_RUNNING)
		be->job_poll(pipe);
	if (pipe->job != job)
		return false;
	if (pipe->state == LIMN_PIPE_FAILED)
		return true;
	if (be->job_progress && !*ask) {
		*ask = job;
		return false;
	}
	limn_pipe_give_up(pipe);
	return true;
}

/* Does the backend say that the job gets on? Then it has another period. */
static bool limn_recover_is_hung(struct limn_pipe *pipe, struct limn_job *job)
{
	bool hung = false, better = pipe->ldev->be->job_progress(pipe, job);

	spin_lock_irq(&pipe->lock);
	if (better && pipe->job == job) {
		trace_limn_job_slow(job);
		pipe->deadline = jiffies + job->timeout;
	} else {
		hung = limn_recover_is_late(pipe, &job);
	}
	spin_unlock_irq(&pipe->lock);
	return hung;
}

/**
 * limn_recover_check_deadline - a job that has had its time fails
 * @pipe: the pipe, perhaps an idle one; nobody else recovers anything
 */
void limn_recover_check_deadline(struct limn_pipe *pipe)
{
	struct limn_device *ldev = pipe->ldev;
	struct limn_job *ask = NULL;
	bool late;

	ldev->be->irq_sync(pipe);
	mutex_lock(&ldev->hw_lock);
	spin_lock_irq(&pipe->lock);
	late = limn_recover_is_late(pipe, &ask);
	spin_unlock_irq(&pipe->lock);
	if (ask)
		late = limn_recover_is_hung(pipe, ask);
	if (late)
		limn_recover_fail(pipe, pipe->error ?: -ETIMEDOUT);
	mutex_unlock(&ldev->hw_lock);
}
