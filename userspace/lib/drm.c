// SPDX-License-Identifier: MIT
/*
 * The DRM backend: the lima user ABI, which both lima.ko and limn.ko speak; and
 * limn.ko's way to submit several jobs at once, where it is there.
 * One context per device; implicit sync between jobs through their BOs; the
 * end of a job through a syncobj of its own, since only that tells a failure.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <drm/lima_drm.h>
#include <drm/limn_drm.h>
#include <linux/sync_file.h>
#include <xf86drm.h>

#include "lib/drm_node.h"

struct drm_device {
	int fd;
	uint32_t ctx;
	bool has_ctx;
	bool has_batches;	/* DRM_IOCTL_LIMN_SUBMIT */
	char path[64];
	uint64_t woken_ns;	/* end of the last wait */
	uint32_t spare[16];	/* syncobjs that no fence uses any more */
	uint32_t num_spare;
};

static int get_param(int fd, uint32_t param, uint32_t *value)
{
	struct drm_lima_get_param req = { .param = param };
	int ret = drm_node_ioctl(fd, DRM_IOCTL_LIMA_GET_PARAM, &req);

	*value = req.value;
	return ret;
}

static int drm_get_info(void *priv, struct limn_info *info, struct limn_error *err)
{
	struct drm_device *drm = priv;
	uint32_t gpu;
	int ret = drm_node_version(drm->fd, drm->path, info, err);

	if (ret)
		return ret;
	ret = get_param(drm->fd, DRM_LIMA_PARAM_GPU_ID, &gpu);
	if (!ret)
		ret = get_param(drm->fd, DRM_LIMA_PARAM_NUM_PP, &info->num_pp);
	if (!ret)
		ret = get_param(drm->fd, DRM_LIMA_PARAM_GP_VERSION, &info->gp_version);
	if (!ret)
		ret = get_param(drm->fd, DRM_LIMA_PARAM_PP_VERSION, &info->pp_version);
	if (ret)
		return limn_fail(err, ret, "%s: GET_PARAM: %s", drm->path, strerror(-ret));
	if (gpu == DRM_LIMA_PARAM_GPU_ID_MALI400)
		info->gpu = 400;
	else if (gpu == DRM_LIMA_PARAM_GPU_ID_MALI450)
		info->gpu = 450;
	else
		return limn_fail(err, -ENOTSUP, "%s: unknown GPU %u", drm->path, gpu);
	return 0;
}

/* Of a BO that has a handle: its address, and a mapping unless it is a heap. The handle is closed on failure. */
static int describe(struct drm_device *drm, struct limn_bo *bo, bool heap, struct limn_error *err)
{
	struct drm_lima_gem_info info = { .handle = bo->handle };
	int ret = drm_node_ioctl(drm->fd, DRM_IOCTL_LIMA_GEM_INFO, &info);

	if (ret) {
		limn_fail(err, ret, "GEM_INFO: %s", strerror(-ret));
		goto close_handle;
	}
	bo->va = info.va;
	if (heap)
		return 0;
	bo->map = mmap(NULL, bo->size, PROT_READ | PROT_WRITE, MAP_SHARED, drm->fd, info.offset);
	if (bo->map != MAP_FAILED)
		return 0;
	ret = -errno;
	limn_fail(err, ret, "mmap of a BO of %u bytes: %s", bo->size, strerror(-ret));
close_handle:
	drmCloseBufferHandle(drm->fd, bo->handle);
	return ret;
}

static int drm_bo_import(void *priv, int fd, struct limn_bo *bo, struct limn_error *err)
{
	struct drm_device *drm = priv;
	int ret = drm_node_import(drm->fd, fd, bo, err);

	return ret ? ret : describe(drm, bo, false, err);
}

static int drm_bo_create(void *priv, uint32_t size, uint32_t flags, struct limn_bo *bo,
			 struct limn_error *err)
{
	struct drm_device *drm = priv;
	struct drm_lima_gem_create create = {
		.size = size,
		.flags = flags & LIMN_BO_HEAP ? LIMA_BO_FLAG_HEAP : 0,
	};
	int ret = drm_node_ioctl(drm->fd, DRM_IOCTL_LIMA_GEM_CREATE, &create);

	if (ret)
		return limn_fail(err, ret, "GEM_CREATE of %u bytes: %s", size, strerror(-ret));
	bo->handle = create.handle;
	return describe(drm, bo, flags & LIMN_BO_HEAP, err);
}

static void drm_bo_free(void *priv, struct limn_bo *bo)
{
	struct drm_device *drm = priv;

	if (bo->map)
		munmap(bo->map, bo->size);
	drmCloseBufferHandle(drm->fd, bo->handle);
}

static void drm_bo_label(void *priv, const struct limn_bo *bo, const char *label)
{
	struct drm_device *drm = priv;

	if (drm->has_batches)
		drm_node_label(drm->fd, bo->handle, label);
}

/* Submits replace what was in it. */
static int get_syncobj(struct drm_device *drm, uint32_t *syncobj, struct limn_error *err)
{
	if (drm->num_spare) {
		*syncobj = drm->spare[--drm->num_spare];
		return 0;
	}
	if (drmSyncobjCreate(drm->fd, 0, syncobj))
		return limn_fail(err, -errno, "syncobj: %s", strerror(errno));
	return 0;
}

