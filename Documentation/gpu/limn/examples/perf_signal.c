// SPDX-License-Identifier: MIT
#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>
#include <drm/limn_drm.h>

/* The signal with this name, for a perfmon. 0 or -errno: EINVAL when there is none. */
int example_perf_signal(int fd, __u32 domain, const char *name,
			struct drm_limn_perf_counter *counter)
{
	struct drm_limn_perf_signal req = { .domain = domain };

	while (!ioctl(fd, DRM_IOCTL_LIMN_PERF_SIGNAL, &req)) {
		if (!strcmp(req.name, name)) {
			counter->domain = domain;
			counter->signal = req.signal;
			return 0;
		}
		req.index++;
	}
	return -errno;
}
