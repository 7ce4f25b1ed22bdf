// SPDX-License-Identifier: MIT
/*
 * State of a draw. Order and values as Mesa's etnaviv_emit.c, etnaviv_state.c and
 * etnaviv_shader.c have them; magic numbers are theirs, where nobody knows better.
 */
#include <math.h>
#include <string.h>

#include "lib/vivante/vivante.h"

uint32_t limn_viv_primitives(uint32_t primitive, uint32_t count)
{
	switch (primitive) {
	case PRIMITIVE_TYPE_POINTS:
	case PRIMITIVE_TYPE_LINE_LOOP:
		return count;
	case PRIMITIVE_TYPE_LINES:
		return count / 2;
	case PRIMITIVE_TYPE_LINE_STRIP:
		return count > 1 ? count - 1 : 0;
	case PRIMITIVE_TYPE_TRIANGLES:
		return count / 3;
	case PRIMITIVE_TYPE_QUADS:
		return count / 4;
	default:
		return count > 2 ? count - 2 : 0;
	}
}

const char *limn_viv_call_check(const struct viv_call *c, const struct viv_specs *p)
{
	if (!c->num_attributes || c->num_attributes > p->max_elements)
		return "the number of attributes does not fit the core";
	if (c->num_attributes > p->stream_count && p->stream_count < VIV_MAX_ATTRIBUTES)
		return "more attributes than the core has vertex streams";
	if (c->vs.instructions > p->max_instructions || c->ps.instructions > p->max_instructions)
		return "the shader is too long for the core";
	if (c->vs.num_uniforms > p->max_vs_uniforms || c->ps.num_uniforms > p->max_ps_uniforms)
		return "more uniforms than the core has";
	if (c->instances > 1 && p->halti < 2)
		return "the core draws one instance alone";
	if (c->indirect && p->halti < 5)
		return "the core reads no counts of draws from memory";
	if (c->num_varyings > p->varyings)
		return "more varyings than the core has";
	if (c->vs.temps > 64 || c->ps.temps > 64)
		return "the shader uses more than 64 temporaries";
	if (c->indices && c->index_type == VIVS_FE_INDEX_STREAM_CONTROL_TYPE_UNSIGNED_INT &&
	    !viv_has(p, chipFeatures, 32_BIT_INDICES))
		return "the core has no 32-bit indices";
	if (c->primitive == PRIMITIVE_TYPE_QUADS && !viv_has(p, chipMinorFeatures2, RECT_PRIMITIVE))
		return "the core has no quads";
	if (c->primitive == PRIMITIVE_TYPE_LINE_LOOP && !viv_has(p, chipMinorFeatures2, LINE_LOOP))
		return "the core has no line loops";
	return NULL;
}

/* --- Vertices --------------------------------------------------------------------- */

static void emit_elements(struct viv_stream *s, const struct viv_specs *p, const struct viv_call *c)
{
	uint32_t config[VIV_MAX_ATTRIBUTES], config1[VIV_MAX_ATTRIBUTES], scale[VIV_MAX_ATTRIBUTES];

	/* One stream to an attribute: none is consecutive to the next. */
	for (uint32_t i = 0; i < c->num_attributes; i++) {
		const struct viv_attribute *a = &c->attributes[i];

		config[i] = VIV_SET(VIVS_FE_VERTEX_ELEMENT_CONFIG_TYPE, a->type) |
			    VIV_SET(VIVS_FE_VERTEX_ELEMENT_CONFIG_STREAM, i) |
			    VIV_SET(VIVS_FE_VERTEX_ELEMENT_CONFIG_NUM, a->components) |
			    VIV_SET(VIVS_FE_VERTEX_ELEMENT_CONFIG_NORMALIZE, a->normalize ?
				    VIVS_FE_VERTEX_ELEMENT_CONFIG_NORMALIZE_ON :
				    VIVS_FE_VERTEX_ELEMENT_CONFIG_NORMALIZE_OFF);
		if (p->halti < 5)
			config[i] |= VIVS_FE_VERTEX_ELEMENT_CONFIG_NONCONSECUTIVE |
				     VIV_SET(VIVS_FE_VERTEX_ELEMENT_CONFIG_END, a->bytes);
		config1[i] = VIVS_NFE_GENERIC_ATTRIB_CONFIG1_NONCONSECUTIVE |
			     VIV_SET(VIVS_NFE_GENERIC_ATTRIB_CONFIG1_END, a->bytes);
		scale[i] = a->integer ? 1 : 0x3f800000;
	}
	if (p->halti >= 5) {
		limn_viv_set_many(s, VIVS_NFE_GENERIC_ATTRIB_CONFIG0, c->num_attributes, config);
		limn_viv_set_many(s, VIVS_NFE_GENERIC_ATTRIB_SCALE, c->num_attributes, scale);
		limn_viv_set_many(s, VIVS_NFE_GENERIC_ATTRIB_CONFIG1, c->num_attributes, config1);
		return;
	}
	limn_viv_set_many(s, VIVS_FE_VERTEX_ELEMENT_CONFIG, c->num_attributes, config);
	if (p->halti >= 2)
		limn_viv_set_many(s, VIVS_FE_GENERIC_ATTRIB_SCALE, c->num_attributes, scale);
}

