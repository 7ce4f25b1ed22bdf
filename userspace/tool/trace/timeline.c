// SPDX-License-Identifier: MIT
/* Facts: "Trace Event Format" (Chromium's document); which fields ui.perfetto.dev reads. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tool/json.h"
#include "tool/trace/timeline.h"

#define MAX_TRACKS	64

/* Microseconds, as the format has them. */
static void put_time(struct timeline *t, const char *key, uint64_t ns)
{
	fprintf(t->to, ",\"%s\":%" PRIu64 ".%03u", key, ns / 1000, (unsigned int)(ns % 1000));
}

static uint64_t since(const struct timeline *t, uint64_t time)
{
	return time > t->zero ? time - t->zero : 0;
}

/* Up to its own fields; the caller puts the closing brace. */
static void put_event(struct timeline *t, char phase, const char *name, int pid, int tid, uint64_t time)
{
	fprintf(t->to, "%s{\"ph\":\"%c\",\"name\":", t->events++ ? ",\n" : "", phase);
	json_print_string(t->to, name);
	fprintf(t->to, ",\"pid\":%d,\"tid\":%d", pid, tid);
	if (phase != 'M')
		put_time(t, "ts", since(t, time));
}

static void put_name(struct timeline *t, const char *what, int pid, int tid, const char *name)
{
	put_event(t, 'M', what, pid, tid, 0);
	fputs(",\"args\":{\"name\":", t->to);
	json_print_string(t->to, name);
	fputs("}}", t->to);
}

void timeline_begin(struct timeline *t)
{
	fputs("{\"displayTimeUnit\":\"ns\",\"otherData\":{\"by\":\"limn trace\"},\"traceEvents\":[\n", t->to);
}

void timeline_end(struct timeline *t)
{
	fputs("\n]}\n", t->to);
}

void timeline_process(struct timeline *t, int pid, const char *name, int order)
{
	put_name(t, "process_name", pid, 0, name);
	put_event(t, 'M', "process_sort_index", pid, 0, 0);
	fprintf(t->to, ",\"args\":{\"sort_index\":%d}}", order);
}

void timeline_thread(struct timeline *t, int pid, int tid, const char *name)
{
	put_name(t, "thread_name", pid, tid, name);
}

void timeline_counter(struct timeline *t, int pid, uint64_t time, const char *name, double value)
{
	put_event(t, 'C', name, pid, 0, time);
	fprintf(t->to, ",\"args\":{\"value\":%.6g}}", value);
}

/* --- Jobs ------------------------------------------------------------------------------------ */

struct rings {
	struct {
		const char *name;
		uint64_t last;		/* end of the job before */
		int jobs;		/* under way */
	} ring[MAX_TRACKS];
	unsigned int num;
	int pids[MAX_TRACKS];
	unsigned int num_pids;
};

static unsigned int ring_of(struct timeline *t, struct rings *r, const char *name)
{
	for (unsigned int i = 0; i < r->num; i++)
		if (!strcmp(r->ring[i].name, name))
			return i;
	if (r->num == MAX_TRACKS)
		return 0;
	r->ring[r->num].name = name;
	timeline_thread(t, TIMELINE_RINGS, (int)r->num + 1, name);
	return r->num++;
}

static void name_client(struct timeline *t, struct rings *r, const struct traced_job *j)
{
	for (unsigned int i = 0; i < r->num_pids; i++)
		if (r->pids[i] == j->pid)
			return;
	if (r->num_pids == MAX_TRACKS)
		return;
	r->pids[r->num_pids++] = j->pid;
	timeline_process(t, j->pid, j->command, 10);
}

/* What the job waited for, in the process that submitted it. */
static void put_wait(struct timeline *t, const struct traced_job *j, size_t number, const char *what, uint64_t from, uint64_t to)
{
	char name[80];

	if (!from || to <= from)
		return;
	snprintf(name, sizeof(name), "%s: %s", j->ring, what);
	put_event(t, 'b', name, j->pid, j->pid, from);
	fprintf(t->to, ",\"cat\":\"queue\",\"id\":\"0x%zx\"}", number);
	put_event(t, 'e', name, j->pid, j->pid, to);
	fprintf(t->to, ",\"cat\":\"queue\",\"id\":\"0x%zx\"}", number);
}

static void put_arg(struct timeline *t, const char *key, uint64_t from, uint64_t to)
{
	if (from && to >= from)
		fprintf(t->to, ",\"%s\":%.3f", key, (double)(to - from) / 1000);
}

