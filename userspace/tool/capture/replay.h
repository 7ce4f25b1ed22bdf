/* SPDX-License-Identifier: MIT */
/* Replays, as liblimn runs them, on a device or on the in-process models. */
#ifndef LIMN_TOOL_REPLAY_H
#define LIMN_TOOL_REPLAY_H

#include "lib/capture/replay.h"
#include "tool/capture/capture.h"
#include "tool/progress.h"

extern const struct replay_carrier replay_on_model;

/* The model that runs it; not of a replay on a device. */
struct model *replay_model(const struct replay_gpu *gpu);

/* On the device that was asked for, or on the model. */
static inline int replay_here(struct capture *capture, const struct replay_options *o, struct replay_totals *totals,
			      struct limn_error *err)
{
	struct replay_options told = *o;
	int ret;

	told.progress = progress;
	progress_begin("bytes of the capture");
	ret = limn_replay_run(capture, o->device ? &limn_replay_on_device : &replay_on_model, &told, totals, err);
	progress_end();
	return ret;
}

#endif
