// SPDX-License-Identifier: MIT
/* The PP's side of a frame: tile lists, frame and write-back registers, pixel formats. */
#include <string.h>

#include <limn/utgard/formats.h>

#include "lib/utgard/utgard.h"

struct utgard_tiles limn_utgard_tiles_of(uint32_t width, uint32_t height)
{
	struct utgard_tiles t = {
		.w = (width + PP_TILE_SIZE - 1) / PP_TILE_SIZE,
		.h = (height + PP_TILE_SIZE - 1) / PP_TILE_SIZE,
	};

	/* Tiles share lists, more of them along the longer side first, until the lists fit. */
	t.block_w = t.w;
	t.block_h = t.h;
	while (t.block_w * t.block_h > UTGARD_PLB_MAX_BLOCKS || t.block_w > 255 || t.block_h > 255) {
		if (t.block_w >= t.block_h) {
			t.block_w = (t.block_w + 1) / 2;
			t.shift_w++;
		} else {
			t.block_h = (t.block_h + 1) / 2;
			t.shift_h++;
		}
	}
	return t;
}

/*
 * The curve's recursion from the smallest square outwards: two bits of d say
 * in which quadrant of the next larger square the point lies; the path inside
 * the first and last quadrant is mirrored at a diagonal.
 */
void limn_utgard_hilbert(uint32_t n, uint32_t d, uint32_t *x, uint32_t *y)
{
	uint32_t px = 0, py = 0, swap;

	for (uint32_t side = 1; side < n; side *= 2, d /= 4) {
		uint32_t quadrant = d & 3;
		uint32_t right = quadrant >> 1;
		uint32_t down = quadrant == 1 || quadrant == 2;

		if (!down) {
			if (right) {
				px = side - 1 - px;
				py = side - 1 - py;
			}
			swap = px;
			px = py;
			py = swap;
		}
		px += right * side;
		py += down * side;
	}
	*x = px;
	*y = py;
}

static uint32_t tile_list_bytes(uint32_t tiles)
{
	return (tiles * 16 + 16 + 31) & ~31u;
}

uint32_t limn_utgard_tile_lists(const struct utgard_tiles *tiles, uint32_t num_pp, uint32_t plb_va,
				uint32_t *out, uint32_t offset[UTGARD_MAX_PP])
{
	uint32_t total = tiles->w * tiles->h, bytes = 0, n = 1, dealt = 0;
	uint32_t *to[UTGARD_MAX_PP];

	for (uint32_t i = 0; i < num_pp; i++) {
		offset[i] = bytes;
		bytes += tile_list_bytes(total / num_pp + (i < total % num_pp));
	}
	if (!out)
		return bytes;
	for (uint32_t i = 0; i < num_pp; i++)
		to[i] = out + offset[i] / 4;
	while (n < tiles->w || n < tiles->h)
		n *= 2;
	for (uint32_t d = 0; d < n * n; d++) {
		uint32_t x, y, list, **w = &to[dealt % num_pp];

		limn_utgard_hilbert(n, d, &x, &y);
		if (x >= tiles->w || y >= tiles->h)
			continue;
		list = (y >> tiles->shift_h) * tiles->block_w + (x >> tiles->shift_w);
		*(*w)++ = 0;
		*(*w)++ = PPS_BEGIN_TILE | x | y << 8;
		*(*w)++ = PPS_CALL_WORD(plb_va + list * PLB_BLOCK_BYTES);
		*(*w)++ = PPS_CALL;
		dealt++;
	}
	for (uint32_t i = 0; i < num_pp; i++) {
		to[i][0] = 0;
		to[i][1] = PPS_END;
		to[i][2] = 0;
		to[i][3] = 0;
	}
	return bytes;
}

void limn_utgard_dlbu(const struct utgard_tiles *tiles, uint32_t plb_va, uint32_t regs[4])
{
	uint32_t block = 0;

	while (0x80u << block < PLB_BLOCK_BYTES)
		block++;
	regs[0] = plb_va;
	regs[1] = (tiles->h - 1) << 16 | (tiles->w - 1);
	regs[2] = block << 28 | tiles->shift_h << 16 | tiles->shift_w;
	regs[3] = (tiles->h - 1) << 24 | (tiles->w - 1) << 16;
}

uint32_t limn_utgard_pixel_bytes(const struct utgard_pixel *pixel)
{
	return utgard_pixel_formats[pixel->format].bytes;
}

void limn_utgard_pixel_decode(const struct utgard_pixel *pixel, const uint8_t *in, uint8_t rgba[4])
{
	const struct utgard_format *f = &utgard_pixel_formats[pixel->format];
	uint32_t v = 0;

	for (int i = 0; i < f->bytes; i++)
		v |= (uint32_t)in[i] << (8 * i);
	for (int i = 0; i < 4; i++) {
		uint32_t width = f->channel[i].width, max = (1u << width) - 1, bit = f->channel[i].bit;

		rgba[pixel->swap_rb && i != 3 ? 2 - i : i] =
			width ? ((v >> bit & max) * 255 + max / 2) / max : 255 * bit;
	}
}

