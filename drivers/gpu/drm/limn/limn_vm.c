// SPDX-License-Identifier: GPL-2.0-only
/*
 * Address spaces: which BO has which address, and how long it keeps it.
 */

/**
 * DOC: address spaces
 *
 * Each open file has one address space (with MMUv1 all files have the same one); each of its BOs
 * has one address in it, chosen by the kernel or asked for. The kernel does not choose the first
 * page, so that a zero in a command list does not read somebody's vertices.
 *
 * A BO has an address from the start when its creator asks for that, and from the moment on at
 * which userspace asks for its address (limn_mapping_locate()): then it keeps it until the last
 * handle goes. Otherwise it gets one when a job first needs it, because the job may ask for a
 * certain one, and may lose it to another BO while no job pins it (limn_mapping_pin()).
 *
 * Locks, outermost first: &limn_vm.map_lock, &limn_vm.lock, those of families' &limn_bo.backing,
 * &limn_bo.lock, &limn_pipe.lock. Only the first may be held while memory is allocated; the
 * others are taken by finished jobs and by the recovery worker, on the way to other fences.
 *
 * Freed pages must not be reachable through a TLB or a cache of page tables: a running job may
 * have touched a BO that it did not list. TLBs and caches are flushed between jobs only, so what
 * is unmapped under jobs of the same address space stays in memory until those have ended
 * (struct limn_stale). Unmapping counts in &limn_device.unmaps, so that a job which starts later
 * without a cache clear of its own finds no old entries in a cache either.
 */
#include <linux/scatterlist.h>
#include <linux/slab.h>
#include <drm/drm_print.h>

#include "limn_gem.h"
#include "limn_retire.h"
#include "limn_sched.h"
#include "limn_shrinker.h"
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
	ret = ldev->pt->init(vm);
	if (ret) {
		kfree(vm);
		return ERR_PTR(ret);
	}
	INIT_LIST_HEAD(&vm->placed);
	INIT_LIST_HEAD(&vm->stale);
	drm_mm_init(&vm->mm, ldev->va_start, ldev->va_end - ldev->va_start);
	return vm;
}

static void limn_vm_release(struct kref *ref)
{
	struct limn_vm *vm = container_of(ref, struct limn_vm, ref);

	drm_WARN_ON(&vm->ldev->drm, !list_empty(&vm->stale));
	drm_mm_takedown(&vm->mm);
	vm->ldev->pt->fini(vm);
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

	guard(mutex)(&bo->lock);
	list_for_each_entry(mapping, &bo->mappings, link) {
		if (mapping->vm == vm) {
			mapping->users++;
			return mapping;
		}
	}
	return NULL;
}

static void limn_mapping_write(struct limn_mapping *mapping)
{
	struct limn_vm *vm = mapping->vm;
	u64 va = mapping->node.start;
	struct scatterlist *sg;
	unsigned int i;

	if (mapping->bo->backing && mapping->bo->backing->ops->map) {
		mapping->bo->backing->ops->map(mapping);
		return;
	}
	if (!mapping->bo->base.sgt)
		return;
	for_each_sgtable_dma_sg(mapping->bo->base.sgt, sg, i) {
		u64 room = mapping->node.start + mapping->node.size - va;
		u64 size = min_t(u64, ALIGN(sg_dma_len(sg), SZ_4K), room);

		vm->ldev->pt->map(vm, va, sg_dma_address(sg), size,
				      !mapping->bo->readonly);
		va += size;
	}
}

/* Clear the entries. False: running jobs may still reach the memory, which stays until they end. */
static bool limn_mapping_unmap(struct limn_mapping *mapping, bool purge)
{
	struct limn_stale *stale = mapping->stale;
	struct limn_vm *vm = mapping->vm;

	lockdep_assert_held(&vm->lock);

	vm->ldev->pt->unmap(vm, mapping->node.start, mapping->node.size);
	/* Before the pipes are looked at: a job that starts now sees the count and the entries. */
	wmb();
	atomic64_inc(&vm->ldev->unmaps);
	if (!limn_sched_find_vm(vm, stale->running))
		return true;
	stale->purge = purge;
	stale->obj = &mapping->bo->base.base;
	drm_gem_object_get(stale->obj);
	list_add(&stale->link, &vm->stale);
	mapping->stale = NULL;
	return false;
}

