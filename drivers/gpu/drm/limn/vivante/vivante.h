/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Vivante GCxxx: the cores of one GPU, and what their parts offer each other.
 *
 * Registers, states and commands come from <limn/vivante/...> only, which names the
 * sources of hardware facts; each rule of order stands at the code that keeps it.
 */
#ifndef LIMN_VIVANTE_H
#define LIMN_VIVANTE_H

#include <linux/clk.h>
#include <linux/dma-mapping.h>
#include <linux/idr.h>
#include <linux/interrupt.h>
#include <linux/io.h>
#include <linux/iopoll.h>
#include <linux/kref.h>
#include <linux/mutex.h>
#include <linux/workqueue.h>
#include <linux/xarray.h>
#include <drm/etnaviv_drm.h>
#include <limn/vivante/cmdstream.h>
#include <limn/vivante/hw_regs.h>

#include "limn_device.h"
#include "limn_perfmon.h"
#include "limn_sched.h"
#include "limn_vm.h"
#include "validate/vivante_stream.h"

struct drm_gem_object;
struct limn_submit_bo;
struct limn_dump;
struct limn_file;
struct reset_control;
struct thermal_cooling_device;
struct vivante;
struct vivante_submit;

#define VIVANTE_MAX_CORES	4	/* ETNA_MAX_PIPES */

/* Up to the last register that is used. Some SoCs give no more than 0x700 bytes. */
#define VIVANTE_WINDOW_SIZE	(VIVS_FE_DMA_HIGH + 4)

/* MMUv2: addresses below are the kernel's in each address space; userspace softpins BOs above. */
#define VIVANTE_SOFTPIN_START	SZ_4M	/* as etnaviv's: what was captured there is played here */
#define VIVANTE_ZERO_VA		SZ_32K
#define VIVANTE_RING_VA(core)	(SZ_64K + (core) * SZ_4K)
#define VIVANTE_FLOP_VA		SZ_128K	/* in &vivante.kernel_vm alone */
#define VIVANTE_CLEAN_SIZE	SZ_128K
#define VIVANTE_CLEAN_VA(core)	(SZ_256K + (core) * VIVANTE_CLEAN_SIZE)
#define VIVANTE_STREAMS_VA	SZ_1M
#define VIVANTE_RING_SIZE	SZ_4K

/* The streams of a file lie in chunks: bytes of each, and how many there may be. */
#define VIVANTE_CHUNK		SZ_256K
#define VIVANTE_CHUNKS		12
#define VIVANTE_CHUNK_SLOTS	((VIVANTE_SOFTPIN_START - VIVANTE_STREAMS_VA) / VIVANTE_CHUNK)

/* How long after a job FE looks into memory for the next; a later one starts from its registers. */
#define VIVANTE_IDLE_MS		10

/* Bytes of a stream at most: etnaviv's limit. */
#define VIVANTE_MAX_STREAM	SZ_128K

/* What the identity registers say of a core, corrected where they are known to be wrong. */
struct vivante_identity {
	u32 model;
	u32 revision;
	u32 product_id;
	u32 customer_id;
	u32 eco_id;
	u32 stream_count;
	u32 register_max;
	u32 thread_count;
	u32 shader_core_count;
	u32 vertex_cache_size;
	u32 vertex_output_buffer_size;
	u32 pixel_pipes;
	u32 instruction_count;
	u32 num_constants;
	u32 buffer_size;
	u32 varyings_count;
	/** @features: CHIP_FEATURE, then MINOR_FEATURE_0 and so on */
	u32 features[13];
};

#define VIVANTE_FEATURE(id, bit)	((id)->features[0] & chipFeatures_##bit)
#define VIVANTE_MINOR(id, n, bit)	((id)->features[1 + (n)] & chipMinorFeatures##n##_##bit)

/* The front end's ring: see "DOC: front end". */
struct vivante_ring {
	u32 *cpu;
	dma_addr_t dma;
	/** @va: where FE sees it, in every address space */
	u32 va;
	/** @tail: bytes: where the next job's commands go */
	u32 tail;
	/** @wait: bytes: the WAIT that FE is in, or comes to, when @running */
	u32 wait;
	/** @running: FE fetches; else it has met an END, or was reset */
	bool running;
};

/* Pipes whose states are cleaned: PIPE_ID_PIPE_3D and _2D. */
#define VIVANTE_CLEAN_PIPES	2

