/* SPDX-License-Identifier: MIT */
#ifndef LIMN_CAPTURE_IOCTLS_H
#define LIMN_CAPTURE_IOCTLS_H

#include <stdbool.h>

#include "capture/track.h"

/* Whether the ioctl makes, ends or submits something: then the lock is held from before it until it is recorded. */
bool ioctls_change(unsigned long request);
/* Does the ioctl, and records it: as ioctl(). */
int ioctls_record(struct file *f, int fd, unsigned long request, void *arg);
/* An ioctl that waited for a BO has come back. */
void ioctls_waited(struct file *f, unsigned long request, void *arg);

/*
 * Before a submit that waits until somebody submits what it waits for (DRM_LIMN_SYNC_WAIT_FOR_SUBMIT): waits itself,
 * while nothing is locked, as it may be another thread of the client that does.
 */
bool ioctls_sleeps(const struct file *f, unsigned long request);
void ioctls_sleep(int fd, unsigned long request, const void *arg);

#endif
