// SPDX-License-Identifier: MIT
#include <errno.h>
#include <sys/ioctl.h>
#include <drm/limn_drm.h>

/* Memory that the CPU reads much, at a GPU address of the caller's choice. 0 or -errno. */
int example_bo_create(int fd, __u64 size, __u64 va, __u32 *handle)
{
	struct drm_limn_bo_create req = {
		.size = size,
		.va = va,
		.flags = DRM_LIMN_BO_CACHED | DRM_LIMN_BO_FIXED_VA,
	};

	if (ioctl(fd, DRM_IOCTL_LIMN_BO_CREATE, &req))
		return -errno;
	*handle = req.handle;
	return 0;
}
