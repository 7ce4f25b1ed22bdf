// SPDX-License-Identifier: MIT
/*
 * SE: scissor, depth offset, edges and planes of triangles. Facts: rnndb
 * state_3d.xml, Mesa etnaviv_emit.c.
 */
#include <math.h>

#include "model/vivante/viv3d.h"

#define FAR	131072.0	/* pixels: beyond the guard band and what the widest line or point adds to it; edges fit 64 bits */

/* The pixel n with n + 0.5 the first centre that is not left of a border. */
static int32_t first_pixel(float border)
{
	return border > -1e9f && border < 1e9f ? (int32_t)ceilf(border - 0.5f) : border > 0 ? INT32_MAX / 2 : INT32_MIN / 2;
}

/*
 * etna_viv hardware.md: on GC600, SE_SCISSOR's right and bottom as (x << 16) | 5 crash "for higher resolutions such as
 * 1920x1080". GUESS(se-scissor-hang): higher are those; the 5 is seen in the float that FE makes of it, where it may be
 * rounded.
 */
static bool scissor_hangs(struct vivante *v)
{
	float right = viv_state_float(v, VIVS_SE_SCISSOR_RIGHT), bottom = viv_state_float(v, VIVS_SE_SCISSOR_BOTTOM);
	float x = right - floorf(right), y = bottom - floorf(bottom);

	if (!v->chip->scissor_hangs || right < 1920 || bottom < 1080 || !(x > 0 && x < 16 / 65536.0f) ||
	    !(y > 0 && y < 16 / 65536.0f))
		return false;
	viv_hang(v, "se", VIVS_HI_IDLE_STATE_SE, "SE_SCISSOR ends at (%.6f, %.6f): a little beyond a pixel", (double)right,
		 (double)bottom);
	return true;
}

/*
 * Pixels are drawn whose centre is at or right of the left border and left of
 * the right one; drivers add a fraction of a pixel to the latter. False: it hangs.
 */
bool v3d_se_start(struct viv3d *p)
{
	struct vivante *v = p->v;
	float right = viv_state_float(v, VIVS_SE_CLIP_RIGHT), bottom = viv_state_float(v, VIVS_SE_CLIP_BOTTOM);

	p->scissor[0] = first_pixel(viv_state_float(v, VIVS_SE_SCISSOR_LEFT));
	p->scissor[1] = first_pixel(viv_state_float(v, VIVS_SE_SCISSOR_TOP));
	p->scissor[2] = first_pixel(viv_state_float(v, VIVS_SE_SCISSOR_RIGHT)) - 1;
	p->scissor[3] = first_pixel(viv_state_float(v, VIVS_SE_SCISSOR_BOTTOM)) - 1;
	/* GUESS(se-clip): SE_CLIP is a second scissor, off while it is 0. */
	if (right > 0 && first_pixel(right) - 1 < p->scissor[2])
		p->scissor[2] = first_pixel(right) - 1;
	if (bottom > 0 && first_pixel(bottom) - 1 < p->scissor[3])
		p->scissor[3] = first_pixel(bottom) - 1;
	for (unsigned int i = 0; i < 2; i++)
		if (p->scissor[i] < 0)
			p->scissor[i] = 0;
	p->depth_scale = viv_state_float(v, VIVS_SE_DEPTH_SCALE);
	/*
	 * GUESS(se-bias-unit): the bias counts whole, so that Mesa, which doubles the units, moves by two. Were it
	 * half, dEQP's polygon_offset.fixed16_render_with_units, whose depth is half way between two
	 * values, would be a matter of luck; a GC2000 passes it.
	 */
	p->depth_bias = viv_state_float(v, VIVS_SE_DEPTH_BIAS) * (unit_answer(&v->u, PROFILE_SE_BIAS_UNIT) ? 0.5f : 1);
	return !scissor_hangs(v);
}

static void bounds(struct v3d_tri *t, const int64_t x[3], const int64_t y[3])
{
	int64_t x0 = x[0], x1 = x[0], y0 = y[0], y1 = y[0];

	for (unsigned int i = 1; i < 3; i++) {
		x0 = x[i] < x0 ? x[i] : x0;
		x1 = x[i] > x1 ? x[i] : x1;
		y0 = y[i] < y0 ? y[i] : y0;
		y1 = y[i] > y1 ? y[i] : y1;
	}
	t->x0 = (int32_t)(x0 >> 8);
	t->y0 = (int32_t)(y0 >> 8);
	t->x1 = (int32_t)(x1 >> 8);
	t->y1 = (int32_t)(y1 >> 8);
}

