// SPDX-License-Identifier: GPL-2.0-only
/*
 * Performance counters of GP, PP and L2: two of each unit.
 *
 * Set up before a job starts, read when its unit is done and before the unit
 * is reset. What several PPs, or caches, count is added up. The L2s run on; a
 * job gets the difference. On Mali-400 both pipes share one: it counts the other
 * pipe's job, too, and a job that needs other events than that one counts nothing.
 *
 * Facts: ARM's GPL kernel driver (mali_gp.c, mali_pp_job.c, mali_l2_cache.c);
 * events: <limn/utgard/counters.inc>.
 */
#include "limn_perfmon.h"
#include "utgard.h"

enum { UTGARD_PERF_GP, UTGARD_PERF_PP, UTGARD_PERF_L2, UTGARD_PERF_DOMAINS };

#define PERF_ENABLE	1

#define UTGARD_SIGNALS_GP(number, name)	{ number, name },
#define UTGARD_SIGNALS_PP(...)
#define UTGARD_SIGNALS_L2(...)
#define UTGARD_COUNTER(block, number, name)	UTGARD_SIGNALS_##block(number, name)
static const struct limn_perf_signal utgard_gp_signals[] = {
#include <limn/utgard/counters.inc>
};

#undef UTGARD_SIGNALS_GP
#undef UTGARD_SIGNALS_PP
#define UTGARD_SIGNALS_GP(...)
#define UTGARD_SIGNALS_PP(number, name)	{ number, name },
static const struct limn_perf_signal utgard_pp_signals[] = {
#include <limn/utgard/counters.inc>
};

#undef UTGARD_SIGNALS_PP
#undef UTGARD_SIGNALS_L2
#define UTGARD_SIGNALS_PP(...)
#define UTGARD_SIGNALS_L2(number, name)	{ number, name },
static const struct limn_perf_signal utgard_l2_signals[] = {
#include <limn/utgard/counters.inc>
};

#define UTGARD_PERF_DOMAIN_L2 "l2", 2, BIT(UTGARD_PIPE_GP) | BIT(UTGARD_PIPE_PP),	\
			       utgard_l2_signals, ARRAY_SIZE(utgard_l2_signals)
static const struct limn_perf_domain utgard_perf_domains[UTGARD_PERF_DOMAINS] = {
	[UTGARD_PERF_GP] = { "gp", 2, BIT(UTGARD_PIPE_GP), utgard_gp_signals,
			     ARRAY_SIZE(utgard_gp_signals) },
	[UTGARD_PERF_PP] = { "pp", 2, BIT(UTGARD_PIPE_PP), utgard_pp_signals,
			     ARRAY_SIZE(utgard_pp_signals) },
	[UTGARD_PERF_L2] = { UTGARD_PERF_DOMAIN_L2 },
};

static const struct limn_perf_domain utgard_m400_l2_domain = { UTGARD_PERF_DOMAIN_L2, true };

/* &limn_backend.perf_domain */
const struct limn_perf_domain *utgard_perf_domain(struct limn_device *ldev, unsigned int i)
{
	if (i == UTGARD_PERF_L2 && !to_utgard(ldev)->m450)
		return &utgard_m400_l2_domain;
	return i < UTGARD_PERF_DOMAINS ? &utgard_perf_domains[i] : NULL;
}

/* Where a counter of a kind of unit is. */
struct utgard_perf_regs {
	u32 enable, src, value;
};

static const struct utgard_perf_regs gp_regs[2] = {
	{ GP_PERF_CNT_0_ENABLE, GP_PERF_CNT_0_SRC, GP_PERF_CNT_0_VALUE },
	{ GP_PERF_CNT_1_ENABLE, GP_PERF_CNT_1_SRC, GP_PERF_CNT_1_VALUE },
};

static const struct utgard_perf_regs pp_regs[2] = {
	{ PP_PERF_CNT_0_ENABLE, PP_PERF_CNT_0_SRC, PP_PERF_CNT_0_VALUE },
	{ PP_PERF_CNT_1_ENABLE, PP_PERF_CNT_1_SRC, PP_PERF_CNT_1_VALUE },
};

static const u32 l2_src[2] = { L2_PERFCNT_SRC0, L2_PERFCNT_SRC1 };
static const u32 l2_value[2] = { L2_PERFCNT_VAL0, L2_PERFCNT_VAL1 };

static void utgard_perf_setup(struct utgard_block *b, const struct utgard_perf_regs *regs,
			      unsigned int domain, const struct limn_perfmon *mon)
{
	unsigned int i;

	for (i = 0; i < mon->count; i++) {
		const struct utgard_perf_regs *r = &regs[mon->counter[i].slot];

		if (mon->counter[i].domain != domain)
			continue;
		utgard_write(b, r->src, mon->counter[i].signal);
		utgard_write(b, r->enable, PERF_ENABLE);
	}
}

