// SPDX-License-Identifier: MIT
#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "tool/trace/clients.h"

#define DRM_MAJOR	226

/* Of a small file of /proc; the number of bytes, text ends with a zero. */
static ssize_t read_text(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, text, size - 1);

	if (fd >= 0)
		close(fd);
	text[n > 0 ? n : 0] = 0;
	return n;
}

static uint64_t bytes_of(const char *value)
{
	char unit[8] = "";
	unsigned long long n = 0;

	sscanf(value, "%llu %7s", &n, unit);
	return !strcmp(unit, "KiB") ? n << 10 : !strcmp(unit, "MiB") ? n << 20 : n;
}

static void read_engine(struct client *c, const char *name, const char *value)
{
	struct client_engine *e = &c->engine[c->num_engines];

	if (c->num_engines == CLIENT_ENGINES || !strncmp(name, "capacity-", 9))
		return;
	snprintf(e->name, sizeof(e->name), "%s", name);
	e->ns = strtoull(value, NULL, 10);
	c->num_engines++;
}

/* "drm-KEY:\tvalue" */
static void read_line(struct client *c, char *line)
{
	char *value = strchr(line, ':');

	if (!value || strncmp(line, "drm-", 4))
		return;
	*value++ = 0;
	value += strspn(value, " \t");
	line += 4;
	if (!strcmp(line, "driver"))
		snprintf(c->driver, sizeof(c->driver), "%s", value);
	else if (!strcmp(line, "client-id"))
		c->id = strtoull(value, NULL, 10);
	else if (!strncmp(line, "engine-", 7))
		read_engine(c, line + 7, value);
	else if (!strncmp(line, "total-", 6) || !strncmp(line, "memory-", 7))
		c->total += bytes_of(value);
	else if (!strncmp(line, "resident-", 9))
		c->resident += bytes_of(value);
}

/* False: it has gone, or is no longer a DRM device's. */
static bool read_client(struct client *c)
{
	char path[64], text[4096], *line, *end;

	snprintf(path, sizeof(path), "/proc/%d/fdinfo/%d", c->pid, c->fd);
	if (read_text(path, text, sizeof(text)) <= 0)
		return false;
	c->num_engines = 0;
	c->total = c->resident = 0;
	for (line = text; line && *line; line = end) {
		end = strchr(line, '\n');
		if (end)
			*end++ = 0;
		read_line(c, line);
	}
	return true;
}

/* Drivers that tell nothing in fdinfo have a name all the same. */
static void name_driver(struct client *c)
{
	char path[100], link[200];
	const char *node = strrchr(c->device, '/');
	ssize_t n;

	snprintf(path, sizeof(path), "/sys/class/drm/%s/device/driver", node ? node + 1 : "");
	n = readlink(path, link, sizeof(link) - 1);
	link[n > 0 ? n : 0] = 0;
	snprintf(c->driver, sizeof(c->driver), "%.23s", strrchr(link, '/') ? strrchr(link, '/') + 1 : "");
}

static struct client *known(const struct clients *all, const struct client *c)
{
	for (size_t i = 0; i < all->num; i++) {
		struct client *k = &all->list[i];

		if ((k->pid == c->pid && k->fd == c->fd) ||
		    (c->id && k->id == c->id && !strcmp(k->device, c->device)))
			return k;
	}
	return NULL;
}

static bool add(struct clients *all, const struct client *c)
{
	if (all->num == all->max) {
		size_t max = all->max ? 2 * all->max : 16;
		struct client *more = realloc(all->list, max * sizeof(*more));

		if (!more)
			return false;
		all->list = more;
		all->max = max;
	}
	all->list[all->num++] = *c;
	return true;
}

static bool find_in(struct clients *all, int pid, int dir)
{
	char path[64], link[64];
	struct client c = { .pid = pid };
	DIR *fds = fdopendir(dir);
	struct dirent *e;
	struct stat st;
	bool ok = true;
	ssize_t n;

	if (!fds) {
		close(dir);
		return true;
	}
	while (ok && (e = readdir(fds))) {
		if (!isdigit((unsigned char)e->d_name[0]) || fstatat(dir, e->d_name, &st, 0) || !S_ISCHR(st.st_mode) ||
		    major(st.st_rdev) != DRM_MAJOR)
			continue;
		c = (struct client){ .pid = pid, .fd = atoi(e->d_name) };
		n = readlinkat(dir, e->d_name, link, sizeof(link) - 1);
		link[n > 0 ? n : 0] = 0;
		snprintf(c.device, sizeof(c.device), "%.39s", link);
		if (!read_client(&c) || known(all, &c))
			continue;
		if (!c.driver[0])
			name_driver(&c);
		snprintf(path, sizeof(path), "/proc/%d/comm", pid);
		if (read_text(path, link, sizeof(link)) > 0)
			snprintf(c.command, sizeof(c.command), "%.*s", (int)strcspn(link, "\n"), link);
		ok = add(all, &c);
	}
	closedir(fds);
	return ok;
}

bool clients_find(struct clients *all)
{
	DIR *proc = opendir("/proc");
	int self = (int)getpid();	/* who reads counters has the device open */
	struct dirent *e;
	bool ok = true;

	while (ok && proc && (e = readdir(proc))) {
		char path[300];
		int dir;

		if (!isdigit((unsigned char)e->d_name[0]) || atoi(e->d_name) == self)
			continue;
		snprintf(path, sizeof(path), "/proc/%s/fd", e->d_name);
		dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (dir >= 0)
			ok = find_in(all, atoi(e->d_name), dir);
	}
	if (proc)
		closedir(proc);
	return ok;
}

void clients_read(struct clients *all)
{
	size_t kept = 0;

	for (size_t i = 0; i < all->num; i++)
		if (read_client(&all->list[i]))
			all->list[kept++] = all->list[i];
	all->num = kept;
}

void clients_free(struct clients *all)
{
	free(all->list);
	*all = (struct clients){ .list = NULL };
}
