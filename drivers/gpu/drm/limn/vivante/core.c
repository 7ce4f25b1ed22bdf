// SPDX-License-Identifier: GPL-2.0-only
/*
 * The cores of a GPU: from platform devices to one DRM device.
 */

/**
 * DOC: Vivante
 *
 * A Vivante GPU is up to four cores (3D, 2D, VG), each a platform device with clocks, power and
 * an interrupt of its own. They are components of one DRM device, whose parent is the first of
 * them in the device tree; userspace addresses them as pipes, in the order of the tree.
 *
 * vivante/: core (this), identify (which core is it), power (clocks, reset, clock gating,
 * cooling), flop (an erratum's reset), fe (the ring), events (interrupts, hang check), clean
 * (the states between two clients), mmu_v1 and mmu_v2 (struct vivante_mmu_ops), stream (memory
 * for streams), submit and ioctl (the etnaviv ABI), perfmon. What a client's stream may hold is
 * checked in validate/vivante_stream.c.
 *
 * Locks beyond those of the shared core: that of a file's stream memory is held while memory is
 * allocated and &limn_vm.map_lock taken. Registers, FE's ring and events belong to &limn_pipe.lock
 * while a job starts, runs and ends; to &limn_device.hw_lock where the core is reset, powered or
 * scaled, or its counters are read.
 */
#include <kunit/visibility.h>
#include <linux/component.h>
#include <linux/of.h>
#include <linux/platform_device.h>
#include <linux/pm_runtime.h>
#include <linux/slab.h>
#include <drm/drm_drv.h>
#include <drm/drm_of.h>
#include <drm/limn_drm.h>

#include "limn_ctx.h"
#include "limn_drv.h"
#include "limn_dump.h"
#include "limn_recover.h"
#include "vivante.h"

/* --- struct limn_backend ------------------------------------------------ */

static int vivante_file_open(struct limn_device *ldev, struct limn_file *lfile)
{
	static const struct limn_ctx_args defaults;
	u32 ctx;
	int ret;

	lfile->priv = vivante_file_create(to_vivante(ldev), lfile->vm);
	if (!lfile->priv)
		return -ENOMEM;
	/* Context 0, in which jobs of the etnaviv ABI run. */
	ret = limn_ctx_create(ldev, lfile, &defaults, &ctx);
	if (ret)
		vivante_file_put(lfile->priv);
	return ret;
}

