// SPDX-License-Identifier: MIT
#include <errno.h>
#include <sys/mman.h>

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

/* What a context may ask for; 0: as much as any job has. */
static void set_limit(const char *ms)
{
	igt_assert_eq(sys_write("/sys/module/limn/parameters/max_timeout_ms", ms), 0);
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
	list[0] = PLB_RETURN_LO;	/* of the jump it was, this is the only word that differs */
}

/* Whether this GPU's fault is that one: the driver says so when it has met it. */
static void require_stuck(bool gp)
{
	igt_require_f(sys_logged(gp ? "pipe gp does not reset" : "pipe pp does not reset", "", ""),
		      "this pipe resets by itself\n");
}

static void restarts(bool gp_stuck)
{
	/* On a busy machine the half second that a job has may pass between two of these lines. */
	struct gpu_client guilty = client(40), innocent = client(20000), waiting = client(20000);
	uint64_t resets = limn_param(guilty.fd, DRM_LIMN_PARAM_RESETS);
	volatile uint32_t *way_out;
	struct lima_job good = gp_stuck ? wait_pp(&innocent, &way_out) : wait_gp(&innocent, &way_out);
	struct lima_job bad = gp_stuck ? lima_gp_endless(&guilty) : lima_pp_endless(&guilty);
	struct lima_job next = gp_stuck ? lima_pp_clear(&waiting, 0x1234) : lima_gp_store(&waiting, 0, 0x1234);
	struct drm_limn_ctx_query q;
	uint32_t good_fence, next_fence;

	gpu_be_patient(40);
	good_fence = lima_submit_fence(innocent.fd, &good);
	limn_wait_started(innocent.fd, innocent.ctx);
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
		igt_assert_eq(gpu_fence_end(innocent.fd, good_fence, 0), 0);
		igt_assert_eq(gpu_fence_end(waiting.fd, next_fence, 0), 0);
	}
	require_stuck(gp_stuck);
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
	gpu_be_patient(0);
	lima_check_works(&guilty);
	lima_check_works(&innocent);
	lima_check_works(&waiting);
	lima_client_free(&guilty);
	lima_client_free(&innocent);
	lima_client_free(&waiting);
}

/* A perfmon for everybody's jobs, of what PPs write to pictures. */
static uint32_t count_words(int fd)
{
	struct drm_limn_perf_domain domain;
	struct drm_limn_perf_signal signal = { 0 };
	struct drm_limn_perf_counter counter;
	struct drm_limn_perfmon_create req = {
		.flags = DRM_LIMN_PERFMON_DEVICE,
		.counters = { .ptr = (uintptr_t)&counter, .count = 1, .stride = sizeof(counter) },
	};

	do {
		memset(&domain, 0, sizeof(domain));
		domain.domain = signal.domain;
		igt_assert_eq(gpu_try(fd, DRM_IOCTL_LIMN_PERF_DOMAIN, &domain), 0);
	} while (strcmp(domain.name, "pp") && ++signal.domain);
	do {
		signal.pad = 0;
		igt_assert_eq(gpu_try(fd, DRM_IOCTL_LIMN_PERF_SIGNAL, &signal), 0);
	} while (strcmp(signal.name, "words written by write-back") && ++signal.index);
	counter = (struct drm_limn_perf_counter){ signal.domain, signal.signal };
	igt_assert_eq(gpu_try(fd, DRM_IOCTL_LIMN_PERFMON_CREATE, &req), 0);
	return req.id;
}

