// SPDX-License-Identifier: MIT
/* What happens to the pixel that somebody watches (model/watch.h). It only looks on. */
#include <math.h>

#include "model/core.h"
#include "model/vivante/viv3d.h"

struct model_watch *v3d_watch(const struct viv3d *p)
{
	struct model_watch *w = p->v->u.model->watch;

	return w && w->fragment ? w : NULL;
}

bool v3d_watch_draw(struct viv3d *p)
{
	struct model_watch *w = p->v->u.model->watch;
	uint32_t draw = w ? w->draws++ : 0;
	enum model_permit permit = w && w->allow ? w->allow(w->ctx, 0, draw) : MODEL_PERMIT;
	struct v3d_pe *pe = &p->pe;

	if (permit == MODEL_FORCE) {
		/* COMPARE_FUNC: always. */
		pe->depth_func = 7;
		pe->stencil[0].func = 7;
		pe->stencil[1].func = 7;
		pe->alpha_test = false;
		pe->rt[0].mask = 0xf;
		pe->rt[0].target.on = pe->rt[0].target.bytes;
		p->pa.cull = VIVS_PA_CONFIG_CULL_FACE_MODE_OFF;
		if (w->width)
			memcpy(p->scissor, (int32_t[]){ 0, 0, (int32_t)w->width - 1, (int32_t)w->height - 1 }, sizeof(p->scissor));
	}
	return permit != MODEL_REFUSE;
}

static unsigned int lane_of(const struct viv3d *p)
{
	const struct model_watch *w = v3d_watch(p);

	return fragment_lane(w->x, w->y);
}

static void begin(const struct viv3d *p, struct model_fragment *f)
{
	static const uint32_t rules[] = {
		VIVS_PE_COLOR_FORMAT, VIVS_PE_DEPTH_CONFIG, VIVS_PE_ALPHA_OP, VIVS_PE_ALPHA_CONFIG,
		/* With stencil. */
		VIVS_PE_STENCIL_OP, VIVS_PE_STENCIL_CONFIG, VIVS_PE_STENCIL_CONFIG_EXT, VIVS_PE_STENCIL_CONFIG_EXT2,
	};
	static const char *const names[] = { "", "point", "line", "triangle" };
	const unsigned int num = VIV_GET(VIVS_PE_STENCIL_CONFIG_MODE, viv_state(p->v, VIVS_PE_STENCIL_CONFIG)) ? 8 : 4;
	const struct v3d_primitive *prim = &p->prim;

	*f = (struct model_fragment){
		.unit = "ra", .draw = v3d_watch(p)->draws - 1, .target = p->pe.rt[0].target.base[0], .primitive = names[prim->vertices],
		.vertices = prim->vertices, .front = p->raster.tris[p->raster.tri].cw, .samples = (uint8_t)p->samples.count,
	};
	for (unsigned int i = 0; i < prim->vertices; i++) {
		f->index[i] = prim->vertex[i]->index;
		v3d_window_position(p, i, f->position[i]);
	}
	for (f->num_rules = 0; f->num_rules < num; f->num_rules++)
		f->rule[f->num_rules] = (struct model_rule){ rules[f->num_rules], viv_state(p->v, rules[f->num_rules]) };
}

static void lost(struct viv3d *p, enum model_verdict verdict, bool cw, double distance)
{
	struct model_fragment f;

	begin(p, &f);
	f.verdict = verdict;
	f.front = cw;
	f.distance = (float)distance;
	v3d_watch(p)->fragment(v3d_watch(p)->ctx, &f);
}

void v3d_watch_clipped(struct viv3d *p)
{
	lost(p, MODEL_CLIPPED, true, INFINITY);
}

/* How far outside of the polygon's edges the pixel's centre is. */
void v3d_watch_culled(struct viv3d *p, const struct v3d_corner *c, unsigned int n, bool cw)
{
	const struct model_watch *w = v3d_watch(p);
	double far = 0;

	for (unsigned int i = 0; i < n; i++) {
		const struct v3d_corner *a = &c[i], *b = &c[(i + 1) % n];
		double ex = b->x - a->x, ey = b->y - a->y, length = hypot(ex, ey);
		double d = (ey * (w->x + 0.5 - a->x) - ex * (w->y + 0.5 - a->y)) * (cw ? 1 : -1);

		if (length > 0 && d / length > far)
			far = d / length;
	}
	lost(p, MODEL_CULLED, cw, far);
}

void v3d_watch_triangle(struct viv3d *p)
{
	const struct v3d_raster *r = &p->raster;
	const struct model_watch *w = v3d_watch(p);
	const struct v3d_tri *t = &r->tris[r->tri];
	const int32_t *s = p->scissor;
	double far = fragment_distance(&t->edges, w->x, w->y);

	if (far <= 0 && w->x >= s[0] && w->y >= s[1] && w->x <= s[2] && w->y <= s[3])
		return;		/* told with its block; near an edge some samples may still be inside */
	lost(p, far <= 0 ? MODEL_SCISSORED : MODEL_MISSED, t->cw, far <= 0 ? 0 : far);
}

