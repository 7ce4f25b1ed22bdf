// SPDX-License-Identifier: MIT
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/klog.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <linux/rtc.h>

#include "igt.h"
#include "gpu_lib.h"
#include "gpu_sys.h"

const char *gpu_device_path(void)
{
	static char path[PATH_MAX];
	char link[64];
	struct stat st;
	int fd;

	if (path[0])
		return path;
	fd = gpu_open(NULL);
	igt_assert_eq(fstat(fd, &st), 0);
	close(fd);
	snprintf(link, sizeof(link), "/sys/dev/char/%u:%u/device", major(st.st_rdev), minor(st.st_rdev));
	igt_assert(realpath(link, path));
	return path;
}

int sys_read(const char *path, char *buf, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), err;
	ssize_t n;

	if (fd < 0)
		return -errno;
	n = read(fd, buf, size - 1);
	err = n < 0 ? -errno : (int)n;
	close(fd);
	if (err < 0)
		return err;
	buf[n] = '\0';
	if (n && buf[n - 1] == '\n')
		buf[n - 1] = '\0';
	return err;
}

int sys_write(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC), ret = 0;

	if (fd < 0)
		return -errno;
	if (write(fd, text, strlen(text)) < 0)
		ret = -errno;
	close(fd);
	return ret;
}

static const char *dev_file(const char *file)
{
	static char path[PATH_MAX + 64];

	snprintf(path, sizeof(path), "%s/%s", gpu_device_path(), file);
	return path;
}

int dev_read(const char *file, char *buf, size_t size)
{
	return sys_read(dev_file(file), buf, size);
}

int dev_write(const char *file, const char *text)
{
	return sys_write(dev_file(file), text);
}

int gpu_suspend(const char *state)
{
	int ret;

	igt_require_f(!sys_write("/sys/power/pm_test", "platform"), "no pm_test\n");
	/* In seconds; 5 unless told otherwise. */
	sys_write("/sys/module/suspend/parameters/pm_test_delay", "0");
	ret = sys_write("/sys/power/state", state);
	igt_assert_eq(sys_write("/sys/power/pm_test", "none"), 0);
	return ret;
}

void gpu_suspend_restore(void)
{
	sys_write("/sys/power/pm_test", "none");
}

static void set_alarm(int rtc, int seconds)
{
	struct rtc_wkalrm alarm = { .enabled = 1 };
	struct tm tm = { 0 };
	time_t at;

	igt_assert_eq(ioctl(rtc, RTC_RD_TIME, &alarm.time), 0);
	memcpy(&tm, &alarm.time, sizeof(alarm.time));
	at = timegm(&tm) + seconds;
	gmtime_r(&at, &tm);
	memcpy(&alarm.time, &tm, sizeof(alarm.time));
	igt_assert_eq(ioctl(rtc, RTC_WKALM_SET, &alarm), 0);
}

int gpu_sleep(const char *state)
{
	int rtc = open("/dev/rtc0", O_RDONLY | O_CLOEXEC), ret;
	struct pollfd rings = { .fd = rtc, .events = POLLIN };

	igt_require_f(rtc >= 0, "no RTC to wake up\n");
	/* QEMU's Allwinner H3 takes the time of an alarm, and never rings: it would sleep for ever. */
	set_alarm(rtc, 1);
	igt_require_f(poll(&rings, 1, 10000) == 1, "the RTC's alarm does not ring\n");
	set_alarm(rtc, 2);
	ret = sys_write("/sys/power/state", state);
	ioctl(rtc, RTC_AIE_OFF, 0);
	close(rtc);
	return ret;
}

bool sys_logged(const char *a, const char *b, const char *c)
{
	int n, room = klogctl(10 /* SYSLOG_ACTION_SIZE_BUFFER */, NULL, 0);
	char *text = malloc(room + 1), *save, *line;
	bool found = false;

	igt_assert(text);
	n = klogctl(3 /* SYSLOG_ACTION_READ_ALL */, text, room);
	igt_assert_lte(0, n);
	text[n] = '\0';
	for (line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
		found |= strstr(line, a) && strstr(line, b) && strstr(line, c);
	free(text);
	return found;
}

int gpu_debugfs_read(int fd, const char *file, char *buf, size_t size)
{
	char path[64];
	struct stat st;

	igt_assert_eq(fstat(fd, &st), 0);
	snprintf(path, sizeof(path), "/sys/kernel/debug/dri/%u/%s", minor(st.st_rdev), file);
	return sys_read(path, buf, size);
}

static int driver_write(const char *file)
{
	static char driver[PATH_MAX];
	char path[PATH_MAX + 16];

	/* Known from the time when it was bound. */
	if (!driver[0])
		igt_assert(realpath(dev_file("driver"), driver));
	snprintf(path, sizeof(path), "%s/%s", driver, file);
	return sys_write(path, strrchr(gpu_device_path(), '/') + 1);
}

int gpu_unbind(void)
{
	return driver_write("unbind");
}

int gpu_bind(void)
{
	return driver_write("bind");
}

void gpu_rebind_often(void)
{
	for (int i = 0; i < 20; i++) {
		usleep(20000);
		igt_assert_eq(gpu_unbind(), 0);
		igt_assert_eq(gpu_bind(), 0);
	}
}

FILE *gpu_fdinfo_open(int fd)
{
	char path[64];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
	file = fopen(path, "r");
	igt_assert(file);
	return file;
}

bool gpu_fdinfo_text(int fd, const char *key, char *buf, size_t size)
{
	FILE *file = gpu_fdinfo_open(fd);
	size_t len = strlen(key);
	bool found = false;
	char line[256];

	while (!found && fgets(line, sizeof(line), file)) {
		if (strncmp(line, key, len) || line[len] != ':')
			continue;
		line[strcspn(line, "\n")] = '\0';
		snprintf(buf, size, "%s", line + len + 1 + strspn(line + len + 1, " \t"));
		found = true;
	}
	fclose(file);
	return found;
}

int64_t gpu_fdinfo(int fd, const char *key)
{
	char text[128], *unit;
	int64_t n;

	if (!gpu_fdinfo_text(fd, key, text, sizeof(text)))
		return -1;
	n = strtoll(text, &unit, 10);
	if (!strcmp(unit, " KiB"))
		n *= 1024;
	else if (!strcmp(unit, " MiB"))
		n *= 1024 * 1024;
	return n;
}

int64_t gpu_model_value(const char *name)
{
	FILE *file = fopen("/sys/kernel/debug/limn_model", "r");
	char key[64], line[128];
	long long value = -1;

	snprintf(key, sizeof(key), "%s %%lld", name);
	while (file && value < 0 && fgets(line, sizeof(line), file))
		sscanf(line, key, &value);
	if (file)
		fclose(file);
	return value;
}

long mem_kib(const char *field)
{
	char line[128];
	long kib = -1;
	FILE *file = fopen("/proc/meminfo", "r");

	igt_assert(file);
	while (fgets(line, sizeof(line), file))
		if (!strncmp(line, field, strlen(field)) && line[strlen(field)] == ':')
			kib = atol(line + strlen(field) + 1);
	fclose(file);
	igt_assert(kib >= 0);
	return kib;
}
