// SPDX-License-Identifier: MIT
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <xf86drm.h>

#include "igt.h"
#include "etna_lib.h"
#include "gpu_sys.h"
#include "lima_lib.h"
#include "limn_bo.h"
#include "limn_list.h"

IGT_TEST_DESCRIPTION("BO_MADVISE: memory that nobody needs goes under pressure, other memory does not");

static int fd = -1;
static struct igt_helper_process reclaim;

static int dontneed(uint32_t handle)
{
	return limn_try_madvise(fd, handle, DRM_LIMN_MADV_DONTNEED);
}

static int willneed(uint32_t handle)
{
	return limn_try_madvise(fd, handle, DRM_LIMN_MADV_WILLNEED);
}

static void refusals(void)
{
	igt_describe("EINVAL: unknown advice, pad not zero");
	igt_subtest("bad-arguments") {
		struct gpu_bo bo = limn_bo_new(fd, 4096, 0, 0);
		struct drm_limn_bo_madvise req = { .handle = bo.handle, .pad = 1 };

		igt_assert_eq(gpu_try(fd, DRM_IOCTL_LIMN_BO_MADVISE, &req), -EINVAL);
		igt_assert_eq(limn_try_madvise(fd, bo.handle, 2), -EINVAL);
		igt_assert_eq(limn_try_madvise(fd, bo.handle, ~0u), -EINVAL);
		gpu_bo_free(&bo);
	}

	igt_describe("ENOENT: no such handle");
	igt_subtest("bad-handle") {
		igt_assert_eq(dontneed(0), -ENOENT);
		igt_assert_eq(willneed(0x7fffffff), -ENOENT);
	}

	igt_describe("EINVAL: heaps, and BOs that others may have");
	igt_subtest("not-purgeable") {
		struct drm_limn_bo_create heap = { .size = 1 << 20, .flags = DRM_LIMN_BO_HEAP };
		struct gpu_bo bo = limn_bo_new(fd, 4096, 0, 0);
		int dma_buf = prime_handle_to_fd(fd, bo.handle);

		if (!limn_try_bo(fd, &heap)) {
			igt_assert_eq(dontneed(heap.handle), -EINVAL);
			gem_close(fd, heap.handle);
		}
		igt_assert_eq(dontneed(bo.handle), -EINVAL);
		close(dma_buf);
		gpu_bo_free(&bo);
	}

	igt_describe("EINVAL: memory of another device");
	igt_subtest("not-purgeable-imported") {
		struct drm_mode_create_dumb create = { .width = 32, .height = 32, .bpp = 32 };
		int vgem = vgem_open(), dma_buf;
		uint32_t handle;

		igt_assert_eq(gpu_try(vgem, DRM_IOCTL_MODE_CREATE_DUMB, &create), 0);
		dma_buf = prime_handle_to_fd(vgem, create.handle);
		handle = prime_fd_to_handle(fd, dma_buf);
		igt_assert_eq(dontneed(handle), -EINVAL);
		gem_close(fd, handle);
		close(dma_buf);
		close(vgem);
	}

	igt_describe("EBUSY: a BO that was given up is not exported");
	igt_subtest("no-export") {
		struct gpu_bo bo = limn_bo_new(fd, 4096, 0, 0);
		int dma_buf = -1;

		igt_assert_eq(dontneed(bo.handle), 1);
		igt_assert(drmPrimeHandleToFD(fd, bo.handle, DRM_CLOEXEC, &dma_buf) && errno == EBUSY);
		igt_assert_eq(willneed(bo.handle), 1);
		dma_buf = prime_handle_to_fd(fd, bo.handle);
		close(dma_buf);
		gpu_bo_free(&bo);
	}
}

/* A job that only lists the BO. */
static int submit_with(struct gpu_client *c, const struct gpu_bo *bo)
{
	struct limn_job job = limn_store(c, 0, 1);

	limn_job_use(&job, bo, LIMN_READ);
	return limn_try_submit(c->fd, &job);
}

/* Drops it; a job that has ended holds its BOs for a moment longer. */
static void purge(int file, uint32_t handle)
{
	for (int i = 0; i < 1000 && limn_bo_info(file, handle).flags != DRM_LIMN_BO_PURGED; i++) {
		limn_drop_slab();
		usleep(1000);
	}
	igt_assert_eq_u32(limn_bo_info(file, handle).flags, DRM_LIMN_BO_PURGED);
}

