// SPDX-License-Identifier: GPL-2.0-only
/*
 * L2 cache: read-allocate, writes go through.
 *
 * What the CPU or another device writes does not show in it, so it is cleared before a job.
 * Mali-400 has one cache in front of all cores: what they write stays coherent there, and a job
 * needs no clear when there was one after it was submitted, unless it waited for somebody else.
 * ARM's kernel driver orders its clears by job age in the same way.
 *
 * Page tables are read through it, too. Entries that were taken away since the
 * last clear may still be there, and the pages behind them may be somebody
 * else's: no job may start, or go on, before a clear.
 */
#include <linux/platform_device.h>

#include "utgard.h"

/* Reads that the cache may have outstanding: what all known drivers set. */
#define L2_OUTSTANDING_READS	0x1c

/*
 * A clear that begins after this was called, or that an earlier call for the same job began,
 * which returned -EAGAIN.
 */
static int utgard_l2_try_clear(struct utgard_block *l2, u64 job, ktime_t until)
{
	unsigned long flags;
	int ret = 0;

	/* The other pipe's job may be prepared at the same time. */
	spin_lock_irqsave(&l2->lock, flags);
	if (l2->clearing && l2->clear.job != job)
		ret = utgard_wait(l2, L2_STATUS, L2_STATUS_COMMAND_BUSY, 0, until);
	if (!ret && (!l2->clearing || l2->clear.job != job)) {
		l2->clear.job = job;
		/* The clear begins after these reads: it covers all that they count. */
		l2->clear.order = atomic64_read_acquire(&l2->ug->base.order);
		l2->clear.unmaps = atomic64_read_acquire(&l2->ug->base.unmaps);
		utgard_write(l2, L2_COMMAND, L2_COMMAND_CLEAR_ALL);
		l2->clearing = true;
	}
	ret = ret ?: utgard_wait(l2, L2_STATUS, L2_STATUS_COMMAND_BUSY, 0, until);
	if (!ret) {
		l2->cleared = l2->clear;
		l2->clearing = false;
	}
	spin_unlock_irqrestore(&l2->lock, flags);
	return ret;
}

/* For @job, or 0; where one may sleep. 0 or -ETIMEDOUT. */
int utgard_l2_clear(struct utgard_block *l2, u64 job)
{
	unsigned int us;

	for (us = 0; us < UTGARD_POLL_US; us += UTGARD_START_US) {
		if (!utgard_l2_try_clear(l2, job, ktime_get()))
			return 0;
		usleep_range(UTGARD_START_US, 2 * UTGARD_START_US);
	}
	dev_err(l2->ug->base.dev, "%s: clear timed out\n", l2->name);
	return -ETIMEDOUT;
}

/* Does it need no clear before @job? Not when page table entries were taken away since. */
static bool utgard_l2_is_fresh(struct utgard_block *l2, const struct limn_job *job)
{
	unsigned long flags;
	bool fresh;

	if (limn_conservative || l2->ug->m450 || job->foreign_deps)
		return false;
	spin_lock_irqsave(&l2->lock, flags);
	fresh = job->order <= l2->cleared.order &&
		l2->cleared.unmaps == atomic64_read(&l2->ug->base.unmaps);
	spin_unlock_irqrestore(&l2->lock, flags);
	return fresh;
}

/*
 * Before @job starts: 0 or -EAGAIN. @job is &limn_pipe.job already, so an unmap from now on
 * keeps its memory until @job has ended.
 */
int utgard_l2_prepare(struct utgard_block *l2, const struct limn_job *job, ktime_t until)
{
	lockdep_assert_held(&job->pipe->lock);

	if (!l2->present || utgard_l2_is_fresh(l2, job))
		return 0;
	return utgard_l2_try_clear(l2, job->order, until);
}

static int utgard_l2_init(struct utgard_block *l2)
{
	unsigned int i;
	u32 size;

	spin_lock_init(&l2->lock);
	/* The third one comes with the second four pixel processors. */
	if (l2->id == UTGARD_L2_2 &&
	    platform_get_irq_byname_optional(to_platform_device(l2->ug->base.dev), "pp4") < 0)
		return -ENODEV;
	size = utgard_read(l2, L2_SIZE);
	i = (size >> 16) & 0xff;
	dev_dbg(l2->ug->base.dev, "%s: %lu bytes, %u ways, lines of %u bytes, bus of %u bits\n",
		l2->name, BIT(i & 31), 1u << (size >> 8 & 31), 1u << (size & 31),
		1u << (size >> 24 & 31));
	return 0;
}

static int utgard_l2_resume(struct utgard_block *l2)
{
	int ret;

	l2->clearing = false;
	ret = utgard_l2_clear(l2, 0);
	if (ret)
		return ret;
	memset(l2->perf_src, 0, sizeof(l2->perf_src));
	utgard_write(l2, L2_ENABLE, L2_ENABLE_ACCESS | L2_ENABLE_READ_ALLOCATE);
	utgard_write(l2, L2_MAX_READS, L2_OUTSTANDING_READS);
	return 0;
}

const struct utgard_block_ops utgard_l2_ops = {
	.init = utgard_l2_init,
	.resume = utgard_l2_resume,
};
