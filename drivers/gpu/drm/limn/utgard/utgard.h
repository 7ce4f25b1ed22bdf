/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Mali Utgard: the blocks of one GPU and what they offer each other.
 *
 * Registers come from <limn/utgard/regs.h> only, which names the sources of hardware facts;
 * each rule of order stands at the code that keeps it.
 */
#ifndef LIMN_UTGARD_H
#define LIMN_UTGARD_H

#include <linux/clk.h>
#include <linux/devfreq.h>
#include <linux/io.h>
#include <linux/interrupt.h>
#include <linux/iopoll.h>
#include <limn/utgard/regs.h>

#include "limn_device.h"
#include "limn_sched.h"
#include "limn_vm.h"

#define UTGARD_PIPE_GP	0	/* LIMA_PIPE_GP */
#define UTGARD_PIPE_PP	1	/* LIMA_PIPE_PP */
#define UTGARD_NUM_PIPES	2

/* The longest that a block may take for a command. */
#define UTGARD_POLL_US	1000
/* The same after power on, and of a core's soft reset in a recovery: no job's start waits. */
#define UTGARD_RESUME_US	10000
/* How much of that a job's start may take, for interrupts may be off: see &limn_pipe_ops.prepare */
#define UTGARD_START_US	20

enum utgard_block_id {
	UTGARD_PMU,
	UTGARD_L2_0,
	UTGARD_L2_1,
	UTGARD_L2_2,
	UTGARD_GPMMU,
	UTGARD_PPMMU0,
	UTGARD_PPMMU7 = UTGARD_PPMMU0 + UTGARD_MAX_PP - 1,
	UTGARD_GP,
	UTGARD_PP0,
	UTGARD_PP7 = UTGARD_PP0 + UTGARD_MAX_PP - 1,
	UTGARD_DLBU,
	UTGARD_BCAST,
	UTGARD_PP_BCAST,
	UTGARD_PPMMU_BCAST,
	UTGARD_NUM_BLOCKS,
};

struct limn_bo;
struct limn_submit_bo;
struct regulator;
struct reset_control;
struct utgard;
struct utgard_block;

struct utgard_block_ops {
	/** @init: once, powered; -ENODEV means that it is not there */
	int (*init)(struct utgard_block *b);
	/** @resume: after power came back, and before the first job; may be NULL */
	int (*resume)(struct utgard_block *b);
	/** @suspend: before power goes; may be NULL */
	void (*suspend)(struct utgard_block *b);
	/**
	 * @handle: the block may have interrupted for the job of @pipe, whose lock is held;
	 * false: it has not. NULL when it has no interrupt.
	 */
	bool (*handle)(struct utgard_block *b, struct limn_pipe *pipe);
};

/* Where GP and PP have what a hard reset takes; a scratch register has no effect but in a job. */
struct utgard_hard_reset {
	u32 mask, command, stop_bus, reset, status, bus_stopped, scratch;
};

struct utgard_block {
	struct utgard *ug;
	const struct utgard_block_ops *ops;
	void __iomem *regs;
	const char *name;
	enum utgard_block_id id;
	int irq;
	bool present;
	/** @resetting: GP, PP: a soft reset was started; nobody waited for it yet */
	bool resetting;
	/** @clearing: L2: a clear was started, for @clear; nobody waited for it yet (@lock) */
	bool clearing;
	/** @index: PP: where it is in &utgard.pp, if it is there */
	unsigned int index;
	/** @dte: MMU: directory in use */
	u32 dte;
	/** @lock: L2: one command at a time */
	spinlock_t lock;
	/** @clear: L2: the clear under way, @cleared: the last one that is done (@lock) */
	struct utgard_l2_clear {
		/** @job: &limn_job.order of the job that it is for, or 0 */
		u64 job;
		/** @order: &limn_device.order when it began */
		u64 order;
		/** @unmaps: &limn_device.unmaps then */
		u64 unmaps;
	} clear, cleared;
	/** @perf_src: L2: what the job of a pipe counts, 0 where it does not (@lock) */
	u32 perf_src[UTGARD_NUM_PIPES][2];
	/** @perf_base: L2: the counters' values when it started (@lock) */
	u32 perf_base[UTGARD_NUM_PIPES][2];
	/** @mask: BCAST: cores addressed now; &utgard.pp_present when all */
	u32 mask;
};

