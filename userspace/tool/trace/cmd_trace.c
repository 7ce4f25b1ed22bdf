// SPDX-License-Identifier: MIT
/* limn trace: a program, and when the GPU worked for it. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tool/cmd.h"
#include "tool/options.h"
#include "tool/out_file.h"
#include "tool/trace/activity.h"
#include "tool/trace/clients.h"
#include "tool/trace/counters.h"
#include "tool/trace/timeline.h"

#define MAX_WORDS	4096
#define NO_PROGRAM	126	/* exit status of the child when there is no such program */
#define LOOK_AGAIN	5	/* samples from one search for new clients to the next */

struct options {
	const char *out;
	unsigned int interval;	/* ms */
	bool counters, quiet;
	const char *words[MAX_WORDS + 1];	/* the program and its arguments */
};

struct recording {
	const struct options *o;
	struct timeline line;
	struct traced traced;
	struct clients clients;
	struct counters counters;
	struct timeline_clock clock;
	char activity[64];	/* a file of our own; "": the testbed's, or none */
	uint64_t sampled;	/* when the clients were read last */
	unsigned int samples;
};

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void run(const struct recording *r)
{
	if (r->activity[0])
		setenv(ACTIVITY_VARIABLE, r->activity, 1);
	execvp(r->o->words[0], (char **)r->o->words);
	fprintf(stderr, "limn trace: %s: %s\n", r->o->words[0], strerror(errno));
	_exit(NO_PROGRAM);
}

/* Counters of each client: how busy its engines are, how much memory it has. */
static void sample(struct recording *r)
{
	uint64_t time = now();
	char name[80];

	clients_read(&r->clients);
	for (size_t i = 0; i < r->clients.num; i++) {
		struct client *c = &r->clients.list[i];

		for (uint32_t e = 0; e < c->num_engines; e++) {
			uint64_t ns = c->engine[e].ns, spent = ns > c->before[e] ? ns - c->before[e] : 0;

			snprintf(name, sizeof(name), "%s %s: busy %%", c->driver, c->engine[e].name);
			if (c->before[e] || ns)
				timeline_counter(&r->line, c->pid, time, name, 100.0 * (double)spent / (double)(time - r->sampled));
			c->before[e] = ns;
		}
		snprintf(name, sizeof(name), "%s: memory KiB", c->driver);
		if (c->total)
			timeline_counter(&r->line, c->pid, time, name, (double)(c->total >> 10));
	}
	counters_sample(&r->counters, &r->line, time);
	if (r->samples++ % LOOK_AGAIN == 0)
		clients_find(&r->clients);
	r->sampled = time;
}

