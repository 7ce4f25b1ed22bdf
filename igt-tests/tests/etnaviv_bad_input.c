// SPDX-License-Identifier: MIT
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
#include <xf86drm.h>

#include <limn/vivante/cmdstream.h>

#include "etna_lib.h"
#include "igt.h"

IGT_TEST_DESCRIPTION("Bad input of any size: lists of millions, streams that leave themselves, memory and files of the wrong kind");

#define MARK	0xdeadu
#define VALUE	0x12345678u
#define PAGE	4096u

/* What the ABI takes at most (etnaviv's; of BOs, limn's is half). */
#define MAX_BOS		(64 * 1024)
#define MAX_RELOCS	(128 * 1024)
#define MAX_PMRS	128

static int fd = -1;
static struct etna_bo target;
static struct etna_job job;

/* Refused with that errno, and nothing of it has happened; then a good job runs. */
static void refused(int error, struct drm_etnaviv_gem_submit *req)
{
	target.map[0] = MARK;
	igt_assert_eq(gpu_try(fd, DRM_IOCTL_ETNAVIV_GEM_SUBMIT, req), error);
	igt_assert_eq(etna_try_prep(fd, target.handle, ETNA_PREP_WRITE, 30000), 0);
	igt_assert_eq_u32(target.map[0], MARK);
}

static void still_works(void)
{
	etna_job_good(fd, &job, &target, VALUE);
	igt_assert_eq(etna_run(fd, &job), 0);
	if (etna_can_fill(fd))
		igt_assert_eq_u32(target.map[0], VALUE);
}

/* --- Millions --------------------------------------------------------------- */

