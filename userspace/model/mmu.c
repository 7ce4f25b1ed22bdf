// SPDX-License-Identifier: MIT
/*
 * What every MMU has, whatever its tables look like: a TLB with room for every
 * page, so that it forgets nothing until it is zapped; the accesses of units
 * through it; strict mode's checks. Tables, registers and faults are the
 * family's (struct mmu_ops).
 */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>

#include <limn/witness.h>

#include "model/core.h"

#define TLB_ENTRIES	(1u << 20)
#define TLB_BYTES	(TLB_ENTRIES * sizeof(struct tlb_entry))
#define PAGE_MASK	(~(MODEL_PAGE - 1))

/* With paging off the inline accessors must miss: all point here. */
static struct tlb_entry *no_tlb;

/* --- TLB ----------------------------------------------------------------- */

void mmu_zap(struct mmu *mmu)
{
	for (uint32_t i = 0; i < mmu->num_filled; i++)
		memset(&mmu->paged[mmu->filled[i]], 0, sizeof(struct tlb_entry));
	mmu->num_filled = 0;
	mmu->zaps++;
}

void mmu_zap_page(struct mmu *mmu, uint32_t va)
{
	struct tlb_entry *e = &mmu->paged[va / MODEL_PAGE];

	for (uint32_t i = 0; e->pa && i < mmu->num_filled; i++) {
		if (mmu->filled[i] == va / MODEL_PAGE)
			mmu->filled[i--] = mmu->filled[--mmu->num_filled];
	}
	memset(e, 0, sizeof(*e));
	mmu->zaps++;
}

void mmu_job_start(struct mmu *mmu, struct unit *u)
{
	mmu->job++;
	if (!unit_strict(u))
		mmu_zap(mmu);
	else if (mmu->ops->check_job)
		mmu->ops->check_job(mmu, u);
}

void mmu_paging(struct mmu *mmu, bool on)
{
	mmu->tlb = on ? mmu->paged : no_tlb;
}

/* Where a translated page's bytes are, seen from this MMU. */
static void tlb_bind(struct mmu *mmu, struct tlb_entry *e)
{
	uint8_t *ram = model_ram(mmu->owner->model, e->pa & PAGE_MASK, MODEL_PAGE);
	struct l2_page *page = mmu->l2 && ram ? l2_page(mmu->l2, e->pa & PAGE_MASK) : NULL;

	e->w = e->pa & TLB_WRITE ? ram : NULL;
	e->r = NULL;
	e->lines = NULL;
	if (e->pa & TLB_READ) {
		e->r = page ? page->data : ram;
		e->lines = page ? &page->lines : NULL;
	}
}

void mmu_rebind(struct mmu *mmu)
{
	for (uint32_t i = 0; i < mmu->num_filled; i++)
		tlb_bind(mmu, &mmu->paged[mmu->filled[i]]);
}

static bool tlb_remember(struct mmu *mmu, uint32_t vpn)
{
	if (mmu->num_filled == mmu->max_filled) {
		uint32_t max = mmu->max_filled ? mmu->max_filled * 2 : 1024;
		uint32_t *filled = realloc(mmu->filled, max * sizeof(*filled));

		if (!filled)
			return false;
		mmu->filled = filled;
		mmu->max_filled = max;
	}
	mmu->filled[mmu->num_filled++] = vpn;
	return true;
}

/* --- Page table walk --------------------------------------------------------- */

/*
 * An entry of the tables; cached: through the L2. GUESS(mmu-table-cached): that the MMU reads so;
 * drivers clear it for new entries.
 */
bool mmu_table_read(struct mmu *mmu, uint32_t pa, bool cached, uint32_t *entry)
{
	uint32_t base = pa & PAGE_MASK, offset = pa % MODEL_PAGE;
	const uint8_t *ram = model_ram(mmu->owner->model, base, MODEL_PAGE);
	struct l2_page *page;

	if (!ram)
		return false;
	if (unit_strict(mmu->owner) && !model_mapped(mmu->owner->model, pa)) {
		unit_report(mmu->owner, "page table in page %08x, which is not mapped for DMA", base);
		return false;
	}
	page = cached && mmu->l2 ? l2_page(mmu->l2, base) : NULL;
	if (page)
		l2_fill(mmu->l2, mmu->owner, page, base, ram, offset, sizeof(*entry));
	memcpy(entry, (page ? page->data : ram) + offset, sizeof(*entry));
	return true;
}

