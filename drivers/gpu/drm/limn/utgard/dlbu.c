// SPDX-License-Identifier: GPL-2.0-only
/*
 * Dynamic load balancing unit (Mali-450): hands out tiles to the broadcast PPs.
 *
 * It generates tile lists behind a fixed address, from a page that it
 * addresses physically (bit 0 set: valid). Facts: Linux lima_dlbu.c.
 */
#include "utgard.h"

/* Tiles go to @cores, as userspace's four words say; to nobody when 0. */
void utgard_dlbu_setup(struct utgard_block *dlbu, u32 cores, const u32 *regs)
{
	utgard_assert_pipe(dlbu, UTGARD_PIPE_PP);

	if (dlbu->mask != cores)
		utgard_write(dlbu, DLBU_PP_ENABLE_MASK, cores);
	dlbu->mask = cores;
	if (!cores)
		return;
	utgard_write(dlbu, DLBU_TLLIST_VBASEADDR, regs[0]);
	utgard_write(dlbu, DLBU_FB_DIM, regs[1]);
	utgard_write(dlbu, DLBU_TLLIST_CONF, regs[2]);
	utgard_write(dlbu, DLBU_START_TILE_POS, regs[3]);
}

static int utgard_dlbu_resume(struct utgard_block *dlbu)
{
	utgard_write(dlbu, DLBU_MASTER_TLLIST_PHYS, dlbu->ug->dlbu | 1);
	utgard_write(dlbu, DLBU_MASTER_TLLIST_VADDR, UTGARD_DLBU_VA);
	utgard_write(dlbu, DLBU_PP_ENABLE_MASK, 0);
	dlbu->mask = 0;
	return 0;
}

const struct utgard_block_ops utgard_dlbu_ops = {
	.resume = utgard_dlbu_resume,
};
