// SPDX-License-Identifier: MIT
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "igt.h"
#include "gpu_sys.h"
#include "limn_bo.h"

IGT_TEST_DESCRIPTION("Eight clients, of which some hang, are killed, purge, unbind and suspend: the others lose nothing");

/*
 * LIMN_SOAK_SECONDS, LIMN_SOAK_HANGS: how long the subtests run, and how many hangs. What they count is printed. They
 * are in no list: scripts/soak runs them.
 */
#define CLIENTS		8
#define WAIT_NS		(120 * SEC_NS)	/* for an innocent job; its time-out on the hardware is shorter */
#define GUILTY_MS	40
#define PURGEABLE	(256u << 10)

struct counts {
	uint64_t frames, words, hangs, killed, kept, purged, unbinds, suspends;
	uint64_t hurt;			/* innocent jobs that failed or left something else than they should */
};

static struct shared {
	pthread_rwlock_t bound;		/* for writing: the device goes and comes back */
	unsigned int epoch;		/* how often it did; under that lock */
	uint64_t hangs_wanted;		/* 0: any number */
	uint32_t patience_ms;		/* time-out of innocents' jobs: the host may be busy */
	int64_t end;
	struct counts n;
} *soak;

struct person {
	struct gpu_client c;
	unsigned int epoch;
};

static bool is_over(void)
{
	return gpu_time(0) > soak->end ||
	       (soak->hangs_wanted && __atomic_load_n(&soak->n.hangs, __ATOMIC_RELAXED) >= soak->hangs_wanted);
}

static void count(uint64_t *n)
{
	__atomic_fetch_add(n, 1, __ATOMIC_RELAXED);
}

static void hurt(const char *what, int ret)
{
	igt_info("hurt: %s: %d\n", what, ret);
	count(&soak->n.hurt);
}

/* Nothing of the device's changes until leave(). */
static void enter(void)
{
	igt_assert_eq(pthread_rwlock_rdlock(&soak->bound), 0);
}

static void leave(void)
{
	igt_assert_eq(pthread_rwlock_unlock(&soak->bound), 0);
}

/* The device is there. */
static void person_new(struct person *p, uint32_t timeout_ms)
{
	struct drm_limn_ctx_create req = { .timeout_ms = timeout_ms };
	int file = gpu_try_open(NULL);

	for (int i = 0; file < 0 && i < 1000; i++) {
		usleep(10000);
		file = gpu_try_open(NULL);
	}
	igt_assert(file >= 0);
	p->c = limn_client_on(file);
	igt_assert_eq(gpu_try(file, DRM_IOCTL_LIMN_CTX_CREATE, &req), 0);
	p->c.ctx = req.id;
	p->epoch = soak->epoch;
}

/* Whether the device is another one now or not. */
static void person_drop(struct person *p)
{
	if (p->c.target.map)
		munmap(p->c.target.map, p->c.target.size);
	if (p->c.lists.map)
		munmap(p->c.lists.map, p->c.lists.size);
	close(p->c.fd);
}

static bool is_there(const struct gpu_client *c, int side, uint32_t value)
{
	if (!side)
		return *limn_word(c, 5) == value;
	for (uint32_t i = 0; i < LIMN_PICTURE * LIMN_PICTURE; i++) {
		if (c->target.map[i] != value)
			return false;
	}
	return true;
}

/* One job, waited for while anything may happen. False: the device went away with it. */
static bool frame(struct person *p, int side, uint32_t value)
{
	struct limn_job job = side ? limn_clear(&p->c, value) : limn_store(&p->c, 5, value);
	int ret = limn_try_submit(p->c.fd, &job);

	leave();
	if (!ret)
		ret = p->c.family->wait(p->c.fd, p->c.target.handle, true, WAIT_NS);
	enter();
	if (p->epoch != soak->epoch)
		return false;
	if (ret || !is_there(&p->c, side, value))
		hurt(side ? "picture" : "word", ret);
	count(side ? &soak->n.frames : &soak->n.words);
	return true;
}

