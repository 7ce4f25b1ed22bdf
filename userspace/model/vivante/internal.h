/* SPDX-License-Identifier: MIT */
/* What HI, MMU, FE, queue, caches and the copy engines know of each other. The 3D pipeline uses vivante.h. */
#ifndef LIMN_VIVANTE_INTERNAL_H
#define LIMN_VIVANTE_INTERNAL_H

#include <limn/vivante/cmdstream.h>
#include <limn/vivante/hw_regs.h>
#include <limn/vivante/states.h>

#include "model/core.h"
#include "model/vivante/vivante.h"

/* Units of a core, in the order of its table (gpu.c). Ports from VIV_UNIT_FE on, in the order of enum viv_port. */
enum viv_unit {
	VIV_UNIT_HI,
	VIV_UNIT_FE,
	VIV_UNIT_PIPE = VIV_UNIT_FE + VIV_NUM_PORTS,
	VIV_NUM_UNITS
};

extern const struct unit_ops vivante_hi_ops, vivante_hi_large_ops;
extern const struct unit_ops vivante_fe_ops, vivante_port_ops, vivante_pipe_ops;

const struct viv_chip *viv_chip_of(const struct unit *u);

/* --- HI (hi.c) ------------------------------------------------------------- */

struct viv_host {
	uint32_t clock;			/* HI_CLOCK_CONTROL as written */
	uint32_t fscale;		/* as loaded by FSCALE_CMD_LOAD */
	uint32_t pending, enabled;	/* interrupts */
	uint32_t axi_status;
	bool resetting;			/* SOFT_RESET is set */
	unsigned int resets;		/* soft ones since the power came */
	struct viv_perf zero;		/* counts at the last reset of each counter */
	uint32_t cycles, idle_cycles;
};

/* Event 0 .. 29, or one of HI_INTR_ACKNOWLEDGE's two others. */
void viv_interrupt(struct vivante *v, uint32_t bits);
/* The value that a PROFILE_*_READ register shows (perf.c). */
uint32_t viv_perf_read(struct vivante *v, uint32_t address);
/* A PROFILE_CONFIG* register was written. */
void viv_perf_config(struct vivante *v, uint32_t address, uint32_t value);

/* VIV_USER, VIV_KERNEL, VIV_HOST of the state; 0: nobody knows it (state.c). */
unsigned int viv_state_flags(uint32_t address);
const char *viv_state_name(uint32_t address);
/* What a write leaves in a state that has mask bits. */
uint32_t viv_state_merge(uint32_t address, uint32_t old, uint32_t val);
/* All states as a fresh context has them. */
void viv_state_reset(struct vivante *v);

/* --- MMU (mmu.c, mmu_v1.c, mmu_v2.c) ------------------------------------------ */

struct viv_mmu {
	struct mmu m;
	enum viv_port port;
	bool faulted;
};

struct viv_mmus {
	struct viv_mmu port[VIV_NUM_PORTS];
	/* v2 */
	uint32_t mtlb;			/* address | MODE as last loaded */
	bool enabled;			/* CONTROL or SEC_CONTROL: until reset */
	uint32_t status;
	uint32_t exception_addr[4];
	uint64_t pta;
	bool pta_enabled;
};

extern const struct mmu_ops viv_mmu_v1_ops, viv_mmu_v2_ops;

int viv_mmus_init(struct vivante *v);
void viv_mmus_destroy(struct vivante *v);
void viv_mmus_reset(struct vivante *v);
/* Forgets translations of the ports in the mask (bit per enum viv_port). */
void viv_mmus_flush(struct vivante *v, unsigned int ports);
/* A port has faulted: nothing behind it goes on. */
bool viv_mmus_faulted(const struct vivante *v);
struct viv_mmu *viv_mmu_of(struct mmu *mmu);
bool viv_mmu_blocked(const struct mmu *mmu);
void viv_mmu_bus_error(struct viv_mmu *mmu, struct unit *u, uint32_t va, bool write);
void viv_port_bus_error(struct unit *port, uint32_t va, bool write);

/* States 0x180 to 0x1ac as they arrive from FE. */
void viv_mmu_v2_state(struct vivante *v, uint32_t address);
/* Registers of MMUv2; false: none of them. */
bool viv_mmu_v2_read(struct vivante *v, uint32_t address, uint32_t *val);
bool viv_mmu_v2_write(struct vivante *v, uint32_t address, uint32_t val);

/* --- FE and queue (fe.c, pipe.c) --------------------------------------------- */

enum viv_item_kind {
	VIV_ITEM_STATE,		/* address, value */
	VIV_ITEM_LOADED,	/* address, count: end of a burst */
	VIV_ITEM_DRAW,
	VIV_ITEM_DRAW_2D,	/* rectangles or data words follow */
	VIV_ITEM_WORD,		/* value: a word of DRAW_2D */
};

struct viv_item {
	enum viv_item_kind kind;
	uint32_t address, value;
	struct viv_draw draw;
};

#define VIV_QUEUE	4096	/* items: a LOAD_STATE or DRAW_2D of the largest size goes in at once */

/* Why FE does not go on. */
enum viv_fe_state {
	VIV_FE_IDLE,		/* off, or at END */
	VIV_FE_RUN,
	VIV_FE_STALLED,		/* waits for a semaphore */
	VIV_FE_FENCE,		/* waits for a value in memory */
	VIV_FE_HUNG,
};

