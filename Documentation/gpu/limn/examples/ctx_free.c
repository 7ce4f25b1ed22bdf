// SPDX-License-Identifier: MIT
#include <errno.h>
#include <sys/ioctl.h>
#include <drm/limn_drm.h>

/* What was submitted still runs. */
int example_ctx_free(int fd, __u32 ctx)
{
	struct drm_limn_ctx_free req = { .id = ctx };

	return ioctl(fd, DRM_IOCTL_LIMN_CTX_FREE, &req) ? -errno : 0;
}
