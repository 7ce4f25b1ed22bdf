/* SPDX-License-Identifier: MIT */
/*
 * Primitives to triangles in pixels. Vertices come as the vertex shader left
 * them: x, y in pixels (y down), z, and 1/w. Lines, points and rectangles are
 * made of triangles here; each corner carries its weights in terms of the
 * primitive's vertices, so that varyings need no vertices of their own.
 */
#include <math.h>

#include "model/utgard/pp.h"

/*
 * GUESS(pp-guard-band): positions are rounded to 1/256 pixel. What reaches beyond the guard
 * band is clipped to it, so that edge functions fit 64 bits.
 */
#define GUARD		32768.0
#define SUBPIXELS	FRAGMENT_SUBPIXELS

struct corner {
	double x, y, z, iw;
	double weight[3];
};

/* The same before the division by w. */
struct clip_vertex {
	double x, y, z, w;
	double weight[3];
};

#define MAX_CLIPPED 9

static int64_t min3(const int64_t v[3])
{
	int64_t m = v[0] < v[1] ? v[0] : v[1];

	return m < v[2] ? m : v[2];
}

static int64_t max3(const int64_t v[3])
{
	int64_t m = v[0] > v[1] ? v[0] : v[1];

	return m > v[2] ? m : v[2];
}

/*
 * Planes of z, 1/w and the barycentric weights. They go through the positions
 * as given, so that only coverage suffers from rounding; slivers, where the
 * two shapes differ, use the rounded ones.
 */
static void planes(struct pp *pp, struct pp_tri *t, const struct corner *const c[3],
		   const int64_t *x, const int64_t *y, double rounded_area)
{
	double x1 = c[1]->x - c[0]->x, y1 = c[1]->y - c[0]->y;
	double x2 = c[2]->x - c[0]->x, y2 = c[2]->y - c[0]->y;
	double area = x1 * y2 - x2 * y1, sx, sy;

	t->ref_x = c[0]->x;
	t->ref_y = c[0]->y;
	if (!(area > 0.5 * rounded_area && area < 2 * rounded_area)) {
		x1 = (x[1] - x[0]) / (double)SUBPIXELS;
		y1 = (y[1] - y[0]) / (double)SUBPIXELS;
		x2 = (x[2] - x[0]) / (double)SUBPIXELS;
		y2 = (y[2] - y[0]) / (double)SUBPIXELS;
		area = rounded_area;
		t->ref_x = x[0] / (double)SUBPIXELS;
		t->ref_y = y[0] / (double)SUBPIXELS;
	}
	t->l1[0] = y2 / area;
	t->l1[1] = -x2 / area;
	t->l2[0] = -y1 / area;
	t->l2[1] = x1 / area;
	t->z[0] = c[0]->z;
	t->w[0] = c[0]->iw;
	t->z[1] = (c[1]->z - c[0]->z) * t->l1[0] + (c[2]->z - c[0]->z) * t->l2[0];
	t->z[2] = (c[1]->z - c[0]->z) * t->l1[1] + (c[2]->z - c[0]->z) * t->l2[1];
	t->w[1] = (c[1]->iw - c[0]->iw) * t->l1[0] + (c[2]->iw - c[0]->iw) * t->l2[0];
	t->w[2] = (c[1]->iw - c[0]->iw) * t->l1[1] + (c[2]->iw - c[0]->iw) * t->l2[1];
	sx = fabs(t->z[1]);
	sy = fabs(t->z[2]);
	t->slope = sx > sy ? sx : sy;
	/* OpenGL ES 2.0, 3.5.2. GUESS(pp-polygon-offset-lines): for triangles only, the unit is that of 24-bit depth. */
	t->z_offset = 0;
	if (pp->prim.op == PLB_OP_TRIANGLE || unit_answer(&pp->u, PROFILE_PP_OFFSET_LINES))
		t->z_offset = pp->draw->offset_scale * t->slope +
			      pp->draw->offset_units / (double)PP_CLEAR_DEPTH_MASK;
}

