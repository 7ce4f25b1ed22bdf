// SPDX-License-Identifier: MIT
/* What the ioctls of lima's, etnaviv's and limn's user ABIs mean for a capture. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include <drm/etnaviv_drm.h>
#include <drm/lima_drm.h>
#include <drm/limn_drm.h>

#include "capture/ioctls.h"
#include "capture/sink.h"

/* What no driver accepts is not recorded. */
#define MAX_BOS		(1u << 16)
#define MAX_RELOCS	(1u << 20)
#define MAX_CMD		(16u << 20)
#define MAX_JOBS	64u
#define MAX_SYNCS	1024u

#define NR(request)	_IOC_NR(request)
#define COMMAND(nr)	(DRM_COMMAND_BASE + (nr))

/* A submit that is going to be recorded: each list with room for its count. */
struct record {
	struct limn_capture_submit s;
	struct limn_capture_use *uses;
	struct limn_capture_reloc *relocs;
	struct limn_capture_sync *syncs;
	struct limn_capture_pmr *pmrs;
	uint32_t *handles;	/* of uses */
	void *cmd;
};

/* The ioctl's structure, of which older clients know less. */
static bool fetch_arg(unsigned long request, const void *arg, void *to, size_t size)
{
	size_t theirs = _IOC_SIZE(request);

	memset(to, 0, size);
	return track_fetch(to, (uintptr_t)arg, theirs < size ? theirs : size);
}

/* --- A record ------------------------------------------------------------------------------ */

static bool record_alloc(struct record *r)
{
	const struct limn_capture_submit *s = &r->s;

	r->uses = calloc(s->num_bos + 1, sizeof(*r->uses));
	r->handles = calloc(s->num_bos + 1, sizeof(*r->handles));
	r->relocs = calloc(s->num_relocs + 1, sizeof(*r->relocs));
	r->syncs = calloc(s->num_syncs + 1, sizeof(*r->syncs));
	r->pmrs = calloc(s->num_pmrs + 1, sizeof(*r->pmrs));
	r->cmd = malloc(s->cmd_size + 1);
	return r->uses && r->handles && r->relocs && r->syncs && r->pmrs && r->cmd;
}

static void record_free(struct record *r)
{
	free(r->uses);
	free(r->handles);
	free(r->relocs);
	free(r->syncs);
	free(r->pmrs);
	free(r->cmd);
}

static void record_use(struct file *f, struct record *r, uint32_t i, uint32_t handle, uint32_t flags, uint64_t va)
{
	struct bo *bo = track_bo(f, handle);

	r->handles[i] = handle;
	if (!bo)
		return;
	track_look(f, handle, bo);
	r->uses[i] = (struct limn_capture_use){ .bo = bo->id, .va = va ? va : bo->va, .flags = flags };
}

/* Before the ioctl: a board may not come back from it. */
static void record_write(struct file *f, struct record *r)
{
	const struct limn_capture_submit *s = &r->s;
	const struct sink_part parts[] = {
		{ s, sizeof(*s) },
		{ r->uses, s->num_bos * sizeof(*r->uses) },
		{ r->relocs, s->num_relocs * sizeof(*r->relocs) },
		{ r->syncs, s->num_syncs * sizeof(*r->syncs) },
		{ r->pmrs, s->num_pmrs * sizeof(*r->pmrs) },
		{ r->cmd, s->cmd_size },
	};

	r->s.submit = sink_number();
	r->s.file = f->id;
	r->s.time_ns = sink_now();
	r->s.spent_ns = sink_spent_ns;
	sink_chunk(LIMN_CAPTURE_SUBMIT, parts, sizeof(parts) / sizeof(parts[0]));
}

static void record_refused(const struct record *r, int error)
{
	struct limn_capture_refused told = { .submit = r->s.submit, .error = -error };

	sink_struct(LIMN_CAPTURE_REFUSED, told);
}

/* The kernel has taken the job. */
static void record_taken(struct file *f, const struct record *r, uint64_t done)
{
	for (uint32_t i = 0; i < r->s.num_syncs; i++)
		done = r->syncs[i].flags == 1 && !r->syncs[i].point ? TRACK_SYNCOBJ(r->syncs[i].handle) : done;
	for (uint32_t i = 0; i < r->s.num_bos; i++) {
		struct bo *bo = r->uses[i].bo && r->uses[i].flags & 2 ? track_bo(f, r->handles[i]) : NULL;

		if (!bo)
			continue;
		bo->gpu_wrote = true;
		bo->done = done;
		if (capture_results)
			track_wait(f, r->handles[i], bo);
	}
}

