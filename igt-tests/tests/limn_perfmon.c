// SPDX-License-Identifier: MIT
#include <errno.h>
#include <sys/mman.h>

#include "igt.h"
#include "lima_sys.h"
#include "limn_bo.h"

IGT_TEST_DESCRIPTION("PERF_DOMAIN, PERF_SIGNAL, PERFMON_*: what jobs cost the hardware");

static int fd = -1;

static int try_domain(struct drm_limn_perf_domain *d, uint32_t domain)
{
	memset(d, 0x77, sizeof(*d));
	d->domain = domain;
	return lima_try(fd, DRM_IOCTL_LIMN_PERF_DOMAIN, d);
}

static int try_signal(struct drm_limn_perf_signal *s, uint32_t domain, uint32_t index)
{
	memset(s, 0, sizeof(*s));
	s->domain = domain;
	s->index = index;
	return lima_try(fd, DRM_IOCTL_LIMN_PERF_SIGNAL, s);
}

static int try_create(int file, const struct drm_limn_perf_counter *counters, uint32_t count, uint32_t flags,
		      uint32_t *id)
{
	struct drm_limn_perfmon_create req = {
		.id = 0x77, .flags = flags, .count = count, .counters = (uintptr_t)counters,
	};
	int ret = lima_try(file, DRM_IOCTL_LIMN_PERFMON_CREATE, &req);

	if (ret)
		igt_assert_eq_u32(req.id, 0x77);
	*id = req.id;
	return ret;
}

static int try_destroy(int file, uint32_t id)
{
	struct drm_limn_perfmon_destroy req = { .id = id };

	return lima_try(file, DRM_IOCTL_LIMN_PERFMON_DESTROY, &req);
}

static int try_read(int file, uint32_t id, uint32_t flags, uint64_t *values, uint32_t count, uint64_t *jobs)
{
	struct drm_limn_perfmon_read req = {
		.id = id, .flags = flags, .count = count, .values = (uintptr_t)values,
	};
	int ret = lima_try(file, DRM_IOCTL_LIMN_PERFMON_READ, &req);

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
		igt_assert_eq(lima_try(fd, DRM_IOCTL_LIMN_PERF_SIGNAL, &s), -EINVAL);
	}
}

