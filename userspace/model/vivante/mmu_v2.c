// SPDX-License-Identifier: MIT
/*
 * MMUv2: two levels, exceptions, off until the driver turns it on. With the
 * security unit the master table comes out of the page table array.
 *
 * Facts: Linux etnaviv_iommu_v2.c, etnaviv_buffer.c, etnaviv_gpu.c
 * (dump_mmu_fault); rnndb state_hi.xml.
 */
#include "model/vivante/internal.h"

#define MTLB_MASK	0xfffffc00u	/* VIVS_MMUv2_CONFIGURATION_ADDRESS */
#define MODE		1u		/* 0: 1024 entries, 1: 256 entries of 16 MiB */

/*
 * Sizes of pages by bits 3:2 of a master entry of mode 4K. GUESS(mmuv2-page-sizes): as in
 * Vivante's GPL kernel driver: 0 4 KiB, 1 64 KiB, each with its own table.
 */
#define MTLB_64K	4u

static enum mmu_result v2_walk(struct mmu *m, uint32_t va, bool cached, uint32_t *entry)
{
	struct vivante *v = viv_of(m->owner);
	const struct viv_mmus *mmus = v->mmus;
	uint32_t master, slave, offset, mask = ~(MODEL_PAGE - 1);

	if (!mmus->enabled) {
		*entry = (va & mask) | TLB_PRESENT | TLB_READ | TLB_WRITE;
		return MMU_OK;
	}
	if (!mmu_table_read(m, (mmus->mtlb & MTLB_MASK) + VIV_GET(VIV_MMUV2_MTLB_INDEX, va) * 4, cached, &master))
		return MMU_TABLE_ERROR;
	if (!(master & VIV_MMUV2_PRESENT))
		return MMU_NO_TABLE;
	offset = VIV_GET(VIV_MMUV2_STLB_INDEX, va);
	if (master & MTLB_64K) {
		mask = ~0xffffu;
		offset >>= 4;
	}
	if (!mmu_table_read(m, (master & ~0x3fu) + offset * 4, cached, &slave))
		return MMU_TABLE_ERROR;
	if (!(slave & VIV_MMUV2_PRESENT))
		return MMU_NOT_MAPPED;
	/* Memory of the model ends at 4 GiB. */
	if (VIV_GET(VIV_MMUV2_ADDRESS_HIGH, slave))
		return MMU_BUS_ERROR;
	*entry = (((slave & mask) | (va & ~mask)) & ~(MODEL_PAGE - 1)) | TLB_PRESENT | TLB_READ |
		 (slave & VIV_MMUV2_WRITEABLE ? TLB_WRITE : 0);
	return MMU_OK;
}

/*
 * GUESS(mmuv2-status-unit): which of the four MMUs of the status register an exception of a port
 * is told by: FE, colour, depth and the rest. Secure status has one address.
 */
static unsigned int mmu_number(enum viv_port port)
{
	switch (port) {
	case VIV_PORT_FE:
		return 0;
	case VIV_PORT_PE:
		return 1;
	case VIV_PORT_PEZ:
		return 2;
	default:
		return 3;
	}
}

static void v2_fault(struct mmu *m, struct unit *u, uint32_t va, bool write, enum mmu_result what)
{
	struct viv_mmu *mmu = viv_mmu_of(m);
	struct vivante *v = viv_of(u);
	unsigned int n = v->chip->security ? 0 : mmu_number(mmu->port);
	uint32_t code;

	if (what == MMU_TABLE_ERROR || what == MMU_BUS_ERROR) {
		unit_report(u, "page table walk for %08x left memory (master table %08x)", va, v->mmus->mtlb);
		viv_mmu_bus_error(mmu, u, va, write);
		return;
	}
	code = what == MMU_NO_TABLE ? MMU_EXCEPTION_SLAVE_NOT_PRESENT :
	       what == MMU_NOT_MAPPED ? MMU_EXCEPTION_PAGE_NOT_PRESENT : MMU_EXCEPTION_WRITE_VIOLATION;
	mmu->faulted = true;
	v->mmus->status = (v->mmus->status & ~(0xfu << n * 4)) | code << n * 4;
	v->mmus->exception_addr[n] = va;
	viv_interrupt(v, VIVS_HI_INTR_ACKNOWLEDGE_MMU_EXCEPTION);
}

const struct mmu_ops viv_mmu_v2_ops = {
	.walk = v2_walk,
	.fault = v2_fault,
	.blocked = viv_mmu_blocked,
};

/* --- States and registers ---------------------------------------------------- */

static void configure(struct vivante *v)
{
	uint32_t val = viv_state(v, VIVS_MMUv2_CONFIGURATION);

	/* With the security unit, the master table is the page table array's business. */
	if (!v->chip->security)
		v->mmus->mtlb = val & (MTLB_MASK | MODE);
	if (v->mmus->mtlb & MODE)
		viv_report(v, "hi", "MMU mode 1K (master table of 256 entries) is not modelled");
	if (!(val & VIV_MASK(VIVS_MMUv2_CONFIGURATION_FLUSH)))
		return;
	viv_mmus_flush(v, ~0u);
	v->state[VIVS_MMUv2_CONFIGURATION / 4] &= ~VIV_MASK(VIVS_MMUv2_CONFIGURATION_FLUSH);
}