static void emit_streams(struct viv_stream *s, const struct viv_specs *p, const struct viv_call *c)
{
	uint32_t base = VIVS_FE_VERTEX_STREAMS_BASE_ADDR, control = VIVS_FE_VERTEX_STREAMS_CONTROL;

	if (p->halti >= 2) {
		base = VIVS_NFE_VERTEX_STREAMS_BASE_ADDR;
		control = VIVS_NFE_VERTEX_STREAMS_CONTROL;
	} else if (p->stream_count < 2) {
		base = VIVS_FE_VERTEX_STREAM_BASE_ADDR;
		control = VIVS_FE_VERTEX_STREAM_CONTROL;
	}
	for (uint32_t i = 0; i < c->num_attributes; i++)
		limn_viv_set_bo(s, base + 4 * i, c->attributes[i].bo, c->attributes[i].offset, LIMN_READ);
	for (uint32_t i = 0; i < c->num_attributes; i++)
		limn_viv_set(s, control + 4 * i, VIV_SET(FE_VERTEX_STREAM_CONTROL_VERTEX_STRIDE, c->attributes[i].stride));
	for (uint32_t i = 0; i < c->num_attributes && p->halti >= 2; i++)
		limn_viv_set(s, VIV_AT(VIVS_NFE_VERTEX_STREAMS_VERTEX_DIVISOR, i), 0);
}

/* --- Shaders and what joins them ---------------------------------------------------- */

/* Bytes, four to a state. */
static void pack(uint32_t *words, uint32_t i, uint32_t bits, uint32_t value)
{
	uint32_t per = 32 / bits;

	words[i / per] |= value << (i % per * bits);
}

static uint32_t outputs(const struct viv_call *c)
{
	return 1 + c->num_varyings + (c->size_reg >= 0 ? 1 : 0);
}

/* How work is shared between VS and PS: a formula of the vendor's driver, after Mesa. */
static uint32_t load_balancing(const struct viv_specs *p, const struct viv_call *c)
{
	uint32_t half = c->num_varyings / 2 + 1;
	uint32_t rest = p->vertex_buffer - 2 * half * p->vertex_cache;
	uint32_t b = (20480 / (rest ? rest : 1) + 9) / 10;
	uint32_t a = (b + 256 / ((p->shader_cores ? p->shader_cores : 1) * half)) / 2;

	return VIV_SET(VIVS_VS_LOAD_BALANCING_A, a < 255 ? a : 255) |
	       VIV_SET(VIVS_VS_LOAD_BALANCING_B, b < 255 ? b : 255) | VIV_SET(VIVS_VS_LOAD_BALANCING_C, 0x3f) |
	       VIV_SET(VIVS_VS_LOAD_BALANCING_D, 0x0f);
}

static void emit_vs(struct viv_stream *s, const struct viv_specs *p, const struct viv_call *c)
{
	uint32_t input[4] = { 0 }, output[8] = { 0 }, n = 0, temps = c->vs.temps;

	for (uint32_t i = 0; i < c->num_attributes; i++) {
		pack(input, i, 8, c->attributes[i].reg);
		if (c->attributes[i].reg >= temps)
			temps = c->attributes[i].reg + 1;
	}
	pack(output, n++, 8, c->position);
	for (uint32_t i = 0; i < c->num_varyings; i++)
		pack(output, n++, 8, c->varyings[i].reg);
	if (c->size_reg >= 0)
		pack(output, n++, 8, c->size_reg);

	limn_viv_set(s, VIVS_VS_OUTPUT_COUNT, VIV_SET(VIVS_VS_OUTPUT_COUNT_COUNT, n));
	limn_viv_set(s, VIVS_VS_INPUT_COUNT, VIV_SET(VIVS_VS_INPUT_COUNT_COUNT, c->num_attributes) |
					VIV_SET(VIVS_VS_INPUT_COUNT_UNK8, (c->num_attributes + 4 + 15) / 16));
	limn_viv_set(s, VIVS_VS_TEMP_REGISTER_CONTROL, VIV_SET(VIVS_VS_TEMP_REGISTER_CONTROL_NUM_TEMPS, temps));
	limn_viv_set(s, VIVS_VS_LOAD_BALANCING, load_balancing(p, c));
	if (p->halti >= 5) {
		limn_viv_set(s, VIVS_FE_HALTI5_ID_CONFIG, 0);
		limn_viv_set(s, VIVS_VS_HALTI5_OUTPUT_COUNT, n | n * 0x10 << 8);
		limn_viv_set(s, VIVS_VS_HALTI5_UNK008A0, 0x0001000e | 0x110 / n << 20);
		for (int i = 0; i < 8; i++)
			limn_viv_set(s, VIV_AT(VIVS_VS_HALTI5_OUTPUT, i), output[i]);
		for (int i = 0; i < 4; i++)
			limn_viv_set(s, VIV_AT(VIVS_VS_HALTI5_INPUT, i), input[i]);
		return;
	}
	limn_viv_set(s, VIVS_VS_END_PC, c->vs.instructions);
	for (int i = 0; i < 4; i++)
		limn_viv_set(s, VIV_AT(VIVS_VS_OUTPUT, i), output[i]);
	for (int i = 0; i < 4; i++)
		limn_viv_set(s, VIV_AT(VIVS_VS_INPUT, i), input[i]);
	limn_viv_set(s, VIVS_VS_START_PC, 0);
}

