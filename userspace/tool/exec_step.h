/* SPDX-License-Identifier: MIT */
/*
 * limn exec --step: a debugger for shaders. Commands come from standard input, from people or from scripts; it stops
 * before the first instruction. Of Midgard and Bifrost it stops before bundles and clauses, which execute as one.
 */
#ifndef LIMN_TOOL_EXEC_STEP_H
#define LIMN_TOOL_EXEC_STEP_H

#include "tool/exec.h"

struct exec_step;

/* NULL: out of memory. */
struct exec_step *exec_step_new(void);
void exec_step_free(struct exec_step *s);
/*
 * The instruction, bundle or clause at (as exec_print_instruction() counts, in form) is the next one that lanes
 * execute. False: whoever is at the terminal has ended the run.
 */
bool exec_step_at(struct exec *e, const char *form, unsigned int at, unsigned int lanes);

#endif
