/* SPDX-License-Identifier: GPL-2.0-only */
/* The BOs of a submit, looked up; and remembered for the next one. */
#ifndef LIMN_BO_LIST_H
#define LIMN_BO_LIST_H

#include <linux/kref.h>
#include <linux/spinlock.h>
#include <linux/types.h>

#include "limn_device.h"

struct drm_file;
struct drm_gem_object;
struct limn_mapping;
struct limn_submit_bo;

/**
 * struct limn_bo_list - BOs that jobs of one ioctl use, or of several
 *
 * Constant once it is complete.
 */
struct limn_bo_list {
	/** @ref: one for each job, and the file's */
	struct kref ref;
	/** @has_backing: lists at least one BO with &limn_bo.backing */
	bool has_backing;
	/** @num: entries of all arrays that are filled in */
	unsigned int num;
	/** @objs: the BOs; one reference each */
	struct drm_gem_object **objs;
	/** @mappings: of @objs, in the address space of the jobs; one user each */
	struct limn_mapping **mappings;
	/** @handles: of @objs, in the order in which userspace listed them */
	u32 handles[];
};

/**
 * struct limn_bo_lists - the last lists of an open file
 */
struct limn_bo_lists {
	/** @lock: protects all of it; nothing else is taken under it */
	spinlock_t lock;
	/** @list: by queue of the first job, or NULL (@lock) */
	struct limn_bo_list *list[LIMN_MAX_PIPES];
	/** @closed: counts handles that were closed (@lock) */
	u64 closed;
};

void limn_bo_lists_forget(struct limn_bo_lists *lists);

struct limn_bo_list *limn_bo_list_get(struct drm_file *file, unsigned int slot,
				      const struct limn_submit_bo *bos, u32 n);
void limn_bo_list_put(struct limn_bo_list *list);
int limn_bo_list_pin(const struct limn_bo_list *list, const struct limn_submit_bo *bos);
void limn_bo_list_unpin(const struct limn_bo_list *list);

#endif
