// SPDX-License-Identifier: MIT
/*
 * The etnaviv user ABI, which both etnaviv.ko and limn.ko speak. Where the cores
 * have MMUv2 the library gives BOs their addresses (softpin); else the kernel
 * does, and patches them into the stream (relocations). A job's end comes as a
 * fence fd, since only that tells a failure.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <drm/etnaviv_drm.h>
#include <xf86drm.h>

#include "lib/drm_node.h"

#define PAGE 4096u

/* A BO's place in the address space, in ascending order. */
struct range {
	uint32_t start, end;
};

struct etna_device {
	int fd;
	char path[64];
	uint32_t pipes[LIMN_MAX_CORES];	/* of the ABI, by core */
	uint64_t softpin;	/* first address that is the library's; 0: relocations */
	bool limn;		/* the driver is limn.ko: BOs have addresses as soon as they are there */
	uint64_t next;		/* where the last BO ends: addresses are used again late */
	struct range *ranges;
	uint32_t num_ranges, room_ranges;
};

static int get_param(struct etna_device *etna, uint32_t pipe, uint32_t param, uint64_t *value)
{
	struct drm_etnaviv_param req = { .pipe = pipe, .param = param };
	int ret = drm_node_ioctl(etna->fd, DRM_IOCTL_ETNAVIV_GET_PARAM, &req);

	*value = req.value;
	return ret;
}

static int etna_get_info(void *priv, struct limn_info *info, struct limn_error *err)
{
	struct etna_device *etna = priv;
	int ret = drm_node_version(etna->fd, etna->path, info, err);

	if (ret)
		return ret;
	info->family = LIMN_VIVANTE;
	for (uint32_t pipe = 0; pipe < ETNA_MAX_PIPES && pipe < LIMN_MAX_CORES; pipe++) {
		uint64_t *p = info->params[info->num_cores];

		/* Pipes without a core refuse: those of the device are not always 0 and up. */
		if (get_param(etna, pipe, ETNAVIV_PARAM_GPU_MODEL, &p[ETNAVIV_PARAM_GPU_MODEL]))
			continue;
		for (uint32_t i = ETNAVIV_PARAM_GPU_MODEL; i <= ETNAVIV_PARAM_GPU_ECO_ID; i++)
			get_param(etna, pipe, i, &p[i]);
		etna->pipes[info->num_cores++] = pipe;
	}
	if (!info->num_cores)
		return limn_fail(err, -ENODEV, "%s: no core answers", etna->path);
	/* ~0 where the MMU cannot. */
	etna->softpin = info->params[0][ETNAVIV_PARAM_SOFTPIN_START_ADDR];
	if (etna->softpin >= UINT32_MAX)
		etna->softpin = 0;
	return 0;
}

/* Where, from at on, size bytes are free; *i: the index of the range behind it. */
static uint64_t find_gap(const struct etna_device *etna, uint64_t at, uint32_t size, uint32_t *i)
{
	for (*i = 0; *i < etna->num_ranges && etna->ranges[*i].start < at + size; ++*i)
		if (etna->ranges[*i].end > at)
			at = etna->ranges[*i].end;
	return at;
}

/*
 * A gap that is large enough, behind the last one that was taken: etnaviv.ko keeps the address of a BO that is gone
 * until it has cleaned up the BO's last job, some time after the job's end. 0: none.
 */
static uint32_t place(struct etna_device *etna, uint32_t size)
{
	uint64_t at;
	uint32_t i;

	size = (size + PAGE - 1) & ~(PAGE - 1);
	at = find_gap(etna, etna->next > etna->softpin ? etna->next : etna->softpin, size, &i);
	if (at + size > UINT32_MAX)
		at = find_gap(etna, etna->softpin, size, &i);
	if (at + size > UINT32_MAX)
		return 0;
	if (etna->num_ranges == etna->room_ranges) {
		uint32_t room = etna->room_ranges ? etna->room_ranges * 2 : 32;
		struct range *more = realloc(etna->ranges, room * sizeof(*more));

		if (!more)
			return 0;
		etna->ranges = more;
		etna->room_ranges = room;
	}
	memmove(etna->ranges + i + 1, etna->ranges + i, (etna->num_ranges - i) * sizeof(*etna->ranges));
	etna->ranges[i] = (struct range){ at, at + size };
	etna->num_ranges++;
	etna->next = at + size;
	return at;
}

