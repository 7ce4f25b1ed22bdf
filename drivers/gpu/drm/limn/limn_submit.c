// SPDX-License-Identifier: GPL-2.0-only
/*
 * Submit: acquire, check, reserve; then commit, which fails only while nobody has seen a fence.
 *
 * Everything acquired hangs on the jobs or on struct limn_submit, so that one cleanup serves every
 * error, and a request that fails leaves no trace: all jobs of a submit are queued, or none.
 */
#include <kunit/visibility.h>
#include <linux/dma-fence-chain.h>
#include <linux/dma-resv.h>
#include <linux/file.h>
#include <linux/pm_runtime.h>
#include <linux/slab.h>
#include <linux/sync_file.h>
#include <drm/drm_gem.h>
#include <drm/drm_syncobj.h>

#include "limn_bo_list.h"
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

/* As many as most jobs list: on the stack of limn_submit(). */
#define LIMN_FEW_BOS	12

struct limn_submit {
	const struct limn_submit_args *args;
	struct limn_device *ldev;
	struct drm_file *file;
	struct limn_ctx *ctx;
	struct limn_bo_list *list;
	struct limn_submit_bo *bos;
	u32 inited;				/* jobs that drm_sched_job_init() was done for */
	struct ww_acquire_ctx ww;
	bool locked;				/* all reservations are */
	bool idle;				/* no other job has the file's private BOs */
};

/* What userspace listed. */
static int limn_submit_lookup(struct limn_submit *s)
{
	const struct limn_submit_args *args = s->args;
	struct limn_bo_list *list;
	u32 n = args->nr_bos;
	int ret;

	if (n > LIMN_FEW_BOS)
		s->bos = kvmalloc_array(n, sizeof(*s->bos), GFP_KERNEL);
	if (!s->bos)
		return -ENOMEM;
	ret = n ? args->read_bos(args, s->bos) : 0;
	if (ret)
		return ret;
	list = limn_bo_list_get(s->file, args->jobs[0].job->pipe->id, s->bos, n);
	if (IS_ERR(list))
		return PTR_ERR(list);
	s->list = list;
	return 0;
}

/* Room for the fences that have to signal success before the job may start. */
static int limn_submit_alloc_needs(struct limn_job *job, const struct limn_submit_job *sj)
{
	unsigned int num = hweight32(sj->wait_jobs) + (sj->guard_pipe >= 0);

	if (num > 1)
		job->needs = kcalloc(num, sizeof(*job->needs), GFP_KERNEL);
	return job->needs ? 0 : -ENOMEM;
}

/* Everything that a job has of its file, and its entity. */
static int limn_submit_init_job(struct limn_submit *s, unsigned int n)
{
	const struct limn_submit_job *sj = &s->args->jobs[n];
	struct limn_job *job = sj->job;
	int ret;

	job->ctx = limn_ctx_get(s->ctx);	/* the entity stays as long as the job */
	job->vm = s->ctx->vm;
	job->client = s->ctx->client;
	atomic_inc(&job->client->jobs);
	job->list = s->list;
	kref_get(&s->list->ref);
	job->timeout = s->ctx->timeout;
	ret = drm_sched_job_init(&job->base, &s->ctx->entity[job->pipe->id], 1, job->vm,
				 s->file->client_id);
	if (ret)
		return ret;
	s->inited |= BIT(n);
	ret = limn_submit_alloc_needs(job, sj);
	ret = ret ?: s->ldev->be->job_bind(job, s->bos);
	return ret ?: limn_perfmon_bind(job, to_limn_file(s->file), sj->perfmon);
}

/* What this GPU writes is coherent in its own cache; what others write is not. */
static bool limn_submit_is_own(const struct limn_submit *s, struct dma_fence *fence)
{
	const struct drm_sched_fence *s_fence = to_drm_sched_fence(fence);
	unsigned int i;

	for (i = 0; s_fence && i < s->ldev->num_pipes; i++) {
		if (s_fence->sched == &s->ldev->pipe[i]->sched)
			return true;
	}
	return false;
}

