// SPDX-License-Identifier: MIT
/* Pixel formats, byte orders and reads through tile status, for the engines that copy. */
#include <stdlib.h>

#include "model/vivante/copy.h"

void *viv_fresh(void *engine, size_t size)
{
	return engine ? memset(engine, 0, size) : calloc(1, size);
}

typedef uint32_t v4u __attribute__((vector_size(16)));

/* Of B, G, R and A: where they begin, for each DE_SWIZZLE; what makes 8 bits of n, whose upper ones are repeated below. */
static const struct {
	uint8_t bytes;
	bool x;			/* A is there but means nothing */
	v4u at[4], mask, times, shift, drop;
} formats[] = {
#define EACH(of, b, g, r, a) { of(b), of(g), of(r), of(a) }
#define MASK(n)		((1u << (n)) - 1)
#define TIMES(n)	((n) < 4 ? 0xff : (1u << (n)) + 1)
#define SHIFT(n)	((n) < 4 ? 0 : 2 * (n) - 8)
#define DROP(n)		(8 - (n))
#define FORMAT(bytes, x, b, g, r, a) { \
	bytes, x, { \
		[DE_SWIZZLE_ARGB] = { 0, b, b + g, b + g + r }, [DE_SWIZZLE_RGBA] = { a, a + b, a + b + g, 0 }, \
		[DE_SWIZZLE_ABGR] = { r + g, r, 0, r + g + b }, [DE_SWIZZLE_BGRA] = { a + r + g, a + r, a, 0 }, \
	}, EACH(MASK, b, g, r, a), EACH(TIMES, b, g, r, a), EACH(SHIFT, b, g, r, a), EACH(DROP, b, g, r, a) }
	[FORMAT_X4R4G4B4] = FORMAT(2, true, 4, 4, 4, 4), [FORMAT_A4R4G4B4] = FORMAT(2, false, 4, 4, 4, 4),
	[FORMAT_X1R5G5B5] = FORMAT(2, true, 5, 5, 5, 1), [FORMAT_A1R5G5B5] = FORMAT(2, false, 5, 5, 5, 1),
	[FORMAT_R5G6B5] = FORMAT(2, true, 5, 6, 5, 0),
	[FORMAT_X8R8G8B8] = FORMAT(4, true, 8, 8, 8, 8), [FORMAT_A8R8G8B8] = FORMAT(4, false, 8, 8, 8, 8),
	[FORMAT_A8] = FORMAT(1, false, 0, 0, 0, 8),
};

uint32_t viv_format_bytes(unsigned int format)
{
	return format < sizeof(formats) / sizeof(formats[0]) ? formats[format].bytes : 0;
}

bool viv_surface_tiles(struct vivante *v, const struct viv_surface *s, const struct viv_ts *ts, uint32_t x, uint32_t y,
		       uint32_t width, uint8_t *tile[VIV_MAX_TILES])
{
	if (s->layout == VIV_LAYOUT_LINEAR || (x | y | width) % 4 || width / 4 > VIV_MAX_TILES || (s->bytes & (s->bytes - 1)))
		return false;
	for (uint32_t i = 0; i < width / 4; i++) {
		uint32_t va = viv_surface_at(s, x + i * 4, y), byte, bit;
		uint8_t *page = unit_page_write(v->port[VIV_PORT_PE], va);

		if (!page || va % (16 * s->bytes))
			return false;
		tile[i] = page + va % MODEL_PAGE;
		if (ts && ts->on) {
			viv_ts_place(ts, va - ts->surface, &byte, &bit);
			if (!unit_page(v->port[VIV_PORT_RA], byte) || viv_ts_peek(v, ts, va - ts->surface) != VIV_TS_PLAIN)
				return false;
		}
	}
	return true;
}

void viv_fill_words(uint8_t *p, uint32_t len, const uint32_t words[2], const uint32_t masks[2])
{
	uint64_t both, fill, mask;

	memcpy(&fill, words, sizeof(fill));
	memcpy(&mask, masks, sizeof(mask));
	for (uint32_t i = 0; i < len; i += 8) {
		memcpy(&both, p + i, sizeof(both));
		both = (fill & mask) | (both & ~mask);
		memcpy(p + i, &both, sizeof(both));
	}
}

static v4u unpack(unsigned int format, unsigned int swizzle, const uint8_t *src)
{
	unsigned int bytes = formats[format].bytes;
	uint32_t word = src[0];
	v4u c = { 0 };

	if (bytes == 4)
		memcpy(&word, src, 4);
	else if (bytes == 2)
		word |= src[1] << 8;
	c = ((c + word) >> formats[format].at[swizzle] & formats[format].mask) * formats[format].times >> formats[format].shift;
	if (formats[format].x)
		c[3] = 0xff;
	return c;
}

