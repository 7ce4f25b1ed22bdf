// SPDX-License-Identifier: GPL-2.0-only
/*
 * Performance counters: what there are, and reading them around a job.
 *
 * Domains, signals and their names: Linux drivers/gpu/drm/etnaviv/
 * etnaviv_perfmon.c, whose numbering is user ABI; the values that select them:
 * rnndb, in include/limn/vivante/tables/host.inc.
 *
 * A job with requests, or with a perfmon of <drm/limn_drm.h>, stops FE before its
 * stream and behind it. The worker reads what is asked for and lets FE go on, see
 * &limn_backend.job_service.
 */
#include <drm/drm_managed.h>
#include <drm/etnaviv_drm.h>

#include "limn_perfmon.h"
#include "vivante.h"

enum vivante_pm_how {
	PM_SELECT,		/* write a selector, read the domain's register */
	PM_SELECT_PIPES,	/* the same, summed over pixel pipes */
	PM_READ_PIPES,		/* read a register, summed over pixel pipes */
	PM_TOTAL_CYCLES,
	PM_IDLE_CYCLES,
};

struct vivante_pm_signal {
	const char *name;
	enum vivante_pm_how how;
	u32 data;		/* selector in its field, or register */
};

struct vivante_pm_domain {
	const char *name;
	u32 read;
	u32 config;
	unsigned int num_signals;
	const struct vivante_pm_signal *signals;
};

