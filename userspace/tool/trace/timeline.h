/* SPDX-License-Identifier: MIT */
/*
 * A timeline in the "Trace Event Format" of Chromium, JSON: what ui.perfetto.dev and chrome://tracing open. Times are
 * nanoseconds of CLOCK_MONOTONIC; a track is a thread of a process, real or not.
 */
#ifndef LIMN_TOOL_TRACE_TIMELINE_H
#define LIMN_TOOL_TRACE_TIMELINE_H

#include <stdio.h>

#include "tool/trace/jobs.h"

/* Processes that are none. */
#define TIMELINE_RINGS		1000001		/* what the kernel says of the GPU's queues */
#define TIMELINE_COUNTERS	1000002		/* the GPU's counters */
#define TIMELINE_MODEL		1000010		/* and on: a GPU that is the model */

struct timeline {
	FILE *to;
	uint64_t events;
	uint64_t zero;		/* the time that is 0 on it */
	uint64_t end;		/* when the recording ended */
};

void timeline_begin(struct timeline *t);
void timeline_end(struct timeline *t);
void timeline_process(struct timeline *t, int pid, const char *name, int order);
void timeline_thread(struct timeline *t, int pid, int tid, const char *name);
void timeline_counter(struct timeline *t, int pid, uint64_t time, const char *name, double value);
/* The jobs' rings and queues, and what else the kernel told. */
void timeline_jobs(struct timeline *t, const struct traced *traced);
/*
 * The processor's time-stamp counter and the time, at many moments: under User Mode Linux time is not even, a busy
 * machine makes it lose some milliseconds now and then.
 */
struct timeline_clock {
	struct timeline_moment {
		uint64_t counter, time;
	} *moments;
	size_t num, max;
};

/* Adds this moment. */
void timeline_read_clock(struct timeline_clock *clock);
/* The lines of activity.h in the file at path. False: there are none. */
bool timeline_activity(struct timeline *t, const char *path, const struct timeline_clock *clock);

#endif
