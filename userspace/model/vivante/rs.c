// SPDX-License-Identifier: MIT
/*
 * Resolve engine: copies, converts, resolves or fills a rectangle.
 *
 * Facts: etna_viv hardware.md, rnndb state_3d.xml (the stripe RS), Mesa etnaviv_rs.c.
 */
#include "model/vivante/copy.h"

#define ROWS	4	/* of the destination in one slice */

struct viv_rs {
	struct viv_surface src, dst;
	unsigned int src_format, dst_format;
	uint32_t width, height;		/* of the window, in source pixels */
	uint32_t x0[2], y0[2];		/* of each pixel pipe's window */
	unsigned int pipes;
	unsigned int shift_x, shift_y;	/* downsampling */
	bool swap_rb, flip, one_sample, dither;
	uint32_t thresholds[2];
	uint32_t endian;
	uint32_t clear_mode, clear_bits, fill[4];
	struct viv_ts ts;
	uint32_t inplace_tiles;		/* 0: not in place */
	bool yuv;			/* the YUV tiler instead */
	/* Progress. */
	unsigned int pipe;
	uint32_t y;			/* destination row within the window; in place: tile */
};

void viv_rs_reset(struct vivante *v)
{
	memset(v->rs, 0, sizeof(*v->rs));
}

static uint32_t format_bytes(unsigned int format)
{
	static const uint8_t others[] = {
		[RS_FORMAT_YUY2] = 2, [RS_FORMAT_64BPP_CLEAR] = 8, [RS_FORMAT_A2R10G10B10] = 4, [RS_FORMAT_D32] = 4,
		[RS_FORMAT_D16] = 2,
	};

	return format < sizeof(others) && others[format] ? others[format] : viv_format_bytes(format);
}

static void surface(struct vivante *v, struct viv_surface *s, bool dest)
{
	uint32_t word = viv_state(v, dest ? VIVS_RS_DEST_STRIDE : VIVS_RS_SOURCE_STRIDE);
	uint32_t tiled = dest ? VIVS_RS_CONFIG_DEST_TILED : VIVS_RS_CONFIG_SOURCE_TILED;
	bool by_pipe = v->chip->pixel_pipes > 1;

	s->stride = VIV_GET(VIVS_RS_SOURCE_STRIDE_STRIDE, word);
	s->layout = VIV_LAYOUT_LINEAR;
	s->mode = v->chip->super_tile_mode;
	if (viv_state(v, VIVS_RS_CONFIG) & tiled) {
		/* The stride is that of a row of tiles. */
		s->stride /= 4;
		s->layout = VIV_LAYOUT_TILED;
		s->layout |= word & VIVS_RS_SOURCE_STRIDE_TILING ? VIV_LAYOUT_SUPER : 0;
		s->layout |= word & VIVS_RS_SOURCE_STRIDE_MULTI ? VIV_LAYOUT_MULTI : 0;
	}
	for (unsigned int i = 0; i < 2; i++)
		s->base[i] = !by_pipe ? viv_state(v, dest ? VIVS_RS_DEST_ADDR : VIVS_RS_SOURCE_ADDR) :
			     viv_state(v, dest ? VIV_AT(VIVS_RS_PIPE_DEST_ADDR, i) : VIV_AT(VIVS_RS_PIPE_SOURCE_ADDR, i));
}

static void windows(struct vivante *v, struct viv_rs *rs)
{
	uint32_t size = viv_state(v, VIVS_RS_WINDOW_SIZE);

	rs->width = VIV_GET(VIVS_RS_WINDOW_SIZE_WIDTH, size);
	rs->height = VIV_GET(VIVS_RS_WINDOW_SIZE_HEIGHT, size);
	rs->pipes = v->chip->pixel_pipes;
	for (unsigned int i = 0; i < rs->pipes; i++) {
		uint32_t offset = rs->pipes > 1 ? viv_state(v, VIV_AT(VIVS_RS_PIPE_OFFSET, i)) : 0;

		rs->x0[i] = VIV_GET(VIVS_RS_PIPE_OFFSET_X, offset);
		rs->y0[i] = VIV_GET(VIVS_RS_PIPE_OFFSET_Y, offset);
	}
	/* Both pipes at one place do the same work. */
	if (rs->pipes > 1 && rs->x0[0] == rs->x0[1] && rs->y0[0] == rs->y0[1])
		rs->pipes = 1;
}

