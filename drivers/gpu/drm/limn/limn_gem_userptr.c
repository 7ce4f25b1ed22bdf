// SPDX-License-Identifier: GPL-2.0-only
/*
 * BOs of a process's own memory.
 */

/**
 * DOC: userptr
 *
 * The pages are pinned for as long as the BO lives, so jobs need no help from the process, and
 * an munmap() or exit takes nothing away from the GPU. They count against RLIMIT_MEMLOCK of the
 * process that made the BO, as the pages of RDMA do. They stay the pages that were there: what
 * is mapped at the address later is not seen.
 *
 * The CPU has these pages in its caches: BO_SYNC hands them over, as it does cached memory of
 * the driver's own.
 *
 * Such a BO cannot be mapped through the device or exported to another one. With
 * &limn_bo.readonly the GPU may only read; memory that the process may only read can be used in
 * no other way. Where the MMU cannot tell reads from writes (%DRM_LIMN_ISOLATION_READONLY) there
 * is no such thing: the process must be able to write, or -EFAULT.
 */
#include <kunit/visibility.h>
#include <linux/dma-mapping.h>
#include <linux/mm.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <drm/drm_drv.h>
#include <drm/limn_drm.h>

#include "limn_device.h"
#include "limn_drv.h"
#include "limn_gem.h"

struct limn_userptr {
	struct limn_backing base;
	/** @mm: whose &mm_struct.pinned_vm they count in */
	struct mm_struct *mm;
	/** @pages: @num of them are pinned */
	struct page **pages;
	unsigned long num;
	/** @charged: pages that were added to pinned_vm */
	unsigned long charged;
	bool write;
};

static struct limn_userptr *to_limn_userptr(const struct limn_bo *bo)
{
	return container_of(bo->backing, struct limn_userptr, base);
}

static int limn_userptr_charge(struct limn_userptr *u, unsigned long num)
{
	unsigned long limit = rlimit(RLIMIT_MEMLOCK) >> PAGE_SHIFT;

	u->charged = num;
	if (atomic64_add_return(num, &u->mm->pinned_vm) > limit && !capable(CAP_IPC_LOCK))
		return -ENOMEM;
	return 0;
}

static int limn_userptr_pin(struct limn_userptr *u, unsigned long addr, unsigned long num)
{
	unsigned int flags = FOLL_LONGTERM | (u->write ? FOLL_WRITE : 0);

	while (u->num < num) {
		int n = min_t(unsigned long, num - u->num, INT_MAX / 2);

		n = pin_user_pages_fast(addr + u->num * PAGE_SIZE, n, flags, u->pages + u->num);
		if (n <= 0)
			return n ?: -EFAULT;
		u->num += n;
	}
	return 0;
}

/*
 * Can the GPU reach these pages where they are? Not when, without an IOMMU, memory beyond its DMA
 * mask would have to be copied to and fro.
 */
bool limn_pages_in_reach(struct device *dev, struct page *const *pages, unsigned long num)
{
	unsigned long i;

	if (device_iommu_mapped(dev))
		return true;
	for (i = 0; i < num; i++) {
		if (page_to_phys(pages[i]) + PAGE_SIZE - 1 > dma_get_mask(dev))
			return false;
	}
	return true;
}
EXPORT_SYMBOL_IF_KUNIT(limn_pages_in_reach);

static int limn_userptr_map(struct limn_bo *bo, struct limn_userptr *u)
{
	struct device *dev = bo->base.base.dev->dev;
	struct sg_table *sgt = kzalloc(sizeof(*sgt), GFP_KERNEL);
	int ret;

	if (!sgt)
		return -ENOMEM;
	ret = sg_alloc_table_from_pages_segment(sgt, u->pages, u->num, 0, u->num * PAGE_SIZE,
						dma_get_max_seg_size(dev), GFP_KERNEL);
	if (ret)
		goto err_free;
	/* A process may make two BOs of the same pages: both are synced by hand. */
	ret = dma_map_sgtable(dev, sgt, limn_gem_dma_dir(bo), DMA_ATTR_SKIP_CPU_SYNC);
	if (ret)
		goto err_table;
	dma_sync_sgtable_for_device(dev, sgt, limn_gem_dma_dir(bo));
	bo->base.sgt = sgt;
	return 0;

err_table:
	sg_free_table(sgt);
err_free:
	kfree(sgt);
	return ret;
}

