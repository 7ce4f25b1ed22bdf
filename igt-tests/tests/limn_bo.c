// SPDX-License-Identifier: MIT
#include <errno.h>
#include <fcntl.h>
#include <linux/dma-heap.h>
#include <sys/mman.h>

#include <limn/vivante/cmdstream.h>

#include "igt.h"
#include "etna_lib.h"
#include "gpu_sys.h"
#include "limn_bo.h"

IGT_TEST_DESCRIPTION("BO_CREATE, BO_INFO, BO_LABEL and BO_SYNC of the extension ABI");

static int fd = -1;

/* Where a test puts BOs that want an address: far from those that do not. */
static uint64_t some_va(void)
{
	uint64_t start = limn_param(fd, DRM_LIMN_PARAM_VA_START);

	return start < 0x40000000 ? 0x40000000 : start + 0x20000000;
}

static int try_create(uint64_t size, uint64_t va, uint32_t flags)
{
	struct drm_limn_bo_create req = { .size = size, .va = va, .flags = flags, .handle = 0x77 };
	int ret = limn_try_bo(fd, &req);

	if (ret)
		igt_assert_eq_u32(req.handle, 0x77);
	else
		gem_close(fd, req.handle);
	return ret;
}

static int try_label(uint32_t handle, const void *label, uint32_t len)
{
	struct drm_limn_bo_label req = { .handle = handle, .len = len, .label = (uintptr_t)label };

	return gpu_try(fd, DRM_IOCTL_LIMN_BO_LABEL, &req);
}

static int try_sync(uint32_t handle, uint32_t flags, uint64_t offset, uint64_t size)
{
	struct drm_limn_bo_sync req = { .handle = handle, .flags = flags, .offset = offset, .size = size };

	return gpu_try(fd, DRM_IOCTL_LIMN_BO_SYNC, &req);
}

static void create_refusals(void)
{
	igt_describe("EINVAL: size zero, unknown flags, flags of BO_INFO, a cached heap");
	igt_subtest("create-bad-flags") {
		igt_assert_eq(try_create(0, 0, 0), -EINVAL);
		for (int bit = 3; bit < 32; bit++)
			igt_assert_eq(try_create(4096, 0, 1u << bit), -EINVAL);
		igt_assert_eq(try_create(4096, 0, DRM_LIMN_BO_HEAP | DRM_LIMN_BO_CACHED), -EINVAL);
	}

	igt_describe("EINVAL: an address without FIXED_VA, or not of a page");
	igt_subtest("create-bad-va") {
		igt_assert_eq(try_create(4096, 1 << 20, 0), -EINVAL);
		igt_assert_eq(try_create(4096, (1 << 20) + 16, DRM_LIMN_BO_FIXED_VA), -EINVAL);
	}

	igt_describe("ERANGE: addresses that the GPU does not have, also by overflow");
	igt_subtest("create-va-range") {
		uint64_t start = limn_param(fd, DRM_LIMN_PARAM_VA_START);
		uint64_t end = limn_param(fd, DRM_LIMN_PARAM_VA_END);

		igt_assert(start < end);
		igt_assert_eq(try_create(4096, end, DRM_LIMN_BO_FIXED_VA), -ERANGE);
		igt_assert_eq(try_create(8192, end - 4096, DRM_LIMN_BO_FIXED_VA), -ERANGE);
		igt_assert_eq(try_create(4096, ~0ull << 12, DRM_LIMN_BO_FIXED_VA), -ERANGE);
		if (start >= 8192)
			igt_assert_eq(try_create(4096, start - 4096, DRM_LIMN_BO_FIXED_VA), -ERANGE);
	}

	igt_describe("EEXIST: an address of another BO, whole or in part");
	igt_subtest("create-va-taken") {
		struct gpu_bo bo = limn_bo_new(fd, 3 << 12, 0, some_va());

		for (int page = -1; page < 3; page++)
			igt_assert_eq(try_create(8192, bo.va + page * 4096, DRM_LIMN_BO_FIXED_VA), -EEXIST);
		igt_assert_eq(try_create(8192, bo.va - 8192, DRM_LIMN_BO_FIXED_VA), 0);
		igt_assert_eq(try_create(8192, bo.va + bo.size, DRM_LIMN_BO_FIXED_VA), 0);
		gpu_bo_free(&bo);
		igt_assert_eq(try_create(3 << 12, some_va(), DRM_LIMN_BO_FIXED_VA), 0);
	}

	igt_describe("ENOSPC or ENOMEM: sizes beyond address space and memory");
	igt_subtest("create-huge") {
		static const uint64_t sizes[] = { 1ull << 32, 1ull << 33, 1ull << 63, ~0ull, ~0ull - 4095 };

		for (int i = 0; i < 5; i++)
			igt_assert_eq(try_create(sizes[i], 0, 0), -ENOSPC);
		/* All there is of addresses, which is more than there is of memory. */
		igt_assert_eq(try_create((limn_param(fd, DRM_LIMN_PARAM_VA_END) -
					  limn_param(fd, DRM_LIMN_PARAM_VA_START)) & ~0xfffull, 0, 0),
			      -ENOMEM);
	}
}

