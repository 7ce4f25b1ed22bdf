/* SPDX-License-Identifier: MIT */
/*
 * A fuzzer of the model's fast ways: a random job runs on several devices, each of which goes another way, from the
 * same memory, and all must leave the same. The includer makes jobs and looks at what they leave.
 *
 *	PROGRAM [-k KIND] [-s SEED] [-f FIRST] [-n CASES] [-t SECONDS] [-p]
 *
 * Without -n and -t it is a test: some cases of each kind. A case depends on seed, kind and its number alone, and on
 * devices that are new with the first case and with each multiple of FAST_EPOCH: "-f 77 -n 1" is case 77 alone.
 * -p prints a sum of what each case left, which is to be the same on another processor.
 */
#ifndef LIMN_TESTS_FAST_H
#define LIMN_TESTS_FAST_H

#include <getopt.h>
#include <time.h>

#include "model/carriers/host/host.h"
#include "model/watch.h"
#include "tests/isa/random.h"
#include "tests/unit.h"

#define FAST_EPOCH	4096u	/* cases with the same devices */
#define FAST_MOST	20u	/* differences, of a kind: enough is known then */

/* What makes jobs of some kinds; without a name ends. */
struct fast_kind {
	const char *name;
	unsigned int cases;	/* of a test */
};

struct fast_test {
	const struct fast_kind *kinds;
	void (*open)(void);			/* devices, anew */
	bool (*run)(unsigned int kind);		/* one job on all of them; false: they differ, and how was printed */
	bool (*memory)(void);			/* the same of all memory, also where no job should have written */
};

static bool fast_print;
static uint64_t fast_sum;
static unsigned int fast_ended[3];		/* cases by enum host_status: for run() to count */

static inline uint32_t below(uint32_t n)
{
	return (uint32_t)((uint64_t)random_word() * n >> 32);
}

/* Fills memory with bytes that depend on nothing but the seed. */
static inline void fast_noise(void *p, size_t bytes)
{
	for (size_t i = 0; i < bytes / 4; i++)
		((uint32_t *)p)[i] = random_word();
}

/* Where two stretches of memory differ is printed. */
static inline bool fast_same(const char *what, const char *way, const void *a, const void *b, size_t bytes)
{
	size_t i = 0, n = 0;

	for (size_t k = 0; fast_print && k < bytes / 4; k++)
		fast_sum = (fast_sum ^ ((const uint32_t *)a)[k]) * 0x9e3779b97f4a7c15ull;
	if (!memcmp(a, b, bytes))
		return true;
	while (((const uint8_t *)a)[i] == ((const uint8_t *)b)[i])
		i++;
	for (size_t k = i; k < bytes; k++)
		n += ((const uint8_t *)a)[k] != ((const uint8_t *)b)[k];
	printf("# %s, %s: %zu bytes differ, the first at 0x%zx: %02x, and %02x the fast way\n", what, way, n, i,
	       ((const uint8_t *)b)[i], ((const uint8_t *)a)[i]);
	return false;
}

/* Somebody who watches a pixel and each step of its shaders, and does nothing about them. */
static inline enum model_permit fast_permit(void *ctx, uint32_t state, uint32_t draw)
{
	return MODEL_PERMIT;
}

static inline void fast_seen(void *ctx, const struct model_fragment *fragment)
{
}

static inline void fast_step(void *ctx, const struct model_step *step)
{
}

static const struct model_watch fast_watch = { .allow = fast_permit, .fragment = fast_seen, .step = fast_step };

static inline double fast_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static inline bool fast_run(const struct fast_test *test, uint64_t seed, unsigned int kind, uint64_t n)
{
	random_state = (seed * 0x9e3779b97f4a7c15ull + kind + 1) * 0xbf58476d1ce4e5b9ull + n * 0x94d049bb133111ebull;
	random_state |= !random_state;
	for (unsigned int i = 0; i < 8; i++)
		random_word();
	return test->run(kind);
}

