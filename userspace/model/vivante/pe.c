// SPDX-License-Identifier: MIT
/*
 * PE: where targets are, depth and stencil. Facts: rnndb state_3d.xml, Mesa
 * etnaviv_state.c, etnaviv_zsa.c, etnaviv_emit.c. PE's front faces are those
 * that are clockwise to the eye [Mesa exchanges front and back for front_ccw].
 */
#include "model/vivante/viv3d.h"

/* --- State --------------------------------------------------------------------- */

/* GC880 has HALTI0's features, but one set of addresses (Mesa). */
static bool pipe_addresses(const struct vivante *v)
{
	return v->chip->halti >= 0 && v->chip->model != 0x880;
}

/* How PE's surfaces lie; linear: what SINGLE_BUFFER = 1 means for colour. */
static unsigned int layout_of(const struct vivante *v, bool super, bool color)
{
	unsigned int single = VIV_GET(VIVS_PE_LOGIC_OP_SINGLE_BUFFER, viv_state(v, VIVS_PE_LOGIC_OP));
	unsigned int layout = super ? VIV_LAYOUT_SUPER | VIV_LAYOUT_TILED : VIV_LAYOUT_TILED;

	if (color && single == 1)
		return VIV_LAYOUT_LINEAR;
	if (v->chip->pixel_pipes > 1 && !(v->chip->single_buffer && single))
		layout |= VIV_LAYOUT_MULTI;
	return layout;
}

static void depth_start(struct viv3d *p)
{
	struct vivante *v = p->v;
	struct v3d_pe *pe = &p->pe;
	uint32_t config = viv_state(v, VIVS_PE_DEPTH_CONFIG), early = viv_state(v, VIVS_RA_EARLY_DEPTH);
	bool pe_off = config & VIVS_PE_DEPTH_CONFIG_DISABLE_ZS;
	unsigned int mode = VIV_GET(VIVS_PE_DEPTH_CONFIG_DEPTH_MODE, config);
	float normalize = viv_state_float(v, VIVS_PE_DEPTH_NORMALIZE);
	struct v3d_target *t = &pe->depth;

	pe->depth16 = VIV_GET(VIVS_PE_DEPTH_CONFIG_DEPTH_FORMAT, config) == VIVS_PE_DEPTH_CONFIG_DEPTH_FORMAT_D16;
	pe->depth_func = VIV_GET(VIVS_PE_DEPTH_CONFIG_DEPTH_FUNC, config);
	pe->depth_on = mode != VIVS_PE_DEPTH_CONFIG_DEPTH_MODE_NONE;
	pe->depth_write = config & VIVS_PE_DEPTH_CONFIG_WRITE_ENABLE;
	pe->normalize = normalize > 0 && normalize < 0x1p30f ? normalize : pe->depth16 ? 0xffff : 0xffffff;
	/*
	 * With DISABLE_ZS the tests are RA's: it tests depth when told so, and on
	 * chips that can ("RAWriteDepth") also writes depth and does the stencil,
	 * unless WRITE_DISABLE is set.
	 */
	pe->early = pe_off;
	if (pe_off) {
		bool writes = viv_minor(v, 5, 1u << 15) && !(early & VIVS_RA_EARLY_DEPTH_WRITE_DISABLE);

		if (!(early & VIVS_RA_EARLY_DEPTH_TEST_ENABLE))
			pe->depth_func = 7;
		pe->depth_write &= writes;
		if (!writes)
			pe->stencil_on = false;
		pe->depth_on &= writes || (early & VIVS_RA_EARLY_DEPTH_TEST_ENABLE);
	}
	if (mode == VIVS_PE_DEPTH_CONFIG_DEPTH_MODE_W)
		viv_report(v, "pe", "state 0x01400 = 0x%08x: W buffering is not modelled", config);
	if (config & VIVS_PE_DEPTH_CONFIG_ONLY_DEPTH)
		viv_report(v, "pe", "state 0x01400 = 0x%08x: ONLY_DEPTH is not modelled", config);
	/* Mesa's for S8_UINT, of which a pixel is a byte (etnaviv_state.c, the newest). */
	if (pe->depth_on && VIV_GET(VIVS_PE_LOGIC_OP_UNK20, viv_state(v, VIVS_PE_LOGIC_OP)) == 1)
		viv_report(v, "pe", "PE_LOGIC_OP.UNK20 of 1: stencil without depth is not modelled");
	t->on = pe->depth_on;
	t->plane = VIV_PLANE_DEPTH;
	t->base[0] = viv_state(v, pipe_addresses(v) ? VIV_AT(VIVS_PE_PIPE_DEPTH_ADDR, 0) : VIVS_PE_DEPTH_ADDR);
	t->base[1] = viv_state(v, VIV_AT(VIVS_PE_PIPE_DEPTH_ADDR, 1));
	t->stride = viv_state(v, VIVS_PE_DEPTH_STRIDE);
	t->bytes = pe->depth16 ? 2 : 4;
	t->layout = layout_of(v, config & VIVS_PE_DEPTH_CONFIG_SUPER_TILED, false);
	t->mode = v->chip->super_tile_mode;
	t->ts = viv_plane_ts(v, t->plane);
}

