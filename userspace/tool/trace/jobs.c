// SPDX-License-Identifier: MIT
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tool/trace/jobs.h"

#define MAX_JOBS	(1u << 20)
#define MAX_LIVE	10000		/* jobs back from the last, among which one that has not ended is looked for */

/* --- Lines --------------------------------------------------------------------------------- */

struct line {
	char command[20];
	int pid;
	uint64_t time;
	const char *event, *args;
};

/* "   name-123   [000] .n...     0.574378: event: args": a name may have blanks, dashes and brackets. */
static bool parse(char *text, struct line *l)
{
	char *at, *dash, *event = NULL;
	unsigned long long seconds, micro;

	for (at = text; (at = strstr(at, " [")); at++)
		if (isdigit((unsigned char)at[2]) && strspn(at + 2, "0123456789") + 2 == strcspn(at, "]"))
			break;
	if (!at)
		return false;
	*at = 0;
	dash = strrchr(text, '-');
	if (!dash || sscanf(dash + 1, "%d", &l->pid) != 1)
		return false;
	*dash = 0;
	snprintf(l->command, sizeof(l->command), "%s", text + strspn(text, " "));
	at += 2 + strcspn(at + 2, "]");
	at += strcspn(at, " ");
	at += strspn(at, " ");
	at += strcspn(at, " ");		/* flags */
	if (sscanf(at, " %llu.%6llu:", &seconds, &micro) != 2)
		return false;
	l->time = seconds * 1000000000ull + micro * 1000;
	event = strstr(at, ": ");
	if (!event)
		return false;
	l->event = event + 2;
	at = strchr(event + 2, ':');
	if (!at)
		return false;
	*at = 0;
	l->args = at + 1 + strspn(at + 1, " ");
	return true;
}

/* The value behind "key=", up to a blank or a comma. */
static bool field(const char *args, const char *key, char *value, size_t size)
{
	size_t n = strlen(key);

	for (const char *at = args; (at = strstr(at, key)); at += n) {
		if (at[n] != '=' || (at > args && at[-1] != ' '))
			continue;
		snprintf(value, size, "%.*s", (int)strcspn(at + n + 1, ", "), at + n + 1);
		return true;
	}
	*value = 0;
	return false;
}

static uint64_t number(const char *args, const char *key)
{
	char value[32];

	return field(args, key, value, sizeof(value)) ? strtoull(value, NULL, 10) : 0;
}

/* --- Jobs ------------------------------------------------------------------------------------ */

static struct traced_job *add_job(struct traced *t)
{
	if (t->num_jobs == t->max_jobs) {
		size_t max = t->max_jobs ? 2 * t->max_jobs : 256;
		struct traced_job *more = max > MAX_JOBS ? NULL : realloc(t->jobs, max * sizeof(*more));

		if (!more) {
			t->full = true;
			return NULL;
		}
		t->jobs = more;
		t->max_jobs = max;
	}
	t->jobs[t->num_jobs] = (struct traced_job){ .queued = 0 };
	return &t->jobs[t->num_jobs++];
}

/* The job that has not ended, of that fence; or of limn's number. */
static struct traced_job *live(struct traced *t, const char *fence, uint64_t number)
{
	while (t->first_live < t->num_jobs && t->jobs[t->first_live].ended)
		t->first_live++;
	for (size_t i = t->num_jobs, n = 0; i-- > t->first_live && n < MAX_LIVE; n++) {
		struct traced_job *j = &t->jobs[i];

		if (!j->ended && (fence ? !strcmp(j->fence, fence) : j->number == number))
			return j;
	}
	return NULL;
}

static void queued(struct traced *t, const struct line *l)
{
	struct traced_job *j = NULL;

	/* limn_job_submit comes right before it, from the same thread. */
	for (size_t i = t->num_jobs; i-- > t->first_live && !j;)
		if (t->jobs[i].pid == l->pid && !t->jobs[i].fence[0] && t->jobs[i].number)
			j = &t->jobs[i];
	if (!j)
		j = add_job(t);
	if (!j)
		return;
	field(l->args, "ring", j->ring, sizeof(j->ring));
	field(l->args, "fence", j->fence, sizeof(j->fence));
	j->pid = l->pid;
	snprintf(j->command, sizeof(j->command), "%s", l->command);
	if (!j->queued)
		j->queued = l->time;
}

static void submitted(struct traced *t, const struct line *l)
{
	struct traced_job *j = add_job(t);

	if (!j)
		return;
	j->number = number(l->args, "job");
	j->pid = l->pid;
	j->queued = l->time;
	field(l->args, "pipe", j->ring, sizeof(j->ring));
	snprintf(j->command, sizeof(j->command), "%s", l->command);
}

/* The ring works on one job at a time: this one begins when the last has ended. */
static uint64_t start_of(const struct traced *t, const struct traced_job *j)
{
	uint64_t start = j->taken ? j->taken : j->queued;

	for (size_t i = t->num_jobs, n = 0; i-- && n < 1000; n++)
		if (&t->jobs[i] != j && !strcmp(t->jobs[i].ring, j->ring) && t->jobs[i].ended > start)
			start = t->jobs[i].ended;
	return start;
}

static void ended(struct traced *t, struct traced_job *j, uint64_t time)
{
	if (!j->told_start && j->taken)
		j->started = start_of(t, j);
	j->ended = time;
}

