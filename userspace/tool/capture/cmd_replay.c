// SPDX-License-Identifier: MIT
/* limn replay: the jobs of a capture again, their results against those that were recorded. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tool/capture/replay.h"
#include "tool/cmd.h"
#include "tool/json.h"
#include "tool/options.h"
#include "tool/png.h"
#include "tool/target.h"

struct options {
	const char *path, *out;
	unsigned int submit;
	bool one, json, quiet, strict;
	const char *model, *device;
	uint64_t seed, threads;
};

struct run {
	const struct options *o;
	struct json json;
	struct replay_picture last;	/* what the last job that can be shown has drawn */
	bool seen;			/* the submit that was asked for */
};

static void on_report(void *ctx, const char *text)
{
	fprintf(stderr, "model: %s\n", text);
}

static bool on_job(void *ctx, const struct replay_job *job)
{
	struct run *r = ctx;
	struct replay_picture picture;

	r->seen |= job->submit->number == r->o->submit;
	if (job->failed) {
		json_object(&r->json, NULL);
		report(&r->json, "submit {submit}: failed: {failed}\n", INT("submit", job->submit->number),
		       STRING("failed", job->failed));
		json_end_object(&r->json);
	}
	if (r->o->out && (!r->o->one || job->submit->number == r->o->submit) && limn_replay_picture(job, &picture)) {
		free(r->last.rgba);
		r->last = picture;
	}
	return true;
}

static void on_difference(void *ctx, const struct replay_difference *d)
{
	struct run *r = ctx;

	json_object(&r->json, NULL);
	report(&r->json, "submit {submit}: {bytes} of {size} bytes of BO {handle} differ, the first at 0x{offset}: {_is}, was {_was}\n",
	       INT("submit", d->submit), INT("bytes", d->bytes), INT("size", d->bo->told.size),
	       INT("handle", d->bo->told.handle), HEX("offset", d->offset), INT("is", d->is), INT("was", d->was),
	       TEXT_INT("_is", d->is), TEXT_INT("_was", d->was));
	json_end_object(&r->json);
}

static int save(struct run *r)
{
	struct limn_error err;

	if (!r->o->out)
		return EXIT_OK;
	if (!r->last.rgba)
		return failed(EXIT_INPUT, "%s: %s that can be shown", r->o->path,
			      r->o->one ? "that submit has drawn nothing" : "no submit has drawn anything");
	if (picture_save(r->o->out, r->last.width, r->last.height, r->last.rgba, &err))
		return failed(EXIT_INPUT, "%s", err.text);
	if (!r->o->quiet && !r->o->json && strcmp(r->o->out, "-"))
		printf("%s %ux%u\n", r->o->out, r->last.width, r->last.height);
	return EXIT_OK;
}

static void print_totals(struct run *r, const struct replay_totals *t)
{
	struct json *j = &r->json;

	report(j, "", INT("submits", t->submits), INT("refused", t->refused), INT("failed", t->failed),
	       INT("results", t->results), INT("different", t->different), INT("compared", t->compared),
	       INT("differing", t->differing));
	if (r->o->quiet || r->o->json || (r->o->out && !strcmp(r->o->out, "-")))
		return;
	report(j, "{_n} submits", TEXT_INT("_n", t->submits));
	if (t->refused)
		report(j, " ({_n} refused, left out)", TEXT_INT("_n", t->refused));
	if (t->failed)
		report(j, ", {_n} failed", TEXT_INT("_n", t->failed));
	if (!t->results)
		report(j, "; no results in the capture to compare with\n");
	else if (!t->different)
		report(j, "; {_n} results, {_b} bytes, as recorded\n", TEXT_INT("_n", t->results), TEXT_INT("_b", t->compared));
	else
		report(j, "; {_d} of {_n} results differ\n", TEXT_INT("_d", t->different), TEXT_INT("_n", t->results));
}

