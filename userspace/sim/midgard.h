/* SPDX-License-Identifier: MIT */
/*
 * Executes Midgard shaders, eight threads at a time, of fragments two 2x2 quads;
 * threads that have parted go on by the lowest address.
 *
 * Sources: Mesa src/panfrost/midgard, the T6xx notes. What is not known is left out:
 * an op without semantics sets an event and leaves its result as it was.
 */
#ifndef LIMN_SIM_MIDGARD_H
#define LIMN_SIM_MIDGARD_H

#include <stddef.h>

#include "sim/simd.h"

struct isa_op;
struct mdsim_program;

union mdsim_reg {
	float f32[4];
	double f64[2];
	uint8_t u8[16];
	uint16_t u16[8];	/* and fp16 */
	uint32_t u32[4];
	uint64_t u64[2];
};

/*
 * TARGET: what a writeout gives a render target, only stored; index 255 is depth and stencil, r1.xy. TILEBUFFER: what a
 * target has, by its index; 30 is stencil, 31 depth (Mesa output_load_rt_addr()); only the first is stored.
 */
enum mdsim_kind { MDSIM_ATTRIBUTE, MDSIM_VARYING, MDSIM_UNIFORM, MDSIM_SPECIAL, MDSIM_TILEBUFFER, MDSIM_TARGET };

enum mdsim_type { MDSIM_F32, MDSIM_F16, MDSIM_U32, MDSIM_S32 };

struct mdsim_texel {
	uint32_t image;
	uint16_t coords[4];	/* whole texels; only two when the op takes 32 bits of them */
	enum mdsim_type type;
};

/* What the texture unit wants to know. */
struct mdsim_sample {
	uint32_t texture, sampler;
	/* 1: lod is a bias on the level that the quad has by itself; 2: it is the level; 4: the same, unfiltered. */
	unsigned int op;
	unsigned int mode;	/* as encoded: 1 plain, 5 shadow, 6 and 8-11 gather */
	unsigned int dimensions;	/* 0: a cube; coords are a direction, the longest axis 1 */
	float coords[4], lod;	/* of op 4 whole texels and a whole level */
	float reference;	/* shadow: what is compared; Mesa set_tex_coord(): the third coordinate, of a cube map too */
	int offset[3];		/* in texels */
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
	/* Varyings, special values, the tile buffer and render targets; mask: bit per component. */
	void (*store)(void *ctx, unsigned int lane, enum mdsim_kind kind, uint32_t index, unsigned int mask, bool half,
		      const union mdsim_reg *in);
	/* out: floats, or the bits of integers as the texture's format has them. */
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

/*
 * r28 and r29 are two registers each: what the ALU and load/store units write is the texture unit's input (Mesa's
 * AT0, AT1), what they read is its result (TA0, TA1).
 */
#define MDSIM_AT0	32
#define MDSIM_REGISTERS	34

struct mdsim_state {
	v8u r[MDSIM_REGISTERS][4];	/* by register and 32-bit component; behind r31 AT0 and AT1 */
	/* PC_SP, LOCAL_STORAGE_PTR, LOCAL_THREAD_ID, GROUP_ID, GLOBAL_THREAD_ID */
	v8u special[5][4];
	const struct mdsim_io *io;
	uint8_t registers_written[MDSIM_REGISTERS];	/* components, a bit each */
	uint8_t discarded, written;	/* lanes that ended by discard, that wrote a render target (r0 is the colour) */
	unsigned int events;
	const struct isa_op *unknown;	/* the first op without semantics that was met, and the word of its bundle */
	size_t unknown_at;
	uint64_t bundles;		/* executed, of all lanes */
	/* Behind every bundle, unless NULL: its lanes, where it was, and the registers before it. */
	void (*trace)(void *ctx, unsigned int lanes, size_t at, v8u (*before)[4]);
	/* Before each bundle; false ends the run. May be NULL. */
	bool (*enter)(void *ctx, unsigned int lanes, size_t at);
	void *trace_ctx;
};

/* The words stay the caller's and unchanged; each bundle is taken apart once. NULL: out of memory. */
struct mdsim_program *mdsim_decode(const uint32_t *words, size_t count);
void mdsim_free(struct mdsim_program *program);

/*
 * Runs the lanes of mask from the first bundle on. limit: bundles, of all lanes that run together once;
 * SIM_LIMIT when it was reached, SIM_FAULT: out of memory. Registers are the caller's before and after.
 */
enum sim_status mdsim_run(struct mdsim_state *s, struct mdsim_program *program, uint8_t mask, unsigned int limit);

/* A register of one lane. */
union mdsim_reg mdsim_get(const struct mdsim_state *s, unsigned int lane, unsigned int reg);

#endif
