// SPDX-License-Identifier: MIT
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tool/options.h"

static const struct option help = { .name = "--help", .letter = "-h", .kind = OPTION_FLAG, .help = "this" };

/* Option number index of both tables, and --help. */
static const struct option *option_at(const struct command_line *c, unsigned int index)
{
	for (const struct option *o = c->options; o && o->name; o++)
		if (!index--)
			return o;
	for (const struct option *o = c->more; o && o->name; o++)
		if (!index--)
			return o;
	return index ? NULL : &help;
}

static const char *option_names(void *ctx, unsigned int index)
{
	const struct option *o = option_at(ctx, index);

	return o ? o->name : NULL;
}

int options_unknown(const char *command, const char *what, const char *word, names_fn names)
{
	const char *near = names ? nearest(word, names, NULL) : NULL, *name;

	fprintf(stderr, "limn %s: no %s '%s'", command, what, word);
	if (near) {
		fprintf(stderr, "; did you mean %s?\n", near);
		return EXIT_USAGE;
	}
	for (unsigned int i = 0; names && (name = names(NULL, i)); i++)
		fprintf(stderr, "%s %s", i ? "" : "; there are:", name);
	fputc('\n', stderr);
	return EXIT_USAGE;
}

static void print_help(const struct command_line *c, FILE *to)
{
	const struct option *o;
	char left[80];

	fprintf(to, "usage: limn %s%s%s [OPTION...]\n%s", c->command, *c->files ? " " : "", c->files, c->about);
	for (unsigned int i = 0; (o = option_at(c, i)); i++) {
		snprintf(left, sizeof(left), "%s%s%s%s%s", o->letter ? o->letter : "", o->letter ? ", " : "", o->name,
			 o->value ? " " : "", o->value ? o->value : "");
		fprintf(to, "  %-20s  %s\n", left, o->help);
	}
	if (c->example)
		fprintf(to, "example: %s\n", c->example);
}

/* NULL: it is; else what is expected. */
static const char *read_number(const struct option *o, const char *text)
{
	static char wrong[100];
	char *end = NULL;
	double v;

	errno = 0;
	if (o->kind == OPTION_WHOLE) {
		unsigned long long whole = strtoull(text, &end, 0);

		v = (double)whole;
		*(uint64_t *)o->to = whole;
	} else {
		v = *(double *)o->to = strtod(text, &end);
	}
	if (end != text && !*end && !errno && text[0] != '-' && v >= o->min && v <= o->max)
		return NULL;
	if (o->max > 1e18)
		return "a whole number";
	snprintf(wrong, sizeof(wrong), "a %snumber of %.15g to %.15g", o->kind == OPTION_WHOLE ? "whole " : "",
		 o->min, o->max);
	return wrong;
}

/* Takes an option's value; 0 or an exit status. */
static int take(const struct command_line *c, const struct option *o, const char *value)
{
	struct option_list *list = o->to;
	const char *wrong;

	switch (o->kind) {
	case OPTION_FLAG:
		*(bool *)o->to = true;
		return 0;
	case OPTION_TEXT:
		*(const char **)o->to = value;
		return 0;
	case OPTION_LIST:
		if (list->count < sizeof(list->list) / sizeof(list->list[0])) {
			list->list[list->count++] = value;
			return 0;
		}
		fprintf(stderr, "limn %s: too many of %s\n", c->command, o->name);
		return EXIT_USAGE;
	default:
		wrong = read_number(o, value);
		if (wrong)
			fprintf(stderr, "limn %s: %s %s: %s is expected\n", c->command, o->name, value, wrong);
		return wrong ? EXIT_USAGE : 0;
	}
}

/* The option of that word, "--name=value" too; *value: behind the =. */
static const struct option *find(const struct command_line *c, const char *word, const char **value)
{
	size_t n = strcspn(word, "=");
	const struct option *o;

	*value = NULL;
	for (unsigned int i = 0; (o = option_at(c, i)); i++) {
		if (!strcmp(o->name, word) || (o->letter && !strcmp(o->letter, word)))
			return o;
		if (word[n] && strlen(o->name) == n && !strncmp(o->name, word, n) && o->kind != OPTION_FLAG) {
			*value = word + n + 1;
			return o;
		}
		/* -DNAME=VALUE */
		if (o->letter && o->kind == OPTION_LIST && !strncmp(word, o->letter, 2) && word[1] != '-') {
			*value = word + 2;
			return o;
		}
	}
	return NULL;
}

static int read_option(struct command_line *c, int argc, char **argv, int *i)
{
	const char *value, *near, *word = argv[*i];
	const struct option *o = find(c, word, &value);

	if (!o) {
		near = nearest(word, option_names, c);
		fprintf(stderr, "limn %s: no option %s%s%s%s\n", c->command, word, near ? "; did you mean " : "",
			near ? near : "", near ? "?" : "");
		return EXIT_USAGE;
	}
	if (o->kind != OPTION_FLAG && !value) {
		if (*i + 1 == argc) {
			fprintf(stderr, "limn %s: %s %s: its value is missing\n", c->command, o->name, o->value);
			return EXIT_USAGE;
		}
		value = argv[++*i];
	}
	return take(c, o, value);
}

bool options_read(struct command_line *c, int argc, char **argv, int *status)
{
	bool only_paths = false;

	*status = EXIT_OK;
	for (int i = 1; i < argc && !*status; i++) {
		if (!only_paths && (!strcmp(argv[i], help.name) || !strcmp(argv[i], help.letter))) {
			print_help(c, stdout);
			return false;
		}
		if (!only_paths && !strcmp(argv[i], "--")) {
			only_paths = true;
		} else if (!only_paths && argv[i][0] == '-' && argv[i][1]) {
			*status = read_option(c, argc, argv, &i);
		} else if (c->num_paths < c->max_paths) {
			c->paths[c->num_paths++] = argv[i];
		} else {
			fprintf(stderr, "limn %s: '%s' is one too many\n", c->command, argv[i]);
			*status = EXIT_USAGE;
		}
	}
	if (!*status && c->num_paths < c->min_paths) {
		fprintf(stderr, "limn %s: %s is missing (limn %s --help)\n", c->command, c->files, c->command);
		*status = EXIT_USAGE;
	}
	return !*status;
}
