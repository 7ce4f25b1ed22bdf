// SPDX-License-Identifier: GPL-2.0-only
/*
 * The etnaviv user ABI, version 1.4, of <drm/etnaviv_drm.h>.
 */

/**
 * DOC: etnaviv ABI
 *
 * The driver registers under the name that userspace looks for, with that ABI's version. What
 * each ioctl answers to a bad request stands at its function. A bad request changes nothing and
 * is not logged above debug level.
 *
 * Differences to mainline that a client can see:
 *
 * - streams are checked on MMUv2 too; on MMUv1 an address needs no relocation if it lies in a BO
 *   of the job
 * - the fence numbers of a file are its own; a failed job's sync file tells its error
 * - refused: two relocations on one word, an exec_state that the core does not have, a BO of
 *   size 0, counters into userptr or imported memory
 * - GEM_WAIT waits for all fences of the BO, those of other devices too
 *
 * Where mainline ignores padding, so does this.
 */
#include <kunit/visibility.h>
#include <linux/dma-fence.h>
#include <linux/dma-resv.h>
#include <linux/overflow.h>
#include <drm/drm_drv.h>
#include <drm/drm_gem.h>
#include <drm/drm_ioctl.h>
#include <drm/drm_utils.h>

#include "limn_compat.h"
#include "limn_drv.h"
#include "limn_gem.h"
#include "limn_ioctl.h"
#include "limn_submit.h"
#include "vivante.h"

static_assert(PIPE_ID_PIPE_3D == ETNA_PIPE_3D);
static_assert(PIPE_ID_PIPE_2D == ETNA_PIPE_2D);
static_assert(VIVANTE_MAX_CORES == ETNA_MAX_PIPES);

/*
 * Ask a core for facts. Cores go with their platform devices, which an unbind
 * takes from an open file: the core stays until drm_dev_exit().
 */
static int vivante_ask_core(struct drm_device *drm, u32 pipe, void *args,
			    int (*ask)(struct vivante_core *core, void *args))
{
	struct vivante *viv = to_vivante(to_limn_device(drm));
	int idx, ret;

	if (!drm_dev_enter(drm, &idx))
		return -ENODEV;
	ret = vivante_check_pipe(viv, pipe);
	ret = ret ?: ask(viv->core[pipe], args);
	drm_dev_exit(idx);
	return ret;
}

/* Jiffies until a time of CLOCK_MONOTONIC, which old clients do not normalise. */
static unsigned long vivante_timeout(const struct drm_etnaviv_timespec *timeout)
{
	s64 ns;

	if (check_mul_overflow(timeout->tv_sec, (s64)NSEC_PER_SEC, &ns) ||
	    check_add_overflow(ns, timeout->tv_nsec, &ns))
		return timeout->tv_sec < 0 ? 0 : MAX_JIFFY_OFFSET;
	return ns < 0 ? 0 : drm_timeout_abs_to_jiffies(ns);
}

