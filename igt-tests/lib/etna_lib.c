// SPDX-License-Identifier: MIT
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
#include <xf86drm.h>

#include <limn/vivante/cmdstream.h>

#include "etna_lib.h"
#include "igt.h"

#define PATIENCE_MS	60000	/* no job takes that long */

static char node_path[64];

static bool speaks_etnaviv(int fd, bool *limn)
{
	drmVersionPtr version = drmGetVersion(fd);
	bool yes = version && !strcmp(version->name, "etnaviv");

	if (yes && limn)
		*limn = !strncmp(version->desc, "limn", 4);
	drmFreeVersion(version);
	return yes;
}

int etna_try_open(void)
{
	for (int minor = 128; minor < 192; minor++) {
		int fd;

		snprintf(node_path, sizeof(node_path), "/dev/dri/renderD%d", minor);
		fd = open(node_path, O_RDWR | O_CLOEXEC);
		if (fd < 0)
			continue;
		if (speaks_etnaviv(fd, NULL))
			return fd;
		close(fd);
	}
	return -1;
}

int etna_open(void)
{
	int fd = etna_try_open();

	igt_require_f(fd >= 0, "no render node with the etnaviv ABI\n");
	return fd;
}

bool etna_is_limn(void)
{
	int fd = etna_open();
	bool limn = false;

	speaks_etnaviv(fd, &limn);
	close(fd);
	return limn;
}

uint64_t etna_param(int fd, uint32_t pipe, uint32_t param)
{
	struct drm_etnaviv_param req = { .pipe = pipe, .param = param };

	igt_assert_eq(gpu_try(fd, DRM_IOCTL_ETNAVIV_GET_PARAM, &req), 0);
	return req.value;
}

bool etna_has_softpin(int fd)
{
	return etna_param(fd, 0, ETNAVIV_PARAM_SOFTPIN_START_ADDR) != ~0ull;
}

struct drm_etnaviv_timespec etna_time(unsigned int ms)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (struct drm_etnaviv_timespec) {
		.tv_sec = now.tv_sec + ms / 1000,
		.tv_nsec = now.tv_nsec + ms % 1000 * 1000000,
	};
}

const char *etna_core_name(void)
{
	static char name[NAME_MAX + 1];
	struct dirent *entry;
	DIR *dir;

	/* Known from the time when it was bound: the first GPU by its address. */
	if (name[0])
		return name;
	dir = opendir(etna_driver_dir());
	igt_assert(dir);
	while ((entry = readdir(dir))) {
		size_t length = strlen(entry->d_name);

		if (length > 4 && !strcmp(entry->d_name + length - 4, ".gpu") &&
		    (!name[0] || strtoul(entry->d_name, NULL, 16) < strtoul(name, NULL, 16)))
			strcpy(name, entry->d_name);
	}
	closedir(dir);
	igt_assert(name[0]);
	return name;
}

const char *etna_driver_dir(void)
{
	return etna_is_limn() ? "/sys/bus/platform/drivers/limn" :
				"/sys/bus/platform/drivers/etnaviv-gpu";
}

struct etna_bo etna_bo_new(int fd, uint32_t size)
{
	struct drm_etnaviv_gem_new req = { .size = size, .flags = ETNA_BO_WC };
	struct drm_etnaviv_gem_info info = { 0 };
	struct etna_bo bo = { .fd = fd, .size = size };

	igt_assert_eq(gpu_try(fd, DRM_IOCTL_ETNAVIV_GEM_NEW, &req), 0);
	bo.handle = info.handle = req.handle;
	igt_assert_eq(gpu_try(fd, DRM_IOCTL_ETNAVIV_GEM_INFO, &info), 0);
	bo.map = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, info.offset);
	igt_assert(bo.map != MAP_FAILED);
	return bo;
}

void etna_bo_free(struct etna_bo *bo)
{
	munmap(bo->map, bo->size);
	gem_close(bo->fd, bo->handle);
	memset(bo, 0, sizeof(*bo));
}

