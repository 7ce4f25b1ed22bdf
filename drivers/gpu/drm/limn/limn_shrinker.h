/* SPDX-License-Identifier: GPL-2.0-only */
/* Memory that may be taken back: BOs whose contents nobody needs. */
#ifndef LIMN_SHRINKER_H
#define LIMN_SHRINKER_H

#include <linux/atomic.h>
#include <linux/llist.h>
#include <linux/mutex.h>
#include <linux/workqueue.h>
#include <drm/drm_gem.h>

struct limn_bo;
struct limn_device;
struct shrinker;

struct limn_shrinker {
	/** @lock: of @purgeable and @others, where &drm_device has none for them */
	struct mutex lock;
	/** @purgeable: BOs whose contents nobody needs, the longest so first */
	struct drm_gem_lru purgeable;
	/** @others: BOs that were in @purgeable before */
	struct drm_gem_lru others;
	/** @purged: pages that were taken back so far */
	atomic_long_t purged;
	/** @shrinker: registered from probe to remove */
	struct shrinker *shrinker;
	/** @freed: BOs without references, by &limn_bo.free_link */
	struct llist_head freed;
	/** @free_work: frees @freed; done when the &drm_device goes */
	struct work_struct free_work;
};

int limn_shrinker_init(struct limn_device *ldev);
int limn_shrinker_register(struct limn_device *ldev);
void limn_shrinker_unregister(struct limn_device *ldev);
bool limn_bo_madvise(struct limn_bo *bo, bool needed);
void limn_bo_purge_pages(struct limn_bo *bo);
bool limn_shrinker_free(struct limn_bo *bo);

#endif
