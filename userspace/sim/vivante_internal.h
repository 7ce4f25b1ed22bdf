/* SPDX-License-Identifier: MIT */
#ifndef LIMN_SIM_VIVANTE_INTERNAL_H
#define LIMN_SIM_VIVANTE_INTERNAL_H

#include "isa/vivante.h"
#include "sim/vivante.h"

/*
 * Ops that take each component for itself: op code, operand type, rounding
 * mode. False: not one of them. Pointers: vectors by value differ between
 * machines with and without AVX.
 */
bool vivsim_component(unsigned int op, unsigned int type, unsigned int cond, unsigned int rounding,
		      bool unary, const v8u *a, const v8u *b, const v8u *c, v8u *out);

/* Lanes (all ones) where a COND b holds on the type; unary conditions look at a alone. */
void vivsim_condition(unsigned int cond, unsigned int type, const v8u *a, const v8u *b, v8i *out);

/* A component of an image: its place in a 32-bit word, and back into one. */
uint32_t vivsim_unpack(unsigned int type, uint32_t word, unsigned int byte);
uint32_t vivsim_pack(unsigned int type, uint32_t word, unsigned int byte, uint32_t v);
unsigned int vivsim_bytes(unsigned int type);

/* bit_findlsb, bit_findmsb: all ones when there is none. */
uint32_t vivsim_find_bit(bool lowest, unsigned int type, uint32_t a);

/* --- An instruction under way, for the files of the simulator ------------------ */

struct step {
	struct vivsim_state *st;
	const struct vivsim_op *o;
	unsigned int at, op, type;
	uint8_t mask;
	v8i lanes;
	v8u src[3][4];
};

static inline v8u splat(uint32_t v)
{
	return (v8u){ v, v, v, v, v, v, v, v };
}

static inline v8u choose(v8i mask, v8u yes, v8u no)
{
	return (yes & (v8u)mask) | (no & ~(v8u)mask);
}

static inline void event(struct step *s, enum vivsim_event e)
{
	if (!(s->st->events & e))
		s->st->event_at[e >> 1] = s->at;
	s->st->events |= e;
}

static inline bool integer_type(unsigned int type)
{
	return type != VIV_F32 && type != VIV_F16;
}

/* vivante_memory.c: load; store and atomics; images. */
void vivsim_load(struct step *s, v8u out[4]);
void vivsim_memory(struct step *s, v8u out[4]);
void vivsim_image(struct step *s, v8u out[4]);

/*
 * vivante_flow.c: lanes for which src0 COND src1 holds, in component x or, for
 * branch_any, in any; rep, loop and their ends; branch, call, ret. False: a fault.
 */
uint8_t vivsim_holds(struct step *s);
bool vivsim_loops(struct step *s);
bool vivsim_flow(struct step *s);

#endif
