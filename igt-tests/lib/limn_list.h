/* SPDX-License-Identifier: MIT */
/* SUBMIT and contexts of the extension ABI for tests: a list of jobs, put together and queued. */
#ifndef LIMN_LIST_H
#define LIMN_LIST_H

#include "limn_bo.h"

#define LIMN_LIST_JOBS	32
#define LIMN_LIST_BOS	64
#define LIMN_LIST_SYNCS	8	/* of a job, each way */

/*
 * The argument of one SUBMIT with all its arrays. Points into itself: do not
 * copy. Tests spoil what they like before it is submitted.
 */
struct limn_list {
	struct drm_limn_submit args;
	struct drm_limn_job job[LIMN_LIST_JOBS];
	struct drm_limn_submit_bo bo[LIMN_LIST_BOS];
	struct drm_limn_sync in[LIMN_LIST_JOBS][LIMN_LIST_SYNCS];
	struct drm_limn_sync out[LIMN_LIST_JOBS][LIMN_LIST_SYNCS];
	uint32_t words[LIMN_LIST_JOBS][LIMN_JOB_WORDS];
};

/* Empties the list. */
void limn_list_init(struct limn_list *l, uint32_t ctx);
/* Adds a job, and its BOs with what it does to them. Its index. */
uint32_t limn_list_add(struct limn_list *l, const struct limn_job *job);
/* Job n waits for, or signals. */
void limn_list_in(struct limn_list *l, uint32_t n, uint32_t flags, uint32_t handle, uint64_t point);
void limn_list_out(struct limn_list *l, uint32_t n, uint32_t flags, uint32_t handle, uint64_t point);
/* 0 or a negative errno. */
int limn_try_list(int fd, struct limn_list *l);
void limn_submit_list(int fd, struct limn_list *l);
/* With a new syncobj as the last job's out; for gpu_fence_end(). */
uint32_t limn_list_fence(int fd, struct limn_list *l);

/* A frame as one list: a job that stores value, one of the other side that clears to it and waits for it. */
void limn_list_frame(struct limn_list *l, struct gpu_client *c, uint32_t value);

int limn_try_ctx(int fd, int32_t priority, uint32_t timeout_ms, uint32_t *id);
uint32_t limn_ctx_new(int fd, int32_t priority, uint32_t timeout_ms);
void limn_ctx_free(int fd, uint32_t id);
struct drm_limn_ctx_query limn_query(int fd, uint32_t ctx);

#endif
