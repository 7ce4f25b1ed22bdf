// SPDX-License-Identifier: MIT
/*
 * Process 1 of a testbed guest, linked statically.
 *
 * The root it is started from is the host's file system, read-only through
 * hostfs. It puts a throw-away layer above, mounts what a Linux program
 * expects, lets the working directory through, loads the driver, runs the
 * command on the host's own standard streams, and turns the machine off.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>
#include "model/carriers/uml/testbed/testbed.h"

#define ROOT		"/tmp/root"	/* until it becomes / */
#define MAX_LIST	4096

struct list {
	char *item[MAX_LIST + 1];	/* NULL-terminated */
	unsigned int count;
};

static struct {
	const char *cwd, *modules, *bound;
	struct list rw, unload, env, arg, load;
	bool leaks;
} orders;

static int result_fd = -1;

static void __attribute__((format(printf, 1, 2))) result(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vdprintf(result_fd, format, args);
	va_end(args);
}

static void power_off(void)
{
	sync();
	reboot(RB_POWER_OFF);
	_exit(1);
}

static void __attribute__((format(printf, 1, 2), noreturn)) fail(const char *format, ...)
{
	va_list args;

	dprintf(result_fd, "error ");
	va_start(args, format);
	vdprintf(result_fd, format, args);
	va_end(args);
	dprintf(result_fd, "\n");
	power_off();
	_exit(1);
}

static void append(struct list *list, char *item)
{
	if (list->count == MAX_LIST)
		fail("more than %u words in the orders", MAX_LIST);
	list->item[list->count++] = item;
}

static void must_mount(const char *source, const char *target, const char *type,
		       unsigned long flags, const char *data)
{
	if (mount(source, target, type, flags, data) < 0)
		fail("mount %s on %s: %s", type, target, strerror(errno));
}

/* mkdir -p */
static void make_path(const char *path)
{
	char copy[PATH_MAX], *p;

	snprintf(copy, sizeof(copy), "%s", path);
	for (p = copy + 1; (p = strchr(p, '/')); p++) {
		*p = 0;
		mkdir(copy, 0755);
		*p = '/';
	}
	mkdir(copy, 0755);
}

static void mount_root(void)
{
	must_mount("layer", "/tmp", "tmpfs", 0, "size=90%");
	mkdir("/tmp/upper", 0755);
	mkdir("/tmp/work", 0755);
	mkdir(ROOT, 0755);
	must_mount("root", ROOT, "overlay", 0, "lowerdir=/,upperdir=/tmp/upper,workdir=/tmp/work");

	must_mount("proc", ROOT "/proc", "proc", 0, NULL);
	must_mount("sys", ROOT "/sys", "sysfs", 0, NULL);
	must_mount("dev", ROOT "/dev", "devtmpfs", 0, NULL);
	mkdir(ROOT "/dev/pts", 0755);
	mkdir(ROOT "/dev/shm", 01777);
	must_mount("pts", ROOT "/dev/pts", "devpts", 0, "ptmxmode=0666");
	must_mount("shm", ROOT "/dev/shm", "tmpfs", 0, NULL);
	must_mount("run", ROOT "/run", "tmpfs", 0, NULL);
	must_mount("debug", ROOT "/sys/kernel/debug", "debugfs", 0, NULL);
	mount("trace", ROOT "/sys/kernel/tracing", "tracefs", 0, NULL);
	symlink("/proc/self/fd", ROOT "/dev/fd");
	symlink("/proc/self/fd/0", ROOT "/dev/stdin");
	symlink("/proc/self/fd/1", ROOT "/dev/stdout");
	symlink("/proc/self/fd/2", ROOT "/dev/stderr");
}

static bool is_virtual(const char *path)
{
	static const char * const top[] = { "/proc", "/sys", "/dev", "/run" };
	unsigned int i;

	for (i = 0; i < sizeof(top) / sizeof(top[0]); i++) {
		size_t n = strlen(top[i]);

		if (!strncmp(path, top[i], n) && (!path[n] || path[n] == '/'))
			return true;
	}
	return false;
}

static void let_through(const char *path)
{
	char target[PATH_MAX];

	/* All of the host would be writable: not even on request. */
	if (!strcmp(path, "/") || is_virtual(path))
		return;
	snprintf(target, sizeof(target), "%s%s", ROOT, path);
	make_path(target);
	must_mount("rw", target, "hostfs", 0, path);
}

