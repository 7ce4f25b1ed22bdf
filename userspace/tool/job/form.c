// SPDX-License-Identifier: MIT
/* Reads the arguments of a statement as its form says (parser.h). */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tool/job/parser.h"

/* A piece of a form: a word, an argument, or a group with what is in it. */
struct piece {
	char kind;		/* 'w', 'a', '(' or '[' */
	bool repeated;
	const char *name;	/* or the group's inside */
	size_t length;
	const struct form_type *type;
	const char *next;	/* behind it */
};

static bool is_name(char c)
{
	return isalnum((unsigned char)c) || c == '-' || c == '=';
}

static const char *group_end(const char *f)
{
	unsigned int depth = 0;

	do {
		depth += *f == '(' || *f == '[';
		depth -= *f == ')' || *f == ']';
		f++;
	} while (depth);
	return f - 1;
}

static struct piece piece_at(const char *f)
{
	struct piece e = { .kind = *f, .name = f };
	const char *type;

	if (*f == '(' || *f == '[') {
		f = group_end(f);
		e.name++;
		e.length = f++ - e.name;
	} else {
		while (is_name(*f))
			f++;
		e.length = f - e.name;
		e.kind = isupper((unsigned char)*e.name) ? 'a' : 'w';
		type = e.name;
		if (*f == ':')
			for (type = ++f; is_name(*f); f++)
				;
		if (e.kind == 'a')
			e.type = form_type_find(type, f - type);
	}
	e.repeated = !strncmp(f, "...", 3);
	f += e.repeated ? 3 : 0;
	e.next = f;
	return e;
}

static const char *blanks(const char *f)
{
	while (*f == ' ')
		f++;
	return f;
}

/* Behind a sequence: a |, the end of the group or of the form. */
static const char *sequence_end(const char *f, const char *end)
{
	for (f = blanks(f); f < end && *f != '|'; f = blanks(f))
		f = piece_at(f).next;
	return f;
}

static void hope(struct job_parser *p, const struct piece *e)
{
	struct form_hope *h = &p->hopes[p->num_hopes];

	if (p->num_hopes == sizeof(p->hopes) / sizeof(p->hopes[0]))
		return;
	*h = (struct form_hope){ e->name, e->length, e->type };
	p->num_hopes++;
}

static bool alternatives_start(struct job_parser *p, const char *f, const char *end, bool *empty);

/* Whether the token at hand can be this piece's first. */
static bool starts(struct job_parser *p, const struct piece *e, bool *empty)
{
	const struct job_reader *r = &p->r;
	unsigned int value;

	*empty = false;
	if (e->kind == '(' || e->kind == '[') {
		bool is = alternatives_start(p, e->name, e->name + e->length, empty);

		*empty |= e->kind == '[';
		return is;
	}
	if (e->kind == 'a' && e->type->kind == FORM_FORM)
		return alternatives_start(p, e->type->text, e->type->text + strlen(e->type->text), empty);
	if (p->pending.count)
		return e->kind == 'a' && (e->type->kind == FORM_WHOLE || e->type->kind == FORM_NUMBER);
	hope(p, e);
	if (e->kind == 'w')
		return r->token == JOB_WORD && strlen(r->text) == e->length &&
		       !strncmp(r->text, e->name, e->length);
	switch (e->type->kind) {
	case FORM_CHOICE:
		return r->token == JOB_WORD &&
		       (r->text[0] == '(' || form_value(e->type, p->job->family, r->text, &value));
	case FORM_STRING:
		return r->token == JOB_STRING;
	case FORM_BLOCK:
		return r->token == JOB_OPEN || r->token == JOB_STRING;
	case FORM_TEXT:
	case FORM_OPEN:
		return r->token == JOB_OPEN;
	default:
		return r->token == JOB_WORD;
	}
}

static bool sequence_starts(struct job_parser *p, const char *f, const char *end, bool *empty)
{
	*empty = true;
	for (f = blanks(f); f < end && *f != '|' && *empty; f = blanks(f)) {
		struct piece e = piece_at(f);

		if (starts(p, &e, empty))
			return true;
		f = e.next;
	}
	return false;
}

static bool alternatives_start(struct job_parser *p, const char *f, const char *end, bool *empty)
{
	bool one;

	*empty = false;
	while (f < end) {
		if (sequence_starts(p, f, end, &one))
			return true;
		*empty |= one;
		f = sequence_end(f, end);
		f += f < end;
	}
	return false;
}

/* --- Messages ---------------------------------------------------------------------- */


