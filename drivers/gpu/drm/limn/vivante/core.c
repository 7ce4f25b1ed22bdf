// SPDX-License-Identifier: GPL-2.0-only
/*
 * The cores of a GPU: from platform devices to one DRM device.
 */

/**
 * DOC: Vivante
 *
 * A Vivante GPU is up to four cores (3D, 2D, VG), each a platform device with
 * clocks, power and an interrupt of its own. They are components of one DRM
 * device, whose parent is the first of them in the device tree; userspace
 * addresses them as pipes, in the order of the tree.
 *
 * vivante/: core (this), identify (which core is it), power (clocks, reset,
 * clock gating, cooling), fe (the ring), events (interrupts, hang check),
 * clean (the states between two clients), mmu_v1 and mmu_v2 (struct
 * vivante_mmu_ops), stream (memory for streams),
 * submit and ioctl (the etnaviv ABI), perfmon. What a client's stream may hold
 * is checked in validate/vivante_stream.c.
 *
 * Locks beyond those of the shared core: stream memory and &vivante.pta_lock
 * are leaves. Registers belong to &limn_device.hw_lock; FE's ring and events to
 * &limn_pipe.lock while a job runs.
 */
#include <kunit/visibility.h>
#include <linux/component.h>
#include <linux/dma-mapping.h>
#include <linux/of.h>
#include <linux/platform_device.h>
#include <linux/pm_runtime.h>
#include <linux/slab.h>
#include <linux/units.h>
#include <drm/drm_drv.h>
#include <drm/drm_of.h>

#include "limn_ctx.h"
#include "limn_drv.h"
#include "limn_dump.h"
#include "limn_recover.h"
#include "vivante.h"

#define AUTOSUSPEND_MS	200

/* --- struct limn_backend ------------------------------------------------ */

static int vivante_file_open(struct limn_device *ldev, struct limn_file *lfile)
{
	static const struct limn_ctx_args defaults;
	u32 ctx;
	int ret;

	lfile->priv = vivante_file_create(to_vivante(ldev), lfile->vm);
	if (!lfile->priv)
		return -ENOMEM;
	/* The one that this ABI knows nothing of: number 0. */
	ret = limn_ctx_create(ldev, lfile, &defaults, &ctx);
	if (ret)
		vivante_file_put(lfile->priv);
	return ret;
}

static void vivante_file_close(struct limn_file *lfile)
{
	vivante_file_put(lfile->priv);
}

static int vivante_pt_init(struct limn_vm *vm)
{
	return to_vivante(vm->ldev)->mmu->vm_init(vm);
}

static void vivante_pt_fini(struct limn_vm *vm)
{
	to_vivante(vm->ldev)->mmu->vm_fini(vm);
}

static int vivante_pt_reserve(struct limn_vm *vm, u64 va, u64 size)
{
	return to_vivante(vm->ldev)->mmu->reserve(vm, va, size);
}

static void vivante_pt_map(struct limn_vm *vm, u64 va, dma_addr_t dma, u64 size, bool write)
{
	to_vivante(vm->ldev)->mmu->map(vm, va, dma, size, write);
}

static void vivante_pt_unmap(struct limn_vm *vm, u64 va, u64 size)
{
	to_vivante(vm->ldev)->mmu->unmap(vm, va, size);
}

static int vivante_job_prepare(struct limn_pipe *pipe, struct limn_job *job)
{
	struct vivante_core *core = vivante_core(pipe);

	if (core->power != VIVANTE_ON)
		return -EIO;	/* it did not come back from its last reset, or from sleep */
	vivante_job_emit(core, job);
	return 0;
}

static void vivante_job_start(struct limn_pipe *pipe, struct limn_job *job)
{
	vivante_job_kick(vivante_core(pipe), job);
}

static void vivante_job_poll(struct limn_pipe *pipe)
{
	vivante_events(vivante_core(pipe));
}

static void vivante_pipe_mask(struct limn_pipe *pipe)
{
	struct vivante_core *core = vivante_core(pipe);

	if (core->power != VIVANTE_OFF)
		vivante_write(core, VIVS_HI_INTR_ENBL, 0);
}

static void vivante_irq_sync(struct limn_pipe *pipe)
{
	synchronize_irq(vivante_core(pipe)->irq);
}