enum utgard_clock { UTGARD_CLK_BUS, UTGARD_CLK_CORE, UTGARD_NUM_CLOCKS };

struct utgard_devfreq {
	/** @devfreq: NULL when there are no operating points */
	struct devfreq *devfreq;
	struct devfreq_simple_ondemand_data ondemand;
	/** @lock: protects what follows; taken in interrupt context */
	spinlock_t lock;
	/** @pipes: bit n: pipe n has a job; changes with its &limn_pipe.lock held, too */
	u32 pipes;
	/** @began: when devfreq has last asked */
	ktime_t began;
	/** @changed: when @busy was last added to */
	ktime_t changed;
	/** @busy: time since @began in which a pipe had a job */
	ktime_t busy;
};

struct utgard {
	struct limn_device base;
	struct clk_bulk_data clks[UTGARD_NUM_CLOCKS];
	/** @reset: the reset line, or NULL */
	struct reset_control *reset;
	/** @regulator: the supply, or NULL */
	struct regulator *regulator;
	struct utgard_devfreq devfreq;
	/** @powered: supply and clocks are on, the reset line is released */
	bool powered;
	struct utgard_block block[UTGARD_NUM_BLOCKS];
	bool m450;
	u32 gp_version;
	u32 pp_version;

	/** @pp: the pixel processors there are, and their MMUs, without gaps */
	struct utgard_block *pp[UTGARD_MAX_PP];
	struct utgard_block *ppmmu[UTGARD_MAX_PP];
	unsigned int num_pp;
	/** @pp_present: bit n: core n of the hardware is there */
	u32 pp_present;

	/** @pp_used: bit n: @pp[n] takes part in the running job */
	u32 pp_used;
	/** @pp_pending: of those, the ones that have not finished (&limn_pipe.lock) */
	u32 pp_pending;
	/** @pp_last: the core that finished last (&limn_pipe.lock) */
	struct utgard_block *pp_last;
	/** @gp_pending: interrupts that the running job still owes (&limn_pipe.lock) */
	u32 gp_pending;
	/** @gp_heap_end: the value of GP_PLBU_ALLOC_END: end of the backed part of the heap */
	u32 gp_heap_end;

	/** @zeros: the page directory of MMUs without a job, and what page 0 reads as */
	dma_addr_t zeros;
	/** @dlbu: Mali-450: the page of the DLBU's master tile list, which nobody writes */
	dma_addr_t dlbu;
};

/* A page of entries. */
struct utgard_table {
	u32 *entries;
	dma_addr_t dma;
};

struct utgard_vm {
	struct limn_vm base;
	u32 *pd;
	dma_addr_t pd_dma;
	/** @tables: struct utgard_table by directory index */
	struct xarray tables;
};

static inline struct utgard *to_utgard(struct limn_device *ldev)
{
	return container_of(ldev, struct utgard, base);
}

static inline struct utgard_vm *to_utgard_vm(struct limn_vm *vm)
{
	return container_of(vm, struct utgard_vm, base);
}

static inline unsigned int utgard_model(const struct utgard *ug)
{
	return ug->m450 ? 450 : 400;
}

static inline void utgard_write(struct utgard_block *b, u32 reg, u32 value)
{
	writel(value, b->regs + reg);
}

static inline u32 utgard_read(struct utgard_block *b, u32 reg)
{
	return readl(b->regs + reg);
}

/* Number of a PP or PP MMU in the hardware. */
static inline unsigned int utgard_core(const struct utgard_block *b)
{
	return b->id >= UTGARD_PP0 ? b->id - UTGARD_PP0 : b->id - UTGARD_PPMMU0;
}

static inline struct limn_pipe *utgard_pipe(struct utgard_block *b, unsigned int id)
{
	return b->ug->base.pipe[id];
}

/* While a job is put on a pipe, nobody else has the pipe's blocks. */
static inline void utgard_assert_pipe(struct utgard_block *b, unsigned int id)
{
	lockdep_assert_held(&utgard_pipe(b, id)->lock);
}

/* ioctl.c */
struct limn_job *utgard_cmd_create(struct limn_device *ldev, struct limn_file *lfile,
				   const struct drm_limn_job *args);

