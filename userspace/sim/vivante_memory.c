// SPDX-License-Identifier: MIT
/* Vivante shaders: memory. Sources as in vivante_sem.inc. */
#include "isa/float_bits.h"
#include "isa/half.h"
#include "sim/vivante_internal.h"

static bool load_word(const struct vivsim_env *env, uint32_t address, uint32_t *v)
{
	return env->load && env->load(env->ctx, address, v);
}

static bool store_word(const struct vivsim_env *env, uint32_t address, uint32_t v)
{
	return env->store && env->store(env->ctx, address, v);
}

/* src0.x + (src1.x << shift). */
static v8u address_of(const struct vivsim_step *s)
{
	return *s->src[0][0] + (*s->src[1][0] << s->o->left_shift);
}

/*
 * load: one word for each component that is written, without gaps (Mesa's register allocator keeps them
 * together, and in whichever components it likes).
 */
void vivsim_load(struct vivsim_step *s)
{
	v8u address = address_of(s);
	bool once = same(s, (v8i)address);

	for (int c = 0; c < 4; c++) {
		s->out[c] = splat(0);
		if (!(s->o->comps >> c & 1))
			continue;
		EACH_RUNNING(s) {
			uint32_t v = 0;

			if (!load_word(s->st->env, address[lane], &v))
				event(s, VIVSIM_MEMORY);
			if (once) {
				s->out[c] = splat(v);
				break;
			}
			s->out[c][lane] = v;
		}
		address += 4;
	}
}

/* store and atomics, lane after lane. GUESS: word c at 4 c, by the component's number, unlike load. */
void vivsim_exchange(struct vivsim_step *s, vivsim_atomic *change)
{
	v8u x = *s->src[2][0], next = *s->src[2][1];

	for (unsigned int c = 0; c < 4; c++) {
		v8u address = address_of(s) + 4 * c, v = *s->src[2][c];

		s->out[c] = splat(0);
		if (!(s->o->comps >> c & 1))
			continue;
		EACH_RUNNING(s) {
			uint32_t old = 0, new = v[lane];
			bool there = !change || load_word(s->st->env, address[lane], &old);
			bool less = s->o->is_signed ? (int32_t)v[lane] < (int32_t)old : v[lane] < old;

			if (change)
				new = change(old, v[lane], x[lane], next[lane], less);
			s->out[c][lane] = old;
			if (!there || !store_word(s->st->env, address[lane], new))
				event(s, VIVSIM_MEMORY);
		}
	}
}

/* A component of an image: in a word, from that byte on. */
static unsigned int bytes_of(const struct vivsim_op *o)
{
	return o->type == VIV_F16 ? 2 : 4 - o->narrow / 8;
}

static uint32_t unpack(const struct vivsim_op *o, uint32_t word, unsigned int byte)
{
	uint32_t v = word >> byte * 8;

	if (o->type == VIV_F16)
		return as_bits(half_to_float(v & 0xffff));
	return o->is_signed ? (uint32_t)((int32_t)(v << o->narrow) >> o->narrow) : v << o->narrow >> o->narrow;
}

static uint32_t pack(const struct vivsim_op *o, uint32_t word, unsigned int byte, uint32_t v)
{
	unsigned int n = bytes_of(o);
	uint32_t mask = n == 4 ? ~0u : ((1u << 8 * n) - 1) << byte * 8;

	v = o->type == VIV_F16 ? half_from_float(as_float(v)) : v;
	return (word & ~mask) | (v << byte * 8 & mask);
}

/*
 * img_load, img_store: an image as src0 describes it (rnndb). GUESS: a texel is
 * the components written, each of the type; slices follow each other; outside
 * reads 0 and is not written.
 */
void vivsim_image(struct vivsim_step *s, bool store, bool slices)
{
	const struct vivsim_op *o = s->o;
	unsigned int n = o->comps ? 32 - (unsigned int)__builtin_clz(o->comps) : 0;

	for (int c = 0; c < 4; c++)
		s->out[c] = splat(0);
	EACH_RUNNING(s) {
		uint32_t size = (*s->src[0][2])[lane], width = size & 0xffff, height = size >> 16;
		uint32_t x = (*s->src[1][0])[lane], y = (*s->src[1][1])[lane], z = slices ? (*s->src[1][2])[lane] : 0;
		uint32_t at = (*s->src[0][0])[lane] + (z * height + y) * (*s->src[0][1])[lane] + x * n * bytes_of(o);

		if (x >= width || y >= height)
			continue;
		for (unsigned int c = 0; c < 4; c++, at += bytes_of(o)) {
			uint32_t word = 0;
			bool ok;

			if (!(o->comps >> c & 1))
				continue;
			ok = load_word(s->st->env, at & ~3u, &word);
			s->out[c][lane] = ok ? unpack(o, word, at & 3) : 0;
			if (ok && store)
				ok = store_word(s->st->env, at & ~3u, pack(o, word, at & 3, (*s->src[2][c])[lane]));
			if (!ok)
				event(s, VIVSIM_MEMORY);
		}
	}
}