/*
 * The interrupt is enabled exactly while the core is on: one that could not be
 * reset may go on by itself, and nobody would ask it why it interrupts.
 */
static void vivante_set_power(struct vivante_core *core, enum vivante_power power)
{
	struct limn_pipe *pipe = vivante_pipe(core);
	bool was_on = core->power == VIVANTE_ON;

	spin_lock_irq(&pipe->lock);
	core->power = power;
	spin_unlock_irq(&pipe->lock);
	if (power == VIVANTE_ON && !was_on)
		enable_irq(core->irq);
	else if (power != VIVANTE_ON && was_on)
		disable_irq(core->irq);
}

/* The MMU has forgotten all; the kernel's tables are what it gets next. */
static void vivante_forget_vm(struct vivante_core *core)
{
	struct limn_vm *vm = core->vm;

	core->vm = limn_vm_get(core->viv->kernel_vm);
	core->flushed = 0;
	limn_vm_put(vm);
}

/*
 * Cores do not depend on each other: one that cannot be reset is no reason to
 * stop the others. Its jobs fail from then on. A core without clocks does nothing,
 * and is reset before it does anything again.
 */
static int vivante_pipe_reset(struct limn_pipe *pipe)
{
	struct vivante_core *core = vivante_core(pipe);
	int ret;

	if (core->power == VIVANTE_OFF)
		return 0;
	ret = vivante_start(core);
	vivante_forget_vm(core);
	vivante_set_power(core, ret ? VIVANTE_DEAD : VIVANTE_ON);
	return ret;
}

/* The core has clocks, and keeps them if this succeeds. */
static int vivante_core_start(struct vivante_core *core)
{
	int ret = vivante_start(core);

	vivante_forget_vm(core);
	if (ret)
		return ret;
	vivante_set_power(core, VIVANTE_ON);
	limn_recover_set_wild(vivante_pipe(core), false);
	return 0;
}

static void vivante_core_stop(struct vivante_core *core)
{
	if (core->power == VIVANTE_ON)
		vivante_stop(core);
	vivante_set_power(core, VIVANTE_OFF);
}

static void vivante_free_memory(struct vivante *viv)
{
	struct device *dev = viv->base.dev;
	unsigned int i;

	for (i = 0; i < viv->num_cores; i++) {
		limn_vm_put(viv->core[i]->vm);
		viv->core[i]->vm = NULL;
		vivante_ring_fini(viv->core[i]);
		vivante_cleaner_fini(viv->core[i]);
	}
	limn_vm_put(viv->kernel_vm);
	viv->kernel_vm = NULL;
	viv->base.shared_vm = NULL;
	viv->mmu->fini(viv);
	if (viv->bad_page)
		dma_free_wc(dev, SZ_4K, viv->bad_page, viv->bad_page_dma);
	viv->bad_page = NULL;
	kvfree(viv->states);
	viv->states = NULL;
}

static int vivante_alloc_memory(struct vivante *viv)
{
	struct device *dev = viv->base.dev;
	struct limn_vm *vm;
	unsigned int i;
	int ret;

	viv->states = kvmalloc(sizeof(*viv->states), GFP_KERNEL);
	viv->bad_page = dma_alloc_wc(dev, SZ_4K, &viv->bad_page_dma, GFP_KERNEL | __GFP_ZERO);
	if (!viv->states || !viv->bad_page)
		return -ENOMEM;
	vivante_states_init(viv->states, viv->mmu->check_addresses);
	ret = vivante_perf_init(viv);
	if (ret)
		return ret;
	for (i = 0; i < viv->num_cores; i++) {
		ret = vivante_ring_init(viv->core[i]);
		ret = ret ?: vivante_cleaner_init(viv->core[i]);
		if (ret)
			return ret;
	}
	ret = viv->mmu->init(viv);
	if (ret)
		return ret;
	vm = limn_vm_create(&viv->base);
	if (IS_ERR(vm))
		return PTR_ERR(vm);
	viv->kernel_vm = vm;
	if (viv->mmu->shared)
		viv->base.shared_vm = vm;
	return 0;
}

static void vivante_stop_cores(struct vivante *viv)
{
	unsigned int i;

	for (i = 0; i < viv->num_cores; i++) {
		struct vivante_core *core = viv->core[i];

		vivante_cooling_fini(core);
		vivante_core_stop(core);
		if (core->has_irq)
			devm_free_irq(core->dev, core->irq, core);
		core->has_irq = false;
	}
}

