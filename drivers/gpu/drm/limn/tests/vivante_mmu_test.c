// SPDX-License-Identifier: GPL-2.0-only
/*
 * KUnit: page tables of Vivante's MMUs, of both kinds; which memory the GPU reaches.
 */
#include <kunit/device.h>
#include <kunit/test.h>
#include <linux/dma-mapping.h>

#include "../limn_gem.h"
#include "../vivante/vivante.h"

#define BAD_PAGE	0x00666000

struct mmu_test {
	struct vivante *viv;
	struct vivante_vm *vvm;
	struct vivante_core core[2];
};

static int mmu_init(struct kunit *test)
{
	struct device *dev = kunit_device_register(test, "limn-vivante-mmu");
	struct mmu_test *t = kunit_kzalloc(test, sizeof(*t), GFP_KERNEL);
	unsigned int i;

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, dev);
	KUNIT_ASSERT_NOT_NULL(test, t);
	KUNIT_ASSERT_EQ(test, dma_coerce_mask_and_coherent(dev, DMA_BIT_MASK(32)), 0);
	t->viv = kunit_kzalloc(test, sizeof(*t->viv), GFP_KERNEL);
	t->vvm = kunit_kzalloc(test, sizeof(*t->vvm), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, t->viv);
	KUNIT_ASSERT_NOT_NULL(test, t->vvm);
	t->viv->base.dev = dev;
	t->viv->bad_page_dma = BAD_PAGE;
	mutex_init(&t->viv->pta_lock);
	for (i = 0; i < ARRAY_SIZE(t->core); i++) {
		t->core[i].dev = dev;
		t->core[i].viv = t->viv;
		t->core[i].ring.dma = 0x00333000 + i * 0x100000;
		t->viv->core[i] = &t->core[i];
	}
	t->viv->num_cores = ARRAY_SIZE(t->core);
	t->vvm->base.ldev = &t->viv->base;
	mutex_init(&t->vvm->base.map_lock);
	test->priv = t;
	return 0;
}

static struct limn_vm *mmu_begin(struct kunit *test, const struct vivante_mmu_ops *mmu)
{
	struct mmu_test *t = test->priv;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(t->core); i++) {
		t->core[i].cleaner.dma = t->core[i].ring.dma + SZ_64K;
		t->core[i].cleaner.size = 2 * SZ_4K;
	}
	t->viv->mmu = mmu;
	KUNIT_ASSERT_EQ(test, mmu->init(t->viv), 0);
	KUNIT_ASSERT_EQ(test, mmu->vm_init(&t->vvm->base), 0);
	return &t->vvm->base;
}

static void mmu_end(struct kunit *test)
{
	struct mmu_test *t = test->priv;

	t->viv->mmu->vm_fini(&t->vvm->base);
	t->viv->mmu->fini(t->viv);
}

static s64 changes(struct kunit *test)
{
	return atomic64_read(&((struct mmu_test *)test->priv)->vvm->changes);
}

/* --- MMUv1 ------------------------------------------------------------------ */

/* Entries that are not the bad page's. */
static unsigned int filled_v1(struct kunit *test)
{
	struct mmu_test *t = test->priv;
	unsigned int i, n = 0;

	for (i = 0; i < VIV_MMUV1_PAGES; i++)
		n += t->vvm->table.entries[i] != BAD_PAGE;
	return n;
}

