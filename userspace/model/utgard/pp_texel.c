/* SPDX-License-Identifier: MIT */
/*
 * Texel formats. Codes and channel orders: Mesa lima_format.c. ETC1: the
 * Khronos specification OES_compressed_ETC1_RGB8_texture.
 */
#include "model/utgard/pp.h"

unsigned int pp_texel_bytes(unsigned int format)
{
	switch (format) {
	case TEX_FORMAT_L8:
	case TEX_FORMAT_A8:
	case TEX_FORMAT_I8:
		return 1;
	case TEX_FORMAT_B5G6R5:
	case TEX_FORMAT_B5G5R5A1:
	case TEX_FORMAT_B4G4R4A4:
	case TEX_FORMAT_L8A8:
	case TEX_FORMAT_L16:
	case TEX_FORMAT_A16:
	case TEX_FORMAT_I16:
	case TEX_FORMAT_L16F:
	case TEX_FORMAT_A16F:
	case TEX_FORMAT_I16F:
		return 2;
	case TEX_FORMAT_B8G8R8:
		return 3;
	case TEX_FORMAT_B8G8R8A8:
	case TEX_FORMAT_B8G8R8X8:
	case TEX_FORMAT_L16A16F:
	case TEX_FORMAT_Z24X8:
	case TEX_FORMAT_Z24S8_RELOAD:
		return 4;
	case TEX_FORMAT_B16G16R16F:
		return 6;
	case TEX_FORMAT_ETC1:
	case TEX_FORMAT_B16G16R16A16F:
		return 8;
	}
	return 0;
}

static uint16_t get16(const uint8_t *p)
{
	return p[0] | p[1] << 8;
}

static uint32_t get32(const uint8_t *p)
{
	return get16(p) | (uint32_t)get16(p + 2) << 16;
}

static float half_at(const uint8_t *p)
{
	return half_to_float(get16(p));
}

static void luminance(float out[4], float l)
{
	out[0] = out[1] = out[2] = l;
	out[3] = 1;
}

static void alpha(float out[4], float a)
{
	out[0] = out[1] = out[2] = 0;
	out[3] = a;
}

static void intensity(float out[4], float i)
{
	out[0] = out[1] = out[2] = out[3] = i;
}

static int clamp255(int v)
{
	return v < 0 ? 0 : v > 255 ? 255 : v;
}

/* A block is 8 bytes, most significant first: colours and flags, then 2 x 16 selector bits. */
static void etc1(const uint8_t *p, unsigned int x, unsigned int y, float out[4])
{
	static const int modifier[8][2] = {
		{ 2, 8 }, { 5, 17 }, { 9, 29 }, { 13, 42 },
		{ 18, 60 }, { 24, 80 }, { 33, 106 }, { 47, 183 },
	};
	bool diff = p[3] & 2, flip = p[3] & 1;
	unsigned int half = flip ? y >= 2 : x >= 2;
	unsigned int table = half ? p[3] >> 2 & 7 : p[3] >> 5;
	unsigned int bit = x * 4 + y, msb, lsb, c;
	uint32_t select = (uint32_t)p[4] << 24 | p[5] << 16 | p[6] << 8 | p[7];
	int delta;

	msb = select >> (16 + bit) & 1;
	lsb = select >> bit & 1;
	delta = modifier[table][lsb];
	if (msb)
		delta = -delta;
	for (c = 0; c < 3; c++) {
		int v;

		if (diff) {
			v = p[c] >> 3;
			if (half)
				v = (v + ((p[c] & 7) ^ 4) - 4) & 31;
			v = v << 3 | v >> 2;
		} else {
			v = half ? p[c] & 15 : p[c] >> 4;
			v = v << 4 | v;
		}
		out[c] = clamp255(v + delta) * (1 / 255.0f);
	}
	out[3] = 1;
}

