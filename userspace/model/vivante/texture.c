// SPDX-License-Identifier: MIT
/*
 * TX: sampler states and descriptors, level of detail, wrapping, filtering.
 * Facts: rnndb texdesc.xml and state_3d.xml, Mesa etnaviv_texture_state.c,
 * etnaviv_texture_desc.c, etnaviv_resource.c (how levels lie in memory);
 * formulas: OpenGL ES 3.0, 3.8.9 to 3.8.11.
 *
 * GUESS(tex-filter-bits): weights and LOD have float precision; hardware surely has fewer bits,
 * and with INT_FILTER eight. ROUND_UV is without effect.
 */
#include <math.h>

#include "model/texture.h"
#include "model/vivante/viv3d.h"

void v3d_texture_start(struct viv3d *p)
{
	const struct vivante *v = p->v;
	bool desc = v->chip->halti >= 5 && viv_state(v, VIVS_NTE_DESCRIPTOR_CONTROL) & VIVS_NTE_DESCRIPTOR_CONTROL_ENABLE;

	for (unsigned int i = 0; i < V3D_SAMPLERS; i++)
		p->sampler[i].decoded = false;
	p->descriptors = desc;
	p->unified = desc && viv_minor(v, 3, chipMinorFeatures3_UNIFIED_SAMPLERS);
}

/* --- Samplers, from states or a descriptor ----------------------------------------------- */

/* The words of a sampler, whatever they come from. */
struct words {
	uint32_t config0, config1, config2, size, log_size, lod, config_3d, baselod, linear_stride, anisotropy;
	uint32_t addr[V3D_LEVELS];
};

static uint32_t max1(uint32_t v)
{
	return v ? v : 1;
}

static uint32_t align(uint32_t v, uint32_t to)
{
	return (v + to - 1) & ~(to - 1);
}

/* Sizes that levels are padded to: Mesa's etna_layout_multiple. */
static void padding(const struct viv3d *p, const struct v3d_sampler *s, unsigned int halign, uint32_t *x, uint32_t *y)
{
	*x = halign == TEXTURE_HALIGN_FOUR ? 4 : 16;
	*y = 4;
	if (s->layout & VIV_LAYOUT_SUPER)
		*x = *y = 64;
	if (s->layout & VIV_LAYOUT_MULTI)
		*y *= p->v->chip->pixel_pipes;
}

static void levels(struct viv3d *p, struct v3d_sampler *s, const struct words *w)
{
	unsigned int halign = VIV_GET(TE_SAMPLER_CONFIG1_HALIGN, w->config1);
	uint32_t px, py;

	padding(p, s, halign, &px, &py);
	for (unsigned int i = 0; i < V3D_LEVELS; i++) {
		struct v3d_level *l = &s->level[i];
		/* The size is that of the base level. */
		int shift = (int)i - (int)s->base_level;

		l->va = w->addr[i];
		l->w = max1(shift < 0 ? s->width << -shift : s->width >> shift);
		l->h = max1(shift < 0 ? s->height << -shift : s->height >> shift);
		l->d = s->array ? s->depth : max1(shift < 0 ? s->depth << -shift : s->depth >> shift);
		if (s->block > 1) {
			uint32_t bw = (l->w + s->block - 1) / s->block, bh = (l->h + s->block - 1) / s->block;

			l->stride = bw * s->bytes;
			l->slice = l->stride * bh;
		} else if (s->layout == VIV_LAYOUT_LINEAR) {
			l->stride = i || !w->linear_stride ? align(l->w, px) * s->bytes : w->linear_stride;
			l->slice = l->stride * align(l->h, py);
		} else {
			l->stride = align(l->w, px) * s->bytes;
			l->slice = l->stride * align(l->h, py);
		}
		l->aligned = !((l->va | l->stride | l->slice) % s->bytes);
	}
}

