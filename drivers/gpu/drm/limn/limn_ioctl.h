/* SPDX-License-Identifier: GPL-2.0-only */
/* The ioctls of <drm/limn_drm.h>, which every backend's drm_driver has. */
#ifndef LIMN_IOCTL_H
#define LIMN_IOCTL_H

#include <drm/drm_ioctl.h>
#include <drm/limn_drm.h>

struct drm_device;
struct drm_file;

/* See &struct drm_limn_array for what these return. */
int limn_array_check(const struct drm_limn_array *array, size_t size);
int limn_array_read(const struct drm_limn_array *array, void *to, size_t size);
int limn_array_write(const struct drm_limn_array *array, u32 at, const void *from, size_t size);

/* The value of DRM_LIMN_PARAM_FEATURES: which of the ioctls below there are. */
#define LIMN_FEATURES	(DRM_LIMN_FEATURE_SUBMIT | DRM_LIMN_FEATURE_CTX |			\
			 DRM_LIMN_FEATURE_BO | DRM_LIMN_FEATURE_FIXED_VA |			\
			 DRM_LIMN_FEATURE_USERPTR | DRM_LIMN_FEATURE_MADVISE |		\
			 DRM_LIMN_FEATURE_LABEL | DRM_LIMN_FEATURE_JOB_STATS |	\
			 DRM_LIMN_FEATURE_PERFMON)

/* The most entries of an array of struct drm_limn_sync. */
#define LIMN_MAX_SYNCS	256

/* Rows for the &drm_driver.ioctls of a backend, behind its own. */
#define LIMN_IOCTLS										\
	DRM_IOCTL_DEF_DRV(LIMN_GET_PARAM, limn_ioctl_get_param, DRM_RENDER_ALLOW),		\
	DRM_IOCTL_DEF_DRV(LIMN_SUBMIT, limn_ioctl_submit, DRM_RENDER_ALLOW),			\
	DRM_IOCTL_DEF_DRV(LIMN_CTX_CREATE, limn_ioctl_ctx_create, DRM_RENDER_ALLOW),		\
	DRM_IOCTL_DEF_DRV(LIMN_CTX_FREE, limn_ioctl_ctx_free, DRM_RENDER_ALLOW),		\
	DRM_IOCTL_DEF_DRV(LIMN_CTX_QUERY, limn_ioctl_ctx_query, DRM_RENDER_ALLOW),		\
	DRM_IOCTL_DEF_DRV(LIMN_BO_CREATE, limn_ioctl_bo_create, DRM_RENDER_ALLOW),		\
	DRM_IOCTL_DEF_DRV(LIMN_BO_USERPTR, limn_ioctl_bo_userptr, DRM_RENDER_ALLOW),		\
	DRM_IOCTL_DEF_DRV(LIMN_BO_INFO, limn_ioctl_bo_info, DRM_RENDER_ALLOW),			\
	DRM_IOCTL_DEF_DRV(LIMN_BO_MADVISE, limn_ioctl_bo_madvise, DRM_RENDER_ALLOW),		\
	DRM_IOCTL_DEF_DRV(LIMN_BO_LABEL, limn_ioctl_bo_label, DRM_RENDER_ALLOW),		\
	DRM_IOCTL_DEF_DRV(LIMN_BO_SYNC, limn_ioctl_bo_sync, DRM_RENDER_ALLOW),			\
	DRM_IOCTL_DEF_DRV(LIMN_JOB_STATS, limn_ioctl_job_stats, DRM_RENDER_ALLOW),		\
	DRM_IOCTL_DEF_DRV(LIMN_PERF_DOMAIN, limn_ioctl_perf_domain, DRM_RENDER_ALLOW),		\
	DRM_IOCTL_DEF_DRV(LIMN_PERF_SIGNAL, limn_ioctl_perf_signal, DRM_RENDER_ALLOW),		\
	DRM_IOCTL_DEF_DRV(LIMN_PERFMON_CREATE, limn_ioctl_perfmon_create, DRM_RENDER_ALLOW),	\
	DRM_IOCTL_DEF_DRV(LIMN_PERFMON_READ, limn_ioctl_perfmon_read, DRM_RENDER_ALLOW),	\
	DRM_IOCTL_DEF_DRV(LIMN_PERFMON_DESTROY, limn_ioctl_perfmon_destroy, DRM_RENDER_ALLOW)

int limn_ioctl_get_param(struct drm_device *drm, void *data, struct drm_file *file);
int limn_ioctl_submit(struct drm_device *drm, void *data, struct drm_file *file);
int limn_ioctl_ctx_create(struct drm_device *drm, void *data, struct drm_file *file);
int limn_ioctl_ctx_free(struct drm_device *drm, void *data, struct drm_file *file);
int limn_ioctl_ctx_query(struct drm_device *drm, void *data, struct drm_file *file);
int limn_ioctl_bo_create(struct drm_device *drm, void *data, struct drm_file *file);
int limn_ioctl_bo_userptr(struct drm_device *drm, void *data, struct drm_file *file);
int limn_ioctl_bo_info(struct drm_device *drm, void *data, struct drm_file *file);
int limn_ioctl_bo_madvise(struct drm_device *drm, void *data, struct drm_file *file);
int limn_ioctl_bo_label(struct drm_device *drm, void *data, struct drm_file *file);
int limn_ioctl_bo_sync(struct drm_device *drm, void *data, struct drm_file *file);
int limn_ioctl_job_stats(struct drm_device *drm, void *data, struct drm_file *file);
int limn_ioctl_perf_domain(struct drm_device *drm, void *data, struct drm_file *file);
int limn_ioctl_perf_signal(struct drm_device *drm, void *data, struct drm_file *file);
int limn_ioctl_perfmon_create(struct drm_device *drm, void *data, struct drm_file *file);
int limn_ioctl_perfmon_read(struct drm_device *drm, void *data, struct drm_file *file);
int limn_ioctl_perfmon_destroy(struct drm_device *drm, void *data, struct drm_file *file);

#endif
