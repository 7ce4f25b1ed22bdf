// SPDX-License-Identifier: MIT
#include <errno.h>
#include <linux/sync_file.h>
#include <signal.h>
#include <sys/mman.h>
#include <xf86drm.h>

#include "igt.h"
#include "gpu_sys.h"
#include "limn_list.h"

IGT_TEST_DESCRIPTION("Suspend, unbind, close with work in flight, and contexts by the thousand");

#define QUEUED		24
#define LONG_MS		20000
#define MAX_TIMEOUT	"/sys/module/limn/parameters/max_timeout_ms"
#define CORE_CLOCK	"/sys/kernel/debug/clk/gpu-core/clk_enable_count"

/* A syncobj is out of reach once its file is gone; a sync file is not. */
static int submit_file(struct gpu_client *c, struct limn_job *job)
{
	uint32_t fence = limn_submit_fence(c->fd, job);
	int file;

	igt_assert_eq(drmSyncobjExportSyncFile(c->fd, fence, &file), 0);
	syncobj_destroy(c->fd, fence);
	return file;
}

/* 0 or the job's error. */
static int file_end(int file)
{
	int status;

	igt_assert_f(!sync_fence_wait(file, gpu_patience_ms()), "a fence that never ends\n");
	status = sync_fence_status(file);
	close(file);
	igt_assert_neq(status, 0);
	return status < 0 ? status : 0;
}

/* Without an ioctl: the device may be gone. */
static void forget(struct gpu_client *c)
{
	if (c->lists.map)
		munmap(c->lists.map, c->lists.size);
	munmap(c->target.map, c->target.size);
	close(c->fd);
}

static void restore(int sig)
{
	gpu_suspend_restore();
	dev_write("power/control", "auto");
}

/* Jobs on both sides, of which some run, some wait in the queue and the last one for the gate. */
static void queue_work(struct gpu_client *c, const struct gpu_gate *gate, uint32_t *fences)
{
	for (uint32_t i = 0; i < QUEUED; i++) {
		struct limn_job job = i & 1 ? limn_clear(c, i) : limn_long(c, 0, i);

		if (i == QUEUED - 1)
			job.in_sync = gate->syncobj;
		fences[i] = limn_submit_fence(c->fd, &job);
	}
}

static void suspends(const char *state)
{
	igt_describe("With jobs that run and wait: all of them end well, before or after");
	igt_subtest_f("%s-queued", state) {
		struct gpu_client c = limn_client_new();
		struct gpu_gate gate = gpu_gate_new(c.fd);
		uint32_t fences[QUEUED];

		queue_work(&c, &gate, fences);
		igt_assert_eq(gpu_suspend(state), 0);
		gpu_gate_open(&gate);
		for (int i = 0; i < QUEUED; i++)
			igt_assert_eq(gpu_fence_end(c.fd, fences[i], 0), 0);
		limn_check_picture(&c, QUEUED - 1);
		gpu_gate_free(c.fd, &gate);
		limn_check_works(&c);
		limn_client_free(&c);
	}

	igt_describe("With a frame whose first half runs: the second one comes before or after");
	igt_subtest_f("%s-frame", state) {
		struct gpu_client c = limn_client_new();
		static struct limn_list l;

		for (uint32_t i = 1; i <= 4; i++) {
			struct limn_job job = limn_long(&c, 0, i);
			uint32_t fence;

			limn_list_init(&l, c.ctx);
			limn_list_add(&l, &job);
			job = limn_clear(&c, i);
			limn_list_add(&l, &job);
			l.job[1].wait_jobs = 1;
			fence = limn_list_fence(c.fd, &l);
			igt_assert_eq(gpu_suspend(state), 0);
			igt_assert_eq(gpu_fence_end(c.fd, fence, 0), 0);
			limn_check_picture(&c, i);
		}
		limn_client_free(&c);
	}

	igt_describe("With two endless jobs in front of them, the only ones to fail");
	for (int side = 0; side < 2; side++) {
		igt_subtest_f("%s-hang-%d", state, side) {
			struct gpu_client bad[2], c = limn_client_new();
			struct gpu_gate gate = gpu_gate_new(c.fd);
			uint32_t fences[QUEUED], guilty[2];

			/* One runs, and one is staged behind it: the hardware has both. */
			for (int i = 0; i < 2; i++) {
				struct limn_job job;

				bad[i] = limn_client_new();
				job = limn_endless(&bad[i], side);
				guilty[i] = limn_submit_fence(bad[i].fd, &job);
			}
			queue_work(&c, &gate, fences);
			igt_assert_eq(gpu_suspend(state), 0);
			gpu_gate_open(&gate);
			for (int i = 0; i < 2; i++)
				igt_assert_eq(gpu_fence_end(bad[i].fd, guilty[i], 0), -ETIMEDOUT);
			for (int i = 0; i < QUEUED; i++)
				igt_assert_eq(gpu_fence_end(c.fd, fences[i], 0), 0);
			limn_check_picture(&c, QUEUED - 1);
			gpu_gate_free(c.fd, &gate);
			for (int i = 0; i < 2; i++)
				limn_client_free(&bad[i]);
			limn_client_free(&c);
			limn_check_gpu();
		}
	}
}