static void add_event(struct traced *t, const struct line *l)
{
	struct traced_event *e;

	if (t->num_events == t->max_events) {
		size_t max = t->max_events ? 2 * t->max_events : 64;
		struct traced_event *more = max > MAX_JOBS ? NULL : realloc(t->events, max * sizeof(*more));

		if (!more) {
			t->full = true;
			return;
		}
		t->events = more;
		t->max_events = max;
	}
	e = &t->events[t->num_events++];
	e->time = l->time;
	snprintf(e->text, sizeof(e->text), "%s: %s", l->event, l->args);
}

void traced_line(struct traced *t, char *text)
{
	struct traced_job *j;
	struct line l;
	char fence[32];

	if (!parse(text, &l)) {
		/* "CPU:0 [LOST 12 EVENTS]" */
		t->lost++;
		return;
	}
	field(l.args, "fence", fence, sizeof(fence));
	if (!strcmp(l.event, "drm_sched_job") || !strcmp(l.event, "drm_sched_job_queue")) {
		queued(t, &l);
	} else if (!strcmp(l.event, "drm_run_job") || !strcmp(l.event, "drm_sched_job_run")) {
		j = live(t, fence, 0);
		if (j)
			j->taken = l.time;
	} else if (!strcmp(l.event, "drm_sched_process_job") || !strcmp(l.event, "drm_sched_job_done")) {
		j = live(t, fence, 0);
		if (j)
			ended(t, j, l.time);
	} else if (!strcmp(l.event, "limn_job_submit")) {
		submitted(t, &l);
	} else if (!strcmp(l.event, "limn_job_run")) {
		j = live(t, NULL, number(l.args, "job"));
		if (j) {
			j->started = l.time;
			j->told_start = true;
		}
	} else if (!strcmp(l.event, "limn_job_done")) {
		j = live(t, NULL, number(l.args, "job"));
		if (j) {
			char error[16];

			field(l.args, "error", error, sizeof(error));
			j->error = atoi(error);
			ended(t, j, l.time);
		}
	} else if (!strncmp(l.event, "limn_", 5)) {
		add_event(t, &l);
	}
}

/* --- tracefs --------------------------------------------------------------------------------- */

static int set(const struct traced *t, const char *file, const char *value)
{
	char path[160];
	int fd, ret;

	snprintf(path, sizeof(path), "%s/%s", t->instance, file);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	ret = write(fd, value, strlen(value)) < 0 ? -errno : 0;
	close(fd);
	return ret;
}

int traced_begin(struct traced *t, struct limn_error *err)
{
	static const char *const roots[] = { "/sys/kernel/tracing", "/sys/kernel/debug/tracing" };
	char path[160];
	int ret = -ENOENT, any;

	*t = (struct traced){ .pipe = -1 };
	for (size_t i = 0; i < 2 && ret; i++) {
		snprintf(t->instance, sizeof(t->instance), "%s/instances/limn-%d", roots[i], (int)getpid());
		ret = mkdir(t->instance, 0700) ? -errno : 0;
		if (ret && ret != -ENOENT)
			break;
	}
	if (ret) {
		t->instance[0] = 0;
		return limn_fail(err, -1, "the kernel's tracepoints cannot be used (tracefs: %s%s)", strerror(-ret),
				 ret == -EACCES || ret == -EPERM ? "; they need root" : "");
	}
	/* Times as clock_gettime() has them. */
	ret = set(t, "trace_clock", "mono");
	any = set(t, "events/gpu_scheduler/enable", "1");
	if (!set(t, "events/limn/enable", "1"))
		any = 0;
	if (!ret && any)
		ret = any;
	set(t, "buffer_size_kb", "4096");
	snprintf(path, sizeof(path), "%s/trace_pipe", t->instance);
	t->pipe = ret ? -1 : open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (t->pipe >= 0)
		return 0;
	ret = ret ? ret : -errno;
	traced_end(t);
	return limn_fail(err, -1, ret == -ENOENT && any ? "the kernel has no tracepoints of GPU jobs: is the driver loaded?" :
			 "the kernel's tracepoints cannot be used: %s", strerror(-ret));
}

void traced_read(struct traced *t)
{
	char *line, *end;
	ssize_t n;

	while (t->pipe >= 0 && (n = read(t->pipe, t->part + t->part_size, sizeof(t->part) - 1 - t->part_size)) > 0) {
		t->part_size += (size_t)n;
		t->part[t->part_size] = 0;
		for (line = t->part; (end = strchr(line, '\n')); line = end + 1) {
			*end = 0;
			traced_line(t, line);
		}
		t->part_size -= (size_t)(line - t->part);
		if (t->part_size == sizeof(t->part) - 1)
			t->part_size = 0;	/* longer than any line is */
		memmove(t->part, line, t->part_size);
	}
}

void traced_end(struct traced *t)
{
	if (t->pipe >= 0)
		close(t->pipe);
	t->pipe = -1;
	if (t->instance[0])
		rmdir(t->instance);
	t->instance[0] = 0;
}

void traced_free(struct traced *t)
{
	traced_end(t);
	free(t->jobs);
	free(t->events);
	t->jobs = NULL;
	t->events = NULL;
}
