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
		limn_viv_set(s, VIVS_DE_SRC_STRIDE, 0);
		limn_viv_set(s, VIVS_DE_SRC_ROTATION_CONFIG, 0);
		limn_viv_set(s, VIVS_DE_SRC_CONFIG, 0);
		return;
	}
	limn_viv_set_bo(s, VIVS_DE_SRC_ADDRESS, src->bo, src->offset, LIMN_READ);
	limn_viv_set(s, VIVS_DE_SRC_STRIDE, VIV_SET(DE_SRC_STRIDE_STRIDE, src->stride));
	limn_viv_set(s, VIVS_DE_SRC_ROTATION_CONFIG, VIV_SET(DE_SRC_ROTATION_CONFIG_WIDTH, src->width));
	limn_viv_set(s, VIVS_DE_SRC_CONFIG, VIV_SET(DE_SRC_CONFIG_PE10_SOURCE_FORMAT, src->format) |
				       VIV_SET(DE_SRC_CONFIG_SOURCE_FORMAT, src->format) |
				       VIV_SET(DE_SRC_CONFIG_SWIZZLE, src->swizzle));
}

/* Of each kind: the command, and the ROP where the operation has none of its own. */
static const struct {
	uint32_t command, rop;
} kinds[] = {
	/* The engine decides by the ROP what it fetches, also where it does not use it. */
	[VIV_2D_FILL] = { VIVS_DE_DEST_CONFIG_COMMAND_CLEAR, 0xcc },
	[VIV_2D_COPY] = { VIVS_DE_DEST_CONFIG_COMMAND_BIT_BLT, 0 },
	[VIV_2D_STRETCH] = { VIVS_DE_DEST_CONFIG_COMMAND_STRETCH_BLT, 0xcc },
	[VIV_2D_LINE] = { VIVS_DE_DEST_CONFIG_COMMAND_LINE, 0xf0 },
	[VIV_2D_ROTATE] = { VIVS_DE_DEST_CONFIG_COMMAND_BIT_BLT, 0xcc },
};

static void begin(struct viv_stream *s, const struct viv_2d_op *op)
{
	const struct viv_2d_surface *src = op->src, *dst = op->dst;
	const struct viv_rect *size = op->kind == VIV_2D_STRETCH ? &op->from : &op->to;
	uint32_t rop = op->kind == VIV_2D_COPY ? op->rop : kinds[op->kind].rop;

	source(s, src);
	limn_viv_set(s, VIVS_DE_SRC_ORIGIN, src ? pair(op->from.x1, op->from.y1) : 0);
	limn_viv_set(s, VIVS_DE_SRC_SIZE, src ? pair(size->x2 - size->x1, size->y2 - size->y1) : 0);
	limn_viv_set(s, VIVS_DE_SRC_COLOR_BG, 0);
	limn_viv_set(s, VIVS_DE_SRC_COLOR_FG, 0);
	limn_viv_set_bo(s, VIVS_DE_DEST_ADDRESS, dst->bo, dst->offset, LIMN_READ | LIMN_WRITE);
	limn_viv_set(s, VIVS_DE_DEST_STRIDE, VIV_SET(VIVS_DE_DEST_STRIDE_STRIDE, dst->stride));
	limn_viv_set(s, VIVS_DE_DEST_ROTATION_CONFIG, VIV_SET(VIVS_DE_DEST_ROTATION_CONFIG_WIDTH, dst->width));
	limn_viv_set(s, VIVS_DE_DEST_CONFIG, VIV_SET(VIVS_DE_DEST_CONFIG_FORMAT, dst->format) |
					VIV_SET(VIVS_DE_DEST_CONFIG_COMMAND, kinds[op->kind].command) |
					VIV_SET(VIVS_DE_DEST_CONFIG_SWIZZLE, dst->swizzle));
	limn_viv_set(s, VIVS_DE_ROP, VIV_SET(DE_ROP_ROP_FG, rop) | VIV_SET(DE_ROP_ROP_BG, rop) |
				VIV_SET(DE_ROP_TYPE, DE_ROP_TYPE_ROP4));
	limn_viv_set(s, VIVS_DE_CLIP_TOP_LEFT, 0);
	limn_viv_set(s, VIVS_DE_CLIP_BOTTOM_RIGHT, VIV_SET(VIVS_DE_CLIP_BOTTOM_RIGHT_X, dst->width) |
					      VIV_SET(VIVS_DE_CLIP_BOTTOM_RIGHT_Y, dst->height));
	limn_viv_set(s, VIVS_DE_CONFIG, 0);
	limn_viv_set(s, VIVS_DE_SRC_ORIGIN_FRACTION, 0);
	limn_viv_set(s, VIVS_DE_ALPHA_CONTROL, 0);
	limn_viv_set(s, VIVS_DE_ALPHA_MODES, 0);
	limn_viv_set(s, VIVS_DE_DEST_ROTATION_HEIGHT, dst->height);
	limn_viv_set(s, VIVS_DE_SRC_ROTATION_HEIGHT, src ? src->height : 0);
	limn_viv_set(s, VIVS_DE_ROT_ANGLE, 0);
	limn_viv_set(s, VIVS_DE_DEST_COLOR_KEY, 0);
	limn_viv_set(s, VIVS_DE_GLOBAL_SRC_COLOR, 0);
	limn_viv_set(s, VIVS_DE_GLOBAL_DEST_COLOR, 0);
	limn_viv_set(s, VIVS_DE_COLOR_MULTIPLY_MODES, 0);
	limn_viv_set(s, VIVS_DE_PE_TRANSPARENCY, 0);
	limn_viv_set(s, VIVS_DE_PE_CONTROL, 0);
	limn_viv_set(s, VIVS_DE_PE_DITHER_LOW, 0xffffffff);
	limn_viv_set(s, VIVS_DE_PE_DITHER_HIGH, 0xffffffff);
}