static const char *hoped_word(void *ctx, unsigned int index)
{
	static char word[64];
	struct job_parser *p = ctx;
	const char *name;

	for (unsigned int i = 0; i < p->num_hopes; i++) {
		const struct form_hope *h = &p->hopes[i];

		if (!h->type) {
			snprintf(word, sizeof(word), "%.*s", (int)h->length, h->word);
			if (!index--)
				return word;
		} else if (h->type->kind == FORM_CHOICE) {
			for (unsigned int k = 0; (name = form_word(h->type, p->job->family, k)); k++)
				if (!index--)
					return name;
		}
	}
	return NULL;
}

/* "none of a b c" of words; "A, B or {" of what else could stand here. */
static void list_hopes(const struct job_parser *p, char *text, size_t room)
{
	const char *name;
	size_t n = 0;

	*text = 0;
	for (unsigned int i = 0; i < p->num_hopes && n < room; i++) {
		const struct form_hope *h = &p->hopes[i];
		bool again = false;

		for (unsigned int k = 0; k < i; k++)
			again |= h->word == p->hopes[k].word || (h->type && h->type == p->hopes[k].type);
		if (again)
			continue;
		if (!h->type)
			n += snprintf(text + n, room - n, " %.*s", (int)h->length, h->word);
		else if (h->type->kind == FORM_CHOICE && h->type->text)
			n += snprintf(text + n, room - n, " %s", h->type->text);
		else if (h->type->kind == FORM_CHOICE)
			for (unsigned int k = 0; n < room && (name = form_word(h->type, p->job->family, k)); k++)
				n += snprintf(text + n, room - n, " %s", name);
		else if (h->type->kind == FORM_STRING)
			n += snprintf(text + n, room - n, " \"%.*s\"", (int)h->length, h->word);
		else if (h->type->kind == FORM_BLOCK || h->type->kind == FORM_TEXT || h->type->kind == FORM_OPEN)
			n += snprintf(text + n, room - n, " {");
		else
			n += snprintf(text + n, room - n, " %.*s", (int)h->length, h->word);
	}
}

/* Whether a word of the form is one of a list of that family. */
static bool form_has(const char *f, const char *end, enum job_family family, const char *word)
{
	unsigned int value;

	for (f = blanks(f); f < end; f = blanks(f)) {
		struct piece e = { .next = f + 1 };

		if (*f != '|')
			e = piece_at(f);
		if ((e.kind == '(' || e.kind == '[') && form_has(e.name, e.name + e.length, family, word))
			return true;
		if (e.type && e.type->kind == FORM_CHOICE && form_value(e.type, family, word, &value))
			return true;
		f = e.next;
	}
	return false;
}

/* "; jobs for Vivante have it", or "" */
static const char *others_have(const struct job_parser *p)
{
	static char text[80];
	enum job_family other = p->job->family == JOB_UTGARD ? JOB_VIVANTE : JOB_UTGARD;

	for (const struct job_statement *s = job_statements; s->name; s++) {
		if (!(s->families & 1u << other) || strcmp(s->name, p->statement->name) ||
		    !form_has(s->form, s->form + strlen(s->form), other, p->r.text))
			continue;
		snprintf(text, sizeof(text), "; jobs for %s have it, this one is for %s", job_family_name(other),
			 job_family_name(p->job->family));
		return text;
	}
	return "";
}

/* The token at hand is nothing that could stand here. */
static void unexpected(struct job_parser *p, const char *end)
{
	const struct form_hope *h = p->num_hopes == 1 ? &p->hopes[0] : NULL;
	struct job_reader *r = &p->r;
	const char *near = "";
	char all[1000];

	if (r->what) {
		job_error(p, r->place, "%s", r->what);
	} else if (p->pending.count) {
		job_error(p, r->place, "%u number%s too many", p->pending.count, p->pending.count > 1 ? "s" : "");
	} else if (!p->num_hopes) {
		job_error(p, r->place, "the end of the line is expected, not '%s'", job_at_hand(r));
	} else if (h && h->type && h->type->kind != FORM_CHOICE) {
		static const char *const kinds[] = {
			[FORM_WHOLE] = "a whole number", [FORM_NUMBER] = "a number", [FORM_NAME] = "a name",
			[FORM_STRING] = "a name in quotes", [FORM_TEMP] = "a temporary, t0 to t63,",
			[FORM_BLOCK] = "{", [FORM_TEXT] = "{", [FORM_OPEN] = "{", [FORM_REST] = "something",
			[FORM_PAIR] = "two numbers with a comma or an x between them",
		};

		job_error(p, r->place, "%.*s: %s is expected, not '%s'", (int)h->length, h->word,
			  kinds[h->type->kind], job_at_hand(r));
	} else {
		if (r->token == JOB_WORD)
			near = did_you_mean(r->text, hoped_word, p);
		if (r->token == JOB_WORD && !*near)
			near = others_have(p);
		list_hopes(p, all, sizeof(all));
		if (h && !h->type && !*end)
			job_error(p, r->place, "%.*s is expected, not '%s'%s", (int)h->length, h->word, job_at_hand(r), near);
		else if (*near && strlen(all) > 160)
			job_error(p, r->place, "'%s' is not known here%s", job_at_hand(r), near);
		else if (r->token == JOB_NEWLINE || r->token == JOB_END)
			job_error(p, r->place, "%s: one of%s is expected", job_at_hand(r), all);
		else
			job_error(p, r->place, "'%s' is none of%s%s%s", job_at_hand(r), all, end, near);
	}
}