/* Where the ABI whose name the driver carries says that a BO can be mapped. */
static uint64_t native_offset(const struct gpu_client *c, uint32_t handle)
{
	struct drm_etnaviv_gem_info req = { .handle = handle };
	uint64_t offset;
	uint32_t va;

	if (limn_is_utgard(c)) {
		lima_info(c->fd, handle, &va, &offset);
		return offset;
	}
	igt_assert_eq(gpu_try(c->fd, DRM_IOCTL_ETNAVIV_GEM_INFO, &req), 0);
	return req.offset;
}

/* An endless job of that queue, alone in its context; returns its fence. */
static uint32_t hang(struct gpu_client *c, int side, uint32_t timeout_ms, uint32_t *ctx)
{
	struct limn_job job = limn_endless(c, side);
	static struct limn_list l;
	uint32_t fence;

	*ctx = limn_ctx_new(c->fd, 0, timeout_ms);
	limn_list_init(&l, *ctx);
	l.args.flags = DRM_LIMN_SUBMIT_NO_IMPLICIT;	/* beside the other queue's */
	limn_list_add(&l, &job);
	fence = limn_list_fence(c->fd, &l);
	limn_wait_started(c->fd, *ctx);
	return fence;
}

/*
 * The first job hangs for five seconds, or a busy machine would end it before the purge. Half of the
 * BO: each CPU may be some hundred pages behind with its count.
 */
static void purge_under_jobs(int num)
{
	static const char limit[] = "/sys/module/limn/parameters/max_timeout_ms";
	struct gpu_client c = limn_client_on(limn_open());
	struct gpu_bo bo = limn_bo_new(c.fd, 16 << 20, 0, 0);
	uint32_t ctx[2], fence[2];
	long held;

	igt_require(num == 1 || limn_queue(&c, 0) != limn_queue(&c, 1));
	igt_assert_eq(sys_write(limit, "10000"), 0);
	bo.map[0] = 1;
	for (int i = 0; i < num; i++)
		fence[i] = hang(&c, i, 5000 * (i + 1), &ctx[i]);
	igt_assert_eq(sys_write(limit, "0"), 0);
	igt_assert_eq(limn_try_madvise(c.fd, bo.handle, DRM_LIMN_MADV_DONTNEED), 1);
	held = shmem_kib();
	purge(c.fd, bo.handle);
	for (int i = 0; i < num; i++) {
		long purged = shmem_kib();

		igt_assert_f(!gpu_fence_status(c.fd, fence[i]), "the job's time was over before the purge was\n");
		igt_assert(purged > held - 8192);
		if (i == num - 1)
			break;
		igt_assert_lt(gpu_fence_end(c.fd, fence[i], 60000), 0);
		usleep(200000);	/* it gives back what it held */
	}
	igt_assert(limn_sigbus(&bo.map[0], true));
	igt_assert_eq(limn_try_madvise(c.fd, bo.handle, DRM_LIMN_MADV_WILLNEED), 0);
	igt_assert_eq(submit_with(&c, &bo), -ENXIO);
	igt_assert_lt(gpu_fence_end(c.fd, fence[num - 1], 60000), 0);
	for (int i = 0; i < 1000 && shmem_kib() > held - 8192; i++)
		usleep(10000);
	igt_assert(shmem_kib() <= held - 8192);
	for (int i = 0; i < num; i++)
		limn_ctx_free(c.fd, ctx[i]);
	gpu_bo_free(&bo);
	limn_client_free(&c);
}

/* The first line of debugfs' gem file, in KiB, and the flags of the BO with that label. */
static void read_gem(long *purgeable, long *purged, const char *label, char *flags)
{
	char text[16384], *row;

	igt_assert_lt(0, gpu_debugfs_read(fd, "gem", text, sizeof(text)));
	igt_assert_eq(sscanf(text, "purgeable %ld KiB, purged so far %ld KiB", purgeable, purged), 2);
	row = strstr(text, label);
	igt_assert_f(row, "no %s in %s\n", label, text);
	memcpy(flags, row - 7, 6);
	flags[6] = '\0';
}

