// SPDX-License-Identifier: MIT
/* 16-bit floats against their definition: every one of them, and rounding to the nearest. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "isa/half.h"
#include "tests/isa/halves.h"
#include "tests/isa/random.h"

static void test_half(void **state)
{
	uint32_t h, n;

	random_seed();
	for (h = 0; h < 0x10000; h++) {
		int e = h >> 10 & 31;
		double m = h & 1023, want = e ? ldexp(1024 + m, e - 25) : ldexp(m, -24);
		float got = half_to_float(h);

		if (e == 31)
			continue;
		assert_true(got == (h & 0x8000 ? -want : want));
		assert_int_equal(half_from_float(got), h);
	}
	/* The nearest, and of two equally near the even one. */
	for (n = 0; n < 200000; n++) {
		float v = ldexp(random_in(0.5, 1), (int)(random_word() % 40) - 26);
		uint16_t got = half_from_float(v);
		double d = fabs(half_to_float(got) - (double)v);

		if (v >= 65520) {
			assert_int_equal(got, 0x7c00);
			continue;
		}
		assert_true(got == 0 || d <= fabs(half_to_float(got - 1) - (double)v));
		assert_true(got >= 0x7bff || d <= fabs(half_to_float(got + 1) - (double)v));
	}
	for (n = 0; n < 2 * NUM_HALVES; n++)
		assert_int_equal(half_from_float(as_float(halves[n / 2].f | n << 31)), halves[n / 2].h | (n & 1) << 15);
	/* Numbers that are none keep what they hold. */
	for (h = 0x7c01; h < 0x8000; h++)
		assert_int_equal(as_bits(half_to_float(h)), 0x7f800000 | (h & 0x3ff) << 13);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_half),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
