/* SPDX-License-Identifier: MIT */
/*
 * What hand-made lists of the Utgard GP (VS and PLBU) are put together from: words of
 * commands (limn/utgard/commands.inc) and stream descriptors. The polygon lists that
 * the PLBU writes are in pp_stream.h.
 *
 * Facts: Mesa src/gallium/drivers/lima (lima_gpu.h, lima_draw.c, lima_job.c,
 * lima_parser.c), limare (limare/lib/gp.c, plb.c, include/plbu.h).
 */
#ifndef LIMN_UTGARD_GP_STREAM_H
#define LIMN_UTGARD_GP_STREAM_H

#include <limn/utgard/commands.h>
#include <limn/utgard/states.h>	/* the registers that commands write */

/* Opcodes of both lists are the top bits of the second word; both write registers and jump in the same way. */
#define GP_OP_SHIFT			(32 - PLBU_REGISTER__BITS)
#define GP_OP_REGISTER			PLBU_REGISTER__OP
#define GP_OP_JUMP			PLBU_JUMP__OP
#define GP_W1_REGISTER(n)		UTGARD_W1(UTGARD_COMMAND(PLBU_REGISTER) | UTGARD_OPERAND(PLBU_REGISTER_NUMBER, n))

/* --- VS -------------------------------------------------------------- */

/* Values of registers. size in bytes. */
#define VS_SHADER_INFO(prefetch, size)	(UTGARD_SET(VS_REG_PREFETCH, prefetch) | \
					 UTGARD_SET(VS_REG_INSTRUCTIONS, ((size) >> 4) - 1))
#define VS_COUNTS(varyings, attributes)	(UTGARD_SET(VS_REG_VARYINGS, (varyings) - 1) | \
					 UTGARD_SET(VS_REG_ATTRIBUTES, (attributes) - 1))

/* w1 of the other commands. Sizes in bytes, multiples of 16; counts in descriptors. */
#define VS_W1_UNIFORMS(size)		UTGARD_W1(UTGARD_COMMAND(VS_UNIFORMS) | UTGARD_OPERAND(VS_UNIFORMS_VECTORS, (size) / 16))
#define VS_W1_SHADER(size)		UTGARD_W1(UTGARD_COMMAND(VS_SHADER) | UTGARD_OPERAND(VS_SHADER_INSTRUCTIONS, (size) / 16))
#define VS_W1_ATTRIBUTES(count)		UTGARD_W1(UTGARD_COMMAND(VS_STREAMS) | UTGARD_OPERAND(VS_STREAMS_COUNT, count))
#define VS_W1_VARYINGS(count)		(VS_W1_ATTRIBUTES(count) | UTGARD_W1(UTGARD_OPERAND(VS_STREAMS_VARYINGS, 1)))
#define VS_W0_DRAW(count, indexed) \
	UTGARD_W0(UTGARD_OPERAND(VS_DRAW_COUNT, count) | UTGARD_OPERAND(VS_DRAW_INDEXED, (indexed) ? 1 : 0))
#define VS_W1_DRAW(count)		UTGARD_W1(UTGARD_OPERAND(VS_DRAW_COUNT, count))
#define VS_W1_SEMAPHORE			UTGARD_W1(UTGARD_COMMAND(VS_SEMAPHORE))
#define VS_W1_FLUSH			UTGARD_W1(UTGARD_COMMAND(VS_FLUSH))

#define VS_SEM_BEGIN_1			0x00028000
#define VS_SEM_BEGIN_2			0x00000001
#define VS_SEM_END			0x00000000
#define VS_SEM_END_INDEXED		0x00018000

/*
 * Stream descriptor, 2 words: address, then format in bits 5:0 and stride.
 * Attributes: components - 1 in 1:0, type in 10:2, stride in bytes in 31:11.
 * Varyings: components - 1 in 1:0, fp16 when bits 3:2 are set, bit 5 for the
 * position (0x8020: stride 16) and 0x2021 for the point size (stride 4).
 */
#define GP_STREAM_COMPONENTS(w)		(((w) & 3) + 1)
#define GP_STREAM_TYPE(w)		(((w) >> 2) & 0x1ff)
#define GP_STREAM_STRIDE(w)		((w) >> 11)
#define GP_STREAM(stride, type, components) \
	((unsigned int)(stride) << 11 | (type) << 2 | ((components) - 1))
#define GP_TYPE_F32			0x000
#define GP_TYPE_I32			0x001
#define GP_TYPE_U32			0x002
#define GP_TYPE_F16			0x003
#define GP_TYPE_I16			0x004
#define GP_TYPE_U16			0x005
#define GP_TYPE_I8			0x006
#define GP_TYPE_U8			0x007
#define GP_TYPE_I8N			0x008
#define GP_TYPE_U8N			0x009
#define GP_TYPE_I16N			0x00a
#define GP_TYPE_U16N			0x00b
#define GP_TYPE_I32N			0x00d
#define GP_TYPE_U32N			0x00e
#define GP_TYPE_FIXED			0x101	/* 16.16 */
/* Varying streams: what Mesa and limare write. */
#define GP_VARYING_F32			0x000
#define GP_VARYING_F16			0x003	/* type field of 0x0c */
#define GP_VARYING_POSITION		0x008	/* type field of 0x20: x, y, z, 1/w as 4 floats */
#define GP_VARYING_POSITION_WORD	0x8020u	/* stride 16 */
#define GP_VARYING_POINT_SIZE_WORD	0x2021u	/* stride 4; one float */
#define GP_STREAM_UNUSED		0x3fu