static bool decode(struct viv3d *p, unsigned int n, struct v3d_sampler *s, const struct words *w)
{
	unsigned int ext = VIV_GET(TE_SAMPLER_CONFIG1_FORMAT_EXT, w->config1), base = VIV_GET(TE_SAMPLER_CONFIG0_FORMAT, w->config0);
	unsigned int halign = VIV_GET(TE_SAMPLER_CONFIG1_HALIGN, w->config1);
	unsigned int mode = VIV_GET(TE_SAMPLER_CONFIG0_ADDRESSING_MODE, w->config0);
	static const uint8_t shift[4] = { TE_SAMPLER_CONFIG1_SWIZZLE_R__SHIFT, TE_SAMPLER_CONFIG1_SWIZZLE_G__SHIFT,
					  TE_SAMPLER_CONFIG1_SWIZZLE_B__SHIFT, TE_SAMPLER_CONFIG1_SWIZZLE_A__SHIFT };

	s->type = VIV_GET(TE_SAMPLER_CONFIG0_TYPE, w->config0);
	/* The extended format counts while the old one is NONE. */
	s->format = (uint8_t)(base ? base : V3D_TEX_EXT + ext);
	s->width = VIV_GET(TE_SAMPLER_SIZE_WIDTH, w->size);
	s->height = VIV_GET(TE_SAMPLER_SIZE_HEIGHT, w->size);
	s->depth = s->type == TEXTURE_TYPE_3D ? max1(VIV_GET(TE_SAMPLER_3D_CONFIG_DEPTH, w->config_3d)) : 1;
	s->array = w->config1 & TE_SAMPLER_CONFIG1_TEXTURE_ARRAY;
	s->srgb = w->log_size & TE_SAMPLER_LOG_SIZE_SRGB;
	s->swapped = p->v->chip->halti < 1;
	s->signed_int = w->config2 & (TE_SAMPLER_CONFIG2_SIGNED_INT8 | TE_SAMPLER_CONFIG2_SIGNED_INT16);
	s->straight = true;
	for (unsigned int c = 0; c < 4; c++) {
		s->swizzle[c] = w->config1 >> shift[c] & 7;
		s->straight &= s->swizzle[c] == c;
	}
	s->mode = p->v->chip->super_tile_mode;
	if (mode == TEXTURE_ADDRESSING_MODE_LINEAR)
		s->layout = VIV_LAYOUT_LINEAR;
	else
		s->layout = VIV_LAYOUT_TILED |
			    (halign == TEXTURE_HALIGN_SUPER_TILED || halign == TEXTURE_HALIGN_SPLIT_SUPER_TILED ? VIV_LAYOUT_SUPER : 0) |
			    (halign >= TEXTURE_HALIGN_SPLIT_TILED ? VIV_LAYOUT_MULTI : 0);
	if (!v3d_texel_format(s->format, &s->bytes, &s->block)) {
		viv_report(p->v, "tx", "sampler %u: format 0x%02x%s is unknown or not modelled", n, s->format & 0x3f,
			   s->format & V3D_TEX_EXT ? " (extended)" : "");
		return false;
	}
	if (s->layout & VIV_LAYOUT_MULTI) {
		viv_report(p->v, "tx", "sampler %u: split layouts are not modelled", n);
		return false;
	}
	if (s->type == TEXTURE_TYPE_NONE || s->type > TEXTURE_TYPE_CUBE_MAP || s->type == 4 || !s->width || !s->height) {
		/* etna_viv hardware.md: sampling what is not set up hangs. */
		viv_hang(p->v, "tx", VIVS_HI_IDLE_STATE_TX, "sampler %u is not set up: CONFIG0 = 0x%08x, SIZE = 0x%08x", n,
			 w->config0, w->size);
		return false;
	}
	for (unsigned int c = 0; c < (s->type == TEXTURE_TYPE_3D ? 3 : 2); c++)
		if (s->wrap[c] > TEXTURE_WRAPMODE_CLAMP_TO_EDGE)
			viv_guess(p->v, "tx", "sampler %u: wrap mode %u, the border, is the edge", n, s->wrap[c]);
	/* GUESS(tex-anisotropy): how many lookups it makes, and where: here it is one. Mesa: the logarithm of the most. */
	if (w->anisotropy && unit_strict(&p->v->u))
		viv_guess(p->v, "tx", "sampler %u: anisotropy 0x%x makes one lookup", n, w->anisotropy);
	s->seamless = s->type == TEXTURE_TYPE_CUBE_MAP && w->config1 & TE_SAMPLER_CONFIG1_SEAMLESS_CUBE_MAP;
	s->unorm = v3d_texel_is_unorm(s);
	s->plane = s->unorm && s->ts < 0 && !s->compare &&
		   (s->type == TEXTURE_TYPE_CUBE_MAP || (s->type == TEXTURE_TYPE_2D && !s->array));
	s->yuv = v3d_texel_is_yuv(s->format);
	if (s->yuv)
		viv_guess(p->v, "tx", "sampler %u: packed YUV becomes RGB by BT.601", n);
	s->stencil &= v3d_texel_has_stencil(s->format);
	if (s->stencil && unit_strict(&p->v->u))
		viv_guess(p->v, "tx", "sampler %u: stencil is an integer in red", n);
	s->integer = v3d_texel_is_integer(s->format) || s->stencil;
	levels(p, s, w);
	return true;
}

static int fixed55(unsigned int v)
{
	return v & 0x200 ? (int)v - 0x400 : (int)v;
}

/* Filters, wraps, LOD and addresses as TE and NTE have them. */
static void plain_states(const struct viv3d *p, unsigned int n, bool nte, struct v3d_sampler *s, struct words *w)
{
	const struct vivante *v = p->v;

#define WORD(name)	viv_state(v, nte ? VIV_AT(VIVS_NTE_SAMPLER_##name, n) : VIV_AT(VIVS_TE_SAMPLER_##name, n))
	w->config0 = WORD(CONFIG0);
	w->config1 = WORD(CONFIG1);
	w->size = WORD(SIZE);
	w->log_size = WORD(LOG_SIZE);
	w->lod = WORD(LOD_CONFIG);
	w->config_3d = WORD(3D_CONFIG);
#undef WORD
	w->baselod = nte ? viv_state(v, VIV_AT(VIVS_NTE_SAMPLER_BASELOD, n)) : 0;
	w->linear_stride = viv_state(v, nte ? VIV_AT(VIVS_NTE_SAMPLER_LINEAR_STRIDE, n) : VIV_AT2(VIVS_TE_SAMPLER_LINEAR_STRIDE, n, 0));
	for (unsigned int i = 0; i < V3D_LEVELS; i++)
		w->addr[i] = viv_state(v, nte ? VIV_AT2(VIVS_NTE_SAMPLER_ADDR_LOD, n, i) : VIV_AT2(VIVS_TE_SAMPLER_LOD_ADDR, n, i));
	s->wrap[0] = VIV_GET(TE_SAMPLER_CONFIG0_UWRAP, w->config0);
	s->wrap[1] = VIV_GET(TE_SAMPLER_CONFIG0_VWRAP, w->config0);
	s->wrap[2] = VIV_GET(TE_SAMPLER_3D_CONFIG_WRAP, w->config_3d);
	w->anisotropy = VIV_GET(TE_SAMPLER_CONFIG0_ANISOTROPY, w->config0);
	s->min = VIV_GET(TE_SAMPLER_CONFIG0_MIN, w->config0);
	s->mag = VIV_GET(TE_SAMPLER_CONFIG0_MAG, w->config0);
	s->mip = VIV_GET(TE_SAMPLER_CONFIG0_MIP, w->config0);
	s->min_lod = (float)VIV_GET(TE_SAMPLER_LOD_CONFIG_MIN, w->lod) / 32;
	s->max_lod = (float)VIV_GET(TE_SAMPLER_LOD_CONFIG_MAX, w->lod) / 32;
	s->bias = w->lod & TE_SAMPLER_LOD_CONFIG_BIAS_ENABLE ? (float)fixed55(VIV_GET(TE_SAMPLER_LOD_CONFIG_BIAS, w->lod)) / 32 : 0;
	s->compare = w->baselod & TE_SAMPLER_BASELOD_COMPARE_ENABLE;
	s->compare_func = VIV_GET(TE_SAMPLER_BASELOD_COMPARE_FUNC, w->baselod);
	s->stencil = false;
	s->base_level = 0;
	s->last_level = V3D_LEVELS - 1;
	/*
	 * GUESS(tex-lod-max-one): a largest LOD of 1/32 blends no second level: Mesa sets it for a texture of one level whose
	 * filters differ, and gives no address for another (etnaviv_texture_state.c).
	 */
	if (VIV_GET(TE_SAMPLER_LOD_CONFIG_MAX, w->lod) <= 1 && s->mip == TEXTURE_FILTER_LINEAR) {
		s->last_level = 0;
		if (s->max_lod > 0)
			viv_guess(p->v, "tx", "sampler %u: a largest LOD of 1/32 blends no second level", n);
	}
	s->ts = w->config1 & TE_SAMPLER_CONFIG1_USE_TS ? (int)n : -1;
	s->ts_mode = VIV_GET(TE_SAMPLER_CONFIG1_TS_MODE, w->config1);
}

