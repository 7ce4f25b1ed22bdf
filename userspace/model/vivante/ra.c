// SPDX-License-Identifier: MIT
/*
 * RA: coverage of a triangle block by block, interpolation; early depth and
 * stencil, PS, then PE. Everything here depends on pixel positions and memory
 * only. Facts: rnndb state_3d.xml (RA_EARLY_DEPTH), Mesa etnaviv_state.c.
 */
#include <math.h>

#include "model/core.h"
#include "model/vivante/viv3d.h"

#define SUB	V3D_SUBPIXELS
#define SPAN	(V3D_RUN * V3D_BLOCK_W)	/* pixels of a row of blocks whose edges are looked at together */

static const v8f lane_x = { 0, 1, 0, 1, 2, 3, 2, 3 };
static const v8f lane_y = { 0, 0, 1, 1, 0, 0, 1, 1 };

/* --- Varyings --------------------------------------------------------------- */

typedef double v4d __attribute__((vector_size(32)));
typedef float v4f __attribute__((vector_size(16)));

/* What the vertices give a corner of the triangle, in all components. */
static inline v4d at_corner(const struct v3d_tri *t, unsigned int i, unsigned int corner)
{
	v4d v = { 0 };

	for (unsigned int j = 0; j < 3; j++) {
		v4f of_vertex;

		if (t->weight[corner][j] == 0)
			continue;
		memcpy(&of_vertex, t->vertex[j]->varying[i], sizeof(of_vertex));
		v += t->weight[corner][j] * __builtin_convertvector(of_vertex, v4d);
	}
	return v;
}

/* Those of flat and of missing components mean nothing. */
static void varying_planes(struct viv3d *p)
{
	struct v3d_raster *r = &p->raster;
	const struct v3d_tri *t = &r->tris[r->tri];

	for (unsigned int i = 0; i < p->num_varyings; i++) {
		const struct v3d_varying *var = &p->varying[i];
		v4d v[3];
		v4f plane[3];

		for (unsigned int k = 0; k < 3; k++) {
			v4d smooth;

			v[k] = at_corner(t, i, k);
			for (unsigned int c = 0; c < var->components; c++)
				if (var->use[c] == VARYING_COMPONENT_USE_POINTCOORD_X ||
				    var->use[c] == VARYING_COMPONENT_USE_POINTCOORD_Y)
					v[k][c] = t->point[k][var->use[c] == VARYING_COMPONENT_USE_POINTCOORD_Y];
			for (unsigned int c = 0; c < 4; c++)
				smooth[c] = var->mode[c] == V3D_SMOOTH ? t->inv_w[k] : 1;
			v[k] *= smooth;
		}
		plane[0] = __builtin_convertvector(v[0], v4f);
		for (unsigned int k = 0; k < 2; k++)
			plane[1 + k] = __builtin_convertvector((v[1] - v[0]) * t->l1[k] + (v[2] - v[0]) * t->l2[k], v4f);
		memcpy(r->plane[i], plane, sizeof(plane));
	}
}

/* --- Depth ------------------------------------------------------------------- */

static inline v8d v8d_of(v8f v)
{
	return __builtin_convertvector(v, v8d);
}

/* Depth as PE stores it; zf: as a float. */
static inline v8u stored_depth(const struct viv3d *p, v8d z, v8f *zf)
{
	v8d one = (v8d){ 0 } + 1;
	v8l low = z < 1;

	/* GUESS(ra-depth-clamp): what interpolation and offset carry out of [0, 1] is clamped. NaN becomes 0. */
	z = (v8d)(((v8l)z & low & (z > 0)) | ((v8l)one & ~low & (z > 0)));
	*zf = __builtin_convertvector(z, v8f);
	return (v8u)__builtin_convertvector(z * p->pe.normalize + 0.5, v8i);
}

/* Of the first of n blocks that are in one row: their number. */
static inline unsigned int row_depth(struct viv3d *p, struct v3d_block *b, unsigned int n)
{
	const struct v3d_tri *t = &p->raster.tris[p->raster.tri];
	const struct v3d_samples *s = &p->samples;
	double y = b->y + 0.5 - t->ref_y, w_of_y = t->w[2] * y;
	v8f py = (float)y + lane_y, wx = (float)t->w[1] * lane_x, wy = (float)t->w[2] * lane_y, unused;
	v8d z_of_y = t->z[2] * v8d_of(py);
	const struct v3d_block *first = b;

	for (; n && b->y == first->y; n--, b++) {
		double x = b->x + 0.5 - t->ref_x;
		v8f px = (float)x + lane_x;

		b->px = px;
		b->py = py;
		b->w = 1 / ((float)(t->w[0] + t->w[1] * x + w_of_y) + wx + wy);
		b->z[0] = stored_depth(p, t->z[0] + t->z[1] * v8d_of(px) + z_of_y, &b->zf);
		for (unsigned int i = 0; i < s->count && s->count > 1; i++)
			b->z[i] = stored_depth(p, t->z[0] + t->z[1] * (v8d_of(px) + (s->x[i] / (double)SUB - 0.5)) +
					       t->z[2] * (v8d_of(py) + (s->y[i] / (double)SUB - 0.5)), &unused);
	}
	return (unsigned int)(b - first);
}

