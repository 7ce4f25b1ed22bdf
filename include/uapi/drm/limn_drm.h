/* SPDX-License-Identifier: (GPL-2.0-only WITH Linux-syscall-note) OR MIT */
/*
 * What limn offers beyond the user ABI of the driver whose name it carries
 * (lima, etnaviv). The ioctls here are the same on both.
 */
#ifndef _LIMN_DRM_H_
#define _LIMN_DRM_H_

#include "drm.h"

#if defined(__cplusplus)
extern "C" {
#endif

/**
 * DOC: extension rules
 *
 * - These ioctls exist where &DRM_IOCTL_VERSION's desc begins with "limn" and
 *   DRM_IOCTL_LIMN_GET_PARAM succeeds. %DRM_LIMN_PARAM_FEATURES tells which of
 *   them do; one that is not there answers -EINVAL like any unknown ioctl.
 * - Numbers start at 0x20 and never change their meaning; new ones come at the
 *   end. Flags and enumerators are added, never removed or reused.
 * - Each structure has the same layout on 32-bit and 64-bit machines: every
 *   field is aligned to its own size, and sizes are multiples of 8.
 * - A structure passed to the ioctl grows at its end only, and so does an entry of
 *   an array (&struct drm_limn_array). What a caller does not know is zero, and
 *   zero means what was before. What the kernel does not know must be zero.
 * - Every pad, and every flag without a meaning, must be zero: -EINVAL.
 * - Fields marked "out" are written by the kernel on success, and ignored
 *   before; where a field is both, it says so.
 * - A request that fails changes nothing, unless its description says
 *   otherwise.
 *
 * Every ioctl can also fail with -ENODEV (the device is gone), -ENOMEM, and,
 * where it may wait, with -ERESTARTSYS on a signal, which libc repeats or turns
 * into EINTR. The other errors are listed with each ioctl's structure.
 */

/**
 * struct drm_limn_array - entries in the caller's memory
 *
 * Errors of an array, with each ioctl that has one: -EINVAL: entries without a
 * stride, a stride that is smaller than the entry was at first, above 4096 or
 * not a multiple of 8; -E2BIG: an entry has a non-zero byte that the kernel does
 * not know; -EFAULT: not readable, or not writable where it is out.
 */
struct drm_limn_array {
	/** @ptr: pointer to the first entry */
	__u64 ptr;
	/** @count: entries */
	__u32 count;
	/** @stride: bytes from one entry to the next: its size, as the caller knows it */
	__u32 stride;
};

/* The array @list of @n entries. */
#define DRM_LIMN_ARRAY(list, n)	\
	{ .ptr = (__u64)(unsigned long)(list), .count = (n), .stride = sizeof((list)[0]) }

#define DRM_LIMN_GET_PARAM		0x20
#define DRM_LIMN_SUBMIT			0x21
#define DRM_LIMN_CTX_CREATE		0x22
#define DRM_LIMN_CTX_FREE		0x23
#define DRM_LIMN_CTX_QUERY		0x24
#define DRM_LIMN_BO_CREATE		0x25
#define DRM_LIMN_BO_USERPTR		0x26
#define DRM_LIMN_BO_INFO		0x27
#define DRM_LIMN_BO_MADVISE		0x28
#define DRM_LIMN_BO_LABEL		0x29
#define DRM_LIMN_BO_SYNC		0x2a
#define DRM_LIMN_JOB_STATS		0x2b
#define DRM_LIMN_PERF_DOMAIN		0x2c
#define DRM_LIMN_PERF_SIGNAL		0x2d
#define DRM_LIMN_PERFMON_CREATE		0x2e
#define DRM_LIMN_PERFMON_READ		0x2f
#define DRM_LIMN_PERFMON_DESTROY	0x30

#define DRM_LIMN_IOCTL_(dir, name, type) \
	DRM_IO##dir(DRM_COMMAND_BASE + DRM_LIMN_##name, struct drm_limn_##type)

#define DRM_IOCTL_LIMN_GET_PARAM	DRM_LIMN_IOCTL_(WR, GET_PARAM, get_param)
#define DRM_IOCTL_LIMN_SUBMIT		DRM_LIMN_IOCTL_(WR, SUBMIT, submit)
#define DRM_IOCTL_LIMN_CTX_CREATE	DRM_LIMN_IOCTL_(WR, CTX_CREATE, ctx_create)
#define DRM_IOCTL_LIMN_CTX_FREE		DRM_LIMN_IOCTL_(W, CTX_FREE, ctx_free)
#define DRM_IOCTL_LIMN_CTX_QUERY	DRM_LIMN_IOCTL_(WR, CTX_QUERY, ctx_query)
#define DRM_IOCTL_LIMN_BO_CREATE	DRM_LIMN_IOCTL_(WR, BO_CREATE, bo_create)
#define DRM_IOCTL_LIMN_BO_USERPTR	DRM_LIMN_IOCTL_(WR, BO_USERPTR, bo_userptr)
#define DRM_IOCTL_LIMN_BO_INFO		DRM_LIMN_IOCTL_(WR, BO_INFO, bo_info)
#define DRM_IOCTL_LIMN_BO_MADVISE	DRM_LIMN_IOCTL_(WR, BO_MADVISE, bo_madvise)
#define DRM_IOCTL_LIMN_BO_LABEL		DRM_LIMN_IOCTL_(W, BO_LABEL, bo_label)
#define DRM_IOCTL_LIMN_BO_SYNC		DRM_LIMN_IOCTL_(W, BO_SYNC, bo_sync)
#define DRM_IOCTL_LIMN_JOB_STATS	DRM_LIMN_IOCTL_(WR, JOB_STATS, job_stats)
#define DRM_IOCTL_LIMN_PERF_DOMAIN	DRM_LIMN_IOCTL_(WR, PERF_DOMAIN, perf_domain)
#define DRM_IOCTL_LIMN_PERF_SIGNAL	DRM_LIMN_IOCTL_(WR, PERF_SIGNAL, perf_signal)
#define DRM_IOCTL_LIMN_PERFMON_CREATE	DRM_LIMN_IOCTL_(WR, PERFMON_CREATE, perfmon_create)
#define DRM_IOCTL_LIMN_PERFMON_READ	DRM_LIMN_IOCTL_(WR, PERFMON_READ, perfmon_read)
#define DRM_IOCTL_LIMN_PERFMON_DESTROY	DRM_LIMN_IOCTL_(W, PERFMON_DESTROY, perfmon_destroy)

/**
 * enum drm_limn_param - what DRM_IOCTL_LIMN_GET_PARAM tells
 */
enum drm_limn_param {
	/** @DRM_LIMN_PARAM_FEATURES: mask of DRM_LIMN_FEATURE_* */
	DRM_LIMN_PARAM_FEATURES = 0,
	/** @DRM_LIMN_PARAM_NUM_QUEUES: queues are numbered from 0 */
	DRM_LIMN_PARAM_NUM_QUEUES = 1,
	/** @DRM_LIMN_PARAM_MAX_JOBS: of one DRM_IOCTL_LIMN_SUBMIT */
	DRM_LIMN_PARAM_MAX_JOBS = 2,
	/** @DRM_LIMN_PARAM_MAX_BOS: of one DRM_IOCTL_LIMN_SUBMIT */
	DRM_LIMN_PARAM_MAX_BOS = 3,
	/** @DRM_LIMN_PARAM_MAX_SYNCS: of one array of &struct drm_limn_sync */
	DRM_LIMN_PARAM_MAX_SYNCS = 4,
	/** @DRM_LIMN_PARAM_TIMEOUT_MS: of contexts that do not ask for one */
	DRM_LIMN_PARAM_TIMEOUT_MS = 5,
	/** @DRM_LIMN_PARAM_MAX_TIMEOUT_MS: that a context may ask for */
	DRM_LIMN_PARAM_MAX_TIMEOUT_MS = 6,
	/** @DRM_LIMN_PARAM_MAX_PRIORITY: &enum drm_limn_priority that this caller may ask for */
	DRM_LIMN_PARAM_MAX_PRIORITY = 7,
	/**
	 * @DRM_LIMN_PARAM_VA_START: first GPU address that a BO may have; 0 only with
	 * %DRM_LIMN_BO_FIXED_VA
	 */
	DRM_LIMN_PARAM_VA_START = 8,
	/** @DRM_LIMN_PARAM_VA_END: first GPU address after those that a BO may have */
	DRM_LIMN_PARAM_VA_END = 9,
	/** @DRM_LIMN_PARAM_RESETS: of a whole GPU or of one queue, since the driver was bound */
	DRM_LIMN_PARAM_RESETS = 10,
	/** @DRM_LIMN_PARAM_NUM_PERF_DOMAINS: of DRM_IOCTL_LIMN_PERF_DOMAIN, numbered from 0 */
	DRM_LIMN_PARAM_NUM_PERF_DOMAINS = 11,
	/** @DRM_LIMN_PARAM_ISOLATION: mask of DRM_LIMN_ISOLATION_* */
	DRM_LIMN_PARAM_ISOLATION = 12,
};

/*
 * Bits of %DRM_LIMN_PARAM_ISOLATION: what of one open file the jobs of another
 * cannot get at, by hardware and driver, whatever commands they are made of.
 */
/* Memory: each file has an address space of its own. Without it a job can reach any memory. */
#define DRM_LIMN_ISOLATION_MEMORY	(1 << 0)
/* What the GPU must not write: BOs that are for reading, in the file itself too. */
#define DRM_LIMN_ISOLATION_READONLY	(1 << 1)
/* Addresses, uniforms and code that the GPU remembers from one job to the next. */
#define DRM_LIMN_ISOLATION_STATE	(1 << 2)

/* Bits of %DRM_LIMN_PARAM_FEATURES. */
#define DRM_LIMN_FEATURE_SUBMIT		(1 << 0)	/* SUBMIT */
#define DRM_LIMN_FEATURE_CTX		(1 << 1)	/* CTX_* */
#define DRM_LIMN_FEATURE_BO		(1 << 2)	/* BO_CREATE, BO_INFO, BO_SYNC */
#define DRM_LIMN_FEATURE_FIXED_VA	(1 << 3)	/* %DRM_LIMN_BO_FIXED_VA */
#define DRM_LIMN_FEATURE_USERPTR	(1 << 4)	/* BO_USERPTR */
#define DRM_LIMN_FEATURE_MADVISE	(1 << 5)	/* BO_MADVISE */
#define DRM_LIMN_FEATURE_LABEL		(1 << 6)	/* BO_LABEL */
#define DRM_LIMN_FEATURE_JOB_STATS	(1 << 7)	/* JOB_STATS */
#define DRM_LIMN_FEATURE_PERFMON	(1 << 8)	/* PERF_*, PERFMON_* */

/**
 * struct drm_limn_get_param - DRM_IOCTL_LIMN_GET_PARAM: facts and limits
 *
 * Errors: -EINVAL: unknown @param, pad not zero.
 */
struct drm_limn_get_param {
	/** @param: &enum drm_limn_param */
	__u32 param;
	/** @pad: 0 */
	__u32 pad;
	/** @value: out */
	__u64 value;
};

/**
 * DOC: submit
 *
 * DRM_IOCTL_LIMN_SUBMIT queues up to %DRM_LIMN_PARAM_MAX_JOBS jobs, all of them
 * or none: when any entry is bad, none runs.
 *
 * Jobs of one queue run in the order of the array. Across queues a job runs as
 * soon as what it waits for allows: earlier jobs of the same ioctl
 * (&drm_limn_job.wait_jobs), syncobjs and sync files (&drm_limn_job.in_syncs),
 * and the fences that its BOs carry, unless that was declined. When an earlier
 * job that it names in wait_jobs fails, a job is cancelled: its fence signals
 * -ECANCELED and it does not run.
 *
 * A job's own fence goes to its BOs and to its out_syncs. It always signals, and
 * has an error when the job did not run to its end: -EFAULT (the MMU refused an
 * address), -EIO (the hardware reported an error or did not start), -ENOSPC
 * (its heap ended), -ENOMEM (there was no memory for its heap to grow), -ETIMEDOUT,
 * -ECANCELED, -ENODEV, -ESRCH (it was still queued when its process was killed, a
 * second after its file was closed, or when the device went).
 *
 * Queues: on Utgard 0 is the geometry processor, 1 the pixel processors; on
 * Vivante each core has one.
 */

/**
 * DOC: wait before signal
 *
 * A job may wait for a fence that does not exist yet, with
 * %DRM_LIMN_SYNC_WAIT_FOR_SUBMIT: somebody will submit later what signals this
 * syncobj, or this point. The ioctl sleeps until the fence is there. No job is queued
 * by then, and no lock is held; a signal interrupts it (-ERESTARTSYS, and it
 * may be repeated), and after 5 s without a fence it fails with -ETIME.
 *
 * It is not queued to wait in the kernel, because its own out_syncs would then be
 * fences that depend on what userspace does next, and those who wait for them,
 * memory reclaim among them, must not. A client that has more to do meanwhile
 * submits from a thread of its own, or waits with
 * %DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE first. Without the flag a syncobj that has
 * no fence is refused.
 */

/* A sync file's descriptor; otherwise a syncobj's handle. */
#define DRM_LIMN_SYNC_FD		(1 << 0)
/* in_syncs only: wait until the point has a fence; see "wait before signal" above. */
#define DRM_LIMN_SYNC_WAIT_FOR_SUBMIT	(1 << 1)

/**
 * struct drm_limn_sync - what a job waits for, or signals
 */
struct drm_limn_sync {
	/** @flags: DRM_LIMN_SYNC_* */
	__u32 flags;
	/**
	 * @handle: of a syncobj; with %DRM_LIMN_SYNC_FD a file descriptor, which
	 * is input in in_syncs (and stays the caller's), and out in out_syncs
	 * (after an error it means nothing)
	 */
	__u32 handle;
	/** @point: of a timeline; 0 for a binary syncobj or a file descriptor */
	__u64 point;
};

/* The jobs do not wait for this BO's fences, and others do not wait for the jobs because of it. */
#define DRM_LIMN_SUBMIT_BO_NO_IMPLICIT	(1 << 0)

/**
 * struct drm_limn_submit_bo - a BO that jobs of one ioctl use
 *
 * It stays mapped until the last of these jobs is done, even if its handle is
 * closed. A BO that no job reads or writes is kept alive, and nothing else.
 */
struct drm_limn_submit_bo {
	/** @handle: of the BO; each may be listed once */
	__u32 handle;
	/** @flags: DRM_LIMN_SUBMIT_BO_* */
	__u32 flags;
	/** @read: bit n: job n reads it */
	__u32 read;
	/** @write: bit n: job n writes it */
	__u32 write;
};

/**
 * struct drm_limn_job - one run of one queue
 */
struct drm_limn_job {
	/** @queue: where it runs */
	__u32 queue;
	/** @flags: 0 */
	__u32 flags;
	/**
	 * @cmd: pointer to what the queue is to do: on Utgard the frame that
	 * DRM_IOCTL_LIMA_GEM_SUBMIT takes, on Vivante the words of the stream,
	 * with GPU addresses in their places
	 */
	__u64 cmd;
	/** @cmd_size: bytes at @cmd */
	__u32 cmd_size;
	/** @exec_state: on Vivante an ETNA_PIPE_* that the queue has; on Utgard 0 */
	__u32 exec_state;
	/** @wait_jobs: bit n: job n of this array must have finished; n below its own index */
	__u32 wait_jobs;
	/** @perfmon: counts while this job runs; 0: at most the one of DRM_LIMN_PERFMON_DEVICE */
	__u32 perfmon;
	/** @in_syncs: &struct drm_limn_sync to wait for */
	struct drm_limn_array in_syncs;
	/** @out_syncs: &struct drm_limn_sync to signal */
	struct drm_limn_array out_syncs;
};

/* No BO of this ioctl takes part in implicit sync. */
#define DRM_LIMN_SUBMIT_NO_IMPLICIT	(1 << 0)

/**
 * struct drm_limn_submit - DRM_IOCTL_LIMN_SUBMIT: queue jobs, all or none
 *
 * Errors:
 *
 * - -EINVAL: unknown flag; no jobs or BOs, or too many of them or of syncs; a
 *   stride (&struct drm_limn_array); a bit for a job that is not there;
 *   wait_jobs names the job itself or a later one; unknown queue or exec_state;
 *   a wrong cmd_size, or commands that the driver refuses; on Vivante more than
 *   128 KiB of them in a job or 1 MiB in all jobs; a point for a file
 *   descriptor, or a descriptor that is no sync file; a syncobj without a fence
 *   at the point; a flag that makes no sense for an out_sync
 * - -E2BIG: an entry of an array has a non-zero byte that the kernel does not know
 * - -ENOENT: no such context, BO, syncobj or perfmon
 * - -EALREADY: a BO is listed twice
 * - -EFAULT: a pointer that cannot be read, or written where it is to be
 * - -ECANCELED: the context is banned
 * - -EMFILE: no free file descriptor for an out_sync
 * - -ETIME: %DRM_LIMN_SYNC_WAIT_FOR_SUBMIT waited for 5 s in vain
 * - -ENXIO: a BO's memory was purged (&struct drm_limn_bo_madvise)
 * - -ENOSPC: on Vivante, a BO without a GPU address, and there are none left
 * - -ETIMEDOUT: on Vivante, the commands of the file's earlier jobs fill 3 MiB, and
 *   there was no room for these within 10 s
 */
struct drm_limn_submit {
	/**
	 * @ctx: from DRM_IOCTL_LIMN_CTX_CREATE or DRM_IOCTL_LIMA_CTX_CREATE; on
	 * Vivante each file begins with one, number 0, which etnaviv's jobs are in
	 */
	__u32 ctx;
	/** @flags: DRM_LIMN_SUBMIT_* */
	__u32 flags;
	/** @jobs: &struct drm_limn_job */
	struct drm_limn_array jobs;
	/** @bos: &struct drm_limn_submit_bo */
	struct drm_limn_array bos;
	/**
	 * @first_id: out: number of the first job among all of its context; the
	 * others follow. DRM_IOCTL_LIMN_JOB_STATS names jobs by it, and so do the
	 * tracepoints limn_job_submit and limn_job_run ("number"); their "job" counts
	 * those of all contexts.
	 */
	__u64 first_id;
};

/**
 * DOC: contexts
 *
 * A context is an ordered sequence of jobs for each queue. What goes wrong in
 * one leaves the others alone.
 *
 * It is guilty when a job of it did not end by itself: a fault, an error of the
 * hardware, a timeout. It is innocent when a job of it was on the GPU while all of
 * that had to be reset for somebody else; such a job runs again, or fails with
 * -EIO when the GPU does not come back. It is innocent, too, of a job that the hardware
 * did not start (-EIO), or whose heap the kernel had no memory for (-ENOMEM).
 *
 * One whose jobs keep failing is banned: its queued jobs are cancelled
 * (-ECANCELED), and so is each further submit. This is counted in jobs, not in
 * time: a guilty one adds 16 points, one that ends well takes one away, 64 are
 * too many. Contexts made by the lima or etnaviv ABI are never banned.
 */

/**
 * enum drm_limn_priority - who goes first
 *
 * On each queue, jobs of a higher priority run before those of a lower one, as soon as the
 * job that runs is done, and one more that may be prepared behind it. Where Linux is told to
 * schedule otherwise (gpu_sched.sched_policy), priority may be no more than a weight.
 */
enum drm_limn_priority {
	/** @DRM_LIMN_PRIORITY_LOW: what can wait */
	DRM_LIMN_PRIORITY_LOW = -1,
	/** @DRM_LIMN_PRIORITY_NORMAL: the default */
	DRM_LIMN_PRIORITY_NORMAL = 0,
	/** @DRM_LIMN_PRIORITY_HIGH: needs CAP_SYS_NICE */
	DRM_LIMN_PRIORITY_HIGH = 1,
};

/**
 * struct drm_limn_ctx_create - DRM_IOCTL_LIMN_CTX_CREATE: a context
 *
 * Errors:
 *
 * - -EINVAL: flags not zero, unknown priority
 * - -EPERM: not allowed to have this priority
 * - -ERANGE: @timeout_ms is above %DRM_LIMN_PARAM_MAX_TIMEOUT_MS
 * - -ENOSPC: the file has 4096 contexts, with the one that it may have begun with
 */
struct drm_limn_ctx_create {
	/** @flags: 0 */
	__u32 flags;
	/** @priority: &enum drm_limn_priority */
	__s32 priority;
	/** @timeout_ms: that a job may take on the hardware; 0: the default */
	__u32 timeout_ms;
	/** @id: out: the handle */
	__u32 id;
};

/**
 * struct drm_limn_ctx_free - DRM_IOCTL_LIMN_CTX_FREE: its queued jobs still run
 *
 * Errors: -EINVAL: pad not zero; -ENOENT: no such context.
 */
struct drm_limn_ctx_free {
	/** @id: the handle */
	__u32 id;
	/** @pad: 0 */
	__u32 pad;
};

/**
 * enum drm_limn_reset - what the last reset was to a context
 */
enum drm_limn_reset {
	/** @DRM_LIMN_RESET_NONE: there was none that it took part in */
	DRM_LIMN_RESET_NONE = 0,
	/** @DRM_LIMN_RESET_GUILTY: its own job was the reason */
	DRM_LIMN_RESET_GUILTY = 1,
	/** @DRM_LIMN_RESET_INNOCENT: somebody else's job was */
	DRM_LIMN_RESET_INNOCENT = 2,
};

/**
 * struct drm_limn_ctx_query - DRM_IOCTL_LIMN_CTX_QUERY: has it been reset, and why
 *
 * Changes nothing: who wants news compares the counts with those of last time.
 *
 * Errors: -EINVAL: flags not zero; -ENOENT: no such context.
 */
struct drm_limn_ctx_query {
	/** @id: the handle */
	__u32 id;
	/** @flags: 0 */
	__u32 flags;
	/** @reset: out: &enum drm_limn_reset, of the last one */
	__u32 reset;
	/** @banned: out: 1 when nothing of it will run any more */
	__u32 banned;
	/** @guilty: out: resets that were its fault */
	__u64 guilty;
	/** @innocent: out: resets that it was the victim of */
	__u64 innocent;
	/** @fault_job: out: number of the last guilty job, as &drm_limn_submit.first_id counts */
	__u64 fault_job;
	/** @fault_addr: out: that the MMU refused, when @fault_error is -EFAULT; else 0 */
	__u64 fault_addr;
	/** @fault_error: out: negative errno on the fence of that job; 0: there is none */
	__s32 fault_error;
	/** @fault_queue: out: of that job */
	__u32 fault_queue;
	/** @priority: out: &enum drm_limn_priority */
	__s32 priority;
	/** @timeout_ms: out: of its jobs */
	__u32 timeout_ms;
};

/* A tile heap: memory comes while a job runs. Not for the CPU, not purgeable. Utgard only. */
#define DRM_LIMN_BO_HEAP		(1 << 0)
/* CPU mappings are cached, else write-combined; see DRM_IOCTL_LIMN_BO_SYNC. */
#define DRM_LIMN_BO_CACHED		(1 << 1)
/* The caller chooses the GPU address. */
#define DRM_LIMN_BO_FIXED_VA		(1 << 2)
/* Userptr: the GPU may only read. Not on Vivante with MMUv1, which cannot tell. */
#define DRM_LIMN_BO_READONLY		(1 << 3)
/* Told by BO_INFO only: the caller's memory; another device's; DONTNEED now; taken back. */
#define DRM_LIMN_BO_USERMEM		(1 << 16)
#define DRM_LIMN_BO_IMPORTED		(1 << 17)
#define DRM_LIMN_BO_PURGEABLE		(1 << 18)
#define DRM_LIMN_BO_PURGED		(1 << 19)

/**
 * struct drm_limn_bo_create - DRM_IOCTL_LIMN_BO_CREATE: memory with a GPU address
 *
 * Errors:
 *
 * - -EINVAL: unknown flag, one that the GPU does not support, or
 *   %DRM_LIMN_BO_HEAP with %DRM_LIMN_BO_CACHED; size 0; an address that is
 *   not a multiple of 4096, or not 0 without %DRM_LIMN_BO_FIXED_VA
 * - -ERANGE: the address range is not between %DRM_LIMN_PARAM_VA_START and
 *   %DRM_LIMN_PARAM_VA_END
 * - -EEXIST: something is at that address already
 * - -ENOSPC: it does not fit into the address space
 */
struct drm_limn_bo_create {
	/** @size: bytes; rounded up to whole pages */
	__u64 size;
	/** @va: in with %DRM_LIMN_BO_FIXED_VA, else 0; out: GPU address in the caller's file */
	__u64 va;
	/** @flags: %DRM_LIMN_BO_HEAP, %DRM_LIMN_BO_CACHED, %DRM_LIMN_BO_FIXED_VA */
	__u32 flags;
	/** @handle: out */
	__u32 handle;
};

/**
 * struct drm_limn_bo_userptr - DRM_IOCTL_LIMN_BO_USERPTR: a BO of the caller's own memory
 *
 * The pages stay pinned as long as the BO lives. It cannot be exported, nor
 * mapped through the device.
 *
 * Errors: as of DRM_IOCTL_LIMN_BO_CREATE, and
 *
 * - -EINVAL: address or size is not a multiple of the page size
 * - -EFAULT: no memory there, or not writable although it has to be
 * - -EOPNOTSUPP: %DRM_LIMN_BO_READONLY, but the MMU cannot keep the GPU from
 *   writing; or the memory lies where the GPU cannot reach it
 * - -ENOMEM: also beyond RLIMIT_MEMLOCK
 */
struct drm_limn_bo_userptr {
	/** @addr: of the first page */
	__u64 addr;
	/** @size: bytes */
	__u64 size;
	/** @va: in with %DRM_LIMN_BO_FIXED_VA, else 0; out: GPU address in the caller's file */
	__u64 va;
	/** @flags: %DRM_LIMN_BO_READONLY, %DRM_LIMN_BO_FIXED_VA */
	__u32 flags;
	/** @handle: out */
	__u32 handle;
};

/**
 * struct drm_limn_bo_info - DRM_IOCTL_LIMN_BO_INFO: what is known of a BO
 *
 * BOs of DRM_IOCTL_LIMN_BO_CREATE and DRM_IOCTL_LIMN_BO_USERPTR keep their GPU
 * address as long as they have a handle. On Vivante others, imported ones say, get
 * theirs when a job first needs it and may lose it again: this ioctl gives them
 * one to keep.
 *
 * Errors: -ENOENT: no such handle; -ENOSPC: no GPU address is left for it.
 */
struct drm_limn_bo_info {
	/** @handle: of the BO */
	__u32 handle;
	/** @flags: out: DRM_LIMN_BO_* */
	__u32 flags;
	/** @size: out: bytes */
	__u64 size;
	/**
	 * @va: out: GPU address in the caller's file; 0: the BO was purged and has none, or it was
	 * created at address 0
	 */
	__u64 va;
	/** @offset: out: for mmap(), 0 when it cannot be mapped */
	__u64 offset;
	/** @resident: out: bytes that have memory behind them now */
	__u64 resident;
};

/**
 * enum drm_limn_madv - whether a BO's contents matter
 */
enum drm_limn_madv {
	/** @DRM_LIMN_MADV_WILLNEED: they do; the default */
	DRM_LIMN_MADV_WILLNEED = 0,
	/** @DRM_LIMN_MADV_DONTNEED: not any more; the kernel may take the memory back */
	DRM_LIMN_MADV_DONTNEED = 1,
};

/**
 * struct drm_limn_bo_madvise - DRM_IOCTL_LIMN_BO_MADVISE: may it be purged
 *
 * A BO whose memory was taken back is of no use any more: submits that list it
 * fail with -ENXIO, and CPU accesses raise SIGBUS. As long as it is not needed it
 * can neither be exported nor opened by name: -EBUSY, and -ENXIO when it is purged.
 *
 * Errors: -EINVAL: unknown advice, pad not zero, or a BO that is imported, a heap
 * or userptr, or that was ever exported or opened by another file; -ENOENT: no such
 * handle.
 */
struct drm_limn_bo_madvise {
	/** @handle: of the BO */
	__u32 handle;
	/** @advice: &enum drm_limn_madv */
	__u32 advice;
	/** @retained: out: 1 when its contents are still there, 0 when they were taken */
	__u32 retained;
	/** @pad: 0 */
	__u32 pad;
};

/* Bytes of a label, without a final 0. */
#define DRM_LIMN_LABEL_MAX		63

/**
 * struct drm_limn_bo_label - DRM_IOCTL_LIMN_BO_LABEL: a name for debugfs and dumps
 *
 * Errors: -EINVAL: @len above %DRM_LIMN_LABEL_MAX, a character that is not
 * printable ASCII; -ENOENT: no such handle; -EFAULT: not readable.
 */
struct drm_limn_bo_label {
	/** @handle: of the BO */
	__u32 handle;
	/** @len: bytes at @label; 0 takes the name away */
	__u32 len;
	/** @label: pointer to the name */
	__u64 label;
};

/* The CPU is going to read or write what the GPU wrote. */
#define DRM_LIMN_SYNC_FOR_CPU		(1 << 0)
/* The GPU is going to read or write what the CPU wrote. */
#define DRM_LIMN_SYNC_FOR_DEVICE	(1 << 1)

/**
 * struct drm_limn_bo_sync - DRM_IOCTL_LIMN_BO_SYNC: hand over cached memory
 *
 * Needed for BOs with %DRM_LIMN_BO_CACHED, and for those of the caller's own memory;
 * nothing happens to others. It does not wait for jobs. The caller's own memory, and any behind
 * an IOMMU, is handed over as a whole, whatever the range: no other thread writes to it meanwhile.
 *
 * Errors: -EINVAL: not exactly one of the flags, a range that is not in the BO;
 * -ENOENT: no such handle.
 */
struct drm_limn_bo_sync {
	/** @handle: of the BO */
	__u32 handle;
	/** @flags: %DRM_LIMN_SYNC_FOR_CPU or %DRM_LIMN_SYNC_FOR_DEVICE */
	__u32 flags;
	/** @offset: first byte */
	__u64 offset;
	/** @size: bytes */
	__u64 size;
};

/* Jobs that a context remembers. */
#define DRM_LIMN_JOB_STATS_MAX		64

/**
 * struct drm_limn_job_stat - what became of a job
 *
 * Times are nanoseconds of CLOCK_MONOTONIC; 0: this has not happened.
 */
struct drm_limn_job_stat {
	/** @id: number of the job, as &drm_limn_submit.first_id counts */
	__u64 id;
	/** @queued_ns: when it was submitted */
	__u64 queued_ns;
	/** @started_ns: when the hardware got it */
	__u64 started_ns;
	/** @ended_ns: when its fence signalled */
	__u64 ended_ns;
	/** @queue: where it runs */
	__u32 queue;
	/** @error: negative errno on its fence, or 0 */
	__s32 error;
};

/**
 * struct drm_limn_job_stats - DRM_IOCTL_LIMN_JOB_STATS: the last jobs of a context
 *
 * Errors: -EINVAL: pad not zero, a stride; -ENOENT: no such context; -EFAULT: not writable.
 */
struct drm_limn_job_stats {
	/** @ctx: the context */
	__u32 ctx;
	/** @pad: 0 */
	__u32 pad;
	/** @first: lowest id of interest; older jobs than %DRM_LIMN_JOB_STATS_MAX are forgotten */
	__u64 first;
	/**
	 * @stats: &struct drm_limn_job_stat; its count is in: entries that there is room
	 * for; and out: that were written, by ascending id
	 */
	struct drm_limn_array stats;
};

/**
 * struct drm_limn_perf_domain - DRM_IOCTL_LIMN_PERF_DOMAIN: a kind of unit that can count
 *
 * Errors: -EINVAL: @domain is not below %DRM_LIMN_PARAM_NUM_PERF_DOMAINS.
 */
struct drm_limn_perf_domain {
	/** @domain: its number */
	__u32 domain;
	/** @nr_signals: out: things that it can count */
	__u32 nr_signals;
	/** @slots: out: how many of them can be counted at the same time */
	__u32 slots;
	/** @queues: out: bit n: jobs of queue n can count it */
	__u32 queues;
	/** @name: out: such as "gp", "l2", "PE" */
	char name[32];
};

/**
 * struct drm_limn_perf_signal - DRM_IOCTL_LIMN_PERF_SIGNAL: what can be counted
 *
 * Errors: -EINVAL: unknown @domain, @index is not below
 * &drm_limn_perf_domain.nr_signals, pad not zero.
 */
struct drm_limn_perf_signal {
	/** @domain: &drm_limn_perf_domain.domain */
	__u32 domain;
	/** @index: from 0 */
	__u32 index;
	/** @signal: out: its number, for &drm_limn_perf_counter.signal */
	__u32 signal;
	/** @pad: 0 */
	__u32 pad;
	/** @name: out: as the hardware's documentation calls it */
	char name[64];
};

/**
 * struct drm_limn_perf_counter - a signal to count
 */
struct drm_limn_perf_counter {
	/** @domain: &drm_limn_perf_domain.domain */
	__u32 domain;
	/** @signal: &drm_limn_perf_signal.signal */
	__u32 signal;
};

/* Counters of one perfmon. */
#define DRM_LIMN_PERFMON_MAX		16

/* Counts all jobs that have no perfmon of their own, of all files; needs CAP_PERFMON. */
#define DRM_LIMN_PERFMON_DEVICE		(1 << 0)

/**
 * struct drm_limn_perfmon_create - DRM_IOCTL_LIMN_PERFMON_CREATE: counters to count
 *
 * Jobs name it in &drm_limn_job.perfmon; it sums up over all of them. On Vivante
 * the front end stops before and after each such job, so that the CPU can read
 * the counters: those jobs do not overlap with others.
 *
 * Errors:
 *
 * - -EINVAL: unknown flag, no counters or more than %DRM_LIMN_PERFMON_MAX, an unknown one
 *   or one twice, more of a domain than it has slots, a stride
 * - -E2BIG: an entry has a non-zero byte that the kernel does not know
 * - -EFAULT: not readable
 * - -EPERM: without CAP_PERFMON: everybody's jobs, or a unit that jobs of several
 *   queues use at the same time, as the L2 of Mali-400
 * - -EBUSY: there is a perfmon for everybody already
 * - -ENOSPC: the file has 256 perfmons
 */
struct drm_limn_perfmon_create {
	/** @id: out: the handle, never 0 */
	__u32 id;
	/** @flags: DRM_LIMN_PERFMON_* */
	__u32 flags;
	/** @counters: &struct drm_limn_perf_counter */
	struct drm_limn_array counters;
};

/* Start again from zero. */
#define DRM_LIMN_PERFMON_RESET		(1 << 0)

/**
 * struct drm_limn_perfmon_read - DRM_IOCTL_LIMN_PERFMON_READ: sums so far
 *
 * Errors: -EINVAL: unknown flag, not as many values as it was created with counters,
 * a stride; -ENOENT: no such perfmon; -EFAULT: not writable.
 */
struct drm_limn_perfmon_read {
	/** @id: the handle */
	__u32 id;
	/** @flags: %DRM_LIMN_PERFMON_RESET */
	__u32 flags;
	/** @jobs: out: that ended and are in these sums */
	__u64 jobs;
	/** @values: out: __u64, in the order of its counters */
	struct drm_limn_array values;
};

/**
 * struct drm_limn_perfmon_destroy - DRM_IOCTL_LIMN_PERFMON_DESTROY
 *
 * Jobs that name it still count.
 *
 * Errors: -EINVAL: pad not zero; -ENOENT: no such perfmon.
 */
struct drm_limn_perfmon_destroy {
	/** @id: the handle */
	__u32 id;
	/** @pad: 0 */
	__u32 pad;
};

#if defined(__cplusplus)
}
#endif

#endif
