/* SPDX-License-Identifier: MIT */
/*
 * What a Vivante job consists of: surfaces with tile status, clears, resolves,
 * draws, 2D blits. Each function appends to a stream (stream.h); nothing is
 * submitted here. Facts: Mesa's etnaviv gallium driver (what works on hardware),
 * rnndb, etna_viv hardware.md.
 */
#ifndef LIMN_LIB_VIVANTE_VIVANTE_H
#define LIMN_LIB_VIVANTE_VIVANTE_H

#include "lib/vivante/stream.h"
#include "lib/vivante/tiling.h"

/* --- The core ----------------------------------------------------------------- */

#define VIV_FEATURE_WORDS	13

/* What a core is, from GET_PARAM, and what follows from it for whoever writes streams. */
struct viv_specs {
	uint32_t core;			/* index in limn_info */
	uint32_t model, revision, product_id;
	uint32_t features[VIV_FEATURE_WORDS];
	uint32_t stream_count, pixel_pipes, shader_cores, vertex_cache, vertex_buffer;
	uint32_t instructions, constants, varyings;
	int halti;			/* -1: none; 0, 1, 2, 3, 4, 5 */
	bool pipe_3d, pipe_2d;
	bool icache;			/* shaders can come from memory, and with halti 5 must */
	bool unified_uniforms, shader_range, single_buffer, blt, many_pipes;
	bool line_256;			/* CACHE128B256BPERLINE */
	uint32_t vs_code, ps_code;	/* state addresses of instruction 0 */
	uint32_t vs_uniforms, ps_uniforms;
	uint32_t vs_samplers;		/* first sampler of the vertex shader */
	uint32_t max_elements, max_instructions, max_vs_uniforms, max_ps_uniforms;
	uint32_t ts_bits;		/* of tile status, per tile */
	uint32_t ts_clear;		/* word of tile status that says: cleared */
};

enum {
	VIV_WORD_chipFeatures, VIV_WORD_chipMinorFeatures0, VIV_WORD_chipMinorFeatures1,
	VIV_WORD_chipMinorFeatures2, VIV_WORD_chipMinorFeatures3, VIV_WORD_chipMinorFeatures4,
	VIV_WORD_chipMinorFeatures5, VIV_WORD_chipMinorFeatures6, VIV_WORD_chipMinorFeatures7,
	VIV_WORD_chipMinorFeatures8, VIV_WORD_chipMinorFeatures9, VIV_WORD_chipMinorFeatures10,
	VIV_WORD_chipMinorFeatures11,
};

/* viv_has(specs, chipMinorFeatures1, HALTI0) */
#define viv_has(specs, word, bit) (!!((specs)->features[VIV_WORD_##word] & word##_##bit))

void limn_viv_specs_init(struct viv_specs *specs, const struct limn_info *info, uint32_t core);
/* The device's first core with a 3D pipe (2D when !pipe_3d); false: none. */
bool limn_viv_specs_find(struct viv_specs *specs, const struct limn_info *info, bool pipe_3d);

/* --- Surfaces ----------------------------------------------------------------- */

/* Colour or depth memory. First comes what the caller sets, then what limn_viv_surface_create() does. */
struct viv_surface {
	uint32_t width, height;		/* pixels */
	uint32_t samples;		/* 1, 2, 4: 1x1, 2x1, 2x2 of them in a pixel's place */
	uint32_t cpp;			/* bytes of a sample */
	uint32_t bits;			/* VIV_TILE | VIV_SUPER | VIV_MULTI; 0: linear */
	bool tile_status;		/* has it, for fast clear */
	uint32_t format;		/* PE_FORMAT_*; depth: VIVS_PE_DEPTH_CONFIG_DEPTH_FORMAT_* */

	uint32_t padded_width, padded_height;	/* samples */
	uint32_t stride;		/* bytes of a row of samples */
	uint32_t tiles;			/* what tile status counts */
	uint32_t ts_size;
	struct limn_bo *bo, *ts_bo;
	/* As the stream so far leaves it. */
	bool ts_valid;
	uint32_t clear_value[2];
};

/* Lays the surface out for the core and makes its BOs. 0; a negative errno. */
int limn_viv_surface_create(struct viv_surface *s, const struct viv_specs *specs, struct limn_device *dev,
			    struct limn_error *err);
void limn_viv_surface_destroy(struct viv_surface *s);
struct viv_tiling limn_viv_surface_tiling(const struct viv_surface *s);

/* --- Clears and resolves -------------------------------------------------------- */

/* States that every stream of the 3D pipe begins with. */
void limn_viv_begin_3d(struct viv_stream *s, const struct viv_specs *specs);
/* Colour and depth written back, and waited for. */
void limn_viv_flush(struct viv_stream *s, const struct viv_specs *specs);