static void mmu_v1_entries(struct kunit *test)
{
	const struct vivante_mmu_ops *mmu = &vivante_mmu_v1;
	struct limn_vm *vm = mmu_begin(test, mmu);
	u32 *entries = to_vivante_vm(vm)->table.entries;
	u64 last = mmu->va_end - SZ_4K;
	s64 before = changes(test);

	KUNIT_EXPECT_EQ(test, filled_v1(test), 0);
	mmu->map(vm, mmu->va_start, 0x10000000, 3 * SZ_4K, true);
	mmu->map(vm, last, 0xfffff000, SZ_4K, true);
	KUNIT_EXPECT_EQ(test, filled_v1(test), 4);
	KUNIT_EXPECT_EQ(test, entries[0], BAD_PAGE);	/* nobody's */
	KUNIT_EXPECT_EQ(test, entries[1], 0x10000000);
	KUNIT_EXPECT_EQ(test, entries[3], 0x10002000);
	KUNIT_EXPECT_EQ(test, entries[VIV_MMUV1_PAGES - 1], 0xfffff000);
	/* A TLB may hold the bad page: a new one counts as a change. */
	KUNIT_EXPECT_EQ(test, changes(test) - before, 2);
	mmu->unmap(vm, mmu->va_start + SZ_4K, SZ_4K);
	KUNIT_EXPECT_EQ(test, entries[2], BAD_PAGE);
	KUNIT_EXPECT_EQ(test, filled_v1(test), 3);
	KUNIT_EXPECT_EQ(test, changes(test) - before, 3);
	mmu_end(test);
}

/* Streams and rings are seen through a window, which has a lower end. */
static void mmu_v1_window(struct kunit *test)
{
	struct mmu_test *t = test->priv;

	mmu_begin(test, &vivante_mmu_v1);
	KUNIT_EXPECT_EQ(test, t->viv->memory_base, 0);
	KUNIT_EXPECT_EQ(test, t->core[1].ring.va, 0x00433000);
	KUNIT_EXPECT_EQ(test, vivante_mmu_v1.stream_va(t->viv, 0x00500000, 0), 0x00500000);
	KUNIT_EXPECT_EQ(test, vivante_mmu_v1.stream_va(t->viv, SZ_2G - VIVANTE_CHUNK, 0),
			SZ_2G - VIVANTE_CHUNK);
	KUNIT_EXPECT_EQ(test, vivante_mmu_v1.stream_va(t->viv, SZ_2G - SZ_4K, 0), 0);
	mmu_end(test);

	/* An i.MX6 whose CMA is at the end of its memory: streams come from before. */
	t->core[0].ring.dma = 0x49000000;
	t->core[1].ring.dma = 0x4a000000;
	mmu_begin(test, &vivante_mmu_v1);
	KUNIT_EXPECT_EQ(test, vivante_mmu_v1.stream_va(t->viv, 0x12340000, 0), 0x12340000);
	mmu_end(test);

	t->core[0].ring.dma = 0x99000000;
	t->core[1].ring.dma = 0x9a000000;
	mmu_begin(test, &vivante_mmu_v1);
	KUNIT_EXPECT_EQ(test, t->viv->memory_base, 0x80000000);	/* no higher */
	KUNIT_EXPECT_EQ(test, t->core[0].ring.va, 0x19000000);
	KUNIT_EXPECT_EQ(test, vivante_mmu_v1.stream_va(t->viv, 0x7ffff000, 0), 0);
	mmu_end(test);

	t->core[1].ring.dma = 0x00433000;
	t->core[0].ring.dma = 0x90000000;
	t->viv->mmu = &vivante_mmu_v1;
	KUNIT_EXPECT_EQ(test, vivante_mmu_v1.init(t->viv), -ENOMEM);	/* not both */
}

/* --- MMUv2 ------------------------------------------------------------------ */

static u32 entry_v2(struct kunit *test, u32 va)
{
	struct mmu_test *t = test->priv;
	u32 master = t->vvm->table.entries[va >> 22];
	struct vivante_table *slave = xa_load(&t->vvm->slaves, va >> 22);

	if (!slave) {
		KUNIT_EXPECT_EQ(test, master, VIV_MMUV2_EXCEPTION);
		return 0;
	}
	KUNIT_EXPECT_EQ(test, master, (u32)slave->dma | VIV_MMUV2_PRESENT);
	return slave->entries[va >> 12 & 0x3ff];
}

