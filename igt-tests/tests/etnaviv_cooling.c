// SPDX-License-Identifier: MIT
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <unistd.h>

#include <limn/dump.h>
#include <limn/vivante/cmdstream.h>
#include <limn/vivante/hw_regs.h>

#include "etna_lib.h"
#include "igt.h"

IGT_TEST_DESCRIPTION("The GPU as a cooling device: each step halves its clock, and jobs run at every speed");

#define STEPS		6	/* FSCALE_VAL is 64 for full speed */
#define CORE_CLOCK	"/sys/kernel/debug/clk/gpu-core/clk_rate"

static int fd = -1;
static struct etna_bo target;
static char dir[128];		/* /sys/class/thermal/cooling_deviceN */

static long read_number(const char *path)
{
	char text[64] = "";
	int file = open(path, O_RDONLY | O_CLOEXEC);

	igt_assert_f(file >= 0, "%s: %s\n", path, strerror(errno));
	igt_assert(read(file, text, sizeof(text) - 1) > 0);
	close(file);
	return atol(text);
}

/* Each SoC has its own name of it; this is the testbed's. */
static void need_clock(void)
{
	igt_require_f(!access(CORE_CLOCK, R_OK), "no %s\n", CORE_CLOCK);
}

static bool find_cooling(void)
{
	char path[192], type[64];
	bool found = false;
	glob_t g;

	if (glob("/sys/class/thermal/cooling_device*", 0, NULL, &g))
		return false;
	for (size_t i = 0; i < g.gl_pathc && !found; i++) {
		int file;

		snprintf(path, sizeof(path), "%s/type", g.gl_pathv[i]);
		file = open(path, O_RDONLY | O_CLOEXEC);
		memset(type, 0, sizeof(type));
		found = file >= 0 && read(file, type, sizeof(type) - 1) > 0 &&
			!strncmp(type, etna_core_name(), strlen(etna_core_name()));
		if (found)
			snprintf(dir, sizeof(dir), "%s", g.gl_pathv[i]);
		close(file);
	}
	globfree(&g);
	return found;
}

static const char *attribute(const char *name)
{
	static char path[192];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return path;
}

static int set_state(int state)
{
	char text[16];

	snprintf(text, sizeof(text), "%d", state);
	return sys_write(attribute("cur_state"), text);
}

static void run_job(void)
{
	static uint32_t value;
	static struct etna_job job;

	etna_job_init(&job);
	if (!(etna_param(fd, 0, ETNAVIV_PARAM_GPU_FEATURES_0) & chipFeatures_PIPE_3D))
		job.exec_state = ETNA_PIPE_2D;
	if (etna_can_fill(fd))
		etna_job_fill(fd, &job, &target, ++value);
	else
		etna_put(&job, VIV_FE_COMMAND(NOP), 0);
	igt_assert_eq(etna_run(fd, &job), 0);
	if (etna_can_fill(fd))
		igt_assert_eq_u32(target.map[100], value);
}

/* A register of the unit "hi", out of the dump that a job leaves which hangs. */
static uint32_t dumped_register(uint32_t offset)
{
	static uint64_t dump[(1u << 20) / 8];
	static struct etna_job job;
	const char *at = (const char *)dump, *end;
	uint32_t value = 0;
	bool found = false;
	int file = -1;
	glob_t g;

	etna_job_init(&job);
	if (!(etna_param(fd, 0, ETNAVIV_PARAM_GPU_FEATURES_0) & chipFeatures_PIPE_3D))
		job.exec_state = ETNA_PIPE_2D;
	etna_job_hang(&job);
	igt_assert_eq(etna_run(fd, &job), -ETIMEDOUT);
	/* It comes from a worker. */
	for (int i = 0; i < 5000 && file < 0; i++, usleep(1000)) {
		if (!glob("/sys/class/devcoredump/devcd*/data", 0, NULL, &g))
			file = open(g.gl_pathv[0], O_RDWR | O_CLOEXEC);
		globfree(&g);
	}
	igt_assert_f(file >= 0, "no dump\n");
	end = at;
	for (ssize_t n; (n = read(file, (char *)end, (const char *)(dump + sizeof(dump) / 8) - end)) > 0; )
		end += n;
	igt_assert_eq(write(file, "1", 1), 1);
	close(file);
	for (at += sizeof(struct limn_dump_header); at + sizeof(struct limn_dump_section) <= end; ) {
		const struct limn_dump_section *s = (const void *)at;
		const struct limn_dump_reg *r = (const void *)(s + 1);

		for (size_t i = 0; s->type == LIMN_DUMP_REGS && !strcmp(s->name, "hi") && i < s->size / sizeof(*r); i++)
			if (r[i].offset == offset) {
				value = r[i].value;
				found = true;
			}
		at += sizeof(*s) + ((s->size + 7) & ~7ull);
	}
	igt_assert_f(found, "the dump has no register %x\n", offset);
	return value;
}

