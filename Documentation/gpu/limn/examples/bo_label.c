// SPDX-License-Identifier: MIT
#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <drm/limn_drm.h>

/* How debugfs and dumps call the BO. 0 or -errno. */
int example_bo_label(int fd, __u32 handle, const char *name)
{
	struct drm_limn_bo_label req = {
		.handle = handle,
		.len = strnlen(name, DRM_LIMN_LABEL_MAX),
		.label = (uintptr_t)name,
	};

	return ioctl(fd, DRM_IOCTL_LIMN_BO_LABEL, &req) ? -errno : 0;
}
