// SPDX-License-Identifier: GPL-2.0-only
/*
 * Performance counters, summed up over jobs.
 */

/**
 * DOC: perfmons
 *
 * A perfmon is a set of counters with a handle. A job that names one has them set up when it
 * starts and read when it is done; jobs that fail are not counted. There can be one perfmon for
 * the jobs of everybody who names none, which is how a tool watches the GPU. Its values show
 * what other clients do, so creating it takes CAP_PERFMON. So does any perfmon of units that
 * jobs of several pipes share (&limn_perf_domain.shared).
 *
 * What is counted where is the backend's (&limn_backend.perf_domain).
 */
#include <linux/capability.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <drm/drm_drv.h>
#include <drm/drm_file.h>

#include "limn_device.h"
#include "limn_drv.h"
#include "limn_ioctl.h"
#include "limn_perfmon.h"
#include "limn_sched.h"

/* Handles of one file. */
#define LIMN_MAX_PERFMONS	256

static void limn_perfmon_free(struct kref *ref)
{
	struct limn_perfmon *mon = container_of(ref, struct limn_perfmon, ref);

	mutex_destroy(&mon->read_lock);
	kfree(mon);
}

static void limn_perfmon_put(struct limn_perfmon *mon)
{
	if (mon)
		kref_put(&mon->ref, limn_perfmon_free);
}

unsigned int limn_perf_num_domains(struct limn_device *ldev)
{
	unsigned int n = 0;

	while (ldev->be->perf_domain(ldev, n))
		n++;
	return n;
}

/* The perfmon of a handle, or with 0 the one for everybody, if any; with a reference. */
static struct limn_perfmon *limn_perfmon_lookup(struct limn_device *ldev, struct limn_file *lfile,
						u32 id)
{
	struct limn_perfmon *mon;

	if (id) {
		xa_lock(&lfile->perfmons);
		mon = xa_load(&lfile->perfmons, id);
		if (mon)
			kref_get(&mon->ref);
		xa_unlock(&lfile->perfmons);
		return mon ?: ERR_PTR(-ENOENT);
	}
	if (!READ_ONCE(ldev->perfmon))
		return NULL;
	spin_lock(&ldev->perfmon_lock);
	mon = ldev->perfmon;
	if (mon)
		kref_get(&mon->ref);
	spin_unlock(&ldev->perfmon_lock);
	return mon;
}

/* The job counts for the perfmon that it names, or with 0 for everybody's. 0, -ENOENT, -ENOMEM. */
int limn_perfmon_bind(struct limn_job *job, struct limn_file *lfile, u32 id)
{
	struct limn_perfmon *mon = limn_perfmon_lookup(job->pipe->ldev, lfile, id);

	if (IS_ERR_OR_NULL(mon))
		return PTR_ERR_OR_ZERO(mon);
	job->perf = kzalloc(sizeof(*job->perf), GFP_KERNEL);
	if (!job->perf) {
		limn_perfmon_put(mon);
		return -ENOMEM;
	}
	job->perf->mon = mon;
	return 0;
}

void limn_perfmon_release(struct limn_job *job)
{
	if (!job->perf)
		return;
	limn_perfmon_put(job->perf->mon);
	kfree(job->perf);
	job->perf = NULL;
}

/* Right before the job starts, maybe not for the first time. */
void limn_perfmon_start(struct limn_pipe *pipe, struct limn_job *job)
{
	lockdep_assert_held(&pipe->lock);

	if (!job->perf)
		return;
	memset(job->perf->value, 0, sizeof(job->perf->value));
	job->perf->lost = false;
	if (pipe->ops->perf_start)
		pipe->ops->perf_start(pipe, job);
}

/* &limn_pipe.lock is held. */
void limn_perfmon_ended(struct limn_job *job, int error)
{
	struct limn_perfmon *mon;
	unsigned int i;

	if (!job->perf || error || job->perf->lost)
		return;
	mon = job->perf->mon;
	spin_lock(&mon->lock);
	for (i = 0; i < mon->count; i++)
		mon->value[i] += job->perf->value[i];
	mon->jobs++;
	spin_unlock(&mon->lock);
}

