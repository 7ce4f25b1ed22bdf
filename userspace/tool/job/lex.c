// SPDX-License-Identifier: MIT
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "tool/job/lex.h"

void job_reader_init(struct job_reader *r, const struct source *source)
{
	memset(r, 0, sizeof(*r));
	r->source = source;
	r->at = source->text;
	r->end = source->text + source->size;
	if (source->size >= 3 && !memcmp(r->at, "\xef\xbb\xbf", 3))
		r->at += 3;	/* a byte order mark */
	r->line = 1;
	r->column = 1;
	job_next(r);
}

static char peek(const struct job_reader *r)
{
	return r->at < r->end ? *r->at : '\n';
}

static void advance(struct job_reader *r)
{
	if (*r->at++ == '\n') {
		r->line++;
		r->column = 1;
	} else {
		r->column++;
	}
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static void skip_blanks(struct job_reader *r)
{
	while (r->at < r->end && is_blank(*r->at))
		advance(r);
	if (peek(r) == '#')
		while (peek(r) != '\n')
			advance(r);
}

static void read_string(struct job_reader *r)
{
	size_t n = 0;

	r->token = JOB_STRING;
	advance(r);
	while (peek(r) != '\n' && *r->at != '"') {
		if (n + 1 < sizeof(r->text))
			r->text[n++] = *r->at;
		else
			r->what = "the string is too long";
		advance(r);
	}
	r->text[n] = 0;
	if (peek(r) == '"')
		advance(r);
	else
		r->what = "string without an end";
}

/* A word ends at a blank that is not within parentheses. */
static void read_word(struct job_reader *r)
{
	unsigned int depth = 0;
	size_t n = 0;

	r->token = JOB_WORD;
	while (peek(r) != '\n' && !strchr("{}\"#", *r->at) && (depth || !isspace((unsigned char)*r->at))) {
		depth += *r->at == '(';
		depth -= *r->at == ')' && depth;
		if (n + 1 < sizeof(r->text))
			r->text[n++] = *r->at ? *r->at : '?';
		else
			r->what = "the word is too long";
		advance(r);
	}
	while (n && is_blank(r->text[n - 1]))
		n--;
	r->text[n] = 0;
}

void job_next(struct job_reader *r)
{
	const char *begin;

	skip_blanks(r);
	r->place = (struct place){ r->source, r->line, r->column, 0 };
	r->text[0] = 0;
	r->what = NULL;
	if (r->at == r->end) {
		r->token = JOB_END;
		return;
	}
	begin = r->at;
	switch (*r->at) {
	case '\n':
		r->token = JOB_NEWLINE;
		advance(r);
		return;
	case '{':
		r->token = JOB_OPEN;
		r->depth++;
		advance(r);
		break;
	case '}':
		r->token = JOB_CLOSE;
		r->depth -= r->depth > 0;
		advance(r);
		break;
	case '"':
		read_string(r);
		break;
	default:
		if (isspace((unsigned char)*r->at)) {
			advance(r);
			job_next(r);
			return;
		}
		read_word(r);
	}
	r->place.length = r->at - begin;
	if (r->token == JOB_WORD)
		while (r->place.length && is_blank(begin[r->place.length - 1]))
			r->place.length--;
}

bool job_is_word(const struct job_reader *r, const char *word)
{
	return r->token == JOB_WORD && !strcmp(r->text, word);
}

const char *job_at_hand(const struct job_reader *r)
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

/* Whether a line holds nothing but a }. */
static bool is_close(const char *s, const char *end)
{
	while (s < end && is_blank(*s))
		s++;
	if (s == end || *s++ != '}')
		return false;
	while (s < end && is_blank(*s))
		s++;
	return s == end || *s == '\n' || *s == '#';
}

const char *job_raw(struct job_reader *r, size_t *length, struct place *first, const char **what,
		    struct place *at)
{
	struct place open = r->place;
	const char *begin;

	skip_blanks(r);
	*at = (struct place){ r->source, r->line, r->column, 0 };
	if (peek(r) != '\n') {
		*what = "a text on the line of its { ends there with }";
		*first = *at;
		for (begin = r->at; peek(r) != '}' && peek(r) != '\n';)
			advance(r);
		*length = r->at - begin;
		if (peek(r) != '}')
			return NULL;
		advance(r);
		job_next(r);
		return begin;
	}
	*at = open;
	*what = "{ without a line that holds its }";
	if (r->at == r->end)
		return NULL;
	advance(r);
	begin = r->at;
	*first = (struct place){ r->source, r->line, 1, 0 };
	while (r->at < r->end && !is_close(r->at, r->end)) {
		while (peek(r) != '\n')
			advance(r);
		if (r->at < r->end)
			advance(r);
	}
	if (r->at == r->end)
		return NULL;
	*length = r->at - begin;
	job_next(r);
	job_next(r);
	return begin;
}

void job_skip_text(struct job_reader *r)
{
	struct job_reader look = *r;

	look.depth = 1;
	while (look.at < look.end && !is_close(look.at, look.end)) {
		for (; peek(&look) != '\n'; advance(&look)) {
			if (peek(&look) == '{')
				return;
		}
		if (look.at < look.end)
			advance(&look);
	}
	if (look.at == look.end)
		return;
	*r = look;
	job_next(r);
	job_next(r);
}

void job_rest(struct job_reader *r, char *text, size_t room)
{
	size_t n = 0;

	while (r->token == JOB_WORD) {
		n += snprintf(text + n, n < room ? room - n : 0, "%s%s", n ? " " : "", r->text);
		if (n >= room)
			r->what = "the expression is too long";
		if (r->what)
			return;
		job_next(r);
	}
}
