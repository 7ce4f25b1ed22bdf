/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * What the host sees of a GCxxx core: registers, page tables. Addresses and
 * fields of HI, FE, PM, MMUv2 and MC are rows of tables/host.inc and front.inc;
 * constants are named as rnndb names them (VIVS_HI_CLOCK_CONTROL).
 *
 * Facts: rnndb state_hi.xml; page tables from Linux drivers/gpu/drm/etnaviv
 * (etnaviv_iommu.c, etnaviv_iommu_v2.c, etnaviv_gpu.c).
 */
#ifndef LIMN_VIVANTE_HW_REGS_H
#define LIMN_VIVANTE_HW_REGS_H

#include <limn/vivante/field.h>
#include <limn/vivante/states.h>

/*
 * MMUv1: one flat table of physical addresses, 4 bytes a page of 4 KiB, for the
 * upper half of the address space. Below it, an address is physical plus the
 * unit's MC_MEMORY_BASE_ADDR_*. MC_MMU_*_PAGE_TABLE hold the table's address.
 */
#define VIV_MMUV1_BASE		0x80000000u
#define VIV_MMUV1_PAGES		0x80000u
#define VIV_MMUV1_TABLE_BYTES	(VIV_MMUV1_PAGES * 4)

/*
 * MMUv2: two levels, 1024 entries each, 4 bytes an entry: master (MTLB), 4 MiB
 * an entry, and slave (STLB), 4 KiB an entry. An STLB entry is the page's
 * address with its bits 39:32 in bits 11:4. MTLB mode MODE4_K has 1024 entries.
 */
#define VIV_MMUV2_PRESENT	0x1u
#define VIV_MMUV2_EXCEPTION	0x2u		/* STLB entry: a missing page raises an exception */
#define VIV_MMUV2_WRITEABLE	0x4u
#define VIV_MMUV2_ENTRIES	1024u
#define VIV_MMUV2_MTLB_INDEX__SHIFT	22
#define VIV_MMUV2_MTLB_INDEX__WIDTH	10
#define VIV_MMUV2_STLB_INDEX__SHIFT	12
#define VIV_MMUV2_STLB_INDEX__WIDTH	10
#define VIV_MMUV2_ADDRESS_HIGH__SHIFT	4	/* of an STLB entry */
#define VIV_MMUV2_ADDRESS_HIGH__WIDTH	8

/* Page table array of cores with the security unit: 64-bit entries, MTLB address | mode. */
#define VIV_PTA_BYTES		4096u
#define VIV_PTA_ENTRIES		(VIV_PTA_BYTES / 8)

/* Events: INTR_ACKNOWLEDGE bits 29:0; reading the register clears it. */
#define VIV_EVENTS		30

#endif
