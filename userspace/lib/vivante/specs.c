// SPDX-License-Identifier: MIT
/* What follows from a core's identity. Facts: Mesa etnaviv_screen.c. */
#include <string.h>

#include <drm/etnaviv_drm.h>

#include "lib/vivante/vivante.h"

static int halti_of(const struct viv_specs *p)
{
	if (viv_has(p, chipMinorFeatures5, HALTI5))
		return 5;
	if (viv_has(p, chipMinorFeatures5, HALTI4))
		return 4;
	if (viv_has(p, chipMinorFeatures5, HALTI3))
		return 3;
	if (viv_has(p, chipMinorFeatures4, HALTI2))
		return 2;
	if (viv_has(p, chipMinorFeatures2, HALTI1))
		return 1;
	return viv_has(p, chipMinorFeatures1, HALTI0) ? 0 : -1;
}

static void find_code(struct viv_specs *p)
{
	p->icache = p->halti >= 5 || viv_has(p, chipMinorFeatures3, INSTRUCTION_CACHE);
	p->max_instructions = 256;
	if (p->halti >= 5) {
		p->vs_code = p->ps_code = 0;
		p->max_instructions = 0xffff;
	} else if (p->icache) {
		/* The mirror of the unified memory, for the second half. */
		p->vs_code = VIVS_SH_INST_MEM;
		p->ps_code = VIVS_SH_INST_MEM_MIRROR + 0x1000;
	} else if (p->instructions > 256) {
		p->vs_code = VIVS_SH_INST_MEM;
		p->ps_code = VIVS_SH_INST_MEM + 0x1000;
	} else {
		p->vs_code = VIVS_VS_INST_MEM;
		p->ps_code = VIVS_PS_INST_MEM;
		p->max_instructions = p->instructions;
	}
}

static void find_uniforms(struct viv_specs *p)
{
	p->unified_uniforms = p->halti >= 1;
	p->max_vs_uniforms = 256;
	p->max_ps_uniforms = 64;
	if (p->halti >= 5) {
		p->vs_uniforms = VIVS_SH_HALTI5_UNIFORMS_MIRROR;
		p->ps_uniforms = VIVS_SH_HALTI5_UNIFORMS;
	} else if (p->halti >= 1) {
		p->vs_uniforms = p->ps_uniforms = VIVS_SH_UNIFORMS;
	} else {
		p->vs_uniforms = VIVS_VS_UNIFORMS;
		p->ps_uniforms = VIVS_PS_UNIFORMS;
	}
	if (p->halti >= 1)
		p->max_vs_uniforms = p->max_ps_uniforms = p->constants > 576 ? 512 : p->constants - 64;
	else if (p->constants < 256)
		p->max_vs_uniforms = 168;
}

void limn_viv_specs_init(struct viv_specs *p, const struct limn_info *info, uint32_t core)
{
	const uint64_t *v = info->params[core];

	memset(p, 0, sizeof(*p));
	p->core = core;
	p->model = v[ETNAVIV_PARAM_GPU_MODEL];
	p->revision = v[ETNAVIV_PARAM_GPU_REVISION];
	p->product_id = v[ETNAVIV_PARAM_GPU_PRODUCT_ID];
	for (int i = 0; i < VIV_FEATURE_WORDS; i++)
		p->features[i] = v[ETNAVIV_PARAM_GPU_FEATURES_0 + i];
	p->stream_count = v[ETNAVIV_PARAM_GPU_STREAM_COUNT];
	p->pixel_pipes = v[ETNAVIV_PARAM_GPU_PIXEL_PIPES];
	p->shader_cores = v[ETNAVIV_PARAM_GPU_SHADER_CORE_COUNT];
	p->vertex_cache = v[ETNAVIV_PARAM_GPU_VERTEX_CACHE_SIZE];
	p->vertex_buffer = v[ETNAVIV_PARAM_GPU_VERTEX_OUTPUT_BUFFER_SIZE];
	p->instructions = v[ETNAVIV_PARAM_GPU_INSTRUCTION_COUNT];
	p->constants = v[ETNAVIV_PARAM_GPU_NUM_CONSTANTS];
	p->varyings = v[ETNAVIV_PARAM_GPU_NUM_VARYINGS];
	p->halti = halti_of(p);
	p->pipe_3d = viv_has(p, chipFeatures, PIPE_3D);
	p->pipe_2d = viv_has(p, chipFeatures, PIPE_2D);
	p->shader_range = p->model >= 0x1000 || p->model == 0x880;
	p->single_buffer = viv_has(p, chipMinorFeatures4, SINGLE_BUFFER);
	p->many_pipes = p->halti >= 0 && p->model != 0x880;
	p->blt = viv_has(p, chipMinorFeatures5, BLT_ENGINE);
	p->line_256 = viv_has(p, chipMinorFeatures6, CACHE128B256BPERLINE);
	p->vs_samplers = p->halti >= 1 ? 16 : 8;
	p->max_elements = p->halti >= 0 ? 16 : 10;
	p->ts_bits = !viv_has(p, chipMinorFeatures0, 2BITPERTILE) || p->line_256 ? 4 : 2;
	p->ts_clear = viv_has(p, chipMinorFeatures10, DEC400) ? 0xffffffff : p->ts_bits == 4 ? 0x11111111 : 0x55555555;
	find_code(p);
	find_uniforms(p);
}

bool limn_viv_specs_find(struct viv_specs *specs, const struct limn_info *info, bool pipe_3d)
{
	for (uint32_t i = 0; i < info->num_cores; i++) {
		limn_viv_specs_init(specs, info, i);
		if (pipe_3d ? specs->pipe_3d : specs->pipe_2d)
			return true;
	}
	return false;
}
