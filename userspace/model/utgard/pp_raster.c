/* SPDX-License-Identifier: MIT */
/*
 * A triangle within a tile: coverage of each block, then depth and stencil,
 * shader, and blending in the order that the render state asks for.
 *
 * Everything here depends on pixel positions and memory only, never on the
 * order of tiles or on which core draws them.
 */
#include <math.h>

#include "model/core.h"
#include "model/utgard/pp_zs.h"

#define SUB	FRAGMENT_SUBPIXELS
#define BLOCKS_ACROSS	(PP_TILE_SIZE / PP_BLOCK_W)
#define INLINE	static inline __attribute__((always_inline))

static const v8f lane_x = { 0, 1, 0, 1, 2, 3, 2, 3 };
static const v8f lane_y = { 0, 0, 1, 1, 0, 0, 1, 1 };

/* GUESS(pp-sample-grid): a rotated grid; subpixels from the pixel's corner. */
static const int sample_pos[PP_SAMPLES][2] = {
	{ 6 * SUB / 16, 2 * SUB / 16 },
	{ 14 * SUB / 16, 6 * SUB / 16 },
	{ 2 * SUB / 16, 10 * SUB / 16 },
	{ 10 * SUB / 16, 14 * SUB / 16 },
};

void pp_tile_clear(struct pp *pp)
{
	struct pp_tile *t = pp->tile;
	uint32_t zs = (pp->frame[PP_CLEAR_DEPTH / 4] & PP_CLEAR_DEPTH_MASK) |
		      (pp->frame[PP_CLEAR_STENCIL / 4] & PP_CLEAR_STENCIL_MASK) << 24;
	const uint32_t *color = &pp->frame[PP_CLEAR_COLOR(0) / 4];
	v8u zero = { 0 };
	v8f fzero = { 0 };
	unsigned int s, b, c;

	t->samples = 1;
	if (!pp_fp16(pp) && (color[1] != color[0] || color[2] != color[0] || color[3] != color[0]))
		t->samples = PP_SAMPLES;
	for (s = 0; s < t->samples; s++)
		for (b = 0; b < PP_BLOCKS; b++) {
			t->zs[s][b] = zero + zs;
			t->color[s][b] = zero + color[s];
		}
	if (!pp_fp16(pp))
		return;
	/* Mesa packs four unorm16 into the first two registers, even for a float target. */
	for (c = 0; c < 4; c++) {
		float v = (color[c / 2] >> (c % 2 * 16) & 0xffff) / 65535.0f;

		v = half_to_float(half_from_float(v));
		for (b = 0; b < PP_BLOCKS; b++)
			t->fcolor[b][c] = fzero + v;
	}
}

/* The samples part: from one plane to all. */
void pp_tile_expand(struct pp *pp)
{
	struct pp_tile *t = pp->tile;
	unsigned int s;

	if (t->samples != 1)
		return;
	for (s = 1; s < PP_SAMPLES; s++) {
		memcpy(t->zs[s], t->zs[0], sizeof(t->zs[0]));
		memcpy(t->color[s], t->color[0], sizeof(t->color[0]));
	}
	t->samples = PP_SAMPLES;
}

/* Depth at an offset from the pixel centres as 24 bits; *bad: lanes out of range. */
static v8u depth_at(const struct pp_draw *d, const struct pp_tri *t, v8f at_x, v8f at_y,
		    double ox, double oy, v8u *bad)
{
	v8d px = __builtin_convertvector(at_x, v8d), py = __builtin_convertvector(at_y, v8d);
	v8d z = (t->z[0] + t->z[1] * (px + ox) + t->z[2] * (py + oy)) * PP_CLEAR_DEPTH_MASK + 0.5;
	v8l low = z < 0, high = z >= 0x1000000;
	v8u out_of = (v8u)__builtin_convertvector(low | high, v8i), zi;

	/* Out of range or not a number: make it convertible; the lane is lost anyway. */
	z = (v8d)((v8l)z & (z >= 0) & ~high);
	zi = (v8u)__builtin_convertvector(z, v8i);
	if (d->clip_near)
		out_of |= (v8u)(zi < d->depth_min);
	if (d->clip_far)
		out_of |= (v8u)(zi > d->depth_max);
	*bad = out_of;
	if (t->z_offset == 0)
		return zi;
	/* Clipped by the depth without the offset; with it, it ends at 0 and 1 (dEQP's polygon_offset on a Mali-450). */
	z += t->z_offset * PP_CLEAR_DEPTH_MASK;
	high = z >= PP_CLEAR_DEPTH_MASK;
	z = (v8d)((v8l)z & (z >= 0) & ~high);
	zi = (v8u)__builtin_convertvector(z, v8i);
	return zi | ((v8u)__builtin_convertvector(high, v8i) & PP_CLEAR_DEPTH_MASK);
}

