// SPDX-License-Identifier: MIT
#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>
#include <drm/limn_drm.h>

/* The number of the domain with this name, or -errno: EINVAL when there is none. */
int example_perf_domain(int fd, const char *name)
{
	struct drm_limn_perf_domain req = { .domain = 0 };

	while (!ioctl(fd, DRM_IOCTL_LIMN_PERF_DOMAIN, &req)) {
		if (!strcmp(req.name, name))
			return req.domain;
		req.domain++;
	}
	return -errno;
}
