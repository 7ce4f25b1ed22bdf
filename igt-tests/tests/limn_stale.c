// SPDX-License-Identifier: MIT
#include <errno.h>

#include "igt.h"
#include "gpu_sys.h"
#include "lima_jobs.h"
#include "limn_bo.h"

IGT_TEST_DESCRIPTION("Unmapped memory cannot be reached through page table entries that a cache still holds");

#define ROUNDS	6
#define SLOW	8	/* jobs between the two: time to close a BO, also on a busy machine */

/* The last job of a context as JOB_STATS has it; id 0: none. */
static struct drm_limn_job_stat last_job(const struct gpu_client *c)
{
	struct drm_limn_job_stat stats[64] = { 0 };
	struct drm_limn_job_stats req = { .ctx = c->ctx, .stats = DRM_LIMN_ARRAY(stats, 64) };

	igt_assert_eq(gpu_try(c->fd, DRM_IOCTL_LIMN_JOB_STATS, &req), 0);
	return req.stats.count ? stats[req.stats.count - 1] : (struct drm_limn_job_stat){ 0 };
}

/* A job that writes to an address of a BO that it does not list. */
static struct lima_job unlisted_store(struct gpu_client *c, uint32_t va, uint32_t value)
{
	struct gpu_client other = *c;

	other.target.va = va;
	return lima_gp_store(&other, 0, value);
}

/*
 * Jobs that are all submitted before the first starts, so that one clear of the L2 is
 * enough for all: the first brings the BO's page table entry into the L2, those of another
 * file take their time, and meanwhile the BO is closed. The last must not find it. True when
 * the closing was in time.
 */
static bool round_of(struct gpu_client *c, struct gpu_client *slow, uint32_t i)
{
	struct gpu_bo bo = lima_bo_new(c->fd, 4096);
	struct lima_job first = unlisted_store(c, bo.va, 1), last = unlisted_store(c, bo.va, 2);
	struct lima_job hold = lima_gp_long(slow, 2, i);
	uint32_t fences[SLOW + 3];
	int64_t closed;
	int ret;

	fences[0] = lima_submit_fence(slow->fd, &hold);
	fences[1] = lima_submit_fence(c->fd, &first);
	for (unsigned int n = 0; n < SLOW; n++)
		fences[2 + n] = lima_submit_fence(slow->fd, &hold);
	fences[2 + SLOW] = lima_submit_fence(c->fd, &last);
	igt_assert_eq(gpu_fence_end(c->fd, fences[1], 0), 0);
	gpu_bo_free(&bo);
	closed = gpu_time(0);
	igt_assert_eq(gpu_fence_end(slow->fd, fences[0], 0), 0);
	for (unsigned int n = 0; n < SLOW; n++)
		igt_assert_eq(gpu_fence_end(slow->fd, fences[2 + n], 0), 0);
	ret = gpu_fence_end(c->fd, fences[2 + SLOW], 0);
	if (ret) {
		igt_assert_eq(ret, -EFAULT);
		return true;
	}
	igt_assert_f((int64_t)last_job(c).started_ns < closed, "the job reached memory that was freed before it started\n");
	return false;
}

igt_main
{
	igt_fixture {
		int fd = lima_open();

		limn_require(fd, DRM_LIMN_FEATURE_JOB_STATS);
		close(fd);
	}

	igt_describe("A BO is closed between two jobs that share one clear of the L2");
	igt_subtest("closed-between-jobs") {
		struct gpu_client c = lima_client_new(), slow = lima_client_new();
		unsigned int in_time = 0;

		for (uint32_t i = 0; i < ROUNDS; i++)
			in_time += round_of(&c, &slow, i);
		igt_info("%u of %u rounds were in time\n", in_time, ROUNDS);
		igt_require_f(in_time, "the jobs were always faster\n");
		lima_check_works(&c);
		lima_client_free(&c);
		lima_client_free(&slow);
	}

	igt_fixture
		lima_check_gpu();
}
