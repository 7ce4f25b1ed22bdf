// SPDX-License-Identifier: GPL-2.0-only
/*
 * Submit: acquire, check, reserve; then one commit that cannot fail.
 *
 * Everything acquired hangs on the jobs, on their batch, or on struct
 * limn_submit, so that one cleanup serves every error, and a request that fails
 * leaves no trace: all jobs of a submit are queued, or none.
 */
#include <linux/delay.h>
#include <kunit/visibility.h>
#include <linux/dma-fence-chain.h>
#include <linux/dma-resv.h>
#include <linux/file.h>
#include <linux/pm_runtime.h>
#include <linux/slab.h>
#include <linux/sync_file.h>
#include <drm/drm_gem.h>
#include <drm/drm_syncobj.h>

#include "limn_compat.h"
#include "limn_ctx.h"
#include "limn_drv.h"
#include "limn_gem.h"
#include "limn_perfmon.h"
#include "limn_sched.h"
#include "limn_stats.h"
#include "limn_submit.h"
#include "limn_trace.h"
#include "limn_vm.h"

/* How often finished jobs are waited for, to be freed, when addresses are taken. */
#define LIMN_PIN_TRIES	8

struct limn_submit {
	const struct limn_submit_args *args;
	struct limn_device *ldev;
	struct drm_file *file;
	struct limn_ctx *ctx;
	struct limn_batch *batch;
	struct limn_submit_bo *bos;		/* behind the batch's arrays */
	unsigned int initialised;		/* jobs that drm_sched_job_init() was done for */
	struct ww_acquire_ctx ww;
	bool locked;				/* all reservations are */
};

static void limn_batch_release(struct kref *ref)
{
	struct limn_batch *batch = container_of(ref, struct limn_batch, ref);
	unsigned int i;

	for (i = 0; i < batch->num_bos; i++) {
		if (i < batch->num_pinned)
			limn_mapping_unpin(batch->mappings[i]);
		if (batch->mappings[i])
			limn_mapping_put(batch->mappings[i]);
		drm_gem_object_put(batch->objs[i]);
	}
	for (i = 0; i < batch->num_jobs; i++)
		dma_fence_put(batch->done[i]);
	kvfree(batch);
}

void limn_batch_put(struct limn_batch *batch)
{
	if (batch)
		kref_put(&batch->ref, limn_batch_release);
}

/* Has one of @jobs (a mask) ended, and not well? */
bool limn_batch_failed(const struct limn_batch *batch, u32 jobs)
{
	for (; jobs; jobs &= jobs - 1) {
		const struct dma_fence *done = batch->done[__ffs(jobs)];

		if (test_bit(DMA_FENCE_FLAG_SIGNALED_BIT, &done->flags) && done->error)
			return true;
	}
	return false;
}
EXPORT_SYMBOL_IF_KUNIT(limn_batch_failed);

/* One piece of memory for the jobs' life: objects, mappings, and what userspace wrote. */
static int limn_submit_alloc(struct limn_submit *s)
{
	const size_t each = sizeof(*s->batch->objs) + sizeof(*s->batch->mappings) + sizeof(*s->bos);
	u32 n = s->args->nr_bos, num_done = s->args->num_jobs > 1 ? s->args->num_jobs : 0;
	struct limn_batch *batch;
	size_t size = struct_size(batch, done, num_done);

	batch = kvmalloc(size + each * n, GFP_KERNEL);
	if (!batch)
		return -ENOMEM;
	memset(batch, 0, size);
	kref_init(&batch->ref);
	batch->num_jobs = num_done;
	s->bos = (void *)batch + size;
	batch->objs = (void *)(s->bos + n);
	batch->mappings = (void *)(batch->objs + n);
	s->batch = batch;
	return 0;
}

/*
 * Who has waited for a job may use its addresses again; but until the scheduler
 * has freed it, a moment later, the job still has them.
 */
