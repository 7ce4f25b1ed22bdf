// SPDX-License-Identifier: MIT
#include <errno.h>

#include "igt.h"
#include "lima_lib.h"

IGT_TEST_DESCRIPTION("GET_PARAM of the lima ABI");

static int try_param(int fd, uint32_t param, uint32_t pad)
{
	struct drm_lima_get_param req = { .param = param, .pad = pad, .value = 0x5a5a };
	int ret = gpu_try(fd, DRM_IOCTL_LIMA_GET_PARAM, &req);

	if (ret)
		igt_assert_eq_u64(req.value, 0x5a5a);
	return ret;
}

igt_main
{
	int fd = -1;

	igt_fixture
		fd = lima_open();

	igt_describe("EINVAL: a parameter that does not exist");
	igt_subtest("bad-param") {
		igt_assert_eq(try_param(fd, DRM_LIMA_PARAM_PP_VERSION + 1, 0), -EINVAL);
		igt_assert_eq(try_param(fd, UINT32_MAX, 0), -EINVAL);
	}

	igt_describe("EINVAL: pad is not zero");
	igt_subtest("bad-pad") {
		for (int bit = 0; bit < 32; bit++)
			igt_assert_eq(try_param(fd, DRM_LIMA_PARAM_GPU_ID, 1u << bit), -EINVAL);
	}

	igt_describe("EFAULT: the argument is not in memory");
	igt_subtest("bad-pointer")
		igt_assert_eq(gpu_try(fd, DRM_IOCTL_LIMA_GET_PARAM, (void *)8), -EFAULT);

	igt_describe("The GPU, its cores and their versions");
	igt_subtest("values") {
		uint64_t gpu = lima_param(fd, DRM_LIMA_PARAM_GPU_ID);
		uint64_t num_pp = lima_param(fd, DRM_LIMA_PARAM_NUM_PP);

		igt_assert(gpu == DRM_LIMA_PARAM_GPU_ID_MALI400 ||
			   gpu == DRM_LIMA_PARAM_GPU_ID_MALI450);
		igt_assert(num_pp >= 1 && num_pp <= (gpu == DRM_LIMA_PARAM_GPU_ID_MALI400 ? 4 : 8));
		igt_assert_eq_u32(lima_param(fd, DRM_LIMA_PARAM_GP_VERSION) >> 16,
				  gpu == DRM_LIMA_PARAM_GPU_ID_MALI400 ? 0x0b07 : 0x0d07);
		igt_assert_eq_u32(lima_param(fd, DRM_LIMA_PARAM_PP_VERSION) >> 16,
				  gpu == DRM_LIMA_PARAM_GPU_ID_MALI400 ? 0xcd07 : 0xcf07);
	}

	igt_fixture
		close(fd);
}
