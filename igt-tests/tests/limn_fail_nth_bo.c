// SPDX-License-Identifier: MIT
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "igt.h"
#include "fail_nth.h"
#include "gpu_sys.h"
#include "limn_bo.h"

IGT_TEST_DESCRIPTION("Each allocation of the BO, statistics and counter ioctls fails in turn, and those around purges and dumps");

#define SIZE	(64u << 10)

static struct {
	uint32_t handle, perfmon;
	uint64_t va;
	int drop_caches;
	void *pages;
} x;

/* The first signal of each of the first domains. */
static struct drm_limn_perf_counter counters[3];
static uint32_t num_counters;

static void choose_counters(int fd)
{
	num_counters = limn_param(fd, DRM_LIMN_PARAM_NUM_PERF_DOMAINS);
	if (num_counters > 3)
		num_counters = 3;
	for (uint32_t i = 0; i < num_counters; i++) {
		struct drm_limn_perf_signal req = { .domain = i };

		igt_assert_eq(gpu_try(fd, DRM_IOCTL_LIMN_PERF_SIGNAL, &req), 0);
		counters[i] = (struct drm_limn_perf_counter){ i, req.signal };
	}
}

/* Page tables stay: each BO is where none has been. */
static void choose_place(struct gpu_client *c)
{
	x.va += 8 << 20;
}

static int run_create(struct gpu_client *c)
{
	struct drm_limn_bo_create req = {
		.size = SIZE, .va = x.va, .flags = DRM_LIMN_BO_CACHED | DRM_LIMN_BO_FIXED_VA,
	};
	int ret = limn_try_bo(c->fd, &req);

	x.handle = req.handle;
	return ret;
}

static void close_bo(struct gpu_client *c, int ret)
{
	if (!ret)
		gem_close(c->fd, x.handle);
}

static int run_userptr(struct gpu_client *c)
{
	return limn_try_userptr(c->fd, x.pages, SIZE, 0, &x.handle);
}

static int run_info(struct gpu_client *c)
{
	struct drm_limn_bo_info req = { .handle = c->target.handle };

	return gpu_try(c->fd, DRM_IOCTL_LIMN_BO_INFO, &req);
}

static void make_bo(struct gpu_client *c)
{
	struct drm_limn_bo_create req = { .size = SIZE, .flags = DRM_LIMN_BO_CACHED };

	igt_assert_eq(limn_try_bo(c->fd, &req), 0);
	x.handle = req.handle;
}

static void drop_bo(struct gpu_client *c, int ret)
{
	gem_close(c->fd, x.handle);
}

static int run_madvise(struct gpu_client *c)
{
	int ret = limn_try_madvise(c->fd, x.handle, DRM_LIMN_MADV_DONTNEED);

	return ret < 0 ? ret : 0;
}

static void give_bo_up(struct gpu_client *c)
{
	make_bo(c);
	igt_assert_eq(limn_try_madvise(c->fd, x.handle, DRM_LIMN_MADV_DONTNEED), 1);
}

/* A purge, from within a write to a file: the shrinker must not need memory. */
static int run_purge(struct gpu_client *c)
{
	return pwrite(x.drop_caches, "2", 1, 0) < 0 ? -errno : 0;
}

static void check_purged(struct gpu_client *c, int ret)
{
	if (!ret)
		igt_assert(limn_bo_info(c->fd, x.handle).flags & DRM_LIMN_BO_PURGED);
	gem_close(c->fd, x.handle);
}

static int run_label(struct gpu_client *c)
{
	struct drm_limn_bo_label req = { .handle = x.handle, .len = 4, .label = (uintptr_t)"name" };

	return gpu_try(c->fd, DRM_IOCTL_LIMN_BO_LABEL, &req);
}

static int run_sync(struct gpu_client *c)
{
	struct drm_limn_bo_sync req = { .handle = x.handle, .flags = DRM_LIMN_SYNC_FOR_CPU, .size = SIZE };

	return gpu_try(c->fd, DRM_IOCTL_LIMN_BO_SYNC, &req);
}

static int run_stats(struct gpu_client *c)
{
	static struct drm_limn_job_stat stats[64];
	struct drm_limn_job_stats req = { .ctx = c->ctx, .stats = DRM_LIMN_ARRAY(stats, 64) };

	return gpu_try(c->fd, DRM_IOCTL_LIMN_JOB_STATS, &req);
}

