// SPDX-License-Identifier: MIT
/*
 * Host carrier: Utgard. Plays the driver's part over the model's registers, in
 * the order that hardware wants: L2 clear, MMU stall, DTE, zap, unstall, wait
 * for the reset after the last job, frame registers, start.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <drm/lima_drm.h>
#include <limn/utgard/regs.h>

#include "model/carriers/host/host_priv.h"

#define POLLS		1000	/* of a reset */
#define VA_FIRST	0x00100000u
#define PAGE_FLAGS	(MMU_ENTRY_PRESENT | MMU_ENTRY_READ | MMU_ENTRY_WRITE)

#define GP_ERRORS	(GP_IRQ_PLBU_OOM | GP_IRQ_FORCE_HANG | GP_IRQ_WRITE_BOUND | GP_IRQ_SYNC_ERROR | \
			 GP_IRQ_BUS_ERROR | GP_IRQ_VS_INVALID_CMD | GP_IRQ_PLBU_INVALID_CMD | \
			 GP_IRQ_SEM_UNDERFLOW | GP_IRQ_SEM_OVERFLOW | GP_IRQ_PTR_ARRAY_BOUND)
#define GP_USED		(GP_IRQ_VS_END | GP_IRQ_PLBU_END | GP_ERRORS)
#define PP_ERRORS	(PP_IRQ_FORCE_HANG | PP_IRQ_BUS_ERROR | PP_IRQ_WRITE_BOUND | PP_IRQ_INVALID_PLIST_CMD | \
			 PP_IRQ_CALL_STACK_UNDERFLOW | PP_IRQ_CALL_STACK_OVERFLOW)
#define PP_USED		(PP_IRQ_END_OF_FRAME | PP_ERRORS)
#define PP_ALL		0x1fffu
#define MMU_USED	(MMU_INT_PAGE_FAULT | MMU_INT_READ_BUS_ERROR)

/* --- Blocks -------------------------------------------------------------- */

static void l2_clear(struct host *h, uint32_t l2)
{
	host_write(h, l2 + L2_COMMAND, L2_COMMAND_CLEAR_ALL);
	host_poll(h, l2 + L2_STATUS, L2_STATUS_COMMAND_BUSY, 0);
}

static void l2_init(struct host *h, uint32_t l2)
{
	l2_clear(h, l2);
	host_write(h, l2 + L2_ENABLE, L2_ENABLE_ACCESS | L2_ENABLE_READ_ALLOCATE);
	host_write(h, l2 + L2_MAX_READS, 0x1c);
}

static void mmu_init(struct host *h, uint32_t mmu)
{
	host_write(h, mmu + MMU_COMMAND, MMU_COMMAND_HARD_RESET);
	host_poll(h, mmu + MMU_DTE_ADDR, ~0u, 0);
	host_write(h, mmu + MMU_INT_MASK, MMU_USED);
	host_write(h, mmu + MMU_DTE_ADDR, h->directory);
	host_write(h, mmu + MMU_COMMAND, MMU_COMMAND_ENABLE_PAGING);
	host_poll(h, mmu + MMU_STATUS, MMU_STATUS_PAGING_ENABLED, MMU_STATUS_PAGING_ENABLED);
}

static void mmu_switch(struct host *h, uint32_t mmu)
{
	host_write(h, mmu + MMU_COMMAND, MMU_COMMAND_ENABLE_STALL);
	host_poll(h, mmu + MMU_STATUS, MMU_STATUS_STALL_ACTIVE, MMU_STATUS_STALL_ACTIVE);
	host_write(h, mmu + MMU_DTE_ADDR, h->directory);
	host_write(h, mmu + MMU_COMMAND, MMU_COMMAND_ZAP_CACHE);
	host_write(h, mmu + MMU_COMMAND, MMU_COMMAND_DISABLE_STALL);
	host_poll(h, mmu + MMU_STATUS, MMU_STATUS_STALL_ACTIVE, 0);
}