/*
 * Planes of z, 1/w and the barycentric weights, through the positions as given,
 * so that only coverage suffers from rounding; slivers, where the two shapes
 * differ, use the rounded ones.
 */
static void planes(struct viv3d *p, struct v3d_tri *t, const struct v3d_corner *const c[3],
		   const int64_t *x, const int64_t *y, double rounded, bool polygon)
{
	double x1 = c[1]->x - c[0]->x, y1 = c[1]->y - c[0]->y;
	double x2 = c[2]->x - c[0]->x, y2 = c[2]->y - c[0]->y;
	double area = x1 * y2 - x2 * y1, sub = V3D_SUBPIXELS, sx, sy;

	t->ref_x = c[0]->x;
	t->ref_y = c[0]->y;
	if (!(area > 0.5 * rounded && area < 2 * rounded)) {
		x1 = (double)(x[1] - x[0]) / sub;
		y1 = (double)(y[1] - y[0]) / sub;
		x2 = (double)(x[2] - x[0]) / sub;
		y2 = (double)(y[2] - y[0]) / sub;
		area = rounded;
		t->ref_x = (double)x[0] / sub;
		t->ref_y = (double)y[0] / sub;
	}
	t->l1[0] = y2 / area;
	t->l1[1] = -x2 / area;
	t->l2[0] = -y1 / area;
	t->l2[1] = x1 / area;
	t->z[0] = c[0]->z;
	t->w[0] = c[0]->iw;
	for (unsigned int i = 0; i < 2; i++) {
		t->z[1 + i] = (c[1]->z - c[0]->z) * t->l1[i] + (c[2]->z - c[0]->z) * t->l2[i];
		t->w[1 + i] = (c[1]->iw - c[0]->iw) * t->l1[i] + (c[2]->iw - c[0]->iw) * t->l2[i];
	}
	sx = fabs(t->z[1]);
	sy = fabs(t->z[2]);
	/* GUESS(se-bias-lines): points and lines have no depth offset. */
	if (polygon || unit_answer(&p->v->u, PROFILE_SE_BIAS_LINES))
		t->z[0] += p->depth_scale * (sx > sy ? sx : sy) + p->depth_bias;
}

void v3d_triangle(struct viv3d *p, const struct v3d_corner *c0, const struct v3d_corner *c1,
		  const struct v3d_corner *c2, bool polygon, bool cw)
{
	const struct v3d_corner *c[3] = { c0, c1, c2 };
	struct v3d_raster *r = &p->raster;
	struct v3d_tri *t = &r->tris[r->num_tris];
	int64_t x[3], y[3], area;
	unsigned int i;

	if (p->prim.num_tris == V3D_MAX_TRIS)
		return;
	for (i = 0; i < 3; i++) {
		/* What rounding has left of clipping huge coordinates, perhaps no number. */
		if (!(fabs(c[i]->x) < FAR && fabs(c[i]->y) < FAR)) {
			p->v->perf.se_culled_triangle++;
			return;
		}
		x[i] = lrint(c[i]->x * V3D_SUBPIXELS);
		y[i] = lrint(c[i]->y * V3D_SUBPIXELS);
	}
	area = fragment_turn(x, y);
	if (!area) {
		p->v->perf.se_culled_triangle++;
		return;
	}
	if (area < 0) {
		c[1] = c2;
		c[2] = c1;
		area = -area;
	}
	memcpy(t->vertex, p->prim.vertex, sizeof(t->vertex));
	t->provoking = p->prim.provoking;
	t->cw = cw;
	for (i = 0; i < 3; i++) {
		fragment_edge(&t->edges, i, x, y, i, (i + 1) % 3);
		memcpy(t->weight[i], c[i]->weight, sizeof(t->weight[i]));
		memcpy(t->point[i], c[i]->point, sizeof(t->point[i]));
		t->inv_w[i] = c[i]->iw;
	}
	bounds(t, x, y);
	planes(p, t, c, x, y, (double)area / ((double)V3D_SUBPIXELS * V3D_SUBPIXELS), polygon);
	p->prim.num_tris++;
	r->num_tris++;
}
