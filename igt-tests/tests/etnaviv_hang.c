// SPDX-License-Identifier: MIT
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
#include <xf86drm.h>

#include <limn/vivante/cmdstream.h>

#include "etna_lib.h"
#include "igt.h"

IGT_TEST_DESCRIPTION("Jobs that do not end, beside jobs that do; and the device that goes while they run");

static int fd = -1;
static struct etna_bo target;
static struct etna_job job;

static int good_job(int on, struct etna_bo *bo, uint32_t value)
{
	etna_job_good(on, &job, bo, value);
	return etna_start(on, &job);
}

static void check(struct etna_bo *bo, uint32_t value)
{
	if (etna_can_fill(fd))
		igt_assert_eq_u32(bo->map[17], value);
}

static int hang(int on)
{
	etna_job_new(fd, &job);
	etna_job_hang(&job);
	return etna_start(on, &job);
}

/* The job that hangs fails; those before and behind it, and those of others, do not notice. */
static void innocents(void)
{
	int other = etna_open();
	struct etna_bo theirs = etna_bo_new(other, 4096);
	int before, guilty, behind, there;

	before = good_job(fd, &target, 1);
	guilty = hang(fd);
	behind = good_job(fd, &target, 2);
	there = good_job(other, &theirs, 3);
	igt_assert_eq(etna_end(before), 0);
	igt_assert_eq(etna_end(guilty), -ETIMEDOUT);
	igt_assert_eq(etna_end(behind), 0);
	igt_assert_eq(etna_end(there), 0);
	check(&target, 2);
	check(&theirs, 3);
	etna_bo_free(&theirs);
	close(other);
}

static void again_and_again(void)
{
	for (uint32_t i = 0; i < 5; i++) {
		int guilty = hang(fd);
		int good = good_job(fd, &target, 100 + i);

		igt_assert_eq(etna_end(guilty), -ETIMEDOUT);
		igt_assert_eq(etna_end(good), 0);
		check(&target, 100 + i);
	}
}

/* FE, or RS, at an address where nothing is. */
static void mmu_fault(void)
{
	uint32_t *reloc;
	int file;

	igt_require(etna_has_softpin(fd) && etna_can_fill(fd));
	etna_job_new(fd, &job);
	etna_job_fill(fd, &job, &target, 5);
	/* The same job without relocations. */
	for (uint32_t i = 0; i < job.num_relocs; i++) {
		reloc = &job.words[job.relocs[i].submit_offset / 4];
		*reloc = 0x70000000;
	}
	job.num_relocs = 0;
	file = etna_start(fd, &job);
	igt_assert_eq(etna_end(file), -EFAULT);
	igt_assert_eq(etna_end(good_job(fd, &target, 6)), 0);
	check(&target, 6);
}

/*
 * The kernel's pages in each address space: that of nobody, the ring, what cleans states, streams. limn.ko's
 * vivante.h says where they are; in mainline's driver nothing is there, or its streams.
 */
static void stream_is_read_only(void)
{
	static const uint32_t kernels[] = { 0x8000, 0x10000, 0x40000, 0x100000 };
	int file;

	igt_require(etna_has_softpin(fd) && etna_can_fill(fd));
	for (unsigned int k = 0; k < sizeof(kernels) / sizeof(kernels[0]); k++) {
		etna_job_new(fd, &job);
		etna_job_fill(fd, &job, &target, 5);
		for (uint32_t i = 0; i < job.num_relocs; i++)
			job.words[job.relocs[i].submit_offset / 4] = kernels[k];
		job.num_relocs = 0;
		file = etna_start(fd, &job);
		igt_assert_eq(etna_end(file), -EFAULT);
		igt_assert_eq(etna_end(good_job(fd, &target, 7)), 0);
	}
}

/* A loop of FE is refused where it begins. */
static void link_loop(void)
{
	etna_job_new(fd, &job);
	etna_put(&job, VIV_FE_COMMAND(LINK) | 2, 0x100000);
	igt_assert_eq(etna_try_submit(fd, &job), -EINVAL);
}

/* Much longer than the time of a job, but getting on all the time. */
static void long_but_progressing(void)
{
	int last = -1;

	igt_require(etna_can_fill(fd));
	for (uint32_t i = 0; i < 300; i++) {
		etna_job_new(fd, &job);
		for (int k = 0; k < 4; k++)
			etna_job_fill(fd, &job, &target, i);
		job.num_bos = 1;
		for (uint32_t r = 0; r < job.num_relocs; r++)
			job.relocs[r].reloc_idx = 0;
		if (last >= 0)
			close(last);
		last = etna_start(fd, &job);
	}
	igt_assert_eq(etna_end(last), 0);
	igt_assert_eq_u32(target.map[0], 299);
}

/* A file that is closed while its job hangs. */
static void closed(void)
{
	int other = etna_open();
	int guilty = hang(other);

	close(other);
	igt_assert_eq(etna_end(guilty), -ETIMEDOUT);
	igt_assert_eq(etna_end(good_job(fd, &target, 9)), 0);
	check(&target, 9);
}

/* The 2D engine draws after a hang as it did before. */
static void engine_2d(void)
{
	igt_require(!(etna_param(fd, 0, ETNAVIV_PARAM_GPU_FEATURES_0) & chipFeatures_PIPE_3D));
	for (uint32_t i = 1; i < 4; i++) {
		etna_job_new(fd, &job);
		etna_job_fill_rows(fd, &job, &target, 0, 8, i);
		igt_assert_eq(etna_run(fd, &job), 0);
		igt_assert_eq_u32(target.map[17], i);
		etna_end(hang(fd));
	}
}