/* HALTI5: words in memory, and states beside them. False: a fault. */
static bool descriptor(struct viv3d *p, unsigned int n, struct v3d_sampler *s, struct words *w)
{
	const struct vivante *v = p->v;
	uint32_t d[TXDESC_BYTES / 4], va = viv_state(v, VIV_AT(VIVS_NTE_DESCRIPTOR_ADDR, n));
	uint32_t ctrl0 = viv_state(v, VIV_AT(VIVS_NTE_DESCRIPTOR_SAMP_CTRL0, n));
	uint32_t ctrl1 = viv_state(v, VIV_AT(VIVS_NTE_DESCRIPTOR_SAMP_CTRL1, n));
	uint32_t minmax = viv_state(v, VIV_AT(VIVS_NTE_DESCRIPTOR_SAMP_LOD_MINMAX, n));
	uint32_t bias = viv_state(v, VIV_AT(VIVS_NTE_DESCRIPTOR_SAMP_LOD_BIAS, n));
	uint32_t tx = viv_state(v, VIV_AT(VIVS_NTE_DESCRIPTOR_TX_CTRL, n));

	if (!unit_read(v->port[VIV_PORT_TX], va, d, sizeof(d))) {
		p->fault = true;
		return false;
	}
	w->config0 = d[TXDESC_CONFIG0 / 4];
	w->config1 = d[TXDESC_CONFIG1 / 4];
	w->config2 = d[TXDESC_CONFIG2 / 4];
	w->size = d[TXDESC_SIZE / 4];
	w->config_3d = d[TXDESC_3D_CONFIG / 4];
	w->baselod = d[TXDESC_BASELOD / 4];
	w->linear_stride = d[TXDESC_LINEAR_STRIDE / 4];
	w->anisotropy = viv_state(v, VIV_AT(VIVS_NTE_DESCRIPTOR_SAMP_ANISOTROPY, n));
	w->log_size = ctrl1 & VIVS_NTE_DESCRIPTOR_SAMP_CTRL1_SRGB ? TE_SAMPLER_LOG_SIZE_SRGB : 0;
	memcpy(w->addr, d + TXDESC_LOD_ADDR / 4, sizeof(w->addr));
	s->wrap[0] = VIV_GET(VIVS_NTE_DESCRIPTOR_SAMP_CTRL0_UWRAP, ctrl0);
	s->wrap[1] = VIV_GET(VIVS_NTE_DESCRIPTOR_SAMP_CTRL0_VWRAP, ctrl0);
	s->wrap[2] = VIV_GET(VIVS_NTE_DESCRIPTOR_SAMP_CTRL0_WWRAP, ctrl0);
	s->min = VIV_GET(VIVS_NTE_DESCRIPTOR_SAMP_CTRL0_MIN, ctrl0);
	s->mag = VIV_GET(VIVS_NTE_DESCRIPTOR_SAMP_CTRL0_MAG, ctrl0);
	s->mip = VIV_GET(VIVS_NTE_DESCRIPTOR_SAMP_CTRL0_MIP, ctrl0);
	s->stencil = VIV_GET(VIVS_NTE_DESCRIPTOR_SAMP_CTRL0_DEPTH_STENCIL_MODE, ctrl0) ==
		     VIVS_NTE_DESCRIPTOR_SAMP_CTRL0_DEPTH_STENCIL_MODE_STENCIL;
	s->min_lod = (float)(int16_t)VIV_GET(VIVS_NTE_DESCRIPTOR_SAMP_LOD_MINMAX_MIN, minmax) / 256;
	s->max_lod = (float)(int16_t)VIV_GET(VIVS_NTE_DESCRIPTOR_SAMP_LOD_MINMAX_MAX, minmax) / 256;
	s->bias = bias & VIVS_NTE_DESCRIPTOR_SAMP_LOD_BIAS_ENABLE ?
		  (float)(int16_t)VIV_GET(VIVS_NTE_DESCRIPTOR_SAMP_LOD_BIAS_BIAS, bias) / 256 : 0;
	s->compare = ctrl0 & VIVS_NTE_DESCRIPTOR_SAMP_CTRL0_COMPARE_ENABLE;
	s->compare_func = VIV_GET(VIVS_NTE_DESCRIPTOR_SAMP_CTRL0_COMPARE_FUNC, ctrl0);
	s->base_level = VIV_GET(TE_SAMPLER_BASELOD_BASELOD, w->baselod);
	s->last_level = VIV_GET(TE_SAMPLER_BASELOD_MAXLOD, w->baselod);
	if (s->last_level >= V3D_LEVELS)
		s->last_level = V3D_LEVELS - 1;
	s->ts = tx & VIVS_NTE_DESCRIPTOR_TX_CTRL_TS_ENABLE ? (int)VIV_GET(VIVS_NTE_DESCRIPTOR_TX_CTRL_TS_INDEX, tx) : -1;
	s->ts_mode = VIV_GET(VIVS_NTE_DESCRIPTOR_TX_CTRL_TS_MODE, tx);
	return true;
}

/*
 * Which of the chip's a program names n: with unified samplers VS_SAMPLER_BASE and PS_SAMPLER_BASE are where each stage's
 * begin in an array of 32 (Mesa etnaviv_texture_desc.c, the newest). GUESS(tex-sampler-base): the sum goes round: older Mesa
 * names vertex samplers from 16 on, with a base of 32. Without, they are not added.
 */
static unsigned int number_of(const struct viv3d *p, bool vertex, unsigned int n)
{
	return p->unified ? (n + viv_state(p->v, vertex ? VIVS_VS_SAMPLER_BASE : VIVS_PS_SAMPLER_BASE)) & 31 : n;
}

