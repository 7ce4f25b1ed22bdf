/* SPDX-License-Identifier: MIT */
/* Inside the host carrier: memory (host_mem.c) and jobs (host.c). */
#ifndef LIMN_HOST_PRIV_H
#define LIMN_HOST_PRIV_H

#include "model/carriers/host/host.h"

#define HOST_PAGE	4096u
#define HOST_DMA	0x40000000u	/* where the device sees RAM; CPU and device addresses differ */

/* Ranges of pages, sorted; a first-fit allocator for both RAM and VA. */
struct range {
	uint32_t start, pages;
};

struct space {
	struct range *used;
	uint32_t num, max;
	uint32_t first, end;	/* pages that may be given out: [first, end) */
	uint32_t low;		/* to who does not ask for certain ones: from here on */
};

struct host_bo {
	uint32_t va, pa;	/* bytes; RAM is contiguous, all of it reserved */
	uint32_t size;		/* bytes of VA, whole pages */
	uint32_t backed;	/* bytes that are mapped */
	bool used, heap;
};

/* A family's part of the driver. */
struct host_family {
	int (*mem_init)(struct host *host);	/* page tables, range of VA; 0 or -ENOMEM */
	int (*map_page)(struct host *host, uint32_t va, uint32_t pa);	/* pa 0: unmaps; 0 or -ENOMEM */
	void (*start)(struct host *host);	/* resets the device and sets it up */
};

extern const struct host_family host_utgard, host_vivante;

struct host {
	struct host_config config;
	const struct host_family *family;
	struct model *model;
	const struct model_gpu *gpu;
	uint8_t *ram;
	uint64_t ram_size;
	uint64_t fresh;		/* physical address from which on nothing was handed out yet */
	struct space phys, va;
	uint32_t directory;	/* physical address of the page directory; MMUv1: of the table */
	uint32_t dlbu_page;	/* Mali-450: physical, mapped at UTGARD_DLBU_VA */
	uint32_t zeros;		/* Utgard: what page 0 reads as, physical */
	struct host_bo *bos;	/* handle - 1 */
	uint32_t num_bos;
	unsigned int num_pp;
	bool m450;
	bool irq[MODEL_MAX_IRQS];
	bool gp_reset, pp_reset;	/* a soft reset is under way since the last job */
	/* Vivante: physical addresses. */
	uint32_t ring, stream, pta, bad_page;
	char error[256];
};

uint32_t host_read(struct host *h, uint32_t off);
void host_write(struct host *h, uint32_t off, uint32_t val);
/* Waits for (register & mask) == want. */
bool host_poll(struct host *h, uint32_t off, uint32_t mask, uint32_t want);
/* The first cause counts: see host_error(). */
void host_complain(struct host *h, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Lets the model work until a line is up; false: it did not come in time. steps counts. */
bool host_wait_irq(struct host *h, uint64_t *steps);

uint8_t *host_ram_at(struct host *host, uint32_t pa);
/* Zeroed; 0 or -ENOMEM. bytes: whole pages. */
int host_ram_alloc(struct host *host, uint32_t bytes, uint32_t *pa);

/* 0 or -ENOMEM. Pages are zero. */
int host_mem_init(struct host *host);
void host_mem_fini(struct host *host);
/* The heap that a GP job starts in, NULL: none. */
struct host_bo *host_heap_at(struct host *host, uint32_t va);
/* Backs more of a heap; -ENOSPC when all of it is backed. */
int host_heap_grow(struct host *host, struct host_bo *bo);

#endif
