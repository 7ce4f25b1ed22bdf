// SPDX-License-Identifier: GPL-2.0-only
/*
 * KUnit: what is handed between the caches of the CPU and the device. Where memory is coherent
 * nobody sees what is missing, so the device of this test writes down each sync.
 */
#include <kunit/device.h>
#include <linux/dma-map-ops.h>
#include <linux/idr.h>
#include <drm/drm_drv.h>
#include <drm/drm_file.h>
#include <drm/drm_ioctl.h>
#include <drm/etnaviv_drm.h>

#include "../limn_gem.h"
#include "../vivante/vivante.h"
#include "limn_test.h"

#define NUM_PIECES	3
#define NUM_PAGES	4	/* the second piece has two */

/* Of the pieces: they do not lie next to each other. */
static const dma_addr_t piece_dma[NUM_PIECES] = { 0x40000000, 0x20000000, 0x30000000 };

struct sync_call {
	dma_addr_t dma;
	size_t size;
	enum dma_data_direction dir;
	bool for_cpu;
};

struct sync_test {
	struct device *dev;
	struct drm_device drm;
	struct drm_file file;
	struct limn_bo bo;
	struct limn_backing_ops backing_ops;
	struct limn_backing backing;
	struct sg_table sgt;
	struct page *pages;
	u32 handle;
	struct sync_call call[2 * NUM_PIECES + 1];
	unsigned int num_calls;
};

/* --- The device -------------------------------------------------------------- */

static void sync_note(struct device *dev, dma_addr_t dma, size_t size,
		      enum dma_data_direction dir, bool for_cpu)
{
	struct sync_test *t = dev_get_drvdata(dev);

	if (t->num_calls < ARRAY_SIZE(t->call))
		t->call[t->num_calls] = (struct sync_call){ dma, size, dir, for_cpu };
	t->num_calls++;
}

static void sync_single_for_cpu(struct device *dev, dma_addr_t dma, size_t size,
				enum dma_data_direction dir)
{
	sync_note(dev, dma, size, dir, true);
}

static void sync_single_for_device(struct device *dev, dma_addr_t dma, size_t size,
				   enum dma_data_direction dir)
{
	sync_note(dev, dma, size, dir, false);
}

static void sync_note_all(struct device *dev, struct scatterlist *sgl, int num,
			  enum dma_data_direction dir, bool for_cpu)
{
	struct scatterlist *sg;
	int i;

	for_each_sg(sgl, sg, num, i)
		sync_note(dev, sg_dma_address(sg), sg_dma_len(sg), dir, for_cpu);
}

static void sync_sg_for_cpu(struct device *dev, struct scatterlist *sgl, int num,
			    enum dma_data_direction dir)
{
	sync_note_all(dev, sgl, num, dir, true);
}

static void sync_sg_for_device(struct device *dev, struct scatterlist *sgl, int num,
			       enum dma_data_direction dir)
{
	sync_note_all(dev, sgl, num, dir, false);
}

static int sync_map_sg(struct device *dev, struct scatterlist *sgl, int num,
		       enum dma_data_direction dir, unsigned long attrs)
{
	struct scatterlist *sg;
	int i;

	for_each_sg(sgl, sg, num, i) {
		sg_dma_address(sg) = piece_dma[i];
		sg_dma_len(sg) = sg->length;
	}
	return num;
}

static void sync_unmap_sg(struct device *dev, struct scatterlist *sgl, int num,
			  enum dma_data_direction dir, unsigned long attrs)
{
}

static const struct dma_map_ops sync_dma_ops = {
	.map_sg = sync_map_sg,
	.unmap_sg = sync_unmap_sg,
	.sync_single_for_cpu = sync_single_for_cpu,
	.sync_single_for_device = sync_single_for_device,
	.sync_sg_for_cpu = sync_sg_for_cpu,
	.sync_sg_for_device = sync_sg_for_device,
};

/* --- A BO in three pieces ------------------------------------------------------ */

static void sync_init_bo(struct kunit *test, struct sync_test *t)
{
	struct drm_gem_object *obj = &t->bo.base.base;
	int handle;

	kref_init(&obj->refcount);	/* never falls to 0 */
	obj->dev = &t->drm;
	obj->size = NUM_PAGES * PAGE_SIZE;
	obj->resv = &obj->_resv;
	dma_resv_init(obj->resv);
	t->bo.base.sgt = &t->sgt;
	t->backing_ops.kind = DRM_LIMN_BO_USERMEM;
	t->backing.ops = &t->backing_ops;

	t->drm.dev = t->dev;
	spin_lock_init(&t->file.table_lock);
	INIT_RADIX_TREE(&t->file.object_idr.idr_rt, IDR_RT_MARKER);	/* as idr_init() */
	handle = idr_alloc(&t->file.object_idr, obj, 1, 0, GFP_KERNEL);
	KUNIT_ASSERT_GT(test, handle, 0);
	t->handle = handle;
}

