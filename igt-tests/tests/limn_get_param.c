// SPDX-License-Identifier: MIT
#include <errno.h>

#include <drm/etnaviv_drm.h>

#include "igt.h"
#include "gpu_sys.h"
#include "limn_list.h"

IGT_TEST_DESCRIPTION("GET_PARAM of the extension ABI");

static int fd = -1;

static int try_param(uint32_t param, uint32_t pad)
{
	struct drm_limn_get_param req = { .param = param, .pad = pad, .value = 0x77 };
	int ret = gpu_try(fd, DRM_IOCTL_LIMN_GET_PARAM, &req);

	if (ret)
		igt_assert_eq_u64(req.value, 0x77);
	return ret;
}

igt_main
{
	igt_fixture {
		fd = limn_open();
		limn_require(fd, 0);
	}

	igt_describe("EINVAL: a parameter that does not exist");
	igt_subtest("bad-param") {
		igt_assert_eq(try_param(DRM_LIMN_PARAM_ISOLATION + 1, 0), -EINVAL);
		igt_assert_eq(try_param(~0u, 0), -EINVAL);
	}

	igt_describe("EINVAL: each bit of the pad");
	igt_subtest("bad-pad")
		for (int bit = 0; bit < 32; bit++)
			igt_assert_eq(try_param(DRM_LIMN_PARAM_FEATURES, 1u << bit), -EINVAL);

	igt_describe("Limits make sense, and go with each other");
	igt_subtest("values") {
		uint64_t start = limn_param(fd, DRM_LIMN_PARAM_VA_START);
		uint64_t end = limn_param(fd, DRM_LIMN_PARAM_VA_END);

		uint64_t queues = limn_param(fd, DRM_LIMN_PARAM_NUM_QUEUES);
		struct gpu_client c = limn_client_new();

		igt_assert(limn_is_utgard(&c) ? queues == 2 : queues >= 1 && queues <= 4);
		igt_assert(limn_queue(&c, 1) < queues);
		limn_client_free(&c);
		igt_assert_eq_u64(limn_param(fd, DRM_LIMN_PARAM_MAX_JOBS), 32);
		igt_assert(limn_param(fd, DRM_LIMN_PARAM_MAX_BOS) >= 1024);
		igt_assert(limn_param(fd, DRM_LIMN_PARAM_MAX_SYNCS) >= 16);
		igt_assert(start < end && end <= 1ull << 32);
		igt_assert_eq_u64(limn_param(fd, DRM_LIMN_PARAM_TIMEOUT_MS), gpu_timeout_ms());
	}

	igt_describe("What keeps clients apart is what this GPU's MMU can do, and what the driver does");
	igt_subtest("isolation") {
		uint64_t isolation = limn_param(fd, DRM_LIMN_PARAM_ISOLATION);
		uint64_t mmu = DRM_LIMN_ISOLATION_MEMORY | DRM_LIMN_ISOLATION_READONLY;
		struct gpu_client c = limn_client_new();

		/* Of Vivante's two MMUs the old one does neither. */
		igt_assert_eq_u64(isolation & mmu, limn_can_fault(&c) ? mmu : 0);
		igt_assert_eq_u64(isolation & ~mmu, limn_is_utgard(&c) ? 0 : DRM_LIMN_ISOLATION_STATE);
		limn_client_free(&c);
	}

	igt_describe("Each ioctl that a feature bit promises is there: it does more than refuse");
	igt_subtest("features") {
		uint64_t features = limn_param(fd, DRM_LIMN_PARAM_FEATURES);
		struct drm_limn_ctx_query query = { .id = 0x7777 };
		struct drm_limn_bo_info info = { .handle = 0x7777 };

		igt_assert_eq(gpu_try(fd, DRM_IOCTL_LIMN_CTX_QUERY, &query),
			      features & DRM_LIMN_FEATURE_CTX ? -ENOENT : -EINVAL);
		igt_assert_eq(gpu_try(fd, DRM_IOCTL_LIMN_BO_INFO, &info),
			      features & DRM_LIMN_FEATURE_BO ? -ENOENT : -EINVAL);
		igt_assert(features & DRM_LIMN_FEATURE_SUBMIT);
		/* The numbers between those of the old ABIs and ours, and those behind, lead nowhere. */
		for (uint32_t nr = DRM_ETNAVIV_NUM_IOCTLS; nr < 0x20; nr++)
			igt_assert_eq(gpu_try(fd, DRM_IOWR(DRM_COMMAND_BASE + nr, query), &query),
				      -EINVAL);
		igt_assert_eq(gpu_try(fd, DRM_IOWR(DRM_COMMAND_BASE + 0x31, query), &query), -EINVAL);
	}

	igt_describe("The priority that one may ask for is the one that one gets");
	igt_subtest("max-priority") {
		uint32_t id;
		int priority = (int64_t)limn_param(fd, DRM_LIMN_PARAM_MAX_PRIORITY);

		igt_assert_eq(priority, DRM_LIMN_PRIORITY_HIGH);	/* this is root */
		igt_fork(child, 1) {
			igt_assert_eq(setuid(65534), 0);
			igt_assert_eq((int)limn_param(fd, DRM_LIMN_PARAM_MAX_PRIORITY),
				      DRM_LIMN_PRIORITY_NORMAL);
			igt_assert_eq(limn_try_ctx(fd, DRM_LIMN_PRIORITY_HIGH, 0, &id), -EPERM);
			igt_assert_eq(limn_try_ctx(fd, DRM_LIMN_PRIORITY_NORMAL, 0, &id), 0);
			limn_ctx_free(fd, id);
		}
		igt_waitchildren();
	}

	igt_describe("Resets are counted");
	igt_subtest("resets") {
		uint64_t before = limn_param(fd, DRM_LIMN_PARAM_RESETS);
		struct gpu_client c = limn_client_new();
		struct limn_job job = limn_failing(&c, 0);

		igt_assert_eq(limn_run(c.fd, &job), limn_fail_error(&c));
		igt_assert_eq_u64(limn_param(fd, DRM_LIMN_PARAM_RESETS), before + 1);
		job = limn_store(&c, 0, 1);
		igt_assert_eq(limn_run(c.fd, &job), 0);
		igt_assert_eq_u64(limn_param(fd, DRM_LIMN_PARAM_RESETS), before + 1);
		limn_client_free(&c);
	}

	igt_fixture
		close(fd);
}
