// SPDX-License-Identifier: GPL-2.0-only
/*
 * Pipes: jobs come one at a time and end with their fence.
 */

/**
 * DOC: pipes
 *
 * A pipe is a part of the GPU that runs jobs by itself: on Utgard the
 * geometry processor, and the pixel processors together::
 *
 *	                     job started
 *	   +--------+ -----------------------> +---------+
 *	   |  IDLE  |                          | RUNNING | <------+
 *	   +--------+ <----------------------- +---------+        |
 *	       ^             job done            |     |          | heap grown
 *	       |                    error,       |     | out of   |
 *	       |                    timeout      |     | memory   |
 *	       |                                 v     v          |
 *	       |   pipe was reset,     +--------+   +---------+   |
 *	       +---------------------- | FAILED |<--| GROWING |---+
 *	           fence has the error +--------+   +---------+
 *
 * SERVICE is a second GROWING: the job waits for the backend to do something
 * in process context (&limn_backend.job_service), to read counters, say.
 *
 * Interrupt handlers and job start make the upper transitions under
 * &limn_pipe.lock; only the recovery worker leaves FAILED, GROWING and SERVICE. A job
 * has the pipe, and a runtime PM reference, until the pipe is IDLE again, so
 * whoever sees &limn_pipe.job set under the lock may touch registers.
 *
 * drm_sched chooses among contexts, by priority and then in turns, and hands over two jobs
 * at a time. The second waits in &limn_pipe.next, with all that it depends on
 * done, and the interrupt that ends the first one starts it: the hardware does
 * not wait for a worker.
 *
 * Where there is nothing to choose, drm_sched is not asked: a direct job is one that
 * finds its pipe without a job, none in drm_sched's queues for that pipe, none of its
 * context that is still to come there, and nothing to wait for. The ioctl starts it.
 * Its own fence is what others see, on a timeline of its context and pipe beside that
 * of drm_sched's entity. It may also wait for one fence, that of a direct job of a pipe
 * with a lower number, as a frame's pixels do for its geometry: then it is parked, and
 * the interrupt that ends the other one starts it. Within its context and pipe the order
 * of submits holds: while it is parked it counts in &limn_ctx.queued, so that no direct
 * job overtakes it, and those that drm_sched has wait for it (&limn_job.after).
 *
 * So a pipe may have a direct job and two of drm_sched, and perhaps others that found it
 * free in the same moment or were parked then: that many a job of high priority waits
 * for. No context can have more than one of them; its next one finds the pipe busy.
 *
 * Each job has its own time, from the moment that the hardware gets it
 * (&limn_ctx.timeout). One delayed work per pipe looks; it is not moved for each
 * job, but goes off early now and then and finds that there is time left.
 */

/**
 * DOC: fences
 *
 * A job's hardware fence is part of the job: nothing is allocated after the
 * submit ioctl has said yes. Others see it when the job is a direct one, else that
 * of drm_sched, which follows it. The fence takes the pipe and the module along,
 * because its name and its release function live there; the job's memory goes
 * when the last reference to the fence does.
 *
 * A job that the GPU did not finish never signals success: its fence carries
 * -EFAULT (the MMU refused an address), -EIO (the hardware reported an error
 * or did not start), -ENOMEM or -ENOSPC (its heap ended), -ETIMEDOUT,
 * -ECANCELED (the job that it was to build on failed), -ENODEV, or, from drm_sched,
 * -ESRCH (it was still queued when its process was killed or the device went).
 */
#include <linux/math64.h>
#include <linux/module.h>
#include <linux/pm_runtime.h>
#include <linux/slab.h>
#include <linux/wait_bit.h>
#include <drm/drm_drv.h>
#include <drm/drm_gem.h>
#include <drm/drm_managed.h>
#include <drm/drm_print.h>

