// SPDX-License-Identifier: MIT
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/sync_file.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <xf86drm.h>

#include "igt.h"
#include "gpu_sys.h"
#include "limn_list.h"

IGT_TEST_DESCRIPTION("Who runs when: priorities, turns, jobs on the doorstep; and hangs beside innocents");

#define TRACING	"/sys/kernel/tracing/"

static struct limn_list l;

/* Behind the gate, so that the scheduler finds all that was queued at once; or not, when NULL. */
static uint32_t queue_good(struct gpu_client *c, uint32_t ctx, int side,
			   const struct gpu_gate *gate)
{
	struct limn_job job = limn_good(c, side, 1);

	limn_list_init(&l, ctx);
	l.args.flags = DRM_LIMN_SUBMIT_NO_IMPLICIT;
	limn_list_add(&l, &job);
	if (gate)
		limn_list_in(&l, 0, DRM_LIMN_SYNC_FD, gate->file, 0);
	return limn_list_fence(c->fd, &l);
}

/* When a job's fence signalled, ns; it has to be over. */
static uint64_t end_time(int fd, uint32_t syncobj)
{
	struct sync_fence_info fence = { .status = 0 };
	struct sync_file_info info = { .num_fences = 1, .sync_fence_info = (uintptr_t)&fence };
	int file;

	igt_assert_eq(drmSyncobjExportSyncFile(fd, syncobj, &file), 0);
	igt_assert_eq(gpu_try(file, SYNC_IOC_FILE_INFO, &info), 0);
	close(file);
	igt_assert_eq(fence.status, 1);
	return fence.timestamp_ns;
}

static void wait_for(int fd, uint32_t syncobj)
{
	igt_assert(syncobj_wait(fd, &syncobj, 1, gpu_time(gpu_timeout_ms() * 20000000ll), 0, NULL));
}

