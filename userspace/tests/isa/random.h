/* SPDX-License-Identifier: MIT */
/* Seeded random words for the tests; LIMN_SEED chooses another seed, which is printed. */
#ifndef LIMN_TESTS_ISA_RANDOM_H
#define LIMN_TESTS_ISA_RANDOM_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t random_state;

static inline uint32_t random_word(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state >> 16;
}

/* In [lo, hi) */
static inline double random_in(double lo, double hi)
{
	return lo + (hi - lo) * (random_word() / 4294967296.0);
}

static inline void random_seed(void)
{
	const char *s = getenv("LIMN_SEED");

	random_state = s ? strtoull(s, NULL, 0) : 0x9e3779b97f4a7c15ull;
	random_state |= !random_state;
	printf("# seed 0x%llx (LIMN_SEED)\n", (unsigned long long)random_state);
}

#endif