#include "limn_bo_list.h"
#include "limn_compat.h"
#include "limn_ctx.h"
#include "limn_drv.h"
#include "limn_gem.h"
#include "limn_perfmon.h"
#include "limn_sched.h"
#include "limn_stats.h"
#include "limn_submit.h"
#include "limn_trace.h"
#include "limn_vm.h"

/* Ended direct jobs keep their BOs for so long at most, and at most so many of them do. */
#define LIMN_RETIRE_DELAY	(HZ / 10)
#define LIMN_RETIRE_JOBS	32

/* Fraction bits of &limn_pipe.cycles_per_ns: up to 256 GHz. */
#define LIMN_CYCLES_SHIFT	24

static void limn_pipe_release(struct kref *ref)
{
	kfree(container_of(ref, struct limn_pipe, ref));
}

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

/*
 * Nobody asks the fence for its name any more. That of a direct job may still be found
 * under RCU; others only drm_sched knows: what is found is the finished fence, which holds it.
 */
static void limn_fence_release(struct dma_fence *fence)
{
	struct limn_job *job = fence_to_job(fence);

	kref_put(&job->pipe->ref, limn_pipe_release);
	if (job->direct)
		kfree_rcu(job, fence.rcu);
	else
		kfree(job);
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
	kref_get(&pipe->ref);
	job->pipe = pipe;
	job->frame_size = frame_size / sizeof(u32);
	return job;
}

/* Its fence has signalled, or nobody will ever see it. */
static void limn_job_not_busy(struct limn_job *job)
{
	if (job->busy)
		atomic_dec(&job->client->busy);
	job->busy = false;
}

static void limn_job_power_put(struct limn_job *job)
{
	struct device *dev = job->pipe->dev;

	if (!job->powered)
		return;
	job->powered = false;
	pm_runtime_mark_last_busy(dev);
	pm_runtime_put_autosuspend(dev);
}

/* Give back all that a job holds, as far as it got; not the job itself. */
void limn_job_release(struct limn_job *job)
{
	if (job->vm)
		limn_vm_job_gone(job->vm, job);
	limn_batch_put(job->batch);
	job->batch = NULL;
	if (job->pinned)
		limn_bo_list_unpin(job->list);
	job->pinned = false;
	limn_bo_list_put(job->list);
	job->list = NULL;
	job->num_bos = 0;
	limn_perfmon_release(job);
	if (job->priv)
		job->pipe->ldev->be->job_free(job);
	job->priv = NULL;
	dma_fence_put(job->guard);
	job->guard = NULL;
	dma_fence_put(job->park);
	job->park = NULL;
	dma_fence_put(job->after);
	job->after = NULL;
	limn_job_power_put(job);
	limn_job_not_busy(job);
	if (job->client && atomic_dec_and_test(&job->client->jobs))
		wake_up_var(&job->client->jobs);
	job->client = NULL;
	job->vm = NULL;
	limn_ctx_put(job->ctx);		/* of which those were */
	job->ctx = NULL;
	drm_dev_put(&job->pipe->ldev->drm);
}

/* The job's memory: now, or when its fence is no longer needed. */
void limn_job_discard(struct limn_job *job)
{
	if (job->fence.ops)
		dma_fence_put(&job->fence);
	else
		limn_fence_release(&job->fence);
}

void limn_pipe_set_state(struct limn_pipe *pipe, enum limn_pipe_state state)
{
	static const u8 from[] = {	/* who may become it */
		[LIMN_PIPE_IDLE] = BIT(LIMN_PIPE_RUNNING) | BIT(LIMN_PIPE_FAILED),
		[LIMN_PIPE_RUNNING] = BIT(LIMN_PIPE_IDLE) | BIT(LIMN_PIPE_GROWING) |
				      BIT(LIMN_PIPE_SERVICE) | BIT(LIMN_PIPE_FAILED),
		[LIMN_PIPE_GROWING] = BIT(LIMN_PIPE_RUNNING),
		[LIMN_PIPE_SERVICE] = BIT(LIMN_PIPE_RUNNING),
		[LIMN_PIPE_FAILED] = BIT(LIMN_PIPE_RUNNING) | BIT(LIMN_PIPE_GROWING) |
				     BIT(LIMN_PIPE_SERVICE),
	};

	lockdep_assert_held(&pipe->lock);
	drm_WARN_ON(&pipe->ldev->drm, !(from[state] & BIT(pipe->state)));
	pipe->state = state;
}

