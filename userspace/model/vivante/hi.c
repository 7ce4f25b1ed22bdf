// SPDX-License-Identifier: MIT
/*
 * Host interface: identity, interrupts, reset, clocks, power management, the
 * memory controller's registers.
 *
 * Facts: rnndb state_hi.xml; Linux etnaviv_gpu.c (order of reset, registers
 * that clear on read, what idle means).
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "model/vivante/internal.h"

#define ALL_IDLE	0x7fffffffu	/* Linux: every bit but AXI_LP, also those of absent modules */

/* --- Findings ---------------------------------------------------------- */

static struct unit *unit_named(struct vivante *v, const char *module)
{
	struct unit *const *units = &v->u.model->units[v->u.desc->index * VIV_NUM_UNITS];

	for (unsigned int i = 0; i < VIV_NUM_UNITS; i++) {
		if (!strcmp(units[i]->desc->name, module))
			return units[i];
	}
	return NULL;
}

static void report(struct vivante *v, const char *module, const char *fmt, va_list args)
{
	struct unit *u = unit_named(v, module);
	char text[224];

	vsnprintf(text, sizeof(text), fmt, args);
	if (u)
		unit_report(u, "%s", text);
	else
		unit_report(&v->u, "%s: %s", module, text);
}

void viv_report(struct vivante *v, const char *module, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	report(v, module, fmt, args);
	va_end(args);
}

void viv_hang(struct vivante *v, const char *module, uint32_t idle_bits, const char *fmt, ...)
{
	va_list args;
	char text[200];

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	viv_report(v, module, "hangs: %s", text);
	v->hung = true;
	v->busy |= idle_bits;
}

/* --- Interrupts ---------------------------------------------------------- */

static void update_irq(struct vivante *v)
{
	unit_irq(&v->u, v->host->pending & v->host->enabled);
}

void viv_interrupt(struct vivante *v, uint32_t bits)
{
	v->host->pending |= bits;
	update_irq(v);
}

/* --- Reset ----------------------------------------------------------------- */

/* Everything but what survives a soft reset: clock control, and the power and interrupt registers. */
static void reset_core(struct vivante *v)
{
	uint32_t kept[] = {
		VIVS_PM_POWER_CONTROLS, VIVS_PM_MODULE_CONTROLS, VIVS_PM_PULSE_EATER,
		VIVS_HI_AXI_CONFIG, VIVS_MC_DEBUG_MEMORY, VIVS_MC_BUS_CONFIG,
	};
	uint32_t val[sizeof(kept) / sizeof(kept[0])];

	/* Drivers let FE meet an END before (Linux etnaviv_gpu.c, etnaviv_gpu_hw_suspend()). */
	if (v->front->state != VIV_FE_IDLE && !v->hung && v->started_at != unit_clock_stops(&v->u))
		viv_report(v, "fe", "the clocks stopped while it ran at %08x", v->front->pc);
	for (unsigned int i = 0; i < sizeof(kept) / sizeof(kept[0]); i++)
		val[i] = viv_state(v, kept[i]);
	viv_state_reset(v);
	for (unsigned int i = 0; i < sizeof(kept) / sizeof(kept[0]); i++)
		v->state[kept[i] / 4] = val[i];
	v->busy = 0;
	v->hung = false;
	viv_mmus_reset(v);
	viv_cache_reset(v);
	viv_fe_reset(v);
	viv_pipe_reset(v);
	v->host->pending = 0;
	v->host->axi_status = 0;
	update_irq(v);
}

static void hi_reset(struct unit *u)
{
	struct vivante *v = (struct vivante *)u;

	memset(v->host, 0, sizeof(*v->host));
	memset(&v->perf, 0, sizeof(v->perf));
	viv_state_reset(v);
	/* GUESS(pm-reset-values): what power management and fscale start with: gates as drivers find them; full speed. */
	v->state[VIVS_PM_POWER_CONTROLS / 4] = 0x00140020;
	v->state[VIVS_PM_PULSE_EATER / 4] = 0x01590880;
	v->host->fscale = 64;
	v->host->clock = VIV_SET(VIVS_HI_CLOCK_CONTROL_FSCALE_VAL, 64);
	reset_core(v);
}

/* Defects on request. */
static bool is_stuck(const struct vivante *v)
{
	if (unit_has_fault(&v->u, "one-reset") && v->host->resets > 1)
		return true;
	return unit_has_fault(&v->u, "stuck-reset") && (v->hung || v->front->state != VIV_FE_IDLE) &&
	       v->started_at == unit_clock_stops(&v->u);
}

