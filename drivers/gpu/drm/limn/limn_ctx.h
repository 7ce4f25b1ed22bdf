/* SPDX-License-Identifier: GPL-2.0-only */
/* Contexts: an ordered queue of jobs per pipe. */
#ifndef LIMN_CTX_H
#define LIMN_CTX_H

#include <linux/kref.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <drm/gpu_scheduler.h>

#include "limn_device.h"

struct limn_client;
struct limn_file;
struct limn_job;
struct limn_job_log;
struct limn_vm;

/* What a context is asked to be; all zero is what lima and etnaviv have. */
struct limn_ctx_args {
	/** @priority: &enum drm_limn_priority */
	s32 priority;
	/** @timeout_ms: of each job; 0: the device's */
	u32 timeout_ms;
	/** @bannable: give up on it when its jobs keep failing */
	bool bannable;
};

/* Points of a context on its way to a ban: see "DOC: contexts" in limn_drm.h. */
#define LIMN_BAN_GUILTY		16
#define LIMN_BAN_LIMIT		64

/* What resets did to a context. */
struct limn_ctx_resets {
	/** @last: &enum drm_limn_reset */
	u32 last;
	/** @points: on the way to a ban */
	u32 points;
	u64 guilty;
	u64 innocent;
	/** @fault_job: last guilty job, and why, and where */
	u64 fault_job;
	u64 fault_addr;
	int fault_error;
	unsigned int fault_pipe;
};

/* What a job that ended does to the points, and nothing else. True: they are too many. */
bool limn_ctx_count_guilty(struct limn_ctx_resets *resets);
void limn_ctx_count_good(struct limn_ctx_resets *resets);

struct limn_ctx {
	struct kref ref;
	struct limn_device *ldev;
	/** @link: in &limn_device.contexts (&limn_device.ctx_lock) */
	struct list_head link;
	/** @vm: the file's address space, and its jobs' */
	struct limn_vm *vm;
	/** @client: the file's owner, and its jobs' */
	struct limn_client *client;
	/** @owner: the file it was created in, NULL once that is closed (&limn_device.ctx_lock) */
	struct limn_file *owner;
	/** @killed: the device goes, its entities are gone (&limn_device.ctx_lock) */
	bool killed;
	struct drm_sched_entity entity[LIMN_MAX_PIPES];
	/**
	 * @submit_lock: between arming a job and queueing it, so that jobs
	 * enter the queue in the order of their fences. Protects @last.
	 */
	struct mutex submit_lock;
	/** @last: finished fence of the last job on each pipe, or NULL */
	struct dma_fence *last[LIMN_MAX_PIPES];
	/** @last_id: number of the last job, of all pipes (@submit_lock) */
	u64 last_id;

	/** @log: of its last jobs; NULL before the first; set once */
	struct limn_job_log *log;

	/** @args: as it was created, with the default time-out filled in */
	struct limn_ctx_args args;
	/** @timeout: of each job, jiffies */
	unsigned long timeout;
	/** @banned: nothing of it runs any more; set once, under @reset_lock */
	bool banned;
	/** @reset_lock: protects @resets; taken in interrupt context, innermost */
	spinlock_t reset_lock;
	struct limn_ctx_resets resets;
};

int limn_ctx_create(struct limn_device *ldev, struct limn_file *lfile,
		    const struct limn_ctx_args *args, u32 *id);
int limn_ctx_free(struct limn_file *lfile, u32 id);
struct limn_ctx *limn_ctx_lookup(struct limn_file *lfile, u32 id);
struct limn_ctx *limn_ctx_get(struct limn_ctx *ctx);
void limn_ctx_put(struct limn_ctx *ctx);
void limn_ctx_close_all(struct limn_device *ldev, struct limn_file *lfile);
void limn_ctx_blame(struct limn_job *job, int error, u64 addr);
void limn_ctx_victim(struct limn_job *job);
void limn_ctx_job_ended(struct limn_job *job, int error);
void limn_ctx_kill_all(struct limn_device *ldev);

#endif
