/* SPDX-License-Identifier: MIT */
/*
 * The lima user ABI 1.1 for tests: thin verbs on a file descriptor. Those that
 * start with "try" return 0 or a negative errno; the others fail the subtest.
 */
#ifndef LIMA_LIB_H
#define LIMA_LIB_H

#include <stdbool.h>
#include <stdint.h>

#include <drm/lima_drm.h>

#include "gpu_lib.h"

/* --- Device ----------------------------------------------------------- */

/* A new file on the first render node that speaks the lima ABI; skips without one. */
int lima_open(void);
/* The same, -1 when there is none (any more). */
int lima_try_open(void);
uint64_t lima_param(int fd, uint32_t param);
uint32_t lima_num_pp(int fd);

/* --- Buffers and contexts --------------------------------------------- */

int lima_try_create(int fd, uint32_t size, uint32_t flags, uint32_t *handle);
uint32_t lima_create(int fd, uint32_t size, uint32_t flags);
void lima_info(int fd, uint32_t handle, uint32_t *va, uint64_t *offset);
int lima_try_wait(int fd, uint32_t handle, uint32_t op, int64_t timeout_ns);
/* Waits until the GPU has written and read; fails the subtest after 2 job timeouts. */
void lima_wait_idle(int fd, uint32_t handle);

struct gpu_bo lima_bo_new(int fd, uint32_t size);
struct gpu_bo lima_bo_heap(int fd, uint32_t size);

uint32_t lima_ctx_new(int fd);
int lima_try_ctx_free(int fd, uint32_t id);

/* --- Jobs ------------------------------------------------------------- */

#define LIMA_JOB_BOS	16

/* A job as GEM_SUBMIT takes it. Fill frame and bos, then submit. */
struct lima_job {
	uint32_t ctx, pipe;
	union {
		struct drm_lima_gp_frame gp;
		struct drm_lima_m400_pp_frame m400;
		struct drm_lima_m450_pp_frame m450;
	} frame;
	uint32_t frame_size;
	struct drm_lima_gem_submit_bo bos[LIMA_JOB_BOS];
	uint32_t nr_bos;
	uint32_t flags, in_sync[2], out_sync;
};

void lima_job_use(struct lima_job *job, const struct gpu_bo *bo, uint32_t flags);
/* The ioctl's argument for the job, to be spoiled by refusal tests. */
struct drm_lima_gem_submit lima_job_args(struct lima_job *job);
int lima_try_submit(int fd, struct lima_job *job);
void lima_submit(int fd, struct lima_job *job);
/* Submits with a new out syncobj; the fence is to be given to gpu_fence_end(). */
uint32_t lima_submit_fence(int fd, struct lima_job *job);
/* Submits and waits: 0 or the job's error. */
int lima_run(int fd, struct lima_job *job);

#endif