int etna_try_prep(int fd, uint32_t handle, uint32_t op, unsigned int ms)
{
	struct drm_etnaviv_gem_cpu_prep req = {
		.handle = handle,
		.op = op,
		.timeout = etna_time(ms),
	};

	return gpu_try(fd, DRM_IOCTL_ETNAVIV_GEM_CPU_PREP, &req);
}

void etna_job_init(struct etna_job *job)
{
	memset(job, 0, sizeof(*job));
	job->fence_fd = -1;
}

void etna_job_new(int fd, struct etna_job *job)
{
	etna_job_init(job);
	if (!(etna_param(fd, 0, ETNAVIV_PARAM_GPU_FEATURES_0) & chipFeatures_PIPE_3D))
		job->exec_state = ETNA_PIPE_2D;
}

uint32_t etna_job_use(struct etna_job *job, const struct etna_bo *bo, uint32_t flags)
{
	igt_assert(job->num_bos < ETNA_BOS);
	job->bos[job->num_bos].handle = bo->handle;
	job->bos[job->num_bos].flags = flags;
	return job->num_bos++;
}

void etna_put(struct etna_job *job, uint32_t header, uint32_t argument)
{
	igt_assert(job->num_words + 2 <= ETNA_STREAM_WORDS);
	job->words[job->num_words++] = header;
	job->words[job->num_words++] = argument;
}

void etna_set(struct etna_job *job, uint32_t state, uint32_t value)
{
	etna_put(job, VIV_FE_COMMAND(LOAD_STATE) | VIV_SET(VIV_FE_LOAD_STATE_HEADER_COUNT, 1) |
		      VIV_SET(VIV_FE_LOAD_STATE_HEADER_OFFSET, state / 4), value);
}

void etna_set_address(struct etna_job *job, uint32_t state, uint32_t bo, uint32_t offset)
{
	igt_assert(job->num_relocs < ETNA_RELOCS);
	job->relocs[job->num_relocs++] = (struct drm_etnaviv_gem_submit_reloc) {
		.submit_offset = (job->num_words + 1) * 4,
		.reloc_idx = bo,
		.reloc_offset = offset,
	};
	etna_set(job, state, 0);
}

struct drm_etnaviv_gem_submit etna_job_args(struct etna_job *job)
{
	return (struct drm_etnaviv_gem_submit) {
		.pipe = job->pipe,
		.exec_state = job->exec_state,
		.nr_bos = job->num_bos,
		.nr_relocs = job->num_relocs,
		.nr_pmrs = job->num_pmrs,
		.stream_size = job->num_words * 4,
		.bos = (uintptr_t)job->bos,
		.relocs = (uintptr_t)job->relocs,
		.stream = (uintptr_t)job->words,
		.pmrs = (uintptr_t)job->pmrs,
		.flags = job->flags,
		.fence_fd = job->fence_fd,
	};
}

int etna_try_submit(int fd, struct etna_job *job)
{
	struct drm_etnaviv_gem_submit req = etna_job_args(job);
	int ret = gpu_try(fd, DRM_IOCTL_ETNAVIV_GEM_SUBMIT, &req);

	job->fence = req.fence;
	if (!ret)
		job->fence_fd = req.fence_fd;
	return ret;
}

int etna_start(int fd, struct etna_job *job)
{
	uint32_t flags = job->flags;
	int ret;

	job->flags |= ETNA_SUBMIT_FENCE_FD_OUT;
	ret = etna_try_submit(fd, job);
	job->flags = flags;
	igt_assert_eq(ret, 0);
	igt_assert(job->fence_fd >= 0);
	return job->fence_fd;
}

int etna_end(int file)
{
	int status;

	sync_fence_wait(file, PATIENCE_MS);
	status = sync_fence_status(file);
	close(file);
	igt_assert_f(status, "the fence is still open\n");
	return status == 1 ? 0 : status;
}

int etna_run(int fd, struct etna_job *job)
{
	return etna_end(etna_start(fd, job));
}

enum engine { ENGINE_RS, ENGINE_BLT, ENGINE_2D };