static uint8_t all_lanes(const struct pp_block *b, unsigned int samples)
{
	uint8_t m = b->cover[0];
	unsigned int s;

	for (s = 1; s < samples; s++)
		m |= b->cover[s];
	return m;
}

/* z and 1/w of the block; lanes beyond the depth range leave it. */
static void block_depth(struct pp *pp, struct pp_block *b)
{
	const struct pp_tri *t = &pp->prim.tri;
	unsigned int s, samples = pp->tile->samples;
	v8u bad;

	b->px = (float)(b->x + 0.5 - t->ref_x) + lane_x;
	b->py = (float)(b->y + 0.5 - t->ref_y) + lane_y;
	if (!pp->draw->msaa || samples == 1) {
		b->z[0] = depth_at(pp->draw, t, b->px, b->py, 0, 0, &bad);
		for (s = 0; s < samples; s++) {
			b->z[s] = b->z[0];
			b->cover[s] &= ~pp_lane_mask(bad);
		}
		return;
	}
	for (s = 0; s < samples; s++) {
		b->z[s] = depth_at(pp->draw, t, b->px, b->py, sample_pos[s][0] / (double)SUB - 0.5,
				   sample_pos[s][1] / (double)SUB - 0.5, &bad);
		b->cover[s] &= ~pp_lane_mask(bad);
	}
}

static void test_depth_stencil(struct pp *pp, struct pp_block *b, const v8u *stencil_ref)
{
	unsigned int s;

	for (s = 0; s < pp->tile->samples; s++)
		if (b->cover[s])
			b->cover[s] = pp_depth_stencil(pp->draw, pp->prim.tri.front,
						       &pp->tile->zs[s][b->index], &b->z[s],
						       stencil_ref, b->cover[s]);
}

static inline v8u unorm(v8f v, float max)
{
	return (v8u)__builtin_convertvector(v8_unit(v) * max + 0.5f, v8i);
}

/* GUESS(pp-alpha-round): alpha is rounded to 8 bits before it is compared with the 8-bit reference. */
static uint8_t alpha_test(const struct pp *pp, const struct pp_draw *d, v8f alpha)
{
	v8f a = __builtin_convertvector(unorm(alpha, 255), v8f);
	unsigned int answer = unit_answer(&pp->u, PROFILE_PP_ALPHA_ROUND);
	v8u pass = { 0 };

	for (unsigned int l = 0; answer && l < 8; l++) {
		float exact = fminf(fmaxf(alpha[l], 0), 1) * 255;

		a[l] = answer == 1 ? floorf(exact) : exact;
	}

	if (d->alpha_func & RSW_LESS)
		pass |= (v8u)(a < d->alpha_ref);
	if (d->alpha_func & RSW_EQUAL)
		pass |= (v8u)(a == d->alpha_ref);
	if (d->alpha_func & RSW_GREATER)
		pass |= (v8u)(a > d->alpha_ref);
	return pp_lane_mask(pass);
}

/* GUESS(pp-alpha-coverage): alpha in quarters is the number of samples kept, from the first one on. */
static void alpha_to_coverage(struct pp *pp, struct pp_block *b, v8f alpha)
{
	v8u n = unorm(alpha, PP_SAMPLES);
	unsigned int s;

	for (s = 0; s < pp->tile->samples; s++)
		b->cover[s] &= pp_lane_mask((v8u)(n > s));
}

