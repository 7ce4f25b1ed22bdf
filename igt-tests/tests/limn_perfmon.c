// SPDX-License-Identifier: MIT
#include <errno.h>
#include <sys/mman.h>

#include "igt.h"
#include "gpu_sys.h"
#include "limn_bo.h"

IGT_TEST_DESCRIPTION("PERF_DOMAIN, PERF_SIGNAL, PERFMON_*: what jobs cost the hardware");

static int fd = -1;

static int try_domain(struct drm_limn_perf_domain *d, uint32_t domain)
{
	memset(d, 0x77, sizeof(*d));
	d->domain = domain;
	return gpu_try(fd, DRM_IOCTL_LIMN_PERF_DOMAIN, d);
}

static int try_signal(struct drm_limn_perf_signal *s, uint32_t domain, uint32_t index)
{
	memset(s, 0, sizeof(*s));
	s->domain = domain;
	s->index = index;
	return gpu_try(fd, DRM_IOCTL_LIMN_PERF_SIGNAL, s);
}

static int try_create(int file, const struct drm_limn_perf_counter *counters, uint32_t count, uint32_t flags,
		      uint32_t *id)
{
	struct drm_limn_perfmon_create req = {
		.id = 0x77, .flags = flags, .counters = DRM_LIMN_ARRAY(counters, count),
	};
	int ret = gpu_try(file, DRM_IOCTL_LIMN_PERFMON_CREATE, &req);

	if (ret)
		igt_assert_eq_u32(req.id, 0x77);
	*id = req.id;
	return ret;
}

static int try_destroy(int file, uint32_t id)
{
	struct drm_limn_perfmon_destroy req = { .id = id };

	return gpu_try(file, DRM_IOCTL_LIMN_PERFMON_DESTROY, &req);
}

static int try_read(int file, uint32_t id, uint32_t flags, uint64_t *values, uint32_t count, uint64_t *jobs)
{
	struct drm_limn_perfmon_read req = {
		.id = id, .flags = flags, .values = DRM_LIMN_ARRAY(values, count),
	};
	int ret = gpu_try(file, DRM_IOCTL_LIMN_PERFMON_READ, &req);

	*jobs = req.jobs;
	return ret;
}

/* The counter of that name; skips when there is none. */
static struct drm_limn_perf_counter counter(const char *domain, const char *name)
{
	struct drm_limn_perf_counter c = { 0 };
	struct drm_limn_perf_domain d;
	struct drm_limn_perf_signal s;
	bool found = false;

	for (uint32_t i = 0; !found && !try_domain(&d, i); i++) {
		if (strcmp(d.name, domain))
			continue;
		for (uint32_t k = 0; !found && !try_signal(&s, i, k); k++) {
			found = !strcmp(s.name, name);
			c = (struct drm_limn_perf_counter){ i, s.signal };
		}
	}
	igt_require_f(found, "no counter %s: %s\n", domain, name);
	return c;
}

/* The first there is. */
static struct drm_limn_perf_counter any_counter(void)
{
	struct drm_limn_perf_signal s;

	igt_assert_eq(try_signal(&s, 0, 0), 0);
	return (struct drm_limn_perf_counter){ 0, s.signal };
}

static void enumeration(void)
{
	igt_describe("Domains and signals have names, each its own; EINVAL beyond the last");
	igt_subtest("enumerate") {
		uint32_t domains = limn_param(fd, DRM_LIMN_PARAM_NUM_PERF_DOMAINS);
		uint32_t queues = limn_param(fd, DRM_LIMN_PARAM_NUM_QUEUES);
		struct drm_limn_perf_domain d;
		struct drm_limn_perf_signal s, t;

		igt_assert(domains);
		for (uint32_t i = 0; i < domains; i++) {
			igt_assert_eq(try_domain(&d, i), 0);
			igt_assert(d.name[0] && memchr(d.name, 0, sizeof(d.name)));
			igt_assert(d.nr_signals && d.slots);
			igt_assert(d.queues && !(d.queues >> queues));
			for (uint32_t k = 0; k < d.nr_signals; k++) {
				igt_assert_eq(try_signal(&s, i, k), 0);
				igt_assert(s.name[0] && memchr(s.name, 0, sizeof(s.name)));
				for (uint32_t l = 0; l < k; l++) {
					igt_assert_eq(try_signal(&t, i, l), 0);
					igt_assert(t.signal != s.signal && strcmp(t.name, s.name));
				}
			}
			igt_assert_eq(try_signal(&s, i, d.nr_signals), -EINVAL);
			igt_assert_eq(try_signal(&s, i, ~0u), -EINVAL);
		}
		igt_assert_eq(try_domain(&d, domains), -EINVAL);
		igt_assert_eq(try_domain(&d, ~0u), -EINVAL);
		igt_assert_eq(try_signal(&s, domains, 0), -EINVAL);
		memset(&s, 0, sizeof(s));
		s.pad = 1;
		igt_assert_eq(gpu_try(fd, DRM_IOCTL_LIMN_PERF_SIGNAL, &s), -EINVAL);
	}
}

