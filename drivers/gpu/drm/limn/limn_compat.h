/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What differs between the kernels that limn is built for, 6.12 to 7.3, and
 * nothing else. Everywhere else stands what the newest of them says.
 *
 * LIMN_HAVE_*: the Makefile looks for a name in the kernel's headers, for
 * versions do not tell: 6.12.y took some changes half-way through its life.
 */
#ifndef LIMN_COMPAT_H
#define LIMN_COMPAT_H

#include <linux/thermal.h>
#include <drm/drm_gem_shmem_helper.h>
#include <drm/gpu_scheduler.h>

/* A member of struct drm_driver, as long as it had one of this name. */
#ifdef LIMN_HAVE_DRIVER_DATE
#define LIMN_DRIVER_DATE(text)	.date = (text),
#else
#define LIMN_DRIVER_DATE(text)
#endif

#ifndef LIMN_HAVE_SCHED_INIT_ARGS
struct drm_sched_init_args {
	const struct drm_sched_backend_ops *ops;
	struct workqueue_struct *submit_wq;
	u32 num_rqs;
	u32 credit_limit;
	long timeout;
	struct workqueue_struct *timeout_wq;
	const char *name;
	struct device *dev;
};

static inline int limn_drm_sched_init(struct drm_gpu_scheduler *sched,
				      const struct drm_sched_init_args *args)
{
	return drm_sched_init(sched, args->ops, args->submit_wq, args->num_rqs, args->credit_limit,
			      0, args->timeout, args->timeout_wq, NULL, args->name, args->dev);
}

#define drm_sched_init limn_drm_sched_init
#endif

#ifndef LIMN_HAVE_SCHED_CLIENT_ID
#define drm_sched_job_init(job, entity, credits, owner, client_id)				\
	drm_sched_job_init(job, entity, credits, owner)
#endif

/*
 * The end of &drm_sched_backend_ops.timedout_job: what the driver did about its jobs is done,
 * and @job goes back to where drm_sched took it from, or is freed when it is over. Kernels
 * that do not know DRM_GPU_SCHED_STAT_NO_HANG have this way only; run_job() gives a
 * job that it knows the fence that the job has.
 */
#ifdef LIMN_HAVE_SCHED_NO_HANG
static inline enum drm_gpu_sched_stat limn_sched_put_back(struct drm_sched_job *job)
{
	return DRM_GPU_SCHED_STAT_NO_HANG;
}
#else
static inline enum drm_gpu_sched_stat limn_sched_put_back(struct drm_sched_job *job)
{
	struct drm_gpu_scheduler *sched = job->sched;

	drm_sched_stop(sched, job);
	drm_sched_resubmit_jobs(sched);
#ifdef LIMN_HAVE_SCHED_START_ERRNO
	drm_sched_start(sched, 0);
#else
	drm_sched_start(sched);
#endif
	return DRM_GPU_SCHED_STAT_NOMINAL;
}
#endif

/* Argument of MODULE_IMPORT_NS() in the KUnit tests. */
#ifdef LIMN_HAVE_KUNIT_NS_TEXT
#define LIMN_KUNIT_NS	"EXPORTED_FOR_KUNIT_TESTING"
#else
#define LIMN_KUNIT_NS	EXPORTED_FOR_KUNIT_TESTING
#endif

#ifndef LIMN_HAVE_VMA_IS_COW
#define vma_is_cow_mapping(vma)	is_cow_mapping((vma)->vm_flags)
#endif

/* Tells userspace that the device works no more until its driver is bound again. */
#ifndef LIMN_HAVE_WEDGED_EVENT
#define DRM_WEDGE_RECOVERY_REBIND		0
#define drm_dev_wedged_event(drm, method, info)	((void)(drm))
#elif !defined(LIMN_HAVE_WEDGE_TASK_INFO)
#define drm_dev_wedged_event(drm, method, info)	drm_dev_wedged_event(drm, method)
#endif

#ifndef LIMN_HAVE_COOLING_ID
#define thermal_of_cooling_device_register(np, id, type, devdata, ops)				\
	thermal_of_cooling_device_register(np, type, devdata, ops)
#endif

/* Lists of BOs to reclaim: their lock, and what the scan hands on. */
#ifdef LIMN_HAVE_LRU_TICKET
#define LIMN_LRU_ARGS	struct drm_gem_object *obj, struct ww_acquire_ctx *ticket
#else
#define LIMN_LRU_ARGS	struct drm_gem_object *obj
#endif

#ifdef LIMN_HAVE_LRU_MUTEX
#define limn_gem_lru_init(lru, lock)	drm_gem_lru_init(lru)
#else
#define limn_gem_lru_init(lru, lock)	drm_gem_lru_init(lru, lock)
#endif

static inline unsigned long
limn_gem_lru_scan(struct drm_device *drm, struct drm_gem_lru *lru, unsigned int num,
		  unsigned long *remaining, bool (*shrink)(LIMN_LRU_ARGS))
{
#ifdef LIMN_HAVE_LRU_MUTEX
	return drm_gem_lru_scan(drm, lru, num, remaining, shrink, NULL);
#elif defined(LIMN_HAVE_LRU_TICKET)
	return drm_gem_lru_scan(lru, num, remaining, shrink, NULL);
#else
	return drm_gem_lru_scan(lru, num, remaining, shrink);
#endif
}

#ifndef LIMN_HAVE_SHMEM_LOCKED
#define drm_gem_shmem_madvise_locked	drm_gem_shmem_madvise
#define drm_gem_shmem_purge_locked	drm_gem_shmem_purge
#define drm_gem_shmem_vmap_locked	drm_gem_shmem_vmap
#define drm_gem_shmem_vunmap_locked	drm_gem_shmem_vunmap
#endif

#endif