static void emit_ps(struct viv_stream *s, const struct viv_specs *p, const struct viv_call *c)
{
	bool msaa = c->color->samples > 1;
	/* Position first; with samples, one more at the end. */
	uint32_t inputs = c->num_varyings + 1 + msaa, temps = c->ps.temps + msaa;

	limn_viv_set(s, VIVS_PS_OUTPUT_REG, VIV_SET(VIVS_PS_OUTPUT_REG_0, c->color_reg));
	limn_viv_set(s, VIVS_PS_INPUT_COUNT, VIV_SET(VIVS_PS_INPUT_COUNT_COUNT, inputs) |
					VIV_SET(VIVS_PS_INPUT_COUNT_UNK8, 31));
	limn_viv_set(s, VIVS_PS_TEMP_REGISTER_CONTROL,
		     VIV_SET(VIVS_PS_TEMP_REGISTER_CONTROL_NUM_TEMPS, temps > inputs ? temps : inputs));
	limn_viv_set(s, VIVS_PS_CONTROL, VIVS_PS_CONTROL_SATURATE_RT0);
	if (p->halti < 5) {
		limn_viv_set(s, VIVS_PS_END_PC, c->ps.instructions);
		limn_viv_set(s, VIVS_PS_START_PC, 0);
	}
}

static void emit_link_halti5(struct viv_stream *s, const struct viv_call *c, const uint32_t *components)
{
	uint32_t semantic[16] = { 0 }, n = 0, point = 0x7f;

	for (uint32_t i = 0; i < c->num_varyings; i++) {
		const struct viv_varying *v = &c->varyings[i];

		if (v->kind == VIV_VARYING_POINT_COORD)
			point = n;
		for (uint32_t k = 0; k < v->components; k++)
			pack(semantic, n++, 4, v->flat ? VARYING_INTERPOLATION_MODE_FLAT :
							 VARYING_INTERPOLATION_MODE_SMOOTH);
	}
	for (int i = 0; i < 2; i++)
		limn_viv_set(s, VIV_AT(VIVS_PA_VARYING_NUM_COMPONENTS, i), components[i]);
	limn_viv_set(s, VIVS_PA_VS_OUTPUT_COUNT, outputs(c));
	for (int i = 0; i < 2; i++)
		limn_viv_set(s, VIV_AT(VIVS_PS_VARYING_NUM_COMPONENTS, i), components[i]);
	limn_viv_set(s, VIVS_GL_HALTI5_SH_SPECIALS,
		     0x7f7f0000 | VIV_SET(VIVS_GL_HALTI5_SH_SPECIALS_VS_PSIZE_OUT,
					  c->size_reg >= 0 ? (1 + c->num_varyings) * 4 : 0) |
		     VIV_SET(VIVS_GL_HALTI5_SH_SPECIALS_PS_PCOORD_IN, point));
	for (uint32_t i = 0; i < (n + 7) / 8; i++)
		limn_viv_set(s, VIV_AT(VIVS_GL_HALTI5_SHADER_ATTRIBUTES, i), semantic[i]);
}

