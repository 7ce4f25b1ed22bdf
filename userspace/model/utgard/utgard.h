/* SPDX-License-Identifier: MIT */
/* Units of the Utgard GPUs, and what they know of each other. */
#ifndef LIMN_MODEL_UTGARD_H
#define LIMN_MODEL_UTGARD_H

#include "model/unit.h"

extern const struct unit_ops utgard_gp_ops;
extern const struct unit_ops utgard_pp_ops;	/* utgard/pp.c */
extern const struct unit_ops utgard_mmu_ops;
extern const struct unit_ops utgard_l2_ops;
extern const struct unit_ops utgard_pmu_ops;
extern const struct unit_ops utgard_dlbu_ops;
extern const struct unit_ops utgard_bcast_ops;
extern const struct unit_ops utgard_pp_bcast_ops;
extern const struct unit_ops utgard_ppmmu_bcast_ops;

/*
 * Mali-450's DLBU: does it serve this PP for a frame that starts at that
 * address (PP_FRAME)? Then the PP takes its n-th tile, and the address of the
 * tile's polygon list, from it; false after the last.
 */
bool utgard_dlbu_serves(const struct unit *pp, uint32_t frame);
bool utgard_dlbu_tile(const struct unit *pp, uint32_t n, uint32_t *x, uint32_t *y, uint32_t *list);

/*
 * Strict mode: a hard reset lasts until the driver has looked for its end, as all do: by a counter limit that is
 * written and read until it sticks (Linux lima_gp.c, lima_pp.c: *_hard_reset_poll()). It does at this look: lima
 * gives up after 100 us, and a guest that sleeps between two looks may have no more than two of them.
 */
#define RESET_LOOKS	2

/* Does the common line of Mali-450's broadcast unit speak for this PP? (bcast.c) */
bool utgard_pp_irq(struct unit *pp);

/* The unit of a kind of which there is one at most; NULL: there is none. */
struct unit *utgard_find(const struct model *m, const struct unit_ops *ops);

/* Mali-450 differs in the version registers and in what DLBU does. */
bool utgard_is_m450(const struct unit *u);
/* What GP_VERSION and PP_VERSION say. */
const uint32_t *utgard_versions(const struct unit *u);

#endif
