// SPDX-License-Identifier: MIT
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <unistd.h>

#include <drm/etnaviv_drm.h>
#include <drm/lima_drm.h>
#include <drm/limn_drm.h>
#include <xf86drm.h>

#include "capture/sink.h"
#include "capture/track.h"

#define MAX_FDS		4096
#define MAX_HANDLES	(1u << 20)
#define DRM_MAJOR	226
#define PAGE		4096u
#define MAX_RUNS	1024		/* of a chunk */
#define MAX_DATA	(4u << 20)	/* bytes of a chunk */
#define WAIT_NS		20000000000ull	/* longer than a driver's own job timeout */

static struct file *files[MAX_FDS];	/* by descriptor */
static bool foreign[MAX_FDS];		/* looked at: not ours */
static struct {
	struct file *file;
	uint64_t done;
} sync_files[MAX_FDS];			/* by descriptor */
bool capture_results;

bool track_fetch(void *to, uint64_t from, size_t size)
{
	struct iovec here = { to, size }, there = { (void *)(uintptr_t)from, size };
	ssize_t n;

	if (!size)
		return true;
	if (!from)
		return false;
	n = process_vm_readv(getpid(), &here, 1, &there, 1, 0);
	if (n < 0 && (errno == ENOSYS || errno == EPERM)) {
		memcpy(to, there.iov_base, size);
		return true;
	}
	return n == (ssize_t)size;
}

/* --- Files ------------------------------------------------------------------------------- */

static void ask_params(struct file *f, struct limn_capture_file *told)
{
	struct drm_etnaviv_param etna;
	struct drm_lima_get_param lima;

	for (uint32_t core = 0; core < LIMN_CAPTURE_CORES; core++) {
		bool any = false;

		for (uint32_t i = 0; i < LIMN_CAPTURE_PARAMS; i++) {
			etna = (struct drm_etnaviv_param){ .pipe = core, .param = i };
			lima = (struct drm_lima_get_param){ .param = i };
			if (f->family == LIMN_CAPTURE_VIVANTE ? real_ioctl(f->fd, DRM_IOCTL_ETNAVIV_GET_PARAM, &etna) :
								real_ioctl(f->fd, DRM_IOCTL_LIMA_GET_PARAM, &lima))
				continue;
			any = true;
			told->params[core][i] = f->family == LIMN_CAPTURE_VIVANTE ? etna.value : lima.value;
		}
		if (!any)
			break;
		told->num_cores = core + 1;
		if (f->family == LIMN_CAPTURE_UTGARD)
			break;
	}
}

static struct file *new_file(int fd)
{
	struct limn_capture_file told = { .file = 0 };
	char name[32] = "", desc[96] = "";
	struct drm_version v = { .name = name, .name_len = sizeof(name) - 1, .desc = desc, .desc_len = sizeof(desc) - 1 };
	struct stat st;
	struct file *f;

	if (fstat(fd, &st) || !S_ISCHR(st.st_mode) || major(st.st_rdev) != DRM_MAJOR ||
	    real_ioctl(fd, DRM_IOCTL_VERSION, &v) || (strcmp(name, "lima") && strcmp(name, "etnaviv")))
		return NULL;
	f = calloc(1, sizeof(*f));
	if (!f)
		return NULL;
	sink_begin_process();
	f->fd = fd;
	f->users = 1;
	f->id = sink_number();
	f->family = strcmp(name, "lima") ? LIMN_CAPTURE_VIVANTE : LIMN_CAPTURE_UTGARD;
	told.file = f->id;
	told.family = f->family;
	memcpy(told.driver, name, sizeof(name));
	memcpy(told.desc, desc, sizeof(desc));
	told.version[0] = v.version_major;
	told.version[1] = v.version_minor;
	told.version[2] = v.version_patchlevel;
	ask_params(f, &told);
	sink_struct(LIMN_CAPTURE_FILE, told);
	return f;
}

struct file *track_file(int fd)
{
	if (fd < 0 || fd >= MAX_FDS || foreign[fd])
		return NULL;
	if (!files[fd])
		files[fd] = new_file(fd);
	foreign[fd] = !files[fd];
	return files[fd];
}

static void drop_bo(struct file *f, struct bo *bo)
{
	size_t pages = bo->size / PAGE;

	if (bo->map && !(bo->flags & LIMN_CAPTURE_USERMEM))
		munmap((void *)bo->map, bo->size);
	if (bo->copy)
		munmap(bo->copy, bo->size + pages);
	*bo = (struct bo){ .id = 0 };
}

void track_close(int fd)
{
	struct file *f = fd >= 0 && fd < MAX_FDS ? files[fd] : NULL;

	if (fd < 0 || fd >= MAX_FDS)
		return;
	sync_files[fd].done = 0;
	foreign[fd] = false;
	files[fd] = NULL;
	if (!f || --f->users) {
		for (int i = 0; f && f->fd == fd && i < MAX_FDS; i++)
			f->fd = files[i] == f ? i : f->fd;
		return;
	}
	for (uint32_t i = 0; i < f->num_bos; i++) {
		if (f->bos[i].id)
			track_free_bo(f, i);
	}
	for (int i = 0; i < MAX_FDS; i++) {
		if (sync_files[i].file == f)
			sync_files[i].done = 0;
	}
	free(f->bos);
	free(f);
}

