// SPDX-License-Identifier: GPL-2.0-only
/*
 * DRM_IOCTL_LIMN_SUBMIT: from userspace's arrays to limn_submit().
 *
 * First everything is copied and looked up, with nothing locked, because
 * waiting for a syncobj's fence may take long: an unbind, a signal or the death
 * of the caller must not find anything in its way.
 */
#include <linux/slab.h>
#include <linux/sync_file.h>
#include <drm/drm_drv.h>
#include <drm/drm_syncobj.h>

#include "limn_device.h"
#include "limn_drv.h"
#include "limn_ioctl.h"
#include "limn_sched.h"
#include "limn_submit.h"

/* Bytes for what most requests have: two fences out, one in. */
#define LIMN_FEW_SYNCS_SIZE	(2 * sizeof(struct limn_submit_out) + sizeof(struct dma_fence *))

/* A request: its jobs, and the fences before and behind them. */
struct limn_request {
	const struct drm_limn_submit *args;
	struct limn_submit_args submit;
	struct limn_submit_job *jobs;
	/* Fences out of all jobs, then fences in of all jobs; in @few when they fit there. */
	void *syncs;
	u64 few[LIMN_FEW_SYNCS_SIZE / sizeof(u64)];
	struct drm_limn_job user[];
};

/* Bytes of a request of two jobs: a frame's, which so need no allocation. */
#define LIMN_FEW_JOBS_SIZE	ALIGN(sizeof(struct limn_request) + \
				      2 * (sizeof(struct drm_limn_job) + \
					   sizeof(struct limn_submit_job)), sizeof(u64))

static_assert(BITS_PER_TYPE(u32) == LIMN_MAX_SUBMIT_JOBS);	/* wait_jobs, read, write */

/* &limn_submit_args.read_bos */
static int limn_request_bos(const struct limn_submit_args *submit, struct limn_submit_bo *bos)
{
	const struct limn_request *req = container_of(submit, struct limn_request, submit);
	u32 n = submit->nr_bos, i, none = ~GENMASK(submit->num_jobs - 1, 0);
	const struct drm_limn_submit_bo *in;
	int ret;

	/* Copied to the end of the same memory, then expanded from its front. */
	BUILD_BUG_ON(sizeof(*bos) < sizeof(*in));
	in = (void *)(bos + n);
	in -= n;
	ret = limn_array_read(&req->args->bos, (void *)in, sizeof(*in));
	if (ret)
		return ret;
	for (i = 0; i < n; i++) {
		const struct drm_limn_submit_bo bo = in[i];
		bool deaf = bo.flags & DRM_LIMN_SUBMIT_BO_NO_IMPLICIT;

		if (bo.flags & ~DRM_LIMN_SUBMIT_BO_NO_IMPLICIT || (bo.read | bo.write) & none)
			return -EINVAL;
		bos[i] = (struct limn_submit_bo){
			.handle = bo.handle,
			.flags = deaf || submit->explicit_sync ? LIMN_BO_NO_IMPLICIT : 0,
			.read = bo.read,
			.write = bo.write,
		};
	}
	return 0;
}

static int limn_request_in(struct drm_file *file, const struct drm_limn_sync *sync,
			   struct dma_fence **fence)
{
	u64 wait = 0;

	if (sync->flags & ~(DRM_LIMN_SYNC_FD | DRM_LIMN_SYNC_WAIT_FOR_SUBMIT))
		return -EINVAL;
	if (sync->flags & DRM_LIMN_SYNC_FD) {
		if (sync->flags != DRM_LIMN_SYNC_FD || sync->point)
			return -EINVAL;
		*fence = sync_file_get_fence(sync->handle);
		return *fence ? 0 : -EINVAL;
	}
	if (sync->flags & DRM_LIMN_SYNC_WAIT_FOR_SUBMIT)
		wait = DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT;
	return drm_syncobj_find_fence(file, sync->handle, sync->point, wait, fence);
}

static int limn_request_out(struct drm_file *file, const struct drm_limn_sync *sync,
			    const struct drm_limn_array *array, u32 at, struct limn_submit_out *out)
{
	struct drm_limn_sync told = *sync;
	int ret;

	if (sync->flags & ~DRM_LIMN_SYNC_FD || (sync->flags && sync->point))
		return -EINVAL;
	if (!sync->flags)
		return limn_submit_out_syncobj(file, sync->handle, sync->point, out);
	ret = limn_submit_out_fd(out);
	if (ret)
		return ret;
	told.handle = out->fd;
	return limn_array_write(array, at, &told, sizeof(told));
}

static int limn_request_alloc_syncs(struct limn_request *req)
{
	struct limn_submit_out *out;
	struct dma_fence **in;
	u32 num_in = 0, num_out = 0, n;
	size_t size;

	for (n = 0; n < req->submit.num_jobs; n++) {
		const struct drm_limn_job *user = &req->user[n];

		if (user->in_syncs.count > LIMN_MAX_SYNCS || user->out_syncs.count > LIMN_MAX_SYNCS)
			return -EINVAL;
		num_in += user->in_syncs.count;
		num_out += user->out_syncs.count;
	}
	/* Not zeroed: limn_request_syncs() clears each entry when it counts it. */
	size = num_out * sizeof(*out) + num_in * sizeof(*in);
	req->syncs = size <= sizeof(req->few) ? req->few : kvmalloc(size, GFP_KERNEL);
	if (!req->syncs)
		return -ENOMEM;
	out = req->syncs;
	in = (void *)(out + num_out);
	for (n = 0; n < req->submit.num_jobs; n++) {
		req->jobs[n].in = in;
		req->jobs[n].out = out;
		in += req->user[n].in_syncs.count;
		out += req->user[n].out_syncs.count;
	}
	return 0;
}

