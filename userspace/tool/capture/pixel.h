/* SPDX-License-Identifier: MIT */
/* The history of a pixel, as limn pixel and limn run --pixel print it. */
#ifndef LIMN_TOOL_PIXEL_H
#define LIMN_TOOL_PIXEL_H

#include "model/watch.h"
#include "tool/capture/draws.h"
#include "tool/json.h"

struct pixel_history {
	struct model_watch watch;
	struct json *json;
	const struct draws *draws;	/* to name a fragment's; NULL: they are not known */
	uint32_t submit;		/* that runs */
	unsigned int told, drawn;	/* fragments printed, those that were drawn */
	struct model_fragment nearest;	/* of primitives that missed it */
	bool any_missed;
	struct pixel_step {
		struct model_step step;
		uint32_t words[32];
	} *steps;			/* of the fragment whose shader runs */
	size_t num_steps;
	uint64_t steps_left_out;
};

/* "12,8", behind an option or not; else wrong usage, after a message. */
int pixel_read(const char *option, const char *text, int32_t *x, int32_t *y);
/* Looks on from now on; the pixel is in watch. */
void pixel_watch(struct pixel_history *h, struct model *model);
/* When all is over: what came nearest, if nothing drew there. */
void pixel_end(struct pixel_history *h);

#endif
