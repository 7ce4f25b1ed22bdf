// SPDX-License-Identifier: MIT
/* Arithmetic in the data of job files, by recursive descent. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tool/job_lex.h"

struct expression {
	const char *at;
	const struct job_variable *vars;
	unsigned int count, depth;
	bool failed;
};

static double sum(struct expression *e);

static double fail(struct expression *e)
{
	e->failed = true;
	return 0;
}

static double parentheses(struct expression *e)
{
	double v;

	if (*e->at != '(' || ++e->depth > 32)
		return fail(e);
	e->at++;
	v = sum(e);
	e->depth--;
	if (*e->at != ')')
		return fail(e);
	e->at++;
	return v;
}

static double named(struct expression *e)
{
	static const struct {
		const char *name;
		double (*call)(double);
	} functions[] = {
		{ "sin", sin }, { "cos", cos }, { "sqrt", sqrt }, { "abs", fabs }, { "floor", floor },
	};
	const char *name = e->at;
	size_t n;

	while (isalnum((unsigned char)*e->at))
		e->at++;
	n = e->at - name;
	for (unsigned int i = e->count; i-- > 0;)
		if (strlen(e->vars[i].name) == n && !strncmp(e->vars[i].name, name, n))
			return e->vars[i].value;
	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++)
		if (strlen(functions[i].name) == n && !strncmp(functions[i].name, name, n))
			return functions[i].call(parentheses(e));
	if (n == 2 && !strncmp(name, "pi", 2))
		return M_PI;
	return fail(e);
}

static double factor(struct expression *e)
{
	char *end;
	double v;

	if (e->failed || ++e->depth > 32)
		return fail(e);
	if (*e->at == '-') {
		e->at++;
		v = -factor(e);
	} else if (*e->at == '+') {
		e->at++;
		v = factor(e);
	} else if (*e->at == '(') {
		v = parentheses(e);
	} else if (isalpha((unsigned char)*e->at)) {
		v = named(e);
	} else if (isdigit((unsigned char)*e->at) || *e->at == '.') {
		v = strtod(e->at, &end);
		if (end == e->at)
			return fail(e);
		e->at = end;
	} else {
		return fail(e);
	}
	e->depth--;
	return v;
}

static double product(struct expression *e)
{
	double v = factor(e);

	while (!e->failed && (*e->at == '*' || *e->at == '/' || *e->at == '%')) {
		char op = *e->at++;
		double w = factor(e);

		v = op == '*' ? v * w : op == '/' ? v / w : fmod(v, w);
	}
	return v;
}

static double sum(struct expression *e)
{
	double v = product(e);

	while (!e->failed && (*e->at == '+' || *e->at == '-'))
		v = *e->at++ == '+' ? v + product(e) : v - product(e);
	return v;
}

bool job_evaluate(const char *text, const struct job_variable *vars, unsigned int count,
		  double *value)
{
	struct expression e = { .at = text, .vars = vars, .count = count };

	*value = sum(&e);
	return !e.failed && !*e.at && isfinite(*value);
}