static void stencil_start(struct viv3d *p)
{
	struct vivante *v = p->v;
	uint32_t op = viv_state(v, VIVS_PE_STENCIL_OP), config = viv_state(v, VIVS_PE_STENCIL_CONFIG);
	uint32_t ext = viv_state(v, VIVS_PE_STENCIL_CONFIG_EXT), ext2 = viv_state(v, VIVS_PE_STENCIL_CONFIG_EXT2);
	unsigned int mode = VIV_GET(VIVS_PE_STENCIL_CONFIG_MODE, config);

	p->pe.stencil_on = mode != VIVS_PE_STENCIL_CONFIG_MODE_DISABLED;
	if (mode == 3)
		viv_report(v, "pe", "state 0x0141c = 0x%08x: unknown stencil mode", config);
	p->pe.stencil[0] = (struct v3d_stencil){
		VIV_GET(VIVS_PE_STENCIL_OP_FUNC_FRONT, op), VIV_GET(VIVS_PE_STENCIL_OP_FAIL_FRONT, op),
		VIV_GET(VIVS_PE_STENCIL_OP_DEPTH_FAIL_FRONT, op), VIV_GET(VIVS_PE_STENCIL_OP_PASS_FRONT, op),
		VIV_GET(VIVS_PE_STENCIL_CONFIG_REF_FRONT, config), VIV_GET(VIVS_PE_STENCIL_CONFIG_MASK_FRONT, config),
		VIV_GET(VIVS_PE_STENCIL_CONFIG_WRITE_MASK_FRONT, config),
	};
	p->pe.stencil[1] = p->pe.stencil[0];
	if (mode != VIVS_PE_STENCIL_CONFIG_MODE_TWO_SIDED)
		return;
	p->pe.stencil[1] = (struct v3d_stencil){
		VIV_GET(VIVS_PE_STENCIL_OP_FUNC_BACK, op), VIV_GET(VIVS_PE_STENCIL_OP_FAIL_BACK, op),
		VIV_GET(VIVS_PE_STENCIL_OP_DEPTH_FAIL_BACK, op), VIV_GET(VIVS_PE_STENCIL_OP_PASS_BACK, op),
		VIV_GET(VIVS_PE_STENCIL_CONFIG_EXT_REF_BACK, ext), VIV_GET(VIVS_PE_STENCIL_CONFIG_EXT2_MASK_BACK, ext2),
		VIV_GET(VIVS_PE_STENCIL_CONFIG_EXT2_WRITE_MASK_BACK, ext2),
	};
	/*
	 * A GC2000 has no masks of the back: with the front's on both sides the model fails the very
	 * tests of dEQP's depth_stencil and interaction.basic_shader that the chip fails in Mesa's
	 * CI (etnaviv-gc2000-fails.txt); a GC7000 passes them. GUESS(pe-back-mask-halti0): others before HALTI1 likewise.
	 */
	if (v->chip->halti < 1) {
		p->pe.stencil[1].mask = p->pe.stencil[0].mask;
		p->pe.stencil[1].write = p->pe.stencil[0].write;
	}
}

