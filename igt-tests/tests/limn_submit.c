// SPDX-License-Identifier: MIT
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <xf86drm.h>

#include <drm/lima_drm.h>

#include <limn/vivante/cmdstream.h>

#include "igt.h"
#include "gpu_sys.h"
#include "limn_list.h"

IGT_TEST_DESCRIPTION("SUBMIT: what it refuses, several jobs at once, all or none");

#define BAD_POINTER	0x10ull

static struct gpu_client c = { .fd = -1 };
static struct limn_list l;	/* a frame, spoiled by each test in its own way */
static uint32_t first_fence;
static struct gpu_bo spare;	/* so that there is a second one to spoil */

/* A good GP job that everybody can see the traces of, and a PP job to be spoiled. */
static void fill(void)
{
	c.target.map[0] = 0;
	limn_list_frame(&l, &c, 0xbad);
	if (l.args.bos.count == 1)
		l.bo[l.args.bos.count++].handle = spare.handle;
	first_fence = syncobj_create(c.fd, 0);
	limn_list_out(&l, 0, 0, first_fence, 0);
}

/* The list as it is now must be refused, and nothing of it may happen. */
static void refused(int error)
{
	l.args.first_id = 0x7777;
	igt_assert_eq(limn_try_list(c.fd, &l), error);
	igt_assert_eq_u64(l.args.first_id, 0x7777);
	/* No fence: so there is no job either. */
	igt_assert_eq(gpu_fence_status(c.fd, first_fence), 0);
	syncobj_destroy(c.fd, first_fence);
	igt_assert_eq(limn_try_wait(c.fd, c.target.handle, true, 0), 0);
	igt_assert_eq_u32(c.target.map[0], 0);
}

/* One field of the argument, of a job, of a BO, of a sync has a wrong value. */
#define refuse(error, field, value) do { \
	fill(); \
	(field) = (value); \
	refused(error); \
} while (0)

/* The last job gets a sync each way, for tests to spoil. */
#define refuse_in(error, flags, handle, point) do { \
	fill(); \
	limn_list_in(&l, 1, flags, handle, point); \
	refused(error); \
} while (0)
#define refuse_out(error, flags, handle, point) do { \
	fill(); \
	limn_list_out(&l, 1, flags, handle, point); \
	refused(error); \
} while (0)

