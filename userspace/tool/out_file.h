/* SPDX-License-Identifier: MIT */
/*
 * A file that a command leaves behind: whole, or not at all. What is written goes to a
 * neighbour of the file that takes its name at the end. A symbolic link stays one; what
 * is no regular file (a device, a pipe) is written to as it is.
 */
#ifndef LIMN_TOOL_OUT_FILE_H
#define LIMN_TOOL_OUT_FILE_H

#include <limits.h>
#include <stdio.h>

#include "lib/limn.h"

struct out_file {
	FILE *f;
	const char *name;	/* as the user gave it; must stay */
	char path[PATH_MAX];
	char part[PATH_MAX];	/* empty: path itself is written to */
};

/* All: 0, or -1 with a line in err that begins with the name. */
int out_open(struct out_file *out, const char *name, struct limn_error *err);
/* Ends it either way; failed before: nothing stays. Reports what write errors there were. */
int out_close(struct out_file *out, struct limn_error *err);
void out_discard(struct out_file *out);

#endif
