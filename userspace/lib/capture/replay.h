/* SPDX-License-Identifier: MIT */
/*
 * A capture again: on a device, or on what else carries out jobs (the limn command has the models).
 * Every file of the client gets a GPU of its own, as it had an address space of its own. Utgard's
 * addresses stay what they were: they are in the lists. A Vivante job's are put in anew.
 */
#ifndef LIMN_LIB_CAPTURE_REPLAY_H
#define LIMN_LIB_CAPTURE_REPLAY_H

#include "lib/capture/capture.h"

/* Memory of a replay, by the addresses that its jobs use. */
struct replay_bo {
	uint32_t handle, va;
	uint8_t *map;		/* NULL: a heap */
	uint64_t size;
};

struct replay_gpu;

/* A job that has run; its lists are the capture's. */
struct replay_job {
	struct capture *capture;
	const struct capture_submit *submit;
	struct replay_gpu *gpu;
	const uint32_t *words;		/* Vivante: the stream with this replay's addresses */
	const char *failed;		/* NULL: it has ended well */
};

/* Results of the jobs up to a submit that are not what was recorded. */
struct replay_difference {
	const struct capture_bo *bo;
	uint32_t submit;	/* the last one before */
	uint64_t offset;	/* of the first byte that differs */
	uint64_t bytes;		/* how many differ */
	uint8_t is, was;	/* there */
};

struct replay_options {
	const char *model;	/* NULL: of the capture's GPU */
	const char *device;	/* a render node; NULL: the model */
	bool strict;
	uint64_t seed;
	uint64_t threads;	/* of the model; 0: as many as there are CPUs */
	uint32_t last;		/* submit to end behind; UINT32_MAX: all */
	void *ctx;
	/* All may be NULL. A line of the model's; a job has run; a result differs; false from job: end here. */
	void (*report)(void *ctx, const char *text);
	bool (*before)(void *ctx, const struct replay_job *job);
	/* On the model: a unit begins its work, or ends it; slices of work that this GPU has done since the last call. */
	void (*activity)(void *ctx, const char *unit, bool begins, uint64_t slices);
	bool (*job)(void *ctx, const struct replay_job *job);
	void (*difference)(void *ctx, const struct replay_difference *difference);
	/* After each event: bytes of the capture that are behind it, and all. */
	void (*progress)(uint64_t done, uint64_t all);
};

struct replay_totals {
	uint32_t submits, refused, failed;	/* refused ones are not run */
	uint64_t compared, differing;		/* bytes of results */
	uint32_t results, different;		/* BOs compared, those that differ */
};

struct replay_carrier;

/* On what carrier is; 0; -1 with a line in err: the capture is none, or this GPU cannot. */
int limn_replay_run(struct capture *capture, const struct replay_carrier *carrier, const struct replay_options *options,
		    struct replay_totals *totals, struct limn_error *err);

/* len bytes of GPU memory in one piece; NULL: no BO has them. */
const uint8_t *limn_replay_memory(const struct replay_job *job, uint32_t va, uint64_t len);
/* What a job has drawn. 8-bit RGBA, malloc'ed; false: it has no target that can be shown. */
struct replay_picture {
	uint32_t width, height;
	uint8_t *rgba;
};

bool limn_replay_picture(const struct replay_job *job, struct replay_picture *picture);

/* What carries out jobs: the model or a device. All: 0 or -1 with a line in err. */
struct replay_carrier {
	int (*open)(const struct replay_options *o, const struct capture_file *file, struct replay_gpu **gpu,
		    struct limn_error *err);
	void (*close)(struct replay_gpu *gpu);
	/* va: 0 where the GPU may choose. */
	int (*create)(struct replay_gpu *gpu, const struct capture_bo *bo, uint32_t va, struct replay_bo *to,
		      struct limn_error *err);
	void (*free)(struct replay_gpu *gpu, struct replay_bo *bo);
	/* Runs the job to its end. 1: it failed, and err says how. */
	int (*submit)(struct replay_gpu *gpu, const struct capture_submit *s, const uint32_t *words, struct limn_error *err);
};

extern const struct replay_carrier limn_replay_on_device;

#endif
