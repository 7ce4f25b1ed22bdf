/* SPDX-License-Identifier: GPL-2.0-only */
/* Memory that may be taken back: BOs whose contents nobody needs. */
#ifndef LIMN_SHRINKER_H
#define LIMN_SHRINKER_H

#include <linux/atomic.h>
#include <linux/list.h>
#include <linux/mutex.h>

struct limn_bo;
struct limn_device;
struct shrinker;

struct limn_shrinker {
	/**
	 * @lock: protects @purgeable and &limn_bo.purge_link. Taken with a
	 * reservation held, and the other way round only by trylock; nothing is
	 * allocated under it.
	 */
	struct mutex lock;
	/** @purgeable: BOs, the one that has waited longest first */
	struct list_head purgeable;
	/** @pages: of them all */
	atomic_long_t pages;
	/** @purged: pages that were taken back so far */
	atomic_long_t purged;
	/** @shrinker: registered from probe to remove */
	struct shrinker *shrinker;
};

int limn_shrinker_init(struct limn_device *ldev);
int limn_shrinker_register(struct limn_device *ldev);
void limn_shrinker_unregister(struct limn_device *ldev);
bool limn_bo_madvise(struct limn_bo *bo, bool needed);
void limn_shrinker_forget(struct limn_bo *bo);

#endif
