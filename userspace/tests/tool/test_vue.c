// SPDX-License-Identifier: MIT
/* VUE layout: the tables of the mesa-dev patch for scalar geometry shaders word by word, and what follows from them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "tool/vue.h"

/* A register as the patch writes it: "A7.x A6.x ..." from the highest primitive down. */
static void check_row(const struct vue_layout *l, unsigned int reg, const char *row)
{
	unsigned int shown = 0;

	while (*row) {
		unsigned int slot, primitive, component;
		struct vue_place at;

		if (*row == ' ' || *row == '|') {
			row++;
			continue;
		}
		slot = row[0] - 'A';
		primitive = row[1] - '0';
		component = strchr("xyzw", row[3]) - "xyzw";
		row += 4;
		assert_true(vue_place(l, primitive, 0, slot, component, &at));
		assert_int_equal(at.reg, reg);
		/* SIMD8: from dword 7 down. SIMD4x2: the upper half first, each half from x up. */
		assert_int_equal(at.dword, l->mode == VUE_SIMD8 ? 7 - shown : shown ^ 4);
		shown++;
	}
	assert_int_equal(shown, 8);
}

static void test_patch_simd4x2(void **state)
{
	const struct vue_layout l = { VUE_SIMD4X2, 1, 1, 10 };

	assert_int_equal(vue_registers(&l), 2);
	check_row(&l, 10, "A1.x A1.y A1.z A1.w | A0.x A0.y A0.z A0.w");
	check_row(&l, 11, "B1.x B1.y B1.z B1.w | B0.x B0.y B0.z B0.w");
}

static void test_patch_simd8(void **state)
{
	const struct vue_layout l = { VUE_SIMD8, 1, 1, 10 };

	assert_int_equal(vue_registers(&l), 8);
	check_row(&l, 10, "A7.x A6.x A5.x A4.x A3.x A2.x A1.x A0.x");
	check_row(&l, 11, "A7.y A6.y A5.y A4.y A3.y A2.y A1.y A0.y");
	check_row(&l, 12, "A7.z A6.z A5.z A4.z A3.z A2.z A1.z A0.z");
	check_row(&l, 13, "A7.w A6.w A5.w A4.w A3.w A2.w A1.w A0.w");
	check_row(&l, 14, "B7.x B6.x B5.x B4.x B3.x B2.x B1.x B0.x");
	check_row(&l, 15, "B7.y B6.y B5.y B4.y B3.y B2.y B1.y B0.y");
	check_row(&l, 16, "B7.z B6.z B5.z B4.z B3.z B2.z B1.z B0.z");
	check_row(&l, 17, "B7.w B6.w B5.w B4.w B3.w B2.w B1.w B0.w");
}

/* first_non_payload_grf += 8 * urb_read_length * VerticesIn; 2 * in SIMD4x2 */
static void test_registers(void **state)
{
	static const unsigned int vertices[] = { 1, 2, 3, 4, 6 };
	struct vue_layout l = { VUE_SIMD8, 0, 0, 0 };
	unsigned int i;

	for (l.read_length = 1; l.read_length <= VUE_MAX_READ_LENGTH; l.read_length++)
		for (i = 0; i < 5; i++) {
			l.vertices = vertices[i];
			l.mode = VUE_SIMD8;
			assert_true(vue_valid(&l));
			assert_int_equal(vue_registers(&l), 8 * l.read_length * vertices[i]);
			l.mode = VUE_SIMD4X2;
			assert_int_equal(vue_registers(&l), 2 * l.read_length * vertices[i]);
		}
	l.vertices = 5;
	assert_false(vue_valid(&l));
	l.vertices = 3;
	l.read_length = 0;
	assert_false(vue_valid(&l));
	l.read_length = 64;
	assert_false(vue_valid(&l));
}

