/* SPDX-License-Identifier: MIT */
/* Fault injection: the n-th allocation of a call fails, for each n until it needs fewer. */
#ifndef FAIL_NTH_H
#define FAIL_NTH_H

#include "gpu_lib.h"

/* A thing to do; its own preparation and clean-up stay outside of the injection. */
struct fail_nth_step {
	const char *name;
	void (*before)(struct gpu_client *c);			/* may be NULL */
	int (*run)(struct gpu_client *c);			/* 0 or a negative errno */
	void (*after)(struct gpu_client *c, int ret);		/* may be NULL */
};

/* In a fixture; skips without fault injection in the kernel. */
void fail_nth_init(void);
/* From now on no slab allocation below that function of the kernel fails; skips when there is none of that name. */
void fail_nth_spare(const char *function);
/* The nth allocation of this thread from now on fails. */
void fail_nth_arm(unsigned int nth);
/* No more fails; how many allocations were left until one would have: 0: it has. */
unsigned int fail_nth_disarm(void);
/* What a call may end with when an allocation failed. */
bool fail_nth_fits(int ret);
/*
 * One subtest's body. The call may fail with an errno of its own choice when an
 * allocation did, and must succeed when none did.
 */
void fail_nth_each(struct gpu_client *c, const struct fail_nth_step *step);

#endif