static void unplace(struct etna_device *etna, uint32_t start)
{
	for (uint32_t i = 0; i < etna->num_ranges; i++) {
		if (etna->ranges[i].start != start)
			continue;
		etna->num_ranges--;
		memmove(etna->ranges + i, etna->ranges + i + 1, (etna->num_ranges - i) * sizeof(*etna->ranges));
		return;
	}
}

/* Of a BO that has a handle: a mapping, and an address unless the kernel gives it one. The handle is closed on failure. */
static int describe(struct etna_device *etna, struct limn_bo *bo, struct limn_error *err)
{
	struct drm_etnaviv_gem_info info = { .handle = bo->handle };
	int ret = drm_node_ioctl(etna->fd, DRM_IOCTL_ETNAVIV_GEM_INFO, &info);

	if (ret) {
		limn_fail(err, ret, "GEM_INFO: %s", strerror(-ret));
		goto close_handle;
	}
	bo->map = mmap(NULL, bo->size, PROT_READ | PROT_WRITE, MAP_SHARED, etna->fd, info.offset);
	if (bo->map == MAP_FAILED) {
		ret = -errno;
		limn_fail(err, ret, "mmap of a BO of %u bytes: %s", bo->size, strerror(-ret));
		goto close_handle;
	}
	if (etna->softpin && !bo->va) {
		bo->va = place(etna, bo->size);
		if (!bo->va) {
			ret = limn_fail(err, -ENOMEM, "no room for a BO of %u bytes in the address space", bo->size);
			goto unmap;
		}
	}
	return 0;

unmap:
	munmap(bo->map, bo->size);
close_handle:
	drmCloseBufferHandle(etna->fd, bo->handle);
	return ret;
}

static int etna_bo_create(void *priv, uint32_t size, uint32_t flags, struct limn_bo *bo, struct limn_error *err)
{
	struct etna_device *etna = priv;
	struct drm_etnaviv_gem_new create = { .size = size, .flags = ETNA_BO_WC };
	struct drm_limn_bo_create placed = { .size = size };
	int ret = etna->limn ? drm_node_ioctl(etna->fd, DRM_IOCTL_LIMN_BO_CREATE, &placed) :
			       drm_node_ioctl(etna->fd, DRM_IOCTL_ETNAVIV_GEM_NEW, &create);

	if (ret)
		return limn_fail(err, ret, "creation of a BO of %u bytes: %s", size, strerror(-ret));
	bo->handle = etna->limn ? placed.handle : create.handle;
	bo->va = (uint32_t)placed.va;
	return describe(etna, bo, err);
}

static int etna_bo_import(void *priv, int fd, struct limn_bo *bo, struct limn_error *err)
{
	struct etna_device *etna = priv;
	struct drm_limn_bo_info info = { 0 };
	int ret = drm_node_import(etna->fd, fd, bo, err);

	info.handle = bo->handle;
	if (!ret && etna->limn) {
		ret = drm_node_ioctl(etna->fd, DRM_IOCTL_LIMN_BO_INFO, &info);
		if (ret) {
			drmCloseBufferHandle(etna->fd, bo->handle);
			return limn_fail(err, ret, "address of an imported BO: %s", strerror(-ret));
		}
		bo->va = (uint32_t)info.va;
	}
	return ret ? ret : describe(etna, bo, err);
}
static void etna_bo_free(void *priv, struct limn_bo *bo)
{
	struct etna_device *etna = priv;

	munmap(bo->map, bo->size);
	drmCloseBufferHandle(etna->fd, bo->handle);
	if (bo->va && !etna->limn)
		unplace(etna, bo->va);
}

