// SPDX-License-Identifier: GPL-2.0-only
/*
 * The lima user ABI, version 1.1, of <drm/lima_drm.h>.
 */

/**
 * DOC: user ABI
 *
 * The driver registers under the name that userspace looks for, with that ABI's version; only
 * the description tells the difference. What each ioctl answers to a bad request stands at its
 * function. A bad request changes nothing and is not logged above debug level.
 *
 * Where lima is silent, this holds: pads and unknown flags must be zero (-EINVAL); a job that
 * fails signals its fence with an error, which waiters of syncobjs and sync files can read,
 * while DRM_LIMA_GEM_WAIT tells only that the wait is over.
 */
#include <linux/nospec.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <drm/drm_drv.h>
#include <drm/drm_gem.h>
#include <drm/drm_ioctl.h>
#include <drm/drm_syncobj.h>
#include <drm/drm_utils.h>
#include <drm/lima_drm.h>

#include "limn_compat.h"
#include "limn_ctx.h"
#include "limn_drv.h"
#include "limn_gem.h"
#include "limn_ioctl.h"
#include "limn_submit.h"
#include "utgard.h"

static_assert(sizeof(struct limn_submit_bo) >= sizeof(struct drm_lima_gem_submit_bo));
static_assert(UTGARD_PIPE_GP == LIMA_PIPE_GP);
static_assert(UTGARD_PIPE_PP == LIMA_PIPE_PP);

/**
 * utgard_get_param() - DRM_LIMA_GET_PARAM: facts about the GPU
 * @drm: device
 * @data: &struct drm_lima_get_param
 * @file: caller
 *
 * Return: 0, or -EINVAL: unknown parameter, pad not zero.
 */
static int utgard_get_param(struct drm_device *drm, void *data, struct drm_file *file)
{
	const struct utgard *ug = to_utgard(to_limn_device(drm));
	struct drm_lima_get_param *args = data;
	const u64 values[] = {
		[DRM_LIMA_PARAM_GPU_ID] = ug->m450 ? DRM_LIMA_PARAM_GPU_ID_MALI450 :
						     DRM_LIMA_PARAM_GPU_ID_MALI400,
		[DRM_LIMA_PARAM_NUM_PP] = ug->num_pp,
		[DRM_LIMA_PARAM_GP_VERSION] = ug->gp_version,
		[DRM_LIMA_PARAM_PP_VERSION] = ug->pp_version,
	};

	if (args->pad || args->param >= ARRAY_SIZE(values))
		return -EINVAL;
	args->value = values[array_index_nospec(args->param, ARRAY_SIZE(values))];
	return 0;
}

/**
 * utgard_gem_create() - DRM_LIMA_GEM_CREATE: a BO, mapped for the GPU
 * @drm: device
 * @data: &struct drm_lima_gem_create
 * @file: caller
 *
 * Return: 0, or
 *
 * - -EINVAL: size 0, unknown flags, pad not zero
 * - -ENOMEM: no memory for it
 * - -ENOSPC: it does not fit into the caller's address space
 * - -ENODEV: the device is gone
 */
static int utgard_gem_create(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_lima_gem_create *args = data;
	struct limn_gem_args gem = {
		.size = args->size,
		.va = LIMN_VA_ANY,
		.heap = args->flags & LIMA_BO_FLAG_HEAP,
	};

	if (args->pad || args->flags & ~LIMA_BO_FLAG_HEAP)
		return -EINVAL;
	return limn_gem_create(file, drm, &gem, &args->handle);
}

/**
 * utgard_gem_info() - DRM_LIMA_GEM_INFO: addresses of a BO
 * @drm: device
 * @data: &struct drm_lima_gem_info
 * @file: caller
 *
 * Return: 0, or -ENOENT: no such handle; -ENOSPC: the address space is full; -ENOMEM.
 */
static int utgard_gem_info(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_lima_gem_info *args = data;
	struct drm_gem_object *obj;
	u64 va;
	int ret;

	obj = drm_gem_object_lookup(file, args->handle);
	if (!obj)
		return -ENOENT;
	/* A BO whose memory was taken back has lost it; somebody else may have it now. */
	ret = drm_gem_create_mmap_offset(obj);
	ret = ret ?: limn_bo_va(file, to_limn_bo(obj), &va);
	if (!ret) {
		args->va = va;
		args->offset = drm_vma_node_offset_addr(&obj->vma_node);
	}
	drm_gem_object_put(obj);
	return ret;
}

static size_t utgard_frame_size(const struct utgard *ug, u32 pipe)
{
	if (pipe == LIMA_PIPE_GP)
		return sizeof(struct drm_lima_gp_frame);
	return ug->m450 ? sizeof(struct drm_lima_m450_pp_frame) :
			  sizeof(struct drm_lima_m400_pp_frame);
}

