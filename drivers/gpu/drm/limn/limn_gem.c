// SPDX-License-Identifier: GPL-2.0-only
/*
 * Buffer objects on the shmem helper.
 */

/**
 * DOC: memory
 *
 * An ordinary BO has all its pages, mapped for DMA, from the moment it is created until
 * userspace gives them up (limn_shrinker.c); an imported one those of its exporter, a userptr BO
 * those of a process (limn_gem_userptr.c). A heap BO starts with a few pages and gets more while
 * a job runs (utgard/heap.c); it cannot be mapped to the CPU or exported to another device,
 * because what it consists of changes.
 *
 * Through the files: limn_gem_create() here makes a BO with its memory and its first handle,
 * which maps it (limn_vm.c). limn_bo_list.c finds it for a submit, and jobs hold what that
 * found. When the last of handles and jobs has let go of the mapping limn_vm.c unmaps it; with
 * the last reference the BO comes back here, to limn_gem_destroy(), by way of limn_shrinker.c if
 * it was ever purgeable.
 *
 * Every handle maps its BO into the address space of its file; a job counts as one more user of
 * the mapping, so closing a handle never takes memory away from a job that listed it.
 */
#include <kunit/visibility.h>
#include <linux/dma-buf.h>
#include <linux/mm.h>
#include <linux/pagemap.h>
#include <linux/slab.h>
#include <drm/drm_drv.h>
#include <drm/drm_print.h>

#include "limn_compat.h"
#include "limn_device.h"
#include "limn_drv.h"
#include "limn_gem.h"
#include "limn_shrinker.h"
#include "limn_vm.h"

/* Undo limn_gem_kmap(): the last reference is gone. */
static void limn_gem_kunmap(struct limn_bo *bo)
{
	struct drm_gem_object *obj = &bo->base.base;
	struct iosys_map map = IOSYS_MAP_INIT_VADDR(bo->kmap);

	if (!bo->kmap)
		return;
	dma_resv_lock(obj->resv, NULL);
	drm_gem_shmem_vunmap_locked(&bo->base, &map);
	dma_resv_unlock(obj->resv);
}

/* Nobody has a reference, and no purge is under way. */
void limn_gem_destroy(struct limn_bo *bo)
{
	limn_gem_kunmap(bo);
	if (bo->backing)
		bo->backing->ops->free(bo);
	kfree(bo->label);
	mutex_destroy(&bo->lock);
	drm_gem_shmem_free(&bo->base);
}

static void limn_gem_free(struct drm_gem_object *obj)
{
	struct limn_bo *bo = to_limn_bo(obj);

	drm_WARN_ON(obj->dev, !list_empty(&bo->mappings));
	if (!limn_shrinker_free(bo))
		limn_gem_destroy(bo);
}

/*
 * From now on others may have the BO, so it is not purged any more; unless its owner has
 * given it up. 0, -EBUSY or -ENXIO.
 */
static int limn_gem_share(struct limn_bo *bo)
{
	struct dma_resv *resv = bo->base.base.resv;
	int madv;

	dma_resv_lock(resv, NULL);
	madv = bo->base.madv;
	if (!madv)
		WRITE_ONCE(bo->sharing, LIMN_BO_SHARED);
	dma_resv_unlock(resv);
	if (madv)
		return limn_gem_is_purged(bo) ? -ENXIO : -EBUSY;
	return 0;
}

static int limn_gem_open(struct drm_gem_object *obj, struct drm_file *file)
{
	struct limn_bo *bo = to_limn_bo(obj);
	/* The first one is its creator's, before anybody else can know of it. */
	bool first = bo->sharing == LIMN_BO_NEW;
	int ret = 0;

	if (first)
		bo->sharing = LIMN_BO_PRIVATE;
	else
		ret = limn_gem_share(bo);
	return ret ?: limn_vm_map(to_limn_file(file)->vm, bo,
				  first && bo->want_va != LIMN_VA_LATER);
}

static void limn_gem_close(struct drm_gem_object *obj, struct drm_file *file)
{
	struct limn_file *lfile = to_limn_file(file);

	limn_bo_lists_forget(&lfile->bo_lists);
	limn_vm_unmap(lfile->vm, to_limn_bo(obj));
}

static struct dma_buf *limn_gem_export(struct drm_gem_object *obj, int flags)
{
	struct limn_bo *bo = to_limn_bo(obj);
	int ret = limn_gem_is_userptr(bo) ? -EINVAL : limn_gem_share(bo);

	return ret ? ERR_PTR(ret) : drm_gem_prime_export(obj, flags);
}

static int limn_gem_pin(struct drm_gem_object *obj)
{
	struct limn_bo *bo = to_limn_bo(obj);

	return bo->backing ? -EINVAL : drm_gem_shmem_pin_locked(&bo->base);
}

static int limn_gem_vmap(struct drm_gem_object *obj, struct iosys_map *map)
{
	struct limn_bo *bo = to_limn_bo(obj);

	if (bo->backing)
		return -EINVAL;
	return limn_gem_is_purged(bo) ? -ENXIO : drm_gem_shmem_vmap_locked(&bo->base, map);
}

