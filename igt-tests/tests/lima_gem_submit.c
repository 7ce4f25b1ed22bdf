// SPDX-License-Identifier: MIT
#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <sys/mman.h>

#include "igt.h"
#include "lima_jobs.h"

#include <limn/utgard/regs.h>

IGT_TEST_DESCRIPTION("GEM_SUBMIT of the lima ABI: what it refuses, and that nothing of it happens then");

#define MARK 0xdeadu

static struct gpu_client c = { .fd = -1 };
static struct lima_job gp, pp;

static struct lima_job *job_of(uint32_t pipe)
{
	return pipe == LIMA_PIPE_GP ? &gp : &pp;
}

static const char *name_of(uint32_t pipe)
{
	return pipe == LIMA_PIPE_GP ? "gp" : "pp";
}

/* The errno of a request that must not run: its syncobj stays empty, the target as it was. */
static int try_bad(struct drm_lima_gem_submit *req)
{
	uint32_t fence = 0;
	int ret;

	if (!req->out_sync)
		req->out_sync = fence = syncobj_create(c.fd, 0);
	c.target.map[0] = MARK;
	c.target.map[5] = MARK;
	ret = gpu_try(c.fd, DRM_IOCTL_LIMA_GEM_SUBMIT, req);
	if (ret && fence)
		igt_assert_eq(gpu_fence_status(c.fd, fence), 0);
	if (fence) {
		/* What was wrongly accepted is not to disturb the next try. */
		if (!ret)
			syncobj_wait_err(c.fd, &fence, 1, gpu_time(gpu_timeout_ms() * 2000000ll), 0);
		syncobj_destroy(c.fd, fence);
		req->out_sync = 0;
	}
	igt_assert_eq(lima_try_wait(c.fd, c.target.handle, LIMA_GEM_WAIT_WRITE,
				    gpu_time(ret ? 0 : SEC_NS)), 0);
	if (ret) {
		igt_assert_eq_u32(c.target.map[0], MARK);
		igt_assert_eq_u32(c.target.map[5], MARK);
	}
	return ret;
}

/* The errno of pipe's job with one word of its frame replaced. */
static int try_frame(uint32_t pipe, unsigned int word, uint32_t value)
{
	struct lima_job job = *job_of(pipe);
	struct drm_lima_gem_submit req;
	uint32_t *words = (uint32_t *)&job.frame;

	words[word] = value;
	req = lima_job_args(&job);
	return try_bad(&req);
}

static unsigned int word_of_num_pp(void)
{
	return LIMA_PP_FRAME_REG_NUM;
}

static unsigned int word_of_lists(void)
{
	return (c.m450 ? offsetof(struct drm_lima_m450_pp_frame, plbu_array_address) :
			 offsetof(struct drm_lima_m400_pp_frame, plbu_array_address)) / 4;
}

