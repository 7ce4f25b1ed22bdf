/* SPDX-License-Identifier: MIT */
/*
 * liblimn: a GPU, its buffers, its jobs.
 *
 * The library prints nothing and never exits. Functions that can fail return
 * 0 or a negative errno, and describe the failure in *err when err is not
 * NULL. Threads may share a device; what one thread makes with it (a BO, a frame, a
 * stream), only one uses at a time.
 *
 * Structs that a program fills and that may grow begin with their size: sizeof of
 * what the program knows; 0 means what they were at first.
 *
 * A device sits on a backend: the DRM driver (limn_open), or anything that
 * offers the same verbs (limn_open_backend; the tool plugs in the model).
 */
#ifndef LIMN_H
#define LIMN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <drm/limn_drm.h>

struct limn_error {
	char text[256];
};

/* Writes err->text when err is not NULL; returns code. */
int limn_fail(struct limn_error *err, int code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

enum limn_family { LIMN_UTGARD, LIMN_VIVANTE };

/* Utgard's, then what a Vivante core executes a stream with. */
enum limn_pipe { LIMN_PIPE_GP, LIMN_PIPE_PP, LIMN_PIPE_3D, LIMN_PIPE_2D };

#define LIMN_MAX_CORES	4
#define LIMN_NUM_PARAMS	0x20

struct limn_info {
	char driver[32];	/* "lima", "etnaviv", or the backend's name */
	char desc[128];
	int version[3];
	char path[64];		/* of the render node, "" in-process */
	enum limn_family family;
	/* Vivante: what the etnaviv GET_PARAM says of each core; index is ETNAVIV_PARAM_*. */
	uint32_t num_cores;
	uint64_t params[LIMN_MAX_CORES][LIMN_NUM_PARAMS];
	/* Utgard. */
	uint32_t gpu;		/* 400, 450 */
	uint32_t num_pp;
	uint32_t gp_version, pp_version;	/* the cores' version registers */
	uint64_t isolation;	/* DRM_LIMN_ISOLATION_*; 0: nothing, or the driver does not say */
	bool says_isolation;
};

#define LIMN_BO_HEAP	1u	/* size is an upper bound; the driver backs it when needed */

struct limn_bo {
	struct limn_device *dev;
	uint32_t handle;
	uint32_t size;
	uint32_t va;		/* where the GPU sees it; 0: only the kernel knows (relocations) */
	void *map;		/* where the CPU sees it; NULL for a heap */
};

#define LIMN_READ	1u
#define LIMN_WRITE	2u

/* A BO that a job uses, and how. */
struct limn_use {
	const struct limn_bo *bo;
	uint32_t flags;		/* LIMN_READ | LIMN_WRITE */
};

/* What a job waits for, or signals. */
struct limn_sync {
	uint32_t syncobj;	/* or, with LIMN_SYNC_FILE, a sync file's descriptor, which stays the caller's */
	uint32_t flags;
	uint64_t point;		/* of a timeline; 0: a binary syncobj */
};

#define LIMN_SYNC_FILE	1u	/* to wait for only */

/*
 * How jobs are queued, beyond their BOs' implicit sync. limn.ko does all of it. On lima.ko and
 * etnaviv.ko the library waits for in itself, before it submits, and contexts, perfmons and submits
 * without implicit sync fail with -ENOTSUP, as do timelines (lima.ko) and syncobjs (etnaviv.ko).
 */
struct limn_how {
	size_t size;		/* sizeof(struct limn_how) */
	uint32_t ctx;		/* of limn_ctx_create(); 0: the device's own */
	uint32_t perfmon;	/* counts while the jobs run; 0: none */
	bool no_implicit_sync;	/* the BOs' fences neither delay the jobs nor tell of them */
	/* The first job waits for all of in; the last one signals all of out. */
	const struct limn_sync *in, *out;
	uint32_t num_in, num_out;
};

/* A word of a stream that holds the address of a byte in a BO; words ascend. */
struct limn_reloc {
	uint32_t word;		/* index in the stream */
	const struct limn_bo *bo;
	uint32_t offset;	/* bytes into bo */
};

/*
 * A job of one pipe. Vivante: words is an FE stream for core (index into
 * limn_info.params) without END or LINK, its addresses written as va + offset.
 * Utgard: frame is struct drm_lima_gp_frame, drm_lima_m400_pp_frame
 * or drm_lima_m450_pp_frame of drm/lima_drm.h. It starts after the last job
 * that wrote one of its BOs (implicit sync), unless how says otherwise.
 */
struct limn_submit {
	size_t size;		/* sizeof(struct limn_submit) */
	enum limn_pipe pipe;
	const void *frame;
	uint32_t frame_size;
	const struct limn_use *uses;
	uint32_t num_uses;
	uint32_t core;
	const uint32_t *words;
	uint32_t num_words;
	const struct limn_reloc *relocs;
	uint32_t num_relocs;
	const struct limn_how *how;	/* NULL: in the device's own context */
};

/* Most jobs of one limn_submit_batch(). */
#define LIMN_BATCH_JOBS	32

/* A BO that jobs of a batch use: bit n stands for job n. */
struct limn_batch_use {
	const struct limn_bo *bo;
	uint32_t read, write;
};

/*
 * Jobs that belong together. Their own uses are not looked at. Each starts
 * when the one before it has ended, and is given up when that one fails.
 */
struct limn_batch {
	size_t size;		/* sizeof(struct limn_batch) */
	const struct limn_submit *jobs;	/* their own how is not looked at */
	uint32_t num_jobs;
	const struct limn_batch_use *uses;
	uint32_t num_uses;
	const struct limn_how *how;
};

/* The end of a submitted job. */
struct limn_fence {
	struct limn_device *dev;
	uint64_t id;		/* the backend's: a syncobj, a job number */
};

/*
 * What a backend offers. priv is what limn_open_backend() was given. The library calls
 * get_info, wait, fence_times and close at any time, the others one at a time.
 */
struct limn_backend {
	size_t size;		/* sizeof(struct limn_backend) */
	int (*get_info)(void *priv, struct limn_info *info, struct limn_error *err);
	int (*bo_create)(void *priv, uint32_t size, uint32_t flags, struct limn_bo *bo,
			 struct limn_error *err);
	void (*bo_free)(void *priv, struct limn_bo *bo);
	int (*submit)(void *priv, const struct limn_submit *submit, uint64_t *fence,
		      struct limn_error *err);
	/* May be NULL, or say -ENOTSUP: then the jobs are submitted one by one. */
	int (*submit_batch)(void *priv, const struct limn_batch *batch, uint64_t *fences,
			    struct limn_error *err);
	int (*wait)(void *priv, uint64_t fence, int64_t timeout_ns, struct limn_error *err);
	/* May be NULL. */
	int (*fence_times)(void *priv, uint64_t fence, uint64_t *ended_ns, uint64_t *woken_ns);
	void (*fence_free)(void *priv, uint64_t fence);
	void (*close)(void *priv);
	/* May be NULL. */
	void (*bo_label)(void *priv, const struct limn_bo *bo, const char *label);
	/* The render node; NULL or negative: there is none, and nothing that needs one works. */
	int (*get_fd)(void *priv);
	/* May be NULL. A BO that another device made: a descriptor of PRIME. */
	int (*bo_import)(void *priv, int fd, struct limn_bo *bo, struct limn_error *err);
	/* May be NULL. A sync file that signals as the fence does; the caller closes it. */
	int (*fence_file)(void *priv, uint64_t fence, int *fd, struct limn_error *err);
};

/*
 * Opens the render node at path, or the first whose driver is lima when path
 * is NULL. -ENOENT: there is none; -ENOTSUP: another driver's node.
 */
int limn_open(const char *path, struct limn_device **dev, struct limn_error *err);
/* The same for nodes whose driver is etnaviv. */
int limn_open_vivante(const char *path, struct limn_device **dev, struct limn_error *err);
/* Either: the node at path, or the first of both, Utgard's first. */
int limn_open_any(const char *path, struct limn_device **dev, struct limn_error *err);
/* Takes over priv: it is closed with the device, and also when this fails. */
int limn_open_backend(const struct limn_backend *ops, void *priv, struct limn_device **dev,
		      struct limn_error *err);
void limn_close(struct limn_device *dev);
const struct limn_info *limn_get_info(const struct limn_device *dev);

/* size in bytes, rounded up to pages by the kernel; contents are zero. */
int limn_bo_create(struct limn_device *dev, uint32_t size, uint32_t flags, struct limn_bo **bo,
		   struct limn_error *err);
void limn_bo_free(struct limn_bo *bo);
/* What debugfs and dumps call the BO, where the driver is limn: printable ASCII, cut to what the driver takes. */
void limn_bo_label(struct limn_bo *bo, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* On a backend whose jobs run inside submit, a job that fails is an error of the submit. */
int limn_submit(struct limn_device *dev, const struct limn_submit *submit,
		struct limn_fence *fence, struct limn_error *err);
/*
 * Queues all jobs or none, in one ioctl where the driver has it (limn.ko), else
 * one by one. fences: num_jobs of them.
 */
int limn_submit_batch(struct limn_device *dev, const struct limn_batch *batch,
		      struct limn_fence *fences, struct limn_error *err);
/*
 * 0: the job has ended well; -ETIME: still running after timeout_ns (relative;
 * negative: for ever); -EIO, -ECANCELED or what the driver put on the fence:
 * the job failed.
 */
int limn_wait(struct limn_fence *fence, int64_t timeout_ns, struct limn_error *err);
/*
 * CLOCK_MONOTONIC, ns: when the job's fence signalled, and when the last limn_wait()
 * of this device woke up. -ENOTSUP: the backend does not know.
 */
int limn_fence_times(struct limn_fence *fence, uint64_t *ended_ns, uint64_t *woken_ns);
void limn_fence_free(struct limn_fence *fence);
/* A sync file (Linux sync_file) that signals as the fence does, with its error; the caller closes it. */
int limn_fence_file(struct limn_fence *fence, int *fd, struct limn_error *err);

/*
 * --- What limn.ko can do beyond the user ABIs of lima and etnaviv; <drm/limn_drm.h> tells all of
 * it. -ENOTSUP: this device cannot.
 */

/* The node's descriptor, which stays the device's; -1: it has none. */
int limn_get_fd(const struct limn_device *dev);
/* param: enum drm_limn_param. */
int limn_get_param(struct limn_device *dev, uint32_t param, uint64_t *value, struct limn_error *err);

/* priority: enum drm_limn_priority, HIGH for who may (-EPERM); timeout_ms: of each job; 0: the driver's. */
int limn_ctx_create(struct limn_device *dev, int priority, uint32_t timeout_ms, uint32_t *ctx, struct limn_error *err);
int limn_ctx_free(struct limn_device *dev, uint32_t ctx, struct limn_error *err);
/* Whether it has been reset, and why; whether it is banned. */
int limn_ctx_query(struct limn_device *dev, uint32_t ctx, struct drm_limn_ctx_query *state, struct limn_error *err);
/* The last jobs from number first on: *num is in: entries that there is room for; and out: that there are. */
int limn_job_stats(struct limn_device *dev, uint32_t ctx, uint64_t first, struct drm_limn_job_stat *stats, uint32_t *num,
		   struct limn_error *err);

/* Whether the BO's contents matter; *retained (may be NULL): whether they are still there. */
int limn_bo_madvise(struct limn_bo *bo, bool needed, bool *retained, struct limn_error *err);

/* --- What any of these drivers can do, the kernel being Linux --- */

/* A descriptor of PRIME, for other devices and processes; the caller closes it. */
int limn_bo_export(struct limn_bo *bo, int *fd, struct limn_error *err);
int limn_bo_import(struct limn_device *dev, int fd, struct limn_bo **bo, struct limn_error *err);

/* point: of a timeline; 0: a binary syncobj. timeout_ns: as of limn_wait(); -ETIME. */
int limn_syncobj_create(struct limn_device *dev, bool signalled, uint32_t *syncobj, struct limn_error *err);
void limn_syncobj_destroy(struct limn_device *dev, uint32_t syncobj);
int limn_syncobj_wait(struct limn_device *dev, uint32_t syncobj, uint64_t point, int64_t timeout_ns, struct limn_error *err);
int limn_syncobj_signal(struct limn_device *dev, uint32_t syncobj, uint64_t point, struct limn_error *err);
/* The fence that a binary one has now, as a sync file that the caller closes; and the other way. */
int limn_syncobj_get_file(struct limn_device *dev, uint32_t syncobj, int *fd, struct limn_error *err);
int limn_syncobj_set_file(struct limn_device *dev, uint32_t syncobj, int fd, struct limn_error *err);

/* --- Counters: limn.ko's --- */

/* Describe domain number domain of DRM_LIMN_PARAM_NUM_PERF_DOMAINS, and its counter number index. */
int limn_perf_domain(struct limn_device *dev, uint32_t domain, struct drm_limn_perf_domain *to, struct limn_error *err);
int limn_perf_signal(struct limn_device *dev, uint32_t domain, uint32_t index, struct drm_limn_perf_signal *to,
		     struct limn_error *err);
/* flags: DRM_LIMN_PERFMON_*. */
int limn_perfmon_create(struct limn_device *dev, uint32_t flags, const struct drm_limn_perf_counter *counters, uint32_t num,
			uint32_t *perfmon, struct limn_error *err);
/* num: as many as it was created with; *jobs (may be NULL): that are counted. */
int limn_perfmon_read(struct limn_device *dev, uint32_t perfmon, bool reset, uint64_t *values, uint32_t num, uint64_t *jobs,
		      struct limn_error *err);
int limn_perfmon_destroy(struct limn_device *dev, uint32_t perfmon, struct limn_error *err);

#endif
