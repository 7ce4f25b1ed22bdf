// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a file has: memory for its streams, and the fences that it can name.
 */

/**
 * DOC: stream memory
 *
 * A stream is copied once, from userspace to where FE will fetch it: cached memory of the file's
 * own, so that putting in relocations and checking cost what they cost in any memory. Its caches
 * are cleaned by the submit; when the job starts, maybe in an interrupt, only those of the LINK
 * back are. The memory comes in chunks, contiguous because FE of MMUv1 sees them through its
 * window only. A file has at most VIVANTE_CHUNKS of them, so it can starve nobody but itself;
 * then a submit waits for an earlier job of the same file.
 */
#include <linux/bitmap.h>
#include <linux/dma-fence.h>
#include <linux/slab.h>
#include <linux/mutex.h>
#include <linux/wait.h>
#include <drm/drm_drv.h>

#include "vivante.h"

#define GRANULE		SZ_1K
#define GRANULES	(VIVANTE_CHUNK / GRANULE)
#define MAX_WAIT	(10 * HZ)
/* How often a waiter looks whether the device is unplugged: unbind waits for it. */
#define STEP		(HZ / 10)

struct vivante_chunk {
	void *cpu;
	dma_addr_t dma;
	u32 va;
	/** @slot: of VIVANTE_CHUNK_SLOTS addresses the one that it has with MMUv2 */
	unsigned int slot;
	DECLARE_BITMAP(used, GRANULES);
};

struct vivante_file {
	struct kref ref;
	struct vivante *viv;
	/** @client: its number */
	u64 client;
	struct limn_vm *vm;
	/** @lock: protects @num_chunks, @num_freed and @chunk; memory is allocated under it */
	struct mutex lock;
	unsigned int num_chunks;
	/** @num_freed: counts streams whose memory was given back */
	unsigned int num_freed;
	struct vivante_chunk chunk[VIVANTE_CHUNKS];
	/** @freed: woken when @num_freed changes */
	wait_queue_head_t freed;
	/** @fences: of unfinished jobs, by the number that userspace has, by pipe */
	struct xarray fences[VIVANTE_MAX_CORES];
	/** @next_fence: for their numbers */
	u32 next_fence[VIVANTE_MAX_CORES];
};

struct vivante_file *vivante_file_create(struct vivante *viv, struct limn_vm *vm)
{
	struct vivante_file *file = kzalloc(sizeof(*file), GFP_KERNEL);
	unsigned int i;

	if (!file)
		return NULL;
	kref_init(&file->ref);
	file->viv = viv;
	file->client = atomic64_inc_return(&viv->clients);
	file->vm = limn_vm_get(vm);
	drm_dev_get(&viv->base.drm);
	mutex_init(&file->lock);
	init_waitqueue_head(&file->freed);
	for (i = 0; i < VIVANTE_MAX_CORES; i++)
		xa_init_flags(&file->fences[i], XA_FLAGS_ALLOC1);
	return file;
}

static void vivante_file_release(struct kref *ref)
{
	struct vivante_file *file = container_of(ref, struct vivante_file, ref);
	struct limn_device *ldev = &file->viv->base;
	unsigned int i;

	/* The address space maps the chunks. */
	limn_vm_put(file->vm);
	for (i = 0; i < file->num_chunks; i++) {
		atomic_dec(&file->viv->slot_users[file->chunk[i].slot]);
		dma_free_noncoherent(ldev->dev, VIVANTE_CHUNK, file->chunk[i].cpu,
				     file->chunk[i].dma, DMA_TO_DEVICE);
	}
	for (i = 0; i < VIVANTE_MAX_CORES; i++)
		xa_destroy(&file->fences[i]);
	mutex_destroy(&file->lock);
	kfree(file);
	drm_dev_put(&ldev->drm);
}

struct vivante_file *vivante_file_get(struct vivante_file *file)
{
	kref_get(&file->ref);
	return file;
}

void vivante_file_put(struct vivante_file *file)
{
	if (file)
		kref_put(&file->ref, vivante_file_release);
}

u64 vivante_file_client(const struct vivante_file *file)
{
	return file->client;
}

/* FE of MMUv1 sees all memory; there, no table has streams. */
static int vivante_map_chunk(struct limn_vm *vm, const struct vivante_chunk *chunk,
			     const struct vivante_mmu_ops *mmu)
{
	int ret;

	if (!mmu->pt.reserve)
		return 0;
	mutex_lock(&vm->map_lock);
	ret = mmu->pt.reserve(vm, chunk->va, VIVANTE_CHUNK);
	if (!ret)
		mmu->pt.map(vm, chunk->va, chunk->dma, VIVANTE_CHUNK, false);
	mutex_unlock(&vm->map_lock);
	return ret;
}

static bool vivante_file_has_slot(const struct vivante_file *file, unsigned int slot)
{
	unsigned int i;

	for (i = 0; i < file->num_chunks; i++) {
		if (file->chunk[i].slot == slot)
			return true;
	}
	return false;
}

/*
 * The slot that the fewest files use, in turns: a flush does not always reach FE's TLB on GC3000
 * (Linux e66774dd6f6a), and where two files have the same address, FE may fetch the other's stream.
 */
static unsigned int vivante_choose_slot(const struct vivante_file *file)
{
	struct vivante *viv = file->viv;
	unsigned int turn = atomic_inc_return(&viv->chunks), best = 0, i;
	int users, fewest = INT_MAX;

	for (i = 0; i < VIVANTE_CHUNK_SLOTS; i++) {
		unsigned int slot = (turn + i) % VIVANTE_CHUNK_SLOTS;

		users = atomic_read(&viv->slot_users[slot]);
		if (users < fewest && !vivante_file_has_slot(file, slot)) {
			fewest = users;
			best = slot;
		}
	}
	return best;
}

