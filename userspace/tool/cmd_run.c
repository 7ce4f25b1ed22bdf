// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tool/cmd.h"
#include "tool/job/job.h"
#include "tool/json.h"
#include "tool/out_file.h"
#include "tool/png.h"
#include "tool/target.h"

#define WAIT_NS 30000000000ll	/* longer than a driver's own job timeout */

struct options {
	struct target target;
	const char *job, *out, *stream;
	uint32_t frames;
	bool json;
};

static const char usage[] =
	"usage: limn run JOB.limn [-o OUT.png] [--device PATH | --model NAME] [--frames N]\n"
	"                [--strict] [--seed N] [--json]\n"
	"  --device PATH  a render node of the lima or etnaviv user ABI; by default the first there is\n"
	"  --model NAME   the in-process model (mali-400-mp1 to mp4, gc2000, ...), the default without a node\n"
	"  --frames N     draw N times, instead of what the job says\n"
	"  --strict       the model also reports what hardware would punish silently\n"
	"  --stream FILE  also writes the command stream (Vivante), for limn decode -i vivante-fe\n"
	"  --seed N       order in which the model's units run\n";

static int parse(struct options *o, int argc, char **argv)
{
	unsigned long long frames;
	char *end;

	for (int i = 1; i < argc; i++) {
		int used = target_option(&o->target, argc - i, argv + i);

		if (used > 0) {
			i += used - 1;
		} else if (!strcmp(argv[i], "--json")) {
			o->json = true;
		} else if (!strcmp(argv[i], "-o") && i + 1 < argc) {
			o->out = argv[++i];
		} else if (!strcmp(argv[i], "--stream") && i + 1 < argc) {
			o->stream = argv[++i];
		} else if (!strcmp(argv[i], "--frames") && i + 1 < argc) {
			frames = strtoull(argv[++i], &end, 0);
			if (argv[i][0] == '-' || *end || !frames || frames > JOB_MAX_FRAMES)
				return 2;
			o->frames = frames;
		} else if (argv[i][0] != '-' && !o->job) {
			o->job = argv[i];
		} else {
			return 2;
		}
	}
	return o->job ? 0 : 2;
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec * 1e-9;
}

/* Every byte of a picture, for comparing two without files (FNV-1a). */
static uint64_t hash(const uint8_t *bytes, size_t n)
{
	uint64_t h = 0xcbf29ce484222325;

	while (n--)
		h = (h ^ *bytes++) * 0x100000001b3;
	return h;
}

static void print_json(const struct options *o, const struct job *job, const struct limn_info *info,
		       uint32_t frames, double seconds, uint64_t pixels)
{
	printf("{\"job\": ");
	json_print_string(stdout, o->job);
	printf(", \"driver\": \"%s\", \"desc\": \"%s\", ", info->driver, info->desc);
	if (info->family == LIMN_UTGARD)
		printf("\"pp_cores\": %u, ", info->num_pp);
	printf("\"width\": %u, \"height\": %u, \"frames\": %u, \"seconds\": %.6f, \"pixels\": \"%016llx\"}\n",
	       job->target.width, job->target.height, frames, seconds, (unsigned long long)pixels);
}

static int save_stream(const char *path, const struct job_frame *frame, struct limn_error *err)
{
	uint32_t count;
	const uint32_t *words = job_frame_words(frame, &count);
	struct out_file out;

	if (!words)
		return limn_fail(err, -1, "--stream: a job for Utgard has no command stream");
	if (out_open(&out, path, err))
		return -1;
	fwrite(words, 4, count, out.f);
	return out_close(&out, err);
}

static int draw_frames(const struct options *o, const struct job *job, struct limn_device *dev, uint32_t frames,
		       uint8_t *rgba, struct limn_error *err)
{
	struct job_frame *frame;
	int ret = job_frame_create(job, dev, &frame, err);

	if (ret)
		return ret;
	if (o->stream)
		ret = save_stream(o->stream, frame, err);
	for (uint32_t i = 0; i < frames && !ret; i++) {
		ret = job_frame_submit(frame, err);
		if (!ret)
			ret = job_frame_wait(frame, WAIT_NS, err);
	}
	if (!ret)
		job_frame_read(frame, rgba);
	job_frame_free(frame);
	return ret;
}

static int draw(const struct options *o, const struct job *job, struct limn_device *dev, struct limn_error *err)
{
	uint32_t frames = o->frames ? o->frames : job->frames;
	size_t bytes = (size_t)job->target.width * job->target.height * 4;
	uint8_t *rgba = malloc(bytes);
	double begin = now();
	int ret;

	if (!rgba)
		return limn_fail(err, -1, "out of memory");
	ret = draw_frames(o, job, dev, frames, rgba, err);
	if (!ret && o->out)
		ret = png_save(o->out, job->target.width, job->target.height, rgba, err);
	if (!ret && o->json)
		print_json(o, job, limn_get_info(dev), frames, now() - begin, hash(rgba, bytes));
	free(rgba);
	return ret;
}

int cmd_run(int argc, char **argv)
{
	struct options o = { 0 };
	struct messages messages = { 0 };
	struct limn_device *dev;
	struct limn_error err;
	struct job *job;
	int ret;

	if (argc > 1 && !strcmp(argv[1], "--help")) {
		fputs(usage, stdout);
		return 0;
	}
	ret = parse(&o, argc, argv);
	if (ret) {
		fputs(usage, stderr);
		return ret;
	}
	ret = job_read(o.job, &job, &messages);
	messages_print(&messages, stderr);
	messages_free(&messages);
	if (!ret) {
		o.target.family = job_device_family(job->family);
		o.target.fallback = job_family_model(job->family);
		ret = target_open(&o.target, &dev, &err);
		if (!ret) {
			ret = draw(&o, job, dev, &err);
			limn_close(dev);
		}
		if (ret)
			fprintf(stderr, "limn run: %s: %s\n", o.job, err.text);
	}
	job_free(job);
	return ret ? 1 : 0;
}
