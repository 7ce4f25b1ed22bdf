// SPDX-License-Identifier: GPL-2.0-only
/*
 * The BO ioctls of <drm/limn_drm.h>; their errors stand there.
 */
#include <linux/ctype.h>
#include <linux/dma-mapping.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <drm/drm_drv.h>
#include <drm/drm_file.h>

#include "limn_device.h"
#include "limn_drv.h"
#include "limn_gem.h"
#include "limn_ioctl.h"
#include "limn_shrinker.h"
#include "limn_vm.h"

/*
 * The GPU address of a BO in this file; 0: it has none any more. -ENOENT when its handle is being
 * closed, or what limn_mapping_locate() says.
 */
int limn_bo_va(struct drm_file *file, struct limn_bo *bo, u64 *va)
{
	struct limn_mapping *mapping = limn_mapping_get(to_limn_file(file)->vm, bo);
	int ret;

	if (!mapping)
		return -ENOENT;
	ret = limn_mapping_locate(mapping, va);
	limn_mapping_put(mapping);
	return ret;
}

static bool limn_bo_va_is_bad(u64 va, u32 flags)
{
	return flags & DRM_LIMN_BO_FIXED_VA ? va % SZ_4K : va;
}

static u64 limn_bo_wanted_va(u64 va, u32 flags)
{
	return flags & DRM_LIMN_BO_FIXED_VA ? va : LIMN_VA_ANY;
}

/* DRM_IOCTL_LIMN_BO_CREATE */
int limn_ioctl_bo_create(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_limn_bo_create *args = data;
	struct limn_gem_args gem = {
		.size = args->size,
		.va = limn_bo_wanted_va(args->va, args->flags),
		.heap = args->flags & DRM_LIMN_BO_HEAP,
		.caching = args->flags & DRM_LIMN_BO_CACHED ? LIMN_CACHED : LIMN_WRITE_COMBINED,
	};
	const u32 either = DRM_LIMN_BO_HEAP | DRM_LIMN_BO_CACHED;
	int ret;

	if (args->flags & ~(either | DRM_LIMN_BO_FIXED_VA) || (args->flags & either) == either ||
	    limn_bo_va_is_bad(args->va, args->flags))
		return -EINVAL;
	ret = limn_gem_create(file, drm, &gem, &args->handle);
	if (!ret)
		args->va = gem.va;
	return ret;
}

/* DRM_IOCTL_LIMN_BO_USERPTR */
int limn_ioctl_bo_userptr(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_limn_bo_userptr *args = data;
	struct limn_gem_args gem = {
		.size = args->size,
		.va = limn_bo_wanted_va(args->va, args->flags),
		.readonly = args->flags & DRM_LIMN_BO_READONLY,
	};
	int ret;

	if (args->flags & ~(DRM_LIMN_BO_READONLY | DRM_LIMN_BO_FIXED_VA) ||
	    limn_bo_va_is_bad(args->va, args->flags))
		return -EINVAL;
	if (gem.readonly && !(to_limn_device(drm)->isolation & DRM_LIMN_ISOLATION_READONLY))
		return -EOPNOTSUPP;
	ret = limn_gem_userptr(file, drm, args->addr, &gem, &args->handle);
	if (!ret)
		args->va = gem.va;
	return ret;
}

/* A BO cannot be mapped, or not any more: no offset for mmap(). */
static u64 limn_bo_mmap_offset(struct limn_bo *bo)
{
	if (bo->backing || limn_gem_is_purged(bo))
		return 0;
	return drm_vma_node_offset_addr(&bo->base.base.vma_node);
}

/* Does the CPU map the BO cached? The caches of imported memory are its exporter's matter. */
static bool limn_bo_is_cached(const struct limn_bo *bo)
{
	return limn_gem_is_userptr(bo) ||
	       (!bo->base.map_wc && !bo->backing && !bo->base.base.import_attach);
}

/* DRM_IOCTL_LIMN_BO_INFO */
int limn_ioctl_bo_info(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_limn_bo_info *args = data;
	struct drm_gem_object *obj = drm_gem_object_lookup(file, args->handle);
	struct limn_bo *bo;
	bool given_up, purged;
	int ret;
	u64 va;

	if (!obj)
		return -ENOENT;
	bo = to_limn_bo(obj);
	ret = limn_bo_va(file, bo, &va);
	if (ret)
		goto out;

	dma_resv_lock(obj->resv, NULL);
	purged = limn_gem_is_purged(bo);
	given_up = bo->base.madv && !purged;
	args->offset = limn_bo_mmap_offset(bo);
	args->resident = obj->funcs->rss(obj);
	dma_resv_unlock(obj->resv);

	args->flags = (bo->backing ? bo->backing->ops->kind : 0) |
		      (limn_bo_is_cached(bo) && !bo->backing ? DRM_LIMN_BO_CACHED : 0) |
		      (bo->readonly ? DRM_LIMN_BO_READONLY : 0) |
		      (obj->import_attach ? DRM_LIMN_BO_IMPORTED : 0) |
		      (given_up ? DRM_LIMN_BO_PURGEABLE : 0) |
		      (purged ? DRM_LIMN_BO_PURGED : 0);
	args->size = obj->size;
	args->va = va;
out:
	drm_gem_object_put(obj);
	return ret;
}

