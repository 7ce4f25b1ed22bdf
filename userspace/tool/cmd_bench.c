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

#include "lib/utgard/utgard.h"
#include "lib/vivante/tiling.h"
#include "model/model.h"
#include "tool/cmd.h"
#include "tool/job/job.h"
#include "tool/json.h"
#include "tool/target.h"

#define WAIT_NS 30000000000ll

struct options {
	struct target target;
	const char *job;
	uint32_t clients;
	uint64_t frames;	/* 0: as many as fit into seconds */
	double seconds;
	bool pipes[2];		/* by enum limn_pipe: which jobs of the frame */
	bool whole;		/* both in one call */
	bool paced;		/* a run for each line of standard input */
	bool untimed;		/* nothing is timed but the whole */
	double clock_cost;	/* seconds, of reading the clock */
};

/* What one client did; goes through a pipe. */
struct result {
	bool ok;
	uint64_t frames;
	double wall;		/* seconds */
	double submit, submit_p99;	/* seconds: of the submit calls, median; not with --paced */
	double wake, wake_p99;	/* seconds from the end of a job to that of the wait for it */
	struct model_stats work;	/* of the in-process model, vertices to texels */
	uint32_t samples[2];	/* with --paced: that many floats follow: submits, wakes */
	char driver[32], desc[128];
	char error[256];
};

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec * 1e-9;
}

/*
 * How long a submit takes its caller. That is not what it costs the CPU: an interrupt
 * or a worker may fall into it, or be put off until after it (scripts/bench counts
 * those). The median, as some calls are interrupted by the end of other jobs.
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

/*
 * What reading the clock costs, at the least, or a call could seem to end before it began; that is a system call in a User
 * Mode Linux.
 */
static double clock_cost(void)
{
	double least = 1;

	for (int i = 0; i < 101; i++) {
		double start = seconds(), cost = seconds() - start;

		least = cost < least ? cost : least;
	}
	return least;
}

/* Median and 99th percentile, less what the clock costs. */
static void quantiles(struct samples *s, double cost, bool keep_order, double *median, double *p99)
{
	*median = *p99 = 0;
	for (uint32_t i = 0; i < s->count; i++)
		s->list[i] -= cost;
	if (!s->count || keep_order)
		return;
	qsort(s->list, s->count, sizeof(*s->list), by_value);
	*median = s->list[s->count / 2];
	*p99 = s->list[s->count - 1 - s->count / 100];
}

/* Waits for the pixels, and then notes how long after their fence it woke up. */
static int time_wake(struct utgard_frame *f, struct samples *wakes, struct limn_error *err)
{
	struct limn_fence *fence = limn_utgard_frame_fence(f, LIMN_PIPE_PP);
	double start = seconds();
	uint64_t ended, woken;
	int ret = limn_wait(fence, WAIT_NS, err);

	if (ret)
		return limn_utgard_frame_wait(f, WAIT_NS, err);	/* perhaps the GP knows why */
	/* Over before anybody slept: there was no waking up. */
	if (!limn_fence_times(fence, &ended, &woken) && ended * 1e-9 > start)
		add_sample(wakes, (woken - ended) * 1e-9);
	return 0;
}

struct drawing {
	struct limn_device *dev;
	struct job_frame *frame;
};

/* The jobs of a frame, in one call or one by one, each call timed; and the wait for them. */
static int draw(const struct options *o, struct drawing *d, struct samples *submits, struct samples *wakes,
		struct limn_error *err)
{
	struct utgard_frame *f = job_frame_utgard(d->frame);
	bool whole = !f || o->whole;
	int ret = 0;

