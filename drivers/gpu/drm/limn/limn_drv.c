// SPDX-License-Identifier: GPL-2.0-only
/*
 * The module: platform driver, probe and remove, power management, open files.
 */

/**
 * DOC: overview
 *
 * limn drives embedded GPUs under the names, and with the user ABI, of the
 * mainline drivers that userspace knows. This file and its neighbours limn_*.c
 * are what families of GPUs share; a family is one struct limn_backend and a
 * folder: utgard/ for Mali-400 and Mali-450, vivante/ for Vivante GCxxx.
 */

/**
 * DOC: removal
 *
 * The device can lose its driver while files are open. drm_dev_unplug() lets
 * nobody in any more; then the job on the hardware fails, queued jobs are
 * cancelled, and when the last one is gone so are scheduler and registers.
 * Files, their BOs and address spaces go when they are closed, and struct
 * limn_device with the last of them.
 */
#include <linux/module.h>
#include <linux/of.h>
#include <linux/platform_device.h>
#include <linux/pm_runtime.h>
#include <linux/slab.h>
#include <linux/wait_bit.h>
#include <drm/drm_drv.h>
#include <drm/drm_file.h>
#include <drm/drm_managed.h>
#include <drm/drm_print.h>

#include "limn_ctx.h"
#include "limn_debugfs.h"
#include "limn_device.h"
#include "limn_drv.h"
#include "limn_gem.h"
#include "limn_perfmon.h"
#include "limn_recover.h"
#include "limn_retire.h"
#include "limn_sched.h"
#include "limn_vm.h"

int limn_sched_timeout_ms;
module_param_named(sched_timeout_ms, limn_sched_timeout_ms, int, 0444);
MODULE_PARM_DESC(sched_timeout_ms, "time that a job may take, in ms (default 10000)");

unsigned int limn_max_timeout_ms;
module_param_named(max_timeout_ms, limn_max_timeout_ms, uint, 0644);
MODULE_PARM_DESC(max_timeout_ms,
		 "time that a context may ask for its jobs, in ms (default: sched_timeout_ms)");

unsigned int limn_heap_init_nr_pages = 8;
module_param_named(heap_init_nr_pages, limn_heap_init_nr_pages, uint, 0444);
MODULE_PARM_DESC(heap_init_nr_pages, "pages that a heap buffer starts with (default 8)");

#define LIMN_AUTOSUSPEND_MS	200

static void limn_client_release(struct kref *ref)
{
	kfree(container_of(ref, struct limn_client, ref));
}

struct limn_client *limn_client_get(struct limn_client *client)
{
	kref_get(&client->ref);
	return client;
}

void limn_client_put(struct limn_client *client)
{
	if (client)
		kref_put(&client->ref, limn_client_release);
}

static struct limn_client *limn_client_create(void)
{
	struct limn_client *client = kzalloc(sizeof(*client), GFP_KERNEL);

	if (!client)
		return NULL;
	kref_init(&client->ref);
	client->pid = task_tgid_nr(current);
	get_task_comm(client->comm, current->group_leader);
	return client;
}

static int limn_file_init(struct limn_device *ldev, struct limn_file *lfile)
{
	int ret;

	lfile->client = limn_client_create();
	if (!lfile->client)
		return -ENOMEM;
	limn_bo_lists_init(&lfile->bo_lists);
	xa_init_flags(&lfile->contexts, XA_FLAGS_ALLOC);
	xa_init_flags(&lfile->perfmons, XA_FLAGS_ALLOC1);
	lfile->vm = ldev->shared_vm ? limn_vm_get(ldev->shared_vm) : limn_vm_create(ldev);
	if (IS_ERR(lfile->vm)) {
		ret = PTR_ERR(lfile->vm);
		goto err_client;
	}
	ret = ldev->be->file_open ? ldev->be->file_open(ldev, lfile) : 0;
	if (ret)
		goto err_vm;
	return 0;

err_vm:
	limn_ctx_close_all(ldev, lfile);
	limn_vm_put(lfile->vm);
err_client:
	limn_client_put(lfile->client);
	return ret;
}

