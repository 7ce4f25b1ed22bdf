// SPDX-License-Identifier: GPL-2.0-only
/*
 * MMUv2: two levels of 1024 entries, one address space for each file. Missing
 * pages raise an exception; pages can be read-only, as rings and streams are.
 *
 * It is switched on once after each reset, by FE commands at physical addresses
 * and then a register; it stays on until the next reset. Cores with a security
 * unit take the tables from an array that registers name, the others from a
 * state. Facts: Linux drivers/gpu/drm/etnaviv/etnaviv_iommu_v2.c and
 * etnaviv_buffer.c.
 */
#include <kunit/visibility.h>
#include <linux/slab.h>

#include "limn_dump.h"
#include "cmd.h"
#include "vivante.h"

static int mmu_v2_table_alloc(struct device *dev, struct vivante_table *table)
{
	table->entries = dma_alloc_wc(dev, SZ_4K, &table->dma, GFP_KERNEL | __GFP_NOWARN);
	if (!table->entries)
		return -ENOMEM;
	memset32(table->entries, VIV_MMUV2_EXCEPTION, VIV_MMUV2_ENTRIES);
	return 0;
}

static void mmu_v2_table_free(struct device *dev, struct vivante_table *table)
{
	if (table->entries)
		dma_free_wc(dev, SZ_4K, table->entries, table->dma);
}

static struct vivante_table *mmu_v2_slave_create(struct vivante_vm *vvm, u32 index)
{
	struct device *dev = vvm->base.ldev->dev;
	struct vivante_table *slave = kzalloc(sizeof(*slave), GFP_KERNEL);

	if (!slave)
		return NULL;
	if (mmu_v2_table_alloc(dev, slave))
		goto err_slave;
	if (xa_is_err(xa_store(&vvm->slaves, index, slave, GFP_KERNEL)))
		goto err_table;
	WRITE_ONCE(vvm->table.entries[index], (u32)slave->dma | VIV_MMUV2_PRESENT);
	return slave;

err_table:
	mmu_v2_table_free(dev, slave);
err_slave:
	kfree(slave);
	return NULL;
}

static int mmu_v2_reserve(struct limn_vm *vm, u64 va, u64 size)
{
	struct vivante_vm *vvm = to_vivante_vm(vm);
	u32 index, last = (va + size - 1) >> VIV_MMUV2_MTLB_INDEX__SHIFT;

	for (index = va >> VIV_MMUV2_MTLB_INDEX__SHIFT; index <= last; index++) {
		if (!xa_load(&vvm->slaves, index) && !mmu_v2_slave_create(vvm, index))
			return -ENOMEM;	/* what was created stays, for the next BO */
	}
	return 0;
}

static u32 *mmu_v2_entry(struct limn_vm *vm, u64 va)
{
	struct vivante_table *slave = xa_load(&to_vivante_vm(vm)->slaves,
					      va >> VIV_MMUV2_MTLB_INDEX__SHIFT);

	return slave->entries + VIV_GET(VIV_MMUV2_STLB_INDEX, va);
}

/* Entries of @size bytes from @va on: @entry, and @step more from each to the next. */
static void mmu_v2_fill(struct limn_vm *vm, u64 va, u64 size, u64 page, u32 flags, u32 step)
{
	u64 end = va + size;
	u32 *entry = NULL;

	for (; va < end; va += SZ_4K, page += step) {
		if (!entry || va % BIT_ULL(VIV_MMUV2_MTLB_INDEX__SHIFT) == 0)
			entry = mmu_v2_entry(vm, va);
		WRITE_ONCE(*entry++, lower_32_bits(page) | flags |
			   VIV_SET(VIV_MMUV2_ADDRESS_HIGH, upper_32_bits(page)));
	}
}

/* A TLB may hold what was there before a page: Linux' and Vivante's drivers flush then, too. */
static void mmu_v2_map(struct limn_vm *vm, u64 va, dma_addr_t dma, u64 size, bool write)
{
	u32 flags = VIV_MMUV2_PRESENT | (write ? VIV_MMUV2_WRITEABLE : 0);

	mmu_v2_fill(vm, va, size, dma, flags, SZ_4K);
	vivante_vm_changed(to_vivante_vm(vm));
}

static void mmu_v2_unmap(struct limn_vm *vm, u64 va, u64 size)
{
	mmu_v2_fill(vm, va, size, 0, VIV_MMUV2_EXCEPTION, 0);
	vivante_vm_changed(to_vivante_vm(vm));
}

