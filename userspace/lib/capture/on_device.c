// SPDX-License-Identifier: MIT
/*
 * Replays on a render node. Every BO is at the address that it had: lists, descriptors and results are full of them.
 * limn.ko is asked for that address. Mainline lima has one address space per file and takes the smallest hole that
 * fits (Linux lima_vm.c, lima_vm_bo_add()): the replay keeps all of it taken by heaps, which have memory only as jobs
 * need it (lima_gem.c, lima_heap_alloc(): 32 KiB), and makes the one hole where the next BO has to be. etnaviv takes
 * addresses with each submit; a GPU of it that has no softpin is told which words are addresses.
 */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <drm/etnaviv_drm.h>
#include <drm/lima_drm.h>
#include <drm/limn_drm.h>
#include <limn/utgard/regs.h>
#include <xf86drm.h>

#include "lib/capture/replay.h"
#include "lib/drm_node.h"
#include "lib/vivante/decode.h"

#define WAIT_MS	30000	/* longer than a driver's own job timeout */
#define RETRIES	1000	/* ms until a driver has given up the addresses of a job that has ended */

struct replay_gpu {
	int fd;
	bool vivante, fixed;	/* fixed: DRM_IOCTL_LIMN_BO_CREATE takes an address */
	uint32_t ctx, syncobj;
	bool softpin;		/* etnaviv takes addresses with a submit */
	uint32_t next;		/* Vivante: an address for BOs of which only the kernel knows it, to tell them apart */
	struct filler {
		uint64_t start, end;
		uint32_t handle;
	} *fillers;		/* lima: what keeps addresses taken that no BO has */
	uint32_t num_fillers;
};

/* --- Addresses on mainline lima ----------------------------------------------------------------- */

#define LIMA_VA_BOTH	((uint64_t)UTGARD_DLBU_VA)	/* what is behind it only Mali-400 has */
#define LIMA_VA_END	0x100000000ull
#define LIMA_FILLER_MAX	0x80000000ull	/* sizes have 32 bits */

/* A BO that has to get that address, as it is the only hole. 0, or a negative errno. */
static int lima_create_at(struct replay_gpu *gpu, uint64_t va, uint64_t size, uint32_t flags, uint32_t *handle)
{
	struct drm_lima_gem_create create = { .size = size, .flags = flags };
	struct drm_lima_gem_info info = { 0 };
	int ret = -ENOSPC;

	for (int i = 0; i < RETRIES && ret == -ENOSPC && size <= UINT32_MAX; i++) {
		usleep(i ? 1000 : 0);
		ret = drm_node_ioctl(gpu->fd, DRM_IOCTL_LIMA_GEM_CREATE, &create);
	}
	if (ret)
		return ret;
	info.handle = *handle = create.handle;
	ret = drm_node_ioctl(gpu->fd, DRM_IOCTL_LIMA_GEM_INFO, &info);
	if (ret || info.va != va) {
		drmCloseBufferHandle(gpu->fd, create.handle);
		return ret ? ret : -EADDRINUSE;
	}
	return 0;
}

static int fill(struct replay_gpu *gpu, uint64_t start, uint64_t end)
{
	int ret = 0;

	while (!ret && start < end) {
		uint64_t size = end - start > LIMA_FILLER_MAX ? LIMA_FILLER_MAX : end - start;
		struct filler *more = realloc(gpu->fillers, (gpu->num_fillers + 1) * sizeof(*more));

		if (!more)
			return -ENOMEM;
		gpu->fillers = more;
		more[gpu->num_fillers] = (struct filler){ start, start + size, 0 };
		ret = lima_create_at(gpu, start, size, LIMA_BO_FLAG_HEAP, &more[gpu->num_fillers].handle);
		gpu->num_fillers += !ret;
		start += size;
	}
	return ret;
}