int limn_drm_open(struct drm_device *drm, struct drm_file *file)
{
	struct limn_device *ldev = to_limn_device(drm);
	struct limn_file *lfile;
	int idx, ret = 0;

	if (!drm_dev_enter(drm, &idx))
		return -ENODEV;
	lfile = kzalloc(sizeof(*lfile), GFP_KERNEL);
	ret = lfile ? limn_file_init(ldev, lfile) : -ENOMEM;
	if (ret)
		kfree(lfile);
	else
		file->driver_priv = lfile;
	drm_dev_exit(idx);
	return ret;
}

void limn_drm_postclose(struct drm_device *drm, struct drm_file *file)
{
	struct limn_device *ldev = to_limn_device(drm);
	struct limn_file *lfile = to_limn_file(file);
	struct limn_client *client = lfile->client;

	limn_ctx_close_all(ldev, lfile);
	limn_perfmon_close_all(ldev, lfile);
	/*
	 * Jobs that are done pin the module until they are retired: wait, so that unloading
	 * right after the last close works. Others may take long, and are not waited for.
	 */
	wait_var_event_timeout(&client->jobs, !atomic_read(&client->jobs), HZ / 10);
	if (ldev->be->file_close)
		ldev->be->file_close(lfile);
	limn_vm_put(lfile->vm);
	limn_client_put(client);
	kfree(lfile);
}

/**
 * DOC: fdinfo
 *
 * As Documentation/gpu/drm-usage-stats.rst has it, for each queue NAME (Utgard: gp, pp;
 * Vivante: gc2000.0 and so on):
 *
 * - drm-engine-NAME: time that the queue spent on this file's jobs. All cores of
 *   Utgard's pp work on one job, so they are one engine, with a capacity of 1.
 * - drm-cycles-NAME: the same in cycles, by the clock's rate when each job ended
 * - drm-maxfreq-NAME: the most that the clock may have
 *
 * and of BOs, all of them in system memory: drm-total-memory,
 * drm-shared-memory, drm-active-memory, drm-resident-memory, drm-purgeable-memory.
 */
void limn_drm_show_fdinfo(struct drm_printer *p, struct drm_file *file)
{
	struct limn_device *ldev = to_limn_device(file->minor->dev);
	struct limn_client *client = to_limn_file(file)->client;
	unsigned int i;

	for (i = 0; i < ldev->num_pipes; i++)
		drm_printf(p, "drm-engine-%s:\t%lld ns\n", ldev->pipe_names[i],
			   (long long)atomic64_read(&client->busy_ns[i]));
	for (i = 0; i < ldev->num_pipes; i++) {
		if (!ldev->pipe_max_khz[i])
			continue;
		drm_printf(p, "drm-cycles-%s:\t%lld\n", ldev->pipe_names[i],
			   (long long)atomic64_read(&client->busy_cycles[i]));
		drm_printf(p, "drm-maxfreq-%s:\t%u KHz\n", ldev->pipe_names[i],
			   ldev->pipe_max_khz[i]);
	}
	drm_show_memory_stats(p, file);
}

static void limn_destroy_pipes(struct limn_device *ldev)
{
	unsigned int i;

	for (i = 0; i < ldev->num_pipes; i++)
		limn_pipe_destroy(ldev, i);
}

static int limn_create_pipes(struct limn_device *ldev)
{
	unsigned int i;
	int ret;

	for (i = 0; i < ldev->num_pipes; i++) {
		ret = limn_pipe_create(ldev, i);
		if (ret) {
			limn_destroy_pipes(ldev);
			return ret;
		}
	}
	return 0;
}

/* What all pipes get their power from, when that is one device. */
static int limn_power_init(struct limn_device *ldev)
{
	if (!ldev->be->separate_power)
		return limn_device_init(ldev);
	ldev->powered = true;
	return 0;
}

