// SPDX-License-Identifier: GPL-2.0-only
/*
 * Pipes: drm_sched hands jobs over, and they run one at a time.
 */

/**
 * DOC: pipes
 *
 * A pipe is a part of the GPU that runs jobs by itself: on Utgard the
 * geometry processor, and the pixel processors together::
 *
 *	+--------+ next job  +----------+ all units are ready  +---------+
 *	|  IDLE  | --------> | STARTING | -------------------> | RUNNING | <------+
 *	+--------+ <-----+   +----------+                      +---------+        |
 *	    ^            |        |                   job done  |   |   |         | done
 *	    |            +--------|-----------------------------+   |   | needs   |
 *	    |                     | they never are            error, |   | service |
 *	    |                     v                         timeout |   v         |
 *	    | pipe was reset, +--------+ <---------------------------+ +---------+ |
 *	    +---------------- | FAILED | <---------------------------- | SERVICE |-+
 *	      fence has error +--------+                               +---------+
 *
 * A job starts in the interrupt that ends the one before. With conservative=1, and when units
 * have to be waited for, for more than microseconds, that is left to the recovery workqueue
 * (STARTING).
 *
 * In SERVICE the job waits for what its family does in process context
 * (&limn_pipe_ops.service): give it a larger heap, or read counters.
 *
 * Interrupt handlers and job start make the upper transitions under &limn_pipe.lock. FAILED and
 * SERVICE are left by the recovery workqueue, or when the device goes; but an interrupt may fail
 * a job in SERVICE. FAILED goes to STARTING when the GPU was reset for another pipe's sake. A job
 * has the pipe, and a runtime PM reference, until the pipe is IDLE again, so
 * a caller that holds the lock and finds &limn_pipe.job set may touch registers.
 *
 * Every job comes from drm_sched: it waits for the job's dependencies, chooses among contexts
 * by priority and then by age, and hands over LIMN_PIPE_JOBS jobs at a time. The second is
 * staged: all that it depends on is done, and the interrupt that ends the first one
 * starts it, so that the hardware does not wait for a worker.
 *
 * drm_sched calls limn_sched_timedout_job() every LIMN_TIMEOUT_STEP_MS while a pipe has jobs,
 * which compares the running job with its own time (&limn_ctx.timeout, from the moment
 * that the hardware got it) and puts what drm_sched had taken off its list back there.
 */
#include <linux/kmemleak.h>
#include <linux/slab.h>
#include <drm/drm_drv.h>
#include <drm/drm_managed.h>
#include <drm/drm_print.h>

#include "limn_compat.h"
#include "limn_ctx.h"
#include "limn_drv.h"
#include "limn_perfmon.h"
#include "limn_recover.h"
#include "limn_retire.h"
#include "limn_sched.h"
#include "limn_stats.h"
#include "limn_trace.h"
#include "limn_vm.h"

/* Jobs that drm_sched hands over before the first has ended: one runs, one is staged. */
#define LIMN_PIPE_JOBS	2

static void limn_pipe_release(struct kref *ref)
{
	kfree(container_of(ref, struct limn_pipe, ref));
}

struct limn_pipe *limn_pipe_get(struct limn_pipe *pipe)
{
	kref_get(&pipe->ref);
	return pipe;
}

void limn_pipe_put(struct limn_pipe *pipe)
{
	kref_put(&pipe->ref, limn_pipe_release);
}

void limn_pipe_set_state(struct limn_pipe *pipe, enum limn_pipe_state state)
{
	static const u8 from[] = {	/* the states before it */
		[LIMN_PIPE_IDLE] = BIT(LIMN_PIPE_RUNNING) | BIT(LIMN_PIPE_FAILED),
		[LIMN_PIPE_STARTING] = BIT(LIMN_PIPE_IDLE) | BIT(LIMN_PIPE_FAILED),
		[LIMN_PIPE_RUNNING] = BIT(LIMN_PIPE_STARTING) | BIT(LIMN_PIPE_SERVICE),
		[LIMN_PIPE_SERVICE] = BIT(LIMN_PIPE_RUNNING),
		[LIMN_PIPE_FAILED] = BIT(LIMN_PIPE_STARTING) | BIT(LIMN_PIPE_RUNNING) |
				     BIT(LIMN_PIPE_SERVICE),
	};

	lockdep_assert_held(&pipe->lock);
	drm_WARN_ON(&pipe->ldev->drm, !(from[state] & BIT(pipe->state)));
	pipe->state = state;
}

