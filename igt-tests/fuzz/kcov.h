/* SPDX-License-Identifier: MIT */
/* Which code of the driver a program reached: the kernel's KCOV, of processes that run it. */
#ifndef FUZZ_KCOV_H
#define FUZZ_KCOV_H

#include <stdbool.h>

/* Without KCOV all of these do nothing. */
void kcov_init(void);
/* For this process, until it ends. */
void kcov_enable(void);
/* What it has reached since then, or since the last call. */
void kcov_collect(void);
/* Whether processes since the last call reached what none before did. */
bool kcov_new(void);
unsigned int kcov_total(void);

#endif
