// SPDX-License-Identifier: MIT
/*
 * Blit engine of newer cores, in place of RS: clears, copies and resolves
 * images, copies buffers, makes mipmaps. Every operation is programmed anew.
 *
 * Facts: rnndb state_blt.xml; Mesa etnaviv_blt.c.
 */
#include "model/vivante/copy.h"

#define ROWS		4	/* in one slice */
#define CHUNK		4096u	/* bytes of a buffer copy in one slice */
#define MAX_LEVELS	14

struct viv_blt {
	uint32_t command;
	struct viv_surface src, dst;
	unsigned int src_format, dst_format;
	uint32_t src_x, src_y, dst_x, dst_y, width, height;	/* of source pixels */
	unsigned int shift_x, shift_y;
	bool flip, one_sample;
	uint32_t src_endian, dst_endian, swizzle;
	struct viv_ts src_ts, dst_ts;
	uint32_t clear[2], bits[2];
	uint32_t tile_w, tile_h;	/* of a clear, in pixels, where all tiles are alike; else 0 */
	uint32_t size;			/* of a buffer; tiles in place */
	uint32_t y;			/* progress: row, byte or tile */
	unsigned int level, levels;	/* mipmaps: level that is being written */
};

void viv_blt_reset(struct vivante *v)
{
	memset(v->blt, 0, sizeof(*v->blt));
}

static uint32_t format_bytes(unsigned int format)
{
	static const uint8_t others[] = {
		[BLT_FORMAT_YUY2] = 2, [BLT_FORMAT_UYVY] = 2, [BLT_FORMAT_A2R10G10B10] = 4, [BLT_FORMAT_X24S8] = 4,
		[BLT_FORMAT_D16] = 2, [BLT_FORMAT_A16R16G16B16] = 8, [BLT_FORMAT_A8L8] = 2, [BLT_FORMAT_L8] = 1,
		[BLT_FORMAT_R8G8B8] = 3, [BLT_FORMAT_R8] = 1, [BLT_FORMAT_R8G8] = 2,
	};

	return format < sizeof(others) && others[format] ? others[format] : viv_format_bytes(format);
}

static void surface(struct vivante *v, struct viv_surface *s, bool dest, unsigned int *format)
{
	uint32_t stride = viv_state(v, dest ? VIVS_BLT_DEST_STRIDE : VIVS_BLT_SRC_STRIDE);
	uint32_t config = viv_state(v, dest ? VIVS_BLT_DEST_CONFIG : VIVS_BLT_SRC_CONFIG);

	*format = dest ? VIV_GET(VIVS_BLT_DEST_STRIDE_FORMAT, stride) : VIV_GET(VIVS_BLT_SRC_STRIDE_FORMAT, stride);
	s->base[0] = s->base[1] = viv_state(v, dest ? VIVS_BLT_DEST_ADDR : VIVS_BLT_SRC_ADDR);
	s->stride = VIV_GET(VIVS_BLT_SRC_STRIDE_STRIDE, stride);
	s->bytes = format_bytes(*format);
	s->mode = v->chip->super_tile_mode;
	s->layout = VIV_LAYOUT_LINEAR;
	if (VIV_GET(VIVS_BLT_SRC_STRIDE_TILING, stride)) {
		/* rnndb sees no difference between the tilings in STRIDE; CONFIG tells supertiles. */
		s->layout = VIV_LAYOUT_TILED;
		if (config & (dest ? BLT_DEST_IMAGE_CONFIG_TO_SUPER_TILED : BLT_SRC_IMAGE_CONFIG_FROM_SUPER_TILED))
			s->layout |= VIV_LAYOUT_SUPER;
	}
}

