// SPDX-License-Identifier: GPL-2.0-only
/*
 * DMA mappings of the GPU, seen by the model: the direct mapping, and a counter
 * for each page of RAM that tells how often it is mapped for the device. In
 * strict mode the model lets no access pass to a page whose counter is zero.
 *
 * The counters lie in memory shared with the model, which only reads them.
 */
#include <linux/dma-direct.h>
#include <linux/dma-map-ops.h>
#include <linux/of.h>
#include <linux/scatterlist.h>
#include <linux/version.h>
#include <os.h>
#include "limn_uml.h"

static unsigned short *counter;		/* by page of RAM, from ram_start */
static unsigned long long ram_start, ram_size;

static void count(dma_addr_t dma, size_t size, int by)
{
	unsigned long page;

	if (dma < ram_start || dma + size > ram_start + ram_size) {
		WARN_ONCE(1, "limn: DMA mapping of 0x%llx outside of RAM\n", (unsigned long long)dma);
		return;
	}
	for (page = (dma - ram_start) >> PAGE_SHIFT;
	     page <= (dma + size - 1 - ram_start) >> PAGE_SHIFT; page++)
		__atomic_fetch_add(&counter[page], by, __ATOMIC_RELAXED);
}

static void *limn_alloc(struct device *dev, size_t size, dma_addr_t *dma, gfp_t gfp,
			unsigned long attrs)
{
	void *memory = dma_direct_alloc(dev, size, dma, gfp, attrs);

	if (memory)
		count(*dma, size, 1);
	return memory;
}

static void limn_free(struct device *dev, size_t size, void *memory, dma_addr_t dma,
		      unsigned long attrs)
{
	count(dma, size, -1);
	dma_direct_free(dev, size, memory, dma, attrs);
}

static struct page *limn_alloc_pages(struct device *dev, size_t size, dma_addr_t *dma,
				     enum dma_data_direction dir, gfp_t gfp)
{
	struct page *page = dma_direct_alloc_pages(dev, size, dma, dir, gfp);

	if (page)
		count(*dma, size, 1);
	return page;
}

static void limn_free_pages(struct device *dev, size_t size, struct page *page, dma_addr_t dma,
			    enum dma_data_direction dir)
{
	count(dma, size, -1);
	dma_direct_free_pages(dev, size, page, dma, dir);
}

static dma_addr_t limn_map_phys(struct device *dev, phys_addr_t phys, size_t size,
				enum dma_data_direction dir, unsigned long attrs)
{
	dma_addr_t dma = phys_to_dma(dev, phys);

	count(dma, size, 1);
	return dma;
}

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 18, 0)
static dma_addr_t limn_map_page(struct device *dev, struct page *page, unsigned long offset,
				size_t size, enum dma_data_direction dir, unsigned long attrs)
{
	return limn_map_phys(dev, page_to_phys(page) + offset, size, dir, attrs);
}
#endif

static void limn_unmap(struct device *dev, dma_addr_t dma, size_t size,
			    enum dma_data_direction dir, unsigned long attrs)
{
	count(dma, size, -1);
}

static int limn_map_sg(struct device *dev, struct scatterlist *list, int nents,
		       enum dma_data_direction dir, unsigned long attrs)
{
	struct scatterlist *sg;
	int i;

	for_each_sg(list, sg, nents, i) {
		sg->dma_address = limn_map_phys(dev, sg_phys(sg), sg->length, dir, attrs);
		sg_dma_len(sg) = sg->length;
	}
	return nents;
}

static void limn_unmap_sg(struct device *dev, struct scatterlist *list, int nents,
			  enum dma_data_direction dir, unsigned long attrs)
{
	struct scatterlist *sg;
	int i;

	for_each_sg(list, sg, nents, i)
		count(sg->dma_address, sg_dma_len(sg), -1);
}

static const struct dma_map_ops limn_dma_ops = {
	.alloc = limn_alloc,
	.free = limn_free,
	.alloc_pages_op = limn_alloc_pages,
	.free_pages = limn_free_pages,
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 18, 0)
	.map_page = limn_map_page,
	.unmap_page = limn_unmap,
#else
	.map_phys = limn_map_phys,
	.unmap_phys = limn_unmap,
#endif
	.map_sg = limn_map_sg,
	.unmap_sg = limn_unmap_sg,
	.mmap = dma_common_mmap,
	.get_sgtable = dma_common_get_sgtable,
};

void limn_dma_init(unsigned short *counters, unsigned long long start, unsigned long long size)
{
	counter = counters;
	ram_start = start;
	ram_size = size;
}

/* Every device of the tree: the GPU is the only one that does DMA. */
void arch_setup_dma_ops(struct device *dev, bool coherent)
{
	if (counter)
		set_dma_ops(dev, &limn_dma_ops);
}