static void refusals_numbers(void)
{
	igt_describe("EINVAL: flags and pads, of the ioctl, of a job, of a BO");
	igt_subtest("bad-flags") {
		for (int bit = 1; bit < 32; bit++)
			refuse(-EINVAL, l.args.flags, 1u << bit);
		for (int bit = 0; bit < 32; bit++) {
			refuse(-EINVAL, l.job[1].flags, 1u << bit);
			if (bit)
				refuse(-EINVAL, l.bo[1].flags, 1u << bit);
		}
	}

	igt_describe("EINVAL: no jobs, no BOs, too many");
	igt_subtest("bad-counts") {
		refuse(-EINVAL, l.args.jobs.count, 0);
		refuse(-EINVAL, l.args.jobs.count, 33);
		refuse(-EINVAL, l.args.jobs.count, ~0u);
		refuse(-EINVAL, l.args.bos.count, 0);
		refuse(-EINVAL, l.args.bos.count, limn_param(c.fd, DRM_LIMN_PARAM_MAX_BOS) + 1);
		refuse(-EINVAL, l.args.bos.count, ~0u);
		refuse(-EINVAL, l.job[1].in_syncs.count, limn_param(c.fd, DRM_LIMN_PARAM_MAX_SYNCS) + 1);
		refuse(-EINVAL, l.job[1].out_syncs.count, limn_param(c.fd, DRM_LIMN_PARAM_MAX_SYNCS) + 1);
		refuse(-EINVAL, l.job[1].in_syncs.count, ~0u);
		refuse(-EINVAL, l.job[1].out_syncs.count, ~0u);
	}

	igt_describe("EINVAL: a stride that is too small, uneven, or beyond reason");
	igt_subtest("bad-stride") {
		struct drm_limn_array *const arrays[] = {
			&l.args.jobs, &l.args.bos, &l.job[1].in_syncs, &l.job[1].out_syncs,
		};

		for (int i = 0; i < 4 * 5; i++) {
			struct drm_limn_array *array = arrays[i % 4];

			fill();
			limn_list_in(&l, 1, 0, first_fence, 0);
			limn_list_out(&l, 1, 0, first_fence, 0);
			array->stride = (const uint32_t[]){
				0, array->stride - 8, array->stride + 4, 1 << 20, ~0u & ~7u,
			}[i / 4];
			refused(-EINVAL);
		}
	}

	igt_describe("E2BIG: a field that this kernel does not know is set; zero is fine");
	igt_subtest("unknown-field") {
		struct { struct drm_limn_job job; uint64_t more; } jobs[2];

		for (int i = 0; i < 2; i++) {
			fill();
			for (int n = 0; n < 2; n++) {
				jobs[n].job = l.job[n];
				jobs[n].more = 0;
			}
			l.args.jobs.ptr = (uintptr_t)jobs;
			l.args.jobs.stride = sizeof(jobs[0]);
			if (!i) {
				jobs[1].more = 1ull << 40;
				refused(-E2BIG);
				continue;
			}
			limn_submit_list(c.fd, &l);
			igt_assert_eq(gpu_fence_end(c.fd, first_fence, 0), 0);
			limn_wait_idle(c.fd, c.target.handle);
		}
	}

	igt_describe("E2BIG: the same of a BO and of a sync");
	igt_subtest("unknown-field-bo") {
		struct { struct drm_limn_submit_bo bo; uint64_t more; } bos[LIMN_LIST_BOS] = { 0 };
		struct { struct drm_limn_sync sync; uint64_t more; } sync = { .more = 1 };

		for (int i = 0; i < 3; i++) {
			fill();
			for (uint32_t n = 0; n < l.args.bos.count; n++)
				bos[n].bo = l.bo[n];
			l.args.bos = (struct drm_limn_array)DRM_LIMN_ARRAY(bos, l.args.bos.count);
			l.job[1].out_syncs = (struct drm_limn_array)DRM_LIMN_ARRAY(&sync, 1);
			sync.sync.handle = first_fence;
			bos[1].more = i == 0;
			sync.more = i == 1;
			if (i < 2) {
				refused(-E2BIG);
				continue;
			}
			limn_submit_list(c.fd, &l);
			igt_assert_eq(gpu_fence_end(c.fd, first_fence, 0), 0);
			limn_wait_idle(c.fd, c.target.handle);
		}
	}

	igt_describe("EINVAL: a queue that is not there, an exec_state, a wrong size, a frame that is refused");
	igt_subtest("bad-job") {
		refuse(-EINVAL, l.job[1].queue, limn_param(c.fd, DRM_LIMN_PARAM_NUM_QUEUES));
		refuse(-EINVAL, l.job[1].queue, ~0u);
		refuse(-EINVAL, l.job[1].exec_state, 7);
		refuse(-EINVAL, l.job[1].cmd_size, l.job[1].cmd_size - 4);
		refuse(-EINVAL, l.job[1].cmd_size, l.job[1].cmd_size + 3);
		refuse(-EINVAL, l.job[1].cmd_size, ~0u);
	}

	igt_describe("EINVAL: a frame of the other queue, without cores, with an unaligned address; Utgard's");
	igt_subtest("bad-frame") {
		igt_require(limn_is_utgard(&c));
		refuse(-EINVAL, l.job[1].queue, limn_queue(&c, 0));
		refuse(-EINVAL, l.job[1].cmd_size, 0);
		refuse(-EINVAL, l.job[1].cmd_size, l.job[1].cmd_size + 4);
		refuse(-EINVAL, l.job[1].exec_state, 1);
		refuse(-EINVAL, l.words[1][(c.m450 ? offsetof(struct drm_lima_m450_pp_frame, num_pp) :
					    offsetof(struct drm_lima_m400_pp_frame, num_pp)) / 4], 0);
		refuse(-EINVAL, l.words[0][0], 4);
	}

	igt_describe("EINVAL: commands and states that are not a client's, all streams too long; Vivante's");
	igt_subtest("bad-stream") {
		uint32_t *words = l.words[1];

		igt_require(!limn_is_utgard(&c));
		refuse(-EINVAL, words[0], VIV_FE_COMMAND(END));
		refuse(-EINVAL, words[0], VIV_FE_COMMAND(LINK) | 2);
		refuse(-EINVAL, words[0], VIV_FE_COMMAND(WAIT) | 200);
		refuse(-EINVAL, words[0], VIV_FE_COMMAND(LOAD_STATE) | 1 << 16 | VIVS_GL_EVENT / 4);
		refuse(-EINVAL, words[0], VIV_FE_COMMAND(LOAD_STATE));	/* 1024 of them */
	}

	igt_describe("EINVAL: more than 1 MiB of sound streams; as much as that is taken");
	igt_subtest("stream-sum") {
		static uint32_t nops[32768];

		igt_require(!limn_is_utgard(&c));
		for (uint32_t i = 0; i < 32768; i += 2)
			nops[i] = VIV_FE_COMMAND(NOP);
		for (uint32_t num = 9; num >= 8; num--) {
			fill();
			l.job[1].wait_jobs = 0;
			for (uint32_t n = 0; n < num; n++) {
				l.job[n] = l.job[1];
				l.job[n].cmd = (uintptr_t)nops;
				l.job[n].cmd_size = n < 8 ? sizeof(nops) : 8;
			}
			l.args.jobs.count = num;
			if (num == 9)
				refused(-EINVAL);
		}
		igt_assert_eq(limn_try_list(c.fd, &l), 0);
		limn_wait_idle(c.fd, c.target.handle);
		syncobj_destroy(c.fd, first_fence);
	}

	igt_describe("EINVAL: an address outside of the job's BOs, where nothing but the checker keeps it away");
	igt_subtest("bad-address") {
		igt_require(!limn_can_fault(&c));
		fill();
		for (uint32_t i = 0; i < l.job[1].cmd_size / 4; i++)
			if (l.words[1][i] == c.target.va)
				l.words[1][i] = 4096;
		refused(-EINVAL);
	}

	igt_describe("EINVAL: a job that waits for itself, for a later one: so there are no cycles");
	igt_subtest("bad-wait-jobs") {
		refuse(-EINVAL, l.job[0].wait_jobs, 1);
		refuse(-EINVAL, l.job[0].wait_jobs, 2);
		refuse(-EINVAL, l.job[1].wait_jobs, 2);
		refuse(-EINVAL, l.job[1].wait_jobs, 3);
		refuse(-EINVAL, l.job[1].wait_jobs, 1u << 31);
	}

	igt_describe("EINVAL: a BO that is used by a job that is not there");
	igt_subtest("bad-bo-jobs")
		for (int bit = 2; bit < 32; bit++) {
			refuse(-EINVAL, l.bo[1].read, 1u << bit);
			refuse(-EINVAL, l.bo[1].write, 1u << bit);
		}
}