static void closes(void)
{
	igt_describe("A file closed with jobs that run and wait for a gate: each fence ends, the next client works");
	igt_subtest("close-in-flight")
		for (int round = 0; round < 8; round++) {
			struct gpu_client keeper = limn_client_new(), c = limn_client_new();
			struct gpu_gate gate = gpu_gate_new(c.fd);
			int files[QUEUED];

			for (uint32_t i = 0; i < QUEUED; i++) {
				struct limn_job job = i & 1 ? limn_clear(&c, i) : limn_long(&c, 0, i);

				if (i > QUEUED / 2)
					job.in_sync = gate.syncobj;
				files[i] = submit_file(&c, &job);
			}
			forget(&c);
			gpu_gate_open(&gate);
			for (int i = 0; i < QUEUED; i++)
				file_end(files[i]);
			gpu_gate_free(-1, &gate);
			limn_check_works(&keeper);
			limn_client_free(&keeper);
		}

	igt_describe("A file closed with a job that hangs");
	igt_subtest("close-hanging")
		for (int side = 0; side < 2; side++) {
			struct gpu_client c = limn_client_new();
			struct limn_job job = limn_endless(&c, side);
			int file = submit_file(&c, &job);

			forget(&c);
			igt_assert_lt(file_end(file), 0);
			limn_check_gpu();
		}

	igt_describe("A file closed with a queue of jobs that hang: after a second no more of them start");
	igt_subtest("close-queue-of-hangs")
		for (int side = 0; side < 2; side++) {
			struct gpu_client c = limn_client_new();
			struct limn_job job = limn_endless(&c, side);
			int files[QUEUED * 2], timeouts = 0, err = 0;

			/* A context is banned with its fourth hang. */
			for (int i = 0; i < QUEUED * 2; i++) {
				job.ctx = i % 3 ? job.ctx : limn_ctx_new(c.fd, 0, 100);
				files[i] = submit_file(&c, &job);
			}
			forget(&c);
			gpu_be_patient(20);
			for (int i = 0; i < QUEUED * 2; i++) {
				err = file_end(files[i]);
				timeouts += err == -ETIMEDOUT;
			}
			gpu_be_patient(0);
			igt_info("%d of %d jobs started\n", timeouts, QUEUED * 2);
			igt_assert_lte(1, timeouts);
			igt_assert_eq(err, -ESRCH);
			limn_check_gpu();
		}

	igt_describe("Processes killed while they submit, wait and map: nothing is left of them");
	igt_subtest("killed-in-flight") {
		for (int round = 0; round < 6; round++) {
			igt_fork(child, 3)
				for (;;) {
					struct gpu_client c = limn_client_new();
					struct limn_job job = limn_long(&c, 0, child);

					limn_submit(c.fd, &job);
					limn_check_works(&c);
					forget(&c);
				}
			usleep(100000);
			igt_kill_children(SIGKILL);
		}
		limn_check_gpu();
	}
}

static void contexts(void)
{
	igt_describe("Four thousand contexts, each with a job; all of them at once in the end");
	igt_subtest("thousands-of-contexts") {
		enum { N = 4000, EACH = 16 };
		struct gpu_client c = limn_client_new();
		static uint32_t id[N];

		gpu_be_patient(100);
		for (uint32_t i = 0; i < N; i++) {
			struct limn_job job = limn_store(&c, i % EACH, i);

			id[i] = job.ctx = limn_ctx_new(c.fd, 0, 0);
			limn_submit(c.fd, &job);
			if (i % EACH != EACH - 1)
				continue;
			limn_wait_idle(c.fd, c.target.handle);
			for (uint32_t k = 0; k < EACH; k++)
				igt_assert_eq_u32(*limn_word(&c, k), i - (EACH - 1) + k);
		}
		for (uint32_t i = 0; i < N; i++) {
			igt_assert_eq_u32(limn_query(c.fd, id[i]).reset, DRM_LIMN_RESET_NONE);
			if (i % 2)
				limn_ctx_free(c.fd, id[i]);
		}
		/* The others go with the file. */
		gpu_be_patient(0);
		limn_check_works(&c);
		limn_client_free(&c);
		limn_check_gpu();
	}
}