static int sync_init(struct kunit *test)
{
	static const unsigned int pages[NUM_PIECES] = { 1, 2, 1 };
	struct sync_test *t = limn_test_alloc(test, sizeof(*t));
	struct scatterlist *sg;
	unsigned int i, at = 0;

	t->dev = kunit_device_register(test, "limn-sync");
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, t->dev);
	dev_set_drvdata(t->dev, t);
	set_dma_ops(t->dev, &sync_dma_ops);
	if (get_dma_ops(t->dev) != &sync_dma_ops)
		kunit_skip(test, "this kernel has no DMA operations of a device's own");
	KUNIT_ASSERT_EQ(test, dma_coerce_mask_and_coherent(t->dev, DMA_BIT_MASK(32)), 0);

	t->pages = alloc_pages(GFP_KERNEL | __GFP_ZERO, get_order(NUM_PAGES * PAGE_SIZE));
	KUNIT_ASSERT_NOT_NULL(test, t->pages);
	test->priv = t;
	KUNIT_ASSERT_EQ(test, sg_alloc_table(&t->sgt, NUM_PIECES, GFP_KERNEL), 0);
	for_each_sgtable_sg(&t->sgt, sg, i) {
		sg_set_page(sg, t->pages + at, pages[i] * PAGE_SIZE, 0);
		at += pages[i];
	}
	KUNIT_ASSERT_EQ(test, dma_map_sgtable(t->dev, &t->sgt, DMA_BIDIRECTIONAL, 0), 0);
	t->num_calls = 0;
	sync_init_bo(test, t);
	return 0;
}

static void sync_exit(struct kunit *test)
{
	struct sync_test *t = test->priv;

	if (!t)
		return;
	if (t->handle) {
		dma_unmap_sgtable(t->dev, &t->sgt, DMA_BIDIRECTIONAL, 0);
		idr_destroy(&t->file.object_idr);
		dma_resv_fini(t->bo.base.base.resv);
	}
	sg_free_table(&t->sgt);
	__free_pages(t->pages, get_order(NUM_PAGES * PAGE_SIZE));
}

static int sync_ioctl(struct sync_test *t, unsigned int nr, void *args)
{
	t->num_calls = 0;
	return vivante_drm_driver.ioctls[nr].func(&t->drm, args, &t->file);
}

static int bo_sync(struct sync_test *t, u32 flags, u64 offset, u64 size)
{
	struct drm_limn_bo_sync args = {
		.handle = t->handle, .flags = flags, .offset = offset, .size = size,
	};

	return sync_ioctl(t, DRM_LIMN_BO_SYNC, &args);
}

static int cpu_prep(struct sync_test *t, u32 op)
{
	struct drm_etnaviv_gem_cpu_prep args = { .handle = t->handle, .op = op };

	return sync_ioctl(t, DRM_ETNAVIV_GEM_CPU_PREP, &args);
}

static int cpu_fini(struct sync_test *t)
{
	struct drm_etnaviv_gem_cpu_fini args = { .handle = t->handle };

	return sync_ioctl(t, DRM_ETNAVIV_GEM_CPU_FINI, &args);
}

static void expect_call(struct kunit *test, unsigned int n, bool for_cpu, dma_addr_t dma,
			size_t size, enum dma_data_direction dir)
{
	const struct sync_test *t = test->priv;

	KUNIT_ASSERT_LT(test, n, t->num_calls);
	KUNIT_EXPECT_EQ(test, t->call[n].for_cpu, for_cpu);
	KUNIT_EXPECT_EQ(test, t->call[n].dma, dma);
	KUNIT_EXPECT_EQ(test, t->call[n].size, size);
	KUNIT_EXPECT_EQ(test, t->call[n].dir, dir);
}

static void expect_none(struct kunit *test)
{
	const struct sync_test *t = test->priv;

	KUNIT_EXPECT_EQ(test, t->num_calls, 0);
}

