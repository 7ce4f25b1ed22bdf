// SPDX-License-Identifier: MIT
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>

#include "igt.h"
#include "lima_jobs.h"
#include "gpu_sys.h"

IGT_TEST_DESCRIPTION("Runtime and system suspend, with and without work");

static char old_delay[32];

static bool status_is(const char *wanted)
{
	char text[32];

	igt_assert(dev_read("power/runtime_status", text, sizeof(text)) >= 0);
	return !strcmp(text, wanted);
}

static bool wait_status(const char *wanted)
{
	for (int i = 0; i < 500; i++) {
		if (status_is(wanted))
			return true;
		usleep(10000);
	}
	return false;
}

static void restore(int sig)
{
	dev_write("power/control", "auto");
	dev_write("power/autosuspend_delay_ms", old_delay);
	gpu_suspend_restore();
}

static void runtime_suspend(void)
{
	igt_describe("Idle, the GPU is suspended; a job wakes it; both kinds of job, many times");
	igt_subtest("runtime-cycles") {
		struct gpu_client c = lima_client_new();

		for (int i = 0; i < 10; i++) {
			igt_assert(wait_status("suspended"));
			lima_check_works(&c);
		}
		lima_client_free(&c);
	}

	igt_describe("Suspended, none of its power domains is on: the virtual GPU tells");
	igt_subtest("runtime-domains") {
		igt_require_f(gpu_model_value("powered_units") >= 0, "no virtual GPU\n");
		igt_assert_eq(dev_write("power/control", "on"), 0);
		igt_assert_lt(0, gpu_model_value("powered_units"));
		igt_assert_eq(dev_write("power/control", "auto"), 0);
		igt_assert(wait_status("suspended"));
		igt_assert_eq(gpu_model_value("powered_units"), 0);
	}

	igt_describe("Idle for half a second at most, it is to be suspended");
	igt_subtest("runtime-delay") {
		/* As the driver has set it. */
		igt_assert(atoi(old_delay) > 0 && atoi(old_delay) <= 500);
	}

	igt_describe("After its sleep, the load balancer has tiles for all cores again");
	igt_subtest("runtime-dlbu") {
		struct gpu_client c = lima_client_new();

		igt_require(c.m450);
		for (uint32_t i = 0; i < 3; i++) {
			struct lima_job job = lima_pp_clear_dlbu(&c, 0x44000000 + i);

			igt_assert(wait_status("suspended"));
			memset(c.target.map, 0x5a, c.target.size);
			igt_assert_eq(lima_run(c.fd, &job), 0);
			lima_check_picture(&c, 0x44000000 + i);
		}
		lima_client_free(&c);
	}

	igt_describe("Kept on by power/control, it is not suspended; set to auto, it is");
	igt_subtest("runtime-control") {
		igt_assert_eq(dev_write("power/control", "on"), 0);
		igt_assert(wait_status("active"));
		usleep(50000);
		igt_assert(status_is("active"));
		lima_check_gpu();
		igt_assert_eq(dev_write("power/control", "auto"), 0);
		igt_assert(wait_status("suspended"));
	}

	igt_describe("Not suspended while a job runs, even a long one");
	igt_subtest("runtime-busy") {
		struct gpu_client c = lima_client_new();
		struct lima_job job = lima_gp_endless(&c);
		uint32_t fence = lima_submit_fence(c.fd, &job);

		while (gpu_fence_status(c.fd, fence) == 0) {
			bool suspended = status_is("suspended");

			igt_assert(!suspended || gpu_fence_status(c.fd, fence) != 0);
			usleep(5000);
		}
		igt_assert_lt(gpu_fence_end(c.fd, fence, 0), 0);
		igt_assert(wait_status("suspended"));
		lima_check_works(&c);
		lima_client_free(&c);
	}

	igt_describe("What needs no GPU does not wake it: parameters, BOs, contexts");
	igt_subtest("runtime-no-wake") {
		int fd = lima_open();

		igt_assert(wait_status("suspended"));
		lima_num_pp(fd);
		gem_close(fd, lima_create(fd, PAGE_BYTES, 0));
		lima_try_ctx_free(fd, lima_ctx_new(fd));
		igt_assert(status_is("suspended"));
		close(fd);
	}

	igt_describe("Each fault and hang gives back what it held: the GPU is suspended after it");
	igt_subtest("runtime-after-errors") {
		struct gpu_client c = lima_client_new();
		struct lima_job jobs[] = { lima_gp_unmapped(&c), lima_pp_unmapped(&c),
					   lima_gp_endless(&c), lima_pp_endless(&c) };

		for (int i = 0; i < 4; i++) {
			igt_assert_lt(lima_run(c.fd, &jobs[i]), 0);
			igt_assert(wait_status("suspended"));
			lima_check_works(&c);
			igt_assert(wait_status("suspended"));
		}
		lima_client_free(&c);
	}
}

