// SPDX-License-Identifier: GPL-2.0-only
/*
 * KUnit: where page table entries go, and what is in them.
 */
#include <kunit/device.h>
#include <kunit/test.h>
#include <linux/dma-mapping.h>
#include <linux/xarray.h>

#include "../utgard/utgard.h"

#define PAGE_FLAGS	0x1df	/* what every known driver gives a page: all but write-allocate */
#define ZEROS		0x23456000	/* what page 0 is mapped to */
#define ALWAYS		1	/* entries that an empty address space has: page 0 */

struct pt_space {
	struct utgard *ug;
	struct utgard_vm *uvm;
};

static int pt_test_init(struct kunit *test)
{
	struct device *dev = kunit_device_register(test, "limn-pt");
	struct pt_space *s = kunit_kzalloc(test, sizeof(*s), GFP_KERNEL);

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, dev);
	KUNIT_ASSERT_NOT_NULL(test, s);
	KUNIT_ASSERT_EQ(test, dma_coerce_mask_and_coherent(dev, DMA_BIT_MASK(32)), 0);
	s->ug = kunit_kzalloc(test, sizeof(*s->ug), GFP_KERNEL);
	s->uvm = kunit_kzalloc(test, sizeof(*s->uvm), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, s->ug);
	KUNIT_ASSERT_NOT_NULL(test, s->uvm);
	s->ug->base.dev = dev;
	s->uvm->base.ldev = &s->ug->base;
	test->priv = s;
	return 0;
}

static struct limn_vm *pt_begin(struct kunit *test, bool m450)
{
	struct pt_space *s = test->priv;

	s->ug->m450 = m450;
	s->ug->dlbu = 0x12345000;
	s->ug->zeros = ZEROS;
	KUNIT_ASSERT_EQ(test, utgard_pt_init(&s->uvm->base), 0);
	return &s->uvm->base;
}

static u32 directory(struct kunit *test, u32 va)
{
	return ((struct pt_space *)test->priv)->uvm->pd[va >> 22];
}

static u32 entry(struct kunit *test, u32 va)
{
	struct utgard_table *table;

	table = xa_load(&((struct pt_space *)test->priv)->uvm->tables, va >> 22);
	return table ? table->entries[va >> 12 & 0x3ff] : 0;
}

/* Entries that are not empty, of all tables. */
static unsigned int filled(struct kunit *test)
{
	struct utgard_vm *uvm = ((struct pt_space *)test->priv)->uvm;
	struct utgard_table *table;
	unsigned int n = 0, i;
	unsigned long index;

	xa_for_each(&uvm->tables, index, table) {
		for (i = 0; i < 1024; i++)
			n += table->entries[i] != 0;
	}
	return n;
}

static void pt_empty(struct kunit *test)
{
	struct limn_vm *vm = pt_begin(test, false);
	unsigned int i;

	for (i = 1; i < 1024; i++)
		KUNIT_EXPECT_EQ(test, directory(test, i << 22), 0);
	/* Page 0 reads as zeros, and faults when written. */
	KUNIT_EXPECT_EQ(test, entry(test, 0), ZEROS | (PAGE_FLAGS & ~MMU_ENTRY_WRITE));
	KUNIT_EXPECT_EQ(test, filled(test), ALWAYS);
	utgard_pt_fini(vm);
}

/* A table for each 4 MiB that the range touches, and no other. */
static void pt_reserve(struct kunit *test)
{
	static const struct {
		u64 va, size;
		unsigned int first, last;
	} rows[] = {
		{ 0x00001000, 0x1000, 0, 0 },
		{ 0x003ff000, 0x1000, 0, 0 },
		{ 0x003ff000, 0x2000, 0, 1 },
		{ 0x00400000, 0x400000, 1, 1 },
		{ 0x003ff000, 0x402000, 0, 2 },
		{ 0xffbff000, 0x400000, 1022, 1023 },
	};
	unsigned int i, k;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		struct limn_vm *vm = pt_begin(test, false);

		KUNIT_ASSERT_EQ(test, utgard_pt_reserve(vm, rows[i].va, rows[i].size), 0);
		for (k = 0; k < 1024; k++) {
			bool there = k == 0 || (k >= rows[i].first && k <= rows[i].last);
			u32 pde = directory(test, k << 22);

			/* Address of the table, and nothing but "present". */
			KUNIT_EXPECT_EQ(test, pde & 0xfff, there ? 1 : 0);
			KUNIT_EXPECT_EQ(test, !!(pde & ~0xfffu), there);
		}
		/* Reserved twice is reserved once. */
		KUNIT_EXPECT_EQ(test, utgard_pt_reserve(vm, rows[i].va, rows[i].size), 0);
		KUNIT_EXPECT_EQ(test, filled(test), ALWAYS);
		utgard_pt_fini(vm);
	}
}