/* The commands between two clients of a core: see clean.c. */
struct vivante_cleaner {
	u32 *cpu;
	dma_addr_t dma;
	/** @va: where FE sees it, in every address space */
	u32 va;
	/** @size: bytes, whole pages */
	u32 size;
	/** @commands: of each pipe, with room for a LINK behind them */
	u32 *commands[VIVANTE_CLEAN_PIPES];
	/** @words: of @commands, without the LINK; 0: the core has no such pipe */
	u32 words[VIVANTE_CLEAN_PIPES];
};

/* Clocks of a core; the device tree has to give it the third one only. */
enum vivante_clock {
	VIVANTE_CLK_REG,
	VIVANTE_CLK_BUS,
	VIVANTE_CLK_CORE,
	VIVANTE_CLK_SHADER,
	VIVANTE_NUM_CLOCKS,
};

enum vivante_power {
	/* No clocks: nobody touches a register. */
	VIVANTE_OFF,
	/* The core has clocks but could not be reset: jobs fail, its interrupt is disabled. */
	VIVANTE_DEAD,
	/* Jobs may start, interrupts come. */
	VIVANTE_ON,
};

/* A core: a platform device, and a pipe. */
struct vivante_core {
	struct device *dev;
	void __iomem *regs;
	int irq;
	struct clk_bulk_data clks[VIVANTE_NUM_CLOCKS];
	/** @reset: its line, or NULL */
	struct reset_control *reset;
	/** @rate_core: of @clks, at full speed */
	unsigned long rate_core, rate_shader;

	/** @master: the GPU whose DRM device hangs on this core, or NULL */
	struct vivante *master;
	/** @viv: the GPU it is part of, while that is bound */
	struct vivante *viv;
	/** @index: of its pipe */
	unsigned int index;
	struct vivante_identity id;
	/** @commands: &vivante_check.commands of its pipes, by &vivante_job.exec_state */
	unsigned int commands[3];
	/** @idle_mask: bits of HI_IDLE_STATE that mean something */
	u32 idle_mask;
	/** @secure: has the security unit, which takes page tables from an array */
	bool secure;
	/** @has_irq: the handler is there */
	bool has_irq;

	/** @power: written with &limn_pipe.lock held, under which the interrupt handler reads it */
	enum vivante_power power;

	/*
	 * The rest: &limn_pipe.lock while a job starts, runs and ends; &limn_device.hw_lock where
	 * the core is reset, powered or scaled, or its counters are read.
	 */

	struct vivante_ring ring;
	/** @idle_work: ends FE's WAITs, VIVANTE_IDLE_MS after @idle_since; may come earlier */
	struct delayed_work idle_work;
	/** @idle_since: the last job ended, jiffies (&limn_pipe.lock) */
	unsigned long idle_since;
	/** @wait_cycles: for the WAIT of an idle ring */
	u32 wait_cycles;
	/** @exec_state: pipe that the last prepared job selected, or -1 */
	int exec_state;
	struct vivante_cleaner cleaner;
	/** @owner: &vivante_job.client whose states each pipe has after that job; 0: unknown */
	u64 owner[VIVANTE_CLEAN_PIPES];
	/** @vm: whose page tables the MMU has; the kernel's own at first */
	struct limn_vm *vm;
	/** @flushed: &vivante_vm.changes of @vm at the last TLB flush */
	u64 flushed;
	/** @event: the last event that was used, of VIV_EVENTS */
	unsigned int event;
	/** @activity: counters at the last hang check */
	u32 activity[5];

	struct thermal_cooling_device *cooling;
	/** @freq_scale: the clock is divided by 2 to this */
	unsigned int freq_scale;
};

struct vivante_mmu_ops;
struct vivante_pm_domain;

/* Domains of the 3D pipe and of the 2D pipe together. */
#define VIVANTE_PERF_DOMAINS	9

/* A domain as <drm/limn_drm.h> has it: of a pipe that some cores have. */
struct vivante_perf {
	struct limn_perf_domain domain;
	const struct vivante_pm_domain *hw;
};

struct vivante {
	struct limn_device base;
	/**
	 * @core: @num_cores of them, devres memory of their platform devices: they stay
	 * between drm_dev_enter() and drm_dev_exit(). NULL after the GPU was unbound.
	 */
	struct vivante_core *core[VIVANTE_MAX_CORES];
	/** @num_cores: of @core; constant once userspace can see the GPU */
	unsigned int num_cores;
	/** @suspended: cores that are in system suspend */
	unsigned int suspended;