/* Depth, and stencil reference, that the shader wrote. */
static v8u shader_depth(const struct pp_draw *d, const v8f reg[4], v8u *ref)
{
	v8u z;

	if (d->shader_packed) {
		z = unorm(reg[0], 255) | unorm(reg[1], 255) << 8 | unorm(reg[2], 255) << 16;
	} else {
		/*
		 * A float has 24 bits at 1 and more below. GUESS(pp-depth-clamp): depth written
		 * by a shader is clamped to [0, 1].
		 */
		v8d r = __builtin_convertvector(reg[0], v8d);
		unsigned int i;

		for (i = 0; i < PP_LANES; i++)
			z[i] = (r[i] > 0 ? r[i] < 1 ? r[i] : 1 : 0) * PP_CLEAR_DEPTH_MASK + 0.5;
	}
	*ref = d->shader_packed ? unorm(reg[3], 255) : unorm(reg[1], 255);
	return z;
}

static inline void watch_step(struct pp *pp, const struct pp_block *b, enum model_verdict lost)
{
	if (pp->watched)
		pp_watch_step(pp, b, lost);
}

static void tell_cost(struct pp *pp, const struct pp_block *b, uint8_t lanes, uint64_t instructions, uint32_t samples)
{
	const struct model_watch *w = pp->u.model->watch;
	struct model_cost cost;

	if (!w || !w->cost)
		return;
	cost = (struct model_cost){
		.state = pp->draw->va, .x = b->x, .y = b->y, .lanes = lanes, .instructions = (uint32_t)(pp->count[PP_CNT_INSTRUCTIONS] - instructions),
		.samples = pp->samples_taken - samples,
	};
	w->cost(w->ctx, &cost);
}

static void shade_block(struct pp *pp, struct pp_block *b)
{
	const struct pp_draw *d = pp->draw;
	const struct pp_tri *t = &pp->prim.tri;
	v8f color[4], color1[4], depth[4];
	v8u ref, z = { 0 };
	bool late = !d->early_z;
	unsigned int s, samples = pp->tile->samples;
	uint32_t taken;
	uint64_t instructions;
	uint8_t lanes, alive;

	pp->count[PP_CNT_PATCHES]++;
	block_depth(pp, b);
	watch_step(pp, b, MODEL_DEPTH_CLIPPED);
	if (!late)
		test_depth_stencil(pp, b, NULL);
	watch_step(pp, b, MODEL_DEPTH_FAILED);
	lanes = all_lanes(b, samples);
	if (!lanes) {
		pp->count[PP_CNT_EARLY_REJECTED]++;
		return;
	}
	b->w = (float)(t->w[0] + t->w[1] * (b->x + 0.5 - t->ref_x) +
		       t->w[2] * (b->y + 0.5 - t->ref_y)) +
	       (float)t->w[1] * lane_x + (float)t->w[2] * lane_y;
	b->w = 1 / b->w;
	pp->count[PP_CNT_QUADS] += !!(lanes & 0x0f) + !!(lanes & 0xf0);
	pp->count[PP_CNT_FRAGMENTS] += __builtin_popcount(lanes);
	unit_stats(&pp->u)->fragments += __builtin_popcount(lanes);
	pp->block = b;
	instructions = pp->count[PP_CNT_INSTRUCTIONS];
	taken = pp->samples_taken;
	alive = pp_shade(pp, lanes, color, color1, depth);
	pp->block = NULL;
	tell_cost(pp, b, lanes, instructions, taken);
	if (pp->fault || pp->hang)
		return;
	pp->count[PP_CNT_KILLED] += __builtin_popcount(lanes & ~alive);
	if (pp->watched)
		pp_watch_shaded(pp, b, color);
	for (s = 0; s < samples; s++)
		b->cover[s] &= alive;
	watch_step(pp, b, MODEL_DISCARDED);
	if (d->alpha_func != RSW_ALWAYS) {
		alive = alpha_test(pp, d, color[3]);
		for (s = 0; s < samples; s++)
			b->cover[s] &= alive;
		watch_step(pp, b, MODEL_ALPHA_FAILED);
	}
	if (d->msaa && d->alpha_to_coverage)
		alpha_to_coverage(pp, b, color[3]);
	watch_step(pp, b, MODEL_UNCOVERED);
	if (d->msaa && d->alpha_to_one)
		color[3] = (v8f){ 0 } + 1;
	if (late) {
		bool from_shader = d->shader_depth || d->shader_stencil;

		if (from_shader)
			z = shader_depth(d, depth, &ref);
		for (s = 0; s < samples && d->shader_depth; s++)
			b->z[s] = z;
		test_depth_stencil(pp, b, d->shader_stencil ? &ref : NULL);
		watch_step(pp, b, MODEL_DEPTH_FAILED);
	}
	lanes = all_lanes(b, samples);
	pp->count[PP_CNT_PASSED_ZS] += __builtin_popcount(lanes);
	if (lanes)
		pp_blend(pp, d, b->index, color, color1, b->cover);
}

