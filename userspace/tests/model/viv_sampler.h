/* SPDX-License-Identifier: MIT */
/* A scene with a sampler: from states (TE, NTE) and from descriptors (HALTI5). */
#ifndef LIMN_TESTS_VIV_SAMPLER_H
#define LIMN_TESTS_VIV_SAMPLER_H

#include "tests/model/viv_scene.h"

static struct scene s;

#define TRIANGLES 4

/* A sampler's settings. */
struct tex {
	unsigned int type, format, ext, w, h, min, mag, mip, wrap, min_lod, max_lod, stride;
	uint32_t swizzle;
	uint32_t addr[14];
	unsigned int compare;	/* TEXTURE_COMPARE_FUNC_* + 1; 0: none */
	uint32_t config2;	/* HALTI5 */
};

#define PLAIN_SWIZZLE	(0u << 8 | 1u << 12 | 2u << 16 | 3u << 20)

static void put_sampler(const struct tex *t, unsigned int n)
{
	struct env *e = &s.e;
	uint32_t mode = t->stride ? TEXTURE_ADDRESSING_MODE_LINEAR : TEXTURE_ADDRESSING_MODE_TILED;
	uint32_t c0 = VIV_SET(TE_SAMPLER_CONFIG0_TYPE, t->type) | VIV_SET(TE_SAMPLER_CONFIG0_FORMAT, t->format) |
		      VIV_SET(TE_SAMPLER_CONFIG0_ADDRESSING_MODE, mode);
	uint32_t c1 = t->swizzle | VIV_SET(TE_SAMPLER_CONFIG1_FORMAT_EXT, t->ext);
	uint32_t size = t->w | t->h << 16, desc[64] = { 0 };

	if (s.halti >= 5) {
		memcpy(desc, t->addr, sizeof(t->addr));
		desc[TXDESC_CONFIG0 / 4] = c0;
		desc[TXDESC_CONFIG1 / 4] = c1;
		desc[TXDESC_SIZE / 4] = size;
		desc[TXDESC_LINEAR_STRIDE / 4] = t->stride;
		desc[TXDESC_BASELOD / 4] = t->max_lod << 8;
		desc[TXDESC_3D_CONFIG / 4] = 1;
		desc[TXDESC_CONFIG2 / 4] = t->config2;
		memcpy(e->map[1] + DESC_AT, desc, sizeof(desc));
		set(e, VIVS_NTE_DESCRIPTOR_CONTROL, 1);
		set(e, VIV_AT(VIVS_NTE_DESCRIPTOR_ADDR, n), e->va[1] + DESC_AT);
		set(e, VIV_AT(VIVS_NTE_DESCRIPTOR_SAMP_CTRL0, n), t->wrap | t->wrap << 3 |
		    VIV_SET(VIVS_NTE_DESCRIPTOR_SAMP_CTRL0_MIN, t->min) | VIV_SET(VIVS_NTE_DESCRIPTOR_SAMP_CTRL0_MIP, t->mip) |
		    VIV_SET(VIVS_NTE_DESCRIPTOR_SAMP_CTRL0_MAG, t->mag) |
		    (t->compare ? VIVS_NTE_DESCRIPTOR_SAMP_CTRL0_COMPARE_ENABLE |
		     VIV_SET(VIVS_NTE_DESCRIPTOR_SAMP_CTRL0_COMPARE_FUNC, t->compare - 1) : 0));
		set(e, VIV_AT(VIVS_NTE_DESCRIPTOR_SAMP_LOD_MINMAX, n), t->max_lod << 8);
		return;
	}
	c0 |= VIV_SET(TE_SAMPLER_CONFIG0_UWRAP, t->wrap) | VIV_SET(TE_SAMPLER_CONFIG0_VWRAP, t->wrap) |
	      VIV_SET(TE_SAMPLER_CONFIG0_MIN, t->min) | VIV_SET(TE_SAMPLER_CONFIG0_MIP, t->mip) |
	      VIV_SET(TE_SAMPLER_CONFIG0_MAG, t->mag);
#define WORD(name, v)	set(e, s.halti >= 1 ? VIV_AT(VIVS_NTE_SAMPLER_##name, n) : VIV_AT(VIVS_TE_SAMPLER_##name, n), v)
	WORD(CONFIG0, c0);
	WORD(CONFIG1, c1);
	WORD(SIZE, size);
	WORD(LOD_CONFIG, VIV_SET(TE_SAMPLER_LOD_CONFIG_MAX, t->max_lod << 5) | VIV_SET(TE_SAMPLER_LOD_CONFIG_MIN, t->min_lod << 5));
	WORD(3D_CONFIG, 1);
#undef WORD
	if (s.halti >= 1 && t->compare)
		set(e, VIV_AT(VIVS_NTE_SAMPLER_BASELOD, n), TE_SAMPLER_BASELOD_COMPARE_ENABLE |
		    VIV_SET(TE_SAMPLER_BASELOD_COMPARE_FUNC, t->compare - 1));
	set(e, s.halti >= 1 ? VIV_AT(VIVS_NTE_SAMPLER_LINEAR_STRIDE, n) : VIV_AT2(VIVS_TE_SAMPLER_LINEAR_STRIDE, n, 0), t->stride);
	for (unsigned int i = 0; i < 14; i++)
		set(e, s.halti >= 1 ? VIV_AT2(VIVS_NTE_SAMPLER_ADDR_LOD, n, i) : VIV_AT2(VIVS_TE_SAMPLER_LOD_ADDR, n, i), t->addr[i]);
}

static struct tex plain(unsigned int format, unsigned int w, unsigned int h)
{
	struct tex t = { .type = TEXTURE_TYPE_2D, .format = format, .w = w, .h = h, .min = TEXTURE_FILTER_NEAREST,
			 .mag = TEXTURE_FILTER_NEAREST, .wrap = TEXTURE_WRAPMODE_CLAMP_TO_EDGE, .swizzle = PLAIN_SWIZZLE };

	t.addr[0] = s.e.va[1] + TEXTURE_AT;
	return t;
}

/* Everything is covered; texture coordinates go from (s0, t0) at the upper left to (s1, t1). */
static void cover(float s0, float t0, float s1, float t1, float r)
{
	const struct vert v[3] = {
		{ { -1, 1, 0, 1 }, { s0, t0, r, 1 } }, { { 3, 1, 0, 1 }, { 2 * s1 - s0, t0, r, 1 } },
		{ { -1, -3, 0, 1 }, { s0, 2 * t1 - t0, r, 1 } },
	};

	scene_vertices(&s, v, 3);
}

static const char ps_texture[] = "texld t1, tex0, t1.xyzz, void, void\n";

#endif
