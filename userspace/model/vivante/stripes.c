// SPDX-License-Identifier: MIT
/*
 * RA's triangles stripe by stripe of the target, several stripes at once on the model's threads. A stripe's rows are drawn as
 * if they were all that there is, by a copy of the pipeline that takes only the way of blocks that go together, which neither
 * faults nor hangs. Where more is needed a stripe stops, and the pipeline itself takes it on in its turn. Slices end, and
 * reports come, as if there were one thread.
 *
 * Only where every page that the draw can reach is there, and what it writes is each page once: then nothing that a stripe
 * writes is another one's.
 */
#include <stdlib.h>

#include "isa/vivante.h"
#include "model/beside.h"
#include "model/pool.h"
#include "model/vivante/viv3d.h"

#define ROWS	32	/* of pixels: whole bytes of tile status, see claim_target() */
#define MOST	256	/* stripes: 8192 rows */
#define SLICES	4	/* what one has for all stripes together, in those of the pipeline */
#define PAGES	(1u << 20)

struct stripe {
	struct v3d_raster raster;
	struct beside_log log;
	int32_t top, bottom;
	bool more, stuck;
};

/* A thread's. */
struct pipeline {
	struct viv3d p;
	struct vivante v;
	uint32_t draw;			/* that it is a copy for */
};

struct v3d_stripes {
	struct pool *pool;
	unsigned int threads;
	struct pipeline *pipelines;
	uint32_t draw;			/* counts them */
	enum { UNTRIED, READY, NEVER } may;	/* this one */
	uint32_t zaps;			/* of TLBs, when that was found */
	unsigned int count, num_todo;
	struct stripe stripe[MOST];
	uint8_t todo[MOST];		/* stripes of the slice at hand */
	int budget;			/* of each */
	uint8_t *writer;		/* by page of memory: claim for which something writes it */
	uint8_t claim;
};

/* --- May it be done? ------------------------------------------------------------------------- */

/* Every page is there; none is one that something writes; and, written itself, none comes twice. */
static bool claim(struct v3d_stripes *s, struct unit *port, uint32_t va, uint64_t bytes, bool write)
{
	if (va + bytes > 1ull << 32)
		return false;
	for (uint64_t at = va & ~(MODEL_PAGE - 1); at < va + bytes; at += MODEL_PAGE) {
		uint8_t *writer;

		if (!unit_page_quietly(port, (uint32_t)at) || (write && !unit_page_write(port, (uint32_t)at)))
			return false;
		writer = &s->writer[port->mmu->tlb[at / MODEL_PAGE].pa / MODEL_PAGE];
		if (*writer == s->claim)
			return false;
		if (write)
			*writer = s->claim;
	}
	return true;
}

/*
 * 16 rows of tiles, or of those of a supertile, are whole runs of 512 bytes, which have whole bytes of tile status; of surfaces
 * that are split it takes 32.
 */
static bool claim_target(struct viv3d *p, const struct v3d_target *t, enum viv_port port)
{
	const bool split = t->layout & VIV_LAYOUT_MULTI, super = t->layout & VIV_LAYOUT_SUPER;
	uint32_t width = ((uint32_t)p->scissor[2] | (super ? 63 : 15)) + 1, rows = (uint32_t)p->scissor[3] + 1;
	uint32_t first, last, bit, from = t->base[0], to = from;
	struct v3d_stripes *s = p->stripes;

	if (!t->on)
		return true;
	rows = split ? (rows + 7) / 8 * 4 : rows;
	rows = super ? (rows + 63) & ~63u : (rows + 3) & ~3u;
	if (!v3d_has_runs(p, t) || (uint64_t)width * t->bytes > t->stride)
		return false;
	for (unsigned int i = 0; i <= split; i++) {
		if (!claim(s, p->v->port[port], t->base[i], (uint64_t)rows * t->stride, true))
			return false;
		from = t->base[i] < from ? t->base[i] : from;
		to = t->base[i] > to ? t->base[i] : to;
	}
	if (!t->ts.on)
		return true;
	if (t->ts.tile * 8 / t->ts.bits > 512 || t->stride * 16 % 512 || (from - t->ts.surface) % 512 || (to - from) % 512 ||
	    t->ts.surface % 64)
		return false;
	viv_ts_place(&t->ts, from - t->ts.surface, &first, &bit);
	viv_ts_place(&t->ts, to + rows * t->stride - 1 - t->ts.surface, &last, &bit);
	return first <= last && claim(s, p->v->port[VIV_PORT_RA], first, last - first + 1, true);
}