static void innocent(unsigned int seed)
{
	uint32_t value = seed << 24;
	struct person p;

	enter();
	person_new(&p, soak->patience_ms);
	while (!is_over()) {
		value++;
		if (frame(&p, value & 1, value))
			continue;
		person_drop(&p);
		person_new(&p, soak->patience_ms);
	}
	person_drop(&p);
	leave();
}

/* A job that never ends, or that faults, of a client that has no other. */
static void guilty(unsigned int seed)
{
	while (!is_over()) {
		struct drm_limn_ctx_query q = { 0 };
		struct limn_job job;
		struct person p;
		int ret;

		enter();
		person_new(&p, GUILTY_MS);
		if (seed++ % 4 == 3 && limn_can_fault(&p.c))
			job = limn_unmapped(&p.c, seed / 4 % 2);
		else
			job = limn_endless(&p.c, seed % 2);
		ret = limn_try_submit(p.c.fd, &job);
		leave();
		if (!ret)
			p.c.family->wait(p.c.fd, p.c.target.handle, true, WAIT_NS);
		enter();
		if (p.epoch == soak->epoch) {
			igt_assert_eq(ret, 0);
			q.id = p.c.ctx;
			igt_assert_eq(gpu_try(p.c.fd, DRM_IOCTL_LIMN_CTX_QUERY, &q), 0);
			if (q.guilty == 1)
				count(&soak->n.hangs);
			else
				hurt("a hang that nobody noticed", q.guilty);
		}
		person_drop(&p);
		leave();
	}
}

/* Clients that end in the middle of what they do. */
static void killer(unsigned int seed)
{
	while (!is_over()) {
		pid_t child;

		/* The lock is this process's, for the one that dies. */
		enter();
		child = fork();
		if (!child) {
			struct person p;
			struct limn_job job;

			person_new(&p, GUILTY_MS);
			for (uint32_t i = 0; ; i++) {
				job = i % 8 == seed % 8 ? limn_endless(&p.c, i % 2) : limn_good(&p.c, i % 2, i);
				if (limn_try_submit(p.c.fd, &job))
					pause();
			}
		}
		igt_assert(child > 0);
		usleep(1000 * (seed++ * 7 % 50));
		kill(child, SIGKILL);
		igt_assert_eq(waitpid(child, NULL, 0), child);
		leave();
		count(&soak->n.killed);
	}
}

/* Memory that may be taken has what was written, or is gone. */
static void purger(unsigned int seed)
{
	while (!is_over()) {
		struct person p;
		struct gpu_bo bo;
		bool same = true;

		enter();
		person_new(&p, 0);
		bo = limn_bo_new(p.c.fd, PURGEABLE, 0, 0);
		for (uint32_t i = 0; i < PURGEABLE / 4; i++)
			bo.map[i] = i ^ seed;
		igt_assert_eq(limn_try_madvise(p.c.fd, bo.handle, DRM_LIMN_MADV_DONTNEED), 1);
		if (seed % 4 == 0)
			limn_drop_slab();
		usleep(1000 * (seed % 8));
		if (limn_try_madvise(p.c.fd, bo.handle, DRM_LIMN_MADV_WILLNEED)) {
			for (uint32_t i = 0; i < PURGEABLE / 4; i++)
				same &= bo.map[i] == (i ^ seed);
			if (!same)
				hurt("kept memory", 0);
			count(&soak->n.kept);
		} else {
			count(&soak->n.purged);
		}
		gpu_bo_free(&bo);
		person_drop(&p);
		leave();
		seed++;
	}
}

