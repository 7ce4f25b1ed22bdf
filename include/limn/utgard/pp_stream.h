/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * What the Utgard PP reads: the tile list that a driver writes, the polygon
 * lists that the GP's PLBU writes; their commands are in limn/utgard/commands.inc.
 * Frame and write-back registers: states.inc.
 *
 * A tile list has for each tile of a frame BEGIN, then CALL, which runs the polygon
 * list and ends the tile; at the end END. In a polygon list state (RSW, scissor, size)
 * holds from its command to the end of the list and starts undefined in each list,
 * except the scissor, which starts as the frame.
 *
 * Facts on the tile list: Mesa lima_job.c, limare plb.c, pp.c.
 */
#ifndef LIMN_UTGARD_PP_STREAM_H
#define LIMN_UTGARD_PP_STREAM_H

#include <limn/utgard/commands.h>
#include <limn/utgard/states.h>

#define PP_TILE_SIZE			16	/* pixels, both ways */

#define PPS_BEGIN_TILE			UTGARD_W1(UTGARD_COMMAND(TILE_BEGIN))
#define PPS_CALL			UTGARD_W1(UTGARD_COMMAND(TILE_CALL))
#define PPS_END				UTGARD_W1(UTGARD_COMMAND(TILE_END))
/* The word with an address: its operand, and what it is for. */
#define PPS_CALL_WORD(va)		(PPS_TARGET_CALL | UTGARD_W0(UTGARD_OPERAND(TILE_CALL_ADDRESS, (va) >> 5)))
#define PPS_TARGET(lo)			(UTGARD_GET(TILE_CALL_ADDRESS, lo) << 5)
#define PPS_TARGET_TYPE(lo)		((lo) & 0xe0000003u)
#define   PPS_TARGET_CALL		0xe0000002u
#define   PPS_TARGET_JUMP		0xe0000000u
#define   PPS_TARGET_RETURN		0xe0000003u

/* Opcodes of polygon lists. */
#define PPS_OPCODE(hi)			((hi) >> (32 - PLB_RSW__BITS))
#define PLB_OP_TRIANGLE			PLB_TRIANGLE__OP
#define PLB_OP_LINE			PLB_LINE__OP
#define PLB_OP_POINT			PLB_POINT__OP
#define PLB_OP_RECT			PLB_RECT__OP
#define PLB_OP_WIDE			PLB_WIDE__OP

/* A triangle's two words; vertices up to PLB_TRIANGLE_MAX. */
#define PLB_TRIANGLE_MAX		(~0u >> (32 - PLB_TRIANGLE_V0__WIDTH))
#define PLB_TRIANGLE_LO(i0, i1)		UTGARD_W0(UTGARD_OPERAND(PLB_TRIANGLE_V0, i0) | UTGARD_OPERAND(PLB_TRIANGLE_V1, i1))
#define PLB_TRIANGLE_HI(mask, i2) \
	UTGARD_W1(UTGARD_OPERAND(PLB_TRIANGLE_V2, i2) | UTGARD_OPERAND(PLB_TRIANGLE_MASK, mask))
#define PLB_MASK_ALL			0xfu

/* Other primitives: up to three vertex indices, at the same places in all of them. */
#define PLB_INDEX_MAX			(~0u >> (32 - PLB_WIDE_V0__WIDTH))
#define PLB_PRIM_LO(i0, i1)		UTGARD_W0(UTGARD_OPERAND(PLB_WIDE_V0, i0) | UTGARD_OPERAND(PLB_WIDE_V1, i1))
#define PLB_PRIM_HI(op, i1, i2) \
	((unsigned int)(op) << (32 - PLB_WIDE__BITS) | \
	 UTGARD_W1(UTGARD_OPERAND(PLB_WIDE_V1, i1) | UTGARD_OPERAND(PLB_WIDE_V2, i2)))

#define PLB_SIZE_HI			UTGARD_W1(UTGARD_COMMAND(PLB_SIZE))
/* Render state and positions, both aligned to 64 bytes. */
#define PLB_RSW_LO(rsw)			UTGARD_W0(UTGARD_OPERAND(PLB_RSW_ADDRESS, (rsw) >> 3))
#define PLB_RSW_HI(gl_pos)		UTGARD_W1(UTGARD_COMMAND(PLB_RSW) | UTGARD_OPERAND(PLB_RSW_POSITIONS, (gl_pos) >> 6))
#define PLB_JUMP_HI			UTGARD_W1(UTGARD_COMMAND(PLB_JUMP))
#define PLB_JUMP_LO(va)			(PPS_TARGET_JUMP | UTGARD_W0(UTGARD_OPERAND(PLB_JUMP_ADDRESS, (va) >> 5)))
#define PLB_RETURN_LO			PPS_TARGET_RETURN
#define PLB_RETURN_HI			UTGARD_W1(UTGARD_COMMAND(PLB_RETURN))

/* A polygon list's first block, one per block of tiles (Mesa LIMA_CTX_PLB_BLK_SIZE). */
#define PLB_BLOCK_BYTES			512

/* A vertex in the position array: x, y in pixels, y down; z in [0, 1]; 1/w. */
#define PLB_POSITION_BYTES		16

#endif
