// SPDX-License-Identifier: GPL-2.0-only
/*
 * Takes memory back from BOs that userspace does not need any more.
 */

/**
 * DOC: purging
 *
 * Userspace keeps freed BOs for later, and says so (BO_MADVISE). Under memory
 * pressure such a BO loses its pages for good: they leave the GPU's page
 * tables and every process's, and go back to the system. Whoever touches it
 * afterwards gets SIGBUS, submits that list it are refused, and the GPU's MMU
 * faults.
 *
 * A BO with an unsignalled fence is left alone, so no job loses memory that it
 * listed; a submit looks at the BO under the reservation that then gets its
 * fence. Shared BOs cannot be given up by one of their users.
 *
 * All of this runs in reclaim, where no lock may be taken that is ever held
 * over an allocation: the reservation is only tried. The list's own lock never
 * is held so, and is waited for: who holds it is purging, and an allocation that
 * gave up meanwhile would fail just before there is memory for it.
 */
#include <linux/dma-resv.h>
#include <linux/shrinker.h>
#include <drm/drm_managed.h>

#include "limn_compat.h"
#include "limn_device.h"
#include "limn_gem.h"
#include "limn_sched.h"
#include "limn_shrinker.h"
#include "limn_vm.h"

static unsigned long limn_bo_pages(const struct limn_bo *bo)
{
	return bo->base.base.size >> PAGE_SHIFT;
}

static void limn_shrinker_del(struct limn_shrinker *s, struct limn_bo *bo)
{
	lockdep_assert_held(&s->lock);

	if (list_empty(&bo->purge_link))
		return;
	list_del_init(&bo->purge_link);
	atomic_long_sub(limn_bo_pages(bo), &s->pages);
}

/**
 * limn_bo_madvise - does userspace need the contents of a BO?
 * @bo: the BO, with memory of its own; its reservation is held
 * @needed: it does
 *
 * Return: the contents are still there.
 */
bool limn_bo_madvise(struct limn_bo *bo, bool needed)
{
	struct limn_shrinker *s = &to_limn_device(bo->base.base.dev)->shrinker;
	bool retained = drm_gem_shmem_madvise_locked(&bo->base, !needed);

	mutex_lock(&s->lock);
	limn_shrinker_del(s, bo);
	if (retained && !needed) {
		list_add_tail(&bo->purge_link, &s->purgeable);
		atomic_long_add(limn_bo_pages(bo), &s->pages);
	}
	mutex_unlock(&s->lock);
	return retained;
}

/* The BO is about to be freed. */
void limn_shrinker_forget(struct limn_bo *bo)
{
	struct limn_shrinker *s = &to_limn_device(bo->base.base.dev)->shrinker;

	mutex_lock(&s->lock);
	limn_shrinker_del(s, bo);
	mutex_unlock(&s->lock);
}

/* The pages go, although mmap()s of the BO may still count as their users. */
static void limn_bo_drop_pages(struct limn_bo *bo)
{
	unsigned int mmaps = limn_shmem_users(&bo->base) - 1;

	dma_resv_assert_held(bo->base.base.resv);

	limn_shmem_set_users(&bo->base, 1);
	drm_gem_shmem_purge_locked(&bo->base);
	limn_shmem_set_users(&bo->base, mmaps);
}

static bool limn_bo_purge(struct limn_shrinker *s, struct limn_bo *bo)
{
	struct dma_resv *resv = bo->base.base.resv;
	bool purge;

	lockdep_assert_held(&s->lock);	/* keeps it from being freed */

	if (!dma_resv_trylock(resv))
		return false;
	purge = !bo->shared && drm_gem_shmem_is_purgeable(&bo->base) &&
		dma_resv_test_signaled(resv, DMA_RESV_USAGE_BOOKKEEP) &&
		!limn_sched_is_wild(to_limn_device(bo->base.base.dev)) && limn_vm_purge(bo);
	if (purge) {
		limn_bo_drop_pages(bo);
		limn_shrinker_del(s, bo);
		atomic_long_add(limn_bo_pages(bo), &s->purged);
	}
	dma_resv_unlock(resv);
	return purge;
}

static unsigned long limn_shrinker_count(struct shrinker *shrinker, struct shrink_control *sc)
{
	struct limn_device *ldev = shrinker->private_data;

	/* BOs that are closed, and are held by jobs that are done. */
	limn_sched_retire_now(ldev);
	return atomic_long_read(&ldev->shrinker.pages) ?: SHRINK_EMPTY;
}

static unsigned long limn_shrinker_scan(struct shrinker *shrinker, struct shrink_control *sc)
{
	struct limn_device *ldev = shrinker->private_data;
	struct limn_shrinker *s = &ldev->shrinker;
	struct limn_bo *bo, *next;
	unsigned long freed = 0;

	mutex_lock(&s->lock);
	list_for_each_entry_safe(bo, next, &s->purgeable, purge_link) {
		if (freed >= sc->nr_to_scan)
			break;
		if (limn_bo_purge(s, bo))
			freed += limn_bo_pages(bo);
	}
	mutex_unlock(&s->lock);
	return freed ?: SHRINK_STOP;
}

/* Before the first BO. */
int limn_shrinker_init(struct limn_device *ldev)
{
	INIT_LIST_HEAD(&ldev->shrinker.purgeable);
	atomic_long_set(&ldev->shrinker.pages, 0);
	atomic_long_set(&ldev->shrinker.purged, 0);
	return drmm_mutex_init(&ldev->drm, &ldev->shrinker.lock);
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
}
