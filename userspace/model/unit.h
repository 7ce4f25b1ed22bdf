/* SPDX-License-Identifier: MIT */
/*
 * Inside the model: what every hardware block (unit) offers, and what it may use.
 *
 * A unit is a struct that begins with struct unit, plus one const struct
 * unit_ops. The core owns the register window, interrupt lines, power,
 * clocks, memory and time; a unit owns its registers and its work.
 *
 * Slices: step() does one bounded slice (a tile, a few vertices, a command)
 * and returns true while the unit has more to do. The core does not call
 * step() while the unit is off, unclocked or held in reset, or while its MMU
 * is stalled or has an active page fault.
 *
 * Faults: a memory access returns false (or NULL) when the MMU faulted or the
 * bus answered with an error; the MMU has raised its own interrupt by then.
 * step() must then return true at once, leaving its state as it was at the
 * start of the slice: the same slice is run again if the driver repairs the
 * fault and resumes the MMU, or never, if it resets the unit. So a slice
 * commits its state at its end; memory it wrote before may be written again.
 *
 * Pixels must not depend on time: never use unit_random() for them.
 */
#ifndef LIMN_MODEL_UNIT_H
#define LIMN_MODEL_UNIT_H

#include <stddef.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "model/model.h"

struct unit;
struct mmu;

struct unit_ops {
	const char *name;		/* class: "gp", "pp", "mmu" */
	size_t size;			/* of the struct that begins with struct unit */
	uint32_t window;		/* bytes of registers */
	enum model_block_class class;
	/* 0 or -errno; may be NULL. Memory starts zeroed. */
	int (*init)(struct unit *u);
	void (*destroy)(struct unit *u);
	/* Power came up, or the reset line was pulsed: registers to their reset values. */
	void (*reset)(struct unit *u);
	/* off is a multiple of 4 within the window. */
	uint32_t (*read)(struct unit *u, uint32_t off);
	void (*write)(struct unit *u, uint32_t off, uint32_t val);
	/* One slice; true: call again. NULL for units that only have registers. */
	bool (*step)(struct unit *u);
	/*
	 * The bus answered an access to va with an error: raise the unit's own
	 * bus error interrupt. The access then returns false. NULL: the MMU
	 * raises its read bus error instead.
	 */
	void (*bus_error)(struct unit *u, uint32_t va, bool write);
};

/* Facts of one instance, from the GPU's table (utgard/gpu.c). */
struct unit_desc {
	const struct unit_ops *ops;
	uint32_t offset;		/* in the GPU's register window */
	const char *name;		/* "pp0", "ppmmu0": also its interrupt's name */
	unsigned int index;		/* n-th of its class */
	uint32_t power;			/* PMU bit of the domain it lives in, 0: always on */
	int8_t mmu;			/* desc index of the MMU it uses for DMA, -1: none */
	int8_t l2;			/* desc index of the L2 behind it, -1: none */
	int8_t irq;			/* model_gpu.irq index, -1: none */
};

struct unit {
	const struct unit_ops *ops;
	const struct unit_desc *desc;
	struct model *model;
	struct mmu *mmu;		/* DMA goes through it; NULL: no DMA */
	struct unit *l2;
	uint64_t random;		/* this unit's own stream */
	bool off;			/* power domain is down */
	bool pending;			/* step() is due; the core clears it when step() returns false */
	bool irq_want;			/* level the unit asked for */
	unsigned int delay;		/* model steps until the next slice; set by unit_sleep() */
	uint8_t bus_id;			/* shown in the MMU's status after a fault; set before an access */
};

/* --- Time and events ------------------------------------------------- */

/* The unit has work: step() is called until it returns false. */
void unit_wake(struct unit *u);

/* Level of the unit's interrupt line, (raw status & mask) != 0. Cheap; call after every change. */
void unit_irq(struct unit *u, bool level);

/* A number in [0, n), from the unit's seeded stream. For time and order only. */
uint32_t unit_random(struct unit *u, uint32_t n);

/* Strict mode: a random number of model steps in [0, max]; 0 otherwise. */
unsigned int unit_lateness(struct unit *u, unsigned int max);

