// SPDX-License-Identifier: GPL-2.0-only
/*
 * KUnit: which frames are refused, and which registers a frame writes; where page
 * table entries go, and what is in them.
 */
#include <kunit/device.h>
#include <linux/dma-mapping.h>
#include <linux/module.h>
#include <linux/xarray.h>
#include <drm/lima_drm.h>

#include "../limn_compat.h"
#include "../utgard/utgard.h"
#include "limn_test.h"

/* What is refused, and that it is, igt-tests/tests/lima_gem_submit.c says; this is not. */
static void good_frames(struct kunit *test)
{
	static const u32 gp[][6] = {
		{ 0x1000, 0x1008, 0x2000, 0x2010, 0x3000, 0x4000 },
		{ 0x1000, 0x1008, 0, 0, 0, 0 },				/* VS only */
		{ 0, 0, 0x2000, 0x2008, 0, 0 },				/* PLBU only, no heap */
		{ 0xfffffff0, 0xfffffff8, 0, 0, 0, 0 },			/* to the end of memory */
	};
	struct drm_lima_m400_pp_frame m400 = { .num_pp = 3, .plbu_array_address[3] = 4 };
	struct drm_lima_m450_pp_frame m450 = { .num_pp = 8, .plbu_array_address[1] = 3 };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(gp); i++)
		KUNIT_EXPECT_EQ_MSG(test, utgard_check_gp_frame(gp[i]), 0, "row %u", i);
	/* The list of a fourth core is not read. */
	KUNIT_EXPECT_EQ(test, utgard_check_pp_frame(&m400, false, 4), 0);
	KUNIT_EXPECT_EQ(test, utgard_check_pp_frame(&m400, false, 2), -EINVAL);
	KUNIT_EXPECT_EQ(test, utgard_check_pp_frame(&m450, true, 8), -EINVAL);
	m450.use_dlbu = 1;	/* now it is a DLBU register */
	KUNIT_EXPECT_EQ(test, utgard_check_pp_frame(&m450, true, 8), 0);
}

static u32 written(const struct utgard_reg_write *plan, unsigned int n, u32 reg)
{
	unsigned int i;

	for (i = 0; i < n; i++) {
		if (plan[i].reg == reg)
			return plan[i].value;
	}
	return 0xdead;
}

/* What a core is left with must be the frame, from the values after a reset. */
static void pp_plan(struct kunit *test)
{
	struct utgard_reg_write plan[UTGARD_MAX_PP_WRITES];
	u32 frame[PP_FRAME_WORDS] = {};
	u32 wb[PP_WB_UNITS * PP_WB_WORDS] = {};
	unsigned int n;

	/* The two whose reset value is not 0, at it: nothing to write. */
	frame[PP_FEATURES / 4] = 0x2;
	frame[PP_SUBPIXEL / 4] = 0x75;
	KUNIT_EXPECT_EQ(test, utgard_plan_pp_frame(frame, wb, plan), 0);

	/* And at 0, where all others need no write. */
	frame[PP_FEATURES / 4] = 0;
	frame[PP_SUBPIXEL / 4] = 0;
	n = utgard_plan_pp_frame(frame, wb, plan);
	KUNIT_EXPECT_EQ(test, n, 2);
	KUNIT_EXPECT_EQ(test, written(plan, n, PP_FEATURES), 0);
	KUNIT_EXPECT_EQ(test, written(plan, n, PP_SUBPIXEL), 0);

	/* These two are per core: never from the frame. */
	frame[PP_FRAME / 4] = 0x1000;
	frame[PP_STACK / 4] = 0x2000;
	frame[PP_CHANNEL_LAYOUT / 4] = 0x8888;
	n = utgard_plan_pp_frame(frame, wb, plan);
	KUNIT_EXPECT_EQ(test, n, 3);
	KUNIT_EXPECT_EQ(test, written(plan, n, PP_CHANNEL_LAYOUT), 0x8888);
}

static void pp_plan_write_back(struct kunit *test)
{
	struct utgard_reg_write plan[UTGARD_MAX_PP_WRITES];
	u32 frame[PP_FRAME_WORDS], wb[PP_WB_UNITS * PP_WB_WORDS];
	unsigned int n, i;

	/* Everything differs: all is written, but the two per core. */
	for (i = 0; i < ARRAY_SIZE(frame); i++)
		frame[i] = 0x100 + i;
	for (i = 0; i < ARRAY_SIZE(wb); i++)
		wb[i] = 0x200 + i;
	n = utgard_plan_pp_frame(frame, wb, plan);
	KUNIT_EXPECT_EQ(test, n, UTGARD_MAX_PP_WRITES - 2);
	KUNIT_EXPECT_EQ(test, written(plan, n, PP_WB(2) + PP_WB_ADDRESS),
			0x200 + 2 * PP_WB_WORDS + PP_WB_ADDRESS / 4);

	/* A unit without a source is off, whatever else it has. */
	wb[PP_WB_WORDS] = 0;
	n = utgard_plan_pp_frame(frame, wb, plan);
	KUNIT_EXPECT_EQ(test, n, UTGARD_MAX_PP_WRITES - 2 - PP_WB_WORDS);
	KUNIT_EXPECT_EQ(test, written(plan, n, PP_WB(1) + PP_WB_ADDRESS), 0xdead);
}

static struct kunit_case frame_cases[] = {
	KUNIT_CASE(good_frames),
	KUNIT_CASE(pp_plan),
	KUNIT_CASE(pp_plan_write_back),
	{}
};

