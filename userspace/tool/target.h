/* SPDX-License-Identifier: MIT */
/* Which GPU a subcommand works on: a render node or the in-process model. */
#ifndef LIMN_TOOL_TARGET_H
#define LIMN_TOOL_TARGET_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "lib/limn.h"

struct target {
	const char *device;	/* --device PATH */
	const char *model;	/* --model NAME */
	bool strict;		/* --strict, of the model */
	uint64_t seed;		/* --seed N, of the model */
	/* Set by the subcommand. */
	enum limn_family family;	/* whose node is looked for first, without --device */
	bool any_family;		/* then the other's */
	const char *fallback;		/* the model without a node; NULL: mali-400-mp2 */
};

/*
 * Takes a --device, --model, --strict or --seed at argv[0]; returns how many
 * arguments it was (0: not one of them, or its value is missing).
 */
int target_option(struct target *target, int argc, char **argv);

/*
 * Opens what was asked for; by default the first render node of the family's
 * user ABI (lima, etnaviv), and without one the in-process model.
 */
int target_open(const struct target *target, struct limn_device **dev, struct limn_error *err);

struct model;
/* The model behind a device that target_open() has put on one, else NULL. */
struct model *target_model(const struct limn_device *dev);

#endif
