// SPDX-License-Identifier: MIT
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include "igt.h"
#include "gpu_sys.h"
#include "lima_jobs.h"

#include <limn/utgard/gp_stream.h>
#include <limn/utgard/pp_stream.h>
#include <limn/utgard/regs.h>

IGT_TEST_DESCRIPTION("The tile heap: it grows under a job that needs more, up to its bound");

/* A draw without a vertex shader: positions lie ready, 3 vertices for each triangle. */
#define DRAWS		4u
#define BATCH		15000u	/* vertices of a draw, whose count has 16 bits */
#define TRIANGLES	(DRAWS * BATCH / 3)
#define PRIM_BYTES	8u	/* what a triangle takes in a polygon list */

struct scene {
	struct gpu_client c;
	struct gpu_bo positions, heap;
	struct gpu_bo plb;	/* the polygon lists' first blocks, behind their addresses */
	uint32_t list, list_bytes;
};

static uint32_t bits(float f)
{
	uint32_t u;

	memcpy(&u, &f, 4);
	return u;
}

static uint32_t *put(uint32_t *w, uint32_t w0, uint32_t w1)
{
	w[0] = w0;
	w[1] = w1;
	return w + 2;
}

static uint32_t *put_reg(uint32_t *w, uint32_t reg, uint32_t value)
{
	return put(w, value, 0x10000000 | reg);
}

/* All triangles lie in the first tile, so that one polygon list takes them; or in every one. */
static void fill_positions(struct gpu_bo *bo, bool in_all_tiles)
{
	static const float corners[2][3][2] = {
		{ { 2, 2 }, { 12, 3 }, { 4, 13 } },
		{ { 0, 0 }, { 2 * LIMA_PICTURE, 0 }, { 0, 2 * LIMA_PICTURE } },
	};
	const float (*corner)[2] = corners[in_all_tiles];
	float *f = (float *)bo->map;

	for (uint32_t i = 0; i < BATCH; i++) {
		f[4 * i] = corner[i % 3][0];
		f[4 * i + 1] = corner[i % 3][1];
		f[4 * i + 2] = 0.5f;
		f[4 * i + 3] = 1;
	}
}

static void write_list(struct scene *s)
{
	uint32_t at = 0x10000;	/* the place of lima_gp_long()'s list */
	uint32_t *start = s->c.lists.map + at / 4, *w = start;
	uint32_t tiles = LIMA_PICTURE / 16;

	for (uint32_t i = 0; i < tiles * tiles; i++)
		s->plb.map[i] = s->plb.va + PAGE_BYTES + i * PLB_BLOCK_BYTES;
	w = put(w, tiles, PLBU_W1_BLOCK_STRIDE);
	w = put(w, s->plb.va, PLBU_W1_ARRAY(tiles * tiles));
	w = put_reg(w, PLBU_REG_TILES, (tiles - 1) << 24 | (tiles - 1) << 8);
	w = put_reg(w, PLBU_REG_BLOCK_STEP, 0);
	w = put_reg(w, PLBU_REG_VIEWPORT_LEFT, bits(0));
	w = put_reg(w, PLBU_REG_VIEWPORT_RIGHT, bits(LIMA_PICTURE));
	w = put_reg(w, PLBU_REG_VIEWPORT_BOTTOM, bits(0));
	w = put_reg(w, PLBU_REG_VIEWPORT_TOP, bits(LIMA_PICTURE));
	w = put_reg(w, PLBU_REG_DEPTH_NEAR, bits(0));
	w = put_reg(w, PLBU_REG_DEPTH_FAR, bits(1));
	/* Blocks of 0x80 << 2 = 512 bytes. */
	w = put_reg(w, PLBU_REG_PRIMITIVE, PLBU_PRIM(0));
	w = put(w, s->c.lists.va + 0xe000, PLBU_W1_RSW(s->positions.va));
	w = put(w, PLBU_W0_SCISSOR(0, LIMA_PICTURE, 0), PLBU_W1_SCISSOR(0, LIMA_PICTURE));
	for (uint32_t i = 0; i < DRAWS; i++)
		w = put(w, PLBU_W0_DRAW(0, BATCH), PLBU_W1_DRAW_ARRAYS(GP_MODE_TRIANGLES, BATCH));
	w = put(w, 0, PLBU_W1_END);
	s->list = s->c.lists.va + at;
	s->list_bytes = (w - start) * 4;
}

static struct scene scene_new(uint32_t heap_bytes, bool grows)
{
	struct scene s = { .c = lima_client_new() };

