// SPDX-License-Identifier: MIT
/* What needs a render node and no backend of its own: limn.ko's ioctls, PRIME, syncobjs. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include <xf86drm.h>

#include "lib/device.h"
#include "lib/drm_node.h"

/* The node; negative with a line in err: there is none. */
static int node(struct limn_device *dev, struct limn_error *err)
{
	int fd = limn_get_fd(dev);

	return fd < 0 ? limn_fail(err, -ENOTSUP, "%s has no render node", dev->info.desc) : fd;
}

/* what: for the message. An ioctl that the driver does not know is -EINVAL there. */
static int extension(struct limn_device *dev, unsigned long request, void *arg, const char *what, struct limn_error *err)
{
	int fd = node(dev, err), ret;

	if (fd < 0)
		return fd;
	if (strncmp(dev->info.desc, "limn", 4))
		return limn_fail(err, -ENOTSUP, "%s: %s.ko cannot; the driver must be limn.ko", what, dev->info.driver);
	ret = drm_node_ioctl(fd, request, arg);
	return ret ? limn_fail(err, ret, "%s: %s", what, strerror(-ret)) : 0;
}

int limn_get_param(struct limn_device *dev, uint32_t param, uint64_t *value, struct limn_error *err)
{
	struct drm_limn_get_param req = { .param = param };
	int ret = extension(dev, DRM_IOCTL_LIMN_GET_PARAM, &req, "GET_PARAM", err);

	*value = req.value;
	return ret;
}

/* --- Contexts ------------------------------------------------------------------------------- */

int limn_ctx_create(struct limn_device *dev, int priority, uint32_t timeout_ms, uint32_t *ctx, struct limn_error *err)
{
	struct drm_limn_ctx_create req = { .priority = priority, .timeout_ms = timeout_ms };
	int ret = extension(dev, DRM_IOCTL_LIMN_CTX_CREATE, &req, "CTX_CREATE", err);

	*ctx = req.id;
	return ret;
}

int limn_ctx_free(struct limn_device *dev, uint32_t ctx, struct limn_error *err)
{
	return extension(dev, DRM_IOCTL_LIMN_CTX_FREE, &(struct drm_limn_ctx_free){ .id = ctx }, "CTX_FREE", err);
}

int limn_ctx_query(struct limn_device *dev, uint32_t ctx, struct drm_limn_ctx_query *state, struct limn_error *err)
{
	*state = (struct drm_limn_ctx_query){ .id = ctx };
	return extension(dev, DRM_IOCTL_LIMN_CTX_QUERY, state, "CTX_QUERY", err);
}

int limn_job_stats(struct limn_device *dev, uint32_t ctx, uint64_t first, struct drm_limn_job_stat *stats, uint32_t *num,
		   struct limn_error *err)
{
	struct drm_limn_job_stats req = { .ctx = ctx, .first = first, .stats = DRM_LIMN_ARRAY(stats, *num) };
	int ret = extension(dev, DRM_IOCTL_LIMN_JOB_STATS, &req, "JOB_STATS", err);

	*num = ret ? 0 : req.stats.count;
	return ret;
}

/* --- BOs -------------------------------------------------------------------------------------- */

int limn_bo_madvise(struct limn_bo *bo, bool needed, bool *retained, struct limn_error *err)
{
	struct drm_limn_bo_madvise req = {
		.handle = bo->handle, .advice = needed ? DRM_LIMN_MADV_WILLNEED : DRM_LIMN_MADV_DONTNEED,
	};
	int ret = extension(bo->dev, DRM_IOCTL_LIMN_BO_MADVISE, &req, "BO_MADVISE", err);

	if (retained)
		*retained = !ret && req.retained;
	return ret;
}

int limn_bo_export(struct limn_bo *bo, int *fd, struct limn_error *err)
{
	int drm = node(bo->dev, err);

	if (drm < 0)
		return drm;
	if (drmPrimeHandleToFD(drm, bo->handle, DRM_CLOEXEC | DRM_RDWR, fd))
		return limn_fail(err, -errno, "export of a BO: %s", strerror(errno));
	return 0;
}

int limn_bo_import(struct limn_device *dev, int fd, struct limn_bo **out, struct limn_error *err)
{
	struct limn_bo *bo;
	int ret;

	if (!limn_backend_has(dev, bo_import))
		return limn_fail(err, -ENOTSUP, "%s imports no BOs", dev->info.desc);
	bo = calloc(1, sizeof(*bo));
	if (!bo)
		return limn_fail(err, -ENOMEM, "out of memory");
	bo->dev = dev;
	pthread_mutex_lock(&dev->lock);
	ret = dev->ops->bo_import(dev->priv, fd, bo, err);
	pthread_mutex_unlock(&dev->lock);
	if (ret)
		free(bo);
	else
		*out = bo;
	return ret;
}

