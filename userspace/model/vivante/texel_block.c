// SPDX-License-Identifier: MIT
/*
 * TX: compressed formats, blocks of 4x4 texels. DXT1 to 5: the OpenGL extension
 * EXT_texture_compression_s3tc; ETC1, ETC2, EAC: OpenGL ES 3.0, appendix C.
 */
#include "model/vivante/viv3d.h"

static int clamp255(int v)
{
	return v < 0 ? 0 : v > 255 ? 255 : v;
}

static void rgb(float out[4], const int c[3])
{
	for (unsigned int i = 0; i < 3; i++)
		out[i] = (float)clamp255(c[i]) / 255.0f;
}

/* --- DXT ----------------------------------------------------------------------------- */

static void color565(unsigned int v, int c[3])
{
	int r = v >> 11, g = v >> 5 & 63, b = v & 31;

	c[0] = r << 3 | r >> 2;
	c[1] = g << 2 | g >> 4;
	c[2] = b << 3 | b >> 2;
}

/* Eight bytes of colour; three: with fewer than four colours when the first is not the larger. */
static void dxt_color(const uint8_t *p, unsigned int i, bool three, float out[4])
{
	unsigned int c0 = p[0] | p[1] << 8, c1 = p[2] | p[3] << 8;
	unsigned int sel = p[4 + i / 4] >> 2 * (i & 3) & 3;
	int a[3], b[3], c[3];

	color565(c0, a);
	color565(c1, b);
	out[3] = 1;
	for (unsigned int k = 0; k < 3; k++) {
		if (three && c0 <= c1)
			c[k] = sel == 0 ? a[k] : sel == 1 ? b[k] : sel == 2 ? (a[k] + b[k]) / 2 : 0;
		else
			c[k] = sel == 0 ? a[k] : sel == 1 ? b[k] : sel == 2 ? (2 * a[k] + b[k]) / 3 : (a[k] + 2 * b[k]) / 3;
	}
	if (three && c0 <= c1 && sel == 3)
		out[3] = 0;
	rgb(out, c);
}

static float dxt5_alpha(const uint8_t *p, unsigned int i)
{
	uint64_t bits = 0;
	int a = p[0], b = p[1], sel;

	memcpy(&bits, p + 2, 6);
	sel = (int)(bits >> 3 * i & 7);
	if (sel < 2)
		return (float)(sel ? b : a) / 255.0f;
	if (a > b)
		return (float)(((8 - sel) * a + (sel - 1) * b) / 7) / 255.0f;
	if (sel >= 6)
		return sel == 7;
	return (float)(((6 - sel) * a + (sel - 1) * b) / 5) / 255.0f;
}

/* --- ETC ----------------------------------------------------------------------------- */

static const int etc_modifier[8][2] = {
	{ 2, 8 }, { 5, 17 }, { 9, 29 }, { 13, 42 }, { 18, 60 }, { 24, 80 }, { 33, 106 }, { 47, 183 },
};
static const int etc_distance[8] = { 3, 6, 11, 16, 23, 32, 41, 64 };

static int bits_of(const uint8_t *p, unsigned int hi, unsigned int lo)
{
	uint64_t v = 0;

	for (unsigned int i = 0; i < 8; i++)
		v = v << 8 | p[i];
	return (int)(v >> lo & ((1ull << (hi - lo + 1)) - 1));
}

static int extend(int v, unsigned int bits)
{
	return bits == 4 ? v << 4 | v : bits == 5 ? v << 3 | v >> 2 : bits == 6 ? v << 2 | v >> 4 : v << 1 | v >> 6;
}

static int signed3(int v)
{
	return v & 4 ? v - 8 : v;
}

/* Two bits of a texel; pixels are numbered down the columns. */
static unsigned int etc_selector(const uint8_t *p, unsigned int x, unsigned int y)
{
	unsigned int n = x * 4 + y;

	return (unsigned int)(bits_of(p, 16 + n, 16 + n) << 1 | bits_of(p, n, n));
}