static void refusals_things(void)
{
	igt_describe("ENOENT: context, BO, syncobj, perfmon; also those of another file");
	igt_subtest("no-such") {
		uint32_t ctx = limn_ctx_new(c.fd, 0, 0);

		limn_ctx_free(c.fd, ctx);
		refuse(-ENOENT, l.args.ctx, ctx);
		refuse(-ENOENT, l.args.ctx, ~0u);
		refuse(-ENOENT, l.bo[1].handle, 0);
		refuse(-ENOENT, l.bo[1].handle, 0x7777);
		refuse(-ENOENT, l.job[1].perfmon, 0x7777);
		refuse_in(-ENOENT, 0, 0, 0);
		refuse_in(-ENOENT, 0, 0x7777, 0);
		refuse_in(-ENOENT, DRM_LIMN_SYNC_WAIT_FOR_SUBMIT, 0x7777, 0);
		refuse_out(-ENOENT, 0, 0, 0);
		refuse_out(-ENOENT, 0, 0x7777, 0);
		refuse_out(-ENOENT, 0, 0x7777, 3);
	}

	igt_describe("EALREADY: a BO is listed twice");
	igt_subtest("bo-twice") {
		fill();
		l.bo[l.args.bos.count++] = l.bo[0];
		refused(-EALREADY);
	}

	igt_describe("EFAULT: each pointer");
	igt_subtest("bad-pointers") {
		refuse(-EFAULT, l.args.jobs.ptr, BAD_POINTER);
		refuse(-EFAULT, l.args.jobs.ptr, ~0ull - 7);
		refuse(-EFAULT, l.args.bos.ptr, BAD_POINTER);
		refuse(-EFAULT, l.args.bos.ptr, 0);
		refuse(-EFAULT, l.job[1].cmd, BAD_POINTER);
		fill();
		limn_list_in(&l, 1, 0, first_fence, 0);
		l.job[1].in_syncs.ptr = BAD_POINTER;
		refused(-EFAULT);
		fill();
		limn_list_out(&l, 1, 0, first_fence, 0);
		l.job[1].out_syncs.ptr = BAD_POINTER;
		refused(-EFAULT);
	}

	igt_describe("EFAULT: an array that ends where nothing is, and a sync that cannot be written");
	igt_subtest("bad-ends") {
		char *page = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		struct drm_limn_sync *out;

		igt_assert(page != MAP_FAILED);
		igt_assert_eq(munmap(page + 4096, 4096), 0);
		fill();
		memcpy(page + 4096 - sizeof(l.job[0]), &l.job[0], sizeof(l.job[0]));
		l.args.jobs.ptr = (uintptr_t)page + 4096 - sizeof(l.job[0]);
		refused(-EFAULT);
		fill();
		out = (void *)(page + 4096 - sizeof(*out));
		*out = (struct drm_limn_sync){ .flags = DRM_LIMN_SYNC_FD };
		l.job[1].out_syncs.ptr = (uintptr_t)out;
		l.job[1].out_syncs.count = 1;
		igt_assert_eq(mprotect(page, 4096, PROT_READ), 0);
		refused(-EFAULT);
		igt_assert_eq_u32(out->handle, 0);
		munmap(page, 4096);
	}

	igt_describe("EINVAL: syncs with unknown flags, flags that do not go together, the wrong kind of file");
	igt_subtest("bad-syncs") {
		uint32_t signalled = syncobj_create(c.fd, DRM_SYNCOBJ_CREATE_SIGNALED);
		uint32_t empty = syncobj_create(c.fd, 0);
		int file;

		for (int bit = 2; bit < 32; bit++) {
			refuse_in(-EINVAL, 1u << bit, signalled, 0);
			refuse_out(-EINVAL, 1u << bit, signalled, 0);
		}
		refuse_out(-EINVAL, DRM_LIMN_SYNC_WAIT_FOR_SUBMIT, signalled, 0);
		refuse_out(-EINVAL, DRM_LIMN_SYNC_FD, 0, 1);
		refuse_in(-EINVAL, DRM_LIMN_SYNC_FD, c.fd, 0);
		refuse_in(-EINVAL, DRM_LIMN_SYNC_FD, ~0u, 0);
		/* A file that would do. */
		igt_assert_eq(drmSyncobjExportSyncFile(c.fd, signalled, &file), 0);
		refuse_in(-EINVAL, DRM_LIMN_SYNC_FD | DRM_LIMN_SYNC_WAIT_FOR_SUBMIT, file, 0);
		refuse_in(-EINVAL, DRM_LIMN_SYNC_FD, file, 1);
		close(file);
		refuse_in(-EINVAL, 0, empty, 0);
		refuse_in(-EINVAL, 0, empty, 5);
		/* Not even by this very submit. */
		fill();
		limn_list_in(&l, 1, 0, first_fence, 0);
		refused(-EINVAL);
		syncobj_destroy(c.fd, signalled);
		syncobj_destroy(c.fd, empty);
	}

	igt_describe("EMFILE: no descriptor left for the last of the fences, and none was used up");
	igt_subtest("no-descriptors") {
		struct rlimit old, few;
		int next = dup(c.fd);

		igt_assert_eq(getrlimit(RLIMIT_NOFILE, &old), 0);
		close(next);
		few = old;
		few.rlim_cur = next + 2;
		fill();
		for (int i = 0; i < 3; i++)
			limn_list_out(&l, 1, DRM_LIMN_SYNC_FD, 0, 0);
		igt_assert_eq(setrlimit(RLIMIT_NOFILE, &few), 0);
		igt_assert_eq(limn_try_list(c.fd, &l), -EMFILE);
		igt_assert_eq(setrlimit(RLIMIT_NOFILE, &old), 0);
		/* Now that there is room: bad for another reason, and no descriptor is left behind. */
		l.job[1].flags = 1;
		refused(-EINVAL);
		igt_assert_eq(dup(c.fd), next);
		close(next);
	}

	igt_describe("ENXIO: a BO whose memory was taken back");
	igt_subtest("purged") {
		struct gpu_bo bo = limn_bo_new(c.fd, 1 << 20, 0, 0);

		limn_require(c.fd, DRM_LIMN_FEATURE_MADVISE);
		igt_assert_eq(limn_try_madvise(c.fd, bo.handle, DRM_LIMN_MADV_DONTNEED), 1);
		limn_drop_slab();
		igt_require(limn_try_madvise(c.fd, bo.handle, DRM_LIMN_MADV_WILLNEED) == 0);
		fill();
		l.bo[l.args.bos.count++] = (struct drm_limn_submit_bo){ .handle = bo.handle };
		refused(-ENXIO);
		gpu_bo_free(&bo);
	}
}

