// SPDX-License-Identifier: MIT
/* limn pixel: what each primitive of a capture did to one pixel. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <drm/etnaviv_drm.h>
#include <drm/lima_drm.h>
#include <limn/utgard/regs.h>
#include <limn/utgard/states.h>

#include "tool/capture/pixel.h"
#include "tool/cmd.h"
#include "tool/options.h"
#include "tool/target.h"

struct options {
	const char *words[2], *model;	/* words: the capture, X,Y */
	unsigned int submit;
	bool one, json;
};

struct run {
	const struct options *o;
	struct pixel_history history;
	struct draws draws;
	bool seen, inside;
};

/* Whether the job draws pixels of its own; Vivante's copies are seen when nothing is told of them. */
static bool draws_pixels(const struct capture_submit *s)
{
	if (s->file->told.family == LIMN_CAPTURE_VIVANTE)
		return s->told.exec_state != ETNA_PIPE_2D;
	return s->told.pipe == LIMA_PIPE_PP && s->told.cmd_size >= sizeof(struct drm_lima_m400_pp_frame);
}

static bool is_gp(const struct capture_submit *s)
{
	return s->file->told.family == LIMN_CAPTURE_UTGARD && s->told.pipe == LIMA_PIPE_GP;
}

static bool before(void *ctx, const struct replay_job *job)
{
	const struct capture_submit *s = job->submit;
	struct run *r = ctx;
	const uint32_t *frame = job->words;

	draws_of_job(&r->draws, job);
	model_watch_pixel(replay_model(job->gpu), NULL);
	r->history.submit = s->number;
	/* A GP job tells what it culls; it stands before the PP job that draws. */
	if (is_gp(s) && (!r->o->one || s->number + 1 == r->o->submit))
		pixel_watch(&r->history, replay_model(job->gpu));
	if (!draws_pixels(s) || (r->o->one && s->number != r->o->submit))
		return true;
	r->seen = true;
	if (s->file->told.family == LIMN_CAPTURE_UTGARD)
		r->inside |= (uint32_t)r->history.watch.x <= UTGARD_GET(PP_BOUND_BOX_HIGH, frame[PP_BOUND_BOX_LR / 4]) &&
			     (uint32_t)r->history.watch.y <= UTGARD_GET(PP_BOUND_BOX_HIGH, frame[PP_BOUND_BOX_BT / 4]);
	pixel_watch(&r->history, replay_model(job->gpu));
	return true;
}

/* How large a Vivante's target is, only its copy says. */
static bool after(void *ctx, const struct replay_job *job)
{
	struct replay_picture picture = { .rgba = NULL };
	struct run *r = ctx;

	if (job->submit->file->told.family != LIMN_CAPTURE_VIVANTE || !draws_pixels(job->submit))
		return true;
	if (limn_replay_picture(job, &picture))
		r->inside |= (uint32_t)r->history.watch.x < picture.width && (uint32_t)r->history.watch.y < picture.height;
	else
		r->inside = true;
	free(picture.rgba);
	return true;
}

static int check(const struct run *r)
{
	const char *path = r->o->words[0];

	if (!r->seen) {
		if (r->o->one)
			fprintf(stderr, "limn pixel: %s: submit %u of the capture draws nothing: no PP job, or not of a 3D pipe\n", path, r->o->submit);
		else
			fprintf(stderr, "limn pixel: %s: no job that draws is in it\n", path);
		return r->o->one ? EXIT_USAGE : EXIT_INPUT;
	}
	if (!r->inside)
		return failed(EXIT_USAGE, "%s: %s is outside of what is drawn", path, r->o->words[1]);
	return EXIT_OK;
}

static int history(const struct options *o, int32_t x, int32_t y)
{
	struct json json = { .to = stdout, .text = !o->json };
	struct run r = { .o = o, .history = { .watch = { .x = x, .y = y }, .json = &json } };
	const struct replay_options options = {
		.model = o->model, .last = o->one ? o->submit : UINT32_MAX, .ctx = &r, .before = before, .job = after,
	};
	struct replay_totals totals;
	struct limn_error err;
	struct capture *c;
	int status = EXIT_OK;

	r.history.draws = &r.draws;
	if (limn_capture_open(o->words[0], &c, &err))
		return failed(EXIT_INPUT, "%s", err.text);
	json_object(&json, NULL);
	json_array(&json, "fragments");
	if (replay_here(c, &options, &totals, &err)) {
		status = failed(EXIT_INPUT, "%s: %s", o->words[0], err.text);
	} else {
		status = check(&r);
	}
	if (!status)
		pixel_end(&r.history);
	json_end_array(&json);
	report(&json, "", INT("drawn", r.history.drawn), INT("rejected", r.history.told - r.history.drawn));
	json_end_object(&json);
	if (!status && limn_capture_damage(c))
		status = failed(EXIT_INPUT, "%s: %s", o->words[0], limn_capture_damage(c));
	draws_free(&r.draws);
	limn_capture_close(c);
	return status;
}

int cmd_pixel(int argc, char **argv)
{
	struct options o = { .json = false };
	const struct option own[] = {
		{ .name = "--submit", .kind = OPTION_COUNT, .to = &o.submit, .value = "N", .max = UINT32_MAX, .given = &o.one,
		  .help = "only of that submit, a PP job or one of a 3D pipe (they count from 0)" },
		OPTION_OTHER_MODEL(&o.model),
		OPTION_JSON(&o.json),
		{ .name = NULL },
	};
	struct command_line c = {
		.command = "pixel", .files = "FILE X,Y", .options = own, .paths = o.words, .max_paths = 2, .min_paths = 2,
		.example = "limn pixel frame.limncap 120,64",
		.about = "Prints what each primitive of a capture did to a pixel (from the first row in memory, which is\n"
			 "the top one of limn replay -o): samples covered, depth and stencil, what the shader got and gave,\n"
			 "colour before and after; and of one that was rejected, by what. Before its result stands the fragment\n"
			 "shader, instruction by instruction, with the values that it wrote and the texels that it read.\n",
	};
	int32_t x, y;
	int status;

	if (!options_read(&c, argc, argv, &status))
		return status;
	status = pixel_read("", o.words[1], &x, &y);
	return status ? status : history(&o, x, y);
}
