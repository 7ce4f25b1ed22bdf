// SPDX-License-Identifier: MIT
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <xf86drm.h>

#include "igt.h"
#include "lima_lib.h"

#define DEFAULT_TIMEOUT_MS	10000	/* lima's, when the parameter is 0 */

static char node_path[64];
static unsigned int patience;

static bool speaks_lima(int fd)
{
	drmVersionPtr version = drmGetVersion(fd);
	bool yes = version && !strcmp(version->name, "lima");

	drmFreeVersion(version);
	return yes;
}

int lima_try_open(void)
{
	int fd;

	for (int minor = 128; minor < 192; minor++) {
		snprintf(node_path, sizeof(node_path), "/dev/dri/renderD%d", minor);
		fd = open(node_path, O_RDWR | O_CLOEXEC);
		if (fd < 0)
			continue;
		if (speaks_lima(fd))
			return fd;
		close(fd);
	}
	return -1;
}

int lima_open(void)
{
	int fd = lima_try_open();

	igt_require_f(fd >= 0, "no render node with the lima ABI\n");
	return fd;
}

const char *lima_module(void)
{
	static char name[32];
	char link[PATH_MAX], target[PATH_MAX];
	ssize_t n;

	if (name[0])
		return name;
	if (!node_path[0])
		close(lima_open());
	snprintf(link, sizeof(link), "/sys/class/drm/%s/device/driver/module", basename(node_path));
	n = readlink(link, target, sizeof(target) - 1);
	igt_assert(n > 0);
	target[n] = '\0';
	snprintf(name, sizeof(name), "%.31s", strrchr(target, '/') + 1);
	return name;
}

bool lima_is_limn(void)
{
	return !strcmp(lima_module(), "limn");
}

unsigned int lima_timeout_ms(void)
{
	char path[128];
	int ms = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/sys/module/%s/parameters/sched_timeout_ms", lima_module());
	file = fopen(path, "r");
	if (file) {
		if (fscanf(file, "%d", &ms) != 1)
			ms = 0;
		fclose(file);
	}
	return ms > 0 ? ms : DEFAULT_TIMEOUT_MS;
}

int lima_try(int fd, unsigned long request, void *arg)
{
	return igt_ioctl(fd, request, arg) ? -errno : 0;
}

int lima_try_once(int fd, unsigned long request, void *arg)
{
	return ioctl(fd, request, arg) ? -errno : 0;
}

uint64_t lima_param(int fd, uint32_t param)
{
	struct drm_lima_get_param req = { .param = param };

	igt_assert_eq(lima_try(fd, DRM_IOCTL_LIMA_GET_PARAM, &req), 0);
	return req.value;
}

uint32_t lima_num_pp(int fd)
{
	return lima_param(fd, DRM_LIMA_PARAM_NUM_PP);
}

int lima_try_create(int fd, uint32_t size, uint32_t flags, uint32_t *handle)
{
	struct drm_lima_gem_create req = { .size = size, .flags = flags };
	int ret = lima_try(fd, DRM_IOCTL_LIMA_GEM_CREATE, &req);

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

	igt_assert_eq(lima_try(fd, DRM_IOCTL_LIMA_GEM_INFO, &req), 0);
	if (va)
		*va = req.va;
	if (offset)
		*offset = req.offset;
}

int lima_try_wait(int fd, uint32_t handle, uint32_t op, int64_t timeout_ns)
{
	struct drm_lima_gem_wait req = { .handle = handle, .op = op, .timeout_ns = timeout_ns };

	return lima_try(fd, DRM_IOCTL_LIMA_GEM_WAIT, &req);
}

void lima_wait_idle(int fd, uint32_t handle)
{
	igt_assert_eq(lima_try_wait(fd, handle, LIMA_GEM_WAIT_READ | LIMA_GEM_WAIT_WRITE,
				    lima_time(lima_timeout_ms() * 2000000ll)), 0);
}