static void refusals(void)
{
	igt_describe("EINVAL: no counters, too many, unknown or equal ones, more than slots, unknown flags, pad");
	igt_subtest("create-bad") {
		struct drm_limn_perf_counter a = counter("gp", "active cycles"), list[17];
		struct drm_limn_perfmon_create req = { .count = 1, .pad = 1, .counters = (uintptr_t)&a };
		struct drm_limn_perf_domain d;
		struct drm_limn_perf_signal s;
		uint32_t id;

		igt_assert_eq(lima_try(fd, DRM_IOCTL_LIMN_PERFMON_CREATE, &req), -EINVAL);
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
		struct drm_limn_perf_counter a = counter("gp", "active cycles");
		uint64_t jobs;
		uint32_t id;

		igt_assert_eq(try_create(fd, (void *)8, 1, 0, &id), -EFAULT);
		igt_assert_eq(try_create(fd, &a, 1, 0, &id), 0);
		igt_assert_eq(try_read(fd, id, 0, (void *)8, 1, &jobs), -EFAULT);
		igt_assert_eq(try_destroy(fd, id), 0);
	}

	igt_describe("ENOENT: no such perfmon, another file's, destroyed; EINVAL: flags, count, pad");
	igt_subtest("read-bad") {
		struct drm_limn_perf_counter a = counter("gp", "active cycles");
		struct drm_limn_perfmon_read req = { .pad = 1 };
		struct drm_limn_perfmon_destroy destroy = { .pad = 1 };
		uint64_t value[2], jobs;
		int other = lima_open();
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
		igt_assert_eq(lima_try(fd, DRM_IOCTL_LIMN_PERFMON_READ, &req), -EINVAL);
		igt_assert_eq(lima_try(fd, DRM_IOCTL_LIMN_PERFMON_DESTROY, &destroy), -EINVAL);
		igt_assert_eq(try_destroy(fd, id), 0);
		igt_assert_eq(try_destroy(fd, id), -ENOENT);
		igt_assert_eq(try_read(fd, id, 0, value, 1, &jobs), -ENOENT);
		close(other);
	}

	igt_describe("EPERM: everybody's jobs without the right to; EBUSY: two at a time");
	igt_subtest("device-bad") {
		struct drm_limn_perf_counter a = counter("gp", "active cycles");
		int other = lima_open();
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

	igt_describe("ENOSPC: more than 256 in one file");
	igt_subtest("too-many") {
		struct drm_limn_perf_counter a = counter("gp", "active cycles");
		int file = lima_open(), n = 0, ret;
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

static void counts(void)
{
	igt_describe("Everybody's jobs: commands of the GP and fragments of the PPs add up, exactly");
	igt_subtest("device") {
		struct drm_limn_perf_counter list[] = {
			counter("gp", "64-bit words written"),
			counter("pp", "words written by write-back"),
			counter("gp", "vertices processed"),
		};
		struct lima_client c = lima_client_new();
		struct lima_job job;
		uint64_t one[3], sum[3], jobs;
		uint32_t id;

		igt_assert_eq(try_create(fd, list, 3, DRM_LIMN_PERFMON_DEVICE, &id), 0);
		job = lima_gp_store(&c, 0, 1);
		igt_assert_eq(lima_run(c.fd, &job), 0);
		job = lima_pp_clear(&c, 1);
		igt_assert_eq(lima_run(c.fd, &job), 0);
		igt_assert_eq(try_read(fd, id, DRM_LIMN_PERFMON_RESET, one, 3, &jobs), 0);
		igt_assert_eq_u64(jobs, 2);
		igt_info("GP words written %llu, write-back words %llu\n", (unsigned long long)one[0],
			 (unsigned long long)one[1]);
		igt_assert(one[0]);
		/* The picture, 4 bytes a pixel, as 64-bit words. */
		igt_assert_eq_u64(one[1], LIMA_PICTURE * LIMA_PICTURE * 4 / 8);
		igt_assert_eq_u64(one[2], 0);
		igt_assert_eq(try_read(fd, id, 0, sum, 3, &jobs), 0);
		igt_assert(!jobs && !sum[0] && !sum[1]);
		for (int i = 0; i < 5; i++) {
			job = lima_gp_store(&c, 0, i);
			igt_assert_eq(lima_run(c.fd, &job), 0);
			job = lima_pp_clear(&c, i);
			igt_assert_eq(lima_run(c.fd, &job), 0);
		}
		igt_assert_eq(try_read(fd, id, 0, sum, 3, &jobs), 0);
		igt_assert_eq_u64(jobs, 10);
		igt_assert_eq_u64(sum[0], 5 * one[0]);
		igt_assert_eq_u64(sum[1], 5 * one[1]);
		igt_assert_eq(try_destroy(fd, id), 0);
		lima_client_free(&c);
	}

	igt_describe("A job that fails is not counted; the next one is, from zero");
	igt_subtest("failed-job") {
		struct drm_limn_perf_counter list[] = {
			counter("pp", "words written by write-back"), counter("l2", "all slaves: words read"),
		};
		struct lima_client c = lima_client_new();
		struct lima_job job;
		uint64_t value[2], jobs;
		uint32_t id;

		igt_assert_eq(try_create(fd, list, 2, DRM_LIMN_PERFMON_DEVICE, &id), 0);
		job = lima_pp_endless(&c);
		igt_assert(lima_run(c.fd, &job) < 0);
		igt_assert_eq(try_read(fd, id, 0, value, 2, &jobs), 0);
		igt_assert_eq_u64(jobs, 0);
		igt_assert_eq_u64(value[0], 0);
		job = lima_pp_clear(&c, 5);
		igt_assert_eq(lima_run(c.fd, &job), 0);
		igt_assert_eq(try_read(fd, id, 0, value, 2, &jobs), 0);
		igt_assert_eq_u64(jobs, 1);
		igt_assert_eq_u64(value[0], LIMA_PICTURE * LIMA_PICTURE * 4 / 8);
		igt_assert_eq(try_destroy(fd, id), 0);
		lima_client_free(&c);
	}

	igt_describe("The L2s: what they read for the cores are hits and misses; the master reads no more than misses");
	igt_subtest("l2") {
		struct drm_limn_perf_counter list[2];
		struct lima_client c = lima_client_new();
		uint64_t hits, value[2], jobs;
		uint32_t id;

		for (int i = 0; i < 2; i++) {
			struct lima_job job = lima_gp_store(&c, 0, 1);

			list[0] = counter("l2", i ? "all slaves: read transactions" : "all slaves: read hits");
			list[1] = counter("l2", "all slaves: read misses");
			igt_assert_eq(try_create(fd, list, 2, DRM_LIMN_PERFMON_DEVICE, &id), 0);
			igt_assert_eq(lima_run(c.fd, &job), 0);
			igt_assert_eq(try_read(fd, id, 0, value, 2, &jobs), 0);
			igt_assert_eq_u64(jobs, 1);
			igt_assert(value[1]);
			if (i)
				igt_assert_eq_u64(value[0], hits + value[1]);
			hits = value[0];
			igt_assert_eq(try_destroy(fd, id), 0);
		}
		lima_client_free(&c);
	}

	igt_describe("Perfmons come and go while jobs of several clients run");
	igt_subtest("under-load") {
		igt_fork(child, 4) {
			struct drm_limn_perf_counter list[] = {
				counter("gp", "64-bit words written"), counter("l2", "all slaves: words read"),
			};
			struct lima_client c = lima_client_new();
			uint64_t value[2], jobs;
			uint32_t id;

			for (uint32_t i = 0; i < 60; i++) {
				bool mine = !try_create(c.fd, list, 2, DRM_LIMN_PERFMON_DEVICE, &id);
				struct lima_job job = i % 2 ? lima_gp_store(&c, 0, i) : lima_pp_clear(&c, i);

				igt_assert_eq(lima_run(c.fd, &job), 0);
				if (!mine)
					continue;
				igt_assert_eq(try_read(c.fd, id, i & 1, value, 2, &jobs), 0);
				igt_assert_eq(try_destroy(c.fd, id), 0);
			}
			lima_client_free(&c);
		}
		igt_waitchildren();
	}
}

igt_main
{
	igt_fixture {
		fd = lima_open();
		limn_require(fd, DRM_LIMN_FEATURE_PERFMON);
	}
	enumeration();
	refusals();
	counts();
	igt_fixture {
		close(fd);
		lima_check_gpu();
	}
}