static void enter_root(void)
{
	if (chdir(ROOT) < 0 || mount(".", "/", NULL, MS_MOVE, NULL) < 0 || chroot(".") < 0)
		fail("entering the new root: %s", strerror(errno));
	chdir("/");
}

/* Modules. */

static void load_file(const char *path, const char *params)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		fail("%s: %s", path, strerror(errno));
	if (syscall(SYS_finit_module, fd, params, 0) < 0 && errno != EEXIST)
		fail("loading %s: %s", path, strerror(errno));
	close(fd);
}

static bool names_module(const char *path, size_t size, const char *name)
{
	const char *base = memrchr(path, '/', size);
	size_t n = strlen(name);

	base = base ? base + 1 : path;
	return (size_t)(path + size - base) == n + 3 && !strncmp(base, name, n) &&
	       !strncmp(base + n, ".ko", 3);
}

/*
 * modules.dep has a line "path: path path ..." for each module: the ones that
 * it needs, all of them, such that loading them from right to left works.
 */
static void load_module(const char *name, const char *params, bool itself)
{
	char path[PATH_MAX], *line = NULL, *need[64];
	unsigned int count = 0;
	size_t size = 0;
	FILE *file;

	snprintf(path, sizeof(path), "%s/modules.dep", orders.modules);
	file = fopen(path, "re");
	if (!file)
		fail("%s: %s", path, strerror(errno));
	while (getline(&line, &size, file) > 0) {
		char *colon = strchr(line, ':'), *p, *save;

		if (!colon || !names_module(line, colon - line, name))
			continue;
		for (p = strtok_r(colon + 1, " \n", &save); p && count < 64;
		     p = strtok_r(NULL, " \n", &save))
			need[count++] = p;
		while (count) {
			snprintf(path, sizeof(path), "%s/%s", orders.modules, need[--count]);
			load_file(path, "");
		}
		if (itself) {
			*colon = 0;
			snprintf(path, sizeof(path), "%s/%s", orders.modules, line);
			load_file(path, params);
		}
		free(line);
		fclose(file);
		return;
	}
	fail("the kernel has no module %s", name);
}

static void load_modules(void)
{
	unsigned int i;

	for (i = 0; i < orders.load.count; i++) {
		char *what = orders.load.item[i], *value = strchr(what, '=') + 1, *params;

		params = strchr(value, '\n');
		if (params)
			*params++ = 0;
		else
			params = "";
		if (!strncmp(what, "insmod=", 7))
			load_file(value, params);
		else
			load_module(value, params, !strncmp(what, "module=", 7));
	}
}

/* Without a driver on it, tests would quietly test something else. */
static void check_bound(const char *driver)
{
	int i;

	for (i = 128; i < 136; i++) {
		char path[64], target[PATH_MAX];
		ssize_t n;

		snprintf(path, sizeof(path), "/sys/class/drm/renderD%d/device/driver", i);
		n = readlink(path, target, sizeof(target) - 1);
		if (n < 0)
			continue;
		target[n] = 0;
		if (!strcmp(strrchr(target, '/') + 1, driver))
			return;
	}
	fail("%s did not bind to the GPU", driver);
}

/* So that modprobe finds the kernel's modules. */
static void link_modules(void)
{
	char path[PATH_MAX];
	struct utsname name;

	if (!orders.modules || uname(&name) < 0)
		return;
	snprintf(path, sizeof(path), "/lib/modules/%s", name.release);
	make_path("/lib/modules");
	symlink(orders.modules, path);
}

/* What closed files leave to a worker holds the module: with KASAN, on a busy host, for seconds. */
static int unload(const char *module)
{
	int tries;

	for (tries = 0; tries < 1000; tries++) {
		if (!syscall(SYS_delete_module, module, O_NONBLOCK) || errno == ENOENT)
			return 0;
		if (errno != EAGAIN && errno != EBUSY)
			break;
		usleep(20000);
	}
	return -errno;
}

static void unload_modules(void)
{
	unsigned int i;
	int err;

	for (i = 0; i < orders.unload.count; i++) {
		err = unload(orders.unload.item[i]);
		if (err)
			result("splat cannot unload %s: %s\n", orders.unload.item[i], strerror(-err));
	}
}

static void write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return;
	if (write(fd, text, strlen(text)) < 0)
		result("splat %s: writing '%s': %s\n", path, text, strerror(errno));
	close(fd);
}

