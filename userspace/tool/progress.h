/* SPDX-License-Identifier: MIT */
/*
 * "12 of 60 frames, 3 s to go" on standard error, when that is a terminal, of what takes longer than two seconds,
 * or than LIMN_PROGRESS_AFTER says.
 * What calls another that tells of its progress too hides it.
 */
#ifndef LIMN_TOOL_PROGRESS_H
#define LIMN_TOOL_PROGRESS_H

#include <stdint.h>

/* With -q and --json. */
void progress_off(void);
void progress_begin(const char *what);
/* all: an estimate will do. */
void progress(uint64_t done, uint64_t all);
void progress_end(void);
/* Before something else is written to the terminal. */
void progress_clear(void);

#endif
