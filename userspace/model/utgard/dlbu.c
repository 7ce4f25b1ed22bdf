// SPDX-License-Identifier: MIT
/*
 * Mali-450's dynamic load balancing unit: hands tiles to the PPs, so that a
 * driver need not write tile streams.
 *
 * Facts: Linux lima_dlbu.c; Mesa lima_job.c (the four registers' fields).
 *
 * GUESS(dlbu-order): order and share of the tiles. Hardware balances by load; here the
 * cores take turns, row by row, so that a replayed slice sees the same tile.
 */
#include <limn/utgard/regs.h>

#include "model/core.h"
#include "model/utgard/utgard.h"

struct dlbu {
	struct unit u;
	uint32_t reg[7];
};

#define REG(d, name)	((d)->reg[DLBU_##name / 4])

bool utgard_dlbu_serves(const struct unit *pp, uint32_t frame)
{
	const struct dlbu *d = (struct dlbu *)utgard_find(pp->model, &utgard_dlbu_ops);

	return d && unit_alive(&d->u) && (REG(d, MASTER_TLLIST_PHYS) & 1) &&
	       frame == (REG(d, MASTER_TLLIST_VADDR) & MMU_PAGE_MASK) &&
	       (REG(d, PP_ENABLE_MASK) >> pp->desc->index & 1);
}

bool utgard_dlbu_tile(const struct unit *pp, uint32_t n, uint32_t *x, uint32_t *y, uint32_t *list)
{
	const struct dlbu *d = (struct dlbu *)utgard_find(pp->model, &utgard_dlbu_ops);
	uint32_t cores, rank, w, conf, shift_w, shift_h, stride, tile;

	if (!d)
		return false;
	cores = __builtin_popcount(REG(d, PP_ENABLE_MASK));
	rank = __builtin_popcount(REG(d, PP_ENABLE_MASK) & ((1u << pp->desc->index) - 1));
	w = (REG(d, FB_DIM) & 0xffff) + 1;
	conf = REG(d, TLLIST_CONF);
	shift_w = conf & 0xffff;
	shift_h = conf >> 16 & 0xfff;
	tile = n * cores + rank;
	if (!cores || tile >= w * ((REG(d, FB_DIM) >> 16) + 1))
		return false;
	*x = tile % w;
	*y = tile / w;
	stride = (w + (1u << shift_w) - 1) >> shift_w;
	*list = REG(d, TLLIST_VBASEADDR) + (((*y >> shift_h) * stride + (*x >> shift_w)) << (7 + (conf >> 28)));
	return true;
}

static uint32_t dlbu_read(struct unit *u, uint32_t off)
{
	return ((struct dlbu *)u)->reg[off / 4];
}

static void dlbu_write(struct unit *u, uint32_t off, uint32_t val)
{
	((struct dlbu *)u)->reg[off / 4] = val;
}

static void dlbu_reset(struct unit *u)
{
	struct dlbu *d = (struct dlbu *)u;

	memset(d->reg, 0, sizeof(d->reg));
}

const struct unit_ops utgard_dlbu_ops = {
	.name = "dlbu",
	.size = sizeof(struct dlbu),
	.window = 0x1c,
	.class = MODEL_OTHER,
	.reset = dlbu_reset,
	.read = dlbu_read,
	.write = dlbu_write,
};
