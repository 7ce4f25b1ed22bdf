// SPDX-License-Identifier: GPL-2.0-only
/*
 * DRM_ETNAVIV_GEM_SUBMIT: from what userspace wrote to a queued job.
 */
#include <kunit/visibility.h>
#include <linux/dma-fence.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/sync_file.h>
#include <linux/uaccess.h>
#include <drm/drm_drv.h>
#include <drm/drm_gem.h>
#include <drm/etnaviv_drm.h>
#include <drm/limn_drm.h>

#include "limn_drv.h"
#include "limn_gem.h"
#include "limn_submit.h"
#include "vivante.h"

#define MAX_PMRS	128
#define MAX_RELOCS	SZ_128K
/* As many as small jobs have: in the stack frame of vivante_gem_submit(). */
#define FEW_RELOCS	12
#define FEW_BOS		16

struct vivante_submit {
	struct limn_submit_args args;
	const struct drm_etnaviv_gem_submit *in;
	struct vivante_core *core;
	struct vivante_file *file;
	struct limn_job *job;
	struct vivante_job *vj;
	struct drm_etnaviv_gem_submit_reloc *relocs;	/* the caller's @few, when they are */
	/** @checked: relocations that the checker has passed */
	u32 checked;
	u32 fence_id;
};

static struct vivante_submit *to_submit(const struct limn_submit_args *args)
{
	return container_of(args, struct vivante_submit, args);
}

/* &limn_backend.job_free */
void vivante_job_free(struct limn_job *job)
{
	struct vivante_job *vj = job->priv;

	if (vj->fence_id)
		vivante_fence_forget(vj->file, vj->pipe, vj->fence_id);
	dma_fence_put(vj->out_fence);
	vivante_cmd_free(&vj->cmd);
	kvfree(vj->pmrs);
	limn_vm_put(vj->left_vm);
	vivante_file_put(vj->file);
}

static int vivante_read_bos(const struct limn_submit_args *args, struct limn_submit_bo *bos)
{
	const struct drm_etnaviv_gem_submit *in = to_submit(args)->in;
	const struct drm_etnaviv_gem_submit_bo __user *from = u64_to_user_ptr(in->bos);
	bool softpin = in->flags & ETNA_SUBMIT_SOFTPIN;
	u32 i;

	for (i = 0; i < args->nr_bos; i++) {
		struct drm_etnaviv_gem_submit_bo bo;

		if (copy_from_user(&bo, from + i, sizeof(bo)))
			return -EFAULT;
		if (bo.flags & ~(ETNA_SUBMIT_BO_READ | ETNA_SUBMIT_BO_WRITE))
			return -EINVAL;
		if (softpin && (bo.presumed < VIVANTE_SOFTPIN_START || !PAGE_ALIGNED(bo.presumed)))
			return -EINVAL;
		bos[i] = (struct limn_submit_bo){
			.handle = bo.handle,
			.read = !(bo.flags & ETNA_SUBMIT_BO_WRITE),	/* job 0 */
			.write = !!(bo.flags & ETNA_SUBMIT_BO_WRITE),
			.va = softpin ? bo.presumed : 0,
		};
	}
	return 0;
}

/**
 * vivante_relocate - put addresses in
 * @words: the stream
 * @size: its bytes
 * @relocs: in the order of the stream, no two on one word
 * @num_relocs: of @relocs
 * @mappings: of the BOs that @relocs name
 * @num_mappings: of @mappings
 *
 * Return: 0, or -EINVAL, and then the stream is of no use any more.
 */
