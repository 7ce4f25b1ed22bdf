// SPDX-License-Identifier: GPL-2.0-only
/*
 * Buffer objects on the shmem helper.
 */

/**
 * DOC: memory
 *
 * An ordinary BO has all its pages, mapped for DMA, from the moment it is
 * created; an imported one those of its exporter. A heap BO starts with a few
 * pages and gets more while a job runs (limn_heap.c); it cannot be mapped to
 * the CPU or exported to another device, because what it consists of changes.
 *
 * Every handle maps its BO into the address space of its file; a job counts
 * as one more user of the mapping, so closing a handle never takes memory
 * away from a job that listed it.
 */
#include <linux/mm.h>
#include <linux/pagemap.h>
#include <linux/slab.h>

#include "limn_device.h"
#include "limn_drv.h"
#include "limn_gem.h"
#include "limn_vm.h"

static void limn_gem_free(struct drm_gem_object *obj)
{
	struct limn_bo *bo = to_limn_bo(obj);

	drm_WARN_ON(obj->dev, !list_empty(&bo->mappings));
	limn_heap_fini(bo);
	mutex_destroy(&bo->lock);
	drm_gem_shmem_free(&bo->base);
}

static int limn_gem_open(struct drm_gem_object *obj, struct drm_file *file)
{
	return limn_vm_map(to_limn_file(file)->vm, to_limn_bo(obj));
}

static void limn_gem_close(struct drm_gem_object *obj, struct drm_file *file)
{
	limn_vm_unmap(to_limn_file(file)->vm, to_limn_bo(obj));
}

static int limn_gem_pin(struct drm_gem_object *obj)
{
	struct limn_bo *bo = to_limn_bo(obj);

	return bo->heap ? -EINVAL : drm_gem_shmem_pin_locked(&bo->base);
}

static int limn_gem_vmap(struct drm_gem_object *obj, struct iosys_map *map)
{
	struct limn_bo *bo = to_limn_bo(obj);

	return bo->heap ? -EINVAL : drm_gem_shmem_vmap(&bo->base, map);
}

static int limn_gem_mmap(struct drm_gem_object *obj, struct vm_area_struct *vma)
{
	struct limn_bo *bo = to_limn_bo(obj);

	return bo->heap ? -EINVAL : drm_gem_shmem_mmap(&bo->base, vma);
}

static enum drm_gem_object_status limn_gem_status(struct drm_gem_object *obj)
{
	return DRM_GEM_OBJECT_RESIDENT;
}

static size_t limn_gem_rss(struct drm_gem_object *obj)
{
	struct limn_bo *bo = to_limn_bo(obj);

	return bo->heap ? READ_ONCE(bo->heap->size) : obj->size;
}

static const struct drm_gem_object_funcs limn_gem_funcs = {
	.free = limn_gem_free,
	.open = limn_gem_open,
	.close = limn_gem_close,
	.print_info = drm_gem_shmem_object_print_info,
	.pin = limn_gem_pin,
	.unpin = drm_gem_shmem_object_unpin,
	.get_sg_table = drm_gem_shmem_object_get_sg_table,
	.vmap = limn_gem_vmap,
	.vunmap = drm_gem_shmem_object_vunmap,
	.mmap = limn_gem_mmap,
	.status = limn_gem_status,
	.rss = limn_gem_rss,
	.vm_ops = &drm_gem_shmem_vm_ops,
};

/* &drm_driver.gem_create_object: also called for imported BOs. */
struct drm_gem_object *limn_gem_create_object(struct drm_device *drm, size_t size)
{
	struct limn_bo *bo = kzalloc(sizeof(*bo), GFP_KERNEL);

	if (!bo)
		return ERR_PTR(-ENOMEM);
	mutex_init(&bo->lock);
	INIT_LIST_HEAD(&bo->mappings);
	bo->base.map_wc = true;
	bo->base.base.funcs = &limn_gem_funcs;
	return &bo->base.base;
}

static int limn_gem_populate(struct limn_bo *bo, bool heap)
{
	struct address_space *mapping = bo->base.base.filp->f_mapping;
	gfp_t gfp = mapping_gfp_mask(mapping);
	struct sg_table *sgt;

	if (heap)
		return limn_heap_init(bo);

	/* The GPU addresses 4 GiB. */
	mapping_set_gfp_mask(mapping, (gfp & ~__GFP_HIGHMEM) | __GFP_DMA32);
	sgt = drm_gem_shmem_get_pages_sgt(&bo->base);
	return PTR_ERR_OR_ZERO(sgt);
}

/**
 * limn_gem_create_handle - create a BO, map it, return a handle
 * @file: who gets the handle
 * @drm: the device
 * @size: bytes, rounded up to whole pages
 * @heap: the BO's memory is to grow on demand
 * @handle: where the handle goes
 *
 * Return: 0; -EINVAL when @size is 0; -ENOSPC when it does not fit into the
 * address space, or never could; -ENOMEM when there is no memory for it, or
 * never can be.
 */
int limn_gem_create_handle(struct drm_file *file, struct drm_device *drm, u32 size,
			   bool heap, u32 *handle)
{
	struct limn_device *ldev = to_limn_device(drm);
	struct drm_gem_shmem_object *shmem;
	int ret;

	if (!size)
		return -EINVAL;
	if (size > ldev->va_end - ldev->be->va_start)
		return -ENOSPC;
	/* Do not press everybody else's pages out for what must fail. */
	if (!heap && size >> PAGE_SHIFT > totalram_pages())
		return -ENOMEM;

	shmem = drm_gem_shmem_create(drm, size);
	if (IS_ERR(shmem))
		return PTR_ERR(shmem);
	ret = limn_gem_populate(to_limn_bo(&shmem->base), heap);
	if (!ret)
		ret = drm_gem_handle_create(file, &shmem->base, handle);
	/* The handle keeps it now, or nobody. */
	drm_gem_object_put(&shmem->base);
	return ret;
}