static void planar(const uint8_t *p, unsigned int x, unsigned int y, float out[4])
{
	int o[3] = { extend(bits_of(p, 62, 57), 6), extend(bits_of(p, 56, 56) << 6 | bits_of(p, 54, 49), 7),
		     extend(bits_of(p, 48, 48) << 5 | bits_of(p, 44, 43) << 3 | bits_of(p, 41, 39), 6) };
	int h[3] = { extend(bits_of(p, 38, 34) << 1 | bits_of(p, 32, 32), 6), extend(bits_of(p, 31, 25), 7),
		     extend(bits_of(p, 24, 19), 6) };
	int v[3] = { extend(bits_of(p, 18, 13), 6), extend(bits_of(p, 12, 6), 7), extend(bits_of(p, 5, 0), 6) };
	int c[3];

	for (unsigned int i = 0; i < 3; i++)
		c[i] = ((int)x * (h[i] - o[i]) + (int)y * (v[i] - o[i]) + 4 * o[i] + 2) >> 2;
	rgb(out, c);
}

/*
 * T and H modes: four paint colours. swapped: chips before HALTI1 have the two of a T block the other way round
 * (Mesa etnaviv_etc2.c exchanges them for these).
 */
static void paint(const uint8_t *p, bool h_mode, bool swapped, unsigned int sel, float out[4])
{
	int a[3], b[3], c[3], d;

	if (h_mode) {
		a[0] = bits_of(p, 62, 59);
		a[1] = bits_of(p, 58, 56) << 1 | bits_of(p, 52, 52);
		a[2] = bits_of(p, 51, 51) << 3 | bits_of(p, 49, 47);
		b[0] = bits_of(p, 46, 43);
		b[1] = bits_of(p, 42, 39);
		b[2] = bits_of(p, 38, 35);
		d = bits_of(p, 34, 34) << 2 | bits_of(p, 32, 32) << 1;
		d |= (a[0] << 8 | a[1] << 4 | a[2]) >= (b[0] << 8 | b[1] << 4 | b[2]);
	} else {
		a[0] = bits_of(p, 60, 59) << 2 | bits_of(p, 57, 56);
		a[1] = bits_of(p, 55, 52);
		a[2] = bits_of(p, 51, 48);
		b[0] = bits_of(p, 47, 44);
		b[1] = bits_of(p, 43, 40);
		b[2] = bits_of(p, 39, 36);
		d = bits_of(p, 35, 34) << 1 | bits_of(p, 32, 32);
	}
	d = etc_distance[d];
	for (unsigned int i = 0; i < 3; i++) {
		int x = extend(a[i], 4), y = extend(b[i], 4);

		if (swapped && !h_mode) {
			x = extend(b[i], 4);
			y = extend(a[i], 4);
		}
		if (h_mode)
			c[i] = sel < 2 ? x + (sel ? -d : d) : y + (sel == 3 ? -d : d);
		else
			c[i] = sel == 0 ? x : y + (sel == 1 ? d : sel == 3 ? -d : 0);
	}
	rgb(out, c);
}

/* etc2: the three modes that ETC1 has not; punch: bit 33 tells whether all is opaque. */
static void etc(const uint8_t *p, unsigned int x, unsigned int y, bool etc2, bool swapped, bool punch, float out[4])
{
	bool flip = bits_of(p, 32, 32), diff = bits_of(p, 33, 33), opaque = !punch || diff;
	bool half = flip ? y >= 2 : x >= 2;
	unsigned int sel = etc_selector(p, x, y), table = (unsigned int)(half ? bits_of(p, 36, 34) : bits_of(p, 39, 37));
	int c[3], low, d;

	out[3] = 1;
	if (!opaque && sel == 2) {
		out[0] = out[1] = out[2] = out[3] = 0;
		return;
	}
	for (unsigned int i = 0; i < 3; i++) {
		unsigned int at = 56 - 8 * i;

		if (!diff && !punch) {
			low = half ? bits_of(p, at + 3, at) : bits_of(p, at + 7, at + 4);
			c[i] = extend(low, 4);
			continue;
		}
		low = bits_of(p, at + 7, at + 3) + signed3(bits_of(p, at + 2, at));
		if (etc2 && (low < 0 || low > 31)) {
			if (i == 2)
				planar(p, x, y, out);
			else
				paint(p, i == 1, swapped, sel, out);
			return;
		}
		c[i] = extend((half ? low : bits_of(p, at + 7, at + 3)) & 31, 5);
	}
	d = etc_modifier[table][sel & 1];
	if (sel & 2)
		d = -d;
	/* Without the flag the small step is none at all. */
	if (!opaque && !(sel & 1))
		d = 0;
	for (unsigned int i = 0; i < 3; i++)
		c[i] += d;
	rgb(out, c);
}

