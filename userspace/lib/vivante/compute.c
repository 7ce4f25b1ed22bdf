// SPDX-License-Identifier: MIT
/*
 * Compute kernels. States and values as etnaviv_gpu_tests has them (etnaviv_verifyops.c, for a GC2000 and a GC3000)
 * and Linux etnaviv_flop_reset.c (HALTI5).
 */
#include <stddef.h>

#include "lib/vivante/vivante.h"

#define STAGE(n)	(0x1f00 | (n))	/* PS.INPUT_COUNT */

const char *limn_viv_kernel_check(const struct viv_kernel *k, const struct viv_specs *p)
{
	/* GC2000 is the oldest one that is known to run them. */
	if (p->model < 0x1000)
		return "the core has no thread walker";
	if (k->program.instructions > p->max_instructions)
		return "the kernel is too long for the core";
	if (k->program.num_uniforms + 1 > (p->halti < 2 ? p->max_vs_uniforms : p->max_ps_uniforms))
		return "more uniforms than the core has";
	if (k->program.temps > 63)
		return "the kernel uses more than 63 temporaries";
	return NULL;
}

static void emit_uniforms(struct viv_stream *s, const struct viv_kernel *k, uint32_t first)
{
	limn_viv_set_bo(s, first, k->memory, 0, LIMN_READ | LIMN_WRITE);
	limn_viv_set_many(s, first + 4, 3, k->memory_words);
	limn_viv_set_many(s, first + 16, k->program.num_uniforms * 4, k->program.uniforms);
}

/* As a vertex shader. */
static void emit_gc2000(struct viv_stream *s, const struct viv_specs *p, const struct viv_kernel *k)
{
	/* Without inputs of VS the next states hang a chip that has just been reset (etnaviv_verifyops.c). */
	limn_viv_set(s, VIVS_VS_INPUT_COUNT, STAGE(1));
	limn_viv_set(s, VIVS_VS_INPUT, 0x03020100);
	limn_viv_set_many(s, VIVS_SH_INST_MEM, k->program.instructions * 4, k->program.words);
	emit_uniforms(s, k, p->vs_uniforms);
	limn_viv_set(s, VIVS_VS_INPUT_COUNT, VIV_SET(VIVS_VS_INPUT_COUNT_COUNT, k->ids) | VIV_SET(VIVS_VS_INPUT_COUNT_UNK8, 1));
	limn_viv_set(s, VIVS_VS_TEMP_REGISTER_CONTROL, k->program.temps);
	limn_viv_set(s, VIVS_VS_OUTPUT, 0);
	limn_viv_set(s, VIVS_SH_CONTROL, 0);
	limn_viv_set(s, VIVS_VS_RANGE, VIV_SET(VIVS_VS_RANGE_HIGH, k->program.instructions - 1));
	limn_viv_set(s, VIVS_VS_LOAD_BALANCING, 0x0f3f0542);
	limn_viv_set(s, VIVS_PS_INPUT_COUNT, STAGE(1));
	limn_viv_set(s, VIVS_PA_ATTRIBUTE_ELEMENT_COUNT, 0);
}

/* Not what a caller sets itself: to write some states is to act. */
static void act(struct viv_stream *s, const struct viv_kernel *k, uint32_t address, uint32_t value)
{
	for (uint32_t i = 0; i < k->num_extra; i++)
		if (k->extra[i].address == address)
			return;
	limn_viv_set(s, address, value);
}

/* As a fragment shader, from memory. */
static void emit_newer(struct viv_stream *s, const struct viv_specs *p, const struct viv_kernel *k)
{
	emit_uniforms(s, k, p->ps_uniforms);
	limn_viv_set(s, VIVS_PS_UNIFORM_BASE, 0);
	limn_viv_set_bo(s, VIVS_PS_INST_ADDR, k->program.bo, 0, LIMN_READ);
	limn_viv_set(s, VIVS_PS_INPUT_COUNT, STAGE(k->ids));
	if (p->halti >= 5) {
		act(s, k, VIVS_VS_ICACHE_INVALIDATE, 0x1f);
		limn_viv_set(s, VIVS_PS_VARYING_NUM_COMPONENTS, 0);
		limn_viv_set(s, VIVS_PS_SAMPLER_BASE, 0);
		limn_viv_set(s, VIVS_PS_NEWRANGE_LOW, 0);
		limn_viv_set(s, VIVS_PS_HALTI5_RANGE_HIGH, k->program.instructions);
		limn_viv_set(s, VIVS_SH_CONFIG, VIVS_SH_CONFIG_RTNE_ROUNDING);
		limn_viv_set(s, VIVS_SH_ICACHE_CONTROL, VIVS_SH_ICACHE_CONTROL_ENABLE);
		limn_viv_set(s, VIVS_PS_ICACHE_COUNT, k->program.instructions - 1);
		limn_viv_set(s, VIVS_VS_HALTI5_UNK008A0, 0);
		limn_viv_set(s, VIVS_PA_VS_OUTPUT_COUNT, 0);
		limn_viv_set(s, VIVS_GL_HALTI5_SH_SPECIALS, 0);
		act(s, k, VIVS_PS_ICACHE_PREFETCH, 0);
		return;
	}
	act(s, k, VIVS_SH_ICACHE_CONTROL, VIVS_SH_ICACHE_CONTROL_ENABLE | VIVS_SH_ICACHE_CONTROL_FLUSH_PS);
	limn_viv_set(s, VIVS_SH_CONTROL, VIVS_SH_CONTROL_PS_CODE | VIVS_SH_CONTROL_PS_UNIFORM | VIVS_SH_CONTROL_RTNE_ROUNDING);
	limn_viv_set(s, VIVS_PS_RANGE, VIV_SET(VIVS_PS_RANGE_HIGH, k->program.instructions - 1));
	limn_viv_set(s, VIVS_VS_LOAD_BALANCING, 0x0f3f0000);
	limn_viv_set(s, VIVS_RA_CONTROL, VIVS_RA_CONTROL_UNK0);
	limn_viv_set(s, VIVS_PS_OUTPUT_REG, 0);
	limn_viv_set(s, VIVS_PA_SHADER_ATTRIBUTES, 0x200);
	limn_viv_set(s, VIVS_PA_ATTRIBUTE_ELEMENT_COUNT, VIV_SET(VIVS_PA_ATTRIBUTE_ELEMENT_COUNT_COUNT, 1));
}

