// SPDX-License-Identifier: GPL-2.0-only
/*
 * Clock rate by load, when the device tree gives operating points.
 *
 * The GPU counts as busy while any pipe has a job.
 */
#include <linux/devfreq_cooling.h>
#include <linux/pm_opp.h>
#include <linux/property.h>

#include "utgard.h"

static void utgard_devfreq_account(struct utgard_devfreq *df)
{
	ktime_t now = ktime_get();

	lockdep_assert_held(&df->lock);

	if (df->pipes)
		df->busy = ktime_add(df->busy, ktime_sub(now, df->changed));
	df->changed = now;
}

static void utgard_devfreq_restart(struct utgard_devfreq *df)
{
	lockdep_assert_held(&df->lock);

	df->busy = 0;
	df->began = ktime_get();
	df->changed = df->began;
}

/* Has the pipe a job? */
static void utgard_devfreq_update(struct limn_pipe *pipe, bool busy)
{
	struct utgard_devfreq *df = &to_utgard(pipe->ldev)->devfreq;
	unsigned long flags;

	lockdep_assert_held(&pipe->lock);

	/* Nobody else changes this pipe's bit. */
	if (!df->devfreq || busy == !!(READ_ONCE(df->pipes) & BIT(pipe->id)))
		return;
	spin_lock_irqsave(&df->lock, flags);
	utgard_devfreq_account(df);
	WRITE_ONCE(df->pipes, df->pipes ^ BIT(pipe->id));
	spin_unlock_irqrestore(&df->lock, flags);
}

/* The pipe has a job. */
void utgard_devfreq_busy(struct limn_pipe *pipe)
{
	utgard_devfreq_update(pipe, true);
}

/* &limn_pipe_ops.idle */
void utgard_devfreq_idle(struct limn_pipe *pipe)
{
	utgard_devfreq_update(pipe, false);
}

static unsigned long utgard_devfreq_rate(struct utgard *ug)
{
	return clk_get_rate(ug->clks[UTGARD_CLK_CORE].clk);
}

/* Both pipes have the same clock. */
static void utgard_devfreq_set_rate(struct utgard *ug, unsigned long rate)
{
	limn_pipe_set_rate(ug->base.pipe[UTGARD_PIPE_GP], rate);
	limn_pipe_set_rate(ug->base.pipe[UTGARD_PIPE_PP], rate);
}

static void utgard_devfreq_set_max_rate(struct utgard *ug, unsigned long rate)
{
	ug->base.pipe[UTGARD_PIPE_GP]->max_rate = rate;
	ug->base.pipe[UTGARD_PIPE_PP]->max_rate = rate;
}

static int utgard_devfreq_target(struct device *dev, unsigned long *freq, u32 flags)
{
	struct dev_pm_opp *opp = devfreq_recommended_opp(dev, freq, flags);
	int ret;

	if (IS_ERR(opp))
		return PTR_ERR(opp);
	dev_pm_opp_put(opp);
	ret = dev_pm_opp_set_rate(dev, *freq);
	if (!ret)
		utgard_devfreq_set_rate(dev_get_drvdata(dev), *freq);
	return ret;
}

static int utgard_devfreq_status(struct device *dev, struct devfreq_dev_status *status)
{
	struct utgard *ug = dev_get_drvdata(dev);
	struct utgard_devfreq *df = &ug->devfreq;

	status->current_frequency = utgard_devfreq_rate(ug);
	spin_lock_irq(&df->lock);
	utgard_devfreq_account(df);
	status->busy_time = ktime_to_ns(df->busy);
	status->total_time = ktime_to_ns(ktime_sub(df->changed, df->began));
	utgard_devfreq_restart(df);
	spin_unlock_irq(&df->lock);
	return 0;
}

static struct devfreq_dev_profile utgard_devfreq_profile = {
	.timer = DEVFREQ_TIMER_DELAYED,
	.polling_ms = 50,	/* three frames */
	.target = utgard_devfreq_target,
	.get_dev_status = utgard_devfreq_status,
};

static int utgard_devfreq_init_opps(struct utgard *ug)
{
	static const char * const supplies[] = { "mali", NULL };
	struct device *dev = ug->base.dev;
	int ret;

	ret = devm_pm_opp_set_clkname(dev, "core");
	if (!ret && ug->regulator)
		ret = devm_pm_opp_set_regulators(dev, supplies);
	ret = ret ?: devm_pm_opp_of_add_table(dev);
	return ret ? dev_err_probe(dev, ret, "cannot use the operating points\n") : 0;
}

static void utgard_devfreq_uncool(void *cooling)
{
	devfreq_cooling_unregister(cooling);
}

static int utgard_devfreq_cool(struct utgard *ug)
{
	struct device *dev = ug->base.dev;
	struct thermal_cooling_device *cooling;

	cooling = of_devfreq_cooling_register(dev->of_node, ug->devfreq.devfreq);
	if (!IS_ERR(cooling))
		return devm_add_action_or_reset(dev, utgard_devfreq_uncool, cooling);
	dev_dbg(dev, "no cooling device: %ld\n", PTR_ERR(cooling));
	return 0;
}

/* The pipes are there, and get their rates. */
int utgard_devfreq_init(struct utgard *ug)
{
	unsigned long freq = utgard_devfreq_rate(ug), max = ULONG_MAX;
	struct utgard_devfreq *df = &ug->devfreq;
	struct device *dev = ug->base.dev;
	struct dev_pm_opp *opp;
	struct devfreq *devfreq;
	int ret;

	utgard_devfreq_set_rate(ug, freq);
	utgard_devfreq_set_max_rate(ug, freq);
	spin_lock_init(&df->lock);
	df->began = ktime_get();
	df->changed = df->began;
	if (!IS_ENABLED(CONFIG_PM_DEVFREQ) || !device_property_present(dev, "operating-points-v2"))
		return 0;
	ret = utgard_devfreq_init_opps(ug);
	if (ret)
		return ret;
	opp = devfreq_recommended_opp(dev, &freq, 0);
	if (IS_ERR(opp))
		return PTR_ERR(opp);
	dev_pm_opp_put(opp);
	opp = dev_pm_opp_find_freq_floor(dev, &max);
	if (!IS_ERR(opp)) {
		utgard_devfreq_set_max_rate(ug, max);
		dev_pm_opp_put(opp);
	}

	utgard_devfreq_profile.initial_freq = freq;
	/* GPU work comes in bursts: step up at a third of full load. */
	df->ondemand.upthreshold = 30;
	df->ondemand.downdifferential = 5;
	devfreq = devm_devfreq_add_device(dev, &utgard_devfreq_profile,
					  DEVFREQ_GOV_SIMPLE_ONDEMAND, &df->ondemand);
	if (IS_ERR(devfreq))
		return dev_err_probe(dev, PTR_ERR(devfreq), "cannot start devfreq\n");
	df->devfreq = devfreq;
	return utgard_devfreq_cool(ug);
}

/*
 * A governor that refuses is no reason to keep the GPU from sleep or from work: devfreq counts
 * suspends and resumes, those that fail too.
 */
void utgard_devfreq_suspend(struct utgard_devfreq *df)
{
	if (df->devfreq)
		devfreq_suspend_device(df->devfreq);
}

void utgard_devfreq_resume(struct utgard_devfreq *df)
{
	if (!df->devfreq)
		return;
	spin_lock_irq(&df->lock);
	utgard_devfreq_restart(df);
	spin_unlock_irq(&df->lock);
	devfreq_resume_device(df->devfreq);
}
