// SPDX-License-Identifier: GPL-2.0-only
/*
 * Clocks, reset, clock gating, cooling: one core.
 *
 * Order and values: Linux drivers/gpu/drm/etnaviv/etnaviv_gpu.c. A reset is power
 * controls 0, pulse eater twice, frequency scale, isolate, soft reset, 10 us,
 * clear both, then ask whether all is idle.
 */
#include <kunit/visibility.h>
#include <linux/clk.h>
#include <linux/delay.h>
#include <linux/pm_runtime.h>
#include <linux/reset.h>
#include <linux/sched/mm.h>
#include <linux/thermal.h>

#include "limn_compat.h"
#include "vivante.h"

#define PULSE_EATER_BASE	0x01590880
#define MAX_FREQ_SCALE		6	/* FSCALE_VAL is 64 for full speed, 1 for the least */
#define IDLE_US			100000
#define RESET_US		1000000	/* until a core has to have come back */

/* The power registers of GC300 before revision 2.0 lie 0x100 higher. */
static u32 vivante_power_reg(const struct vivante_core *core, u32 reg)
{
	return core->id.model == chipModel_GC300 && core->id.revision < 0x2000 ? reg + 0x100 : reg;
}

static u32 vivante_read_power(struct vivante_core *core, u32 reg)
{
	return vivante_read(core, vivante_power_reg(core, reg));
}

/* The read waits until the write has reached the core. */
static void vivante_write_power(struct vivante_core *core, u32 reg, u32 value)
{
	reg = vivante_power_reg(core, reg);
	vivante_write(core, reg, value);
	vivante_read(core, reg);
}

static int vivante_reset_line_get(struct vivante_core *core)
{
	core->reset = devm_reset_control_get_optional_exclusive(core->dev, NULL);
	if (IS_ERR(core->reset))
		return dev_err_probe(core->dev, PTR_ERR(core->reset),
				     "cannot get the reset line\n");
	return reset_control_assert(core->reset);
}

int vivante_clocks_get(struct vivante_core *core)
{
	static const char *const names[] = {
		[VIVANTE_CLK_REG] = "reg",
		[VIVANTE_CLK_BUS] = "bus",
		[VIVANTE_CLK_CORE] = "core",
		[VIVANTE_CLK_SHADER] = "shader",
	};
	struct device *dev = core->dev;
	unsigned int i;
	int ret;

	for (i = 0; i < VIVANTE_NUM_CLOCKS; i++)
		core->clks[i].id = names[i];
	ret = devm_clk_bulk_get_optional(dev, VIVANTE_NUM_CLOCKS, core->clks);
	if (ret)
		return dev_err_probe(dev, ret, "cannot get the clocks\n");
	if (!core->clks[VIVANTE_CLK_CORE].clk)
		return dev_err_probe(dev, -ENOENT, "cannot get clock \"core\"\n");
	core->rate_core = clk_get_rate(core->clks[VIVANTE_CLK_CORE].clk);
	core->rate_shader = clk_get_rate(core->clks[VIVANTE_CLK_SHADER].clk);
	return vivante_reset_line_get(core);
}

/*
 * Clocks, and registers that answer. The reset line, where there is one, has to
 * be held for 32 cycles and let go 128 cycles before the first access; a
 * microsecond does for the slowest clock there is (Linux etnaviv_gpu.c).
 */
int vivante_clocks_on(struct vivante_core *core)
{
	int ret;

	ret = clk_bulk_prepare_enable(VIVANTE_NUM_CLOCKS, core->clks);
	if (ret) {
		dev_err(core->dev, "cannot enable the clocks: %d\n", ret);
		return ret;
	}
	if (!core->reset)
		return 0;
	usleep_range(1, 2);
	ret = reset_control_deassert(core->reset);
	if (ret) {
		dev_err(core->dev, "cannot release the reset line: %d\n", ret);
		vivante_clocks_off(core);
		return ret;
	}
	usleep_range(1, 2);
	return 0;
}