/* Works until the device goes, then as often as it comes back. Whatever it is told, it goes on. */
static void __attribute__((noreturn)) restless_client(uint32_t seed)
{
	for (;;) {
		int fd = gpu_try_open(NULL);

		if (fd < 0) {
			usleep(2000);
			continue;
		}
		for (uint32_t i = 0; i < 50; i++) {
			struct drm_limn_ctx_create ctx = { 0 };
			struct drm_limn_bo_create bo = { .size = 65536 };
			uint32_t words[8] = { 0 };
			struct drm_limn_job job = { .cmd = (uintptr_t)words, .cmd_size = sizeof(words) };
			struct drm_limn_submit submit = { .jobs = DRM_LIMN_ARRAY(&job, 1) };

			if (gpu_try(fd, DRM_IOCTL_LIMN_CTX_CREATE, &ctx) || gpu_try(fd, DRM_IOCTL_LIMN_BO_CREATE, &bo))
				break;
			submit.ctx = ctx.id;
			/* Nothing that a GPU could do; some of it is queued all the same. */
			words[2] = 0x70000000 + seed;
			words[3] = 0x70000010;
			job.cmd_size = i % 2 ? sizeof(words) : 24;
			if (gpu_try(fd, DRM_IOCTL_LIMN_SUBMIT, &submit) == -ENODEV)
				break;
		}
		close(fd);
	}
}

/* How often the GPUs' clock is enabled; negative where it does not say. */
static int clock_count(void)
{
	char count[16];
	int ret = sys_read(CORE_CLOCK, count, sizeof(count));

	return ret < 0 ? ret : atoi(count);
}

static void bind_again(void)
{
	igt_assert_eq(gpu_bind(), 0);
	limn_check_gpu();
}

/* Driver and timeline, as the only fence of a sync file tells. */
static void fence_names(int file, char names[2][32])
{
	struct sync_fence_info fence = { 0 };
	struct sync_file_info info = { .num_fences = 1, .sync_fence_info = (uintptr_t)&fence };

	igt_assert_eq(gpu_try(file, SYNC_IOC_FILE_INFO, &info), 0);
	igt_assert_eq_u32(info.num_fences, 1);
	memcpy(names[0], fence.driver_name, 32);
	memcpy(names[1], fence.obj_name, 32);
}

