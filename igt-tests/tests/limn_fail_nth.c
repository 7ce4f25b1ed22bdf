// SPDX-License-Identifier: MIT
#include <errno.h>
#include <unistd.h>
#include <xf86drm.h>

#include "igt.h"
#include "fail_nth.h"
#include "gpu_sys.h"
#include "limn_list.h"

IGT_TEST_DESCRIPTION("Each allocation of SUBMIT and of the context ioctls fails in turn: an error, and nothing else");

/* More than a bind needs, so that a loop that never ends is noticed. */
#define MOST_ALLOCATIONS	4000

static struct {
	struct limn_list list;
	uint32_t in, timeline, out, ctx, before;
	struct gpu_gate gate;
	int file;
} x;

static int run_param(struct gpu_client *c)
{
	struct drm_limn_get_param req = { .param = DRM_LIMN_PARAM_VA_END };

	return gpu_try(c->fd, DRM_IOCTL_LIMN_GET_PARAM, &req);
}

static int run_ctx(struct gpu_client *c)
{
	return limn_try_ctx(c->fd, DRM_LIMN_PRIORITY_LOW, 77, &x.ctx);
}

static void free_ctx(struct gpu_client *c, int ret)
{
	if (!ret)
		limn_ctx_free(c->fd, x.ctx);
}

static void make_ctx(struct gpu_client *c)
{
	x.ctx = limn_ctx_new(c->fd, 0, 0);
}

static int run_ctx_free(struct gpu_client *c)
{
	struct drm_limn_ctx_free req = { .id = x.ctx };

	return gpu_try(c->fd, DRM_IOCTL_LIMN_CTX_FREE, &req);
}

static int run_ctx_query(struct gpu_client *c)
{
	struct drm_limn_ctx_query req = { .id = c->ctx };

	return gpu_try(c->fd, DRM_IOCTL_LIMN_CTX_QUERY, &req);
}

/* A frame that waits and signals in every way there is. */
static void make_list(struct gpu_client *c)
{
	uint64_t point = 1;

	c->target.map[0] = 0;
	x.timeline = syncobj_create(c->fd, 0);
	drmSyncobjTimelineSignal(c->fd, &x.timeline, &point, 1);
	x.in = syncobj_create(c->fd, DRM_SYNCOBJ_CREATE_SIGNALED);
	x.out = syncobj_create(c->fd, 0);
	x.gate = gpu_gate_new(c->fd);
	igt_assert_eq(drmSyncobjExportSyncFile(c->fd, x.gate.syncobj, &x.file), 0);
	limn_list_frame(&x.list, c, 0x1dea);
	limn_list_in(&x.list, 0, 0, x.in, 0);
	limn_list_in(&x.list, 0, 0, x.timeline, 1);
	limn_list_in(&x.list, 1, DRM_LIMN_SYNC_FD, x.file, 0);
	limn_list_out(&x.list, 0, 0, x.timeline, 2);
	limn_list_out(&x.list, 0, DRM_LIMN_SYNC_FD, ~0u, 0);
	limn_list_out(&x.list, 1, 0, x.out, 0);
	limn_list_out(&x.list, 1, DRM_LIMN_SYNC_FD, ~0u, 0);
}

static int run_list(struct gpu_client *c)
{
	return limn_try_list(c->fd, &x.list);
}

/* All of it has happened, or nothing. */
static void end_list(struct gpu_client *c, int ret)
{
	uint64_t point;

	gpu_gate_open(&x.gate);
	if (ret) {
		igt_assert_eq(gpu_fence_status(c->fd, x.out), 0);
		syncobj_destroy(c->fd, x.out);
		igt_assert_eq(drmSyncobjQuery2(c->fd, &x.timeline, &point, 1,
					       DRM_SYNCOBJ_QUERY_FLAGS_LAST_SUBMITTED), 0);
		igt_assert_eq_u64(point, 1);
		igt_assert_eq_u32(c->target.map[0], 0);
	} else {
		igt_assert_eq(gpu_fence_end(c->fd, x.out, 0), 0);
		igt_assert_eq_u32(c->target.map[0], 0x1dea);
		for (int i = 0; i < 2; i++) {
			igt_assert_eq(sync_fence_status(x.list.out[i][1].handle), 1);
			close(x.list.out[i][1].handle);
		}
	}
	close(x.file);
	gpu_gate_free(c->fd, &x.gate);
	syncobj_destroy(c->fd, x.in);
	syncobj_destroy(c->fd, x.timeline);
}

