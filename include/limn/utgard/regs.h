/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Mali-400/450 (Utgard) register map: block offsets, registers, bits.
 *
 * Every name here is the only copy; driver, library and model include it.
 * Offsets are in bytes from the start of the block. Facts: Linux
 * drivers/gpu/drm/lima/lima_regs.h and lima_device.c, ARM's GPL Mali-400
 * kernel driver (r*p*), Mesa src/gallium/drivers/lima/lima_gpu.h, limare.
 */
#ifndef LIMN_UTGARD_REGS_H
#define LIMN_UTGARD_REGS_H

#include <limn/utgard/states.h>	/* PP: frame registers (words 0..22 of lima's frame), write-back units */

#define UTGARD_BIT(n)			(1u << (n))

/* Block offsets from the start of the GPU's register window. */
#define UTGARD_GP_OFFSET		0x00000
#define UTGARD_M400_L2_OFFSET		0x01000
#define UTGARD_PMU_OFFSET		0x02000
#define UTGARD_GPMMU_OFFSET		0x03000
#define UTGARD_PPMMU_OFFSET(i)		((i) < 4 ? 0x04000 + 0x1000 * (i) : \
						   0x1c000 + 0x1000 * ((i) - 4))
#define UTGARD_PP_OFFSET(i)		((i) < 4 ? 0x08000 + 0x2000 * (i) : \
						   0x28000 + 0x2000 * ((i) - 4))
#define UTGARD_M450_L2_GP_OFFSET	0x10000
#define UTGARD_M450_L2_PP03_OFFSET	0x01000
#define UTGARD_M450_L2_PP47_OFFSET	0x11000
#define UTGARD_BCAST_OFFSET		0x13000
#define UTGARD_DLBU_OFFSET		0x14000
#define UTGARD_PPMMU_BCAST_OFFSET	0x15000
#define UTGARD_PP_BCAST_OFFSET		0x16000
#define UTGARD_MAX_PP			8
#define UTGARD_M400_WINDOW_SIZE		0x10000
#define UTGARD_M450_WINDOW_SIZE		0x30000

/* PMU: power domains. STATUS bit 1 = domain is off. */
#define PMU_POWER_UP			0x00
#define PMU_POWER_DOWN			0x04
#define   PMU_M400_GP			UTGARD_BIT(0)
#define   PMU_M400_L2			UTGARD_BIT(1)
#define   PMU_M400_PP(i)		UTGARD_BIT(2 + (i))
#define   PMU_M450_GP			UTGARD_BIT(0)
#define   PMU_M450_PP0			UTGARD_BIT(1)
#define   PMU_M450_PP13			UTGARD_BIT(2)
#define   PMU_M450_PP47			UTGARD_BIT(3)
#define PMU_STATUS			0x08
#define PMU_INT_MASK			0x0c
#define PMU_INT_RAWSTAT			0x10
#define PMU_INT_CLEAR			0x18
#define   PMU_INT_CMD_DONE		UTGARD_BIT(0)
#define PMU_SW_DELAY			0x1c

/* L2 cache. SIZE: bits 7:0 log2 line bytes, 15:8 log2 ways, 23:16 log2 bytes, 31:24 log2 bus bits. */
#define L2_SIZE				0x04
#define L2_STATUS			0x08
#define   L2_STATUS_COMMAND_BUSY	UTGARD_BIT(0)
#define   L2_STATUS_DATA_BUSY		UTGARD_BIT(1)
#define L2_COMMAND			0x10
#define   L2_COMMAND_CLEAR_ALL		UTGARD_BIT(0)
#define L2_CLEAR_PAGE			0x14
#define L2_MAX_READS			0x18
#define L2_ENABLE			0x1c
#define   L2_ENABLE_ACCESS		UTGARD_BIT(0)
#define   L2_ENABLE_READ_ALLOCATE	UTGARD_BIT(1)
#define L2_PERFCNT_SRC0			0x20
#define L2_PERFCNT_VAL0			0x24
#define L2_PERFCNT_SRC1			0x28
#define L2_PERFCNT_VAL1			0x2c