/* The first time in a draw. */
static struct v3d_sampler *sampler(struct viv3d *p, unsigned int n)
{
	const struct vivante *v = p->v;
	unsigned int most = p->descriptors ? V3D_SAMPLERS : v->chip->halti >= 1 ? 32 : 12;
	struct v3d_sampler *s;
	struct words w = { 0 };

	if (n >= most) {
		viv_hang(p->v, "tx", VIVS_HI_IDLE_STATE_TX, "sampler %u: there are %u", n, most);
		return NULL;
	}
	s = &p->sampler[n];
	if (p->descriptors) {
		if (!descriptor(p, n, s, &w))
			return NULL;
	} else {
		plain_states(p, n, v->chip->halti >= 1, s, &w);
	}
	s->decoded = true;
	s->valid = decode(p, n, s, &w);
	return s->valid ? s : NULL;
}

unsigned int v3d_texture_extents(struct viv3d *p, unsigned int n, struct v3d_extent extent[V3D_LEVELS])
{
	const struct v3d_sampler *s;
	unsigned int first, last, k = 0;

	n = number_of(p, false, n);
	s = n < V3D_SAMPLERS ? &p->sampler[n] : NULL;
	if (!s || !s->decoded || !s->valid || s->ts >= 0 || (s->seamless && s->width != s->height))
		return 0;
	/* What choose_levels() takes. */
	last = s->base_level + (unsigned int)ceilf(fmaxf(fmaxf(s->min_lod, s->max_lod), 0));
	last = last < s->last_level ? last : s->last_level;
	first = s->base_level < last ? s->base_level : last;
	for (unsigned int i = first; i <= last; i++) {
		const struct v3d_level *l = &s->level[i];
		uint64_t row = s->block > 1 ? 0 : (uint64_t)l->w * s->bytes;

		if ((uint64_t)l->stride * (l->h + 64) > UINT32_MAX)
			return 0;
		/* Rows of a linear one may be longer than its stride. */
		extent[k++] = (struct v3d_extent){
			l->va, (uint64_t)l->slice * (s->type == TEXTURE_TYPE_CUBE_MAP ? 6 : l->d) + (row > l->stride ? row - l->stride : 0),
		};
	}
	return k;
}

/* --- Texels --------------------------------------------------------------------------------- */

/* One level of a texture, and where each lane samples it. */
struct sampling {
	struct viv3d *p;
	const struct v3d_sampler *s;
	const struct v3d_level *level;
	bool vertex;
	v8f coord[3];			/* normalised; [2]: depth, or layer */
	v8f ref;
	v8i face;			/* of a cube, else 0 */
};

/* The texel of a tile that was cleared and never drawn, or NULL. */
static bool cleared(const struct sampling *f, uint32_t va, uint8_t raw[16])
{
	uint32_t value[2];
	int is;

	if (f->s->ts < 0)
		return false;
	is = viv_ts_sampler(f->p->v, (unsigned int)f->s->ts, f->s->ts_mode, va - f->s->level[0].va, value);
	if (is < 0)
		f->p->fault = true;
	if (is <= 0)
		return false;
	memset(raw, 0, 16);
	memcpy(raw, value, 8);
	/* A clear value of 64 bits repeats. */
	if (f->s->bytes < 4)
		memcpy(raw, raw + (va & 3 & ~(f->s->bytes - 1)), f->s->bytes);
	return true;
}

/* The texel's bytes, or NULL on a fault. raw: for those that do not lie as they are within a line. */
static const uint8_t *texel_bytes(const struct sampling *f, uint32_t va, uint8_t raw[16])
{
	uint32_t bytes = f->s->yuv ? 4 : f->s->bytes;

	if (cleared(f, va, raw))
		return raw;
	if ((va & 63) + bytes <= 64)
		return viv_texture_ptr(f->p->v, f->vertex, va, bytes);
	/* Levels need not start at multiples of their texels. */
	for (unsigned int i = 0; i < bytes; i++) {
		const uint8_t *b = viv_texture_ptr(f->p->v, f->vertex, va + i, 1);

		if (!b)
			return NULL;
		raw[i] = *b;
	}
	return raw;
}

/*
 * What the coordinates along one axis add to a texel's offset: in every layout it is the sum of
 * that of (x, 0) and that of (0, y). For a layout and mode that the compiler knows these are a
 * few vectors.
 */
static inline __attribute__((always_inline)) v8i along(unsigned int layout, enum viv_supertile mode, const struct sampling *f,
						       v8i at, bool down)
{
	const v8u none = { 0 }, x = down ? none : (v8u)at, y = down ? (v8u)at : none;

	return (v8i)VIV_TILE_OFFSET(layout, mode, x, y, f->level->stride, f->s->bytes);
}

/* For the layout of a sampler's texels, which the compiler knows then. */
#define FOR_LAYOUT(s, function, ...) ( \
	(s)->layout == VIV_LAYOUT_LINEAR ? function(VIV_LAYOUT_LINEAR, VIV_SUPERTILE_ROWS, __VA_ARGS__) : \
	(s)->layout == VIV_LAYOUT_TILED ? function(VIV_LAYOUT_TILED, VIV_SUPERTILE_ROWS, __VA_ARGS__) : \
	(s)->mode == VIV_SUPERTILE_ROWS ? function(VIV_LAYOUT_SUPER, VIV_SUPERTILE_ROWS, __VA_ARGS__) : \
	(s)->mode == VIV_SUPERTILE_MORTON ? function(VIV_LAYOUT_SUPER, VIV_SUPERTILE_MORTON, __VA_ARGS__) : \
	function(VIV_LAYOUT_SUPER, VIV_SUPERTILE_HZ, __VA_ARGS__))

static v8i offset(const struct sampling *f, v8i at, bool down)
{
	/* Blocks of 4x4 texels lie in rows. */
	if (f->s->block > 1)
		return (at >> 2) * (int)(down ? f->level->stride : f->s->bytes);
	return FOR_LAYOUT(f->s, along, f, at, down);
}

static inline void count_texels(const struct sampling *f, unsigned int texels)
{
	f->p->v->perf.tx_requests += texels;
	unit_stats(&f->p->v->u)->texels += texels;
}

/* Memory is what the cache would have, and no texel needs more than its word. */
static bool quick(const struct sampling *f)
{
	return f->s->unorm && f->s->ts < 0 && f->level->aligned && !unit_strict(&f->p->v->u);
}

