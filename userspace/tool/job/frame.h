/* SPDX-License-Identifier: MIT */
/* What running a job is, for each family of GPUs; job.h is the outside. */
#ifndef LIMN_TOOL_JOB_FRAME_H
#define LIMN_TOOL_JOB_FRAME_H

#include "tool/job/job.h"

struct job_frame;

struct job_frame_ops {
	size_t size;		/* of what begins with a struct job_frame */
	int (*build)(struct job_frame *frame, struct limn_error *err);
	int (*submit)(struct job_frame *frame, struct limn_error *err);
	int (*wait)(struct job_frame *frame, int64_t timeout_ns, struct limn_error *err);
	void (*read)(const struct job_frame *frame, uint8_t *rgba);
	/* What is at a GPU address, or at a byte of the command stream; either may be NULL. */
	bool (*find)(const struct job_frame *frame, uint32_t va, struct utgard_part *part);
	bool (*find_command)(const struct job_frame *frame, uint32_t word, uint32_t *draw);
	bool (*is_in)(const struct job_frame *frame, const struct job_memory *memory);
	bool (*read_depth)(const struct job_frame *frame, uint32_t x, uint32_t y, double *depth, uint32_t *stencil);
	void (*free)(struct job_frame *frame);
};

extern const struct job_frame_ops job_utgard_ops, job_vivante_ops;

/* A BO and the data of the job that it holds; name and draw: whose it was first. */
struct job_upload {
	const void *of;
	const char *name;
	uint32_t draw;
	struct limn_bo *bo;
};

struct job_frame {
	const struct job_frame_ops *ops;
	const struct job *job;
	const struct job_scene *scene;
	struct limn_device *dev;
	struct job_upload *uploads;
	uint32_t num_uploads, room_uploads;
};

/*
 * A BO with the bytes; of: whose, so that draws share it (NULL: shared by none). data may be NULL. name: what
 * they are ("attribute"), for messages and dumps; draw: its number.
 */
struct limn_bo *job_upload(struct job_frame *f, const char *name, uint32_t draw, const void *of, const void *data,
			   uint32_t bytes, struct limn_error *err);

#endif
