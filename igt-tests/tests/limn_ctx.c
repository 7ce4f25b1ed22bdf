// SPDX-License-Identifier: MIT
#include <errno.h>

#include "igt.h"
#include "gpu_sys.h"
#include "lima_jobs.h"
#include "limn_list.h"

IGT_TEST_DESCRIPTION("CTX_CREATE, CTX_FREE and CTX_QUERY: priority, time-out, resets, bans");

static struct gpu_client c = { .fd = -1 };

static int try_create(uint32_t flags, int32_t priority, uint32_t timeout_ms)
{
	struct drm_limn_ctx_create req = {
		.flags = flags, .priority = priority, .timeout_ms = timeout_ms, .id = 0x77,
	};
	int ret = gpu_try(c.fd, DRM_IOCTL_LIMN_CTX_CREATE, &req);

	if (ret)
		igt_assert_eq_u32(req.id, 0x77);
	else
		limn_ctx_free(c.fd, req.id);
	return ret;
}

static int try_free(uint32_t id, uint32_t pad)
{
	struct drm_limn_ctx_free req = { .id = id, .pad = pad };

	return gpu_try(c.fd, DRM_IOCTL_LIMN_CTX_FREE, &req);
}

static int try_query(uint32_t id, uint32_t flags)
{
	struct drm_limn_ctx_query req = { .id = id, .flags = flags };

	return gpu_try(c.fd, DRM_IOCTL_LIMN_CTX_QUERY, &req);
}

/* One job alone in its list, in that context: 0 or its error. */
static int run_in(uint32_t ctx, const struct limn_job *job)
{
	static struct limn_list l;

	limn_list_init(&l, ctx);
	limn_list_add(&l, job);
	return gpu_fence_end(c.fd, limn_list_fence(c.fd, &l), 0);
}

static int store_in(uint32_t ctx)
{
	struct limn_job job = limn_store(&c, 0, 1);

	return run_in(ctx, &job);
}

static void refusals(void)
{
	igt_describe("EINVAL: flags, priorities that do not exist");
	igt_subtest("create-invalid") {
		for (int bit = 0; bit < 32; bit++)
			igt_assert_eq(try_create(1u << bit, 0, 0), -EINVAL);
		igt_assert_eq(try_create(0, DRM_LIMN_PRIORITY_HIGH + 1, 0), -EINVAL);
		igt_assert_eq(try_create(0, DRM_LIMN_PRIORITY_LOW - 1, 0), -EINVAL);
		igt_assert_eq(try_create(0, INT32_MIN, 0), -EINVAL);
		igt_assert_eq(try_create(0, INT32_MAX, 0), -EINVAL);
	}

	igt_describe("EPERM: high priority without CAP_SYS_NICE");
	igt_subtest("create-not-permitted") {
		igt_fork(child, 1) {
			igt_assert_eq(setuid(65534), 0);
			igt_assert_eq(try_create(0, DRM_LIMN_PRIORITY_HIGH, 0), -EPERM);
			igt_assert_eq(try_create(0, DRM_LIMN_PRIORITY_NORMAL, 0), 0);
			igt_assert_eq(try_create(0, DRM_LIMN_PRIORITY_LOW, 0), 0);
		}
		igt_waitchildren();
		igt_assert_eq(try_create(0, DRM_LIMN_PRIORITY_HIGH, 0), 0);
	}

	igt_describe("ERANGE: a time-out above the administrator's limit, which follows the parameter");
	igt_subtest("create-timeout-range") {
		static const char limit_path[] = "/sys/module/limn/parameters/max_timeout_ms";
		uint64_t limit = limn_param(c.fd, DRM_LIMN_PARAM_MAX_TIMEOUT_MS);

		igt_assert_eq_u64(limit, limn_param(c.fd, DRM_LIMN_PARAM_TIMEOUT_MS));
		igt_assert_eq(try_create(0, 0, limit), 0);
		igt_assert_eq(try_create(0, 0, limit + 1), -ERANGE);
		igt_assert_eq(try_create(0, 0, ~0u), -ERANGE);
		igt_assert_eq(sys_write(limit_path, "60000"), 0);
		igt_assert_eq_u64(limn_param(c.fd, DRM_LIMN_PARAM_MAX_TIMEOUT_MS), 60000);
		igt_assert_eq(try_create(0, 0, 60000), 0);
		igt_assert_eq(try_create(0, 0, 60001), -ERANGE);
		igt_assert_eq(sys_write(limit_path, "0"), 0);
		igt_assert_eq(try_create(0, 0, limit + 1), -ERANGE);
	}

	igt_describe("ENOSPC: the 4097th context; and there is room again when one goes");
	igt_subtest("create-full") {
		int fd = limn_open();
		uint32_t id, last = 0;
		int n = 0, ret;

		while (!(ret = limn_try_ctx(fd, 0, 0, &id))) {
			last = id;
			n++;
		}
		igt_assert_eq(ret, -ENOSPC);
		igt_assert_eq(n, limn_is_utgard(&c) ? 4096 : 4095);	/* and number 0 */
		limn_ctx_free(fd, last);
		igt_assert_eq(limn_try_ctx(fd, 0, 0, &id), 0);
		close(fd);
	}

	igt_describe("EINVAL: pad; ENOENT: no such context, another file's, one that is gone");
	igt_subtest("free-refused") {
		uint32_t id = limn_ctx_new(c.fd, 0, 0);
		int other = limn_open();
		uint32_t theirs = 0;

		for (int i = 0; i < 20; i++)
			theirs = limn_ctx_new(other, 0, 0);
		for (int bit = 0; bit < 32; bit++)
			igt_assert_eq(try_free(id, 1u << bit), -EINVAL);
		igt_assert_eq(try_free(theirs, 0), -ENOENT);
		igt_assert_eq(try_free(~0u, 0), -ENOENT);
		igt_assert_eq(try_free(id, 0), 0);
		igt_assert_eq(try_free(id, 0), -ENOENT);
		close(other);
	}

	igt_describe("EINVAL: flags; ENOENT: no such context");
	igt_subtest("query-refused") {
		uint32_t id = limn_ctx_new(c.fd, 0, 0);

		for (int bit = 0; bit < 32; bit++)
			igt_assert_eq(try_query(id, 1u << bit), -EINVAL);
		igt_assert_eq(try_query(id + 1000, 0), -ENOENT);
		limn_ctx_free(c.fd, id);
		igt_assert_eq(try_query(id, 0), -ENOENT);
	}
}