static double try_list_s(int error)
{
	struct timespec from, to;

	clock_gettime(CLOCK_MONOTONIC, &from);
	igt_assert_eq(limn_try_list(c.fd, &l), error);
	clock_gettime(CLOCK_MONOTONIC, &to);
	return to.tv_sec - from.tv_sec + (to.tv_nsec - from.tv_nsec) * 1e-9;
}

/*
 * MMUv1, where each address is looked up: as many words as one ioctl takes, nearly
 * all of them addresses in the last of many BOs; the very last word is none.
 */
static void many_addresses(void)
{
	enum { BOS = 8000, JOBS = 8, WORDS = (128 << 10) / 4, RUN = 16 * 14 };
	struct drm_limn_submit_bo *bos = calloc(BOS, sizeof(*bos));
	uint32_t *words = calloc(WORDS, 4), at = 0;
	double without, with;

	igt_require(!limn_is_utgard(&c) && !limn_can_fault(&c));
	igt_assert(bos && words);
	limn_list_frame(&l, &c, 7);
	for (int i = 0; i < BOS - 1; i++) {
		struct drm_limn_bo_create req = { .size = 4096 };

		igt_assert_eq(limn_try_bo(c.fd, &req), 0);
		bos[i].handle = req.handle;
	}
	bos[BOS - 1].handle = c.target.handle;
	while (at + RUN + 2 <= WORDS) {
		words[at] = VIV_FE_COMMAND(LOAD_STATE) | VIV_SET(VIV_FE_LOAD_STATE_HEADER_COUNT, RUN) |
			    VIV_SET(VIV_FE_LOAD_STATE_HEADER_OFFSET, VIVS_TE_SAMPLER_LOD_ADDR / 4);
		for (int i = 1; i <= RUN; i++)
			words[at + i] = c.target.va;
		at += RUN + 2;
	}
	for (int n = 0; n < JOBS; n++) {
		l.job[n] = l.job[0];
		l.job[n].cmd = (uintptr_t)words;
		l.job[n].cmd_size = at * 4;
	}
	l.args.jobs.count = JOBS;
	l.args.bos = (struct drm_limn_array)DRM_LIMN_ARRAY(bos, BOS);
	/* The last job ends within a command; then the first one begins with a bad one. */
	l.job[JOBS - 1].cmd_size -= 8;
	with = try_list_s(-EINVAL);
	words[0] = VIV_FE_COMMAND(END);
	without = try_list_s(-EINVAL);
	igt_info("%.3f s, %.3f s of them for %d addresses\n", with, with - without, JOBS * (int)at);
	igt_assert(with - without < 1);
	for (int i = 0; i < BOS - 1; i++)
		gem_close(c.fd, bos[i].handle);
	free(bos);
	free(words);
	limn_check_works(&c);
}