	s.positions = lima_bo_new(s.c.fd, BATCH * PLB_POSITION_BYTES);
	s.plb = lima_bo_new(s.c.fd, 4 * PAGE_BYTES);
	fill_positions(&s.positions, false);
	s.heap = grows ? lima_bo_heap(s.c.fd, heap_bytes) : lima_bo_new(s.c.fd, heap_bytes);
	write_list(&s);
	return s;
}

static struct lima_job scene_job(struct scene *s)
{
	struct lima_job job = lima_gp_store(&s->c, 0, 0);
	uint32_t *f = job.frame.gp.frame;

	f[GP_PLBUCL_START / 4] = s->list;
	f[GP_PLBUCL_END / 4] = s->list + s->list_bytes;
	f[GP_PLBU_ALLOC_START / 4] = s->heap.va;
	f[GP_PLBU_ALLOC_END / 4] = s->heap.va + s->heap.size;
	lima_job_use(&job, &s->plb, LIMA_SUBMIT_BO_READ | LIMA_SUBMIT_BO_WRITE);
	lima_job_use(&job, &s->positions, LIMA_SUBMIT_BO_READ);
	lima_job_use(&job, &s->heap, LIMA_SUBMIT_BO_READ | LIMA_SUBMIT_BO_WRITE);
	return job;
}

static void scene_free(struct scene *s)
{
	gpu_bo_free(&s->positions);
	gpu_bo_free(&s->heap);
	gpu_bo_free(&s->plb);
	lima_client_free(&s->c);
}

#define CGROUPS	"/sys/fs/cgroup"

/* Skips where there are no memory cgroups. */
static void cgroup_new(void)
{
	igt_require(!mount("none", CGROUPS, "cgroup2", 0, NULL) || errno == EBUSY);
	igt_require(!sys_write(CGROUPS "/cgroup.subtree_control", "+memory"));
	igt_assert(!mkdir(CGROUPS "/heap", 0755) || errno == EEXIST);
}

/* This process is in that cgroup from now on; what was charged stays where it is. */
static void cgroup_enter(const char *procs)
{
	char pid[16];

	snprintf(pid, sizeof(pid), "%d", getpid());
	igt_assert_eq(sys_write(procs, pid), 0);
}

static uint64_t cgroup_used(void)
{
	char text[32] = "";

	igt_assert(sys_read(CGROUPS "/heap/memory.current", text, sizeof(text)) > 0);
	return strtoull(text, NULL, 10);
}

static void cgroup_limit(uint64_t bytes)
{
	char text[32];

	snprintf(text, sizeof(text), "%" PRIu64, bytes);
	igt_assert_eq(sys_write(CGROUPS "/heap/memory.max", text), 0);
}

/* More than what a few CPUs have charged in advance, 256 KiB each. */
#define CGROUP_SLACK	(1u << 20)

static void cgroup(void)
{
	igt_describe("What a heap grows by is charged to the memory cgroup of its owner, and bound by that");
	igt_subtest("cgroup") {
		uint32_t tiles = LIMA_PICTURE / 16;
		uint64_t used, lists = TRIANGLES * PRIM_BYTES * tiles * tiles;

		cgroup_new();
		igt_fork(child, 1) {
			struct lima_job job;
			struct scene s;

			cgroup_enter(CGROUPS "/heap/cgroup.procs");
			s = scene_new(4 << 20, true);
			fill_positions(&s.positions, true);
			/* Nothing but the heap is charged there now: at the limit, the kernel kills nobody. */
			cgroup_enter(CGROUPS "/cgroup.procs");
			used = cgroup_used();
			cgroup_limit(used + CGROUP_SLACK / 2);
			job = scene_job(&s);
			igt_assert_eq(lima_run(s.c.fd, &job), -ENOMEM);
			cgroup_limit(used + 2 * lists);
			/* The next submit gives it more, and then it grows. */
			igt_assert_eq(lima_run(s.c.fd, &job), 0);
			igt_assert(cgroup_used() + CGROUP_SLACK >= used + lists);
			scene_free(&s);
		}
		igt_waitchildren();
		lima_check_gpu();
	}
}