static void expect_pieces(struct kunit *test, unsigned int first, bool for_cpu,
			  enum dma_data_direction dir)
{
	expect_call(test, first, for_cpu, piece_dma[0], PAGE_SIZE, dir);
	expect_call(test, first + 1, for_cpu, piece_dma[1], 2 * PAGE_SIZE, dir);
	expect_call(test, first + 2, for_cpu, piece_dma[2], PAGE_SIZE, dir);
}

static void expect_all(struct kunit *test, bool for_cpu, enum dma_data_direction dir)
{
	const struct sync_test *t = test->priv;

	KUNIT_ASSERT_EQ(test, t->num_calls, NUM_PIECES);
	expect_pieces(test, 0, for_cpu, dir);
}

/* Handed to the device before the CPU gets it: nothing that the CPU has written is lost. */
static void expect_cleaned(struct kunit *test, enum dma_data_direction dir)
{
	const struct sync_test *t = test->priv;

	KUNIT_ASSERT_EQ(test, t->num_calls, 2 * NUM_PIECES);
	expect_pieces(test, 0, false, dir);
	expect_pieces(test, NUM_PIECES, true, dir);
}

/* --- DRM_IOCTL_LIMN_BO_SYNC ---------------------------------------------------- */

static void bo_sync_ranges(struct kunit *test, u32 flags, bool for_cpu)
{
	struct sync_test *t = test->priv;
	const enum dma_data_direction dir = DMA_BIDIRECTIONAL;

	KUNIT_EXPECT_EQ(test, bo_sync(t, flags, 0, NUM_PAGES * PAGE_SIZE), 0);
	expect_all(test, for_cpu, dir);

	/* Inside of the second piece. */
	KUNIT_EXPECT_EQ(test, bo_sync(t, flags, PAGE_SIZE + 64, PAGE_SIZE), 0);
	KUNIT_EXPECT_EQ(test, t->num_calls, 1);
	expect_call(test, 0, for_cpu, piece_dma[1] + 64, PAGE_SIZE, dir);

	/* From the end of the first one to the begin of the last. */
	KUNIT_EXPECT_EQ(test, bo_sync(t, flags, PAGE_SIZE - 64, 2 * PAGE_SIZE + 192), 0);
	KUNIT_EXPECT_EQ(test, t->num_calls, 3);
	expect_call(test, 0, for_cpu, piece_dma[0] + PAGE_SIZE - 64, 64, dir);
	expect_call(test, 1, for_cpu, piece_dma[1], 2 * PAGE_SIZE, dir);
	expect_call(test, 2, for_cpu, piece_dma[2], 128, dir);

	/* A range that ends, or begins, where a piece does leaves its neighbour alone. */
	KUNIT_EXPECT_EQ(test, bo_sync(t, flags, 0, PAGE_SIZE), 0);
	KUNIT_EXPECT_EQ(test, t->num_calls, 1);
	expect_call(test, 0, for_cpu, piece_dma[0], PAGE_SIZE, dir);
	KUNIT_EXPECT_EQ(test, bo_sync(t, flags, 3 * PAGE_SIZE, PAGE_SIZE), 0);
	KUNIT_EXPECT_EQ(test, t->num_calls, 1);
	expect_call(test, 0, for_cpu, piece_dma[2], PAGE_SIZE, dir);

	KUNIT_EXPECT_EQ(test, bo_sync(t, flags, PAGE_SIZE + 64, 0), 0);
	expect_none(test);
	KUNIT_EXPECT_EQ(test, bo_sync(t, flags, 64, NUM_PAGES * PAGE_SIZE), -EINVAL);
	expect_none(test);
}

static void bo_sync_pieces(struct kunit *test)
{
	bo_sync_ranges(test, DRM_LIMN_SYNC_FOR_CPU, true);
	bo_sync_ranges(test, DRM_LIMN_SYNC_FOR_DEVICE, false);
}

/* All of it, whatever part was asked for; the GPU cannot have written what it only reads. */
static void bo_sync_userptr(struct kunit *test)
{
	struct sync_test *t = test->priv;

	t->bo.backing = &t->backing;
	t->bo.base.map_wc = true;
	KUNIT_EXPECT_EQ(test, bo_sync(t, DRM_LIMN_SYNC_FOR_CPU, PAGE_SIZE, 64), 0);
	expect_cleaned(test, DMA_BIDIRECTIONAL);
	KUNIT_EXPECT_EQ(test, bo_sync(t, DRM_LIMN_SYNC_FOR_DEVICE, PAGE_SIZE, 64), 0);
	expect_all(test, false, DMA_BIDIRECTIONAL);
	t->bo.readonly = true;
	KUNIT_EXPECT_EQ(test, bo_sync(t, DRM_LIMN_SYNC_FOR_CPU, PAGE_SIZE, 64), 0);
	expect_cleaned(test, DMA_TO_DEVICE);
	KUNIT_EXPECT_EQ(test, bo_sync(t, DRM_LIMN_SYNC_FOR_DEVICE, PAGE_SIZE, 64), 0);
	expect_all(test, false, DMA_TO_DEVICE);
}

