/* SPDX-License-Identifier: MIT */
/* Pixels and surfaces as RS, BLT and the 2D engine see them. */
#ifndef LIMN_VIVANTE_COPY_H
#define LIMN_VIVANTE_COPY_H

#include "model/vivante/internal.h"
#include "model/vivante/tiling.h"

/* Formats 0 to 6 are the same in RS_FORMAT, BLT_FORMAT and DE_FORMAT; so is A8 (RS: S8). */
enum { FORMAT_X4R4G4B4, FORMAT_A4R4G4B4, FORMAT_X1R5G5B5, FORMAT_A1R5G5B5, FORMAT_R5G6B5, FORMAT_X8R8G8B8,
       FORMAT_A8R8G8B8, FORMAT_A8 = 16 };

struct viv_surface {
	uint32_t base[2];	/* per pixel pipe; the second only of split surfaces */
	uint32_t stride;	/* bytes of a row of pixels */
	uint32_t bytes;		/* of a pixel */
	unsigned int layout;	/* enum viv_layout */
	enum viv_supertile mode;
};

/* Address of pixel (x, y). */
static inline uint32_t viv_surface_at(const struct viv_surface *s, uint32_t x, uint32_t y)
{
	unsigned int pipe;
	uint32_t offset = viv_tile_offset(s->layout, s->mode, x, y, s->stride, s->bytes, &pipe);

	return s->base[pipe] + offset;
}

/* Pixels in a row from (x, y) on that lie one after the other, at most max. */
static inline uint32_t viv_surface_run(const struct viv_surface *s, uint32_t x, uint32_t max)
{
	uint32_t run = s->layout == VIV_LAYOUT_LINEAR ? max : 4 - x % 4;

	return run < max ? run : max;
}

/* BT.601 or BT.709 of a limited range: the equations of etna_viv's doc/2d.md. */
void viv_from_yuv(bool bt709, int32_t y, int32_t u, int32_t v, uint8_t bgra[4]);

/* A pixel as it is, where no conversion is known: cut off, or with zeroes behind it. */
static inline void viv_pixel_copy(uint8_t *dst, uint32_t to, const uint8_t *src, uint32_t from)
{
	memset(dst, 0, to);
	memcpy(dst, src, from < to ? from : to);
}

/* What an engine keeps of an operation, all zero: as it is, or new; NULL: no memory. */
void *viv_fresh(void *engine, size_t size);

#define VIV_MAX_TILES	2048	/* side by side, of those that are filled at once */

/*
 * Where the tiles of 4x4 pixels from (x, y) on are, so that they can be filled one after the
 * other instead of row by row. False where that may be told apart: in strict mode, where not all
 * is whole tiles, where a page's translation is not there yet and may fault, or where the tile
 * status, which may be NULL, does not say that they are plain.
 */
bool viv_surface_tiles(struct vivante *v, const struct viv_surface *s, const struct viv_ts *ts, uint32_t x, uint32_t y,
		       uint32_t width, uint8_t *tile[VIV_MAX_TILES]);
/* Bits of the words that the masks have; word n is the words' n % 2. */
void viv_fill_words(uint8_t *p, uint32_t len, const uint32_t words[2], const uint32_t masks[2]);

/* Bytes of a pixel of the formats above; 0: none of them. */
uint32_t viv_format_bytes(unsigned int format);
/* To 8 bits a channel: B, G, R, A, the order of an A8R8G8B8 word. swizzle: DE_SWIZZLE, of RS and BLT ARGB. */
void viv_pixel_unpack(unsigned int format, unsigned int swizzle, const uint8_t *src, uint8_t bgra[4]);
void viv_pixel_pack(unsigned int format, unsigned int swizzle, const uint8_t bgra[4], uint8_t *dst);
/* As RS and BLT write it. */
void viv_resolved_pack(unsigned int format, const uint8_t bgra[4], uint8_t *dst);

/* Swaps bytes as ENDIAN_MODE says; len is a multiple of 4, or of 2. */
void viv_endian(uint32_t mode, uint8_t *data, uint32_t len);

/*
 * len bytes of a surface with tile status at va: from memory, or clear value.
 * ts may be NULL. False after a fault, or when the status is invalid (the
 * chip hangs then).
 */
bool viv_read_resolved(struct vivante *v, const char *module, const struct viv_ts *ts, uint32_t va, void *dst,
		       uint32_t len);
/* Writes of RS and BLT: len bytes; the clear value into the tile at start. False after a fault. */
bool viv_put(struct vivante *v, const char *module, uint32_t va, const void *src, uint32_t len);
bool viv_put_cleared(struct vivante *v, const char *module, const struct viv_ts *ts, uint32_t start);
/*
 * Writes clear values in place: into some of the tiles from *n on that are marked. take_marks: and takes the marks
 * away. True while there is more to do, also after a fault.
 */
bool viv_inplace_step(struct vivante *v, const char *module, const struct viv_ts *ts, uint32_t tiles, bool take_marks,
		      uint32_t *n);
/* The average, or one, of nx * ny samples of bytes each, of the format. */
void viv_average(unsigned int format, uint32_t bytes, const uint8_t *samples, unsigned int n, bool one, uint8_t *dst);

/*
 * The YUV tiler of RS and of BLT, whose states at states lie in the same order: rows of the destination from *y on,
 * four at most. True while there is more to do, also after a fault; a format that is not known is reported.
 */
bool viv_yuv_step(struct vivante *v, const char *module, uint32_t states, uint32_t *y);

#endif
