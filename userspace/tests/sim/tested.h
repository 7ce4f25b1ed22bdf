/* SPDX-License-Identifier: MIT */
/*
 * Notes which rows of the tables a test assembles, to run them, in
 * build/tested/PROGRAM for limn isa --coverage. Including it is enough; tests
 * that make words without text call tested_row().
 */
#ifndef LIMN_TESTS_SIM_TESTED_H
#define LIMN_TESTS_SIM_TESTED_H

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "isa/table.h"

static struct {
	const struct isa *isa;
	bool rows[2048];
} tested[ISA_MAX_SETS];

static void tested_row(const struct isa *isa, const struct isa_op *op)
{
	unsigned int i = 0;

	while (tested[i].isa && tested[i].isa != isa)
		i++;
	tested[i].isa = isa;
	/* Rows of one text and one op are the same to whoever writes text: semantics are the op's. */
	for (unsigned int row = 0; row < isa->op_count; row++)
		if (isa->ops[row].id == op->id && !strcmp(isa->ops[row].pattern, op->pattern))
			tested[i].rows[row] = true;
}

static __attribute__((constructor)) void tested_begin(void)
{
	isa_row_hook = tested_row;
}

static __attribute__((destructor)) void tested_end(void)
{
	char path[128], whole[128];
	FILE *f;

	if (mkdir("build/tested", 0777) && errno != EEXIST)
		return;
	/* Never half a file for who reads it meanwhile: names with a dot are not looked at. */
	snprintf(path, sizeof(path), "build/tested/.%s.%d", program_invocation_short_name, (int)getpid());
	snprintf(whole, sizeof(whole), "build/tested/%s", program_invocation_short_name);
	f = fopen(path, "w");
	for (unsigned int i = 0; f && i < ISA_MAX_SETS && tested[i].isa; i++)
		for (unsigned int row = 0; row < tested[i].isa->op_count; row++)
			if (tested[i].rows[row])
				fprintf(f, "%s %u\n", tested[i].isa->name, row);
	if (f && !fclose(f))
		rename(path, whole);
}

#endif
