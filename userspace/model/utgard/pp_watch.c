/* SPDX-License-Identifier: MIT */
/* What happens to the pixel that somebody watches (model/watch.h). It only looks on. */
#include "model/core.h"
#include "model/utgard/pp.h"
#include "model/watch.h"

static struct model_watch *watch_of(const struct pp *pp)
{
	return pp->u.model->watch;
}

static unsigned int lane_of(const struct model_watch *w)
{
	return fragment_lane(w->x, w->y);
}

bool pp_watch_in_block(const struct pp *pp, const struct pp_block *b)
{
	const struct model_watch *w = watch_of(pp);

	return w->x >= b->x && w->x < b->x + PP_BLOCK_W && w->y >= b->y && w->y < b->y + PP_BLOCK_H;
}

static void begin(const struct pp *pp, struct model_fragment *f)
{
	static const char *const names[] = {
		[PLB_OP_TRIANGLE] = "triangle", [PLB_OP_LINE] = "line", [PLB_OP_POINT] = "point", [PLB_OP_RECT] = "rectangle",
	};
	const uint8_t rules[] = {
		RSW_ALPHA_BLEND, RSW_DEPTH_TEST, pp->prim.tri.front ? RSW_STENCIL_FRONT : RSW_STENCIL_BACK, RSW_STENCIL_TEST, RSW_MULTI_SAMPLE,
	};
	const struct pp_prim *p = &pp->prim;

	*f = (struct model_fragment){
		.unit = pp->u.desc->name, .state = pp->draw->va, .primitive = names[p->op], .vertices = p->vertices,
		.front = p->tri.front, .samples = pp->tile->samples, .has_zs = true, .has_color = true,
	};
	memcpy(f->index, p->index, sizeof(f->index));
	memcpy(f->position, p->pos, sizeof(f->position));
	for (f->num_rules = 0; f->num_rules < sizeof(rules); f->num_rules++)
		f->rule[f->num_rules] = (struct model_rule){ rules[f->num_rules], pp->draw->rsw[rules[f->num_rules]] };
}

void pp_watch_triangle(struct pp *pp)
{
	const struct model_watch *w = watch_of(pp);
	const int32_t *s = pp->scissor;
	struct model_fragment f;
	double far;

	if (w->x < 0 || w->y < 0 || (uint32_t)w->x / PP_TILE_SIZE != pp->tile_x || (uint32_t)w->y / PP_TILE_SIZE != pp->tile_y)
		return;
	far = fragment_distance(&pp->prim.tri.edges, w->x, w->y);
	if (far <= 0 && w->x >= s[0] && w->y >= s[1] && w->x <= s[2] && w->y <= s[3])
		return;		/* told block by block; near an edge some samples may still be inside */
	begin(pp, &f);
	f.verdict = far <= 0 ? MODEL_SCISSORED : MODEL_MISSED;
	f.distance = far;
	w->fragment(w->ctx, &f);
}

static uint8_t samples_of(const struct pp *pp, const struct pp_block *b, unsigned int lane)
{
	uint8_t m = 0;

	for (unsigned int s = 0; s < pp->tile->samples; s++)
		m |= (b->cover[s] >> lane & 1) << s;
	return m;
}

static uint32_t color_of(const struct pp *pp, const struct pp_block *b, unsigned int lane)
{
	uint32_t v = 0;

	if (!pp_fp16(pp))
		return pp->tile->color[0][b->index][lane];
	for (unsigned int c = 0; c < 4; c++) {
		float f = pp->tile->fcolor[b->index][c][lane];

		v |= (uint32_t)((f > 0 ? f < 1 ? f : 1 : 0) * 255 + 0.5f) << 8 * c;
	}
	return v;
}

bool pp_watch_begin(struct pp *pp, const struct pp_block *b, struct model_fragment *f)
{
	unsigned int lane = lane_of(watch_of(pp));

	begin(pp, f);
	f->covered = samples_of(pp, b, lane);
	f->zs_before = pp->tile->zs[0][b->index][lane];
	f->before = color_of(pp, b, lane);
	pp->watched = f->covered ? f : NULL;
	return f->covered;
}

/* The stencil function's answer, of values from before the test. */
static bool stencil_passes(const struct pp *pp, const struct model_fragment *f)
{
	const struct pp_stencil *s = &pp->draw->stencil[!f->front];
	unsigned int ref = s->ref & s->mask, old = f->zs_before >> 24 & s->mask;

	if (!pp->draw->stencil_test || s->func == RSW_ALWAYS)
		return true;
	return (s->func & RSW_LESS && ref < old) || (s->func & RSW_EQUAL && ref == old) || (s->func & RSW_GREATER && ref > old);
}