static void mmu_v2_rings(struct kunit *test)
{
	struct mmu_test *t = test->priv;
	unsigned int i;

	mmu_begin(test, &vivante_mmu_v2);
	for (i = 0; i < 2; i++) {
		KUNIT_EXPECT_EQ(test, t->core[i].ring.va, VIVANTE_RING_VA(i));
		/* No client may write what FE is to run. */
		KUNIT_EXPECT_EQ(test, entry_v2(test, VIVANTE_RING_VA(i)),
				(u32)t->core[i].ring.dma | VIV_MMUV2_PRESENT);
		KUNIT_EXPECT_EQ(test, entry_v2(test, VIVANTE_CLEAN_VA(i) + SZ_4K),
				((u32)t->core[i].cleaner.dma + SZ_4K) | VIV_MMUV2_PRESENT);
	}
	/* Nor what states are of that are nobody's. */
	KUNIT_EXPECT_EQ(test, entry_v2(test, VIVANTE_ZERO_VA), BAD_PAGE | VIV_MMUV2_PRESENT);
	KUNIT_EXPECT_EQ(test, entry_v2(test, VIVANTE_RING_VA(2)), VIV_MMUV2_EXCEPTION);
	KUNIT_EXPECT_EQ(test, entry_v2(test, VIVANTE_SOFTPIN_START), 0);
	mmu_end(test);
}

static void mmu_v2_entries(struct kunit *test)
{
	const struct vivante_mmu_ops *mmu = &vivante_mmu_v2;
	struct limn_vm *vm = mmu_begin(test, mmu);
	const u32 page = VIV_MMUV2_PRESENT, write = page | VIV_MMUV2_WRITEABLE;
	s64 before = changes(test);

	/* Over the end of a table of the second level; memory above 4 GiB. */
	KUNIT_ASSERT_EQ(test, mmu->reserve(vm, 0x007fe000, 4 * SZ_4K), 0);
	KUNIT_EXPECT_EQ(test, entry_v2(test, 0x007ff000), VIV_MMUV2_EXCEPTION);
	mmu->map(vm, 0x007fe000, 0x3fffff000ull, 4 * SZ_4K, true);
	KUNIT_EXPECT_EQ(test, entry_v2(test, 0x007fe000), 0xfffff000 | 0x3 << 4 | write);
	KUNIT_EXPECT_EQ(test, entry_v2(test, 0x007ff000), 0x00000000 | 0x4 << 4 | write);
	KUNIT_EXPECT_EQ(test, entry_v2(test, 0x00800000), 0x00001000 | 0x4 << 4 | write);
	KUNIT_EXPECT_EQ(test, entry_v2(test, 0x00802000), VIV_MMUV2_EXCEPTION);
	/* What was not there is in no TLB. */
	KUNIT_EXPECT_EQ(test, changes(test), before);
	mmu->map(vm, 0x00802000, 0x1000, SZ_4K, false);
	KUNIT_EXPECT_EQ(test, entry_v2(test, 0x00802000), 0x1000 | page);
	mmu->unmap(vm, 0x007ff000, 2 * SZ_4K);
	KUNIT_EXPECT_EQ(test, entry_v2(test, 0x007fe000), 0xfffff000 | 0x3 << 4 | write);
	KUNIT_EXPECT_EQ(test, entry_v2(test, 0x007ff000), VIV_MMUV2_EXCEPTION);
	KUNIT_EXPECT_EQ(test, entry_v2(test, 0x00800000), VIV_MMUV2_EXCEPTION);
	KUNIT_EXPECT_EQ(test, entry_v2(test, 0x00802000), 0x1000 | page);
	KUNIT_EXPECT_EQ(test, changes(test), before + 1);
	/* The last page of all. */
	KUNIT_ASSERT_EQ(test, mmu->reserve(vm, SZ_4G - SZ_4K, SZ_4K), 0);
	mmu->map(vm, SZ_4G - SZ_4K, 0x2000, SZ_4K, true);
	KUNIT_EXPECT_EQ(test, entry_v2(test, 0xfffff000), 0x2000 | write);
	mmu_end(test);
}

