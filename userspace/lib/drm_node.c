// SPDX-License-Identifier: MIT
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include <linux/sync_file.h>
#include <xf86drm.h>
#include <drm/limn_drm.h>

#include "lib/drm_node.h"

int drm_node_ioctl(int fd, unsigned long request, void *arg)
{
	return drmIoctl(fd, request, arg) ? -errno : 0;
}

/* Whether the node's driver has that name; if not and err is given, what it is instead. */
static bool is_driver(int fd, const char *driver, const char *path, struct limn_error *err)
{
	drmVersionPtr version = drmGetVersion(fd);
	bool yes = version && !strcmp(version->name, driver);

	if (!version)
		limn_fail(err, -ENOTSUP, "%s: not a DRM device", path);
	else if (!yes)
		limn_fail(err, -ENOTSUP, "%s: its driver, %s, has not the %s user ABI", path, version->name, driver);
	drmFreeVersion(version);
	return yes;
}

void drm_node_label(int fd, uint32_t handle, const char *label)
{
	struct drm_limn_bo_label req = { .handle = handle, .len = strlen(label), .label = (uintptr_t)label };

	drm_node_ioctl(fd, DRM_IOCTL_LIMN_BO_LABEL, &req);
}

/* Whether a node that cannot be opened is that driver's, or limn.ko's, which has both. */
static bool may_be(int minor, const char *driver)
{
	char link[64], to[256], *name;
	ssize_t n;

	snprintf(link, sizeof(link), "/sys/class/drm/renderD%d/device/driver", minor);
	n = readlink(link, to, sizeof(to) - 1);
	to[n > 0 ? n : 0] = 0;
	name = strrchr(to, '/');
	return name && (!strcmp(name + 1, driver) || !strcmp(name + 1, "limn"));
}

int drm_node_open(const char *driver, const char *wanted, char *path, size_t size, struct limn_error *err)
{
	int fd;

	if (wanted) {
		snprintf(path, size, "%s", wanted);
		fd = open(wanted, O_RDWR | O_CLOEXEC);
		if (fd < 0)
			return limn_fail(err, -errno, "%s: %s", wanted, strerror(errno));
		if (is_driver(fd, driver, path, err))
			return fd;
		close(fd);
		return -ENOTSUP;
	}
	for (int minor = 128; minor < 192; minor++) {
		snprintf(path, size, "/dev/dri/renderD%d", minor);
		fd = open(path, O_RDWR | O_CLOEXEC);
		if (fd < 0 && errno != ENOENT && may_be(minor, driver))
			return limn_fail(err, -errno, "%s: %s", path, strerror(errno));
		if (fd < 0)
			continue;
		if (is_driver(fd, driver, path, NULL))
			return fd;
		close(fd);
	}
	return limn_fail(err, -ENOENT, "no render node of the %s user ABI in /dev/dri", driver);
}

int drm_node_version(int fd, const char *path, struct limn_info *info, struct limn_error *err)
{
	struct drm_limn_get_param isolation = { 0 };
	drmVersionPtr version = drmGetVersion(fd);

	if (!version)
		return limn_fail(err, -errno, "%s: no DRM version: %s", path, strerror(errno));
	snprintf(info->driver, sizeof(info->driver), "%s", version->name);
	snprintf(info->desc, sizeof(info->desc), "%s", version->desc);
	snprintf(info->path, sizeof(info->path), "%s", path);
	info->version[0] = version->version_major;
	info->version[1] = version->version_minor;
	info->version[2] = version->version_patchlevel;
	drmFreeVersion(version);
	isolation.param = DRM_LIMN_PARAM_ISOLATION;
	info->says_isolation = !drm_node_ioctl(fd, DRM_IOCTL_LIMN_GET_PARAM, &isolation);
	info->isolation = info->says_isolation ? isolation.value : 0;
	return 0;
}

/* What a driver means by the error on a job's fence; strerror() speaks of files. */
static const char *how_it_failed(int error)
{
	switch (error) {
	case ETIMEDOUT:
	case ETIME:
		return "it did not end in time";
	case ECANCELED:
		return "the driver gave it up";
	case EFAULT:
		return "it touched memory that is not mapped";
	case ENOSPC:
		return "the tile heap is full";
	case ENOMEM:
		return "there is no memory for its tile heap";
	default:
		return strerror(error);
	}
}

int drm_node_fence_status(int sync, const char *pipe, struct limn_error *err)
{
	struct sync_file_info info = { 0 };
	int ret = drm_node_ioctl(sync, SYNC_IOC_FILE_INFO, &info);

	if (ret)
		return limn_fail(err, ret, "state of a job's fence: %s", strerror(-ret));
	if (info.status < 0)
		return limn_fail(err, info.status, "the %s job failed: %s", pipe, how_it_failed(-info.status));
	return 0;
}

int drm_node_import(int drm, int fd, struct limn_bo *bo, struct limn_error *err)
{
	int64_t size = lseek(fd, 0, SEEK_END);

	if (size <= 0 || (uint64_t)size > UINT32_MAX)
		return limn_fail(err, size < 0 ? -errno : -EINVAL, "the descriptor is no BO that can be imported");
	if (drmPrimeFDToHandle(drm, fd, &bo->handle))
		return limn_fail(err, -errno, "import of a BO: %s", strerror(errno));
	bo->size = (uint32_t)size;
	return 0;
}