static int index_of(const struct limn_submit *submit, const struct limn_bo *bo)
{
	for (uint32_t i = 0; i < submit->num_uses; i++)
		if (submit->uses[i].bo == bo)
			return i;
	return -1;
}

/* With limn.ko's own ioctl, all addresses being in their places. */
static int submit_limn(struct etna_device *etna, const struct limn_submit *submit, uint64_t *fence, struct limn_error *err)
{
	struct drm_limn_submit_bo *bos = calloc(submit->num_uses + 1, sizeof(*bos));
	struct drm_limn_sync out = { .flags = DRM_LIMN_SYNC_FD };
	struct drm_limn_job job = {
		.queue = etna->pipes[submit->core], .cmd = (uintptr_t)submit->words, .cmd_size = submit->num_words * 4,
		.exec_state = submit->pipe == LIMN_PIPE_2D ? ETNA_PIPE_2D : ETNA_PIPE_3D,
	};
	int ret = bos ? 0 : -ENOMEM;

	for (uint32_t i = 0; !ret && i < submit->num_uses; i++)
		bos[i] = (struct drm_limn_submit_bo){
			.handle = submit->uses[i].bo->handle, .read = !!(submit->uses[i].flags & LIMN_READ),
			.write = !!(submit->uses[i].flags & LIMN_WRITE),
		};
	if (!ret)
		ret = drm_node_submit(etna->fd, 0, submit->how, &job, 1, &out, bos, submit->num_uses);
	free(bos);
	*fence = (uint64_t)submit->pipe << 32 | out.handle;
	return ret ? limn_fail(err, ret, "SUBMIT of a %s job: %s", submit->pipe == LIMN_PIPE_2D ? "2D" : "3D", strerror(-ret)) : 0;
}

static int etna_fence_file(void *priv, uint64_t fence, int *fd, struct limn_error *err)
{
	*fd = fcntl((int)(uint32_t)fence, F_DUPFD_CLOEXEC, 0);
	return *fd < 0 ? limn_fail(err, -errno, "export of a job's fence: %s", strerror(errno)) : 0;
}

static int etna_submit(void *priv, const struct limn_submit *submit, uint64_t *fence, struct limn_error *err)
{
	struct etna_device *etna = priv;
	uint32_t relocs = etna->softpin ? 0 : submit->num_relocs;
	struct drm_etnaviv_gem_submit_bo *bos = calloc(submit->num_uses + 1, sizeof(*bos));
	struct drm_etnaviv_gem_submit_reloc *r = calloc(relocs + 1, sizeof(*r));
	struct drm_etnaviv_gem_submit req = {
		.pipe = etna->pipes[submit->core],
		.exec_state = submit->pipe == LIMN_PIPE_2D ? ETNA_PIPE_2D : ETNA_PIPE_3D,
		.nr_bos = submit->num_uses,
		.nr_relocs = relocs,
		.stream_size = submit->num_words * 4,
		.bos = (uintptr_t)bos,
		.relocs = (uintptr_t)r,
		.stream = (uintptr_t)submit->words,
		.flags = ETNA_SUBMIT_FENCE_FD_OUT | (etna->softpin ? ETNA_SUBMIT_SOFTPIN : 0),
		.fence_fd = -1,
	};
	int ret = 0;

	if (submit->how && etna->limn) {
		ret = submit_limn(etna, submit, fence, err);
		goto out;
	}
	ret = drm_node_wait_for(etna->fd, submit->how, err);
	if (ret)
		goto out;
	if (!bos || !r) {
		ret = limn_fail(err, -ENOMEM, "out of memory");
		goto out;
	}
	for (uint32_t i = 0; i < submit->num_uses; i++) {
		bos[i].handle = submit->uses[i].bo->handle;
		bos[i].presumed = submit->uses[i].bo->va;
		bos[i].flags = (submit->uses[i].flags & LIMN_READ ? ETNA_SUBMIT_BO_READ : 0) |
			       (submit->uses[i].flags & LIMN_WRITE ? ETNA_SUBMIT_BO_WRITE : 0);
	}
	for (uint32_t i = 0; i < relocs; i++) {
		int index = index_of(submit, submit->relocs[i].bo);

		if (index < 0) {
			ret = limn_fail(err, -EINVAL, "a relocation names a BO that the job does not use");
			goto out;
		}
		r[i].submit_offset = submit->relocs[i].word * 4;
		r[i].reloc_idx = index;
		r[i].reloc_offset = submit->relocs[i].offset;
	}
	ret = drm_node_ioctl(etna->fd, DRM_IOCTL_ETNAVIV_GEM_SUBMIT, &req);
	if (ret)
		limn_fail(err, ret, "GEM_SUBMIT of a %s job: %s", submit->pipe == LIMN_PIPE_2D ? "2D" : "3D",
			  strerror(-ret));
	else
		*fence = (uint64_t)submit->pipe << 32 | (uint32_t)req.fence_fd;
	if (!ret && submit->how)
		ret = drm_node_tell(etna->fd, submit->how, req.fence_fd, err);
out:
	free(bos);
	free(r);
	return ret;
}

