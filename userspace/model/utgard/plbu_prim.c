// SPDX-License-Identifier: MIT
/*
 * Utgard GP's polygon list builder: primitive assembly, culling, binning.
 *
 * Positions are what the vertex shader wrote: x and y in pixels, z, 1/w. The
 * PLBU makes no vertices. GUESS(plbu-no-clip): so it cannot clip; it drops what lies wholly
 * outside, and leaves the rest to the PP, which cuts per fragment.
 */
#include <math.h>

#include "isa/half.h"
#include "model/core.h"
#include "model/fragment.h"
#include "model/utgard/plbu.h"
#include "model/watch.h"

#define PRIMS_PER_SLICE		64

struct vertex {
	float x, y, z, rw;
};

/* --- Assembly ------------------------------------------------------------ */

/*
 * Modes: of count vertices, least or more, come count / div * mul - less primitives of so many vertices. Primitive n is
 * made of the draw's elements n / mul * step + at[n % 2].
 * GUESS(plbu-quad-diagonal): a quad is cut between its second and its fourth vertex.
 */
static const struct mode {
	uint8_t vertices;	/* 0: the mode is not known */
	uint8_t least, div, mul, less, step, at[2][3];
} modes[32] = {
	[GP_MODE_POINTS] = { 1, 0, 1, 1, 0, 1, { { 0 }, { 0 } } },
	[GP_MODE_LINES] = { 2, 0, 2, 1, 0, 2, { { 0, 1 }, { 0, 1 } } },
	[GP_MODE_LINE_LOOP] = { 2, 2, 1, 1, 0, 1, { { 0, 1 }, { 0, 1 } } },
	[GP_MODE_LINE_STRIP] = { 2, 2, 1, 1, 1, 1, { { 0, 1 }, { 0, 1 } } },
	[GP_MODE_TRIANGLES] = { 3, 0, 3, 1, 0, 3, { { 0, 1, 2 }, { 0, 1, 2 } } },
	[GP_MODE_RECT] = { 3, 0, 3, 1, 0, 3, { { 0, 1, 2 }, { 0, 1, 2 } } },
	/* Every other triangle is turned, so that all wind alike. */
	[GP_MODE_TRIANGLE_STRIP] = { 3, 3, 1, 1, 2, 1, { { 0, 1, 2 }, { 1, 0, 2 } } },
	[GP_MODE_TRIANGLE_FAN] = { 3, 3, 1, 1, 2, 1, { { 0, 1, 2 }, { 0, 1, 2 } } },
	[GP_MODE_POLYGON] = { 3, 3, 1, 1, 2, 1, { { 0, 1, 2 }, { 0, 1, 2 } } },
	[GP_MODE_QUADS] = { 3, 0, 4, 2, 0, 4, { { 0, 1, 3 }, { 1, 2, 3 } } },
	[GP_MODE_QUAD_STRIP] = { 3, 4, 2, 2, 2, 2, { { 0, 1, 3 }, { 2, 0, 3 } } },
};

/* Which elements of the draw make primitive n; the number of vertices. */
static unsigned int elements(uint32_t mode, uint32_t count, uint32_t n, uint32_t e[3])
{
	const struct mode *m = &modes[mode];

	for (unsigned int i = 0; i < m->vertices; i++)
		e[i] = (m->mul == 2 ? n / 2 : n) * m->step + m->at[n & 1][i];
	if (mode == GP_MODE_TRIANGLE_FAN || mode == GP_MODE_POLYGON)
		e[0] = 0;
	if (mode == GP_MODE_LINE_LOOP && e[1] == count)
		e[1] = 0;
	return m->vertices;
}

