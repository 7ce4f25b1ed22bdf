// SPDX-License-Identifier: MIT
/*
 * The model's core: units, register window, interrupt lines, time.
 *
 * Time is the count of model_step() calls. In strict mode register writes are
 * posted: they land in order, at the latest before the next read, but late;
 * interrupts rise late, and now and then once more for nothing.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "model/beside.h"
#include "model/watch.h"

/* splitmix64: small, and good enough for time and order. */
static uint64_t next_random(uint64_t *state)
{
	uint64_t z = (*state += 0x9e3779b97f4a7c15ull);

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
	return z ^ (z >> 31);
}

static uint32_t below(uint64_t *state, uint32_t n)
{
	return n ? (uint32_t)((next_random(state) >> 32) * n >> 32) : 0;
}

uint32_t unit_random(struct unit *u, uint32_t n)
{
	return below(&u->random, n);
}

static const char no_reset_line[] = "no-reset-line";
static const char unknown_gpu[] = "unknown-gpu";

static bool has_fault(const char *faults, const char *fault)
{
	size_t n = strlen(fault);

	while (faults) {
		if (!strncmp(faults, fault, n) && (!faults[n] || faults[n] == '+'))
			return true;
		faults = strchr(faults, '+');
		faults = faults ? faults + 1 : NULL;
	}
	return false;
}

bool unit_has_fault(const struct unit *u, const char *kind)
{
	char fault[40];

	snprintf(fault, sizeof(fault), "%s:%s", kind, u->desc->name);
	return has_fault(u->model->config.fault, fault);
}

unsigned int unit_clock_stops(const struct unit *u)
{
	return u->model->clock_stops;
}

bool unit_is_unknown(const struct unit *u)
{
	return has_fault(u->model->config.fault, unknown_gpu);
}

unsigned int unit_lateness(struct unit *u, unsigned int max)
{
	return unit_strict(u) ? unit_random(u, max + 1) : 0;
}

uint32_t unit_garbage(struct unit *u)
{
	return (uint32_t)next_random(&u->random);
}

struct model_stats *unit_stats(struct unit *u)
{
	return &u->stats;
}

void unit_tell_busy(struct unit *u, unsigned int part, const char *name, bool busy)
{
	const struct model_carrier *carrier = &u->model->config.carrier;

	u->busy ^= 1u << part;
	if (carrier->activity)
		carrier->activity(carrier->ctx, name, busy ? MODEL_BEGINS : MODEL_ENDS, NULL);
}

void unit_tell(struct unit *u, const char *fmt, ...)
{
	const struct model_carrier *carrier = &u->model->config.carrier;
	char text[128];
	va_list args;

	if (!carrier->activity)
		return;
	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	carrier->activity(carrier->ctx, u->desc->name, MODEL_HAPPENED, text);
}

void unit_wake(struct unit *u)
{
	unit_busy(u, 0, u->desc->name, true);
	u->pending = true;
	u->polling = false;
}

void unit_poll(struct unit *u)
{
	u->pending = true;
	u->polling = true;
}

bool model_polls(const struct model *m)
{
	for (unsigned int i = 0; i < m->row->num_units; i++) {
		if (m->units[i]->pending && m->units[i]->polling)
			return true;
	}
	return false;
}

void unit_sleep(struct unit *u, unsigned int n)
{
	u->delay = n;
}

/* --- Findings ---------------------------------------------------------- */

void unit_report(struct unit *u, const char *fmt, ...)
{
	struct model *m = u->model;
	uint64_t hash = 0xcbf29ce484222325ull ^ (uintptr_t)u->desc->offset;
	char text[256];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	if (beside_keeps(u, TOLD_REPORT, 0, false, text))
		return;
	m->stats.reports++;
	for (const char *c = text; *c; c++)
		hash = (hash ^ (uint8_t)*c) * 0x100000001b3ull;
	if (m->reported[hash % 256] == hash)
		return;
	m->reported[hash % 256] = hash;
	if (m->config.carrier.report)
		m->config.carrier.report(m->config.carrier.ctx, u->desc->name, text);
}

void unit_job_start(struct unit *u)
{
	memset(u->model->reported, 0, sizeof(u->model->reported));
	if (u->mmu)
		mmu_job_start(u->mmu, u);
}

void unit_has_job(struct unit *u, enum model_busy kind, bool job)
{
	struct model *m = u->model;
	struct timespec now;
	uint64_t ns;

	if (beside_keeps(u, TOLD_JOB, kind, job, NULL) || u->has_job == job)
		return;
	u->has_job = job;
	clock_gettime(CLOCK_MONOTONIC, &now);
	ns = now.tv_sec * 1000000000ull + now.tv_nsec;
	if (job && !m->busy[kind].units++)
		m->busy[kind].since = ns;
	else if (!job && !--m->busy[kind].units)
		m->stats.busy_ns[kind] += ns - m->busy[kind].since;
}