static void debugfs(void)
{
	static const struct { bool drop; long purgeable, purged; int advice; char flag; } steps[] = {
		{ .advice = DRM_LIMN_MADV_DONTNEED, .purgeable = 1024, .flag = 'p' },
		{ .advice = DRM_LIMN_MADV_WILLNEED, .flag = '-' },
		{ .advice = DRM_LIMN_MADV_DONTNEED, .purgeable = 1024, .flag = 'p' },
		{ .advice = DRM_LIMN_MADV_DONTNEED, .drop = true, .purged = 1024, .flag = 'P' },
	};
	static const char name[] = "one MiB to purge";
	struct gpu_bo bo = limn_bo_new(fd, 1 << 20, 0, 0);
	struct drm_limn_bo_label label = { .handle = bo.handle, .len = strlen(name), .label = (uintptr_t)name };
	long purgeable, purged, was_purgeable, was_purged;
	char flags[7];

	limn_drop_slab();	/* of others */
	igt_assert_eq(gpu_try(fd, DRM_IOCTL_LIMN_BO_LABEL, &label), 0);
	read_gem(&was_purgeable, &was_purged, name, flags);
	igt_assert(!strcmp(flags, "------"));
	for (unsigned int i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		igt_assert_eq(limn_try_madvise(fd, bo.handle, steps[i].advice), 1);
		if (steps[i].drop)
			limn_drop_slab();
		read_gem(&purgeable, &purged, name, flags);
		igt_assert_eq(purgeable - was_purgeable, steps[i].purgeable);
		igt_assert_eq(purged - was_purged, steps[i].purged);
		igt_assert_eq(flags[5], steps[i].flag);
	}
	gpu_bo_free(&bo);
}

