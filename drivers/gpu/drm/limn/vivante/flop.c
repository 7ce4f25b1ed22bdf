// SPDX-License-Identifier: GPL-2.0-only
/*
 * GC8000 r6205: after a reset the flip-flops of its parallel processing unit hold
 * anything, until a small compute job has run.
 *
 * The job multiplies the bytes of one picture into another; nobody reads the result.
 * States, pictures and shader: Linux 7 drivers/gpu/drm/etnaviv/etnaviv_flop_reset.c.
 */
#include <kunit/visibility.h>

#include "cmd.h"
#include "vivante.h"

/* Pictures of 64 by 6 bytes, and the shader, in a page that only the kernel's tables map. */
#define FLOP_WIDTH	64
#define FLOP_HEIGHT	6
#define FLOP_IN		VIVANTE_FLOP_VA
#define FLOP_OUT	(FLOP_IN + FLOP_WIDTH * FLOP_HEIGHT)
#define FLOP_SHADER	(FLOP_OUT + FLOP_WIDTH * FLOP_HEIGHT)
#define FLOP_FORMAT	0x444051f0	/* of a picture's descriptor: nobody says what it is */

static const u32 flop_shader[][4] = {
	/* img_load.u8 r1, c0, r0.xy; img_load.u8 r2, c0, r0.xy */
	{ 0x78011779, 0x39000804, 0x00a90050, 0x00000000 },
	{ 0x78021779, 0x39000804, 0x00a90050, 0x00000000 },
	/* dp2x8 r1, r1, r2, c3_512; img_store.u8 r1, c2, r0.xy, r1 */
	{ 0xb8017145, 0x390018fc, 0x01c90140, 0x40390028 },
	{ 0x380007ba, 0x39001804, 0x00a90050, 0x00390018 },
};

#define PICTURE(uniform, address)								\
	{ VIV_AT(VIVS_SH_HALTI5_UNIFORMS, uniform), address },					\
	{ VIV_AT(VIVS_SH_HALTI5_UNIFORMS, (uniform) + 1), FLOP_WIDTH },				\
	{ VIV_AT(VIVS_SH_HALTI5_UNIFORMS, (uniform) + 2), FLOP_HEIGHT << 16 | FLOP_WIDTH },	\
	{ VIV_AT(VIVS_SH_HALTI5_UNIFORMS, (uniform) + 3), FLOP_FORMAT }