/*
 * Fills the surface with a value (16-bit pixels: twice in a word; 64-bit: two
 * words). With tile status: marks its tiles as cleared, no pixel is touched.
 */
void limn_viv_clear(struct viv_stream *s, const struct viv_specs *specs, struct viv_surface *surface,
		    const uint32_t value[2]);

/*
 * Copies src to dst, which differ in tiling, and averages the samples of src when
 * dst has one. Same size and cpp. Tiles that src has as cleared come out filled.
 */
void limn_viv_resolve(struct viv_stream *s, const struct viv_specs *specs, const struct viv_surface *src,
		      const struct viv_surface *dst);

/* --- Draws -------------------------------------------------------------------- */

#define VIV_MAX_ATTRIBUTES	16
#define VIV_MAX_VARYINGS	15
#define VIV_MAX_SAMPLERS	32
#define VIV_MAX_LEVELS		14

struct viv_attribute {
	const struct limn_bo *bo;
	uint32_t offset, stride;
	uint32_t type;			/* FE_DATA_TYPE_* */
	uint32_t components;		/* 1 to 4 */
	uint32_t bytes;			/* of the element */
	bool normalize;			/* 0 to 1, or -1 to 1 when signed */
	bool integer;			/* read as integer by the shader */
	uint32_t reg;			/* temporary of VS that receives it */
};

struct viv_shader {
	const uint32_t *words;		/* 4 to an instruction */
	uint32_t instructions;
	const struct limn_bo *bo;	/* the same in memory, where the core takes it from there */
	uint32_t temps;
	const uint32_t *uniforms;	/* vectors of 4 words */
	uint32_t num_uniforms;		/* vectors */
};

enum viv_varying_kind { VIV_VARYING_GENERIC, VIV_VARYING_COLOR, VIV_VARYING_POINT_COORD };

/* Input i of PS, in temporary 1 + i. */
struct viv_varying {
	enum viv_varying_kind kind;
	uint32_t components;
	uint32_t reg;			/* temporary of VS that holds it at the end */
	bool flat;			/* HALTI5: not interpolated */
};

struct viv_texture {
	const struct limn_bo *bo;
	uint32_t type;			/* TEXTURE_TYPE_2D, ... */
	uint32_t format;		/* TEXTURE_FORMAT_*, or _EXT_* with ext */
	bool ext;
	uint32_t swizzle[4];		/* TEXTURE_SWIZZLE_* */
	uint32_t width, height, levels;
	uint32_t depth;			/* of a volume; 0 is 1 */
	uint32_t slice;			/* bytes of a face or slice of level 0; 0: of what is before level 1 */
	uint32_t halign;		/* TEXTURE_HALIGN_* */
	bool linear;
	uint32_t stride;		/* linear: bytes of a row */
	uint32_t offsets[VIV_MAX_LEVELS];
	/* Sampler. Filters TEXTURE_FILTER_*, wraps TEXTURE_WRAPMODE_*. */
	uint32_t min, mag, mip, wrap_s, wrap_t, wrap_r;
	float lod_min, lod_max, lod_bias;
	uint32_t compare;		/* shadow sampler: TEXTURE_COMPARE_FUNC_* and 1; 0: none */
	uint32_t config2;		/* HALTI5: bits of TE_SAMPLER_CONFIG2, signed integers */
	const struct limn_bo *desc;	/* HALTI5: 256 bytes for the descriptor, 64-byte aligned */
	uint32_t desc_offset;
};

/* A colour format of targets: PE, RS and BLT have the same numbers for these. */
struct viv_pixel {
	const char *name;	/* as jobs have it; NULL: no target of a job */
	uint32_t pe, de;	/* PE_FORMAT_*, DE_FORMAT_* */
	uint32_t cpp;
	uint8_t bits[4];	/* of blue, green, red, alpha, from the lowest bit on */
};

/* NULL behind the last with a name. */
const struct viv_pixel *limn_viv_pixel_at(unsigned int index);
/* By PE_FORMAT_*; NULL: there is none. */
const struct viv_pixel *limn_viv_pixel_find(uint32_t pe);
/* A colour as the format stores it, in the low bits. */
uint32_t limn_viv_pixel_encode(const struct viv_pixel *f, const float rgba[4]);
void limn_viv_pixel_decode(const struct viv_pixel *f, const uint8_t *pixel, uint8_t rgba[4]);

struct viv_state {
	float scale[3], offset[3];	/* viewport: pixels and depth from clip space; z from 0..1 of clip space */
	uint32_t clip[4];		/* left, top, right, bottom: pixels that may be written */
	/* Register values; fields that depend on surfaces and shaders are added by viv_draw(). */
	uint32_t pa_config, pa_system_mode, se_config;
	float line_width, point_size;
	float depth_scale, depth_units;
	uint32_t pe_depth_config;	/* DEPTH_FUNC, WRITE_ENABLE */
	bool depth_test;
	uint32_t pe_stencil_op, pe_stencil_config, pe_stencil_ref_back, pe_stencil_ext2;
	uint32_t pe_alpha_op, pe_alpha_config, pe_blend_color;
	float blend_color[4];		/* of pe_blend_color, for HALF_FLOAT cores */
	uint32_t color_mask;		/* RGBA_BITS_* as the target's format has them */
	uint32_t sample_mask;
};

