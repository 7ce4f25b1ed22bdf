// SPDX-License-Identifier: MIT
#include <errno.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <drm/limn_drm.h>

/* Nanoseconds that a job was on the hardware; 0: it is not done, or forgotten; or -errno. */
__s64 example_job_time(int fd, __u32 ctx, __u64 id)
{
	struct drm_limn_job_stat stat;
	struct drm_limn_job_stats req = {
		.ctx = ctx,
		.first = id,
		.stats = DRM_LIMN_ARRAY(&stat, 1),
	};

	if (ioctl(fd, DRM_IOCTL_LIMN_JOB_STATS, &req))
		return -errno;
	if (!req.stats.count || stat.id != id || !stat.ended_ns || !stat.started_ns)
		return 0;
	return stat.ended_ns - stat.started_ns;
}
