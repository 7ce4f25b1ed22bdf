// SPDX-License-Identifier: MIT
/*
 * Samplers: TE states, NTE states from HALTI1 on, descriptors in memory from
 * HALTI5 on. Facts: Mesa etnaviv_texture_state.c, etnaviv_texture_desc.c.
 */
#include <math.h>

#include "lib/vivante/vivante.h"

static uint32_t clamp_fixed(float value, int fraction, int32_t min, int32_t max)
{
	long v = lrintf(value * (1 << fraction));

	return v < min ? min : v > max ? max : v;
}

/* log2 of a size with 5 or 8 bits of fraction, downwards as Mesa has it. */
static uint32_t log2_fixed(uint32_t size, int fraction)
{
	return (uint32_t)(log2f(size) * (1 << fraction));
}

static uint32_t swizzle(const struct viv_texture *t)
{
	return VIV_SET(TE_SAMPLER_CONFIG1_SWIZZLE_R, t->swizzle[0]) |
	       VIV_SET(TE_SAMPLER_CONFIG1_SWIZZLE_G, t->swizzle[1]) |
	       VIV_SET(TE_SAMPLER_CONFIG1_SWIZZLE_B, t->swizzle[2]) |
	       VIV_SET(TE_SAMPLER_CONFIG1_SWIZZLE_A, t->swizzle[3]);
}

static uint32_t config1(const struct viv_texture *t)
{
	return (t->ext ? VIV_SET(TE_SAMPLER_CONFIG1_FORMAT_EXT, t->format) : 0) | swizzle(t) |
	       VIV_SET(TE_SAMPLER_CONFIG1_HALIGN, t->halign);
}

/* LINEAR of a single level would read the next, which is not there, as MAX need not be 0: lod_config(). */
static uint32_t mip_of(const struct viv_texture *t)
{
	return t->levels == 1 && t->mip == TEXTURE_FILTER_LINEAR ? TEXTURE_FILTER_NEAREST : t->mip;
}

static uint32_t config0(const struct viv_texture *t)
{
	bool linear = t->min == TEXTURE_FILTER_LINEAR && t->mag == TEXTURE_FILTER_LINEAR;

	return VIV_SET(TE_SAMPLER_CONFIG0_TYPE, t->type) | VIV_SET(TE_SAMPLER_CONFIG0_UWRAP, t->wrap_s) |
	       VIV_SET(TE_SAMPLER_CONFIG0_VWRAP, t->wrap_t) | VIV_SET(TE_SAMPLER_CONFIG0_MIN, t->min) |
	       VIV_SET(TE_SAMPLER_CONFIG0_MIP, mip_of(t)) | VIV_SET(TE_SAMPLER_CONFIG0_MAG, t->mag) |
	       (t->ext ? 0 : VIV_SET(TE_SAMPLER_CONFIG0_FORMAT, t->format)) |
	       (linear ? TE_SAMPLER_CONFIG0_ROUND_UV : 0) |
	       VIV_SET(TE_SAMPLER_CONFIG0_ADDRESSING_MODE,
		       t->linear ? TEXTURE_ADDRESSING_MODE_LINEAR : TEXTURE_ADDRESSING_MODE_TILED);
}

static uint32_t depth_of(const struct viv_texture *t)
{
	return t->depth ? t->depth : 1;
}

static uint32_t config_3d(const struct viv_texture *t)
{
	return VIV_SET(TE_SAMPLER_3D_CONFIG_DEPTH, depth_of(t)) |
	       VIV_SET(TE_SAMPLER_3D_CONFIG_LOG_DEPTH, log2_fixed(depth_of(t), 5)) |
	       VIV_SET(TE_SAMPLER_3D_CONFIG_WRAP, t->wrap_r);
}

