/* SPDX-License-Identifier: MIT */
/*
 * PP: registers, interrupts, reset, and slices of work. Register facts: Linux
 * lima_pp.c and lima_regs.h; numbers of performance counters: ARM's gator
 * (events-Mali-4xx.xml), of which those of enum pp_counter count.
 */
#include <errno.h>
#include <stdlib.h>

#include "model/utgard/pp.h"

#define PP_IRQ_ALL		0x1fffu
#define SLOW_RESET_NS		3000000	/* of the defect "slow-reset" */
#define PP_CTRL_KNOWN		(PP_CTRL_STOP_BUS | PP_CTRL_FLUSH_CACHES | PP_CTRL_FORCE_RESET | \
				 PP_CTRL_START | PP_CTRL_SOFT_RESET)

static struct pp *to_pp(struct unit *u)
{
	return (struct pp *)u;
}

static void update_irq(struct pp *pp)
{
	unit_irq(&pp->u, pp->raw & pp->mask);
}

void pp_raise(struct pp *pp, uint32_t irq)
{
	pp->raw |= irq;
	update_irq(pp);
}

void pp_end_of_frame(struct pp *pp, uint32_t irq)
{
	pp->phase = PP_IDLE;
	pp->status &= ~PP_STATUS_RENDERING;
	unit_has_job(&pp->u, MODEL_BUSY_PP, false);
	if (irq != PP_IRQ_END_OF_FRAME || !unit_has_fault(&pp->u, "lost-end"))
		pp_raise(pp, irq);
}

/* --- Performance counters ------------------------------------------------ */

static uint32_t perf_value(const struct pp *pp, unsigned int i)
{
	uint32_t src = pp->perf_src[i];

	if (!(pp->perf_enable[i] & 1) || src >= PP_CNT_MAX)
		return 0;
	return (uint32_t)pp->count[src] - pp->perf_base[i];
}

/* Bit per source that the model counts, see enum pp_counter. */
#define PERF_COUNTED	0x3dcfbfe2cdull

static void perf_restart(struct pp *pp, unsigned int i)
{
	uint32_t src = pp->perf_src[i];

	if (pp->perf_enable[i] & 1 && (src >= PP_CNT_MAX || !(PERF_COUNTED >> src & 1)))
		unit_report(&pp->u, "performance counter %u: source 0x%x is not counted by this model",
			    i, src);
	if (pp->perf_src[i] < PP_CNT_MAX)
		pp->perf_base[i] = pp->count[pp->perf_src[i]];
}

/* GUESS(pp-perf-limit): a limit of 0 is none; reaching it raises the interrupt once per enable. */
static void perf_limits(struct pp *pp)
{
	static const uint32_t irq[2] = { PP_IRQ_CNT_0_LIMIT, PP_IRQ_CNT_1_LIMIT };
	unsigned int i;

	for (i = 0; i < 2; i++)
		if (pp->perf_limit[i] && perf_value(pp, i) >= pp->perf_limit[i])
			pp_raise(pp, irq[i]);
}

/* --- Reset and start ----------------------------------------------------- */

static void registers_reset(struct pp *pp)
{
	memset(pp->frame, 0, sizeof(pp->frame));
	memset(pp->wb, 0, sizeof(pp->wb));
	pp->frame[PP_FEATURES / 4] = 0x2;
	pp->frame[PP_SUBPIXEL / 4] = 0x75;
	pp->raw = 0;
	pp->mask = 0;
	pp->status = 0;
	pp->bus_error = 0;
	pp->bus_stop_wanted = false;
	memset(pp->write_bound, 0, sizeof(pp->write_bound));
	memset(pp->perf_enable, 0, sizeof(pp->perf_enable));
	memset(pp->perf_src, 0, sizeof(pp->perf_src));
	memset(pp->perf_limit, 0, sizeof(pp->perf_limit));
	memset(pp->perfmon, 0, sizeof(pp->perfmon));
	pp->fault = false;
	pp->bus_failed = false;
	pp->hang = false;
	pp->stuck = false;
	unit_has_job(&pp->u, MODEL_BUSY_PP, false);
	pp_draw_flush(pp);
}

