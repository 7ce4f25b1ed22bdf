// SPDX-License-Identifier: MIT
/*
 * PA: from clip space to pixels: clipping, culling, viewport, and what becomes
 * of points and lines. Facts: rnndb state_3d.xml, Mesa etnaviv_state.c and
 * etnaviv_rasterizer.c. Clip z goes from [-w, w] to [0, w] unless
 * PA_FLAGS.ZCONVERT_BYPASS is set: then it stays, is clipped at -w, and the viewport
 * maps it to depth (Mesa etnaviv_context.c: the vendor's driver sets the bit on
 * GC3000 and later, with a viewport of scale and offset 0.5; without clipping at -w
 * it would lose half of what OpenGL shows). Chips older than GC1000, but for
 * GC880, convert nothing and clip at 0 (Mesa's vs_need_z_div).
 */
#include <math.h>

#include "model/vivante/viv3d.h"

/* GUESS(pa-guard-band): what reaches beyond the guard band is clipped to it, so that edge functions fit 64 bits. */
#define GUARD		32768.0
#define MAX_CLIPPED	10

struct clip_vertex {
	double x, y, z, w;
	double weight[3];
};

/* What the primitives of this draw turn into by a guess, where it can be seen. */
void v3d_pa_guesses(struct viv3d *p)
{
	const struct vivante *v = p->v;
	uint32_t type = p->fetch.draw.type, op = viv_state(v, VIVS_PE_STENCIL_OP);
	bool thin = type == PRIMITIVE_TYPE_POINTS || type == PRIMITIVE_TYPE_LINES || type == PRIMITIVE_TYPE_LINE_STRIP ||
		    type == PRIMITIVE_TYPE_LINE_LOOP;
	bool two_sided = VIV_GET(VIVS_PE_STENCIL_CONFIG_MODE, viv_state(v, VIVS_PE_STENCIL_CONFIG)) ==
			 VIVS_PE_STENCIL_CONFIG_MODE_TWO_SIDED;

	if (thin && two_sided && ((op ^ op >> 16) & 0x7777))
		viv_guess(p->v, "pa", "points and lines count as clockwise for a stencil of two sides (PE.STENCIL_OP %08x)", op);
	if (thin && p->depth_bias != 0)
		viv_guess(p->v, "se", "points and lines have no depth offset, SE.DEPTH_BIAS is %g", (double)p->depth_bias);
	/* GUESS(pa-zconvert-viewport): ZCONVERT_BYPASS clips at -w with other viewports, too. */
	if (p->pa.zclip_w && !p->pa.zconvert && (p->pa.scale[2] != 0.5f || p->pa.offset[2] != 0.5f))
		viv_guess(p->v, "pa", "ZCONVERT_BYPASS clips at -w, the viewport's z being %g %g", (double)p->pa.scale[2],
			  (double)p->pa.offset[2]);
	if (!(viv_state(v, VIVS_PA_SYSTEM_MODE) & VIVS_PA_SYSTEM_MODE_HALF_PIXEL_CENTER))
		viv_guess(p->v, "pa", "without HALF_PIXEL_CENTER everything moves by half a pixel");
}