/* --- PLBU ------------------------------------------------------------ */

#define PLBU_PRIM(bytes_per_index)	(0x2200u | (unsigned int)(bytes_per_index) << 9)

#define PLBU_W1_ARRAY(blocks) \
	UTGARD_W1(UTGARD_COMMAND(PLBU_LISTS) | UTGARD_OPERAND(PLBU_LISTS_M400, 1) | \
		  UTGARD_OPERAND(PLBU_LISTS_COUNT, ((blocks) - 1) | 1))
#define PLBU_W1_BLOCK_STRIDE		UTGARD_W1(UTGARD_COMMAND(PLBU_BLOCK_STRIDE))
#define PLBU_W1_END			UTGARD_W1(UTGARD_COMMAND(PLBU_END))
#define PLBU_W1_SEMAPHORE		UTGARD_W1(UTGARD_COMMAND(PLBU_SEMAPHORE))
#define PLBU_W1_RSW(positions)		UTGARD_W1(UTGARD_COMMAND(PLBU_RSW) | UTGARD_OPERAND(PLBU_RSW_POSITIONS, (positions) >> 4))
/* Scissor: half-open box in pixels. */
#define PLBU_W0_SCISSOR(minx, maxy, miny) \
	UTGARD_W0(UTGARD_OPERAND(PLBU_SCISSOR_MIN_X, minx) | UTGARD_OPERAND(PLBU_SCISSOR_MAX_Y, (maxy) - 1) | \
		  UTGARD_OPERAND(PLBU_SCISSOR_MIN_Y, miny))
#define PLBU_W1_SCISSOR(minx, maxx) \
	UTGARD_W1(UTGARD_COMMAND(PLBU_SCISSOR) | UTGARD_OPERAND(PLBU_SCISSOR_MAX_X, (maxx) - 1) | \
		  UTGARD_OPERAND(PLBU_SCISSOR_MIN_X, minx))
#define PLBU_SEM_BEGIN			0x00010002u
#define PLBU_SEM_END			0x00010001u

#define PLBU_W0_DRAW(start, count) \
	UTGARD_W0(UTGARD_OPERAND(PLBU_DRAW_COUNT, count) | UTGARD_OPERAND(PLBU_DRAW_START, start))
#define PLBU_W1_DRAW_ARRAYS(mode, count) \
	UTGARD_W1(UTGARD_OPERAND(PLBU_DRAW_MODE, mode) | UTGARD_OPERAND(PLBU_DRAW_COUNT, count))
#define PLBU_W1_DRAW_ELEMENTS(mode, count) \
	(UTGARD_W1(UTGARD_OPERAND(PLBU_DRAW_INDEXED, 1)) | PLBU_W1_DRAW_ARRAYS(mode, count))
/* Modes: as in GL; and 0xf, an axis-parallel rectangle of 3 of its corners (Mesa lima_blit.c). */
#define GP_MODE_POINTS			0
#define GP_MODE_LINES			1
#define GP_MODE_LINE_LOOP		2
#define GP_MODE_LINE_STRIP		3
#define GP_MODE_TRIANGLES		4
#define GP_MODE_TRIANGLE_STRIP		5
#define GP_MODE_TRIANGLE_FAN		6
#define GP_MODE_QUADS			7
#define GP_MODE_QUAD_STRIP		8
#define GP_MODE_POLYGON			9
#define GP_MODE_RECT			15

/*
 * Polygon lists: pp_stream.h tells what is in them. The framebuffer is cut
 * into 16 x 16 pixel tiles, and those into blocks of (1 << shift_w) x
 * (1 << shift_h) tiles. Each block of tiles has one list, which starts in a
 * PLB block of 0x80 << PLBU_PRIM_BLOCK bytes whose address the PLBU reads from
 * the array (row-major, BLOCK_STRIDE per row), and goes on in blocks of the
 * same size taken from the tile heap. GUESS(plbu-list-start): the PLBU starts all lists anew
 * when it executes the array address command, and closes them at END.
 */

/* Mesa's lima_draw_vbo: a count that does not fit the mode hangs the GP. */
static inline int gp_count_hangs(unsigned int mode, unsigned int count)
{
	switch (mode) {
	case GP_MODE_LINES:
		return !count || count % 2;
	case GP_MODE_LINE_LOOP:
	case GP_MODE_LINE_STRIP:
		return count < 2;
	case GP_MODE_TRIANGLES:
	case GP_MODE_RECT:
		return !count || count % 3;
	case GP_MODE_TRIANGLE_STRIP:
	case GP_MODE_TRIANGLE_FAN:
	case GP_MODE_POLYGON:
		return count < 3;
	case GP_MODE_QUADS:
		return !count || count % 4;
	case GP_MODE_QUAD_STRIP:
		return count < 4 || count % 2;
	}
	return !count;
}

#endif
