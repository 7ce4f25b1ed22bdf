// SPDX-License-Identifier: MIT
#include <errno.h>
#include <signal.h>

#include "igt.h"
#include "lima_jobs.h"

IGT_TEST_DESCRIPTION("GEM_WAIT of the lima ABI");

#define BOTH (LIMA_GEM_WAIT_READ | LIMA_GEM_WAIT_WRITE)

static struct gpu_client c = { .fd = -1 };

/* A job that waits at a gate; it writes target and reads lists. */
static struct gpu_gate held_job(uint32_t *fence)
{
	struct gpu_gate gate = gpu_gate_new(c.fd);
	struct lima_job job = lima_gp_store(&c, 2, 0x77);

	job.in_sync[0] = gate.syncobj;
	*fence = lima_submit_fence(c.fd, &job);
	return gate;
}

static void release(struct gpu_gate *gate, uint32_t fence)
{
	gpu_gate_open(gate);
	igt_assert_eq(gpu_fence_end(c.fd, fence, 0), 0);
	gpu_gate_free(c.fd, gate);
}

static void nop(int sig)
{
}

igt_main
{
	igt_fixture
		c = lima_client_new();

	igt_describe("EINVAL: op bits that do not exist");
	igt_subtest("bad-op")
		for (int bit = 2; bit < 32; bit++)
			igt_assert_eq(lima_try_wait(c.fd, c.target.handle, 1u << bit | 1, 0), -EINVAL);

	igt_describe("ENOENT (mainline: EINVAL): a BO that is not there");
	igt_subtest("bad-handle") {
		static const uint32_t bad[] = { 0, 0x1000, UINT32_MAX };

		for (int i = 0; i < 3; i++) {
			int ret = lima_try_wait(c.fd, bad[i], BOTH, 0);

			igt_assert_f(ret == -ENOENT || ret == -EINVAL, "%d\n", ret);
		}
	}

	igt_describe("EFAULT: the argument is not in memory");
	igt_subtest("bad-pointer")
		igt_assert_eq(gpu_try(c.fd, DRM_IOCTL_LIMA_GEM_WAIT, (void *)8), -EFAULT);

	igt_describe("An idle BO: no wait, whatever the timeout");
	igt_subtest("idle") {
		static const int64_t times[] = { 0, 1, INT64_MAX, INT64_MIN, -1 };

		for (uint32_t op = 0; op <= BOTH; op++)
			for (int i = 0; i < 5; i++)
				igt_assert_eq(lima_try_wait(c.fd, c.target.handle, op, times[i]), 0);
	}

	igt_describe("EBUSY: a time that is past, while the GPU uses the BO");
	igt_subtest("busy-poll") {
		uint32_t fence;
		struct gpu_gate gate = held_job(&fence);
		static const int64_t times[] = { 0, 1, -1, INT64_MIN };

		for (int i = 0; i < 4; i++)
			igt_assert_eq(lima_try_wait(c.fd, c.target.handle, BOTH, times[i]), -EBUSY);
		release(&gate, fence);
		igt_assert_eq(lima_try_wait(c.fd, c.target.handle, BOTH, 0), 0);
	}

	igt_describe("ETIMEDOUT: the time runs out, not earlier than asked");
	igt_subtest("timeout") {
		uint32_t fence;
		struct gpu_gate gate = held_job(&fence);
		int64_t until = gpu_time(50000000);

		igt_assert_eq(lima_try_wait(c.fd, c.target.handle, BOTH, until), -ETIMEDOUT);
		igt_assert(gpu_time(0) >= until);
		release(&gate, fence);
	}

	igt_describe("READ waits for writers only, WRITE for readers too; no op waits for nothing");
	igt_subtest("ops") {
		uint32_t fence;
		struct gpu_gate gate = held_job(&fence);

		igt_assert_eq(lima_try_wait(c.fd, c.lists.handle, LIMA_GEM_WAIT_READ, 0), 0);
		igt_assert_eq(lima_try_wait(c.fd, c.lists.handle, LIMA_GEM_WAIT_WRITE, 0), -EBUSY);
		igt_assert_eq(lima_try_wait(c.fd, c.target.handle, LIMA_GEM_WAIT_READ, 0), -EBUSY);
		igt_assert_eq(lima_try_wait(c.fd, c.target.handle, LIMA_GEM_WAIT_WRITE, 0), -EBUSY);
		igt_assert_eq(lima_try_wait(c.fd, c.target.handle, 0, 0), 0);
		release(&gate, fence);
	}

	igt_describe("A wait ends when the job does; its result is there then");
	igt_subtest("wakes-up") {
		uint32_t fence;
		struct gpu_gate gate;

		c.target.map[2] = 0;
		gate = held_job(&fence);
		igt_fork(child, 1) {
			usleep(20000);
			gpu_gate_open(&gate);
		}
		lima_wait_idle(c.fd, c.target.handle);
		igt_assert_eq_u32(c.target.map[2], 0x77);
		igt_waitchildren();
		igt_assert_eq(gpu_fence_end(c.fd, fence, 0), 0);
		gpu_gate_free(c.fd, &gate);
	}

	igt_describe("A signal in the middle of a wait: EINTR or a restart, and the wait can be had again");
	igt_subtest("signal") {
		struct sigaction action = { .sa_handler = nop }, old;
		struct drm_lima_gem_wait req = { .handle = c.target.handle, .op = BOTH };
		uint32_t fence;
		struct gpu_gate gate = held_job(&fence);
		pid_t self = getpid();
		int ret;

		sigaction(SIGUSR1, &action, &old);
		igt_fork(child, 1) {
			for (int i = 0; i < 10; i++) {
				usleep(5000);
				kill(self, SIGUSR1);
			}
		}
		req.timeout_ns = gpu_time(5 * SEC_NS);
		ret = gpu_try_once(c.fd, DRM_IOCTL_LIMA_GEM_WAIT, &req);
		igt_assert_f(ret == -EINTR || ret == -ERESTART, "%d\n", ret);
		igt_assert_eq(lima_try_wait(c.fd, c.target.handle, BOTH, 0), -EBUSY);
		igt_waitchildren();
		sigaction(SIGUSR1, &old, NULL);
		release(&gate, fence);
	}

	igt_describe("Killed while it waits, a client leaves nothing behind");
	igt_subtest("killed") {
		uint32_t fence;
		struct gpu_gate gate = held_job(&fence);

		igt_fork(child, 4)
			lima_try_wait(c.fd, c.target.handle, BOTH, gpu_time(60 * SEC_NS));
		usleep(20000);
		igt_kill_children(SIGKILL);
		release(&gate, fence);
		lima_check_works(&c);
	}

	igt_fixture
		lima_client_free(&c);
}
