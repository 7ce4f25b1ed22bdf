/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * What the Utgard PP reads: the tile list that a driver writes, the polygon
 * lists that the GP's PLBU writes. Frame and write-back registers: states.inc.
 *
 * Facts on the tile list: Mesa lima_job.c, limare plb.c, pp.c. What is inside
 * the polygon lists is not public.
 */
#ifndef LIMN_UTGARD_PP_STREAM_H
#define LIMN_UTGARD_PP_STREAM_H

#include <limn/utgard/states.h>

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
#define   PPS_TILE_X(hi)		((hi) & 0xff)
#define   PPS_TILE_Y(hi)		((hi) >> 8 & 0xff)
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

#endif