/* Make sure that somebody looks when the time of the running job is over. */
void limn_pipe_set_deadline(struct limn_pipe *pipe, unsigned long timeout)
{
	lockdep_assert_held(&pipe->lock);

	pipe->deadline = jiffies + timeout;
	/* Usually it is set to a moment before that, for some job long gone. */
	if (delayed_work_pending(&pipe->timeout_work) &&
	    time_before_eq(pipe->timer, pipe->deadline))
		return;
	pipe->timer = pipe->deadline;
	mod_delayed_work(pipe->ldev->recover_wq, &pipe->timeout_work, timeout);
}

/* A reason not to run @job, or 0. */
static int limn_job_obstacle(const struct limn_job *job)
{
	if (READ_ONCE(job->pipe->ldev->gone))
		return -ENODEV;
	if (job->guard && dma_fence_is_signaled(job->guard) && job->guard->error)
		return -ECANCELED;
	/* Killed: drm_sched cancelled what it still had; this one it had handed over. */
	if (READ_ONCE(job->ctx->killed))
		return -ECANCELED;
	if (READ_ONCE(job->ctx->banned) ||
	    (job->wait_jobs && limn_batch_failed(job->batch, job->wait_jobs)))
		return -ECANCELED;
	return 0;
}

/*
 * The fence first: somebody waits for it. What is told of the job afterwards is complete
 * when &limn_pipe.lock is free again: see limn_sched_settle() and limn_free_job().
 */
static void limn_job_end(struct limn_job *job, int error, ktime_t now)
{
	lockdep_assert_held(&job->pipe->lock);

	if (job->perf)
		limn_perfmon_ended(job, error);
	if (error)
		dma_fence_set_error(&job->fence, error);
	dma_fence_signal_timestamp_locked(&job->fence, now);
	limn_job_not_busy(job);
	limn_ctx_job_ended(job, error);
	limn_stats_ended(job, error, now);
}

/* Put @job on the hardware, which is idle or has just been reset. */
static void limn_pipe_start(struct limn_pipe *pipe, struct limn_job *job)
{
	struct limn_device *ldev = pipe->ldev;

	lockdep_assert_held(&pipe->lock);

	limn_pipe_set_state(pipe, LIMN_PIPE_RUNNING);
	pipe->job = job;
	if (ldev->be->job_prepare(pipe, job)) {
		/* The blocks do not answer as they should. */
		limn_pipe_fault(pipe, -EIO, 0);
		return;
	}
	if (!job->started) {
		job->started = ktime_get();
		limn_stats_started(job);
	}
	limn_pipe_set_deadline(pipe, job->timeout);
	trace_limn_job_run(job);
	limn_perfmon_start(pipe, job);
	ldev->be->job_start(pipe, job);
}

/*
 * A direct job is about to end; the caller is done with it when he lets go of
 * &limn_pipe.lock. It is on the list before its fence signals, and so before a job that is
 * parked at that: the worker that comes for the parked one finds both.
 */
static void limn_job_retire(struct limn_job *job)
{
	lockdep_assert_held(&job->pipe->lock);

	if (job->direct)
		llist_add(&job->retired, &job->pipe->ldev->retired);
}

/* Its fence has signalled. What a parked one of the same submit shares goes with that one. */
static void limn_job_retired(struct limn_job *job)
{
	struct limn_device *ldev = job->pipe->ldev;

	lockdep_assert_held(&job->pipe->lock);

	if (!job->direct || job->shared)
		return;
	if (atomic_inc_return(&ldev->num_retired) == LIMN_RETIRE_JOBS ||
	    atomic_read(&ldev->impatient))
		limn_sched_retire_now(ldev);
	else
		queue_delayed_work(ldev->sched_wq, &ldev->retire_work, LIMN_RETIRE_DELAY);
}

