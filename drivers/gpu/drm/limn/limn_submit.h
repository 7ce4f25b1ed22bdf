/* SPDX-License-Identifier: GPL-2.0-only */
/* From checked ioctl arguments to a queued job. */
#ifndef LIMN_SUBMIT_H
#define LIMN_SUBMIT_H

#include <linux/types.h>

struct dma_fence;
struct drm_file;
struct limn_device;
struct limn_job;
struct limn_pipe;

/* BOs of one job: Mesa lists a few dozen; this many can be no mistake. */
#define LIMN_MAX_SUBMIT_BOS	65536

#define LIMN_BO_READ	BIT(0)
#define LIMN_BO_WRITE	BIT(1)

/* A BO that a job uses. */
struct limn_submit_bo {
	u32 handle;
	u32 flags;
	u64 va;			/* with &limn_backend.lazy_va: where it must be; 0: anywhere */
};

struct limn_submit_args {
	u32 ctx;
	unsigned int pipe;
	u32 nr_bos;
	/* Writes nr_bos entries: what userspace listed. 0 or an error. */
	int (*read_bos)(const struct limn_submit_args *args, struct limn_submit_bo *bos);
	bool explicit_sync;
	u32 in_sync[2];		/* syncobj handles, 0: none */
	u32 out_sync;
	/* A job with a checked frame, from limn_job_create(); always consumed. */
	struct limn_job *job;
	/* Called with all mappings in place: find the heap, put in addresses. May be NULL. */
	int (*bind)(const struct limn_submit_args *args);
	/* Called to add what else the job waits for. May be NULL. */
	int (*add_deps)(const struct limn_submit_args *args);
	/* Called with the job's fence, which nobody else has seen yet. May be NULL. */
	int (*armed)(const struct limn_submit_args *args, struct dma_fence *fence);
	/* A pipe whose failing job takes this one along, when it is still queued; or -1. */
	int guard_pipe;
};

int limn_submit(struct limn_device *ldev, struct drm_file *file,
		const struct limn_submit_args *args);

#endif