static void tile_status(struct vivante *v, struct viv_ts *ts, bool dest)
{
	uint32_t config = viv_state(v, dest ? VIVS_BLT_DEST_CONFIG : VIVS_BLT_SRC_CONFIG);

	ts->on = config & BLT_SRC_IMAGE_CONFIG_TS;
	ts->status = viv_state(v, dest ? VIVS_BLT_DEST_TS : VIVS_BLT_SRC_TS);
	ts->surface = viv_state(v, dest ? VIVS_BLT_DEST_ADDR : VIVS_BLT_SRC_ADDR);
	ts->clear[0] = viv_state(v, dest ? VIVS_BLT_DEST_TS_CLEAR_VALUE0 : VIVS_BLT_SRC_TS_CLEAR_VALUE0);
	ts->clear[1] = viv_state(v, dest ? VIVS_BLT_DEST_TS_CLEAR_VALUE1 : VIVS_BLT_SRC_TS_CLEAR_VALUE1);
	ts->bits = v->chip->ts_bits;
	ts->tile = VIV_GET(BLT_SRC_IMAGE_CONFIG_TS_MODE, config) == TS_MODE_256B ? 256 : 128;
}

/* Pixels of up to 4 bytes have the first word alone: of a depth surface Mesa leaves the second 0 (etnaviv_blt.c). */
static void one_word(struct viv_ts *ts, uint32_t bytes)
{
	if (bytes <= 4)
		ts->clear[1] = ts->clear[0];
}

static void image(struct vivante *v, struct viv_blt *b)
{
	uint32_t size = viv_state(v, VIVS_BLT_IMAGE_SIZE), at = viv_state(v, VIVS_BLT_DEST_POS);

	b->width = VIV_GET(VIVS_BLT_IMAGE_SIZE_WIDTH, size);
	b->height = VIV_GET(VIVS_BLT_IMAGE_SIZE_HEIGHT, size);
	b->dst_x = VIV_GET(VIVS_BLT_DEST_POS_X, at);
	b->dst_y = VIV_GET(VIVS_BLT_DEST_POS_Y, at);
	at = viv_state(v, VIVS_BLT_SRC_POS);
	b->src_x = VIV_GET(VIVS_BLT_SRC_POS_X, at);
	b->src_y = VIV_GET(VIVS_BLT_SRC_POS_Y, at);
	surface(v, &b->src, false, &b->src_format);
	surface(v, &b->dst, true, &b->dst_format);
	tile_status(v, &b->src_ts, false);
	tile_status(v, &b->dst_ts, true);
	one_word(&b->src_ts, b->src.bytes);
}

/* The tile of pixel (x, y), when it is a whole block of pixels: its corner and size. */
static bool tile_of(const struct viv_blt *b, uint32_t x, uint32_t y, uint32_t rect[4])
{
	uint32_t pixels = b->dst_ts.tile / b->dst.bytes, start;

	if (b->tile_w) {
		rect[0] = x & ~(b->tile_w - 1);
		rect[1] = y & ~(b->tile_h - 1);
		rect[2] = b->tile_w;
		rect[3] = b->tile_h;
		return true;
	}
	start = (viv_surface_at(&b->dst, x, y) - b->dst_ts.surface) / b->dst_ts.tile * b->dst_ts.tile;
	/* A tiled surface's are of whole 4x4 pixels. */
	for (uint32_t h = b->dst.layout == VIV_LAYOUT_LINEAR ? 1 : 4; h <= pixels; h *= 2) {
		uint32_t w = pixels / h, x0 = x & ~(w - 1), y0 = y & ~(h - 1);

		if (viv_surface_at(&b->dst, x0, y0) - b->dst_ts.surface != start ||
		    viv_surface_at(&b->dst, x0 + w - 1, y0 + h - 1) - b->dst_ts.surface != start + b->dst_ts.tile - b->dst.bytes)
			continue;
		rect[0] = x0;
		rect[1] = y0;
		rect[2] = w;
		rect[3] = h;
		return true;
	}
	return false;
}

/* Tiles are alike where none goes on in the next row of blocks. */
static void tiles_alike(struct viv_blt *b)
{
	uint32_t rows = b->dst.layout & VIV_LAYOUT_SUPER ? 64 : b->dst.layout == VIV_LAYOUT_LINEAR ? 1 : 4, rect[4];

	if (!b->dst_ts.on || b->dst.stride * rows % b->dst_ts.tile || !tile_of(b, 0, 0, rect))
		return;
	b->tile_w = rect[2];
	b->tile_h = rect[3];
}