/*
 * Texels without comparison. x and y: what they add to the address; of compressed ones their
 * numbers. Lenient: memory is what the cache would have.
 */
static void fetch_raw(const struct sampling *f, const v8i *x, const v8i *y, const v8i *z, unsigned int lanes, v8f out[4])
{
	const struct v3d_sampler *s = f->s;
	struct vivante *v = f->p->v;
	struct unit *port = v->port[VIV_PORT_TX];
	bool direct = s->ts < 0 && !unit_strict(&v->u) && !s->yuv;
	uint32_t words[V3D_LANES] = { 0 }, va[V3D_LANES], bytes = s->bytes;
	v8u vas = (v8u)(s->block > 1 ? offset(f, *x, false) + offset(f, *y, true) : *x + *y);
	uint8_t raw[16];
	float rgba[4];
	v8u vector;

	vas += f->level->va + (v8u)*z * f->level->slice;
	if (quick(f) && lanes) {
		v8u all = texture_needed(vas, lanes);

		if (texture_words(port, bytes, 1, &all, &vector)) {
			count_texels(f, (unsigned int)__builtin_popcount(lanes));
			v->perf.mc_read_8b_pipeline += (unsigned int)__builtin_popcount(lanes);	/* 8 bytes of each */
			v3d_texels_unorm(s, &vector, out);
			return;
		}
	}
	count_texels(f, (unsigned int)__builtin_popcount(lanes));
	memcpy(va, &vas, sizeof(va));
	for (; lanes; lanes &= lanes - 1) {
		unsigned int i = (unsigned int)__builtin_ctz(lanes);
		const uint8_t *t;

		if (direct && (va[i] & 63) + bytes <= 64) {
			v->perf.mc_read_8b_pipeline += (bytes + 7) / 8;
			t = unit_ptr(port, va[i], bytes);
		} else {
			t = texel_bytes(f, va[i] - (s->yuv ? (uint32_t)(*x)[i] & 2 : 0), raw);
		}
		if (!t) {
			f->p->fault = true;
			t = memset(raw, 0, sizeof(raw));
		}
		if (s->unorm) {
			words[i] = texture_word(t, bytes);
			continue;
		}
		v3d_texel(s, t, s->yuv ? (uint32_t)(*x)[i] >> 1 & 1 : (uint32_t)(*x)[i] % s->block, (uint32_t)(*y)[i] % s->block, rgba);
		for (unsigned int c = 0; c < 4; c++)
			out[c][i] = rgba[c];
	}
	memcpy(&vector, words, sizeof(vector));
	if (s->unorm)
		v3d_texels_unorm(s, &vector, out);
}

/* --- Wrapping --------------------------------------------------------------------------------- */

/* GUESS(tex-border): the border of CLAMP_TO_BORDER is the edge, as nobody writes its colour. */
static inline v8f wrap_coord(unsigned int mode, v8f s, float size)
{
	switch (mode) {
	case TEXTURE_WRAPMODE_REPEAT:
		return (s - texture_floor(s)) * size;
	case TEXTURE_WRAPMODE_MIRRORED_REPEAT:
		s -= 2 * texture_floor(s / 2);
		return v8_select(s > 1, 2 - s, s) * size;
	default:
		return texture_clamp(s * size, 0, size);
	}
}

static inline __attribute__((always_inline)) struct texture_axis texels(unsigned int mode, v8f s, uint32_t size, bool nearest)
{
	v8f u = wrap_coord(mode, s, (float)size) - (nearest ? 0 : 0.5f), f = texture_floor(u);
	v8i i = __builtin_convertvector(f, v8i), first = { 0 }, last = first + ((int)size - 1);
	bool repeat = mode == TEXTURE_WRAPMODE_REPEAT;

	/* A wrapped coordinate is from 0 to the size, so only one of each is beyond, by one. */
	if (nearest)
		return (struct texture_axis){ .i[0] = texture_choose(i > last, repeat ? first : last, i) };
	return (struct texture_axis){
		.i = { texture_choose(i < 0, repeat ? last : first, i), texture_choose(i < last, i + 1, repeat ? first : last) },
		.weight = u - f,
	};
}

static inline struct texture_axis layer(v8f s, uint32_t count)
{
	v8f n = texture_clamp(texture_floor(s + 0.5f), 0, (float)(count - 1));

	return (struct texture_axis){ .i[0] = __builtin_convertvector(n, v8i) };
}

/* GUESS(tex-compare-order): compare_func's first operand is the reference, its second the texel. */
static inline v8f compared(unsigned int func, v8f ref, v8f texel)
{
	switch (func) {
	case TEXTURE_COMPARE_FUNC_LEQUAL: return v8_truth(ref <= texel);
	case TEXTURE_COMPARE_FUNC_GEQUAL: return v8_truth(ref >= texel);
	case TEXTURE_COMPARE_FUNC_LESS: return v8_truth(ref < texel);
	case TEXTURE_COMPARE_FUNC_GREATER: return v8_truth(ref > texel);
	case TEXTURE_COMPARE_FUNC_EQUAL: return v8_truth(ref == texel);
	case TEXTURE_COMPARE_FUNC_NOTEQUAL: return v8_truth(ref != texel);
	case TEXTURE_COMPARE_FUNC_ALWAYS: return v8_splat(1);
	default: return v8_splat(0);
	}
}

static void fetch(void *ctx, const v8i *x, const v8i *y, const v8i *z, unsigned int lanes, v8f out[4])
{
	const struct sampling *f = ctx;

	fetch_raw(f, x, y, z, lanes, out);
	if (f->s->compare) {
		out[0] = out[1] = out[2] = compared(f->s->compare_func, f->ref, out[0]);
		out[3] = v8_splat(1);
	}
}

/* Lanes whose texel would lie beyond two edges. */
static unsigned int corners(v8i x, v8i y, int w, int h)
{
	return (unsigned int)v8_mask(((x < 0) | (x >= w)) & ((y < 0) | (y >= h)));
}

/*
 * A linear lookup of a cube map whose faces go on (OpenGL ES 3.0, 3.8.10): false where that makes no difference.
 * GUESS(tex-seamless-cube): in a corner, where there is no fourth texel, it is the mean of the others.
 */
