// SPDX-License-Identifier: MIT
#include <errno.h>
#include <time.h>
#include <unistd.h>

#include "igt.h"
#include "gpu_sys.h"
#include "limn_gpu.h"

IGT_TEST_DESCRIPTION("fdinfo's engine time against the clock of a client whose job keeps a queue busy, and "
		     "against what the virtual GPU says");

/*
 * No register of these GPUs says how long a unit was busy. But a job that never
 * ends keeps its unit busy from its start to the reset, and it is alone: from
 * the ioctl to the end of the wait for its fence, by CLOCK_MONOTONIC of this
 * process, is that time and some microseconds more. The driver adds a job's time
 * when the job ends, from its own stamps of both.
 *
 * A virtual GPU counts that time by itself, from the write that starts a unit to
 * the end of its job or to its reset, and debugfs shows the sum. Its clock is that
 * of the machine around, which the guest's falls behind while the model is long
 * in answering a read. So what fdinfo has lies between the model's sum and that
 * sum without what the guest's clock has lost.
 */
#define ROUNDS	5

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ll + now.tv_nsec;
}

/* The time that the virtual GPU counted for an engine. */
static int64_t model_busy(const char *engine)
{
	bool utgard = !strcmp(engine, "gp") || !strcmp(engine, "pp");
	char key[32];

	snprintf(key, sizeof(key), "%s_busy_ns", utgard ? engine : "fe");
	return gpu_model_value(key);
}

/* What the guest's clock has lost so far, and a constant. */
static int64_t lost_ns(void)
{
	return gpu_model_value("clock_ns") - now_ns();
}

/* The name of a queue's engine: fdinfo has them in the order of the queues. */
static void engine_of(int fd, uint32_t queue, char *name, size_t size)
{
	FILE *file = gpu_fdinfo_open(fd);
	char line[256];

	name[0] = '\0';
	while (fgets(line, sizeof(line), file))
		if (!strncmp(line, "drm-engine-", 11) && strncmp(line, "drm-engine-capacity-", 20) && !queue--)
			snprintf(name, size, "%.*s", (int)strcspn(line + 11, ":"), line + 11);
	fclose(file);
	igt_assert(name[0]);
}

static int64_t value_of(int fd, const char *prefix, const char *name)
{
	char key[128];

	snprintf(key, sizeof(key), "%s%s", prefix, name);
	return gpu_fdinfo(fd, key);
}

/* How much of the clock's time fdinfo has, per mille. */
static unsigned int measure(int side)
{
	struct gpu_client c = limn_client_new();
	struct limn_job job = limn_endless(&c, side);
	int64_t window, ns, cycles, rate;
	unsigned int share;
	char name[64];

	engine_of(c.fd, limn_queue(&c, side), name, sizeof(name));
	ns = -value_of(c.fd, "drm-engine-", name);
	cycles = -value_of(c.fd, "drm-cycles-", name);
	rate = value_of(c.fd, "drm-maxfreq-", name);
	window = -now_ns();
	igt_assert_eq(limn_run(c.fd, &job), -ETIMEDOUT);
	window += now_ns();
	ns += value_of(c.fd, "drm-engine-", name);
	cycles += value_of(c.fd, "drm-cycles-", name);
	igt_info("%s: %.3f ms by fdinfo, %.3f ms by the clock: %.2f %%; %lld cycles at %lld kHz\n", name, ns / 1e6,
		 window / 1e6, ns * 100.0 / window, (long long)cycles, (long long)rate);
	igt_assert(ns <= window);
	if (rate > 0)
		igt_assert(cycles >= ns * (rate / 1e6) * 0.99 && cycles <= ns * (rate / 1e6) * 1.01);

	/* Nobody has a job: nothing is added. */
	share = ns * 1000 / window;
	ns = value_of(c.fd, "drm-engine-", name);
	usleep(200000);
	igt_assert_eq_u64(value_of(c.fd, "drm-engine-", name), ns);
	limn_client_free(&c);
	return share;
}

/* What a busy machine adds, it adds to the clock's side: the best of some says what the driver does. */
static void busy(int side)
{
	unsigned int best = 0;

	for (int i = 0; i < ROUNDS && best < 990; i++) {
		unsigned int share = measure(side);

		if (share > best)
			best = share;
	}
	igt_assert_lte(990, best);
}

/* Short jobs and long ones: whether fdinfo is off by less than 1 %. */
static bool agree_once(int side)
{
	struct gpu_client c = limn_client_new();
	int64_t ns, model, lost;
	char name[64];

	igt_require_f(gpu_model_value("clock_ns") >= 0, "no virtual GPU\n");
	engine_of(c.fd, limn_queue(&c, side), name, sizeof(name));
	lost = -lost_ns();
	ns = -value_of(c.fd, "drm-engine-", name);
	model = -model_busy(name);
	for (int i = 0; i < 3; i++) {
		struct limn_job job = limn_good(&c, side, i), endless = limn_endless(&c, side);

		igt_assert_eq(limn_run(c.fd, &job), 0);
		igt_assert_eq(limn_run(c.fd, &endless), -ETIMEDOUT);
	}
	ns += value_of(c.fd, "drm-engine-", name);
	model += model_busy(name);
	lost += lost_ns();
	igt_info("%s: %.3f ms by fdinfo, %.3f ms by the virtual GPU, of which the guest has not seen up to %.3f ms\n",
		 name, ns / 1e6, model / 1e6, lost / 1e6);
	limn_client_free(&c);
	return model > 0 && lost < model / 2 && ns <= model * 1.01 && ns >= (model - lost) * 0.99;
}

/* A CPU that a busy machine takes away between a register's write and the driver's stamp counts on one side. */
static void agrees(int side)
{
	bool agree = false;

	for (int i = 0; i < ROUNDS && !agree; i++)
		agree = agree_once(side);
	igt_assert(agree);
}

igt_main
{
	igt_describe("At most 1 % less than the clock says, and never more; then nothing");
	igt_subtest("busy-0")
		busy(0);
	igt_subtest("busy-1")
		busy(1);

	igt_describe("Within 1 % of what the virtual GPU counts of its units, good jobs and hung ones together");
	igt_subtest("model-0")
		agrees(0);
	igt_subtest("model-1")
		agrees(1);
}