void v3d_pa_start(struct viv3d *p)
{
	struct vivante *v = p->v;
	struct v3d_pa *pa = &p->pa;
	uint32_t config = viv_state(v, VIVS_PA_CONFIG);

	for (unsigned int i = 0; i < 3; i++) {
		pa->scale[i] = viv_state_float(v, VIVS_PA_VIEWPORT_SCALE_X + 4 * i);
		pa->offset[i] = viv_state_float(v, VIVS_PA_VIEWPORT_OFFSET_X + 4 * i);
	}
	pa->zclip_w = v->chip->model >= 0x1000 || v->chip->model == 0x880;
	pa->zconvert = pa->zclip_w && !(viv_state(v, VIVS_PA_FLAGS) & VIVS_PA_FLAGS_ZCONVERT_BYPASS);
	/* GUESS(pa-w-clip): PA_W_CLIP_LIMIT is the smallest w; Mesa writes 0x34000001, that is 1.2e-7. */
	pa->least_w = unit_answer(&v->u, PROFILE_PA_W_CLIP) ? 0x1p-23f : fmaxf(viv_state_float(v, VIVS_PA_W_CLIP_LIMIT), 0x1p-23f);
	pa->near_at_w = pa->zclip_w && !pa->zconvert &&
			((pa->scale[2] == 0.5f && pa->offset[2] == 0.5f) || !unit_answer(&v->u, PROFILE_PA_ZCONVERT));
	pa->cull = VIV_GET(VIVS_PA_CONFIG_CULL_FACE_MODE, config);
	pa->fill = VIV_GET(VIVS_PA_CONFIG_FILL_MODE, config);
	/* The states hold halves; a size that VS writes is whole (Mesa scales the one and not the other). */
	pa->point_size = 2 * viv_state_float(v, VIVS_PA_POINT_SIZE);
	pa->line_width = 2 * viv_state_float(v, VIVS_PA_LINE_WIDTH);
	/* GUESS(pa-wide-line): without WIDE_LINE lines are one pixel wide. */
	if (!(config & VIVS_PA_CONFIG_WIDE_LINE) || !(pa->line_width >= 1))
		pa->line_width = 1;
	pa->size_per_vertex = config & VIVS_PA_CONFIG_POINT_SIZE_ENABLE;
	pa->sprites = config & VIVS_PA_CONFIG_POINT_SPRITE_ENABLE;
	pa->last_pixel = viv_state(v, VIVS_SE_CONFIG) & VIVS_SE_CONFIG_LAST_PIXEL_ENABLE;
	if (pa->cull == 3 || pa->fill == 3)
		viv_report(v, "pa", "state 0x00a34 = 0x%08x: unknown cull or fill mode", config);
}

static struct clip_vertex clip_space(const struct viv3d *p, unsigned int i)
{
	const float *pos = p->prim.vertex[i]->pos;
	struct clip_vertex c = { pos[0], pos[1], pos[2], pos[3], { 0 } };

	if (p->pa.zconvert)
		c.z = (c.z + c.w) / 2;
	c.weight[i] = 1;
	return c;
}

/* Signed distance from plane i: w limit, near, far, and the guard band's four sides; >= 0 is inside. */
static inline __attribute__((always_inline)) double distance(const struct viv3d *p, const struct clip_vertex *c, unsigned int i)
{
	const struct v3d_pa *pa = &p->pa;

	switch (i) {
	case 0: return c->w - pa->least_w;
	case 1: return pa->near_at_w ? c->z + c->w : c->z;
	case 2: return c->w - c->z;
	case 3: return pa->scale[0] * c->x + (pa->offset[0] + GUARD) * c->w;
	case 4: return (GUARD - pa->offset[0]) * c->w - pa->scale[0] * c->x;
	case 5: return pa->scale[1] * c->y + (pa->offset[1] + GUARD) * c->w;
	default: return (GUARD - pa->offset[1]) * c->w - pa->scale[1] * c->y;
	}
}

static bool inside(const struct viv3d *p, const struct clip_vertex *c)
{
	return distance(p, c, 0) >= 0 && distance(p, c, 1) >= 0 && distance(p, c, 2) >= 0 && distance(p, c, 3) >= 0 &&
	       distance(p, c, 4) >= 0 && distance(p, c, 5) >= 0 && distance(p, c, 6) >= 0;
}

static struct clip_vertex between(const struct clip_vertex *a, const struct clip_vertex *b, double t)
{
	struct clip_vertex c;

	c.x = a->x + t * (b->x - a->x);
	c.y = a->y + t * (b->y - a->y);
	c.z = a->z + t * (b->z - a->z);
	c.w = a->w + t * (b->w - a->w);
	for (unsigned int i = 0; i < 3; i++)
		c.weight[i] = a->weight[i] + t * (b->weight[i] - a->weight[i]);
	return c;
}

/* Sutherland and Hodgman; a line is a polygon of two corners that is not closed. */
static unsigned int clip(struct viv3d *p, struct clip_vertex *v, unsigned int n, bool closed)
{
	struct clip_vertex out[MAX_CLIPPED];

	for (unsigned int plane = 0; plane < 7 && n; plane++) {
		unsigned int m = 0, inside = 0;

		for (unsigned int i = 0; i < n; i++)
			inside += distance(p, &v[i], plane) >= 0;
		if (inside == n)
			continue;
		for (unsigned int i = 0; i < n; i++) {
			const struct clip_vertex *a = &v[i], *b = &v[(i + 1) % n];
			double da = distance(p, a, plane), db = distance(p, b, plane);

			if (da >= 0 && m < MAX_CLIPPED)
				out[m++] = *a;
			if ((da >= 0) != (db >= 0) && (closed || i + 1 < n) && m < MAX_CLIPPED)
				out[m++] = between(a, b, da / (da - db));
		}
		memcpy(v, out, m * sizeof(*v));
		n = m;
	}
	return n;
}

