/* SPDX-License-Identifier: MIT */
/* The tile buffer to memory. Layouts: Mesa lima_job.c; limare formats.h. */
#include <limn/utgard/formats.h>

#include "model/utgard/pp.h"

#define PIXELS	(PP_TILE_SIZE * PP_TILE_SIZE)

static const struct utgard_format *format_of(const uint32_t *wb)
{
	static const struct utgard_format none;
	uint32_t format = wb[PP_WB_PIXEL_FORMAT / 4];

	return format < 16 ? &utgard_pixel_formats[format] : &none;
}

static inline void pixel_at(unsigned int x, unsigned int y, unsigned int *block,
			    unsigned int *lane)
{
	*block = y / 2 * 4 + x / 4;
	*lane = (x >> 1 & 1) * 4 + (y & 1) * 2 + (x & 1);
}

/* 8-bit value to `max`, rounded. GUESS(pp-dither): no dithering. */
static uint32_t scale(uint32_t v, uint32_t max)
{
	return (v * max * 2 + 255) / 510;
}

static void put(uint8_t *p, uint64_t v, unsigned int bytes)
{
	switch (bytes) {	/* the usual ones, each a single store */
	case 2:
		memcpy(p, &v, 2);
		break;
	case 4:
		memcpy(p, &v, 4);
		break;
	default:
		memcpy(p, &v, bytes);
	}
}

/* Channel i as the format numbers them: red and blue may have changed places. */
static unsigned int channel(unsigned int i, bool swap)
{
	return swap && i != 3 ? 2 - i : i;
}

static void put_unorm(const struct utgard_format *f, uint32_t rgba, bool swap, uint8_t *p)
{
	uint64_t v = 0;
	unsigned int c;

	for (c = 0; c < 4; c++)
		v |= (uint64_t)scale(rgba >> (8 * channel(c, swap)) & 255, (1u << f->channel[c].width) - 1) <<
		     f->channel[c].bit;
	put(p, v, f->bytes);
}

static void put_half(const struct utgard_format *f, const float rgba[4], bool swap, uint8_t *p)
{
	uint64_t v = 0;
	unsigned int c;

	for (c = 0; c < 4; c++)
		if (f->channel[c].width)
			v |= (uint64_t)half_from_float(rgba[channel(c, swap)]) << f->channel[c].bit;
	put(p, v, f->bytes);
}

/* Colour of a pixel as RGBA8; sample < 0: the samples' mean. */
static uint32_t color8(const struct pp_tile *t, unsigned int block, unsigned int lane, int sample)
{
	uint32_t out = 0;
	unsigned int c, s;

	if (t->samples == 1)
		return t->color[0][block][lane];
	if (sample >= 0)
		return t->color[sample][block][lane];
	for (c = 0; c < 32; c += 8) {
		uint32_t sum = 0;

		for (s = 0; s < PP_SAMPLES; s++)
			sum += t->color[s][block][lane] >> c & 255;
		out |= (sum + PP_SAMPLES / 2) / PP_SAMPLES << c;
	}
	return out;
}

static void color_pixel(struct pp *pp, const struct utgard_format *format, bool swap, unsigned int block,
			unsigned int lane, int sample, uint8_t *p)
{
	const struct pp_tile *t = pp->tile;
	bool half = format->kind == UTGARD_HALF;
	float f[4];
	uint32_t v;
	unsigned int c;

	if (!pp_fp16(pp)) {
		v = color8(t, block, lane, sample);
		if (!half) {
			put_unorm(format, v, swap, p);
			return;
		}
		for (c = 0; c < 4; c++)
			f[c] = (v >> (8 * c) & 255) / 255.0f;
		put_half(format, f, swap, p);
		return;
	}
	for (c = 0; c < 4; c++)
		f[c] = t->fcolor[block][c][lane];
	if (half) {
		put_half(format, f, swap, p);
		return;
	}
	for (c = 0, v = 0; c < 4; c++)
		v |= (uint32_t)((f[c] > 0 ? f[c] < 1 ? f[c] : 1 : 0) * 255 + 0.5f) << (8 * c);
	put_unorm(format, v, swap, p);
}

/* GUESS(pp-wb-depth-sample): depth and stencil are not averaged; the first sample stands for all. */
static void depth_pixel(struct pp *pp, unsigned int format, unsigned int block,
			unsigned int lane, int sample, uint8_t *p)
{
	const struct pp_tile *t = pp->tile;
	uint32_t v = t->zs[t->samples == 1 || sample < 0 ? 0 : sample][block][lane];

	switch (format) {
	case PP_WB_Z24S8:
		put(p, v, 4);
		break;
	case PP_WB_Z16:
		/* Rounded, so that 16-bit depth survives a reload. */
		put(p, ((uint64_t)(v & 0xffffff) * 65535 + 0x7fffff) / 0xffffff, 2);
		break;
	case PP_WB_S8:
		put(p, v >> 24, 1);
		break;
	}
}

