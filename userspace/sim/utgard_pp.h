/* SPDX-License-Identifier: MIT */
/*
 * Executes Utgard PP (fragment) shaders, eight fragments at a time: two quads
 * of 2x2, lane = quad * 4 + y * 2 + x. Run all four lanes of a quad when one
 * is covered: derivatives and texture lookups read the neighbours.
 *
 *	struct ppsim_program *prog = ppsim_decode(fetch, ctx, first_length);
 *	ppsim_begin(state, prog, &env, 0xff);
 *	while (ppsim_run(state, 1000) == SIM_LIMIT)
 *		;
 *	... state->registers[0] is the colour of lanes not in state->discarded ...
 *	ppsim_free(prog);
 *
 * A straight program, without branches, temporaries and indexed loads, also runs over a batch of
 * many blocks at once: each op is looked up once for all of them.
 */
#ifndef LIMN_SIM_UTGARD_PP_H
#define LIMN_SIM_UTGARD_PP_H

#include "isa/isa.h"
#include "sim/simd.h"

#define PPSIM_BATCH	32	/* blocks */
#define PPSIM_PLACES	22	/* 16 registers, and what goes from unit to unit */
#define PPSIM_REGISTERS	12	/* GUESS(pp-register-count): 4 bits less the read-only four; 6 are known to be used */

struct ppsim_program;

enum ppsim_lod {
	PPSIM_LOD_IMPLICIT,	/* from the quad's derivatives */
	PPSIM_LOD_BIAS,		/* the same plus lod */
	PPSIM_LOD_EXPLICIT,	/* lod itself */
};

/* A texture lookup as the sampler gets it. */
struct ppsim_sample {
	unsigned int sampler;	/* index into the texture descriptors */
	unsigned int type;	/* 0: generic, 31: cube; others unknown */
	enum ppsim_lod lod_mode;
	const v8f *lod;		/* a column, when the mode wants it */
	/*
	 * Columns. Coordinates in full precision, valid in every lane of a quad, also
	 * where mask has none. Divided already when the load asked for it.
	 * Cube: the direction, of any length.
	 */
	const v8f *coord;
	uint8_t mask;		/* lanes that want the result; of a batch all */
};

/*
 * What the shader sees of the world. Every callback may be NULL: reads give 0.
 * Addresses count scalars: uniform 3.x is 12. Results are columns, of a state's one block or of
 * all of a batch: the next component is one or PPSIM_BATCH further. A batch's callbacks say false
 * where they would have an effect beside their result: the run has not happened then.
 */
struct ppsim_env {
	void *ctx;

	/* One to four halves (fp16 bits) at scalar address, of all blocks. False: not there (a state reads 0). */
	bool (*uniform)(void *ctx, int address, unsigned int count, uint16_t *halves);

	/*
	 * Interpolated varyings: count (1, 2 or 4) floats from scalar address on,
	 * in the order of the varying layout in memory, for all eight lanes.
	 */
	bool (*varying)(void *ctx, unsigned int address, unsigned int count, v8f *out);

	/* RGBA for the lanes of sample->mask. */
	bool (*sample)(void *ctx, const struct ppsim_sample *sample, v8f *rgba);

	bool down;		/* dFdy's y counts from the top */

	/* The rest is of states only. */

	/* Framebuffer contents: colour RGBA 0..1, or depth in out[0]. */
	void (*framebuffer)(void *ctx, bool depth, v8f out[4]);

	/*
	 * x, y in pixels, z 0..1, and w of clip space: gl_FragCoord.w is 1/w and
	 * the shader divides (mali-isa-docs).
	 */
	v8f fragcoord[4];
	v8f pointcoord[2];	/* 0..1, before the shader's own scale and bias */
	v8f frontfacing;	/* 1.0 or 0.0 */

	/* Temporaries (the fragment stack) in vec4s; more is out of range. */
	unsigned int temporaries;
};

/* What a run met and survived. */
enum ppsim_event {
	PPSIM_UNIFORM_RANGE = 1,	/* read as 0 */
	PPSIM_TEMPORARY_RANGE = 2,	/* read as 0, store dropped */
	PPSIM_UNKNOWN_OP = 4,		/* nobody has named this op or source: result 0 */
};

#define PPSIM_TEMPORARIES 256	/* vec4s; GUESS(pp-temporaries): what is enough */

/* About 70 KiB, zeroes at first; keep one and use it again and again. Align to 32 bytes. */
struct ppsim_state {
	/* Out. The colour is registers[0] (RGBA) in what Mesa compiles. */
	v8f registers[PPSIM_PLACES][4];	/* 0-11; 12-15 are the pipeline registers of the last instruction */
	uint64_t written;	/* their components that were written, four bits each */
	uint8_t discarded;	/* lanes that executed a discard */
	uint64_t instructions;	/* executed, counted once for all lanes that go together */
	struct sim_fault fault;
	unsigned int events;
	unsigned int event_at[3];

	/* Machine state, private to the simulator; readable for traces. */
	const struct ppsim_program *program;
	const struct ppsim_env *env;
	uint8_t live;			/* lanes not ended */
	v8u pc;				/* index into the decoded program */
	v8f temporaries[PPSIM_TEMPORARIES][4];
};

/* A component of all blocks. */
typedef v8f ppsim_column[PPSIM_BATCH];

/* Blocks that run a straight program. Zeroes at first; align to 64 bytes. */
struct ppsim_batch {
	unsigned int n;
	uint8_t lanes[PPSIM_BATCH];	/* whole quads that run */
	const struct ppsim_env *env;
	ppsim_column file[PPSIM_PLACES][4];
};

/*
 * Reads count words at offset words from the shader's start; false when there
 * is no such memory. Offsets may be negative (a branch back past the start).
 */
typedef bool (*ppsim_fetch)(void *ctx, int offset, unsigned int count, uint32_t *words);

/*
 * Decodes what can be reached from the start. first_length is the length in
 * words of the first instruction as the render state gives it, or 0. NULL when
 * out of memory. What cannot be fetched or decoded is a fault when it runs.
 */
struct ppsim_program *ppsim_decode(ppsim_fetch fetch, void *ctx, unsigned int first_length);

/* The same for a shader in memory. */
struct ppsim_program *ppsim_decode_words(const uint32_t *words, unsigned int count);
void ppsim_free(struct ppsim_program *program);

/* Does it read fragcoord, pointcoord or frontfacing of its env? */
bool ppsim_reads_place(const struct ppsim_program *program);

/* What the decoder does not know; at: words from the start, as a signed number. */
const struct isa_messages *ppsim_notes(const struct ppsim_program *program);

/*
 * env must stay until the run has ended; its fields may change between runs.
 * Registers and temporaries start as 0 (GUESS(pp-registers-start): undefined in the hardware).
 */
void ppsim_begin(struct ppsim_state *state, const struct ppsim_program *program,
		 const struct ppsim_env *env, uint8_t mask);

/* Where the next instruction is, in words from the shader's start, and the lanes that execute it; 0 when all have ended. */
int ppsim_next(const struct ppsim_state *state, unsigned int *lanes);

/* Executes at most limit instructions. */
enum sim_status ppsim_run(struct ppsim_state *state, unsigned int limit);

/* Instructions of a straight program, 0 of others. */
unsigned int ppsim_straight(const struct ppsim_program *program);

/* Runs a straight program for the first n blocks. wanted: the registers looked at afterwards, a bit each. */
bool ppsim_batch_run(const struct ppsim_program *program, struct ppsim_batch *b, unsigned int wanted);

#endif