/* Every dword of every register is one component, and the way back leads to it. */
static void test_one_to_one(void **state)
{
	unsigned int mode, p, v, s, c;

	for (mode = 0; mode < 2; mode++) {
		struct vue_layout l = { mode, 3, 6, 17 };
		uint8_t *seen = calloc(vue_registers(&l), 8);
		struct vue_place at;

		for (p = 0; p < vue_primitives(&l); p++)
			for (v = 0; v < l.vertices; v++)
				for (s = 0; s < vue_slots(&l); s++)
					for (c = 0; c < 4; c++) {
						unsigned int p2, v2, s2, c2;

						assert_true(vue_place(&l, p, v, s, c, &at));
						assert_true(at.reg >= 17 && at.dword < 8);
						assert_false(seen[(at.reg - 17) * 8 + at.dword]++);
						assert_true(vue_find(&l, at, &p2, &v2, &s2, &c2));
						assert_true(p2 == p && v2 == v && s2 == s && c2 == c);
					}
		for (v = 0; v < vue_registers(&l) * 8; v++)
			assert_int_equal(seen[v], 1);
		assert_false(vue_place(&l, vue_primitives(&l), 0, 0, 0, &at));
		assert_false(vue_place(&l, 0, 6, 0, 0, &at));
		assert_false(vue_place(&l, 0, 0, 6, 0, &at));
		assert_false(vue_place(&l, 0, 0, 0, 4, &at));
		at = (struct vue_place){ 16, 0 };
		assert_false(vue_find(&l, at, &p, &v, &s, &c));
		at = (struct vue_place){ 17 + vue_registers(&l), 0 };
		assert_false(vue_find(&l, at, &p, &v, &s, &c));
		free(seen);
	}
}

static void test_control_header(void **state)
{
	static const struct {
		struct vue_control c;
		unsigned int bits, header, units;
	} rows[] = {
		{ { false, false, false, 100 }, 0, 0, 0 },
		{ { false, true, false, 3 }, 1, 3, 1 },
		{ { false, true, false, 256 }, 1, 256, 1 },
		{ { false, true, false, 257 }, 1, 257, 2 },
		{ { false, true, true, 8 }, 1, 8, 1 },	/* streams are points' matter */
		{ { true, true, false, 64 }, 0, 0, 0 },	/* so are cut bits strips' */
		{ { true, false, true, 128 }, 2, 256, 1 },
		{ { true, false, true, 129 }, 2, 258, 2 },
		{ { false, true, false, 0 }, 1, 0, 0 },
	};
	unsigned int i;

	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		assert_int_equal(vue_control_bits(&rows[i].c), rows[i].bits);
		assert_int_equal(vue_control_header_bits(&rows[i].c), rows[i].header);
		assert_int_equal(vue_control_header_units(&rows[i].c), rows[i].units);
	}
}

static void test_thread_end(void **state)
{
	static const struct {
		int vertices;
		enum vue_insn insns[4];
		unsigned int count;
		int fold;
		unsigned int length;
	} rows[] = {
		{ 3, { VUE_PLAIN, VUE_URB_WRITE, VUE_PLAIN, VUE_PLAIN }, 4, 1, 0 },
		{ 3, { VUE_URB_WRITE, VUE_PLAIN, VUE_URB_WRITE }, 3, 2, 0 },
		{ 3, { VUE_URB_WRITE, VUE_CONTROL_FLOW, VUE_PLAIN }, 3, -1, 1 },
		{ 3, { VUE_URB_WRITE, VUE_PLAIN, VUE_SIDE_EFFECT }, 3, -1, 1 },
		{ 3, { VUE_CONTROL_FLOW, VUE_URB_WRITE }, 2, 1, 0 },
		{ 0, { VUE_PLAIN }, 1, -1, 1 },
		{ 0, { VUE_PLAIN }, 0, -1, 1 },
		{ -1, { VUE_PLAIN, VUE_URB_WRITE }, 2, -1, 2 },
	};
	unsigned int i;

	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct vue_end end = vue_thread_end(rows[i].vertices, rows[i].insns, rows[i].count);

		assert_int_equal(end.fold, rows[i].fold);
		assert_int_equal(end.length, rows[i].length);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_patch_simd4x2),
		cmocka_unit_test(test_patch_simd8),
		cmocka_unit_test(test_registers),
		cmocka_unit_test(test_one_to_one),
		cmocka_unit_test(test_control_header),
		cmocka_unit_test(test_thread_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