/* One triangle, any winding, within the guard band. */
static void triangle(struct pp *pp, const struct corner *c0, const struct corner *c1,
		     const struct corner *c2)
{
	const struct corner *c[3] = { c0, c1, c2 };
	struct pp_tri *t = &pp->prim.tri;
	int64_t x[3], y[3], area;
	bool ccw;
	unsigned int i;

	for (i = 0; i < 3; i++) {
		x[i] = lrint(c[i]->x * SUBPIXELS);
		y[i] = lrint(c[i]->y * SUBPIXELS);
	}
	area = fragment_turn(x, y);
	if (!area)
		return;
	ccw = area < 0;
	if (ccw) {
		c[1] = c2;
		c[2] = c1;
		area = -area;
	}
	t->front = pp->prim.op != PLB_OP_TRIANGLE || ccw == pp->draw->front_ccw;
	fragment_edge(&t->edges, 0, x, y, 0, 1);
	fragment_edge(&t->edges, 1, x, y, 1, 2);
	fragment_edge(&t->edges, 2, x, y, 2, 0);
	/* Generous by a pixel, for samples that are not in the middle. */
	t->x0 = (int32_t)((min3(x) - SUBPIXELS / 2) >> FRAGMENT_SUBPIXEL_BITS);
	t->y0 = (int32_t)((min3(y) - SUBPIXELS / 2) >> FRAGMENT_SUBPIXEL_BITS);
	t->x1 = (int32_t)((max3(x) + SUBPIXELS / 2) >> FRAGMENT_SUBPIXEL_BITS);
	t->y1 = (int32_t)((max3(y) + SUBPIXELS / 2) >> FRAGMENT_SUBPIXEL_BITS);
	planes(pp, t, c, x, y, area / ((double)SUBPIXELS * SUBPIXELS));
	for (i = 0; i < 3; i++) {
		memcpy(t->weight[i], c[i]->weight, sizeof(t->weight[i]));
		t->inv_w[i] = c[i]->iw;
	}
	pp->prim.plane_valid = 0;
	pp_raster(pp);
}

/* Distance to one of the five planes; inside is >= 0. */
static double plane_distance(const struct clip_vertex *v, unsigned int plane, double min_w)
{
	switch (plane) {
	case 0:
		return v->w - min_w;
	case 1:
		return v->x + GUARD * v->w;
	case 2:
		return GUARD * v->w - v->x;
	case 3:
		return v->y + GUARD * v->w;
	}
	return GUARD * v->w - v->y;
}

static void lerp(const struct clip_vertex *a, const struct clip_vertex *b, double t,
		 struct clip_vertex *out)
{
	unsigned int i;

	out->x = a->x + (b->x - a->x) * t;
	out->y = a->y + (b->y - a->y) * t;
	out->z = a->z + (b->z - a->z) * t;
	out->w = a->w + (b->w - a->w) * t;
	for (i = 0; i < 3; i++)
		out->weight[i] = a->weight[i] + (b->weight[i] - a->weight[i]) * t;
}

/* Clips a polygon (or, n = 2, a line); returns its new number of vertices. */
static unsigned int clip(struct clip_vertex *v, unsigned int n)
{
	struct clip_vertex in[MAX_CLIPPED];
	double min_w = 0, d, dn;
	unsigned int plane, i, k;
	bool line = n == 2;

	for (i = 0; i < n; i++)
		min_w = fabs(v[i].w) > min_w ? fabs(v[i].w) : min_w;
	/* Just in front of the eye; what is nearer than the near plane falls to its depth. */
	min_w *= 1e-6;
	for (plane = 0; plane < 5 && n > 1; plane++) {
		memcpy(in, v, n * sizeof(*v));
		for (i = 0, k = 0; i < n; i++) {
			const struct clip_vertex *next = &in[(i + 1) % n];

			d = plane_distance(&in[i], plane, min_w);
			dn = plane_distance(next, plane, min_w);
			if (d >= 0)
				v[k++] = in[i];
			if ((d >= 0) != (dn >= 0) && !(line && i == 1))
				lerp(&in[i], next, d / (d - dn), &v[k++]);
		}
		n = k;
	}
	return n;
}

static void corner_of(const struct clip_vertex *v, struct corner *c)
{
	c->iw = 1 / v->w;
	c->x = v->x * c->iw;
	c->y = v->y * c->iw;
	c->z = v->z * c->iw;
	memcpy(c->weight, v->weight, sizeof(c->weight));
}

/* The i-th vertex of the primitive; false: it is nowhere. */
static bool clip_vertex_of(const struct pp_prim *p, unsigned int i, struct clip_vertex *v)
{
	const float *pos = p->pos[i];

	if (!isfinite(pos[0]) || !isfinite(pos[1]) || !isfinite(pos[2]) || !isfinite(pos[3]) ||
	    pos[3] == 0)
		return false;
	v->w = 1.0 / pos[3];
	v->x = pos[0] * v->w;
	v->y = pos[1] * v->w;
	v->z = pos[2] * v->w;
	memset(v->weight, 0, sizeof(v->weight));
	v->weight[i] = 1;
	return true;
}

static void vertex_corner(const struct pp_prim *p, unsigned int i, struct corner *c)
{
	c->x = p->pos[i][0];
	c->y = p->pos[i][1];
	c->z = p->pos[i][2];
	c->iw = p->pos[i][3];
	memset(c->weight, 0, sizeof(c->weight));
	c->weight[i] = 1;
}

/* In front of the eye and within the guard band: nothing to clip. NaN is not. */
static bool simple(const struct pp_prim *p)
{
	unsigned int i;

	for (i = 0; i < p->vertices; i++)
		if (!(fabsf(p->pos[i][0]) < GUARD && fabsf(p->pos[i][1]) < GUARD &&
		      isfinite(p->pos[i][2]) && p->pos[i][3] > 0 && isfinite(p->pos[i][3])))
			return false;
	return true;
}