/* The same, told to who watches one of its pixels. */
static void shade_watched(struct pp *pp, struct pp_block *b)
{
	struct model_fragment fragment;
	bool covered = pp_watch_in_block(pp, b) && pp_watch_begin(pp, b, &fragment);

	shade_block(pp, b);
	if (covered)
		pp_watch_end(pp, b);
}

/* Coverage of the block in every plane, by those n edges that lie across the bounds; false: none. */
static bool block_cover(struct pp *pp, struct pp_block *b, const int32_t bounds[4], const struct fragment_edges *edges,
			unsigned int n)
{
	const struct pp_draw *d = pp->draw;
	unsigned int s, samples = pp->tile->samples;
	uint8_t in = fragment_within(b->x, b->y, bounds), m = 0;

	if (!in)
		return false;
	if (!d->msaa || samples == 1) {
		m = in & fragment_inside(edges, n, b->x, b->y, SUB / 2, SUB / 2);
		for (s = 0; s < samples; s++)
			b->cover[s] = samples == 1 || d->sample_mask >> s & 1 ? m : 0;
		return m;
	}
	for (s = 0; s < samples; s++) {
		b->cover[s] = 0;
		if (d->sample_mask >> s & 1)
			b->cover[s] = in & fragment_inside(edges, n, b->x, b->y, sample_pos[s][0], sample_pos[s][1]);
		m |= b->cover[s];
	}
	return m;
}

/* --- All blocks together --------------------------------------------------- */

_Static_assert(PP_BLOCKS <= PPSIM_BATCH, "a tile's blocks are one batch");

/* Nobody looks at a block by itself, and it is one plane of RGBA8. */
static bool is_plain(struct pp *pp)
{
	return !pp->fault && !pp->u.model->watch && !unit_strict(&pp->u) && pp->tile->samples == 1 && !pp_fp16(pp) &&
	       pp_shades_batches(pp);
}

/* Edges whose values fit 32 bits within some bounds: at the first block, and how they grow. */
struct narrow_edges {
	unsigned int n;
	int32_t first[3], dx[3], dy[3];
	v8i lanes[3];
};

static bool narrow(struct narrow_edges *to, const struct fragment_edges *edges, unsigned int n, const int32_t bounds[4])
{
	const v8i right = { 0, 1, 0, 1, 2, 3, 2, 3 }, below = { 0, 0, 1, 1, 0, 0, 1, 1 };
	int32_t x0 = bounds[0] & ~(PP_BLOCK_W - 1), y0 = bounds[1] & ~(PP_BLOCK_H - 1);
	int64_t w = (int64_t)(bounds[2] - x0 + PP_BLOCK_W) * SUB, h = (int64_t)(bounds[3] - y0 + PP_BLOCK_H) * SUB;

	to->n = n;
	for (unsigned int i = 0; i < n; i++) {
		int64_t a = edges->a[i], b = edges->b[i];
		int64_t e = a * ((int64_t)x0 * SUB + SUB / 2) + b * ((int64_t)y0 * SUB + SUB / 2) + edges->c[i];

		if ((e < 0 ? -e : e) + (a < 0 ? -a : a) * w + (b < 0 ? -b : b) * h > INT32_MAX)
			return false;
		to->first[i] = (int32_t)e;
		to->dx[i] = (int32_t)a * SUB;
		to->dy[i] = (int32_t)b * SUB;
		to->lanes[i] = to->dx[i] * right + to->dy[i] * below;
	}
	return true;
}

