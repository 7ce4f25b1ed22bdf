/* SPDX-License-Identifier: MIT */
/*
 * The 3D pipeline, shared by its files, one per hardware block:
 *
 *	draw.c		a draw from start to end, in slices
 *	vertex.c	FE: indices, vertex elements, primitive assembly
 *	shader.c	SH: programs, uniforms; runs VS and PS
 *	pa.c		PA: viewport, culling, clipping, points and lines
 *	se.c		SE: edges and planes of a triangle
 *	ra.c		RA: coverage, interpolation; drives PS and PE
 *	stripes.c	RA: stripes of the target beside one another
 *	msaa.c		RA: where samples are
 *	pe.c		PE: depth, stencil, targets
 *	pe_color.c	PE: colour formats, blending, logic ops
 *	texture.c	TX: sampler state, level of detail, filtering
 *	texel.c		TX: texel formats; texel_block.c: the compressed ones
 *	query.c		occlusion queries
 *	watch.c		the history of a pixel
 *	walk.c		the thread walker: compute kernels
 *
 * Fragments go in blocks of eight: two 2x2 quads side by side, lane =
 * quad * 4 + y * 2 + x. Screen y grows with the rows of the target.
 */
#ifndef LIMN_MODEL_VIVANTE_VIV3D_H
#define LIMN_MODEL_VIVANTE_VIV3D_H

#include <limn/vivante/hw_regs.h>
#include <limn/vivante/states.h>

#include "isa/half.h"
#include "model/fragment.h"
#include "model/vivante/tiling.h"
#include "model/vivante/vivante.h"
#include "model/watch.h"
#include "sim/vector.h"
#include "sim/vivante.h"

/* No vector goes by value between files: they may be built for different machines. */
#pragma GCC diagnostic ignored "-Wpsabi"

typedef double v8d __attribute__((vector_size(64)));

#define V3D_LANES	FRAGMENT_LANES
#define V3D_BLOCK_W	FRAGMENT_BLOCK_W
#define V3D_BLOCK_H	FRAGMENT_BLOCK_H
#define V3D_SAMPLES	4
#define V3D_RTS		8
#define V3D_ELEMENTS	32
#define V3D_VARYINGS	VIV_VARYINGS
#define V3D_STREAMS	16
#define V3D_SAMPLERS	80		/* HALTI5, where they are not unified */
#define V3D_LEVELS	14
#define V3D_SUBPIXELS	FRAGMENT_SUBPIXELS
#define V3D_CHUNK	32		/* vertices of one slice */
#define V3D_CARRY	4		/* of the chunk before: first, last but two, but one, last */
#define V3D_MAX_TRIS	16	/* of a primitive */
#define V3D_TRIS	64	/* in RA */

#define V3D_COLUMNS	2048	/* of blocks: 8192 pixels */
#define V3D_RUN		16	/* blocks that go through the pipe together, at most */

#define V3D_BLOCK_COST	8	/* of a slice's budget, beside its shader's */

/* Of a program that has run so many instructions. */
static inline int v3d_shader_cost(uint32_t instructions)
{
	return (int)(instructions / 2);
}

#define V3D_LANE_X(l)	FRAGMENT_LANE_X(l)
#define V3D_LANE_Y(l)	FRAGMENT_LANE_Y(l)

struct v3d_vertex {
	float pos[4];			/* clip space */
	float size;			/* point size, pixels */
	uint32_t index;			/* its number */
	float varying[V3D_VARYINGS][4];
};

/* A primitive of the chunk: slots of its vertices. */
struct v3d_prim {
	uint8_t vertices;		/* 1 point, 2 line, 3 triangle */
	uint8_t v[3];
	uint8_t provoking;
};

struct v3d_element {
	uint8_t type, components, stream;
	bool normalize;
	uint32_t offset, one;		/* one: what a missing w is */
};

struct v3d_stream {
	uint32_t base, stride, divisor;
};

/* FE: where the draw stands. */
struct v3d_fetch {
	struct viv_draw draw;
	uint32_t total;			/* vertices of one instance, restarts included */
	uint32_t next, instance;
	unsigned int index_bytes;	/* 0: not indexed */
	bool restart;
	uint32_t restart_index;
	unsigned int num_elements;
	struct v3d_element element[V3D_ELEMENTS];
	struct v3d_stream stream[V3D_STREAMS];
	/* assembly */
	uint32_t fed;			/* vertices since the last restart */
	uint8_t first, back[3];		/* slots; back[0] is the latest */
	bool last_provokes;
	unsigned int num_prims, next_prim;
	struct v3d_prim prim[V3D_CHUNK * 2 + 2];
	struct v3d_vertex vertex[V3D_CARRY + V3D_CHUNK];
};

