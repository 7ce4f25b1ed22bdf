// SPDX-License-Identifier: GPL-2.0-only
/*
 * Dumps of jobs that hung or failed, through devcoredump.
 */

/**
 * DOC: dumps
 *
 * Before a pipe is reset, what its units show, the job's commands, page tables
 * and BOs are copied; a work item then hands the copy to devcoredump, which
 * keeps the first one until somebody has read it (or five minutes are over) and
 * drops those that come meanwhile. The format is that of <limn/dump.h>;
 * "limn decode" reads it.
 *
 * The copy is made on the way to a fence, so it takes single pages that are free
 * at the moment, and ends where there are none or where the module's dump_mib is
 * reached. Nothing waits, and nothing fails because of it.
 *
 * It holds the memory of a process: only root can read it, as is devcoredump's
 * rule.
 */
#include <linux/devcoredump.h>
#include <linux/dma-mapping.h>
#include <linux/highmem.h>
#include <linux/ktime.h>
#include <linux/module.h>
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

struct limn_dump {
	/** @link: in &limn_dumper.ready */
	struct list_head link;
	/** @pages: by &page.lru, in order; all full but the last */
	struct list_head pages;
	unsigned int num_pages;
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
	if (d->full || d->num_pages >= READ_ONCE(limn_dump_mib) << (20 - PAGE_SHIFT))
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

/* Page @n of a BO, which holds still because the job that lists it is unfinished. */
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

	/* Held only for a moment, by nobody who allocates. */
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

static void limn_dump_all(struct limn_dump *d, struct limn_pipe *pipe, struct limn_job *job,
			  int error, u64 fault_addr)
{
	const struct limn_backend *be = pipe->ldev->be;
	const struct limn_dump_header header = {
		.magic = LIMN_DUMP_MAGIC,
		.major = LIMN_DUMP_MAJOR,
		.minor = LIMN_DUMP_MINOR,
		.header_size = sizeof(header),
		.family = be->dump_family,
	};
	unsigned int i;

	limn_dump_put(d, &header, sizeof(header));
	limn_dump_info(d, pipe, job, error, fault_addr);
	/* What is small and says most comes first. */
	be->dump(pipe, job, d);
	if (job->frame_size)
		limn_dump_section(d, LIMN_DUMP_JOB, pipe->name, 0, pipe->id, 0, job->frame,
				  job->frame_size * sizeof(*job->frame));
	for (i = 0; i < job->num_bos; i++)
		limn_dump_bo(d, job->mappings[i]);
	limn_dump_section(d, LIMN_DUMP_END, NULL, 0, 0, 0, NULL, 0);
}

/**
 * limn_dump_job - copy what there is to know of the job on a pipe
 * @pipe: the pipe; it has a job, its interrupts are masked, it is not reset yet
 * @error: what the job's fence will say
 * @fault_addr: what the MMU refused, or 0
 *
 * On the way to a fence; &limn_device.hw_lock is held.
 */
void limn_dump_job(struct limn_pipe *pipe, int error, u64 fault_addr)
{
	struct limn_device *ldev = pipe->ldev;
	struct limn_dumper *dumper = &ldev->dumper;
	struct limn_dump *d;

	lockdep_assert_held(&ldev->hw_lock);

	if (!ldev->be->dump || !READ_ONCE(limn_dump_mib))
		return;
	d = kzalloc(sizeof(*d), GFP_NOWAIT | __GFP_NOWARN);
	if (!d)
		return;
	INIT_LIST_HEAD(&d->pages);
	limn_dump_all(d, pipe, pipe->job, error, fault_addr);

	spin_lock(&dumper->lock);
	list_add_tail(&d->link, &dumper->ready);
	spin_unlock(&dumper->lock);
	queue_work(system_unbound_wq, &dumper->work);
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

static void limn_dump_work(struct work_struct *work)
{
	struct limn_dumper *dumper = container_of(work, struct limn_dumper, work);
	struct limn_device *ldev = container_of(dumper, struct limn_device, dumper);
	struct limn_dump *d;

	for (;;) {
		spin_lock(&dumper->lock);
		d = list_first_entry_or_null(&dumper->ready, struct limn_dump, link);
		if (d)
			list_del(&d->link);
		spin_unlock(&dumper->lock);
		if (!d)
			return;
		limn_dump_hand_over(ldev, d);
	}
}

void limn_dumper_init(struct limn_device *ldev)
{
	spin_lock_init(&ldev->dumper.lock);
	INIT_LIST_HEAD(&ldev->dumper.ready);
	INIT_WORK(&ldev->dumper.work, limn_dump_work);
}

/* No job fails any more; what was copied is still handed over. */
void limn_dumper_fini(struct limn_device *ldev)
{
	flush_work(&ldev->dumper.work);
}
