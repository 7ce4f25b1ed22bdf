/* SPDX-License-Identifier: GPL-2.0-only */
/* Buffer objects: pages of shmem, of an exporter, or of another kind (struct limn_backing). */
#ifndef LIMN_GEM_H
#define LIMN_GEM_H

#include <linux/dma-direction.h>
#include <linux/dma-resv.h>
#include <linux/list.h>
#include <linux/llist.h>
#include <linux/mutex.h>
#include <drm/drm_gem_shmem_helper.h>
#include <drm/limn_drm.h>

struct limn_bo;
struct limn_device;
struct limn_mapping;

/* How the CPU maps a BO. */
enum limn_caching { LIMN_WRITE_COMBINED, LIMN_CACHED, LIMN_UNCACHED };

/* Who has had a handle of a BO: nobody yet, its creator's file alone, others as well. */
enum limn_sharing { LIMN_BO_NEW, LIMN_BO_PRIVATE, LIMN_BO_SHARED };

/* The BO gets a GPU address when a job first needs one. */
#define LIMN_VA_LATER		U64_MAX
/* The driver chooses the GPU address. */
#define LIMN_VA_ANY		(U64_MAX - 1)

/* Memory of a BO that is not pages of drm_gem_shmem. */
struct limn_backing {
	const struct limn_backing_ops *ops;
	/** @size: bytes that are there */
	size_t size;
};

struct limn_backing_ops {
	/** @kind: %DRM_LIMN_BO_HEAP or %DRM_LIMN_BO_USERMEM */
	u32 kind;
	/** @free: the BO goes */
	void (*free)(struct limn_bo *bo);
	/** @page: the @n-th one of @size, for a dump; the BO's reservation is held */
	struct page *(*page)(const struct limn_bo *bo, size_t n);
	/** @map: enter what @mapping lacks; does not allocate. NULL: what is in the BO's sgt */
	void (*map)(struct limn_mapping *mapping);
};

/**
 * struct limn_bo - a buffer object
 */
struct limn_bo {
	/** @base: GEM object, pages and their DMA addresses; without pages with @backing */
	struct drm_gem_shmem_object base;
	/**
	 * @lock: protects @mappings, &limn_mapping.users and @label; nothing is
	 * allocated under it
	 */
	struct mutex lock;
	/**
	 * @gpu_size: bytes that address spaces give it, whole pages of the GPU, which are 4 KiB
	 * whatever PAGE_SIZE is; 0: all of it; constant
	 */
	u64 gpu_size;
	/** @mappings: one per address space that has it */
	struct list_head mappings;
	/** @label: what userspace calls it, or NULL */
	char *label;
	/** @advised: userspace has said once whether it needs the contents (reservation) */
	bool advised;
	/** @free_link: in &limn_shrinker.freed */
	struct llist_node free_link;
	/** @want_va: &limn_gem_args.va; constant */
	u64 want_va;
	/** @caching: of CPU mappings; constant */
	enum limn_caching caching;
	/** @readonly: the GPU may not write it; constant */
	bool readonly;
	/** @sharing: only ever rises (reservation) */
	enum limn_sharing sharing;
	/** @submitted: a userptr BO that a DRM_ETNAVIV_GEM_SUBMIT has named */
	bool submitted;
	/** @prepared: DRM_ETNAVIV_GEM_CPU_PREP of a cached BO: for which direction (reservation) */
	u32 prepared;
	/** @kmap: where the kernel sees it, once it needed to; until it is freed (reservation) */
	void *kmap;
	/** @backing: NULL: its pages are in @base; constant */
	struct limn_backing *backing;
};

static inline struct limn_bo *to_limn_bo(struct drm_gem_object *obj)
{
	return container_of(to_drm_gem_shmem_obj(obj), struct limn_bo, base);
}

/* What a new BO is to be. */
struct limn_gem_args {
	/** @size: bytes, rounded up to whole pages */
	u64 size;
	/**
	 * @va: GPU address in the file that creates it: one to keep with the handle,
	 * LIMN_VA_ANY for any such, or LIMN_VA_LATER; then the one that it got
	 */
	u64 va;
	enum limn_caching caching;
	/** @heap: its memory grows on demand: &limn_backend.heap_init */
	bool heap;
	/** @readonly: the GPU may not write it */
	bool readonly;
};

struct drm_gem_object *limn_gem_create_object(struct drm_device *drm, size_t size);
struct drm_gem_object *limn_gem_import_sg_table(struct drm_device *drm,
						struct dma_buf_attachment *attach,
						struct sg_table *sgt);
void limn_gem_destroy(struct limn_bo *bo);
int limn_gem_create(struct drm_file *file, struct drm_device *drm,
		    struct limn_gem_args *args, u32 *handle);
int limn_gem_publish(struct drm_file *file, struct limn_bo *bo, int ret,
		     struct limn_gem_args *args, u32 *handle);
int limn_gem_kmap(struct limn_bo *bo, void **address);
int limn_gem_lock(struct drm_gem_object *obj);
int limn_gem_check_space(const struct limn_device *ldev, const struct limn_gem_args *args);

/*
 * Has no other file ever had the BO, so that all fences on it are of its creator's jobs? Its
 * reservation is held. (A BO's name and dma-buf do not answer that: they go with its last
 * handle, maybe during a submit.)
 */
static inline bool limn_gem_is_private(struct drm_gem_object *obj)
{
	return !obj->import_attach && READ_ONCE(to_limn_bo(obj)->sharing) != LIMN_BO_SHARED;
}

/* &drm_gem_shmem_object.madv: purged, though the pages are there until jobs have ended. */
#define LIMN_MADV_LEAVING	2

/* Is it memory of a process? */
static inline bool limn_gem_is_userptr(const struct limn_bo *bo)
{
	return bo->backing && bo->backing->ops->kind == DRM_LIMN_BO_USERMEM;
}

/* How its memory is mapped for the GPU, and synced. */
static inline enum dma_data_direction limn_gem_dma_dir(const struct limn_bo *bo)
{
	return bo->readonly ? DMA_TO_DEVICE : DMA_BIDIRECTIONAL;
}

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

/* limn_bo.c */
int limn_bo_va(struct drm_file *file, struct limn_bo *bo, u64 *va);

/* limn_gem_userptr.c */
int limn_gem_userptr(struct drm_file *file, struct drm_device *drm, u64 addr,
		     struct limn_gem_args *args, u32 *handle);
bool limn_pages_in_reach(struct device *dev, struct page *const *pages, unsigned long num);

#endif