static void blend_start(struct viv3d *p, struct v3d_blend *b, uint32_t config, uint32_t ext0, uint32_t ext1)
{
	uint32_t color = viv_state(p->v, VIVS_PE_ALPHA_BLEND_COLOR);
	bool separate = config & VIVS_PE_ALPHA_CONFIG_BLEND_SEPARATE_ALPHA;

	b->enable = config & VIVS_PE_ALPHA_CONFIG_BLEND_ENABLE_COLOR;
	b->src[0] = VIV_GET(VIVS_PE_ALPHA_CONFIG_SRC_FUNC_COLOR, config);
	b->dst[0] = VIV_GET(VIVS_PE_ALPHA_CONFIG_DST_FUNC_COLOR, config);
	b->eq[0] = VIV_GET(VIVS_PE_ALPHA_CONFIG_EQ_COLOR, config);
	b->src[1] = separate ? VIV_GET(VIVS_PE_ALPHA_CONFIG_SRC_FUNC_ALPHA, config) : b->src[0];
	b->dst[1] = separate ? VIV_GET(VIVS_PE_ALPHA_CONFIG_DST_FUNC_ALPHA, config) : b->dst[0];
	b->eq[1] = separate ? VIV_GET(VIVS_PE_ALPHA_CONFIG_EQ_ALPHA, config) : b->eq[0];
	/*
	 * The 8-bit colour, or on chips with half floats (chipMinorFeatures1 bit 11,
	 * HALF_FLOAT) the extended one: its low half of EXT0 is the first component
	 * [rnndb calls it B, Mesa fills it with red].
	 */
	if (viv_minor(p->v, 1, 1u << 11) && (ext0 || ext1)) {
		b->constant[0] = half_to_float((uint16_t)ext0);
		b->constant[1] = half_to_float((uint16_t)(ext0 >> 16));
		b->constant[2] = half_to_float((uint16_t)ext1);
		b->constant[3] = half_to_float((uint16_t)(ext1 >> 16));
		return;
	}
	b->constant[0] = (float)VIV_GET(VIVS_PE_ALPHA_BLEND_COLOR_R, color) / 255.0f;
	b->constant[1] = (float)VIV_GET(VIVS_PE_ALPHA_BLEND_COLOR_G, color) / 255.0f;
	b->constant[2] = (float)VIV_GET(VIVS_PE_ALPHA_BLEND_COLOR_B, color) / 255.0f;
	b->constant[3] = (float)VIV_GET(VIVS_PE_ALPHA_BLEND_COLOR_A, color) / 255.0f;
}

static void color_common(struct viv3d *p, struct v3d_color *rt, unsigned int i)
{
	struct vivante *v = p->v;
	uint32_t control = viv_state(v, VIVS_PS_CONTROL), out2 = viv_state(v, VIVS_PS_OUTPUT_REG2);

	rt->mode = viv_state(v, VIVS_PS_CONTROL_EXT) >> 4 * i & 7;
	rt->target.plane = (uint8_t)(VIV_PLANE_COLOR + i);
	rt->target.mode = v->chip->super_tile_mode;
	rt->target.ts = viv_plane_ts(v, rt->target.plane);
	if (i < 4) {
		rt->reg = viv_state(v, VIVS_PS_OUTPUT_REG) >> 8 * i & 0x7f;
		rt->saturate = control >> (VIVS_PS_CONTROL_SATURATE_RT0__SHIFT + i) & 1;
	} else {
		rt->reg = out2 >> 8 * (i - 4) & 0x7f;
		rt->saturate = out2 >> (8 * (i - 4) + 7) & 1;
	}
	rt->target.bytes = v3d_color_bytes(rt->format);
	if (!rt->target.bytes)
		viv_report(v, "pe", "render target %u: format 0x%02x is unknown or not modelled", i, rt->format);
	rt->target.on = rt->target.bytes && rt->mask;
}

