// SPDX-License-Identifier: MIT
/*
 * 2D engine: fills, lines, copies, stretches, and the start of filter blits.
 *
 * Facts: rnndb state_2d.xml, cmdstream.xml; etna_viv doc/2d.md. The GC320's
 * pixel engine is a PE20.
 */
#include <stdlib.h>

#include "model/vivante/de.h"

#define ROWS	8	/* in one slice */

void viv_de_reset(struct vivante *v)
{
	memset(v->de, 0, sizeof(*v->de));
}

/*
 * The states that each source of a multi-source blit has, in the order of the blocks (rnndb: BLOCK4, BLOCK8).
 * GUESS(de-multi-source): the sources are drawn one after the other into each rectangle, as blits by themselves; up
 * to four have the states of BLOCK4, more those of BLOCK8. Block sizes change only the order of work. A GC320 can do
 * it, though it has no feature word for the bit (2D_MULTI_SOURCE_BLIT).
 */
static const uint32_t source_states[] = {
	VIVS_DE_SRC_ADDRESS, VIVS_DE_SRC_STRIDE, VIVS_DE_SRC_ROTATION_CONFIG, VIVS_DE_SRC_CONFIG, VIVS_DE_SRC_ORIGIN,
	VIVS_DE_SRC_SIZE, VIVS_DE_SRC_COLOR_BG, VIVS_DE_ROP, VIVS_DE_ALPHA_CONTROL, VIVS_DE_ALPHA_MODES,
	VIVS_DE_UPLANE_ADDRESS, VIVS_DE_UPLANE_STRIDE, VIVS_DE_VPLANE_ADDRESS, VIVS_DE_VPLANE_STRIDE,
	VIVS_DE_SRC_ROTATION_HEIGHT, VIVS_DE_ROT_ANGLE, VIVS_DE_GLOBAL_SRC_COLOR, VIVS_DE_GLOBAL_DEST_COLOR,
	VIVS_DE_COLOR_MULTIPLY_MODES, VIVS_DE_PE_TRANSPARENCY, VIVS_DE_PE_CONTROL, VIVS_DE_SRC_COLOR_KEY_HIGH,
	VIVS_DE_SRC_EX_CONFIG, VIVS_DE_SRC_EX_ADDRESS,
};

uint32_t de_state(struct vivante *v, uint32_t address)
{
	const struct viv_de *de = v->de;
	uint32_t row = 0, rows = sizeof(source_states) / sizeof(source_states[0]);

	while (de->sources && row < rows && source_states[row] != address)
		row++;
	if (!de->sources || row == rows)
		return viv_state(v, address);
	return viv_state(v, de->sources > 4 ? VIVS_DE_BLOCK8_SRC_ADDRESS + row * 32 + de->source * 4 :
				VIVS_DE_BLOCK4_SRC_ADDRESS + row * 16 + de->source * 4);
}

/* --- Setup ----------------------------------------------------------------------- */

static unsigned int layout(bool tiled, bool super)
{
	return tiled ? VIV_LAYOUT_TILED | (super ? VIV_LAYOUT_SUPER : 0) : VIV_LAYOUT_LINEAR;
}

void de_source(struct vivante *v, struct de_surface *s)
{
	uint32_t config = de_state(v, VIVS_DE_SRC_CONFIG), turn = de_state(v, VIVS_DE_SRC_ROTATION_CONFIG);
	uint32_t control = de_state(v, VIVS_DE_PE_CONTROL);

	memset(s, 0, sizeof(*s));
	s->format = VIV_GET(DE_SRC_CONFIG_SOURCE_FORMAT, config);
	s->swizzle = VIV_GET(DE_SRC_CONFIG_SWIZZLE, config);
	s->endian = VIV_GET(DE_SRC_CONFIG_ENDIAN_CONTROL, config);
	s->s.base[0] = s->s.base[1] = de_state(v, VIVS_DE_SRC_ADDRESS);
	s->s.stride = VIV_GET(DE_SRC_STRIDE_STRIDE, de_state(v, VIVS_DE_SRC_STRIDE));
	s->s.bytes = de_format_bytes(s->format);
	s->s.mode = v->chip->super_tile_mode;
	s->s.layout = layout(config & DE_SRC_CONFIG_TILED,
			     de_state(v, VIVS_DE_SRC_EX_CONFIG) & VIVS_DE_SRC_EX_CONFIG_SUPER_TILED);
	s->width = VIV_GET(DE_SRC_ROTATION_CONFIG_WIDTH, turn);
	s->height = VIV_GET(DE_SRC_ROTATION_HEIGHT_HEIGHT, de_state(v, VIVS_DE_SRC_ROTATION_HEIGHT));
	s->rotation = turn & DE_SRC_ROTATION_CONFIG_ROTATION ? DE_ROT_MODE_ROT90 :
		      VIV_GET(DE_ROT_ANGLE_SRC, de_state(v, VIVS_DE_ROT_ANGLE));
	s->u = de_state(v, VIVS_DE_UPLANE_ADDRESS);
	s->u_stride = de_state(v, VIVS_DE_UPLANE_STRIDE);
	s->v = de_state(v, VIVS_DE_VPLANE_ADDRESS);
	s->v_stride = de_state(v, VIVS_DE_VPLANE_STRIDE);
	s->bt709 = VIV_GET(DE_PE_CONTROL_YUV, control);
	s->swap_uv = VIV_GET(DE_PE_CONTROL_UV_SWIZZLE, control);
}

