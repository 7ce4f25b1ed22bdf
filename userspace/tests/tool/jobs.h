/* SPDX-License-Identifier: MIT */
/* Jobs of tests: read from text, drawn by the in-process model in strict mode. */
#ifndef LIMN_TESTS_TOOL_JOBS_H
#define LIMN_TESTS_TOOL_JOBS_H

#include "tool/job/job.h"
#include "tool/target.h"
#include "tests/unit.h"

/* The text as a job; the test fails when it is none. */
static inline struct job *job_of(const char *text)
{
	struct messages messages = { 0 };
	struct job *job;

	if (job_parse("row", text, NULL, &job, &messages)) {
		messages_print(&messages, stderr);
		fail_msg("%s", text);
	}
	messages_free(&messages);
	return job;
}

static inline struct job *job_of_file(const char *path)
{
	struct messages messages = { 0 };
	struct job *job;

	if (job_read(path, NULL, &job, &messages)) {
		messages_print(&messages, stderr);
		fail_msg("%s", path);
	}
	messages_free(&messages);
	return job;
}

/* Draws it; malloc'ed RGBA, top row first. Frees the job. */
static inline uint8_t *job_draw(struct job *job, const char *model, uint64_t seed)
{
	struct target target = { .model = model, .strict = true, .seed = seed };
	const struct job_scene *scene = job->scenes[0];
	uint8_t *rgba = malloc((size_t)scene->target.width * scene->target.height * 4);
	struct job_frame *frame;
	struct limn_device *dev;
	struct limn_error err;

	if (target_open(&target, &dev, &err) || job_frame_create(job, scene, dev, &frame, &err) ||
	    job_frame_submit(frame, &err) || job_frame_wait(frame, -1, &err))
		fail_msg("%s: %s", model, err.text);
	job_frame_read(frame, rgba);
	job_frame_free(frame);
	limn_close(dev);
	job_free(job);
	return rgba;
}

#endif
