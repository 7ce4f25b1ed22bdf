/* SPDX-License-Identifier: MIT */
/*
 * The history of a pixel: what primitives do to it, one by one. Costs a comparison per primitive and block of
 * pixels when nobody watches. Utgard's PLBU and PP and Vivante's PA and RA tell it.
 */
#ifndef LIMN_MODEL_WATCH_H
#define LIMN_MODEL_WATCH_H

#include <stdint.h>
#include <stdbool.h>

#include "sim/simd.h"

struct model;

enum model_verdict {
	MODEL_DRAWN,
	MODEL_MISSED,		/* the primitive is in the tile's list and does not cover the pixel */
	MODEL_CULLED,		/* the pixel is inside a primitive whose face is culled */
	MODEL_CLIPPED,		/* nothing of the primitive is in the view volume */
	MODEL_SCISSORED,	/* it covers the pixel, which is outside the scissor */
	MODEL_DEPTH_CLIPPED,	/* beyond the near or far plane */
	MODEL_STENCIL_FAILED,
	MODEL_DEPTH_FAILED,
	MODEL_DISCARDED,	/* by the shader */
	MODEL_ALPHA_FAILED,
	MODEL_UNCOVERED,	/* alpha to coverage has left no sample */
	MODEL_MASKED,		/* it passed all tests and may write no channel */
};

#define MODEL_WATCH_VARYINGS	16
#define MODEL_WATCH_RULES	8

/* What decides over fragments: channels, depth, stencil, alpha, blend. */
struct model_rule {
	uint32_t at, value;		/* Utgard: word of the render state; Vivante: address of a state */
};

/* Of several samples, and of several targets: the first one's depth, stencil and colour. */
struct model_fragment {
	enum model_verdict verdict;
	const char *unit;		/* "pp0" */
	uint32_t state;			/* Utgard: address of the render state word */
	uint32_t draw;			/* Vivante: number of the draw since the watch began, from 0 */
	uint32_t target;		/* Vivante: address of the first target */
	const char *primitive;		/* "triangle" */
	uint32_t vertices, index[3];
	float position[3][4];		/* x, y in pixels, z, 1/w */
	bool front;			/* Vivante: clockwise to the eye */
	float distance;			/* MISSED, CULLED: pixels from its nearest edge, 0: inside; CLIPPED: infinite */
	uint8_t covered, samples;	/* samples of the pixel that it covers, of how many */
	uint32_t z;			/* its depth, as many bits as the buffer has: 24 or 16 */
	bool has_zs, has_color;		/* false: the buffer was not looked at, and what follows of it is 0 */
	uint32_t zs_before, zs_after;	/* stencil in 31:24 */
	uint32_t varyings_read;		/* mask of those that the shader has read */
	float varying[MODEL_WATCH_VARYINGS][4];
	bool shaded;
	float color[4];			/* out of the shader */
	uint32_t before, after;		/* colour, RGBA, red lowest */
	uint32_t num_rules;		/* 0: the PLBU has none */
	struct model_rule rule[MODEL_WATCH_RULES];
};

/* What who watches lets a draw do. */
enum model_permit {
	MODEL_REFUSE,		/* nothing */
	MODEL_PERMIT,
	MODEL_FORCE,		/* all: no test, scissor or culling rejects it, and every channel is written */
};

#define MODEL_STEP_REGISTERS	4

/* An instruction of the pixel's fragment shader, told before the fragment that it belongs to. */
struct model_step {
	const char *isa;		/* "utgard-pp", "vivante" */
	const uint32_t *words;		/* good until the call returns */
	uint32_t num_words;
	int32_t at;			/* utgard-pp: in words from the shader's start; vivante: number of the instruction */
	uint32_t num_registers;		/* that it has changed */
	struct model_register {
		uint8_t number, mask;	/* mask: components that changed */
		uint32_t value[4];	/* bits */
	} reg[MODEL_STEP_REGISTERS];
	bool sampled;
	uint32_t sampler;
	float coord[4], texel[4];
};

/* What the fragment shader's run on a block of 4x2 pixels has cost; lanes as in fragment.h. */
struct model_cost {
	uint32_t state, draw;		/* as of struct model_fragment */
	int32_t x, y;			/* of the block's first pixel */
	uint8_t lanes;			/* pixels that it was run for */
	uint32_t instructions;		/* that each of them has executed, those that wait for a neighbour too */
	uint32_t samples;		/* of textures, as many for each */
};

struct model_watch {
	int32_t x, y;			/* as in memory: from the first row */
	uint32_t width, height;		/* of the target, for MODEL_FORCE; 0: Vivante's scissor counts all the same */
	void *ctx;
	/* NULL: no pixel is watched. */
	void (*fragment)(void *ctx, const struct model_fragment *fragment);
	/* Of a draw: Utgard's by its state, Vivante's by its number; NULL: all may. */
	enum model_permit (*allow)(void *ctx, uint32_t state, uint32_t draw);
	void (*step)(void *ctx, const struct model_step *step);	/* NULL: steps are not told */
	void (*cost)(void *ctx, const struct model_cost *cost);	/* of all pixels; NULL: it is not told */
	/* The model's own. */
	uint32_t draws;
	struct model_step *under_way;
};

/* NULL: nobody watches any more. The watch must outlive it. Not while a draw is under way. */
void model_watch_pixel(struct model *model, struct model_watch *watch);


/* For the units: a step begins; a texture was read in it; a register is this now (and is told if it was another). */
void model_step_begin(struct model_watch *watch, struct model_step *step, const char *isa, int32_t at);
void model_step_texture(struct model_watch *watch, uint32_t sampler, unsigned int lane, const v8f *coord, const v8f texel[4]);
void model_step_register(struct model_step *step, unsigned int number, const uint32_t before[4], const uint32_t now[4]);
void model_step_end(struct model_watch *watch, const uint32_t *words, uint32_t num_words);

#endif
