/* SPDX-License-Identifier: GPL-2.0-only */
/* From checked ioctl arguments to queued jobs. */
#ifndef LIMN_SUBMIT_H
#define LIMN_SUBMIT_H

#include <linux/types.h>

struct dma_fence;
struct dma_fence_chain;
struct drm_file;
struct drm_syncobj;
struct limn_device;
struct limn_job;
struct sync_file;

/* BOs of one ioctl: Mesa lists a few dozen; this many can be no mistake. */
#define LIMN_MAX_SUBMIT_BOS	65536

/* Jobs of one ioctl: bits of a word. */
#define LIMN_MAX_SUBMIT_JOBS	32

/* The BO takes no part in implicit sync: its fences delay no job, the jobs' delay nobody. */
#define LIMN_BO_NO_IMPLICIT	BIT(0)

/* A BO that jobs use. */
struct limn_submit_bo {
	u32 handle;
	u32 flags;		/* LIMN_BO_* */
	u32 read;		/* bit n: by job n */
	u32 write;
	u64 va;			/* where a pinned one must be; 0: anywhere */
};

/* A fence's way out: to a syncobj, to a point of its timeline, or to a new sync file. */
struct limn_submit_out {
	struct drm_syncobj *syncobj;	/* NULL: a sync file, behind @fd */
	struct dma_fence_chain *chain;	/* NULL: binary */
	u64 point;
	struct sync_file *file;		/* NULL until there is a fence */
	int fd;
};

/* A job, and what is only its own. */
struct limn_submit_job {
	/* Checked, from limn_job_create(); always consumed. */
	struct limn_job *job;
	/* Bit n: job n of the same submit must have ended well. */
	u32 wait_jobs;
	/* Handle of what counts while it runs; 0: what counts everybody's jobs, if anything. */
	u32 perfmon;
	/* A pipe whose last queued job must end well, or this one is cancelled; or -1. */
	int guard_pipe;
	/* limn_submit()'s: the dependency added last; @in or a reserved BO holds it. */
	const struct dma_fence *waits;
	/* Fences that the job waits for; the caller's references. */
	struct dma_fence **in;
	u32 num_in;
	/* Where its fence goes; consumed on success, the caller's otherwise. */
	struct limn_submit_out *out;
	u32 num_out;
};

struct limn_submit_args {
	u32 ctx;
	u32 nr_bos;
	/* Writes nr_bos entries: what userspace listed. 0 or an error. */
	int (*read_bos)(const struct limn_submit_args *args, struct limn_submit_bo *bos);
	/* Wait for no fence that a BO carries; the jobs' fences go there all the same. */
	bool explicit_sync;
	struct limn_submit_job *jobs;
	u32 num_jobs;

	/* The last that may fail; nobody has seen the first job's fence yet. May be NULL. */
	int (*armed)(const struct limn_submit_args *args, struct dma_fence *fence);
};

int limn_submit(struct limn_device *ldev, struct drm_file *file,
		const struct limn_submit_args *args, u64 *first_id);

/* Before a submit, where nothing is locked: the ends of what it is to signal. */
int limn_submit_out_syncobj(struct drm_file *file, u32 handle, u64 point,
			    struct limn_submit_out *out);
int limn_submit_out_fd(struct limn_submit_out *out);
void limn_submit_out_drop(struct limn_submit_out *out);

#endif
