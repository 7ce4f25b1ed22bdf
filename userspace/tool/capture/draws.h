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
	bool list;		/* value is what is in memory for each vertex or index, with "; " between them */
	char *key, *value;
};

struct draw {
	uint32_t submit, index;	/* index: in the submit, from 0 */
	uint32_t state;		/* Utgard: address of its render state word */
	const struct capture_file *file;	/* Utgard: whose PP job draws it */
	bool drawn;		/* Utgard: that job has come */
	bool copy;		/* Vivante: by RS or BLT */
	char what[120];
	struct draw_fact *facts;
	size_t num_facts;
};

struct draws {
	struct draw *list;
	size_t num;
	bool full;		/* there was no memory for more */
	struct draw *into;	/* that facts are added to, NULL: the last one */
};

/*
 * Before the job runs: appends its draws. Those of a Utgard GP job get what its PP reads, states, shaders and textures,
 * anew before the PP job: it is told with that one.
 */
void draws_of_job(struct draws *draws, const struct replay_job *job);
void draws_free(struct draws *draws);
/* All of a capture; model: NULL, or another one. 0 or -1 with a line in err. */
int draws_read(const char *path, const char *model, struct draws *draws, struct limn_error *err);

/* For those that collect: a new draw; facts of the last one. */
struct draw *draws_add(struct draws *draws, uint32_t submit, uint32_t index, const char *what);
struct draw_fact *draws_fact(struct draws *draws, uint32_t order, const char *key, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
void draws_sort(struct draw *draw);
/* Takes away the facts from an order on. */
void draws_forget(struct draw *draw, uint32_t order);
void draws_code(struct draws *draws, uint32_t order, const char *key, const char *isa, const uint32_t *words, size_t count);
/* Vertex data or indices in memory: count elements of so many bytes. */
struct draws_array {
	uint32_t va, stride, bytes, count;
	bool floats;		/* else numbers of that size, or bytes */
};

/* Nothing is told of what is not there; of many the first, and a checksum of all. */
void draws_array(struct draws *draws, uint32_t order, const char *key, const struct replay_job *job, const struct draws_array *a);
/* The texels of texture number i, or the first bytes of them: a checksum. */
void draws_texels(struct draws *draws, uint32_t order, unsigned int i, const struct replay_job *job, uint32_t va, uint64_t bytes);
/* Bytes that the first level of Utgard's texture has, at least, by its descriptor. */
uint64_t draws_utgard_texels(const uint32_t *desc);
void draws_of_utgard(struct draws *draws, const struct replay_job *job);
void draws_of_vivante(struct draws *draws, const struct replay_job *job);

/*
 * Walks the facts of two draws side by side; a or b is NULL where only the other has it, or before is. Equal ones
 * are passed over.
 */
void draws_compare(const struct draw *a, const struct draw *b, bool addresses, void *ctx,
		   void (*differs)(void *ctx, const struct draw_fact *a, const struct draw_fact *b));

#endif
