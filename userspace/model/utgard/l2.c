// SPDX-License-Identifier: MIT
/*
 * Utgard L2 cache.
 *
 * Facts: Linux lima_l2_cache.c; ARM's GPL kernel driver (mali_l2_cache.c). The
 * only maintenance commands drop lines, and drivers read results without
 * any command after a job. GUESS: so it writes through, and every read
 * allocates, whatever the page entry's cache flags say.
 *
 * Strict mode keeps every line that was read until it is dropped, so that a
 * driver that forgets to clear sees stale data, and tells on every read of a
 * byte that memory has changed below the cache. Lenient mode caches nothing.
 */
#include <errno.h>
#include <stdlib.h>

#include <limn/utgard/regs.h>

#include "model/core.h"
#include "model/utgard/utgard.h"

#define LINE		64u
#define EVERYTHING	~0u

struct l2 {
	struct unit u;
	struct l2_page **pages;		/* one per page of RAM */
	uint32_t *held;			/* indexes of those that may hold lines */
	uint32_t num_held, max_held;
	uint32_t enable, max_reads;
	uint32_t perf[4];
	bool busy;			/* a command is under way */
	uint32_t page;			/* what it drops: a page of RAM, or everything */
};

struct l2_page *l2_page(struct unit *u, uint32_t pa)
{
	struct l2 *l2 = (struct l2 *)u;
	uint32_t i = (pa - (uint32_t)u->model->config.ram.dma) / MODEL_PAGE;
	const uint32_t caching = L2_ENABLE_ACCESS | L2_ENABLE_READ_ALLOCATE;

	if (!unit_strict(u) || (l2->enable & caching) != caching || u->off)
		return NULL;
	if (l2->pages[i])
		return l2->pages[i];
	if (l2->num_held == l2->max_held) {
		uint32_t max = l2->max_held ? l2->max_held * 2 : 1024;
		uint32_t *held = realloc(l2->held, max * sizeof(*held));

		if (!held)
			return NULL;
		l2->held = held;
		l2->max_held = max;
	}
	l2->pages[i] = malloc(sizeof(struct l2_page));
	if (!l2->pages[i])
		return NULL;
	l2->pages[i]->lines = 0;
	l2->held[l2->num_held++] = i;
	return l2->pages[i];
}

/* memcmp(), in line for the lengths that units read most. */
static bool differ(const uint8_t *a, const uint8_t *b, uint32_t len)
{
	switch (len) {
	case 4:
		return memcmp(a, b, 4);
	case 8:
		return memcmp(a, b, 8);
	case 16:
		return memcmp(a, b, 16);
	}
	return memcmp(a, b, len);
}

void l2_fill(struct unit *u, struct unit *user, struct l2_page *page, uint32_t pa, const uint8_t *ram,
	     uint32_t offset, uint32_t len)
{
	for (uint32_t n = offset / LINE; n <= (offset + len - 1) / LINE; n++) {
		if (page->lines >> n & 1)
			continue;
		memcpy(page->data + n * LINE, ram + n * LINE, LINE);
		page->lines |= 1ull << n;
	}
	if (differ(page->data + offset, ram + offset, len))
		unit_report(user, "stale %s line: memory at %08x changed since it was cached, and the L2 was not cleared",
			    u->desc->name, pa + offset);
}

void l2_drop(struct unit *u)
{
	struct l2 *l2 = (struct l2 *)u;

	for (uint32_t i = 0; i < l2->num_held; i++)
		l2->pages[l2->held[i]]->lines = 0;
}

static void l2_rebind(struct l2 *l2)
{
	struct model *m = l2->u.model;

	for (unsigned int i = 0; i < m->row->num_units; i++) {
		if (m->units[i]->ops == &utgard_mmu_ops && m->units[i]->l2 == &l2->u)
			mmu_rebind(m->units[i]->ops->mmu(m->units[i], NULL));
	}
}

static void l2_finish(struct l2 *l2)
{
	if (!l2->busy)
		return;
	l2->busy = false;
	if (l2->page == EVERYTHING)
		l2_drop(&l2->u);
	else if (l2->pages[l2->page])
		l2->pages[l2->page]->lines = 0;
}

