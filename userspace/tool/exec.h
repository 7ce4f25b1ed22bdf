/* SPDX-License-Identifier: MIT */
/* limn exec: what its files share. One run of one shader, eight lanes. */
#ifndef LIMN_TOOL_EXEC_H
#define LIMN_TOOL_EXEC_H

#include "sim/bifrost.h"
#include "sim/midgard.h"
#include "sim/utgard_gp.h"
#include "sim/utgard_pp.h"
#include "sim/vivante.h"
#include "tool/shader_file.h"

#define MAX_UNIFORMS 512
#define MEMORY_WORDS (1u << 18)	/* 1 MiB from address 0 on */

struct exec {
	struct shader_file file;
	bool trace;
	struct exec_step *step;		/* the debugger; NULL: nobody stops it */
	bool unknown;			/* exec_unknown() has named an instruction */
	unsigned int limit;
	double bench;			/* seconds to run for, again and again; 0: once, and print */
	char *text;			/* disassembly, for the trace */
	v8f registers[32][4];		/* Vivante, Midgard: before the first instruction */
	v8f attributes[16][4], varyings[16][4], textures[32][4], fb[4], depth[4];
	float uniforms[MAX_UNIFORMS][4];
	v8f stored[16][4];		/* varyings that the shader writes */
	unsigned int stored_mask[16];
	v8f targets[9][4];		/* Midgard: render targets, and depth and stencil, that are written */
	uint8_t target_lanes[9];
	unsigned int coords;		/* textures whose texels are their coordinates, a bit each */
	uint8_t coord_count[32];	/* Vivante: how many each has; 1: the texels are the reference */
	/* Midgard: images in memory; texels of four 32-bit words, rows and layers without gaps. */
	struct exec_image {
		uint32_t address, width, height, layers;
	} images[16];
	uint32_t *memory, *memory_before;	/* MEMORY_WORDS each */
	struct ppsim_env env;
	struct gpsim_state gp;
	struct ppsim_state pp;
	struct vivsim_env viv_env;
	struct vivsim_state viv;
	struct mdsim_state md;
	struct bfsim_state bf;
};

/* With --json what follows is an object, up to the end of the run; its words go nowhere else then. */
void exec_json_begin(const struct exec *e);
void exec_json_end(int status);
/* A list of them; false: it is to be text. */
bool exec_json_lanes(const char *what, unsigned int lanes);

/* A vec4 once when all lanes agree, else a line for each. Components not in mask: "-". */
void exec_print_vec4(const char *name, const v8f *v, unsigned int mask);
/* The same of integers: hexadecimal behind the floats that the same bits are. */
void exec_print_bits(const char *name, const v8u *v, unsigned int mask);
/* Components that differ, a bit each; before NULL: from 0. */
unsigned int exec_changed(const v8u *now, const v8u *before);
/* The first count registers in which some lane of the mask did, or that were written (components, a bit each; NULL: none). */
void exec_print_changed(const char *prefix, v8u (*now)[4], v8u (*before)[4], const uint8_t *written, unsigned int count,
			unsigned int lanes);
/* The disassembly of an instruction: form is how its number stands in front of it, NULL: each is a line. */
void exec_print_instruction(const struct exec *e, const char *form, unsigned int at);
/* Names the first instruction that has no semantics. */
void exec_unknown(struct exec *e, const char *form, unsigned int at);
/* What the run ended with, on standard error; the exit status. */
int exec_finish(struct exec *e, enum sim_status status, struct sim_fault fault, unsigned int events);

/* Memory for loads and stores; false: no such address. */
bool exec_load(void *ctx, uint32_t address, uint32_t *value);
bool exec_store(void *ctx, uint32_t address, uint32_t value);
void exec_print_memory(const struct exec *e);

/* Midgard's and Bifrost's: all but ctx. */
extern const struct mdsim_io exec_io;

/* Memory of the threads at the end of all, which is no input or output: of each lane 4 KiB of two kinds, and what they share. */
#define STORAGE		0x2000u
#define SHARED		0x8000u
#define STORAGE_START	(MEMORY_WORDS * 4 - SIM_LANES * STORAGE)
#define SHARED_START	(STORAGE_START - SHARED)

/* Varyings and render targets that were written. */
void exec_print_outputs(const struct exec *e);
/* The first op that was met and has no semantics, where it is, and why; NULL: there was none. */
void exec_print_unknown(const struct exec *e, const struct isa *isa, const struct isa_op *op, size_t at);
void exec_print_lanes(const char *what, unsigned int lanes);

/* Runs for e->bench seconds and prints lanes times instructions a second. */
int exec_bench(struct exec *e);

int exec_gp(struct exec *e);
int exec_pp(struct exec *e);
int exec_vivante(struct exec *e);
int exec_midgard(struct exec *e);
int exec_bifrost(struct exec *e);

#endif