/* Give the file another chunk. -EAGAIN: it has VIVANTE_CHUNKS already. */
static int vivante_file_grow(struct vivante_file *file)
{
	unsigned int index = file->num_chunks;
	struct vivante_chunk *chunk = &file->chunk[index];
	const struct vivante_mmu_ops *mmu = file->viv->mmu;
	struct device *dev = file->viv->base.dev;
	int ret = -ENOMEM;

	if (index == VIVANTE_CHUNKS)
		return -EAGAIN;
	chunk->cpu = dma_alloc_noncoherent(dev, VIVANTE_CHUNK, &chunk->dma, DMA_TO_DEVICE,
					   GFP_KERNEL | __GFP_NOWARN | __GFP_RETRY_MAYFAIL);
	if (!chunk->cpu)
		return -ENOMEM;
	chunk->slot = vivante_choose_slot(file);
	chunk->va = mmu->stream_va(file->viv, chunk->dma, chunk->slot);
	if (chunk->va)
		ret = vivante_map_chunk(file->vm, chunk, mmu);
	if (ret) {
		dma_free_noncoherent(dev, VIVANTE_CHUNK, chunk->cpu, chunk->dma, DMA_TO_DEVICE);
		return ret;
	}
	atomic_inc(&file->viv->slot_users[chunk->slot]);
	file->num_chunks++;
	return 0;
}

/* 0: there was room for @cmd->granules; or as vivante_file_grow(). */
static int vivante_cmd_find(struct vivante_file *file, struct vivante_cmd *cmd)
{
	struct vivante_chunk *chunk = file->chunk;
	unsigned long first;
	int ret;

	lockdep_assert_held(&file->lock);

	for (;; chunk++) {
		if (chunk == file->chunk + file->num_chunks) {
			ret = vivante_file_grow(file);
			/* What jobs in flight have comes back. */
			if (ret == -ENOMEM && file->num_chunks)
				ret = -EAGAIN;
			if (ret)
				return ret;
		}
		first = bitmap_find_next_zero_area(chunk->used, GRANULES, 0, cmd->granules, 0);
		if (first < GRANULES)
			break;
	}
	bitmap_set(chunk->used, first, cmd->granules);
	cmd->file = file;
	cmd->chunk = chunk - file->chunk;
	cmd->first = first;
	cmd->cpu = chunk->cpu + first * GRANULE;
	cmd->va = chunk->va + first * GRANULE;
	return 0;
}

/**
 * vivante_cmd_alloc - memory for a stream
 * @file: whose
 * @size: bytes, a multiple of 8, up to VIVANTE_MAX_STREAM + 8
 * @cmd: the memory
 *
 * Return: 0; -ENOMEM; -ETIMEDOUT when earlier jobs of the file had all that it
 * may have, for 10 s; -ENODEV when the device goes meanwhile; -ERESTARTSYS.
 */
int vivante_cmd_alloc(struct vivante_file *file, u32 size, struct vivante_cmd *cmd)
{
	struct limn_device *ldev = &file->viv->base;
	unsigned long end = jiffies + MAX_WAIT;
	unsigned int seen;
	long ret;

	cmd->size = size;
	cmd->granules = DIV_ROUND_UP(size, GRANULE);
	for (;;) {
		mutex_lock(&file->lock);
		ret = vivante_cmd_find(file, cmd);
		seen = file->num_freed;
		mutex_unlock(&file->lock);
		if (ret != -EAGAIN)
			return ret;
		ret = wait_event_interruptible_timeout(file->freed,
						       READ_ONCE(file->num_freed) != seen, STEP);
		if (ret < 0)
			return ret;
		if (drm_dev_is_unplugged(&ldev->drm))
			return -ENODEV;
		if (time_after(jiffies, end))
			return -ETIMEDOUT;
	}
}

/* Makes what the CPU wrote visible to the GPU, from byte @from on. */
void vivante_cmd_sync(const struct vivante_cmd *cmd, u32 from)
{
	struct vivante_chunk *chunk = &cmd->file->chunk[cmd->chunk];

	dma_sync_single_for_device(cmd->file->viv->base.dev,
				   chunk->dma + cmd->first * GRANULE + from, cmd->size - from,
				   DMA_TO_DEVICE);
}

void vivante_cmd_free(struct vivante_cmd *cmd)
{
	struct vivante_file *file = cmd->file;

	if (!file)
		return;
	mutex_lock(&file->lock);
	bitmap_clear(file->chunk[cmd->chunk].used, cmd->first, cmd->granules);
	WRITE_ONCE(file->num_freed, file->num_freed + 1);
	mutex_unlock(&file->lock);
	wake_up(&file->freed);
	cmd->file = NULL;
}

/* Gives a fence a number, by which vivante_fence_find() knows it until vivante_fence_forget(). */
int vivante_fence_publish(struct vivante_file *file, unsigned int pipe, struct dma_fence *fence,
			  u32 *id)
{
	int ret;

	ret = xa_alloc_cyclic(&file->fences[pipe], id, fence, xa_limit_32b,
			      &file->next_fence[pipe], GFP_KERNEL);
	return ret < 0 ? ret : 0;
}

void vivante_fence_forget(struct vivante_file *file, unsigned int pipe, u32 id)
{
	xa_erase(&file->fences[pipe], id);
}

/* The fence with one more reference, or NULL: its job is done, or never was. */
struct dma_fence *vivante_fence_find(struct vivante_file *file, unsigned int pipe, u32 id)
{
	struct dma_fence *fence;

	xa_lock(&file->fences[pipe]);
	fence = xa_load(&file->fences[pipe], id);
	dma_fence_get(fence);
	xa_unlock(&file->fences[pipe]);
	return fence;
}
