// SPDX-License-Identifier: MIT
/*
 * Utgard power management unit: switches power domains.
 *
 * Facts: Linux lima_pmu.c, ARM's GPL kernel driver (mali_pmu.c): STATUS bit
 * set = off; a command sets INT_RAWSTAT bit 0 when done, except that a
 * Mali-400 whose last domain goes off tells nothing.
 */
#include <limn/utgard/regs.h>

#include "model/core.h"
#include "model/utgard/utgard.h"

struct pmu {
	struct unit u;
	uint32_t domains;	/* that exist */
	uint32_t off;
	uint32_t target;	/* what the command under way makes of off */
	uint32_t raw, mask, delay;
	bool busy;
};

static void pmu_update_irq(struct pmu *p)
{
	unit_irq(&p->u, p->raw & p->mask);
}

static void pmu_finish(struct pmu *p)
{
	struct model *m = p->u.model;

	p->busy = false;
	p->off = p->target;
	for (unsigned int i = 0; i < m->row->num_units; i++) {
		struct unit *u = m->units[i];

		if (u->desc->power)
			unit_power(u, !(u->desc->power & p->off));
	}
	if (p->off != p->domains || utgard_is_m450(&p->u))
		p->raw |= PMU_INT_CMD_DONE;
	pmu_update_irq(p);
}

static void pmu_command(struct pmu *p, uint32_t domains, bool up)
{
	if (p->busy) {
		unit_report(&p->u, "power command %08x while one is under way", domains);
		pmu_finish(p);
	}
	if (domains & ~p->domains)
		unit_report(&p->u, "power command %08x for domains that do not exist", domains & ~p->domains);
	p->target = up ? p->off & ~domains : p->off | (domains & p->domains);
	p->busy = true;
	if (!unit_strict(&p->u)) {
		pmu_finish(p);
		return;
	}
	unit_sleep(&p->u, unit_random(&p->u, 16));
	unit_wake(&p->u);
}

static bool pmu_step(struct unit *u)
{
	struct pmu *p = (struct pmu *)u;

	if (p->busy)
		pmu_finish(p);
	return false;
}

static uint32_t pmu_read(struct unit *u, uint32_t off)
{
	struct pmu *p = (struct pmu *)u;

	if (p->busy && (off == PMU_STATUS || off == PMU_INT_RAWSTAT))
		pmu_finish(p);
	switch (off) {
	case PMU_STATUS:
		return p->off;
	case PMU_INT_MASK:
		return p->mask;
	case PMU_INT_RAWSTAT:
		return p->raw;
	case PMU_SW_DELAY:
		return p->delay;
	}
	unit_report(u, "read of unknown register %02x", off);
	return 0;
}

static void pmu_write(struct unit *u, uint32_t off, uint32_t val)
{
	struct pmu *p = (struct pmu *)u;

	switch (off) {
	case PMU_POWER_UP:
		pmu_command(p, val, true);
		break;
	case PMU_POWER_DOWN:
		pmu_command(p, val, false);
		break;
	case PMU_INT_MASK:
		p->mask = val;
		break;
	case PMU_INT_CLEAR:
		p->raw &= ~val;
		break;
	case PMU_SW_DELAY:
		p->delay = val & 0xffff;
		break;
	default:
		unit_report(u, "write of %08x to unknown register %02x", val, off);
	}
	pmu_update_irq(p);
}

static void pmu_reset(struct unit *u)
{
	struct pmu *p = (struct pmu *)u;
	struct model *m = u->model;

	unit_clear(p, domains);
	for (unsigned int i = 0; i < m->row->num_units; i++) {
		p->domains |= m->row->units[i].power;
		m->units[i]->off |= m->row->units[i].power != 0;
	}
	p->off = p->domains;
}

const struct unit_ops utgard_pmu_ops = {
	.name = "pmu",
	.size = sizeof(struct pmu),
	.window = 0x20,
	.class = MODEL_OTHER,
	.reset = pmu_reset,
	.read = pmu_read,
	.write = pmu_write,
	.step = pmu_step,
};
