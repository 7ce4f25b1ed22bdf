/* SPDX-License-Identifier: MIT */
/*
 * Where a pixel lives in a surface. Shared by all blocks that address one.
 * Sources: etna_viv hardware.md (4x4 tiles, supertiles), Linux drm_fourcc.h
 * (DRM_FORMAT_MOD_VIVANTE_*), and for the supertile modes and the split over
 * two pipes the address bits that Vivante's kernel and user drivers give.
 */
#ifndef LIMN_MODEL_VIVANTE_TILING_H
#define LIMN_MODEL_VIVANTE_TILING_H

#include <stdint.h>

enum viv_layout {
	VIV_LAYOUT_LINEAR = 0,
	VIV_LAYOUT_TILED = 1,		/* 4x4 pixels */
	VIV_LAYOUT_SUPER = 2,		/* 64x64 pixels of 4x4 tiles; with VIV_LAYOUT_TILED or alone */
	VIV_LAYOUT_MULTI = 4,		/* every second tile in the second pipe's buffer; with one of the above */
};

/* Order of the 4x4 tiles within a supertile, from the chip's tables ("superTileMode"). */
enum viv_supertile {
	VIV_SUPERTILE_ROWS = 0,		/* index bits: Y[5:2] X[5:2] */
	VIV_SUPERTILE_HZ = 1,		/* Y[5:4] X[5:3] Y[3:2] X[2] */
	VIV_SUPERTILE_MORTON = 2,	/* Y5 X5 Y4 X4 Y3 X3 Y2 X2 */
};

/* Of one pixel, or of a vector of them; mode and layout are scalars. */
#define VIV_SUPERTILE_INDEX(mode, x, y) \
	(((x) & 3) | ((y) & 3) << 2 | \
	 ((mode) == VIV_SUPERTILE_ROWS ? ((x) & 0x3c) << 2 | ((y) & 0x3c) << 6 : \
	  (mode) == VIV_SUPERTILE_MORTON ? ((x) & 4) << 2 | ((y) & 4) << 3 | ((x) & 8) << 3 | ((y) & 8) << 4 | \
					   ((x) & 16) << 4 | ((y) & 16) << 5 | ((x) & 32) << 5 | ((y) & 32) << 6 : \
	  ((x) & 4) << 2 | ((y) & 0x0c) << 3 | ((x) & 0x38) << 4 | ((y) & 0x30) << 6))

#define VIV_TILE_OFFSET(layout, mode, x, y, stride, bytes) \
	((layout) & VIV_LAYOUT_SUPER ? (((x) & ~63u) * 64 + VIV_SUPERTILE_INDEX(mode, x, y)) * (bytes) + ((y) & ~63u) * (stride) : \
	 (layout) & VIV_LAYOUT_TILED ? (((x) & ~3u) * 4 + ((y) & 3) * 4 + ((x) & 3)) * (bytes) + ((y) & ~3u) * (stride) : \
	 (y) * (stride) + (x) * (bytes))

/*
 * Offset in bytes of pixel (x, y) from the base address of its pipe. stride:
 * bytes of one row of pixels, padding included (RS has it times four for tiled
 * surfaces). bytes: of a pixel. pipe: 0 or 1, always 0 unless split; NULL: don't care.
 */
static inline uint32_t viv_tile_offset(unsigned int layout, enum viv_supertile mode, uint32_t x, uint32_t y,
				       uint32_t stride, uint32_t bytes, unsigned int *pipe)
{
	unsigned int second = 0;

	if (layout & VIV_LAYOUT_MULTI) {
		second = (x >> 3 ^ y >> 2) & 1;
		x = (x & ~8u) | (y & 4) << 1;
		y = (y & ~7u) >> 1 | (y & 3);
	}
	if (pipe)
		*pipe = second;
	return VIV_TILE_OFFSET(layout, mode, x, y, stride, bytes);
}

#endif