static void refusals(void)
{
	igt_describe("EINVAL: no counters, too many, unknown or equal ones, more than slots, unknown flags, pad");
	igt_subtest("create-bad") {
		struct drm_limn_perf_counter a = any_counter(), list[17];
		struct drm_limn_perfmon_create req = { .counters = DRM_LIMN_ARRAY(&a, 1) };
		struct drm_limn_perf_domain d;
		struct drm_limn_perf_signal s;
		uint32_t id;

		req.counters.stride = 0;
		igt_assert_eq(gpu_try(fd, DRM_IOCTL_LIMN_PERFMON_CREATE, &req), -EINVAL);
		req.counters.stride = 4;
		igt_assert_eq(gpu_try(fd, DRM_IOCTL_LIMN_PERFMON_CREATE, &req), -EINVAL);
		igt_assert_eq(try_create(fd, &a, 0, 0, &id), -EINVAL);
		for (int i = 0; i < 17; i++)
			list[i] = a;
		igt_assert_eq(try_create(fd, list, 17, 0, &id), -EINVAL);
		igt_assert_eq(try_create(fd, list, ~0u, 0, &id), -EINVAL);
		igt_assert_eq(try_create(fd, list, 2, 0, &id), -EINVAL);
		for (int bit = 1; bit < 32; bit++)
			igt_assert_eq(try_create(fd, &a, 1, 1u << bit, &id), -EINVAL);
		list[0].signal = 0xffff;
		igt_assert_eq(try_create(fd, list, 1, 0, &id), -EINVAL);
		list[0].domain = ~0u;
		igt_assert_eq(try_create(fd, list, 1, 0, &id), -EINVAL);
		igt_assert_eq(try_domain(&d, a.domain), 0);
		igt_require(d.slots < d.nr_signals && d.slots < 16);
		for (uint32_t i = 0; i <= d.slots; i++) {
			igt_assert_eq(try_signal(&s, a.domain, i), 0);
			list[i] = (struct drm_limn_perf_counter){ a.domain, s.signal };
		}
		igt_assert_eq(try_create(fd, list, d.slots + 1, 0, &id), -EINVAL);
		igt_assert_eq(try_create(fd, list, d.slots, 0, &id), 0);
		igt_assert_eq(try_destroy(fd, id), 0);
	}

	igt_describe("EFAULT: counters that cannot be read, values that cannot be written");
	igt_subtest("bad-pointers") {
		struct drm_limn_perf_counter a = any_counter();
		uint64_t jobs;
		uint32_t id;

		igt_assert_eq(try_create(fd, (void *)8, 1, 0, &id), -EFAULT);
		igt_assert_eq(try_create(fd, &a, 1, 0, &id), 0);
		igt_assert_eq(try_read(fd, id, 0, (void *)8, 1, &jobs), -EFAULT);
		igt_assert_eq(try_destroy(fd, id), 0);
	}

	igt_describe("ENOENT: no such perfmon, another file's, destroyed; EINVAL: flags, count, pad");
	igt_subtest("read-bad") {
		struct drm_limn_perf_counter a = any_counter();
		struct drm_limn_perfmon_read req = { .values.count = 1 };
		struct drm_limn_perfmon_destroy destroy = { .pad = 1 };
		uint64_t value[2], jobs;
		int other = limn_open();
		uint32_t id;

		igt_assert_eq(try_create(fd, &a, 1, 0, &id), 0);
		igt_assert_eq(try_read(fd, 0, 0, value, 1, &jobs), -ENOENT);
		igt_assert_eq(try_read(fd, ~0u, 0, value, 1, &jobs), -ENOENT);
		igt_assert_eq(try_read(other, id, 0, value, 1, &jobs), -ENOENT);
		igt_assert_eq(try_destroy(other, id), -ENOENT);
		igt_assert_eq(try_destroy(fd, 0), -ENOENT);
		igt_assert_eq(try_read(fd, id, 0, value, 0, &jobs), -EINVAL);
		igt_assert_eq(try_read(fd, id, 0, value, 2, &jobs), -EINVAL);
		for (int bit = 1; bit < 32; bit++)
			igt_assert_eq(try_read(fd, id, 1u << bit, value, 1, &jobs), -EINVAL);
		req.id = destroy.id = id;
		igt_assert_eq(gpu_try(fd, DRM_IOCTL_LIMN_PERFMON_READ, &req), -EINVAL);
		igt_assert_eq(gpu_try(fd, DRM_IOCTL_LIMN_PERFMON_DESTROY, &destroy), -EINVAL);
		igt_assert_eq(try_destroy(fd, id), 0);
		igt_assert_eq(try_destroy(fd, id), -ENOENT);
		igt_assert_eq(try_read(fd, id, 0, value, 1, &jobs), -ENOENT);
		close(other);
	}

	igt_describe("EPERM: everybody's jobs without the right to; EBUSY: two at a time");
	igt_subtest("device-bad") {
		struct drm_limn_perf_counter a = any_counter();
		int other = limn_open();
		uint32_t id, no;

		igt_fork(child, 1) {
			igt_assert_eq(setuid(65534), 0);
			igt_assert_eq(try_create(fd, &a, 1, DRM_LIMN_PERFMON_DEVICE, &id), -EPERM);
			igt_assert_eq(try_create(fd, &a, 1, 0, &id), 0);
			igt_assert_eq(try_destroy(fd, id), 0);
		}
		igt_waitchildren();
		igt_assert_eq(try_create(fd, &a, 1, DRM_LIMN_PERFMON_DEVICE, &id), 0);
		igt_assert_eq(try_create(other, &a, 1, DRM_LIMN_PERFMON_DEVICE, &no), -EBUSY);
		igt_assert_eq(try_destroy(fd, id), 0);
		igt_assert_eq(try_create(other, &a, 1, DRM_LIMN_PERFMON_DEVICE, &id), 0);
		close(other);	/* takes it along */
		igt_assert_eq(try_create(fd, &a, 1, DRM_LIMN_PERFMON_DEVICE, &id), 0);
		igt_assert_eq(try_destroy(fd, id), 0);
	}

	igt_describe("EPERM: Mali-400's one L2 counts other clients' jobs, too; those of Mali-450 do not");
	igt_subtest("shared-l2") {
		struct drm_limn_perf_counter l2 = counter("l2", "all slaves: read hits");
		struct gpu_client c = limn_client_new();
		bool shared = !c.m450;

		igt_fork(child, 1) {
			uint32_t id;

			igt_assert_eq(setuid(65534), 0);
			igt_assert_eq(try_create(fd, &l2, 1, 0, &id), shared ? -EPERM : 0);
		}
		igt_waitchildren();
		limn_client_free(&c);
	}

	igt_describe("ENOSPC: more than 256 in one file");
	igt_subtest("too-many") {
		struct drm_limn_perf_counter a = any_counter();
		int file = limn_open(), n = 0, ret;
		uint32_t id;

		while (!(ret = try_create(file, &a, 1, 0, &id)))
			n++;
		igt_assert_eq(ret, -ENOSPC);
		igt_assert_eq(n, 256);
		igt_assert_eq(try_destroy(file, id == 0x77 ? 5 : id), 0);
		igt_assert_eq(try_create(file, &a, 1, 0, &id), 0);
		close(file);
	}
}

