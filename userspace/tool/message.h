/* SPDX-License-Identifier: MIT */
/*
 * What is wrong with a text, and where: collected while it is read, printed at
 * its end, each with the line and a caret below. Job files and shaders.
 */
#ifndef LIMN_TOOL_MESSAGE_H
#define LIMN_TOOL_MESSAGE_H

#include <stdbool.h>
#include <stdio.h>

/* A text that is read; lives as long as its messages. */
struct source {
	const char *path;	/* as the user wrote it */
	const char *text;
	size_t size;
};

struct place {
	const struct source *source;
	unsigned int line, column;	/* from 1; columns count bytes; 0: the whole file */
	unsigned int length;		/* bytes; 0: only where it begins */
};

enum severity { MESSAGE_ERROR, MESSAGE_WARNING };

struct message {
	enum severity severity;
	struct place at;
	char *text;
	char *note;		/* a line more: the form that would be right, whose picture it was; or NULL */
};

#define MESSAGES_MAX	100	/* errors; what comes after them is dropped */

struct messages {
	struct message *list;
	size_t count, room, errors;
	bool strict;		/* warnings are errors */
	bool full;		/* some were dropped */
	const char *note;	/* for those that come, while somebody adds them */
};

/* note may be NULL. Without memory the message is lost, but counted. */
void message_add(struct messages *m, enum severity severity, struct place at, const char *note,
		 const char *format, ...) __attribute__((format(printf, 5, 6)));
/* "FILE:LINE:COLUMN: text", the line, a caret, and the form. */
void messages_print(const struct messages *m, FILE *to);
/* The same as a JSON array. */
void messages_json(const struct messages *m, FILE *to);
void messages_free(struct messages *m);

/* The line of the place; *end: behind it. */
const char *message_line(const struct place *at, const char **end);
/* The line of the place, or of a long one what is around it, with a caret below. */
void message_show(const struct place *at, FILE *to);

/*
 * Did you mean: of the names that list() gives, the one nearest to word; NULL:
 * none is near. list() returns NULL behind the last one. The next call overwrites it.
 */
typedef const char *(*names_fn)(void *ctx, unsigned int index);
const char *nearest(const char *word, names_fn list, void *ctx);
/* The same as the end of a message: "; did you mean NAME?", or "". */
const char *did_you_mean(const char *word, names_fn list, void *ctx);
/* The same, or "; there are: NAME..." */
const char *near_or_all(const char *word, names_fn list, void *ctx);

#endif
