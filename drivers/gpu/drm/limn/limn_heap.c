// SPDX-License-Identifier: GPL-2.0-only
/*
 * Heap BOs: memory that grows while the job that fills it waits.
 */

/**
 * DOC: heaps
 *
 * The polygon list builder takes memory from a heap. When that is used up it
 * stops and raises an interrupt; the recovery worker adds pages, enters them
 * into the page tables and lets it go on.
 *
 * A fence depends on that worker, so it must not wait for memory reclaim:
 * reclaim may wait for a fence. Growing therefore takes what is free at the
 * moment, and may be content with less than it asked for. The page tables of
 * a heap's whole range are allocated when the BO is mapped.
 *
 * All of a heap's memory is charged to the memory cgroup of the process that
 * created it. A cgroup that is at its limit has to give memory back before it gets
 * more, which the worker cannot wait for either: then the job fails, and the next
 * submit with that heap makes it larger, in the client's own time.
 *
 * Pages come one by one and are mapped for DMA one by one: what the GPU
 * already uses stays where it is.
 */
#include <linux/delay.h>
#include <linux/dma-mapping.h>
#include <linux/highmem.h>
#include <linux/memcontrol.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>

#include "limn_device.h"
#include "limn_drv.h"
#include "limn_dump.h"
#include "limn_gem.h"
#include "limn_vm.h"

struct limn_heap_page {
	struct page *page;
	dma_addr_t dma;
};

struct limn_heap_chunk {
	struct list_head link;
	unsigned int num;
	struct limn_heap_page page[];
};

/* A heap doubles, up to this much at a time: its books take one page then. */
#define LIMN_HEAP_STEP_PAGES								\
	((PAGE_SIZE - sizeof(struct limn_heap_chunk)) / sizeof(struct limn_heap_page))

/* All but the first @keep pages. */
static void limn_heap_chunk_trim(struct device *dev, struct limn_heap_chunk *chunk, size_t keep)
{
	while (chunk->num > keep) {
		struct limn_heap_page *p = &chunk->page[--chunk->num];

		dma_unmap_page(dev, p->dma, PAGE_SIZE, DMA_BIDIRECTIONAL);
		__free_page(p->page);
	}
	if (!keep)
		kfree(chunk);
}

