/* SPDX-License-Identifier: GPL-2.0-only */
/* Address spaces of the GPU: one per open file, a mapping per BO in it. */
#ifndef LIMN_VM_H
#define LIMN_VM_H

#include <linux/kref.h>
#include <linux/mutex.h>
#include <drm/drm_mm.h>

#include "limn_device.h"

struct limn_bo;

/**
 * struct limn_vm - an address space, and what its owner has used of the GPU
 *
 * Held by the open file and by every job that runs in it.
 */
struct limn_vm {
	/** @ref: the file's, and one for each of its jobs */
	struct kref ref;
	/** @ldev: the device */
	struct limn_device *ldev;

	/**
	 * @map_lock: serialises creating mappings, and thereby the allocation
	 * of page tables. Outer lock; never taken on the way to a fence.
	 */
	struct mutex map_lock;

	/**
	 * @lock: protects @mm and clearing of entries. Nothing is allocated
	 * under it, because finished jobs take it to drop their mappings.
	 */
	struct mutex lock;
	/** @mm: which addresses are taken */
	struct drm_mm mm;

	/** @jobs: that hold this, from submit until they are freed */
	atomic_t jobs;
	/** @busy_ns: time that jobs of this file spent on each pipe */
	atomic64_t busy_ns[LIMN_MAX_PIPES];
};

/**
 * struct limn_mapping - a BO at an address of one address space
 *
 * Entered in &limn_bo.mappings. Handles and jobs each count as a user; the
 * last one to go unmaps.
 */
struct limn_mapping {
	/** @link: in &limn_bo.mappings */
	struct list_head link;
	/** @vm: the address space */
	struct limn_vm *vm;
	/** @bo: the BO */
	struct limn_bo *bo;
	/** @node: the addresses, in &limn_vm.mm */
	struct drm_mm_node node;
	/** @users: protected by &limn_bo.lock */
	unsigned int users;
	/** @heap_mapped: bytes of a heap that have entries (&limn_heap.lock) */
	size_t heap_mapped;
};

struct limn_vm *limn_vm_create(struct limn_device *ldev);
struct limn_vm *limn_vm_get(struct limn_vm *vm);
void limn_vm_put(struct limn_vm *vm);

int limn_vm_map(struct limn_vm *vm, struct limn_bo *bo);
struct limn_mapping *limn_mapping_get(struct limn_vm *vm, struct limn_bo *bo);
void limn_mapping_put(struct limn_mapping *mapping);
int limn_vm_unmap(struct limn_vm *vm, struct limn_bo *bo);

#endif
