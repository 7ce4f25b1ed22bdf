// SPDX-License-Identifier: MIT
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tool/job.h"
#include "tool/job_lex.h"

#define MAX_DEPTH 4	/* of loops in a block */

static void vfail(struct job_reader *r, int line, int column, const char *format, va_list args)
{
	char text[160];

	if (r->failed)
		return;
	r->failed = true;
	vsnprintf(text, sizeof(text), format, args);
	limn_fail(r->err, -1, "%.80s:%d:%d: %s", r->path, line, column, text);
}

void job_fail_at(struct job_reader *r, int line, int column, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vfail(r, line, column, format, args);
	va_end(args);
}

void job_fail(struct job_reader *r, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vfail(r, r->token_line, r->token_column, format, args);
	va_end(args);
}

void job_reader_init(struct job_reader *r, const char *path, const char *text,
		     struct limn_error *err)
{
	memset(r, 0, sizeof(*r));
	r->path = path;
	r->at = text;
	r->line = 1;
	r->column = 1;
	r->err = err;
	job_next(r);
}

static void advance(struct job_reader *r)
{
	if (*r->at == '\n') {
		r->line++;
		r->column = 1;
	} else {
		r->column++;
	}
	r->at++;
}

static void skip_blanks(struct job_reader *r)
{
	while (*r->at == ' ' || *r->at == '\t' || *r->at == '\r')
		advance(r);
	if (*r->at == '#')
		while (*r->at && *r->at != '\n')
			advance(r);
}

static void read_string(struct job_reader *r)
{
	size_t n = 0;

	r->token = JOB_STRING;
	advance(r);
	while (*r->at && *r->at != '\n' && *r->at != '"' && n + 1 < sizeof(r->text)) {
		r->text[n++] = *r->at;
		advance(r);
	}
	r->text[n] = 0;
	if (*r->at == '"')
		advance(r);
	else
		job_fail(r, "string without an end, or too long");
}

void job_next(struct job_reader *r)
{
	size_t n = 0;

	skip_blanks(r);
	r->token_line = r->line;
	r->token_column = r->column;
	r->text[0] = 0;
	switch (*r->at) {
	case 0:
		r->token = JOB_END;
		return;
	case '\n':
		r->token = JOB_NEWLINE;
		advance(r);
		return;
	case '{':
	case '}':
		r->token = *r->at == '{' ? JOB_OPEN : JOB_CLOSE;
		advance(r);
		return;
	case '"':
		read_string(r);
		return;
	}
	r->token = JOB_WORD;
	while (*r->at && !isspace((unsigned char)*r->at) && !strchr("{}\"#", *r->at)) {
		if (n + 1 == sizeof(r->text)) {
			job_fail(r, "word too long");
			break;
		}
		r->text[n++] = *r->at;
		advance(r);
	}
	r->text[n] = 0;
}

bool job_is_word(const struct job_reader *r, const char *word)
{
	return r->token == JOB_WORD && !strcmp(r->text, word);
}

bool job_accept(struct job_reader *r, const char *word)
{
	if (r->failed || !job_is_word(r, word))
		return false;
	job_next(r);
	return true;
}

/* What is at hand, for messages. */
static const char *at_hand(const struct job_reader *r)
{
	switch (r->token) {
	case JOB_END:
		return "end of file";
	case JOB_NEWLINE:
		return "end of line";
	case JOB_OPEN:
		return "{";
	case JOB_CLOSE:
		return "}";
	default:
		return r->text;
	}
}

static bool to_number(const char *text, double *value)
{
	char *end;

	*value = strtod(text, &end);
	return end != text && !*end && isfinite(*value);
}

double job_number(struct job_reader *r, const char *what, double min, double max)
{
	double value;

	if (r->failed)
		return min;
	if (r->token != JOB_WORD || !to_number(r->text, &value)) {
		job_fail(r, "%s: a number is expected, not '%s'", what, at_hand(r));
		return min;
	}
	if (value < min || value > max) {
		job_fail(r, "%s: %s is not in %g to %g", what, r->text, min, max);
		return min;
	}
	job_next(r);
	return value;
}

uint32_t job_integer(struct job_reader *r, const char *what, uint32_t min, uint32_t max)
{
	unsigned long long value;
	char *end;

	if (r->failed)
		return min;
	errno = 0;
	value = strtoull(r->text, &end, 0);
	if (r->token != JOB_WORD || !isdigit((unsigned char)r->text[0]) || *end || errno) {
		job_fail(r, "%s: a whole number is expected, not '%s'", what, at_hand(r));
		return min;
	}
	if (value < min || value > max) {
		job_fail(r, "%s: %s is not in %u to %u", what, r->text, min, max);
		return min;
	}
	job_next(r);
	return value;
}

unsigned int job_choice(struct job_reader *r, const char *what, const char *const *words)
{
	char all[120] = "";
	size_t n = 0;

	if (r->failed)
		return 0;
	for (unsigned int i = 0; words[i]; i++) {
		if (job_is_word(r, words[i])) {
			job_next(r);
			return i;
		}
		if (n < sizeof(all))
			n += snprintf(all + n, sizeof(all) - n, " %s", words[i]);
	}
	job_fail(r, "%s: '%s' is none of%s", what, at_hand(r), all);
	return 0;
}