	const struct vivante_mmu_ops *mmu;
	/** @states: what streams may load */
	struct vivante_states *states;
	/** @kernel_vm: what the kernel has in each address space, and flop.c's; MMUv1: all's */
	struct limn_vm *kernel_vm;
	/** @clients: counts open files, for &vivante_job.client */
	atomic64_t clients;
	/** @chunks: counts what was allocated for streams */
	atomic_t chunks;
	/** @slot_users: files that have a chunk at each address, see vivante_choose_slot() */
	atomic_t slot_users[VIVANTE_CHUNK_SLOTS];
	/** @bad_page_dma: a page of zeros, for addresses that nothing is mapped at */
	dma_addr_t bad_page_dma;
	/** @memory_base: MMUv1: physical address that GPU address 0 stands for */
	u32 memory_base;
	/** @perf: for DRM_IOCTL_LIMN_PERF_DOMAIN, @num_perf of them */
	struct vivante_perf perf[VIVANTE_PERF_DOMAINS];
	unsigned int num_perf;
	/** @pta: MMUv2: an entry for each address space, for secure cores */
	u64 *pta;
	dma_addr_t pta_dma;
	/** @pta_ida: entries of @pta that are used */
	struct ida pta_ida;
};

struct vivante_table {
	u32 *entries;
	dma_addr_t dma;
};

struct vivante_vm {
	struct limn_vm base;
	/**
	 * @changes: counts changes that a TLB must be flushed for. Written with
	 * &limn_vm.lock or &limn_vm.map_lock held, read when a job starts.
	 */
	atomic64_t changes;
	/** @table: MMUv1: the page table. MMUv2: the master TLB. */
	struct vivante_table table;
	/** @slaves: MMUv2: struct vivante_table by index of the master TLB */
	struct xarray slaves;
	/** @pta_index: MMUv2: entry of &vivante.pta, or -1 */
	int pta_index;
};

/* What a kind of MMU does: page tables, and the switch between two of them. */
struct vivante_mmu_ops {
	/** @name: for messages */
	const char *name;
	/** @shared: one address space for all files */
	bool shared;
	/** @check_addresses: the MMU does not keep a stream to its own buffers */
	bool check_addresses;
	u64 va_start;
	u64 va_end;
	/** @nobodys_page: in each address space, &vivante.bad_page_dma; read-only if it can be */
	u32 nobodys_page;
	/** @init: addresses of rings and cleaners are known afterwards; no core has started */
	int (*init)(struct vivante *viv);
	struct limn_pt_ops pt;
	/**
	 * @stream_va: GPU address of a chunk of streams. MMUv2: that of its slot (of
	 * VIVANTE_CHUNK_SLOTS), where @pt maps it; MMUv1: where the window shows it, or 0
	 */
	u32 (*stream_va)(struct vivante *viv, dma_addr_t dma, unsigned int slot);
	/** @dump: the page tables of @vm, as far as they map anything */
	void (*dump)(struct limn_vm *vm, struct limn_dump *d);

	/** @start: @core was just reset: load &vivante.kernel_vm's tables */
	int (*start)(struct vivante_core *core);
	/** @put_switch: write commands for @vm's tables and a TLB flush; returns their end */
	u32 *(*put_switch)(struct vivante_core *core, struct limn_vm *vm, u32 *cmd);
};

/* What a file has beyond the shared core; its jobs hold it too. */
struct vivante_file;

/* A piece of memory for one stream. */
struct vivante_cmd {
	struct vivante_file *file;
	unsigned int chunk;
	unsigned int first;	/* granule */
	unsigned int granules;
	u32 *cpu;
	u32 va;
	u32 size;		/* bytes, with the LINK at its end */
};

/* A perfmon request that was found good. */
struct vivante_pmr {
	struct drm_etnaviv_gem_submit_pmr args;
	u32 *bo;		/* the kernel's mapping */
};

/* Where a job's commands lie in the ring, in bytes from its start. */
struct vivante_segment {
	u32 flush;		/* TLB flush and page tables first */
	u32 flush_words;	/* 64-bit words from there to the jump */
	u32 plain;		/* without */
	u32 plain_words;
	u32 stream;		/* the jump into the stream, after a sync point */
	u32 wait;		/* the WAIT at its end */
};

enum vivante_phase {
	VIVANTE_RUN,		/* the next event ends the job */
	VIVANTE_SYNC_PRE,	/* ... asks for counters to be read in front of the stream */
	VIVANTE_SYNC_POST,	/* ... and behind it */
};