static uint32_t lod_config(const struct viv_texture *t)
{
	bool mip = t->mip != TEXTURE_FILTER_NONE;
	int32_t last = (t->levels - 1) << 5;
	uint32_t max = mip ? clamp_fixed(t->lod_max, 5, 0, last) : 0;
	uint32_t min = mip ? clamp_fixed(t->lod_min, 5, 0, max) : 0;

	/* Without a range the level is never computed, and with it not which filter: GC3000. */
	if (!max && t->min != t->mag)
		max = 1;
	return (mip && t->lod_bias != 0 ? TE_SAMPLER_LOD_CONFIG_BIAS_ENABLE : 0) |
	       VIV_SET(TE_SAMPLER_LOD_CONFIG_MAX, max) | VIV_SET(TE_SAMPLER_LOD_CONFIG_MIN, min) |
	       VIV_SET(TE_SAMPLER_LOD_CONFIG_BIAS, clamp_fixed(t->lod_bias, 5, -512, 511));
}

static void emit_old(struct viv_stream *s, const struct viv_texture *const *list)
{
	const uint32_t n = VIVS_TE_SAMPLER_CONFIG0__LEN;

#define EACH(state, value) do { \
	for (uint32_t i = 0; i < n; i++) { \
		const struct viv_texture *t = list[i]; \
		if (t) \
			limn_viv_set(s, VIV_AT(state, i), value); \
	} \
} while (0)
	/* Units that are not in use: type none. */
	for (uint32_t i = 0; i < n; i++)
		limn_viv_set(s, VIV_AT(VIVS_TE_SAMPLER_CONFIG0, i), list[i] ? config0(list[i]) : 0);
	EACH(VIVS_TE_SAMPLER_SIZE, VIV_SET(TE_SAMPLER_SIZE_WIDTH, t->width) |
				   VIV_SET(TE_SAMPLER_SIZE_HEIGHT, t->height));
	EACH(VIVS_TE_SAMPLER_LOG_SIZE, VIV_SET(TE_SAMPLER_LOG_SIZE_WIDTH, log2_fixed(t->width, 5)) |
				       VIV_SET(TE_SAMPLER_LOG_SIZE_HEIGHT, log2_fixed(t->height, 5)));
	EACH(VIVS_TE_SAMPLER_LOD_CONFIG, lod_config(t));
	EACH(VIVS_TE_SAMPLER_3D_CONFIG, config_3d(t));
	EACH(VIVS_TE_SAMPLER_CONFIG1, config1(t));
	for (uint32_t level = 0; level < VIV_MAX_LEVELS; level++)
		for (uint32_t i = 0; i < n; i++)
			if (list[i] && level < list[i]->levels)
				limn_viv_set_bo(s, VIV_AT2(VIVS_TE_SAMPLER_LOD_ADDR, i, level), list[i]->bo,
						list[i]->offsets[level], LIMN_READ);
	EACH(VIVS_TE_SAMPLER_LINEAR_STRIDE, t->linear ? t->stride : 0);
}

static void emit_new(struct viv_stream *s, const struct viv_texture *const *list)
{
	const uint32_t n = VIVS_NTE_SAMPLER_CONFIG0__LEN;

	for (uint32_t i = 0; i < n; i++)
		limn_viv_set(s, VIV_AT(VIVS_NTE_SAMPLER_CONFIG0, i), list[i] ? config0(list[i]) : 0);
	EACH(VIVS_NTE_SAMPLER_SIZE, VIV_SET(TE_SAMPLER_SIZE_WIDTH, t->width) |
				    VIV_SET(TE_SAMPLER_SIZE_HEIGHT, t->height));
	EACH(VIVS_NTE_SAMPLER_LOG_SIZE, VIV_SET(TE_SAMPLER_LOG_SIZE_WIDTH, log2_fixed(t->width, 5)) |
					VIV_SET(TE_SAMPLER_LOG_SIZE_HEIGHT, log2_fixed(t->height, 5)));
	EACH(VIVS_NTE_SAMPLER_LOD_CONFIG, lod_config(t));
	EACH(VIVS_NTE_SAMPLER_LINEAR_STRIDE, t->linear ? t->stride : 0);
	EACH(VIVS_NTE_SAMPLER_3D_CONFIG, config_3d(t));
	EACH(VIVS_NTE_SAMPLER_CONFIG1, config1(t));
	EACH(VIVS_NTE_SAMPLER_BASELOD, VIV_SET(TE_SAMPLER_BASELOD_MAXLOD, t->levels - 1) |
	     (t->compare ? TE_SAMPLER_BASELOD_COMPARE_ENABLE |
	      VIV_SET(TE_SAMPLER_BASELOD_COMPARE_FUNC, t->compare - 1) : 0));
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t level = 0; list[i] && level < list[i]->levels; level++)
			limn_viv_set_bo(s, VIV_AT2(VIVS_NTE_SAMPLER_ADDR_LOD, i, level), list[i]->bo,
					list[i]->offsets[level], LIMN_READ);
}

