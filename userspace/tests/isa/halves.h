/* SPDX-License-Identifier: MIT */
/*
 * What a conversion of a binary32 to a binary16 gives, for the tests of each set: to the nearest, ties to even;
 * 65520 and more is infinity; NaN stays one, with its sign, and a quiet one is quiet (Mesa src/util/half_float.c,
 * tests/half_float_test.cpp).
 */
#ifndef LIMN_TESTS_ISA_HALVES_H
#define LIMN_TESTS_ISA_HALVES_H

#include <stdint.h>

static const struct {
	uint32_t f;
	uint16_t h;
} halves[] = {
	{ 0x00000000, 0x0000 }, { 0x3f800000, 0x3c00 }, { 0x3f801000, 0x3c00 }, { 0x3f801001, 0x3c01 },
	{ 0x3f803000, 0x3c02 }, { 0x477fe000, 0x7bff }, { 0x477fefff, 0x7bff }, { 0x477ff000, 0x7c00 },
	{ 0x7f7fffff, 0x7c00 }, { 0x7f800000, 0x7c00 }, { 0x7fc00000, 0x7e00 }, { 0x7fffffff, 0x7fff },
	/* Subnormal: a tie with 0, above it, the least, a tie of two, the largest, a tie with the first normal one. */
	{ 0x33000000, 0x0000 }, { 0x33000001, 0x0001 }, { 0x33800000, 0x0001 }, { 0x33c00000, 0x0002 },
	{ 0x387fc000, 0x03ff }, { 0x387fdfff, 0x03ff }, { 0x387fe000, 0x0400 }, { 0x38800000, 0x0400 },
	{ 0x00000001, 0x0000 }, { 0x007fffff, 0x0000 },
};

#define NUM_HALVES	(sizeof(halves) / sizeof(halves[0]))

#endif