/* Strict: lines go when the command is done, some steps later or when somebody looks. */
static void l2_command(struct l2 *l2, uint32_t page)
{
	if (l2->busy)
		unit_report(&l2->u, "a command while one is under way");
	l2_finish(l2);
	l2->page = page;
	l2->busy = true;
	if (!unit_strict(&l2->u)) {
		l2_finish(l2);
		return;
	}
	unit_sleep(&l2->u, unit_random(&l2->u, 8));
	unit_wake(&l2->u);
}

static bool l2_step(struct unit *u)
{
	l2_finish((struct l2 *)u);
	return false;
}

static uint32_t l2_read(struct unit *u, uint32_t off)
{
	struct l2 *l2 = (struct l2 *)u;

	switch (off) {
	case L2_SIZE:
		/* 64-byte lines, 4 ways, 64 KiB, 64-bit bus: what Mali-400 MP2 boards print. */
		return 6 << 24 | 16 << 16 | 2 << 8 | 6;
	case L2_STATUS:
		l2_finish(l2);	/* a first look must not be in vain: see mmu.c */
		return 0;
	case L2_MAX_READS:
		return l2->max_reads;
	case L2_ENABLE:
		return l2->enable;
	case L2_PERFCNT_SRC0:
	case L2_PERFCNT_VAL0:
	case L2_PERFCNT_SRC1:
	case L2_PERFCNT_VAL1:
		return l2->perf[(off - L2_PERFCNT_SRC0) / 4];
	}
	unit_report(u, "read of unknown register %02x", off);
	return 0;
}

static void l2_write(struct unit *u, uint32_t off, uint32_t val)
{
	struct l2 *l2 = (struct l2 *)u;
	uint8_t *ram;

	switch (off) {
	case L2_COMMAND:
		if (val != L2_COMMAND_CLEAR_ALL)
			unit_report(u, "unknown command %08x", val);
		l2_command(l2, EVERYTHING);
		break;
	case L2_CLEAR_PAGE:
		ram = model_ram(u->model, val & MMU_PAGE_MASK, MODEL_PAGE);
		if (!ram)
			unit_report(u, "clear of page %08x, which is not memory", val);
		else
			l2_command(l2, (val - (uint32_t)u->model->config.ram.dma) / MODEL_PAGE);
		break;
	case L2_MAX_READS:
		l2->max_reads = val;
		break;
	case L2_ENABLE:
		l2->enable = val;
		l2_rebind(l2);
		break;
	case L2_PERFCNT_SRC0:
	case L2_PERFCNT_VAL0:
	case L2_PERFCNT_SRC1:
	case L2_PERFCNT_VAL1:
		l2->perf[(off - L2_PERFCNT_SRC0) / 4] = val;
		break;
	default:
		unit_report(u, "write of %08x to unknown register %02x", val, off);
	}
}

static void l2_reset(struct unit *u)
{
	struct l2 *l2 = (struct l2 *)u;

	l2_drop(u);
	l2->enable = 0;
	l2->max_reads = 0x1c;	/* GUESS: the value that drivers write */
	l2->busy = false;
	memset(l2->perf, 0, sizeof(l2->perf));
	l2_rebind(l2);
}

static int l2_init(struct unit *u)
{
	struct l2 *l2 = (struct l2 *)u;

	l2->pages = calloc(u->model->config.ram.size / MODEL_PAGE, sizeof(*l2->pages));
	return l2->pages ? 0 : -ENOMEM;
}

static void l2_destroy(struct unit *u)
{
	struct l2 *l2 = (struct l2 *)u;

	for (uint32_t i = 0; i < l2->num_held; i++)
		free(l2->pages[l2->held[i]]);
	free(l2->pages);
	free(l2->held);
}

const struct unit_ops utgard_l2_ops = {
	.name = "l2_cache",
	.size = sizeof(struct l2),
	.window = 0x40,
	.class = MODEL_OTHER,
	.init = l2_init,
	.destroy = l2_destroy,
	.reset = l2_reset,
	.read = l2_read,
	.write = l2_write,
	.step = l2_step,
};
