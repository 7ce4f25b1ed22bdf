// SPDX-License-Identifier: MIT
/* Vivante shaders: memory. Sources as in vivante_ops.c. */
#include <string.h>

#include "sim/vivante_internal.h"

static uint32_t atomic(unsigned int op, bool is_signed, uint32_t old, uint32_t v, uint32_t next)
{
	bool less = is_signed ? (int32_t)v < (int32_t)old : v < old;

	switch (op) {
	case 0x65: return old + v;
	case 0x66: return v;
	case 0x67: return old == v ? next : old;
	case 0x68: return less ? v : old;
	case 0x69: return less ? old : v;
	case 0x6a: return old | v;
	case 0x6b: return old & v;
	default: return old ^ v;
	}
}

/* Every running lane has the first one's value. */
static bool same(const struct step *s, v8u v)
{
	v8i other = (v8i)(v != v[__builtin_ctz(s->mask)]) & s->lanes;

	return !(other[0] | other[1] | other[2] | other[3] | other[4] | other[5] | other[6] | other[7]);
}

/*
 * load: words from src0.x + (src1.x << shift) on, one for each component that is
 * written, without gaps (Mesa's register allocator keeps them together, and in
 * whichever components it likes).
 */
void vivsim_load(struct step *s, v8u out[4])
{
	const struct vivsim_env *env = s->st->env;
	v8u address = s->src[0][0] + (s->src[1][0] << s->o->left_shift);
	bool once = same(s, address);

	for (int c = 0; c < 4; c++) {
		if (!(s->o->comps >> c & 1))
			continue;
		for (int lane = 0; lane < SIM_LANES; lane++) {
			uint32_t v = 0;

			if (!(s->mask >> lane & 1))
				continue;
			if (!env->load || !env->load(env->ctx, address[lane], &v))
				event(s, VIVSIM_MEMORY);
			if (once) {
				out[c] = splat(v);
				break;
			}
			out[c][lane] = v;
		}
		address += 4;
	}
}

/* store, atomics: word c at src0.x + (src1.x << shift) + 4 c. GUESS: by the component's number, unlike load. */
void vivsim_memory(struct step *s, v8u out[4])
{
	const struct vivsim_env *env = s->st->env;
	unsigned int comps = s->o->comps, shift = s->o->left_shift;
	bool is_signed = s->type == VIV_S32, ok;

	for (int c = 0; c < 4; c++) {
		v8u address = s->src[0][0] + (s->src[1][0] << shift) + 4 * (unsigned int)c;

		out[c] = splat(0);
		for (int lane = 0; lane < SIM_LANES && comps >> c & 1; lane++) {
			uint32_t old = 0;

			if (!(s->mask >> lane & 1))
				continue;
			ok = s->op == 0x33 || (env->load && env->load(env->ctx, address[lane], &old));
			out[c][lane] = old;
			if (s->op == 0x33)
				ok = env->store && env->store(env->ctx, address[lane], s->src[2][c][lane]);
			else if (ok)
				ok = env->store && env->store(env->ctx, address[lane], atomic(s->op, is_signed, old,
					s->src[2][s->op == 0x67 ? 0 : c][lane], s->src[2][1][lane]));
			if (!ok)
				event(s, VIVSIM_MEMORY);
		}
	}
}

/* One component of a texel, of one lane. address: of the texel. */
static bool texel(struct step *s, uint32_t address, int c, bool store, uint32_t v, uint32_t *out)
{
	const struct vivsim_env *env = s->st->env;
	unsigned int at = (unsigned int)c * vivsim_bytes(s->type);
	uint32_t word = 0;

	address += at;
	if (!env->load || !env->load(env->ctx, address & ~3u, &word))
		return false;
	if (!store)
		*out = vivsim_unpack(s->type, word, address & 3);
	return !store || (env->store && env->store(env->ctx, address & ~3u, vivsim_pack(s->type, word, address & 3, v)));
}

/*
 * img_load, img_store: an image as src0 describes it (rnndb). GUESS: a texel is
 * the components written, each of the type; slices follow each other; outside
 * reads 0 and is not written.
 */
void vivsim_image(struct step *s, v8u out[4])
{
	bool store = s->op == 0x7a || s->op == 0x35, slices = s->op == 0x34 || s->op == 0x35;
	unsigned int n = s->o->comps ? 32 - (unsigned int)__builtin_clz(s->o->comps) : 0;

	for (int lane = 0; lane < SIM_LANES; lane++) {
		uint32_t size = s->src[0][2][lane], width = size & 0xffff, height = size >> 16;
		uint32_t x = s->src[1][0][lane], y = s->src[1][1][lane], z = slices ? s->src[1][2][lane] : 0;
		uint32_t at = s->src[0][0][lane] + (z * height + y) * s->src[0][1][lane] + x * n * vivsim_bytes(s->type);

		if (!(s->mask >> lane & 1) || x >= width || y >= height)
			continue;
		for (int c = 0; c < 4; c++) {
			uint32_t v = 0;

			if (!(s->o->comps >> c & 1))
				continue;
			if (!texel(s, at, c, store, s->src[2][c][lane], &v))
				event(s, VIVSIM_MEMORY);
			out[c][lane] = v;
		}
	}
}