/*
 * Two counters, and what a picture adds to the second, exactly; 0 where nothing
 * of this GPU counts what limn_clear() does.
 */
static uint64_t choose(const struct gpu_client *c, struct drm_limn_perf_counter *list)
{
	struct drm_limn_perf_domain d;

	if (limn_is_utgard(c)) {
		list[0] = counter("gp", "64-bit words written");
		list[1] = counter("pp", "words written by write-back");
		/* 4 bytes a pixel, as 64-bit words. */
		return LIMN_PICTURE * LIMN_PICTURE * 4 / 8;
	}
	for (uint32_t i = 0; !try_domain(&d, i); i++) {
		if (strcmp(d.name, "PE 2D") || !(d.queues & 1u << limn_queue(c, 1)))
			continue;
		list[1] = counter("PE 2D", "PIXELS_RENDERED_2D");
		list[0] = d.queues & 1 ? list[1] : counter("HI", "TOTAL_CYCLES");
		return LIMN_PICTURE * LIMN_PICTURE;
	}
	list[0] = counter("HI", "TOTAL_CYCLES");
	list[1] = counter("RA", "TOTAL_PRIMITIVE_COUNT");
	return 0;
}

static void run_both(struct gpu_client *c, uint32_t mon, uint32_t value)
{
	for (int side = 0; side < 2; side++) {
		struct limn_job job = limn_good(c, side, value);

		job.perfmon = mon;
		igt_assert_eq(limn_run(c->fd, &job), 0);
	}
}