/* The pipe is idle, and @job is its next. */
static void limn_pipe_run(struct limn_pipe *pipe, struct limn_job *job)
{
	int error = limn_job_obstacle(job);

	if (!error) {
		limn_pipe_start(pipe, job);
		return;
	}
	limn_job_retire(job);
	limn_job_end(job, error, ktime_get());
	trace_limn_job_done(job, 0, error);
	limn_job_power_put(job);
	limn_job_retired(job);
}

static struct limn_job *limn_pipe_first(struct limn_pipe *pipe)
{
	return list_first_entry_or_null(&pipe->next, struct limn_job, link);
}

/* If it is idle: until one starts, or there is none. */
static void limn_pipe_run_next(struct limn_pipe *pipe)
{
	struct limn_job *job;

	lockdep_assert_held(&pipe->lock);

	while (!pipe->job) {
		job = limn_pipe_first(pipe);
		if (!job)
			break;
		list_del(&job->link);
		limn_pipe_run(pipe, job);
	}
}

/* It was idle though it may have jobs. */
static void limn_pipe_go_on(struct limn_pipe *pipe)
{
	lockdep_assert_held(&pipe->lock);

	if (pipe->job || list_empty(&pipe->next))
		return;
	limn_devfreq_busy(&pipe->ldev->devfreq);
	limn_pipe_run_next(pipe);
	if (!pipe->job)
		limn_devfreq_idle(&pipe->ldev->devfreq);
}

/* The job is not in any queue any more. */
static void limn_job_unqueue(struct limn_job *job)
{
	lockdep_assert_held(&job->pipe->lock);

	if (job->unqueued)
		return;
	WRITE_ONCE(job->unqueued, true);
	atomic_dec(&job->ctx->queued[job->pipe->id]);
	if (!job->direct)
		atomic_dec(&job->pipe->queued);
}

/* All that the job waits for is done: it runs as soon as those before it are. */
static void limn_pipe_add(struct limn_pipe *pipe, struct limn_job *job)
{
	lockdep_assert_held(&pipe->lock);

	limn_job_unqueue(job);
	list_add_tail(&job->link, &pipe->next);
	if (!pipe->held && !pipe->stopped)
		limn_pipe_go_on(pipe);
}

static void limn_pipe_ready(struct limn_pipe *pipe)
{
	if (pipe->ldev->be->job_done)
		pipe->ldev->be->job_done(pipe);
}

/* The hardware had the job until @now; it needs power no more. */
static void limn_job_account(struct limn_job *job, int error, ktime_t now)
{
	struct limn_pipe *pipe = job->pipe;
	u64 ns = job->started ? ktime_to_ns(ktime_sub(now, job->started)) : 0;
	u32 khz = READ_ONCE(pipe->ldev->pipe_khz[pipe->id]);

	lockdep_assert_held(&pipe->lock);

	if (pipe->khz != khz) {
		pipe->khz = khz;
		pipe->cycles_per_ns = div_u64((u64)khz << LIMN_CYCLES_SHIFT, NSEC_PER_MSEC);
	}
	atomic64_add(ns, &job->client->busy_ns[pipe->id]);
	atomic64_add(mul_u64_u32_shr(ns, pipe->cycles_per_ns, LIMN_CYCLES_SHIFT),
		     &job->client->busy_cycles[pipe->id]);
	trace_limn_job_done(job, ns, error);
	limn_job_power_put(job);
}

/**
 * limn_pipe_complete - the job is over; the next one starts
 * @pipe: the pipe
 * @error: for the job's fence, or 0
 */