static int vivante_init_core(struct vivante_core *core)
{
	int ret;

	ret = devm_request_irq(core->dev, core->irq, vivante_irq, IRQF_NO_AUTOEN,
			       dev_name(core->dev), core);
	if (ret)
		return dev_err_probe(core->dev, ret, "no interrupt\n");
	core->has_irq = true;
	ret = vivante_core_start(core);
	return ret ?: vivante_cooling_init(core);
}

static void vivante_fini(struct limn_device *ldev)
{
	struct vivante *viv = to_vivante(ldev);

	vivante_stop_cores(viv);
	vivante_free_memory(viv);
}

static int vivante_init(struct limn_device *ldev)
{
	struct vivante *viv = to_vivante(ldev);
	unsigned int i;
	int ret;

	ret = vivante_alloc_memory(viv);
	for (i = 0; !ret && i < viv->num_cores; i++)
		ret = vivante_init_core(viv->core[i]);
	if (ret)
		vivante_fini(ldev);
	return ret;
}

const struct limn_backend vivante_backend = {
	.driver = &vivante_drm_driver,
	.device_size = sizeof(struct vivante),
	.vm_size = sizeof(struct vivante_vm),
	.platform = &vivante_platform_ops,
	.separate_power = true,
	.timeout_ms = 500,
	.hang_periods = VIVANTE_HANG_PERIODS,
	.lazy_va = true,
	.cleans_state = true,
	.init = vivante_init,
	.fini = vivante_fini,
	.file_open = vivante_file_open,
	.file_close = vivante_file_close,
	.pt_init = vivante_pt_init,
	.pt_fini = vivante_pt_fini,
	.pt_reserve = vivante_pt_reserve,
	.pt_map = vivante_pt_map,
	.pt_unmap = vivante_pt_unmap,
	.job_create = vivante_cmd_create,
	.job_bind = vivante_job_bind,
	.max_cmd_bytes = SZ_1M,	/* well below what a file's streams may take */
	.job_prepare = vivante_job_prepare,
	.job_start = vivante_job_start,
	.pipe_idle = vivante_ring_idle,
	.job_service = vivante_job_service,
	.job_progress = vivante_job_progress,
	.job_free = vivante_job_free,
	.job_poll = vivante_job_poll,
	.pipe_mask = vivante_pipe_mask,
	.irq_sync = vivante_irq_sync,
	.pipe_reset = vivante_pipe_reset,
	.dump_family = LIMN_DUMP_VIVANTE,
	.dump = vivante_dump,
	.perf = &vivante_perf_ops,
};
EXPORT_SYMBOL_IF_KUNIT(vivante_backend);

/* --- The DRM device ----------------------------------------------------- */

/* Cores that do not answer, or are of a kind that is not driven, are left out. */
static void vivante_identify_all(struct vivante *viv)
{
	unsigned int i, num = 0;

	for (i = 0; i < viv->num_cores; i++) {
		struct vivante_core *core = viv->core[i];
		struct limn_device *ldev = &viv->base;

		if (vivante_identify(core)) {
			/*
			 * Now: pm_runtime_disable() forgets an autosuspend that was
			 * due, and the clocks would stay on.
			 */
			pm_runtime_put_sync_suspend(core->dev);
			core->viv = NULL;
			continue;
		}
		core->index = num;
		ldev->pipe_devs[num] = core->dev;
		ldev->pipe_max_khz[num] = core->rate_core / HZ_PER_KHZ;
		snprintf(viv->names[num], sizeof(viv->names[num]), "gc%x.%u", core->id.model, num);
		ldev->pipe_names[num] = viv->names[num];
		viv->core[num++] = core;
	}
	for (i = num; i < viv->num_cores; i++)
		viv->core[i] = NULL;
	viv->num_cores = num;
	viv->base.num_pipes = num;
}

