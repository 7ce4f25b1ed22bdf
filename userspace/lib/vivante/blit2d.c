// SPDX-License-Identifier: MIT
/*
 * 2D engine (DE) with PE 2.0, as in GC320. Facts: rnndb state_2d.xml, etna_viv's
 * doc/2d.md, libdrm tests/etnaviv/etnaviv_2d_test.c for the states that a
 * rectangle needs: all are programmed, none is left to a context.
 */
#include <string.h>

#include "lib/vivante/vivante.h"

static uint32_t pair(uint32_t x, uint32_t y)
{
	return x | y << 16;
}

static void source(struct viv_stream *s, const struct viv_2d_surface *src)
{
	if (!src) {
		viv_set(s, VIVS_DE_SRC_STRIDE, 0);
		viv_set(s, VIVS_DE_SRC_ROTATION_CONFIG, 0);
		viv_set(s, VIVS_DE_SRC_CONFIG, 0);
		return;
	}
	viv_set_bo(s, VIVS_DE_SRC_ADDRESS, src->bo, src->offset, LIMN_READ);
	viv_set(s, VIVS_DE_SRC_STRIDE, VIV_SET(DE_SRC_STRIDE_STRIDE, src->stride));
	viv_set(s, VIVS_DE_SRC_ROTATION_CONFIG, VIV_SET(DE_SRC_ROTATION_CONFIG_WIDTH, src->width));
	viv_set(s, VIVS_DE_SRC_CONFIG, VIV_SET(DE_SRC_CONFIG_PE10_SOURCE_FORMAT, src->format) |
				       VIV_SET(DE_SRC_CONFIG_SOURCE_FORMAT, src->format) |
				       VIV_SET(DE_SRC_CONFIG_SWIZZLE, src->swizzle));
}

static void begin(struct viv_stream *s, const struct viv_2d_surface *src, const struct viv_rect *from,
		  const struct viv_2d_surface *dst, uint32_t command, uint32_t rop)
{
	source(s, src);
	viv_set(s, VIVS_DE_SRC_ORIGIN, from ? pair(from->x1, from->y1) : 0);
	viv_set(s, VIVS_DE_SRC_SIZE, from ? pair(from->x2 - from->x1, from->y2 - from->y1) : 0);
	viv_set(s, VIVS_DE_SRC_COLOR_BG, 0);
	viv_set(s, VIVS_DE_SRC_COLOR_FG, 0);
	viv_set_bo(s, VIVS_DE_DEST_ADDRESS, dst->bo, dst->offset, LIMN_READ | LIMN_WRITE);
	viv_set(s, VIVS_DE_DEST_STRIDE, VIV_SET(VIVS_DE_DEST_STRIDE_STRIDE, dst->stride));
	viv_set(s, VIVS_DE_DEST_ROTATION_CONFIG, VIV_SET(VIVS_DE_DEST_ROTATION_CONFIG_WIDTH, dst->width));
	viv_set(s, VIVS_DE_DEST_CONFIG, VIV_SET(VIVS_DE_DEST_CONFIG_FORMAT, dst->format) |
					VIV_SET(VIVS_DE_DEST_CONFIG_COMMAND, command) |
					VIV_SET(VIVS_DE_DEST_CONFIG_SWIZZLE, dst->swizzle));
	viv_set(s, VIVS_DE_ROP, VIV_SET(DE_ROP_ROP_FG, rop) | VIV_SET(DE_ROP_ROP_BG, rop) |
				VIV_SET(DE_ROP_TYPE, DE_ROP_TYPE_ROP4));
	viv_set(s, VIVS_DE_CLIP_TOP_LEFT, 0);
	viv_set(s, VIVS_DE_CLIP_BOTTOM_RIGHT, VIV_SET(VIVS_DE_CLIP_BOTTOM_RIGHT_X, dst->width) |
					      VIV_SET(VIVS_DE_CLIP_BOTTOM_RIGHT_Y, dst->height));
	viv_set(s, VIVS_DE_CONFIG, 0);
	viv_set(s, VIVS_DE_SRC_ORIGIN_FRACTION, 0);
	viv_set(s, VIVS_DE_ALPHA_CONTROL, 0);
	viv_set(s, VIVS_DE_ALPHA_MODES, 0);
	viv_set(s, VIVS_DE_DEST_ROTATION_HEIGHT, dst->height);
	viv_set(s, VIVS_DE_SRC_ROTATION_HEIGHT, src ? src->height : 0);
	viv_set(s, VIVS_DE_ROT_ANGLE, 0);
	viv_set(s, VIVS_DE_DEST_COLOR_KEY, 0);
	viv_set(s, VIVS_DE_GLOBAL_SRC_COLOR, 0);
	viv_set(s, VIVS_DE_GLOBAL_DEST_COLOR, 0);
	viv_set(s, VIVS_DE_COLOR_MULTIPLY_MODES, 0);
	viv_set(s, VIVS_DE_PE_TRANSPARENCY, 0);
	viv_set(s, VIVS_DE_PE_CONTROL, 0);
	viv_set(s, VIVS_DE_PE_DITHER_LOW, 0xffffffff);
	viv_set(s, VIVS_DE_PE_DITHER_HIGH, 0xffffffff);
}

