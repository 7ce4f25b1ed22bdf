// SPDX-License-Identifier: MIT
/* Render state words. Rules for the flag bits: Mesa lima_pack_render_state(). */
#include <math.h>
#include <string.h>

#include "lib/utgard/utgard.h"

void limn_utgard_state_init(struct utgard_state *s, uint32_t width, uint32_t height)
{
	const struct utgard_stencil keep = { .func = RSW_ALWAYS, .mask = 0xff, .write = 0xff };

	memset(s, 0, sizeof(*s));
	s->blend_func_rgb = RSW_BLEND_ADD;
	s->blend_func_alpha = RSW_BLEND_ADD;
	s->blend_src_rgb = RSW_FACTOR_ONE;
	s->blend_dst_rgb = RSW_FACTOR_ZERO;
	s->blend_src_alpha = RSW_FACTOR_ONE;
	s->blend_dst_alpha = RSW_FACTOR_ZERO;
	s->color_mask = 0xf;
	s->depth_func = RSW_LESS;
	s->depth_far = 1;
	s->front = keep;
	s->back = keep;
	s->alpha_func = RSW_ALWAYS;
	s->sample_mask = 0xf;
	s->front_ccw = true;
	s->point_size = 1;
	s->line_width = 1;
	s->scissor_w = width;
	s->scissor_h = height;
	s->viewport[1] = width;
	s->viewport[3] = height;
}

static uint32_t unorm(float f, uint32_t max)
{
	f = f > 0 ? f < 1 ? f : 1 : 0;
	return lrintf(f * max);
}

static uint32_t fixed8(float f)
{
	return (uint32_t)(int)(f < -128 ? -128 : f > 127 ? 127 : f) & 0xff;
}

/* Without a blend: one * source + zero * destination. */
static void set_blend(uint32_t *rsw, const struct utgard_state *s)
{
	utgard_set(rsw, RSW_CONST_RED, unorm(s->blend_color[0], 255));
	utgard_set(rsw, RSW_CONST_GREEN, unorm(s->blend_color[1], 255));
	utgard_set(rsw, RSW_CONST_BLUE, unorm(s->blend_color[2], 255));
	utgard_set(rsw, RSW_CONST_ALPHA, unorm(s->blend_color[3], 255));
	utgard_set(rsw, RSW_BLEND_FUNC_RGB, s->blend ? s->blend_func_rgb : RSW_BLEND_ADD);
	utgard_set(rsw, RSW_BLEND_FUNC_ALPHA, s->blend ? s->blend_func_alpha : RSW_BLEND_ADD);
	utgard_set(rsw, RSW_BLEND_SRC_RGB, s->blend ? s->blend_src_rgb : RSW_FACTOR_ONE);
	utgard_set(rsw, RSW_BLEND_DST_RGB, s->blend ? s->blend_dst_rgb : RSW_FACTOR_ZERO);
	utgard_set(rsw, RSW_BLEND_SRC_ALPHA, s->blend ? s->blend_src_alpha : RSW_FACTOR_ONE);
	utgard_set(rsw, RSW_BLEND_DST_ALPHA, s->blend ? s->blend_dst_alpha : RSW_FACTOR_ZERO);
	utgard_set(rsw, RSW_BLEND_UNKNOWN_24_4, RSW_BLEND_UNKNOWN_24_4_DRAW);
	utgard_set(rsw, RSW_COLOR_MASK, s->color_mask);
}

static void set_depth(uint32_t *rsw, const struct utgard_state *s)
{
	utgard_set(rsw, RSW_DEPTH_WRITE, s->depth_test && s->depth_write);
	utgard_set(rsw, RSW_DEPTH_FUNC, s->depth_test ? s->depth_func : RSW_ALWAYS);
	utgard_set(rsw, RSW_DEPTH_OFFSET_SCALE, fixed8(s->offset_scale * 4));
	utgard_set(rsw, RSW_DEPTH_OFFSET_UNITS, fixed8(s->offset_units * 2));
	utgard_set(rsw, RSW_DEPTH_NO_CLIP_NEAR, s->depth_near == 0);
	utgard_set(rsw, RSW_DEPTH_NO_CLIP_FAR, s->depth_far == 1);
	utgard_set(rsw, RSW_DEPTH_RANGE_NEAR, unorm(s->depth_near, 65535));
	utgard_set(rsw, RSW_DEPTH_RANGE_FAR, unorm(s->depth_far, 65535));
}

static uint32_t stencil_word(const struct utgard_stencil *s)
{
	return UTGARD_SET(RSW_STENCIL_FUNC, s->func) | UTGARD_SET(RSW_STENCIL_FAIL, s->fail) |
	       UTGARD_SET(RSW_STENCIL_ZFAIL, s->zfail) | UTGARD_SET(RSW_STENCIL_ZPASS, s->zpass) |
	       UTGARD_SET(RSW_STENCIL_REF, s->ref) | UTGARD_SET(RSW_STENCIL_MASK, s->mask);
}

