// SPDX-License-Identifier: MIT
/*
 * Tile status: 2 or 4 bits for each tile of a surface that say whether the
 * tile is to be taken from memory or is all clear value.
 *
 * Facts: etna_viv hardware.md (fast clear by filling the status with 0x55555555; an
 * invalid pattern hangs the chip), rnndb state_3d.xml; Mesa etnaviv_screen.c,
 * etnaviv_resource.c, etnaviv_state.c (sizes of tiles, clear patterns).
 *
 * GUESS(ts-plain): nothing is ever compressed, so an entry is plain (0) or cleared (1 of
 * 2 bits; 1, or with DEC400 15, of 4); whoever writes a cleared tile fills all
 * of it first.
 */
#include "model/vivante/internal.h"
#include "model/vivante/viv3d.h"

#define MINOR4_SMALL_MSAA	chipMinorFeatures4_SMALL_MSAA

/* Bytes of a tile. mode: TS_MODE of whoever asks. */
static uint32_t tile_bytes(const struct vivante *v, uint32_t mode)
{
	if (v->chip->cache_128b_256b)
		return mode == TS_MODE_256B ? 256 : 128;
	if (viv_minor(v, 4, MINOR4_SMALL_MSAA) &&
	    VIV_GET(VIVS_GL_MULTI_SAMPLE_CONFIG_MSAA_SAMPLES, viv_state(v, VIVS_GL_MULTI_SAMPLE_CONFIG)))
		return 256;
	return 64;
}

static void fill(const struct vivante *v, struct viv_ts *ts, bool on, uint32_t status, uint32_t surface, uint32_t low,
		 uint32_t high, bool wide)
{
	ts->on = on && !(viv_state(v, VIVS_MC_DEBUG_MEMORY) & VIVS_MC_DEBUG_MEMORY_FAST_CLEAR_BYPASS);
	ts->status = status;
	ts->surface = surface;
	ts->clear[0] = low;
	ts->clear[1] = wide ? high : low;
	ts->bits = v->chip->ts_bits;
}

/* Mesa gives a target of 8 bytes a pixel both words of the clear value; only the newest sets 64BPP_FORMAT (etnaviv_state.c). */
static void of_color(struct vivante *v, struct viv_ts *ts)
{
	uint32_t config = viv_state(v, VIVS_TS_MEM_CONFIG), pe = viv_state(v, VIVS_PE_COLOR_FORMAT);
	unsigned int ext = VIV_GET(VIVS_PE_COLOR_FORMAT_FORMAT_EXT, pe);
	bool wide = v3d_color_bytes(ext ? ext : VIV_GET(VIVS_PE_COLOR_FORMAT_FORMAT, pe)) == 8;

	fill(v, ts, config & VIVS_TS_MEM_CONFIG_COLOR_FAST_CLEAR, viv_state(v, VIVS_TS_COLOR_STATUS_BASE),
	     viv_state(v, VIVS_TS_COLOR_SURFACE_BASE), viv_state(v, VIVS_TS_COLOR_CLEAR_VALUE),
	     viv_state(v, VIVS_TS_COLOR_CLEAR_VALUE_EXT), wide || config & VIVS_TS_MEM_CONFIG_64BPP_FORMAT);
	ts->tile = tile_bytes(v, VIV_GET(VIVS_PE_MEM_CONFIG_COLOR_TS_MODE, viv_state(v, VIVS_PE_MEM_CONFIG)));
}

static void of_depth(struct vivante *v, struct viv_ts *ts)
{
	fill(v, ts, viv_state(v, VIVS_TS_MEM_CONFIG) & VIVS_TS_MEM_CONFIG_DEPTH_FAST_CLEAR,
	     viv_state(v, VIVS_TS_DEPTH_STATUS_BASE), viv_state(v, VIVS_TS_DEPTH_SURFACE_BASE),
	     viv_state(v, VIVS_TS_DEPTH_CLEAR_VALUE), 0, false);
	ts->tile = tile_bytes(v, VIV_GET(VIVS_PE_MEM_CONFIG_DEPTH_TS_MODE, viv_state(v, VIVS_PE_MEM_CONFIG)));
}

