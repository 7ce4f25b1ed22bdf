// SPDX-License-Identifier: MIT
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <xf86drm.h>

#include "igt.h"
#include "fail_nth.h"
#include "gpu_sys.h"
#include "lima_jobs.h"

IGT_TEST_DESCRIPTION("Each allocation of each ioctl fails in turn (/proc/self/fail-nth): an error, and nothing else");

static struct {
	uint32_t handle, ctx, syncobj;
	int fd, dma_buf;
	void *map;
	struct lima_job job;
} x;

static int run_create(struct gpu_client *c)
{
	return lima_try_create(c->fd, 64 << 10, 0, &x.handle);
}

static int run_create_heap(struct gpu_client *c)
{
	return lima_try_create(c->fd, 16 << 20, LIMA_BO_FLAG_HEAP, &x.handle);
}

static void close_handle(struct gpu_client *c, int ret)
{
	if (!ret)
		gem_close(c->fd, x.handle);
}

static int run_ctx(struct gpu_client *c)
{
	struct drm_lima_ctx_create req = { 0 };
	int ret = gpu_try(c->fd, DRM_IOCTL_LIMA_CTX_CREATE, &req);

	x.ctx = req.id;
	return ret;
}

static void free_ctx(struct gpu_client *c, int ret)
{
	if (!ret)
		igt_assert_eq(lima_try_ctx_free(c->fd, x.ctx), 0);
}

static void make_ctx(struct gpu_client *c)
{
	x.ctx = lima_ctx_new(c->fd);
}

static int run_ctx_free(struct gpu_client *c)
{
	return lima_try_ctx_free(c->fd, x.ctx);
}

static int run_param(struct gpu_client *c)
{
	struct drm_lima_get_param req = { .param = DRM_LIMA_PARAM_NUM_PP };

	return gpu_try(c->fd, DRM_IOCTL_LIMA_GET_PARAM, &req);
}

static int run_info(struct gpu_client *c)
{
	struct drm_lima_gem_info req = { .handle = c->target.handle };

	return gpu_try(c->fd, DRM_IOCTL_LIMA_GEM_INFO, &req);
}

static int run_open(struct gpu_client *c)
{
	x.fd = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);
	return x.fd < 0 ? -errno : 0;
}

static void close_fd(struct gpu_client *c, int ret)
{
	if (!ret)
		close(x.fd);
}

static int run_mmap(struct gpu_client *c)
{
	uint64_t offset;

	lima_info(c->fd, c->target.handle, NULL, &offset);
	x.map = mmap(NULL, c->target.size, PROT_READ, MAP_SHARED, c->fd, offset);
	return x.map == MAP_FAILED ? -errno : 0;
}

static void unmap(struct gpu_client *c, int ret)
{
	if (!ret)
		munmap(x.map, c->target.size);
}

static int run_export(struct gpu_client *c)
{
	return drmPrimeHandleToFD(c->fd, c->target.handle, DRM_CLOEXEC, &x.dma_buf) ? -errno : 0;
}

static void close_dma_buf(struct gpu_client *c, int ret)
{
	if (!ret)
		close(x.dma_buf);
}

static void make_other_file(struct gpu_client *c)
{
	x.fd = lima_open();
	x.dma_buf = prime_handle_to_fd(c->fd, c->target.handle);
}

static int run_import(struct gpu_client *c)
{
	return drmPrimeFDToHandle(x.fd, x.dma_buf, &x.handle) ? -errno : 0;
}

static void close_other_file(struct gpu_client *c, int ret)
{
	close(x.dma_buf);
	close(x.fd);
}

static void make_job(struct gpu_client *c, bool pp)
{
	x.job = pp ? lima_pp_clear(c, 0x77) : lima_gp_store(c, 1, 0x77);
	x.syncobj = syncobj_create(c->fd, 0);
	x.job.out_sync = x.syncobj;
	/* Something to wait for, so that dependencies are allocated. */
	x.job.in_sync[0] = syncobj_create(c->fd, DRM_SYNCOBJ_CREATE_SIGNALED);
}

