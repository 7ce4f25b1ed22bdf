/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The front end's command stream: opcodes, fields, lengths. commands.inc is the
 * only copy of the rows.
 *
 * A command starts at a multiple of 8 bytes and fills whole 64-bit words. FE
 * fetches a block of PREFETCH 64-bit words (COMMAND_CONTROL, LINK, CALL) and
 * executes nothing beyond it, so a block must end with END, LINK, CALL or
 * RETURN, or with the WAIT and LINK of an idle loop.
 *
 * Facts: rnndb cmdstream.xml: LINK counts 64-bit words (not bytes), a LOAD_STATE
 * count of 0 is 1024, opcodes 12, 15, 16 and 19 exist.
 */
#ifndef LIMN_VIVANTE_CMDSTREAM_H
#define LIMN_VIVANTE_CMDSTREAM_H

#include <limn/vivante/field.h>
#include <limn/vivante/states.h>

/* Bits 31:27 of every command's first word. */
#define VIV_FE_OPCODE__SHIFT	27
#define VIV_FE_OPCODE__WIDTH	5
#define VIV_FE_COMMAND(op)	VIV_SET(VIV_FE_OPCODE, FE_OPCODE_##op)

enum viv_fe_opcode {
#define VIV_COMMAND(opcode, name, words, need, flags) FE_OPCODE_##name = opcode,
#include <limn/vivante/commands.inc>
};

/* What a chip must have to know a command. Others stop at it, or take it for another one. */
enum viv_need {
	VIV_NEEDS_NOTHING,
	VIV_NEEDS_PIPE_2D,
	VIV_NEEDS_PIPE_3D,
	VIV_NEEDS_HALTI0,
	VIV_NEEDS_HALTI5,
};

enum {
#define VIV_COMMAND(opcode, name, words, need, flags) VIV_FE_##name##__WORDS = words,
#define VIV_FIELD VIV_FIELD_CONSTANTS
#define VIV_BIT VIV_BIT_CONSTANTS
#include <limn/vivante/commands.inc>
};

/* Most words that one LOAD_STATE carries, and most rectangles of one DRAW_2D. */
#define VIV_FE_LOAD_STATE_MAX	1024
#define VIV_FE_DRAW_2D_MAX	256

/* State words behind a LOAD_STATE header. */
static inline unsigned int viv_fe_load_count(unsigned int header)
{
	unsigned int n = VIV_GET(VIV_FE_LOAD_STATE_HEADER_COUNT, header);

	return n ? n : VIV_FE_LOAD_STATE_MAX;
}

/* State address, in bytes, that a LOAD_STATE header starts at. */
static inline unsigned int viv_fe_load_address(unsigned int header)
{
	return VIV_GET(VIV_FE_LOAD_STATE_HEADER_OFFSET, header) * 4;
}

/* Rectangles behind a DRAW_2D header. */
static inline unsigned int viv_fe_rect_count(unsigned int header)
{
	unsigned int n = VIV_GET(VIV_FE_DRAW_2D_HEADER_COUNT, header);

	return n ? n : VIV_FE_DRAW_2D_MAX;
}

/* Length in 32-bit words, padding included, of the command that starts with header; 0: no such opcode. */
static inline unsigned int viv_fe_command_words(unsigned int header)
{
	unsigned int op = VIV_GET(VIV_FE_OPCODE, header);

	if (op == FE_OPCODE_LOAD_STATE)
		return (1 + viv_fe_load_count(header) + 1) & ~1u;
	if (op == FE_OPCODE_DRAW_2D)
		return 2 + 2 * viv_fe_rect_count(header) +
		       ((VIV_GET(VIV_FE_DRAW_2D_HEADER_DATA_COUNT, header) + 1) & ~1u);
	switch (op) {
#define VIV_COMMAND(opcode, name, words, need, flags) case FE_OPCODE_##name: return words;
#include <limn/vivante/commands.inc>
	default:
		return 0;
	}
}

/* What the chip must have for an opcode that exists. */
static inline enum viv_need viv_fe_need(unsigned int opcode)
{
	switch (opcode) {
#define VIV_COMMAND(opcode, name, words, need, flags) case FE_OPCODE_##name: return VIV_NEEDS_##need;
#include <limn/vivante/commands.inc>
	default:
		return VIV_NEEDS_NOTHING;
	}
}

/*
 * Why RS hangs on a window of so many pixels, "": it does not. Facts: etna_viv hardware.md ("Resolve"). A fill reads
 * nothing: the vendor's driver clears tile status by linear fills of 16x4 pixels (etna_viv's captures).
 */
static inline const char *viv_rs_hangs(unsigned int width, unsigned int height, int from_tiles, int into_tiles, int fill)
{
	if (!width)
		return "it has no width";
	if (!height)
		return "it has no height";
	if (into_tiles)
		return width % 16 ? "into tiles, its width must be a multiple of 16" :
		       height % 4 ? "into tiles, its height must be a multiple of 4" : "";
	if (fill)
		return "";
	if (from_tiles)
		return width < 13 ? "from tiles to linear, its width must be at least 13" : "";
	return width < 17 ? "from linear to linear, its width must be at least 17" :
	       height % 4 ? "from linear to linear, its height must be a multiple of 4" : "";
}

#endif