/* GP: vertex shader and polygon list builder. */
#define GP_VSCL_START			0x00
#define GP_VSCL_END			0x04
#define GP_PLBUCL_START			0x08
#define GP_PLBUCL_END			0x0c
#define GP_PLBU_ALLOC_START		0x10
#define GP_PLBU_ALLOC_END		0x14
#define GP_CMD				0x20
#define   GP_CMD_START_VS		UTGARD_BIT(0)
#define   GP_CMD_START_PLBU		UTGARD_BIT(1)
#define   GP_CMD_UPDATE_PLBU_ALLOC	UTGARD_BIT(4)
#define   GP_CMD_RESET			UTGARD_BIT(5)
#define   GP_CMD_FORCE_HANG		UTGARD_BIT(6)
#define   GP_CMD_STOP_BUS		UTGARD_BIT(9)
#define   GP_CMD_SOFT_RESET		UTGARD_BIT(10)
#define GP_INT_RAWSTAT			0x24
#define GP_INT_CLEAR			0x28
#define GP_INT_MASK			0x2c
#define GP_INT_STAT			0x30
#define   GP_IRQ_VS_END			UTGARD_BIT(0)
#define   GP_IRQ_PLBU_END		UTGARD_BIT(1)
#define   GP_IRQ_PLBU_OOM		UTGARD_BIT(2)
#define   GP_IRQ_VS_SEM			UTGARD_BIT(3)
#define   GP_IRQ_PLBU_SEM		UTGARD_BIT(4)
#define   GP_IRQ_HANG			UTGARD_BIT(5)
#define   GP_IRQ_FORCE_HANG		UTGARD_BIT(6)
#define   GP_IRQ_PERF_CNT_0_LIMIT	UTGARD_BIT(7)
#define   GP_IRQ_PERF_CNT_1_LIMIT	UTGARD_BIT(8)
#define   GP_IRQ_WRITE_BOUND		UTGARD_BIT(9)
#define   GP_IRQ_SYNC_ERROR		UTGARD_BIT(10)
#define   GP_IRQ_BUS_ERROR		UTGARD_BIT(11)
#define   GP_IRQ_BUS_STOPPED		UTGARD_BIT(12)
#define   GP_IRQ_VS_INVALID_CMD		UTGARD_BIT(13)
#define   GP_IRQ_PLBU_INVALID_CMD	UTGARD_BIT(14)
#define   GP_IRQ_RESET_DONE		UTGARD_BIT(19)
#define   GP_IRQ_SEM_UNDERFLOW		UTGARD_BIT(20)
#define   GP_IRQ_SEM_OVERFLOW		UTGARD_BIT(21)
#define   GP_IRQ_PTR_ARRAY_BOUND	UTGARD_BIT(22)
#define GP_WRITE_BOUND_LOW		0x34
#define GP_WRITE_BOUND_HIGH		0x38
#define GP_PERF_CNT_0_ENABLE		0x3c
#define GP_PERF_CNT_1_ENABLE		0x40
#define GP_PERF_CNT_0_SRC		0x44
#define GP_PERF_CNT_1_SRC		0x48
#define GP_PERF_CNT_0_VALUE		0x4c
#define GP_PERF_CNT_1_VALUE		0x50
#define GP_PERF_CNT_0_LIMIT		0x54
#define GP_PERF_CNT_1_LIMIT		0x58
#define GP_STATUS			0x68
#define   GP_STATUS_VS_ACTIVE		UTGARD_BIT(1)
#define   GP_STATUS_BUS_STOPPED		UTGARD_BIT(2)
#define   GP_STATUS_PLBU_ACTIVE		UTGARD_BIT(3)
#define   GP_STATUS_BUS_ERROR		UTGARD_BIT(6)
#define   GP_STATUS_WRITE_BOUND		UTGARD_BIT(8)
#define GP_VERSION			0x6c	/* 31:16 product, 15:8 major, 7:0 minor */
#define   GP_VERSION_M200		0x0a07
#define   GP_VERSION_M300		0x0c07
#define   GP_VERSION_M400		0x0b07
#define   GP_VERSION_M450		0x0d07
#define GP_VSCL_START_READ		0x80
#define GP_PLBUCL_START_READ		0x84
#define GP_BUS_ERROR_STAT		0x94

/* PP: control. */
#define PP_VERSION			0x1000
#define   PP_VERSION_M400		0xcd07
#define   PP_VERSION_M450		0xcf07
#define PP_CURRENT_REND_LIST		0x1004
#define PP_STATUS			0x1008
#define   PP_STATUS_RENDERING		UTGARD_BIT(0)
#define   PP_STATUS_BUS_STOPPED		UTGARD_BIT(4)
#define PP_CTRL				0x100c
#define   PP_CTRL_STOP_BUS		UTGARD_BIT(0)
#define   PP_CTRL_FLUSH_CACHES		UTGARD_BIT(3)
#define   PP_CTRL_FORCE_RESET		UTGARD_BIT(5)
#define   PP_CTRL_START			UTGARD_BIT(6)
#define   PP_CTRL_SOFT_RESET		UTGARD_BIT(7)
#define PP_INT_RAWSTAT			0x1020
#define PP_INT_CLEAR			0x1024
#define PP_INT_MASK			0x1028
#define PP_INT_STATUS			0x102c
#define   PP_IRQ_END_OF_FRAME		UTGARD_BIT(0)
#define   PP_IRQ_END_OF_TILE		UTGARD_BIT(1)
#define   PP_IRQ_HANG			UTGARD_BIT(2)
#define   PP_IRQ_FORCE_HANG		UTGARD_BIT(3)
#define   PP_IRQ_BUS_ERROR		UTGARD_BIT(4)
#define   PP_IRQ_BUS_STOP		UTGARD_BIT(5)
#define   PP_IRQ_CNT_0_LIMIT		UTGARD_BIT(6)
#define   PP_IRQ_CNT_1_LIMIT		UTGARD_BIT(7)
#define   PP_IRQ_WRITE_BOUND		UTGARD_BIT(8)
#define   PP_IRQ_INVALID_PLIST_CMD	UTGARD_BIT(9)
#define   PP_IRQ_CALL_STACK_UNDERFLOW	UTGARD_BIT(10)
#define   PP_IRQ_CALL_STACK_OVERFLOW	UTGARD_BIT(11)
#define   PP_IRQ_RESET_DONE		UTGARD_BIT(12)
#define PP_WRITE_BOUND_ENABLE		0x1040
#define PP_WRITE_BOUND_LOW		0x1044
#define PP_WRITE_BOUND_HIGH		0x1048
#define PP_BUS_ERROR_STATUS		0x1050
#define PP_PERF_CNT_0_ENABLE		0x1080
#define PP_PERF_CNT_0_SRC		0x1084
#define PP_PERF_CNT_0_LIMIT		0x1088
#define PP_PERF_CNT_0_VALUE		0x108c
#define PP_PERF_CNT_1_ENABLE		0x10a0
#define PP_PERF_CNT_1_SRC		0x10a4
#define PP_PERF_CNT_1_LIMIT		0x10a8
#define PP_PERF_CNT_1_VALUE		0x10ac
#define PP_PERFMON_CONTR		0x10b0
#define PP_PERFMON_BASE			0x10b4

