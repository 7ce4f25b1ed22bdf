// SPDX-License-Identifier: MIT
#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>
#include <drm/limn_drm.h>

/* Fills a cached BO, mapped at map, for jobs that are submitted afterwards. 0 or -errno. */
int example_bo_fill(int fd, __u32 handle, void *map, const void *data, __u64 size)
{
	struct drm_limn_bo_sync req = {
		.handle = handle,
		.flags = DRM_LIMN_SYNC_FOR_DEVICE,
		.size = size,
	};

	memcpy(map, data, size);
	return ioctl(fd, DRM_IOCTL_LIMN_BO_SYNC, &req) ? -errno : 0;
}
