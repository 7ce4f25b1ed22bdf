// SPDX-License-Identifier: MIT
/*
 * The thread walker: a program that runs once for each item of a grid of work groups, one
 * group after the other, its items in turns of eight.
 *
 * Facts: rnndb state_3d.xml (CL), etnaviv_gpu_tests (etnaviv_verifyops.c, etnaviv_cl_bench.c: kernels of a GC2000 and
 * a GC3000), Linux etnaviv_flop_reset.c (one of HALTI5).
 *
 * GUESS(cl-order): groups and items come one after the other, x first, whatever TRAVERSE_ORDER and the swaths say.
 * GUESS(cl-thread-allocation): THREAD_ALLOCATION, 1 for one item and 4 for 64 in what was seen, is no limit.
 */
#include <errno.h>
#include <stdlib.h>

#include "model/vivante/viv3d.h"

#define SLICE		4000	/* instructions of eight items */
#define TURN		500	/* of them, without a change to other items */
#define LOCAL_BYTES	0x8000u	/* GUESS(cl-local-size): a group's memory, which begins at 0 */

/* What the first temporaries hold. */
enum id { LOCAL, GROUP, GLOBAL };

struct v3d_walk {
	const struct v3d_program *prog;
	struct vivsim_env *env;
	unsigned int num_ids;
	enum id ids[2];
	uint32_t size[3], groups[3], offset[3], scale[3];
	uint32_t group[3];		/* the one under way */
	unsigned int turns, turn;	/* of eight items: there are, and whose it is */
	struct vivsim_state state[VIV_GROUP_ITEMS / V3D_LANES];
	uint32_t local[LOCAL_BYTES / 4];
};

void v3d_walk_free(struct v3d_walk *walk)
{
	free(walk);
}

/*
 * From GC3000 on sizes have states of their own; clients write the older ones as well, those of HALTI5 do not.
 * GUESS(cl-newer-states): the older ones do not count there. Sizes are less by one; what is beyond the dimensions is
 * 0 less one.
 */
static void dimension(struct vivante *v, struct v3d_walk *w, unsigned int d, bool used)
{
	uint32_t group = viv_state(v, VIVS_CL_WORKGROUP_X + 4 * d), global = viv_state(v, VIVS_CL_GLOBAL_X + 4 * d);

	w->size[d] = w->groups[d] = w->scale[d] = 1;
	w->offset[d] = w->group[d] = 0;
	if (!used)
		return;
	if (v->chip->halti >= 2) {
		w->size[d] = viv_state(v, VIVS_CL_WORKGROUP_SIZE_X + 4 * d) + 1;
		w->groups[d] = viv_state(v, VIVS_CL_WORKGROUP_COUNT_X + 4 * d) + 1;
		w->offset[d] = viv_state(v, VIVS_CL_GLOBAL_WORK_OFFSET_X + 8 * d);
	} else {
		w->size[d] = VIV_GET(CL_WORKGROUP_DIM_SIZE, group) + 1;
		w->groups[d] = VIV_GET(CL_WORKGROUP_DIM_COUNT, group) + 1;
		w->offset[d] = VIV_GET(CL_GLOBAL_DIM_OFFSET, global);
		/* GUESS(cl-global-size): groups are whole, whatever the number of all items is. */
		if (VIV_GET(CL_GLOBAL_DIM_SIZE, global) != (w->size[d] * w->groups[d] & 0xffff))
			viv_guess(v, "cl", "%u groups of %u items are not GLOBAL's %u: all run", w->groups[d], w->size[d],
				  VIV_GET(CL_GLOBAL_DIM_SIZE, global));
	}
	if (v->chip->halti >= 5 && viv_state(v, VIVS_CL_GLOBAL_SCALE_X + 4 * d) > 1 &&
	    !unit_answer(&v->u, PROFILE_CL_GLOBAL_SCALE)) {
		/* GUESS(cl-global-scale), by the name. 0 is written as well. */
		w->scale[d] = viv_state(v, VIVS_CL_GLOBAL_SCALE_X + 4 * d);
		viv_guess(v, "cl", "GLOBAL_SCALE multiplies the global id by %u", w->scale[d]);
	}
}

/* rnndb: what VALUE_ORDER stands for. GUESS(cl-num-ids): as many of them as the program has inputs. */
static bool find_ids(struct vivante *v, struct v3d_walk *w, uint32_t config)
{
	static const enum id orders[][2] = {
		{ LOCAL, GROUP }, { GROUP, LOCAL }, { GLOBAL, GROUP }, { GLOBAL, LOCAL }, { GROUP, GLOBAL }, { LOCAL, GLOBAL },
	};
	uint32_t order = VIV_GET(VIVS_CL_CONFIG_VALUE_ORDER, config);
	uint32_t inputs = viv_state(v, v->chip->halti < 2 ? VIVS_VS_INPUT_COUNT : VIVS_PS_INPUT_COUNT);

	if (order >= sizeof(orders) / sizeof(orders[0])) {
		viv_report(v, "cl", "CL.CONFIG: unknown VALUE_ORDER %u: nothing is computed", order);
		return false;
	}
	w->ids[0] = orders[order][0];
	w->ids[1] = orders[order][1];
	w->num_ids = VIV_GET(VIVS_VS_INPUT_COUNT_COUNT, inputs);
	if (w->num_ids > 2 || unit_answer(&v->u, PROFILE_CL_NUM_IDS))
		w->num_ids = 2;
	return true;
}

