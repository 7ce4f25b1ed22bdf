/* SPDX-License-Identifier: MIT */
/*
 * Small jobs for the extension ABI, the same verbs on every family of GPUs. What
 * a family cannot do skips the subtest.
 *
 * A family has two sides, which are different queues where it has two: on Utgard
 * GP and PP, on Vivante the first core and the last one.
 */
#ifndef LIMN_GPU_H
#define LIMN_GPU_H

#include <drm/limn_drm.h>

#include "gpu_lib.h"

#define LIMN_PICTURE	64u	/* pixels each way */
#define LIMN_JOB_WORDS	1024
#define LIMN_JOB_BOS	16

#define LIMN_READ	1u
#define LIMN_WRITE	2u

/* A job as SUBMIT takes it: commands, and the BOs that it uses. */
struct limn_job {
	uint32_t ctx, queue, exec_state, perfmon;
	uint32_t words[LIMN_JOB_WORDS], size;	/* bytes */
	struct {
		uint32_t handle, how;		/* LIMN_READ, LIMN_WRITE */
	} bos[LIMN_JOB_BOS];
	uint32_t nr_bos;
	uint32_t in_sync;			/* syncobj to wait for, or 0 */
};

/* What each family knows how to do; see the verbs below. */
struct gpu_family {
	const char *name;
	uint32_t dump_family;			/* LIMN_DUMP_* */
	/* Fills in what a client has besides file and context. */
	void (*init)(struct gpu_client *c);
	uint32_t (*queue)(const struct gpu_client *c, int side);
	bool (*can_fault)(const struct gpu_client *c);
	uint32_t (*word)(uint32_t index);
	void (*store)(struct gpu_client *c, struct limn_job *job, uint32_t index, uint32_t value,
		      bool slow);
	void (*clear)(struct gpu_client *c, struct limn_job *job, uint32_t value);
	void (*endless)(struct gpu_client *c, struct limn_job *job, int side);
	void (*endless_shader)(struct gpu_client *c, struct limn_job *job);
	void (*unmapped)(struct gpu_client *c, struct limn_job *job, int side);
	void (*invalid)(struct gpu_client *c, struct limn_job *job, int side);	/* may be NULL */
	int (*wait)(int fd, uint32_t handle, bool write, int64_t timeout_ns);
};

extern const struct gpu_family gpu_utgard, gpu_vivante;

/* --- Device ------------------------------------------------------------- */

/* A new file on the first node; skips unless that has the extension ABI. */
int limn_open(void);
uint64_t limn_param(int fd, uint32_t param);
/* Skips the subtest unless the node has all of DRM_LIMN_FEATURE_*. */
void limn_require(int fd, uint64_t features);

/* --- Clients ------------------------------------------------------------ */

struct gpu_client limn_client_new(void);
/* The same on a file that is already open. */
struct gpu_client limn_client_on(int fd);
/* Frees what it holds one by one; the file too. */
void limn_client_free(struct gpu_client *c);
bool limn_is_utgard(const struct gpu_client *c);
/* The queue of that side's jobs. */
uint32_t limn_queue(const struct gpu_client *c, int side);
/* Whether an address that no BO has makes a job fail with -EFAULT. */
bool limn_can_fault(const struct gpu_client *c);

/* --- Jobs --------------------------------------------------------------- */

/* A job of side 0 that stores value, where limn_word() of the same index is. */
struct limn_job limn_store(struct gpu_client *c, uint32_t index, uint32_t value);
volatile uint32_t *limn_word(const struct gpu_client *c, uint32_t index);
/* The same after a long time, as jobs go. */
struct limn_job limn_long(struct gpu_client *c, uint32_t index, uint32_t value);
/* A job of side 1 that makes every pixel of the picture in target value. */
struct limn_job limn_clear(struct gpu_client *c, uint32_t value);
/* Fails the subtest unless the whole picture is value. */
void limn_check_picture(const struct gpu_client *c, uint32_t value);
/* A store on side 0, a clear on side 1. */
struct limn_job limn_good(struct gpu_client *c, int side, uint32_t value);

/* Never ends by itself: -ETIMEDOUT. */
struct limn_job limn_endless(struct gpu_client *c, int side);
/* The same in a shader, on side 1, where there are shaders. */
struct limn_job limn_endless_shader(struct gpu_client *c);
/* Reaches for an address that no BO has: -EFAULT. Skips where nothing comes of it. */
struct limn_job limn_unmapped(struct gpu_client *c, int side);
/* Hits a command that does not exist: -EIO. Skips where SUBMIT refuses that. */
struct limn_job limn_invalid(struct gpu_client *c, int side);
/* Fails as fast as this GPU can find out: limn_fail_error(). */
struct limn_job limn_failing(struct gpu_client *c, int side);
int limn_fail_error(const struct gpu_client *c);

void limn_job_use(struct limn_job *job, const struct gpu_bo *bo, uint32_t how);

int limn_try_submit(int fd, struct limn_job *job);
void limn_submit(int fd, struct limn_job *job);
/* Submits with a new out syncobj; the fence is to be given to gpu_fence_end(). */
uint32_t limn_submit_fence(int fd, struct limn_job *job);
/* Until the oldest job that the context remembers has started. */
void limn_wait_started(int fd, uint32_t ctx);
/* Submits and waits: 0 or the job's error. */
int limn_run(int fd, struct limn_job *job);

/* Until the GPU no longer writes (or also reads) the BO; 0, or an errno when the time is over. */
int limn_try_wait(int fd, uint32_t handle, bool write, int64_t timeout_ns);
void limn_wait_idle(int fd, uint32_t handle);

/* Jobs that pipes have and that are not freed; of all clients. */
int limn_jobs_held(int fd);
/* The same; waits up to 10 s for that to be @wanted. */
int limn_jobs_held_soon(int fd, int wanted);

/* Both sides' jobs end well and do what they should: the GPU is all right. */
void limn_check_works(struct gpu_client *c);
/* The same with a client of its own. */
void limn_check_gpu(void);

#endif
