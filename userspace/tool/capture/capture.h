/* SPDX-License-Identifier: MIT */
/* Captures, as liblimn reads them, and what the models have to do with them. */
#ifndef LIMN_TOOL_CAPTURE_H
#define LIMN_TOOL_CAPTURE_H

#include <stdio.h>

#include "lib/capture/capture.h"

/* The GPU that a device was, as the models are named; "" when it has none. */
const char *capture_gpu(const struct capture_file *file);
/* LIMN_CAPTURE_CLOSED at the end of f, behind what others have appended; status: of the client. */
void capture_end_mark(FILE *f, int status);

#endif