/* --- Interrupt lines --------------------------------------------------- */

static void irq_tell(struct model *m, unsigned int line, bool level)
{
	struct irq_line *irq = &m->irqs[line];

	if (irq->level == level)
		return;
	irq->level = level;
	if (m->config.carrier.irq)
		m->config.carrier.irq(m->config.carrier.ctx, line, level);
}

void unit_irq(struct unit *u, bool level)
{
	struct model *m = u->model;
	struct irq_line *irq;

	if (beside_keeps(u, TOLD_IRQ, 0, level, NULL) || u->irq_want == level)
		return;
	u->irq_want = level;
	if (u->ops->irq && u->ops->irq(u))
		return;
	if (u->desc->irq < 0)
		return;
	irq = &m->irqs[u->desc->irq];
	irq->want = level;
	irq->late = level ? unit_lateness(u, 6) : 0;
	if (irq->late)
		return;
	irq_tell(m, u->desc->irq, level);
	if (!level && unit_strict(u) && !unit_random(u, 16))
		irq->spurious = 1 + unit_random(u, 8);
}

/* True while a line has something to come. */
static bool irq_step(struct model *m, unsigned int line)
{
	struct irq_line *irq = &m->irqs[line];

	if (irq->late && --irq->late == 0)
		irq_tell(m, line, irq->want);
	if (!irq->late && !irq->spurious && irq->level != irq->want)
		irq_tell(m, line, irq->want);	/* the end of a spurious pulse */
	if (irq->spurious && --irq->spurious == 0 && !irq->want)
		irq_tell(m, line, true);
	return irq->late || irq->spurious || irq->level != irq->want;
}

/* --- Power and clocks -------------------------------------------------- */

bool unit_alive(const struct unit *u)
{
	const struct model *m = u->model;

	return m->bus_clock && m->core_clock && !m->reset && !u->off;
}

static void reset_unit(struct unit *u)
{
	u->pending = false;
	u->polling = false;
	u->delay = 0;
	unit_busy(u, 0, u->desc->name, false);
	if (u->ops->reset)
		u->ops->reset(u);
	unit_irq(u, false);
}

void unit_power(struct unit *u, bool on)
{
	if (u->off == !on)
		return;
	u->off = !on;
	reset_unit(u);
}

/* --- Registers --------------------------------------------------------- */

static struct unit *unit_at(struct model *m, uint32_t offset)
{
	struct unit *u = offset / MODEL_PAGE < MODEL_WINDOW_BLOCKS ? m->blocks[offset / MODEL_PAGE] : NULL;

	return u && offset - u->desc->offset < u->ops->window ? u : NULL;
}

static void write_now(struct model *m, uint32_t offset, uint32_t value)
{
	struct unit *u = unit_at(m, offset);

	if (!u) {
		unit_report(m->units[0], "write of %08x to offset %05x, where no block is", value, offset);
		return;
	}
	if (!unit_alive(u)) {
		unit_report(u, "write of %08x to register %04x while off, unclocked or in reset", value,
			    offset - u->desc->offset);
		return;
	}
	u->ops->write(u, offset - u->desc->offset, value);
}

static void land_one(struct model *m)
{
	unsigned int i = m->posted_head;

	m->posted_head = (m->posted_head + 1) % MODEL_POSTED;
	m->posted_count--;
	write_now(m, m->posted[i].offset, m->posted[i].value);
}

void model_set_clocks(struct model *m, bool bus, bool core)
{
	/* Writes sent before the clocks stop still arrive: the clock controller's write comes behind them. */
	while (m->posted_count)
		land_one(m);
	m->clock_stops += m->core_clock && !core;
	m->bus_clock = bus;
	m->core_clock = core;
}

void model_set_reset(struct model *m, bool asserted)
{
	while (m->posted_count)
		land_one(m);
	if (!m->row->gpu.has_reset || has_fault(m->config.fault, no_reset_line))
		return;
	for (unsigned int i = 0; m->reset && !asserted && i < m->row->num_units; i++)
		reset_unit(m->units[i]);
	m->reset = asserted;
}

