// SPDX-License-Identifier: MIT
#include <stdlib.h>

#include "model/beside.h"
#include "model/pool.h"

/* One thing that a unit, or its MMU, has told. */
struct kept {
	struct unit *u;
	enum told what;
	unsigned int kind;
	bool on;
	char *text;
};

struct beside {
	struct pool *pool;
	unsigned int n;
	struct unit *unit[MODEL_MAX_UNITS];
	bool more[MODEL_MAX_UNITS];
	struct beside_log log[MODEL_MAX_UNITS];
};

bool beside_keeps(struct unit *u, enum told what, unsigned int kind, bool on, const char *text)
{
	struct beside_log *log = u->log;

	if (!log)
		return false;
	if (log->count == log->room) {
		log->room = log->room ? 2 * log->room : 16;
		log->list = realloc(log->list, log->room * sizeof(*log->list));
		if (!log->list)
			abort();	/* a lost interrupt would be worse */
	}
	log->list[log->count++] = (struct kept){ u, what, kind, on, text ? strdup(text) : NULL };
	return true;
}

void beside_tell(struct beside_log *log)
{
	for (unsigned int i = 0; i < log->count; i++) {
		struct kept *k = &log->list[i];

		if (k->what == TOLD_REPORT && k->text)
			unit_report(k->u, "%s", k->text);
		else if (k->what == TOLD_IRQ)
			unit_irq(k->u, k->on);
		else if (k->what == TOLD_JOB)
			unit_has_job(k->u, (enum model_busy)k->kind, k->on);
		free(k->text);
	}
	log->count = 0;
}

bool beside_allowed(const struct model *m)
{
	return m->config.threads && !m->config.strict && !m->watch && !m->config.carrier.activity;
}

/* Nor a cache that counts. */
static bool allowed(const struct unit *u)
{
	return u->ops->beside && beside_allowed(u->model) && u->mmu && !(u->mmu->l2 && l2_counts(u->mmu->l2));
}

static void set_log(struct unit *u, struct beside_log *log)
{
	u->log = log;
	u->mmu->owner->log = log;
}

static void step_one(void *ctx, unsigned int i, unsigned int thread)
{
	struct beside *b = ctx;

	b->more[i] = b->unit[i]->ops->step(b->unit[i]);
}

static struct beside *beside(struct model *m)
{
	if (!m->beside)
		m->beside = calloc(1, sizeof(*m->beside));
	if (m->beside && !m->beside->pool)
		m->beside->pool = pool_create(m->config.threads);
	return m->beside;
}

struct pool *beside_pool(struct model *m)
{
	struct beside *b = beside(m);

	return b ? b->pool : NULL;
}

bool beside_step(struct model *m, struct unit *first, bool (*runnable)(const struct unit *u))
{
	struct beside *b = allowed(first) ? beside(m) : NULL;

	if (!b)
		return false;
	b->n = 0;
	for (unsigned int i = 0; i < m->row->num_units; i++) {
		struct unit *u = m->units[i];

		if (u != first && (u->delay || !runnable(u) || !allowed(u)))
			continue;
		u->pending = false;
		set_log(u, &b->log[b->n]);
		b->unit[b->n++] = u;
	}
	pool_run(b->pool, b->n, step_one, b);
	for (unsigned int i = 0; i < b->n; i++) {
		set_log(b->unit[i], NULL);
		beside_tell(&b->log[i]);
		if (b->more[i])
			unit_wake(b->unit[i]);
		unit_busy(b->unit[i], 0, b->unit[i]->desc->name, b->unit[i]->pending);
	}
	return true;
}

void beside_destroy(struct beside *b)
{
	if (!b)
		return;
	pool_destroy(b->pool);
	for (unsigned int i = 0; i < MODEL_MAX_UNITS; i++)
		free(b->log[i].list);
	free(b);
}