static void limn_power_fini(struct limn_device *ldev)
{
	if (!ldev->be->separate_power)
		limn_device_fini(ldev);
}

static void limn_destroy_wqs(struct limn_device *ldev)
{
	destroy_workqueue(ldev->sched_wq);
	destroy_workqueue(ldev->recover_wq);
}

static int limn_create_wqs(struct limn_device *ldev)
{
	ldev->recover_wq = alloc_ordered_workqueue("limn", WQ_MEM_RECLAIM | WQ_HIGHPRI);
	if (!ldev->recover_wq)
		return -ENOMEM;
	ldev->sched_wq = alloc_ordered_workqueue("limn-sched", WQ_MEM_RECLAIM);
	if (ldev->sched_wq)
		return 0;
	destroy_workqueue(ldev->recover_wq);
	return -ENOMEM;
}

static int limn_init(struct limn_device *ldev)
{
	int ret;

	atomic64_set(&ldev->order, 0);
	INIT_LIST_HEAD(&ldev->contexts);
	spin_lock_init(&ldev->perfmon_lock);
	atomic_set(&ldev->dumping, 0);
	ret = drmm_mutex_init(&ldev->drm, &ldev->hw_lock);
	ret = ret ?: drmm_mutex_init(&ldev->drm, &ldev->ctx_lock);
	ret = ret ?: limn_shrinker_init(ldev);
	if (ret)
		return ret;

	ret = limn_create_wqs(ldev);
	if (ret)
		return ret;
	ret = limn_power_init(ldev);
	if (ret)
		goto err_wq;
	ret = limn_create_pipes(ldev);
	if (ret)
		goto err_device;
	ret = ldev->be->init(ldev);
	if (ret)
		goto err_pipes;
	ret = ldev->be->separate_power ? 0 : limn_devfreq_init(ldev);
	if (ret)
		goto err_backend;
	ret = limn_shrinker_register(ldev);
	if (ret)
		goto err_devfreq;
	return 0;

err_devfreq:
	if (!ldev->be->separate_power)
		limn_devfreq_fini(ldev);
err_backend:
	ldev->be->fini(ldev);
err_pipes:
	limn_destroy_pipes(ldev);
err_device:
	limn_power_fini(ldev);
err_wq:
	limn_destroy_wqs(ldev);
	return ret;
}

/* The device is powered. */
static void limn_fini(struct limn_device *ldev)
{
	limn_shrinker_unregister(ldev);
	if (!ldev->be->separate_power)
		limn_devfreq_fini(ldev);
	ldev->be->fini(ldev);
	limn_destroy_pipes(ldev);
	limn_power_fini(ldev);
	limn_destroy_wqs(ldev);
}

/**
 * limn_device_alloc - the device of a GPU, not yet visible to anybody
 * @dev: the platform device that it hangs on
 * @be: the family of GPUs
 *
 * Return: the device, which goes with @dev's driver; or an ERR_PTR().
 */
struct limn_device *limn_device_alloc(struct device *dev, const struct limn_backend *be)
{
	struct limn_device *ldev;
	unsigned int i;

	ldev = __devm_drm_dev_alloc(dev, be->driver, be->device_size,
				    offsetof(struct limn_device, drm));
	if (IS_ERR(ldev))
		return ldev;
	ldev->dev = dev;
	ldev->be = be;
	ldev->va_start = be->va_start;
	ldev->num_pipes = be->num_pipes;
	for (i = 0; i < be->num_pipes; i++) {
		ldev->pipe_names[i] = be->pipe_names[i];
		ldev->pipe_devs[i] = dev;
	}
	return ldev;
}

/**
 * limn_device_register - start the hardware and let userspace in
 * @ldev: with &limn_device.num_pipes and what belongs to it
 *
 * When &limn_backend.separate_power is set, all pipes have power now.
 *
 * Return: 0 or an error, and then nothing was started.
 */