/* Render target n > 0. */
static void of_target(struct vivante *v, unsigned int n, struct viv_ts *ts)
{
	uint32_t config = viv_state(v, VIV_AT(VIVS_TS_RT_CONFIG, n));

	fill(v, ts, config & VIVS_TS_RT_CONFIG_ENABLE, viv_state(v, VIV_AT(VIVS_TS_RT_STATUS_BASE, n)),
	     viv_state(v, VIV_AT(VIVS_TS_RT_SURFACE_BASE, n)), viv_state(v, VIV_AT(VIVS_TS_RT_CLEAR_VALUE, n)),
	     viv_state(v, VIV_AT(VIVS_TS_RT_CLEAR_VALUE2, n)), true);
	ts->tile = tile_bytes(v, VIV_GET(VIVS_PE_MEM_CONFIG_COLOR_TS_MODE, viv_state(v, VIVS_PE_MEM_CONFIG)));
}

/* --- Entries ------------------------------------------------------------------------- */

/* -1: a fault. RS, BLT and textures do not look into TS' cache. */
static int mark(struct vivante *v, const struct viv_ts *ts, uint32_t offset, bool cached)
{
	uint32_t byte, shift;
	const uint8_t *p;

	viv_ts_place(ts, offset, &byte, &shift);
	if (!cached)
		viv_cache_check(v, "ts", byte, 1);
	p = cached ? viv_cached(v, VIV_CACHE_TS, byte, 1, false) : unit_ptr(v->port[VIV_PORT_RA], byte, 1);
	return p ? *p >> shift & ((1 << ts->bits) - 1) : -1;
}

enum viv_ts_entry viv_ts_get(struct vivante *v, const struct viv_ts *ts, uint32_t offset, bool cached)
{
	int val = mark(v, ts, offset, cached);

	if (viv_ts_meaning(ts, val) == VIV_TS_INVALID)
		viv_hang(v, "ts", VIVS_HI_IDLE_STATE_TS | VIVS_HI_IDLE_STATE_PE,
			 "invalid tile status %x of tile %u at %08x (surface %08x)", val, offset / ts->tile,
			 ts->status + offset / ts->tile * ts->bits / 8, ts->surface);
	return viv_ts_meaning(ts, val);
}

enum viv_ts_entry viv_ts_peek(struct vivante *v, const struct viv_ts *ts, uint32_t offset)
{
	return viv_ts_meaning(ts, mark(v, ts, offset, false));
}

bool viv_ts_set_plain(struct vivante *v, const struct viv_ts *ts, uint32_t offset)
{
	uint32_t byte, shift;
	uint8_t *p;

	viv_ts_place(ts, offset, &byte, &shift);
	p = viv_cached(v, VIV_CACHE_TS, byte, 1, true);
	if (!p)
		return false;
	*p &= ~(((1u << ts->bits) - 1) << shift);
	return true;
}

bool viv_ts_clear_entry(struct vivante *v, const struct viv_ts *ts, uint32_t offset)
{
	uint32_t va, shift;
	uint8_t byte;

	viv_ts_place(ts, offset, &va, &shift);
	viv_cache_check(v, "ts", va, 1);
	if (!unit_read(v->port[VIV_PORT_RA], va, &byte, 1))
		return false;
	byte &= ~(((1u << ts->bits) - 1) << shift);
	return unit_write(v->port[VIV_PORT_RA], va, &byte, 1);
}

/* --- PE ---------------------------------------------------------------------------------- */

struct viv_ts viv_plane_ts(struct vivante *v, enum viv_plane plane)
{
	struct viv_ts ts;

	if (plane == VIV_PLANE_DEPTH)
		of_depth(v, &ts);
	else if (plane == VIV_PLANE_COLOR)
		of_color(v, &ts);
	else
		of_target(v, plane, &ts);
	return ts;
}

