// SPDX-License-Identifier: MIT
#include <errno.h>

#include <drm/etnaviv_drm.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <xf86drm.h>

#include "igt.h"
#include "gpu_sys.h"
#include "limn_bo.h"

IGT_TEST_DESCRIPTION("BO_USERPTR: BOs of the caller's own memory");

#define SIZE	(64u << 10)

static int fd = -1;

static void *memory(int prot)
{
	void *p = mmap(NULL, SIZE, prot, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	igt_assert(p != MAP_FAILED);
	return p;
}

static int try_userptr(void *addr, uint64_t size, uint32_t flags)
{
	uint32_t handle;
	int ret = limn_try_userptr(fd, addr, size, flags, &handle);

	if (!ret)
		gem_close(fd, handle);
	return ret;
}

static int try_at(void *addr, uint64_t va, uint32_t flags)
{
	struct drm_limn_bo_userptr req = {
		.addr = (uintptr_t)addr, .size = SIZE, .va = va, .flags = flags,
	};
	int ret = gpu_try(fd, DRM_IOCTL_LIMN_BO_USERPTR, &req);

	if (!ret) {
		if (va)
			igt_assert_eq_u64(req.va, va);
		gem_close(fd, req.handle);
	}
	return ret;
}

/* A process that ends; with_bo: it had a BO of its own memory. */
static void child(bool with_bo)
{
	pid_t pid = fork();
	int status;

	igt_assert(pid >= 0);
	if (!pid) {
		char *p = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		_exit(p == MAP_FAILED || (with_bo && try_userptr(p, SIZE, 0)));
	}
	igt_assert_eq(waitpid(pid, &status, 0), pid);
	igt_assert_eq(status, 0);
}

/* Objects of a slab cache that are in use; -1: the kernel does not tell. */
static long slab_objects(const char *cache)
{
	FILE *file = fopen("/proc/slabinfo", "r");
	char line[256], name[64];
	long n = -1, used;

	while (file && fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%63s %ld", name, &used) == 2 && !strcmp(name, cache))
			n = used;
	}
	if (file)
		fclose(file);
	return n;
}

static void refusals(void)
{
	igt_describe("EINVAL: unknown flags, size zero, address or size not of whole pages");
	igt_subtest("bad-arguments") {
		char *p = memory(PROT_READ | PROT_WRITE);

		for (int bit = 0; bit < 32; bit++)
			if (bit != 2 && bit != 3)
				igt_assert_eq(try_userptr(p, SIZE, 1u << bit), -EINVAL);
		igt_assert_eq(try_userptr(p, 0, 0), -EINVAL);
		igt_assert_eq(try_userptr(p + 16, 4096, 0), -EINVAL);
		igt_assert_eq(try_userptr(p, 4100, 0), -EINVAL);
		igt_assert_eq(try_at(p, 8, DRM_LIMN_BO_FIXED_VA), -EINVAL);
		igt_assert_eq(try_at(p, 4096 * 100, 0), -EINVAL);
		munmap(p, SIZE);
	}

	igt_describe("EFAULT: nothing there, only part of it there, not user memory, not writable");
	igt_subtest("bad-memory") {
		char *p = memory(PROT_READ | PROT_WRITE), *ro = memory(PROT_READ);

		igt_assert_eq(try_userptr((void *)4096, 4096, 0), -EFAULT);
		igt_assert_eq(try_userptr((void *)~0xffful, 4096, 0), -EFAULT);
		igt_assert_eq(try_userptr(p, 1ull << 30, 0), -EFAULT);
		igt_assert_eq(try_userptr(ro, SIZE, 0), -EFAULT);
		munmap(p + 8192, 4096);
		igt_assert_eq(try_userptr(p, SIZE, 0), -EFAULT);
		igt_assert_eq(try_userptr(p, 8192, 0), 0);
		munmap(p, SIZE);
		munmap(ro, SIZE);
	}

	igt_describe("ENOSPC: larger than the GPU's address space; ERANGE and EEXIST: a bad address");
	igt_subtest("bad-address") {
		struct gpu_bo bo = limn_bo_new(fd, 4096, 0, limn_param(fd, DRM_LIMN_PARAM_VA_START) + (256 << 20));
		void *p = memory(PROT_READ | PROT_WRITE);

		igt_assert_eq(try_userptr(p, 1ull << 40, 0), -ENOSPC);
		igt_assert_eq(try_at(p, 1ull << 40, DRM_LIMN_BO_FIXED_VA), -ERANGE);
		igt_assert_eq(try_at(p, bo.va, DRM_LIMN_BO_FIXED_VA), -EEXIST);
		igt_assert_eq(try_at(p, bo.va + 4096, DRM_LIMN_BO_FIXED_VA), 0);
		gpu_bo_free(&bo);
		munmap(p, SIZE);
	}

	igt_describe("ENOMEM: more than RLIMIT_MEMLOCK, for who may not lock without limit");
	igt_subtest("memlock") {
		igt_fork(child, 1) {
			const struct rlimit limit = { SIZE, SIZE };
			uint32_t one, two;
			char *p = memory(PROT_READ | PROT_WRITE);

			igt_assert_eq(setrlimit(RLIMIT_MEMLOCK, &limit), 0);
			igt_assert_eq(setuid(65534), 0);	/* drops CAP_IPC_LOCK */
			igt_assert_eq(limn_try_userptr(fd, p, SIZE / 2, 0, &one), 0);
			igt_assert_eq(limn_try_userptr(fd, p, SIZE / 2, 0, &two), 0);
			igt_assert_eq(try_userptr(p, 4096, 0), -ENOMEM);
			gem_close(fd, two);
			igt_assert_eq(try_userptr(p, 4096, 0), 0);
			gem_close(fd, one);
		}
		igt_waitchildren();
	}

	igt_describe("Not for mmap(), PRIME, or madvise");
	igt_subtest("no-export") {
		void *p = memory(PROT_READ | PROT_WRITE);
		struct drm_limn_bo_info info;
		uint32_t handle;
		int dma_buf;

		igt_assert_eq(limn_try_userptr(fd, p, SIZE, 0, &handle), 0);
		info = limn_bo_info(fd, handle);
		igt_assert_eq_u32(info.flags, DRM_LIMN_BO_USERMEM);
		igt_assert_eq_u64(info.offset, 0);
		igt_assert_eq_u64(info.size, SIZE);
		igt_assert(drmPrimeHandleToFD(fd, handle, DRM_CLOEXEC, &dma_buf) && errno == EINVAL);
		igt_assert_eq(limn_try_madvise(fd, handle, DRM_LIMN_MADV_DONTNEED), -EINVAL);
		gem_close(fd, handle);
		munmap(p, SIZE);
	}
}

/* A client whose jobs write to the caller's memory. */
static struct gpu_client client_on(void *p, uint32_t flags)
{
	struct gpu_client c = limn_client_on(limn_open());
	struct drm_limn_bo_userptr req = { .addr = (uintptr_t)p, .size = SIZE, .flags = flags };

	gpu_bo_free(&c.target);
	igt_assert_eq(gpu_try(c.fd, DRM_IOCTL_LIMN_BO_USERPTR, &req), 0);
	c.target = (struct gpu_bo){ .fd = c.fd, .handle = req.handle, .size = SIZE, .va = req.va };
	return c;
}

/* An index of limn_store() that is in that page. */
static uint32_t in_page(const struct gpu_client *c, uint32_t page)
{
	uint32_t index = 0;

	while (c->family->word(index) < page * 1024)
		index++;
	return index;
}

/* Whether the GPU can be kept from writing. */
static bool has_readonly(void)
{
	struct gpu_client c = limn_client_new();
	bool has = limn_can_fault(&c);

	limn_client_free(&c);
	return has;
}

static int store(struct gpu_client *c, uint32_t index, uint32_t value)
{
	struct limn_job job = limn_store(c, index, value);

	return limn_run(c->fd, &job);
}

static void behaviour(void)
{
	igt_describe("What the GPU writes is in the caller's memory, each page where it belongs");
	igt_subtest("write") {
		uint32_t *p = memory(PROT_READ | PROT_WRITE);
		struct gpu_client c = client_on(p, 0);

		for (uint32_t page = 0; page < SIZE / 4096; page++)
			igt_assert_eq(store(&c, in_page(&c, page), page + 1), 0);
		for (uint32_t page = 0; page < SIZE / 4096; page++)
			igt_assert_eq_u32(p[c.family->word(in_page(&c, page))], page + 1);
		limn_client_free(&c);
		munmap(p, SIZE);
	}

	igt_describe("BO_SYNC hands pages over, also when two BOs share them");
	igt_subtest("sync") {
		uint32_t *p = memory(PROT_READ | PROT_WRITE), twin;
		struct gpu_client c = client_on(p, 0);
		struct drm_limn_bo_sync req = { .handle = c.target.handle, .size = SIZE };

		igt_assert_eq(limn_try_userptr(fd, p, SIZE, has_readonly() ? DRM_LIMN_BO_READONLY : 0, &twin), 0);
		for (uint32_t i = 1; i < 4; i++) {
			p[7] = i;
			req.flags = DRM_LIMN_SYNC_FOR_DEVICE;
			igt_assert_eq(gpu_try(c.fd, DRM_IOCTL_LIMN_BO_SYNC, &req), 0);
			igt_assert_eq(store(&c, 8, 100 + i), 0);
			req.flags = DRM_LIMN_SYNC_FOR_CPU;
			igt_assert_eq(gpu_try(c.fd, DRM_IOCTL_LIMN_BO_SYNC, &req), 0);
			igt_assert_eq_u32(p[7], i);
			igt_assert_eq_u32(p[c.family->word(8)], 100 + i);
		}
		gem_close(fd, twin);
		limn_client_free(&c);
		munmap(p, SIZE);
	}

	igt_describe("Read-only: made of memory that cannot be written, and the GPU cannot either");
	igt_subtest("readonly") {
		uint32_t *p = memory(PROT_READ);
		struct gpu_client c;

		igt_require(has_readonly());
		c = client_on(p, DRM_LIMN_BO_READONLY);
		igt_assert_eq_u32(limn_bo_info(c.fd, c.target.handle).flags,
				  DRM_LIMN_BO_USERMEM | DRM_LIMN_BO_READONLY);
		igt_assert_eq(store(&c, 0, 1), -EFAULT);
		igt_assert_eq_u32(p[0], 0);
		limn_client_free(&c);
		munmap(p, SIZE);
	}

	igt_describe("EOPNOTSUPP: read-only, where the MMU cannot tell reads from writes; not even by the etnaviv ABI");
	igt_subtest("readonly-not-there") {
		uint32_t *p = memory(PROT_READ);
		struct drm_etnaviv_gem_userptr req = {
			.user_ptr = (uintptr_t)p, .user_size = SIZE, .flags = ETNA_USERPTR_READ,
		};

		igt_require(!has_readonly());
		igt_assert_eq(try_userptr(p, SIZE, DRM_LIMN_BO_READONLY), -EOPNOTSUPP);
		igt_assert_eq(gpu_try(fd, DRM_IOCTL_ETNAVIV_GEM_USERPTR, &req), -EFAULT);
		munmap(p, SIZE);
	}

	igt_describe("The memory stays while the GPU may use it, even if the process gives it back");
	igt_subtest("unmapped-before-use") {
		uint32_t *p = memory(PROT_READ | PROT_WRITE);
		struct gpu_client c = client_on(p, 0);

		munmap(p, SIZE);
		igt_assert_eq(store(&c, 0, 1), 0);
		limn_client_free(&c);
	}

	igt_describe("After a fork, the parent's BO is still the parent's memory");
	igt_subtest("fork") {
		uint32_t *p = memory(PROT_READ | PROT_WRITE);
		struct gpu_client c;

		p[0] = 1;
		c = client_on(p, 0);
		igt_fork(child, 1) {
			igt_assert_eq_u32(p[0], 1);
			p[0] = 2;
		}
		igt_waitchildren();
		p[1] = 3;	/* would be copied here, if the page were shared */
		igt_assert_eq(store(&c, 0, 0x77), 0);
		igt_assert_eq_u32(p[0], 0x77);
		limn_client_free(&c);
		munmap(p, SIZE);
	}

	igt_describe("Pages are given back: a hundred rounds need no more memory than one");
	igt_subtest("no-leak") {
		long before = 0, after;

		for (int i = 0; i < 100; i++) {
			char *p = memory(PROT_READ | PROT_WRITE);

			memset(p, 1, SIZE);
			igt_assert_eq(try_userptr(p, SIZE, 0), 0);
			munmap(p, SIZE);
			if (i == 9)
				before = mem_kib("MemAvailable");
		}
		after = mem_kib("MemAvailable");
		igt_assert_f(after > before - 90 * 64 / 2, "%ld KiB before, %ld after\n", before, after);
	}

	igt_describe("A process whose memory was a BO's leaves nothing of its address space");
	igt_subtest("no-leak-process") {
		long more[2];

		igt_require(slab_objects("mm_struct") >= 0);
		/* KASAN keeps what was freed: as much of those without a BO. */
		for (int with = 0; with < 2; with++) {
			long before = slab_objects("mm_struct");

			for (int i = 0; i < 100; i++)
				child(with);
			more[with] = slab_objects("mm_struct") - before;
		}
		igt_assert_f(more[1] < more[0] + 50, "%ld more after a hundred, %ld without BOs\n", more[1], more[0]);
	}
}

igt_main
{
	igt_fixture {
		fd = limn_open();
		limn_require(fd, DRM_LIMN_FEATURE_USERPTR);
	}
	refusals();
	behaviour();
	igt_fixture {
		close(fd);
		limn_check_gpu();
	}
}