#define SELECTOR(n, module, name)								\
	VIV_SET(VIVS_MC_PROFILE_CONFIG##n##_##module, VIVS_MC_PROFILE_CONFIG##n##_##module##_##name)
#define ONE(n, module, name)	{ #name, PM_SELECT, SELECTOR(n, module, name) }
#define SUM(n, module, name)	{ #name, PM_SELECT_PIPES, SELECTOR(n, module, name) }

static const struct vivante_pm_signal pm_hi[] = {
	{ "TOTAL_READ_BYTES8", PM_READ_PIPES, VIVS_HI_PROFILE_READ_BYTES8 },
	{ "TOTAL_WRITE_BYTES8", PM_READ_PIPES, VIVS_HI_PROFILE_WRITE_BYTES8 },
	{ "TOTAL_CYCLES", PM_TOTAL_CYCLES },
	{ "IDLE_CYCLES", PM_IDLE_CYCLES },
	ONE(2, HI, AXI_CYCLES_READ_REQUEST_STALLED),
	ONE(2, HI, AXI_CYCLES_WRITE_REQUEST_STALLED),
	ONE(2, HI, AXI_CYCLES_WRITE_DATA_STALLED),
};

static const struct vivante_pm_signal pm_pe[] = {
	SUM(0, PE, PIXEL_COUNT_KILLED_BY_COLOR_PIPE),
	SUM(0, PE, PIXEL_COUNT_KILLED_BY_DEPTH_PIPE),
	SUM(0, PE, PIXEL_COUNT_DRAWN_BY_COLOR_PIPE),
	SUM(0, PE, PIXEL_COUNT_DRAWN_BY_DEPTH_PIPE),
};

static const struct vivante_pm_signal pm_sh[] = {
	ONE(0, SH, SHADER_CYCLES),
	ONE(0, SH, PS_INST_COUNTER),
	ONE(0, SH, RENDERED_PIXEL_COUNTER),
	SUM(0, SH, VS_INST_COUNTER),
	SUM(0, SH, RENDERED_VERTICE_COUNTER),
	SUM(0, SH, VTX_BRANCH_INST_COUNTER),
	SUM(0, SH, VTX_TEXLD_INST_COUNTER),
	SUM(0, SH, PXL_BRANCH_INST_COUNTER),
	SUM(0, SH, PXL_TEXLD_INST_COUNTER),
};

static const struct vivante_pm_signal pm_pa[] = {
	ONE(1, PA, INPUT_VTX_COUNTER),
	ONE(1, PA, INPUT_PRIM_COUNTER),
	ONE(1, PA, OUTPUT_PRIM_COUNTER),
	SUM(1, PA, DEPTH_CLIPPED_COUNTER),
	SUM(1, PA, TRIVIAL_REJECTED_COUNTER),
	SUM(1, PA, CULLED_COUNTER),
};

static const struct vivante_pm_signal pm_se[] = {
	ONE(1, SE, CULLED_TRIANGLE_COUNT),
	ONE(1, SE, CULLED_LINES_COUNT),
};

static const struct vivante_pm_signal pm_ra[] = {
	ONE(1, RA, VALID_PIXEL_COUNT),
	ONE(1, RA, TOTAL_QUAD_COUNT),
	ONE(1, RA, VALID_QUAD_COUNT_AFTER_EARLY_Z),
	ONE(1, RA, TOTAL_PRIMITIVE_COUNT),
	ONE(1, RA, PIPE_CACHE_MISS_COUNTER),
	ONE(1, RA, PREFETCH_CACHE_MISS_COUNTER),
	ONE(1, RA, CULLED_QUAD_COUNT),
};

static const struct vivante_pm_signal pm_tx[] = {
	ONE(1, TX, TOTAL_BILINEAR_REQUESTS),
	ONE(1, TX, TOTAL_TRILINEAR_REQUESTS),
	ONE(1, TX, TOTAL_DISCARDED_TEXTURE_REQUESTS),
	ONE(1, TX, TOTAL_TEXTURE_REQUESTS),
	ONE(1, TX, MEM_READ_COUNT),
	ONE(1, TX, MEM_READ_IN_8B_COUNT),
	ONE(1, TX, CACHE_MISS_COUNT),
	ONE(1, TX, CACHE_HIT_TEXEL_COUNT),
	ONE(1, TX, CACHE_MISS_TEXEL_COUNT),
};

static const struct vivante_pm_signal pm_mc[] = {
	ONE(2, MC, TOTAL_READ_REQ_8B_FROM_PIPELINE),
	ONE(2, MC, TOTAL_READ_REQ_8B_FROM_IP),
	ONE(2, MC, TOTAL_WRITE_REQ_8B_FROM_PIPELINE),
};

static const struct vivante_pm_signal pm_pe_2d[] = {
	SUM(0, PE, PIXELS_RENDERED_2D),
};

#define DOMAIN(label, module, config, list)							\
	{ label, VIVS_MC_PROFILE_##module##_READ, VIVS_MC_PROFILE_CONFIG##config,		\
	  ARRAY_SIZE(list), list }

static const struct vivante_pm_domain pm_3d[] = {
	DOMAIN("HI", HI, 2, pm_hi),
	DOMAIN("PE", PE, 0, pm_pe),
	DOMAIN("SH", SH, 0, pm_sh),
	DOMAIN("PA", PA, 1, pm_pa),
	DOMAIN("SE", SE, 1, pm_se),
	DOMAIN("RA", RA, 1, pm_ra),
	DOMAIN("TX", TX, 1, pm_tx),
	DOMAIN("MC", MC, 2, pm_mc),
};

static const struct vivante_pm_domain pm_2d[] = {
	DOMAIN("PE", PE, 0, pm_pe_2d),
};

/* The domains of a pipe (ETNA_PIPE_*); a query numbers them through all pipes that a core has. */
static const struct {
	u32 feature;
	const struct vivante_pm_domain *domains;
	unsigned int num;
} pm_pipes[] = {
	[ETNA_PIPE_3D] = { chipFeatures_PIPE_3D, pm_3d, ARRAY_SIZE(pm_3d) },
	[ETNA_PIPE_2D] = { chipFeatures_PIPE_2D, pm_2d, ARRAY_SIZE(pm_2d) },
	[ETNA_PIPE_VG] = { chipFeatures_PIPE_VG, NULL, 0 },
};

/* A domain as <drm/limn_drm.h> has it: of a pipe that some cores have. */
struct vivante_perf {
	struct limn_perf_domain domain;
	const struct vivante_pm_domain *hw;
	char name[16];
};

static unsigned int vivante_pm_num(const struct vivante_core *core)
{
	unsigned int i, num = 0;

	for (i = 0; i < ARRAY_SIZE(pm_pipes); i++)
		num += core->id.features[0] & pm_pipes[i].feature ? pm_pipes[i].num : 0;
	return num;
}

static const struct vivante_pm_domain *vivante_pm_domain(const struct vivante_core *core,
							 unsigned int index)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(pm_pipes); i++) {
		if (!(core->id.features[0] & pm_pipes[i].feature))
			continue;
		if (index < pm_pipes[i].num)
			return &pm_pipes[i].domains[index];
		index -= pm_pipes[i].num;
	}
	return NULL;
}

