/* SPDX-License-Identifier: MIT */
/* What the DRM backends of both families share. */
#ifndef LIMN_LIB_DRM_NODE_H
#define LIMN_LIB_DRM_NODE_H

#include <stddef.h>

#include "lib/limn.h"

/* drmIoctl() with a negative errno. */
int drm_node_ioctl(int fd, unsigned long request, void *arg);

/*
 * An fd on the node wanted, or on the first one of the driver when wanted is
 * NULL; its path in path. A negative errno: -ENOENT none, -ENOTSUP another driver's.
 */
int drm_node_open(const char *driver, const char *wanted, char *path, size_t size, struct limn_error *err);

/* Driver name, description and version of a node. */
int drm_node_version(int fd, const char *path, struct limn_info *info, struct limn_error *err);

/* The BO's name in debugfs and dumps. Other drivers than limn have none, and refuse. */
void drm_node_label(int fd, uint32_t handle, const char *label);

/* How the job behind a sync file has ended: 0, or its error. pipe is for the message. */
int drm_node_fence_status(int sync, const char *pipe, struct limn_error *err);

#endif