struct viv_front {
	enum viv_fe_state state;
	uint32_t pc;			/* of the next command */
	uint32_t left;			/* 64-bit words that may still be fetched */
	uint32_t command[2];		/* the last that was fetched */
	uint32_t return_pc, return_left;	/* of CALL */
	bool called;
	bool left_out;			/* by CHIP_SELECT */
	uint32_t debug;			/* FE_DMA_DEBUG_STATE_CMD_STATE */
	uint32_t stall;			/* token that STALL waits for */
	uint32_t wait;			/* address of the last WAIT */
	uint32_t wait_rounds;		/* times that WAIT has been passed with nothing in between */
	uint32_t armed[32];		/* by recipient: semaphores armed towards it and on their way */
	uint32_t raised[32];		/* by FROM: bit per recipient whose semaphore has come back */
	struct viv_item *queue;
	unsigned int head, count;
};

/* FE_COMMAND_CONTROL was written with ENABLE. */
void viv_fe_start(struct vivante *v, uint32_t address, uint32_t prefetch);
void viv_fe_reset(struct vivante *v);
uint32_t viv_fe_debug_state(const struct vivante *v);
/* The pipe has passed a semaphore, or changed what FE may wait for. */
void viv_fe_look(struct vivante *v);

void viv_pipe_reset(struct vivante *v);
bool viv_pipe_room(const struct vivante *v, unsigned int items);
void viv_pipe_push(struct vivante *v, const struct viv_item *item);

/* --- Caches (cache.c), tile status (ts.c) --------------------------------------- */

enum viv_cache_id {
	VIV_CACHE_COLOR,
	VIV_CACHE_DEPTH,
	VIV_CACHE_TS,
	VIV_CACHE_TX,
	VIV_CACHE_TX_VS,
	VIV_CACHE_2D,
	VIV_NUM_CACHES
};

int viv_cache_init(struct vivante *v);
void viv_cache_destroy(struct vivante *v);
/* Without writing anything back. */
void viv_cache_reset(struct vivante *v);
/* Strict mode: something in it has not been written back. */
bool viv_cache_dirty(const struct vivante *v, enum viv_cache_id id);
/* Writes back and forgets. False after a fault: call again, never. */
bool viv_cache_flush(struct vivante *v, enum viv_cache_id id);
/* The port behind each cache. */
extern const enum viv_port viv_cache_port[VIV_NUM_CACHES];
void *viv_cached_strict(struct vivante *v, enum viv_cache_id id, uint32_t va, uint32_t len, bool write);
void viv_cache_crossed(struct vivante *v, enum viv_cache_id id, uint32_t va, uint32_t len);

/* len bytes at va, within one 64-byte line; write: they will be written. NULL after a fault. */
static inline void *viv_cached(struct vivante *v, enum viv_cache_id id, uint32_t va, uint32_t len, bool write)
{
	struct unit *port = v->port[viv_cache_port[id]];

	if (write)
		v->perf.mc_write_8b_pipeline += (len + 7) / 8;
	else
		v->perf.mc_read_8b_pipeline += (len + 7) / 8;
	if (va % 64 + len > 64)
		viv_cache_crossed(v, id, va, len);
	if (unit_strict(&v->u))
		return viv_cached_strict(v, id, va, len, write);
	return write ? unit_ptr_write(port, va) : (void *)unit_ptr(port, va, len);
}

/* The entry for the tile at byte offset of the surface, through the TS cache, or from memory. */
enum viv_ts_entry viv_ts_get(struct vivante *v, const struct viv_ts *ts, uint32_t offset, bool cached);
/* From memory; an invalid one does not hang the chip. */
enum viv_ts_entry viv_ts_peek(struct vivante *v, const struct viv_ts *ts, uint32_t offset);
/* Marks it as plain; false after a fault. */
bool viv_ts_set_plain(struct vivante *v, const struct viv_ts *ts, uint32_t offset);
/* The same in memory, for who does not use the cache. */
bool viv_ts_clear_entry(struct vivante *v, const struct viv_ts *ts, uint32_t offset);
/* Tile status of RS's source, from the registers of the colour surface; false: it has none. */
bool viv_ts_of_source(struct vivante *v, uint32_t address, uint32_t mode, struct viv_ts *ts);
/* 4 bytes of the clear pattern for the byte at offset. */
static inline uint32_t viv_ts_word(const struct viv_ts *ts, uint32_t offset)
{
	return ts->clear[offset / 4 % 2];
}

/* --- Copy engines: kicked by a state write; step: true while there is more to do -------- */

bool viv_rs_kick(struct vivante *v);
bool viv_rs_kick_inplace(struct vivante *v, uint32_t tiles);
bool viv_rs_step(struct vivante *v);
bool viv_blt_kick(struct vivante *v, uint32_t command);
bool viv_blt_step(struct vivante *v);
/* rect: pairs of words; data: words that follow. Starts the command. */
bool viv_de_draw(struct vivante *v, const uint32_t *rect, unsigned int rects, const uint32_t *data,
		 unsigned int words);
/* VR_CONFIG was written: starts a filter blit. */
bool viv_de_filter(struct vivante *v, uint32_t config);
bool viv_de_step(struct vivante *v);
void viv_rs_reset(struct vivante *v);
void viv_blt_reset(struct vivante *v);
void viv_de_reset(struct vivante *v);

#endif
