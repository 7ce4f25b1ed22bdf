// SPDX-License-Identifier: GPL-2.0-only
/*
 * When the last jobs of a context were queued, started and done.
 */

/**
 * DOC: job statistics
 *
 * Each context that has had a job keeps a log of the last %DRM_LIMN_JOB_STATS_MAX of them,
 * allocated with its first submit. All times are CLOCK_MONOTONIC, the clock of the tracepoints'
 * default and of userspace. A job that starts again after a reset for somebody else's sake keeps
 * its first start; one that was cancelled has none.
 */
#include <linux/ktime.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <drm/drm_file.h>
#include <drm/limn_drm.h>

#include "limn_ctx.h"
#include "limn_drv.h"
#include "limn_ioctl.h"
#include "limn_sched.h"
#include "limn_stats.h"

struct limn_job_log {
	/** @lock: protects @job; taken by interrupt handlers, innermost */
	spinlock_t lock;
	/** @job: by number modulo the size */
	struct drm_limn_job_stat job[DRM_LIMN_JOB_STATS_MAX];
};

/* Before the first job of a context: 0 or -ENOMEM. */
int limn_stats_prepare(struct limn_ctx *ctx)
{
	struct limn_job_log *log;

	if (READ_ONCE(ctx->log))
		return 0;
	log = kzalloc(sizeof(*log), GFP_KERNEL_ACCOUNT);
	if (!log)
		return -ENOMEM;
	spin_lock_init(&log->lock);
	if (cmpxchg(&ctx->log, NULL, log))
		kfree(log);
	return 0;
}

void limn_stats_fini(struct limn_ctx *ctx)
{
	kfree(ctx->log);
}

/* A job that has its number was queued at @now, CLOCK_MONOTONIC. */
void limn_stats_queued(struct limn_job *job, u64 now)
{
	struct limn_job_log *log = job->ctx->log;
	unsigned long flags;

	spin_lock_irqsave(&log->lock, flags);
	log->job[job->id % DRM_LIMN_JOB_STATS_MAX] = (struct drm_limn_job_stat) {
		.id = job->id,
		.queued_ns = now,
		.queue = job->pipe->id,
	};
	spin_unlock_irqrestore(&log->lock, flags);
}

/* Update the job's entry, unless a newer job has taken its place: @ended is 0 while it runs. */
void limn_stats_update(struct limn_job *job, ktime_t ended, int error)
{
	struct limn_job_log *log = job->ctx->log;
	struct drm_limn_job_stat *stat = &log->job[job->id % DRM_LIMN_JOB_STATS_MAX];
	unsigned long flags;

	spin_lock_irqsave(&log->lock, flags);
	if (stat->id == job->id) {
		stat->started_ns = ktime_to_ns(job->started);
		stat->ended_ns = ktime_to_ns(ended);
		stat->error = error;
	}
	spin_unlock_irqrestore(&log->lock, flags);
}

/* The next job from number @id on, into @stat; false: there is none. */
static bool limn_stats_next(struct limn_job_log *log, u64 id, struct drm_limn_job_stat *stat)
{
	unsigned int i;

	stat->id = U64_MAX;
	spin_lock_irq(&log->lock);
	for (i = 0; i < DRM_LIMN_JOB_STATS_MAX; i++) {
		if (log->job[i].id >= id && log->job[i].id && log->job[i].id < stat->id)
			*stat = log->job[i];
	}
	spin_unlock_irq(&log->lock);
	return stat->id != U64_MAX;
}

/* DRM_IOCTL_LIMN_JOB_STATS */
int limn_ioctl_job_stats(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_limn_job_stats *args = data;
	struct drm_limn_job_stat stat;
	u64 next = args->first;
	struct limn_ctx *ctx;
	u32 n = 0;

	if (args->pad || limn_array_check(&args->stats, sizeof(stat)))
		return -EINVAL;
	ctx = limn_ctx_lookup(to_limn_file(file), args->ctx);
	if (!ctx)
		return -ENOENT;
	while (READ_ONCE(ctx->log) && n < args->stats.count &&
	       limn_stats_next(ctx->log, next, &stat)) {
		if (limn_array_write(&args->stats, n, &stat, sizeof(stat))) {
			limn_ctx_put(ctx);
			return -EFAULT;
		}
		next = stat.id + 1;
		n++;
	}
	args->stats.count = n;
	limn_ctx_put(ctx);
	return 0;
}
