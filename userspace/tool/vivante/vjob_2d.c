// SPDX-License-Identifier: MIT
/* Statements of a job for the 2D engine. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tool/vivante/vjob.h"

static void read_clear(struct vjob_parser *v)
{
	job_expect(v->r, JOB_WORD, "color");
	for (int i = 0; i < 4; i++)
		v->job->clear_color[i] = job_number(v->r, "colour", 0, 1);
}

static void read_frames(struct vjob_parser *v)
{
	v->p->job->frames = job_integer(v->r, "frames", 1, 1000000);
}

/* image NAME WIDTH HEIGHT SOURCE */
static void read_image(struct vjob_parser *v)
{
	struct vjob *job = v->job;
	struct vjob_image *m = &job->images[job->num_images];
	float *texels;

	if (job->num_images == VJOB_MAX_IMAGES) {
		job_fail(v->r, "more than %u images", VJOB_MAX_IMAGES);
		return;
	}
	if (v->r->token != JOB_WORD || strlen(v->r->text) >= sizeof(m->name)) {
		job_fail(v->r, "image: a name is expected");
		return;
	}
	memcpy(m->name, v->r->text, strlen(v->r->text) + 1);
	job_next(v->r);
	m->width = job_integer(v->r, "width", 1, VJOB_MAX_SIZE);
	m->height = job_integer(v->r, "height", 1, VJOB_MAX_SIZE);
	if (v->r->failed)
		return;
	texels = malloc((uint64_t)m->width * m->height * 16);
	m->rgba = job_alloc(v->p->job, (uint64_t)m->width * m->height * 4);
	if (!texels || !m->rgba)
		job_fail(v->r, "out of memory");
	else
		job_source(v->p, m->width, m->height, texels);
	for (uint32_t i = 0; i < m->width * m->height * 4 && !v->r->failed; i++) {
		float x = texels[i] < 0 ? 0 : texels[i] > 1 ? 1 : texels[i];

		m->rgba[i] = lrintf(x * 255);
	}
	free(texels);
	if (!v->r->failed)
		job->num_images++;
}

static uint32_t read_image_name(struct vjob_parser *v)
{
	for (uint32_t i = 0; i < v->job->num_images; i++)
		if (job_accept(v->r, v->job->images[i].name))
			return i;
	job_fail(v->r, "no image '%s'", v->r->text);
	return 0;
}

static uint32_t read_color(struct vjob_parser *v)
{
	static const int shift[4] = { 16, 8, 0, 24 };
	uint32_t argb = 0;

	for (int i = 0; i < 4; i++)
		argb |= (uint32_t)lrint(job_number(v->r, "colour", 0, 1) * 255) << shift[i];
	return argb;
}

/* X Y WIDTH HEIGHT within a surface */
static struct viv_rect read_rect(struct vjob_parser *v, uint32_t width, uint32_t height)
{
	struct viv_rect r;

	r.x1 = job_integer(v->r, "x", 0, width - 1);
	r.y1 = job_integer(v->r, "y", 0, height - 1);
	r.x2 = r.x1 + job_integer(v->r, "width", 1, width - r.x1);
	r.y2 = r.y1 + job_integer(v->r, "height", 1, height - r.y1);
	return r;
}

static void add(struct vjob_parser *v, const struct vjob_op *op)
{
	uint32_t room = v->room_ops ? v->room_ops * 2 : 16;
	struct vjob_op *ops;

	if (v->r->failed)
		return;
	if (v->job->num_ops == v->room_ops) {
		ops = job_alloc(v->p->job, room * sizeof(*ops));
		if (!ops || room > 1 << 16) {
			job_fail(v->r, ops ? "too many operations" : "out of memory");
			return;
		}
		if (v->job->num_ops)
			memcpy(ops, v->job->ops, v->job->num_ops * sizeof(*ops));
		v->job->ops = ops;
		v->room_ops = room;
	}
	v->job->ops[v->job->num_ops++] = *op;
}

