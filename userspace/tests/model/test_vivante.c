// SPDX-License-Identifier: MIT
/*
 * The virtual Vivante chips through the in-process carrier, strict: what they
 * say they are, jobs, what hangs, RS and tile status.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <errno.h>
#include <cmocka.h>

#include "viv_stream.h"

static const char *const all[] = { "gc2000", "gc880", "gc320", "gc3000", "gc7000l", "imx6q" };
static const char *const with_rs[] = { "gc2000", "gc880", "gc3000" };

#define COUNT(a)	(sizeof(a) / sizeof((a)[0]))

static void nop_jobs(void **state)
{
	for (unsigned int i = 0; i < COUNT(all); i++) {
		struct env e;

		env_open(&e, all[i]);
		for (unsigned int k = 0; k < 3; k++) {
			for (unsigned int n = 0; n < 10; n++)
				put(&e, VIV_FE_COMMAND(NOP), 0);
			assert_int_equal(run(&e, strcmp(all[i], "gc320") ? HOST_PIPE_3D : HOST_PIPE_2D), HOST_OK);
		}
		env_close(&e);
	}
}

/* RS: linear to linear, on one pipe or both. */
static void rs_copy(void **state)
{
	for (unsigned int i = 0; i < COUNT(with_rs); i++) {
		struct env e;

		env_open(&e, with_rs[i]);
		for (unsigned int n = 0; n < 64 * 16; n++)
			((uint32_t *)e.map[0])[n] = n * 0x01010101u;
		rs_surface(&e, false, 0, 256, VIV_LAYOUT_LINEAR, RS_FORMAT_A8R8G8B8);
		rs_surface(&e, true, 1, 256, VIV_LAYOUT_LINEAR, RS_FORMAT_A8R8G8B8);
		rs_kick(&e, 64, 16);
		assert_int_equal(run(&e, HOST_PIPE_3D), HOST_OK);
		assert_memory_equal(e.map[0], e.map[1], 64 * 16 * 4);
		assert_int_equal(((uint32_t *)e.map[1])[64 * 16], 0);
		env_close(&e);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nop_jobs),
		cmocka_unit_test(rs_copy),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
