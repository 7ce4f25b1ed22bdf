/* SPDX-License-Identifier: MIT */
/*
 * Render state words and texture descriptors, decoded once per job and kept
 * by address. What is not known is reported with its address.
 */
#include <math.h>

#include <limn/utgard/formats.h>

#include "model/utgard/pp.h"

static int32_t sign_extend(uint32_t v, unsigned int bits)
{
	return (int32_t)(v << (32 - bits)) >> (32 - bits);
}

#define ONCE(pp, kind, ...) \
	do { \
		if (pp_once(pp, kind)) \
			unit_report(&(pp)->u, __VA_ARGS__); \
	} while (0)

static void decode_blend(struct pp *pp, struct pp_draw *d)
{
	uint32_t w = d->rsw[RSW_ALPHA_BLEND], unknown = UTGARD_GET(RSW_BLEND_UNKNOWN_24_4, w);
	uint32_t bg = d->rsw[RSW_BLEND_COLOR_BG], ra = d->rsw[RSW_BLEND_COLOR_RA];

	if ((bg | ra) & ~RSW_KNOWN_CONST)
		ONCE(pp, PP_ONCE_CONST, "RSW at 0x%08x: words 0, 1 = 0x%08x 0x%08x: unknown bits beside the 8-bit blend constants",
		     d->va, bg, ra);
	d->constant[0] = UTGARD_GET(RSW_CONST_RED, ra) / 255.0f;
	d->constant[1] = UTGARD_GET(RSW_CONST_GREEN, bg) / 255.0f;
	d->constant[2] = UTGARD_GET(RSW_CONST_BLUE, bg) / 255.0f;
	d->constant[3] = UTGARD_GET(RSW_CONST_ALPHA, ra) / 255.0f;
	d->func_rgb = UTGARD_GET(RSW_BLEND_FUNC_RGB, w);
	d->func_alpha = UTGARD_GET(RSW_BLEND_FUNC_ALPHA, w);
	d->src_rgb = UTGARD_GET(RSW_BLEND_SRC_RGB, w);
	d->dst_rgb = UTGARD_GET(RSW_BLEND_DST_RGB, w);
	d->src_alpha = UTGARD_GET(RSW_BLEND_SRC_ALPHA, w);
	d->dst_alpha = UTGARD_GET(RSW_BLEND_DST_ALPHA, w);
	d->color_mask = UTGARD_GET(RSW_COLOR_MASK, w);
	d->blend = d->func_rgb != RSW_BLEND_ADD || d->func_alpha != RSW_BLEND_ADD ||
		   d->src_rgb != RSW_FACTOR_ONE || d->dst_rgb != RSW_FACTOR_ZERO ||
		   d->src_alpha != RSW_FACTOR_ONE || d->dst_alpha != RSW_FACTOR_ZERO;
	/* GUESS(rsw-blend-24): bits 27:24, 0 or 0xc from drivers, change nothing that can be seen. */
	if (unknown && unknown != RSW_BLEND_UNKNOWN_24_4_DRAW)
		ONCE(pp, PP_ONCE_BLEND, "RSW at 0x%08x: word 2 = 0x%08x: unknown value in bits 27:24",
		     d->va, w);
	/* GUESS(pp-logic-fp16): a logic op works on 8 bits also where the tile buffer holds 16-bit floats. */
	if ((d->func_rgb == RSW_BLEND_LOGIC || d->func_alpha == RSW_BLEND_LOGIC) && pp_fp16(pp))
		ONCE(pp, PP_ONCE_BLEND, "RSW at 0x%08x: word 2 = 0x%08x: guessed: a logic op on 16-bit floats", d->va, w);
	if (d->func_rgb > 5 || d->func_alpha > 5 ||
	    (d->func_rgb != RSW_BLEND_LOGIC && ((d->src_rgb & 7) > 5 || (d->dst_rgb & 7) > 5)) ||
	    (d->func_alpha != RSW_BLEND_LOGIC && ((d->src_alpha & 7) > 5 || (d->dst_alpha & 7) > 5)))
		ONCE(pp, PP_ONCE_BLEND, "RSW at 0x%08x: word 2 = 0x%08x: unknown blend function or factor",
		     d->va, w);
}