static int vivante_choose_mmu(struct vivante *viv)
{
	struct device *dev = viv->base.dev;
	bool v2 = VIVANTE_MINOR(&viv->core[0]->id, 1, MMU_VERSION);
	unsigned int i;
	int ret;

	for (i = 1; i < viv->num_cores; i++) {
		if (!!VIVANTE_MINOR(&viv->core[i]->id, 1, MMU_VERSION) != v2)
			return dev_err_probe(dev, -ENXIO, "cores have different MMUs\n");
	}
	viv->mmu = v2 ? &vivante_mmu_v2 : &vivante_mmu_v1;
	viv->base.va_start = viv->mmu->va_start;
	viv->base.va_end = viv->mmu->va_end;
	viv->base.no_readonly = !v2;

	/* Pages may lie higher than tables and commands. */
	ret = dma_set_mask(dev, DMA_BIT_MASK(v2 ? 40 : 32));
	ret = ret ?: dma_set_coherent_mask(dev, DMA_BIT_MASK(32));
	if (ret)
		return dev_err_probe(dev, ret, "no DMA\n");
	dma_set_max_seg_size(dev, SZ_2G);
	return 0;
}

static int vivante_power_all(struct vivante *viv)
{
	unsigned int i;
	int ret;

	for (i = 0; i < viv->num_cores; i++) {
		ret = pm_runtime_resume_and_get(viv->core[i]->dev);
		if (ret)
			goto err;
	}
	return 0;

err:
	while (i--)
		pm_runtime_put_sync_suspend(viv->core[i]->dev);
	return ret;
}

static void vivante_unpower_all(struct vivante *viv)
{
	unsigned int i;

	for (i = 0; i < viv->num_cores; i++) {
		pm_runtime_mark_last_busy(viv->core[i]->dev);
		pm_runtime_put_autosuspend(viv->core[i]->dev);
	}
}

static void vivante_disown_all(struct vivante *viv)
{
	unsigned int i;

	for (i = 0; i < viv->num_cores; i++) {
		/* So that nobody finds a GPU that is gone behind the core. */
		pm_runtime_put_sync_suspend(viv->core[i]->dev);
		viv->core[i]->viv = NULL;
		/* Whoever comes without drm_dev_enter() meets this, not freed memory. */
		viv->core[i] = NULL;
	}
}

static int vivante_bind(struct device *dev)
{
	struct limn_device *ldev = limn_device_alloc(dev, &vivante_backend);
	struct vivante_core *first = dev_get_drvdata(dev);
	struct vivante *viv;
	int ret;

	if (IS_ERR(ldev))
		return PTR_ERR(ldev);
	viv = to_vivante(ldev);
	mutex_init(&viv->pta_lock);
	ret = component_bind_all(dev, viv);
	if (ret)
		return ret;
	ret = vivante_power_all(viv);
	if (ret)
		goto err_unbind;
	vivante_identify_all(viv);
	ret = viv->num_cores ? vivante_choose_mmu(viv) : -ENODEV;
	ret = ret ?: limn_device_register(ldev);
	if (ret)
		goto err_disown;
	first->master = viv;
	vivante_unpower_all(viv);
	return 0;

err_disown:
	vivante_disown_all(viv);
err_unbind:
	component_unbind_all(dev, viv);
	return ret;
}

static void vivante_unbind(struct device *dev)
{
	struct vivante_core *first = dev_get_drvdata(dev);
	struct vivante *viv = first->master;
	unsigned int i;

	/* Registers must answer; those of a core without power are not touched. */
	for (i = 0; i < viv->num_cores; i++)
		pm_runtime_get_sync(viv->core[i]->dev);
	limn_device_unregister(&viv->base);
	vivante_disown_all(viv);
	component_unbind_all(dev, viv);
	first->master = NULL;
}

static const struct component_master_ops vivante_master_ops = {
	.bind = vivante_bind,
	.unbind = vivante_unbind,
};

static int vivante_component_bind(struct device *dev, struct device *master, void *data)
{
	struct vivante_core *core = dev_get_drvdata(dev);
	struct vivante *viv = data;

	if (viv->num_cores == VIVANTE_MAX_CORES)
		return -ENOSPC;
	core->viv = viv;
	viv->core[viv->num_cores++] = core;
	return 0;
}

static void vivante_component_unbind(struct device *dev, struct device *master, void *data)
{
}

static const struct component_ops vivante_component_ops = {
	.bind = vivante_component_bind,
	.unbind = vivante_component_unbind,
};

/* --- Platform devices --------------------------------------------------- */

static struct device_node *vivante_first_node(void)
{
	struct device_node *np;

	for_each_compatible_node(np, NULL, "vivante,gc") {
		if (of_device_is_available(np))
			return np;
	}
	return NULL;
}

