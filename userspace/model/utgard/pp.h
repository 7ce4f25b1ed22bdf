/* SPDX-License-Identifier: MIT */
/*
 * The pixel processor (PP), shared by its files:
 *
 *	pp.c		registers, interrupts, reset, slices of work
 *	pp_list.c	tile list and polygon lists
 *	pp_setup.c	primitives to triangles in pixels, clipping
 *	pp_raster.c	coverage; depth, stencil, shading and blending of a block
 *	pp_state.c	render state words and texture descriptors, decoded
 *	pp_shade.c	what the shader asks for while it runs
 *	pp_zs.h		depth and stencil test
 *	pp_blend.c	blending into the tile buffer
 *	pp_texture.c	addressing, filtering, level of detail
 *	pp_texel.c	texel formats
 *	pp_wb.c		tile buffer to memory
 *
 * Fragments go in blocks of eight: two 2x2 quads side by side, lane =
 * quad * 4 + y * 2 + x. A tile has 4 x 8 blocks.
 */
#ifndef LIMN_MODEL_UTGARD_PP_H
#define LIMN_MODEL_UTGARD_PP_H

#include <time.h>

#include <limn/utgard/regs.h>
#include <limn/utgard/pp_stream.h>
#include <limn/utgard/states.h>

#include "isa/half.h"
#include "model/fragment.h"
#include "model/unit.h"
#include "model/utgard/utgard.h"
#include "model/watch.h"
#include "sim/utgard_pp.h"
#include "sim/vector.h"


typedef double v8d __attribute__((vector_size(64)));
typedef float v4f __attribute__((vector_size(16)));
typedef double v4d __attribute__((vector_size(32)));
typedef double v4d_packed __attribute__((vector_size(32), aligned(8)));	/* in structs that calloc() aligns */

#define PP_LANES		FRAGMENT_LANES
#define PP_BLOCK_W		FRAGMENT_BLOCK_W
#define PP_BLOCK_H		FRAGMENT_BLOCK_H
#define PP_BLOCKS		32
#define PP_SAMPLES		4
#define PP_MAX_TEXTURES		16
#define PP_CALL_DEPTH		4	/* GUESS(pp-call-depth): how deep polygon lists may call */

/* One level of a texture, for addressing. */
struct pp_level {
	uint32_t va, w, h, d;
	uint32_t row;				/* bytes: of a row, or of a row of 16x16 blocks */
	uint32_t slice;				/* bytes of a face or of a slice in depth */
	bool plain;				/* not in depth, of words of unorm channels at their multiples */
};

/* A texture descriptor, decoded. */
struct pp_texture {
	uint32_t va;
	uint32_t width, height, depth;
	uint32_t stride;			/* bytes a row of level 0, 0: from the width */
	struct pp_level level[TEX_MAX_LEVELS];
	unsigned int last;			/* level */
	float min_lod, max_lod, lod_bias;	/* levels */
	float mag_lod;				/* at or below: magnified */
	float border[4];
	uint8_t format, bytes;			/* bytes of a texel, or of an ETC1 block */
	bool unorm;				/* all channels are, or constant */
	struct {
		uint32_t bit, mask;
		float unit, constant;
	} channel[4];				/* of such a texel: unit * the bits; without a mask constant */
	uint8_t wrap[3];
	bool swap_rb, reverse, unnorm, cube, volume, one_dim, tiled;
	bool min_nearest, mag_nearest, mip_linear;
	bool valid;
};

/* A render state word, decoded. */
struct pp_draw {
	uint32_t va;
	bool valid;
	uint32_t rsw[RSW_WORDS];
	/* blend */
	uint8_t func_rgb, func_alpha;
	uint8_t src_rgb, dst_rgb, src_alpha, dst_alpha;
	uint8_t color_mask;
	bool blend;				/* anything but source * 1 + destination * 0 */
	float constant[4];
	/* depth */
	uint8_t depth_func;
	bool depth_write, clip_near, clip_far;
	bool shader_packed, shader_depth, shader_stencil;
	uint8_t depth_reg;
	double offset_scale, offset_units;
	uint32_t depth_min, depth_max;		/* 24 bits */
	/* stencil: 0 front, 1 back */
	struct pp_stencil {
		uint8_t func, fail, zfail, zpass, ref, mask, write;
	} stencil[2];
	bool stencil_test;			/* does anything */
	/* alpha, samples */
	uint8_t alpha_func, alpha_ref, sample_mask;
	bool msaa, alpha_to_coverage, alpha_to_one;
	uint8_t color_reg, color1_reg;
	bool early_z, front_ccw;
	/* shader and what it reads */
	uint32_t shader, first_length;
	uint32_t varyings, varying_stride;
	uint8_t varying_type[RSW_MAX_VARYINGS];
	uint8_t varying_offset[RSW_MAX_VARYINGS];
	uint32_t uniforms;			/* address of the fp16 array; 0: none */
	uint32_t uniforms_count;		/* fp16 values */
	uint32_t textures, num_textures;
	struct pp_texture texture[PP_MAX_TEXTURES];
	struct pp_program *program;
};

