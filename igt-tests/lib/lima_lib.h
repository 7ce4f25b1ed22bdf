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

#include "igt_syncobj.h"
#include "sw_sync.h"

#define SEC_NS		1000000000ll
#define PAGE_BYTES	4096u

/* --- Device ----------------------------------------------------------- */

/* A new file on the first render node that speaks the lima ABI; skips without one. */
int lima_open(void);
/* The same, -1 when there is none (any more). */
int lima_try_open(void);
/* The module behind the node: "lima" or "limn". */
const char *lima_module(void);
bool lima_is_limn(void);
/* How long a job may run, ms (the driver's module parameter, or lima's default). */
unsigned int lima_timeout_ms(void);
uint64_t lima_param(int fd, uint32_t param);
uint32_t lima_num_pp(int fd);

/* An ioctl through igt_ioctl (restarted when a signal interrupts it): 0 or -errno. */
int lima_try(int fd, unsigned long request, void *arg);
/* The same without the restart. */
int lima_try_once(int fd, unsigned long request, void *arg);

/* --- Buffers and contexts --------------------------------------------- */

struct lima_bo {
	int fd;
	uint32_t handle, size, va;
	uint32_t *map;		/* NULL for a heap */
};

int lima_try_create(int fd, uint32_t size, uint32_t flags, uint32_t *handle);
uint32_t lima_create(int fd, uint32_t size, uint32_t flags);
void lima_info(int fd, uint32_t handle, uint32_t *va, uint64_t *offset);
int lima_try_wait(int fd, uint32_t handle, uint32_t op, int64_t timeout_ns);
/* Waits until the GPU has written and read; fails the subtest after 2 job timeouts. */
void lima_wait_idle(int fd, uint32_t handle);

struct lima_bo lima_bo_new(int fd, uint32_t size);
struct lima_bo lima_bo_heap(int fd, uint32_t size);
void lima_bo_free(struct lima_bo *bo);

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

void lima_job_use(struct lima_job *job, const struct lima_bo *bo, uint32_t flags);
/* The ioctl's argument for the job, to be spoiled by refusal tests. */
struct drm_lima_gem_submit lima_job_args(struct lima_job *job);
int lima_try_submit(int fd, struct lima_job *job);
void lima_submit(int fd, struct lima_job *job);

/* --- Fences ----------------------------------------------------------- */

/* Monotonic clock, ns, relative_ns from now. */
int64_t lima_time(int64_t relative_ns);
/* Submits with a new out syncobj; the fence is to be given to lima_fence_end(). */
uint32_t lima_submit_fence(int fd, struct lima_job *job);
/* 1 signalled well, 0 not yet, a negative errno when the job failed. */
int lima_fence_status(int fd, uint32_t syncobj);
/*
 * Waits for the end of the job, destroys the syncobj. Returns 0 or the job's
 * error; fails the subtest when the fence is still open after wait_ms
 * (0: two and a half job timeouts).
 */
int lima_fence_end(int fd, uint32_t syncobj, unsigned int wait_ms);
/* Waits may take that many job timeouts from now on: for tests whose clients queue up hangs. */
void lima_be_patient(unsigned int timeouts);
/* Submits and waits: 0 or the job's error. */
int lima_run(int fd, struct lima_job *job);

/* A software fence in a syncobj: holds jobs back until it is released. */
struct lima_gate {
	int timeline;
	uint32_t syncobj;
};

struct lima_gate lima_gate_new(int fd);
void lima_gate_open(const struct lima_gate *gate);
void lima_gate_free(int fd, struct lima_gate *gate);

#endif
