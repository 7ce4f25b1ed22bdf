// SPDX-License-Identifier: MIT
#include "model/vivante/internal.h"
#define WEAK	__attribute__((weak))
WEAK bool viv_rs_kick(struct vivante *v) { return false; }
WEAK bool viv_rs_kick_inplace(struct vivante *v, uint32_t tiles) { return false; }
WEAK bool viv_rs_step(struct vivante *v) { return false; }
WEAK bool viv_blt_kick(struct vivante *v, uint32_t command) { return false; }
WEAK bool viv_blt_step(struct vivante *v) { return false; }
WEAK bool viv_de_draw(struct vivante *v, const uint32_t *rect, unsigned int rects, const uint32_t *data, unsigned int words) { return false; }
WEAK bool viv_de_step(struct vivante *v) { return false; }
WEAK void viv_rs_reset(struct vivante *v) {}
WEAK void viv_blt_reset(struct vivante *v) {}
WEAK void viv_de_reset(struct vivante *v) {}
