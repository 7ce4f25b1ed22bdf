/* SPDX-License-Identifier: MIT */
#ifndef LIMN_SIM_VIVANTE_INTERNAL_H
#define LIMN_SIM_VIVANTE_INTERNAL_H

#include "isa/vivante.h"
#include "sim/vector.h"
#include "sim/vivante.h"

/* An instruction under way. */
struct vivsim_step {
	struct vivsim_state *st;
	const struct vivsim_op *o;
	unsigned int at;
	uint8_t need;		/* components to compute */
	uint8_t mask;
	bool jumped;		/* the lanes' program counters, or who is alive, changed */
	v8i lanes;		/* the same as mask */
	const v8u *const *src[3];	/* sources: there for the components of need */
	v8u *out;		/* the result: in its place, or in made */
	const v8u *found[3][4];	/* sources that are not bound */
	v8u held[3][4];		/* what is not in a register as it is */
	v8u made[4];
};

/* The body of an op, for operands that are floats, signed and unsigned integers; NULL: it has none. */
struct vivsim_body {
	void (*f)(struct vivsim_step *s), (*s)(struct vivsim_step *s), (*u)(struct vivsim_step *s);
};

extern const struct vivsim_body vivsim_bodies[VIV_OPS];

/* Every running lane has the first one's value. */
static inline bool same(const struct vivsim_step *s, v8i v)
{
	return !(v8_mask(v != v[__builtin_ctz(s->mask)]) & s->mask);
}

static inline void event(struct vivsim_step *s, enum vivsim_event e)
{
	sim_event(&s->st->events, s->st->event_at, e, s->at);
}

static inline void go_to(struct vivsim_step *s, unsigned int pc)
{
	s->st->pc = v8_choose(s->lanes, v8_word(pc), s->st->pc);
}

static inline bool integer_type(unsigned int type)
{
	return type != VIV_F32 && type != VIV_F16;
}

#endif
