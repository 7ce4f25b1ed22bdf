/* SPDX-License-Identifier: MIT */
/*
 * What the pixel pipelines of both families do alike: blocks of 4x2 pixels, lane
 * by lane in two quads, against the edges of a triangle; the faces of a cube map.
 */
#ifndef LIMN_MODEL_FRAGMENT_H
#define LIMN_MODEL_FRAGMENT_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "sim/vector.h"

#define FRAGMENT_LANES		8
#define FRAGMENT_BLOCK_W	4
#define FRAGMENT_BLOCK_H	2
#define FRAGMENT_SUBPIXEL_BITS	8	/* GUESS(subpixel-bits): positions are rounded to 1/256 pixel */
#define FRAGMENT_SUBPIXELS	(1 << FRAGMENT_SUBPIXEL_BITS)

/* Where a lane is in its block. */
#define FRAGMENT_LANE_X(l)	(((l) & 1) | ((l) >> 2) << 1)
#define FRAGMENT_LANE_Y(l)	((l) >> 1 & 1)

/* Three edges; inside: a * x + b * y + c >= 0 for each, x and y in subpixels. */
struct fragment_edges {
	int64_t a[3], b[3], c[3];
};

/*
 * Twice the area of a triangle: positive is clockwise to the eye, y being down. Of a
 * negative one corners 1 and 2 have changed places.
 */
static inline int64_t fragment_turn(int64_t x[3], int64_t y[3])
{
	int64_t area = (x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0]), t;

	if (area < 0) {
		t = x[1];
		x[1] = x[2];
		x[2] = t;
		t = y[1];
		y[1] = y[2];
		y[2] = t;
	}
	return area;
}

/* Edge i, from one corner to another; x and y of the corners in subpixels, the inside to its left. */
static inline void fragment_edge(struct fragment_edges *t, unsigned int i, const int64_t *x, const int64_t *y,
				 unsigned int from, unsigned int to)
{
	int64_t dx = x[to] - x[from], dy = y[to] - y[from];

	t->a[i] = -dy;
	t->b[i] = dx;
	t->c[i] = dy * x[from] - dx * y[from];
	/*
	 * GUESS(edge-rule): centres on an edge belong to the triangle when it is a top or a left edge, the
	 * usual rule; Utgard's PP_TIEBREAK may choose another.
	 */
	if (!(t->a[i] > 0 || (t->a[i] == 0 && t->b[i] > 0)))
		t->c[i]--;
}

typedef int64_t v8l __attribute__((vector_size(64)));

/* An edge's value in each lane of a block: from lane to lane it grows by dx and dy. */
static inline v8l fragment_edge_lanes(int64_t e, int64_t dx, int64_t dy)
{
	const v8l odd = { 0, -1, 0, -1, 0, -1, 0, -1 }, lower = { 0, 0, -1, -1, 0, 0, -1, -1 };
	const v8l right = { 0, 0, 0, 0, -1, -1, -1, -1 };
	v8l zero = { 0 };

	return (zero + e) + ((zero + dx) & odd) + ((zero + 2 * dx) & right) + ((zero + dy) & lower);
}

/*
 * Of the edges, those that some pixel within the bounds (see fragment_within(), widened to whole
 * blocks) may be outside of; their number, or -1 when all are outside of one.
 */
static inline int fragment_edges_across(const struct fragment_edges *t, const int32_t bounds[4],
					struct fragment_edges *across)
{
	int64_t x0 = (int64_t)(bounds[0] & ~(FRAGMENT_BLOCK_W - 1)) * FRAGMENT_SUBPIXELS;
	int64_t y0 = (int64_t)(bounds[1] & ~(FRAGMENT_BLOCK_H - 1)) * FRAGMENT_SUBPIXELS;
	int64_t w = (int64_t)((bounds[2] | (FRAGMENT_BLOCK_W - 1)) + 1) * FRAGMENT_SUBPIXELS - x0;
	int64_t h = (int64_t)((bounds[3] | (FRAGMENT_BLOCK_H - 1)) + 1) * FRAGMENT_SUBPIXELS - y0;
	int n = 0;

	for (unsigned int i = 0; i < 3; i++) {
		int64_t lo = t->a[i] * x0 + t->b[i] * y0 + t->c[i], hi = lo;

		*(t->a[i] < 0 ? &lo : &hi) += t->a[i] * w;
		*(t->b[i] < 0 ? &lo : &hi) += t->b[i] * h;
		if (hi < 0)
			return -1;
		if (lo >= 0)
			continue;
		across->a[n] = t->a[i];
		across->b[n] = t->b[i];
		across->c[n++] = t->c[i];
	}
	return n;
}

