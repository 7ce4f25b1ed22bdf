/* SPDX-License-Identifier: MIT */
/*
 * A capture's picture as it grows, draw by draw: the same jobs again and again, on the model, with all draws up to
 * one and without those behind it; or with one draw left out, or freed of its tests. Copies, clears and jobs of no
 * draw run each time.
 */
#ifndef LIMN_TOOL_STAGES_H
#define LIMN_TOOL_STAGES_H

#include "model/watch.h"
#include "tool/capture/draws.h"

struct stages {
	struct capture *capture;
	/* model, strict, seed, last; report; before and activity of the first run */
	const struct replay_options *given;
	struct draws draws;		/* of the capture, copies too */
	uint32_t num;			/* draws that are no copies: stages are 0 (none of them) to num (all) */
	uint32_t *draw;			/* the index of each of these in draws */
	uint32_t *known;		/* by submit: draws of it and of those before it */
	uint32_t num_submits;
	/* Of the last run. */
	struct replay_picture picture;	/* what the last job that can be shown has drawn; for the caller to free */
	char failed[200];		/* the first job that failed; "" */
	/* While it runs; who watches a pixel finds this struct as the context. */
	struct model_watch watch;
	uint32_t submit, upto;
	uint32_t odd;			/* the draw that is */
	enum model_permit permit;	/* let do this; MODEL_PERMIT: there is none */
};

/* given must stay. 0, or -1 with a line in err that begins with the path. */
int stages_open(struct stages *s, const char *path, const struct replay_options *given, struct limn_error *err);
void stages_close(struct stages *s);
/* Runs with the first upto draws that are no copies. With watch.fragment set, it is told of the pixel of watch, too. */
int stages_run(struct stages *s, uint32_t upto, struct limn_error *err);
/* Whether the last run has a picture, of that size; else a line in err. */
bool stages_show(const struct stages *s, uint32_t width, uint32_t height, struct limn_error *err);
/* Runs with all draws but one, which is left out (MODEL_REFUSE) or passes its tests (MODEL_FORCE). */
int stages_run_odd(struct stages *s, uint32_t draw, enum model_permit permit, struct limn_error *err);
/* The number, among those that are no copies, of the draw that a fragment of the job that runs is of; num: unknown. */
uint32_t stages_draw_of(const struct stages *s, uint32_t state, uint32_t draw);
/* "draw 1 of submit 2 (DRAW_PRIMITIVES TRIANGLES)" */
void stages_name(const struct stages *s, uint32_t stage, char *text, size_t size);

#endif
