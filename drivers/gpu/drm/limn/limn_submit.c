// SPDX-License-Identifier: GPL-2.0-only
/*
 * Submit: acquire, check, reserve; then one commit that cannot fail.
 *
 * Everything acquired hangs on the job or on struct limn_submit, so that one
 * cleanup serves every error, and a request that fails leaves no trace.
 */
#include <linux/dma-resv.h>
#include <linux/pm_runtime.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <drm/drm_gem.h>
#include <drm/drm_syncobj.h>

#include "limn_ctx.h"
#include "limn_drv.h"
#include "limn_gem.h"
#include "limn_sched.h"
#include "limn_submit.h"
#include "limn_trace.h"
#include "limn_vm.h"

struct limn_submit {
	const struct limn_submit_args *args;
	struct limn_device *ldev;
	struct drm_file *file;
	struct limn_job *job;
	struct limn_ctx *ctx;
	struct drm_syncobj *out_sync;
	const struct limn_submit_bo *bos;	/* behind the job's arrays */
	struct ww_acquire_ctx ww;
	bool initialised;			/* drm_sched_job_init() was done */
	bool locked;				/* all reservations are */
};

/*
 * One array for the job's life: objects, mappings, and what userspace wrote.
 */
static int limn_submit_lookup(struct limn_submit *s)
{
	const size_t each = sizeof(*s->job->objs) + sizeof(*s->job->mappings) + sizeof(*s->bos);
	struct limn_vm *vm = to_limn_file(s->file)->vm;
	struct limn_job *job = s->job;
	u32 n = s->args->nr_bos, i;
	struct limn_submit_bo *bos;
	int ret;

	job->objs = kvmalloc_array(n, each, GFP_KERNEL);
	if (!job->objs)
		return -ENOMEM;
	job->mappings = (void *)(job->objs + n);
	bos = (void *)(job->mappings + n);
	s->bos = bos;
	job->vm = limn_vm_get(vm);
	job->client = limn_client_get(to_limn_file(s->file)->client);
	atomic_inc(&job->client->jobs);
	ret = n ? s->args->read_bos(s->args, bos) : 0;
	if (ret)
		return ret;

	for (i = 0; i < n; i++) {
		struct drm_gem_object *obj;

		if (bos[i].flags & ~(LIMN_BO_READ | LIMN_BO_WRITE))
			return -EINVAL;
		obj = drm_gem_object_lookup(s->file, bos[i].handle);
		if (!obj)
			return -ENOENT;
		job->objs[i] = obj;
		job->mappings[i] = limn_mapping_get(vm, to_limn_bo(obj));
		job->num_bos = i + 1;
		if (!job->mappings[i])
			return -ENOENT;	/* its handle is being closed */
		ret = s->ldev->be->lazy_va ? limn_mapping_pin(job->mappings[i], bos[i].va) : 0;
		if (ret)
			return ret;
		job->num_pinned = s->ldev->be->lazy_va ? i + 1 : 0;
		job->has_heap |= !!to_limn_bo(obj)->heap;
	}
	return s->args->bind ? s->args->bind(s->args) : 0;
}

static int limn_submit_init_job(struct limn_submit *s)
{
	struct limn_job *job = s->job;
	struct drm_sched_entity *entity = &s->ctx->entity[s->args->pipe];
	int ret;

#ifdef LIMN_SCHED_CLIENT_ID
	ret = drm_sched_job_init(&job->base, entity, 1, job->vm, s->file->client_id);
#else
	ret = drm_sched_job_init(&job->base, entity, 1, job->vm);
#endif
	s->initialised = !ret;
	if (!ret)
		job->ctx = limn_ctx_get(s->ctx);	/* the entity stays as long as the job */
	return ret;
}

static int limn_submit_syncobjs(struct limn_submit *s)
{
	const struct limn_submit_args *args = s->args;
	unsigned int i;
	int ret;

	for (i = 0; i < ARRAY_SIZE(args->in_sync); i++) {
		if (!args->in_sync[i])
			continue;
		ret = drm_sched_job_add_syncobj_dependency(&s->job->base, s->file,
							   args->in_sync[i], 0);
		if (ret)
			return ret;
	}
	if (args->out_sync) {
		s->out_sync = drm_syncobj_find(s->file, args->out_sync);
		if (!s->out_sync)
			return -ENOENT;
	}
	return 0;
}

static int limn_submit_reservations(struct limn_submit *s)
{
	struct limn_job *job = s->job;
	unsigned int i;
	int ret;

	ret = drm_gem_lock_reservations(job->objs, job->num_bos, &s->ww);
	if (ret)
		return ret;
	s->locked = true;
	for (i = 0; i < job->num_bos; i++) {
		ret = limn_gem_check(to_limn_bo(job->objs[i]));
		ret = ret ?: dma_resv_reserve_fences(job->objs[i]->resv, 1);
		if (ret)
			return ret;
		if (s->args->explicit_sync)
			continue;
		ret = drm_sched_job_add_implicit_dependencies(&job->base, job->objs[i],
							      s->bos[i].flags & LIMN_BO_WRITE);
		if (ret)
			return ret;
	}
	return 0;
}