static void put_run(struct timeline *t, struct rings *r, const struct traced_job *j, size_t number)
{
	unsigned int ring = ring_of(t, r, j->ring);
	uint64_t last = r->ring[ring].last, end = j->ended ? j->ended : t->end;
	char name[60];

	snprintf(name, sizeof(name), "%s%s", j->command, !j->ended ? " (has not ended)" : j->error ? " (failed)" : "");
	put_event(t, 'X', name, TIMELINE_RINGS, (int)ring + 1, j->started);
	put_time(t, "dur", end - j->started);
	fprintf(t->to, ",\"cat\":\"run\",\"args\":{\"job\":%zu,\"pid\":%d", number, j->pid);
	put_arg(t, "queue_us", j->queued, j->taken);
	put_arg(t, "wait_us", j->taken, j->started);
	put_arg(t, "run_us", j->started, end);
	put_arg(t, "gap_us", last, j->started);
	if (j->number)
		fprintf(t->to, ",\"number\":%" PRIu64 ",\"error\":%d", j->number, j->error);
	fputs("}}", t->to);
	/* An arrow from the submit to here. */
	put_event(t, 's', "submit", j->pid, j->pid, j->queued);
	fprintf(t->to, ",\"cat\":\"flow\",\"id\":%zu}", number);
	put_event(t, 'f', "submit", TIMELINE_RINGS, (int)ring + 1, j->started);
	fprintf(t->to, ",\"cat\":\"flow\",\"bp\":\"e\",\"id\":%zu}", number);
	r->ring[ring].last = end;
}

static int by_start(const void *a, const void *b)
{
	const struct traced_job *const *x = a, *const *y = b;

	return (*x)->started < (*y)->started ? -1 : (*x)->started > (*y)->started;
}

/* A step of the number of jobs in a ring's queue. */
struct step {
	uint64_t time;
	const char *ring;
	int by;
};

static int by_time(const void *a, const void *b)
{
	const struct step *x = a, *y = b;

	return x->time < y->time ? -1 : x->time > y->time;
}

static void put_depths(struct timeline *t, struct rings *r, const struct traced *traced)
{
	struct step *steps = calloc(2 * traced->num_jobs + 1, sizeof(*steps));
	size_t num = 0;
	char name[60];

	for (size_t i = 0; steps && i < traced->num_jobs; i++) {
		const struct traced_job *j = &traced->jobs[i];

		steps[num++] = (struct step){ j->queued, j->ring, 1 };
		if (j->ended)
			steps[num++] = (struct step){ j->ended, j->ring, -1 };
	}
	if (steps)
		qsort(steps, num, sizeof(*steps), by_time);
	for (size_t i = 0; i < num; i++) {
		unsigned int ring = ring_of(t, r, steps[i].ring);

		r->ring[ring].jobs += steps[i].by;
		snprintf(name, sizeof(name), "%s: jobs", steps[i].ring);
		timeline_counter(t, TIMELINE_RINGS, steps[i].time, name, r->ring[ring].jobs);
	}
	free(steps);
}

void timeline_jobs(struct timeline *t, const struct traced *traced)
{
	const struct traced_job **order = calloc(traced->num_jobs + 1, sizeof(*order));
	struct rings r = { .num = 0 };
	size_t num = 0;

	timeline_process(t, TIMELINE_RINGS, "GPU: queues of the kernel", 0);
	for (size_t i = 0; order && i < traced->num_jobs; i++) {
		const struct traced_job *j = &traced->jobs[i];

		name_client(t, &r, j);
		put_wait(t, j, i, "queued", j->queued, j->taken ? j->taken : j->ended ? j->ended : t->end);
		put_wait(t, j, i, "waits for the GPU", j->taken, j->started ? j->started : j->ended ? j->ended : t->end);
		if (j->started)
			order[num++] = j;
	}
	if (order)
		qsort(order, num, sizeof(*order), by_start);
	for (size_t i = 0; i < num; i++)
		put_run(t, &r, order[i], (size_t)(order[i] - traced->jobs));
	put_depths(t, &r, traced);
	for (size_t i = 0; i < traced->num_events; i++) {
		put_event(t, 'i', traced->events[i].text, TIMELINE_RINGS, 0, traced->events[i].time);
		fputs(",\"s\":\"p\"}", t->to);
	}
	free(order);
}

/* --- The model's units ------------------------------------------------------------------------- */

struct parts {
	char name[MAX_TRACKS][64];	/* "GPU/PART" */
	int pid[MAX_TRACKS];
	bool busy[MAX_TRACKS];
	unsigned int num;
	char gpu[8][40];
	unsigned int gpus;
};