struct viv_call {
	const struct viv_surface *color, *depth;	/* depth may be NULL */
	const struct viv_state *state;
	struct viv_attribute attributes[VIV_MAX_ATTRIBUTES];
	uint32_t num_attributes;
	struct viv_shader vs, ps;
	uint32_t position;		/* temporary of VS that holds the position at its end */
	int32_t size_reg;		/* and the point size, -1: none */
	struct viv_varying varyings[VIV_MAX_VARYINGS];
	uint32_t num_varyings;
	uint32_t color_reg;		/* temporary of PS that holds the colour at its end */
	const struct viv_texture *textures[VIV_MAX_SAMPLERS];	/* by sampler as the shader numbers it */
	bool ps_discards;

	uint32_t primitive;		/* PRIMITIVE_TYPE_* */
	uint32_t first, count;		/* vertices or indices */
	uint32_t instances;		/* 0 is 1 */
	const struct limn_bo *indirect;	/* NULL, or the three above as the GPU reads them (HALTI5, no indices) */
	const struct limn_bo *indices;
	uint32_t index_type;		/* VIVS_FE_INDEX_STREAM_CONTROL_TYPE_* */
	uint32_t index_offset;		/* bytes */
	bool restart;			/* the largest index there is starts strips anew */
	const struct viv_extra *extra;
	uint32_t num_extra;
};

/* Primitives that count vertices make. */
uint32_t limn_viv_primitives(uint32_t primitive, uint32_t count);

/* NULL, or why the core cannot do this call (static text). */
const char *limn_viv_call_check(const struct viv_call *call, const struct viv_specs *specs);
/* All state of the call, and the draw. */
void limn_viv_call_emit(struct viv_stream *s, const struct viv_specs *specs, const struct viv_call *call);

/* The samplers' states, which limn_viv_call_emit() has in it. */
void viv_textures_emit(struct viv_stream *s, const struct viv_specs *specs, const struct viv_call *call);
/* Writes a texture's descriptor (HALTI5); desc points at its 256 bytes. */
void limn_viv_texture_describe(const struct viv_texture *t, uint32_t *desc);

/* --- Compute kernels ------------------------------------------------------------- */

/* A program that runs once for each item of a grid of work groups. */
struct viv_kernel {
	struct viv_shader program;	/* its uniforms begin at u1; in memory from GC3000 on */
	const struct limn_bo *memory;	/* u0: its address, */
	uint32_t memory_words[3];	/* and what follows that */
	uint32_t size[3], groups[3];	/* items of a group; at least 1 each */
	uint32_t ids;			/* 1: t0 is the global id; 2: t1 the local id as well */
	const struct viv_extra *extra;
	uint32_t num_extra;
};

/* NULL, or why the core cannot run it (static text). */
const char *limn_viv_kernel_check(const struct viv_kernel *kernel, const struct viv_specs *specs);
/* All state of the kernel, its start, and a wait until memory has what it stored. */
void limn_viv_kernel_emit(struct viv_stream *s, const struct viv_specs *specs, const struct viv_kernel *kernel);

/* --- 2D engine ------------------------------------------------------------------- */

struct viv_2d_surface {
	const struct limn_bo *bo;
	uint32_t offset, stride;
	uint32_t width, height;
	uint32_t format;		/* DE_FORMAT_* */
	uint32_t swizzle;		/* DE_SWIZZLE_* */
};

enum viv_2d_kind {
	VIV_2D_FILL,
	VIV_2D_COPY,
	VIV_2D_STRETCH,		/* from scaled to to, nearest pixel */
	VIV_2D_LINE,		/* to: its ends; the second is not drawn */
	VIV_2D_ROTATE,
};

struct viv_2d_op {
	enum viv_2d_kind kind;
	const struct viv_2d_surface *src, *dst;	/* src of copies alone */
	struct viv_rect from, to;	/* of from the corner alone, but for a stretch */
	uint32_t argb;
	uint32_t rop;			/* of VIV_2D_COPY: ternary code, 0xcc copies */
	uint32_t rotation;		/* DE_ROT_MODE_* of the source */
	const struct viv_extra *extra;
	uint32_t num_extra;
};

void limn_viv_2d_emit(struct viv_stream *s, const struct viv_2d_op *op);
/* The pixel cache written back, and waited for. */
void limn_viv_2d_flush(struct viv_stream *s);

#endif