static void read_fill(struct vjob_parser *v)
{
	struct vjob_op op = { .kind = VJOB_FILL };

	op.to = read_rect(v, v->job->width, v->job->height);
	op.argb = read_color(v);
	add(v, &op);
}

/* copy IMAGE SX SY X Y WIDTH HEIGHT [rop CODE] */
static void read_copy(struct vjob_parser *v)
{
	struct vjob_op op = { .kind = VJOB_COPY, .image = read_image_name(v), .rop = 0xcc };
	const struct vjob_image *m = &v->job->images[op.image];

	if (v->r->failed)
		return;
	op.from.x1 = job_integer(v->r, "source x", 0, m->width - 1);
	op.from.y1 = job_integer(v->r, "source y", 0, m->height - 1);
	op.to = read_rect(v, v->job->width, v->job->height);
	if (op.to.x2 - op.to.x1 > (int)m->width - op.from.x1 || op.to.y2 - op.to.y1 > (int)m->height - op.from.y1)
		job_fail(v->r, "the rectangle is larger than what '%s' has from there", m->name);
	if (job_accept(v->r, "rop"))
		op.rop = job_integer(v->r, "rop", 0, 255);
	add(v, &op);
}

/* stretch IMAGE SX SY SWIDTH SHEIGHT X Y WIDTH HEIGHT */
static void read_stretch(struct vjob_parser *v)
{
	struct vjob_op op = { .kind = VJOB_STRETCH, .image = read_image_name(v) };

	if (v->r->failed)
		return;
	op.from = read_rect(v, v->job->images[op.image].width, v->job->images[op.image].height);
	op.to = read_rect(v, v->job->width, v->job->height);
	add(v, &op);
}

static void read_line(struct vjob_parser *v)
{
	struct vjob_op op = { .kind = VJOB_LINE };

	op.to.x1 = job_integer(v->r, "x", 0, v->job->width - 1);
	op.to.y1 = job_integer(v->r, "y", 0, v->job->height - 1);
	op.to.x2 = job_integer(v->r, "x", 0, v->job->width - 1);
	op.to.y2 = job_integer(v->r, "y", 0, v->job->height - 1);
	op.argb = read_color(v);
	add(v, &op);
}

/* rotate IMAGE 90|180|270|flip-x|flip-y X Y: the whole image */
static void read_rotate(struct vjob_parser *v)
{
	static const char *const modes[] = { "90", "180", "270", "flip-x", "flip-y", NULL };
	static const uint32_t codes[] = {
		DE_ROT_MODE_ROT90, DE_ROT_MODE_ROT180, DE_ROT_MODE_ROT270, DE_ROT_MODE_FLIP_X, DE_ROT_MODE_FLIP_Y
	};
	struct vjob_op op = { .kind = VJOB_ROTATE, .image = read_image_name(v) };
	uint32_t mode = job_choice(v->r, "rotate", modes), w, h;

	if (v->r->failed)
		return;
	w = v->job->images[op.image].width;
	h = v->job->images[op.image].height;
	op.rotation = codes[mode];
	op.to.x1 = job_integer(v->r, "x", 0, v->job->width - 1);
	op.to.y1 = job_integer(v->r, "y", 0, v->job->height - 1);
	op.to.x2 = op.to.x1 + (mode == 0 || mode == 2 ? h : w);
	op.to.y2 = op.to.y1 + (mode == 0 || mode == 2 ? w : h);
	if (op.to.x2 > v->job->width || op.to.y2 > v->job->height)
		job_fail(v->r, "the image does not fit there");
	add(v, &op);
}

const struct vjob_statement vjob_2d_statements[] = {
	{ "clear", read_clear },
	{ "frames", read_frames },
	{ "image", read_image },
	{ "fill", read_fill },
	{ "copy", read_copy },
	{ "stretch", read_stretch },
	{ "line", read_line },
	{ "rotate", read_rotate },
	{ NULL, NULL },
};
