/* SPDX-License-Identifier: MIT */
/*
 * Frames for Utgard GPUs: command lists, render states, textures, tile streams
 * and the two jobs (GP, then PP) that make one picture.
 *
 * Usage: limn_utgard_frame_create(), limn_utgard_draw() for each draw, limn_utgard_frame_end(),
 * then limn_utgard_frame_submit() and limn_utgard_frame_wait() as often as wanted, and
 * limn_utgard_frame_free(). Errors as in limn.h.
 *
 * Order and shape of the lists: what Mesa's lima emits (lima_draw.c,
 * lima_job.c), since that is what is known to run on hardware.
 */
#ifndef LIMN_UTGARD_H
#define LIMN_UTGARD_H

#include <stdbool.h>
#include <stdint.h>

#include <drm/lima_drm.h>
#include <limn/utgard/gp_stream.h>
#include <limn/utgard/pp_stream.h>
#include <limn/utgard/regs.h>
#include <limn/utgard/states.h>

#include "lib/limn.h"
#include "lib/utgard/states.h"

#define UTGARD_MAX_ATTRIBUTES	16
#define UTGARD_MAX_OUTPUTS	16	/* varyings, position, point size */
#define UTGARD_MAX_TEXTURES	16
#define UTGARD_MAX_SIZE		4096	/* of a target, pixels each way */
#define UTGARD_PLB_MAX_BLOCKS	512	/* what a Mali-400's PLBU takes (Mesa lima_screen.c) */

/* --- Words ------------------------------------------------------------ */

/* A growing list of words. Once memory ran out, failed stays set. */
struct utgard_words {
	uint32_t *w;
	uint32_t count, room;
	bool failed;
};

void limn_utgard_emit(struct utgard_words *words, uint32_t w0, uint32_t w1);
void limn_utgard_words_free(struct utgard_words *words);

uint16_t limn_utgard_half(float f);

/* --- Textures --------------------------------------------------------- */

/* A texel format by the name that people use. */
struct utgard_texel {
	const char *name;
	uint8_t format;		/* TEX_FORMAT_* */
	bool swap_rb;
};

/* NULL when there is no texel format of that name; _at() walks all, NULL ends. */
const struct utgard_texel *limn_utgard_texel_find(const char *name);
const struct utgard_texel *limn_utgard_texel_at(unsigned int index);
/* Bytes of a texel, or of a block of side x side texels. */
uint32_t limn_utgard_texel_bytes(const struct utgard_texel *texel);
uint32_t limn_utgard_texel_side(const struct utgard_texel *texel);

struct utgard_image {
	const struct utgard_texel *texel;
	uint32_t width, height;
	uint32_t depth;		/* of a volume, else 0 */
	uint32_t levels;
	bool cube;		/* six faces: +x -x +y -y +z -z */
	bool tiled;		/* 16x16 blocks, else rows */
	/* Filled in by limn_utgard_image_layout(). */
	uint32_t offset[TEX_MAX_LEVELS];
	uint32_t stride[TEX_MAX_LEVELS];	/* bytes a row, of 16 texels' multiples */
	uint32_t slice[TEX_MAX_LEVELS];	/* bytes of one of a level's images */
	uint32_t bytes;
};

/* Levels that an image of that size can have. */
uint32_t limn_utgard_image_max_levels(uint32_t width, uint32_t height);
/* -EINVAL: a size or level count that the descriptor cannot say. */
int limn_utgard_image_layout(struct utgard_image *image, struct limn_error *err);
/* Images of a level: slices of a volume, faces of a cube. */
uint32_t limn_utgard_image_slices(const struct utgard_image *image, uint32_t level);
/* Stores one level; rgba: width x height x 4 floats of that level, top row first. */
void limn_utgard_image_store(const struct utgard_image *image, uint32_t level, const float *rgba,
			     uint8_t *map);