static void write_clock(struct vivante *v, uint32_t val)
{
	struct viv_host *h = v->host;
	bool soft = val & VIVS_HI_CLOCK_CONTROL_SOFT_RESET;

	if (val & VIVS_HI_CLOCK_CONTROL_FSCALE_CMD_LOAD)
		h->fscale = VIV_GET(VIVS_HI_CLOCK_CONTROL_FSCALE_VAL, val);
	if (soft && !h->resetting) {
		h->resets++;
		if (!(val & VIVS_HI_CLOCK_CONTROL_ISOLATE_GPU))
			viv_report(v, "hi", "soft reset without ISOLATE_GPU");
		if (!h->fscale)
			viv_report(v, "hi", "soft reset while FSCALE is 0: the core has no clock");
		if (viv_state(v, VIVS_PM_POWER_CONTROLS) & VIVS_PM_POWER_CONTROLS_ENABLE_MODULE_CLOCK_GATING)
			viv_report(v, "hi", "soft reset while module clock gating is on");
	}
	h->resetting = soft;
	h->clock = val;
	if (soft && !is_stuck(v))
		reset_core(v);
	else if (soft)
		v->busy |= VIVS_HI_IDLE_STATE_FE;
}

/* --- Reads ------------------------------------------------------------------ */

static uint32_t read_clock(struct vivante *v)
{
	uint32_t val = v->host->clock & ~(uint32_t)VIVS_HI_CLOCK_CONTROL_FSCALE_CMD_LOAD;
	uint32_t busy = v->busy & ~(uint32_t)VIVS_HI_IDLE_STATE_FE;
	bool de = v->chip->pipe_2d && (busy & VIVS_HI_IDLE_STATE_DE);

	val |= VIVS_HI_CLOCK_CONTROL_IDLE_VG;
	val |= de ? 0 : VIVS_HI_CLOCK_CONTROL_IDLE_2D;
	val |= busy & ~(uint32_t)VIVS_HI_IDLE_STATE_DE ? 0 : VIVS_HI_CLOCK_CONTROL_IDLE_3D;
	return val;
}

/* Registers of identity, and where a chip has what they show. */
#define IDENTITY(reg, field) { VIVS_HI_CHIP_##reg, offsetof(struct viv_chip, field) }
static const struct {
	uint32_t address;
	size_t offset;
} identity[] = {
	IDENTITY(FEATURE, features), IDENTITY(MODEL, model), IDENTITY(REV, revision), IDENTITY(DATE, date),
	IDENTITY(TIME, time), IDENTITY(CUSTOMER_ID, customer_id), IDENTITY(PRODUCT_ID, product_id), IDENTITY(ECO_ID, eco_id),
	IDENTITY(MINOR_FEATURE_0, minor_features[0]), IDENTITY(MINOR_FEATURE_1, minor_features[1]),
	IDENTITY(MINOR_FEATURE_2, minor_features[2]), IDENTITY(MINOR_FEATURE_3, minor_features[3]),
	IDENTITY(MINOR_FEATURE_4, minor_features[4]), IDENTITY(MINOR_FEATURE_5, minor_features[5]),
	IDENTITY(SPECS, specs[0]), IDENTITY(SPECS_2, specs[1]), IDENTITY(SPECS_3, specs[2]), IDENTITY(SPECS_4, specs[3]),
};

static bool read_identity(const struct viv_chip *c, uint32_t off, uint32_t *val)
{
	*val = 0;
	for (unsigned int i = 0; i < sizeof(identity) / sizeof(identity[0]); i++) {
		if (identity[i].address != off)
			continue;
		memcpy(val, (const char *)c + identity[i].offset, sizeof(*val));
		return true;
	}
	return off == VIVS_HI_CHIP_IDENTITY;	/* GUESS(chip-identity-reg): chips newer than GC500 do not use it */
}

static uint32_t acknowledge(struct vivante *v)
{
	uint32_t val = v->host->pending;

	v->host->pending = 0;
	update_irq(v);
	return val;
}

