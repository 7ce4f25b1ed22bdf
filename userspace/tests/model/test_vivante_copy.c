// SPDX-License-Identifier: MIT
/*
 * RS, tile status and BLT in layouts of several chips, against what a few lines of C compute; the rest is
 * scenes/vivante/copy.limn and scenes/vivante-2d, but for a source in the 2D engine's command stream, which the
 * kernel's drivers refuse.
 */
#include "viv_stream.h"
#include "model/vivante/copy.h"

static const char *const with_rs[] = { "gc2000", "gc880", "gc3000" };

/* Bytes that depend on their place, not symmetric in any way. */
static uint32_t noise(uint32_t i)
{
	i *= 0x9e3779b1u;
	return i ^ i >> 15;
}

static void fill_noise(struct env *e, unsigned int bo)
{
	for (unsigned int i = 0; i < ENV_BO / 4; i++)
		((uint32_t *)e->map[bo])[i] = noise(i + 1);
}

/* The bytes of a pixel of a surface in a BO. */
static uint8_t *pixel(struct env *e, unsigned int bo, unsigned int layout, uint32_t x, uint32_t y, uint32_t stride,
		      uint32_t bytes)
{
	unsigned int pipe;
	uint32_t offset = viv_tile_offset(layout, VIV_SUPERTILE_HZ, x, y, stride, bytes, &pipe);

	return e->map[bo] + offset + (layout & VIV_LAYOUT_MULTI ? pipe * ENV_BO / 2 : 0);
}

/* --- RS ------------------------------------------------------------------ */

static const unsigned int layouts[] = {
	VIV_LAYOUT_LINEAR, VIV_LAYOUT_TILED, VIV_LAYOUT_TILED | VIV_LAYOUT_SUPER,
	VIV_LAYOUT_TILED | VIV_LAYOUT_MULTI, VIV_LAYOUT_TILED | VIV_LAYOUT_SUPER | VIV_LAYOUT_MULTI,
};

static void rs_layouts(void **state)
{
	static const unsigned int formats[] = { RS_FORMAT_A8R8G8B8, RS_FORMAT_R5G6B5 };

	for (unsigned int i = 0; i < COUNT(with_rs) * COUNT(layouts) * COUNT(layouts) * COUNT(formats); i++) {
		unsigned int from = layouts[i / COUNT(with_rs) % COUNT(layouts)];
		unsigned int to = layouts[i / COUNT(with_rs) / COUNT(layouts) % COUNT(layouts)];
		unsigned int format = formats[i / COUNT(with_rs) / COUNT(layouts) / COUNT(layouts)];
		uint32_t bytes = viv_format_bytes(format), stride = 128 * bytes;

		env_open(&e, with_rs[i % COUNT(with_rs)]);
		if (e.id.pixel_pipes == 1 && ((from | to) & VIV_LAYOUT_MULTI))
			continue;
		fill_noise(&e, 0);
		rs_surface(&e, false, 0, stride, from, format);
		rs_surface(&e, true, 1, stride, to, format);
		rs_kick(&e, 128, 128);
		assert_int_equal(run(&e, HOST_PIPE_3D), HOST_OK);
		for (uint32_t y = 0; y < 128; y++) {
			for (uint32_t x = 0; x < 128; x++)
				assert_memory_equal(pixel(&e, 1, to, x, y, stride, bytes),
						    pixel(&e, 0, from, x, y, stride, bytes), bytes);
		}
	}
}

/*
 * Fills of tiles, one after the other into the same pages, byte for byte as strict mode has them,
 * which fills rows.
 */
