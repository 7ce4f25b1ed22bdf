/* SPDX-License-Identifier: MIT */
/*
 * Inside the virtual Vivante GPU: what its modules share.
 *
 * One GPU core is a handful of units (model/unit.h): "hi" has the register
 * window, FE parses the command stream, "pipe" works off what FE sends it.
 * FE and pipe are joined by a queue, as in hardware: FE runs ahead of the
 * modules behind it until a STALL makes it wait for a semaphore.
 *
 *   FE --queue--> pipe: latches states, and runs one of
 *                       3D (viv3d_*), RS, BLT, 2D at a time, in order
 *
 * Memory: every module reaches it through its port, a struct unit that the
 * accessors of model/unit.h take: unit_read(v->port[VIV_PORT_TX], va, ...).
 * An access returns false (NULL) after the MMU has raised its exception. The
 * slice must then end without having changed its own state: it is run again
 * if the MMU lets go, which on these chips means: after a reset, never.
 *
 * Caches: PE writes through viv_plane_ptr(), textures read through
 * viv_texture_ptr(). In strict mode these are caches that forget and write
 * back nothing before the flush that names them; else they are memory.
 */
#ifndef LIMN_VIVANTE_H
#define LIMN_VIVANTE_H

#include <limn/vivante/states.h>

#include "model/unit.h"

struct viv3d;

/* --- The chip: facts of one GPU, a row of gpu.c ------------------------ */

struct viv_chip {
	const char *name;		/* "gc2000" */
	/* Registers as the chip has them (etna_viv gpus.json, Linux etnaviv_hwdb.c). */
	uint32_t model, revision;	/* HI_CHIP_MODEL, HI_CHIP_REV */
	uint32_t date, time, product_id, customer_id, eco_id;
	uint32_t features;		/* HI_CHIP_FEATURE */
	uint32_t minor_features[12];	/* HI_CHIP_MINOR_FEATURE_0 .. */
	uint32_t specs[4];		/* HI_CHIP_SPECS, _2, _3, _4 */
	/* What the words above, and the driver's corrections to them, come to. */
	unsigned int stream_count, register_max, thread_count, shader_core_count;
	unsigned int vertex_cache_size, vertex_output_buffer_size, pixel_pipes;
	unsigned int instruction_count, num_constants, num_varyings, buffer_size;
	int halti;			/* -1: none; 0 .. 5 */
	unsigned int super_tile_mode;	/* order of 4x4 tiles within a 64x64 tile, as TE_SAMPLER_CONFIG */
	bool pipe_2d, pipe_3d;
	bool mmu_v2;
	bool security;			/* BIT_SECURITY, SECURITY_AHB: page table array, secure registers */
	bool blt;			/* BLT engine instead of RS */
	bool single_buffer;		/* PE needs no split between its pixel pipes */
	bool cache_128b_256b;		/* CACHE128B256BPERLINE: TS tiles of 128 or 256 bytes */
	bool scissor_hangs;		/* with a border of 5/65536 beyond a pixel (etna_viv hardware.md) */
	unsigned int ts_bits;		/* tile status bits per tile: 2 or 4 */
};

/* --- Modules ------------------------------------------------------------ */

enum viv_port {
	VIV_PORT_FE,		/* command stream, vertices, indices */
	VIV_PORT_TX,		/* textures */
	VIV_PORT_PE,		/* colour; RS; BLT; 2D */
	VIV_PORT_PEZ,		/* depth */
	VIV_PORT_RA,		/* hierarchical depth, tile status; shader instructions */
	VIV_NUM_PORTS
};

/* What a surface of PE is, to tile status and caches. */
enum viv_plane {
	VIV_PLANE_COLOR,	/* + n: render target n, up to 7 */
	VIV_PLANE_DEPTH = 8,
	VIV_NUM_PLANES
};

/* A draw command as FE decoded it. One of primitives and vertices is given. */
struct viv_draw {
	uint32_t type;		/* PRIMITIVE_TYPE */
	bool indexed;
	bool instanced;		/* DRAW_INSTANCED: divisors and instance numbers count */
	uint32_t first;		/* first vertex, or first index */
	uint32_t primitives;	/* DRAW_PRIMITIVES, DRAW_INDEXED_PRIMITIVES; else 0 */
	uint32_t vertices;	/* DRAW_INSTANCED, DRAW_INDIRECT; else 0 */
	uint32_t instances;	/* 1 but for DRAW_INSTANCED, DRAW_INDIRECT */
	int32_t base_vertex;	/* added to each index */
};