static uint32_t read_other(struct vivante *v, uint32_t off)
{
	struct viv_host *h = v->host;
	uint32_t val;

	switch (off) {
	case VIVS_HI_IDLE_STATE:
		return ALL_IDLE & ~v->busy;
	case VIVS_HI_AXI_STATUS:
		val = h->axi_status;
		h->axi_status = 0;	/* GUESS(axi-status-clear): clears on read, as INTR_ACKNOWLEDGE does */
		return val;
	case VIVS_HI_INTR_ACKNOWLEDGE:
		return acknowledge(v);
	case VIVS_HI_INTR_ENBL:
		return h->enabled;
	case VIVS_FE_COMMAND_ADDRESS:
		viv_report(v, "hi", "read of FE_COMMAND_ADDRESS, which cannot be read");
		return 0;
	case VIVS_FE_DMA_STATUS:
		return v->front->state != VIV_FE_IDLE;
	case VIVS_FE_DMA_DEBUG_STATE:
		return viv_fe_debug_state(v);
	case VIVS_FE_DMA_ADDRESS:
		return v->front->pc;
	case VIVS_FE_DMA_LOW:
		return v->front->command[0];
	case VIVS_FE_DMA_HIGH:
		return v->front->command[1];
	}
	if ((off >= VIVS_MC_PROFILE_CYCLE_COUNTER && off < VIVS_MC_PROFILE_CONFIG0) ||
	    off == VIVS_HI_PROFILE_TOTAL_CYCLES || off == VIVS_HI_PROFILE_IDLE_CYCLES ||
	    off == VIVS_HI_PROFILE_READ_BYTES8 || off == VIVS_HI_PROFILE_WRITE_BYTES8)
		return viv_perf_read(v, off);
	if (!(viv_state_flags(off) & (VIV_HOST | VIV_KERNEL | VIV_USER)))
		unit_report(&v->u, "read of unknown register %05x", off);
	else if (off >= VIVS_VS_END_PC)
		unit_report(&v->u, "read of state %05x (%s) through the bus: only streams are known to reach it", off,
			    viv_state_name(off));
	return viv_state(v, off);
}

static uint32_t hi_read(struct unit *u, uint32_t off)
{
	static const struct viv_chip unknown = { .model = 0x1234, .revision = 0x5678 };
	struct vivante *v = (struct vivante *)u;
	uint32_t val;

	if (off == VIVS_HI_CLOCK_CONTROL)
		return read_clock(v);
	if (v->host->resetting) {
		unit_report(u, "read of register %05x during a soft reset", off);
		return unit_garbage(u);
	}
	if (read_identity(unit_is_unknown(u) ? &unknown : v->chip, off, &val) ||
	    (v->chip->mmu_v2 && viv_mmu_v2_read(v, off, &val)))
		return val;
	return read_other(v, off);
}

/* --- Writes ------------------------------------------------------------------- */

/* MMUv1: page tables and window bases; a change of a base is seen at once. */
static bool write_mc(struct vivante *v, uint32_t off, uint32_t val)
{
	if (off < VIVS_MC_MMU_FE_PAGE_TABLE || off > VIVS_MC_MEMORY_BASE_ADDR_PE)
		return false;
	if (v->front->state != VIV_FE_IDLE && viv_state(v, off) != val)
		unit_report(&v->u, "%s changed while FE runs", viv_state_name(off));
	if (off >= VIVS_MC_MEMORY_BASE_ADDR_RA && viv_state(v, off) != val)
		viv_mmus_flush(v, ~0u);
	v->state[off / 4] = val;
	return true;
}

static void start_fe(struct vivante *v, uint32_t control, uint32_t enable, uint32_t prefetch)
{
	if (!(control & enable)) {
		unit_report(&v->u, "FE command control %08x: only enabling is known", control);
		return;
	}
	/* Reading counters of another pixel pipe is fine; working there is not (Linux etnaviv_perfmon.c). */
	if (VIV_GET(VIVS_HI_CLOCK_CONTROL_DEBUG_PIXEL_PIPE, v->host->clock))
		viv_hang(v, "fe", VIVS_HI_IDLE_STATE_FE, "started while DEBUG_PIXEL_PIPE is not 0");
	/* Linux etnaviv_gpu.c isolates a core for its reset alone. */
	if (v->host->clock & VIVS_HI_CLOCK_CONTROL_ISOLATE_GPU)
		viv_hang(v, "fe", VIVS_HI_IDLE_STATE_FE, "started while ISOLATE_GPU keeps the core from the bus");
	/* GUESS(fe20-hang): a front end that is not modelled takes no command: it hangs. */
	if (v->chip->features & chipFeatures_FE20)
		viv_hang(v, "fe", VIVS_HI_IDLE_STATE_FE, "FE 2.0 of a vector graphics core is not modelled");
	v->started_at = unit_clock_stops(&v->u);
	viv_fe_start(v, viv_state(v, VIVS_FE_COMMAND_ADDRESS), prefetch);
}

