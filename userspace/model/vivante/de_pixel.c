// SPDX-License-Identifier: MIT
/*
 * 2D engine: pixels of every format, rotation, raster operations, blending.
 *
 * Facts: rnndb state_2d.xml; etna_viv doc/2d.md (ROP codes, YUV equations).
 */
#include "model/vivante/de.h"

/* --- Formats ------------------------------------------------------------------- */

uint32_t de_format_bytes(unsigned int format)
{
	static const uint8_t others[] = {
		[DE_FORMAT_YUY2] = 2, [DE_FORMAT_UYVY] = 2, [DE_FORMAT_INDEX8] = 1, [DE_FORMAT_YV12] = 1,
		[DE_FORMAT_NV12] = 1, [DE_FORMAT_NV16] = 1,
	};

	return format < sizeof(others) && others[format] ? others[format] : viv_format_bytes(format);
}

static uint8_t clamp(int32_t val)
{
	return val < 0 ? 0 : val > 255 ? 255 : val;
}

void viv_from_yuv(bool bt709, int32_t y, int32_t u, int32_t w, uint8_t bgra[4])
{
	int32_t a = 298 * (y - 16) + 128;

	u -= 128;
	w -= 128;
	bgra[2] = clamp((a + (bt709 ? 461 : 410) * w) >> 8);
	bgra[1] = clamp((a - (bt709 ? 55 : 101) * u - (bt709 ? 137 : 209) * w) >> 8);
	bgra[0] = clamp((a + (bt709 ? 543 : 519) * u) >> 8);
	bgra[3] = 0xff;
}

/* --- Memory -------------------------------------------------------------------- */

/*
 * Where logical (x, y) is in memory. GUESS(de-rotate-turn): the direction of the quarter
 * turns; that ROT90 needs the surface's width, ROT270 its height and ROT180
 * both is what the registers have fields for.
 */
static void turn(const struct de_surface *s, int32_t *x, int32_t *y)
{
	int32_t px = *x, py = *y, w = s->width, h = s->height;

	switch (s->rotation) {
	case DE_ROT_MODE_FLIP_X:
		*x = w - 1 - px;
		break;
	case DE_ROT_MODE_FLIP_Y:
		*y = h - 1 - py;
		break;
	case DE_ROT_MODE_ROT90:
		*x = w - 1 - py;
		*y = px;
		break;
	case DE_ROT_MODE_ROT180:
		*x = w - 1 - px;
		*y = h - 1 - py;
		break;
	case DE_ROT_MODE_ROT270:
		*x = py;
		*y = h - 1 - px;
		break;
	}
}

/* Bytes of one pixel through the 2D cache. */
static bool load(struct vivante *v, uint32_t va, void *dst, uint32_t len)
{
	const void *p = viv_cached(v, VIV_CACHE_2D, va, len, false);

	if (p)
		memcpy(dst, p, len);
	return p;
}

static bool fetch_yuv(struct vivante *v, const struct de_surface *s, uint32_t x, uint32_t y, uint8_t bgra[4])
{
	uint32_t va = viv_surface_at(&s->s, x, y);
	uint8_t luma, c[2], quad[4];

	if (s->format == DE_FORMAT_YUY2 || s->format == DE_FORMAT_UYVY) {
		if (!load(v, viv_surface_at(&s->s, x & ~1u, y), quad, 4))
			return false;
		luma = quad[(s->format == DE_FORMAT_YUY2 ? 0 : 1) + 2 * (x & 1)];
		c[0] = quad[s->format == DE_FORMAT_YUY2 ? 1 : 0];
		c[1] = quad[s->format == DE_FORMAT_YUY2 ? 3 : 2];
	} else {
		uint32_t cy = s->format == DE_FORMAT_NV16 ? y : y / 2;

		if (!load(v, va, &luma, 1))
			return false;
		if (s->format == DE_FORMAT_YV12) {
			if (!load(v, s->u + cy * s->u_stride + x / 2, &c[0], 1) ||
			    !load(v, s->v + cy * s->v_stride + x / 2, &c[1], 1))
				return false;
		} else if (!load(v, s->u + cy * s->u_stride + (x & ~1u), c, 2)) {
			return false;
		}
	}
	viv_from_yuv(s->bt709, luma, c[s->swap_uv], c[!s->swap_uv], bgra);
	return true;
}

bool de_fetch(struct vivante *v, const struct de_surface *s, int32_t x, int32_t y, uint8_t bgra[4])
{
	uint32_t word = 0;

	turn(s, &x, &y);
	if (s->format == DE_FORMAT_YUY2 || s->format == DE_FORMAT_UYVY || s->format == DE_FORMAT_YV12 ||
	    s->format == DE_FORMAT_NV12 || s->format == DE_FORMAT_NV16)
		return fetch_yuv(v, s, x, y, bgra);
	if (!load(v, viv_surface_at(&s->s, x, y), &word, s->s.bytes))
		return false;
	viv_endian(s->endian, (uint8_t *)&word, s->s.bytes);
	if (s->format == DE_FORMAT_INDEX8) {
		word = viv_state(v, VIV_AT(VIVS_DE_INDEX_COLOR_TABLE32, word));
		memcpy(bgra, &word, 4);
	} else {
		viv_pixel_unpack(s->format, s->swizzle, (uint8_t *)&word, bgra);
	}
	return true;
}

