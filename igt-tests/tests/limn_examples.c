// SPDX-License-Identifier: MIT
#include <errno.h>
#include <sys/mman.h>

#include <drm/lima_drm.h>

#include "igt.h"
#include "lima_jobs.h"
#include "limn_list.h"

/* The very files that Documentation/gpu/limn/uapi.rst shows; that folder has to be on the include path. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#include "examples/bo_create.c"
#include "examples/bo_info.c"
#include "examples/bo_label.c"
#include "examples/bo_madvise.c"
#include "examples/bo_sync.c"
#include "examples/bo_userptr.c"
#include "examples/ctx_create.c"
#include "examples/ctx_free.c"
#include "examples/ctx_query.c"
#include "examples/get_param.c"
#include "examples/job_stats.c"
#include "examples/perf_domain.c"
#include "examples/perf_signal.c"
#include "examples/perfmon_create.c"
#include "examples/perfmon_destroy.c"
#include "examples/perfmon_read.c"
#include "examples/submit.c"

IGT_TEST_DESCRIPTION("The examples of the documentation do what they say");

static struct gpu_client c = { .fd = -1 };

static void run_frame(uint32_t ctx, uint64_t *first_id)
{
	struct lima_job gp = lima_gp_store(&c, 0, 0x11), pp = lima_pp_clear(&c, 0x22);
	uint32_t fence = syncobj_create(c.fd, 0);
	__u64 id;

	igt_assert_eq(example_submit_frame(c.fd, ctx, &gp.frame.gp, &pp.frame.m400, c.lists.handle,
					   c.target.handle, fence, &id), 0);
	igt_assert_eq(gpu_fence_end(c.fd, fence, 0), 0);
	limn_check_picture(&c, 0x22);
	*first_id = id;
}

static void memory(void)
{
	igt_subtest("memory") {
		static const char data[] = "what the GPU is to read";
		__u64 size, va = limn_param(c.fd, DRM_LIMN_PARAM_VA_START) + (64 << 20);
		__u32 handle;
		char *map;

		igt_assert_eq(example_bo_create(c.fd, 5000, va, &handle), 0);
		igt_assert_eq_u64(limn_bo_info(c.fd, handle).va, va);
		map = example_bo_map(c.fd, handle, &size);
		igt_assert(map != MAP_FAILED);
		igt_assert_eq_u64(size, 8192);
		igt_assert_eq(example_bo_fill(c.fd, handle, map, data, sizeof(data)), 0);
		igt_assert(!strcmp(map, data));
		igt_assert_eq(example_bo_label(c.fd, handle, "an example"), 0);
		igt_assert_eq(example_cache_put(c.fd, handle), 1);
		igt_assert_eq(example_cache_get(c.fd, handle), 1);
		munmap(map, size);
		gem_close(c.fd, handle);
	}

	igt_subtest("userptr") {
		void *pages = mmap(NULL, 8192, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		__u32 handle;
		__u64 va;
		int ret = example_bo_userptr(c.fd, pages, 8192, &handle, &va);

		if (limn_can_fault(&c)) {
			igt_assert_eq(ret, 0);
			igt_assert_eq_u64(limn_bo_info(c.fd, handle).va, va);
			gem_close(c.fd, handle);
		} else {
			igt_assert_eq(ret, -EOPNOTSUPP);
		}
		munmap(pages, 8192);
	}
}

static void jobs(void)
{
	igt_subtest("context") {
		struct drm_limn_ctx_query seen = { 0 };
		struct limn_job job = limn_failing(&c, 0);
		__u32 ctx;

		igt_assert_eq(example_ctx_create(c.fd, &ctx), 0);
		igt_assert_eq(example_reset_status(c.fd, ctx, &seen), DRM_LIMN_RESET_NONE);
		job.ctx = ctx;
		igt_assert_eq(limn_run(c.fd, &job), limn_fail_error(&c));
		igt_assert_eq(example_reset_status(c.fd, ctx, &seen), DRM_LIMN_RESET_GUILTY);
		igt_assert_eq(example_reset_status(c.fd, ctx, &seen), DRM_LIMN_RESET_NONE);
		igt_assert_eq(example_ctx_free(c.fd, ctx), 0);
		igt_assert_eq(example_ctx_free(c.fd, ctx), -ENOENT);
	}

	igt_subtest("frame") {
		uint32_t ctx = limn_ctx_new(c.fd, 0, 0);
		uint64_t id;

		igt_require_f(limn_is_utgard(&c) && !c.m450, "it is for a Mali-400\n");
		run_frame(ctx, &id);
		igt_assert_eq_u64(id, 1);
		igt_assert(example_job_time(c.fd, ctx, id) > 0);
		igt_assert(example_job_time(c.fd, ctx, id + 1) > 0);
		igt_assert_eq(example_job_time(c.fd, ctx, id + 2), 0);
		limn_ctx_free(c.fd, ctx);
	}

	igt_subtest("perfmon") {
		const char *domain = limn_is_utgard(&c) ? "gp" : "HI";
		const char *name = limn_is_utgard(&c) ? "64-bit words written" : "TOTAL_CYCLES";
		struct drm_limn_perf_counter counter;
		struct limn_job job = limn_store(&c, 0, 1);
		__u64 value, count;
		__u32 perfmon;
		int number;

		number = example_perf_domain(c.fd, domain);
		igt_require(number >= 0);
		igt_assert_eq(example_perf_domain(c.fd, "no such domain"), -EINVAL);
		igt_assert_eq(example_perf_signal(c.fd, number, name, &counter), 0);
		igt_assert_eq(example_perf_signal(c.fd, number, "no such signal", &counter), -EINVAL);
		igt_assert_eq(example_perfmon_create(c.fd, &counter, 1, &perfmon), 0);
		job.perfmon = perfmon;
		igt_assert_eq(limn_run(c.fd, &job), 0);
		igt_assert_eq(example_perfmon_read(c.fd, perfmon, &value, 1, &count), 0);
		igt_assert_eq_u64(count, 1);
		igt_assert(value);
		igt_assert_eq(example_perfmon_destroy(c.fd, perfmon), 0);
	}
}

igt_main
{
	igt_fixture {
		c = limn_client_new();
		igt_require(example_has_features(c.fd, DRM_LIMN_FEATURE_SUBMIT | DRM_LIMN_FEATURE_CTX |
						       DRM_LIMN_FEATURE_BO | DRM_LIMN_FEATURE_PERFMON));
		igt_assert(!example_has_features(c.fd, 1ull << 63));
	}
	memory();
	jobs();
	igt_fixture
		limn_client_free(&c);
}