static void behaviour(void)
{
	igt_describe("GP and PP of a frame in one go: the PP job sees what the GP job did");
	igt_subtest("frame")
		for (uint32_t i = 0; i < 50; i++) {
			limn_list_frame(&l, &c, i + 1);
			igt_assert_eq(gpu_fence_end(c.fd, limn_list_fence(c.fd, &l), 0), 0);
			limn_check_picture(&c, i + 1);
		}

	igt_describe("As many jobs as there may be, on both queues, each behind all before: the last one wins");
	igt_subtest("most-jobs") {
		limn_list_init(&l, c.ctx);
		for (uint32_t n = 0; n < 32; n++) {
			struct limn_job job = n & 1 ? limn_clear(&c, 100 + n) :
						      limn_store(&c, 0, 100 + n);

			limn_list_add(&l, &job);
			l.job[n].wait_jobs = (1ull << n) - 1;
		}
		igt_assert_eq(gpu_fence_end(c.fd, limn_list_fence(c.fd, &l), 0), 0);
		igt_assert_eq_u32(c.target.map[0], 131);
	}

	igt_describe("A BO of the first job alone is free when that has ended, though the others wait");
	igt_subtest("bo-of-one-job") {
		struct gpu_gate gate = gpu_gate_new(c.fd);
		struct gpu_bo bo = limn_bo_new(c.fd, 4096, 0, 0);
		struct limn_job job = limn_store(&c, 0, 5);
		uint32_t fence;

		limn_job_use(&job, &bo, LIMN_WRITE);
		limn_list_init(&l, c.ctx);
		limn_list_add(&l, &job);
		job = limn_clear(&c, 6);
		limn_list_in(&l, limn_list_add(&l, &job), 0, gate.syncobj, 0);
		fence = limn_list_fence(c.fd, &l);
		igt_assert_eq(limn_try_wait(c.fd, bo.handle, true, 30 * SEC_NS), 0);
		igt_assert_eq(gpu_fence_status(c.fd, fence), 0);
		gpu_gate_open(&gate);
		igt_assert_eq(gpu_fence_end(c.fd, fence, 0), 0);
		gpu_bo_free(&bo);
		gpu_gate_free(c.fd, &gate);
	}

	igt_describe("Jobs of one queue run in the order of the array, without being told to");
	igt_subtest("queue-order") {
		limn_list_init(&l, c.ctx);
		for (uint32_t n = 0; n < 16; n++) {
			struct limn_job job = limn_store(&c, n & 1, n);

			limn_list_add(&l, &job);
		}
		igt_assert_eq(gpu_fence_end(c.fd, limn_list_fence(c.fd, &l), 0), 0);
		igt_assert_eq_u32(c.target.map[0], 14);
		igt_assert_eq_u32(*limn_word(&c, 1), 15);
	}

	igt_describe("A job that waits for one that failed is cancelled, and so are those behind it");
	igt_subtest("cancelled")
		for (int early = 0; early < 2; early++) {
			struct gpu_gate gate = gpu_gate_new(c.fd);
			uint32_t fences[4];
			struct limn_job job;

			c.target.map[0] = 0;
			limn_list_init(&l, c.ctx);
			job = limn_failing(&c, 0);
			limn_list_add(&l, &job);
			job = limn_clear(&c, 0xbad);
			limn_list_add(&l, &job);
			job = limn_store(&c, 0, 0xbad);
			limn_list_add(&l, &job);
			job = limn_store(&c, 1, 0x600d);
			limn_list_add(&l, &job);
			l.job[1].wait_jobs = 1;
			l.job[2].wait_jobs = 2;
			if (!early)
				limn_list_in(&l, 0, 0, gate.syncobj, 0);
			for (int n = 0; n < 4; n++) {
				fences[n] = syncobj_create(c.fd, 0);
				limn_list_out(&l, n, 0, fences[n], 0);
			}
			limn_submit_list(c.fd, &l);
			gpu_gate_open(&gate);
			igt_assert_eq(gpu_fence_end(c.fd, fences[0], 0), limn_fail_error(&c));
			igt_assert_eq(gpu_fence_end(c.fd, fences[1], 0), -ECANCELED);
			igt_assert_eq(gpu_fence_end(c.fd, fences[2], 0), -ECANCELED);
			igt_assert_eq(gpu_fence_end(c.fd, fences[3], 0), 0);
			igt_assert_eq_u32(c.target.map[0], 0);
			igt_assert_eq_u32(*limn_word(&c, 1), 0x600d);
			gpu_gate_free(c.fd, &gate);
		}

	igt_describe("The same on one queue: the next job is on the doorstep when the first one fails");
	igt_subtest("cancelled-same-queue")
		for (int i = 0; i < (limn_can_fault(&c) ? 20 : 3); i++) {
			struct limn_job job = limn_failing(&c, 0);
			uint32_t fences[2];

			c.target.map[0] = 0;
			limn_list_init(&l, c.ctx);
			limn_list_add(&l, &job);
			job = limn_store(&c, 0, 0xbad);
			limn_list_add(&l, &job);
			l.job[1].wait_jobs = 1;
			for (int n = 0; n < 2; n++) {
				fences[n] = syncobj_create(c.fd, 0);
				limn_list_out(&l, n, 0, fences[n], 0);
			}
			limn_submit_list(c.fd, &l);
			igt_assert_eq(gpu_fence_end(c.fd, fences[0], 0), limn_fail_error(&c));
			igt_assert_eq(gpu_fence_end(c.fd, fences[1], 0), -ECANCELED);
			igt_assert_eq_u32(c.target.map[0], 0);
		}

	igt_describe("A BO lives until the last job of its list is done, though all its handles are closed");
	igt_subtest("bo-closed") {
		struct gpu_gate gate = gpu_gate_new(c.fd);
		struct gpu_client other = limn_client_on(c.fd);
		struct gpu_bo target = other.target;
		uint32_t fence;

		target.map = NULL;
		other.target = limn_bo_new(c.fd, target.size, 0, 0);
		limn_list_frame(&l, &other, 0x1234);
		limn_list_in(&l, 1, 0, gate.syncobj, 0);
		fence = limn_list_fence(c.fd, &l);
		gem_close(c.fd, other.target.handle);
		if (other.lists.handle)
			gem_close(c.fd, other.lists.handle);
		usleep(20000);
		gpu_gate_open(&gate);
		igt_assert_eq(gpu_fence_end(c.fd, fence, 0), 0);
		igt_assert_eq_u32(other.target.map[0], 0x1234);
		gpu_gate_free(c.fd, &gate);
		munmap(other.target.map, other.target.size);
		if (other.lists.map)
			munmap(other.lists.map, other.lists.size);
		gpu_bo_free(&target);
	}

	igt_describe("A job whose list is the beginning of the one before it holds no more than it lists");
	igt_subtest("fewer-bos") {
		struct gpu_gate gate = gpu_gate_new(c.fd);
		struct limn_job job = limn_store(&c, 0, 1);
		struct gpu_bo big = limn_bo_new(c.fd, 4 << 20, 0, 0);
		uint32_t fence;
		long kib;

		limn_job_use(&job, &big, LIMN_WRITE);
		igt_assert_eq(limn_run(c.fd, &job), 0);
		kib = shmem_kib();
		job.nr_bos--;
		job.in_sync = gate.syncobj;
		fence = limn_submit_fence(c.fd, &job);
		gpu_bo_free(&big);
		/* The first job may be retired a moment after its end. */
		for (int i = 0; i < 100 && shmem_kib() > kib - 2048; i++)
			usleep(10000);
		igt_assert(shmem_kib() <= kib - 2048);
		gpu_gate_open(&gate);
		igt_assert_eq(gpu_fence_end(c.fd, fence, 0), 0);
		gpu_gate_free(c.fd, &gate);
	}

	igt_describe("A list with thousands of BOs");
	igt_subtest("many-bos") {
		enum { MANY = 2000 };
		struct drm_limn_submit_bo *bos = calloc(MANY + 2, sizeof(*bos));
		uint32_t used;

		limn_list_frame(&l, &c, 7);
		used = l.args.bos.count;
		memcpy(bos, l.bo, used * sizeof(*bos));
		for (int i = 0; i < MANY; i++) {
			struct drm_limn_bo_create req = { .size = 4096 };

			igt_assert_eq(limn_try_bo(c.fd, &req), 0);
			bos[used + i].handle = req.handle;
			bos[used + i].read = i & 3;
		}
		l.args.bos.ptr = (uintptr_t)bos;
		l.args.bos.count = used + MANY;
		igt_assert_eq(gpu_fence_end(c.fd, limn_list_fence(c.fd, &l), 0), 0);
		igt_assert_eq_u32(c.target.map[0], 7);
		for (int i = 0; i < MANY; i++)
			gem_close(c.fd, bos[used + i].handle);
		free(bos);
	}

	igt_describe("EINVAL after hundreds of thousands of addresses in thousands of BOs: soon, and nobody else waits");
	igt_subtest("many-addresses")
		many_addresses();

	igt_describe("Random lists, a part of them spoiled at random: refused ones leave nothing, good ones run");
	igt_subtest("random") {
		unsigned int seed = time(NULL), good = 0;

		igt_info("seed %u\n", seed);
		srandom(seed);
		for (int round = 0; round < 300; round++) {
			uint32_t jobs = 1 + random() % 8, *raw;
			size_t words;
			int ret;

			limn_list_init(&l, c.ctx);
			for (uint32_t n = 0; n < jobs; n++) {
				struct limn_job job = random() & 1 ? limn_clear(&c, n) :
								     limn_store(&c, n, n);

				limn_list_add(&l, &job);
				l.job[n].wait_jobs = random() & ((1u << n) - 1);
			}
			if (random() & 1) {
				/* A word of the argument or of the jobs; pointers and counts included. */
				raw = random() & 1 ? (uint32_t *)&l.args : (uint32_t *)l.job;
				words = raw == (uint32_t *)&l.args ? sizeof(l.args) / 4 :
								    jobs * sizeof(l.job[0]) / 4;
				raw[random() % words] = random() & 1 ? random() : random() % 16;
			}
			ret = limn_try_list(c.fd, &l);
			good += !ret;
			igt_assert_f(ret == 0 || ret == -EINVAL || ret == -EFAULT || ret == -ENOENT ||
				     ret == -ENOMEM || ret == -EALREADY || ret == -E2BIG || ret == -EMFILE,
				     "round %d: %s\n", round, strerror(-ret));
		}
		igt_info("%u of 300 were good\n", good);
		gpu_be_patient(40);	/* they are many hundred jobs */
		limn_wait_idle(c.fd, c.target.handle);
		gpu_be_patient(0);
		limn_check_works(&c);
	}
}

igt_main
{
	igt_fixture {
		c = limn_client_new();
		limn_require(c.fd, DRM_LIMN_FEATURE_SUBMIT | DRM_LIMN_FEATURE_CTX);
		spare = limn_bo_new(c.fd, 4096, 0, 0);
	}

	igt_subtest_group
		refusals_numbers();
	igt_subtest_group
		refusals_things();
	igt_subtest_group
		behaviour();

	igt_fixture
		limn_client_free(&c);
}
