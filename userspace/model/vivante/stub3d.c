// SPDX-License-Identifier: MIT
/* Stands in for the 3D pipeline until it is there: weak, and reports each draw. */
#include "model/vivante/internal.h"

#define WEAK	__attribute__((weak))

WEAK int viv3d_init(struct vivante *v)
{
	return 0;
}

WEAK void viv3d_destroy(struct vivante *v)
{
}

WEAK void viv3d_reset(struct vivante *v)
{
}

WEAK void viv3d_loaded(struct vivante *v, uint32_t address, uint32_t count)
{
}

WEAK void viv3d_draw(struct vivante *v, const struct viv_draw *draw)
{
	viv_report(v, "pipe", "draw of type %u: there is no 3D pipeline", draw->type);
}

WEAK bool viv3d_step(struct vivante *v)
{
	return false;
}

WEAK void viv3d_flush(struct vivante *v, uint32_t bits)
{
}