static bool start_clear(struct vivante *v, struct viv_blt *b)
{
	image(v, b);
	b->dst.bytes = VIV_GET(VIVS_BLT_CONFIG_CLEAR_BPP, viv_state(v, VIVS_BLT_CONFIG)) + 1;
	one_word(&b->dst_ts, b->dst.bytes);
	b->clear[0] = viv_state(v, VIVS_BLT_CLEAR_COLOR0);
	b->clear[1] = viv_state(v, VIVS_BLT_CLEAR_COLOR1);
	b->bits[0] = viv_state(v, VIVS_BLT_CLEAR_BITS0);
	b->bits[1] = viv_state(v, VIVS_BLT_CLEAR_BITS1);
	if (b->dst.bytes & (b->dst.bytes - 1))
		viv_report(v, "blt", "clear of %u bytes a pixel", b->dst.bytes);
	else
		tiles_alike(b);
	return b->height && b->width;
}

static bool start_copy(struct vivante *v, struct viv_blt *b)
{
	uint32_t config = viv_state(v, VIVS_BLT_CONFIG), stride = viv_state(v, VIVS_BLT_SRC_STRIDE);

	image(v, b);
	b->shift_x = !!(stride & VIVS_BLT_SRC_STRIDE_DOWNSAMPLE_X);
	b->shift_y = !!(stride & VIVS_BLT_SRC_STRIDE_DOWNSAMPLE_Y);
	b->flip = viv_state(v, VIVS_BLT_DEST_CONFIG) & BLT_DEST_IMAGE_CONFIG_FLIP_Y;
	b->one_sample = config & VIVS_BLT_CONFIG_DOWNSAMPLE_ONE_SAMPLE;
	b->src_endian = VIV_GET(VIVS_BLT_CONFIG_SRC_ENDIAN, config);
	b->dst_endian = VIV_GET(VIVS_BLT_CONFIG_DEST_ENDIAN, config);
	b->swizzle = viv_state(v, VIVS_BLT_SWIZZLE);
	if (!b->src.bytes || !b->dst.bytes || b->src.bytes > 8) {
		viv_report(v, "blt", "unknown format %u or %u", b->src_format, b->dst_format);
		return false;
	}
	if (b->src_format != b->dst_format && (!viv_format_bytes(b->src_format) || !viv_format_bytes(b->dst_format)))
		viv_report(v, "blt", "conversion from format %u to %u is not known", b->src_format, b->dst_format);
	if (b->dst_ts.on)
		viv_report(v, "blt", "tile status of the destination of a copy: nobody knows what it does");
	return b->height && b->width;
}

static bool start_inplace(struct vivante *v, struct viv_blt *b)
{
	uint32_t config = viv_state(v, VIVS_BLT_CONFIG);

	tile_status(v, &b->dst_ts, true);
	b->dst_ts.on = true;
	b->dst_ts.tile = VIV_GET(VIVS_BLT_CONFIG_INPLACE_TS_MODE, config) == TS_MODE_256B ? 256 : 128;
	if (!(config & VIVS_BLT_CONFIG_INPLACE_BOTH))
		b->dst_ts.clear[1] = b->dst_ts.clear[0];
	one_word(&b->dst_ts, 1u << VIV_GET(VIVS_BLT_CONFIG_INPLACE_BPP, config));
	b->size = viv_state(v, VIVS_BLT_INPLACE_TILE_COUNT);
	return b->size;
}

static bool start_mipmaps(struct vivante *v, struct viv_blt *b)
{
	b->levels = VIV_GET(VIVS_BLT_MIPMAP_CONFIG_NUM, viv_state(v, VIVS_BLT_MIPMAP_CONFIG));
	if (b->levels < 2 || b->levels > MAX_LEVELS) {
		viv_hang(v, "blt", VIVS_HI_IDLE_STATE_BL, "mipmaps of %u levels", b->levels);
		return false;
	}
	image(v, b);
	if (!viv_format_bytes(b->src_format) || !viv_format_bytes(b->dst_format)) {
		viv_report(v, "blt", "mipmaps of format %u to %u are not modelled", b->src_format, b->dst_format);
		return false;
	}
	b->level = 1;
	return true;
}

