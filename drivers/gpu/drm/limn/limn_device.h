/* SPDX-License-Identifier: GPL-2.0-only */
/* The device, and the seam between the shared core and a family of GPUs. */
#ifndef LIMN_DEVICE_H
#define LIMN_DEVICE_H

#include <linux/device.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/types.h>
#include <linux/workqueue.h>
#include <drm/drm_device.h>

#include "limn_shrinker.h"

/* Rely on no more than lima and etnaviv do (Documentation/gpu/limn/relied-on.rst). */
extern bool limn_conservative;

struct drm_driver;
struct drm_limn_job;
struct platform_device;
struct limn_bo;
struct limn_device;
struct limn_file;
struct limn_job;
struct limn_perf_domain;
struct limn_perfmon;
struct limn_pipe;
struct limn_submit_bo;
struct limn_vm;

#define LIMN_MAX_PIPES	4

/* A family's platform devices: &struct platform_driver with its &struct dev_pm_ops. */
struct limn_platform_ops {
	int (*probe)(struct platform_device *pdev);
	void (*remove)(struct platform_device *pdev);
	int (*runtime_suspend)(struct device *dev);
	int (*runtime_resume)(struct device *dev);
	int (*suspend)(struct device *dev);
	int (*resume)(struct device *dev);
};

/**
 * struct limn_pt_ops - page tables of one kind of MMU
 */
struct limn_pt_ops {
	/** @init: create the empty page tables of a zeroed @vm */
	int (*init)(struct limn_vm *vm);
	/** @fini: free the page tables; @vm is not in use by the GPU */
	void (*fini)(struct limn_vm *vm);
	/** @reserve: allocate what later @map calls in this range need; NULL: nothing */
	int (*reserve)(struct limn_vm *vm, u64 va, u64 size);
	/**
	 * @map: write entries; cannot fail and does not allocate. Without
	 * @write the GPU may only read, if the hardware can tell.
	 */
	void (*map)(struct limn_vm *vm, u64 va, dma_addr_t dma, u64 size, bool write);
	/** @unmap: clear entries; does not allocate */
	void (*unmap)(struct limn_vm *vm, u64 va, u64 size);
};

/**
 * struct limn_backend - what a family of GPUs provides to the shared core
 *
 * A family owns its hardware: platform devices, power and clocks, registers, interrupts, page
 * table format, and its user ABI. The core is a library for it: memory, address spaces,
 * scheduling, fences, recovery. What a queue of the hardware does is in struct limn_pipe_ops.
 */
struct limn_backend {
	/** @driver: the DRM driver, with the ioctls of this family's user ABI */
	const struct drm_driver *driver;
	/** @device_size: bytes of the struct that begins with struct limn_device */
	size_t device_size;
	/** @vm_size: bytes of the struct that begins with struct limn_vm */
	size_t vm_size;
	/** @timeout_ms: a job's time, when the module parameter does not say */
	unsigned int timeout_ms;
	/** @hang_periods: a job hangs that makes no progress for so many times its time */
	unsigned int hang_periods;

	/** @file_open: create &limn_file.priv; may be NULL */
	int (*file_open)(struct limn_device *ldev, struct limn_file *lfile);
	/** @file_close: give up &limn_file.priv; its jobs may still be there */
	void (*file_close)(struct limn_file *lfile);

	/** @heap_init: give a BO a &limn_bo.backing that grows; NULL: this family has no heaps */
	int (*heap_init)(struct limn_bo *bo);

	/**
	 * @job_create: a job from the commands of DRM_IOCTL_LIMN_SUBMIT, which
	 * are copied and checked; or an ERR_PTR()
	 */
	struct limn_job *(*job_create)(struct limn_device *ldev, struct limn_file *lfile,
				       const struct drm_limn_job *args);
	/**
	 * @job_bind: the job has its BOs, in the order of @bos; addresses that it relies on
	 * are pinned here. 0 or an error.
	 */
	int (*job_bind)(struct limn_job *job, const struct limn_submit_bo *bos);
	/** @job_free: give back &limn_job.priv; may be NULL */
	void (*job_free)(struct limn_job *job);
	/** @max_cmd_bytes: all commands of one DRM_IOCTL_LIMN_SUBMIT; 0: each has its own limit */
	u32 max_cmd_bytes;

