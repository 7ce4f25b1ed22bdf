// SPDX-License-Identifier: MIT
/*
 * Utgard MMU: one in front of GP and of each PP.
 *
 * Facts: Linux lima_mmu.c, lima_vm.c; ARM's GPL kernel driver (mali_mmu.c,
 * mali_mmu_page_directory.c). Two levels of 1024 entries, 4 KiB pages. The
 * TLB and the accesses through it are the core's (model/mmu.c).
 */
#include <stddef.h>

#include <limn/utgard/regs.h>

#include "model/core.h"
#include "model/utgard/utgard.h"

struct utgard_mmu {
	struct unit u;
	struct mmu m;
	uint32_t dte;
	uint32_t fault_addr;
	uint32_t raw, mask;
	bool paging, stalled, fault, fault_write, bus_error;
	bool dte_dirty;			/* DTE changed, and the TLB was not zapped since */
	uint8_t bus_id;
	bool stall_next;		/* what it will then be */
	bool resetting;
};

static struct utgard_mmu *to_mmu(struct mmu *m)
{
	return (struct utgard_mmu *)((char *)m - offsetof(struct utgard_mmu, m));
}

static struct mmu *mmu_of(struct unit *mmu_unit, const struct unit *user)
{
	return &((struct utgard_mmu *)mmu_unit)->m;
}

static bool mmu_blocked(const struct mmu *m)
{
	const struct utgard_mmu *mmu = to_mmu((struct mmu *)m);

	return mmu->stalled || mmu->fault || mmu->bus_error || mmu->u.off;
}

static void mmu_update_irq(struct utgard_mmu *mmu)
{
	unit_irq(&mmu->u, mmu->raw & mmu->mask);
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
	/* GUESS(mmu-read-bus-error): the MMU then holds the unit back until it is reset. */
	mmu->bus_error = true;
	mmu->fault_addr = va;
	mmu->raw |= MMU_INT_READ_BUS_ERROR;
	mmu_update_irq(mmu);
}

static void mmu_fault(struct mmu *m, struct unit *u, uint32_t va, bool write, enum mmu_result what)
{
	struct utgard_mmu *mmu = to_mmu(m);

	if (what == MMU_TABLE_ERROR)
		unit_report(&mmu->u, "page table walk for %08x left memory (DTE %08x)", va, mmu->dte);
	if (what == MMU_TABLE_ERROR || what == MMU_BUS_ERROR)
		read_bus_error(mmu, va);
	else
		page_fault(mmu, u, va, write);
}

/* --- Page table walk --------------------------------------------------------- */

static enum mmu_result mmu_walk(struct mmu *m, uint32_t va, bool cached, uint32_t *entry)
{
	struct utgard_mmu *mmu = to_mmu(m);
	uint32_t pde, pte;

	if (!mmu_table_read(m, mmu->dte + (va >> MMU_PDE_SHIFT) * 4, cached, &pde))
		return MMU_TABLE_ERROR;
	if (!(pde & MMU_ENTRY_PRESENT))
		return MMU_NOT_MAPPED;
	if (!mmu_table_read(m, (pde & MMU_PAGE_MASK) + (va >> MMU_PTE_SHIFT) % MMU_ENTRIES * 4, cached, &pte))
		return MMU_TABLE_ERROR;
	if (!(pte & MMU_ENTRY_PRESENT))
		return MMU_NOT_MAPPED;
	*entry = pte;
	return MMU_OK;
}

static void mmu_check_job(struct mmu *m, struct unit *u)
{
	struct utgard_mmu *mmu = to_mmu(m);

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

static void mmu_reset(struct unit *u)
{
	struct utgard_mmu *mmu = (struct utgard_mmu *)u;

	mmu_zap(&mmu->m);
	unit_clear(mmu, dte);
	mmu_paging(&mmu->m, false);
	mmu_update_irq(mmu);
}

/*
 * A handshake under way ends: some steps later in strict mode, or at once when
 * somebody looks. Drivers poll with timeouts that a busy host may use up in
 * one read, so a first look must not be in vain; who does not look is late.
 */
static void mmu_settle(struct utgard_mmu *mmu)
{
	if (mmu->resetting)
		mmu_reset(&mmu->u);
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
		mmu_paging(&mmu->m, true);
		break;
	case MMU_COMMAND_DISABLE_PAGING:
		mmu->paging = false;
		mmu_paging(&mmu->m, false);
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
		mmu_zap(&mmu->m);
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

	if (mmu->resetting && off != MMU_COMMAND) {
		unit_report(u, "write of %08x to register %02x during a hard reset is lost", val, off);
		return;
	}
	switch (off) {
	case MMU_DTE_ADDR:
		if (mmu->paging && !mmu->stalled && !mmu->fault)
			unit_report(u, "DTE written while the MMU is neither stalled nor faulted");
		mmu->dte_dirty |= mmu->paging && mmu->m.num_filled && mmu->dte != (val & MMU_PAGE_MASK);
		mmu->dte = val & MMU_PAGE_MASK;
		break;
	case MMU_COMMAND:
		mmu_command(mmu, val);
		break;
	case MMU_ZAP_ONE_LINE:
		/* GUESS(mmu-zap-line): forgets the one page that holds the address. */
		mmu_zap_page(&mmu->m, val);
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

static const struct mmu_ops utgard_mmu_tables = {
	.walk = mmu_walk,
	.fault = mmu_fault,
	.blocked = mmu_blocked,
	.check_job = mmu_check_job,
};

static int utgard_mmu_init(struct unit *u)
{
	return mmu_init(&((struct utgard_mmu *)u)->m, &utgard_mmu_tables, u);
}

static void utgard_mmu_destroy(struct unit *u)
{
	mmu_destroy(&((struct utgard_mmu *)u)->m);
}

const struct unit_ops utgard_mmu_ops = {
	.name = "mmu",
	.size = sizeof(struct utgard_mmu),
	.window = 0x24,
	.class = MODEL_MMU,
	.init = utgard_mmu_init,
	.destroy = utgard_mmu_destroy,
	.reset = mmu_reset,
	.read = mmu_read,
	.write = mmu_write,
	.step = mmu_step,
	.mmu = mmu_of,
};