static void first_target(struct viv3d *p)
{
	struct vivante *v = p->v;
	struct v3d_color *rt = &p->pe.rt[0];
	uint32_t format = viv_state(v, VIVS_PE_COLOR_FORMAT);
	unsigned int ext = VIV_GET(VIVS_PE_COLOR_FORMAT_FORMAT_EXT, format);

	rt->format = (uint8_t)(ext ? ext : VIV_GET(VIVS_PE_COLOR_FORMAT_FORMAT, format));
	rt->mask = VIV_GET(VIVS_PE_COLOR_FORMAT_COMPONENTS, format);
	rt->overwrite = format & VIVS_PE_COLOR_FORMAT_OVERWRITE;
	rt->srgb = viv_state(v, VIVS_PE_LOGIC_OP) & VIVS_PE_LOGIC_OP_SRGB;
	rt->target.base[0] = viv_state(v, pipe_addresses(v) ? VIV_AT(VIVS_PE_PIPE_COLOR_ADDR, 0) : VIVS_PE_COLOR_ADDR);
	rt->target.base[1] = viv_state(v, VIV_AT(VIVS_PE_PIPE_COLOR_ADDR, 1));
	rt->target.stride = viv_state(v, VIVS_PE_COLOR_STRIDE);
	rt->target.layout = layout_of(v, format & VIVS_PE_COLOR_FORMAT_SUPER_TILED, true);
	blend_start(p, &rt->blend, viv_state(v, VIVS_PE_ALPHA_CONFIG), viv_state(v, VIVS_PE_ALPHA_COLOR_EXT0),
		    viv_state(v, VIVS_PE_ALPHA_COLOR_EXT1));
	color_common(p, rt, 0);
}

/* Render targets from the second on. Before HALTI5 they share the first one's blending. */
static void other_target(struct viv3d *p, unsigned int i)
{
	struct vivante *v = p->v;
	struct v3d_color *rt = &p->pe.rt[i];
	bool eight = v->chip->halti >= 2;
	uint32_t config = viv_state(v, eight ? VIV_AT(VIVS_PE_RT_CONFIG_8, i - 1) : VIV_AT(VIVS_PE_RT_CONFIG_4, i - 1));

	rt->format = VIV_GET(RT_CONFIG_FORMAT, config);
	rt->srgb = config & RT_CONFIG_SRGB;	/* its own: Mesa etnaviv_state.c, the newest */
	for (unsigned int pipe = 0; pipe < 2; pipe++)
		rt->target.base[pipe] = viv_state(v, eight ? VIV_AT2(VIVS_PE_RT_ADDR_8_PIPE, i - 1, pipe) :
						     VIV_AT2(VIVS_PE_RT_ADDR_4_PIPE, i - 1, pipe));
	rt->target.stride = VIV_GET(RT_CONFIG_STRIDE, config);
	rt->target.layout = layout_of(v, config & RT_CONFIG_SUPER_TILED, true);
	rt->mask = p->pe.rt[0].mask;
	rt->overwrite = p->pe.rt[0].overwrite;
	rt->blend = p->pe.rt[0].blend;
	if (v->chip->halti >= 5) {
		uint32_t mask = viv_state(v, VIV_AT(VIVS_PE_HALTI5_RT_COLORMASK, i - 1));

		rt->mask = VIV_GET(VIVS_PE_HALTI5_RT_COLORMASK_COMPONENTS, mask);
		rt->overwrite = mask & VIVS_PE_HALTI5_RT_COLORMASK_OVERWRITE;
		blend_start(p, &rt->blend, viv_state(v, VIV_AT(VIVS_PE_HALTI5_RT_ALPHA_CONFIG, i - 1)),
			    viv_state(v, VIV_AT(VIVS_PE_HALTI5_RT_ALPHA_COLOR_EXT0, i - 1)),
			    viv_state(v, VIV_AT(VIVS_PE_HALTI5_RT_ALPHA_COLOR_EXT1, i - 1)));
	}
	color_common(p, rt, i);
}