/*
 * Job @n waits for @fence, which many of its BOs may carry: most are signalled, or the same. A
 * dependency that is not needed costs an allocation or a search.
 */
static int limn_submit_wait(struct limn_submit *s, unsigned int n, struct dma_fence *fence)
{
	struct limn_submit_job *sj = &s->args->jobs[n];
	struct limn_job *job = sj->job;

	if (fence == sj->waits || dma_fence_is_signaled(fence))
		return 0;
	sj->waits = fence;
	job->foreign_deps |= !limn_submit_is_own(s, fence);
	return drm_sched_job_add_dependency(&job->base, dma_fence_get(fence));
}

static int limn_submit_jobs(struct limn_submit *s)
{
	unsigned int n, i;
	int ret = 0;

	for (n = 0; !ret && n < s->args->num_jobs; n++) {
		const struct limn_submit_job *sj = &s->args->jobs[n];

		ret = limn_submit_init_job(s, n);
		for (i = 0; !ret && i < sj->num_in; i++)
			ret = limn_submit_wait(s, n, sj->in[i]);
	}
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
		if (ret)	/* runtime PM forgets the error: the next submit tries again */
			pm_runtime_set_suspended(job->pipe->dev);
		job->powered = !ret;
		last = job->pipe->dev;
	}
	return ret;
}

/* @bo carries @fence, for @usage: the jobs that conflict with that wait for it. */
static int limn_submit_wait_for(struct limn_submit *s, const struct limn_submit_bo *bo,
				struct dma_fence *fence, enum dma_resv_usage usage)
{
	unsigned int n;
	int ret = 0;

	for (n = 0; !ret && n < s->args->num_jobs; n++) {
		if (bo->write & BIT(n) || (bo->read & BIT(n) && usage <= DMA_RESV_USAGE_WRITE))
			ret = limn_submit_wait(s, n, fence);
	}
	return ret;
}

static bool limn_submit_is_implicit(const struct limn_submit *s, struct drm_gem_object *obj,
				    const struct limn_submit_bo *bo)
{
	if (s->args->explicit_sync || bo->flags & LIMN_BO_NO_IMPLICIT || !(bo->read | bo->write))
		return false;
	return !s->idle || !limn_gem_is_private(obj);
}

/* As drm_sched_job_add_implicit_dependencies(), once for all jobs. */
static int limn_submit_implicit(struct limn_submit *s)
{
	struct dma_resv_iter cursor;
	struct dma_fence *fence;
	unsigned int i;
	int ret;

	for (i = 0; i < s->list->num; i++) {
		const struct limn_submit_bo *bo = &s->bos[i];
		struct drm_gem_object *obj = s->list->objs[i];

		if (!limn_submit_is_implicit(s, obj, bo))
			continue;
		dma_resv_for_each_fence(&cursor, obj->resv, dma_resv_usage_rw(bo->write), fence) {
			ret = limn_submit_wait_for(s, bo, fence, dma_resv_iter_usage(&cursor));
			if (ret)
				return ret;
		}
	}
	return 0;
}

static int limn_submit_reservations(struct limn_submit *s)
{
	struct limn_bo_list *list = s->list;
	unsigned int i;
	int ret;

	ret = drm_gem_lock_reservations(list->objs, list->num, &s->ww);
	if (ret)
		return ret == -EINTR ? -ERESTARTSYS : ret;
	s->locked = true;
	/*
	 * A job is in the count from before its fence is on a BO until the hardware is done,
	 * and the fence was put there under the reservation that is held here.
	 */
	s->idle = !atomic_read(&s->ctx->client->busy);
	for (i = 0; !ret && i < list->num; i++) {
		ret = limn_gem_check(to_limn_bo(list->objs[i]));
		ret = ret ?: dma_resv_reserve_fences(list->objs[i]->resv, s->args->num_jobs);
	}
	return ret ?: limn_submit_implicit(s);
}

