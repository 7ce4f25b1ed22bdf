// SPDX-License-Identifier: MIT
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "tool/progress.h"

static const char *what;		/* of the outermost */
static unsigned int depth;
static bool off, shown;
static double begin, last, after;

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec * 1e-9;
}

void progress_off(void)
{
	off = true;
}

void progress_begin(const char *of)
{
	const char *seconds = getenv("LIMN_PROGRESS_AFTER");

	if (depth++)
		return;
	after = seconds && *seconds ? strtod(seconds, NULL) : 2;
	what = of;
	begin = now();
}

void progress(uint64_t done, uint64_t all)
{
	double t = now();

	if (off || depth != 1 || !done || done > all || t < begin + after || t < last + after / 4 || !isatty(2))
		return;
	last = t;
	shown = true;
	fprintf(stderr, "\r%llu of %llu %s, %.0f s to go \33[K", (unsigned long long)done, (unsigned long long)all, what,
		(t - begin) * (double)(all - done) / (double)done);
}

void progress_end(void)
{
	if (!--depth)
		progress_clear();
}

void progress_clear(void)
{
	if (shown)
		fputs("\r\33[K", stderr);
	shown = false;
}