static void pp_reset(struct unit *u)
{
	struct pp *pp = to_pp(u);

	registers_reset(pp);
	pp->phase = PP_IDLE;
	update_irq(pp);
}

/*
 * Both resets take time and end with RESET_DONE alone in the raw status.
 * GUESS(pp-hard-reset-done): that a hard reset ends like that, too; drivers clear it unseen.
 */
static void start_reset(struct pp *pp, bool hard)
{
	if (hard && pp->status & PP_STATUS_RENDERING && !(pp->status & PP_STATUS_BUS_STOPPED))
		unit_report(&pp->u, "hard reset of a busy core whose bus was not stopped");
	registers_reset(pp);
	pp->stuck = hard && unit_has_fault(&pp->u, "stuck-reset");
	pp->looks = hard && unit_strict(&pp->u) ? RESET_LOOKS : 0;
	if (!hard && unit_has_fault(&pp->u, "slow-reset")) {
		clock_gettime(CLOCK_MONOTONIC, &pp->slow);
		pp->slow.tv_nsec += SLOW_RESET_NS;
	}
	pp->phase = PP_RESETTING;
	update_irq(pp);
	unit_sleep(&pp->u, unit_lateness(&pp->u, 8));
	unit_wake(&pp->u);
}

/* What no driver is known to write into the frame's registers is a finding. */
static void check_frame(struct pp *pp)
{
	const uint32_t *f = pp->frame;
	uint32_t features = f[PP_FEATURES / 4], subpixel = f[PP_SUBPIXEL / 4];
	uint32_t scaling = f[PP_SCALING / 4], channels = f[PP_CHANNEL_LAYOUT / 4], stack = f[PP_STACK_SIZE / 4];

	/*
	 * GUESS(pp-features): what nobody but limare's ORIGIN_LOWER_LEFT writes has no effect, but that without EARLY_Z
	 * depth and stencil are tested behind the shader. (Names: Mesa genxml/common.xml.)
	 */
	if (features & ~PP_FEATURES_KNOWN || !(features & UTGARD_MASK(PP_FEATURES_EARLY_Z)))
		unit_report(&pp->u, "frame register 0x0c (features) = 0x%x: unknown bits, or effects", features);
	else if (features & UTGARD_MASK(PP_FEATURES_ORIGIN_LOWER_LEFT) && unit_strict(&pp->u))
		unit_report(&pp->u, "frame register 0x0c (features) = 0x%x: guessed: ORIGIN_LOWER_LEFT has no effect", features);
	if (UTGARD_GET(PP_STACK_SIZE_POINTER, stack) != UTGARD_GET(PP_STACK_SIZE_SIZE, stack))
		unit_report(&pp->u, "frame register 0x34 (stack) = 0x%x: guessed: where the stack starts has no effect", stack);
	if (f[PP_VERTEX / 4] || f[14] || f[15])
		unit_report(&pp->u, "frame registers 0x08, 0x38, 0x3c = 0x%x 0x%x 0x%x: unknown",
			    f[PP_VERTEX / 4], f[14], f[15]);
	if (f[PP_CLEAR_DEPTH / 4] & ~PP_CLEAR_DEPTH_MASK ||
	    f[PP_CLEAR_STENCIL / 4] & ~PP_CLEAR_STENCIL_MASK)
		unit_report(&pp->u, "frame registers 0x10, 0x14 = 0x%x 0x%x: clear depth has 24 bits, clear stencil 8",
			    f[PP_CLEAR_DEPTH / 4], f[PP_CLEAR_STENCIL / 4]);
	if ((subpixel != PP_SUBPIXEL_DRIVER && subpixel != 0x75) || f[PP_TIEBREAK / 4] > 1)
		unit_report(&pp->u, "frame registers 0x48 (subpixel), 0x4c (tiebreak) = 0x%x 0x%x: effect unknown",
			    subpixel, f[PP_TIEBREAK / 4]);
	if (scaling & ~PP_SCALING_KNOWN || UTGARD_GET(PP_SCALE_X, scaling) || UTGARD_GET(PP_SCALE_Y, scaling))
		unit_report(&pp->u, "frame register 0x54 (scaling) = 0x%x: effect unknown", scaling);
	else if (scaling != PP_SCALING_DRIVER && unit_strict(&pp->u))
		unit_report(&pp->u, "frame register 0x54 (scaling) = 0x%x: guessed: which ways y counts", scaling);
	if (channels && channels != PP_CHANNELS_8888 && channels != PP_CHANNELS_8565 &&
	    channels != PP_CHANNELS_8444)
		unit_report(&pp->u, "frame register 0x58 (channel layout) = 0x%x: unknown", channels);
}