static void limn_submit_add_fence(struct limn_submit *s, unsigned int n)
{
	struct dma_fence *fence = s->args->jobs[n].job->done;
	struct limn_bo_list *list = s->list;
	const u32 bit = BIT(n);
	unsigned int i;

	for (i = 0; i < list->num; i++) {
		const struct limn_submit_bo *bo = &s->bos[i];
		u32 users = bo->read | bo->write;
		enum dma_resv_usage usage = DMA_RESV_USAGE_READ;

		if (users && !(users & bit))
			continue;
		if (!users || bo->flags & LIMN_BO_NO_IMPLICIT)
			usage = DMA_RESV_USAGE_BOOKKEEP;
		else if (bo->write & bit)
			usage = DMA_RESV_USAGE_WRITE;
		dma_resv_add_fence(list->objs[i]->resv, fence, usage);
	}
}

static void limn_submit_unlock(struct limn_submit *s)
{
	drm_gem_unlock_reservations(s->list->objs, s->list->num, &s->ww);
	s->locked = false;
}

static void limn_submit_tell(const struct limn_submit_job *sj, struct dma_fence *fence)
{
	unsigned int i;

	for (i = 0; i < sj->num_out; i++) {
		struct limn_submit_out *out = &sj->out[i];

		if (out->file) {
			fd_install(out->fd, out->file->file);
			out->file = NULL;
			out->fd = -1;
		} else if (out->chain) {
			drm_syncobj_add_point(out->syncobj, out->chain, fence, out->point);
			out->chain = NULL;
		} else {
			drm_syncobj_replace_fence(out->syncobj, fence);
		}
	}
}

/*
 * Job @n comes after those of the same submit that it names, and runs only if they
 * end well. They are on its own queue before it, or they are dependencies.
 */
static int limn_submit_order(struct limn_submit *s, unsigned int n)
{
	const struct limn_submit_job *sj = &s->args->jobs[n];
	struct limn_job *job = sj->job;
	u32 jobs;
	int ret;

	for (jobs = sj->wait_jobs; jobs; jobs &= jobs - 1) {
		const struct limn_job *first = s->args->jobs[__ffs(jobs)].job;

		job->needs[job->num_needs++] = dma_fence_get(first->done);
		if (first->pipe == job->pipe)
			continue;
		ret = drm_sched_job_add_dependency(&job->base, dma_fence_get(first->done));
		if (ret)
			return ret;
	}
	if (sj->guard_pipe >= 0) {
		struct dma_fence *last = s->ctx->last[sj->guard_pipe];

		if (last && !dma_fence_is_signaled(last))
			job->needs[job->num_needs++] = dma_fence_get(last);
	}
	return 0;
}

static int limn_submit_create_files(const struct limn_submit_job *sj)
{
	unsigned int i;

	for (i = 0; i < sj->num_out; i++) {
		struct limn_submit_out *out = &sj->out[i];

		if (out->syncobj)
			continue;
		out->file = sync_file_create(sj->job->done);
		if (!out->file)
			return -ENOMEM;
	}
	return 0;
}

/*
 * The jobs get their fences, and all that needs these and may fail is done. Nobody has
 * seen a fence when it fails, so drm_sched_job_cleanup() may still take the jobs back, as
 * etnaviv and panthor do.
 */
static int limn_submit_arm(struct limn_submit *s)
{
	const struct limn_submit_args *args = s->args;
	unsigned int n;
	int ret = 0;

	lockdep_assert_held(&s->ctx->submit_lock);

	for (n = 0; n < args->num_jobs; n++) {
		struct limn_job *job = args->jobs[n].job;

		drm_sched_job_arm(&job->base);
		job->done = &job->base.s_fence->finished;
	}
	for (n = 0; !ret && n < args->num_jobs; n++) {
		ret = limn_submit_order(s, n);
		ret = ret ?: limn_submit_create_files(&args->jobs[n]);
	}
	if (!ret && args->armed)
		ret = args->armed(args, args->jobs[0].job->done);
	return ret;
}