static bool write_bound(struct pp *pp, uint32_t va, uint32_t len)
{
	if (!(pp->write_bound[0] & 1) ||
	    (va >= pp->write_bound[1] && va + len <= pp->write_bound[2]))
		return true;
	unit_report(&pp->u, "write to 0x%08x is outside the write boundary 0x%08x..0x%08x", va,
		    pp->write_bound[1], pp->write_bound[2]);
	pp_end_of_frame(pp, PP_IRQ_WRITE_BOUND);
	return false;
}

static bool put_memory(struct pp *pp, uint32_t va, const uint8_t *p, uint32_t len)
{
	if (!write_bound(pp, va, len))
		return false;
	pp->count[PP_CNT_BUS_WRITES] += (len + 7) / 8;
	pp->count[PP_CNT_BUS_WRITE_REQUESTS]++;
	pp->count[PP_CNT_WRITE_BACK_WRITES] += (len + 7) / 8;
	if (unit_write(&pp->u, va, p, len))
		return true;
	pp->fault = true;
	return false;
}

/*
 * GUESS(pp-bound-box-tiled): the frame's bounding box limits what linear surfaces receive; blocks
 * of tiled surfaces are written whole.
 */
static bool store(struct pp *pp, const uint32_t *wb, uint32_t va, const uint8_t *pixels,
		  unsigned int bytes)
{
	uint32_t lr = pp->frame[PP_BOUND_BOX_LR / 4], bt = pp->frame[PP_BOUND_BOX_BT / 4];
	uint32_t w = PP_TILE_SIZE, h = PP_TILE_SIZE, y, pitch = wb[PP_WB_PITCH / 4];
	uint32_t x0 = pp->tile_x * PP_TILE_SIZE, y0 = pp->tile_y * PP_TILE_SIZE;

	if (wb[PP_WB_PIXEL_LAYOUT / 4] == PP_WB_LAYOUT_TILED)
		return put_memory(pp, va + (pp->tile_y * pitch + pp->tile_x) * PIXELS * bytes,
				  pixels, PIXELS * bytes);
	if (lr && UTGARD_GET(PP_BOUND_BOX_HIGH, lr) + 1 < x0 + w)
		w = UTGARD_GET(PP_BOUND_BOX_HIGH, lr) + 1 > x0 ?
		    UTGARD_GET(PP_BOUND_BOX_HIGH, lr) + 1 - x0 : 0;
	if (bt && UTGARD_GET(PP_BOUND_BOX_HIGH, bt) + 1 < y0 + h)
		h = UTGARD_GET(PP_BOUND_BOX_HIGH, bt) + 1 > y0 ?
		    UTGARD_GET(PP_BOUND_BOX_HIGH, bt) + 1 - y0 : 0;
	for (y = 0; y < h && w; y++)
		if (!put_memory(pp, va + (y0 + y) * pitch * 8 + x0 * bytes,
				pixels + y * PP_TILE_SIZE * bytes, w * bytes))
			return false;
	return true;
}

/* The common cases, fast: what the tile buffer, of one plane, holds as it is: 8 bits a channel, and 24 of depth with stencil. */
static bool pack32(const struct pp *pp, const struct utgard_format *format, bool color, bool swap, bool tiled,
		   uint8_t *pixels)
{
	const struct pp_tile *t = pp->tile;
	const v8u *from = color ? t->color[0] : t->zs[0];
	unsigned int b;

	if (format != &utgard_pixel_formats[color ? PP_WB_B8G8R8A8 : PP_WB_Z24S8] || (color && pp_fp16(pp)) || t->samples != 1)
		return false;
	for (b = 0; b < PP_BLOCKS; b++) {
		unsigned int x = b % 4 * 4, y = b / 4 * 2, at = tiled ? utgard_tile_index(x, y) : y * PP_TILE_SIZE + x;
		v8u v = from[b];

		if (color && !swap)
			v = (v & 0xff00ff00) | (v & 0xff) << 16 | (v >> 16 & 0xff);
		/* Four pixels are side by side: of a row, or of a quad as it goes round. */
		v = tiled ? __builtin_shufflevector(v, v, 0, 1, 3, 2, 4, 5, 7, 6) :
			    __builtin_shufflevector(v, v, 0, 1, 4, 5, 2, 3, 6, 7);
		memcpy(pixels + 4 * at, &v, 16);
		memcpy(pixels + 4 * (tiled ? at ^ utgard_tile_index(2, 0) : at + PP_TILE_SIZE), (char *)&v + 16, 16);
	}
	return true;
}

