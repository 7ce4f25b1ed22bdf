// SPDX-License-Identifier: GPL-2.0-only
/*
 * What happens when a job does not simply finish.
 */

/**
 * DOC: recovery
 *
 * All of it runs on one ordered workqueue per device, &limn_device.recover_wq: faults that
 * interrupt handlers saw, heaps to grow, and drm_sched's time-outs, of all pipes; but for the end
 * of a device, which fails its jobs itself. &limn_device.hw_lock keeps that one apart. So no two
 * recoveries ever meet; nothing starts on a pipe that has a job (FAILED) or is held.
 *
 * - A fault or an error interrupt resets the pipe that the job had and puts
 *   the error on its fence. Nothing else of the context is touched: other jobs run as if
 *   the job had finished; only a job that needs it to have ended well is cancelled.
 *   drm_sched_fault() is not used: when drm_sched frees an earlier job it cancels
 *   its time-out work, and the fault would be lost.
 * - A timeout does the same, unless the job has finished meanwhile or makes progress
 *   (&limn_pipe_ops.progress).
 * - When a pipe cannot be reset it is wild until it is started anew, and the
 *   memory of the job is not given back before. A family whose pipes share their
 *   power resets all of them first: a job of another pipe is innocent and starts
 *   again (limn_pipe_hold()).
 *
 * The fence signals after the reset, so the next job finds a clean pipe. A hang, a fault and a
 * hardware error leave a line in the kernel's log, a rate-limited one, for clients cause them; a
 * pipe that is wild sends a wedged event.
 *
 * Contexts are blamed for jobs that failed by their own fault (limn_recover_is_guilty()).
 *
 * Recovery is on the way to fences, but of it only the services (&limn_pipe_ops.service) are
 * marked with dma_fence_begin_signalling(). A reset switches clocks, regulators and
 * reset lines, whose frameworks have locks that are held over allocations; lima, etnaviv and
 * v3d reset in the same place. No deadlock follows, because this driver's shrinker never waits
 * for a fence. A marked section must not take &limn_device.hw_lock, which a reset holds.
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

/* The pipe's job has failed: mask its interrupts. */
void limn_pipe_give_up(struct limn_pipe *pipe)
{
	limn_pipe_set_state(pipe, LIMN_PIPE_FAILED);
	pipe->ops->mask(pipe);
}

/*
 * The hardware will not finish the job, whose fence gets @error; the MMU refused @addr when that
 * is -EFAULT. Interrupts of the pipe are masked on return.
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

/* The job waits for &limn_pipe_ops.service, and does not interrupt any more. */
void limn_pipe_service(struct limn_pipe *pipe)
{
	lockdep_assert_held(&pipe->lock);

	if (pipe->state != LIMN_PIPE_RUNNING)
		return;
	limn_pipe_set_state(pipe, LIMN_PIPE_SERVICE);
	queue_work(pipe->ldev->recover_wq, &pipe->event_work);
}

/*
 * The service is done. The caller writes the registers that continue the job before it releases
 * &limn_pipe.lock: a fault after that fails the job and masks the pipe. Returns 0, or the error of
 * a job that failed meanwhile: then the caller writes nothing.
 */
int limn_pipe_continue(struct limn_pipe *pipe)
{
	lockdep_assert_held(&pipe->lock);

	if (pipe->state != LIMN_PIPE_SERVICE)
		return pipe->error ?: -EIO;
	limn_pipe_set_state(pipe, LIMN_PIPE_RUNNING);
	return 0;
}

/* @wild: the pipe could not be reset and may still access the memory of its jobs. */
void limn_recover_set_wild(struct limn_pipe *pipe, bool wild)
{
	spin_lock_irq(&pipe->lock);
	pipe->wild = wild;
	if (wild && pipe->job && pipe->job->started)
		pipe->wild_job = pipe->job;
	if (!wild) {
		pipe->wild_job = NULL;
		limn_retire_kept(pipe);
	}
	spin_unlock_irq(&pipe->lock);
}

/* Is any pipe wild? A failed job's pipe is marked before the job's fence signals. */
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

/*
 * Is a job to blame for its failure? Not when the hardware did not even start it, when the kernel
 * had no memory for its heap, or when the device went.
 */