/* The clock itself, where the core leaves scaling to it; else the register. */
static void check_speed(int state, long full)
{
	uint32_t features = etna_param(fd, 0, ETNAVIV_PARAM_GPU_FEATURES_3), control;

	if (!etna_is_limn())
		return;
	if (features & chipMinorFeatures2_DYNAMIC_FREQUENCY_SCALING) {
		igt_assert_eq(read_number(CORE_CLOCK), full >> state);
		return;
	}
	control = dumped_register(VIVS_HI_CLOCK_CONTROL);
	igt_assert_eq_u32(VIV_GET(VIVS_HI_CLOCK_CONTROL_FSCALE_VAL, control), 1u << (STEPS - state));
	igt_assert_eq_u32(control & VIVS_HI_CLOCK_CONTROL_FSCALE_CMD_LOAD, 0);
}

static void registered(void)
{
	igt_assert_eq(read_number(attribute("max_state")), STEPS);
	igt_assert_eq(read_number(attribute("cur_state")), 0);
}

static void every_speed(void)
{
	long full = read_number(CORE_CLOCK);

	for (int state = 1; state <= STEPS; state++) {
		run_job();	/* it is awake */
		igt_assert_eq(set_state(state), 0);
		igt_assert_eq(read_number(attribute("cur_state")), state);
		run_job();
		check_speed(state, full);
		run_job();	/* nor does a reset forget it */
	}
	igt_assert_eq(set_state(0), 0);
	run_job();
	check_speed(0, full);
	igt_assert_eq(read_number(CORE_CLOCK), full);
}

/* Told while it sleeps, it knows when it wakes up. */
static void asleep(void)
{
	long full = read_number(CORE_CLOCK);

	for (int state = STEPS; state >= 0; state -= 3) {
		run_job();
		usleep(500000);
		igt_assert_eq(set_state(state), 0);
		igt_assert_eq(read_number(attribute("cur_state")), state);
		run_job();
		check_speed(state, full);
	}
}

/* A core that sleeps has no registers; the strict model reports who writes them. */
static void untouched(void)
{
	run_job();
	usleep(500000);
	igt_assert_eq(set_state(1), 0);
	igt_assert_eq(set_state(0), 0);
	run_job();
}

static void out_of_range(void)
{
	igt_assert_eq(set_state(STEPS + 1), -EINVAL);
	igt_assert_eq(set_state(-1), -EINVAL);
	igt_assert_eq(set_state(0x7fffffff), -EINVAL);
	igt_assert_eq(read_number(attribute("cur_state")), 0);
	run_job();
}

/* While jobs run, as a governor does. */
static void under_load(void)
{
	for (int i = 0; i < 100; i++) {
		igt_assert_eq(set_state(i % (STEPS + 1)), 0);
		run_job();
	}
	igt_assert_eq(set_state(0), 0);
}

/* It goes with the driver, and comes back at full speed. */
static void unbound(void)
{
	char path[160];

	igt_require(etna_is_limn());	/* mainline's does not survive this */
	igt_assert_eq(set_state(3), 0);
	snprintf(path, sizeof(path), "%s/unbind", etna_driver_dir());
	igt_assert_eq(sys_write(path, etna_core_name()), 0);
	igt_assert(!find_cooling());
	snprintf(path, sizeof(path), "/sys/bus/platform/drivers/limn/bind");
	igt_assert_eq(sys_write(path, etna_core_name()), 0);
	close(fd);
	fd = etna_open();
	target = etna_bo_new(fd, 4096);
	igt_assert(find_cooling());
	igt_assert_eq(read_number(attribute("cur_state")), 0);
	run_job();
}

igt_main
{
	igt_fixture {
		fd = etna_open();
		target = etna_bo_new(fd, 4096);
		igt_require_f(find_cooling(), "no cooling device: CONFIG_THERMAL is off\n");
	}
	igt_subtest("registered")
		registered();
	igt_subtest("every-speed") {
		need_clock();
		every_speed();
	}
	igt_subtest("untouched")
		untouched();
	igt_subtest("asleep") {
		need_clock();
		asleep();
	}
	igt_subtest("out-of-range")
		out_of_range();
	igt_subtest("under-load")
		under_load();
	igt_subtest("unbind")
		unbound();
}
