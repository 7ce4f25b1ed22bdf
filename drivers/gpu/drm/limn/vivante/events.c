// SPDX-License-Identifier: GPL-2.0-only
/*
 * Interrupts (events, MMU exceptions, bus errors) and the hang check.
 */

/**
 * DOC: events and hangs
 *
 * Reading HI_INTR_ACKNOWLEDGE clears it, so while jobs run it is read in one place, under
 * &limn_pipe.lock, and only while the core has power. Each job waits for one event at a time, and
 * events are used in turn: a late one means nothing. No stream of a client can send one, nor
 * leave its memory or loop.
 *
 * The time of a job is counted in periods. When one is over, the hang check looks
 * what has happened in it. It counts
 *
 * - as progress, when FE has reached a word that it had not reached before, or
 *   has gone on to another primitive of the draw that it is in;
 * - as slow, when FE stands but memory is read or written, or pixels and
 *   vertices get finished. A draw may take VIVANTE_SLOW_PERIODS of them;
 * - as still, when nothing at all has moved. VIVANTE_STILL_PERIODS of them are
 *   a hang.
 *
 * No accepted stream makes FE loop. Should it loop all the same, it reaches no new
 * word: the periods of a loop count as slow, however busy FE looks.
 */
#include <kunit/visibility.h>

#include "limn_trace.h"
#include "vivante.h"

/* Returns the address of the first exception that the MMU reports. */
static u32 vivante_mmu_exception(struct vivante_core *core, struct limn_pipe *pipe)
{
	static const char * const reason[] = {
		"no exception", "no slave table", "no page", "write to a read-only page",
		"out of bounds", "secure read", "secure write",
	};
	u32 status = vivante_read(core, core->secure ? VIVS_MMUv2_SEC_STATUS : VIVS_MMUv2_STATUS);
	u32 address, first = 0;
	unsigned int i;

	for (i = 0; i < 4; i++) {
		u32 code = status >> (4 * i) & 0xf;

		if (!code)
			continue;
		address = vivante_read(core, core->secure ? VIVS_MMUv2_SEC_EXCEPTION_ADDR :
					     VIV_AT(VIVS_MMUv2_EXCEPTION_ADDR, i));
		trace_limn_mmu_fault(pipe->job, pipe->name, address, code == 3, i);
		dev_dbg(core->dev, "MMU %u: %s at %08x\n", i,
			code < ARRAY_SIZE(reason) ? reason[code] : "unknown", address);
		first = first ?: address;
	}
	return first;
}

/* Handles the events that the core reports. True when there were none. */
static bool vivante_no_events(struct vivante_core *core)
{
	struct limn_pipe *pipe = vivante_pipe(core);
	u32 events;

	lockdep_assert_held(&pipe->lock);

	events = vivante_read(core, VIVS_HI_INTR_ACKNOWLEDGE);
	if (!events)
		return true;
	if (!limn_pipe_listens(pipe))
		return false;
	if (events & VIVS_HI_INTR_ACKNOWLEDGE_MMU_EXCEPTION) {
		limn_pipe_fault(pipe, -EFAULT, vivante_mmu_exception(core, pipe));
		return false;
	}
	/* Noted, as by etnaviv and Vivante's driver: a job that does not end for it is a hang. */
	if (events & VIVS_HI_INTR_ACKNOWLEDGE_AXI_BUS_ERROR) {
		u32 status = vivante_read(core, VIVS_HI_AXI_STATUS);

		trace_limn_unit_error(pipe->job, pipe->name, events, status);
		dev_dbg(core->dev, "AXI bus error, status %08x\n", status);
	}
	if (pipe->state == LIMN_PIPE_RUNNING) {
		struct vivante_job *vj = pipe->job->priv;

		if (events & BIT(vj->event) && vj->phase != VIVANTE_RUN)
			limn_pipe_service(pipe);
		else if (events & BIT(vj->event))
			limn_pipe_complete(pipe, 0);
	}
	return false;
}