void viv_2d_fill(struct viv_stream *s, const struct viv_2d_surface *dst, uint32_t argb, const struct viv_rect *rects,
		 uint32_t n)
{
	/* The engine decides by the ROP what it fetches, also where it does not use it. */
	begin(s, NULL, NULL, dst, VIVS_DE_DEST_CONFIG_COMMAND_CLEAR, 0xcc);
	viv_set(s, VIVS_DE_CLEAR_PIXEL_VALUE32, argb);
	viv_draw_2d(s, rects, n);
}

void viv_2d_copy(struct viv_stream *s, const struct viv_2d_surface *src, uint32_t src_x, uint32_t src_y,
		 const struct viv_2d_surface *dst, const struct viv_rect *rect, uint32_t rop)
{
	struct viv_rect from = { src_x, src_y, src_x + rect->x2 - rect->x1, src_y + rect->y2 - rect->y1 };

	begin(s, src, &from, dst, VIVS_DE_DEST_CONFIG_COMMAND_BIT_BLT, rop);
	viv_draw_2d(s, rect, 1);
}

/* From the first pixel's centre to the last one's. */
static uint32_t stretch(uint32_t from, uint32_t to)
{
	return to > 1 ? ((from - 1) << 16) / (to - 1) : 0;
}

void viv_2d_stretch(struct viv_stream *s, const struct viv_2d_surface *src, const struct viv_rect *src_rect,
		    const struct viv_2d_surface *dst, const struct viv_rect *rect)
{
	begin(s, src, src_rect, dst, VIVS_DE_DEST_CONFIG_COMMAND_STRETCH_BLT, 0xcc);
	viv_set(s, VIVS_DE_STRETCH_FACTOR_LOW, stretch(src_rect->x2 - src_rect->x1, rect->x2 - rect->x1));
	viv_set(s, VIVS_DE_STRETCH_FACTOR_HIGH, stretch(src_rect->y2 - src_rect->y1, rect->y2 - rect->y1));
	viv_draw_2d(s, rect, 1);
}

void viv_2d_line(struct viv_stream *s, const struct viv_2d_surface *dst, uint32_t argb, const struct viv_rect *line)
{
	begin(s, NULL, NULL, dst, VIVS_DE_DEST_CONFIG_COMMAND_LINE, 0xf0);
	/* The colour of a line is the pattern's, a solid one. */
	viv_set(s, VIVS_DE_PATTERN_CONFIG, VIV_SET(VIVS_DE_PATTERN_CONFIG_FORMAT, DE_FORMAT_A8R8G8B8) |
		VIV_SET(VIVS_DE_PATTERN_CONFIG_INIT_TRIGGER, 3));
	viv_set(s, VIVS_DE_PATTERN_MASK_LOW, 0xffffffff);
	viv_set(s, VIVS_DE_PATTERN_MASK_HIGH, 0xffffffff);
	viv_set(s, VIVS_DE_PATTERN_BG_COLOR, argb);
	viv_set(s, VIVS_DE_PATTERN_FG_COLOR, argb);
	viv_draw_2d(s, line, 1);
}

void viv_2d_rotate(struct viv_stream *s, const struct viv_2d_surface *src, const struct viv_2d_surface *dst,
		   const struct viv_rect *rect, uint32_t rotation)
{
	struct viv_rect from = { 0, 0, rect->x2 - rect->x1, rect->y2 - rect->y1 };

	begin(s, src, &from, dst, VIVS_DE_DEST_CONFIG_COMMAND_BIT_BLT, 0xcc);
	viv_set(s, VIVS_DE_ROT_ANGLE, VIV_SET(DE_ROT_ANGLE_SRC, rotation));
	viv_draw_2d(s, rect, 1);
}

void viv_2d_flush(struct viv_stream *s)
{
	viv_set(s, VIVS_GL_FLUSH_CACHE, VIVS_GL_FLUSH_CACHE_PE2D);
	viv_stall(s, SYNC_RECIPIENT_FE, SYNC_RECIPIENT_PE);
}