static const int eac_modifier[16][8] = {
	{ -3, -6, -9, -15, 2, 5, 8, 14 }, { -3, -7, -10, -13, 2, 6, 9, 12 }, { -2, -5, -8, -13, 1, 4, 7, 12 },
	{ -2, -4, -6, -13, 1, 3, 5, 12 }, { -3, -6, -8, -12, 2, 5, 7, 11 }, { -3, -7, -9, -11, 2, 6, 8, 10 },
	{ -4, -7, -8, -11, 3, 6, 7, 10 }, { -3, -5, -8, -11, 2, 4, 7, 10 }, { -2, -6, -8, -10, 1, 5, 7, 9 },
	{ -2, -5, -8, -10, 1, 4, 7, 9 }, { -2, -4, -8, -10, 1, 3, 7, 9 }, { -2, -5, -7, -10, 1, 4, 6, 9 },
	{ -3, -4, -7, -10, 2, 3, 6, 9 }, { -1, -2, -3, -10, 0, 1, 2, 9 }, { -4, -6, -8, -9, 3, 5, 7, 8 },
	{ -3, -5, -7, -9, 2, 4, 6, 8 },
};

static int eac_step(const uint8_t *p, unsigned int x, unsigned int y)
{
	unsigned int n = x * 4 + y;

	return eac_modifier[p[1] & 15][bits_of(p, 47 - 3 * n, 45 - 3 * n)];
}

static float eac8(const uint8_t *p, unsigned int x, unsigned int y)
{
	return (float)clamp255(p[0] + eac_step(p, x, y) * (p[1] >> 4)) / 255.0f;
}

static float eac11(const uint8_t *p, unsigned int x, unsigned int y, bool is_signed)
{
	int m = p[1] >> 4, base = is_signed ? (int8_t)p[0] : p[0], v;

	if (is_signed && base == -128)
		base = -127;
	v = base * 8 + (is_signed ? 0 : 4) + eac_step(p, x, y) * (m ? m * 8 : 1);
	if (is_signed)
		return (float)(v < -1023 ? -1023 : v > 1023 ? 1023 : v) / 1023.0f;
	return (float)(v < 0 ? 0 : v > 2047 ? 2047 : v) / 2047.0f;
}

static void red_green(const uint8_t *p, unsigned int x, unsigned int y, bool two, bool is_signed, float out[4])
{
	out[0] = eac11(p, x, y, is_signed);
	out[1] = two ? eac11(p + 8, x, y, is_signed) : 0;
	out[2] = 0;
	out[3] = 1;
}

void v3d_texel_block(unsigned int format, bool swapped, const uint8_t *p, unsigned int x, unsigned int y, float out[4])
{
	unsigned int i = y * 4 + x;

	switch (format) {
	case TEXTURE_FORMAT_DXT1:
		dxt_color(p, i, true, out);
		break;
	case TEXTURE_FORMAT_DXT2_DXT3:
		dxt_color(p + 8, i, false, out);
		out[3] = (float)(p[i / 2] >> 4 * (i & 1) & 15) / 15.0f;
		break;
	case TEXTURE_FORMAT_DXT4_DXT5:
		dxt_color(p + 8, i, false, out);
		out[3] = dxt5_alpha(p, i);
		break;
	case TEXTURE_FORMAT_ETC1:
		etc(p, x, y, false, swapped, false, out);
		break;
	case V3D_TEX_EXT + TEXTURE_FORMAT_EXT_RGB8_PUNCHTHROUGH_ALPHA1_ETC2:
		etc(p, x, y, true, swapped, true, out);
		break;
	case V3D_TEX_EXT + TEXTURE_FORMAT_EXT_RGBA8_ETC2_EAC:
		etc(p + 8, x, y, true, swapped, false, out);
		out[3] = eac8(p, x, y);
		break;
	case V3D_TEX_EXT + TEXTURE_FORMAT_EXT_R11_EAC:
		red_green(p, x, y, false, false, out);
		break;
	case V3D_TEX_EXT + TEXTURE_FORMAT_EXT_RG11_EAC:
		red_green(p, x, y, true, false, out);
		break;
	case V3D_TEX_EXT + TEXTURE_FORMAT_EXT_SIGNED_R11_EAC:
		red_green(p, x, y, false, true, out);
		break;
	case V3D_TEX_EXT + TEXTURE_FORMAT_EXT_SIGNED_RG11_EAC:
		red_green(p, x, y, true, true, out);
		break;
	default:
		etc(p, x, y, true, swapped, false, out);
	}
}