/* A pixel's address is a multiple of its size: the low bits are dropped in pixel_at(). */
static void tell_unaligned(struct viv3d *p, const struct v3d_target *t)
{
	if (t->on && (t->base[0] | t->base[1] | t->stride) & (t->bytes - 1u))
		viv_report(p->v, "pe", "a target at 0x%08x and 0x%08x, stride %u: not a multiple of %u bytes", t->base[0], t->base[1],
			   t->stride, t->bytes);
}

void v3d_pe_start(struct viv3d *p)
{
	struct vivante *v = p->v;
	struct v3d_pe *pe = &p->pe;
	uint32_t alpha = viv_state(v, VIVS_PE_ALPHA_OP), logic = viv_state(v, VIVS_PE_LOGIC_OP);
	uint32_t d0 = viv_state(v, VIV_AT(VIVS_PE_DITHER, 0)), d1 = viv_state(v, VIV_AT(VIVS_PE_DITHER, 1));

	stencil_start(p);
	depth_start(p);
	pe->alpha_test = alpha & VIVS_PE_ALPHA_OP_ALPHA_TEST;
	pe->alpha_func = VIV_GET(VIVS_PE_ALPHA_OP_ALPHA_FUNC, alpha);
	pe->alpha_ref = VIV_GET(VIVS_PE_ALPHA_OP_ALPHA_REF, alpha);
	pe->logic_op = VIV_GET(VIVS_PE_LOGIC_OP_OP, logic);
	/* GUESS(pe-dither-table): 16 thresholds, a nibble each, rows of four; all ones (and all zeroes) turn dithering off. */
	pe->dither = (d0 != 0xffffffff || d1 != 0xffffffff) && (d0 || d1);
	for (unsigned int i = 0; i < 16; i++)
		pe->dither_matrix[i] = (i < 8 ? d0 : d1) >> 4 * (i & 7) & 15;
	pe->num_rts = 1 + VIV_GET(VIVS_PS_CONTROL_RT_COUNT, viv_state(v, VIVS_PS_CONTROL));
	first_target(p);
	for (unsigned int i = 1; i < pe->num_rts; i++)
		other_target(p, i);
	for (unsigned int i = 0; i < pe->num_rts; i++)
		if (pe->rt[i].target.on)
			v3d_color_start(pe, &pe->rt[i]);
	tell_unaligned(p, &pe->depth);
	for (unsigned int i = 0; i < pe->num_rts; i++)
		tell_unaligned(p, &pe->rt[i].target);
}

/* --- Addressing ------------------------------------------------------------------- */

/* One pixel; the line looked up last is kept, as blocks rarely leave it. */
struct line_memo {
	uint32_t va;
	uint8_t *p;
};

static uint8_t *pixel_at(struct viv3d *p, const struct v3d_target *t, uint32_t x, uint32_t y, struct line_memo *memo)
{
	unsigned int pipe;
	uint32_t offset = viv_tile_offset(t->layout, t->mode, x, y, t->stride, t->bytes, &pipe);
	uint32_t va = (t->base[pipe] + offset) & ~(t->bytes - 1u);

	if (!memo->p || memo->va != (va & ~63u)) {
		memo->va = va & ~63u;
		memo->p = viv_plane_quick(p->v, t->plane, &t->ts, memo->va);
		if (!memo->p)
			memo->p = viv_plane_ptr(p->v, t->plane, &t->ts, memo->va, 64);
		if (!memo->p)
			return NULL;
	}
	return memo->p + (va & 63);
}

/* Pixels that are no run: each by itself. */
static __attribute__((noinline)) bool scattered_pixels(struct viv3d *p, const struct v3d_target *t, const struct v3d_block *b,
						       struct v3d_pixels *pixels)
{
	struct line_memo memo = { 0 };
	unsigned int samples = p->samples.count;

	for (unsigned int s = 0; s < samples; s++)
		for (unsigned int l = 0; l < V3D_LANES; l++) {
			uint32_t x = (uint32_t)b->x + V3D_LANE_X(l), y = (uint32_t)b->y + V3D_LANE_Y(l);

			pixels->at[s][l] = NULL;
			if (!(b->cover[s] >> l & 1))
				continue;
			/* A target with samples is as wide, or as wide and as high, as they need (etna_viv hardware.md). */
			if (samples >= 2)
				x = x * 2 + (s & 1);
			if (samples == 4)
				y = y * 2 + (s >> 1);
			pixels->at[s][l] = pixel_at(p, t, x, y, &memo);
			if (!pixels->at[s][l])
				return false;
		}
	return true;
}