/* --- Numbers ------------------------------------------------------------------------- */

/* Loops within loops could keep it busy for days. */
static void count_work(struct job_parser *p)
{
	if (p->work++ > JOB_MAX_WORK)
		job_error(p, p->r.place, "the job has more than %u expressions to work out", JOB_MAX_WORK);
}

/* What the text is worth; false after an error. */
static bool evaluate_any(struct job_parser *p, const struct job_arg *a, const char *text, const char *kind,
			 struct job_value *value)
{
	const char *wrong = job_evaluate(text, job_name, p, value);

	count_work(p);
	if (wrong && job_error_inside(p, a->at, text, value, wrong))
		;
	else if (wrong && isalpha((unsigned char)text[0]) && !strpbrk(text, "+-*/%()") && !strstr(wrong, "did you mean"))
		job_error(p, a->at, "%.*s: a %s is expected, not '%s'", (int)a->length, a->name, kind, text);
	else if (wrong)
		job_error(p, a->at, "%.*s: a %s is expected, not '%s': %s", (int)a->length, a->name, kind, text,
			  wrong);
	return !p->failed;
}

/* The same where it is to be one number. */
static bool evaluate(struct job_parser *p, const struct job_arg *a, const char *text, const char *kind, double *out)
{
	struct job_value value;

	if (evaluate_any(p, a, text, kind, &value) && value.count != 1)
		job_error(p, a->at, "%.*s: one number is expected, not %u", (int)a->length, a->name, value.count);
	*out = value.v[0];
	return !p->failed;
}

/* A word that is a vector stands for as many arguments. */
static void read_number(struct job_parser *p, struct job_arg *a)
{
	bool whole = a->type->kind == FORM_WHOLE;
	double v;

	if (!p->pending.count && !evaluate_any(p, a, p->r.text, whole ? "whole number" : "number", &p->pending))
		return;
	v = p->pending.v[0];
	p->pending.count--;
	memmove(p->pending.v, p->pending.v + 1, p->pending.count * sizeof(v));
	if (whole && v != floor(v))
		job_error(p, a->at, "%.*s: a whole number is expected, not '%s'", (int)a->length, a->name, p->r.text);
	else if (v < a->type->min || v > a->type->max)
		job_error(p, a->at, "%.*s: %s is not in %.10g to %.10g", (int)a->length, a->name, p->r.text,
			  a->type->min, a->type->max);
	else
		a->number = v;
}

/* A word of the list; or its number in the list, in parentheses. */
static void read_choice(struct job_parser *p, struct job_arg *a)
{
	enum job_family family = p->job->family;
	const char *word = p->r.text;
	unsigned int value;
	double v;

	if (word[0] == '(') {
		if (!evaluate(p, a, word, "whole number", &v))
			return;
		word = v >= 0 && v == floor(v) && v < 1e6 ? form_word(a->type, family, v) : NULL;
		if (!word) {
			job_error(p, a->at, "%.*s: there is no word number %g", (int)a->length, a->name, v);
			return;
		}
	}
	form_value(a->type, family, word, &value);
	a->number = value;
}

/* Behind the first c of the text that is not within parentheses; NULL: there is none. */
static char *split_at(char *text, char c)
{
	unsigned int depth = 0;

	for (; *text; text++) {
		depth += *text == '(';
		depth -= *text == ')' && depth;
		if (!depth && *text == c) {
			*text = 0;
			return text + 1;
		}
	}
	return NULL;
}