/* A triangle ready to be rasterised; a primitive makes one or several. */
struct pp_tri {
	struct fragment_edges edges;
	int32_t x0, y0, x1, y1;			/* bounds in pixels, inclusive */
	double ref_x, ref_y;			/* pixels; the planes' origin */
	double z[3], w[3];			/* value at the origin, per x, per y: z and 1/w */
	double z_offset;			/* of the polygon, on top of z */
	double slope;				/* largest of the depth slopes */
	/* Each corner in terms of the primitive's vertices, and its 1/w */
	double weight[3][3], inv_w[3];
	double l1[2], l2[2];			/* barycentric slopes of corners 1 and 2 */
	bool front;
};

/* The primitive at hand. */
struct pp_prim {
	uint8_t op;
	uint32_t index[3];
	unsigned int vertices;
	float pos[3][4];
	float size;
	struct pp_tri tri;			/* of it, the triangle at hand */
	/* Planes of tri's varyings over w: value, per x, per y; valid bit per slot */
	uint32_t plane_valid;
	v4d_packed plane[RSW_MAX_VARYINGS][3];
	float vertex[RSW_MAX_VARYINGS][3][4];	/* varyings as fetched */
	uint32_t vertex_valid;
};

/* A block while it is shaded. */
struct pp_block {
	int32_t x, y;				/* pixel of lane 0 */
	unsigned int index;			/* in the tile */
	uint8_t cover[PP_SAMPLES];		/* lanes covered, per sample */
	v8u z[PP_SAMPLES];			/* 24 bits */
	v8f w;					/* recovered clip w */
	v8f px, py;				/* centres relative to the planes' origin */
};

/* Blocks of one triangle in a tile, that are covered. */
struct pp_batch {
	struct ppsim_batch sim;			/* n; lanes, when they are shaded */
	uint8_t index[PP_BLOCKS], cover[PP_BLOCKS];
	double x[PP_BLOCKS], y[PP_BLOCKS];	/* of lane 0's centre, relative to the planes' origin */
	v8u z[PP_BLOCKS];			/* new depth */
	v8f w[PP_BLOCKS];
	/* Behind the tests: what the tile buffer is to hold, by block. */
	unsigned int num_tested;
	uint8_t tested[PP_BLOCKS];
	v8u zs[PP_BLOCKS];
};

enum pp_phase {
	PP_IDLE,
	PP_RESETTING,
	PP_TILE_LIST,		/* between tiles */
	PP_LIST,		/* in a polygon list */
	PP_WRITE_BACK,
	PP_HUNG,		/* in an endless shader; only a reset helps */
};

/* Sources of the performance counters that the model counts; reads and writes in 64-bit words. */
enum pp_counter {
	PP_CNT_ACTIVE_CYCLES = 0x00,
	PP_CNT_BUS_READS = 0x02,
	PP_CNT_BUS_WRITES = 0x03,
	PP_CNT_BUS_READ_REQUESTS = 0x06,
	PP_CNT_BUS_WRITE_REQUESTS = 0x07,
	PP_CNT_WRITE_BACK_WRITES = 0x09,
	PP_CNT_TEXTURE_READS = 0x0d,
	PP_CNT_LIST_READS = 0x0e,
	PP_CNT_RSW_READS = 0x0f,
	PP_CNT_VERTEX_READS = 0x10,
	PP_CNT_UNIFORM_TABLE_READS = 0x11,
	PP_CNT_PROGRAM_READS = 0x12,
	PP_CNT_VARYING_READS = 0x13,
	PP_CNT_TEXTURE_DESCRIPTOR_READS = 0x14,
	PP_CNT_TEXTURE_TABLE_READS = 0x15,
	PP_CNT_LOAD_READS = 0x17,
	PP_CNT_POLYGONS = 0x18,
	PP_CNT_RECTANGLES = 0x19,
	PP_CNT_LINES = 0x1a,
	PP_CNT_POINTS = 0x1b,
	PP_CNT_QUADS = 0x1e,
	PP_CNT_FRAGMENTS = 0x1f,
	PP_CNT_KILLED = 0x20,
	PP_CNT_PASSED_ZS = 0x22,
	PP_CNT_EARLY_REJECTED = 0x23,
	PP_CNT_PATCHES = 0x24,
	PP_CNT_INSTRUCTIONS = 0x25,
	PP_CNT_MAX = 0x40,
};

