// SPDX-License-Identifier: MIT
/*
 * Utgard MMU: one in front of GP and of each PP.
 *
 * Facts: Linux lima_mmu.c, lima_vm.c; ARM's GPL kernel driver (mali_mmu.c,
 * mali_mmu_page_directory.c). Two levels of 1024 entries, 4 KiB pages. The
 * TLB here has room for every page, so it forgets nothing until it is zapped.
 */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>

#include <limn/utgard/regs.h>

#include "model/core.h"

#define TLB_ENTRIES	(1u << 20)
#define TLB_BYTES	(TLB_ENTRIES * sizeof(struct tlb_entry))

struct utgard_mmu {
	struct unit u;
	struct mmu m;
	struct tlb_entry *paged;	/* all entries of the TLB */
	uint32_t *filled;		/* virtual page numbers in the TLB */
	uint32_t num_filled, max_filled;
	uint32_t dte;
	uint32_t fault_addr;
	uint32_t raw, mask;
	uint32_t job;			/* counts jobs of the unit behind it */
	bool paging, stalled, fault, fault_write, bus_error;
	bool dte_dirty;			/* DTE changed, and the TLB was not zapped since */
	uint8_t bus_id;
	bool stall_next;		/* what it will then be */
	bool resetting;
};

/* With paging off the inline accessors must miss: all point here. */
static struct tlb_entry *no_tlb;

static struct utgard_mmu *to_mmu(struct mmu *m)
{
	return (struct utgard_mmu *)((char *)m - offsetof(struct utgard_mmu, m));
}

struct mmu *mmu_of(struct unit *mmu_unit)
{
	return &((struct utgard_mmu *)mmu_unit)->m;
}

bool mmu_blocked(const struct mmu *m)
{
	const struct utgard_mmu *mmu = to_mmu((struct mmu *)m);

	return mmu->stalled || mmu->fault || mmu->bus_error || mmu->u.off;
}

static void mmu_update_irq(struct utgard_mmu *mmu)
{
	unit_irq(&mmu->u, mmu->raw & mmu->mask);
}

/* --- TLB ----------------------------------------------------------------- */

static void tlb_zap(struct utgard_mmu *mmu)
{
	for (uint32_t i = 0; i < mmu->num_filled; i++)
		memset(&mmu->paged[mmu->filled[i]], 0, sizeof(struct tlb_entry));
	mmu->num_filled = 0;
}

/* Where a translated page's bytes are, seen from this MMU. */
static void tlb_bind(struct utgard_mmu *mmu, struct tlb_entry *e)
{
	uint8_t *ram = model_ram(mmu->u.model, e->pa & MMU_PAGE_MASK, MODEL_PAGE);
	struct l2_page *page = mmu->u.l2 && ram ? l2_page(mmu->u.l2, e->pa & MMU_PAGE_MASK) : NULL;

	e->w = e->pa & MMU_ENTRY_WRITE ? ram : NULL;
	e->r = NULL;
	e->lines = NULL;
	if (e->pa & MMU_ENTRY_READ) {
		e->r = page ? page->data : ram;
		e->lines = page ? &page->lines : NULL;
	}
}

void mmu_rebind(struct unit *mmu_unit)
{
	struct utgard_mmu *mmu = (struct utgard_mmu *)mmu_unit;

	for (uint32_t i = 0; i < mmu->num_filled; i++)
		tlb_bind(mmu, &mmu->paged[mmu->filled[i]]);
}

static bool tlb_remember(struct utgard_mmu *mmu, uint32_t vpn)
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

/* --- Faults ---------------------------------------------------------------- */

static void page_fault(struct utgard_mmu *mmu, struct unit *u, uint32_t va, bool write)
{
	mmu->fault = true;
	mmu->fault_addr = va;
	mmu->fault_write = write;
	mmu->bus_id = u->bus_id & 0x1f;
	mmu->raw |= MMU_INT_PAGE_FAULT;
	mmu_update_irq(mmu);
}