static enum engine engine_of(int fd, uint32_t pipe)
{
	if (!(etna_param(fd, pipe, ETNAVIV_PARAM_GPU_FEATURES_0) & chipFeatures_PIPE_3D))
		return ENGINE_2D;
	if (etna_param(fd, pipe, ETNAVIV_PARAM_GPU_FEATURES_6) & chipMinorFeatures5_BLT_ENGINE)
		return ENGINE_BLT;
	return ENGINE_RS;
}

static void kick_rs(struct etna_job *job)
{
	etna_set(job, VIVS_RS_KICKER, 0xbeebbeeb);
}

static void fill_rs(int fd, struct etna_job *job, uint32_t bo, uint32_t offset, uint32_t rows,
		    uint32_t value)
{
	bool two = etna_param(fd, job->pipe, ETNAVIV_PARAM_GPU_PIXEL_PIPES) > 1;

	etna_set(job, VIVS_RS_SOURCE_STRIDE, 256);
	etna_set(job, VIVS_RS_DEST_STRIDE, 256);
	if (two) {
		for (int i = 0; i < 2; i++) {
			etna_set_address(job, VIV_AT(VIVS_RS_PIPE_SOURCE_ADDR, i), bo, offset);
			etna_set_address(job, VIV_AT(VIVS_RS_PIPE_DEST_ADDR, i), bo, offset);
		}
		etna_set(job, VIVS_RS_PIPE_OFFSET, 0);
		etna_set(job, VIV_AT(VIVS_RS_PIPE_OFFSET, 1),
			 VIV_SET(VIVS_RS_PIPE_OFFSET_Y, rows / 2));
	} else {
		etna_set_address(job, VIVS_RS_SOURCE_ADDR, bo, offset);
		etna_set_address(job, VIVS_RS_DEST_ADDR, bo, offset);
	}
	etna_set(job, VIVS_RS_CONFIG, VIV_SET(VIVS_RS_CONFIG_SOURCE_FORMAT, RS_FORMAT_A8R8G8B8) |
				      VIV_SET(VIVS_RS_CONFIG_DEST_FORMAT, RS_FORMAT_A8R8G8B8));
	etna_set(job, VIVS_RS_WINDOW_SIZE,
		 VIV_SET(VIVS_RS_WINDOW_SIZE_WIDTH, 64) |
		 VIV_SET(VIVS_RS_WINDOW_SIZE_HEIGHT, two ? rows / 2 : rows));
	etna_set(job, VIVS_RS_DITHER, ~0u);
	etna_set(job, VIV_AT(VIVS_RS_DITHER, 1), ~0u);
	etna_set(job, VIVS_RS_FILL_VALUE, value);
	etna_set(job, VIVS_RS_CLEAR_CONTROL,
		 VIV_SET(VIVS_RS_CLEAR_CONTROL_MODE, VIVS_RS_CLEAR_CONTROL_MODE_ENABLED1) |
		 VIV_SET(VIVS_RS_CLEAR_CONTROL_BITS, 0xffff));
	etna_set(job, VIVS_RS_EXTRA_CONFIG, 0);
	kick_rs(job);
}

static void kick_blt(struct etna_job *job)
{
	etna_set(job, VIVS_BLT_ENABLE, VIVS_BLT_ENABLE_ENABLE);
	etna_set(job, VIVS_BLT_SET_COMMAND, 3);
	etna_set(job, VIVS_BLT_COMMAND, VIVS_BLT_COMMAND_COMMAND_CLEAR_IMAGE);
	etna_set(job, VIVS_BLT_SET_COMMAND, 3);
	etna_set(job, VIVS_BLT_ENABLE, 0);
}

