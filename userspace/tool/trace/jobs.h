/* SPDX-License-Identifier: MIT */
/*
 * Jobs of GPUs by the kernel's tracepoints: gpu_scheduler's, which any driver on drm_sched has (both names that they
 * had), and limn's, which say when the hardware got a job and how it ended. In an instance of tracefs of our own.
 */
#ifndef LIMN_TOOL_TRACE_JOBS_H
#define LIMN_TOOL_TRACE_JOBS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/limn.h"

/* Times: nanoseconds of CLOCK_MONOTONIC; 0: this has not happened, or nobody told. */
struct traced_job {
	char ring[40], fence[32];
	int pid;
	char command[20];
	uint64_t queued;	/* the client has submitted it */
	uint64_t taken;		/* the scheduler gives it to the driver */
	uint64_t started;	/* the hardware works on it */
	uint64_t ended;
	uint64_t number;	/* limn.ko's, of all contexts; 0: another driver */
	int error;
	bool told_start;	/* started is the driver's word, not the end of the job before */
};

/* What is no job: faults, growing heaps, errors of units. */
struct traced_event {
	uint64_t time;
	char text[120];
};

struct traced {
	char instance[80];
	int pipe;		/* trace_pipe; -1: there is no tracing */
	char part[4096];	/* a line that has not come whole */
	size_t part_size;
	struct traced_job *jobs;
	size_t num_jobs, max_jobs, first_live;
	struct traced_event *events;
	size_t num_events, max_events;
	uint64_t lost;		/* lines that nobody understood, events that the kernel dropped */
	bool full;		/* memory ran out */
};

/* 0, or -1 with a line in err: tracing is not to be had here. */
int traced_begin(struct traced *t, struct limn_error *err);
/* Takes what has come; does not wait. */
void traced_read(struct traced *t);
/* No more events; the instance goes. */
void traced_end(struct traced *t);
void traced_free(struct traced *t);
/* A line of trace_pipe, for tests. */
void traced_line(struct traced *t, char *line);

#endif
