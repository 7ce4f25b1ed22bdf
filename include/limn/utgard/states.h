/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * State of Utgard GPUs. states.inc is the only copy; this header turns it into
 * constants, and whoever needs to walk it defines the rows and includes it
 * again, as with limn/vivante/states.h. Rows:
 *	UTG_BLOCK(block, count, words)	what follows belongs to it; there are count of them
 *	UTG_WORD(block, index, name, kind)	constant BLOCK_NAME: the word's index
 *	UTG_REG(block, at, name, kind)	constant BLOCK_NAME: the register's offset or number
 *	UTG_FIELD(block, name, word, hi, lo, kind)
 *		bits hi:lo of that word, hi > 31 reaches into the next: BLOCK_NAME__BIT,
 *		counted from the block's first word, and BLOCK_NAME__WIDTH
 *		kind: UINT, INT (two's complement), HEX, ADDR, FLOAT, BOOL, or an enumeration
 *	UTG_ENUM(name), UTG_VALUE(enum, prefix, name, value)	constant PREFIX_NAME
 *	UTG_TEXEL, UTG_PIXEL(name, value, bytes, kind, places of the channels)
 *		values of the enumerations TEXEL and PIXEL: TEX_FORMAT_NAME, PP_WB_NAME;
 *		formats.h has them as tables
 */
#ifndef LIMN_UTGARD_STATES_H
#define LIMN_UTGARD_STATES_H

#include <limn/utgard/field.h>

enum {
#define UTG_WORD(block, index, name, kind) block##_##name = index,
#define UTG_REG(block, at, name, kind) block##_##name = at,
#define UTG_FIELD(block, name, word, hi, lo, kind) \
	block##_##name##__BIT = 32 * (word) + (lo), block##_##name##__WIDTH = (hi) - (lo) + 1,
#define UTG_VALUE(name, prefix, value_name, value) prefix##_##value_name = value,
#include <limn/utgard/states.inc>
};

#define RSW_WORDS			16
#define RSW_BYTES			64
#define RSW_KNOWN_CONST			0x00ff00ffu	/* of words 0 and 1 */
#define RSW_BLEND_UNKNOWN_24_4_DRAW	0xc
#define RSW_SHADER_MASK			0xffffffe0u
#define RSW_MAX_VARYINGS		12
#define RSW_VARYINGS_MASK		0xfffffff0u
#define RSW_UNIFORMS_MASK		0xfffffff0u
#define RSW_AUX0_EARLY_Z_ON		3
#define RSW_AUX0_EARLY_Z_TESTS		2
#define RSW_AUX1_KNOWN			0x00013000u

/* Bytes before varying `type` at or after `offset`, and bytes that it takes. */
#define RSW_VARYING_ALIGN(type)		((type) < RSW_VARYING_F16X4 ? 16u : 8u)
#define RSW_VARYING_SIZE(type)		((type) < RSW_VARYING_F16X4 ? 16u : 8u)

static inline unsigned int rsw_varying_type(const unsigned int *rsw, unsigned int i)
{
	if (i < 10)
		return rsw[RSW_VARYING_TYPES] >> (3 * i) & 7;
	if (i == 10)
		return rsw[RSW_VARYING_TYPES] >> 30 | (rsw[RSW_VARYINGS_ADDRESS] & 1) << 2;
	return rsw[RSW_VARYINGS_ADDRESS] >> 1 & 7;
}

#define TEX_DESC_WORDS			16	/* a minimal descriptor */
#define TEX_DESC_ALIGN			64
#define TEX_MAX_LEVELS			13
#define TEX_LEVEL_SHIFT			6
/* Words that a descriptor with `levels` levels takes, a multiple of 16. */
#define TEX_DESC_WORDS_FOR(levels)	(((TEX_LEVEL0__BIT + TEX_LEVEL0__WIDTH * (levels) + 511) / 512) * 16)

static inline unsigned int utgard_tex_level(const unsigned int *desc, unsigned int level)
{
	return utgard_bits_get(desc, TEX_LEVEL0__BIT + TEX_LEVEL0__WIDTH * level, TEX_LEVEL0__WIDTH);
}

static inline void utgard_tex_set_level(unsigned int *desc, unsigned int level, unsigned int value)
{
	utgard_bits_set(desc, TEX_LEVEL0__BIT + TEX_LEVEL0__WIDTH * level, TEX_LEVEL0__WIDTH, value);
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
	/* Both at once, y in the upper half: each bit moves to twice its place. */
	unsigned int bits = ((x ^ y) & 0xf) | (y & 0xf) << 16;

	bits = (bits | bits << 2) & 0x00330033;
	bits = (bits | bits << 1) & 0x00550055;
	return (bits | bits >> 15) & 0xff;
}

#define PP_CLEAR_COLOR(i)		(PP_CLEAR_COLOR0 + 4 * (i))
#define PP_FRAME_WORDS			23
#define PP_WB(i)			(0x0100 * ((i) + 1))
#define PP_WB_WORDS			12
#define PP_WB_UNITS			3
#define PP_FEATURES_KNOWN		0x00000023u
#define PP_SCALING_KNOWN		0x00770f0fu
#define PP_CLEAR_DEPTH_MASK		0x00ffffffu
#define PP_CLEAR_STENCIL_MASK		0x000000ffu
/* Values that Mesa writes and that are known to work, not taken apart by anybody. */
#define PP_ORIGIN_OFFSET_X_DRIVER	1
#define PP_SUBPIXEL_DRIVER		0x77
#define PP_TIEBREAK_DRIVER		1
#define PP_SCALING_DRIVER		0xe0c
#define PP_ORIGIN_OFFSET_Y_DRIVER(height)	((height) * 2 - 1)
#define PP_WB_FLAG_SWAP_RB		UTGARD_MASK(PP_WB_SWAP_RB)
#define PP_WB_FLAGS_KNOWN		PP_WB_FLAG_SWAP_RB
#define PP_WB_PITCH_LINEAR(stride)	((stride) / 8)
#define PP_WB_PITCH_TILED(width)	(((width) + 15) / 16)

#endif
