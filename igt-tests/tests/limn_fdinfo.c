// SPDX-License-Identifier: MIT
#include <ctype.h>
#include <errno.h>

#include "igt.h"
#include "gpu_sys.h"
#include "limn_bo.h"

IGT_TEST_DESCRIPTION("fdinfo as Documentation/gpu/drm-usage-stats.rst has it, key by key");

static uint64_t queues;

/* The engine's name of that number: the n-th drm-engine- key. */
static bool engine_name(int fd, unsigned int n, char *name, size_t size)
{
	FILE *file = gpu_fdinfo_open(fd);
	bool found = false;
	char line[256];

	while (!found && fgets(line, sizeof(line), file)) {
		if (strncmp(line, "drm-engine-", 11) || !strncmp(line, "drm-engine-capacity-", 20) || n--)
			continue;
		snprintf(name, size, "%.*s", (int)strcspn(line + 11, ":"), line + 11);
		found = true;
	}
	fclose(file);
	return found;
}

/* The value of PREFIX-NAME, -1: there is none. */
static int64_t value_of(int fd, const char *prefix, const char *name)
{
	char key[128];

	snprintf(key, sizeof(key), "%s%s", prefix, name);
	return gpu_fdinfo(fd, key);
}

static const char *devfreq_file(const char *file)
{
	static char path[512];

	snprintf(path, sizeof(path), "devfreq/%s/%s", strrchr(gpu_device_path(), '/') + 1, file);
	return path;
}

static int devfreq_read(const char *file, char *buf, size_t size)
{
	return dev_read(devfreq_file(file), buf, size);
}

static int devfreq_write(const char *file, int64_t hz)
{
	char text[32];

	snprintf(text, sizeof(text), "%lld", (long long)hz);
	return dev_write(devfreq_file(file), text);
}

/* A number, and one of the units; "" stands for none. */
static bool is_number(const char *text, const char *const *units)
{
	size_t digits = strspn(text, "0123456789");

	if (!digits)
		return false;
	text += digits;
	for (; *units; units++)
		if (!strcmp(text, *units) || (*text == ' ' && !strcmp(text + 1, *units)))
			return true;
	return false;
}

/* A key that the document has, and a value as it wants it. */
static bool is_documented(const char *key, const char *value)
{
	static const char *const ns[] = { "ns", NULL }, *const none[] = { "", NULL };
	static const char *const hz[] = { "Hz", "MHz", "KHz", NULL }, *const size[] = { "", "KiB", "MiB", NULL };
	static const struct {
		const char *prefix;
		const char *const *units;
	} keys[] = {
		{ "drm-client-id", none }, { "drm-engine-capacity-", none }, { "drm-engine-", ns },
		{ "drm-cycles-", none }, { "drm-maxfreq-", hz }, { "drm-memory-", size },
		{ "drm-shared-memory", size }, { "drm-total-memory", size }, { "drm-resident-memory", size },
		{ "drm-purgeable-memory", size }, { "drm-active-memory", size },
	};

	if (!strcmp(key, "drm-driver"))
		return !strcmp(value, "lima") || !strcmp(value, "etnaviv");
	for (unsigned int i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		size_t len = strlen(keys[i].prefix);

		if (!strncmp(key, keys[i].prefix, len) && (keys[i].prefix[len - 1] == '-') == !!key[len])
			return is_number(value, keys[i].units);
	}
	return false;
}

static void every_line(int fd)
{
	FILE *file = gpu_fdinfo_open(fd);
	unsigned int lines = 0;
	char line[256];

	while (fgets(line, sizeof(line), file)) {
		char *value = strchr(line, ':');

		igt_assert_f(value, "no key: %s", line);
		*value++ = '\0';
		if (strncmp(line, "drm-", 4))
			continue;
		value += strspn(value, " \t");
		value[strcspn(value, "\n")] = '\0';
		igt_assert_f(!strpbrk(line, " \t") && is_documented(line, value),
			     "not as documented: \"%s\": \"%s\"\n", line, value);
		lines++;
	}
	fclose(file);
	igt_info("%u keys\n", lines);
	/* Driver and client; three for each engine, though one has no clock; five kinds of memory. */
	igt_assert(lines >= 2 + queues + 5);
}

