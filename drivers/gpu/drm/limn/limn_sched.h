/* SPDX-License-Identifier: GPL-2.0-only */
/* Pipes: a scheduler of drm_sched each, and one job at a time. */
#ifndef LIMN_SCHED_H
#define LIMN_SCHED_H

#include <linux/kref.h>
#include <linux/spinlock.h>
#include <linux/wait.h>
#include <linux/workqueue.h>
#include <drm/gpu_scheduler.h>

#include "limn_device.h"
#include "limn_job.h"

/* See "DOC: pipes" in limn_sched.c. */
enum limn_pipe_state {
	LIMN_PIPE_IDLE,
	LIMN_PIPE_STARTING,
	LIMN_PIPE_RUNNING,
	LIMN_PIPE_GROWING,
	LIMN_PIPE_SERVICE,
	LIMN_PIPE_FAILED,
};

/**
 * struct limn_pipe - a queue of the hardware
 *
 * Held by the device and by every job, whose timeline it names.
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

	/**
	 * @lock: protects what follows up to @cycles_per_ns, the states of the pipe's jobs,
	 * and its registers while a job starts or ends; taken by interrupt handlers
	 */
	spinlock_t lock;
	/** @fence_seqno: of the last job that was staged */
	u64 fence_seqno;
	/** @state: see "DOC: pipes" */
	enum limn_pipe_state state;
	/** @job: the job that the hardware has; NULL exactly when idle */
	struct limn_job *job;
	/** @staged: jobs that wait for @job only, by &limn_job.link: LIMN_PIPE_JOBS at most */
	struct list_head staged;
	/** @kept: jobs that are done, but @wild keeps what they hold, by &limn_job.link */
	struct list_head kept;
	/** @num_jobs: jobs that came from @sched and are not retired yet */
	unsigned int num_jobs;
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
	/** @khz: &limn_device.pipe_khz that @cycles_per_ns is of */
	u32 khz;
	/** @cycles_per_ns: a fixed-point fraction: dividing is dear in an interrupt */
	u32 cycles_per_ns;

	/** @event_work: resets the pipe, or grows a heap; on &limn_device.recover_wq */
	struct work_struct event_work;
	/** @idle: woken when @job becomes NULL, and when a job is retired */
	wait_queue_head_t idle;
};

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
struct limn_pipe *limn_pipe_get(struct limn_pipe *pipe);
void limn_pipe_put(struct limn_pipe *pipe);

/* What interrupt handlers of a backend tell; &limn_pipe.lock is held. */
void limn_pipe_done(struct limn_pipe *pipe);
void limn_pipe_fault(struct limn_pipe *pipe, int error, u64 addr);
void limn_pipe_out_of_memory(struct limn_pipe *pipe);
void limn_pipe_service(struct limn_pipe *pipe);

/* For recovery; &limn_pipe.lock is held, but by limn_pipe_hold() and limn_pipe_unhold(). */
void limn_pipe_set_state(struct limn_pipe *pipe, enum limn_pipe_state state);
int limn_pipe_try_start(struct limn_pipe *pipe);
int limn_pipe_continue(struct limn_pipe *pipe);
void limn_pipe_give_up(struct limn_pipe *pipe);
void limn_pipe_complete(struct limn_pipe *pipe, int error);
bool limn_pipe_hold(struct limn_pipe *pipe);
void limn_pipe_unhold(struct limn_pipe *pipe, bool again, int error);

/* For power management and memory. */
int limn_sched_suspend(struct limn_device *ldev);
void limn_sched_resume(struct limn_device *ldev);
bool limn_sched_find_vm(struct limn_vm *vm, struct limn_job **running);

#endif