/* --- Syncobjs --------------------------------------------------------------------------------- */

static int syncobj_error(const char *what, struct limn_error *err)
{
	return limn_fail(err, -errno, "%s of a syncobj: %s", what, strerror(errno));
}

int limn_syncobj_create(struct limn_device *dev, bool signalled, uint32_t *syncobj, struct limn_error *err)
{
	int fd = node(dev, err);

	if (fd < 0)
		return fd;
	return drmSyncobjCreate(fd, signalled ? DRM_SYNCOBJ_CREATE_SIGNALED : 0, syncobj) ? syncobj_error("creation", err) : 0;
}

void limn_syncobj_destroy(struct limn_device *dev, uint32_t syncobj)
{
	int fd = node(dev, NULL);

	if (fd >= 0)
		drmSyncobjDestroy(fd, syncobj);
}

int limn_syncobj_wait(struct limn_device *dev, uint32_t syncobj, uint64_t point, int64_t timeout_ns, struct limn_error *err)
{
	int64_t until = drm_node_deadline(timeout_ns);
	uint32_t flags = DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT;
	int fd = node(dev, err), ret;

	if (fd < 0)
		return fd;
	ret = point ? drmSyncobjTimelineWait(fd, &syncobj, &point, 1, until, flags, NULL) :
		      drmSyncobjWait(fd, &syncobj, 1, until, flags, NULL);
	return ret < 0 ? limn_fail(err, ret, "wait for a syncobj: %s", strerror(-ret)) : 0;
}

int limn_syncobj_signal(struct limn_device *dev, uint32_t syncobj, uint64_t point, struct limn_error *err)
{
	int fd = node(dev, err), ret;

	if (fd < 0)
		return fd;
	ret = point ? drmSyncobjTimelineSignal(fd, &syncobj, &point, 1) : drmSyncobjSignal(fd, &syncobj, 1);
	return ret ? syncobj_error("signal", err) : 0;
}

int limn_syncobj_get_file(struct limn_device *dev, uint32_t syncobj, int *file, struct limn_error *err)
{
	int fd = node(dev, err);

	if (fd < 0)
		return fd;
	return drmSyncobjExportSyncFile(fd, syncobj, file) ? syncobj_error("export", err) : 0;
}

int limn_syncobj_set_file(struct limn_device *dev, uint32_t syncobj, int file, struct limn_error *err)
{
	int fd = node(dev, err);

	if (fd < 0)
		return fd;
	return drmSyncobjImportSyncFile(fd, syncobj, file) ? syncobj_error("import", err) : 0;
}

/* --- Counters --------------------------------------------------------------------------------- */

int limn_perf_domain(struct limn_device *dev, uint32_t domain, struct drm_limn_perf_domain *to, struct limn_error *err)
{
	*to = (struct drm_limn_perf_domain){ .domain = domain };
	return extension(dev, DRM_IOCTL_LIMN_PERF_DOMAIN, to, "PERF_DOMAIN", err);
}

int limn_perf_signal(struct limn_device *dev, uint32_t domain, uint32_t index, struct drm_limn_perf_signal *to,
		     struct limn_error *err)
{
	*to = (struct drm_limn_perf_signal){ .domain = domain, .index = index };
	return extension(dev, DRM_IOCTL_LIMN_PERF_SIGNAL, to, "PERF_SIGNAL", err);
}

int limn_perfmon_create(struct limn_device *dev, uint32_t flags, const struct drm_limn_perf_counter *counters, uint32_t num,
			uint32_t *perfmon, struct limn_error *err)
{
	struct drm_limn_perfmon_create req = { .flags = flags, .counters = DRM_LIMN_ARRAY(counters, num) };
	int ret = extension(dev, DRM_IOCTL_LIMN_PERFMON_CREATE, &req, "PERFMON_CREATE", err);

	*perfmon = req.id;
	return ret;
}

int limn_perfmon_read(struct limn_device *dev, uint32_t perfmon, bool reset, uint64_t *values, uint32_t num, uint64_t *jobs,
		      struct limn_error *err)
{
	struct drm_limn_perfmon_read req = {
		.id = perfmon, .flags = reset ? DRM_LIMN_PERFMON_RESET : 0, .values = DRM_LIMN_ARRAY(values, num),
	};
	int ret = extension(dev, DRM_IOCTL_LIMN_PERFMON_READ, &req, "PERFMON_READ", err);

	if (jobs)
		*jobs = req.jobs;
	return ret;
}

int limn_perfmon_destroy(struct limn_device *dev, uint32_t perfmon, struct limn_error *err)
{
	return extension(dev, DRM_IOCTL_LIMN_PERFMON_DESTROY, &(struct drm_limn_perfmon_destroy){ .id = perfmon },
			 "PERFMON_DESTROY", err);
}