void pp_watch_step(struct pp *pp, const struct pp_block *b, enum model_verdict lost)
{
	struct model_fragment *f = pp->watched;
	unsigned int lane = lane_of(watch_of(pp));

	f->z = b->z[0][lane];
	if (f->verdict != MODEL_DRAWN || samples_of(pp, b, lane))
		return;
	f->verdict = lost == MODEL_DEPTH_FAILED && !stencil_passes(pp, f) ? MODEL_STENCIL_FAILED : lost;
}

void pp_watch_shaded(struct pp *pp, const struct pp_block *b, const v8f color[4])
{
	struct model_fragment *f = pp->watched;
	const struct pp_prim *p = &pp->prim;
	const struct pp_tri *t = &p->tri;
	const struct model_watch *w = watch_of(pp);
	unsigned int lane = lane_of(w), slot, c;

	/* Lanes that were lost before run along with their quads. */
	f->shaded = f->verdict == MODEL_DRAWN;
	if (!f->shaded)
		return;
	f->varyings_read = p->plane_valid & ((1u << RSW_MAX_VARYINGS) - 1);
	for (slot = 0; slot < RSW_MAX_VARYINGS; slot++) {
		for (c = 0; c < 4 && f->varyings_read >> slot & 1; c++) {
			const v4d_packed *plane = p->plane[slot];

			f->varying[slot][c] = (plane[0][c] + plane[1][c] * (w->x + 0.5 - t->ref_x) + plane[2][c] * (w->y + 0.5 - t->ref_y)) *
					      b->w[lane];
		}
	}
	for (c = 0; c < 4; c++)
		f->color[c] = color[c][lane];
}

void pp_watch_end(struct pp *pp, const struct pp_block *b)
{
	struct model_fragment *f = pp->watched;
	const struct model_watch *w = watch_of(pp);
	unsigned int lane = lane_of(w);

	pp->watched = NULL;
	if (f->verdict == MODEL_DRAWN && !pp->draw->color_mask)
		f->verdict = MODEL_MASKED;
	f->zs_after = pp->tile->zs[0][b->index][lane];
	f->after = color_of(pp, b, lane);
	w->fragment(w->ctx, f);
}

static void registers_of(const struct ppsim_state *s, unsigned int lane, uint32_t out[16][4])
{
	for (unsigned int r = 0; r < 16; r++)
		for (unsigned int c = 0; c < 4; c++)
			memcpy(&out[r][c], &(float){ s->registers[r][c][lane] }, 4);
}

/*
 * The words of the instruction at an offset from the shader's start, the length of which its first word says. The core
 * does not read them: they are not counted.
 */
static uint32_t words_at(struct pp *pp, int at, uint32_t words[32])
{
	uint32_t n;

	if (!unit_read(&pp->u, pp->draw->shader + 4 * at, words, 4))
		return 0;
	n = words[0] & 0x1f;
	return n && unit_read(&pp->u, pp->draw->shader + 4 * at, words, 4 * n) ? n : 1;
}

enum sim_status pp_watch_run(struct pp *pp, struct ppsim_state *s, unsigned int limit)
{
	struct model_watch *w = watch_of(pp);
	unsigned int lane = lane_of(w);
	uint32_t before[16][4], now[16][4], words[32];
	enum sim_status status = SIM_LIMIT;
	struct model_step step;

	while (limit-- && status == SIM_LIMIT) {
		unsigned int lanes;
		int at = ppsim_next(s, &lanes);

		registers_of(s, lane, before);
		model_step_begin(w, &step, "utgard-pp", at);
		status = ppsim_run(s, 1);
		registers_of(s, lane, now);
		for (unsigned int r = 0; r < 16; r++)
			model_step_register(&step, r, before[r], now[r]);
		if (lanes >> lane & 1)
			model_step_end(w, words, words_at(pp, at, words));
	}
	w->under_way = NULL;
	return status;
}

void pp_watch_sample(struct pp *pp, const struct ppsim_sample *s, const v8f rgba[4])
{
	struct model_watch *w = watch_of(pp);
	unsigned int lane = lane_of(w);

	if (s->mask >> lane & 1)
		model_step_texture(w, s->sampler, lane, s->coord, rgba);
}