/* Which states: Mesa's emit_blt_clearimage() (etnaviv_blt.c). */
static void fill_blt(struct etna_job *job, uint32_t bo, uint32_t offset, uint32_t rows,
		     uint32_t value)
{
	uint32_t stride = VIV_SET(VIVS_BLT_DEST_STRIDE_TILING, BLT_TILING_LINEAR) |
			  VIV_SET(VIVS_BLT_DEST_STRIDE_STRIDE, 256);
	uint32_t config = VIV_SET(BLT_DEST_IMAGE_CONFIG_TS_MODE, TS_MODE_128B) |
			  VIV_SET(BLT_DEST_IMAGE_CONFIG_SWIZ_R, TEXTURE_SWIZZLE_RED) |
			  VIV_SET(BLT_DEST_IMAGE_CONFIG_SWIZ_G, TEXTURE_SWIZZLE_GREEN) |
			  VIV_SET(BLT_DEST_IMAGE_CONFIG_SWIZ_B, TEXTURE_SWIZZLE_BLUE) |
			  VIV_SET(BLT_DEST_IMAGE_CONFIG_SWIZ_A, TEXTURE_SWIZZLE_ALPHA);

	etna_set(job, VIVS_BLT_ENABLE, VIVS_BLT_ENABLE_ENABLE);
	etna_set(job, VIVS_BLT_CONFIG, VIV_SET(VIVS_BLT_CONFIG_CLEAR_BPP, 3));
	etna_set(job, VIVS_BLT_DEST_STRIDE, stride);
	etna_set(job, VIVS_BLT_DEST_CONFIG, config | BLT_DEST_IMAGE_CONFIG_UNK22);
	etna_set_address(job, VIVS_BLT_DEST_ADDR, bo, offset);
	etna_set(job, VIVS_BLT_SRC_STRIDE, stride);
	etna_set(job, VIVS_BLT_SRC_CONFIG, config);
	etna_set_address(job, VIVS_BLT_SRC_ADDR, bo, offset);
	etna_set(job, VIVS_BLT_DEST_POS, 0);
	etna_set(job, VIVS_BLT_IMAGE_SIZE, VIV_SET(VIVS_BLT_IMAGE_SIZE_WIDTH, 64) |
					   VIV_SET(VIVS_BLT_IMAGE_SIZE_HEIGHT, rows));
	for (int i = 0; i < 2; i++) {
		etna_set(job, i ? VIVS_BLT_CLEAR_COLOR1 : VIVS_BLT_CLEAR_COLOR0, value);
		etna_set(job, i ? VIVS_BLT_CLEAR_BITS1 : VIVS_BLT_CLEAR_BITS0, ~0u);
	}
	kick_blt(job);
}

static void kick_2d(struct etna_job *job)
{
	uint32_t rows = job->fill_rows;

	etna_put(job, VIV_FE_COMMAND(DRAW_2D) | VIV_SET(VIV_FE_DRAW_2D_HEADER_COUNT, 1), 0xdeadbeef);
	etna_put(job, 0, VIV_SET(VIV_FE_DRAW_2D_BOTTOM_RIGHT_X, 64) |
			 VIV_SET(VIV_FE_DRAW_2D_BOTTOM_RIGHT_Y, rows));
}