struct v3d_program {
	const uint32_t *words;
	unsigned int start, count;	/* instructions: first, end */
	unsigned int temps;
	const uint32_t (*uniforms)[4];
	unsigned int uniform_count;
	uint32_t *copy;			/* of instructions in memory */
	unsigned int copied;
	struct vivsim_op *ops;		/* words, decoded */
	unsigned int decoded;
	struct vivsim_env env;
	v8u (*constants)[4];		/* operands of ops that are always the same */
	size_t num_constants;		/* there is room for */
};

enum v3d_interpolation { V3D_SMOOTH, V3D_LINEAR, V3D_FLAT };

/* What PA and RA know of one varying. */
struct v3d_varying {
	uint8_t components;
	uint8_t mode[4];		/* enum v3d_interpolation, per component */
	uint8_t use[4];			/* VARYING_COMPONENT_USE_* */
};

struct v3d_pa {
	float scale[3], offset[3];
	bool zclip_w, zconvert;		/* clip z is in [-w, w]; PA makes it [0, w] */
	bool near_at_w;			/* the near plane is at -w */
	float least_w;
	unsigned int cull, fill;
	float point_size, line_width;
	bool size_per_vertex, sprites, last_pixel;
};

/* A corner in pixels. */
struct v3d_corner {
	double x, y, z, iw;
	double weight[3];		/* in terms of the primitive's vertices */
	float point[2];			/* point coordinate */
};

/* A triangle ready to be rasterised; a primitive makes one or several. */
struct v3d_tri {
	const struct v3d_vertex *vertex[3], *provoking;
	struct fragment_edges edges;
	int32_t x0, y0, x1, y1;		/* bounds in pixels, inclusive */
	double ref_x, ref_y;		/* pixels; the planes' origin */
	double z[3], w[3];		/* value at the origin, per x, per y: z and 1/w */
	double weight[3][3], inv_w[3];	/* of each corner */
	double l1[2], l2[2];		/* barycentric slopes of corners 1 and 2 */
	float point[3][2];
	bool cw;			/* its front, as PE and the shader see it */
};

/* The primitive in PA. */
struct v3d_primitive {
	const struct v3d_vertex *vertex[3], *provoking;
	unsigned int vertices, num_tris;
};

/* RA: its triangles, and how far it is. */
struct v3d_raster {
	struct v3d_tri *tris;
	unsigned int num_tris, tri;
	bool started;			/* tris[tri] is under way, at the block x, y */
	int32_t bounds[4], x, y;
	/* Blocks of the row up to span lie across so many edges: of three the triangle's, of fewer these. */
	int32_t span;
	bool narrow;			/* less than half a span */
	unsigned int edges;
	struct fragment_edges across;
	v8l edge_lanes[3];		/* what the triangle's edges grow by from lane 0 of a block to each */
	float plane[V3D_VARYINGS][3][4];	/* by component: at the origin, per x, per y */
};

/* A surface that PE draws to. */
struct v3d_target {
	bool on;
	uint8_t plane;			/* enum viv_plane */
	uint32_t base[2], stride;
	unsigned int layout, bytes;
	enum viv_supertile mode;
	struct viv_ts ts;
};

struct v3d_blend {
	bool enable;
	uint8_t src[2], dst[2], eq[2];	/* colour, alpha */
	float constant[4];
};

struct v3d_color {
	struct v3d_target target;
	uint8_t format, mask;
	bool saturate, overwrite, srgb;
	uint8_t mode;			/* COLOR_OUTPUT_MODE_* */
	uint8_t reg;			/* PS temporary */
	struct v3d_blend blend;
	uint64_t writable;		/* bits of the pixel that may change */
	bool reads;			/* blending or a logic op */
};

struct v3d_stencil {
	uint8_t func, fail, zfail, zpass, ref, mask, write;
};

struct v3d_pe {
	struct v3d_target depth;
	bool depth16, depth_on, depth_write, early, stencil_on;
	uint8_t depth_func;
	double normalize;
	struct v3d_stencil stencil[2];	/* clockwise, counter-clockwise */
	bool alpha_test;
	uint8_t alpha_func, alpha_ref;
	unsigned int num_rts;
	struct v3d_color rt[V3D_RTS];
	uint8_t logic_op;
	bool dither;
	uint8_t dither_matrix[16];
};