/* Element to index into the position array; false: fault. */
static bool fetch_index(struct plbu *p, uint32_t element, uint32_t *index)
{
	struct unit *u = &p->gp->u;
	uint32_t va = PLBU_REG(p, INDICES), value = 0;
	uint16_t half;
	uint8_t byte;

	if (!p->draw.indexed) {
		/* Mesa: array draws shade vertices start.. into elements 0.. of the position array. */
		*index = element;
		return true;
	}
	switch (UTGARD_GET(PLBU_REG_INDEX_SIZE, PLBU_REG(p, PRIMITIVE))) {
	case 0:
		if (!gp_load(p->gp, va + element, &byte, 1))
			return false;
		value = byte;
		break;
	case 1:
		if (!gp_load(p->gp, va + 2 * element, &half, 2))
			return false;
		value = half;
		break;
	case 2:
		if (!gp_load(p->gp, va + 4 * element, &value, 4))
			return false;
		break;
	default:
		unit_report(u, "index size 3 in primitive setup %08x", PLBU_REG(p, PRIMITIVE));
	}
	/* Mesa: start is the smallest index, whose vertex is element 0 of the array. */
	*index = value - p->draw.start;
	return true;
}

/* Who watches wants to see this draw's primitives whatever culls them. */
static bool forced(const struct plbu *p)
{
	const struct model_watch *w = p->gp->u.model->watch;

	return w && w->allow && w->allow(w->ctx, p->rsw, 0) == MODEL_FORCE;
}

/* --- Binning --------------------------------------------------------------- */

/* A box in pixels, inclusive, to the tiles it touches; false: none. */
static bool tiles_of(struct plbu *p, double x0, double y0, double x1, double y1, struct tile_box *box)
{
	uint32_t tiles = PLBU_REG(p, TILES);
	double max_x = ((tiles >> 24) + 1) * 16 - 1, max_y = ((tiles >> 8 & 0xffff) + 1) * 16 - 1;

	x0 = fragment_max(x0, floorf(as_float(PLBU_REG(p, VIEWPORT_LEFT))));
	y0 = fragment_max(y0, floorf(as_float(PLBU_REG(p, VIEWPORT_BOTTOM))));
	x1 = fragment_min(x1, ceilf(as_float(PLBU_REG(p, VIEWPORT_RIGHT))));
	y1 = fragment_min(y1, ceilf(as_float(PLBU_REG(p, VIEWPORT_TOP))));
	if (p->has_scissor && !forced(p)) {
		x0 = fragment_max(x0, utgard_get(p->scissor, PLBU_SCISSOR_MIN_X));
		x1 = fragment_min(x1, utgard_get(p->scissor, PLBU_SCISSOR_MAX_X));
		y0 = fragment_max(y0, utgard_get(p->scissor, PLBU_SCISSOR_MIN_Y));
		y1 = fragment_min(y1, utgard_get(p->scissor, PLBU_SCISSOR_MAX_Y));
	}
	x0 = fragment_max(x0, 0);
	y0 = fragment_max(y0, 0);
	x1 = fragment_min(x1, max_x);
	y1 = fragment_min(y1, max_y);
	if (!(x0 <= x1 && y0 <= y1))
		return false;
	box->x0 = (uint32_t)x0 / 16;
	box->x1 = (uint32_t)x1 / 16;
	box->y0 = (uint32_t)y0 / 16;
	box->y1 = (uint32_t)y1 / 16;
	return true;
}

/* The halves of block n of 1 << shift tiles that tiles [from, to] touch: bit 0 the first. */
static uint32_t halves(uint32_t n, uint32_t shift, uint32_t from, uint32_t to)
{
	uint32_t first = n << shift, middle = first + (1u << shift >> 1), last = first + (1u << shift) - 1;

	if (!shift)
		return 1;
	return (from < middle && to >= first) | (from <= last && to >= middle) << 1;
}

/* --- What is kept, and where ------------------------------------------------- */

/*
 * GUESS(plbu-line-cull): what lies wholly beyond one side of the viewport or the depth range is dropped, a line
 * judged by its ends alone: Mesa's lima_extend_viewport() makes room for wide ones. For points it
 * makes none, and on a Mali-450 a wide one whose centre is outside is still seen (dEQP's
 * clipping.point.wide_point_clip), so their size counts.
 * GUESS(plbu-depth-reversed): of a range from a larger depth to a smaller one both are limits all the same, as in the
 * PP. Mesa sorts them (lima_state.c, util_viewport_zmin_zmax()).
 */