/* What the hang check knows of a job: see "DOC: events and hangs". */
struct vivante_progress {
	/** @reached: the farthest word that FE was seen at */
	u32 reached;
	/** @primitive: of a draw, that FE was seen at last */
	u32 primitive;
	/** @still: periods in a row in which nothing moved */
	unsigned int still;
	/** @slow: periods since FE moved in which another unit did */
	unsigned int slow;
};

/* &limn_job.priv */
struct vivante_job {
	struct vivante_file *file;
	/** @client: number of the open file, never 0, and never another file's */
	u64 client;
	struct vivante_cmd cmd;
	u32 exec_state;
	/** @stream_size: bytes of the client's */
	u32 stream_size;
	/** @submit: the DRM_ETNAVIV_GEM_SUBMIT that brings it, until vivante_job_bind(); or NULL */
	struct vivante_submit *submit;
	struct vivante_segment seg;
	/** @cleaned: the LINK behind clean.c's commands, if the job has them in front, or NULL */
	u32 *cleaned;
	enum vivante_phase phase;
	/** @event: ends @phase */
	unsigned int event;
	unsigned int event_pre, event_post;
	struct vivante_progress progress;
	/** @left_vm: the MMU's address space before this job, which holds it until it is freed */
	struct limn_vm *left_vm;

	struct dma_fence *out_fence;
	/** @fence_id: in &vivante_file.fences, 0: none */
	u32 fence_id;
	unsigned int pipe;
	struct vivante_pmr *pmrs;
	unsigned int num_pmrs;
	/** @perf: counters are read for a perfmon, too */
	bool perf;
};

static inline struct vivante *to_vivante(struct limn_device *ldev)
{
	return container_of(ldev, struct vivante, base);
}

static inline struct vivante_vm *to_vivante_vm(struct limn_vm *vm)
{
	return container_of(vm, struct vivante_vm, base);
}

/* TLBs may hold what was written over: who sees the count must flush, and fetches what is new. */
static inline void vivante_vm_changed(struct vivante_vm *vvm)
{
	wmb();	/* the entries are in memory */
	atomic64_inc(&vvm->changes);
}

static inline struct vivante_core *vivante_core(struct limn_pipe *pipe)
{
	return to_vivante(pipe->ldev)->core[pipe->id];
}

static inline struct limn_pipe *vivante_pipe(struct vivante_core *core)
{
	return core->viv->base.pipe[core->index];
}

/* Zeroed memory for the GPU, which goes when the GPU is unbound. */
static inline void *vivante_alloc_wc(struct vivante *viv, size_t size, dma_addr_t *dma)
{
	return dmam_alloc_attrs(viv->base.dev, size, dma, GFP_KERNEL | __GFP_ZERO,
				DMA_ATTR_WRITE_COMBINE);
}

static inline void vivante_write(struct vivante_core *core, u32 reg, u32 value)
{
	writel(value, core->regs + reg);
}

static inline u32 vivante_read(struct vivante_core *core, u32 reg)
{
	/* Some of FE need a second read to be consistent (GC7000 r6009, Linux etnaviv_gpu.h). */
	if (reg >= VIVS_FE_DMA_STATUS && reg <= VIVS_FE_DMA_HIGH)
		readl(core->regs + reg);
	return readl(core->regs + reg);
}

static inline bool vivante_is(const struct vivante_core *core, u32 model, u32 revision)
{
	return core->id.model == model && core->id.revision == revision;
}

/* core.c */
extern const struct limn_pipe_ops vivante_pipe_ops;

/* identify.c */
int vivante_identify(struct vivante_core *core);

/* clean.c */
int vivante_halti(const struct vivante_identity *id);
int vivante_cleaner_init(struct vivante_core *core);
void vivante_cleaner_sync(struct vivante_core *core, const u32 *link);
u32 *vivante_cleaner_use(struct vivante_core *core, const struct vivante_job *vj);

/* flop.c */
int vivante_flop_init(struct vivante *viv);
u32 *vivante_flop_put(u32 *cmd);
int vivante_flop_reset(struct vivante_core *core);

/* power.c */
int vivante_clocks_get(struct vivante_core *core);
int vivante_clocks_on(struct vivante_core *core);
void vivante_clocks_off(struct vivante_core *core);
int vivante_reset(struct vivante_core *core);
int vivante_start(struct vivante_core *core);
void vivante_stop(struct vivante_core *core);
int vivante_wait_idle(struct vivante_core *core);
void vivante_gate_clocks(struct vivante_core *core, bool on);
int vivante_cooling_init(struct vivante_core *core);
void vivante_cooling_fini(struct vivante_core *core);