static void rs_fills_of_tiles(void **state)
{
	static const unsigned int formats[] = { RS_FORMAT_A8R8G8B8, RS_FORMAT_R5G6B5, RS_FORMAT_64BPP_CLEAR };
	static const unsigned int modes[] = { VIVS_RS_CLEAR_CONTROL_MODE_ENABLED1, VIVS_RS_CLEAR_CONTROL_MODE_ENABLED4 };
	static uint8_t rows[ENV_BO];

	for (unsigned int i = 0; i < COUNT(with_rs) * COUNT(layouts) * COUNT(formats) * COUNT(modes) * 2; i++) {
		unsigned int layout = layouts[i / 2 / COUNT(with_rs) % COUNT(layouts)];
		unsigned int format = formats[i / 2 / COUNT(with_rs) / COUNT(layouts) % COUNT(formats)];
		unsigned int mode = modes[i / 2 / COUNT(with_rs) / COUNT(layouts) / COUNT(formats)];
		uint32_t bytes = format == RS_FORMAT_64BPP_CLEAR ? 8 : viv_format_bytes(format);

		env_open_as(&e, with_rs[i / 2 % COUNT(with_rs)], !(i & 1), 1);
		if (e.id.pixel_pipes == 1 && (layout & VIV_LAYOUT_MULTI))
			continue;
		fill_noise(&e, 0);
		for (unsigned int n = 0; n < 3; n++) {
			rs_surface(&e, false, 0, 128 * bytes, layout, format);
			rs_surface(&e, true, 0, 128 * bytes, layout, format);
			for (unsigned int k = 0; k < 4; k++)
				set(&e, VIV_AT(VIVS_RS_FILL_VALUE, k), noise(n * 4 + k + 7));
			set(&e, VIVS_RS_CLEAR_CONTROL, VIV_SET(VIVS_RS_CLEAR_CONTROL_MODE, mode) |
						       VIV_SET(VIVS_RS_CLEAR_CONTROL_BITS, n ? noise(n) & 0xffff : 0xffff));
			rs_kick(&e, 128 - 16 * n, 64 - 8 * n);
		}
		assert_int_equal(run(&e, HOST_PIPE_3D), HOST_OK);
		if (i & 1)
			assert_memory_equal(e.map[0], rows, ENV_BO);
		memcpy(rows, e.map[0], ENV_BO);
	}
}

/* Fast clear: some tiles are marked, a resolve takes the clear value for them; in place where there is that. */
static void rs_tile_status(void **state)
{
	for (unsigned int i = 0; i < COUNT(with_rs); i++) {
		const uint32_t ts = ENV_BO - 4096;

		env_open(&e, with_rs[i]);
		fill_noise(&e, 0);
		for (unsigned int n = 0; n < 16; n++)	/* every third tile of 64 bytes is cleared, 2 bits each */
			((uint32_t *)(e.map[0] + ts))[n] = 0x41041041u << (n * 16 % 3 * 2) |
							   (n * 16 % 3 ? 0x41041041u >> (6 - n * 16 % 3 * 2) : 0);
		rs_surface(&e, false, 0, 256, VIV_LAYOUT_TILED, RS_FORMAT_A8R8G8B8);
		rs_surface(&e, true, 1, 256, VIV_LAYOUT_LINEAR, RS_FORMAT_A8R8G8B8);
		set(&e, VIVS_TS_MEM_CONFIG, VIVS_TS_MEM_CONFIG_COLOR_FAST_CLEAR);
		set(&e, VIVS_TS_COLOR_STATUS_BASE, e.va[0] + ts);
		set(&e, VIVS_TS_COLOR_SURFACE_BASE, e.va[0]);
		set(&e, VIVS_TS_COLOR_CLEAR_VALUE, 0xff102030);
		rs_kick(&e, 64, 64);
		if (e.id.model == 0x3000)
			set(&e, VIVS_RS_KICKER_INPLACE, 256);
		assert_int_equal(run(&e, HOST_PIPE_3D), HOST_OK);
		for (uint32_t n = 0; n < 64 * 64; n++) {
			uint32_t x = n % 64, y = n / 64, tile = y / 4 * 16 + x / 4;
			bool cleared = e.map[0][ts + tile / 4] >> tile % 4 * 2 & 3;
			uint32_t was = noise(tile * 16 + y % 4 * 4 + x % 4 + 1);
			uint32_t now = *(uint32_t *)pixel(&e, 0, VIV_LAYOUT_TILED, x, y, 256, 4);

			assert_int_equal(((uint32_t *)e.map[1])[n], cleared ? 0xff102030 : was);
			assert_int_equal(now, cleared && e.id.model == 0x3000 ? 0xff102030 : was);
		}
		/* "An invalid pattern in the tile status memory can result in hangs." */
		e.map[0][ts] = 0xff;
		e.expect_reports = true;
		rs_kick(&e, 64, 64);
		assert_int_equal(run(&e, HOST_PIPE_3D), HOST_TIMEOUT);
		assert_non_null(strstr(e.last, "invalid tile status"));
	}
}

