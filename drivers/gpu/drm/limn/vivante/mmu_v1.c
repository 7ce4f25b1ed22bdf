// SPDX-License-Identifier: GPL-2.0-only
/*
 * MMUv1: the upper half of the address space goes through one flat table, the
 * lower half straight to memory. One table for everybody: changing it takes a
 * halt of the GPU, and isolates nobody, since the lower half is open to all.
 * The checker keeps the addresses that streams load to the job's own buffers;
 * what engines and shaders make of them nothing keeps anywhere.
 *
 * Facts: Linux drivers/gpu/drm/etnaviv/etnaviv_iommu.c and etnaviv_gpu.c.
 */
#include <kunit/visibility.h>

#include "limn_dump.h"
#include "cmd.h"
#include "vivante.h"

/* Each unit's window onto memory, and table, has registers of its own. */
static const u32 mmu_v1_bases[] = {
	VIVS_MC_MEMORY_BASE_ADDR_RA, VIVS_MC_MEMORY_BASE_ADDR_FE, VIVS_MC_MEMORY_BASE_ADDR_TX,
	VIVS_MC_MEMORY_BASE_ADDR_PEZ, VIVS_MC_MEMORY_BASE_ADDR_PE,
};

static const u32 mmu_v1_tables[] = {
	VIVS_MC_MMU_FE_PAGE_TABLE, VIVS_MC_MMU_TX_PAGE_TABLE, VIVS_MC_MMU_PE_PAGE_TABLE,
	VIVS_MC_MMU_PEZ_PAGE_TABLE, VIVS_MC_MMU_RA_PAGE_TABLE,
};

/* TS ignores the window's base on cores with the first memory controller. */
static bool mmu_v1_wants_base_0(const struct vivante_core *core)
{
	return VIVANTE_FEATURE(&core->id, PIPE_3D) && !VIVANTE_MINOR(&core->id, 0, MC20);
}

/* FE reaches @size bytes at @dma through the window. */
static bool mmu_v1_in_window(const struct vivante *viv, dma_addr_t dma, u32 size)
{
	return dma >= viv->memory_base && dma - viv->memory_base <= VIV_MMUV1_BASE - size;
}

/*
 * The window must show the rings and cleaners, and the streams that are allocated later,
 * which may lie anywhere around them. So it begins at 0 where it can. 128 MiB steps keep
 * addresses readable in dumps.
 */
static void mmu_v1_choose_window(struct vivante *viv)
{
	u32 lowest = viv->core[0]->ring.dma, highest = lowest;	/* coherent: below 4 GiB */
	bool base_0 = false;
	unsigned int i;

	for (i = 0; i < viv->num_cores; i++) {
		u32 ring = viv->core[i]->ring.dma, cleaner = viv->core[i]->cleaner.dma;

		lowest = min3(lowest, ring, cleaner);
		highest = max3(highest, ring, cleaner);
		base_0 |= mmu_v1_wants_base_0(viv->core[i]);
	}
	viv->memory_base = 0;
	if (highest < SZ_2G - SZ_128M)
		return;
	viv->memory_base = min_t(u64, ALIGN_DOWN(lowest, SZ_128M), SZ_2G);
	if (!base_0)
		return;
	for (i = 0; i < viv->num_cores; i++) {
		if (!mmu_v1_wants_base_0(viv->core[i]))
			continue;
		dev_info(viv->core[i]->dev, "memory is out of reach of tile status: no fast clear\n");
		viv->core[i]->id.features[0] &= ~chipFeatures_FAST_CLEAR;
	}
}

static int mmu_v1_init(struct vivante *viv)
{
	unsigned int i;

	mmu_v1_choose_window(viv);
	for (i = 0; i < viv->num_cores; i++) {
		struct vivante_core *core = viv->core[i];

		if (!mmu_v1_in_window(viv, core->ring.dma, VIVANTE_RING_SIZE) ||
		    !mmu_v1_in_window(viv, core->cleaner.dma, core->cleaner.size)) {
			dev_err(core->dev, "the ring at %pad, or %pad, is out of its reach\n",
				&core->ring.dma, &core->cleaner.dma);
			return -ENOMEM;
		}
		core->ring.va = core->ring.dma - viv->memory_base;
		core->cleaner.va = core->cleaner.dma - viv->memory_base;
	}
	return 0;
}

static int mmu_v1_vm_init(struct limn_vm *vm)
{
	struct vivante_vm *vvm = to_vivante_vm(vm);
	struct vivante *viv = to_vivante(vm->ldev);

	vvm->table.entries = dma_alloc_wc(vm->ldev->dev, VIV_MMUV1_TABLE_BYTES, &vvm->table.dma,
					  GFP_KERNEL | __GFP_NOWARN);
	if (!vvm->table.entries)
		return -ENOMEM;
	memset32(vvm->table.entries, viv->bad_page_dma, VIV_MMUV1_PAGES);
	return 0;
}

