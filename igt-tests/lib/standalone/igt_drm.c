// SPDX-License-Identifier: MIT
/* A small libigt.so.0: BOs, sync objects, sync files, software fences. See igt_core.c. */
#include <errno.h>
#include <fcntl.h>
#include <linux/sync_file.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <xf86drm.h>
#include "igt.h"
#include "igt_syncobj.h"
#include "sw_sync.h"

void gem_close(int fd, uint32_t handle)
{
	igt_assert_eq(drmCloseBufferHandle(fd, handle), 0);
}

int prime_handle_to_fd(int fd, uint32_t handle)
{
	int dma_buf = -1;

	igt_assert_eq(drmPrimeHandleToFD(fd, handle, DRM_CLOEXEC, &dma_buf), 0);
	return dma_buf;
}

uint32_t prime_fd_to_handle(int fd, int dma_buf)
{
	uint32_t handle = 0;

	igt_assert_eq(drmPrimeFDToHandle(fd, dma_buf, &handle), 0);
	return handle;
}

/* --- sync objects ----------------------------------------------------- */

uint32_t syncobj_create(int fd, uint32_t flags)
{
	uint32_t handle = 0;

	igt_assert_eq(drmSyncobjCreate(fd, flags, &handle), 0);
	return handle;
}

void syncobj_destroy(int fd, uint32_t handle)
{
	igt_assert_eq(drmSyncobjDestroy(fd, handle), 0);
}

int syncobj_handle_to_fd(int fd, uint32_t handle, uint32_t flags)
{
	struct drm_syncobj_handle args = { .handle = handle, .flags = flags, .fd = -1 };

	igt_assert_eq(igt_ioctl(fd, DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD, &args), 0);
	return args.fd;
}

uint32_t syncobj_fd_to_handle(int fd, int syncobj_fd, uint32_t flags)
{
	struct drm_syncobj_handle args = { .flags = flags, .fd = syncobj_fd };

	igt_assert_eq(igt_ioctl(fd, DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, &args), 0);
	return args.handle;
}

void syncobj_import_sync_file(int fd, uint32_t handle, int sync_file)
{
	igt_assert_eq(drmSyncobjImportSyncFile(fd, handle, sync_file), 0);
}

int syncobj_wait_err(int fd, uint32_t *handles, uint32_t count, uint64_t abs_timeout_nsec, uint32_t flags)
{
	struct drm_syncobj_wait args = {
		.handles = (uintptr_t)handles, .timeout_nsec = abs_timeout_nsec,
		.count_handles = count, .flags = flags,
	};

	return igt_ioctl(fd, DRM_IOCTL_SYNCOBJ_WAIT, &args) ? -errno : 0;
}

bool syncobj_wait(int fd, uint32_t *handles, uint32_t count, uint64_t abs_timeout_nsec, uint32_t flags,
		  uint32_t *first_signaled)
{
	struct drm_syncobj_wait args = {
		.handles = (uintptr_t)handles, .timeout_nsec = abs_timeout_nsec,
		.count_handles = count, .flags = flags,
	};

	if (igt_ioctl(fd, DRM_IOCTL_SYNCOBJ_WAIT, &args)) {
		igt_assert_eq(errno, ETIME);
		return false;
	}
	if (first_signaled)
		*first_signaled = args.first_signaled;
	return true;
}

void syncobj_reset(int fd, uint32_t *handles, uint32_t count)
{
	igt_assert_eq(drmSyncobjReset(fd, handles, count), 0);
}

void syncobj_signal(int fd, uint32_t *handles, uint32_t count)
{
	igt_assert_eq(drmSyncobjSignal(fd, handles, count), 0);
}

/* --- sync files ------------------------------------------------------- */

int sync_fence_status(int fence)
{
	struct sync_fence_info fence_info = { };
	struct sync_file_info info = { .num_fences = 1, .sync_fence_info = (uintptr_t)&fence_info };

	return ioctl(fence, SYNC_IOC_FILE_INFO, &info) < 0 ? -errno : info.status;
}

int sync_fence_wait(int fence, int timeout_ms)
{
	struct pollfd fd = { .fd = fence, .events = POLLIN };
	int n;

	do {
		n = poll(&fd, 1, timeout_ms);
	} while (n < 0 && (errno == EINTR || errno == EAGAIN));
	if (n < 0)
		return -errno;
	if (!n)
		return -ETIME;
	return fd.revents & (POLLERR | POLLNVAL) ? -EINVAL : 0;
}

/* --- software fences: linux/drivers/dma-buf/sw_sync.c ------------------ */

struct sw_sync_create_fence_data {
	uint32_t value;
	char name[32];
	int32_t fence;
};
#define SW_SYNC_IOC_CREATE_FENCE	_IOWR('W', 0, struct sw_sync_create_fence_data)
#define SW_SYNC_IOC_INC			_IOW('W', 1, uint32_t)

static int sw_sync_open(void)
{
	return open("/sys/kernel/debug/sync/sw_sync", O_RDWR | O_CLOEXEC);
}

void igt_require_sw_sync(void)
{
	int fd = sw_sync_open();

	igt_require_f(fd >= 0, "the kernel has no software fences (CONFIG_SW_SYNC)\n");
	close(fd);
}

int sw_sync_timeline_create(void)
{
	int fd = sw_sync_open();

	igt_assert_fd(fd);
	return fd;
}

int sw_sync_timeline_create_fence(int timeline, uint32_t seqno)
{
	struct sw_sync_create_fence_data data = { .value = seqno, .name = "limn" };

	igt_assert_eq(ioctl(timeline, SW_SYNC_IOC_CREATE_FENCE, &data), 0);
	return data.fence;
}

void sw_sync_timeline_inc(int timeline, uint32_t count)
{
	igt_assert_eq(ioctl(timeline, SW_SYNC_IOC_INC, &count), 0);
}