static int vivante_core_param(struct vivante_core *core, void *data)
{
	const struct vivante_identity *id = &core->id;
	struct drm_etnaviv_param *args = data;
	const u32 *spec;

	if (args->param >= ETNAVIV_PARAM_GPU_FEATURES_0 &&
	    args->param <= ETNAVIV_PARAM_GPU_FEATURES_12) {
		args->value = id->features[args->param - ETNAVIV_PARAM_GPU_FEATURES_0];
		return 0;
	}
	if (args->param == ETNAVIV_PARAM_SOFTPIN_START_ADDR) {
		args->value = core->viv->mmu->shared ? ~0ull : VIVANTE_SOFTPIN_START;
		return 0;
	}

	const u32 *const params[] = {
		[ETNAVIV_PARAM_GPU_MODEL] = &id->model,
		[ETNAVIV_PARAM_GPU_REVISION] = &id->revision,
		[ETNAVIV_PARAM_GPU_STREAM_COUNT] = &id->stream_count,
		[ETNAVIV_PARAM_GPU_REGISTER_MAX] = &id->register_max,
		[ETNAVIV_PARAM_GPU_THREAD_COUNT] = &id->thread_count,
		[ETNAVIV_PARAM_GPU_VERTEX_CACHE_SIZE] = &id->vertex_cache_size,
		[ETNAVIV_PARAM_GPU_SHADER_CORE_COUNT] = &id->shader_core_count,
		[ETNAVIV_PARAM_GPU_PIXEL_PIPES] = &id->pixel_pipes,
		[ETNAVIV_PARAM_GPU_VERTEX_OUTPUT_BUFFER_SIZE] = &id->vertex_output_buffer_size,
		[ETNAVIV_PARAM_GPU_BUFFER_SIZE] = &id->buffer_size,
		[ETNAVIV_PARAM_GPU_INSTRUCTION_COUNT] = &id->instruction_count,
		[ETNAVIV_PARAM_GPU_NUM_CONSTANTS] = &id->num_constants,
		[ETNAVIV_PARAM_GPU_NUM_VARYINGS] = &id->varyings_count,
		[ETNAVIV_PARAM_GPU_PRODUCT_ID] = &id->product_id,
		[ETNAVIV_PARAM_GPU_CUSTOMER_ID] = &id->customer_id,
		[ETNAVIV_PARAM_GPU_ECO_ID] = &id->eco_id,
	};

	spec = args->param < ARRAY_SIZE(params) ? params[args->param] : NULL;
	if (!spec)
		return -EINVAL;
	args->value = *spec;
	return 0;
}

/**
 * vivante_get_param() - DRM_ETNAVIV_GET_PARAM: facts about a core
 * @drm: device
 * @data: &struct drm_etnaviv_param
 * @file: caller
 *
 * Return: 0, or -EINVAL: unknown pipe or parameter; -ENXIO: no such core; -ENODEV.
 */
static int vivante_get_param(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_etnaviv_param *args = data;

	return vivante_ask_core(drm, args->pipe, args, vivante_core_param);
}

/**
 * vivante_gem_new() - DRM_ETNAVIV_GEM_NEW: a BO
 * @drm: device
 * @data: &struct drm_etnaviv_gem_new
 * @file: caller
 *
 * Return: 0, or
 *
 * - -EINVAL: unknown flags, not exactly one kind of caching, size 0
 * - -ENOSPC: larger than the address space; -ENOMEM
 */
static int vivante_gem_new(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_etnaviv_gem_new *args = data;
	struct limn_gem_args bo = {
		.size = args->size,
		.va = LIMN_VA_LATER,
		.caching = args->flags & ETNA_BO_CACHED ? LIMN_CACHED :
			   args->flags & ETNA_BO_UNCACHED ? LIMN_UNCACHED : LIMN_WRITE_COMBINED,
	};

	if (args->flags & ~(ETNA_BO_CACHED | ETNA_BO_WC | ETNA_BO_UNCACHED | ETNA_BO_FORCE_MMU))
		return -EINVAL;
	if (hweight32(args->flags & ETNA_BO_CACHE_MASK) != 1)
		return -EINVAL;
	/* ETNA_BO_FORCE_MMU: all go through the MMU anyhow. */
	return limn_gem_create(file, drm, &bo, &args->handle);
}

/**
 * vivante_gem_info() - DRM_ETNAVIV_GEM_INFO: where to mmap() a BO
 * @drm: device
 * @data: &struct drm_etnaviv_gem_info
 * @file: caller
 *
 * Return: 0, or -EINVAL: pad not zero; -ENOENT: no such handle.
 */
static int vivante_gem_info(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_etnaviv_gem_info *args = data;
	struct drm_gem_object *obj;
	int ret;

	if (args->pad)
		return -EINVAL;
	obj = drm_gem_object_lookup(file, args->handle);
	if (!obj)
		return -ENOENT;
	ret = drm_gem_create_mmap_offset(obj);
	if (!ret)
		args->offset = drm_vma_node_offset_addr(&obj->vma_node);
	drm_gem_object_put(obj);
	return ret;
}