/* --- BLT ------------------------------------------------------------------- */

static void blt_go(struct env *e, uint32_t command)
{
	set(e, VIVS_BLT_SET_COMMAND, 3);
	set(e, VIVS_BLT_COMMAND, command);
	set(e, VIVS_BLT_SET_COMMAND, 3);
	set(e, VIVS_BLT_ENABLE, 0);
}

static void blt_image(struct env *e, bool dest, unsigned int bo, uint32_t stride, unsigned int layout)
{
	uint32_t config = dest ? BLT_DEST_IMAGE_CONFIG_UNK22 : 0;

	if (layout & VIV_LAYOUT_SUPER)
		config |= dest ? BLT_DEST_IMAGE_CONFIG_TO_SUPER_TILED : BLT_SRC_IMAGE_CONFIG_FROM_SUPER_TILED;
	set(e, dest ? VIVS_BLT_DEST_STRIDE : VIVS_BLT_SRC_STRIDE,
	    stride | VIV_SET(VIVS_BLT_SRC_STRIDE_FORMAT, BLT_FORMAT_A8R8G8B8) |
		    VIV_SET(VIVS_BLT_SRC_STRIDE_TILING, layout ? 3 : 0));
	set(e, dest ? VIVS_BLT_DEST_CONFIG : VIVS_BLT_SRC_CONFIG, config);
	set(e, dest ? VIVS_BLT_DEST_ADDR : VIVS_BLT_SRC_ADDR, e->va[bo]);
}

static void blt_copies(void **state)
{
	for (unsigned int i = 0; i < 9; i++) {
		unsigned int from = layouts[i % 3], to = layouts[i / 3];

		env_open(&e, "gc7000l");
		fill_noise(&e, 0);
		set(&e, VIVS_BLT_ENABLE, 1);
		blt_image(&e, false, 0, 512, from);
		blt_image(&e, true, 1, 512, to);
		set(&e, VIVS_BLT_SWIZZLE, 0x688688);
		set(&e, VIVS_BLT_SRC_POS, 3 | 5 << 16);
		set(&e, VIVS_BLT_DEST_POS, 17 | 2 << 16);
		set(&e, VIVS_BLT_IMAGE_SIZE, 71 | 50 << 16);
		blt_go(&e, VIVS_BLT_COMMAND_COMMAND_COPY_IMAGE);
		assert_int_equal(run(&e, HOST_PIPE_3D), HOST_OK);
		for (uint32_t n = 0; n < 128 * 64; n++) {
			uint32_t x = n % 128, y = n / 128, want = 0;

			if (x >= 17 && x < 88 && y >= 2 && y < 52)
				want = *(uint32_t *)pixel(&e, 0, from, x - 17 + 3, y - 2 + 5, 512, 4);
			assert_int_equal(*(uint32_t *)pixel(&e, 1, to, x, y, 512, 4), want);
		}
	}
}

/*
 * Clears of some bits over plain tiles, byte for byte as strict mode has them, which clears rows.
 */