/* The range becomes part of one hole, which goes as far as there are fillers. */
static void make_hole(struct replay_gpu *gpu, uint64_t *start, uint64_t *end)
{
	for (uint32_t i = 0; i < gpu->num_fillers; i++) {
		struct filler f = gpu->fillers[i];

		if (f.start > *end || f.end < *start)
			continue;
		drmCloseBufferHandle(gpu->fd, f.handle);
		*start = f.start < *start ? f.start : *start;
		*end = f.end > *end ? f.end : *end;
		gpu->fillers[i] = gpu->fillers[--gpu->num_fillers];
		i = UINT32_MAX;		/* from the first one again */
	}
}

static int lima_place(struct replay_gpu *gpu, uint64_t va, uint64_t size, uint32_t flags, uint32_t *handle)
{
	uint64_t end = (va + size + 0xfff) & ~0xfffull, hole_start = va, hole_end = end;
	int ret;

	make_hole(gpu, &hole_start, &hole_end);
	ret = fill(gpu, hole_start, va);
	ret = ret ? ret : lima_create_at(gpu, va, size, flags, handle);
	return ret ? ret : fill(gpu, end, hole_end);
}

/* --- Devices and BOs ------------------------------------------------------------------------------ */

static void close_gpu(struct replay_gpu *gpu)
{
	close(gpu->fd);
	free(gpu->fillers);
	free(gpu);
}

static int open_gpu(const struct replay_options *o, const struct capture_file *file, struct replay_gpu **out,
		    struct limn_error *err)
{
	bool vivante = file->told.family == LIMN_CAPTURE_VIVANTE;
	struct drm_limn_get_param features = { .param = DRM_LIMN_PARAM_FEATURES };
	struct drm_etnaviv_param softpin = { .param = ETNAVIV_PARAM_SOFTPIN_START_ADDR };
	struct drm_lima_ctx_create ctx = { 0 };
	struct replay_gpu *gpu = calloc(1, sizeof(*gpu));
	char path[64];

	if (!gpu)
		return limn_fail(err, -1, "out of memory");
	gpu->vivante = vivante;
	gpu->next = 0x1000;
	gpu->fd = drm_node_open(vivante ? "etnaviv" : "lima", o->device, path, sizeof(path), err);
	if (gpu->fd < 0) {
		free(gpu);
		return -1;
	}
	gpu->fixed = !drm_node_ioctl(gpu->fd, DRM_IOCTL_LIMN_GET_PARAM, &features) &&
		     features.value & DRM_LIMN_FEATURE_FIXED_VA;
	if (!vivante && (drm_node_ioctl(gpu->fd, DRM_IOCTL_LIMA_CTX_CREATE, &ctx) ||
			 drmSyncobjCreate(gpu->fd, 0, &gpu->syncobj))) {
		close_gpu(gpu);
		return limn_fail(err, -1, "%s: no context", path);
	}
	gpu->ctx = ctx.id;
	gpu->softpin = vivante && !drm_node_ioctl(gpu->fd, DRM_IOCTL_ETNAVIV_GET_PARAM, &softpin) && softpin.value != ~0ull;
	if (!vivante && !gpu->fixed) {
		int ret = fill(gpu, 0, LIMA_VA_BOTH);

		if (ret) {
			close_gpu(gpu);
			return limn_fail(err, -1, "%s: the address space cannot be taken: %s", path, strerror(-ret));
		}
		fill(gpu, LIMA_VA_BOTH, LIMA_VA_END);	/* fails on Mali-450 */
	}
	*out = gpu;
	return 0;
}

static int create_fixed(struct replay_gpu *gpu, const struct capture_bo *bo, uint32_t va, struct replay_bo *to)
{
	struct drm_limn_bo_create req = {
		.size = bo->told.size, .va = va,
		.flags = DRM_LIMN_BO_FIXED_VA | (bo->told.flags & LIMN_CAPTURE_HEAP ? DRM_LIMN_BO_HEAP : 0),
	};
	int ret = drm_node_ioctl(gpu->fd, DRM_IOCTL_LIMN_BO_CREATE, &req);

	to->handle = req.handle;
	to->va = req.va;
	return ret;
}