static void start(struct pp *pp)
{
	if (pp->phase != PP_IDLE) {
		unit_report(&pp->u, "start while %s", pp->phase == PP_RESETTING ?
			    "in reset" : "rendering");
		return;
	}
	if (pp->status & PP_STATUS_BUS_STOPPED) {
		unit_report(&pp->u, "start while the bus is stopped");
		return;
	}
	pp->reported = 0;
	pp->fault = false;
	pp->bus_failed = false;
	pp->hang = false;
	pp->wb_unit = 0;
	unit_stats(&pp->u)->pp_jobs++;
	unit_job_start(&pp->u);
	pp_draw_flush(pp);
	pp_program_flush(pp);
	check_frame(pp);
	pp->status |= PP_STATUS_RENDERING;
	unit_has_job(&pp->u, MODEL_BUSY_PP, true);
	pp_list_start(pp);
	unit_sleep(&pp->u, unit_lateness(&pp->u, 16));
	unit_wake(&pp->u);
}

/* The bus answered with an error: the core stops. */
static void pp_bus_error(struct unit *u, uint32_t va, bool write)
{
	struct pp *pp = to_pp(u);

	unit_report(u, "bus error %s 0x%08x", write ? "writing" : "reading", va);
	/* GUESS(pp-bus-error): the bus error status register holds the address. */
	pp->bus_error = va;
	pp->bus_failed = true;
}

/* The defect: a soft reset is not over yet. */
static bool is_slow(const struct pp *pp)
{
	struct timespec now;

	if (pp->phase != PP_RESETTING || !unit_has_fault(&pp->u, "slow-reset"))
		return false;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (now.tv_sec - pp->slow.tv_sec) * 1000000000ll + now.tv_nsec < pp->slow.tv_nsec;
}

/*
 * Ends a reset or a bus stop that is under way. The first look at the status
 * does so, too: a driver polls with short timeouts, sometimes in one try, and
 * does it also while the MMU holds this core back.
 */
static void settle(struct pp *pp)
{
	if (pp->stuck || is_slow(pp))
		return;
	if (pp->phase == PP_RESETTING) {
		pp->phase = PP_IDLE;
		pp_raise(pp, PP_IRQ_RESET_DONE);
	}
	if (pp->bus_stop_wanted) {
		pp->bus_stop_wanted = false;
		pp->status |= PP_STATUS_BUS_STOPPED;
		pp_raise(pp, PP_IRQ_BUS_STOP);
	}
}

static bool pp_step(struct unit *u)
{
	struct pp *pp = to_pp(u);
	bool more;

	if (pp->stuck || (pp->phase == PP_RESETTING && pp->looks))
		return false;
	settle(pp);
	if (pp->phase == PP_RESETTING)
		return false;
	if (pp->status & PP_STATUS_BUS_STOPPED || pp->phase == PP_IDLE || pp->phase == PP_HUNG)
		return false;
	more = pp_list_step(pp);
	/* The one clock there is: work done. */
	pp->count[PP_CNT_ACTIVE_CYCLES] += 6000 - pp->budget;
	perf_limits(pp);
	if (!pp->bus_failed)
		return more;
	pp->bus_failed = false;
	if (pp->status & PP_STATUS_RENDERING)
		pp_end_of_frame(pp, PP_IRQ_BUS_ERROR);
	return false;
}