/* Which states: libdrm's tests/etnaviv/etnaviv_2d_test.c. */
static void fill_2d(struct etna_job *job, uint32_t bo, uint32_t offset, uint32_t rows,
		    uint32_t value)
{
	static const uint32_t zero[] = {
		VIVS_DE_SRC_STRIDE, VIVS_DE_SRC_ROTATION_CONFIG, VIVS_DE_SRC_CONFIG,
		VIVS_DE_SRC_ORIGIN, VIVS_DE_SRC_SIZE, VIVS_DE_CLIP_TOP_LEFT, VIVS_DE_CONFIG,
		VIVS_DE_ALPHA_CONTROL, VIVS_DE_ALPHA_MODES, VIVS_DE_ROT_ANGLE,
		VIVS_DE_DEST_COLOR_KEY, VIVS_DE_COLOR_MULTIPLY_MODES, VIVS_DE_PE_TRANSPARENCY,
		VIVS_DE_PE_CONTROL, VIVS_DE_SRC_ROTATION_HEIGHT, VIVS_DE_SRC_ORIGIN_FRACTION,
	};

	for (unsigned int i = 0; i < sizeof(zero) / sizeof(zero[0]); i++)
		etna_set(job, zero[i], 0);
	etna_set_address(job, VIVS_DE_DEST_ADDRESS, bo, offset);
	etna_set(job, VIVS_DE_DEST_STRIDE, VIV_SET(VIVS_DE_DEST_STRIDE_STRIDE, 256));
	etna_set(job, VIVS_DE_DEST_ROTATION_CONFIG, VIV_SET(VIVS_DE_DEST_ROTATION_CONFIG_WIDTH, 64));
	etna_set(job, VIVS_DE_DEST_ROTATION_HEIGHT, rows);
	etna_set(job, VIVS_DE_DEST_CONFIG,
		 VIV_SET(VIVS_DE_DEST_CONFIG_FORMAT, DE_FORMAT_A8R8G8B8) |
		 VIV_SET(VIVS_DE_DEST_CONFIG_COMMAND, VIVS_DE_DEST_CONFIG_COMMAND_CLEAR));
	etna_set(job, VIVS_DE_ROP, VIV_SET(DE_ROP_ROP_FG, 0xcc) | VIV_SET(DE_ROP_ROP_BG, 0xcc) |
				   VIV_SET(DE_ROP_TYPE, DE_ROP_TYPE_ROP4));
	etna_set(job, VIVS_DE_CLIP_BOTTOM_RIGHT, VIV_SET(VIVS_DE_CLIP_BOTTOM_RIGHT_X, 64) |
						 VIV_SET(VIVS_DE_CLIP_BOTTOM_RIGHT_Y, rows));
	etna_set(job, VIVS_DE_PE_DITHER_LOW, ~0u);
	etna_set(job, VIVS_DE_PE_DITHER_HIGH, ~0u);
	etna_set(job, VIVS_DE_CLEAR_PIXEL_VALUE32, value);
	job->exec_state = ETNA_PIPE_2D;
	kick_2d(job);
}

void etna_job_fill_rows(int fd, struct etna_job *job, const struct etna_bo *bo, uint32_t offset,
			uint32_t rows, uint32_t value)
{
	uint32_t index = etna_job_use(job, bo, ETNA_SUBMIT_BO_WRITE);

	igt_assert(rows % 8 == 0 && offset + rows * 256 <= bo->size);
	job->fill_rows = rows;
	switch (engine_of(fd, job->pipe)) {
	case ENGINE_RS:
		fill_rs(fd, job, index, offset, rows, value);
		break;
	case ENGINE_BLT:
		fill_blt(job, index, offset, rows, value);
		break;
	case ENGINE_2D:
		fill_2d(job, index, offset, rows, value);
		break;
	}
}

void etna_job_fill_again(int fd, struct etna_job *job)
{
	switch (engine_of(fd, job->pipe)) {
	case ENGINE_RS:
		kick_rs(job);
		break;
	case ENGINE_BLT:
		kick_blt(job);
		break;
	case ENGINE_2D:
		kick_2d(job);
		break;
	}
}

bool etna_can_fill(int fd)
{
	return engine_of(fd, 0) == ENGINE_RS;
}

void etna_job_fill(int fd, struct etna_job *job, const struct etna_bo *bo, uint32_t value)
{
	etna_job_fill_rows(fd, job, bo, 0, 8, value);
	etna_set(job, VIVS_RS_CLEAR_CONTROL, 0);
}

void etna_job_good(int fd, struct etna_job *job, const struct etna_bo *bo, uint32_t value)
{
	etna_job_new(fd, job);
	if (etna_can_fill(fd))
		etna_job_fill(fd, job, bo, value);
	else
		etna_put(job, VIV_FE_COMMAND(NOP), 0);
}

void etna_job_hang(struct etna_job *job)
{
	etna_put(job, VIV_FE_COMMAND(STALL), VIV_SET(VIV_FE_STALL_TOKEN_FROM, SYNC_RECIPIENT_FE) |
					     VIV_SET(VIV_FE_STALL_TOKEN_TO, SYNC_RECIPIENT_PE));
}