/* Those that PS samples; claims: or only, whether it is known where they are. */
static bool textures(struct viv3d *p, bool claims)
{
	struct v3d_extent extent[V3D_LEVELS];

	for (unsigned int i = p->ps.start; i < p->ps.count; i++) {
		const struct vivsim_op *o = &p->ps.ops[i];
		unsigned int n;

		if (vivsim_deed(o, 1) == VIVSIM_COMPUTES)
			continue;
		n = o->tex_amode || o->id == VIV_OP_texelfetch ? 0 : v3d_texture_extents(p, o->tex_id, extent);
		if (!n)
			return false;
		while (claims && n--)
			if (!claim(p->stripes, p->v->port[VIV_PORT_TX], extent[n].va, extent[n].bytes, false))
				return false;
	}
	return true;
}

/* Each run sets what PS reads and gives: nothing is left over from VS, of which copies have another run's. */
static bool is_whole(const struct viv3d *p)
{
	unsigned int reg = p->pe.rt[0].reg % VIVSIM_TEMPS;

	for (unsigned int i = p->ps.start; i < p->ps.count; i++)
		for (unsigned int k = 0; k < 3; k++)
			if (p->ps.ops[i].src[k].use && p->ps.ops[i].src[k].group == VIV_TEMP_HALF)
				return false;
	return reg < p->ps.temps || reg <= p->num_varyings;
}

static uint32_t zaps(const struct viv3d *p)
{
	uint32_t n = 0;

	for (unsigned int i = 0; i < VIV_NUM_PORTS; i++)
		n += p->v->port[i]->mmu->zaps;
	return n;
}

/* A sampler is known from its first use on: until then it is asked again. */
static bool may(struct viv3d *p)
{
	struct v3d_stripes *s = p->stripes;

	if (s->may == UNTRIED && textures(p, false)) {
		if (!++s->claim) {
			memset(s->writer, 0, PAGES);
			s->claim = 1;
		}
		s->zaps = zaps(p);
		s->may = is_whole(p) && claim_target(p, &p->pe.depth, VIV_PORT_PEZ) &&
			 claim_target(p, &p->pe.rt[0].target, VIV_PORT_PE) && textures(p, true) ? READY : NEVER;
	}
	return s->may == READY;
}

/* --- Life -------------------------------------------------------------------------------------- */

static bool create(struct viv3d *p)
{
	struct v3d_stripes *s = aligned_alloc(64, (sizeof(*s) + 63) & ~(size_t)63);
	size_t bytes;
	bool made;

	if (!s)
		return false;
	memset(s, 0, sizeof(*s));
	s->draw = 1;
	s->pool = beside_pool(p->v->u.model);
	s->threads = pool_threads(s->pool);
	bytes = s->threads * sizeof(*s->pipelines);
	s->pipelines = aligned_alloc(64, (bytes + 63) & ~(size_t)63);
	s->writer = calloc(1, PAGES);
	made = s->pipelines && s->writer;
	if (s->pipelines)
		memset(s->pipelines, 0, bytes);
	for (unsigned int i = 0; made && i < s->threads; i++)
		made = !v3d_shader_init(&s->pipelines[i].p);
	if (!made) {
		v3d_stripes_free(s);
		return false;
	}
	p->stripes = s;
	return true;
}

void v3d_stripes_free(struct v3d_stripes *s)
{
	if (!s)
		return;
	for (unsigned int i = 0; i < MOST; i++)
		free(s->stripe[i].log.list);
	for (unsigned int i = 0; s->pipelines && i < s->threads; i++)
		v3d_shader_destroy(&s->pipelines[i].p);
	free(s->pipelines);
	free(s->writer);
	free(s);
}

void v3d_stripes_new_draw(struct viv3d *p)
{
	if (!p->stripes)
		return;
	p->stripes->may = UNTRIED;
	p->stripes->draw++;
}

/* --- Stripes ----------------------------------------------------------------------------------- */

bool v3d_stripes_start(struct viv3d *p)
{
	const struct v3d_raster *r = &p->raster;
	int32_t b[4], top = INT32_MAX, bottom = 0;
	struct v3d_stripes *s;
	uint64_t pixels = 0;
	uint32_t fresh = 0;

	if (!p->batch || r->tri >= r->num_tris || !beside_allowed(p->v->u.model))
		return false;
	for (unsigned int i = r->tri; i < r->num_tris; i++) {
		if (!v3d_triangle_bounds(p, &r->tris[i], b))
			continue;
		fresh += i > r->tri || !r->started;
		pixels += (uint64_t)(b[2] - b[0] + 1) * (uint64_t)(b[3] - b[1] + 1);
		top = b[1] < top ? b[1] : top;
		bottom = b[3] > bottom ? b[3] : bottom;
	}
	if (pixels < p->stripe_pixels || bottom >= MOST * ROWS || (!p->stripes && !create(p)) || !may(p))
		return false;
	p->times_striped++;
	p->v->perf.ra_total_prim += fresh;
	unit_stats(&p->v->u)->triangles += fresh;
	s = p->stripes;
	s->count = 0;
	for (int32_t y = top & ~(ROWS - 1); y <= bottom; y += ROWS) {
		struct stripe *st = &s->stripe[s->count++];

		st->top = y;
		st->bottom = y + ROWS - 1;
		st->more = true;
		st->raster = *r;
		/* Of the triangle under way, the rows up to r->y are drawn, which lie in order. */
		if (r->started && r->y > st->bottom)
			st->raster.tri++;
		if (!r->started || r->y < st->top || r->y > st->bottom)
			st->raster.started = false;
		else if (st->raster.bounds[3] > st->bottom)
			st->raster.bounds[3] = st->bottom;
	}
	return true;
}

