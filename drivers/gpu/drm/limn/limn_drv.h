/* SPDX-License-Identifier: GPL-2.0-only */
/* The module's parameters, and what an open file has. */
#ifndef LIMN_DRV_H
#define LIMN_DRV_H

#include <linux/jiffies.h>
#include <linux/kref.h>
#include <linux/sched.h>
#include <linux/xarray.h>
#include <drm/drm_file.h>

#include "limn_bo_list.h"
#include "limn_device.h"

struct drm_printer;
struct limn_vm;

extern int limn_sched_timeout_ms;
extern unsigned int limn_max_timeout_ms;

/* The time-out of jobs whose context asks for none. */
static inline unsigned int limn_timeout_ms(const struct limn_device *ldev)
{
	return limn_sched_timeout_ms > 0 ? limn_sched_timeout_ms : ldev->be->timeout_ms;
}

/* The longest time-out that a context may ask for. */
static inline unsigned int limn_timeout_limit_ms(const struct limn_device *ldev)
{
	return READ_ONCE(limn_max_timeout_ms) ?: limn_timeout_ms(ldev);
}

extern const struct limn_platform_ops utgard_platform_ops;
extern const struct limn_platform_ops vivante_platform_ops;

/**
 * struct limn_client - what the owner of an open file has used of the GPU
 */
struct limn_client {
	/** @ref: the file's, and one for each of its contexts */
	struct kref ref;
	/** @pid: who opened the file */
	pid_t pid;
	/** @comm: the name of that process when it opened the file */
	char comm[TASK_COMM_LEN];
	/** @jobs: that hold this, from submit until they are freed */
	atomic_t jobs;
	/** @busy: those of them that are queued, and whose fence may not have signalled */
	atomic_t busy;
	/** @expires: when the client's jobs do not start any more, jiffies; 0: the file is open */
	unsigned long expires;
	/** @busy_ns: time that its jobs spent on each pipe */
	atomic64_t busy_ns[LIMN_MAX_PIPES];
	/** @busy_cycles: the same in cycles of its clock, by the rate at each job's end */
	atomic64_t busy_cycles[LIMN_MAX_PIPES];
};

struct limn_client *limn_client_get(struct limn_client *client);
void limn_client_put(struct limn_client *client);

/* The file is closed: what is queued may still start for @grace jiffies. */
static inline void limn_client_leave(struct limn_client *client, unsigned long grace)
{
	WRITE_ONCE(client->expires, jiffies + grace ?: 1);
}

static inline bool limn_client_is_gone(const struct limn_client *client)
{
	unsigned long expires = READ_ONCE(client->expires);

	return expires && time_after_eq(jiffies, expires);
}

struct limn_file {
	struct limn_client *client;
	/** @vm: its own address space, or &limn_device.shared_vm */
	struct limn_vm *vm;
	/** @priv: the backend's */
	void *priv;
	/** @bo_lists: of its last submits */
	struct limn_bo_lists bo_lists;
	/** @contexts: by handle */
	struct xarray contexts;
	/** @perfmons: by handle */
	struct xarray perfmons;
};

static inline struct limn_file *to_limn_file(struct drm_file *file)
{
	return file->driver_priv;
}

/* What every backend's drm_driver uses. */
int limn_drm_open(struct drm_device *drm, struct drm_file *file);
void limn_drm_postclose(struct drm_device *drm, struct drm_file *file);
void limn_drm_show_fdinfo(struct drm_printer *p, struct drm_file *file);

#endif