static bool outside(const struct plbu *p, const struct vertex *v, unsigned int n, float reach)
{
	float left = as_float(PLBU_REG(p, VIEWPORT_LEFT)), right = as_float(PLBU_REG(p, VIEWPORT_RIGHT));
	float bottom = as_float(PLBU_REG(p, VIEWPORT_BOTTOM)), top = as_float(PLBU_REG(p, VIEWPORT_TOP));
	float near = as_float(PLBU_REG(p, DEPTH_NEAR)), far = as_float(PLBU_REG(p, DEPTH_FAR));
	float low = fminf(near, far), high = fmaxf(near, far);
	unsigned int out[6] = { 0 };

	if (near > far && unit_strict(&p->gp->u))
		unit_report(&p->gp->u, "guessed: a depth range from %g to %g is one from %g to %g", near, far, far, near);
	for (unsigned int i = 0; i < n; i++) {
		out[0] += v[i].x + reach < left;
		out[1] += v[i].x - reach > right;
		out[2] += v[i].y + reach < bottom;
		out[3] += v[i].y - reach > top;
		out[4] += v[i].z < low;
		out[5] += v[i].z > high;
	}
	for (int i = 0; i < 6; i++) {
		if (out[i] == n)
			return true;
	}
	return false;
}

/* False: dropped. */
static bool keep_triangle(const struct plbu *p, const struct vertex v[3])
{
	double cross = ((double)v[1].x - v[0].x) * ((double)v[2].y - v[0].y) -
		       ((double)v[2].x - v[0].x) * ((double)v[1].y - v[0].y);
	uint32_t prim = PLBU_REG(p, PRIMITIVE);

	/* Seen through w = 0, each vertex behind the eye turns the winding once. */
	for (int i = 0; i < 3; i++) {
		if (v[i].rw < 0)
			cross = -cross;
	}
	if (cross == 0)
		return false;	/* GUESS(plbu-no-area): no area, no entry */
	/* y grows downwards: positive is clockwise, as Mesa counts it. */
	return !(prim & (cross > 0 ? UTGARD_MASK(PLBU_REG_CULL_CW) : UTGARD_MASK(PLBU_REG_CULL_CCW)));
}

/* How far the watched pixel's centre is outside of a triangle. */
static double distance(const struct model_watch *w, const struct vertex v[3])
{
	double cross = ((double)v[1].x - v[0].x) * ((double)v[2].y - v[0].y) -
		       ((double)v[2].x - v[0].x) * ((double)v[1].y - v[0].y), far = 0;

	for (int i = 0; i < 3; i++) {
		const struct vertex *a = &v[i], *b = &v[(i + 1) % 3];
		double ex = b->x - a->x, ey = b->y - a->y, length = hypot(ex, ey);
		double d = (ey * (w->x + 0.5 - a->x) - ex * (w->y + 0.5 - a->y)) * (cross > 0 ? 1 : -1);

		if (length > 0 && d / length > far)
			far = d / length;
	}
	return far;
}

/* A primitive gets into no list: for who watches a pixel. */
static bool drop(const struct plbu *p, const struct prim *prim, const struct vertex *v, unsigned int n,
		 enum model_verdict verdict)
{
	static const char *const names[] = { "", "point", "line", "triangle" };
	const struct model_watch *w = p->gp->u.model->watch;
	struct model_fragment f = {
		.verdict = verdict, .unit = "plbu", .state = p->rsw, .vertices = n, .distance = INFINITY,
		.primitive = prim->op == PLB_OP_RECT ? "rectangle" : names[n],
	};

	if (!w || !w->fragment || w->x < 0)
		return false;
	for (unsigned int i = 0; i < n; i++) {
		f.index[i] = prim->index[i];
		memcpy(f.position[i], &v[i], sizeof(f.position[i]));
	}
	if (verdict != MODEL_CLIPPED)
		f.distance = (float)distance(w, v);
	w->fragment(w->ctx, &f);
	return false;
}

