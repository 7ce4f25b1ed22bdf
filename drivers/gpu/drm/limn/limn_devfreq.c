// SPDX-License-Identifier: GPL-2.0-only
/*
 * Frequency scaling: tells devfreq how busy the GPU was.
 *
 * The GPU counts as busy while any pipe has a job.
 */
#include <linux/clk.h>
#include <linux/devfreq.h>
#include <linux/devfreq_cooling.h>
#include <linux/pm_opp.h>
#include <linux/property.h>

#include "limn_devfreq.h"
#include "limn_device.h"

#if IS_ENABLED(CONFIG_PM_DEVFREQ) && IS_ENABLED(CONFIG_PM_OPP)

static void limn_devfreq_account(struct limn_devfreq *df)
{
	ktime_t now = ktime_get();
	ktime_t passed = ktime_sub(now, df->since);

	lockdep_assert_held(&df->lock);

	if (df->jobs)
		df->busy = ktime_add(df->busy, passed);
	else
		df->idle = ktime_add(df->idle, passed);
	df->since = now;
}

static void limn_devfreq_restart(struct limn_devfreq *df)
{
	lockdep_assert_held(&df->lock);

	df->busy = 0;
	df->idle = 0;
	df->since = ktime_get();
}

void limn_devfreq_busy(struct limn_devfreq *df)
{
	unsigned long flags;

	if (!df->devfreq)
		return;
	spin_lock_irqsave(&df->lock, flags);
	limn_devfreq_account(df);
	df->jobs++;
	spin_unlock_irqrestore(&df->lock, flags);
}

void limn_devfreq_idle(struct limn_devfreq *df)
{
	unsigned long flags;

	if (!df->devfreq)
		return;
	spin_lock_irqsave(&df->lock, flags);
	limn_devfreq_account(df);
	if (!WARN_ON_ONCE(!df->jobs))
		df->jobs--;
	spin_unlock_irqrestore(&df->lock, flags);
}

static int limn_devfreq_target(struct device *dev, unsigned long *freq, u32 flags)
{
	struct dev_pm_opp *opp = devfreq_recommended_opp(dev, freq, flags);
	int ret;

	if (IS_ERR(opp))
		return PTR_ERR(opp);
	dev_pm_opp_put(opp);
	ret = dev_pm_opp_set_rate(dev, *freq);
	if (!ret)
		limn_device_set_rate(dev_get_drvdata(dev), *freq);
	return ret;
}

static int limn_devfreq_status(struct device *dev, struct devfreq_dev_status *status)
{
	struct limn_device *ldev = dev_get_drvdata(dev);
	struct limn_devfreq *df = &ldev->devfreq;
	unsigned long flags;

	status->current_frequency = clk_get_rate(ldev->clk_core);
	spin_lock_irqsave(&df->lock, flags);
	limn_devfreq_account(df);
	status->busy_time = ktime_to_ns(df->busy);
	status->total_time = ktime_to_ns(ktime_add(df->busy, df->idle));
	limn_devfreq_restart(df);
	spin_unlock_irqrestore(&df->lock, flags);
	return 0;
}

static struct devfreq_dev_profile limn_devfreq_profile = {
	.timer = DEVFREQ_TIMER_DELAYED,
	.polling_ms = 50,	/* three frames */
	.target = limn_devfreq_target,
	.get_dev_status = limn_devfreq_status,
};

static int limn_devfreq_init_opps(struct limn_device *ldev)
{
	static const char * const supplies[] = { "mali", NULL };
	int ret;

	ret = devm_pm_opp_set_clkname(ldev->dev, "core");
	if (ret)
		return ret;
	if (ldev->regulator) {
		ret = devm_pm_opp_set_regulators(ldev->dev, supplies);
		if (ret)
			return ret;
	}
	return devm_pm_opp_of_add_table(ldev->dev);
}

int limn_devfreq_init(struct limn_device *ldev)
{
	struct limn_devfreq *df = &ldev->devfreq;
	unsigned long freq = clk_get_rate(ldev->clk_core), max = ULONG_MAX;
	struct dev_pm_opp *opp;
	struct devfreq *devfreq;
	int ret;

	spin_lock_init(&df->lock);
	df->since = ktime_get();
	if (!device_property_present(ldev->dev, "operating-points-v2"))
		return 0;
	ret = limn_devfreq_init_opps(ldev);
	if (ret)
		return dev_err_probe(ldev->dev, ret, "cannot use the operating points\n");
	opp = devfreq_recommended_opp(ldev->dev, &freq, 0);
	if (IS_ERR(opp))
		return PTR_ERR(opp);
	dev_pm_opp_put(opp);
	opp = dev_pm_opp_find_freq_floor(ldev->dev, &max);
	if (!IS_ERR(opp)) {
		limn_device_set_max_rate(ldev, max);
		dev_pm_opp_put(opp);
	}

	limn_devfreq_profile.initial_freq = freq;
	/* GPU work comes in bursts: step up at a third of full load. */
	df->ondemand.upthreshold = 30;
	df->ondemand.downdifferential = 5;
	devfreq = devm_devfreq_add_device(ldev->dev, &limn_devfreq_profile,
					  DEVFREQ_GOV_SIMPLE_ONDEMAND, &df->ondemand);
	if (IS_ERR(devfreq))
		return dev_err_probe(ldev->dev, PTR_ERR(devfreq), "cannot start devfreq\n");
	df->devfreq = devfreq;

	df->cooling = of_devfreq_cooling_register(ldev->dev->of_node, devfreq);
	if (IS_ERR(df->cooling)) {
		dev_dbg(ldev->dev, "no cooling device: %ld\n", PTR_ERR(df->cooling));
		df->cooling = NULL;
	}
	return 0;
}

void limn_devfreq_fini(struct limn_device *ldev)
{
	struct limn_devfreq *df = &ldev->devfreq;

	if (df->cooling)
		devfreq_cooling_unregister(df->cooling);
	df->cooling = NULL;
	if (df->devfreq)
		devm_devfreq_remove_device(ldev->dev, df->devfreq);
	df->devfreq = NULL;
}

int limn_devfreq_suspend(struct limn_devfreq *df)
{
	return df->devfreq ? devfreq_suspend_device(df->devfreq) : 0;
}

int limn_devfreq_resume(struct limn_devfreq *df)
{
	unsigned long flags;

	if (!df->devfreq)
		return 0;
	spin_lock_irqsave(&df->lock, flags);
	limn_devfreq_restart(df);
	spin_unlock_irqrestore(&df->lock, flags);
	return devfreq_resume_device(df->devfreq);
}

#else

int limn_devfreq_init(struct limn_device *ldev)
{
	return 0;
}

void limn_devfreq_fini(struct limn_device *ldev)
{
}

void limn_devfreq_busy(struct limn_devfreq *df)
{
}

void limn_devfreq_idle(struct limn_devfreq *df)
{
}

int limn_devfreq_suspend(struct limn_devfreq *df)
{
	return 0;
}

int limn_devfreq_resume(struct limn_devfreq *df)
{
	return 0;
}

#endif
