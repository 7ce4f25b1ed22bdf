/* SPDX-License-Identifier: MIT */
/*
 * Executes Utgard GP (vertex) shaders, eight vertices at a time.
 *
 *	struct gpsim_program *prog = gpsim_decode(words, instructions);
 *	gpsim_begin(state, prog, 0xff);
 *	state->attributes[0][0] = ...;
 *	while (gpsim_run(state, 1000) == SIM_LIMIT)
 *		;
 *	... state->varyings[0][0] ...
 *	gpsim_free(prog);
 *
 * What is modelled: all six units, the two cycles of results that sources can
 * name, register (3), temporary (4) and address register (4) write latencies,
 * the partial steps of the complex functions, branches that diverge.
 */
#ifndef LIMN_SIM_UTGARD_GP_H
#define LIMN_SIM_UTGARD_GP_H

#include "isa/utgard_gp.h"
#include "sim/simd.h"

#define GPSIM_MAX_INSTRUCTIONS 512
#define GPSIM_ATTRIBUTES 16
#define GPSIM_VARYINGS 16
#define GPSIM_MEMORY 512	/* vec4s of uniform and temporary memory */

struct gpsim_program;

/* What a run met and survived; the first of each kind is kept. 0 = none. */
enum gpsim_event {
	GPSIM_LOAD_RANGE = 1,	/* load past the uniforms and temporaries: read as 0 */
	GPSIM_STORE_RANGE = 2,	/* temporary store past GPSIM_MEMORY: dropped */
	GPSIM_UNKNOWN_OP = 4,	/* an op code or source nobody has named: result 0 */
};

struct gpsim_store {
	v8f value[4];
	v8i address;		/* temporaries: vec4 index by lane */
	uint8_t components;	/* bit c: component c is stored */
	uint8_t reg;
	uint8_t kind;
};

/* A set of lanes that go the same way; where they diverge it is copied. */
struct gpsim_thread {
	uint8_t mask;
	uint16_t pc;
	v8f source[GP_SOURCES];			/* by enum gp_source */
	v8f complex1;				/* complex1 takes two cycles */
	bool late;				/* the last instruction had one */
	struct gpsim_store pending[4][2];	/* stores of the last four instructions */
	struct { v8f value; uint8_t which; } address[4];
	unsigned int slot;			/* the oldest entry of the rings above */
};

/* About 90 KiB; keep one and use it again and again. Align to 32 bytes. */
struct gpsim_state {
	/* In, by the caller. Uniforms: uniform_count vec4s, shared by all lanes. */
	v8f attributes[GPSIM_ATTRIBUTES][4];
	const float (*uniforms)[4];
	unsigned int uniform_count;

	/*
	 * Out. written: bit c of written[v] when some lane has stored component
	 * c of varying v. Varying 0 is the position in what Mesa compiles.
	 */
	v8f varyings[GPSIM_VARYINGS][4];
	uint8_t written[GPSIM_VARYINGS];
	uint8_t registers_written[16];	/* the same */
	uint64_t instructions;		/* executed, counted once for all lanes of a thread */
	struct sim_fault fault;
	unsigned int events;		/* bits of enum gpsim_event */
	unsigned int event_at[3];	/* index of the instruction that met bit n first */

	/* Machine state, private to the simulator; readable for traces. */
	const struct gpsim_program *program;
	v8f registers[16][4];
	v8f address_register[4];
	v8f temporaries[GPSIM_MEMORY][4];
	uint64_t temporary_valid[GPSIM_MEMORY / 64];	/* written since gpsim_begin() */
	struct gpsim_thread threads[SIM_LANES];
	unsigned int thread_count;
};

/*
 * Decodes count instructions of four words each, once per shader. NULL when
 * out of memory, or when count is 0 or above GPSIM_MAX_INSTRUCTIONS. Unknown
 * ops do not fail here: gpsim_notes() has what is unknown.
 */
struct gpsim_program *gpsim_decode(const uint32_t *words, unsigned int count);
void gpsim_free(struct gpsim_program *program);

/* What the decoder does not know; at: instructions. */
const struct isa_messages *gpsim_notes(const struct gpsim_program *program);

/* Starts at instruction 0 with the lanes of mask. Attributes and uniforms may be set before or after. */
void gpsim_begin(struct gpsim_state *state, const struct gpsim_program *program, uint8_t mask);

/* Executes at most limit instructions. */
enum sim_status gpsim_run(struct gpsim_state *state, unsigned int limit);

#endif