static void emit_descriptors(struct viv_stream *s, const struct viv_texture *const *list)
{
	for (uint32_t i = 0; i < VIV_MAX_SAMPLERS; i++) {
		const struct viv_texture *t = list[i];
		uint32_t least;

		if (!t)
			continue;
		least = t->min != t->mag ? 4 : 0;
		limn_viv_set(s, VIV_AT(VIVS_NTE_DESCRIPTOR_TX_CTRL, i), VIV_SET(VIVS_NTE_DESCRIPTOR_TX_CTRL_TS_INDEX, i) |
								   VIVS_NTE_DESCRIPTOR_TX_CTRL_128B_TILE);
		limn_viv_set(s, VIV_AT(VIVS_NTE_DESCRIPTOR_SAMP_CTRL0, i),
			     VIV_SET(VIVS_NTE_DESCRIPTOR_SAMP_CTRL0_UWRAP, t->wrap_s) |
			     VIV_SET(VIVS_NTE_DESCRIPTOR_SAMP_CTRL0_VWRAP, t->wrap_t) |
			     VIV_SET(VIVS_NTE_DESCRIPTOR_SAMP_CTRL0_WWRAP, t->wrap_r) |
			     VIV_SET(VIVS_NTE_DESCRIPTOR_SAMP_CTRL0_MIN, t->min) |
			     VIV_SET(VIVS_NTE_DESCRIPTOR_SAMP_CTRL0_MIP, mip_of(t)) |
			     VIV_SET(VIVS_NTE_DESCRIPTOR_SAMP_CTRL0_MAG, t->mag) | VIVS_NTE_DESCRIPTOR_SAMP_CTRL0_UNK21 |
			     (t->compare ? VIVS_NTE_DESCRIPTOR_SAMP_CTRL0_COMPARE_ENABLE |
			      VIV_SET(VIVS_NTE_DESCRIPTOR_SAMP_CTRL0_COMPARE_FUNC, t->compare - 1) : 0));
		limn_viv_set(s, VIV_AT(VIVS_NTE_DESCRIPTOR_SAMP_CTRL1, i), VIVS_NTE_DESCRIPTOR_SAMP_CTRL1_UNK1);
		least = t->mip == TEXTURE_FILTER_NONE ? least :
			clamp_fixed(t->lod_max, 8, least, (t->levels - 1) << 8 > least ? (t->levels - 1) << 8 : least);
		limn_viv_set(s, VIV_AT(VIVS_NTE_DESCRIPTOR_SAMP_LOD_MINMAX, i),
			     VIV_SET(VIVS_NTE_DESCRIPTOR_SAMP_LOD_MINMAX_MAX, least) |
			     VIV_SET(VIVS_NTE_DESCRIPTOR_SAMP_LOD_MINMAX_MIN, t->mip == TEXTURE_FILTER_NONE ? 0 :
				     clamp_fixed(t->lod_min, 8, 0, least)));
		limn_viv_set(s, VIV_AT(VIVS_NTE_DESCRIPTOR_SAMP_LOD_BIAS, i),
			     VIV_SET(VIVS_NTE_DESCRIPTOR_SAMP_LOD_BIAS_BIAS, clamp_fixed(t->lod_bias, 8, -4096, 4095)) |
			     (t->lod_bias != 0 ? VIVS_NTE_DESCRIPTOR_SAMP_LOD_BIAS_ENABLE : 0));
		limn_viv_set(s, VIV_AT(VIVS_NTE_DESCRIPTOR_SAMP_ANISOTROPY, i), 0);
		limn_viv_use_bo(s, t->bo, LIMN_READ);
		limn_viv_set_bo(s, VIV_AT(VIVS_NTE_DESCRIPTOR_ADDR, i), t->desc, t->desc_offset, LIMN_READ);
	}
	for (uint32_t i = 0; i < VIV_MAX_SAMPLERS; i++)
		if (list[i])
			limn_viv_set(s, VIVS_NTE_DESCRIPTOR_INVALIDATE, VIVS_NTE_DESCRIPTOR_INVALIDATE_UNK29 |
				     VIV_SET(VIVS_NTE_DESCRIPTOR_INVALIDATE_IDX, i));
}

