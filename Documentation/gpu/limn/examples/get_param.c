// SPDX-License-Identifier: MIT
#include <sys/ioctl.h>
#include <drm/limn_drm.h>

/* Does this node have all of these DRM_LIMN_FEATURE_*? */
int example_has_features(int fd, __u64 features)
{
	struct drm_limn_get_param req = { .param = DRM_LIMN_PARAM_FEATURES };

	/* Any other driver does not know the ioctl. */
	if (ioctl(fd, DRM_IOCTL_LIMN_GET_PARAM, &req))
		return 0;
	return (req.value & features) == features;
}