/*
 * What a block's column adds to the offset of its pixels in a target of some layout: rows and columns add up, see offset() of
 * texture.c. The lowest bit is the pipe, which a row may turn over.
 */
struct v3d_columns {
	unsigned int layout, bytes;
	enum viv_supertile mode;
	unsigned int known;		/* so many are there */
	uint32_t at[V3D_COLUMNS];
};

/* One level of a texture. */
struct v3d_level {
	uint32_t va, w, h, d, stride, slice;
	bool aligned;			/* each texel to its size: none lies across lines */
};

/* A sampler, decoded from states or from a descriptor. */
struct v3d_sampler {
	bool decoded, valid;
	uint8_t type, format;		/* format: TEXTURE_FORMAT, or V3D_TEX_EXT + TEXTURE_FORMAT_EXT */
	uint8_t wrap[3], min, mag, mip;
	uint8_t swizzle[4];
	bool straight;			/* the swizzle leaves each component in its place */
	unsigned int layout, bytes, block;	/* bytes of a texel, or of a block of block x block texels */
	enum viv_supertile mode;
	bool array, srgb, compare, signed_int, swapped;	/* swapped: colours of ETC2's T blocks */
	bool unorm;			/* see v3d_texel_is_unorm() */
	bool plane;			/* what is read is a plane, and not compared */
	bool seamless;			/* faces of a cube map go on behind their edges */
	bool yuv;			/* a texel is read with the other one of its pair */
	bool integer, stencil;		/* stencil: of a depth texture it is what is read */
	uint8_t compare_func;
	float min_lod, max_lod, bias;
	unsigned int base_level, last_level;
	uint32_t width, height, depth;
	int ts;				/* tile status unit, -1: none */
	unsigned int ts_mode;		/* TS_MODE of its tiles */
	struct v3d_level level[V3D_LEVELS];
};

#define V3D_TEX_EXT	0x40

struct v3d_extent {
	uint32_t va;
	uint64_t bytes;
};

/* A block of fragments. */
struct v3d_block {
	int32_t x, y;			/* pixel of lane 0 */
	uint8_t cover[V3D_SAMPLES];
	uint8_t *run[2];		/* where PE finds its pixels of depth and colour, see v3d_find_runs(); NULL: it looks */
	v8u z[V3D_SAMPLES];		/* as PE stores it */
	v8f zf, w, px, py;		/* depth and w at the centre; centres relative to the planes' origin */
};

/* Its lanes of which some sample is covered. */
static inline uint8_t v3d_covered(const struct v3d_block *b, unsigned int samples)
{
	uint8_t m = 0;

	for (unsigned int s = 0; s < samples; s++)
		m |= b->cover[s];
	return m;
}

struct v3d_samples {
	unsigned int count;		/* 1, 2, 4 */
	unsigned int mask;		/* GL_MULTI_SAMPLE_CONFIG.MSAA_ENABLES, and PS_MSAA_CONFIG's */
	bool alpha;			/* ... becomes coverage */
	int x[V3D_SAMPLES], y[V3D_SAMPLES];	/* subpixels from the pixel's corner */
};