/* Stores an image of a level: rows of texels or blocks as they are, or NULL; their bytes. */
uint32_t limn_utgard_image_store_bytes(const struct utgard_image *image, uint32_t level, uint32_t slice,
				       const uint8_t *rows, uint8_t *map);

struct utgard_sampler {
	bool min_linear, mag_linear;
	bool mip, mip_linear;	/* mip false: level 0 only */
	uint8_t wrap_s, wrap_t;	/* TEX_WRAP_* */
	float min_lod, max_lod, lod_bias;
	float border[4];
	bool unnormalised;
};

/* desc: TEX_DESC_WORDS_FOR(image->levels) words. */
void limn_utgard_texture_desc(uint32_t *desc, const struct utgard_image *image, uint32_t va,
			      const struct utgard_sampler *sampler);

/* --- Draws ------------------------------------------------------------ */

struct utgard_stencil {
	uint8_t func, fail, zfail, zpass;	/* RSW_NEVER.., RSW_STENCIL_KEEP.. */
	uint8_t ref, mask, write;
};

/* Fixed-function state of a draw, in the values of limn/utgard/states.inc. */
struct utgard_state {
	bool blend;
	uint8_t blend_func_rgb, blend_func_alpha;
	uint8_t blend_src_rgb, blend_dst_rgb, blend_src_alpha, blend_dst_alpha;
	float blend_color[4];
	uint8_t color_mask;	/* bit 0 red .. bit 3 alpha */
	bool depth_test, depth_write;
	uint8_t depth_func;
	float depth_near, depth_far;
	float offset_scale, offset_units;
	bool stencil_test;
	struct utgard_stencil front, back;
	uint8_t alpha_func;
	float alpha_ref;
	uint8_t sample_mask;
	bool alpha_to_coverage, alpha_to_one, dither;
	bool cull_front, cull_back, front_ccw;
	float point_size, line_width;
	bool scissor;
	uint32_t scissor_x, scissor_y, scissor_w, scissor_h;
	float viewport[4];	/* left, right, first and last row, pixels */
};

/* Everything off, colours written, viewport and scissor of a target's size. */
void limn_utgard_state_init(struct utgard_state *state, uint32_t width, uint32_t height);

enum utgard_output_kind { UTGARD_POSITION, UTGARD_POINT_SIZE, UTGARD_VARYING };

/* An output register of the vertex shader; varyings keep their order for the PP. */
struct utgard_output {
	enum utgard_output_kind kind;
	uint8_t components;	/* of varyings: 1..4 */
	bool half;		/* of varyings: fp16 */
};

struct utgard_texture {
	const struct utgard_image *image;
	const struct limn_bo *bo;	/* NULL: the frame's polygon lists, for experiments */
	struct utgard_sampler sampler;
};

/* For experiments: what a draw's lists for VS and PLBU lack, or have beside what a draw needs. */
enum utgard_lists {
	UTGARD_LISTS_PLAIN,
	UTGARD_LISTS_NO_SEMAPHORES,
	UTGARD_LISTS_NO_VS_FLUSH,
	UTGARD_LISTS_PLBU_FLUSH,	/* behind the draw */
	UTGARD_LISTS_ARRAY,		/* the array of polygon lists again, before the draw */
	UTGARD_LISTS_NO_TILE,		/* of a Mali-400's PPs: an address of 0 for the list of tile 1, 1 */
};

struct utgard_draw {
	uint8_t mode;		/* GP_MODE_* */
	uint32_t start, count;	/* vertices, or indices */
	/* Indexed when index_bytes is 1 or 2; min and max of the indices used. */
	uint8_t index_bytes;
	const void *indices;
	uint32_t min_index, max_index;

	/* Attribute streams: vertex data from vertex 0, and GP_STREAM() of it. */
	struct {
		const struct limn_bo *bo;
		uint32_t offset;
		uint32_t format;
	} attributes[UTGARD_MAX_ATTRIBUTES];
	uint32_t num_attributes;
	struct utgard_output outputs[UTGARD_MAX_OUTPUTS];
	uint32_t num_outputs;

