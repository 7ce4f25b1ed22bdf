// SPDX-License-Identifier: MIT
#include <errno.h>

#include "igt.h"
#include "lima_jobs.h"

#include <limn/utgard/gp_stream.h>
#include <limn/utgard/regs.h>

IGT_TEST_DESCRIPTION("Jobs that go wrong: an error for them at once or in time, nothing for anybody else");

#define INNOCENTS	4
#define JOBS_EACH	4

typedef struct lima_job (*make_job)(struct gpu_client *c);

static const struct bad_job {
	const char *name;
	uint32_t pipe;
	make_job make;
	bool faults;	/* the hardware tells at once; otherwise only the timeout does */
} bad_jobs[] = {
	{ "gp-unmapped", LIMA_PIPE_GP, lima_gp_unmapped, true },
	{ "pp-unmapped", LIMA_PIPE_PP, lima_pp_unmapped, true },
	{ "gp-invalid", LIMA_PIPE_GP, lima_gp_invalid, true },
	{ "pp-invalid", LIMA_PIPE_PP, lima_pp_invalid, true },
	{ "gp-endless", LIMA_PIPE_GP, lima_gp_endless, false },
	{ "pp-endless", LIMA_PIPE_PP, lima_pp_endless, false },
	{ "pp-endless-shader", LIMA_PIPE_PP, lima_pp_endless_shader, false },
};

#define for_each_bad_job(b) \
	for (const struct bad_job *b = bad_jobs; b < bad_jobs + sizeof(bad_jobs) / sizeof(bad_jobs[0]); b++)

static uint64_t elapsed_ms(const struct timespec *start)
{
	struct timespec t = *start;

	return igt_nsec_elapsed(&t) / 1000000;
}

/* Runs the bad job; it must fail, and before the timeout when the hardware reports it. */
static void run_bad(struct gpu_client *c, const struct bad_job *b)
{
	struct lima_job job = b->make(c);
	struct timespec start = { 0 };
	uint64_t ms;
	int ret;

	igt_nsec_elapsed(&start);
	ret = lima_run(c->fd, &job);
	ms = elapsed_ms(&start);
	igt_assert_f(ret < 0, "%s ended well\n", b->name);
	igt_info("%s: %s after %lu ms\n", b->name, strerror(-ret), (unsigned long)ms);
	if (b->faults)
		igt_assert_f(ms < gpu_timeout_ms(), "only after %lu ms\n", (unsigned long)ms);
}

static void alone(const struct bad_job *b)
{
	igt_describe("The job's fence carries an error; then the same context and others work");
	igt_subtest_f("%s", b->name) {
		struct gpu_client c = lima_client_new();

		for (int i = 0; i < 3; i++) {
			run_bad(&c, b);
			lima_check_works(&c);
			lima_check_gpu();
		}
		lima_client_free(&c);
	}
}

static void beside_innocents(const struct bad_job *b)
{
	igt_describe("Jobs of other files, queued before and behind it on both pipes, all run and end well");
	igt_subtest_f("%s-innocents", b->name) {
		struct gpu_client guilty = lima_client_new(), c[INNOCENTS];
		uint32_t fences[INNOCENTS][JOBS_EACH], bad_fence = 0;
		struct lima_job job;

		for (int i = 0; i < INNOCENTS; i++)
			c[i] = lima_client_new();
		for (int k = 0; k < JOBS_EACH; k++) {
			for (int i = 0; i < INNOCENTS; i++) {
				job = (i ^ k) & 1 ? lima_pp_clear(&c[i], 100 * i + k) :
						    lima_gp_store(&c[i], 0, 100 * i + k);
				fences[i][k] = lima_submit_fence(c[i].fd, &job);
			}
			if (k == 1) {
				job = b->make(&guilty);
				bad_fence = lima_submit_fence(guilty.fd, &job);
			}
		}
		for (int i = 0; i < INNOCENTS; i++) {
			for (int k = 0; k < JOBS_EACH; k++) {
				int ret = gpu_fence_end(c[i].fd, fences[i][k], 0);

				igt_assert_f(!ret, "innocent job %d of client %d: %s\n", k, i, strerror(-ret));
			}
			igt_assert_eq_u32(c[i].target.map[0], 100 * i + JOBS_EACH - 1);
		}
		igt_assert_lt(gpu_fence_end(guilty.fd, bad_fence, 0), 0);
		lima_check_works(&guilty);
		for (int i = 0; i < INNOCENTS; i++)
			lima_client_free(&c[i]);
		lima_client_free(&guilty);
	}
}

static void other_pipe_goes_on(const struct bad_job *b)
{
	igt_describe("While one pipe hangs, the other one works");
	igt_subtest_f("%s-other-pipe", b->name) {
		struct gpu_client guilty = lima_client_new(), c = lima_client_new();
		struct lima_job job = b->make(&guilty);
		uint32_t bad_fence = lima_submit_fence(guilty.fd, &job);

		for (int i = 0; i < 3; i++) {
			job = b->pipe == LIMA_PIPE_GP ? lima_pp_clear(&c, i) : lima_gp_store(&c, 0, i);
			igt_assert_eq(lima_run(c.fd, &job), 0);
			igt_assert_eq_u32(c.target.map[0], i);
		}
		igt_assert_eq(gpu_fence_status(guilty.fd, bad_fence), 0);
		igt_assert_lt(gpu_fence_end(guilty.fd, bad_fence, 0), 0);
		lima_client_free(&c);
		lima_client_free(&guilty);
	}
}