/* What a job wrote whose first core waits to be let out, after a reset for the GP's sake or without. */
static uint64_t words_written(struct gpu_client *c, bool again)
{
	struct drm_limn_perfmon_read read = { .values = { .count = 1, .stride = sizeof(uint64_t) } };
	struct gpu_client guilty = client(40);
	struct lima_job bad = lima_gp_endless(&guilty);
	volatile uint32_t *way_out;
	struct lima_job job = wait_pp(c, &way_out);
	uint64_t words;
	uint32_t fence;

	/* The others clear their part of the picture and are done. */
	memcpy(job.frame.m400.plbu_array_address + 1, lima_pp_clear(c, 1).frame.m400.plbu_array_address + 1,
	       sizeof(job.frame.m400.plbu_array_address) - sizeof(uint32_t));
	read.id = count_words(c->fd);
	read.values.ptr = (uintptr_t)&words;
	fence = lima_submit_fence(c->fd, &job);
	limn_wait_started(c->fd, c->ctx);
	usleep(20000);
	if (again) {
		gpu_be_patient(40);
		igt_assert_eq(lima_run(guilty.fd, &bad), -ETIMEDOUT);
		gpu_be_patient(0);
	}
	igt_assert_eq(gpu_fence_status(c->fd, fence), 0);
	let_pp_out(way_out);
	igt_assert_eq(gpu_fence_end(c->fd, fence, 0), 0);
	igt_assert_eq(gpu_try(c->fd, DRM_IOCTL_LIMN_PERFMON_READ, &read), 0);
	igt_assert_eq_u64(read.jobs, 1);
	igt_assert_eq(gpu_try(c->fd, DRM_IOCTL_LIMN_PERFMON_DESTROY, &(struct drm_limn_perfmon_destroy){ .id = read.id }), 0);
	lima_client_free(&guilty);
	return words;
}

/* Good and bad jobs of the PPs go on and on while the GP hangs again and again. */
static void beside_resets(void)
{
	struct gpu_client guilty = client(40);
	struct lima_job bad = lima_gp_endless(&guilty);
	volatile bool *over = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	igt_assert(over != MAP_FAILED);
	igt_fork(child, 1) {	/* a second one would start what stands still */
		struct gpu_client c = lima_client_new();	/* not to be banned */

		for (uint32_t i = 0; !*over; i++) {
			struct lima_job job = i % 2 ? lima_pp_unmapped(&c) : lima_pp_clear(&c, i);
			struct drm_limn_ctx_query q = query(c.fd, c.ctx);

			usleep(i % 4 * 100);	/* the pipe is idle at times */
			igt_assert_eq(lima_run(c.fd, &job), i % 2 ? -EFAULT : 0);
			/* A job that has failed is not an innocent one, and does not run again. */
			if (i % 2)
				igt_assert_eq_u64(query(c.fd, c.ctx).guilty, q.guilty + 1);
		}
	}
	for (int i = 0; i < 20; i++) {
		/* Four in a row are too many for a context of the extension ABI. */
		guilty.ctx = ctx_new(guilty.fd, 40);
		bad.ctx = guilty.ctx;
		igt_assert_eq(lima_run(guilty.fd, &bad), -ETIMEDOUT);
	}
	*over = true;
	igt_waitchildren();
	munmap((void *)over, 4096);
	lima_client_free(&guilty);
}

static bool wait_asleep(void)
{
	char status[32] = "";

	for (int i = 0; i < 500 && strcmp(status, "suspended"); i++) {
		usleep(10000);
		igt_assert_lt(0, dev_read("power/runtime_status", status, sizeof(status)));
	}
	return !strcmp(status, "suspended");
}

/* Kept on from now on, the GPU needs no wake-up. */
static void bind_again(struct gpu_client *c)
{
	igt_assert_eq(gpu_unbind(), 0);
	close(c->fd);
	igt_assert_eq(gpu_bind(), 0);
	igt_assert_eq(dev_write("power/control", "on"), 0);
	lima_check_gpu();
	igt_assert_eq(dev_write("power/control", "auto"), 0);
}