	for (int i = 0; i < (whole ? 1 : 2) && !ret; i++) {
		double start = o->untimed ? 0 : seconds();

		if (!whole && !o->pipes[i])
			continue;
		ret = whole ? job_frame_submit(d->frame, err) : limn_utgard_frame_submit_pipe(f, i, err);
		if (!o->untimed)
			add_sample(submits, seconds() - start);
	}
	if (ret)
		return ret;
	if (f && whole && !o->untimed)
		return time_wake(f, wakes, err);
	/* Who waits for the pixels need not wait for the geometry, unless it is to blame. */
	if (f && o->untimed && o->pipes[LIMN_PIPE_PP] && !limn_wait(limn_utgard_frame_fence(f, LIMN_PIPE_PP), -1, err))
		return 0;
	return job_frame_wait(d->frame, o->untimed ? -1 : WAIT_NS, err);
}

static int draw_loop(const struct options *o, struct drawing *d, struct result *r, struct samples *submits,
		     struct samples *wakes, struct limn_error *err)
{
	const struct model *model = target_model(d->dev);
	struct model_stats before = { 0 }, after = { 0 };
	double begin;
	int ret = 0;

	if (model)
		model_get_stats(model, &before);
	begin = seconds();
	while (!ret && (o->frames ? r->frames < o->frames : r->wall < o->seconds)) {
		ret = draw(o, d, submits, wakes, err);
		r->frames++;
		if (!o->untimed)
			r->wall = seconds() - begin;
	}
	r->wall = seconds() - begin;
	quantiles(submits, o->clock_cost, o->paced, &r->submit, &r->submit_p99);
	quantiles(wakes, 0, o->paced, &r->wake, &r->wake_p99);
	if (model) {
		model_get_stats(model, &after);
		r->work.vertices = after.vertices - before.vertices;
		r->work.triangles = after.triangles - before.triangles;
		r->work.fragments = after.fragments - before.fragments;
		r->work.texels = after.texels - before.texels;
	}
	return ret;
}

/* The first frame pays for page tables and heap growth. */
static int prepare(const struct job *job, struct drawing *d, struct limn_error *err)
{
	int ret = job_frame_create(job, job->scenes[0], d->dev, &d->frame, err);

	if (!ret)
		ret = job_frame_submit(d->frame, err);
	return ret ? ret : job_frame_wait(d->frame, WAIT_NS, err);
}

/* All bytes through a pipe, one way or the other. */
static bool transfer(int fd, void *data, size_t size, bool out)
{
	for (char *p = data; size;) {
		ssize_t n = out ? write(fd, p, size) : read(fd, p, size);

		if (n <= 0)
			return false;
		p += n;
		size -= n;
	}
	return true;
}

static bool write_all(int fd, void *data, size_t size)
{
	return transfer(fd, data, size, true);
}

static bool read_all(int fd, void *data, size_t size)
{
	return transfer(fd, data, size, false);
}

/* A run: false when nobody wants to know how it was, or it failed. */
static bool client_run(const struct options *o, struct drawing *d, int failed, int out, struct limn_error *err)
{
	struct samples submits = { 0 }, wakes = { 0 };
	struct result r = { .ok = false };
	bool told;

	if (!failed)
		failed = draw_loop(o, d, &r, &submits, &wakes, err);
	r.ok = !failed;
	if (d->dev) {
		snprintf(r.driver, sizeof(r.driver), "%s", limn_get_info(d->dev)->driver);
		snprintf(r.desc, sizeof(r.desc), "%s", limn_get_info(d->dev)->desc);
	}
	snprintf(r.error, sizeof(r.error), "%s", err->text);
	if (o->paced) {
		r.samples[0] = submits.count;
		r.samples[1] = wakes.count;
	}
	told = write_all(out, &r, sizeof(r)) &&
	       write_all(out, submits.list, r.samples[0] * sizeof(*submits.list)) &&
	       write_all(out, wakes.list, r.samples[1] * sizeof(*wakes.list));
	free(submits.list);
	free(wakes.list);
	return told && !failed;
}