/* 20000 triangles of 8 bytes: five times the 32 KiB that a heap starts with. */
igt_main
{
	igt_fixture
		close(lima_open());

	igt_describe("A heap grows until the job fits; the job ends well, again and again");
	igt_subtest("grows") {
		struct scene s = scene_new(4 << 20, true);

		for (int i = 0; i < 3; i++) {
			struct lima_job job = scene_job(&s);

			igt_assert_eq(lima_run(s.c.fd, &job), 0);
		}
		scene_free(&s);
		lima_check_gpu();
	}

	igt_describe("A buffer that is large enough from the start");
	igt_subtest("fixed") {
		struct scene s = scene_new(4 << 20, false);
		struct lima_job job = scene_job(&s);
		uint32_t used = 0;

		igt_assert_eq(lima_run(s.c.fd, &job), 0);
		/* The lists are in it: at least as much as the triangles take. */
		for (uint32_t i = 0; i < s.heap.size / 4; i++)
			used += s.heap.map[i] != 0;
		igt_assert(used * 4 >= TRIANGLES * PRIM_BYTES / 2);
		scene_free(&s);
	}

	igt_describe("Five heaps of five files grow side by side");
	igt_subtest("grows-together") {
		struct scene s[5];
		uint32_t fence[5];

		for (int i = 0; i < 5; i++)
			s[i] = scene_new(4 << 20, true);
		for (int i = 0; i < 5; i++) {
			struct lima_job job = scene_job(&s[i]);

			fence[i] = lima_submit_fence(s[i].c.fd, &job);
		}
		for (int i = 0; i < 5; i++)
			igt_assert_eq(gpu_fence_end(s[i].c.fd, fence[i], 0), 0);
		for (int i = 0; i < 5; i++)
			scene_free(&s[i]);
	}

	igt_describe("Of two heaps in a job's list the one grows that its frame names, and no other");
	igt_subtest("two-in-a-list") {
		struct scene s = scene_new(4 << 20, true);
		struct gpu_bo other = lima_bo_heap(s.c.fd, 4 << 20);
		struct lima_job job = scene_job(&s);

		lima_job_use(&job, &other, LIMA_SUBMIT_BO_READ);
		igt_assert_eq(job.bos[job.nr_bos - 1].handle, other.handle);
		job.bos[job.nr_bos - 1] = job.bos[0];
		job.bos[0] = (struct drm_lima_gem_submit_bo){ .handle = other.handle, .flags = LIMA_SUBMIT_BO_READ };
		igt_assert_eq(lima_run(s.c.fd, &job), 0);
		gpu_bo_free(&other);
		scene_free(&s);
	}

	igt_describe("A heap whose bound is too small: the job fails before the timeout, the next one works");
	igt_subtest("bound") {
		/* Not twice, or four times, what it starts with. */
		struct scene s = scene_new(96 << 10, true);
		struct timespec start = { 0 };
		struct lima_job job = scene_job(&s);
		char me[32];
		int ret;

		igt_nsec_elapsed(&start);
		ret = lima_run(s.c.fd, &job);
		igt_assert_lt(ret, 0);
		igt_assert(igt_nsec_elapsed(&start) < gpu_timeout_ms() * 1000000ull);
		/* It is no news for the administrator: the line would be a "hardware error" of limn's. */
		snprintf(me, sizeof(me), "lima_heap[%d]", getpid());
		igt_assert(!sys_logged("hardware error", "address", me));
		lima_check_works(&s.c);
		scene_free(&s);
	}

	igt_describe("The same with a buffer that cannot grow");
	igt_subtest("fixed-too-small") {
		struct scene s = scene_new(64 << 10, false);
		struct timespec start = { 0 };
		struct lima_job job = scene_job(&s);
		int ret;

		igt_nsec_elapsed(&start);
		ret = lima_run(s.c.fd, &job);
		igt_assert_lt(ret, 0);
		igt_assert(igt_nsec_elapsed(&start) < gpu_timeout_ms() * 1000000ull);
		lima_check_works(&s.c);
		scene_free(&s);
	}

	igt_describe("A heap closed while its job grows it");
	igt_subtest("closed-while-growing") {
		for (int i = 0; i < 5; i++) {
			struct scene s = scene_new(4 << 20, true);
			struct lima_job job = scene_job(&s);
			uint32_t fence = lima_submit_fence(s.c.fd, &job);

			gpu_bo_free(&s.heap);
			igt_assert_eq(gpu_fence_end(s.c.fd, fence, 0), 0);
			scene_free(&s);
		}
		lima_check_gpu();
	}

	cgroup();

	igt_describe("Killed while heaps grow");
	igt_subtest("killed-while-growing") {
		for (int i = 0; i < 10; i++) {
			igt_fork(child, 1) {
				struct scene s = scene_new(4 << 20, true);

				for (;;) {
					struct lima_job job = scene_job(&s);

					lima_submit(s.c.fd, &job);
				}
			}
			usleep(10000 + i * 3000);
			igt_kill_children(SIGKILL);
		}
		lima_check_gpu();
	}

	igt_fixture
		lima_check_gpu();
}
