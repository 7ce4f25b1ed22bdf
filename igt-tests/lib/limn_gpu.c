// SPDX-License-Identifier: MIT
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "igt.h"
#include "gpu_sys.h"
#include "limn_bo.h"
#include "limn_gpu.h"
#include "limn_list.h"

#include <xf86drm.h>

int limn_open(void)
{
	int fd = gpu_open(NULL);

	limn_require(fd, 0);
	return fd;
}

uint64_t limn_param(int fd, uint32_t param)
{
	struct drm_limn_get_param req = { .param = param };

	igt_assert_eq(gpu_try(fd, DRM_IOCTL_LIMN_GET_PARAM, &req), 0);
	return req.value;
}

void limn_require(int fd, uint64_t features)
{
	struct drm_limn_get_param req = { .param = DRM_LIMN_PARAM_FEATURES };

	igt_require_f(!gpu_try(fd, DRM_IOCTL_LIMN_GET_PARAM, &req), "no extension ABI\n");
	igt_require_f((req.value & features) == features, "features %#llx, not %#llx\n",
		      (unsigned long long)req.value, (unsigned long long)features);
}

static const struct gpu_family *family_of(int fd)
{
	drmVersionPtr version = drmGetVersion(fd);
	bool etnaviv = version && !strcmp(version->name, "etnaviv");

	drmFreeVersion(version);
	return etnaviv ? &gpu_vivante : &gpu_utgard;
}

struct gpu_client limn_client_on(int fd)
{
	struct gpu_client c = { .fd = fd, .family = family_of(fd) };

	c.family->init(&c);
	return c;
}

struct gpu_client limn_client_new(void)
{
	return limn_client_on(limn_open());
}

void limn_client_free(struct gpu_client *c)
{
	gpu_bo_free(&c->target);
	gpu_bo_free(&c->lists);
	if (limn_is_utgard(c))	/* on Vivante it is the file's own */
		limn_ctx_free(c->fd, c->ctx);
	close(c->fd);
	c->fd = -1;
}

bool limn_is_utgard(const struct gpu_client *c)
{
	return c->family == &gpu_utgard;
}

uint32_t limn_queue(const struct gpu_client *c, int side)
{
	return c->family->queue(c, side);
}

bool limn_can_fault(const struct gpu_client *c)
{
	return c->family->can_fault(c);
}

static struct limn_job new_job(const struct gpu_client *c, int side)
{
	return (struct limn_job){ .ctx = c->ctx, .queue = limn_queue(c, side) };
}

struct limn_job limn_store(struct gpu_client *c, uint32_t index, uint32_t value)
{
	struct limn_job job = new_job(c, 0);

	c->family->store(c, &job, index, value, false);
	return job;
}

volatile uint32_t *limn_word(const struct gpu_client *c, uint32_t index)
{
	return c->target.map + c->family->word(index);
}

struct limn_job limn_long(struct gpu_client *c, uint32_t index, uint32_t value)
{
	struct limn_job job = new_job(c, 0);

	c->family->store(c, &job, index, value, true);
	return job;
}

struct limn_job limn_clear(struct gpu_client *c, uint32_t value)
{
	struct limn_job job = new_job(c, 1);

	c->family->clear(c, &job, value);
	return job;
}

void limn_check_picture(const struct gpu_client *c, uint32_t value)
{
	for (uint32_t i = 0; i < LIMN_PICTURE * LIMN_PICTURE; i++)
		igt_assert_f(c->target.map[i] == value, "pixel %u,%u is %08x, not %08x\n",
			     i % LIMN_PICTURE, i / LIMN_PICTURE, c->target.map[i], value);
}

struct limn_job limn_good(struct gpu_client *c, int side, uint32_t value)
{
	return side ? limn_clear(c, value) : limn_store(c, 0, value);
}

struct limn_job limn_endless(struct gpu_client *c, int side)
{
	struct limn_job job = new_job(c, side);

	c->family->endless(c, &job, side);
	return job;
}

struct limn_job limn_endless_shader(struct gpu_client *c)
{
	struct limn_job job = new_job(c, 1);

	c->family->endless_shader(c, &job);
	return job;
}

struct limn_job limn_unmapped(struct gpu_client *c, int side)
{
	struct limn_job job = new_job(c, side);