/* Gets ready, says so with a byte, and then a byte makes it draw. */
static void client(const struct options *o, const struct job *job, int in, int out)
{
	struct limn_error err = { "" };
	struct drawing d = { NULL, NULL };
	int failed = target_open(&o->target, &d.dev, &err);
	char byte = 0;

	if (!failed)
		failed = prepare(job, &d, &err);
	if (!write_all(out, &byte, 1))
		return;
	while (read_all(in, &byte, 1) && client_run(o, &d, failed, out, &err))
		;
	job_frame_free(d.frame);
	if (d.dev)
		limn_close(d.dev);
}

/* The parent's ends of a client's pipes. */
struct process {
	int in, out;
};

/* One process a client: a driver sees them as it sees programs. */
static bool start_client(const struct options *o, const struct job *job, struct process *p)
{
	int to[2], from[2];
	pid_t pid;

	if (pipe(to))
		return false;
	if (pipe(from)) {
		close(to[0]);
		close(to[1]);
		return false;
	}
	fflush(stdout);
	pid = fork();
	if (!pid) {
		close(to[1]);
		close(from[0]);
		client(o, job, to[0], from[1]);
		_exit(0);
	}
	close(to[0]);
	close(from[1]);
	p->in = from[0];
	p->out = to[1];
	if (pid > 0)
		return true;
	close(p->in);
	close(p->out);
	return false;
}

/* All samples of a kind, of all clients; -1 when one of them is gone. */
static int read_samples(int fd, uint32_t count, struct samples *all)
{
	float v;

	for (uint32_t i = 0; i < count; i++) {
		if (!read_all(fd, &v, sizeof(v)))
			return -1;
		add_sample(all, v);
	}
	return 0;
}

/* A run of all clients, at once. */
static int run_clients(const struct options *o, struct process *processes, struct result *results,
		       struct samples *samples)
{
	char byte = 0;
	int failed = 0;

	for (uint32_t i = 0; i < o->clients; i++)
		write_all(processes[i].out, &byte, 1);
	for (uint32_t i = 0; i < o->clients; i++) {
		struct result *r = &results[i];

		memset(r, 0, sizeof(*r));
		if (!read_all(processes[i].in, r, sizeof(*r)) ||
		    read_samples(processes[i].in, r->samples[0], &samples[0]) ||
		    read_samples(processes[i].in, r->samples[1], &samples[1])) {
			r->ok = false;
			snprintf(r->error, sizeof(r->error), "a client died");
		}
		failed |= !r->ok;
	}
	return failed ? -1 : 0;
}

static void print_samples(struct json *j, const char *name, const struct samples *s)
{
	json_array(j, name);
	for (uint32_t i = 0; i < s->count; i++)
		report(j, "", REAL(NULL, (double)s->list[i] * 1e6));
	json_end_array(j);
}

static void print(const struct options *o, bool vivante, const struct result *results, const struct samples *samples)
{
	struct json j = { .to = stdout, .line = true };
	struct result all = { .ok = true };
	uint64_t submits;

	for (uint32_t i = 0; i < o->clients; i++) {
		const struct result *r = &results[i];

		all.wall = r->wall > all.wall ? r->wall : all.wall;
		all.submit += r->submit / o->clients;
		all.submit_p99 += r->submit_p99 / o->clients;
		all.wake += r->wake / o->clients;
		all.wake_p99 += r->wake_p99 / o->clients;
		all.frames += r->frames;
		all.work.vertices += r->work.vertices;
		all.work.triangles += r->work.triangles;
		all.work.fragments += r->work.fragments;
		all.work.texels += r->work.texels;
	}
	submits = o->whole || vivante ? all.frames : all.frames * (o->pipes[0] + o->pipes[1]);
	json_object(&j, NULL);
	report(&j, "", STRING("driver", results[0].driver), STRING("desc", results[0].desc), STRING("job", o->job),
	       INT("clients", o->clients), INT("frames", all.frames), REAL("seconds", all.wall),
	       REAL("frames_per_s", all.frames / all.wall), INT("submits", submits), REAL("submits_per_s", submits / all.wall));
	if (!o->paced && !o->untimed)
		report(&j, "", REAL("us_per_submit", all.submit * 1e6), REAL("us_per_submit_p99", all.submit_p99 * 1e6));
	if (o->whole && !o->paced && !o->untimed)
		report(&j, "", REAL("us_to_wake", all.wake * 1e6), REAL("us_to_wake_p99", all.wake_p99 * 1e6));
	if (all.work.vertices || all.work.fragments)
		report(&j, "", REAL("vertices_per_s", all.work.vertices / all.wall), REAL("triangles_per_s", all.work.triangles / all.wall),
		       REAL("fragments_per_s", all.work.fragments / all.wall), REAL("texels_per_s", all.work.texels / all.wall));
	if (o->paced) {
		print_samples(&j, "submit_us", &samples[0]);
		print_samples(&j, "wake_us", &samples[1]);
	}
	json_end_object(&j);
	fflush(stdout);
}