static void one_bo(void)
{
	igt_describe("Without pressure, contents are still there when they are needed again");
	igt_subtest("retained") {
		struct gpu_bo bo = limn_bo_new(fd, 64 << 10, 0, 0);

		for (uint32_t i = 1; i < 4; i++) {
			bo.map[100] = i;
			igt_assert_eq(dontneed(bo.handle), 1);
			igt_assert(limn_bo_info(fd, bo.handle).flags & DRM_LIMN_BO_PURGEABLE);
			igt_assert_eq(dontneed(bo.handle), 1);
			igt_assert_eq(willneed(bo.handle), 1);
			igt_assert_eq_u32(limn_bo_info(fd, bo.handle).flags, 0);
			igt_assert_eq_u32(bo.map[100], i);
		}
		limn_drop_slab();
		igt_assert_eq_u32(bo.map[100], 3);
		gpu_bo_free(&bo);
	}

	igt_describe("What was purged: retained 0, SIGBUS, ENXIO, no offset, nothing resident, and for good");
	igt_subtest("purged") {
		struct gpu_client c = limn_client_on(limn_open());
		struct gpu_bo bo = limn_bo_new(c.fd, 64 << 10, 0, 0);
		struct drm_limn_bo_info info;
		int dma_buf;

		bo.map[0] = 7;
		igt_assert_eq(limn_try_madvise(c.fd, bo.handle, DRM_LIMN_MADV_DONTNEED), 1);
		igt_assert_eq(submit_with(&c, &bo), 0);
		limn_wait_idle(c.fd, c.target.handle);
		purge(c.fd, bo.handle);
		info = limn_bo_info(c.fd, bo.handle);
		igt_assert_eq_u32(info.flags, DRM_LIMN_BO_PURGED);
		igt_assert_eq_u64(info.resident, 0);
		igt_assert_eq_u64(info.offset, 0);
		igt_assert_eq_u64(info.size, bo.size);
		igt_assert(limn_sigbus(&bo.map[0], false));
		igt_assert(limn_sigbus(&bo.map[1024], true));
		igt_assert_eq(submit_with(&c, &bo), -ENXIO);
		igt_assert(drmPrimeHandleToFD(c.fd, bo.handle, DRM_CLOEXEC, &dma_buf) && errno == ENXIO);
		igt_assert_eq(limn_try_madvise(c.fd, bo.handle, DRM_LIMN_MADV_WILLNEED), 0);
		igt_assert_eq(limn_try_madvise(c.fd, bo.handle, DRM_LIMN_MADV_DONTNEED), 0);
		igt_assert(limn_sigbus(&bo.map[0], false));
		igt_assert_eq(submit_with(&c, &bo), -ENXIO);
		gpu_bo_free(&bo);
		limn_check_works(&c);
		limn_client_free(&c);
	}

	igt_describe("The lima and etnaviv ABI tell no mmap offset of a purged BO that is another BO's now");
	igt_subtest("purged-offset") {
		struct gpu_client c = limn_client_on(limn_open());
		struct gpu_bo gone = limn_bo_new(c.fd, 64 << 10, 0, 0), later;
		uint64_t offset = limn_bo_info(c.fd, gone.handle).offset, told[2];

		igt_assert_eq(limn_try_madvise(c.fd, gone.handle, DRM_LIMN_MADV_DONTNEED), 1);
		purge(c.fd, gone.handle);
		later = limn_bo_new(c.fd, 64 << 10, 0, 0);
		igt_assert_eq_u64(limn_bo_info(c.fd, later.handle).offset, offset);
		told[0] = native_offset(&c, gone.handle);
		told[1] = native_offset(&c, later.handle);
		igt_assert(told[0] != told[1]);
		igt_assert_eq_u64(told[1], offset);
		gpu_bo_free(&gone);
		gpu_bo_free(&later);
		limn_client_free(&c);
	}

	igt_describe("A GPU address whose memory was purged faults");
	igt_subtest("gpu-faults") {
		struct gpu_client c = limn_client_on(limn_open());
		struct gpu_bo bo = limn_bo_new(c.fd, 64 << 10, 0, 0);
		struct gpu_client other = c;
		struct limn_job job;

		igt_require(limn_can_fault(&c));	/* it does not list the BO */
		other.target.va = bo.va;
		job = limn_store(&other, 0, 0xbad);
		igt_assert_eq(limn_run(c.fd, &job), 0);
		igt_assert_eq_u32(bo.map[0], 0xbad);
		igt_assert_eq(limn_try_madvise(c.fd, bo.handle, DRM_LIMN_MADV_DONTNEED), 1);
		purge(c.fd, bo.handle);
		job = limn_store(&other, 0, 0xbad);
		igt_assert_eq(limn_run(c.fd, &job), -EFAULT);
		limn_check_works(&c);
		gpu_bo_free(&bo);
		limn_client_free(&c);
	}

	igt_describe("A BO with a job that waits or runs is left alone until the job is done");
	igt_subtest("busy") {
		struct gpu_client c = limn_client_on(limn_open());
		struct gpu_gate gate = gpu_gate_new(c.fd);
		struct gpu_bo bo = limn_bo_new(c.fd, 64 << 10, 0, 0);
		struct gpu_client other = c;
		struct limn_job job;
		uint32_t fence;

		other.target = bo;
		job = limn_store(&other, 3, 0x77);
		job.in_sync = gate.syncobj;
		fence = limn_submit_fence(c.fd, &job);
		igt_assert_eq(limn_try_madvise(c.fd, bo.handle, DRM_LIMN_MADV_DONTNEED), 1);
		limn_drop_slab();
		igt_assert(limn_bo_info(c.fd, bo.handle).flags == DRM_LIMN_BO_PURGEABLE);
		gpu_gate_open(&gate);
		igt_assert_eq(gpu_fence_end(c.fd, fence, 0), 0);
		igt_assert_eq_u32(*limn_word(&other, 3), 0x77);
		purge(c.fd, bo.handle);
		gpu_bo_free(&bo);
		gpu_gate_free(c.fd, &gate);
		limn_client_free(&c);
	}

	igt_describe("A running job that does not list the BO: purged at once, though the job may still reach the pages");
	igt_subtest("under-job")
		purge_under_jobs(1);

	igt_describe("Jobs of two queues that may reach it: the pages stay until the last of them has ended");
	igt_subtest("under-two-jobs")
		purge_under_jobs(2);

	igt_describe("debugfs tells what is purgeable, what was purged, and of which BO");
	igt_subtest("debugfs")
		debugfs();

	igt_describe("fdinfo tells purgeable memory, and what is resident after a purge");
	igt_subtest("fdinfo") {
		int file = limn_open();
		struct gpu_bo bo = limn_bo_new(file, 1 << 20, 0, 0);

		igt_assert(gpu_fdinfo(file, "drm-purgeable-memory") <= 0);	/* 7.x leaves a 0 out */
		igt_assert_eq(limn_try_madvise(file, bo.handle, DRM_LIMN_MADV_DONTNEED), 1);
		igt_assert_eq_u64(gpu_fdinfo(file, "drm-purgeable-memory"), 1 << 20);
		igt_assert_eq_u64(gpu_fdinfo(file, "drm-resident-memory"), 1 << 20);
		limn_drop_slab();
		igt_assert(gpu_fdinfo(file, "drm-purgeable-memory") <= 0);	/* 7.x leaves a 0 out */
		igt_assert(gpu_fdinfo(file, "drm-resident-memory") <= 0);	/* 7.x leaves a 0 out */
		igt_assert_eq_u64(gpu_fdinfo(file, "drm-total-memory"), 1 << 20);
		gpu_bo_free(&bo);
		close(file);
	}

	igt_describe("Mappings that were forked, or unmapped after the purge, count as they should");
	igt_subtest("mappings") {
		struct gpu_bo bo = limn_bo_new(fd, 64 << 10, 0, 0);
		struct drm_limn_bo_info info = limn_bo_info(fd, bo.handle);
		uint32_t *second = mmap(NULL, bo.size, PROT_READ, MAP_SHARED, fd, info.offset);

		igt_assert(second != MAP_FAILED);
		igt_assert_eq(dontneed(bo.handle), 1);
		limn_drop_slab();
		igt_fork(child, 2) {
			igt_assert(limn_sigbus(&bo.map[0], false));
			igt_assert(limn_sigbus(second, false));
		}
		igt_waitchildren();
		munmap(second, bo.size);
		igt_assert(limn_sigbus(&bo.map[0], true));
		gpu_bo_free(&bo);
	}
}