static void emit_link(struct viv_stream *s, const struct viv_specs *p, const struct viv_call *c)
{
	uint32_t components[2] = { 0 }, use[4] = { 0 }, n = 0;

	limn_viv_set(s, VIVS_PA_ATTRIBUTE_ELEMENT_COUNT, VIV_SET(VIVS_PA_ATTRIBUTE_ELEMENT_COUNT_COUNT, c->num_varyings));
	limn_viv_set(s, VIVS_RA_CONTROL, VIVS_RA_CONTROL_UNK0 |
		     (c->num_varyings && c->varyings[c->num_varyings - 1].components <= 2 ?
		      VIVS_RA_CONTROL_LAST_VARYING_2X : 0));
	for (uint32_t i = 0; i < c->num_varyings; i++) {
		const struct viv_varying *v = &c->varyings[i];

		pack(components, i, 4, v->components);
		for (uint32_t k = 0; k < v->components; k++, n++)
			pack(use, n, 2, v->kind == VIV_VARYING_COLOR ? VARYING_COMPONENT_USE_COLOR :
					v->kind == VIV_VARYING_GENERIC || k > 1 ? VARYING_COMPONENT_USE_GENERIC :
					k ? VARYING_COMPONENT_USE_POINTCOORD_Y : VARYING_COMPONENT_USE_POINTCOORD_X);
	}
	limn_viv_set(s, VIVS_GL_VARYING_TOTAL_COMPONENTS, VIV_SET(VIVS_GL_VARYING_TOTAL_COMPONENTS_NUM, (n + 1) & ~1u));
	if (p->halti >= 5) {
		emit_link_halti5(s, c, components);
		return;
	}
	for (uint32_t i = 0; i < c->num_varyings; i++)
		limn_viv_set(s, VIV_AT(VIVS_PA_SHADER_ATTRIBUTES, i),
			     c->varyings[i].kind == VIV_VARYING_COLOR ? 0x200 : 0x2f1);
	limn_viv_set(s, VIVS_GL_VARYING_NUM_COMPONENTS, components[0]);
	limn_viv_set(s, VIV_AT(VIVS_GL_VARYING_COMPONENT_USE, 0), use[0]);
	limn_viv_set(s, VIV_AT(VIVS_GL_VARYING_COMPONENT_USE, 1), use[1]);
	limn_viv_set(s, VIVS_GL_VARYING_NUM_COMPONENTS2, components[1]);
	limn_viv_set(s, VIVS_GL_VARYING_COMPONENT_USE2, use[2]);
	limn_viv_set(s, VIVS_GL_VARYING_COMPONENT_USE3, use[3]);
}

static void emit_code_halti5(struct viv_stream *s, const struct viv_call *c)
{
	limn_viv_set(s, VIVS_VS_NEWRANGE_LOW, 0);
	limn_viv_set(s, VIVS_VS_HALTI5_RANGE_HIGH, c->vs.instructions);
	limn_viv_set_bo(s, VIVS_VS_INST_ADDR, c->vs.bo, 0, LIMN_READ);
	limn_viv_set(s, VIVS_SH_CONFIG, VIVS_SH_CONFIG_RTNE_ROUNDING);
	limn_viv_set(s, VIVS_SH_ICACHE_CONTROL, VIVS_SH_ICACHE_CONTROL_ENABLE);
	limn_viv_set(s, VIVS_VS_ICACHE_COUNT, c->vs.instructions - 1);
	limn_viv_set(s, VIVS_PS_NEWRANGE_LOW, 0);
	limn_viv_set(s, VIVS_PS_HALTI5_RANGE_HIGH, c->ps.instructions);
	limn_viv_set_bo(s, VIVS_PS_INST_ADDR, c->ps.bo, 0, LIMN_READ);
	limn_viv_set(s, VIVS_SH_ICACHE_CONTROL, VIVS_SH_ICACHE_CONTROL_ENABLE);
	limn_viv_set(s, VIVS_PS_ICACHE_COUNT, c->ps.instructions - 1);
}

static void emit_code(struct viv_stream *s, const struct viv_specs *p, const struct viv_call *c)
{
	if (p->halti >= 5) {
		emit_code_halti5(s, c);
	} else {
		if (p->icache)
			limn_viv_set(s, VIVS_SH_ICACHE_CONTROL,
				     VIVS_SH_ICACHE_CONTROL_FLUSH_PS | VIVS_SH_ICACHE_CONTROL_FLUSH_VS);
		if (p->shader_range) {
			limn_viv_set(s, VIVS_VS_RANGE, VIV_SET(VIVS_VS_RANGE_HIGH, c->vs.instructions - 1));
			limn_viv_set(s, VIVS_PS_RANGE, VIV_SET(VIVS_PS_RANGE_LOW, 0x100) |
						  VIV_SET(VIVS_PS_RANGE_HIGH, c->ps.instructions - 1 + 0x100));
		}
		limn_viv_set_many(s, p->vs_code, c->vs.instructions * 4, c->vs.words);
		limn_viv_set_many(s, p->ps_code, c->ps.instructions * 4, c->ps.words);
	}
	if (p->unified_uniforms) {
		limn_viv_set(s, VIVS_VS_UNIFORM_BASE, 0);
		limn_viv_set(s, VIVS_PS_UNIFORM_BASE, c->vs.num_uniforms);
	}
	if (p->halti < 5)
		limn_viv_set(s, VIVS_SH_CONTROL, VIVS_SH_CONTROL_PS_CODE);
	limn_viv_set_many(s, p->vs_uniforms, c->vs.num_uniforms * 4, c->vs.uniforms);
	if (p->halti < 5)
		limn_viv_set(s, VIVS_SH_CONTROL, VIVS_SH_CONTROL_PS_CODE | VIVS_SH_CONTROL_PS_UNIFORM);
	limn_viv_set_many(s, p->ps_uniforms + (p->unified_uniforms ? c->vs.num_uniforms * 16 : 0), c->ps.num_uniforms * 4,
			  c->ps.uniforms);
	if (p->halti >= 5) {
		limn_viv_set(s, VIVS_VS_ICACHE_PREFETCH, 0);
		limn_viv_set(s, VIVS_PS_ICACHE_PREFETCH, 0);
		limn_viv_stall(s, SYNC_RECIPIENT_RA, SYNC_RECIPIENT_PE);
	}
}

