/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The device, its power, and the seam between the shared core and a family
 * of GPUs (struct limn_backend).
 */
#ifndef LIMN_DEVICE_H
#define LIMN_DEVICE_H

#include <linux/device.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/types.h>
#include <linux/workqueue.h>
#include <drm/drm_device.h>

#include "limn_devfreq.h"
#include "limn_dump.h"
#include "limn_shrinker.h"

struct clk;
struct drm_driver;
struct drm_limn_job;
struct platform_device;
struct limn_device;
struct limn_file;
struct limn_job;
struct limn_perf_ops;
struct limn_perfmon;
struct limn_pipe;
struct limn_vm;
struct regulator;
struct reset_control;

#define LIMN_MAX_PIPES	4

/**
 * struct limn_platform_ops - life of one platform device
 *
 * For a family whose GPU is several platform devices. The others have one,
 * and limn_drv.c knows how that lives.
 */
struct limn_platform_ops {
	int (*probe)(struct platform_device *pdev);
	void (*remove)(struct platform_device *pdev);
	int (*runtime_suspend)(struct device *dev);
	int (*runtime_resume)(struct device *dev);
	int (*suspend)(struct device *dev);
	int (*resume)(struct device *dev);
};

/**
 * struct limn_backend - what a family of GPUs provides to the shared core
 *
 * A backend owns registers, interrupts, page table format and user ABI. The
 * core owns memory, address spaces, scheduling, fences, recovery and power.
 */
struct limn_backend {
	/** @driver: the DRM driver, with the ioctls of this family's user ABI */
	const struct drm_driver *driver;
	/** @device_size: bytes of the struct that begins with struct limn_device */
	size_t device_size;
	/** @vm_size: bytes of the struct that begins with struct limn_vm */
	size_t vm_size;
	/** @platform: how its platform devices live, or NULL: the GPU is one */
	const struct limn_platform_ops *platform;
	/**
	 * @separate_power: each &limn_pipe.dev has clocks and runtime PM of its
	 * own; &limn_device.dev has none
	 */
	bool separate_power;
	/** @timeout_ms: a job's time, when the module parameter does not say */
	unsigned int timeout_ms;
	/** @hang_periods: of a job's time, until it is known to hang; 0 is 1 */
	unsigned int hang_periods;
	/**
	 * @lazy_va: BOs get their address when a job first needs it, perhaps
	 * one that userspace chose, and may lose it again
	 */
	bool lazy_va;
	/** @cleans_state: for %DRM_LIMN_ISOLATION_STATE */
	bool cleans_state;
	/**
	 * @num_pipes: queues that run jobs independently of each other; 0: the
	 * backend fills in &limn_device.num_pipes and what goes with it
	 */
	unsigned int num_pipes;
	/** @pipe_names: for &limn_device.pipe_names */
	const char *pipe_names[LIMN_MAX_PIPES];
	/** @va_start: for &limn_device.va_start; 0: the backend fills that in */
	u64 va_start;

	/** @init: find and start the blocks; power and clocks are on */
	int (*init)(struct limn_device *ldev);
	/** @fini: undo @init; power and clocks are on, no job runs */
	void (*fini)(struct limn_device *ldev);
	/** @resume: bring the blocks from unknown state to ready */
	int (*resume)(struct limn_device *ldev);
	/** @suspend: the blocks are about to lose clocks and power */
	void (*suspend)(struct limn_device *ldev);

	/** @file_open: create &limn_file.priv; may be NULL */
	int (*file_open)(struct limn_device *ldev, struct limn_file *lfile);
	/** @file_close: give up &limn_file.priv; its jobs may still be there */
	void (*file_close)(struct limn_file *lfile);