/* --- CPU_PREP and CPU_FINI ----------------------------------------------------- */

static void cpu_prep_direction(struct kunit *test)
{
	static const struct {
		u32 op;
		enum dma_data_direction dir;
	} cases[] = {
		{ ETNA_PREP_READ, DMA_FROM_DEVICE },
		{ ETNA_PREP_WRITE, DMA_TO_DEVICE },
		{ ETNA_PREP_READ | ETNA_PREP_WRITE, DMA_BIDIRECTIONAL },
		{ ETNA_PREP_READ | ETNA_PREP_NOSYNC, DMA_FROM_DEVICE },
		{ ETNA_PREP_NOSYNC, DMA_BIDIRECTIONAL },
		{ 0, DMA_BIDIRECTIONAL },
	};
	struct sync_test *t = test->priv;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		KUNIT_EXPECT_EQ(test, cpu_prep(t, cases[i].op), 0);
		expect_all(test, true, cases[i].dir);
		KUNIT_EXPECT_EQ(test, cpu_fini(t), 0);
		expect_all(test, false, cases[i].dir);
	}
	/* A process' memory is synced as it is mapped. */
	t->bo.backing = &t->backing;
	for (i = 0; i < 2; i++) {
		t->bo.readonly = i;
		KUNIT_EXPECT_EQ(test, cpu_prep(t, ETNA_PREP_READ), 0);
		expect_all(test, true, i ? DMA_TO_DEVICE : DMA_BIDIRECTIONAL);
		KUNIT_EXPECT_EQ(test, cpu_fini(t), 0);
		expect_all(test, false, i ? DMA_TO_DEVICE : DMA_BIDIRECTIONAL);
	}
}

/* Of two users that overlap, the second one's writes are not lost with the first one's CPU_FINI. */
static void cpu_fini_twice(struct kunit *test)
{
	struct sync_test *t = test->priv;

	KUNIT_EXPECT_EQ(test, cpu_prep(t, ETNA_PREP_WRITE), 0);
	KUNIT_EXPECT_EQ(test, cpu_prep(t, ETNA_PREP_READ), 0);
	KUNIT_EXPECT_EQ(test, cpu_fini(t), 0);
	expect_all(test, false, DMA_FROM_DEVICE);
	KUNIT_EXPECT_EQ(test, cpu_fini(t), 0);
	expect_all(test, false, DMA_BIDIRECTIONAL);
}

/* --- Memory that needs nothing ------------------------------------------------- */

static void sync_not_needed(struct kunit *test)
{
	struct sync_test *t = test->priv;
	unsigned int i;

	for (i = 0; i < 2; i++) {
		/* Write-combined memory; memory that was given up and purged. */
		t->bo.base.map_wc = !i;
		t->bo.base.sgt = i ? NULL : &t->sgt;
		KUNIT_EXPECT_EQ(test, bo_sync(t, DRM_LIMN_SYNC_FOR_CPU, 0, PAGE_SIZE), 0);
		expect_none(test);
		KUNIT_EXPECT_EQ(test, bo_sync(t, DRM_LIMN_SYNC_FOR_DEVICE, 0, PAGE_SIZE), 0);
		expect_none(test);
		KUNIT_EXPECT_EQ(test, cpu_prep(t, ETNA_PREP_READ), 0);
		expect_none(test);
		KUNIT_EXPECT_EQ(test, cpu_fini(t), 0);
		expect_none(test);
	}
}

static struct kunit_case sync_cases[] = {
	KUNIT_CASE(bo_sync_pieces),
	KUNIT_CASE(bo_sync_userptr),
	KUNIT_CASE(cpu_prep_direction),
	KUNIT_CASE(cpu_fini_twice),
	KUNIT_CASE(sync_not_needed),
	{}
};

static struct kunit_suite sync_suite = {
	.name = "limn-sync",
	.init = sync_init,
	.exit = sync_exit,
	.test_cases = sync_cases,
};

kunit_test_suite(sync_suite);
