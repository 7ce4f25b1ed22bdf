/* SPDX-License-Identifier: MIT */
/*
 * A small rasteriser in double precision, written from the definitions (edge
 * functions, barycentric and perspective-correct interpolation, top-left rule)
 * and from nothing of the model: what pictures of the model are compared with.
 * Pixel centres are at .5; y is down.
 */
#ifndef LIMN_TESTS_REFERENCE_H
#define LIMN_TESTS_REFERENCE_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct ref_vertex {
	double clip[4];		/* x, y (up), z, w */
	double attr[4];
};

struct ref_image {
	int w, h;
	double *rgba;		/* w * h * 4, 0 to 1 */
	double *depth;		/* 1 where nothing was drawn */
	double *edge;		/* distance in pixels of the centre to the nearest edge drawn */
};

/* Colour of a fragment at pixel x, y with interpolated attributes. */
typedef void (*ref_shade)(const void *ctx, int x, int y, const double attr[4], double rgba[4]);

static inline struct ref_image *ref_create(int w, int h, const double clear[4])
{
	struct ref_image *r = calloc(1, sizeof(*r));

	r->w = w;
	r->h = h;
	r->rgba = malloc(sizeof(double) * 4 * w * h);
	r->depth = malloc(sizeof(double) * w * h);
	r->edge = malloc(sizeof(double) * w * h);
	for (int i = 0; i < w * h; i++) {
		memcpy(r->rgba + 4 * i, clear, 4 * sizeof(double));
		r->depth[i] = 1;
		r->edge[i] = 1e9;
	}
	return r;
}

static inline void ref_free(struct ref_image *r)
{
	free(r->rgba);
	free(r->depth);
	free(r->edge);
	free(r);
}

/* Twice the signed area of a, b, p. */
static inline double ref_area(const double a[2], const double b[2], double x, double y)
{
	return (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]);
}

/* How far p is from the segment a, b. */
static inline double ref_distance(const double a[2], const double b[2], double x, double y)
{
	double dx = b[0] - a[0], dy = b[1] - a[1], len2 = dx * dx + dy * dy;
	double t = len2 > 0 ? ((x - a[0]) * dx + (y - a[1]) * dy) / len2 : 0;

	t = t < 0 ? 0 : t > 1 ? 1 : t;
	return hypot(x - a[0] - t * dx, y - a[1] - t * dy);
}

/* Where a clip space position lies on the picture. */
static inline void ref_project(const struct ref_image *r, const struct ref_vertex *v, double p[2],
			       double *z)
{
	p[0] = (v->clip[0] / v->clip[3] + 1) * r->w / 2;
	p[1] = (1 - v->clip[1] / v->clip[3]) * r->h / 2;
	*z = (v->clip[2] / v->clip[3] + 1) / 2;
}

/* Whether an edge of a triangle with positive area owns the points on it. */
static inline bool ref_owns(const double a[2], const double b[2])
{
	return (a[1] == b[1] && b[0] > a[0]) || b[1] < a[1];
}

/* Draws one triangle; w > 0 at its corners. blend: over by alpha. */
static inline void ref_triangle(struct ref_image *r, const struct ref_vertex *v0,
				const struct ref_vertex *v1, const struct ref_vertex *v2,
				bool depth_test, bool blend, ref_shade shade, const void *ctx)
{
	const struct ref_vertex *v[3] = { v0, v1, v2 };
	double p[3][2], z[3], area, x0 = r->w, x1 = 0, y0 = r->h, y1 = 0;

	for (int i = 0; i < 3; i++)
		ref_project(r, v[i], p[i], &z[i]);
	area = ref_area(p[0], p[1], p[2][0], p[2][1]);
	if (area == 0)
		return;
	if (area < 0) {
		const struct ref_vertex *swap = v[1];

		v[1] = v[2];
		v[2] = swap;
		for (int i = 1; i < 3; i++)
			ref_project(r, v[i], p[i], &z[i]);
		area = -area;
	}
	/* Only pixels that the triangle's box, and a margin for edge distances, can reach. */
	for (int i = 0; i < 3; i++) {
		x0 = fmin(x0, p[i][0] - 2);
		x1 = fmax(x1, p[i][0] + 2);
		y0 = fmin(y0, p[i][1] - 2);
		y1 = fmax(y1, p[i][1] + 2);
	}
	for (int y = fmax(y0, 0); y < fmin(y1, r->h); y++) {
		for (int x = fmax(x0, 0); x < fmin(x1, r->w); x++) {
			double b[3], q = 0, attr[4] = { 0 }, rgba[4], depth = 0;
			double *out = r->rgba + 4 * (y * r->w + x);
			bool inside = true;

			for (int i = 0; i < 3; i++) {
				const double *from = p[(i + 1) % 3], *to = p[(i + 2) % 3];
				double d = ref_distance(from, to, x + 0.5, y + 0.5);

				if (d < r->edge[y * r->w + x])
					r->edge[y * r->w + x] = d;
				b[i] = ref_area(from, to, x + 0.5, y + 0.5);
				inside &= b[i] > 0 || (b[i] == 0 && ref_owns(from, to));
			}
			if (!inside)
				continue;
			for (int i = 0; i < 3; i++) {
				depth += b[i] / area * z[i];
				b[i] /= v[i]->clip[3];
				q += b[i];
			}
			if (depth_test && depth >= r->depth[y * r->w + x])
				continue;
			if (depth_test)
				r->depth[y * r->w + x] = depth;
			for (int i = 0; i < 3; i++)
				for (int c = 0; c < 4; c++)
					attr[c] += b[i] / q * v[i]->attr[c];
			shade(ctx, x, y, attr, rgba);
			for (int c = 0; c < 4; c++)
				out[c] = blend ? rgba[c] * rgba[3] + out[c] * (1 - rgba[3]) : rgba[c];
		}
	}
}

static inline void ref_shade_attr(const void *ctx, int x, int y, const double attr[4],
				  double rgba[4])
{
	memcpy(rgba, attr, 4 * sizeof(double));
}

static inline void ref_shade_constant(const void *ctx, int x, int y, const double attr[4],
				      double rgba[4])
{
	memcpy(rgba, ctx, 4 * sizeof(double));
}

#endif