struct viv3d {
	struct vivante *v;
	bool active;			/* a draw is under way */
	bool fault;			/* a memory access failed in this slice */
	int slice, budget;		/* what a slice may do, in fragments or so, and what is left of it */
	unsigned int elements_loaded;	/* by the last burst */
	uint64_t query_samples;
	/* FE, SH */
	struct v3d_fetch fetch;
	struct v3d_program vs, ps;
	uint32_t uniforms[0x800];	/* SH_UNIFORMS and its mirror */
	uint32_t inst[0x1000];		/* SH_INST_MEM and its mirror */
	unsigned int num_inputs, num_outputs;
	uint8_t input_reg[V3D_ELEMENTS + 1], output_reg[V3D_VARYINGS + 2];
	unsigned int vertex_id, instance_id;	/* components: register * 4 + component; ~0: none */
	unsigned int num_varyings;
	struct v3d_varying varying[V3D_VARYINGS];
	/* PA, SE, RA, PE, TX */
	struct v3d_pa pa;
	int32_t scissor[4];		/* pixels, inclusive */
	double depth_scale, depth_bias;
	struct v3d_samples samples;
	struct v3d_primitive prim;
	struct v3d_tri *tris;		/* V3D_TRIS */
	struct v3d_raster raster;
	unsigned int batch;		/* instructions of a program that v3d_run_ps_batch() can run, or 0 */
	bool one_by_one;		/* not of several blocks together */
	uint64_t stripe_pixels;		/* so many are worth it */
	unsigned int times_striped;	/* so often they were; tests see whether they meet it */
	bool striped;			/* RA's triangles are drawn stripe by stripe */
	bool stripe;			/* by this copy of the pipeline, for one */
	bool stuck;			/* which needs what only the pipeline itself can do */
	struct v3d_pe pe;
	struct v3d_columns columns[2];	/* of depth and colour */
	struct v3d_sampler sampler[V3D_SAMPLERS];
	bool descriptors, unified;	/* samplers come from descriptors; programs name them from a base on */
	struct v3d_shader *shader;	/* shader.c's own */
	uint32_t samples_taken;		/* of textures, each for a block */
	struct model_fragment *watched;	/* of the block under way, for who watches; else NULL */
	struct v3d_stripes *stripes;	/* stripes.c's */
	struct v3d_walk *walk;		/* walk.c's */
};

/*
 * Where PE finds a block's pixels: one after the other, row by row, from run on, or, NULL, per
 * sample and lane.
 */
struct v3d_pixels {
	uint8_t *run;
	unsigned int bytes;
	uint8_t *at[V3D_SAMPLES][V3D_LANES];
};

static inline uint8_t *v3d_pixel(const struct v3d_pixels *p, unsigned int sample, unsigned int lane)
{
	return p->run ? p->run + (V3D_LANE_Y(lane) * 4 + V3D_LANE_X(lane)) * p->bytes : p->at[sample][lane];
}

/* Pixels of up to 32 bits, a lane each; only those of lanes are read. */
static inline v8u v3d_load(const struct v3d_pixels *p, unsigned int sample, unsigned int bytes, unsigned int lanes)
{
	v8u words = { 0 };

	if (p->run && bytes == 4) {
		memcpy(&words, p->run, sizeof(words));
		return __builtin_shufflevector(words, words, 0, 1, 4, 5, 2, 3, 6, 7);
	}
	EACH_LANE(lanes) {
		uint32_t word = 0;

		memcpy(&word, v3d_pixel(p, sample, lane), bytes);
		words[lane] = word;
	}
	return words;
}

static inline void v3d_store(const struct v3d_pixels *p, unsigned int sample, unsigned int bytes, unsigned int lanes, v8u words)
{
	if (p->run && bytes == 4) {
		if (lanes != 0xff)
			words = v8_choose(v8_lanes(lanes), words, v3d_load(p, sample, bytes, lanes));
		words = __builtin_shufflevector(words, words, 0, 1, 4, 5, 2, 3, 6, 7);
		memcpy(p->run, &words, sizeof(words));
		return;
	}
	EACH_LANE(lanes) {
		uint32_t word = words[lane];

		memcpy(v3d_pixel(p, sample, lane), &word, bytes);
	}
}

/*
 * Varying i at the pixel centres. GUESS(ra-centroid): also with multisampling, where a centre
 * may lie outside; RA_CENTROID_TABLE is not used.
 */
static inline void v3d_interpolate(const struct viv3d *p, const struct v3d_block *b, unsigned int i, v8f out[4])
{
	const struct v3d_varying *var = &p->varying[i];
	const struct v3d_raster *r = &p->raster;

	for (unsigned int c = 0; c < 4; c++) {
		const float (*pl)[4] = r->plane[i];

		out[c] = (v8f){ 0 };
		if (c >= var->components)
			continue;
		if (var->mode[c] == V3D_FLAT) {
			out[c] = v8_splat(r->tris[r->tri].provoking->varying[i][c]);
			continue;
		}
		out[c] = pl[0][c] + pl[1][c] * b->px + pl[2][c] * b->py;
		if (var->mode[c] == V3D_SMOOTH)
			out[c] *= b->w;
	}
}

/* Parts of the pipe's unit, for timelines; the engines of pipe.c stand before them. */
enum v3d_part { V3D_PART_VS = 8, V3D_PART_PA, V3D_PART_RA, V3D_PART_PS, V3D_PART_TX, V3D_PART_PE };

void v3d_tell_change(struct viv3d *p, enum v3d_part part, bool busy);

