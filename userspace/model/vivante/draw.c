// SPDX-License-Identifier: MIT
/*
 * A draw from its command to its last pixel, in slices: a chunk of vertices, or
 * some rows of a triangle. Also what the pipeline keeps of states that are more
 * than latched.
 */
#include <errno.h>
#include <stdlib.h>

#include "model/vivante/viv3d.h"

#define SLICE	6000	/* about that many fragments */
#define STRIPED	16384	/* pixels of which stripes are worth their while */

/* --- Varyings: what PA passes on and RA interpolates ---------------------------------- */

/* Bits [i * width, ...) of a row of words. */
static unsigned int packed(const uint32_t *words, unsigned int i, unsigned int width)
{
	unsigned int per = 32 / width;

	return words[i / per] >> (i % per) * width & ((1u << width) - 1);
}

static void varying_modes(struct viv3d *p, unsigned int i, unsigned int first)
{
	struct vivante *v = p->v;
	struct v3d_varying *var = &p->varying[i];
	const uint32_t use[4] = {
		viv_state(v, VIV_AT(VIVS_GL_VARYING_COMPONENT_USE, 0)), viv_state(v, VIV_AT(VIVS_GL_VARYING_COMPONENT_USE, 1)),
		viv_state(v, VIVS_GL_VARYING_COMPONENT_USE2), viv_state(v, VIVS_GL_VARYING_COMPONENT_USE3),
	};
	uint32_t specials = viv_state(v, VIVS_GL_HALTI5_SH_SPECIALS);
	unsigned int coord = VIV_GET(VIVS_GL_HALTI5_SH_SPECIALS_PS_PCOORD_IN, specials);
	bool shade_flat = VIV_GET(VIVS_PA_CONFIG_SHADE_MODEL, viv_state(v, VIVS_PA_CONFIG)) == VIVS_PA_CONFIG_SHADE_MODEL_FLAT;

	for (unsigned int c = 0; c < 4 && c < var->components; c++) {
		unsigned int n = first + c;

		var->use[c] = 0;
		if (v->chip->halti >= 5) {
			unsigned int mode = packed(&v->state[VIVS_GL_HALTI5_SHADER_ATTRIBUTES / 4], n, 4);

			var->mode[c] = mode & 3;
			if (var->mode[c] > V3D_FLAT) {
				viv_report(v, "ra", "varying component %u: unknown interpolation 3", n);
				var->mode[c] = V3D_SMOOTH;
			}
			if (coord != 0x7f && n - coord < 2)
				var->use[c] = n == coord ? VARYING_COMPONENT_USE_POINTCOORD_X : VARYING_COMPONENT_USE_POINTCOORD_Y;
			continue;
		}
		if (n < 64)
			var->use[c] = packed(use, n, 2);
		/* Flat shading is of colours: the others bypass it. */
		var->mode[c] = shade_flat && i < VIVS_PA_SHADER_ATTRIBUTES__LEN &&
			       !(viv_state(v, VIV_AT(VIVS_PA_SHADER_ATTRIBUTES, i)) & VIVS_PA_SHADER_ATTRIBUTES_BYPASS_FLAT) ?
			       V3D_FLAT : V3D_SMOOTH;
	}
}

static bool varyings_start(struct viv3d *p)
{
	struct vivante *v = p->v;
	unsigned int n = VIV_GET(VIVS_PA_ATTRIBUTE_ELEMENT_COUNT_COUNT, viv_state(v, VIVS_PA_ATTRIBUTE_ELEMENT_COUNT));
	uint32_t counts[4] = { viv_state(v, VIVS_GL_VARYING_NUM_COMPONENTS), viv_state(v, VIVS_GL_VARYING_NUM_COMPONENTS2) };
	unsigned int first = 0;

	if (v->chip->halti >= 5)
		for (unsigned int i = 0; i < 4; i++)
			counts[i] = viv_state(v, VIV_AT(VIVS_PS_VARYING_NUM_COMPONENTS, i));
	if (n > V3D_VARYINGS) {
		viv_hang(v, "pa", VIVS_HI_IDLE_STATE_PA, "state 0x00a30: %u varyings", n);
		return false;
	}
	p->num_varyings = n;
	for (unsigned int i = 0; i < n; i++) {
		p->varying[i].components = (uint8_t)packed(counts, i, 4);
		if (p->varying[i].components > 4) {
			viv_report(v, "pa", "varying %u has %u components", i, p->varying[i].components);
			p->varying[i].components = 4;
		}
		varying_modes(p, i, first);
		first += p->varying[i].components;
	}
	return true;
}

/* --- Entries ------------------------------------------------------------------------------ */

int viv3d_init(struct vivante *v)
{
	struct viv3d *p = aligned_alloc(64, (sizeof(*p) + 63) & ~(size_t)63);

	if (!p)
		return -ENOMEM;
	memset(p, 0, sizeof(*p));
	p->v = v;
	p->slice = SLICE;
	p->stripe_pixels = STRIPED;
	v->p3d = p;
	p->tris = calloc(V3D_TRIS, sizeof(*p->tris));
	if (!p->tris || v3d_shader_init(p)) {
		free(p->tris);
		free(p);
		v->p3d = NULL;
		return -ENOMEM;
	}
	return 0;
}

