/* SPDX-License-Identifier: MIT */
/* Inside the model's core: what core, MMU, L2 and PMU know of each other. Units use unit.h. */
#ifndef LIMN_MODEL_CORE_H
#define LIMN_MODEL_CORE_H

#include "model/unit.h"

#define MODEL_MAX_UNITS		40
#define MODEL_WINDOW_BLOCKS	0x40	/* of 4 KiB */
#define MODEL_POSTED		64

/* One GPU: a row of its family's table. */
struct gpu_row {
	struct model_gpu gpu;		/* first: model_gpu_find() hands it out */
	const struct unit_desc *units;
	unsigned int num_units;
	const void *facts;		/* the family's own; may be NULL */
	/* Its revision: what a report's identity has from that word on, of which bits 15:0 count. */
	const uint32_t *revision;
	unsigned int revision_at, revision_words;
};

struct irq_line {
	bool want;		/* what the unit asks for */
	bool level;		/* what the carrier was told */
	unsigned int late;	/* strict: steps until level follows want */
	unsigned int spurious;	/* strict: steps until a pulse without cause */
};

struct model {
	struct model_config config;
	const struct gpu_row *row;
	struct unit *units[MODEL_MAX_UNITS];
	struct unit *blocks[MODEL_WINDOW_BLOCKS];
	struct irq_line irqs[MODEL_MAX_IRQS];
	struct model_stats stats;	/* but for what units count themselves */
	struct {
		unsigned int units;
		uint64_t since;
	} busy[3];			/* by enum model_busy */
	struct model_watch *watch;	/* NULL: nobody watches a pixel */
	uint64_t random;
	bool bus_clock, core_clock, reset;
	uint8_t answers[PROFILE_COUNT];	/* of the chip, where the model guesses */
	unsigned int clock_stops;
	unsigned int next;		/* round robin of slices */
	struct {
		uint32_t offset, value;
	} posted[MODEL_POSTED];		/* strict: writes on their way */
	unsigned int posted_head, posted_count;
	struct beside *beside;		/* beside.c's own; NULL until it is needed */
	uint64_t reported[256];		/* hashes of texts already passed on */
};

/* The families; NULL ends. */
extern const struct gpu_row *const utgard_gpus[];
extern const struct gpu_row *const vivante_gpus[];

/* Is somebody there to answer? Power, clocks, reset. */
bool unit_alive(const struct unit *u);
void unit_power(struct unit *u, bool on);

/* RAM behind a device address; NULL when [pa, pa + len) is not all RAM. */
uint8_t *model_ram(const struct model *m, uint32_t pa, uint32_t len);

/* False when the carrier knows that the driver has not mapped this page of RAM for the device. */
bool model_mapped(const struct model *m, uint32_t pa);

/* --- MMU (mmu.c): for the families' own --- */

int mmu_init(struct mmu *mmu, const struct mmu_ops *ops, struct unit *owner);	/* 0 or -ENOMEM; paging is off */
void mmu_destroy(struct mmu *mmu);
void mmu_paging(struct mmu *mmu, bool on);
void mmu_job_start(struct mmu *mmu, struct unit *u);	/* see unit_job_start() */
void mmu_zap(struct mmu *mmu);
void mmu_zap_page(struct mmu *mmu, uint32_t va);
/* What is behind it was switched on or off: translations must point elsewhere. */
void mmu_rebind(struct mmu *mmu);
/* A word of a page table at pa, as the MMU reads it (cached: through the L2); false: no memory there. */
bool mmu_table_read(struct mmu *mmu, uint32_t pa, bool cached, uint32_t *entry);

/* --- L2 (utgard/l2.c) --- */

/* For timelines: it reads or writes lines for a unit, until the end of that unit's slice. Clears are its own work. */
#define L2_PART_LINES	1

struct l2_page {
	uint64_t lines;			/* 64-byte lines that are cached */
	uint8_t data[MODEL_PAGE];
};

/* Strict or counting, and caching: the L2's copy of the page at pa; NULL: accesses go straight to RAM. */
struct l2_page *l2_page(struct unit *l2, uint32_t pa);
/* Fills the lines of [offset, offset + len) from RAM; reports those that are stale. */
void l2_fill(struct unit *l2, struct unit *user, struct l2_page *page, uint32_t pa, const uint8_t *ram,
	     uint32_t offset, uint32_t len);
void l2_drop(struct unit *l2);
/* Does it count what units do? Then it has to be told of their writes. */
bool l2_counts(const struct unit *l2);
void l2_wrote(struct unit *l2, const struct unit *user, uint32_t offset, uint32_t len);

#endif