static int create_utgard(struct replay_gpu *gpu, const struct capture_bo *bo, uint32_t va, struct replay_bo *to,
			 uint64_t *offset)
{
	uint32_t flags = bo->told.flags & LIMN_CAPTURE_HEAP ? LIMA_BO_FLAG_HEAP : 0;
	struct drm_lima_gem_info info = { 0 };
	int ret = gpu->fixed ? create_fixed(gpu, bo, va, to) : lima_place(gpu, va, bo->told.size, flags, &to->handle);

	if (ret)
		return ret;
	info.handle = to->handle;
	ret = drm_node_ioctl(gpu->fd, DRM_IOCTL_LIMA_GEM_INFO, &info);
	to->va = va;
	*offset = info.offset;
	return ret;
}

static int create_vivante(struct replay_gpu *gpu, const struct capture_bo *bo, struct replay_bo *to, uint64_t *offset)
{
	struct drm_etnaviv_gem_new new = { .size = bo->told.size, .flags = ETNA_BO_WC };
	struct drm_etnaviv_gem_info info = { 0 };
	bool fixed = gpu->fixed && bo->told.va;
	int ret = fixed ? create_fixed(gpu, bo, (uint32_t)bo->told.va, to) : drm_node_ioctl(gpu->fd, DRM_IOCTL_ETNAVIV_GEM_NEW, &new);

	if (ret)
		return ret;
	to->handle = info.handle = fixed ? to->handle : new.handle;
	ret = drm_node_ioctl(gpu->fd, DRM_IOCTL_ETNAVIV_GEM_INFO, &info);
	*offset = info.offset;
	return ret;
}

static void free_bo(struct replay_gpu *gpu, struct replay_bo *bo)
{
	if (bo->map)
		munmap(bo->map, bo->size);
	drmCloseBufferHandle(gpu->fd, bo->handle);
	bo->map = NULL;
	bo->handle = 0;
	if (!gpu->vivante && !gpu->fixed) {
		uint64_t start = bo->va, end = (start + bo->size + 0xfff) & ~0xfffull;

		make_hole(gpu, &start, &end);
		fill(gpu, start, end);
	}
}

static int create(struct replay_gpu *gpu, const struct capture_bo *bo, uint32_t va, struct replay_bo *to,
		  struct limn_error *err)
{
	uint64_t offset = 0;
	int ret = gpu->vivante ? create_vivante(gpu, bo, to, &offset) : create_utgard(gpu, bo, va, to, &offset);
	void *map;

	if (ret) {
		to->handle = 0;
		return limn_fail(err, -1, "a BO of %llu bytes at 0x%08x: %s", (unsigned long long)bo->told.size, va, strerror(-ret));
	}
	if (gpu->vivante) {
		to->va = va ? va : gpu->next;
		gpu->next += va ? 0 : bo->told.size;
	}
	if (bo->told.flags & LIMN_CAPTURE_HEAP)
		return 0;
	map = mmap(NULL, bo->told.size, PROT_READ | PROT_WRITE, MAP_SHARED, gpu->fd, offset);
	if (map == MAP_FAILED) {
		free_bo(gpu, to);
		return limn_fail(err, -1, "a BO of %llu bytes cannot be mapped", (unsigned long long)bo->told.size);
	}
	to->map = map;
	return 0;
}

/* 0; 1: the job failed. */
static int wait_sync_file(int sync, const char *pipe, struct limn_error *err)
{
	struct pollfd p = { .fd = sync, .events = POLLIN };
	int n = poll(&p, 1, WAIT_MS);
	int ret = n > 0 ? drm_node_fence_status(sync, pipe, err) : limn_fail(err, -ETIME, "the job still runs");

	close(sync);
	return ret ? 1 : 0;
}

