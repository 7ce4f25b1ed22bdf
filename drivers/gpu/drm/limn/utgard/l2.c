// SPDX-License-Identifier: GPL-2.0-only
/*
 * L2 cache: read-allocate, writes go through.
 *
 * What the CPU or another device writes does not show in it, so it is cleared
 * before a job. Mali-400 has one cache in front of all cores: what they write
 * stays coherent there, and a job needs no clear when there was one after it
 * was submitted, unless it waited for somebody else. ARM's kernel driver
 * orders its clears by job age in the same way.
 *
 * Page tables are read through it, too. Entries that were taken away since the
 * last clear may still be there, and the pages behind them may be somebody
 * else's by then: no job may start before a clear.
 */
#include <linux/platform_device.h>

#include "utgard.h"

/* Reads that the cache may have outstanding: what all known drivers set. */
#define L2_OUTSTANDING_READS	0x1c

int utgard_l2_clear(struct utgard_block *l2)
{
	u64 order, unmaps;
	unsigned long flags;
	u32 status;
	int ret;

	/* A pipe may be flushed while the other one's job is prepared. */
	spin_lock_irqsave(&l2->lock, flags);
	order = atomic64_read(&l2->ug->base.order);
	unmaps = atomic64_read(&l2->ug->base.unmaps);
	utgard_write(l2, L2_COMMAND, L2_COMMAND_CLEAR_ALL);
	ret = readl_poll_timeout_atomic(l2->regs + L2_STATUS, status,
					!(status & L2_STATUS_COMMAND_BUSY), 0, UTGARD_POLL_US);
	if (!ret) {
		l2->cleared_at = order;
		l2->unmaps = unmaps;
	}
	spin_unlock_irqrestore(&l2->lock, flags);
	if (ret)
		dev_err(l2->ug->base.dev, "%s: clear timed out\n", l2->name);
	return ret;
}

/* Does it need no clear before @job? Not when page table entries were taken away since. */
static bool utgard_l2_is_fresh(struct utgard_block *l2, const struct limn_job *job)
{
	unsigned long flags;
	bool fresh;

	if (l2->ug->m450 || job->foreign_deps)
		return false;
	spin_lock_irqsave(&l2->lock, flags);
	fresh = job->order <= l2->cleared_at &&
		l2->unmaps == atomic64_read(&l2->ug->base.unmaps);
	spin_unlock_irqrestore(&l2->lock, flags);
	return fresh;
}

/*
 * Before @job starts. Whoever takes entries away from now on finds it to be the
 * pipe's job, and keeps the pages until it has ended.
 */
int utgard_l2_prepare(struct utgard_block *l2, const struct limn_job *job)
{
	lockdep_assert_held(&job->pipe->lock);

	return !l2->present || utgard_l2_is_fresh(l2, job) ? 0 : utgard_l2_clear(l2);
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
	int ret = utgard_l2_clear(l2);

	if (ret)
		return ret;
	memset(l2->perf_src, 0, sizeof(l2->perf_src));
	l2->perf_pipes = 0;
	utgard_write(l2, L2_ENABLE, L2_ENABLE_ACCESS | L2_ENABLE_READ_ALLOCATE);
	utgard_write(l2, L2_MAX_READS, L2_OUTSTANDING_READS);
	return 0;
}

const struct utgard_block_ops utgard_l2_ops = {
	.init = utgard_l2_init,
	.resume = utgard_l2_resume,
};