/*
 * Is depth within its range in all blocks of the bounds, and without an offset? A sum grows with each of
 * its terms, rounded or not, so that the corners tell for all; what is not a number is out of range.
 */
static bool batch_in_range(const struct pp_draw *d, const struct pp_tri *t, double x0, double x1, double y0, double y1)
{
	double left = t->z[0] + t->z[1] * (double)(float)x0, right = t->z[0] + t->z[1] * (double)((float)x1 + 3.0f);
	double top = t->z[2] * (double)(float)y0, bottom = t->z[2] * (double)((float)y1 + 1.0f);
	double lo = (fragment_min(left, right) + fragment_min(top, bottom)) * PP_CLEAR_DEPTH_MASK + 0.5;
	double hi = (fragment_max(left, right) + fragment_max(top, bottom)) * PP_CLEAR_DEPTH_MASK + 0.5;

	return lo >= (d->clip_near ? d->depth_min : 0) && hi < (d->clip_far ? d->depth_max : PP_CLEAR_DEPTH_MASK) + 1.0 &&
	       t->z_offset == 0;
}

/* The covered blocks, with depth and w. A block may have lost all its lanes to the range of depth. */
static void batch_blocks(struct pp *pp, const int32_t bounds[4], const struct narrow_edges *edges)
{
	const struct pp_draw *d = pp->draw;
	const struct pp_tri *t = &pp->prim.tri;
	struct pp_batch *bt = pp->batch;
	int32_t x0 = bounds[0] & ~(PP_BLOCK_W - 1), y0 = bounds[1] & ~(PP_BLOCK_H - 1);
	bool in_range = batch_in_range(d, t, x0 + 0.5 - t->ref_x, (bounds[2] & ~(PP_BLOCK_W - 1)) + 0.5 - t->ref_x,
				       y0 + 0.5 - t->ref_y, (bounds[3] & ~(PP_BLOCK_H - 1)) + 0.5 - t->ref_y);
	v8f wx = (float)t->w[1] * lane_x, wy = (float)t->w[2] * lane_y;
	bool whole = !(((bounds[0] | (bounds[2] + 1)) & (PP_BLOCK_W - 1)) | ((bounds[1] | (bounds[3] + 1)) & (PP_BLOCK_H - 1)));
	/* What the planes have of a column. */
	struct {
		double x, w;
		v8f px;
		v8d z;
	} column[BLOCKS_ACROSS];
	unsigned int n = 0;

	for (int32_t x = x0; x <= bounds[2]; x += PP_BLOCK_W) {
		unsigned int c = (unsigned int)x % PP_TILE_SIZE / PP_BLOCK_W;

		column[c].x = x + 0.5 - t->ref_x;
		column[c].w = t->w[0] + t->w[1] * column[c].x;
		column[c].px = (float)column[c].x + lane_x;
		column[c].z = t->z[0] + t->z[1] * __builtin_convertvector(column[c].px, v8d);
	}
	for (int32_t y = y0; y <= bounds[3]; y += PP_BLOCK_H) {
		unsigned int row = (unsigned int)y % PP_TILE_SIZE / PP_BLOCK_H * BLOCKS_ACROSS;
		double at_y = y + 0.5 - t->ref_y, w = t->w[2] * at_y;
		v8f py = (float)at_y + lane_y;
		v8d zy = t->z[2] * __builtin_convertvector(py, v8d);

		for (int32_t x = x0; x <= bounds[2]; x += PP_BLOCK_W) {
			unsigned int m = whole ? 0xff : fragment_within(x, y, bounds);
			unsigned int c = (unsigned int)x % PP_TILE_SIZE / PP_BLOCK_W, patch;
			v8i outside = { 0 };
			v8u bad;

			for (unsigned int i = 0; i < edges->n; i++)
				outside |= edges->lanes[i] + (edges->first[i] + edges->dx[i] * (x - x0) + edges->dy[i] * (y - y0));
			m &= ~v8_mask(outside < 0);
			/* A block that is not covered is overwritten by the next: nobody can guess which it is. */
			patch = m != 0;
			bt->index[n] = (uint8_t)(row + c);
			bt->x[n] = column[c].x;
			bt->y[n] = at_y;
			bt->w[n] = 1 / ((float)(column[c].w + w) + wx + wy);
			if (in_range) {
				v8d z = (column[c].z + zy) * PP_CLEAR_DEPTH_MASK + 0.5;

				bt->z[n] = (v8u)__builtin_convertvector(z, v8i);
			} else {
				bt->z[n] = depth_at(d, t, column[c].px, py, 0, 0, &bad);
				m &= ~(unsigned int)pp_lane_mask(bad);
			}
			bt->cover[n] = (uint8_t)m;
			n += patch;
		}
	}
	bt->sim.n = n;
}

