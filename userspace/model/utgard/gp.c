// SPDX-License-Identifier: MIT
/*
 * Utgard GP: control registers, interrupts, reset; VS and PLBU take turns.
 *
 * Facts: Linux lima_gp.c, lima_regs.h; ARM's GPL kernel driver (mali_gp.c).
 */
#include <errno.h>

#include "model/utgard/gp.h"

#define GP_IRQ_ALL		0x00787fffu
#define CYCLES_PER_SLICE	1000

static void gp_update_irq(struct gp *gp)
{
	unit_irq(&gp->u, gp->raw & gp->mask);
}

void gp_raise(struct gp *gp, uint32_t bits)
{
	gp->raw |= bits;
	gp_update_irq(gp);
}

/* --- Performance counters: 0 and 1, registers interleaved -------------------- */

#define PERF(gp, reg, n)	((gp)->perf[((reg) - GP_PERF_CNT_0_ENABLE) / 4 + (n)])

static uint32_t perf_value(const struct gp *gp, unsigned int n)
{
	uint32_t src = PERF(gp, GP_PERF_CNT_0_SRC, n);

	if (!(PERF(gp, GP_PERF_CNT_0_ENABLE, n) & 1) || src >= GP_EVENTS)
		return 0;
	return gp->count[src] - gp->perf_base[n];
}

static void perf_limits(struct gp *gp)
{
	for (unsigned int n = 0; n < 2; n++) {
		uint32_t limit = PERF(gp, GP_PERF_CNT_0_LIMIT, n);

		if (limit && (PERF(gp, GP_PERF_CNT_0_ENABLE, n) & 1) && perf_value(gp, n) >= limit)
			gp_raise(gp, n ? GP_IRQ_PERF_CNT_1_LIMIT : GP_IRQ_PERF_CNT_0_LIMIT);
	}
}

static void perf_write(struct gp *gp, uint32_t off, uint32_t val)
{
	static const uint64_t counted = 1ull << GP_EVENT_ACTIVE | 1ull << GP_EVENT_WORDS_READ |
		1ull << GP_EVENT_WORDS_WRITTEN | 1ull << GP_EVENT_VERTICES | 1ull << GP_EVENT_VERTICES_FETCHED |
		1ull << GP_EVENT_PRIMITIVES | 1ull << GP_EVENT_CULLED | 1ull << GP_EVENT_COMMANDS |
		1ull << GP_EVENT_BLOCKS;
	unsigned int i = (off - GP_PERF_CNT_0_ENABLE) / 4, n = i % 2;

	gp->perf[i] = val;
	if (i / 2 == (GP_PERF_CNT_0_SRC - GP_PERF_CNT_0_ENABLE) / 8 &&
	    (val >= GP_EVENTS || !(counted >> val & 1)) && val)
		unit_report(&gp->u, "performance counter %u: event %02x is not counted", n, val);
	/* GUESS(gp-perf-start): a counter starts at 0 when it is enabled or its event chosen. */
	if (off < GP_PERF_CNT_0_VALUE && PERF(gp, GP_PERF_CNT_0_SRC, n) < GP_EVENTS)
		gp->perf_base[n] = gp->count[PERF(gp, GP_PERF_CNT_0_SRC, n)];
}

bool gp_store(struct gp *gp, uint32_t va, const void *src, uint32_t len)
{
	if (va < gp->write_low || va + (len - 1) > gp->write_high) {
		unit_report(&gp->u, "write of %u bytes at %08x is outside the write bounds %08x-%08x", len, va,
			    gp->write_low, gp->write_high);
		gp->write_bound = true;
		gp_raise(gp, GP_IRQ_WRITE_BOUND);
		return false;
	}
	gp->count[GP_EVENT_WORDS_WRITTEN] += (len + 7) / 8;
	return unit_write(&gp->u, va, src, len);
}

static void gp_bus_error(struct unit *u, uint32_t va, bool write)
{
	struct gp *gp = (struct gp *)u;

	/* GUESS(gp-bus-error): the register holds the address, and the GP stops until it is reset. */
	gp->bus_error = true;
	gp->bus_error_addr = va;
	gp_raise(gp, GP_IRQ_BUS_ERROR);
}

