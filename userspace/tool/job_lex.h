/* SPDX-License-Identifier: MIT */
/*
 * Tokens of a job file, and the reader that the statements share. The reader's
 * error is sticky: after the first failure every getter returns a harmless
 * value, so statements need no error paths of their own; the parser looks at
 * failed after each statement.
 */
#ifndef LIMN_TOOL_JOB_LEX_H
#define LIMN_TOOL_JOB_LEX_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/limn.h"

enum job_token { JOB_END, JOB_NEWLINE, JOB_WORD, JOB_STRING, JOB_OPEN, JOB_CLOSE };

struct job_reader {
	const char *path;
	const char *at;		/* next byte */
	int line, column;	/* of at */
	/* The token at hand. */
	enum job_token token;
	int token_line, token_column;
	char text[128];		/* of words and strings */
	bool failed;
	struct limn_error *err;
};

void job_reader_init(struct job_reader *r, const char *path, const char *text,
		     struct limn_error *err);
/* Makes the next token the one at hand. */
void job_next(struct job_reader *r);
/* Fails at the token at hand, or at a place. */
void job_fail(struct job_reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
void job_fail_at(struct job_reader *r, int line, int column, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

bool job_is_word(const struct job_reader *r, const char *word);
/* If word is at hand: takes it. */
bool job_accept(struct job_reader *r, const char *word);
double job_number(struct job_reader *r, const char *what, double min, double max);
uint32_t job_integer(struct job_reader *r, const char *what, uint32_t min, uint32_t max);
/* Index of the word at hand in a NULL-terminated list. */
unsigned int job_choice(struct job_reader *r, const char *what, const char *const *words);
void job_expect(struct job_reader *r, enum job_token token, const char *what);

/* A counter of a loop in a block. */
struct job_variable {
	char name[16];
	double value;
};

/*
 * An expression without blanks: numbers, counters, + - * / % ( ), pi, and the
 * functions sin cos sqrt abs floor. False: not one, or its value is not finite.
 */
bool job_evaluate(const char *text, const struct job_variable *vars, unsigned int count,
		  double *value);

/*
 * Numbers of a { } block, with "repeat N { ... }" and "for NAME N { ... }" in
 * it. *list is malloc'ed.
 */
struct job_number {
	double value;
	int line, column;
};

/* A word in a block that stands for numbers of its own: returns how many, 0: not known. */
typedef uint32_t (*job_expand_fn)(void *ctx, const char *word, double values[16]);
uint32_t job_block(struct job_reader *r, struct job_number **list, job_expand_fn expand,
		   void *ctx);

/*
 * The raw text from behind the { at hand to the line that holds only a }.
 * malloc'ed; *line is the first line's number. Leaves the token behind the }.
 */
char *job_raw(struct job_reader *r, int *line);

#endif