/* A BO that is closed while its job runs. */
static void bo_closed(void)
{
	for (uint32_t i = 0; i < 50; i++) {
		struct etna_bo bo = etna_bo_new(fd, 64 * 1024);
		int file = good_job(fd, &bo, i);

		etna_bo_free(&bo);
		igt_assert_eq(etna_end(file), 0);
	}
}

static void prime(void)
{
	int other = etna_open(), dmabuf, file;
	struct etna_bo bo = { .fd = other, .size = target.size };

	igt_require(etna_can_fill(fd));
	igt_assert_eq(drmPrimeHandleToFD(fd, target.handle, DRM_CLOEXEC | DRM_RDWR, &dmabuf), 0);
	igt_assert_eq(drmPrimeFDToHandle(other, dmabuf, &bo.handle), 0);
	file = good_job(other, &bo, 0x77);
	igt_assert_eq(etna_end(file), 0);
	igt_assert_eq_u32(target.map[5], 0x77);
	close(dmabuf);
	close(other);
	igt_assert_eq(etna_end(good_job(fd, &target, 0x78)), 0);
}

/* Two clients: address spaces of their own, or a shared one. */
static void clients(void)
{
	struct {
		int fd;
		struct etna_bo bo;
	} c[6];

	for (int i = 0; i < 6; i++) {
		c[i].fd = etna_open();
		c[i].bo = etna_bo_new(c[i].fd, 4096);
	}
	for (uint32_t round = 0; round < 20; round++) {
		for (int i = 0; i < 6; i++)
			close(good_job(c[i].fd, &c[i].bo, round * 10 + i));
	}
	for (int i = 0; i < 6; i++) {
		igt_assert_eq(etna_try_prep(c[i].fd, c[i].bo.handle, ETNA_PREP_READ, 30000), 0);
		check(&c[i].bo, 190 + i);
		etna_bo_free(&c[i].bo);
		close(c[i].fd);
	}
}

static void works(uint32_t value)
{
	igt_assert_eq(etna_end(good_job(fd, &target, value)), 0);
	check(&target, value);
}

/* The machine sleeps while the GPU is idle; while jobs run and wait; and with one in front of them that hangs. */
static void suspended(const char *state)
{
	for (int with = 0; with < 3; with++) {
		int hanging = with == 2 ? hang(fd) : -1, queued[8];

		for (uint32_t i = 0; with && i < 8; i++)
			queued[i] = good_job(fd, &target, 0x50 + i);
		igt_assert_eq(gpu_suspend(state), 0);
		if (with == 2)
			igt_assert_eq(etna_end(hanging), -ETIMEDOUT);
		for (uint32_t i = 0; with && i < 8; i++)
			igt_assert_eq(etna_end(queued[i]), 0);
		if (with)
			check(&target, 0x57);
		works(0x58 + with);
	}
}

static void slept(void)
{
	igt_assert_eq(gpu_sleep("freeze"), 0);
	works(0x5c);
}

static void restore(int sig)
{
	gpu_suspend_restore();
}

static bool falls_asleep(void)
{
	char path[128], status[32] = "";

	snprintf(path, sizeof(path), "/sys/bus/platform/devices/%s/power/runtime_status", etna_core_name());
	for (int i = 0; i < 500 && strcmp(status, "suspended"); i++) {
		usleep(10000);
		igt_assert_lt(0, sys_read(path, status, sizeof(status)));
	}
	return !strcmp(status, "suspended");
}

/* It falls asleep by itself, and wakes up for the next job. */
static void sleeps(void)
{
	for (uint32_t i = 0; i < 3; i++) {
		igt_assert(falls_asleep());
		works(0x60 + i);
	}
}

/* The driver goes while a job hangs; the file stays, and says so. */
static void unbound(void)
{
	int other = etna_open();
	struct etna_bo bo = etna_bo_new(other, 4096);
	char dir[64];
	int guilty = hang(other);
	int queued = good_job(other, &bo, 1);

	etna_job_new(fd, &job);
	snprintf(dir, sizeof(dir), "%s", etna_driver_dir());
	strcat(dir, "/unbind");
	igt_assert_eq(sys_write(dir, etna_core_name()), 0);
	igt_assert_lt(etna_end(guilty), 0);
	igt_assert_lt(etna_end(queued), 0);
	igt_assert_eq(etna_try_submit(other, &job), -ENODEV);
	dir[strlen(dir) - 6] = 0;
	strcat(dir, "bind");
	igt_assert_eq(sys_write(dir, etna_core_name()), 0);
	munmap(bo.map, bo.size);
	close(other);
	close(fd);
	fd = etna_open();
	target = etna_bo_new(fd, 4096);
	works(0x99);
}

igt_main
{
	igt_fixture {
		igt_install_exit_handler(restore);
		fd = etna_open();
		target = etna_bo_new(fd, 4096);
	}
	igt_subtest("innocents")
		innocents();
	igt_subtest("again-and-again")
		again_and_again();
	igt_subtest("mmu-fault")
		mmu_fault();
	igt_subtest("stream-is-read-only")
		stream_is_read_only();
	igt_subtest("link-loop")
		link_loop();
	igt_subtest("long-but-progressing")
		long_but_progressing();
	igt_subtest("closed")
		closed();
	igt_subtest("engine-2d")
		engine_2d();
	igt_subtest("bo-closed")
		bo_closed();
	igt_subtest("prime")
		prime();
	igt_subtest("clients")
		clients();
	igt_subtest("sleeps")
		sleeps();
	igt_subtest("suspend-idle-clock")
		slept();
	igt_subtest("suspend-freeze")
		suspended("freeze");
	igt_subtest("suspend-mem")
		suspended("mem");
	igt_subtest("unbind")
		unbound();
}
