/* SPDX-License-Identifier: MIT */
/*
 * What unit tests include, and a main() that runs them:
 *
 *	#define TESTS(T) T(one_test) T(another)
 *
 *	UNIT_MAIN(TESTS, end)	end: runs behind each of them, also where one has failed; NULL: nothing does
 */
#ifndef LIMN_TESTS_UNIT_H
#define LIMN_TESTS_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define COUNT(a)	(sizeof(a) / sizeof((a)[0]))

#define UNIT_TEST(name)	cmocka_unit_test(name),
#define UNIT_MAIN(TESTS, end) \
	int main(void) \
	{ \
		struct CMUnitTest tests[] = { TESTS(UNIT_TEST) }; \
		for (size_t i = 0; i < COUNT(tests); i++) \
			tests[i].teardown_func = end; \
		return cmocka_run_group_tests(tests, NULL, NULL); \
	}

#endif