	/** @pt_init: create the empty page tables of a zeroed @vm */
	int (*pt_init)(struct limn_vm *vm);
	/** @pt_fini: free the page tables; @vm is not in use by the GPU */
	void (*pt_fini)(struct limn_vm *vm);
	/** @pt_reserve: allocate what later @pt_map calls in this range need */
	int (*pt_reserve)(struct limn_vm *vm, u64 va, u64 size);
	/**
	 * @pt_map: write entries; cannot fail and does not allocate. Without
	 * @write the GPU may only read, if the hardware can tell.
	 */
	void (*pt_map)(struct limn_vm *vm, u64 va, dma_addr_t dma, u64 size, bool write);
	/** @pt_unmap: clear entries; does not allocate */
	void (*pt_unmap)(struct limn_vm *vm, u64 va, u64 size);
	/**
	 * @job_create: a job from the commands of DRM_IOCTL_LIMN_SUBMIT, which
	 * are copied and checked; or an ERR_PTR()
	 */
	struct limn_job *(*job_create)(struct limn_device *ldev, struct limn_file *lfile,
				       const struct drm_limn_job *args);
	/** @job_bind: all mappings of a job are in place; 0 or an error; may be NULL */
	int (*job_bind)(struct limn_job *job);
	/** @max_cmd_bytes: all commands of one DRM_IOCTL_LIMN_SUBMIT; 0: each has its own limit */
	u32 max_cmd_bytes;
	/**
	 * @job_prepare: caches, TLBs, address space and registers, all but the start;
	 * &limn_pipe.lock is held, and often this is an interrupt. -EAGAIN when a unit
	 * is not ready, and would have to be waited for: called again, then.
	 */
	int (*job_prepare)(struct limn_pipe *pipe, struct limn_job *job);
	/** @job_start: the write that starts it; &limn_pipe.lock is held */
	void (*job_start)(struct limn_pipe *pipe, struct limn_job *job);
	/**
	 * @job_done: the pipe's job is done: make the hardware ready for the next.
	 * Nobody waits for it, unless a job is staged. &limn_pipe.lock is held;
	 * may be NULL.
	 */
	void (*job_done)(struct limn_pipe *pipe);
	/**
	 * @pipe_idle: the pipe's job is over, its fence has signalled, and there is no
	 * other. &limn_pipe.lock is held; may be NULL.
	 */
	void (*pipe_idle)(struct limn_pipe *pipe);
	/**
	 * @job_grown: the heap has new pages: limn_pipe_continue(), and let the job go on;
	 * &limn_device.hw_lock is held
	 */
	int (*job_grown)(struct limn_pipe *pipe, struct limn_job *job);
	/** @job_service: the job waits for the driver, see limn_pipe_service() */
	int (*job_service)(struct limn_pipe *pipe, struct limn_job *job);
	/**
	 * @job_progress: its time is over; did it get on since it was last
	 * asked? &limn_device.hw_lock is held. NULL: no second chance.
	 */
	bool (*job_progress)(struct limn_pipe *pipe, struct limn_job *job);
	/** @job_free: give back &limn_job.priv; may be NULL */
	void (*job_free)(struct limn_job *job);
	/** @job_poll: handle interrupts that got lost; &limn_pipe.lock is held */
	void (*job_poll)(struct limn_pipe *pipe);
	/** @pipe_mask: no more interrupts from this pipe; &limn_pipe.lock is held */
	void (*pipe_mask)(struct limn_pipe *pipe);
	/** @irq_sync: wait for interrupt handlers of this pipe that run now */
	void (*irq_sync)(struct limn_pipe *pipe);
	/**
	 * @pipe_reset: stop and reset what this pipe uses.
	 * &limn_device.hw_lock is held. An error means that only a reset of
	 * the whole GPU can help; with @separate_power, that nothing does.
	 */
	int (*pipe_reset)(struct limn_pipe *pipe);

	/** @dump_family: LIMN_DUMP_UTGARD, ... */
	u32 dump_family;
	/**
	 * @dump: registers and page tables of a pipe whose job failed, and
	 * commands that are in no BO; see limn_dump_job(). May be NULL.
	 */
	void (*dump)(struct limn_pipe *pipe, struct limn_job *job, struct limn_dump *d);
	/** @perf: performance counters, or NULL */
	const struct limn_perf_ops *perf;
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
	/** @model: the backend's number of the GPU, from the match table */
	unsigned long model;
	/** @va_start: first GPU address ever handed out; address 0 never is */
	u64 va_start;
	/** @va_end: first GPU address that is never handed out again */
	u64 va_end;

	/** @no_readonly: the MMU cannot keep the GPU from writing what it may read */
	bool no_readonly;

	/** @powered: clocks run and registers answer; always set with separate_power */
	bool powered;
	/** @clk_bus: clock of the bus interface */
	struct clk *clk_bus;
	/** @clk_core: clock of the cores, the one that devfreq sets */
	struct clk *clk_core;
	/** @reset: reset line, or NULL */
	struct reset_control *reset;
	/** @regulator: supply, or NULL */
	struct regulator *regulator;
	/** @devfreq: load, for the clock rate */
	struct limn_devfreq devfreq;

	/** @num_pipes: queues that run jobs independently of each other */
	unsigned int num_pipes;
	/** @pipe_names: as shown in fdinfo ("drm-engine-NAME") and traces */
	const char *pipe_names[LIMN_MAX_PIPES];
	/** @pipe_khz: rate of their clocks now; 0: unknown. Read with READ_ONCE() */
	u32 pipe_khz[LIMN_MAX_PIPES];
	/** @pipe_max_khz: and at most */
	u32 pipe_max_khz[LIMN_MAX_PIPES];
	/** @pipe_devs: where they get their power */
	struct device *pipe_devs[LIMN_MAX_PIPES];
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
	 * @recover_wq: ordered; timeouts, faults and heap growth of all pipes
	 * run here, one after the other.
	 */
	struct workqueue_struct *recover_wq;

	/**
	 * @hw_lock: serialises recovery: heap growth, resets. Jobs start without
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

	/** @dumping: a job has a &limn_job.dump: others get none */
	atomic_t dumping;
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
	/** @gone: the device was removed; nothing may start any more (written under @hw_lock) */
	bool gone;
};

static inline struct limn_device *to_limn_device(struct drm_device *drm)
{
	return container_of(drm, struct limn_device, drm);
}

/* limn_drv.c: for a backend with platform ops. */
struct limn_device *limn_device_alloc(struct device *dev, const struct limn_backend *be);
int limn_device_register(struct limn_device *ldev);
void limn_device_unregister(struct limn_device *ldev);

void __iomem *limn_device_map(struct platform_device *pdev, resource_size_t need);
void limn_device_set_rate(struct limn_device *ldev, unsigned long rate);
void limn_device_set_max_rate(struct limn_device *ldev, unsigned long rate);
int limn_device_init(struct limn_device *ldev);
void limn_device_fini(struct limn_device *ldev);

int limn_device_power_on(struct limn_device *ldev);
void limn_device_power_off(struct limn_device *ldev);

#endif