bool de_store(struct vivante *v, const struct de_surface *s, int32_t x, int32_t y, const uint8_t bgra[4])
{
	uint8_t pixel[4];
	void *p;

	turn(s, &x, &y);
	viv_pixel_pack(s->format, s->swizzle, bgra, pixel);
	viv_endian(s->endian, pixel, s->s.bytes);
	p = viv_cached(v, VIV_CACHE_2D, viv_surface_at(&s->s, x, y), s->s.bytes, true);
	if (!p)
		return false;
	memcpy(p, pixel, s->s.bytes);
	v->perf.pe_pixels_2d++;
	return true;
}

/* --- Raster operations and blending ------------------------------------------------ */

/*
 * GUESS(de-color-pattern): a pattern of another format than MONOCHROME with an address is 8 rows of 8 pixels there.
 * PATTERN_MASK does nothing.
 */
bool de_pattern(struct vivante *v, int32_t x, int32_t y, uint8_t bgra[4])
{
	uint32_t config = viv_state(v, VIVS_DE_PATTERN_CONFIG), color = viv_state(v, VIVS_DE_PATTERN_FG_COLOR);
	uint32_t px = (x + VIV_GET(VIVS_DE_PATTERN_CONFIG_ORIGIN_X, config)) & 7;
	uint32_t py = (y + VIV_GET(VIVS_DE_PATTERN_CONFIG_ORIGIN_Y, config)) & 7;
	uint32_t half = viv_state(v, py < 4 ? VIVS_DE_PATTERN_LOW : VIVS_DE_PATTERN_HIGH);
	struct de_surface s = { .format = VIV_GET(VIVS_DE_PATTERN_CONFIG_FORMAT, config) };

	s.s.bytes = de_format_bytes(s.format);
	s.s.stride = 8 * s.s.bytes;
	s.s.base[0] = s.s.base[1] = viv_state(v, VIVS_DE_PATTERN_ADDRESS);
	if (VIV_GET(VIVS_DE_PATTERN_CONFIG_TYPE, config) == VIVS_DE_PATTERN_CONFIG_TYPE_PATTERN) {
		if (s.s.base[0] && s.s.bytes)
			return de_fetch(v, &s, px, py, bgra);
		/* GUESS(de-mono-pattern): a byte a line, its highest bit at the left. */
		if (!(half >> (py % 4 * 8 + (unit_answer(&v->u, PROFILE_DE_MONO_PATTERN) ? px : 7 - px)) & 1))
			color = viv_state(v, VIVS_DE_PATTERN_BG_COLOR);
	}
	memcpy(bgra, &color, 4);
	return true;
}

static uint8_t rop_bits(uint32_t code, uint8_t d, uint8_t s, uint8_t p)
{
	uint8_t out = 0;

	for (unsigned int i = 0; i < 8; i++)
		out |= (code >> ((d >> i & 1) | (s >> i & 1) << 1 | (p >> i & 1) << 2) & 1) << i;
	return out;
}

static void raster(struct vivante *v, const uint8_t s[4], const uint8_t p[4], uint8_t d[4], bool opaque)
{
	uint32_t rop = de_state(v, VIVS_DE_ROP);
	uint32_t code = opaque ? VIV_GET(DE_ROP_ROP_FG, rop) : VIV_GET(DE_ROP_ROP_BG, rop);
	unsigned int type = VIV_GET(DE_ROP_TYPE, rop);

	for (unsigned int c = 0; c < 4; c++) {
		if (type == DE_ROP_TYPE_ROP2_PATTERN)
			d[c] = rop_bits(code & 0xf, d[c], p[c], 0);
		else if (type == DE_ROP_TYPE_ROP2_SOURCE)
			d[c] = rop_bits(code & 0xf, d[c], s[c], 0);
		else
			d[c] = rop_bits(code, d[c], s[c], p[c]);
	}
}

static uint32_t multiply(uint32_t a, uint32_t b)
{
	return (a * b + 127) / 255;
}

static uint32_t global_alpha(uint32_t mode, uint32_t alpha, uint32_t global)
{
	return mode == 1 ? global : mode == 2 ? multiply(alpha, global) : alpha;
}

/*
 * GUESS(de-blend-factors): "alpha" in the factor of one side is the other side's, as the
 * Porter-Duff rules of Vivante's 2D driver need it; SRC_/DST_ALPHA_FACTOR make
 * it the side's own.
 */
static uint32_t factor(unsigned int mode, uint32_t alpha, uint32_t color, uint32_t sa, uint32_t da)
{
	switch (mode) {
	case DE_BLENDMODE_ZERO:
		return 0;
	case DE_BLENDMODE_ONE:
		return 255;
	case DE_BLENDMODE_NORMAL:
		return alpha;
	case DE_BLENDMODE_INVERSED:
		return 255 - alpha;
	case DE_BLENDMODE_COLOR:
		return color;
	case DE_BLENDMODE_COLOR_INVERSED:
		return 255 - color;
	case DE_BLENDMODE_SATURATED_ALPHA:
		return sa < 255 - da ? sa : 255 - da;
	default:
		return da < 255 - sa ? da : 255 - sa;
	}
}