/* --- Fixed function ----------------------------------------------------------------- */

static void emit_setup(struct viv_stream *s, const struct viv_call *c)
{
	const struct viv_state *t = c->state;
	uint32_t pa = t->pa_config;
	bool points = false;

	for (uint32_t i = 0; i < c->num_varyings; i++)
		points |= c->varyings[i].kind == VIV_VARYING_POINT_COORD;
	if (c->size_reg >= 0)
		pa |= VIVS_PA_CONFIG_POINT_SIZE_ENABLE;
	if (points)
		pa |= VIVS_PA_CONFIG_POINT_SPRITE_ENABLE;

	limn_viv_set_fixed(s, VIVS_PA_VIEWPORT_SCALE_X, t->scale[0]);
	limn_viv_set_fixed(s, VIVS_PA_VIEWPORT_SCALE_Y, t->scale[1]);
	limn_viv_set_float(s, VIVS_PA_VIEWPORT_SCALE_Z, t->scale[2]);
	limn_viv_set_fixed(s, VIVS_PA_VIEWPORT_OFFSET_X, t->offset[0]);
	limn_viv_set_fixed(s, VIVS_PA_VIEWPORT_OFFSET_Y, t->offset[1]);
	limn_viv_set_float(s, VIVS_PA_VIEWPORT_OFFSET_Z, t->offset[2]);
	/* Half of the width: rnndb. */
	limn_viv_set_float(s, VIVS_PA_LINE_WIDTH, t->line_width / 2);
	limn_viv_set_float(s, VIVS_PA_POINT_SIZE, t->point_size / 2);
	limn_viv_set(s, VIVS_PA_SYSTEM_MODE, t->pa_system_mode);
	limn_viv_set(s, VIVS_PA_CONFIG, pa);
	limn_viv_set_float(s, VIVS_PA_WIDE_LINE_WIDTH0, t->line_width / 2);
	limn_viv_set_float(s, VIVS_PA_WIDE_LINE_WIDTH1, t->line_width / 2);

	/* Margins that are right on the chips that have been seen: Mesa etnaviv_internal.h. */
	limn_viv_set_fixed(s, VIVS_SE_SCISSOR_LEFT, t->clip[0]);
	limn_viv_set_fixed(s, VIVS_SE_SCISSOR_TOP, t->clip[1]);
	limn_viv_set_fixed(s, VIVS_SE_SCISSOR_RIGHT, t->clip[2] + 0x1119 / 65536.0f);
	limn_viv_set_fixed(s, VIVS_SE_SCISSOR_BOTTOM, t->clip[3] + 0x1111 / 65536.0f);
	limn_viv_set_float(s, VIVS_SE_DEPTH_SCALE, t->depth_scale);
	limn_viv_set_float(s, VIVS_SE_DEPTH_BIAS, c->depth ? t->depth_units * 2 *
			   (c->depth->format == VIVS_PE_DEPTH_CONFIG_DEPTH_FORMAT_D16 ? 1.0f / 0xffff : 1.0f / 0xffffff) : 0);
	limn_viv_set(s, VIVS_SE_CONFIG, t->se_config);
	limn_viv_set_fixed(s, VIVS_SE_CLIP_RIGHT, t->clip[2] + 0xffff / 65536.0f);
	limn_viv_set_fixed(s, VIVS_SE_CLIP_BOTTOM, t->clip[3] + 0xffff / 65536.0f);
}