static void order(void)
{
	/*
	 * A worker that is choosing when the gate opens has chosen, and a second job may be on the
	 * doorstep by the time that it sees the others: so many may come before their betters.
	 */
	igt_describe("High before normal before low, however late it comes");
	igt_subtest("priorities")
		for (int side = 0; side < 2; side++) {
			enum { EACH = 6, IN_HAND = 2 };
			static const int level[3] = { DRM_LIMN_PRIORITY_LOW, DRM_LIMN_PRIORITY_NORMAL,
						      DRM_LIMN_PRIORITY_HIGH };
			struct gpu_client c = limn_client_new();
			struct gpu_gate gate = gpu_gate_new(c.fd);
			uint32_t ctx[3], fence[3][EACH];
			uint64_t end[3][EACH];

			for (int p = 0; p < 3; p++) {
				ctx[p] = limn_ctx_new(c.fd, level[p], 0);
				for (int i = 0; i < EACH; i++)
					fence[p][i] = queue_good(&c, ctx[p], side, &gate);
			}
			gpu_gate_open(&gate);
			for (int p = 0; p < 3; p++) {
				wait_for(c.fd, fence[p][EACH - 1]);
				for (int i = 0; i < EACH; i++)
					end[p][i] = end_time(c.fd, fence[p][i]);
			}
			for (int p = 0; p < 2; p++) {
				int before = 0;

				for (int i = 0; i < EACH; i++)
					before += end[p][i] < end[p + 1][EACH - 1];
				igt_info("side %d: %d of level %d's jobs before the last of level %d\n",
					 side, before, level[p], level[p + 1]);
				igt_assert_lte(before, IN_HAND);
			}
			gpu_gate_free(c.fd, &gate);
			limn_client_free(&c);
		}

	/* drm_sched promises no more by default: the oldest job of a priority goes first. */
	igt_describe("Contexts of one priority stand in line: no job waits for what another client queued after it");
	igt_subtest("in-line") {
		enum { HOG = 30, SMALL = 4, IN_HAND = 2 };
		struct gpu_client hog[2], small[SMALL];
		uint32_t hogs[2][HOG], fence[SMALL];
		struct gpu_gate gate;

		for (int h = 0; h < 2; h++)
			hog[h] = limn_client_new();
		gate = gpu_gate_new(hog[0].fd);
		for (int i = 0; i < HOG; i++)
			hogs[0][i] = queue_good(&hog[0], hog[0].ctx, 0, &gate);
		for (int i = 0; i < SMALL; i++) {
			small[i] = limn_client_new();
			fence[i] = queue_good(&small[i], small[i].ctx, 0, &gate);
		}
		for (int i = 0; i < HOG; i++)
			hogs[1][i] = queue_good(&hog[1], hog[1].ctx, 0, &gate);
		gpu_gate_open(&gate);
		for (int h = 0; h < 2; h++)
			wait_for(hog[h].fd, hogs[h][HOG - 1]);
		for (int i = 0; i < SMALL; i++) {
			int before[2] = { 0 };

			wait_for(small[i].fd, fence[i]);
			for (int h = 0; h < 2; h++) {
				for (int k = 0; k < HOG; k++)
					before[h] += end_time(hog[h].fd, hogs[h][k]) <
						     end_time(small[i].fd, fence[i]);
			}
			igt_info("client %d's job came after %d of the first hog's %d, %d of the second's\n",
				 i, before[0], HOG, before[1]);
			igt_assert_lte(before[1], IN_HAND);
		}
		for (int i = 0; i < SMALL; i++)
			limn_client_free(&small[i]);
		gpu_gate_free(hog[0].fd, &gate);
		for (int h = 0; h < 2; h++)
			limn_client_free(&hog[h]);
	}

	igt_describe("Jobs start in the interrupt that ends the one before");
	igt_subtest("from-interrupt") {
		struct gpu_client c = limn_client_new();
		char line[256], flags[16];
		int started = 0, in_irq = 0;
		FILE *trace;

		igt_require(!sys_write(TRACING "events/limn/limn_job_run/enable", "1"));
		sys_write(TRACING "trace", "\n");
		for (int round = 0; round < 8; round++) {
			limn_list_init(&l, c.ctx);
			for (int i = 0; i < 16; i++) {
				struct limn_job job = limn_long(&c, 0, i);

				limn_list_add(&l, &job);
			}
			igt_assert_eq(gpu_fence_end(c.fd, limn_list_fence(c.fd, &l), 0), 0);
		}
		sys_write(TRACING "events/limn/limn_job_run/enable", "0");
		trace = fopen(TRACING "trace", "r");
		igt_assert(trace);
		while (fgets(line, sizeof(line), trace)) {
			/* "  task-pid [cpu] d.h1. time: limn_job_run: ..." */
			if (sscanf(line, " %*s [%*d] %15s", flags) != 1 || !strstr(line, "limn_job_run:"))
				continue;
			started++;
			in_irq += !!strpbrk(flags, "hHzZ");
		}
		fclose(trace);
		igt_info("%d jobs, %d of them started by an interrupt\n", started, in_irq);
		igt_assert_eq(started, 8 * 16);
		igt_assert(in_irq > 0);
		limn_client_free(&c);
	}

	igt_describe("Traces of fences say whose they are");
	igt_subtest("fence-names") {
		struct gpu_client c = limn_client_new();
		char line[256];
		FILE *trace;
		int named = 0;

		igt_require(!sys_write(TRACING "events/dma_fence/dma_fence_signaled/enable", "1"));
		sys_write(TRACING "trace", "\n");
		igt_assert_eq(gpu_fence_end(c.fd, queue_good(&c, c.ctx, 0, NULL), 0), 0);
		sys_write(TRACING "events/dma_fence/dma_fence_signaled/enable", "0");
		trace = fopen(TRACING "trace", "r");
		igt_assert(trace);
		while (fgets(line, sizeof(line), trace))
			named += !!strstr(line, limn_is_utgard(&c) ? "driver=limn timeline=gp " : "driver=limn timeline=");
		fclose(trace);
		igt_assert_eq(named, 1);
		limn_client_free(&c);
	}

	igt_describe("What ended jobs held goes without anybody asking, and with the file open");
	igt_subtest("given-back") {
		struct gpu_client c = limn_client_new();

		for (int side = 0; side < 2; side++)
			igt_assert_eq(gpu_fence_end(c.fd, queue_good(&c, c.ctx, side, NULL), 0), 0);
		igt_assert_eq(limn_jobs_held_soon(c.fd, 0), 0);
		limn_client_free(&c);
	}
}

static void trace_jobs(const char *on)
{
	static const char *const events[] = { "submit", "run", "done" };
	char path[128];

	for (int i = 0; i < 3; i++) {
		snprintf(path, sizeof(path), TRACING "events/limn/limn_job_%s/enable", events[i]);
		igt_require(!sys_write(path, on));
	}
}

