// SPDX-License-Identifier: MIT
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <xf86drm.h>

#include "igt.h"
#include "gpu_lib.h"

#define DEFAULT_TIMEOUT_MS	10000	/* lima's, when the parameter is 0 */

static char node_path[64];
static unsigned int patience;
static bool slow_to_judge;	/* a hang takes several of its periods to be one */

static bool speaks(int fd, const char *abi)
{
	drmVersionPtr version = drmGetVersion(fd);
	bool etnaviv = version && !strcmp(version->name, "etnaviv");
	bool yes = etnaviv || (version && !strcmp(version->name, "lima"));

	if (yes && abi)
		yes = !strcmp(version->name, abi);
	if (yes)
		slow_to_judge = etnaviv;
	drmFreeVersion(version);
	return yes;
}

int gpu_try_open(const char *abi)
{
	int fd;

	for (int minor = 128; minor < 192; minor++) {
		snprintf(node_path, sizeof(node_path), "/dev/dri/renderD%d", minor);
		fd = open(node_path, O_RDWR | O_CLOEXEC);
		if (fd < 0)
			continue;
		if (speaks(fd, abi))
			return fd;
		close(fd);
	}
	return -1;
}

int gpu_open(const char *abi)
{
	int fd = gpu_try_open(abi);

	igt_require_f(fd >= 0, "no render node with the %s ABI\n", abi ?: "right");
	return fd;
}

int vgem_open(void)
{
	int ret = system("modprobe -q vgem");
	drmVersionPtr version;
	char path[32];

	for (int minor = 0; !ret && minor < 16; minor++) {
		bool found;
		int fd;

		snprintf(path, sizeof(path), "/dev/dri/card%d", minor);
		fd = open(path, O_RDWR | O_CLOEXEC);
		if (fd < 0)
			continue;
		version = drmGetVersion(fd);
		found = version && !strcmp(version->name, "vgem");
		drmFreeVersion(version);
		if (found)
			return fd;
		close(fd);
	}
	igt_skip("no vgem\n");
}

const char *gpu_module(void)
{
	static char name[32];
	char link[PATH_MAX], target[PATH_MAX];
	ssize_t n;

	if (name[0])
		return name;
	if (!node_path[0])
		close(gpu_open(NULL));
	snprintf(link, sizeof(link), "/sys/class/drm/%s/device/driver/module", basename(node_path));
	n = readlink(link, target, sizeof(target) - 1);
	igt_assert(n > 0);
	target[n] = '\0';
	snprintf(name, sizeof(name), "%.31s", strrchr(target, '/') + 1);
	return name;
}

bool gpu_is_limn(void)
{
	return !strcmp(gpu_module(), "limn");
}

unsigned int gpu_timeout_ms(void)
{
	char path[128];
	int ms = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/sys/module/%s/parameters/sched_timeout_ms", gpu_module());
	file = fopen(path, "r");
	if (file) {
		if (fscanf(file, "%d", &ms) != 1)
			ms = 0;
		fclose(file);
	}
	return ms > 0 ? ms : DEFAULT_TIMEOUT_MS;
}

int gpu_try(int fd, unsigned long request, void *arg)
{
	return igt_ioctl(fd, request, arg) ? -errno : 0;
}

int gpu_try_once(int fd, unsigned long request, void *arg)
{
	return ioctl(fd, request, arg) ? -errno : 0;
}

void gpu_bo_free(struct gpu_bo *bo)
{
	if (bo->map)
		munmap(bo->map, bo->size);
	if (bo->handle)
		gem_close(bo->fd, bo->handle);
	memset(bo, 0, sizeof(*bo));
}

int64_t gpu_time(int64_t relative_ns)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * SEC_NS + now.tv_nsec + relative_ns;
}

int gpu_fence_status(int fd, uint32_t syncobj)
{
	int file, status;

	if (drmSyncobjExportSyncFile(fd, syncobj, &file))
		return errno == EINVAL ? 0 : -errno;
	status = sync_fence_status(file);
	close(file);
	return status;
}

unsigned int gpu_patience_ms(void)
{
	unsigned int halves = patience ? 2 * patience : 5;

	return gpu_timeout_ms() * halves / 2 * (slow_to_judge ? 3 : 1);
}

int gpu_fence_end(int fd, uint32_t syncobj, unsigned int wait_ms)
{
	int ret, status;

	if (!wait_ms)
		wait_ms = gpu_patience_ms();
	ret = syncobj_wait_err(fd, &syncobj, 1, gpu_time(wait_ms * 1000000ll), 0);
	igt_assert_f(!ret, "the job's fence: %s after %u ms\n", strerror(-ret), wait_ms);
	status = gpu_fence_status(fd, syncobj);
	igt_assert_neq(status, 0);
	syncobj_destroy(fd, syncobj);
	return status < 0 ? status : 0;
}

void gpu_be_patient(unsigned int timeouts)
{
	patience = timeouts;
}

struct gpu_gate gpu_gate_new(int fd)
{
	struct gpu_gate gate;
	int fence;

	igt_require_sw_sync();
	gate.timeline = sw_sync_timeline_create();
	gate.syncobj = syncobj_create(fd, 0);
	fence = sw_sync_timeline_create_fence(gate.timeline, 1);
	syncobj_import_sync_file(fd, gate.syncobj, fence);
	close(fence);
	return gate;
}

void gpu_gate_open(const struct gpu_gate *gate)
{
	sw_sync_timeline_inc(gate->timeline, 1);
}

void gpu_gate_free(int fd, struct gpu_gate *gate)
{
	close(gate->timeline);
	syncobj_destroy(fd, gate->syncobj);
}
