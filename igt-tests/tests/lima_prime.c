// SPDX-License-Identifier: MIT
#include <errno.h>
#include <fcntl.h>
#include <linux/dma-buf.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <xf86drm.h>

#include "igt.h"
#include "lima_jobs.h"

IGT_TEST_DESCRIPTION("PRIME: BOs between files, and between this device and vgem");

static struct gpu_client c = { .fd = -1 };

/* What client's jobs write to: another BO. */
static struct gpu_client with_target(const struct gpu_client *client, const struct gpu_bo *target)
{
	struct gpu_client other = *client;

	other.target = *target;
	return other;
}

static struct gpu_bo import(int fd, int dma_buf)
{
	struct gpu_bo bo = { .fd = fd };
	uint64_t offset;

	bo.handle = prime_fd_to_handle(fd, dma_buf);
	bo.size = lseek(dma_buf, 0, SEEK_END);
	lima_info(fd, bo.handle, &bo.va, &offset);
	return bo;
}

static void run_on(const struct gpu_client *client, const struct gpu_bo *target, uint32_t rgba)
{
	struct gpu_client other = with_target(client, target);
	struct lima_job job = lima_pp_clear(&other, rgba);

	igt_assert_eq(lima_run(other.fd, &job), 0);
}

static void between_files(void)
{
	igt_describe("Exported and imported in a second file: jobs of both write the same memory");
	igt_subtest("two-files") {
		struct gpu_client other = lima_client_new();
		int dma_buf = prime_handle_to_fd(c.fd, c.target.handle);
		struct gpu_bo bo = import(other.fd, dma_buf);

		close(dma_buf);
		run_on(&other, &bo, 0x01020304);
		lima_check_picture(&c, 0x01020304);
		run_on(&c, &c.target, 0x05060708);
		lima_check_picture(&c, 0x05060708);
		gem_close(other.fd, bo.handle);
		lima_client_free(&other);
	}

	igt_describe("Imported again where it came from: the same handle");
	igt_subtest("self-import") {
		int dma_buf = prime_handle_to_fd(c.fd, c.target.handle);

		igt_assert_eq_u32(prime_fd_to_handle(c.fd, dma_buf), c.target.handle);
		close(dma_buf);
	}

	igt_describe("The importer's BO outlives the exporter's file");
	igt_subtest("exporter-gone") {
		struct gpu_client other = lima_client_new();
		int dma_buf = prime_handle_to_fd(other.fd, other.target.handle);
		struct gpu_bo bo = import(c.fd, dma_buf);
		uint64_t offset;

		lima_client_free(&other);
		lima_info(c.fd, bo.handle, NULL, &offset);
		run_on(&c, &bo, 0x11121314);
		bo.map = mmap(NULL, bo.size, PROT_READ, MAP_SHARED, c.fd, offset);
		igt_assert(bo.map != MAP_FAILED);
		other = with_target(&c, &bo);
		lima_check_picture(&other, 0x11121314);
		gpu_bo_free(&bo);
		close(dma_buf);
	}

	igt_describe("Implicit sync holds across files through a shared BO");
	igt_subtest("implicit-sync") {
		struct gpu_client other = lima_client_new(), shared;
		int dma_buf = prime_handle_to_fd(c.fd, c.target.handle);
		struct gpu_bo bo = import(other.fd, dma_buf);
		struct gpu_gate gate = gpu_gate_new(c.fd);
		struct lima_job first = lima_pp_clear(&c, 0x11111111), second;
		uint32_t a, b;

		close(dma_buf);
		shared = with_target(&other, &bo);
		second = lima_gp_store(&shared, 0, 0x22222222);
		first.in_sync[0] = gate.syncobj;
		a = lima_submit_fence(c.fd, &first);
		b = lima_submit_fence(other.fd, &second);
		usleep(20000);
		igt_assert_eq(gpu_fence_status(other.fd, b), 0);
		igt_assert_eq(lima_try_wait(other.fd, bo.handle, LIMA_GEM_WAIT_READ, 0), -EBUSY);
		gpu_gate_open(&gate);
		igt_assert_eq(gpu_fence_end(c.fd, a, 0), 0);
		igt_assert_eq(gpu_fence_end(other.fd, b, 0), 0);
		igt_assert_eq_u32(c.target.map[0], 0x22222222);
		igt_assert_eq_u32(c.target.map[1], 0x11111111);
		gpu_gate_free(c.fd, &gate);
		gem_close(other.fd, bo.handle);
		lima_client_free(&other);
	}

	igt_describe("The CPU, through the dma-buf: its sync ioctl waits for the job that writes");
	igt_subtest("dma-buf-mmap") {
		struct dma_buf_sync sync = { .flags = DMA_BUF_SYNC_START | DMA_BUF_SYNC_READ };
		int dma_buf = prime_handle_to_fd(c.fd, c.target.handle);
		uint32_t *map = mmap(NULL, c.target.size, PROT_READ, MAP_SHARED, dma_buf, 0);
		struct lima_job job = lima_pp_clear(&c, 0x21222324);

		igt_assert(map != MAP_FAILED);
		lima_submit(c.fd, &job);
		igt_assert_eq(ioctl(dma_buf, DMA_BUF_IOCTL_SYNC, &sync), 0);
		for (uint32_t i = 0; i < c.target.size / 4; i++)
			igt_assert_eq_u32(map[i], 0x21222324);
		sync.flags = DMA_BUF_SYNC_END | DMA_BUF_SYNC_READ;
		igt_assert_eq(ioctl(dma_buf, DMA_BUF_IOCTL_SYNC, &sync), 0);
		munmap(map, c.target.size);
		close(dma_buf);
	}

	igt_describe("A heap: its export is refused, or a mapping and an import of it are");
	igt_subtest("heap-export") {
		struct gpu_bo heap = lima_bo_heap(c.fd, 1 << 20);
		int dma_buf = -1;

		if (!drmPrimeHandleToFD(c.fd, heap.handle, DRM_CLOEXEC | DRM_RDWR, &dma_buf)) {
			igt_assert(mmap(NULL, 1 << 20, PROT_READ, MAP_SHARED, dma_buf, 0) == MAP_FAILED);
			close(dma_buf);
		}
		gpu_bo_free(&heap);
		lima_check_works(&c);
	}

	igt_describe("Bad fds and handles are refused");
	igt_subtest("bad-fd") {
		uint32_t handle;
		int dma_buf;

		igt_assert_neq(drmPrimeFDToHandle(c.fd, -1, &handle), 0);
		igt_assert_neq(drmPrimeFDToHandle(c.fd, c.fd, &handle), 0);
		igt_assert_neq(drmPrimeHandleToFD(c.fd, 0x12345, DRM_CLOEXEC, &dma_buf), 0);
	}
}

