// SPDX-License-Identifier: MIT
#include <errno.h>

#include "igt.h"
#include "gpu_sys.h"
#include "lima_jobs.h"
#include "limn_bo.h"

#include <limn/utgard/gp_stream.h>
#include <limn/utgard/pp_stream.h>

IGT_TEST_DESCRIPTION("A pipe that cannot be reset: the whole GPU is, and innocent jobs run again");

/*
 * On sound hardware each pipe resets by itself and these tests skip. With the
 * testbed: --model-fault stuck-reset:gp or stuck-reset:pp0.
 */
static uint32_t ctx_new(int fd, uint32_t timeout_ms)
{
	struct drm_limn_ctx_create req = { .timeout_ms = timeout_ms };

	igt_assert_eq(gpu_try(fd, DRM_IOCTL_LIMN_CTX_CREATE, &req), 0);
	return req.id;
}

static struct drm_limn_ctx_query query(int fd, uint32_t ctx)
{
	struct drm_limn_ctx_query req = { .id = ctx };

	igt_assert_eq(gpu_try(fd, DRM_IOCTL_LIMN_CTX_QUERY, &req), 0);
	return req;
}

/* A client whose jobs may take so long. */
static struct gpu_client client(uint32_t timeout_ms)
{
	struct gpu_client c = lima_client_new();

	c.ctx = ctx_new(c.fd, timeout_ms);
	return c;
}

/* Until the job has started, as the statistics tell. */
static void wait_started(const struct gpu_client *c)
{
	struct drm_limn_job_stat stat;
	struct drm_limn_job_stats req;

	for (int i = 0; i < 1000; i++) {
		req = (struct drm_limn_job_stats){ .ctx = c->ctx, .stats = DRM_LIMN_ARRAY(&stat, 1) };
		igt_assert_eq(gpu_try(c->fd, DRM_IOCTL_LIMN_JOB_STATS, &req), 0);
		if (req.stats.count && stat.started_ns)
			return;
		usleep(1000);
	}
	igt_assert_f(false, "the job does not start\n");
}

/* Jobs that go round in circles until the CPU lets them out: the first command of their list. */
static struct lima_job wait_gp(struct gpu_client *c, volatile uint32_t **way_out)
{
	struct lima_job job = lima_gp_endless(c);

	*way_out = c->lists.map + (job.frame.gp.frame[2] - c->lists.va) / 4;
	return job;
}

/* The command's kind first: between the two, it must not be a jump to nowhere. */
static void let_gp_out(volatile uint32_t *list)
{
	list[1] = PLBU_W1_END;
	list[0] = 0;
}

static struct lima_job wait_pp(struct gpu_client *c, volatile uint32_t **way_out)
{
	struct lima_job job = lima_pp_endless(c);
	uint32_t list = c->m450 ? job.frame.m450.plbu_array_address[0] : job.frame.m400.plbu_array_address[0];
	uint32_t call = c->lists.map[(list - c->lists.va) / 4 + 2];

	*way_out = c->lists.map + (PPS_TARGET(call) - c->lists.va) / 4;
	return job;
}

static void let_pp_out(volatile uint32_t *list)
{
	list[1] = PLB_RETURN_HI;
	list[0] = 0;
}

static void restarts(bool gp_stuck)
{
	struct gpu_client guilty = client(40), innocent = client(0), waiting = client(0);
	uint64_t resets = limn_param(guilty.fd, DRM_LIMN_PARAM_RESETS);
	volatile uint32_t *way_out;
	struct lima_job good = gp_stuck ? wait_pp(&innocent, &way_out) : wait_gp(&innocent, &way_out);
	struct lima_job bad = gp_stuck ? lima_gp_endless(&guilty) : lima_pp_endless(&guilty);
	struct lima_job next = gp_stuck ? lima_pp_clear(&waiting, 0x1234) : lima_gp_store(&waiting, 0, 0x1234);
	struct drm_limn_ctx_query q;
	uint32_t good_fence, next_fence;

	good_fence = lima_submit_fence(innocent.fd, &good);
	wait_started(&innocent);
	/* Staged behind the one that will run again. */
	next_fence = lima_submit_fence(waiting.fd, &next);
	igt_assert_eq(lima_run(guilty.fd, &bad), -ETIMEDOUT);

	q = query(innocent.fd, innocent.ctx);
	igt_assert_eq_u64(limn_param(guilty.fd, DRM_LIMN_PARAM_RESETS), resets + 1);
	if (!q.innocent) {
		if (gp_stuck)
			let_pp_out(way_out);
		else
			let_gp_out(way_out);
		gpu_fence_end(innocent.fd, good_fence, 0);
		gpu_fence_end(waiting.fd, next_fence, 0);
	}
	igt_require_f(q.innocent, "this pipe resets by itself\n");
	igt_assert_eq_u64(q.innocent, 1);
	igt_assert_eq_u64(q.guilty, 0);
	igt_assert_eq_u32(q.reset, DRM_LIMN_RESET_INNOCENT);
	q = query(guilty.fd, guilty.ctx);
	igt_assert_eq_u64(q.guilty, 1);
	igt_assert_eq(q.fault_error, -ETIMEDOUT);
	/* It runs again, and ends when it may. */
	igt_assert_eq(gpu_fence_status(innocent.fd, good_fence), 0);
	if (gp_stuck)
		let_pp_out(way_out);
	else
		let_gp_out(way_out);
	igt_assert_eq(gpu_fence_end(innocent.fd, good_fence, 0), 0);
	igt_assert_eq(gpu_fence_end(waiting.fd, next_fence, 0), 0);
	lima_check_works(&guilty);
	lima_check_works(&innocent);
	lima_check_works(&waiting);
	lima_client_free(&guilty);
	lima_client_free(&innocent);
	lima_client_free(&waiting);
}

igt_main
{
	igt_fixture {
		int fd = lima_open();

		limn_require(fd, DRM_LIMN_FEATURE_CTX | DRM_LIMN_FEATURE_JOB_STATS);
		close(fd);
	}

	igt_describe("The PPs do not come out of their reset: the GP's job starts again, the one behind it too");
	igt_subtest("pp-stuck")
		restarts(false);

	igt_describe("The GP does not come out of its reset: the PPs' job starts again, the one behind it too");
	igt_subtest("gp-stuck")
		restarts(true);

	igt_describe("Jobs follow each other, however long a core's reset takes in between");
	igt_subtest("jobs-in-a-row") {
		struct gpu_client c = client(0);
		uint32_t fence[10];

		for (int i = 0; i < 10; i++) {
			struct lima_job job = lima_pp_clear(&c, i);

			fence[i] = lima_submit_fence(c.fd, &job);
		}
		for (int i = 0; i < 10; i++)
			igt_assert_eq(gpu_fence_end(c.fd, fence[i], 0), 0);
		lima_client_free(&c);
	}

	igt_describe("Five times in a row, with other clients' jobs in between");
	igt_subtest("again-and-again") {
		struct gpu_client c = client(30);

		for (int i = 0; i < 5; i++) {
			struct lima_job job = i % 2 ? lima_gp_endless(&c) : lima_pp_endless(&c);

			c.ctx = ctx_new(c.fd, 30);
			igt_assert_eq(lima_run(c.fd, &job), -ETIMEDOUT);
			lima_check_gpu();
		}
		lima_client_free(&c);
	}

	igt_fixture
		lima_check_gpu();
}