static void behaviour(void)
{
	igt_describe("A new context is what it was asked to be, and has no history");
	igt_subtest("fresh") {
		for (int priority = DRM_LIMN_PRIORITY_LOW; priority <= DRM_LIMN_PRIORITY_HIGH; priority++) {
			uint32_t id = limn_ctx_new(c.fd, priority, 123);
			struct drm_limn_ctx_query q = limn_query(c.fd, id);

			igt_assert_eq(q.priority, priority);
			igt_assert_eq_u32(q.timeout_ms, 123);
			igt_assert_eq_u32(q.reset, DRM_LIMN_RESET_NONE);
			igt_assert_eq_u32(q.banned, 0);
			igt_assert_eq_u64(q.guilty | q.innocent | q.fault_addr | q.fault_job, 0);
			igt_assert_eq(q.fault_error, 0);
			igt_assert_eq(store_in(id), 0);
			limn_ctx_free(c.fd, id);
		}
	}

	igt_describe("Contexts of the old ABI can be asked too: default priority and time-out");
	igt_subtest("old-context") {
		struct drm_limn_ctx_query q = limn_query(c.fd, c.ctx);

		igt_assert_eq(q.priority, DRM_LIMN_PRIORITY_NORMAL);
		igt_assert_eq_u32(q.timeout_ms, gpu_timeout_ms());
	}

	igt_describe("A fault: guilty, with the address that the MMU refused; others are not touched");
	igt_subtest("guilty-fault") {
		uint32_t bad = limn_ctx_new(c.fd, 0, 0), good = limn_ctx_new(c.fd, 0, 0);
		struct limn_job job = limn_unmapped(&c, 0);
		struct drm_limn_ctx_query q;

		igt_assert_eq(store_in(bad), 0);
		igt_assert_eq(run_in(bad, &job), -EFAULT);
		q = limn_query(c.fd, bad);
		igt_assert_eq_u32(q.reset, DRM_LIMN_RESET_GUILTY);
		igt_assert_eq_u64(q.guilty, 1);
		igt_assert_eq_u64(q.fault_job, 2);
		igt_assert_eq(q.fault_error, -EFAULT);
		igt_assert_eq_u32(q.fault_queue, limn_queue(&c, 0));
		igt_assert_eq_u64(q.fault_addr & ~4095ull, GPU_HOLE);
		igt_assert_eq_u32(q.banned, 0);
		job = limn_unmapped(&c, 1);
		igt_assert_eq(run_in(bad, &job), -EFAULT);
		q = limn_query(c.fd, bad);
		igt_assert_eq_u64(q.guilty, 2);
		igt_assert_eq_u64(q.fault_job, 3);
		igt_assert_eq_u32(q.fault_queue, limn_queue(&c, 1));

		igt_assert_eq(store_in(good), 0);
		q = limn_query(c.fd, good);
		igt_assert_eq_u32(q.reset, DRM_LIMN_RESET_NONE);
		igt_assert_eq_u64(q.guilty | q.innocent, 0);
		limn_ctx_free(c.fd, bad);
		limn_ctx_free(c.fd, good);
	}

	igt_describe("A bad command and a hang: guilty, without an address");
	igt_subtest("guilty-other") {
		uint32_t ctx = limn_ctx_new(c.fd, 0, 0);
		struct drm_limn_ctx_query q;
		struct limn_job job;

		if (limn_is_utgard(&c)) {
			job = limn_invalid(&c, 0);
			igt_assert_eq(run_in(ctx, &job), -EIO);
			q = limn_query(c.fd, ctx);
			igt_assert_eq(q.fault_error, -EIO);
			igt_assert_eq_u64(q.fault_addr, 0);
		}
		job = limn_endless(&c, 1);
		igt_assert_eq(run_in(ctx, &job), -ETIMEDOUT);
		q = limn_query(c.fd, ctx);
		igt_assert_eq(q.fault_error, -ETIMEDOUT);
		igt_assert_eq_u64(q.fault_addr, 0);
		igt_assert_eq_u64(q.guilty, 1 + limn_is_utgard(&c));
		limn_ctx_free(c.fd, ctx);
	}

	igt_describe("A context's own time-out ends its hang sooner than the default would");
	igt_subtest("own-timeout") {
		uint32_t quick = limn_ctx_new(c.fd, 0, 1);
		struct limn_job job = limn_endless(&c, 0);
		struct timespec start = { 0 };

		/* The default must be far away, and so must be what the test waits for. */
		igt_assert_eq(sys_write("/sys/module/limn/parameters/max_timeout_ms", "60000"), 0);
		uint32_t slow = limn_ctx_new(c.fd, 0, 60000);

		igt_assert_eq(store_in(slow), 0);	/* leaves a late timer behind */
		igt_nsec_elapsed(&start);
		igt_assert_eq(run_in(quick, &job), -ETIMEDOUT);
		igt_assert(igt_nsec_elapsed(&start) < 30 * SEC_NS);
		igt_assert_eq(sys_write("/sys/module/limn/parameters/max_timeout_ms", "0"), 0);
		limn_ctx_free(c.fd, quick);
		limn_ctx_free(c.fd, slow);
	}

	igt_describe("Four guilty jobs in a row: banned; what is queued and what comes is cancelled");
	igt_subtest("ban") {
		uint32_t ctx = limn_ctx_new(c.fd, 0, 0), other = limn_ctx_new(c.fd, 0, 0);
		struct gpu_gate gate = gpu_gate_new(c.fd);
		static struct limn_list l;
		uint32_t fence[2];
		struct limn_job job;

		c.target.map[0] = 0;
		for (int i = 0; i < 3; i++) {
			job = limn_failing(&c, 0);
			igt_assert_eq(run_in(ctx, &job), limn_fail_error(&c));
			igt_assert_eq_u32(limn_query(c.fd, ctx).banned, 0);
		}
		/* The last one too many, and one behind it that would do something. */
		for (int i = 0; i < 2; i++) {
			job = i ? limn_store(&c, 0, 0xbad) : limn_failing(&c, 0);
			limn_list_init(&l, ctx);
			l.args.flags = DRM_LIMN_SUBMIT_NO_IMPLICIT;
			limn_list_add(&l, &job);
			limn_list_in(&l, 0, 0, gate.syncobj, 0);
			fence[i] = limn_list_fence(c.fd, &l);
		}
		gpu_gate_open(&gate);
		igt_assert_eq(gpu_fence_end(c.fd, fence[0], 0), limn_fail_error(&c));
		igt_assert_eq(gpu_fence_end(c.fd, fence[1], 0), -ECANCELED);
		igt_assert_eq_u32(limn_query(c.fd, ctx).banned, 1);
		igt_assert_eq_u64(limn_query(c.fd, ctx).guilty, 4);
		job = limn_store(&c, 0, 0xbad);
		limn_list_init(&l, ctx);
		limn_list_add(&l, &job);
		igt_assert_eq(limn_try_list(c.fd, &l), -ECANCELED);
		igt_assert_eq_u32(c.target.map[0], 0);
		igt_assert_eq(store_in(other), 0);
		gpu_gate_free(c.fd, &gate);
		limn_ctx_free(c.fd, ctx);
		limn_ctx_free(c.fd, other);
	}

	igt_describe("Sixteen good jobs make up for a bad one; contexts of the old ABI are never banned");
	igt_subtest("no-ban") {
		uint32_t ctx = limn_ctx_new(c.fd, 0, 0);
		struct limn_job job;

		for (int i = 0; i < 8; i++) {
			job = limn_failing(&c, 0);
			igt_assert_eq(run_in(ctx, &job), limn_fail_error(&c));
			for (int k = 0; k < 16; k++)
				igt_assert_eq(store_in(ctx), 0);
			job = limn_failing(&c, 0);
			igt_assert_eq(limn_run(c.fd, &job), limn_fail_error(&c));
		}
		igt_assert_eq_u32(limn_query(c.fd, ctx).banned, 0);
		igt_assert_eq_u64(limn_query(c.fd, ctx).guilty, 8);
		igt_assert_eq_u32(limn_query(c.fd, c.ctx).banned, 0);
		igt_assert(limn_query(c.fd, c.ctx).guilty >= 8);
		limn_ctx_free(c.fd, ctx);
	}

	igt_describe("Job numbers count each context's jobs, of the lima ABI too");
	igt_subtest("job-numbers") {
		uint32_t ctx = limn_ctx_new(c.fd, 0, 0);
		static struct limn_list l;
		struct limn_job job;

		for (uint64_t i = 1; i < 20; i += 2) {
			limn_list_init(&l, ctx);
			job = limn_store(&c, 0, i);
			limn_list_add(&l, &job);
			limn_submit_list(c.fd, &l);
			igt_assert_eq_u64(l.args.first_id, i);
			if (limn_is_utgard(&c)) {
				struct lima_job old = lima_gp_store(&c, 0, i);

				old.ctx = ctx;
				lima_submit(c.fd, &old);
			} else {
				job.ctx = ctx;
				limn_submit(c.fd, &job);
			}
		}
		limn_list_frame(&l, &c, 1);
		l.args.ctx = ctx;
		limn_submit_list(c.fd, &l);
		igt_assert_eq_u64(l.args.first_id, 21);
		limn_list_frame(&l, &c, 1);
		l.args.ctx = ctx;
		limn_submit_list(c.fd, &l);
		igt_assert_eq_u64(l.args.first_id, 23);
		limn_wait_idle(c.fd, c.target.handle);
		limn_ctx_free(c.fd, ctx);
	}

	igt_describe("Thousands of contexts in several files, each with a job; then all at once are gone");
	igt_subtest("thousands") {
		uint32_t *ids = calloc(4096, sizeof(*ids));
		int n;

		gpu_be_patient(40);
		for (int round = 0; round < 2; round++) {
			struct gpu_client many = limn_client_new();
			static struct limn_list l;
			struct limn_job job;
			uint32_t fence = 0;

			for (n = 0; n < 4000; n++)
				ids[n] = limn_ctx_new(many.fd, n % 3 - 1, n % 2 ? 0 : gpu_timeout_ms() / 2);
			/* Fewer jobs where a job costs the model more. */
			for (int i = 0; i < n; i += (limn_is_utgard(&c) ? 1 : 7) + round * 4) {
				job = i & 1 ? limn_clear(&many, i) : limn_store(&many, i & 63, i);
				limn_list_init(&l, ids[i]);
				/* Each would wait for all before it: drm_sched compares them pair by pair. */
				l.args.flags = DRM_LIMN_SUBMIT_NO_IMPLICIT;
				limn_list_add(&l, &job);
				if (fence)
					syncobj_destroy(many.fd, fence);
				fence = limn_list_fence(many.fd, &l);
				if (round)
					limn_ctx_free(many.fd, ids[i]);
			}
			if (!round)
				igt_assert_eq(gpu_fence_end(many.fd, fence, 0), 0);
			limn_client_free(&many);	/* in the second round with work in flight */
		}
		gpu_be_patient(0);
		free(ids);
		limn_check_works(&c);
	}
}