/* DRM_IOCTL_LIMN_PERF_DOMAIN */
int limn_ioctl_perf_domain(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct limn_device *ldev = to_limn_device(drm);
	struct drm_limn_perf_domain *args = data;
	const struct limn_perf_domain *domain = ldev->be->perf_domain(ldev, args->domain);

	if (!domain)
		return -EINVAL;
	args->nr_signals = domain->num_signals;
	args->slots = domain->slots;
	args->queues = domain->pipes;
	strscpy_pad(args->name, domain->name);
	return 0;
}

/* DRM_IOCTL_LIMN_PERF_SIGNAL */
int limn_ioctl_perf_signal(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct limn_device *ldev = to_limn_device(drm);
	struct drm_limn_perf_signal *args = data;
	const struct limn_perf_domain *domain = ldev->be->perf_domain(ldev, args->domain);

	if (args->pad || !domain || args->index >= domain->num_signals)
		return -EINVAL;
	args->signal = domain->signals[args->index].number;
	strscpy_pad(args->name, domain->signals[args->index].name);
	return 0;
}

static bool limn_perf_has_signal(const struct limn_perf_domain *domain, u32 signal)
{
	unsigned int i;

	for (i = 0; i < domain->num_signals; i++) {
		if (domain->signals[i].number == signal)
			return true;
	}
	return false;
}

/* The counters that userspace wrote, checked, into @mon. */
static int limn_perfmon_fill(struct limn_device *ldev, struct limn_perfmon *mon,
			     const struct drm_limn_array *from)
{
	struct drm_limn_perf_counter counters[DRM_LIMN_PERFMON_MAX];
	unsigned int i, k;
	int ret = limn_array_read(from, counters, sizeof(*counters));

	if (ret)
		return ret;
	for (i = 0; i < mon->count; i++) {
		const struct limn_perf_domain *domain;
		unsigned int slot = 0;

		domain = ldev->be->perf_domain(ldev, counters[i].domain);
		if (!domain || !limn_perf_has_signal(domain, counters[i].signal))
			return -EINVAL;
		if (domain->shared && !perfmon_capable())
			return -EPERM;
		for (k = 0; k < i; k++) {
			if (counters[k].domain != counters[i].domain)
				continue;
			if (counters[k].signal == counters[i].signal)
				return -EINVAL;
			slot++;
		}
		if (slot >= domain->slots)
			return -EINVAL;
		mon->counter[i].domain = counters[i].domain;
		mon->counter[i].signal = counters[i].signal;
		mon->counter[i].slot = slot;
	}
	return 0;
}

/* Everybody's, unless there is one. */
static int limn_perfmon_publish(struct limn_device *ldev, struct limn_perfmon *mon)
{
	int ret = -EBUSY;

	if (!mon->device)
		return 0;
	spin_lock(&ldev->perfmon_lock);
	if (!ldev->perfmon) {
		kref_get(&mon->ref);
		WRITE_ONCE(ldev->perfmon, mon);
		ret = 0;
	}
	spin_unlock(&ldev->perfmon_lock);
	return ret;
}

static void limn_perfmon_retract(struct limn_device *ldev, struct limn_perfmon *mon)
{
	bool was = false;

	if (!mon->device)
		return;
	spin_lock(&ldev->perfmon_lock);
	if (ldev->perfmon == mon) {
		WRITE_ONCE(ldev->perfmon, NULL);
		was = true;
	}
	spin_unlock(&ldev->perfmon_lock);
	if (was)
		limn_perfmon_put(mon);
}

static int limn_perfmon_create(struct limn_device *ldev, struct limn_file *lfile,
			       struct drm_limn_perfmon_create *args)
{
	struct limn_perfmon *mon = kzalloc(sizeof(*mon), GFP_KERNEL_ACCOUNT);
	int ret;

