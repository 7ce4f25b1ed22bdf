// SPDX-License-Identifier: GPL-2.0-only
/*
 * Dumps of jobs that hung or failed, through devcoredump.
 */

/**
 * DOC: dumps
 *
 * Before a pipe is reset, what its units show, the job's commands and the page tables are
 * copied, LIMN_DUMP_EARLY bytes at most: that is on the way to a fence. The job's BOs, which
 * are the bulk, are copied when the job is retired, off that way, and it all goes to
 * devcoredump, which keeps the first dump until somebody writes to its data file (or five
 * minutes are over) and drops those that come meanwhile. The format is that of <limn/dump.h>;
 * "limn decode" reads it.
 *
 * So BOs show what is in them a moment after the fence has signalled: a process that
 * writes them at once, or jobs that were queued behind, may be seen in the dump.
 *
 * A device makes one dump at a time; a job that fails meanwhile leaves none. Pages are taken
 * that are free at the moment, and the dump ends where there are none or where the
 * module's dump_mib is reached. Nothing waits, and nothing fails because of it.
 *
 * It holds the memory of a process: only root can read it, as is devcoredump's
 * rule.
 */
#include <linux/devcoredump.h>
#include <linux/dma-mapping.h>
#include <linux/dma-resv.h>
#include <linux/highmem.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/utsname.h>
#include <linux/vmalloc.h>
#include <drm/drm_print.h>
#include <drm/limn_drm.h>

#include "limn_bo_list.h"
#include "limn_ctx.h"
#include "limn_device.h"
#include "limn_drv.h"
#include "limn_dump.h"
#include "limn_gem.h"
#include "limn_sched.h"
#include "limn_vm.h"

static unsigned int limn_dump_mib = 64;
module_param_named(dump_mib, limn_dump_mib, uint, 0644);
MODULE_PARM_DESC(dump_mib, "most that a dump of a failed job may take, in MiB; 0: none (default 64)");

/* Every page table that an address space may have, and some for registers and commands. */
#define LIMN_DUMP_EARLY		(SZ_4M + SZ_512K)

struct limn_dump {
	/** @pages: by &page.lru, in order; all full but the last */
	struct list_head pages;
	unsigned int num_pages;
	/** @max_pages: that it may have for now */
	unsigned int max_pages;
	/** @size: bytes so far */
	size_t size;
	/** @full: there is no more memory for it */
	bool full;
};

static void limn_dump_free(struct limn_dump *d)
{
	struct page *page, *next;

	list_for_each_entry_safe(page, next, &d->pages, lru)
		__free_page(page);
	kfree(d);
}

static struct page *limn_dump_room(struct limn_dump *d)
{
	struct page *page;

	if (d->size % PAGE_SIZE)
		return list_last_entry(&d->pages, struct page, lru);
	if (d->full || d->num_pages >= d->max_pages)
		page = NULL;
	else
		page = alloc_page(GFP_NOWAIT | __GFP_NOWARN | __GFP_HIGHMEM);
	if (!page) {
		d->full = true;
		return NULL;
	}
	list_add_tail(&page->lru, &d->pages);
	d->num_pages++;
	return page;
}

/* More of the section that was begun. */
void limn_dump_put(struct limn_dump *d, const void *data, size_t size)
{
	while (size) {
		struct page *page = limn_dump_room(d);
		size_t n = min(size, PAGE_SIZE - d->size % PAGE_SIZE);

		if (!page)
			return;
		memcpy_to_page(page, d->size % PAGE_SIZE, data, n);
		d->size += n;
		data += n;
		size -= n;
	}
}

/* A section of exactly @size bytes, which limn_dump_put() brings, and then limn_dump_end(). */
void limn_dump_begin(struct limn_dump *d, u32 type, const char *name, u64 va, u64 arg, u32 flags,
		     u64 size)
{
	struct limn_dump_section section = {
		.type = type,
		.flags = flags,
		.header_size = sizeof(section),
		.size = size,
		.va = va,
		.arg = arg,
	};

	if (name)
		strscpy(section.name, name);
	limn_dump_put(d, &section, sizeof(section));
}