/* --- Registers ------------------------------------------------------------ */

static uint32_t *plain_register(struct pp *pp, uint32_t off)
{
	unsigned int i;

	if (off < 4 * PP_FRAME_WORDS)
		return &pp->frame[off / 4];
	for (i = 0; i < PP_WB_UNITS; i++)
		if (off >= PP_WB(i) && off < PP_WB(i) + 4 * PP_WB_WORDS)
			return &pp->wb[i][(off - PP_WB(i)) / 4];
	switch (off) {
	case PP_WRITE_BOUND_ENABLE:
	case PP_WRITE_BOUND_LOW:
	case PP_WRITE_BOUND_HIGH:
		return &pp->write_bound[(off - PP_WRITE_BOUND_ENABLE) / 4];
	case PP_PERF_CNT_0_ENABLE:
		return &pp->perf_enable[0];
	case PP_PERF_CNT_0_SRC:
		return &pp->perf_src[0];
	case PP_PERF_CNT_0_LIMIT:
		return &pp->perf_limit[0];
	case PP_PERF_CNT_1_ENABLE:
		return &pp->perf_enable[1];
	case PP_PERF_CNT_1_SRC:
		return &pp->perf_src[1];
	case PP_PERF_CNT_1_LIMIT:
		return &pp->perf_limit[1];
	case PP_PERFMON_CONTR:
		return &pp->perfmon[0];
	case PP_PERFMON_BASE:
		return &pp->perfmon[1];
	}
	return NULL;
}

/* What drivers poll while a reset runs is there; the rest is not. */
static bool in_reset(const struct pp *pp, uint32_t off)
{
	return pp->phase == PP_RESETTING && off != PP_STATUS && off != PP_VERSION &&
	       off != PP_INT_RAWSTAT && off != PP_INT_STATUS && off != PP_INT_MASK;
}

static uint32_t pp_reg_read(struct unit *u, uint32_t off)
{
	struct pp *pp = to_pp(u);
	uint32_t *reg;

	if (off == PP_PERF_CNT_0_LIMIT && pp->phase == PP_RESETTING && pp->looks == 1 && !pp->stuck) {
		settle(pp);
		*plain_register(pp, off) = pp->limit;
	}
	if (in_reset(pp, off) || pp->stuck) {
		pp->looks -= off == PP_PERF_CNT_0_LIMIT && pp->looks;
		if (!pp->stuck && off != PP_PERF_CNT_0_LIMIT)
			unit_report(u, "register 0x%04x read in reset", off);
		return unit_garbage(u);
	}
	if (off == PP_STATUS || off == PP_INT_RAWSTAT)
		settle(pp);
	switch (off) {
	case PP_VERSION:
		return utgard_versions(u)[1];
	case PP_CURRENT_REND_LIST:
		return pp->list;
	case PP_STATUS:
		return pp->status;
	case PP_CTRL:
	case PP_INT_CLEAR:
		return 0;
	case PP_INT_RAWSTAT:
		return pp->raw;
	case PP_INT_MASK:
		return pp->mask;
	case PP_INT_STATUS:
		return pp->raw & pp->mask;
	case PP_BUS_ERROR_STATUS:
		return pp->bus_error;
	case PP_PERF_CNT_0_VALUE:
		return perf_value(pp, 0);
	case PP_PERF_CNT_1_VALUE:
		return perf_value(pp, 1);
	}
	reg = plain_register(pp, off);
	if (reg)
		return *reg;
	unit_report(u, "read of unknown register 0x%04x", off);
	return 0;
}

