// SPDX-License-Identifier: MIT
#include <errno.h>

#include "igt.h"
#include "lima_jobs.h"

IGT_TEST_DESCRIPTION("Jobs that end well: what they write is there");

igt_main
{
	struct gpu_client c = { .fd = -1 };

	igt_fixture
		c = lima_client_new();

	igt_describe("A GP job stores a word");
	igt_subtest("gp-store") {
		struct lima_job job = lima_gp_store(&c, 5, 0x12345678);

		c.target.map[5] = 0;
		igt_assert_eq(lima_run(c.fd, &job), 0);
		igt_assert_eq_u32(c.target.map[5], 0x12345678);
	}

	igt_describe("GP jobs with lists of both of its halves, of one and of the other, in each order");
	igt_subtest("gp-halves") {
		static const char order[] = "123132312133221";	/* 1: VS, 2: PLBU, 3: both */

		for (int i = 0; order[i]; i++) {
			struct lima_job job = lima_gp_store(&c, 5, i + 1);

			lima_gp_lists(&c, &job, order[i] != '2', order[i] != '1');
			c.target.map[5] = 0;
			igt_assert_eq(lima_run(c.fd, &job), 0);
			igt_assert_eq_u32(c.target.map[5], order[i] != '1' ? i + 1 : 0);
		}
	}

	igt_describe("A PP job clears a picture, all cores together");
	igt_subtest("pp-clear") {
		static const uint32_t colours[] = { 0xff0000ff, 0x80402010, 0, 0xffffffff };

		for (int i = 0; i < 4; i++) {
			struct lima_job job = lima_pp_clear(&c, colours[i]);

			memset(c.target.map, 0x5a, c.target.size);
			igt_assert_eq(lima_run(c.fd, &job), 0);
			lima_check_picture(&c, colours[i]);
		}
	}

	igt_describe("The load balancer gives the tiles to all cores, to one, and to all again");
	igt_subtest("pp-dlbu") {
		uint32_t all = c.num_pp;

		igt_require(c.m450);
		for (uint32_t i = 0; i < 3; i++) {
			struct lima_job job;

			c.num_pp = i == 1 ? 1 : all;
			job = lima_pp_clear_dlbu(&c, 0x44000000 + i);
			c.num_pp = all;
			memset(c.target.map, 0x5a, c.target.size);
			igt_assert_eq(lima_run(c.fd, &job), 0);
			lima_check_picture(&c, 0x44000000 + i);
		}
	}

	igt_describe("A PP job on each smaller number of cores");
	igt_subtest("pp-fewer-cores") {
		uint32_t all = c.num_pp;

		igt_require(all > 1 && !c.m450);
		for (uint32_t n = 1; n < all; n++) {
			struct lima_job job;
			uint32_t tile;

			c.num_pp = n;
			job = lima_pp_clear(&c, 0x11223344 + n);
			c.num_pp = all;
			memset(c.target.map, 0, c.target.size);
			igt_assert_eq(lima_run(c.fd, &job), 0);
			/* Tiles 0..n-1 of the first row are those cores' first ones. */
			for (tile = 0; tile < all; tile++)
				igt_assert_eq_u32(c.target.map[tile * 16], tile < n ? 0x11223344 + n : 0);
		}
	}

	igt_describe("All cores after a job of the same file that used one, and before that of another file: all change over");
	igt_subtest("pp-cores-change-files") {
		struct gpu_client other = lima_client_new();
		struct lima_job job;
		uint32_t all = c.num_pp;

		igt_require(all > 1);
		for (uint32_t i = 1; i < 4; i++) {
			job = lima_pp_clear(&c, 0x11000000 + i);
			igt_assert_eq(lima_run(c.fd, &job), 0);
			other.num_pp = 1;
			job = lima_pp_clear(&other, 0x22000000 + i);
			other.num_pp = all;
			igt_assert_eq(lima_run(other.fd, &job), 0);
			job = lima_pp_clear(&other, 0x33000000 + i);
			igt_assert_eq(lima_run(other.fd, &job), 0);
			lima_check_picture(&other, 0x33000000 + i);
			lima_check_picture(&c, 0x11000000 + i);
		}
		lima_client_free(&other);
	}

	igt_describe("Many jobs one after the other, each waited for");
	igt_subtest("one-by-one")
		for (int i = 0; i < 50; i++)
			lima_check_works(&c);

	igt_describe("A queue of jobs of one context runs in its order");
	igt_subtest("queue-order") {
		uint32_t fence = 0;

		for (uint32_t i = 0; i < 20; i++) {
			struct lima_job job = lima_gp_store(&c, 7, i + 1);

			if (fence)
				syncobj_destroy(c.fd, fence);
			fence = lima_submit_fence(c.fd, &job);
		}
		igt_assert_eq(gpu_fence_end(c.fd, fence, 0), 0);
		igt_assert_eq_u32(c.target.map[7], 20);
	}

	igt_describe("A job of many commands");
	igt_subtest("gp-long") {
		struct lima_job job = lima_gp_long(&c, 9, 0xabcd);

		igt_assert_eq(lima_run(c.fd, &job), 0);
		igt_assert_eq_u32(c.target.map[9], 0xabcd);
	}

	igt_fixture
		lima_client_free(&c);
}
