/* SPDX-License-Identifier: MIT */
/*
 * Slices of several units at once, for units whose ops say so (unit_ops.beside). What such a unit tells
 * meanwhile (reports, interrupts, the end of its job) is kept, and told in the units' order when all have
 * done, so that nobody can see how many threads there were.
 */
#ifndef LIMN_MODEL_BESIDE_H
#define LIMN_MODEL_BESIDE_H

#include "model/core.h"

enum told { TOLD_REPORT, TOLD_IRQ, TOLD_JOB };

/* The unit is in such a slice, and this has been kept. text: of a report. */
bool beside_keeps(struct unit *u, enum told what, unsigned int kind, bool on, const char *text);

/* One slice of first and of all that may run beside it; false: it has to run alone. */
bool beside_step(struct model *m, struct unit *first, bool (*runnable)(const struct unit *u));
void beside_destroy(struct beside *b);

#endif
