// SPDX-License-Identifier: MIT
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tool/options.h"
#include "tool/progress.h"

static const struct option help = { .name = "--help", .letter = "-h", .kind = OPTION_FLAG, .help = "this" };
static enum options_mode mode;
static const char *command = "";	/* that runs */

void options_set_mode(enum options_mode to)
{
	mode = to;
}

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

/* Values of an option that has a list of them. */
static const char *value_names(void *ctx, unsigned int index)
{
	const struct option *o = ctx;

	return o->names ? o->names(NULL, index) : o->words ? o->words[index] : NULL;
}

int failed(int status, const char *format, ...)
{
	va_list args;

	progress_clear();
	fprintf(stderr, "limn %s: ", command);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	return status;
}

/* --- The table as help, as a page of the manual, as completions ------------------------ */

static void print_help(const struct command_line *c)
{
	const struct option *o;
	char left[80];

	printf("usage: limn %s%s%s [OPTION...]\n%s", c->command, *c->files ? " " : "", c->files, c->about);
	for (unsigned int i = 0; (o = option_at(c, i)); i++) {
		snprintf(left, sizeof(left), "%s%s%s%s%s", o->letter ? o->letter : "", o->letter ? ", " : "", o->name,
			 o->value ? " " : "", o->value ? o->value : "");
		printf("  %-20s  %s\n", left, o->help);
	}
	printf("example: %s\n", c->example);
}

/* Text of roff: a - is a minus that can be copied, and no line begins with a request. */
static void put_roff(const char *text)
{
	for (const char *p = text; *p; p++) {
		if ((p == text || p[-1] == '\n') && strchr(".' ", *p))
			fputs(*p == ' ' ? ".br\n" : "\\&", stdout);
		if (*p == '-' || *p == '\\')
			fputc('\\', stdout);
		fputs(*p == '\\' ? "e" : (char[]){ *p, 0 }, stdout);
	}
}

static void print_man(const struct command_line *c)
{
	const struct option *o;

	printf(".TP\n.BI %s \" ", c->command);
	put_roff(c->files);
	puts("\"");
	put_roff(c->about);
	puts(".RS");
	for (unsigned int i = 0; (o = option_at(c, i)) && o != &help; i++) {
		fputs(".TP\n.BI ", stdout);
		put_roff(o->letter ? o->letter : o->name);
		if (o->letter) {
			fputs("\\fR,\\fB\\ ", stdout);
			put_roff(o->name);
		}
		printf(" \" %s\"\n", o->value ? o->value : "");
		put_roff(o->help);
		putchar('\n');
	}
	puts(".PP");
	put_roff(c->example);
	puts("\n.RE");
}

static void print_if_begins(const char *name, const char *word)
{
	if (!strncmp(name, word, strlen(word)))
		puts(name);
}

/* What the last word can become: a value of the option before it, or an option. */
static void complete(const struct command_line *c, int argc, char **argv)
{
	const char *word = argc > 1 ? argv[argc - 1] : "", *before = argc > 2 ? argv[argc - 2] : "", *name;
	const struct option *o;

	for (unsigned int i = 0; (o = option_at(c, i)); i++) {
		if (o->kind != OPTION_FLAG && (!strcmp(o->name, before) || (o->letter && !strcmp(o->letter, before)))) {
			for (unsigned int k = 0; (name = value_names((void *)o, k)); k++)
				print_if_begins(name, word);
			return;
		}
	}
	for (unsigned int i = 0; *word == '-' && (o = option_at(c, i)); i++) {
		print_if_begins(o->name, word);
		if (o->letter)
			print_if_begins(o->letter, word);
	}
}

/* --- Reading --------------------------------------------------------------------------- */

static int wrong_value(const struct option *o, const char *value, const char *want)
{
	return failed(EXIT_USAGE, "%s %s: %s is expected", o->name, value, want);
}

static int take_number(const struct option *o, const char *value)
{
	bool whole = o->kind != OPTION_NUMBER;
	unsigned long long n = 0;
	char *end = NULL, want[100];
	double v;

	errno = 0;
	if (whole)
		v = (double)(n = strtoull(value, &end, 0));
	else
		v = strtod(value, &end);
	if (end == value || *end || errno || value[0] == '-' || !(v >= o->min && v <= o->max)) {
		snprintf(want, sizeof(want), "a %snumber of %.15g to %.15g", whole ? "whole " : "", o->min, o->max);
		return wrong_value(o, value, o->max > 1e18 ? "a whole number" : want);
	}
	if (o->kind == OPTION_WHOLE)
		*(uint64_t *)o->to = n;
	else if (o->kind == OPTION_COUNT)
		*(unsigned int *)o->to = n;
	else
		*(double *)o->to = v;
	return 0;
}