	const void *vs;		/* instructions of 16 bytes */
	uint32_t vs_bytes;
	uint32_t vs_prefetch;	/* index of the last instruction that loads an attribute */
	const float *vs_uniforms;
	uint32_t num_vs_uniforms;	/* vectors of 4 */

	const uint32_t *fs;
	uint32_t fs_bytes;
	uint8_t fs_color_reg;
	bool fs_discards;
	uint32_t fs_stack;	/* as the frame register: 0 for none */
	const uint16_t *fs_uniforms;	/* fp16 */
	uint32_t num_fs_uniforms;	/* scalars */
	struct utgard_texture textures[UTGARD_MAX_TEXTURES];
	uint32_t num_textures;

	struct utgard_state state;
	/* Written last, for experiments: of RSW, textures, VS and PLBU. */
	const struct utgard_forced *forced;
	uint32_t num_forced;
	enum utgard_lists lists;
};

/* What the lists of one draw need besides the draw: where its parts are. */
struct utgard_places {
	uint32_t vs_va, fs_va, vs_uniforms_va, fs_uniforms_va, textures_va;
	uint32_t attributes_va, outputs_va, indices_va, rsw_va;
	uint32_t positions_va, point_sizes_va, varyings_va, varying_stride;
	bool has_point_size;
};

/* Bytes from one vertex's varyings to the next's; offset[i] of output i within them. */
uint32_t limn_utgard_varyings_layout(const struct utgard_output *outputs, uint32_t count,
				     uint32_t *offset);
void limn_utgard_rsw(uint32_t rsw[RSW_WORDS], const struct utgard_draw *draw,
		     const struct utgard_places *at, uint32_t samples);
void limn_utgard_vs_list(struct utgard_words *list, const struct utgard_draw *draw,
			 const struct utgard_places *at);
void limn_utgard_plbu_list(struct utgard_words *list, const struct utgard_draw *draw,
			   const struct utgard_places *at);

/* --- Tiles and frames ------------------------------------------------- */

struct utgard_tiles {
	uint32_t w, h;			/* tiles */
	uint32_t shift_w, shift_h;	/* log2 of tiles that share a polygon list */
	uint32_t block_w, block_h;	/* polygon lists */
};

struct utgard_tiles limn_utgard_tiles_of(uint32_t width, uint32_t height);

/* Point number d of the Hilbert curve that fills a square of n x n, n a power of 2. */
void limn_utgard_hilbert(uint32_t n, uint32_t d, uint32_t *x, uint32_t *y);

/*
 * Tile lists of num_pp cores: tiles along the curve, dealt round robin, each
 * calling its polygon list. offset[i]: where in out the list of core i starts,
 * bytes, 32-byte aligned. out may be NULL to learn the size.
 * Returns bytes in all.
 */
uint32_t limn_utgard_tile_lists(const struct utgard_tiles *tiles, uint32_t num_pp, uint32_t plb_va,
				uint32_t *out, uint32_t offset[UTGARD_MAX_PP]);
/*
 * Registers of the unit that deals tiles to the cores of a Mali-450 instead of
 * tile lists, as struct drm_lima_m450_pp_frame takes them (Mesa lima_job.c).
 */
void limn_utgard_dlbu(const struct utgard_tiles *tiles, uint32_t plb_va, uint32_t regs[4]);
/* Head of a frame's PLBU list. array_va: addresses of the polygon lists' first blocks. */
void limn_utgard_plbu_head(struct utgard_words *list, const struct utgard_tiles *tiles,
			   uint32_t array_va);

/* A colour format of targets. */
struct utgard_pixel {
	const char *name;
	uint8_t format;		/* PP_WB_* */
	bool swap_rb;
	uint16_t channels;	/* PP_CHANNELS_* */
};