/* True when the MMU has something; says what. */
static bool mmu_failed(struct host *h, uint32_t mmu, const char *name)
{
	uint32_t irq = host_read(h, mmu + MMU_INT_STATUS), status = host_read(h, mmu + MMU_STATUS);

	if (!irq)
		return false;
	host_write(h, mmu + MMU_INT_MASK, 0);
	host_write(h, mmu + MMU_INT_CLEAR, irq);
	host_complain(h, "%s: %s at %08x, %s by bus id %u", name,
		 irq & MMU_INT_PAGE_FAULT ? "page fault" : "bus error in a page table walk",
		 host_read(h, mmu + MMU_PAGE_FAULT_ADDR), status & MMU_STATUS_FAULT_IS_WRITE ? "write" : "read",
		 MMU_STATUS_BUS_ID(status));
	return true;
}

static void gp_begin_soft_reset(struct host *h)
{
	host_write(h, GP_INT_MASK, 0);
	host_write(h, GP_INT_CLEAR, GP_IRQ_RESET_DONE);
	host_write(h, GP_CMD, GP_CMD_SOFT_RESET);
	h->gp_reset = true;
}

static void gp_end_soft_reset(struct host *h)
{
	if (!h->gp_reset)
		return;
	host_poll(h, GP_INT_RAWSTAT, GP_IRQ_RESET_DONE, GP_IRQ_RESET_DONE);
	host_write(h, GP_INT_CLEAR, ~0u);
	host_write(h, GP_INT_MASK, GP_USED);
	h->gp_reset = false;
}

static void gp_hard_reset(struct host *h)
{
	host_write(h, GP_INT_MASK, 0);
	host_write(h, GP_CMD, GP_CMD_STOP_BUS);
	host_poll(h, GP_STATUS, GP_STATUS_BUS_STOPPED, GP_STATUS_BUS_STOPPED);
	host_write(h, GP_CMD, GP_CMD_RESET);
	for (int i = 0; i < POLLS; i++) {
		host_write(h, GP_PERF_CNT_0_LIMIT, 0xc01a0000);
		if (host_read(h, GP_PERF_CNT_0_LIMIT) == 0xc01a0000)
			break;
	}
	host_write(h, GP_PERF_CNT_0_LIMIT, 0);
	host_write(h, GP_INT_CLEAR, ~0u);
	host_write(h, GP_INT_MASK, GP_USED);
	h->gp_reset = false;
	mmu_init(h, UTGARD_GPMMU_OFFSET);
}

static void pp_begin_soft_reset(struct host *h)
{
	for (unsigned int i = 0; i < h->num_pp; i++) {
		host_write(h, UTGARD_PP_OFFSET(i) + PP_INT_MASK, 0);
		host_write(h, UTGARD_PP_OFFSET(i) + PP_INT_RAWSTAT, PP_ALL);
		host_write(h, UTGARD_PP_OFFSET(i) + PP_CTRL, PP_CTRL_SOFT_RESET);
	}
	h->pp_reset = true;
}

static void pp_end_soft_reset(struct host *h)
{
	if (!h->pp_reset)
		return;
	for (unsigned int i = 0; i < h->num_pp; i++) {
		uint32_t pp = UTGARD_PP_OFFSET(i);

		host_poll(h, pp + PP_STATUS, PP_STATUS_RENDERING, 0);
		host_poll(h, pp + PP_INT_RAWSTAT, ~0u, PP_IRQ_RESET_DONE);
		host_write(h, pp + PP_INT_CLEAR, PP_ALL);
		host_write(h, pp + PP_INT_MASK, PP_USED);
	}
	h->pp_reset = false;
}