/* Sizes are less by one, also those of dimensions that are not there: 0. */
static void emit_grid(struct viv_stream *s, const struct viv_specs *p, const struct viv_kernel *k)
{
	uint32_t dimensions = k->groups[2] * k->size[2] > 1 ? 3 : k->groups[1] * k->size[1] > 1 ? 2 : 1;
	uint32_t items = k->size[0] * k->size[1] * k->size[2];

	limn_viv_set(s, VIVS_CL_UNK00924, 0);
	limn_viv_set(s, VIVS_CL_CONFIG, VIV_SET(VIVS_CL_CONFIG_DIMENSIONS, dimensions) | VIV_SET(VIVS_CL_CONFIG_VALUE_ORDER, 3));
	for (uint32_t d = 0; d < 3; d++) {
		uint32_t size = d < dimensions ? k->size[d] : 0, groups = d < dimensions ? k->groups[d] : 0;

		if (p->halti < 5) {
			limn_viv_set(s, VIVS_CL_GLOBAL_X + 4 * d, VIV_SET(CL_GLOBAL_DIM_SIZE, (size * groups) & 0xffff));
			limn_viv_set(s, VIVS_CL_WORKGROUP_X + 4 * d, VIV_SET(CL_WORKGROUP_DIM_SIZE, (size - 1) & 0x3ff) |
								VIV_SET(CL_WORKGROUP_DIM_COUNT, (groups - 1) & 0xffff));
		}
		if (p->halti >= 2) {
			limn_viv_set(s, VIVS_CL_GLOBAL_WORK_OFFSET_X + 8 * d, 0);
			limn_viv_set(s, VIVS_CL_WORKGROUP_COUNT_X + 4 * d, groups - 1);
			limn_viv_set(s, VIVS_CL_WORKGROUP_SIZE_X + 4 * d, (size - 1) & 0x3ff);
		}
		if (p->halti >= 5)
			limn_viv_set(s, VIVS_CL_GLOBAL_SCALE_X + 4 * d, d < dimensions);
	}
	limn_viv_set(s, VIVS_CL_THREAD_ALLOCATION, (items + 15) / 16);
}

void limn_viv_kernel_emit(struct viv_stream *s, const struct viv_specs *p, const struct viv_kernel *k)
{
	limn_viv_set(s, VIVS_PA_SYSTEM_MODE, VIVS_PA_SYSTEM_MODE_PROVOKING_VERTEX_LAST | VIVS_PA_SYSTEM_MODE_HALF_PIXEL_CENTER);
	limn_viv_set(s, VIVS_GL_API_MODE, VIVS_GL_API_MODE_OPENCL);
	limn_viv_stall(s, SYNC_RECIPIENT_FE, SYNC_RECIPIENT_PE);
	if (p->halti < 2)
		emit_gc2000(s, p, k);
	else
		emit_newer(s, p, k);
	limn_viv_set(s, VIVS_PS_TEMP_REGISTER_CONTROL, k->program.temps);
	limn_viv_set(s, VIVS_PS_CONTROL, 0);
	limn_viv_set(s, VIVS_PS_CONTROL_EXT, 0);
	limn_viv_set(s, VIVS_VS_OUTPUT_COUNT, 1);
	limn_viv_set(s, VIVS_GL_VARYING_TOTAL_COMPONENTS, 0);
	if (p->halti < 5) {
		limn_viv_set(s, VIVS_GL_VARYING_NUM_COMPONENTS, 0);
		limn_viv_set(s, VIVS_GL_VARYING_NUM_COMPONENTS2, 0);
	}
	emit_grid(s, p, k);
	viv_set_extra(s, k->extra, k->num_extra, k->memory);
	limn_viv_set(s, VIVS_CL_KICKER, 0xbadabeeb);
	limn_viv_set(s, VIVS_GL_FLUSH_CACHE, VIVS_GL_FLUSH_CACHE_TEXTURE | VIVS_GL_FLUSH_CACHE_SHADER_L1);
	limn_viv_stall(s, SYNC_RECIPIENT_FE, SYNC_RECIPIENT_PE);
}