static struct v3d_corner viewport(const struct viv3d *p, const struct clip_vertex *c)
{
	const struct v3d_pa *pa = &p->pa;
	struct v3d_corner out = { .iw = 1 / c->w };

	out.x = c->x * out.iw * pa->scale[0] + pa->offset[0];
	out.y = c->y * out.iw * pa->scale[1] + pa->offset[1];
	out.z = c->z * out.iw * pa->scale[2] + pa->offset[2];
	/*
	 * Pixel centres are at .5 with HALF_PIXEL_CENTER. GUESS(pa-pixel-centre): without it they are
	 * at whole numbers, so that everything moves by half a pixel.
	 */
	if (!(viv_state(p->v, VIVS_PA_SYSTEM_MODE) & VIVS_PA_SYSTEM_MODE_HALF_PIXEL_CENTER)) {
		out.x += 0.5;
		out.y += 0.5;
	}
	memcpy(out.weight, c->weight, sizeof(out.weight));
	return out;
}

void v3d_window_position(const struct viv3d *p, unsigned int vertex, float out[4])
{
	struct clip_vertex v = clip_space(p, vertex);
	struct v3d_corner c = viewport(p, &v);

	out[0] = (float)c.x;
	out[1] = (float)c.y;
	out[2] = (float)c.z;
	out[3] = (float)c.iw;
}

/* A flat quadrangle, corners in order around it. GUESS(pa-point-facing): points and lines count as clockwise. */
static void quadrangle(struct viv3d *p, const struct v3d_corner c[4])
{
	v3d_triangle(p, &c[0], &c[1], &c[2], false, true);
	v3d_triangle(p, &c[0], &c[2], &c[3], false, true);
}

/* GUESS(pa-point-clip): a point is a square, whole when its centre is within the view volume. */
static void point(struct viv3d *p, const struct clip_vertex *v, double size)
{
	struct v3d_corner centre, c[4];

	if (!inside(p, v))
		return;
	/*
	 * A GC2000 takes sizes as they are, by what fails on Mesa's board (etnaviv-gc2000-fails.txt): a point of 8208
	 * is drawn whole (dEQP-GLES2 rasterization.limits.points, which a GC3000 and GC7000s pass), one of 0.001 is not
	 * drawn (piglit vs-point_size-zero). GUESS(pa-point-clamp): older ones as that; newer ones also clamp to 1.
	 */
	if (p->v->chip->halti >= 2) {
		if (size < 1)
			viv_guess(p->v, "pa", "a point of less than a pixel is drawn as one of 1");
		size = size < 1 ? 1 : size > 8192 ? 8192 : size;
	}
	if (!(size > 0))
		return;
	size = size > 2 * GUARD ? 2 * GUARD : size;	/* as the guard band: it covers the target */
	centre = viewport(p, v);
	for (unsigned int i = 0; i < 4; i++) {
		bool right = i == 1 || i == 2, bottom = i >= 2;

		c[i] = centre;
		c[i].x += right ? size / 2 : -size / 2;
		c[i].y += bottom ? size / 2 : -size / 2;
		c[i].point[0] = right;
		c[i].point[1] = bottom;
	}
	quadrangle(p, c);
}

static void shift_along(struct v3d_corner *c, bool steep, int subpixels)
{
	*(steep ? &c->y : &c->x) += (double)subpixels / V3D_SUBPIXELS;
}

/*
 * A line covers, in each column (row) between its ends, pixels in a height
 * (width) of line_width: OpenGL ES 3.0, 3.5.2. GUESS(pa-line-ends): a pixel centre at its
 * start belongs to it, one at its end with LAST_PIXEL_ENABLE alone.
 */
