// SPDX-License-Identifier: MIT
/* Statements of a job for Vivante's 2D engine. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <limn/vivante/states.h>

#include "tool/job/parser.h"

static struct job_image *image_named(struct job_scene *scene, const char *name)
{
	for (uint32_t i = 0; i < scene->num_images; i++)
		if (!strcmp(scene->images[i].name, name))
			return &scene->images[i];
	return NULL;
}

void job_read_image(struct job_parser *p)
{
	struct job_image *m = &p->scene->images[p->scene->num_images];
	float *texels;

	if (p->scene->num_images == JOB_MAX_IMAGES) {
		job_error(p, p->at, "more than %u images", JOB_MAX_IMAGES);
		return;
	}
	m->name = job_take(p)->text;
	m->width = job_whole(p);
	m->height = job_whole(p);
	texels = malloc((uint64_t)m->width * m->height * 16);
	m->rgba = job_memory(p, (uint64_t)m->width * m->height * 4);
	if (!texels)
		job_error(p, p->at, "out of memory");
	else
		job_source(p, m->width, m->height, texels);
	for (uint32_t i = 0; i < m->width * m->height * 4 && !p->failed; i++) {
		float x = texels[i] < 0 ? 0 : texels[i] > 1 ? 1 : texels[i];

		m->rgba[i] = lrintf(x * 255);
	}
	free(texels);
	p->scene->num_images += !p->failed;
}

static const char *image_names(void *ctx, unsigned int index)
{
	const struct job_scene *scene = ctx;

	return index < scene->num_images ? scene->images[index].name : NULL;
}

/* NULL after an error. */
static const struct job_image *take_image(struct job_parser *p, struct job_op *op)
{
	const struct job_arg *a = job_take(p);
	const struct job_image *m = image_named(p->scene, a->text);
	const char *near;

	if (m) {
		op->image = m - p->scene->images;
		return m;
	}
	near = nearest(a->text, image_names, p->scene);
	job_error_unless(p, a->at, "no image '%s'%s%s%s", a->text, near ? "; did you mean " : "", near ? near : "",
			 near ? "?" : "");
	return NULL;
}

static uint32_t take_color(struct job_parser *p)
{
	static const int shift[4] = { 16, 8, 0, 24 };
	uint32_t argb = 0;

	for (int i = 0; i < 4; i++)
		argb |= (uint32_t)lrint(job_number(p) * 255) << shift[i];
	return argb;
}

/* The next argument, least to most. */
static int32_t take_within(struct job_parser *p, uint32_t least, uint32_t most)
{
	const struct job_arg *a = job_take(p);

	if (a->number < least || a->number > most)
		job_error(p, a->at, "%.*s: %.10g is not in %u to %u", (int)a->length, a->name, a->number, least, most);
	return a->number;
}

/* X Y WIDTH HEIGHT within a surface: left, top, right, bottom */
static void take_rect(struct job_parser *p, int32_t rect[4], uint32_t width, uint32_t height)
{
	rect[0] = take_within(p, 0, width - 1);
	rect[1] = take_within(p, 0, height - 1);
	rect[2] = rect[0] + take_within(p, 1, width - rect[0]);
	rect[3] = rect[1] + take_within(p, 1, height - rect[1]);
}

static void add(struct job_parser *p, const struct job_op *op)
{
	struct job_op *ops;

	if (p->scene->num_ops == 1 << 16)
		job_error(p, p->at, "more than %u operations", 1 << 16);
	if (p->failed)
		return;
	ops = job_grow(p, p->scene->ops, p->scene->num_ops, &p->room_ops, sizeof(*op));
	if (!ops)
		return;
	p->scene->ops = ops;
	ops[p->scene->num_ops++] = *op;
}

void job_read_fill(struct job_parser *p)
{
	struct job_op op = { .kind = JOB_FILL };

	take_rect(p, op.to, p->scene->target.width, p->scene->target.height);
	op.argb = take_color(p);
	add(p, &op);
}

void job_read_copy(struct job_parser *p)
{
	struct job_op op = { .kind = JOB_COPY, .rop = 0xcc };
	const struct job_image *m = take_image(p, &op);
	struct place at = p->args[3].at;

	if (!m)
		return;
	op.from[0] = take_within(p, 0, m->width - 1);
	op.from[1] = take_within(p, 0, m->height - 1);
	take_rect(p, op.to, p->scene->target.width, p->scene->target.height);
	if (op.to[2] - op.to[0] > (int)m->width - op.from[0] || op.to[3] - op.to[1] > (int)m->height - op.from[1])
		job_error(p, at, "the rectangle is larger than what '%s' has from there", m->name);
	if (job_took(p, "rop"))
		op.rop = job_whole(p);
	add(p, &op);
}

void job_read_stretch(struct job_parser *p)
{
	struct job_op op = { .kind = JOB_STRETCH };
	const struct job_image *m = take_image(p, &op);

	if (!m)
		return;
	take_rect(p, op.from, m->width, m->height);
	take_rect(p, op.to, p->scene->target.width, p->scene->target.height);
	add(p, &op);
}

void job_read_line(struct job_parser *p)
{
	struct job_op op = { .kind = JOB_LINE };

	for (int i = 0; i < 4; i++)
		op.to[i] = take_within(p, 0, (i & 1 ? p->scene->target.height : p->scene->target.width) - 1);
	op.argb = take_color(p);
	add(p, &op);
}

void job_read_rotate(struct job_parser *p)
{
	struct job_op op = { .kind = JOB_ROTATE };
	const struct job_image *m = take_image(p, &op);
	bool quarter;

	if (!m)
		return;
	op.rotation = job_whole(p);
	quarter = op.rotation == DE_ROT_MODE_ROT90 || op.rotation == DE_ROT_MODE_ROT270;
	op.to[0] = take_within(p, 0, p->scene->target.width - 1);
	op.to[1] = take_within(p, 0, p->scene->target.height - 1);
	op.to[2] = op.to[0] + (quarter ? m->height : m->width);
	op.to[3] = op.to[1] + (quarter ? m->width : m->height);
	if (op.to[2] > (int)p->scene->target.width || op.to[3] > (int)p->scene->target.height)
		job_error(p, job_here(p), "the image does not fit there");
	add(p, &op);
}