bool v3d_has_runs(const struct viv3d *p, const struct v3d_target *t)
{
	bool tiles = t->layout & VIV_LAYOUT_SUPER || (t->layout & VIV_LAYOUT_TILED && !(t->stride & 15));

	return p->samples.count == 1 && tiles && !((t->base[0] | t->base[1]) & 63);
}

/* GUESS(pe-stencil-no-depth): without a depth mode there is no stencil either. */
static bool has_tests(const struct v3d_pe *pe)
{
	return pe->depth_on && !(pe->depth_func == 7 && !pe->depth_write && !pe->stencil_on);
}

/* Memory that blocks which go through the pipe together have to do with: a page, or a line of tile status. */
struct place {
	uint32_t va;
	uint8_t *p;
};

/* Two of depth, by pipe, and two of colour. */
struct places {
	struct place page[4], status[4];
};

/* Is no page that a target writes the other one's, and none that holds tile status? */
static bool apart(const struct places *f)
{
	const struct place *page = f->page, *status = f->status;

	for (unsigned int i = 0; i < 4; i++) {
		if (!page[i].p)
			continue;
		for (unsigned int j = 0; j < 4; j++)
			if ((uintptr_t)status[j].p - (uintptr_t)page[i].p < MODEL_PAGE)
				return false;
		for (unsigned int j = 2; j < 4 && i < 2; j++)
			if (page[i].p == page[j].p || (status[i].p && status[i].p == status[j].p))
				return false;
	}
	return true;
}

static inline bool find_page(const struct unit *port, struct place *at, uint32_t va)
{
	if (!at->p) {
		at->va = va & ~(MODEL_PAGE - 1);
		at->p = unit_page_write(port, va);
	}
	return at->p && at->va == (va & ~(MODEL_PAGE - 1));
}

/* False: it is not there, or its tile has no known state, or reaches beyond a page. */
static inline bool find_run(const struct unit *port, const struct unit *status_port, const struct v3d_target *t,
			    struct place page[2], struct place status[2], uint32_t row, uint32_t column, uint8_t **run)
{
	unsigned int pipe = (row ^ column) & 1, entry;
	uint32_t va = t->base[pipe] + (row & ~1u) + (column & ~1u), byte, bit, tile;

	if (!find_page(port, &page[pipe], va))
		return false;
	*run = page[pipe].p + va % MODEL_PAGE;
	if (!t->ts.on)
		return true;
	tile = (va & ~63u) - t->ts.surface;
	viv_ts_place(&t->ts, tile, &byte, &bit);
	if (!status[pipe].p) {
		status[pipe].va = byte & ~63u;
		status[pipe].p = unit_page_write(status_port, byte);
		if (status[pipe].p)
			status[pipe].p += status[pipe].va % MODEL_PAGE;
	}
	if (!status[pipe].p || status[pipe].va != (byte & ~63u))
		return false;
	entry = status[pipe].p[byte & 63] >> bit & ((1u << t->ts.bits) - 1);
	if (!entry)
		return true;
	/* It is filled when its turn comes. */
	*run = NULL;
	tile = t->ts.surface + (tile & ~(t->ts.tile - 1));
	return viv_ts_meaning(&t->ts, (int)entry) == VIV_TS_CLEARED && !((tile ^ va) / MODEL_PAGE) &&
	       !((tile ^ (tile + t->ts.tile - 1)) / MODEL_PAGE);
}

static void know_columns(struct v3d_columns *c, const struct v3d_target *t, unsigned int n)
{
	unsigned int pipe;

	if (c->layout != t->layout || c->bytes != t->bytes || c->mode != t->mode)
		*c = (struct v3d_columns){ .layout = t->layout, .bytes = t->bytes, .mode = t->mode };
	for (; c->known < n; c->known++) {
		c->at[c->known] = viv_tile_offset(t->layout, t->mode, c->known * V3D_BLOCK_W, 0, 0, t->bytes, &pipe);
		c->at[c->known] |= pipe;
	}
}

