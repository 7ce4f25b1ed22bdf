// SPDX-License-Identifier: MIT
/* Texture images and descriptors. Facts on the fields' use: Mesa lima_texture.c. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include <limn/utgard/formats.h>

#include "lib/utgard/utgard.h"

static uint32_t unorm(float f, uint32_t bits)
{
	uint32_t max = (1u << bits) - 1;

	f = f > 0 ? f < 1 ? f : 1 : 0;
	return lrintf(f * max);
}

/* rgba in [0, 1] (floats: any) as a texel; a bit that several channels share is the first one's. */
static void encode(const struct utgard_texel *texel, const float rgba[4], uint8_t *out)
{
	const struct utgard_format *f = &utgard_texel_formats[texel->format];
	uint64_t v = 0, done = 0;

	for (int i = 0; i < 4; i++) {
		uint32_t width = f->channel[i].width, shift = f->channel[i].bit;
		float c = rgba[texel->swap_rb && i != 3 ? 2 - i : i];

		if (width && !(done >> shift & 1))
			v |= (uint64_t)(f->kind == UTGARD_HALF ? limn_utgard_half(c) : unorm(c, width)) << shift;
		done |= ((1ull << width) - 1) << shift;
	}
	for (int i = 0; i < f->bytes; i++)
		out[i] = v >> (8 * i);
}

static const struct utgard_texel texels[] = {
	{ "rgba8888", TEX_FORMAT_B8G8R8A8, true }, { "bgra8888", TEX_FORMAT_B8G8R8A8, false },
	{ "rgbx8888", TEX_FORMAT_B8G8R8X8, true }, { "rgb888", TEX_FORMAT_B8G8R8, true },
	{ "rgb565", TEX_FORMAT_B5G6R5, false }, { "rgba5551", TEX_FORMAT_B5G5R5A1, false },
	{ "rgba4444", TEX_FORMAT_B4G4R4A4, false }, { "l8", TEX_FORMAT_L8, false },
	{ "a8", TEX_FORMAT_A8, false }, { "i8", TEX_FORMAT_I8, false }, { "la88", TEX_FORMAT_L8A8, false },
	{ "l16", TEX_FORMAT_L16, false }, { "rgba16f", TEX_FORMAT_B16G16R16A16F, true },
	/* Of which texels are only given as bytes. */
	{ "etc1", TEX_FORMAT_ETC1, false }, { "a16", TEX_FORMAT_A16, false }, { "i16", TEX_FORMAT_I16, false },
	{ "l16f", TEX_FORMAT_L16F, false }, { "a16f", TEX_FORMAT_A16F, false }, { "i16f", TEX_FORMAT_I16F, false },
	{ "la16f", TEX_FORMAT_L16A16F, false }, { "bgr16f", TEX_FORMAT_B16G16R16F, false },
	{ "z24x8", TEX_FORMAT_Z24X8, false }, { "z24s8", TEX_FORMAT_Z24S8_RELOAD, false },
};

const struct utgard_texel *limn_utgard_texel_at(unsigned int index)
{
	return index < sizeof(texels) / sizeof(texels[0]) ? &texels[index] : NULL;
}

const struct utgard_texel *limn_utgard_texel_find(const char *name)
{
	for (unsigned int i = 0; limn_utgard_texel_at(i); i++)
		if (!strcmp(texels[i].name, name))
			return &texels[i];
	return NULL;
}

uint32_t limn_utgard_texel_bytes(const struct utgard_texel *texel)
{
	return utgard_texel_formats[texel->format].bytes;
}

uint32_t limn_utgard_texel_side(const struct utgard_texel *texel)
{
	return utgard_texel_formats[texel->format].kind == UTGARD_BLOCK ? 4 : 1;
}

static uint32_t minify(uint32_t size, uint32_t level)
{
	return size >> level ? size >> level : 1;
}

uint32_t limn_utgard_image_max_levels(uint32_t width, uint32_t height)
{
	uint32_t levels = 1;

	while (width >> levels || height >> levels)
		levels++;
	return levels;
}