/* The first core stands for all. */
static int vivante_add_master(struct device *dev)
{
	struct component_match *match = NULL;
	struct device_node *np;

	for_each_compatible_node(np, NULL, "vivante,gc") {
		if (of_device_is_available(np))
			drm_of_component_match_add(dev, &match, component_compare_of, np);
	}
	if (IS_ERR(match))
		return PTR_ERR(match);
	return component_master_add_with_match(dev, &vivante_master_ops, match);
}

static int vivante_probe(struct platform_device *pdev)
{
	struct device *dev = &pdev->dev;
	struct device_node *first = vivante_first_node();
	struct vivante_core *core;
	int ret;

	of_node_put(first);
	core = devm_kzalloc(dev, sizeof(*core), GFP_KERNEL);
	if (!core)
		return -ENOMEM;
	core->dev = dev;
	core->regs = limn_device_map(pdev, VIVANTE_WINDOW_SIZE);
	if (IS_ERR(core->regs))
		return PTR_ERR(core->regs);
	core->irq = platform_get_irq(pdev, 0);
	if (core->irq < 0)
		return core->irq;
	ret = vivante_clocks_get(core);
	if (ret)
		return ret;
	platform_set_drvdata(pdev, core);

	pm_runtime_set_autosuspend_delay(dev, AUTOSUSPEND_MS);
	pm_runtime_use_autosuspend(dev);
	pm_runtime_enable(dev);
	ret = component_add(dev, &vivante_component_ops);
	if (ret)
		goto err_pm;
	ret = first == dev->of_node ? vivante_add_master(dev) : 0;
	if (ret)
		goto err_component;
	return 0;

err_component:
	component_del(dev, &vivante_component_ops);
err_pm:
	pm_runtime_dont_use_autosuspend(dev);
	pm_runtime_disable(dev);
	return ret;
}

static void vivante_remove(struct platform_device *pdev)
{
	struct device *dev = &pdev->dev;
	struct device_node *first = vivante_first_node();

	of_node_put(first);
	if (first == dev->of_node)
		component_master_del(dev, &vivante_master_ops);
	component_del(dev, &vivante_component_ops);
	pm_runtime_dont_use_autosuspend(dev);
	pm_runtime_disable(dev);
}

static int vivante_runtime_suspend(struct device *dev)
{
	struct vivante_core *core = dev_get_drvdata(dev);

	if (core->viv && core->viv->kernel_vm) {
		vivante_core_stop(core);
		vivante_forget_vm(core);
	}
	vivante_clocks_off(core);
	return 0;
}

static int vivante_runtime_resume(struct device *dev)
{
	struct vivante_core *core = dev_get_drvdata(dev);
	int ret;

	ret = vivante_clocks_on(core);
	if (ret)
		return ret;
	/* Before it is bound there is nothing to start. */
	if (core->viv && core->viv->kernel_vm) {
		ret = vivante_core_start(core);
		if (ret)
			vivante_clocks_off(core);
	}
	return ret;
}

/* The first core to go to sleep stops the queues of all, the last to wake up starts them. */
static int vivante_suspend(struct device *dev)
{
	struct vivante_core *core = dev_get_drvdata(dev);
	struct vivante *viv = core->viv;
	int ret;

	if (!viv)
		return pm_runtime_force_suspend(dev);
	ret = viv->suspended ? 0 : limn_sched_suspend(&viv->base);
	if (ret)
		return ret;
	ret = pm_runtime_force_suspend(dev);
	if (!ret)
		viv->suspended++;
	else if (!viv->suspended)
		limn_sched_resume(&viv->base);
	return ret;
}

static int vivante_resume(struct device *dev)
{
	struct vivante_core *core = dev_get_drvdata(dev);
	struct vivante *viv = core->viv;
	int ret = pm_runtime_force_resume(dev);

	/* Jobs then fail one by one, if there is no core to run them. */
	if (viv && --viv->suspended == 0)
		limn_sched_resume(&viv->base);
	return ret;
}

const struct limn_platform_ops vivante_platform_ops = {
	.probe = vivante_probe,
	.remove = vivante_remove,
	.runtime_suspend = vivante_runtime_suspend,
	.runtime_resume = vivante_runtime_resume,
	.suspend = vivante_suspend,
	.resume = vivante_resume,
};
