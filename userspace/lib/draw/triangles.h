/* SPDX-License-Identifier: MIT */
/*
 * A picture of triangles on whatever GPU is there, in one call: what a program still writes for each family are its
 * shaders. lib/utgard/utgard.h and lib/vivante/vivante.h have all that the GPUs can do.
 */
#ifndef LIMN_LIB_DRAW_TRIANGLES_H
#define LIMN_LIB_DRAW_TRIANGLES_H

#include "lib/limn.h"

#define LIMN_TRIANGLES_ATTRIBUTES	8

/*
 * Shaders are texts of limn_isa_asm(): utgard-gp and utgard-pp, or vivante. What they find, and leave:
 *
 *	                    Utgard          Vivante
 *	attribute i         a<i>            t<i>
 *	position, at end    v0              t0
 *	varying i, from 1   v<i>; in the fragment shader varying i - 1      t<i>, in both
 *	constant i          uniform         u<i>
 *	colour, at end      $0              t1
 *
 * Vivante's shaders have the temporaries up to t15.
 */
struct limn_triangles {
	size_t size;			/* sizeof(struct limn_triangles) */
	uint32_t width, height;		/* pixels */
	uint8_t clear[4];		/* RGBA */
	const char *vertex_shader, *fragment_shader;
	/*
	 * For each vertex a vector of 4. That of attribute 0 is in clip space, y upwards; Utgard, whose vertex shader
	 * does what elsewhere the viewport does, gets pixels, depth and 1/w of it, so w must not be 0.
	 */
	const float (*attributes[LIMN_TRIANGLES_ATTRIBUTES])[4];
	uint32_t num_attributes;	/* each but the first makes a varying */
	uint32_t num_vertices;		/* 3 to a triangle */
	const float (*constants)[4];	/* of the fragment shader */
	uint32_t num_constants;
	const struct limn_how *how;	/* NULL: see struct limn_how */
};

/*
 * Draws and waits. rgba: width x height x 4 bytes, the top row first. 0; a negative errno, with what
 * the assembler says in err when a shader is wrong.
 */
int limn_draw_triangles(struct limn_device *dev, const struct limn_triangles *triangles, uint8_t *rgba,
			struct limn_error *err);

#endif
