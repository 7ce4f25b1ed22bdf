/* SPDX-License-Identifier: MIT */
/*
 * What the texture units of both families do alike, for eight lanes at a time: the texels
 * around a coordinate, the levels of each lane, and filtering.
 */
#ifndef LIMN_MODEL_TEXTURE_H
#define LIMN_MODEL_TEXTURE_H

#include <string.h>

#include "sim/vector.h"

static inline v8i texture_choose(v8i mask, v8i yes, v8i no)
{
	return (yes & mask) | (no & ~mask);
}

/* Of values that an integer holds. */
static inline v8f texture_floor(v8f v)
{
	v8f t = __builtin_convertvector(__builtin_convertvector(v, v8i), v8f);

	return t + __builtin_convertvector(t > v, v8f);
}

static inline v8f texture_clamp(v8f v, float lo, float hi)
{
	return v8_select(v < lo, v8_splat(lo), v8_select(v > hi, v8_splat(hi), v));
}

/* Coordinates that no integer holds, and NaN, become 0. */
static inline v8f texture_sane(v8f v)
{
	return v8_select((v > -0x1p22f) & (v < 0x1p22f), v, v8_splat(0));
}

/* The texel at a coordinate along one axis; or the two around it, and the second one's weight. */
struct texture_axis {
	v8i i[2];
	v8f weight;
};

/* out = one texel of each lane, at a place along three axes. */
typedef void texture_fetch(void *ctx, const v8i *x, const v8i *y, const v8i *z, unsigned int lanes, v8f out[4]);

/* From a towards b, where the weight is not 0. */
static inline void texture_blend(v8f a[4], const v8f b[4], const v8f *weight)
{
	for (unsigned int c = 0; c < 4; c++)
		a[c] = v8_select(*weight != 0, a[c] + *weight * (b[c] - a[c]), a[c]);
}

/* Of the four texels around a coordinate, those that have a weight are read. */
static inline __attribute__((always_inline)) void texture_slice(texture_fetch *fetch, void *ctx,
								const struct texture_axis axis[3], unsigned int k,
								unsigned int lanes, v8f out[4])
{
	const struct texture_axis *x = &axis[0], *y = &axis[1];
	const v8i *z = &axis[2].i[k];
	unsigned int right = lanes & v8_mask(x->weight != 0), below = lanes & v8_mask(y->weight != 0);
	v8f row[4], other[4];

	fetch(ctx, &x->i[0], &y->i[0], z, lanes, out);
	if (right) {
		fetch(ctx, &x->i[1], &y->i[0], z, right, other);
		texture_blend(out, other, &x->weight);
	}
	if (!below)
		return;
	fetch(ctx, &x->i[0], &y->i[1], z, below, row);
	if (below & right) {
		fetch(ctx, &x->i[1], &y->i[1], z, below & right, other);
		texture_blend(row, other, &x->weight);
	}
	texture_blend(out, row, &y->weight);
}

/* One level: linear where an axis has weights. */
static inline __attribute__((always_inline)) void texture_filter(texture_fetch *fetch, void *ctx,
								 const struct texture_axis axis[3],
								 unsigned int lanes, v8f out[4])
{
	unsigned int behind = lanes & v8_mask(axis[2].weight != 0);
	v8f other[4];

	texture_slice(fetch, ctx, axis, 0, lanes, out);
	if (behind) {
		texture_slice(fetch, ctx, axis, 1, behind, other);
		texture_blend(out, other, &axis[2].weight);
	}
}

/* How each lane is sampled: from one level, or between that and the next. */
struct texture_levels {
	uint8_t level[SIM_LANES];
	unsigned int nearest;		/* lanes */
	unsigned int between;		/* lanes */
	v8f weight;			/* of the next level */
};

/* Lanes that are sampled alike, from the lowest of lanes on. */
static inline unsigned int texture_alike(const struct texture_levels *l, unsigned int lanes)
{
	unsigned int first = (unsigned int)__builtin_ctz(lanes);
	v8b level;

	memcpy(&level, l->level, sizeof(level));
	return lanes & v8_mask_of_bytes(level == level[first]) & (l->nearest >> first & 1 ? l->nearest : ~l->nearest);
}

/* out = one level for lanes that all have it. */
typedef void texture_sample(void *ctx, unsigned int level, bool nearest, unsigned int lanes, v8f out[4]);

static inline __attribute__((always_inline)) void texture_mipmap(texture_sample *sample, void *ctx,
								 const struct texture_levels *l, unsigned int lanes,
								 v8f out[4])
{
	v8f part[4];

	for (unsigned int todo = lanes, alike; todo; todo &= ~alike) {
		unsigned int first = (unsigned int)__builtin_ctz(todo), both;

		alike = texture_alike(l, todo);
		sample(ctx, l->level[first], l->nearest >> first & 1, alike, part);
		for (unsigned int c = 0; c < 4; c++)
			out[c] = v8_select(v8_lanes(alike), part[c], out[c]);
		both = alike & l->between;
		if (!both)
			continue;
		sample(ctx, l->level[first] + 1u, l->nearest >> first & 1, both, part);
		for (unsigned int c = 0; c < 4; c++)
			out[c] = v8_select(v8_lanes(both), out[c] + l->weight * (part[c] - out[c]), out[c]);
	}
}

#endif
