// SPDX-License-Identifier: MIT
/* Bifrost: tuples of slot instructions. Sources: Mesa bifrost.h, enum bifrost_packed_src. */
#include <string.h>

#include "sim/bifrost_program.h"

#define ADD_SLOT	0x80000000u

/* What a source code of three bits means in this slot. */
static uint32_t source(const struct bifsim_state *s, unsigned int code, bool add, unsigned int lane)
{
	switch (code) {
	case BIFSIM_STAGE:
		/* FMA has nothing before it in its tuple: 0. */
		return add ? s->fma[lane] : 0;
	case BIFSIM_FAU_LO:
	case BIFSIM_FAU_HI:
		return s->fau[code - BIFSIM_FAU_LO][lane];
	case BIFSIM_PASS_FMA:
		return s->pass_fma[lane];
	case BIFSIM_PASS_ADD:
		return s->pass_add[lane];
	}
	return s->ports[code][lane];
}

void bifsim_step(struct bifsim_state *s, uint32_t word, uint8_t mask)
{
	bool add = word & ADD_SLOT;

	/* A tuple begins: what the last one made can be passed on. */
	if (!add || !s->in_tuple) {
		s->pass_fma = s->fma;
		s->pass_add = s->add;
		s->fma = (v8u){ 0 };
		s->add = (v8u){ 0 };
		memset(s->carry, 0, sizeof(s->carry));
	}
	s->in_tuple = !add;
	for (unsigned int lane = 0; lane < SIM_LANES; lane++) {
		struct bifrost_lane l = { .carry = s->carry[lane] };

		if (!((mask & ~s->discarded) >> lane & 1))
			continue;
		for (unsigned int i = 0; i < 4; i++) {
			l.src[i] = source(s, word >> 3 * i & 7, add, lane);
			l.staging[i] = s->staging[i][lane];
		}
		if (!bifrost_execute(word, &l, s->env)) {
			s->events |= BIFSIM_UNKNOWN_OP;
			continue;
		}
		if (add)
			s->add[lane] = l.result;
		else
			s->fma[lane] = l.result;
		for (unsigned int i = 0; i < 4; i++)
			s->staging[i][lane] = l.staging[i];
		s->carry[lane] = l.carry;
		s->discarded |= (uint8_t)(l.discard << lane);
	}
}