uint32_t model_read32(struct model *m, uint32_t offset)
{
	struct unit *u = unit_at(m, offset);

	while (m->posted_count)
		land_one(m);
	m->stats.reg_reads[u ? u->ops->class : MODEL_OTHER]++;
	if (!u || offset % 4) {
		unit_report(m->units[0], "read of offset %05x, where no register is", offset);
		return 0;
	}
	if (!unit_alive(u)) {
		unit_report(u, "read of register %04x while off, unclocked or in reset",
			    offset - u->desc->offset);
		return unit_garbage(u);
	}
	return u->ops->read(u, offset - u->desc->offset);
}

void model_write32(struct model *m, uint32_t offset, uint32_t value)
{
	struct unit *u = unit_at(m, offset);
	unsigned int i;

	m->stats.reg_writes[u ? u->ops->class : MODEL_OTHER]++;
	if (offset % 4) {
		unit_report(m->units[0], "write to offset %05x, which is not aligned", offset);
		return;
	}
	if (!m->config.strict) {
		write_now(m, offset, value);
		return;
	}
	if (m->posted_count == MODEL_POSTED)
		land_one(m);
	i = (m->posted_head + m->posted_count++) % MODEL_POSTED;
	m->posted[i].offset = offset;
	m->posted[i].value = value;
}

/* --- Time -------------------------------------------------------------- */

static bool runnable(const struct unit *u)
{
	return u->pending && u->ops->step && unit_alive(u) && !(u->mmu && u->mmu->ops->blocked(u->mmu));
}

/* The unit whose turn it is; NULL: nobody can run now. *waiting: somebody will. */
static struct unit *pick(struct model *m, bool *waiting)
{
	unsigned int n = m->row->num_units, start = m->next;
	struct unit *ready = NULL;

	if (m->config.strict)
		start = below(&m->random, n);
	for (unsigned int k = 0; k < n; k++) {
		struct unit *u = m->units[(start + k) % n];

		if (!runnable(u))
			continue;
		*waiting |= !u->polling;
		if (u->delay)
			u->delay--;
		else if (!ready)
			ready = u;
	}
	if (ready)
		m->next = (start + 1) % n;
	return ready;
}

bool model_step(struct model *m)
{
	bool busy = false;
	struct unit *u;

	if (m->posted_count && below(&m->random, 2))
		land_one(m);
	for (unsigned int i = 0; i < MODEL_MAX_IRQS; i++)
		busy |= irq_step(m, i);
	u = pick(m, &busy);
	if (u && !beside_step(m, u, runnable)) {
		bool polling = u->polling;

		u->pending = false;	/* step() may wake its own unit */
		u->polling = false;
		if (u->ops->step(u))
			unit_wake(u);
		m->stats.slices++;
		unit_busy(u, 0, u->desc->name, u->pending && !u->polling);
		if (u->l2)
			unit_busy(u->l2, L2_PART_LINES, u->l2->desc->name, false);
		busy |= polling && u->pending && !u->polling;
	}
	return busy || m->posted_count;
}

/* --- Creation ---------------------------------------------------------- */

static const struct gpu_row *row_at(unsigned int index)
{
	static const struct gpu_row *const *const family[] = { utgard_gpus, vivante_gpus };

	for (unsigned int f = 0; f < sizeof(family) / sizeof(family[0]); f++) {
		for (unsigned int i = 0; family[f][i]; i++) {
			if (!index--)
				return family[f][i];
		}
	}
	return NULL;
}

const struct model_gpu *model_gpu_at(unsigned int index)
{
	const struct gpu_row *row = row_at(index);

	return row ? &row->gpu : NULL;
}

static const struct gpu_row *find_row(const char *name)
{
	const struct gpu_row *row;

	for (unsigned int i = 0; (row = row_at(i)); i++) {
		if (!strcmp(row->gpu.name, name))
			return row;
	}
	return NULL;
}

const struct model_gpu *model_gpu_find(const char *name)
{
	const struct gpu_row *row = find_row(name);

	return row ? &row->gpu : NULL;
}

static int create_unit(struct model *m, unsigned int i)
{
	const struct unit_desc *desc = &m->row->units[i];
	struct unit *u = calloc(1, desc->ops->size);

	if (!u)
		return -ENOMEM;
	m->units[i] = u;
	u->ops = desc->ops;
	u->desc = desc;
	u->model = m;
	u->strict = m->config.strict;
	u->random = m->config.seed * 0x2545f4914f6cdd1dull + desc->offset + 1;
	u->off = desc->power != 0;
	for (uint32_t b = 0; b < desc->ops->window; b += MODEL_PAGE)
		m->blocks[(desc->offset + b) / MODEL_PAGE] = u;
	return desc->ops->init ? desc->ops->init(u) : 0;
}

