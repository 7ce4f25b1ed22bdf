// SPDX-License-Identifier: MIT
#include <errno.h>
#include <xf86drm.h>

#include "igt.h"
#include "lima_jobs.h"

#include <limn/utgard/regs.h>

IGT_TEST_DESCRIPTION("Order between jobs: sync objects in and out, and implicit sync through BOs");

static struct gpu_client c = { .fd = -1 };

static uint32_t submit_behind(struct lima_job *job, const struct gpu_gate *gate)
{
	uint32_t fence;

	job->in_sync[0] = gate->syncobj;
	fence = lima_submit_fence(c.fd, job);
	job->in_sync[0] = 0;
	return fence;
}

/* Whether the job stays queued while others of its pipe could have run. */
static bool still_waits(uint32_t fence)
{
	usleep(20000);
	return gpu_fence_status(c.fd, fence) == 0;
}

static void copy_fence(int from_fd, uint32_t from, int to_fd, uint32_t to)
{
	int file;

	igt_assert_eq(drmSyncobjExportSyncFile(from_fd, from, &file), 0);
	syncobj_import_sync_file(to_fd, to, file);
	close(file);
}

static void explicit_sync(void)
{
	igt_describe("An out syncobj is signalled when the job has ended, and replaced by each submit");
	igt_subtest("out") {
		struct lima_job job = lima_gp_store(&c, 0, 1);

		job.out_sync = syncobj_create(c.fd, 0);
		for (uint32_t i = 0; i < 10; i++) {
			lima_submit(c.fd, &job);
			igt_assert(syncobj_wait(c.fd, &job.out_sync, 1,
						gpu_time(gpu_timeout_ms() * 1000000ll), 0, NULL));
			igt_assert_eq_u32(c.target.map[0], 1);
			c.target.map[0] = 0;
		}
		syncobj_destroy(c.fd, job.out_sync);
	}

	igt_describe("Each in syncobj holds the job back until it is signalled");
	igt_subtest("in")
		for (uint32_t pipe = 0; pipe < 2; pipe++) {
			for (int slot = 0; slot < 2; slot++) {
				struct lima_job job = pipe ? lima_pp_clear(&c, 0x31 + slot) :
							     lima_gp_store(&c, 0, 0x31 + slot);
				struct gpu_gate gate = gpu_gate_new(c.fd);
				uint32_t fence;

				c.target.map[0] = 0;
				job.in_sync[slot] = gate.syncobj;
				fence = lima_submit_fence(c.fd, &job);
				igt_assert(still_waits(fence));
				igt_assert_eq_u32(c.target.map[0], 0);
				gpu_gate_open(&gate);
				igt_assert_eq(gpu_fence_end(c.fd, fence, 0), 0);
				igt_assert_eq_u32(c.target.map[0], 0x31 + slot);
				gpu_gate_free(c.fd, &gate);
			}
		}

	igt_describe("Both in syncobjs: the job waits for the later one");
	igt_subtest("in-both") {
		struct gpu_gate a = gpu_gate_new(c.fd), b = gpu_gate_new(c.fd);
		struct lima_job job = lima_gp_store(&c, 0, 5);
		uint32_t fence;

		job.in_sync[0] = a.syncobj;
		job.in_sync[1] = b.syncobj;
		fence = lima_submit_fence(c.fd, &job);
		gpu_gate_open(&b);
		igt_assert(still_waits(fence));
		gpu_gate_open(&a);
		igt_assert_eq(gpu_fence_end(c.fd, fence, 0), 0);
		gpu_gate_free(c.fd, &a);
		gpu_gate_free(c.fd, &b);
	}

	igt_describe("One syncobj as in and out: the job waits for what was in it before");
	igt_subtest("in-is-out") {
		struct gpu_gate gate = gpu_gate_new(c.fd);
		struct lima_job job = lima_gp_store(&c, 0, 6);

		job.in_sync[0] = gate.syncobj;
		job.out_sync = gate.syncobj;
		lima_submit(c.fd, &job);
		igt_assert(still_waits(gate.syncobj));
		gpu_gate_open(&gate);
		igt_assert(syncobj_wait(c.fd, &gate.syncobj, 1,
					gpu_time(gpu_timeout_ms() * 1000000ll), 0, NULL));
		igt_assert_eq(gpu_fence_status(c.fd, gate.syncobj), 1);
		gpu_gate_free(c.fd, &gate);
	}

	igt_describe("A chain over both pipes and two files through syncobjs runs in its order");
	igt_subtest("chain") {
		struct gpu_client other = lima_client_new();
		uint32_t last = 0;
		int last_fd = -1;

		for (uint32_t i = 0; i < 12; i++) {
			struct gpu_client *who = i & 2 ? &other : &c;
			struct lima_job job = i & 1 ? lima_pp_clear(who, i + 1) :
						      lima_gp_store(who, 0, i + 1);

			if (last) {
				job.in_sync[1] = syncobj_create(who->fd, 0);
				copy_fence(last_fd, last, who->fd, job.in_sync[1]);
				syncobj_destroy(last_fd, last);
			}
			last = lima_submit_fence(who->fd, &job);
			last_fd = who->fd;
			if (job.in_sync[1])
				syncobj_destroy(who->fd, job.in_sync[1]);
		}
		igt_assert_eq(gpu_fence_end(other.fd, last, 0), 0);
		igt_assert_eq_u32(other.target.map[0], 12);
		lima_client_free(&other);
	}
}

