/* SPDX-License-Identifier: MIT */
/*
 * Tiled surfaces. Pixels stand in tiles of 4x4, row by row; in supertiles of
 * 64x64, tiles stand in an order of their own; with two pixel pipes every second
 * tile lies in the second half of the surface (multi).
 * Facts: etna_viv hardware.md, Linux drm_fourcc.h
 * (DRM_FORMAT_MOD_VIVANTE_*), userspace/model/vivante/tiling.h for the modes.
 */
#ifndef LIMN_LIB_VIVANTE_TILING_H
#define LIMN_LIB_VIVANTE_TILING_H

#include <stdint.h>


/* Bits of a tiling; 0 is linear. VIV_SUPER and VIV_MULTI come with VIV_TILE. */
#define VIV_TILE	1u
#define VIV_SUPER	2u
#define VIV_MULTI	4u

/* Order of tiles in a supertile, most significant bit first; X and Y are pixel coordinates. */
enum viv_supertile_mode {
	VIV_SUPERTILE_MODE_ROWS,	/* Y5 Y4 Y3 Y2 X5 X4 X3 X2 */
	VIV_SUPERTILE_MODE_HZ,		/* Y5 Y4 X5 X4 X3 Y3 Y2 X2: etna_viv hardware.md's figure, GC600 and on */
	VIV_SUPERTILE_MODE_MORTON,	/* Y5 X5 Y4 X4 Y3 X3 Y2 X2 */
};

struct viv_tiling {
	uint32_t bits;			/* VIV_TILE ... */
	enum viv_supertile_mode mode;
	uint32_t cpp;			/* bytes of a pixel: 1, 2, 4, 8, 16 */
	uint32_t stride;		/* bytes of a row of pixels, padding included */
	uint32_t height;		/* rows, padding included; counts with VIV_MULTI */
};

/* Bytes from the surface's start to pixel (x, y). */
uint32_t limn_viv_tiling_offset(const struct viv_tiling *t, uint32_t x, uint32_t y);

/*
 * Copies the rectangle at (x, y) of the surface from or to rows of pixels:
 * linear points at the rectangle's first pixel, its rows are linear_stride bytes
 * apart. Any position and size within the surface. linear and surface do not overlap.
 */
void limn_viv_tiling_store(const struct viv_tiling *t, void *surface, const void *linear, uint32_t linear_stride,
			   uint32_t x, uint32_t y, uint32_t width, uint32_t height);
void limn_viv_tiling_load(const struct viv_tiling *t, const void *surface, void *linear, uint32_t linear_stride,
			  uint32_t x, uint32_t y, uint32_t width, uint32_t height);

#endif