/* fe.c */
void *vivante_alloc_commands(struct vivante *viv, size_t size, dma_addr_t *dma);
int vivante_ring_init(struct vivante_core *core);
void vivante_ring_fini(struct vivante_core *core);
void vivante_ring_reset(struct vivante_core *core);
void vivante_ring_idle(struct limn_pipe *pipe);
void vivante_ring_end(struct vivante_core *core);
void vivante_fe_start(struct vivante_core *core, u32 address, u32 words);
int vivante_wait_fe(struct vivante_core *core);
int vivante_fe_run(struct vivante_core *core, u32 address, u32 *end);
void vivante_segment_write(struct vivante_core *core, struct limn_vm *vm, struct vivante_job *vj);
int vivante_job_prepare(struct limn_pipe *pipe, struct limn_job *job);
void vivante_job_start(struct limn_pipe *pipe, struct limn_job *job);

/* events.c */
#define VIVANTE_STILL_PERIODS	2
#define VIVANTE_SLOW_PERIODS	20
/* And a period in which FE came to where it hangs, one in which the last unit came to rest. */
#define VIVANTE_HANG_PERIODS	(VIVANTE_STILL_PERIODS + 2)
irqreturn_t vivante_irq(int irq, void *data);
void vivante_job_poll(struct limn_pipe *pipe);
bool vivante_gets_on(struct vivante_progress *progress, u32 position, u32 primitive, bool active);
bool vivante_job_progress(struct limn_pipe *pipe, struct limn_job *job);

/* dump.c */
void vivante_dump(struct limn_pipe *pipe, struct limn_job *job, struct limn_dump *d);

/* mmu_v1.c, mmu_v2.c */
extern const struct vivante_mmu_ops vivante_mmu_v1;
extern const struct vivante_mmu_ops vivante_mmu_v2;

/* stream.c */
struct vivante_file *vivante_file_create(struct vivante *viv, struct limn_vm *vm);
struct vivante_file *vivante_file_get(struct vivante_file *file);
void vivante_file_put(struct vivante_file *file);
u64 vivante_file_client(const struct vivante_file *file);
int vivante_cmd_alloc(struct vivante_file *file, u32 size, struct vivante_cmd *cmd);
void vivante_cmd_sync(const struct vivante_cmd *cmd, u32 from);
void vivante_cmd_free(struct vivante_cmd *cmd);
int vivante_fence_publish(struct vivante_file *file, unsigned int pipe, struct dma_fence *fence,
			  u32 *id);
void vivante_fence_forget(struct vivante_file *file, unsigned int pipe, u32 id);
struct dma_fence *vivante_fence_find(struct vivante_file *file, unsigned int pipe, u32 id);

/* perfmon.c */
int vivante_pm_query_domain(struct vivante_core *core, void *data);
int vivante_pm_query_signal(struct vivante_core *core, void *data);
bool vivante_pm_is_signal(u32 exec_state, unsigned int domain, unsigned int signal);
u32 vivante_pm_finished(struct vivante_core *core, u32 exec_state);
u32 vivante_pm_primitive(struct vivante_core *core, u32 exec_state);
int vivante_job_service(struct limn_pipe *pipe, struct limn_job *job);
void vivante_perf_init(struct vivante *viv);
const struct limn_perf_domain *vivante_perf_domain(struct limn_device *ldev, unsigned int i);

/* submit.c */
struct drm_device;
struct drm_file;
bool vivante_has_pipe(const struct vivante_core *core, u32 exec_state);
int vivante_check_pipe(const struct vivante *viv, u32 pipe);
void vivante_core_commands(struct vivante_core *core);
int vivante_relocate(u32 *words, u32 size, const struct drm_etnaviv_gem_submit_reloc *relocs,
		     u32 num_relocs, struct limn_mapping *const *mappings, u32 num_mappings);
bool vivante_range_holds(const u64 *range, u32 num, u32 address);
int vivante_gem_submit(struct drm_device *drm, void *data, struct drm_file *file);
void vivante_job_free(struct limn_job *job);
struct limn_job *vivante_cmd_create(struct limn_device *ldev, struct limn_file *lfile,
				    const struct drm_limn_job *args);
int vivante_job_bind(struct limn_job *job, const struct limn_submit_bo *bos);

/* ioctl.c */
extern const struct drm_driver vivante_drm_driver;

#endif