static enum dma_data_direction vivante_direction(const struct limn_bo *bo, u32 op)
{
	bool reads = op & ETNA_PREP_READ, writes = op & ETNA_PREP_WRITE;

	/* As it is mapped: else the DMA API's debugging cannot tell pages that are mapped twice. */
	if (limn_gem_is_userptr(bo))
		return limn_gem_dma_dir(bo);
	return reads == writes ? DMA_BIDIRECTIONAL : reads ? DMA_FROM_DEVICE : DMA_TO_DEVICE;
}

/*
 * The CPU has the BO for @op, or with @op 0 no longer. Only what the CPU maps cached
 * needs it; imported BOs are their exporter's.
 */
static int vivante_sync(struct drm_gem_object *obj, u32 op)
{
	struct limn_bo *bo = to_limn_bo(obj);
	struct device *dev = obj->dev->dev;
	int ret = limn_gem_lock(obj);

	if (ret)
		return ret;
	if (!bo->base.map_wc && !obj->import_attach && bo->base.sgt) {
		if (op)
			dma_sync_sgtable_for_cpu(dev, bo->base.sgt, vivante_direction(bo, op));
		else
			dma_sync_sgtable_for_device(dev, bo->base.sgt,
						    vivante_direction(bo, bo->prepared));
		bo->prepared = op;
	}
	dma_resv_unlock(obj->resv);
	return 0;
}

static int vivante_wait_resv(struct drm_gem_object *obj, bool write, bool nosync,
			     const struct drm_etnaviv_timespec *timeout)
{
	enum dma_resv_usage usage = dma_resv_usage_rw(write);
	long ret;

	if (nosync)
		return dma_resv_test_signaled(obj->resv, usage) ? 0 : -EBUSY;
	ret = dma_resv_wait_timeout(obj->resv, usage, true, vivante_timeout(timeout));
	return ret > 0 ? 0 : ret ?: -ETIMEDOUT;
}

/**
 * vivante_gem_cpu_prep() - DRM_ETNAVIV_GEM_CPU_PREP: the CPU is to use a BO
 * @drm: device
 * @data: &struct drm_etnaviv_gem_cpu_prep
 * @file: caller
 *
 * Waits for who writes it, or, to write it, for everybody. Jobs that failed count as done. Who does
 * not say what for has cached memory handed over for both.
 *
 * Return: 0, or -EINVAL: unknown bits in op; -ENOENT: no such handle; -EBUSY:
 * ETNA_PREP_NOSYNC and not done; -ETIMEDOUT; -ERESTARTSYS.
 */
static int vivante_gem_cpu_prep(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_etnaviv_gem_cpu_prep *args = data;
	struct drm_gem_object *obj;
	int ret;

	if (args->op & ~(ETNA_PREP_READ | ETNA_PREP_WRITE | ETNA_PREP_NOSYNC))
		return -EINVAL;
	obj = drm_gem_object_lookup(file, args->handle);
	if (!obj)
		return -ENOENT;
	ret = vivante_wait_resv(obj, args->op & ETNA_PREP_WRITE, args->op & ETNA_PREP_NOSYNC,
				&args->timeout);
	ret = ret ?: vivante_sync(obj, args->op ?: ETNA_PREP_READ | ETNA_PREP_WRITE);
	drm_gem_object_put(obj);
	return ret;
}

/**
 * vivante_gem_cpu_fini() - DRM_ETNAVIV_GEM_CPU_FINI: the CPU has used a BO
 * @drm: device
 * @data: &struct drm_etnaviv_gem_cpu_fini
 * @file: caller
 *
 * Without a CPU_PREP before it, as after another user's CPU_FINI, it is as for reading and writing.
 *
 * Return: 0, or -EINVAL: unknown flags; -ENOENT: no such handle; -ERESTARTSYS.
 */
