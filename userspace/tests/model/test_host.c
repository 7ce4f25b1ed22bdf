// SPDX-License-Identifier: MIT
/* The host carrier: what it refuses, address space, and that a seed makes runs repeatable. */
#include <errno.h>

#include <drm/lima_drm.h>
#include <limn/utgard/gp_stream.h>
#include <limn/utgard/pp_stream.h>
#include <limn/utgard/regs.h>

#include "model/carriers/host/host.h"
#include "tests/unit.h"

static struct host *start(const char *gpu)
{
	struct host_config config = { .gpu = gpu, .strict = true, .seed = 2, .ram = 64 << 20 };
	struct host *host;

	assert_int_equal(host_create(&config, &host), 0);
	return host;
}

static void devices(void **state)
{
	struct host_config config = { .gpu = "mali-400-mp9" };
	struct host *host;

	assert_int_equal(host_create(&config, &host), -ENODEV);
	for (unsigned int i = 0; model_gpu_at(i); i++) {
		const char *name = model_gpu_at(i)->name;

		if (strncmp(name, "mali", 4))
			continue;
		host = start(name);
		assert_int_equal(host_num_pp(host), name[strlen(name) - 1] - '0');
		assert_int_equal(host_gpu_id(host), strstr(name, "450") ? 0x450 : 0x400);
		assert_string_equal(host_error(host), "");
		host_destroy(host);
	}
	assert_null(model_gpu_find("mali-400"));
}

static void bos(void **state)
{
	struct host *host = start("mali-400-mp1");
	uint32_t a, b, c, va_a, va_b, backed;
	void *map_a, *map_b;

	assert_int_equal(host_bo_create(host, 0, 0, &a), -EINVAL);
	assert_int_equal(host_bo_create(host, (512u << 20) + 1, 0, &a), -EINVAL);
	assert_int_equal(host_bo_create(host, 4096, 2, &a), -EINVAL);
	assert_int_equal(host_bo_create(host, 65u << 20, 0, &a), -ENOMEM);
	assert_int_equal(host_bo_create(host, 5000, 0, &a), 0);
	assert_int_equal(host_bo_create(host, 1 << 20, HOST_BO_HEAP, &b), 0);
	assert_int_equal(host_bo_info(host, a, &va_a, &map_a, &backed), 0);
	assert_int_equal(backed, 8192);
	assert_true(va_a && va_a % 4096 == 0);
	assert_int_equal(host_bo_info(host, b, &va_b, &map_b, &backed), 0);
	assert_int_equal(backed, 32 << 10);
	assert_true(va_b >= va_a + 8192 || va_b + (1 << 20) <= va_a);
	/* A place that is taken, and one that is not. */
	assert_int_equal(host_bo_create_at(host, va_a + 4096, 4096, 0, &c), -ENOMEM);
	assert_int_equal(host_bo_create_at(host, 0x70000001, 4096, 0, &c), -EINVAL);
	assert_int_equal(host_bo_create_at(host, 0xfffff000, 4096, 0, &c), 0);
	assert_int_equal(host_bo_create_at(host, 0xfffff000, 8192, 0, &c), -ENOMEM);
	/* Handles end; what follows starts from zeroes. */
	memset(map_a, 0x5a, 5000);
	assert_int_equal(host_bo_free(host, a), 0);
	assert_int_equal(host_bo_free(host, a), -ENOENT);
	assert_int_equal(host_bo_info(host, 99, &va_a, &map_a, &backed), -ENOENT);
	assert_int_equal(host_bo_create(host, 5000, 0, &a), 0);
	assert_int_equal(host_bo_info(host, a, &va_a, &map_a, &backed), 0);
	for (int i = 0; i < 5000; i++)
		assert_int_equal(((uint8_t *)map_a)[i], 0);
	/* All memory can be had again and again. */
	for (int i = 0; i < 100; i++) {
		assert_int_equal(host_bo_create(host, 40u << 20, 0, &c), 0);
		assert_int_equal(host_bo_free(host, c), 0);
	}
	host_destroy(host);
}

