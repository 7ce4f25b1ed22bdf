// SPDX-License-Identifier: GPL-2.0-only
/*
 * The front end's ring.
 */

/**
 * DOC: front end
 *
 * FE fetches commands from a ring of 4 KiB that has the same address in every
 * address space. At the end of what there is to do it meets a WAIT and a LINK
 * back to it. A job is a segment of the ring::
 *
 *	flush:   page tables, TLB flush       skipped when nothing has changed
 *	plain:   pipe select                  when the job before used another
 *	         LINK to clean.c's commands,  when it was another client's
 *	         which end with a LINK to ...
 *	         event, END                   with counters to be read
 *	stream:  LINK to the job's stream, which ends with a LINK to ...
 *	         cache flush, semaphore, stall, event
 *	         END                          with counters to be read
 *	wait:    WAIT, LINK to it
 *
 * A segment is written when the job before has ended, and started by turning that one's WAIT into
 * a LINK to it: argument first, then opcode, since FE may be reading it (Linux etnaviv_buffer.c).
 * No register is touched. When FE does not run, because it was reset or met an END, the job starts
 * from its registers. An END takes the place of the WAIT when no job has come for a while.
 *
 * Whether to flush is decided in that moment, with &limn_pipe.lock held: an unmap after that
 * finds the job running and keeps the memory until it has ended.
 *
 * Two segments matter: the one whose WAIT FE is in, and the one behind it.
 */
#include <kunit/visibility.h>

#include "cmd.h"
#include "vivante.h"

/*
 * 64-bit words of the longest segment: MMU flush 4, pipe 4, clean 1, sync 2, jump 1; behind a job
 * with counters caches 1, BLT 3, sync 2, BLT's sync 4, event 1, WAIT and LINK 2; and one more.
 */
#define SEGMENT_WORDS	26
#define STOP_US		1000	/* that FE may take to stop */

static u32 *vivante_put_event(u32 *cmd, unsigned int event)
{
	return vivante_put_state(cmd, VIVS_GL_EVENT, VIV_SET(VIVS_GL_EVENT_EVENT_ID, event) |
						     VIVS_GL_EVENT_FROM_PE);
}

static u32 *vivante_put_link(u32 *cmd, u32 address, u32 words)
{
	return vivante_put(cmd, VIV_FE_COMMAND(LINK) | VIV_SET(VIV_FE_LINK_HEADER_PREFETCH, words),
			   address);
}

static u32 *vivante_put_wait(u32 *cmd, u32 cycles, u32 address)
{
	cmd = vivante_put(cmd, VIV_FE_COMMAND(WAIT) | VIV_SET(VIV_FE_WAIT_HEADER_DELAY, cycles), 0);
	return vivante_put_link(cmd, address, 2);
}

static u32 vivante_pipe_caches(u32 exec_state)
{
	return exec_state == PIPE_ID_PIPE_2D ? VIVS_GL_FLUSH_CACHE_PE2D :
		VIVS_GL_FLUSH_CACHE_DEPTH | VIVS_GL_FLUSH_CACHE_COLOR;
}

static u32 *vivante_put_pipe_select(struct vivante_core *core, u32 *cmd, u32 exec_state)
{
	if (core->exec_state >= 0)
		cmd = vivante_put_state(cmd, VIVS_GL_FLUSH_CACHE,
					vivante_pipe_caches(core->exec_state));
	cmd = vivante_put_sync(cmd, SYNC_RECIPIENT_PE);
	return vivante_put_state(cmd, VIVS_GL_PIPE_SELECT, exec_state);
}

/* FE waits until all that the job wrote is in memory. */
static u32 *vivante_put_flush(struct vivante_core *core, u32 *cmd, u32 exec_state)
{
	bool has_blt = VIVANTE_MINOR(&core->id, 5, BLT_ENGINE);
	u32 caches = vivante_pipe_caches(exec_state);

	if (exec_state != PIPE_ID_PIPE_2D)
		caches |= VIVS_GL_FLUSH_CACHE_SHADER_L1 | VIVS_GL_FLUSH_CACHE_SHADER_L2;
	cmd = vivante_put_state(cmd, VIVS_GL_FLUSH_CACHE, caches);
	if (exec_state != PIPE_ID_PIPE_2D && !has_blt)
		cmd = vivante_put_state(cmd, VIVS_TS_FLUSH_CACHE, VIVS_TS_FLUSH_CACHE_FLUSH);
	if (exec_state != PIPE_ID_PIPE_2D && has_blt) {
		/* Work goes to the BLT engine between BLT_ENABLE 1 and 0. */
		cmd = vivante_put_state(cmd, VIVS_BLT_ENABLE, 1);
		cmd = vivante_put_state(cmd, VIVS_BLT_SET_COMMAND, 1);
		cmd = vivante_put_state(cmd, VIVS_BLT_ENABLE, 0);
	}
	cmd = vivante_put_sync(cmd, SYNC_RECIPIENT_PE);
	if (has_blt) {
		cmd = vivante_put_state(cmd, VIVS_BLT_ENABLE, 1);
		cmd = vivante_put_sync(cmd, SYNC_RECIPIENT_BLT);
		cmd = vivante_put_state(cmd, VIVS_BLT_ENABLE, 0);
	}
	return cmd;
}

