// SPDX-License-Identifier: MIT
/* From a job to a frame on a device. */
#include <stdlib.h>
#include <string.h>

#include "tool/job.h"

/* A BO and the data of the job that it holds; draws share what they share in the job. */
struct upload {
	const void *of;
	struct limn_bo *bo;
};

struct job_frame {
	struct limn_device *dev;
	struct utgard_frame *frame;
	struct upload *uploads;
	uint32_t num_uploads, room_uploads;
};

static struct limn_bo *upload(struct job_frame *f, const void *of, const void *data,
			      uint32_t bytes, struct limn_error *err)
{
	uint32_t room = f->room_uploads * 2 + 16;
	struct upload *uploads;
	struct limn_bo *bo;

	for (uint32_t i = 0; i < f->num_uploads; i++)
		if (f->uploads[i].of == of)
			return f->uploads[i].bo;
	if (f->num_uploads == f->room_uploads) {
		uploads = realloc(f->uploads, room * sizeof(*uploads));
		if (!uploads) {
			limn_fail(err, -1, "out of memory");
			return NULL;
		}
		f->uploads = uploads;
		f->room_uploads = room;
	}
	if (limn_bo_create(f->dev, bytes, 0, &bo, err))
		return NULL;
	memcpy(bo->map, data, bytes);
	f->uploads[f->num_uploads++] = (struct upload) { of, bo };
	return bo;
}

static int add_draw(struct job_frame *f, const struct job_draw *jd, struct limn_error *err)
{
	struct utgard_draw draw = jd->draw;

	for (uint32_t i = 0; i < draw.num_attributes; i++) {
		const struct job_attribute *a = jd->attributes[i];

		draw.attributes[i].format = a->format;
		draw.attributes[i].offset = 0;
		draw.attributes[i].bo = upload(f, a, a->data, a->bytes, err);
		if (!draw.attributes[i].bo)
			return -1;
	}
	for (uint32_t i = 0; i < draw.num_textures; i++) {
		const struct job_texture *t = jd->textures[i];

		draw.textures[i].image = &t->image;
		draw.textures[i].bo = upload(f, t, t->data, t->image.bytes, err);
		if (!draw.textures[i].bo)
			return -1;
	}
	return utgard_draw(f->frame, &draw, err);
}

int job_frame_create(const struct job *job, struct limn_device *dev, struct job_frame **out,
		     struct limn_error *err)
{
	struct job_frame *f = calloc(1, sizeof(*f));
	int ret;

	if (!f)
		return limn_fail(err, -1, "out of memory");
	f->dev = dev;
	ret = utgard_frame_create(dev, &job->target, &f->frame, err);
	for (uint32_t i = 0; i < job->num_draws && !ret; i++)
		ret = add_draw(f, &job->draws[i], err);
	if (!ret)
		ret = utgard_frame_end(f->frame, err);
	if (ret) {
		job_frame_free(f);
		return ret;
	}
	*out = f;
	return 0;
}

struct utgard_frame *job_frame_get(struct job_frame *f)
{
	return f->frame;
}

void job_frame_read(const struct job *job, const struct job_frame *f, uint8_t *rgba)
{
	const struct utgard_pixel *pixel = job->target.pixel;
	uint32_t stride;
	const uint8_t *rows = utgard_frame_pixels(f->frame, &stride);

	for (uint32_t y = 0; y < job->target.height; y++)
		for (uint32_t x = 0; x < job->target.width; x++, rgba += 4)
			pixel->decode(rows + y * stride + x * pixel->bytes, rgba);
}

void job_frame_free(struct job_frame *f)
{
	if (!f)
		return;
	utgard_frame_free(f->frame);
	for (uint32_t i = 0; i < f->num_uploads; i++)
		limn_bo_free(f->uploads[i].bo);
	free(f->uploads);
	free(f);
}