static void decode_depth(struct pp *pp, struct pp_draw *d)
{
	uint32_t w = d->rsw[RSW_DEPTH_TEST], range = d->rsw[RSW_DEPTH_RANGE], n, f;

	d->depth_write = UTGARD_GET(RSW_DEPTH_WRITE, w);
	d->depth_func = UTGARD_GET(RSW_DEPTH_FUNC, w);
	d->clip_near = !UTGARD_GET(RSW_DEPTH_NO_CLIP_NEAR, w);
	d->clip_far = !UTGARD_GET(RSW_DEPTH_NO_CLIP_FAR, w);
	d->depth_reg = UTGARD_GET(RSW_DEPTH_REG, w);
	d->shader_packed = UTGARD_GET(RSW_DEPTH_SHADER_PACKED, w);
	d->shader_depth = UTGARD_GET(RSW_DEPTH_SHADER_DEPTH, w);
	d->shader_stencil = UTGARD_GET(RSW_DEPTH_SHADER_STENCIL, w);
	d->offset_scale = sign_extend(UTGARD_GET(RSW_DEPTH_OFFSET_SCALE, w), 8) / 4.0;
	d->offset_units = sign_extend(UTGARD_GET(RSW_DEPTH_OFFSET_UNITS, w), 8) / 2.0;
	n = lround(UTGARD_GET(RSW_DEPTH_RANGE_NEAR, range) * (double)PP_CLEAR_DEPTH_MASK / 65535);
	f = lround(UTGARD_GET(RSW_DEPTH_RANGE_FAR, range) * (double)PP_CLEAR_DEPTH_MASK / 65535);
	/* The range's 16 bits are coarser than depth: leave half a step each side. */
	d->depth_min = n < f ? n : f;
	d->depth_max = n < f ? f : n;
	d->depth_min = d->depth_min > 128 ? d->depth_min - 128 : 0;
	d->depth_max = d->depth_max < PP_CLEAR_DEPTH_MASK - 128 ? d->depth_max + 128 :
		       PP_CLEAR_DEPTH_MASK;
	/* With a reversed range the near bit still speaks of the near value. */
	if (n > f) {
		bool t = d->clip_near;

		d->clip_near = d->clip_far;
		d->clip_far = t;
	}
	if (UTGARD_GET(RSW_DEPTH_UNKNOWN_13_3, w))
		ONCE(pp, PP_ONCE_DEPTH, "RSW at 0x%08x: word 3 = 0x%08x: unknown bits 15:13",
		     d->va, w);
}

static void decode_stencil(struct pp *pp, struct pp_draw *d)
{
	uint32_t test = d->rsw[RSW_STENCIL_TEST];
	unsigned int i;

	for (i = 0; i < 2; i++) {
		uint32_t w = d->rsw[RSW_STENCIL_FRONT + i];
		struct pp_stencil *s = &d->stencil[i];

		s->func = UTGARD_GET(RSW_STENCIL_FUNC, w);
		s->fail = UTGARD_GET(RSW_STENCIL_FAIL, w);
		s->zfail = UTGARD_GET(RSW_STENCIL_ZFAIL, w);
		s->zpass = UTGARD_GET(RSW_STENCIL_ZPASS, w);
		s->ref = UTGARD_GET(RSW_STENCIL_REF, w);
		s->mask = UTGARD_GET(RSW_STENCIL_MASK, w);
		s->write = i ? UTGARD_GET(RSW_STENCIL_WRITE_BACK, test) :
			       UTGARD_GET(RSW_STENCIL_WRITE_FRONT, test);
		if (s->func != RSW_ALWAYS || s->fail || s->zfail || s->zpass)
			d->stencil_test = true;
		if (UTGARD_GET(RSW_STENCIL_UNKNOWN_12_4, w))
			ONCE(pp, PP_ONCE_STENCIL, "RSW at 0x%08x: word %u = 0x%08x: unknown bits 15:12",
			     d->va, RSW_STENCIL_FRONT + i, w);
	}
	d->alpha_ref = UTGARD_GET(RSW_ALPHA_REF, test);
	if (UTGARD_GET(RSW_STENCIL_TEST_UNKNOWN_24_8, test))
		ONCE(pp, PP_ONCE_STENCIL, "RSW at 0x%08x: word 7 = 0x%08x: unknown bits 31:24",
		     d->va, test);
}