/* The next line of standard input, byte by byte: what follows it is somebody else's. Is it "go"? */
static bool told_to_go(void)
{
	char line[8] = "", c;
	size_t n = 0;

	while (read(0, &c, 1) == 1 && c != '\n')
		if (n < sizeof(line) - 1)
			line[n++] = c;
	return !strcmp(line, "go");
}

static int bench(const struct options *o, const struct job *job)
{
	struct process processes[64];
	struct result results[64];
	uint32_t started = 0;
	int ret = 0;
	char byte;

	while (started < o->clients && start_client(o, job, &processes[started]))
		started++;
	if (started < o->clients) {
		fprintf(stderr, "limn bench: client %u: %s\n", started, strerror(errno));
		ret = -1;
	}
	for (uint32_t i = 0; i < started; i++)
		read_all(processes[i].in, &byte, 1);
	while (!ret && (!o->paced || told_to_go())) {
		struct samples samples[2] = { { 0 }, { 0 } };

		if (o->paced) {
			puts("start");
			fflush(stdout);
		}
		ret = run_clients(o, processes, results, samples);
		for (uint32_t i = 0; ret && i < o->clients; i++)
			if (!results[i].ok && results[i].error[0])
				fprintf(stderr, "limn bench: client %u: %s\n", i, results[i].error);
		if (!ret && o->paced) {
			puts("done");
			fflush(stdout);
			told_to_go();	/* printing comes after whatever is measured meanwhile */
		}
		if (!ret)
			print(o, job->family != JOB_UTGARD, results, samples);
		free(samples[0].list);
		free(samples[1].list);
		if (!o->paced)
			break;
	}
	for (uint32_t i = 0; i < started; i++) {
		close(processes[i].out);
		close(processes[i].in);
	}
	while (wait(NULL) > 0)
		;
	return ret;
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

	limn_viv_tiling_store(&b->t, b->surface, b->rows, b->t.stride, 0, 0, TILED_WIDTH, TILED_HEIGHT);
}

static void run_load(void *ctx)
{
	struct tiling_bench *b = ctx;

	limn_viv_tiling_load(&b->t, b->surface, b->rows, b->t.stride, 0, 0, TILED_WIDTH, TILED_HEIGHT);
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
			struct json j = { .to = stdout, .line = true };

			b.t.bits = layouts[i].bits;
			json_object(&j, NULL);
			report(&j, "", STRING("layout", layouts[i].name), INT("bytes_per_pixel", b.t.cpp),
			       REAL("store_mb_per_s", speed(run_store, &b, bytes) / 1e6),
			       REAL("load_mb_per_s", speed(run_load, &b, bytes) / 1e6),
			       REAL("memcpy_mb_per_s", speed(run_copy, &b, bytes) / 1e6));
			json_end_object(&j);
		}
	}
	free(b.surface);
	free(b.rows);
	return 0;
}

