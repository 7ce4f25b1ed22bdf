// SPDX-License-Identifier: GPL-2.0-only
/*
 * The extension ABI of <drm/limn_drm.h>: layout, parameters.
 *
 * Which errors each ioctl has is said there, at its structure.
 */
#include <linux/build_bug.h>
#include <linux/stddef.h>

#include "limn_device.h"
#include "limn_drv.h"
#include "limn_ioctl.h"

/* The same on 32-bit and 64-bit machines: sizes, and the last field of each. */
#define LIMN_LAYOUT(name, size, last, offset)				\
	static_assert(sizeof(struct drm_limn_##name) == (size) &&	\
		      offsetof(struct drm_limn_##name, last) == (offset))

LIMN_LAYOUT(get_param, 16, value, 8);
LIMN_LAYOUT(sync, 16, point, 8);
LIMN_LAYOUT(submit_bo, 16, write, 12);
LIMN_LAYOUT(job, 56, num_out_syncs, 52);
LIMN_LAYOUT(submit, 48, first_id, 40);
LIMN_LAYOUT(ctx_create, 16, id, 12);
LIMN_LAYOUT(ctx_free, 8, pad, 4);
LIMN_LAYOUT(ctx_query, 64, timeout_ms, 60);
LIMN_LAYOUT(bo_create, 24, handle, 20);
LIMN_LAYOUT(bo_userptr, 32, handle, 28);
LIMN_LAYOUT(bo_info, 40, resident, 32);
LIMN_LAYOUT(bo_madvise, 16, pad, 12);
LIMN_LAYOUT(bo_label, 16, label, 8);
LIMN_LAYOUT(bo_sync, 24, size, 16);
LIMN_LAYOUT(job_stat, 40, error, 36);
LIMN_LAYOUT(job_stats, 24, stats, 16);
LIMN_LAYOUT(perf_domain, 48, name, 16);
LIMN_LAYOUT(perf_signal, 80, name, 16);
LIMN_LAYOUT(perf_counter, 8, signal, 4);
LIMN_LAYOUT(perfmon_create, 24, counters, 16);
LIMN_LAYOUT(perfmon_read, 32, values, 24);
LIMN_LAYOUT(perfmon_destroy, 8, pad, 4);

/* DRM_IOCTL_LIMN_GET_PARAM */
int limn_ioctl_get_param(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct limn_device *ldev = to_limn_device(drm);
	struct drm_limn_get_param *args = data;

	if (args->pad)
		return -EINVAL;
	switch (args->param) {
	case DRM_LIMN_PARAM_FEATURES:
		args->value = LIMN_FEATURES;
		return 0;
	case DRM_LIMN_PARAM_NUM_QUEUES:
		args->value = ldev->be->num_pipes;
		return 0;
	case DRM_LIMN_PARAM_VA_START:
		args->value = ldev->be->va_start;
		return 0;
	case DRM_LIMN_PARAM_VA_END:
		args->value = ldev->va_end;
		return 0;
	default:
		return -EINVAL;
	}
}