/* An entry that is filled in is counted at once, so that the cleanup finds it. */
static int limn_request_syncs(struct drm_file *file, const struct drm_limn_job *user,
			      struct limn_submit_job *job)
{
	u32 num = max(user->in_syncs.count, user->out_syncs.count), i;
	struct drm_limn_sync *sync = kmalloc_array(num, sizeof(*sync), GFP_KERNEL);
	int ret;

	if (!sync)
		return -ENOMEM;
	ret = limn_array_read(&user->in_syncs, sync, sizeof(*sync));
	for (i = 0; !ret && i < user->in_syncs.count; i++) {
		ret = limn_request_in(file, &sync[i], &job->in[i]);
		job->num_in += !ret;
	}
	ret = ret ?: limn_array_read(&user->out_syncs, sync, sizeof(*sync));
	for (i = 0; !ret && i < user->out_syncs.count; i++) {
		job->out[i] = (struct limn_submit_out){ .fd = -1 };
		job->num_out++;
		ret = limn_request_out(file, &sync[i], &user->out_syncs, i, &job->out[i]);
	}
	kfree(sync);
	return ret;
}

static int limn_request_read(struct limn_request *req, struct limn_device *ldev,
			     struct drm_file *file)
{
	const struct drm_limn_submit *args = req->args;
	u32 n;
	int ret;

	ret = limn_array_read(&args->jobs, req->user, sizeof(*req->user));
	if (ret)
		return ret;
	for (n = 0; n < args->jobs.count; n++) {
		const struct drm_limn_job *user = &req->user[n];

		if (user->flags || user->queue >= ldev->num_pipes || user->wait_jobs >> n)
			return -EINVAL;
		req->jobs[n].wait_jobs = user->wait_jobs;
		req->jobs[n].perfmon = user->perfmon;
		req->jobs[n].guard_pipe = -1;
	}
	ret = limn_request_alloc_syncs(req);
	if (ret)
		return ret;
	/* Wait for syncobjs only after all other checks have passed. */
	for (n = 0; n < args->jobs.count; n++) {
		ret = limn_request_syncs(file, &req->user[n], &req->jobs[n]);
		if (ret)
			return ret;
	}
	return 0;
}

static int limn_request_create_jobs(struct limn_request *req, struct limn_device *ldev,
				    struct limn_file *lfile)
{
	u32 max = ldev->be->max_cmd_bytes, n;
	struct limn_job *job;
	u64 total = 0;

	for (n = 0; n < req->submit.num_jobs; n++)
		total += req->user[n].cmd_size;
	if (max && total > max)
		return -EINVAL;
	for (n = 0; n < req->submit.num_jobs; n++) {
		job = ldev->be->job_create(ldev, lfile, &req->user[n]);
		if (IS_ERR(job))
			return PTR_ERR(job);
		req->jobs[n].job = job;
	}
	return 0;
}

static void limn_request_fini(struct limn_request *req)
{
	u32 n, i;

	for (n = 0; n < req->submit.num_jobs; n++) {
		struct limn_submit_job *job = &req->jobs[n];

		for (i = 0; i < job->num_in; i++)
			dma_fence_put(job->in[i]);
		for (i = 0; i < job->num_out; i++)
			limn_submit_out_drop(&job->out[i]);
		if (job->job)
			limn_job_drop(job->job);
	}
	if (req->syncs != req->few)
		kvfree(req->syncs);
}

static size_t limn_request_size(u32 num_jobs)
{
	return struct_size_t(struct limn_request, user, num_jobs) +
	       num_jobs * sizeof(struct limn_submit_job);
}

/* The syncs and the user's jobs are filled in later, or not looked at. */
static void limn_request_init(struct limn_request *req, const struct drm_limn_submit *args)
{
	req->args = args;
	req->syncs = NULL;
	req->jobs = (void *)(req->user + args->jobs.count);
	memset(req->jobs, 0, args->jobs.count * sizeof(*req->jobs));
	req->submit = (struct limn_submit_args){
		.ctx = args->ctx,
		.nr_bos = args->bos.count,
		.read_bos = limn_request_bos,
		.explicit_sync = args->flags & DRM_LIMN_SUBMIT_NO_IMPLICIT,
		.jobs = req->jobs,
		.num_jobs = args->jobs.count,
	};
}

/* DRM_IOCTL_LIMN_SUBMIT */
int limn_ioctl_submit(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct limn_device *ldev = to_limn_device(drm);
	struct drm_limn_submit *args = data;
	u64 few[LIMN_FEW_JOBS_SIZE / sizeof(u64)];
	struct limn_request *req = (void *)few;
	int idx, ret;

	if (args->flags & ~DRM_LIMN_SUBMIT_NO_IMPLICIT || !ldev->be->job_create)
		return -EINVAL;
	if (!args->jobs.count || args->jobs.count > LIMN_MAX_SUBMIT_JOBS)
		return -EINVAL;
	if (!args->bos.count || args->bos.count > LIMN_MAX_SUBMIT_BOS)
		return -EINVAL;

	if (limn_request_size(args->jobs.count) > sizeof(few))
		req = kmalloc(limn_request_size(args->jobs.count), GFP_KERNEL);
	if (!req)
		return -ENOMEM;
	limn_request_init(req, args);
	ret = limn_request_read(req, ldev, file);
	if (!ret && !drm_dev_enter(drm, &idx))
		ret = -ENODEV;
	if (ret)
		goto out;
	ret = limn_request_create_jobs(req, ldev, to_limn_file(file));
	if (!ret)
		ret = limn_submit(ldev, file, &req->submit, &args->first_id);
	drm_dev_exit(idx);
out:
	limn_request_fini(req);
	if (req != (void *)few)
		kfree(req);
	return ret;
}
