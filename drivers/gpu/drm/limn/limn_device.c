// SPDX-License-Identifier: GPL-2.0-only
/*
 * Clocks, reset line, regulator: what every GPU needs before its registers
 * answer. Names of clocks and supply are those of the arm,mali-utgard binding.
 */
#include <linux/clk.h>
#include <linux/dma-mapping.h>
#include <linux/platform_device.h>
#include <linux/regulator/consumer.h>
#include <linux/reset.h>
#include <linux/units.h>
#include <drm/drm_print.h>

#include "limn_device.h"

static int limn_regulator_get(struct limn_device *ldev)
{
	struct regulator *regulator;

	regulator = devm_regulator_get_optional(ldev->dev, "mali");
	if (IS_ERR(regulator)) {
		if (PTR_ERR(regulator) == -ENODEV)
			return 0;
		return dev_err_probe(ldev->dev, PTR_ERR(regulator), "cannot get the regulator\n");
	}
	ldev->regulator = regulator;
	return 0;
}

int limn_device_power_on(struct limn_device *ldev)
{
	int ret;

	drm_WARN_ON(&ldev->drm, ldev->powered);
	if (ldev->regulator) {
		ret = regulator_enable(ldev->regulator);
		if (ret) {
			dev_err(ldev->dev, "cannot enable the regulator: %d\n", ret);
			return ret;
		}
	}
	ret = clk_prepare_enable(ldev->clk_bus);
	if (ret)
		goto err_regulator;
	ret = clk_prepare_enable(ldev->clk_core);
	if (ret)
		goto err_bus;
	ret = reset_control_deassert(ldev->reset);
	if (ret)
		goto err_core;
	WRITE_ONCE(ldev->powered, true);
	return 0;

err_core:
	clk_disable_unprepare(ldev->clk_core);
err_bus:
	clk_disable_unprepare(ldev->clk_bus);
err_regulator:
	if (ldev->regulator)
		regulator_disable(ldev->regulator);
	dev_err(ldev->dev, "cannot enable clocks and reset: %d\n", ret);
	return ret;
}

void limn_device_power_off(struct limn_device *ldev)
{
	drm_WARN_ON(&ldev->drm, !ldev->powered);
	WRITE_ONCE(ldev->powered, false);
	reset_control_assert(ldev->reset);
	clk_disable_unprepare(ldev->clk_core);
	clk_disable_unprepare(ldev->clk_bus);
	if (ldev->regulator)
		regulator_disable(ldev->regulator);
}

/**
 * limn_device_map - the registers of a device
 * @pdev: its "reg" is one window
 * @need: bytes of registers that the driver uses
 *
 * Return: where they are, until @pdev loses its driver; or an ERR_PTR(), and
 * the log says why.
 */
void __iomem *limn_device_map(struct platform_device *pdev, resource_size_t need)
{
	struct resource *res;
	void __iomem *regs = devm_platform_get_and_ioremap_resource(pdev, 0, &res);
	int ret;

	if (IS_ERR(regs) || resource_size(res) >= need)
		return regs;
	ret = dev_err_probe(&pdev->dev, -EINVAL, "registers %pR: %pa bytes are needed\n", res,
			    &need);
	return IOMEM_ERR_PTR(ret);
}

/* Get what the device tree gives and switch it on. */
/* One clock for all pipes; for fdinfo. */
void limn_device_set_rate(struct limn_device *ldev, unsigned long rate)
{
	unsigned int i;

	for (i = 0; i < ldev->num_pipes; i++)
		WRITE_ONCE(ldev->pipe_khz[i], rate / HZ_PER_KHZ);
}

void limn_device_set_max_rate(struct limn_device *ldev, unsigned long rate)
{
	unsigned int i;

	for (i = 0; i < ldev->num_pipes; i++)
		ldev->pipe_max_khz[i] = rate / HZ_PER_KHZ;
}

int limn_device_init(struct limn_device *ldev)
{
	struct device *dev = ldev->dev;
	int ret;

	/* The GPU's page tables hold 32-bit addresses. */
	ret = dma_set_mask_and_coherent(dev, DMA_BIT_MASK(32));
	if (ret)
		return dev_err_probe(dev, ret, "no 32-bit DMA\n");
	dma_set_max_seg_size(dev, UINT_MAX);

	ldev->clk_bus = devm_clk_get(dev, "bus");
	if (IS_ERR(ldev->clk_bus))
		return dev_err_probe(dev, PTR_ERR(ldev->clk_bus), "cannot get the bus clock\n");
	ldev->clk_core = devm_clk_get(dev, "core");
	if (IS_ERR(ldev->clk_core))
		return dev_err_probe(dev, PTR_ERR(ldev->clk_core), "cannot get the core clock\n");
	ldev->reset = devm_reset_control_array_get_optional_shared(dev);
	if (IS_ERR(ldev->reset))
		return dev_err_probe(dev, PTR_ERR(ldev->reset), "cannot get the reset line\n");
	ret = limn_regulator_get(ldev);
	if (ret)
		return ret;
	ret = limn_device_power_on(ldev);
	if (ret)
		return ret;
	limn_device_set_rate(ldev, clk_get_rate(ldev->clk_core));
	limn_device_set_max_rate(ldev, clk_get_rate(ldev->clk_core));
	return 0;
}

void limn_device_fini(struct limn_device *ldev)
{
	if (ldev->powered)
		limn_device_power_off(ldev);
}