static int limn_submit_pin(struct limn_device *ldev, struct limn_mapping *mapping, u64 va)
{
	unsigned int tries = 0;
	int ret;

	for (;;) {
		ret = limn_mapping_pin(mapping, va);
		if ((ret != -EINVAL && ret != -ENOSPC) || ++tries > LIMN_PIN_TRIES)
			return ret;
		limn_sched_reap(ldev);
		usleep_range(50, 100);
	}
}

static int limn_submit_lookup(struct limn_submit *s)
{
	struct limn_vm *vm = to_limn_file(s->file)->vm;
	u32 n = s->args->nr_bos, i;
	int ret;

	ret = limn_submit_alloc(s);
	if (!ret && n)
		ret = s->args->read_bos(s->args, s->bos);
	if (ret)
		return ret;

	for (i = 0; i < n; i++) {
		struct limn_batch *batch = s->batch;
		struct drm_gem_object *obj;

		obj = drm_gem_object_lookup(s->file, s->bos[i].handle);
		if (!obj)
			return -ENOENT;
		batch->objs[i] = obj;
		batch->mappings[i] = limn_mapping_get(vm, to_limn_bo(obj));
		batch->num_bos = i + 1;
		if (!batch->mappings[i])
			return -ENOENT;	/* its handle is being closed */
		batch->has_heap |= !!to_limn_bo(obj)->heap;
		if (!s->ldev->be->lazy_va)
			continue;
		ret = limn_submit_pin(s->ldev, batch->mappings[i], s->bos[i].va);
		if (ret)
			return ret;
		batch->num_pinned = i + 1;
	}
	return 0;
}

/* Everything that a job has of its file, and its entity. */
static int limn_submit_init_job(struct limn_submit *s, const struct limn_submit_job *sj)
{
	struct limn_job *job = sj->job;
	struct limn_file *lfile = to_limn_file(s->file);
	struct drm_sched_entity *entity = &s->ctx->entity[job->pipe->id];
	int ret;

	job->batch = s->batch;
	kref_get(&s->batch->ref);
	job->objs = s->batch->objs;
	job->mappings = s->batch->mappings;
	job->num_bos = s->batch->num_bos;
	job->vm = limn_vm_get(lfile->vm);
	job->client = limn_client_get(lfile->client);
	atomic_inc(&job->client->jobs);
	job->timeout = s->ctx->timeout;
	ret = s->ldev->be->job_bind ? s->ldev->be->job_bind(job) : 0;
	ret = ret ?: limn_perfmon_bind(job, lfile, sj->perfmon);
	if (ret)
		return ret;

	ret = drm_sched_job_init(&job->base, entity, 1, job->vm, s->file->client_id);
	if (ret)
		return ret;
	s->initialised++;
	job->ctx = limn_ctx_get(s->ctx);	/* the entity stays as long as the job */
	return 0;
}

/*
 * The fences of jobs of this submit do not exist before the commit, which must
 * not fail: so stubs keep their places, the first ones.
 */
static int limn_submit_keep_places(struct limn_job *job, u32 jobs)
{
	struct dma_fence *stub;
	u32 index;
	int ret = 0;

	for (; jobs && !ret; jobs &= jobs - 1) {
		stub = dma_fence_get_stub();
		ret = xa_alloc(&job->base.dependencies, &index, stub, xa_limit_32b, GFP_KERNEL);
		if (ret)
			dma_fence_put(stub);
	}
	return ret;
}

static void limn_submit_take_places(struct limn_submit *s, struct limn_job *job, u32 jobs)
{
	unsigned long index = 0;

	job->wait_jobs = jobs;
	for (; jobs; jobs &= jobs - 1) {
		unsigned int n = __ffs(jobs);
		struct dma_fence *done = &s->args->jobs[n].job->base.s_fence->finished;

		if (!s->batch->done[n])
			s->batch->done[n] = dma_fence_get(done);
		/* There is an entry, so nothing is allocated. */
		dma_fence_put(xa_store(&job->base.dependencies, index++, dma_fence_get(done),
				       GFP_KERNEL));
	}
}

