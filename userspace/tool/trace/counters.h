/* SPDX-License-Identifier: MIT */
/* The GPU's own counters, of everybody's jobs: limn.ko's device-wide perfmon, of all GPUs that it drives. */
#ifndef LIMN_TOOL_TRACE_COUNTERS_H
#define LIMN_TOOL_TRACE_COUNTERS_H

#include "lib/limn.h"
#include "tool/trace/timeline.h"

#define COUNTERS_GPUS	4

struct counters_gpu {
	struct limn_device *dev;
	uint32_t perfmon, num;
	struct drm_limn_perf_counter counter[DRM_LIMN_PERFMON_MAX];
	char name[DRM_LIMN_PERFMON_MAX][100];	/* "gp: active cycles" */
	uint64_t value[DRM_LIMN_PERFMON_MAX], before[DRM_LIMN_PERFMON_MAX];
};

struct counters {
	struct counters_gpu gpu[COUNTERS_GPUS];
	unsigned int num;
};

/* 0, or -1 with a line in err: there are none, or who asks may not. */
int counters_open(struct counters *c, struct limn_error *err);
/* Reads them anew: value is what has come since the last time. */
void counters_read(struct counters *c);
/* The same, onto a timeline. */
void counters_sample(struct counters *c, struct timeline *t, uint64_t time);
void counters_close(struct counters *c);

#endif
