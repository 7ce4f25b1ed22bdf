/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * What the Utgard PP reads: the tile list that a driver writes, the polygon
 * lists that the GP's PLBU writes, and the values of frame and write-back
 * registers (their offsets are in regs.h).
 *
 * Facts on the tile list and the registers: Mesa lima_job.c, lima_gpu.h,
 * limare plb.c, pp.c, ioctl_registers.h, formats.h; names of frame registers:
 * ARM's GPL kernel driver. What is inside the polygon lists is not public.
 */
#ifndef LIMN_UTGARD_PP_STREAM_H
#define LIMN_UTGARD_PP_STREAM_H

#include <limn/utgard/field.h>

#define PP_TILE_SIZE			16	/* pixels, both ways */

/*
 * Tile list: commands of two words. Per tile of a frame (known from drivers):
 *	0,                     PPS_BEGIN_TILE | x | y << 8	tile coordinates
 *	PPS_CALL_WORD(plb),    PPS_CALL				run the polygon list, end the tile
 * and at the end
 *	0,                     PPS_END
 */
#define PPS_OPCODE(hi)			((hi) >> 28)
#define PPS_BEGIN_TILE			0xb8000000u
#define   PPS_TILE_X			7, 0
#define   PPS_TILE_Y			15, 8
#define PPS_CALL			0xb0000000u
#define   PPS_CALL_WORD(va)		(0xe0000002u | (((va) >> 3) & 0x1ffffffcu))
#define PPS_END				0xbc000000u
#define PPS_TARGET(lo)			(((lo) & 0x1ffffffcu) << 3)	/* 32-byte aligned */
#define PPS_TARGET_TYPE(lo)		((lo) & 0xe0000003u)
#define   PPS_TARGET_CALL		0xe0000002u
#define   PPS_TARGET_JUMP		0xe0000000u

/*
 * Polygon list: commands of two words (low, high), written by the PLBU. That
 * they have 8 bytes and hold triangles, rectangles, lines and points is known
 * from the names of the performance counters (ARM's gator, events-Mali-4xx.xml).
 * GUESS: the whole encoding below; nothing public says what the hardware's is.
 * It keeps the known commands' shape: 0x7 and 0x8 are the PLBU's own scissor
 * and RSW commands passed through, 0xb and the target word are the tile list's.
 * State (RSW, scissor, size) holds from its command to the end of the list and
 * starts undefined in each list, except the scissor, which starts as the frame.
 */
#define PLB_OP_NOP			0x0	/* 0, 0 */
#define PLB_OP_TRIANGLE			0x1
#define PLB_OP_LINE			0x2
#define PLB_OP_POINT			0x3
#define PLB_OP_RECT			0x4	/* three corners of a rectangle, right-angled at the second */
#define PLB_OP_SIZE			0x5	/* low: float, diameter of points, width of lines, pixels */
#define PLB_OP_SCISSOR			0x7	/* as the PLBU command */
#define PLB_OP_RSW			0x8	/* as the PLBU command */
#define PLB_OP_JUMP			0xa	/* low: PPS_TARGET_JUMP | address >> 3 */
#define PLB_OP_RETURN			0xf	/* end of this list */

/* Primitives: up to three vertex indices of 20 bits, counted from the vertex array's start. */
#define PLB_INDEX_MAX			0xfffffu
#define PLB_PRIM_LO(i0, i1)		((unsigned int)(i0) | (unsigned int)(i1) << 20)
#define PLB_PRIM_HI(op, i1, i2)		((unsigned int)(op) << 28 | (unsigned int)(i2) << 8 | \
					 (unsigned int)(i1) >> 12)
#define PLB_PRIM_I0(lo, hi)		((lo) & 0xfffffu)
#define PLB_PRIM_I1(lo, hi)		((lo) >> 20 | ((hi) & 0xffu) << 12)
#define PLB_PRIM_I2(lo, hi)		((hi) >> 8 & 0xfffffu)

#define PLB_SIZE_HI			(PLB_OP_SIZE << 28)

/* RSW: low is the RSW's address, high the position array's address >> 4. */
#define PLB_RSW_HI(gl_pos)		((unsigned int)PLB_OP_RSW << 28 | (gl_pos) >> 4)
#define PLB_RSW_GL_POS(hi)		(((hi) & 0x0fffffffu) << 4)

/* Scissor, all bounds inclusive, pixels. */
#define PLB_SCISSOR_LO(x0, y0, y1)	((unsigned int)(x0) << 30 | (unsigned int)(y1) << 15 | (y0))
#define PLB_SCISSOR_HI(x0, x1)		((unsigned int)PLB_OP_SCISSOR << 28 | \
					 (unsigned int)(x1) << 13 | (unsigned int)(x0) >> 2)