static u32 vivante_offset(const struct vivante_core *core, const u32 *cmd)
{
	return (cmd - core->ring.cpu) * 4;
}

/* FE was reset, is about to be, or has lost its power: its ring and its states are void. */
void vivante_ring_reset(struct vivante_core *core)
{
	core->ring.tail = 0;
	core->ring.running = false;
	core->exec_state = -1;
	memset(core->owner, 0, sizeof(core->owner));
}
EXPORT_SYMBOL_IF_KUNIT(vivante_ring_reset);

/**
 * vivante_fe_start - let FE fetch, which stands still
 * @core: the core
 * @address: of the first command
 * @words: 64-bit words to fetch there
 */
void vivante_fe_start(struct vivante_core *core, u32 address, u32 words)
{
	wmb();	/* the commands are in memory */
	vivante_write(core, VIVS_FE_COMMAND_ADDRESS, address);
	vivante_write(core, VIVS_FE_COMMAND_CONTROL,
		      VIVS_FE_COMMAND_CONTROL_ENABLE |
		      VIV_SET(VIVS_FE_COMMAND_CONTROL_PREFETCH, words));
	if (core->secure)
		vivante_write(core, VIVS_MMUv2_SEC_COMMAND_CONTROL,
			      VIVS_MMUv2_SEC_COMMAND_CONTROL_ENABLE |
			      VIV_SET(VIVS_MMUv2_SEC_COMMAND_CONTROL_PREFETCH, words));
}

/* FE is to see the bytes of the ring from @from up to @to. */
static void vivante_ring_sync(struct vivante_core *core, u32 from, u32 to)
{
	dma_sync_single_for_device(core->viv->base.dev, core->ring.dma + from, to - from,
				   DMA_TO_DEVICE);
}

/* FE runs what is in its ring up to @end, by @address, while there is no job. 0 or an error. */
int vivante_fe_run(struct vivante_core *core, u32 address, u32 *end)
{
	end = vivante_put(end, VIV_FE_COMMAND(END), 0);
	vivante_ring_sync(core, 0, vivante_offset(core, end));
	vivante_fe_start(core, address, (end - core->ring.cpu) / 2);
	return vivante_wait_idle(core);
}

/* Replaces the WAIT that FE is in by another command. */
static void vivante_replace_wait(struct vivante_core *core, u32 header, u32 argument)
{
	u32 *wait = core->ring.cpu + core->ring.wait / 4;

	WRITE_ONCE(wait[1], argument);
	mb();	/* FE must not meet the new opcode with the old argument */
	WRITE_ONCE(wait[0], header);
	mb();	/* FE meets it now */
	vivante_ring_sync(core, core->ring.wait, core->ring.wait + 8);
}

/* FE has met an END, or is about to: none is further away than an event. 0 or an error. */
int vivante_wait_fe(struct vivante_core *core)
{
	u32 idle;
	int ret;

	ret = readl_poll_timeout_atomic(core->regs + VIVS_HI_IDLE_STATE, idle,
					idle & VIVS_HI_IDLE_STATE_FE, 1, STOP_US);
	if (ret)
		dev_err(core->dev, "FE does not stop: idle %08x\n", idle);
	return ret;
}

/* The pipe has no job: FE meets an END in place of its WAIT. */
static void vivante_ring_leave(struct vivante_core *core)
{
	lockdep_assert_held(&vivante_pipe(core)->lock);

	if (!core->ring.running)
		return;
	vivante_replace_wait(core, VIV_FE_COMMAND(END), 0);
	core->ring.running = false;
}

/* No job has come for VIVANTE_IDLE_MS: FE stops reading memory. */
static void vivante_idle_work(struct work_struct *work)
{
	struct vivante_core *core = container_of(work, struct vivante_core, idle_work.work);
	struct limn_pipe *pipe = vivante_pipe(core);
	long left;

	spin_lock_irq(&pipe->lock);
	left = core->idle_since + msecs_to_jiffies(VIVANTE_IDLE_MS) - jiffies;
	if (core->power == VIVANTE_ON && pipe->state == LIMN_PIPE_IDLE) {
		if (left > 0)
			schedule_delayed_work(&core->idle_work, left);
		else
			vivante_ring_leave(core);
	}
	spin_unlock_irq(&pipe->lock);
}