/* No slice of this unit before n more model steps have passed. */
void unit_sleep(struct unit *u, unsigned int n);

bool unit_strict(const struct unit *u);
struct model_stats *unit_stats(struct unit *u);

/*
 * One line of finding, with address and meaning: unknown command words,
 * reserved bits, broken order. printf-like; prefixed with the unit's name by
 * the carrier. The same text is passed on once per job of the unit.
 */
void unit_report(struct unit *u, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/*
 * Call when a job starts: strict mode checks the order rules (L2 cleared, TLB
 * zapped since DTE changed, paging on, not stalled) and reports what it finds;
 * lenient mode drops L2 and TLB, so that a careless caller still sees fresh memory.
 */
void unit_job_start(struct unit *u);

/* What registers answer when nobody is there to answer (off, in reset). */
uint32_t unit_garbage(struct unit *u);

/* --- Memory, through the unit's MMU ----------------------------------- */

#define MODEL_PAGE	4096u

/*
 * One entry per virtual page. r and w point to the page's bytes, NULL when
 * not (yet) translated or not permitted. lines, when not NULL: r is the L2's
 * copy, and bit n tells that 64-byte line n of it is there (strict mode).
 */
struct tlb_entry {
	const uint8_t *r;
	uint8_t *w;
	uint64_t *lines;
	uint32_t pa;			/* page address | page entry flags */
	uint32_t job;			/* last job of the unit that used it; strict mode's checks */
};

/* What the inline accessors need of an MMU. */
struct mmu {
	struct tlb_entry *tlb;		/* 1 << 20 entries */
};

const void *unit_ptr_slow(struct unit *u, uint32_t va, uint32_t len);
bool unit_read_slow(struct unit *u, uint32_t va, void *dst, uint32_t len);
bool unit_write(struct unit *u, uint32_t va, const void *src, uint32_t len);

/*
 * len bytes at va for reading, all within one 4 KiB page; NULL on a fault.
 * Good until the slice ends. Never write through it.
 */
static inline const void *unit_ptr(struct unit *u, uint32_t va, uint32_t len)
{
	const struct tlb_entry *e = &u->mmu->tlb[va / MODEL_PAGE];

	if (e->r && !e->lines)
		return e->r + va % MODEL_PAGE;
	return unit_ptr_slow(u, va, len);
}

/* Any length and alignment; false on a fault (part of dst may be filled). */
static inline bool unit_read(struct unit *u, uint32_t va, void *dst, uint32_t len)
{
	const void *p;

	if (va % MODEL_PAGE + len > MODEL_PAGE)
		return unit_read_slow(u, va, dst, len);
	p = unit_ptr(u, va, len);
	if (!p)
		return false;
	memcpy(dst, p, len);
	return true;
}

static inline bool unit_read32(struct unit *u, uint32_t va, uint32_t *val)
{
	return unit_read(u, va, val, sizeof(*val));
}

static inline bool unit_write32(struct unit *u, uint32_t va, uint32_t val)
{
	return unit_write(u, va, &val, sizeof(val));
}

/* --- Units that other folders of the model provide --------------------- */

extern const struct unit_ops utgard_gp_ops;
extern const struct unit_ops utgard_pp_ops;	/* utgard/pp.c */
extern const struct unit_ops utgard_mmu_ops;
extern const struct unit_ops utgard_l2_ops;
extern const struct unit_ops utgard_pmu_ops;
extern const struct unit_ops utgard_dlbu_ops;
extern const struct unit_ops utgard_bcast_ops;
extern const struct unit_ops utgard_pp_bcast_ops;
extern const struct unit_ops utgard_ppmmu_bcast_ops;

/*
 * Mali-450's DLBU: does it serve this PP for a frame that starts at that
 * address (PP_FRAME)? Then the PP takes its n-th tile, and the address of the
 * tile's polygon list, from it; false after the last.
 */
bool utgard_dlbu_serves(const struct unit *pp, uint32_t frame);
bool utgard_dlbu_tile(const struct unit *pp, uint32_t n, uint32_t *x, uint32_t *y, uint32_t *list);

/* Mali-450 differs in the version registers and in what DLBU does. */
bool utgard_is_m450(const struct unit *u);

#endif