static void read_bus_error(struct utgard_mmu *mmu, uint32_t va)
{
	/* GUESS: the MMU then holds the unit back until it is reset. */
	mmu->bus_error = true;
	mmu->fault_addr = va;
	mmu->raw |= MMU_INT_READ_BUS_ERROR;
	mmu_update_irq(mmu);
}

/* --- Page table walk --------------------------------------------------------- */

enum walk { WALK_OK, WALK_FAULT, WALK_BUS_ERROR };

/* An entry of the tables; cached: through the L2. GUESS: that the MMU reads so; drivers clear it for new entries. */
static bool table_read(struct utgard_mmu *mmu, uint32_t pa, bool cached, uint32_t *entry)
{
	uint32_t base = pa & MMU_PAGE_MASK, offset = pa % MODEL_PAGE;
	const uint8_t *ram = model_ram(mmu->u.model, base, MODEL_PAGE);
	struct l2_page *page;

	if (!ram)
		return false;
	if (unit_strict(&mmu->u) && !model_mapped(mmu->u.model, pa)) {
		unit_report(&mmu->u, "page table in page %08x, which is not mapped for DMA", base);
		return false;
	}
	page = cached && mmu->u.l2 ? l2_page(mmu->u.l2, base) : NULL;
	if (page)
		l2_fill(mmu->u.l2, &mmu->u, page, base, ram, offset, sizeof(*entry));
	memcpy(entry, (page ? page->data : ram) + offset, sizeof(*entry));
	return true;
}

static enum walk walk(struct utgard_mmu *mmu, uint32_t va, bool cached, uint32_t *entry)
{
	uint32_t pde, pte;

	if (!table_read(mmu, mmu->dte + (va >> MMU_PDE_SHIFT) * 4, cached, &pde))
		return WALK_BUS_ERROR;
	if (!(pde & MMU_ENTRY_PRESENT))
		return WALK_FAULT;
	if (!table_read(mmu, (pde & MMU_PAGE_MASK) + (va >> MMU_PTE_SHIFT) % MMU_ENTRIES * 4, cached, &pte))
		return WALK_BUS_ERROR;
	if (!(pte & MMU_ENTRY_PRESENT))
		return WALK_FAULT;
	*entry = pte;
	return WALK_OK;
}

/* The translation of va for this access; NULL after raising what is due. */
static struct tlb_entry *translate(struct utgard_mmu *mmu, struct unit *u, uint32_t va, bool write)
{
	struct tlb_entry *e = &mmu->paged[va / MODEL_PAGE];
	uint32_t pte;

	if (!e->pa) {
		switch (walk(mmu, va, true, &pte)) {
		case WALK_BUS_ERROR:
			unit_report(&mmu->u, "page table walk for %08x left memory (DTE %08x)", va, mmu->dte);
			read_bus_error(mmu, va);
			return NULL;
		case WALK_FAULT:
			page_fault(mmu, u, va, write);
			return NULL;
		case WALK_OK:
			break;
		}
		if (!tlb_remember(mmu, va / MODEL_PAGE))
			return NULL;
		e->pa = pte;
		e->job = mmu->job - 1;
		tlb_bind(mmu, e);
	}
	if (unit_strict(u) && e->job != mmu->job) {
		e->job = mmu->job;
		if (walk(mmu, va, false, &pte) != WALK_OK)
			unit_report(u, "stale TLB entry: page %08x is not mapped any more, %08x is still used",
				    va & MMU_PAGE_MASK, e->pa);
		else if (pte != e->pa)
			unit_report(u, "stale TLB entry: page %08x maps to %08x, %08x is still used",
				    va & MMU_PAGE_MASK, pte, e->pa);
	}
	if (unit_strict(u) && !model_mapped(u->model, e->pa & MMU_PAGE_MASK))
		unit_report(u, "%s of %08x in page %08x, which is not mapped for DMA", write ? "write" : "read", va,
			    e->pa & MMU_PAGE_MASK);
	if (!(e->pa & (write ? MMU_ENTRY_WRITE : MMU_ENTRY_READ))) {
		page_fault(mmu, u, va, write);
		return NULL;
	}
	if (write ? !e->w : !e->r) {
		unit_report(u, "%s of %08x, mapped to %08x where no memory is", write ? "write" : "read", va,
			    e->pa & MMU_PAGE_MASK);
		if (u->ops->bus_error)
			u->ops->bus_error(u, va, write);
		else
			read_bus_error(mmu, va);
		return NULL;
	}
	return e;
}

