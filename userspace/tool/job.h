/* SPDX-License-Identifier: MIT */
/*
 * Job files: Documentation/job-format.rst describes the text; this is what it
 * turns into. job_read() reads and checks a whole file before anything is
 * done; a failure is one line, FILE:LINE:COLUMN: cause.
 */
#ifndef LIMN_TOOL_JOB_H
#define LIMN_TOOL_JOB_H

#include <stdbool.h>
#include <stdint.h>

#include "isa/isa.h"
#include "lib/utgard/utgard.h"

#define JOB_MAX_VERTICES	65535u
#define JOB_MAX_DRAWS		4096u
#define JOB_MAX_NUMBERS		(1u << 22)

/* Vertex data of one attribute. */
struct job_attribute {
	uint32_t format;	/* GP_STREAM() */
	uint32_t vertices;
	uint32_t bytes;
	uint8_t *data;
};

struct job_indices {
	uint8_t index_bytes;
	uint32_t count;
	void *data;
};

struct job_texture {
	struct utgard_image image;
	uint8_t *data;		/* image.bytes, as the GPU reads them */
};

/* A shader: its words and what a reading of them told. */
struct job_shader {
	int line;		/* where its text begins */
	uint32_t *words;
	uint32_t bytes;
	uint32_t prefetch;	/* vertex: index of the last instruction that loads an attribute */
	bool discards;
	struct isa_use *uses;	/* what it names from outside */
	uint32_t num_uses;
};

/* A draw: all state as it stood at its line. BOs are filled in when it is drawn. */
struct job_draw {
	int line;
	struct utgard_draw draw;
	const struct job_attribute *attributes[UTGARD_MAX_ATTRIBUTES];
	const struct job_indices *indices;
	const struct job_texture *textures[UTGARD_MAX_TEXTURES];
};

struct vjob;

struct job {
	struct vjob *vivante;		/* a job for Vivante: all but frames and blocks is there (tool/vivante/vjob.h) */
	struct utgard_target target;
	uint32_t frames;
	struct job_draw *draws;
	uint32_t num_draws;
	struct job_block *blocks;	/* all memory of the job */
};

/* 0; -1 with a line in err. path is for messages and for files named in the job. */
int job_read(const char *path, struct job **job, struct limn_error *err);
/* The same from text; files named in it are looked up relative to path's folder. */
int job_parse(const char *path, const char *text, struct job **job, struct limn_error *err);
void job_free(struct job *job);
/* Zeroed memory that job_free() frees; NULL when there is none. */
void *job_alloc(struct job *job, uint64_t bytes);

/* A job's frame on a device, with the BOs it uses. */
struct job_frame;
int job_frame_create(const struct job *job, struct limn_device *dev, struct job_frame **frame,
		     struct limn_error *err);
struct utgard_frame *job_frame_get(struct job_frame *frame);
/* width x height x 4 bytes RGBA, top row first. */
void job_frame_read(const struct job *job, const struct job_frame *frame, uint8_t *rgba);
void job_frame_free(struct job_frame *frame);

#endif
