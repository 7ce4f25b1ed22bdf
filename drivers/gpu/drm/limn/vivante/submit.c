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
#include <drm/limn_drm.h>

#include "limn_drv.h"
#include "limn_gem.h"
#include "limn_bo_list.h"
#include "limn_submit.h"
#include "vivante.h"

#define MAX_PMRS	128
#define MAX_RELOCS	SZ_128K

/* Most jobs have no more relocations, nor BOs whose addresses are sorted. */
#define ON_STACK	16

struct vivante_submit {
	struct limn_submit_args args;
	const struct drm_etnaviv_gem_submit *in;
	struct vivante_file *file;
	const struct drm_etnaviv_gem_submit_reloc *relocs;
	struct vivante_job *vj;
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
	bool softpin = in->flags & ETNA_SUBMIT_SOFTPIN;
	struct drm_etnaviv_gem_submit_bo *from;
	u32 n = args->nr_bos, i;

	/* The end of @bos has room for them all, and none is overwritten before it is read. */
	from = (void *)(bos + n) - n * sizeof(*from);
	if (copy_from_user(from, u64_to_user_ptr(in->bos), n * sizeof(*from)))
		return -EFAULT;
	for (i = 0; i < n; i++) {
		const struct drm_etnaviv_gem_submit_bo bo = from[i];

		if (bo.flags & ~(ETNA_SUBMIT_BO_READ | ETNA_SUBMIT_BO_WRITE))
			return -EINVAL;
		if (softpin &&
		    (bo.presumed < VIVANTE_SOFTPIN_START || !IS_ALIGNED(bo.presumed, SZ_4K)))
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
 * Return: 0, or -EINVAL; some words may have been written then.
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

/* MMUv1: what may be an address in the job's stream. */
struct vivante_addresses {
	const struct limn_job *job;
	/** @relocs: @num_relocs that are not behind the last word that was asked for */
	const struct drm_etnaviv_gem_submit_reloc *relocs;
	u32 num_relocs;
	/** @sorted: whether @range is filled in */
	bool sorted;
	/** @range: a job's BOs; sorted; first byte << 32 | last byte that a word may begin at */
	u64 *range;
};

/**
 * vivante_range_holds - does one of some ranges hold an address?
 * @range: @num of them, as in &struct vivante_addresses; none overlap
 * @num: of @range
 * @address: the address
 *
 * Return: whether one does.
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

static int vivante_compare_ranges(const void *a, const void *b)
{
	u64 x = *(const u64 *)a, y = *(const u64 *)b;

	return x < y ? -1 : x > y;
}

static void vivante_sort_ranges(struct vivante_addresses *addresses)
{
	const struct limn_bo_list *list = addresses->job->list;
	u64 *range = addresses->range;
	unsigned int i;

	for (i = 0; i < list->num; i++) {
		const struct drm_mm_node *node = &list->mappings[i]->node;

		range[i] = node->start << 32 | (node->start + node->size - sizeof(u32));
	}
	sort(range, i, sizeof(*range), vivante_compare_ranges, NULL);
	addresses->sorted = true;
}

/* Words are asked for in the order of the stream. */
static int vivante_is_in_bo(void *data, unsigned int index, unsigned int word)
{
	struct vivante_addresses *addresses = data;

	while (addresses->num_relocs && addresses->relocs->submit_offset / 4 < index) {
		addresses->relocs++;
		addresses->num_relocs--;
	}
	/* vivante_relocate() has put an address in that is within its BO. */
	if (addresses->num_relocs && addresses->relocs->submit_offset / 4 == index)
		return true;
	if (!addresses->sorted)
		vivante_sort_ranges(addresses);
	return vivante_range_holds(addresses->range, addresses->job->list->num, word);
}

/* What streams of each pipe of the core may have. */
void vivante_core_commands(struct vivante_core *core)
{
	int halti = vivante_halti(&core->id);

	core->commands[ETNA_PIPE_3D] = vivante_commands(BIT(VIV_NEEDS_PIPE_3D) |
							(halti >= 0 ? BIT(VIV_NEEDS_HALTI0) : 0) |
							(halti >= 5 ? BIT(VIV_NEEDS_HALTI5) : 0));
	core->commands[ETNA_PIPE_2D] = vivante_commands(BIT(VIV_NEEDS_PIPE_2D));
	core->commands[ETNA_PIPE_VG] = vivante_commands(0);
}

/* What FE will fetch is checked; on MMUv1, that its addresses are those of the job's BOs. */
static int vivante_check(const struct limn_job *job)
{
	struct vivante *viv = to_vivante(job->pipe->ldev);
	const struct vivante_job *vj = job->priv;
	const struct vivante_submit *s = vj->submit;
	struct vivante_addresses addresses = {
		.job = job,
		.relocs = s ? s->relocs : NULL,
		.num_relocs = s ? s->in->nr_relocs : 0,
	};
	struct vivante_check check = {
		.states = viv->states,
		.commands = vivante_core(job->pipe)->commands[vj->exec_state],
		.data = &addresses,
	};
	enum vivante_refusal ret;
	u64 few[ON_STACK];

	if (viv->mmu->check_addresses) {
		addresses.range = job->list->num <= ON_STACK ? few :
				  kvmalloc_array(job->list->num, sizeof(u64), GFP_KERNEL);
		if (!addresses.range)
			return -ENOMEM;
		check.address_ok = vivante_is_in_bo;
	}
	ret = vivante_check_stream(&check, vj->cmd.cpu, vj->stream_size / 4);
	if (addresses.range != few)
		kvfree(addresses.range);
	if (ret == VIVANTE_OK)
		return 0;
	dev_dbg(job->pipe->dev, "stream refused at byte %u: %s (state %05x)\n", check.index * 4,
		vivante_refusal_text(ret), check.state);
	return -EINVAL;
}

/* Checks a request, and finds the kernel address of the BO that the counter goes to. */
static int vivante_check_pmr(const struct limn_job *job, struct vivante_pmr *pmr)
{
	const struct drm_etnaviv_gem_submit_pmr *args = &pmr->args;
	const struct vivante_job *vj = job->priv;
	struct limn_bo *bo;

	if (args->read_idx >= job->list->num ||
	    args->flags & ~(ETNA_PM_PROCESS_PRE | ETNA_PM_PROCESS_POST) ||
	    !vivante_pm_is_signal(vj->exec_state, args->domain, args->signal))
		return -EINVAL;
	bo = to_limn_bo(job->list->objs[args->read_idx]);
	/* Word 0 is for the sequence number. The offset counts words, as it always has. */
	if (!args->read_offset || args->read_offset >= bo->base.base.size / sizeof(u32) ||
	    bo->readonly)
		return -EINVAL;
	return limn_gem_kmap(bo, (void **)&pmr->bo);
}

static int vivante_read_pmrs(struct limn_job *job, const struct drm_etnaviv_gem_submit *in)
{
	const struct drm_etnaviv_gem_submit_pmr __user *from = u64_to_user_ptr(in->pmrs);
	struct vivante_job *vj = job->priv;
	int ret = 0;
	u32 i;

	if (!in->nr_pmrs)
		return 0;
	vj->pmrs = kvmalloc_array(in->nr_pmrs, sizeof(*vj->pmrs), GFP_KERNEL);
	if (!vj->pmrs)
		return -ENOMEM;
	for (i = 0; !ret && i < in->nr_pmrs; i++) {
		if (copy_from_user(&vj->pmrs[i].args, from + i, sizeof(*from)))
			return -EFAULT;
		ret = vivante_check_pmr(job, &vj->pmrs[i]);
	}
	vj->num_pmrs = in->nr_pmrs;
	return ret;
}

/*
 * etnaviv maps a process' memory for the GPU at the first submit that names it: its clients need no
 * CPU_FINI for what they wrote before.
 */
static void vivante_clean_userptr(const struct limn_bo_list *list)
{
	unsigned int i;

	for (i = 0; i < list->num; i++) {
		struct limn_bo *bo = list->mappings[i]->bo;

		if (!limn_gem_is_userptr(bo) || READ_ONCE(bo->submitted))
			continue;
		WRITE_ONCE(bo->submitted, true);
		dma_sync_sgtable_for_device(bo->base.base.dev->dev, bo->base.sgt,
					    limn_gem_dma_dir(bo));
	}
}

/*
 * &limn_backend.job_bind: BOs get their addresses, which are checked. With all that one ioctl
 * may bring this takes a while, so a killed process leaves between two jobs.
 */
int vivante_job_bind(struct limn_job *job, const struct limn_submit_bo *bos)
{
	struct vivante_job *vj = job->priv;
	const struct vivante_submit *s = vj->submit;
	int ret;

	if (fatal_signal_pending(current))
		return -EINTR;
	ret = limn_bo_list_pin(job->list, bos);
	job->pinned = !ret;
	if (!ret && s && job->list->has_backing)
		vivante_clean_userptr(job->list);
	if (!ret && s)
		ret = vivante_relocate(vj->cmd.cpu, vj->stream_size, s->relocs, s->in->nr_relocs,
				       job->list->mappings, job->list->num);
	ret = ret ?: vivante_check(job);
	if (!ret && s)
		ret = vivante_read_pmrs(job, s->in);
	if (!ret)
		vivante_cmd_sync(&vj->cmd, 0);	/* an interrupt may start it: not there */
	vj->submit = NULL;
	return ret;
}

static int vivante_armed(const struct limn_submit_args *args, struct dma_fence *fence)
{
	struct vivante_submit *s = to_submit(args);
	struct vivante_job *vj = s->vj;
	int ret;

	ret = vivante_fence_publish(s->file, vj->pipe, fence, &vj->fence_id);
	if (ret) {
		vj->fence_id = 0;	/* it may hold a number that another submit gets */
		return ret;
	}
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

bool vivante_has_pipe(const struct vivante_core *core, u32 exec_state)
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
	if (!vivante_has_pipe(to_vivante(ldev)->core[args->queue], args->exec_state) ||
	    args->cmd_size % 4 || args->cmd_size > VIVANTE_MAX_STREAM)
		return ERR_PTR(-EINVAL);
	return vivante_job_create(ldev->pipe[args->queue], lfile->priv, args->exec_state, args->cmd,
				  args->cmd_size);
}

/* 0, -EINVAL for a pipe that no GPU has, -ENXIO for one that this has not. */
int vivante_check_pipe(const struct vivante *viv, u32 pipe)
{
	if (pipe >= ETNA_MAX_PIPES)
		return -EINVAL;
	return pipe < viv->num_cores ? 0 : -ENXIO;
}

static int vivante_check_args(struct vivante *viv, const struct drm_etnaviv_gem_submit *in)
{
	int ret = vivante_check_pipe(viv, in->pipe);

	if (ret)
		return ret;
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

static int vivante_queue(struct limn_device *ldev, struct vivante_submit *s,
			 struct drm_file *file)
{
	const struct drm_etnaviv_gem_submit *in = s->in;
	struct drm_etnaviv_gem_submit_reloc few[ON_STACK];
	size_t size = in->nr_relocs * sizeof(*few);
	struct limn_job *job;
	int ret;

	s->relocs = few;
	if (size > sizeof(few))
		s->relocs = vmemdup_user(u64_to_user_ptr(in->relocs), size);
	else if (copy_from_user(few, u64_to_user_ptr(in->relocs), size))
		return -EFAULT;
	if (IS_ERR(s->relocs))
		return PTR_ERR(s->relocs);
	job = vivante_job_create(ldev->pipe[in->pipe], s->file, in->exec_state, in->stream,
				 in->stream_size);
	ret = PTR_ERR_OR_ZERO(job);
	if (!ret) {
		s->args.jobs->job = job;
		s->vj = job->priv;
		s->vj->submit = s;
		ret = limn_submit(ldev, file, &s->args, NULL);
	}
	if (s->relocs != few)
		kvfree(s->relocs);
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
 * - -ETIMEDOUT: streams of earlier jobs fill 3 MiB, and there was no room within 10 s
 * - -EMFILE, -ENOMEM, -ENODEV, -ERESTARTSYS
 */
int vivante_gem_submit(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct limn_device *ldev = to_limn_device(drm);
	struct drm_etnaviv_gem_submit *in = data;
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
		.args.armed = vivante_armed,
		.in = in,
		.file = to_limn_file(file)->priv,
	};
	int fd, idx, ret;

	if (!drm_dev_enter(drm, &idx))
		return -ENODEV;
	ret = vivante_check_args(to_vivante(ldev), in);
	ret = ret ?: vivante_find_syncs(in, &sj);
	if (!ret) {
		fd = sj.num_out ? out.fd : -1;
		ret = vivante_queue(ldev, &s, file);
		if (!ret) {
			in->fence_fd = fd;
			in->fence = s.fence_id;
		}
	}
	limn_submit_out_drop(&out);
	dma_fence_put(in_fence);
	drm_dev_exit(idx);
	return ret;
}