static void write_ctrl(struct pp *pp, uint32_t val)
{
	if (val & ~PP_CTRL_KNOWN)
		unit_report(&pp->u, "control register: unknown bits in 0x%x", val);
	if (val & (PP_CTRL_FORCE_RESET | PP_CTRL_SOFT_RESET)) {
		start_reset(pp, val & PP_CTRL_FORCE_RESET);
		return;
	}
	if (pp->phase == PP_RESETTING) {
		unit_report(&pp->u, "command 0x%x in reset", val);
		return;
	}
	if (val & PP_CTRL_STOP_BUS) {
		pp->bus_stop_wanted = true;
		unit_wake(&pp->u);
	}
	if (val & PP_CTRL_START)
		start(pp);
}

static void write_plain(struct pp *pp, uint32_t off, uint32_t *reg, uint32_t val)
{
	*reg = val;
	if (off < PP_WB(PP_WB_UNITS) && pp->status & PP_STATUS_RENDERING)
		unit_report(&pp->u, "frame register 0x%04x written while rendering", off);
	switch (off) {
	case PP_PERF_CNT_0_ENABLE:
	case PP_PERF_CNT_0_SRC:
		perf_restart(pp, 0);
		break;
	case PP_PERF_CNT_1_ENABLE:
	case PP_PERF_CNT_1_SRC:
		perf_restart(pp, 1);
		break;
	case PP_PERFMON_CONTR:
	case PP_PERFMON_BASE:
		if (val)
			unit_report(&pp->u, "register 0x%04x = 0x%x: what it does is unknown", off,
				    val);
		break;
	}
}

static void pp_reg_write(struct unit *u, uint32_t off, uint32_t val)
{
	struct pp *pp = to_pp(u);
	uint32_t *reg;

	switch (off) {
	case PP_CTRL:
		write_ctrl(pp, val);
		return;
	case PP_INT_RAWSTAT:
		/* GUESS(pp-raw-write): sets interrupts, as in other Mali blocks; a reset clears them all. */
		if (pp->phase != PP_RESETTING)
			pp->raw |= val & PP_IRQ_ALL;
		update_irq(pp);
		return;
	case PP_INT_CLEAR:
		pp->raw &= ~val;
		update_irq(pp);
		return;
	case PP_INT_MASK:
		pp->mask = val & PP_IRQ_ALL;
		update_irq(pp);
		return;
	}
	reg = plain_register(pp, off);
	if (!reg) {
		unit_report(u, "write of 0x%08x to unknown or read-only register 0x%04x", val, off);
		return;
	}
	/*
	 * Lost in a reset. A driver waits for the end of a hard reset by writing
	 * a counter limit until it sticks, so that one is no finding.
	 */
	if (pp->stuck)
		return;
	if (pp->phase == PP_RESETTING) {
		if (off != PP_PERF_CNT_0_LIMIT) {
			unit_report(u, "register 0x%04x written in reset", off);
			return;
		}
		pp->limit = val;
		if (pp->looks)
			return;
		settle(pp);
	}
	write_plain(pp, off, reg, val);
}

static int pp_init(struct unit *u)
{
	struct pp *pp = to_pp(u);

	pp->tile = aligned_alloc(64, (sizeof(*pp->tile) + 63) & ~(size_t)63);
	if (!pp->tile)
		return -ENOMEM;
	memset(pp->tile, 0, sizeof(*pp->tile));
	return pp_shade_init(pp) ? -ENOMEM : 0;
}

static void pp_destroy(struct unit *u)
{
	struct pp *pp = to_pp(u);

	pp_shade_destroy(pp);
	free(pp->tile);
}

const struct unit_ops utgard_pp_ops = {
	.name = "pp",
	.size = sizeof(struct pp),
	.window = 0x10b8,
	.class = MODEL_PP,
	.sticks = true,
	.beside = true,
	.init = pp_init,
	.destroy = pp_destroy,
	.reset = pp_reset,
	.read = pp_reg_read,
	.write = pp_reg_write,
	.step = pp_step,
	.bus_error = pp_bus_error,
	.irq = utgard_pp_irq,
};
