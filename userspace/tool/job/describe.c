// SPDX-License-Identifier: MIT
/* The statements of job files as reStructuredText: the end of limn-job(5), and what editors' syntax is checked against. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "tool/job/parser.h"

static const char *const of_family[] = { [JOB_UTGARD] = "Utgard", [JOB_VIVANTE] = "Vivante 3D", [JOB_VIVANTE_2D] = "Vivante 2D" };

/* "SRC:factor": the form that people read has only the name. Each once. */
static void print_arguments(FILE *to, const char *form)
{
	const char *between = "";

	for (const char *colon = strchr(form, ':'); colon; colon = strchr(colon + 1, ':')) {
		const char *name = colon, *end = colon + 1;
		const struct form_type *type;

		while (name > form && !strchr(" ([|", name[-1]))
			name--;
		while (islower((unsigned char)*end) || isdigit((unsigned char)*end) || *end == '-')
			end++;
		type = form_type_find(colon + 1, end - colon - 1);
		if (!type || type->kind > FORM_CHOICE || memmem(form, name - form, name, end - name))
			continue;
		fprintf(to, "%s %.*s: %s", between, (int)(colon - name), name, type->name);
		between = ",";
	}
	fputs(*between ? "." : "", to);
}

static void print_statement(FILE *to, const struct job_statement *s)
{
	char *text = form_text(s);

	if (!text)
		return;
	fprintf(to, "``%s``\n\t%s", text + strlen("the form: "), *s->help ? s->help : "The same.");
	print_arguments(to, s->form);
	if (s->families != JOB_HAS_ALL) {
		fputs(" For", to);
		for (unsigned int f = 0, n = 0; f < 3; f++)
			if (s->families >> f & 1)
				fprintf(to, "%s %s", n++ ? " and" : "", of_family[f]);
		fputc('.', to);
	}
	fputs("\n\n", to);
	free(text);
}

static bool has_word(const struct form_type *t, enum job_family family, const char *word)
{
	unsigned int value;

	return form_value(t, family, word, &value);
}

/* The words of the first family that has any, then what others have beside them. */
static void print_words(FILE *to, const struct form_type *t)
{
	const char *word, *between = "";

	for (unsigned int f = 0; f < 3; f++) {
		bool first = true;

		for (unsigned int i = 0; (word = form_word(t, f, i)); i++) {
			if ((f > 0 && has_word(t, 0, word)) || (f > 1 && has_word(t, 1, word)))
				continue;
			if (first && *between)
				fprintf(to, "; %s:", of_family[f]);
			fprintf(to, "%s``%s``", first && !*between ? "" : " ", word);
			between = " ";
			first = false;
		}
	}
}

void job_describe(FILE *to)
{
	const struct form_type *t;

	fputs("\nAll statements\n--------------\n\n", to);
	for (const struct job_statement *s = job_statements; s->name; s++) {
		if (*s->name)
			print_statement(to, s);
		else
			fprintf(to, "%s\n%.*s\n\n", s->help, (int)strlen(s->help), "~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~");
	}
	fputs("Their arguments\n---------------\n\nWhat is in capital letters above; a name of a list stands for one of its words.\n\n", to);
	for (unsigned int i = 0; (t = form_type_at(i)); i++) {
		if (t->kind > FORM_CHOICE && t->kind != FORM_FORM)
			continue;
		fprintf(to, "``%s``\n\t", t->name);
		if (t->kind == FORM_CHOICE)
			print_words(to, t);
		else if (t->kind == FORM_FORM)
			fprintf(to, "``%s``", t->text);
		else
			fprintf(to, "a %snumber, %.10g to %.10g", t->kind == FORM_WHOLE ? "whole " : "", t->min, t->max);
		fputs("\n\n", to);
	}
}