static void pt_map(struct kunit *test)
{
	struct limn_vm *vm = pt_begin(test, false);
	u32 va;

	KUNIT_ASSERT_EQ(test, utgard_pt_reserve(vm, 0x003fe000, 0x5000), 0);
	utgard_pt_map(vm, 0x003ff000, 0xabcde000, 0x3000, true);
	for (va = 0x003ff000; va < 0x00402000; va += 0x1000)
		KUNIT_EXPECT_EQ(test, entry(test, va), (0xabcde000 + va - 0x003ff000) | PAGE_FLAGS);
	KUNIT_EXPECT_EQ(test, filled(test), ALWAYS + 3);

	/* Read-only: the same but for one bit. */
	utgard_pt_map(vm, 0x003fe000, 0x1000, 0x1000, false);
	KUNIT_EXPECT_EQ(test, entry(test, 0x003fe000), 0x1000 | (PAGE_FLAGS & ~MMU_ENTRY_WRITE));

	utgard_pt_unmap(vm, 0x00400000, 0x1000);
	KUNIT_EXPECT_EQ(test, entry(test, 0x00400000), 0);
	KUNIT_EXPECT_EQ(test, entry(test, 0x00401000), 0xabce0000 | PAGE_FLAGS);
	utgard_pt_unmap(vm, 0x003fe000, 0x5000);
	KUNIT_EXPECT_EQ(test, filled(test), ALWAYS);
	/* Tables stay, for the next BO. */
	KUNIT_EXPECT_NE(test, directory(test, 0x00400000), 0);
	utgard_pt_fini(vm);
}

static void pt_ends(struct kunit *test)
{
	struct limn_vm *vm = pt_begin(test, false);

	KUNIT_ASSERT_EQ(test, utgard_pt_reserve(vm, 0x1000, 0x1000), 0);
	KUNIT_ASSERT_EQ(test, utgard_pt_reserve(vm, 0xffffe000, 0x2000), 0);
	utgard_pt_map(vm, 0x1000, 0xfffff000, 0x1000, true);
	utgard_pt_map(vm, 0xffffe000, 0x2000, 0x2000, true);
	KUNIT_EXPECT_EQ(test, entry(test, 0x1000), 0xfffff000 | PAGE_FLAGS);
	KUNIT_EXPECT_EQ(test, entry(test, 0xffffe000), 0x2000 | PAGE_FLAGS);
	KUNIT_EXPECT_EQ(test, entry(test, 0xfffff000), 0x3000 | PAGE_FLAGS);
	KUNIT_EXPECT_EQ(test, filled(test), ALWAYS + 3);
	utgard_pt_fini(vm);
}

/* Mali-450: the DLBU's page is in every address space, and nobody may write it. */
static void pt_dlbu(struct kunit *test)
{
	struct limn_vm *vm = pt_begin(test, true);

	KUNIT_EXPECT_EQ(test, entry(test, UTGARD_DLBU_VA),
			0x12345000 | (PAGE_FLAGS & ~MMU_ENTRY_WRITE));
	KUNIT_EXPECT_EQ(test, filled(test), ALWAYS + 1);
	utgard_pt_fini(vm);
}

static struct kunit_case pt_cases[] = {
	KUNIT_CASE(pt_empty),
	KUNIT_CASE(pt_reserve),
	KUNIT_CASE(pt_map),
	KUNIT_CASE(pt_ends),
	KUNIT_CASE(pt_dlbu),
	{}
};

static struct kunit_suite pt_suite = {
	.name = "limn-utgard-pt",
	.init = pt_test_init,
	.test_cases = pt_cases,
};

kunit_test_suite(pt_suite);
