// SPDX-License-Identifier: MIT
/* Pixel formats, byte orders and reads through tile status, for the engines that copy. */
#include "model/vivante/copy.h"

uint32_t viv_format_bytes(unsigned int format)
{
	switch (format) {
	case FORMAT_X4R4G4B4:
	case FORMAT_A4R4G4B4:
	case FORMAT_X1R5G5B5:
	case FORMAT_A1R5G5B5:
	case FORMAT_R5G6B5:
		return 2;
	case FORMAT_X8R8G8B8:
	case FORMAT_A8R8G8B8:
		return 4;
	case FORMAT_A8:
		return 1;
	}
	return 0;
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

/* n bits to 8: the upper ones are repeated below. */
static uint8_t widen(uint32_t val, unsigned int n)
{
	val <<= 8 - n;
	return val | val >> n | (n < 4 ? val >> 2 * n : 0);
}

void viv_pixel_unpack(unsigned int format, const uint8_t *src, uint8_t bgra[4])
{
	uint16_t w;

	bgra[3] = 0xff;
	switch (format) {
	case FORMAT_X8R8G8B8:
	case FORMAT_A8R8G8B8:
		memcpy(bgra, src, format == FORMAT_A8R8G8B8 ? 4 : 3);
		return;
	case FORMAT_A8:
		memset(bgra, 0, 3);
		bgra[3] = *src;
		return;
	}
	memcpy(&w, src, sizeof(w));
	switch (format) {
	case FORMAT_A4R4G4B4:
		bgra[3] = widen(w >> 12, 4);
		/* fall through */
	case FORMAT_X4R4G4B4:
		bgra[0] = widen(w & 15, 4);
		bgra[1] = widen(w >> 4 & 15, 4);
		bgra[2] = widen(w >> 8 & 15, 4);
		return;
	case FORMAT_A1R5G5B5:
		bgra[3] = w >> 15 ? 0xff : 0;
		/* fall through */
	case FORMAT_X1R5G5B5:
		bgra[0] = widen(w & 31, 5);
		bgra[1] = widen(w >> 5 & 31, 5);
		bgra[2] = widen(w >> 10 & 31, 5);
		return;
	default:
		bgra[0] = widen(w & 31, 5);
		bgra[1] = widen(w >> 5 & 63, 6);
		bgra[2] = widen(w >> 11, 5);
	}
}

void viv_pixel_pack(unsigned int format, const uint8_t bgra[4], uint8_t *dst)
{
	uint16_t w;

	/* GUESS(rs-unused-bits): unused bits are written as ones; the rest of each channel is cut off. */
	switch (format) {
	case FORMAT_A8R8G8B8:
		memcpy(dst, bgra, 4);
		return;
	case FORMAT_X8R8G8B8:
		memcpy(dst, bgra, 3);
		dst[3] = 0xff;
		return;
	case FORMAT_A8:
		*dst = bgra[3];
		return;
	case FORMAT_A4R4G4B4:
	case FORMAT_X4R4G4B4:
		w = (format == FORMAT_X4R4G4B4 ? 0xf : bgra[3] >> 4) << 12 | bgra[2] >> 4 << 8 | bgra[1] >> 4 << 4 |
		    bgra[0] >> 4;
		break;
	case FORMAT_A1R5G5B5:
	case FORMAT_X1R5G5B5:
		w = (format == FORMAT_X1R5G5B5 ? 1 : bgra[3] >> 7) << 15 | bgra[2] >> 3 << 10 | bgra[1] >> 3 << 5 |
		    bgra[0] >> 3;
		break;
	default:
		w = bgra[2] >> 3 << 11 | bgra[1] >> 2 << 5 | bgra[0] >> 3;
	}
	memcpy(dst, &w, sizeof(w));
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
	uint32_t sum[4] = { 0 };
	uint8_t bgra[4];

	if (!one && n > 1 && format == RS_FORMAT_A2R10G10B10) {
		average_10(samples, n, dst);
		return;
	}
	if (one || n == 1 || viv_format_bytes(format) != bytes) {
		memcpy(dst, samples, bytes);
		return;
	}
	for (unsigned int i = 0; i < n; i++) {
		viv_pixel_unpack(format, samples + i * bytes, bgra);
		for (unsigned int c = 0; c < 4; c++)
			sum[c] += bgra[c];
	}
	for (unsigned int c = 0; c < 4; c++)
		bgra[c] = average(sum[c], n);
	viv_pixel_pack(format, bgra, dst);
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