/* A frame whose queue is not free: all of it takes the scheduler's way. */
static void make_behind(struct gpu_client *c)
{
	struct limn_job job = limn_store(c, 9, 1);

	c->target.map[0] = 0;
	x.gate = gpu_gate_new(c->fd);
	job.in_sync = x.gate.syncobj;
	x.before = limn_submit_fence(c->fd, &job);
	x.out = syncobj_create(c->fd, 0);
	limn_list_frame(&x.list, c, 0x1dea);
	limn_list_out(&x.list, 1, 0, x.out, 0);
}

static void end_behind(struct gpu_client *c, int ret)
{
	gpu_gate_open(&x.gate);
	igt_assert_eq(gpu_fence_end(c->fd, x.before, 0), 0);
	if (ret) {
		igt_assert_eq(gpu_fence_status(c->fd, x.out), 0);
		syncobj_destroy(c->fd, x.out);
		igt_assert_eq_u32(c->target.map[0], 0);
	} else {
		igt_assert_eq(gpu_fence_end(c->fd, x.out, 0), 0);
		igt_assert_eq_u32(c->target.map[0], 0x1dea);
	}
	gpu_gate_free(c->fd, &x.gate);
}

/*
 * Each fifth allocation, for a bind takes a second in the debug kernel of a busy host; none of the first
 * third, which are the DRM core's: its drm_minor_alloc() (6.12) does not survive a device that gets no name.
 */
static void each_of_bind(struct gpu_client *c)
{
	unsigned int left, n, failed = 0;
	bool hit = true;
	int ret;

	/* What it has not set up yet it cleans up (Linux 6.12, drivers/devfreq/devfreq.c). */
	fail_nth_spare("devfreq_add_device");
	limn_client_free(c);
	igt_assert_eq(gpu_unbind(), 0);
	fail_nth_arm(MOST_ALLOCATIONS);
	igt_assert_eq(gpu_bind(), 0);
	left = fail_nth_disarm();
	igt_assert_lt(0, left);
	igt_assert_eq(gpu_unbind(), 0);
	for (n = (MOST_ALLOCATIONS - left) / 3; hit; n += 5) {
		igt_assert_f(n < MOST_ALLOCATIONS, "no end of allocations\n");
		fail_nth_arm(n);
		ret = gpu_bind();
		hit = !fail_nth_disarm();
		/* To the kernel, a region that cannot be noted is busy, an operating point that cannot be is invalid. */
		igt_assert_f(fail_nth_fits(ret) || ret == -EBUSY || ret == -EINVAL, "allocation %u: %s\n", n, strerror(-ret));
		igt_assert_f(hit || !ret, "nothing failed, yet: %s\n", strerror(-ret));
		failed += ret != 0;
		if (!ret)
			igt_assert_eq(gpu_unbind(), 0);
		limn_drop_slab();	/* calls every shrinker: that of a device that went, too */
	}
	igt_info("%u of %u allocations fatal to the bind\n", failed, MOST_ALLOCATIONS - left);
	igt_assert_eq(gpu_bind(), 0);
	*c = limn_client_new();
	limn_check_works(c);
}

static const struct fail_nth_step steps[] = {
	{ "get-param", NULL, run_param, NULL },
	{ "ctx-create", NULL, run_ctx, free_ctx },
	{ "ctx-free", make_ctx, run_ctx_free, NULL },
	{ "ctx-query", NULL, run_ctx_query, NULL },
	{ "submit", make_list, run_list, end_list },
	{ "submit-behind", make_behind, run_list, end_behind },
};

igt_main
{
	struct gpu_client c = { .fd = -1 };

	igt_fixture {
		fail_nth_init();
		c = limn_client_new();
		limn_require(c.fd, DRM_LIMN_FEATURE_SUBMIT | DRM_LIMN_FEATURE_CTX);
	}

	for (unsigned int i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		igt_describe("The n-th allocation fails, for each n until the call needs fewer");
		igt_subtest(steps[i].name)
			fail_nth_each(&c, &steps[i]);
	}

	igt_describe("The driver binds or not when an allocation fails, and binds afterwards");
	igt_subtest("bind")
		each_of_bind(&c);

	igt_fixture
		limn_client_free(&c);
}