static void load_pta(struct vivante *v)
{
	uint32_t index = VIV_GET(VIVS_MMUv2_PTA_CONFIG_INDEX, viv_state(v, VIVS_MMUv2_PTA_CONFIG));
	uint64_t entry = 0;
	const uint8_t *ram;

	if (!v->mmus->pta_enabled) {
		viv_report(v, "hi", "PTA_CONFIG loads entry %u while the page table array is off", index);
		return;
	}
	if (index >= VIV_PTA_ENTRIES)
		viv_report(v, "hi", "PTA_CONFIG loads entry %u of %u", index, VIV_PTA_ENTRIES);
	ram = model_ram(v->u.model, (uint32_t)v->mmus->pta + index * 8, 8);
	if (!ram) {
		viv_report(v, "hi", "page table array at %08x is not memory", (uint32_t)v->mmus->pta);
		viv_mmu_bus_error(&v->mmus->port[VIV_PORT_FE], v->fe, (uint32_t)v->mmus->pta, false);
		return;
	}
	if (unit_strict(&v->u) && !model_mapped(v->u.model, (uint32_t)v->mmus->pta))
		viv_report(v, "hi", "page table array in page %08x, which is not mapped for DMA", (uint32_t)v->mmus->pta);
	memcpy(&entry, ram, sizeof(entry));
	v->mmus->mtlb = (uint32_t)entry & (MTLB_MASK | MODE);
}

void viv_mmu_v2_state(struct vivante *v, uint32_t address)
{
	/* Of SAFE_ADDRESS only the first write after a reset counts; no access here gets as far as that. */
	if (address == VIVS_MMUv2_CONFIGURATION)
		configure(v);
	else if (address == VIVS_MMUv2_PTA_CONFIG)
		load_pta(v);
}

bool viv_mmu_v2_read(struct vivante *v, uint32_t address, uint32_t *val)
{
	const struct viv_mmus *m = v->mmus;

	switch (address) {
	case VIVS_MMUv2_STATUS:
	case VIVS_MMUv2_SEC_STATUS:
		*val = (address == VIVS_MMUv2_SEC_STATUS) == v->chip->security ? m->status : 0;
		return true;
	case VIVS_MMUv2_CONTROL:
	case VIVS_MMUv2_SEC_CONTROL:
		*val = (address == VIVS_MMUv2_SEC_CONTROL) == v->chip->security && m->enabled;
		return true;
	case VIVS_MMUv2_SEC_EXCEPTION_ADDR:
		*val = m->exception_addr[0];
		return true;
	}
	if (address >= VIVS_MMUv2_EXCEPTION_ADDR && address < VIV_AT(VIVS_MMUv2_EXCEPTION_ADDR, 4)) {
		*val = m->exception_addr[(address - VIVS_MMUv2_EXCEPTION_ADDR) / 4];
		return true;
	}
	return false;
}

static void enable(struct vivante *v, bool on)
{
	if (!on) {
		if (v->mmus->enabled)
			viv_report(v, "hi", "the MMU cannot be disabled but by a reset");
		return;
	}
	if (!v->mmus->mtlb)
		viv_report(v, "hi", "the MMU is enabled before a master table was loaded");
	if (v->front->state != VIV_FE_IDLE)
		viv_report(v, "hi", "the MMU is enabled while FE runs");
	v->mmus->enabled = true;
	/* Addresses mean something else from here on. */
	viv_mmus_flush(v, ~0u);
}

bool viv_mmu_v2_write(struct vivante *v, uint32_t address, uint32_t val)
{
	struct viv_mmus *m = v->mmus;

	switch (address) {
	case VIVS_MMUv2_CONTROL:
		if (v->chip->security)
			viv_report(v, "hi", "MMU_CONTROL written: with the security unit it is SEC_CONTROL");
		else
			enable(v, val & VIVS_MMUv2_CONTROL_ENABLE);
		return true;
	case VIVS_MMUv2_SEC_CONTROL:
		if (!v->chip->security)
			return false;
		enable(v, val & VIVS_MMUv2_SEC_CONTROL_ENABLE);
		return true;
	case VIVS_MMUv2_PTA_ADDRESS_LOW:
		m->pta = (m->pta & ~0xffffffffull) | val;
		break;
	case VIVS_MMUv2_PTA_ADDRESS_HIGH:
		m->pta = (m->pta & 0xffffffffull) | (uint64_t)val << 32;
		break;
	case VIVS_MMUv2_PTA_CONTROL:
		m->pta_enabled = val & VIVS_MMUv2_PTA_CONTROL_ENABLE;
		break;
	default:
		return false;
	}
	v->state[address / 4] = val;
	return true;
}
