// SPDX-License-Identifier: MIT
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>

#include "igt.h"
#include "gpu_sys.h"
#include "limn_bo.h"

int limn_try_bo(int fd, struct drm_limn_bo_create *req)
{
	return gpu_try(fd, DRM_IOCTL_LIMN_BO_CREATE, req);
}

struct gpu_bo limn_bo_new(int fd, uint32_t size, uint32_t flags, uint64_t va)
{
	struct drm_limn_bo_create req = {
		.size = size,
		.va = va,
		.flags = flags | (va ? DRM_LIMN_BO_FIXED_VA : 0),
	};
	struct gpu_bo bo = { .fd = fd, .size = size };
	struct drm_limn_bo_info info;

	igt_assert_eq(limn_try_bo(fd, &req), 0);
	bo.handle = req.handle;
	bo.va = req.va;
	info = limn_bo_info(fd, bo.handle);
	if (info.offset) {
		bo.map = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, info.offset);
		igt_assert(bo.map != MAP_FAILED);
	}
	return bo;
}

struct drm_limn_bo_info limn_bo_info(int fd, uint32_t handle)
{
	struct drm_limn_bo_info req = { .handle = handle };

	igt_assert_eq(gpu_try(fd, DRM_IOCTL_LIMN_BO_INFO, &req), 0);
	return req;
}

int limn_try_madvise(int fd, uint32_t handle, uint32_t advice)
{
	struct drm_limn_bo_madvise req = { .handle = handle, .advice = advice, .retained = 77 };
	int ret = gpu_try(fd, DRM_IOCTL_LIMN_BO_MADVISE, &req);

	if (ret)
		igt_assert_eq_u32(req.retained, 77);
	else
		igt_assert(req.retained <= 1);
	return ret ?: (int)req.retained;
}

int limn_try_userptr(int fd, void *addr, uint64_t size, uint32_t flags, uint32_t *handle)
{
	struct drm_limn_bo_userptr req = { .addr = (uintptr_t)addr, .size = size, .flags = flags };
	int ret = gpu_try(fd, DRM_IOCTL_LIMN_BO_USERPTR, &req);

	*handle = req.handle;
	return ret;
}

void limn_drop_slab(void)
{
	igt_require(sys_write("/proc/sys/vm/drop_caches", "4") != -ENOENT);	/* 4: without a line in the log */
	igt_assert_eq(sys_write("/proc/sys/vm/drop_caches", "2"), 0);
}

static sigjmp_buf after_sigbus;

static void on_sigbus(int sig)
{
	siglongjmp(after_sigbus, 1);
}

bool limn_sigbus(volatile uint32_t *word, bool write)
{
	struct sigaction act = { .sa_handler = on_sigbus }, old;
	volatile bool hit = true;

	sigaction(SIGBUS, &act, &old);
	if (!sigsetjmp(after_sigbus, 1)) {
		if (write)
			*word = 1;
		else
			(void)*word;
		hit = false;
	}
	sigaction(SIGBUS, &old, NULL);
	return hit;
}
