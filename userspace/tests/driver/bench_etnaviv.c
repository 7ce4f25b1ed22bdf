// SPDX-License-Identifier: GPL-2.0-only
/*
 * Compiles the kernel's own etnaviv_cmd_parser.c, from the source that the
 * testbed's kernel is built of, with as little around it as it needs. Bit maps,
 * min(), ALIGN() are those of the kernel's tools/. Nothing of it is in this tree.
 */
#include <linux/types.h>
#include <linux/kernel.h>
#include <linux/align.h>
#include <linux/bitmap.h>
#include <drm/etnaviv_drm.h>

#include "bench_etnaviv.h"

/* Its headers are the whole driver's: of those it needs a device to complain to. */
#define __ETNAVIV_GEM_H__
#define __ETNAVIV_GPU_H__
struct etnaviv_gpu {
	void *dev;
};

#define __initconst
#undef __init
#define __init
#define dev_err(dev, ...)			((void)(dev))
#define dev_warn_once(dev, ...)			((void)(dev))
#define dev_warn_ratelimited(dev, ...)		((void)(dev))

bool etnaviv_cmd_validate_one(struct etnaviv_gpu *gpu, u32 *stream, unsigned int size,
			      struct drm_etnaviv_gem_submit_reloc *relocs, unsigned int reloc_size);
void etnaviv_validate_init(void);

static void bitmap_set(unsigned long *map, unsigned int start, unsigned int num)
{
	for (; num; num--, start++)
		map[start / BITS_PER_LONG] |= 1ul << start % BITS_PER_LONG;
}

#include <etnaviv_cmd_parser.c>

void bench_etnaviv_init(void)
{
	etnaviv_validate_init();
}

bool bench_etnaviv_is_address(unsigned int state)
{
	return etnaviv_states[state / BITS_PER_LONG] >> state % BITS_PER_LONG & 1;
}

bool bench_etnaviv_check(uint32_t *words, unsigned int num_words,
			 struct drm_etnaviv_gem_submit_reloc *relocs, unsigned int num_relocs)
{
	static struct etnaviv_gpu gpu;

	return etnaviv_cmd_validate_one(&gpu, words, num_words, relocs, num_relocs);
}
