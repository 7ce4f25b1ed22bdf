/* SPDX-License-Identifier: GPL-2.0-only */
/* Pipes and jobs: one job at a time on each pipe, through drm_sched or at once. */
#ifndef LIMN_SCHED_H
#define LIMN_SCHED_H

#include <linux/dma-fence.h>
#include <linux/kref.h>
#include <linux/ktime.h>
#include <linux/llist.h>
#include <linux/spinlock.h>
#include <linux/wait.h>
#include <linux/workqueue.h>
#include <drm/gpu_scheduler.h>

#include "limn_device.h"

struct limn_batch;
struct limn_bo;
struct limn_bo_list;
struct limn_client;
struct limn_ctx;
struct limn_mapping;
struct limn_perf_job;

/* That drm_sched hands over at a time: one runs, one is next. */
#define LIMN_PIPE_JOBS	2

/* See "DOC: pipes" in limn_sched.c. */
enum limn_pipe_state {
	LIMN_PIPE_IDLE,
	LIMN_PIPE_RUNNING,
	LIMN_PIPE_GROWING,
	LIMN_PIPE_SERVICE,
	LIMN_PIPE_FAILED,
};

/**
 * struct limn_pipe - a queue of the hardware
 *
 * Held by the device and by every fence, whose timeline it names.
 */
struct limn_pipe {
	/** @ref: the device's, and one for each job */
	struct kref ref;
	/** @ldev: the device */
	struct limn_device *ldev;
	/** @dev: where it gets its power */
	struct device *dev;
	/** @id: index in &limn_device.pipe */
	unsigned int id;
	/** @name: of the timeline, and in fdinfo; a fence may ask when the device is gone */
	char name[16];
	/** @sched: where jobs come from */
	struct drm_gpu_scheduler sched;
	/** @fence_context: of the hardware fences */
	u64 fence_context;
	/** @fence_seqno: of the last job that was staged (@lock) */
	u64 fence_seqno;

	/**
	 * @lock: protects what follows up to @cycles_per_ns, and the registers of
	 * the pipe while a job is put there; taken by interrupt handlers
	 */
	spinlock_t lock;
	/** @state: see "DOC: pipes" */
	enum limn_pipe_state state;
	/** @job: the job that the hardware has; NULL exactly when idle */
	struct limn_job *job;
	/** @next: jobs after it, by &limn_job.link; each starts when the one before is done */
	struct list_head next;
	/** @held: nothing may start: the whole GPU is being reset */
	bool held;
	/** @stopped: nothing new may start: system suspend */
	bool stopped;
	/** @wild: it could not be reset, and may still be at the memory of the jobs it had */
	bool wild;
	/** @error: why @state is LIMN_PIPE_FAILED */
	int error;
	/** @fault_addr: that the MMU refused, when @error is -EFAULT */
	u64 fault_addr;
	/** @deadline: when the time of @job is over, jiffies */
	unsigned long deadline;
	/** @timer: when @timeout_work runs next, jiffies; while that is pending */
	unsigned long timer;
	/** @khz: &limn_device.pipe_khz that @cycles_per_ns is of */
	u32 khz;
	/** @cycles_per_ns: a fixed-point fraction: dividing is dear in an interrupt */
	u32 cycles_per_ns;

	/** @event_work: recovers, or grows the heap */
	struct work_struct event_work;
	/** @timeout_work: looks at @deadline; may come early, and then comes again */
	struct delayed_work timeout_work;
	/** @idle: woken when @job becomes NULL, and when @jobs_left does */
	wait_queue_head_t idle;
	/** @queued: jobs that drm_sched has, and not handed over yet */
	atomic_t queued;
	/** @jobs_left: jobs from drm_sched, and direct ones, that are not freed yet */
	atomic_t jobs_left;
};

/**
 * struct limn_job - one run of the hardware, with its fence inside
 *
 * The scheduler owns it until free_job(), or the pipe until limn_retire_work();
 * the memory lives as long as the fence.
 */
struct limn_job {
	/** @base: the scheduler's part; not used when @direct */
	struct drm_sched_job base;
	/**
	 * @fence: signals when the hardware is done; has ops once it was started, or
	 * with @direct since the submit. Its lock is &limn_pipe.lock.
	 */
	struct dma_fence fence;
	/** @done: the fence that others see: @fence, or that of @base; set in the submit */
	struct dma_fence *done;
	/** @direct: without drm_sched, see "DOC: pipes"; constant once @done is set */
	bool direct;
	/** @shared: with @direct: a parked job of the same submit goes with it */
	bool shared;
	/** @unqueued: the pipe has it: it does not count in &limn_ctx.queued (&limn_pipe.lock) */
	bool unqueued;
	/** @link: in &limn_pipe.next (&limn_pipe.lock) */
	struct list_head link;
	/** @retired: in &limn_device.retired or &limn_device.kept */
	struct llist_node retired;
	/** @kept: not released while @pipe is &limn_pipe.wild (&limn_pipe.lock) */
	bool kept;
	/** @park: with @direct: it waits for this fence of a direct job, or NULL */
	struct dma_fence *park;
	/** @park_cb: on @park */
	struct dma_fence_cb park_cb;
	/** @after: not @direct: a parked job of its queue, which comes first; or NULL */
	struct dma_fence *after;
	/** @pipe: where it runs */
	struct limn_pipe *pipe;
	/** @vm: the address space it runs in; @ctx holds it */
	struct limn_vm *vm;
	/** @client: who submitted it; @ctx holds it */
	struct limn_client *client;
	/** @priv: the backend's, given back by &limn_backend.job_free */
	void *priv;
	/** @ctx: whose queue it is in, or NULL */
	struct limn_ctx *ctx;

