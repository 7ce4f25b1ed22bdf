// SPDX-License-Identifier: MIT
#include <errno.h>
#include <fcntl.h>

#include "igt.h"
#include "fail_nth.h"
#include "gpu_sys.h"
#include "lima_jobs.h"
#include "limn_gpu.h"

/* More than any ioctl here needs, so that a loop that never ends is noticed. */
#define MOST_ALLOCATIONS	400

/* Open all the time: to open it would be the first thing to fail. */
static int fail_nth = -1;

void fail_nth_init(void)
{
	fail_nth = open("/proc/self/fail-nth", O_RDWR | O_CLOEXEC);
	igt_require_f(fail_nth >= 0, "no fault injection in this kernel\n");
	/* Sleeping allocations too, and no log line each. */
	igt_require(!sys_write("/sys/kernel/debug/failslab/ignore-gfp-wait", "N"));
	sys_write("/sys/kernel/debug/failslab/verbose", "0");
	sys_write("/sys/kernel/debug/fail_page_alloc/ignore-gfp-wait", "N");
	sys_write("/sys/kernel/debug/fail_page_alloc/min-order", "0");
	sys_write("/sys/kernel/debug/fail_page_alloc/verbose", "0");
}

void fail_nth_spare(const char *function)
{
	unsigned long start = 0, end = ~0ul, at;
	FILE *file = fopen("/proc/kallsyms", "r");
	char name[128], line[512], text[32];

	igt_require(file);
	while (!start && fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%lx %*c %127s", &at, name) == 2 && !strcmp(name, function))
			start = at;
	}
	igt_require_f(start, "no address of %s\n", function);
	/* It ends where the next symbol is; they need not be in order. */
	rewind(file);
	while (fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%lx", &at) == 1 && at > start && at < end)
			end = at;
	}
	fclose(file);
	snprintf(text, sizeof(text), "0x%lx", start);
	igt_assert_eq(sys_write("/sys/kernel/debug/failslab/reject-start", text), 0);
	snprintf(text, sizeof(text), "0x%lx", end);
	igt_assert_eq(sys_write("/sys/kernel/debug/failslab/reject-end", text), 0);
}

void fail_nth_arm(unsigned int nth)
{
	char text[16];
	int n = snprintf(text, sizeof(text), "%u", nth);

	igt_assert_eq(pwrite(fail_nth, text, n, 0), n);
}

unsigned int fail_nth_disarm(void)
{
	char text[32] = "";

	igt_assert(pread(fail_nth, text, sizeof(text) - 1, 0) > 0);
	fail_nth_arm(0);
	return atoi(text);
}

bool fail_nth_fits(int ret)
{
	return !ret || ret == -ENOMEM || ret == -ENFILE || ret == -EMFILE || ret == -ENOSPC || ret == -EFAULT;
}

void fail_nth_each(struct gpu_client *c, const struct fail_nth_step *s)
{
	unsigned int failed = 0, n;
	bool hit = true;
	int ret;

	for (n = 1; hit; n++) {
		igt_assert_f(n < MOST_ALLOCATIONS, "no end of allocations\n");
		if (s->before)
			s->before(c);
		fail_nth_arm(n);
		ret = s->run(c);
		hit = !fail_nth_disarm();
		igt_assert_f(fail_nth_fits(ret), "allocation %u: %s\n", n, strerror(-ret));
		igt_assert_f(hit || !ret, "nothing failed, yet: %s\n", strerror(-ret));
		failed += ret != 0;
		if (s->after)
			s->after(c, ret);
	}
	igt_info("%u allocations, %u of them fatal to the call\n", n - 2, failed);
	if (c->family)
		limn_check_works(c);
	else
		lima_check_works(c);
}