bool viv_blt_kick(struct vivante *v, uint32_t command)
{
	struct viv_blt *b = v->blt = viv_fresh(v->blt, sizeof(*b));

	if (!b)
		return false;
	if (!(viv_state(v, VIVS_BLT_ENABLE) & VIVS_BLT_ENABLE_ENABLE)) {
		viv_hang(v, "blt", VIVS_HI_IDLE_STATE_BL, "command %u while BLT_ENABLE is 0", command);
		return false;
	}
	b->command = VIV_GET(VIVS_BLT_COMMAND_COMMAND, command);
	switch (b->command) {
	case VIVS_BLT_COMMAND_COMMAND_CLEAR_IMAGE:
		return start_clear(v, b);
	case VIVS_BLT_COMMAND_COMMAND_COPY_IMAGE:
		return start_copy(v, b);
	case VIVS_BLT_COMMAND_COMMAND_COPY_BUFFER:
		b->size = viv_state(v, VIVS_BLT_BUFFER_SIZE);
		return b->size;
	case VIVS_BLT_COMMAND_COMMAND_INPLACE:
		return start_inplace(v, b);
	case VIVS_BLT_COMMAND_COMMAND_GEN_MIPMAPS:
		return start_mipmaps(v, b);
	case VIVS_BLT_COMMAND_COMMAND_YUV_TILE:
		return true;
	}
	viv_report(v, "blt", "command %u is not modelled", b->command);
	return false;
}

/* --- Work ------------------------------------------------------------------------- */

/* Marks a tile as cleared, in memory. */
static bool mark_cleared(struct vivante *v, const struct viv_ts *ts, uint32_t offset)
{
	uint32_t n = offset / ts->tile, shift = n * ts->bits % 8, va = ts->status + n * ts->bits / 8;
	uint32_t mask = ((1u << ts->bits) - 1) << shift;
	uint8_t byte;

	viv_cache_check(v, "blt", va, 1);
	if (!unit_read(v->port[VIV_PORT_RA], va, &byte, 1))
		return false;
	/* GUESS(blt-ts-cleared): what BLT writes for "cleared": all bits of the entry. */
	byte = (byte & ~mask) | (ts->bits == 4 && !unit_answer(&v->u, PROFILE_BLT_TS_CLEARED) ? 15u << shift : 1u << shift);
	return viv_put(v, "blt", va, &byte, 1);
}

static uint32_t merge_byte(const struct viv_blt *b, uint32_t k, uint32_t old)
{
	uint32_t word = k / 4 % 2, shift = k % 4 * 8, bits = b->bits[word] >> shift & 0xff;

	return (b->clear[word] >> shift & bits) | (old & ~bits);
}

/* Is the clear's value what a tile's mark stands for? */
static bool marks(const struct viv_blt *b)
{
	return b->dst_ts.on && b->bits[0] == ~0u && b->bits[1] == ~0u && b->clear[0] == b->dst_ts.clear[0] &&
	       b->clear[b->dst.bytes == 8] == b->dst_ts.clear[1];
}

/* May the tile of pixel (x, y) be marked as cleared? The mark stands for all of its pixels. */
static bool clears_tile(const struct viv_blt *b, uint32_t x, uint32_t y, uint32_t rect[4])
{
	return marks(b) && tile_of(b, x, y, rect) && rect[0] >= b->dst_x && rect[1] >= b->dst_y &&
	       rect[0] + rect[2] <= b->dst_x + b->width && rect[1] + rect[3] <= b->dst_y + b->height;
}

/*
 * A tile that is marked and not cleared as a whole is filled, so that what is written finds plain memory.
 * GUESS(blt-ts-unwritten): an entry of no known meaning counts as plain. Mesa clears targets of 190x20 pixels in new
 * memory (etnaviv_blt.c), whose tile status nobody has written, and a chip does not stop then. What lies right of
 * such a target or below it is padding; a tile that the rectangle begins within has pixels of the picture, too.
 */