static void emit_depth(struct viv_stream *s, const struct viv_specs *p, const struct viv_call *c)
{
	const struct viv_surface *z = c->depth;
	const struct viv_state *t = c->state;
	uint32_t config = 0;
	bool stencil = VIV_GET(VIVS_PE_STENCIL_CONFIG_MODE, t->pe_stencil_config);
	/* Early Z must not throw away what stencil, discard or alpha test still decide. */
	bool early = z && t->depth_test && !stencil && !c->ps_discards && !viv_has(p, chipFeatures, NO_EARLY_Z) &&
		     !(t->pe_alpha_op & VIVS_PE_ALPHA_OP_ALPHA_TEST) && c->color->samples == 1;

	if (z)
		config = t->pe_depth_config | VIV_SET(VIVS_PE_DEPTH_CONFIG_DEPTH_MODE, VIVS_PE_DEPTH_CONFIG_DEPTH_MODE_Z) |
			 VIV_SET(VIVS_PE_DEPTH_CONFIG_DEPTH_FORMAT, z->format) | VIVS_PE_DEPTH_CONFIG_UNK18 |
			 (z->bits & VIV_SUPER ? VIVS_PE_DEPTH_CONFIG_SUPER_TILED : 0) |
			 (early ? VIVS_PE_DEPTH_CONFIG_EARLY_Z : 0) |
			 (!t->depth_test && !stencil ? VIVS_PE_DEPTH_CONFIG_DISABLE_ZS : 0);
	limn_viv_set(s, VIVS_RA_EARLY_DEPTH, early ? VIVS_RA_EARLY_DEPTH_TEST_ENABLE : 0);
	limn_viv_set(s, VIVS_PE_DEPTH_CONFIG, config);
	limn_viv_set_float(s, VIVS_PE_DEPTH_NEAR, 0);
	limn_viv_set_float(s, VIVS_PE_DEPTH_FAR, 1);
	limn_viv_set_float(s, VIVS_PE_DEPTH_NORMALIZE,
			   z && z->format == VIVS_PE_DEPTH_CONFIG_DEPTH_FORMAT_D16 ? 0xffff : z ? 0xffffff : 0);
	if (z && !p->many_pipes)
		limn_viv_set_bo(s, VIVS_PE_DEPTH_ADDR, z->bo, 0, LIMN_READ | LIMN_WRITE);
	limn_viv_set(s, VIVS_PE_DEPTH_STRIDE, z ? z->stride : 0);
	limn_viv_set(s, VIVS_PE_STENCIL_OP, t->pe_stencil_op);
	limn_viv_set(s, VIVS_PE_STENCIL_CONFIG, z ? t->pe_stencil_config : 0);
}

static uint32_t half_of(float value)
{
	uint32_t bits;

	/* Colours: 0 to 1, exact zero and normal halves only. */
	memcpy(&bits, &value, 4);
	if (value < 6.2e-5f)
		return 0;
	bits += 0xfff + (bits >> 13 & 1);
	return (bits >> 13) - (112 << 10);
}

static void emit_color(struct viv_stream *s, const struct viv_specs *p, const struct viv_call *c)
{
	const struct viv_surface *rt = c->color, *z = c->depth;
	const struct viv_state *t = c->state;
	bool blend = t->pe_alpha_config & VIVS_PE_ALPHA_CONFIG_BLEND_ENABLE_COLOR;
	uint32_t half = rt->stride * (rt->padded_height / 2), zhalf = z ? z->stride * (z->padded_height / 2) : 0;

	limn_viv_set(s, VIVS_PE_ALPHA_OP, t->pe_alpha_op);
	limn_viv_set(s, VIVS_PE_ALPHA_BLEND_COLOR, t->pe_blend_color);
	limn_viv_set(s, VIVS_PE_ALPHA_CONFIG, t->pe_alpha_config);
	limn_viv_set(s, VIVS_PE_COLOR_FORMAT, VIV_SET(VIVS_PE_COLOR_FORMAT_FORMAT, rt->format) |
		     VIV_SET(VIVS_PE_COLOR_FORMAT_COMPONENTS, t->color_mask) |
		     (rt->samples == 1 && !blend && t->color_mask == 0xf ? VIVS_PE_COLOR_FORMAT_OVERWRITE : 0) |
		     (rt->bits & VIV_SUPER ? VIVS_PE_COLOR_FORMAT_SUPER_TILED : 0) |
		     (rt->bits & VIV_SUPER && p->line_256 ? VIVS_PE_COLOR_FORMAT_SUPER_TILED_NEW : 0));
	if (!p->many_pipes)
		limn_viv_set_bo(s, VIVS_PE_COLOR_ADDR, rt->bo, 0, LIMN_READ | LIMN_WRITE);
	limn_viv_set(s, VIVS_PE_COLOR_STRIDE, rt->stride);
	limn_viv_set(s, VIVS_PE_HDEPTH_CONTROL, 0);
	for (uint32_t i = 0; i < p->pixel_pipes && p->many_pipes; i++)
		limn_viv_set_bo(s, VIV_AT(VIVS_PE_PIPE_COLOR_ADDR, i), rt->bo, rt->bits & VIV_MULTI ? i * half : 0,
				LIMN_READ | LIMN_WRITE);
	for (uint32_t i = 0; i < p->pixel_pipes && p->many_pipes && z; i++)
		limn_viv_set_bo(s, VIV_AT(VIVS_PE_PIPE_DEPTH_ADDR, i), z->bo, z->bits & VIV_MULTI ? i * zhalf : 0,
				LIMN_READ | LIMN_WRITE);
	limn_viv_set(s, VIVS_PE_STENCIL_CONFIG_EXT, t->pe_stencil_ref_back);
	/* Bits 14, 17 to 19 as the vendor's driver and Mesa set them. */
	limn_viv_set(s, VIVS_PE_LOGIC_OP, VIV_SET(VIVS_PE_LOGIC_OP_OP, LOGIC_OP_COPY) |
		     VIV_SET(VIVS_PE_LOGIC_OP_DITHER_MODE, 3) | 0x000e4000 |
		     (rt->samples == 4 && viv_has(p, chipMinorFeatures4, SMALL_MSAA) ?
		      VIV_SET(VIVS_PE_LOGIC_OP_UNK24, 5) : 0) |
		     VIV_SET(VIVS_PE_LOGIC_OP_SINGLE_BUFFER, !rt->bits ? 1 : !p->single_buffer ? 0 : rt->cpp == 2 ||
			     (z && z->cpp == 2) ? 3 : 2));
	limn_viv_set(s, VIV_AT(VIVS_PE_DITHER, 0), 0xffffffff);
	limn_viv_set(s, VIV_AT(VIVS_PE_DITHER, 1), 0xffffffff);
	if (viv_has(p, chipMinorFeatures1, HALF_FLOAT)) {
		/* rnndb calls the first B; Mesa etnaviv_blend.c, which works, has red there. */
		limn_viv_set(s, VIVS_PE_ALPHA_COLOR_EXT0, half_of(t->blend_color[0]) | half_of(t->blend_color[1]) << 16);
		limn_viv_set(s, VIVS_PE_ALPHA_COLOR_EXT1, half_of(t->blend_color[2]) | half_of(t->blend_color[3]) << 16);
	}
	limn_viv_set(s, VIVS_PE_STENCIL_CONFIG_EXT2, t->pe_stencil_ext2);
	if (p->halti >= 3)
		limn_viv_set(s, VIVS_PE_MEM_CONFIG, VIV_SET(VIVS_PE_MEM_CONFIG_COLOR_TS_MODE, TS_MODE_128B) |
					       VIV_SET(VIVS_PE_MEM_CONFIG_DEPTH_TS_MODE, TS_MODE_128B));
}