void viv3d_destroy(struct vivante *v)
{
	if (!v->p3d)
		return;
	v3d_shader_destroy(v->p3d);
	v3d_walk_free(v->p3d->walk);
	v3d_stripes_free(v->p3d->stripes);
	free(v->p3d->tris);
	free(v->p3d);
	v->p3d = NULL;
}

void viv3d_reset(struct vivante *v)
{
	struct viv3d *p = v->p3d;

	p->active = false;
	p->elements_loaded = 0;
	p->query_samples = 0;
	memset(p->uniforms, 0, sizeof(p->uniforms));
	memset(p->inst, 0, sizeof(p->inst));
}

/*
 * The number of vertex elements is that of the last set: a write of the first one starts it (Mesa
 * etnaviv_emit.c), and what follows on is added (the cube of the GC600 writes each by itself).
 */
static void elements_loaded(struct viv3d *p, uint32_t address, uint32_t count)
{
	uint32_t base = p->v->chip->halti >= 5 ? VIVS_NFE_GENERIC_ATTRIB_CONFIG0 : VIVS_FE_VERTEX_ELEMENT_CONFIG;
	uint32_t room = p->v->chip->halti >= 5 ? VIVS_NFE_GENERIC_ATTRIB_CONFIG0__LEN : VIVS_FE_VERTEX_ELEMENT_CONFIG__LEN;
	uint32_t end = address + count * 4;

	if (end <= base || (address > base && address != base + p->elements_loaded * 4))
		return;
	p->elements_loaded = (end - base) / 4 > room ? room : (end - base) / 4;
}

void viv3d_loaded(struct vivante *v, uint32_t address, uint32_t count)
{
	elements_loaded(v->p3d, address, count);
	v3d_shader_loaded(v->p3d, address, count);
	v3d_query_loaded(v->p3d, address, count);
}

void viv3d_flush(struct vivante *v, uint32_t bits)
{
	/* Programs are read anew by each draw, vertices by each chunk: there is nothing to drop. */
	(void)v;
	(void)bits;
}

void viv3d_draw(struct vivante *v, const struct viv_draw *draw)
{
	struct viv3d *p = v->p3d;

	p->active = false;
	p->fault = false;
	p->raster = (struct v3d_raster){ .tris = p->tris };
	p->striped = false;
	if (!v3d_fetch_start(p, draw) || !varyings_start(p) || !v3d_shader_start(p))
		return;
	v3d_samples_start(p);
	v3d_pa_start(p);
	if (!v3d_se_start(p))
		return;
	v3d_pa_guesses(p);
	v3d_pe_start(p);
	v3d_batch_start(p);
	v3d_texture_start(p);
	v3d_stripes_new_draw(p);
	p->active = v3d_watch_draw(p);
}

/* For timelines: a part of the 3D pipe works from its first vertex, primitive or pixel of a slice to the slice's end. */
void v3d_tell_change(struct viv3d *p, enum v3d_part part, bool busy)
{
	static const char *const names[] = {
		[V3D_PART_VS] = "vs", [V3D_PART_PA] = "pa", [V3D_PART_RA] = "ra", [V3D_PART_PS] = "ps", [V3D_PART_TX] = "tx",
		[V3D_PART_PE] = "pe",
	};

	unit_tell_busy(p->v->pipe, part, names[part], busy);
}

static void tell_idle(struct viv3d *p)
{
	for (enum v3d_part part = V3D_PART_VS; part <= V3D_PART_PE; part++)
		v3d_tell(p, part, false);
}

/* A primitive; or several, where RA works for nobody who looks on, of a kind of which PA has nothing to report. */
static void next_primitives(struct viv3d *p)
{
	struct v3d_fetch *f = &p->fetch;
	bool several = p->batch && !v3d_watch(p) && p->pa.fill == VIVS_PA_CONFIG_FILL_MODE_SOLID;

	v3d_tell(p, V3D_PART_PA, true);
	p->raster.num_tris = p->raster.tri = 0;
	p->raster.started = false;
	do {
		v3d_primitive(p, &f->prim[f->next_prim++]);
		p->budget -= 4;
	} while (several && f->next_prim < f->num_prims && f->prim[f->next_prim].vertices == 3 &&
		 p->raster.num_tris + V3D_MAX_TRIS <= V3D_TRIS);
}

bool viv3d_step(struct vivante *v)
{
	struct viv3d *p = v->p3d;

	if (!p->active || v->hung)
		return false;
	p->budget = p->slice;
	p->fault = false;
	while (p->budget > 0) {
		p->striped = p->striped || v3d_stripes_start(p);
		if (p->striped ? v3d_stripes_step(p) : v3d_raster_step(p))
			break;
		v3d_tell(p, V3D_PART_VS, false);
		if (p->fetch.next_prim < p->fetch.num_prims) {
			next_primitives(p);
			continue;
		}
		v3d_tell(p, V3D_PART_VS, true);
		if (!v3d_fetch_chunk(p)) {
			p->active = p->fault;
			break;
		}
	}
	tell_idle(p);
	return p->active && !v->hung;
}