/* Pairs of format, swap and channel word: Mesa lima_format.c. */
static const struct utgard_pixel pixels[] = {
	{ "rgba8888", PP_WB_B8G8R8A8, true, PP_CHANNELS_8888 },
	{ "bgra8888", PP_WB_B8G8R8A8, false, PP_CHANNELS_8888 },
	{ "rgb565", PP_WB_B5G6R5, false, PP_CHANNELS_8565 },
	{ "rgba5551", PP_WB_B5G5R5A1, false, PP_CHANNELS_8565 },
	{ "rgba4444", PP_WB_B4G4R4A4, false, PP_CHANNELS_8444 },
};

const struct utgard_pixel *limn_utgard_pixel_at(unsigned int index)
{
	return index < sizeof(pixels) / sizeof(pixels[0]) ? &pixels[index] : NULL;
}

const struct utgard_pixel *limn_utgard_pixel_find(const char *name)
{
	for (unsigned int i = 0; limn_utgard_pixel_at(i); i++)
		if (!strcmp(pixels[i].name, name))
			return &pixels[i];
	return NULL;
}

/* Words of PP_FRAME.. as regs.h numbers them. */
#define WORD(offset) ((offset) / 4)

void limn_utgard_pp_frame(uint32_t frame[LIMA_PP_FRAME_REG_NUM], uint32_t wb[3 * LIMA_PP_WB_REG_NUM],
			  const struct utgard_target *t, uint32_t rsw_va, uint32_t color_va,
			  uint32_t stack)
{
	struct utgard_tiles tiles = limn_utgard_tiles_of(t->width, t->height);
	uint32_t color = t->clear_color[0] | t->clear_color[1] << 8 | t->clear_color[2] << 16 |
			 (uint32_t)t->clear_color[3] << 24;
	uint32_t shift_min = tiles.shift_w < tiles.shift_h ? tiles.shift_w : tiles.shift_h;

	if (shift_min > 2)
		shift_min = 2;
	memset(frame, 0, LIMA_PP_FRAME_REG_NUM * 4);
	memset(wb, 0, 3 * LIMA_PP_WB_REG_NUM * 4);
	frame[WORD(PP_RSW)] = rsw_va;
	utgard_set(frame, PP_FEATURES_EARLY_Z, 1);
	frame[WORD(PP_CLEAR_DEPTH)] = t->clear_depth & PP_CLEAR_DEPTH_MASK;
	frame[WORD(PP_CLEAR_STENCIL)] = t->clear_stencil;
	for (unsigned int i = 0; i < 4; i++)
		frame[WORD(PP_CLEAR_COLOR(i))] = color;
	frame[WORD(PP_BOUND_BOX_LR)] = UTGARD_SET(PP_BOUND_BOX_HIGH, t->width - 1);
	frame[WORD(PP_BOUND_BOX_BT)] = UTGARD_SET(PP_BOUND_BOX_HIGH, t->height - 1);
	utgard_set(frame, PP_STACK_SIZE_SIZE, stack);
	utgard_set(frame, PP_STACK_SIZE_POINTER, stack);
	frame[WORD(PP_ORIGIN_OFFSET_X)] = PP_ORIGIN_OFFSET_X_DRIVER;
	frame[WORD(PP_ORIGIN_OFFSET_Y)] = PP_ORIGIN_OFFSET_Y_DRIVER(t->height);
	frame[WORD(PP_SUBPIXEL)] = PP_SUBPIXEL_DRIVER;
	frame[WORD(PP_TIEBREAK)] = PP_TIEBREAK_DRIVER;
	utgard_set(frame, PP_PLIST_SHIFT_MIN, shift_min);
	utgard_set(frame, PP_PLIST_SHIFT_H, tiles.shift_h);
	utgard_set(frame, PP_PLIST_SHIFT_W, tiles.shift_w);
	frame[WORD(PP_SCALING)] = PP_SCALING_DRIVER;
	frame[WORD(PP_CHANNEL_LAYOUT)] = t->pixel->channels;
	wb[WORD(PP_WB_SOURCE_SELECT)] = PP_WB_SOURCE_COLOR;
	wb[WORD(PP_WB_ADDRESS)] = color_va;
	wb[WORD(PP_WB_PIXEL_FORMAT)] = t->pixel->format;
	wb[WORD(PP_WB_PIXEL_LAYOUT)] = PP_WB_LAYOUT_LINEAR;
	wb[WORD(PP_WB_PITCH)] = PP_WB_PITCH_LINEAR(tiles.w * PP_TILE_SIZE * limn_utgard_pixel_bytes(t->pixel));
	wb[WORD(PP_WB_FLAGS)] = t->pixel->swap_rb ? PP_WB_FLAG_SWAP_RB : 0;
	limn_utgard_force(frame, UTGARD_BLOCK_PP, 0, t->forced, t->num_forced);
	for (unsigned int i = 0; i < 3; i++)
		limn_utgard_force(wb + i * LIMA_PP_WB_REG_NUM, UTGARD_BLOCK_PP_WB, i, t->forced, t->num_forced);
}
