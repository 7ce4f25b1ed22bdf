/* SPDX-License-Identifier: MIT */
/*
 * Options of a subcommand: a table that reads the command line, is the help, and is what
 * completions, the man page and did-you-mean look into.
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
	OPTION_COUNT,	/* unsigned int, min to max */
};

struct option_list {
	const char *list[4096];	/* limn exec: registers lane by lane, and words of memory */
	uint32_t count;
};

struct option {
	const char *name, *letter;	/* "--out", "-o" or NULL */
	enum option_kind kind;
	void *to;
	const char *value;		/* what is written behind it: "FILE" */
	const char *help;
	double min, max;
	names_fn names;			/* values that there are; or, for OPTION_TEXT to refuse others: */
	const char *const *words;	/* ended by NULL */
	bool closed;			/* OPTION_TEXT with names: others are refused */
	bool *given;			/* set when the option is, or NULL */
	bool required;			/* OPTION_TEXT that must be given */
	bool pair;			/* OPTION_LIST: NAME=VALUE and nothing else */
};

/* Rows that several commands have. */
#define OPTION_JSON(flag)	{ .name = "--json", .kind = OPTION_FLAG, .to = flag, .help = "JSON, for programs" }
#define OPTION_QUIET(flag) \
	{ .name = "--quiet", .letter = "-q", .kind = OPTION_FLAG, .to = flag, .help = "say only what is wrong, not what was written" }
#define OPTION_DEFINE(defines) \
	{ .name = "--define", .letter = "-D", .kind = OPTION_LIST, .to = defines, .value = "NAME=VALUE", .pair = true, \
	  .help = "instead of what the job's 'let NAME' says" }
#define OPTION_WERROR(flag)	{ .name = "--werror", .kind = OPTION_FLAG, .to = flag, .help = "warnings are errors" }

struct command_line {
	const char *command;
	const char *files;		/* what is not an option: "JOB.limn..." */
	const char *about;		/* what it does: more lines of help */
	const char *example;
	const struct option *options, *more;	/* ended by NULL names; more may be NULL */
	const char **paths;		/* of files */
	unsigned int max_paths, num_paths, min_paths;
};

/* What options_read() does with tables instead of reading a command line by them. */
enum options_mode {
	OPTIONS_READ,
	OPTIONS_COMPLETE,	/* prints what the last word of the command line can become, a line each */
	OPTIONS_MAN,		/* prints the command's part of limn(1) */
};

void options_set_mode(enum options_mode mode);

/* False: the command is over, with that exit status: help was printed, or what is wrong. */
bool options_read(struct command_line *c, int argc, char **argv, int *status);

/* "limn COMMAND: text" on standard error, of the command that has read its options. Returns the status. */
int failed(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