/* &limn_pipe_ops.poll: an interrupt may have got lost. */
void vivante_job_poll(struct limn_pipe *pipe)
{
	vivante_no_events(vivante_core(pipe));
}

irqreturn_t vivante_irq(int irq, void *data)
{
	struct vivante_core *core = data;
	struct limn_pipe *pipe = vivante_pipe(core);
	unsigned long flags;
	bool none = true;

	spin_lock_irqsave(&pipe->lock, flags);
	if (core->power == VIVANTE_ON)
		none = vivante_no_events(core);
	spin_unlock_irqrestore(&pipe->lock, flags);
	return none ? IRQ_NONE : IRQ_HANDLED;
}

/* How far FE has come in the job: 1 in front of the stream, then its words, then behind it. */
static u32 vivante_position(struct vivante_core *core, const struct vivante_job *vj)
{
	u32 address = vivante_read(core, VIVS_FE_DMA_ADDRESS);
	u32 ring = address - core->ring.va;

	if (address - vj->cmd.va < vj->cmd.size)
		return 2 + (address - vj->cmd.va);
	/* Behind the jump: the end of the segment. */
	if (ring < VIVANTE_RING_SIZE && ring > vj->seg.stream + 8 && ring <= vj->seg.wait + 16)
		return 2 + vj->cmd.size + (ring - vj->seg.stream);
	return 1;
}

/* Whether a unit other than FE has worked; GUESS(drv-activity): as for vivante_pm_finished(). */
static bool vivante_is_active(struct vivante_core *core, const struct vivante_job *vj)
{
	u32 now[ARRAY_SIZE(core->activity)] = {
		vivante_read(core, VIVS_HI_PROFILE_READ_BYTES8),
		vivante_read(core, VIVS_HI_PROFILE_WRITE_BYTES8),
		vivante_read(core, VIVS_HI_IDLE_STATE),
		vivante_read(core, VIVS_FE_DMA_DEBUG_STATE),
		vivante_pm_finished(core, vj->exec_state),
	};
	bool same = !memcmp(now, core->activity, sizeof(now));

	memcpy(core->activity, now, sizeof(now));
	return !same;
}

/**
 * vivante_gets_on - does a job whose period is over make progress?
 * @progress: of the job
 * @position: the word that FE is at
 * @primitive: number of the one that FE is at
 * @active: another unit has worked in the period
 *
 * Return: false when the job hangs.
 */
bool vivante_gets_on(struct vivante_progress *progress, u32 position, u32 primitive, bool active)
{
	if (position > progress->reached || primitive != progress->primitive) {
		progress->reached = max(position, progress->reached);
		progress->primitive = primitive;
		progress->still = 0;
		progress->slow = 0;
		return true;
	}
	if (active) {
		progress->still = 0;
		return ++progress->slow < VIVANTE_SLOW_PERIODS;
	}
	return ++progress->still < VIVANTE_STILL_PERIODS;
}
EXPORT_SYMBOL_IF_KUNIT(vivante_gets_on);

/* &limn_pipe_ops.progress */
bool vivante_job_progress(struct limn_pipe *pipe, struct limn_job *job)
{
	struct vivante_core *core = vivante_core(pipe);
	struct vivante_job *vj = job->priv;

	lockdep_assert_held(&pipe->ldev->hw_lock);

	/* The job may end meanwhile, but the clocks stay on. */
	guard(spinlock_irq)(&pipe->lock);
	/* conservative=1: FE's position alone tells, as in etnaviv of Linux 6.12 */
	return core->power == VIVANTE_ON &&
	       vivante_gets_on(&vj->progress, vivante_position(core, vj),
			       limn_conservative ? 0 : vivante_pm_primitive(core, vj->exec_state),
			       !limn_conservative && vivante_is_active(core, vj));
}
