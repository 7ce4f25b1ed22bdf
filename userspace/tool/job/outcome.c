// SPDX-License-Identifier: MIT
/* What came out of a scene against what it expects. */
#include <math.h>
#include <string.h>

#include "tool/job/job.h"

static void say(const struct job_expect *e, struct messages *messages, const char *text)
{
	message_add(messages, MESSAGE_ERROR, e->at, messages->note, "%s", text);
}

static bool is(const uint8_t *pixel, const float *want, double within)
{
	for (int c = 0; c < 4; c++)
		if (want[c] > (float)JOB_ANY / 2 && !(fabs(pixel[c] - (double)want[c]) <= within))
			return false;
	return true;
}

static void check_pixels(const struct job_scene *scene, const struct job_expect *e, const uint8_t *rgba,
			 struct messages *messages)
{
	uint32_t wrong = 0, first = 0, stride = scene->target.width;
	const uint8_t *pixel;
	const float *want;
	char more[40] = "";

	for (uint32_t i = 0; i < e->width * e->height; i++) {
		pixel = rgba + 4 * ((e->y + i / e->width) * stride + e->x + i % e->width);
		if (!is(pixel, e->values + (e->each ? 0 : 4 * i), e->within) && !wrong++)
			first = i;
	}
	if (!wrong)
		return;
	pixel = rgba + 4 * ((e->y + first / e->width) * stride + e->x + first % e->width);
	want = e->values + (e->each ? 0 : 4 * first);
	if (wrong > 1)
		snprintf(more, sizeof(more), "; %u pixels are wrong", wrong);
	message_add(messages, MESSAGE_ERROR, e->at, messages->note, "pixel %u,%u is %u %u %u %u, not %g %g %g %g%s",
		    e->x + first % e->width, e->y + first / e->width, pixel[0], pixel[1], pixel[2], pixel[3],
		    (double)want[0], (double)want[1], (double)want[2], (double)want[3], more);
}

static uint32_t count(const struct job_scene *scene, const struct job_expect *e, const uint8_t *rgba)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < scene->target.width * scene->target.height; i++)
		n += is(rgba + 4 * i, e->values, e->within);
	return n;
}

static void check_count(const struct job_scene *scene, const struct job_expect *e, const uint8_t *rgba,
			struct messages *messages)
{
	uint32_t n = count(scene, e, rgba);

	if (n != e->x)
		message_add(messages, MESSAGE_ERROR, e->at, messages->note, "%u pixels are %g %g %g %g, not %u", n,
			    (double)e->values[0], (double)e->values[1], (double)e->values[2], (double)e->values[3], e->x);
}

static void check_depth(const struct job_expect *e, const struct job_frame *frame, struct messages *messages)
{
	uint32_t stencil;
	double depth;

	if (!job_frame_read_depth(frame, e->x, e->y, &depth, &stencil))
		say(e, messages, "there is no depth buffer that can be read");
	else if (e->kind == JOB_EXPECT_STENCIL && stencil != e->values[0])
		message_add(messages, MESSAGE_ERROR, e->at, messages->note, "stencil at %u,%u is %u, not %g", e->x, e->y,
			    stencil, (double)e->values[0]);
	else if (e->kind == JOB_EXPECT_DEPTH && !(fabs(depth - (double)e->values[0]) <= e->within))
		message_add(messages, MESSAGE_ERROR, e->at, messages->note, "depth at %u,%u is %.9g, not %g", e->x, e->y, depth,
			    (double)e->values[0]);
}

static void check_same(const struct job_scene *scene, const struct job_expect *e, const struct job_outcome *out,
		       struct messages *messages)
{
	size_t bytes = (size_t)scene->target.width * scene->target.height * 4;

	for (uint32_t i = 0; i < out->num_pictures; i++) {
		const struct job_picture *p = &out->pictures[i];
		size_t at = 0;

		if (!p->name || strcmp(p->name, e->text))
			continue;
		if (p->bytes != bytes) {
			say(e, messages, "the other scene has another size");
			return;
		}
		while (at < bytes && p->rgba[at] == out->rgba[at])
			at++;
		if (at < bytes)
			message_add(messages, MESSAGE_ERROR, e->at, messages->note, "pixel %zu,%zu is another than in '%s'",
				    at / 4 % scene->target.width, at / 4 / scene->target.width, e->text);
		return;
	}
	message_add(messages, MESSAGE_ERROR, e->at, messages->note, "no scene '%s' was drawn before this one", e->text);
}

/* Reports: each that is expected is there, and in strict mode no other. */
static void check_reports(const struct job_scene *scene, const struct job_outcome *out, struct messages *messages)
{
	bool any = false;

	for (uint32_t i = 0; i < scene->num_expects; i++) {
		const struct job_expect *e = &scene->expects[i];
		bool told = false;

		if (e->kind != JOB_EXPECT_REPORT)
			continue;
		any = true;
		for (uint32_t k = 0; k < out->num_reports; k++)
			told |= strstr(out->reports[k], e->text) != NULL;
		if (!told)
			message_add(messages, MESSAGE_ERROR, e->at, messages->note, "the model did not report this%s%s",
				    out->num_reports ? ", but: " : "", out->num_reports ? out->reports[0] : "");
	}
	if (!any && out->strict && out->num_reports)
		message_add(messages, MESSAGE_ERROR, scene->at, messages->note, "the model reports: %s", out->reports[0]);
}