void track_dup(int from, int to)
{
	if (from < 0 || from >= MAX_FDS || to < 0 || to >= MAX_FDS || from == to)
		return;
	track_close(to);
	sync_files[to] = sync_files[from];
	files[to] = files[from];
	if (files[to])
		files[to]->users++;
}

/* --- BOs --------------------------------------------------------------------------------- */

struct bo *track_new_bo(struct file *f, uint32_t handle, uint64_t size, uint64_t va, uint32_t flags)
{
	struct limn_capture_bo told = { .file = f->id, .va = va, .handle = handle, .flags = flags };
	struct bo *bo;

	if (handle >= f->num_bos) {
		uint32_t n = handle + 64;
		struct bo *more = handle < MAX_HANDLES ? realloc(f->bos, n * sizeof(*more)) : NULL;

		if (!more)
			return NULL;
		memset(more + f->num_bos, 0, (n - f->num_bos) * sizeof(*more));
		f->bos = more;
		f->num_bos = n;
	}
	bo = &f->bos[handle];
	if (bo->id)
		track_free_bo(f, handle);
	*bo = (struct bo){
		.id = sink_number(), .size = (size + PAGE - 1) & ~(uint64_t)(PAGE - 1), .va = va, .flags = flags,
		.shared = flags & (LIMN_CAPTURE_IMPORTED | LIMN_CAPTURE_USERMEM),
	};
	told.bo = bo->id;
	told.size = bo->size;
	sink_struct(LIMN_CAPTURE_BO, told);
	return bo;
}

void track_free_bo(struct file *f, uint32_t handle)
{
	struct limn_capture_bo_free told;

	if (handle >= f->num_bos || !f->bos[handle].id)
		return;
	told.bo = f->bos[handle].id;
	sink_struct(LIMN_CAPTURE_BO_FREE, told);
	drop_bo(f, &f->bos[handle]);
}

/* Size and place of a BO that came by another way: what PRIME gives has a size. */
static struct bo *ask_bo(struct file *f, uint32_t handle)
{
	struct drm_prime_handle prime = { .handle = handle, .flags = DRM_CLOEXEC };
	struct drm_lima_gem_info info = { .handle = handle };
	off_t size;

	if (!handle || real_ioctl(f->fd, DRM_IOCTL_PRIME_HANDLE_TO_FD, &prime))
		return NULL;
	size = lseek(prime.fd, 0, SEEK_END);
	syscall(SYS_close, prime.fd);
	if (size <= 0 || (f->family == LIMN_CAPTURE_UTGARD && real_ioctl(f->fd, DRM_IOCTL_LIMA_GEM_INFO, &info)))
		return NULL;
	return track_new_bo(f, handle, size, info.va, LIMN_CAPTURE_IMPORTED);
}

struct bo *track_bo(struct file *f, uint32_t handle)
{
	if (handle < f->num_bos && f->bos[handle].id)
		return &f->bos[handle];
	return ask_bo(f, handle);
}

static void find_offset(struct file *f, uint32_t handle, struct bo *bo)
{
	struct drm_lima_gem_info lima = { .handle = handle };
	struct drm_etnaviv_gem_info etna = { .handle = handle };

	if (bo->offset)
		return;
	if (f->family == LIMN_CAPTURE_UTGARD && !real_ioctl(f->fd, DRM_IOCTL_LIMA_GEM_INFO, &lima))
		bo->offset = lima.offset;
	else if (f->family == LIMN_CAPTURE_VIVANTE && !real_ioctl(f->fd, DRM_IOCTL_ETNAVIV_GEM_INFO, &etna))
		bo->offset = etna.offset;
}