int limn_device_register(struct limn_device *ldev)
{
	int ret = limn_init(ldev);

	if (ret)
		return ret;
	limn_debugfs_init(ldev);
	ret = drm_dev_register(&ldev->drm, 0);
	if (ret)
		limn_fini(ldev);
	return ret;
}

static void limn_unplug(struct limn_device *ldev)
{
	unsigned int i;

	drm_dev_unplug(&ldev->drm);
	mutex_lock(&ldev->hw_lock);
	WRITE_ONCE(ldev->gone, true);
	for (i = 0; i < ldev->num_pipes; i++)
		limn_recover_fail(ldev->pipe[i], -ENODEV);
	mutex_unlock(&ldev->hw_lock);
	limn_ctx_kill_all(ldev);
	for (i = 0; i < ldev->num_pipes; i++)
		limn_pipe_drain(ldev->pipe[i]);
}

/**
 * limn_device_unregister - let nobody in any more, and end all jobs
 * @ldev: registered; all its pipes have power, so that registers answer
 */
void limn_device_unregister(struct limn_device *ldev)
{
	limn_unplug(ldev);
	limn_fini(ldev);
}

/* A GPU that is one platform device. */

struct limn_match {
	const struct limn_backend *be;
	unsigned long model;
};

static int limn_probe_single(struct device *dev, const struct limn_match *match)
{
	struct limn_device *ldev = limn_device_alloc(dev, match->be);
	int ret;

	if (IS_ERR(ldev))
		return PTR_ERR(ldev);
	ldev->model = match->model;
	dev_set_drvdata(dev, ldev);
	ret = limn_init(ldev);
	if (ret)
		return ret;

	pm_runtime_set_active(dev);
	pm_runtime_get_noresume(dev);
	pm_runtime_set_autosuspend_delay(dev, LIMN_AUTOSUSPEND_MS);
	pm_runtime_use_autosuspend(dev);
	pm_runtime_enable(dev);

	limn_debugfs_init(ldev);
	ret = drm_dev_register(&ldev->drm, 0);
	if (ret)
		goto err;
	pm_runtime_mark_last_busy(dev);
	pm_runtime_put_autosuspend(dev);
	return 0;

err:
	pm_runtime_dont_use_autosuspend(dev);
	pm_runtime_disable(dev);
	pm_runtime_put_noidle(dev);
	pm_runtime_set_suspended(dev);
	limn_fini(ldev);
	return ret;
}

static void limn_remove_single(struct limn_device *ldev)
{
	struct device *dev = ldev->dev;
	int ret;

	/* Registers must answer while jobs are taken off them. */
	ret = pm_runtime_resume_and_get(dev);
	limn_unplug(ldev);

	pm_runtime_dont_use_autosuspend(dev);
	pm_runtime_disable(dev);
	if (!ret)
		pm_runtime_put_noidle(dev);
	pm_runtime_set_suspended(dev);
	limn_fini(ldev);
}

static int limn_suspend_single(struct limn_device *ldev)
{
	int ret;

	ret = limn_devfreq_suspend(&ldev->devfreq);
	if (ret)
		return ret;
	/* It may have lost its power in a reset that failed. */
	if (ldev->powered) {
		ldev->be->suspend(ldev);
		limn_device_power_off(ldev);
	}
	return 0;
}

static int limn_resume_single(struct limn_device *ldev)
{
	unsigned int i;
	int ret;

	ret = limn_device_power_on(ldev);
	if (ret)
		return ret;
	ret = ldev->be->resume(ldev);
	if (!ret)
		ret = limn_devfreq_resume(&ldev->devfreq);
	if (ret)
		limn_device_power_off(ldev);
	for (i = 0; !ret && i < ldev->num_pipes; i++)
		limn_recover_set_wild(ldev->pipe[i], false);
	return ret;
}

static int limn_system_suspend_single(struct limn_device *ldev)
{
	int ret;

	ret = limn_sched_suspend(ldev);
	if (ret)
		return ret;
	ret = pm_runtime_force_suspend(ldev->dev);
	if (ret)
		limn_sched_resume(ldev);
	return ret;
}