/* --- lima ------------------------------------------------------------------------------------ */

static bool read_lima(struct file *f, unsigned long request, const void *arg, struct record *r)
{
	struct drm_lima_gem_submit req;

	if (!fetch_arg(request, arg, &req, sizeof(req)) || req.nr_bos > MAX_BOS || req.frame_size > MAX_CMD)
		return false;
	r->s = (struct limn_capture_submit){
		.pipe = req.pipe, .flags = req.flags, .ioctl = DRM_LIMA_GEM_SUBMIT, .group_size = 1, .num_bos = req.nr_bos,
		.cmd_size = req.frame_size, .ctx = req.ctx, .num_syncs = !!req.out_sync + !!req.in_sync[0] + !!req.in_sync[1],
	};
	if (!record_alloc(r) || !track_fetch(r->cmd, req.frame, req.frame_size))
		return false;
	for (uint32_t i = 0; i < req.nr_bos; i++) {
		struct drm_lima_gem_submit_bo bo;

		if (!track_fetch(&bo, req.bos + i * sizeof(bo), sizeof(bo)))
			return false;
		record_use(f, r, i, bo.handle, bo.flags, 0);
	}
	for (uint32_t i = 0, n = 0; i < 3; i++) {
		uint32_t handle = i < 2 ? req.in_sync[i] : req.out_sync;

		if (handle)
			r->syncs[n++] = (struct limn_capture_sync){ .handle = handle, .flags = i == 2 };
	}
	return true;
}

/* --- etnaviv ----------------------------------------------------------------------------------- */

static bool read_etnaviv_lists(struct file *f, const struct drm_etnaviv_gem_submit *req, struct record *r)
{
	for (uint32_t i = 0; i < req->nr_bos; i++) {
		struct drm_etnaviv_gem_submit_bo bo;

		if (!track_fetch(&bo, req->bos + i * sizeof(bo), sizeof(bo)))
			return false;
		record_use(f, r, i, bo.handle, bo.flags, req->flags & ETNA_SUBMIT_SOFTPIN ? bo.presumed : 0);
	}
	for (uint32_t i = 0; i < req->nr_relocs; i++) {
		struct drm_etnaviv_gem_submit_reloc reloc;

		if (!track_fetch(&reloc, req->relocs + i * sizeof(reloc), sizeof(reloc)))
			return false;
		r->relocs[i] = (struct limn_capture_reloc){ reloc.submit_offset, reloc.reloc_idx, reloc.reloc_offset };
	}
	_Static_assert(sizeof(struct limn_capture_pmr) == sizeof(struct drm_etnaviv_gem_submit_pmr), "one to one");
	return track_fetch(r->pmrs, req->pmrs, req->nr_pmrs * sizeof(*r->pmrs));
}

static bool read_etnaviv(struct file *f, unsigned long request, const void *arg, struct record *r)
{
	struct drm_etnaviv_gem_submit req;
	uint32_t n = 0;

	if (!fetch_arg(request, arg, &req, sizeof(req)) || req.nr_bos > MAX_BOS || req.nr_relocs > MAX_RELOCS ||
	    req.stream_size > MAX_CMD || req.nr_pmrs > MAX_BOS)
		return false;
	r->s = (struct limn_capture_submit){
		.pipe = req.pipe, .exec_state = req.exec_state, .flags = req.flags, .ioctl = DRM_ETNAVIV_GEM_SUBMIT,
		.group_size = 1, .num_bos = req.nr_bos, .num_relocs = req.nr_relocs, .num_pmrs = req.nr_pmrs,
		.cmd_size = req.stream_size,
		.num_syncs = !!(req.flags & ETNA_SUBMIT_FENCE_FD_IN) + !!(req.flags & ETNA_SUBMIT_FENCE_FD_OUT),
	};
	if (!record_alloc(r) || !track_fetch(r->cmd, req.stream, req.stream_size) || !read_etnaviv_lists(f, &req, r))
		return false;
	if (req.flags & ETNA_SUBMIT_FENCE_FD_IN)
		r->syncs[n++] = (struct limn_capture_sync){ .handle = req.fence_fd, .flags = 2 };
	if (req.flags & ETNA_SUBMIT_FENCE_FD_OUT)
		r->syncs[n++] = (struct limn_capture_sync){ .flags = 3 };
	return true;
}