static void hi_write(struct unit *u, uint32_t off, uint32_t val)
{
	struct vivante *v = (struct vivante *)u;
	struct viv_host *h = v->host;

	if (off == VIVS_HI_CLOCK_CONTROL) {
		write_clock(v, val);
		return;
	}
	if (h->resetting) {
		unit_report(u, "write of %08x to register %05x during a soft reset is lost", val, off);
		return;
	}
	if (write_mc(v, off, val) || (v->chip->mmu_v2 && viv_mmu_v2_write(v, off, val)))
		return;
	switch (off) {
	case VIVS_HI_INTR_ENBL:
		h->enabled = val;
		update_irq(v);
		return;
	case VIVS_FE_COMMAND_CONTROL:
		/* With the security unit, FE starts with the second of the two writes that its driver does. */
		v->state[off / 4] = val;
		if (!v->chip->security)
			start_fe(v, val, VIVS_FE_COMMAND_CONTROL_ENABLE,
				 VIV_GET(VIVS_FE_COMMAND_CONTROL_PREFETCH, val));
		return;
	case VIVS_MMUv2_SEC_COMMAND_CONTROL:
		start_fe(v, val, VIVS_MMUv2_SEC_COMMAND_CONTROL_ENABLE,
			 VIV_GET(VIVS_MMUv2_SEC_COMMAND_CONTROL_PREFETCH, val));
		return;
	case VIVS_MMUv2_AHB_CONTROL:
		v->state[off / 4] = val & ~(uint32_t)VIVS_MMUv2_AHB_CONTROL_RESET;
		if (val & VIVS_MMUv2_AHB_CONTROL_RESET)
			reset_core(v);
		return;
	case VIVS_HI_PROFILE_TOTAL_CYCLES:
	case VIVS_MC_PROFILE_CYCLE_COUNTER:
		h->cycles = val;
		h->idle_cycles = 0;
		return;
	case VIVS_MC_PROFILE_CONFIG0:
	case VIVS_MC_PROFILE_CONFIG1:
	case VIVS_MC_PROFILE_CONFIG2:
		v->state[off / 4] = val;
		viv_perf_config(v, off, val);
		return;
	}
	if (!viv_state_flags(off))
		unit_report(u, "write of %08x to unknown register %05x", val, off);
	else if (!(viv_state_flags(off) & VIV_HOST) && off != VIVS_FE_COMMAND_ADDRESS)
		unit_report(u, "write of %08x to state %05x (%s) through the bus: streams do that", val, off,
			    viv_state_name(off));
	v->state[off / 4] = val;
}

/* --- Life ------------------------------------------------------------------------ */

static struct mmu *hi_mmu(struct unit *u, const struct unit *user);

static int hi_init(struct unit *u)
{
	struct vivante *v = (struct vivante *)u;

	v->chip = viv_chip_of(u);
	v->host = calloc(1, sizeof(*v->host));
	v->front = calloc(1, sizeof(*v->front));
	v->state = calloc(VIV_STATES, sizeof(*v->state));
	if (v->front)
		v->front->queue = calloc(VIV_QUEUE, sizeof(*v->front->queue));
	if (!v->host || !v->state || !v->front || !v->front->queue)
		return -ENOMEM;
	if (viv_mmus_init(v) || viv_cache_init(v))
		return -ENOMEM;
	return v->chip->pipe_3d ? viv3d_init(v) : 0;
}

static void hi_destroy(struct unit *u)
{
	struct vivante *v = (struct vivante *)u;

	if (v->p3d)
		viv3d_destroy(v);
	viv_cache_destroy(v);
	viv_mmus_destroy(v);
	if (v->front)
		free(v->front->queue);
	free(v->front);
	free(v->host);
	free(v->state);
	free(v->rs);
	free(v->blt);
	free(v->de);
}

static struct mmu *hi_mmu(struct unit *u, const struct unit *user)
{
	struct vivante *v = (struct vivante *)u;
	struct unit **units = &u->model->units[u->desc->index * VIV_NUM_UNITS];

	for (unsigned int i = 0; i < VIV_NUM_PORTS; i++) {
		if (units[VIV_UNIT_FE + i] != user)
			continue;
		v->port[i] = units[VIV_UNIT_FE + i];
		v->fe = units[VIV_UNIT_FE];
		v->pipe = units[VIV_UNIT_PIPE];
		return &v->mmus->port[i].m;
	}
	return NULL;
}

#define HI_OPS(size_of_window) { \
	.name = "hi", \
	.size = sizeof(struct vivante), \
	.window = (size_of_window), \
	.class = MODEL_OTHER, \
	.sticks = true, \
	.init = hi_init, \
	.destroy = hi_destroy, \
	.reset = hi_reset, \
	.read = hi_read, \
	.write = hi_write, \
	.mmu = hi_mmu, \
}

const struct unit_ops vivante_hi_ops = HI_OPS(0x4000);
const struct unit_ops vivante_hi_large_ops = HI_OPS(0x40000);

/* A port: no registers, no work of its own; accesses go through its MMU. */
void viv_port_bus_error(struct unit *u, uint32_t va, bool write)
{
	viv_mmu_bus_error(viv_mmu_of(u->mmu), u, va, write);
}

const struct unit_ops vivante_port_ops = {
	.name = "port",
	.size = sizeof(struct unit),
	.class = MODEL_OTHER,
	.bus_error = viv_port_bus_error,
};