	igt_require_f(limn_can_fault(c), "nothing faults on this GPU\n");
	c->family->unmapped(c, &job, side);
	return job;
}

struct limn_job limn_invalid(struct gpu_client *c, int side)
{
	struct limn_job job = new_job(c, side);

	igt_require_f(c->family->invalid, "bad commands do not get through SUBMIT\n");
	c->family->invalid(c, &job, side);
	return job;
}

struct limn_job limn_failing(struct gpu_client *c, int side)
{
	return limn_can_fault(c) ? limn_unmapped(c, side) : limn_endless(c, side);
}

int limn_fail_error(const struct gpu_client *c)
{
	return limn_can_fault(c) ? -EFAULT : -ETIMEDOUT;
}

void limn_job_use(struct limn_job *job, const struct gpu_bo *bo, uint32_t how)
{
	igt_assert(job->nr_bos < LIMN_JOB_BOS);
	job->bos[job->nr_bos].handle = bo->handle;
	job->bos[job->nr_bos++].how = how;
}

/* One job as a list of its own. */
static int submit_alone(int fd, struct limn_job *job, uint32_t out)
{
	static struct limn_list l;

	limn_list_init(&l, job->ctx);
	limn_list_add(&l, job);
	if (out)
		limn_list_out(&l, 0, 0, out, 0);
	return limn_try_list(fd, &l);
}

int limn_try_submit(int fd, struct limn_job *job)
{
	return submit_alone(fd, job, 0);
}

void limn_submit(int fd, struct limn_job *job)
{
	igt_assert_eq(limn_try_submit(fd, job), 0);
}

uint32_t limn_submit_fence(int fd, struct limn_job *job)
{
	uint32_t fence = syncobj_create(fd, 0);

	igt_assert_eq(submit_alone(fd, job, fence), 0);
	return fence;
}

void limn_wait_started(int fd, uint32_t ctx)
{
	struct drm_limn_job_stat stat;
	struct drm_limn_job_stats req;

	for (int i = 0; i < 20000; i++) {
		req = (struct drm_limn_job_stats){ .ctx = ctx, .stats = DRM_LIMN_ARRAY(&stat, 1) };
		igt_assert_eq(gpu_try(fd, DRM_IOCTL_LIMN_JOB_STATS, &req), 0);
		if (req.stats.count && stat.started_ns)
			return;
		usleep(1000);
	}
	igt_assert_f(false, "the job does not start\n");
}

int limn_run(int fd, struct limn_job *job)
{
	return gpu_fence_end(fd, limn_submit_fence(fd, job), 0);
}

int limn_try_wait(int fd, uint32_t handle, bool write, int64_t timeout_ns)
{
	return family_of(fd)->wait(fd, handle, write, timeout_ns);
}

void limn_wait_idle(int fd, uint32_t handle)
{
	igt_assert_eq(limn_try_wait(fd, handle, true, gpu_patience_ms() * 1000000ll), 0);
}

void limn_check_works(struct gpu_client *c)
{
	static uint32_t seed = 0x1000193;
	struct limn_job job;

	seed = seed * 1664525 + 1013904223;
	job = limn_store(c, 3, seed);
	igt_assert_eq(limn_run(c->fd, &job), 0);
	igt_assert_eq_u32(*limn_word(c, 3), seed);
	job = limn_clear(c, seed);
	igt_assert_eq(limn_run(c->fd, &job), 0);
	limn_check_picture(c, seed);
}

void limn_check_gpu(void)
{
	struct gpu_client c = limn_client_new();

	limn_check_works(&c);
	limn_client_free(&c);
}

int limn_jobs_held(int fd)
{
	char text[4096], *line, *left;
	int sum = 0, n;

	igt_assert_lt(0, gpu_debugfs_read(fd, "queues", text, sizeof(text)));
	for (line = strtok_r(text, "\n", &left); line; line = strtok_r(NULL, "\n", &left))
		if (sscanf(line, "%*u %*[^,], %d jobs", &n) == 1)
			sum += n;
	return sum;
}

/* A job is released by a worker, some time after its fence has signalled. */
int limn_jobs_held_soon(int fd, int wanted)
{
	int held = limn_jobs_held(fd);

	for (int i = 0; i < 1000 && held != wanted; i++) {
		usleep(10000);
		held = limn_jobs_held(fd);
	}
	return held;
}
