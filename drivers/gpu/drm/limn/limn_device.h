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
#include <drm/drm_device.h>

#include "limn_devfreq.h"

struct clk;
struct drm_driver;
struct limn_device;
struct limn_job;
struct limn_pipe;
struct limn_vm;
struct regulator;
struct reset_control;
struct workqueue_struct;

#define LIMN_MAX_PIPES	2

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
	/** @num_pipes: queues that run jobs independently of each other */
	unsigned int num_pipes;
	/** @pipe_names: as shown in fdinfo ("drm-engine-NAME") and traces */
	const char *pipe_names[LIMN_MAX_PIPES];
	/** @va_start: first GPU address ever handed out; address 0 never is */
	u64 va_start;

	/** @init: find and start the blocks; power and clocks are on */
	int (*init)(struct limn_device *ldev);
	/** @fini: undo @init; power and clocks are on, no job runs */
	void (*fini)(struct limn_device *ldev);
	/** @resume: bring the blocks from unknown state to ready */
	int (*resume)(struct limn_device *ldev);
	/** @suspend: the blocks are about to lose clocks and power */
	void (*suspend)(struct limn_device *ldev);

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
	/** @tlb_flush: forget translations while a job runs; &limn_pipe.lock is held */
	void (*tlb_flush)(struct limn_pipe *pipe);

	/** @job_prepare: caches, address space and registers, all but the start */
	int (*job_prepare)(struct limn_pipe *pipe, struct limn_job *job);
	/** @job_start: the write that starts it; &limn_pipe.lock is held */
	void (*job_start)(struct limn_pipe *pipe, struct limn_job *job);
	/** @job_grown: the heap has new pages; go on. &limn_device.hw_lock is held */
	int (*job_grown)(struct limn_pipe *pipe, struct limn_job *job);
	/** @job_poll: handle interrupts that got lost; &limn_pipe.lock is held */
	void (*job_poll)(struct limn_pipe *pipe);
	/** @pipe_mask: no more interrupts from this pipe; &limn_pipe.lock is held */
	void (*pipe_mask)(struct limn_pipe *pipe);
	/** @irq_sync: wait for interrupt handlers of this pipe that run now */
	void (*irq_sync)(struct limn_pipe *pipe);
	/**
	 * @pipe_reset: stop and reset what this pipe uses.
	 * &limn_device.hw_lock is held. An error means that only a reset of
	 * the whole GPU can help.
	 */
	int (*pipe_reset)(struct limn_pipe *pipe);
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
	/** @dev: the platform device */
	struct device *dev;
	/** @be: the family of GPUs */
	const struct limn_backend *be;
	/** @model: the backend's number of the GPU, from the match table */
	unsigned long model;
	/** @va_end: first GPU address that is never handed out again */
	u64 va_end;

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

	/** @pipe: &limn_backend.num_pipes of them */
	struct limn_pipe *pipe[LIMN_MAX_PIPES];

	/**
	 * @recover_wq: ordered; timeouts, faults and heap growth of all pipes
	 * run here, one after the other.
	 */
	struct workqueue_struct *recover_wq;

	/**
	 * @hw_lock: serialises everything that touches registers outside of
	 * interrupt handlers: preparing a job, recovery. Taken inside fence
	 * signalling sections: never allocate under it.
	 */
	struct mutex hw_lock;

	/** @order: counts submitted jobs; what was written before is older */
	atomic64_t order;
	/** @unmaps: counts page table entries taken away; a cache may hold older ones */
	atomic64_t unmaps;

	/** @ctx_lock: protects @contexts and &limn_ctx.killed */
	struct mutex ctx_lock;
	/** @contexts: all of all files, to be killed when the device goes */
	struct list_head contexts;
	/** @gone: the device was removed; nothing may start any more (@hw_lock) */
	bool gone;
};

static inline struct limn_device *to_limn_device(struct drm_device *drm)
{
	return container_of(drm, struct limn_device, drm);
}

int limn_device_init(struct limn_device *ldev);
void limn_device_fini(struct limn_device *ldev);

int limn_device_power_on(struct limn_device *ldev);
void limn_device_power_off(struct limn_device *ldev);

#endif