/* With paging off, addresses are physical. */
static uint8_t *untranslated(struct utgard_mmu *mmu, struct unit *u, uint32_t va, uint32_t len, bool write)
{
	uint8_t *ram = model_ram(u->model, va, len);

	unit_report(u, "%s of %08x with paging off", write ? "write" : "read", va);
	if (!ram && u->ops->bus_error)
		u->ops->bus_error(u, va, write);
	else if (!ram)
		read_bus_error(mmu, va);
	return ram;
}

/* --- What units call ----------------------------------------------------------- */

const void *unit_ptr_slow(struct unit *u, uint32_t va, uint32_t len)
{
	struct utgard_mmu *mmu = to_mmu(u->mmu);
	uint32_t offset = va % MODEL_PAGE;
	struct tlb_entry *e;

	if (!mmu->paging)
		return untranslated(mmu, u, va, len, false);
	e = translate(mmu, u, va, false);
	if (!e)
		return NULL;
	if (e->lines)
		l2_fill(mmu->u.l2, u, (struct l2_page *)((char *)e->lines - offsetof(struct l2_page, lines)),
			e->pa & MMU_PAGE_MASK,
			model_ram(u->model, e->pa & MMU_PAGE_MASK, MODEL_PAGE), offset, len);
	return e->r + offset;
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
static void write_page(struct utgard_mmu *mmu, struct tlb_entry *e, uint32_t offset, const void *src, uint32_t len)
{
	struct l2_page *page;

	memcpy(e->w + offset, src, len);
	page = mmu->u.l2 ? l2_page(mmu->u.l2, e->pa & MMU_PAGE_MASK) : NULL;
	if (page)
		memcpy(page->data + offset, src, len);
}

bool unit_write(struct unit *u, uint32_t va, const void *src, uint32_t len)
{
	struct utgard_mmu *mmu = to_mmu(u->mmu);

	while (len) {
		uint32_t offset = va % MODEL_PAGE, part = MODEL_PAGE - offset;
		struct tlb_entry *e = &u->mmu->tlb[va / MODEL_PAGE];

		if (part > len)
			part = len;
		if (!mmu->paging) {
			uint8_t *ram = untranslated(mmu, u, va, part, true);

			if (!ram)
				return false;
			memcpy(ram, src, part);
		} else {
			if (!e->w || unit_strict(u))
				e = translate(mmu, u, va, true);
			if (!e)
				return false;
			if (unit_strict(u))
				write_page(mmu, e, offset, src, part);
			else
				memcpy(e->w + offset, src, part);
		}
		src = (const char *)src + part;
		va += part;
		len -= part;
	}
	return true;
}

void mmu_job_start(struct unit *u)
{
	struct utgard_mmu *mmu = to_mmu(u->mmu);

	mmu->job++;
	if (!unit_strict(u)) {
		tlb_zap(mmu);
		return;
	}
	if (!mmu->paging)
		unit_report(u, "job started with the MMU's paging off");
	if (mmu->stalled)
		unit_report(u, "job started while the MMU is stalled");
	if (mmu->fault)
		unit_report(u, "job started while a page fault is active");
	if (mmu->dte_dirty)
		unit_report(u, "job started after a new DTE %08x without a TLB zap", mmu->dte);
	if (mmu->mask != (MMU_INT_PAGE_FAULT | MMU_INT_READ_BUS_ERROR))
		unit_report(u, "job started with MMU interrupts masked (%x)", mmu->mask);
}

/* --- Registers --------------------------------------------------------------- */

static void mmu_clear(struct utgard_mmu *mmu)
{
	tlb_zap(mmu);
	mmu->dte = 0;
	mmu->fault_addr = 0;
	mmu->raw = 0;
	mmu->mask = 0;
	mmu->paging = false;
	mmu->stalled = false;
	mmu->stall_next = false;
	mmu->fault = false;
	mmu->fault_write = false;
	mmu->bus_error = false;
	mmu->dte_dirty = false;
	mmu->resetting = false;
	mmu->bus_id = 0;
	mmu->m.tlb = no_tlb;
	mmu_update_irq(mmu);
}

static void mmu_reset(struct unit *u)
{
	mmu_clear((struct utgard_mmu *)u);
}

/*
 * A handshake under way ends: some steps later in strict mode, or at once when
 * somebody looks. Drivers poll with timeouts that a busy host may use up in
 * one read, so a first look must not be in vain; who does not look is late.
 */
static void mmu_settle(struct utgard_mmu *mmu)
{
	if (mmu->resetting)
		mmu_clear(mmu);
	else
		mmu->stalled = mmu->stall_next;
}

static void handshake(struct utgard_mmu *mmu)
{
	if (!unit_strict(&mmu->u)) {
		mmu_settle(mmu);
		return;
	}
	unit_sleep(&mmu->u, unit_random(&mmu->u, 8));
	unit_wake(&mmu->u);
}

static void mmu_command(struct utgard_mmu *mmu, uint32_t command)
{
	struct unit *u = &mmu->u;

	if (mmu->resetting && command != MMU_COMMAND_HARD_RESET)
		unit_report(u, "command %u during a hard reset", command);
	switch (command) {
	case MMU_COMMAND_ENABLE_PAGING:
		mmu->paging = true;
		mmu->m.tlb = mmu->paged;
		break;
	case MMU_COMMAND_DISABLE_PAGING:
		mmu->paging = false;
		mmu->m.tlb = no_tlb;
		break;
	case MMU_COMMAND_ENABLE_STALL:
		if (mmu->fault) {	/* refused: mali_mmu.c checks for it */
			unit_report(u, "stall while a page fault is active");
			break;
		}
		mmu->stall_next = true;
		handshake(mmu);
		break;
	case MMU_COMMAND_DISABLE_STALL:
		mmu->stall_next = false;
		handshake(mmu);
		break;
	case MMU_COMMAND_ZAP_CACHE:
		tlb_zap(mmu);
		mmu->dte_dirty = false;
		break;
	case MMU_COMMAND_PAGE_FAULT_DONE:
		mmu->fault = false;
		mmu->fault_write = false;
		break;
	case MMU_COMMAND_HARD_RESET:
		mmu->resetting = true;
		handshake(mmu);
		break;
	default:
		unit_report(u, "unknown command %u", command);
	}
}

static bool mmu_step(struct unit *u)
{
	struct utgard_mmu *mmu = (struct utgard_mmu *)u;

	mmu_settle(mmu);
	return false;
}

static uint32_t mmu_status(const struct utgard_mmu *mmu)
{
	uint32_t status = (uint32_t)mmu->bus_id << 6;

	status |= mmu->paging ? MMU_STATUS_PAGING_ENABLED : 0;
	status |= mmu->fault ? MMU_STATUS_PAGE_FAULT_ACTIVE : MMU_STATUS_REPLAY_EMPTY;
	status |= mmu->stalled ? MMU_STATUS_STALL_ACTIVE : MMU_STATUS_STALL_NOT_ACTIVE;
	status |= mmu_blocked(&mmu->m) ? 0 : MMU_STATUS_IDLE;
	status |= mmu->fault_write ? MMU_STATUS_FAULT_IS_WRITE : 0;
	return status;
}

static uint32_t mmu_read(struct unit *u, uint32_t off)
{
	struct utgard_mmu *mmu = (struct utgard_mmu *)u;

	if (mmu->resetting || mmu->stalled != mmu->stall_next)
		mmu_settle(mmu);
	switch (off) {
	case MMU_DTE_ADDR:
		return mmu->dte;
	case MMU_STATUS:
		return mmu_status(mmu);
	case MMU_PAGE_FAULT_ADDR:
		return mmu->fault_addr;
	case MMU_INT_RAWSTAT:
		return mmu->raw;
	case MMU_INT_MASK:
		return mmu->mask;
	case MMU_INT_STATUS:
		return mmu->raw & mmu->mask;
	}
	unit_report(u, "read of unknown register %02x", off);
	return 0;
}

static void mmu_write(struct unit *u, uint32_t off, uint32_t val)
{
	struct utgard_mmu *mmu = (struct utgard_mmu *)u;
	struct tlb_entry *e;

	if (mmu->resetting && off != MMU_COMMAND) {
		unit_report(u, "write of %08x to register %02x during a hard reset is lost", val, off);
		return;
	}
	switch (off) {
	case MMU_DTE_ADDR:
		if (mmu->paging && !mmu->stalled && !mmu->fault)
			unit_report(u, "DTE written while the MMU is neither stalled nor faulted");
		mmu->dte_dirty |= mmu->paging && mmu->num_filled && mmu->dte != (val & MMU_PAGE_MASK);
		mmu->dte = val & MMU_PAGE_MASK;
		break;
	case MMU_COMMAND:
		mmu_command(mmu, val);
		break;
	case MMU_ZAP_ONE_LINE:
		/* GUESS: forgets the one page that holds the address. */
		e = &mmu->paged[val / MODEL_PAGE];
		for (uint32_t i = 0; e->pa && i < mmu->num_filled; i++) {
			if (mmu->filled[i] == val / MODEL_PAGE)
				mmu->filled[i--] = mmu->filled[--mmu->num_filled];
		}
		memset(e, 0, sizeof(*e));
		break;
	case MMU_INT_RAWSTAT:
		mmu->raw |= val;	/* mali_mmu.c's self-test raises interrupts this way */
		break;
	case MMU_INT_CLEAR:
		mmu->raw &= ~val;
		break;
	case MMU_INT_MASK:
		mmu->mask = val & (MMU_INT_PAGE_FAULT | MMU_INT_READ_BUS_ERROR);
		break;
	default:
		unit_report(u, "write of %08x to unknown register %02x", val, off);
	}
	mmu_update_irq(mmu);
}

static int mmu_init(struct unit *u)
{
	struct utgard_mmu *mmu = (struct utgard_mmu *)u;
	const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;

	if (!no_tlb) {
		no_tlb = mmap(NULL, TLB_BYTES, PROT_READ, flags, -1, 0);
		if (no_tlb == MAP_FAILED) {
			no_tlb = NULL;
			return -ENOMEM;
		}
	}
	mmu->paged = mmap(NULL, TLB_BYTES, PROT_READ | PROT_WRITE, flags, -1, 0);
	if (mmu->paged == MAP_FAILED) {
		mmu->paged = NULL;
		return -ENOMEM;
	}
	mmu->m.tlb = no_tlb;
	return 0;
}

static void mmu_destroy(struct unit *u)
{
	struct utgard_mmu *mmu = (struct utgard_mmu *)u;

	if (mmu->paged)
		munmap(mmu->paged, TLB_BYTES);
	free(mmu->filled);
}

const struct unit_ops utgard_mmu_ops = {
	.name = "mmu",
	.size = sizeof(struct utgard_mmu),
	.window = 0x24,
	.class = MODEL_MMU,
	.init = mmu_init,
	.destroy = mmu_destroy,
	.reset = mmu_reset,
	.read = mmu_read,
	.write = mmu_write,
	.step = mmu_step,
};