static void mmu_v2_streams(struct kunit *test)
{
	const struct vivante_mmu_ops *mmu = &vivante_mmu_v2;
	struct limn_vm *vm = mmu_begin(test, mmu);
	struct mmu_test *t = test->priv;
	unsigned int last = VIVANTE_CHUNKS - 1;
	u32 va = mmu->stream_va(t->viv, 0x44440000, last);

	KUNIT_EXPECT_EQ(test, mmu->stream_va(t->viv, 0x44440000, 0), VIVANTE_STREAMS_VA);
	KUNIT_EXPECT_LE(test, va + VIVANTE_CHUNK, VIVANTE_SOFTPIN_START);
	KUNIT_ASSERT_EQ(test, mmu->map_streams(vm, va, 0x44440000, VIVANTE_CHUNK), 0);
	KUNIT_EXPECT_EQ(test, entry_v2(test, va), 0x44440000 | VIV_MMUV2_PRESENT);
	KUNIT_EXPECT_EQ(test, entry_v2(test, va + VIVANTE_CHUNK - SZ_4K),
			(0x44440000 + VIVANTE_CHUNK - SZ_4K) | VIV_MMUV2_PRESENT);
	mmu_end(test);
}

/* Cores with the security unit: 512 address spaces, each an entry of the array. */
static void mmu_v2_array(struct kunit *test)
{
	const struct vivante_mmu_ops *mmu = &vivante_mmu_v2;
	struct mmu_test *t = test->priv;
	struct limn_vm *vm;
	u32 words[8];

	t->core[1].secure = true;
	vm = mmu_begin(test, mmu);
	KUNIT_ASSERT_NOT_NULL(test, t->viv->pta);
	KUNIT_EXPECT_EQ(test, t->vvm->pta_index, 0);
	KUNIT_EXPECT_EQ(test, t->viv->pta[0] & ~0xfffull, t->vvm->table.dma);
	mmu->vm_fini(vm);
	bitmap_fill(t->viv->pta_used, VIV_PTA_ENTRIES);
	KUNIT_EXPECT_EQ(test, mmu->vm_init(vm), -ENOSPC);
	__clear_bit(300, t->viv->pta_used);
	KUNIT_ASSERT_EQ(test, mmu->vm_init(vm), 0);
	KUNIT_EXPECT_EQ(test, t->vvm->pta_index, 300);
	KUNIT_EXPECT_EQ(test, mmu->emit_switch(&t->core[1], vm, words), 4);
	mmu_end(test);
	KUNIT_EXPECT_FALSE(test, test_bit(300, t->viv->pta_used));
}

/* --- Memory of processes ------------------------------------------------------ */

/* Pages up to the DMA mask, the last byte included; one beyond it spoils all. */
static void userptr_reach(struct kunit *test)
{
	struct device *dev = ((struct mmu_test *)test->priv)->viv->base.dev;
	u64 last, mask, *device_mask = dev->dma_mask;
	struct page *pages[3];

	pages[0] = alloc_page(GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, pages[0]);
	pages[1] = pages[0];
	pages[2] = pfn_to_page(page_to_pfn(pages[0]) + 1);
	last = page_to_phys(pages[0]) + PAGE_SIZE - 1;
	dev->dma_mask = &mask;

	mask = last;
	KUNIT_EXPECT_TRUE(test, limn_pages_in_reach(dev, pages, 2));
	KUNIT_EXPECT_FALSE(test, limn_pages_in_reach(dev, pages, 3));
	mask = last - 1;
	KUNIT_EXPECT_FALSE(test, limn_pages_in_reach(dev, pages, 1));
	KUNIT_EXPECT_TRUE(test, limn_pages_in_reach(dev, pages, 0));
	mask = last + PAGE_SIZE;
	KUNIT_EXPECT_TRUE(test, limn_pages_in_reach(dev, pages, 3));

	dev->dma_mask = device_mask;
	__free_page(pages[0]);
}

static struct kunit_case mmu_cases[] = {
	KUNIT_CASE(mmu_v1_entries),
	KUNIT_CASE(mmu_v1_window),
	KUNIT_CASE(mmu_v2_rings),
	KUNIT_CASE(mmu_v2_entries),
	KUNIT_CASE(mmu_v2_streams),
	KUNIT_CASE(mmu_v2_array),
	KUNIT_CASE(userptr_reach),
	{}
};

static struct kunit_suite mmu_suite = {
	.name = "limn-vivante-mmu",
	.init = mmu_init,
	.test_cases = mmu_cases,
};

kunit_test_suite(mmu_suite);