/* What debugfs says of contexts, and of a job that runs and one behind it. */
static void debugfs(void)
{
	igt_describe("debugfs names contexts with their owner, the jobs that run and wait, and shared address spaces");
	igt_subtest("debugfs") {
		struct drm_limn_ctx_create req = { 0 };
		struct gpu_client slow = limn_client_new();
		struct limn_job job;
		uint32_t fence[2];
		char text[16384], pid[32], line[128], *at, *next;
		bool seen = false;

		req.timeout_ms = limn_param(slow.fd, DRM_LIMN_PARAM_MAX_TIMEOUT_MS);
		if (req.timeout_ms > 1000)
			req.timeout_ms = 1000;
		igt_assert_eq(gpu_try(slow.fd, DRM_IOCTL_LIMN_CTX_CREATE, &req), 0);
		slow.ctx = req.id;
		job = limn_endless(&slow, 0);
		fence[0] = limn_submit_fence(slow.fd, &job);
		fence[1] = limn_submit_fence(slow.fd, &job);
		snprintf(pid, sizeof(pid), "pid %d", getpid());
		snprintf(line, sizeof(line), "%s: priority 0, timeout %u ms", pid, req.timeout_ms);
		igt_assert_lt(0, gpu_debugfs_read(slow.fd, "contexts", text, sizeof(text)));
		igt_assert_f(strstr(text, line), "no '%s' in %s\n", line, text);
		/* A busy host may let the first ones run out before this looks. */
		while (!seen && gpu_fence_status(slow.fd, fence[1]) == 0) {
			igt_assert_lt(0, gpu_debugfs_read(slow.fd, "queues", text, sizeof(text)));
			at = strstr(text, "runs: job");
			seen = at && strstr(text, pid);
			/* Since when it runs, and no such thing of one that waits. */
			next = at ? strstr(at, "next: job") : NULL;
			at = at ? strstr(at, ", for ") : NULL;
			seen &= at && (!next || (at < next && !strstr(next, ", for ")));
		}
		igt_assert_f(seen, "no job of %s in %s\n", pid, text);
		for (int i = 0; i < 2; i++)
			igt_assert_eq(gpu_fence_end(slow.fd, fence[i], 10 * req.timeout_ms), -ETIMEDOUT);
		strcat(line, ", jobs 2, guilty 2, innocent 0\n");
		igt_assert_lt(0, gpu_debugfs_read(slow.fd, "contexts", text, sizeof(text)));
		igt_assert_f(strstr(text, line), "no '%s' in %s\n", line, text);
		/* The line of this file, the newest, ends with whose address space it has. */
		igt_assert_lt(0, gpu_debugfs_read(slow.fd, "mm", text, sizeof(text)));
		at = strstr(text, pid);
		igt_assert_f(at, "no %s in %s\n", pid, text);
		at[strcspn(at, "\n")] = 0;
		igt_assert_eq(!strstr(at, "the address space of all"),
			      !!(limn_param(slow.fd, DRM_LIMN_PARAM_ISOLATION) & DRM_LIMN_ISOLATION_MEMORY));
		limn_client_free(&slow);
	}
}

igt_main
{
	igt_fixture {
		c = limn_client_new();
		limn_require(c.fd, DRM_LIMN_FEATURE_CTX | DRM_LIMN_FEATURE_SUBMIT);
	}

	igt_subtest_group
		refusals();
	igt_subtest_group
		behaviour();
	igt_subtest_group
		debugfs();

	igt_fixture
		limn_client_free(&c);
}