static bool fill_marked(struct vivante *v, const struct viv_blt *b, uint32_t x, uint32_t y, uint32_t offset)
{
	uint32_t rect[4];

	switch (viv_ts_peek(v, &b->dst_ts, offset)) {
	case VIV_TS_PLAIN:
		return true;
	case VIV_TS_INVALID:
		if (tile_of(b, x, y, rect) && (rect[0] < b->dst_x || rect[1] < b->dst_y))
			viv_report(v, "blt", "clear from %u,%u: tile status that nobody wrote: the other pixels of the tile at "
				   "%u,%u are not known", b->dst_x, b->dst_y, rect[0], rect[1]);
		return viv_ts_clear_entry(v, &b->dst_ts, offset);
	case VIV_TS_CLEARED:
		return viv_put_cleared(v, "blt", &b->dst_ts, offset - offset % b->dst_ts.tile) &&
		       viv_ts_clear_entry(v, &b->dst_ts, offset);
	default:
		return false;
	}
}

/* A run of n pixels of a clear, within one tile. */
static bool clear_run(struct vivante *v, const struct viv_blt *b, uint32_t x, uint32_t y, uint32_t n)
{
	uint32_t va = viv_surface_at(&b->dst, x, y), len = n * b->dst.bytes, offset = va - b->dst_ts.surface;
	uint8_t data[64] = { 0 };

	if (b->dst_ts.on && !fill_marked(v, b, x, y, offset))
		return false;
	if ((b->bits[0] & b->bits[1]) != ~0u && !unit_read(v->port[VIV_PORT_PE], va, data, len))
		return false;
	for (uint32_t i = 0; i < len; i++)
		data[i] = merge_byte(b, b->dst.bytes == 8 ? (va + i) % 8 : (va + i) % 4, data[i]);
	return viv_put(v, "blt", va, data, len);
}

/*
 * Four rows of tiles, none of which becomes marked; false, and nothing is done:
 * viv_surface_tiles() does not allow it.
 */
static bool clear_tiles(struct vivante *v, const struct viv_blt *b, uint32_t y)
{
	bool wide = b->dst.bytes == 8;
	const uint32_t words[2] = { b->clear[0], b->clear[wide] }, masks[2] = { b->bits[0], b->bits[wide] };
	uint8_t *tile[VIV_MAX_TILES];

	if (marks(b) || !viv_surface_tiles(v, &b->dst, &b->dst_ts, b->dst_x, y, b->width, tile))
		return false;
	for (uint32_t i = 0; i < b->width / 4; i++)
		viv_fill_words(tile[i], 16 * b->dst.bytes, words, masks);
	v->perf.mc_write_8b_pipeline += b->width * ((4 * b->dst.bytes + 7) / 8);
	return true;
}

static bool clear_row(struct vivante *v, const struct viv_blt *b, uint32_t y)
{
	uint32_t most = 64 / b->dst.bytes, tile = b->dst_ts.tile, rect[4], top = y & ~(b->tile_h - 1);

	/* All of this row's tiles are whole, and the row above has marked them. */
	if (b->tile_h && marks(b) && !((b->dst_x | b->width) % b->tile_w) && y != top && top >= b->dst_y &&
	    top + b->tile_h <= b->dst_y + b->height)
		return true;
	for (uint32_t x = b->dst_x, n; x < b->dst_x + b->width; x += n) {
		uint32_t offset;

		if (clears_tile(b, x, y, rect)) {
			n = rect[0] + rect[2] - x;
			if (x == rect[0] && y == rect[1] && !mark_cleared(v, &b->dst_ts, viv_surface_at(&b->dst, x, y) - b->dst_ts.surface))
				return false;
			continue;
		}
		offset = viv_surface_at(&b->dst, x, y) - b->dst_ts.surface;
		n = b->dst_x + b->width - x;
		n = viv_surface_run(&b->dst, x, n < most ? n : most);
		if (b->dst_ts.on && offset % tile + n * b->dst.bytes > tile)
			n = (tile - offset % tile) / b->dst.bytes;
		/* Of an odd size, a pixel may lie across two tiles: it is the first one's. */
		n = n ? n : 1;
		if (!clear_run(v, b, x, y, n))
			return false;
	}
	return true;
}

