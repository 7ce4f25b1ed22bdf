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

#endif