static void frames(void **state)
{
	struct host *host = start("mali-400-mp2");
	struct drm_lima_m400_pp_frame pp = { .num_pp = 1 };
	struct drm_lima_gp_frame gp = { { 0, 0, 8, 0, 0, 0 } };
	enum host_status status;

	assert_int_equal(host_submit(host, HOST_PIPE_GP, &gp, sizeof(gp) - 4, &status), -EINVAL);
	assert_int_equal(host_submit(host, HOST_PIPE_GP, &gp, sizeof(gp), &status), -EINVAL);
	gp.frame[2] = 0;
	assert_int_equal(host_submit(host, HOST_PIPE_GP, &gp, sizeof(gp), &status), -EINVAL);
	assert_int_equal(host_submit(host, 2, &gp, sizeof(gp), &status), -EINVAL);
	assert_int_equal(host_submit(host, HOST_PIPE_PP, &pp, sizeof(pp) + 1, &status), -EINVAL);
	pp.num_pp = 0;
	assert_int_equal(host_submit(host, HOST_PIPE_PP, &pp, sizeof(pp), &status), -EINVAL);
	pp.num_pp = 3;
	assert_int_equal(host_submit(host, HOST_PIPE_PP, &pp, sizeof(pp), &status), -EINVAL);
	host_destroy(host);
}

/* An empty tile stream on one core or all; then a fault, and the same again. */
static void pp_jobs(void **state)
{
	struct host *host = start("mali-400-mp4");
	struct drm_lima_m400_pp_frame pp = { .frame[PP_FEATURES / 4] = 2 };
	enum host_status status;
	uint32_t handle, va, backed;
	void *map;

	assert_int_equal(host_bo_create(host, 4096, 0, &handle), 0);
	assert_int_equal(host_bo_info(host, handle, &va, &map, &backed), 0);
	((uint32_t *)map)[1] = PPS_END;
	for (int round = 0; round < 2; round++) {
		for (pp.num_pp = 1; pp.num_pp <= 4; pp.num_pp++) {
			for (int i = 0; i < 4; i++)
				pp.plbu_array_address[i] = va;
			assert_int_equal(host_submit(host, HOST_PIPE_PP, &pp, sizeof(pp), &status), 0);
			assert_int_equal(status, HOST_OK);
		}
		pp.num_pp = 4;
		pp.plbu_array_address[2] = 0x60000000;
		assert_int_equal(host_submit(host, HOST_PIPE_PP, &pp, sizeof(pp), &status), 0);
		assert_int_equal(status, HOST_FAULT);
		assert_string_equal(host_error(host), "ppmmu2: page fault at 60000000, read by bus id 0");
	}
	host_destroy(host);
}

/* The same seed and calls: the same number of everything. */
static void repeatable(void **state)
{
	struct model_stats stats[2];

	for (int i = 0; i < 2; i++) {
		struct host *host = start("mali-400-mp2");
		struct drm_lima_gp_frame gp = { 0 };
		enum host_status status;
		uint32_t handle, va, backed, *list;
		void *map;

		assert_int_equal(host_bo_create(host, 4096, 0, &handle), 0);
		assert_int_equal(host_bo_info(host, handle, &va, &map, &backed), 0);
		list = map;
		list[1] = PLBU_W1_END;
		gp.frame[2] = va;
		gp.frame[3] = va + 8;
		for (int n = 0; n < 50; n++) {
			assert_int_equal(host_submit(host, HOST_PIPE_GP, &gp, sizeof(gp), &status), 0);
			assert_int_equal(status, HOST_OK);
		}
		model_get_stats(host_model(host), &stats[i]);
		assert_int_equal(stats[i].gp_jobs, 50);
		host_destroy(host);
	}
	/* But for the host's time, the last of them. */
	assert_memory_equal(&stats[0], &stats[1], offsetof(struct model_stats, busy_ns));
}

#define TESTS(T) T(devices) T(bos) T(frames) T(pp_jobs) T(repeatable)

UNIT_MAIN(TESTS, NULL)