static void emit_ts(struct viv_stream *s, const struct viv_call *c)
{
	const struct viv_surface *rt = c->color, *z = c->depth;

	limn_viv_set(s, VIVS_TS_MEM_CONFIG, (rt->ts_valid ? VIVS_TS_MEM_CONFIG_COLOR_FAST_CLEAR : 0) |
		     (z && z->ts_valid ? VIVS_TS_MEM_CONFIG_DEPTH_FAST_CLEAR : 0) |
		     (z && z->cpp == 2 ? VIVS_TS_MEM_CONFIG_DEPTH_16BPP : 0));
	if (rt->ts_valid) {
		limn_viv_set_bo(s, VIVS_TS_COLOR_STATUS_BASE, rt->ts_bo, 0, LIMN_READ | LIMN_WRITE);
		limn_viv_set_bo(s, VIVS_TS_COLOR_SURFACE_BASE, rt->bo, 0, LIMN_READ | LIMN_WRITE);
		limn_viv_set(s, VIVS_TS_COLOR_CLEAR_VALUE, rt->clear_value[0]);
	}
	if (z && z->ts_valid) {
		limn_viv_set_bo(s, VIVS_TS_DEPTH_STATUS_BASE, z->ts_bo, 0, LIMN_READ | LIMN_WRITE);
		limn_viv_set_bo(s, VIVS_TS_DEPTH_SURFACE_BASE, z->bo, 0, LIMN_READ | LIMN_WRITE);
		limn_viv_set(s, VIVS_TS_DEPTH_CLEAR_VALUE, z->clear_value[0]);
	}
	if (rt->ts_valid)
		limn_viv_set(s, VIVS_TS_COLOR_CLEAR_VALUE_EXT, rt->clear_value[1]);
}