static void blt_clears_of_tiles(void **state)
{
	static const unsigned int bpp[] = { 0, 1, 3, 7 };
	static uint8_t rows[ENV_BO];

	for (unsigned int i = 0; i < COUNT(bpp) * 3 * 2 * 2; i++) {
		unsigned int layout = layouts[i / 2 % 3], bytes = bpp[i / 6 % COUNT(bpp)] + 1;

		env_open_as(&e, "gc7000l", !(i & 1), 1);
		fill_noise(&e, 0);
		memset(e.map[0] + ENV_BO - 4096, 0, 4096);
		for (unsigned int n = 0; n < 3; n++) {
			set(&e, VIVS_BLT_ENABLE, 1);
			set(&e, VIVS_BLT_CONFIG, VIV_SET(VIVS_BLT_CONFIG_CLEAR_BPP, bytes - 1));
			blt_image(&e, true, 0, 64 * bytes, layout);
			if (i / 24)	/* with tile status */
				set(&e, VIVS_BLT_DEST_CONFIG,
				    BLT_DEST_IMAGE_CONFIG_TS |
				    (layout & VIV_LAYOUT_SUPER ? BLT_DEST_IMAGE_CONFIG_TO_SUPER_TILED : 0));
			set(&e, VIVS_BLT_DEST_TS, e.va[0] + ENV_BO - 4096);
			set(&e, VIVS_BLT_IMAGE_SIZE, (64 - 8 * n) | (64 - 8 * n) << 16);
			set(&e, VIVS_BLT_CLEAR_COLOR0, noise(n + 1));
			set(&e, VIVS_BLT_CLEAR_COLOR1, noise(n + 11));
			set(&e, VIVS_BLT_CLEAR_BITS0, noise(n + 21));
			set(&e, VIVS_BLT_CLEAR_BITS1, noise(n + 31));
			blt_go(&e, VIVS_BLT_COMMAND_COMMAND_CLEAR_IMAGE);
		}
		assert_int_equal(run(&e, HOST_PIPE_3D), HOST_OK);
		if (i & 1)
			assert_memory_equal(e.map[0], rows, ENV_BO);
		memcpy(rows, e.map[0], ENV_BO);
	}
}

