// SPDX-License-Identifier: MIT
#include <errno.h>

#include "igt.h"
#include "gpu_sys.h"
#include "limn_list.h"

IGT_TEST_DESCRIPTION("JOB_STATS: when jobs were queued, started and done");

static int try_stats(int fd, uint32_t ctx, uint64_t first, struct drm_limn_job_stat *stats, uint32_t *count)
{
	struct drm_limn_job_stats req = { .ctx = ctx, .first = first, .stats = DRM_LIMN_ARRAY(stats, *count) };
	int ret = gpu_try(fd, DRM_IOCTL_LIMN_JOB_STATS, &req);

	if (ret)
		igt_assert_eq_u32(req.stats.count, *count);
	*count = req.stats.count;
	return ret;
}

/* All that the kernel remembers from first on; they must have ascending numbers. */
static uint32_t stats_of(const struct gpu_client *c, uint64_t first, struct drm_limn_job_stat *stats)
{
	uint32_t count = DRM_LIMN_JOB_STATS_MAX;

	igt_assert_eq(try_stats(c->fd, c->ctx, first, stats, &count), 0);
	igt_assert(count <= DRM_LIMN_JOB_STATS_MAX);
	for (uint32_t i = 0; i < count; i++)
		igt_assert(stats[i].id >= first && (!i || stats[i].id > stats[i - 1].id));
	return count;
}

static void refusals(void)
{
	igt_describe("ENOENT: no such context; another file's");
	igt_subtest("bad-context") {
		struct gpu_client c = limn_client_new();
		struct drm_limn_job_stat stat;
		int other = limn_open();
		uint32_t count = 1, ctx = 0;

		/* A number that the other file does not have. */
		for (int i = 0; i < 4; i++)
			ctx = limn_ctx_new(c.fd, 0, 0);
		igt_assert_eq(try_stats(c.fd, 0x7fffffff, 0, &stat, &count), -ENOENT);
		igt_assert_eq(try_stats(other, ctx, 0, &stat, &count), -ENOENT);
		close(other);
		limn_client_free(&c);
	}

	igt_describe("EINVAL: pad, a stride");
	igt_subtest("bad-array") {
		struct gpu_client c = limn_client_new();
		struct drm_limn_job_stat stats[2];
		const uint32_t bad[] = { 0, sizeof(stats[0]) - 8, sizeof(stats[0]) + 4, 8192 };
		struct drm_limn_job_stats req = { .ctx = c.ctx, .pad = 1, .stats = DRM_LIMN_ARRAY(stats, 2) };

		igt_assert_eq(gpu_try(c.fd, DRM_IOCTL_LIMN_JOB_STATS, &req), -EINVAL);
		req.pad = 0;
		for (int i = 0; i < 4; i++) {
			req.stats.stride = bad[i];
			igt_assert_eq(gpu_try(c.fd, DRM_IOCTL_LIMN_JOB_STATS, &req), -EINVAL);
		}
		limn_client_free(&c);
	}

	igt_describe("what a caller knows and the kernel does not is zero");
	igt_subtest("longer-entries") {
		struct gpu_client c = limn_client_new();
		struct { struct drm_limn_job_stat stat; uint64_t more; } stats[2] = {
			{ .more = ~0ull }, { .more = ~0ull },
		};
		struct drm_limn_job_stats req = { .ctx = c.ctx, .stats = DRM_LIMN_ARRAY(stats, 2) };

		limn_check_works(&c);
		limn_check_works(&c);
		igt_assert_eq(gpu_try(c.fd, DRM_IOCTL_LIMN_JOB_STATS, &req), 0);
		igt_assert_eq_u32(req.stats.count, 2);
		igt_assert_eq_u64(stats[0].stat.id + 1, stats[1].stat.id);
		igt_assert_eq_u64(stats[0].more | stats[1].more, 0);
		limn_client_free(&c);
	}

	igt_describe("EFAULT: not writable");
	igt_subtest("bad-pointer") {
		struct gpu_client c = limn_client_new();
		uint32_t count = 1;

		limn_check_works(&c);
		igt_assert_eq(try_stats(c.fd, c.ctx, 0, (void *)8, &count), -EFAULT);
		limn_client_free(&c);
	}
}

static void overtaken(void)
{
	igt_describe("A job that ends when its entry is a newer one's changes nothing there");
	igt_subtest("overtaken") {
		struct drm_limn_job_stat before[DRM_LIMN_JOB_STATS_MAX], after[DRM_LIMN_JOB_STATS_MAX];
		struct gpu_client c = limn_client_new();
		struct gpu_gate gate = gpu_gate_new(c.fd);
		struct limn_job late = limn_store(&c, 0, 1), job;
		uint64_t n = 0;
		uint32_t fence;

		/* On Vivante a job has to list what it writes, and the others would wait for it. */
		igt_require(limn_is_utgard(&c) && limn_queue(&c, 0) != limn_queue(&c, 1));
		late.in_sync = gate.syncobj;
		late.nr_bos = 1;	/* its lists: nothing waits for what it writes */
		fence = limn_submit_fence(c.fd, &late);
		for (unsigned int i = 0; i < DRM_LIMN_JOB_STATS_MAX; i++) {
			job = limn_clear(&c, i);
			igt_assert_eq(limn_run(c.fd, &job), 0);
		}
		n = stats_of(&c, 0, before);
		igt_assert_eq_u64(n, DRM_LIMN_JOB_STATS_MAX);
		gpu_gate_open(&gate);
		igt_assert_eq(gpu_fence_end(c.fd, fence, 0), 0);
		igt_assert_eq_u64(stats_of(&c, 0, after), n);
		igt_assert(!memcmp(before, after, n * sizeof(before[0])));
		gpu_gate_free(c.fd, &gate);
		limn_client_free(&c);
	}
}

