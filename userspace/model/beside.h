/* SPDX-License-Identifier: MIT */
/*
 * Slices of several units at once, for units whose ops say so (unit_ops.beside). What such a unit tells
 * meanwhile (reports, interrupts, the end of its job) is kept, and told in the units' order when all have
 * done, so that nobody can see how many threads there were.
 */
#ifndef LIMN_MODEL_BESIDE_H
#define LIMN_MODEL_BESIDE_H

#include "model/core.h"

struct beside_log {
	struct kept *list;
	unsigned int count, room;
};

enum told { TOLD_REPORT, TOLD_IRQ, TOLD_JOB };

/* The unit is in such a slice, and this has been kept. text: of a report. */
bool beside_keeps(struct unit *u, enum told what, unsigned int kind, bool on, const char *text);

/* Tells what was kept, and forgets it. Their units keep nothing any more. */
void beside_tell(struct beside_log *log);

/* Units may run beside others: nobody looks on. */
bool beside_allowed(const struct model *m);

/* The model's threads; NULL: there is one, which pool_run() takes. */
struct pool *beside_pool(struct model *m);

/* One slice of first and of all that may run beside it; false: it has to run alone. */
bool beside_step(struct model *m, struct unit *first, bool (*runnable)(const struct unit *u));
void beside_destroy(struct beside *b);

#endif
