// SPDX-License-Identifier: MIT
/* Texture images and descriptors. Facts on the fields' use: Mesa lima_texture.c. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "lib/utgard/utgard.h"

static uint32_t unorm(float f, uint32_t bits)
{
	uint32_t max = (1u << bits) - 1;

	f = f > 0 ? f < 1 ? f : 1 : 0;
	return lrintf(f * max);
}

static void put16(uint8_t *out, uint32_t v)
{
	out[0] = v;
	out[1] = v >> 8;
}

static void encode_rgba8888(const float c[4], uint8_t *out)
{
	for (int i = 0; i < 4; i++)
		out[i] = unorm(c[i], 8);
}

static void encode_bgra8888(const float c[4], uint8_t *out)
{
	out[0] = unorm(c[2], 8);
	out[1] = unorm(c[1], 8);
	out[2] = unorm(c[0], 8);
	out[3] = unorm(c[3], 8);
}

static void encode_rgb888(const float c[4], uint8_t *out)
{
	for (int i = 0; i < 3; i++)
		out[i] = unorm(c[i], 8);
}

static void encode_rgb565(const float c[4], uint8_t *out)
{
	put16(out, unorm(c[0], 5) << 11 | unorm(c[1], 6) << 5 | unorm(c[2], 5));
}

static void encode_rgba5551(const float c[4], uint8_t *out)
{
	put16(out, unorm(c[3], 1) << 15 | unorm(c[0], 5) << 10 | unorm(c[1], 5) << 5 |
		   unorm(c[2], 5));
}

static void encode_rgba4444(const float c[4], uint8_t *out)
{
	put16(out, unorm(c[3], 4) << 12 | unorm(c[0], 4) << 8 | unorm(c[1], 4) << 4 |
		   unorm(c[2], 4));
}

static void encode_l8(const float c[4], uint8_t *out)
{
	out[0] = unorm(c[0], 8);
}

static void encode_a8(const float c[4], uint8_t *out)
{
	out[0] = unorm(c[3], 8);
}

static void encode_la88(const float c[4], uint8_t *out)
{
	out[0] = unorm(c[0], 8);
	out[1] = unorm(c[3], 8);
}

static void encode_l16(const float c[4], uint8_t *out)
{
	put16(out, unorm(c[0], 16));
}

static void encode_rgba16f(const float c[4], uint8_t *out)
{
	for (int i = 0; i < 4; i++)
		put16(out + 2 * i, utgard_half(c[i]));
}

static const struct utgard_texel texels[] = {
	{ "rgba8888", TEX_FORMAT_B8G8R8A8, true, 4, encode_rgba8888 },
	{ "bgra8888", TEX_FORMAT_B8G8R8A8, false, 4, encode_bgra8888 },
	{ "rgbx8888", TEX_FORMAT_B8G8R8X8, true, 4, encode_rgba8888 },
	{ "rgb888", TEX_FORMAT_B8G8R8, true, 3, encode_rgb888 },
	{ "rgb565", TEX_FORMAT_B5G6R5, false, 2, encode_rgb565 },
	{ "rgba5551", TEX_FORMAT_B5G5R5A1, false, 2, encode_rgba5551 },
	{ "rgba4444", TEX_FORMAT_B4G4R4A4, false, 2, encode_rgba4444 },
	{ "l8", TEX_FORMAT_L8, false, 1, encode_l8 },
	{ "a8", TEX_FORMAT_A8, false, 1, encode_a8 },
	{ "i8", TEX_FORMAT_I8, false, 1, encode_l8 },
	{ "la88", TEX_FORMAT_L8A8, false, 2, encode_la88 },
	{ "l16", TEX_FORMAT_L16, false, 2, encode_l16 },
	{ "rgba16f", TEX_FORMAT_B16G16R16A16F, true, 8, encode_rgba16f },
};

const struct utgard_texel *utgard_texel_at(unsigned int index)
{
	return index < sizeof(texels) / sizeof(texels[0]) ? &texels[index] : NULL;
}

const struct utgard_texel *utgard_texel_find(const char *name)
{
	for (unsigned int i = 0; utgard_texel_at(i); i++)
		if (!strcmp(texels[i].name, name))
			return &texels[i];
	return NULL;
}

static uint32_t minify(uint32_t size, uint32_t level)
{
	return size >> level ? size >> level : 1;
}

uint32_t utgard_image_max_levels(uint32_t width, uint32_t height)
{
	uint32_t levels = 1;

	while (width >> levels || height >> levels)
		levels++;
	return levels;
}

int utgard_image_layout(struct utgard_image *image, struct limn_error *err)
{
	uint32_t at = 0;

	if (!image->width || !image->height || image->width > UTGARD_MAX_SIZE ||
	    image->height > UTGARD_MAX_SIZE)
		return limn_fail(err, -EINVAL, "a texture is 1x1 to %ux%u, not %ux%u",
				 UTGARD_MAX_SIZE, UTGARD_MAX_SIZE, image->width, image->height);
	if (!image->levels || image->levels > TEX_MAX_LEVELS ||
	    image->levels > utgard_image_max_levels(image->width, image->height))
		return limn_fail(err, -EINVAL, "a texture of %ux%u has 1 to %u levels, not %u",
				 image->width, image->height,
				 utgard_image_max_levels(image->width, image->height),
				 image->levels);
	for (uint32_t i = 0; i < image->levels; i++) {
		uint32_t w = (minify(image->width, i) + 15) & ~15u;
		uint32_t h = (minify(image->height, i) + 15) & ~15u;

		image->offset[i] = at;
		image->stride[i] = w * image->texel->bytes;
		at += (image->stride[i] * h + 63) & ~63u;
	}
	image->bytes = at;
	return 0;
}

void utgard_image_store(const struct utgard_image *image, uint32_t level, const float *rgba,
			uint8_t *map)
{
	uint32_t w = minify(image->width, level), h = minify(image->height, level);
	uint32_t bytes = image->texel->bytes;

	map += image->offset[level];
	for (uint32_t y = 0; y < h; y++) {
		for (uint32_t x = 0; x < w; x++, rgba += 4) {
			uint32_t at = y * image->stride[level] + x * bytes;

			if (image->tiled)
				at = (y & ~15u) * image->stride[level] +
				     ((x >> 4) * 256 + utgard_tile_index(x & 15, y & 15)) * bytes;
			image->texel->encode(rgba, map + at);
		}
	}
}

/* Levels of detail are in sixteenths; beyond the last level there is no address to read from. */
static uint32_t lod(float f, const struct utgard_image *image)
{
	float last = image->levels - 1;

	return (uint32_t)(int)((f < 0 ? 0 : f > last ? last : f) * 16);
}

