// SPDX-License-Identifier: MIT
#include <errno.h>

#include "igt.h"
#include "lima_jobs.h"
#include "gpu_sys.h"

IGT_TEST_DESCRIPTION("fdinfo: what a file's jobs cost and its BOs hold (drm-usage-stats)");

static void engine_time(const char *key, struct lima_job (*make)(struct gpu_client *c, uint32_t value),
			const char *other_key)
{
	struct gpu_client c = lima_client_new(), idle = lima_client_new();
	int64_t before = gpu_fdinfo(c.fd, key), other = gpu_fdinfo(c.fd, other_key), quiet;

	igt_assert(before >= 0);
	quiet = gpu_fdinfo(idle.fd, key);
	for (uint32_t i = 0; i < 20; i++) {
		struct lima_job job = make(&c, i);
		int64_t now;

		igt_assert_eq(lima_run(c.fd, &job), 0);
		now = gpu_fdinfo(c.fd, key);
		igt_assert_f(now > before, "%s stays at %lld ns\n", key, (long long)now);
		/* One job at a time: not more than has passed since the start of this machine. */
		igt_assert(now < gpu_time(0));
		before = now;
	}
	igt_assert_eq_u64(gpu_fdinfo(c.fd, other_key), other);
	igt_assert_eq_u64(gpu_fdinfo(idle.fd, key), quiet);
	lima_client_free(&c);
	lima_client_free(&idle);
}

static struct lima_job store(struct gpu_client *c, uint32_t value)
{
	return lima_gp_long(c, 0, value);
}

igt_main
{
	igt_fixture {
		char text[64];
		int fd = lima_open();

		igt_require_f(gpu_fdinfo_text(fd, "drm-driver", text, sizeof(text)), "no DRM fdinfo\n");
		close(fd);
	}

	igt_describe("Driver name, client id; two files are two clients");
	igt_subtest("client") {
		int a = lima_open(), b = lima_open();
		char text[64];

		igt_assert(gpu_fdinfo_text(a, "drm-driver", text, sizeof(text)));
		igt_assert(!strcmp(text, "lima"));
		igt_assert(gpu_fdinfo(a, "drm-client-id") > 0);
		igt_assert(gpu_fdinfo(a, "drm-client-id") != gpu_fdinfo(b, "drm-client-id"));
		close(a);
		close(b);
	}

	igt_describe("GP time grows with each GP job of this file, and only then");
	igt_subtest("engine-gp")
		engine_time("drm-engine-gp", store, "drm-engine-pp");

	igt_describe("PP time grows with each PP job of this file, and only then");
	igt_subtest("engine-pp")
		engine_time("drm-engine-pp", lima_pp_clear, "drm-engine-gp");

	igt_describe("Memory: total and resident follow BOs, shared counts exported ones");
	igt_subtest("memory") {
		int fd = lima_open(), other = lima_open(), dma_buf;
		int64_t total = gpu_fdinfo(fd, "drm-total-memory");
		struct gpu_bo bo;

		igt_assert(total >= 0);
		bo = lima_bo_new(fd, 1 << 20);
		igt_assert_eq_u64(gpu_fdinfo(fd, "drm-total-memory"), total + (1 << 20));
		igt_assert(gpu_fdinfo(fd, "drm-resident-memory") >= 1 << 20);
		igt_assert_eq_u64(gpu_fdinfo(fd, "drm-shared-memory"), 0);
		dma_buf = prime_handle_to_fd(fd, bo.handle);
		prime_fd_to_handle(other, dma_buf);
		igt_assert_eq_u64(gpu_fdinfo(fd, "drm-shared-memory"), 1 << 20);
		igt_assert_eq_u64(gpu_fdinfo(other, "drm-shared-memory"), 1 << 20);
		close(dma_buf);
		close(other);
		gpu_bo_free(&bo);
		igt_assert_eq_u64(gpu_fdinfo(fd, "drm-total-memory"), total);
		close(fd);
	}

	igt_describe("A heap counts as resident what is behind it, not its bound");
	igt_subtest("memory-heap") {
		int fd = lima_open();
		struct gpu_bo heap = lima_bo_heap(fd, 16 << 20);

		igt_assert_eq_u64(gpu_fdinfo(fd, "drm-total-memory"), 16 << 20);
		igt_assert(gpu_fdinfo(fd, "drm-resident-memory") < 1 << 20);
		gpu_bo_free(&heap);
		close(fd);
	}

	igt_describe("A BO is active while a job of it waits or runs");
	igt_subtest("memory-active") {
		struct gpu_client c = lima_client_new();
		struct gpu_gate gate = gpu_gate_new(c.fd);
		struct lima_job job = lima_gp_store(&c, 0, 1);
		uint32_t fence;

		igt_assert(gpu_fdinfo(c.fd, "drm-active-memory") <= 0);	/* 7.x leaves a 0 out */
		job.in_sync[0] = gate.syncobj;
		fence = lima_submit_fence(c.fd, &job);
		igt_assert(gpu_fdinfo(c.fd, "drm-active-memory") >= c.target.size);
		gpu_gate_open(&gate);
		igt_assert_eq(gpu_fence_end(c.fd, fence, 0), 0);
		igt_assert(gpu_fdinfo(c.fd, "drm-active-memory") <= 0);	/* 7.x leaves a 0 out */
		gpu_gate_free(c.fd, &gate);
		lima_client_free(&c);
	}
}
