/* SPDX-License-Identifier: MIT */
/*
 * When the units of the model work: lines "M|T TIME B|E|I GPU/PART [TEXT]", appended to the file that the environment
 * names; begins, ends, happened. The in-process model writes them, at nanoseconds of CLOCK_MONOTONIC (M); and the
 * testbed's (--activity), which sees other clocks than the guest and gives the processor's time-stamp counter (T).
 */
#ifndef LIMN_TOOL_TRACE_ACTIVITY_H
#define LIMN_TOOL_TRACE_ACTIVITY_H

#include "model/carriers/host/host.h"

#define ACTIVITY_VARIABLE	"LIMN_ACTIVITY"

/* For struct host_config; NULL when nobody has asked. */
void (*activity_writer(void))(void *ctx, const char *gpu, const char *part, enum model_activity what, const char *text);

#endif