void de_dest(struct vivante *v, struct de_surface *s)
{
	uint32_t config = viv_state(v, VIVS_DE_DEST_CONFIG), turn = viv_state(v, VIVS_DE_DEST_ROTATION_CONFIG);

	memset(s, 0, sizeof(*s));
	s->format = VIV_GET(VIVS_DE_DEST_CONFIG_FORMAT, config);
	s->swizzle = VIV_GET(VIVS_DE_DEST_CONFIG_SWIZZLE, config);
	s->endian = VIV_GET(VIVS_DE_DEST_CONFIG_ENDIAN_CONTROL, config);
	s->s.base[0] = s->s.base[1] = viv_state(v, VIVS_DE_DEST_ADDRESS);
	s->s.stride = VIV_GET(VIVS_DE_DEST_STRIDE_STRIDE, viv_state(v, VIVS_DE_DEST_STRIDE));
	s->s.bytes = de_format_bytes(s->format);
	s->s.mode = v->chip->super_tile_mode;
	s->s.layout = layout(config & VIVS_DE_DEST_CONFIG_TILED, false);
	s->width = VIV_GET(VIVS_DE_DEST_ROTATION_CONFIG_WIDTH, turn);
	s->height = VIV_GET(VIVS_DE_DEST_ROTATION_HEIGHT_HEIGHT, viv_state(v, VIVS_DE_DEST_ROTATION_HEIGHT));
	s->rotation = turn & VIVS_DE_DEST_ROTATION_CONFIG_ROTATION ? DE_ROT_MODE_ROT90 :
		      VIV_GET(DE_ROT_ANGLE_DST, viv_state(v, VIVS_DE_ROT_ANGLE));
}

static bool needs_source(const struct viv_de *de)
{
	return de->kind == DE_FILTER || (de->command != VIVS_DE_DEST_CONFIG_COMMAND_CLEAR &&
					 de->command != VIVS_DE_DEST_CONFIG_COMMAND_LINE);
}

/* What is known to exist but not modelled is told, not skipped. */
static bool check(struct vivante *v, struct viv_de *de)
{
	if (de->dst.format > DE_FORMAT_A8R8G8B8 && de->dst.format != DE_FORMAT_A8) {
		viv_report(v, "de", "destination format %u", de->dst.format);
		return false;
	}
	if (needs_source(de) && !de->src.s.bytes && de->src.format != DE_FORMAT_MONOCHROME) {
		viv_report(v, "de", "source format %u is not modelled", de->src.format);
		return false;
	}
	return true;
}

bool viv_de_draw(struct vivante *v, const uint32_t *rect, unsigned int rects, const uint32_t *data,
		 unsigned int words)
{
	uint32_t low = viv_state(v, VIVS_DE_CLIP_TOP_LEFT), high = viv_state(v, VIVS_DE_CLIP_BOTTOM_RIGHT);
	struct viv_de *de = v->de = viv_fresh(v->de, sizeof(*de));

	if (!de)
		return false;
	de->kind = DE_DRAW;
	de->command = VIV_GET(VIVS_DE_DEST_CONFIG_COMMAND, viv_state(v, VIVS_DE_DEST_CONFIG));
	memcpy(de->rect, rect, rects * 8);
	memcpy(de->data, data, words * 4);
	de->rects = rects;
	de->words = words;
	de->clip[0] = VIV_GET(VIVS_DE_CLIP_TOP_LEFT_X, low);
	de->clip[1] = VIV_GET(VIVS_DE_CLIP_TOP_LEFT_Y, low);
	de->clip[2] = VIV_GET(VIVS_DE_CLIP_BOTTOM_RIGHT_X, high);
	de->clip[3] = VIV_GET(VIVS_DE_CLIP_BOTTOM_RIGHT_Y, high);
	if (de->command == VIVS_DE_DEST_CONFIG_COMMAND_MULTI_SOURCE_BLT)
		de->sources = VIV_GET(VIVS_DE_DE_MULTI_SOURCE_MAX_SOURCE, viv_state(v, VIVS_DE_DE_MULTI_SOURCE)) + 1;
	de_source(v, &de->src);
	de_dest(v, &de->dst);
	if (de->sources) {
		viv_guess(v, "de", "%u sources, one over the other", de->sources);
	} else if (de->command > VIVS_DE_DEST_CONFIG_COMMAND_STRETCH_BLT) {
		viv_report(v, "de", "command %u is not modelled", de->command);
		return false;
	}
	return check(v, de);
}

