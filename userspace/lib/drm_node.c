// SPDX-License-Identifier: MIT
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
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