/* For timelines: both shares of the GP. */
static void gp_tell(struct gp *gp)
{
	unit_busy(&gp->u, 1, "vs", vs_active(gp->vs));
	unit_busy(&gp->u, 2, "plbu", plbu_active(gp->plbu));
}

static void gp_reset(struct unit *u)
{
	struct gp *gp = (struct gp *)u;

	unit_clear(gp, frame);
	gp->write_high = 0xffffffff;	/* GUESS(gp-write-bound-reset): no bound until a driver sets one */
	u->pending = false;
	unit_has_job(u, MODEL_BUSY_GP, false);
	vs_reset(gp->vs);
	plbu_reset(gp->plbu);
	gp_tell(gp);
	gp_update_irq(gp);
}

static void gp_finish_reset(struct gp *gp)
{
	uint32_t mask = gp->mask;
	bool hard = gp->hard;

	gp_reset(&gp->u);
	if (hard)
		return;
	gp->mask = mask;	/* GUESS(gp-reset-mask): a soft reset leaves the interrupt mask */
	gp_raise(gp, GP_IRQ_RESET_DONE);
}

/* A defect: its clock was off for the first time since it had a job, and it does not come back. */
static bool gp_is_lost(const struct gp *gp)
{
	return gp->resetting && !gp->hard && gp->wakes_after_job &&
	       unit_clock_stops(&gp->u) == gp->wakes_after_job && unit_has_fault(&gp->u, "lost-wake");
}

/* The defects: nothing but the reset line, or its clock once more, ends this. */
static bool gp_is_stuck(const struct gp *gp)
{
	return (gp->resetting && gp->hard && unit_has_fault(&gp->u, "stuck-reset")) || gp_is_lost(gp);
}

static void gp_begin_reset(struct gp *gp, bool hard)
{
	if (hard && !gp->bus_stopped && (vs_active(gp->vs) || plbu_active(gp->plbu)))
		unit_report(&gp->u, "hard reset of a busy GP whose bus was not stopped");
	gp->resetting = true;
	gp->hard = hard;
	gp->raw = 0;
	gp_update_irq(gp);
	if (gp_is_stuck(gp))
		return;
	if (!unit_strict(&gp->u)) {
		gp_finish_reset(gp);
		return;
	}
	gp->looks = hard ? RESET_LOOKS : 0;
	unit_sleep(&gp->u, unit_random(&gp->u, 8));
	unit_wake(&gp->u);
}

static void gp_start(struct gp *gp, uint32_t cmd)
{
	struct unit *u = &gp->u;

	if (((cmd & GP_CMD_START_VS) && vs_active(gp->vs)) ||
	    ((cmd & GP_CMD_START_PLBU) && plbu_active(gp->plbu)))
		unit_report(u, "start %x while the last job still runs", cmd & 3);
	if (gp->bus_stopped)
		unit_report(u, "start with the bus stopped");
	if (gp->raw & ~gp->mask & (GP_IRQ_RESET_DONE | GP_IRQ_BUS_STOPPED) && unit_strict(u))
		unit_report(u, "start with interrupts of the last reset not cleared (%08x)", gp->raw);
	unit_job_start(u);
	unit_stats(u)->gp_jobs++;
	unit_has_job(u, MODEL_BUSY_GP, true);
	gp->wakes_after_job = unit_clock_stops(u) + 1;
	if (cmd & GP_CMD_START_VS)
		vs_start(gp->vs, gp->frame[0], gp->frame[1]);
	if (cmd & GP_CMD_START_PLBU)
		plbu_start(gp->plbu, gp->frame[2], gp->frame[3]);
	gp_tell(gp);
	unit_sleep(u, unit_lateness(u, 8));
	unit_wake(u);
}