static void decode_samples(struct pp *pp, struct pp_draw *d)
{
	uint32_t w = d->rsw[RSW_MULTI_SAMPLE], msaa = UTGARD_GET(RSW_MSAA, w);

	d->alpha_func = UTGARD_GET(RSW_ALPHA_FUNC, w);
	d->sample_mask = UTGARD_GET(RSW_SAMPLE_MASK, w);
	/* GUESS(rsw-msaa-bits): of bits 6:3, seen as 0xd and 0 on draws, the lowest turns multisampling on. */
	d->msaa = msaa & 1;
	d->alpha_to_coverage = UTGARD_GET(RSW_ALPHA_TO_COVERAGE, w);
	d->alpha_to_one = UTGARD_GET(RSW_ALPHA_TO_ONE, w);
	d->color_reg = UTGARD_GET(RSW_COLOR_REG, w);
	if ((msaa && msaa != RSW_MSAA_ON && msaa != RSW_MSAA_CLEAR_RSW) ||
	    UTGARD_GET(RSW_MULTI_SAMPLE_UNKNOWN_9_1, w) || UTGARD_GET(RSW_PRIM_TYPE, w) == 3)
		ONCE(pp, PP_ONCE_MSAA, "RSW at 0x%08x: word 8 = 0x%08x: unknown bits in 11:3",
		     d->va, w);
	if (UTGARD_GET(RSW_COLOR_REG1, w) != d->color_reg ||
	    UTGARD_GET(RSW_COLOR_REG2, w) != d->color_reg ||
	    UTGARD_GET(RSW_COLOR_REG3, w) != d->color_reg)
		ONCE(pp, PP_ONCE_MSAA, "RSW at 0x%08x: word 8 = 0x%08x: four different colour registers; only the lowest is used",
		     d->va, w);
}

static void decode_varyings(struct pp *pp, struct pp_draw *d)
{
	uint32_t offset = 0, i;

	d->varyings = d->rsw[RSW_VARYINGS_ADDRESS] & RSW_VARYINGS_MASK;
	d->varying_stride = UTGARD_GET(RSW_AUX0_VARYING_STRIDE, d->rsw[RSW_AUX0]) * 8;
	for (i = 0; i < RSW_MAX_VARYINGS; i++) {
		unsigned int type = rsw_varying_type(d->rsw, i), align = RSW_VARYING_ALIGN(type);

		offset = (offset + align - 1) & ~(align - 1);
		d->varying_type[i] = type;
		d->varying_offset[i] = offset;
		offset += RSW_VARYING_SIZE(type);
		/*
		 * GUESS(pp-varying-small): the types that no driver writes are placed as those of 16-bit floats; LOWP3, whose
		 * bits nobody knows, reads as 0, 0, 0, 1.
		 */
		if (type > RSW_VARYING_F16X2 && offset <= d->varying_stride && (unit_strict(&pp->u) || type == RSW_VARYING_LOWP3))
			ONCE(pp, PP_ONCE_VARYING_GUESS, "RSW at 0x%08x: varying %u: guessed: type %u", d->va, i, type);
	}
}