static void other_refusals(void)
{
	igt_describe("ENOENT: no such handle");
	igt_subtest("bad-handle") {
		static const uint32_t bad[] = { 0, 0x7fffffff, ~0u };

		for (int i = 0; i < 3; i++) {
			struct drm_limn_bo_info req = { .handle = bad[i], .size = 7 };

			igt_assert_eq(gpu_try(fd, DRM_IOCTL_LIMN_BO_INFO, &req), -ENOENT);
			igt_assert_eq_u64(req.size, 7);
			igt_assert_eq(try_label(bad[i], "x", 1), -ENOENT);
			igt_assert_eq(try_sync(bad[i], DRM_LIMN_SYNC_FOR_CPU, 0, 0), -ENOENT);
		}
	}

	igt_describe("EINVAL: too long, or not printable; EFAULT: not readable");
	igt_subtest("bad-label") {
		struct gpu_bo bo = limn_bo_new(fd, 4096, 0, 0);
		char text[DRM_LIMN_LABEL_MAX + 1];

		memset(text, 'a', sizeof(text));
		igt_assert_eq(try_label(bo.handle, text, sizeof(text)), -EINVAL);
		igt_assert_eq(try_label(bo.handle, text, ~0u), -EINVAL);
		igt_assert_eq(try_label(bo.handle, text, DRM_LIMN_LABEL_MAX), 0);
		igt_assert_eq(try_label(bo.handle, "a\nb", 3), -EINVAL);
		igt_assert_eq(try_label(bo.handle, "a\0b", 3), -EINVAL);
		igt_assert_eq(try_label(bo.handle, "\xc3\xa4", 2), -EINVAL);
		igt_assert_eq(try_label(bo.handle, (void *)8, 4), -EFAULT);
		gpu_bo_free(&bo);
	}

	igt_describe("EINVAL: none or both of the flags, unknown ones, ranges beyond the BO");
	igt_subtest("bad-sync") {
		struct gpu_bo bo = limn_bo_new(fd, 8192, DRM_LIMN_BO_CACHED, 0);
		const uint32_t cpu = DRM_LIMN_SYNC_FOR_CPU;

		igt_assert_eq(try_sync(bo.handle, 0, 0, 4096), -EINVAL);
		igt_assert_eq(try_sync(bo.handle, cpu | DRM_LIMN_SYNC_FOR_DEVICE, 0, 4096), -EINVAL);
		for (int bit = 2; bit < 32; bit++)
			igt_assert_eq(try_sync(bo.handle, cpu | 1u << bit, 0, 4096), -EINVAL);
		igt_assert_eq(try_sync(bo.handle, cpu, 0, 8193), -EINVAL);
		igt_assert_eq(try_sync(bo.handle, cpu, 8193, 0), -EINVAL);
		igt_assert_eq(try_sync(bo.handle, cpu, 4096, ~0ull), -EINVAL);
		igt_assert_eq(try_sync(bo.handle, cpu, ~0ull, 2), -EINVAL);
		gpu_bo_free(&bo);
	}
}