/* Component z is the slowest; there is no w. GUESS(cl-id-rest): it is 0. */
static void set_ids(const struct v3d_walk *w, struct vivsim_state *st, unsigned int lane, unsigned int item)
{
	for (unsigned int d = 0; d < 3; d++) {
		uint32_t local = item % w->size[d];
		uint32_t value[] = {
			[LOCAL] = local, [GROUP] = w->group[d],
			[GLOBAL] = (w->offset[d] + w->group[d] * w->size[d] + local) * w->scale[d],
		};

		for (unsigned int i = 0; i < w->num_ids; i++)
			st->temps[i][d][lane] = value[w->ids[i]];
		item /= w->size[d];
	}
}

static void start_group(struct v3d_walk *w)
{
	unsigned int items = w->size[0] * w->size[1] * w->size[2];

	memset(w->local, 0, sizeof(w->local));
	for (unsigned int i = 0; i < w->turns; i++) {
		struct vivsim_state *st = &w->state[i];
		unsigned int n = items - i * V3D_LANES < V3D_LANES ? items - i * V3D_LANES : V3D_LANES;

		memset(st->temps, 0, w->prog->temps * sizeof(st->temps[0]));
		vivsim_begin(st, w->prog->ops, w->prog->count, w->env, (uint8_t)((1u << n) - 1));
		for (unsigned int lane = 0; lane < n; lane++)
			set_ids(w, st, lane, i * V3D_LANES + lane);
	}
	w->turn = 0;
}

/* Whether the states say what to run. */
static bool find_grid(struct vivante *v, struct v3d_walk *w)
{
	uint32_t config = viv_state(v, VIVS_CL_CONFIG), dimensions = VIV_GET(VIVS_CL_CONFIG_DIMENSIONS, config);
	uint64_t items = 1;

	if (v->chip->model < 0x1000 || !dimensions) {
		viv_report(v, "cl", "%s: nothing is computed", dimensions ? "no source knows a thread walker of this chip" :
			   "CL.CONFIG: 0 dimensions");
		return false;
	}
	if (!find_ids(v, w, config))
		return false;
	for (unsigned int d = 0; d < 3 && items <= VIV_GROUP_ITEMS; d++) {
		dimension(v, w, d, d < dimensions);
		items *= w->size[d];
	}
	/* GUESS(cl-group-items): nothing runs. It may as well run in parts, or wait for room without end. */
	if (!items || items > VIV_GROUP_ITEMS) {
		viv_guess(v, "cl", "a work group of more than %u items: nothing is computed", VIV_GROUP_ITEMS);
		return false;
	}
	w->turns = ((unsigned int)items + V3D_LANES - 1) / V3D_LANES;
	/* GUESS(cl-api-mode): nobody writes another one. */
	if (viv_state(v, VIVS_GL_API_MODE) != VIVS_GL_API_MODE_OPENCL && unit_answer(&v->u, PROFILE_CL_API_MODE))
		return false;
	if (viv_state(v, VIVS_GL_API_MODE) != VIVS_GL_API_MODE_OPENCL)
		viv_guess(v, "cl", "the kernel runs though GL.API_MODE is not OPENCL");
	return true;
}

bool viv3d_kick(struct vivante *v)
{
	struct viv3d *p = v->p3d;

	if (!p->walk) {
		p->walk = aligned_alloc(64, (sizeof(*p->walk) + 63) & ~(size_t)63);
		if (!p->walk) {
			viv_hang(v, "cl", VIVS_HI_IDLE_STATE_SH, "the model is out of memory");
			return false;
		}
		memset(p->walk, 0, sizeof(*p->walk));
	}
	if (!find_grid(v, p->walk))
		return false;
	p->walk->env = v3d_kernel_start(p, &p->walk->prog);
	if (!p->walk->env)
		return false;
	p->walk->env->local = p->walk->local;
	p->walk->env->local_bytes = LOCAL_BYTES;
	start_group(p->walk);
	return true;
}

/* All had their turn: those at a barrier go on when nobody else runs, the next group when there is nobody. */
static bool next(struct vivante *v, struct v3d_walk *w)
{
	unsigned int live = 0, waiting = 0, items = w->size[0] * w->size[1] * w->size[2];

	for (unsigned int i = 0; i < w->turns; i++) {
		live |= w->state[i].live;
		waiting += (unsigned int)__builtin_popcount(w->state[i].waiting);
	}
	w->turn = 0;
	if (live)
		return true;
	/* GUESS(cl-barrier-part): a barrier waits for those that have not ended. */
	if (waiting && waiting < items)
		viv_guess(v, "cl", "%u of %u items of a group are at a barrier, the others have ended: they go on", waiting, items);
	for (unsigned int i = 0; i < w->turns && waiting; i++) {
		w->state[i].live = w->state[i].waiting;
		w->state[i].waiting = 0;
	}
	if (waiting)
		return true;
	for (unsigned int d = 0; d < 3; d++) {
		if (++w->group[d] < w->groups[d]) {
			start_group(w);
			return true;
		}
		w->group[d] = 0;
	}
	return false;
}

bool viv3d_walk(struct vivante *v)
{
	struct viv3d *p = v->p3d;
	struct v3d_walk *w = p->walk;
	bool more = true;

	p->fault = false;
	for (unsigned int done = 0; done < SLICE && more && !v->hung;) {
		struct vivsim_state *st = &w->state[w->turn];
		uint64_t before = st->instructions;

		if (st->live && !v3d_kernel_ran(p, st, TURN))
			return p->fault;
		done += (unsigned int)(st->instructions - before) + 1;
		if (++w->turn == w->turns)
			more = next(v, w);
	}
	return more && !v->hung;
}
