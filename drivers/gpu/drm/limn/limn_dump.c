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
 * devcoredump, which keeps the first dump until somebody has read it (or five minutes are
 * over) and drops those that come meanwhile. The format is that of <limn/dump.h>;
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
#include <drm/limn_drm.h>

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

/* Entries of one page of a scatterlist, one of which leads to the next page. */
#define LIMN_DUMP_SG	(PAGE_SIZE / sizeof(struct scatterlist))

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

/**
 * limn_dump_begin - a section, to be filled with limn_dump_put()
 * @d: the dump
 * @type: LIMN_DUMP_*
 * @name: of what it shows, or NULL
 * @va: GPU address, or 0
 * @arg: see @type
 * @flags: LIMN_DUMP_* of sections
 * @size: bytes that will be put, exactly; then limn_dump_end()
 */
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

/**
 * limn_dump_regs - a unit's registers
 * @d: the dump
 * @unit: its name
 * @offsets: @n registers that can be read without consequences
 * @n: number of them
 * @read: reads one
 * @arg: for @read
 */
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
	if (bo->userptr)
		return limn_userptr_page(bo, n);
	return bo->base.pages ? bo->base.pages[n] : NULL;
}

static void limn_dump_pages(struct limn_dump *d, struct limn_bo *bo, size_t num)
{
	size_t i;

	for (i = 0; i < num && !d->full; i++) {
		void *from = kmap_local_page(limn_dump_bo_page(bo, i));

		limn_dump_put(d, from, PAGE_SIZE);
		kunmap_local(from);
	}
}

/* What the GPU wrote is not in the caches; what a process has in its own is not ours to drop. */
static void limn_dump_make_visible(struct limn_bo *bo)
{
	if (bo->base.map_wc && bo->base.sgt && !bo->userptr)
		dma_sync_sgtable_for_cpu(bo->base.base.dev->dev, bo->base.sgt, DMA_BIDIRECTIONAL);
}

static void limn_dump_bo(struct limn_dump *d, struct limn_mapping *mapping)
{
	struct limn_bo *bo = mapping->bo;
	u64 va = mapping->node.start, size = bo->base.base.size;
	char label[DRM_LIMN_LABEL_MAX + 1] = "";

	dma_resv_assert_held(bo->base.base.resv);

	mutex_lock(&bo->lock);
	if (bo->label)
		strscpy(label, bo->label);
	mutex_unlock(&bo->lock);

	if (!drm_mm_node_allocated(&mapping->node))
		va = 0;
	if (bo->heap) {
		limn_heap_dump(bo, d, label, va);
		return;
	}
	if (bo->base.base.import_attach || !limn_dump_bo_page(bo, 0)) {
		limn_dump_section(d, LIMN_DUMP_BO, label, va, size, LIMN_DUMP_UNREADABLE,
				  NULL, 0);
		return;
	}
	limn_dump_make_visible(bo);
	limn_dump_begin(d, LIMN_DUMP_BO, label, va, size, 0, size);
	limn_dump_pages(d, bo, size >> PAGE_SHIFT);
	limn_dump_end(d);
}

static unsigned int limn_dump_max_pages(void)
{
	return min(READ_ONCE(limn_dump_mib), UINT_MAX >> 20) << (20 - PAGE_SHIFT);
}

/* What is small, says most, and is gone with the reset. */
static void limn_dump_early(struct limn_dump *d, struct limn_pipe *pipe, int error, u64 fault_addr)
{
	const struct limn_backend *be = pipe->ldev->be;
	const struct limn_dump_header header = {
		.magic = LIMN_DUMP_MAGIC,
		.major = LIMN_DUMP_MAJOR,
		.minor = LIMN_DUMP_MINOR,
		.header_size = sizeof(header),
		.family = be->dump_family,
	};
	struct limn_job *job = pipe->job;

	d->max_pages = min(limn_dump_max_pages(), LIMN_DUMP_EARLY >> PAGE_SHIFT);
	limn_dump_put(d, &header, sizeof(header));
	limn_dump_info(d, pipe, job, error, fault_addr);
	be->dump(pipe, job, d);
	if (job->frame_size)
		limn_dump_section(d, LIMN_DUMP_JOB, pipe->name, 0, pipe->id, 0, job->frame,
				  job->frame_size * sizeof(*job->frame));
}