void viv_pixel_unpack(unsigned int format, unsigned int swizzle, const uint8_t *src, uint8_t bgra[4])
{
	v4u c = unpack(format, swizzle, src);

	for (unsigned int i = 0; i < 4; i++)
		bgra[i] = c[i];
}

void viv_pixel_pack(unsigned int format, unsigned int swizzle, const uint8_t bgra[4], uint8_t *dst)
{
	v4u c = { bgra[0], bgra[1], bgra[2], bgra[3] };
	unsigned int bytes = formats[format].bytes;
	uint32_t word;

	/* GUESS(de-round): channels are cut off, not rounded; an X channel is written as given. */
	c = c >> formats[format].drop << formats[format].at[swizzle];
	word = c[0] | c[1] | c[2] | c[3];
	memcpy(dst, &word, bytes == 4 ? 4 : bytes == 2 ? 2 : 1);
}

void viv_resolved_pack(unsigned int format, const uint8_t bgra[4], uint8_t *dst)
{
	/* GUESS(rs-unused-bits): unused bits are written as ones. */
	const uint8_t filled[4] = { bgra[0], bgra[1], bgra[2], formats[format].x ? 0xff : bgra[3] };

	viv_pixel_pack(format, DE_SWIZZLE_ARGB, filled, dst);
}

void viv_endian(uint32_t mode, uint8_t *data, uint32_t len)
{
	uint32_t unit = mode == ENDIAN_MODE_SWAP_16 ? 2 : mode == ENDIAN_MODE_SWAP_32 ? 4 : 1;

	for (uint32_t i = 0; unit > 1 && i + unit <= len; i += unit) {
		for (uint32_t k = 0; k < unit / 2; k++) {
			uint8_t t = data[i + k];

			data[i + k] = data[i + unit - 1 - k];
			data[i + unit - 1 - k] = t;
		}
	}
}

bool viv_read_resolved(struct vivante *v, const char *module, const struct viv_ts *ts, uint32_t va, void *dst,
		       uint32_t len)
{
	uint32_t word;

	if (ts && ts->on && va >= ts->surface) {
		switch (viv_ts_get(v, ts, va - ts->surface, false)) {
		case VIV_TS_PLAIN:
			break;
		case VIV_TS_CLEARED:
			for (uint32_t i = 0; i < len; i++) {
				word = viv_ts_word(ts, va - ts->surface + i);
				((uint8_t *)dst)[i] = word >> (va + i) % 4 * 8;
			}
			return true;
		case VIV_TS_INVALID:
		case VIV_TS_FAULT:
			return false;
		}
	}
	v->perf.mc_read_8b_pipeline += (len + 7) / 8;
	viv_cache_check(v, module, va, len);
	return unit_read(v->port[VIV_PORT_PE], va, dst, len);
}

bool viv_put(struct vivante *v, const char *module, uint32_t va, const void *src, uint32_t len)
{
	v->perf.mc_write_8b_pipeline += (len + 7) / 8;
	viv_cache_check(v, module, va, len);
	return unit_write(v->port[VIV_PORT_PE], va, src, len);
}

bool viv_put_cleared(struct vivante *v, const char *module, const struct viv_ts *ts, uint32_t start)
{
	uint8_t data[256];

	for (uint32_t i = 0; i < ts->tile; i++)
		data[i] = viv_ts_word(ts, start + i) >> i % 4 * 8;
	return viv_put(v, module, ts->surface + start, data, ts->tile);
}

bool viv_inplace_step(struct vivante *v, const char *module, const struct viv_ts *ts, uint32_t tiles, bool take_marks,
		      uint32_t *n)
{
	for (unsigned int k = 0; k < 64 && *n < tiles; k++, ++*n) {
		uint32_t offset = *n * ts->tile;
		enum viv_ts_entry entry = viv_ts_get(v, ts, offset, false);

		if (entry == VIV_TS_FAULT || entry == VIV_TS_INVALID)
			return entry == VIV_TS_FAULT;
		if (entry == VIV_TS_CLEARED && (!viv_put_cleared(v, module, ts, offset) ||
						(take_marks && !viv_ts_clear_entry(v, ts, offset))))
			return true;
	}
	return *n < tiles;
}

/* GUESS(rs-average-round): halves are rounded up. */
static uint32_t average(uint32_t sum, unsigned int n)
{
	return (sum + n / 2) / n;
}

/* A2R10G10B10, which Mesa resolves as well: RS and BLT have one number for it. */
static void average_10(const uint8_t *samples, unsigned int n, uint8_t *dst)
{
	uint32_t word, sum[4] = { 0 };

	for (unsigned int i = 0; i < n; i++) {
		memcpy(&word, samples + 4 * i, 4);
		for (unsigned int c = 0; c < 4; c++)
			sum[c] += word >> 10 * c & 0x3ff;
	}
	word = 0;
	for (unsigned int c = 0; c < 4; c++)
		word |= average(sum[c], n) << 10 * c;
	memcpy(dst, &word, 4);
}

