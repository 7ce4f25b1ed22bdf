// SPDX-License-Identifier: GPL-2.0-only
/*
 * The platform device: clocks, reset line, supply, and what switches them.
 *
 * Names of clocks and supply are those of the arm,mali-utgard binding.
 */
#include <linux/dma-mapping.h>
#include <linux/of.h>
#include <linux/platform_device.h>
#include <linux/pm_runtime.h>
#include <linux/regulator/consumer.h>
#include <linux/reset.h>
#include <linux/sched/mm.h>
#include <drm/drm_print.h>
#include <drm/limn_drm.h>

#include "limn_drv.h"
#include "limn_recover.h"
#include "utgard.h"

static int utgard_clocks_on(struct utgard *ug)
{
	int ret = clk_bulk_prepare_enable(ARRAY_SIZE(ug->clks), ug->clks);

	if (ret)
		return ret;
	ret = reset_control_deassert(ug->reset);
	if (ret)
		clk_bulk_disable_unprepare(ARRAY_SIZE(ug->clks), ug->clks);
	return ret;
}

/*
 * Power off and on take locks of clocks, reset lines and regulators under which others allocate
 * memory: not inside dma_fence_begin_signalling().
 */
static int utgard_power_on(struct utgard *ug)
{
	int ret;

	might_alloc(GFP_KERNEL);
	ret = ug->regulator ? regulator_enable(ug->regulator) : 0;
	if (!ret) {
		ret = utgard_clocks_on(ug);
		if (ret && ug->regulator)
			regulator_disable(ug->regulator);
	}
	if (ret) {
		dev_err(ug->base.dev, "cannot switch the GPU on: %d\n", ret);
		return ret;
	}
	ug->powered = true;
	return 0;
}

/* Nothing to do for a GPU that lost its power in a reset that failed. */
static void utgard_power_off(struct utgard *ug)
{
	might_alloc(GFP_KERNEL);
	if (!ug->powered)
		return;
	ug->powered = false;
	/* The value of limn_device_unplug() stays. */
	cmpxchg(&ug->base.halted, 0, -EIO);
	reset_control_assert(ug->reset);
	clk_bulk_disable_unprepare(ARRAY_SIZE(ug->clks), ug->clks);
	if (ug->regulator)
		regulator_disable(ug->regulator);
}

/* From no power to blocks that are ready; to no power again when they are not. */
static int utgard_wake(struct utgard *ug)
{
	int ret = utgard_power_on(ug);

	if (ret)
		return ret;
	ret = utgard_blocks_resume(ug);
	if (ret)
		utgard_power_off(ug);
	else
		cmpxchg(&ug->base.halted, -EIO, 0);
	return ret;
}

static void utgard_sleep(struct utgard *ug)
{
	if (ug->powered)
		utgard_blocks_suspend(ug);
	utgard_power_off(ug);
}

/*
 * Off and on again, for a pipe that does not reset by itself. Jobs of the other pipe start again
 * when it succeeds; else nothing runs before the next power up.
 */
int utgard_gpu_reset(struct limn_pipe *guilty)
{
	struct utgard *ug = to_utgard(guilty->ldev);
	struct limn_pipe *other = ug->base.pipe[guilty->id == UTGARD_PIPE_GP ? UTGARD_PIPE_PP :
								       UTGARD_PIPE_GP];
	bool again;
	int ret;

	dev_warn_ratelimited(ug->base.dev, "pipe %s does not reset, resetting the GPU\n",
			     guilty->name);
	again = limn_pipe_hold(other);
	/* The bus is not to lose a master in the middle of a burst, if that one can be stopped. */
	if (again && other->id == UTGARD_PIPE_GP)
		utgard_gp_stop(ug);
	else if (again)
		utgard_pp_stop(ug);
	utgard_sleep(ug);
	ret = utgard_wake(ug);
	if (ret)
		drm_err(&ug->base.drm, "the GPU does not come back: %d\n", ret);
	limn_recover_set_wild(other, ret);
	limn_pipe_unhold(other, again, ret ? -EIO : 0);
	return ret;
}

static int utgard_runtime_suspend(struct device *dev)
{
	struct utgard *ug = dev_get_drvdata(dev);

	utgard_devfreq_suspend(&ug->devfreq);
	utgard_sleep(ug);
	return 0;
}

/* Before devfreq goes, which a suspend uses. */
static void utgard_power_put(struct device *dev)
{
	limn_device_power_off(dev, utgard_runtime_suspend);
	pm_runtime_put_noidle(dev);
}

static int utgard_runtime_resume(struct device *dev)
{
	struct utgard *ug = dev_get_drvdata(dev);
	unsigned int i;
	int ret = utgard_wake(ug);

	if (ret)
		return ret;
	utgard_devfreq_resume(&ug->devfreq);
	for (i = 0; i < ug->base.num_pipes; i++)
		limn_recover_set_wild(ug->base.pipe[i], false);
	return 0;
}