/* "12,34" or "12x34" */
static void read_pair(struct job_parser *p, struct job_arg *a)
{
	char text[sizeof(p->r.text)], *second;

	strcpy(text, p->r.text);
	second = split_at(text, ',');
	if (!second)
		second = split_at(text, 'x');
	if (!second) {
		job_error(p, a->at, "%.*s: two numbers with a comma or an x between them are expected, not '%s'",
			  (int)a->length, a->name, text);
		return;
	}
	if (!evaluate(p, a, text, "whole number", &a->number) || !evaluate(p, a, second, "whole number", &a->second))
		return;
	if (a->number < a->type->min || a->second < a->type->min || a->number > a->type->max ||
	    a->second > a->type->max || a->number != floor(a->number) || a->second != floor(a->second))
		job_error(p, a->at, "%.*s: %s is not whole numbers of %g to %g", (int)a->length, a->name, p->r.text,
			  a->type->min, a->type->max);
}

static void read_temporary(struct job_parser *p, struct job_arg *a)
{
	const char *t = p->r.text;
	char *end = NULL;
	unsigned long n = t[0] == 't' && isdigit((unsigned char)t[1]) ? strtoul(t + 1, &end, 10) : 64;

	if (n > 63 || *end)
		job_error(p, a->at, "%.*s: a temporary, t0 to t63, is expected, not '%s'", (int)a->length,
			  a->name, t);
	a->number = n;
}

struct numbers {
	struct job_number *list;
	uint32_t count, room, turns;
	struct place open;	/* the block's { */
};

static void push(struct job_parser *p, struct numbers *n, struct place at, double value)
{
	struct job_number *list;

	if (n->count == JOB_MAX_NUMBERS) {
		job_error(p, at, "more than %u numbers in a block", JOB_MAX_NUMBERS);
		return;
	}
	if (n->count == n->room) {
		n->room = n->room ? n->room * 2 : 64;
		list = realloc(n->list, n->room * sizeof(*list));
		if (!list) {
			job_error(p, at, "out of memory");
			return;
		}
		n->list = list;
	}
	n->list[n->count++] = (struct job_number){ value, at.line, at.column };
}

static void read_block(struct job_parser *p, struct numbers *n);

/* repeat N { ... } and for NAME N { ... }: the block is read again each time. */
static void read_loop(struct job_parser *p, struct numbers *n, bool named)
{
	struct job_arg times = { .name = "times", .length = 5, .type = form_type_find("times", 5) };
	struct job_variable own = { .value.count = 1 }, *v = &p->loops[p->num_loops];
	struct job_reader *r = &p->r, begin;

	if (p->num_loops == JOB_MAX_LOOPS) {
		job_error(p, r->place, "more than %d loops within each other", JOB_MAX_LOOPS);
		return;
	}
	if (named) {
		if (r->token != JOB_WORD || !job_is_name(r->text))
			job_error(p, r->place, "for: a name is expected, not '%s'", job_at_hand(r));
		snprintf(own.name, sizeof(own.name), "%.31s", r->text);
		job_next(r);
	}
	times.at = r->place;
	if (r->token != JOB_WORD)
		job_error(p, r->place, "times: a whole number is expected, not '%s'", job_at_hand(r));
	else
		read_number(p, &times);
	p->pending.count = 0;
	job_next(r);
	begin = *r;
	/* Not before: a function in the number of turns has its arguments here. */
	*v = own;
	p->num_loops++;
	for (double i = 0; i < times.number && !p->failed; i++) {
		*r = begin;
		v->value.v[0] = i;
		if (n->turns++ > JOB_MAX_NUMBERS)
			job_error(p, times.at, "more than %u turns of loops in a block", JOB_MAX_NUMBERS);
		read_block(p, n);
	}
	p->num_loops--;
}

static void read_word(struct job_parser *p, struct numbers *n)
{
	struct job_reader *r = &p->r;
	struct job_value value;
	const char *wrong = job_evaluate(r->text, job_name, p, &value);

	count_work(p);
	if (r->what)
		job_error(p, r->place, "%s", r->what);
	else if (wrong && n->open.line && r->place.line > n->open.line && job_is_statement(p, r->text))
		job_error(p, n->open, "{ without its }: '%s' on line %u begins a statement", r->text, r->place.line);
	else if (wrong && !job_error_inside(p, r->place, r->text, &value, wrong))
		job_error(p, r->place, "a number%s is expected, not '%s': %s", n->open.line ? " or }" : "", r->text, wrong);
	for (uint32_t i = 0; i < value.count && !p->failed; i++)
		push(p, n, r->place, value.v[i]);
	job_next(r);
}