static bool decode_resources(struct pp *pp, struct pp_draw *d)
{
	uint32_t aux0 = d->rsw[RSW_AUX0], aux1 = d->rsw[RSW_AUX1];
	uint32_t uniforms = d->rsw[RSW_UNIFORMS_ADDRESS], early;

	d->shader = d->rsw[RSW_SHADER_ADDRESS] & RSW_SHADER_MASK;
	d->first_length = UTGARD_GET(RSW_SHADER_FIRST_LENGTH, d->rsw[RSW_SHADER_ADDRESS]);
	d->color1_reg = UTGARD_GET(RSW_AUX0_COLOR1_REG, aux0);
	d->front_ccw = UTGARD_GET(RSW_AUX1_FRONT_CCW, aux1);
	early = UTGARD_GET(RSW_AUX0_EARLY_Z, aux0);
	/*
	 * GUESS(pp-early-z): early Z means what its name says: depth and stencil are tested
	 * and written before the shader. Pixel kill and dithering change no
	 * result: hidden fragments leave no trace, and the dither matrix is unknown.
	 */
	d->early_z = early & RSW_AUX0_EARLY_Z_TESTS && UTGARD_GET(PP_FEATURES_EARLY_Z, pp->frame[PP_FEATURES / 4]);
	if (UTGARD_GET(RSW_AUX0_HAS_UNIFORMS, aux0)) {
		pp->count[PP_CNT_UNIFORM_TABLE_READS]++;
		if (!pp_read(pp, uniforms & RSW_UNIFORMS_MASK, &d->uniforms, 4))
			return false;
		d->uniforms_count = 4u << UTGARD_GET(RSW_UNIFORMS_LOG2, uniforms);
	}
	if (UTGARD_GET(RSW_AUX0_HAS_SAMPLERS, aux0)) {
		d->textures = d->rsw[RSW_TEXTURES_ADDRESS];
		d->num_textures = UTGARD_GET(RSW_AUX0_NUM_SAMPLERS, aux0);
	}
	if (UTGARD_GET(RSW_AUX0_UNKNOWN_6_1, aux0) || UTGARD_GET(RSW_AUX0_UNKNOWN_10_2, aux0) ||
	    UTGARD_GET(RSW_AUX0_UNKNOWN_13_1, aux0) || (early && !(early & RSW_AUX0_EARLY_Z_TESTS)))
		ONCE(pp, PP_ONCE_AUX, "RSW at 0x%08x: word 13 = 0x%08x: unknown bits in 13:6",
		     d->va, aux0);
	if (aux1 & ~RSW_AUX1_KNOWN)
		ONCE(pp, PP_ONCE_AUX, "RSW at 0x%08x: word 14 = 0x%08x: unknown bits", d->va, aux1);
	if (d->early_z && (d->shader_depth || d->shader_stencil))
		ONCE(pp, PP_ONCE_AUX, "RSW at 0x%08x: words 3, 13 = 0x%08x 0x%08x: early Z, and the shader writes depth or stencil; that is lost",
		     d->va, d->rsw[RSW_DEPTH_TEST], aux0);
	if (d->num_textures > PP_MAX_TEXTURES) {
		ONCE(pp, PP_ONCE_SAMPLER, "RSW at 0x%08x: word 13 = 0x%08x: %u samplers, %u are known to work",
		     d->va, aux0, d->num_textures, PP_MAX_TEXTURES);
		d->num_textures = PP_MAX_TEXTURES;
	}
	if (!d->first_length)
		ONCE(pp, PP_ONCE_SHADER, "RSW at 0x%08x: word 9 = 0x%08x: the first instruction has length 0",
		     d->va, d->rsw[RSW_SHADER_ADDRESS]);
	return true;
}

struct pp_draw *pp_draw_get(struct pp *pp, uint32_t va)
{
	struct pp_draw *d = &pp->cache[va / RSW_BYTES % PP_DRAW_CACHE];