void limn_pipe_complete(struct limn_pipe *pipe, int error)
{
	struct limn_job *job = pipe->job, *next = limn_pipe_first(pipe);
	bool at_once = next && !error && !limn_job_obstacle(next);
	ktime_t now = ktime_get();

	lockdep_assert_held(&pipe->lock);

	job->kept = pipe->wild && job->started;
	limn_pipe_set_state(pipe, LIMN_PIPE_IDLE);
	pipe->job = NULL;
	pipe->error = 0;
	pipe->fault_addr = 0;
	/* The hardware first, if it has work; but @next may be one that an error takes along. */
	if (at_once) {
		list_del(&next->link);
		limn_pipe_ready(pipe);
		limn_pipe_start(pipe, next);
	}
	limn_job_retire(job);
	limn_job_end(job, error, now);
	if (!at_once && !error)
		limn_pipe_ready(pipe);
	limn_job_account(job, error, now);
	limn_job_retired(job);
	limn_pipe_run_next(pipe);
	if (!pipe->job) {
		limn_devfreq_idle(&pipe->ldev->devfreq);
		if (pipe->ldev->be->pipe_idle)
			pipe->ldev->be->pipe_idle(pipe);
		if (wq_has_sleeper(&pipe->idle))
			wake_up(&pipe->idle);
	}
}

/**
 * limn_pipe_done - the hardware finished the job
 * @pipe: the pipe
 */
void limn_pipe_done(struct limn_pipe *pipe)
{
	limn_pipe_complete(pipe, 0);
}

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
		limn_pipe_fault(pipe, -ENOMEM, 0);
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
 * limn_pipe_hold - nothing starts on this pipe until limn_pipe_unhold()
 * @pipe: a pipe that will be reset, though nobody complains about it
 *
 * Return: whether it has a job that will have to run again.
 */
bool limn_pipe_hold(struct limn_pipe *pipe)
{
	bool again;

	lockdep_assert_held(&pipe->ldev->hw_lock);

	spin_lock_irq(&pipe->lock);
	pipe->held = true;
	/* One that has failed by itself gets its own recovery. */
	again = pipe->job && pipe->state != LIMN_PIPE_FAILED;
	if (again)
		limn_pipe_give_up(pipe);
	spin_unlock_irq(&pipe->lock);
	return again;
}

/**
 * limn_pipe_unhold - the reset is over
 * @pipe: the pipe
 * @again: what limn_pipe_hold() said
 * @error: why there is no hardware any more, or 0
 */
void limn_pipe_unhold(struct limn_pipe *pipe, bool again, int error)
{
	lockdep_assert_held(&pipe->ldev->hw_lock);

	spin_lock_irq(&pipe->lock);
	pipe->held = false;
	if (again) {
		limn_ctx_victim(pipe->job);
		if (error)
			limn_pipe_complete(pipe, error);
		else
			limn_pipe_start(pipe, pipe->job);
	}
	limn_pipe_go_on(pipe);
	spin_unlock_irq(&pipe->lock);
}

/* @fence is that of a direct job: which one? Else NULL. */
struct limn_job *limn_job_of_direct(struct dma_fence *fence)
{
	struct limn_job *job = fence_to_job(fence);

	return fence->ops == &limn_fence_ops && job->direct ? job : NULL;
}

/* The direct job @job has to wait for another one yet. */
bool limn_job_is_parked(const struct limn_job *job)
{
	/* Once it is not, @park may go at any time. */
	return !READ_ONCE(job->unqueued) && READ_ONCE(job->park);
}

/*
 * May a job of @pipe be parked until one of @behind is done? It is added to @pipe where
 * that one's fence signals: so the locks of pipes nest, in the order of their numbers.
 */
bool limn_pipe_may_park(const struct limn_pipe *pipe, const struct limn_pipe *behind)
{
	return behind->ldev == pipe->ldev && behind->id < pipe->id;
}

/* A hint: nothing is locked. A job that finds it untrue has to wait in line, no more. */
bool limn_pipe_is_free(const struct limn_pipe *pipe)
{
	return !READ_ONCE(pipe->job) && list_empty(&pipe->next) && !atomic_read(&pipe->queued) &&
	       !READ_ONCE(pipe->held) && !READ_ONCE(pipe->stopped);
}