/* The reset line is asserted while the core has no clocks, as it was at probe. */
void vivante_clocks_off(struct vivante_core *core)
{
	reset_control_assert(core->reset);
	clk_bulk_disable_unprepare(VIVANTE_NUM_CLOCKS, core->clks);
}

/* A new frequency scale counts from when its load bit falls. */
static void vivante_load_scale(struct vivante_core *core, u32 control)
{
	vivante_write(core, VIVS_HI_CLOCK_CONTROL, control | VIVS_HI_CLOCK_CONTROL_FSCALE_CMD_LOAD);
	vivante_write(core, VIVS_HI_CLOCK_CONTROL, control);
}

static bool vivante_clk_scales(const struct vivante_core *core)
{
	return VIVANTE_MINOR(&core->id, 2, DYNAMIC_FREQUENCY_SCALING);
}

/* The core's own divider, which does not divide once more what scaled clocks give. */
static u32 vivante_scale_bits(const struct vivante_core *core)
{
	unsigned int scale = vivante_clk_scales(core) ? 0 : core->freq_scale;

	return VIV_SET(VIVS_HI_CLOCK_CONTROL_FSCALE_VAL, 1u << (MAX_FREQ_SCALE - scale));
}

/*
 * The rates of a chip whose clocks scale. Takes locks under which others allocate
 * memory, so it has no place on the way to a job's fence.
 */
static void vivante_set_rates(struct vivante_core *core, unsigned int freq_scale)
{
	might_alloc(GFP_KERNEL);

	clk_set_rate(core->clks[VIVANTE_CLK_CORE].clk, core->rate_core >> freq_scale);
	clk_set_rate(core->clks[VIVANTE_CLK_SHADER].clk, core->rate_shader >> freq_scale);
}

/* The core runs at &vivante_core.freq_scale, or does so from here on by its own divider. */
static void vivante_apply_scale(struct vivante_core *core)
{
	u32 control;

	if (!vivante_clk_scales(core)) {
		control = vivante_read(core, VIVS_HI_CLOCK_CONTROL);
		control &= ~VIV_MASK(VIVS_HI_CLOCK_CONTROL_FSCALE_VAL);
		vivante_load_scale(core, control | vivante_scale_bits(core));
	}
	limn_pipe_set_rate(vivante_pipe(core), core->rate_core >> core->freq_scale);
	/* FE looks at its ring every 30 us when it is idle. */
	core->wait_cycles = clamp(core->rate_core >> (15 + core->freq_scale), 200ul, 0xfffful);
}

/*
 * An MMUv2 that still translates: the core was not reset. The registers of a secure one are for
 * vivante_set_bus() to open.
 */
static bool vivante_mmu_is_on(struct vivante_core *core)
{
	if (!VIVANTE_MINOR(&core->id, 1, MMU_VERSION) || core->secure)
		return false;
	return vivante_read(core, VIVS_MMUv2_CONTROL) & VIVS_MMUv2_CONTROL_ENABLE;
}