static void vivante_file_close(struct limn_file *lfile)
{
	vivante_file_put(lfile->priv);
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
 * The interrupt is enabled exactly while the core is on: a core that could not be reset may
 * still raise it, and no handler would acknowledge it.
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

/* After a reset, or before the next: the MMU has the kernel's tables, and no TLB entry. */
static void vivante_forget_vm(struct vivante_core *core)
{
	struct limn_vm *vm = core->vm;

	core->vm = limn_vm_get(core->viv->kernel_vm);
	core->flushed = 0;
	limn_vm_put(vm);
}

/*
 * A core that cannot be reset is dead, and fails its jobs; the others go on. A core
 * without clocks runs nothing, and is reset when it is resumed.
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
	unsigned int i;

	for (i = 0; i < viv->num_cores; i++) {
		limn_vm_put(viv->core[i]->vm);
		viv->core[i]->vm = NULL;
		vivante_ring_fini(viv->core[i]);
	}
	limn_vm_put(viv->kernel_vm);
	viv->kernel_vm = NULL;
	viv->base.shared_vm = NULL;
	kvfree(viv->states);
	viv->states = NULL;
}

static int vivante_alloc_memory(struct vivante *viv)
{
	struct limn_vm *vm;
	unsigned int i;
	int ret;

	viv->states = kvmalloc(sizeof(*viv->states), GFP_KERNEL);
	if (!viv->states || !vivante_alloc_wc(viv, SZ_4K, &viv->bad_page_dma))
		return -ENOMEM;
	vivante_states_init(viv->states, viv->mmu->check_addresses);
	vivante_perf_init(viv);
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
	return vivante_flop_init(viv);
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

/* 0, or an error when the GPU cannot be; a core that does not start is dead, and says so. */
static int vivante_init_core(struct vivante_core *core)
{
	int ret;

	ret = devm_request_irq(core->dev, core->irq, vivante_irq, IRQF_NO_AUTOEN,
			       dev_name(core->dev), core);
	if (ret)
		return dev_err_probe(core->dev, ret, "no interrupt\n");
	core->has_irq = true;
	if (vivante_core_start(core))
		vivante_set_power(core, VIVANTE_DEAD);
	return vivante_cooling_init(core);
}

/* 0, or -EIO when no core has started. */
static int vivante_check_alive(const struct vivante *viv)
{
	unsigned int i;

	for (i = 0; i < viv->num_cores; i++) {
		if (viv->core[i]->power == VIVANTE_ON)
			return 0;
	}
	return -EIO;
}

static void vivante_fini(struct vivante *viv)
{
	vivante_stop_cores(viv);
	vivante_free_memory(viv);
}

/* The cores have power. */
static int vivante_init(struct vivante *viv)
{
	unsigned int i;
	int ret;

	ret = vivante_alloc_memory(viv);
	for (i = 0; !ret && i < viv->num_cores; i++)
		ret = vivante_init_core(viv->core[i]);
	ret = ret ?: vivante_check_alive(viv);
	ret = ret ?: limn_device_register(&viv->base);
	if (ret)
		vivante_fini(viv);
	return ret;
}

static const struct limn_backend vivante_backend = {
	.driver = &vivante_drm_driver,
	.device_size = sizeof(struct vivante),
	.vm_size = sizeof(struct vivante_vm),
	.timeout_ms = 500,
	.hang_periods = VIVANTE_HANG_PERIODS,
	.file_open = vivante_file_open,
	.file_close = vivante_file_close,
	.job_create = vivante_cmd_create,
	.job_bind = vivante_job_bind,
	.max_cmd_bytes = SZ_1M,	/* well below what a file's streams may take */
	.job_free = vivante_job_free,
	.dump_family = LIMN_DUMP_VIVANTE,
	.perf_domain = vivante_perf_domain,
};

const struct limn_pipe_ops vivante_pipe_ops = {
	.prepare = vivante_job_prepare,
	.start = vivante_job_start,
	.idle = vivante_ring_idle,
	.service = vivante_job_service,
	.progress = vivante_job_progress,
	.poll = vivante_job_poll,
	.mask = vivante_pipe_mask,
	.sync_irq = vivante_irq_sync,
	.reset = vivante_pipe_reset,
	.dump = vivante_dump,
};
EXPORT_SYMBOL_IF_KUNIT(vivante_pipe_ops);

/* --- The DRM device ----------------------------------------------------- */

static bool vivante_has_mmu_v2(const struct vivante_core *core)
{
	return VIVANTE_MINOR(&core->id, 1, MMU_VERSION);
}

/* Can the core be used, beside @first, NULL for the first that can? It stays powered then. */
static int vivante_core_wake(struct vivante_core *core, const struct vivante_core *first)
{
	int ret = pm_runtime_resume_and_get(core->dev);

	if (ret)
		return ret;
	ret = vivante_identify(core);
	if (!ret && first && vivante_has_mmu_v2(first) != vivante_has_mmu_v2(core)) {
		dev_err(core->dev, "has another MMU than the first core\n");
		ret = -ENXIO;
	}
	ret = ret ?: vivante_reset(core);
	/* Now: pm_runtime_disable() forgets an autosuspend that was due, and the clocks stay on. */
	if (ret)
		pm_runtime_put_sync_suspend(core->dev);
	return ret;
}

/*
 * Cores that do not answer, cannot be reset, or are of a kind that is not driven are left out.
 * 0, or the last one's error when no core is left.
 */
static int vivante_wake_all(struct vivante *viv)
{
	unsigned int i, num = 0;
	int ret = -ENODEV;

	for (i = 0; i < viv->num_cores; i++) {
		struct vivante_core *core = viv->core[i];

		ret = vivante_core_wake(core, num ? viv->core[0] : NULL);
		if (ret) {
			core->viv = NULL;
			continue;
		}
		vivante_core_commands(core);
		core->index = num;
		viv->core[num++] = core;
	}
	for (i = num; i < viv->num_cores; i++)
		viv->core[i] = NULL;
	viv->num_cores = num;
	return num ? 0 : ret;
}

static int vivante_create_pipes(struct vivante *viv)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; !ret && i < viv->num_cores; i++) {
		struct vivante_core *core = viv->core[i];
		char name[16];

		snprintf(name, sizeof(name), "gc%x.%u", core->id.model, i);
		ret = limn_pipe_create(&viv->base, &vivante_pipe_ops, core->dev, name);
		if (!ret)
			vivante_pipe(core)->max_rate = core->rate_core;
	}
	return ret;
}