static void gp_command(struct gp *gp, uint32_t cmd)
{
	const uint32_t known = GP_CMD_START_VS | GP_CMD_START_PLBU | GP_CMD_UPDATE_PLBU_ALLOC | GP_CMD_RESET |
			       GP_CMD_FORCE_HANG | GP_CMD_STOP_BUS | GP_CMD_SOFT_RESET;

	if (cmd & ~known)
		unit_report(&gp->u, "unknown bits %08x in command", cmd & ~known);
	if (cmd & GP_CMD_STOP_BUS) {
		gp->bus_stopped = true;
		gp_raise(gp, GP_IRQ_BUS_STOPPED);
	}
	if (cmd & GP_CMD_UPDATE_PLBU_ALLOC) {
		plbu_heap(gp->plbu, gp->frame[4], gp->frame[5]);
		unit_wake(&gp->u);
	}
	if (cmd & GP_CMD_FORCE_HANG)
		gp_raise(gp, GP_IRQ_FORCE_HANG);
	if (cmd & (GP_CMD_START_VS | GP_CMD_START_PLBU))
		gp_start(gp, cmd);
	if (cmd & (GP_CMD_RESET | GP_CMD_SOFT_RESET))
		gp_begin_reset(gp, cmd & GP_CMD_RESET);
}

static uint32_t gp_status(const struct gp *gp)
{
	uint32_t status = 0;

	status |= vs_active(gp->vs) ? GP_STATUS_VS_ACTIVE : 0;
	status |= plbu_active(gp->plbu) ? GP_STATUS_PLBU_ACTIVE : 0;
	status |= gp->bus_stopped ? GP_STATUS_BUS_STOPPED : 0;
	status |= gp->bus_error ? GP_STATUS_BUS_ERROR : 0;
	status |= gp->write_bound ? GP_STATUS_WRITE_BOUND : 0;
	return status;
}

static uint32_t gp_read(struct unit *u, uint32_t off)
{
	struct gp *gp = (struct gp *)u;

	if (gp->resetting) {
		/*
		 * A first look at what drivers poll ends the reset (see mmu.c). A
		 * handler may look at the masked status, for a late or shared
		 * interrupt; the rest is not there.
		 */
		if (off == GP_INT_STAT || off == GP_INT_MASK)
			return off == GP_INT_STAT ? gp->raw & gp->mask : gp->mask;
		if (gp_is_lost(gp))
			return 0;
		if (off == GP_PERF_CNT_0_LIMIT && !gp_is_stuck(gp) && gp->looks == 1) {
			uint32_t limit = gp->limit;

			gp_finish_reset(gp);
			perf_write(gp, off, limit);
		} else if ((off != GP_INT_RAWSTAT && off != GP_STATUS) || gp_is_stuck(gp)) {
			gp->looks -= off == GP_PERF_CNT_0_LIMIT && gp->looks;
			if (!gp_is_stuck(gp) && off != GP_PERF_CNT_0_LIMIT)
				unit_report(u, "register %02x read in reset", off);
			return unit_garbage(u);
		} else {
			gp_finish_reset(gp);
		}
	}
	if (off <= GP_PLBU_ALLOC_END)
		return gp->frame[off / 4];
	if (off == GP_PERF_CNT_0_VALUE || off == GP_PERF_CNT_1_VALUE)
		return perf_value(gp, off == GP_PERF_CNT_1_VALUE);
	if (off >= GP_PERF_CNT_0_ENABLE && off <= GP_PERF_CNT_1_LIMIT)
		return gp->perf[(off - GP_PERF_CNT_0_ENABLE) / 4];
	switch (off) {
	case GP_INT_RAWSTAT:
		return gp->raw;
	case GP_INT_MASK:
		return gp->mask;
	case GP_INT_STAT:
		return gp->raw & gp->mask;
	case GP_WRITE_BOUND_LOW:
		return gp->write_low;
	case GP_WRITE_BOUND_HIGH:
		return gp->write_high;
	case GP_STATUS:
		return gp_status(gp);
	case GP_VERSION:
		if (unit_is_unknown(u))
			return 0x12340101;
		return utgard_versions(u)[0];
	case GP_VSCL_START_READ:
		return gp->frame[0];
	case GP_PLBUCL_START_READ:
		return gp->frame[2];
	case GP_BUS_ERROR_STAT:
		return gp->bus_error_addr;
	}
	unit_report(u, "read of unknown register %02x", off);
	return 0;
}