/* What to type to see it again: alone, or behind those that the devices had before. */
static inline void fast_tell(const struct fast_test *test, const char *program, uint64_t seed, unsigned int kind, uint64_t begin,
			     uint64_t n)
{
	test->open();
	if (!fast_run(test, seed, kind, n))
		begin = n;
	printf("case %llu differs: %s -k %s -s %llu -f %llu -n %llu\n", (unsigned long long)n, program, test->kinds[kind].name,
	       (unsigned long long)seed, (unsigned long long)begin, (unsigned long long)(n - begin + 1));
	test->open();
}

/* Cases that differ. count: 0: until the time is over. */
static inline unsigned int fast_all(const struct fast_test *test, const char *program, uint64_t seed, unsigned int kind,
				    uint64_t first, uint64_t count, double seconds)
{
	double start = fast_now(), took;
	unsigned int differ = 0;
	uint64_t n = first, begin = first;

	memset(fast_ended, 0, sizeof(fast_ended));
	for (; (!count || n - first < count) && differ < FAST_MOST; n++) {
		if (n == first || n % FAST_EPOCH == 0) {
			if (n != first && !test->memory()) {
				printf("one of the cases %llu to %llu of %s wrote where no job should\n", (unsigned long long)begin,
				       (unsigned long long)n - 1, test->kinds[kind].name);
				differ++;
			}
			test->open();
			begin = n;
		}
		if (!fast_run(test, seed, kind, n)) {
			fast_tell(test, program, seed, kind, begin, n);
			begin = n + 1;
			differ++;
		}
		if (fast_print)
			printf("%s %llu: %llx\n", test->kinds[kind].name, (unsigned long long)n, (unsigned long long)fast_sum);
		fast_sum = 0;
		if (seconds > 0 && n % 64 == 63 && fast_now() - start > seconds) {
			n++;
			break;
		}
	}
	differ += !test->memory();
	took = fast_now() - start;
	printf("%s, seed %llu: %llu cases, %u done, %u faulted, %u hung, %u differ; %.1f s, %.0f a second\n", test->kinds[kind].name,
	       (unsigned long long)seed, (unsigned long long)(n - first), fast_ended[HOST_OK], fast_ended[HOST_FAULT],
	       fast_ended[HOST_TIMEOUT], differ, took, (double)(n - first) / took);
	fflush(stdout);
	/* Jobs that end early compare little. */
	if (count > 100 && fast_ended[HOST_OK] < count / 2) {
		printf("%s: too few jobs end well\n", test->kinds[kind].name);
		differ++;
	}
	return differ;
}

static inline int fast_main(int argc, char **argv, const struct fast_test *test)
{
	const char *kind = NULL, *env = getenv("LIMN_SEED");
	uint64_t seed = env ? strtoull(env, NULL, 0) : 1, first = 0, count = 0;
	unsigned int differ = 0, ran = 0;
	double seconds = 0;
	int c;

	while ((c = getopt(argc, argv, "k:s:f:n:t:p")) != -1) {
		switch (c) {
		case 'k': kind = optarg; break;
		case 's': seed = strtoull(optarg, NULL, 0); break;
		case 'f': first = strtoull(optarg, NULL, 0); break;
		case 'n': count = strtoull(optarg, NULL, 0); break;
		case 't': seconds = strtod(optarg, NULL); break;
		case 'p': fast_print = true; break;
		default: return 2;
		}
	}
	for (unsigned int k = 0; test->kinds[k].name; k++) {
		if (kind && strcmp(kind, test->kinds[k].name))
			continue;
		differ += fast_all(test, argv[0], seed, k, first, count || seconds > 0 ? count : test->kinds[k].cases, seconds);
		ran++;
	}
	if (!ran)
		printf("%s: no such kind\n", kind);
	return differ || !ran;
}

#endif