static bool hangs(struct vivante *v, const struct viv_rs *rs)
{
	const char *why = viv_rs_hangs(rs->width, rs->height, rs->src.layout, rs->dst.layout, rs->clear_mode);

	if (*why)
		viv_hang(v, "rs", VIVS_HI_IDLE_STATE_PE, "window of %ux%u pixels: %s", rs->width, rs->height, why);
	return *why;
}

/* Things that are known to exist and are not modelled, or make no sense. */
static void check(struct vivante *v, const struct viv_rs *rs)
{
	uint32_t extra = viv_state(v, VIVS_RS_EXTRA_CONFIG);

	if (VIV_GET(VIVS_RS_EXTRA_CONFIG_AA, extra))
		viv_report(v, "rs", "anti-aliasing mode %u is not modelled", VIV_GET(VIVS_RS_EXTRA_CONFIG_AA, extra));
	if (extra & (VIVS_RS_EXTRA_CONFIG_UNK20 | VIVS_RS_EXTRA_CONFIG_UNK28))
		viv_report(v, "rs", "unknown bits in EXTRA_CONFIG %08x", extra);
	if (rs->dither)
		viv_guess(v, "rs", "dithering is as PE's");
	/* GUESS(rs-width): where that hangs nothing, a window is as wide as it says. Mesa's are multiples of 16. */
	if (rs->width % 16)
		viv_guess(v, "rs", "a window of %u pixels, no multiple of 16, is as wide", rs->width);
	if (!rs->clear_mode && rs->src_format != rs->dst_format &&
	    (!viv_format_bytes(rs->src_format) || !viv_format_bytes(rs->dst_format)))
		viv_report(v, "rs", "conversion from format %u to %u is not known", rs->src_format, rs->dst_format);
}