static void mmu_v1_vm_fini(struct limn_vm *vm)
{
	struct vivante_vm *vvm = to_vivante_vm(vm);

	dma_free_wc(vm->ldev->dev, VIV_MMUV1_TABLE_BYTES, vvm->table.entries, vvm->table.dma);
}

/*
 * An empty entry is a good one for the bad page, so a TLB may have it: mapping
 * takes a flush as unmapping does.
 */
static void mmu_v1_map(struct limn_vm *vm, u64 va, dma_addr_t dma, u64 size, bool write)
{
	struct vivante_vm *vvm = to_vivante_vm(vm);
	u32 *entry = vvm->table.entries + (va - VIV_MMUV1_BASE) / SZ_4K;
	u32 *end = entry + size / SZ_4K;

	for (; entry < end; dma += SZ_4K)
		WRITE_ONCE(*entry++, (u32)dma);
	vivante_vm_changed(vvm);
}

static void mmu_v1_unmap(struct limn_vm *vm, u64 va, u64 size)
{
	struct vivante_vm *vvm = to_vivante_vm(vm);

	memset32(vvm->table.entries + (va - VIV_MMUV1_BASE) / SZ_4K,
		 to_vivante(vm->ldev)->bad_page_dma, size / SZ_4K);
	vivante_vm_changed(vvm);
}

static u32 mmu_v1_stream_va(struct vivante *viv, dma_addr_t dma, unsigned int slot)
{
	return mmu_v1_in_window(viv, dma, VIVANTE_CHUNK) ? dma - viv->memory_base : 0;
}

/* Pages of the table that map something. */
static void mmu_v1_dump(struct limn_vm *vm, struct limn_dump *d)
{
	struct vivante_vm *vvm = to_vivante_vm(vm);
	u32 bad = to_vivante(vm->ldev)->bad_page_dma;
	u32 page, i, entries = SZ_4K / sizeof(u32);

	for (page = 0; page < VIV_MMUV1_PAGES; page += entries) {
		const u32 *entry = vvm->table.entries + page;

		for (i = 0; i < entries && entry[i] == bad; i++)
			;
		if (i < entries)
			limn_dump_section(d, LIMN_DUMP_PAGE_TABLE, NULL,
					  VIV_MMUV1_BASE + (u64)page * SZ_4K,
					  vvm->table.dma + page * sizeof(u32), 0, entry, SZ_4K);
	}
}

static int mmu_v1_start(struct vivante_core *core)
{
	struct vivante *viv = core->viv;
	u32 table = to_vivante_vm(viv->kernel_vm)->table.dma;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(mmu_v1_bases); i++)
		vivante_write(core, mmu_v1_bases[i], viv->memory_base);
	for (i = 0; i < ARRAY_SIZE(mmu_v1_tables); i++)
		vivante_write(core, mmu_v1_tables[i], table);
	return 0;
}

static u32 *mmu_v1_put_switch(struct vivante_core *core, struct limn_vm *vm, u32 *cmd)
{
	return vivante_put_state(cmd, VIVS_GL_FLUSH_MMU,
				 VIVS_GL_FLUSH_MMU_FLUSH_FEMMU | VIVS_GL_FLUSH_MMU_FLUSH_UNK1 |
				 VIVS_GL_FLUSH_MMU_FLUSH_UNK2 | VIVS_GL_FLUSH_MMU_FLUSH_PEMMU |
				 VIVS_GL_FLUSH_MMU_FLUSH_UNK4);
}

const struct vivante_mmu_ops vivante_mmu_v1 = {
	.name = "MMUv1",
	.shared = true,
	.check_addresses = true,
	/* The first page stays empty, which is to say the bad one. */
	.nobodys_page = VIV_MMUV1_BASE,
	.va_start = VIV_MMUV1_BASE + SZ_4K,
	.va_end = (u64)VIV_MMUV1_BASE + (u64)VIV_MMUV1_PAGES * SZ_4K,
	.init = mmu_v1_init,
	.pt.init = mmu_v1_vm_init,
	.pt.fini = mmu_v1_vm_fini,
	.pt.map = mmu_v1_map,
	.pt.unmap = mmu_v1_unmap,
	.stream_va = mmu_v1_stream_va,
	.dump = mmu_v1_dump,
	.start = mmu_v1_start,
	.put_switch = mmu_v1_put_switch,
};
EXPORT_SYMBOL_IF_KUNIT(vivante_mmu_v1);