/* A clear that marks tiles, a partial one (depth kept, stencil cleared), and resolving both ways. */
static void blt_clears(void **state)
{
	const uint32_t ts = ENV_BO - 4096;

	env_open(&e, "gc7000l");
	fill_noise(&e, 0);
	for (unsigned int pass = 0; pass < 2; pass++) {
		set(&e, VIVS_BLT_ENABLE, 1);
		set(&e, VIVS_BLT_CONFIG, VIV_SET(VIVS_BLT_CONFIG_CLEAR_BPP, 3));
		blt_image(&e, true, 0, 256, VIV_LAYOUT_TILED | VIV_LAYOUT_SUPER);
		set(&e, VIVS_BLT_DEST_CONFIG, BLT_DEST_IMAGE_CONFIG_TS | BLT_DEST_IMAGE_CONFIG_TO_SUPER_TILED);
		set(&e, VIVS_BLT_DEST_TS, e.va[0] + ts);
		set(&e, VIVS_BLT_DEST_TS_CLEAR_VALUE0, 0x12345678);
		set(&e, VIVS_BLT_DEST_TS_CLEAR_VALUE1, 0x12345678);
		set(&e, VIVS_BLT_IMAGE_SIZE, 64 | (pass ? 32 : 64) << 16);
		set(&e, VIVS_BLT_CLEAR_COLOR0, pass ? 0xffffff9a : 0x12345678);
		set(&e, VIVS_BLT_CLEAR_COLOR1, pass ? 0xffffff9a : 0x12345678);
		set(&e, VIVS_BLT_CLEAR_BITS0, pass ? 0xff : ~0u);
		set(&e, VIVS_BLT_CLEAR_BITS1, pass ? 0xff : ~0u);
		blt_go(&e, VIVS_BLT_COMMAND_COMMAND_CLEAR_IMAGE);
		assert_int_equal(run(&e, HOST_PIPE_3D), HOST_OK);
		/* 128 tiles of 128 bytes, 4 bits each. */
		for (unsigned int n = 0; n < 64; n++)
			assert_int_equal(e.map[0][ts + n], pass && n < 32 ? 0 : 0xff);
	}
	assert_int_equal(((uint32_t *)e.map[0])[0], 0x1234569a);
	set(&e, VIVS_BLT_ENABLE, 1);
	blt_image(&e, false, 0, 256, VIV_LAYOUT_TILED | VIV_LAYOUT_SUPER);
	set(&e, VIVS_BLT_SRC_CONFIG, BLT_SRC_IMAGE_CONFIG_TS | BLT_SRC_IMAGE_CONFIG_FROM_SUPER_TILED);
	set(&e, VIVS_BLT_SRC_TS, e.va[0] + ts);
	set(&e, VIVS_BLT_SRC_TS_CLEAR_VALUE0, 0x12345678);
	/* Not of pixels of 4 bytes. */
	set(&e, VIVS_BLT_SRC_TS_CLEAR_VALUE1, 0);
	blt_image(&e, true, 1, 256, VIV_LAYOUT_LINEAR);
	set(&e, VIVS_BLT_SWIZZLE, 0x688688);
	set(&e, VIVS_BLT_IMAGE_SIZE, 64 | 64 << 16);
	blt_go(&e, VIVS_BLT_COMMAND_COMMAND_COPY_IMAGE);
	set(&e, VIVS_BLT_ENABLE, 1);
	set(&e, VIVS_BLT_CONFIG, VIVS_BLT_CONFIG_INPLACE_BOTH | VIV_SET(VIVS_BLT_CONFIG_INPLACE_BPP, VIVS_BLT_CONFIG_INPLACE_BPP_4));
	set(&e, VIVS_BLT_DEST_TS_CLEAR_VALUE1, 0);
	set(&e, VIVS_BLT_DEST_ADDR, e.va[0]);
	set(&e, VIVS_BLT_DEST_TS, e.va[0] + ts);
	set(&e, VIVS_BLT_INPLACE_TILE_COUNT, 128);
	blt_go(&e, VIVS_BLT_COMMAND_COMMAND_INPLACE);
	assert_int_equal(run(&e, HOST_PIPE_3D), HOST_OK);
	for (unsigned int n = 0; n < 64 * 64; n++) {
		assert_int_equal(((uint32_t *)e.map[1])[n], n < 64 * 32 ? 0x1234569a : 0x12345678);
		assert_int_equal(*(uint32_t *)pixel(&e, 0, VIV_LAYOUT_TILED | VIV_LAYOUT_SUPER, n % 64, n / 64, 256, 4),
				 n < 64 * 32 ? 0x1234569a : 0x12345678);
	}
}

