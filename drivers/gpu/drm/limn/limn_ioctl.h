/* SPDX-License-Identifier: GPL-2.0-only */
/* The ioctls of <drm/limn_drm.h>, which every backend's drm_driver has. */
#ifndef LIMN_IOCTL_H
#define LIMN_IOCTL_H

#include <drm/drm_ioctl.h>
#include <drm/limn_drm.h>

struct drm_device;
struct drm_file;

/* What DRM_LIMN_PARAM_FEATURES tells: that these rows are there. */
#define LIMN_FEATURES	0

/* Rows for the &drm_driver.ioctls of a backend, behind its own. */
#define LIMN_IOCTLS \
	DRM_IOCTL_DEF_DRV(LIMN_GET_PARAM, limn_ioctl_get_param, DRM_RENDER_ALLOW)

int limn_ioctl_get_param(struct drm_device *drm, void *data, struct drm_file *file);

#endif
