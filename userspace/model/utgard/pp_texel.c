/* SPDX-License-Identifier: MIT */
/*
 * Texels: their formats' rows are in limn/utgard/states.inc. ETC1: the Khronos
 * specification OES_compressed_ETC1_RGB8_texture.
 *
 * GUESS(pp-depth-texture): depth textures read like luminance, what GLES wants of them.
 * GUESS(pp-reload-zs): a reload from Z24S8 has the four bytes as they are, so that they survive
 * 16-bit registers; RSW_DEPTH_SHADER_PACKED puts them together again.
 */
#include <limn/utgard/formats.h>

#include "model/utgard/pp.h"

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

static void swap(float *a, float *b)
{
	float t = *a;

	*a = *b;
	*b = t;
}

/* GUESS(pp-texture-order): REVERSE_ORDER (Mesa genxml/common.xml): a texel's channels lie the other way round. */
static unsigned int bit_of(const struct pp_texture *tex, unsigned int c)
{
	const struct utgard_format *f = &utgard_texel_formats[tex->format];
	unsigned int bit = f->channel[c].bit, width = f->channel[c].width;

	return tex->reverse && width ? 8 * f->bytes - bit - width : bit;
}

void pp_texel_format(struct pp_texture *tex)
{
	const struct utgard_format *f = &utgard_texel_formats[tex->format];

	tex->unorm = f->bytes && f->kind == UTGARD_UNORM;
	for (unsigned int c = 0; c < 4; c++) {
		unsigned int from = tex->swap_rb && c != 3 ? 2 - c : c, width = f->channel[from].width, bit = bit_of(tex, from);
		uint32_t max = width ? (uint32_t)(1ull << width) - 1 : 0;

		tex->channel[c].mask = max;
		tex->channel[c].bit = width ? bit : 0;
		tex->channel[c].unit = width ? 1 / (float)max : 0;
		tex->channel[c].constant = (float)bit;
	}
}

void pp_texel_decode(const struct pp_texture *tex, const uint8_t *p, unsigned int x, unsigned int y, float out[4])
{
	const struct utgard_format *f = &utgard_texel_formats[tex->format];
	uint64_t v = 0;
	unsigned int c;

	if (f->kind == UTGARD_BLOCK) {
		etc1(p, x, y, out);
	} else {
		memcpy(&v, p, f->bytes);	/* this machine is little endian, as the GPU */
		for (c = 0; c < 4; c++)
			out[c] = f->channel[c].width ? half_to_float(v >> bit_of(tex, c)) : f->channel[c].bit;
	}
	if (tex->swap_rb)
		swap(&out[0], &out[2]);
}