unsigned int v3d_find_runs(struct viv3d *p, struct v3d_block *b, unsigned int n)
{
	unsigned int last = 0, pipe, k, i;
	const bool used[2] = { has_tests(&p->pe), p->pe.rt[0].target.on };
	const struct unit *status = p->v->port[VIV_PORT_RA];
	struct places f = { 0 };

	for (i = 0; i < n; i++)
		last = (unsigned int)b[i].x / V3D_BLOCK_W >= last ? (unsigned int)b[i].x / V3D_BLOCK_W + 1 : last;
	for (k = 0; k < 2; k++) {
		/* A copy, which the compiler need not read again after each write. */
		const struct v3d_target t = k ? p->pe.rt[0].target : p->pe.depth;
		const struct unit *port = p->v->port[k ? VIV_PORT_PE : VIV_PORT_PEZ];
		uint32_t row = 0;

		if (!used[k])
			continue;
		if (!v3d_has_runs(p, &t) || last > V3D_COLUMNS)
			return 0;
		know_columns(&p->columns[k], &t, last);
		for (i = 0; i < n; i++) {
			if (!i || b[i].y != b[i - 1].y)
				row = viv_tile_offset(t.layout, t.mode, 0, (uint32_t)b[i].y, t.stride, t.bytes, &pipe) | pipe;
			if (!find_run(port, status, &t, f.page + 2 * k, f.status + 2 * k, row,
				      p->columns[k].at[(unsigned int)b[i].x / V3D_BLOCK_W], &b[i].run[k]))
				break;
			__builtin_prefetch(b[i].run[k], 1);
		}
		n = i;
	}
	return apart(&f) ? n : 0;
}

bool v3d_look_up_pixels(struct viv3d *p, const struct v3d_target *t, const struct v3d_block *b, struct v3d_pixels *pixels)
{
	struct line_memo memo = { 0 };

	if (v3d_has_runs(p, t)) {
		pixels->run = pixel_at(p, t, (uint32_t)b->x, (uint32_t)b->y, &memo);
		p->fault |= !pixels->run;
	} else {
		p->fault |= !scattered_pixels(p, t, b, pixels);
	}
	return !p->fault;
}

/* --- Tests ------------------------------------------------------------------------- */

/* COMPARE_FUNC in the order of OpenGL's: never, less, equal, less or equal, greater, ... */
static inline v8i compare(unsigned int func, v8u a, v8u b)
{
	v8i none = { 0 };

	return (func & 1 ? a < b : none) | (func & 2 ? a == b : none) | (func & 4 ? a > b : none);
}

static v8u stencil_op(unsigned int op, v8u s, uint8_t ref)
{
	switch (op) {
	case STENCIL_OP_ZERO: return v8_word(0);
	case STENCIL_OP_REPLACE: return v8_word(ref);
	case STENCIL_OP_INCR: return v8_choose(s < 255, s + 1, s);
	case STENCIL_OP_DECR: return v8_choose(s > 0, s - 1, s);
	case STENCIL_OP_INVERT: return s ^ 255;
	case STENCIL_OP_INCR_WRAP: return (s + 1) & 255;
	case STENCIL_OP_DECR_WRAP: return (s - 1) & 255;
	default: return s;
	}
}

static v8i stencil_passes(const struct v3d_stencil *st, v8u stencil)
{
	return compare(st->func, v8_word(st->ref & st->mask), stencil & st->mask);
}