/* The job gets its number, and others may see its fence. */
static void limn_submit_publish(struct limn_submit *s, unsigned int n)
{
	struct limn_job *job = s->args->jobs[n].job;
	struct dma_fence **last = &s->ctx->last[job->pipe->id];

	atomic_inc(&job->client->busy);
	job->order = atomic64_inc_return(&s->ldev->order);
	job->id = ++s->ctx->last_id;
	dma_fence_put(*last);
	*last = dma_fence_get(job->done);
	limn_submit_add_fence(s, n);
}

/* The jobs are drm_sched's now. */
static void limn_submit_queue(struct limn_submit *s)
{
	const struct limn_submit_args *args = s->args;
	u64 now = ktime_get_ns();
	unsigned int n;

	for (n = 0; n < args->num_jobs; n++) {
		struct limn_job *job = args->jobs[n].job;

		args->jobs[n].job = NULL;
		limn_stats_queued(job, now);
		trace_limn_job_submit(job);
		limn_job_set_state(job, LIMN_JOB_QUEUED);
		drm_sched_entity_push_job(&job->base);
	}
}

/* What may fail comes before the first fence is seen. */
static int limn_submit_commit(struct limn_submit *s, u64 *first_id)
{
	const struct limn_submit_args *args = s->args;
	unsigned int n;
	int ret;

	mutex_lock(&s->ctx->submit_lock);
	ret = limn_submit_arm(s);
	if (!ret) {
		for (n = 0; n < args->num_jobs; n++)
			limn_submit_publish(s, n);
		if (first_id)
			*first_id = args->jobs[0].job->id;
		limn_submit_unlock(s);
		for (n = 0; n < args->num_jobs; n++)
			limn_submit_tell(&args->jobs[n], args->jobs[n].job->done);
		limn_submit_queue(s);
	}
	mutex_unlock(&s->ctx->submit_lock);
	return ret;
}

/* Safe at any point of the way. */
static void limn_submit_cleanup(struct limn_submit *s)
{
	unsigned int n;

	if (s->locked)
		limn_submit_unlock(s);
	for (n = 0; n < s->args->num_jobs; n++) {
		struct limn_job *job = s->args->jobs[n].job;

		if (!job)
			continue;
		if (s->inited & BIT(n))
			drm_sched_job_cleanup(&job->base);
		limn_job_drop(job);
		s->args->jobs[n].job = NULL;
	}
	limn_bo_list_put(s->list);
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
 * - an error of limn_mapping_pin(), or of the functions of @args
 * - -ENOMEM, -ERESTARTSYS, or an error of powering up the device
 */
int limn_submit(struct limn_device *ldev, struct drm_file *file,
		const struct limn_submit_args *args, u64 *first_id)
{
	struct limn_submit_bo few[LIMN_FEW_BOS] __uninitialized;	/* read_bos writes it */
	struct limn_submit s = { .args = args, .ldev = ldev, .file = file, .bos = few };
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
	if (s.bos != few)
		kvfree(s.bos);
	return ret;
}

/* A syncobj, or with @point not 0 a point of it, to be signalled. 0, -ENOENT, -ENOMEM. */
int limn_submit_out_syncobj(struct drm_file *file, u32 handle, u64 point,
			    struct limn_submit_out *out)
{
	*out = (struct limn_submit_out){ .point = point, .fd = -1 };
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
	*out = (struct limn_submit_out){};
	out->fd = get_unused_fd_flags(O_CLOEXEC);
	return out->fd < 0 ? out->fd : 0;
}

/* Give back what was not given away. */
void limn_submit_out_drop(struct limn_submit_out *out)
{
	if (out->file)
		fput(out->file->file);
	if (!out->syncobj && out->fd >= 0)
		put_unused_fd(out->fd);
	dma_fence_chain_free(out->chain);
	if (out->syncobj)
		drm_syncobj_put(out->syncobj);
}