static bool seamless(struct sampling *f, unsigned int lanes, v8f out[4])
{
	const struct v3d_level *l = f->level;
	int w = (int)l->w, h = (int)l->h;
	v8f u = texture_clamp(f->coord[0] * (float)w, 0, (float)w) - 0.5f, v = texture_clamp(f->coord[1] * (float)h, 0, (float)h) - 0.5f;
	v8f fu = texture_floor(u), fv = texture_floor(v), texel[4][4] = { 0 };
	v8i x0 = __builtin_convertvector(fu, v8i), y0 = __builtin_convertvector(fv, v8i);

	if (!(lanes & v8_mask((x0 < 0) | (x0 >= w - 1) | (y0 < 0) | (y0 >= h - 1))))
		return false;
	for (int k = 0; k < 4; k++) {
		v8i x = x0 + (k & 1), y = y0 + (k >> 1), face = f->face;
		unsigned int there = lanes & ~corners(x, y, w, h);

		if (there != lanes && unit_strict(&f->p->v->u))
			viv_guess(f->p->v, "tx", "the corner of a seamless cube map is the mean of three texels");
		EACH_LANE(there) {
			int at[2] = { x[lane], y[lane] };

			if (at[0] < 0 || at[0] >= w || at[1] < 0 || at[1] >= h)
				face[lane] = fragment_cube_beyond(face[lane], w, &at[0], &at[1]);
			x[lane] = at[0];
			y[lane] = at[1];
		}
		if (f->s->block == 1) {
			x = offset(f, x, false);
			y = offset(f, y, true);
		}
		fetch(f, &x, &y, &face, there, texel[k]);
	}
	u -= fu;
	v -= fv;
	for (int k = 0; k < 4; k++) {
		v8i corner = v8_lanes(corners(x0 + (k & 1), y0 + (k >> 1), w, h));

		for (unsigned int c = 0; c < 4; c++)
			texel[k][c] = v8_select(corner, (texel[k ^ 1][c] + texel[k ^ 2][c] + texel[k ^ 3][c]) / 3, texel[k][c]);
	}
	texture_blend(texel[0], texel[1], &u);
	texture_blend(texel[2], texel[3], &u);
	texture_blend(texel[0], texel[2], &v);
	memcpy(out, texel[0], sizeof(texel[0]));
	return true;
}

/*
 * texture_slice() of all lanes' four texels at once, along two axes, of one level or two; false, and nothing is done: not that
 * easy. Those without a weight are read, too, but not counted.
 */
static inline __attribute__((always_inline)) bool plane(unsigned int layout, enum viv_supertile mode, struct sampling *f,
							unsigned int level, unsigned int lanes, const v8f *between, v8f out[4])
{
	const struct v3d_sampler *s = f->s;
	unsigned int count = between ? 2 : 1, requests = 0;
	struct texture_four t[2];

	for (unsigned int n = 0; n < count; n++) {
		const struct v3d_level *l = f->level = &s->level[level + n];
		struct texture_axis x = texels(s->wrap[0], f->coord[0], l->w, false), y = texels(s->wrap[1], f->coord[1], l->h, false);
		unsigned int right = lanes & v8_mask(x.weight != 0), below = lanes & v8_mask(y.weight != 0);
		v8u vas[4], base = l->va + (v8u)f->face * l->slice;

		for (unsigned int i = 0; i < 2; i++) {
			x.i[i] = along(layout, mode, f, x.i[i], false);
			y.i[i] = along(layout, mode, f, y.i[i], true);
		}
		for (unsigned int k = 0; k < 4; k++)
			vas[k] = texture_needed(base + (v8u)x.i[k & 1] + (v8u)y.i[k >> 1], lanes);
		if (!l->aligned || !texture_words(f->p->v->port[VIV_PORT_TX], s->bytes, 4, vas, t[n].words))
			return false;
		t[n].x = x.weight;
		t[n].y = y.weight;
		requests += (unsigned int)(__builtin_popcount(lanes | right << 8 | below << 16) + __builtin_popcount(right & below));
	}
	count_texels(f, requests);
	f->p->v->perf.mc_read_8b_pipeline += requests;	/* 8 bytes of each */
	v3d_texels_linear(s, t, between, out);
	return true;
}

/* Bilinear lookups without a border or a comparison, of plain words; false: another way. */
static bool bilinear(struct sampling *f, unsigned int level, unsigned int lanes, const v8f *between, v8f out[4])
{
	return f->s->plane && !unit_strict(&f->p->v->u) && FOR_LAYOUT(f->s, plane, f, level, lanes, between, out);
}

static void sample_level(void *ctx, unsigned int level, bool nearest, unsigned int lanes, v8f out[4])
{
	struct sampling *f = ctx;
	const struct v3d_sampler *s = f->s;
	const struct v3d_level *l = f->level = &s->level[level];
	const v8i none = { 0 };
	struct texture_axis axis[3];

	f->p->v->perf.tx_bilinear += (unsigned int)__builtin_popcount(lanes);
	if (s->seamless && !nearest && seamless(f, lanes, out))
		return;
	if (!nearest && bilinear(f, level, lanes, NULL, out))
		return;
	axis[1].i[0] = axis[1].i[1] = none;
	axis[2].i[0] = axis[2].i[1] = f->face;
	axis[1].weight = axis[2].weight = (v8f)none;
	axis[0] = texels(s->wrap[0], f->coord[0], l->w, nearest);
	/* An array of rows: the second coordinate is the layer. */
	if (s->type == TEXTURE_TYPE_2D && s->array)
		axis[1] = layer(f->coord[1], l->h);
	else if (s->type != TEXTURE_TYPE_1D)
		axis[1] = texels(s->wrap[1], f->coord[1], l->h, nearest);
	if (s->type == TEXTURE_TYPE_3D)
		axis[2] = s->array ? layer(f->coord[2], l->d) : texels(s->wrap[2], f->coord[2], l->d, nearest);
	for (unsigned int i = 0; i < (nearest ? 2 : 4) && s->block == 1; i++)
		axis[i & 1].i[i / 2] = offset(f, axis[i & 1].i[i / 2], i & 1);
	texture_filter(fetch, f, axis, lanes, out);
}