/* The GPU reads and writes it at the address that was asked for. */
static void fixed_va_works(uint64_t va)
{
	struct gpu_client c = limn_client_on(limn_open());
	struct limn_job job;

	gpu_bo_free(&c.target);
	c.target = limn_bo_new(c.fd, va ? 64 << 10 : 4096, DRM_LIMN_BO_FIXED_VA, va);
	igt_assert_eq_u64(c.target.va, va);
	igt_assert_eq_u64(limn_bo_info(c.fd, c.target.handle).va, va);
	job = limn_store(&c, 5, 0x600d);
	igt_assert_eq(limn_run(c.fd, &job), 0);
	igt_assert_eq_u32(*limn_word(&c, 5), 0x600d);
	limn_client_free(&c);
}

static bool has_heaps(void)
{
	struct gpu_client c = limn_client_new();
	bool has = limn_is_utgard(&c);

	limn_client_free(&c);
	return has;
}

/* What debugfs says of a BO, which is found by its label. */
static void check_flags(uint32_t handle, const char *flags)
{
	char text[16384], row[32], label[16];

	snprintf(label, sizeof(label), "BO %u", handle);
	snprintf(row, sizeof(row), " %s %s", flags, label);
	igt_assert_eq(try_label(handle, label, strlen(label)), 0);
	igt_assert_lt(0, gpu_debugfs_read(fd, "gem", text, sizeof(text)));
	igt_assert_f(strstr(text, row), "no '%s' in %s\n", row, text);
}

