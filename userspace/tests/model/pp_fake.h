/* SPDX-License-Identifier: MIT */
/*
 * A PP without a model around it, for tests of its parts: memory is one flat
 * buffer at FAKE_VA, mapped through a TLB that is filled in by hand.
 */
#ifndef LIMN_TESTS_PP_FAKE_H
#define LIMN_TESTS_PP_FAKE_H

#include <stdlib.h>
#include <string.h>

#include "model/utgard/pp.h"

#define FAKE_VA		0x100000u
#define FAKE_SIZE	(4u << 20)

struct fake {
	struct pp *pp;
	struct mmu mmu;
	uint8_t *mem;
};

static inline void fake_init(struct fake *f)
{
	uint32_t page;

	f->pp = calloc(1, sizeof(*f->pp));
	f->pp->tile = aligned_alloc(64, (sizeof(*f->pp->tile) + 63) & ~(size_t)63);
	memset(f->pp->tile, 0, sizeof(*f->pp->tile));
	f->pp->tile->samples = 1;
	f->mem = aligned_alloc(MODEL_PAGE, FAKE_SIZE);
	memset(f->mem, 0, FAKE_SIZE);
	f->mmu.tlb = calloc(1u << 20, sizeof(*f->mmu.tlb));
	for (page = 0; page < FAKE_SIZE / MODEL_PAGE; page++) {
		f->mmu.tlb[FAKE_VA / MODEL_PAGE + page].r = f->mem + page * MODEL_PAGE;
		f->mmu.tlb[FAKE_VA / MODEL_PAGE + page].w = f->mem + page * MODEL_PAGE;
	}
	f->pp->u.mmu = &f->mmu;
}

static inline void fake_free(struct fake *f)
{
	free(f->mmu.tlb);
	free(f->mem);
	free(f->pp->tile);
	free(f->pp);
}

/* A small generator of our own, so that a seed means the same everywhere. */
static inline uint32_t rnd(uint64_t *state)
{
	*state = *state * 6364136223846793005ull + 1442695040888963407ull;
	return *state >> 32;
}

/* In [lo, hi) */
static inline double rnd_in(uint64_t *state, double lo, double hi)
{
	return lo + (hi - lo) * (rnd(state) / 4294967296.0);
}

static inline uint64_t test_seed(void)
{
	const char *s = getenv("LIMN_TEST_SEED");

	return s ? strtoull(s, NULL, 0) : 1;
}

#endif
