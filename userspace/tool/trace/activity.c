// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "tool/trace/activity.h"

static FILE *to;

static void write_line(void *ctx, const char *gpu, const char *part, enum model_activity what, const char *text)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	fprintf(to, "M %lld %c %s/%s %s\n", t.tv_sec * 1000000000ll + t.tv_nsec, "BEI"[what], gpu, part,
		text ? text : "");
}

void (*activity_writer(void))(void *ctx, const char *gpu, const char *part, enum model_activity what, const char *text)
{
	const char *path = getenv(ACTIVITY_VARIABLE);

	if (path && *path && !to)
		to = fopen(path, "ae");
	return to ? write_line : NULL;
}
