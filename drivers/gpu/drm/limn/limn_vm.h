/* SPDX-License-Identifier: GPL-2.0-only */
/* Address spaces of the GPU: one per open file (MMUv1: one for all), a mapping per BO in it. */
#ifndef LIMN_VM_H
#define LIMN_VM_H

#include <linux/kref.h>
#include <linux/mutex.h>
#include <drm/drm_mm.h>

#include "limn_device.h"

struct limn_bo;
struct limn_job;

/**
 * struct limn_vm - an address space
 *
 * Held by the open files that use it, by their contexts, and by cores whose MMU has its tables.
 */
struct limn_vm {
	/** @ref: of files, contexts and cores */
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
	/** @placed: mappings that have an address, in the order in which they got it (@lock) */
	struct list_head placed;
	/** @stale: unmapped memory that running jobs may still reach (@lock) */
	struct list_head stale;
};

/**
 * struct limn_stale - keeps the pages of what was unmapped under running jobs
 *
 * A TLB or a cache may still lead them there.
 */
struct limn_stale {
	/** @link: in &limn_vm.stale */
	struct list_head link;
	/** @obj: the BO, one reference */
	struct drm_gem_object *obj;
	/** @running: jobs that may hold a translation, by pipe */
	struct limn_job *running[LIMN_MAX_PIPES];
	/** @purge: the BO gives its pages back, too */
	bool purge;
};

/**
 * struct limn_mapping - a BO at an address of one address space
 *
 * Entered in &limn_bo.mappings. Handles and jobs each count as a user; the last one to go unmaps.
 */
struct limn_mapping {
	/** @link: in &limn_bo.mappings */
	struct list_head link;
	/** @placed: in &limn_vm.placed, when @node is allocated */
	struct list_head placed;
	/** @pins: what relies on the address: jobs, and @fixed (&limn_vm.lock) */
	unsigned int pins;
	/** @stale: for when the mapping goes, or is purged */
	struct limn_stale *stale;
	/** @vm: the address space */
	struct limn_vm *vm;
	/** @bo: the BO */
	struct limn_bo *bo;
	/** @node: the addresses, in &limn_vm.mm; none before somebody needs them */
	struct drm_mm_node node;
	/** @users: protected by &limn_bo.lock */
	unsigned int users;
	/** @fixed: userspace knows @node; counts as one of @pins (&limn_vm.lock) */
	bool fixed;
	/** @purged: the BO has no memory any more (&limn_vm.lock) */
	bool purged;
	/** @backed: bytes that have entries, where &limn_backing_ops.map enters them */
	size_t backed;
};

struct limn_vm *limn_vm_create(struct limn_device *ldev);
struct limn_vm *limn_vm_get(struct limn_vm *vm);
void limn_vm_put(struct limn_vm *vm);

int limn_vm_map(struct limn_vm *vm, struct limn_bo *bo, bool place);
struct limn_mapping *limn_mapping_get(struct limn_vm *vm, struct limn_bo *bo);
void limn_mapping_put(struct limn_mapping *mapping);
int limn_mapping_locate(struct limn_mapping *mapping, u64 *va);
bool limn_mapping_pin_placed(struct limn_mapping *mapping, u64 va);
int limn_mapping_pin(struct limn_mapping *mapping, u64 va);
void limn_mapping_unpin(struct limn_mapping *mapping);
int limn_vm_purge(struct limn_bo *bo);
void limn_vm_job_gone(struct limn_vm *vm, const struct limn_job *job);
void limn_vm_unmap(struct limn_vm *vm, struct limn_bo *bo);

#endif