static void pp_hard_reset(struct host *h)
{
	for (unsigned int i = 0; i < h->num_pp; i++) {
		uint32_t pp = UTGARD_PP_OFFSET(i);

		host_write(h, pp + PP_INT_MASK, 0);
		host_write(h, pp + PP_CTRL, PP_CTRL_STOP_BUS);
		host_poll(h, pp + PP_STATUS, PP_STATUS_BUS_STOPPED, PP_STATUS_BUS_STOPPED);
		host_write(h, pp + PP_CTRL, PP_CTRL_FORCE_RESET);
		for (int n = 0; n < POLLS; n++) {
			host_write(h, pp + PP_PERF_CNT_0_LIMIT, 0xc01a0000);
			if (host_read(h, pp + PP_PERF_CNT_0_LIMIT) == 0xc01a0000)
				break;
		}
		host_write(h, pp + PP_PERF_CNT_0_LIMIT, 0);
		host_write(h, pp + PP_INT_CLEAR, PP_ALL);
		host_write(h, pp + PP_INT_MASK, PP_USED);
		mmu_init(h, UTGARD_PPMMU_OFFSET(i));
	}
	h->pp_reset = false;
}

static void look(const struct host *h)
{
	if (h->config.look)
		h->config.look(h->config.ctx);
}

/* --- GP jobs --------------------------------------------------------------- */

/* Gives the PLBU more room; false: there is none. heap: [0] start, [1] end, as in the frame. */
static bool gp_grow(struct host *h, struct host_bo *bo, uint32_t heap[2])
{
	if (!bo || host_heap_grow(h, bo)) {
		host_complain(h, "the tile heap at %08x is full", heap[0]);
		return false;
	}
	l2_clear(h, h->m450 ? UTGARD_M450_L2_GP_OFFSET : UTGARD_M400_L2_OFFSET);
	host_write(h, UTGARD_GPMMU_OFFSET + MMU_COMMAND, MMU_COMMAND_ZAP_CACHE);
	host_write(h, GP_PLBU_ALLOC_START, heap[1]);
	heap[1] = bo->va + bo->backed;
	host_write(h, GP_PLBU_ALLOC_END, heap[1]);
	host_write(h, GP_CMD, GP_CMD_UPDATE_PLBU_ALLOC);
	return true;
}

/* Looks at what the GP says: true when the job has ended. */
static bool gp_service(struct host *h, struct host_bo *bo, uint32_t heap[2], enum host_status *status)
{
	uint32_t irq = host_read(h, GP_INT_STAT), state = host_read(h, GP_STATUS);

	look(h);
	if (mmu_failed(h, UTGARD_GPMMU_OFFSET, "gpmmu")) {
		*status = HOST_FAULT;
		return true;
	}
	host_write(h, GP_INT_CLEAR, irq);
	if ((irq & GP_ERRORS) == GP_IRQ_PLBU_OOM && gp_grow(h, bo, heap))
		return false;
	if (irq & GP_ERRORS) {
		host_complain(h, "gp: error interrupt %08x, status %08x", irq, state);
		*status = HOST_FAULT;
		return true;
	}
	*status = HOST_OK;
	return (irq & (GP_IRQ_VS_END | GP_IRQ_PLBU_END)) &&
	       !(state & (GP_STATUS_VS_ACTIVE | GP_STATUS_PLBU_ACTIVE));
}

static void run_gp(struct host *h, const uint32_t frame[6], enum host_status *status)
{
	struct host_bo *bo = host_heap_at(h, frame[4]);
	uint32_t heap[2] = { frame[4], bo ? bo->va + bo->backed : frame[5] };
	uint32_t cmd = 0;
	uint64_t steps = 0;

	l2_clear(h, h->m450 ? UTGARD_M450_L2_GP_OFFSET : UTGARD_M400_L2_OFFSET);
	mmu_switch(h, UTGARD_GPMMU_OFFSET);
	gp_end_soft_reset(h);
	for (unsigned int i = 0; i < 4; i++)
		host_write(h, GP_VSCL_START + 4 * i, frame[i]);
	host_write(h, GP_PLBU_ALLOC_START, heap[0]);
	host_write(h, GP_PLBU_ALLOC_END, heap[1]);
	host_write(h, GP_CMD, GP_CMD_UPDATE_PLBU_ALLOC);
	cmd |= frame[0] != frame[1] ? GP_CMD_START_VS : 0;
	cmd |= frame[2] != frame[3] ? GP_CMD_START_PLBU : 0;
	host_write(h, GP_CMD, cmd);
	do {
		if (!host_wait_irq(h, &steps)) {
			look(h);
			*status = HOST_TIMEOUT;
			break;
		}
	} while (!gp_service(h, bo, heap, status));
	if (*status == HOST_OK)
		gp_begin_soft_reset(h);
	else
		gp_hard_reset(h);
}

