// SPDX-License-Identifier: GPL-2.0-only
/*
 * Contexts: life and handles.
 *
 * A context is held by its handle, by submits under way, and by every job until that is retired. So
 * neither freeing the handle nor closing the file waits for anybody's fence, and the context goes
 * with its last job. A context holds what all of its jobs need: address space and client.
 *
 * A file that is closed leaves its queued jobs some time: those that come to their start
 * within LIMN_CLOSE_GRACE run, for somebody else may wait for a frame that is nearly there;
 * those that come later are refused, and so are all of a process that was killed
 * (limn_job_refusal()). Mainline's drivers wait as long in the close itself.
 */
#include <kunit/visibility.h>
#include <linux/dma-fence.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <drm/drm_drv.h>
#include <drm/limn_drm.h>

#include "limn_ctx.h"
#include "limn_drv.h"
#include "limn_sched.h"
#include "limn_stats.h"
#include "limn_vm.h"

/* As drm_sched's MAX_WAIT_SCHED_ENTITY_Q_EMPTY. */
#define LIMN_CLOSE_GRACE	HZ

/* Handles of one file: more is a leak, and must not eat the kernel's memory. */
#define LIMN_MAX_CONTEXTS	4096

/* drm_sched kills what is queued; jobs that the hardware has go on. */
static void limn_ctx_kill(struct limn_ctx *ctx)
{
	unsigned int i;

	lockdep_assert_held(&ctx->ldev->ctx_lock);

	if (ctx->killed)
		return;
	ctx->killed = true;
	for (i = 0; i < ctx->ldev->num_pipes; i++)
		drm_sched_entity_fini(&ctx->entity[i]);
}

/* No job holds the context: its queues are empty, and nothing here waits. */
static void limn_ctx_release(struct kref *ref)
{
	struct limn_ctx *ctx = container_of(ref, struct limn_ctx, ref);
	struct limn_device *ldev = ctx->ldev;
	unsigned int i;

	mutex_lock(&ldev->ctx_lock);
	list_del(&ctx->link);
	limn_ctx_kill(ctx);
	mutex_unlock(&ldev->ctx_lock);

	for (i = 0; i < ldev->num_pipes; i++)
		dma_fence_put(ctx->last[i]);
	limn_stats_fini(ctx);
	mutex_destroy(&ctx->submit_lock);
	limn_client_put(ctx->client);
	limn_vm_put(ctx->vm);
	kfree(ctx);
}

void limn_ctx_put(struct limn_ctx *ctx)
{
	if (ctx)
		kref_put(&ctx->ref, limn_ctx_release);
}

struct limn_ctx *limn_ctx_get(struct limn_ctx *ctx)
{
	kref_get(&ctx->ref);
	return ctx;
}

/* The context of a handle with one more user, or NULL. */
struct limn_ctx *limn_ctx_lookup(struct limn_file *lfile, u32 id)
{
	struct limn_ctx *ctx;

	xa_lock(&lfile->contexts);
	ctx = xa_load(&lfile->contexts, id);
	if (ctx)
		limn_ctx_get(ctx);
	xa_unlock(&lfile->contexts);
	return ctx;
}

static enum drm_sched_priority limn_ctx_priority(const struct limn_ctx *ctx)
{
	switch (ctx->args.priority) {
	case DRM_LIMN_PRIORITY_HIGH:
		return DRM_SCHED_PRIORITY_HIGH;
	case DRM_LIMN_PRIORITY_LOW:
		return DRM_SCHED_PRIORITY_LOW;
	default:
		return DRM_SCHED_PRIORITY_NORMAL;
	}
}

static int limn_ctx_init_entities(struct limn_ctx *ctx)
{
	struct limn_device *ldev = ctx->ldev;
	unsigned int i;
	int ret;

	for (i = 0; i < ldev->num_pipes; i++) {
		struct drm_gpu_scheduler *sched = &ldev->pipe[i]->sched;

		ret = drm_sched_entity_init(&ctx->entity[i], limn_ctx_priority(ctx), &sched, 1,
					    NULL);
		if (ret)
			goto err;
	}
	return 0;

err:
	while (i--)
		drm_sched_entity_fini(&ctx->entity[i]);
	return ret;
}

static int limn_ctx_new(struct limn_device *ldev, struct limn_file *lfile,
			const struct limn_ctx_args *args, u32 *id)
{
	struct limn_ctx *ctx = kzalloc(sizeof(*ctx), GFP_KERNEL);
	int ret;

	if (!ctx)
		return -ENOMEM;
	kref_init(&ctx->ref);
	ctx->ldev = ldev;
	ctx->owner = lfile;
	ctx->args = *args;
	ctx->args.timeout_ms = args->timeout_ms ?: limn_timeout_ms(ldev);
	ctx->timeout = msecs_to_jiffies(ctx->args.timeout_ms);
	mutex_init(&ctx->submit_lock);
	spin_lock_init(&ctx->reset_lock);
	ret = limn_ctx_init_entities(ctx);
	if (ret) {
		kfree(ctx);
		return ret;
	}
	ctx->vm = limn_vm_get(lfile->vm);
	ctx->client = limn_client_get(lfile->client);
	mutex_lock(&ldev->ctx_lock);
	list_add(&ctx->link, &ldev->contexts);
	mutex_unlock(&ldev->ctx_lock);

	ret = xa_alloc(&lfile->contexts, id, ctx, XA_LIMIT(0, LIMN_MAX_CONTEXTS - 1), GFP_KERNEL);
	if (ret) {
		limn_ctx_put(ctx);
		return ret == -EBUSY ? -ENOSPC : ret;
	}
	return 0;
}