/* @data: &struct drm_etnaviv_pm_domain */
int vivante_pm_query_domain(struct vivante_core *core, void *data)
{
	struct drm_etnaviv_pm_domain *args = data;
	const struct vivante_pm_domain *domain = vivante_pm_domain(core, args->iter);

	if (!domain)
		return -EINVAL;
	args->id = args->iter;
	args->nr_signals = domain->num_signals;
	strscpy_pad(args->name, domain->name, sizeof(args->name));
	args->iter = args->iter + 1u == vivante_pm_num(core) ? 0xff : args->iter + 1;
	return 0;
}

/* @data: &struct drm_etnaviv_pm_signal */
int vivante_pm_query_signal(struct vivante_core *core, void *data)
{
	struct drm_etnaviv_pm_signal *args = data;
	const struct vivante_pm_domain *domain = vivante_pm_domain(core, args->domain);

	if (!domain || args->iter >= domain->num_signals)
		return -EINVAL;
	args->id = args->iter;
	strscpy_pad(args->name, domain->signals[args->iter].name, sizeof(args->name));
	args->iter = args->iter + 1u == domain->num_signals ? 0xffff : args->iter + 1;
	return 0;
}

/* Does a job on that pipe have this signal? Here, domains are numbered from 0 for each pipe. */
bool vivante_pm_is_signal(u32 exec_state, unsigned int domain, unsigned int signal)
{
	return exec_state < ARRAY_SIZE(pm_pipes) && domain < pm_pipes[exec_state].num &&
	       signal < pm_pipes[exec_state].domains[domain].num_signals;
}

static void vivante_pm_select_pipe(struct vivante_core *core, unsigned int pipe)
{
	u32 control = vivante_read(core, VIVS_HI_CLOCK_CONTROL);

	control &= ~VIV_MASK(VIVS_HI_CLOCK_CONTROL_DEBUG_PIXEL_PIPE);
	vivante_write(core, VIVS_HI_CLOCK_CONTROL,
		      control | VIV_SET(VIVS_HI_CLOCK_CONTROL_DEBUG_PIXEL_PIPE, pipe));
}

static u32 vivante_pm_read(struct vivante_core *core, const struct vivante_pm_domain *domain,
			   const struct vivante_pm_signal *signal)
{
	if (signal->how == PM_READ_PIPES)
		return vivante_read(core, signal->data);
	vivante_write(core, domain->config, signal->data);
	return vivante_read(core, domain->read);
}

/* Where cycles are counted. */
static u32 vivante_pm_cycles(struct vivante_core *core, bool idle)
{
	u32 model = core->id.model;

	if (model == chipModel_GC880 || model == chipModel_GC2000 || model == chipModel_GC2100)
		return vivante_read(core, idle ? VIVS_HI_PROFILE_TOTAL_CYCLES :
						 VIVS_MC_PROFILE_CYCLE_COUNTER);
	return vivante_read(core, idle ? VIVS_HI_PROFILE_IDLE_CYCLES :
					 VIVS_HI_PROFILE_TOTAL_CYCLES);
}

static u32 vivante_pm_sample(struct vivante_core *core, const struct vivante_pm_domain *domain,
			     const struct vivante_pm_signal *signal)
{
	u32 sum = 0;
	unsigned int i;

	switch (signal->how) {
	case PM_TOTAL_CYCLES:
	case PM_IDLE_CYCLES:
		return vivante_pm_cycles(core, signal->how == PM_IDLE_CYCLES);
	case PM_SELECT:
		return vivante_pm_read(core, domain, signal);
	default:
		break;
	}
	for (i = 0; i < core->id.pixel_pipes; i++) {
		vivante_pm_select_pipe(core, i);
		sum += vivante_pm_read(core, domain, signal);
	}
	vivante_pm_select_pipe(core, 0);	/* any other hangs the GPU */
	return sum;
}

