// SPDX-License-Identifier: GPL-2.0-only
/*
 * Heap BOs: memory that grows while the job that fills it waits.
 */

/**
 * DOC: heaps
 *
 * The polygon list builder takes memory from a heap. When that is used up it stops and raises an
 * interrupt; the recovery worker adds pages, enters them into the page tables and lets it go on.
 *
 * A fence depends on that worker, so it must not wait for memory reclaim: reclaim may wait for a
 * fence. Growing therefore takes what is free at the moment, and may be content with less than
 * it asked for. The page tables of a heap's whole range are allocated when the BO is mapped.
 *
 * All of a heap's memory is charged to the memory cgroup of the process that created it. A
 * cgroup that is at its limit has to give memory back before it gets more, which the worker
 * cannot wait for either: then the job fails, and the next submit with that heap makes it
 * larger, in the client's own time.
 *
 * Pages come one by one and are mapped for DMA one by one: what the GPU already uses stays where
 * it is.
 */
#include <linux/delay.h>
#include <linux/dma-mapping.h>
#include <linux/memcontrol.h>
#include <linux/module.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>
#include <drm/limn_drm.h>

#include "limn_gem.h"
#include "utgard.h"

static unsigned int utgard_heap_init_nr_pages = 8;
module_param_named(heap_init_nr_pages, utgard_heap_init_nr_pages, uint, 0444);
MODULE_PARM_DESC(heap_init_nr_pages, "pages that a heap buffer starts with (default 8)");

struct utgard_heap_page {
	struct page *page;
	dma_addr_t dma;
};

struct utgard_heap_chunk {
	struct list_head link;
	unsigned int num;
	struct utgard_heap_page page[];
};

/* Memory of a BO, from its start. It only ever grows, until the BO is freed. */
struct utgard_heap {
	/** @base: its size is written under @lock, and read by anybody */
	struct limn_backing base;
	/**
	 * @lock: protects @chunks, the size and &limn_mapping.backed;
	 * nothing is allocated under it
	 */
	struct mutex lock;
	/** @chunks: pages, in the order of their addresses */
	struct list_head chunks;
	/** @starved: a job has failed because there was no memory for more */
	bool starved;
	/** @memcg: whom its memory is charged to; constant */
	struct mem_cgroup *memcg;
};

static struct utgard_heap *to_utgard_heap(const struct limn_bo *bo)
{
	return container_of(bo->backing, struct utgard_heap, base);
}

/* A heap doubles, up to this much at a time: its books take one page then. */
#define UTGARD_HEAP_STEP_PAGES								\
	((PAGE_SIZE - sizeof(struct utgard_heap_chunk)) / sizeof(struct utgard_heap_page))

/* All but the first @keep pages. */
static void utgard_heap_chunk_trim(struct device *dev, struct utgard_heap_chunk *chunk,
				   size_t keep)
{
	while (chunk->num > keep) {
		struct utgard_heap_page *p = &chunk->page[--chunk->num];

		dma_unmap_page(dev, p->dma, PAGE_SIZE, DMA_BIDIRECTIONAL);
		__free_page(p->page);
	}
	if (!keep)
		kfree(chunk);
}

static struct utgard_heap_chunk *
utgard_heap_chunk_alloc(struct device *dev, unsigned int want, gfp_t gfp)
{
	struct utgard_heap_chunk *chunk = kmalloc(struct_size(chunk, page, want), gfp);

	if (!chunk)
		return NULL;
	for (chunk->num = 0; chunk->num < want; chunk->num++) {
		struct utgard_heap_page *p = &chunk->page[chunk->num];

		p->page = alloc_page(gfp | __GFP_ZERO | __GFP_DMA32);
		if (!p->page)
			break;
		p->dma = dma_map_page(dev, p->page, 0, PAGE_SIZE, DMA_BIDIRECTIONAL);
		if (dma_mapping_error(dev, p->dma)) {
			__free_page(p->page);
			break;
		}
	}
	if (!chunk->num) {
		kfree(chunk);
		return NULL;
	}
	return chunk;
}

/* At most as far as the BO goes: somebody else may have made the heap larger meanwhile. */
static void utgard_heap_add(struct limn_bo *bo, struct utgard_heap_chunk *chunk)
{
	struct utgard_heap *heap = to_utgard_heap(bo);
	size_t room;

	mutex_lock(&heap->lock);
	room = min_t(size_t, chunk->num, (bo->base.base.size - heap->base.size) >> PAGE_SHIFT);
	if (room)
		list_add_tail(&chunk->link, &heap->chunks);
	utgard_heap_chunk_trim(bo->base.base.dev->dev, chunk, room);
	WRITE_ONCE(heap->base.size, heap->base.size + room * PAGE_SIZE);
	WRITE_ONCE(heap->starved, false);
	mutex_unlock(&heap->lock);
}

static int utgard_heap_extend(struct limn_bo *bo, size_t pages, gfp_t gfp)
{
	struct mem_cgroup *old = set_active_memcg(to_utgard_heap(bo)->memcg);
	struct utgard_heap_chunk *chunk;

	chunk = utgard_heap_chunk_alloc(bo->base.base.dev->dev,
					min_t(size_t, pages, UTGARD_HEAP_STEP_PAGES),
					gfp | __GFP_ACCOUNT | __GFP_NOWARN);
	set_active_memcg(old);
	if (!chunk)
		return -ENOMEM;
	utgard_heap_add(bo, chunk);
	return 0;
}