/* Strict mode, once per job and page: do the tables still say what the TLB does? */
static void check_stale(struct mmu *mmu, struct unit *u, uint32_t va, const struct tlb_entry *e)
{
	uint32_t now;

	if (mmu->ops->walk(mmu, va, false, &now) != MMU_OK)
		unit_report(u, "stale TLB entry: page %08x is not mapped any more, %08x is still used",
			    va & PAGE_MASK, e->pa);
	else if (now != e->pa)
		unit_report(u, "stale TLB entry: page %08x maps to %08x, %08x is still used",
			    va & PAGE_MASK, now, e->pa);
}

/* The same for memory that nobody's jobs have. */
static void check_witness(struct unit *u, uint32_t va, uint32_t pa)
{
	static const uint32_t witness[] = LIMN_WITNESS;
	const uint8_t *ram = model_ram(u->model, pa, sizeof(witness));

	if (ram && !memcmp(ram, witness, sizeof(witness)))
		unit_report(u, "page %08x, mapped to %08x, is a witness's: another client's memory", va & PAGE_MASK, pa);
}

static void fault(struct mmu *mmu, struct unit *u, uint32_t va, bool write, enum mmu_result what)
{
	unit_tell(mmu->owner, "MMU fault: %s of 0x%08x by %s", write ? "write" : "read", va, u->desc->name);
	mmu->ops->fault(mmu, u, va, write, what);
}

/* The translation of va for this access; NULL after raising what is due. */
static struct tlb_entry *translate(struct mmu *mmu, struct unit *u, uint32_t va, bool write)
{
	struct tlb_entry *e = &mmu->paged[va / MODEL_PAGE];

	if (!e->pa) {
		uint32_t entry;
		enum mmu_result result = mmu->ops->walk(mmu, va, true, &entry);

		if (result != MMU_OK) {
			fault(mmu, u, va, write, result);
			return NULL;
		}
		if (!tlb_remember(mmu, va / MODEL_PAGE))
			return NULL;
		e->pa = entry;
		e->job = mmu->job - 1;
		tlb_bind(mmu, e);
	}
	if (unit_strict(u) && e->job != mmu->job) {
		e->job = mmu->job;
		check_stale(mmu, u, va, e);
		check_witness(u, va, e->pa & PAGE_MASK);
	}
	if (unit_strict(u) && !model_mapped(u->model, e->pa & PAGE_MASK))
		unit_report(u, "%s of %08x in page %08x, which is not mapped for DMA", write ? "write" : "read", va,
			    e->pa & PAGE_MASK);
	if (!(e->pa & (write ? TLB_WRITE : TLB_READ))) {
		fault(mmu, u, va, write, MMU_NOT_PERMITTED);
		return NULL;
	}
	if (write ? !e->w : !e->r) {
		unit_report(u, "%s of %08x, mapped to %08x where no memory is", write ? "write" : "read", va,
			    e->pa & PAGE_MASK);
		if (u->ops->bus_error)
			u->ops->bus_error(u, va, write);
		else
			fault(mmu, u, va, write, MMU_BUS_ERROR);
		return NULL;
	}
	return e;
}

/* With paging off, addresses are physical. */
static uint8_t *untranslated(struct mmu *mmu, struct unit *u, uint32_t va, uint32_t len, bool write)
{
	uint8_t *ram = model_ram(u->model, va, len);

	unit_report(u, "%s of %08x with paging off", write ? "write" : "read", va);
	if (!ram && u->ops->bus_error)
		u->ops->bus_error(u, va, write);
	else if (!ram)
		fault(mmu, u, va, write, MMU_BUS_ERROR);
	return ram;
}

/* --- What units call ----------------------------------------------------------- */

const void *unit_ptr_slow(struct unit *u, uint32_t va, uint32_t len)
{
	struct mmu *mmu = u->mmu;
	uint32_t offset = va % MODEL_PAGE;
	struct tlb_entry *e;

	if (mmu->tlb != mmu->paged)
		return untranslated(mmu, u, va, len, false);
	e = translate(mmu, u, va, false);
	if (!e)
		return NULL;
	if (e->lines)
		l2_fill(mmu->l2, u, (struct l2_page *)((char *)e->lines - offsetof(struct l2_page, lines)),
			e->pa & PAGE_MASK, model_ram(u->model, e->pa & PAGE_MASK, MODEL_PAGE), offset, len);
	return e->r + offset;
}