static bool write_surface(struct pp *pp, const uint32_t *wb, uint32_t va, int sample)
{
	const struct utgard_format *format = format_of(wb);
	unsigned int bytes = format->bytes;
	bool tiled = wb[PP_WB_PIXEL_LAYOUT / 4] == PP_WB_LAYOUT_TILED;
	bool swap = wb[PP_WB_FLAGS / 4] & PP_WB_FLAG_SWAP_RB;
	bool color = wb[PP_WB_SOURCE_SELECT / 4] == PP_WB_SOURCE_COLOR;
	uint8_t pixels[PIXELS * 8];
	unsigned int x, y, block, lane;

	if (pack32(pp, format, color, swap, tiled, pixels))
		return store(pp, wb, va, pixels, bytes);
	for (y = 0; y < PP_TILE_SIZE; y++)
		for (x = 0; x < PP_TILE_SIZE; x++) {
			uint8_t *p = pixels + bytes * (tiled ? utgard_tile_index(x, y) :
							       y * PP_TILE_SIZE + x);

			pixel_at(x, y, &block, &lane);
			if (color)
				color_pixel(pp, format, swap, block, lane, sample, p);
			else
				depth_pixel(pp, wb[PP_WB_PIXEL_FORMAT / 4], block, lane, sample, p);
		}
	return store(pp, wb, va, pixels, bytes);
}

/* Reports what is not known of a unit's registers; false: it cannot write. */
static bool check(struct pp *pp, unsigned int i, const uint32_t *wb)
{
	uint32_t source = wb[PP_WB_SOURCE_SELECT / 4], format = wb[PP_WB_PIXEL_FORMAT / 4];
	bool depth = source == PP_WB_SOURCE_DEPTH_STENCIL, ok;

	ok = depth || source == PP_WB_SOURCE_COLOR;
	ok = ok && format_of(wb)->bytes && (format_of(wb)->kind == UTGARD_DEPTH) == depth;
	if (!ok && pp_once(pp, PP_ONCE_WB))
		unit_report(&pp->u, "write-back unit %u: unknown source %u with format 0x%x: nothing written",
			    i, source, format);
	if (!ok)
		return false;
	if ((wb[PP_WB_DOWNSAMPLE / 4] || wb[PP_WB_FLAGS / 4] & ~PP_WB_FLAGS_KNOWN ||
	     wb[9] || wb[10] || wb[11] || wb[PP_WB_MRT_BITS / 4] & ~0xfu) &&
	    pp_once(pp, PP_ONCE_WB))
		unit_report(&pp->u, "write-back unit %u: unknown: downsampling 0x%x flags 0x%x MRT bits 0x%x words 9-11 0x%x 0x%x 0x%x",
			    i, wb[PP_WB_DOWNSAMPLE / 4], wb[PP_WB_FLAGS / 4],
			    wb[PP_WB_MRT_BITS / 4], wb[9], wb[10], wb[11]);
	if (wb[PP_WB_PIXEL_LAYOUT / 4] != PP_WB_LAYOUT_LINEAR &&
	    wb[PP_WB_PIXEL_LAYOUT / 4] != PP_WB_LAYOUT_TILED) {
		if (pp_once(pp, PP_ONCE_WB))
			unit_report(&pp->u, "write-back unit %u: unknown layout %u: nothing written",
				    i, wb[PP_WB_PIXEL_LAYOUT / 4]);
		return false;
	}
	return true;
}

bool pp_write_back(struct pp *pp)
{
	for (; pp->wb_unit < PP_WB_UNITS; pp->wb_unit++) {
		const uint32_t *wb = pp->wb[pp->wb_unit];
		uint32_t va = wb[PP_WB_ADDRESS / 4], bits = wb[PP_WB_MRT_BITS / 4] & 0xf;
		int s;

		if (wb[PP_WB_SOURCE_SELECT / 4] == PP_WB_SOURCE_NONE ||
		    !check(pp, pp->wb_unit, wb))
			continue;
		if (!bits && !write_surface(pp, wb, va, -1))
			return false;
		for (s = 0; s < PP_SAMPLES; s++)
			if (bits >> s & 1 &&
			    !write_surface(pp, wb, va + s * wb[PP_WB_MRT_PITCH / 4], s))
				return false;
	}
	return true;
}
