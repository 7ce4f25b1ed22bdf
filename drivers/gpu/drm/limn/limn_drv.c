// SPDX-License-Identifier: GPL-2.0-only
/*
 * The module, and open files.
 */

/**
 * DOC: overview
 *
 * limn drives embedded GPUs under the names, and with the user ABI, of the mainline drivers that
 * userspace knows. This file and its neighbours limn_*.c are what families of GPUs share; a
 * family is one struct limn_backend and a folder: utgard/ for Mali-400 and Mali-450, vivante/
 * for Vivante GCxxx.
 */

#include <linux/module.h>
#include <linux/of.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/units.h>
#include <linux/wait_bit.h>
#include <drm/drm_drv.h>
#include <drm/drm_file.h>
#include <drm/drm_print.h>

#include "limn_ctx.h"
#include "limn_device.h"
#include "limn_drv.h"
#include "limn_gem.h"
#include "limn_perfmon.h"
#include "limn_retire.h"
#include "limn_sched.h"
#include "limn_vm.h"

int limn_sched_timeout_ms;
module_param_named(sched_timeout_ms, limn_sched_timeout_ms, int, 0444);
MODULE_PARM_DESC(sched_timeout_ms, "time that a job may take, in ms (default: Utgard 10000, Vivante 500)");

unsigned int limn_max_timeout_ms;
module_param_named(max_timeout_ms, limn_max_timeout_ms, uint, 0644);
MODULE_PARM_DESC(max_timeout_ms,
		 "time that a context may ask for its jobs, in ms (default: sched_timeout_ms)");

bool limn_conservative;
module_param_named(conservative, limn_conservative, bool, 0644);
MODULE_PARM_DESC(conservative, "rely on no more of the hardware than lima and etnaviv do (default: no)");

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
	spin_lock_init(&lfile->bo_lists.lock);
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
 * - drm-maxfreq-NAME: the most that the clock may have; both only where the rate is known
 *
 * and of BOs, all of them in system memory: drm-total-memory, drm-shared-memory, and of those of
 * which there are any, drm-active-memory, drm-resident-memory, drm-purgeable-memory.
 */
void limn_drm_show_fdinfo(struct drm_printer *p, struct drm_file *file)
{
	struct limn_device *ldev = to_limn_device(file->minor->dev);
	struct limn_client *client = to_limn_file(file)->client;
	unsigned int i;

	for (i = 0; i < ldev->num_pipes; i++) {
		const struct limn_pipe *pipe = ldev->pipe[i];

		drm_printf(p, "drm-engine-%s:\t%lld ns\n", pipe->name,
			   (long long)atomic64_read(&client->busy_ns[i]));
		if (!pipe->max_rate)
			continue;
		drm_printf(p, "drm-cycles-%s:\t%lld\n", pipe->name,
			   (long long)atomic64_read(&client->busy_cycles[i]));
		drm_printf(p, "drm-maxfreq-%s:\t%lu KHz\n", pipe->name,
			   pipe->max_rate / HZ_PER_KHZ);
	}
	drm_show_memory_stats(p, file);
}

static const struct limn_platform_ops *limn_ops(struct device *dev)
{
	return of_device_get_match_data(dev);
}

static int limn_probe(struct platform_device *pdev)
{
	return limn_ops(&pdev->dev)->probe(pdev);
}

static void limn_remove(struct platform_device *pdev)
{
	limn_ops(&pdev->dev)->remove(pdev);
}

static int limn_runtime_suspend(struct device *dev)
{
	return limn_ops(dev)->runtime_suspend(dev);
}

static int limn_runtime_resume(struct device *dev)
{
	return limn_ops(dev)->runtime_resume(dev);
}

static int limn_system_suspend(struct device *dev)
{
	return limn_ops(dev)->suspend(dev);
}

static int limn_system_resume(struct device *dev)
{
	return limn_ops(dev)->resume(dev);
}

static const struct dev_pm_ops limn_pm_ops = {
	SYSTEM_SLEEP_PM_OPS(limn_system_suspend, limn_system_resume)
	RUNTIME_PM_OPS(limn_runtime_suspend, limn_runtime_resume, NULL)
};

static const struct of_device_id limn_of_match[] = {
	{ .compatible = "arm,mali-400", .data = &utgard_platform_ops },
	{ .compatible = "arm,mali-450", .data = &utgard_platform_ops },
	{ .compatible = "vivante,gc", .data = &vivante_platform_ops },
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
 * Each job holds the module. The thread that released the last job may still be between
 * module_put() and the end of limn_fence_release(), in text that is about to be freed: Linux 6.12
 * calls that function without rcu_read_lock(), which module unload would wait for.
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