	if (d->valid && d->va == va)
		return d;
	memset(d, 0, sizeof(*d));
	d->va = va;
	if (!pp_read(pp, va, d->rsw, sizeof(d->rsw)))
		return NULL;
	pp->count[PP_CNT_RSW_READS] += RSW_BYTES / 8;
	decode_blend(pp, d);
	decode_depth(pp, d);
	decode_stencil(pp, d);
	decode_samples(pp, d);
	decode_varyings(pp, d);
	if (!decode_resources(pp, d))
		return NULL;
	d->valid = true;
	return d;
}

void pp_draw_flush(struct pp *pp)
{
	unsigned int i;

	for (i = 0; i < PP_DRAW_CACHE; i++)
		pp->cache[i].valid = false;
	pp->draw = NULL;
}

#define GET(field) utgard_get(desc, field)

static void decode_lod(const uint32_t *desc, struct pp_texture *tex)
{
	bool mips;

	tex->min_lod = GET(TEX_MIN_LOD) / 16.0f;
	tex->max_lod = GET(TEX_MAX_LOD) / 16.0f;
	tex->lod_bias = sign_extend(GET(TEX_LOD_BIAS), 9) / 16.0f;
	tex->min_nearest = GET(TEX_MIN_NEAREST);
	tex->mag_nearest = GET(TEX_MAG_NEAREST);
	tex->mip_linear = GET(TEX_MIPFILTER) == TEX_MIPFILTER_LINEAR;
	mips = tex->min_lod != tex->max_lod;
	if (tex->max_lod < tex->min_lod)
		tex->max_lod = tex->min_lod;
	/*
	 * GUESS(pp-lod-round): how hardware rounds the level of detail. Mesa's lima biases it by
	 * +1/2 with a nearest minification filter, by -1/16 when everything is
	 * nearest and there are levels, and passes conformance; so hardware must
	 * take back as much.
	 */
	if (tex->min_nearest)
		tex->lod_bias -= tex->mag_nearest && !tex->mip_linear && mips ? -1 / 16.0f : 0.5f;
	/* OpenGL ES 2.0, 3.7.8: the switch-over from magnification to minification. */
	tex->mag_lod = !tex->mag_nearest && tex->min_nearest && mips ? 0.5f : 0;
}