/* MMU, one in front of GP and of each PP. */
#define MMU_DTE_ADDR			0x00
#define MMU_STATUS			0x04
#define   MMU_STATUS_PAGING_ENABLED	UTGARD_BIT(0)
#define   MMU_STATUS_PAGE_FAULT_ACTIVE	UTGARD_BIT(1)
#define   MMU_STATUS_STALL_ACTIVE	UTGARD_BIT(2)
#define   MMU_STATUS_IDLE		UTGARD_BIT(3)
#define   MMU_STATUS_REPLAY_EMPTY	UTGARD_BIT(4)
#define   MMU_STATUS_FAULT_IS_WRITE	UTGARD_BIT(5)
#define   MMU_STATUS_BUS_ID(x)		(((x) >> 6) & 0x1f)
#define   MMU_STATUS_STALL_NOT_ACTIVE	UTGARD_BIT(31)
#define MMU_COMMAND			0x08
#define   MMU_COMMAND_ENABLE_PAGING	0
#define   MMU_COMMAND_DISABLE_PAGING	1
#define   MMU_COMMAND_ENABLE_STALL	2
#define   MMU_COMMAND_DISABLE_STALL	3
#define   MMU_COMMAND_ZAP_CACHE		4
#define   MMU_COMMAND_PAGE_FAULT_DONE	5
#define   MMU_COMMAND_HARD_RESET	6
#define MMU_PAGE_FAULT_ADDR		0x0c
#define MMU_ZAP_ONE_LINE		0x10
#define MMU_INT_RAWSTAT			0x14
#define MMU_INT_CLEAR			0x18
#define MMU_INT_MASK			0x1c
#define   MMU_INT_PAGE_FAULT		UTGARD_BIT(0)
#define   MMU_INT_READ_BUS_ERROR	UTGARD_BIT(1)
#define MMU_INT_STATUS			0x20

/* MMU tables: 1024 directory entries (4 MiB each), 1024 page entries (4 KiB each). */
#define MMU_ENTRY_PRESENT		UTGARD_BIT(0)
#define MMU_ENTRY_READ			UTGARD_BIT(1)
#define MMU_ENTRY_WRITE			UTGARD_BIT(2)
#define MMU_ENTRY_OVERRIDE_CACHE	UTGARD_BIT(3)
#define MMU_ENTRY_WRITE_CACHEABLE	UTGARD_BIT(4)
#define MMU_ENTRY_WRITE_ALLOCATE	UTGARD_BIT(5)
#define MMU_ENTRY_WRITE_BUFFERABLE	UTGARD_BIT(6)
#define MMU_ENTRY_READ_CACHEABLE	UTGARD_BIT(7)
#define MMU_ENTRY_READ_ALLOCATE		UTGARD_BIT(8)
#define MMU_ENTRY_FLAGS			0x1ffu
#define MMU_PAGE_MASK			0xfffff000u
#define MMU_PDE_SHIFT			22
#define MMU_PTE_SHIFT			12
#define MMU_ENTRIES			1024

/* DLBU (Mali-450): hands out tiles to the broadcast PPs. */
#define DLBU_MASTER_TLLIST_PHYS		0x00	/* physical address | 1 */
#define DLBU_MASTER_TLLIST_VADDR	0x04
#define DLBU_TLLIST_VBASEADDR		0x08
#define DLBU_FB_DIM			0x0c
#define DLBU_TLLIST_CONF		0x10
#define DLBU_START_TILE_POS		0x14
#define DLBU_PP_ENABLE_MASK		0x18

/* Drivers show its tile lists there in each address space (Linux lima_vm.h). */
#define UTGARD_DLBU_VA			0xfff00000u

/* BCAST (Mali-450): low 16 bits cores addressed, high 16 bits cores present. */
#define BCAST_BROADCAST_MASK		0x00
#define BCAST_INTERRUPT_MASK		0x04

#endif