static void blend(struct vivante *v, const uint8_t src[4], uint8_t dst[4])
{
	uint32_t modes = de_state(v, VIVS_DE_ALPHA_MODES), mul = de_state(v, VIVS_DE_COLOR_MULTIPLY_MODES);
	uint32_t sg = de_state(v, VIVS_DE_GLOBAL_SRC_COLOR), dg = de_state(v, VIVS_DE_GLOBAL_DEST_COLOR);
	uint32_t sa = src[3], da = dst[3], s[4], d[4];
	bool own = unit_answer(&v->u, PROFILE_DE_BLEND_FACTORS);

	if (VIV_GET(DE_ALPHA_MODES_SRC_ALPHA_MODE, modes))
		sa = 255 - sa;
	if (VIV_GET(DE_ALPHA_MODES_DST_ALPHA_MODE, modes))
		da = 255 - da;
	sa = global_alpha(VIV_GET(DE_ALPHA_MODES_GLOBAL_SRC_ALPHA_MODE, modes), sa, sg >> 24);
	da = global_alpha(VIV_GET(DE_ALPHA_MODES_GLOBAL_DST_ALPHA_MODE, modes), da, dg >> 24);
	for (unsigned int c = 0; c < 4; c++) {
		s[c] = c == 3 ? sa : src[c];
		d[c] = c == 3 ? da : dst[c];
		if (c < 3 && (mul & DE_COLOR_MULTIPLY_MODES_SRC_PREMULTIPLY))
			s[c] = multiply(s[c], sa);
		if (c < 3 && (mul & DE_COLOR_MULTIPLY_MODES_DST_PREMULTIPLY))
			d[c] = multiply(d[c], da);
		if (c < 3 && VIV_GET(DE_COLOR_MULTIPLY_MODES_SRC_GLOBAL_PREMULTIPLY, mul) == 1)
			s[c] = multiply(s[c], sg >> 24);
		if (c < 3 && VIV_GET(DE_COLOR_MULTIPLY_MODES_SRC_GLOBAL_PREMULTIPLY, mul) == 2)
			s[c] = multiply(s[c], sg >> 8 * c & 0xff);
	}
	for (unsigned int c = 0; c < 4; c++) {
		uint32_t fs = factor(VIV_GET(DE_ALPHA_MODES_SRC_BLENDING_MODE, modes),
				     own || modes & DE_ALPHA_MODES_SRC_ALPHA_FACTOR ? sa : da, d[c], sa, da);
		uint32_t fd = factor(VIV_GET(DE_ALPHA_MODES_DST_BLENDING_MODE, modes),
				     own || modes & DE_ALPHA_MODES_DST_ALPHA_FACTOR ? da : sa, s[c], sa, da);

		dst[c] = clamp(multiply(s[c], fs) + multiply(d[c], fd));
	}
	for (unsigned int c = 0; c < 3 && (mul & DE_COLOR_MULTIPLY_MODES_DST_DEMULTIPLY) && dst[3]; c++)
		dst[c] = clamp(dst[c] * 255 / dst[3]);
}

static bool in_key(const uint8_t c[4], uint32_t low, uint32_t high)
{
	for (unsigned int i = 0; i < 3; i++) {
		if (c[i] < (low >> 8 * i & 0xff) || c[i] > (high >> 8 * i & 0xff))
			return false;
	}
	return true;
}

bool de_combine(struct vivante *v, const struct viv_de *de, int32_t x, int32_t y, const uint8_t src[4], bool opaque)
{
	uint32_t transparency = de_state(v, VIVS_DE_PE_TRANSPARENCY);
	uint8_t dst[4], pattern[4];

	if (!de_fetch(v, &de->dst, x, y, dst))
		return false;
	/* GUESS(de-transparency): a source pixel between the keys is transparent, a destination pixel only there opaque. */
	if (VIV_GET(DE_PE_TRANSPARENCY_SOURCE, transparency) == DE_TRANSPARENCY_KIND_KEY)
		opaque &= !in_key(src, de_state(v, VIVS_DE_SRC_COLOR_BG), de_state(v, VIVS_DE_SRC_COLOR_KEY_HIGH));
	if (VIV_GET(DE_PE_TRANSPARENCY_DESTINATION, transparency) == DE_TRANSPARENCY_KIND_KEY)
		opaque &= in_key(dst, viv_state(v, VIVS_DE_DEST_COLOR_KEY), viv_state(v, VIVS_DE_DEST_COLOR_KEY_HIGH));
	if (de_state(v, VIVS_DE_ALPHA_CONTROL) & DE_ALPHA_CONTROL_ENABLE) {
		if (!opaque)
			return true;
		blend(v, src, dst);
	} else {
		if (!de_pattern(v, x, y, pattern))
			return false;
		raster(v, src, pattern, dst, opaque);
	}
	return de_store(v, &de->dst, x, y, dst);
}
