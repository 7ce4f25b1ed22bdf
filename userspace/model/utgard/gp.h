/* SPDX-License-Identifier: MIT */
/* Inside the GP: its registers, and the two command processors VS and PLBU. */
#ifndef LIMN_MODEL_UTGARD_GP_H
#define LIMN_MODEL_UTGARD_GP_H

#include <limn/utgard/gp_stream.h>
#include <limn/utgard/regs.h>

#include "model/unit.h"
#include "model/utgard/utgard.h"

/* GUESS(gp-bus-id): who is who in the MMU's bus id is not known. */
enum gp_bus_id { GP_BUS_VS = 0, GP_BUS_PLBU = 1 };

#define GP_MAX_STREAMS	16

/* Events of the performance counters that the model counts (ARM gator, events-Mali-4xx.xml). */
enum gp_event {
	GP_EVENT_ACTIVE = 0x01,		/* GUESS(gp-active-cycles): a slice counts as a fixed number of cycles */
	GP_EVENT_WORDS_READ = 0x06,	/* of 64 bits */
	GP_EVENT_WORDS_WRITTEN = 0x07,
	GP_EVENT_VERTICES = 0x0a,
	GP_EVENT_VERTICES_FETCHED = 0x0b,
	GP_EVENT_PRIMITIVES = 0x0c,
	GP_EVENT_CULLED = 0x0e,
	GP_EVENT_COMMANDS = 0x0f,	/* written to polygon lists */
	GP_EVENT_BLOCKS = 0x10,		/* taken from the tile heap */
	GP_EVENTS = 0x22,
};

struct vs;
struct plbu;

struct gp {
	struct unit u;
	struct vs *vs;
	struct plbu *plbu;
	bool vs_turn;			/* whose slice is next */
	unsigned int wakes_after_job;	/* unit_clock_stops() when its clock comes back after its last job; 0: none */
	uint64_t count[GP_EVENTS];	/* since creation */
	uint64_t perf_base[2];		/* count when a counter was enabled */
	/* What gp_reset() clears, but for write_high; a soft reset keeps the mask. */
	uint32_t frame[6];		/* GP_VSCL_START..GP_PLBU_ALLOC_END */
	uint32_t raw, mask;
	uint32_t write_low, write_high;
	uint32_t perf[8];		/* GP_PERF_CNT_0_ENABLE..GP_PERF_CNT_1_LIMIT */
	uint32_t bus_error_addr;
	bool bus_stopped, bus_error, write_bound;
	bool resetting, hard;		/* reset under way, and its kind */
	unsigned int looks;		/* strict: until a hard reset ends; 0: it ends by itself */
	uint32_t limit;			/* written meanwhile */
	/* VS signals PLBU per finished draw; PLBU signals VS per array draw begun. */
	unsigned int sem_plbu, sem_vs;
	uint32_t vs_point_sizes;	/* point size stream of the array draw that the VS did last; 0: none */
};

enum slice {
	SLICE_MORE,	/* call again: more to do, or the same again after a fault */
	SLICE_WAIT,	/* blocked: semaphore, heap */
	SLICE_END,	/* the list is done */
	SLICE_ERROR,	/* stopped; the interrupt is raised */
};

void gp_raise(struct gp *gp, uint32_t bits);
/* unit_read(), counted. */
static inline bool gp_load(struct gp *gp, uint32_t va, void *dst, uint32_t len)
{
	gp->count[GP_EVENT_WORDS_READ] += (len + 7) / 8;
	return unit_read(&gp->u, va, dst, len);
}

/* Bounded by the write bound registers, then through the MMU. */
bool gp_store(struct gp *gp, uint32_t va, const void *src, uint32_t len);

struct vs *vs_create(struct gp *gp);
void vs_destroy(struct vs *vs);
void vs_reset(struct vs *vs);
void vs_start(struct vs *vs, uint32_t start, uint32_t end);
bool vs_active(const struct vs *vs);
enum slice vs_slice(struct vs *vs);

struct plbu *plbu_create(struct gp *gp);
void plbu_destroy(struct plbu *plbu);
void plbu_reset(struct plbu *plbu);
void plbu_start(struct plbu *plbu, uint32_t start, uint32_t end);
void plbu_heap(struct plbu *plbu, uint32_t start, uint32_t end);
bool plbu_active(const struct plbu *plbu);
enum slice plbu_slice(struct plbu *plbu);

#endif