const uint8_t *unit_page_quietly(struct unit *u, uint32_t va)
{
	struct mmu *mmu = u->mmu;
	uint32_t entry = mmu->paged[va / MODEL_PAGE].pa;

	if (unit_strict(u) || (mmu->l2 && l2_counts(mmu->l2)) || mmu->tlb != mmu->paged)
		return NULL;
	if ((!entry && mmu->ops->walk(mmu, va, true, &entry) != MMU_OK) || !(entry & TLB_READ) ||
	    !model_ram(u->model, entry & PAGE_MASK, MODEL_PAGE))
		return NULL;
	translate(mmu, u, va, false);
	return unit_page(u, va);
}

bool unit_read_slow(struct unit *u, uint32_t va, void *dst, uint32_t len)
{
	while (len) {
		uint32_t part = MODEL_PAGE - va % MODEL_PAGE;
		const void *p;

		if (part > len)
			part = len;
		p = unit_ptr(u, va, part);
		if (!p)
			return false;
		memcpy(dst, p, part);
		dst = (char *)dst + part;
		va += part;
		len -= part;
	}
	return true;
}

/* Writes go through the L2 to memory; lines that it holds follow. */
static void write_page(struct mmu *mmu, const struct unit *u, struct tlb_entry *e, uint32_t offset, const void *src,
		       uint32_t len)
{
	struct l2_page *page;

	memcpy(e->w + offset, src, len);
	page = mmu->l2 ? l2_page(mmu->l2, e->pa & PAGE_MASK) : NULL;
	if (!page)
		return;
	memcpy(page->data + offset, src, len);
	l2_wrote(mmu->l2, u, offset, len);
}

bool unit_write_slow(struct unit *u, uint32_t va, const void *src, uint32_t len)
{
	struct mmu *mmu = u->mmu;

	while (len) {
		uint32_t offset = va % MODEL_PAGE, part = MODEL_PAGE - offset;
		struct tlb_entry *e = &mmu->tlb[va / MODEL_PAGE];

		if (part > len)
			part = len;
		if (mmu->tlb != mmu->paged) {
			uint8_t *ram = untranslated(mmu, u, va, part, true);

			if (!ram)
				return false;
			memcpy(ram, src, part);
		} else {
			if (!e->w || unit_strict(u))
				e = translate(mmu, u, va, true);
			if (!e)
				return false;
			if (unit_strict(u) || (mmu->l2 && l2_counts(mmu->l2)))
				write_page(mmu, u, e, offset, src, part);
			else
				memcpy(e->w + offset, src, part);
		}
		src = (const char *)src + part;
		va += part;
		len -= part;
	}
	return true;
}

void *unit_ptr_write_slow(struct unit *u, uint32_t va)
{
	struct mmu *mmu = u->mmu;
	struct tlb_entry *e = &mmu->tlb[va / MODEL_PAGE];

	if (mmu->tlb != mmu->paged)
		return untranslated(mmu, u, va, 1, true);
	if (!e->w || unit_strict(u))
		e = translate(mmu, u, va, true);
	return e ? e->w + va % MODEL_PAGE : NULL;
}

/* --- Life ---------------------------------------------------------------------- */

int mmu_init(struct mmu *mmu, const struct mmu_ops *ops, struct unit *owner)
{
	const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;

	if (!no_tlb) {
		no_tlb = mmap(NULL, TLB_BYTES, PROT_READ, flags, -1, 0);
		if (no_tlb == MAP_FAILED) {
			no_tlb = NULL;
			return -ENOMEM;
		}
	}
	mmu->ops = ops;
	mmu->owner = owner;
	mmu->paged = mmap(NULL, TLB_BYTES, PROT_READ | PROT_WRITE, flags, -1, 0);
	if (mmu->paged == MAP_FAILED) {
		mmu->paged = NULL;
		return -ENOMEM;
	}
	mmu->tlb = no_tlb;
	return 0;
}

void mmu_destroy(struct mmu *mmu)
{
	if (mmu->paged)
		munmap(mmu->paged, TLB_BYTES);
	free(mmu->filled);
}