/**
 * vivante_pm_finished - a number that grows with what a pipe gets finished
 * @core: the core
 * @exec_state: ETNA_PIPE_* that runs
 *
 * Pixels and vertices whose shaders have ended: a shader that does not end adds
 * nothing. Reading them changes nothing that a perfmon request has.
 *
 * GUESS: these can be read while they count, as Linux etnaviv_sched.c reads that
 * of FE for the same purpose.
 *
 * Return: their sum, modulo 2^32.
 */
u32 vivante_pm_finished(struct vivante_core *core, u32 exec_state)
{
	static const u32 of_3d[] = {
		SELECTOR(0, SH, RENDERED_PIXEL_COUNTER), SELECTOR(0, SH, RENDERED_VERTICE_COUNTER),
	};
	u32 sum = 0;
	unsigned int i;

	if (exec_state == ETNA_PIPE_2D) {
		vivante_write(core, VIVS_MC_PROFILE_CONFIG0, SELECTOR(0, PE, PIXELS_RENDERED_2D));
		return vivante_read(core, VIVS_MC_PROFILE_PE_READ);
	}
	for (i = 0; i < ARRAY_SIZE(of_3d); i++) {
		vivante_write(core, VIVS_MC_PROFILE_CONFIG0, of_3d[i]);
		sum += vivante_read(core, VIVS_MC_PROFILE_SH_READ);
	}
	return sum;
}

/* Which primitive FE is at (Linux 7 etnaviv_sched.c); changes from one to the next, 0 in 2D. */
u32 vivante_pm_primitive(struct vivante_core *core, u32 exec_state)
{
	if (exec_state != ETNA_PIPE_3D)
		return 0;
	vivante_write(core, VIVS_MC_PROFILE_CONFIG0, SELECTOR(0, FE, CURRENT_PRIM));
	return vivante_read(core, VIVS_MC_PROFILE_FE_READ);
}

static void vivante_pm_sample_all(struct vivante_core *core, const struct vivante_job *vj, u32 when)
{
	unsigned int i;

	for (i = 0; i < vj->num_pmrs; i++) {
		const struct vivante_pmr *pmr = &vj->pmrs[i];
		const struct vivante_pm_domain *domain;

		if (!(pmr->flags & when))
			continue;
		domain = &pm_pipes[vj->exec_state].domains[pmr->domain];
		WRITE_ONCE(pmr->bo[pmr->offset],
			   vivante_pm_sample(core, domain, &domain->signals[pmr->signal]));
	}
}

/* The same for a perfmon: what has come since before the job, 32 bits of it. */
static void vivante_perf_sample(struct vivante_core *core, struct limn_job *job, bool done)
{
	struct limn_pipe *pipe = vivante_pipe(core);
	const struct limn_perfmon *mon;
	u32 now[DRM_LIMN_PERFMON_MAX];
	unsigned int i;

	if (!job->perf)
		return;
	mon = job->perf->mon;
	for (i = 0; i < mon->count; i++) {
		const struct vivante_perf *perf = &core->viv->perf[mon->counter[i].domain];

		now[i] = 0;
		if (perf->domain.pipes & BIT(pipe->id))
			now[i] = vivante_pm_sample(core, perf->hw,
						   &perf->hw->signals[mon->counter[i].signal]);
	}
	spin_lock_irq(&pipe->lock);
	for (i = 0; i < mon->count; i++)
		job->perf->value[i] = done ? now[i] - (u32)job->perf->value[i] : now[i];
	spin_unlock_irq(&pipe->lock);
}

/* Userspace looks at the first word to see whether the others are there. */
static void vivante_pm_publish(const struct vivante_job *vj)
{
	unsigned int i;

	wmb();	/* the counters are there */
	for (i = 0; i < vj->num_pmrs; i++)
		WRITE_ONCE(vj->pmrs[i].bo[0], vj->pmrs[i].sequence);
}