bool viv_de_filter(struct vivante *v, uint32_t config)
{
	struct viv_de *de = v->de = viv_fresh(v->de, sizeof(*de));

	if (!de)
		return false;
	de->kind = DE_FILTER;
	de->command = VIV_GET(VIVS_DE_VR_CONFIG_START, config);
	de->rect[0] = viv_state(v, VIVS_DE_VR_TARGET_WINDOW_LOW);
	de->rect[1] = viv_state(v, VIVS_DE_VR_TARGET_WINDOW_HIGH);
	de->rects = 1;
	de_source(v, &de->src);
	de_dest(v, &de->dst);
	return check(v, de);
}

/* --- Work -------------------------------------------------------------------------- */

static bool clipped(const struct viv_de *de, int32_t x, int32_t y)
{
	return x < de->clip[0] || y < de->clip[1] || x >= de->clip[2] || y >= de->clip[3];
}

static bool fill_row(struct vivante *v, const struct viv_de *de, int32_t x0, int32_t x1, int32_t y)
{
	uint32_t color = viv_state(v, VIVS_DE_CLEAR_PIXEL_VALUE32);
	uint8_t bgra[4];

	memcpy(bgra, &color, 4);
	for (int32_t x = x0; x < x1; x++) {
		if (!clipped(de, x, y) && !de_store(v, &de->dst, x, y, bgra))
			return false;
	}
	return true;
}

/* All of a line at once; the last pixel is not drawn. GUESS(de-line-source): its colour is the pattern's, also as source. */
static bool line(struct vivante *v, const struct viv_de *de, uint32_t from, uint32_t to)
{
	int32_t x = from & 0xffff, y = from >> 16, x1 = to & 0xffff, y1 = to >> 16;
	int32_t dx = abs(x1 - x), dy = -abs(y1 - y), sx = x < x1 ? 1 : -1, sy = y < y1 ? 1 : -1, err = dx + dy;

	while (x != x1 || y != y1) {
		int32_t twice = 2 * err;
		uint8_t bgra[4];

		if (!de_pattern(v, x, y, bgra) || (!clipped(de, x, y) && !de_combine(v, de, x, y, bgra, true)))
			return false;
		if (twice >= dy) {
			err += dy;
			x += sx;
		}
		if (twice <= dx) {
			err += dx;
			y += sy;
		}
	}
	return true;
}

/* One bit for pixel (x, y) of the rectangle, out of the stream. */
static bool mono_bit(const struct viv_de *de, unsigned int pack, uint32_t x, uint32_t y, uint32_t width)
{
	uint32_t line = pack == DE_SRC_CONFIG_PACK_PACKED8 ? 8 : pack == DE_SRC_CONFIG_PACK_PACKED16 ? 16 : 32;
	uint32_t rows = 32 / line, columns = (width + line - 1) / line;
	/* GUESS(de-mono-order): chunks from left to right, then down; in a byte the highest bit is at the left. */
	uint32_t n = y / rows * columns + x / line, in = y % rows * line + x % line;

	return n < de->words && (de->data[n] >> (in / 8 * 8 + 7 - in % 8) & 1);
}

/* Source of a blit for destination pixel (x, y) of the rectangle that starts at (x0, y0). */
static void source_at(struct vivante *v, const struct viv_de *de, int32_t x, int32_t y, int32_t w, int32_t h,
		      int32_t x0, int32_t y0, int32_t *sx, int32_t *sy)
{
	uint32_t origin = de_state(v, VIVS_DE_SRC_ORIGIN), mirror = viv_state(v, VIVS_DE_CONFIG);
	uint32_t fraction = viv_state(v, VIVS_DE_SRC_ORIGIN_FRACTION), angle = de_state(v, VIVS_DE_ROT_ANGLE);
	unsigned int flips = VIV_GET(DE_ROT_ANGLE_SRC_MIRROR, angle) ^ VIV_GET(DE_ROT_ANGLE_DST_MIRROR, angle);
	int32_t ox = (int16_t)VIV_GET(DE_SRC_ORIGIN_X, origin), oy = (int16_t)VIV_GET(DE_SRC_ORIGIN_Y, origin);

	if (mirror & VIVS_DE_CONFIG_MIRROR_BLT_ENABLE)
		flips ^= VIV_GET(VIVS_DE_CONFIG_MIRROR_BLT_MODE, mirror);
	/* GUESS(de-mirror): mirrored within the rectangle. */
	if (flips & 1)
		x = w - 1 - x;
	if (flips & 2)
		y = h - 1 - y;
	if (de->command == VIVS_DE_DEST_CONFIG_COMMAND_STRETCH_BLT) {
		/* GUESS(de-stretch-round): the nearest source pixel, cut off: 16.16 from the origin on. */
		*sx = ox + (((uint64_t)viv_state(v, VIVS_DE_STRETCH_FACTOR_LOW) * x + (fraction & 0xffff)) >> 16);
		*sy = oy + (((uint64_t)viv_state(v, VIVS_DE_STRETCH_FACTOR_HIGH) * y + (fraction >> 16)) >> 16);
		return;
	}
	*sx = ox + x;
	*sy = oy + y;
	if (VIV_GET(DE_SRC_CONFIG_SRC_RELATIVE, de_state(v, VIVS_DE_SRC_CONFIG)) == DE_SRC_CONFIG_SRC_RELATIVE_RELATIVE) {
		*sx += x0;
		*sy += y0;
	}
}

