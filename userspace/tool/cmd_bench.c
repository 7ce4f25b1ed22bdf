// SPDX-License-Identifier: MIT
/*
 * Speed of a driver, from its client's side: frames a second with 1 and N
 * clients, and what a submit costs the CPU. On the in-process model: vertices
 * and fragments a second.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "model/model.h"
#include "tool/cmd.h"
#include "tool/job.h"
#include "tool/target.h"
#include "tool/vivante/vjob.h"

#define WAIT_NS 30000000000ll

struct options {
	struct target target;
	const char *job;
	uint32_t clients;
	uint64_t frames;	/* 0: as many as fit into seconds */
	double seconds;
	bool pipes[2];		/* by enum limn_pipe: which jobs of the frame */
	bool whole;		/* both in one call */
};

/* What one client did; goes through a pipe. */
struct result {
	bool ok;
	uint64_t frames;
	double wall;		/* seconds */
	double submit, submit_p99;	/* seconds: of the submit calls, median */
	double wake, wake_p99;	/* seconds from the end of a job to that of the wait for it */
	uint64_t vertices, fragments;	/* of the in-process model */
	char driver[32], desc[128];
	char error[256];
};

static const char usage[] =
	"usage: limn bench JOB.limn [--clients N] [--seconds S | --frames N] [--pipe gp|pp]\n"
	"                  [--whole] [--device PATH | --model NAME]\n"
	"Draws the job over and over in N processes; prints one line of JSON. --pipe: only\n"
	"that job of each frame. --whole: each frame in one call, in one ioctl where the driver\n"
	"has it; and how long it takes to wake up from the wait for it. Each client first draws\n"
	"one whole frame that does not count. A job for Vivante is one submit a frame.\n"
	"       limn bench --tiling: the tiling converters against memcpy of the same bytes.\n";

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec * 1e-9;
}

/*
 * What a submit costs its caller, which on one CPU is the CPU time of the call:
 * a User Mode Linux counts CPU time in whole ticks, so that clock is of no use.
 * The median, as some calls are interrupted by the end of other jobs.
 */
struct samples {
	float *list;
	uint32_t count, room;
};

static void add_sample(struct samples *s, double v)
{
	uint32_t room = s->room ? 2 * s->room : 1024;
	float *list;

	if (s->count == s->room) {
		list = realloc(s->list, room * sizeof(*list));
		if (!list)
			return;
		s->list = list;
		s->room = room;
	}
	s->list[s->count++] = v;
}

static int by_value(const void *a, const void *b)
{
	float x = *(const float *)a, y = *(const float *)b;

	return (x > y) - (x < y);
}

/* What reading the clock costs; that is a system call in a User Mode Linux. */
static double clock_cost(void)
{
	float list[101];
	double start;

	for (int i = 0; i < 101; i++) {
		start = seconds();
		list[i] = seconds() - start;
	}
	qsort(list, 101, sizeof(list[0]), by_value);
	return list[50];
}

/* Median and 99th percentile; the samples are gone. */
static void quantiles(struct samples *s, double *median, double *p99)
{
	*median = *p99 = 0;
	if (s->count) {
		qsort(s->list, s->count, sizeof(*s->list), by_value);
		*median = s->list[s->count / 2];
		*p99 = s->list[s->count - 1 - s->count / 100];
	}
	free(s->list);
}

/* Waits for the pixels, and then notes how long after their fence it woke up. */
static int time_wake(struct utgard_frame *f, struct samples *wakes, struct limn_error *err)
{
	struct limn_fence *fence = utgard_frame_fence(f, LIMN_PIPE_PP);
	double start = seconds();
	uint64_t ended, woken;
	int ret = limn_wait(fence, WAIT_NS, err);

	if (ret)
		return utgard_frame_wait(f, WAIT_NS, err);	/* perhaps the GP knows why */
	/* Over before anybody slept: there was no waking up. */
	if (!limn_fence_times(fence, &ended, &woken) && ended * 1e-9 > start)
		add_sample(wakes, (woken - ended) * 1e-9);
	return 0;
}

static int draw_whole(struct utgard_frame *f, struct samples *submits, struct samples *wakes,
		      struct limn_error *err)
{
	double start = seconds();
	int ret = utgard_frame_submit(f, err);

	add_sample(submits, seconds() - start);
	return ret ? ret : time_wake(f, wakes, err);
}