void limn_dump_end(struct limn_dump *d)
{
	static const u8 zero[8];

	limn_dump_put(d, zero, -d->size & 7);
}

/* A whole section. */
void limn_dump_section(struct limn_dump *d, u32 type, const char *name, u64 va, u64 arg, u32 flags,
		       const void *data, size_t size)
{
	limn_dump_begin(d, type, name, va, arg, flags, size);
	limn_dump_put(d, data, size);
	limn_dump_end(d);
}

/* @n registers of a unit that can be read without consequences. */
void limn_dump_regs(struct limn_dump *d, const char *unit, const u32 *offsets, unsigned int n,
		    u32 (*read)(void *unit, u32 offset), void *arg)
{
	unsigned int i;

	limn_dump_begin(d, LIMN_DUMP_REGS, unit, 0, 0, 0, n * sizeof(struct limn_dump_reg));
	for (i = 0; i < n; i++) {
		const struct limn_dump_reg reg = { offsets[i], read(arg, offsets[i]) };

		limn_dump_put(d, &reg, sizeof(reg));
	}
	limn_dump_end(d);
}

static void limn_dump_info(struct limn_dump *d, struct limn_pipe *pipe, struct limn_job *job,
			   int error, u64 fault_addr)
{
	struct limn_device *ldev = pipe->ldev;
	char text[512];
	int n;

	n = scnprintf(text, sizeof(text),
		      "driver: limn\nkernel: %s\ndevice: %s\nqueue: %s\nerror: %d\n"
		      "fault: 0x%llx\njob: %llu\nfence: %llu:%llu\nprocess: %s\npid: %d\n"
		      "started_ns: %lld\nnow_ns: %lld\n",
		      utsname()->release, dev_name(ldev->dev), pipe->name, error,
		      fault_addr, job->id, job->done->context,
		      job->done->seqno, job->client->comm, job->client->pid,
		      ktime_to_ns(job->started), ktime_to_ns(ktime_get()));
	limn_dump_section(d, LIMN_DUMP_INFO, NULL, 0, 0, 0, text, n);
}

/* Page @n of a BO, whose reservation is held: it keeps its memory. */
static struct page *limn_dump_bo_page(struct limn_bo *bo, size_t n)
{
	if (bo->backing)
		return bo->backing->ops->page(bo, n);
	return bo->base.pages ? bo->base.pages[n] : NULL;
}

/* What the GPU wrote is not in the caches; what a process has in its own is not ours to drop. */
static void limn_dump_make_visible(struct limn_bo *bo)
{
	if (bo->base.map_wc && bo->base.sgt && !bo->backing)
		dma_sync_sgtable_for_cpu(bo->base.base.dev->dev, bo->base.sgt, DMA_BIDIRECTIONAL);
}

static void limn_dump_bo(struct limn_dump *d, struct limn_mapping *mapping)
{
	struct limn_bo *bo = mapping->bo;
	u64 va = mapping->node.start, size = bo->base.base.size;
	size_t have = bo->backing ? READ_ONCE(bo->backing->size) : size, n;
	char label[DRM_LIMN_LABEL_MAX + 1] = "";

	dma_resv_assert_held(bo->base.base.resv);

	mutex_lock(&bo->lock);
	if (bo->label)
		strscpy(label, bo->label);
	mutex_unlock(&bo->lock);

	if (!drm_mm_node_allocated(&mapping->node))
		va = 0;
	if (bo->base.base.import_attach || !limn_dump_bo_page(bo, 0)) {
		limn_dump_section(d, LIMN_DUMP_BO, label, va, size, LIMN_DUMP_UNREADABLE,
				  NULL, 0);
		return;
	}
	limn_dump_make_visible(bo);
	limn_dump_begin(d, LIMN_DUMP_BO, label, va, size,
			bo->backing && !limn_gem_is_userptr(bo) ? LIMN_DUMP_HEAP : 0, have);
	for (n = 0; n < have >> PAGE_SHIFT && !d->full; n++) {
		void *from = kmap_local_page(limn_dump_bo_page(bo, n));

		limn_dump_put(d, from, PAGE_SIZE);
		kunmap_local(from);
	}
	limn_dump_end(d);
}