static inline void block_depth(struct viv3d *p, struct v3d_block *b, unsigned int n)
{
	for (unsigned int i = 0; i < n;)
		i += row_depth(p, b + i, n - i);
}

/* --- A block ------------------------------------------------------------------ */

/*
 * fragment_inside() of all three edges at pixel centres, without branches, which small triangles
 * make hard to predict: a lane is inside when no edge's value has a sign.
 */
static uint8_t inside_three(const struct v3d_raster *r, const struct fragment_edges *t, int32_t x, int32_t y)
{
	int64_t px = (int64_t)x * SUB + SUB / 2, py = (int64_t)y * SUB + SUB / 2;
	v8l signs = { 0 };
	v8i half[2];

	for (unsigned int i = 0; i < 3; i++)
		signs |= r->edge_lanes[i] + (t->a[i] * px + t->b[i] * py + t->c[i]);
	/* The upper halves, which have the signs. */
	memcpy(half, &signs, sizeof(half));
	return (uint8_t)~v8_mask(__builtin_shufflevector(half[0], half[1], 1, 3, 5, 7, 9, 11, 13, 15) < 0);
}

/* cover[0]: lanes within the bounds. */
static inline bool block_cover(const struct viv3d *p, struct v3d_block *b)
{
	const struct v3d_raster *r = &p->raster;
	const struct fragment_edges *edges = r->edges == 3 ? &r->tris[r->tri].edges : &r->across;
	uint8_t in = b->cover[0], m = 0;

	if (!in)
		return false;
	if (r->edges == 3 && p->samples.count == 1 && p->samples.mask & 1) {
		b->cover[0] = in & inside_three(r, edges, b->x, b->y);
		return b->cover[0];
	}
	for (unsigned int s = 0; s < p->samples.count; s++) {
		b->cover[s] = 0;
		if (p->samples.mask >> s & 1)
			b->cover[s] = in & fragment_inside(edges, r->edges, b->x, b->y, p->samples.x[s], p->samples.y[s]);
		m |= b->cover[s];
	}
	return m;
}

/* Finds out which edges the next blocks of the row lie across; false: they are outside. */
static bool span_start(struct v3d_raster *r)
{
	int32_t end = r->x + SPAN - 1 < r->bounds[2] ? r->x + SPAN - 1 : r->bounds[2];
	int n = 3;

	r->span = r->x + SPAN;
	/* Of a few blocks it is not worth its while. */
	if (end - r->x >= SPAN / 2)
		n = fragment_edges_across(&r->tris[r->tri].edges, (int32_t[4]){ r->x, r->y, end, r->y }, &r->across);
	r->edges = n > 0 ? (unsigned int)n : 0;
	return n >= 0;
}

static void count_samples(struct viv3d *p, const struct v3d_block *b)
{
	for (unsigned int s = 0; s < p->samples.count; s++)
		p->query_samples += (unsigned int)__builtin_popcount(b->cover[s]);
}

/* A depth that the shader wrote, as PE stores it. */
static void shader_depth(struct viv3d *p, struct v3d_block *b, const v8f *depth)
{
	v8u z;

	for (unsigned int l = 0; l < V3D_LANES; l++) {
		double d = (*depth)[l];

		z[l] = (uint32_t)((d > 0 ? d < 1 ? d : 1 : 0) * p->pe.normalize + 0.5);
	}
	for (unsigned int s = 0; s < p->samples.count; s++)
		b->z[s] = z;
}

static inline void watch_step(struct viv3d *p, uint8_t lanes, enum model_verdict lost)
{
	if (p->watched)
		v3d_watch_step(p, lanes, lost);
}

static void tell_cost(struct viv3d *p, const struct v3d_block *b, uint8_t lanes, uint32_t instructions, uint32_t samples)
{
	const struct model_watch *w = p->v->u.model->watch;

	if (w && w->cost)
		w->cost(w->ctx, &(struct model_cost){
			.draw = w->draws - 1, .x = b->x, .y = b->y, .lanes = lanes,
			.instructions = p->v->perf.sh_ps_inst - instructions, .samples = p->samples_taken - samples,
		});
}