static int submit_utgard(struct replay_gpu *gpu, const struct capture_submit *s, const uint32_t *words, struct limn_error *err)
{
	struct drm_lima_gem_submit_bo *bos = calloc(s->told.num_bos + 1, sizeof(*bos));
	struct drm_lima_gem_submit req = {
		.ctx = gpu->ctx, .pipe = s->told.pipe, .bos = (uintptr_t)bos, .frame = (uintptr_t)words,
		.frame_size = s->told.cmd_size, .out_sync = gpu->syncobj,
	};
	int ret, sync;

	if (!bos)
		return limn_fail(err, -1, "out of memory");
	for (uint32_t i = 0; i < s->told.num_bos; i++) {
		const struct replay_bo *bo = s->uses[i].bo ? s->uses[i].bo->user : NULL;

		if (bo)
			bos[req.nr_bos++] = (struct drm_lima_gem_submit_bo){ bo->handle, s->uses[i].told.flags & 3 };
	}
	ret = drm_node_ioctl(gpu->fd, DRM_IOCTL_LIMA_GEM_SUBMIT, &req);
	free(bos);
	if (ret)
		return limn_fail(err, -1, "GEM_SUBMIT: %s", strerror(-ret));
	if (drmSyncobjWait(gpu->fd, &gpu->syncobj, 1, INT64_MAX, 0, NULL) ||
	    drmSyncobjExportSyncFile(gpu->fd, gpu->syncobj, &sync))
		return limn_fail(err, -1, "wait for the job: %s", strerror(errno));
	return wait_sync_file(sync, s->told.pipe == LIMA_PIPE_GP ? "GP" : "PP", err);
}

/* Addresses that the client chose, in a stream for a GPU of etnaviv that has no softpin: all of them are states. */
struct found {
	const struct capture_submit *submit;
	struct drm_etnaviv_gem_submit_reloc *relocs;
	uint32_t num;
};

static void find_address(void *ctx, const struct viv_word *w)
{
	struct found *found = ctx;
	const struct capture_submit *s = found->submit;

	if (w->type != VIV_WORD_STATE || !w->row || w->row->kind != VIV_KIND_ADDR)
		return;
	for (uint32_t i = 0; i < s->told.num_bos; i++) {
		const struct capture_use *use = &s->uses[i];

		if (use->bo && w->value >= use->told.va && w->value - use->told.va < use->bo->told.size) {
			found->relocs[found->num++] = (struct drm_etnaviv_gem_submit_reloc){
				.submit_offset = w->at * 4, .reloc_idx = i, .reloc_offset = w->value - use->told.va,
			};
			return;
		}
	}
}

static uint32_t find_relocs(const struct capture_submit *s, struct drm_etnaviv_gem_submit_reloc *relocs)
{
	struct found found = { .submit = s, .relocs = relocs };
	struct viv_sink sink = { .ctx = &found, .word = find_address };
	struct viv_decode_stats stats;

	limn_viv_decode((const uint32_t *)s->cmd, s->told.cmd_size / 4, 0, &sink, &stats);
	return found.num;
}

static uint32_t fill_relocs(const struct capture_submit *s, struct drm_etnaviv_gem_submit_reloc *relocs)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < s->told.num_relocs; i++) {
		if (s->relocs[i].use < s->told.num_bos)
			relocs[n++] = (struct drm_etnaviv_gem_submit_reloc){
				.submit_offset = s->relocs[i].offset, .reloc_idx = s->relocs[i].use, .reloc_offset = s->relocs[i].bo_offset,
			};
	}
	return n;
}

