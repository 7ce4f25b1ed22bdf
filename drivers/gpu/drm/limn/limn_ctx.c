// SPDX-License-Identifier: GPL-2.0-only
/*
 * Contexts: life and handles.
 *
 * A context is held by its handle, by submits under way, and by every job
 * until the scheduler has freed it. So neither freeing the handle nor closing
 * the file waits for anybody's fence: what is queued runs when its turn
 * comes, and the context goes with its last job. Only a process that was
 * killed takes its queued jobs along, and so does the device when it goes.
 */
#include <linux/dma-fence.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "limn_ctx.h"
#include "limn_drv.h"
#include "limn_sched.h"

/* Handles of one file: more is a leak, and must not eat the kernel's memory. */
#define LIMN_MAX_CONTEXTS	4096

/* Cancels what is queued; jobs that the hardware has go on. */
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
	mutex_destroy(&ctx->submit_lock);
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

static int limn_ctx_init_entities(struct limn_ctx *ctx)
{
	struct limn_device *ldev = ctx->ldev;
	unsigned int i;
	int ret;

	for (i = 0; i < ldev->num_pipes; i++) {
		struct drm_gpu_scheduler *sched = &ldev->pipe[i]->sched;

		ret = drm_sched_entity_init(&ctx->entity[i], DRM_SCHED_PRIORITY_NORMAL, &sched, 1,
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

/**
 * limn_ctx_create - create a context and its handle
 * @ldev: the device; the caller is inside drm_dev_enter()
 * @lfile: who gets it
 * @id: where the handle goes
 *
 * Return: 0, -ENOMEM, or -ENOSPC when the file has too many.
 */
int limn_ctx_create(struct limn_device *ldev, struct limn_file *lfile, u32 *id)
{
	struct limn_ctx *ctx = kzalloc(sizeof(*ctx), GFP_KERNEL);
	int ret;

	if (!ctx)
		return -ENOMEM;
	kref_init(&ctx->ref);
	ctx->ldev = ldev;
	ctx->owner = lfile;
	mutex_init(&ctx->submit_lock);
	ret = limn_ctx_init_entities(ctx);
	if (ret) {
		kfree(ctx);
		return ret;
	}
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

/* 0, or -EINVAL for a handle that is not there, as lima answers. */
int limn_ctx_free(struct limn_file *lfile, u32 id)
{
	struct limn_ctx *ctx = xa_erase(&lfile->contexts, id);

	if (!ctx)
		return -EINVAL;
	limn_ctx_put(ctx);
	return 0;
}

/* The file is closed: its jobs stay queued, unless its process was killed. */
void limn_ctx_close_all(struct limn_device *ldev, struct limn_file *lfile)
{
	bool killed = current->flags & PF_EXITING && current->exit_code == SIGKILL;
	struct limn_ctx *ctx;
	unsigned long id;

	mutex_lock(&ldev->ctx_lock);
	list_for_each_entry(ctx, &ldev->contexts, link) {
		if (ctx->owner != lfile)
			continue;
		ctx->owner = NULL;
		if (killed)
			limn_ctx_kill(ctx);
	}
	mutex_unlock(&ldev->ctx_lock);

	xa_for_each(&lfile->contexts, id, ctx)
		limn_ctx_put(ctx);
	xa_destroy(&lfile->contexts);
}

/* The device goes away: nothing of any context runs any more. */
void limn_ctx_kill_all(struct limn_device *ldev)
{
	struct limn_ctx *ctx;

	mutex_lock(&ldev->ctx_lock);
	list_for_each_entry(ctx, &ldev->contexts, link)
		limn_ctx_kill(ctx);
	mutex_unlock(&ldev->ctx_lock);
}