/* The watched pixel is in a triangle, but the scissor keeps the triangle out of the pixel's tile: the PP will not see it. */
static bool is_scissored(const struct plbu *p, const struct vertex v[3], const struct tile_box *box)
{
	const struct model_watch *w = p->gp->u.model->watch;
	uint32_t x, y;

	if (!w || !w->fragment || w->x < 0)
		return false;
	x = (uint32_t)w->x / 16;
	y = (uint32_t)w->y / 16;
	return !(box && x >= box->x0 && x <= box->x1 && y >= box->y0 && y <= box->y1) && distance(w, v) <= 0;
}

/*
 * The tiles of a primitive's bounding box; false: dropped. A Mali-400 entered a triangle that covers
 * 76 blocks in all 121 of its box.
 */
static bool place(struct plbu *p, const struct prim *prim, const struct vertex *v, unsigned int n,
		  struct tile_box *box)
{
	double x0 = INFINITY, y0 = INFINITY, x1 = -INFINITY, y1 = -INFINITY, grow = prim->size / 2;
	unsigned int behind = 0;
	bool wide, any;

	for (unsigned int i = 0; i < n; i++) {
		/* GUESS(plbu-not-finite): a vertex that is not a number or at infinity takes its primitive with it. */
		if (!isfinite(v[i].x) || !isfinite(v[i].y) || !isfinite(v[i].z) || !isfinite(v[i].rw))
			return false;
		behind += v[i].rw <= 0;
		x0 = fragment_min(x0, v[i].x);
		y0 = fragment_min(y0, v[i].y);
		x1 = fragment_max(x1, v[i].x);
		y1 = fragment_max(y1, v[i].y);
	}
	if (behind == n)
		return drop(p, prim, v, n, MODEL_CLIPPED);
	if ((prim->op == PLB_OP_TRIANGLE || prim->op == PLB_OP_WIDE) && !keep_triangle(p, v) && !forced(p))
		return drop(p, prim, v, n, MODEL_CULLED);
	/* With a vertex behind the eye, a primitive may reach anywhere. */
	if (behind)
		return tiles_of(p, -INFINITY, -INFINITY, INFINITY, INFINITY, box);
	wide = prim->op == PLB_OP_POINT || (prim->op == PLB_OP_LINE && unit_answer(&p->gp->u, PROFILE_PLBU_LINE_CULL));
	if (outside(p, v, n, wide ? prim->size / 2 : 0) && !forced(p))
		return drop(p, prim, v, n, MODEL_CLIPPED);
	if (prim->op == PLB_OP_RECT) {
		/* The fourth corner lies within the box of the other three. */
		grow = 0;
	}
	any = tiles_of(p, floor(x0 - grow - 1), floor(y0 - grow - 1), ceil(x1 + grow + 1), ceil(y1 + grow + 1), box);
	if (n == 3 && p->has_scissor && is_scissored(p, v, any ? box : NULL))
		drop(p, prim, v, n, MODEL_SCISSORED);
	return any;
}

/* --- Primitives -------------------------------------------------------------- */

static const uint32_t op_of_vertices[4] = { 0, PLB_OP_POINT, PLB_OP_LINE, PLB_OP_TRIANGLE };

/* Point size or line width; false: fault. */
static bool fetch_size(struct plbu *p, struct prim *prim)
{
	uint32_t setup = PLBU_REG(p, PRIMITIVE), va = PLBU_REG(p, POINT_SIZES);

	if (!p->draw.indexed)
		va = p->gp->vs_point_sizes;	/* the VS hands it over: Mesa gives no address */
	prim->size = as_float(PLBU_REG(p, LOW_PRIM_SIZE));
	if (prim->op == PLB_OP_LINE || (setup & UTGARD_MASK(PLBU_REG_FORCE_SIZE)))
		return true;
	if (!va) {
		unit_report(&p->gp->u, "points without size: neither forced nor a point size stream");
		return true;
	}
	return gp_load(p->gp, va + 4 * prim->index[0], &prim->size, sizeof(prim->size));
}