static int limn_submit_jobs(struct limn_submit *s)
{
	unsigned int n, i;
	int ret = 0;

	for (n = 0; !ret && n < s->args->num_jobs; n++) {
		const struct limn_submit_job *sj = &s->args->jobs[n];

		ret = limn_submit_init_job(s, sj);
		ret = ret ?: limn_submit_keep_places(sj->job, sj->wait_jobs);
		for (i = 0; !ret && i < sj->num_in; i++)
			ret = drm_sched_job_add_dependency(&sj->job->base,
							   dma_fence_get(sj->in[i]));
	}
	if (!ret && s->args->bind)
		ret = s->args->bind(s->args);
	if (!ret && s->args->add_deps)
		ret = s->args->add_deps(s->args);
	return ret;
}

static int limn_submit_power(struct limn_submit *s)
{
	struct device *last = NULL;
	unsigned int n;
	int ret = 0;

	for (n = 0; !ret && n < s->args->num_jobs; n++) {
		struct limn_job *job = s->args->jobs[n].job;

		if (job->pipe->dev == last)
			pm_runtime_get_noresume(last);
		else
			ret = pm_runtime_resume_and_get(job->pipe->dev);
		job->powered = !ret;
		last = job->pipe->dev;
	}
	return ret;
}

/* Whose fences go to the BO: a mask of jobs. */
static u32 limn_submit_users(const struct limn_submit *s, const struct limn_submit_bo *bo)
{
	u32 users = bo->read | bo->write;

	return users ?: GENMASK(s->args->num_jobs - 1, 0);
}

/*
 * As drm_sched_job_add_implicit_dependencies(), without those that need no
 * waiting: they are most of them, and each would cost an allocation.
 */
static int limn_job_add_implicit(struct limn_job *job, struct dma_resv *resv, bool write)
{
	u64 own = job->base.entity->fence_context + 1;
	struct dma_resv_iter cursor;
	struct dma_fence *fence;
	int ret = 0;

	dma_resv_for_each_fence(&cursor, resv, dma_resv_usage_rw(write), fence) {
		if (fence->context == own || dma_fence_is_signaled(fence))
			continue;
		ret = drm_sched_job_add_dependency(&job->base, dma_fence_get(fence));
		if (ret)
			break;
	}
	return ret;
}

static int limn_submit_implicit(struct limn_submit *s, struct drm_gem_object *obj,
				const struct limn_submit_bo *bo)
{
	u32 users = bo->read | bo->write;
	int ret = 0;

	if (s->args->explicit_sync || bo->flags & LIMN_BO_NO_IMPLICIT)
		return 0;
	for (; users && !ret; users &= users - 1) {
		unsigned int n = __ffs(users);

		ret = limn_job_add_implicit(s->args->jobs[n].job, obj->resv, bo->write & BIT(n));
	}
	return ret;
}

static int limn_submit_reservations(struct limn_submit *s)
{
	struct limn_batch *batch = s->batch;
	unsigned int i;
	int ret;

	ret = drm_gem_lock_reservations(batch->objs, batch->num_bos, &s->ww);
	if (ret)
		return ret;
	s->locked = true;
	for (i = 0; i < batch->num_bos; i++) {
		ret = limn_gem_check(to_limn_bo(batch->objs[i]));
		ret = ret ?: dma_resv_reserve_fences(batch->objs[i]->resv,
						     hweight32(limn_submit_users(s, &s->bos[i])));
		ret = ret ?: limn_submit_implicit(s, batch->objs[i], &s->bos[i]);
		if (ret)
			return ret;
	}
	return 0;
}

/*
 * Who does the job wait for? What this GPU writes is coherent in its own
 * cache; what others write until the job starts is not.
 */
static bool limn_job_has_foreign_deps(struct limn_job *job)
{
	struct limn_device *ldev = job->pipe->ldev;
	struct dma_fence *fence;
	unsigned long index;
	unsigned int i;

	xa_for_each(&job->base.dependencies, index, fence) {
		struct drm_sched_fence *s_fence = to_drm_sched_fence(fence);
		bool own = false;

		for (i = 0; s_fence && i < ldev->num_pipes; i++)
			own |= s_fence->sched == &ldev->pipe[i]->sched;
		if (!own && !dma_fence_is_signaled(fence))
			return true;
	}
	return false;
}