static bool vivante_reset_once(struct vivante_core *core)
{
	const u32 idle_bits = VIVS_HI_CLOCK_CONTROL_IDLE_3D | VIVS_HI_CLOCK_CONTROL_IDLE_2D;
	u32 pulse_eater = PULSE_EATER_BASE | VIVS_PM_PULSE_EATER_UNK17;
	u32 control = vivante_scale_bits(core);
	u32 idle;

	vivante_write_power(core, VIVS_PM_POWER_CONTROLS, 0);
	vivante_write_power(core, VIVS_PM_PULSE_EATER, pulse_eater);
	vivante_write_power(core, VIVS_PM_PULSE_EATER, pulse_eater | VIVS_PM_PULSE_EATER_DISABLE);
	vivante_load_scale(core, control);

	control |= VIVS_HI_CLOCK_CONTROL_ISOLATE_GPU;
	vivante_write(core, VIVS_HI_CLOCK_CONTROL, control);
	if (core->secure) {
		vivante_write(core, VIVS_MMUv2_AHB_CONTROL, VIVS_MMUv2_AHB_CONTROL_RESET);
	} else {
		control |= VIVS_HI_CLOCK_CONTROL_SOFT_RESET;
		vivante_write(core, VIVS_HI_CLOCK_CONTROL, control);
	}
	usleep_range(10, 20);
	control &= ~VIVS_HI_CLOCK_CONTROL_SOFT_RESET;
	vivante_write(core, VIVS_HI_CLOCK_CONTROL, control);
	control &= ~VIVS_HI_CLOCK_CONTROL_ISOLATE_GPU;
	vivante_write(core, VIVS_HI_CLOCK_CONTROL, control);

	idle = vivante_read(core, VIVS_HI_IDLE_STATE);
	if ((idle & core->idle_mask) != core->idle_mask)
		return false;
	control = vivante_read(core, VIVS_HI_CLOCK_CONTROL);
	if ((control & idle_bits) != idle_bits || vivante_mmu_is_on(core))
		return false;
	/* The hang check and perfmon read debug registers. */
	vivante_write(core, VIVS_HI_CLOCK_CONTROL,
		      control & ~VIVS_HI_CLOCK_CONTROL_DISABLE_DEBUG_REGISTERS);
	return true;
}

/**
 * vivante_reset - reset a core; no state or register is set up then
 * @core: powered
 *
 * Return: 0, or -EIO.
 */
int vivante_reset(struct vivante_core *core)
{
	ktime_t until = ktime_add_us(ktime_get(), RESET_US);
	bool late;

	do {
		late = ktime_after(ktime_get(), until);
		if (vivante_reset_once(core))
			return 0;
		usleep_range(1000, 2000);
	} while (!late);
	dev_err(core->dev, "does not reset: idle %08x, clock control %08x\n",
		vivante_read(core, VIVS_HI_IDLE_STATE), vivante_read(core, VIVS_HI_CLOCK_CONTROL));
	return -EIO;
}
EXPORT_SYMBOL_IF_KUNIT(vivante_reset);

/* Idle modules lose their clock, except those with errata that keep them from waking up. */
static void vivante_enable_clock_gating(struct vivante_core *core)
{
	const struct vivante_identity *id = &core->id;
	u32 power, modules;

	power = vivante_read_power(core, VIVS_PM_POWER_CONTROLS) |
		VIVS_PM_POWER_CONTROLS_ENABLE_MODULE_CLOCK_GATING;
	if (id->revision == 0x4301 || id->revision == 0x4302)
		power |= VIVS_PM_POWER_CONTROLS_DISABLE_STALL_MODULE_CLOCK_GATING;
	vivante_write_power(core, VIVS_PM_POWER_CONTROLS, power);

	modules = vivante_read_power(core, VIVS_PM_MODULE_CONTROLS);
	if (id->model >= chipModel_GC400 && id->model != chipModel_GC420 &&
	    !VIVANTE_MINOR(id, 3, BUG_FIXES12))
		modules |= VIVS_PM_MODULE_CONTROLS_DISABLE_MODULE_CLOCK_GATING_PA;
	if (id->revision < 0x5000 && VIVANTE_MINOR(id, 0, HZ) &&
	    !VIVANTE_MINOR(id, 1, DISABLE_PE_GATING))
		modules |= VIVS_PM_MODULE_CONTROLS_DISABLE_MODULE_CLOCK_GATING_PE;
	if (id->revision < 0x5422)
		modules |= BIT(15);	/* unknown */
	if (vivante_is(core, 0x4000, 0x5222) || vivante_is(core, 0x2000, 0x5108) ||
	    vivante_is(core, 0x7000, 0x6202) || vivante_is(core, 0x7000, 0x6203))
		modules |= VIVS_PM_MODULE_CONTROLS_DISABLE_MODULE_CLOCK_GATING_TX;
	if (vivante_is(core, 0x7000, 0x6202))
		modules |= VIVS_PM_MODULE_CONTROLS_DISABLE_MODULE_CLOCK_GATING_SE |
			   VIVS_PM_MODULE_CONTROLS_DISABLE_MODULE_CLOCK_GATING_RA;
	if (vivante_is(core, 0x8000, 0x7200) || vivante_is(core, 0x8000, 0x8002) ||
	    vivante_is(core, 0x9200, 0x6304))
		modules |= VIVS_PM_MODULE_CONTROLS_DISABLE_MODULE_CLOCK_GATING_SH_EU;
	modules |= VIVS_PM_MODULE_CONTROLS_DISABLE_MODULE_CLOCK_GATING_RA_HZ |
		   VIVS_PM_MODULE_CONTROLS_DISABLE_MODULE_CLOCK_GATING_RA_EZ;
	vivante_write_power(core, VIVS_PM_MODULE_CONTROLS, modules);
}