static int replay(const struct options *o)
{
	struct run r = { .o = o, .json = { .to = o->out && !strcmp(o->out, "-") ? stderr : stdout, .text = !o->json } };
	const struct replay_options options = {
		.model = o->model, .device = o->device, .strict = o->strict, .seed = o->seed,
		.threads = o->threads, .last = o->one ? o->submit : UINT32_MAX,
		.ctx = &r, .report = on_report, .job = on_job, .difference = on_difference,
	};
	struct replay_totals totals;
	struct limn_error err;
	struct capture *c;
	int status = EXIT_OK;
	bool named;

	if (limn_capture_open(o->path, &c, &err))
		return failed(EXIT_INPUT, "%s", err.text);
	json_object(&r.json, NULL);
	json_array(&r.json, "events");
	if (replay_here(c, &options, &totals, &err)) {
		named = !strncmp(err.text, o->path, strlen(o->path));
		status = failed(EXIT_INPUT, "%s%s%s", named ? "" : o->path, named ? "" : ": ", err.text);
	} else if (o->one && !r.seen) {
		status = failed(EXIT_USAGE, "%s: submit %u: there are %u, or it was refused", o->path, o->submit, totals.submits);
	}
	json_end_array(&r.json);
	if (!status)
		print_totals(&r, &totals);
	json_end_object(&r.json);
	if (!status && !totals.submits && !limn_capture_damage(c))
		status = failed(EXIT_INPUT, "%s: there is no job in it", o->path);
	if (!status && limn_capture_damage(c))
		fprintf(stderr, "limn replay: %s: %s\n", o->path, limn_capture_damage(c));
	/* A part of the file may have no picture: that it is a part is said already. */
	if (!status && (r.last.rgba || !limn_capture_damage(c)))
		status = save(&r);
	if (!status && (totals.failed || totals.different))
		status = EXIT_JOB;
	else if (!status && limn_capture_damage(c))
		status = EXIT_INPUT;
	free(r.last.rgba);
	limn_capture_close(c);
	return status;
}

int cmd_replay(int argc, char **argv)
{
	struct options o = { .path = NULL };
	const struct option own[] = {
		OPTION_OTHER_MODEL(&o.model),
		{ .name = "--device", .kind = OPTION_TEXT, .to = &o.device, .value = "PATH",
		  .help = "a render node instead of the model" },
		{ .name = "--submit", .kind = OPTION_COUNT, .to = &o.submit, .value = "N", .max = UINT32_MAX, .given = &o.one,
		  .help = "end behind that submit (they count from 0); -o shows what it has drawn" },
		{ .name = "--out", .letter = "-o", .kind = OPTION_TEXT, .to = &o.out, .value = "FILE",
		  .help = "what the last job has drawn, .png or .ppm, or - for a PNG on standard output" },
		OPTION_STRICT(&o.strict),
		OPTION_SEED(&o.seed),
		OPTION_THREADS(&o.threads),
		OPTION_JSON(&o.json),
		OPTION_QUIET(&o.quiet),
		{ .name = NULL },
	};
	struct command_line c = {
		.command = "replay", .files = "FILE", .options = own, .paths = &o.path, .max_paths = 1, .min_paths = 1,
		.example = "limn replay frame.limncap -o frame.png",
		.about = "Runs the jobs of a capture on the in-process model of its GPU, each of the client's files in an\n"
			 "address space of its own, and compares what they write with the results that were recorded. On a\n"
			 "device (--device) BOs are at the addresses that they had, whichever driver that was and is.\n"
			 "Exit status 3 when a job fails or a result differs.\n",
	};
	int status;

	if (!options_read(&c, argc, argv, &status))
		return status;
	if (o.model && o.device)
		return failed(EXIT_USAGE, TARGET_EITHER);
	if (o.out && !picture_name(o.out))
		return failed(EXIT_USAGE, "--out %s: a picture's name ends in .png or .ppm", o.out);
	return replay(&o);
}
