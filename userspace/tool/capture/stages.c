// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tool/capture/stages.h"

uint32_t stages_draw_of(const struct stages *s, uint32_t state, uint32_t draw)
{
	uint32_t known = s->submit < s->num_submits ? s->known[s->submit] : 0;

	/* Utgard: a state's address may be used again by a later frame. */
	for (uint32_t i = s->num; state && i--;)
		if (s->draw[i] < known && s->draws.list[s->draw[i]].state == state)
			return i;
	for (uint32_t i = 0; !state && i < s->num; i++)
		if (s->draws.list[s->draw[i]].submit == s->submit && !draw--)
			return i;
	return s->num;
}

static enum model_permit allow(void *ctx, uint32_t state, uint32_t draw)
{
	const struct stages *s = ctx;
	uint32_t stage = stages_draw_of(s, state, draw);

	if (stage == s->num)
		return MODEL_PERMIT;
	if (stage == s->odd)
		return s->permit;
	return stage < s->upto ? MODEL_PERMIT : MODEL_REFUSE;
}

static bool before(void *ctx, const struct replay_job *job)
{
	struct stages *s = ctx;

	s->submit = job->submit->number;
	s->watch.draws = 0;
	model_watch_pixel(replay_model(job->gpu), &s->watch);
	return true;
}

/* The first run: what there is. */
static bool collect(void *ctx, const struct replay_job *job)
{
	struct stages *s = ctx;
	uint32_t n = job->submit->number, *more = realloc(s->known, (n + 1ull) * sizeof(*more));

	if (s->given->before)
		s->given->before(s->given->ctx, job);
	draws_of_job(&s->draws, job);
	s->draws.full |= !more;
	for (s->known = more ? more : s->known; more && s->num_submits <= n; s->num_submits++)
		s->known[s->num_submits] = (uint32_t)s->draws.num;
	return before(ctx, job);
}

static bool after(void *ctx, const struct replay_job *job)
{
	struct stages *s = ctx;
	struct replay_picture picture;

	if (job->failed && !s->failed[0])
		snprintf(s->failed, sizeof(s->failed), "submit %u: %s", job->submit->number, job->failed);
	if (limn_replay_picture(job, &picture)) {
		free(s->picture.rgba);
		s->picture = picture;
	}
	return true;
}

static void on_report(void *ctx, const char *text)
{
	const struct stages *s = ctx;

	if (s->given->report)
		s->given->report(s->given->ctx, text);
}

static void on_activity(void *ctx, const char *unit, bool begins, uint64_t slices)
{
	const struct stages *s = ctx;

	s->given->activity(s->given->ctx, unit, begins, slices);
}

static int run(struct stages *s, bool (*begin)(void *ctx, const struct replay_job *job), struct limn_error *err)
{
	struct replay_options o = *s->given;
	struct replay_totals totals;

	o.ctx = s;
	o.before = begin;
	o.activity = begin == collect && s->given->activity ? on_activity : NULL;
	o.job = after;
	o.report = on_report;
	s->failed[0] = 0;
	free(s->picture.rgba);
	s->picture = (struct replay_picture){ .rgba = NULL };
	limn_capture_rewind(s->capture);
	return replay_here(s->capture, &o, &totals, err);
}

int stages_run(struct stages *s, uint32_t upto, struct limn_error *err)
{
	s->upto = upto;
	s->odd = s->num;
	return run(s, before, err);
}

bool stages_show(const struct stages *s, uint32_t width, uint32_t height, struct limn_error *err)
{
	if (s->picture.rgba && s->picture.width == width && s->picture.height == height)
		return true;
	limn_fail(err, -1, "without its last draws it shows another picture");
	return false;
}

int stages_run_odd(struct stages *s, uint32_t draw, enum model_permit permit, struct limn_error *err)
{
	s->upto = s->num;
	s->odd = draw;
	s->watch.width = s->picture.width;
	s->watch.height = s->picture.height;
	s->permit = permit;
	return run(s, before, err);
}

int stages_open(struct stages *s, const char *path, const struct replay_options *given, struct limn_error *err)
{
	struct limn_error why;
	int ret;

	*s = (struct stages){ .given = given, .upto = UINT32_MAX, .watch = { .x = -1, .y = -1, .ctx = s, .allow = allow } };
	if (limn_capture_open(path, &s->capture, err))
		return -1;
	ret = run(s, collect, &why);
	if (ret)
		limn_fail(err, -1, "%.120s: %.60s", path, why.text);
	else if (limn_capture_damage(s->capture))
		ret = limn_fail(err, -1, "%.120s: %.130s", path, limn_capture_damage(s->capture));
	s->draw = calloc(s->draws.num + 1, sizeof(*s->draw));
	if (!ret && (s->draws.full || !s->draw))
		ret = limn_fail(err, -1, "%.120s: out of memory", path);
	for (uint32_t i = 0; !ret && i < s->draws.num; i++)
		if (!s->draws.list[i].copy)
			s->draw[s->num++] = i;
	if (ret)
		stages_close(s);
	return ret;
}

void stages_close(struct stages *s)
{
	free(s->picture.rgba);
	free(s->draw);
	free(s->known);
	draws_free(&s->draws);
	limn_capture_close(s->capture);
}

void stages_name(const struct stages *s, uint32_t stage, char *text, size_t size)
{
	const struct draw *d = &s->draws.list[s->draw[stage]];

	snprintf(text, size, "draw %u of submit %u (%s)", d->index, d->submit, d->what);
}