bool viv_rs_kick(struct vivante *v)
{
	uint32_t config = viv_state(v, VIVS_RS_CONFIG), control = viv_state(v, VIVS_RS_CLEAR_CONTROL);
	struct viv_rs *rs = v->rs = viv_fresh(v->rs, sizeof(*rs));

	if (!rs)
		return false;
	rs->yuv = viv_state(v, VIVS_YUV_CONFIG) & VIVS_YUV_CONFIG_ENABLE;
	if (rs->yuv)
		return true;
	rs->src_format = VIV_GET(VIVS_RS_CONFIG_SOURCE_FORMAT, config);
	rs->dst_format = VIV_GET(VIVS_RS_CONFIG_DEST_FORMAT, config);
	rs->src.bytes = format_bytes(rs->src_format);
	rs->dst.bytes = format_bytes(rs->dst_format);
	if (!rs->src.bytes || !rs->dst.bytes) {
		viv_report(v, "rs", "unknown format %u or %u", rs->src_format, rs->dst_format);
		return false;
	}
	surface(v, &rs->src, false);
	surface(v, &rs->dst, true);
	windows(v, rs);
	rs->clear_mode = VIV_GET(VIVS_RS_CLEAR_CONTROL_MODE, control);
	rs->clear_bits = VIV_GET(VIVS_RS_CLEAR_CONTROL_BITS, control);
	if (rs->clear_mode)
		rs->src.layout = rs->dst.layout;
	for (unsigned int i = 0; i < 4; i++)
		rs->fill[i] = viv_state(v, VIV_AT(VIVS_RS_FILL_VALUE, i));
	rs->shift_x = !rs->clear_mode && (config & VIVS_RS_CONFIG_DOWNSAMPLE_X);
	rs->shift_y = !rs->clear_mode && (config & VIVS_RS_CONFIG_DOWNSAMPLE_Y);
	rs->swap_rb = config & VIVS_RS_CONFIG_SWAP_RB;
	rs->flip = config & VIVS_RS_CONFIG_FLIP;
	rs->one_sample = viv_state(v, VIVS_RS_SINGLE_BUFFER) & VIVS_RS_SINGLE_BUFFER_DOWNSAMPLE_ONE_SAMPLE;
	rs->endian = VIV_GET(VIVS_RS_EXTRA_CONFIG_ENDIAN, viv_state(v, VIVS_RS_EXTRA_CONFIG));
	if (!rs->clear_mode)
		viv_ts_of_source(v, rs->src.base[0],
				 VIV_GET(VIVS_RS_SOURCE_STRIDE_TS_MODE, viv_state(v, VIVS_RS_SOURCE_STRIDE)), &rs->ts);
	for (unsigned int i = 0; i < 2; i++)
		rs->thresholds[i] = viv_state(v, VIV_AT(VIVS_RS_DITHER, i));
	/* As in PE, all ones and all zeroes turn it off: the vendor's driver writes ones, or leaves the zeroes of a reset. */
	rs->dither = !rs->clear_mode && rs->dst.bytes == 2 && rs->src_format != rs->dst_format &&
		     (rs->thresholds[0] & rs->thresholds[1]) != ~0u && (rs->thresholds[0] | rs->thresholds[1]);
	if (hangs(v, rs))
		return false;
	check(v, rs);
	return true;
}

bool viv_rs_kick_inplace(struct vivante *v, uint32_t tiles)
{
	struct viv_rs *rs = v->rs = viv_fresh(v->rs, sizeof(*rs));

	if (!rs || !tiles)
		return false;
	rs->inplace_tiles = tiles;
	if (!viv_ts_of_source(v, viv_state(v, VIVS_TS_COLOR_SURFACE_BASE),
			      VIV_GET(VIVS_RS_EXTRA_CONFIG_TS_MODE, viv_state(v, VIVS_RS_EXTRA_CONFIG)), &rs->ts)) {
		viv_report(v, "rs", "in-place resolve of %u tiles without tile status", tiles);
		return false;
	}
	return true;
}

/* --- Work --------------------------------------------------------------------------- */

/* Fills one run of the destination: bytes of each 32-bit word that the bits name. */
static bool fill_run(struct vivante *v, const struct viv_rs *rs, uint32_t x, uint32_t y, uint32_t n)
{
	uint32_t va = viv_surface_at(&rs->dst, x, y), len = n * rs->dst.bytes;
	/* GUESS(rs-clear-column): which of four values a tile gets: by its column. */
	uint32_t which = rs->clear_mode == VIVS_RS_CLEAR_CONTROL_MODE_ENABLED1 ? 0 : x / 4 % 4;
	uint32_t bits = rs->clear_bits >> which * 4 & 0xf, step = bits == 0xf && !((va | len) & 3) ? 4 : 1;
	uint8_t data[16 * 8];

	if (bits != 0xf && !unit_read(v->port[VIV_PORT_PE], va, data, len))
		return false;
	for (uint32_t i = 0; i < len; i += step) {
		uint32_t word = rs->fill[rs->clear_mode != VIVS_RS_CLEAR_CONTROL_MODE_ENABLED1 ? which :
					 rs->dst.bytes == 8 ? (va + i) / 4 % 2 : 0];

		if (step == 4)
			memcpy(data + i, &word, 4);
		else if (bits >> (va + i) % 4 & 1)
			data[i] = word >> (va + i) % 4 * 8;
	}
	return viv_put(v, "rs", va, data, len);
}