static void utgard_perf_collect(struct utgard_block *b, const struct utgard_perf_regs *regs,
				unsigned int domain, struct limn_perf_job *perf)
{
	unsigned int i;

	for (i = 0; i < perf->mon->count; i++) {
		const struct utgard_perf_regs *r = &regs[perf->mon->counter[i].slot];

		if (perf->mon->counter[i].domain != domain)
			continue;
		perf->value[i] += utgard_read(b, r->value);
		/* No source says whether a reset does that. */
		utgard_write(b, r->enable, 0);
	}
}

static bool utgard_perf_wants_l2(const struct limn_perfmon *mon)
{
	unsigned int i;

	for (i = 0; i < mon->count; i++) {
		if (mon->counter[i].domain == UTGARD_PERF_L2)
			return true;
	}
	return false;
}

/* The cache counts for @pipe; false when it counts something else for the other one. */
static bool utgard_perf_take_l2(struct utgard_block *l2, unsigned int pipe,
				const struct limn_perfmon *mon)
{
	const u32 *other = l2->perf_src[!pipe];
	u32 src[2] = {};
	unsigned int i;

	lockdep_assert_held(&l2->lock);

	for (i = 0; i < mon->count; i++) {
		if (mon->counter[i].domain == UTGARD_PERF_L2)
			src[mon->counter[i].slot] = mon->counter[i].signal;
	}
	for (i = 0; i < 2; i++) {
		if (src[i] && other[i] && src[i] != other[i])
			return false;
	}
	for (i = 0; i < 2; i++) {
		if (!src[i])
			continue;
		if (src[i] != other[i])
			utgard_write(l2, l2_src[i], src[i]);
		l2->perf_base[pipe][i] = utgard_read(l2, l2_value[i]);
		l2->perf_src[pipe][i] = src[i];
	}
	return true;
}

static void utgard_perf_start_l2(struct limn_pipe *pipe, struct limn_perf_job *perf)
{
	struct utgard *ug = to_utgard(pipe->ldev);
	enum utgard_block_id id;

	for (id = UTGARD_L2_0; id <= UTGARD_L2_2; id++) {
		struct utgard_block *l2 = &ug->block[id];
		unsigned long flags;

		if (!l2->present || !utgard_pipe_uses_l2(pipe, id))
			continue;
		spin_lock_irqsave(&l2->lock, flags);
		if (!utgard_perf_take_l2(l2, pipe->id, perf->mon))
			perf->lost = true;
		spin_unlock_irqrestore(&l2->lock, flags);
	}
}

/* &limn_pipe_ops.perf_start */
void utgard_perf_start(struct limn_pipe *pipe, struct limn_job *job)
{
	struct utgard *ug = to_utgard(pipe->ldev);
	struct limn_perf_job *perf = job->perf;
	unsigned int i;

	lockdep_assert_held(&pipe->lock);

	if (utgard_perf_wants_l2(perf->mon))
		utgard_perf_start_l2(pipe, perf);
	if (pipe->id == UTGARD_PIPE_GP) {
		utgard_perf_setup(&ug->block[UTGARD_GP], gp_regs, UTGARD_PERF_GP, perf->mon);
		return;
	}
	for (i = 0; i < ug->num_pp; i++) {
		if (ug->pp_used & BIT(i))
			utgard_perf_setup(ug->pp[i], pp_regs, UTGARD_PERF_PP, perf->mon);
	}
}

/* The GP, or one PP, is done; it is not reset yet. */
void utgard_perf_unit_done(struct limn_pipe *pipe, struct utgard_block *b)
{
	struct limn_job *job = pipe->job;

	lockdep_assert_held(&pipe->lock);

	if (!job->perf)
		return;
	if (pipe->id == UTGARD_PIPE_GP)
		utgard_perf_collect(b, gp_regs, UTGARD_PERF_GP, job->perf);
	else
		utgard_perf_collect(b, pp_regs, UTGARD_PERF_PP, job->perf);
}

static void utgard_perf_read_l2(struct utgard_block *l2, unsigned int pipe,
				struct limn_perf_job *perf)
{
	unsigned int i;

	for (i = 0; i < perf->mon->count; i++) {
		unsigned int slot = perf->mon->counter[i].slot;

		if (perf->mon->counter[i].domain == UTGARD_PERF_L2 && l2->perf_src[pipe][slot])
			perf->value[i] += utgard_read(l2, l2_value[slot]) -
					  l2->perf_base[pipe][slot];
	}
}

/*
 * All units of the pipe are done, or about to be reset; then what they counted is of no interest.
 */
void utgard_perf_pipe_done(struct limn_pipe *pipe, bool well)
{
	struct utgard *ug = to_utgard(pipe->ldev);
	struct limn_job *job = pipe->job;
	enum utgard_block_id id;

	lockdep_assert_held(&pipe->lock);

	for (id = UTGARD_L2_0; job && job->perf && id <= UTGARD_L2_2; id++) {
		struct utgard_block *l2 = &ug->block[id];
		unsigned long flags;

		if (!l2->present)
			continue;
		spin_lock_irqsave(&l2->lock, flags);
		if (well)
			utgard_perf_read_l2(l2, pipe->id, job->perf);
		memset(l2->perf_src[pipe->id], 0, sizeof(l2->perf_src[pipe->id]));
		spin_unlock_irqrestore(&l2->lock, flags);
	}
}