bool limn_recover_is_guilty(const struct limn_job *job, int error)
{
	return job->started && error != -ENOMEM && error != -ENODEV;
}
EXPORT_SYMBOL_IF_KUNIT(limn_recover_is_guilty);

/* Blame, log line and dump for the pipe's failed job, before the pipe is reset. */
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
	/* A full heap needs no line in the log and no dump: the errno says it. */
	if (error == -ENOMEM || error == -ENOSPC)
		return;
	drm_err_ratelimited(&ldev->drm, "%s: %s, address %#llx, job %llu of %s[%d]\n", pipe->name,
			    error == -ETIMEDOUT ? "hang" : error == -EFAULT ? "MMU fault" :
			    job->started ? "hardware error" : "does not start", pipe->fault_addr,
			    job->id, job->client->comm, job->client->pid);
	limn_dump_take(pipe, error, pipe->fault_addr);
}

/* The job that the pipe has, if any, ends with @error. */
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
	ret = pipe->ops->reset(pipe);
	limn_recover_set_wild(pipe, ret);

	spin_lock_irq(&pipe->lock);
	limn_pipe_complete(pipe, error);
	spin_unlock_irq(&pipe->lock);
	/* After the fence, because the event allocates memory. */
	if (ret && !was_wild)
		drm_dev_wedged_event(&ldev->drm, DRM_WEDGE_RECOVERY_REBIND, NULL);
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

/* &limn_pipe.event_work */
void limn_recover_event_work(struct work_struct *work)
{
	struct limn_pipe *pipe = container_of(work, struct limn_pipe, event_work);
	struct limn_device *ldev = pipe->ldev;
	enum limn_pipe_state state;
	struct limn_job *job;
	bool cookie;
	int error;

	guard(mutex)(&ldev->hw_lock);
	spin_lock_irq(&pipe->lock);
	state = pipe->state;
	job = pipe->job;
	error = pipe->error;
	spin_unlock_irq(&pipe->lock);

	/* Nobody else takes the job from a pipe in one of these states. */
	cookie = dma_fence_begin_signalling();
	if (state == LIMN_PIPE_STARTING)
		error = limn_recover_start(pipe);
	else if (state == LIMN_PIPE_SERVICE)
		error = pipe->ops->service(pipe, job);
	else if (state != LIMN_PIPE_FAILED)
		error = 0;
	dma_fence_end_signalling(cookie);
	if (error)
		limn_recover_fail(pipe, error);
}

/* Is the job's time over? Handles a lost interrupt first: then the job may be done. */
static bool limn_recover_is_late(struct limn_pipe *pipe)
{
	struct limn_job *job = pipe->job;

	lockdep_assert_held(&pipe->lock);

	if (!job || time_before(jiffies, pipe->deadline))
		return false;
	if (pipe->state == LIMN_PIPE_RUNNING)
		pipe->ops->poll(pipe);
	return pipe->job == job;
}

/*
 * A job whose time is over fails, unless &limn_pipe_ops.progress grants it another period. The
 * pipe becomes FAILED under the lock, so no interrupt completes the job after that. The ordered
 * workqueue keeps other recoveries out.
 */
void limn_recover_check_deadline(struct limn_pipe *pipe)
{
	struct limn_device *ldev = pipe->ldev;
	bool late, ask, better;
	struct limn_job *job;

	pipe->ops->sync_irq(pipe);
	guard(mutex)(&ldev->hw_lock);
	spin_lock_irq(&pipe->lock);
	late = limn_recover_is_late(pipe);
	job = pipe->job;
	ask = late && pipe->state != LIMN_PIPE_FAILED && pipe->ops->progress;
	if (ask)
		dma_fence_get(&job->fence);	/* with the job: it may end meanwhile */
	spin_unlock_irq(&pipe->lock);

	better = ask && pipe->ops->progress(pipe, job);

	spin_lock_irq(&pipe->lock);
	late = late && pipe->job == job && limn_recover_is_late(pipe);
	if (late && better) {
		trace_limn_job_slow(job);
		pipe->deadline = jiffies + job->timeout;
	} else if (late && pipe->state != LIMN_PIPE_FAILED) {
		limn_pipe_give_up(pipe);
	}
	spin_unlock_irq(&pipe->lock);
	if (late && !better)
		limn_recover_fail(pipe, pipe->error ?: -ETIMEDOUT);
	if (ask)
		dma_fence_put(&job->fence);
}
