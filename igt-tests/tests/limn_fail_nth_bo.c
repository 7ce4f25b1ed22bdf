// SPDX-License-Identifier: MIT
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "igt.h"
#include "fail_nth.h"
#include "lima_sys.h"
#include "limn_bo.h"

IGT_TEST_DESCRIPTION("Each allocation of the BO, statistics and counter ioctls fails in turn, and those around purges and dumps");

#define SIZE	(64u << 10)

static struct {
	uint32_t handle, perfmon;
	int drop_caches;
	void *pages;
} x;

static const struct drm_limn_perf_counter counters[] = { { 0, 0x06 }, { 1, 0x09 }, { 2, 0x12 } };

static int run_create(struct lima_client *c)
{
	struct drm_limn_bo_create req = {
		.size = SIZE, .va = 0x40000000, .flags = DRM_LIMN_BO_CACHED | DRM_LIMN_BO_FIXED_VA,
	};
	int ret = limn_try_bo(c->fd, &req);

	x.handle = req.handle;
	return ret;
}

static void close_bo(struct lima_client *c, int ret)
{
	if (!ret)
		gem_close(c->fd, x.handle);
}

static int run_userptr(struct lima_client *c)
{
	return limn_try_userptr(c->fd, x.pages, SIZE, 0, &x.handle);
}

static int run_info(struct lima_client *c)
{
	struct drm_limn_bo_info req = { .handle = c->target.handle };

	return lima_try(c->fd, DRM_IOCTL_LIMN_BO_INFO, &req);
}

static void make_bo(struct lima_client *c)
{
	struct drm_limn_bo_create req = { .size = SIZE, .flags = DRM_LIMN_BO_CACHED };

	igt_assert_eq(limn_try_bo(c->fd, &req), 0);
	x.handle = req.handle;
}

static void drop_bo(struct lima_client *c, int ret)
{
	gem_close(c->fd, x.handle);
}

static int run_madvise(struct lima_client *c)
{
	int ret = limn_try_madvise(c->fd, x.handle, DRM_LIMN_MADV_DONTNEED);

	return ret < 0 ? ret : 0;
}

static void give_bo_up(struct lima_client *c)
{
	make_bo(c);
	igt_assert_eq(limn_try_madvise(c->fd, x.handle, DRM_LIMN_MADV_DONTNEED), 1);
}

/* A purge, from within a write to a file: the shrinker must not need memory. */
static int run_purge(struct lima_client *c)
{
	return pwrite(x.drop_caches, "2", 1, 0) < 0 ? -errno : 0;
}

static void check_purged(struct lima_client *c, int ret)
{
	if (!ret)
		igt_assert(limn_bo_info(c->fd, x.handle).flags & DRM_LIMN_BO_PURGED);
	gem_close(c->fd, x.handle);
}

static int run_label(struct lima_client *c)
{
	struct drm_limn_bo_label req = { .handle = x.handle, .len = 4, .label = (uintptr_t)"name" };

	return lima_try(c->fd, DRM_IOCTL_LIMN_BO_LABEL, &req);
}

static int run_sync(struct lima_client *c)
{
	struct drm_limn_bo_sync req = { .handle = x.handle, .flags = DRM_LIMN_SYNC_FOR_CPU, .size = SIZE };

	return lima_try(c->fd, DRM_IOCTL_LIMN_BO_SYNC, &req);
}

static int run_stats(struct lima_client *c)
{
	static struct drm_limn_job_stat stats[64];
	struct drm_limn_job_stats req = { .ctx = c->ctx, .count = 64, .stats = (uintptr_t)stats };

	return lima_try(c->fd, DRM_IOCTL_LIMN_JOB_STATS, &req);
}

static int run_domain(struct lima_client *c)
{
	struct drm_limn_perf_domain domain = { .domain = 1 };
	struct drm_limn_perf_signal signal = { .domain = 1, .index = 1 };

	return lima_try(c->fd, DRM_IOCTL_LIMN_PERF_DOMAIN, &domain) ?:
	       lima_try(c->fd, DRM_IOCTL_LIMN_PERF_SIGNAL, &signal);
}

static int run_perfmon(struct lima_client *c)
{
	struct drm_limn_perfmon_create req = {
		.flags = DRM_LIMN_PERFMON_DEVICE, .count = 3, .counters = (uintptr_t)counters,
	};
	int ret = lima_try(c->fd, DRM_IOCTL_LIMN_PERFMON_CREATE, &req);

	x.perfmon = req.id;
	return ret;
}