/* Reads what a primitive is made of; false: fault. */
static bool fetch(struct plbu *p, struct prim *prim, struct vertex *v, unsigned int *n, bool *valid)
{
	uint32_t positions = p->draw.indexed ? PLBU_REG(p, POSITIONS) : p->positions;
	uint32_t e[3];
	bool wide = false;

	*n = elements(p->draw.mode, p->draw.count, p->draw.prim, e);
	*valid = true;
	for (unsigned int i = 0; i < *n; i++) {
		if (!fetch_index(p, e[i], &prim->index[i]))
			return false;
		if (prim->index[i] > PLB_INDEX_MAX) {
			unit_report(&p->gp->u, "element %u of a draw has vertex %d", e[i], (int)prim->index[i]);
			*valid = false;
			return true;
		}
		if (!gp_load(p->gp, positions + sizeof(*v) * prim->index[i], &v[i], sizeof(*v)))
			return false;
	}
	for (unsigned int i = *n; i < 3; i++)
		prim->index[i] = prim->index[*n - 1];
	for (unsigned int i = 0; i < 3; i++)
		wide |= prim->index[i] > PLB_TRIANGLE_MAX;
	prim->op = p->draw.mode == GP_MODE_RECT ? PLB_OP_RECT : *n == 3 && wide ? PLB_OP_WIDE : op_of_vertices[*n];
	prim->size = 0;
	return *n == 3 || fetch_size(p, prim);
}

/* Into every list it may touch; goes on where a fault or a full heap stopped it. */
static enum put bin(struct plbu *p, const struct prim *prim, const struct tile_box *box)
{
	uint32_t x0 = box->x0 >> p->shift_w, y0 = box->y0 >> p->shift_h;
	uint32_t w = (box->x1 >> p->shift_w) - x0 + 1, all = w * ((box->y1 >> p->shift_h) - y0 + 1);

	for (; p->draw.block < all; p->draw.block++) {
		uint32_t x = x0 + p->draw.block % w, y = y0 + p->draw.block / w;
		uint32_t across = halves(x, p->shift_w, box->x0, box->x1), down = halves(y, p->shift_h, box->y0, box->y1);
		enum put r = plb_put(p, x, y, (down & 1 ? across : 0) | (down & 2 ? across << 2 : 0), prim);

		if (r != PUT_DONE)
			return r;
	}
	return PUT_DONE;
}

/* SLICE_MORE: done, and the draw stands at the next primitive; *fault: run it again. */
static enum slice draw_prim(struct plbu *p, bool *fault)
{
	struct tile_box box;
	struct vertex v[3];
	struct prim prim;
	unsigned int n;
	bool valid;

	*fault = !fetch(p, &prim, v, &n, &valid);
	if (*fault)
		return SLICE_MORE;
	if (!valid || !place(p, &prim, v, n, &box)) {
		p->gp->count[GP_EVENT_CULLED]++;
	} else {
		switch (bin(p, &prim, &box)) {
		case PUT_DONE:
			unit_stats(&p->gp->u)->triangles += n == 3;
			break;
		case PUT_FAULT:
			*fault = true;
			return SLICE_MORE;
		case PUT_HEAP:
			return SLICE_WAIT;
		case PUT_ERROR:
			p->active = false;
			return SLICE_ERROR;
		}
	}
	p->draw.block = 0;
	p->draw.prim++;
	p->gp->count[GP_EVENT_PRIMITIVES]++;
	p->gp->count[GP_EVENT_VERTICES_FETCHED] += n;
	return SLICE_MORE;
}

enum slice plbu_draw_slice(struct plbu *p)
{
	struct plbu_draw *d = &p->draw;
	const struct mode *m = &modes[d->mode];
	uint32_t prims = m->vertices && d->count >= m->least ? d->count / m->div * m->mul - m->less : 0;
	enum slice s = SLICE_MORE;
	bool fault = false;

	if (!m->vertices) {
		unit_report(&p->gp->u, "draw mode %u is not known", d->mode);
	} else if (gp_count_hangs(d->mode, d->count)) {
		unit_report(&p->gp->u, "draw mode %u with %u vertices: hardware hangs", d->mode, d->count);
		p->hung = true;
		return SLICE_WAIT;
	}
	for (int i = 0; i < PRIMS_PER_SLICE && d->prim < prims && s == SLICE_MORE && !fault; i++)
		s = draw_prim(p, &fault);
	if (d->prim >= prims && s == SLICE_MORE)
		d->active = false;
	return s;
}