/*
 * A context and its handle @id, for @args that are checked. Returns 0, -ENOMEM, -ENODEV, or
 * -ENOSPC when the file has too many.
 */
int limn_ctx_create(struct limn_device *ldev, struct limn_file *lfile,
		    const struct limn_ctx_args *args, u32 *id)
{
	int idx, ret;

	if (!drm_dev_enter(&ldev->drm, &idx))
		return -ENODEV;
	ret = limn_ctx_new(ldev, lfile, args, id);
	drm_dev_exit(idx);
	return ret;
}

/* 0, or -EINVAL for a handle that is not there, as lima answers. */
int limn_ctx_free(struct limn_file *lfile, u32 id)
{
	struct limn_ctx *ctx = xa_erase(&lfile->contexts, id);

	if (!ctx)
		return -EINVAL;
	limn_ctx_put(ctx);
	return 0;
}

/* The file is closed: its queued jobs have LIMN_CLOSE_GRACE left, or nothing. */
void limn_ctx_close_all(struct limn_device *ldev, struct limn_file *lfile)
{
	bool killed = current->flags & PF_EXITING && current->exit_code == SIGKILL;
	struct limn_ctx *ctx;
	unsigned long id;

	limn_client_leave(lfile->client, killed ? 0 : LIMN_CLOSE_GRACE);
	mutex_lock(&ldev->ctx_lock);
	list_for_each_entry(ctx, &ldev->contexts, link) {
		if (ctx->owner == lfile)
			ctx->owner = NULL;
	}
	mutex_unlock(&ldev->ctx_lock);

	xa_for_each(&lfile->contexts, id, ctx)
		limn_ctx_put(ctx);
	xa_destroy(&lfile->contexts);
}

bool limn_ctx_count_guilty(struct limn_ctx_resets *resets)
{
	resets->points += LIMN_BAN_GUILTY;
	return resets->points >= LIMN_BAN_LIMIT;
}
EXPORT_SYMBOL_IF_KUNIT(limn_ctx_count_guilty);

void limn_ctx_count_good(struct limn_ctx_resets *resets)
{
	if (resets->points)
		resets->points--;
}
EXPORT_SYMBOL_IF_KUNIT(limn_ctx_count_good);

/* A reset was this job's fault, which ends with @error; the MMU refused @addr, or 0. */
void limn_ctx_blame(struct limn_job *job, int error, u64 addr)
{
	struct limn_ctx *ctx = job->ctx;
	struct limn_ctx_resets *r = &ctx->resets;
	unsigned long flags;

	spin_lock_irqsave(&ctx->reset_lock, flags);
	r->last = DRM_LIMN_RESET_GUILTY;
	r->guilty++;
	r->fault_job = job->id;
	r->fault_addr = addr;
	r->fault_error = error;
	r->fault_pipe = job->pipe->id;
	if (limn_ctx_count_guilty(r) && ctx->args.bannable)
		WRITE_ONCE(ctx->banned, true);
	spin_unlock_irqrestore(&ctx->reset_lock, flags);
}

/* A reset that somebody else is to blame for met this job. */
void limn_ctx_victim(struct limn_job *job)
{
	struct limn_ctx *ctx = job->ctx;
	unsigned long flags;

	spin_lock_irqsave(&ctx->reset_lock, flags);
	ctx->resets.last = DRM_LIMN_RESET_INNOCENT;
	ctx->resets.innocent++;
	spin_unlock_irqrestore(&ctx->reset_lock, flags);
}

/* A job that ends well takes back a part of what a guilty one has added. */
void limn_ctx_job_ended(struct limn_job *job, int error)
{
	struct limn_ctx *ctx = job->ctx;
	unsigned long flags;

	if (error || !READ_ONCE(ctx->resets.points))
		return;
	spin_lock_irqsave(&ctx->reset_lock, flags);
	limn_ctx_count_good(&ctx->resets);
	spin_unlock_irqrestore(&ctx->reset_lock, flags);
}

/* The device goes away: nothing of any context runs any more. Its schedulers are stopped. */
void limn_ctx_kill_all(struct limn_device *ldev)
{
	struct limn_ctx *ctx;

	guard(mutex)(&ldev->ctx_lock);
	list_for_each_entry(ctx, &ldev->contexts, link)
		limn_ctx_kill(ctx);
}