void viv_textures_emit(struct viv_stream *s, const struct viv_specs *p, const struct viv_call *c)
{
	if (p->halti >= 5)
		emit_descriptors(s, c->textures);
	else if (p->halti >= 1)
		emit_new(s, c->textures);
	else
		emit_old(s, c->textures);
}

void limn_viv_texture_describe(const struct viv_texture *t, uint32_t *d)
{
	for (int i = 0; i < TXDESC_BYTES / 4; i++)
		d[i] = 0;
	d[TXDESC_CONFIG0 / 4] = config0(t) & (VIV_MASK(TE_SAMPLER_CONFIG0_TYPE) | VIV_MASK(TE_SAMPLER_CONFIG0_FORMAT) |
					      VIV_MASK(TE_SAMPLER_CONFIG0_ADDRESSING_MODE));
	d[TXDESC_CONFIG1 / 4] = config1(t);
	d[TXDESC_CONFIG2 / 4] = TE_SAMPLER_CONFIG2_UNK16 | TE_SAMPLER_CONFIG2_UNK17 | t->config2;
	d[TXDESC_LINEAR_STRIDE / 4] = t->stride;
	d[TXDESC_SLICE / 4] = t->slice ? t->slice : t->levels > 1 ? t->offsets[1] : t->stride * t->height;
	d[TXDESC_3D_CONFIG / 4] = VIV_SET(TE_SAMPLER_3D_CONFIG_DEPTH, depth_of(t));
	d[TXDESC_ASTC0 / 4] = VIV_SET(TE_SAMPLER_ASTC0_UNK8, 0xc) | VIV_SET(TE_SAMPLER_ASTC0_UNK16, 0xc) |
			      VIV_SET(TE_SAMPLER_ASTC0_UNK24, 0xc);
	d[TXDESC_BASELOD / 4] = VIV_SET(TE_SAMPLER_BASELOD_MAXLOD, t->levels - 1);
	d[TXDESC_LOG_SIZE_EXT / 4] = VIV_SET(TE_SAMPLER_LOG_SIZE_EXT_WIDTH, log2_fixed(t->width, 8)) |
				     VIV_SET(TE_SAMPLER_LOG_SIZE_EXT_HEIGHT, log2_fixed(t->height, 8));
	d[TXDESC_SIZE / 4] = VIV_SET(TE_SAMPLER_SIZE_WIDTH, t->width) | VIV_SET(TE_SAMPLER_SIZE_HEIGHT, t->height);
	for (uint32_t i = 0; i < t->levels; i++)
		d[TXDESC_LOD_ADDR / 4 + i] = t->bo->va + t->offsets[i];
}
