/* SPDX-License-Identifier: MIT */
/* The processes that run programs: they live for several, for a fork() takes ten times as long as an ioctl. */
#ifndef FUZZ_WORKERS_H
#define FUZZ_WORKERS_H

#include "run.h"

/* Seconds of the monotonic clock. */
int workers_clock(void);
/* Runs the program in all processes, until they are ready for the next or gone; false: one does not die. */
bool workers_run(const struct fuzz_shared *shared, const struct fuzz_program *p);
/* Programs whose processes had to be killed. */
unsigned int workers_cut_short(void);

#endif