static void destroy_perfmon(struct lima_client *c, int ret)
{
	struct drm_limn_perfmon_destroy req = { .id = x.perfmon };

	if (!ret)
		igt_assert_eq(lima_try(c->fd, DRM_IOCTL_LIMN_PERFMON_DESTROY, &req), 0);
}

static void make_perfmon(struct lima_client *c)
{
	igt_assert_eq(run_perfmon(c), 0);
}

static int run_read(struct lima_client *c)
{
	uint64_t values[3];
	struct drm_limn_perfmon_read req = {
		.id = x.perfmon, .flags = DRM_LIMN_PERFMON_RESET, .count = 3, .values = (uintptr_t)values,
	};

	return lima_try(c->fd, DRM_IOCTL_LIMN_PERFMON_READ, &req);
}

static void always_destroy(struct lima_client *c, int ret)
{
	destroy_perfmon(c, 0);
}

/* The device's perfmon counts this job: the submit allocates for it. */
static int run_counted(struct lima_client *c)
{
	struct lima_job job = lima_gp_store(c, 1, 0x77);

	return lima_try_submit(c->fd, &job);
}

static void wait_counted(struct lima_client *c, int ret)
{
	lima_wait_idle(c->fd, c->target.handle);
	destroy_perfmon(c, 0);
}

static const struct fail_nth_step steps[] = {
	{ "bo-create", NULL, run_create, close_bo },
	{ "bo-userptr", NULL, run_userptr, close_bo },
	{ "bo-info", NULL, run_info, NULL },
	{ "bo-madvise", make_bo, run_madvise, drop_bo },
	{ "bo-purge", give_bo_up, run_purge, check_purged },
	{ "bo-label", make_bo, run_label, drop_bo },
	{ "bo-sync", make_bo, run_sync, drop_bo },
	{ "job-stats", NULL, run_stats, NULL },
	{ "perf-domain-signal", NULL, run_domain, NULL },
	{ "perfmon-create", NULL, run_perfmon, destroy_perfmon },
	{ "perfmon-read", make_perfmon, run_read, always_destroy },
	{ "submit-counted", make_perfmon, run_counted, wait_counted },
};

igt_main
{
	struct lima_client c = { .fd = -1 };

	igt_fixture {
		fail_nth_init();
		c = lima_client_new();
		limn_require(c.fd, DRM_LIMN_FEATURE_BO | DRM_LIMN_FEATURE_USERPTR | DRM_LIMN_FEATURE_PERFMON);
		x.drop_caches = open("/proc/sys/vm/drop_caches", O_WRONLY | O_CLOEXEC);
		igt_assert_fd(x.drop_caches);
		x.pages = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
		igt_assert(x.pages != MAP_FAILED);
	}

	for (unsigned int i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		igt_describe("The n-th allocation fails, for each n until the call needs fewer");
		igt_subtest(steps[i].name)
			fail_nth_each(&c, &steps[i]);
	}

	igt_describe("Jobs fail, and the memory for their dumps does: shorter dumps or none, and the errors they should have");
	igt_subtest("dumps") {
		sys_write("/sys/kernel/debug/fail_page_alloc/task-filter", "N");
		sys_write("/sys/kernel/debug/failslab/task-filter", "N");
		for (unsigned int i = 0; i < 40; i++) {
			static const char *const odds[] = { "3", "20", "100" };
			struct lima_job job = i % 2 ? lima_gp_unmapped(&c) : lima_pp_invalid(&c);
			uint32_t fence = lima_submit_fence(c.fd, &job);
			int ret;

			/* Only allocations that may not sleep: the way to the fence. */
			sys_write("/sys/kernel/debug/fail_page_alloc/ignore-gfp-wait", "Y");
			sys_write("/sys/kernel/debug/failslab/ignore-gfp-wait", "Y");
			sys_write("/sys/kernel/debug/fail_page_alloc/times", "200");
			sys_write("/sys/kernel/debug/fail_page_alloc/probability", odds[i % 3]);
			ret = lima_fence_end(c.fd, fence, 0);
			sys_write("/sys/kernel/debug/fail_page_alloc/probability", "0");
			igt_assert_f(ret == -EFAULT || ret == -EIO, "job %u: %d\n", i, ret);
			if (i % 5 == 0)
				igt_assert(!system("for f in /sys/class/devcoredump/devcd*/data; do [ -e $f ] && echo 1 >$f; done; true"));
		}
		sys_write("/sys/kernel/debug/fail_page_alloc/times", "1");
		sys_write("/sys/kernel/debug/fail_page_alloc/task-filter", "Y");
		sys_write("/sys/kernel/debug/failslab/task-filter", "Y");
		lima_check_works(&c);
	}

	igt_fixture
		lima_client_free(&c);
}