/*
 * Who does the job wait for? What this GPU writes is coherent in its own
 * cache; what others write until the job starts is not.
 */
static bool limn_submit_has_foreign_deps(struct limn_submit *s)
{
	struct dma_fence *fence;
	unsigned long index;
	unsigned int i;

	xa_for_each(&s->job->base.dependencies, index, fence) {
		struct drm_sched_fence *s_fence = to_drm_sched_fence(fence);
		bool own = false;

		for (i = 0; s_fence && i < s->ldev->num_pipes; i++)
			own |= s_fence->sched == &s->ldev->pipe[i]->sched;
		if (!own && !dma_fence_is_signaled(fence))
			return true;
	}
	return false;
}

static int limn_submit_power(struct limn_submit *s)
{
	int ret = pm_runtime_resume_and_get(s->job->pipe->dev);

	s->job->powered = !ret;
	return ret;
}

/* Nothing fails after "armed". The job is the scheduler's on success. */
static int limn_submit_commit(struct limn_submit *s)
{
	const struct limn_submit_args *args = s->args;
	struct limn_job *job = s->job;
	struct limn_ctx *ctx = s->ctx;
	struct dma_fence *fence;
	unsigned int i;
	int ret;

	mutex_lock(&ctx->submit_lock);
	drm_sched_job_arm(&job->base);
	fence = dma_fence_get(&job->base.s_fence->finished);
	ret = args->armed ? args->armed(args, fence) : 0;
	if (ret) {
		mutex_unlock(&ctx->submit_lock);
		dma_fence_put(fence);
		return ret;
	}
	job->order = atomic64_inc_return(&s->ldev->order);
	if (args->guard_pipe >= 0 && ctx->last[args->guard_pipe] &&
	    !dma_fence_is_signaled(ctx->last[args->guard_pipe]))
		job->guard = dma_fence_get(ctx->last[args->guard_pipe]);
	dma_fence_put(ctx->last[args->pipe]);
	ctx->last[args->pipe] = dma_fence_get(fence);

	for (i = 0; i < job->num_bos; i++)
		dma_resv_add_fence(job->objs[i]->resv, fence,
				   s->bos[i].flags & LIMN_BO_WRITE ? DMA_RESV_USAGE_WRITE :
								     DMA_RESV_USAGE_READ);
	drm_gem_unlock_reservations(job->objs, job->num_bos, &s->ww);
	s->locked = false;
	if (s->out_sync)
		drm_syncobj_replace_fence(s->out_sync, fence);
	trace_limn_job_submit(job);
	drm_sched_entity_push_job(&job->base);
	s->job = NULL;
	mutex_unlock(&ctx->submit_lock);
	dma_fence_put(fence);
	return 0;
}

/* Safe at any point of the way. */
static void limn_submit_cleanup(struct limn_submit *s)
{
	struct limn_job *job = s->job;

	if (s->locked)
		drm_gem_unlock_reservations(job->objs, job->num_bos, &s->ww);
	if (s->initialised && job)
		drm_sched_job_cleanup(&job->base);
	if (job) {
		limn_job_release(job);
		limn_job_discard(job);
	}
	if (s->out_sync)
		drm_syncobj_put(s->out_sync);
	limn_ctx_put(s->ctx);
}

/**
 * limn_submit - queue a job
 * @ldev: the device; the caller is inside drm_dev_enter()
 * @file: who submits
 * @args: what; &limn_submit_args.job is consumed in any case
 *
 * Return: 0, or
 *
 * - -ENOENT: no such context, BO, or syncobj, or an in_sync without a fence
 * - -EINVAL: more than LIMN_MAX_SUBMIT_BOS, or unknown bits in the flags of one
 * - -EALREADY: a BO is listed twice
 * - -ENXIO: the memory of a BO was taken back
 * - what limn_mapping_pin() says, and the functions of @args
 * - -ENOMEM, -ERESTARTSYS, or what powering up the device said
 */
int limn_submit(struct limn_device *ldev, struct drm_file *file,
		const struct limn_submit_args *args)
{
	struct limn_submit s = {
		.args = args,
		.ldev = ldev,
		.file = file,
		.job = args->job,
	};
	int ret;

	ret = args->nr_bos <= LIMN_MAX_SUBMIT_BOS ? 0 : -EINVAL;
	if (!ret) {
		s.ctx = limn_ctx_lookup(to_limn_file(file), args->ctx);
		ret = s.ctx ? 0 : -ENOENT;
	}
	ret = ret ?: limn_submit_lookup(&s);
	ret = ret ?: limn_submit_init_job(&s);
	ret = ret ?: limn_submit_syncobjs(&s);
	ret = ret ?: args->add_deps ? args->add_deps(args) : 0;
	ret = ret ?: limn_submit_power(&s);
	ret = ret ?: limn_submit_reservations(&s);
	if (!ret) {
		s.job->foreign_deps = limn_submit_has_foreign_deps(&s);
		ret = limn_submit_commit(&s);
	}
	limn_submit_cleanup(&s);
	return ret;
}
