/* SPDX-License-Identifier: GPL-2.0-only */
/* Jobs: the state of one run of the hardware, and what it holds. */
#ifndef LIMN_JOB_H
#define LIMN_JOB_H

#include <linux/dma-fence.h>
#include <linux/ktime.h>
#include <linux/workqueue.h>
#include <drm/gpu_scheduler.h>

struct limn_bo_list;
struct limn_client;
struct limn_ctx;
struct limn_dump;
struct limn_perf_job;
struct limn_pipe;

/* See "DOC: jobs" in limn_job.c. */
enum limn_job_state {
	LIMN_JOB_NEW,
	LIMN_JOB_QUEUED,
	LIMN_JOB_STAGED,
	LIMN_JOB_RUNNING,
	LIMN_JOB_DONE,
	LIMN_JOB_KEPT,
	LIMN_JOB_RETIRED,
};

/**
 * struct limn_job - one run of the hardware
 *
 * The submit owns it while it is NEW, drm_sched until it calls free_job(), then the
 * retire workqueue. The memory lives as long as @fence does.
 */
struct limn_job {
	/** @base: the scheduler's part */
	struct drm_sched_job base;
	/**
	 * @fence: the hardware fence, set up by run_job(): signals when the hardware is done.
	 * Its lock is &limn_pipe.lock.
	 */
	struct dma_fence fence;
	/** @done: the finished fence of @base, which others see; valid until free_job() */
	struct dma_fence *done;
	/** @state: see "DOC: jobs" (&limn_pipe.lock once it is not NEW) */
	enum limn_job_state state;
	/** @link: in &limn_pipe.staged or &limn_pipe.kept (&limn_pipe.lock) */
	struct list_head link;
	/** @retire_work: gives back what the job holds */
	struct work_struct retire_work;
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
	/** @pinned: BOs of @list keep their addresses for it */
	bool pinned;
	/** @foreign_deps: waits for somebody else than this GPU */
	bool foreign_deps;
	/** @powered: holds a runtime PM reference */
	bool powered;
	/** @needs: finished fences of jobs that have to end well, or this one is cancelled */
	struct dma_fence **needs;
	/** @num_needs: entries of @needs */
	unsigned int num_needs;
	/** @one_need: what @needs points to when there is one at most */
	struct dma_fence *one_need;
	/** @order: position among all submitted jobs */
	u64 order;
	/** @id: number among the jobs of @ctx, from 1 */
	u64 id;
	/** @timeout: that the hardware has for it, jiffies */
	unsigned long timeout;
	/** @perf: what it counts, or NULL */
	struct limn_perf_job *perf;
	/** @dump: what is known of its failure so far, or NULL */
	struct limn_dump *dump;
	/** @started: when the hardware got it first; 0: never */
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

struct limn_job *limn_job_create(struct limn_pipe *pipe, size_t frame_size);
void limn_job_set_state(struct limn_job *job, enum limn_job_state state);
struct dma_fence *limn_job_init_fence(struct limn_job *job);
int limn_job_refusal(const struct limn_job *job);
bool limn_job_needs_failed(const struct limn_job *job);
void limn_job_end(struct limn_job *job, int error, ktime_t now);
void limn_job_release(struct limn_job *job);
void limn_job_put(struct limn_job *job);
void limn_job_drop(struct limn_job *job);

#endif
