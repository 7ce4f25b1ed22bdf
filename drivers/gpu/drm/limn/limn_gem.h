/* SPDX-License-Identifier: GPL-2.0-only */
/* Buffer objects: shmem pages, imported pages, or a heap that grows. */
#ifndef LIMN_GEM_H
#define LIMN_GEM_H

#include <linux/dma-resv.h>
#include <linux/list.h>
#include <linux/llist.h>
#include <linux/mutex.h>
#include <drm/drm_gem_shmem_helper.h>

struct limn_device;
struct limn_dump;
struct limn_mapping;
struct limn_userptr;
struct limn_vm;
struct mem_cgroup;

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
	/** @starved: a job has failed because there was no memory for more */
	bool starved;
	/** @memcg: whom its memory is charged to; constant */
	struct mem_cgroup *memcg;
};

/**
 * struct limn_bo - a buffer object
 */
struct limn_bo {
	/** @base: GEM object, pages and their DMA addresses; without pages for a heap */
	struct drm_gem_shmem_object base;
	/**
	 * @lock: protects @mappings, &limn_mapping.users and @label; nothing is
	 * allocated under it
	 */
	struct mutex lock;
	/** @mappings: one per address space that has it */
	struct list_head mappings;
	/** @label: what userspace calls it, or NULL */
	char *label;
	/** @free_link: in &limn_shrinker.freed */
	struct llist_node free_link;
	/** @want_va: where its creator wants it, while the first handle is made; 0: anywhere */
	u64 want_va;
	/** @want_place: it is to have an address from the start, and keep it (as @want_va) */
	bool want_place;
	/** @opened: it has had a handle */
	bool opened;
	/** @shared: others than its creator's file have it, or had (reservation); never unset */
	bool shared;
	/** @userptr: whose pages it has, or NULL for its own */
	struct limn_userptr *userptr;
	/** @readonly: the GPU may not write it; constant */
	bool readonly;
	/** @uncached: the CPU maps it uncached, instead of write-combined; constant */
	bool uncached;
	/** @prepared: DRM_ETNAVIV_GEM_CPU_PREP of a cached BO: for which direction (reservation) */
	u32 prepared;
	/** @kmap: where the kernel sees it, once it needed to; until it is freed (reservation) */
	void *kmap;
	/** @heap: NULL for an ordinary BO */
	struct limn_heap *heap;
};

static inline struct limn_bo *to_limn_bo(struct drm_gem_object *obj)
{
	return container_of(to_drm_gem_shmem_obj(obj), struct limn_bo, base);
}

/* What a new BO is to be. */
struct limn_gem_args {
	/** @size: bytes, rounded up to whole pages */
	u64 size;
	/** @va: GPU address in the file that creates it, 0: any */
	u64 va;
	/** @heap: its memory is to grow on demand */
	bool heap;
	/** @cached: the CPU maps it cached, and asks for its caches to be flushed */
	bool cached;
	/** @uncached: the CPU maps it uncached */
	bool uncached;
	/** @place: it gets its GPU address now, and keeps it while there is a handle */
	bool place;
};

struct drm_gem_object *limn_gem_create_object(struct drm_device *drm, size_t size);
void limn_gem_destroy(struct limn_bo *bo);
int limn_gem_create(struct drm_file *file, struct drm_device *drm,
		    const struct limn_gem_args *args, u32 *handle);
int limn_gem_create_handle(struct drm_file *file, struct drm_device *drm, u32 size,
			   bool heap, u32 *handle);
int limn_gem_kmap(struct limn_bo *bo, void **address);
int limn_gem_check_va(struct limn_device *ldev, u64 va, u64 size);

/*
 * Can nobody but the file of its handle have put a fence on it? Its reservation is
 * held: whoever else did that had it before, and had the BO before that. (Not the
 * BO's name and dma-buf tell, which go with its last handle, maybe during a submit.)
 */
static inline bool limn_gem_is_private(struct drm_gem_object *obj)
{
	return !obj->import_attach && !READ_ONCE(to_limn_bo(obj)->shared);
}

/* &drm_gem_shmem_object.madv: purged, though the pages are there until jobs have ended. */
#define LIMN_MADV_LEAVING	2

/* Was its memory taken back? */
static inline bool limn_gem_is_purged(const struct limn_bo *bo)
{
	int madv = READ_ONCE(bo->base.madv);

	return madv < 0 || madv == LIMN_MADV_LEAVING;
}

/**
 * limn_gem_check - may jobs use this BO?
 * @bo: the BO; its reservation is held, and gets the job's fence before it is not
 *
 * Return: 0, or -ENXIO when its memory was taken back.
 */
static inline int limn_gem_check(const struct limn_bo *bo)
{
	dma_resv_assert_held(bo->base.base.resv);
	return limn_gem_is_purged(bo) ? -ENXIO : 0;
}

/* Memory of a process, limn_gem_userptr.c. */
#define LIMN_USERPTR_READ	BIT(0)
#define LIMN_USERPTR_WRITE	BIT(1)
int limn_gem_userptr(struct drm_file *file, struct drm_device *drm, u64 addr,
		     const struct limn_gem_args *args, u32 flags, u32 *handle);
int limn_gem_userptr_handle(struct drm_file *file, struct drm_device *drm, u64 addr,
			    u64 size, u32 flags, u32 *handle);
void limn_userptr_fini(struct limn_bo *bo);
bool limn_pages_in_reach(struct device *dev, struct page *const *pages, unsigned long num);
struct page *limn_userptr_page(const struct limn_bo *bo, size_t n);

int limn_heap_init(struct limn_bo *bo);
void limn_heap_fini(struct limn_bo *bo);
int limn_heap_grow(struct limn_bo *bo);
int limn_heap_feed(struct limn_mapping *mapping);
void limn_heap_map(struct limn_mapping *mapping);
void limn_heap_dump(struct limn_bo *bo, struct limn_dump *d, const char *label, u64 va);

#endif