/* Vertices of a line or triangle as corners, clipped if need be; their number. */
static unsigned int corners(const struct pp_prim *p, struct corner c[MAX_CLIPPED])
{
	struct clip_vertex v[MAX_CLIPPED];
	unsigned int i, n = p->vertices;

	if (simple(p)) {
		for (i = 0; i < n; i++)
			vertex_corner(p, i, &c[i]);
		return n;
	}
	for (i = 0; i < n; i++)
		if (!clip_vertex_of(p, i, &v[i]))
			return 0;
	n = clip(v, n);
	for (i = 0; i < n; i++)
		corner_of(&v[i], &c[i]);
	return n;
}

static void do_triangle(struct pp *pp)
{
	struct corner c[MAX_CLIPPED];
	unsigned int i, n = corners(&pp->prim, c);

	for (i = 2; i < n; i++)
		triangle(pp, &c[0], &c[i - 1], &c[i]);
}

static void quad(struct pp *pp, const struct corner c[4])
{
	triangle(pp, &c[0], &c[1], &c[2]);
	triangle(pp, &c[0], &c[2], &c[3]);
}

/*
 * GUESS(pp-line-shape): a line is a parallelogram, as wide as its width in whole pixels
 * across its minor axis (OpenGL ES 2.0, 3.4.2.1); with multisampling a
 * rectangle along the line (3.4.4).
 */
static void do_line(struct pp *pp)
{
	struct corner end[MAX_CLIPPED], c[4];
	double dx, dy, len, ox, oy, half;
	unsigned int i;

	if (corners(&pp->prim, end) != 2)
		return;
	dx = end[1].x - end[0].x;
	dy = end[1].y - end[0].y;
	half = pp->prim.size / 2;
	if (pp->draw->msaa) {
		/* Not hypot(): C libraries differ in its last bit. */
		len = sqrt(dx * dx + dy * dy);
		if (!(len > 0))
			return;
		ox = -dy / len * half;
		oy = dx / len * half;
	} else {
		half = pp->prim.size < 1.5f ? 0.5 : rint(pp->prim.size) / 2;
		ox = fabs(dx) >= fabs(dy) ? 0 : half;
		oy = fabs(dx) >= fabs(dy) ? half : 0;
	}
	for (i = 0; i < 4; i++) {
		c[i] = end[i >> 1];
		c[i].x += i == 0 || i == 3 ? -ox : ox;
		c[i].y += i == 0 || i == 3 ? -oy : oy;
	}
	quad(pp, c);
}

static void do_point(struct pp *pp)
{
	struct corner c[4];
	double half = pp->prim.size / 2;
	unsigned int i;

	/* GUESS(pp-point-clip): a point behind the eye or far outside is dropped, not clipped. */
	if (!simple(&pp->prim))
		return;
	for (i = 0; i < 4; i++) {
		vertex_corner(&pp->prim, 0, &c[i]);
		c[i].x += i == 0 || i == 3 ? -half : half;
		c[i].y += i < 2 ? -half : half;
	}
	quad(pp, c);
}

/* Three corners are given, the fourth lies across from the second. */
static void do_rect(struct pp *pp)
{
	struct corner c[4];
	unsigned int i;

	if (!simple(&pp->prim))
		return;
	for (i = 0; i < 3; i++)
		vertex_corner(&pp->prim, i, &c[i]);
	c[3].x = c[0].x + c[2].x - c[1].x;
	c[3].y = c[0].y + c[2].y - c[1].y;
	c[3].z = c[0].z + c[2].z - c[1].z;
	c[3].iw = c[0].iw + c[2].iw - c[1].iw;
	for (i = 0; i < 3; i++)
		c[3].weight[i] = i == 1 ? -1 : 1;
	quad(pp, c);
}

void pp_primitive(struct pp *pp, uint8_t op, const uint32_t index[3])
{
	struct pp_prim *p = &pp->prim;
	unsigned int i;

	p->op = op;
	p->vertices = op == PLB_OP_POINT ? 1 : op == PLB_OP_LINE ? 2 : 3;
	p->size = pp->size > 0 && pp->size < 4096 ? pp->size : 1;
	p->vertex_valid = 0;
	for (i = 0; i < p->vertices; i++) {
		p->index[i] = index[i];
		if (!pp_read(pp, pp->positions + index[i] * PLB_POSITION_BYTES, p->pos[i],
			     PLB_POSITION_BYTES))
			return;
	}
	pp->count[PP_CNT_VERTEX_READS] += p->vertices * PLB_POSITION_BYTES / 8;
	switch (op) {
	case PLB_OP_TRIANGLE:
		pp->count[PP_CNT_POLYGONS]++;
		do_triangle(pp);
		break;
	case PLB_OP_LINE:
		pp->count[PP_CNT_LINES]++;
		do_line(pp);
		break;
	case PLB_OP_POINT:
		pp->count[PP_CNT_POINTS]++;
		do_point(pp);
		break;
	case PLB_OP_RECT:
		pp->count[PP_CNT_RECTANGLES]++;
		do_rect(pp);
		break;
	}
}
