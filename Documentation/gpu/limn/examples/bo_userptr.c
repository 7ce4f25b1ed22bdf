// SPDX-License-Identifier: MIT
#include <errno.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <drm/limn_drm.h>

/* Lets the GPU read memory that is there already, such as a mapped file. 0 or -errno. */
int example_bo_userptr(int fd, const void *pages, __u64 size, __u32 *handle, __u64 *va)
{
	struct drm_limn_bo_userptr req = {
		.addr = (uintptr_t)pages,
		.size = size,
		.flags = DRM_LIMN_BO_READONLY,
	};

	if (ioctl(fd, DRM_IOCTL_LIMN_BO_USERPTR, &req))
		return -errno;
	*handle = req.handle;
	*va = req.va;
	return 0;
}