static bool mono_pixel(struct vivante *v, const struct viv_de *de, int32_t x, int32_t y, uint32_t px, uint32_t py,
		       uint32_t w)
{
	uint32_t config = de_state(v, VIVS_DE_SRC_CONFIG);
	bool bit = mono_bit(de, VIV_GET(DE_SRC_CONFIG_PACK, config), px, py, w), opaque = true;
	uint32_t color = viv_state(v, bit ? VIVS_DE_SRC_COLOR_FG : VIVS_DE_SRC_COLOR_BG);
	uint8_t bgra[4];

	if (VIV_GET(DE_PE_TRANSPARENCY_SOURCE, de_state(v, VIVS_DE_PE_TRANSPARENCY)) == DE_TRANSPARENCY_KIND_MASK)
		opaque = bit != VIV_GET(DE_SRC_CONFIG_MONO_TRANSPARENCY, config);
	memcpy(bgra, &color, 4);
	return de_combine(v, de, x, y, bgra, opaque);
}

/* Row y of the rectangle. Copies go against the grain when the command says so, for overlaps. */
static bool blit_row(struct vivante *v, const struct viv_de *de, const int32_t r[4], int32_t y)
{
	int32_t w = r[2] - r[0], h = r[3] - r[1];
	bool back = de->command == VIVS_DE_DEST_CONFIG_COMMAND_BIT_BLT_REVERSED;
	bool mono = de->src.format == DE_FORMAT_MONOCHROME;

	for (int32_t i = 0; i < w; i++) {
		int32_t x = back ? w - 1 - i : i, sx, sy;
		uint8_t bgra[4];

		if (clipped(de, r[0] + x, r[1] + y))
			continue;
		if (mono) {
			if (!mono_pixel(v, de, r[0] + x, r[1] + y, x, y, w))
				return false;
			continue;
		}
		source_at(v, de, x, y, w, h, r[0], r[1], &sx, &sy);
		if (!de_fetch(v, &de->src, sx, sy, bgra) || !de_combine(v, de, r[0] + x, r[1] + y, bgra, true))
			return false;
	}
	return true;
}

static bool draw_row(struct vivante *v, const struct viv_de *de, const int32_t r[4])
{
	int32_t h = r[3] - r[1];

	switch (de->command) {
	case VIVS_DE_DEST_CONFIG_COMMAND_CLEAR:
		return fill_row(v, de, r[0], r[2], r[1] + de->y);
	case VIVS_DE_DEST_CONFIG_COMMAND_BIT_BLT_REVERSED:
		return blit_row(v, de, r, h - 1 - de->y);
	default:
		return blit_row(v, de, r, de->y);
	}
}

bool viv_de_step(struct vivante *v)
{
	struct viv_de *de = v->de;

	for (unsigned int k = 0; k < ROWS && de->n < de->rects; k++) {
		const uint32_t *rect = &de->rect[de->n * 2];
		const int32_t r[4] = { rect[0] & 0xffff, rect[0] >> 16, rect[1] & 0xffff, rect[1] >> 16 };

		if (de->kind == DE_DRAW && de->command == VIVS_DE_DEST_CONFIG_COMMAND_LINE) {
			if (!line(v, de, rect[0], rect[1]))
				return true;
			de->n++;
			continue;
		}
		if (de->y < r[3] - r[1]) {
			if (!(de->kind == DE_FILTER ? de_filter_row(v, de, r[1] + de->y) : draw_row(v, de, r)))
				return true;	/* a fault: the slice stays where it is */
			de->y++;
		}
		if (de->y < r[3] - r[1])
			continue;
		de->y = 0;
		if (++de->source >= de->sources) {
			de->source = 0;
			de->n++;
		}
		if (de->sources && de->n < de->rects) {
			de_source(v, &de->src);
			if (!check(v, de))
				return false;
		}
	}
	return de->n < de->rects;
}
