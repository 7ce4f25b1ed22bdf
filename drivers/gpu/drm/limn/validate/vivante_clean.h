/* SPDX-License-Identifier: GPL-2.0-only */
/* The states between two clients of a Vivante core. Pure C: the host tests the same file. */
#ifndef LIMN_VALIDATE_VIVANTE_CLEAN_H
#define LIMN_VALIDATE_VIVANTE_CLEAN_H

#include <limn/vivante/cmdstream.h>

/* Bits of &vivante_clean.has. */
#define VIVANTE_HAS_PIPES	0x01	/* more than one pixel pipe */
#define VIVANTE_HAS_STREAMS	0x02	/* more than one vertex stream */
#define VIVANTE_HAS_RS		0x04	/* resolve engine */
#define VIVANTE_HAS_BLT		0x08	/* BLT engine in its place */
#define VIVANTE_HAS_ICACHE	0x10	/* shaders may come from memory */
#define VIVANTE_HAS_TFB		0x20	/* transform feedback */
#define VIVANTE_HAS_YUV		0x40	/* YUV tiler */
#define VIVANTE_HAS_ROBUST	0x80	/* ends of buffers, as addresses */
#define VIVANTE_HAS_MULTI	0x100	/* 2D: several sources at once */
#define VIVANTE_HAS_MULTI_EX	0x200	/* 2D: eight of them */
#define VIVANTE_STEER		0x400	/* unified memory is loaded for each shader by itself */

/**
 * struct vivante_clean - what the states are of
 */
struct vivante_clean {
	/** @pipe_2d: those of the 2D pipe, not of the 3D pipe */
	int pipe_2d;
	/** @halti: generation, -1 before the first */
	int halti;
	/** @model: chipModel_* */
	unsigned int model;
	/** @has: VIVANTE_HAS_* */
	unsigned int has;
	/** @pixel_pipes: that the chip has */
	unsigned int pixel_pipes;
	/** @constants: vec4s of uniforms that the chip says it has */
	unsigned int constants;
	/** @instructions: that the chip says it has */
	unsigned int instructions;
	/** @address: for each state that is one: of a page that is nobody's */
	unsigned int address;
};

unsigned int vivante_clean_write(const struct vivante_clean *clean, unsigned int *words);

#endif
