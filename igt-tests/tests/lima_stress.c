// SPDX-License-Identifier: MIT
#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "igt.h"
#include "lima_jobs.h"
#include "gpu_sys.h"

IGT_TEST_DESCRIPTION("Eight clients at once that do everything there is, with kills and hangs; seeds are printed");

#define CLIENTS 8

static uint32_t random_next(uint32_t *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return *seed >> 8;
}

static uint32_t start_seed(void)
{
	const char *text = getenv("LIMN_SEED");
	uint32_t seed = text ? strtoul(text, NULL, 0) : 20241121;

	igt_info("seed %u (LIMN_SEED)\n", seed);
	return seed;
}

/* One job, checked; now and then the client is made anew. */
static void work(uint32_t seed, unsigned int rounds)
{
	struct gpu_client c = lima_client_new();

	for (unsigned int i = 0; i < rounds; i++) {
		uint32_t value = random_next(&seed), what = random_next(&seed) % 8;
		struct lima_job job;
		struct gpu_bo bo;

		switch (what) {
		case 0:
			lima_client_free(&c);
			c = lima_client_new();
			break;
		case 1:
			bo = lima_bo_new(c.fd, random_next(&seed) % 300000 + 1);
			bo.map[0] = value;
			gpu_bo_free(&bo);
			break;
		case 2:
		case 3:
		case 4:
			job = lima_gp_store(&c, 11, value);
			igt_assert_eq(lima_run(c.fd, &job), 0);
			igt_assert_eq_u32(c.target.map[11], value);
			break;
		case 5:
			job = lima_gp_long(&c, 12, value);
			igt_assert_eq(lima_run(c.fd, &job), 0);
			igt_assert_eq_u32(c.target.map[12], value);
			break;
		default:
			job = lima_pp_clear(&c, value);
			igt_assert_eq(lima_run(c.fd, &job), 0);
			lima_check_picture(&c, value);
		}
	}
	lima_client_free(&c);
}

/* Jobs of which some fault or hang; their ends are not waited for. */
static void __attribute__((noreturn)) misbehave(uint32_t seed)
{
	for (;;) {
		struct gpu_client c = lima_client_new();

		for (int i = 0; i < 6; i++) {
			uint32_t what = random_next(&seed) % 12;
			struct lima_job job = what == 0 ? lima_gp_endless(&c) : what == 1 ? lima_pp_endless(&c) :
					      what < 4 ? lima_gp_unmapped(&c) : what < 6 ? lima_pp_unmapped(&c) :
					      what < 9 ? lima_gp_store(&c, 0, 0) : lima_pp_clear(&c, 0);

			lima_submit(c.fd, &job);
		}
		munmap(c.lists.map, c.lists.size);
		munmap(c.target.map, c.target.size);
		close(c.fd);
	}
}

igt_main
{
	static long before;

	igt_fixture {
		lima_check_gpu();
		before = shmem_kib();	/* a root in memory counts */
		gpu_be_patient(40);
	}

	igt_describe("Eight clients, each job's result checked");
	igt_subtest("clients") {
		uint32_t seed = start_seed();

		igt_fork(child, CLIENTS)
			work(seed + child * 7919, 150);
		igt_waitchildren();
		lima_check_gpu();
	}

	igt_describe("The same while clients are killed at random times");
	igt_subtest("clients-killed") {
		uint32_t seed = start_seed();
		pid_t victims[4] = { 0 };

		igt_fork(child, 4)
			work(seed + child * 7919, 150);
		for (int i = 0; i < 40; i++) {
			int v = random_next(&seed) % 4;

			if (victims[v]) {
				kill(victims[v], SIGKILL);
				igt_assert_eq(waitpid(victims[v], NULL, 0), victims[v]);
			}
			victims[v] = fork();
			igt_assert(victims[v] >= 0);
			if (!victims[v]) {
				work(seed, 1000000);
				_exit(0);
			}
			usleep(random_next(&seed) % 20000);
		}
		for (int v = 0; v < 4; v++) {
			if (!victims[v])
				continue;
			kill(victims[v], SIGKILL);
			waitpid(victims[v], NULL, 0);
		}
		igt_waitchildren();
		lima_check_gpu();
	}

	igt_describe("Four innocent clients beside two whose jobs fault and hang and who are killed");
	igt_subtest("hangs-and-kills") {
		uint32_t seed = start_seed();
		pid_t victim;

		igt_fork(child, 4)
			work(seed + child * 7919, 15);
		for (int i = 0; i < 6; i++) {
			victim = fork();
			igt_assert(victim >= 0);
			if (!victim)
				misbehave(seed + i);
			usleep(random_next(&seed) % 200000);
			kill(victim, SIGKILL);
			igt_assert_eq(waitpid(victim, NULL, 0), victim);
		}
		igt_waitchildren();
		lima_check_gpu();
	}

	igt_describe("After all of that no BO is left in memory");
	igt_subtest("no-leak") {
		long kib = 0;

		for (int i = 0; i < 200; i++) {
			kib = shmem_kib();
			if (kib < before + 1024)
				break;
			usleep(20000);
		}
		igt_assert_f(kib < before + 16 * 1024, "%ld KiB of shared memory in use, %ld before\n", kib, before);
	}
}
