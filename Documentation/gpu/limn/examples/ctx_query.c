// SPDX-License-Identifier: MIT
#include <errno.h>
#include <sys/ioctl.h>
#include <drm/limn_drm.h>

/*
 * What glGetGraphicsResetStatus() asks: has the context been part of a reset since
 * the last call? *seen begins as zero. An enum drm_limn_reset, or -errno.
 */
int example_reset_status(int fd, __u32 ctx, struct drm_limn_ctx_query *seen)
{
	struct drm_limn_ctx_query now = { .id = ctx };
	int ret = DRM_LIMN_RESET_NONE;

	if (ioctl(fd, DRM_IOCTL_LIMN_CTX_QUERY, &now))
		return -errno;
	if (now.guilty != seen->guilty)
		ret = DRM_LIMN_RESET_GUILTY;
	else if (now.innocent != seen->innocent)
		ret = DRM_LIMN_RESET_INNOCENT;
	*seen = now;
	return ret;
}
