// SPDX-License-Identifier: MIT
#include <errno.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <drm/limn_drm.h>

/* Counts what the jobs do that name it in drm_limn_job.perfmon. 0 or -errno. */
int example_perfmon_create(int fd, const struct drm_limn_perf_counter *counters, __u32 count,
			   __u32 *perfmon)
{
	struct drm_limn_perfmon_create req = {
		.counters = DRM_LIMN_ARRAY(counters, count),
	};

	if (ioctl(fd, DRM_IOCTL_LIMN_PERFMON_CREATE, &req))
		return -errno;
	*perfmon = req.id;
	return 0;
}