/* It gets its fence, which others may see now. */
void limn_job_init_direct(struct limn_job *job, u64 context, u64 seqno)
{
	job->direct = true;
	job->done = &job->fence;
	dma_fence_init(&job->fence, &limn_fence_ops, &job->pipe->lock, context, seqno);
}

static void limn_job_add_direct(struct limn_job *job)
{
	struct limn_pipe *pipe = job->pipe;
	unsigned long flags;

	spin_lock_irqsave(&pipe->lock, flags);
	limn_pipe_add(pipe, job);
	spin_unlock_irqrestore(&pipe->lock, flags);
}

/* The lock of the other job's pipe is held. */
static void limn_job_unpark(struct dma_fence *fence, struct dma_fence_cb *cb)
{
	limn_job_add_direct(container_of(cb, struct limn_job, park_cb));
}

/**
 * limn_job_run_direct - the job runs now, or when what it is parked at is done
 * @job: a direct job, complete; gone when it returns
 */
void limn_job_run_direct(struct limn_job *job)
{
	bool cookie = dma_fence_begin_signalling();

	atomic_inc(&job->pipe->jobs_left);
	if (!job->park || dma_fence_add_callback(job->park, &job->park_cb, limn_job_unpark))
		limn_job_add_direct(job);
	dma_fence_end_signalling(cookie);
}

/* drm_sched hands over two jobs at a time: one to run, one to be next. */
static struct dma_fence *limn_run_job(struct drm_sched_job *sched_job)
{
	struct limn_job *job = to_limn_job(sched_job);
	struct limn_pipe *pipe = job->pipe;
	bool cookie;

	if (!job->counted)
		atomic_inc(&pipe->jobs_left);
	job->counted = true;
	if (sched_job->s_fence->finished.error)
		return ERR_PTR(sched_job->s_fence->finished.error);

	cookie = dma_fence_begin_signalling();
	spin_lock_irq(&pipe->lock);
	dma_fence_init(&job->fence, &limn_fence_ops, &pipe->lock, pipe->fence_context,
		       ++pipe->fence_seqno);
	limn_pipe_add(pipe, job);
	spin_unlock_irq(&pipe->lock);
	dma_fence_end_signalling(cookie);
	return dma_fence_get(&job->fence);
}

/*
 * The finished fence is named after the scheduler, and may be asked when the device and
 * the job are gone. That of a job that ran holds @pipe by the hardware's fence
 * (&drm_sched_fence.parent); so let this one.
 */
static void limn_job_cancelled(struct limn_job *job, struct drm_sched_fence *s_fence)
{
	struct limn_pipe *pipe = job->pipe;

	lockdep_assert_held(&pipe->lock);

	limn_stats_ended(job, s_fence->finished.error, ktime_get());
	trace_limn_job_done(job, 0, s_fence->finished.error);
	dma_fence_init(&job->fence, &limn_fence_ops, &pipe->lock, pipe->fence_context,
		       ++pipe->fence_seqno);
	dma_fence_set_error(&job->fence, s_fence->finished.error ?: -ECANCELED);
	dma_fence_signal_locked(&job->fence);
	if (s_fence->parent)
		return;
	/* Pairs with drm_sched_fence_set_deadline_finished(). */
	smp_store_release(&s_fence->parent, dma_fence_get(&job->fence));
}

