// SPDX-License-Identifier: GPL-2.0-only
/*
 * The extension ABI of <drm/limn_drm.h>: layout, parameters.
 *
 * The errors of each ioctl stand in that header, at its structure.
 */
#include <linux/build_bug.h>
#include <linux/capability.h>
#include <linux/nospec.h>
#include <linux/stddef.h>
#include <linux/uaccess.h>

#include "limn_ctx.h"
#include "limn_device.h"
#include "limn_drv.h"
#include "limn_ioctl.h"
#include "limn_perfmon.h"
#include "limn_submit.h"

/* Sizes, and the place of each last field, are those of 32-bit and 64-bit machines alike. */
#define LIMN_LAYOUT(name, size, last, offset)				\
	static_assert(sizeof(struct drm_limn_##name) == (size) &&	\
		      offsetof(struct drm_limn_##name, last) == (offset))

LIMN_LAYOUT(array, 16, stride, 12);
LIMN_LAYOUT(get_param, 16, value, 8);
LIMN_LAYOUT(sync, 16, point, 8);
LIMN_LAYOUT(submit_bo, 16, write, 12);
LIMN_LAYOUT(job, 64, out_syncs, 48);
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
LIMN_LAYOUT(job_stats, 32, stats, 16);
LIMN_LAYOUT(perf_domain, 48, name, 16);
LIMN_LAYOUT(perf_signal, 80, name, 16);
LIMN_LAYOUT(perf_counter, 8, signal, 4);
LIMN_LAYOUT(perfmon_create, 24, counters, 8);
LIMN_LAYOUT(perfmon_read, 32, values, 16);
LIMN_LAYOUT(perfmon_destroy, 8, pad, 4);

/* Whether the entries of an array may be read or written as @size bytes each: 0 or -EINVAL. */
int limn_array_check(const struct drm_limn_array *array, size_t size)
{
	if (!array->count)
		return 0;
	if (array->stride < size || array->stride > SZ_4K || !IS_ALIGNED(array->stride, 8))
		return -EINVAL;
	return 0;
}

/* Copies all entries, of @size bytes each, to @to. 0, -EINVAL, -E2BIG, -EFAULT. */
int limn_array_read(const struct drm_limn_array *array, void *to, size_t size)
{
	u32 i;
	int ret = limn_array_check(array, size);

	if (ret || !array->count)
		return ret;
	if (array->stride == size)
		return copy_from_user(to, u64_to_user_ptr(array->ptr), array->count * size) ?
		       -EFAULT : 0;
	for (i = 0; !ret && i < array->count; i++)
		ret = copy_struct_from_user(to + i * size, size,
					    u64_to_user_ptr(array->ptr + (u64)i * array->stride),
					    array->stride);
	return ret;
}

/* Writes entry @at; what the caller knows beyond @size bytes is zero. 0, -EFAULT. */
int limn_array_write(const struct drm_limn_array *array, u32 at, const void *from, size_t size)
{
	void __user *to = u64_to_user_ptr(array->ptr + (u64)at * array->stride);

	if (copy_to_user(to, from, size) || clear_user(to + size, array->stride - size))
		return -EFAULT;
	return 0;
}

/* DRM_IOCTL_LIMN_GET_PARAM */
int limn_ioctl_get_param(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct limn_device *ldev = to_limn_device(drm);
	struct drm_limn_get_param *args = data;
	const u64 values[] = {
		[DRM_LIMN_PARAM_FEATURES] = LIMN_FEATURES,
		[DRM_LIMN_PARAM_NUM_QUEUES] = ldev->num_pipes,
		[DRM_LIMN_PARAM_MAX_JOBS] = LIMN_MAX_SUBMIT_JOBS,
		[DRM_LIMN_PARAM_MAX_BOS] = LIMN_MAX_SUBMIT_BOS,
		[DRM_LIMN_PARAM_MAX_SYNCS] = LIMN_MAX_SYNCS,
		[DRM_LIMN_PARAM_TIMEOUT_MS] = limn_timeout_ms(ldev),
		[DRM_LIMN_PARAM_MAX_TIMEOUT_MS] = limn_timeout_limit_ms(ldev),
		[DRM_LIMN_PARAM_MAX_PRIORITY] = ns_capable_noaudit(&init_user_ns, CAP_SYS_NICE) ?
						(u64)DRM_LIMN_PRIORITY_HIGH :
						(u64)DRM_LIMN_PRIORITY_NORMAL,
		[DRM_LIMN_PARAM_VA_START] = ldev->va_start,
		[DRM_LIMN_PARAM_VA_END] = ldev->va_end,
		[DRM_LIMN_PARAM_RESETS] = atomic64_read(&ldev->resets),
		[DRM_LIMN_PARAM_NUM_PERF_DOMAINS] = limn_perf_num_domains(ldev),
		[DRM_LIMN_PARAM_ISOLATION] = ldev->isolation,
	};

	if (args->pad || args->param >= ARRAY_SIZE(values))
		return -EINVAL;
	args->value = values[array_index_nospec(args->param, ARRAY_SIZE(values))];
	return 0;
}

/* DRM_IOCTL_LIMN_CTX_CREATE */
int limn_ioctl_ctx_create(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_limn_ctx_create *args = data;
	const struct limn_ctx_args ctx = {
		.priority = args->priority,
		.timeout_ms = args->timeout_ms,
		.bannable = true,
	};

	if (args->flags || args->priority < DRM_LIMN_PRIORITY_LOW ||
	    args->priority > DRM_LIMN_PRIORITY_HIGH)
		return -EINVAL;
	if (args->priority > DRM_LIMN_PRIORITY_NORMAL && !capable(CAP_SYS_NICE))
		return -EPERM;
	if (args->timeout_ms > limn_timeout_limit_ms(to_limn_device(drm)))
		return -ERANGE;
	return limn_ctx_create(to_limn_device(drm), to_limn_file(file), &ctx, &args->id);
}

/* DRM_IOCTL_LIMN_CTX_FREE */
int limn_ioctl_ctx_free(struct drm_device *drm, void *data, struct drm_file *file)
{
	const struct drm_limn_ctx_free *args = data;

	if (args->pad)
		return -EINVAL;
	return limn_ctx_free(to_limn_file(file), args->id) ? -ENOENT : 0;
}

/* DRM_IOCTL_LIMN_CTX_QUERY */
int limn_ioctl_ctx_query(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_limn_ctx_query *args = data;
	struct limn_ctx_resets resets;
	struct limn_ctx *ctx;

	if (args->flags)
		return -EINVAL;
	ctx = limn_ctx_lookup(to_limn_file(file), args->id);
	if (!ctx)
		return -ENOENT;
	spin_lock_irq(&ctx->reset_lock);
	resets = ctx->resets;
	args->banned = ctx->banned;
	spin_unlock_irq(&ctx->reset_lock);

	args->reset = resets.last;
	args->guilty = resets.guilty;
	args->innocent = resets.innocent;
	args->fault_job = resets.fault_job;
	args->fault_addr = resets.fault_addr;
	args->fault_error = resets.fault_error;
	args->fault_queue = resets.fault_pipe;
	args->priority = ctx->args.priority;
	args->timeout_ms = ctx->args.timeout_ms;
	limn_ctx_put(ctx);
	return 0;
}