static int run_domain(struct gpu_client *c)
{
	struct drm_limn_perf_domain domain = { 0 };
	struct drm_limn_perf_signal signal = { 0 };

	return gpu_try(c->fd, DRM_IOCTL_LIMN_PERF_DOMAIN, &domain) ?:
	       gpu_try(c->fd, DRM_IOCTL_LIMN_PERF_SIGNAL, &signal);
}

static int run_perfmon(struct gpu_client *c)
{
	struct drm_limn_perfmon_create req = {
		.flags = DRM_LIMN_PERFMON_DEVICE, .counters = DRM_LIMN_ARRAY(counters, num_counters),
	};
	int ret = gpu_try(c->fd, DRM_IOCTL_LIMN_PERFMON_CREATE, &req);

	x.perfmon = req.id;
	return ret;
}

static void destroy_perfmon(struct gpu_client *c, int ret)
{
	struct drm_limn_perfmon_destroy req = { .id = x.perfmon };

	if (!ret)
		igt_assert_eq(gpu_try(c->fd, DRM_IOCTL_LIMN_PERFMON_DESTROY, &req), 0);
}

static void make_perfmon(struct gpu_client *c)
{
	igt_assert_eq(run_perfmon(c), 0);
}

static int run_read(struct gpu_client *c)
{
	uint64_t values[3];
	struct drm_limn_perfmon_read req = {
		.id = x.perfmon, .flags = DRM_LIMN_PERFMON_RESET, .values = DRM_LIMN_ARRAY(values, num_counters),
	};

	return gpu_try(c->fd, DRM_IOCTL_LIMN_PERFMON_READ, &req);
}

static void always_destroy(struct gpu_client *c, int ret)
{
	destroy_perfmon(c, 0);
}

/* The device's perfmon counts this job: the submit allocates for it. */
static int run_counted(struct gpu_client *c)
{
	struct limn_job job = limn_store(c, 1, 0x77);

	return limn_try_submit(c->fd, &job);
}

static void wait_counted(struct gpu_client *c, int ret)
{
	limn_wait_idle(c->fd, c->target.handle);
	destroy_perfmon(c, 0);
}

static const struct fail_nth_step steps[] = {
	{ "bo-create", choose_place, run_create, close_bo },
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
	struct gpu_client c = { .fd = -1 };

	igt_fixture {
		fail_nth_init();
		c = limn_client_new();
		limn_require(c.fd, DRM_LIMN_FEATURE_BO | DRM_LIMN_FEATURE_USERPTR | DRM_LIMN_FEATURE_PERFMON);
		x.drop_caches = open("/proc/sys/vm/drop_caches", O_WRONLY | O_CLOEXEC);
		igt_assert_fd(x.drop_caches);
		choose_counters(c.fd);
		x.va = limn_param(c.fd, DRM_LIMN_PARAM_VA_START) + (256 << 20);
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
			struct limn_job job = i % 2 || !limn_is_utgard(&c) ? limn_failing(&c, 0) :
									     limn_invalid(&c, 1);
			uint32_t fence = limn_submit_fence(c.fd, &job);
			int ret;

			/* Only allocations that may not sleep: the way to the fence. */
			sys_write("/sys/kernel/debug/fail_page_alloc/ignore-gfp-wait", "Y");
			sys_write("/sys/kernel/debug/failslab/ignore-gfp-wait", "Y");
			sys_write("/sys/kernel/debug/fail_page_alloc/times", "200");
			sys_write("/sys/kernel/debug/fail_page_alloc/probability", odds[i % 3]);
			ret = gpu_fence_end(c.fd, fence, 0);
			sys_write("/sys/kernel/debug/fail_page_alloc/probability", "0");
			igt_assert_f(ret == limn_fail_error(&c) || ret == -EIO, "job %u: %d\n", i, ret);
			if (i % 5 == 0)
				igt_assert(!system("for f in /sys/class/devcoredump/devcd*/data; do [ -e $f ] && echo 1 >$f; done; true"));
		}
		sys_write("/sys/kernel/debug/fail_page_alloc/times", "1");
		sys_write("/sys/kernel/debug/fail_page_alloc/task-filter", "Y");
		sys_write("/sys/kernel/debug/failslab/task-filter", "Y");
		limn_check_works(&c);
	}

	igt_fixture
		limn_client_free(&c);
}