/* Sample positions: the vendor's driver's tables, etna_viv hardware.md and Mesa. */
static void emit_samples(struct viv_stream *s, const struct viv_specs *p, const struct viv_call *c)
{
	static const uint32_t unk[2][3] = { { 0x0000aa22 }, { 0xeaa26e26, 0xe6ae622a, 0xaaa22a22 } };
	static const uint32_t centroid[2][12] = {
		{ 0x66aa2288, 0x88558800, 0x88881100, 0x33888800 },
		{ 0x4a6e2688, 0x888888a2, 0x888888ea, 0x888888c6, 0x46622a88, 0x888888ae, 0x888888e6, 0x888888ca,
		  0x262a2288, 0x886688a2, 0x888866aa, 0x668888a6 },
	};
	uint32_t samples = c->color->samples;

	limn_viv_set(s, VIVS_GL_MULTI_SAMPLE_CONFIG,
		     VIV_SET(VIVS_GL_MULTI_SAMPLE_CONFIG_MSAA_SAMPLES,
			     samples == 4 ? VIVS_GL_MULTI_SAMPLE_CONFIG_MSAA_SAMPLES_4X :
			     samples == 2 ? VIVS_GL_MULTI_SAMPLE_CONFIG_MSAA_SAMPLES_2X :
			     VIVS_GL_MULTI_SAMPLE_CONFIG_MSAA_SAMPLES_NONE) |
		     VIV_SET(VIVS_GL_MULTI_SAMPLE_CONFIG_MSAA_ENABLES, c->state->sample_mask));
	if (p->halti >= 5)
		return;
	limn_viv_set(s, VIVS_RA_MULTISAMPLE_UNK00E04, 0);
	for (int i = 0; i < 4; i++)
		limn_viv_set(s, VIV_AT(VIVS_RA_MULTISAMPLE_UNK00E10, i), samples > 1 && i < 3 ? unk[samples / 4][i] : 0);
	for (int i = 0; i < 16; i++)
		limn_viv_set(s, VIV_AT(VIVS_RA_CENTROID_TABLE, i), samples > 1 && i < 12 ? centroid[samples / 4][i] : 0);
}

/* --- The call ------------------------------------------------------------------------ */

void limn_viv_call_emit(struct viv_stream *s, const struct viv_specs *p, const struct viv_call *c)
{
	bool strip = c->primitive == PRIMITIVE_TYPE_LINE_STRIP || c->primitive == PRIMITIVE_TYPE_LINE_LOOP ||
		     c->primitive == PRIMITIVE_TYPE_TRIANGLE_STRIP || c->primitive == PRIMITIVE_TYPE_TRIANGLE_FAN;

	/* What the caches hold was made under the old state. */
	limn_viv_set(s, VIVS_GL_FLUSH_CACHE, VIVS_GL_FLUSH_CACHE_COLOR | VIVS_GL_FLUSH_CACHE_DEPTH |
					VIVS_GL_FLUSH_CACHE_TEXTURE | VIVS_GL_FLUSH_CACHE_SHADER_L1);
	limn_viv_set(s, VIVS_GL_FLUSH_CACHE, VIVS_GL_FLUSH_CACHE_TEXTUREVS);
	limn_viv_stall(s, SYNC_RECIPIENT_RA, SYNC_RECIPIENT_PE);
	limn_viv_set(s, VIVS_TS_FLUSH_CACHE, VIVS_TS_FLUSH_CACHE_FLUSH);

	emit_elements(s, p, c);
	emit_samples(s, p, c);
	if (c->indices) {
		limn_viv_set_bo(s, VIVS_FE_INDEX_STREAM_BASE_ADDR, c->indices, c->index_offset, LIMN_READ);
		limn_viv_set(s, VIVS_FE_INDEX_STREAM_CONTROL, VIV_SET(VIVS_FE_INDEX_STREAM_CONTROL_TYPE, c->index_type) |
			     (c->restart ? VIVS_FE_INDEX_STREAM_CONTROL_PRIMITIVE_RESTART : 0));
		limn_viv_set(s, VIVS_FE_PRIMITIVE_RESTART_INDEX, !c->restart ? 0 : 0xffffffff >> (32 - (8u << c->index_type)));
	}
	emit_streams(s, p, c);
	emit_vs(s, p, c);
	emit_setup(s, c);
	emit_link(s, p, c);
	emit_ps(s, p, c);
	emit_depth(s, p, c);
	emit_color(s, p, c);
	emit_ts(s, c);
	/* From HALTI0 on, shader and sampler states do not wait for the draw before them. */
	if (p->halti >= 0)
		limn_viv_stall(s, SYNC_RECIPIENT_FE, SYNC_RECIPIENT_PE);
	viv_textures_emit(s, p, c);
	emit_code(s, p, c);
	limn_viv_set(s, VIVS_GL_VERTEX_ELEMENT_CONFIG, VIVS_GL_VERTEX_ELEMENT_CONFIG_UNK0 |
						  (strip ? VIVS_GL_VERTEX_ELEMENT_CONFIG_REUSE : 0));
	viv_set_extra(s, c->extra, c->num_extra, c->color->bo);
	if (c->indirect)
		viv_draw_indirect(s, c->primitive, c->indirect);
	else if (p->halti >= 2)
		limn_viv_draw_instanced(s, c->primitive, c->indices, c->count, c->instances ? c->instances : 1,
					c->indices ? 0 : c->first);
	else if (c->indices)
		limn_viv_draw_indexed(s, c->primitive, c->first, limn_viv_primitives(c->primitive, c->count), 0);
	else
		limn_viv_draw_primitives(s, c->primitive, c->first, limn_viv_primitives(c->primitive, c->count));
}