void viv_average(unsigned int format, uint32_t bytes, const uint8_t *samples, unsigned int n, bool one, uint8_t *dst)
{
	v4u sum = { 0 };
	uint8_t bgra[4];

	if (!one && n > 1 && format == RS_FORMAT_A2R10G10B10) {
		average_10(samples, n, dst);
		return;
	}
	if (one || n == 1 || viv_format_bytes(format) != bytes) {
		memcpy(dst, samples, bytes);
		return;
	}
	for (unsigned int i = 0; i < n; i++)
		sum += unpack(format, DE_SWIZZLE_ARGB, samples + i * bytes);
	for (unsigned int c = 0; c < 4; c++)
		bgra[c] = average(sum[c], n);
	viv_resolved_pack(format, bgra, dst);
}

/* --- The YUV tiler ---------------------------------------------------------- */

/* In the order of YUV_CONFIG to YUV_DEST_STRIDE and of BLT_YUV_CONFIG to BLT_YUV_DEST_STRIDE. */
struct yuv {
	uint32_t config, size, y, y_stride, u, u_stride, v, v_stride, dest, dest_stride;
};

/* Pixels x to x + 3 of row y as YUYV; the chroma of a 2x2 block is that of all its pixels. */
static bool yuv_quad(struct vivante *v, const char *module, const struct yuv *s, uint32_t x, uint32_t y, uint8_t out[8])
{
	bool two = VIV_GET(VIVS_YUV_CONFIG_SOURCE_FORMAT, s->config);
	bool first = unit_answer(&v->u, strcmp(module, "rs") ? PROFILE_BLT_YUV_TILER : PROFILE_RS_YUV_TILER);
	unsigned int swap = !first && s->config & VIVS_YUV_CONFIG_UV_SWAP ? 1 : 0;
	uint32_t u = s->u + y / 2 * s->u_stride + (two ? x : x / 2);
	uint8_t luma[4], chroma[2][2];

	if (!viv_read_resolved(v, module, NULL, s->y + y * s->y_stride + x, luma, 4) ||
	    !viv_read_resolved(v, module, NULL, u, chroma[0], 2) ||
	    !viv_read_resolved(v, module, NULL, two ? u + 2 : s->v + y / 2 * s->v_stride + x / 2, chroma[1], 2))
		return false;
	for (unsigned int i = 0; i < 8; i++) {
		unsigned int block = i / 4, which = (i >> 1 & 1) ^ swap;

		out[i] = i & 1 ? two ? chroma[block][which] : chroma[which][block] : luma[i / 2];
	}
	return true;
}

/*
 * Mesa etnaviv_yuv.c: NV12 to YUYV, the destination tiled. GUESS(yuv-tiler): the stride is that of a row of pixels; the
 * other formats and the swap, as rnndb state_blt.xml has them, YV12 as I420 with its planes the other way round.
 */
bool viv_yuv_step(struct vivante *v, const char *module, uint32_t states, uint32_t *y)
{
	struct yuv s;
	struct viv_surface dst = { .bytes = 2, .layout = VIV_LAYOUT_TILED };
	uint32_t width, height;
	uint8_t quad[8];

	memcpy(&s, &v->state[states / 4], sizeof(s));
	dst.base[0] = dst.base[1] = s.dest;
	dst.stride = s.dest_stride;
	width = VIV_GET(VIVS_YUV_WINDOW_SIZE_WIDTH, s.size);
	height = VIV_GET(VIVS_YUV_WINDOW_SIZE_HEIGHT, s.size);
	if (VIV_GET(VIVS_YUV_CONFIG_SOURCE_FORMAT, s.config) > 1 || width % 4 || height % 4) {
		viv_report(v, module, "YUV format %u of %ux%u pixels: nothing is tiled",
			   VIV_GET(VIVS_YUV_CONFIG_SOURCE_FORMAT, s.config), width, height);
		return false;
	}
	if (!*y && s.config != (VIVS_YUV_CONFIG_ENABLE | VIV_SET(VIVS_YUV_CONFIG_SOURCE_FORMAT, 1)))
		viv_guess(v, module, "YUV of another format than NV12 (%08x)", s.config);
	for (unsigned int k = 0; k < 4 && *y < height; k++, ++*y) {
		for (uint32_t x = 0; x < width; x += 4) {
			if (!yuv_quad(v, module, &s, x, *y, quad) ||
			    !unit_write(v->port[VIV_PORT_PE], viv_surface_at(&dst, x, *y), quad, sizeof(quad)))
				return true;
		}
	}
	return *y < height;
}
