// SPDX-License-Identifier: MIT
/*
 * Mali-450's broadcast unit: one write reaches several PPs or their MMUs, and
 * one interrupt line speaks for all.
 *
 * Facts: Linux lima_bcast.c, lima_pp.c (lima_pp_bcast_irq_handler), lima_mmu.c;
 * ARM's GPL kernel driver (mali_broadcast.c): the mask's low half chooses PPs,
 * its high half MMUs.
 */
#include <limn/utgard/regs.h>

#include "model/core.h"
#include "model/utgard/utgard.h"

struct bcast {
	struct unit u;
	uint32_t mask;		/* PPs that a broadcast reaches in 15:0, MMUs in 31:16 */
	uint32_t irq_mask;	/* cores whose interrupts go to the common line */
};

/*
 * GUESS(bcast-irq): a core in the interrupt mask speaks through the common line only;
 * lima's handlers would count a core twice if both lines rose.
 */
bool utgard_pp_irq(struct unit *pp)
{
	struct model *m = pp->model;
	struct bcast *b = (struct bcast *)utgard_find(m, &utgard_bcast_ops);
	bool level = false;

	if (!b || !(b->irq_mask >> pp->desc->index & 1))
		return false;
	for (unsigned int i = 0; i < m->row->num_units; i++) {
		struct unit *u = m->units[i];

		if (u->ops == &utgard_pp_ops && (b->irq_mask >> u->desc->index & 1))
			level |= u->irq_want;
	}
	unit_irq(&b->u, level);
	return true;
}

static uint32_t bcast_read(struct unit *u, uint32_t off)
{
	struct bcast *b = (struct bcast *)u;

	if (off == BCAST_BROADCAST_MASK)
		return b->mask;
	if (off == BCAST_INTERRUPT_MASK)
		return b->irq_mask;
	unit_report(u, "read of unknown register %02x", off);
	return 0;
}

static void bcast_write(struct unit *u, uint32_t off, uint32_t val)
{
	struct bcast *b = (struct bcast *)u;

	if (off == BCAST_BROADCAST_MASK) {
		b->mask = val;
	} else if (off == BCAST_INTERRUPT_MASK) {
		b->irq_mask = val;
		if (!val)
			unit_irq(u, false);
	} else {
		unit_report(u, "write of %08x to unknown register %02x", val, off);
	}
}

static void bcast_reset(struct unit *u)
{
	struct bcast *b = (struct bcast *)u;

	b->mask = 0;
	b->irq_mask = 0;
	unit_irq(u, false);
}

/* The next unit from number *i on that a window's accesses are for; NULL after the last. */
static struct unit *addressed(struct unit *window, unsigned int *i)
{
	const struct unit_ops *ops = window->ops == &utgard_pp_bcast_ops ? &utgard_pp_ops : &utgard_mmu_ops;
	struct model *m = window->model;
	struct bcast *b = (struct bcast *)utgard_find(m, &utgard_bcast_ops);

	for (; b && *i < m->row->num_units; ++*i) {
		struct unit *u = m->units[*i];
		unsigned int core;

		if (u->ops != ops)
			continue;
		if (ops == &utgard_mmu_ops && u->desc->index == 0)
			continue;	/* the GP's */
		core = ops == &utgard_mmu_ops ? u->desc->index - 1 + 16 : u->desc->index;
		if (b->mask >> core & 1) {
			++*i;
			return u;
		}
	}
	return NULL;
}

static void write_all(struct unit *window, uint32_t off, uint32_t val)
{
	struct unit *u;
	unsigned int i = 0;

	while ((u = addressed(window, &i))) {
		if (unit_alive(u))
			u->ops->write(u, off, val);
		else
			unit_report(u, "broadcast write of %08x to register %04x while off", val, off);
	}
}

/* GUESS(bcast-read): a read is answered by the last core addressed, when all have been asked. */
static uint32_t read_all(struct unit *window, uint32_t off)
{
	struct unit *u;
	unsigned int i = 0;
	uint32_t val = 0;

	while ((u = addressed(window, &i))) {
		val = unit_alive(u) ? u->ops->read(u, off) : unit_garbage(u);
	}
	return val;
}

const struct unit_ops utgard_bcast_ops = {
	.name = "bcast",
	.size = sizeof(struct bcast),
	.window = 0x08,
	.class = MODEL_OTHER,
	.reset = bcast_reset,
	.read = bcast_read,
	.write = bcast_write,
};

const struct unit_ops utgard_pp_bcast_ops = {
	.name = "pp_bcast",
	.size = sizeof(struct unit),
	.window = 0x10f0,
	.class = MODEL_PP,
	.read = read_all,
	.write = write_all,
};

const struct unit_ops utgard_ppmmu_bcast_ops = {
	.name = "ppmmu_bcast",
	.size = sizeof(struct unit),
	.window = 0x24,
	.class = MODEL_MMU,
	.read = read_all,
	.write = write_all,
};