static void report_leaks(void)
{
	static const char file[] = "/sys/kernel/debug/kmemleak";
	char line[512];
	FILE *leaks;
	int i;

	/* An object must look unreferenced twice in a row. */
	for (i = 0; i < 2; i++) {
		usleep(120000);
		write_file(file, "scan");
	}
	leaks = fopen(file, "re");
	if (!leaks)
		return;
	while (fgets(line, sizeof(line), leaks))
		result("splat kmemleak: %s", line);
	fclose(leaks);
}

/* The command. */

static void run_command(void)
{
	static const char * const stream[3] = { "/dev/hostfd0", "/dev/hostfd1", "/dev/hostfd2" };
	char *path;
	int i, fd;

	setsid();
	for (i = 0; i < 3; i++) {
		fd = open(stream[i], i ? O_WRONLY : O_RDONLY);
		if (fd < 0)
			fail("%s: %s", stream[i], strerror(errno));
		if (fd != i) {
			dup2(fd, i);
			close(fd);
		}
	}
	if (chdir(orders.cwd) < 0) {
		fprintf(stderr, "testbed: %s: %s\n", orders.cwd, strerror(errno));
		_exit(126);
	}
	environ = orders.env.item;
	/* The command is root's here, whoever has called: modprobe and rmmod are where a user's PATH has nothing. */
	if (asprintf(&path, "%s:/usr/sbin:/sbin", getenv("PATH") ?: "/usr/bin:/bin") >= 0)
		setenv("PATH", path, 1);
	execvp(orders.arg.item[0], orders.arg.item);
	fprintf(stderr, "testbed: %s: %s\n", orders.arg.item[0], strerror(errno));
	_exit(errno == ENOENT ? 127 : 126);
}

static int wait_command(pid_t command)
{
	int status;
	pid_t pid;

	while ((pid = wait(&status)) != command)
		if (pid < 0 && errno != EINTR)
			fail("wait: %s", strerror(errno));
	/* What it left running goes too, as in a real shutdown. */
	kill(-1, SIGKILL);
	while (wait(NULL) > 0 || errno == EINTR)
		;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void read_orders(void)
{
	size_t size = 0, room = 1 << 16;
	char *text = malloc(room), *p;
	ssize_t n;
	int fd = open(ROOT "/dev/hostfd4", O_RDONLY | O_CLOEXEC);

	if (fd < 0 || !text)
		fail("orders: %s", strerror(errno));
	while ((n = read(fd, text + size, room - size - 1)) > 0) {
		size += n;
		if (room - size < 4096)
			text = realloc(text, room *= 2);
		if (!text)
			fail("out of memory");
	}
	close(fd);
	text[size] = 0;

	for (p = text; p < text + size; p += strlen(p) + 1) {
		char *value = strchr(p, '=');

		if (!value)
			fail("bad order '%s'", p);
		value++;
		if (!strncmp(p, "cwd=", 4))
			orders.cwd = value;
		else if (!strncmp(p, "modules=", 8))
			orders.modules = value;
		else if (!strncmp(p, "bound=", 6))
			orders.bound = value;
		else if (!strncmp(p, "leaks=", 6))
			orders.leaks = true;
		else if (!strncmp(p, "rw=", 3))
			append(&orders.rw, value);
		else if (!strncmp(p, "unload=", 7))
			append(&orders.unload, value);
		else if (!strncmp(p, "env=", 4))
			append(&orders.env, value);
		else if (!strncmp(p, "arg=", 4))
			append(&orders.arg, value);
		else
			append(&orders.load, p);
	}
}

int main(void)
{
	unsigned int i;
	pid_t command;
	int status;

	mount_root();
	result_fd = open(ROOT "/dev/hostfd3", O_WRONLY | O_CLOEXEC);
	read_orders();
	let_through(orders.cwd);
	for (i = 0; i < orders.rw.count; i++)
		let_through(orders.rw.item[i]);
	enter_root();
	umask(022);
	sethostname("testbed", 7);
	link_modules();
	load_modules();
	if (orders.bound)
		check_bound(orders.bound);

	command = fork();
	if (command < 0)
		fail("fork: %s", strerror(errno));
	if (!command)
		run_command();
	status = wait_command(command);
	unload_modules();
	if (orders.leaks)
		report_leaks();
	result("exit %d\n", status);
	power_off();
}