static void soak_print(void)
{
	const struct counts *n = &soak->n;

	igt_info("%llu pictures and %llu words compared; %llu hangs, %llu clients killed, %llu BOs kept, %llu purged, "
		 "%llu unbinds, %llu suspends; %llu innocents hurt\n",
		 (unsigned long long)n->frames, (unsigned long long)n->words, (unsigned long long)n->hangs,
		 (unsigned long long)n->killed, (unsigned long long)n->kept, (unsigned long long)n->purged,
		 (unsigned long long)n->unbinds, (unsigned long long)n->suspends, (unsigned long long)n->hurt);
	fflush(stdout);	/* a child that runs for hours prints it */
}

static void soak_report(void)
{
	soak_print();
	igt_assert_eq_u64(soak->n.hurt, 0);
	igt_assert(soak->n.frames + soak->n.words && soak->n.hangs);
}

/* The device goes and comes back, and the machine sleeps, where it can. Each minute it says how far all are. */
static void disturber(bool unbind)
{
	bool sleeps = !access("/sys/power/pm_test", F_OK);

	for (unsigned int i = 0; !is_over(); i++) {
		usleep(500000);
		if (i % 120 == 119)
			soak_print();
		if (sleeps && i % 4 == 1) {
			igt_assert_eq(gpu_suspend("mem"), 0);
			count(&soak->n.suspends);
		}
		if (!unbind || i % 4 != 3)
			continue;
		igt_assert_eq(pthread_rwlock_wrlock(&soak->bound), 0);
		soak->epoch++;
		igt_assert_eq(gpu_unbind(), 0);
		igt_assert_eq(gpu_bind(), 0);
		leave();
		count(&soak->n.unbinds);
	}
}

static uint64_t setting(const char *name, uint64_t otherwise)
{
	const char *text = getenv(name);

	return text ? strtoull(text, NULL, 0) : otherwise;
}

static void soak_new(uint64_t seconds, uint64_t hangs)
{
	int fd = limn_open();
	uint64_t longest = limn_param(fd, DRM_LIMN_PARAM_MAX_TIMEOUT_MS);
	pthread_rwlockattr_t attr;

	close(fd);

	soak = mmap(NULL, sizeof(*soak), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	igt_assert(soak != MAP_FAILED);
	pthread_rwlockattr_init(&attr);
	pthread_rwlockattr_setpshared(&attr, PTHREAD_PROCESS_SHARED);
	/* Readers are always there. */
	pthread_rwlockattr_setkind_np(&attr, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
	pthread_rwlock_init(&soak->bound, &attr);
	soak->patience_ms = longest < 60000 ? longest : 60000;
	soak->hangs_wanted = hangs;
	soak->end = gpu_time(seconds * SEC_NS);
}

static void soak_all(unsigned int child)
{
	switch (child) {
	case 0:
		disturber(true);
		break;
	case 1:
		guilty(0);
		break;
	case 2:
		killer(1);
		break;
	case 3:
		purger(0);
		break;
	default:
		innocent(child);
	}
}

igt_main
{
	igt_fixture {
		int fd = limn_open();

		limn_require(fd, DRM_LIMN_FEATURE_SUBMIT | DRM_LIMN_FEATURE_CTX | DRM_LIMN_FEATURE_BO |
			     DRM_LIMN_FEATURE_MADVISE);
		close(fd);
	}

	igt_describe("Innocent clients beside those that hang, are killed, purge memory, unbind and suspend");
	igt_subtest("everything") {
		soak_new(setting("LIMN_SOAK_SECONDS", 10), 0);
		igt_fork(child, CLIENTS)
			soak_all(child);
		igt_waitchildren();
		soak_report();
	}

	igt_describe("So many hangs of four clients beside four others that lose no job");
	igt_subtest("hangs") {
		soak_new(24 * 3600, setting("LIMN_SOAK_HANGS", 10));
		igt_fork(child, CLIENTS) {
			if (child < CLIENTS / 2)
				guilty(child);
			else
				innocent(child);
		}
		igt_waitchildren();
		soak_report();
	}

	igt_fixture
		limn_check_gpu();
}
