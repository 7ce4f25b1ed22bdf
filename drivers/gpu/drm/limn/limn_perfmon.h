/* SPDX-License-Identifier: GPL-2.0-only */
/* Performance counters: what a family of GPUs can count, and sums over jobs. */
#ifndef LIMN_PERFMON_H
#define LIMN_PERFMON_H

#include <linux/kref.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <drm/limn_drm.h>

struct limn_device;
struct limn_file;
struct limn_job;
struct limn_pipe;

/* Something that a kind of unit can count. */
struct limn_perf_signal {
	u32 number;
	const char *name;
};

/* A kind of unit that can count. */
struct limn_perf_domain {
	const char *name;
	/** @slots: signals at the same time */
	unsigned int slots;
	/** @pipes: bit n: jobs of pipe n use these units */
	u32 pipes;
	const struct limn_perf_signal *signals;
	unsigned int num_signals;
	/** @shared: the units count other clients' jobs, too, which run at the same time */
	bool shared;
};

/**
 * struct limn_perfmon - counters, and their sums over the jobs that named it
 */
struct limn_perfmon {
	/** @ref: the handle's, the device's, and one for each of these jobs */
	struct kref ref;
	/** @device: counts the jobs that name none */
	bool device;
	/** @count: of @counter */
	unsigned int count;
	/** @counter: what, and in which slot of its domain */
	struct {
		u32 domain;
		u32 signal;
		u32 slot;
	} counter[DRM_LIMN_PERFMON_MAX];
	/** @read_lock: one reader at a time: a reset subtracts exactly what was read */
	struct mutex read_lock;
	/** @lock: protects @jobs and @value; taken by interrupt handlers, innermost */
	spinlock_t lock;
	/** @jobs: that ended well (@lock) */
	u64 jobs;
	/** @value: sums over @jobs (@lock) */
	u64 value[DRM_LIMN_PERFMON_MAX];
};

/* What one job has counted (&limn_pipe.lock of its pipe). */
struct limn_perf_job {
	struct limn_perfmon *mon;
	/** @value: so far, in the order of &limn_perfmon.counter */
	u64 value[DRM_LIMN_PERFMON_MAX];
	/** @lost: somebody else needed the counters */
	bool lost;
};

int limn_perfmon_bind(struct limn_job *job, struct limn_file *lfile, u32 id);
void limn_perfmon_release(struct limn_job *job);
void limn_perfmon_start(struct limn_pipe *pipe, struct limn_job *job);
void limn_perfmon_ended(struct limn_job *job, int error);
void limn_perfmon_close_all(struct limn_device *ldev, struct limn_file *lfile);
unsigned int limn_perf_num_domains(struct limn_device *ldev);

#endif
