/* SPDX-License-Identifier: MIT */
/*
 * Executes Midgard shaders, eight threads at a time, of fragments two 2x2 quads;
 * threads that have parted go on by the lowest address.
 *
 * Sources: seed 003, Mesa src/panfrost/midgard. What is not known is left out:
 * an op without semantics sets an event and gives 0.
 */
#ifndef LIMN_SIM_MIDGARD_H
#define LIMN_SIM_MIDGARD_H

#include <stddef.h>

#include "sim/simd.h"

union mdsim_reg {
	float f32[4];
	double f64[2];
	uint8_t u8[16];
	uint16_t u16[8];	/* and fp16 */
	uint32_t u32[4];
	uint64_t u64[2];
};

enum mdsim_kind { MDSIM_ATTRIBUTE, MDSIM_VARYING, MDSIM_UNIFORM, MDSIM_SPECIAL, MDSIM_TILEBUFFER };

/* Memory and textures. Any may be NULL: loads give 0, stores are dropped. */
struct mdsim_io {
	void *ctx;
	/*
	 * Whole vectors: element index of attributes and varyings; of uniforms
	 * buffer and byte offset; number of a special value. half: 16-bit components in out->u16[0..3].
	 */
	void (*load)(void *ctx, unsigned int lane, enum mdsim_kind kind, uint32_t index, uint32_t offset, bool half,
		     union mdsim_reg *out);
	/* Varyings; mask: bit per component. */
	void (*store)(void *ctx, unsigned int lane, uint32_t index, unsigned int mask, bool half,
		      const union mdsim_reg *in);
	/* coords, then lod: bias or level as the op has it. */
	void (*texture)(void *ctx, unsigned int lane, uint32_t texture, uint32_t sampler, const float coords[4],
			float lod, float out[4]);
	/* Global memory. False: not there. */
	bool (*memory)(void *ctx, unsigned int lane, uint64_t address, void *data, unsigned int size, bool write);
	/* A texel of an image; data as in load and store. */
	void (*image)(void *ctx, unsigned int lane, uint32_t image, const uint16_t coords[4], bool store, bool half,
		      union mdsim_reg *data);
};

enum mdsim_event {
	MDSIM_UNKNOWN_OP = 1,
	MDSIM_BAD_BUNDLE = 2,	/* a tag or a length that is none: the thread ends there */
	MDSIM_BAD_TARGET = 4,	/* a branch out of the program: the thread ends there */
	MDSIM_MEMORY = 8,	/* global memory that is not there: reads give 0 */
};

struct mdsim_state {
	union mdsim_reg r[SIM_LANES][32];
	/* PC_SP, LOCAL_STORAGE_PTR, LOCAL_THREAD_ID, GROUP_ID, GLOBAL_THREAD_ID */
	union mdsim_reg special[SIM_LANES][5];
	const struct mdsim_io *io;
	uint8_t discarded, written;	/* lanes that ended by discard, by writeout (r0 is the colour) */
	unsigned int events;
	uint64_t bundles;		/* executed, of all lanes */
	/* Behind every bundle, unless NULL: where it was, and its lane's registers before it. */
	void (*trace)(void *ctx, unsigned int lane, size_t at, const union mdsim_reg before[32]);
	void *trace_ctx;
};

/*
 * Runs the lanes of mask from the first bundle on. limit: bundles of one lane;
 * SIM_LIMIT when a lane needed more. Registers are the caller's before and after.
 */
enum sim_status mdsim_run(struct mdsim_state *s, const uint32_t *words, size_t count, uint8_t mask,
			  unsigned int limit);

/* Does an ALU op have semantics here? */
bool mdsim_knows(unsigned int op);

#endif