static void put_syncobj(struct drm_device *drm, uint32_t syncobj)
{
	if (drm->num_spare < sizeof(drm->spare) / sizeof(drm->spare[0]))
		drm->spare[drm->num_spare++] = syncobj;
	else
		drmSyncobjDestroy(drm->fd, syncobj);
}

static uint64_t fence_id(enum limn_pipe pipe, uint32_t syncobj)
{
	return (uint64_t)pipe << 32 | syncobj;
}

static int drm_fence_file(void *priv, uint64_t fence, int *fd, struct limn_error *err)
{
	struct drm_device *drm = priv;

	if (drmSyncobjExportSyncFile(drm->fd, (uint32_t)fence, fd))
		return limn_fail(err, -errno, "export of a job's fence: %s", strerror(errno));
	return 0;
}

static int drm_submit_batch(void *priv, const struct limn_batch *batch, uint64_t *fences, struct limn_error *err);

/* As a batch of one, whose BOs say what they are for. */
static int submit_one(struct drm_device *drm, const struct limn_submit *submit, uint64_t *fence, struct limn_error *err)
{
	struct limn_batch_use uses[submit->num_uses ? submit->num_uses : 1];
	const struct limn_batch batch = {
		.size = sizeof(batch), .jobs = submit, .num_jobs = 1, .uses = uses, .num_uses = submit->num_uses,
		.how = submit->how,
	};

	for (uint32_t i = 0; i < submit->num_uses; i++)
		uses[i] = (struct limn_batch_use){
			.bo = submit->uses[i].bo, .read = !!(submit->uses[i].flags & LIMN_READ),
			.write = !!(submit->uses[i].flags & LIMN_WRITE),
		};
	return drm_submit_batch(drm, &batch, fence, err);
}

static int drm_submit(void *priv, const struct limn_submit *submit, uint64_t *fence,
		      struct limn_error *err)
{
	struct drm_device *drm = priv;
	struct drm_lima_gem_submit_bo bos[submit->num_uses ? submit->num_uses : 1];
	struct drm_lima_gem_submit req = {
		.ctx = drm->ctx,
		.pipe = submit->pipe == LIMN_PIPE_GP ? LIMA_PIPE_GP : LIMA_PIPE_PP,
		.nr_bos = submit->num_uses,
		.bos = (uintptr_t)bos,
		.frame = (uintptr_t)submit->frame,
		.frame_size = submit->frame_size,
	};
	int ret, file;

	if (submit->how && drm->has_batches)
		return submit_one(drm, submit, fence, err);
	ret = drm_node_wait_for(drm->fd, submit->how, err);
	if (ret)
		return ret;
	for (uint32_t i = 0; i < submit->num_uses; i++) {
		bos[i].handle = submit->uses[i].bo->handle;
		bos[i].flags = (submit->uses[i].flags & LIMN_READ ? LIMA_SUBMIT_BO_READ : 0) |
			       (submit->uses[i].flags & LIMN_WRITE ? LIMA_SUBMIT_BO_WRITE : 0);
	}
	ret = get_syncobj(drm, &req.out_sync, err);
	if (ret)
		return ret;
	ret = drm_node_ioctl(drm->fd, DRM_IOCTL_LIMA_GEM_SUBMIT, &req);
	if (ret) {
		put_syncobj(drm, req.out_sync);
		return limn_fail(err, ret, "GEM_SUBMIT of a %s job: %s",
				 submit->pipe == LIMN_PIPE_GP ? "GP" : "PP", strerror(-ret));
	}
	*fence = fence_id(submit->pipe, req.out_sync);
	if (!submit->how || !submit->how->num_out)
		return 0;
	ret = drm_fence_file(drm, *fence, &file, err);
	if (!ret) {
		ret = drm_node_tell(drm->fd, submit->how, file, err);
		close(file);
	}
	return ret;
}

static int drm_submit_batch(void *priv, const struct limn_batch *batch, uint64_t *fences,
			    struct limn_error *err)
{
	struct drm_device *drm = priv;
	struct drm_limn_submit_bo bos[batch->num_uses ? batch->num_uses : 1];
	struct drm_limn_job jobs[LIMN_BATCH_JOBS] = { 0 };
	struct drm_limn_sync outs[LIMN_BATCH_JOBS] = { 0 };
	uint32_t n;
	int ret = 0;