static int gpu_of(struct timeline *t, struct parts *p, const char *name)
{
	size_t n = strcspn(name, "/");
	char title[60];

	for (unsigned int i = 0; i < p->gpus; i++)
		if (strlen(p->gpu[i]) == n && !strncmp(p->gpu[i], name, n))
			return TIMELINE_MODEL + (int)i;
	if (p->gpus == 8)
		return TIMELINE_MODEL;
	snprintf(p->gpu[p->gpus], sizeof(p->gpu[0]), "%.*s", (int)n, name);
	snprintf(title, sizeof(title), "GPU: units of the model, %s", p->gpu[p->gpus]);
	timeline_process(t, TIMELINE_MODEL + (int)p->gpus, title, 1);
	return TIMELINE_MODEL + (int)p->gpus++;
}

static unsigned int part_of(struct timeline *t, struct parts *p, const char *name)
{
	const char *slash = strchr(name, '/');

	for (unsigned int i = 0; i < p->num; i++)
		if (!strcmp(p->name[i], name))
			return i;
	if (p->num == MAX_TRACKS)
		return 0;
	snprintf(p->name[p->num], sizeof(p->name[0]), "%s", name);
	p->pid[p->num] = gpu_of(t, p, name);
	timeline_thread(t, p->pid[p->num], (int)p->num + 1, slash ? slash + 1 : name);
	return p->num++;
}

static void put_activity(struct timeline *t, struct parts *p, uint64_t time, char what, const char *name, const char *text)
{
	unsigned int part = part_of(t, p, name);
	const char *unit = strchr(name, '/');

	/* An end without a begin is of what began before. */
	if ((what == 'B') == p->busy[part] && what != 'I')
		return;
	if (what != 'I')
		p->busy[part] = what == 'B';
	put_event(t, what == 'I' ? 'i' : what, what == 'I' ? text : unit ? unit + 1 : name, p->pid[part], (int)part + 1, time);
	fputs(what == 'I' ? ",\"s\":\"t\"}" : "}", t->to);
}

static uint64_t counter(void)
{
#if defined(__x86_64__) || defined(__i386__)
	return __builtin_ia32_rdtsc();
#else
	return 0;	/* the testbed's model runs on x86 alone */
#endif
}

/* Of several tries the quickest: a machine that is busy elsewhere may stop anywhere in one. */
void timeline_read_clock(struct timeline_clock *clock)
{
	uint64_t best = UINT64_MAX;
	struct timeline_moment is = { 0, 0 };

	for (int i = 0; i < 8; i++) {
		uint64_t before = counter(), after;
		struct timespec t;

		clock_gettime(CLOCK_MONOTONIC, &t);
		after = counter();
		if (after - before >= best)
			continue;
		best = after - before;
		is = (struct timeline_moment){ before + best / 2, (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec };
	}
	if (clock->num == clock->max) {
		size_t max = clock->max ? 2 * clock->max : 1024;
		struct timeline_moment *more = realloc(clock->moments, max * sizeof(*more));

		if (!more)
			return;
		clock->moments = more;
		clock->max = max;
	}
	clock->moments[clock->num++] = is;
}

/* 0: before the clock was read first, or after it was read last. */
static uint64_t time_of(const struct timeline_clock *c, char kind, unsigned long long value)
{
	size_t from = 0, to = c->num;
	const struct timeline_moment *m;

	if (kind == 'M')
		return value;
	while (to - from > 1) {
		size_t middle = (from + to) / 2;

		*(value < c->moments[middle].counter ? &to : &from) = middle;
	}
	m = c->moments + from;
	if (kind != 'T' || to == c->num || value < m->counter)
		return 0;
	return m->time + (uint64_t)((double)(value - m->counter) / (double)(m[1].counter - m->counter) * (double)(m[1].time - m->time));
}

bool timeline_activity(struct timeline *t, const char *path, const struct timeline_clock *clock)
{
	FILE *f = fopen(path, "re");
	struct parts p = { .num = 0 };
	char line[300], name[64];

	while (f && fgets(line, sizeof(line), f)) {
		unsigned long long value;
		uint64_t time;
		char kind, what;
		int n = 0;

		line[strcspn(line, "\n")] = 0;
		if (sscanf(line, "%c %llu %c %63s%n", &kind, &value, &what, name, &n) < 4 || !n || !strchr("BEI", what))
			continue;
		time = time_of(clock, kind, value);
		if (time >= t->zero && time <= t->end)
			put_activity(t, &p, time, what, name, line + n + strspn(line + n, " "));
	}
	for (unsigned int i = 0; i < p.num; i++)
		if (p.busy[i])
			put_activity(t, &p, t->end, 'E', p.name[i], "");
	if (f)
		fclose(f);
	return p.num;
}
