// SPDX-License-Identifier: GPL-2.0-only
/* The one place where the tracepoints of limn_trace.h get their code. */
#include "limn_sched.h"

#define CREATE_TRACE_POINTS
#include "limn_trace.h"
