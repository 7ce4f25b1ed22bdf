/* SPDX-License-Identifier: MIT */
/*
 * Options of a subcommand: a table that reads the command line, is the help, and is what
 * completions and did-you-mean look into.
 */
#ifndef LIMN_TOOL_OPTIONS_H
#define LIMN_TOOL_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "tool/message.h"

/* Exit statuses of limn: done; the input is wrong; the command line is; the job failed; there is no device. */
enum { EXIT_OK, EXIT_INPUT, EXIT_USAGE, EXIT_JOB, EXIT_DEVICE };

enum option_kind {
	OPTION_FLAG,	/* bool */
	OPTION_TEXT,	/* const char * */
	OPTION_WHOLE,	/* uint64_t, min to max */
	OPTION_NUMBER,	/* double, min to max */
	OPTION_LIST,	/* struct option_list */
};

struct option_list {
	const char *list[64];
	uint32_t count;
};

struct option {
	const char *name, *letter;	/* "--out", "-o" or NULL */
	enum option_kind kind;
	void *to;
	const char *value;		/* what is written behind it: "FILE" */
	const char *help;
	double min, max;
	names_fn names;			/* values that there are, or NULL */
};

struct command_line {
	const char *command;
	const char *files;		/* what is not an option: "JOB.limn..." */
	const char *about;		/* what it does: more lines of help */
	const char *example;
	const struct option *options, *more;	/* ended by NULL names; more may be NULL */
	const char **paths;		/* of files */
	unsigned int max_paths, num_paths, min_paths;
};

/* False: the command is over, with that exit status: help was printed, or what is wrong. */
bool options_read(struct command_line *c, int argc, char **argv, int *status);

/* "limn COMMAND: text" on standard error, with what there is that is near. Returns EXIT_USAGE. */
int options_unknown(const char *command, const char *what, const char *word, names_fn names);

#endif