static void line(struct viv3d *p, const struct clip_vertex *v0, const struct clip_vertex *v1)
{
	struct clip_vertex v[MAX_CLIPPED] = { *v0, *v1 };
	struct v3d_corner a, b, c[4];
	double dx, dy, half = fmin(p->pa.line_width / 2, GUARD);	/* wider, it covers the target as well */
	bool steep;

	if (clip(p, v, 2, false) != 2)
		return;
	a = viewport(p, &v[0]);
	b = viewport(p, &v[1]);
	dx = b.x - a.x;
	dy = b.y - a.y;
	steep = fabs(dy) > fabs(dx);
	if (dx == 0 && dy == 0)
		return;
	/* The fill rule takes what is left and on top; lines that go there start and end a bit later. */
	if ((steep ? dy : dx) < 0) {
		shift_along(&a, steep, 1);
		shift_along(&b, steep, p->pa.last_pixel ? -1 : 1);
	} else if (p->pa.last_pixel) {
		shift_along(&b, steep, 1);
	}
	for (unsigned int i = 0; i < 4; i++) {
		double side = i == 0 || i == 3 ? -half : half;

		c[i] = i < 2 ? a : b;
		if (steep)
			c[i].x += side;
		else
			c[i].y += side;
	}
	quadrangle(p, c);
}

/* Twice the area of what is seen, y down: > 0 is clockwise to the eye. */
static double area(const struct v3d_corner *c, unsigned int n)
{
	double sum = 0;

	for (unsigned int i = 0; i < n; i++) {
		const struct v3d_corner *a = &c[i], *b = &c[(i + 1) % n];

		sum += a->x * b->y - b->x * a->y;
	}
	return sum;
}

static void polygon(struct viv3d *p)
{
	struct clip_vertex v[MAX_CLIPPED] = { clip_space(p, 0), clip_space(p, 1), clip_space(p, 2) };
	struct clip_vertex whole[3] = { v[0], v[1], v[2] };
	struct v3d_corner c[MAX_CLIPPED];
	unsigned int n = 3, i;
	double a;
	bool cw;

	if (!inside(p, &v[0]) || !inside(p, &v[1]) || !inside(p, &v[2]))
		n = clip(p, v, 3, true);
	if (n < 3) {
		p->v->perf.pa_trivial_rejected++;
		if (v3d_watch(p))
			v3d_watch_clipped(p);
		return;
	}
	for (i = 0; i < n; i++)
		c[i] = viewport(p, &v[i]);
	a = area(c, n);
	cw = a > 0;
	if (p->pa.cull == (cw ? VIVS_PA_CONFIG_CULL_FACE_MODE_CW : VIVS_PA_CONFIG_CULL_FACE_MODE_CCW)) {
		p->v->perf.pa_culled++;
		if (v3d_watch(p))
			v3d_watch_culled(p, c, n, cw);
		return;
	}
	p->v->perf.pa_output_prim++;
	switch (p->pa.fill) {
	case VIVS_PA_CONFIG_FILL_MODE_POINT:
		for (i = 0; i < 3; i++)
			point(p, &whole[i], p->pa.point_size);
		break;
	case VIVS_PA_CONFIG_FILL_MODE_WIREFRAME:
		for (i = 0; i < 3; i++)
			line(p, &whole[i], &whole[(i + 1) % 3]);
		break;
	default:
		for (i = 2; i < n; i++)
			v3d_triangle(p, &c[0], &c[i - 1], &c[i], true, cw);
	}
}

void v3d_primitive(struct viv3d *p, const struct v3d_prim *prim)
{
	struct v3d_primitive *now = &p->prim;
	struct clip_vertex v[2];

	now->num_tris = 0;
	now->vertices = prim->vertices;
	for (unsigned int i = 0; i < 3; i++)
		now->vertex[i] = &p->fetch.vertex[prim->v[i]];
	now->provoking = &p->fetch.vertex[prim->provoking];
	p->v->perf.pa_input_prim++;
	for (unsigned int i = 0; i < prim->vertices; i++)
		for (unsigned int j = 0; j < 4; j++)
			if (!isfinite(now->vertex[i]->pos[j]))
				return;
	if (prim->vertices == 3) {
		polygon(p);
		return;
	}
	v[0] = clip_space(p, 0);
	p->v->perf.pa_output_prim++;
	if (prim->vertices == 2) {
		v[1] = clip_space(p, 1);
		line(p, &v[0], &v[1]);
	} else {
		point(p, &v[0], p->pa.size_per_vertex ? now->vertex[0]->size : p->pa.point_size);
	}
	if (!now->num_tris && v3d_watch(p))
		v3d_watch_clipped(p);
}
