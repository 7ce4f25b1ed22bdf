// SPDX-License-Identifier: GPL-2.0-only
/*
 * KUnit: page tables of Vivante's MMUs, of both kinds; which memory the GPU reaches;
 * where relocations go, and which addresses are a job's. The checker itself is
 * tested on the host: userspace/tests/driver/test_vivante_stream.c.
 */
#include <kunit/device.h>
#include <linux/dma-mapping.h>
#include <drm/etnaviv_drm.h>

#include "../limn_gem.h"
#include "../vivante/vivante.h"
#include "limn_test.h"

#define BAD_PAGE	0x00666000

struct mmu_test {
	struct vivante *viv;
	struct vivante_vm *vvm;
	struct vivante_core core[2];
};

static int mmu_init(struct kunit *test)
{
	struct device *dev = kunit_device_register(test, "limn-vivante-mmu");
	struct mmu_test *t = limn_test_alloc(test, sizeof(*t));
	unsigned int i;

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, dev);
	KUNIT_ASSERT_EQ(test, dma_coerce_mask_and_coherent(dev, DMA_BIT_MASK(32)), 0);
	t->viv = limn_test_alloc(test, sizeof(*t->viv));
	t->vvm = limn_test_alloc(test, sizeof(*t->vvm));
	t->viv->base.dev = dev;
	t->viv->bad_page_dma = BAD_PAGE;
	ida_init(&t->viv->pta_ida);
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
	KUNIT_ASSERT_EQ(test, mmu->pt.init(&t->vvm->base), 0);
	return &t->vvm->base;
}

static void mmu_end(struct kunit *test)
{
	struct mmu_test *t = test->priv;

	t->viv->mmu->pt.fini(&t->vvm->base);
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
	mmu->pt.map(vm, mmu->va_start, 0x10000000, 3 * SZ_4K, true);
	mmu->pt.map(vm, last, 0xfffff000, SZ_4K, true);
	KUNIT_EXPECT_EQ(test, filled_v1(test), 4);
	KUNIT_EXPECT_EQ(test, entries[0], BAD_PAGE);	/* nobody's */
	KUNIT_EXPECT_EQ(test, entries[1], 0x10000000);
	KUNIT_EXPECT_EQ(test, entries[3], 0x10002000);
	KUNIT_EXPECT_EQ(test, entries[VIV_MMUV1_PAGES - 1], 0xfffff000);
	/* A TLB may hold the bad page: a new one counts as a change. */
	KUNIT_EXPECT_EQ(test, changes(test) - before, 2);
	mmu->pt.unmap(vm, mmu->va_start + SZ_4K, SZ_4K);
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

	/* The end of what 32 bits reach: nothing more may be added to it. */
	t->core[0].ring.dma = 0xfc000000;
	t->core[1].ring.dma = 0xfd000000;
	mmu_begin(test, &vivante_mmu_v1);
	KUNIT_EXPECT_EQ(test, t->viv->memory_base, 0x80000000);
	KUNIT_EXPECT_EQ(test, t->core[1].ring.va, 0x7d000000);
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
	/* Streams lie below what userspace may softpin. */
	KUNIT_EXPECT_EQ(test, vivante_mmu_v2.stream_va(t->viv, 0, 0), VIVANTE_STREAMS_VA);
	KUNIT_EXPECT_EQ(test, vivante_mmu_v2.stream_va(t->viv, 0, VIVANTE_CHUNK_SLOTS),
			VIVANTE_SOFTPIN_START);
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
	KUNIT_ASSERT_EQ(test, mmu->pt.reserve(vm, 0x007fe000, 4 * SZ_4K), 0);
	KUNIT_EXPECT_EQ(test, entry_v2(test, 0x007ff000), VIV_MMUV2_EXCEPTION);
	mmu->pt.map(vm, 0x007fe000, 0x3fffff000ull, 4 * SZ_4K, true);
	KUNIT_EXPECT_EQ(test, entry_v2(test, 0x007fe000), 0xfffff000 | 0x3 << 4 | write);
	KUNIT_EXPECT_EQ(test, entry_v2(test, 0x007ff000), 0x00000000 | 0x4 << 4 | write);
	KUNIT_EXPECT_EQ(test, entry_v2(test, 0x00800000), 0x00001000 | 0x4 << 4 | write);
	KUNIT_EXPECT_EQ(test, entry_v2(test, 0x00802000), VIV_MMUV2_EXCEPTION);
	KUNIT_EXPECT_EQ(test, changes(test), before + 1);
	mmu->pt.map(vm, 0x00802000, 0x1000, SZ_4K, false);
	KUNIT_EXPECT_EQ(test, entry_v2(test, 0x00802000), 0x1000 | page);
	mmu->pt.unmap(vm, 0x007ff000, 2 * SZ_4K);
	KUNIT_EXPECT_EQ(test, entry_v2(test, 0x007fe000), 0xfffff000 | 0x3 << 4 | write);
	KUNIT_EXPECT_EQ(test, entry_v2(test, 0x007ff000), VIV_MMUV2_EXCEPTION);
	KUNIT_EXPECT_EQ(test, entry_v2(test, 0x00800000), VIV_MMUV2_EXCEPTION);
	KUNIT_EXPECT_EQ(test, entry_v2(test, 0x00802000), 0x1000 | page);
	KUNIT_EXPECT_EQ(test, changes(test), before + 3);
	/* The last page of all. */
	KUNIT_ASSERT_EQ(test, mmu->pt.reserve(vm, SZ_4G - SZ_4K, SZ_4K), 0);
	mmu->pt.map(vm, SZ_4G - SZ_4K, 0x2000, SZ_4K, true);
	KUNIT_EXPECT_EQ(test, entry_v2(test, 0xfffff000), 0x2000 | write);
	mmu_end(test);
}