static void mmu_v2_vm_fini(struct limn_vm *vm)
{
	struct vivante_vm *vvm = to_vivante_vm(vm);
	struct vivante *viv = to_vivante(vm->ldev);
	struct vivante_table *slave;
	unsigned long index;

	if (vvm->pta_index >= 0)
		ida_free(&viv->pta_ida, vvm->pta_index);
	xa_for_each(&vvm->slaves, index, slave) {
		mmu_v2_table_free(vm->ldev->dev, slave);
		kfree(slave);
	}
	xa_destroy(&vvm->slaves);
	mmu_v2_table_free(vm->ldev->dev, &vvm->table);
}

static int mmu_v2_pta_enter(struct vivante *viv, struct vivante_vm *vvm)
{
	if (!viv->pta)
		return 0;
	vvm->pta_index = ida_alloc_max(&viv->pta_ida, VIV_PTA_ENTRIES - 1, GFP_KERNEL);
	if (vvm->pta_index < 0)
		return vvm->pta_index;
	WRITE_ONCE(viv->pta[vvm->pta_index],
		   (u64)vvm->table.dma | VIVS_MMUv2_CONFIGURATION_MODE_MODE4_K);
	return 0;
}

static int mmu_v2_vm_init(struct limn_vm *vm)
{
	struct vivante_vm *vvm = to_vivante_vm(vm);
	struct vivante *viv = to_vivante(vm->ldev);
	unsigned int i;
	int ret;

	xa_init(&vvm->slaves);
	vvm->pta_index = -1;
	ret = mmu_v2_table_alloc(vm->ldev->dev, &vvm->table);
	ret = ret ?: mmu_v2_pta_enter(viv, vvm);
	ret = ret ?: mmu_v2_reserve(vm, VIVANTE_ZERO_VA, VIVANTE_STREAMS_VA - VIVANTE_ZERO_VA);
	if (ret) {
		mmu_v2_vm_fini(vm);
		return ret;
	}
	/* FE fetches on while it switches: each address space has the kernel's pages. */
	mmu_v2_map(vm, VIVANTE_ZERO_VA, viv->bad_page_dma, SZ_4K, false);
	for (i = 0; i < viv->num_cores; i++) {
		const struct vivante_core *core = viv->core[i];

		mmu_v2_map(vm, core->ring.va, core->ring.dma, VIVANTE_RING_SIZE, false);
		mmu_v2_map(vm, core->cleaner.va, core->cleaner.dma, core->cleaner.size, false);
	}
	return 0;
}

static int mmu_v2_init(struct vivante *viv)
{
	bool secure = false;
	unsigned int i;

	for (i = 0; i < viv->num_cores; i++) {
		viv->core[i]->ring.va = VIVANTE_RING_VA(i);
		viv->core[i]->cleaner.va = VIVANTE_CLEAN_VA(i);
		secure |= viv->core[i]->secure;
	}
	if (!secure)
		return 0;
	viv->pta = vivante_alloc_wc(viv, VIV_PTA_BYTES, &viv->pta_dma);
	return viv->pta ? 0 : -ENOMEM;
}

static u32 mmu_v2_stream_va(struct vivante *viv, dma_addr_t dma, unsigned int slot)
{
	return VIVANTE_STREAMS_VA + slot * VIVANTE_CHUNK;
}

static void mmu_v2_dump(struct limn_vm *vm, struct limn_dump *d)
{
	struct vivante_vm *vvm = to_vivante_vm(vm);
	struct vivante_table *slave;
	unsigned long index;

	limn_dump_section(d, LIMN_DUMP_PAGE_TABLE, NULL, 0, vvm->table.dma, LIMN_DUMP_DIRECTORY,
			  vvm->table.entries, SZ_4K);
	xa_for_each(&vvm->slaves, index, slave)
		limn_dump_section(d, LIMN_DUMP_PAGE_TABLE, NULL,
				  (u64)index << VIV_MMUV2_MTLB_INDEX__SHIFT, slave->dma, 0,
				  slave->entries, SZ_4K);
}

static u32 *put_config(struct vivante *viv, u32 *cmd, u32 pipe)
{
	cmd = vivante_put_state(cmd, VIVS_GL_PIPE_SELECT, pipe);
	cmd = vivante_put_state(cmd, VIVS_MMUv2_CONFIGURATION,
				(u32)to_vivante_vm(viv->kernel_vm)->table.dma |
				VIVS_MMUv2_CONFIGURATION_MODE_MODE4_K);
	cmd = vivante_put_state(cmd, VIVS_MMUv2_SAFE_ADDRESS, viv->bad_page_dma);
	return vivante_put_sync(cmd, SYNC_RECIPIENT_PE);
}