/*
 * Unlike drm_gem_shmem_mmap() this does not count the mapping as a user of the pages: they
 * are there until the BO is freed or purged, and mapped memory is purged as well.
 */
static int limn_gem_mmap(struct drm_gem_object *obj, struct vm_area_struct *vma)
{
	struct limn_bo *bo = to_limn_bo(obj);
	pgprot_t prot = vm_get_page_prot(vma->vm_flags);

	if (bo->backing)
		return -EINVAL;
	if (obj->import_attach)
		return drm_gem_shmem_mmap(&bo->base, vma);
	if (vma_is_cow_mapping(vma))
		return -EINVAL;
	vm_flags_set(vma, VM_PFNMAP | VM_DONTEXPAND | VM_DONTDUMP);
	if (bo->caching == LIMN_UNCACHED)
		prot = pgprot_noncached(prot);
	else if (bo->base.map_wc)
		prot = pgprot_writecombine(prot);
	vma->vm_page_prot = prot;
	return 0;
}

/*
 * A mapping need not begin with the BO's first page: parts of it can be unmapped, and a
 * dma-buf be mapped from anywhere on.
 */
static vm_fault_t limn_gem_fault(struct vm_fault *vmf)
{
	struct drm_gem_object *obj = vmf->vma->vm_private_data;
	struct drm_gem_shmem_object *shmem = to_drm_gem_shmem_obj(obj);
	unsigned long n = vmf->pgoff - drm_vma_node_start(&obj->vma_node);
	vm_fault_t ret = VM_FAULT_SIGBUS;

	dma_resv_lock(obj->resv, NULL);
	if (!limn_gem_is_purged(to_limn_bo(obj)) && n < obj->size >> PAGE_SHIFT)
		ret = vmf_insert_pfn(vmf->vma, vmf->address, page_to_pfn(shmem->pages[n]));
	dma_resv_unlock(obj->resv);
	return ret;
}

static const struct vm_operations_struct limn_gem_vm_ops = {
	.fault = limn_gem_fault,
	.open = drm_gem_vm_open,
	.close = drm_gem_vm_close,
};

static enum drm_gem_object_status limn_gem_status(struct drm_gem_object *obj)
{
	struct limn_bo *bo = to_limn_bo(obj);

	if (limn_gem_is_purged(bo))
		return 0;
	return DRM_GEM_OBJECT_RESIDENT | (READ_ONCE(bo->base.madv) ? DRM_GEM_OBJECT_PURGEABLE : 0);
}

static size_t limn_gem_rss(struct drm_gem_object *obj)
{
	struct limn_bo *bo = to_limn_bo(obj);

	if (limn_gem_is_purged(bo))
		return 0;
	return bo->backing ? READ_ONCE(bo->backing->size) : obj->size;
}

static const struct drm_gem_object_funcs limn_gem_funcs = {
	.free = limn_gem_free,
	.open = limn_gem_open,
	.close = limn_gem_close,
	.export = limn_gem_export,
	.pin = limn_gem_pin,
	.unpin = drm_gem_shmem_object_unpin,
	.get_sg_table = drm_gem_shmem_object_get_sg_table,
	.vmap = limn_gem_vmap,
	.vunmap = drm_gem_shmem_object_vunmap,
	.mmap = limn_gem_mmap,
	.status = limn_gem_status,
	.rss = limn_gem_rss,
	.vm_ops = &limn_gem_vm_ops,
};

/* &drm_driver.gem_create_object: also called for imported BOs. */
struct drm_gem_object *limn_gem_create_object(struct drm_device *drm, size_t size)
{
	struct limn_bo *bo = kzalloc(sizeof(*bo), GFP_KERNEL);

	if (!bo)
		return ERR_PTR(-ENOMEM);
	mutex_init(&bo->lock);
	INIT_LIST_HEAD(&bo->mappings);
	bo->want_va = LIMN_VA_LATER;
	bo->base.map_wc = true;
	bo->base.base.funcs = &limn_gem_funcs;
	return &bo->base.base;
}

/* &drm_driver.gem_prime_import_sg_table: page tables hold pages of 4 KiB, and of nobody else's. */
struct drm_gem_object *limn_gem_import_sg_table(struct drm_device *drm,
						struct dma_buf_attachment *attach,
						struct sg_table *sgt)
{
	struct scatterlist *sg;
	unsigned int i;

	for_each_sgtable_dma_sg(sgt, sg, i) {
		if (!IS_ALIGNED(sg_dma_address(sg) | sg_dma_len(sg), SZ_4K))
			return ERR_PTR(-EINVAL);
	}
	return drm_gem_shmem_prime_import_sg_table(drm, attach, sgt);
}
EXPORT_SYMBOL_IF_KUNIT(limn_gem_import_sg_table);

