/* SPDX-License-Identifier: GPL-2.0-only */
/* Buffer objects: shmem pages, imported pages, or a heap that grows. */
#ifndef LIMN_GEM_H
#define LIMN_GEM_H

#include <linux/list.h>
#include <linux/mutex.h>
#include <drm/drm_gem_shmem_helper.h>

struct limn_mapping;
struct limn_vm;

/**
 * struct limn_heap - backing memory of a heap BO, from its start
 *
 * Only ever grows, until the BO is freed.
 */
struct limn_heap {
	/**
	 * @lock: protects @chunks, @size and &limn_mapping.heap_mapped;
	 * nothing is allocated under it
	 */
	struct mutex lock;
	/** @chunks: pages, in the order of their addresses */
	struct list_head chunks;
	/** @size: bytes that are backed; written under @lock, read by anybody */
	size_t size;
};

/**
 * struct limn_bo - a buffer object
 */
struct limn_bo {
	/** @base: GEM object, pages and their DMA addresses; without pages for a heap */
	struct drm_gem_shmem_object base;
	/**
	 * @lock: protects @mappings and &limn_mapping.users; nothing is
	 * allocated under it
	 */
	struct mutex lock;
	/** @mappings: one per address space that has it */
	struct list_head mappings;
	/** @readonly: the GPU may not write it; constant */
	bool readonly;
	/** @heap: NULL for an ordinary BO */
	struct limn_heap *heap;
};

static inline struct limn_bo *to_limn_bo(struct drm_gem_object *obj)
{
	return container_of(to_drm_gem_shmem_obj(obj), struct limn_bo, base);
}

struct drm_gem_object *limn_gem_create_object(struct drm_device *drm, size_t size);
int limn_gem_create_handle(struct drm_file *file, struct drm_device *drm, u32 size,
			   bool heap, u32 *handle);

int limn_heap_init(struct limn_bo *bo);
void limn_heap_fini(struct limn_bo *bo);
int limn_heap_grow(struct limn_bo *bo);
void limn_heap_map(struct limn_mapping *mapping);

#endif