static void unbinds(void)
{
	igt_describe("The device goes with jobs that run and wait: each fence ends, each ioctl says ENODEV");
	igt_subtest("unbind-queued")
		for (int round = 0; round < 4; round++) {
			struct gpu_client c = limn_client_new();
			struct limn_job job = limn_store(&c, 0, 1);
			struct drm_limn_ctx_query query = { .id = c.ctx };
			int files[QUEUED];

			for (uint32_t i = 0; i < QUEUED; i++) {
				struct limn_job work = i & 1 ? limn_clear(&c, i) : limn_long(&c, 0, i);

				files[i] = submit_file(&c, &work);
			}
			igt_assert_eq(gpu_unbind(), 0);
			for (int i = 0; i < QUEUED; i++)
				file_end(files[i]);
			igt_assert_eq(limn_try_submit(c.fd, &job), -ENODEV);
			igt_assert_eq(gpu_try(c.fd, DRM_IOCTL_LIMN_CTX_QUERY, &query), -ENODEV);
			forget(&c);
			bind_again();
		}

	igt_describe("With jobs of many contexts, which are killed while others of theirs are taken from the queues");
	igt_subtest("unbind-many-contexts")
		for (int round = 0; round < 4; round++) {
			enum { CONTEXTS = 16, EACH = 8 };
			struct gpu_client c = limn_client_new();

			/* Until then they wait. */
			for (int side = 0; side < 2; side++) {
				struct limn_job job = limn_endless(&c, side);

				limn_submit(c.fd, &job);
			}
			for (uint32_t i = 0; i < CONTEXTS; i++) {
				struct limn_job jobs[2] = { limn_store(&c, i, i), limn_clear(&c, i) };

				jobs[0].ctx = limn_ctx_new(c.fd, 0, 0);
				jobs[1].ctx = jobs[0].ctx;
				for (int k = 0; k < EACH; k++)
					limn_submit(c.fd, &jobs[k & 1]);
			}
			igt_assert_eq(gpu_unbind(), 0);
			forget(&c);
			bind_again();
		}

	igt_describe("While a job hangs: it ends with an error");
	igt_subtest("unbind-hanging")
		for (int side = 0; side < 2; side++) {
			struct gpu_client c = limn_client_new();
			struct limn_job job = limn_endless(&c, side);
			int file = submit_file(&c, &job);

			igt_assert_eq(gpu_unbind(), 0);
			igt_assert_lt(file_end(file), 0);
			forget(&c);
			bind_again();
		}

	igt_describe("While a job hangs and another client's waits for the GPU, which would hang for long: that one never starts");
	igt_subtest("unbind-two-hanging") {
		struct gpu_client c[2];
		int files[2];
		int64_t end;

		igt_require(!sys_write(MAX_TIMEOUT, "20000"));
		for (int i = 0; i < 2; i++) {
			struct drm_limn_ctx_create req = { .timeout_ms = LONG_MS };

			c[i] = limn_client_new();
			igt_assert_eq(gpu_try(c[i].fd, DRM_IOCTL_LIMN_CTX_CREATE, &req), 0);
			c[i].ctx = req.id;
		}
		for (int i = 0; i < 2; i++) {
			struct limn_job job = limn_endless(&c[i], 0);

			files[i] = submit_file(&c[i], &job);
		}
		igt_assert_eq(sys_write(MAX_TIMEOUT, "0"), 0);
		end = gpu_time(LONG_MS / 2 * 1000000ll);
		igt_assert_eq(gpu_unbind(), 0);
		igt_assert(gpu_time(0) < end);
		for (int i = 0; i < 2; i++) {
			igt_assert_lt(file_end(files[i]), 0);
			forget(&c[i]);
		}
		bind_again();
	}

	igt_describe("Kept on by power/control: without its driver the GPU has no clocks all the same");
	igt_subtest("unbind-kept-on") {
		igt_require_f(clock_count() >= 0, "no " CORE_CLOCK "\n");
		igt_assert_eq(dev_write("power/control", "on"), 0);
		limn_check_gpu();
		igt_assert_lt(0, clock_count());
		igt_assert_eq(gpu_unbind(), 0);
		/* Another GPU of the machine may have the same clock, until it goes to sleep by itself. */
		for (int i = 0; i < 500 && clock_count(); i++)
			usleep(10000);
		igt_assert_eq(clock_count(), 0);
		bind_again();
		igt_assert_eq(dev_write("power/control", "auto"), 0);
	}

	igt_describe("Fences of jobs that ended and of jobs that never ran have their names when all else is gone");
	igt_subtest("fence-names") {
		enum { N = 4 };
		struct gpu_client c = limn_client_new();
		struct gpu_gate gate = gpu_gate_new(c.fd);
		char names[N][2][32], later[2][32];
		int files[N];

		for (uint32_t i = 0; i < N; i++) {
			struct limn_job job = limn_good(&c, i & 1, i);

			if (i >= N / 2)
				job.in_sync = gate.syncobj;
			files[i] = submit_file(&c, &job);
			fence_names(files[i], names[i]);
			igt_assert(names[i][0][0] && names[i][1][0]);
		}
		igt_assert_eq(gpu_unbind(), 0);
		forget(&c);
		gpu_gate_open(&gate);
		for (int i = 0; i < N; i++)
			igt_assert_f(!sync_fence_wait(files[i], gpu_patience_ms()), "a fence that never ends\n");
		/* What the cancelled jobs held goes a moment later. */
		bind_again();
		usleep(200000);
		for (int i = 0; i < N; i++) {
			fence_names(files[i], later);
			/* Kernels from 6.17 on answer for a fence that has signalled themselves. */
			igt_assert_f(!memcmp(later, names[i], sizeof(later)) ||
				     (!strcmp(later[0], "detached-driver") &&
				      !strcmp(later[1], "signaled-timeline")),
				     "'%s' '%s' was '%s' '%s'\n", later[0], later[1], names[i][0], names[i][1]);
			file_end(files[i]);
		}
		gpu_gate_free(-1, &gate);
	}

	igt_describe("Again and again under clients that never rest");
	igt_subtest("unbind-under-load") {
		igt_fork(child, 4)
			restless_client(child);
		gpu_rebind_often();
		igt_kill_children(SIGKILL);
		limn_check_gpu();
	}
}

igt_main
{
	igt_fixture {
		int fd = limn_open();

		igt_require(geteuid() == 0);
		limn_require(fd, DRM_LIMN_FEATURE_SUBMIT | DRM_LIMN_FEATURE_CTX);
		close(fd);
		gpu_device_path();
		gpu_module();
		gpu_timeout_ms();
		igt_install_exit_handler(restore);
	}
	igt_subtest_group
		contexts();
	igt_subtest_group
		closes();
	igt_subtest_group {
		suspends("freeze");
		suspends("mem");
	}
	igt_subtest_group
		unbinds();
}