static void set_tests(uint32_t *rsw, const struct utgard_state *s)
{
	const struct utgard_stencil off = { .func = RSW_ALWAYS, .mask = 0xff, .write = 0xff };
	const struct utgard_stencil *front = s->stencil_test ? &s->front : &off;
	const struct utgard_stencil *back = s->stencil_test ? &s->back : &off;

	rsw[RSW_STENCIL_FRONT] = stencil_word(front);
	rsw[RSW_STENCIL_BACK] = stencil_word(back);
	utgard_set(rsw, RSW_STENCIL_WRITE_FRONT, front->write);
	utgard_set(rsw, RSW_STENCIL_WRITE_BACK, back->write);
	utgard_set(rsw, RSW_ALPHA_FUNC, s->alpha_func);
	utgard_set(rsw, RSW_ALPHA_REF, unorm(s->alpha_ref, 255));
	utgard_set(rsw, RSW_ALPHA_TO_COVERAGE, s->alpha_to_coverage);
	utgard_set(rsw, RSW_ALPHA_TO_ONE, s->alpha_to_one);
	utgard_set(rsw, RSW_SAMPLE_MASK, s->sample_mask);
}

static void set_primitive(uint32_t *rsw, const struct utgard_draw *draw, uint32_t samples)
{
	const struct utgard_state *s = &draw->state;

	utgard_set(rsw, RSW_MSAA, samples > 1 ? RSW_MSAA_ON : 0);
	utgard_set(rsw, RSW_PRIM_TYPE, draw->mode == GP_MODE_POINTS ? RSW_PRIM_POINTS :
		   draw->mode < GP_MODE_TRIANGLES ? RSW_PRIM_LINES : RSW_PRIM_TRIANGLES);
	utgard_set(rsw, RSW_COLOR_REG, draw->fs_color_reg);
	utgard_set(rsw, RSW_COLOR_REG1, draw->fs_color_reg);
	utgard_set(rsw, RSW_COLOR_REG2, draw->fs_color_reg);
	utgard_set(rsw, RSW_COLOR_REG3, draw->fs_color_reg);
	utgard_set(rsw, RSW_AUX1_FRONT_CCW, s->front_ccw);
	utgard_set(rsw, RSW_AUX1_DITHER, s->dither);
}

static void set_aux(uint32_t *rsw, const struct utgard_draw *draw, const struct utgard_places *at)
{
	const struct utgard_state *s = &draw->state;
	bool late = draw->fs_discards || s->alpha_func != RSW_ALWAYS || s->alpha_to_coverage;

	utgard_set(rsw, RSW_AUX0_VARYING_STRIDE, at->varying_stride >> 3);
	utgard_set(rsw, RSW_AUX0_EARLY_Z, late ? 0 : RSW_AUX0_EARLY_Z_ON);
	/* A fragment may kill those below it only if nothing of them can show through. */
	utgard_set(rsw, RSW_AUX0_PIXEL_KILL, !late && !s->blend && s->color_mask == 0xf);
	utgard_set(rsw, RSW_AUX0_NUM_SAMPLERS, draw->num_textures);
	utgard_set(rsw, RSW_AUX0_HAS_SAMPLERS, draw->num_textures != 0);
	utgard_set(rsw, RSW_AUX0_HAS_UNIFORMS, draw->num_fs_uniforms != 0);
	utgard_set(rsw, RSW_AUX1_HAS_UNIFORMS, draw->num_fs_uniforms != 0);
}

static void set_varyings(uint32_t rsw[RSW_WORDS], const struct utgard_draw *draw,
			 const struct utgard_places *at)
{
	uint32_t i, index = 0, type;

	if (!at->varying_stride)
		return;
	rsw[RSW_VARYINGS_ADDRESS] = at->varyings_va;
	for (i = 0; i < draw->num_outputs; i++) {
		const struct utgard_output *o = &draw->outputs[i];

		if (o->kind != UTGARD_VARYING)
			continue;
		if (o->half)
			type = o->components > 2 ? RSW_VARYING_F16X4 : RSW_VARYING_F16X2;
		else
			type = o->components > 2 ? RSW_VARYING_F32X4 : RSW_VARYING_F32X2;
		if (index < 10) {
			rsw[RSW_VARYING_TYPES] |= type << (3 * index);
		} else if (index == 10) {
			rsw[RSW_VARYING_TYPES] |= type << 30;
			rsw[RSW_VARYINGS_ADDRESS] |= type >> 2;
		} else {
			rsw[RSW_VARYINGS_ADDRESS] |= type << 1;
		}
		index++;
	}
}

/* Smallest n with 8 << n bytes or more. */
static uint32_t uniforms_log2(uint32_t scalars)
{
	uint32_t n = 0;

	while ((8u << n) < scalars * 2)
		n++;
	return n;
}

void limn_utgard_rsw(uint32_t rsw[RSW_WORDS], const struct utgard_draw *draw,
		     const struct utgard_places *at, uint32_t samples)
{
	const struct utgard_state *s = &draw->state;

	memset(rsw, 0, RSW_BYTES);
	set_blend(rsw, s);
	set_depth(rsw, s);
	set_tests(rsw, s);
	set_primitive(rsw, draw, samples);
	rsw[RSW_SHADER_ADDRESS] = at->fs_va |
				  (draw->fs[0] & UTGARD_MASK(RSW_SHADER_FIRST_LENGTH));
	if (draw->num_fs_uniforms)
		rsw[RSW_UNIFORMS_ADDRESS] = at->fs_uniforms_va |
			UTGARD_SET(RSW_UNIFORMS_LOG2, uniforms_log2(draw->num_fs_uniforms));
	rsw[RSW_TEXTURES_ADDRESS] = draw->num_textures ? at->textures_va : 0;
	set_aux(rsw, draw, at);
	set_varyings(rsw, draw, at);
	limn_utgard_force(rsw, UTGARD_BLOCK_RSW, 0, draw->forced, draw->num_forced);
}