static void utgard_heap_free(struct limn_bo *bo)
{
	struct utgard_heap *heap = to_utgard_heap(bo);
	struct utgard_heap_chunk *chunk, *next;

	list_for_each_entry_safe(chunk, next, &heap->chunks, link)
		utgard_heap_chunk_trim(bo->base.base.dev->dev, chunk, 0);
	mem_cgroup_put(heap->memcg);
	mutex_destroy(&heap->lock);
	kfree(heap);
}

/* The @n-th page of a heap, or NULL. */
static struct page *utgard_heap_page(const struct limn_bo *bo, size_t n)
{
	struct utgard_heap *heap = to_utgard_heap(bo);
	struct utgard_heap_chunk *chunk;
	struct page *page = NULL;

	mutex_lock(&heap->lock);
	list_for_each_entry(chunk, &heap->chunks, link) {
		if (n < chunk->num) {
			page = chunk->page[n].page;
			break;
		}
		n -= chunk->num;
	}
	mutex_unlock(&heap->lock);
	return page;
}

/* Enter the pages that this mapping does not have yet. Does not allocate. */
static void utgard_heap_map(struct limn_mapping *mapping)
{
	struct utgard_heap *heap = to_utgard_heap(mapping->bo);
	struct utgard_heap_chunk *chunk;
	size_t offset = 0;
	unsigned int i;

	mutex_lock(&heap->lock);
	list_for_each_entry(chunk, &heap->chunks, link) {
		for (i = 0; i < chunk->num; i++, offset += PAGE_SIZE) {
			if (offset >= mapping->backed)
				utgard_pt_ops.map(mapping->vm, mapping->node.start + offset,
						  chunk->page[i].dma, PAGE_SIZE, true);
		}
	}
	/* Jobs queued already use more of it now: an older clear of the L2 does not do for them. */
	if (mapping->backed)
		atomic64_inc(&mapping->vm->ldev->unmaps);
	/* Behind the count, for utgard_gp_prepare(). */
	smp_store_release(&mapping->backed, heap->base.size);
	mutex_unlock(&heap->lock);
}

static const struct limn_backing_ops utgard_heap_ops = {
	.kind = DRM_LIMN_BO_HEAP,
	.free = utgard_heap_free,
	.page = utgard_heap_page,
	.map = utgard_heap_map,
};

/* &limn_backend.heap_init */
int utgard_heap_init(struct limn_bo *bo)
{
	size_t size = min_t(u64, bo->base.base.size,
			    (u64)max(utgard_heap_init_nr_pages, 1U) << PAGE_SHIFT);
	struct utgard_heap *heap = kzalloc(sizeof(*heap), GFP_KERNEL);
	int ret = 0;

	if (!heap)
		return -ENOMEM;
	heap->base.ops = &utgard_heap_ops;
	mutex_init(&heap->lock);
	INIT_LIST_HEAD(&heap->chunks);
	heap->memcg = get_mem_cgroup_from_mm(current->mm);
	bo->backing = &heap->base;
	/* In case of an error the heap goes with the BO. */
	while (!ret && heap->base.size < size)
		ret = utgard_heap_extend(bo, (size - heap->base.size) >> PAGE_SHIFT,
					 GFP_KERNEL | __GFP_RETRY_MAYFAIL);
	return ret;
}

/* Is the BO a heap? */
bool utgard_is_heap(const struct limn_bo *bo)
{
	return bo->backing && bo->backing->ops == &utgard_heap_ops;
}

/*
 * More memory for a heap whose job knows of @had bytes and waits, on the way to a fence: by the
 * recovery worker only. 0; -ENOSPC when the BO has all that it may have; -ENOMEM when there is none
 * free.
 */
int utgard_heap_grow(struct limn_mapping *mapping, size_t had)
{
	struct limn_bo *bo = mapping->bo;
	size_t size = READ_ONCE(bo->backing->size);
	unsigned int tries;

	/* Another job, or a submit, may have got the heap more meanwhile. */
	if (size > had) {
		utgard_heap_map(mapping);
		return 0;
	}
	if (size == bo->base.base.size)
		return -ENOSPC;
	for (tries = 0; tries < 5; tries++) {
		if (!utgard_heap_extend(bo, size >> PAGE_SHIFT, GFP_NOWAIT)) {
			utgard_heap_map(mapping);
			return 0;
		}
		/* kswapd is awake now; it needs no fence to free clean pages. */
		msleep(20);
	}
	WRITE_ONCE(to_utgard_heap(bo)->starved, true);
	return -ENOMEM;
}

/* Before a submit: a heap gets the memory that a job found missing. 0 or -ENOMEM. */
int utgard_heap_feed(struct limn_mapping *mapping)
{
	struct limn_bo *bo = mapping->bo;
	int ret;

	if (!READ_ONCE(to_utgard_heap(bo)->starved))
		return 0;
	ret = utgard_heap_extend(bo, READ_ONCE(bo->backing->size) >> PAGE_SHIFT,
				 GFP_KERNEL | __GFP_RETRY_MAYFAIL);
	if (!ret)
		utgard_heap_map(mapping);
	return ret;
}
