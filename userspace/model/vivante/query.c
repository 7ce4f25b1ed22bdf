// SPDX-License-Identifier: MIT
/*
 * Occlusion queries: writing OCCLUSION_QUERY_ADDR starts one, writing
 * OCCLUSION_QUERY_CONTROL ends it and stores the count. Source: Mesa
 * etnaviv_query_acc_occlusion.c. GUESS(query-unit): the count is that of samples that
 * passed, in 64 bits, since the start.
 */
#include "model/vivante/viv3d.h"

void v3d_query_loaded(struct viv3d *p, uint32_t address, uint32_t count)
{
	uint32_t end = address + count * 4;

	if (address <= VIVS_GL_OCCLUSION_QUERY_ADDR && end > VIVS_GL_OCCLUSION_QUERY_ADDR)
		p->query_samples = 0;
	if (address <= VIVS_GL_OCCLUSION_QUERY_CONTROL && end > VIVS_GL_OCCLUSION_QUERY_CONTROL)
		unit_write(p->v->port[VIV_PORT_PE], viv_state(p->v, VIVS_GL_OCCLUSION_QUERY_ADDR),
			   &p->query_samples, sizeof(p->query_samples));
}