/* The mapping, which nobody has pinned, loses its address. */
static void limn_mapping_remove(struct limn_mapping *mapping)
{
	if (!mapping->purged)
		limn_mapping_unmap(mapping, false);
	mapping->backed = 0;
	list_del(&mapping->placed);
	drm_mm_remove_node(&mapping->node);
}

/* drm_mm_reserve_node(), at the cost of mappings there that nobody has pinned. */
static int limn_vm_reserve(struct limn_vm *vm, struct drm_mm_node *node, u64 va, u64 size)
{
	struct drm_mm_node *taken, *next;
	int ret;

	lockdep_assert_held(&vm->lock);

	if (va < vm->ldev->va_start || va >= vm->ldev->va_end || size > vm->ldev->va_end - va)
		return -ENOSPC;
	node->start = va;
	node->size = size;
	ret = drm_mm_reserve_node(&vm->mm, node);
	if (ret != -ENOSPC)
		return ret;
	drm_mm_for_each_node_in_range(taken, &vm->mm, va, va + size) {
		if (container_of(taken, struct limn_mapping, node)->pins)
			return -ENOSPC;
	}
	drm_mm_for_each_node_safe(taken, next, &vm->mm) {
		if (taken->start < va + size && taken->start + taken->size > va)
			limn_mapping_remove(container_of(taken, struct limn_mapping, node));
	}
	return drm_mm_reserve_node(&vm->mm, node);
}

/* Address 0 is for who asks for it: nobody else gets it by writing a null pointer to the GPU. */
static int limn_vm_find_hole(struct limn_vm *vm, struct drm_mm_node *node, u64 size)
{
	lockdep_assert_held(&vm->lock);
	return drm_mm_insert_node_in_range(&vm->mm, node, size, 0, 0, SZ_4K, U64_MAX,
					   DRM_MM_INSERT_BEST);
}

static int limn_vm_insert(struct limn_vm *vm, struct drm_mm_node *node, u64 size)
{
	struct limn_mapping *mapping, *next;
	int ret = limn_vm_find_hole(vm, node, size);

	/*
	 * The one placed first goes first, until there is a hole. It happens seldom, and costs a
	 * map later: noting in each submit which was used last would cost more.
	 */
	list_for_each_entry_safe(mapping, next, &vm->placed, placed) {
		if (ret != -ENOSPC)
			break;
		if (mapping->pins)
			continue;
		limn_mapping_remove(mapping);
		ret = limn_vm_find_hole(vm, node, size);
	}
	return ret;
}

/* Pin it at @va, or at any address if that is LIMN_VA_ANY, with page table entries. */
static int limn_mapping_place(struct limn_mapping *mapping, u64 va)
{
	struct limn_vm *vm = mapping->vm;
	u64 size = mapping->bo->gpu_size ?: mapping->bo->base.base.size;
	int ret;

	lockdep_assert_held(&vm->map_lock);

	if (!mapping->stale) {
		mapping->stale = kzalloc(sizeof(*mapping->stale), GFP_KERNEL);
		if (!mapping->stale)
			return -ENOMEM;
	}
	mutex_lock(&vm->lock);
	if (mapping->purged)
		ret = -ENXIO;
	else
		ret = va != LIMN_VA_ANY ? limn_vm_reserve(vm, &mapping->node, va, size) :
					  limn_vm_insert(vm, &mapping->node, size);
	if (!ret) {
		list_add_tail(&mapping->placed, &vm->placed);
		mapping->pins++;	/* nobody takes it away before it is complete */
	}
	mutex_unlock(&vm->lock);
	if (ret)
		return ret;

	if (vm->ldev->pt->reserve)
		ret = vm->ldev->pt->reserve(vm, mapping->node.start, mapping->node.size);
	if (!ret) {
		limn_mapping_write(mapping);
		return 0;
	}
	mutex_lock(&vm->lock);
	mapping->pins--;
	list_del(&mapping->placed);
	drm_mm_remove_node(&mapping->node);
	mutex_unlock(&vm->lock);
	return ret;
}

static void limn_mapping_free(struct limn_mapping *mapping)
{
	kfree(mapping->stale);
	kfree(mapping);
}

