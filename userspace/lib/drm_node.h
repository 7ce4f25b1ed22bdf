/* SPDX-License-Identifier: MIT */
/* What the DRM backends of both families share. */
#ifndef LIMN_LIB_DRM_NODE_H
#define LIMN_LIB_DRM_NODE_H

#include <stddef.h>
#include <stdint.h>

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

/* The handle and the size of a BO that another device made. One that is here already keeps its handle. */
int drm_node_import(int drm, int fd, struct limn_bo *bo, struct limn_error *err);

/* CLOCK_MONOTONIC, ns: when timeout_ns from now is over; negative: never. */
int64_t drm_node_deadline(int64_t timeout_ns);

/* Features of limn.ko: DRM_LIMN_FEATURE_*; 0: another driver. */
uint64_t drm_node_features(int fd);

/*
 * DRM_IOCTL_LIMN_SUBMIT: num jobs that lack contexts, perfmons and what they wait for and signal, which how says; each
 * has one sync of its own in outs, of which DRM_LIMN_SYNC_FD comes back as a descriptor. ctx: the device's own.
 */
int drm_node_submit(int fd, uint32_t ctx, const struct limn_how *how, struct drm_limn_job *jobs, uint32_t num,
		    struct drm_limn_sync *outs, const struct drm_limn_submit_bo *bos, uint32_t num_bos);

/* What a driver that knows only implicit sync is spared: waits for all of in; gives a job's sync file to all of out. */
int drm_node_wait_for(int fd, const struct limn_how *how, struct limn_error *err);
int drm_node_tell(int fd, const struct limn_how *how, int file, struct limn_error *err);

/* How the job behind a sync file has ended: 0, or its error. pipe is for the message. */
int drm_node_fence_status(int sync, const char *pipe, struct limn_error *err);

#endif
