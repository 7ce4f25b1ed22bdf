// SPDX-License-Identifier: MIT
#include <stdbool.h>
#include <string.h>

#include "lib/vivante/tiling.h"

/* What the tile's column and row, 0 to 15, add to its index in the supertile. */
static const uint8_t super_x[3][16] = {
	{ 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 },
	{ 0, 1, 8, 9, 16, 17, 24, 25, 32, 33, 40, 41, 48, 49, 56, 57 },
	{ 0, 1, 4, 5, 16, 17, 20, 21, 64, 65, 68, 69, 80, 81, 84, 85 },
};
static const uint8_t super_y[3][16] = {
	{ 0, 16, 32, 48, 64, 80, 96, 112, 128, 144, 160, 176, 192, 208, 224, 240 },
	{ 0, 2, 4, 6, 64, 66, 68, 70, 128, 130, 132, 134, 192, 194, 196, 198 },
	{ 0, 2, 8, 10, 32, 34, 40, 42, 128, 130, 136, 138, 160, 162, 168, 170 },
};

/* Offset of the 4x4 tile that holds (x, y). */
static inline uint32_t tile_at(const struct viv_tiling *t, uint32_t x, uint32_t y)
{
	uint32_t base = 0;

	if (t->bits & VIV_MULTI) {
		if ((x >> 3 ^ y >> 2) & 1)
			base = t->stride * (t->height / 2);
		x = (x & ~8u) | (y & 4) << 1;
		y = (y & ~7u) >> 1;
	}
	if (t->bits & VIV_SUPER)
		return base + (y & ~63u) * t->stride + (x & ~63u) * 64 * t->cpp +
		       (super_x[t->mode][x >> 2 & 15] + super_y[t->mode][y >> 2 & 15]) * 16 * t->cpp;
	return base + (y & ~3u) * t->stride + (x & ~3u) * 4 * t->cpp;
}

uint32_t limn_viv_tiling_offset(const struct viv_tiling *t, uint32_t x, uint32_t y)
{
	if (!(t->bits & VIV_TILE))
		return y * t->stride + x * t->cpp;
	return tile_at(t, x, y) + ((y & 3) * 4 + (x & 3)) * t->cpp;
}

/* Part of a tile, or of a row where there are no tiles: pixel by pixel. */
static void copy_part(const struct viv_tiling *t, uint8_t *surface, uint8_t *linear, uint32_t linear_stride,
		      uint32_t x, uint32_t y, uint32_t w, uint32_t h, bool store)
{
	for (uint32_t j = 0; j < h; j++) {
		for (uint32_t i = 0; i < w; i++) {
			uint8_t *s = surface + limn_viv_tiling_offset(t, x + i, y + j);
			uint8_t *l = linear + j * linear_stride + i * t->cpp;

			memcpy(store ? s : l, store ? l : s, t->cpp);
		}
	}
}

/*
 * A row of whole tiles, n of them, from (x, y). The bytes of a tile's row are a
 * constant to each caller, and what the tiling is stands in locals: the stores
 * of bytes could change what a pointer leads to.
 */
static inline __attribute__((always_inline)) void
copy_tiles(const struct viv_tiling *tiling, uint8_t *surface, uint8_t *linear, uint32_t linear_stride, uint32_t x,
	   uint32_t y, uint32_t n, bool store, bool super, bool multi, const uint32_t row)
{
	const uint8_t *columns = super_x[tiling->mode];
	const uint32_t stride = tiling->stride, half = stride * (tiling->height / 2), tile = row * 4;
	const uint32_t second = multi ? y >> 2 & 1 : 0, left = multi ? (y & 4) << 1 : 0;
	const uint32_t down = multi ? (y & ~7u) >> 1 : y;

	surface += super ? (down & ~63u) * stride + super_y[tiling->mode][down >> 2 & 15] * tile : (down & ~3u) * stride;
	for (; n; n--, x += 4, linear += row) {
		uint32_t at = multi ? (x & ~8u) | left : x;
		uint8_t *s = surface + (super ? ((at >> 6) * 256 + columns[at >> 2 & 15]) * tile : (at >> 2) * tile);
		uint8_t *l = linear;

		if (multi && ((x >> 3 & 1) ^ second))
			s += half;
		for (int j = 0; j < 4; j++, s += row, l += linear_stride)
			memcpy(store ? s : l, store ? l : s, row);
	}
}

#define COPY(cpp, store, super, multi) \
	copy_tiles(t, surface, linear, linear_stride, x, y, n, store, super, multi, 4 * (cpp))
#define EACH(cpp, store) do { \
	if (t->bits & VIV_MULTI) \
		COPY(cpp, store, t->bits & VIV_SUPER, true); \
	else if (t->bits & VIV_SUPER) \
		COPY(cpp, store, true, false); \
	else \
		COPY(cpp, store, false, false); \
} while (0)
#define BOTH(cpp) do { if (store) EACH(cpp, true); else EACH(cpp, false); } while (0)

static void copy_row(const struct viv_tiling *t, uint8_t *surface, uint8_t *linear, uint32_t linear_stride,
		     uint32_t x, uint32_t y, uint32_t n, bool store)
{
	switch (t->cpp) {
	case 1:
		BOTH(1);
		break;
	case 2:
		BOTH(2);
		break;
	case 4:
		BOTH(4);
		break;
	case 8:
		BOTH(8);
		break;
	case 16:
		BOTH(16);
		break;
	}
}

static void copy(const struct viv_tiling *t, uint8_t *surface, uint8_t *linear, uint32_t linear_stride,
		 uint32_t x, uint32_t y, uint32_t w, uint32_t h, bool store)
{
	if (!(t->bits & VIV_TILE)) {
		for (uint32_t j = 0; j < h; j++) {
			uint8_t *s = surface + (y + j) * t->stride + x * t->cpp, *l = linear + j * linear_stride;

			memcpy(store ? s : l, store ? l : s, w * t->cpp);
		}
		return;
	}
	while (h) {
		uint32_t rows = 4 - (y & 3), before = -x & 3, whole;

		rows = rows < h ? rows : h;
		before = before < w ? before : w;
		whole = rows == 4 ? (w - before) & ~3u : 0;
		copy_part(t, surface, linear, linear_stride, x, y, before, rows, store);
		if (whole)
			copy_row(t, surface, linear + before * t->cpp, linear_stride, x + before, y, whole / 4, store);
		copy_part(t, surface, linear + (before + whole) * t->cpp, linear_stride, x + before + whole, y,
			  w - before - whole, rows, store);
		linear += rows * linear_stride;
		y += rows;
		h -= rows;
	}
}

void limn_viv_tiling_store(const struct viv_tiling *t, void *surface, const void *linear, uint32_t linear_stride,
			   uint32_t x, uint32_t y, uint32_t width, uint32_t height)
{
	copy(t, surface, (uint8_t *)linear, linear_stride, x, y, width, height, true);
}

void limn_viv_tiling_load(const struct viv_tiling *t, const void *surface, void *linear, uint32_t linear_stride,
			  uint32_t x, uint32_t y, uint32_t width, uint32_t height)
{
	copy(t, (uint8_t *)surface, linear, linear_stride, x, y, width, height, false);
}