static int submit_vivante(struct replay_gpu *gpu, const struct capture_submit *s, const uint32_t *words, struct limn_error *err)
{
	bool in_words = s->told.ioctl != 6 || s->told.flags & ETNA_SUBMIT_SOFTPIN, chosen = in_words && gpu->softpin;
	uint32_t room = in_words && !chosen ? s->told.cmd_size / 4 : s->told.num_relocs;
	struct drm_etnaviv_gem_submit_reloc *relocs = calloc(room + 1, sizeof(*relocs));
	struct drm_etnaviv_gem_submit_bo *bos = calloc(s->told.num_bos + 1, sizeof(*bos));
	struct drm_etnaviv_gem_submit req = {
		.pipe = s->told.pipe, .exec_state = s->told.exec_state, .nr_bos = s->told.num_bos,
		.stream_size = s->told.cmd_size, .bos = (uintptr_t)bos, .relocs = (uintptr_t)relocs, .stream = (uintptr_t)s->cmd,
		.flags = ETNA_SUBMIT_FENCE_FD_OUT | (chosen ? ETNA_SUBMIT_SOFTPIN : 0), .fence_fd = -1,
	};
	int ret = bos && relocs ? 0 : limn_fail(err, -1, "out of memory");

	for (uint32_t i = 0; !ret && i < s->told.num_bos; i++) {
		const struct replay_bo *bo = s->uses[i].bo ? s->uses[i].bo->user : NULL;

		if (!bo)
			ret = limn_fail(err, -1, "a BO of the job is not in the capture");
		else
			bos[i] = (struct drm_etnaviv_gem_submit_bo){
				s->uses[i].told.flags & 3, bo->handle, chosen ? s->uses[i].told.va : 0
			};
	}
	if (!ret) {
		req.nr_relocs = in_words && !chosen ? find_relocs(s, relocs) : fill_relocs(s, relocs);
		ret = -ENOSPC;
		for (int i = 0; i < RETRIES && ret == -ENOSPC; i++) {
			usleep(i ? 1000 : 0);
			ret = drm_node_ioctl(gpu->fd, DRM_IOCTL_ETNAVIV_GEM_SUBMIT, &req);
		}
		if (ret)
			limn_fail(err, ret, "GEM_SUBMIT: %s", strerror(-ret));
	}
	free(bos);
	free(relocs);
	return ret ? -1 : wait_sync_file(req.fence_fd, s->told.exec_state == ETNA_PIPE_2D ? "2D" : "3D", err);
}

/* A job of limn.ko's own ioctl, whose addresses are in their places, where its BOs are at these. */
static int submit_limn(struct replay_gpu *gpu, const struct capture_submit *s, struct limn_error *err)
{
	struct drm_limn_submit_bo *bos = calloc(s->told.num_bos + 1, sizeof(*bos));
	struct drm_limn_sync out = { .flags = DRM_LIMN_SYNC_FD };
	struct drm_limn_job job = {
		.queue = s->told.pipe, .cmd = (uintptr_t)s->cmd, .cmd_size = s->told.cmd_size, .exec_state = s->told.exec_state,
	};
	int ret = bos ? 0 : -ENOMEM;

	for (uint32_t i = 0; !ret && i < s->told.num_bos; i++) {
		const struct replay_bo *bo = s->uses[i].bo ? s->uses[i].bo->user : NULL;

		if (!bo)
			ret = -ENOENT;
		else
			bos[i] = (struct drm_limn_submit_bo){
				.handle = bo->handle, .read = s->uses[i].told.flags & 1, .write = s->uses[i].told.flags >> 1 & 1,
			};
	}
	if (!ret)
		ret = drm_node_submit(gpu->fd, 0, NULL, &job, 1, &out, bos, s->told.num_bos);
	free(bos);
	if (ret)
		return limn_fail(err, -1, "SUBMIT: %s", strerror(-ret));
	return wait_sync_file((int)out.handle, s->told.exec_state == ETNA_PIPE_2D ? "2D" : "3D", err);
}

static int submit(struct replay_gpu *gpu, const struct capture_submit *s, const uint32_t *words, struct limn_error *err)
{
	if (gpu->vivante && gpu->fixed && s->told.ioctl == DRM_LIMN_SUBMIT)
		return submit_limn(gpu, s, err);
	return (gpu->vivante ? submit_vivante : submit_utgard)(gpu, s, words, err);
}

const struct replay_carrier limn_replay_on_device = {
	.open = open_gpu,
	.close = close_gpu,
	.create = create,
	.free = free_bo,
	.submit = submit,
};