static void caches(void)
{
	igt_describe("A job that waited for another device finds what was written meanwhile, not what a cache kept of before");
	igt_subtest("in-foreign-after-clear") {
		struct gpu_gate gate = gpu_gate_new(c.fd);
		struct lima_job job = lima_gp_store(&c, 0, 0x41), same = job;
		uint32_t at = job.frame.gp.frame[GP_PLBUCL_START / 4] - c.lists.va;
		uint32_t fence = submit_behind(&job, &gate);

		/* The same list, on another context: the job above does not hold it up. */
		same.ctx = lima_ctx_new(c.fd);
		same.flags = LIMA_SUBMIT_FLAG_EXPLICIT_FENCE;
		igt_assert_eq(lima_run(c.fd, &same), 0);
		igt_assert_eq_u32(c.target.map[0], 0x41);
		igt_assert_eq_u32(c.lists.map[at / 4], 0x41);
		c.lists.map[at / 4] = 0x42;
		gpu_gate_open(&gate);
		igt_assert_eq(gpu_fence_end(c.fd, fence, 0), 0);
		igt_assert_eq_u32(c.target.map[0], 0x42);
		igt_assert_eq(lima_try_ctx_free(c.fd, same.ctx), 0);
		gpu_gate_free(c.fd, &gate);
	}
}

static bool is_limn(int fd)
{
	drmVersionPtr version = drmGetVersion(fd);
	bool limn = version && strstr(version->desc, "limn");

	drmFreeVersion(version);
	return limn;
}

static void errors(void)
{
	igt_describe("limn: pixels are not drawn from the polygon lists of a GP job that failed");
	igt_subtest("pp-behind-failed-gp") {
		struct gpu_gate gate = gpu_gate_new(c.fd);
		struct lima_job gp = lima_gp_unmapped(&c), pp = lima_pp_clear(&c, 0x11111111);
		uint32_t first, second;

		igt_require_f(is_limn(c.fd), "lima runs them\n");
		c.target.map[0] = 0;
		first = submit_behind(&gp, &gate);
		second = lima_submit_fence(c.fd, &pp);
		gpu_gate_open(&gate);
		igt_assert_eq(gpu_fence_end(c.fd, first, 0), -EFAULT);
		igt_assert_eq(gpu_fence_end(c.fd, second, 0), -ECANCELED);
		igt_assert_eq_u32(c.target.map[0], 0);
		gpu_gate_free(c.fd, &gate);
	}
}