/* STARTING the pipe's job: RUNNING when this returns 0; -EAGAIN when a unit is not ready yet. */
int limn_pipe_try_start(struct limn_pipe *pipe)
{
	struct limn_job *job = pipe->job;
	int ret;

	lockdep_assert_held(&pipe->lock);

	ret = pipe->ops->prepare(pipe, job);
	if (ret)
		return ret;
	limn_pipe_set_state(pipe, LIMN_PIPE_RUNNING);
	if (!job->started) {
		job->started = ktime_get();
		limn_stats_update(job, 0, 0);
	}
	trace_limn_job_run(job);
	limn_perfmon_start(pipe, job);
	pipe->ops->start(pipe, job);
	return 0;
}

/* @job is the next of the hardware, which is idle or has just been reset. */
static void limn_pipe_start(struct limn_pipe *pipe, struct limn_job *job)
{
	int ret;

	lockdep_assert_held(&pipe->lock);

	limn_pipe_set_state(pipe, LIMN_PIPE_STARTING);
	limn_job_set_state(job, LIMN_JOB_RUNNING);
	pipe->job = job;
	pipe->deadline = jiffies + job->timeout;
	/* In an interrupt, maybe, where mainline's lima starts none. */
	ret = limn_conservative ? -EAGAIN : limn_pipe_try_start(pipe);
	if (ret == -EAGAIN)
		queue_work(pipe->ldev->recover_wq, &pipe->event_work);
	else if (ret)
		limn_pipe_fault(pipe, -EIO, 0);
}

/* Start the oldest staged job unless the pipe has one or is held. 0, or why it is refused. */
static int limn_pipe_start_staged(struct limn_pipe *pipe)
{
	struct limn_job *job = list_first_entry_or_null(&pipe->staged, struct limn_job, link);
	int refusal;

	lockdep_assert_held(&pipe->lock);

	if (!job || pipe->job || pipe->holds)
		return 0;
	refusal = limn_job_refusal(job);
	if (refusal)
		return refusal;
	list_del(&job->link);
	limn_pipe_start(pipe, job);
	return 0;
}

/* Start the next staged job that may run, if the pipe is idle; refused ones before it end. */
static void limn_pipe_start_next(struct limn_pipe *pipe)
{
	int refusal;

	while ((refusal = limn_pipe_start_staged(pipe))) {
		struct limn_job *job = list_first_entry(&pipe->staged, struct limn_job, link);

		list_del(&job->link);
		limn_job_end(job, refusal, ktime_get());
	}
}

/* The job is over, with @error or 0. After success the next job starts before the fence signals. */
void limn_pipe_complete(struct limn_pipe *pipe, int error)
{
	struct limn_job *job = pipe->job;
	ktime_t now = ktime_get();

	lockdep_assert_held(&pipe->lock);

	limn_pipe_set_state(pipe, LIMN_PIPE_IDLE);
	pipe->job = NULL;
	pipe->error = 0;
	pipe->fault_addr = 0;
	if (!error) {
		if (pipe->ops->completed)
			pipe->ops->completed(pipe);
		limn_pipe_start_staged(pipe);
	}
	limn_job_end(job, error, now);
	limn_pipe_start_next(pipe);
	if (pipe->job)
		return;
	if (pipe->ops->idle)
		pipe->ops->idle(pipe);
	if (wq_has_sleeper(&pipe->idle))
		wake_up(&pipe->idle);
}

/*
 * Nothing starts until limn_pipe_unhold(), for the pipe will be reset though nobody complains
 * about it. Returns whether it has a job that will have to run again.
 */
bool limn_pipe_hold(struct limn_pipe *pipe)
{
	bool again;

	lockdep_assert_held(&pipe->ldev->hw_lock);

	spin_lock_irq(&pipe->lock);
	pipe->holds++;
	/* A job that has failed by itself gets a recovery of its own. */
	again = pipe->job && pipe->state != LIMN_PIPE_FAILED;
	if (again)
		limn_pipe_give_up(pipe);
	spin_unlock_irq(&pipe->lock);
	return again;
}