static void gp_write(struct unit *u, uint32_t off, uint32_t val)
{
	struct gp *gp = (struct gp *)u;

	if (gp->resetting) {
		/* Drivers find the end of a hard reset by writing this until it sticks. */
		if (gp_is_stuck(gp))
			return;
		if (!gp->hard || off != GP_PERF_CNT_0_LIMIT) {
			unit_report(u, "write of %08x to register %02x during a reset is lost", val, off);
			return;
		}
		gp->limit = val;
		if (gp->looks)
			return;
		gp_finish_reset(gp);
	}
	if (off <= GP_PLBU_ALLOC_END) {
		if (val % 16 && off != GP_VSCL_END && off != GP_PLBUCL_END && off < GP_PLBU_ALLOC_START && val % 8)
			unit_report(u, "list address %08x in register %02x is not aligned to 8", val, off);
		gp->frame[off / 4] = val;
		return;
	}
	if (off >= GP_PERF_CNT_0_ENABLE && off <= GP_PERF_CNT_1_LIMIT) {
		perf_write(gp, off, val);
		return;
	}
	switch (off) {
	case GP_CMD:
		gp_command(gp, val);
		break;
	case GP_INT_RAWSTAT:
		gp->raw |= val & GP_IRQ_ALL;	/* mali_gp.c's self-test raises interrupts this way */
		break;
	case GP_INT_CLEAR:
		gp->raw &= ~val;
		break;
	case GP_INT_MASK:
		gp->mask = val;
		break;
	case GP_WRITE_BOUND_LOW:
		gp->write_low = val;
		break;
	case GP_WRITE_BOUND_HIGH:
		gp->write_high = val;
		break;
	default:
		unit_report(u, "write of %08x to unknown register %02x", val, off);
	}
	gp_update_irq(gp);
}

/* One slice of either; the other gets its turn when the first waits. */
static bool gp_step(struct unit *u)
{
	struct gp *gp = (struct gp *)u;

	if (gp_is_stuck(gp))
		return false;
	if (gp->resetting) {
		if (!gp->looks)
			gp_finish_reset(gp);
		return false;
	}
	if (gp->bus_stopped || gp->bus_error || gp->write_bound)
		return false;
	gp->count[GP_EVENT_ACTIVE] += CYCLES_PER_SLICE;
	perf_limits(gp);
	for (int i = 0; i < 2; i++) {
		bool vs = gp->vs_turn;
		enum slice s = SLICE_WAIT;

		gp->vs_turn = !vs;
		u->bus_id = vs ? GP_BUS_VS : GP_BUS_PLBU;
		if (vs && vs_active(gp->vs))
			s = vs_slice(gp->vs);
		else if (!vs && plbu_active(gp->plbu))
			s = plbu_slice(gp->plbu);
		if (s == SLICE_END)
			gp_raise(gp, vs ? GP_IRQ_VS_END : GP_IRQ_PLBU_END);
		gp_tell(gp);
		if (s == SLICE_WAIT)
			continue;
		unit_has_job(u, MODEL_BUSY_GP, vs_active(gp->vs) || plbu_active(gp->plbu));
		return u->has_job;
	}
	return false;
}

static int gp_init(struct unit *u)
{
	struct gp *gp = (struct gp *)u;

	gp->vs = vs_create(gp);
	gp->plbu = plbu_create(gp);
	return gp->vs && gp->plbu ? 0 : -ENOMEM;
}

static void gp_destroy(struct unit *u)
{
	struct gp *gp = (struct gp *)u;

	vs_destroy(gp->vs);
	plbu_destroy(gp->plbu);
}

const struct unit_ops utgard_gp_ops = {
	.name = "gp",
	.size = sizeof(struct gp),
	.window = 0x98,
	.class = MODEL_GP,
	.sticks = true,
	.init = gp_init,
	.destroy = gp_destroy,
	.reset = gp_reset,
	.read = gp_read,
	.write = gp_write,
	.step = gp_step,
	.bus_error = gp_bus_error,
};