/*
 * Mesa adds half a level to the bias for nearest minification and takes a
 * sixteenth off when every filter is nearest, to meet the GL rules for
 * choosing a level.
 */
static int lod_bias(const struct utgard_sampler *s, bool range)
{
	int bias = (int)(s->lod_bias * 16);

	if (!s->min_linear && !s->mag_linear && !s->mip_linear && range)
		return bias - 1;
	return s->min_linear ? bias : bias + 8;
}

void utgard_texture_desc(uint32_t *desc, const struct utgard_image *image, uint32_t va,
			 const struct utgard_sampler *s)
{
	uint32_t min_lod = s->mip ? lod(s->min_lod, image) : 0;
	uint32_t max_lod = s->mip ? lod(s->max_lod, image) : 0;

	memset(desc, 0, TEX_DESC_WORDS_FOR(image->levels) * 4);
	utgard_set(desc, TEX_FORMAT, image->texel->format);
	utgard_set(desc, TEX_SWAP_RB, image->texel->swap_rb);
	utgard_set(desc, TEX_UNNORM_COORDS, s->unnormalised);
	utgard_set(desc, TEX_DIM, TEX_DIM_2D);
	utgard_set(desc, TEX_MIN_LOD, min_lod);
	utgard_set(desc, TEX_MAX_LOD, max_lod);
	utgard_set(desc, TEX_LOD_BIAS, (uint32_t)lod_bias(s, min_lod != max_lod));
	utgard_set(desc, TEX_MIPFILTER,
		       s->mip && s->mip_linear ? TEX_MIPFILTER_LINEAR : TEX_MIPFILTER_NEAREST);
	utgard_set(desc, TEX_MIN_NEAREST, !s->min_linear);
	utgard_set(desc, TEX_MAG_NEAREST, !s->mag_linear);
	utgard_set(desc, TEX_WRAP_S, s->wrap_s);
	utgard_set(desc, TEX_WRAP_T, s->wrap_t);
	utgard_set(desc, TEX_WIDTH, image->width);
	utgard_set(desc, TEX_HEIGHT, image->height);
	utgard_set(desc, TEX_DEPTH, 1);
	utgard_set(desc, TEX_BORDER_RED, unorm(s->border[0], 16));
	utgard_set(desc, TEX_BORDER_GREEN, unorm(s->border[1], 16));
	utgard_set(desc, TEX_BORDER_BLUE, unorm(s->border[2], 16));
	utgard_set(desc, TEX_BORDER_ALPHA, unorm(s->border[3], 16));
	if (image->tiled) {
		utgard_set(desc, TEX_LAYOUT, TEX_LAYOUT_TILED);
	} else {
		utgard_set(desc, TEX_STRIDE, image->stride[0]);
		utgard_set(desc, TEX_HAS_STRIDE, 1);
	}
	for (uint32_t i = 0; i < image->levels; i++)
		utgard_tex_set_level(desc, i, (va + image->offset[i]) >> TEX_LEVEL_SHIFT);
}
