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
#include "model/profile.h"

struct unit;
struct mmu;

struct unit_ops {
	const char *name;		/* class: "gp", "pp", "mmu" */
	size_t size;			/* of the struct that begins with struct unit */
	uint32_t window;		/* bytes of registers */
	enum model_block_class class;
	bool sticks;			/* may have the defect "stuck-reset" */
	/*
	 * Slices of several such units may run at once, on threads: step() touches nothing but the
	 * unit, its own MMU and memory, and calls what is below. What one unit of a job writes, no
	 * other of them reads: a job where they do has no defined result.
	 */
	bool beside;
	/* 0 or -errno; may be NULL. Memory starts zeroed. */
	int (*init)(struct unit *u);
	void (*destroy)(struct unit *u);
	/* Power came up, or the reset line was pulsed: registers to their reset values. NULL: there are none. */
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
	/* A unit that is an MMU, or has some: the one that serves user. */
	struct mmu *(*mmu)(struct unit *u, const struct unit *user);
	/* The unit's wish for its line changed; true: another line speaks for it. NULL: never. */
	bool (*irq)(struct unit *u);
};

/* Facts of one instance, from the GPU's table (utgard/gpu.c, vivante/gpu.c). */
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
	bool strict;			/* the model is */
	bool off;			/* power domain is down */
	bool has_job;			/* see unit_has_job() */
	bool pending;			/* step() is due; the core clears it when step() returns false */
	bool polling;			/* pending, but only watches memory: see unit_poll() */
	bool irq_want;			/* level the unit asked for */
	uint32_t busy;			/* bit: number of a part that works; 0 is the unit itself */
	unsigned int delay;		/* model steps until the next slice; set by unit_sleep() */
	struct beside_log *log;		/* while it runs beside others: what it tells (beside.h) */
	struct model_stats stats;	/* its part of them */
	uint8_t bus_id;			/* shown in the MMU's status after a fault; set before an access */
};

/* Zeroes what a struct has from a member on: what a reset leaves alone stands above it. */
#define unit_clear(s, from) \
	memset((char *)(s) + offsetof(__typeof__(*(s)), from), 0, sizeof(*(s)) - offsetof(__typeof__(*(s)), from))

/* --- Time and events ------------------------------------------------- */

/* The unit has work: step() is called until it returns false. */
void unit_wake(struct unit *u);

/*
 * Instead of unit_wake(), for a unit that watches memory for a change: step()
 * is called now and then, at the carrier's pace, until it wakes the unit. It
 * is not work that somebody waits for.
 */
void unit_poll(struct unit *u);

/* Level of the unit's interrupt line, (raw status & mask) != 0. Cheap; call after every change. */
void unit_irq(struct unit *u, bool level);

/* A number in [0, n), from the unit's seeded stream. For time and order only. */
uint32_t unit_random(struct unit *u, uint32_t n);

/* Strict mode: a random number of model steps in [0, max]; 0 otherwise. */
unsigned int unit_lateness(struct unit *u, unsigned int max);

/* No slice of this unit before n more model steps have passed. */
void unit_sleep(struct unit *u, unsigned int n);

static inline bool unit_strict(const struct unit *u)
{
	return u->strict;
}

/* Does this unit have the defect that the carrier asked for (model_config.fault)? */
bool unit_has_fault(const struct unit *u, const char *kind);
/* How often the clocks have stopped. */
unsigned int unit_clock_stops(const struct unit *u);
/* Its registers of identity are to have values of no GPU that there is. */
bool unit_is_unknown(const struct unit *u);
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

/* The unit has a job from now on, or none any more; units of a kind count together, as long as any of them has one. */
void unit_has_job(struct unit *u, enum model_busy kind, bool job);