/* Four rows of tiles, as viv_surface_tiles() allows; false, and nothing is done: they are not. */
static bool fill_tiles(struct vivante *v, const struct viv_rs *rs, uint32_t y)
{
	uint32_t x0 = rs->x0[rs->pipe], bytes = rs->dst.bytes, width = rs->width;
	bool one = rs->clear_mode == VIVS_RS_CLEAR_CONTROL_MODE_ENABLED1;
	uint32_t words[4][2], masks[4][2];
	uint8_t *tile[VIV_MAX_TILES];

	if (!viv_surface_tiles(v, &rs->dst, NULL, x0, y, width, tile))
		return false;
	for (unsigned int i = 0; i < 4; i++) {
		uint32_t bits = rs->clear_bits >> (one ? 0 : i) * 4;

		words[i][0] = rs->fill[one ? 0 : i];
		words[i][1] = rs->fill[!one ? i : bytes == 8 ? 1 : 0];
		masks[i][0] = (bits & 1) * 0xff | (bits >> 1 & 1) * 0xff00 | (bits >> 2 & 1) * 0xff0000 |
			      (bits >> 3 & 1) * 0xff000000;
		masks[i][1] = masks[i][0];
	}
	for (uint32_t i = 0; i < width / 4; i++)
		viv_fill_words(tile[i], 16 * bytes, words[(x0 / 4 + i) % 4], masks[(x0 / 4 + i) % 4]);
	v->perf.mc_write_8b_pipeline += width * ((4 * bytes + 7) / 8);
	return true;
}

/* GUESS(rs-dither): 16 thresholds, a nibble each, rows of four, are added before the lower bits of B, G and R are cut off. */
static void dither(const struct viv_rs *rs, uint32_t x, uint32_t y, uint8_t bgra[4])
{
	unsigned int threshold = rs->thresholds[y >> 1 & 1] >> 4 * ((y & 1) * 4 + (x & 3)) & 15;

	for (unsigned int c = 0; c < 3; c++) {
		unsigned int bits = rs->dst_format <= FORMAT_A4R4G4B4 ? 4 : rs->dst_format == FORMAT_R5G6B5 && c == 1 ? 6 : 5;
		unsigned int sum = bgra[c] + (threshold << (8 - bits) >> 4);

		bgra[c] = (uint8_t)(sum < 255 ? sum : 255);
	}
}

/* To the destination's pixel (x, y). */
static void convert(const struct viv_rs *rs, uint32_t x, uint32_t y, const uint8_t *src, uint8_t *dst)
{
	uint8_t bgra[4], t;

	if ((rs->src_format == rs->dst_format && !rs->swap_rb) || !viv_format_bytes(rs->src_format) ||
	    !viv_format_bytes(rs->dst_format)) {
		viv_pixel_copy(dst, rs->dst.bytes, src, rs->src.bytes);
		return;
	}
	viv_pixel_unpack(rs->src_format, DE_SWIZZLE_ARGB, src, bgra);
	if (rs->swap_rb) {
		t = bgra[0];
		bgra[0] = bgra[2];
		bgra[2] = t;
	}
	if (rs->dither)
		dither(rs, x, y, bgra);
	viv_resolved_pack(rs->dst_format, bgra, dst);
}

/* Source samples of destination pixels x .. x + n - 1 of row y, row by row. */
static bool fetch(struct vivante *v, const struct viv_rs *rs, uint32_t x, uint32_t y, uint32_t n, uint8_t *out)
{
	uint32_t cols = n << rs->shift_x, bytes = rs->src.bytes;

	for (uint32_t j = 0; j < 1u << rs->shift_y; j++) {
		uint32_t sx = x << rs->shift_x, sy = (y << rs->shift_y) + j;

		for (uint32_t i = 0, run; i < cols; i += run) {
			run = viv_surface_run(&rs->src, sx + i, cols - i);
			if (run * bytes > 64)
				run = 64 / bytes;
			if (!viv_read_resolved(v, "rs", &rs->ts, viv_surface_at(&rs->src, sx + i, sy),
					       out + (j * cols + i) * bytes, run * bytes))
				return false;
		}
	}
	return true;
}