static bool is_name(const char *value, names_fn names)
{
	const char *name;

	for (unsigned int i = 0; (name = names(NULL, i)); i++)
		if (!strcmp(name, value))
			return true;
	return false;
}

static int take_word(const struct option *o, const char *value)
{
	char want[400] = "one of";

	for (unsigned int i = 0; o->words && o->words[i]; i++) {
		if (!strcmp(o->words[i], value)) {
			*(const char **)o->to = o->words[i];
			return 0;
		}
		snprintf(want + strlen(want), sizeof(want) - strlen(want), " %s", o->words[i]);
	}
	if (o->words)
		return failed(EXIT_USAGE, "%s %s: %s is expected%s", o->name, value, want, did_you_mean(value, value_names, (void *)o));
	if (o->closed && !is_name(value, o->names))
		return failed(EXIT_USAGE, "%s %s: there is none%s", o->name, value, near_or_all(value, o->names, NULL));
	*(const char **)o->to = value;
	return 0;
}

/* Takes an option's value; 0 or an exit status. */
static int take(const struct option *o, const char *value)
{
	struct option_list *list = o->to;

	if (o->given)
		*o->given = true;
	switch (o->kind) {
	case OPTION_FLAG:
		*(bool *)o->to = true;
		if (!strcmp(o->name, "--quiet") || !strcmp(o->name, "--json"))
			progress_off();
		return 0;
	case OPTION_TEXT:
		return take_word(o, value);
	case OPTION_LIST:
		if (o->pair && (!strchr(value, '=') || value[0] == '='))
			return wrong_value(o, value, o->value);
		if (list->count == sizeof(list->list) / sizeof(list->list[0]))
			return failed(EXIT_USAGE, "too many of %s", o->name);
		list->list[list->count++] = value;
		return 0;
	default:
		return take_number(o, value);
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
	const char *value, *word = argv[*i];
	const struct option *o = find(c, word, &value);

	if (!o)
		return failed(EXIT_USAGE, "no option %s%s", word, did_you_mean(word, option_names, c));
	if (o->kind != OPTION_FLAG && !value) {
		if (*i + 1 == argc)
			return failed(EXIT_USAGE, "%s %s: its value is missing", o->name, o->value);
		value = argv[++*i];
	}
	return take(o, value);
}

static int read_all(struct command_line *c, int argc, char **argv)
{
	const struct option *o;
	bool only_paths = false;
	int status = EXIT_OK;

	for (int i = 1; i < argc && !status; i++) {
		/* -1,0 is a pixel that is wrong, not an option. */
		bool option = !only_paths && argv[i][0] == '-' && argv[i][1] && !isdigit((unsigned char)argv[i][1]);

		if (option && !strcmp(argv[i], "--"))
			only_paths = true;
		else if (option)
			status = read_option(c, argc, argv, &i);
		else if (c->num_paths < c->max_paths)
			c->paths[c->num_paths++] = argv[i];
		else
			status = failed(EXIT_USAGE, "'%s' is one too many", argv[i]);
	}
	if (!status && c->num_paths < c->min_paths)
		status = failed(EXIT_USAGE, "%s is missing (limn %s --help)", c->files, c->command);
	for (unsigned int i = 0; !status && (o = option_at(c, i)); i++)
		if (o->required && !*(const char **)o->to)
			status = failed(EXIT_USAGE, "%s %s is missing", o->letter ? o->letter : o->name, o->value);
	return status;
}

bool options_read(struct command_line *c, int argc, char **argv, int *status)
{
	*status = EXIT_OK;
	command = c->command;
	if (mode == OPTIONS_COMPLETE || mode == OPTIONS_MAN) {
		if (mode == OPTIONS_MAN)
			print_man(c);
		else
			complete(c, argc, argv);
		return false;
	}
	for (int i = 1; i < argc && strcmp(argv[i], "--"); i++) {
		if (!strcmp(argv[i], help.name) || !strcmp(argv[i], help.letter)) {
			print_help(c);
			return false;
		}
	}
	*status = read_all(c, argc, argv);
	return !*status;
}