/* The client's exit status, or as a shell tells of a signal: 128 and its number. */
static int record(struct recording *r, pid_t child)
{
	struct pollfd fd = { .fd = r->traced.pipe, .events = POLLIN };
	uint64_t next = 0;
	int status = 0;
	pid_t is;

	while (!(is = waitpid(child, &status, WNOHANG)) || (is < 0 && errno == EINTR)) {
		uint64_t time = now();

		if (time >= next) {
			sample(r);
			next = time + r->o->interval * 1000000ull;
		}
		timeline_read_clock(&r->clock);
		/* Not woken by each event: they come by the thousand. */
		nanosleep(&(struct timespec){ .tv_nsec = 2000000 }, NULL);
		if (fd.fd < 0 || poll(&fd, 1, 0) > 0)
			traced_read(&r->traced);
	}
	/* Its last jobs may end behind it. */
	nanosleep(&(struct timespec){ .tv_nsec = 20000000 }, NULL);
	traced_read(&r->traced);
	sample(r);
	timeline_read_clock(&r->clock);
	return is < 0 ? NO_PROGRAM : WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static int trace(struct recording *r, struct out_file *out)
{
	const char *activity = r->activity[0] ? r->activity : getenv(ACTIVITY_VARIABLE);
	struct limn_error err;
	pid_t child;
	int status;
	bool units;

	r->line.to = out->f;
	r->line.zero = now();
	timeline_read_clock(&r->clock);
	timeline_begin(&r->line);
	/* An interrupt from the terminal ends the program; what it did stays. */
	signal(SIGINT, SIG_IGN);
	child = fork();
	if (!child) {
		signal(SIGINT, SIG_DFL);
		run(r);
	}
	status = child < 0 ? NO_PROGRAM : record(r, child);
	r->line.end = now();
	timeline_jobs(&r->line, &r->traced);
	units = activity && timeline_activity(&r->line, activity, &r->clock);
	timeline_end(&r->line);
	if (status == NO_PROGRAM) {
		out_discard(out);
		return EXIT_USAGE;
	}
	if (!r->traced.num_jobs && !units && !r->clients.num)
		fprintf(stderr, "limn trace: %s gave no GPU a job that can be seen\n", r->o->words[0]);
	if (r->traced.lost || r->traced.full)
		fprintf(stderr, "limn trace: events are missing: there were more than there is room for\n");
	if (out_close(out, &err))
		return failed(EXIT_INPUT, "%s", err.text);
	if (!r->o->quiet)
		fprintf(stderr, "%s: %zu jobs, %llu events; ui.perfetto.dev opens it\n", r->o->out, r->traced.num_jobs,
			(unsigned long long)r->line.events);
	if (status)
		fprintf(stderr, "limn trace: %s has ended with status %d\n", r->o->words[0], status);
	return status ? EXIT_JOB : EXIT_OK;
}

/* Where the in-process model of a limn that is traced tells when its units work; where the testbed's does is known. */
static void offer_activity(struct recording *r)
{
	int fd;

	if (getenv(ACTIVITY_VARIABLE))
		return;
	snprintf(r->activity, sizeof(r->activity), "/tmp/limn-activity-XXXXXX");
	fd = mkostemp(r->activity, 0);
	if (fd >= 0)
		close(fd);
	else
		r->activity[0] = 0;
}

int cmd_trace(int argc, char **argv)
{
	struct options o = { .out = "trace.json", .interval = 20 };
	const struct option own[] = {
		{ .name = "--out", .letter = "-o", .kind = OPTION_TEXT, .to = &o.out, .value = "FILE", .help = "the timeline; trace.json" },
		{ .name = "--interval", .kind = OPTION_COUNT, .to = &o.interval, .value = "MS", .min = 1, .max = 10000,
		  .help = "from one look at fdinfo and counters to the next; 20" },
		{ .name = "--counters", .kind = OPTION_FLAG, .to = &o.counters,
		  .help = "the GPU's own counters, where the driver is limn; it needs root, and jobs of a Vivante wait for each other" },
		OPTION_QUIET(&o.quiet),
		{ .name = NULL },
	};
	struct command_line c = {
		.command = "trace", .files = "-- CMD [ARG...]", .options = own,
		.about = "Runs a program and writes when each of its jobs was queued, waited and ran, as JSON for\n"
			 "ui.perfetto.dev: from the kernel's tracepoints (root), with any driver; from fdinfo how busy engines\n"
			 "are; and when the units of the model work, where it is the GPU (scripts/testbed --activity FILE, or\n"
			 "limn run --model). Exit status 3 when the program failed.\n",
		.example = "limn trace -o trace.json -- glmark2-es2",
		.paths = o.words, .max_paths = MAX_WORDS, .min_paths = 1,
	};
	struct recording r = { .o = &o };
	struct out_file out;
	struct limn_error err;
	int status;

	if (!options_read(&c, argc, argv, &status))
		return status;
	if (out_open(&out, o.out, &err))
		return failed(EXIT_INPUT, "%s", err.text);
	if (traced_begin(&r.traced, &err))
		fprintf(stderr, "limn trace: %s; jobs are not shown\n", err.text);
	if (o.counters && counters_open(&r.counters, &err))
		fprintf(stderr, "limn trace: %s; counters are not shown\n", err.text);
	offer_activity(&r);
	status = trace(&r, &out);
	if (r.activity[0])
		unlink(r.activity);
	traced_free(&r.traced);
	clients_free(&r.clients);
	counters_close(&r.counters);
	free(r.clock.moments);
	return status;
}