static void limn_free_job(struct drm_sched_job *sched_job)
{
	struct limn_job *job = to_limn_job(sched_job);
	struct limn_pipe *pipe = job->pipe;

	/* Its fence has signalled, but who did that may still be at its books. */
	spin_lock_irq(&pipe->lock);
	/* For one that was cancelled before the hardware got it. */
	if (!job->fence.ops)
		limn_job_cancelled(job, sched_job->s_fence);
	limn_job_unqueue(job);
	spin_unlock_irq(&pipe->lock);
	drm_sched_job_cleanup(sched_job);
	if (job->kept) {
		llist_add(&job->retired, &pipe->ldev->retired);
		limn_sched_retire_now(pipe->ldev);
		return;
	}
	limn_job_release(job);
	if (job->counted && atomic_dec_and_test(&pipe->jobs_left))
		wake_up(&pipe->idle);
	limn_job_discard(job);
}

/* What the job waits for of its own submit, or of its own queue; or NULL. */
static struct dma_fence *limn_job_next_wait(struct limn_job *job)
{
	while (job->wait_fences) {
		struct dma_fence *done = job->batch->done[__ffs(job->wait_fences)];

		if (!dma_fence_is_signaled(done))
			return dma_fence_get(done);
		job->wait_fences &= job->wait_fences - 1;
	}
	if (job->after && limn_job_is_parked(limn_job_of_direct(job->after)))
		return dma_fence_get(job->after);
	return NULL;
}

/*
 * Called when all that the first job of a queue waits for is done, but for jobs of the
 * same submit, and a parked one: those come here.
 *
 * Then it is about to leave. drm_sched goes on with the queue whose first job is
 * the oldest; with the time of its submit, a context that queues many jobs at
 * once would make all others wait for all of them. So a job's age counts from
 * the moment that it comes first: contexts of the same priority take turns.
 */
static struct dma_fence *limn_prepare_job(struct drm_sched_job *sched_job,
					  struct drm_sched_entity *entity)
{
	struct dma_fence *fence = limn_job_next_wait(to_limn_job(sched_job));
	struct spsc_node *next;

	if (fence)
		return fence;
	next = READ_ONCE(sched_job->queue_node.next);
	if (next)
		container_of(next, struct drm_sched_job, queue_node)->submit_ts = ktime_get();
	return NULL;
}

static const struct drm_sched_backend_ops limn_sched_ops = {
	.prepare_job = limn_prepare_job,
	.run_job = limn_run_job,
	.free_job = limn_free_job,
};

/* Time-outs are not its business: each job has its own. */
static int limn_sched_init(struct limn_pipe *pipe)
{
	const struct drm_sched_init_args args = {
		.ops = &limn_sched_ops,
		.submit_wq = pipe->ldev->sched_wq,
		.num_rqs = DRM_SCHED_PRIORITY_COUNT,
		.credit_limit = LIMN_PIPE_JOBS,
		.timeout = MAX_SCHEDULE_TIMEOUT,
		.name = pipe->name,
		.dev = pipe->dev,
	};

	return drm_sched_init(&pipe->sched, &args);
}

static void limn_pipe_put(struct drm_device *drm, void *data)
{
	struct limn_pipe *pipe = data;

	kref_put(&pipe->ref, limn_pipe_release);
}

int limn_pipe_create(struct limn_device *ldev, unsigned int id)
{
	static struct lock_class_key keys[LIMN_MAX_PIPES];	/* limn_pipe_may_park() */
	struct limn_pipe *pipe = kzalloc(sizeof(*pipe), GFP_KERNEL);
	int ret;

	if (!pipe)
		return -ENOMEM;
	kref_init(&pipe->ref);
	pipe->ldev = ldev;
	pipe->id = id;
	pipe->dev = ldev->pipe_devs[id];
	strscpy(pipe->name, ldev->pipe_names[id], sizeof(pipe->name));
	pipe->fence_context = dma_fence_context_alloc(1);
	spin_lock_init(&pipe->lock);
	lockdep_set_class(&pipe->lock, &keys[id]);
	INIT_LIST_HEAD(&pipe->next);
	init_waitqueue_head(&pipe->idle);
	INIT_WORK(&pipe->event_work, limn_pipe_event_work);
	INIT_DELAYED_WORK(&pipe->timeout_work, limn_pipe_timeout_work);
	ret = drmm_add_action_or_reset(&ldev->drm, limn_pipe_put, pipe);
	ret = ret ?: limn_sched_init(pipe);
	if (!ret)
		ldev->pipe[id] = pipe;
	return ret;
}

