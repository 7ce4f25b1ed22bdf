// SPDX-License-Identifier: MIT
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <limn/vivante/cmdstream.h>

#include "etna_lib.h"
#include "fail_nth.h"
#include "igt.h"

IGT_TEST_DESCRIPTION("Each allocation of each etnaviv ioctl fails in turn (/proc/self/fail-nth): an error, and nothing else");

/* More than anything here needs, so that a loop that never ends is noticed. */
#define MOST_ALLOCATIONS	400

static int fd = -1;
static struct etna_bo target, counters;
static struct etna_job job;
static uint32_t handle;
static int file;
static void *page;

static void init(void)
{
	fail_nth_init();
	fd = etna_open();
	target = etna_bo_new(fd, 4096);
	counters = etna_bo_new(fd, 4096);
	page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	igt_assert(page != MAP_FAILED);
	memset(page, 1, 4096);
}

static void each(int (*run)(void), void (*after)(void))
{
	unsigned int n, failed = 0;
	bool hit = true;
	int ret;

	for (n = 1; hit; n++) {
		igt_assert_f(n < MOST_ALLOCATIONS, "no end of allocations\n");
		fail_nth_arm(n);
		ret = run();
		hit = !fail_nth_disarm();
		igt_assert_f(fail_nth_fits(ret), "allocation %u: %s\n", n, strerror(-ret));
		igt_assert_f(hit || !ret, "nothing failed, yet: %s\n", strerror(-ret));
		failed += ret != 0;
		if (!ret && after)
			after();
	}
	igt_info("%u allocations, %u of them fatal to the call\n", n - 2, failed);
	etna_job_good(fd, &job, &target, 0x5a5a);
	igt_assert_eq(etna_run(fd, &job), 0);
	if (etna_can_fill(fd))
		igt_assert_eq_u32(target.map[3], 0x5a5a);
}

static int run_new(void)
{
	struct drm_etnaviv_gem_new req = { .size = 65536, .flags = ETNA_BO_WC };
	int ret = gpu_try(fd, DRM_IOCTL_ETNAVIV_GEM_NEW, &req);

	handle = req.handle;
	return ret;
}

static int run_userptr(void)
{
	struct drm_etnaviv_gem_userptr req = {
		.user_ptr = (uintptr_t)page,
		.user_size = 4096,
		.flags = ETNA_USERPTR_READ | ETNA_USERPTR_WRITE,
	};
	int ret = gpu_try(fd, DRM_IOCTL_ETNAVIV_GEM_USERPTR, &req);

	handle = req.handle;
	return ret;
}

static void close_handle(void)
{
	gem_close(fd, handle);
}

static int run_open(void)
{
	file = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);
	return file < 0 ? -errno : 0;
}

static void close_file(void)
{
	close(file);
}

/* A job with all that a job can have. */
static int run_submit(void)
{
	struct drm_etnaviv_gem_submit req = etna_job_args(&job);
	int ret = gpu_try(fd, DRM_IOCTL_ETNAVIV_GEM_SUBMIT, &req);

	file = req.fence_fd;
	return ret;
}

static void wait_file(void)
{
	igt_assert_eq(etna_end(file), 0);
}

static void submit_with_counters(void)
{
	etna_job_good(fd, &job, &target, 0x5a5a);
	job.pmrs[0] = (struct drm_etnaviv_gem_submit_pmr) {
		.flags = ETNA_PM_PROCESS_POST,
		.read_offset = 1,
		.read_idx = etna_job_use(&job, &counters, ETNA_SUBMIT_BO_WRITE),
	};
	job.num_pmrs = 1;
	job.flags = ETNA_SUBMIT_FENCE_FD_OUT;
	each(run_submit, wait_file);
}

/* The first submit of a file makes its stream memory. */
static int run_first_submit(void)
{
	struct drm_etnaviv_gem_submit req = etna_job_args(&job);
	int ret = gpu_try(handle, DRM_IOCTL_ETNAVIV_GEM_SUBMIT, &req);

	file = req.fence_fd;
	return ret;
}

static void first_submit(void)
{
	etna_job_init(&job);
	job.flags = ETNA_SUBMIT_FENCE_FD_OUT;
	handle = etna_open();
	each(run_first_submit, wait_file);
	close(handle);
}

#define GATE_MS		50

static atomic_bool opened;

static void *open_gate(void *gate)
{
	usleep(GATE_MS * 1000);
	opened = true;
	gpu_gate_open(gate);
	return NULL;
}

/* Two streams that wait and fill the file's memory for them. */
static void fill_chunk(const struct gpu_gate *gate)
{
	static uint32_t words[128 * 1024 / 4 - 2];
	struct drm_etnaviv_gem_submit req;

	for (unsigned int i = 0; i < sizeof(words) / 4; i += 2)
		words[i] = VIV_FE_COMMAND(NOP);
	etna_job_new(handle, &job);
	for (int i = 0; i < 2; i++) {
		req = etna_job_args(&job);
		req.stream = (uintptr_t)words;
		req.stream_size = sizeof(words);
		req.flags = ETNA_SUBMIT_FENCE_FD_IN;
		req.fence_fd = gate->file;
		igt_assert_eq(gpu_try(handle, DRM_IOCTL_ETNAVIV_GEM_SUBMIT, &req), 0);
	}
}

/* Submits that waited, of those in which an allocation failed. */
static unsigned int full_memory(void)
{
	unsigned int n, waited = 0;
	bool hit = true;

	for (n = 1; hit; n++) {
		struct gpu_gate gate = gpu_gate_new(-1);
		pthread_t thread;
		int ret;

		igt_assert_f(n < MOST_ALLOCATIONS, "no end of allocations\n");
		handle = etna_open();
		fill_chunk(&gate);
		etna_job_new(handle, &job);
		job.flags = ETNA_SUBMIT_FENCE_FD_OUT;
		opened = false;
		igt_assert_eq(pthread_create(&thread, NULL, open_gate, &gate), 0);
		fail_nth_arm(n);
		ret = run_first_submit();
		hit = !fail_nth_disarm();
		waited += hit && !ret && opened;
		pthread_join(thread, NULL);
		igt_assert_f(fail_nth_fits(ret), "allocation %u: %s\n", n, strerror(-ret));
		igt_assert_f(hit || !ret, "nothing failed, yet: %s\n", strerror(-ret));
		if (!ret)
			wait_file();
		gpu_gate_free(-1, &gate);
		close(handle);
	}
	return waited;
}

igt_main
{
	igt_fixture
		init();
	igt_subtest("open")
		each(run_open, close_file);
	igt_subtest("gem-new")
		each(run_new, close_handle);
	igt_subtest("userptr")
		each(run_userptr, close_handle);
	igt_subtest("first-submit")
		first_submit();
	igt_subtest("submit")
		submit_with_counters();
	igt_subtest("full-memory") {
		unsigned int waited = 0;

		igt_require(etna_is_limn());
		/*
		 * Where there is no memory for one more stream, a submit waits for those of the jobs before it. Which allocation
		 * that is depends on what slabs have at hand: a round may miss it.
		 */
		for (unsigned int round = 0; round < 10 && !waited; round++)
			waited = full_memory();
		igt_assert_lt(0, waited);
	}
}
