// SPDX-License-Identifier: MIT
/*
 * liblimn-capture.so: stands in front of the C library's functions that reach a DRM device, and
 * records what the client submits. limn capture puts it into LD_PRELOAD; LIMN_CAPTURE is the file,
 * LIMN_CAPTURE_RESULTS asks for results. The client sees no difference but the time it takes.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "capture/ioctls.h"
#include "capture/sink.h"

#define EXPORT	__attribute__((visibility("default")))
#define DRM_TYPE	'd'

int (*real_ioctl)(int fd, unsigned long request, ...);
void *(*real_mmap)(void *addr, size_t size, int prot, int flags, int fd, off64_t offset);
static int (*real_close)(int fd);
static int (*real_dup)(int fd);
static int (*real_dup2)(int from, int to);
static int (*real_dup3)(int from, int to, int flags);
static int (*real_fcntl)(int fd, int command, ...);
static int (*real_poll)(struct pollfd *fds, nfds_t num, int timeout);

/* Of all that the library knows. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static __thread bool inside;	/* the library's own calls are not recorded */

static void before_fork(void)
{
	pthread_mutex_lock(&lock);
}

static void after_fork(void)
{
	pthread_mutex_unlock(&lock);
}

static void in_child(void)
{
	pthread_mutex_unlock(&lock);
	if (sink_active())
		sink_forked();
}

static void begin(void)
{
	const char *path = getenv("LIMN_CAPTURE");

	real_ioctl = dlsym(RTLD_NEXT, "ioctl");
	real_mmap = dlsym(RTLD_NEXT, "mmap64");
	real_close = dlsym(RTLD_NEXT, "close");
	real_dup = dlsym(RTLD_NEXT, "dup");
	real_dup2 = dlsym(RTLD_NEXT, "dup2");
	real_dup3 = dlsym(RTLD_NEXT, "dup3");
	real_fcntl = dlsym(RTLD_NEXT, "fcntl64");
	real_poll = dlsym(RTLD_NEXT, "poll");
	capture_results = getenv("LIMN_CAPTURE_RESULTS");
	if (path)
		sink_open(path);
	pthread_atfork(before_fork, after_fork, in_child);
}

/* False: the call is to go through as it is. */
static bool enter(void)
{
	pthread_once(&once, begin);
	if (inside || !sink_active())
		return false;
	inside = true;
	pthread_mutex_lock(&lock);
	return true;
}

static void leave(void)
{
	pthread_mutex_unlock(&lock);
	inside = false;
}

EXPORT int ioctl(int fd, unsigned long request, ...)
{
	struct file *f;
	va_list args;
	uint64_t start;
	void *arg;
	int ret, error;

	va_start(args, request);
	arg = va_arg(args, void *);
	va_end(args);
	request &= 0xffffffff;	/* musl's and others' callers pass an int */
	if (_IOC_TYPE(request) != DRM_TYPE || !enter()) {
		pthread_once(&once, begin);
		return real_ioctl(fd, request, arg);
	}
	f = track_file(fd);
	if (f && ioctls_sleeps(f, request)) {
		leave();
		ioctls_sleep(fd, request, arg);
		if (!enter())
			return real_ioctl(fd, request, arg);
		f = track_file(fd);
	}
	if (f && ioctls_change(request)) {
		ret = ioctls_record(f, fd, request, arg);
		leave();
		return ret;
	}
	leave();
	ret = real_ioctl(fd, request, arg);
	error = errno;
	if (f && !ret && enter()) {
		start = sink_now();
		f = track_file(fd);
		if (f)
			ioctls_waited(f, request, arg);
		sink_spent_ns += sink_now() - start;
		leave();
	}
	errno = error;
	return ret;
}

EXPORT void *mmap64(void *addr, size_t size, int prot, int flags, int fd, off64_t offset)
{
	if (fd >= 0 && flags & MAP_SHARED && offset && enter()) {
		struct file *f = track_file(fd);

		if (f)
			track_mapped(f, offset);
		leave();
	}
	pthread_once(&once, begin);
	return real_mmap(addr, size, prot, flags, fd, offset);
}

/* Where off_t has 64 bits the two are one. */
EXPORT void *mmap(void *addr, size_t size, int prot, int flags, int fd, off_t offset)
{
	return mmap64(addr, size, prot, flags, fd, offset);
}

EXPORT int close(int fd)
{
	if (enter()) {
		track_close(fd);
		sink_keep(fd);
		leave();
	}
	pthread_once(&once, begin);
	return real_close(fd);
}

/* to: a new descriptor of from's file, or -1. */
static int copied(int from, int to)
{
	int error = errno;

	if (to >= 0 && enter()) {
		track_dup(from, to);
		leave();
	}
	errno = error;
	return to;
}

EXPORT int dup(int fd)
{
	pthread_once(&once, begin);
	return copied(fd, real_dup(fd));
}

/* Before to becomes another one. */
static void replace(int to)
{
	if (enter()) {
		sink_keep(to);
		leave();
	}
}

EXPORT int dup2(int from, int to)
{
	replace(to);
	return copied(from, real_dup2(from, to));
}

EXPORT int dup3(int from, int to, int flags)
{
	replace(to);
	return copied(from, real_dup3(from, to, flags));
}

EXPORT int fcntl64(int fd, int command, ...)
{
	va_list args;
	void *arg;
	int ret;

	va_start(args, command);
	arg = va_arg(args, void *);
	va_end(args);
	pthread_once(&once, begin);
	ret = real_fcntl(fd, command, arg);
	return command == F_DUPFD || command == F_DUPFD_CLOEXEC ? copied(fd, ret) : ret;
}

EXPORT int fcntl(int fd, int command, ...)
{
	va_list args;
	void *arg;

	va_start(args, command);
	arg = va_arg(args, void *);
	va_end(args);
	return fcntl64(fd, command, arg);
}

/* Clients wait for sync files with it. */
EXPORT int poll(struct pollfd *fds, nfds_t num, int timeout)
{
	int ret, error;

	pthread_once(&once, begin);
	ret = real_poll(fds, num, timeout);
	error = errno;
	if (ret > 0 && enter()) {
		uint64_t start = sink_now();

		for (nfds_t i = 0; i < num; i++) {
			if (fds[i].revents & POLLIN)
				track_readable(fds[i].fd);
		}
		sink_spent_ns += sink_now() - start;
		leave();
	}
	errno = error;
	return ret;
}

__attribute__((destructor)) static void end(void)
{
	if (!enter())
		return;
	sink_end_process();
	leave();
}