void job_expect(struct job_reader *r, enum job_token token, const char *what)
{
	if (r->failed)
		return;
	if (r->token != token)
		job_fail(r, "%s is expected, not '%s'", what, at_hand(r));
	else
		job_next(r);
}

struct numbers {
	struct job_number *list;
	uint32_t count, room;
	job_expand_fn expand;
	void *ctx;
	struct job_variable vars[MAX_DEPTH];
	unsigned int depth;
};

static void push(struct job_reader *r, struct numbers *n, struct job_number number)
{
	struct job_number *list;
	uint32_t room = n->room ? n->room * 2 : 64;

	if (n->count >= JOB_MAX_NUMBERS) {
		job_fail(r, "more than %u numbers in a block", JOB_MAX_NUMBERS);
		return;
	}
	if (n->count == n->room) {
		list = realloc(n->list, room * sizeof(*list));
		if (!list) {
			job_fail(r, "out of memory");
			return;
		}
		n->list = list;
		n->room = room;
	}
	n->list[n->count++] = number;
}

static void block(struct job_reader *r, struct numbers *n);

/* repeat N { ... } and for NAME N { ... }: the block is read again each time. */
static void loop(struct job_reader *r, struct numbers *n, bool named)
{
	struct job_variable *v = &n->vars[n->depth];
	struct job_reader begin;
	uint32_t times;

	if (n->depth == MAX_DEPTH) {
		job_fail(r, "more than %d loops within each other", MAX_DEPTH);
		return;
	}
	snprintf(v->name, sizeof(v->name), "%.15s", named ? r->text : "");
	if (named && (r->token != JOB_WORD || !isalpha((unsigned char)r->text[0]) ||
		      strlen(r->text) > 15))
		job_fail(r, "for: a name is expected, not '%s'", at_hand(r));
	if (named)
		job_next(r);
	times = job_integer(r, "times", 1, JOB_MAX_NUMBERS);
	begin = *r;
	n->depth++;
	for (uint32_t i = 0; i < times && !r->failed; i++) {
		*r = begin;
		v->value = i;
		block(r, n);
	}
	n->depth--;
}

/* One word of a block: names that stand for several numbers, or an expression. */
static void word(struct job_reader *r, struct numbers *n)
{
	struct job_number number = { .line = r->token_line, .column = r->token_column };
	double values[16];
	uint32_t count = n->expand ? n->expand(n->ctx, r->text, values) : 0;

	for (uint32_t i = 0; i < count; i++) {
		number.value = values[i];
		push(r, n, number);
	}
	if (!count) {
		if (!job_evaluate(r->text, n->vars, n->depth, &number.value)) {
			job_fail(r, "a number or } is expected, not '%s'", at_hand(r));
			return;
		}
		push(r, n, number);
	}
	job_next(r);
}

/* { number... }, from the { at hand to behind the }. */
static void block(struct job_reader *r, struct numbers *n)
{
	job_expect(r, JOB_OPEN, "{");
	while (!r->failed && r->token != JOB_CLOSE) {
		if (r->token == JOB_NEWLINE)
			job_next(r);
		else if (job_accept(r, "repeat"))
			loop(r, n, false);
		else if (job_accept(r, "for"))
			loop(r, n, true);
		else if (r->token == JOB_WORD)
			word(r, n);
		else
			job_fail(r, "a number or } is expected, not '%s'", at_hand(r));
	}
	job_expect(r, JOB_CLOSE, "}");
}

uint32_t job_block(struct job_reader *r, struct job_number **list, job_expand_fn expand, void *ctx)
{
	struct numbers n = { .expand = expand, .ctx = ctx };

	if (!r->failed)
		block(r, &n);
	if (r->failed) {
		free(n.list);
		n.list = NULL;
		n.count = 0;
	}
	*list = n.list;
	return n.count;
}

/* Whether a line holds nothing but a }. */
static bool is_close(const char *s)
{
	while (*s == ' ' || *s == '\t')
		s++;
	if (*s++ != '}')
		return false;
	while (*s == ' ' || *s == '\t' || *s == '\r')
		s++;
	return !*s || *s == '\n' || *s == '#';
}

char *job_raw(struct job_reader *r, int *line)
{
	int open_line = r->token_line, open_column = r->token_column;
	const char *begin;
	char *text;

	if (r->failed)
		return NULL;
	if (r->token != JOB_OPEN) {
		job_fail(r, "{ is expected, not '%s'", at_hand(r));
		return NULL;
	}
	skip_blanks(r);
	if (*r->at != '\n') {
		job_fail_at(r, r->line, r->column, "text is not expected behind { on its line");
		return NULL;
	}
	advance(r);
	begin = r->at;
	*line = r->line;
	while (*r->at && !is_close(r->at)) {
		while (*r->at && *r->at != '\n')
			advance(r);
		if (*r->at)
			advance(r);
	}
	if (!*r->at) {
		job_fail_at(r, open_line, open_column, "{ without a line that holds its }");
		return NULL;
	}
	text = strndup(begin, r->at - begin);
	if (!text)
		job_fail(r, "out of memory");
	while (*r->at != '}')
		advance(r);
	job_next(r);
	job_next(r);
	return text;
}
