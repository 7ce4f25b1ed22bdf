/* SPDX-License-Identifier: MIT */
/*
 * Where an i965 geometry shader finds its inputs: vertex URB entries (VUEs)
 * as they are spread over the payload's registers. Source: the mesa-dev patch (Kristian
 * Hoegsberg and Kenneth Graunke on mesa-dev, October 2015); the control data
 * header: Mesa src/intel/compiler/brw_compile_gs.cpp.
 *
 * A VUE is a row of slots of four 32-bit components. The URB is read in units
 * of 256 bits, two slots. A register has eight 32-bit dwords, dword 0 lowest.
 */
#ifndef LIMN_TOOL_VUE_H
#define LIMN_TOOL_VUE_H

#include <stdbool.h>
#include <stdint.h>

enum vue_mode {
	VUE_SIMD4X2,	/* two primitives a thread, one in each half of a register */
	VUE_SIMD8,	/* eight primitives a thread, one component of each in a register */
};

struct vue_layout {
	enum vue_mode mode;
	unsigned int read_length;	/* 256-bit units read of each VUE, 1 to 63 */
	unsigned int vertices;		/* a primitive's vertices: 1, 2, 3, 4 or 6 */
	unsigned int first;		/* register in which the inputs start */
};

/* A dword of the register file. */
struct vue_place {
	unsigned int reg, dword;
};

#define VUE_MAX_READ_LENGTH 63

/* True when every member is in its range. */
bool vue_valid(const struct vue_layout *layout);

/* Primitives of a thread: 2 or 8. */
unsigned int vue_primitives(const struct vue_layout *layout);
/* vec4 slots that are read of each VUE. */
unsigned int vue_slots(const struct vue_layout *layout);
/* Registers that the inputs take. */
unsigned int vue_registers(const struct vue_layout *layout);

/* Where a component is. False: one of the indices is out of range. */
bool vue_place(const struct vue_layout *layout, unsigned int primitive, unsigned int vertex,
	       unsigned int slot, unsigned int component, struct vue_place *place);

/* The way back: what a dword holds. False: it is none of the inputs'. */
bool vue_find(const struct vue_layout *layout, struct vue_place place, unsigned int *primitive,
	      unsigned int *vertex, unsigned int *slot, unsigned int *component);

/* What a geometry shader puts out. */
struct vue_control {
	bool points;			/* output topology; else lines or triangles */
	bool ends_primitives;		/* it calls EndPrimitive() */
	bool streams;			/* points go to streams other than 0 */
	unsigned int max_vertices;
};

/* Bits of control data per vertex: 0, 1 (cut bits) or 2 (stream ids). */
unsigned int vue_control_bits(const struct vue_control *control);
/* Header size in bits, and in 256-bit units as it is stored. */
unsigned int vue_control_header_bits(const struct vue_control *control);
unsigned int vue_control_header_units(const struct vue_control *control);

/* What the end of the thread depends on, of each instruction. */
enum vue_insn {
	VUE_PLAIN,
	VUE_URB_WRITE,
	VUE_CONTROL_FLOW,
	VUE_SIDE_EFFECT,	/* other than a URB write */
};

struct vue_end {
	int fold;		/* instruction that becomes the last message; -1: a new one */
	unsigned int length;	/* of the new message, registers; 0 when folded */
};

/*
 * How the thread ends. static_vertices < 0: the number of vertices is known
 * only at run time, and the last message carries it.
 */
struct vue_end vue_thread_end(int static_vertices, const enum vue_insn *insns, unsigned int count);

#endif