/* A BO that was given up, named for others. */
static uint32_t named(int file, struct gpu_bo *bo)
{
	struct drm_gem_flink req;

	*bo = limn_bo_new(file, 64 << 10, 0, 0);
	req.handle = bo->handle;
	igt_assert_eq(gpu_try(file, DRM_IOCTL_GEM_FLINK, &req), 0);
	igt_assert_eq(limn_try_madvise(file, bo->handle, DRM_LIMN_MADV_DONTNEED), 1);
	return req.name;
}

static int try_open(int file, uint32_t name)
{
	struct drm_gem_open req = { .name = name };
	int ret = gpu_try(file, DRM_IOCTL_GEM_OPEN, &req);

	return ret ?: (int)req.handle;
}

static void races(void)
{
	igt_describe("EBUSY, ENXIO: a BO that was given up, or purged, is not opened by name");
	igt_subtest("no-open-by-name") {
		int mine = gpu_open_primary(fd), other = gpu_open_primary(fd);
		struct gpu_bo bo;
		uint32_t name = named(mine, &bo);

		igt_assert_eq(try_open(other, name), -EBUSY);
		igt_assert_eq(try_open(mine, name), -EBUSY);
		igt_assert_eq(limn_try_madvise(mine, bo.handle, DRM_LIMN_MADV_WILLNEED), 1);
		igt_assert(try_open(other, name) > 0);
		igt_assert_eq(limn_try_madvise(mine, bo.handle, DRM_LIMN_MADV_DONTNEED), -EINVAL);
		gpu_bo_free(&bo);
		name = named(mine, &bo);
		purge(mine, bo.handle);
		igt_assert_eq(try_open(other, name), -ENXIO);
		gpu_bo_free(&bo);
		close(other);
		close(mine);
	}

	igt_describe("BOs that are closed while they are purged: neither a warning nor a use after free");
	igt_subtest("close-while-purged") {
		int file = limn_open();

		/* Who purges gives way at once, maybe in the middle of it, to the one who wakes up to close. */
		igt_fork_helper(&reclaim) {
			struct sched_param idle = { 0 };

			igt_assert_eq(sched_setscheduler(0, SCHED_IDLE, &idle), 0);
			for (;;)
				limn_drop_slab();
		}
		for (int i = 0; i < 3000; i++) {
			struct drm_limn_bo_create req = { .size = 4096 };

			igt_assert_eq(limn_try_bo(file, &req), 0);
			igt_assert_eq(limn_try_madvise(file, req.handle, DRM_LIMN_MADV_DONTNEED), 1);
			usleep(random() % 1000);
			gem_close(file, req.handle);
		}
		igt_stop_helper(&reclaim);
		close(file);
	}
}

