/* SPDX-License-Identifier: MIT */
/* Tokens of a job file, and its expressions. */
#ifndef LIMN_TOOL_JOB_LEX_H
#define LIMN_TOOL_JOB_LEX_H

#include <stdbool.h>
#include <stdint.h>

#include "tool/message.h"

enum job_token { JOB_END, JOB_NEWLINE, JOB_WORD, JOB_STRING, JOB_OPEN, JOB_CLOSE };

struct job_reader {
	const struct source *source;
	const char *at, *end;	/* next byte, and behind the last */
	unsigned int line, column;	/* of at */
	unsigned int depth;	/* { without } so far, of the statement */
	/* The token at hand. */
	enum job_token token;
	struct place place;
	const char *what;	/* what is wrong with the token itself, or NULL */
	char text[512];		/* of words and strings */
};

void job_reader_init(struct job_reader *r, const struct source *source);
/* Makes the next token the one at hand. */
void job_next(struct job_reader *r);
bool job_is_word(const struct job_reader *r, const char *word);
/* What is at hand, for messages. */
const char *job_at_hand(const struct job_reader *r);
/*
 * The raw text from behind the { at hand to the line that holds only a }; leaves the token behind
 * the }. NULL: *what says why, at *at. *first: where the text begins.
 */
const char *job_raw(struct job_reader *r, size_t *length, struct place *first, const char **what,
		    struct place *at);
/* To behind the next line that holds only a }, if no { is in front of it: a text whose { is missing. */
void job_skip_text(struct job_reader *r);
/* What is left of the line, without a comment; leaves the token behind it. */
void job_rest(struct job_reader *r, char *text, size_t room);

/* Numbers that an expression is: one, or a vector or matrix (columns first). */
struct job_value {
	uint32_t count;
	double v[16];
	uint32_t wrong_at;	/* where in the text what is wrong is; 0: all of it */
};

extern const char JOB_UNKNOWN[];
/* What is wrong is said already, where the name is given its value. */
extern const char JOB_SAID[];

/*
 * Names that an expression may use, and functions of count arguments. NULL: it is in *value;
 * JOB_UNKNOWN; or what is wrong with it.
 */
typedef const char *(*job_name_fn)(void *ctx, const char *name, const struct job_value *arguments, unsigned int count,
				   struct job_value *value);

/*
 * An expression: numbers, names, + - * / % ( ), functions. NULL: it is in
 * *value; else what is wrong, as text that the next call may overwrite.
 */
const char *job_evaluate(const char *text, job_name_fn name, void *ctx, struct job_value *value);
/* Functions and constants of expressions, for did you mean; NULL behind the last. */
const char *job_function_name(unsigned int index);
/* Functions, names that are always there, and those of the job that ctx is read from, NULL: of none. */
const char *job_known_name(void *ctx, unsigned int index);

#endif
