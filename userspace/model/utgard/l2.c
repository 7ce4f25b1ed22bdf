// SPDX-License-Identifier: MIT
/*
 * Utgard L2 cache.
 *
 * Facts: Linux lima_l2_cache.c; ARM's GPL kernel driver (mali_l2_cache.c). The
 * only maintenance commands drop lines, and drivers read results without
 * any command after a job. GUESS(l2-write-through): so it writes through, and every read
 * allocates, whatever the page entry's cache flags say.
 *
 * Strict mode keeps every line that was read until it is dropped, so that a
 * driver that forgets to clear sees stale data, and tells on every read of a
 * byte that memory has changed below the cache. Lenient mode caches nothing,
 * unless a counter is set: then lines come and go as in strict mode, but always
 * show what memory holds.
 *
 * Counters: events of <limn/utgard/counters.inc>, of which those of
 * l2_event_counts() count. GUESS(l2-counters): slave 0 is the GP, slave n + 1 is PP n (on
 * Mali-450's second and third cache slave n is its n-th PP), with their MMUs;
 * each line touched by an access is one transaction; a miss reads one line;
 * choosing an event starts at 0, which ARM's driver relies on
 * (mali_l2_cache_reset_counters_all()).
 */
#include <errno.h>
#include <stdlib.h>

#include <limn/utgard/regs.h>

#include "model/core.h"
#include "model/utgard/utgard.h"

#define LINE		64u
#define EVERYTHING	~0u

/* What is counted at a port: the low four bits of an event. */
enum l2_kind {
	L2_READS, L2_WRITES, L2_WORDS_READ, L2_WORDS_WRITTEN, L2_READ_HITS, L2_READ_MISSES,
	L2_WRITE_INVALIDATES, L2_READ_INVALIDATES, L2_CACHEABLE_READS, L2_KINDS,
};

#define L2_SLAVES	5
#define L2_MASTER	0x08	/* event of the first kind at the master port */
#define L2_ALL_SLAVES	0x10	/* and at all slaves; slave n: 0x10 * (n + 2) */

struct l2 {
	struct unit u;
	struct l2_page **pages;		/* one per page of RAM */
	uint32_t *held;			/* indexes of those that may hold lines */
	uint32_t num_held, max_held;
	uint32_t enable, max_reads;
	uint32_t src[2];		/* events of the two counters */
	uint64_t base[2];		/* what was counted when they were chosen */
	uint64_t count[1 + L2_SLAVES][L2_KINDS];	/* [0]: all slaves */
	bool busy;			/* a command is under way */
	uint32_t page;			/* what it drops: a page of RAM, or everything */
};

/* --- Counters ------------------------------------------------------------------ */

bool l2_counts(const struct unit *u)
{
	const struct l2 *l2 = (const struct l2 *)u;

	return l2->src[0] || l2->src[1] || u->model->config.carrier.activity;
}

static unsigned int slave_of(const struct unit *user)
{
	const char *name = user->desc->name;
	unsigned int core = name[strlen(name) - 1] - '0';

	if (name[0] == 'g')
		return 0;
	return utgard_is_m450(user) ? core % 4 : core + 1;
}

static void l2_add(struct l2 *l2, const struct unit *user, enum l2_kind kind, uint32_t n)
{
	l2->count[0][kind] += n;
	l2->count[1 + slave_of(user)][kind] += n;
}

/* The master reads a line for each miss, and writes what the slaves write. */
static uint64_t l2_master(const struct l2 *l2, unsigned int kind)
{
	switch (kind) {
	case L2_READS:
		return l2->count[0][L2_READ_MISSES];
	case L2_WORDS_READ:
		return l2->count[0][L2_READ_MISSES] * (LINE / 8);
	default:
		return l2->count[0][kind];
	}
}

static bool l2_event_counts(uint32_t event)
{
	unsigned int kind = event % 16;

	if (event >= L2_MASTER && event < L2_MASTER + 4)
		return true;
	return event >= L2_ALL_SLAVES && event < 0x10u * (L2_SLAVES + 2) && kind < L2_KINDS &&
	       kind != L2_WRITE_INVALIDATES && kind != L2_READ_INVALIDATES;
}

static uint64_t l2_event(const struct l2 *l2, uint32_t event)
{
	if (!l2_event_counts(event))
		return 0;
	return event < L2_ALL_SLAVES ? l2_master(l2, event - L2_MASTER) : l2->count[event / 16 - 1][event % 16];
}

static void l2_rebind(struct l2 *l2);

static void l2_choose(struct l2 *l2, unsigned int n, uint32_t event)
{
	bool counted = l2_counts(&l2->u);

	if (event && !l2_event_counts(event))
		unit_report(&l2->u, "performance counter %u: event %02x is not counted", n, event);
	l2->src[n] = event;
	l2->base[n] = l2_event(l2, event);
	if (counted != l2_counts(&l2->u))
		l2_rebind(l2);
}

/* --- Lines --------------------------------------------------------------------- */

struct l2_page *l2_page(struct unit *u, uint32_t pa)
{
	struct l2 *l2 = (struct l2 *)u;
	uint32_t i = (pa - (uint32_t)u->model->config.ram.dma) / MODEL_PAGE;
	const uint32_t caching = L2_ENABLE_ACCESS | L2_ENABLE_READ_ALLOCATE;

	if ((!unit_strict(u) && !l2_counts(u)) || (l2->enable & caching) != caching || u->off)
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
	struct l2 *l2 = (struct l2 *)u;

	for (uint32_t n = offset / LINE; n * LINE < offset + len; n++) {
		bool hit = page->lines >> n & 1;

		l2_add(l2, user, L2_READS, 1);
		l2_add(l2, user, L2_CACHEABLE_READS, 1);
		l2_add(l2, user, hit ? L2_READ_HITS : L2_READ_MISSES, 1);
		if (hit && unit_strict(u))
			continue;
		unit_busy(u, L2_PART_LINES, u->desc->name, true);
		memcpy(page->data + n * LINE, ram + n * LINE, LINE);
		page->lines |= 1ull << n;
	}
	l2_add(l2, user, L2_WORDS_READ, (len + 7) / 8);
	if (differ(page->data + offset, ram + offset, len))
		unit_report(user, "stale %s line: memory at %08x changed since it was cached, and the L2 was not cleared",
			    u->desc->name, pa + offset);
}

void l2_wrote(struct unit *u, const struct unit *user, uint32_t offset, uint32_t len)
{
	struct l2 *l2 = (struct l2 *)u;

	unit_busy(u, L2_PART_LINES, u->desc->name, true);
	l2_add(l2, user, L2_WRITES, (offset + len - 1) / LINE - offset / LINE + 1);
	l2_add(l2, user, L2_WORDS_WRITTEN, (len + 7) / 8);
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
	case L2_PERFCNT_SRC1:
		return l2->src[off == L2_PERFCNT_SRC1];
	case L2_PERFCNT_VAL0:
		return l2_event(l2, l2->src[0]) - l2->base[0];
	case L2_PERFCNT_VAL1:
		return l2_event(l2, l2->src[1]) - l2->base[1];
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
		unit_tell(u, "cleared");
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
	case L2_PERFCNT_SRC1:
		l2_choose(l2, off == L2_PERFCNT_SRC1, val);
		break;
	case L2_PERFCNT_VAL0:
	case L2_PERFCNT_VAL1:
		unit_report(u, "write of %08x to a performance counter's value", val);
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
	l2->max_reads = 0x1c;	/* GUESS(l2-max-reads): the value that drivers write */
	l2->busy = false;
	memset(l2->src, 0, sizeof(l2->src));
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