static void with_vgem(void)
{
	igt_describe("A BO of vgem, imported: our job writes it");
	igt_subtest("vgem-import") {
		struct drm_mode_create_dumb create = { .width = LIMA_PICTURE, .height = LIMA_PICTURE, .bpp = 32 };
		struct drm_mode_map_dumb map = { 0 };
		struct gpu_client other;
		struct gpu_bo bo;
		int vgem = vgem_open(), dma_buf;

		igt_assert_eq(gpu_try(vgem, DRM_IOCTL_MODE_CREATE_DUMB, &create), 0);
		dma_buf = prime_handle_to_fd(vgem, create.handle);
		bo = import(c.fd, dma_buf);
		igt_assert_neq_u32(bo.va, 0);
		run_on(&c, &bo, 0x31323334);
		map.handle = create.handle;
		igt_assert_eq(gpu_try(vgem, DRM_IOCTL_MODE_MAP_DUMB, &map), 0);
		bo.map = mmap(NULL, bo.size, PROT_READ, MAP_SHARED, vgem, map.offset);
		igt_assert(bo.map != MAP_FAILED);
		other = with_target(&c, &bo);
		lima_check_picture(&other, 0x31323334);
		gpu_bo_free(&bo);
		close(dma_buf);
		close(vgem);
	}

	igt_describe("Our BO in vgem: it sees what our job wrote");
	igt_subtest("vgem-export") {
		struct drm_mode_map_dumb map = { 0 };
		int vgem = vgem_open(), dma_buf = prime_handle_to_fd(c.fd, c.target.handle);
		uint32_t *seen;

		map.handle = prime_fd_to_handle(vgem, dma_buf);
		run_on(&c, &c.target, 0x41424344);
		/* Imported BOs of vgem are mapped through the dma-buf. */
		seen = mmap(NULL, c.target.size, PROT_READ, MAP_SHARED, dma_buf, 0);
		igt_assert(seen != MAP_FAILED);
		igt_assert_eq_u32(seen[100], 0x41424344);
		munmap(seen, c.target.size);
		gem_close(vgem, map.handle);
		close(dma_buf);
		close(vgem);
	}

	igt_describe("A fence that vgem put on its BO holds our job back");
	igt_subtest("vgem-fence") {
		struct drm_mode_create_dumb create = { .width = LIMA_PICTURE, .height = LIMA_PICTURE, .bpp = 32 };
		int vgem = vgem_open(), dma_buf;
		struct gpu_client other;
		struct lima_job job;
		struct gpu_bo bo;
		uint32_t fence, theirs;

		igt_assert_eq(gpu_try(vgem, DRM_IOCTL_MODE_CREATE_DUMB, &create), 0);
		dma_buf = prime_handle_to_fd(vgem, create.handle);
		bo = import(c.fd, dma_buf);
		theirs = vgem_fence_attach(vgem, create.handle);
		other = with_target(&c, &bo);
		job = lima_pp_clear(&other, 7);
		fence = lima_submit_fence(c.fd, &job);
		usleep(20000);
		igt_assert_eq(gpu_fence_status(c.fd, fence), 0);
		vgem_fence_signal(vgem, theirs);
		igt_assert_eq(gpu_fence_end(c.fd, fence, 0), 0);
		gem_close(c.fd, bo.handle);
		close(dma_buf);
		close(vgem);
	}
}

igt_main
{
	igt_fixture
		c = lima_client_new();
	between_files();
	with_vgem();
	igt_fixture
		lima_client_free(&c);
}
