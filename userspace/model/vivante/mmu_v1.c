// SPDX-License-Identifier: MIT
/*
 * MMUv1: a window of physical memory in the lower half of the address space,
 * one flat page table for the upper half. No entry is invalid: what is not
 * mapped reaches a page that the driver chose, or the bus answers with an error.
 *
 * Facts: Linux etnaviv_iommu.c; rnndb state_hi.xml (a register of each kind for
 * each of five ports).
 */
#include "model/vivante/internal.h"

static const struct {
	uint16_t table, base;
} registers[VIV_NUM_PORTS] = {
	[VIV_PORT_FE] = { VIVS_MC_MMU_FE_PAGE_TABLE, VIVS_MC_MEMORY_BASE_ADDR_FE },
	[VIV_PORT_TX] = { VIVS_MC_MMU_TX_PAGE_TABLE, VIVS_MC_MEMORY_BASE_ADDR_TX },
	[VIV_PORT_PE] = { VIVS_MC_MMU_PE_PAGE_TABLE, VIVS_MC_MEMORY_BASE_ADDR_PE },
	[VIV_PORT_PEZ] = { VIVS_MC_MMU_PEZ_PAGE_TABLE, VIVS_MC_MEMORY_BASE_ADDR_PEZ },
	[VIV_PORT_RA] = { VIVS_MC_MMU_RA_PAGE_TABLE, VIVS_MC_MEMORY_BASE_ADDR_RA },
};

static enum mmu_result v1_walk(struct mmu *m, uint32_t va, bool cached, uint32_t *entry)
{
	struct vivante *v = viv_of(m->owner);
	struct viv_mmu *mmu = viv_mmu_of(m);
	uint32_t page = va & ~(MODEL_PAGE - 1);

	if (va < VIV_MMUV1_BASE) {
		page += viv_state(v, registers[mmu->port].base);
	} else {
		uint32_t table = viv_state(v, registers[mmu->port].table);

		if (!mmu_table_read(m, table + (va - VIV_MMUV1_BASE) / MODEL_PAGE * 4, cached, &page))
			return MMU_TABLE_ERROR;
	}
	*entry = (page & ~(MODEL_PAGE - 1)) | TLB_PRESENT | TLB_READ | TLB_WRITE;
	return MMU_OK;
}

static void v1_fault(struct mmu *m, struct unit *u, uint32_t va, bool write, enum mmu_result what)
{
	if (what == MMU_TABLE_ERROR)
		unit_report(u, "page table walk for %08x left memory (table %08x)", va,
			    viv_state(viv_of(u), registers[viv_mmu_of(m)->port].table));
	viv_mmu_bus_error(viv_mmu_of(m), u, va, write);
}

const struct mmu_ops viv_mmu_v1_ops = {
	.walk = v1_walk,
	.fault = v1_fault,
	.blocked = viv_mmu_blocked,
};
