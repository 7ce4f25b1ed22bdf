// SPDX-License-Identifier: MIT
#include <errno.h>
#include <string.h>

#include "igt.h"
#include "gpu_sys.h"
#include "limn_gpu.h"
#include "limn_list.h"

IGT_TEST_DESCRIPTION("A core that nothing resets keeps the memory of its job until it is started anew");

/* On sound hardware these tests skip. With the testbed: --gpu gc2000 --model-fault stuck-reset:gc2000. */

static bool is_wild(int fd)
{
	char text[4096];

	igt_assert_lt(0, gpu_debugfs_read(fd, "queues", text, sizeof(text)));
	return strstr(text, "could not be reset");
}

/* A client that leaves nothing but a job that the core is still at. */
static void hang(int fd)
{
	struct gpu_client c = limn_client_new();
	struct limn_job job = limn_endless(&c, 0);

	igt_assert_eq(gpu_fence_end(c.fd, limn_submit_fence(c.fd, &job), 0), -ETIMEDOUT);
	limn_client_free(&c);
	igt_require_f(is_wild(fd), "this GPU can be reset\n");
	/* Long after other jobs would have gone. */
	sleep(1);
	igt_assert_eq(limn_jobs_held(fd), 1);
}

static void wait_asleep(void)
{
	char status[32] = "";

	for (int i = 0; i < 100 && strcmp(status, "suspended"); i++) {
		usleep(100000);
		igt_assert_lt(0, dev_read("power/runtime_status", status, sizeof(status)));
	}
	igt_assert_eq(strcmp(status, "suspended"), 0);
}

igt_main
{
	int fd = -1;

	igt_fixture
		fd = limn_open();

	igt_describe("While it stays on, jobs fail and do not pile up; from sleep it comes back, and lets go");
	igt_subtest("kept") {
		igt_assert_eq(dev_write("power/control", "on"), 0);
		hang(fd);
		for (int i = 0; i < 3; i++) {
			struct gpu_client c = limn_client_new();
			struct limn_job job = limn_good(&c, 0, 1);

			igt_assert_eq(limn_run(c.fd, &job), -EIO);
			/* It is not this client's fault. */
			igt_assert_eq_u64(limn_query(c.fd, c.ctx).guilty, 0);
			limn_client_free(&c);
		}
		igt_assert(is_wild(fd));
		igt_assert_eq(limn_jobs_held(fd), 1);
		igt_assert_eq(dev_write("power/control", "auto"), 0);
		wait_asleep();
		igt_assert_eq(limn_jobs_held(fd), 1);
		limn_check_gpu();
		igt_assert(!is_wild(fd));
		for (int i = 0; i < 100 && limn_jobs_held(fd); i++)
			usleep(100000);
		igt_assert_eq(limn_jobs_held(fd), 0);
	}

	igt_describe("The machine sleeps and wakes up: that starts the core anew");
	igt_subtest("suspend") {
		igt_assert_eq(dev_write("power/control", "on"), 0);
		hang(fd);
		igt_assert_eq(gpu_suspend("freeze"), 0);
		limn_check_gpu();
		igt_assert(!is_wild(fd));
		for (int i = 0; i < 100 && limn_jobs_held(fd); i++)
			usleep(100000);
		igt_assert_eq(limn_jobs_held(fd), 0);
		igt_assert_eq(dev_write("power/control", "auto"), 0);
	}

	igt_describe("The device goes: that lets go, too");
	igt_subtest("unbind") {
		hang(fd);
		igt_assert_eq(gpu_unbind(), 0);
		close(fd);
		igt_assert_eq(gpu_bind(), 0);
		limn_check_gpu();
	}

	igt_fixture
		dev_write("power/control", "auto");
}