static void vivante_set_pulse_eater(struct vivante_core *core)
{
	u32 value = PULSE_EATER_BASE;

	if (vivante_is(core, 0x4000, 0x5208) || vivante_is(core, 0x4000, 0x5222))
		value |= VIVS_PM_PULSE_EATER_UNK23;
	if (vivante_is(core, 0x1000, 0x5039) || vivante_is(core, 0x1000, 0x5040)) {
		value &= ~VIVS_PM_PULSE_EATER_UNK16;
		value |= VIVS_PM_PULSE_EATER_UNK17;
	}
	/* These can read the register, and lose speed by internal frequency scaling. */
	if (core->id.revision > 0x5420 && VIVANTE_FEATURE(&core->id, PIPE_3D))
		value = vivante_read_power(core, VIVS_PM_PULSE_EATER) |
			VIVS_PM_PULSE_EATER_INTERNAL_DFS;
	vivante_write_power(core, VIVS_PM_PULSE_EATER, value);
}

static void vivante_set_bus(struct vivante_core *core)
{
	u32 value;

	if ((vivante_is(core, chipModel_GC320, 0x5007) ||
	     vivante_is(core, chipModel_GC320, 0x5220)) &&
	    vivante_read(core, VIVS_HI_CHIP_TIME) != 0x2062400) {
		value = vivante_read(core, VIVS_MC_DEBUG_MEMORY) & ~0xffu;
		value |= core->id.revision == 0x5007 ? 0x0c : 0x08;
		vivante_write(core, VIVS_MC_DEBUG_MEMORY, value);
	}
	/* Cacheable, no allocate: i.MX6 locks up otherwise. */
	vivante_write(core, VIVS_HI_AXI_CONFIG, VIV_SET(VIVS_HI_AXI_CONFIG_AWCACHE, 2) |
						VIV_SET(VIVS_HI_AXI_CONFIG_ARCACHE, 2));
	if (vivante_is(core, chipModel_GC2000, 0x5108)) {
		value = vivante_read(core, VIVS_MC_BUS_CONFIG);
		value &= ~(VIV_MASK(VIVS_MC_BUS_CONFIG_FE_BUS_CONFIG) |
			   VIV_MASK(VIVS_MC_BUS_CONFIG_TX_BUS_CONFIG));
		value |= VIV_SET(VIVS_MC_BUS_CONFIG_FE_BUS_CONFIG, 1);
		vivante_write(core, VIVS_MC_BUS_CONFIG, value);
	}
	if (core->secure) {
		value = vivante_read(core, VIVS_MMUv2_AHB_CONTROL);
		vivante_write(core, VIVS_MMUv2_AHB_CONTROL,
			      value | VIVS_MMUv2_AHB_CONTROL_NONSEC_ACCESS);
	}
}

/**
 * vivante_start - reset, and make ready for jobs
 * @core: powered; its ring and the MMU's tables exist
 *
 * Afterwards FE is idle, the MMU translates, and the core may interrupt.
 *
 * Return: 0 or an error, and then jobs must not start.
 */