/* --- PP jobs --------------------------------------------------------------- */

struct pp_job {
	uint32_t num_pp;
	const uint32_t *frame, *wb;
	const uint32_t *lists, *stacks;	/* one per PP */
	const uint32_t *dlbu;		/* Mali-450: DLBU registers, NULL: lists are used */
};

static void pp_write_frame(struct host *h, uint32_t pp, const struct pp_job *job, uint32_t list, uint32_t stack)
{
	for (unsigned int i = 0; i < PP_FRAME_WORDS; i++) {
		uint32_t val = i == PP_FRAME / 4 ? list : i == PP_STACK / 4 ? stack : job->frame[i];

		host_write(h, pp + 4 * i, val);
	}
	for (unsigned int n = 0; n < PP_WB_UNITS; n++) {
		for (unsigned int i = 0; i < PP_WB_WORDS; i++)
			host_write(h, pp + PP_WB(n) + 4 * i, job->wb[n * PP_WB_WORDS + i]);
	}
}

static void pp_start(struct host *h, const struct pp_job *job)
{
	uint32_t cores = (1u << job->num_pp) - 1, bcast = UTGARD_PP_BCAST_OFFSET;

	if (!h->m450) {
		for (unsigned int i = 0; i < job->num_pp; i++) {
			pp_write_frame(h, UTGARD_PP_OFFSET(i), job, job->lists[i], job->stacks[i]);
			host_write(h, UTGARD_PP_OFFSET(i) + PP_CTRL, PP_CTRL_START);
		}
		return;
	}
	host_write(h, UTGARD_DLBU_OFFSET + DLBU_PP_ENABLE_MASK, job->dlbu ? cores : 0);
	for (unsigned int i = 0; job->dlbu && i < 4; i++)
		host_write(h, UTGARD_DLBU_OFFSET + DLBU_TLLIST_VBASEADDR + 4 * i, job->dlbu[i]);
	host_write(h, UTGARD_BCAST_OFFSET + BCAST_BROADCAST_MASK, ((1u << h->num_pp) - 1) << 16 | cores);
	pp_write_frame(h, bcast, job, job->dlbu ? UTGARD_DLBU_VA : 0, 0);
	for (unsigned int i = 0; i < job->num_pp; i++) {
		host_write(h, UTGARD_PP_OFFSET(i) + PP_STACK, job->stacks[i]);
		if (!job->dlbu)
			host_write(h, UTGARD_PP_OFFSET(i) + PP_FRAME, job->lists[i]);
	}
	host_write(h, bcast + PP_CTRL, PP_CTRL_START);
}

/* True when all cores have ended, or one has failed. */
static bool pp_service(struct host *h, uint32_t *running, enum host_status *status)
{
	look(h);
	for (unsigned int i = 0; i < h->num_pp; i++) {
		uint32_t pp = UTGARD_PP_OFFSET(i), irq = host_read(h, pp + PP_INT_STATUS);
		char name[16];

		snprintf(name, sizeof(name), "ppmmu%u", i);
		if (mmu_failed(h, UTGARD_PPMMU_OFFSET(i), name)) {
			*status = HOST_FAULT;
			return true;
		}
		host_write(h, pp + PP_INT_CLEAR, irq);
		if (irq & PP_ERRORS) {
			host_complain(h, "pp%u: error interrupt %08x, status %08x", i, irq, host_read(h, pp + PP_STATUS));
			*status = HOST_FAULT;
			return true;
		}
		if (irq & PP_IRQ_END_OF_FRAME)
			*running &= ~(1u << i);
	}
	*status = HOST_OK;
	return !*running;
}