static unsigned int limn_dump_max_pages(void)
{
	return min(READ_ONCE(limn_dump_mib), UINT_MAX >> 20) << (20 - PAGE_SHIFT);
}

/* What is small, says most, and is gone with the reset. */
static void limn_dump_early(struct limn_dump *d, struct limn_pipe *pipe, int error, u64 fault_addr)
{
	const struct limn_dump_header header = {
		.magic = LIMN_DUMP_MAGIC,
		.major = LIMN_DUMP_MAJOR,
		.minor = LIMN_DUMP_MINOR,
		.header_size = sizeof(header),
		.family = pipe->ldev->be->dump_family,
	};
	struct limn_job *job = pipe->job;

	d->max_pages = min(limn_dump_max_pages(), LIMN_DUMP_EARLY >> PAGE_SHIFT);
	limn_dump_put(d, &header, sizeof(header));
	limn_dump_info(d, pipe, job, error, fault_addr);
	pipe->ops->dump(pipe, job, d);
}

/*
 * Copy what a reset will take from the job of a pipe whose interrupts are masked. On the way to a
 * fence, which will say @error; the MMU refused @fault_addr, or 0.
 */
void limn_dump_take(struct limn_pipe *pipe, int error, u64 fault_addr)
{
	struct limn_device *ldev = pipe->ldev;
	struct limn_dump *d;

	lockdep_assert_held(&ldev->hw_lock);

	if (!READ_ONCE(limn_dump_mib) || READ_ONCE(ldev->dumping))
		return;
	d = kzalloc(sizeof(*d), GFP_NOWAIT | __GFP_NOWARN);
	if (!d)
		return;
	WRITE_ONCE(ldev->dumping, d);
	INIT_LIST_HEAD(&d->pages);
	limn_dump_early(d, pipe, error, fault_addr);
	pipe->job->dump = d;
}

/* devcoredump has the pages from now on, and vfree() gives them back. */
static void limn_dump_hand_over(struct limn_device *ldev, struct limn_dump *d)
{
	struct page **pages = kvmalloc_array(d->num_pages, sizeof(*pages), GFP_KERNEL);
	struct page *page;
	unsigned int n = 0;
	void *data = NULL;

	if (pages) {
		list_for_each_entry(page, &d->pages, lru)
			pages[n++] = page;
		data = vmap(pages, n, VM_MAP | VM_MAP_PUT_PAGES, PAGE_KERNEL);
	}
	if (!data) {
		kvfree(pages);
		limn_dump_free(d);
		return;
	}
	dev_coredumpv(ldev->dev, data, d->size, GFP_KERNEL);
	kfree(d);
}

/* A job that is done, and still holds its BOs: these go into its dump, and that to devcoredump. */
void limn_dump_finish(struct limn_job *job)
{
	struct limn_device *ldev = job->pipe->ldev;
	struct limn_dump *d = job->dump;
	unsigned int i;

	if (!d)
		return;
	lockdep_assert_not_held(&ldev->hw_lock);	/* a reset, which fences wait for, has it */
	drm_WARN_ON(&ldev->drm, READ_ONCE(ldev->dumping) != d);
	job->dump = NULL;
	d->max_pages = limn_dump_max_pages();
	for (i = 0; i < job->list->num; i++) {
		dma_resv_lock(job->list->objs[i]->resv, NULL);
		limn_dump_bo(d, job->list->mappings[i]);
		dma_resv_unlock(job->list->objs[i]->resv);
	}
	limn_dump_section(d, LIMN_DUMP_END, NULL, 0, 0, 0, NULL, 0);
	limn_dump_hand_over(ldev, d);
	WRITE_ONCE(ldev->dumping, NULL);
}