static int limn_gem_populate(struct limn_bo *bo, bool heap)
{
	struct address_space *mapping = bo->base.base.filp->f_mapping;
	gfp_t gfp = mapping_gfp_mask(mapping);
	struct sg_table *sgt;

	if (heap)
		return to_limn_device(bo->base.base.dev)->be->heap_init(bo);

	/* Memory that the GPU cannot address would have to be copied to and fro. */
	if (dma_addressing_limited(bo->base.base.dev->dev))
		mapping_set_gfp_mask(mapping, (gfp & ~__GFP_HIGHMEM) | __GFP_DMA32);
	sgt = drm_gem_shmem_get_pages_sgt(&bo->base);
	return PTR_ERR_OR_ZERO(sgt);
}

/*
 * Make a BO visible to the kernel, for as long as it lives. 0; -EINVAL when it is not ours to map;
 * -ENXIO when its memory was taken back; -ENOMEM.
 */
int limn_gem_kmap(struct limn_bo *bo, void **address)
{
	struct drm_gem_object *obj = &bo->base.base;
	struct iosys_map map;
	int ret = 0;

	/* Undoing it takes the reservation, which must be nobody else's then. */
	if (obj->import_attach)
		return -EINVAL;
	dma_resv_lock(obj->resv, NULL);
	if (!bo->kmap) {
		ret = limn_gem_vmap(obj, &map);
		if (!ret)
			bo->kmap = map.vaddr;
	}
	*address = bo->kmap;
	dma_resv_unlock(obj->resv);
	return ret;
}

/* Its reservation, for an ioctl: 0; -ERESTARTSYS on a signal, where ww_mutex says -EINTR. */
int limn_gem_lock(struct drm_gem_object *obj)
{
	int ret = dma_resv_lock_interruptible(obj->resv, NULL);

	return ret == -EINTR ? -ERESTARTSYS : ret;
}

/* Is there room for a BO of that size, at its address if it has one? 0, -ENOSPC, -ERANGE. */
int limn_gem_check_space(const struct limn_device *ldev, const struct limn_gem_args *args)
{
	if (args->size > ldev->va_end - ldev->va_start)
		return -ENOSPC;
	if (args->va != LIMN_VA_ANY && args->va != LIMN_VA_LATER &&
	    (args->va < ldev->va_start || args->va >= ldev->va_end ||
	     PAGE_ALIGN(args->size) > ldev->va_end - args->va))
		return -ERANGE;
	return 0;
}

/* The first handle of a BO, unless @ret is an error: the handle keeps it then, or nobody. */
int limn_gem_publish(struct drm_file *file, struct limn_bo *bo, int ret,
		     struct limn_gem_args *args, u32 *handle)
{
	ret = ret ?: drm_gem_handle_create(file, &bo->base.base, handle);
	if (!ret && args->va != LIMN_VA_LATER)
		ret = limn_bo_va(file, bo, &args->va);
	drm_gem_object_put(&bo->base.base);
	return ret;
}

static struct limn_bo *limn_gem_new(struct drm_device *drm, const struct limn_gem_args *args)
{
	u64 size = PAGE_ALIGN(args->size);
	struct drm_gem_shmem_object *shmem;
	struct limn_bo *bo;

	/* An impossible size must not push all other pages out of memory first. */
	if (!args->heap && size >> PAGE_SHIFT > totalram_pages())
		return ERR_PTR(-ENOMEM);
	shmem = drm_gem_shmem_create(drm, size);
	if (IS_ERR(shmem))
		return ERR_CAST(shmem);
	shmem->map_wc = args->caching != LIMN_CACHED;
	bo = to_limn_bo(&shmem->base);
	bo->caching = args->caching;
	bo->readonly = args->readonly;
	bo->want_va = args->va;
	bo->gpu_size = args->heap ? size : ALIGN(args->size, SZ_4K);
	return bo;
}

/**
 * limn_gem_create - create a BO, map it, return a handle
 * @file: who gets the handle
 * @drm: the device
 * @args: what it is to be; its address comes back when it is to have one
 * @handle: where the handle goes
 *
 * Return: 0; -EINVAL when the size is 0, or there are no heaps; -ENOSPC when it does not fit
 * into the address space, or never could; -ENOMEM when there is no memory for it, or
 * never can be; -ERANGE when the GPU does not have these addresses, -EEXIST
 * when some of them are taken; -ENOENT when the handle is closed already; -ENODEV.
 */
int limn_gem_create(struct drm_file *file, struct drm_device *drm,
		    struct limn_gem_args *args, u32 *handle)
{
	struct limn_device *ldev = to_limn_device(drm);
	struct limn_bo *bo;
	int idx, ret;

	if (!args->size || (args->heap && !ldev->be->heap_init))
		return -EINVAL;
	ret = limn_gem_check_space(ldev, args);
	if (ret)
		return ret;
	if (!drm_dev_enter(drm, &idx))
		return -ENODEV;
	bo = limn_gem_new(drm, args);
	ret = PTR_ERR_OR_ZERO(bo);
	if (!ret)
		ret = limn_gem_publish(file, bo, limn_gem_populate(bo, args->heap), args, handle);
	drm_dev_exit(idx);
	return ret;
}
