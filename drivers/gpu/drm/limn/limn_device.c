// SPDX-License-Identifier: GPL-2.0-only
/*
 * A device, from its allocation until its driver is unbound.
 */

/**
 * DOC: removal
 *
 * The device can lose its driver while files are open. drm_dev_unplug() lets nobody in any more;
 * then the job on the hardware fails, queued jobs are cancelled, and when the last one is gone
 * so are scheduler and registers. Files, their BOs and address spaces go when they are closed,
 * and struct limn_device with the last of them.
 */
#include <linux/platform_device.h>
#include <linux/pm_runtime.h>
#include <drm/drm_drv.h>
#include <drm/drm_managed.h>

#include "limn_ctx.h"
#include "limn_device.h"
#include "limn_recover.h"
#include "limn_sched.h"

#define LIMN_AUTOSUSPEND_MS	200

/*
 * The registers of a device, whose "reg" is one window, until it loses its driver; or an ERR_PTR()
 * when it has less than @need bytes, and the log says so.
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

/* Runtime PM for a device that pipes get their power from, until it loses its driver. */
int limn_device_enable_pm(struct device *dev)
{
	pm_runtime_set_autosuspend_delay(dev, LIMN_AUTOSUSPEND_MS);
	pm_runtime_use_autosuspend(dev);
	pm_runtime_set_suspended(dev);	/* forgets an error of before an unbind */
	return devm_pm_runtime_enable(dev);
}

/*
 * Switch the device off for good, by its own @suspend. Neither power/control nor a job that is not
 * released yet can keep it on then, or suspend it once more.
 */
void limn_device_power_off(struct device *dev, int (*suspend)(struct device *dev))
{
	pm_runtime_disable(dev);
	if (!pm_runtime_status_suspended(dev))
		suspend(dev);
	pm_runtime_set_suspended(dev);
	pm_runtime_enable(dev);
}

static void limn_device_destroy_wq(void *wq)
{
	destroy_workqueue(wq);
}

static int limn_device_create_wqs(struct limn_device *ldev)
{
	int ret;

	ldev->recover_wq = alloc_ordered_workqueue("limn", WQ_MEM_RECLAIM | WQ_HIGHPRI);
	if (!ldev->recover_wq)
		return -ENOMEM;
	ret = devm_add_action_or_reset(ldev->dev, limn_device_destroy_wq, ldev->recover_wq);
	if (ret)
		return ret;
	ldev->sched_wq = alloc_ordered_workqueue("limn-sched", WQ_MEM_RECLAIM);
	if (!ldev->sched_wq)
		return -ENOMEM;
	return devm_add_action_or_reset(ldev->dev, limn_device_destroy_wq, ldev->sched_wq);
}

/*
 * The device of a GPU, without pipes, not yet visible to anybody. It hangs on @dev, and goes with
 * that one's driver. Or an ERR_PTR().
 */
struct limn_device *limn_device_alloc(struct device *dev, const struct limn_backend *be)
{
	struct limn_device *ldev;
	int ret;

	ldev = __devm_drm_dev_alloc(dev, be->driver, be->device_size,
				    offsetof(struct limn_device, drm));
	if (IS_ERR(ldev))
		return ldev;
	ldev->dev = dev;
	ldev->be = be;
	INIT_LIST_HEAD(&ldev->contexts);
	spin_lock_init(&ldev->perfmon_lock);
	ret = drmm_mutex_init(&ldev->drm, &ldev->hw_lock);
	ret = ret ?: drmm_mutex_init(&ldev->drm, &ldev->ctx_lock);
	ret = ret ?: limn_shrinker_init(ldev);
	ret = ret ?: limn_device_create_wqs(ldev);
	return ret ? ERR_PTR(ret) : ldev;
}

/* Let userspace in: the pipes are there, the hardware is ready for jobs. 0 or an error. */
int limn_device_register(struct limn_device *ldev)
{
	int ret = limn_shrinker_register(ldev);

	if (ret)
		return ret;
	limn_debugfs_init(ldev);
	ret = drm_dev_register(&ldev->drm, 0);
	if (ret)
		limn_shrinker_unregister(ldev);
	return ret;
}

/*
 * Refuse all ioctls from now on, and end all jobs. The caller keeps all pipes powered, and calls
 * limn_device_drain() once those that are wild are not.
 */
void limn_device_unplug(struct limn_device *ldev)
{
	unsigned int i;

	drm_dev_unplug(&ldev->drm);
	mutex_lock(&ldev->hw_lock);
	WRITE_ONCE(ldev->halted, -ENODEV);
	for (i = 0; i < ldev->num_pipes; i++) {
		limn_recover_fail(ldev->pipe[i], -ENODEV);
		/* drm_sched puts an entity that has more jobs back into its tree, killed or not. */
		drm_sched_wqueue_stop(&ldev->pipe[i]->sched);
	}
	limn_ctx_kill_all(ldev);
	for (i = 0; i < ldev->num_pipes; i++)
		drm_sched_wqueue_start(&ldev->pipe[i]->sched);
	mutex_unlock(&ldev->hw_lock);
}

/* The device was unplugged: until all jobs are gone. No hardware uses their memory any more. */
void limn_device_drain(struct limn_device *ldev)
{
	unsigned int i;

	for (i = 0; i < ldev->num_pipes; i++)
		limn_pipe_drain(ldev->pipe[i]);
	limn_shrinker_unregister(ldev);
}