/* Several rounds of jobs that mon counts; they name it, or it counts everybody's. */
static void add_up(struct gpu_client *c, uint32_t mon, uint32_t name, uint32_t count, uint64_t picture)
{
	uint64_t one[2], sum[2], jobs;

	run_both(c, name, 1);
	igt_assert_eq(try_read(c->fd, mon, DRM_LIMN_PERFMON_RESET, one, count, &jobs), 0);
	igt_assert_eq_u64(jobs, 2);
	igt_assert(one[0]);
	if (count > 1)
		igt_assert_eq_u64(one[1], picture);
	igt_assert_eq(try_read(c->fd, mon, 0, sum, count, &jobs), 0);
	igt_assert(!jobs && !sum[0] && (count == 1 || !sum[1]));
	for (int i = 0; i < 5; i++)
		run_both(c, name, i);
	igt_assert_eq(try_read(c->fd, mon, 0, sum, count, &jobs), 0);
	igt_assert_eq_u64(jobs, 10);
	if (limn_is_utgard(c))
		igt_assert_eq_u64(sum[0], 5 * one[0]);
	else
		igt_assert(sum[0]);	/* cycles */
	if (count > 1)
		igt_assert_eq_u64(sum[1], 5 * picture);
}

static void counts(void)
{
	igt_describe("Everybody's jobs add up, exactly where what is counted is exact");
	igt_subtest("device") {
		struct gpu_client c = limn_client_new();
		struct drm_limn_perf_counter list[2];
		uint64_t picture = choose(&c, list);
		uint32_t count = 1 + (list[0].domain != list[1].domain), id;

		igt_assert_eq(try_create(c.fd, list, count, DRM_LIMN_PERFMON_DEVICE, &id), 0);
		add_up(&c, id, 0, count, picture);
		igt_assert_eq(try_destroy(c.fd, id), 0);
		limn_client_free(&c);
	}

	igt_describe("The jobs that name it, those of others not, also when there is one for everybody");
	igt_subtest("named") {
		struct gpu_client c = limn_client_new(), other = limn_client_new();
		struct drm_limn_perf_counter list[2];
		uint64_t picture = choose(&c, list), value[2], jobs;
		uint32_t count = 1 + (list[0].domain != list[1].domain), id, all;

		igt_assert_eq(try_create(c.fd, list, count, 0, &id), 0);
		run_both(&c, 0, 1);
		run_both(&other, 0, 1);
		igt_assert_eq(try_read(c.fd, id, 0, value, count, &jobs), 0);
		igt_assert(!jobs && !value[0]);
		igt_assert_eq(try_create(other.fd, list, count, DRM_LIMN_PERFMON_DEVICE, &all), 0);
		add_up(&c, id, id, count, picture);
		igt_assert_eq(try_read(other.fd, all, 0, value, count, &jobs), 0);
		igt_assert_eq_u64(jobs, 0);
		run_both(&other, 0, 1);
		igt_assert_eq(try_read(other.fd, all, 0, value, count, &jobs), 0);
		igt_assert_eq_u64(jobs, 2);
		limn_client_free(&other);
		limn_client_free(&c);
	}

	igt_describe("A perfmon that is destroyed while a job that names it waits: the job ends well");
	igt_subtest("destroyed-while-queued") {
		struct gpu_client c = limn_client_new();
		struct gpu_gate gate = gpu_gate_new(c.fd);
		struct drm_limn_perf_counter a = any_counter();
		struct limn_job job = limn_store(&c, 1, 0x77);
		uint32_t fence, id;

		igt_assert_eq(try_create(c.fd, &a, 1, 0, &id), 0);
		job.perfmon = id;
		job.in_sync = gate.syncobj;
		fence = limn_submit_fence(c.fd, &job);
		igt_assert_eq(try_destroy(c.fd, id), 0);
		gpu_gate_open(&gate);
		igt_assert_eq(gpu_fence_end(c.fd, fence, 0), 0);
		igt_assert_eq_u32(*limn_word(&c, 1), 0x77);
		job.in_sync = 0;
		igt_assert_eq(limn_try_submit(c.fd, &job), -ENOENT);
		gpu_gate_free(c.fd, &gate);
		limn_client_free(&c);
	}

	igt_describe("A job that fails is not counted; the next one is, from zero");
	igt_subtest("failed-job") {
		struct gpu_client c = limn_client_new();
		struct drm_limn_perf_counter list[2];
		uint64_t picture = choose(&c, list), value, jobs;
		struct limn_job job;
		uint32_t id;

		igt_assert_eq(try_create(fd, list + 1, 1, DRM_LIMN_PERFMON_DEVICE, &id), 0);
		job = limn_endless(&c, 1);
		igt_assert(limn_run(c.fd, &job) < 0);
		igt_assert_eq(try_read(fd, id, 0, &value, 1, &jobs), 0);
		igt_assert_eq_u64(jobs, 0);
		igt_assert_eq_u64(value, 0);
		job = limn_clear(&c, 5);
		igt_assert_eq(limn_run(c.fd, &job), 0);
		igt_assert_eq(try_read(fd, id, 0, &value, 1, &jobs), 0);
		igt_assert_eq_u64(jobs, 1);
		igt_assert_eq_u64(value, picture);
		igt_assert_eq(try_destroy(fd, id), 0);
		limn_client_free(&c);
	}

	igt_describe("The L2s: what they read for the cores are hits and misses; the master reads no more than misses");
	igt_subtest("l2") {
		struct drm_limn_perf_counter list[2];
		struct gpu_client c = limn_client_new();
		uint64_t hits, value[2], jobs;
		uint32_t id;

		for (int i = 0; i < 2; i++) {
			struct limn_job job = limn_store(&c, 0, 1);

			list[0] = counter("l2", i ? "all slaves: read transactions" : "all slaves: read hits");
			list[1] = counter("l2", "all slaves: read misses");
			igt_assert_eq(try_create(fd, list, 2, DRM_LIMN_PERFMON_DEVICE, &id), 0);
			igt_assert_eq(limn_run(c.fd, &job), 0);
			igt_assert_eq(try_read(fd, id, 0, value, 2, &jobs), 0);
			igt_assert_eq_u64(jobs, 1);
			igt_assert(value[1]);
			if (i)
				igt_assert_eq_u64(value[0], hits + value[1]);
			hits = value[0];
			igt_assert_eq(try_destroy(fd, id), 0);
		}
		limn_client_free(&c);
	}

	igt_describe("What all cores write to the picture goes through the L2s: all of them count");
	igt_subtest("l2-of-all-cores") {
		struct drm_limn_perf_counter list[2] = {
			counter("pp", "words written by write-back"), counter("l2", "all slaves: words written"),
		};
		struct gpu_client c = limn_client_new();
		struct limn_job job = limn_clear(&c, 7);
		uint64_t value[2], jobs;

		igt_assert_eq(try_create(c.fd, list, 2, 0, &job.perfmon), 0);
		igt_assert_eq(limn_run(c.fd, &job), 0);
		igt_assert_eq(try_read(c.fd, job.perfmon, 0, value, 2, &jobs), 0);
		igt_assert(value[0]);
		igt_assert_eq_u64(value[1], value[0]);
		limn_client_free(&c);
	}

	igt_describe("An L2 that counts for one queue's job counts other things for the other queue once that job has failed");
	igt_subtest("l2-failed") {
		struct drm_limn_perf_counter list[2] = {
			counter("l2", "all slaves: read hits"), counter("l2", "all slaves: read misses"),
		};
		struct gpu_client c = limn_client_new();
		uint64_t value, jobs;
		uint32_t id[2];

		for (int i = 0; i < 2; i++)
			igt_assert_eq(try_create(c.fd, &list[i], 1, 0, &id[i]), 0);
		for (int side = 0; side < 2; side++) {
			struct limn_job bad = limn_failing(&c, side), good = limn_good(&c, !side, 7);

			bad.perfmon = id[side];
			good.perfmon = id[!side];
			igt_assert_eq(limn_run(c.fd, &bad), limn_fail_error(&c));
			igt_assert_eq(limn_run(c.fd, &good), 0);
			igt_assert_eq(try_read(c.fd, id[side], 0, &value, 1, &jobs), 0);
			igt_assert_eq_u64(jobs, side);
			igt_assert_eq(try_read(c.fd, id[!side], 0, &value, 1, &jobs), 0);
			igt_assert_eq_u64(jobs, 1);
		}
		limn_client_free(&c);
	}

	igt_describe("Two jobs that run at once have the events of a shared L2 once: who wants others than the first is not counted");
	igt_subtest("l2-two-at-once") {
		struct drm_limn_perf_counter list[2] = {
			counter("l2", "all slaves: read hits"), counter("l2", "all slaves: read misses"),
		};
		uint64_t value, jobs;
		uint32_t mine, id;

		for (int same = 0; same < 2; same++) {
			struct gpu_client a = limn_client_new(), b = limn_client_new();
			struct limn_job slow = limn_endless(&a, 0), job = limn_clear(&b, 7);
			/* Mali-450 has an L2 for the GP alone. */
			bool counts = same || a.m450;
			uint32_t fence;

			igt_assert_eq(try_create(a.fd, &list[0], 1, 0, &mine), 0);
			igt_assert_eq(try_create(b.fd, &list[!same], 1, 0, &id), 0);
			slow.perfmon = mine;
			job.perfmon = id;
			fence = limn_submit_fence(a.fd, &slow);
			limn_wait_started(a.fd, a.ctx);
			igt_assert_eq(limn_run(b.fd, &job), 0);
			/* A host that is so busy has let the first one run out. */
			igt_require(gpu_fence_status(a.fd, fence) == 0);
			igt_assert_eq(try_read(b.fd, id, 0, &value, 1, &jobs), 0);
			igt_assert_eq_u64(jobs, counts);
			if (!jobs)
				igt_assert_eq_u64(value, 0);
			igt_assert_eq(gpu_fence_end(a.fd, fence, 0), -ETIMEDOUT);
			/* And with nobody beside it all is as before. */
			igt_assert_eq(limn_run(b.fd, &job), 0);
			igt_assert_eq(try_read(b.fd, id, DRM_LIMN_PERFMON_RESET, &value, 1, &jobs), 0);
			igt_assert_eq_u64(jobs, 1 + counts);
			limn_client_free(&b);
			limn_client_free(&a);
		}
	}

	igt_describe("What an earlier job counted in the other slot keeps nobody from it");
	igt_subtest("l2-second-slot") {
		struct drm_limn_perf_counter list[2] = { counter("l2", "all slaves: read hits") };
		static const char *const second[] = { "all slaves: read misses", "all slaves: read transactions" };
		struct gpu_client a = limn_client_new(), b = limn_client_new();
		struct limn_job slow = limn_endless(&a, 0), job = limn_clear(&b, 7);
		uint64_t value[2], jobs;
		uint32_t fence;

		igt_assert_eq(try_create(a.fd, list, 1, 0, &slow.perfmon), 0);
		fence = limn_submit_fence(a.fd, &slow);
		limn_wait_started(a.fd, a.ctx);
		for (int i = 0; i < 2; i++) {
			list[1] = counter("l2", second[i]);
			igt_assert_eq(try_create(b.fd, list, 2, 0, &job.perfmon), 0);
			igt_assert_eq(limn_run(b.fd, &job), 0);
			igt_assert_eq(try_read(b.fd, job.perfmon, 0, value, 2, &jobs), 0);
			igt_assert_eq_u64(jobs, 1);
		}
		igt_require(gpu_fence_status(a.fd, fence) == 0);
		igt_assert_eq(gpu_fence_end(a.fd, fence, 0), -ETIMEDOUT);
		limn_client_free(&b);
		limn_client_free(&a);
	}

	igt_describe("Perfmons come and go while jobs of several clients run");
	igt_subtest("under-load") {
		igt_fork(child, 4) {
			struct drm_limn_perf_counter list[2] = { any_counter() };
			struct gpu_client c = limn_client_new();
			uint64_t value[2], jobs;
			uint32_t id;

			for (uint32_t i = 0; i < 60; i++) {
				bool mine = !try_create(c.fd, list, 1, DRM_LIMN_PERFMON_DEVICE, &id);
				struct limn_job job = i % 2 ? limn_store(&c, 0, i) : limn_clear(&c, i);

				igt_assert_eq(limn_run(c.fd, &job), 0);
				if (!mine)
					continue;
				igt_assert_eq(try_read(c.fd, id, i & 1, value, 1, &jobs), 0);
				igt_assert_eq(try_destroy(c.fd, id), 0);
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
		limn_require(fd, DRM_LIMN_FEATURE_PERFMON);
	}
	enumeration();
	refusals();
	counts();
	igt_fixture {
		close(fd);
		limn_check_gpu();
	}
}