static void implicit_sync(void)
{
	igt_describe("A reader waits for the writer, a writer for readers and writers");
	igt_subtest("implicit-order") {
		/* PP first, held back; GP behind it on the same target. */
		struct gpu_gate gate = gpu_gate_new(c.fd);
		struct lima_job pp = lima_pp_clear(&c, 0x11111111);
		struct lima_job gp = lima_gp_store(&c, 0, 0x22222222);
		uint32_t first = submit_behind(&pp, &gate), second;

		second = lima_submit_fence(c.fd, &gp);
		igt_assert(still_waits(second));
		gpu_gate_open(&gate);
		igt_assert_eq(gpu_fence_end(c.fd, first, 0), 0);
		igt_assert_eq(gpu_fence_end(c.fd, second, 0), 0);
		igt_assert_eq_u32(c.target.map[0], 0x22222222);
		igt_assert_eq_u32(c.target.map[1], 0x11111111);
		gpu_gate_free(c.fd, &gate);
	}

	igt_describe("A reader waits for a writer");
	igt_subtest("implicit-read-after-write") {
		struct gpu_gate gate = gpu_gate_new(c.fd);
		struct lima_job pp = lima_pp_clear(&c, 0x11111111);
		struct lima_job gp = lima_gp_store(&c, 0, 0x22222222);
		uint32_t first = submit_behind(&pp, &gate), second;

		gp.bos[1].flags = LIMA_SUBMIT_BO_READ;
		second = lima_submit_fence(c.fd, &gp);
		igt_assert(still_waits(second));
		gpu_gate_open(&gate);
		igt_assert_eq(gpu_fence_end(c.fd, first, 0), 0);
		igt_assert_eq(gpu_fence_end(c.fd, second, 0), 0);
		igt_assert_eq_u32(c.target.map[0], 0x22222222);
		gpu_gate_free(c.fd, &gate);
	}

	igt_describe("A writer waits for a reader");
	igt_subtest("implicit-write-after-read") {
		struct gpu_gate gate = gpu_gate_new(c.fd);
		struct lima_job pp = lima_pp_clear(&c, 0x11111111);
		struct lima_job gp = lima_gp_store(&c, 0, 0x22222222);
		uint32_t first, second;

		pp.bos[1].flags = LIMA_SUBMIT_BO_READ;
		first = submit_behind(&pp, &gate);
		second = lima_submit_fence(c.fd, &gp);
		igt_assert(still_waits(second));
		gpu_gate_open(&gate);
		igt_assert_eq(gpu_fence_end(c.fd, first, 0), 0);
		igt_assert_eq(gpu_fence_end(c.fd, second, 0), 0);
		gpu_gate_free(c.fd, &gate);
	}

	igt_describe("Two readers do not wait for each other");
	igt_subtest("implicit-readers") {
		struct gpu_gate gate = gpu_gate_new(c.fd);
		struct lima_job pp = lima_pp_clear(&c, 0x11111111);
		struct lima_job gp = lima_gp_store(&c, 0, 0x22222222);
		uint32_t first, second;

		pp.bos[1].flags = LIMA_SUBMIT_BO_READ;
		gp.bos[1].flags = LIMA_SUBMIT_BO_READ;
		first = submit_behind(&pp, &gate);
		second = lima_submit_fence(c.fd, &gp);
		igt_assert_eq(gpu_fence_end(c.fd, second, 0), 0);
		igt_assert_eq(gpu_fence_status(c.fd, first), 0);
		gpu_gate_open(&gate);
		igt_assert_eq(gpu_fence_end(c.fd, first, 0), 0);
		gpu_gate_free(c.fd, &gate);
	}

	igt_describe("EXPLICIT_FENCE: the job does not wait for what others do to its BOs");
	igt_subtest("explicit-ignores-implicit") {
		struct gpu_gate gate = gpu_gate_new(c.fd);
		struct lima_job pp = lima_pp_clear(&c, 0x11111111);
		struct lima_job gp = lima_gp_store(&c, 0, 0x22222222);
		uint32_t first = submit_behind(&pp, &gate), second;

		gp.flags = LIMA_SUBMIT_FLAG_EXPLICIT_FENCE;
		second = lima_submit_fence(c.fd, &gp);
		igt_assert_eq(gpu_fence_end(c.fd, second, 0), 0);
		igt_assert_eq(gpu_fence_status(c.fd, first), 0);
		gpu_gate_open(&gate);
		igt_assert_eq(gpu_fence_end(c.fd, first, 0), 0);
		igt_assert_eq_u32(c.target.map[0], 0x11111111);
		gpu_gate_free(c.fd, &gate);
	}

	igt_describe("What an explicit job does to its BOs, implicit jobs and GEM_WAIT still wait for");
	igt_subtest("explicit-is-seen") {
		struct gpu_gate gate = gpu_gate_new(c.fd);
		struct lima_job pp = lima_pp_clear(&c, 0x11111111);
		struct lima_job gp = lima_gp_store(&c, 0, 0x22222222);
		uint32_t first, second;

		pp.flags = LIMA_SUBMIT_FLAG_EXPLICIT_FENCE;
		first = submit_behind(&pp, &gate);
		second = lima_submit_fence(c.fd, &gp);
		igt_assert(still_waits(second));
		igt_assert_eq(lima_try_wait(c.fd, c.target.handle, LIMA_GEM_WAIT_READ, 0), -EBUSY);
		gpu_gate_open(&gate);
		igt_assert_eq(gpu_fence_end(c.fd, first, 0), 0);
		igt_assert_eq(gpu_fence_end(c.fd, second, 0), 0);
		igt_assert_eq_u32(c.target.map[0], 0x22222222);
		gpu_gate_free(c.fd, &gate);
	}

	igt_describe("A context whose job waits does not hold up another context");
	igt_subtest("contexts-independent") {
		struct gpu_gate gate = gpu_gate_new(c.fd);
		struct lima_job a = lima_gp_store(&c, 0, 1), b = lima_gp_store(&c, 1, 2);
		uint32_t first = submit_behind(&a, &gate), second;

		b.ctx = lima_ctx_new(c.fd);
		b.flags = LIMA_SUBMIT_FLAG_EXPLICIT_FENCE;
		second = lima_submit_fence(c.fd, &b);
		igt_assert_eq(gpu_fence_end(c.fd, second, 0), 0);
		igt_assert_eq(gpu_fence_status(c.fd, first), 0);
		gpu_gate_open(&gate);
		igt_assert_eq(gpu_fence_end(c.fd, first, 0), 0);
		igt_assert_eq(lima_try_ctx_free(c.fd, b.ctx), 0);
		gpu_gate_free(c.fd, &gate);
	}
}

igt_main
{
	igt_fixture
		c = lima_client_new();
	explicit_sync();
	implicit_sync();
	caches();
	errors();
	igt_fixture
		lima_client_free(&c);
}