/* For timelines. Part 0 is the unit, whose work the core tells; a unit with parts tells theirs, from 1 on, as often as it likes. */
void unit_tell_busy(struct unit *u, unsigned int part, const char *name, bool busy);
void unit_tell(struct unit *u, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static inline void unit_busy(struct unit *u, unsigned int part, const char *name, bool busy)
{
	if ((u->busy >> part & 1) != busy)
		unit_tell_busy(u, part, name, busy);
}

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

/* An entry's pa, beside the page's address; the family's walk() sets them. */
#define TLB_PRESENT	1u
#define TLB_READ	2u
#define TLB_WRITE	4u

/* What walk() and fault() of an MMU may say. */
enum mmu_result {
	MMU_OK,
	MMU_NO_TABLE,		/* no table of the second level */
	MMU_NOT_MAPPED,
	MMU_NOT_PERMITTED,
	MMU_TABLE_ERROR,	/* a table is where no memory is */
	MMU_BUS_ERROR,		/* the page is */
};

struct mmu_ops {
	/* Translates: *entry = page address | TLB_*. cached: as the hardware reads tables; else from memory. */
	enum mmu_result (*walk)(struct mmu *mmu, uint32_t va, bool cached, uint32_t *entry);
	/* An access of u fails: raise what is due. */
	void (*fault)(struct mmu *mmu, struct unit *u, uint32_t va, bool write, enum mmu_result what);
	/* The MMU holds its unit back: stalled, or a fault or bus error is active. */
	bool (*blocked)(const struct mmu *mmu);
	/* Strict mode: u starts a job. Tells what is not in order; may be NULL. */
	void (*check_job)(struct mmu *mmu, struct unit *u);
};

struct mmu {
	struct tlb_entry *tlb;		/* paged, or with paging off one that has nothing */
	const struct mmu_ops *ops;
	struct unit *owner;		/* has the registers; speaks for it */
	struct unit *l2;		/* behind it; may be NULL */
	struct tlb_entry *paged;	/* 1 << 20 entries */
	uint32_t *filled;		/* virtual page numbers in it */
	uint32_t num_filled, max_filled;
	uint32_t zaps;			/* counts them */
	uint32_t job;			/* counts jobs of the unit behind it */
};

const void *unit_ptr_slow(struct unit *u, uint32_t va, uint32_t len);
bool unit_read_slow(struct unit *u, uint32_t va, void *dst, uint32_t len);
bool unit_write_slow(struct unit *u, uint32_t va, const void *src, uint32_t len);

void *unit_ptr_write_slow(struct unit *u, uint32_t va);

/* The byte at va, for writing it and the rest of its page; NULL on a fault. Bypasses an L2. */
static inline void *unit_ptr_write(struct unit *u, uint32_t va)
{
	const struct tlb_entry *e = &u->mmu->tlb[va / MODEL_PAGE];

	return e->w && !unit_strict(u) ? e->w + va % MODEL_PAGE : unit_ptr_write_slow(u, va);
}

/* The page of va, NULL when reading it takes more than its entry. */
static inline const uint8_t *unit_page(const struct unit *u, uint32_t va)
{
	const struct tlb_entry *e = &u->mmu->tlb[va / MODEL_PAGE];

	return e->lines ? NULL : e->r;
}

/* The same for writing it, and for reading it back. */
static inline uint8_t *unit_page_write(const struct unit *u, uint32_t va)
{
	return !unit_strict(u) && unit_page(u, va) ? u->mmu->tlb[va / MODEL_PAGE].w : NULL;
}

/* unit_page(), translated if need be; NULL also where an access would raise or report something. */
const uint8_t *unit_page_quietly(struct unit *u, uint32_t va);

/*
 * len bytes at va for reading, all within one 4 KiB page; NULL on a fault.
 * Good until the slice ends. Never write through it.
 */
static inline const void *unit_ptr(struct unit *u, uint32_t va, uint32_t len)
{
	const uint8_t *page = unit_page(u, va);

	return page ? page + va % MODEL_PAGE : unit_ptr_slow(u, va, len);
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

/* The same for writing. Of a page that unit_page() has no cache has a copy that had to follow. */
static inline bool unit_write(struct unit *u, uint32_t va, const void *src, uint32_t len)
{
	uint8_t *page = unit_page_write(u, va);

	if (va % MODEL_PAGE + len > MODEL_PAGE || !page)
		return unit_write_slow(u, va, src, len);
	memcpy(page + va % MODEL_PAGE, src, len);
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

#endif