/* The library's own mapping and copy; false: the CPU cannot see this BO. */
static bool map_bo(struct file *f, uint32_t handle, struct bo *bo)
{
	size_t pages = bo->size / PAGE;
	void *p;

	if (bo->flags & LIMN_CAPTURE_HEAP || !bo->size)
		return false;
	if (!bo->map) {
		find_offset(f, handle, bo);
		p = bo->offset ? real_mmap(NULL, bo->size, PROT_READ, MAP_SHARED, f->fd, bo->offset) : MAP_FAILED;
		if (p == MAP_FAILED)
			return false;
		bo->map = p;
	}
	if (!bo->copy) {
		p = real_mmap(NULL, bo->size + pages, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		if (p == MAP_FAILED)
			return false;
		bo->copy = p;
		bo->known = bo->copy + bo->size;
	}
	return true;
}

void track_mapped(struct file *f, uint64_t offset)
{
	struct bo *hit = NULL;
	uint32_t handle = 0;

	for (uint32_t i = 0; i < f->num_bos && !hit; i++) {
		struct bo *bo = &f->bos[i];

		if (!bo->id || bo->flags & LIMN_CAPTURE_HEAP)
			continue;
		find_offset(f, i, bo);
		if (bo->offset == offset) {
			hit = bo;
			handle = i;
		}
	}
	if (!hit)
		return;
	/* Until now only jobs can have written it. */
	if (!hit->shared && hit->gpu_wrote)
		track_wait(f, handle, hit);
	hit->shared = true;
}

/* --- Contents ---------------------------------------------------------------------------- */

static const uint8_t zeros[PAGE];

static bool page_changed(const struct bo *bo, uint64_t page)
{
	return memcmp(bo->map + page * PAGE, bo->known[page] ? bo->copy + page * PAGE : zeros, PAGE);
}

static bool any_changed(const struct bo *bo)
{
	for (uint64_t i = 0; i < bo->size / PAGE; i++)
		if (page_changed(bo, i))
			return true;
	return false;
}

static void flush_runs(const struct bo *bo, uint32_t kind, const struct limn_capture_run *runs, uint32_t num)
{
	struct limn_capture_data data = { .bo = bo->id, .kind = kind, .num_runs = num };
	struct sink_part parts[2 + MAX_RUNS] = { { &data, sizeof(data) }, { runs, num * sizeof(*runs) } };

	for (uint32_t i = 0; i < num; i++)
		parts[2 + i] = (struct sink_part){ bo->copy + runs[i].offset, runs[i].size };
	if (num)
		sink_chunk(LIMN_CAPTURE_DATA, parts, 2 + num);
}

/* Records the pages that are not as the capture says. They are copied first: other threads may write. */
static void record_changes(struct bo *bo, uint32_t kind)
{
	struct limn_capture_run runs[MAX_RUNS];
	uint64_t pages = bo->size / PAGE, bytes = 0;
	uint32_t num = 0;

	for (uint64_t i = 0; i < pages; i++) {
		if (!page_changed(bo, i))
			continue;
		memcpy(bo->copy + i * PAGE, bo->map + i * PAGE, PAGE);
		bo->known[i] = 1;
		if (num && runs[num - 1].offset + runs[num - 1].size == i * PAGE)
			runs[num - 1].size += PAGE;
		else
			runs[num++] = (struct limn_capture_run){ i * PAGE, PAGE };
		bytes += PAGE;
		if (num == MAX_RUNS || bytes >= MAX_DATA) {
			flush_runs(bo, kind, runs, num);
			num = 0;
			bytes = 0;
		}
	}
	flush_runs(bo, kind, runs, num);
}

static void wait_idle(struct file *f, uint32_t handle)
{
	uint64_t until = sink_now() + WAIT_NS;
	struct drm_lima_gem_wait lima = { .handle = handle, .op = LIMA_GEM_WAIT_READ, .timeout_ns = until };
	struct drm_etnaviv_gem_wait etna = {
		.handle = handle, .timeout = { until / 1000000000u, until % 1000000000u },
	};

	if (f->family == LIMN_CAPTURE_UTGARD) {
		real_ioctl(f->fd, DRM_IOCTL_LIMA_GEM_WAIT, &lima);
		return;
	}
	for (etna.pipe = 0; etna.pipe < LIMN_CAPTURE_CORES; etna.pipe++)
		real_ioctl(f->fd, DRM_IOCTL_ETNAVIV_GEM_WAIT, &etna);
}

void track_look(struct file *f, uint32_t handle, struct bo *bo)
{
	if (!bo->shared || !map_bo(f, handle, bo))
		return;
	if (bo->gpu_wrote || bo->flags & LIMN_CAPTURE_IMPORTED) {
		if (!any_changed(bo))
			return;
		/* What is half written now would be told for good. */
		wait_idle(f, handle);
	}
	bo->gpu_wrote = false;
	record_changes(bo, LIMN_CAPTURE_WRITTEN);
}

void track_result(struct file *f, uint32_t handle, struct bo *bo)
{
	if (!bo->gpu_wrote || !bo->shared || !map_bo(f, handle, bo))
		return;
	bo->gpu_wrote = false;
	record_changes(bo, LIMN_CAPTURE_RESULT);
}

/* Fences of a pipe signal in their order. */
static bool is_done(uint64_t of, uint64_t done)
{
	return of == done || (of >> 32 == done >> 32 && of >> 62 == 1 && (int32_t)((uint32_t)done - (uint32_t)of) >= 0);
}

void track_done(struct file *f, uint64_t done)
{
	for (uint32_t i = 0; i < f->num_bos; i++) {
		struct bo *bo = &f->bos[i];

		if (bo->id && bo->gpu_wrote && bo->done && is_done(bo->done, done))
			track_result(f, i, bo);
	}
}

void track_sync_file(struct file *f, int fd, uint64_t done)
{
	if (fd < 0 || fd >= MAX_FDS)
		return;
	sync_files[fd].file = f;
	sync_files[fd].done = done;
}

void track_readable(int fd)
{
	if (fd >= 0 && fd < MAX_FDS && sync_files[fd].done)
		track_done(sync_files[fd].file, sync_files[fd].done);
}

void track_wait(struct file *f, uint32_t handle, struct bo *bo)
{
	if (!map_bo(f, handle, bo))
		return;
	wait_idle(f, handle);
	bo->gpu_wrote = false;
	record_changes(bo, LIMN_CAPTURE_RESULT);
}