/* How many events there are: of any job, of *job, or of the one with that number, which *job becomes. */
static int traced(const char *event, uint64_t *job, const uint64_t *number, int *error)
{
	FILE *trace = fopen(TRACING "trace", "r");
	char line[256], *at;
	int found = 0;

	igt_assert(trace);
	while (fgets(line, sizeof(line), trace)) {
		uint64_t id, nr = 0;

		at = strstr(line, " job=");
		if (!strstr(line, event) || !at || sscanf(at, " job=%" SCNu64, &id) != 1)
			continue;
		at = strstr(line, "number=");
		if (number && (!at || sscanf(at, "number=%" SCNu64, &nr) != 1 || nr != *number))
			continue;
		if (!number && job && id != *job)
			continue;
		if (job)
			*job = id;
		at = strstr(line, "error=");
		if (error && at)
			*error = atoi(at + 6);
		found++;
	}
	fclose(trace);
	return found;
}

static void tracepoints(void)
{
	igt_describe("Each job is traced when it is queued, when it runs, and when it is done, even if it never ran");
	igt_subtest("traced") {
		struct gpu_client c = limn_client_new();
		struct limn_job bad = limn_failing(&c, 0), good = limn_good(&c, 1, 1);
		const int errors[] = { limn_fail_error(&c), -ECANCELED };
		uint32_t ctx = limn_ctx_new(c.fd, 0, 0), fence;

		bad.ctx = good.ctx = ctx;
		limn_list_init(&l, ctx);
		limn_list_add(&l, &bad);
		l.job[limn_list_add(&l, &good)].wait_jobs = 1;
		sys_write(TRACING "trace", "\n");
		trace_jobs("1");
		fence = limn_list_fence(c.fd, &l);
		igt_assert_eq(gpu_fence_end(c.fd, fence, 0), -ECANCELED);
		/* Whoever ended it traces it next. */
		for (int tries = 0; tries < 1000 && traced("limn_job_done:", NULL, NULL, NULL) < 2; tries++)
			usleep(1000);
		trace_jobs("0");
		for (uint64_t i = 0; i < 2; i++) {
			uint64_t number = l.args.first_id + i, job;
			int error = 0;

			igt_assert_eq(traced("limn_job_submit:", &job, &number, NULL), 1);
			igt_assert_eq(traced("limn_job_run:", &job, NULL, NULL), i ? 0 : 1);
			igt_assert_eq(traced("limn_job_done:", &job, NULL, &error), 1);
			igt_assert_eq(error, errors[i]);
		}
		limn_ctx_free(c.fd, ctx);
		limn_client_free(&c);
	}
}

#define HANGS		100
#define INNOCENTS	4
#define MAX_WAITS	(1 << 18)

/* How long an innocent's job stood at its queue, by the kernel's own clock. */
struct waited {
	uint64_t queued_ns, ready_ns, started_ns;
	uint32_t queue;
};

/* Of one innocent, in memory that it shares with the test. */
struct innocent {
	uint32_t num;
	struct waited job[MAX_WAITS];
};

static struct drm_limn_job_stat job_stat(int fd, uint32_t ctx, uint64_t id)
{
	struct drm_limn_job_stat stat = { 0 };
	struct drm_limn_job_stats req = { .ctx = ctx, .first = id, .stats = DRM_LIMN_ARRAY(&stat, 1) };

	igt_assert_eq(gpu_try(fd, DRM_IOCTL_LIMN_JOB_STATS, &req), 0);
	igt_assert_eq_u32(req.stats.count, 1);
	igt_assert_eq_u64(stat.id, id);
	return stat;
}

/*
 * The two jobs of a frame that is over; the second could not start before the first
 * had ended, unless one queue does both: then it may be on the doorstep by then.
 * Both were in their queues for sure when SUBMIT was back: a process that has to
 * wait for the CPU in the middle of it comes late by itself.
 */
static void note_frame(struct innocent *me, const struct gpu_client *c, uint64_t ready)
{

	for (unsigned int i = 0; i < 2; i++) {
		struct drm_limn_job_stat stat = job_stat(c->fd, c->ctx, l.args.first_id + i);

		igt_assert(me->num < MAX_WAITS);
		me->job[me->num++] = (struct waited){ stat.queued_ns, ready, stat.started_ns, stat.queue };
		ready = stat.ended_ns > ready ? stat.ended_ns : ready;
	}
}