/* DRM_IOCTL_LIMN_BO_MADVISE */
int limn_ioctl_bo_madvise(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_limn_bo_madvise *args = data;
	struct drm_gem_object *obj;
	struct limn_bo *bo;
	int ret;

	if (args->pad || args->advice > DRM_LIMN_MADV_DONTNEED)
		return -EINVAL;
	obj = drm_gem_object_lookup(file, args->handle);
	if (!obj)
		return -ENOENT;
	bo = to_limn_bo(obj);
	if (bo->backing || obj->import_attach) {
		ret = -EINVAL;
		goto out;
	}
	ret = limn_gem_lock(obj);
	if (ret)
		goto out;
	if (bo->sharing == LIMN_BO_SHARED)
		ret = -EINVAL;	/* others may have it */
	else
		args->retained = limn_bo_madvise(bo, args->advice == DRM_LIMN_MADV_WILLNEED);
	dma_resv_unlock(obj->resv);
out:
	drm_gem_object_put(obj);
	return ret;
}

/* The label at @from, or NULL when it is empty. */
static char *limn_bo_label_copy(u64 from, u32 len)
{
	char *label;
	u32 i;

	if (!len)
		return NULL;
	label = memdup_user_nul(u64_to_user_ptr(from), len);
	if (IS_ERR(label))
		return label;
	for (i = 0; i < len; i++) {
		if (!isascii(label[i]) || !isprint(label[i])) {
			kfree(label);
			return ERR_PTR(-EINVAL);
		}
	}
	return label;
}

/* DRM_IOCTL_LIMN_BO_LABEL */
int limn_ioctl_bo_label(struct drm_device *drm, void *data, struct drm_file *file)
{
	const struct drm_limn_bo_label *args = data;
	struct drm_gem_object *obj;
	struct limn_bo *bo;
	char *label;

	if (args->len > DRM_LIMN_LABEL_MAX)
		return -EINVAL;
	label = limn_bo_label_copy(args->label, args->len);
	if (IS_ERR(label))
		return PTR_ERR(label);
	obj = drm_gem_object_lookup(file, args->handle);
	if (!obj) {
		kfree(label);
		return -ENOENT;
	}
	bo = to_limn_bo(obj);
	mutex_lock(&bo->lock);
	swap(bo->label, label);
	mutex_unlock(&bo->lock);
	kfree(label);
	drm_gem_object_put(obj);
	return 0;
}

static void limn_bo_sync_all(struct limn_bo *bo, bool for_cpu)
{
	enum dma_data_direction dir = limn_gem_dma_dir(bo);
	struct device *dev = bo->base.base.dev->dev;

	if (for_cpu)
		dma_sync_sgtable_for_cpu(dev, bo->base.sgt, dir);
	else
		dma_sync_sgtable_for_device(dev, bo->base.sgt, dir);
}

/* The pieces of [offset, offset + size) that lie next to each other for the device. */
static void limn_bo_sync_range(struct limn_bo *bo, u64 offset, u64 size, bool for_cpu)
{
	struct device *dev = bo->base.base.dev->dev;
	struct scatterlist *sg;
	unsigned int i;
	u64 at = 0;

	for_each_sgtable_dma_sg(bo->base.sgt, sg, i) {
		u64 len = sg_dma_len(sg);
		u64 from = max(at, offset), to = min(at + len, offset + size);

		if (from < to) {
			dma_addr_t dma = sg_dma_address(sg) + (from - at);

			if (for_cpu)
				dma_sync_single_for_cpu(dev, dma, to - from, DMA_BIDIRECTIONAL);
			else
				dma_sync_single_for_device(dev, dma, to - from, DMA_BIDIRECTIONAL);
		}
		at += len;
	}
}

/* DRM_IOCTL_LIMN_BO_SYNC */
int limn_ioctl_bo_sync(struct drm_device *drm, void *data, struct drm_file *file)
{
	const struct drm_limn_bo_sync *args = data;
	bool for_cpu = args->flags == DRM_LIMN_SYNC_FOR_CPU;
	struct drm_gem_object *obj;
	struct limn_bo *bo;
	int ret, idx;
	bool whole;

	if (!for_cpu && args->flags != DRM_LIMN_SYNC_FOR_DEVICE)
		return -EINVAL;
	obj = drm_gem_object_lookup(file, args->handle);
	if (!obj)
		return -ENOENT;
	bo = to_limn_bo(obj);
	if (args->offset > obj->size || args->size > obj->size - args->offset) {
		ret = -EINVAL;
		goto out_put;
	}
	if (!drm_dev_enter(drm, &idx)) {
		ret = -ENODEV;
		goto out_put;
	}
	ret = limn_gem_lock(obj);
	if (ret)
		goto out_exit;
	/*
	 * The DMA API's debugging cannot tell parts of pages that are mapped twice; and what an
	 * IOMMU has put side by side for the device may be anywhere in memory.
	 */
	whole = limn_gem_is_userptr(bo) || device_iommu_mapped(drm->dev);
	if (limn_bo_is_cached(bo) && bo->base.sgt) {
		/* What the CPU has written beyond the range is not to be lost. */
		if (whole && for_cpu)
			limn_bo_sync_all(bo, false);
		if (whole)
			limn_bo_sync_all(bo, for_cpu);
		else
			limn_bo_sync_range(bo, args->offset, args->size, for_cpu);
	}
	dma_resv_unlock(obj->resv);
out_exit:
	drm_dev_exit(idx);
out_put:
	drm_gem_object_put(obj);
	return ret;
}