/* What the kernel says of the job that it has taken. */
static uint64_t etnaviv_fence(struct file *f, unsigned long request, const void *arg)
{
	struct drm_etnaviv_gem_submit req;
	uint64_t done;

	if (!fetch_arg(request, arg, &req, sizeof(req)))
		return 0;
	done = TRACK_FENCE(req.pipe, req.fence);
	if (req.flags & ETNA_SUBMIT_FENCE_FD_OUT)
		track_sync_file(f, req.fence_fd, done);
	return done;
}

/* --- limn: several jobs of one ioctl ------------------------------------------------------------- */

/* Entry i of an array, of which older clients know less. */
static bool fetch_entry(const struct drm_limn_array *array, uint32_t i, void *to, size_t size)
{
	memset(to, 0, size);
	return track_fetch(to, array->ptr + (uint64_t)i * array->stride, array->stride < size ? array->stride : size);
}

static bool read_limn_syncs(const struct drm_limn_job *job, struct record *r)
{
	for (uint32_t i = 0; i < r->s.num_syncs; i++) {
		bool out = i >= job->in_syncs.count;
		struct drm_limn_sync sync;

		if (!fetch_entry(out ? &job->out_syncs : &job->in_syncs, out ? i - job->in_syncs.count : i, &sync, sizeof(sync)))
			return false;
		r->syncs[i] = (struct limn_capture_sync){
			sync.handle, out | (sync.flags & DRM_LIMN_SYNC_FD ? 2 : 0), sync.point
		};
	}
	return true;
}

static uint64_t limn_va(struct file *f, uint32_t handle)
{
	struct drm_limn_bo_info info = { .handle = handle };

	return real_ioctl(f->fd, DRM_IOCTL_LIMN_BO_INFO, &info) ? 0 : info.va;
}

static bool read_limn(struct file *f, const struct drm_limn_submit *req, uint32_t n, struct record *r)
{
	struct drm_limn_submit_bo bo;
	struct drm_limn_job job;
	uint32_t num = 0;

	if (!fetch_entry(&req->jobs, n, &job, sizeof(job)) || job.cmd_size > MAX_CMD || job.in_syncs.count > MAX_SYNCS ||
	    job.out_syncs.count > MAX_SYNCS)
		return false;
	r->s = (struct limn_capture_submit){
		.pipe = job.queue, .exec_state = job.exec_state, .flags = req->flags, .ioctl = DRM_LIMN_SUBMIT, .group = n,
		.group_size = req->jobs.count, .num_bos = req->bos.count, .cmd_size = job.cmd_size, .ctx = req->ctx,
		.num_syncs = job.in_syncs.count + job.out_syncs.count,
	};
	if (!record_alloc(r) || !track_fetch(r->cmd, job.cmd, job.cmd_size) || !read_limn_syncs(&job, r))
		return false;
	for (uint32_t i = 0; i < req->bos.count; i++) {
		uint32_t flags;

		if (!fetch_entry(&req->bos, i, &bo, sizeof(bo)))
			return false;
		flags = (bo.read >> n & 1) | (bo.write >> n & 1) << 1;
		if (flags)
			record_use(f, r, num++, bo.handle, flags, limn_va(f, bo.handle));
	}
	r->s.num_bos = num;
	return true;
}

static int submit_limn(struct file *f, int fd, unsigned long request, void *arg)
{
	struct record records[MAX_JOBS] = { 0 };
	uint64_t begin = sink_now(), before, after;
	struct drm_limn_submit req;
	uint32_t num = 0;
	int ret, error;

	if (fetch_arg(request, arg, &req, sizeof(req)) && req.jobs.count <= MAX_JOBS && req.bos.count <= MAX_BOS) {
		while (num < req.jobs.count && read_limn(f, &req, num, &records[num]))
			record_write(f, &records[num++]);
	}
	before = sink_now();
	ret = real_ioctl(fd, request, arg);
	error = errno;
	after = sink_now();
	for (uint32_t i = 0; i < num; i++)
		ret ? record_refused(&records[i], error) : record_taken(f, &records[i], 0);
	for (uint32_t i = 0; i < MAX_JOBS; i++)
		record_free(&records[i]);
	sink_spent_ns += before - begin + (sink_now() - after);
	errno = error;
	return ret;
}

