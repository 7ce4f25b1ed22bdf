// SPDX-License-Identifier: MIT
#include <errno.h>
#include <sys/mman.h>

#include "igt.h"
#include "lima_lib.h"
#include "gpu_sys.h"

IGT_TEST_DESCRIPTION("GEM_CREATE, GEM_INFO and mappings of the lima ABI");

static int fd = -1;

static int try_create(uint32_t size, uint32_t flags, uint32_t pad)
{
	struct drm_lima_gem_create req = { .size = size, .flags = flags, .pad = pad };
	int ret = gpu_try(fd, DRM_IOCTL_LIMA_GEM_CREATE, &req);

	if (ret)
		igt_assert_eq_u32(req.handle, 0);
	else
		gem_close(fd, req.handle);
	return ret;
}

static int try_info(uint32_t handle)
{
	struct drm_lima_gem_info req = { .handle = handle, .va = 0x77, .offset = 0x77 };
	int ret = gpu_try(fd, DRM_IOCTL_LIMA_GEM_INFO, &req);

	if (ret) {
		igt_assert_eq_u32(req.va, 0x77);
		igt_assert_eq_u64(req.offset, 0x77);
	}
	return ret;
}

/* Memory that could still be had, MiB. */
static long free_mib(void)
{
	return mem_kib("MemAvailable") / 1024;
}

static void refusals(void)
{
	igt_describe("EINVAL: a size of zero");
	igt_subtest("zero-size")
		igt_assert_eq(try_create(0, 0, 0), -EINVAL);

	igt_describe("ENOMEM or ENOSPC, at once: more than the GPU's address space holds");
	igt_subtest("huge-size") {
		static const uint32_t sizes[] = { 0xffffffff, 0xfffff001, 0xfffff000 };

		for (int i = 0; i < 3; i++) {
			int ret = try_create(sizes[i], 0, 0);

			igt_assert_f(ret == -ENOMEM || ret == -ENOSPC || ret == -EINVAL,
				     "size %#x: %d\n", sizes[i], ret);
		}
	}

	igt_describe("Sizes that one address space cannot hold together: an error, and all is given back");
	igt_subtest("space-exhausted") {
		uint32_t handles[64], n = 0;
		int ret = 0;

		/* Heaps: address space without memory behind it. */
		while (n < 64 && !ret) {
			ret = lima_try_create(fd, 256u << 20, LIMA_BO_FLAG_HEAP, &handles[n]);
			n += !ret;
		}
		igt_assert_f(ret == -ENOMEM || ret == -ENOSPC, "BO %u: %d\n", n, ret);
		igt_assert(n >= 8 && n <= 16);
		while (n)
			gem_close(fd, handles[--n]);
		handles[0] = lima_create(fd, 256u << 20, LIMA_BO_FLAG_HEAP);
		gem_close(fd, handles[0]);
	}

	igt_describe("EINVAL: each flag but HEAP");
	igt_subtest("bad-flags")
		for (int bit = 1; bit < 32; bit++)
			igt_assert_eq(try_create(PAGE_BYTES, 1u << bit, 0), -EINVAL);

	igt_describe("EINVAL: pad is not zero");
	igt_subtest("bad-pad")
		for (int bit = 0; bit < 32; bit++)
			igt_assert_eq(try_create(PAGE_BYTES, 0, 1u << bit), -EINVAL);

	igt_describe("EFAULT: the argument is not in memory; no handle is left behind");
	igt_subtest("bad-pointer") {
		igt_assert_eq(gpu_try(fd, DRM_IOCTL_LIMA_GEM_CREATE, (void *)8), -EFAULT);
		igt_assert_eq(gpu_try(fd, DRM_IOCTL_LIMA_GEM_INFO, (void *)8), -EFAULT);
	}

	igt_describe("ENOENT: INFO of handles that are not there, not any more, or of another file");
	igt_subtest("info-bad-handle") {
		uint32_t handle = lima_create(fd, PAGE_BYTES, 0);
		int other = lima_open();

		igt_assert_eq(try_info(handle), 0);
		gem_close(fd, handle);
		igt_assert_eq(try_info(handle), -ENOENT);
		igt_assert_eq(try_info(0), -ENOENT);
		igt_assert_eq(try_info(UINT32_MAX), -ENOENT);
		handle = lima_create(other, PAGE_BYTES, 0);
		igt_assert_eq(try_info(handle), -ENOENT);
		close(other);
	}
}

