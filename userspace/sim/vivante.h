/* SPDX-License-Identifier: MIT */
/*
 * Executes Vivante shaders, vertex or fragment, eight invocations at a time;
 * fragments as the PP has them: two 2x2 quads, lane = quad * 4 + y * 2 + x.
 * Registers hold 32 bits, float or integer as the instruction's type says.
 */
#ifndef LIMN_SIM_VIVANTE_H
#define LIMN_SIM_VIVANTE_H

#include <stddef.h>
#include <limn/vivante/states.h>

#include "sim/simd.h"

#define VIVSIM_TEMPS 128

enum vivsim_lod {
	VIVSIM_LOD_IMPLICIT, VIVSIM_LOD_BIAS, VIVSIM_LOD_EXPLICIT, VIVSIM_LOD_GRADIENT,
	VIVSIM_LOD_TEXEL,	/* coord counts texels of the level coord[3]; nothing is filtered */
};

struct vivsim_sample {
	unsigned int sampler;
	enum vivsim_lod lod_mode;
	v8f coord[4];		/* bias or level in coord[3] */
	v8f ddx[4], ddy[4];	/* VIVSIM_LOD_GRADIENT */
	v8f reference;		/* what shadow samplers compare with: src2.x */
	uint8_t mask;
};

/* Callbacks may be NULL: reads give 0. */
struct vivsim_env {
	void *ctx;
	const uint32_t (*uniforms)[4];
	unsigned int uniform_count;
	/* The chip is older than a GC3000: integers are computed of x alone, and NaN converted to the largest one. */
	bool before_gc3000;
	bool many_uniforms;	/* an instruction reads as many as it names (SH_NO_ONECONST_LIMIT), not one */
	void (*sample)(void *ctx, const struct vivsim_sample *sample, v8f rgba[4]);	/* rgba: 0 before */
	/* One 32-bit word for one lane; false: not there. */
	bool (*load)(void *ctx, uint32_t address, uint32_t *value);
	bool (*store)(void *ctx, uint32_t address, uint32_t value);
	v8f frontfacing;	/* internal register 0.x */
	/* Memory of the work group, where loads and stores with .local go, and barriers wait; NULL: there is no group. */
	uint32_t *local;
	uint32_t local_bytes;
};

/* TWO_UNIFORMS: an instruction named several where one is read. */
enum vivsim_event { VIVSIM_UNIFORM_RANGE = 1, VIVSIM_MEMORY = 2, VIVSIM_UNKNOWN_OP = 4, VIVSIM_TWO_UNIFORMS = 8 };

struct vivsim_step;

/* An instruction, decoded. */
struct vivsim_op {
	void (*run)(struct vivsim_step *step);
	uint16_t id;			/* enum viv_op */
	uint8_t type, cond, rounding;
	uint8_t need;			/* components that are computed */
	bool one, old_one, pair, writes, is_signed, local, two_uniforms;
	bool dst_use, saturate, plain;	/* plain: the result goes to its register as it is */
	bool each;			/* a component of the result is made of the same one of the sources */
	bool in_place;			/* each, and none is read behind its being written */
	bool quick;			/* in place, and all sources are bound */
	uint8_t bound;			/* sources, a bit each, that bound_to has: vivsim_bind() */
	uint8_t dst_reg, dst_amode, comps, narrow;	/* narrow: bits of the result to drop */
	uint8_t tex_id, tex_amode, tex_swizzle, left_shift;
	uint8_t deed;			/* enum vivsim_deed */
	uint32_t target;
	uint32_t sign;			/* of floats: the bit that modifiers of sources change; 0: they are integers */
	struct vivsim_source {
		uint8_t use, group, amode, abs, neg;
		uint8_t kind, component[4];
		uint16_t temp[4];	/* of a temporary: which of all their components */
		uint16_t reg;
		uint32_t immediate;
	} src[3];
	const v8u *bound_to[3][4];
};

/* Align to 32 bytes. */
struct vivsim_state {
	v8u temps[VIVSIM_TEMPS][4];	/* in and out, by the caller: inputs from t0 on */
	v8i address[4];
	uint8_t written[VIVSIM_TEMPS];	/* components, a bit each */
	uint8_t discarded, live;
	uint8_t waiting;		/* lanes at a barrier: the caller makes them live again */
	uint64_t instructions;
	struct sim_fault fault;
	unsigned int events;
	unsigned int event_at[4];	/* by the event's bit */
	v8u pc;
	unsigned int calls[SIM_LANES][VIV_SHADER_NEST];
	unsigned int depth[SIM_LANES];
	struct vivsim_loop {
		unsigned int start;	/* its first instruction */
		int left, step;
		bool indexed;		/* loop: a.x counts */
	} loops[SIM_LANES][VIV_SHADER_NEST];
	unsigned int loop_depth[SIM_LANES];
	const struct vivsim_op *ops;
	size_t count;
	const struct vivsim_env *env;
};

/* Decodes count instructions of four words. */
void vivsim_decode(const uint32_t *words, size_t count, struct vivsim_op *ops);
/* The most that any of the ops does: besides giving its result it samples a texture, or jumps or reaches for memory. */
enum vivsim_deed { VIVSIM_OTHER, VIVSIM_SAMPLES, VIVSIM_COMPUTES };
enum vivsim_deed vivsim_deed(const struct vivsim_op *ops, size_t count);

/*
 * Looks up once what sources are, for all runs in that state while env's uniforms stay:
 * temporaries, and constants, which need so many fours of room as are returned; NULL: counts them
 * alone. Who leaves it out has the same results.
 */
size_t vivsim_bind(struct vivsim_state *state, struct vivsim_op *ops, size_t count, const struct vivsim_env *env,
		   v8u (*constants)[4]);

/* ops and env must stay. Keeps temps. */
void vivsim_begin(struct vivsim_state *state, const struct vivsim_op *ops, size_t count,
		  const struct vivsim_env *env, uint8_t mask);
enum sim_status vivsim_run(struct vivsim_state *state, unsigned int limit);
/*
 * From start to the end ops that compute and sample, for the lanes of mask; others may be written to. state has begun with
 * them, and may run them again and again.
 */
void vivsim_run_straight(struct vivsim_state *state, unsigned int start, uint8_t mask);

#endif