static int etna_wait(void *priv, uint64_t fence, int64_t timeout_ns, struct limn_error *err)
{
	struct pollfd p = { .fd = (int)(uint32_t)fence, .events = POLLIN };
	int64_t ms = timeout_ns < 0 ? -1 : (timeout_ns + 999999) / 1000000;
	int n;

	do
		n = poll(&p, 1, ms > INT_MAX ? INT_MAX : (int)ms);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return limn_fail(err, -errno, "wait for a job: %s", strerror(errno));
	if (!n)
		return limn_fail(err, -ETIME, "the job still runs");
	return drm_node_fence_status(p.fd, fence >> 32 == LIMN_PIPE_2D ? "2D" : "3D", err);
}

static void etna_fence_free(void *priv, uint64_t fence)
{
	close((int)(uint32_t)fence);
}

static void etna_close(void *priv)
{
	struct etna_device *etna = priv;

	close(etna->fd);
	free(etna->ranges);
	free(etna);
}

static void etna_bo_label(void *priv, const struct limn_bo *bo, const char *label)
{
	struct etna_device *etna = priv;

	drm_node_label(etna->fd, bo->handle, label);
}

static int etna_get_fd(void *priv)
{
	return ((struct etna_device *)priv)->fd;
}

static const struct limn_backend etna_backend = {
	.size = sizeof(etna_backend),
	.get_info = etna_get_info,
	.bo_create = etna_bo_create,
	.bo_free = etna_bo_free,
	.submit = etna_submit,
	.wait = etna_wait,
	.fence_free = etna_fence_free,
	.close = etna_close,
	.bo_label = etna_bo_label,
	.get_fd = etna_get_fd,
	.bo_import = etna_bo_import,
	.fence_file = etna_fence_file,
};

int limn_open_vivante(const char *path, struct limn_device **dev, struct limn_error *err)
{
	struct etna_device *etna = calloc(1, sizeof(*etna));
	int ret;

	if (!etna)
		return limn_fail(err, -ENOMEM, "out of memory");
	etna->fd = drm_node_open("etnaviv", path, etna->path, sizeof(etna->path), err);
	if (etna->fd < 0) {
		ret = etna->fd;
		free(etna);
		return ret;
	}
	etna->limn = (drm_node_features(etna->fd) & (DRM_LIMN_FEATURE_SUBMIT | DRM_LIMN_FEATURE_BO)) ==
		     (DRM_LIMN_FEATURE_SUBMIT | DRM_LIMN_FEATURE_BO);
	return limn_open_backend(&etna_backend, etna, dev, err);
}