/* At @va or LIMN_VA_ANY, for as long as there is a handle. */
static int limn_mapping_fix(struct limn_mapping *mapping, u64 va)
{
	int ret = limn_mapping_place(mapping, va);

	if (ret)
		return ret == -ENOSPC && va != LIMN_VA_ANY ? -EEXIST : ret;
	mutex_lock(&mapping->vm->lock);
	mapping->fixed = true;
	mutex_unlock(&mapping->vm->lock);
	return 0;
}

static int limn_mapping_create(struct limn_vm *vm, struct limn_bo *bo, bool place)
{
	struct limn_mapping *mapping = kzalloc(sizeof(*mapping), GFP_KERNEL);
	int ret;

	lockdep_assert_held(&vm->map_lock);

	if (!mapping)
		return -ENOMEM;
	mapping->vm = vm;
	mapping->bo = bo;
	mapping->users = 1;
	ret = place ? limn_mapping_fix(mapping, bo->want_va) : 0;
	if (ret) {
		limn_mapping_free(mapping);
		return ret;
	}
	mutex_lock(&bo->lock);
	list_add(&mapping->link, &bo->mappings);
	mutex_unlock(&bo->lock);
	return 0;
}

static int limn_mapping_try_locate(struct limn_mapping *mapping, u64 *va)
{
	struct limn_vm *vm = mapping->vm;
	int ret = 0;

	mutex_lock(&vm->map_lock);
	if (!drm_mm_node_allocated(&mapping->node)) {
		ret = limn_mapping_fix(mapping, LIMN_VA_ANY);
	} else if (!mapping->fixed) {
		mutex_lock(&vm->lock);
		mapping->fixed = true;
		mapping->pins++;
		mutex_unlock(&vm->lock);
	}
	*va = ret ? 0 : mapping->node.start;
	mutex_unlock(&vm->map_lock);
	return ret == -ENXIO ? 0 : ret;
}

/*
 * The address of @mapping for userspace: the BO gets one now if it has none, and keeps it.
 * @va is 0 when its memory is gone. 0; -ENOSPC when the address space is full; -ENOMEM.
 */
int limn_mapping_locate(struct limn_mapping *mapping, u64 *va)
{
	int ret = limn_mapping_try_locate(mapping, va);

	if (ret != -ENOSPC)
		return ret;
	limn_retire_flush(mapping->vm->ldev);
	return limn_mapping_try_locate(mapping, va);
}

/* limn_mapping_pin() of a mapping that is placed already. &limn_vm.map_lock and .lock are held. */
bool limn_mapping_pin_placed(struct limn_mapping *mapping, u64 va)
{
	struct limn_vm *vm = mapping->vm;

	lockdep_assert_held(&vm->map_lock);	/* nobody is about to place it */
	lockdep_assert_held(&vm->lock);

	if (!drm_mm_node_allocated(&mapping->node) || (va && mapping->node.start != va))
		return false;
	mapping->pins++;
	return true;
}

/*
 * A job relies on the address of @mapping, which must be @va if that is not 0. 0; -EINVAL when @va
 * is not that of a page, or other jobs rely on a different address; -ENOSPC when the addresses are
 * in use or out of range; -ENXIO when the BO has no memory any more; -ENOMEM.
 */
int limn_mapping_pin(struct limn_mapping *mapping, u64 va)
{
	struct limn_vm *vm = mapping->vm;
	bool pinned;
	int ret = 0;

	if (!IS_ALIGNED(va, SZ_4K))
		return -EINVAL;
	mutex_lock(&vm->map_lock);
	mutex_lock(&vm->lock);
	pinned = limn_mapping_pin_placed(mapping, va);
	if (!pinned && drm_mm_node_allocated(&mapping->node)) {
		if (mapping->pins)
			ret = -EINVAL;
		else
			limn_mapping_remove(mapping);
	}
	mutex_unlock(&vm->lock);

	/* Only holders of the outer lock take addresses away. */
	if (!ret && !pinned)
		ret = limn_mapping_place(mapping, va ?: LIMN_VA_ANY);
	mutex_unlock(&vm->map_lock);
	return ret;
}

/* &limn_vm.lock is held. */
void limn_mapping_unpin(struct limn_mapping *mapping)
{
	lockdep_assert_held(&mapping->vm->lock);
	mapping->pins--;
}

/*
 * @job does not run any more: free the memory that was kept for it alone. Nothing that a fence
 * depends on may call this, because a purge waits for the reservation.
 */