static inline void v3d_tell(struct viv3d *p, enum v3d_part part, bool busy)
{
	if ((p->v->pipe->busy >> part & 1) != busy)
		v3d_tell_change(p, part, busy);
}

/* vertex.c: false when the draw cannot be: it was reported or hangs. */
bool v3d_fetch_start(struct viv3d *p, const struct viv_draw *draw);
bool v3d_fetch_chunk(struct viv3d *p);		/* false: no more vertices, or a fault */

/* shader.c */
int v3d_shader_init(struct viv3d *p);
void v3d_shader_destroy(struct viv3d *p);
void v3d_shader_loaded(struct viv3d *p, uint32_t address, uint32_t count);
bool v3d_shader_start(struct viv3d *p);
/* to becomes another of from, with a shader of its own, between v3d_shader_init() and v3d_shader_destroy(); false: no memory. */
bool v3d_shader_copy(struct viv3d *to, const struct viv3d *from);
void v3d_batch_start(struct viv3d *p);		/* behind PE's start */
/* Runs VS for up to 8 vertices; input[element][component][lane] as bits. False: hang or fault. */
bool v3d_run_vs(struct viv3d *p, const uint32_t input[][4][V3D_LANES], const uint32_t *index,
		unsigned int count, struct v3d_vertex *const out[]);
/* Runs PS for the block's lanes; lanes that survived. color: per target; depth: written by the shader? */
uint8_t v3d_run_ps(struct viv3d *p, const struct v3d_block *b, uint8_t lanes, v8f color[V3D_RTS][4],
		   v8f *depth, bool *depth_written);
/* The same of n blocks, see p->batch, of one target. No lane dies; one block alone may fault or hang. color: per block. */
void v3d_run_ps_batch(struct viv3d *p, const struct v3d_block *b, unsigned int n, v8f color[][4]);

/* A kernel's program, and what its items run in; NULL after a hang or a fault. */
struct vivsim_env *v3d_kernel_start(struct viv3d *p, const struct v3d_program **prog);
/* Eight items go on for some instructions; false after a fault or a hang. */
bool v3d_kernel_ran(struct viv3d *p, struct vivsim_state *st, unsigned int instructions);

/* walk.c */
void v3d_walk_free(struct v3d_walk *walk);

/* pa.c */
void v3d_pa_start(struct viv3d *p);
void v3d_pa_guesses(struct viv3d *p);	/* tells of those that this draw depends on; behind SE's start */
void v3d_primitive(struct viv3d *p, const struct v3d_prim *prim);
/* x, y in pixels, z, 1/w of a vertex of the primitive at hand, as if it were not clipped. */
void v3d_window_position(const struct viv3d *p, unsigned int vertex, float out[4]);

/* se.c */
bool v3d_se_start(struct viv3d *p);
void v3d_triangle(struct viv3d *p, const struct v3d_corner *c0, const struct v3d_corner *c1,
		  const struct v3d_corner *c2, bool polygon, bool cw);

/* ra.c: works on its triangles; false when they are done. */
bool v3d_raster_step(struct viv3d *p);
/* Of what the scissor leaves; false: nothing. */
bool v3d_triangle_bounds(const struct viv3d *p, const struct v3d_tri *t, int32_t bounds[4]);

/* stripes.c: takes RA's triangles over, from where it stands; false: they are not worth it, or have to be drawn in order. */
bool v3d_stripes_start(struct viv3d *p);
bool v3d_stripes_step(struct viv3d *p);	/* a slice of them; as v3d_raster_step() */
void v3d_stripes_new_draw(struct viv3d *p);
void v3d_stripes_free(struct v3d_stripes *s);

/* msaa.c */
void v3d_samples_start(struct viv3d *p);
/* Of a block that is shaded. */
void v3d_alpha_coverage(const struct viv3d *p, struct v3d_block *b, const v8f *alpha);

/* pe.c */
void v3d_pe_start(struct viv3d *p);
/* A block's pixels are one run within a tile. */
bool v3d_has_runs(const struct viv3d *p, const struct v3d_target *t);
/*
 * Of n blocks, how many can be written without a fault or one block's touching what another needs: their runs are
 * found, but for those in tiles that are cleared, whose run is NULL.
 */
unsigned int v3d_find_runs(struct viv3d *p, struct v3d_block *b, unsigned int n);
bool v3d_look_up_pixels(struct viv3d *p, const struct v3d_target *t, const struct v3d_block *b, struct v3d_pixels *pixels);

