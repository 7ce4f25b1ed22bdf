// SPDX-License-Identifier: MIT
#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <xf86drm.h>

#include "igt.h"
#include "lima_jobs.h"
#include "gpu_sys.h"

IGT_TEST_DESCRIPTION("BOs, contexts, files and processes that go while their jobs wait or run");

static uint32_t random_next(uint32_t *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return *seed >> 8;
}

static void buffers(void)
{
	igt_describe("Handles closed right after the submit: the job still reads and writes them");
	igt_subtest("bo-closed-running") {
		for (int i = 0; i < 20; i++) {
			struct gpu_client c = lima_client_new();
			uint32_t *seen = c.target.map;
			struct lima_job job = lima_gp_long(&c, 4, 0x4000 + i);
			uint32_t fence = lima_submit_fence(c.fd, &job);

			gem_close(c.fd, c.target.handle);
			gem_close(c.fd, c.lists.handle);
			munmap(c.lists.map, c.lists.size);
			igt_assert_eq(gpu_fence_end(c.fd, fence, 0), 0);
			igt_assert_eq_u32(seen[4], 0x4000 + i);
			munmap(seen, c.target.size);
			close(c.fd);
		}
	}

	igt_describe("The VA of a closed BO is nobody else's while a job that uses it waits");
	igt_subtest("va-held-by-job") {
		struct gpu_client c = lima_client_new();
		struct gpu_gate gate = gpu_gate_new(c.fd);
		struct lima_job job = lima_pp_clear(&c, 0xbadbad);
		struct gpu_bo later[8];
		uint32_t fence;

		job.in_sync[0] = gate.syncobj;
		fence = lima_submit_fence(c.fd, &job);
		gem_close(c.fd, c.target.handle);
		for (int i = 0; i < 8; i++) {
			later[i] = lima_bo_new(c.fd, c.target.size);
			igt_assert(later[i].va + later[i].size <= c.target.va ||
				   c.target.va + c.target.size <= later[i].va);
		}
		gpu_gate_open(&gate);
		igt_assert_eq(gpu_fence_end(c.fd, fence, 0), 0);
		lima_check_picture(&c, 0xbadbad);
		for (int i = 0; i < 8; i++) {
			for (uint32_t k = 0; k < later[i].size / 4; k++)
				igt_assert_eq_u32(later[i].map[k], 0);
			gpu_bo_free(&later[i]);
		}
		gpu_gate_free(c.fd, &gate);
		munmap(c.target.map, c.target.size);
		gpu_bo_free(&c.lists);
		close(c.fd);
	}

	igt_describe("A handle's number stands for another BO now: the same list of numbers means that one");
	igt_subtest("handle-reused") {
		struct gpu_client c = lima_client_new();

		for (uint32_t i = 1; i <= 20; i++) {
			struct gpu_gate gate = gpu_gate_new(c.fd);
			struct lima_job job = lima_pp_clear(&c, i);
			uint32_t handle = c.target.handle, size = c.target.size, fence;

			igt_assert_eq(lima_run(c.fd, &job), 0);
			igt_assert_eq(lima_run(c.fd, &job), 0);
			gpu_bo_free(&c.target);
			c.target = lima_bo_new(c.fd, size);
			igt_assert_eq_u32(c.target.handle, handle);

			job = lima_pp_clear(&c, 0x100 + i);
			job.in_sync[0] = gate.syncobj;
			fence = lima_submit_fence(c.fd, &job);
			igt_assert_eq(lima_try_wait(c.fd, handle, LIMA_GEM_WAIT_READ, 0), -EBUSY);
			gpu_gate_open(&gate);
			igt_assert_eq(gpu_fence_end(c.fd, fence, 0), 0);
			lima_check_picture(&c, 0x100 + i);
			gpu_gate_free(c.fd, &gate);
		}
		lima_client_free(&c);
	}

	igt_describe("Memory that a job may still write is not given to others");
	igt_subtest("pages-held-by-job") {
		struct gpu_client c = lima_client_new();
		struct gpu_gate gate = gpu_gate_new(c.fd);
		struct lima_job job = lima_pp_clear(&c, 0xbadbad);
		uint32_t size = c.target.size, *fresh;
		uint32_t fence;

		job.in_sync[0] = gate.syncobj;
		fence = lima_submit_fence(c.fd, &job);
		gpu_bo_free(&c.target);
		fresh = mmap(NULL, 4096 * 1024, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
		igt_assert(fresh != MAP_FAILED);
		gpu_gate_open(&gate);
		igt_assert_eq(gpu_fence_end(c.fd, fence, 0), 0);
		for (uint32_t i = 0; i < 1024 * 1024; i++)
			igt_assert_eq_u32(fresh[i], 0);
		munmap(fresh, 4096 * 1024);
		gpu_gate_free(c.fd, &gate);
		c.target = lima_bo_new(c.fd, size);
		lima_check_works(&c);
		lima_client_free(&c);
	}
}

static void files(void)
{
	igt_describe("A file closed with jobs that run: others work, memory comes back");
	igt_subtest("file-closed-running") {
		for (int i = 0; i < 20; i++) {
			struct gpu_client c = lima_client_new();

			for (int k = 0; k < 4; k++) {
				struct lima_job job = k & 1 ? lima_pp_clear(&c, k) : lima_gp_long(&c, 0, k);

				lima_submit(c.fd, &job);
			}
			munmap(c.lists.map, c.lists.size);
			munmap(c.target.map, c.target.size);
			close(c.fd);
		}
		lima_check_gpu();
	}

	igt_describe("A file closed with an endless job: it times out, others go on");
	igt_subtest("file-closed-endless")
		for (int pipe = 0; pipe < 2; pipe++) {
			struct gpu_client c = lima_client_new();
			struct lima_job job = pipe ? lima_pp_endless(&c) : lima_gp_endless(&c);

			lima_submit(c.fd, &job);
			munmap(c.lists.map, c.lists.size);
			munmap(c.target.map, c.target.size);
			close(c.fd);
			lima_check_gpu();
		}

	igt_describe("A file closed with a job that waits: the fence ends when what it waits for does");
	igt_subtest("file-closed-waiting") {
		struct gpu_client c = lima_client_new();
		int helper = lima_open(), file;
		struct gpu_gate gate = gpu_gate_new(helper);
		struct lima_job job = lima_gp_store(&c, 0, 1);
		uint32_t fence, copy;

		igt_assert_eq(drmSyncobjExportSyncFile(helper, gate.syncobj, &file), 0);
		job.in_sync[0] = syncobj_create(c.fd, 0);
		syncobj_import_sync_file(c.fd, job.in_sync[0], file);
		close(file);
		fence = lima_submit_fence(c.fd, &job);
		igt_assert_eq(drmSyncobjExportSyncFile(c.fd, fence, &file), 0);
		copy = syncobj_create(helper, 0);
		syncobj_import_sync_file(helper, copy, file);
		close(file);
		munmap(c.lists.map, c.lists.size);
		munmap(c.target.map, c.target.size);
		close(c.fd);
		gpu_gate_open(&gate);
		/* Run or cancelled. */
		gpu_fence_end(helper, copy, 0);
		gpu_gate_free(helper, &gate);
		close(helper);
		lima_check_gpu();
	}

	igt_describe("A hundred files at once, each with work");
	igt_subtest("many-files") {
		enum { N = 100 };
		static struct gpu_client c[N];

		for (uint32_t i = 0; i < N; i++)
			c[i] = lima_client_new();
		for (uint32_t i = 0; i < N; i++) {
			struct lima_job job = lima_gp_store(&c[i], 0, i + 1);

			lima_submit(c[i].fd, &job);
		}
		for (uint32_t i = 0; i < N; i++) {
			lima_wait_idle(c[i].fd, c[i].target.handle);
			igt_assert_eq_u32(c[i].target.map[0], i + 1);
			lima_client_free(&c[i]);
		}
	}

	igt_describe("A file inherited by fork: the child's jobs run in the same address space");
	igt_subtest("forked") {
		struct gpu_client c = lima_client_new();
		struct lima_job jobs[4];

		for (uint32_t i = 0; i < 4; i++)
			jobs[i] = lima_gp_store(&c, i, 0x50 + i);
		igt_fork(child, 4)
			lima_submit(c.fd, &jobs[child]);
		igt_waitchildren();
		lima_wait_idle(c.fd, c.target.handle);
		for (uint32_t i = 0; i < 4; i++)
			igt_assert_eq_u32(c.target.map[i], 0x50 + i);
		lima_client_free(&c);
	}
}

/* Submits for ever, with everything that a submit can have. */
static void __attribute__((noreturn)) busy_client(void)
{
	for (;;) {
		struct gpu_client c = lima_client_new();

		for (uint32_t i = 0; i < 10; i++) {
			struct lima_job job = i & 1 ? lima_pp_clear(&c, i) : lima_gp_store(&c, i, i);
			uint32_t fence = lima_submit_fence(c.fd, &job);

			if (i & 2)
				gpu_fence_end(c.fd, fence, 0);
			else
				syncobj_destroy(c.fd, fence);
		}
		lima_client_free(&c);
	}
}

static void processes(void)
{
	igt_describe("Killed at any time while it opens, creates, submits, waits, closes");
	igt_subtest("sigkill") {
		uint32_t seed = 20240601;

		igt_info("seed %u\n", seed);
		for (int i = 0; i < 40; i++) {
			pid_t pid = fork();

			igt_assert(pid >= 0);
			if (!pid)
				busy_client();
			usleep(random_next(&seed) % 30000);
			kill(pid, SIGKILL);
			igt_assert_eq(waitpid(pid, NULL, 0), pid);
		}
		lima_check_gpu();
	}

	igt_describe("Killed with a queue on each side, of which the GPU takes one job after the other");
	igt_subtest("sigkill-queued")
		for (int i = 0; i < 10; i++) {
			int ready[2];
			pid_t pid;
			char byte;

			igt_assert_eq(pipe(ready), 0);
			pid = fork();
			igt_assert(pid >= 0);
			if (!pid) {
				struct gpu_client c = lima_client_new();

				for (uint32_t k = 0; k < 60; k++) {
					struct lima_job job = k & 1 ? lima_pp_clear(&c, k) : lima_gp_store(&c, k, k);

					lima_submit(c.fd, &job);
				}
				(void)!write(ready[1], "", 1);
				for (;;)
					pause();
			}
			close(ready[1]);
			igt_assert_eq(read(ready[0], &byte, 1), 1);
			close(ready[0]);
			kill(pid, SIGKILL);
			igt_assert_eq(waitpid(pid, NULL, 0), pid);
			lima_check_gpu();
		}

	igt_describe("Signals all the time: each submit and wait comes to its end");
	igt_subtest("signals") {
		struct gpu_client c = lima_client_new();

		igt_fork_signal_helper();
		for (int i = 0; i < 100; i++)
			lima_check_works(&c);
		igt_stop_signal_helper();
		lima_client_free(&c);
	}

	igt_describe("Memory comes back after a thousand jobs of a hundred clients");
	igt_subtest("no-leak") {
		long before = 0, after;

		for (int round = 0; round < 3; round++) {
			for (int i = 0; i < 30; i++) {
				struct gpu_client c = lima_client_new();

				for (int k = 0; k < 10; k++) {
					struct lima_job job = k & 1 ? lima_pp_clear(&c, k) :
								      lima_gp_store(&c, k, k);

					lima_submit(c.fd, &job);
				}
				lima_wait_idle(c.fd, c.target.handle);
				lima_client_free(&c);
			}
			if (!round)
				before = shmem_kib();
		}
		/* The last jobs' memory is freed by workers, a little later. */
		for (int i = 0; i < 100 && shmem_kib() > before + 256; i++)
			usleep(20000);
		after = shmem_kib();
		igt_assert_f(after <= before + 256, "%ld KiB of BOs before, %ld after\n", before, after);
	}
}

igt_main
{
	igt_fixture
		close(lima_open());
	buffers();
	files();
	processes();
	igt_fixture
		lima_check_gpu();
}
