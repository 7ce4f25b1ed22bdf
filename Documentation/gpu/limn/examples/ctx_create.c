// SPDX-License-Identifier: MIT
#include <errno.h>
#include <sys/ioctl.h>
#include <drm/limn_drm.h>

/* A context for work that can wait, whose jobs may take up to 2 s. 0 or -errno. */
int example_ctx_create(int fd, __u32 *ctx)
{
	struct drm_limn_ctx_create req = { .priority = DRM_LIMN_PRIORITY_LOW, .timeout_ms = 2000 };
	int ret = ioctl(fd, DRM_IOCTL_LIMN_CTX_CREATE, &req);

	if (ret && errno == ERANGE) {
		/* The administrator's limit is lower: be content with the default. */
		req.timeout_ms = 0;
		ret = ioctl(fd, DRM_IOCTL_LIMN_CTX_CREATE, &req);
	}
	*ctx = req.id;
	return ret ? -errno : 0;
}