static void make_gp_job(struct gpu_client *c)
{
	make_job(c, false);
}

static void make_pp_job(struct gpu_client *c)
{
	make_job(c, true);
}

static int run_submit(struct gpu_client *c)
{
	return lima_try_submit(c->fd, &x.job);
}

static void end_job(struct gpu_client *c, int ret)
{
	syncobj_destroy(c->fd, x.job.in_sync[0]);
	if (ret) {
		igt_assert_eq(gpu_fence_status(c->fd, x.syncobj), 0);
		syncobj_destroy(c->fd, x.syncobj);
	} else {
		igt_assert_eq(gpu_fence_end(c->fd, x.syncobj, 0), 0);
	}
}

static int run_wait(struct gpu_client *c)
{
	return lima_try_wait(c->fd, c->target.handle, LIMA_GEM_WAIT_WRITE, gpu_time(SEC_NS));
}

static const struct fail_nth_step steps[] = {
	{ "get-param", NULL, run_param, NULL },
	{ "gem-create", NULL, run_create, close_handle },
	{ "gem-create-heap", NULL, run_create_heap, close_handle },
	{ "gem-info", NULL, run_info, NULL },
	{ "mmap", NULL, run_mmap, unmap },
	{ "gem-wait", NULL, run_wait, NULL },
	{ "ctx-create", NULL, run_ctx, free_ctx },
	{ "ctx-free", make_ctx, run_ctx_free, NULL },
	{ "open", NULL, run_open, close_fd },
	{ "prime-export", NULL, run_export, close_dma_buf },
	{ "prime-import", make_other_file, run_import, close_other_file },
	{ "submit-gp", make_gp_job, run_submit, end_job },
	{ "submit-pp", make_pp_job, run_submit, end_job },
};

igt_main
{
	struct gpu_client c = { .fd = -1 };

	igt_fixture {
		fail_nth_init();
		c = lima_client_new();
	}

	for (unsigned int i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		igt_describe("The n-th allocation fails, for each n until the call needs fewer");
		igt_subtest(steps[i].name)
			fail_nth_each(&c, &steps[i]);
	}

	igt_describe("Jobs that grow a heap, fault or hang while random allocations of all processes fail");
	igt_subtest("workers") {
		/* When its device_add() fails, this frees the dump and drops the module twice (Linux 6.12). */
		fail_nth_spare("dev_coredumpm_timeout");
		/* Kernel threads have no fail-nth: a small probability for slab allocations of anybody. */
		sys_write("/sys/kernel/debug/failslab/probability", "2");
		sys_write("/sys/kernel/debug/failslab/interval", "3");
		sys_write("/sys/kernel/debug/failslab/times", "300");
		sys_write("/sys/kernel/debug/failslab/task-filter", "N");
		for (int i = 0; i < 60; i++) {
			struct lima_job job = i % 3 == 0 ? lima_gp_unmapped(&c) :
					      i % 3 == 1 ? lima_pp_clear(&c, i) : lima_gp_store(&c, 0, i);
			uint32_t fence = 0;

			if (drmSyncobjCreate(c.fd, 0, &fence))
				continue;
			job.out_sync = fence;
			if (!lima_try_submit(c.fd, &job))
				while (syncobj_wait_err(c.fd, &fence, 1, gpu_time(SEC_NS / 10), 0) == -ENOMEM)
					;
			drmSyncobjDestroy(c.fd, fence);
		}
		sys_write("/sys/kernel/debug/failslab/probability", "0");
		sys_write("/sys/kernel/debug/failslab/times", "1");
		sys_write("/sys/kernel/debug/failslab/task-filter", "Y");
		lima_wait_idle(c.fd, c.target.handle);
		lima_check_works(&c);
	}

	igt_fixture
		lima_client_free(&c);
}