/* &limn_pipe_ops.idle */
void vivante_ring_idle(struct limn_pipe *pipe)
{
	struct vivante_core *core = vivante_core(pipe);

	lockdep_assert_held(&pipe->lock);

	core->idle_since = jiffies;
	/* Usually the work is queued since an earlier job; it reads idle_since when it runs. */
	if (!limn_conservative && !delayed_work_pending(&core->idle_work))
		schedule_delayed_work(&core->idle_work, msecs_to_jiffies(VIVANTE_IDLE_MS));
}

/* Before the core's clocks are disabled. The pipe has no job, and none may start. */
void vivante_ring_end(struct vivante_core *core)
{
	struct limn_pipe *pipe = vivante_pipe(core);

	cancel_delayed_work_sync(&core->idle_work);
	spin_lock_irq(&pipe->lock);
	vivante_ring_leave(core);
	spin_unlock_irq(&pipe->lock);
	vivante_wait_idle(core);
}

struct vivante_commands {
	struct device *dev;
	void *cpu;
	dma_addr_t dma;
	size_t size;
};

static void vivante_free_commands(void *data)
{
	struct vivante_commands *c = data;

	dma_free_noncoherent(c->dev, c->size, c->cpu, c->dma, DMA_TO_DEVICE);
}

/*
 * Cached memory for commands, which goes when the GPU is unbound. As that for streams it is never
 * highmem, out of reach of MMUv1's window: on arm32 write-combined memory comes from CMA, which
 * may be there.
 */
void *vivante_alloc_commands(struct vivante *viv, size_t size, dma_addr_t *dma)
{
	struct device *dev = viv->base.dev;
	struct vivante_commands *c = devm_kzalloc(dev, sizeof(*c), GFP_KERNEL);

	if (!c)
		return NULL;
	c->cpu = dma_alloc_noncoherent(dev, size, &c->dma, DMA_TO_DEVICE, GFP_KERNEL);
	if (!c->cpu)
		return NULL;
	c->dev = dev;
	c->size = size;
	*dma = c->dma;
	return devm_add_action_or_reset(dev, vivante_free_commands, c) ? NULL : c->cpu;
}

int vivante_ring_init(struct vivante_core *core)
{
	struct vivante_ring *ring = &core->ring;

	INIT_DELAYED_WORK(&core->idle_work, vivante_idle_work);
	ring->cpu = vivante_alloc_commands(core->viv, VIVANTE_RING_SIZE, &ring->dma);
	return ring->cpu ? 0 : -ENOMEM;
}

/* Not all cores may have got a ring. */
void vivante_ring_fini(struct vivante_core *core)
{
	if (core->ring.cpu)
		cancel_delayed_work_sync(&core->idle_work);
	core->ring.cpu = NULL;
}

static unsigned int vivante_next_event(struct vivante_core *core)
{
	core->event = (core->event + 1) % VIV_EVENTS;
	return core->event;
}

/* FE stops in front of the stream of a job with counters, and behind it. */
static u32 *vivante_put_sync_point(struct vivante_core *core, u32 *cmd, struct vivante_job *vj)
{
	vj->event = vivante_next_event(core);
	vj->phase = VIVANTE_RUN;
	if (!vj->num_pmrs && !vj->perf)
		return cmd;
	vj->event_post = vj->event;
	vj->event_pre = vivante_next_event(core);
	vj->event = vj->event_pre;
	vj->phase = VIVANTE_SYNC_PRE;
	cmd = vivante_put_event(cmd, vj->event_pre);
	return vivante_put(cmd, VIV_FE_COMMAND(END), 0);
}

/* Writes the segment up to the jump into the stream; returns the end of that. */
static u32 *vivante_put_head(struct vivante_core *core, struct limn_vm *vm, u32 *cmd,
			     struct vivante_job *vj)
{
	struct vivante_segment *seg = &vj->seg;
	const struct vivante_cleaner *cleaner = &core->cleaner;
	u32 *clean, *cleaned = NULL, *jumped;

	vj->cleaned = NULL;
	seg->flush = vivante_offset(core, cmd);
	cmd = core->viv->mmu->put_switch(core, vm, cmd);
	seg->plain = vivante_offset(core, cmd);
	if (core->exec_state != vj->exec_state)
		cmd = vivante_put_pipe_select(core, cmd, vj->exec_state);
	core->exec_state = vj->exec_state;
	clean = vivante_cleaner_use(core, vj);
	if (clean) {
		cmd = vivante_put_link(cmd, cleaner->va + (clean - cleaner->cpu) * 4,
				       cleaner->words[vj->exec_state] / 2 + 1);
		cleaned = cmd;
	}