/* { number... }, from the { at hand to behind the }. */
static void read_block(struct job_parser *p, struct numbers *n)
{
	struct job_reader *r = &p->r;

	if (r->token != JOB_OPEN)
		job_error(p, r->place, "{ is expected, not '%s'", job_at_hand(r));
	if (!n->open.line)
		n->open = r->place;
	job_next(r);
	while (!p->failed && r->token != JOB_CLOSE) {
		bool named = job_is_word(r, "for");

		if (r->token == JOB_NEWLINE) {
			job_next(r);
		} else if (named || job_is_word(r, "repeat")) {
			job_next(r);
			read_loop(p, n, named);
		} else if (r->token == JOB_WORD) {
			read_word(p, n);
		} else {
			job_error(p, r->place, "a number or } is expected, not '%s'", job_at_hand(r));
		}
	}
	if (!p->failed)
		job_next(r);
}

/* "FILE": a table of numbers, with blanks, commas or ends of lines between them. */
static void read_table(struct job_parser *p, struct numbers *n)
{
	const struct source *source = job_file_read(p, p->r.text, JOB_MAX_FILE, p->r.place);
	struct job_reader outer = p->r;

	if (!source)
		return;
	for (char *c = (char *)source->text; *c; c++)
		*c = *c == ',' || *c == ';' ? ' ' : *c;
	job_reader_init(&p->r, source);
	while (!p->failed && p->r.token != JOB_END) {
		if (p->r.token == JOB_NEWLINE)
			job_next(&p->r);
		else if (p->r.token == JOB_WORD)
			read_word(p, n);
		else
			job_error(p, p->r.place, "a number is expected, not '%s'", job_at_hand(&p->r));
	}
	p->r = outer;
	if (!p->failed)
		job_next(&p->r);
}

/* --- Reading --------------------------------------------------------------------------- */

static void read_rest(struct job_parser *p, struct job_arg *a)
{
	char text[512];

	job_rest(&p->r, text, sizeof(text));
	if (p->r.what)
		job_error(p, p->r.place, "%s", p->r.what);
	a->text = job_keep(p, text);
}

/* { lines }: one that begins with a statement is behind a } that is missing; reading goes on there. */
static void read_text(struct job_parser *p, struct job_arg *a)
{
	struct job_reader outer = p->r;
	const char *wrong = NULL, *line, *end;
	unsigned int number;
	struct place at;
	char word[64];

	a->text = job_raw(&p->r, &a->text_length, &a->text_at, &wrong, &at);
	number = a->text_at.line;
	line = a->text_at.column == 1 ? message_line(&a->text_at, &end) : NULL;
	end = a->text ? a->text + a->text_length : p->r.end;
	for (; line && line < end; line = memchr(line, '\n', end - line), line = line ? line + 1 : NULL, number++) {
		snprintf(word, sizeof(word), "%.*s", (int)strcspn(line, " \t\r\n{"), line);
		if (!job_is_statement(p, word))
			continue;
		job_error(p, outer.place, "{ without a line that holds its }: '%s' on line %u begins a statement", word, number);
		p->r = outer;
		p->r.at = line;
		p->r.line = number;
		p->r.token = JOB_NEWLINE;
		p->r.depth = 0;
		return;
	}
	if (!a->text)
		job_error(p, at, "%s", wrong);
}

static void read_argument(struct job_parser *p, struct job_arg *a)
{
	struct numbers n = { 0 };

	if (p->r.what) {
		job_error(p, a->at, "%s", p->r.what);
		return;
	}
	switch (a->type->kind) {
	case FORM_WHOLE:
	case FORM_NUMBER:
		read_number(p, a);
		break;
	case FORM_TEMP:
		read_temporary(p, a);
		break;
	case FORM_CHOICE:
		read_choice(p, a);
		break;
	case FORM_PAIR:
		read_pair(p, a);
		break;
	case FORM_BLOCK:
		(p->r.token == JOB_STRING ? read_table : read_block)(p, &n);
		a->block = n.list;
		a->count = n.count;
		return;
	case FORM_TEXT:
		read_text(p, a);
		return;
	default:
		break;
	}
	if (a->type->kind == FORM_REST)
		read_rest(p, a);
	else if (a->type->kind == FORM_NAME || a->type->kind == FORM_STRING)
		a->text = job_keep(p, p->r.text);
	if (!p->failed && a->type->kind != FORM_REST && !p->pending.count)
		job_next(&p->r);
}

