/* SPDX-License-Identifier: MIT */
/* Which GPU a subcommand works on: a render node or the in-process model. */
#ifndef LIMN_TOOL_TARGET_H
#define LIMN_TOOL_TARGET_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "lib/limn.h"
#include "tool/options.h"

/* Versions of the user ABIs that the model speaks, 1.x. */
#define TARGET_LIMA_MINOR	1
#define TARGET_ETNAVIV_MINOR	4

struct target {
	const char *device;	/* --device PATH */
	const char *model;	/* --model NAME */
	bool strict;		/* --strict, of the model */
	uint64_t seed;		/* --seed N, of the model */
	uint64_t threads;	/* --threads N, of the model; 0: as many as there are CPUs */
	const char *profile;	/* --profile FILE, of the model */
	/* Set by the subcommand. */
	enum limn_family family;	/* whose node is looked for first, without --device */
	bool any_family;		/* then the other's */
	const uint32_t *lowest;		/* of the model: as of struct host_config */
	bool node_only;			/* and never a model, unless --model names it */
	const char *fallback;		/* the model without a node; NULL: mali-400-mp2 */
	bool quiet;			/* nothing is said of that */
	/* What the model reports, a line; NULL: it goes to standard error. */
	void (*report)(void *ctx, const char *text);
	void *ctx;
};

/* Of a model. */
#define OPTION_STRICT(flag) \
	{ .name = "--strict", .kind = OPTION_FLAG, .to = flag, .help = "the model also reports what hardware would punish silently" }
#define OPTION_SEED(number) \
	{ .name = "--seed", .kind = OPTION_WHOLE, .to = number, .value = "N", .max = 1.9e19, .help = "order in which the model's units run" }
#define OPTION_THREADS(number) \
	{ .name = "--threads", .kind = OPTION_WHOLE, .to = number, .value = "N", .max = 64, \
	  .help = "of the model, by default as many as there are CPUs; the result is the same" }
/* Of commands that run captures. */
#define OPTION_OTHER_MODEL(string) \
	{ .name = "--model", .kind = OPTION_TEXT, .to = string, .value = "NAME", .names = target_models, .closed = true, \
	  .help = "another GPU of the family than the one that was captured" }

/* A table of the options that fill it. */
#define TARGET_OPTIONS(target) { \
	{ .name = "--device", .kind = OPTION_TEXT, .to = &(target)->device, .value = "PATH", \
	  .help = "a render node of the lima or etnaviv user ABI; by default the first there is" }, \
	{ .name = "--model", .kind = OPTION_TEXT, .to = &(target)->model, .value = "NAME", .names = target_models, \
	  .help = "the in-process model of that GPU, the default without a node; run: all" }, \
	OPTION_STRICT(&(target)->strict), OPTION_SEED(&(target)->seed), \
	OPTION_THREADS(&(target)->threads), \
	{ .name = "--profile", .kind = OPTION_TEXT, .to = &(target)->profile, .value = "FILE", \
	  .help = "a report of limn probe: the model does as that board" }, \
	{ .name = NULL } }

#define TARGET_EITHER	"--device and --model exclude each other"

/* What --threads says, or as many as there are CPUs. */
unsigned int target_threads(uint64_t said);

/* Names of the models; NULL behind the last. */
const char *target_models(void *ctx, unsigned int index);

/*
 * Opens what was asked for; by default the first render node of the family's
 * user ABI (lima, etnaviv), and without one the in-process model.
 */
int target_open(const struct target *target, struct limn_device **dev, struct limn_error *err);
/* The exit status for a failure of target_open(): a model that is none is wrong usage. */
int target_status(const struct target *target);
/* The device's GPU as the models are named; "" for one that has no model. */
const char *target_gpu(const struct limn_device *dev);
/* The model of the GPU that is said to be; "" when there is none. */
const char *target_model_for(const struct limn_info *info);

struct model;
/* The model behind a device that target_open() has put on one, else NULL. */
struct model *target_model(const struct limn_device *dev);

#endif