/* TEXTURE_SWIZZLE: 0 .. 3 a channel, R G B A; 4 zero, 5 one. */
static void swizzle(uint32_t select, uint8_t bgra[4])
{
	const uint8_t rgba[6] = { bgra[2], bgra[1], bgra[0], bgra[3], 0, 0xff };
	uint8_t out[4];

	for (unsigned int c = 0; c < 4; c++)
		out[c] = (select >> 3 * c & 7) < 6 ? rgba[select >> 3 * c & 7] : 0;
	bgra[0] = out[2];
	bgra[1] = out[1];
	bgra[2] = out[0];
	bgra[3] = out[3];
}

#define IDENTITY	(0u | 1u << 3 | 2u << 6 | 3u << 9)

static void convert(const struct viv_blt *b, const uint8_t *src, uint8_t *dst)
{
	uint32_t from = b->swizzle & 0xfff, to = b->swizzle >> 12 & 0xfff;
	uint8_t bgra[4];

	if ((b->src_format == b->dst_format && from == to) || !viv_format_bytes(b->src_format) ||
	    !viv_format_bytes(b->dst_format)) {
		viv_pixel_copy(dst, b->dst.bytes, src, b->src.bytes);
		return;
	}
	viv_pixel_unpack(b->src_format, DE_SWIZZLE_ARGB, src, bgra);
	if (from != IDENTITY)
		swizzle(from, bgra);
	if (to != IDENTITY)
		swizzle(to, bgra);
	viv_resolved_pack(b->dst_format, bgra, dst);
}

/* Up to four samples for one pixel of the destination. */
static bool copy_pixel(struct vivante *v, const struct viv_blt *b, uint32_t x, uint32_t y, uint32_t dy)
{
	unsigned int nx = 1u << b->shift_x, ny = 1u << b->shift_y;
	uint8_t samples[4 * 8], one[8], out[8];

	for (unsigned int k = 0; k < nx * ny; k++) {
		uint32_t va = viv_surface_at(&b->src, b->src_x + (x << b->shift_x) + k % nx,
					     b->src_y + (y << b->shift_y) + k / nx);

		if (!viv_read_resolved(v, "blt", &b->src_ts, va, samples + k * b->src.bytes, b->src.bytes))
			return false;
		viv_endian(b->src_endian, samples + k * b->src.bytes, b->src.bytes);
	}
	viv_average(b->src_format, b->src.bytes, samples, nx * ny, b->one_sample, one);
	convert(b, one, out);
	viv_endian(b->dst_endian, out, b->dst.bytes);
	return viv_put(v, "blt", viv_surface_at(&b->dst, b->dst_x + x, b->dst_y + dy), out, b->dst.bytes);
}

/* Nothing is converted: up to four pixels at a time. */
static bool copy_plain(struct vivante *v, const struct viv_blt *b, uint32_t y, uint32_t dy)
{
	uint32_t most = 64 / b->src.bytes;
	uint8_t data[64];

	for (uint32_t x = 0, n; x < b->width; x += n) {
		n = b->width - x < most ? b->width - x : most;
		n = viv_surface_run(&b->src, b->src_x + x, n);
		n = viv_surface_run(&b->dst, b->dst_x + x, n);
		if (!viv_read_resolved(v, "blt", &b->src_ts, viv_surface_at(&b->src, b->src_x + x, b->src_y + y), data,
				       n * b->src.bytes) ||
		    !viv_put(v, "blt", viv_surface_at(&b->dst, b->dst_x + x, b->dst_y + dy), data, n * b->src.bytes))
			return false;
	}
	return true;
}

static bool copy_row(struct vivante *v, const struct viv_blt *b, uint32_t y)
{
	uint32_t rows = b->height >> b->shift_y, dy = b->flip ? rows - 1 - y : y;
	bool plain = b->src_format == b->dst_format && (b->swizzle & 0xfff) == (b->swizzle >> 12 & 0xfff) &&
		     !b->shift_x && !b->shift_y && b->src_endian == b->dst_endian;

	if (plain)
		return copy_plain(v, b, y, dy);
	for (uint32_t x = 0; x < b->width >> b->shift_x; x++) {
		if (!copy_pixel(v, b, x, y, dy))
			return false;
	}
	return true;
}