/* A client whose first jobs ran behind all that a failed subtest may have left. */
static struct gpu_client client_after_all(void)
{
	struct gpu_client c;

	gpu_be_patient(10);
	c = lima_client_new();
	lima_check_works(&c);
	gpu_be_patient(0);
	return c;
}

/* What goes on while the machine suspends. */
static void suspend_with(const char *state, const char *name, bool endless)
{
	igt_subtest_f("%s-%s", state, name) {
		struct gpu_client c = client_after_all(), bad = lima_client_new();
		uint32_t fences[40], bad_fence = 0;
		struct lima_job job;

		if (endless) {
			job = lima_pp_endless(&bad);
			bad_fence = lima_submit_fence(bad.fd, &job);
		}
		for (uint32_t i = 0; i < 40; i++) {
			job = i & 1 ? lima_pp_clear(&c, i) : lima_gp_long(&c, 0, 7);	/* one list: those queued read it */
			fences[i] = lima_submit_fence(c.fd, &job);
		}
		igt_assert_eq(gpu_suspend(state), 0);
		for (uint32_t i = 0; i < 40; i++)
			igt_assert_eq(gpu_fence_end(c.fd, fences[i], 0), 0);
		igt_assert_eq_u32(c.target.map[1], 39);
		if (endless)
			igt_assert_lt(gpu_fence_end(bad.fd, bad_fence, 0), 0);
		lima_check_works(&c);
		lima_client_free(&c);
		lima_client_free(&bad);
	}
}

static void system_states(void)
{
	static const char *const states[] = { "freeze", "mem" };

	for (int i = 0; i < 2; i++) {
		igt_describe("The machine sleeps and wakes while the GPU has nothing to do");
		igt_subtest_f("%s-idle", states[i]) {
			struct gpu_client c = client_after_all();

			igt_assert_eq(gpu_suspend(states[i]), 0);
			lima_check_works(&c);
			lima_client_free(&c);
		}
	}

	igt_describe("A real sleep, ended by the clock");
	igt_subtest("freeze-alarm") {
		struct gpu_client c = client_after_all();

		igt_assert_eq(gpu_sleep("freeze"), 0);
		lima_check_works(&c);
		lima_client_free(&c);
	}

	igt_describe("Each step of a suspend alone, with a client at work");
	igt_subtest("pm-test-steps") {
		static const char *const steps[] = { "freezer", "devices" };
		struct igt_helper_process worker = { .use_SIGKILL = true };
		struct gpu_client c = client_after_all();

		lima_client_free(&c);
		igt_require(!sys_write("/sys/power/pm_test", "none"));
		sys_write("/sys/module/suspend/parameters/pm_test_delay", "0");
		igt_fork_helper(&worker)
			for (;;)
				lima_check_gpu();
		for (int i = 0; i < 2; i++) {
			igt_assert_eq(sys_write("/sys/power/pm_test", steps[i]), 0);
			igt_assert_eq(sys_write("/sys/power/state", "freeze"), 0);
		}
		igt_assert_eq(sys_write("/sys/power/pm_test", "none"), 0);
		igt_stop_helper(&worker);
		lima_check_gpu();
	}

	/* Last, for a driver that fails these is not itself afterwards. */
	for (int i = 0; i < 2; i++) {
		igt_describe("With jobs that run and wait: they end well, before or after");
		suspend_with(states[i], "work-queued", false);

		igt_describe("With an endless job in front of them, which is the only one to fail");
		suspend_with(states[i], "hang-running", true);
	}
}

igt_main
{
	igt_fixture {
		igt_require(dev_read("power/autosuspend_delay_ms", old_delay, sizeof(old_delay)) >= 0);
		igt_install_exit_handler(restore);
		igt_assert_eq(dev_write("power/autosuspend_delay_ms", "10"), 0);
		igt_assert_eq(dev_write("power/control", "auto"), 0);
	}
	runtime_suspend();
	system_states();
	igt_fixture
		lima_check_gpu();
}
