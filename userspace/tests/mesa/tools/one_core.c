// SPDX-License-Identifier: MIT
/*
 * LD_PRELOAD in front of Mesa's libetnaviv_noop_drm_shim.so: one core. The shim answers for every
 * core there could be, and Mesa 25's etnaviv counts cores until one does not answer.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>

#include "drm-uapi/etnaviv_drm.h"

int ioctl(int fd, unsigned long request, ...)
{
	static int (*next)(int, unsigned long, ...);
	va_list ap;
	void *arg;

	va_start(ap, request);
	arg = va_arg(ap, void *);
	va_end(ap);
	if (!next)
		next = (int (*)(int, unsigned long, ...))dlsym(RTLD_NEXT, "ioctl");
	if (request == DRM_IOCTL_ETNAVIV_GET_PARAM && ((struct drm_etnaviv_param *)arg)->pipe) {
		errno = ENXIO;
		return -1;
	}
	return next(fd, request, arg);
}
