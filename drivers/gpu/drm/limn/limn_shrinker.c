// SPDX-License-Identifier: GPL-2.0-only
/*
 * Takes memory back from BOs that userspace does not need any more.
 */

/**
 * DOC: purging
 *
 * Userspace keeps freed BOs for later, and says so (BO_MADVISE). Under memory pressure such a BO
 * loses its pages for good: they leave the GPU's page tables and every process's, and go back to
 * the system. An access by the CPU afterwards raises SIGBUS, one by the GPU an MMU fault, and
 * submits that list it are refused.
 *
 * A BO with an unsignalled fence is left alone, so no job loses memory that it listed; a submit
 * looks at the BO under the reservation that then gets its fence. Shared BOs cannot be given up
 * by one of their users. While jobs of the same address space run, which may have touched the BO
 * without listing it, a purged BO keeps its pages until those have ended (%LIMN_MADV_LEAVING);
 * for everybody else they are gone at once.
 *
 * All of this runs in reclaim, where no lock may be taken that is ever held over an allocation.
 * drm_gem_lru_scan() only tries the reservation, and holds a reference to the BO meanwhile. That
 * may become the last one, and freeing a BO waits for its reservation: so a BO that has ever
 * been purgeable is freed by a worker.
 */
#include <linux/dma-resv.h>
#include <linux/shrinker.h>
#include <drm/drm_managed.h>

#include "limn_compat.h"
#include "limn_device.h"
#include "limn_gem.h"
#include "limn_recover.h"
#include "limn_shrinker.h"
#include "limn_vm.h"

static struct limn_shrinker *limn_bo_shrinker(const struct drm_gem_object *obj)
{
	return &to_limn_device(obj->dev)->shrinker;
}

/* Userspace needs the contents, or not. The reservation is held. Are they still there? */
bool limn_bo_madvise(struct limn_bo *bo, bool needed)
{
	struct drm_gem_object *obj = &bo->base.base;
	struct limn_shrinker *s = limn_bo_shrinker(obj);
	bool retained = !limn_gem_is_purged(bo) &&
			drm_gem_shmem_madvise_locked(&bo->base, !needed);

	bo->advised = true;
	drm_gem_lru_move_tail(retained && !needed ? &s->purgeable : &s->others, obj);
	return retained;
}

/* No reference is left. True: a worker frees the BO, as a purge may have had that reference. */
bool limn_shrinker_free(struct limn_bo *bo)
{
	struct drm_gem_object *obj = &bo->base.base;
	struct limn_shrinker *s = limn_bo_shrinker(obj);

	/* Not &drm_gem_object.lru, which is NULL for a moment when a scan moves the BO. */
	if (!bo->advised)
		return false;
	/* Out of the list of a scan that is under way, which is on that one's stack. */
	drm_gem_lru_move_tail(&s->others, obj);
	if (llist_add(&bo->free_link, &s->freed))
		schedule_work(&s->free_work);
	return true;
}

static void limn_shrinker_free_work(struct work_struct *work)
{
	struct limn_shrinker *s = container_of(work, struct limn_shrinker, free_work);
	struct limn_bo *bo, *next;

	llist_for_each_entry_safe(bo, next, llist_del_all(&s->freed), free_link)
		limn_gem_destroy(bo);
}

static void limn_bo_purge_locked(struct limn_bo *bo)
{
	struct drm_gem_object *obj = &bo->base.base;

	drm_gem_shmem_purge_locked(&bo->base);
	atomic_long_add(obj->size >> PAGE_SHIFT, &limn_bo_shrinker(obj)->purged);
}

/* The jobs that may have reached the memory of a BO that was purged meanwhile have ended. */
void limn_bo_purge_pages(struct limn_bo *bo)
{
	struct dma_resv *resv = bo->base.base.resv;

	dma_resv_lock(resv, NULL);
	limn_bo_purge_locked(bo);
	dma_resv_unlock(resv);
}

/* For drm_gem_lru_scan(), which holds a reference and the reservation: is memory free now? */
static bool limn_bo_purge(LIMN_LRU_ARGS)
{
	struct limn_bo *bo = to_limn_bo(obj);
	int ret;

	dma_resv_assert_held(obj->resv);

	if (bo->sharing == LIMN_BO_SHARED || !drm_gem_shmem_is_purgeable(&bo->base) ||
	    !dma_resv_test_signaled(obj->resv, DMA_RESV_USAGE_BOOKKEEP) ||
	    limn_recover_is_wild(to_limn_device(obj->dev)))
		return false;
	ret = limn_vm_purge(bo);
	if (ret == -EBUSY)
		return false;
	drm_gem_lru_move_tail(&limn_bo_shrinker(obj)->others, obj);
	if (!ret) {
		limn_bo_purge_locked(bo);
	} else {
		bo->base.madv = LIMN_MADV_LEAVING;
		drm_vma_node_unmap(&obj->vma_node, obj->dev->anon_inode->i_mapping);
	}
	return !ret;
}

static unsigned long limn_shrinker_count(struct shrinker *shrinker, struct shrink_control *sc)
{
	struct limn_device *ldev = shrinker->private_data;

	return ldev->shrinker.purgeable.count ?: SHRINK_EMPTY;
}

static unsigned long limn_shrinker_scan(struct shrinker *shrinker, struct shrink_control *sc)
{
	struct limn_device *ldev = shrinker->private_data;
	unsigned long remaining = 0;

	return limn_gem_lru_scan(&ldev->drm, &ldev->shrinker.purgeable, sc->nr_to_scan, &remaining,
				 limn_bo_purge) ?: SHRINK_STOP;
}

static void limn_shrinker_fini(struct drm_device *drm, void *data)
{
	struct limn_shrinker *s = data;

	flush_work(&s->free_work);
}

/* Before the first BO. */
int limn_shrinker_init(struct limn_device *ldev)
{
	struct limn_shrinker *s = &ldev->shrinker;
	int ret = drmm_mutex_init(&ldev->drm, &s->lock);

	if (ret)
		return ret;
	limn_gem_lru_init(&s->purgeable, &s->lock);
	limn_gem_lru_init(&s->others, &s->lock);
	atomic_long_set(&s->purged, 0);
	init_llist_head(&s->freed);
	INIT_WORK(&s->free_work, limn_shrinker_free_work);
	return drmm_add_action_or_reset(&ldev->drm, limn_shrinker_fini, s);
}

int limn_shrinker_register(struct limn_device *ldev)
{
	struct shrinker *shrinker = shrinker_alloc(0, "drm-limn:%s", dev_name(ldev->dev));

	if (!shrinker)
		return -ENOMEM;
	shrinker->count_objects = limn_shrinker_count;
	shrinker->scan_objects = limn_shrinker_scan;
	shrinker->private_data = ldev;
	ldev->shrinker.shrinker = shrinker;
	shrinker_register(shrinker);
	return 0;
}

void limn_shrinker_unregister(struct limn_device *ldev)
{
	shrinker_free(ldev->shrinker.shrinker);
	ldev->shrinker.shrinker = NULL;
	/* BOs of files that are closed do not outlive the driver's time with the device. */
	flush_work(&ldev->shrinker.free_work);
}