/* Cores with the security unit: 512 address spaces, each an entry of the array. */
static void mmu_v2_array(struct kunit *test)
{
	const struct vivante_mmu_ops *mmu = &vivante_mmu_v2;
	struct mmu_test *t = test->priv;
	struct limn_vm *vm;
	u32 words[8];
	int i;

	t->core[1].secure = true;
	vm = mmu_begin(test, mmu);
	KUNIT_ASSERT_NOT_NULL(test, t->viv->pta);
	KUNIT_EXPECT_EQ(test, t->vvm->pta_index, 0);
	KUNIT_EXPECT_EQ(test, t->viv->pta[0] & ~0xfffull, t->vvm->table.dma);
	mmu->pt.fini(vm);
	for (i = 0; i < VIV_PTA_ENTRIES; i++)
		KUNIT_EXPECT_EQ(test, ida_alloc(&t->viv->pta_ida, GFP_KERNEL), i);
	KUNIT_EXPECT_EQ(test, mmu->pt.init(vm), -ENOSPC);
	ida_free(&t->viv->pta_ida, 300);
	KUNIT_ASSERT_EQ(test, mmu->pt.init(vm), 0);
	KUNIT_EXPECT_EQ(test, t->vvm->pta_index, 300);
	KUNIT_EXPECT_EQ(test, mmu->put_switch(&t->core[1], vm, words) - words, 8);
	mmu_end(test);
	KUNIT_EXPECT_EQ(test, ida_alloc(&t->viv->pta_ida, GFP_KERNEL), 300);
	ida_destroy(&t->viv->pta_ida);
}

/*
 * The compute job that r6205 wants after a reset: one, in memory that only the
 * kernel's tables map, and none for other cores.
 */