int limn_utgard_image_layout(struct utgard_image *image, struct limn_error *err)
{
	uint32_t at = 0;

	if (!image->width || !image->height || image->width > UTGARD_MAX_SIZE ||
	    image->height > UTGARD_MAX_SIZE)
		return limn_fail(err, -EINVAL, "a texture is 1x1 to %ux%u, not %ux%u",
				 UTGARD_MAX_SIZE, UTGARD_MAX_SIZE, image->width, image->height);
	if (!image->levels || image->levels > TEX_MAX_LEVELS ||
	    image->levels > limn_utgard_image_max_levels(image->width, image->height))
		return limn_fail(err, -EINVAL, "a texture of %ux%u has 1 to %u levels, not %u",
				 image->width, image->height,
				 limn_utgard_image_max_levels(image->width, image->height),
				 image->levels);
	for (uint32_t i = 0; i < image->levels; i++) {
		uint32_t w = (minify(image->width, i) + 15) & ~15u, side = limn_utgard_texel_side(image->texel);
		uint32_t h = (minify(image->height, i) + 15) & ~15u;

		image->offset[i] = at;
		image->stride[i] = w / side * limn_utgard_texel_bytes(image->texel);
		image->slice[i] = image->stride[i] * (h / side);
		at += (image->slice[i] * limn_utgard_image_slices(image, i) + 63) & ~63u;
	}
	image->bytes = at;
	return 0;
}

uint32_t limn_utgard_image_slices(const struct utgard_image *image, uint32_t level)
{
	return image->cube ? 6 : image->depth ? minify(image->depth, level) : 1;
}

/* Where in its level element (x, y) is: a texel, or a block of texels. */
static uint32_t place(const struct utgard_image *image, uint32_t level, uint32_t x, uint32_t y)
{
	uint32_t bytes = limn_utgard_texel_bytes(image->texel), side = 16 / limn_utgard_texel_side(image->texel);

	if (!image->tiled)
		return y * image->stride[level] + x * bytes;
	return y / side * side * image->stride[level] +
	       (x / side * side * side + utgard_tile_index(x % side, y % side)) * bytes;
}

void limn_utgard_image_store(const struct utgard_image *image, uint32_t level, const float *rgba,
			     uint8_t *map)
{
	uint32_t w = minify(image->width, level), h = minify(image->height, level);

	for (uint32_t i = 0; i < w * h; i++)
		encode(image->texel, rgba + 4 * i, map + image->offset[level] + place(image, level, i % w, i / w));
}

uint32_t limn_utgard_image_store_bytes(const struct utgard_image *image, uint32_t level, uint32_t slice,
				       const uint8_t *rows, uint8_t *map)
{
	uint32_t side = limn_utgard_texel_side(image->texel), bytes = limn_utgard_texel_bytes(image->texel);
	uint32_t w = (minify(image->width, level) + side - 1) / side;
	uint32_t h = (minify(image->height, level) + side - 1) / side;

	map += image->offset[level] + slice * image->slice[level];
	for (uint32_t i = 0; rows && i < w * h; i++)
		memcpy(map + place(image, level, i % w, i / w), rows + i * bytes, bytes);
	return w * h * bytes;
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

void limn_utgard_texture_desc(uint32_t *desc, const struct utgard_image *image, uint32_t va,
			      const struct utgard_sampler *s)
{
	uint32_t min_lod = s->mip ? lod(s->min_lod, image) : 0;
	uint32_t max_lod = s->mip ? lod(s->max_lod, image) : 0;

	memset(desc, 0, TEX_DESC_WORDS_FOR(image->levels) * 4);
	utgard_set(desc, TEX_FORMAT, image->texel->format);
	utgard_set(desc, TEX_SWAP_RB, image->texel->swap_rb);
	utgard_set(desc, TEX_UNNORM_COORDS, s->unnormalised);
	utgard_set(desc, TEX_DIM, image->cube || image->depth ? TEX_DIM_3D : TEX_DIM_2D);
	utgard_set(desc, TEX_CUBE_MAP, image->cube);
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
	utgard_set(desc, TEX_DEPTH, image->depth ? image->depth : 1);
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