/**
 * limn_dump_take - copy what a reset will take from the job on a pipe
 * @pipe: the pipe; it has a job, its interrupts are masked, it is not reset yet
 * @error: what the job's fence will say
 * @fault_addr: what the MMU refused, or 0
 *
 * On the way to a fence; &limn_device.hw_lock is held.
 */
void limn_dump_take(struct limn_pipe *pipe, int error, u64 fault_addr)
{
	struct limn_device *ldev = pipe->ldev;
	struct limn_dump *d;

	lockdep_assert_held(&ldev->hw_lock);

	if (!ldev->be->dump || !READ_ONCE(limn_dump_mib) || atomic_xchg(&ldev->dumping, 1))
		return;
	d = kzalloc(sizeof(*d), GFP_NOWAIT | __GFP_NOWARN);
	if (!d) {
		atomic_set(&ldev->dumping, 0);
		return;
	}
	INIT_LIST_HEAD(&d->pages);
	limn_dump_early(d, pipe, error, fault_addr);
	pipe->job->dump = d;
}

/*
 * Page after page of entries, each kmalloc()ed as dev_coredumpsg() frees them.
 * NULL without memory; then what was built is gone, but not the dump's pages.
 */
static struct scatterlist *limn_dump_sg(struct limn_dump *d)
{
	struct scatterlist *first = NULL, *table = NULL, *prev = NULL;
	unsigned int left = d->num_pages, used = 0, room = 0;
	size_t bytes = d->size;
	struct page *page;

	list_for_each_entry(page, &d->pages, lru) {
		size_t n = min(bytes, PAGE_SIZE);

		if (used == room) {
			bool last = left <= LIMN_DUMP_SG;

			prev = table;
			table = kmalloc(PAGE_SIZE, GFP_KERNEL);
			if (!table)
				goto err;
			sg_init_table(table, last ? left : LIMN_DUMP_SG);
			if (prev)
				sg_chain(prev, LIMN_DUMP_SG, table);
			else
				first = table;
			room = last ? left : LIMN_DUMP_SG - 1;
			used = 0;
		}
		sg_set_page(&table[used++], page, n, 0);
		bytes -= n;
		left--;
	}
	return first;

err:
	/* The tables before it are full, and each leads to the next. */
	for (table = first; table; table = prev) {
		prev = sg_is_chain(&table[LIMN_DUMP_SG - 1]) ?
		       sg_chain_ptr(&table[LIMN_DUMP_SG - 1]) : NULL;
		kfree(table);
	}
	return NULL;
}

static void limn_dump_hand_over(struct limn_device *ldev, struct limn_dump *d)
{
	struct scatterlist *sg = d->num_pages ? limn_dump_sg(d) : NULL;
	size_t size = d->size;

	if (!sg) {
		limn_dump_free(d);
		return;
	}
	kfree(d);
	dev_coredumpsg(ldev->dev, sg, size, GFP_KERNEL);
}

/**
 * limn_dump_finish - the job's BOs go into its dump, and that to devcoredump
 * @job: a job that is done, and still holds its BOs; no fence waits for the caller
 */
void limn_dump_finish(struct limn_job *job)
{
	struct limn_device *ldev = job->pipe->ldev;
	struct limn_dump *d = job->dump;
	unsigned int i;

	if (!d)
		return;
	job->dump = NULL;
	d->max_pages = limn_dump_max_pages();
	for (i = 0; i < job->num_bos; i++) {
		dma_resv_lock(job->objs[i]->resv, NULL);
		limn_dump_bo(d, job->mappings[i]);
		dma_resv_unlock(job->objs[i]->resv);
	}
	limn_dump_section(d, LIMN_DUMP_END, NULL, 0, 0, 0, NULL, 0);
	limn_dump_hand_over(ldev, d);
	atomic_set(&ldev->dumping, 0);
}
