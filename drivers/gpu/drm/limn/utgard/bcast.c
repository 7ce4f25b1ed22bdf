// SPDX-License-Identifier: GPL-2.0-only
/*
 * Broadcast unit (Mali-450): writes to all selected PPs and PP MMUs at once.
 *
 * The low half of its mask selects cores, the high half MMUs (ARM's mali_broadcast.c): all that
 * there are, as in Linux' lima_bcast.c.
 */
#include "utgard.h"

void utgard_bcast_select(struct utgard_block *bcast, u32 mask)
{
	utgard_assert_pipe(bcast, UTGARD_PIPE_PP);

	if (bcast->mask == mask)
		return;
	utgard_write(bcast, BCAST_BROADCAST_MASK, bcast->ug->pp_present << 16 | mask);
	bcast->mask = mask;
}

static int utgard_bcast_init(struct utgard_block *bcast)
{
	unsigned int i;

	for (i = 0; i < UTGARD_MAX_PP; i++) {
		if (bcast->ug->block[UTGARD_PP0 + i].present)
			bcast->ug->pp_present |= BIT(i);
	}
	return 0;
}

static int utgard_bcast_resume(struct utgard_block *bcast)
{
	bcast->mask = 0;
	utgard_write(bcast, BCAST_BROADCAST_MASK, bcast->ug->pp_present << 16);
	utgard_write(bcast, BCAST_INTERRUPT_MASK, bcast->ug->pp_present);
	return 0;
}

/* Until utgard_bcast_resume(). */
void utgard_bcast_off(struct utgard_block *bcast)
{
	utgard_write(bcast, BCAST_BROADCAST_MASK, 0);
	utgard_write(bcast, BCAST_INTERRUPT_MASK, 0);
}

const struct utgard_block_ops utgard_bcast_ops = {
	.init = utgard_bcast_init,
	.resume = utgard_bcast_resume,
};