	if (!mon)
		return -ENOMEM;
	kref_init(&mon->ref);
	mutex_init(&mon->read_lock);
	spin_lock_init(&mon->lock);
	mon->device = args->flags & DRM_LIMN_PERFMON_DEVICE;
	mon->count = args->counters.count;
	ret = limn_perfmon_fill(ldev, mon, &args->counters);
	ret = ret ?: limn_perfmon_publish(ldev, mon);
	if (ret)
		goto err_put;
	ret = xa_alloc(&lfile->perfmons, &args->id, mon, XA_LIMIT(1, LIMN_MAX_PERFMONS),
		       GFP_KERNEL);
	if (!ret)
		return 0;
	ret = ret == -EBUSY ? -ENOSPC : ret;
	limn_perfmon_retract(ldev, mon);
err_put:
	limn_perfmon_put(mon);
	return ret;
}

/* DRM_IOCTL_LIMN_PERFMON_CREATE */
int limn_ioctl_perfmon_create(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_limn_perfmon_create *args = data;
	int idx, ret;

	if (args->flags & ~DRM_LIMN_PERFMON_DEVICE || !args->counters.count ||
	    args->counters.count > DRM_LIMN_PERFMON_MAX)
		return -EINVAL;
	if (args->flags & DRM_LIMN_PERFMON_DEVICE && !perfmon_capable())
		return -EPERM;
	if (!drm_dev_enter(drm, &idx))
		return -ENODEV;
	ret = limn_perfmon_create(to_limn_device(drm), to_limn_file(file), args);
	drm_dev_exit(idx);
	return ret;
}

static int limn_perfmon_tell(struct limn_perfmon *mon, struct drm_limn_perfmon_read *args)
{
	u64 value[DRM_LIMN_PERFMON_MAX];
	unsigned int i;

	lockdep_assert_held(&mon->read_lock);

	spin_lock_irq(&mon->lock);
	args->jobs = mon->jobs;
	memcpy(value, mon->value, sizeof(value));
	spin_unlock_irq(&mon->lock);

	for (i = 0; i < mon->count; i++) {
		if (limn_array_write(&args->values, i, &value[i], sizeof(*value)))
			return -EFAULT;
	}
	if (!(args->flags & DRM_LIMN_PERFMON_RESET))
		return 0;
	/* Subtract what was read, not all: a job may have ended meanwhile. */
	spin_lock_irq(&mon->lock);
	mon->jobs -= args->jobs;
	for (i = 0; i < mon->count; i++)
		mon->value[i] -= value[i];
	spin_unlock_irq(&mon->lock);
	return 0;
}

/* DRM_IOCTL_LIMN_PERFMON_READ */
int limn_ioctl_perfmon_read(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_limn_perfmon_read *args = data;
	struct limn_perfmon *mon;
	int ret = -EINVAL;

	if (args->flags & ~DRM_LIMN_PERFMON_RESET || limn_array_check(&args->values, sizeof(u64)))
		return -EINVAL;
	if (!args->id)
		return -ENOENT;
	mon = limn_perfmon_lookup(to_limn_device(drm), to_limn_file(file), args->id);
	if (IS_ERR(mon))
		return PTR_ERR(mon);
	if (args->values.count == mon->count) {
		mutex_lock(&mon->read_lock);
		ret = limn_perfmon_tell(mon, args);
		mutex_unlock(&mon->read_lock);
	}
	limn_perfmon_put(mon);
	return ret;
}

/* DRM_IOCTL_LIMN_PERFMON_DESTROY */
int limn_ioctl_perfmon_destroy(struct drm_device *drm, void *data, struct drm_file *file)
{
	const struct drm_limn_perfmon_destroy *args = data;
	struct limn_perfmon *mon;

	if (args->pad)
		return -EINVAL;
	mon = xa_erase(&to_limn_file(file)->perfmons, args->id);
	if (!mon)
		return -ENOENT;
	limn_perfmon_retract(to_limn_device(drm), mon);
	limn_perfmon_put(mon);
	return 0;
}

/* The file is closed. */
void limn_perfmon_close_all(struct limn_device *ldev, struct limn_file *lfile)
{
	struct limn_perfmon *mon;
	unsigned long id;

	xa_for_each(&lfile->perfmons, id, mon) {
		limn_perfmon_retract(ldev, mon);
		limn_perfmon_put(mon);
	}
	xa_destroy(&lfile->perfmons);
}
