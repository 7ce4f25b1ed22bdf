/* SPDX-License-Identifier: GPL-2.0-only */
/* Contexts: an ordered queue of jobs per pipe. */
#ifndef LIMN_CTX_H
#define LIMN_CTX_H

#include <linux/kref.h>
#include <linux/mutex.h>
#include <drm/gpu_scheduler.h>

#include "limn_device.h"

struct limn_file;

struct limn_ctx {
	struct kref ref;
	struct limn_device *ldev;
	/** @link: in &limn_device.contexts (&limn_device.ctx_lock) */
	struct list_head link;
	/** @owner: the file it was created in, NULL once that is closed (&limn_device.ctx_lock) */
	struct limn_file *owner;
	/** @killed: its entities are gone (&limn_device.ctx_lock) */
	bool killed;
	struct drm_sched_entity entity[LIMN_MAX_PIPES];
	/**
	 * @submit_lock: between arming a job and queueing it, so that jobs
	 * enter the queue in the order of their fences. Protects @last.
	 */
	struct mutex submit_lock;
	/** @last: finished fence of the last job on each pipe, or NULL */
	struct dma_fence *last[LIMN_MAX_PIPES];
};

int limn_ctx_create(struct limn_device *ldev, struct limn_file *lfile, u32 *id);
int limn_ctx_free(struct limn_file *lfile, u32 id);
struct limn_ctx *limn_ctx_lookup(struct limn_file *lfile, u32 id);
struct limn_ctx *limn_ctx_get(struct limn_ctx *ctx);
void limn_ctx_put(struct limn_ctx *ctx);
void limn_ctx_close_all(struct limn_device *ldev, struct limn_file *lfile);
void limn_ctx_kill_all(struct limn_device *ldev);

#endif
