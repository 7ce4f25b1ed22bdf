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

	if (m) {
		op->image = m - p->scene->images;
		return m;
	}
	job_error_unless(p, a->at, "no image '%s'%s", a->text, did_you_mean(a->text, image_names, p->scene));
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
static void take_rect(struct job_parser *p, struct viv_rect *rect, uint32_t width, uint32_t height)
{
	rect->x1 = take_within(p, 0, width - 1);
	rect->y1 = take_within(p, 0, height - 1);
	rect->x2 = rect->x1 + take_within(p, 1, width - rect->x1);
	rect->y2 = rect->y1 + take_within(p, 1, height - rect->y1);
}

static void take_target(struct job_parser *p, struct job_op *op)
{
	take_rect(p, &op->op.to, p->scene->target.width, p->scene->target.height);
}

/* With the states of 'state' as they are. */
static void add(struct job_parser *p, struct job_op *op)
{
	uint32_t n = p->now.state.num_words;
	struct viv_extra *extra;
	struct job_op *ops;

	if (p->scene->num_ops == 1 << 16)
		job_error(p, p->at, "more than %u operations", 1 << 16);
	if (p->failed)
		return;
	ops = job_grow(p, p->scene->ops, p->scene->num_ops, &p->room_ops, sizeof(*op));
	extra = n ? job_memory(p, n * sizeof(*extra)) : NULL;
	if (!ops || p->failed)
		return;
	for (uint32_t i = 0; i < n; i++)
		extra[i] = p->now.state.words[i].vivante;
	op->op.extra = extra;
	op->op.num_extra = n;
	p->scene->ops = ops;
	ops[p->scene->num_ops++] = *op;
}

void job_read_fill(struct job_parser *p)
{
	struct job_op op = { .op.kind = VIV_2D_FILL };

	take_target(p, &op);
	op.op.argb = take_color(p);
	add(p, &op);
}

void job_read_copy(struct job_parser *p)
{
	struct job_op op = { .op = { .kind = VIV_2D_COPY, .rop = 0xcc } };
	const struct job_image *m = take_image(p, &op);
	struct viv_rect *from = &op.op.from, *to = &op.op.to;
	struct place at = p->args[3].at;

	if (!m)
		return;
	from->x1 = take_within(p, 0, m->width - 1);
	from->y1 = take_within(p, 0, m->height - 1);
	take_target(p, &op);
	if (to->x2 - to->x1 > (int)m->width - from->x1 || to->y2 - to->y1 > (int)m->height - from->y1)
		job_error(p, at, "the rectangle is larger than what '%s' has from there", m->name);
	if (job_took(p, "rop"))
		op.op.rop = job_whole(p);
	add(p, &op);
}

void job_read_stretch(struct job_parser *p)
{
	struct job_op op = { .op.kind = VIV_2D_STRETCH };
	const struct job_image *m = take_image(p, &op);

	if (!m)
		return;
	take_rect(p, &op.op.from, m->width, m->height);
	take_target(p, &op);
	add(p, &op);
}

void job_read_line(struct job_parser *p)
{
	uint32_t width = p->scene->target.width, height = p->scene->target.height;
	struct job_op op = { .op.kind = VIV_2D_LINE };

	op.op.to.x1 = take_within(p, 0, width - 1);
	op.op.to.y1 = take_within(p, 0, height - 1);
	op.op.to.x2 = take_within(p, 0, width - 1);
	op.op.to.y2 = take_within(p, 0, height - 1);
	op.op.argb = take_color(p);
	add(p, &op);
}

void job_read_rotate(struct job_parser *p)
{
	uint32_t width = p->scene->target.width, height = p->scene->target.height;
	struct job_op op = { .op.kind = VIV_2D_ROTATE };
	const struct job_image *m = take_image(p, &op);
	struct viv_rect *to = &op.op.to;
	bool quarter;

	if (!m)
		return;
	op.op.rotation = job_whole(p);
	quarter = op.op.rotation == DE_ROT_MODE_ROT90 || op.op.rotation == DE_ROT_MODE_ROT270;
	to->x1 = take_within(p, 0, width - 1);
	to->y1 = take_within(p, 0, height - 1);
	to->x2 = to->x1 + (quarter ? m->height : m->width);
	to->y2 = to->y1 + (quarter ? m->width : m->height);
	if (to->x2 > width || to->y2 > height)
		job_error(p, job_here(p), "the image does not fit there");
	add(p, &op);
}