static void mmu_v2_flop(struct kunit *test)
{
	struct mmu_test *t = test->priv;
	u32 words[256], *end = vivante_flop_put(words), *cmd;
	unsigned int kicks = 0, addresses = 0;

	t->viv->kernel_vm = mmu_begin(test, &vivante_mmu_v2);
	KUNIT_ASSERT_EQ(test, vivante_flop_init(t->viv), 0);
	KUNIT_EXPECT_EQ(test, entry_v2(test, VIVANTE_FLOP_VA), VIV_MMUV2_EXCEPTION);
	t->core[1].id = (struct vivante_identity){ .model = 0x8000, .revision = 0x6205 };
	KUNIT_ASSERT_EQ(test, vivante_flop_init(t->viv), 0);
	KUNIT_EXPECT_EQ(test, entry_v2(test, VIVANTE_FLOP_VA) & 0xfff,
			VIV_MMUV2_PRESENT | VIV_MMUV2_WRITEABLE);

	KUNIT_ASSERT_LT(test, (end - words) * sizeof(u32), VIVANTE_RING_SIZE);
	for (cmd = words; cmd < end; cmd += 2) {
		if (VIV_GET(VIV_FE_OPCODE, cmd[0]) == FE_OPCODE_STALL)
			continue;
		KUNIT_ASSERT_EQ(test, VIV_GET(VIV_FE_OPCODE, cmd[0]), FE_OPCODE_LOAD_STATE);
		KUNIT_ASSERT_EQ(test, viv_fe_load_count(cmd[0]), 1);
		kicks += viv_fe_load_address(cmd[0]) == VIVS_CL_KICKER;
		addresses += cmd[1] / SZ_4K == VIVANTE_FLOP_VA / SZ_4K && !kicks;
	}
	KUNIT_EXPECT_EQ(test, kicks, 1);
	KUNIT_EXPECT_EQ(test, addresses, 3);	/* two pictures, a shader */
	mmu_end(test);
	/* Any other address space. */
	mmu_begin(test, &vivante_mmu_v2);
	KUNIT_EXPECT_EQ(test, entry_v2(test, VIVANTE_FLOP_VA), VIV_MMUV2_EXCEPTION);
	mmu_end(test);
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

/* An exporter whose pieces are not of whole pages is refused, before anything is made of them. */
static void import_unaligned(struct kunit *test)
{
	static const struct {
		u32 offset, size;
	} bad[] = { { 0x800, SZ_4K }, { 0, 0x800 }, { SZ_4K, SZ_4K + 1 } };
	struct sg_table sgt;
	unsigned int i, at;

	KUNIT_ASSERT_EQ(test, sg_alloc_table(&sgt, 2, GFP_KERNEL), 0);
	for (i = 0; i < 2 * ARRAY_SIZE(bad); i++) {
		for (at = 0; at < 2; at++) {
			struct scatterlist *sg = at ? sg_next(sgt.sgl) : sgt.sgl;
			bool is_bad = at == i % 2;

			sg_dma_address(sg) = 0x100000 + (is_bad ? bad[i / 2].offset : 0);
			sg_dma_len(sg) = is_bad ? bad[i / 2].size : SZ_8K;
		}
		KUNIT_EXPECT_EQ_MSG(test, PTR_ERR(limn_gem_import_sg_table(NULL, NULL, &sgt)),
				    -EINVAL, "row %u", i);
	}
	sg_free_table(&sgt);
}

static struct kunit_case mmu_cases[] = {
	KUNIT_CASE(mmu_v1_entries),
	KUNIT_CASE(mmu_v1_window),
	KUNIT_CASE(mmu_v2_rings),
	KUNIT_CASE(mmu_v2_entries),
	KUNIT_CASE(mmu_v2_array),
	KUNIT_CASE(mmu_v2_flop),
	KUNIT_CASE(userptr_reach),
	KUNIT_CASE(import_unaligned),
	{}
};

static struct kunit_suite mmu_suite = {
	.name = "limn-vivante-mmu",
	.init = mmu_init,
	.test_cases = mmu_cases,
};

/* --- Relocations ------------------------------------------------------------ */

struct reloc_test {
	struct limn_mapping mapping[2], *mappings[2];
	u32 words[16];
};

static int try_relocs(struct reloc_test *t, const struct drm_etnaviv_gem_submit_reloc *relocs,
		      u32 num)
{
	memset32(t->words, 0xdeadbeef, ARRAY_SIZE(t->words));
	return vivante_relocate(t->words, sizeof(t->words), relocs, num, t->mappings, 2);
}

static struct reloc_test *relocs_begin(struct kunit *test)
{
	struct reloc_test *t = limn_test_alloc(test, sizeof(*t));

	t->mapping[0].node.start = 0x80001000;
	t->mapping[0].node.size = SZ_4K;
	t->mapping[1].node.start = 0xfffff000;
	t->mapping[1].node.size = SZ_4K;
	t->mappings[0] = &t->mapping[0];
	t->mappings[1] = &t->mapping[1];
	return t;
}

static void relocs_good(struct kunit *test)
{
	static const struct drm_etnaviv_gem_submit_reloc relocs[] = {
		{ .submit_offset = 0, .reloc_idx = 1, .reloc_offset = 0xffc },
		{ .submit_offset = 4, .reloc_idx = 0, .reloc_offset = 2 },
		{ .submit_offset = 60, .reloc_idx = 0 },
	};
	struct reloc_test *t = relocs_begin(test);

	KUNIT_EXPECT_EQ(test, try_relocs(t, NULL, 0), 0);
	KUNIT_EXPECT_EQ(test, try_relocs(t, relocs, ARRAY_SIZE(relocs)), 0);
	KUNIT_EXPECT_EQ(test, t->words[0], 0xfffffffc);
	KUNIT_EXPECT_EQ(test, t->words[1], 0x80001002);
	KUNIT_EXPECT_EQ(test, t->words[2], 0xdeadbeef);
	KUNIT_EXPECT_EQ(test, t->words[14], 0xdeadbeef);
	KUNIT_EXPECT_EQ(test, t->words[15], 0x80001000);
}

static void relocs_bad(struct kunit *test)
{
	static const struct drm_etnaviv_gem_submit_reloc bad[] = {
		{ .flags = 1 },
		{ .submit_offset = 2 },
		{ .submit_offset = 64 },
		{ .submit_offset = 0xfffffffc },
		{ .reloc_idx = 2 },
		{ .reloc_idx = 0xffffffff },
		{ .reloc_offset = SZ_4K - 3 },
		{ .reloc_offset = SZ_4K },
		{ .reloc_offset = 1ull << 32 },
		{ .reloc_offset = ~0ull },
		{ .reloc_offset = ~0ull - 3 },
	};
	static const struct drm_etnaviv_gem_submit_reloc disorder[][2] = {
		{ { .submit_offset = 8 }, { .submit_offset = 8 } },
		{ { .submit_offset = 8 }, { .submit_offset = 4 } },
		{ { .submit_offset = 60 }, { .submit_offset = 0 } },
		{ { .submit_offset = 60 }, { .submit_offset = 64 } },
	};
	struct reloc_test *t = relocs_begin(test);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		KUNIT_EXPECT_EQ_MSG(test, try_relocs(t, &bad[i], 1), -EINVAL, "row %u", i);
		KUNIT_EXPECT_EQ(test, t->words[0], 0xdeadbeef);
	}
	for (i = 0; i < ARRAY_SIZE(disorder); i++)
		KUNIT_EXPECT_EQ_MSG(test, try_relocs(t, disorder[i], 2), -EINVAL, "pair %u", i);
}