static const struct {
	u32 state, value;
} flop_states[] = {
	PICTURE(0, FLOP_IN),
	PICTURE(4, FLOP_OUT),
	{ VIVS_CL_CONFIG, VIV_SET(VIVS_CL_CONFIG_DIMENSIONS, 2) |
			  VIV_SET(VIVS_CL_CONFIG_VALUE_ORDER, 3) },
	{ VIVS_VS_ICACHE_INVALIDATE, 0x1f },
	{ VIVS_PS_VARYING_NUM_COMPONENTS, 0 },
	{ VIVS_PS_TEMP_REGISTER_CONTROL, 3 },
	{ VIVS_PS_SAMPLER_BASE, 0 },
	{ VIVS_PS_UNIFORM_BASE, 0 },
	{ VIVS_PS_NEWRANGE_LOW, 0 },
	{ VIVS_PS_HALTI5_RANGE_HIGH, ARRAY_SIZE(flop_shader) },
	{ VIVS_PS_INST_ADDR, FLOP_SHADER },
	{ VIVS_SH_CONFIG, VIVS_SH_CONFIG_RTNE_ROUNDING },
	{ VIVS_SH_ICACHE_CONTROL, VIVS_SH_ICACHE_CONTROL_ENABLE },
	{ VIVS_PS_ICACHE_COUNT, ARRAY_SIZE(flop_shader) - 1 },
	{ VIVS_PS_INPUT_COUNT, 0x1f01 },
	{ VIVS_VS_HALTI5_UNK008A0, 0 },
	{ VIVS_PA_VS_OUTPUT_COUNT, 0 },
	{ VIVS_GL_VARYING_TOTAL_COMPONENTS, 0 },
	{ VIVS_PS_CONTROL_EXT, 0 },
	{ VIVS_VS_OUTPUT_COUNT, 1 },
	{ VIVS_GL_HALTI5_SH_SPECIALS, 0 },
	{ VIVS_PS_ICACHE_PREFETCH, 0 },
	{ VIVS_CL_UNK00924, 0 },
	{ VIVS_CL_THREAD_ALLOCATION, 1 },
	{ VIVS_CL_GLOBAL_WORK_OFFSET_X, 0 },
	{ VIVS_CL_GLOBAL_WORK_OFFSET_Y, 0 },
	{ VIVS_CL_GLOBAL_WORK_OFFSET_Z, 0 },
	{ VIVS_CL_WORKGROUP_COUNT_X, FLOP_WIDTH / 4 - 1 },
	{ VIVS_CL_WORKGROUP_COUNT_Y, FLOP_HEIGHT - 1 },
	{ VIVS_CL_WORKGROUP_COUNT_Z, ~0u },
	{ VIVS_CL_WORKGROUP_SIZE_X, 0 },
	{ VIVS_CL_WORKGROUP_SIZE_Y, 0 },
	{ VIVS_CL_WORKGROUP_SIZE_Z, 0x3ff },
	{ VIVS_CL_GLOBAL_SCALE_X, 0 },
	{ VIVS_CL_GLOBAL_SCALE_Y, 4 },
	{ VIVS_CL_GLOBAL_SCALE_Z, 1 },
	{ VIVS_CL_KICKER, 0xbadabeeb },
	{ VIVS_GL_FLUSH_CACHE, VIVS_GL_FLUSH_CACHE_SHADER_L1 | VIVS_GL_FLUSH_CACHE_UNK10 |
			       VIVS_GL_FLUSH_CACHE_UNK11 },
};

static bool vivante_flop_is_needed(const struct vivante_core *core)
{
	return vivante_is(core, 0x8000, 0x6205);
}

/**
 * vivante_flop_init - memory for vivante_flop_reset(), if a core needs it
 * @viv: the GPU; its kernel_vm is there
 *
 * Return: 0 or -ENOMEM.
 */
int vivante_flop_init(struct vivante *viv)
{
	unsigned int i;
	dma_addr_t dma;
	void *page;

	for (i = 0; i < viv->num_cores && !vivante_flop_is_needed(viv->core[i]); i++)
		;
	if (i == viv->num_cores)
		return 0;
	page = vivante_alloc_wc(viv, SZ_4K, &dma);
	if (!page)
		return -ENOMEM;
	memset(page, 1, FLOP_WIDTH * FLOP_HEIGHT);
	memcpy(page + FLOP_SHADER - FLOP_IN, flop_shader, sizeof(flop_shader));
	viv->mmu->pt.map(viv->kernel_vm, VIVANTE_FLOP_VA, dma, SZ_4K, true);
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(vivante_flop_init);

/**
 * vivante_flop_put - write the compute job
 * @cmd: where it goes
 *
 * Return: its end.
 */
u32 *vivante_flop_put(u32 *cmd)
{
	unsigned int i;

	cmd = vivante_put_state(cmd, VIVS_GL_API_MODE, VIVS_GL_API_MODE_OPENCL);
	cmd = vivante_put_sync(cmd, SYNC_RECIPIENT_PE);
	for (i = 0; i < ARRAY_SIZE(flop_states); i++)
		cmd = vivante_put_state(cmd, flop_states[i].state, flop_states[i].value);
	return vivante_put_sync(cmd, SYNC_RECIPIENT_PE);
}
EXPORT_SYMBOL_IF_KUNIT(vivante_flop_put);

/* The core was reset, and its MMU has the kernel's tables. 0 or an error. */
int vivante_flop_reset(struct vivante_core *core)
{
	if (!vivante_flop_is_needed(core))
		return 0;
	return vivante_fe_run(core, core->ring.va, vivante_flop_put(core->ring.cpu));
}