/**
 * vivante_job_service - FE stands at one of the job's two sync points
 * @pipe: running; &limn_device.hw_lock is held
 * @job: its job
 *
 * Return: 0, or -EIO when FE does not stop.
 */
int vivante_job_service(struct limn_pipe *pipe, struct limn_job *job)
{
	struct vivante_core *core = vivante_core(pipe);
	struct vivante_job *vj = job->priv;
	bool done = vj->phase == VIVANTE_SYNC_POST;
	u32 idle;

	lockdep_assert_held(&pipe->ldev->hw_lock);

	/* The event came from PE; FE may have the END still before it. */
	if (readl_poll_timeout_atomic(core->regs + VIVS_HI_IDLE_STATE, idle,
				      idle & VIVS_HI_IDLE_STATE_FE, 1, VIVANTE_POLL_US))
		return -EIO;
	vivante_gate_clocks(core, false);
	vivante_pm_sample_all(core, vj, done ? ETNA_PM_PROCESS_POST : ETNA_PM_PROCESS_PRE);
	vivante_perf_sample(core, job, done);
	if (done) {
		vivante_gate_clocks(core, true);
		vivante_pm_publish(vj);
	}

	spin_lock_irq(&pipe->lock);
	if (pipe->state != LIMN_PIPE_RUNNING) {
		/* A fault came in between; its recovery is on the way. */
	} else if (done) {
		core->ring.running = false;
		limn_pipe_done(pipe);
	} else {
		vj->phase = VIVANTE_SYNC_POST;
		vj->event = vj->event_post;
		vivante_job_enter_stream(core, vj);
	}
	spin_unlock_irq(&pipe->lock);
	return 0;
}

static const struct limn_perf_domain *vivante_perf_domain(struct limn_device *ldev, unsigned int i)
{
	const struct vivante *viv = to_vivante(ldev);

	return i < viv->num_perf ? &viv->perf[i].domain : NULL;
}

const struct limn_perf_ops vivante_perf_ops = {
	.domain = vivante_perf_domain,
};

static int vivante_perf_add(struct vivante *viv, const struct vivante_pm_domain *hw,
			    const char *suffix, u32 pipes)
{
	struct vivante_perf *perf = &viv->perf[viv->num_perf];
	struct limn_perf_signal *signals;
	unsigned int i;

	signals = drmm_kcalloc(&viv->base.drm, hw->num_signals, sizeof(*signals), GFP_KERNEL);
	if (!signals)
		return -ENOMEM;
	for (i = 0; i < hw->num_signals; i++) {
		signals[i].number = i;
		signals[i].name = hw->signals[i].name;
	}
	snprintf(perf->name, sizeof(perf->name), "%s%s", hw->name, suffix);
	perf->hw = hw;
	perf->domain = (struct limn_perf_domain){
		.name = perf->name,
		/* They count all the time; a selector says which one is read. */
		.slots = hw->num_signals,
		.pipes = pipes,
		.signals = signals,
		.num_signals = hw->num_signals,
	};
	viv->num_perf++;
	return 0;
}

/* The domains that any core has, once each. */
int vivante_perf_init(struct vivante *viv)
{
	unsigned int kind, i, max = 0;
	int ret = 0;

	for (kind = 0; kind < ARRAY_SIZE(pm_pipes); kind++)
		max += pm_pipes[kind].num;
	viv->num_perf = 0;
	viv->perf = drmm_kcalloc(&viv->base.drm, max, sizeof(*viv->perf), GFP_KERNEL);
	if (!viv->perf)
		return -ENOMEM;
	for (kind = 0; kind < ARRAY_SIZE(pm_pipes); kind++) {
		u32 pipes = 0;

		for (i = 0; i < viv->num_cores; i++) {
			if (viv->core[i]->id.features[0] & pm_pipes[kind].feature)
				pipes |= BIT(i);
		}
		for (i = 0; !ret && pipes && i < pm_pipes[kind].num; i++)
			ret = vivante_perf_add(viv, &pm_pipes[kind].domains[i],
					       kind == ETNA_PIPE_2D ? " 2D" : "", pipes);
	}
	return ret;
}