static void run_pp(struct host *h, const struct pp_job *job, enum host_status *status)
{
	uint32_t running = (1u << job->num_pp) - 1;
	uint64_t steps = 0;

	if (h->m450) {
		l2_clear(h, UTGARD_M450_L2_GP_OFFSET);
		l2_clear(h, UTGARD_M450_L2_PP03_OFFSET);
		if (h->num_pp > 4)
			l2_clear(h, UTGARD_M450_L2_PP47_OFFSET);
	} else {
		l2_clear(h, UTGARD_M400_L2_OFFSET);
	}
	for (unsigned int i = 0; i < h->num_pp; i++)
		mmu_switch(h, UTGARD_PPMMU_OFFSET(i));
	pp_end_soft_reset(h);
	pp_start(h, job);
	do {
		if (!host_wait_irq(h, &steps)) {
			look(h);
			*status = HOST_TIMEOUT;
			break;
		}
	} while (!pp_service(h, &running, status));
	if (*status == HOST_OK)
		pp_begin_soft_reset(h);
	else
		pp_hard_reset(h);
}

static int submit_pp(struct host *h, const void *frame, uint32_t size, enum host_status *status)
{
	const struct drm_lima_m400_pp_frame *m400 = frame;
	const struct drm_lima_m450_pp_frame *m450 = frame;
	struct pp_job job;

	if (size != (h->m450 ? sizeof(*m450) : sizeof(*m400)))
		return -EINVAL;
	if (h->m450 && m450->_pad)
		return -EINVAL;
	if (h->m450)
		job = (struct pp_job){ m450->num_pp, m450->frame, m450->wb, m450->plbu_array_address,
				       m450->fragment_stack_address, m450->use_dlbu ? m450->dlbu_regs : NULL };
	else
		job = (struct pp_job){ m400->num_pp, m400->frame, m400->wb, m400->plbu_array_address,
				       m400->fragment_stack_address, NULL };
	if (!job.num_pp || job.num_pp > h->num_pp)
		return -EINVAL;
	run_pp(h, &job, status);
	return 0;
}

int host_submit(struct host *h, uint32_t pipe, const void *frame, uint32_t frame_size, enum host_status *status)
{
	const uint32_t *f = frame;

	if (h->family != &host_utgard)
		return -EINVAL;
	h->error[0] = 0;
	if (pipe == HOST_PIPE_PP)
		return submit_pp(h, frame, frame_size, status);
	if (pipe != HOST_PIPE_GP || frame_size != sizeof(struct drm_lima_gp_frame) ||
	    f[0] > f[1] || f[2] > f[3] || f[4] > f[5] || (f[0] == f[1] && f[2] == f[3]))
		return -EINVAL;
	run_gp(h, f, status);
	return 0;
}

/* --- The device -------------------------------------------------------------- */

