// SPDX-License-Identifier: MIT
#include <errno.h>
#include <sys/mman.h>

#include "igt.h"
#include "lima_lib.h"

int lima_try_open(void)
{
	return gpu_try_open("lima");
}

int lima_open(void)
{
	return gpu_open("lima");
}

uint64_t lima_param(int fd, uint32_t param)
{
	struct drm_lima_get_param req = { .param = param };

	igt_assert_eq(gpu_try(fd, DRM_IOCTL_LIMA_GET_PARAM, &req), 0);
	return req.value;
}

uint32_t lima_num_pp(int fd)
{
	return lima_param(fd, DRM_LIMA_PARAM_NUM_PP);
}

int lima_try_create(int fd, uint32_t size, uint32_t flags, uint32_t *handle)
{
	struct drm_lima_gem_create req = { .size = size, .flags = flags };
	int ret = gpu_try(fd, DRM_IOCTL_LIMA_GEM_CREATE, &req);

	*handle = req.handle;
	return ret;
}

uint32_t lima_create(int fd, uint32_t size, uint32_t flags)
{
	uint32_t handle;

	igt_assert_eq(lima_try_create(fd, size, flags, &handle), 0);
	igt_assert_neq_u32(handle, 0);
	return handle;
}

void lima_info(int fd, uint32_t handle, uint32_t *va, uint64_t *offset)
{
	struct drm_lima_gem_info req = { .handle = handle };

	igt_assert_eq(gpu_try(fd, DRM_IOCTL_LIMA_GEM_INFO, &req), 0);
	if (va)
		*va = req.va;
	if (offset)
		*offset = req.offset;
}

int lima_try_wait(int fd, uint32_t handle, uint32_t op, int64_t timeout_ns)
{
	struct drm_lima_gem_wait req = { .handle = handle, .op = op, .timeout_ns = timeout_ns };

	return gpu_try(fd, DRM_IOCTL_LIMA_GEM_WAIT, &req);
}

void lima_wait_idle(int fd, uint32_t handle)
{
	/* Long: with several clients the jobs of all are waited for, and the host may be busy. */
	igt_assert_eq(lima_try_wait(fd, handle, LIMA_GEM_WAIT_READ | LIMA_GEM_WAIT_WRITE,
				    gpu_time(gpu_timeout_ms() * 20000000ll)), 0);
}

static struct gpu_bo bo_new(int fd, uint32_t size, uint32_t flags)
{
	struct gpu_bo bo = { .fd = fd, .size = size };
	uint64_t offset;

	bo.handle = lima_create(fd, size, flags);
	lima_info(fd, bo.handle, &bo.va, &offset);
	if (!(flags & LIMA_BO_FLAG_HEAP)) {
		bo.map = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, offset);
		igt_assert(bo.map != MAP_FAILED);
	}
	return bo;
}

struct gpu_bo lima_bo_new(int fd, uint32_t size)
{
	return bo_new(fd, size, 0);
}

struct gpu_bo lima_bo_heap(int fd, uint32_t size)
{
	return bo_new(fd, size, LIMA_BO_FLAG_HEAP);
}

uint32_t lima_ctx_new(int fd)
{
	struct drm_lima_ctx_create req = { 0 };

	igt_assert_eq(gpu_try(fd, DRM_IOCTL_LIMA_CTX_CREATE, &req), 0);
	return req.id;
}

int lima_try_ctx_free(int fd, uint32_t id)
{
	struct drm_lima_ctx_free req = { .id = id };

	return gpu_try(fd, DRM_IOCTL_LIMA_CTX_FREE, &req);
}

void lima_job_use(struct lima_job *job, const struct gpu_bo *bo, uint32_t flags)
{
	igt_assert(job->nr_bos < LIMA_JOB_BOS);
	job->bos[job->nr_bos].handle = bo->handle;
	job->bos[job->nr_bos++].flags = flags;
}

struct drm_lima_gem_submit lima_job_args(struct lima_job *job)
{
	return (struct drm_lima_gem_submit) {
		.ctx = job->ctx,
		.pipe = job->pipe,
		.nr_bos = job->nr_bos,
		.bos = (uintptr_t)job->bos,
		.frame = (uintptr_t)&job->frame,
		.frame_size = job->frame_size,
		.flags = job->flags,
		.out_sync = job->out_sync,
		.in_sync = { job->in_sync[0], job->in_sync[1] },
	};
}

int lima_try_submit(int fd, struct lima_job *job)
{
	struct drm_lima_gem_submit req = lima_job_args(job);

	return gpu_try(fd, DRM_IOCTL_LIMA_GEM_SUBMIT, &req);
}

void lima_submit(int fd, struct lima_job *job)
{
	igt_assert_eq(lima_try_submit(fd, job), 0);
}

uint32_t lima_submit_fence(int fd, struct lima_job *job)
{
	uint32_t fence = syncobj_create(fd, 0);

	job->out_sync = fence;
	lima_submit(fd, job);
	job->out_sync = 0;
	return fence;
}

int lima_run(int fd, struct lima_job *job)
{
	return gpu_fence_end(fd, lima_submit_fence(fd, job), 0);
}