/* Where nothing tells which draw failed: the only one, or the first, and how far it is to the last. */
static void place_draws(const struct job_scene *scene, struct place *at, char *where, size_t size)
{
	const struct job_draw *first = scene->draws, *last = scene->draws + scene->num_draws - 1;

	if (!scene->num_draws)
		return;
	*at = first->at;
	if (first == last)
		snprintf(where, size, "that is the only draw");
	else
		snprintf(where, size, "one of the %u draws from here to line %u", scene->num_draws, last->at.line);
}

/* What the core lacks begins with the line of the draw or target that needs it. */
static const char *place_lack(const struct job_scene *scene, const char *error, struct place *at)
{
	unsigned int line;
	int n = 0;

	if (sscanf(error, "line %u: %n", &line, &n) != 1 || !n)
		return error;
	*at = scene->target.at;
	for (uint32_t i = 0; i < scene->num_draws && at->line != line; i++)
		*at = scene->draws[i].at;
	return error + n;
}

/* The error at the line of the job that it is about: it names that, or the first report that does. */
static void say_why(const struct job_scene *scene, const struct job_outcome *out, struct messages *messages)
{
	struct place at = scene->at;
	const char *error = out->frame ? out->error : place_lack(scene, out->error, &at);
	char where[200] = "", note[420];
	bool found = out->frame && job_frame_explain(out->frame, out->error, &at, where, sizeof(where));

	for (uint32_t i = 0; i < out->num_reports && !found && out->frame; i++)
		found = job_frame_explain(out->frame, out->reports[i], &at, where, sizeof(where));
	if (!found && out->frame)
		place_draws(scene, &at, where, sizeof(where));
	snprintf(note, sizeof(note), "%s%s%s", where, where[0] && messages->note ? "; " : "",
		 messages->note ? messages->note : "");
	message_add(messages, MESSAGE_ERROR, at, note[0] ? note : NULL, "%s", error);
}

static void check_error(const struct job_scene *scene, const struct job_outcome *out, struct messages *messages)
{
	bool any = false;

	for (uint32_t i = 0; i < scene->num_expects; i++) {
		const struct job_expect *e = &scene->expects[i];

		if (e->kind != JOB_EXPECT_ERROR)
			continue;
		any = true;
		if (!out->error)
			say(e, messages, "it did not fail");
		else if (!strstr(out->error, e->text))
			message_add(messages, MESSAGE_ERROR, e->at, messages->note, "it failed otherwise: %s", out->error);
	}
	if (!any && out->error)
		say_why(scene, out, messages);
}

void job_check_outcome(const struct job_scene *scene, const struct job_outcome *out, struct messages *messages)
{
	char note[200] = "";

	if (scene->name)
		snprintf(note, sizeof(note), "scene: %s", scene->name);
	messages->note = note[0] ? note : NULL;
	check_error(scene, out, messages);
	check_reports(scene, out, messages);
	for (uint32_t i = 0; i < scene->num_expects && !out->error; i++) {
		const struct job_expect *e = &scene->expects[i];

		if (e->answer)
			continue;
		if (e->kind == JOB_EXPECT_PIXELS)
			check_pixels(scene, e, out->rgba, messages);
		else if (e->kind == JOB_EXPECT_COUNT)
			check_count(scene, e, out->rgba, messages);
		else if (e->kind == JOB_EXPECT_DEPTH || e->kind == JOB_EXPECT_STENCIL)
			check_depth(e, out->frame, messages);
		else if (e->kind == JOB_EXPECT_SAME)
			check_same(scene, e, out, messages);
	}
	messages->note = NULL;
}

uint32_t job_probe_words(const struct job_scene *scene, const uint8_t *rgba, uint32_t *words)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < scene->num_expects; i++) {
		const struct job_expect *e = &scene->expects[i];
		const uint8_t *p = rgba + 4 * (e->y * scene->target.width + e->x);

		if (e->answer && e->kind == JOB_EXPECT_COUNT)
			words[n++] = count(scene, e, rgba);
		else if (e->answer)
			words[n++] = p[0] | p[1] << 8 | p[2] << 16 | (uint32_t)p[3] << 24;
	}
	return n;
}

static bool fits(const struct job_expect *e, uint32_t word)
{
	uint8_t pixel[4] = { word, word >> 8, word >> 16, word >> 24 };

	return e->kind == JOB_EXPECT_COUNT ? word == e->x : is(pixel, e->values, e->within);
}

/* Whether all parts of an answer are as the words. */
static bool answers(const struct job_scene *scene, const uint32_t *words, const char *answer)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < scene->num_expects; i++) {
		const struct job_expect *e = &scene->expects[i];

		if (e->answer && !fits(e, words[n++]) && !strcmp(e->answer, answer))
			return false;
	}
	return true;
}

const char *job_probe_answer(const struct job_scene *scene, const uint32_t *words)
{
	for (uint32_t i = 0; i < scene->num_expects; i++)
		if (scene->expects[i].answer && answers(scene, words, scene->expects[i].answer))
			return scene->expects[i].answer;
	return "other";
}