static int vivante_gem_cpu_fini(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_etnaviv_gem_cpu_fini *args = data;
	struct drm_gem_object *obj;
	int ret;

	if (args->flags)
		return -EINVAL;
	obj = drm_gem_object_lookup(file, args->handle);
	if (!obj)
		return -ENOENT;
	ret = vivante_sync(obj, 0);
	drm_gem_object_put(obj);
	return ret;
}

/**
 * vivante_wait_fence() - DRM_ETNAVIV_WAIT_FENCE: until a job is done
 * @drm: device
 * @data: &struct drm_etnaviv_wait_fence
 * @file: caller
 *
 * A number that no job of this file has is that of one that is done.
 *
 * Return: 0, or -EINVAL: unknown pipe or flags; -ENXIO: no such core; -EBUSY:
 * ETNA_WAIT_NONBLOCK and not done; -ETIMEDOUT; -ERESTARTSYS.
 */
static int vivante_wait_fence(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_etnaviv_wait_fence *args = data;
	struct dma_fence *fence;
	long ret;

	if (args->flags & ~ETNA_WAIT_NONBLOCK)
		return -EINVAL;
	ret = vivante_check_pipe(to_vivante(to_limn_device(drm)), args->pipe);
	if (ret)
		return ret;
	fence = vivante_fence_find(to_limn_file(file)->priv, args->pipe, args->fence);
	if (!fence)
		return 0;
	if (args->flags & ETNA_WAIT_NONBLOCK) {
		ret = dma_fence_is_signaled(fence) ? 0 : -EBUSY;
	} else {
		ret = dma_fence_wait_timeout(fence, true, vivante_timeout(&args->timeout));
		ret = ret > 0 ? 0 : ret ?: -ETIMEDOUT;
	}
	dma_fence_put(fence);
	return ret;
}

/**
 * vivante_gem_wait() - DRM_ETNAVIV_GEM_WAIT: until no job uses a BO
 * @drm: device
 * @data: &struct drm_etnaviv_gem_wait
 * @file: caller
 *
 * Return: 0, or -EINVAL: unknown pipe or flags; -ENXIO: no such core; -ENOENT:
 * no such handle; -EBUSY: ETNA_WAIT_NONBLOCK and in use; -ETIMEDOUT;
 * -ERESTARTSYS.
 */
static int vivante_gem_wait(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_etnaviv_gem_wait *args = data;
	struct drm_gem_object *obj;
	int ret;

	if (args->flags & ~ETNA_WAIT_NONBLOCK)
		return -EINVAL;
	ret = vivante_check_pipe(to_vivante(to_limn_device(drm)), args->pipe);
	if (ret)
		return ret;
	obj = drm_gem_object_lookup(file, args->handle);
	if (!obj)
		return -ENOENT;
	ret = vivante_wait_resv(obj, true, args->flags & ETNA_WAIT_NONBLOCK, &args->timeout);
	drm_gem_object_put(obj);
	return ret;
}

/**
 * vivante_gem_userptr() - DRM_ETNAVIV_GEM_USERPTR: a BO of the caller's memory
 * @drm: device
 * @data: &struct drm_etnaviv_gem_userptr
 * @file: caller
 *
 * Its pages are pinned at once, so unmapping them later changes nothing.
 *
 * Return: 0, or
 *
 * - -EINVAL: unknown or no flags; address or size not of whole pages, or size 0
 * - -EFAULT: not all of it is the caller's, or not to be written: with MMUv1, which
 *   cannot keep the GPU from that, ETNA_USERPTR_READ alone asks for it too
 * - -EOPNOTSUPP: memory that the GPU cannot reach
 * - -ENOSPC; -ENOMEM, also beyond RLIMIT_MEMLOCK; -ENODEV
 */