bool v3d_watch_begin(struct viv3d *p, const struct v3d_block *b, struct model_fragment *f)
{
	const struct model_watch *w = v3d_watch(p);
	uint8_t covered = 0;

	if (b->x != (w->x & ~(V3D_BLOCK_W - 1)) || b->y != (w->y & ~(V3D_BLOCK_H - 1)))
		return false;
	for (unsigned int s = 0; s < p->samples.count; s++)
		covered |= (uint8_t)((b->cover[s] >> lane_of(p) & 1) << s);
	if (!covered)
		return false;
	begin(p, f);
	f->covered = covered;
	p->watched = f;
	return true;
}

void v3d_watch_end(struct viv3d *p)
{
	const struct model_watch *w = v3d_watch(p);
	struct model_fragment *f = p->watched;

	p->watched = NULL;
	/* After a fault the block comes again, or nothing does. */
	if (p->fault || p->v->hung)
		return;
	if (f->verdict == MODEL_DRAWN && !p->pe.rt[0].target.on)
		f->verdict = MODEL_MASKED;
	w->fragment(w->ctx, f);
}

/* The first sample of the pixel that is covered; NULL: none is. */
uint8_t *v3d_watched_pixel(const struct viv3d *p, const struct v3d_block *b, const struct v3d_pixels *pixels)
{
	unsigned int lane = lane_of(p);

	for (unsigned int s = 0; s < p->samples.count; s++)
		if (b->cover[s] >> lane & 1)
			return v3d_pixel(pixels, s, lane);
	return NULL;
}

void v3d_watch_zs(struct viv3d *p, const struct v3d_block *b, const uint8_t *pixel, bool after)
{
	struct model_fragment *f = p->watched;
	uint32_t word = 0;

	memcpy(&word, pixel, p->pe.depth16 ? 2 : 4);
	if (!p->pe.depth16)
		word = word >> 8 | word << 24;
	f->has_zs = true;
	f->z = b->z[__builtin_ctz(f->covered)][lane_of(p)];
	*(after ? &f->zs_after : &f->zs_before) = word;
}

void v3d_watch_step(struct viv3d *p, uint8_t lanes, enum model_verdict verdict)
{
	if (p->watched->verdict == MODEL_DRAWN && !(lanes >> lane_of(p) & 1))
		p->watched->verdict = verdict;
}

void v3d_watch_shaded(struct viv3d *p, const struct v3d_block *b, const v8f color[4])
{
	struct model_fragment *f = p->watched;
	unsigned int lane = lane_of(p);
	v8f varying[4];

	f->shaded = f->verdict == MODEL_DRAWN;
	for (unsigned int i = 0; f->shaded && i < p->num_varyings && i < MODEL_WATCH_VARYINGS; i++) {
		v3d_interpolate(p, b, i, varying);
		f->varyings_read |= 1u << i;
		for (unsigned int c = 0; c < 4; c++)
			f->varying[i][c] = varying[c][lane];
	}
	for (unsigned int c = 0; c < 4; c++)
		f->color[c] = color[c][lane];
}

/* --- The shader --------------------------------------------------------------------------- */

static void registers_of(const struct vivsim_state *s, unsigned int lane, uint32_t out[VIVSIM_TEMPS][4])
{
	for (unsigned int r = 0; r < VIVSIM_TEMPS; r++)
		for (unsigned int c = 0; c < 4; c++)
			out[r][c] = s->temps[r][c][lane];
}

/* Whether the lane executes the next instruction: those at the lowest address go first. */
static bool is_next(const struct vivsim_state *s, unsigned int lane)
{
	for (unsigned int l = 0; l < V3D_LANES; l++)
		if (s->live >> l & 1 && s->pc[l] < s->pc[lane])
			return false;
	return s->live >> lane & 1;
}

enum sim_status v3d_watch_run(struct viv3d *p, struct vivsim_state *s, const uint32_t *words, unsigned int limit)
{
	struct model_watch *w = v3d_watch(p);
	unsigned int lane = lane_of(p);
	uint32_t before[VIVSIM_TEMPS][4], now[VIVSIM_TEMPS][4];
	enum sim_status status = SIM_LIMIT;
	struct model_step step;

	while (limit-- && status == SIM_LIMIT) {
		uint32_t at = s->pc[lane];
		bool runs = is_next(s, lane) && at < s->count;

		registers_of(s, lane, before);
		model_step_begin(w, &step, "vivante", (int32_t)at);
		status = vivsim_run(s, 1);
		registers_of(s, lane, now);
		for (unsigned int r = 0; r < VIVSIM_TEMPS; r++)
			model_step_register(&step, r, before[r], now[r]);
		if (runs)
			model_step_end(w, words + 4 * at, 4);
	}
	w->under_way = NULL;
	return status;
}

void v3d_watch_sample(struct viv3d *p, const struct vivsim_sample *s, const v8f rgba[4])
{
	unsigned int lane = lane_of(p);

	if (s->mask >> lane & 1)
		model_step_texture(v3d_watch(p), s->sampler, lane, s->coord, rgba);
}