/* Uses kib of memory, if need be the last there is; the kernel may kill it. */
static void eat(long kib)
{
	static const char first[] = "1000";
	char *memory;

	igt_assert_eq(sys_write("/proc/self/oom_score_adj", first), 0);
	memory = mmap(NULL, kib << 10, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	igt_assert(memory != MAP_FAILED);
	for (long page = 0; page < kib / 4; page++)
		memory[page << 12] = 1;
}

#define SOME	24

/* How big one of the 40 BOs of each client is: all are two and a half times what there is, but leave addresses. */
static long cache_kib(unsigned int clients)
{
	uint64_t addresses = limn_param(fd, DRM_LIMN_PARAM_VA_END) - limn_param(fd, DRM_LIMN_PARAM_VA_START);
	long most = (long)(addresses >> 10) * 3 / 4 / 40;
	long all = mem_kib("MemAvailable") / 16;

	return (all < most ? all : most) / clients / 4 * 4;
}

/* BOs that are not needed any more. */
static void fill_cache(int file, long kib)
{
	struct gpu_bo bo[40];

	for (int i = 0; i < 40; i++) {
		bo[i] = limn_bo_new(file, kib << 10, 0, 0);
		bo[i].map[0] = 1;
		igt_assert_eq(limn_try_madvise(file, bo[i].handle, DRM_LIMN_MADV_DONTNEED), 1);
	}
	for (int i = 0; i < 40; i++)
		gpu_bo_free(&bo[i]);
}

static void pressure(void)
{
	igt_describe("More memory than is free can be had, because purgeable BOs give theirs: the others keep it");
	igt_subtest("memory-pressure") {
		long each = mem_kib("MemAvailable") * 2 / 3 / SOME / 4 * 4, want;
		struct gpu_bo bo[SOME];
		unsigned int purged = 0;

		igt_require(each >= 64);
		for (uint32_t i = 0; i < SOME; i++) {
			bo[i] = limn_bo_new(fd, each << 10, 0, 0);
			bo[i].map[0] = i;
			if (i % 2)
				igt_assert_eq(dontneed(bo[i].handle), 1);
		}
		want = mem_kib("MemAvailable") + SOME / 2 * each / 2;
		igt_info("%ld KiB available, taking %ld, %ld purgeable\n", mem_kib("MemAvailable"), want,
			 SOME / 2 * each);
		igt_fork(child, 1)
			eat(want);
		igt_waitchildren();
		for (uint32_t i = 0; i < SOME; i++) {
			int retained = willneed(bo[i].handle);

			if (i % 2) {
				purged += !retained;
			} else {
				igt_assert_eq(retained, 1);
				igt_assert_eq_u32(bo[i].map[0], i);
			}
			if (i % 2 && retained)
				igt_assert_eq_u32(bo[i].map[0], i);
			gpu_bo_free(&bo[i]);
		}
		igt_info("%u of %u purgeable BOs were purged\n", purged, SOME / 2);
		igt_assert(purged);
	}

	igt_describe("A client's new BOs take the place of its purgeable ones: its cache never stands in the way");
	igt_subtest("own-cache")
		fill_cache(fd, cache_kib(1));

	igt_describe("The same for several clients at once, of which one purges what another waits for");
	igt_subtest("many-caches") {
		long each = cache_kib(3);

		igt_fork(child, 3)
			fill_cache(limn_open(), each);
		igt_waitchildren();
	}

	igt_describe("Jobs of several clients run on while purgeable BOs come and go in all of them");
	igt_subtest("under-load") {
		igt_fork(child, 4) {
			struct gpu_client c = limn_client_on(limn_open());

			for (uint32_t i = 0; i < 40; i++) {
				struct gpu_bo bo = limn_bo_new(c.fd, 256 << 10, 0, 0);
				struct gpu_client other = c;
				struct limn_job job;
				int ret;

				other.target = bo;
				job = limn_clear(&other, i);
				ret = limn_try_submit(c.fd, &job);
				igt_assert_eq(ret, 0);
				igt_assert_eq(limn_try_madvise(c.fd, bo.handle, DRM_LIMN_MADV_DONTNEED), 1);
				if (i % 8 == 7)
					limn_drop_slab();
				limn_wait_idle(c.fd, bo.handle);
				if (limn_try_madvise(c.fd, bo.handle, DRM_LIMN_MADV_WILLNEED))
					limn_check_picture(&other, i);
				gpu_bo_free(&bo);
			}
			limn_client_free(&c);
		}
		igt_waitchildren();
	}
}

igt_main
{
	igt_fixture {
		fd = limn_open();
		limn_require(fd, DRM_LIMN_FEATURE_BO | DRM_LIMN_FEATURE_MADVISE);
	}
	refusals();
	one_bo();
	races();
	pressure();
	igt_fixture {
		close(fd);
		limn_check_gpu();
	}
}