/* Frames, each checked, until told to stop. Exit status by what went wrong. */
static void innocent(int number, int stop_fd, struct innocent *me)
{
	struct gpu_client c = limn_client_new();
	uint64_t slowest = 0, frames = 0;
	char byte;

	gpu_be_patient(100);
	for (uint32_t i = 1; read(stop_fd, &byte, 1) < 0 && errno == EAGAIN; i++) {
		struct timespec start = { 0 };
		uint64_t ns, queued;
		uint32_t fence;

		igt_nsec_elapsed(&start);
		limn_list_frame(&l, &c, number << 24 | i);
		fence = limn_list_fence(c.fd, &l);
		queued = gpu_time(0);
		igt_assert_eq(gpu_fence_end(c.fd, fence, 0), 0);
		ns = igt_nsec_elapsed(&start);
		slowest = ns > slowest ? ns : slowest;
		igt_assert_eq_u32(c.target.map[0], number << 24 | i);
		note_frame(me, &c, queued);
		frames++;
	}
	limn_check_picture(&c, c.target.map[0]);
	igt_assert_eq_u64(limn_query(c.fd, c.ctx).guilty, 0);
	igt_info("innocent %d: %llu frames, slowest %llu ms\n", number, (unsigned long long)frames,
		 (unsigned long long)slowest / 1000000);
	limn_client_free(&c);
}

static bool waited_for(const struct waited *w, const struct drm_limn_job_stat *hang)
{
	return hang->queue == w->queue && hang->ended_ns > w->ready_ns && hang->ended_ns <= w->started_ns;
}

static void print_wait(const struct waited *w, const struct drm_limn_job_stat *hang)
{
	igt_info("queued %lld us before it was ready, started %lld us after; on its queue, after it was ready:\n",
		 (long long)(w->ready_ns - w->queued_ns) / 1000, (long long)(w->started_ns - w->ready_ns) / 1000);
	for (int k = 0; k < HANGS; k++) {
		if (waited_for(w, &hang[k]))
			igt_info("hang %d queued at %lld us, started at %lld, ended at %lld\n", k,
				 (long long)(hang[k].queued_ns - w->ready_ns) / 1000,
				 (long long)(hang[k].started_ns - w->ready_ns) / 1000,
				 (long long)(hang[k].ended_ns - w->ready_ns) / 1000);
	}
}

/*
 * Late by more than the time-out and one job would be a job that had to wait for a
 * second hang. Counted, not timed: how long a hang takes to be found and mended on a
 * machine that is busy with other things says nothing of the driver.
 */
static void check_waits(const struct innocent *who, const struct drm_limn_job_stat *hang)
{
	unsigned int behind[2] = { 0 };

	for (uint32_t i = 0; i < who->num; i++) {
		const struct waited *w = &who->job[i];
		unsigned int n = 0;

		for (int k = 0; k < HANGS; k++)
			n += waited_for(w, &hang[k]);
		if (n > 1)
			print_wait(w, hang);
		igt_assert_f(n <= 1, "job %u waited for %u hangs\n", i, n);
		behind[n]++;
	}
	igt_info("%u jobs waited for a hang, %u for none\n", behind[1], behind[0]);
	igt_assert(who->num);
}

/* One way after the other to fail: those that this GPU has. */
static struct limn_job bad_job(struct gpu_client *c, unsigned int i)
{
	switch (i % 8) {
	case 0:
	case 1:
		return limn_endless(c, i & 1);
	case 2:
		return limn_endless_shader(c);
	case 3:
	case 4:
		if (limn_is_utgard(c))
			return limn_invalid(c, i & 1);
		return limn_endless(c, i & 1);
	default:
		return limn_failing(c, i & 1);
	}
}