static int vivante_choose_mmu(struct vivante *viv)
{
	struct device *dev = viv->base.dev;
	bool v2 = vivante_has_mmu_v2(viv->core[0]);
	int ret;

	viv->mmu = v2 ? &vivante_mmu_v2 : &vivante_mmu_v1;
	viv->base.pt = &viv->mmu->pt;
	viv->base.va_start = viv->mmu->va_start;
	viv->base.va_end = viv->mmu->va_end;
	viv->base.isolation = DRM_LIMN_ISOLATION_STATE;
	if (!viv->mmu->shared)
		viv->base.isolation |= DRM_LIMN_ISOLATION_MEMORY;
	if (v2)
		viv->base.isolation |= DRM_LIMN_ISOLATION_READONLY;

	/* Pages may lie higher than tables and commands. */
	ret = dma_set_mask(dev, DMA_BIT_MASK(v2 ? 40 : 32));
	ret = ret ?: dma_set_coherent_mask(dev, DMA_BIT_MASK(32));
	if (ret)
		return dev_err_probe(dev, ret, "no DMA\n");
	dma_set_max_seg_size(dev, SZ_2G);
	return 0;
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
		/* Runtime PM of the core must not find a GPU that is gone. */
		pm_runtime_put_sync_suspend(viv->core[i]->dev);
		/* An access without drm_dev_enter() meets NULL, not freed memory. */
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
	ida_init(&viv->pta_ida);
	ret = component_bind_all(dev, viv);
	if (ret)
		return ret;
	ret = vivante_wake_all(viv);
	if (ret)
		goto err_unbind;
	ret = vivante_choose_mmu(viv);
	ret = ret ?: vivante_create_pipes(viv);
	ret = ret ?: vivante_init(viv);
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

/* A core that could not be reset has no clocks any more when its memory is given back. */
static void vivante_silence(struct vivante *viv)
{
	unsigned int i;

	for (i = 0; i < viv->num_cores; i++) {
		if (viv->core[i]->power == VIVANTE_DEAD)
			limn_device_power_off(viv->core[i]->dev, vivante_runtime_suspend);
	}
}

static void vivante_unbind(struct device *dev)
{
	struct vivante_core *first = dev_get_drvdata(dev);
	struct vivante *viv = first->master;
	unsigned int i;

	/* Registers must answer; those of a core without power are not touched. */
	for (i = 0; i < viv->num_cores; i++)
		pm_runtime_get_sync(viv->core[i]->dev);
	limn_device_unplug(&viv->base);
	vivante_silence(viv);
	limn_device_drain(&viv->base);
	vivante_fini(viv);
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

/* The GPU goes, or never came to be: a core that sleeps or wakes up later must not look for it. */
static void vivante_component_unbind(struct device *dev, struct device *master, void *data)
{
	struct vivante_core *core = dev_get_drvdata(dev);

	core->viv = NULL;
}

static const struct component_ops vivante_component_ops = {
	.bind = vivante_component_bind,
	.unbind = vivante_component_unbind,
};

/* --- Platform devices --------------------------------------------------- */

static bool vivante_is_first(struct device *dev)
{
	struct device_node *np;

	for_each_compatible_node(np, NULL, "vivante,gc") {
		if (of_device_is_available(np))
			break;
	}
	of_node_put(np);
	return np == dev->of_node;
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

/* devres action: the core has no user any more, but still its clocks and registers. */
static void vivante_power_put(void *dev)
{
	limn_device_power_off(dev, vivante_runtime_suspend);
}

static int vivante_probe(struct platform_device *pdev)
{
	struct device *dev = &pdev->dev;
	struct vivante_core *core;
	int ret;

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

	ret = limn_device_enable_pm(dev);
	ret = ret ?: devm_add_action_or_reset(dev, vivante_power_put, dev);
	ret = ret ?: component_add(dev, &vivante_component_ops);
	if (ret || !vivante_is_first(dev))
		return ret;
	ret = vivante_add_master(dev);
	if (ret)
		component_del(dev, &vivante_component_ops);
	return ret;
}

static void vivante_remove(struct platform_device *pdev)
{
	struct device *dev = &pdev->dev;

	if (vivante_is_first(dev))
		component_master_del(dev, &vivante_master_ops);
	component_del(dev, &vivante_component_ops);
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

	/* If the core did not resume, its jobs fail in vivante_job_prepare(). */
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