static int vivante_gem_userptr(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_etnaviv_gem_userptr *args = data;
	struct limn_gem_args bo = {
		.size = args->user_size,
		.va = LIMN_VA_LATER,
		.readonly = !(args->flags & ETNA_USERPTR_WRITE),
	};

	if (!args->flags || args->flags & ~(ETNA_USERPTR_READ | ETNA_USERPTR_WRITE))
		return -EINVAL;
	if (!PAGE_ALIGNED(args->user_ptr | args->user_size) || !args->user_size ||
	    (uintptr_t)args->user_ptr != args->user_ptr)
		return -EINVAL;
	return limn_gem_userptr(file, drm, args->user_ptr, &bo, &args->handle);
}

/**
 * vivante_pm_query_dom() - DRM_ETNAVIV_PM_QUERY_DOM: the domains of counters
 * @drm: device
 * @data: &struct drm_etnaviv_pm_domain
 * @file: caller
 *
 * Return: 0, or -EINVAL: unknown pipe or domain; -ENXIO: no such core; -ENODEV.
 */
static int vivante_pm_query_dom(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_etnaviv_pm_domain *args = data;

	return vivante_ask_core(drm, args->pipe, args, vivante_pm_query_domain);
}

/**
 * vivante_pm_query_sig() - DRM_ETNAVIV_PM_QUERY_SIG: the counters of a domain
 * @drm: device
 * @data: &struct drm_etnaviv_pm_signal
 * @file: caller
 *
 * Return: 0, or -EINVAL: unknown pipe, domain or signal; -ENXIO: no such core;
 * -ENODEV.
 */
static int vivante_pm_query_sig(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_etnaviv_pm_signal *args = data;

	return vivante_ask_core(drm, args->pipe, args, vivante_pm_query_signal);
}

static const struct drm_ioctl_desc vivante_ioctls[] = {
	DRM_IOCTL_DEF_DRV(ETNAVIV_GET_PARAM, vivante_get_param, DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(ETNAVIV_GEM_NEW, vivante_gem_new, DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(ETNAVIV_GEM_INFO, vivante_gem_info, DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(ETNAVIV_GEM_CPU_PREP, vivante_gem_cpu_prep, DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(ETNAVIV_GEM_CPU_FINI, vivante_gem_cpu_fini, DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(ETNAVIV_GEM_SUBMIT, vivante_gem_submit, DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(ETNAVIV_WAIT_FENCE, vivante_wait_fence, DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(ETNAVIV_GEM_USERPTR, vivante_gem_userptr, DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(ETNAVIV_GEM_WAIT, vivante_gem_wait, DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(ETNAVIV_PM_QUERY_DOM, vivante_pm_query_dom, DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(ETNAVIV_PM_QUERY_SIG, vivante_pm_query_sig, DRM_RENDER_ALLOW),
	LIMN_IOCTLS,
};

static const struct file_operations vivante_fops = {
	.owner = THIS_MODULE,
	DRM_GEM_FOPS,
	.show_fdinfo = drm_show_fdinfo,
};

const struct drm_driver vivante_drm_driver = {
	.driver_features = DRIVER_RENDER | DRIVER_GEM | DRIVER_SYNCOBJ | DRIVER_SYNCOBJ_TIMELINE,
	.open = limn_drm_open,
	.postclose = limn_drm_postclose,
	.show_fdinfo = limn_drm_show_fdinfo,
	.ioctls = vivante_ioctls,
	.num_ioctls = ARRAY_SIZE(vivante_ioctls),
	.fops = &vivante_fops,
	.name = "etnaviv",
	.desc = "limn: Vivante GCxxx with the etnaviv ABI",
	LIMN_DRIVER_DATE("20260101")
	.major = 1,
	.minor = 4,
	.gem_create_object = limn_gem_create_object,
	.gem_prime_import_sg_table = limn_gem_import_sg_table,
};
EXPORT_SYMBOL_IF_KUNIT(vivante_drm_driver);