	/** @dump_family: LIMN_DUMP_UTGARD, ... */
	u32 dump_family;
	/** @perf_domain: the @i-th kind of unit that can count, NULL after the last */
	const struct limn_perf_domain *(*perf_domain)(struct limn_device *ldev, unsigned int i);
};

/**
 * struct limn_device - one GPU
 *
 * Lives as long as the last reference to @drm, which can be after the
 * platform device has lost its driver.
 */
struct limn_device {
	/** @drm: the DRM device */
	struct drm_device drm;
	/** @dev: the platform device, or the one that stands for all of them */
	struct device *dev;
	/** @be: the family of GPUs */
	const struct limn_backend *be;
	/** @pt: the page tables of its MMU, from the family's probe as the addresses are */
	const struct limn_pt_ops *pt;
	/** @va_start: first GPU address; 0 is given only on request */
	u64 va_start;
	/** @va_end: first GPU address that is never handed out again */
	u64 va_end;

	/** @isolation: %DRM_LIMN_ISOLATION_*: what keeps clients apart */
	u32 isolation;

	/** @num_pipes: queues that run jobs independently of each other */
	unsigned int num_pipes;
	/** @pipe: @num_pipes of them */
	struct limn_pipe *pipe[LIMN_MAX_PIPES];
	/** @shared_vm: the address space of all files, or NULL: each has its own */
	struct limn_vm *shared_vm;

	/**
	 * @sched_wq: ordered; drm_sched's work of all pipes: what it does is short,
	 * and the work for the jobs of a frame tends to come together.
	 */
	struct workqueue_struct *sched_wq;
	/**
	 * @recover_wq: ordered; time-outs, faults and services of all pipes
	 * run here, one after the other.
	 */
	struct workqueue_struct *recover_wq;

	/**
	 * @hw_lock: serialises recovery: services, resets. Jobs start without
	 * it, under &limn_pipe.lock. Not taken in sections that are marked with
	 * dma_fence_begin_signalling(): see "DOC: recovery".
	 */
	struct mutex hw_lock;

	/** @resets: of a pipe or of the whole GPU, so far */
	atomic64_t resets;
	/** @order: counts submitted jobs; what was written before is older */
	atomic64_t order;
	/** @unmaps: counts page table entries taken away; a cache may hold older ones */
	atomic64_t unmaps;

	/** @dumping: the &limn_job.dump that a job has: others get none; set under @hw_lock */
	struct limn_dump *dumping;
	/** @perfmon_lock: protects @perfmon */
	spinlock_t perfmon_lock;
	/** @perfmon: of the jobs that name none, or NULL */
	struct limn_perfmon *perfmon;
	/** @shrinker: BOs that may be taken back */
	struct limn_shrinker shrinker;

	/** @ctx_lock: protects @contexts and &limn_ctx.killed */
	struct mutex ctx_lock;
	/** @contexts: all of all files, to be killed when the device goes */
	struct list_head contexts;
	/** @halted: why no job starts: 0; -EIO, without power; -ENODEV, for good: it was removed */
	int halted;
};

static inline struct limn_device *to_limn_device(struct drm_device *drm)
{
	return container_of(drm, struct limn_device, drm);
}

/* The life of a device, with limn_pipe_create() and what is the family's own in between. */
struct limn_device *limn_device_alloc(struct device *dev, const struct limn_backend *be);
int limn_device_register(struct limn_device *ldev);
void limn_device_unplug(struct limn_device *ldev);
void limn_device_drain(struct limn_device *ldev);

/* limn_debugfs.c */
void limn_debugfs_init(struct limn_device *ldev);

/* What families do for each of their platform devices. */
void __iomem *limn_device_map(struct platform_device *pdev, resource_size_t need);
int limn_device_enable_pm(struct device *dev);
void limn_device_power_off(struct device *dev, int (*suspend)(struct device *dev));

#endif
