/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Texture descriptor of the Utgard PP: 16 words or more, 64-byte aligned,
 * fields packed without regard to word borders. A field is "bit offset from
 * the start, width", for utgard_tex_get() and utgard_tex_set().
 *
 * Facts: Mesa lima_texture.[ch], lima_format.c, lima_blit.c, lima_resource.c,
 * lima_parser.c; limare formats.h.
 */
#ifndef LIMN_UTGARD_TEXTURE_H
#define LIMN_UTGARD_TEXTURE_H

#define TEX_DESC_WORDS			16	/* a minimal descriptor */
#define TEX_DESC_ALIGN			64
#define TEX_MAX_LEVELS			13

#define TEX_FORMAT			0, 6
#define TEX_UNKNOWN_6_1			6, 1
#define TEX_SWAP_RB			7, 1
#define TEX_UNKNOWN_8_8			8, 8
#define TEX_STRIDE			16, 15	/* bytes a row; with TEX_HAS_STRIDE */
#define TEX_UNKNOWN_31_8		31, 8
#define TEX_UNNORM_COORDS		39, 1
#define TEX_UNKNOWN_40_1		40, 1
#define TEX_CUBE_MAP			41, 1
#define TEX_DIM				42, 2
#define   TEX_DIM_1D			0
#define   TEX_DIM_2D			1
#define   TEX_DIM_3D			2	/* cube maps too */
#define TEX_MIN_LOD			44, 8	/* unsigned 4.4 */
#define TEX_MAX_LOD			52, 8	/* unsigned 4.4 */
#define TEX_LOD_BIAS			60, 9	/* signed 4.4 */
#define TEX_UNKNOWN_69_3		69, 3
#define TEX_HAS_STRIDE			72, 1
#define TEX_MIPFILTER			73, 2
#define   TEX_MIPFILTER_NEAREST		0
#define   TEX_MIPFILTER_LINEAR		3
#define TEX_MIN_NEAREST			75, 1
#define TEX_MAG_NEAREST			76, 1
#define TEX_WRAP_S			77, 3
#define TEX_WRAP_T			80, 3
#define TEX_WRAP_R			83, 3
#define   TEX_WRAP_REPEAT		0
#define   TEX_WRAP_CLAMP_TO_EDGE	1
#define   TEX_WRAP_CLAMP		2
#define   TEX_WRAP_CLAMP_TO_BORDER	3
#define   TEX_WRAP_MIRROR_REPEAT	4
#define   TEX_WRAP_MIRROR_CLAMP_TO_EDGE	5
#define   TEX_WRAP_MIRROR_CLAMP		6
#define   TEX_WRAP_MIRROR_CLAMP_TO_BORDER 7
#define TEX_WIDTH			86, 13	/* texels of the first level */
#define TEX_HEIGHT			99, 13
#define TEX_DEPTH			112, 13
#define TEX_BORDER_RED			125, 16	/* unorm16 */
#define TEX_BORDER_GREEN		141, 16
#define TEX_BORDER_BLUE			157, 16
#define TEX_BORDER_ALPHA		173, 16
#define TEX_UNKNOWN_189_16		189, 16
#define TEX_LAYOUT			205, 2
#define   TEX_LAYOUT_LINEAR		0
#define   TEX_LAYOUT_TILED		3	/* 16x16 blocks, see utgard_tile_index() */
#define TEX_UNKNOWN_207_15		207, 15
/* Level 0, 1, ...: the address >> 6, 26 bits each, packed. */
#define TEX_LEVEL(i)			(222 + 26 * (i)), 26
#define TEX_LEVEL_SHIFT			6

/* Words that a descriptor with `levels` levels takes, a multiple of 16. */
#define TEX_DESC_WORDS_FOR(levels)	(((222 + 26 * (levels) + 511) / 512) * 16)

/*
 * Formats, channels from the lowest bit up; a letter's bits are unorm. With
 * TEX_SWAP_RB red and blue change places.
 */
#define TEX_FORMAT_L8			0x09
#define TEX_FORMAT_A8			0x0a
#define TEX_FORMAT_I8			0x0b
#define TEX_FORMAT_B5G6R5		0x0e
#define TEX_FORMAT_B5G5R5A1		0x0f
#define TEX_FORMAT_B4G4R4A4		0x10
#define TEX_FORMAT_L8A8			0x11
#define TEX_FORMAT_L16			0x12
#define TEX_FORMAT_A16			0x13
#define TEX_FORMAT_I16			0x14
#define TEX_FORMAT_B8G8R8		0x15
#define TEX_FORMAT_B8G8R8A8		0x16
#define TEX_FORMAT_B8G8R8X8		0x17
#define TEX_FORMAT_ETC1			0x20	/* 4x4 texels in 8 bytes */
#define TEX_FORMAT_L16F			0x22
#define TEX_FORMAT_A16F			0x23
#define TEX_FORMAT_I16F			0x24
#define TEX_FORMAT_L16A16F		0x25
#define TEX_FORMAT_B16G16R16A16F	0x26
#define TEX_FORMAT_Z24X8		0x2c
#define TEX_FORMAT_B16G16R16F		0x2f
#define TEX_FORMAT_Z24S8_RELOAD		0x32	/* raw, for RSW_DEPTH_SHADER_PACKED */

static inline unsigned int utgard_tex_get(const unsigned int *desc, unsigned int bit,
					  unsigned int width)
{
	unsigned int word = bit / 32, shift = bit % 32;
	unsigned int v = desc[word] >> shift;

	if (shift + width > 32)
		v |= desc[word + 1] << (32 - shift);
	return v & (0xffffffffu >> (32 - width));
}

static inline void utgard_tex_set(unsigned int *desc, unsigned int bit, unsigned int width,
				  unsigned int value)
{
	unsigned int word = bit / 32, shift = bit % 32;
	unsigned int mask = 0xffffffffu >> (32 - width);

	value &= mask;
	desc[word] = (desc[word] & ~(mask << shift)) | value << shift;
	if (shift + width > 32)
		desc[word + 1] = (desc[word + 1] & ~(mask >> (32 - shift))) |
				 value >> (32 - shift);
}

/*
 * Place of element (x, y) within a 16x16 block: the bits of y and of x ^ y
 * interleaved, y on top. Blocks follow each other row by row; a texture's rows
 * of blocks are as wide as its width rounded up to 16. Compressed formats
 * count their 4x4 blocks as elements, so a block of 16x16 texels has 4x4
 * elements and two bits of each coordinate. Source: the layout Mesa's
 * panfrost/shared/pan_tiling.c and lima_resource.c store and load.
 */
static inline unsigned int utgard_tile_index(unsigned int x, unsigned int y)
{
	unsigned int i, index = 0;

	x ^= y;
	for (i = 0; i < 4; i++)
		index |= (x >> i & 1) << (2 * i) | (y >> i & 1) << (2 * i + 1);
	return index;
}

#endif