/* One run of at most 16 destination pixels. */
static bool copy_run(struct vivante *v, const struct viv_rs *rs, uint32_t x, uint32_t y, uint32_t dy, uint32_t n)
{
	uint8_t samples[4 * 16 * 8], pixel[4 * 8], one[8], out[16 * 8];
	uint32_t bytes = rs->src.bytes, cols = n << rs->shift_x;
	unsigned int num = 1u << (rs->shift_x + rs->shift_y);
	bool plain = num == 1 && rs->src_format == rs->dst_format && !rs->swap_rb;

	if (!fetch(v, rs, x, y, n, plain ? out : samples))
		return false;
	for (uint32_t i = 0; !plain && i < n; i++) {
		for (unsigned int k = 0; k < num; k++) {
			uint32_t col = (i << rs->shift_x) + (rs->shift_x ? k & 1 : 0), row = rs->shift_x ? k >> 1 : k;

			memcpy(pixel + k * bytes, samples + (row * cols + col) * bytes, bytes);
		}
		viv_average(rs->src_format, bytes, pixel, num, rs->one_sample, one);
		convert(rs, x + i, dy, one, out + i * rs->dst.bytes);
	}
	viv_endian(rs->endian, out, n * rs->dst.bytes);
	for (uint32_t i = 0, run; i < n; i += run) {
		run = viv_surface_run(&rs->dst, x + i, n - i);
		if (!viv_put(v, "rs", viv_surface_at(&rs->dst, x + i, dy), out + i * rs->dst.bytes, run * rs->dst.bytes))
			return false;
	}
	return true;
}

static bool row(struct vivante *v, const struct viv_rs *rs, uint32_t y)
{
	uint32_t width = rs->width >> rs->shift_x, x0 = rs->x0[rs->pipe] >> rs->shift_x;
	uint32_t y0 = rs->y0[rs->pipe] >> rs->shift_y, rows = rs->height >> rs->shift_y;
	/* GUESS(rs-flip-two-pipes): with two pipes, the flip is that of the whole picture. */
	uint32_t all = rows * rs->pipes, dy = rs->flip ? all - 1 - (y0 + y) : y0 + y;

	for (uint32_t x = 0, n; x < width; x += n) {
		n = width - x < 16 ? width - x : 16;
		if (rs->clear_mode) {
			n = viv_surface_run(&rs->dst, x0 + x, n);
			if (!fill_run(v, rs, x0 + x, y0 + y, n))
				return false;
		} else if (!copy_run(v, rs, x0 + x, y0 + y, dy, n)) {
			return false;
		}
	}
	return true;
}

bool viv_rs_step(struct vivante *v)
{
	struct viv_rs *rs = v->rs;
	uint32_t rows = rs->height >> rs->shift_y;

	/* GUESS(rs-fill-marks): the tile's mark stays as it is. */
	if (rs->inplace_tiles)
		return viv_inplace_step(v, "rs", &rs->ts, rs->inplace_tiles, unit_answer(&v->u, PROFILE_RS_FILL_MARKS), &rs->y);
	if (rs->yuv)
		return viv_yuv_step(v, "rs", VIVS_YUV_CONFIG, &rs->y) && !v->hung;
	if (rs->clear_mode && rs->y + ROWS <= rows && fill_tiles(v, rs, rs->y0[rs->pipe] + rs->y)) {
		rs->y += ROWS;
	} else {
		for (unsigned int k = 0; k < ROWS && rs->y < rows; k++, rs->y++)
			if (!row(v, rs, rs->y))
				return !v->hung;	/* a fault: the slice stays where it is */
	}
	if (rs->y < rows)
		return true;
	rs->y = 0;
	return ++rs->pipe < rs->pipes;
}