/* Counters that the MC_PROFILE_* registers show; whoever does the thing counts. 32 bits, they wrap. */
struct viv_perf {
	uint32_t pe_killed_color, pe_killed_depth, pe_drawn_color, pe_drawn_depth, pe_pixels_2d;
	uint32_t sh_cycles, sh_ps_inst, sh_pixels, sh_vs_inst, sh_vertices;
	uint32_t sh_vtx_branch, sh_vtx_texld, sh_pxl_branch, sh_pxl_texld;
	uint32_t pa_input_vtx, pa_input_prim, pa_output_prim, pa_depth_clipped, pa_trivial_rejected, pa_culled;
	uint32_t se_culled_triangle, se_culled_lines;
	uint32_t ra_valid_pixel, ra_total_quad, ra_valid_quad_after_ez, ra_total_prim;
	uint32_t ra_pipe_cache_miss, ra_prefetch_cache_miss, ra_culled_quad;
	uint32_t tx_bilinear, tx_trilinear, tx_discarded, tx_requests;
	uint32_t tx_mem_read, tx_mem_read_8b, tx_cache_miss, tx_cache_hit_texel, tx_cache_miss_texel;
	uint32_t mc_read_8b_pipeline, mc_read_8b_ip, mc_write_8b_pipeline;
};

#define VIV_STATES	(VIV_STATE_SPACE / 4)	/* words of the state file */

struct vivante {
	struct unit u;			/* "hi": the register window */
	const struct viv_chip *chip;
	struct unit *fe, *pipe;
	struct unit *port[VIV_NUM_PORTS];
	/*
	 * Index: byte address / 4. What is latched: masked groups are merged,
	 * fixed point is converted. Ranges that mirror others stay as written.
	 */
	uint32_t *state;		/* VIV_STATES */
	struct viv_perf perf;
	struct viv3d *p3d;		/* the 3D pipeline's own */
	struct viv_front *front;	/* FE and queue: internal.h */
	struct viv_host *host;		/* registers, interrupts: internal.h */
	struct viv_mmus *mmus;		/* page tables, exceptions: internal.h */
	struct viv_cache *cache;	/* all caches: cache.c */
	struct viv_rs *rs;
	struct viv_blt *blt;
	struct viv_de *de;
	uint32_t busy;			/* HI_IDLE_STATE bits of modules at work */
	bool hung;			/* a module waits for ever: only a reset helps */
	unsigned int started_at;	/* unit_clock_stops() when FE was started */
};

static inline uint32_t viv_state(const struct vivante *v, uint32_t address)
{
	return v->state[address / 4];
}

static inline float viv_state_float(const struct vivante *v, uint32_t address)
{
	float f;

	memcpy(&f, &v->state[address / 4], sizeof(f));
	return f;
}

/* The core that a unit (port, fe, pipe, hi) belongs to. */
struct vivante *viv_of(const struct unit *u);

/* Has the chip bit of minor feature word n (0: chipMinorFeatures0)? */
static inline bool viv_minor(const struct vivante *v, unsigned int n, uint32_t bit)
{
	return v->chip->minor_features[n] & bit;
}

/* --- What modules call ---------------------------------------------------- */