/* Zeros to read, and nothing to read behind them. */
static void *list_of(size_t bytes)
{
	size_t whole = (bytes + PAGE - 1) / PAGE * PAGE;
	char *at = mmap(NULL, whole + PAGE, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	igt_assert(at != MAP_FAILED);
	igt_assert_eq(mprotect(at + whole, PAGE, PROT_NONE), 0);
	return at + whole - bytes;	/* the list ends where the memory does */
}

static void list_free(void *list, size_t bytes)
{
	size_t whole = (bytes + PAGE - 1) / PAGE * PAGE;

	munmap((char *)list + bytes - whole, whole + PAGE);
}

/*
 * A count above the limit is refused for what it is: with memory behind the
 * pointer, with too little, with none. That the answer without memory is not
 * EFAULT shows that the list was not even looked at.
 */
static void millions(uint32_t limit, size_t row, __u32 *count, __u64 *list,
		     struct drm_etnaviv_gem_submit *req)
{
	const uint32_t counts[] = { limit + 1, 1u << 20, 8u << 20, 0x7fffffff, 0x80000000, 0xffffffff };
	size_t most = (size_t)(8u << 20) * row, half = most / 2;
	void *all = list_of(most), *some = list_of(half);

	for (unsigned int i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		*count = counts[i];
		*list = (uintptr_t)all;
		refused(-EINVAL, req);
		*list = (uintptr_t)some;
		refused(-EINVAL, req);
		*list = 0;
		refused(-EINVAL, req);
		*list = ~0ull - 7;
		refused(-EINVAL, req);
	}
	list_free(all, most);
	list_free(some, half);
}

static void millions_of_bos(void)
{
	struct drm_etnaviv_gem_submit req;
	size_t bytes = MAX_BOS * sizeof(struct drm_etnaviv_gem_submit_bo);
	struct drm_etnaviv_gem_submit_bo *list;

	etna_job_good(fd, &job, &target, VALUE);
	req = etna_job_args(&job);
	millions(2 * MAX_BOS, sizeof(*list), &req.nr_bos, &req.bos, &req);

	/* As many as may be: no such handle; the same one over and over; a list that is too short. */
	req.nr_bos = MAX_BOS;
	list = list_of(bytes);
	req.bos = (uintptr_t)list;
	refused(-EINVAL, &req);
	list_free(list, bytes);
	list = calloc(MAX_BOS, sizeof(*list));
	igt_assert(list);
	for (uint32_t i = 0; i < MAX_BOS; i++) {
		list[i].handle = target.handle;
		list[i].flags = ETNA_SUBMIT_BO_READ;
	}
	req.bos = (uintptr_t)list;
	refused(-EALREADY, &req);
	free(list);
	list = list_of(bytes / 2);
	req.bos = (uintptr_t)list;
	req.nr_relocs = 0;
	refused(-EFAULT, &req);
	list_free(list, bytes / 2);
	still_works();
}

static void millions_of_relocs(void)
{
	struct drm_etnaviv_gem_submit req;
	size_t bytes = MAX_RELOCS * sizeof(struct drm_etnaviv_gem_submit_reloc);
	void *list;

	etna_job_good(fd, &job, &target, VALUE);
	req = etna_job_args(&job);
	millions(MAX_RELOCS, sizeof(struct drm_etnaviv_gem_submit_reloc), &req.nr_relocs, &req.relocs, &req);

	/* As many as may be: all of them of word 0, which is a command. */
	req.nr_relocs = MAX_RELOCS;
	list = list_of(bytes);
	req.relocs = (uintptr_t)list;
	refused(-EINVAL, &req);
	list_free(list, bytes);
	list = list_of(bytes / 2);
	req.relocs = (uintptr_t)list;
	refused(-EFAULT, &req);
	list_free(list, bytes / 2);
	still_works();
}

static void count_words(struct drm_etnaviv_gem_submit_pmr *list, uint32_t num, uint32_t bo)
{
	for (uint32_t i = 0; i < num; i++)
		list[i] = (struct drm_etnaviv_gem_submit_pmr) {
			.flags = ETNA_PM_PROCESS_POST, .read_offset = 1 + i, .read_idx = bo,
		};
}

static void millions_of_pmrs(void)
{
	struct drm_etnaviv_gem_submit_pmr *list;
	struct drm_etnaviv_gem_submit req;
	struct etna_bo bo = etna_bo_new(fd, PAGE);
	uint32_t index;

	etna_job_good(fd, &job, &target, VALUE);
	index = etna_job_use(&job, &bo, ETNA_SUBMIT_BO_WRITE);
	req = etna_job_args(&job);
	millions(MAX_PMRS, sizeof(*list), &req.nr_pmrs, &req.pmrs, &req);

	/* As many as may be, which each are good; half of them not there; the last one bad. */
	list = list_of(MAX_PMRS / 2 * sizeof(*list));
	count_words(list, MAX_PMRS / 2, index);
	req.nr_pmrs = MAX_PMRS;
	req.pmrs = (uintptr_t)list;
	refused(-EFAULT, &req);
	list_free(list, MAX_PMRS / 2 * sizeof(*list));
	list = calloc(MAX_PMRS, sizeof(*list));
	igt_assert(list);
	count_words(list, MAX_PMRS, index);
	req.pmrs = (uintptr_t)list;
	req.flags = ETNA_SUBMIT_FENCE_FD_OUT;
	igt_assert_eq(gpu_try(fd, DRM_IOCTL_ETNAVIV_GEM_SUBMIT, &req), 0);
	igt_assert_eq(etna_end(req.fence_fd), 0);
	list[MAX_PMRS - 1].read_offset = PAGE;
	refused(-EINVAL, &req);
	free(list);
	etna_bo_free(&bo);
	still_works();
}

/* A stream above the limit, with and without memory behind it. */
static void millions_of_words(void)
{
	static const uint32_t sizes[] = { 128 * 1024 + 4, 16u << 20, 0x80000000, 0xfffffffc };
	struct drm_etnaviv_gem_submit req;
	void *list = list_of(16u << 20);

	etna_job_good(fd, &job, &target, VALUE);
	req = etna_job_args(&job);
	for (unsigned int i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		req.stream_size = sizes[i];
		req.stream = (uintptr_t)list;
		refused(-EINVAL, &req);
		req.stream = 0;
		refused(-EINVAL, &req);
	}
	list_free(list, 16u << 20);
	list = list_of(64 * 1024);
	req.stream = (uintptr_t)list;
	req.stream_size = 128 * 1024;
	req.nr_relocs = 0;
	refused(-EFAULT, &req);
	list_free(list, 64 * 1024);
	still_works();
}

/* --- Streams ---------------------------------------------------------------- */

/* A BO with a state that no client may load, where FE would find it and stop. */
static void hide_state(struct etna_bo *bo)
{
	bo->map[0] = VIV_FE_COMMAND(LOAD_STATE) | VIV_SET(VIV_FE_LOAD_STATE_HEADER_COUNT, 1) |
		     VIV_SET(VIV_FE_LOAD_STATE_HEADER_OFFSET, VIVS_GL_PIPE_SELECT / 4);
	bo->map[1] = 1;
	bo->map[2] = VIV_FE_COMMAND(END);
	bo->map[3] = 0;
}

/* A good stream, then a jump to such a BO, whose address the kernel is to fill in. */
static void state_behind(uint32_t opcode, bool has_return)
{
	struct etna_bo bo = etna_bo_new(fd, PAGE);
	struct drm_etnaviv_gem_submit req;

	hide_state(&bo);
	etna_job_good(fd, &job, &target, VALUE);
	job.relocs[job.num_relocs++] = (struct drm_etnaviv_gem_submit_reloc) {
		.submit_offset = (job.num_words + 1) * 4,
		.reloc_idx = etna_job_use(&job, &bo, ETNA_SUBMIT_BO_READ),
	};
	etna_put(&job, opcode | 2, 0);
	if (has_return)
		etna_put(&job, 2, 0);
	req = etna_job_args(&job);
	refused(-EINVAL, &req);
	etna_bo_free(&bo);
	still_works();
}

static void state_behind_link(void)
{
	state_behind(VIV_FE_COMMAND(LINK), false);
}

static void state_behind_call(void)
{
	state_behind(VIV_FE_COMMAND(CALL), true);
}

/* A load that is cut off in its middle would take in the words that the kernel puts behind it. */
static void cut_anywhere(void)
{
	struct drm_etnaviv_gem_submit req;
	uint32_t words, length;

	etna_job_good(fd, &job, &target, VALUE);
	etna_put(&job, VIV_FE_COMMAND(LOAD_STATE) | VIV_SET(VIV_FE_LOAD_STATE_HEADER_COUNT, 3) |
		       VIV_SET(VIV_FE_LOAD_STATE_HEADER_OFFSET, VIVS_RS_DITHER / 4), 0);
	etna_put(&job, 0, 0);
	words = job.num_words;
	job.num_relocs = 0;
	/* All lengths: whole commands end at even words, so half of the others are cut. */
	for (uint32_t at = 0; at < words; at += length) {
		length = viv_fe_command_words(job.words[at]);
		igt_assert(length);
		for (uint32_t n = 1; n < length; n++) {
			req = etna_job_args(&job);
			req.stream_size = (at + n) * 4;
			igt_assert_eq(gpu_try(fd, DRM_IOCTL_ETNAVIV_GEM_SUBMIT, &req), -EINVAL);
		}
	}
	still_works();
}

/* --- Memory and files --------------------------------------------------------- */

static int try_userptr(void *at, uint32_t flags, uint32_t *handle)
{
	struct drm_etnaviv_gem_userptr req = { .user_ptr = (uintptr_t)at, .user_size = PAGE, .flags = flags };
	int ret = gpu_try(fd, DRM_IOCTL_ETNAVIV_GEM_USERPTR, &req);

	*handle = req.handle;
	return ret;
}

/* The file behind the memory is cut off: pages that are pinned stay, new ones are not to be had. */
static void userptr_truncated(void)
{
	struct etna_bo user = { .fd = fd, .size = PAGE };
	int file = memfd_create("userptr", MFD_CLOEXEC);
	uint32_t *page, handle;

	igt_assert(file >= 0 && !ftruncate(file, PAGE));
	page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	igt_assert(page != MAP_FAILED);
	igt_assert_eq(try_userptr(page, ETNA_USERPTR_READ | ETNA_USERPTR_WRITE, &user.handle), 0);
	igt_assert_eq(ftruncate(file, 0), 0);
	igt_assert_eq(try_userptr(page, ETNA_USERPTR_READ | ETNA_USERPTR_WRITE, &handle), -EFAULT);
	etna_job_new(fd, &job);
	if (etna_can_fill(fd))
		etna_job_fill(fd, &job, &user, VALUE);
	igt_assert_eq(etna_run(fd, &job), 0);
	munmap(page, PAGE);
	close(file);
	gem_close(fd, user.handle);
	still_works();
}

static void userptr_wrong_kind(void)
{
	void *read_only = mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	void *nothing = mmap(NULL, PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint32_t handle;

	igt_assert(read_only != MAP_FAILED && nothing != MAP_FAILED);
	/* Memory of a BO, which has no pages that could be pinned; memory not to be written, or read. */
	igt_assert_eq(try_userptr(target.map, ETNA_USERPTR_READ | ETNA_USERPTR_WRITE, &handle), -EFAULT);
	igt_assert_eq(try_userptr(read_only, ETNA_USERPTR_READ | ETNA_USERPTR_WRITE, &handle), -EFAULT);
	igt_assert_eq(try_userptr(nothing, ETNA_USERPTR_READ | ETNA_USERPTR_WRITE, &handle), -EFAULT);
	munmap(nothing, PAGE);
	igt_assert_eq(try_userptr(nothing, ETNA_USERPTR_READ | ETNA_USERPTR_WRITE, &handle), -EFAULT);
	munmap(read_only, PAGE);
}

static void fds_of_the_wrong_kind(void)
{
	struct drm_etnaviv_gem_submit req;
	int ends[2], dmabuf, file, syncobj_fd = -1, sync_file;
	uint32_t syncobj = 0, handle;

	igt_assert_eq(pipe(ends), 0);
	file = memfd_create("file", MFD_CLOEXEC);
	igt_assert_eq(drmPrimeHandleToFD(fd, target.handle, DRM_CLOEXEC, &dmabuf), 0);
	/* Mainline's driver has none. */
	if (!drmSyncobjCreate(fd, 0, &syncobj))
		igt_assert_eq(drmSyncobjHandleToFD(fd, syncobj, &syncobj_fd), 0);
	etna_job_good(fd, &job, &target, VALUE);
	sync_file = etna_start(fd, &job);

	const int wrong[] = { -1, 0x7fffffff, 1000, fd, ends[0], ends[1], file, dmabuf, syncobj_fd };

	etna_job_good(fd, &job, &target, VALUE);
	for (unsigned int i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		req = etna_job_args(&job);
		req.flags = ETNA_SUBMIT_FENCE_FD_IN;
		req.fence_fd = wrong[i];
		igt_assert_eq(gpu_try(fd, DRM_IOCTL_ETNAVIV_GEM_SUBMIT, &req), -EINVAL);
		/* Nor does one that is to come out of it. */
		req.flags |= ETNA_SUBMIT_FENCE_FD_OUT;
		igt_assert_eq(gpu_try(fd, DRM_IOCTL_ETNAVIV_GEM_SUBMIT, &req), -EINVAL);
		if (wrong[i] == dmabuf)
			continue;
		igt_assert_neq(drmPrimeFDToHandle(fd, wrong[i], &handle), 0);
	}
	igt_assert_neq(drmPrimeFDToHandle(fd, sync_file, &handle), 0);
	igt_assert_eq(etna_end(sync_file), 0);
	close(ends[0]);
	close(ends[1]);
	close(file);
	close(dmabuf);
	if (syncobj) {
		close(syncobj_fd);
		drmSyncobjDestroy(fd, syncobj);
	}
	still_works();
}

igt_main
{
	igt_fixture {
		fd = etna_open();
		target = etna_bo_new(fd, PAGE);
	}
	igt_subtest("millions-of-bos")
		millions_of_bos();
	igt_subtest("millions-of-relocs")
		millions_of_relocs();
	igt_subtest("millions-of-pmrs")
		millions_of_pmrs();
	igt_subtest("millions-of-words")
		millions_of_words();
	igt_subtest("state-behind-link")
		state_behind_link();
	igt_subtest("state-behind-call")
		state_behind_call();
	igt_subtest("cut-anywhere")
		cut_anywhere();
	igt_subtest("userptr-truncated")
		userptr_truncated();
	igt_subtest("userptr-wrong-kind")
		userptr_wrong_kind();
	igt_subtest("fds-of-the-wrong-kind")
		fds_of_the_wrong_kind();
	igt_fixture {
		etna_bo_free(&target);
		close(fd);
	}
}
