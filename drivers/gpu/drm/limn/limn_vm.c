// SPDX-License-Identifier: GPL-2.0-only
/*
 * Address spaces: who is where, and who still needs it.
 */

/**
 * DOC: address spaces
 *
 * Each open file has one address space; each of its BOs has one address in
 * it, chosen by the kernel. The first page is never handed out, so that a
 * zero in a command list faults instead of reading somebody's vertices.
 *
 * Locks, outermost first: &limn_vm.map_lock, &limn_vm.lock, &limn_heap.lock,
 * &limn_bo.lock, &limn_pipe.lock. Only the first may be held while memory is
 * allocated; the others are taken by finished jobs and by the recovery worker,
 * on the way to other fences.
 *
 * Freed pages must not be reachable through a TLB: a running job may have
 * touched a BO that it did not list. So unmapping flushes the TLBs of every
 * pipe that runs a job of the same address space, before anything is freed, and
 * counts in &limn_device.unmaps, so that a job which starts meanwhile, or later
 * without a cache clear of its own, finds no old entries in a cache either.
 */
#include <linux/scatterlist.h>
#include <linux/slab.h>

#include "limn_gem.h"
#include "limn_sched.h"
#include "limn_vm.h"

struct limn_vm *limn_vm_create(struct limn_device *ldev)
{
	struct limn_vm *vm = kzalloc(ldev->be->vm_size, GFP_KERNEL);
	int ret;

	if (!vm)
		return ERR_PTR(-ENOMEM);
	vm->ldev = ldev;
	kref_init(&vm->ref);
	mutex_init(&vm->map_lock);
	mutex_init(&vm->lock);
	ret = ldev->be->pt_init(vm);
	if (ret) {
		kfree(vm);
		return ERR_PTR(ret);
	}
	drm_mm_init(&vm->mm, ldev->be->va_start, ldev->va_end - ldev->be->va_start);
	return vm;
}

static void limn_vm_release(struct kref *ref)
{
	struct limn_vm *vm = container_of(ref, struct limn_vm, ref);

	drm_mm_takedown(&vm->mm);
	vm->ldev->be->pt_fini(vm);
	mutex_destroy(&vm->lock);
	mutex_destroy(&vm->map_lock);
	kfree(vm);
}

struct limn_vm *limn_vm_get(struct limn_vm *vm)
{
	kref_get(&vm->ref);
	return vm;
}

void limn_vm_put(struct limn_vm *vm)
{
	if (vm)
		kref_put(&vm->ref, limn_vm_release);
}

/* The mapping of @bo in @vm with one more user, or NULL. */
struct limn_mapping *limn_mapping_get(struct limn_vm *vm, struct limn_bo *bo)
{
	struct limn_mapping *mapping;

	mutex_lock(&bo->lock);
	list_for_each_entry(mapping, &bo->mappings, link) {
		if (mapping->vm == vm) {
			mapping->users++;
			mutex_unlock(&bo->lock);
			return mapping;
		}
	}
	mutex_unlock(&bo->lock);
	return NULL;
}

static void limn_mapping_write(struct limn_mapping *mapping)
{
	struct limn_vm *vm = mapping->vm;
	u64 va = mapping->node.start;
	struct scatterlist *sg;
	unsigned int i;

	if (mapping->bo->heap) {
		limn_heap_map(mapping);
		return;
	}
	for_each_sgtable_dma_sg(mapping->bo->base.sgt, sg, i) {
		u64 room = mapping->node.start + mapping->node.size - va;
		u64 size = min_t(u64, PAGE_ALIGN(sg_dma_len(sg)), room);

		vm->ldev->be->pt_map(vm, va, sg_dma_address(sg), size, !mapping->bo->readonly);
		va += size;
	}
}

static int limn_mapping_create(struct limn_vm *vm, struct limn_bo *bo)
{
	struct limn_mapping *mapping = kzalloc(sizeof(*mapping), GFP_KERNEL);
	int ret;

	lockdep_assert_held(&vm->map_lock);

	if (!mapping)
		return -ENOMEM;
	mapping->vm = vm;
	mapping->bo = bo;
	mapping->users = 1;

	mutex_lock(&vm->lock);
	ret = drm_mm_insert_node(&vm->mm, &mapping->node, bo->base.base.size);
	mutex_unlock(&vm->lock);
	if (ret)
		goto err_free;
	ret = vm->ldev->be->pt_reserve(vm, mapping->node.start, mapping->node.size);
	if (ret)
		goto err_node;
	limn_mapping_write(mapping);

	mutex_lock(&bo->lock);
	list_add(&mapping->link, &bo->mappings);
	mutex_unlock(&bo->lock);
	return 0;

err_node:
	mutex_lock(&vm->lock);
	drm_mm_remove_node(&mapping->node);
	mutex_unlock(&vm->lock);
err_free:
	kfree(mapping);
	return ret;
}

/**
 * limn_vm_map - a handle to @bo was created in the file of @vm
 * @vm: the file's address space
 * @bo: the BO
 *
 * Return: 0, -ENOSPC when the address space is full, -ENOMEM.
 */
int limn_vm_map(struct limn_vm *vm, struct limn_bo *bo)
{
	int ret = 0;

	mutex_lock(&vm->map_lock);
	if (!limn_mapping_get(vm, bo))
		ret = limn_mapping_create(vm, bo);
	mutex_unlock(&vm->map_lock);
	return ret;
}

/* One user less; the last one unmaps. */
void limn_mapping_put(struct limn_mapping *mapping)
{
	struct limn_vm *vm = mapping->vm;
	struct limn_bo *bo = mapping->bo;
	bool last;

	mutex_lock(&bo->lock);
	last = --mapping->users == 0;
	if (last)
		list_del(&mapping->link);
	mutex_unlock(&bo->lock);
	if (!last)
		return;

	mutex_lock(&vm->lock);
	vm->ldev->be->pt_unmap(vm, mapping->node.start, mapping->node.size);
	/* Before the pipes are looked at: a job that starts now sees the count. */
	atomic64_inc(&vm->ldev->unmaps);
	limn_sched_flush_vm(vm);
	drm_mm_remove_node(&mapping->node);
	mutex_unlock(&vm->lock);
	kfree(mapping);
}

/**
 * limn_vm_unmap - a handle to @bo was closed in the file of @vm
 * @vm: the file's address space
 * @bo: the BO
 *
 * Return: 0, or -ENOENT when it was not mapped.
 */
int limn_vm_unmap(struct limn_vm *vm, struct limn_bo *bo)
{
	struct limn_mapping *mapping = limn_mapping_get(vm, bo);

	if (drm_WARN_ON(&vm->ldev->drm, !mapping))
		return -ENOENT;
	limn_mapping_put(mapping);	/* the one just taken */
	limn_mapping_put(mapping);	/* the handle's */
	return 0;
}