/* Lanes of the block at pixel (x, y) that are inside of the first n edges; (ox, oy): where in a pixel, subpixels. */
static inline uint8_t fragment_inside(const struct fragment_edges *t, unsigned int n, int32_t x, int32_t y, int ox, int oy)
{
	int64_t px = (int64_t)x * FRAGMENT_SUBPIXELS + ox, py = (int64_t)y * FRAGMENT_SUBPIXELS + oy;
	unsigned int i, mask = 0xff;

	for (i = 0; i < n; i++) {
		int64_t dx = t->a[i] * FRAGMENT_SUBPIXELS, dy = t->b[i] * FRAGMENT_SUBPIXELS;
		int64_t e = t->a[i] * px + t->b[i] * py + t->c[i];
		int64_t sx = 3 * dx, lo = e, hi = e;

		*(sx < 0 ? &lo : &hi) += sx;
		*(dy < 0 ? &lo : &hi) += dy;
		if (hi < 0)
			return 0;
		if (lo >= 0)
			continue;
		mask &= v8_mask_of_bytes(__builtin_convertvector(fragment_edge_lanes(e, dx, dy) >= 0, v8b));
	}
	return (uint8_t)mask;
}

/* Pixels from the triangle to the centre of the pixel (x, y): how far outside it is; at or below 0: inside. */
static inline double fragment_distance(const struct fragment_edges *t, int32_t x, int32_t y)
{
	double px = (x + 0.5) * FRAGMENT_SUBPIXELS, py = (y + 0.5) * FRAGMENT_SUBPIXELS, far = -1e9;

	for (unsigned int i = 0; i < 3; i++) {
		double e = (double)t->a[i] * px + (double)t->b[i] * py + (double)t->c[i];
		double d = -e / hypot((double)t->a[i], (double)t->b[i]) / FRAGMENT_SUBPIXELS;

		far = d > far ? d : far;
	}
	return far;
}

/* The lane of a block that the pixel (x, y) is, which must be in it. */
static inline unsigned int fragment_lane(int32_t x, int32_t y)
{
	unsigned int dx = (unsigned int)x % FRAGMENT_BLOCK_W, dy = (unsigned int)y % FRAGMENT_BLOCK_H;

	return dx / 2 * 4 + dy * 2 + dx % 2;
}

/* As fmin() and fmax() where a is a number, but in line. */
static inline double fragment_min(double a, double b)
{
	return b < a ? b : a;
}

static inline double fragment_max(double a, double b)
{
	return b > a ? b : a;
}

/* Lanes of the block at (x, y) that lie within the bounds: x0, y0, x1, y1, all inclusive. */
static inline uint8_t fragment_within(int32_t x, int32_t y, const int32_t bounds[4])
{
	const v8i lane_x = { 0, 1, 0, 1, 2, 3, 2, 3 }, lane_y = { 0, 0, 1, 1, 0, 0, 1, 1 };
	v8i lx = x + lane_x, ly = y + lane_y;

	if (x >= bounds[0] && x + FRAGMENT_BLOCK_W - 1 <= bounds[2] && y >= bounds[1] &&
	    y + FRAGMENT_BLOCK_H - 1 <= bounds[3])
		return 0xff;
	return (uint8_t)v8_mask((lx >= bounds[0]) & (lx <= bounds[2]) & (ly >= bounds[1]) & (ly <= bounds[3]));
}

/* Coordinates that no integer holds, and NaN, become 0. */
static inline float fragment_sane(float f)
{
	return f > -0x1p22f && f < 0x1p22f ? f : 0;
}

/*
 * Face of a direction (in the order +x -x +y -y +z -z) and s, t on it; with
 * face >= 0 the coordinates on that face, wherever the direction points.
 */
static inline int fragment_cube_face(const float d[3], int face, float st[2])
{
	float ax = fabsf(d[0]), ay = fabsf(d[1]), az = fabsf(d[2]), ma, s, t;

	if (face < 0) {
		if (ax >= ay && ax >= az)
			face = d[0] < 0;
		else if (ay >= az)
			face = 2 + (d[1] < 0);
		else
			face = 4 + (d[2] < 0);
	}
	ma = face & 1 ? -d[face / 2] : d[face / 2];
	switch (face) {
	case 0:
		s = -d[2], t = -d[1];
		break;
	case 1:
		s = d[2], t = -d[1];
		break;
	case 2:
		s = d[0], t = d[2];
		break;
	case 3:
		s = d[0], t = -d[2];
		break;
	case 4:
		s = d[0], t = -d[1];
		break;
	default:
		s = -d[0], t = -d[1];
	}
	st[0] = fragment_sane((s / ma + 1) / 2);
	st[1] = fragment_sane((t / ma + 1) / 2);
	return face;
}

/* The texel that a face of so many would have beyond one of its edges: the other face, and where it is there. */
static inline int fragment_cube_beyond(int face, int size, int *x, int *y)
{
	float s = (float)(2 * *x + 1) / (float)size - 1, t = (float)(2 * *y + 1) / (float)size - 1, st[2];
	const float d[6][3] = { { 1, -t, -s }, { -1, -t, s }, { s, 1, t }, { s, -1, -t }, { s, -t, 1 }, { -s, -t, -1 } };

	face = fragment_cube_face(d[face], -1, st);
	*x = (int)(st[0] * (float)size);
	*y = (int)(st[1] * (float)size);
	return face;
}

#endif
