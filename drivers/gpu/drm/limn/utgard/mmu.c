// SPDX-License-Identifier: GPL-2.0-only
/*
 * MMU: one in front of the GP and of each PP.
 *
 * A new page directory may be set only while the MMU is stalled, and counts from the next TLB zap
 * on. When a job stays in the address space of the one before, the zap alone will do: entries may
 * have changed, the directory has not (Linux lima_mmu.c, ARM's GPL driver mali_mmu.c).
 */
#include "limn_trace.h"
#include "utgard.h"

#define MMU_INTERRUPTS		(MMU_INT_PAGE_FAULT | MMU_INT_READ_BUS_ERROR)

/* Written to see whether the register is there: it keeps bits 31:12. */
#define MMU_DTE_PATTERN		0xcafebabe

void utgard_mmu_mask(struct utgard_block *mmu)
{
	utgard_write(mmu, MMU_INT_MASK, 0);
}

static unsigned int utgard_mmu_pipe(const struct utgard_block *mmu)
{
	return mmu->id == UTGARD_GPMMU ? UTGARD_PIPE_GP : UTGARD_PIPE_PP;
}

/* For a job that goes on with changed tables: the read is done when the write has arrived. */
void utgard_mmu_zap(struct utgard_block *mmu)
{
	utgard_assert_pipe(mmu, utgard_mmu_pipe(mmu));

	utgard_write(mmu, MMU_COMMAND, MMU_COMMAND_ZAP_CACHE);
	utgard_read(mmu, MMU_STATUS);
}

/* No job runs behind this MMU; the next one uses the directory at @dte. 0 or -EAGAIN. */
int utgard_mmu_switch(struct utgard_block *mmu, u32 dte, ktime_t until)
{
	int ret;

	utgard_assert_pipe(mmu, utgard_mmu_pipe(mmu));

	if (mmu->dte == dte && !limn_conservative) {
		utgard_write(mmu, MMU_COMMAND, MMU_COMMAND_ZAP_CACHE);
		return 0;
	}
	mmu->dte = 0;
	utgard_write(mmu, MMU_COMMAND, MMU_COMMAND_ENABLE_STALL);
	ret = utgard_wait(mmu, MMU_STATUS, MMU_STATUS_STALL_ACTIVE, MMU_STATUS_STALL_ACTIVE, until);
	if (ret)
		return ret;
	utgard_write(mmu, MMU_DTE_ADDR, dte);
	utgard_write(mmu, MMU_COMMAND, MMU_COMMAND_ZAP_CACHE);
	utgard_write(mmu, MMU_COMMAND, MMU_COMMAND_DISABLE_STALL);
	ret = utgard_wait(mmu, MMU_STATUS, MMU_STATUS_STALL_ACTIVE, 0, until);
	if (!ret)
		mmu->dte = dte;
	return ret;
}

/* From any state to translating with a directory in which nothing is mapped. */
int utgard_mmu_reset(struct utgard_block *mmu)
{
	struct utgard *ug = mmu->ug;
	u32 value;
	int ret;

	utgard_write(mmu, MMU_INT_MASK, 0);
	/* The reset clears it: that is how its end shows. With paging on, it is not 0. */
	if (!mmu->dte)
		utgard_write(mmu, MMU_DTE_ADDR, MMU_DTE_PATTERN);
	utgard_write(mmu, MMU_COMMAND, MMU_COMMAND_HARD_RESET);
	ret = readl_poll_timeout_atomic(mmu->regs + MMU_DTE_ADDR, value, value == 0, 0,
					UTGARD_POLL_US);
	if (ret) {
		dev_err(ug->base.dev, "%s: reset timed out\n", mmu->name);
		return ret;
	}
	utgard_write(mmu, MMU_INT_MASK, MMU_INTERRUPTS);
	utgard_write(mmu, MMU_DTE_ADDR, ug->zeros);
	utgard_write(mmu, MMU_COMMAND, MMU_COMMAND_ENABLE_PAGING);
	ret = readl_poll_timeout_atomic(mmu->regs + MMU_STATUS, value,
					value & MMU_STATUS_PAGING_ENABLED, 0, UTGARD_POLL_US);
	if (ret)
		dev_err(ug->base.dev, "%s: paging does not start\n", mmu->name);
	mmu->dte = ug->zeros;
	return ret;
}

/* Paging is off after power on, so the pattern may be written unstalled. */
static int utgard_mmu_init(struct utgard_block *mmu)
{
	utgard_write(mmu, MMU_DTE_ADDR, MMU_DTE_PATTERN);
	if (utgard_read(mmu, MMU_DTE_ADDR) == (MMU_DTE_PATTERN & MMU_PAGE_MASK))
		return 0;
	dev_err(mmu->ug->base.dev, "%s: not there\n", mmu->name);
	return -EIO;
}

/* With the power goes the directory, and paging. */
static void utgard_mmu_suspend(struct utgard_block *mmu)
{
	mmu->dte = 0;
}

static bool utgard_mmu_handle(struct utgard_block *mmu, struct limn_pipe *pipe)
{
	u32 state = utgard_read(mmu, MMU_INT_STATUS), address = 0;

	if (!state)
		return false;
	if (state & MMU_INT_PAGE_FAULT) {
		u32 status = utgard_read(mmu, MMU_STATUS);
		bool write = status & MMU_STATUS_FAULT_IS_WRITE;

		address = utgard_read(mmu, MMU_PAGE_FAULT_ADDR);
		trace_limn_mmu_fault(pipe->job, mmu->name, address, write,
				     MMU_STATUS_BUS_ID(status));
		dev_dbg(mmu->ug->base.dev, "%s: page fault, %s of %08x by bus master %u\n",
			mmu->name, write ? "write" : "read", address, MMU_STATUS_BUS_ID(status));
	}
	/* The mask holds until the pipe has been reset. */
	limn_pipe_fault(pipe, state & MMU_INT_PAGE_FAULT ? -EFAULT : -EIO, address);
	return true;
}

const struct utgard_block_ops utgard_mmu_ops = {
	.init = utgard_mmu_init,
	.resume = utgard_mmu_reset,
	.suspend = utgard_mmu_suspend,
	.handle = utgard_mmu_handle,
};

/* The MMUs behind it are reset one by one. */
const struct utgard_block_ops utgard_mmu_bcast_ops = {
	.suspend = utgard_mmu_suspend,
};