static int draw_in_parts(const struct options *o, struct utgard_frame *f, struct samples *submits,
			 struct limn_error *err)
{
	double start;
	int ret = 0;

	for (int i = 0; i < 2 && !ret; i++) {
		if (!o->pipes[i])
			continue;
		start = seconds();
		ret = utgard_frame_submit_pipe(f, i, err);
		add_sample(submits, seconds() - start);
	}
	return ret ? ret : utgard_frame_wait(f, WAIT_NS, err);
}

static int draw_loop(const struct options *o, struct limn_device *dev, struct job_frame *frame,
		     struct result *r, struct limn_error *err)
{
	struct utgard_frame *f = job_frame_get(frame);
	const struct model *model = target_model(dev);
	struct model_stats before = { 0 }, after = { 0 };
	struct samples submits = { 0 }, wakes = { 0 };
	double begin;
	int ret;

	/* The first frame pays for page tables and heap growth. */
	ret = utgard_frame_submit(f, err);
	if (!ret)
		ret = utgard_frame_wait(f, WAIT_NS, err);
	if (model)
		model_get_stats(model, &before);
	begin = seconds();
	while (!ret && (o->frames ? r->frames < o->frames : r->wall < o->seconds)) {
		ret = o->whole ? draw_whole(f, &submits, &wakes, err) :
				 draw_in_parts(o, f, &submits, err);
		r->frames++;
		r->wall = seconds() - begin;
	}
	quantiles(&submits, &r->submit, &r->submit_p99);
	r->submit -= clock_cost();
	r->submit_p99 -= clock_cost();
	quantiles(&wakes, &r->wake, &r->wake_p99);
	if (model) {
		model_get_stats(model, &after);
		r->vertices = after.vertices - before.vertices;
		r->fragments = after.fragments - before.fragments;
	}
	return ret;
}

/* One submit a frame, each waited for. */
static int vivante_loop(const struct options *o, struct limn_device *dev, struct vjob_frame *frame, struct result *r,
			struct limn_error *err)
{
	const struct model *model = target_model(dev);
	struct model_stats before = { 0 }, after = { 0 };
	struct samples submits = { 0 };
	int ret = vjob_frame_run(frame, WAIT_NS, err);
	double begin, start;

	if (model)
		model_get_stats(model, &before);
	begin = seconds();
	while (!ret && (o->frames ? r->frames < o->frames : r->wall < o->seconds)) {
		struct limn_fence fence;

		start = seconds();
		ret = vjob_frame_submit(frame, &fence, err);
		add_sample(&submits, seconds() - start);
		if (!ret) {
			ret = limn_wait(&fence, WAIT_NS, err);
			limn_fence_free(&fence);
		}
		r->frames++;
		r->wall = seconds() - begin;
	}
	quantiles(&submits, &r->submit, &r->submit_p99);
	r->submit -= clock_cost();
	r->submit_p99 -= clock_cost();
	if (model) {
		model_get_stats(model, &after);
		r->vertices = after.vertices - before.vertices;
		r->fragments = after.fragments - before.fragments;
	}
	return ret;
}

static int vivante_client(const struct options *o, const struct job *job, struct limn_device *dev, struct result *r,
			  struct limn_error *err)
{
	struct vjob_frame *frame;
	int ret = vjob_frame_create(job->vivante, dev, &frame, err);

	if (ret)
		return ret;
	ret = vivante_loop(o, dev, frame, r, err);
	vjob_frame_free(frame);
	return ret;
}

static void client(const struct options *o, const struct job *job, struct result *r)
{
	struct limn_error err = { "" };
	struct job_frame *frame;
	struct limn_device *dev;
	int ret = target_open(&o->target, &dev, &err);

	if (!ret) {
		snprintf(r->driver, sizeof(r->driver), "%s", limn_get_info(dev)->driver);
		snprintf(r->desc, sizeof(r->desc), "%s", limn_get_info(dev)->desc);
		ret = job->vivante ? vivante_client(o, job, dev, r, &err) : job_frame_create(job, dev, &frame, &err);
		if (!ret && !job->vivante) {
			ret = draw_loop(o, dev, frame, r, &err);
			job_frame_free(frame);
		}
		limn_close(dev);
	}
	r->ok = !ret;
	snprintf(r->error, sizeof(r->error), "%s", err.text);
}