bool model_faults(const char *gpu, bool (*take)(void *ctx, const char *fault), void *ctx)
{
	static const struct {
		const char *kind;
		unsigned int classes;	/* of units, by enum model_block_class */
		bool sticks;		/* of them, of those that stick alone */
	} kinds[] = {
		{ "stuck-reset", ~0u, true },
		{ "one-reset", 1u << MODEL_OTHER, true },
		{ "slow-reset", 1u << MODEL_PP, false },
		{ "lost-end", 1u << MODEL_PP, false },
		{ "lost-wake", 1u << MODEL_GP, false },
	};
	const struct gpu_row *row = find_row(gpu);
	char name[40];

	for (unsigned int i = 0; row && i < row->num_units; i++) {
		const struct unit_ops *ops = row->units[i].ops;

		for (unsigned int k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
			snprintf(name, sizeof(name), "%s:%s", kinds[k].kind, row->units[i].name);
			if (kinds[k].classes >> ops->class & 1 && ops->sticks >= kinds[k].sticks && take(ctx, name))
				return true;
		}
	}
	if (!row)
		return false;
	return take(ctx, no_reset_line) || take(ctx, unknown_gpu);
}

struct known_faults {
	const char *faults;
	unsigned int left;
};

static bool is_last_fault(void *ctx, const char *fault)
{
	struct known_faults *known = ctx;

	known->left -= has_fault(known->faults, fault);
	return !known->left;
}

bool model_knows_faults(const char *gpu, const char *faults)
{
	struct known_faults known = { faults, 1 };

	for (const char *c = faults; *c; c++)
		known.left += *c == '+';
	return model_faults(gpu, is_last_fault, &known);
}

int model_create(const struct model_config *config, struct model **model)
{
	const struct gpu_row *row = config->gpu ? find_row(config->gpu) : NULL;
	struct model *m;
	int err = 0;

	if (!row)
		return -ENODEV;
	if (!config->ram.base || !config->ram.size || config->ram.dma % MODEL_PAGE ||
	    config->ram.size % MODEL_PAGE || config->ram.dma + config->ram.size > 1ull << 32 ||
	    (config->fault && !model_knows_faults(config->gpu, config->fault)))
		return -EINVAL;
	m = calloc(1, sizeof(*m));
	if (!m)
		return -ENOMEM;
	m->config = *config;
	m->row = row;
	m->random = config->seed;
	m->bus_clock = true;
	m->core_clock = true;
	model_follow_chip(m);
	for (unsigned int i = 0; i < row->num_units && !err; i++)
		err = create_unit(m, i);
	if (err) {
		model_destroy(m);
		return err;
	}
	for (unsigned int i = 0; i < row->num_units; i++) {
		struct unit *u = m->units[i];

		if (u->desc->mmu >= 0)
			u->mmu = m->units[u->desc->mmu]->ops->mmu(m->units[u->desc->mmu], u);
		if (u->desc->l2 >= 0)
			u->l2 = m->units[u->desc->l2];
		if (u->mmu && u->l2)
			u->mmu->l2 = u->l2;
	}
	for (unsigned int i = 0; i < row->num_units; i++)
		reset_unit(m->units[i]);
	*model = m;
	return 0;
}

void model_destroy(struct model *m)
{
	if (!m)
		return;
	beside_destroy(m->beside);
	/* Backwards: roots go last. */
	for (unsigned int i = m->row->num_units; i--;) {
		struct unit *u = m->units[i];

		if (u && u->ops->destroy)
			u->ops->destroy(u);
		free(u);
	}
	free(m);
}

void model_watch_pixel(struct model *m, struct model_watch *watch)
{
	m->watch = watch;
}

void model_get_stats(const struct model *m, struct model_stats *stats)
{
	*stats = m->stats;
	for (unsigned int i = 0; i < m->row->num_units; i++)
		for (unsigned int k = 0; k < sizeof(*stats) / sizeof(uint64_t); k++)
			((uint64_t *)stats)[k] += ((const uint64_t *)&m->units[i]->stats)[k];
	for (unsigned int i = 0; i < m->row->num_units; i++)
		stats->powered += m->units[i]->desc->power && !m->units[i]->off;
}

uint8_t *model_ram(const struct model *m, uint32_t pa, uint32_t len)
{
	const struct model_ram *ram = &m->config.ram;

	if (pa < ram->dma || (uint64_t)pa + len > ram->dma + ram->size)
		return NULL;
	return (uint8_t *)ram->base + (pa - ram->dma);
}

bool model_mapped(const struct model *m, uint32_t pa)
{
	const struct model_ram *ram = &m->config.ram;

	if (!m->config.mapped || pa < ram->dma || pa >= ram->dma + ram->size)
		return true;
	return m->config.mapped[(pa - ram->dma) / MODEL_PAGE] != 0;
}