uint32_t limn_utgard_pixel_bytes(const struct utgard_pixel *pixel);
/* To 8 bits, rounded to nearest; a channel that is not stored is 0, alpha 255. */
void limn_utgard_pixel_decode(const struct utgard_pixel *pixel, const uint8_t *in, uint8_t rgba[4]);

const struct utgard_pixel *limn_utgard_pixel_find(const char *name);
const struct utgard_pixel *limn_utgard_pixel_at(unsigned int index);

struct utgard_target {
	uint32_t width, height;
	const struct utgard_pixel *pixel;
	uint32_t samples;	/* 1 or 4 */
	uint8_t clear_color[4];
	uint32_t clear_depth;	/* 24 bits */
	uint8_t clear_stencil;
	uint32_t heap;		/* bytes of the tile heap: its bound when it grows; 0: 16 MiB */
	bool fixed_heap;	/* all of it from the start */
	/* Written last, for experiments: of PP and its write-back units. */
	const struct utgard_forced *forced;
	uint32_t num_forced;
};

struct utgard_frame;

int limn_utgard_frame_create(struct limn_device *dev, const struct utgard_target *target,
			     struct utgard_frame **frame, struct limn_error *err);
void limn_utgard_frame_free(struct utgard_frame *frame);
/* Memory that lives as long as the frame and that GP and PP read. align: a power of 2. */
void *limn_utgard_frame_alloc(struct utgard_frame *frame, uint32_t bytes, uint32_t align, uint32_t *va,
			      struct limn_error *err);
int limn_utgard_draw(struct utgard_frame *frame, const struct utgard_draw *draw,
		     struct limn_error *err);
int limn_utgard_frame_end(struct utgard_frame *frame, struct limn_error *err);
/* How it is submitted from now on; must stay. NULL: see struct limn_how. */
void limn_utgard_frame_how(struct utgard_frame *frame, const struct limn_how *how);
/* Submits GP and PP jobs as a batch; a frame may be submitted again once it was waited for. */
int limn_utgard_frame_submit(struct utgard_frame *frame, struct limn_error *err);
/* One of the two again, for measurements: a PP job alone draws the last GP job's lists. */
int limn_utgard_frame_submit_pipe(struct utgard_frame *frame, enum limn_pipe pipe,
				  struct limn_error *err);
/* The end of the job that was submitted last on that pipe; the frame's. */
struct limn_fence *limn_utgard_frame_fence(struct utgard_frame *frame, enum limn_pipe pipe);
/* As limn_wait(), for the jobs that were submitted last. */
int limn_utgard_frame_wait(struct utgard_frame *frame, int64_t timeout_ns, struct limn_error *err);
/* What of the frame is at an address that the GPU uses. */
struct utgard_part {
	const char *name;	/* "fragment shader" */
	uint32_t draw;		/* which it belongs to, from 0; ~0: the whole frame */
	uint32_t offset;	/* bytes into it */
};

/* False: the frame has nothing there; what callers gave it (attributes, textures) is theirs to know. */
bool limn_utgard_frame_find(const struct utgard_frame *frame, uint32_t va, struct utgard_part *part);
/* Part number index of the frame, from 0: its address, and its bytes if the GPU only reads them, else NULL. False: there are no more. */
bool limn_utgard_frame_part(const struct utgard_frame *frame, uint32_t index, uint32_t *va, uint32_t *bytes, const void **data);
/* The picture: rows of *stride bytes, top row first. */
const uint8_t *limn_utgard_frame_pixels(const struct utgard_frame *frame, uint32_t *stride);

/* The PP's registers for a frame; for tests of the encodings. */
void limn_utgard_pp_frame(uint32_t frame[LIMA_PP_FRAME_REG_NUM], uint32_t wb[3 * LIMA_PP_WB_REG_NUM],
			  const struct utgard_target *target, uint32_t rsw_va, uint32_t color_va,
			  uint32_t stack);

#endif
