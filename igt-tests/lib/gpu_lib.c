// SPDX-License-Identifier: MIT
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <linux/dma-buf.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <xf86drm.h>

#include "igt.h"
#include "gpu_lib.h"

#define DEFAULT_TIMEOUT_MS	10000	/* lima's, when the parameter is 0 */
#define VIVANTE_TIMEOUT_MS	500	/* of limn's vivante/core.c */

static char node_path[64];
static unsigned int patience;
static bool vivante;	/* of the node that was opened last; a hang takes several of its periods to be one */

static bool speaks(int fd, const char *abi)
{
	drmVersionPtr version = drmGetVersion(fd);
	bool etnaviv = version && !strcmp(version->name, "etnaviv");
	bool yes = etnaviv || (version && !strcmp(version->name, "lima"));

	if (yes && abi)
		yes = !strcmp(version->name, abi);
	if (yes)
		vivante = etnaviv;
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

int gpu_open_primary(int render)
{
	char *path = drmGetPrimaryDeviceNameFromFd(render);
	int fd = path ? open(path, O_RDWR | O_CLOEXEC) : -1;

	free(path);
	igt_require_f(fd >= 0, "no primary node\n");
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

/* vgem_drm.h: FENCE_ATTACH is ioctl 1, FENCE_SIGNAL 2; flag 1: as a writer. */
uint32_t vgem_fence_attach(int vgem, uint32_t handle)
{
	struct vgem_fence { uint32_t handle, flags, out_fence, pad; } attach = { .handle = handle, .flags = 1 };

	igt_assert_eq(gpu_try(vgem, DRM_IOWR(DRM_COMMAND_BASE + 1, struct vgem_fence), &attach), 0);
	return attach.out_fence;
}

void vgem_fence_signal(int vgem, uint32_t fence)
{
	struct vgem_signal { uint32_t fence, flags; } signal = { .fence = fence };

	igt_assert_eq(gpu_try(vgem, DRM_IOW(DRM_COMMAND_BASE + 2, struct vgem_signal), &signal), 0);
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
	if (ms > 0)
		return ms;
	/* What limn takes for a family when its parameter is 0; the other drivers' tests wait as long as for a Mali. */
	return vivante && gpu_is_limn() ? VIVANTE_TIMEOUT_MS : DEFAULT_TIMEOUT_MS;
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

	return gpu_timeout_ms() * halves / 2 * (vivante ? 4 : 1);
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

/* For kernels without sw_sync: a distribution's has vgem at most. */
static void gate_by_vgem(struct gpu_gate *gate)
{
	struct drm_mode_create_dumb create = { .width = 64, .height = 16, .bpp = 32 };
	struct dma_buf_export_sync_file export = { .flags = DMA_BUF_SYNC_WRITE };
	int dma_buf;

	gate->device = vgem_open();
	igt_assert_eq(gpu_try(gate->device, DRM_IOCTL_MODE_CREATE_DUMB, &create), 0);
	gate->vgem_fence = vgem_fence_attach(gate->device, create.handle);
	dma_buf = prime_handle_to_fd(gate->device, create.handle);
	igt_assert_eq(gpu_try(dma_buf, DMA_BUF_IOCTL_EXPORT_SYNC_FILE, &export), 0);
	close(dma_buf);
	gate->file = export.fd;
}

struct gpu_gate gpu_gate_new(int fd)
{
	struct gpu_gate gate = { .vgem_fence = 0 };

	if (!access("/sys/kernel/debug/sync/sw_sync", W_OK)) {
		gate.device = sw_sync_timeline_create();
		gate.file = sw_sync_timeline_create_fence(gate.device, 1);
	} else {
		gate_by_vgem(&gate);
	}
	if (fd >= 0) {
		gate.syncobj = syncobj_create(fd, 0);
		syncobj_import_sync_file(fd, gate.syncobj, gate.file);
	}
	return gate;
}

void gpu_gate_open(const struct gpu_gate *gate)
{
	if (gate->vgem_fence)
		vgem_fence_signal(gate->device, gate->vgem_fence);
	else
		sw_sync_timeline_inc(gate->device, 1);
}

void gpu_gate_free(int fd, struct gpu_gate *gate)
{
	close(gate->file);
	close(gate->device);
	if (fd >= 0)
		syncobj_destroy(fd, gate->syncobj);
}