static int mmu_v2_start_plain(struct vivante_core *core)
{
	u32 *cmd = core->ring.cpu;
	int ret;

	if (VIVANTE_FEATURE(&core->id, PIPE_3D))
		cmd = put_config(core->viv, cmd, PIPE_ID_PIPE_3D);
	if (VIVANTE_FEATURE(&core->id, PIPE_2D))
		cmd = put_config(core->viv, cmd, PIPE_ID_PIPE_2D);
	ret = vivante_fe_run(core, core->ring.dma, cmd);
	if (!ret)
		vivante_write(core, VIVS_MMUv2_CONTROL, VIVS_MMUv2_CONTROL_ENABLE);
	return ret;
}

static int mmu_v2_start_secure(struct vivante_core *core)
{
	struct vivante *viv = core->viv;
	u32 safe_high = upper_32_bits(viv->bad_page_dma);
	u32 *end;
	int ret;

	vivante_write(core, VIVS_MMUv2_PTA_ADDRESS_LOW, lower_32_bits(viv->pta_dma));
	vivante_write(core, VIVS_MMUv2_PTA_ADDRESS_HIGH, upper_32_bits(viv->pta_dma));
	vivante_write(core, VIVS_MMUv2_PTA_CONTROL, VIVS_MMUv2_PTA_CONTROL_ENABLE);
	vivante_write(core, VIVS_MMUv2_NONSEC_SAFE_ADDR_LOW, lower_32_bits(viv->bad_page_dma));
	vivante_write(core, VIVS_MMUv2_SEC_SAFE_ADDR_LOW, lower_32_bits(viv->bad_page_dma));
	vivante_write(core, VIVS_MMUv2_SAFE_ADDRESS_CONFIG,
		      VIV_SET(VIVS_MMUv2_SAFE_ADDRESS_CONFIG_NON_SEC_SAFE_ADDR_HIGH, safe_high) |
		      VIV_SET(VIVS_MMUv2_SAFE_ADDRESS_CONFIG_SEC_SAFE_ADDR_HIGH, safe_high));

	end = vivante_put_state(core->ring.cpu, VIVS_MMUv2_PTA_CONFIG,
				to_vivante_vm(viv->kernel_vm)->pta_index);
	ret = vivante_fe_run(core, core->ring.dma, end);
	if (!ret)
		vivante_write(core, VIVS_MMUv2_SEC_CONTROL, VIVS_MMUv2_SEC_CONTROL_ENABLE);
	return ret;
}

static int mmu_v2_start(struct vivante_core *core)
{
	return core->secure ? mmu_v2_start_secure(core) : mmu_v2_start_plain(core);
}

static u32 *mmu_v2_put_switch(struct vivante_core *core, struct limn_vm *vm, u32 *cmd)
{
	struct vivante_vm *vvm = to_vivante_vm(vm);
	u32 config = VIVS_MMUv2_CONFIGURATION_MODE_MASK | VIVS_MMUv2_CONFIGURATION_FLUSH;

	if (core->secure)
		cmd = vivante_put_state(cmd, VIVS_MMUv2_PTA_CONFIG, vvm->pta_index);
	else
		config |= vvm->table.dma;
	cmd = vivante_put_state(cmd, VIVS_MMUv2_CONFIGURATION, config);
	return vivante_put_sync(cmd, SYNC_RECIPIENT_PE);
}

const struct vivante_mmu_ops vivante_mmu_v2 = {
	.name = "MMUv2",
	.nobodys_page = VIVANTE_ZERO_VA,
	.va_start = VIVANTE_SOFTPIN_START,
	.va_end = SZ_4G,
	.init = mmu_v2_init,
	.pt.init = mmu_v2_vm_init,
	.pt.fini = mmu_v2_vm_fini,
	.pt.reserve = mmu_v2_reserve,
	.pt.map = mmu_v2_map,
	.pt.unmap = mmu_v2_unmap,
	.stream_va = mmu_v2_stream_va,
	.dump = mmu_v2_dump,
	.start = mmu_v2_start,
	.put_switch = mmu_v2_put_switch,
};
EXPORT_SYMBOL_IF_KUNIT(vivante_mmu_v2);
