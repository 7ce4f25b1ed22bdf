// SPDX-License-Identifier: MIT
/* Numbers as text: what is written without printf is what printf writes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "isa/emit.h"
#include "isa/half.h"
#include "tests/isa/random.h"

static void same_g(double v)
{
	char want[64], is[64];

	snprintf(want, sizeof(want), "%g", v);
	*isa_emit_g(is, v) = 0;
	assert_string_equal(is, want);
}

static void test_g(void **state)
{
	static const double odd[] = { 0, -0.0, 999999.4, 999999.5, 999999.44, 1e6, 1e5, 99999.95, 0.0001, 0.00012345651, 1e-5, 0.1f, 123456.5,
				      123457.5, 0.5, NAN, -NAN, INFINITY, -INFINITY, 1e300, 5e-324, 1.0 / 3 };

	for (size_t i = 0; i < sizeof(odd) / sizeof(*odd); i++)
		same_g(odd[i]);
	for (unsigned int h = 0; h < 1 << 16; h++)
		same_g(half_to_float(h));
	random_seed();
	for (unsigned int i = 0; i < 300000; i++) {
		uint32_t bits = random_word();
		float f;

		/* Half of them where it is not printf's work. */
		if (i & 1)
			bits = (bits & 0x807fffff) | (113 + bits / 7 % 35) << 23;
		memcpy(&f, &bits, 4);
		same_g(f);
	}
}

static void test_printf(void **state)
{
	static const int odd[] = { 0, 1, -1, 9, 10, 99, 100, -100, 255, 65535, 0x7fffffff, -0x7fffffff - 1 };
	char want[256];

	for (size_t i = 0; i < sizeof(odd) / sizeof(*odd); i++) {
		struct isa_text text = { 0 };
		char *is;

		isa_printf(&text, "%u %d %+d %X %02X %c%s%% %g|%x %5d", odd[i], odd[i], odd[i], odd[i], odd[i], 'c', "text", odd[i] / 8.0, odd[i],
			   odd[i]);
		snprintf(want, sizeof(want), "%u %d %+d %X %02X %c%s%% %g|%x %5d", odd[i], odd[i], odd[i], odd[i], odd[i], 'c', "text",
			 odd[i] / 8.0, odd[i], odd[i]);
		is = isa_text_finish(&text);
		assert_string_equal(is, want);
		free(is);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_g),
		cmocka_unit_test(test_printf),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