/* The tile buffer; apart from struct pp for its alignment. */
struct pp_tile {
	unsigned int samples;			/* planes in use: 1 while all samples are equal */
	v8u zs[PP_SAMPLES][PP_BLOCKS];		/* depth 23:0, stencil 31:24 */
	v8u color[PP_SAMPLES][PP_BLOCKS];	/* RGBA8, red lowest */
	v8f fcolor[PP_BLOCKS][4];		/* FP16 tile buffer: no samples of its own */
};

#define PP_DRAW_CACHE 64

struct pp {
	struct unit u;
	/* registers */
	uint32_t frame[PP_FRAME_WORDS];
	uint32_t wb[PP_WB_UNITS][PP_WB_WORDS];
	uint32_t raw, mask, status;
	uint32_t write_bound[3];
	uint32_t bus_error;
	uint32_t perf_enable[2], perf_src[2], perf_limit[2], perf_base[2];
	uint32_t perfmon[2];
	uint64_t count[PP_CNT_MAX];
	bool bus_stop_wanted;
	/* the job */
	enum pp_phase phase;
	uint32_t list;				/* next command of the tile list */
	uint32_t tile_x, tile_y;
	bool tile_open;
	bool dlbu;				/* tiles come from the DLBU */
	uint32_t dlbu_tile;			/* number of the next one */
	uint32_t addr;				/* next command of the polygon list */
	uint32_t stack[PP_CALL_DEPTH];
	unsigned int depth;
	uint32_t positions;
	float size;
	int32_t scissor[4];			/* x0, y0, x1, y1 inclusive, pixels */
	struct pp_draw *draw;
	struct pp_draw cache[PP_DRAW_CACHE];
	struct pp_prim prim;
	unsigned int wb_unit;
	int budget;				/* work left in this slice */
	bool fault;				/* a memory access failed in this slice */
	bool quiet;				/* ... or would, and nobody has been told: see pp_shade_batch() */
	bool bus_failed;			/* ... because the bus said so */
	bool hang;
	bool stuck;				/* in a hard reset, for ever: a defect */
	unsigned int looks;			/* strict: until a hard reset ends; 0: it ends by itself */
	uint32_t limit;				/* written meanwhile */
	struct timespec slow;			/* in a soft reset until then, by CLOCK_MONOTONIC: a defect */
	uint64_t reported;			/* bit per kind: once a job */
	struct pp_tile *tile;
	/* the block in the shader */
	struct pp_block *block;
	struct pp_shader *shader;		/* pp_shade.c's own */
	struct pp_batch *batch;
	uint32_t samples_taken;			/* of textures, each for a block */
	struct model_fragment *watched;		/* of the block in the shader, for who watches; else NULL */
};

/* Kinds of report that come once per job. */
enum pp_once {
	PP_ONCE_BLEND, PP_ONCE_DEPTH, PP_ONCE_STENCIL, PP_ONCE_MSAA,
	PP_ONCE_AUX, PP_ONCE_VARYING, PP_ONCE_VARYING_GUESS, PP_ONCE_TEXTURE,
	PP_ONCE_TEXTURE_GUESS, PP_ONCE_FORMAT, PP_ONCE_WB,
	PP_ONCE_SHADER, PP_ONCE_SAMPLER, PP_ONCE_UNIFORM, PP_ONCE_NO_RSW, PP_ONCE_PRIM,
	PP_ONCE_CONST, PP_ONCE_STACK,
};

/* true the first time in a job: pp_once(pp, X) && report */
static inline bool pp_once(struct pp *pp, enum pp_once kind)
{
	bool first = !(pp->reported >> kind & 1);

	pp->reported |= 1ull << kind;
	return first;
}

/* Reads guest memory; on a fault sets pp->fault and fills zeroes. */
static inline bool pp_read(struct pp *pp, uint32_t va, void *dst, uint32_t len)
{
	pp->count[PP_CNT_BUS_READS] += (len + 7) / 8;
	pp->count[PP_CNT_BUS_READ_REQUESTS]++;
	if (unit_read(&pp->u, va, dst, len))
		return true;
	memset(dst, 0, len);
	pp->fault = true;
	return false;
}

static inline bool pp_fp16(const struct pp *pp)
{
	return pp->frame[PP_FEATURES / 4] & 1;
}

