/* SPDX-License-Identifier: MIT */
/*
 * Reports of limn probe: what a chip has answered. The tool writes and compares them, the model reads
 * those of model/chips. They are JSON, a probe a line, with a sum at the end; a report that was cut or
 * changed is none.
 */
#ifndef LIMN_MODEL_REPORT_H
#define LIMN_MODEL_REPORT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define REPORT_PROBES	256
#define REPORT_WORDS	24
#define REPORT_IDENTITY	24

struct report_row {
	char id[40], answer[32];
	uint32_t words[REPORT_WORDS], num_words;
	unsigned int line;		/* of the report, from 1 */
};

struct report {
	char limn[32], kernel[32], driver[48], gpu[32];
	uint32_t identity[REPORT_IDENTITY], num_identity;
	struct report_row rows[REPORT_PROBES];
	unsigned int num_rows;
};

/* Writes it; the sum is of all that stands before it. */
void report_write(const struct report *r, FILE *to);
/* True; or the number of the line that is wrong and its cause. The text ends with a 0 behind its length. */
bool report_read(struct report *r, const char *text, size_t length, unsigned int *line, const char **what);
/* The same of a file; line 0: it cannot be read. */
bool report_load(struct report *r, const char *path, unsigned int *line, const char **what);

#endif