static bool copy_buffer(struct vivante *v, struct viv_blt *b)
{
	uint32_t n = b->size - b->y < CHUNK ? b->size - b->y : CHUNK;
	uint32_t src = viv_state(v, VIVS_BLT_SRC_ADDR) + b->y;
	uint8_t data[CHUNK];

	viv_cache_check(v, "blt", src, n);
	if (!unit_read(v->port[VIV_PORT_PE], src, data, n) ||
	    !viv_put(v, "blt", viv_state(v, VIVS_BLT_DEST_ADDR) + b->y, data, n))
		return true;
	b->y += n;
	return b->y < b->size;
}

/* Level n from level n - 1, as a copy with downsampling. GUESS(blt-mip-odd): odd sizes lose their last row or column. */
static bool mip_row(struct vivante *v, struct viv_blt *b, uint32_t *rows)
{
	struct viv_blt step = *b;
	uint32_t w = b->width >> (b->level - 1), h = b->height >> (b->level - 1);

	step.command = VIVS_BLT_COMMAND_COMMAND_COPY_IMAGE;
	step.src_x = step.src_y = step.dst_x = step.dst_y = 0;
	step.width = w ? w : 1;
	step.height = h ? h : 1;
	step.shift_x = step.width > 1;
	step.shift_y = step.height > 1;
	step.swizzle = IDENTITY | IDENTITY << 12;
	/* Each level is in the destination's layout and format, and so is the source of the next one. */
	if (b->level > 1) {
		step.src = b->dst;
		step.src_format = b->dst_format;
		step.src.base[0] = step.src.base[1] = viv_state(v, VIV_AT(VIVS_BLT_MIP_ADDR, b->level - 2));
		step.src.stride = viv_state(v, VIV_AT(VIVS_BLT_MIP_STRIDE, b->level - 2)) & 0xfffff;
		step.src_ts.on = false;
	}
	step.dst.base[0] = step.dst.base[1] = viv_state(v, VIV_AT(VIVS_BLT_MIP_ADDR, b->level - 1));
	step.dst.stride = viv_state(v, VIV_AT(VIVS_BLT_MIP_STRIDE, b->level - 1)) & 0xfffff;
	*rows = step.height >> step.shift_y;
	return copy_row(v, &step, b->y);
}

static bool mipmaps(struct vivante *v, struct viv_blt *b)
{
	uint32_t rows;

	if (!mip_row(v, b, &rows))
		return !v->hung;
	if (++b->y < rows)
		return true;
	b->y = 0;
	return ++b->level < b->levels;
}

bool viv_blt_step(struct vivante *v)
{
	struct viv_blt *b = v->blt;
	bool clear = b->command == VIVS_BLT_COMMAND_COMMAND_CLEAR_IMAGE;
	uint32_t rows = b->height >> b->shift_y;

	switch (b->command) {
	case VIVS_BLT_COMMAND_COMMAND_COPY_BUFFER:
		return copy_buffer(v, b);
	case VIVS_BLT_COMMAND_COMMAND_INPLACE:
		return viv_inplace_step(v, "blt", &b->dst_ts, b->size, false, &b->y);
	case VIVS_BLT_COMMAND_COMMAND_GEN_MIPMAPS:
		return mipmaps(v, b);
	case VIVS_BLT_COMMAND_COMMAND_YUV_TILE:
		return viv_yuv_step(v, "blt", VIVS_BLT_YUV_CONFIG, &b->y) && !v->hung;
	}
	if (clear && b->y + ROWS <= rows && clear_tiles(v, b, b->dst_y + b->y)) {
		b->y += ROWS;
		return b->y < rows;
	}
	for (unsigned int k = 0; k < ROWS && b->y < rows; k++, b->y++) {
		if (!(clear ? clear_row(v, b, b->dst_y + b->y) : copy_row(v, b, b->y)))
			return !v->hung;	/* a fault: the slice stays where it is */
	}
	return b->y < rows;
}