static void limn_submit_add_fences(struct limn_submit *s)
{
	struct limn_batch *batch = s->batch;
	unsigned int i;
	u32 users;

	for (i = 0; i < batch->num_bos; i++) {
		const struct limn_submit_bo *bo = &s->bos[i];

		for (users = limn_submit_users(s, bo); users; users &= users - 1) {
			unsigned int n = __ffs(users);
			enum dma_resv_usage usage = DMA_RESV_USAGE_BOOKKEEP;

			if (!(bo->flags & LIMN_BO_NO_IMPLICIT) && (bo->read | bo->write))
				usage = bo->write & BIT(n) ? DMA_RESV_USAGE_WRITE :
							     DMA_RESV_USAGE_READ;
			dma_resv_add_fence(batch->objs[i]->resv,
					   &s->args->jobs[n].job->base.s_fence->finished, usage);
		}
	}
	drm_gem_unlock_reservations(batch->objs, batch->num_bos, &s->ww);
	s->locked = false;
}

static void limn_submit_tell(const struct limn_submit_job *sj, struct dma_fence *fence)
{
	unsigned int i;

	for (i = 0; i < sj->num_out; i++) {
		struct limn_submit_out *out = &sj->out[i];

		if (out->file) {
			/* Nobody has seen the file yet. */
			dma_fence_put(out->file->fence);
			out->file->fence = dma_fence_get(fence);
			fd_install(out->fd, out->file->file);
			out->file = NULL;
		} else if (out->chain) {
			drm_syncobj_add_point(out->syncobj, out->chain, fence, out->point);
			out->chain = NULL;
		} else {
			drm_syncobj_replace_fence(out->syncobj, fence);
		}
	}
}

static void limn_submit_arm(struct limn_submit *s, const struct limn_submit_job *sj)
{
	struct limn_job *job = sj->job;
	struct limn_ctx *ctx = s->ctx;
	unsigned int pipe = job->pipe->id;

	lockdep_assert_held(&ctx->submit_lock);

	job->foreign_deps = limn_job_has_foreign_deps(job);
	limn_submit_take_places(s, job, sj->wait_jobs);
	job->order = atomic64_inc_return(&s->ldev->order);
	job->id = ++ctx->last_id;
	if (sj->guard_pipe >= 0 && ctx->last[sj->guard_pipe] &&
	    !dma_fence_is_signaled(ctx->last[sj->guard_pipe]))
		job->guard = dma_fence_get(ctx->last[sj->guard_pipe]);
	dma_fence_put(ctx->last[pipe]);
	ctx->last[pipe] = dma_fence_get(&job->base.s_fence->finished);
}

/* Nothing fails after "armed". The jobs are the scheduler's on success. */
static int limn_submit_commit(struct limn_submit *s, u64 *first_id)
{
	const struct limn_submit_args *args = s->args;
	unsigned int n;
	int ret;

	mutex_lock(&s->ctx->submit_lock);
	for (n = 0; n < args->num_jobs; n++)
		drm_sched_job_arm(&args->jobs[n].job->base);
	ret = args->armed ? args->armed(args, &args->jobs[0].job->base.s_fence->finished) : 0;
	if (ret)
		goto out;

	for (n = 0; n < args->num_jobs; n++)
		limn_submit_arm(s, &args->jobs[n]);
	if (first_id)
		*first_id = args->jobs[0].job->id;
	limn_submit_add_fences(s);
	for (n = 0; n < args->num_jobs; n++)
		limn_submit_tell(&args->jobs[n], &args->jobs[n].job->base.s_fence->finished);
	for (n = 0; n < args->num_jobs; n++) {
		struct limn_job *job = args->jobs[n].job;

		args->jobs[n].job = NULL;
		limn_stats_queued(job);
		trace_limn_job_submit(job);
		drm_sched_entity_push_job(&job->base);
	}
out:
	mutex_unlock(&s->ctx->submit_lock);
	return ret;
}