static int limn_system_resume_single(struct limn_device *ldev)
{
	int ret = pm_runtime_force_resume(ldev->dev);

	/* Jobs then fail one by one, if there is no GPU to run them. */
	limn_sched_resume(ldev);
	return ret;
}

/* Any GPU. */

static const struct limn_platform_ops *limn_platform_ops(struct device *dev)
{
	const struct limn_match *match = of_device_get_match_data(dev);

	return match->be->platform;
}

static int limn_probe(struct platform_device *pdev)
{
	const struct limn_platform_ops *ops = limn_platform_ops(&pdev->dev);

	return ops ? ops->probe(pdev) :
		     limn_probe_single(&pdev->dev, of_device_get_match_data(&pdev->dev));
}

static void limn_remove(struct platform_device *pdev)
{
	const struct limn_platform_ops *ops = limn_platform_ops(&pdev->dev);

	if (ops)
		ops->remove(pdev);
	else
		limn_remove_single(platform_get_drvdata(pdev));
}

static int limn_runtime_suspend(struct device *dev)
{
	const struct limn_platform_ops *ops = limn_platform_ops(dev);

	return ops ? ops->runtime_suspend(dev) : limn_suspend_single(dev_get_drvdata(dev));
}

static int limn_runtime_resume(struct device *dev)
{
	const struct limn_platform_ops *ops = limn_platform_ops(dev);

	return ops ? ops->runtime_resume(dev) : limn_resume_single(dev_get_drvdata(dev));
}

static int limn_system_suspend(struct device *dev)
{
	const struct limn_platform_ops *ops = limn_platform_ops(dev);

	return ops ? ops->suspend(dev) : limn_system_suspend_single(dev_get_drvdata(dev));
}

static int limn_system_resume(struct device *dev)
{
	const struct limn_platform_ops *ops = limn_platform_ops(dev);

	return ops ? ops->resume(dev) : limn_system_resume_single(dev_get_drvdata(dev));
}

static const struct dev_pm_ops limn_pm_ops = {
	SYSTEM_SLEEP_PM_OPS(limn_system_suspend, limn_system_resume)
	RUNTIME_PM_OPS(limn_runtime_suspend, limn_runtime_resume, NULL)
};

static const struct limn_match limn_mali400 = { &utgard_backend, 400 };
static const struct limn_match limn_mali450 = { &utgard_backend, 450 };
static const struct limn_match limn_vivante = { &vivante_backend };

static const struct of_device_id limn_of_match[] = {
	{ .compatible = "arm,mali-400", .data = &limn_mali400 },
	{ .compatible = "arm,mali-450", .data = &limn_mali450 },
	{ .compatible = "vivante,gc", .data = &limn_vivante },
	{}
};
MODULE_DEVICE_TABLE(of, limn_of_match);

static struct platform_driver limn_platform_driver = {
	.probe = limn_probe,
	.remove = limn_remove,
	.driver = {
		.name = "limn",
		.pm = pm_ptr(&limn_pm_ops),
		.of_match_table = limn_of_match,
	},
};

static int __init limn_module_init(void)
{
	int ret = limn_retire_init();

	if (ret)
		return ret;
	ret = platform_driver_register(&limn_platform_driver);
	if (ret)
		limn_retire_exit();
	return ret;
}

/*
 * Each job holds the module. Whoever let go of the last one may still be between
 * module_put() and the end of limn_fence_release(), in text that is about to go.
 */
static void __exit limn_module_exit(void)
{
	platform_driver_unregister(&limn_platform_driver);
	limn_retire_exit();
	synchronize_rcu_tasks();
}

module_init(limn_module_init);
module_exit(limn_module_exit);

MODULE_DESCRIPTION("DRM driver for ARM Mali-400/450 and Vivante GCxxx");
MODULE_LICENSE("GPL");
MODULE_SOFTDEP("pre: governor_simpleondemand");
