// SPDX-License-Identifier: GPL-2.0-only
/*
 * For people who look at a running driver: BOs, address spaces, queues, contexts.
 */
#include <linux/seq_file.h>
#include <drm/drm_debugfs.h>
#include <drm/drm_file.h>
#include <drm/drm_print.h>

#include "limn_ctx.h"
#include "limn_device.h"
#include "limn_drv.h"
#include "limn_gem.h"
#include "limn_sched.h"
#include "limn_vm.h"

static struct limn_device *limn_of_seq(struct seq_file *m)
{
	struct drm_debugfs_entry *entry = m->private;

	return to_limn_device(entry->dev);
}

static void limn_show_bo(struct seq_file *m, struct limn_file *lfile, u32 handle,
			 struct drm_gem_object *obj)
{
	struct limn_bo *bo = to_limn_bo(obj);
	struct limn_mapping *mapping = limn_mapping_get(lfile->vm, bo);
	bool given_up = READ_ONCE(bo->base.madv);

	seq_printf(m, "%7d %6u %08llx %10zu %10zu %c%c%c%c%c%c", lfile->client->pid, handle,
		   mapping ? mapping->node.start : 0, obj->size, obj->funcs->rss(obj),
		   bo->backing && !limn_gem_is_userptr(bo) ? 'h' : '-',
		   limn_gem_is_userptr(bo) ? 'u' : '-', bo->readonly ? 'r' : '-',
		   obj->import_attach ? 'i' : obj->dma_buf ? 'x' : '-',
		   bo->base.map_wc ? '-' : 'c',
		   limn_gem_is_purged(bo) ? 'P' : given_up ? 'p' : '-');
	mutex_lock(&bo->lock);
	if (bo->label)
		seq_printf(m, " %s", bo->label);
	mutex_unlock(&bo->lock);
	seq_putc(m, '\n');
	if (mapping)
		limn_mapping_put(mapping);
}

/* Handle by handle: what is printed may sleep, and what holds the table may not. */
static void limn_show_file(struct seq_file *m, struct drm_file *file)
{
	struct drm_gem_object *obj;
	int handle = 0;

	for (;; handle++) {
		spin_lock(&file->table_lock);
		obj = idr_get_next(&file->object_idr, &handle);
		if (obj)
			drm_gem_object_get(obj);
		spin_unlock(&file->table_lock);
		if (!obj)
			return;
		limn_show_bo(m, to_limn_file(file), handle, obj);
		drm_gem_object_put(obj);
	}
}

static int limn_gem_show(struct seq_file *m, void *data)
{
	struct limn_device *ldev = limn_of_seq(m);
	struct drm_file *file;

	seq_printf(m, "purgeable %ld KiB, purged so far %ld KiB\n",
		   ldev->shrinker.purgeable.count << (PAGE_SHIFT - 10),
		   atomic_long_read(&ldev->shrinker.purged) << (PAGE_SHIFT - 10));
	seq_puts(m, "h heap, u userptr, r read-only, i imported, x exported, c cached, p purgeable, P purged\n");
	seq_puts(m, "    pid handle       va       size   resident flags  label\n");
	mutex_lock(&ldev->drm.filelist_mutex);
	list_for_each_entry(file, &ldev->drm.filelist, lhead)
		limn_show_file(m, file);
	mutex_unlock(&ldev->drm.filelist_mutex);
	return 0;
}

static int limn_mm_show(struct seq_file *m, void *data)
{
	struct limn_device *ldev = limn_of_seq(m);
	struct drm_printer p = drm_seq_file_printer(m);
	struct drm_file *file;

	mutex_lock(&ldev->drm.filelist_mutex);
	list_for_each_entry(file, &ldev->drm.filelist, lhead) {
		struct limn_file *lfile = to_limn_file(file);

		seq_printf(m, "pid %d (%s)%s\n", lfile->client->pid, lfile->client->comm,
			   lfile->vm == ldev->shared_vm ? ", the address space of all" : "");
		mutex_lock(&lfile->vm->lock);
		drm_mm_print(&lfile->vm->mm, &p);
		mutex_unlock(&lfile->vm->lock);
	}
	mutex_unlock(&ldev->drm.filelist_mutex);
	return 0;
}

/* &limn_pipe.lock is held: jobs stay. */
static void limn_show_job(struct seq_file *m, const char *what, const struct limn_job *job)
{
	seq_printf(m, "  %s: job %llu of pid %d (%s), fence %llu:%llu", what, job->id,
		   job->client->pid, job->client->comm, job->done->context, job->done->seqno);
	if (job->started)
		seq_printf(m, ", for %lld us", ktime_us_delta(ktime_get(), job->started));
	seq_putc(m, '\n');
}

static int limn_queues_show(struct seq_file *m, void *data)
{
	static const char *const states[] = {
		[LIMN_PIPE_IDLE] = "idle",
		[LIMN_PIPE_STARTING] = "starting",
		[LIMN_PIPE_RUNNING] = "running",
		[LIMN_PIPE_SERVICE] = "service",
		[LIMN_PIPE_FAILED] = "failed",
	};
	struct limn_device *ldev = limn_of_seq(m);
	unsigned int i;

	for (i = 0; i < ldev->num_pipes; i++) {
		struct limn_pipe *pipe = ldev->pipe[i];
		struct limn_job *job;

		spin_lock_irq(&pipe->lock);
		seq_printf(m, "%u %s: %s%s, %u jobs taken from their queues\n", i, pipe->name,
			   states[pipe->state], pipe->wild ? " (could not be reset)" : "",
			   pipe->num_jobs);
		if (pipe->job)
			limn_show_job(m, "runs", pipe->job);
		list_for_each_entry(job, &pipe->staged, link)
			limn_show_job(m, "next", job);
		spin_unlock_irq(&pipe->lock);
	}
	seq_printf(m, "resets: %lld\n", (long long)atomic64_read(&ldev->resets));
	return 0;
}

static void limn_show_ctx(struct seq_file *m, struct limn_ctx *ctx)
{
	struct limn_ctx_resets resets;

	spin_lock_irq(&ctx->reset_lock);
	resets = ctx->resets;
	spin_unlock_irq(&ctx->reset_lock);
	seq_printf(m, "pid %d: priority %d, timeout %u ms, jobs %llu, guilty %llu, innocent %llu%s%s\n",
		   ctx->owner ? ctx->owner->client->pid : 0, ctx->args.priority,
		   ctx->args.timeout_ms, READ_ONCE(ctx->last_id), resets.guilty, resets.innocent,
		   READ_ONCE(ctx->banned) ? ", banned" : "", ctx->killed ? ", killed" : "");
}

static int limn_contexts_show(struct seq_file *m, void *data)
{
	struct limn_device *ldev = limn_of_seq(m);
	struct limn_ctx *ctx;

	guard(mutex)(&ldev->ctx_lock);
	list_for_each_entry(ctx, &ldev->contexts, link)
		limn_show_ctx(m, ctx);
	return 0;
}

static const struct drm_debugfs_info limn_debugfs_files[] = {
	{ "gem", limn_gem_show },
	{ "mm", limn_mm_show },
	{ "queues", limn_queues_show },
	{ "contexts", limn_contexts_show },
};

/* Before the device is registered. They go with it. */
void limn_debugfs_init(struct limn_device *ldev)
{
	drm_debugfs_add_files(&ldev->drm, limn_debugfs_files, ARRAY_SIZE(limn_debugfs_files));
}
