/* SPDX-License-Identifier: GPL-2.0-only */
/* Files under /sys/kernel/debug/dri/. */
#ifndef LIMN_DEBUGFS_H
#define LIMN_DEBUGFS_H

struct limn_device;

void limn_debugfs_init(struct limn_device *ldev);

#endif
