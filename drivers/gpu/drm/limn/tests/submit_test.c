// SPDX-License-Identifier: GPL-2.0-only
/*
 * KUnit: who is banned, and whose failure takes a job along.
 */
#include <linux/dma-fence.h>
#include <linux/slab.h>

#include "../limn_ctx.h"
#include "../limn_job.h"
#include "../limn_recover.h"
#include "limn_test.h"

static void ban_in_a_row(struct kunit *test)
{
	struct limn_ctx_resets resets = {};
	unsigned int n = 1;

	while (!limn_ctx_count_guilty(&resets))
		n++;
	KUNIT_EXPECT_EQ(test, n, 4);
}

static void ban_with_good_ones(struct kunit *test)
{
	struct limn_ctx_resets resets = {};
	unsigned int n, i;

	/* One in seventeen may fail for ever; one in sixteen not. */
	for (n = 0; n < 1000; n++) {
		KUNIT_ASSERT_FALSE(test, limn_ctx_count_guilty(&resets));
		for (i = 0; i < LIMN_BAN_GUILTY; i++)
			limn_ctx_count_good(&resets);
	}
	for (n = 0; n < 1000 && !limn_ctx_count_guilty(&resets); n++) {
		for (i = 0; i < LIMN_BAN_GUILTY - 1; i++)
			limn_ctx_count_good(&resets);
	}
	KUNIT_EXPECT_LT(test, n, 1000);
}

static void good_ones_are_no_credit(struct kunit *test)
{
	struct limn_ctx_resets resets = {};
	unsigned int i;

	for (i = 0; i < 1000; i++)
		limn_ctx_count_good(&resets);
	KUNIT_EXPECT_EQ(test, resets.points, 0);
}

static const char *test_fence_name(struct dma_fence *fence)
{
	return "test";
}

static const struct dma_fence_ops test_fence_ops = {
	.get_driver_name = test_fence_name,
	.get_timeline_name = test_fence_name,
};

static void needs_failures(struct kunit *test)
{
	struct dma_fence *fence[3];
	static DEFINE_SPINLOCK(lock);
	u64 context = dma_fence_context_alloc(1);
	struct limn_job *job = limn_test_alloc(test, sizeof(*job));
	unsigned int i;

	for (i = 0; i < 3; i++) {
		fence[i] = kzalloc(sizeof(*fence[i]), GFP_KERNEL);	/* the last put frees it */
		KUNIT_ASSERT_NOT_NULL(test, fence[i]);
		dma_fence_init(fence[i], &test_fence_ops, &lock, context, i + 1);
	}
	job->needs = fence;
	KUNIT_EXPECT_FALSE(test, limn_job_needs_failed(job));
	job->num_needs = 3;
	KUNIT_EXPECT_FALSE(test, limn_job_needs_failed(job));
	dma_fence_signal(fence[0]);
	KUNIT_EXPECT_FALSE(test, limn_job_needs_failed(job));
	/* An error counts from the moment that everybody may know of it. */
	dma_fence_set_error(fence[1], -EFAULT);
	KUNIT_EXPECT_FALSE(test, limn_job_needs_failed(job));
	dma_fence_signal(fence[1]);
	KUNIT_EXPECT_TRUE(test, limn_job_needs_failed(job));
	job->num_needs = 1;
	KUNIT_EXPECT_FALSE(test, limn_job_needs_failed(job));
	dma_fence_signal(fence[2]);
	for (i = 0; i < 3; i++)
		dma_fence_put(fence[i]);
}

static void guilt(struct kunit *test)
{
	static const struct {
		int error;
		bool started, guilty;
	} cases[] = {
		{ -EFAULT, true, true },
		{ -ETIMEDOUT, true, true },
		{ -ENOSPC, true, true },
		{ -EIO, true, true },
		{ -EIO, false, false },		/* the unit does not start any job */
		{ -ENOMEM, true, false },	/* the kernel's memory, not the job's heap */
		{ -ENODEV, true, false },
	};
	struct limn_job *job = limn_test_alloc(test, sizeof(*job));
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		job->started = cases[i].started;
		KUNIT_EXPECT_EQ(test, limn_recover_is_guilty(job, cases[i].error), cases[i].guilty);
	}
}

static struct kunit_case submit_cases[] = {
	KUNIT_CASE(ban_in_a_row),
	KUNIT_CASE(ban_with_good_ones),
	KUNIT_CASE(good_ones_are_no_credit),
	KUNIT_CASE(needs_failures),
	KUNIT_CASE(guilt),
	{}
};

static struct kunit_suite submit_suite = {
	.name = "limn-submit",
	.test_cases = submit_cases,
};

kunit_test_suite(submit_suite);
