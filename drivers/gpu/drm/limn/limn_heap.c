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
 * Pages come one by one and are mapped for DMA one by one: what the GPU
 * already uses stays where it is.
 */
#include <linux/delay.h>
#include <linux/dma-mapping.h>
#include <linux/highmem.h>
#include <linux/slab.h>

#include "limn_device.h"
#include "limn_drv.h"
#include "limn_dump.h"
#include "limn_gem.h"
#include "limn_vm.h"

/* A heap doubles, up to this much at a time: the array fits in two pages. */
#define LIMN_HEAP_STEP_PAGES	(SZ_2M >> PAGE_SHIFT)

struct limn_heap_page {
	struct page *page;
	dma_addr_t dma;
};

struct limn_heap_chunk {
	struct list_head link;
	unsigned int num;
	struct limn_heap_page page[];
};

static void limn_heap_chunk_free(struct device *dev, struct limn_heap_chunk *chunk)
{
	unsigned int i;

	for (i = 0; i < chunk->num; i++) {
		dma_unmap_page(dev, chunk->page[i].dma, PAGE_SIZE, DMA_BIDIRECTIONAL);
		__free_page(chunk->page[i].page);
	}
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

static void limn_heap_add(struct limn_heap *heap, struct limn_heap_chunk *chunk)
{
	mutex_lock(&heap->lock);
	list_add_tail(&chunk->link, &heap->chunks);
	WRITE_ONCE(heap->size, heap->size + (size_t)chunk->num * PAGE_SIZE);
	mutex_unlock(&heap->lock);
}

int limn_heap_init(struct limn_bo *bo)
{
	struct device *dev = bo->base.base.dev->dev;
	unsigned int pages = clamp(limn_heap_init_nr_pages, 1u, (unsigned int)LIMN_HEAP_STEP_PAGES);
	struct limn_heap_chunk *chunk;
	struct limn_heap *heap;

	pages = min_t(size_t, pages, bo->base.base.size >> PAGE_SHIFT);
	heap = kzalloc(sizeof(*heap), GFP_KERNEL);
	if (!heap)
		return -ENOMEM;
	mutex_init(&heap->lock);
	INIT_LIST_HEAD(&heap->chunks);
	bo->heap = heap;

	chunk = limn_heap_chunk_alloc(dev, pages, GFP_KERNEL_ACCOUNT | __GFP_RETRY_MAYFAIL |
				      __GFP_NOWARN);
	if (!chunk)
		return -ENOMEM;		/* the heap goes with the BO */
	limn_heap_add(heap, chunk);
	return 0;
}

void limn_heap_fini(struct limn_bo *bo)
{
	struct device *dev = bo->base.base.dev->dev;
	struct limn_heap *heap = bo->heap;
	struct limn_heap_chunk *chunk, *next;

	if (!heap)
		return;
	list_for_each_entry_safe(chunk, next, &heap->chunks, link)
		limn_heap_chunk_free(dev, chunk);
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
	struct device *dev = bo->base.base.dev->dev;
	size_t size = bo->heap->size, left = bo->base.base.size - size;
	struct limn_heap_chunk *chunk;
	unsigned int want, tries;

	if (!left)
		return -ENOSPC;
	want = min3(size >> PAGE_SHIFT, left >> PAGE_SHIFT, (size_t)LIMN_HEAP_STEP_PAGES);
	for (tries = 0; tries < 5; tries++) {
		chunk = limn_heap_chunk_alloc(dev, want, GFP_NOWAIT | __GFP_NOWARN);
		if (chunk) {
			limn_heap_add(bo->heap, chunk);
			return 0;
		}
		/* kswapd is awake now; it needs no fence to free clean pages. */
		msleep(20);
	}
	return -ENOMEM;
}

/* As far as it has memory. Only the recovery worker adds some, and that is who asks. */
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