/* One process a client: a driver sees them as it sees programs. */
static int run_clients(const struct options *o, const struct job *job, struct result *results)
{
	int pipes[o->clients][2];
	uint32_t started = 0, failed = 0;

	for (; started < o->clients; started++) {
		struct result r = { 0 };
		pid_t pid;

		if (pipe(pipes[started]))
			break;
		pid = fork();
		if (!pid) {
			client(o, job, &r);
			_exit(write(pipes[started][1], &r, sizeof(r)) != sizeof(r));
		}
		close(pipes[started][1]);
		if (pid < 0) {
			close(pipes[started][0]);
			break;
		}
	}
	for (uint32_t i = 0; i < started; i++) {
		if (read(pipes[i][0], &results[i], sizeof(results[i])) != sizeof(results[i]))
			snprintf(results[i].error, sizeof(results[i].error), "a client died");
		close(pipes[i][0]);
		failed += !results[i].ok;
	}
	while (wait(NULL) > 0)
		;
	if (started < o->clients) {
		snprintf(results[started].error, sizeof(results[started].error), "%s",
			 strerror(errno));
		failed++;
	}
	return failed ? -1 : 0;
}

static void print(const struct options *o, bool vivante, const struct result *results)
{
	double wall = 0, submit = 0, submit_p99 = 0, wake = 0, wake_p99 = 0;
	uint64_t frames = 0, vertices = 0, fragments = 0, submits;

	for (uint32_t i = 0; i < o->clients; i++) {
		wall = results[i].wall > wall ? results[i].wall : wall;
		submit += results[i].submit / o->clients;
		submit_p99 += results[i].submit_p99 / o->clients;
		wake += results[i].wake / o->clients;
		wake_p99 += results[i].wake_p99 / o->clients;
		frames += results[i].frames;
		vertices += results[i].vertices;
		fragments += results[i].fragments;
	}
	submits = o->whole || vivante ? frames : frames * (o->pipes[0] + o->pipes[1]);
	printf("{\"driver\": \"%s\", \"desc\": \"%s\", \"job\": \"%s\", \"clients\": %u, "
	       "\"frames\": %llu, \"seconds\": %.6f, \"frames_per_s\": %.3f, "
	       "\"submits_per_s\": %.3f, \"us_per_submit\": %.3f, \"us_per_submit_p99\": %.3f",
	       results[0].driver, results[0].desc, o->job, o->clients,
	       (unsigned long long)frames, wall, frames / wall, submits / wall,
	       submit * 1e6, submit_p99 * 1e6);
	if (o->whole)
		printf(", \"us_to_wake\": %.3f, \"us_to_wake_p99\": %.3f", wake * 1e6,
		       wake_p99 * 1e6);
	if (vertices || fragments)
		printf(", \"vertices_per_s\": %.0f, \"fragments_per_s\": %.0f", vertices / wall,
		       fragments / wall);
	printf("}\n");
}

/* --- Tilings ------------------------------------------------------------------- */

#define TILED_WIDTH	1024u
#define TILED_HEIGHT	1024u

/* Bytes a second of the fastest of several runs, which is the one that nothing disturbed. */
static double speed(void (*run)(void *ctx), void *ctx, size_t bytes)
{
	double best = 0;

	for (int i = 0; i < 20; i++) {
		double start = seconds(), took;

		run(ctx);
		took = seconds() - start;
		if (took > 0 && bytes / took > best)
			best = bytes / took;
	}
	return best;
}

struct tiling_bench {
	struct viv_tiling t;
	uint8_t *surface, *rows;
};

static void run_copy(void *ctx)
{
	struct tiling_bench *b = ctx;

	memcpy(b->surface, b->rows, (size_t)b->t.stride * TILED_HEIGHT);
	__asm__ volatile("" ::: "memory");
}

static void run_store(void *ctx)
{
	struct tiling_bench *b = ctx;

	viv_tiling_store(&b->t, b->surface, b->rows, b->t.stride, 0, 0, TILED_WIDTH, TILED_HEIGHT);
}

static void run_load(void *ctx)
{
	struct tiling_bench *b = ctx;

	viv_tiling_load(&b->t, b->surface, b->rows, b->t.stride, 0, 0, TILED_WIDTH, TILED_HEIGHT);
}