static void mappings(void)
{
	igt_describe("A heap has no mapping");
	igt_subtest("map-heap") {
		struct gpu_bo heap = lima_bo_heap(fd, 1 << 20);
		uint64_t offset;

		lima_info(fd, heap.handle, NULL, &offset);
		igt_assert(mmap(NULL, 1 << 20, PROT_READ, MAP_SHARED, fd, offset) == MAP_FAILED);
		gpu_bo_free(&heap);
	}

	igt_describe("A mapping longer than the BO, behind it, private or of a foreign BO is refused");
	igt_subtest("map-bad") {
		struct gpu_bo bo = lima_bo_new(fd, 2 * PAGE_BYTES);
		int other = lima_open();
		uint64_t offset;

		lima_info(fd, bo.handle, NULL, &offset);
		igt_assert(mmap(NULL, 3 * PAGE_BYTES, PROT_READ, MAP_SHARED, fd, offset) == MAP_FAILED);
		igt_assert(mmap(NULL, PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd,
				offset) == MAP_FAILED);
		igt_assert(mmap(NULL, PAGE_BYTES, PROT_READ, MAP_SHARED, other, offset) == MAP_FAILED);
		igt_assert_eq(errno, EACCES);
		close(other);
		gpu_bo_free(&bo);
	}

	igt_describe("Two mappings of one BO show the same memory");
	igt_subtest("map-twice") {
		struct gpu_bo bo = lima_bo_new(fd, 4 * PAGE_BYTES);
		uint32_t *second;
		uint64_t offset;

		lima_info(fd, bo.handle, NULL, &offset);
		second = mmap(NULL, bo.size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, offset);
		igt_assert(second != MAP_FAILED);
		for (uint32_t i = 0; i < bo.size / 4; i++)
			bo.map[i] = i * 3;
		for (uint32_t i = 0; i < bo.size / 4; i++)
			igt_assert_eq_u32(second[i], i * 3);
		munmap(second, bo.size);
		gpu_bo_free(&bo);
	}

	igt_describe("A mapping outlives its handle and its file");
	igt_subtest("map-outlives") {
		int own = lima_open();
		struct gpu_bo bo = lima_bo_new(own, PAGE_BYTES);

		gem_close(own, bo.handle);
		bo.map[0] = 0x600d;
		close(own);
		igt_assert_eq_u32(bo.map[0], 0x600d);
		munmap(bo.map, bo.size);
	}

	igt_describe("A new BO holds zeros, also when its pages were another's before");
	igt_subtest("zeroed")
		for (int round = 0; round < 8; round++) {
			struct gpu_bo bo = lima_bo_new(fd, 64 * PAGE_BYTES);

			for (uint32_t i = 0; i < bo.size / 4; i++)
				igt_assert_eq_u32(bo.map[i], 0);
			memset(bo.map, 0xa5, bo.size);
			gpu_bo_free(&bo);
		}
}

static void behaviour(void)
{
	igt_describe("Sizes are rounded up to pages, from one byte to some MiB");
	igt_subtest("sizes") {
		static const uint32_t sizes[] = { 1, 4095, 4096, 4097, 1 << 20, (4 << 20) + 1, 9 << 20 };

		for (int i = 0; i < 7; i++) {
			struct gpu_bo bo = lima_bo_new(fd, sizes[i]);
			uint8_t *bytes = (uint8_t *)bo.map;

			bytes[sizes[i] - 1] = 1;
			/* The rest of the last page is there as well. */
			bytes[((sizes[i] + 4095) & ~4095u) - 1] = 2;
			gpu_bo_free(&bo);
		}
	}

	igt_describe("VAs: page-aligned, no two overlap, none leaves the space");
	igt_subtest("va-unique") {
		enum { N = 200 };
		struct { uint32_t handle, va, size; } bo[N];
		uint32_t seed = 12345;

		igt_info("seed %u\n", seed);
		for (int i = 0; i < N; i++) {
			seed = seed * 1664525 + 1013904223;
			bo[i].size = ((seed >> 16) % 40 + 1) * PAGE_BYTES;
			bo[i].handle = lima_create(fd, bo[i].size, 0);
			lima_info(fd, bo[i].handle, &bo[i].va, NULL);
			igt_assert_eq_u32(bo[i].va % PAGE_BYTES, 0);
			igt_assert(bo[i].va + bo[i].size > bo[i].va);
			for (int k = 0; k < i; k++)
				igt_assert_f(bo[i].va + bo[i].size <= bo[k].va ||
					     bo[k].va + bo[k].size <= bo[i].va,
					     "%#x+%#x and %#x+%#x\n", bo[i].va, bo[i].size,
					     bo[k].va, bo[k].size);
		}
		for (int i = 0; i < N; i++)
			gem_close(fd, bo[i].handle);
	}

	igt_describe("The first BO of a fresh file is not at VA 0");
	igt_subtest("va-not-zero") {
		int own = lima_open();
		uint32_t va;

		for (int i = 0; i < 4; i++) {
			lima_info(own, lima_create(own, PAGE_BYTES, i & 1 ? LIMA_BO_FLAG_HEAP : 0), &va, NULL);
			igt_assert_neq_u32(va, 0);
		}
		close(own);
	}

	igt_describe("INFO says the same each time");
	igt_subtest("info-stable") {
		uint32_t handle = lima_create(fd, PAGE_BYTES, 0), va[2];
		uint64_t offset[2];

		for (int i = 0; i < 2; i++)
			lima_info(fd, handle, &va[i], &offset[i]);
		igt_assert_eq_u32(va[0], va[1]);
		igt_assert_eq_u64(offset[0], offset[1]);
		gem_close(fd, handle);
	}

	igt_describe("A heap takes little memory however large it may become");
	igt_subtest("heap-is-small") {
		long before = free_mib();
		uint32_t handles[4];

		for (int i = 0; i < 4; i++)
			handles[i] = lima_create(fd, 128u << 20, LIMA_BO_FLAG_HEAP);
		igt_assert(free_mib() + 64 > before);
		for (int i = 0; i < 4; i++)
			gem_close(fd, handles[i]);
	}

	igt_describe("Memory of thousands of BOs comes back");
	igt_subtest("no-leak") {
		long before = 0, after = 0;

		for (int round = 0; round < 2; round++) {
			before = free_mib();
			for (int i = 0; i < 1000; i++)
				gem_close(fd, lima_create(fd, 256 << 10, 0));
			after = free_mib();
		}
		igt_assert_f(after + 32 > before, "%ld MiB free before, %ld after\n", before, after);
	}
}

igt_main
{
	igt_fixture
		fd = lima_open();
	refusals();
	mappings();
	behaviour();
	igt_fixture
		close(fd);
}
