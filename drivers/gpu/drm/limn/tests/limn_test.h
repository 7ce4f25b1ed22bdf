/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LIMN_TEST_H
#define LIMN_TEST_H

#include <kunit/test.h>

/* Zeroed memory until the test ends; without it the test ends at once. */
static inline void *limn_test_alloc(struct kunit *test, size_t size)
{
	void *memory = kunit_kzalloc(test, size, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, memory);
	return memory;
}

#endif