	/** @list: the BOs, which it holds */
	struct limn_bo_list *list;
	/** @objs: BOs, @num_bos of them; they are those of @list */
	struct drm_gem_object **objs;
	/** @mappings: of @objs in @vm */
	struct limn_mapping **mappings;
	/** @num_bos: entries of @objs and @mappings */
	unsigned int num_bos;

	/** @pinned: @mappings keep their addresses for it */
	bool pinned;
	/** @heap: the heap that grows when this job runs out of memory, or NULL */
	struct limn_mapping *heap;
	/** @guard: an earlier job of the context; when it fails, this one is cancelled */
	struct dma_fence *guard;
	/** @order: position among all submitted jobs */
	u64 order;
	/** @id: number among the jobs of @ctx, from 1 */
	u64 id;
	/** @timeout: that the hardware has for it, jiffies */
	unsigned long timeout;
	/** @perf: what it counts, or NULL */
	struct limn_perf_job *perf;
	/** @batch: what it shares with the other jobs of its ioctl; NULL: it is alone */
	struct limn_batch *batch;
	/** @wait_jobs: bit n: cancelled when job n of @batch failed */
	u32 wait_jobs;
	/** @wait_fences: those of @wait_jobs that are yet to be waited for (drm_sched's worker) */
	u32 wait_fences;
	/** @foreign_deps: waits for somebody else than this GPU */
	bool foreign_deps;
	/** @counted: in &limn_pipe.jobs_left */
	bool counted;
	/** @busy: counts in &limn_client.busy */
	bool busy;
	/** @powered: holds a runtime PM reference */
	bool powered;
	/** @started: when the hardware got it */
	ktime_t started;

	/** @frame_size: words in @frame */
	size_t frame_size;
	/** @frame: the backend's: words from userspace, checked; or what @priv points to */
	u32 frame[] __counted_by(frame_size) __aligned(8);
};

static inline struct limn_job *to_limn_job(struct drm_sched_job *job)
{
	return container_of(job, struct limn_job, base);
}

/*
 * For interrupt handlers, &limn_pipe.lock held: a job is on the hardware, so
 * there is power, and nobody else resets it.
 */
static inline bool limn_pipe_listens(const struct limn_pipe *pipe)
{
	return pipe->state == LIMN_PIPE_RUNNING || pipe->state == LIMN_PIPE_GROWING ||
	       pipe->state == LIMN_PIPE_SERVICE;
}

/* Setting up and tearing down. */
int limn_pipe_create(struct limn_device *ldev, unsigned int id);
void limn_pipe_drain(struct limn_pipe *pipe);
void limn_pipe_destroy(struct limn_device *ldev, unsigned int id);

struct limn_job *limn_job_create(struct limn_pipe *pipe, size_t frame_size);
void limn_job_release(struct limn_job *job);
void limn_job_discard(struct limn_job *job);

/* Jobs that do not go through drm_sched. */
struct limn_job *limn_job_of_direct(struct dma_fence *fence);
bool limn_job_is_parked(const struct limn_job *job);
bool limn_pipe_may_park(const struct limn_pipe *pipe, const struct limn_pipe *behind);
bool limn_pipe_is_free(const struct limn_pipe *pipe);
void limn_job_init_direct(struct limn_job *job, u64 context, u64 seqno);
void limn_job_run_direct(struct limn_job *job);
void limn_retire_work(struct work_struct *work);

/* What interrupt handlers of a backend tell; &limn_pipe.lock is held. */
void limn_pipe_done(struct limn_pipe *pipe);
void limn_pipe_fault(struct limn_pipe *pipe, int error, u64 addr);
void limn_pipe_out_of_memory(struct limn_pipe *pipe);
void limn_pipe_service(struct limn_pipe *pipe);

/* For limn_recover.c and power management. */
void limn_pipe_set_state(struct limn_pipe *pipe, enum limn_pipe_state state);
void limn_pipe_give_up(struct limn_pipe *pipe);
void limn_pipe_complete(struct limn_pipe *pipe, int error);
void limn_pipe_event_work(struct work_struct *work);
void limn_pipe_timeout_work(struct work_struct *work);
void limn_pipe_set_deadline(struct limn_pipe *pipe, unsigned long timeout);
bool limn_pipe_hold(struct limn_pipe *pipe);
void limn_pipe_unhold(struct limn_pipe *pipe, bool again, int error);
void limn_pipe_fail(struct limn_pipe *pipe, int error);

void limn_sched_settle(struct limn_device *ldev);
void limn_sched_flush(struct limn_device *ldev);
void limn_sched_reap(struct limn_device *ldev);
void limn_sched_retire_now(struct limn_device *ldev);
void limn_pipe_set_wild(struct limn_pipe *pipe, bool wild);
bool limn_sched_is_wild(struct limn_device *ldev);
void limn_sched_hurry(struct limn_device *ldev);
void limn_sched_unhurry(struct limn_device *ldev);
int limn_sched_suspend(struct limn_device *ldev);
void limn_sched_resume(struct limn_device *ldev);
bool limn_sched_flush_vm(struct limn_vm *vm, struct limn_job **running);

#endif