/* Pixels as PE stores them: D24S8 has depth in bits 31:8. Where they passed; word becomes what they are then. */
static inline v8i test(const struct v3d_pe *pe, unsigned int func, const struct v3d_stencil *st, v8u z, v8u *word)
{
	v8u depth = pe->depth16 ? *word : *word >> 8, stencil = *word & 255;
	v8i zpass = compare(func, z, depth), pass = zpass;

	if (pe->stencil_on && !pe->depth16) {
		v8i spass = stencil_passes(st, stencil);
		v8u next = v8_choose(zpass, stencil_op(st->zpass, stencil, st->ref), stencil_op(st->zfail, stencil, st->ref));

		next = v8_choose(spass, next, stencil_op(st->fail, stencil, st->ref));
		stencil = (stencil & ~(uint32_t)st->write) | (next & st->write);
		pass &= spass;
	}
	if (pe->depth_write)
		depth = v8_choose(pass, z, depth);
	*word = pe->depth16 ? depth : depth << 8 | stencil;
	return pass;
}

/* Before the test of the pixel that somebody watches: a pixel that fails later has failed the depth test. */
static void watch_test(struct viv3d *p, const struct v3d_block *b, const uint8_t *pixel, const struct v3d_stencil *st)
{
	uint8_t stencil;

	v3d_watch_zs(p, b, pixel, false);
	stencil = (uint8_t)(p->watched->zs_before >> 24);
	if (p->pe.stencil_on && !p->pe.depth16 && !stencil_passes(st, v8_word(stencil))[0])
		v3d_watch_step(p, 0, MODEL_STENCIL_FAILED);
}

static inline __attribute__((always_inline)) void block_depth_stencil(struct viv3d *p, struct v3d_block *b, bool cw,
								      unsigned int func, unsigned int samples)
{
	const struct v3d_pe *pe = &p->pe;
	struct v3d_pixels pixels;
	uint8_t *watched;

	if (!v3d_covered(b, samples))
		return;
	v3d_tell(p, V3D_PART_PE, true);
	if (!v3d_pixels(p, &pe->depth, b, b->run[0], &pixels))
		return;
	watched = p->watched ? v3d_watched_pixel(p, b, &pixels) : NULL;
	if (watched)
		watch_test(p, b, watched, &pe->stencil[!cw]);
	for (unsigned int s = 0; s < samples; s++) {
		unsigned int lanes = b->cover[s];
		v8u words = v3d_load(&pixels, s, pe->depth.bytes, lanes);

		b->cover[s] &= (uint8_t)v8_mask(test(pe, func, &pe->stencil[!cw], b->z[s], &words));
		v3d_store(&pixels, s, pe->depth.bytes, lanes, words);
		p->v->perf.pe_drawn_depth += (uint32_t)__builtin_popcount(b->cover[s]);
		p->v->perf.pe_killed_depth += (uint32_t)__builtin_popcount(lanes & ~b->cover[s]);
	}
	if (watched)
		v3d_watch_zs(p, b, watched, true);
}

void v3d_depth_stencil(struct viv3d *p, struct v3d_block *b, unsigned int n, bool cw)
{
	const struct v3d_pe *pe = &p->pe;

	if (!has_tests(pe))
		return;
	/* What most draws have is known to the compiler. */
	for (unsigned int i = 0; i < n; i++) {
		if (p->samples.count == 1 && pe->depth_func == COMPARE_FUNC_LESS)
			block_depth_stencil(p, &b[i], cw, COMPARE_FUNC_LESS, 1);
		else if (p->samples.count == 1 && pe->depth_func == COMPARE_FUNC_LEQUAL)
			block_depth_stencil(p, &b[i], cw, COMPARE_FUNC_LEQUAL, 1);
		else
			block_depth_stencil(p, &b[i], cw, pe->depth_func, p->samples.count);
	}
}

/* GUESS(pe-alpha-round): alpha is rounded to 8 bits before it is compared with the 8-bit reference. */
uint8_t v3d_alpha_test(const struct viv3d *p, const v8f *alpha)
{
	unsigned int answer = unit_answer(&p->v->u, PROFILE_PE_ALPHA_ROUND), scale = answer == 2 ? 4096 : 1;
	v8f a = v8_unit(*alpha) * 255 * (float)scale + (answer ? 0 : 0.5f);

	return (uint8_t)v8_mask(compare(p->pe.alpha_func, (v8u)__builtin_convertvector(a, v8i), v8_word(p->pe.alpha_ref * scale)));
}
