// SPDX-License-Identifier: MIT
#include <errno.h>
#include <sys/ioctl.h>
#include <drm/limn_drm.h>

static int advise(int fd, __u32 handle, __u32 advice)
{
	struct drm_limn_bo_madvise req = { .handle = handle, .advice = advice };

	return ioctl(fd, DRM_IOCTL_LIMN_BO_MADVISE, &req) ? -errno : (int)req.retained;
}

/* A BO goes into a cache of free ones. */
int example_cache_put(int fd, __u32 handle)
{
	return advise(fd, handle, DRM_LIMN_MADV_DONTNEED);
}

/* And comes back: 1, or 0 when its memory is gone and its handle is to be closed. */
int example_cache_get(int fd, __u32 handle)
{
	return advise(fd, handle, DRM_LIMN_MADV_WILLNEED);
}