int vivante_relocate(u32 *words, u32 size, const struct drm_etnaviv_gem_submit_reloc *relocs,
		     u32 num_relocs, struct limn_mapping *const *mappings, u32 num_mappings)
{
	u32 i, next = 0;

	for (i = 0; i < num_relocs; i++) {
		const struct drm_etnaviv_gem_submit_reloc *reloc = &relocs[i];
		const struct limn_mapping *mapping;

		if (reloc->flags || reloc->submit_offset % 4 || reloc->submit_offset >= size ||
		    reloc->submit_offset < next || reloc->reloc_idx >= num_mappings)
			return -EINVAL;
		mapping = mappings[reloc->reloc_idx];
		if (reloc->reloc_offset > mapping->node.size - sizeof(u32))
			return -EINVAL;
		words[reloc->submit_offset / 4] = mapping->node.start + reloc->reloc_offset;
		next = reloc->submit_offset + 4;
	}
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(vivante_relocate);

/* MMUv1: an address is good when a relocation put it there. */
static int vivante_is_relocated(void *data, unsigned int index, unsigned int word)
{
	struct vivante_submit *s = data;

	while (s->checked < s->in->nr_relocs && s->relocs[s->checked].submit_offset < index * 4)
		s->checked++;
	return s->checked < s->in->nr_relocs &&
	       s->relocs[s->checked].submit_offset == index * 4;
}

/* MMUv1, addresses in their places: where the job's BOs are. */
struct vivante_ranges {
	/** @range: sorted; first byte << 32 | last byte that a word may begin at */
	u64 *range;
	u32 num;
};

/**
 * vivante_range_holds - does one of some ranges hold an address?
 * @range: @num of them, as in &struct vivante_ranges; none overlap
 * @num: of @range
 * @address: the address
 */
bool vivante_range_holds(const u64 *range, u32 num, u32 address)
{
	u32 low = 0, high = num;

	/* All before @low begin at @address or below, all from @high on above it. */
	while (low < high) {
		u32 middle = low + (high - low) / 2;

		if (upper_32_bits(range[middle]) <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low && address <= lower_32_bits(range[low - 1]);
}
EXPORT_SYMBOL_IF_KUNIT(vivante_range_holds);

static int vivante_is_in_bo(void *data, unsigned int index, unsigned int word)
{
	const struct vivante_ranges *ranges = data;

	return vivante_range_holds(ranges->range, ranges->num, word);
}

static int vivante_compare_ranges(const void *a, const void *b)
{
	u64 x = *(const u64 *)a, y = *(const u64 *)b;

	return x < y ? -1 : x > y;
}

static void vivante_sort_ranges(const struct limn_job *job, u64 *range)
{
	unsigned int i;

	for (i = 0; i < job->num_bos; i++) {
		const struct drm_mm_node *node = &job->mappings[i]->node;

		range[i] = node->start << 32 | (node->start + node->size - sizeof(u32));
	}
	sort(range, job->num_bos, sizeof(*range), vivante_compare_ranges, NULL);
}

/* Bit n: a job that runs in this pipe of the core has enum viv_need n. */
static unsigned int vivante_has(const struct vivante_core *core, u32 exec_state)
{
	const struct vivante_identity *id = &core->id;

	if (exec_state == ETNA_PIPE_2D)
		return BIT(VIV_NEEDS_PIPE_2D);
	if (exec_state != ETNA_PIPE_3D)
		return 0;
	return BIT(VIV_NEEDS_PIPE_3D) |
	       (vivante_halti(id) >= 0 ? BIT(VIV_NEEDS_HALTI0) : 0) |
	       (vivante_halti(id) >= 5 ? BIT(VIV_NEEDS_HALTI5) : 0);
}

static int vivante_check(const struct limn_job *job,
			 int (*address_ok)(void *data, unsigned int index, unsigned int word),
			 void *data)
{
	const struct vivante_job *vj = job->priv;
	struct vivante *viv = to_vivante(job->pipe->ldev);
	struct vivante_check check = {
		.states = viv->states,
		.commands = vivante_commands(vivante_has(vivante_core(job->pipe), vj->exec_state)),
		.address_ok = viv->mmu->check_addresses ? address_ok : NULL,
		.data = data,
	};
	enum vivante_refusal ret;

	ret = vivante_check_stream(&check, vj->cmd.cpu, vj->stream_size / 4);
	if (ret == VIVANTE_OK)
		return 0;
	dev_dbg(job->pipe->dev, "stream refused at byte %u: %s (state %05x)\n", check.index * 4,
		vivante_refusal_text(ret), check.state);
	return -EINVAL;
}

/* The mappings hold a kernel address of each BO that counters go to. */
static int vivante_check_pmr(struct vivante_submit *s, const struct drm_etnaviv_gem_submit_pmr *in,
			     struct vivante_pmr *pmr)
{
	const struct limn_job *job = s->job;
	struct limn_bo *bo;
	u32 words;
	int ret;

	if (in->read_idx >= job->num_bos ||
	    in->flags & ~(ETNA_PM_PROCESS_PRE | ETNA_PM_PROCESS_POST) ||
	    !vivante_pm_is_signal(s->in->exec_state, in->domain, in->signal))
		return -EINVAL;
	bo = to_limn_bo(job->objs[in->read_idx]);
	/* Word 0 is for the sequence number. The offset counts words, as it always has. */
	words = bo->base.base.size / sizeof(u32);
	if (!in->read_offset || in->read_offset >= words || bo->readonly)
		return -EINVAL;
	ret = limn_gem_kmap(bo, (void **)&pmr->bo);
	if (ret)
		return ret;
	pmr->flags = in->flags;
	pmr->domain = in->domain;
	pmr->signal = in->signal;
	pmr->sequence = in->sequence;
	pmr->offset = in->read_offset;
	return 0;
}

static int vivante_read_pmrs(struct vivante_submit *s)
{
	const struct drm_etnaviv_gem_submit_pmr __user *from = u64_to_user_ptr(s->in->pmrs);
	struct vivante_job *vj = s->vj;
	u32 i;
	int ret;

	if (!s->in->nr_pmrs)
		return 0;
	vj->pmrs = kvmalloc_array(s->in->nr_pmrs, sizeof(*vj->pmrs), GFP_KERNEL);
	if (!vj->pmrs)
		return -ENOMEM;
	for (i = 0; i < s->in->nr_pmrs; i++) {
		struct drm_etnaviv_gem_submit_pmr pmr;

		if (copy_from_user(&pmr, from + i, sizeof(pmr)))
			return -EFAULT;
		ret = vivante_check_pmr(s, &pmr, &vj->pmrs[i]);
		if (ret)
			return ret;
	}
	vj->num_pmrs = s->in->nr_pmrs;
	return 0;
}

/* All BOs have their addresses. */
static int vivante_bind(const struct limn_submit_args *args)
{
	struct vivante_submit *s = to_submit(args);
	int ret;

	ret = vivante_relocate(s->vj->cmd.cpu, s->in->stream_size, s->relocs, s->in->nr_relocs,
			       s->job->mappings, s->job->num_bos);
	ret = ret ?: vivante_check(s->job, vivante_is_relocated, s);
	return ret ?: vivante_read_pmrs(s);
}

static int vivante_armed(const struct limn_submit_args *args, struct dma_fence *fence)
{
	struct vivante_submit *s = to_submit(args);
	struct vivante_job *vj = s->vj;
	int ret;

	ret = vivante_fence_publish(s->file, vj->pipe, fence, &vj->fence_id);
	if (ret)
		return ret;
	vj->out_fence = dma_fence_get(fence);
	s->fence_id = vj->fence_id;	/* the job may be gone when it is asked for */
	return 0;
}

/* The job, with its stream in place. */
static struct limn_job *vivante_job_create(struct limn_pipe *pipe, struct vivante_file *file,
					   u32 exec_state, u64 stream, u32 size)
{
	struct limn_job *job = limn_job_create(pipe, sizeof(struct vivante_job));
	struct vivante_job *vj;
	int ret;

	if (!job)
		return ERR_PTR(-ENOMEM);
	vj = (void *)job->frame;
	job->priv = vj;
	vj->file = vivante_file_get(file);
	vj->client = vivante_file_client(file);
	vj->exec_state = exec_state;
	vj->stream_size = size;
	vj->pipe = pipe->id;
	/* Room for the LINK back; an odd word is refused by the checker. */
	ret = vivante_cmd_alloc(file, ALIGN(size, 8) + 8, &vj->cmd);
	if (!ret && copy_from_user(vj->cmd.cpu, u64_to_user_ptr(stream), size))
		ret = -EFAULT;
	if (!ret)
		return job;
	limn_job_drop(job);
	return ERR_PTR(ret);
}

static bool vivante_has_pipe(const struct vivante_core *core, u32 exec_state)
{
	static const u32 feature[] = {
		[ETNA_PIPE_3D] = chipFeatures_PIPE_3D,
		[ETNA_PIPE_2D] = chipFeatures_PIPE_2D,
		[ETNA_PIPE_VG] = chipFeatures_PIPE_VG,
	};

	return exec_state < ARRAY_SIZE(feature) && core->id.features[0] & feature[exec_state];
}

/* &limn_backend.job_create: for DRM_IOCTL_LIMN_SUBMIT, addresses are in their places. */
struct limn_job *vivante_cmd_create(struct limn_device *ldev, struct limn_file *lfile,
				    const struct drm_limn_job *args)
{
	struct limn_job *job;

	if (!vivante_has_pipe(to_vivante(ldev)->core[args->queue], args->exec_state) ||
	    args->cmd_size % 4 || args->cmd_size > VIVANTE_MAX_STREAM)
		return ERR_PTR(-EINVAL);
	job = vivante_job_create(ldev->pipe[args->queue], lfile->priv, args->exec_state, args->cmd,
				 args->cmd_size);
	if (!IS_ERR(job))
		((struct vivante_job *)job->priv)->raw = true;
	return job;
}

/*
 * &limn_backend.job_bind: a job of DRM_IOCTL_LIMN_SUBMIT. With all that one may
 * bring this takes a while, so whoever is killed gets out between two jobs.
 */
int vivante_job_bind(struct limn_job *job)
{
	struct vivante_ranges ranges = { .num = job->num_bos };
	struct vivante_job *vj = job->priv;
	u64 few[FEW_BOS];
	int ret;

	if (!vj->raw)
		return 0;
	if (fatal_signal_pending(current))
		return -EINTR;
	if (!to_vivante(job->pipe->ldev)->mmu->check_addresses)
		return vivante_check(job, NULL, NULL);
	ranges.range = few;
	if (ranges.num > FEW_BOS)
		ranges.range = kvmalloc_array(ranges.num, sizeof(u64), GFP_KERNEL);
	if (!ranges.range)
		return -ENOMEM;
	vivante_sort_ranges(job, ranges.range);
	ret = vivante_check(job, vivante_is_in_bo, &ranges);
	if (ranges.range != few)
		kvfree(ranges.range);
	return ret;
}

static int vivante_check_args(struct vivante *viv, const struct drm_etnaviv_gem_submit *in)
{
	if (in->pipe >= ETNA_MAX_PIPES)
		return -EINVAL;
	if (in->pipe >= viv->num_cores)
		return -ENXIO;
	if (in->stream_size % 4 || in->flags & ~ETNA_SUBMIT_FLAGS)
		return -EINVAL;
	/* A pipe that the core does not have would never get done. */
	if (!vivante_has_pipe(viv->core[in->pipe], in->exec_state))
		return -EINVAL;
	/* Softpin needs addresses that are the file's own, and leaves nothing to relocate. */
	if (in->flags & ETNA_SUBMIT_SOFTPIN && (viv->mmu->shared || in->nr_relocs))
		return -EINVAL;
	if (in->stream_size > VIVANTE_MAX_STREAM || in->nr_relocs > MAX_RELOCS ||
	    in->nr_bos > LIMN_MAX_SUBMIT_BOS || in->nr_pmrs > MAX_PMRS)
		return -EINVAL;
	return 0;
}

static int vivante_read_relocs(struct vivante_submit *s, struct drm_etnaviv_gem_submit_reloc *few)
{
	size_t size = array_size(s->in->nr_relocs, sizeof(*s->relocs));
	const void __user *from = u64_to_user_ptr(s->in->relocs);
	struct drm_etnaviv_gem_submit_reloc *many;

	if (s->in->nr_relocs <= FEW_RELOCS)
		return copy_from_user(few, from, size) ? -EFAULT : 0;
	many = vmemdup_user(from, size);
	if (IS_ERR(many))
		return PTR_ERR(many);
	s->relocs = many;
	return 0;
}

static int vivante_find_syncs(const struct drm_etnaviv_gem_submit *in,
			      struct limn_submit_job *sj)
{
	int ret;

	if (in->flags & ETNA_SUBMIT_FENCE_FD_IN) {
		sj->in[0] = sync_file_get_fence(in->fence_fd);
		if (!sj->in[0])
			return -EINVAL;
		sj->num_in = 1;
	}
	if (in->flags & ETNA_SUBMIT_FENCE_FD_OUT) {
		ret = limn_submit_out_fd(sj->out);
		if (ret)
			return ret;
		sj->num_out = 1;
	}
	return 0;
}

static int vivante_queue(struct vivante_submit *s, struct limn_submit_job *sj,
			 struct drm_file *file)
{
	const struct drm_etnaviv_gem_submit *in = s->in;
	struct limn_device *ldev = &s->core->viv->base;
	int ret;

	sj->job = vivante_job_create(ldev->pipe[in->pipe], s->file, in->exec_state, in->stream,
				     in->stream_size);
	if (IS_ERR(sj->job))
		return PTR_ERR(sj->job);
	s->job = sj->job;
	s->vj = sj->job->priv;
	ret = limn_submit(ldev, file, &s->args, NULL);
	/* etnaviv's answer to a handle that is not there. */
	return ret == -ENOENT ? -EINVAL : ret;
}

/**
 * vivante_gem_submit() - DRM_ETNAVIV_GEM_SUBMIT: queue a job
 * @drm: device
 * @data: &struct drm_etnaviv_gem_submit
 * @file: caller
 *
 * Return: 0, or
 *
 * - -EINVAL: unknown pipe, exec_state, flags of the submit, a BO, a relocation
 *   or a perfmon request; a core without that pipe; a size that is not a
 *   multiple of 4 or above 128 KiB, more than 131072 relocations, 65536 BOs or
 *   128 requests; softpin on MMUv1, with relocations, below 4 MiB or unaligned,
 *   or of a BO that another job still uses elsewhere; no such handle; a
 *   relocation out of the stream's order, the stream, the list or its BO; a
 *   request without such a signal, at word 0, or outside of its BO; fence_fd is
 *   no sync file; or a stream that is refused: see "DOC: command streams"
 * - -ENXIO: no such core; a BO whose memory was taken back
 * - -ENOSPC: the addresses are in use, or there are none
 * - -EALREADY: a BO is listed twice
 * - -EFAULT: a list or the stream is not readable
 * - -ETIMEDOUT: streams of earlier jobs fill 3 MiB, and none ended for 10 s
 * - -EMFILE, -ENOMEM, -ENODEV, -ERESTARTSYS
 */
int vivante_gem_submit(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct vivante *viv = to_vivante(to_limn_device(drm));
	struct drm_etnaviv_gem_submit *in = data;
	struct drm_etnaviv_gem_submit_reloc few[FEW_RELOCS];
	struct dma_fence *in_fence = NULL;
	struct limn_submit_out out = { .fd = -1 };
	struct limn_submit_job sj = {
		.guard_pipe = -1,
		.in = &in_fence,
		.out = &out,
	};
	struct vivante_submit s = {
		.args.nr_bos = in->nr_bos,
		.args.read_bos = vivante_read_bos,
		.args.explicit_sync = in->flags & ETNA_SUBMIT_NO_IMPLICIT,
		.args.jobs = &sj,
		.args.num_jobs = 1,
		.args.bind = vivante_bind,
		.args.armed = vivante_armed,
		.in = in,
		.relocs = few,
	};
	int fd, idx, ret;

	if (!drm_dev_enter(drm, &idx))
		return -ENODEV;
	ret = vivante_check_args(viv, in);
	if (ret)
		goto out;
	s.core = viv->core[in->pipe];
	s.file = to_limn_file(file)->priv;
	ret = vivante_find_syncs(in, &sj);
	ret = ret ?: vivante_read_relocs(&s, few);
	if (!ret) {
		fd = sj.num_out ? out.fd : -1;
		ret = vivante_queue(&s, &sj, file);
		if (!ret) {
			in->fence_fd = fd;
			in->fence = s.fence_id;
		}
	}
	limn_submit_out_drop(&out);
	dma_fence_put(in_fence);
	if (s.relocs != few)
		kvfree(s.relocs);
out:
	drm_dev_exit(idx);
	return ret;
}
