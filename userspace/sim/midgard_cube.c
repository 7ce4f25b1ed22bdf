// SPDX-License-Identifier: MIT
/*
 * Midgard: cube map coordinates. CUBEMAP, and LD_VARY with the cube map
 * modifier, turn a direction into a 64-bit descriptor, which TEX takes in its
 * first two components (Mesa midgard.h, midgard_compile.c).
 *
 * GUESS: the descriptor is Bifrost's, which Mesa describes (bifrost_compile.c):
 * s in the low 29 bits of the first word, the face in the three above, t in the
 * second word; s is in [0, 1], where the float's upper three bits are 001 but
 * for numbers so small that it does not matter. GUESS: faces are numbered and
 * turned as OpenGL has them.
 */
#include <math.h>
#include <string.h>

#include "sim/midgard_code.h"

#define S_BITS	0x1fffffffu
#define S_ABOVE	0x20000000u

/* The axes that lie along s and t on each face, 1 based; negative: against them. */
static const struct face {
	int8_t axis, s, t;
} faces[6] = {
	{ 1, -3, -2 }, { -1, 3, -2 }, { 2, 1, 3 }, { -2, 1, -3 }, { 3, 1, -2 }, { -3, -1, -2 },
};

static float along(const float v[3], int axis)
{
	return axis < 0 ? -v[-axis - 1] : v[axis - 1];
}

/* 0 to 1; not a number is 0. */
static float unit(float v)
{
	return v > 0 ? v < 1 ? v : 1 : 0;
}

uint64_t md_cube_descriptor(const float direction[3])
{
	unsigned int longest = 0, face;
	float length, place[2];
	uint32_t words[2];

	/* z wins over y over x where they are equal: GUESS. */
	for (unsigned int i = 1; i < 3; i++)
		if (fabsf(direction[i]) >= fabsf(direction[longest]))
			longest = i;
	face = 2 * longest + !!signbit(direction[longest]);
	length = fabsf(direction[longest]);
	place[0] = unit(along(direction, faces[face].s) / length * 0.5f + 0.5f);
	place[1] = unit(along(direction, faces[face].t) / length * 0.5f + 0.5f);
	memcpy(words, place, sizeof(words));
	return (words[0] & S_BITS) | face << 29 | (uint64_t)words[1] << 32;
}

void md_cube_direction(uint64_t descriptor, float direction[3])
{
	uint32_t words[2] = { ((uint32_t)descriptor & S_BITS) | S_ABOVE, descriptor >> 32 };
	const struct face *f = &faces[(uint32_t)descriptor >> 29 < 6 ? (uint32_t)descriptor >> 29 : 0];
	int axes[3] = { f->axis, f->s, f->t };
	float place[2], values[3] = { 1 };

	memcpy(place, words, sizeof(place));
	values[1] = 2 * place[0] - 1;
	values[2] = 2 * place[1] - 1;
	for (unsigned int i = 0; i < 3; i++)
		direction[axes[i] < 0 ? -axes[i] - 1 : axes[i] - 1] = axes[i] < 0 ? -values[i] : values[i];
}
