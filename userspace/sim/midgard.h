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

enum mdsim_type { MDSIM_F32, MDSIM_F16, MDSIM_U32, MDSIM_S32 };

struct mdsim_texel {
	uint32_t image;
	uint16_t coords[4];	/* whole texels; only two when the op takes 32 bits of them */
	enum mdsim_type type;
	unsigned int mask;	/* stores: components written */
};

/* What the texture unit wants to know. */
struct mdsim_sample {
	uint32_t texture, sampler;
	/* 1: lod is a bias on the level that the quad has by itself; 2: it is the level; 4: the same, unfiltered. */
	unsigned int op;
	unsigned int mode;	/* as encoded: 1 plain, 5 shadow (coords[2] is compared), 6 and 8-11 gather */
	unsigned int dimensions;	/* 0: a cube; coords are a direction, the longest axis 1 */
	float coords[4], lod;
};

/* Memory and textures. Any may be NULL: loads give 0, stores are dropped. */
struct mdsim_io {
	void *ctx;
	/*
	 * Whole vectors: element index of attributes and varyings; of uniforms
	 * buffer and byte offset; number of a special value. half: 16-bit components in out->u16[0..3].
	 */
	void (*load)(void *ctx, unsigned int lane, enum mdsim_kind kind, uint32_t index, uint32_t offset, bool half,
		     union mdsim_reg *out);
	/* Varyings, special values and the tile buffer (index 0); mask: bit per component. */
	void (*store)(void *ctx, unsigned int lane, enum mdsim_kind kind, uint32_t index, unsigned int mask, bool half,
		      const union mdsim_reg *in);
	void (*texture)(void *ctx, unsigned int lane, const struct mdsim_sample *sample, float out[4]);
	/* Global memory. False: not there. */
	bool (*memory)(void *ctx, unsigned int lane, uint64_t address, void *data, unsigned int size, bool write);
	/* A texel of an image, read or written; the data of 32 bits or, half, 16 bits a component. */
	void (*image)(void *ctx, unsigned int lane, const struct mdsim_texel *texel, bool store, union mdsim_reg *data);
	/* LEA_IMAGE: where that texel lies in global memory. */
	uint64_t (*image_address)(void *ctx, unsigned int lane, const struct mdsim_texel *texel);
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