/* Pixels of the block's lanes; false on a fault. */
static inline bool v3d_pixels(struct viv3d *p, const struct v3d_target *t, const struct v3d_block *b, uint8_t *run,
			      struct v3d_pixels *pixels)
{
	pixels->run = run;
	pixels->bytes = t->bytes;
	if (!run)
		return v3d_look_up_pixels(p, t, b, pixels);
	viv_plane_count(p->v, &t->ts);
	return true;
}

/* Of n blocks; several only where v3d_find_runs() was asked. */
void v3d_depth_stencil(struct viv3d *p, struct v3d_block *b, unsigned int n, bool cw);
uint8_t v3d_alpha_test(const struct viv3d *p, const v8f *alpha);

/* pe_color.c */
unsigned int v3d_color_bytes(unsigned int format);	/* 0: unknown */
void v3d_color_start(const struct v3d_pe *pe, struct v3d_color *rt);	/* when all else of them is known */
void v3d_write_color(struct viv3d *p, const struct v3d_color *rt, const struct v3d_block *b, unsigned int n,
		     const v8f color[][4]);

/* texture.c */
void v3d_texture_start(struct viv3d *p);
/* Where the levels of PS's sampler n are, of those that a lookup can reach; 0: that is not known yet, or not memory alone. */
unsigned int v3d_texture_extents(struct viv3d *p, unsigned int n, struct v3d_extent extent[V3D_LEVELS]);
/* out: 0 before, and where there is nothing to sample. */
void v3d_sample(struct viv3d *p, bool vertex, const struct vivsim_sample *sample, v8f out[4]);

/* texel.c: facts of a format, false: unknown. */
bool v3d_texel_format(unsigned int format, unsigned int *bytes, unsigned int *block);
bool v3d_texel_is_integer(unsigned int format);
bool v3d_texel_is_yuv(unsigned int format);
bool v3d_texel_has_stencil(unsigned int format);
/* Is it of unorm channels in up to 32 bits? Then eight texels at a time, a word each. */
bool v3d_texel_is_unorm(const struct v3d_sampler *s);
void v3d_texels_unorm(const struct v3d_sampler *s, const v8u *words, v8f out[4]);
/* Between four; and, by a weight or NULL, between that and the same of the next four. */
struct texture_four;
void v3d_texels_linear(const struct v3d_sampler *s, const struct texture_four *t, const v8f *between, v8f out[4]);
/* One texel of any format. x, y: within a block. */
void v3d_texel(const struct v3d_sampler *s, const uint8_t *p, unsigned int x, unsigned int y, float out[4]);
/* texel_block.c */
void v3d_texel_block(unsigned int format, bool swapped, const uint8_t *p, unsigned int x, unsigned int y, float out[4]);

/* watch.c: v3d_watch() is NULL unless somebody watches a pixel; those with a watched pixel are called only then. */
struct model_watch *v3d_watch(const struct viv3d *p);
bool v3d_watch_draw(struct viv3d *p);		/* a draw begins; false: it must not draw */
void v3d_watch_clipped(struct viv3d *p);
void v3d_watch_culled(struct viv3d *p, const struct v3d_corner *c, unsigned int n, bool cw);
void v3d_watch_triangle(struct viv3d *p);
/* From begin, which is false when the pixel is not covered, to end: the block it is in. The others: while watched is set. */
bool v3d_watch_begin(struct viv3d *p, const struct v3d_block *b, struct model_fragment *f);
void v3d_watch_end(struct viv3d *p);
uint8_t *v3d_watched_pixel(const struct viv3d *p, const struct v3d_block *b, const struct v3d_pixels *pixels);
void v3d_watch_zs(struct viv3d *p, const struct v3d_block *b, const uint8_t *pixel, bool after);
void v3d_watch_step(struct viv3d *p, uint8_t lanes, enum model_verdict verdict);
void v3d_watch_shaded(struct viv3d *p, const struct v3d_block *b, const v8f color[4]);
enum sim_status v3d_watch_run(struct viv3d *p, struct vivsim_state *s, const uint32_t *words, unsigned int limit);
void v3d_watch_sample(struct viv3d *p, const struct vivsim_sample *s, const v8f rgba[4]);

/* query.c */
void v3d_query_loaded(struct viv3d *p, uint32_t address, uint32_t count);

#endif
