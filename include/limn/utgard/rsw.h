/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Render state word (RSW) of the Utgard PP: 16 words, 64 bytes, 64-byte
 * aligned, one per draw. Fields are "high, low" bits for UTGARD_GET/SET.
 *
 * Facts: Mesa lima_draw.c, lima_parser.c, lima_blit.c (what a driver writes and
 * works on hardware), limare render_state.h and gp.c. A field that nobody has
 * identified is unknown_<lo>_<width>; RSW_KNOWN_* are the bits with a meaning.
 */
#ifndef LIMN_UTGARD_RSW_H
#define LIMN_UTGARD_RSW_H

#include <limn/utgard/field.h>

#define RSW_WORDS			16
#define RSW_BYTES			64

/* Word index of each part. */
#define RSW_BLEND_COLOR_BG		0
#define RSW_BLEND_COLOR_RA		1
#define RSW_ALPHA_BLEND			2
#define RSW_DEPTH_TEST			3
#define RSW_DEPTH_RANGE			4
#define RSW_STENCIL_FRONT		5
#define RSW_STENCIL_BACK		6
#define RSW_STENCIL_TEST		7
#define RSW_MULTI_SAMPLE		8
#define RSW_SHADER_ADDRESS		9
#define RSW_VARYING_TYPES		10
#define RSW_UNIFORMS_ADDRESS		11
#define RSW_TEXTURES_ADDRESS		12
#define RSW_AUX0			13
#define RSW_AUX1			14
#define RSW_VARYINGS_ADDRESS		15

/* Words 0 and 1: blend constant, 8-bit unorm in the low byte of each half. */
#define RSW_CONST_BLUE			7, 0
#define RSW_CONST_GREEN			23, 16
#define RSW_CONST_RED			7, 0
#define RSW_CONST_ALPHA			23, 16
#define RSW_KNOWN_CONST			0x00ff00ffu

/* Word 2: result = func(source * source factor, destination * destination factor). */
#define RSW_BLEND_FUNC_RGB		2, 0
#define RSW_BLEND_FUNC_ALPHA		5, 3
#define   RSW_BLEND_SUBTRACT		0	/* source - destination */
#define   RSW_BLEND_REVERSE_SUBTRACT	1
#define   RSW_BLEND_ADD			2
#define   RSW_BLEND_MIN			4	/* min(S * s + D * d, D); GL's is s = 1, d = 0 */
#define   RSW_BLEND_MAX			5
#define RSW_BLEND_SRC_RGB		10, 6
#define RSW_BLEND_DST_RGB		15, 11
#define RSW_BLEND_SRC_ALPHA		19, 16	/* the alpha factors have no RSW_FACTOR_ALPHA bit */
#define RSW_BLEND_DST_ALPHA		23, 20
/* A factor: source in bits 2:0, inverted (1 - x), taken from the alpha channel. */
#define   RSW_FACTOR_SRC		0
#define   RSW_FACTOR_DST		1
#define   RSW_FACTOR_CONST		2
#define   RSW_FACTOR_ZERO		3	/* inverted: one */
#define   RSW_FACTOR_SRC_ALPHA_SATURATE	4	/* rgb only */
#define   RSW_FACTOR_SRC1		5	/* second colour of the shader, see aux0 */
#define   RSW_FACTOR_INVERT		8
#define   RSW_FACTOR_ALPHA		16
#define   RSW_FACTOR_ONE		(RSW_FACTOR_ZERO | RSW_FACTOR_INVERT)
/* Mesa writes 0xc when it draws and 0 when it reloads the tile buffer; meaning unknown. */
#define RSW_BLEND_UNKNOWN_24_4		27, 24
#define   RSW_BLEND_UNKNOWN_24_4_DRAW	0xc
#define RSW_COLOR_MASK			31, 28	/* bit 28 red, 29 green, 30 blue, 31 alpha */

/* Compare functions of depth, stencil and alpha test: new FUNC stored. */
#define   RSW_NEVER			0
#define   RSW_LESS			1
#define   RSW_EQUAL			2
#define   RSW_LEQUAL			3
#define   RSW_GREATER			4
#define   RSW_NOTEQUAL			5
#define   RSW_GEQUAL			6
#define   RSW_ALWAYS			7

/* Word 3 */
#define RSW_DEPTH_WRITE			0, 0
#define RSW_DEPTH_FUNC			3, 1
#define RSW_DEPTH_NO_CLIP_NEAR		4, 4
#define RSW_DEPTH_NO_CLIP_FAR		5, 5
#define RSW_DEPTH_REG			9, 6	/* shader register with depth and stencil */
#define RSW_DEPTH_SHADER_PACKED		10, 10	/* set for a reload from Z24S8, see RSW_DEPTH_REG */
#define RSW_DEPTH_SHADER_DEPTH		11, 11
#define RSW_DEPTH_SHADER_STENCIL	12, 12
#define RSW_DEPTH_UNKNOWN_13_3		15, 13
#define RSW_DEPTH_OFFSET_SCALE		23, 16	/* signed, 1/4 */
#define RSW_DEPTH_OFFSET_UNITS		31, 24	/* signed, 1/2 */