static struct limn_heap_chunk *limn_heap_chunk_alloc(struct device *dev, unsigned int want,
						     gfp_t gfp)
{
	struct limn_heap_chunk *chunk = kmalloc(struct_size(chunk, page, want), gfp);

	if (!chunk)
		return NULL;
	for (chunk->num = 0; chunk->num < want; chunk->num++) {
		struct limn_heap_page *p = &chunk->page[chunk->num];

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
static void limn_heap_add(struct limn_bo *bo, struct limn_heap_chunk *chunk)
{
	struct limn_heap *heap = bo->heap;
	size_t room;

	mutex_lock(&heap->lock);
	room = min_t(size_t, chunk->num, (bo->base.base.size - heap->size) >> PAGE_SHIFT);
	if (room)
		list_add_tail(&chunk->link, &heap->chunks);
	limn_heap_chunk_trim(bo->base.base.dev->dev, chunk, room);
	WRITE_ONCE(heap->size, heap->size + room * PAGE_SIZE);
	WRITE_ONCE(heap->starved, false);
	mutex_unlock(&heap->lock);
}

static int limn_heap_extend(struct limn_bo *bo, size_t pages, gfp_t gfp)
{
	struct mem_cgroup *old = set_active_memcg(bo->heap->memcg);
	struct limn_heap_chunk *chunk;

	chunk = limn_heap_chunk_alloc(bo->base.base.dev->dev,
				      min_t(size_t, pages, LIMN_HEAP_STEP_PAGES),
				      gfp | __GFP_ACCOUNT | __GFP_NOWARN);
	set_active_memcg(old);
	if (!chunk)
		return -ENOMEM;
	limn_heap_add(bo, chunk);
	return 0;
}

int limn_heap_init(struct limn_bo *bo)
{
	size_t size = min_t(u64, bo->base.base.size,
			    (u64)max(limn_heap_init_nr_pages, 1U) << PAGE_SHIFT);
	struct limn_heap *heap = kzalloc(sizeof(*heap), GFP_KERNEL);
	int ret = 0;

	if (!heap)
		return -ENOMEM;
	mutex_init(&heap->lock);
	INIT_LIST_HEAD(&heap->chunks);
	heap->memcg = get_mem_cgroup_from_mm(current->mm);
	bo->heap = heap;
	/* In case of an error the heap goes with the BO. */
	while (!ret && heap->size < size)
		ret = limn_heap_extend(bo, (size - heap->size) >> PAGE_SHIFT,
				       GFP_KERNEL | __GFP_RETRY_MAYFAIL);
	return ret;
}

void limn_heap_fini(struct limn_bo *bo)
{
	struct device *dev = bo->base.base.dev->dev;
	struct limn_heap *heap = bo->heap;
	struct limn_heap_chunk *chunk, *next;

	if (!heap)
		return;
	list_for_each_entry_safe(chunk, next, &heap->chunks, link)
		limn_heap_chunk_trim(dev, chunk, 0);
	mem_cgroup_put(heap->memcg);
	mutex_destroy(&heap->lock);
	kfree(heap);
	bo->heap = NULL;
}

/**
 * limn_heap_grow - add memory to a heap whose job waits for it
 * @bo: the heap
 *
 * Called on the way to a fence, by the recovery worker only.
 *
 * Return: 0; -ENOSPC when the BO has all the memory that it may have;
 * -ENOMEM when there is none free.
 */
int limn_heap_grow(struct limn_bo *bo)
{
	size_t size = READ_ONCE(bo->heap->size);
	unsigned int tries;

	if (size == bo->base.base.size)
		return -ENOSPC;
	for (tries = 0; tries < 5; tries++) {
		if (!limn_heap_extend(bo, size >> PAGE_SHIFT, GFP_NOWAIT))
			return 0;
		/* kswapd is awake now; it needs no fence to free clean pages. */
		msleep(20);
	}
	WRITE_ONCE(bo->heap->starved, true);
	return -ENOMEM;
}

/**
 * limn_heap_feed - before a submit: give a heap the memory that a job found missing
 * @mapping: of the heap, in the address space of the job to come
 *
 * Return: 0, or -ENOMEM.
 */
int limn_heap_feed(struct limn_mapping *mapping)
{
	struct limn_bo *bo = mapping->bo;
	int ret;

	if (!READ_ONCE(bo->heap->starved))
		return 0;
	ret = limn_heap_extend(bo, READ_ONCE(bo->heap->size) >> PAGE_SHIFT,
			       GFP_KERNEL | __GFP_RETRY_MAYFAIL);
	if (!ret)
		limn_heap_map(mapping);
	return ret;
}

/* As far as it has memory. */
void limn_heap_dump(struct limn_bo *bo, struct limn_dump *d, const char *label, u64 va)
{
	struct limn_heap *heap = bo->heap;
	struct limn_heap_chunk *chunk;
	unsigned int i;

	mutex_lock(&heap->lock);
	limn_dump_begin(d, LIMN_DUMP_BO, label, va, bo->base.base.size, LIMN_DUMP_HEAP, heap->size);
	list_for_each_entry(chunk, &heap->chunks, link) {
		for (i = 0; i < chunk->num; i++) {
			void *from = kmap_local_page(chunk->page[i].page);

			limn_dump_put(d, from, PAGE_SIZE);
			kunmap_local(from);
		}
	}
	limn_dump_end(d);
	mutex_unlock(&heap->lock);
}

/* Enter the pages that this mapping does not have yet. Does not allocate. */
void limn_heap_map(struct limn_mapping *mapping)
{
	struct limn_vm *vm = mapping->vm;
	struct limn_heap *heap = mapping->bo->heap;
	struct limn_heap_chunk *chunk;
	size_t offset = 0;
	unsigned int i;

	mutex_lock(&heap->lock);
	if (mapping->heap_mapped == heap->size)
		goto out;
	list_for_each_entry(chunk, &heap->chunks, link) {
		for (i = 0; i < chunk->num; i++, offset += PAGE_SIZE) {
			if (offset < mapping->heap_mapped)
				continue;
			vm->ldev->be->pt_map(vm, mapping->node.start + offset, chunk->page[i].dma,
					     PAGE_SIZE, true);
		}
	}
	mapping->heap_mapped = heap->size;
out:
	mutex_unlock(&heap->lock);
}
