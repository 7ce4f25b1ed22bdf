// SPDX-License-Identifier: MIT
#include <errno.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <drm/limn_drm.h>

/* The sums since the last call, and over how many jobs. 0 or -errno. */
int example_perfmon_read(int fd, __u32 perfmon, __u64 *values, __u32 count, __u64 *jobs)
{
	struct drm_limn_perfmon_read req = {
		.id = perfmon,
		.flags = DRM_LIMN_PERFMON_RESET,
		.values = DRM_LIMN_ARRAY(values, count),
	};

	if (ioctl(fd, DRM_IOCTL_LIMN_PERFMON_READ, &req))
		return -errno;
	*jobs = req.jobs;
	return 0;
}