#define PLB_SCISSOR_X0(lo, hi)		((lo) >> 30 | ((hi) & 0x1fffu) << 2)
#define PLB_SCISSOR_X1(lo, hi)		((hi) >> 13 & 0x7fffu)
#define PLB_SCISSOR_Y0(lo, hi)		((lo) & 0x7fffu)
#define PLB_SCISSOR_Y1(lo, hi)		((lo) >> 15 & 0x7fffu)

#define PLB_JUMP_HI			((unsigned int)PLB_OP_JUMP << 28)
#define PLB_JUMP_LO(va)			(PPS_TARGET_JUMP | (((va) >> 3) & 0x1ffffffcu))
#define PLB_RETURN_HI			((unsigned int)PLB_OP_RETURN << 28)

/* A polygon list's first block, one per block of tiles (Mesa LIMA_CTX_PLB_BLK_SIZE). */
#define PLB_BLOCK_BYTES			512

/* A vertex in the position array: x, y in pixels, y down; z in [0, 1]; 1/w. */
#define PLB_POSITION_BYTES		16

/* Frame registers: fields. */
#define PP_FEATURES_FP16		0, 0	/* tile buffer with 16-bit floats */
#define PP_FEATURES_ACTIVE		1, 1	/* always set by drivers; set at reset */
#define PP_FEATURES_ONSCREEN		5, 5	/* limare, with supersampling on Mali-200 */
#define PP_FEATURES_KNOWN		0x00000023u
#define PP_CLEAR_DEPTH_MASK		0x00ffffffu
#define PP_CLEAR_STENCIL_MASK		0x000000ffu
/* Clear colour: RGBA8, red lowest, one register per sample; FP16: 4 x unorm16 in the first two. */
#define PP_BOUND_BOX_LOW		31, 16	/* GUESS: left, bottom; drivers write 0 */
#define PP_BOUND_BOX_HIGH		15, 0	/* width - 1, height - 1 */
#define PP_STACK_SIZE_SIZE		31, 16	/* drivers write the same to both */
#define PP_STACK_SIZE_OFFSET		15, 0
#define PP_PLIST_SHIFT_MIN		31, 28	/* min(shift_w, shift_h, 2) */
#define PP_PLIST_SHIFT_H		27, 16	/* log2 of tiles that share a list */
#define PP_PLIST_SHIFT_W		15, 0
/* Values that Mesa writes and that are known to work, not taken apart by anybody. */
#define PP_ORIGIN_OFFSET_X_DRIVER	1
#define PP_SUBPIXEL_DRIVER		0x77
#define PP_TIEBREAK_DRIVER		1
#define PP_SCALING_DRIVER		0xe0c
#define PP_SCALING_LIMARE		0x10c
#define PP_ORIGIN_OFFSET_Y_DRIVER(height)	((height) * 2 - 1)
/* Bits per channel of the tile buffer's use: alpha, red, green, blue from the top. */
#define PP_CHANNELS_8888		0x8888
#define PP_CHANNELS_8565		0x8565
#define PP_CHANNELS_8444		0x8444

/* Write-back units. */
#define PP_WB_SOURCE_NONE		0
#define PP_WB_SOURCE_DEPTH_STENCIL	1
#define PP_WB_SOURCE_COLOR		2
/* Formats, channels from the lowest bit up; PP_WB_FLAG_SWAP_RB: red and blue change places. */
#define PP_WB_B5G6R5			0x00
#define PP_WB_B5G5R5A1			0x01
#define PP_WB_B4G4R4A4			0x02
#define PP_WB_B8G8R8A8			0x03
#define PP_WB_B8			0x04
#define PP_WB_G8B8			0x05	/* Mesa's R8G8 with swap: red in byte 0, green in byte 1 */
#define PP_WB_B16G16R16A16F		0x06
#define PP_WB_B16F			0x07
#define PP_WB_G16B16F			0x08
#define PP_WB_S8			0x0d
#define PP_WB_Z16			0x0e
#define PP_WB_Z24S8			0x0f	/* depth in 23:0, stencil in 31:24 */
#define PP_WB_LAYOUT_LINEAR		0	/* pitch: bytes a row / 8 */
#define PP_WB_LAYOUT_TILED		2	/* 16x16 blocks; pitch: blocks a row */
#define PP_WB_FLAG_SWAP_RB		UTGARD_BIT(2)
#define PP_WB_FLAGS_KNOWN		PP_WB_FLAG_SWAP_RB
#define PP_WB_PITCH_LINEAR(stride)	((stride) / 8)
#define PP_WB_PITCH_TILED(width)	(((width) + 15) / 16)
/* MRT_BITS: sample i goes to address + i * MRT_PITCH; 0: one surface, samples averaged. */

#endif
