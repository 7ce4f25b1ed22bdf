// SPDX-License-Identifier: MIT
/* Vivante shaders: branches, calls, loops. Sources as in vivante_ops.c. */
#include <math.h>
#include <string.h>

#include "isa/table.h"
#include "sim/vivante_internal.h"

/* Lanes for which src0 COND src1 holds, in component x or, for branch_any, in any. */
uint8_t vivsim_holds(struct step *s)
{
	unsigned int cond = s->o->cond;
	uint8_t taken = 0;
	v8i yes;

	for (int c = 0; c < (s->op == 0x24 ? 4 : 1); c++) {
		if ((s->type == VIV_S32 || s->type == VIV_U32) && (cond == VIV_NOT || cond == VIV_NZ))
			yes = (v8i)(s->src[0][c] != 0) ^ -(cond == VIV_NOT);
		else
			vivsim_condition(cond, s->type, &s->src[0][c], &s->src[1][c], &yes);
		for (int lane = 0; lane < SIM_LANES; lane++)
			taken |= (yes[lane] != 0) << lane;
	}
	return taken & s->mask;
}

static unsigned int opcode_at(const struct vivsim_state *st, unsigned int i)
{
	struct vivsim_op o;

	if (st->ops)
		return st->ops[i].op;
	vivsim_decode(st->words + i * 4, 1, &o);
	return o.op;
}

/* Behind the endrep or endloop of the rep or loop at s->at. */
static unsigned int behind_loop(const struct step *s)
{
	unsigned int depth = 1, i = s->at + 1;

	for (; i < s->st->count && depth; i++) {
		unsigned int op = opcode_at(s->st, i);

		depth += op == 0x1d || op == 0x1f;
		depth -= op == 0x1e || op == 0x20;
	}
	return i;
}

/*
 * rep, loop and their ends. GUESS: as in DirectX's shader assembly, which the
 * set is made after (rnndb): counts are integers, of a float type rounded down.
 */
bool vivsim_loops(struct step *s)
{
	struct vivsim_state *st = s->st;

	for (int lane = 0; lane < SIM_LANES; lane++) {
		struct vivsim_loop *l;
		int v[3];

		if (!(s->mask >> lane & 1))
			continue;
		if (s->op == 0x1e || s->op == 0x20) {
			if (!st->loop_depth[lane])
				continue;
			l = &st->loops[lane][st->loop_depth[lane] - 1];
			st->address[0][lane] += l->indexed ? l->step : 0;
			if (--l->left > 0)
				st->pc[lane] = l->start;
			else
				st->loop_depth[lane]--;
			continue;
		}
		for (int c = 0; c < 3; c++) {
			float f = floorf(((v8f)s->src[0][c])[lane]);

			v[c] = integer_type(s->type) ? (int)s->src[0][c][lane] : f > -1e6f && f < 1e6f ? (int)f : 0;
		}
		if (v[0] <= 0) {
			st->pc[lane] = behind_loop(s);
			continue;
		}
		if (st->loop_depth[lane] == VIVSIM_CALLS) {
			st->fault = (struct sim_fault){ s->at, "loops nest too deeply" };
			return false;
		}
		st->loops[lane][st->loop_depth[lane]++] = (struct vivsim_loop){ s->at + 1, v[0], v[2], s->op == 0x1f };
		if (s->op == 0x1f)
			st->address[0][lane] = v[1];
	}
	return true;
}

/* branch, call, ret. False: a fault. */
bool vivsim_flow(struct step *s)
{
	struct vivsim_state *st = s->st;
	uint8_t taken = s->op == 0x15 ? s->mask : vivsim_holds(s);

	for (int lane = 0; lane < SIM_LANES; lane++) {
		if (!(taken >> lane & 1))
			continue;
		if (s->op == 0x15) {
			/* GUESS: a return from the outermost level ends the shader. */
			if (!st->depth[lane])
				st->live &= ~(1u << lane);
			else
				st->pc[lane] = st->calls[lane][--st->depth[lane]];
			continue;
		}
		if (s->op == 0x14) {
			if (st->depth[lane] == VIVSIM_CALLS) {
				st->fault = (struct sim_fault){ s->at, "calls nest too deeply" };
				return false;
			}
			st->calls[lane][st->depth[lane]++] = s->at + 1;
		}
		st->pc[lane] = s->o->target;
	}
	return true;
}
