// SPDX-License-Identifier: GPL-2.0-only
/*
 * Utgard page tables: two levels of 1024 entries, pages of 4 KiB.
 *
 * Tables are allocated one page at a time, when the first BO comes into their
 * 4 MiB, and freed with the address space. Writing entries needs no lock: a
 * range belongs to one BO, and its tables were there before.
 *
 * Page 0 reads as zeros, unless a client has asked for it by address: Mesa gives a vertex shader
 * without attributes one stream whose address it does not set. With lima.ko a BO is there.
 *
 * Memory is write-combined; the next register write orders it.
 */
#include <kunit/visibility.h>
#include <linux/dma-mapping.h>
#include <linux/slab.h>

#include "limn_dump.h"
#include "utgard.h"

/* lima gives every page these: cached for reading, writes combined. */
#define PTE_FLAGS	(MMU_ENTRY_PRESENT | MMU_ENTRY_READ | MMU_ENTRY_OVERRIDE_CACHE |	\
			 MMU_ENTRY_WRITE_CACHEABLE | MMU_ENTRY_WRITE_BUFFERABLE |	\
			 MMU_ENTRY_READ_CACHEABLE | MMU_ENTRY_READ_ALLOCATE)

static struct utgard_table *utgard_table_create(struct utgard_vm *uvm, u32 index)
{
	struct device *dev = uvm->base.ldev->dev;
	struct utgard_table *table = kmalloc(sizeof(*table), GFP_KERNEL);

	if (!table)
		return NULL;
	table->entries = dma_alloc_wc(dev, SZ_4K, &table->dma,
				      GFP_KERNEL | __GFP_NOWARN | __GFP_ZERO);
	if (!table->entries)
		goto err_table;
	if (xa_is_err(xa_store(&uvm->tables, index, table, GFP_KERNEL)))
		goto err_entries;
	uvm->pd[index] = table->dma | MMU_ENTRY_PRESENT;
	return table;

err_entries:
	dma_free_wc(dev, SZ_4K, table->entries, table->dma);
err_table:
	kfree(table);
	return NULL;
}

static int utgard_pt_reserve(struct limn_vm *vm, u64 va, u64 size)
{
	struct utgard_vm *uvm = to_utgard_vm(vm);
	u32 index, last = (va + size - 1) >> MMU_PDE_SHIFT;

	for (index = va >> MMU_PDE_SHIFT; index <= last; index++) {
		if (!xa_load(&uvm->tables, index) && !utgard_table_create(uvm, index))
			return -ENOMEM;	/* what was created stays, for the next BO */
	}
	return 0;
}

static u32 *utgard_entry(struct limn_vm *vm, u64 va)
{
	struct utgard_table *table = xa_load(&to_utgard_vm(vm)->tables, va >> MMU_PDE_SHIFT);

	return table->entries + (va >> MMU_PTE_SHIFT) % MMU_ENTRIES;
}

static void utgard_pt_map(struct limn_vm *vm, u64 va, dma_addr_t dma, u64 size, bool write)
{
	const u32 flags = PTE_FLAGS | (write ? MMU_ENTRY_WRITE : 0);
	u64 end = va + size;
	u32 *entry = NULL;

	for (; va < end; va += SZ_4K, dma += SZ_4K) {
		if (!entry || va % BIT_ULL(MMU_PDE_SHIFT) == 0)
			entry = utgard_entry(vm, va);
		WRITE_ONCE(*entry++, (u32)dma | flags);
	}
}

static void utgard_pt_unmap(struct limn_vm *vm, u64 va, u64 size)
{
	u64 end = va + size;
	u32 *entry = NULL;

	if (!va) {
		utgard_pt_map(vm, 0, to_utgard(vm->ldev)->zeros, SZ_4K, false);
		va = SZ_4K;
	}
	for (; va < end; va += SZ_4K) {
		if (!entry || va % BIT_ULL(MMU_PDE_SHIFT) == 0)
			entry = utgard_entry(vm, va);
		WRITE_ONCE(*entry++, 0);
	}
}

static void utgard_pt_fini(struct limn_vm *vm)
{
	struct utgard_vm *uvm = to_utgard_vm(vm);
	struct device *dev = vm->ldev->dev;
	struct utgard_table *table;
	unsigned long index;

	xa_for_each(&uvm->tables, index, table) {
		dma_free_wc(dev, SZ_4K, table->entries, table->dma);
		kfree(table);
	}
	xa_destroy(&uvm->tables);
	dma_free_wc(dev, SZ_4K, uvm->pd, uvm->pd_dma);
}

/* The directory, then the tables that there are. Others may add some meanwhile. */
void utgard_pt_dump(struct limn_vm *vm, struct limn_dump *d)
{
	struct utgard_vm *uvm = to_utgard_vm(vm);
	struct utgard_table *table;
	unsigned long index;

	limn_dump_section(d, LIMN_DUMP_PAGE_TABLE, NULL, 0, uvm->pd_dma, LIMN_DUMP_DIRECTORY,
			  uvm->pd, SZ_4K);
	xa_for_each(&uvm->tables, index, table)
		limn_dump_section(d, LIMN_DUMP_PAGE_TABLE, NULL, (u64)index << MMU_PDE_SHIFT,
				  table->dma, 0, table->entries, SZ_4K);
}

static int utgard_pt_init(struct limn_vm *vm)
{
	struct utgard_vm *uvm = to_utgard_vm(vm);
	struct utgard *ug = to_utgard(vm->ldev);
	int ret;

	xa_init(&uvm->tables);
	uvm->pd = dma_alloc_wc(vm->ldev->dev, SZ_4K, &uvm->pd_dma,
			       GFP_KERNEL | __GFP_NOWARN | __GFP_ZERO);
	if (!uvm->pd)
		return -ENOMEM;
	ret = utgard_pt_reserve(vm, 0, SZ_4K);
	if (ret)
		goto err;
	utgard_pt_map(vm, 0, ug->zeros, SZ_4K, false);
	if (!ug->m450)
		return 0;
	ret = utgard_pt_reserve(vm, UTGARD_DLBU_VA, SZ_4K);
	if (ret)
		goto err;
	/* All clients have this page: cores read it, and the DLBU answers in its place. */
	utgard_pt_map(vm, UTGARD_DLBU_VA, ug->dlbu, SZ_4K, false);
	return 0;

err:
	utgard_pt_fini(vm);
	return ret;
}

const struct limn_pt_ops utgard_pt_ops = {
	.init = utgard_pt_init,
	.fini = utgard_pt_fini,
	.reserve = utgard_pt_reserve,
	.map = utgard_pt_map,
	.unmap = utgard_pt_unmap,
};
EXPORT_SYMBOL_IF_KUNIT(utgard_pt_ops);
