// SPDX-License-Identifier: MIT
#include <errno.h>

#include "igt.h"
#include "lima_jobs.h"

IGT_TEST_DESCRIPTION("CTX_CREATE and CTX_FREE of the lima ABI");

static int fd = -1;

igt_main
{
	igt_fixture
		fd = lima_open();

	igt_describe("EINVAL: free of a context that is not there, any more, or another file's");
	igt_subtest("free-bad-id") {
		int other = lima_open();
		uint32_t id = lima_ctx_new(fd);

		igt_assert_eq(lima_try_ctx_free(fd, id + 1000), -EINVAL);
		igt_assert_eq(lima_try_ctx_free(fd, UINT32_MAX), -EINVAL);
		igt_assert_eq(lima_try_ctx_free(other, id), -EINVAL);
		igt_assert_eq(lima_try_ctx_free(fd, id), 0);
		igt_assert_eq(lima_try_ctx_free(fd, id), -EINVAL);
		close(other);
	}

	igt_describe("EINVAL: pad of CTX_FREE is not zero; the context stays");
	igt_subtest("free-bad-pad") {
		uint32_t id = lima_ctx_new(fd);

		for (int bit = 0; bit < 32; bit++) {
			struct drm_lima_ctx_free req = { .id = id, ._pad = 1u << bit };

			igt_assert_eq(gpu_try(fd, DRM_IOCTL_LIMA_CTX_FREE, &req), -EINVAL);
		}
		igt_assert_eq(lima_try_ctx_free(fd, id), 0);
	}

	igt_describe("EFAULT: the argument is not in memory");
	igt_subtest("bad-pointer") {
		igt_assert_eq(gpu_try(fd, DRM_IOCTL_LIMA_CTX_CREATE, (void *)8), -EFAULT);
		igt_assert_eq(gpu_try(fd, DRM_IOCTL_LIMA_CTX_FREE, (void *)8), -EFAULT);
	}

	igt_describe("Ids of living contexts differ; those of one file are not another's");
	igt_subtest("ids") {
		uint32_t id[64];

		for (int i = 0; i < 64; i++) {
			id[i] = lima_ctx_new(fd);
			for (int k = 0; k < i; k++)
				igt_assert_neq_u32(id[i], id[k]);
		}
		for (int i = 0; i < 64; i++)
			igt_assert_eq(lima_try_ctx_free(fd, id[i]), 0);
	}

	igt_describe("A thousand contexts, each with a job");
	igt_subtest("many") {
		enum { N = 1000 };
		struct gpu_client c = lima_client_new();
		static uint32_t id[N];

		for (uint32_t i = 0; i < N; i++) {
			struct lima_job job = lima_gp_store(&c, i, i + 1);

			id[i] = job.ctx = lima_ctx_new(c.fd);
			lima_submit(c.fd, &job);
			if (i % 16 == 15)
				lima_wait_idle(c.fd, c.target.handle);
		}
		lima_wait_idle(c.fd, c.target.handle);
		for (uint32_t i = 0; i < N; i++)
			igt_assert_eq_u32(c.target.map[i], i + 1);
		for (uint32_t i = 0; i < N; i++)
			igt_assert_eq(lima_try_ctx_free(c.fd, id[i]), 0);
		lima_client_free(&c);
	}

	igt_describe("A context freed at once after its submit: its job still ends");
	igt_subtest("free-with-work") {
		struct gpu_client c = lima_client_new();

		for (int i = 0; i < 20; i++) {
			struct lima_job job = lima_gp_store(&c, 1, 100 + i);
			uint32_t fence;

			job.ctx = lima_ctx_new(c.fd);
			fence = lima_submit_fence(c.fd, &job);
			igt_assert_eq(lima_try_ctx_free(c.fd, job.ctx), 0);
			/* Run or thrown away, but not for ever open. */
			gpu_fence_end(c.fd, fence, 0);
		}
		lima_check_works(&c);
		lima_client_free(&c);
	}

	igt_describe("A context freed while a job of it waits for a fence");
	igt_subtest("free-with-waiting-work") {
		struct gpu_client c = lima_client_new();
		struct gpu_gate gate = gpu_gate_new(c.fd);
		struct lima_job job = lima_gp_store(&c, 1, 1);
		uint32_t fence;

		job.ctx = lima_ctx_new(c.fd);
		job.in_sync[0] = gate.syncobj;
		fence = lima_submit_fence(c.fd, &job);
		igt_assert_eq(lima_try_ctx_free(c.fd, job.ctx), 0);
		gpu_gate_open(&gate);
		gpu_fence_end(c.fd, fence, 0);
		gpu_gate_free(c.fd, &gate);
		lima_check_works(&c);
		lima_client_free(&c);
	}

	igt_fixture
		close(fd);
}