/* Fills the tile that va is in with the clear value, in PE's cache. */
static bool fill_tile(struct vivante *v, enum viv_cache_id cache, const struct viv_ts *ts, uint32_t offset)
{
	uint32_t start = offset - offset % ts->tile;

	for (uint32_t i = 0; i < ts->tile; i += 64) {
		uint32_t *p = viv_cached(v, cache, ts->surface + start + i, 64, true);

		for (unsigned int k = 0; p && k < 16; k++)
			p[k] = viv_ts_word(ts, start + i + k * 4);
		if (!p)
			return false;
	}
	return true;
}

void *viv_plane_ptr(struct vivante *v, enum viv_plane plane, const struct viv_ts *ts, uint32_t va, uint32_t len)
{
	enum viv_cache_id cache = plane == VIV_PLANE_DEPTH ? VIV_CACHE_DEPTH : VIV_CACHE_COLOR;

	if (ts->on) {
		switch (viv_ts_get(v, ts, va - ts->surface, true)) {
		case VIV_TS_PLAIN:
			break;
		case VIV_TS_CLEARED:
			if (!fill_tile(v, cache, ts, va - ts->surface) || !viv_ts_set_plain(v, ts, va - ts->surface))
				return NULL;
			break;
		case VIV_TS_INVALID:
		case VIV_TS_FAULT:
			return NULL;
		}
	}
	return viv_cached(v, cache, va, len, true);
}

/* --- Others -------------------------------------------------------------------------------- */

int viv_ts_sampler(struct vivante *v, unsigned int ts_unit, unsigned int ts_mode, uint32_t offset, uint32_t value[2])
{
	struct viv_ts ts;

	fill(v, &ts, viv_state(v, VIV_AT(VIVS_TS_SAMPLER_CONFIG, ts_unit)) & VIVS_TS_SAMPLER_CONFIG_ENABLE,
	     viv_state(v, VIV_AT(VIVS_TS_SAMPLER_STATUS_BASE, ts_unit)), 0,
	     viv_state(v, VIV_AT(VIVS_TS_SAMPLER_CLEAR_VALUE, ts_unit)),
	     viv_state(v, VIV_AT(VIVS_TS_SAMPLER_CLEAR_VALUE2, ts_unit)), v->chip->halti >= 2);
	/* Its own tiles, not those of the target (Mesa etnaviv_texture_desc.c); no sampler reads several samples. */
	ts.tile = v->chip->cache_128b_256b ? tile_bytes(v, ts_mode) : 64;
	if (!ts.on)
		return 0;
	switch (viv_ts_get(v, &ts, offset, false)) {
	case VIV_TS_PLAIN:
		return 0;
	case VIV_TS_CLEARED:
		value[0] = ts.clear[0];
		value[1] = ts.clear[1];
		return 1;
	default:
		return -1;
	}
}

bool viv_ts_of_source(struct vivante *v, uint32_t address, uint32_t mode, struct viv_ts *ts)
{
	/*
	 * A resolve goes by the colour registers, also of a depth surface, and does without tile status
	 * when COLOR_FAST_CLEAR is off, whatever DEPTH_FAST_CLEAR is (Mesa etnaviv_rs.c, etna_try_rs_blit()).
	 */
	of_color(v, ts);
	if (!ts->on)
		return false;
	/* GUESS(ts-resolve-before): a source that begins before the surface has none. */
	if (address < ts->surface && !unit_answer(&v->u, PROFILE_TS_RESOLVE_BEFORE)) {
		ts->on = false;
		return false;
	}
	if (v->chip->cache_128b_256b)
		ts->tile = mode == TS_MODE_256B ? 256 : 128;
	else if (viv_minor(v, 4, MINOR4_SMALL_MSAA))
		ts->tile = mode == TS_MODE_256B ? 256 : 64;
	return true;
}