static void behaviour(void)
{
	igt_describe("Sizes are rounded up to pages; BO_INFO tells them, and the flags");
	igt_subtest("info") {
		static const uint32_t flags[] = { 0, DRM_LIMN_BO_CACHED, DRM_LIMN_BO_HEAP };

		for (int i = 0; i < 2 + has_heaps(); i++) {
			struct drm_limn_bo_create req = { .size = 5000, .flags = flags[i] };
			struct drm_limn_bo_info info;

			igt_assert_eq(limn_try_bo(fd, &req), 0);
			info = limn_bo_info(fd, req.handle);
			igt_assert_eq_u32(info.flags, flags[i]);
			igt_assert_eq_u64(info.size, 8192);
			igt_assert_eq_u64(info.va, req.va);
			igt_assert_eq(!info.offset, flags[i] == DRM_LIMN_BO_HEAP);
			igt_assert(info.resident && info.resident <= 8192);
			gem_close(fd, req.handle);
		}
	}

	igt_describe("An imported BO says so");
	igt_subtest("info-imported") {
		struct dma_heap_allocation_data alloc = { .len = 8192, .fd_flags = O_RDWR | O_CLOEXEC };
		int heap = open("/dev/dma_heap/system", O_RDWR | O_CLOEXEC), other;
		uint32_t handle;

		igt_require(heap >= 0);
		igt_assert_eq(gpu_try(heap, DMA_HEAP_IOCTL_ALLOC, &alloc), 0);
		other = limn_open();
		handle = prime_fd_to_handle(other, alloc.fd);
		igt_assert_eq_u32(limn_bo_info(other, handle).flags, DRM_LIMN_BO_IMPORTED);
		igt_assert_eq(limn_try_madvise(other, handle, DRM_LIMN_MADV_DONTNEED), -EINVAL);
		close(alloc.fd);
		close(heap);
		close(other);
	}

	igt_describe("The GPU finds a BO at the address that the caller chose: first, last, in between");
	igt_subtest("fixed-va") {
		uint64_t start = limn_param(fd, DRM_LIMN_PARAM_VA_START);
		uint64_t end = limn_param(fd, DRM_LIMN_PARAM_VA_END);

		/* The client's own BOs are in low memory, but not in the first page. */
		if (!start)
			fixed_va_works(0);
		fixed_va_works((start + (512 << 20)) & ~0xfffull);
		fixed_va_works((start + (end - start) / 2) & ~0xfffull);
		fixed_va_works((end - (64 << 10)) & ~0xfffull);
	}

	igt_describe("Who has waited for a job and closed its BO may have the address again, at once");
	igt_subtest("fixed-va-again") {
		struct gpu_client c = limn_client_on(limn_open());
		uint64_t va = some_va();

		gpu_bo_free(&c.target);
		for (uint32_t i = 0; i < 20; i++) {
			struct limn_job job;

			c.target = limn_bo_new(c.fd, 64 << 10, 0, va);
			job = limn_store(&c, 5, i);
			igt_assert_eq(limn_run(c.fd, &job), 0);
			igt_assert_eq_u32(*limn_word(&c, 5), i);
			gpu_bo_free(&c.target);
		}
		c.target = limn_bo_new(c.fd, 4096, 0, 0);	/* which limn_client_free() wants */
		limn_client_free(&c);
	}

	igt_describe("The same address in two files is two BOs");
	igt_subtest("fixed-va-files") {
		int other = limn_open();
		struct gpu_bo a = limn_bo_new(fd, 4096, 0, some_va()), b;
		struct gpu_client c = limn_client_new();

		igt_require_f(limn_can_fault(&c), "all files share one address space\n");
		limn_client_free(&c);
		b = limn_bo_new(other, 4096, 0, some_va());
		a.map[0] = 1;
		b.map[0] = 2;
		igt_assert_eq_u32(a.map[0], 1);
		gpu_bo_free(&a);
		gpu_bo_free(&b);
		close(other);
	}

	igt_describe("Cached memory: what the CPU wrote is what the GPU reads, and back");
	igt_subtest("cached") {
		struct gpu_client c = limn_client_on(limn_open());
		struct limn_job job;

		gpu_bo_free(&c.target);
		c.target = limn_bo_new(c.fd, 64 << 10, DRM_LIMN_BO_CACHED, 0);
		fd = c.fd;
		for (uint32_t i = 0; i < 4; i++) {
			c.target.map[16000] = i;
			igt_assert_eq(try_sync(c.target.handle, DRM_LIMN_SYNC_FOR_DEVICE, 0, c.target.size), 0);
			job = limn_store(&c, 9, 100 + i);
			igt_assert_eq(limn_run(c.fd, &job), 0);
			igt_assert_eq(try_sync(c.target.handle, DRM_LIMN_SYNC_FOR_CPU,
					       (limn_word(&c, 9) - c.target.map) * 4, 4), 0);
			igt_assert_eq(try_sync(c.target.handle, DRM_LIMN_SYNC_FOR_CPU, 4096, 60 << 10), 0);
			igt_assert_eq_u32(*limn_word(&c, 9), 100 + i);
			igt_assert_eq_u32(c.target.map[16000], i);
		}
		limn_client_free(&c);
		fd = limn_open();
	}

	igt_describe("A mapping of which a part was unmapped, and one of a dma-buf's middle, show the right pages");
	igt_subtest("mmap-partly") {
		struct gpu_bo bo = limn_bo_new(fd, 8 * PAGE_BYTES, 0, 0);
		uint64_t offset = limn_bo_info(fd, bo.handle).offset;
		const uint32_t words = PAGE_BYTES / 4;
		uint32_t *rest, *middle;
		int dma_buf;

		for (uint32_t page = 0; page < 8; page++)
			bo.map[page * words] = 0x100 + page;

		/* Nobody has touched it yet: each page is looked up in what is left. */
		rest = mmap(NULL, bo.size, PROT_READ, MAP_SHARED, fd, offset);
		igt_assert(rest != MAP_FAILED);
		igt_assert_eq(munmap(rest, 2 * PAGE_BYTES), 0);
		igt_assert_eq(munmap(rest + 5 * words, PAGE_BYTES), 0);
		for (uint32_t page = 2; page < 8; page++)
			if (page != 5)
				igt_assert_eq_u32(rest[page * words], 0x100 + page);
		munmap(rest, bo.size);

		dma_buf = prime_handle_to_fd(fd, bo.handle);
		middle = mmap(NULL, 3 * PAGE_BYTES, PROT_READ, MAP_SHARED, dma_buf, 4 * PAGE_BYTES);
		igt_assert(middle != MAP_FAILED);
		for (uint32_t page = 0; page < 3; page++)
			igt_assert_eq_u32(middle[page * words], 0x104 + page);
		munmap(middle, 3 * PAGE_BYTES);
		close(dma_buf);
		gpu_bo_free(&bo);
	}

	igt_describe("An address that a job has chosen and BO_INFO has told is not given to another BO");
	igt_subtest("told-va") {
		static struct etna_job job;
		int own = etna_open();
		struct etna_bo bo[2] = { etna_bo_new(own, 4096), etna_bo_new(own, 4096) };

		igt_require(etna_has_softpin(own));
		for (int i = 0; i < 3; i++) {
			etna_job_new(own, &job);
			job.flags = ETNA_SUBMIT_SOFTPIN;
			etna_put(&job, VIV_FE_COMMAND(NOP), 0);
			etna_job_use(&job, &bo[i % 2], ETNA_SUBMIT_BO_WRITE);
			job.bos[0].presumed = 0x20000000;
			igt_assert_eq(etna_try_submit(own, &job), i % 2 ? -ENOSPC : 0);
			igt_assert_eq(etna_try_prep(own, bo[0].handle, ETNA_PREP_WRITE, 30000), 0);
			igt_assert_eq_u64(limn_bo_info(own, bo[0].handle).va, 0x20000000);
		}
		close(own);
	}

	igt_describe("debugfs tells kinds of BOs apart");
	igt_subtest("debugfs-flags") {
		bool readonly = limn_param(fd, DRM_LIMN_PARAM_ISOLATION) & DRM_LIMN_ISOLATION_READONLY;
		void *own = aligned_alloc(PAGE_BYTES, PAGE_BYTES);
		struct drm_limn_bo_userptr user = { .addr = (uintptr_t)own, .size = PAGE_BYTES };
		struct drm_limn_bo_create heap = { .size = 1 << 20, .flags = DRM_LIMN_BO_HEAP };
		struct gpu_bo bo = limn_bo_new(fd, 4096, 0, 0), cached = limn_bo_new(fd, 4096, DRM_LIMN_BO_CACHED, 0);
		int dma_buf;

		memset(own, 0, PAGE_BYTES);
		check_flags(bo.handle, "------");
		check_flags(cached.handle, "----c-");
		if (!limn_try_bo(fd, &heap)) {
			check_flags(heap.handle, "h-----");
			gem_close(fd, heap.handle);
		}
		for (int i = 0; i <= readonly; i++) {
			user.flags = i ? DRM_LIMN_BO_READONLY : 0;
			user.va = 0;
			igt_assert_eq(gpu_try(fd, DRM_IOCTL_LIMN_BO_USERPTR, &user), 0);
			check_flags(user.handle, i ? "-ur-c-" : "-u--c-");
			gem_close(fd, user.handle);
		}
		dma_buf = prime_handle_to_fd(fd, bo.handle);
		check_flags(bo.handle, "---x--");
		close(dma_buf);
		gpu_bo_free(&bo);
		gpu_bo_free(&cached);
		free(own);
	}

	igt_describe("A label is in debugfs; a new one replaces it, an empty one takes it away");
	igt_subtest("label") {
		struct gpu_bo bo = limn_bo_new(fd, 4096, 0, 0);
		char text[16384];

		igt_assert_eq(try_label(bo.handle, "first name", 10), 0);
		igt_assert_eq(try_label(bo.handle, "second name", 11), 0);
		igt_assert(gpu_debugfs_read(fd, "gem", text, sizeof(text)) > 0);
		igt_assert(strstr(text, "second name") && !strstr(text, "first name"));
		igt_assert_eq(try_label(bo.handle, NULL, 0), 0);
		igt_assert(gpu_debugfs_read(fd, "gem", text, sizeof(text)) > 0);
		igt_assert(!strstr(text, "second name"));
		gpu_bo_free(&bo);
	}
}

igt_main
{
	igt_fixture {
		fd = limn_open();
		limn_require(fd, DRM_LIMN_FEATURE_BO | DRM_LIMN_FEATURE_FIXED_VA | DRM_LIMN_FEATURE_LABEL);
	}
	create_refusals();
	other_refusals();
	behaviour();
	igt_fixture {
		close(fd);
		limn_check_gpu();
	}
}
