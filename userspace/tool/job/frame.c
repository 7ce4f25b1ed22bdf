// SPDX-License-Identifier: MIT
/* From a job to a frame on a device: what the families share. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tool/job/frame.h"

/* "cube.limn:47 attribute": what a dump calls the BO, by the line of the draw that it was made for. */
static void label(const struct job_frame *f, struct limn_bo *bo, const char *name, uint32_t draw)
{
	const struct place *at = draw < f->scene->num_draws ? &f->scene->draws[draw].at : &f->scene->target.at;
	const char *path = at->source ? at->source->path : "", *slash = strrchr(path, '/');

	limn_bo_label(bo, "%s:%u %s", slash ? slash + 1 : path, at->line, name);
}

struct limn_bo *job_upload(struct job_frame *f, const char *name, uint32_t draw, const void *of, const void *data,
			   uint32_t bytes, struct limn_error *err)
{
	uint32_t room = f->room_uploads * 2 + 16;
	struct job_upload *uploads;
	struct limn_bo *bo;

	for (uint32_t i = 0; i < f->num_uploads && of; i++)
		if (f->uploads[i].of == of)
			return f->uploads[i].bo;
	if (f->num_uploads == f->room_uploads) {
		uploads = realloc(f->uploads, room * sizeof(*uploads));
		if (!uploads) {
			limn_fail(err, -ENOMEM, "out of memory");
			return NULL;
		}
		f->uploads = uploads;
		f->room_uploads = room;
	}
	if (limn_bo_create(f->dev, bytes, 0, &bo, err))
		return NULL;
	if (data)
		memcpy(bo->map, data, bytes);
	f->uploads[f->num_uploads++] = (struct job_upload){ of, name, draw, bo };
	label(f, bo, name, draw);
	return bo;
}

bool job_takes(const struct job *job, const struct limn_device *dev, struct limn_error *err)
{
	const struct limn_info *info = limn_get_info(dev);
	struct viv_specs specs;

	if (info->family != job_device_family(job->family))
		limn_fail(err, -ENOTSUP, "a job for %s, but the device is not one; --model %s is",
			  job->family == JOB_UTGARD ? "Utgard" : "Vivante", job_family_model(job->family));
	else if (job->family != JOB_UTGARD && !limn_viv_specs_find(&specs, info, job->family == JOB_VIVANTE))
		limn_fail(err, -ENOTSUP, "the GPU has no %s pipe; --model %s has one", job->family == JOB_VIVANTE ? "3D" : "2D",
			  job_family_model(job->family));
	else
		return true;
	return false;
}

bool job_fits(const struct job *job, const struct limn_device *dev)
{
	struct viv_specs specs;

	/* The library has a vertex stream for each attribute: a GC600 has one. */
	return job_takes(job, dev, NULL) && (job->family != JOB_VIVANTE ||
	       (limn_viv_specs_find(&specs, limn_get_info(dev), true) && specs.stream_count > 1));
}

int job_frame_create(const struct job *job, const struct job_scene *scene, struct limn_device *dev,
		     struct job_frame **out, struct limn_error *err)
{
	const struct job_frame_ops *ops = job->family == JOB_UTGARD ? &job_utgard_ops : &job_vivante_ops;
	struct job_frame *f;
	int ret;

	if (!job_takes(job, dev, err))
		return -ENOTSUP;
	f = calloc(1, ops->size);
	if (!f)
		return limn_fail(err, -ENOMEM, "out of memory");
	f->ops = ops;
	f->job = job;
	f->scene = scene;
	f->dev = dev;
	ret = ops->build(f, err);
	if (ret) {
		job_frame_free(f);
		return ret;
	}
	*out = f;
	return 0;
}

int job_frame_submit(struct job_frame *f, struct limn_error *err)
{
	return f->ops->submit(f, err);
}

int job_frame_wait(struct job_frame *f, int64_t timeout_ns, struct limn_error *err)
{
	return f->ops->wait(f, timeout_ns, err);
}

void job_frame_read(const struct job_frame *f, uint8_t *rgba)
{
	f->ops->read(f, rgba);
}

bool job_frame_read_depth(const struct job_frame *f, uint32_t x, uint32_t y, double *depth, uint32_t *stencil)
{
	return f->ops->read_depth && f->ops->read_depth(f, x, y, depth, stencil);
}

bool job_frame_is_in(const struct job_frame *f, const struct job_memory *memory)
{
	return f->ops->is_in(f, memory);
}

void job_frame_free(struct job_frame *f)
{
	if (!f)
		return;
	f->ops->free(f);
	for (uint32_t i = 0; i < f->num_uploads; i++)
		limn_bo_free(f->uploads[i].bo);
	free(f->uploads);
	free(f);
}