/* Into zs; the tile buffer stays as it is. */
static void batch_test(struct pp *pp)
{
	const struct pp_draw *d = pp->draw;
	struct pp_batch *bt = pp->batch;
	bool from_shader = !d->early_z && (d->shader_depth || d->shader_stencil);

	bt->num_tested = bt->sim.n;
	for (unsigned int i = 0; i < bt->sim.n; i++) {
		const ppsim_column *reg = bt->sim.file[d->depth_reg];
		v8u ref;

		if (from_shader) {
			const v8f depth[4] = { reg[0][i], reg[1][i], reg[2][i], reg[3][i] };
			v8u z = shader_depth(d, depth, &ref);

			if (d->shader_depth)
				bt->z[i] = z;
		}
		bt->tested[i] = bt->index[i];
		bt->zs[i] = pp->tile->zs[0][bt->index[i]];
		bt->cover[i] = pp_depth_stencil(d, pp->prim.tri.front, &bt->zs[i], &bt->z[i],
						from_shader && d->shader_stencil ? &ref : NULL, bt->cover[i]);
	}
}

/* Blocks without a lane leave. */
static void batch_keep(struct pp_batch *bt)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < bt->sim.n; i++) {
		uint8_t lanes = bt->cover[i];

		if (n != i) {
			bt->index[n] = bt->index[i];
			bt->cover[n] = lanes;
			bt->x[n] = bt->x[i];
			bt->y[n] = bt->y[i];
			bt->z[n] = bt->z[i];
			bt->w[n] = bt->w[i];
		}
		bt->sim.lanes[n] = (lanes & 0x0f ? 0x0f : 0) | (lanes & 0xf0 ? 0xf0 : 0);
		n += lanes != 0;
	}
	bt->sim.n = n;
}

static unsigned int batch_lanes(const struct pp_batch *bt)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < bt->sim.n; i++)
		n += __builtin_popcount(bt->cover[i]);
	return n;
}

/* What shade_block() does, stage by stage for all blocks. False: nothing has happened. */
static bool raster_batch(struct pp *pp, const int32_t bounds[4], const struct fragment_edges *edges, unsigned int n)
{
	const struct pp_draw *d = pp->draw;
	struct pp_batch *bt = pp->batch;
	unsigned int patches, fragments;
	struct narrow_edges few;

	if (!narrow(&few, edges, n, bounds))
		return false;
	batch_blocks(pp, bounds, &few);
	patches = bt->sim.n;
	if (!patches)
		return true;
	if (d->early_z)
		batch_test(pp);
	batch_keep(bt);
	if (bt->sim.n && !pp_shade_batch(pp))
		return false;
	pp->count[PP_CNT_PATCHES] += patches;
	pp->count[PP_CNT_EARLY_REJECTED] += patches - bt->sim.n;
	for (unsigned int i = 0; i < bt->sim.n; i++)
		pp->count[PP_CNT_QUADS] += 1 + (bt->sim.lanes[i] == 0xff);
	fragments = batch_lanes(bt);
	pp->count[PP_CNT_FRAGMENTS] += fragments;
	unit_stats(&pp->u)->fragments += fragments;
	for (unsigned int i = 0; i < bt->sim.n && d->alpha_func != RSW_ALWAYS; i++)
		bt->cover[i] &= alpha_test(pp, d, bt->sim.file[d->color_reg][3][i]);
	if (!d->early_z)
		batch_test(pp);
	for (unsigned int i = 0; i < bt->num_tested; i++)
		pp->tile->zs[0][bt->tested[i]] = bt->zs[i];
	pp->count[PP_CNT_PASSED_ZS] += batch_lanes(bt);
	pp_blend_batch(pp, d);
	return true;
}

