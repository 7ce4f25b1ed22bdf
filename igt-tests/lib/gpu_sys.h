/* SPDX-License-Identifier: MIT */
/* What tests read and write around the device: sysfs, fdinfo, memory, the module. */
#ifndef GPU_SYS_H
#define GPU_SYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* The platform device behind the render node, as a sysfs path: "/sys/devices/..." */
const char *gpu_device_path(void);
/* Reads a file into buf, without the last newline; bytes, or a negative errno. */
int sys_read(const char *path, char *buf, size_t size);
/* 0, or the negative errno of open() or write(). */
int sys_write(const char *path, const char *text);
/* The same for a file of the platform device. */
int dev_read(const char *file, char *buf, size_t size);
int dev_write(const char *file, const char *text);

/* Does the kernel's log have a line with all of these? */
bool sys_logged(const char *a, const char *b, const char *c);

/* The same for a file in the debugfs folder of the open node. */
int gpu_debugfs_read(int fd, const char *file, char *buf, size_t size);

/* Binds the device to its driver and back, through sysfs: 0 or a negative errno. */
int gpu_unbind(void);
int gpu_bind(void);
/* Unbinds and binds it 20 times, 20 ms apart. */
void gpu_rebind_often(void);

/*
 * Suspends the machine down to where the platform would sleep, and back: pm_test, for not each machine has
 * an alarm to wake it. state: what /sys/power/state takes. 0 or a negative errno.
 */
int gpu_suspend(const char *state);
/* A real sleep, ended by the clock's alarm after two seconds; skips where no alarm rings. */
int gpu_sleep(const char *state);
/* What gpu_suspend() has changed, back: for an exit handler. */
void gpu_suspend_restore(void);

/* /proc/self/fdinfo/fd, to be read and closed. */
FILE *gpu_fdinfo_open(int fd);
/* The number behind "key:" in /proc/self/fdinfo/fd; -1: no such key. */
int64_t gpu_fdinfo(int fd, const char *key);
/* The text behind it; false: no such key. */
bool gpu_fdinfo_text(int fd, const char *key, char *buf, size_t size);

/* A counter of the virtual GPU's; -1 on a real one. */
int64_t gpu_model_value(const char *name);

/* A field of /proc/meminfo, KiB. */
long mem_kib(const char *field);
/* GEM objects of all drivers are shmem files: how much memory they hold, KiB. */
static inline long shmem_kib(void)
{
	return mem_kib("Shmem");
}

#endif