/* --- Addresses in their places ---------------------------------------------- */

#define NUM_RANGES	1000

static u32 range_at(u32 i)
{
	return 0x80000000u + i * SZ_64K + i % 7 * SZ_4K;
}

/* Every start, end and gap of many ranges, and of none. */
static void ranges_hold(struct kunit *test)
{
	u64 *range = limn_test_alloc(test, NUM_RANGES * sizeof(*range));
	unsigned int i;

	for (i = 0; i < NUM_RANGES; i++)
		range[i] = (u64)range_at(i) << 32 | (range_at(i) + SZ_8K - 4);
	KUNIT_EXPECT_FALSE(test, vivante_range_holds(range, 0, range_at(0)));
	KUNIT_EXPECT_FALSE(test, vivante_range_holds(range, NUM_RANGES, 0));
	KUNIT_EXPECT_FALSE(test, vivante_range_holds(range, NUM_RANGES, ~0u));
	for (i = 0; i < NUM_RANGES; i++) {
		u32 at = range_at(i);

		KUNIT_EXPECT_FALSE(test, vivante_range_holds(range, NUM_RANGES, at - 1));
		KUNIT_EXPECT_TRUE(test, vivante_range_holds(range, NUM_RANGES, at));
		KUNIT_EXPECT_TRUE(test, vivante_range_holds(range, NUM_RANGES, at + SZ_8K - 4));
		KUNIT_EXPECT_FALSE(test, vivante_range_holds(range, NUM_RANGES, at + SZ_8K - 3));
		/* In the last of fewer, and behind it. */
		KUNIT_EXPECT_TRUE(test, vivante_range_holds(range, i + 1, at + 2));
		KUNIT_EXPECT_FALSE(test, vivante_range_holds(range, i, at));
	}
}

static struct kunit_case stream_cases[] = {
	KUNIT_CASE(relocs_good),
	KUNIT_CASE(relocs_bad),
	KUNIT_CASE(ranges_hold),
	{}
};

static struct kunit_suite stream_suite = {
	.name = "limn-vivante-stream",
	.test_cases = stream_cases,
};

kunit_test_suites(&mmu_suite, &stream_suite);