int cmd_bench(int argc, char **argv)
{
	static const char *const pipes[] = { "gp", "pp", NULL };
	struct options o = { .clients = 1, .seconds = 1, .pipes = { true, true } };
	const char *pipe = NULL;
	bool tiling = false;
	const struct option shared[] = TARGET_OPTIONS(&o.target), own[] = {
		{ .name = "--clients", .kind = OPTION_COUNT, .to = &o.clients, .value = "N", .min = 1, .max = 64,
		  .help = "processes that draw at a time" },
		{ .name = "--seconds", .kind = OPTION_NUMBER, .to = &o.seconds, .value = "S", .min = 1e-3, .max = 1e6,
		  .help = "for how long" },
		{ .name = "--frames", .kind = OPTION_WHOLE, .to = &o.frames, .value = "N", .min = 1, .max = 1e9,
		  .help = "or how many frames" },
		{ .name = "--pipe", .kind = OPTION_TEXT, .to = &pipe, .value = "PIPE", .words = pipes,
		  .help = "gp or pp: only that job of each frame" },
		{ .name = "--whole", .kind = OPTION_FLAG, .to = &o.whole,
		  .help = "each frame in one call, in one ioctl where the driver has it; and how long waking up takes" },
		{ .name = "--paced", .kind = OPTION_FLAG, .to = &o.paced,
		  .help = "a run for each line 'go' of standard input, until 'end'; all samples" },
		{ .name = "--untimed", .kind = OPTION_FLAG, .to = &o.untimed,
		  .help = "no calls are timed, as reading the clock may cost more than they do" },
		{ .name = "--tiling", .kind = OPTION_FLAG, .to = &tiling,
		  .help = "the tiling converters against memcpy of the same bytes; no job" },
		{ .name = NULL },
	};
	struct command_line c = {
		.command = "bench", .files = "JOB.limn", .options = own, .more = shared, .paths = &o.job, .max_paths = 1,
		.about = "Draws the job over and over in N processes; prints one line of JSON. Each client first\n"
			 "draws a whole frame that does not count. A job for Vivante is one submit a frame.\n",
		.example = "limn bench cube.limn --clients 4 --seconds 3",
	};
	struct messages messages = { 0 };
	struct limn_device *dev = NULL;
	struct limn_error err;
	struct job *job;
	int ret;

	if (!options_read(&c, argc, argv, &ret))
		return ret;
	if (tiling)
		return bench_tiling();
	o.pipes[LIMN_PIPE_PP] = !pipe || !strcmp(pipe, "pp");
	o.pipes[LIMN_PIPE_GP] = !pipe || !strcmp(pipe, "gp");
	if (!o.job || (o.whole && pipe) || (o.untimed && !o.frames))
		return failed(EXIT_USAGE, !o.job ? "JOB.limn is missing (limn bench --help)" :
				     o.whole && pipe ? "--whole and --pipe exclude each other" : "--untimed needs --frames");
	ret = job_read(o.job, NULL, &job, &messages) ? EXIT_INPUT : EXIT_OK;
	messages_print(&messages, stderr);
	messages_free(&messages);
	if (!ret) {
		o.target.family = job_device_family(job->family);
		o.target.fallback = job_family_model(job->family);
		o.clock_cost = clock_cost();
		/* Whether there is one at all; each client opens its own. */
		if (target_open(&o.target, &dev, &err))
			ret = failed(target_status(&o.target), "%s: %s", o.job, err.text);
		else if (!job_takes(job, dev, &err))
			ret = failed(o.target.model || o.target.device ? EXIT_USAGE : EXIT_DEVICE, "%s: %s", o.job, err.text);
		limn_close(dev);
	}
	if (!ret)
		ret = bench(&o, job) ? EXIT_JOB : EXIT_OK;
	job_free(job);
	return ret;
}