/* From the first pixel's centre to the last one's. */
static uint32_t stretch(uint32_t from, uint32_t to)
{
	return to > 1 ? ((from - 1) << 16) / (to - 1) : 0;
}

/* The colour of a line is the pattern's, a solid one. */
static void line(struct viv_stream *s, uint32_t argb)
{
	limn_viv_set(s, VIVS_DE_PATTERN_CONFIG, VIV_SET(VIVS_DE_PATTERN_CONFIG_FORMAT, DE_FORMAT_A8R8G8B8) |
		     VIV_SET(VIVS_DE_PATTERN_CONFIG_INIT_TRIGGER, 3));
	limn_viv_set(s, VIVS_DE_PATTERN_MASK_LOW, 0xffffffff);
	limn_viv_set(s, VIVS_DE_PATTERN_MASK_HIGH, 0xffffffff);
	limn_viv_set(s, VIVS_DE_PATTERN_BG_COLOR, argb);
	limn_viv_set(s, VIVS_DE_PATTERN_FG_COLOR, argb);
}

void limn_viv_2d_emit(struct viv_stream *s, const struct viv_2d_op *op)
{
	begin(s, op);
	if (op->kind == VIV_2D_FILL)
		limn_viv_set(s, VIVS_DE_CLEAR_PIXEL_VALUE32, op->argb);
	if (op->kind == VIV_2D_STRETCH) {
		limn_viv_set(s, VIVS_DE_STRETCH_FACTOR_LOW, stretch(op->from.x2 - op->from.x1, op->to.x2 - op->to.x1));
		limn_viv_set(s, VIVS_DE_STRETCH_FACTOR_HIGH, stretch(op->from.y2 - op->from.y1, op->to.y2 - op->to.y1));
	}
	if (op->kind == VIV_2D_LINE)
		line(s, op->argb);
	if (op->kind == VIV_2D_ROTATE)
		limn_viv_set(s, VIVS_DE_ROT_ANGLE, VIV_SET(DE_ROT_ANGLE_SRC, op->rotation));
	viv_set_extra(s, op->extra, op->num_extra, op->dst->bo);
	limn_viv_draw_2d(s, &op->to, 1);
}

void limn_viv_2d_flush(struct viv_stream *s)
{
	limn_viv_set(s, VIVS_GL_FLUSH_CACHE, VIVS_GL_FLUSH_CACHE_PE2D);
	limn_viv_stall(s, SYNC_RECIPIENT_FE, SYNC_RECIPIENT_PE);
}