/*
 * Which filter is chosen by the clamped LOD: with a maximum of 0 it is always
 * MAG (Mesa, of GC3000). Without mipmaps it is the level of the smallest LOD:
 * Mesa sets a base level so, and piglit's tex-miplevel-selection passes on the
 * GC2000 of its CI. GUESS(tex-mip-round): of mipmaps with NEAREST the boundary lies at a half,
 * rounded up, as the newest Mesa works it out for offsets (etnaviv_nir_lower_texture.c).
 */
static v8i choose_levels(const struct v3d_sampler *s, v8f lod, struct texture_levels *l)
{
	unsigned int nearest[2] = { s->mag == TEXTURE_FILTER_NEAREST ? 0xff : 0, s->min == TEXTURE_FILTER_NEAREST ? 0xff : 0 };
	unsigned int minified;
	v8f whole, fraction = { 0 };
	v8i level;

	lod = texture_clamp(lod, s->min_lod, s->max_lod);
	minified = v8_mask(lod > 0);
	l->nearest = (nearest[0] & ~minified) | (nearest[1] & minified);
	if (s->mip == TEXTURE_FILTER_NONE)
		lod = v8_splat(floorf(s->min_lod));
	if (s->mip == TEXTURE_FILTER_NEAREST) {
		whole = texture_floor(lod + 0.5f);
	} else {
		whole = texture_floor(lod);
		fraction = lod - whole;
	}
	whole = v8_select(lod > 0, whole, v8_splat(0));
	l->weight = v8_select(lod > 0, fraction, v8_splat(0));
	level = __builtin_convertvector(whole, v8i) + (int)s->base_level;
	l->between = v8_mask((l->weight != 0) & (level < (int)s->last_level));
	return texture_choose(level > (int)s->last_level, (v8i){ 0 } + (int)s->last_level, level);
}

/* --- Level of detail --------------------------------------------------------------------------- */

/* Coordinates that its level of detail depends on. */
static unsigned int dimensions(const struct v3d_sampler *s)
{
	return s->type == TEXTURE_TYPE_1D || (s->array && s->type == TEXTURE_TYPE_2D) ? 1 :
	       s->type == TEXTURE_TYPE_3D && !s->array ? 3 : 2;
}

/* Of the squares of the texels along x and y. */
static float lod_of_squares(float x, float y)
{
	float rho = x > y ? x : y;

	if (!(rho > 0x1p-80f))
		return -40;
	return rho < 0x1p80f ? 0.5f * log2f(rho) : 40;
}

static float lod_of(const struct v3d_sampler *s, const float dx[3], const float dy[3])
{
	const float size[3] = { (float)s->width, (float)s->height, (float)s->depth };
	float x = 0, y = 0;

	for (unsigned int i = 0; i < dimensions(s); i++) {
		x += dx[i] * size[i] * dx[i] * size[i];
		y += dy[i] * size[i] * dy[i] * size[i];
	}
	return lod_of_squares(x, y);
}

/*
 * log2 of the texels that a quad's pixel spans, from its upper and left differences; not of a
 * cube.
 */
static v8f quad_lods(const struct v3d_sampler *s, const v8f coord[3])
{
	const float size[3] = { (float)s->width, (float)s->height, (float)s->depth };
	v8f sum = { 0 };
	float left, right;

	for (unsigned int i = 0; i < dimensions(s); i++) {
		v8f d = coord[i] - __builtin_shufflevector(coord[i], coord[i], 0, 0, 0, 0, 4, 4, 4, 4);

		sum += d * size[i] * d * size[i];
	}
	left = lod_of_squares(sum[1], sum[2]);
	right = lod_of_squares(sum[5], sum[6]);
	return (v8f){ left, left, left, left, right, right, right, right };
}

/* On a cube: of the points on the face of the quad's first pixel. */
static float cube_lod(const struct v3d_sampler *s, const v8f coord[3], unsigned int quad)
{
	float c[3][3] = { 0 }, dx[3], dy[3];
	int face = -1;

	for (unsigned int i = 0; i < 3; i++) {
		unsigned int l = quad * 4 + i;

		face = fragment_cube_face((float[3]){ coord[0][l], coord[1][l], coord[2][l] }, face, c[i]);
	}
	for (unsigned int i = 0; i < 3; i++) {
		dx[i] = c[1][i] - c[0][i];
		dy[i] = c[2][i] - c[0][i];
	}
	return lod_of(s, dx, dy);
}

/* With the derivatives that the program gives; on a cube those of the point on the face. */
static float gradient_lod(const struct v3d_sampler *s, const struct vivsim_sample *in, unsigned int l)
{
	float v[3] = { in->coord[0][l], in->coord[1][l], in->coord[2][l] };
	float dx[3] = { in->ddx[0][l], in->ddx[1][l], in->ddx[2][l] };
	float dy[3] = { in->ddy[0][l], in->ddy[1][l], in->ddy[2][l] };

	if (s->type == TEXTURE_TYPE_CUBE_MAP) {
		float vx[3], vy[3], c[3] = { 0 }, cx[3] = { 0 }, cy[3] = { 0 };
		int face;

		for (unsigned int i = 0; i < 3; i++) {
			vx[i] = v[i] + dx[i];
			vy[i] = v[i] + dy[i];
		}
		face = fragment_cube_face(v, -1, c);
		fragment_cube_face(vx, face, cx);
		fragment_cube_face(vy, face, cy);
		for (unsigned int i = 0; i < 3; i++) {
			dx[i] = cx[i] - c[i];
			dy[i] = cy[i] - c[i];
		}
	}
	return lod_of(s, dx, dy);
}

static v8f lods_of(const struct v3d_sampler *s, bool vertex, const struct vivsim_sample *in)
{
	/* VS has no neighbours: GUESS(tex-vs-lod): its implicit level is the base. */
	v8f lods = { 0 };

	switch (in->lod_mode) {
	case VIVSIM_LOD_EXPLICIT:
		return s->bias + in->coord[3];
	case VIVSIM_LOD_GRADIENT:
		return s->bias + V8_EACH(gradient_lod(s, in, (unsigned int)lane));
	default:
		if (!vertex && s->type == TEXTURE_TYPE_CUBE_MAP)
			lods = v8_select(v8_lanes(0x0f), v8_splat(cube_lod(s, in->coord, 0)),
					 v8_splat(cube_lod(s, in->coord, 1)));
		else if (!vertex)
			lods = quad_lods(s, in->coord);
		lods += s->bias;
		return in->lod_mode == VIVSIM_LOD_BIAS ? lods + in->coord[3] : lods;
	}
}