static void refusals_of(uint32_t pipe)
{
	const char *name = name_of(pipe);

	igt_describe("EINVAL: frame_size is not the pipe's");
	igt_subtest_f("%s-bad-frame-size", name) {
		struct lima_job *job = job_of(pipe);
		const uint32_t sizes[] = { 0, 1, job->frame_size - 1, job->frame_size + 1,
					   job->frame_size - 4, job->frame_size + 4, UINT32_MAX };

		for (int i = 0; i < 7; i++) {
			struct drm_lima_gem_submit req = lima_job_args(job);

			req.frame_size = sizes[i];
			igt_assert_eq(try_bad(&req), -EINVAL);
		}
	}

	igt_describe("EINVAL: each flag but EXPLICIT_FENCE");
	igt_subtest_f("%s-bad-flags", name)
		for (int bit = 1; bit < 32; bit++) {
			struct drm_lima_gem_submit req = lima_job_args(job_of(pipe));

			req.flags = 1u << bit;
			igt_assert_eq(try_bad(&req), -EINVAL);
		}

	igt_describe("EINVAL: no BOs");
	igt_subtest_f("%s-no-bos", name) {
		struct drm_lima_gem_submit req = lima_job_args(job_of(pipe));

		req.nr_bos = 0;
		igt_assert_eq(try_bad(&req), -EINVAL);
	}

	igt_describe("EINVAL, E2BIG or ENOMEM: BOs in the millions, the array really there or not");
	igt_subtest_f("%s-too-many-bos", name) {
		static const uint32_t counts[] = { 4u << 20, 0x10000000, 0x20000000, 0x7fffffff, UINT32_MAX };

		for (int i = 0; i < 5; i++) {
			struct drm_lima_gem_submit req = lima_job_args(job_of(pipe));
			uint32_t real = counts[i] == 4u << 20 ? counts[i] : 0;
			void *bos = MAP_FAILED;
			int ret;

			if (real) {
				bos = mmap(NULL, real * 8ul, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
				igt_assert(bos != MAP_FAILED);
				req.bos = (uintptr_t)bos;
			}
			req.nr_bos = counts[i];
			ret = try_bad(&req);
			/* The handles in the array that is there are all 0. */
			igt_assert_f(ret == -EINVAL || ret == -E2BIG || ret == -ENOMEM ||
				     (real && ret == -ENOENT), "%u BOs: %d\n", counts[i], ret);
			if (real)
				munmap(bos, real * 8ul);
		}
	}

	igt_describe("EFAULT: arrays that are not, or only half, in memory");
	igt_subtest_f("%s-bad-pointers", name) {
		static const uint64_t bad[] = { 0, 8, 1ull << 63, UINT64_MAX - 7 };
		char *edge = mmap(NULL, 2 * PAGE_BYTES, PROT_READ | PROT_WRITE,
				  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		struct drm_lima_gem_submit req;

		for (int i = 0; i < 4; i++) {
			req = lima_job_args(job_of(pipe));
			req.bos = bad[i];
			igt_assert_eq(try_bad(&req), -EFAULT);
			req = lima_job_args(job_of(pipe));
			req.frame = bad[i];
			igt_assert_eq(try_bad(&req), -EFAULT);
		}
		munmap(edge + PAGE_BYTES, PAGE_BYTES);
		req = lima_job_args(job_of(pipe));
		req.bos = (uintptr_t)edge + PAGE_BYTES - 4;
		igt_assert_eq(try_bad(&req), -EFAULT);
		req = lima_job_args(job_of(pipe));
		req.frame = (uintptr_t)edge + PAGE_BYTES - 4;
		igt_assert_eq(try_bad(&req), -EFAULT);
		munmap(edge, PAGE_BYTES);
	}

	igt_describe("ENOENT: a context that is not there, stale, or another file's");
	igt_subtest_f("%s-bad-ctx", name) {
		struct drm_lima_gem_submit req = lima_job_args(job_of(pipe));
		int other = lima_open();

		req.ctx = lima_ctx_new(c.fd);
		igt_assert_eq(lima_try_ctx_free(c.fd, req.ctx), 0);
		igt_assert_eq(try_bad(&req), -ENOENT);
		req.ctx = UINT32_MAX;
		igt_assert_eq(try_bad(&req), -ENOENT);
		for (int i = 0; i < 8; i++)
			req.ctx = lima_ctx_new(other);
		igt_assert_eq(try_bad(&req), -ENOENT);
		close(other);
	}

	igt_describe("ENOENT: unknown or stale BO, first, last or all of them");
	igt_subtest_f("%s-bad-handle", name) {
		uint32_t stale = lima_create(c.fd, PAGE_BYTES, 0);
		const uint32_t bad[] = { 0, 0x1000, UINT32_MAX, stale };

		gem_close(c.fd, stale);
		for (int i = 0; i < 4; i++) {
			for (uint32_t at = 0; at < job_of(pipe)->nr_bos; at++) {
				struct lima_job job = *job_of(pipe);
				struct drm_lima_gem_submit req;

				job.bos[at].handle = bad[i];
				req = lima_job_args(&job);
				igt_assert_eq(try_bad(&req), -ENOENT);
			}
		}
	}

	igt_describe("EINVAL: BO flags beyond READ and WRITE");
	igt_subtest_f("%s-bad-bo-flags", name)
		for (int bit = 2; bit < 32; bit++) {
			struct lima_job job = *job_of(pipe);
			struct drm_lima_gem_submit req;

			job.bos[1].flags |= 1u << bit;
			req = lima_job_args(&job);
			igt_assert_eq(try_bad(&req), -EINVAL);
		}

	igt_describe("An error: the same BO twice");
	igt_subtest_f("%s-bo-twice", name) {
		struct lima_job job = *job_of(pipe);
		struct drm_lima_gem_submit req;
		int ret;

		lima_job_use(&job, &c.target, LIMA_SUBMIT_BO_READ);
		req = lima_job_args(&job);
		ret = try_bad(&req);
		igt_assert_f(ret == -EALREADY || ret == -EINVAL, "%d\n", ret);
	}

	igt_describe("ENOENT: syncobjs that are not there");
	igt_subtest_f("%s-bad-syncobj", name)
		for (int i = 0; i < 3; i++) {
			struct drm_lima_gem_submit req = lima_job_args(job_of(pipe));
			int ret;

			if (i < 2)
				req.in_sync[i] = 0x12345;
			else
				req.out_sync = 0x12345;
			ret = try_bad(&req);
			igt_assert_f(ret == -ENOENT, "syncobj %d: %d\n", i, ret);
		}

	igt_describe("EINVAL: an in syncobj that holds no fence");
	igt_subtest_f("%s-empty-syncobj", name) {
		uint32_t empty = syncobj_create(c.fd, 0);

		for (int i = 0; i < 2; i++) {
			struct drm_lima_gem_submit req = lima_job_args(job_of(pipe));

			req.in_sync[i] = empty;
			igt_assert_eq(try_bad(&req), -EINVAL);
		}
		syncobj_destroy(c.fd, empty);
	}
}

static void frame_refusals(void)
{
	igt_describe("EINVAL: a list or the heap ends before it starts");
	igt_subtest("gp-start-after-end") {
		for (unsigned int reg = 0; reg < 6; reg += 2) {
			uint32_t end = gp.frame.gp.frame[reg + 1];

			igt_assert_eq(try_frame(LIMA_PIPE_GP, reg, end + 8), -EINVAL);
			igt_assert_eq(try_frame(LIMA_PIPE_GP, reg, 0xfffffff8), -EINVAL);
		}
	}

	igt_describe("EINVAL: both lists are empty");
	igt_subtest("gp-nothing-to-do") {
		struct lima_job job = gp;
		struct drm_lima_gem_submit req;

		job.frame.gp.frame[GP_PLBUCL_END / 4] = job.frame.gp.frame[GP_PLBUCL_START / 4];
		req = lima_job_args(&job);
		igt_assert_eq(try_bad(&req), -EINVAL);
	}

	igt_describe("EINVAL: list addresses are not multiples of 8 bytes");
	igt_subtest("gp-unaligned")
		for (uint32_t off = 1; off < 8; off++)
			for (unsigned int reg = 0; reg < 4; reg++)
				igt_assert_eq(try_frame(LIMA_PIPE_GP, reg, gp.frame.gp.frame[reg] + off),
					      -EINVAL);

	igt_describe("EINVAL: no cores, or more than there are");
	igt_subtest("pp-bad-num-pp") {
		uint32_t num = lima_num_pp(c.fd);
		const uint32_t bad[] = { 0, num + 1, 8 + 1, 0x80000000 + num, UINT32_MAX };

		for (int i = 0; i < 5; i++)
			igt_assert_eq(try_frame(LIMA_PIPE_PP, word_of_num_pp(), bad[i]), -EINVAL);
	}

	igt_describe("EINVAL: a core's tile list is not at a multiple of 8 bytes");
	igt_subtest("pp-unaligned")
		for (uint32_t core = 0; core < c.num_pp; core++)
			for (uint32_t off = 1; off < 8; off++)
				igt_assert_eq(try_frame(LIMA_PIPE_PP, word_of_lists() + core,
							((uint32_t *)&pp.frame)[word_of_lists() + core] + off),
					      -EINVAL);

	igt_describe("EINVAL: pad of the Mali-450 frame");
	igt_subtest("pp-bad-pad") {
		igt_require(c.m450);
		igt_assert_eq(try_frame(LIMA_PIPE_PP,
					offsetof(struct drm_lima_m450_pp_frame, _pad) / 4, 1), -EINVAL);
	}
}

igt_main
{
	igt_fixture {
		c = lima_client_new();
		gp = lima_gp_store(&c, 5, 0x600d);
		pp = lima_pp_clear(&c, 0x600d);
	}

	igt_describe("EINVAL: a pipe that does not exist");
	igt_subtest("bad-pipe") {
		static const uint32_t bad[] = { 2, 3, 0x80000000, UINT32_MAX };

		for (int i = 0; i < 4; i++) {
			struct drm_lima_gem_submit req = lima_job_args(&gp);

			req.pipe = bad[i];
			igt_assert_eq(try_bad(&req), -EINVAL);
		}
	}

	igt_describe("EFAULT: the argument is not in memory");
	igt_subtest("bad-pointer")
		igt_assert_eq(gpu_try(c.fd, DRM_IOCTL_LIMA_GEM_SUBMIT, (void *)8), -EFAULT);

	refusals_of(LIMA_PIPE_GP);
	refusals_of(LIMA_PIPE_PP);
	frame_refusals();

	igt_describe("After all of that, both pipes work");
	igt_subtest("still-works")
		lima_check_works(&c);

	igt_fixture
		lima_client_free(&c);
}