/* A rectangle from (12, 4) to (44, 36), of tiles of 8x4 pixels; its value is not always that of the tile status. */
static void blt_clears_rectangle(void **state)
{
	const unsigned int layout = VIV_LAYOUT_TILED | VIV_LAYOUT_SUPER;
	const uint32_t ts = ENV_BO - 4096;

	for (unsigned int other = 0; other < 2; other++) {
		uint32_t odd;

		env_open(&e, "gc7000l");
		fill_noise(&e, 0);
		memset(e.map[0] + ts, 0, 4096);
		e.map[0][ts] = 0x0f;	/* the tile of (0, 0) is clear */
		odd = (uint32_t)(pixel(&e, 0, layout, 12, 4, 256, 4) - e.map[0]) / 128;
		e.map[0][ts + odd / 2] |= 9 << odd % 2 * 4;	/* never written, and cleared in part */
		e.expect_reports = true;
		set(&e, VIVS_BLT_ENABLE, 1);
		set(&e, VIVS_BLT_CONFIG, VIV_SET(VIVS_BLT_CONFIG_CLEAR_BPP, 3));
		blt_image(&e, true, 0, 256, layout);
		set(&e, VIVS_BLT_DEST_CONFIG, BLT_DEST_IMAGE_CONFIG_TS | BLT_DEST_IMAGE_CONFIG_TO_SUPER_TILED);
		set(&e, VIVS_BLT_DEST_TS, e.va[0] + ts);
		for (unsigned int i = 0; i < 2; i++) {
			set(&e, i ? VIVS_BLT_DEST_TS_CLEAR_VALUE1 : VIVS_BLT_DEST_TS_CLEAR_VALUE0, 0x12345678 + other);
			set(&e, i ? VIVS_BLT_CLEAR_COLOR1 : VIVS_BLT_CLEAR_COLOR0, 0x12345678);
			set(&e, i ? VIVS_BLT_CLEAR_BITS1 : VIVS_BLT_CLEAR_BITS0, ~0u);
		}
		set(&e, VIVS_BLT_DEST_POS, 12 | 4 << 16);
		set(&e, VIVS_BLT_IMAGE_SIZE, 32 | 32 << 16);
		blt_go(&e, VIVS_BLT_COMMAND_COMMAND_CLEAR_IMAGE);
		assert_int_equal(run(&e, HOST_PIPE_3D), HOST_OK);
		assert_int_equal(e.reports, 1);
		for (uint32_t n = 0; n < 64 * 64; n++) {
			uint32_t x = n % 64, y = n / 64;
			uint8_t *p = pixel(&e, 0, layout, x, y, 256, 4);
			uint32_t tile = (uint32_t)(p - e.map[0]) / 128, was = noise((uint32_t)(p - e.map[0]) / 4 + 1);
			uint8_t mark = e.map[0][ts + tile / 2] >> tile % 2 * 4 & 15;
			bool in = x >= 12 && x < 44 && y >= 4 && y < 36, whole = in && x >= 16 && x < 40;

			assert_int_equal(mark, whole && !other ? 15 : !tile ? 15 : 0);
			if (tile)
				assert_int_equal(*(uint32_t *)p, in && !mark ? 0x12345678 : was);
		}
	}
}

/* Three bytes a pixel, some of which lie across two tiles: the clear ends. */
static void blt_clears_odd_pixels(void **state)
{
	env_open(&e, "gc7000l");
	e.expect_reports = true;
	set(&e, VIVS_BLT_ENABLE, 1);
	set(&e, VIVS_BLT_CONFIG, VIV_SET(VIVS_BLT_CONFIG_CLEAR_BPP, 2));
	blt_image(&e, true, 0, 256, VIV_LAYOUT_LINEAR);
	set(&e, VIVS_BLT_DEST_CONFIG, BLT_DEST_IMAGE_CONFIG_TS);
	set(&e, VIVS_BLT_DEST_TS, e.va[0] + ENV_BO - 4096);
	set(&e, VIVS_BLT_IMAGE_SIZE, 64 | 4 << 16);
	set(&e, VIVS_BLT_CLEAR_COLOR0, 0xaaaaaaaa);
	set(&e, VIVS_BLT_CLEAR_BITS0, 0xf0f0f0f0);
	set(&e, VIVS_BLT_CLEAR_BITS1, 0xf0f0f0f0);
	blt_go(&e, VIVS_BLT_COMMAND_COMMAND_CLEAR_IMAGE);
	assert_int_equal(run(&e, HOST_PIPE_3D), HOST_OK);
	for (unsigned int i = 0; i < 256 * 4; i++)
		assert_int_equal(e.map[0][i], i % 256 < 64 * 3 ? 0xa0 : 0);
}

