// SPDX-License-Identifier: MIT
/*
 * Performance counters: a PROFILE_CONFIG register selects one of a module's
 * counters, PROFILE_*_READ shows it; selecting number 15 resets the module's.
 *
 * Facts: rnndb state_hi.xml; Linux etnaviv_perfmon.c. GUESS(perf-rest): pixel pipe 0
 * counts for all pipes, so that a sum over the pipes is right; a counter that
 * the model does not keep reads 0; bytes are those that modules ask for, whether
 * or not a cache has them.
 */
#include <stddef.h>

#include "model/vivante/internal.h"

struct counter {
	uint32_t read;		/* register that shows it */
	uint32_t number;	/* as selected */
	size_t offset;		/* in struct viv_perf */
};

#define COUNTER(unit, number, field) { VIVS_MC_PROFILE_##unit##_READ, number, offsetof(struct viv_perf, field) }

static const struct counter counters[] = {
	COUNTER(FE, 9, pa_input_prim),	/* GUESS(perf-current-prim): the current primitive is the last that PA got */
	COUNTER(PE, 0, pe_killed_color), COUNTER(PE, 1, pe_killed_depth),
	COUNTER(PE, 2, pe_drawn_color), COUNTER(PE, 3, pe_drawn_depth), COUNTER(PE, 11, pe_pixels_2d),
	COUNTER(SH, 4, sh_cycles), COUNTER(SH, 7, sh_ps_inst), COUNTER(SH, 8, sh_pixels),
	COUNTER(SH, 9, sh_vs_inst), COUNTER(SH, 10, sh_vertices), COUNTER(SH, 11, sh_vtx_branch),
	COUNTER(SH, 12, sh_vtx_texld), COUNTER(SH, 13, sh_pxl_branch), COUNTER(SH, 14, sh_pxl_texld),
	COUNTER(PA, 3, pa_input_vtx), COUNTER(PA, 4, pa_input_prim), COUNTER(PA, 5, pa_output_prim),
	COUNTER(PA, 6, pa_depth_clipped), COUNTER(PA, 7, pa_trivial_rejected), COUNTER(PA, 8, pa_culled),
	COUNTER(SE, 0, se_culled_triangle), COUNTER(SE, 1, se_culled_lines),
	COUNTER(RA, 0, ra_valid_pixel), COUNTER(RA, 1, ra_total_quad), COUNTER(RA, 2, ra_valid_quad_after_ez),
	COUNTER(RA, 3, ra_total_prim), COUNTER(RA, 9, ra_pipe_cache_miss),
	COUNTER(RA, 10, ra_prefetch_cache_miss), COUNTER(RA, 11, ra_culled_quad),
	COUNTER(TX, 0, tx_bilinear), COUNTER(TX, 1, tx_trilinear), COUNTER(TX, 2, tx_discarded),
	COUNTER(TX, 3, tx_requests), COUNTER(TX, 5, tx_mem_read), COUNTER(TX, 6, tx_mem_read_8b),
	COUNTER(TX, 7, tx_cache_miss), COUNTER(TX, 8, tx_cache_hit_texel), COUNTER(TX, 9, tx_cache_miss_texel),
	COUNTER(MC, 1, mc_read_8b_pipeline), COUNTER(MC, 2, mc_read_8b_ip), COUNTER(MC, 3, mc_write_8b_pipeline),
};

/* Which byte of which PROFILE_CONFIG register selects for a READ register. */
static const struct {
	uint32_t read, config;
	unsigned int shift;
} selectors[] = {
	{ VIVS_MC_PROFILE_FE_READ, VIVS_MC_PROFILE_CONFIG0, 0 },
	{ VIVS_MC_PROFILE_DE_READ, VIVS_MC_PROFILE_CONFIG0, 8 },
	{ VIVS_MC_PROFILE_PE_READ, VIVS_MC_PROFILE_CONFIG0, 16 },
	{ VIVS_MC_PROFILE_SH_READ, VIVS_MC_PROFILE_CONFIG0, 24 },
	{ VIVS_MC_PROFILE_PA_READ, VIVS_MC_PROFILE_CONFIG1, 0 },
	{ VIVS_MC_PROFILE_SE_READ, VIVS_MC_PROFILE_CONFIG1, 8 },
	{ VIVS_MC_PROFILE_RA_READ, VIVS_MC_PROFILE_CONFIG1, 16 },
	{ VIVS_MC_PROFILE_TX_READ, VIVS_MC_PROFILE_CONFIG1, 24 },
	{ VIVS_MC_PROFILE_MC_READ, VIVS_MC_PROFILE_CONFIG2, 0 },
	{ VIVS_MC_PROFILE_HI_READ, VIVS_MC_PROFILE_CONFIG2, 8 },
};

#define COUNT(a)	(sizeof(a) / sizeof((a)[0]))
#define RESET		15

static uint32_t *at(struct viv_perf *perf, const struct counter *c)
{
	return (uint32_t *)((char *)perf + c->offset);
}

/*
 * TOTAL_CYCLES has idle ones there (Linux etnaviv_perfmon.c, hi_total_idle_cycle_read()).
 * IDLE_CYCLES then has nothing, which is part of the guess above.
 */
static bool counts_idle_there(const struct vivante *v)
{
	return v->chip->model == 0x880 || (v->chip->model == 0x2000 && !v->chip->mmu_v2) || v->chip->model == 0x2100;
}

uint32_t viv_perf_read(struct vivante *v, uint32_t address)
{
	uint32_t selected = 0;

	/* The debug registers are there only when they are enabled. */
	if (v->host->clock & VIVS_HI_CLOCK_CONTROL_DISABLE_DEBUG_REGISTERS) {
		viv_report(v, "hi", "counter %s is read while DISABLE_DEBUG_REGISTERS is set", viv_state_name(address));
		return 0;
	}
	if (VIV_GET(VIVS_HI_CLOCK_CONTROL_DEBUG_PIXEL_PIPE, v->host->clock))
		return 0;
	if (address == VIVS_MC_PROFILE_CYCLE_COUNTER)
		return v->host->cycles;
	if (address == VIVS_HI_PROFILE_TOTAL_CYCLES)
		return counts_idle_there(v) ? v->host->idle_cycles : v->host->cycles;
	if (address == VIVS_HI_PROFILE_IDLE_CYCLES)
		return counts_idle_there(v) ? 0 : v->host->idle_cycles;
	if (address == VIVS_HI_PROFILE_READ_BYTES8)
		return v->perf.mc_read_8b_pipeline + v->perf.mc_read_8b_ip;
	if (address == VIVS_HI_PROFILE_WRITE_BYTES8)
		return v->perf.mc_write_8b_pipeline;
	for (unsigned int i = 0; i < COUNT(selectors); i++) {
		if (selectors[i].read == address)
			selected = viv_state(v, selectors[i].config) >> selectors[i].shift & 0xff;
	}
	for (unsigned int i = 0; i < COUNT(counters); i++) {
		if (counters[i].read == address && counters[i].number == selected)
			return *at(&v->perf, &counters[i]) - *at(&v->host->zero, &counters[i]);
	}
	return 0;
}

void viv_perf_config(struct vivante *v, uint32_t address, uint32_t value)
{
	for (unsigned int i = 0; i < COUNT(selectors); i++) {
		if (selectors[i].config != address || (value >> selectors[i].shift & 0xff) != RESET)
			continue;
		for (unsigned int k = 0; k < COUNT(counters); k++) {
			if (counters[k].read == selectors[i].read)
				*at(&v->host->zero, &counters[k]) = *at(&v->perf, &counters[k]);
		}
	}
}