static struct kunit_suite frame_suite = {
	.name = "limn-utgard-frame",
	.test_cases = frame_cases,
};

/* --- Page tables ---------------------------------------------------------------- */

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
	struct pt_space *s = limn_test_alloc(test, sizeof(*s));

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, dev);
	KUNIT_ASSERT_EQ(test, dma_coerce_mask_and_coherent(dev, DMA_BIT_MASK(32)), 0);
	s->ug = limn_test_alloc(test, sizeof(*s->ug));
	s->uvm = limn_test_alloc(test, sizeof(*s->uvm));
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
	KUNIT_ASSERT_EQ(test, utgard_pt_ops.init(&s->uvm->base), 0);
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
	/* So it does again when a BO has been there. */
	utgard_pt_ops.map(vm, 0, 0x40000000, 0x2000, true);
	KUNIT_EXPECT_EQ(test, entry(test, 0), 0x40000000 | PAGE_FLAGS);
	utgard_pt_ops.unmap(vm, 0, 0x2000);
	KUNIT_EXPECT_EQ(test, entry(test, 0), ZEROS | (PAGE_FLAGS & ~MMU_ENTRY_WRITE));
	KUNIT_EXPECT_EQ(test, filled(test), ALWAYS);
	utgard_pt_ops.fini(vm);
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

		KUNIT_ASSERT_EQ(test, utgard_pt_ops.reserve(vm, rows[i].va, rows[i].size), 0);
		for (k = 0; k < 1024; k++) {
			bool there = k == 0 || (k >= rows[i].first && k <= rows[i].last);
			u32 pde = directory(test, k << 22);

			/* Address of the table, and nothing but "present". */
			KUNIT_EXPECT_EQ(test, pde & 0xfff, there ? 1 : 0);
			KUNIT_EXPECT_EQ(test, !!(pde & ~0xfffu), there);
		}
		/* Reserved twice is reserved once. */
		KUNIT_EXPECT_EQ(test, utgard_pt_ops.reserve(vm, rows[i].va, rows[i].size), 0);
		KUNIT_EXPECT_EQ(test, filled(test), ALWAYS);
		utgard_pt_ops.fini(vm);
	}
}

static void pt_map(struct kunit *test)
{
	struct limn_vm *vm = pt_begin(test, false);
	u32 va;

	KUNIT_ASSERT_EQ(test, utgard_pt_ops.reserve(vm, 0x003fe000, 0x5000), 0);
	utgard_pt_ops.map(vm, 0x003ff000, 0xabcde000, 0x3000, true);
	for (va = 0x003ff000; va < 0x00402000; va += 0x1000)
		KUNIT_EXPECT_EQ(test, entry(test, va), (0xabcde000 + va - 0x003ff000) | PAGE_FLAGS);
	KUNIT_EXPECT_EQ(test, filled(test), ALWAYS + 3);

	/* Read-only: the same but for one bit. */
	utgard_pt_ops.map(vm, 0x003fe000, 0x1000, 0x1000, false);
	KUNIT_EXPECT_EQ(test, entry(test, 0x003fe000), 0x1000 | (PAGE_FLAGS & ~MMU_ENTRY_WRITE));

	utgard_pt_ops.unmap(vm, 0x00400000, 0x1000);
	KUNIT_EXPECT_EQ(test, entry(test, 0x00400000), 0);
	KUNIT_EXPECT_EQ(test, entry(test, 0x00401000), 0xabce0000 | PAGE_FLAGS);
	utgard_pt_ops.unmap(vm, 0x003fe000, 0x5000);
	KUNIT_EXPECT_EQ(test, filled(test), ALWAYS);
	/* Tables stay, for the next BO. */
	KUNIT_EXPECT_NE(test, directory(test, 0x00400000), 0);
	/* The last page of all, and the last of memory. */
	KUNIT_ASSERT_EQ(test, utgard_pt_ops.reserve(vm, 0xffffe000, 0x2000), 0);
	utgard_pt_ops.map(vm, 0xffffe000, 0xffffe000, 0x2000, true);
	KUNIT_EXPECT_EQ(test, entry(test, 0xfffff000), 0xfffff000 | PAGE_FLAGS);
	KUNIT_EXPECT_EQ(test, filled(test), ALWAYS + 2);
	utgard_pt_ops.fini(vm);
}

/* Mali-450: the DLBU's page is in every address space, and nobody may write it. */
static void pt_dlbu(struct kunit *test)
{
	struct limn_vm *vm = pt_begin(test, true);

	KUNIT_EXPECT_EQ(test, entry(test, UTGARD_DLBU_VA),
			0x12345000 | (PAGE_FLAGS & ~MMU_ENTRY_WRITE));
	KUNIT_EXPECT_EQ(test, filled(test), ALWAYS + 1);
	utgard_pt_ops.fini(vm);
}

static struct kunit_case pt_cases[] = {
	KUNIT_CASE(pt_empty),
	KUNIT_CASE(pt_reserve),
	KUNIT_CASE(pt_map),
	KUNIT_CASE(pt_dlbu),
	{}
};

static struct kunit_suite pt_suite = {
	.name = "limn-utgard-pt",
	.init = pt_test_init,
	.test_cases = pt_cases,
};

kunit_test_suites(&frame_suite, &pt_suite);

MODULE_IMPORT_NS(LIMN_KUNIT_NS);
MODULE_DESCRIPTION("KUnit tests for limn");
MODULE_LICENSE("GPL");
