// SPDX-License-Identifier: MIT
/* Vivante shaders: branches, calls, loops. Sources as in vivante_sem.inc. */
#include <math.h>

#include "sim/vivante_internal.h"

static void go_on(struct vivsim_step *s)
{
	s->jumped = true;
	go_to(s, s->at + 1);
}

/* Running lanes in which src0 COND src1 holds, in component x or in any. They all go on behind the instruction at first. */
static v8i holds(struct vivsim_step *s, bool any)
{
	v8i yes = vivsim_condition(s, 0);

	for (unsigned int c = 1; any && c < 4; c++)
		yes |= vivsim_condition(s, c);
	go_on(s);
	return yes & s->lanes;
}

void vivsim_jump(struct vivsim_step *s, bool any, bool call)
{
	struct vivsim_state *st = s->st;
	v8i taken = holds(s, any);

	EACH_RUNNING(s) {
		if (!call || !taken[lane])
			continue;
		if (st->depth[lane] == VIVSIM_CALLS) {
			st->fault = (struct sim_fault){ s->at, "calls nest too deeply" };
			return;
		}
		st->calls[lane][st->depth[lane]++] = s->at + 1;
	}
	st->pc = choose(taken, splat(s->o->target), st->pc);
}

/* GUESS: a return from the outermost level ends the shader. */
void vivsim_return(struct vivsim_step *s)
{
	struct vivsim_state *st = s->st;

	go_on(s);
	EACH_RUNNING(s) {
		if (!st->depth[lane])
			st->live &= ~(1u << lane);
		else
			st->pc[lane] = st->calls[lane][--st->depth[lane]];
	}
}

void vivsim_kill(struct vivsim_step *s)
{
	v8i killed = holds(s, false);

	EACH_RUNNING(s)
		s->st->discarded |= (killed[lane] & 1) << lane;
	s->st->live &= ~s->st->discarded;
}

/* Behind the endrep or endloop of the rep or loop at s->at. */
static unsigned int behind_loop(const struct vivsim_step *s)
{
	unsigned int depth = 1, i = s->at + 1;

	for (; i < s->st->count && depth; i++) {
		unsigned int id = s->st->ops[i].id;

		depth += id == VIV_OP_rep || id == VIV_OP_loop;
		depth -= id == VIV_OP_endrep || id == VIV_OP_endloop;
	}
	return i;
}

/*
 * rep, loop and their ends. GUESS: as in DirectX's shader assembly, which the
 * set is made after (rnndb): counts are integers, of a float type rounded down.
 */
void vivsim_repeat(struct vivsim_step *s, bool indexed)
{
	struct vivsim_state *st = s->st;

	go_on(s);
	EACH_RUNNING(s) {
		int v[3];

		for (int c = 0; c < 3; c++) {
			float f = floorf(((v8f)*s->src[0][c])[lane]);

			v[c] = integer_type(s->o->type) ? (int)(*s->src[0][c])[lane] : f > -1e6f && f < 1e6f ? (int)f : 0;
		}
		if (v[0] <= 0) {
			st->pc[lane] = behind_loop(s);
			continue;
		}
		if (st->loop_depth[lane] == VIVSIM_CALLS) {
			st->fault = (struct sim_fault){ s->at, "loops nest too deeply" };
			return;
		}
		st->loops[lane][st->loop_depth[lane]++] = (struct vivsim_loop){ s->at + 1, v[0], v[2], indexed };
		if (indexed)
			st->address[0][lane] = v[1];
	}
}

void vivsim_repeat_end(struct vivsim_step *s)
{
	struct vivsim_state *st = s->st;

	go_on(s);
	EACH_RUNNING(s) {
		struct vivsim_loop *l;

		if (!st->loop_depth[lane])
			continue;
		l = &st->loops[lane][st->loop_depth[lane] - 1];
		st->address[0][lane] = (int)((unsigned int)st->address[0][lane] + (l->indexed ? (unsigned int)l->step : 0));
		if (--l->left > 0)
			st->pc[lane] = l->start;
		else
			st->loop_depth[lane]--;
	}
}
