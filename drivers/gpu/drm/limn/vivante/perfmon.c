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
 * &limn_pipe_ops.service.
 */

#include "limn_perfmon.h"
#include "vivante.h"

/*
 * How a signal is sampled, above the 8 bits of its selector or register in
 * &limn_perf_signal.number.
 */
enum vivante_pm_how {
	PM_SELECT = 0 << 8,	/* write a selector, read the domain's register */
	PM_SELECT_PIPES = 1 << 8,	/* the same, summed over pixel pipes */
	PM_READ_PIPES = 2 << 8,	/* read a register, summed over pixel pipes */
	PM_TOTAL_CYCLES = 3 << 8,
	PM_IDLE_CYCLES = 4 << 8,
	PM_HOW = 0xff00,
};

struct vivante_pm_domain {
	const char *name;
	/* The domain's name among those of all pipes. */
	const char *unique_name;
	u32 read;
	u32 config;
	/* Where @config has this domain's selector. */
	unsigned int shift;
	const struct limn_perf_signal *signals;
	unsigned int num_signals;
};

#define ONE(n, module, name)									\
	{ PM_SELECT | VIVS_MC_PROFILE_CONFIG##n##_##module##_##name, #name }
#define SUM(n, module, name)									\
	{ PM_SELECT_PIPES | VIVS_MC_PROFILE_CONFIG##n##_##module##_##name, #name }

static const struct limn_perf_signal pm_hi[] = {
	{ PM_READ_PIPES | VIVS_HI_PROFILE_READ_BYTES8, "TOTAL_READ_BYTES8" },
	{ PM_READ_PIPES | VIVS_HI_PROFILE_WRITE_BYTES8, "TOTAL_WRITE_BYTES8" },
	{ PM_TOTAL_CYCLES, "TOTAL_CYCLES" },
	{ PM_IDLE_CYCLES, "IDLE_CYCLES" },
	ONE(2, HI, AXI_CYCLES_READ_REQUEST_STALLED),
	ONE(2, HI, AXI_CYCLES_WRITE_REQUEST_STALLED),
	ONE(2, HI, AXI_CYCLES_WRITE_DATA_STALLED),
};

static const struct limn_perf_signal pm_pe[] = {
	SUM(0, PE, PIXEL_COUNT_KILLED_BY_COLOR_PIPE),
	SUM(0, PE, PIXEL_COUNT_KILLED_BY_DEPTH_PIPE),
	SUM(0, PE, PIXEL_COUNT_DRAWN_BY_COLOR_PIPE),
	SUM(0, PE, PIXEL_COUNT_DRAWN_BY_DEPTH_PIPE),
};

static const struct limn_perf_signal pm_sh[] = {
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

static const struct limn_perf_signal pm_pa[] = {
	ONE(1, PA, INPUT_VTX_COUNTER),
	ONE(1, PA, INPUT_PRIM_COUNTER),
	ONE(1, PA, OUTPUT_PRIM_COUNTER),
	SUM(1, PA, DEPTH_CLIPPED_COUNTER),
	SUM(1, PA, TRIVIAL_REJECTED_COUNTER),
	SUM(1, PA, CULLED_COUNTER),
};

static const struct limn_perf_signal pm_se[] = {
	ONE(1, SE, CULLED_TRIANGLE_COUNT),
	ONE(1, SE, CULLED_LINES_COUNT),
};

static const struct limn_perf_signal pm_ra[] = {
	ONE(1, RA, VALID_PIXEL_COUNT),
	ONE(1, RA, TOTAL_QUAD_COUNT),
	ONE(1, RA, VALID_QUAD_COUNT_AFTER_EARLY_Z),
	ONE(1, RA, TOTAL_PRIMITIVE_COUNT),
	ONE(1, RA, PIPE_CACHE_MISS_COUNTER),
	ONE(1, RA, PREFETCH_CACHE_MISS_COUNTER),
	ONE(1, RA, CULLED_QUAD_COUNT),
};

static const struct limn_perf_signal pm_tx[] = {
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

static const struct limn_perf_signal pm_mc[] = {
	ONE(2, MC, TOTAL_READ_REQ_8B_FROM_PIPELINE),
	ONE(2, MC, TOTAL_READ_REQ_8B_FROM_IP),
	ONE(2, MC, TOTAL_WRITE_REQ_8B_FROM_PIPELINE),
};

static const struct limn_perf_signal pm_pe_2d[] = {
	SUM(0, PE, PIXELS_RENDERED_2D),
};

#define DOMAIN(module, config, list, all_pipes)							\
	{ #module, all_pipes,									\
	  VIVS_MC_PROFILE_##module##_READ, VIVS_MC_PROFILE_CONFIG##config,			\
	  VIVS_MC_PROFILE_CONFIG##config##_##module##__SHIFT, list, ARRAY_SIZE(list) }

#define PM_3D_SH	2

static const struct vivante_pm_domain pm_3d[] = {
	DOMAIN(HI, 2, pm_hi, "HI"),
	DOMAIN(PE, 0, pm_pe, "PE"),
	[PM_3D_SH] = DOMAIN(SH, 0, pm_sh, "SH"),
	DOMAIN(PA, 1, pm_pa, "PA"),
	DOMAIN(SE, 1, pm_se, "SE"),
	DOMAIN(RA, 1, pm_ra, "RA"),
	DOMAIN(TX, 1, pm_tx, "TX"),
	DOMAIN(MC, 2, pm_mc, "MC"),
};

static const struct vivante_pm_domain pm_2d[] = {
	DOMAIN(PE, 0, pm_pe_2d, "PE 2D"),
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
	args->iter = vivante_pm_domain(core, args->iter + 1u) ? args->iter + 1 : 0xff;
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

static u32 vivante_pm_read(struct vivante_core *core, const struct vivante_pm_domain *domain,
			   u32 signal)
{
	u32 low = signal & ~PM_HOW;

	if ((signal & PM_HOW) == PM_READ_PIPES)
		return vivante_read(core, low);
	vivante_write(core, domain->config, low << domain->shift);
	return vivante_read(core, domain->read);
}

/* @signal: &limn_perf_signal.number */
static u32 vivante_pm_sample(struct vivante_core *core, const struct vivante_pm_domain *domain,
			     u32 signal)
{
	u32 how = signal & PM_HOW, sum = 0;
	unsigned int i;

	if (how == PM_TOTAL_CYCLES || how == PM_IDLE_CYCLES)
		return vivante_pm_cycles(core, how == PM_IDLE_CYCLES);
	if (how == PM_SELECT)
		return vivante_pm_read(core, domain, signal);
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
 * GUESS(drv-perf-live): these can be read while they count, as Linux etnaviv_sched.c reads that
 * of FE for the same purpose.
 *
 * Return: their sum, modulo 2^32.
 */
u32 vivante_pm_finished(struct vivante_core *core, u32 exec_state)
{
	const struct vivante_pm_domain *sh = &pm_3d[PM_3D_SH];

	if (exec_state == ETNA_PIPE_2D)
		return vivante_pm_read(core, pm_2d, pm_pe_2d[0].number);
	return vivante_pm_read(core, sh, VIVS_MC_PROFILE_CONFIG0_SH_RENDERED_PIXEL_COUNTER) +
	       vivante_pm_read(core, sh, VIVS_MC_PROFILE_CONFIG0_SH_RENDERED_VERTICE_COUNTER);
}

/* Which primitive FE is at (Linux 7 etnaviv_sched.c); changes from one to the next, 0 in 2D. */
u32 vivante_pm_primitive(struct vivante_core *core, u32 exec_state)
{
	if (exec_state != ETNA_PIPE_3D)
		return 0;
	vivante_write(core, VIVS_MC_PROFILE_CONFIG0,
		      VIV_SET(VIVS_MC_PROFILE_CONFIG0_FE, VIVS_MC_PROFILE_CONFIG0_FE_CURRENT_PRIM));
	return vivante_read(core, VIVS_MC_PROFILE_FE_READ);
}

static void vivante_pm_sample_all(struct vivante_core *core, const struct vivante_job *vj, u32 when)
{
	unsigned int i;

	for (i = 0; i < vj->num_pmrs; i++) {
		const struct drm_etnaviv_gem_submit_pmr *pmr = &vj->pmrs[i].args;
		const struct vivante_pm_domain *domain;

		if (!(pmr->flags & when))
			continue;
		domain = &pm_pipes[vj->exec_state].domains[pmr->domain];
		WRITE_ONCE(vj->pmrs[i].bo[pmr->read_offset],
			   vivante_pm_sample(core, domain,
					     domain->signals[pmr->signal].number));
	}
}

/* Sample the counters of a perfmon; @done: their growth since the job began, modulo 2^32. */
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
			now[i] = vivante_pm_sample(core, perf->hw, mon->counter[i].signal);
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
		WRITE_ONCE(vj->pmrs[i].bo[0], vj->pmrs[i].args.sequence);
}

/**
 * vivante_job_service - FE stands at one of the job's two sync points
 * @pipe: in SERVICE; &limn_device.hw_lock is held
 * @job: its job
 *
 * Return: 0, -EIO when FE does not stop, or why the job failed meanwhile.
 */
int vivante_job_service(struct limn_pipe *pipe, struct limn_job *job)
{
	struct vivante_core *core = vivante_core(pipe);
	struct vivante_job *vj = job->priv;
	bool done = vj->phase == VIVANTE_SYNC_POST;
	int ret;

	lockdep_assert_held(&pipe->ldev->hw_lock);

	/* The event came from PE; FE may have the END still before it. */
	if (vivante_wait_fe(core))
		return -EIO;
	vivante_gate_clocks(core, false);
	vivante_pm_sample_all(core, vj, done ? ETNA_PM_PROCESS_POST : ETNA_PM_PROCESS_PRE);
	vivante_perf_sample(core, job, done);
	if (done) {
		vivante_gate_clocks(core, true);
		vivante_pm_publish(vj);
	}

	spin_lock_irq(&pipe->lock);
	ret = limn_pipe_continue(pipe);
	if (!ret && done) {
		core->ring.running = false;
		limn_pipe_complete(pipe, 0);
	} else if (!ret) {
		vj->phase = VIVANTE_SYNC_POST;
		vj->event = vj->event_post;
		/* From the END in front of the stream into that. */
		vivante_fe_start(core, core->ring.va + vj->seg.stream, 1);
	}
	spin_unlock_irq(&pipe->lock);
	return ret;
}

/* &limn_backend.perf_domain */
const struct limn_perf_domain *vivante_perf_domain(struct limn_device *ldev, unsigned int i)
{
	const struct vivante *viv = to_vivante(ldev);

	return i < viv->num_perf ? &viv->perf[i].domain : NULL;
}

/* The domains that any core has, once each. */
void vivante_perf_init(struct vivante *viv)
{
	unsigned int kind, i;

	viv->num_perf = 0;
	for (kind = 0; kind < ARRAY_SIZE(pm_pipes); kind++) {
		u32 pipes = 0;

		for (i = 0; i < viv->num_cores; i++) {
			if (viv->core[i]->id.features[0] & pm_pipes[kind].feature)
				pipes |= BIT(i);
		}
		for (i = 0; pipes && i < pm_pipes[kind].num; i++) {
			const struct vivante_pm_domain *hw = &pm_pipes[kind].domains[i];

			viv->perf[viv->num_perf++] = (struct vivante_perf){
				.hw = hw,
				.domain.name = hw->unique_name,
				/* All count at all times; a selector says which one is read. */
				.domain.slots = hw->num_signals,
				.domain.pipes = pipes,
				.domain.signals = hw->signals,
				.domain.num_signals = hw->num_signals,
			};
		}
	}
}