static int bench_tiling(void)
{
	static const struct {
		const char *name;
		uint32_t bits;
	} layouts[] = {
		{ "tiled", VIV_TILE }, { "supertiled", VIV_TILE | VIV_SUPER },
		{ "multi-supertiled", VIV_TILE | VIV_SUPER | VIV_MULTI },
	};
	struct tiling_bench b = { .t = { .mode = VIV_SUPERTILE_MODE_HZ, .height = TILED_HEIGHT } };
	size_t most = (size_t)TILED_WIDTH * TILED_HEIGHT * 4;

	b.surface = aligned_alloc(64, most);
	b.rows = aligned_alloc(64, most);
	if (!b.surface || !b.rows) {
		fprintf(stderr, "limn bench: out of memory\n");
		free(b.surface);
		free(b.rows);
		return 1;
	}
	memset(b.surface, 1, most);
	memset(b.rows, 2, most);
	for (b.t.cpp = 1; b.t.cpp <= 4; b.t.cpp *= 2) {
		size_t bytes = most / 4 * b.t.cpp;

		b.t.stride = TILED_WIDTH * b.t.cpp;
		for (unsigned int i = 0; i < sizeof(layouts) / sizeof(layouts[0]); i++) {
			b.t.bits = layouts[i].bits;
			printf("{\"layout\": \"%s\", \"bytes_per_pixel\": %u, \"store_mb_per_s\": %.0f, "
			       "\"load_mb_per_s\": %.0f, \"memcpy_mb_per_s\": %.0f}\n", layouts[i].name, b.t.cpp,
			       speed(run_store, &b, bytes) / 1e6, speed(run_load, &b, bytes) / 1e6,
			       speed(run_copy, &b, bytes) / 1e6);
		}
	}
	free(b.surface);
	free(b.rows);
	return 0;
}

static int parse(struct options *o, int argc, char **argv)
{
	char *end = "";

	for (int i = 1; i < argc; i++) {
		int used = target_option(&o->target, argc - i, argv + i);

		if (used > 0)
			i += used - 1;
		else if (!strcmp(argv[i], "--clients") && i + 1 < argc)
			o->clients = strtoul(argv[++i], &end, 0);
		else if (!strcmp(argv[i], "--seconds") && i + 1 < argc)
			o->seconds = strtod(argv[++i], &end);
		else if (!strcmp(argv[i], "--frames") && i + 1 < argc)
			o->frames = strtoull(argv[++i], &end, 0);
		else if (!strcmp(argv[i], "--pipe") && i + 1 < argc && !strcmp(argv[i + 1], "gp"))
			o->pipes[LIMN_PIPE_PP] = !++i;
		else if (!strcmp(argv[i], "--pipe") && i + 1 < argc && !strcmp(argv[i + 1], "pp"))
			o->pipes[LIMN_PIPE_GP] = !++i;
		else if (!strcmp(argv[i], "--whole"))
			o->whole = true;
		else if (argv[i][0] != '-' && !o->job)
			o->job = argv[i];
		else
			return 2;
		if (*end || o->clients < 1 || o->clients > 64 || !(o->seconds > 0))
			return 2;
	}
	if (o->whole && !(o->pipes[0] && o->pipes[1]))
		return 2;
	return o->job && (o->pipes[0] || o->pipes[1]) ? 0 : 2;
}

int cmd_bench(int argc, char **argv)
{
	struct options o = { .clients = 1, .seconds = 1, .pipes = { true, true } };
	struct result results[64] = { 0 };
	struct limn_error err;
	struct job *job;
	int ret;

	if (argc > 1 && !strcmp(argv[1], "--help")) {
		fputs(usage, stdout);
		return 0;
	}
	if (argc == 2 && !strcmp(argv[1], "--tiling"))
		return bench_tiling();
	ret = parse(&o, argc, argv);
	if (ret) {
		fputs(usage, stderr);
		return ret;
	}
	if (job_read(o.job, &job, &err)) {
		fprintf(stderr, "%s\n", err.text);
		return 1;
	}
	if (job->vivante) {
		o.target.family = LIMN_VIVANTE;
		o.target.fallback = job->vivante->is_2d ? "gc320" : "gc2000";
	}
	ret = run_clients(&o, job, results);
	for (uint32_t i = 0; ret && i < o.clients; i++)
		if (!results[i].ok && results[i].error[0])
			fprintf(stderr, "limn bench: client %u: %s\n", i, results[i].error);
	if (!ret)
		print(&o, job->vivante, results);
	job_free(job);
	return ret ? 1 : 0;
}