extern const struct drm_driver utgard_drm_driver;

/* power.c */
int utgard_gpu_reset(struct limn_pipe *guilty);

/* devfreq.c */
int utgard_devfreq_init(struct utgard *ug);
void utgard_devfreq_busy(struct limn_pipe *pipe);
void utgard_devfreq_idle(struct limn_pipe *pipe);
void utgard_devfreq_suspend(struct utgard_devfreq *df);
void utgard_devfreq_resume(struct utgard_devfreq *df);

/* heap.c */
int utgard_heap_init(struct limn_bo *bo);
bool utgard_is_heap(const struct limn_bo *bo);
int utgard_heap_grow(struct limn_mapping *mapping, size_t had);
int utgard_heap_feed(struct limn_mapping *mapping);

/* blocks.c */
extern const struct limn_backend utgard_backend;
int utgard_hard_reset(struct utgard_block *b, const struct utgard_hard_reset *r);
int utgard_blocks_init(struct utgard *ug);
int utgard_blocks_resume(struct utgard *ug);
void utgard_blocks_suspend(struct utgard *ug);
int utgard_wait(struct utgard_block *b, u32 reg, u32 mask, u32 value, ktime_t until);
bool utgard_pipe_uses_l2(struct limn_pipe *pipe, enum utgard_block_id id);

/* dump.c, perf.c */
const struct limn_perf_domain *utgard_perf_domain(struct limn_device *ldev, unsigned int i);
void utgard_dump(struct limn_pipe *pipe, struct limn_job *job, struct limn_dump *d);
void utgard_perf_start(struct limn_pipe *pipe, struct limn_job *job);
void utgard_perf_unit_done(struct limn_pipe *pipe, struct utgard_block *b);
void utgard_perf_pipe_done(struct limn_pipe *pipe, bool well);

/* frame.c: no hardware needed */
struct drm_lima_gp_frame;
struct utgard_reg_write {
	u16 reg;
	u32 value;
};

#define UTGARD_MAX_PP_WRITES	(PP_FRAME_WORDS + PP_WB_UNITS * PP_WB_WORDS)

int utgard_check_gp_frame(const u32 *frame);
int utgard_check_pp_frame(const void *frame, bool m450, unsigned int num_pp);
unsigned int utgard_plan_pp_frame(const u32 *frame, const u32 *wb, struct utgard_reg_write *out);

/* gp.c */
extern const struct utgard_block_ops utgard_gp_ops;
extern const struct limn_pipe_ops utgard_gp_pipe_ops;
int utgard_gp_stop(struct utgard *ug);
int utgard_gp_bind(struct limn_job *job, const struct limn_submit_bo *bos);

/* pp.c */
extern const struct utgard_block_ops utgard_pp_ops;
extern const struct utgard_block_ops utgard_pp_bcast_ops;
extern const struct limn_pipe_ops utgard_pp_pipe_ops;
int utgard_pp_stop(struct utgard *ug);

/* mmu.c */
extern const struct utgard_block_ops utgard_mmu_ops;
extern const struct utgard_block_ops utgard_mmu_bcast_ops;
int utgard_mmu_switch(struct utgard_block *mmu, u32 dte, ktime_t until);
void utgard_mmu_zap(struct utgard_block *mmu);
void utgard_mmu_mask(struct utgard_block *mmu);
int utgard_mmu_reset(struct utgard_block *mmu);

/* l2.c */
extern const struct utgard_block_ops utgard_l2_ops;
int utgard_l2_clear(struct utgard_block *l2, u64 job);
int utgard_l2_prepare(struct utgard_block *l2, const struct limn_job *job, ktime_t until);

/* pmu.c, bcast.c, dlbu.c */
extern const struct utgard_block_ops utgard_pmu_ops;
extern const struct utgard_block_ops utgard_bcast_ops;
void utgard_bcast_select(struct utgard_block *bcast, u32 mask);
void utgard_bcast_off(struct utgard_block *bcast);
extern const struct utgard_block_ops utgard_dlbu_ops;
void utgard_dlbu_setup(struct utgard_block *dlbu, u32 cores, const u32 *regs);

/* pt.c */
extern const struct limn_pt_ops utgard_pt_ops;
void utgard_pt_dump(struct limn_vm *vm, struct limn_dump *d);

#endif
