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

struct limn_dump;

/* See "DOC: pipes" in limn_sched.c. */
enum limn_pipe_state {
	LIMN_PIPE_IDLE,
	LIMN_PIPE_STARTING,
	LIMN_PIPE_RUNNING,
	LIMN_PIPE_SERVICE,
	LIMN_PIPE_FAILED,
};

/**
 * struct limn_pipe_ops - what a family does for a queue of its hardware
 *
 * &limn_pipe.lock is held in each, but where its line names another lock.
 */
struct limn_pipe_ops {
	/**
	 * @prepare: caches, TLBs, address space and registers, all but the start; often
	 * in an interrupt. -EAGAIN when a unit is not ready, and would have to be waited
	 * for: called again, then.
	 */
	int (*prepare)(struct limn_pipe *pipe, struct limn_job *job);
	/** @start: the write that starts the job */
	void (*start)(struct limn_pipe *pipe, struct limn_job *job);
	/**
	 * @completed: the job ended well, its fence has yet to signal: make the hardware ready
	 * for the next; may be NULL
	 */
	void (*completed)(struct limn_pipe *pipe);
	/** @idle: the job is over, its fence has signalled, and there is no other; may be NULL */
	void (*idle)(struct limn_pipe *pipe);
	/**
	 * @service: what limn_pipe_service() asked for: then limn_pipe_continue(), and the
	 * write with which the job goes on. May sleep; &limn_device.hw_lock is held.
	 */
	int (*service)(struct limn_pipe *pipe, struct limn_job *job);
	/**
	 * @progress: the job's time is over; did it get on since this was last asked?
	 * &limn_device.hw_lock is held. NULL: no second chance.
	 */
	bool (*progress)(struct limn_pipe *pipe, struct limn_job *job);
	/** @poll: handle interrupts that got lost */
	void (*poll)(struct limn_pipe *pipe);
	/** @mask: no more interrupts from this pipe */
	void (*mask)(struct limn_pipe *pipe);
	/** @sync_irq: wait for interrupt handlers of this pipe that run now; nothing is held */
	void (*sync_irq)(struct limn_pipe *pipe);
	/**
	 * @reset: stop and reset what this pipe uses, or more; &limn_device.hw_lock is held.
	 * An error means that the pipe may still access the memory of its jobs.
	 */
	int (*reset)(struct limn_pipe *pipe);
	/**
	 * @dump: registers and page tables of a pipe whose job failed, and commands that
	 * are in no BO; see limn_dump_take(). &limn_device.hw_lock is held.
	 */
	void (*dump)(struct limn_pipe *pipe, struct limn_job *job, struct limn_dump *d);
	/**
	 * @perf_start: set up what &limn_job.perf asks for, right before the job starts. Before
	 * limn_pipe_complete() the family adds to &limn_perf_job.value, or sets its lost.
	 * NULL: nothing needs to be set up.
	 */
	void (*perf_start)(struct limn_pipe *pipe, struct limn_job *job);
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
	/** @ops: the family's */
	const struct limn_pipe_ops *ops;
	/** @dev: where it gets its power */
	struct device *dev;
	/** @id: index in &limn_device.pipe */
	unsigned int id;
	/** @name: in traces, fdinfo, of the timeline: a fence may ask when the device is gone */
	char name[16];
	/** @sched: where jobs come from */
	struct drm_gpu_scheduler sched;
	/** @max_rate: the most that its clock may have, Hz; 0: unknown */
	unsigned long max_rate;
	/** @cycles_per_ns: of its clock now; a fixed-point fraction: see limn_pipe_set_rate() */
	u32 cycles_per_ns;
	/** @fence_context: of the hardware fences */
	u64 fence_context;

	/**
	 * @lock: protects what follows up to @deadline, the states of the pipe's jobs,
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
	/** @holds: reasons why nothing may start: a reset of the whole GPU, system suspend */
	unsigned int holds;
	/** @wild: it could not be reset, and may still access the memory of the jobs it had */
	bool wild;
	/** @wild_job: the last one it had started then; kept while @wild */
	struct limn_job *wild_job;
	/** @error: why @state is LIMN_PIPE_FAILED */
	int error;
	/** @fault_addr: that the MMU refused, when @error is -EFAULT */
	u64 fault_addr;
	/** @deadline: when the time of @job is over, jiffies */
	unsigned long deadline;

	/** @event_work: resets the pipe, or serves its job; on &limn_device.recover_wq */
	struct work_struct event_work;
	/** @idle: woken when @job becomes NULL, and when a job is retired */
	wait_queue_head_t idle;
};

/*
 * For interrupt handlers, &limn_pipe.lock held: a job is on the hardware, so the device has
 * power, and no reset of the pipe is under way.
 */
static inline bool limn_pipe_listens(const struct limn_pipe *pipe)
{
	return pipe->state == LIMN_PIPE_RUNNING || pipe->state == LIMN_PIPE_SERVICE;
}

/* Setting up and tearing down. */
int limn_pipe_create(struct limn_device *ldev, const struct limn_pipe_ops *ops,
		     struct device *dev, const char *name);
void limn_pipe_set_rate(struct limn_pipe *pipe, unsigned long rate);
void limn_pipe_drain(struct limn_pipe *pipe);
struct limn_pipe *limn_pipe_get(struct limn_pipe *pipe);
void limn_pipe_put(struct limn_pipe *pipe);

/* For interrupt handlers of a backend; &limn_pipe.lock is held. */
void limn_pipe_complete(struct limn_pipe *pipe, int error);
void limn_pipe_fault(struct limn_pipe *pipe, int error, u64 addr);
void limn_pipe_service(struct limn_pipe *pipe);

/* For recovery; &limn_pipe.lock is held, but by limn_pipe_hold() and limn_pipe_unhold(). */
void limn_pipe_set_state(struct limn_pipe *pipe, enum limn_pipe_state state);
int limn_pipe_try_start(struct limn_pipe *pipe);
int limn_pipe_continue(struct limn_pipe *pipe);
void limn_pipe_give_up(struct limn_pipe *pipe);
bool limn_pipe_hold(struct limn_pipe *pipe);
void limn_pipe_unhold(struct limn_pipe *pipe, bool again, int error);

/* For power management and memory. */
int limn_sched_suspend(struct limn_device *ldev);
void limn_sched_resume(struct limn_device *ldev);
bool limn_sched_find_vm(struct limn_vm *vm, struct limn_job **running);

#endif
