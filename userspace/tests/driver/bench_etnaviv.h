/* SPDX-License-Identifier: MIT */
/* Mainline's stream parser on the host. It knows MMUv1's rules only: streams of MMUv2 it lets pass. */
#ifndef LIMN_TESTS_DRIVER_BENCH_ETNAVIV_H
#define LIMN_TESTS_DRIVER_BENCH_ETNAVIV_H

#include <stdbool.h>
#include <stdint.h>

struct drm_etnaviv_gem_submit_reloc;

void bench_etnaviv_init(void);
/* Is the state, by number, one that needs a relocation? */
bool bench_etnaviv_is_address(unsigned int state);
bool bench_etnaviv_check(uint32_t *words, unsigned int num_words,
			 struct drm_etnaviv_gem_submit_reloc *relocs, unsigned int num_relocs);

#endif