void limn_vm_job_gone(struct limn_vm *vm, const struct limn_job *job)
{
	struct limn_stale *stale, *next;
	unsigned int i = job->pipe->id;
	LIST_HEAD(gone);

	mutex_lock(&vm->lock);
	list_for_each_entry_safe(stale, next, &vm->stale, link) {
		if (stale->running[i] != job)
			continue;
		stale->running[i] = NULL;
		if (!memchr_inv(stale->running, 0, sizeof(stale->running)))
			list_move(&stale->link, &gone);
	}
	mutex_unlock(&vm->lock);

	list_for_each_entry_safe(stale, next, &gone, link) {
		if (stale->purge)
			limn_bo_purge_pages(to_limn_bo(stale->obj));
		drm_gem_object_put(stale->obj);
		kfree(stale);
	}
}

static int limn_vm_try_map(struct limn_vm *vm, struct limn_bo *bo, bool place)
{
	int ret = 0;

	mutex_lock(&vm->map_lock);
	if (!limn_mapping_get(vm, bo))
		ret = limn_mapping_create(vm, bo, place);
	mutex_unlock(&vm->map_lock);
	return ret;
}

/*
 * A handle to @bo was created in the file of @vm. With @place it gets an address and keeps it:
 * &limn_bo.want_va. 0; -ENOSPC when the address space is full, or does not have
 * these addresses; -EEXIST when they are taken; -ENOMEM.
 */
int limn_vm_map(struct limn_vm *vm, struct limn_bo *bo, bool place)
{
	int ret = limn_vm_try_map(vm, bo, place);

	if (ret != -ENOSPC && ret != -EEXIST)
		return ret;
	/* Jobs that are done may have the addresses of BOs that are closed. */
	limn_retire_flush(vm->ldev);
	return limn_vm_try_map(vm, bo, place);
}

/* The mapping has one user less; it goes with the last. */
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
	if (drm_mm_node_allocated(&mapping->node))
		limn_mapping_remove(mapping);
	mutex_unlock(&vm->lock);
	limn_mapping_free(mapping);
}

/* The only mapping of @bo with one more user, as has its address space; or NULL. */
static struct limn_mapping *limn_mapping_get_only(struct limn_bo *bo)
{
	struct limn_mapping *mapping = NULL;

	guard(mutex)(&bo->lock);
	if (list_is_singular(&bo->mappings)) {
		mapping = list_first_entry(&bo->mappings, struct limn_mapping, link);
		mapping->users++;
		limn_vm_get(mapping->vm);	/* its users keep it so far */
	}
	return mapping;
}

static int limn_mapping_purge(struct limn_mapping *mapping)
{
	bool now = true;

	lockdep_assert_held(&mapping->vm->lock);

	if (mapping->pins > mapping->fixed)
		return -EBUSY;
	if (drm_mm_node_allocated(&mapping->node))
		now = limn_mapping_unmap(mapping, true);
	mapping->purged = true;
	return now ? 0 : -EINPROGRESS;
}

/*
 * The memory of a BO is about to be taken back: it keeps its address, but no GPU finds anything
 * there. Its reservation is held, and no job that lists it is unfinished. For reclaim: takes no
 * lock under which memory is allocated.
 *
 * 0: the memory may go. -EINPROGRESS: it does by limn_bo_purge_pages(), when jobs that may hold
 * translations have ended. -EBUSY: it is in use, and everything is as before.
 */
int limn_vm_purge(struct limn_bo *bo)
{
	struct limn_mapping *mapping = limn_mapping_get_only(bo);
	struct limn_vm *vm;
	int ret;

	dma_resv_assert_held(bo->base.base.resv);

	if (!mapping)
		return -EBUSY;
	vm = mapping->vm;
	mutex_lock(&vm->lock);
	ret = limn_mapping_purge(mapping);
	mutex_unlock(&vm->lock);
	limn_mapping_put(mapping);
	limn_vm_put(vm);
	return ret;
}

/* A handle to @bo was closed in the file of @vm. */
void limn_vm_unmap(struct limn_vm *vm, struct limn_bo *bo)
{
	struct limn_mapping *mapping = limn_mapping_get(vm, bo);

	if (drm_WARN_ON(&vm->ldev->drm, !mapping))
		return;
	limn_mapping_put(mapping);	/* the one just taken */
	limn_mapping_put(mapping);	/* the handle's */
}
