/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* The formats of texels and pixels that states.inc lists. */
#ifndef LIMN_UTGARD_FORMATS_H
#define LIMN_UTGARD_FORMATS_H

#include <limn/utgard/states.h>

/* How texels and pixels lie in memory, by TEX_FORMAT_* and PP_WB_*; bytes 0: there is no such format. */
enum utgard_channels { UTGARD_UNORM, UTGARD_HALF, UTGARD_BLOCK, UTGARD_DEPTH };

struct utgard_format {
	unsigned char bytes, kind;
	struct {
		unsigned char bit, width;
	} channel[4];
};

static const struct utgard_format utgard_texel_formats[64] = {
#define UTG_TEXEL(name, value, bytes, kind, r, rw, g, gw, b, bw, a, aw) \
	[value] = { bytes, UTGARD_##kind, { { r, rw }, { g, gw }, { b, bw }, { a, aw } } },
#include <limn/utgard/states.inc>
};

static const struct utgard_format utgard_pixel_formats[16] = {
#define UTG_PIXEL(name, value, bytes, kind, r, rw, g, gw, b, bw, a, aw) \
	[value] = { bytes, UTGARD_##kind, { { r, rw }, { g, gw }, { b, bw }, { a, aw } } },
#include <limn/utgard/states.inc>
};

#endif