int64_t drm_node_deadline(int64_t timeout_ns)
{
	struct timespec now;
	int64_t until;

	if (timeout_ns < 0)
		return INT64_MAX;
	clock_gettime(CLOCK_MONOTONIC, &now);
	until = now.tv_sec * 1000000000ll + now.tv_nsec;
	return timeout_ns > INT64_MAX - until ? INT64_MAX : until + timeout_ns;
}

uint64_t drm_node_features(int fd)
{
	struct drm_limn_get_param features = { .param = DRM_LIMN_PARAM_FEATURES };

	return drm_node_ioctl(fd, DRM_IOCTL_LIMN_GET_PARAM, &features) ? 0 : features.value;
}

static struct drm_limn_sync sync_of(const struct limn_sync *sync, uint32_t in_flags)
{
	return (struct drm_limn_sync){
		.handle = sync->syncobj, .point = sync->point,
		.flags = sync->flags & LIMN_SYNC_FILE ? DRM_LIMN_SYNC_FD : in_flags,
	};
}

int drm_node_submit(int fd, uint32_t ctx, const struct limn_how *how, struct drm_limn_job *jobs, uint32_t num,
		    struct drm_limn_sync *outs, const struct drm_limn_submit_bo *bos, uint32_t num_bos)
{
	uint32_t num_in = how ? how->num_in : 0, num_out = how ? how->num_out : 0;
	struct drm_limn_sync *syncs = calloc(num_in + num_out + 1, sizeof(*syncs)), *last = syncs + num_in;
	struct drm_limn_submit req = {
		.ctx = how && how->ctx ? how->ctx : ctx, .flags = how && how->no_implicit_sync ? DRM_LIMN_SUBMIT_NO_IMPLICIT : 0,
		.jobs = DRM_LIMN_ARRAY(jobs, num), .bos = DRM_LIMN_ARRAY(bos, num_bos),
	};
	int ret;

	if (!syncs)
		return -ENOMEM;
	for (uint32_t i = 0; i < num_in; i++)
		syncs[i] = sync_of(&how->in[i], DRM_LIMN_SYNC_WAIT_FOR_SUBMIT);
	last[0] = outs[num - 1];
	for (uint32_t i = 0; i < num_out; i++)
		last[i + 1] = sync_of(&how->out[i], 0);
	for (uint32_t n = 0; n < num; n++) {
		jobs[n].perfmon = how ? how->perfmon : 0;
		jobs[n].out_syncs = (struct drm_limn_array)DRM_LIMN_ARRAY(&outs[n], 1);
	}
	jobs[0].in_syncs = (struct drm_limn_array)DRM_LIMN_ARRAY(syncs, num_in);
	jobs[num - 1].out_syncs = (struct drm_limn_array)DRM_LIMN_ARRAY(last, num_out + 1);
	ret = drm_node_ioctl(fd, DRM_IOCTL_LIMN_SUBMIT, &req);
	outs[num - 1] = last[0];
	free(syncs);
	return ret;
}

int drm_node_wait_for(int fd, const struct limn_how *how, struct limn_error *err)
{
	int ret = 0;

	if (how && (how->ctx || how->perfmon || how->no_implicit_sync))
		return limn_fail(err, -ENOTSUP, "contexts, perfmons and submits without implicit sync need limn.ko");
	for (uint32_t i = 0; how && i < how->num_in && ret >= 0; i++) {
		const struct limn_sync *s = &how->in[i];
		struct pollfd p = { .fd = (int)s->syncobj, .events = POLLIN };
		uint64_t point = s->point;
		uint32_t handle = s->syncobj;

		if (s->flags & LIMN_SYNC_FILE)
			ret = poll(&p, 1, -1) < 0 ? -errno : 0;
		else if (point)
			ret = drmSyncobjTimelineWait(fd, &handle, &point, 1, INT64_MAX, DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT, NULL);
		else
			ret = drmSyncobjWait(fd, &handle, 1, INT64_MAX, DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT, NULL);
	}
	return ret < 0 ? limn_fail(err, ret, "wait for what the job is to wait for: %s", strerror(-ret)) : 0;
}

int drm_node_tell(int fd, const struct limn_how *how, int file, struct limn_error *err)
{
	int ret = 0;

	for (uint32_t i = 0; how && i < how->num_out && !ret; i++) {
		const struct limn_sync *s = &how->out[i];
		uint32_t binary;

		if (!s->point) {
			ret = drmSyncobjImportSyncFile(fd, s->syncobj, file);
			continue;
		}
		ret = drmSyncobjCreate(fd, 0, &binary);
		if (ret)
			break;
		ret = drmSyncobjImportSyncFile(fd, binary, file);
		if (!ret)
			ret = drmSyncobjTransfer(fd, s->syncobj, s->point, binary, 0, 0);
		drmSyncobjDestroy(fd, binary);
	}
	return ret ? limn_fail(err, -errno, "what the job is to signal: %s", strerror(errno)) : 0;
}