void pp_texture_decode(struct pp *pp, uint32_t va, const uint32_t *desc, struct pp_texture *tex)
{
	unsigned int dim = GET(TEX_DIM), layout = GET(TEX_LAYOUT), mip = GET(TEX_MIPFILTER);
	unsigned int i;

	memset(tex, 0, sizeof(*tex));
	tex->va = va;
	tex->format = GET(TEX_FORMAT);
	tex->bytes = utgard_texel_formats[tex->format].bytes;
	tex->swap_rb = GET(TEX_SWAP_RB);
	tex->reverse = GET(TEX_REVERSE_ORDER);
	pp_texel_format(tex);
	tex->stride = GET(TEX_HAS_STRIDE) ? GET(TEX_STRIDE) : 0;
	tex->unnorm = GET(TEX_UNNORM_COORDS);
	tex->cube = GET(TEX_CUBE_MAP);
	tex->one_dim = dim == TEX_DIM_1D;
	tex->volume = dim == TEX_DIM_3D && !tex->cube;
	tex->tiled = layout == TEX_LAYOUT_TILED;
	tex->wrap[0] = GET(TEX_WRAP_S);
	tex->wrap[1] = GET(TEX_WRAP_T);
	tex->wrap[2] = GET(TEX_WRAP_R);
	tex->width = GET(TEX_WIDTH);
	tex->height = GET(TEX_HEIGHT);
	tex->depth = GET(TEX_DEPTH);
	tex->border[0] = GET(TEX_BORDER_RED) / 65535.0f;
	tex->border[1] = GET(TEX_BORDER_GREEN) / 65535.0f;
	tex->border[2] = GET(TEX_BORDER_BLUE) / 65535.0f;
	tex->border[3] = GET(TEX_BORDER_ALPHA) / 65535.0f;
	decode_lod(desc, tex);
	tex->last = ceilf(tex->max_lod);
	if (tex->last >= TEX_MAX_LEVELS)
		tex->last = TEX_MAX_LEVELS - 1;
	for (i = 0; i <= tex->last; i++)
		pp_texture_level(tex, i, utgard_tex_level(desc, i) << TEX_LEVEL_SHIFT,
				 &tex->level[i]);
	tex->valid = tex->bytes && tex->width;
	if (!tex->bytes)
		ONCE(pp, PP_ONCE_FORMAT, "texture descriptor at 0x%08x: unknown format 0x%02x",
		     va, tex->format);
	/* GUESS(pp-texture-range): RANGE and SIGNED, of which there are names alone, have no effect. */
	if (GET(TEX_RANGE) || GET(TEX_SIGNED))
		ONCE(pp, PP_ONCE_TEXTURE_GUESS, "texture descriptor at 0x%08x: guessed: range %u, signed %u: read as 0 to 1", va,
		     GET(TEX_RANGE), GET(TEX_SIGNED));
	/* GUESS(pp-anisotropy): how many lookups MAX_ANISOTROPY (Mesa lima_texture.c) makes, and where: here it is one. */
	if ((tex->reverse || GET(TEX_MAX_ANISOTROPY)) && unit_strict(&pp->u))
		ONCE(pp, PP_ONCE_TEXTURE_GUESS, "texture descriptor at 0x%08x: guessed: components' order %u, anisotropy %u", va,
		     tex->reverse, 1u << GET(TEX_MAX_ANISOTROPY));
	if (GET(TEX_UNKNOWN_11_5) || GET(TEX_UNKNOWN_31_8) ||
	    GET(TEX_UNKNOWN_40_1) || GET(TEX_UNKNOWN_189_16) ||
	    GET(TEX_UNKNOWN_207_15) || (mip && mip != TEX_MIPFILTER_LINEAR) || dim == 3 ||
	    (layout && layout != TEX_LAYOUT_TILED))
		ONCE(pp, PP_ONCE_TEXTURE, "texture descriptor at 0x%08x: unknown bits: %08x %08x %08x .. %08x %08x",
		     va, desc[0], desc[1], desc[2], desc[5], desc[6]);
}

#undef GET

const struct pp_texture *pp_texture_get(struct pp *pp, struct pp_draw *draw, unsigned int i)
{
	uint32_t desc[TEX_DESC_WORDS_FOR(TEX_MAX_LEVELS)] = { 0 }, va, levels;
	struct pp_texture *tex;

	if (i >= draw->num_textures) {
		ONCE(pp, PP_ONCE_SAMPLER, "RSW at 0x%08x: shader samples texture %u of %u", draw->va,
		     i, draw->num_textures);
		return NULL;
	}
	tex = &draw->texture[i];
	if (tex->va)
		return tex;
	pp->count[PP_CNT_TEXTURE_TABLE_READS]++;
	pp->count[PP_CNT_TEXTURE_DESCRIPTOR_READS] += TEX_DESC_WORDS / 2;
	if (!pp_read(pp, draw->textures + 4 * i, &va, 4) ||
	    !pp_read(pp, va, desc, 4 * TEX_DESC_WORDS))
		return NULL;
	/* A longer descriptor has more levels; words beyond them may be anything. */
	levels = (utgard_get(desc, TEX_MAX_LOD) + 15) / 16 + 1;
	if (levels > TEX_MAX_LEVELS)
		levels = TEX_MAX_LEVELS;
	if (TEX_DESC_WORDS_FOR(levels) > TEX_DESC_WORDS &&
	    !pp_read(pp, va + 4 * TEX_DESC_WORDS, desc + TEX_DESC_WORDS,
		     4 * (TEX_DESC_WORDS_FOR(levels) - TEX_DESC_WORDS)))
		return NULL;
	if (va % TEX_DESC_ALIGN)
		ONCE(pp, PP_ONCE_TEXTURE, "texture descriptor at 0x%08x is not 64-byte aligned", va);
	pp_texture_decode(pp, va, desc, tex);
	return tex;
}