/* Of a constant size, for which hardened usercopy has nothing to check at run time. */
static unsigned long utgard_copy_frame(u32 *to, u64 from, u32 size)
{
	const void __user *user = u64_to_user_ptr(from);

	switch (size) {
	case sizeof(struct drm_lima_gp_frame):
		return copy_from_user(to, user, sizeof(struct drm_lima_gp_frame));
	case sizeof(struct drm_lima_m400_pp_frame):
		return copy_from_user(to, user, sizeof(struct drm_lima_m400_pp_frame));
	default:
		return copy_from_user(to, user, sizeof(struct drm_lima_m450_pp_frame));
	}
}

/* A job with a frame that was copied once, and checked after that. */
static struct limn_job *utgard_job_create(struct utgard *ug, u32 pipe, u64 frame, u32 size)
{
	struct limn_job *job;
	int ret;

	if (pipe > LIMA_PIPE_PP || size != utgard_frame_size(ug, pipe))
		return ERR_PTR(-EINVAL);
	job = limn_job_create(ug->base.pipe[pipe], size);
	if (!job)
		return ERR_PTR(-ENOMEM);
	if (utgard_copy_frame(job->frame, frame, size))
		ret = -EFAULT;
	else if (pipe == LIMA_PIPE_GP)
		ret = utgard_check_gp_frame(job->frame);
	else
		ret = utgard_check_pp_frame(job->frame, ug->m450, ug->num_pp);
	if (ret) {
		limn_job_drop(job);
		return ERR_PTR(ret);
	}
	return job;
}

/* &limn_backend.job_create */
struct limn_job *utgard_cmd_create(struct limn_device *ldev, struct limn_file *lfile,
				   const struct drm_limn_job *args)
{
	if (args->exec_state)
		return ERR_PTR(-EINVAL);
	return utgard_job_create(to_utgard(ldev), args->queue, args->cmd, args->cmd_size);
}

struct utgard_submit {
	struct limn_submit_args args;
	u64 bos;	/* user pointer to struct drm_lima_gem_submit_bo */
};

static int utgard_read_bos(const struct limn_submit_args *args, struct limn_submit_bo *bos)
{
	u64 from = container_of(args, struct utgard_submit, args)->bos;
	u32 n = args->nr_bos, i;
	struct drm_lima_gem_submit_bo *in;

	/* Copied to the end of the same memory, then expanded from its front. */
	in = (void *)(bos + n);
	in -= n;
	if (copy_from_user(in, u64_to_user_ptr(from), n * sizeof(*in)))
		return -EFAULT;
	for (i = 0; i < n; i++) {
		struct drm_lima_gem_submit_bo bo = in[i];

		if (bo.flags & ~(LIMA_SUBMIT_BO_READ | LIMA_SUBMIT_BO_WRITE))
			return -EINVAL;
		bos[i] = (struct limn_submit_bo){
			.handle = bo.handle,
			.read = !(bo.flags & LIMA_SUBMIT_BO_WRITE),	/* job 0 */
			.write = !!(bo.flags & LIMA_SUBMIT_BO_WRITE),
		};
	}
	return 0;
}

static int utgard_find_syncs(struct drm_file *file, const struct drm_lima_gem_submit *args,
			     struct limn_submit_job *job)
{
	unsigned int i;
	int ret;

	for (i = 0; i < ARRAY_SIZE(args->in_sync); i++) {
		if (!args->in_sync[i])
			continue;
		ret = drm_syncobj_find_fence(file, args->in_sync[i], 0, 0,
					     &job->in[job->num_in]);
		if (ret)
			return ret;
		job->num_in++;
	}
	if (!args->out_sync)
		return 0;
	job->num_out = 1;
	return limn_submit_out_syncobj(file, args->out_sync, 0, job->out);
}

/**
 * utgard_gem_submit() - DRM_LIMA_GEM_SUBMIT: queue a job
 * @drm: device
 * @data: &struct drm_lima_gem_submit
 * @file: caller
 *
 * Return: 0, or
 *
 * - -EINVAL: unknown pipe or flags, no BOs or more than 65536, unknown flags
 *   of a BO, a syncobj in in_sync that has no fence, a frame size that is not
 *   this pipe's exactly, or a frame that is refused: see
 *   utgard_check_gp_frame() and utgard_check_pp_frame()
 * - -ENOENT: no such context, BO or syncobj
 * - -EALREADY: a BO is listed twice
 * - -ENXIO: the memory of a BO was taken back
 * - -EFAULT: frame or BO list is not readable
 * - -ENOMEM, -ENODEV
 */