/* Undoes limn_userptr_init(), also one that failed half-way. */
static void limn_userptr_free(struct limn_bo *bo)
{
	struct limn_userptr *u = to_limn_userptr(bo);
	struct sg_table *sgt = bo->base.sgt;

	if (sgt) {
		struct device *dev = bo->base.base.dev->dev;

		/* No sync: the process may be writing; for what the GPU wrote it had BO_SYNC. */
		dma_unmap_sgtable(dev, sgt, limn_gem_dma_dir(bo), DMA_ATTR_SKIP_CPU_SYNC);
		sg_free_table(sgt);
		kfree(sgt);
		bo->base.sgt = NULL;
	}
	unpin_user_pages_dirty_lock(u->pages, u->num, u->write);
	kvfree(u->pages);
	atomic64_sub(u->charged, &u->mm->pinned_vm);
	mmdrop(u->mm);
	kfree(u);
}

static struct page *limn_userptr_page(const struct limn_bo *bo, size_t n)
{
	return to_limn_userptr(bo)->pages[n];
}

static const struct limn_backing_ops limn_userptr_ops = {
	.kind = DRM_LIMN_BO_USERMEM,
	.free = limn_userptr_free,
	.page = limn_userptr_page,
};

static int limn_userptr_init(struct limn_bo *bo, unsigned long addr)
{
	unsigned long num = bo->base.base.size >> PAGE_SHIFT;
	struct limn_userptr *u = kzalloc(sizeof(*u), GFP_KERNEL);
	int ret;

	if (!u)
		return -ENOMEM;
	mmgrab(current->mm);
	u->mm = current->mm;
	u->write = !bo->readonly;
	u->base.ops = &limn_userptr_ops;
	u->base.size = bo->base.base.size;
	bo->backing = &u->base;

	/* From here on limn_userptr_free() undoes it. */
	ret = limn_userptr_charge(u, num);
	if (ret)
		return ret;
	u->pages = kvmalloc_array(num, sizeof(*u->pages), GFP_KERNEL_ACCOUNT);
	if (!u->pages)
		return -ENOMEM;
	ret = limn_userptr_pin(u, addr, num);
	if (ret)
		return ret;
	if (!limn_pages_in_reach(bo->base.base.dev->dev, u->pages, u->num))
		return -EOPNOTSUPP;
	return limn_userptr_map(bo, u);
}

/**
 * limn_gem_userptr - create a BO of the caller's memory, map it, return a handle
 * @file: who gets the handle
 * @drm: the device
 * @addr: of the first page, in the caller's address space
 * @args: size, a multiple of the page size; GPU address; readonly or not
 * @handle: where the handle goes
 *
 * Return: 0; -EINVAL when address or size are not whole pages, or 0; -EFAULT when there is no such
 * memory; -ENOMEM, also beyond RLIMIT_MEMLOCK; -EOPNOTSUPP when the GPU cannot reach that memory;
 * and what limn_gem_create() returns for an address.
 */
int limn_gem_userptr(struct drm_file *file, struct drm_device *drm, u64 addr,
		     struct limn_gem_args *args, u32 *handle)
{
	struct limn_device *ldev = to_limn_device(drm);
	struct drm_gem_object *obj;
	struct limn_bo *bo;
	int idx, ret;

	if (!args->size || !PAGE_ALIGNED(args->size) || !PAGE_ALIGNED(addr))
		return -EINVAL;
	ret = limn_gem_check_space(ldev, args);
	if (ret)
		return ret;
	if (addr != (unsigned long)addr || !access_ok(u64_to_user_ptr(addr), args->size))
		return -EFAULT;

	obj = limn_gem_create_object(drm, args->size);
	if (IS_ERR(obj))
		return PTR_ERR(obj);
	bo = to_limn_bo(obj);
	drm_gem_private_object_init(drm, obj, args->size);
	INIT_LIST_HEAD(&bo->base.madv_list);
	bo->base.map_wc = false;	/* the process has it mapped as it likes, which is cached */
	bo->want_va = args->va;
	/* What the MMU does not prevent, the process must be allowed to do itself. */
	bo->readonly = args->readonly && ldev->isolation & DRM_LIMN_ISOLATION_READONLY;

	if (!drm_dev_enter(drm, &idx)) {
		drm_gem_object_put(obj);
		return -ENODEV;
	}
	ret = limn_gem_publish(file, bo, limn_userptr_init(bo, addr), args, handle);
	drm_dev_exit(idx);
	return ret;
}
