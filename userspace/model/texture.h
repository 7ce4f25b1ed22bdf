/* SPDX-License-Identifier: MIT */
/*
 * What the texture units of both families do alike, for eight lanes at a time: the texels
 * around a coordinate, the levels of each lane, and filtering.
 */
#ifndef LIMN_MODEL_TEXTURE_H
#define LIMN_MODEL_TEXTURE_H

#include <string.h>

#include "model/unit.h"
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

static inline uint32_t texture_word(const uint8_t *t, unsigned int bytes)
{
	uint32_t v = 0;

	switch (bytes) {	/* each a single load */
	case 4:
		memcpy(&v, t, 4);
		return v;
	case 2:
		memcpy(&v, t, 2);
		return v;
	default:
		return t[0];
	}
}

/* Addresses of which those that no lane needs are another one's. */
static inline v8u texture_needed(v8u vas, unsigned int lanes)
{
	return lanes == 0xff ? vas : v8_choose(v8_lanes(lanes), vas, v8_word(vas[__builtin_ctz(lanes)]));
}

/*
 * n times the words of texels, of 1, 2 or 4 bytes at their multiples. False: they are in more than two pages, or one is not
 * there, and nothing is done. Not one by one through memory: a vector that is read behind eight small writes waits for them.
 */
#define AT(i) (page + at[i])
#define WORDS(n) ((v8u){ texture_word(AT(0), n), texture_word(AT(1), n), texture_word(AT(2), n), texture_word(AT(3), n), \
			 texture_word(AT(4), n), texture_word(AT(5), n), texture_word(AT(6), n), texture_word(AT(7), n) })
static inline __attribute__((always_inline)) bool texture_words(const struct unit *port, uint32_t bytes, unsigned int n,
								const v8u *vas, v8u *words)
{
	uint32_t first = vas[0][0], base = first & ~(MODEL_PAGE - 1), most;
	const uint8_t *page = unit_page(port, first), *other;
	v8u in[4], far = { 0 };
	unsigned int outside;
	int32_t at[SIM_LANES];
	intptr_t between;

	for (unsigned int k = 0; k < n; k++) {
		in[k] = vas[k] - base;
		far |= in[k];
	}
	outside = v8_mask((v8i)(far >= MODEL_PAGE));
	if (!page)
		return false;
	/* Those that are not in the first one's page are in one other, as a rule. */
	if (outside) {
		v8i apart = { 0 };

		most = far[__builtin_ctz(outside)] & ~(MODEL_PAGE - 1);
		other = unit_page(port, base + most);
		between = (intptr_t)other - (intptr_t)page;
		if (!other || between < INT32_MIN || between > INT32_MAX)
			return false;
		for (unsigned int k = 0; k < n; k++) {
			v8u of = in[k] & ~(MODEL_PAGE - 1);
			v8i second = (v8i)(of == most);

			apart |= (v8i)(of != 0) & ~second;
			in[k] = (in[k] & (MODEL_PAGE - 1)) + ((v8u)second & (uint32_t)between);
		}
		if (v8_mask(apart))
			return false;
	}
	for (unsigned int k = 0; k < n; k++) {
		memcpy(at, &in[k], sizeof(at));
		words[k] = bytes == 4 ? WORDS(4) : bytes == 2 ? WORDS(2) : WORDS(1);
	}
	return true;
}
#undef WORDS
#undef AT

/* Of each lane upper left, upper right, lower left, lower right; x and y: weights of the right and the lower ones. */
struct texture_four {
	v8u words[4];
	v8f x, y;
};

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