int vivante_start(struct vivante_core *core)
{
	int ret;

	vivante_ring_reset(core);
	ret = vivante_reset(core);
	if (ret)
		return ret;
	vivante_apply_scale(core);
	vivante_enable_clock_gating(core);
	vivante_set_bus(core);
	vivante_set_pulse_eater(core);
	ret = core->viv->mmu->start(core);
	ret = ret ?: vivante_flop_reset(core);
	if (ret)
		return ret;
	vivante_read(core, VIVS_HI_INTR_ACKNOWLEDGE);
	vivante_write(core, VIVS_HI_INTR_ENBL, ~0u);
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(vivante_start);

/* Before the core's clocks are disabled. Its pipe has no job. */
void vivante_stop(struct vivante_core *core)
{
	vivante_ring_end(core);
	vivante_write(core, VIVS_HI_INTR_ENBL, 0);
	vivante_read(core, VIVS_HI_INTR_ACKNOWLEDGE);
}

/* Polls until all modules are idle; does not sleep. 0 or an error. */
int vivante_wait_idle(struct vivante_core *core)
{
	u32 idle;
	int ret;

	ret = readl_poll_timeout_atomic(core->regs + VIVS_HI_IDLE_STATE, idle,
					(idle & core->idle_mask) == core->idle_mask, 5, IDLE_US);
	if (ret)
		dev_err(core->dev, "does not get idle: %08x\n", idle);
	return ret;
}

/* Whether idle modules lose their clock: counters are exact only if they do not. */
void vivante_gate_clocks(struct vivante_core *core, bool on)
{
	u32 value = vivante_read_power(core, VIVS_PM_POWER_CONTROLS);

	if (on)
		value |= VIVS_PM_POWER_CONTROLS_ENABLE_MODULE_CLOCK_GATING;
	else
		value &= ~VIVS_PM_POWER_CONTROLS_ENABLE_MODULE_CLOCK_GATING;
	vivante_write_power(core, VIVS_PM_POWER_CONTROLS, value);
}

/* --- Cooling ------------------------------------------------------------ */

static int vivante_cooling_max(struct thermal_cooling_device *cdev, unsigned long *state)
{
	*state = MAX_FREQ_SCALE;
	return 0;
}

static int vivante_cooling_get(struct thermal_cooling_device *cdev, unsigned long *state)
{
	struct vivante_core *core = cdev->devdata;

	*state = READ_ONCE(core->freq_scale);
	return 0;
}

static int vivante_cooling_set(struct thermal_cooling_device *cdev, unsigned long state)
{
	struct vivante_core *core = cdev->devdata;
	struct limn_device *ldev = &core->viv->base;

	if (state > MAX_FREQ_SCALE)
		return -EINVAL;
	WRITE_ONCE(core->freq_scale, state);
	if (vivante_clk_scales(core))
		vivante_set_rates(core, state);
	/* A suspended core applies the scale when it is resumed; a resume may just have done so. */
	pm_runtime_barrier(core->dev);
	if (pm_runtime_get_if_active(core->dev) <= 0)
		return 0;
	mutex_lock(&ldev->hw_lock);
	vivante_apply_scale(core);
	mutex_unlock(&ldev->hw_lock);
	pm_runtime_put_autosuspend(core->dev);
	return 0;
}

static const struct thermal_cooling_device_ops vivante_cooling_ops = {
	.get_max_state = vivante_cooling_max,
	.get_cur_state = vivante_cooling_get,
	.set_cur_state = vivante_cooling_set,
};

int vivante_cooling_init(struct vivante_core *core)
{
	struct thermal_cooling_device *cooling;

	if (!IS_ENABLED(CONFIG_THERMAL))
		return 0;
	cooling = thermal_of_cooling_device_register(core->dev->of_node, 0, dev_name(core->dev),
						     core, &vivante_cooling_ops);
	if (IS_ERR(cooling))
		return PTR_ERR(cooling);
	core->cooling = cooling;
	return 0;
}

void vivante_cooling_fini(struct vivante_core *core)
{
	if (core->cooling)
		thermal_cooling_device_unregister(core->cooling);
	core->cooling = NULL;
}