/* Blocks of which lanes are left: their number, which are the first ones then. */
static inline unsigned int keep(struct viv3d *p, struct v3d_block *b, unsigned int n, unsigned int samples)
{
	unsigned int kept = 0, quads = 0, pixels = 0;

	for (unsigned int i = 0; i < n; i++) {
		uint8_t lanes = v3d_covered(&b[i], samples);

		if (!lanes)
			continue;
		quads += !!(lanes & 0x0f) + !!(lanes & 0xf0);
		pixels += (unsigned int)__builtin_popcount(lanes);
		if (kept != i)
			b[kept] = b[i];
		kept++;
	}
	p->v->perf.ra_valid_quad_after_ez += quads;
	p->v->perf.ra_valid_pixel += pixels;
	unit_stats(&p->v->u)->fragments += pixels;
	return kept;
}

/* Of n blocks that have their depth. */
static void shade_batch(struct viv3d *p, struct v3d_block *b, unsigned int n)
{
	const struct v3d_tri *t = &p->raster.tris[p->raster.tri];
	const struct v3d_pe *pe = &p->pe;
	v8f color[V3D_RUN][4];

	v3d_tell(p, V3D_PART_RA, true);
	p->v->perf.ra_total_quad += 2 * n;
	if (pe->early)
		v3d_depth_stencil(p, b, n, t->cw);
	n = keep(p, b, n, 1);
	if (!n)
		return;
	v3d_run_ps_batch(p, b, n, color);
	if (p->fault || p->v->hung)
		return;
	for (unsigned int i = 0; i < n && pe->alpha_test; i++)
		b[i].cover[0] &= v3d_alpha_test(p, &color[i][3]);
	if (!pe->early)
		v3d_depth_stencil(p, b, n, t->cw);
	for (unsigned int i = 0; i < n; i++)
		p->query_samples += (unsigned int)__builtin_popcount(b[i].cover[0]);
	if (pe->rt[0].target.on)
		v3d_write_color(p, &pe->rt[0], b, n, color);
}

static void shade_block(struct viv3d *p, struct v3d_block *b)
{
	const struct v3d_tri *t = &p->raster.tris[p->raster.tri];
	const struct v3d_pe *pe = &p->pe;
	v8f color[V3D_RTS][4], depth;
	uint32_t instructions, samples;
	uint8_t lanes, alive;
	bool depth_written;

	v3d_tell(p, V3D_PART_RA, true);
	block_depth(p, b, 1);
	p->v->perf.ra_total_quad += 2;
	if (pe->early)
		v3d_depth_stencil(p, b, 1, t->cw);
	lanes = v3d_covered(b, p->samples.count);
	watch_step(p, lanes, MODEL_DEPTH_FAILED);
	if (p->fault || !keep(p, b, 1, p->samples.count))
		return;
	instructions = p->v->perf.sh_ps_inst;
	samples = p->samples_taken;
	alive = v3d_run_ps(p, b, lanes, color, &depth, &depth_written);
	tell_cost(p, b, lanes, instructions, samples);
	if (p->fault || p->v->hung)
		return;
	if (p->watched)
		v3d_watch_shaded(p, b, color[0]);
	watch_step(p, alive, MODEL_DISCARDED);
	if (pe->alpha_test)
		alive &= v3d_alpha_test(p, &color[0][3]);
	watch_step(p, alive, MODEL_ALPHA_FAILED);
	if (p->samples.alpha)
		v3d_alpha_coverage(p, b, &color[0][3]);
	for (unsigned int s = 0; s < p->samples.count; s++)
		b->cover[s] &= alive;
	if (p->samples.alpha)
		watch_step(p, v3d_covered(b, p->samples.count), MODEL_ALPHA_FAILED);
	if (!pe->early) {
		if (depth_written)
			shader_depth(p, b, &depth);
		v3d_depth_stencil(p, b, 1, t->cw);
		watch_step(p, v3d_covered(b, p->samples.count), MODEL_DEPTH_FAILED);
	}
	count_samples(p, b);
	for (unsigned int i = 0; i < pe->num_rts && !p->fault; i++)
		if (pe->rt[i].target.on)
			v3d_write_color(p, &pe->rt[i], b, 1, &color[i]);
}

/* The same, told to who watches one of its pixels. */
static void shade_watched(struct viv3d *p, struct v3d_block *b)
{
	struct model_fragment fragment;
	bool covered = v3d_watch_begin(p, b, &fragment);

	shade_block(p, b);
	if (covered)
		v3d_watch_end(p);
}

static void row_start(struct viv3d *p)
{
	struct v3d_raster *r = &p->raster;

	r->span = r->x = r->bounds[0] & ~(V3D_BLOCK_W - 1);
	p->budget -= 4;
}

/*
 * The next blocks that the triangle covers, at most so many, out of one span, or where that has a whole row, of the rows below
 * as well; r->x and r->y go behind them.
 */