void pp_texel_decode(unsigned int format, bool swap_rb, const uint8_t *p, unsigned int x,
		     unsigned int y, float out[4])
{
	uint32_t v;
	float t;

	switch (format) {
	case TEX_FORMAT_L8:
		luminance(out, p[0] * (1 / 255.0f));
		break;
	case TEX_FORMAT_A8:
		alpha(out, p[0] * (1 / 255.0f));
		break;
	case TEX_FORMAT_I8:
		intensity(out, p[0] * (1 / 255.0f));
		break;
	case TEX_FORMAT_B5G6R5:
		v = get16(p);
		out[0] = (v >> 11) * (1 / 31.0f);
		out[1] = (v >> 5 & 63) * (1 / 63.0f);
		out[2] = (v & 31) * (1 / 31.0f);
		out[3] = 1;
		break;
	case TEX_FORMAT_B5G5R5A1:
		v = get16(p);
		out[0] = (v >> 10 & 31) * (1 / 31.0f);
		out[1] = (v >> 5 & 31) * (1 / 31.0f);
		out[2] = (v & 31) * (1 / 31.0f);
		out[3] = v >> 15;
		break;
	case TEX_FORMAT_B4G4R4A4:
		v = get16(p);
		out[0] = (v >> 8 & 15) * (1 / 15.0f);
		out[1] = (v >> 4 & 15) * (1 / 15.0f);
		out[2] = (v & 15) * (1 / 15.0f);
		out[3] = (v >> 12) * (1 / 15.0f);
		break;
	case TEX_FORMAT_L8A8:
		luminance(out, p[0] * (1 / 255.0f));
		out[3] = p[1] * (1 / 255.0f);
		break;
	case TEX_FORMAT_L16:
		luminance(out, get16(p) * (1 / 65535.0f));
		break;
	case TEX_FORMAT_A16:
		alpha(out, get16(p) * (1 / 65535.0f));
		break;
	case TEX_FORMAT_I16:
		intensity(out, get16(p) * (1 / 65535.0f));
		break;
	case TEX_FORMAT_B8G8R8:
	case TEX_FORMAT_B8G8R8X8:
	case TEX_FORMAT_B8G8R8A8:
		out[0] = p[2] * (1 / 255.0f);
		out[1] = p[1] * (1 / 255.0f);
		out[2] = p[0] * (1 / 255.0f);
		out[3] = format == TEX_FORMAT_B8G8R8A8 ? p[3] * (1 / 255.0f) : 1;
		break;
	case TEX_FORMAT_ETC1:
		etc1(p, x, y, out);
		break;
	case TEX_FORMAT_L16F:
		luminance(out, half_at(p));
		break;
	case TEX_FORMAT_A16F:
		alpha(out, half_at(p));
		break;
	case TEX_FORMAT_I16F:
		intensity(out, half_at(p));
		break;
	case TEX_FORMAT_L16A16F:
		luminance(out, half_at(p));
		out[3] = half_at(p + 2);
		break;
	case TEX_FORMAT_B16G16R16F:
	case TEX_FORMAT_B16G16R16A16F:
		out[0] = half_at(p + 4);
		out[1] = half_at(p + 2);
		out[2] = half_at(p);
		out[3] = format == TEX_FORMAT_B16G16R16A16F ? half_at(p + 6) : 1;
		break;
	case TEX_FORMAT_Z24X8:
		/* GUESS: depth textures read like luminance, what GLES wants of them. */
		luminance(out, (get32(p) & 0xffffff) * (1 / 16777215.0f));
		break;
	case TEX_FORMAT_Z24S8_RELOAD:
		/*
		 * GUESS: the four bytes as they are, so that they survive 16-bit
		 * registers; RSW_DEPTH_SHADER_PACKED puts them together again.
		 */
		out[0] = p[0] * (1 / 255.0f);
		out[1] = p[1] * (1 / 255.0f);
		out[2] = p[2] * (1 / 255.0f);
		out[3] = p[3] * (1 / 255.0f);
		break;
	default:
		out[0] = out[1] = out[2] = 0;
		out[3] = 1;
	}
	if (swap_rb) {
		t = out[0];
		out[0] = out[2];
		out[2] = t;
	}
}
