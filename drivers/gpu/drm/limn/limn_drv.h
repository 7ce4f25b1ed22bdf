/* SPDX-License-Identifier: GPL-2.0-only */
/* The module's parameters, and what an open file has. */
#ifndef LIMN_DRV_H
#define LIMN_DRV_H

#include <linux/xarray.h>
#include <drm/drm_file.h>

struct drm_printer;
struct limn_backend;
struct limn_vm;

extern unsigned int limn_heap_init_nr_pages;
extern int limn_sched_timeout_ms;

extern const struct limn_backend utgard_backend;

struct limn_file {
	struct limn_vm *vm;
	/** @contexts: by handle */
	struct xarray contexts;
};

static inline struct limn_file *to_limn_file(struct drm_file *file)
{
	return file->driver_priv;
}

/* What every backend's drm_driver uses. */
int limn_drm_open(struct drm_device *drm, struct drm_file *file);
void limn_drm_postclose(struct drm_device *drm, struct drm_file *file);
void limn_drm_show_fdinfo(struct drm_printer *p, struct drm_file *file);

#endif
