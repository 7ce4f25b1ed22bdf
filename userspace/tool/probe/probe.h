/* SPDX-License-Identifier: MIT */
/*
 * Experiments: job files whose scenes have a question and answers (limn-job(5)). They are in the
 * program, and go through the stock user ABI like any other job.
 */
#ifndef LIMN_TOOL_PROBE_H
#define LIMN_TOOL_PROBE_H

#include "model/report.h"
#include "tool/job/job.h"
#include "tool/target.h"

#define PROBE_FILES	7

struct probe {
	const struct job *job;
	const struct job_scene *scene;	/* its name is the probe's */
};

struct probes {
	struct job *jobs[PROBE_FILES];
	struct probe list[REPORT_PROBES];
	unsigned int count;
};

/* 0; or an exit status, after messages. */
int probes_read(struct probes *p);
void probes_free(struct probes *p);
const struct probe *probes_find(const struct probes *p, const char *id);
/* Whether the device is one that it is for. */
bool probe_fits(const struct probe *p, const struct limn_device *dev);
/*
 * Runs one on a device of its own. False: there is no such device. The answer is one of the scene's;
 * "other", if the words are no answer's; "failed", if the job did not end or its picture is not there.
 */
bool probe_run(const struct probe *p, const struct target *target, struct report_row *row, struct limn_error *err);
/* What a report says of a device. */
void probe_describe(struct report *r, const struct limn_device *dev);

/* The report of a file; 0, or EXIT_INPUT after a message, also of rows that cannot be. */
int probe_report_read(const struct probes *p, const char *path, struct report *r);

#endif