static void draw(struct viv3d *p, struct stripe *st, int budget)
{
	const int32_t top = p->scissor[1], bottom = p->scissor[3];

	p->scissor[1] = top > st->top ? top : st->top;
	p->scissor[3] = bottom < st->bottom ? bottom : st->bottom;
	p->raster = st->raster;
	p->budget = budget;
	st->more = v3d_raster_step(p);
	st->raster = p->raster;
	p->scissor[1] = top;
	p->scissor[3] = bottom;
}

static void work(void *ctx, unsigned int i, unsigned int thread)
{
	const struct viv3d *p = ctx;
	struct v3d_stripes *s = p->stripes;
	struct stripe *st = &s->stripe[s->todo[i]];
	struct pipeline *own = &s->pipelines[thread];

	if (own->draw != s->draw) {
		own->v = *p->v;
		memset(&own->v.perf, 0, sizeof(own->v.perf));
		memset(&own->v.u.stats, 0, sizeof(own->v.u.stats));
		if (!v3d_shader_copy(&own->p, p))
			return;
		own->draw = s->draw;
		own->p.v = &own->v;
		own->p.stripe = true;
		own->p.one_by_one = false;
		own->p.query_samples = own->p.samples_taken = 0;
	}
	own->p.stuck = own->p.fault = own->v.hung = false;
	own->v.u.log = &st->log;
	draw(&own->p, st, s->budget);
	own->v.u.log = NULL;
	st->stuck = own->p.stuck || own->p.fault || own->v.hung;
}

/* What a copy has counted. */
static void add(struct viv3d *p, struct pipeline *own)
{
	uint32_t *sum = (uint32_t *)&p->v->perf, *part = (uint32_t *)&own->v.perf;

	if (own->draw != p->stripes->draw)
		return;
	for (unsigned int i = 0; i < sizeof(p->v->perf) / sizeof(*sum); i++)
		sum[i] += part[i];
	unit_stats(&p->v->u)->fragments += own->v.u.stats.fragments;
	unit_stats(&p->v->u)->texels += own->v.u.stats.texels;
	p->query_samples += own->p.query_samples;
	p->samples_taken += own->p.samples_taken;
	memset(part, 0, sizeof(p->v->perf));
	own->v.u.stats.fragments = own->v.u.stats.texels = own->p.query_samples = own->p.samples_taken = 0;
}

bool v3d_stripes_step(struct viv3d *p)
{
	struct v3d_stripes *s = p->stripes;
	bool ready;

	s->num_todo = 0;
	for (unsigned int i = 0; i < s->count; i++) {
		s->stripe[i].stuck = true;	/* until its copy has drawn */
		if (s->stripe[i].more)
			s->todo[s->num_todo++] = (uint8_t)i;
	}
	s->budget = 1 + SLICES * p->slice / (s->num_todo ? (int)s->num_todo : 1);
	if (s->zaps != zaps(p))
		s->may = UNTRIED;
	ready = beside_allowed(p->v->u.model) && may(p);
	for (enum v3d_part part = V3D_PART_RA; ready && part <= V3D_PART_PE; part++)
		v3d_tell(p, part, true);
	if (ready)
		pool_run(s->pool, s->num_todo, work, p);
	for (unsigned int i = 0; i < s->threads; i++)
		add(p, &s->pipelines[i]);
	for (unsigned int i = 0; i < s->num_todo; i++)
		beside_tell(&s->stripe[s->todo[i]].log);
	for (unsigned int i = 0; i < s->num_todo; i++) {
		struct stripe *st = &s->stripe[s->todo[i]];

		if (st->more && st->stuck)
			draw(p, st, s->budget);
		if (p->fault || p->v->hung)
			return true;
	}
	for (unsigned int i = 0; i < s->num_todo; i++)
		if (s->stripe[s->todo[i]].more)
			return true;
	p->striped = false;
	p->raster = (struct v3d_raster){ .tris = p->tris };
	return true;
}