static void read_alternatives(struct job_parser *p, const char *f, const char *end);

static void read_piece(struct job_parser *p, const struct piece *e)
{
	struct job_arg *a = &p->args[p->num_args];

	if (e->kind == '(' || e->kind == '[') {
		read_alternatives(p, e->name, e->name + e->length);
		return;
	}
	if (e->kind == 'a' && e->type->kind == FORM_FORM) {
		read_alternatives(p, e->type->text, e->type->text + strlen(e->type->text));
		return;
	}
	if (p->num_args == JOB_MAX_ARGS) {
		job_error(p, p->r.place, "more than %u arguments", JOB_MAX_ARGS);
		return;
	}
	*a = (struct job_arg){ .name = e->name, .length = e->length, .type = e->type, .at = p->r.place };
	p->num_args++;
	p->num_hopes = 0;
	if (e->kind == 'w')
		job_next(&p->r);
	else
		read_argument(p, a);
}

static void read_sequence(struct job_parser *p, const char *f, const char *end)
{
	for (f = blanks(f); f < end && *f != '|' && !p->failed; f = blanks(f)) {
		struct piece e = piece_at(f);
		bool empty, is = starts(p, &e, &empty);

		if (is)
			read_piece(p, &e);
		else if (!empty)
			unexpected(p, "");
		while (is && e.repeated && !p->failed && starts(p, &e, &empty))
			read_piece(p, &e);
		f = e.next;
	}
}

/* The token at hand starts one of them, or one of them may be nothing. */
static void read_alternatives(struct job_parser *p, const char *f, const char *end)
{
	unsigned int hopes = p->num_hopes;
	bool empty, any = false;

	for (const char *s = f; s < end; s = sequence_end(s, end) + 1) {
		if (sequence_starts(p, s, end, &empty)) {
			p->num_hopes = hopes;
			read_sequence(p, s, end);
			return;
		}
		any |= empty;
	}
	if (!any)
		unexpected(p, "");
}

void form_read(struct job_parser *p, const char *form)
{
	p->num_args = p->arg = p->num_hopes = p->pending.count = 0;
	read_alternatives(p, form, form + strlen(form));
	if (!p->failed && (p->pending.count || (p->r.token != JOB_NEWLINE && p->r.token != JOB_END)))
		unexpected(p, ", or the end of the line");
}

void form_free(struct job_parser *p)
{
	for (unsigned int i = 0; i < p->num_args; i++)
		free(p->args[i].block);
	p->num_args = 0;
}

/* --- Forms as people read them ------------------------------------------------------------ */

static void print_form(FILE *to, const char *f, const char *end);

static void print_piece(FILE *to, const struct piece *e)
{
	if (e->kind == '(' || e->kind == '[') {
		fputc(e->kind, to);
		print_form(to, e->name, e->name + e->length);
		fputc(e->kind == '(' ? ')' : ']', to);
	} else if (e->kind == 'a' && e->type->kind == FORM_FORM && !strchr(e->type->text, '|')) {
		print_form(to, e->type->text, e->type->text + strlen(e->type->text));
	} else if (e->kind == 'a' && e->type->kind == FORM_STRING) {
		fprintf(to, "\"%.*s\"", (int)e->length, e->name);
	} else if (e->kind == 'a' && e->type->kind == FORM_OPEN) {
		fputc('{', to);
	} else if (e->kind == 'a' && (e->type->kind == FORM_BLOCK || e->type->kind == FORM_TEXT)) {
		fprintf(to, e->type->kind == FORM_BLOCK ? "({ %.*s } | \"FILE\")" : "{ %.*s }", (int)e->length, e->name);
	} else {
		fprintf(to, "%.*s", (int)e->length, e->name);
	}
	if (e->repeated)
		fputs("...", to);
}

static void print_form(FILE *to, const char *f, const char *end)
{
	const char *gap = "";

	for (f = blanks(f); f < end; f = blanks(f), gap = " ") {
		if (*f == '|') {
			fputs(" |", to);
			f++;
		} else {
			struct piece e = piece_at(f);

			fputs(gap, to);
			print_piece(to, &e);
			f = e.next;
		}
	}
}

char *form_text(const struct job_statement *s)
{
	size_t length;
	char *text = NULL;
	FILE *to = open_memstream(&text, &length);

	if (!to)
		return NULL;
	fprintf(to, "the form: %s ", s->name);
	print_form(to, s->form, s->form + strlen(s->form));
	fclose(to);
	return text;
}