/* A texel by its numbers. GUESS(tex-fetch-outside): outside of the level it is 0. */
static void fetch_level(void *ctx, unsigned int level, bool nearest, unsigned int lanes, v8f out[4])
{
	struct sampling *f = ctx;
	const struct v3d_sampler *s = f->s;
	const struct v3d_level *l = f->level = &s->level[level];
	v8i size[3] = { { 0 }, { 0 }, { 0 } }, c[3];
	v8i outside = { 0 };

	size[0] += (int)l->w;
	size[1] += (int)l->h;
	size[2] += s->type == TEXTURE_TYPE_CUBE_MAP ? 6 : (int)l->d;
	for (unsigned int i = 0; i < 3; i++) {
		c[i] = __builtin_convertvector(texture_clamp(f->coord[i], -1, 0x1p20f), v8i);
		if ((i == 1 && s->type == TEXTURE_TYPE_1D) ||
		    (i == 2 && s->type != TEXTURE_TYPE_3D && s->type != TEXTURE_TYPE_CUBE_MAP))
			c[i] = (v8i){ 0 };
		if (i < 2 && unit_answer(&f->p->v->u, PROFILE_TEX_FETCH_OUTSIDE))
			c[i] = texture_choose(c[i] < 0, (v8i){ 0 }, texture_choose(c[i] < size[i], c[i], size[i] - 1));
		outside |= (c[i] < 0) | (c[i] >= size[i]);
	}
	for (unsigned int i = 0; i < 2 && s->block == 1; i++)
		c[i] = offset(f, c[i], i);
	fetch_raw(f, &c[0], &c[1], &c[2], lanes & ~v8_mask(outside), out);
	for (unsigned int i = 0; i < 4; i++)
		out[i] = v8_select(outside, v8_splat(0), out[i]);
}

static void sample_texels(struct sampling *f, const struct vivsim_sample *in, v8f out[4])
{
	struct texture_levels levels = { 0 };
	unsigned int lanes = in->mask;

	for (unsigned int i = 0; i < V3D_LANES; i++) {
		float n = (float)f->s->base_level + in->coord[3][i];

		if (n >= 0 && n <= (float)f->s->last_level)
			levels.level[i] = (uint8_t)n;
		else
			lanes &= ~(1u << i);
	}
	texture_mipmap(fetch_level, f, &levels, lanes, out);
}

/* Directions become faces and places on them. */
static void to_faces(struct sampling *f)
{
	for (unsigned int i = 0; i < V3D_LANES; i++) {
		float d[3] = { f->coord[0][i], f->coord[1][i], f->coord[2][i] }, st[2];

		f->face[i] = fragment_cube_face(d, -1, st);
		f->coord[0][i] = st[0];
		f->coord[1][i] = st[1];
		f->coord[2][i] = 0;
	}
}

static void sample(struct sampling *f, const struct vivsim_sample *in, v8f out[4])
{
	const struct v3d_sampler *s = f->s;
	struct texture_levels levels;
	v8i level = choose_levels(s, texture_sane(lods_of(s, f->vertex, in)), &levels);
	unsigned int first = (unsigned int)__builtin_ctz(in->mask), between = levels.between & in->mask;
	bool nearest = levels.nearest >> first & 1;
	v8f other[4];
	v8b bytes;

	f->ref = texture_clamp(in->reference, 0, 1);
	if (s->type == TEXTURE_TYPE_CUBE_MAP)
		to_faces(f);
	f->p->v->perf.tx_trilinear += (unsigned int)__builtin_popcount(between);
	/* As texture_mipmap(), when all are alike; seams have a look at each level. */
	if (!(in->mask & v8_mask((level != level[first]))) && !((levels.nearest ^ -nearest) & in->mask) &&
	    (!between || between == in->mask)) {
		if (!nearest && !s->seamless && bilinear(f, (unsigned int)level[first], in->mask, between ? &levels.weight : NULL, out)) {
			f->p->v->perf.tx_bilinear += (unsigned int)__builtin_popcount(in->mask | between << 8);
			return;
		}
		sample_level(f, (unsigned int)level[first], nearest, in->mask, out);
		if (between)
			sample_level(f, (unsigned int)level[first] + 1, nearest, in->mask, other);
		for (unsigned int c = 0; between && c < 4; c++)
			out[c] += levels.weight * (other[c] - out[c]);
		return;
	}
	bytes = __builtin_convertvector(level, v8b);
	memcpy(levels.level, &bytes, sizeof(bytes));
	texture_mipmap(sample_level, f, &levels, in->mask, out);
}

void v3d_sample(struct viv3d *p, bool vertex, const struct vivsim_sample *in, v8f out[4])
{
	unsigned int n = number_of(p, vertex, in->sampler);
	struct sampling f;
	v8f rgba[4];

	f.p = p;
	f.vertex = vertex;
	f.face = (v8i){ 0 };
	if (p->fault || p->v->hung)
		return;
	f.s = n < V3D_SAMPLERS && p->sampler[n].decoded ? &p->sampler[n] : sampler(p, n);
	if (!f.s || !f.s->valid)
		return;
	/* Those of texels are whole, and stay outside where they are. */
	for (unsigned int i = 0; i < 3; i++)
		f.coord[i] = in->lod_mode == VIVSIM_LOD_TEXEL ? texture_clamp(in->coord[i], -1, 1 << 20) : texture_sane(in->coord[i]);
	if (in->lod_mode == VIVSIM_LOD_TEXEL)
		sample_texels(&f, in, out);
	else
		sample(&f, in, out);
	if (f.s->straight)
		return;
	memcpy(rgba, out, sizeof(rgba));
	for (unsigned int c = 0; c < 4; c++) {
		unsigned int from = f.s->swizzle[c];
		/* ONE of integers is an integer: Mesa has it stand for the alpha that their format lacks. */
		v8f one = f.s->integer ? (v8f)v8_word(1) : v8_splat(1);

		out[c] = from < 4 ? rgba[from] : from == TEXTURE_SWIZZLE_ONE ? one : v8_splat(0);
	}
}
