// SPDX-License-Identifier: MIT
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <drm/limn_drm.h>

/* The BO in the caller's address space; MAP_FAILED, and errno. */
void *example_bo_map(int fd, __u32 handle, __u64 *size)
{
	struct drm_limn_bo_info req = { .handle = handle };

	if (ioctl(fd, DRM_IOCTL_LIMN_BO_INFO, &req))
		return MAP_FAILED;
	*size = req.size;
	return mmap(NULL, req.size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, req.offset);
}