static int utgard_suspend(struct device *dev)
{
	struct utgard *ug = dev_get_drvdata(dev);
	int ret = limn_sched_suspend(&ug->base);

	if (ret)
		return ret;
	ret = pm_runtime_force_suspend(dev);
	if (ret)
		limn_sched_resume(&ug->base);
	return ret;
}

static int utgard_resume(struct device *dev)
{
	struct utgard *ug = dev_get_drvdata(dev);
	int ret = pm_runtime_force_resume(dev);

	/* Jobs then fail one by one, if there is no GPU to run them. */
	limn_sched_resume(&ug->base);
	return ret;
}

/* What the device tree gives. */
static int utgard_get_resources(struct utgard *ug)
{
	struct device *dev = ug->base.dev;
	int ret;

	/* The GPU's page tables hold 32-bit addresses. */
	ret = dma_set_mask_and_coherent(dev, DMA_BIT_MASK(32));
	if (ret)
		return dev_err_probe(dev, ret, "no 32-bit DMA\n");
	dma_set_max_seg_size(dev, UINT_MAX);

	ug->clks[UTGARD_CLK_BUS].id = "bus";
	ug->clks[UTGARD_CLK_CORE].id = "core";
	ret = devm_clk_bulk_get(dev, ARRAY_SIZE(ug->clks), ug->clks);
	if (ret)
		return ret;	/* it says so itself */
	ug->reset = devm_reset_control_array_get_optional_shared(dev);
	if (IS_ERR(ug->reset))
		return dev_err_probe(dev, PTR_ERR(ug->reset), "cannot get the reset line\n");
	ug->regulator = devm_regulator_get_optional(dev, "mali");
	if (PTR_ERR_OR_ZERO(ug->regulator) == -ENODEV)
		ug->regulator = NULL;
	if (IS_ERR(ug->regulator))
		return dev_err_probe(dev, PTR_ERR(ug->regulator), "cannot get the regulator\n");
	return 0;
}

/* The GPU has power. */
static int utgard_start(struct utgard *ug)
{
	struct limn_device *ldev = &ug->base;
	int ret;

	ret = limn_pipe_create(ldev, &utgard_gp_pipe_ops, ldev->dev, "gp");
	ret = ret ?: limn_pipe_create(ldev, &utgard_pp_pipe_ops, ldev->dev, "pp");
	ret = ret ?: utgard_blocks_init(ug);
	ret = ret ?: utgard_devfreq_init(ug);
	return ret ?: limn_device_register(ldev);
}

static int utgard_probe(struct platform_device *pdev)
{
	struct device *dev = &pdev->dev;
	struct limn_device *ldev = limn_device_alloc(dev, &utgard_backend);
	struct utgard *ug;
	int ret;

	if (IS_ERR(ldev))
		return PTR_ERR(ldev);
	ug = to_utgard(ldev);
	platform_set_drvdata(pdev, ug);
	ug->m450 = of_device_is_compatible(dev->of_node, "arm,mali-450");
	ldev->pt = &utgard_pt_ops;
	ldev->va_start = 0;
	/* The last page stays free: the end of a heap there would be address 0. */
	ldev->va_end = ug->m450 ? UTGARD_DLBU_VA : SZ_4G - SZ_4K;
	ldev->isolation = DRM_LIMN_ISOLATION_MEMORY | DRM_LIMN_ISOLATION_READONLY;

	ret = utgard_get_resources(ug);
	ret = ret ?: limn_device_enable_pm(dev);
	ret = ret ?: pm_runtime_resume_and_get(dev);
	if (ret)
		return ret;
	ret = utgard_start(ug);
	if (ret) {
		utgard_power_put(dev);
		return ret;
	}
	pm_runtime_mark_last_busy(dev);
	pm_runtime_put_autosuspend(dev);
	return 0;
}

static void utgard_remove(struct platform_device *pdev)
{
	struct utgard *ug = platform_get_drvdata(pdev);

	/* Registers must answer while jobs are taken off them. */
	pm_runtime_get_sync(&pdev->dev);
	limn_device_unplug(&ug->base);
	/* What is wild has lost its power in its last reset: utgard_gpu_reset(). */
	limn_device_drain(&ug->base);
	utgard_power_put(&pdev->dev);
}

const struct limn_platform_ops utgard_platform_ops = {
	.probe = utgard_probe,
	.remove = utgard_remove,
	.runtime_suspend = utgard_runtime_suspend,
	.runtime_resume = utgard_runtime_resume,
	.suspend = utgard_suspend,
	.resume = utgard_resume,
};