/* The reset is over: @again is what limn_pipe_hold() returned, @error that of the reset. */
void limn_pipe_unhold(struct limn_pipe *pipe, bool again, int error)
{
	lockdep_assert_held(&pipe->ldev->hw_lock);

	spin_lock_irq(&pipe->lock);
	pipe->holds--;
	if (again) {
		limn_ctx_victim(pipe->job);
		if (error)
			limn_pipe_complete(pipe, error);
		else
			limn_pipe_start(pipe, pipe->job);
	}
	limn_pipe_start_next(pipe);
	spin_unlock_irq(&pipe->lock);
}

/*
 * &drm_sched_backend_ops.run_job: the job is staged. Called again when
 * limn_sched_put_back() has stopped the scheduler: the job has its fence then.
 */
static struct dma_fence *limn_sched_run_job(struct drm_sched_job *sched_job)
{
	struct limn_job *job = to_limn_job(sched_job);
	struct limn_pipe *pipe = job->pipe;
	bool cookie = dma_fence_begin_signalling();
	struct dma_fence *fence;

	spin_lock_irq(&pipe->lock);
	if (job->state == LIMN_JOB_QUEUED) {
		fence = limn_job_init_fence(job);
		limn_job_set_state(job, LIMN_JOB_STAGED);
		list_add_tail(&job->link, &pipe->staged);
		pipe->num_jobs++;
		limn_pipe_start_next(pipe);
	} else {
		fence = dma_fence_get(&job->fence);
	}
	spin_unlock_irq(&pipe->lock);
	dma_fence_end_signalling(cookie);
	return fence;
}

/* &drm_sched_backend_ops.timedout_job */
static enum drm_gpu_sched_stat limn_sched_timedout_job(struct drm_sched_job *sched_job)
{
	struct limn_pipe *pipe = to_limn_job(sched_job)->pipe;

	limn_recover_check_deadline(pipe);
	/* It starts the scheduler, on some kernels; limn_device_unplug() may have that stopped. */
	guard(mutex)(&pipe->ldev->hw_lock);
	return limn_sched_put_back(sched_job);
}

/* &drm_sched_backend_ops.free_job: the job is over, or was killed in its queue. */
static void limn_sched_free_job(struct drm_sched_job *sched_job)
{
	struct limn_job *job = to_limn_job(sched_job);
	struct limn_pipe *pipe = job->pipe;
	bool cookie = dma_fence_begin_signalling();

	drm_sched_job_cleanup(sched_job);

	/* The fence has signalled, but limn_job_end() may still use the job: wait for the lock. */
	spin_lock_irq(&pipe->lock);
	if (job->state == LIMN_JOB_QUEUED) {
		/* The job's finished fence needs the pipe's name for good: see "DOC: fences". */
		kmemleak_not_leak(limn_pipe_get(pipe));
		limn_stats_update(job, ktime_get(), -ESRCH);
		trace_limn_job_done(job, 0, -ESRCH);
		atomic_dec(&job->client->busy);
	}
	spin_unlock_irq(&pipe->lock);
	limn_job_retire(job);
	dma_fence_end_signalling(cookie);
}

static const struct drm_sched_backend_ops limn_sched_ops = {
	.run_job = limn_sched_run_job,
	.timedout_job = limn_sched_timedout_job,
	.free_job = limn_sched_free_job,
};

static int limn_sched_init(struct limn_pipe *pipe)
{
	const struct drm_sched_init_args args = {
		.ops = &limn_sched_ops,
		.submit_wq = pipe->ldev->sched_wq,
		.num_rqs = DRM_SCHED_PRIORITY_COUNT,
		.credit_limit = LIMN_PIPE_JOBS,
		.timeout = msecs_to_jiffies(LIMN_TIMEOUT_STEP_MS),
		.timeout_wq = pipe->ldev->recover_wq,
		.name = pipe->name,
		.dev = pipe->dev,
	};

	return drm_sched_init(&pipe->sched, &args);
}

static void limn_pipe_drop(struct drm_device *drm, void *data)
{
	limn_pipe_put(data);
}

/* The pipe has no jobs, and gets no more; its memory stays as long as struct limn_device does. */
static void limn_sched_fini(void *data)
{
	struct limn_pipe *pipe = data;

	drm_sched_fini(&pipe->sched);
	cancel_work_sync(&pipe->event_work);
}