/* From two bytes to four that nobody knows how to make of them: zeroes come behind, not what was in the model's memory. */
static void copies_to_unknown(void **state)
{
	env_open(&e, "gc2000");
	e.expect_reports = true;
	fill_noise(&e, 0);
	for (unsigned int pass = 0; pass < 2; pass++) {
		rs_surface(&e, false, 0, 128, VIV_LAYOUT_LINEAR, pass ? RS_FORMAT_R5G6B5 : RS_FORMAT_A8R8G8B8);
		rs_surface(&e, true, 1, 128, VIV_LAYOUT_LINEAR, pass ? RS_FORMAT_D32 : RS_FORMAT_X8R8G8B8);
		rs_kick(&e, 32, 4);
		assert_int_equal(run(&e, HOST_PIPE_3D), HOST_OK);
	}
	for (unsigned int i = 0; i < 32; i++)
		assert_int_equal(((uint32_t *)e.map[1])[i], ((uint16_t *)e.map[0])[i]);
	env_open(&e, "gc7000l");
	e.expect_reports = true;
	fill_noise(&e, 0);
	set(&e, VIVS_BLT_ENABLE, 1);
	blt_image(&e, false, 0, 128, VIV_LAYOUT_LINEAR);
	blt_image(&e, true, 1, 128, VIV_LAYOUT_LINEAR);
	set(&e, VIVS_BLT_SRC_STRIDE, 128 | VIV_SET(VIVS_BLT_SRC_STRIDE_FORMAT, BLT_FORMAT_R8));
	set(&e, VIVS_BLT_DEST_STRIDE, 128 | VIV_SET(VIVS_BLT_DEST_STRIDE_FORMAT, BLT_FORMAT_X24S8));
	set(&e, VIVS_BLT_IMAGE_SIZE, 32 | 4 << 16);
	blt_go(&e, VIVS_BLT_COMMAND_COMMAND_COPY_IMAGE);
	assert_int_equal(run(&e, HOST_PIPE_3D), HOST_OK);
	for (unsigned int i = 0; i < 32; i++)
		assert_int_equal(((uint32_t *)e.map[1])[i], e.map[0][i]);
}

/* Four rows of eight pixels in a word. */
static void de_mono(void **state)
{
	static const uint8_t line[8] = { 0x20, 0x40, 0x80, 0x01, 0x00, 0xff, 0x00, 0xff };

	env_open(&e, "gc320");
	set(&e, VIVS_DE_SRC_CONFIG, VIV_SET(DE_SRC_CONFIG_SOURCE_FORMAT, DE_FORMAT_MONOCHROME) |
				    VIV_SET(DE_SRC_CONFIG_LOCATION, DE_SRC_CONFIG_LOCATION_STREAM) |
				    VIV_SET(DE_SRC_CONFIG_PACK, DE_SRC_CONFIG_PACK_PACKED8));
	set(&e, VIVS_DE_SRC_COLOR_FG, 0xff0000ff);
	set(&e, VIVS_DE_SRC_COLOR_BG, 0xff00ff00);
	set(&e, VIVS_DE_DEST_ADDRESS, e.va[1]);
	set(&e, VIVS_DE_DEST_STRIDE, 256);
	set(&e, VIVS_DE_DEST_CONFIG, VIV_SET(VIVS_DE_DEST_CONFIG_FORMAT, DE_FORMAT_A8R8G8B8) |
				     VIV_SET(VIVS_DE_DEST_CONFIG_COMMAND, VIVS_DE_DEST_CONFIG_COMMAND_BIT_BLT));
	set(&e, VIVS_DE_ROP, VIV_SET(DE_ROP_ROP_FG, 0xcc) | VIV_SET(DE_ROP_ROP_BG, 0xcc) |
			     VIV_SET(DE_ROP_TYPE, DE_ROP_TYPE_ROP4));
	set(&e, VIVS_DE_CLIP_BOTTOM_RIGHT, 1024 | 1024 << 16);
	put(&e, VIV_FE_COMMAND(DRAW_2D) | 1 << 8 | 2 << 16, 0xdeaddeed);
	put(&e, 0, 8 | 8 << 16);
	put(&e, 0x01804020, 0xff00ff00);
	assert_int_equal(run(&e, HOST_PIPE_2D), HOST_OK);
	for (uint32_t n = 0; n < 64; n++)
		assert_int_equal(((uint32_t *)e.map[1])[n / 8 * 64 + n % 8],
				 line[n / 8] >> (7 - n % 8) & 1 ? 0xff0000ff : 0xff00ff00);
}

#define TESTS(T) \
	T(rs_layouts) T(rs_fills_of_tiles) T(rs_tile_status) T(blt_copies) T(blt_clears_of_tiles) T(blt_clears) \
	T(blt_clears_rectangle) T(blt_clears_odd_pixels) T(copies_to_unknown) T(de_mono)

UNIT_MAIN(TESTS, end)