/* forced: see MODEL_FORCE; the scissor is none. */
static void raster(struct pp *pp, bool forced)
{
	const struct model_watch *watch = pp->u.model->watch;
	const struct pp_tri *t = &pp->prim.tri;
	const struct pp_draw *d = pp->draw;
	int32_t ox = pp->tile_x * PP_TILE_SIZE, oy = pp->tile_y * PP_TILE_SIZE;
	int32_t bounds[4] = { ox, oy, ox + PP_TILE_SIZE - 1, oy + PP_TILE_SIZE - 1 };
	int32_t from[4] = { t->x0, t->y0, t->x1, t->y1 }, x, y;
	struct fragment_edges edges;
	struct pp_block b;
	unsigned int i;
	int n;

	for (i = 0; i < 4; i++) {
		if (i < 2) {
			bounds[i] = from[i] > bounds[i] ? from[i] : bounds[i];
			bounds[i] = pp->scissor[i] > bounds[i] && !forced ? pp->scissor[i] : bounds[i];
		} else {
			bounds[i] = from[i] < bounds[i] ? from[i] : bounds[i];
			bounds[i] = pp->scissor[i] < bounds[i] && !forced ? pp->scissor[i] : bounds[i];
		}
	}
	if (watch && watch->fragment)
		pp_watch_triangle(pp);
	if (bounds[0] > bounds[2] || bounds[1] > bounds[3] || !d->sample_mask)
		return;
	if ((d->msaa || d->sample_mask != 0xf) && !pp_fp16(pp))
		pp_tile_expand(pp);
	/* GUESS(pp-fp16-samples): a 16-bit float tile buffer has one sample; Mesa offers no more for such targets. */
	else if (d->msaa && pp_once(pp, PP_ONCE_MSAA))
		unit_report(&pp->u, "RSW at 0x%08x: multisampling with a 16-bit float tile buffer",
			    d->va);
	n = fragment_edges_across(&t->edges, bounds, &edges);
	if (n < 0 || (is_plain(pp) && raster_batch(pp, bounds, &edges, (unsigned int)n)))
		return;
	for (y = bounds[1] & ~(PP_BLOCK_H - 1); y <= bounds[3]; y += PP_BLOCK_H)
		for (x = bounds[0] & ~(PP_BLOCK_W - 1); x <= bounds[2]; x += PP_BLOCK_W) {
			b.x = x;
			b.y = y;
			b.index = (y - oy) / PP_BLOCK_H * (PP_TILE_SIZE / PP_BLOCK_W) +
				  (x - ox) / PP_BLOCK_W;
			if (!block_cover(pp, &b, bounds, &edges, (unsigned int)n))
				continue;
			(watch && watch->fragment ? shade_watched : shade_block)(pp, &b);
			if (pp->fault || pp->hang)
				return;
		}
}

/* Without the draw's tests, for who watches. */
static void raster_forced(struct pp *pp)
{
	struct pp_draw *d = pp->draw, was = *d;

	d->depth_func = RSW_ALWAYS;
	d->clip_near = false;
	d->clip_far = false;
	d->alpha_func = RSW_ALWAYS;
	d->stencil[0].func = RSW_ALWAYS;
	d->stencil[1].func = RSW_ALWAYS;
	d->color_mask = 0xf;
	raster(pp, true);
	d->depth_func = was.depth_func;
	d->clip_near = was.clip_near;
	d->clip_far = was.clip_far;
	d->alpha_func = was.alpha_func;
	d->stencil[0].func = was.stencil[0].func;
	d->stencil[1].func = was.stencil[1].func;
	d->color_mask = was.color_mask;
}

void pp_raster(struct pp *pp)
{
	const struct model_watch *watch = pp->u.model->watch;
	enum model_permit permit = watch && watch->allow ? watch->allow(watch->ctx, pp->draw->va, 0) : MODEL_PERMIT;

	if (permit == MODEL_FORCE)
		raster_forced(pp);
	else if (permit == MODEL_PERMIT)
		raster(pp, false);
}
