/* SPDX-License-Identifier: MIT */
/*
 * The virtual GPU as a carrier sees it.
 *
 * A model is called by one thread at a time and owns no clock: the carrier calls
 * model_read32()/model_write32() for register accesses and model_step() to
 * let the units work. One step is one bounded slice (a tile, a few vertices,
 * a command), so that register accesses are answered promptly while jobs run.
 * For a given seed and sequence of calls the model behaves identically.
 */
#ifndef LIMN_MODEL_H
#define LIMN_MODEL_H

#include <stdbool.h>
#include <stdint.h>

struct model;

/* Memory as the device addresses it: one window, bytes [dma, dma + size). */
#define MODEL_RAM_PAGE 4096

struct model_ram {
	void *base;
	uint64_t dma;
	uint64_t size;
};

enum model_activity { MODEL_BEGINS, MODEL_ENDS, MODEL_HAPPENED };

/* What a carrier gives to a model. All are called from within model_*(). */
struct model_carrier {
	void *ctx;
	/* Interrupt line (index into model_gpu.irq) went to level. */
	void (*irq)(void *ctx, unsigned int line, bool level);
	/* One line, no newline: what the strict mode, or an unknown word, has to say. */
	void (*report)(void *ctx, const char *unit, const char *text);
	/* A part of the GPU begins or ends its work, or something happened there (text). May be NULL. */
	void (*activity)(void *ctx, const char *part, enum model_activity what, const char *text);
};

struct model_config {
	const char *gpu;	/* "mali-400-mp2", ... */
	bool strict;
	uint64_t seed;
	/*
	 * Units of a kind, as Mali's PPs, work side by side on so many threads, when not strict and
	 * nobody watches; what comes of it is the same for every number. 0: one after the other, a
	 * slice a step.
	 */
	unsigned int threads;
	/*
	 * Defects, separated by '+', or NULL for sound hardware. "stuck-reset:UNIT": the unit
	 * never comes out of a hard reset of its own, only of the reset line's
	 * (GP, PP); or does not heed its reset while it is busy, until its clocks
	 * have stopped (a Vivante core). "one-reset:UNIT": a Vivante core heeds no reset after its
	 * first since it has power. "lost-wake:gp": a GP that has had a job
	 * does not come out of its soft reset after the next stop of its clock, but
	 * after the one that follows. "no-reset-line": the reset line is connected to nothing.
	 * "unknown-gpu": it says to be one that nobody has heard of. "slow-reset:pp0": a soft reset
	 * of that PP takes 3 ms. "lost-end:pp0": it ends without saying so.
	 */
	const char *fault;
	struct model_ram ram;
	/*
	 * For each page of ram, how often the driver has mapped it for the device:
	 * in strict mode the device may touch no page where this is zero. It
	 * changes while the model runs. NULL: the carrier does not know.
	 */
	const volatile uint16_t *mapped;
	struct model_carrier carrier;
};

#define MODEL_MAX_IRQS 24

#define MODEL_CLOCKS	4

/* One clock input of a device, by the name its binding gives it. */
struct model_clock {
	const char *name;
	bool core;			/* gated by the core clock; else by the bus clock */
};

/* What a device tree needs to know of a GPU. */
struct model_gpu {
	const char *name;
	const char *compatible;
	uint32_t window;			/* bytes of register space of one device */
	/* One after the other in the register window; device n has interrupt n. 0: one, which has all. */
	unsigned int devices;
	const char *irq[MODEL_MAX_IRQS];	/* interrupt-names, without gaps; NULL after the last */
	struct model_clock clocks[MODEL_CLOCKS];	/* NULL after the last */
	bool has_reset;				/* there is a reset line; else power-on is its reset */
};

/* All are uint64_t: counters since creation; the benches divide them by jobs. */
struct model_stats {
	uint64_t gp_jobs, pp_jobs;		/* GP starts; PP starts of one core each */
	uint64_t commands, events, draws, blits;	/* of command streams */
	uint64_t reg_reads[4], reg_writes[4];	/* by enum model_block_class */
	uint64_t vertices, triangles, fragments, texels, tiles;	/* triangles: PLBU has binned (or rectangles), or RA draws; texels: read */
	uint64_t slices;			/* of work, of all units */
	uint64_t reports;
	uint64_t powered;			/* units in a power domain that is on, now */
	uint64_t busy_ns[3];			/* by enum model_busy: the host's time in which units of a kind had a job */
};

enum model_busy { MODEL_BUSY_GP, MODEL_BUSY_PP, MODEL_BUSY_FE };

enum model_block_class { MODEL_GP, MODEL_PP, MODEL_MMU, MODEL_OTHER };

/* NULL when there is no GPU of that name; model_gpu_at() walks all, NULL ends. */
const struct model_gpu *model_gpu_find(const char *name);
const struct model_gpu *model_gpu_at(unsigned int index);

/* CHIP_MINOR_FEATURE_n of a Vivante GPU, of its 3D core where it has several; 0 of others. */
uint32_t model_minor_feature(const char *gpu, unsigned int n);

/* Gives the defects that a GPU can have to take(), until that returns true; whether it did. */
bool model_faults(const char *gpu, bool (*take)(void *ctx, const char *fault), void *ctx);
/* Can it have all of these, as in model_config.fault? */
bool model_knows_faults(const char *gpu, const char *faults);

/* 0, -ENODEV for an unknown GPU, -EINVAL for a bad config, -ENOMEM. */
int model_create(const struct model_config *config, struct model **model);
void model_destroy(struct model *model);

uint32_t model_read32(struct model *model, uint32_t offset);
void model_write32(struct model *model, uint32_t offset, uint32_t value);

/*
 * Does one slice of work. False when nothing is pending: wait for a register
 * access, or, when model_polls(), call it again soon.
 */
bool model_step(struct model *model);

/* A unit watches memory that the driver may change without touching a register. */
bool model_polls(const struct model *model);

/*
 * The platform around the GPU: clock gates and the reset line. A model starts
 * clocked and out of reset. GPUs without a reset line ignore it.
 */
void model_set_clocks(struct model *model, bool bus, bool core);
void model_set_reset(struct model *model, bool asserted);

void model_get_stats(const struct model *model, struct model_stats *stats);

#endif