/* A finding, in the name of a module ("pe", "ra"). printf-like; see unit_report(). */
void viv_report(struct vivante *v, const char *module, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* What happens next is a guess (a comment there says GUESS and which), and this stream depends on it. */
#define viv_guess(v, module, fmt, ...)	viv_report(v, module, "guessed: " fmt, ##__VA_ARGS__)

/*
 * The module hangs, as the real one does: it is reported, its idle bits
 * (VIVS_HI_IDLE_STATE_*) stay busy, and nothing behind it happens until reset.
 */
void viv_hang(struct vivante *v, const char *module, uint32_t idle_bits, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/* --- Caches and tile status (cache.c, ts.c) --------------------------------- */

/* Tile status of one surface, from the registers that describe it. */
struct viv_ts {
	bool on;
	uint32_t status, surface;	/* base addresses */
	uint32_t clear[2];
	uint32_t tile;			/* bytes of the surface for one entry, a power of 2 */
	unsigned int bits;
};

enum viv_ts_entry { VIV_TS_PLAIN, VIV_TS_CLEARED, VIV_TS_INVALID, VIV_TS_FAULT };

static inline enum viv_ts_entry viv_ts_meaning(const struct viv_ts *ts, int entry)
{
	if (entry <= 0)
		return entry ? VIV_TS_FAULT : VIV_TS_PLAIN;
	return entry == 1 || (ts->bits == 4 && entry == 15) ? VIV_TS_CLEARED : VIV_TS_INVALID;
}

/* Where the entry is of the tile at the byte offset of the surface. */
static inline void viv_ts_place(const struct viv_ts *ts, uint32_t offset, uint32_t *byte, uint32_t *bit)
{
	uint32_t n = offset >> __builtin_ctz(ts->tile);

	*byte = ts->status + n * ts->bits / 8;
	*bit = n * ts->bits % 8;
}

/* Of a plane, as the states are. */
struct viv_ts viv_plane_ts(struct vivante *v, enum viv_plane plane);

/*
 * len bytes of a plane at va for reading and writing, all within one 64-byte
 * aligned line; good until the slice ends. A tile that is marked as cleared is
 * filled with the clear value first, and its mark removed (fast clear). NULL
 * after a fault.
 */
void *viv_plane_ptr(struct vivante *v, enum viv_plane plane, const struct viv_ts *ts, uint32_t va, uint32_t len);

/* Counts an access to a line of a plain tile. */
static inline void viv_plane_count(struct vivante *v, const struct viv_ts *ts)
{
	v->perf.mc_read_8b_pipeline += ts->on;
	v->perf.mc_write_8b_pipeline += 8;
}

/*
 * viv_plane_ptr() of a line where it takes no more than a look: lenient, pages are there, the
 * tile is plain. Else NULL.
 */
static inline uint8_t *viv_plane_quick(struct vivante *v, enum viv_plane plane, const struct viv_ts *ts, uint32_t va)
{
	uint8_t *page = unit_page_write(v->port[plane == VIV_PLANE_DEPTH ? VIV_PORT_PEZ : VIV_PORT_PE], va);

	if (page && ts->on) {
		const uint8_t *status;
		uint32_t byte, bit;

		viv_ts_place(ts, va - ts->surface, &byte, &bit);
		status = unit_page(v->port[VIV_PORT_RA], byte);
		if (!status || status[byte % MODEL_PAGE] >> bit & ((1 << ts->bits) - 1))
			return NULL;
	}
	if (page)
		viv_plane_count(v, ts);
	return page ? page + va % MODEL_PAGE : NULL;
}

/*
 * len bytes at va, within one 64-byte line, through the texture cache
 * (vertex: that of vertex shaders). NULL after a fault.
 */
const void *viv_texture_ptr(struct vivante *v, bool vertex, uint32_t va, uint32_t len);

/*
 * Strict mode: the module, which does not look into the caches of others, is about to read (or
 * write) memory that one of them holds changed; tells so.
 */
void viv_cache_check(struct vivante *v, const char *module, uint32_t va, uint32_t len);

/*
 * Sampling a surface that has tile status (TS_SAMPLER_* of unit ts_unit, tiles
 * as the sampler's ts_mode, TS_MODE, says): is the tile of the byte at offset
 * within the surface cleared? value: 64 bits of the clear value. 1 or 0; -1 after a fault.
 */
int viv_ts_sampler(struct vivante *v, unsigned int ts_unit, unsigned int ts_mode, uint32_t offset, uint32_t value[2]);

/* --- The 3D pipeline: viv3d_*, called by pipe.c ------------------------------- */

int viv3d_init(struct vivante *v);	/* 0 or -errno */
void viv3d_destroy(struct vivante *v);
void viv3d_reset(struct vivante *v);
/* The count words from byte address on have been written to v->state by one LOAD_STATE. */
void viv3d_loaded(struct vivante *v, uint32_t address, uint32_t count);
/* Starts a draw; states do not change until it has ended. */
void viv3d_draw(struct vivante *v, const struct viv_draw *draw);
/* One slice; true while the draw is not done. False as well after viv_hang(). */
bool viv3d_step(struct vivante *v);
/* CL.KICKER was written: false when nothing runs. Then one slice; true while there is more to do. */
bool viv3d_kick(struct vivante *v);
bool viv3d_walk(struct vivante *v);
/* GL.FLUSH_CACHE: of the caches that the pipeline has itself (vertices, shader instructions, L1). */
void viv3d_flush(struct vivante *v, uint32_t bits);

#endif
