/* SPDX-License-Identifier: MIT */
/*
 * Command streams of the Utgard GP (VS and PLBU) and its stream descriptors.
 * The polygon lists that the PLBU writes are in pp_stream.h.
 *
 * Facts: Mesa src/gallium/drivers/lima (lima_gpu.h, lima_draw.c, lima_job.c,
 * lima_parser.c), limare (limare/lib/gp.c, plb.c, include/plbu.h). Shared by
 * driver, library and model: plain C.
 *
 * A command is two words. Below, w0 is the first (its argument), w1 the second
 * (opcode in bits 31:28, more argument below).
 */
#ifndef LIMN_UTGARD_GP_STREAM_H
#define LIMN_UTGARD_GP_STREAM_H

#include <limn/utgard/states.h>	/* the registers that commands write */

/* Opcodes, w1 bits 31:28. Both lists write registers and jump in the same way. */
#define GP_OP_SHIFT			28
#define GP_OP_DRAW			0x0
#define GP_OP_REGISTER			0x1	/* w0 to register w1[11:0] */
#define GP_OP_STREAMS			0x2	/* VS: descriptors; PLBU: array of block addresses */
#define VS_OP_UNIFORMS			0x3
#define VS_OP_SHADER			0x4
#define VS_OP_SEMAPHORE			0x5
#define VS_OP_FLUSH			0x6	/* GUESS: 0x60000000, after each draw */
#define PLBU_OP_BLOCK_STRIDE		0x3	/* w0 = blocks per row */
#define PLBU_OP_END			0x5
#define PLBU_OP_SEMAPHORE		0x6
#define PLBU_OP_SCISSOR			0x7
#define PLBU_OP_RSW			0x8	/* w0 = RSW, w1[27:0] = positions >> 4 */
#define PLBU_OP_STORE			0xa	/* register w1[11:0] to memory at w0 */
#define PLBU_OP_FLUSH			0xd	/* GUESS: 0xd0000000, limare, before END */
#define GP_OP_JUMP			0xf	/* continue at w0 */

/* --- VS -------------------------------------------------------------- */

/* Values of registers. size in bytes. */
#define VS_SHADER_INFO(prefetch, size)	(UTGARD_SET(VS_REG_PREFETCH, prefetch) | \
					 UTGARD_SET(VS_REG_INSTRUCTIONS, ((size) >> 4) - 1))
#define VS_COUNTS(varyings, attributes)	(UTGARD_SET(VS_REG_VARYINGS, (varyings) - 1) | \
					 UTGARD_SET(VS_REG_ATTRIBUTES, (attributes) - 1))

/* w1 of the other commands. Sizes in bytes, multiples of 16; counts in descriptors. */
#define VS_W1_UNIFORMS(size)		(0x30000000u | (size) << 12)
#define VS_W1_SHADER(size)		(0x40000000u | (size) << 12)
#define   VS_W1_VEC4S(w1)		(((w1) >> 16) & 0xfff)	/* uniform vectors, instructions */
#define VS_W1_ATTRIBUTES(count)		(0x20000000u | (count) << 17)
#define VS_W1_VARYINGS(count)		(0x20000008u | (count) << 17)
#define   VS_W1_STREAMS_VARYINGS	0x8u	/* set: varyings, clear: attributes */
#define   VS_W1_STREAMS_COUNT(w1)	(((w1) >> 17) & 0x7ff)

/* DRAW: vertex count in 16 bits, w0 bit 0 for indexed draws. */
#define VS_W0_DRAW(count, indexed)	((unsigned int)(count) << 24 | ((indexed) ? 1 : 0))
#define VS_W1_DRAW(count)		(((count) >> 8) & 0xff)
#define   VS_DRAW_COUNT(w0, w1)		(((w0) >> 24) | ((w1) & 0xff) << 8)

/*
 * Semaphores order VS and PLBU. GUESS: the fields: bit 15 signals or arms
 * the PLBU's side, bit 16 marks an indexed draw, bit 17 and bit 0 wait.
 * What is known is when Mesa emits which: before an array draw BEGIN_1 and
 * BEGIN_2, after it END; for indexed draws only END_INDEXED.
 */
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

#define PLBU_W1_ARRAY(blocks)		(0x28000000u | (((blocks) - 1) | 1))
#define   PLBU_ARRAY_BLOCKS(w1)		(((w1) & 0xffffff) + 1)
#define PLBU_W1_BLOCK_STRIDE		0x30000000u
#define PLBU_W1_END			0x50000000u
#define PLBU_W1_RSW(positions)		(0x80000000u | (positions) >> 4)
#define   PLBU_RSW_POSITIONS(w1)	(((w1) & 0xfffffff) << 4)
/* Scissor: half-open box in pixels. */
#define PLBU_W0_SCISSOR(minx, maxy, miny) \
	((unsigned int)(minx) << 30 | ((maxy) - 1) << 15 | (miny))
#define PLBU_W1_SCISSOR(minx, maxx)	(0x70000000u | ((maxx) - 1) << 13 | (minx) >> 2)
#define   PLBU_SCISSOR_MINX(w0, w1)	((w0) >> 30 | ((w1) & 0x1fff) << 2)
#define   PLBU_SCISSOR_MAXX(w0, w1)	((((w1) >> 13) & 0x7fff) + 1)
#define   PLBU_SCISSOR_MINY(w0, w1)	((w0) & 0x7fff)
#define   PLBU_SCISSOR_MAXY(w0, w1)	((((w0) >> 15) & 0x7fff) + 1)
/* GUESS: the fields. Mesa begins array draws with BEGIN, and ends every draw with END. */
#define PLBU_SEM_BEGIN			0x00010002u
#define PLBU_SEM_END			0x00010001u

#define PLBU_W0_DRAW(start, count)	((unsigned int)(count) << 24 | (start))
#define PLBU_W1_DRAW_ARRAYS(mode, count) \
	(((mode) & 0x1f) << 16 | (((count) >> 8) & 0xff))
#define PLBU_W1_DRAW_ELEMENTS(mode, count) (0x00200000u | PLBU_W1_DRAW_ARRAYS(mode, count))
#define   PLBU_DRAW_START(w0)		((w0) & 0xffffff)
#define   PLBU_DRAW_COUNT(w0, w1)	((w0) >> 24 | ((w1) & 0xff) << 8)
#define   PLBU_DRAW_MODE(w1)		(((w1) >> 16) & 0x1f)
#define   PLBU_DRAW_INDEXED		0x00200000u
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
 * same size taken from the tile heap. GUESS: the PLBU starts all lists anew
 * when it executes the array address command, and closes them at END.
 */

#endif