/* A store to an address where nothing is, in the middle of a list. */
static struct lima_job store_to_hole(struct gpu_client *c)
{
	struct gpu_client other = *c;

	other.target.va = lima_hole(c);
	return lima_gp_store(&other, 0, 1);
}

/* To page 0, which reads as zeros and is nobody's. */
static struct lima_job store_to_zero(struct gpu_client *c)
{
	struct gpu_client other = *c;

	other.target.va = 0;
	return lima_gp_store(&other, 0, 1);
}

/* The picture goes where nothing is: every core faults on its own. */
static struct lima_job clear_hole(struct gpu_client *c)
{
	struct gpu_client other = *c;

	other.target.va = lima_hole(c);
	return lima_pp_clear(&other, 1);
}

static void others(void)
{
	static const struct bad_job jobs[] = {
		{ "gp-count", LIMA_PIPE_GP, lima_gp_count, false },
		{ "gp-semaphore", LIMA_PIPE_GP, lima_gp_semaphore, false },
		{ "gp-store-unmapped", LIMA_PIPE_GP, store_to_hole, true },
		{ "gp-store-zero", LIMA_PIPE_GP, store_to_zero, true },
		{ "pp-write-unmapped", LIMA_PIPE_PP, clear_hole, true },
	};

	for (unsigned int i = 0; i < sizeof(jobs) / sizeof(jobs[0]); i++)
		alone(&jobs[i]);

	igt_describe("A fault of one core: the error does not wait for the others or the timeout");
	igt_subtest("pp-one-core-unmapped") {
		struct gpu_client c = lima_client_new();
		uint32_t cores = lima_num_pp(c.fd);

		for (uint32_t core = 0; core < cores; core++) {
			struct lima_job job = lima_pp_clear(&c, 1);
			struct timespec start = { 0 };

			if (c.m450)
				job.frame.m450.plbu_array_address[core] = lima_hole(&c);
			else
				job.frame.m400.plbu_array_address[core] = lima_hole(&c);
			igt_nsec_elapsed(&start);
			igt_assert_lt(lima_run(c.fd, &job), 0);
			igt_assert(elapsed_ms(&start) < gpu_timeout_ms());
			lima_check_works(&c);
		}
		lima_client_free(&c);
	}

	igt_describe("One core faults while another one's list is endless: still at once");
	igt_subtest("pp-fault-beside-endless") {
		struct gpu_client c = lima_client_new();
		struct lima_job job = lima_pp_endless(&c);
		struct timespec start = { 0 };

		igt_require(c.num_pp > 1);
		if (c.m450)
			job.frame.m450.plbu_array_address[1] = lima_hole(&c);
		else
			job.frame.m400.plbu_array_address[1] = lima_hole(&c);
		igt_nsec_elapsed(&start);
		igt_assert_lt(lima_run(c.fd, &job), 0);
		igt_assert(elapsed_ms(&start) < gpu_timeout_ms());
		lima_check_works(&c);
		lima_client_free(&c);
	}

	igt_describe("A client cannot reach another one's memory: the same address faults or is its own");
	igt_subtest("address-spaces") {
		struct gpu_client a = lima_client_new(), b = lima_client_new();
		struct gpu_bo far = { 0 };
		struct gpu_client other;
		struct lima_job job;

		/* Grow a's space until it has an address that b has not. */
		for (int i = 0; i < 64; i++)
			far = lima_bo_new(a.fd, 1 << 16);
		other = b;
		other.target.va = far.va;
		job = lima_gp_store(&other, 0, 0xbad);
		igt_assert_lt(lima_run(b.fd, &job), 0);
		igt_assert_eq_u32(far.map[0], 0);
		lima_client_free(&a);
		lima_client_free(&b);
	}

	igt_describe("Mali-450's DLBU has a page in every client's address space: nobody writes it");
	igt_subtest("gp-store-dlbu") {
		struct gpu_client c = lima_client_new(), other = c;
		struct lima_job job;

		igt_require(lima_param(c.fd, DRM_LIMA_PARAM_GPU_ID) == DRM_LIMA_PARAM_GPU_ID_MALI450);
		other.target.va = 0xfff00000;
		job = lima_gp_store(&other, 1, 0xbad);
		igt_assert_lt(lima_run(c.fd, &job), 0);
		lima_check_works(&c);
		lima_client_free(&c);
	}

	igt_describe("Thirty hangs and faults in turn: thirty recoveries");
	igt_subtest("many") {
		struct gpu_client c = lima_client_new();
		unsigned int rounds = gpu_timeout_ms() > 1000 ? 2 : 5;

		for (unsigned int i = 0; i < rounds; i++)
			for_each_bad_job(b) {
				run_bad(&c, b);
				lima_check_works(&c);
			}
		lima_client_free(&c);
	}
}

igt_main
{
	igt_fixture
		close(lima_open());
	for_each_bad_job(b) {
		alone(b);
		beside_innocents(b);
		if (!b->faults)
			other_pipe_goes_on(b);
	}
	others();
	igt_fixture
		lima_check_gpu();
}