/* With the testbed: --model-fault lost-wake:gp, best with --strict, which sees registers touched without clocks. */
static void lost_wakes(void)
{
	igt_describe("The GP does not come back from runtime suspend: the submit fails, nothing is touched, the next tries again");
	igt_subtest("lost-wake-runtime") {
		struct gpu_client c = lima_client_new();
		struct lima_job job = lima_gp_store(&c, 0, 1);
		int ret;

		lima_check_works(&c);
		igt_assert(wait_asleep());
		ret = lima_try_submit(c.fd, &job);
		igt_require_f(ret, "this GPU wakes up\n");
		igt_assert_eq(ret, -ETIMEDOUT);
		igt_assert_lt(0, lima_num_pp(c.fd));
		igt_assert_eq(lima_run(c.fd, &job), 0);
		igt_assert(wait_asleep());
		igt_assert_eq(lima_try_submit(c.fd, &job), -ETIMEDOUT);
		bind_again(&c);
	}

	igt_describe("Nor from the machine's sleep: jobs that waited fail one by one; it may sleep again, and works then");
	igt_subtest("lost-wake-system") {
		struct gpu_client c = lima_client_new();
		uint32_t fences[40];
		int ret = 0;

		igt_assert_eq(dev_write("power/control", "on"), 0);
		for (uint32_t i = 0; i < 40; i++) {
			struct lima_job job = lima_gp_long(&c, 0, 7);

			fences[i] = lima_submit_fence(c.fd, &job);
		}
		igt_assert_eq(gpu_suspend("freeze"), 0);
		for (int i = 0; i < 40; i++) {
			ret = gpu_fence_end(c.fd, fences[i], 0);
			igt_assert(!ret || ret == -EIO);
		}
		if (ret) {
			igt_assert_eq(gpu_suspend("freeze"), 0);
			bind_again(&c);
		} else {
			igt_assert_eq(dev_write("power/control", "auto"), 0);
		}
		igt_require_f(ret, "this GPU wakes up\n");
	}
}

/*
 * With the testbed: --strict --model-fault stuck-reset:pp0+lost-wake:gp, a GPU that stays off when the PPs need its
 * reset. It is tried again, although jobs that are refused come all the time.
 */
static void lost_in_reset(void)
{
	struct gpu_client c = lima_client_new(), other = lima_client_new();

	for (int i = 0; i < 10; i++) {
		struct lima_job gp = lima_gp_unmapped(&c), pp = lima_pp_unmapped(&other), good = lima_gp_store(&c, 0, i);
		uint32_t pp_fence = lima_submit_fence(other.fd, &pp), gp_fence = lima_submit_fence(c.fd, &gp);
		int ret = -EIO;

		igt_assert_neq(gpu_fence_end(other.fd, pp_fence, 0), 0);
		igt_assert_neq(gpu_fence_end(c.fd, gp_fence, 0), 0);
		for (int n = 0; ret && n < 100; n++) {
			ret = lima_run(c.fd, &good);
			igt_assert_f(!ret || ret == -EIO || ret == -ETIMEDOUT, "%d\n", ret);
			usleep(20000);
		}
		igt_assert_eq(ret, 0);
	}
	lima_client_free(&c);
	lima_client_free(&other);
	igt_require_f(sys_logged("the GPU does not come back", "", ""), "this GPU comes back\n");
}

igt_main
{
	igt_fixture {
		int fd = lima_open();

		limn_require(fd, DRM_LIMN_FEATURE_CTX | DRM_LIMN_FEATURE_JOB_STATS);
		close(fd);
	}

	igt_describe("The PPs do not come out of their reset: the GP's job starts again, the one behind it too");
	igt_subtest("pp-stuck") {
		set_limit("20000");
		restarts(false);
	}

	igt_describe("The GP does not come out of its reset: the PPs' job starts again, the one behind it too");
	igt_subtest("gp-stuck") {
		set_limit("20000");
		restarts(true);
	}

	igt_describe("A job that ran again is counted once");
	igt_subtest("counted-once") {
		struct gpu_client c;
		uint64_t words;

		set_limit("20000");
		c = client(20000);
		igt_require(!c.m450 && c.num_pp > 1);
		words = words_written(&c, false);
		igt_assert(words);
		igt_assert_eq_u64(words_written(&c, true), words);
		lima_client_free(&c);
		require_stuck(true);
	}

	igt_describe("The PPs' queue goes on through resets for the GP's sake, its failed jobs fail once");
	igt_subtest("beside-resets") {
		beside_resets();
		require_stuck(true);
	}

	igt_fixture {
		gpu_be_patient(0);	/* where a subtest has skipped */
		set_limit("0");
	}

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

	igt_subtest_group
		lost_wakes();

	igt_describe("The GPU does not come back from its reset: nothing is touched without clocks, and later jobs run");
	igt_subtest("lost-in-reset")
		lost_in_reset();

	igt_fixture
		lima_check_gpu();
}