/* After the device is gone and its contexts are killed: until no job is left. */
void limn_pipe_drain(struct limn_pipe *pipe)
{
	mutex_lock(&pipe->ldev->hw_lock);
	limn_pipe_fail(pipe, -ENODEV);
	mutex_unlock(&pipe->ldev->hw_lock);
	/* What was kept is not any more, for the device is gone. */
	limn_pipe_set_wild(pipe, false);
	wait_event(pipe->idle, !atomic_read(&pipe->jobs_left));
	cancel_work_sync(&pipe->event_work);
	cancel_delayed_work_sync(&pipe->timeout_work);
}

/* It stays there, idle for ever, as long as the struct limn_device does. */
void limn_pipe_destroy(struct limn_device *ldev, unsigned int id)
{
	struct limn_pipe *pipe = ldev->pipe[id];

	if (!pipe)
		return;
	drm_sched_fini(&pipe->sched);
	cancel_work_sync(&pipe->event_work);
	cancel_delayed_work_sync(&pipe->timeout_work);
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
	pipe->stopped = stop;
	if (!stop && !pipe->held)
		limn_pipe_go_on(pipe);
	spin_unlock_irq(&pipe->lock);
}

/*
 * System suspend: what the hardware has been given may finish, what waits goes
 * on waiting. Time-outs keep running until then, so this ends.
 */
int limn_sched_suspend(struct limn_device *ldev)
{
	unsigned long one = msecs_to_jiffies(limn_timeout_limit_ms(ldev));
	unsigned long periods = max(ldev->be->hang_periods, 1U) + 1;
	unsigned long jobs = LIMN_PIPE_JOBS + 1;	/* a direct one on top of drm_sched's */
	unsigned long most = MAX_JIFFY_OFFSET / (2 * periods * jobs);
	unsigned long limit = min(one, most) * periods * jobs + HZ;
	unsigned int i;
	long left;

	for (i = 0; i < ldev->num_pipes; i++) {
		limn_pipe_stop(ldev->pipe[i], true);
		drm_sched_wqueue_stop(&ldev->pipe[i]->sched);
	}
	for (i = 0; i < ldev->num_pipes; i++) {
		struct limn_pipe *pipe = ldev->pipe[i];

		left = wait_event_timeout(pipe->idle, limn_pipe_is_idle(pipe), limit);
		flush_work(&pipe->event_work);
		if (!left) {
			limn_sched_resume(ldev);
			return -EBUSY;
		}
		cancel_delayed_work_sync(&pipe->timeout_work);
	}
	return 0;
}

void limn_sched_resume(struct limn_device *ldev)
{
	unsigned int i;

	for (i = 0; i < ldev->num_pipes; i++) {
		limn_pipe_stop(ldev->pipe[i], false);
		drm_sched_wqueue_start(&ldev->pipe[i]->sched);
	}
}

/*
 * Entries of @vm were cleared: no job that runs may go on using them. True when
 * some will, because the hardware cannot flush under a job: those in @running.
 */
bool limn_sched_flush_vm(struct limn_vm *vm, struct limn_job **running)
{
	struct limn_device *ldev = vm->ldev;
	unsigned long flags;
	bool any = false;
	unsigned int i;

	for (i = 0; i < ldev->num_pipes; i++) {
		struct limn_pipe *pipe = ldev->pipe[i];

		if (!pipe)
			continue;
		spin_lock_irqsave(&pipe->lock, flags);
		if (pipe->job && pipe->job->vm == vm) {
			if (ldev->be->tlb_flush) {
				ldev->be->tlb_flush(pipe);
			} else {
				running[i] = pipe->job;
				any = true;
			}
		}
		spin_unlock_irqrestore(&pipe->lock, flags);
	}
	return any;
}