static int submit(struct file *f, int fd, unsigned long request, void *arg)
{
	struct record r = { .uses = NULL };
	bool utgard = f->family == LIMN_CAPTURE_UTGARD;
	uint64_t begin = sink_now(), before, after;
	int ret, error;
	bool good;

	good = (utgard ? read_lima : read_etnaviv)(f, request, arg, &r);
	if (good)
		record_write(f, &r);
	before = sink_now();
	ret = real_ioctl(fd, request, arg);
	error = errno;
	after = sink_now();
	if (good)
		ret ? record_refused(&r, error) : record_taken(f, &r, utgard ? 0 : etnaviv_fence(f, request, arg));
	record_free(&r);
	sink_spent_ns += before - begin + (sink_now() - after);
	errno = error;
	return ret;
}

/* --- BOs ------------------------------------------------------------------------------------------- */

static void made_lima(struct file *f, const struct drm_lima_gem_create *made)
{
	struct drm_lima_gem_info info = { .handle = made->handle };
	struct bo *bo;

	if (real_ioctl(f->fd, DRM_IOCTL_LIMA_GEM_INFO, &info))
		return;
	bo = track_new_bo(f, made->handle, made->size, info.va, made->flags & LIMA_BO_FLAG_HEAP ? LIMN_CAPTURE_HEAP : 0);
	if (bo)
		bo->offset = info.offset;
}

static void made_usermem(struct file *f, uint32_t handle, uint64_t addr, uint64_t size, uint64_t va)
{
	struct bo *bo = track_new_bo(f, handle, size, va, LIMN_CAPTURE_USERMEM);

	if (bo)
		bo->map = (const uint8_t *)(uintptr_t)addr;
}

static void made_limn(struct file *f, const struct drm_limn_bo_create *made)
{
	track_new_bo(f, made->handle, made->size, made->va, made->flags & DRM_LIMN_BO_HEAP ? LIMN_CAPTURE_HEAP : 0);
}

static void exported(struct file *f, uint32_t handle)
{
	struct bo *bo = track_bo(f, handle);

	if (bo && !bo->shared && bo->gpu_wrote)
		track_wait(f, handle, bo);
	if (bo)
		bo->shared = true;
}

/* What is the same in both user ABIs: PRIME, and limn's own. */
static bool made_common(struct file *f, unsigned long request, const void *arg)
{
	const struct drm_limn_bo_userptr *user = arg;

	switch (request) {
	case DRM_IOCTL_PRIME_HANDLE_TO_FD:
		exported(f, ((const struct drm_prime_handle *)arg)->handle);
		return true;
	case DRM_IOCTL_PRIME_FD_TO_HANDLE:
		exported(f, ((const struct drm_prime_handle *)arg)->handle);
		return true;
	case DRM_IOCTL_LIMN_BO_CREATE:
		made_limn(f, arg);
		return true;
	case DRM_IOCTL_LIMN_BO_USERPTR:
		made_usermem(f, user->handle, user->addr, user->size, user->va);
		return true;
	}
	return false;
}

static void made(struct file *f, unsigned long request, const void *arg)
{
	const struct drm_etnaviv_gem_userptr *user = arg;
	const struct drm_etnaviv_gem_new *new = arg;

	if (made_common(f, request, arg))
		return;
	if (f->family == LIMN_CAPTURE_UTGARD && request == DRM_IOCTL_LIMA_GEM_CREATE)
		made_lima(f, arg);
	else if (f->family == LIMN_CAPTURE_VIVANTE && request == DRM_IOCTL_ETNAVIV_GEM_NEW)
		track_new_bo(f, new->handle, new->size, 0, 0);
	else if (f->family == LIMN_CAPTURE_VIVANTE && request == DRM_IOCTL_ETNAVIV_GEM_USERPTR)
		made_usermem(f, user->handle, user->user_ptr, user->user_size, 0);
}

/* --- All of them ------------------------------------------------------------------------------------ */

bool ioctls_change(unsigned long request)
{
	uint32_t nr = NR(request);

	if (nr >= DRM_COMMAND_BASE)
		return nr == COMMAND(DRM_LIMA_GEM_CREATE) || nr == COMMAND(DRM_ETNAVIV_GEM_NEW) ||
		       nr == COMMAND(DRM_LIMA_GEM_SUBMIT) || nr == COMMAND(DRM_ETNAVIV_GEM_SUBMIT) ||
		       nr == COMMAND(DRM_ETNAVIV_GEM_USERPTR) || nr == COMMAND(DRM_LIMN_SUBMIT) ||
		       nr == COMMAND(DRM_LIMN_BO_CREATE) || nr == COMMAND(DRM_LIMN_BO_USERPTR);
	return request == DRM_IOCTL_GEM_CLOSE || request == DRM_IOCTL_PRIME_HANDLE_TO_FD ||
	       request == DRM_IOCTL_PRIME_FD_TO_HANDLE;
}