igt_main
{
	igt_fixture {
		int fd = limn_open();

		queues = limn_param(fd, DRM_LIMN_PARAM_NUM_QUEUES);
		close(fd);
	}

	igt_describe("Each key is documented, and has a value of the documented form and unit");
	igt_subtest("grammar") {
		struct gpu_client c = limn_client_new();

		every_line(c.fd);
		limn_check_works(&c);
		every_line(c.fd);
		limn_client_free(&c);
	}

	igt_describe("An engine for each queue, with cycles and a frequency that fit its time");
	igt_subtest("cycles") {
		struct gpu_client c = limn_client_new();
		char name[64];

		for (unsigned int n = 0; n < queues; n++) {
			int64_t ns, cycles, rate, more;
			struct limn_job job;

			igt_assert(engine_name(c.fd, n, name, sizeof(name)));
			rate = value_of(c.fd, "drm-maxfreq-", name);
			cycles = value_of(c.fd, "drm-cycles-", name);
			igt_assert_eq(rate < 0, cycles < 0);
			if (rate < 0)
				continue;
			igt_assert(rate > 0);
			for (int side = 0; side < 2; side++) {
				job = side ? limn_clear(&c, 1) : limn_long(&c, 0, 1);
				igt_assert_eq(limn_run(c.fd, &job), 0);
			}
			ns = value_of(c.fd, "drm-engine-", name);
			more = value_of(c.fd, "drm-cycles-", name);
			igt_info("%s: %lld ns, %lld cycles, at most %lld kHz\n", name, (long long)ns,
				 (long long)more, (long long)rate);
			igt_assert(more >= cycles);
			if (n == limn_queue(&c, 0))
				igt_assert(more > cycles);
			/* Nor does any clock run at less than a hundredth of its fastest. */
			igt_assert(n != limn_queue(&c, 0) || more * 100000000ll / ns >= rate);
			/* Not more than the fastest clock has in that time. */
			igt_assert((double)more <= (double)ns * rate / 1e6 + queues);
		}
		igt_assert(!engine_name(c.fd, queues, name, sizeof(name)));
		limn_client_free(&c);
	}

	igt_describe("Cycles are counted at the clock's speed of that time");
	igt_subtest("cycles-of-slow-clock") {
		struct gpu_client c = limn_client_new();
		char speeds[128] = "", name[64], *fastest;
		int64_t ns, cycles, hz;
		struct limn_job job;

		igt_require(devfreq_read("available_frequencies", speeds, sizeof(speeds)) > 0);
		igt_assert(engine_name(c.fd, limn_queue(&c, 0), name, sizeof(name)));
		fastest = speeds + strlen(speeds);
		while (fastest > speeds && (!fastest[0] || fastest[0] == ' ' || fastest[-1] != ' '))
			fastest--;
		igt_assert_eq(dev_write("power/control", "on"), 0);
		for (int fast = 1; fast >= 0; fast--) {
			hz = atoll(fast ? fastest : speeds);
			igt_assert_eq(devfreq_write(fast ? "max_freq" : "min_freq", hz), 0);
			igt_assert_eq(devfreq_write(fast ? "min_freq" : "max_freq", hz), 0);
			ns = value_of(c.fd, "drm-engine-", name);
			cycles = value_of(c.fd, "drm-cycles-", name);
			job = limn_long(&c, 0, 1);
			igt_assert_eq(limn_run(c.fd, &job), 0);
			ns = value_of(c.fd, "drm-engine-", name) - ns;
			cycles = value_of(c.fd, "drm-cycles-", name) - cycles;
			igt_info("%lld Hz: %lld cycles in %lld ns\n", (long long)hz, (long long)cycles, (long long)ns);
			igt_assert((double)cycles > 0.98 * ns * hz / 1e9 - 10);
			igt_assert((double)cycles < 1.02 * ns * hz / 1e9 + 10);
		}
		igt_assert_eq(devfreq_write("max_freq", atoll(fastest)), 0);
		igt_assert_eq(dev_write("power/control", "auto"), 0);
		limn_client_free(&c);
	}

	igt_describe("The clock is at its lowest when there is nothing to do");
	igt_subtest("clock-of-idle") {
		char text[128] = "", governor[32] = "";
		long long slowest;

		igt_require(devfreq_read("governor", governor, sizeof(governor)) > 0);
		igt_require(!strncmp(governor, "simple_ondemand", 15));
		igt_assert(devfreq_read("available_frequencies", text, sizeof(text)) > 0);
		slowest = atoll(text);
		igt_assert_eq(dev_write("power/control", "on"), 0);
		for (int i = 0; i < 500; i++, usleep(10000)) {
			igt_assert(devfreq_read("cur_freq", text, sizeof(text)) > 0);
			if (atoll(text) == slowest)
				break;
		}
		igt_assert_eq(dev_write("power/control", "auto"), 0);
		igt_assert_eq(atoll(text), slowest);
	}

	igt_describe("Time goes to the file whose jobs they are");
	igt_subtest("engines") {
		struct gpu_client c = limn_client_new(), idle = limn_client_new();
		char name[64];

		igt_assert(engine_name(c.fd, limn_queue(&c, 0), name, sizeof(name)));
		for (uint32_t i = 0; i < 10; i++) {
			int64_t before = value_of(c.fd, "drm-engine-", name);
			int64_t quiet = value_of(idle.fd, "drm-engine-", name);
			struct limn_job job = limn_long(&c, 0, i);

			igt_assert_eq(limn_run(c.fd, &job), 0);
			igt_assert(value_of(c.fd, "drm-engine-", name) > before);
			igt_assert_eq_u64(value_of(idle.fd, "drm-engine-", name), quiet);
		}
		limn_client_free(&c);
		limn_client_free(&idle);
	}

	igt_describe("Memory: total and resident follow BOs, shared counts exported ones, active those of jobs");
	igt_subtest("memory") {
		struct gpu_client c = limn_client_new();
		struct gpu_gate gate = gpu_gate_new(c.fd);
		int64_t total = gpu_fdinfo(c.fd, "drm-total-memory");
		struct gpu_bo bo = limn_bo_new(c.fd, 1 << 20, 0, 0);
		struct limn_job job = limn_store(&c, 0, 1);
		int other = limn_open(), dma_buf;
		uint32_t fence;

		igt_assert_eq_u64(gpu_fdinfo(c.fd, "drm-total-memory"), total + (1 << 20));
		igt_assert(gpu_fdinfo(c.fd, "drm-resident-memory") >= 1 << 20);
		igt_assert_eq_u64(gpu_fdinfo(c.fd, "drm-shared-memory"), 0);
		igt_assert(gpu_fdinfo(c.fd, "drm-active-memory") <= 0);	/* 7.x leaves a 0 out */
		dma_buf = prime_handle_to_fd(c.fd, bo.handle);
		prime_fd_to_handle(other, dma_buf);
		igt_assert_eq_u64(gpu_fdinfo(c.fd, "drm-shared-memory"), 1 << 20);
		igt_assert_eq_u64(gpu_fdinfo(other, "drm-shared-memory"), 1 << 20);
		limn_job_use(&job, &bo, LIMN_READ);
		job.in_sync = gate.syncobj;
		fence = limn_submit_fence(c.fd, &job);
		igt_assert(gpu_fdinfo(c.fd, "drm-active-memory") >= (1 << 20) + c.target.size);
		gpu_gate_open(&gate);
		igt_assert_eq(gpu_fence_end(c.fd, fence, 0), 0);
		igt_assert(gpu_fdinfo(c.fd, "drm-active-memory") <= 0);	/* 7.x leaves a 0 out */
		close(dma_buf);
		close(other);
		gpu_bo_free(&bo);
		gpu_gate_free(c.fd, &gate);
		limn_client_free(&c);
	}
}