static void hangs(void)
{
	igt_describe("A hundred hangs and faults beside four clients: each ends, nobody else's job waits for a second one, nothing grows");
	igt_subtest("hundred-hangs") {
		static struct drm_limn_job_stat hang[HANGS];
		struct gpu_client c = limn_client_new();
		struct innocent *innocents = mmap(NULL, INNOCENTS * sizeof(*innocents), PROT_READ | PROT_WRITE,
						  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
		uint64_t resets = limn_param(c.fd, DRM_LIMN_PARAM_RESETS);
		long slab = 0;
		int stop[2];

		igt_assert(innocents != MAP_FAILED);
		igt_assert_eq(pipe2(stop, O_NONBLOCK), 0);
		gpu_be_patient(100);
		igt_fork(child, INNOCENTS) {
			close(stop[1]);
			innocent(child + 1, stop[0], &innocents[child]);
		}
		close(stop[0]);
		for (int i = 0; i < HANGS; i++) {
			struct limn_job job = bad_job(&c, i);
			uint32_t ctx = limn_ctx_new(c.fd, 0, 20);
			int ret;

			if (i == 20)
				slab = mem_kib("SUnreclaim");
			limn_list_init(&l, ctx);
			limn_list_add(&l, &job);
			ret = gpu_fence_end(c.fd, limn_list_fence(c.fd, &l), 0);
			igt_assert_f(ret == -ETIMEDOUT || ret == -EFAULT || ret == -EIO, "%s\n", strerror(-ret));
			igt_assert_eq_u32(limn_query(c.fd, ctx).reset, DRM_LIMN_RESET_GUILTY);
			hang[i] = job_stat(c.fd, ctx, l.args.first_id);
			igt_assert_eq(hang[i].error, ret);
			limn_ctx_free(c.fd, ctx);
		}
		slab = mem_kib("SUnreclaim") - slab;
		close(stop[1]);
		igt_waitchildren();
		for (int i = 0; i < INNOCENTS; i++)
			check_waits(&innocents[i], hang);
		igt_info("%d hangs, %ld KiB of slab more after the last 80\n", HANGS, slab);
		igt_assert_eq_u64(limn_param(c.fd, DRM_LIMN_PARAM_RESETS), resets + HANGS);
		/*
		 * What the innocents have in flight comes and goes; a leak of a page a hang would
		 * show. A kernel that looks for leaks itself keeps more than this for its own use.
		 */
		igt_assert(slab < 80 * 4 || !access("/sys/kernel/debug/kmemleak", F_OK));
		gpu_be_patient(0);
		limn_check_works(&c);
		limn_client_free(&c);
		munmap(innocents, INNOCENTS * sizeof(*innocents));
	}

	igt_describe("Low priority starves only as long as there is more important work");
	igt_subtest("low-in-the-end") {
		struct gpu_client c = limn_client_new();
		uint32_t low = limn_ctx_new(c.fd, DRM_LIMN_PRIORITY_LOW, 0);
		uint32_t high = limn_ctx_new(c.fd, DRM_LIMN_PRIORITY_HIGH, 0), fence = 0;
		uint32_t waiting = queue_good(&c, low, 0, NULL);

		for (int i = 0; i < 200; i++) {
			if (fence)
				syncobj_destroy(c.fd, fence);
			fence = queue_good(&c, high, 0, NULL);
		}
		igt_assert_eq(gpu_fence_end(c.fd, fence, 0), 0);
		igt_assert_eq(gpu_fence_end(c.fd, waiting, 0), 0);
		limn_client_free(&c);
	}

	igt_describe("Each of many contexts has its own time: a short one's hang is over before a long one's");
	igt_subtest("timeouts-in-line") {
		struct gpu_client c = limn_client_new();
		uint32_t fences[6];

		for (int i = 0; i < 6; i++) {
			struct limn_job job = limn_endless(&c, 1);
			uint32_t ctx = limn_ctx_new(c.fd, 0, i & 1 ? 10 : gpu_timeout_ms());

			limn_list_init(&l, ctx);
			l.args.flags = DRM_LIMN_SUBMIT_NO_IMPLICIT;
			limn_list_add(&l, &job);
			fences[i] = limn_list_fence(c.fd, &l);
			limn_ctx_free(c.fd, ctx);
		}
		gpu_be_patient(8);
		for (int i = 0; i < 6; i++)
			igt_assert_eq(gpu_fence_end(c.fd, fences[i], 0), -ETIMEDOUT);
		gpu_be_patient(0);
		limn_check_works(&c);
		limn_client_free(&c);
	}
}

igt_main
{
	igt_fixture {
		int fd = limn_open();

		limn_require(fd, DRM_LIMN_FEATURE_SUBMIT | DRM_LIMN_FEATURE_CTX);
		close(fd);
	}

	igt_subtest_group
		order();
	igt_subtest_group
		tracepoints();
	igt_subtest_group
		hangs();
}