/* Safe at any point of the way. */
static void limn_submit_cleanup(struct limn_submit *s)
{
	unsigned int n;

	if (s->locked)
		drm_gem_unlock_reservations(s->batch->objs, s->batch->num_bos, &s->ww);
	for (n = 0; n < s->args->num_jobs; n++) {
		struct limn_job *job = s->args->jobs[n].job;

		if (!job)
			continue;
		if (n < s->initialised)
			drm_sched_job_cleanup(&job->base);
		limn_job_release(job);
		limn_job_discard(job);
		s->args->jobs[n].job = NULL;
	}
	limn_batch_put(s->batch);
	limn_ctx_put(s->ctx);
}

/**
 * limn_submit - queue jobs, all or none
 * @ldev: the device; the caller is inside drm_dev_enter()
 * @file: who submits
 * @args: what; &limn_submit_job.job is consumed in any case
 * @first_id: where the number of the first job goes, or NULL
 *
 * Return: 0, or
 *
 * - -ENOENT: no such context, BO or perfmon
 * - -ECANCELED: the context is banned
 * - -EINVAL: more than LIMN_MAX_SUBMIT_BOS
 * - -EALREADY: a BO is listed twice
 * - -ENXIO: the memory of a BO was taken back
 * - what limn_mapping_pin() says, and the functions of @args
 * - -ENOMEM, -ERESTARTSYS, or what powering up the device said
 */
int limn_submit(struct limn_device *ldev, struct drm_file *file,
		const struct limn_submit_args *args, u64 *first_id)
{
	struct limn_submit s = {
		.args = args,
		.ldev = ldev,
		.file = file,
	};
	int ret;

	ret = args->nr_bos <= LIMN_MAX_SUBMIT_BOS ? 0 : -EINVAL;
	if (!ret) {
		s.ctx = limn_ctx_lookup(to_limn_file(file), args->ctx);
		ret = !s.ctx ? -ENOENT : READ_ONCE(s.ctx->banned) ? -ECANCELED : 0;
	}
	ret = ret ?: limn_stats_prepare(s.ctx);
	ret = ret ?: limn_submit_lookup(&s);
	ret = ret ?: limn_submit_jobs(&s);
	ret = ret ?: limn_submit_power(&s);
	ret = ret ?: limn_submit_reservations(&s);
	ret = ret ?: limn_submit_commit(&s, first_id);
	limn_submit_cleanup(&s);
	return ret;
}

/* The fence that a binary syncobj has now. 0, -ENOENT, or -EINVAL when there is none. */
int limn_submit_in_syncobj(struct drm_file *file, u32 handle, struct dma_fence **fence)
{
	return drm_syncobj_find_fence(file, handle, 0, 0, fence);
}

/* A syncobj, or with @point not 0 a point of it, to be signalled. 0, -ENOENT, -ENOMEM. */
int limn_submit_out_syncobj(struct drm_file *file, u32 handle, u64 point,
			    struct limn_submit_out *out)
{
	*out = (struct limn_submit_out){ .point = point };
	out->syncobj = drm_syncobj_find(file, handle);
	if (!out->syncobj)
		return -ENOENT;
	if (!point)
		return 0;
	out->chain = dma_fence_chain_alloc();
	return out->chain ? 0 : -ENOMEM;
}

/* A sync file; its descriptor, which works after the commit only, is in @out. */
int limn_submit_out_fd(struct limn_submit_out *out)
{
	struct dma_fence *stub;

	*out = (struct limn_submit_out){};
	out->fd = get_unused_fd_flags(O_CLOEXEC);
	if (out->fd < 0)
		return out->fd;
	stub = dma_fence_get_stub();
	out->file = sync_file_create(stub);
	dma_fence_put(stub);
	if (out->file)
		return 0;
	put_unused_fd(out->fd);
	return -ENOMEM;
}

/* Give back what was not given away. */
void limn_submit_out_drop(struct limn_submit_out *out)
{
	if (out->file) {
		fput(out->file->file);
		put_unused_fd(out->fd);
	}
	dma_fence_chain_free(out->chain);
	if (out->syncobj)
		drm_syncobj_put(out->syncobj);
}