static int utgard_gem_submit(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct utgard *ug = to_utgard(to_limn_device(drm));
	const struct drm_lima_gem_submit *args = data;
	struct dma_fence *in[ARRAY_SIZE(args->in_sync)];
	struct limn_submit_out out = { .fd = -1 };
	struct limn_submit_job job = {
		/* Pixels without their polygon lists would be garbage, or hang. */
		.guard_pipe = args->pipe == LIMA_PIPE_PP ? LIMA_PIPE_GP : -1,
		.in = in,
		.out = &out,
	};
	struct utgard_submit submit = {
		.args.ctx = args->ctx,
		.args.nr_bos = args->nr_bos,
		.args.read_bos = utgard_read_bos,
		.args.explicit_sync = args->flags & LIMA_SUBMIT_FLAG_EXPLICIT_FENCE,
		.args.jobs = &job,
		.args.num_jobs = 1,
		.bos = args->bos,
	};
	int idx, ret;

	if (args->flags & ~LIMA_SUBMIT_FLAG_EXPLICIT_FENCE || !args->nr_bos)
		return -EINVAL;
	ret = utgard_find_syncs(file, args, &job);
	if (!ret && !drm_dev_enter(drm, &idx))
		ret = -ENODEV;
	if (ret)
		goto out;
	job.job = utgard_job_create(ug, args->pipe, args->frame, args->frame_size);
	if (IS_ERR(job.job))
		ret = PTR_ERR(job.job);
	else
		ret = limn_submit(&ug->base, file, &submit.args, NULL);
	drm_dev_exit(idx);
out:
	while (job.num_in)
		dma_fence_put(in[--job.num_in]);
	limn_submit_out_drop(&out);
	return ret;
}

/**
 * utgard_gem_wait() - DRM_LIMA_GEM_WAIT: until the GPU is done with a BO
 * @drm: device
 * @data: &struct drm_lima_gem_wait
 * @file: caller
 *
 * To read it, wait for those who write; to write it, for everybody. Jobs that failed count as done.
 *
 * Return: 0, or
 *
 * - -ETIMEDOUT: not before timeout_ns; -EBUSY: not yet, and that is past
 * - -EINVAL: no such handle, unknown bits in op
 * - -ERESTARTSYS
 */
static int utgard_gem_wait(struct drm_device *drm, void *data, struct drm_file *file)
{
	const struct drm_lima_gem_wait *args = data;
	unsigned long timeout;
	long ret;

	if (args->op & ~(LIMA_GEM_WAIT_READ | LIMA_GEM_WAIT_WRITE))
		return -EINVAL;
	if (!args->op)
		return 0;
	timeout = drm_timeout_abs_to_jiffies(args->timeout_ns);
	ret = drm_gem_dma_resv_wait(file, args->handle, args->op & LIMA_GEM_WAIT_WRITE, timeout);
	if (ret == -ETIME)
		return timeout ? -ETIMEDOUT : -EBUSY;
	return ret;
}

/**
 * utgard_ctx_create() - DRM_LIMA_CTX_CREATE: a queue of jobs
 * @drm: device
 * @data: &struct drm_lima_ctx_create
 * @file: caller
 *
 * Return: 0, or -EINVAL: pad not zero; -ENOSPC: the file has 4096; -ENOMEM;
 * -ENODEV.
 */
static int utgard_ctx_create(struct drm_device *drm, void *data, struct drm_file *file)
{
	static const struct limn_ctx_args defaults;
	struct drm_lima_ctx_create *args = data;

	if (args->_pad)
		return -EINVAL;
	return limn_ctx_create(to_limn_device(drm), to_limn_file(file), &defaults, &args->id);
}

/**
 * utgard_ctx_free() - DRM_LIMA_CTX_FREE: its queued jobs still run
 * @drm: device
 * @data: &struct drm_lima_ctx_free
 * @file: caller
 *
 * Return: 0, or -EINVAL: no such context, pad not zero.
 */
static int utgard_ctx_free(struct drm_device *drm, void *data, struct drm_file *file)
{
	const struct drm_lima_ctx_free *args = data;

	if (args->_pad)
		return -EINVAL;
	return limn_ctx_free(to_limn_file(file), args->id);
}

static const struct drm_ioctl_desc utgard_ioctls[] = {
	DRM_IOCTL_DEF_DRV(LIMA_GET_PARAM, utgard_get_param, DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(LIMA_GEM_CREATE, utgard_gem_create, DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(LIMA_GEM_INFO, utgard_gem_info, DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(LIMA_GEM_SUBMIT, utgard_gem_submit, DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(LIMA_GEM_WAIT, utgard_gem_wait, DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(LIMA_CTX_CREATE, utgard_ctx_create, DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(LIMA_CTX_FREE, utgard_ctx_free, DRM_RENDER_ALLOW),
	LIMN_IOCTLS,
};

static const struct file_operations utgard_fops = {
	.owner = THIS_MODULE,
	DRM_GEM_FOPS,
	.show_fdinfo = drm_show_fdinfo,
};

const struct drm_driver utgard_drm_driver = {
	.driver_features = DRIVER_RENDER | DRIVER_GEM | DRIVER_SYNCOBJ | DRIVER_SYNCOBJ_TIMELINE,
	.open = limn_drm_open,
	.postclose = limn_drm_postclose,
	.show_fdinfo = limn_drm_show_fdinfo,
	.ioctls = utgard_ioctls,
	.num_ioctls = ARRAY_SIZE(utgard_ioctls),
	.fops = &utgard_fops,
	.name = "lima",
	.desc = "limn: Mali-400/450 with the lima ABI",
	LIMN_DRIVER_DATE("20260101")
	.major = 1,
	.minor = 1,
	.gem_create_object = limn_gem_create_object,
	.gem_prime_import_sg_table = limn_gem_import_sg_table,
};
