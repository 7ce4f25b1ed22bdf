// SPDX-License-Identifier: MIT
#include <errno.h>
#include <sys/ioctl.h>
#include <drm/limn_drm.h>

int example_perfmon_destroy(int fd, __u32 perfmon)
{
	struct drm_limn_perfmon_destroy req = { .id = perfmon };

	return ioctl(fd, DRM_IOCTL_LIMN_PERFMON_DESTROY, &req) ? -errno : 0;
}