static void start_device(struct host *h)
{
	host_write(h, UTGARD_PMU_OFFSET + PMU_INT_MASK, 0);
	host_write(h, UTGARD_PMU_OFFSET + PMU_SW_DELAY, 0xffff);
	host_write(h, UTGARD_PMU_OFFSET + PMU_POWER_UP, host_read(h, UTGARD_PMU_OFFSET + PMU_STATUS));
	host_poll(h, UTGARD_PMU_OFFSET + PMU_INT_RAWSTAT, PMU_INT_CMD_DONE, PMU_INT_CMD_DONE);
	host_write(h, UTGARD_PMU_OFFSET + PMU_INT_CLEAR, PMU_INT_CMD_DONE);
	if (h->m450) {
		l2_init(h, UTGARD_M450_L2_GP_OFFSET);
		l2_init(h, UTGARD_M450_L2_PP03_OFFSET);
		if (h->num_pp > 4)
			l2_init(h, UTGARD_M450_L2_PP47_OFFSET);
		host_write(h, UTGARD_BCAST_OFFSET + BCAST_BROADCAST_MASK, ((1u << h->num_pp) - 1) << 16);
		host_write(h, UTGARD_BCAST_OFFSET + BCAST_INTERRUPT_MASK, (1u << h->num_pp) - 1);
		host_write(h, UTGARD_DLBU_OFFSET + DLBU_MASTER_TLLIST_PHYS, h->dlbu_page | 1);
		host_write(h, UTGARD_DLBU_OFFSET + DLBU_MASTER_TLLIST_VADDR, UTGARD_DLBU_VA);
	} else {
		l2_init(h, UTGARD_M400_L2_OFFSET);
	}
	gp_begin_soft_reset(h);
	gp_end_soft_reset(h);
	mmu_init(h, UTGARD_GPMMU_OFFSET);
	pp_begin_soft_reset(h);
	pp_end_soft_reset(h);
	for (unsigned int i = 0; i < h->num_pp; i++)
		mmu_init(h, UTGARD_PPMMU_OFFSET(i));
}

unsigned int host_gpu_id(const struct host *h)
{
	return h->m450 ? 0x450 : 0x400;
}

unsigned int host_num_pp(const struct host *h)
{
	return h->num_pp;
}

uint32_t host_gp_version(const struct host *h)
{
	return model_read32(h->model, GP_VERSION);
}

uint32_t host_pp_version(const struct host *h)
{
	return model_read32(h->model, UTGARD_PP_OFFSET(0) + PP_VERSION);
}

/* --- Page tables --------------------------------------------------------------- */

/*
 * Where no BO is, page 0 reads as zeros: Mesa gives a vertex shader without attributes one stream whose address it does
 * not set. With Linux' lima a BO is there.
 */
static int map_page(struct host *host, uint32_t va, uint32_t pa)
{
	uint32_t *pde = (uint32_t *)host_ram_at(host, host->directory) + (va >> MMU_PDE_SHIFT);

	if (!(*pde & MMU_ENTRY_PRESENT)) {
		uint32_t table;
		int err = host_ram_alloc(host, HOST_PAGE, &table);

		if (err)
			return err;
		*pde = table | MMU_ENTRY_PRESENT;
	}
	((uint32_t *)host_ram_at(host, *pde & MMU_PAGE_MASK))[(va >> MMU_PTE_SHIFT) % MMU_ENTRIES] =
		pa ? pa | PAGE_FLAGS : va ? 0 : host->zeros | MMU_ENTRY_PRESENT | MMU_ENTRY_READ;
	return 0;
}

static int mem_init(struct host *host)
{
	int err;

	host->m450 = !strcmp(host->gpu->compatible, "arm,mali-450");
	for (unsigned int i = 0; i < MODEL_MAX_IRQS; i++)
		host->num_pp += host->gpu->irq[i] && !strncmp(host->gpu->irq[i], "ppmmu", 5);
	host->va.first = 0;	/* as in Linux' lima, where the first BO is at 0 */
	host->va.low = (host->config.lowest ? *host->config.lowest : VA_FIRST) / HOST_PAGE;
	host->va.end = host->m450 ? UTGARD_DLBU_VA / HOST_PAGE : 1u << 20;
	err = host_ram_alloc(host, HOST_PAGE, &host->directory);
	if (!err)
		err = host_ram_alloc(host, HOST_PAGE, &host->zeros);
	if (!err)
		err = map_page(host, 0, 0);
	if (!err && host->m450)
		err = host_ram_alloc(host, HOST_PAGE, &host->dlbu_page);
	if (!err && host->m450)
		err = map_page(host, UTGARD_DLBU_VA, host->dlbu_page);
	return err;
}

const struct host_family host_utgard = {
	.mem_init = mem_init,
	.map_page = map_page,
	.start = start_device,
};