/* Bit mask of lanes <-> lane vector of 0 / ~0. */
static inline v8u pp_lanes(uint8_t mask)
{
	return (v8u)v8_lanes(mask);
}

static inline uint8_t pp_lane_mask(v8u lanes)
{
	return v8_mask((v8i)lanes);
}

/* pp.c */
void pp_raise(struct pp *pp, uint32_t irq);
void pp_end_of_frame(struct pp *pp, uint32_t irq);

/* pp_list.c: one bounded slice; false when the job is over. */
bool pp_list_step(struct pp *pp);
void pp_list_start(struct pp *pp);

/* pp_setup.c: rasterises the primitive into the tile. */
void pp_primitive(struct pp *pp, uint8_t op, const uint32_t index[3]);

/* pp_raster.c */
void pp_tile_clear(struct pp *pp);
void pp_tile_expand(struct pp *pp);
void pp_raster(struct pp *pp);

/* pp_state.c: NULL on a fault. */
struct pp_draw *pp_draw_get(struct pp *pp, uint32_t va);
void pp_draw_flush(struct pp *pp);
const struct pp_texture *pp_texture_get(struct pp *pp, struct pp_draw *draw, unsigned int i);
void pp_texture_decode(struct pp *pp, uint32_t va, const uint32_t *desc, struct pp_texture *tex);

/* pp_blend.c: colour into sample planes [0, tile->samples), lanes per sample. */
void pp_blend(struct pp *pp, const struct pp_draw *draw, unsigned int block,
	      const v8f color[4], const v8f color1[4], const uint8_t lanes[PP_SAMPLES]);
/* The same for pp->batch in a tile of RGBA8 and one plane. */
void pp_blend_batch(struct pp *pp, const struct pp_draw *draw);

/* pp_shade.c */
int pp_shade_init(struct pp *pp);
void pp_shade_destroy(struct pp *pp);
void pp_program_flush(struct pp *pp);
/* Runs the shader of pp->draw for pp->block; lanes that survived. */
uint8_t pp_shade(struct pp *pp, uint8_t lanes, v8f color[4], v8f color1[4], v8f depth[4]);
/* Can blocks of pp->draw be shaded together? */
bool pp_shades_batches(struct pp *pp);
/*
 * The same for all of pp->batch, whose sim.file has the registers then. False: nothing has happened.
 * A block of them reads what is not there, or has something to report: shade one after the other.
 */
bool pp_shade_batch(struct pp *pp);

/* pp_texture.c */
void pp_texture_level(const struct pp_texture *tex, unsigned int n, uint32_t va,
		      struct pp_level *l);
enum pp_lod_mode { PP_LOD_AUTO, PP_LOD_BIAS, PP_LOD_EXPLICIT };
void pp_texture_sample(struct pp *pp, const struct pp_texture *tex, const v8f coord[3],
		       enum pp_lod_mode mode, const v8f *lod, uint8_t lanes, v8f out[4]);
/* The same for n blocks, until one of them has a fault. */
void pp_texture_sample_batch(struct pp *pp, const struct pp_texture *tex, unsigned int n, const ppsim_column *coord,
			     enum pp_lod_mode mode, const v8f *lod, const uint8_t *lanes, ppsim_column *out);

/* pp_texel.c: what a descriptor's format, reverse and swap_rb say of the channels. */
void pp_texel_format(struct pp_texture *tex);
/* Of formats that are not unorm, a texel at p; x, y within its block for ETC1. */
void pp_texel_decode(const struct pp_texture *tex, const uint8_t *p, unsigned int x, unsigned int y, float out[4]);

/* pp_wb.c: writes the tile by unit pp->wb_unit and on; false on a fault. */
bool pp_write_back(struct pp *pp);

/* pp_watch.c: only while somebody watches a pixel; begin is false when it is not covered. */
bool pp_watch_in_block(const struct pp *pp, const struct pp_block *b);
void pp_watch_triangle(struct pp *pp);
bool pp_watch_begin(struct pp *pp, const struct pp_block *b, struct model_fragment *fragment);
/* The fragment has come through a test, or was lost in it. */
void pp_watch_step(struct pp *pp, const struct pp_block *b, enum model_verdict lost);
void pp_watch_shaded(struct pp *pp, const struct pp_block *b, const v8f color[4]);
void pp_watch_end(struct pp *pp, const struct pp_block *b);
/* Runs the watched pixel's shader, telling each step; what it reads of textures. */
enum sim_status pp_watch_run(struct pp *pp, struct ppsim_state *s, unsigned int limit);
void pp_watch_sample(struct pp *pp, const struct ppsim_sample *s, const v8f rgba[4]);

#endif
