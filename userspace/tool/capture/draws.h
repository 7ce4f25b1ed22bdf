/* SPDX-License-Identifier: MIT */
/*
 * The draws of a capture, each with all that is set for it, by name: what limn show prints and limn diff compares.
 * Jobs are replayed on the model as they are read, for what is in memory is partly theirs.
 */
#ifndef LIMN_TOOL_DRAWS_H
#define LIMN_TOOL_DRAWS_H

#include "tool/capture/replay.h"

/* One thing that is set: of two draws it is the same one when order is. */
struct draw_fact {
	uint32_t order;		/* facts of a draw ascend */
	bool address;		/* differs from run to run and means nothing */
	bool code;		/* value is a shader, a line for each instruction */
	char *key, *value;
};

struct draw {
	uint32_t submit, index;	/* index: in the submit, from 0 */
	uint32_t state;		/* Utgard: address of its render state word */
	bool copy;		/* Vivante: by RS or BLT */
	char what[120];
	struct draw_fact *facts;
	size_t num_facts;
};

struct draws {
	struct draw *list;
	size_t num;
	bool full;		/* there was no memory for more */
};

/* Before the job runs: appends its draws. */
void draws_of_job(struct draws *draws, const struct replay_job *job);
void draws_free(struct draws *draws);
/* All of a capture; model: NULL, or another one. 0 or -1 with a line in err. */
int draws_read(const char *path, const char *model, struct draws *draws, struct limn_error *err);

/* For those that collect: a new draw; facts of the last one. */
struct draw *draws_add(struct draws *draws, uint32_t submit, uint32_t index, const char *what);
struct draw_fact *draws_fact(struct draws *draws, uint32_t order, const char *key, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
void draws_code(struct draws *draws, uint32_t order, const char *key, const char *isa, const uint32_t *words, size_t count);
void draws_of_utgard(struct draws *draws, const struct replay_job *job);
void draws_of_vivante(struct draws *draws, const struct replay_job *job);

/*
 * Walks the facts of two draws side by side; a or b is NULL where only the other has it, or before is. Equal ones
 * are passed over.
 */
void draws_compare(const struct draw *a, const struct draw *b, bool addresses, void *ctx,
		   void (*differs)(void *ctx, const struct draw_fact *a, const struct draw_fact *b));

#endif