int ioctls_record(struct file *f, int fd, unsigned long request, void *arg)
{
	uint32_t nr = NR(request), own = f->family == LIMN_CAPTURE_UTGARD ? DRM_LIMA_GEM_SUBMIT : DRM_ETNAVIV_GEM_SUBMIT;
	struct drm_gem_close gone;
	int ret, error;

	if (nr == COMMAND(own))
		return submit(f, fd, request, arg);
	if (nr == COMMAND(DRM_LIMN_SUBMIT))
		return submit_limn(f, fd, request, arg);
	ret = real_ioctl(fd, request, arg);
	error = errno;
	if (!ret && request == DRM_IOCTL_GEM_CLOSE && fetch_arg(request, arg, &gone, sizeof(gone)))
		track_free_bo(f, gone.handle);
	else if (!ret)
		made(f, request, arg);
	errno = error;
	return ret;
}

bool ioctls_sleeps(const struct file *f, unsigned long request)
{
	return NR(request) == COMMAND(DRM_LIMN_SUBMIT);
}

void ioctls_sleep(int fd, unsigned long request, const void *arg)
{
	struct drm_limn_submit req;
	struct drm_limn_sync sync;
	struct drm_limn_job job;

	if (!fetch_arg(request, arg, &req, sizeof(req)) || req.jobs.count > MAX_JOBS)
		return;
	for (uint32_t n = 0; n < req.jobs.count && fetch_entry(&req.jobs, n, &job, sizeof(job)); n++) {
		for (uint32_t i = 0; i < job.in_syncs.count && i < MAX_SYNCS && fetch_entry(&job.in_syncs, i, &sync, sizeof(sync)); i++) {
			struct drm_syncobj_timeline_wait wait = {
				.handles = (uintptr_t)&sync.handle, .points = (uintptr_t)&sync.point, .count_handles = 1,
				.timeout_nsec = (int64_t)(sink_now() + 5000000000u),
				.flags = DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT | DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE,
			};

			if (sync.flags == DRM_LIMN_SYNC_WAIT_FOR_SUBMIT)
				real_ioctl(fd, DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT, &wait);
		}
	}
}

/* A wait for one syncobj, or for all of several. */
static void waited_syncobjs(struct file *f, const struct drm_syncobj_wait *wait)
{
	uint32_t handles[64];

	if (wait->count_handles > 64 || (wait->count_handles > 1 && !(wait->flags & DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL)) ||
	    !track_fetch(handles, wait->handles, wait->count_handles * sizeof(*handles)))
		return;
	for (uint32_t i = 0; i < wait->count_handles; i++)
		track_done(f, TRACK_SYNCOBJ(handles[i]));
}

void ioctls_waited(struct file *f, unsigned long request, void *arg)
{
	const struct drm_etnaviv_wait_fence *fence = arg;
	const struct drm_etnaviv_gem_cpu_prep *prep = arg;
	const struct drm_etnaviv_gem_wait *idle = arg;
	const struct drm_lima_gem_wait *wait = arg;
	bool utgard = f->family == LIMN_CAPTURE_UTGARD;
	uint32_t handle = 0;
	struct bo *bo;

	if (request == DRM_IOCTL_SYNCOBJ_WAIT)
		waited_syncobjs(f, arg);
	else if (!utgard && request == DRM_IOCTL_ETNAVIV_WAIT_FENCE)
		track_done(f, TRACK_FENCE(fence->pipe, fence->fence));
	else if (utgard && request == DRM_IOCTL_LIMA_GEM_WAIT)
		handle = wait->handle;
	else if (!utgard && request == DRM_IOCTL_ETNAVIV_GEM_CPU_PREP)
		handle = prep->handle;
	else if (!utgard && request == DRM_IOCTL_ETNAVIV_GEM_WAIT)
		handle = idle->handle;
	bo = handle ? track_bo(f, handle) : NULL;
	if (bo)
		track_result(f, handle, bo);
}
