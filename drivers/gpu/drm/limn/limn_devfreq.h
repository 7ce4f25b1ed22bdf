/* SPDX-License-Identifier: GPL-2.0-only */
/* Clock rate by load, when the device tree gives operating points. */
#ifndef LIMN_DEVFREQ_H
#define LIMN_DEVFREQ_H

#include <linux/devfreq.h>
#include <linux/ktime.h>
#include <linux/spinlock.h>

struct limn_device;
struct thermal_cooling_device;

struct limn_devfreq {
	/** @devfreq: NULL when there are no operating points */
	struct devfreq *devfreq;
	struct thermal_cooling_device *cooling;
#if IS_ENABLED(CONFIG_PM_DEVFREQ)
	struct devfreq_simple_ondemand_data ondemand;
#endif
	/** @lock: protects what follows; taken in interrupt context */
	spinlock_t lock;
	ktime_t since;
	ktime_t busy;
	ktime_t idle;
	unsigned int jobs;
};

int limn_devfreq_init(struct limn_device *ldev);
void limn_devfreq_fini(struct limn_device *ldev);
void limn_devfreq_busy(struct limn_devfreq *df);
void limn_devfreq_idle(struct limn_devfreq *df);
int limn_devfreq_suspend(struct limn_devfreq *df);
int limn_devfreq_resume(struct limn_devfreq *df);

#endif
