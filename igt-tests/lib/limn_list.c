// SPDX-License-Identifier: MIT
#include <stddef.h>

#include "igt.h"
#include "limn_list.h"

void limn_list_init(struct limn_list *l, uint32_t ctx)
{
	memset(l, 0, offsetof(struct limn_list, words));
	l->args.ctx = ctx;
	l->args.jobs.ptr = (uintptr_t)l->job;
	l->args.jobs.stride = sizeof(l->job[0]);
	l->args.bos.ptr = (uintptr_t)l->bo;
	l->args.bos.stride = sizeof(l->bo[0]);
}

static struct drm_limn_submit_bo *find_bo(struct limn_list *l, uint32_t handle)
{
	for (uint32_t i = 0; i < l->args.bos.count; i++) {
		if (l->bo[i].handle == handle)
			return &l->bo[i];
	}
	igt_assert(l->args.bos.count < LIMN_LIST_BOS);
	l->bo[l->args.bos.count].handle = handle;
	return &l->bo[l->args.bos.count++];
}

uint32_t limn_list_add(struct limn_list *l, const struct limn_job *job)
{
	uint32_t n = l->args.jobs.count++;
	struct drm_limn_job *j = &l->job[n];

	igt_assert(n < LIMN_LIST_JOBS && job->size <= sizeof(l->words[n]));
	memcpy(l->words[n], job->words, job->size);
	j->queue = job->queue;
	j->exec_state = job->exec_state;
	j->perfmon = job->perfmon;
	j->cmd = (uintptr_t)l->words[n];
	j->cmd_size = job->size;
	j->in_syncs.ptr = (uintptr_t)l->in[n];
	j->in_syncs.stride = sizeof(l->in[n][0]);
	j->out_syncs.ptr = (uintptr_t)l->out[n];
	j->out_syncs.stride = sizeof(l->out[n][0]);
	for (uint32_t i = 0; i < job->nr_bos; i++) {
		struct drm_limn_submit_bo *bo = find_bo(l, job->bos[i].handle);

		if (job->bos[i].how & LIMN_WRITE)
			bo->write |= 1u << n;
		if (job->bos[i].how & LIMN_READ)
			bo->read |= 1u << n;
	}
	if (job->in_sync)
		limn_list_in(l, n, 0, job->in_sync, 0);
	return n;
}

void limn_list_in(struct limn_list *l, uint32_t n, uint32_t flags, uint32_t handle, uint64_t point)
{
	igt_assert(l->job[n].in_syncs.count < LIMN_LIST_SYNCS);
	l->in[n][l->job[n].in_syncs.count++] = (struct drm_limn_sync){ flags, handle, point };
}

void limn_list_out(struct limn_list *l, uint32_t n, uint32_t flags, uint32_t handle, uint64_t point)
{
	igt_assert(l->job[n].out_syncs.count < LIMN_LIST_SYNCS);
	l->out[n][l->job[n].out_syncs.count++] = (struct drm_limn_sync){ flags, handle, point };
}

int limn_try_list(int fd, struct limn_list *l)
{
	return gpu_try(fd, DRM_IOCTL_LIMN_SUBMIT, &l->args);
}

void limn_submit_list(int fd, struct limn_list *l)
{
	igt_assert_eq(limn_try_list(fd, l), 0);
}

uint32_t limn_list_fence(int fd, struct limn_list *l)
{
	uint32_t fence = syncobj_create(fd, 0);

	limn_list_out(l, l->args.jobs.count - 1, 0, fence, 0);
	limn_submit_list(fd, l);
	return fence;
}

void limn_list_frame(struct limn_list *l, struct gpu_client *c, uint32_t value)
{
	struct limn_job job = limn_store(c, 0, value);
	uint32_t first, second;

	limn_list_init(l, c->ctx);
	first = limn_list_add(l, &job);
	job = limn_clear(c, value);
	second = limn_list_add(l, &job);
	l->job[second].wait_jobs = 1u << first;
}

int limn_try_ctx(int fd, int32_t priority, uint32_t timeout_ms, uint32_t *id)
{
	struct drm_limn_ctx_create req = { .priority = priority, .timeout_ms = timeout_ms };
	int ret = gpu_try(fd, DRM_IOCTL_LIMN_CTX_CREATE, &req);

	*id = req.id;
	return ret;
}

uint32_t limn_ctx_new(int fd, int32_t priority, uint32_t timeout_ms)
{
	uint32_t id;

	igt_assert_eq(limn_try_ctx(fd, priority, timeout_ms, &id), 0);
	return id;
}

void limn_ctx_free(int fd, uint32_t id)
{
	struct drm_limn_ctx_free req = { .id = id };

	igt_assert_eq(gpu_try(fd, DRM_IOCTL_LIMN_CTX_FREE, &req), 0);
}

struct drm_limn_ctx_query limn_query(int fd, uint32_t ctx)
{
	struct drm_limn_ctx_query req = { .id = ctx };

	igt_assert_eq(gpu_try(fd, DRM_IOCTL_LIMN_CTX_QUERY, &req), 0);
	return req;
}