	cmd = vivante_put_sync_point(core, cmd, vj);
	seg->stream = vivante_offset(core, cmd);
	jumped = vivante_put_link(cmd, vj->cmd.va, vj->cmd.size / 8);
	if (clean) {
		vj->cleaned = clean + cleaner->words[vj->exec_state];
		vivante_put_link(vj->cleaned, core->ring.va + vivante_offset(core, cleaned),
				 (jumped - cleaned) / 2);
	}
	cmd = cleaned ?: jumped;
	seg->flush_words = (vivante_offset(core, cmd) - seg->flush) / 8;
	seg->plain_words = (vivante_offset(core, cmd) - seg->plain) / 8;
	return jumped;
}

/**
 * vivante_segment_write - write a job's segment of the ring, and the way back to it
 * @core: the core
 * @vm: the job's address space
 * @vj: the job; comes after all that were written since FE was reset
 */
void vivante_segment_write(struct vivante_core *core, struct limn_vm *vm, struct vivante_job *vj)
{
	struct vivante_segment *seg = &vj->seg;
	struct vivante_ring *ring = &core->ring;
	u32 *cmd, *back, *after;

	if (ring->tail + SEGMENT_WORDS * 8 > VIVANTE_RING_SIZE)
		ring->tail = 0;
	after = vivante_put_head(core, vm, ring->cpu + ring->tail / 4, vj);

	cmd = vivante_put_flush(core, after, vj->exec_state);
	if (vj->phase == VIVANTE_SYNC_PRE) {
		cmd = vivante_put_event(cmd, vj->event_post);
		cmd = vivante_put(cmd, VIV_FE_COMMAND(END), 0);
	} else {
		cmd = vivante_put_event(cmd, vj->event);
	}
	seg->wait = vivante_offset(core, cmd);
	cmd = vivante_put_wait(cmd, core->wait_cycles, ring->va + seg->wait);
	ring->tail = vivante_offset(core, cmd);

	/* The stream's last word leads here. */
	back = vj->cmd.cpu + vj->cmd.size / 4 - 2;
	vivante_put_link(back, ring->va + vivante_offset(core, after), (cmd - after) / 2);
}
EXPORT_SYMBOL_IF_KUNIT(vivante_segment_write);

/* &limn_pipe_ops.prepare: the job's segment is in the ring, and its stream in memory. */
int vivante_job_prepare(struct limn_pipe *pipe, struct limn_job *job)
{
	struct vivante_core *core = vivante_core(pipe);
	struct vivante_job *vj = job->priv;

	if (core->power != VIVANTE_ON)
		return -EIO;	/* it did not come back from its last reset, or from sleep */
	/* An END was put before FE: it leaves its WAIT after 30 us at most. */
	if (!core->ring.running &&
	    !(vivante_read(core, VIVS_HI_IDLE_STATE) & VIVS_HI_IDLE_STATE_FE))
		return -EAGAIN;
	vj->perf = job->perf;
	vivante_segment_write(core, job->vm, vj);
	vivante_ring_sync(core, vj->seg.flush, core->ring.tail);
	vivante_cmd_sync(&vj->cmd, vj->cmd.size - 8);
	if (vj->cleaned)
		vivante_cleaner_sync(core, vj->cleaned);
	return 0;
}

/* &limn_pipe_ops.start: FE is led to the segment that vivante_job_prepare() wrote. */
void vivante_job_start(struct limn_pipe *pipe, struct limn_job *job)
{
	struct vivante_core *core = vivante_core(pipe);
	struct vivante_vm *vvm = to_vivante_vm(job->vm);
	u64 changes = atomic64_read(&vvm->changes);
	struct vivante_job *vj = job->priv;
	struct vivante_segment *seg = &vj->seg;
	struct vivante_ring *ring = &core->ring;
	u32 target = seg->plain, words = seg->plain_words;

	lockdep_assert_held(&pipe->lock);

	if (core->vm != job->vm || core->flushed != changes) {
		target = seg->flush;
		words = seg->flush_words;
		core->flushed = changes;
	}
	if (core->vm != job->vm) {
		/* FE fetches in the old address space until it has switched to the new one. */
		vj->left_vm = core->vm;
		core->vm = limn_vm_get(job->vm);
	}
	if (ring->running) {
		wmb();	/* the segment is in memory */
		vivante_replace_wait(core, VIV_FE_COMMAND(LINK) |
				     VIV_SET(VIV_FE_LINK_HEADER_PREFETCH, words),
				     ring->va + target);
	} else {
		vivante_fe_start(core, ring->va + target, words);
	}
	ring->wait = seg->wait;
	ring->running = true;
}