static void behaviour(void)
{
	igt_describe("A context without jobs has none to tell");
	igt_subtest("none") {
		int fd = limn_open();
		struct drm_limn_job_stat stat;
		uint32_t ctx = limn_ctx_new(fd, 0, 0), count = 1;

		igt_assert_eq(try_stats(fd, ctx, 0, &stat, &count), 0);
		igt_assert_eq_u32(count, 0);
		close(fd);
	}

	igt_describe("Queued, started, ended: in this order, within the time of the test, on the right queue");
	igt_subtest("times") {
		struct drm_limn_job_stat stats[DRM_LIMN_JOB_STATS_MAX];
		struct gpu_client c = limn_client_new();
		uint64_t before = gpu_time(0), first = stats_of(&c, 0, stats) + 1, n;

		for (uint32_t i = 0; i < 6; i++) {
			struct limn_job job = i % 2 ? limn_clear(&c, i) : limn_store(&c, 0, i);

			igt_assert_eq(limn_run(c.fd, &job), 0);
		}
		n = stats_of(&c, first, stats);
		igt_assert_eq_u64(n, 6);
		for (uint32_t i = 0; i < n; i++) {
			igt_assert_eq_u64(stats[i].id, first + i);
			igt_assert_eq_u32(stats[i].queue, limn_queue(&c, i % 2));
			igt_assert_eq(stats[i].error, 0);
			igt_assert(stats[i].queued_ns >= before);
			igt_assert(stats[i].started_ns >= stats[i].queued_ns);
			igt_assert(stats[i].ended_ns >= stats[i].started_ns);
			igt_assert(stats[i].ended_ns <= (uint64_t)gpu_time(0));
		}
		limn_client_free(&c);
	}

	igt_describe("A job that waits has been queued and no more; one that failed says why");
	igt_subtest("waiting-and-failed") {
		struct drm_limn_job_stat stats[DRM_LIMN_JOB_STATS_MAX];
		struct gpu_client c = limn_client_new();
		struct gpu_gate gate = gpu_gate_new(c.fd);
		uint64_t first = stats_of(&c, 0, stats) + 1;
		struct limn_job job = limn_failing(&c, 0);
		uint32_t fence;

		igt_assert_eq(limn_run(c.fd, &job), limn_fail_error(&c));
		job = limn_store(&c, 0, 1);
		job.in_sync = gate.syncobj;
		fence = limn_submit_fence(c.fd, &job);
		igt_assert_eq_u32(stats_of(&c, first, stats), 2);
		igt_assert_eq(stats[0].error, limn_fail_error(&c));
		igt_assert(stats[0].started_ns && stats[0].ended_ns >= stats[0].started_ns);
		igt_assert(stats[1].queued_ns && !stats[1].started_ns && !stats[1].ended_ns);
		igt_assert_eq(stats[1].error, 0);
		gpu_gate_open(&gate);
		igt_assert_eq(gpu_fence_end(c.fd, fence, 0), 0);
		igt_assert_eq_u32(stats_of(&c, first + 1, stats), 1);
		igt_assert(stats[0].ended_ns);
		gpu_gate_free(c.fd, &gate);
		limn_client_free(&c);
	}

	igt_describe("The last 64 jobs are remembered; asked in pieces, they come in pieces");
	igt_subtest("many") {
		struct drm_limn_job_stat all[DRM_LIMN_JOB_STATS_MAX], piece[5];
		struct gpu_client c = limn_client_new();
		uint32_t n, count, at = 0;

		for (uint32_t i = 0; i < 100; i++) {
			struct limn_job job = limn_store(&c, 0, i);

			limn_submit(c.fd, &job);
			/* The lists of 32 jobs have room, and those of queued ones must not change. */
			if (i % 32 == 31)
				limn_wait_idle(c.fd, c.target.handle);
		}
		limn_wait_idle(c.fd, c.target.handle);
		n = stats_of(&c, 0, all);
		igt_assert_eq_u32(n, DRM_LIMN_JOB_STATS_MAX);
		igt_assert_eq_u64(all[n - 1].id - all[0].id, n - 1);
		for (uint64_t next = 0; ; next = piece[count - 1].id + 1) {
			count = 5;
			igt_assert_eq(try_stats(c.fd, c.ctx, next, piece, &count), 0);
			if (!count)
				break;
			igt_assert(!memcmp(piece, all + at, count * sizeof(*piece)));
			at += count;
		}
		igt_assert_eq_u32(at, n);
		count = 0;
		igt_assert_eq(try_stats(c.fd, c.ctx, 0, NULL, &count), 0);
		limn_client_free(&c);
	}
}

igt_main
{
	igt_fixture {
		int fd = limn_open();

		limn_require(fd, DRM_LIMN_FEATURE_JOB_STATS);
		close(fd);
	}
	refusals();
	behaviour();
	overtaken();
	igt_fixture
		limn_check_gpu();
}