static struct lima_bo bo_new(int fd, uint32_t size, uint32_t flags)
{
	struct lima_bo bo = { .fd = fd, .size = size };
	uint64_t offset;

	bo.handle = lima_create(fd, size, flags);
	lima_info(fd, bo.handle, &bo.va, &offset);
	if (!(flags & LIMA_BO_FLAG_HEAP)) {
		bo.map = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, offset);
		igt_assert(bo.map != MAP_FAILED);
	}
	return bo;
}

struct lima_bo lima_bo_new(int fd, uint32_t size)
{
	return bo_new(fd, size, 0);
}

struct lima_bo lima_bo_heap(int fd, uint32_t size)
{
	return bo_new(fd, size, LIMA_BO_FLAG_HEAP);
}

void lima_bo_free(struct lima_bo *bo)
{
	if (bo->map)
		munmap(bo->map, bo->size);
	if (bo->handle)
		gem_close(bo->fd, bo->handle);
	memset(bo, 0, sizeof(*bo));
}

uint32_t lima_ctx_new(int fd)
{
	struct drm_lima_ctx_create req = { 0 };

	igt_assert_eq(lima_try(fd, DRM_IOCTL_LIMA_CTX_CREATE, &req), 0);
	return req.id;
}

int lima_try_ctx_free(int fd, uint32_t id)
{
	struct drm_lima_ctx_free req = { .id = id };

	return lima_try(fd, DRM_IOCTL_LIMA_CTX_FREE, &req);
}

void lima_job_use(struct lima_job *job, const struct lima_bo *bo, uint32_t flags)
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

	return lima_try(fd, DRM_IOCTL_LIMA_GEM_SUBMIT, &req);
}

void lima_submit(int fd, struct lima_job *job)
{
	igt_assert_eq(lima_try_submit(fd, job), 0);
}

int64_t lima_time(int64_t relative_ns)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * SEC_NS + now.tv_nsec + relative_ns;
}

uint32_t lima_submit_fence(int fd, struct lima_job *job)
{
	uint32_t fence = syncobj_create(fd, 0);

	job->out_sync = fence;
	lima_submit(fd, job);
	job->out_sync = 0;
	return fence;
}

int lima_fence_status(int fd, uint32_t syncobj)
{
	int file, status;

	if (drmSyncobjExportSyncFile(fd, syncobj, &file))
		return errno == EINVAL ? 0 : -errno;
	status = sync_fence_status(file);
	close(file);
	return status;
}

int lima_fence_end(int fd, uint32_t syncobj, unsigned int wait_ms)
{
	int ret, status;

	if (!wait_ms)
		wait_ms = patience ? lima_timeout_ms() * patience : lima_timeout_ms() * 5 / 2;
	ret = syncobj_wait_err(fd, &syncobj, 1, lima_time(wait_ms * 1000000ll), 0);
	igt_assert_f(!ret, "the job's fence: %s after %u ms\n", strerror(-ret), wait_ms);
	status = lima_fence_status(fd, syncobj);
	igt_assert_neq(status, 0);
	syncobj_destroy(fd, syncobj);
	return status < 0 ? status : 0;
}

void lima_be_patient(unsigned int timeouts)
{
	patience = timeouts;
}

int lima_run(int fd, struct lima_job *job)
{
	return lima_fence_end(fd, lima_submit_fence(fd, job), 0);
}

struct lima_gate lima_gate_new(int fd)
{
	struct lima_gate gate;
	int fence;

	igt_require_sw_sync();
	gate.timeline = sw_sync_timeline_create();
	gate.syncobj = syncobj_create(fd, 0);
	fence = sw_sync_timeline_create_fence(gate.timeline, 1);
	syncobj_import_sync_file(fd, gate.syncobj, fence);
	close(fence);
	return gate;
}

void lima_gate_open(const struct lima_gate *gate)
{
	sw_sync_timeline_inc(gate->timeline, 1);
}

void lima_gate_free(int fd, struct lima_gate *gate)
{
	close(gate->timeline);
	syncobj_destroy(fd, gate->syncobj);
}