static unsigned int next_blocks(struct viv3d *p, struct v3d_block *b, unsigned int most)
{
	struct v3d_raster *r = &p->raster;
	bool easy = !r->edges && p->samples.count == 1 && p->samples.mask & 1;
	unsigned int n = 0;

	for (;;) {
		int32_t end = r->span - V3D_BLOCK_W < r->bounds[2] ? r->span - V3D_BLOCK_W : r->bounds[2];

		for (; r->x <= end && n < most; r->x += V3D_BLOCK_W) {
			b[n].x = r->x;
			b[n].y = r->y;
			b[n].cover[0] = fragment_within(r->x, r->y, r->bounds);
			n += easy ? b[n].cover[0] != 0 : block_cover(p, &b[n]);
		}
		/* Narrow ones lie across all edges in each row. */
		if (n == most || !r->narrow || r->y + V3D_BLOCK_H > r->bounds[3])
			return n;
		r->y += V3D_BLOCK_H;
		row_start(p);
		r->span += SPAN;
	}
}

/* Goes on with that block, if ever. */
static bool stopped(struct viv3d *p, const struct v3d_block *b)
{
	p->raster.x = p->raster.span = b->x;
	p->raster.y = b->y;
	return false;
}

/* False: there was a fault or a hang. */
static bool shade_blocks(struct viv3d *p, struct v3d_block *b, unsigned int n, bool batch)
{
	for (unsigned int found = 0, run; n; b += run, n -= run, found -= run) {
		if (batch && !found) {
			found = v3d_find_runs(p, b, n);
			block_depth(p, b, found);
		}
		if (!found && p->stripe) {
			p->stuck = true;
			return stopped(p, b);
		}
		run = found && !p->one_by_one ? found : 1;
		p->budget -= V3D_BLOCK_COST * (int)run;
		if (found) {
			shade_batch(p, b, run);
		} else {
			found = 1;
			b->run[0] = b->run[1] = NULL;
			(v3d_watch(p) ? shade_watched : shade_block)(p, b);
		}
		if (p->fault || p->v->hung)
			return stopped(p, b);
	}
	return true;
}

bool v3d_triangle_bounds(const struct viv3d *p, const struct v3d_tri *t, int32_t bounds[4])
{
	const int32_t in[4] = { t->x0, t->y0, t->x1, t->y1 };

	for (unsigned int i = 0; i < 4; i++)
		bounds[i] = i < 2 ? (in[i] > p->scissor[i] ? in[i] : p->scissor[i]) :
				    (in[i] < p->scissor[i] ? in[i] : p->scissor[i]);
	return bounds[0] <= bounds[2] && bounds[1] <= bounds[3] && p->samples.mask;
}

static bool triangle_start(struct viv3d *p)
{
	struct v3d_raster *r = &p->raster;
	const struct v3d_tri *t = &r->tris[r->tri];

	if (v3d_watch(p))
		v3d_watch_triangle(p);
	if (!v3d_triangle_bounds(p, t, r->bounds))
		return false;
	p->v->perf.ra_total_prim += !p->striped;
	unit_stats(&p->v->u)->triangles += !p->striped;
	varying_planes(p);
	for (unsigned int i = 0; i < 3; i++)
		r->edge_lanes[i] = fragment_edge_lanes(0, t->edges.a[i] * SUB, t->edges.b[i] * SUB);
	r->y = r->bounds[1] & ~(V3D_BLOCK_H - 1);
	row_start(p);
	r->narrow = r->bounds[2] - r->x < SPAN / 2;
	r->started = true;
	return true;
}

/* A slice ends behind any block: with long shaders the host waits for each register it reads meanwhile. */
bool v3d_raster_step(struct viv3d *p)
{
	struct v3d_raster *r = &p->raster;
	bool batch = p->batch && !p->v->u.model->watch;
	int cost = V3D_BLOCK_COST + v3d_shader_cost(p->batch), most;
	struct v3d_block b[V3D_RUN];
	unsigned int n;

	while (r->tri < r->num_tris) {
		if (!r->started && !triangle_start(p)) {
			r->tri++;
			continue;
		}
		while (r->y <= r->bounds[3]) {
			while (r->x <= r->bounds[2]) {
				if (p->budget <= 0)
					return true;
				if (r->x >= r->span && !span_start(r)) {
					r->x = r->span;
					continue;
				}
				/* As many as would start one by one. */
				most = (p->budget + cost - 1) / cost;
				n = next_blocks(p, b, !batch ? 1 : most < V3D_RUN ? (unsigned int)most : V3D_RUN);
				if (!shade_blocks(p, b, n, batch))
					return true;
			}
			r->y += V3D_BLOCK_H;
			row_start(p);
		}
		r->started = false;
		r->tri++;
	}
	return false;
}
