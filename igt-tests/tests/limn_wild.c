// SPDX-License-Identifier: MIT
#include <errno.h>
#include <linux/netlink.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/utsname.h>

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
	if (!is_wild(fd)) {
		c = limn_client_new();
		job = limn_good(&c, 0, 1);
		igt_require_f(limn_run(c.fd, &job), "this GPU can be reset\n");
		igt_assert_f(false, "nobody knows that it cannot\n");
	}
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

/* drm_dev_wedged_event() came with Linux 6.15. */
static bool has_wedged_events(void)
{
	struct utsname name;
	int major = 0, minor = 0;

	uname(&name);
	return sscanf(name.release, "%d.%d", &major, &minor) == 2 && (major > 6 || (major == 6 && minor >= 15));
}

static int open_uevents(void)
{
	struct sockaddr_nl all = { .nl_family = AF_NETLINK, .nl_groups = 1 };
	int events = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC, NETLINK_KOBJECT_UEVENT);

	igt_assert_lte(0, events);
	igt_assert_eq(bind(events, (struct sockaddr *)&all, sizeof(all)), 0);
	return events;
}

/* Reads events until one has the text at the start of a line of its own, or none comes for a second. */
static bool event_says(int events, const char *text)
{
	struct pollfd wait = { .fd = events, .events = POLLIN };
	char event[4096];

	while (poll(&wait, 1, 1000) == 1) {
		ssize_t n = recv(events, event, sizeof(event) - 1, 0);

		igt_assert_lt(0, n);
		event[n] = 0;
		for (char *line = event; line < event + n; line += strlen(line) + 1) {
			if (!strncmp(line, text, strlen(text)))
				return true;
		}
	}
	return false;
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
		igt_assert_eq(limn_jobs_held_soon(fd, 1), 1);
		igt_assert_eq(dev_write("power/control", "auto"), 0);
		wait_asleep();
		igt_assert_eq(limn_jobs_held(fd), 1);
		limn_check_gpu();
		igt_assert(!is_wild(fd));
		igt_assert_eq(limn_jobs_held_soon(fd, 0), 0);
	}

	igt_describe("udev is told that only a rebind helps");
	igt_subtest("wedged") {
		int events;

		igt_require(has_wedged_events());
		events = open_uevents();
		hang(fd);
		igt_assert(event_says(events, "WEDGED=rebind"));
		close(events);
		wait_asleep();
		limn_check_gpu();
	}

	igt_describe("The machine sleeps and wakes up: that starts the core anew");
	igt_subtest("suspend") {
		igt_assert_eq(dev_write("power/control", "on"), 0);
		hang(fd);
		igt_assert_eq(gpu_suspend("freeze"), 0);
		limn_check_gpu();
		igt_assert(!is_wild(fd));
		igt_assert_eq(limn_jobs_held_soon(fd, 0), 0);
		igt_assert_eq(dev_write("power/control", "auto"), 0);
	}

	igt_describe("The device goes: that lets go, too");
	igt_subtest("unbind") {
		/* Asleep, and with its clocks on. */
		for (int on = 0; on < 2; on++) {
			igt_assert_eq(dev_write("power/control", on ? "on" : "auto"), 0);
			hang(fd);
			igt_assert_eq(gpu_unbind(), 0);
			close(fd);
			igt_assert_eq(gpu_bind(), 0);
			limn_check_gpu();
			fd = limn_open();
		}
	}

	igt_fixture
		dev_write("power/control", "auto");
}