/* The next queue of a device, until that loses its driver; it gets its power from @dev. */
int limn_pipe_create(struct limn_device *ldev, const struct limn_pipe_ops *ops,
		     struct device *dev, const char *name)
{
	struct limn_pipe *pipe = kzalloc(sizeof(*pipe), GFP_KERNEL);
	int ret;

	if (!pipe)
		return -ENOMEM;
	kref_init(&pipe->ref);
	pipe->ldev = ldev;
	pipe->ops = ops;
	pipe->id = ldev->num_pipes;
	pipe->dev = dev;
	strscpy(pipe->name, name);
	pipe->fence_context = dma_fence_context_alloc(1);
	spin_lock_init(&pipe->lock);
	INIT_LIST_HEAD(&pipe->staged);
	INIT_LIST_HEAD(&pipe->kept);
	init_waitqueue_head(&pipe->idle);
	INIT_WORK(&pipe->event_work, limn_recover_event_work);
	ret = drmm_add_action_or_reset(&ldev->drm, limn_pipe_drop, pipe);
	ret = ret ?: limn_sched_init(pipe);
	if (ret)
		return ret;
	ldev->pipe[ldev->num_pipes++] = pipe;
	return devm_add_action_or_reset(ldev->dev, limn_sched_fini, pipe);
}

/* The device is gone and its contexts are killed: until no job is left that the pipe had. */
void limn_pipe_drain(struct limn_pipe *pipe)
{
	limn_recover_set_wild(pipe, false);
	wait_event(pipe->idle, !READ_ONCE(pipe->num_jobs));
	cancel_work_sync(&pipe->event_work);
}

static bool limn_pipe_is_idle(struct limn_pipe *pipe)
{
	bool idle;

	spin_lock_irq(&pipe->lock);
	idle = !pipe->job;
	spin_unlock_irq(&pipe->lock);
	return idle;
}

static void limn_pipe_stop(struct limn_pipe *pipe, bool stop)
{
	spin_lock_irq(&pipe->lock);
	pipe->holds += stop ? 1 : -1;
	limn_pipe_start_next(pipe);
	spin_unlock_irq(&pipe->lock);
}

/*
 * System suspend: the jobs on the hardware may finish, all others go on
 * waiting. Time-outs keep running until then, so this ends.
 */
int limn_sched_suspend(struct limn_device *ldev)
{
	unsigned long periods = ldev->be->hang_periods + 1;
	unsigned long one = msecs_to_jiffies(limn_timeout_limit_ms(ldev));
	unsigned long limit = min(one, MAX_JIFFY_OFFSET / (2 * periods)) * periods + HZ;
	unsigned int i;

	for (i = 0; i < ldev->num_pipes; i++)
		limn_pipe_stop(ldev->pipe[i], true);
	for (i = 0; i < ldev->num_pipes; i++) {
		struct limn_pipe *pipe = ldev->pipe[i];

		if (!wait_event_timeout(pipe->idle, limn_pipe_is_idle(pipe), limit)) {
			limn_sched_resume(ldev);
			return -EBUSY;
		}
		flush_work(&pipe->event_work);
	}
	return 0;
}

void limn_sched_resume(struct limn_device *ldev)
{
	unsigned int i;

	for (i = 0; i < ldev->num_pipes; i++)
		limn_pipe_stop(ldev->pipe[i], false);
}

/*
 * The jobs that run in @vm, are about to, or do not stop: TLBs may hold for them what the tables
 * do not any more.
 */
bool limn_sched_find_vm(struct limn_vm *vm, struct limn_job **running)
{
	struct limn_device *ldev = vm->ldev;
	unsigned long flags;
	bool any = false;
	unsigned int i;

	for (i = 0; i < ldev->num_pipes; i++) {
		struct limn_pipe *pipe = ldev->pipe[i];

		running[i] = NULL;
		spin_lock_irqsave(&pipe->lock, flags);
		if (pipe->job && pipe->job->vm == vm)
			running[i] = pipe->job;
		else if (pipe->wild_job && pipe->wild_job->vm == vm)
			running[i] = pipe->wild_job;
		any |= !!running[i];
		spin_unlock_irqrestore(&pipe->lock, flags);
	}
	return any;
}
