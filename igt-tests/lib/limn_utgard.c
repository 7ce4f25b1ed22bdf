// SPDX-License-Identifier: MIT
/* The jobs of lima_jobs.h as SUBMIT takes them. */
#include "igt.h"
#include "lima_jobs.h"
#include "limn_bo.h"
#include "limn_gpu.h"

#include <limn/dump.h>

static void init(struct gpu_client *c)
{
	struct gpu_client lima = lima_client_on(c->fd);

	lima.family = c->family;
	*c = lima;
}

static void from_lima(struct limn_job *job, const struct lima_job *lima)
{
	igt_assert(lima->frame_size <= sizeof(job->words));
	memcpy(job->words, &lima->frame, lima->frame_size);
	job->size = lima->frame_size;
	for (uint32_t i = 0; i < lima->nr_bos; i++) {
		const struct gpu_bo bo = { .handle = lima->bos[i].handle };
		uint32_t flags = lima->bos[i].flags;

		limn_job_use(job, &bo, (flags & LIMA_SUBMIT_BO_READ ? LIMN_READ : 0) |
				       (flags & LIMA_SUBMIT_BO_WRITE ? LIMN_WRITE : 0));
	}
}

#define USE(job, made) do { \
	const struct lima_job lima = (made); \
	from_lima(job, &lima); \
} while (0)

static uint32_t queue(const struct gpu_client *c, int side)
{
	return side ? LIMA_PIPE_PP : LIMA_PIPE_GP;
}

static bool can_fault(const struct gpu_client *c)
{
	return true;
}

static uint32_t word(uint32_t index)
{
	return index;
}

static void store(struct gpu_client *c, struct limn_job *job, uint32_t index, uint32_t value, bool slow)
{
	USE(job, slow ? lima_gp_long(c, index, value) : lima_gp_store(c, index, value));
}

static void clear(struct gpu_client *c, struct limn_job *job, uint32_t value)
{
	USE(job, lima_pp_clear(c, value));
}

static void endless(struct gpu_client *c, struct limn_job *job, int side)
{
	USE(job, side ? lima_pp_endless(c) : lima_gp_endless(c));
}

static void endless_shader(struct gpu_client *c, struct limn_job *job)
{
	USE(job, lima_pp_endless_shader(c));
}

static void unmapped(struct gpu_client *c, struct limn_job *job, int side)
{
	USE(job, side ? lima_pp_unmapped(c) : lima_gp_unmapped(c));
}

static void invalid(struct gpu_client *c, struct limn_job *job, int side)
{
	USE(job, side ? lima_pp_invalid(c) : lima_gp_invalid(c));
}

static int wait_bo(int fd, uint32_t handle, bool write, int64_t timeout_ns)
{
	uint32_t op = LIMA_GEM_WAIT_WRITE | (write ? LIMA_GEM_WAIT_READ : 0);

	return lima_try_wait(fd, handle, op, timeout_ns ? gpu_time(timeout_ns) : 0);
}

const struct gpu_family gpu_utgard = {
	.name = "utgard",
	.dump_family = LIMN_DUMP_UTGARD,
	.init = init,
	.queue = queue,
	.can_fault = can_fault,
	.word = word,
	.store = store,
	.clear = clear,
	.endless = endless,
	.endless_shader = endless_shader,
	.unmapped = unmapped,
	.invalid = invalid,
	.wait = wait_bo,
};