	if (!drm->has_batches)
		return -ENOTSUP;
	for (uint32_t i = 0; i < batch->num_uses; i++)
		bos[i] = (struct drm_limn_submit_bo){
			.handle = batch->uses[i].bo->handle,
			.read = batch->uses[i].read,
			.write = batch->uses[i].write,
		};
	for (n = 0; n < batch->num_jobs && !ret; n++) {
		jobs[n].queue = batch->jobs[n].pipe == LIMN_PIPE_GP ? LIMA_PIPE_GP : LIMA_PIPE_PP;
		jobs[n].cmd = (uintptr_t)batch->jobs[n].frame;
		jobs[n].cmd_size = batch->jobs[n].frame_size;
		jobs[n].wait_jobs = n ? 1u << (n - 1) : 0;
		ret = get_syncobj(drm, &outs[n].handle, err);
	}
	if (!ret) {
		ret = drm_node_submit(drm->fd, drm->ctx, batch->how, jobs, batch->num_jobs, outs, bos, batch->num_uses);
		if (ret)
			limn_fail(err, ret, "SUBMIT of %u jobs: %s", batch->num_jobs, strerror(-ret));
	}
	for (uint32_t i = 0; i < n; i++) {
		if (!ret)
			fences[i] = fence_id(batch->jobs[i].pipe, outs[i].handle);
		else if (outs[i].handle)
			put_syncobj(drm, outs[i].handle);
	}
	return ret;
}

/* A syncobj tells only that a job has ended; the sync file behind it tells how. */
static int fence_status(int fd, uint32_t syncobj, const char *pipe, struct limn_error *err)
{
	int sync, ret;

	if (drmSyncobjExportSyncFile(fd, syncobj, &sync))
		return limn_fail(err, -errno, "export of a job's fence: %s", strerror(errno));
	ret = drm_node_fence_status(sync, pipe, err);
	close(sync);
	return ret;
}


static int drm_wait(void *priv, uint64_t fence, int64_t timeout_ns, struct limn_error *err)
{
	struct drm_device *drm = priv;
	uint32_t syncobj = fence;
	int ret = drmSyncobjWait(drm->fd, &syncobj, 1, drm_node_deadline(timeout_ns), 0, NULL);

	__atomic_store_n(&drm->woken_ns, (uint64_t)drm_node_deadline(0), __ATOMIC_RELAXED);
	if (ret == -ETIME)
		return limn_fail(err, ret, "the job still runs");
	if (ret < 0)
		return limn_fail(err, ret, "wait for a job: %s", strerror(-ret));
	return fence_status(drm->fd, syncobj, fence >> 32 == LIMN_PIPE_GP ? "GP" : "PP", err);
}

static int drm_fence_times(void *priv, uint64_t fence, uint64_t *ended_ns, uint64_t *woken_ns)
{
	struct drm_device *drm = priv;
	struct sync_fence_info info = { .status = 0 };
	struct sync_file_info req = { .num_fences = 1, .sync_fence_info = (uintptr_t)&info };
	int sync, ret;

	if (drmSyncobjExportSyncFile(drm->fd, (uint32_t)fence, &sync))
		return -errno;
	ret = drm_node_ioctl(sync, SYNC_IOC_FILE_INFO, &req);
	close(sync);
	*ended_ns = info.timestamp_ns;
	*woken_ns = drm->woken_ns;
	return ret;
}

static void drm_fence_free(void *priv, uint64_t fence)
{
	put_syncobj(priv, (uint32_t)fence);
}

static void drm_close(void *priv)
{
	struct drm_device *drm = priv;
	struct drm_lima_ctx_free req = { .id = drm->ctx };

	for (uint32_t i = 0; i < drm->num_spare; i++)
		drmSyncobjDestroy(drm->fd, drm->spare[i]);
	if (drm->has_ctx)
		drm_node_ioctl(drm->fd, DRM_IOCTL_LIMA_CTX_FREE, &req);
	close(drm->fd);
	free(drm);
}

static int drm_get_fd(void *priv)
{
	return ((struct drm_device *)priv)->fd;
}

static const struct limn_backend drm_backend = {
	.size = sizeof(drm_backend),
	.get_info = drm_get_info,
	.bo_create = drm_bo_create,
	.bo_free = drm_bo_free,
	.submit = drm_submit,
	.submit_batch = drm_submit_batch,
	.wait = drm_wait,
	.fence_times = drm_fence_times,
	.fence_free = drm_fence_free,
	.close = drm_close,
	.bo_label = drm_bo_label,
	.get_fd = drm_get_fd,
	.bo_import = drm_bo_import,
	.fence_file = drm_fence_file,
};

int limn_open(const char *path, struct limn_device **dev, struct limn_error *err)
{
	struct drm_lima_ctx_create ctx = { 0 };
	struct drm_device *drm = calloc(1, sizeof(*drm));
	int ret;

	if (!drm)
		return limn_fail(err, -ENOMEM, "out of memory");
	drm->fd = drm_node_open("lima", path, drm->path, sizeof(drm->path), err);
	if (drm->fd < 0) {
		ret = drm->fd;
		free(drm);
		return ret;
	}
	ret = drm_node_ioctl(drm->fd, DRM_IOCTL_LIMA_CTX_CREATE, &ctx);
	if (ret) {
		limn_fail(err, ret, "%s: CTX_CREATE: %s", drm->path, strerror(-ret));
		drm_close(drm);
		return ret;
	}
	drm->ctx = ctx.id;
	drm->has_ctx = true;
	drm->has_batches = drm_node_features(drm->fd) & DRM_LIMN_FEATURE_SUBMIT;
	return limn_open_backend(&drm_backend, drm, dev, err);
}