/* Word 4: unorm16 each. */
#define RSW_DEPTH_RANGE_NEAR		15, 0
#define RSW_DEPTH_RANGE_FAR		31, 16

/* Words 5 and 6: compare is (ref & mask) FUNC (stored & mask). */
#define RSW_STENCIL_FUNC		2, 0
#define RSW_STENCIL_FAIL		5, 3
#define RSW_STENCIL_ZFAIL		8, 6
#define RSW_STENCIL_ZPASS		11, 9
#define   RSW_STENCIL_KEEP		0
#define   RSW_STENCIL_REPLACE		1
#define   RSW_STENCIL_ZERO		2
#define   RSW_STENCIL_INVERT		3
#define   RSW_STENCIL_INCR_WRAP		4
#define   RSW_STENCIL_DECR_WRAP		5
#define   RSW_STENCIL_INCR		6
#define   RSW_STENCIL_DECR		7
#define RSW_STENCIL_UNKNOWN_12_4	15, 12
#define RSW_STENCIL_REF			23, 16
#define RSW_STENCIL_MASK		31, 24

/* Word 7 */
#define RSW_STENCIL_WRITE_FRONT		7, 0
#define RSW_STENCIL_WRITE_BACK		15, 8
#define RSW_ALPHA_REF			23, 16	/* unorm8 */
#define RSW_STENCIL_TEST_UNKNOWN_24_8	31, 24

/* Word 8 */
#define RSW_ALPHA_FUNC			2, 0
#define RSW_MSAA			6, 3	/* 0xd with multisampling, else 0 */
#define   RSW_MSAA_ON			0xd
#define   RSW_MSAA_CLEAR_RSW		0x1	/* the frame's RSW, written by Mesa and limare */
#define RSW_ALPHA_TO_COVERAGE		7, 7
#define RSW_ALPHA_TO_ONE		8, 8
#define RSW_MULTI_SAMPLE_UNKNOWN_9_1	9, 9
#define RSW_PRIM_TYPE			11, 10
#define   RSW_PRIM_POINTS		0
#define   RSW_PRIM_LINES		1
#define   RSW_PRIM_TRIANGLES		2
#define RSW_SAMPLE_MASK			15, 12
#define RSW_COLOR_REG			19, 16	/* shader register of gl_FragColor, four times (31:16) */
#define RSW_COLOR_REG1			23, 20
#define RSW_COLOR_REG2			27, 24
#define RSW_COLOR_REG3			31, 28

/* Word 9: 32-byte aligned address | length in words of the first instruction. */
#define RSW_SHADER_FIRST_LENGTH		4, 0
#define RSW_SHADER_MASK			0xffffffe0u

/*
 * Word 10 (varyings 0 to 9 and two bits of the 10th), low bits of word 15 (the
 * 10th's top bit in bit 0, the 11th in 3:1): storage of each varying, 3 bits.
 * Mesa places 32-bit varyings at 16-byte aligned offsets and gives them 16
 * bytes, 16-bit ones 8 bytes, in order, and so must the hardware.
 */
#define RSW_VARYING_F32X4		0
#define RSW_VARYING_F32X2		1
#define RSW_VARYING_F16X4		2
#define RSW_VARYING_F16X2		3
#define RSW_MAX_VARYINGS		12
#define RSW_VARYINGS_MASK		0xfffffff0u
#define RSW_VARYINGS_TAIL		3, 0

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

/*
 * Word 11: address of a word that holds the address of the fp16 uniforms,
 * 16-byte aligned | log2 of their size in units of 8 bytes, rounded up.
 */
#define RSW_UNIFORMS_LOG2		3, 0
#define RSW_UNIFORMS_MASK		0xfffffff0u

/* Word 12: address of an array of texture descriptor addresses. */

/* Word 13 */
#define RSW_AUX0_VARYING_STRIDE		4, 0	/* bytes >> 3 */
#define RSW_AUX0_HAS_SAMPLERS		5, 5
#define RSW_AUX0_UNKNOWN_6_1		6, 6
#define RSW_AUX0_HAS_UNIFORMS		7, 7
#define RSW_AUX0_EARLY_Z		9, 8	/* Mesa: both or none */
#define   RSW_AUX0_EARLY_Z_ON		3
#define RSW_AUX0_UNKNOWN_10_2		11, 10
#define RSW_AUX0_PIXEL_KILL		12, 12
#define RSW_AUX0_UNKNOWN_13_1		13, 13
#define RSW_AUX0_NUM_SAMPLERS		27, 14
#define RSW_AUX0_COLOR1_REG		31, 28	/* second colour, for RSW_FACTOR_SRC1 */

/* Word 14 */
#define RSW_AUX1_FRONT_CCW		12, 12
#define RSW_AUX1_DITHER			13, 13
#define RSW_AUX1_HAS_UNIFORMS		16, 16
#define RSW_AUX1_KNOWN			0x00013000u

#endif
